"""Pages for people: valid, complete, with links that work, and nothing in them that runs."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from export_cases import (
    ACT,
    AS_OF,
    BASE,
    DIGEST,
    FIRST,
    GERMAN,
    HOSTILE,
    HOSTILE_TITLE,
    PDF,
    SECOND,
    SWISS_FRENCH,
    name,
    records,
)
from lxml import html
from publish_run import fault, sound

from lexurn import data
from lexurn.labels import describe_level, describe_parts
from lexurn.model import Item, LanguageText, LegalForce, Record, Status, families_of
from lexurn.pages import LANGUAGES, describe
from lexurn.pages.page import Page, make_value
from lexurn.pages.paths import locate_folder
from lexurn.pages.text import check_html_language, check_link, decode_part
from lexurn.publishing import publish

MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", Path(__file__).parents[2] / "node_modules"))
VNU = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages")
    families = families_of(records())
    publish(families, out, base=BASE, as_of=AS_OF, check=sound, workers=1)
    return out


def page(site: Path, text: str) -> html.HtmlElement:
    content = site.joinpath(*locate_folder(name(text)), "index.html").read_text(encoding="utf-8")
    return html.fromstring(content)


def words(site: Path, text: str) -> str:
    return " ".join(page(site, text).find("body").text_content().split())


def test_the_nu_checker_finds_no_error(site: Path, tmp_path: Path) -> None:
    if shutil.which("java") is None or not VNU.is_file():
        pytest.skip(f"java or the Nu HTML checker is missing (looked for {VNU})")
    found = fault("Violation", f"<{ACT}>", "No <title>.", path="dcterms:x")
    families = families_of(records())
    publish(families, tmp_path, base=BASE, check=lambda _: (found,) * 3, workers=1)
    for place, text in enumerate((ACT, SECOND, PDF, HOSTILE)):
        bare = describe(records(), name(text), "html", as_of=AS_OF)
        (tmp_path / f"{place}.html").write_text(bare, encoding="utf-8")
    pages = [*site.rglob("*.html"), *tmp_path.glob("*.html")]
    assert len(pages) > 30
    run = subprocess.run(
        ["java", "-jar", VNU, "--format", "json", *pages], capture_output=True, check=False
    )
    found = json.loads(run.stderr)["messages"]
    assert [(each["url"], each["message"]) for each in found] == []


def test_each_page_states_the_url_under_which_a_server_has_it(site: Path) -> None:
    escaped = 0
    for linkset in (site / "lex").rglob("links.json"):
        path = linkset.with_name("index.html")
        document = html.fromstring(path.read_text(encoding="utf-8"))
        (url,) = document.xpath("//link[starts-with(@rel, 'self')]/@href")
        assert site / unquote(urlsplit(url).path).strip("/") == path.parent
        escaped += any(part.startswith("_") for part in path.relative_to(site).parts)
    assert escaped


def test_links_within_the_site_lead_to_files(site: Path) -> None:
    checked = 0
    for path in site.rglob("*.html"):
        document = html.fromstring(path.read_text(encoding="utf-8"))
        for link in document.findall(".//body//a[@href]"):
            target = urlsplit(urljoin(path.as_uri(), link.get("href")))
            if target.scheme == "file":
                assert Path(unquote(target.path)).is_file(), (path, link.get("href"))
                checked += 1
    assert checked > 100


def test_links_work_on_a_server_too(site: Path) -> None:
    served = f"{BASE}/lex/it/stato/legge/2003-09-21;456/"
    for link in page(site, ACT).findall(".//body//a[@href]"):
        target = urldefrag(urljoin(served, link.get("href"))).url
        if target.startswith(BASE) and target != served:
            assert (site / unquote(target.removeprefix(f"{BASE}/"))).is_file()


def test_every_page_has_what_every_page_needs(site: Path) -> None:
    for path in site.rglob("*.html"):
        content = path.read_text(encoding="utf-8")
        document = html.fromstring(content)
        assert content.startswith("<!DOCTYPE html>\n")
        assert document.get("lang") in LANGUAGES
        assert len(document.findall(".//h1")) == len(document.findall(".//main")) == 1
        assert document.find(".//title").text
        assert document.find(".//meta[@name='viewport']") is not None
        assert all(cell.get("scope") for cell in document.findall(".//th"))
        if path.name != "report.html":
            (style,) = document.xpath("//link[@rel='stylesheet']/@href")
            (script,) = document.xpath("//script/@src")
            assert style.removesuffix("style.css") == script.removesuffix("site.js")


def test_the_page_of_a_work_is_complete(site: Path) -> None:
    text = words(site, ACT)
    for each in (
        "Norme sulla tutela delle acque",
        "Gewässerschutz",
        ACT,
        f"{BASE}/lex/it/stato/legge/2003-09-21;456",
        "Data 21 settembre 2003",
        "Pubblicazione 1° ottobre 2003",
        "Entrata in vigore 16 ottobre 2003",
        "Scheda modificata 5 maggio 2024",
        "Ufficio pubblicazioni",
        "publisher.example/office",
        "Parlamento",
        "acque",
        "CC0 1.0",
        "portal.example/acts/456",
        "Legge 1° gennaio 2005, n. 1",
        "In vigore dal 16 ottobre 2003. Versione attuale dal 1° marzo 2005 (data dell’evento).",
        "parlamento.it, PDF 1.7",
        "Tabella dei corsi d'acqua",
        "Definizioni",
        "senato.it",
        "9 B",
        "Italia",
    ):
        assert each in text, each


def test_the_page_of_a_version(site: Path) -> None:
    text = words(site, SECOND)
    assert "In vigore dal 1° marzo 2005 (data dell’evento)." in text
    assert "31 dicembre 2029" in text
    (row,) = page(site, SECOND).xpath("//li[contains(@class, 'here')]")
    assert "Questa pagina" in row.text_content()
    assert "123 kB" in text


def test_the_page_of_a_file_has_its_digest(site: Path) -> None:
    text = words(site, PDF)
    assert DIGEST in text
    assert "123 kB" in text


def test_the_page_of_a_file_is_short(site: Path) -> None:
    file = page(site, PDF)
    assert file.findtext(".//h1") == "parlamento.it, PDF 1.7"
    forms = [each.text for each in file.iterfind(".//section[@class='use']//summary")]
    assert forms == ["Citazione", "Collegamento permanente"]
    assert len(page(site, SECOND).findall(".//section[@class='use']//summary")) > len(forms)


def test_the_page_of_a_version_names_other_languages(site: Path) -> None:
    links = {
        each.text_content(): each.get("href")
        for each in page(site, FIRST).xpath("//nav[@class='languages']//a")
    }
    assert links["Deutsch"].endswith("de/index.html")
    assert page(site, GERMAN).get("lang") == "de"


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        (f"{ACT}@originale:it", "Non più in vigore dal 1° marzo 2005."),
        (
            f"{ACT}@2030-01-01:it",
            "Non ancora in vigore; entra in vigore il 1° gennaio 2030 (data della modifica).",
        ),
        (HOSTILE, "L’editore ha ritirato questo nome il 1° gennaio 2021."),
        (SWISS_FRENCH, "Dies ist ein anderer Name für:"),
        (
            "urn:lex:us:congress:bill:107;hr.3162@enrolled:en",
            "It is not known when this version is in force.",
        ),
    ],
)
def test_what_must_be_known_first(site: Path, text: str, notice: str) -> None:
    assert notice in words(site, text)


def test_what_belongs_together_is_linked(site: Path) -> None:
    trail = [each.text_content() for each in page(site, PDF).xpath("//ol[@class='crumbs']//a")]
    assert trail[:4] == ["Inizio", "Italia", "Stato", "Legge"]
    assert trail[4] == "Norme sulla tutela delle acque"
    assert len(trail) == 6
    # A page whose heading is a title does not repeat it in the trail.
    crumbs = page(site, SECOND).xpath("//ol[@class='crumbs']//a")
    assert [each.text_content() for each in crumbs] == [
        *trail[:4],
        "Legge 21 settembre 2003, n. 456",
    ]


def test_a_banner_leads_to_the_version_in_force(site: Path) -> None:
    (notice,) = page(site, f"{ACT}@originale:it").xpath("//div[contains(@class, 'notice')]")
    links = {each.text: each.get("href") for each in notice.findall(".//a")}
    assert links.keys() == {"Vai alla versione in vigore", "successiva"}
    assert "old" in notice.get("class")


def test_a_part_of_an_old_version_leads_to_the_version_in_force() -> None:
    rows = [
        Record(name=name(f"{ACT}@originale:it"), in_force_from=dt.date(2003, 10, 1)),
        Record(name=name(f"{ACT}@originale:it~art1")),
        Record(name=name(f"{ACT}@2005-01-01:it"), in_force_from=dt.date(2005, 3, 1)),
    ]
    text = describe(rows, name(f"{ACT}@originale:it~art1"), "html", base=BASE, language="en")
    (notice,) = html.fromstring(text).xpath("//div[contains(@class, 'notice')]")
    assert "No longer in force since 1 March 2005." in notice.text_content()
    assert [each.text for each in notice.findall(".//a")] == ["Go to the version in force"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"force": LegalForce.REPEALED, "force_on": dt.date(2010, 1, 1)},
            "Repealed since 1 January",
        ),
        ({"force": LegalForce.PARTLY_IN_FORCE}, "Partly in force."),
        ({"in_force_from": dt.date(2003, 10, 1)}, "In force since 1 October 2003."),
        ({"in_force_until": dt.date(2010, 1, 1)}, "Not in force since 1 January 2010."),
        (
            {"in_force_from": dt.date(2900, 1, 1)},
            "Not yet in force; enters into force on 1 January 2900.",
        ),
        ({}, None),
    ],
)
def test_an_act_without_versions_states_its_force(
    given: dict[str, Any], sentence: str | None
) -> None:
    text = describe([Record(name=name(ACT), **given)], name(ACT), "html", language="en")
    notices = html.fromstring(text).xpath("//div[contains(@class, 'notice')]")
    assert bool(notices) is (sentence is not None)
    assert sentence is None or sentence in notices[0].text_content()


def test_a_citation_has_one_dot_between_its_parts() -> None:
    title = LanguageText(value="Rue de Vaugirard, à Paris 15e.", language="fr")
    text = describe([Record(name=name(ACT), titles=(title,))], name(ACT), "html", language="en")
    citations = [each.text for each in html.fromstring(text).xpath("//details/pre")]
    assert sum("15e. Legge of" in each for each in citations if each) == 1


L_456 = "L. n. 456/2003"
OF_2005 = " (version of 1 January 2005, 1 March 2005, in Italian)"
CITATIONS: dict[str, tuple[str, dict[str, str], str]] = {
    "act": (ACT, {ACT: L_456}, L_456),
    "part": (f"{ACT}~art3", {ACT: L_456}, f"{L_456}, Article 3"),
    "version": (SECOND, {ACT: L_456}, f"{L_456}{OF_2005}"),
    "version with its own": (SECOND, {ACT: L_456, SECOND: f"{L_456} (n.F.)"}, f"{L_456} (n.F.)"),
    "version alone": (ACT, {SECOND: L_456}, "Legge of 21 September 2003, No. 456"),
    "markup and controls": (ACT, {ACT: "<b>L.</b>\x07 &amp;"}, "<b>L.</b>\\u0007 &amp;"),
}


@pytest.mark.parametrize("case", CITATIONS)
def test_a_name_is_cited_as_its_publisher_writes_it(case: str) -> None:
    text, stated, expected = CITATIONS[case]
    titles = (LanguageText(value="Acque", language="it"),)
    rows = [
        Record(name=name(each), titles=titles, cited_as=stated.get(each))
        for each in (ACT, SECOND, f"{ACT}~art3")
    ]
    tree = html.fromstring(describe(rows, name(text), "html", base=BASE, language="en"))
    (label,) = tree.xpath("//h1/following-sibling::p[@class='label'][1]")
    citation = tree.xpath("//details/pre")[0].text
    assert label.text_content() == expected
    assert citation.startswith(f"Acque. {expected}. {text}. {BASE}/")


def test_links_in_a_family_have_the_citation_of_its_act() -> None:
    rows = [Record(name=name(ACT), cited_as=L_456), Record(name=name(f"{ACT}~art3"))]
    text = describe(rows, name(f"{ACT}~art3"), "html", base=BASE, language="en")
    crumbs = html.fromstring(text).xpath("//ol[@class='crumbs']//text()")
    assert L_456 in [each.strip() for each in crumbs]


def timeline(rows: list[Record], day: str) -> list[str]:
    """Return the lines of the timeline of the act on a day, in English."""
    text = describe(rows, name(ACT), "html", base=BASE, as_of=day, language="en")
    lines = html.fromstring(text).xpath("//ol[@class='timeline']/li")
    return [" ".join(each.text_content().split()) for each in lines]


def test_a_timeline_has_words_for_gaps_and_ends() -> None:
    day = dt.date
    rows = [
        Record(name=name(ACT), in_force_from=day(2003, 10, 1)),
        Record(
            name=name(f"{ACT}@2005-01-01:it"),
            in_force_from=day(2005, 1, 1),
            in_force_until=day(2010, 1, 1),
        ),
        Record(name=name(f"{ACT}@2012-01-01:it"), in_force_from=day(2012, 1, 1)),
    ]
    before = [
        "From 1 January 2010 to 31 December 2011: no known version",
        "From 1 January 2005 to 31 December 2009",
        "From 1 October 2003 to 31 December 2004: no known version",
    ]
    last = "From 1 January 2012 (no known end)"
    assert timeline(rows, "2011-01-01") == [f"{last} Not yet in force", *before]
    assert timeline(rows, "2020-01-01") == [f"{last} In force", *before]
    rows[0] = Record(name=name(ACT), in_force_from=day(2003, 10, 1), in_force_until=day(2015, 1, 1))
    assert timeline(rows, "2020-01-01") == [
        "From 1 January 2015: no longer in force",
        "From 1 January 2012 to 31 December 2014",
        *before,
    ]


@pytest.mark.parametrize(
    ("text", "button", "note"),
    [
        (ACT, "Read the text in force", "parlamento.it, PDF 1.7, 9\u00a0B"),
        (f"{ACT}@2005-01-01:it", "Read this text", "parlamento.it, PDF 1.7, 9\u00a0B"),
        (f"{ACT}@2005-01-01:it~art1", "Read the whole text", "parlamento.it, PDF 1.7, 9\u00a0B"),
        (f"{ACT}~art1", "Read the whole text", "parlamento.it, PDF 1.7, 9\u00a0B"),
        (f"{ACT}@originale:it", "Go to portal.example", "web page; it may not contain the text"),
        (
            f"{ACT}@originale:it~art1",
            "Go to portal.example",
            "web page; it may not contain the text",
        ),
    ],
)
def test_a_button_states_whether_it_leads_to_the_text(text: str, button: str, note: str) -> None:
    file = Item(url="https://parlamento.it/456.pdf", bytes=9)
    rows = [
        Record(name=name(ACT), pages=("https://www.portal.example/456",)),
        Record(name=name(f"{ACT}@originale:it"), in_force_from=dt.date(2003, 10, 1)),
        Record(name=name(f"{ACT}@2005-01-01:it"), in_force_from=dt.date(2005, 3, 1)),
        Record(name=name(f"{ACT}@2005-01-01:it$parlamento.it:application-pdf;1.7"), items=(file,)),
        *(
            Record(name=name(f"{ACT}{each}~art1"))
            for each in ("", "@originale:it", "@2005-01-01:it")
        ),
    ]
    page = describe(rows, name(text), "html", base=BASE, language="en")
    (found,) = html.fromstring(page).xpath("//p[@class='read']")
    assert found.find("a").text == button
    assert found.find("small").text == note
    if "~" in text:
        (section,) = html.fromstring(page).xpath(
            "//aside/section[h2='This part in other versions']"
        )
        assert len(section.findall(".//a")) == 2


def test_a_copy_is_the_text_whatever_its_name_says() -> None:
    urls = ("https://www.law.example/files/one.pdf", "https://law.example/files/two.pdf")
    items = tuple(Item(url=each) for each in urls)
    record = Record(name=name(ACT), items=items, pages=("https://law.example/456",))
    page = describe([record], name(ACT), "html", base=BASE, language="en")
    (found,) = html.fromstring(page).xpath("//p[@class='read']")
    assert found.text_content() == "Read the text law.example, one.pdf · law.example two.pdf"


def test_an_alias_and_a_withdrawn_name_say_what_they_are() -> None:
    rows = [
        Record(name=name(ACT), titles=(LanguageText(value="Acque", language="it"),)),
        Record(name=name(f"{ACT}9"), alias_of=name(ACT)),
        Record(name=name(f"{ACT}8"), alias_of=name(ACT), status=Status.WITHDRAWN),
        Record(name=name(f"{ACT}@2005-01-01")),
    ]
    for text, kind, sentence in (
        (f"{ACT}9", "Another name · Act · Italy", "This is another name of:"),
        (
            f"{ACT}8",
            "Name no longer used · Act · Italy",
            (
                "This name is no longer in the publisher’s list of names in use. "
                "This says nothing about whether the act is in force. Use this name:"
            ),
        ),
    ):
        page = html.fromstring(describe(rows, name(text), "html", base=BASE, language="en"))
        assert page.find(".//p[@class='kind']").text == kind
        notice, *_ = page.xpath("//div[contains(@class, 'notice')]")
        words = " ".join(" ".join(notice.itertext()).split())
        assert words == f"{sentence} Acque {ACT}"
        assert not page.xpath("//section[@class='use']")
        # The versions are on the page of the name that replaces a withdrawn one.
        assert bool(page.xpath("//ol[@class='timeline']")) == (text == f"{ACT}9")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Das sagt nichts darüber aus, ob der Rechtsakt in Kraft ist."),
        ("en", "This says nothing about whether the act is in force."),
        ("es", "Esto no indica si la norma está en vigor."),
        ("fr", "Cela n’indique pas si l’acte est en vigueur."),
        ("it", "Ciò non indica se l’atto è in vigore."),
        ("pt", "Isto não indica se o ato está em vigor."),
    ],
)
@pytest.mark.parametrize("day", [None, dt.date(2024, 5, 2)])
def test_a_withdrawn_name_says_nothing_about_force(
    language: str, sentence: str, day: dt.date | None
) -> None:
    row = Record(name=name(ACT), status=Status.WITHDRAWN, withdrawn_on=day)
    page = html.fromstring(describe([row], row.name, "html", base=BASE, language=language))
    (notice,) = page.find_class("notice")
    assert notice.text_content().strip().endswith(sentence)
    assert ("2024" in notice.text_content()) is (day is not None)


@pytest.mark.parametrize(
    ("iri", "text"),
    [
        (
            "http://publications.europa.eu/resource/authority/corporate-body/EP",
            "European Parliament",
        ),
        ("http://eurovoc.europa.eu/4040", "eurovoc.europa.eu/4040"),
        ("https://www.wikidata.org/entity/Q7755", "wikidata.org/entity/Q7755"),
        ("https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"),
        ("https://law.example", "law.example"),
    ],
)
def test_an_iri_has_a_label_or_a_short_form(iri: str, text: str) -> None:
    value = make_value(iri, "en")
    assert f"{value.text.value} {value.note}".strip() == text
    assert value.href == iri


def test_a_turtle_file_is_fetched_without_negotiation() -> None:
    page = describe(records(), name(ACT), "html", base=BASE)
    texts = [each.text_content() for each in html.fromstring(page).xpath("//pre")]
    assert f'curl -O "{BASE}/lex/it/stato/legge/2003-09-21;456/index.ttl"' in texts
    assert describe(records(), name(ACT), "bibtex", base=BASE) in texts


def test_titles_have_their_languages(site: Path) -> None:
    assert page(site, ACT).find(".//h1/bdi").get("lang") == "it"
    bdis = page(site, HOSTILE).xpath("//main/h1/bdi | //p[@class='title']/bdi")
    assert {(each.get("lang"), each.get("dir")) for each in bdis} == {("ar", "rtl"), (None, None)}


def test_nothing_in_a_page_runs_but_the_script_of_the_site(site: Path) -> None:
    for path in site.rglob("*.html"):
        document = html.fromstring(path.read_text(encoding="utf-8"))
        for script in document.findall(".//script"):
            assert script.get("type") == "application/ld+json" or not script.text
        for element in document.iter():
            assert not [key for key in element.keys() if key.startswith("on")]  # noqa: SIM118 - lxml's
            assert element.get("style") is None
            for key in ("href", "src"):
                assert urlsplit(element.get(key, "")).scheme in {"", "http", "https", "urn"}


def test_a_hostile_title_is_only_text(site: Path) -> None:
    document = page(site, HOSTILE)
    assert HOSTILE_TITLE in document.find("body").text_content()
    assert "javascript:alert(1)" in document.find("body").text_content()


def test_no_page_has_outside_parts() -> None:
    style = data.read_text("templates/style.css")
    assert "url(" not in style
    assert "@import" not in style


def test_the_templates_use_all_that_a_page_has() -> None:
    text = data.read_text("templates/page.html")
    values = {f"page.{each}" for each in vars(Page) if not each.startswith("_")}
    assert values <= set(re.findall(r"page\.\w+", text))


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://law.example/a?b=c#d", True),
        ("HTTP://LAW.EXAMPLE:8080/", True),
        ("https://law.example", True),
        ("https://gesetz.exämple/ä", True),
        ("https://law.example/%C3%A9;x=(1)", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        (" javascript:alert(1)", False),
        ("https://law.example/\njavascript:", False),
        ("data:text/html,x", False),
        ("vbscript:x", False),
        ("file:///etc/passwd", False),
        ("//law.example/x", False),
        ("https://", False),
        ("https:///x", False),
        ("https://law.example:99999/", False),
        ("https://law.example/a b", False),
        ("https://law.example/%zz", False),
        ("https://law.example/#a#b", False),
        ('https://law.example/"onclick="x', False),
        ("https://user@law.example/", False),
        ("", False),
    ],
)
def test_only_web_addresses_are_links(url: str, *, link: bool) -> None:
    assert check_link(url) == (url if link else None)


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("it", True),
        ("de-ch", True),
        ("zh-hant-tw", True),
        ("sl-rozaj", True),
        ("qaa", True),
        ("qb", False),  # shorter than the codes of the range qaa..qtz
        ("es-419", True),
        ("xx", False),
        ("de-yy", False),
        ("de-zzzz9", False),
        ("i-klingon", False),
        ("x-private", False),
        ("de-x-a", False),
        ("", False),
        (None, False),
    ],
)
def test_only_registered_languages_are_attributes(tag: str | None, *, known: bool) -> None:
    assert check_html_language(tag) == (tag if known else None)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (ACT, "Legge of 21 September 2003, No. 456"),
        (SECOND, "Version of 1 January 2005, 1 March 2005, in Italian"),
        (f"{ACT}@originale", "Original text"),
        (f"{ACT}@vigente;rettifica:de-ch", "Version vigente, rettifica, in German (de-ch)"),
        (PDF, "parlamento.it, PDF 1.7"),
        (
            f"{ACT}$senato.it:image-svg%2Bxml:figura.1:anonimo",
            "senato.it, image/svg+xml, figura 1, anonimo",
        ),
        (f"{ACT}~art3;par2", "Article 3, paragraph 2"),
        (f"{ACT}:allegato.a:tabella.1", "Tabella 1"),
    ],
)
def test_names_in_words(text: str, label: str) -> None:
    assert describe_level(name(text), "en") == label


def test_dots_within_numbers_stay() -> None:
    assert decode_part("ministero.finanze") == "ministero finanze"
    assert decode_part("185.273") == "185.273"
    assert decode_part("%D0%B4%D1%83.%D0%BC%D0%B0") == "ду ма"


def test_every_part_of_a_name_is_explained() -> None:
    text = (
        "urn:lex:br;sao.paulo:min.a;dir.b+min.c:decreto;x:2000-01-01,2000-01-02;1,2:allegato.a;y"
        "@2001-01-01;2001-02-02;rettifica:it$ed.it;db:application-pdf;1.7:testo;z:anon;w~art1;par2"
    )
    parts = describe_parts(name(text), "en")
    assert [part.kind for part in parts] == [
        "jurisdiction", "unit", "authority", "function", "authority", "measure", "date", "date",
        "number", "number", "annex", "version", "event", "event", "language", "editor", "format",
        "component", "feature", "partition", "partition",
    ]  # fmt: skip
    rest = text.removeprefix("urn:lex:")
    for part in parts:
        assert part.value in rest, part
        rest = rest[rest.index(part.value) + len(part.value) :]
    assert rest == ""


def test_the_versions_of_a_bill_have_their_titles() -> None:
    bill = "urn:lex:it:senato.repubblica:disegno.legge:14.legislatura;s.2544"
    title = LanguageText(value="Testo presentato dal Governo", language="it")
    rows = [
        Record(name=name(bill)),
        Record(name=name(f"{bill}@testo.presentato:it"), titles=(title,), version_order=1),
        Record(name=name(f"{bill}@approvato.senato.1:it"), version_order=2),
    ]
    page = html.fromstring(describe(rows, name(bill), "html", base=BASE, language="it"))
    entries = [each.text_content() for each in page.xpath("//ol[@class='timeline']/li/a")]
    assert entries == ["Versione approvato senato 1", "Testo presentato dal Governo"]
