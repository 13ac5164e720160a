"""``catalogue.ttl`` and ``site.toml``: DCAT-AP, VoID, and what a publisher may state."""

from __future__ import annotations

import gzip
import os
import re
from collections import Counter
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from lxml import etree, html
from rdflib import DCAT, DCTERMS, FOAF, RDF, SH, VOID, XSD

from lexurn import publish
from lexurn.errors import PublishError
from lexurn.publishing import Site

BASE = "https://law.example"
ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
FILE = f"{BASE}/catalogue.ttl"
CATALOGUE, DATASET = rdflib.URIRef(f"{FILE}#catalogue"), rdflib.URIRef(f"{FILE}#dataset")
VCARD = rdflib.Namespace("http://www.w3.org/2006/vcard/ns#")
LEXO = "https://w3id.org/lexurn/ns#"
FULL = """\
language = "it"
license = "https://creativecommons.org/publicdomain/zero/1.0/"
contact = "law+data@example.org"

[title]
it = "Leggi d'esempio"
en = "Laws of <Example>"

[description]
it = "Le leggi, versione per versione."

[publisher]
name = "Parliament & Senate"
iri = "https://parliament.example/"
"""


def build(out: Path, site: Site | Path | None = None, table: Path = ACTS) -> Path:
    report = publish(
        table, out, base=BASE, as_of="2026-01-01", check=lambda _: (), workers=1, site=site
    )
    assert report.published
    return out


def write_table(folder: Path) -> Path:
    """Write a table of one act."""
    table = folder / "acts.csv"
    table.write_text("urn\nurn:lex:it:stato:legge:2003-09-21;456\n")
    return table


def read(folder: Path) -> rdflib.Graph:
    return rdflib.Graph().parse(folder / "catalogue.ttl")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("plain") / "site")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    (folder / "site.toml").write_text(FULL, "utf-8")
    return build(folder / "site", folder / "site.toml")


def test_statements_are_counted(plain: Path) -> None:
    check_counts(plain)


def check_counts(folder: Path) -> None:
    graph = read(folder)
    lines = set(gzip.decompress((folder / "catalogue.nq.gz").read_bytes()).decode().splitlines())
    triples = {line.rpartition(" <")[0] for line in lines}
    assert graph.value(DATASET, VOID.triples).value == len(triples)
    classes = Counter(re.findall(r"#type> <(\S+)>", "\n".join(triples)))
    for part in graph.objects(DATASET, VOID.classPartition):
        class_ = str(graph.value(part, VOID["class"]))
        assert graph.value(part, VOID.entities).value == classes[class_], class_
    parts = {
        str(graph.value(part, VOID["class"]))
        for part in graph.objects(DATASET, VOID.classPartition)
    }
    assert {each for each in classes if each.startswith(LEXO)} <= parts
    names = {line.split()[0] for line in triples if line.startswith("<urn:lex:")}
    names = {each for each in names if "#record" not in each}
    assert graph.value(DATASET, VOID.entities).value == len(names)


