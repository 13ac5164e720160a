"""Lists, home page, feed and sitemaps: every page is reached, and each change is small."""

from __future__ import annotations

import datetime as dt
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from lxml import etree, html

from lexurn import publish
from lexurn.publishing import Site
from lexurn.publishing.dcat import SiteSettings
from lexurn.publishing.entries import SCHEMA, ActEntry, Entries, FolderEntry, add_entries
from lexurn.publishing.lists import ListWriter, write_harvest_files

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE = "https://law.example"
ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def build(out: Path, table: Path, **options: str) -> Path:
    report = publish(
        table, out, base=BASE, as_of="2026-01-01", check=lambda _: (), workers=1, **options
    )
    assert report.published
    return out


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("acts") / "site", ACTS)


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    return build(folder / "site", write_table(folder / "acts.csv", 450))


def write_table(path: Path, count: int) -> Path:
    """Write acts of two years, most of them in the later one."""
    rows = ["urn,title@it,issued"]
    for number in range(count):
        first = dt.date(2001 if number < 10 else 2002, 1, 1)
        day = first + dt.timedelta(days=number // 2)
        rows.append(f"urn:lex:it:stato:legge:{day};{number},Legge {number},{day}")
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def make_settings() -> SiteSettings:
    return SiteSettings(
        out=Path(),
        state=Path(),
        base=BASE,
        as_of=dt.date(2026, 1, 1),
        inline_context=False,
        language="en",
        site=Site(),
        search=False,
    )


def read_page(path: Path) -> html.HtmlElement:
    return html.fromstring(path.read_text("utf-8"))


def text_of(path: Path) -> str:
    return " ".join(read_page(path).find("body").text_content().split())


def list_links(path: Path) -> set[Path]:
    """List the files of the site that a page links to."""
    found = set()
    for link in read_page(path).xpath("//body//a/@href"):
        target = urlsplit(urldefrag(urljoin(path.as_uri(), link)).url)
        if target.scheme == "file":
            found.add(Path(unquote(target.path)))
    return found


@pytest.mark.parametrize("name", ["site", "long_site"])
def test_each_page_is_reached_from_the_home_page(name: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(name)
    reached, waiting = set(), [folder / "index.html"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".html":
            reached.add(page)
            waiting += list_links(page)
    assert set(folder.rglob("*.html")) - reached == {folder / "404.html"}


def test_the_home_page_counts(site: Path) -> None:
    text = text_of(site / "index.html")
    assert (
        "24 jurisdictions: 99 acts, versions, links to texts, with citations ready to copy." in text
    )
    assert "Italy 28 acts" in text
    assert "Gesetz zur Änderung des Grundgesetzes" in text


def test_the_site_has_the_language_asked_for(tmp_path: Path) -> None:
    folder = build(tmp_path / "site", ACTS, language="it")
    home = read_page(folder / "index.html")
    assert home.get("lang") == "it"
    assert "24 ordinamenti: 99 atti, versioni, collegamenti a testi, con" in home.text_content()
    assert read_page(folder / "lex" / "fi" / "index.html").get("lang") == "it"
    assert read_page(folder / "lex" / "de" / "index.html").get("lang") == "de"
    links = read_page(folder / "lex" / "index.html").xpath("//ul[@class='cards']//a")
    names = {each.text_content(): each.xpath("./bdi/@lang") for each in links}
    assert names["Brasile, São Paulo"] == []
    assert names["Regno Unito, Wales"] == []
    assert names["United Nations"] == ["en"]


def test_a_list_names_what_is_in_it(site: Path) -> None:
    assert "Regno Unito" not in text_of(site / "lex" / "index.html")
    assert "United Kingdom, Wales" in text_of(site / "lex" / "index.html")
    assert "Autorità" in text_of(site / "lex" / "it" / "index.html")
    acts = read_page(site / "lex" / "it" / "stato" / "costituzione" / "index.html")
    links = {each.text_content(): each.get("href") for each in acts.xpath("//main//li/a")}
    assert links["Costituzione della Repubblica Italiana"] == "./1947-12-27;lex-1/index.html"


def test_a_list_is_the_page_of_its_entry_in_the_registry(site: Path) -> None:
    page = read_page(site / "lex" / "it" / "index.html")
    names = {
        each.getparent().findtext("small"): (each.text, each.get("lang"))
        for each in page.xpath("//main//dd/bdi[@lang]")
    }
    assert names["francese"] == ("Italie", "fr")
    assert names["italiano"] == ("Italia", "it")
    text = text_of(site / "lex" / "it" / "index.html")
    assert "https://w3id.org/lexurn/registry/jurisdictions/it" in text
    assert page.xpath("//head/link[@rel='alternate']/@href") == ["index.ttl"]
    turtle = (site / "lex" / "it" / "index.ttl").read_text("utf-8")
    assert '"Italie"@fr' in turtle


def test_the_home_page_names_one_jurisdiction_and_claims_no_texts(long_site: Path) -> None:
    text = text_of(long_site / "index.html")
    assert "Italy: 450 acts, with citations ready to copy." in text
    assert "By year 102001 4402002" in text
    assert "Italy: 450 acts, with" in (long_site / "catalogue.ttl").read_text("utf-8")


@pytest.mark.parametrize(
    ("years", "bars"),
    [
        (
            {"1787": 1, "1985": 3, "2009": 2, "": 1},
            [
                *((f"0{decade}",) for decade in range(1910, 1980, 10)),
                ("31980", "lex/index.html#y1985"),
                ("01990",),
                ("32000", "lex/index.html#y2001"),
            ],
        ),
        (
            {"1998": 3, "2000": 1},
            [
                ("31998", "lex/index.html#y1998"),
                ("01999",),
                ("12000", "lex/index.html#y2000"),
                ("12001", "lex/index.html#y2001"),
            ],
        ),
        ({"2001": 5}, []),
    ],
)
def test_the_chart_has_all_decades_or_years(
    years: dict[str, int], bars: list[tuple[str, ...]]
) -> None:
    files = dict(make_writer(years).write())
    found = html.fromstring(files["index.html"].decode()).xpath("//ol[@class='chart']/li")
    assert bars == [
        (" ".join(each.text_content().split()), *each.xpath("./a/@href")) for each in found
    ]
    listed = html.fromstring(files["lex/index.html"].decode()).xpath("//li/@id")
    newest = sorted({*years, "2001"} - {""}, reverse=True)
    assert listed == [f"y{each}" for each in newest] + ["yundated"] * ("" in years)


def test_lists_leave_out_aliases_and_do_not_count_withdrawn_names(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    law, king = "urn:lex:it:stato:legge:2001-01-01;", "urn:lex:it:re:editto:2001-01-01;1"
    rows = (f"{law}1,,", f"{law}2,,withdrawn", f"{law}3,{law}1,withdrawn", f"{king},{law}1,")
    table.write_text("\n".join(("urn,alias_of,status", *rows)), encoding="utf-8")
    folder = build(tmp_path / "site", table)
    text = text_of(folder / "lex" / "it" / "stato" / "legge" / "index.html")
    assert "1 atto" in text
    assert "n. 2 nome non più usato" in text
    assert "n. 3" not in text
    years = read_page(folder / "lex" / "index.html").get_element_by_id("y2001")
    assert years.findtext("small") == "1"
    country = read_page(folder / "lex" / "it" / "index.html").text_content()
    assert "Stato" in country
    assert "Editto" not in country
    # A list that would be empty has them, so that the folders above an alias have pages.
    assert "Editto" in text_of(folder / "lex" / "it" / "re" / "index.html")


def test_the_list_of_a_year_is_headed_by_it(site: Path) -> None:
    assert read_page(site / "lex" / "2001.html").findtext(".//h1") == "Acts of 2001"
    assert read_page(site / "lex" / "undated.html").findtext(".//h1") == "Acts, without a year"


def test_a_site_without_acts_has_a_home_page() -> None:
    files = dict(make_writer({}, decrees=0).write())
    assert "No act has been published yet." in files["index.html"].decode()
    assert "chart" not in files["index.html"].decode()
    assert "lex/index.html" in files


def test_a_long_list_is_divided_by_years_and_pages(long_site: Path) -> None:
    folder = long_site / "lex" / "it" / "stato" / "legge"
    files = {path.name for path in folder.glob("*.html")}
    assert files == {"index.html", "2001.html", "2002.html", "2002-2.html", "2002-3.html"}
    counts = {
        name: len(read_page(folder / name).xpath("//ul[@class='list']/li"))
        for name in sorted(files)
    }
    assert counts == {
        "2001.html": 10,
        "2002.html": 200,
        "2002-2.html": 200,
        "2002-3.html": 40,
        "index.html": 0,
    }
    second = read_page(folder / "2002-2.html")
    assert [each.get("href") for each in second.xpath("//a[@rel='prev'] | //a[@rel='next']")] == [
        "2002.html",
        "2002-3.html",
    ]
    assert "Pagina 2 di 3" in second.text_content()


def test_a_new_act_changes_few_lists(tmp_path: Path) -> None:
    folder = build(tmp_path / "site", write_table(tmp_path / "acts.csv", 450))
    before = {path: path.read_bytes() for path in folder.rglob("*.html")}
    build(folder, write_table(tmp_path / "acts.csv", 451))
    changed = {path for path, content in before.items() if path.read_bytes() != content}
    names = {str(path.relative_to(folder)) for path in changed}
    top = ["index.html", "about.html", "lex/index.html"]
    above = ["lex/", "lex/it/", "lex/it/stato/", "lex/it/stato/legge/"]
    lists = [f"{each}{page}.html" for each in above for page in ("index", "2002", "2002-3")]
    assert names == {*top, "report.html", *lists} & {*names}
    assert "lex/it/stato/legge/2002-2.html" not in names


def make_writer(
    years: dict[str, int], decrees: int = 1, entries: Sequence[Entries] = ()
) -> ListWriter:
    """Make a writer of lists with a number of laws of each year, and one decree or none."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    writer = ListWriter(connection, make_settings())
    laws = [(year, number, "legge") for year in years for number in range(years[year])]
    for year, number, measure in [*laws, *[("2001", 1, "decreto")] * decrees]:
        folder = f"lex/it/stato/{measure}/"
        path = f"{folder}{year or 'leg.18'};{number}"
        lists = [FolderEntry(each, each, "it") for each in ("lex/it/", "lex/it/stato/", folder)]
        act = ActEntry(path, path, folder, year, year, year, "", "", path, "it", "", True)
        add_entries(connection, path, [(act, lists)])
    add_entries(connection, "", entries)
    return writer


def test_a_year_without_four_digits_has_a_page_of_its_own() -> None:
    files = dict(make_writer({"2001": 200, "": 201}).write())
    names = {path.rpartition("/")[2] for path in files if path.startswith("lex/it/stato/legge/")}
    assert names == {"index.html", "2001.html", "undated.html", "undated-2.html"}
    index = html.fromstring(files["lex/it/stato/legge/index.html"].decode())
    years = [each.get("href") for each in index.xpath("//main/ul[@class='pages']//a")]
    assert years == ["2001.html", "undated.html"]


def test_changed_lists_are_written_alone() -> None:
    writer = make_writer({"2001": 201, "2002": 3, "2003": 201})
    whole = dict(writer.write())
    some = dict(writer.write(frozenset({("lex/it/stato/legge/", "2002")})))
    assert some.items() <= whole.items()
    lists = ("lex/", "lex/it/", "lex/it/stato/", "lex/it/stato/legge/")
    assert {path for path in some if path.startswith("lex/")} == {
        f"{folder}{page}.html" for folder in lists for page in ("index", "2002")
    }
    decree = dict(writer.write(frozenset({("lex/it/stato/decreto/", "2001")})))
    assert "lex/it/stato/decreto/index.html" in decree
    assert "lex/it/stato/legge/index.html" not in decree
    assert "lex/it/stato/2001-2.html" in decree
    assert not any(path.startswith("lex/") for path in dict(writer.write(frozenset())))


def test_a_list_that_becomes_long_has_all_its_years() -> None:
    writer = make_writer({"2001": 150, "2002": 60})
    some = dict(writer.write(frozenset({("lex/it/stato/legge/", "2002")})))
    assert {"lex/it/stato/legge/2001.html", "lex/it/stato/legge/2002.html"} <= some.keys()


def test_two_lists_may_have_one_label() -> None:
    entries: list[Entries] = []
    state = "https://w3id.org/lexurn/registry/it/authorities/stato"
    for path, concepts in (("lex/it/a/", ()), ("lex/it/b/", (state,))):
        act = ActEntry(f"{path}x/1", path, f"{path}x/", "", "", "", "", "", path, "it", "", True)
        folders = [
            FolderEntry("lex/it/", "Italia", "it"),
            FolderEntry(path, "Stato", "it", concepts),
        ]
        entries.append((act, [*folders, FolderEntry(f"{path}x/", "X", "it")]))
    page = html.fromstring(
        dict(make_writer({}, entries=entries).write())["lex/it/index.html"].decode()
    )
    links = page.xpath("//ul[@class='cards']//a[.='Stato']/@href")
    assert links == ["./a/index.html", "./b/index.html"]


def test_the_feed_has_the_newest_acts_first(site: Path) -> None:
    feed = etree.parse(site / "feed.atom").getroot()
    days = [each.findtext(f"{ATOM}updated") for each in feed.findall(f"{ATOM}entry")]
    assert days == sorted(days, reverse=True)
    assert len(days) > 70
    assert feed.findtext(f"{ATOM}updated") == days[0]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", str(day)) for day in days)
    ids = [each.findtext(f"{ATOM}id") for each in feed.findall(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    assert "urn:lex:it:stato:costituzione:1947-12-27;lex-1" in ids


def test_a_long_feed_has_pages(long_site: Path) -> None:
    feeds = [etree.parse(long_site / name).getroot() for name in ("feed.atom", "feed-5.atom")]
    links = [
        {each.get("rel"): each.get("href") for each in feed.findall(f"{ATOM}link")}
        for feed in feeds
    ]
    assert links[0]["next"] == f"{BASE}/feed-2.atom"
    assert links[1]["previous"] == f"{BASE}/feed-4.atom"
    assert "next" not in links[1]
    assert not (long_site / "feed-6.atom").exists()


def test_the_sitemap_lists_canonical_pages_that_exist(site: Path) -> None:
    urls = [each.text or "" for each in etree.parse(site / "sitemap.xml").iter(f"{SITEMAP}loc")]
    assert len(urls) > 100
    for url in urls:
        assert (site / unquote(url.removeprefix(f"{BASE}/")) / "index.html").is_file(), url
    assert not any("parlement.europeen" in url and "@" not in url for url in urls)


def test_many_pages_make_several_sitemaps() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    rows = ((f"{BASE}/lex/{number:06}", "2020-01-01") for number in range(50_001))
    connection.executemany("INSERT INTO page VALUES (?, ?, '')", rows)
    files = dict(write_harvest_files(connection, make_settings()))
    assert {name for name in files if "sitemap" in name} == {
        "sitemap.xml",
        "sitemap-1.xml",
        "sitemap-2.xml",
    }
    index = etree.fromstring(files["sitemap.xml"])
    assert index.tag == f"{SITEMAP}sitemapindex"
    assert [each.text for each in index.iter(f"{SITEMAP}loc")] == [
        f"{BASE}/sitemap-1.xml",
        f"{BASE}/sitemap-2.xml",
    ]
    assert files["sitemap-2.xml"].count(b"<url>") == 1


def test_a_robots_file_of_the_publisher_stays(tmp_path: Path) -> None:
    out = build(tmp_path / "site", write_table(tmp_path / "acts.csv", 3))
    assert (out / "robots.txt").read_text() == (
        f"User-agent: *\nAllow: /\nSitemap: {BASE}/sitemap.xml\n"
    )
    (out / "robots.txt").write_text("mine")
    build(out, tmp_path / "acts.csv")
    assert (out / "robots.txt").read_text() == "mine"
