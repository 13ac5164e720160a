"""Readers of other people find in a published site what its table states."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urljoin

import pytest
import rdflib
from lxml import etree, html
from site_pages import ACTS, NAMED, TOP, locate_page, make_url

if TYPE_CHECKING:
    from site_pages import ServedSite

MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
VNU = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"
ELI = "http://data.europa.eu/eli/ontology#"


def list_titles(row: dict[str, str]) -> set[str]:
    return {text for column, text in row.items() if column.startswith("title") and text}


def extract(site: ServedSite, kind: str) -> dict[str, Any]:
    """Return what extruct finds in a page."""
    pytest.importorskip("extruct", reason="PyPI extruct is missing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import extruct  # noqa: PLC0415 - its import warns

        found: dict[str, Any] = extruct.extract(
            site.read_page(kind),
            base_url=make_url(site, ACTS[kind]),
            syntaxes=["json-ld", "rdfa", "opengraph"],
        )
    return found


@pytest.mark.parametrize("kind", NAMED)
def test_signposting_finds_the_links_of_a_page(kind: str, site: ServedSite) -> None:
    pytest.importorskip("signposting", reason="PyPI signposting is missing")
    from signposting.htmllinks import find_signposting_html  # noqa: PLC0415 - optional
    from signposting.linkset import find_signposting_linkset  # noqa: PLC0415 - optional

    row, folder = site.rows[ACTS[kind]], make_url(site, ACTS[kind]).removesuffix("/index.html")
    head = find_signposting_html(f"{folder}/")
    (links,) = head.linksets
    whole = find_signposting_linkset(links.target).for_context(folder)
    for each in (head, whole):
        assert each.citeAs.target == site.make_uri(row["alias_of"] or row["urn"])
        kinds = {kind.target.rpartition("/")[2] for kind in each.types}
        assert kinds == {"AboutPage", "LegislationObject" if "$" in row["urn"] else "Legislation"}
        described = {metadata.type: metadata.target for metadata in each.describedBy}
        assert described["application/ld+json"] == f"{folder}/index.jsonld"
        assert f"{folder}/index.ttl" in {metadata.target for metadata in each.describedBy}
        assert {item.target for item in each.items} == set(row["url"].split())
        assert not row["license"] or each.license.target == row["license"]
    assert links.type == "application/linkset+json"


@pytest.mark.parametrize("kind", NAMED)
def test_extruct_reads_the_record_of_a_page(kind: str, site: ServedSite) -> None:
    row, page = site.rows[ACTS[kind]], make_url(site, ACTS[kind]).removesuffix("/index.html")
    found = extract(site, kind)
    (act,) = found["json-ld"]
    assert (act["legislationIdentifier"], act["url"]) == (row["urn"], page)
    titles = act.get("name", [])
    titles = titles if isinstance(titles, list) else [titles]
    texts = {each["@value"] if isinstance(each, dict) else each for each in titles}
    assert texts == list_titles(row)
    assert act.get("datePublished", "") == row["published"]
    uri = site.make_uri(row["urn"])
    (node,) = (each for each in found["rdfa"] if each["@id"] == uri)
    same = {each["@id"] for each in node.get("http://www.w3.org/2002/07/owl#sameAs", [])}
    local = {each["@value"] for each in node.get(f"{ELI}id_local", [])}
    assert row["urn"] in same | local


@pytest.mark.parametrize("kind", sorted(set(ACTS) - {"missing", "report"}))
def test_open_graph_agrees_with_the_page(kind: str, site: ServedSite) -> None:
    document = html.fromstring(site.read_page(kind))
    (graph,) = extract(site, kind)["opengraph"]
    properties = dict(graph["properties"])
    (heading,) = document.xpath("//h1")
    description = document.xpath("string(//meta[@name='description']/@content)")
    assert properties["og:title"].split() == heading.text_content().split()
    assert properties["og:description"] == description
    assert properties["og:type"] == ("article" if kind in NAMED else "website")


def test_feedparser_reads_the_feed(site: ServedSite) -> None:
    feedparser = pytest.importorskip("feedparser", reason="PyPI feedparser is missing")
    feed = feedparser.parse(f"{site.url}/feed.atom")
    assert not feed.bozo
    assert feed.version == "atom10"
    assert (feed.feed.title, feed.feed.author) == ("Laws of the example", "Laws of the example")
    assert len(feed.entries) > 50
    changed = [entry.updated for entry in feed.entries]
    assert changed == sorted(changed, reverse=True)
    assert feed.feed.updated == changed[0]
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)
    for entry in feed.entries:
        assert entry.id in site.rows
        assert entry.title in list_titles(site.rows[entry.id]) or not list_titles(
            site.rows[entry.id]
        )
        assert site.locate(entry.link) == site.folder / locate_page(entry.id)


def test_the_sitemap_lists_the_pages(site: ServedSite) -> None:
    usp = pytest.importorskip("usp.tree", reason="PyPI ultimate-sitemap-parser is missing")
    found = list(usp.sitemap_from_str((site.folder / "sitemap.xml").read_text()).all_pages())
    urls = [page.url for page in found]
    assert len(set(urls)) == len(urls)
    pages = {site.locate(url) for url in urls}
    canonical = {name for name, row in site.rows.items() if not row["alias_of"]}
    assert pages >= {site.folder / locate_page(name) for name in canonical}
    for page in found:
        assert site.locate(page.url).is_file(), page.url
    robots = (site.folder / "robots.txt").read_text()
    assert f"Sitemap: {site.url}/sitemap.xml" in robots.splitlines()


def test_every_link_leads_to_a_file_and_a_place(site: ServedSite) -> None:
    """Links of pages, of linksets and of the Turtle files, with their fragments."""
    anchors: dict[Path, set[str]] = {}
    links: Counter[str] = Counter()
    for path in site.folder.rglob("*.html"):
        document = html.fromstring(path.read_text("utf-8"))
        anchors[path] = set(document.xpath("//@id"))
        here = f"{site.url}/{path.relative_to(site.folder)}"
        for link in document.xpath("//a/@href | //link/@href | //script/@src"):
            links[urljoin(here, link)] += 1
    for path in site.folder.rglob("links.json"):
        for context in json.loads(path.read_text("utf-8"))["linkset"]:
            for targets in context.values():
                links.update(each["href"] for each in targets if isinstance(each, dict))
    ours = [link for link in links if link.startswith(f"{site.url}/")]
    assert len(ours) > 1_000
    for link in ours:
        url, fragment = urldefrag(link)
        path = site.locate(url)
        assert path.is_file(), link
        assert not fragment or path.suffix != ".html" or fragment in anchors[path], link


def test_each_page_is_reached_from_the_home_page(site: ServedSite) -> None:
    """No page without a link to it."""
    start = site.folder / "index.html"
    reached, waiting = {start}, [start]
    while waiting:
        path = waiting.pop()
        here = f"{site.url}/{path.relative_to(site.folder)}"
        for link in html.fromstring(path.read_text("utf-8")).xpath("//body//a/@href"):
            target = site.locate(urldefrag(urljoin(here, link))[0])
            if target.suffix == ".html" and target not in reached and target.is_file():
                reached.add(target)
                waiting.append(target)
    assert {*site.folder.rglob("*.html")} - reached == {site.folder / "404.html"}


@pytest.mark.skipif("LEXURN_DCAT_AP" not in os.environ, reason="LEXURN_DCAT_AP names no file")
def test_the_description_of_the_site_conforms_to_dcat_ap(site: ServedSite) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = rdflib.Graph().parse(os.environ["LEXURN_DCAT_AP"])
    described = rdflib.Graph().parse(site.folder / "catalogue.ttl")
    conforms, _, text = pyshacl.validate(described, shacl_graph=shapes)
    assert conforms, text
    kinds = {str(kind).rpartition("#")[2] for kind in described.objects(None, rdflib.RDF.type)}
    assert {"Catalog", "Dataset", "Distribution"} <= kinds


def test_the_nu_checker_finds_no_error(site: ServedSite) -> None:
    if shutil.which("java") is None or not VNU.is_file():
        pytest.skip(f"java or the Nu HTML checker is missing (looked for {VNU})")
    pages = [site.folder / locate_page(page) for page in ACTS.values()]
    run = subprocess.run(
        ["java", "-jar", VNU, "--format", "json", *pages], capture_output=True, check=False
    )
    found = json.loads(run.stderr)["messages"]
    assert [(each["url"], each["message"]) for each in found] == []


def test_xml_is_well_formed(site: ServedSite) -> None:
    files = (*site.folder.glob("*.xml"), *site.folder.glob("*.atom"))
    assert {"feed.atom", "sitemap.xml"} <= {path.name for path in files}
    for path in files:
        etree.parse(path)