def test_a_copy_of_two_acts_is_counted_once(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    urns = [
        f"urn:lex:it:stato:legge:2001-01-01;{number}@originale;it$ed:text-html" for number in (1, 2)
    ]
    table.write_text("urn,url,bytes\n" + "".join(f"{urn},https://a.example/x,12\n" for urn in urns))
    folder = build(tmp_path / "site", table=table)
    check_counts(folder)
    graph = read(folder)
    counts = {
        str(graph.value(part, VOID["class"])): graph.value(part, VOID.entities).value
        for part in graph.objects(DATASET, VOID.classPartition)
    }
    assert counts[f"{LEXO}Item"] == 1
    assert counts[f"{LEXO}Manifestation"] == 2


def test_a_base_may_end_in_a_slash(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(write_table(tmp_path), folder, base=f"{BASE}/", check=lambda _: ())
    check_counts(folder)


def test_the_dump_is_described(plain: Path) -> None:
    graph, dump = read(plain), rdflib.URIRef(f"{FILE}#quads")
    file = plain / "catalogue.nq.gz"
    assert (DATASET, DCAT.distribution, dump) in graph
    assert (DATASET, VOID.dataDump, rdflib.URIRef(f"{BASE}/catalogue.nq.gz")) in graph
    assert graph.value(dump, DCAT.byteSize).value == file.stat().st_size
    media = "https://www.iana.org/assignments/media-types/application"
    assert graph.value(dump, DCAT.mediaType) == rdflib.URIRef(f"{media}/n-quads")
    assert graph.value(dump, DCAT.compressFormat) == rdflib.URIRef(f"{media}/gzip")


def test_no_time_of_the_run_is_in_it(plain: Path) -> None:
    modified = read(plain).value(CATALOGUE, DCTERMS.modified)
    assert modified == rdflib.Literal("2025-03-22", datatype=XSD.date)
    assert "2026" not in (plain / "catalogue.ttl").read_text("utf-8")


def test_the_example_queries_have_answers(plain: Path) -> None:
    graph, store = read(plain), pyoxigraph.Store()
    quads = gzip.decompress((plain / "catalogue.nq.gz").read_bytes())
    store.load(quads, format=pyoxigraph.RdfFormat.N_QUADS)
    queries = list(graph.subjects(RDF.type, SH.SPARQLSelectExecutable))
    assert len(queries) == 3
    for query in queries:
        assert (DATASET, DCTERMS.relation, query) in graph
        text = str(graph.value(query, SH.select))
        assert list(store.query(text, use_default_graph_as_union=True)), query


def test_without_statements_base_and_counts_are_used(plain: Path) -> None:
    graph = read(plain)
    assert str(graph.value(CATALOGUE, DCTERMS.title)) == "law.example"
    assert "24 jurisdictions: 99 acts, versions" in str(graph.value(CATALOGUE, DCTERMS.description))
    assert graph.value(CATALOGUE, DCTERMS.publisher) is None


def test_the_report_names_what_is_missing(tmp_path: Path) -> None:
    stated = Site(publisher="Parliament", title={"en": "Laws"})
    for site, missing in (
        (None, ("title", "description", "publisher", "license", "contact")),
        (stated, ("description", "license", "contact")),
    ):
        report = publish(
            write_table(tmp_path), tmp_path / "site", base=BASE, check=lambda _: (), site=site
        )
        assert report.missing_keys == missing


def test_statements_are_in_the_description(full: Path) -> None:
    graph = read(full)
    publisher = rdflib.URIRef("https://parliament.example/")
    for node in (CATALOGUE, DATASET):
        assert set(graph.objects(node, DCTERMS.title)) == {
            rdflib.Literal("Leggi d'esempio", lang="it"),
            rdflib.Literal("Laws of <Example>", lang="en"),
        }
        assert graph.value(node, DCTERMS.publisher) == publisher
        licence = rdflib.URIRef("https://creativecommons.org/publicdomain/zero/1.0/")
        assert graph.value(node, DCTERMS.license) == licence
    assert str(graph.value(publisher, FOAF.name)) == "Parliament & Senate"
    contact = graph.value(DATASET, DCAT.contactPoint)
    assert str(graph.value(contact, VCARD.hasEmail)) == "mailto:law%2Bdata@example.org"
    assert str(graph.value(CATALOGUE, DCTERMS.language)).endswith("/ITA")


def test_pages_have_the_title_in_their_language(full: Path) -> None:
    for path, language, title in (
        ("index.html", None, "Leggi d'esempio"),
        ("lex/it/index.html", None, "Leggi d'esempio"),
        ("lex/us/index.html", None, "Laws of <Example>"),
        ("lex/de/index.html", "it", "Leggi d'esempio"),
    ):
        page = html.parse(full / path).getroot()
        brand = page.xpath("//a[@class='brand']")[0]
        assert brand.text_content() == title, path
        assert brand.xpath("string(.//@lang)") == (language or ""), path
        assert title in page.findtext(".//title"), path
    home = html.parse(full / "index.html").getroot()
    assert home.get("lang") == "it"
    assert home.findtext(".//h1") == "Leggi d'esempio"
    assert "Le leggi, versione per versione." in home.text_content()
    feed = etree.parse(full / "feed.atom").getroot()
    assert feed.findtext("{http://www.w3.org/2005/Atom}title") == "Leggi d'esempio"


def test_the_page_on_the_data_names_publisher_and_licence(full: Path) -> None:
    page = html.parse(full / "about.html").getroot()
    links = {each.text_content(): each.get("href") for each in page.xpath("//dl//a")}
    assert links == {
        "Parliament & Senate": "https://parliament.example/",
        "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    }


def test_each_page_leads_to_the_description(full: Path) -> None:
    for path, href in (
        ("index.html", "catalogue.ttl"),
        ("lex/it/index.html", "../../catalogue.ttl"),
    ):
        links = html.parse(full / path).getroot().xpath("//footer//a/@href")
        assert href in links


# --- site.toml ------------------------------------------------------------------------

FAULTS = [
    ('titel = "Laws"', 'site.toml:1: "titel" is not a key of a site file; did you mean title?'),
    ("\n[colour]\n", 'site.toml:2: "colour" is not a key of a site file; use one of title,'),
    (
        'title = "Laws"',
        "site.toml:1: title: it has a text for each language; write a table: [title]",
    ),
    ("[title]\nen = 1", "site.toml:2: title.en: it must be one line of text in quotes"),
    ('[title]\nen = " "', "site.toml:2: title.en: it must be one line of text in quotes"),
    ('[title]\nen = "a\\u0001"', "site.toml:2: title.en: it must be one line of text"),
    ('[title]\n"EN " = "a"', "title.EN : 'EN ' is not a language tag in lower case, such as en"),
    ('[description]\nen = "a\\nb"', "site.toml:2: description.en: it must be one line"),
    ("license = 4", "site.toml:1: license: it must be one line of text in quotes"),
    ('\nlicense = "CC0"', "site.toml:2: license: 'CC0' is not an absolute IRI; write one such as"),
    ('license = "https://a b/"', "license: 'https://a b/' is not an absolute IRI"),
    ('license = "javascript:alert(1)"', "is not an absolute IRI"),
    ('contact = "someone"', "site.toml:1: contact: 'someone' is neither an e-mail address nor an"),
    ('language = "la"', "'la' is not a language of pages; use one of de, en, es, fr, it, pt"),
    ('publisher = "Parliament"', "site.toml:1: write a table: [publisher], name ="),
    ('[publisher]\nnick = "P"', "site.toml:1: write a table: [publisher], name ="),
    ("[publisher]\nname = []", "site.toml:2: publisher.name: it must be one line of text"),
    (
        '[publisher]\nname = "P"\niri = "P"',
        "site.toml:3: publisher.iri: 'P' is not an absolute IRI",
    ),
    (
        '[publisher]\niri = "https://p.example/"',
        "site.toml:1: publisher.name: the publisher needs a",
    ),
    ("title", "site.toml: not TOML"),
    ("\xff", "site.toml: not UTF-8 at byte 0"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_a_fault_is_explained(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_bytes(text.encode("latin-1" if text == "\xff" else "utf-8"))
    with pytest.raises(PublishError, match=re.escape(message)):
        build(tmp_path / "site", file)
    assert not (tmp_path / "site").exists()


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="the site file cannot be read"):
        build(tmp_path / "site", tmp_path / "none.toml")


@pytest.mark.parametrize(
    "values",
    [
        {"license": "CC0"},
        {"title": "Laws"},
        {"language": "la"},
        {"publisher_iri": "https://p.example/"},
    ],
)
def test_a_fault_in_python_is_an_error(values: dict[str, str]) -> None:
    with pytest.raises(PublishError, match="Site: "):
        Site(**values)


# --- DCAT-AP --------------------------------------------------------------------------


@pytest.mark.skipif("LEXURN_DCAT_AP" not in os.environ, reason="LEXURN_DCAT_AP names no file")
def test_the_description_conforms_to_dcat_ap(full: Path, tmp_path: Path) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = rdflib.Graph().parse(os.environ["LEXURN_DCAT_AP"])
    stated = Site(publisher="P", contact="https://p.example/contact")
    by_name = build(tmp_path / "site", stated, write_table(tmp_path))
    for folder in (full, by_name):
        conforms, _, text = pyshacl.validate(read(folder), shacl_graph=shapes)
        assert conforms, text
