"""Pages for people: valid, complete, with links that work, and nothing in them that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

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
    PARTITION,
    PDF,
    SECOND,
    SWISS,
    SWISS_FRENCH,
    name,
    records,
)
from lxml import html
from publish_run import fault, sound

from lexurn import data
from lexurn.model import families_of
from lexurn.pages import describe
from lexurn.pages.page import Page
from lexurn.pages.paths import locate_folder
from lexurn.pages.words import (
    check_html_language,
    check_link,
    decode_part,
    explain_name,
    label_name,
)
from lexurn.publishing import publish
from lexurn.publishing.publication import render_report

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
    (tmp_path / "report.html").write_text(
        render_report([found] * 3, counts={"Violation": 3}, nodes=3), encoding="utf-8"
    )
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
    for path in (site / "lex").rglob("index.html"):
        document = html.fromstring(path.read_text(encoding="utf-8"))
        (url,) = document.xpath("//link[@rel='self']/@href")
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
        target = urljoin(served, link.get("href"))
        if target.startswith(BASE):
            assert (site / unquote(target.removeprefix(f"{BASE}/"))).is_file()


def test_every_page_has_what_every_page_needs(site: Path) -> None:
    for path in site.rglob("index.html"):
        content = path.read_text(encoding="utf-8")
        document = html.fromstring(content)
        assert content.startswith("<!DOCTYPE html>\n")
        assert document.get("lang") == "en"
        assert len(document.findall(".//h1")) == len(document.findall(".//main")) == 1
        assert document.find(".//title").text
        assert document.find(".//meta[@name='viewport']") is not None
        assert all(cell.get("scope") for cell in document.findall(".//th"))
        assert document.findall(".//*[@src]") == []
        assert document.findall(".//link[@rel='stylesheet']") == []


def test_the_page_of_a_work_is_complete(site: Path) -> None:
    text = words(site, ACT)
    for each in (
        "Norme sulla tutela delle acque",
        "Gewässerschutz",
        ACT,
        f"{BASE}/lex/it/stato/legge/2003-09-21;456",
        "Issued 21 September 2003",
        "Published 1 October 2003",
        "In force from 16 October 2003",
        "Record modified 5 May 2024",
        "Ufficio pubblicazioni",
        "https://publisher.example/office",
        "Parlamento",
        "acque",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "https://portal.example/acts/456",
        "urn:lex:it:stato:legge:2005-01-01;1",
        "urn:lex:at:bund:gesetz:2003-09-21;99",
        "In force since 1 March 2005 (event date): version of 1 January 2005, as of 1 March",
        "application/pdf from parlamento.it, 1.7",
        "Tabella dei corsi d'acqua",
        "Definizioni",
        "text/xml from senato.it",
        "9 bytes",
        "law of Italy",
    ):
        assert each in text, each


def test_the_page_of_a_version(site: Path) -> None:
    text = words(site, SECOND)
    assert "In force since 1 March 2005 (event date)." in text
    assert "31 December 2030" in text
    (row,) = page(site, SECOND).findall(".//tr[@class='here']")
    assert "this page" in row.text_content()
    assert "123,456 bytes" in text
    assert DIGEST in text


def test_the_page_of_a_version_names_other_languages(site: Path) -> None:
    links = {each.text_content() for each in page(site, FIRST).findall(".//section//a")}
    assert "Gesetz zum Schutz der Gewässer" in links or "original version, in German" in links
    assert GERMAN in words(site, FIRST)


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        (f"{ACT}@originale:it", "No longer in force since 1 March 2005."),
        (
            f"{ACT}@2030-01-01:it",
            "Not yet in force, from 1 January 2030 (amendment date).",
        ),
        (HOSTILE, "This name was withdrawn on 1 January 2021."),
        (SWISS_FRENCH, f"This is an alias of {SWISS}"),
        (
            "urn:lex:us:congress:bill:107;hr.3162@enrolled:en",
            "It is not known when this version is in force.",
        ),
    ],
)
def test_what_must_be_known_first(site: Path, text: str, notice: str) -> None:
    assert notice in words(site, text)


def test_what_belongs_together_is_linked(site: Path) -> None:
    trail = [each.text_content() for each in page(site, PDF).findall(".//nav//a")]
    assert trail[0] == "Norme sulla tutela delle acque"
    assert len(trail) == 2
    assert [each.text_content() for each in page(site, PARTITION).findall(".//nav//a")] == trail[:1]


def test_titles_have_their_languages(site: Path) -> None:
    assert page(site, ACT).find(".//h1/bdi").get("lang") == "it"
    bdis = page(site, HOSTILE).findall(".//header//bdi[@lang]")
    assert {each.get("lang") for each in bdis} == {"ar", ""}


def test_nothing_in_a_page_runs(site: Path) -> None:
    for path in site.rglob("*.html"):
        document = html.fromstring(path.read_text(encoding="utf-8"))
        kinds = [each.get("type") for each in document.findall(".//script")]
        assert kinds in ([], ["application/ld+json"])
        for element in document.iter():
            assert not [key for key in element.keys() if key.startswith("on")]  # noqa: SIM118 - lxml's
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
    assert {f"page.{field.name}" for field in fields(Page)} == set(re.findall(r"page\.\w+", text))


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
        (ACT, "legge of 21 September 2003, no. 456"),
        (SECOND, "version of 1 January 2005, as of 1 March 2005, in Italian"),
        (f"{ACT}@originale", "original version"),
        (f"{ACT}@vigente;rettifica:de-ch", "version vigente, rettifica, in German (de-ch)"),
        (PDF, "application/pdf from parlamento.it, 1.7"),
        (f"{ACT}$senato.it:image-svg%2Bxml:figura.1:anonimo", None),
        (PARTITION, "art3"),
        (f"{ACT}~art3;par2", "art3, par2"),
        (f"{ACT}:allegato.a:tabella.1", "tabella 1"),
        ("urn:lex:it:stato:legge:2000-01-01;lex-5", "legge of 1 January 2000, unnumbered (lex-5)"),
        ("urn:lex:br:senado:projeto:57.legislatura;1,2", "projeto of 57 legislatura, no. 1, 2"),
        (
            "urn:lex:il:knesset:chok:1999-09-02|21-elul.5759;3",
            "chok of 2 September 1999 (21-elul 5759), no. 3",
        ),
        ("urn:lex:it:s:l:0000-01-01;1", "l of 0000-01-01, no. 1"),
    ],
)
def test_names_in_words(text: str, label: str | None) -> None:
    expected = label or "image/svg+xml from senato.it, figura 1, anonimo"
    assert label_name(name(text)) == expected


def test_dots_within_numbers_stay() -> None:
    assert decode_part("ministero.finanze") == "ministero finanze"
    assert decode_part("185.273") == "185.273"
    assert decode_part("%D0%B4%D1%83.%D0%BC%D0%B0") == "ду ма"


def test_every_part_of_a_name_is_explained() -> None:
    text = (
        "urn:lex:br;sao.paulo:min.a;dir.b+min.c:decreto;x:2000-01-01,2000-01-02;1,2:allegato.a;y"
        "@2001-01-01;2001-02-02;rettifica:it$ed.it;db:application-pdf;1.7:testo;z:anon;w~art1;par2"
    )
    parts = explain_name(name(text))
    assert [part.label for part in parts] == [
        "Jurisdiction", "Jurisdiction unit", "Authority", "Body or function", "Authority",
        "Measure", "Specification", "Date", "Date", "Number", "Number", "Annex", "Specification",
        "Amendment date", "Event date", "Event", "Language", "Publisher", "Specification",
        "Format", "Specification", "Component", "Specification", "Feature", "Specification",
        "Partition",
    ]  # fmt: skip
    rest = text.removeprefix("urn:lex:")
    for part in parts:
        assert part.value in rest, part
        rest = rest[rest.index(part.value) + len(part.value) :]
    assert rest == ""


def test_a_report_shows_violations_first_and_not_without_end() -> None:
    warnings = [fault("Warning", "<a:b>", str(n)) for n in range(3_000)]
    worst = fault("Violation", "<a:b>", "worst", path="<c:d>")
    counts = {"Violation": 1, "Warning": 3_000}
    document = html.fromstring(render_report([*warnings, worst], counts=counts, nodes=9))
    rows = document.findall(".//tbody/tr")
    assert "worst" in rows[0].text_content()
    assert len(rows) == 2_000
    assert "1001 more" in document.text_content()
    assert "No findings." in render_report([], counts={}, nodes=0)
