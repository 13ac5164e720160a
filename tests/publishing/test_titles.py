"""Titles that are long, hostile or in other directions, through `publish`, to every reader."""

from __future__ import annotations

import csv
import gzip
import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import urljoin

import pyoxigraph
import pytest
import rdflib
from lxml import etree, html

from lexurn import parse, publish
from lexurn.name import http_path
from lexurn.pages import locate_folder

TOP = Path(__file__).parents[2]
CASES = {
    case["id"]: (case["language"], (case["text"] * case.get("times", 1)).strip())
    for case in tomllib.loads((TOP / "tests/cases/titles.toml").read_text("utf-8"))["title"]
}
PLAIN = "urn:lex:it:stato:legge:2003-09-21;1"
NAMES = {case: f"urn:lex:it:stato:legge:2003-09-21;{place}" for place, case in enumerate(CASES, 2)}
BASE = "https://law.example"
ATOM = "{http://www.w3.org/2005/Atom}"
MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
VNU = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("titles") / "acts.csv"
    languages = sorted({language for language, _ in CASES.values()})
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["urn", "issued", *(f"title@{language}" for language in languages)])
        rows.writerow([PLAIN, "2003-09-21", *("Legge" for _ in languages)])
        for case, (language, text) in CASES.items():
            cells = [text if language == each else "" for each in languages]
            rows.writerow([NAMES[case], "2003-09-21", *cells])
            rows.writerow([f"{NAMES[case]}@original:it", "", *cells])
    return path


@pytest.fixture(scope="module")
def site(table: Path) -> Path:
    out = table.with_name("site")
    report = publish(table, out, base=BASE, as_of="2026-01-01", workers=1)
    assert report.published
    assert report.rejected == 0
    return out


def read(site: Path, name: str) -> html.HtmlElement:
    path = site.joinpath(*locate_folder(parse(name)), "index.html")
    return html.fromstring(path.read_text("utf-8"))


def squeeze(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES)
def test_a_title_is_the_text_of_its_pages_and_nothing_else(case: str, site: Path) -> None:
    title, name = CASES[case][1], NAMES[case]
    scripts = len(read(site, PLAIN).xpath("//script"))
    for each in (name, f"{name}@original:it"):
        page = read(site, each)
        (heading,) = page.xpath("//h1")
        assert squeeze(heading.text_content()) == squeeze(title)
        assert len(page.xpath("//script")) == scripts
        assert not page.xpath("//@onerror | //@onload | //@onmouseover | //@onfocus | //img")
        (data,) = page.xpath("//script[@type='application/ld+json']/text()")
        assert squeeze(json.loads(data)["name"]["@value"]) == squeeze(title)
        stated = page.xpath("string(//meta[@name='DC.title']/@content)")
        assert squeeze(stated) == squeeze(title)
        assert page.xpath("string(//h1//bdi/@lang)") == CASES[case][0]


@pytest.mark.parametrize("case", CASES)
def test_a_title_is_in_every_graph(case: str, site: Path) -> None:
    language, title = CASES[case]
    folder = site.joinpath(*locate_folder(parse(NAMES[case])))
    expected = rdflib.Literal(title, lang=language)
    graph = rdflib.Graph().parse(folder / "index.ttl")
    assert (rdflib.URIRef(NAMES[case]), rdflib.DCTERMS.title, expected) in graph
    context = json.loads((site / "context.jsonld").read_text("utf-8"))["@context"]
    data = json.loads((folder / "index.jsonld").read_text("utf-8"))
    nquads = pyoxigraph.parse(
        json.dumps({**data, "@context": context}), format=pyoxigraph.RdfFormat.JSON_LD
    )
    titles = [each.object for each in nquads if each.predicate.value == str(rdflib.DCTERMS.title)]
    assert pyoxigraph.Literal(title, language=language) in titles
    json.loads((folder / "links.json").read_text("utf-8"))


def test_titles_are_in_feed_lists_and_catalogue(site: Path) -> None:
    feed = etree.parse(site / "feed.atom")
    found = {
        each.findtext(f"{ATOM}id"): each.findtext(f"{ATOM}title")
        for each in feed.iter(f"{ATOM}entry")
    }
    here = "lex/it/stato/legge/index.html"
    listed = {
        urljoin(f"{BASE}/{here}", link.get("href")).removesuffix("/index.html"): link.text_content()
        for link in html.fromstring((site / here).read_text("utf-8")).xpath("//a[@href]")
    }
    quads = gzip.decompress((site / "catalogue.nq.gz").read_bytes())
    titles = {
        (each.subject.value, each.object)
        for each in pyoxigraph.parse(quads, format=pyoxigraph.RdfFormat.N_QUADS)
        if each.predicate.value == str(rdflib.DCTERMS.title)
    }
    for case, (language, title) in CASES.items():
        shown = title if len(title) <= 300 else f"{title[:300].rstrip()}…"
        assert squeeze(str(found[NAMES[case]])) == squeeze(shown)
        assert squeeze(listed[BASE + http_path(parse(NAMES[case]))]) == squeeze(shown)
        assert (NAMES[case], pyoxigraph.Literal(title, language=language)) in titles


def test_a_second_run_writes_nothing(table: Path, site: Path) -> None:
    assert publish(table, site, base=BASE, as_of="2026-01-01", workers=1).written == 0


def test_the_nu_checker_finds_no_error(site: Path) -> None:
    if shutil.which("java") is None or not VNU.is_file():
        pytest.skip(f"java or the Nu HTML checker is missing (looked for {VNU})")
    pages = [
        path for path in site.rglob("*.html") if path.parent.name not in {"ontology", "shapes"}
    ]
    command = ["java", "-jar", VNU, "--errors-only", "--format", "json", *pages]
    run = subprocess.run(command, capture_output=True, check=False)
    found = json.loads(run.stderr)["messages"]
    assert [(each["url"], each["message"]) for each in found] == []
