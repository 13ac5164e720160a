"""Situations of acts and versions: each surface states what the table states.

The table is ``cases/situations.toml``. All its acts stand in one manifest, which is published and
loaded once. Each surface is read back by a reader that is not lexurn's.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import pyoxigraph
import pytest
import rdflib
from eli_ontology import ELI, Ontology, find_faults, read_pages
from lxml import html
from situations import AS_OF, BASE, Situation, Version, load_situations, write_manifest

from lexurn import open_manifest, publish, resolve
from lexurn.catalogue import Catalogue, LoadOptions, load, open_catalogue
from lexurn.name import http_of, parse
from lexurn.pages import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Triples = set[tuple[str, str, str]]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

LEXO = "https://w3id.org/lexurn/ns#"
IANA = "http://www.iana.org/assignments/relation/"
DCAT = "http://www.w3.org/ns/dcat#"
SITUATIONS = load_situations()
BASES = {
    "stated": "BasisStated",
    "event date": "BasisEventDate",
    "amendment date": "BasisAmendmentDate",
    "act date": "BasisActDate",
    "published": "BasisPublished",
    "next version": "BasisNextVersion",
}
SOURCES = {
    "stated": "stated day",
    "event date": "event date",
    "amendment date": "amendment date",
    "act date": "date of the act",
    "published": "day of publication",
}
_SENTENCES = "//div[starts-with(@class, 'notice')]/p[not(@class)]"
LINKS = ("first", "last", "previous", "next", "current")


class Fact(NamedTuple):
    """Value that a surface has for a name, and the value that the table has."""

    situation: Situation
    name: str
    what: str
    expected: object
    found: object


@dataclass(frozen=True)
class Site:
    """Published site with a catalogue of the same acts."""

    folder: Path
    catalogue: Catalogue
    pages: dict[str, html.HtmlElement]
    rdfa: rdflib.Graph


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("situations")
    manifest = folder / "acts.csv"
    manifest.write_text(write_manifest(SITUATIONS), "utf-8")
    out, day = folder / "site", dt.date.fromisoformat(AS_OF)
    report = publish(manifest, out, base=BASE, as_of=day, check=lambda _: (), workers=1)
    assert (report.published, report.rejected) == (True, 0)
    with open_catalogue(folder / "catalogue", write=True) as catalogue:
        with open_manifest(manifest) as opened:
            load(catalogue, opened.families(), LoadOptions(as_of=day, jobs=1))
        pages = {
            str(name): html.parse(str(out / unquote(_path(str(name))) / "index.html")).getroot()
            for situation in SITUATIONS
            for name in _names(situation)
        }
        yield Site(out, catalogue, pages, read_pages(out))


def _path(name: str) -> str:
    return http_of(parse(name), BASE).uri.removeprefix(f"{BASE}/")


def _url(name: str | None) -> str | None:
    return None if name is None else http_of(parse(name), BASE).uri


def _names(situation: Situation) -> list[str]:
    """List the names whose pages are read: works and versions."""
    names = [*situation.forces(), *(name for each in situation.versions for name in each.names)]
    return list(dict.fromkeys(names))


def _links(chain: list[Version], version: Version) -> dict[str, str | None]:
    """Return the relations of a version that follow from its chain in the table."""
    around = [None, *(each.name for each in chain), None]
    return {
        "first": chain[0].name if chain[0].is_original else None,
        "last": chain[-1].name,
        "previous": around[version.place - 1],
        "next": around[version.place + 1],
        "current": next((each.name for each in chain if each.is_current), None),
    }


def _as_of(chain: list[Version]) -> str | None:
    """Return the latest start or end of a span in a chain that is not after the day asked."""
    ends = [end[0] for each in chain for end in (each.start, each.until) if end is not None]
    return max((day for day in ends if day <= AS_OF), default=None)


# --- graphs ---------------------------------------------------------------------------


def _read_nquads(site: Site) -> Triples:
    data = gzip.decompress((site.folder / "catalogue.nq.gz").read_bytes())
    quads = pyoxigraph.parse(data, format=pyoxigraph.RdfFormat.N_QUADS)
    return {(each.subject.value, each.predicate.value, each.object.value) for each in quads}


def _read_turtle(site: Site) -> Triples:
    graph = rdflib.Graph()
    for name in site.pages:
        graph.parse(site.folder / unquote(_path(name)) / "index.ttl", format="turtle")
    return {(str(s), str(p), str(o)) for s, p, o in graph}


def _read_json_ld(site: Site) -> Triples:
    context = json.loads((site.folder / "context.jsonld").read_text("utf-8"))["@context"]
    nodes: list[Any] = []
    for name in site.pages:
        path = site.folder / unquote(_path(name)) / "index.jsonld"
        document = json.loads(path.read_text("utf-8"))
        stated = document.pop("@context")
        assert stated in (context, f"{BASE}/context.jsonld"), name
        nodes += document.get("@graph", [document])
    document = {"@context": context, "@graph": nodes}
    graph = rdflib.Graph().parse(data=json.dumps(document), format="json-ld")
    return {(str(s), str(p), str(o)) for s, p, o in graph}


def _check_graph(site: Site, read: Callable[[Site], Triples]) -> Iterator[Fact]:
    values: dict[tuple[str, str], set[str]] = {}
    for subject, term, value in read(site):
        values.setdefault((subject, term), set()).add(value)
    for situation in SITUATIONS:
        for version in situation.versions:
            for term, expected in _list_properties(situation, version):
                found = sorted(values.get((version.name, term), ()))
                yield Fact(situation, version.name, term, expected, found)
        chains: dict[str, list[Version]] = {}
        for (work, _), chain in situation.chains.items():
            chains.setdefault(work, []).extend(chain)
        for work, versions in chains.items():
            for term, names in (
                ("hasVersion", [each.name for each in versions]),
                ("hasCurrentVersion", [each.name for each in versions if each.is_current]),
            ):
                found = sorted(values.get((work, DCAT + term), ()))
                yield Fact(situation, work, term, sorted(names), found)


def _list_properties(situation: Situation, version: Version) -> Iterator[tuple[str, list[str]]]:
    """Yield the properties of a version that the table gives, with their values."""
    chain = situation.chains.get((version.work, version.language), [])
    links = _links(chain, version) if version.place else dict.fromkeys(LINKS)
    for term, name in links.items():
        yield IANA + term, [] if name is None else [name]
    day = _as_of(chain) if links["current"] else None
    if day is not None:
        yield f"{LEXO}asOf", [day]
    for term, end in (("forceFrom", version.start), ("forceUntil", version.until)):
        yield LEXO + term, [] if end is None else [end[0]]
        yield f"{LEXO}{term}Basis", [] if end is None else [LEXO + BASES[end[1]]]
    amending = [row.get("amended_by", "") for row in situation.rows() if row["urn"] == version.name]
    yield f"{LEXO}consolidates", " ".join(amending).split()


# --- pages ----------------------------------------------------------------------------


def _list_texts(page: html.HtmlElement, path: str) -> list[str]:
    return [each.text_content().strip() for each in page.findall(path)]


def _read_english_pages(site: Site) -> dict[str, html.HtmlElement]:
    """Read the pages of the site in English, the language of the table."""
    pages = {}
    with open_manifest(site.folder.parent / "acts.csv") as manifest:
        for family in manifest.families():
            for record in family.records:
                text = describe(family, record.name, "html", as_of=AS_OF, base=BASE, language="en")
                pages[str(record.name)] = html.fromstring(text)
    return pages


def _check_pages(site: Site) -> Iterator[Fact]:
    """Compare the sentence on force, and the timeline with its marks and days."""
    about_names = re.compile("This name is no longer|The publisher withdrew|This is another name")
    pages = _read_english_pages(site)
    for situation in SITUATIONS:
        for version in situation.versions:
            for name in version.names:
                notices = [each.text_content() for each in pages[name].xpath(_SENTENCES)]
                notices = [each for each in notices if not about_names.match(each)]
                stated = [] if version.sentence is None else [version.sentence]
                yield Fact(situation, name, "sentence", stated, notices)
        for (work, language), chain in situation.chains.items():
            for name in (work, *(each.name for each in chain)):
                if name not in pages:
                    continue
                timelines = [
                    [
                        _read_entry(entry)
                        for entry in reversed(timeline.xpath("li[not(@class='gap')]"))
                    ]
                    for timeline in pages[name].xpath("//ol[@class='timeline']")
                ]
                rows = [_make_row(each) for each in chain]
                is_work = name == work
                found = rows if rows in timelines else (timelines if is_work else timelines[:1])
                yield Fact(situation, name, f"timeline {language}", rows, found)


def _read_entry(entry: html.HtmlElement) -> tuple[str | None, ...]:
    marks = [each for each in _list_texts(entry, ".//*[@class='mark']") if each != "This page"]
    return entry.get("data-from"), entry.get("data-until"), "".join(marks).lower()


def _make_row(version: Version) -> tuple[str | None, ...]:
    marks = {"in": "in force", "partly": "partly in force", None: "latest known"}
    start, until = (None if end is None else end[0] for end in (version.start, version.until))
    mark = marks[version.force] if version.is_current else ""
    if not version.is_current and start is not None and start > AS_OF:
        mark = "not yet in force"
    return start, until, mark


def _check_head_links(site: Site) -> Iterator[Fact]:
    rels = {"first": "first", "previous": "prev", "next": "next", "last": "last"}
    rels |= {"current": "current"}
    for situation in SITUATIONS:
        for version in situation.versions:
            chain = situation.chains.get((version.work, version.language), [])
            expected = _links(chain, version) if version.place else dict.fromkeys(LINKS)
            links = site.pages[version.name].findall(".//link[@rel]")
            for term, rel in rels.items():
                found = [each.get("href") for each in links if rel in each.get("rel").split()]
                url = _url(expected[term])
                yield Fact(situation, version.name, term, [] if url is None else [url], found)


FORCES = {
    "in": ("InForce", "inForce"),
    "not": ("NotInForce", "notInForce"),
    "partly": ("PartiallyInForce", "partiallyInForce"),
}


def _list_forces(situation: Situation) -> Iterator[tuple[str, str | None]]:
    yield from situation.forces().items()
    yield from ((name, each.force) for each in situation.versions for name in each.names)


def _check_schema_org(site: Site) -> Iterator[Fact]:
    for situation in SITUATIONS:
        for name, force in _list_forces(situation):
            script = site.pages[name].find(".//script[@type='application/ld+json']")
            found = json.loads(script.text).get("legislationLegalForce")
            expected = f"https://schema.org/{FORCES[force][0]}" if force else None
            yield Fact(situation, name, "legislationLegalForce", expected, found)


def _check_rdfa(site: Site) -> Iterator[Fact]:
    for situation in SITUATIONS:
        for name, force in _list_forces(situation):
            found = sorted(map(str, site.rdfa.objects(rdflib.URIRef(_url(name)), ELI.in_force)))
            expected = [f"{ELI}InForce-{FORCES[force][1]}"] if force else []
            yield Fact(situation, name, "eli:in_force", expected, found)
        rows = [row for row in situation.rows() if "amended_by" in row]
        amending = {
            (row["urn"], ELI.consolidates): row["amended_by"] for row in rows if "@" in row["urn"]
        }
        if rows:
            every = " ".join(row["amended_by"] for row in rows)
            amending[situation.act, ELI.amended_by] = every
        for (name, term), acts in amending.items():
            urls = [_url(each) for each in acts.split()]
            found = sorted(map(str, site.rdfa.objects(rdflib.URIRef(_url(name)), term)))
            yield Fact(situation, name, term, urls, found)


# --- answers --------------------------------------------------------------------------


def _list_current(situation: Situation, work: str) -> list[tuple[str, Version]]:
    """List the language and the current version of each chain of a work."""
    return [
        (language, version)
        for (own, language), chain in situation.chains.items()
        for version in chain
        if own == work and version.is_current
    ]


def _check_resolve(site: Site) -> Iterator[Fact]:
    states = {"in": True, "partly": True, "not": False, None: None}
    answers = {"true": True, "false": False, "unknown": None}
    for situation in SITUATIONS:
        answer = resolve(situation.act, site.catalogue, date=AS_OF)
        match = situation.case.get("match", "exact")
        yield Fact(situation, situation.act, "match", match, answer.match.value)
        found = [
            (str(version.name), version.in_force)
            for candidate in answer.candidates
            for version in candidate.editions
        ]
        expected = [
            (version.name, states[version.force])
            for _, version in _list_current(situation, situation.act)
        ]
        if "resolve" in situation.case:
            pairs = (each.split(" ") for each in situation.case["resolve"])
            expected = [(situation.expand(label), answers[word]) for label, word in pairs]
        yield Fact(situation, situation.act, "versions", sorted(expected), sorted(found))
        for day, name in _list_days(situation):
            answer = resolve(situation.act, site.catalogue, date=day)
            found = [str(each.name) for one in answer.candidates for each in one.editions]
            yield Fact(situation, situation.act, f"versions on {day}", name, found)


def _list_days(situation: Situation) -> Iterator[tuple[str, list[str]]]:
    for line in situation.case.get("then", ()):
        day, label = line.split(" | ")
        yield day, [] if label == "-" else [situation.expand(label)]


def _ask(site: Site, query: str, **given: str) -> list[list[str | None]]:
    rows = site.catalogue.ready(query, **given)
    return [[None if each is None else str(each) for each in row.values()] for row in rows]


def _give_start(version: Version) -> tuple[str | None, str | None]:
    day, basis = version.start or (None, None)
    return day, basis and SOURCES[basis]


def _check_version_at(site: Site) -> Iterator[Fact]:
    for situation in SITUATIONS:
        for work in situation.forces():
            expected = [
                [language, version.name, *_give_start(version)]
                for language, version in _list_current(situation, situation.find_canonical(work))
            ]
            found = _ask(site, "version-at", work=work, date=AS_OF)
            yield Fact(situation, work, "version-at", expected, found)
        for day, names in _list_days(situation):
            found = [row[1] for row in _ask(site, "version-at", work=situation.act, date=day)]
            yield Fact(situation, situation.act, f"version-at {day}", names, found)


def _check_versions(site: Site) -> Iterator[Fact]:
    for situation in SITUATIONS:
        rows = {row["urn"]: row for row in situation.rows()}
        for work in situation.forces():
            expected = []
            for (own, language), chain in situation.chains.items():
                for version in chain if own == situation.find_canonical(work) else ():
                    expression = parse(version.name).expression
                    assert expression is not None
                    date = expression.version.date
                    days = (
                        next((row[c] for n in version.names if c in (row := rows.get(n, {}))), "")
                        for c in ("in_force_from", "in_force_until")
                    )
                    amended = "" if date is None else date.iso
                    place = str(version.place)
                    expected.append([language, place, version.name, amended, *days])
            found = _ask(site, "versions", work=work)
            yield Fact(situation, work, "versions", expected, found)


def _check_versions_in_force(site: Site) -> Iterator[Fact]:
    authorities = {each.act.split(":")[3] for each in SITUATIONS}
    found: dict[str, list[list[str | None]]] = {}
    for authority in authorities:
        for act, *row in _ask(site, "versions-in-force", authority=authority, date=AS_OF):
            found.setdefault(str(act), []).append(row)
    for situation in SITUATIONS:
        expected = [
            [language, version.name, *_give_start(version)]
            for language, version in _list_current(situation, situation.act)
        ]
        rows = found.get(situation.act, [])
        yield Fact(situation, situation.act, "versions-in-force", expected, rows)


def _check_acts_in_force(site: Site) -> Iterator[Fact]:
    found = {}
    for jurisdiction in {each.act.split(":")[2] for each in SITUATIONS}:
        rows = _ask(site, "acts-in-force", jurisdiction=jurisdiction, date=AS_OF)
        found |= {act: days for act, *days in rows}
    for situation in SITUATIONS:
        text = situation.case.get("act_in_force")
        expected = None
        if text is not None:
            start, end = (each.partition(" ") for each in text.split(" to "))
            known = ("", "") if start[0] == "unknown" else (start[0], SOURCES[start[2]])
            expected = [*known, "" if end[0] == "open" else end[0]]
        yield Fact(situation, situation.act, "acts-in-force", expected, found.get(situation.act))


def _check_withdrawn(site: Site) -> Iterator[Fact]:
    found = {name for name, _ in _ask(site, "withdrawn")}
    for situation in SITUATIONS:
        rows = list(situation.rows())
        expected = {row["urn"] for row in rows if row.get("status") == "withdrawn"}
        names = found & {row["urn"] for row in rows}
        yield Fact(situation, situation.act, "withdrawn", expected, names)


SURFACES: dict[str, Callable[[Site], Iterator[Fact]]] = {
    "N-Quads": lambda site: _check_graph(site, _read_nquads),
    "Turtle": lambda site: _check_graph(site, _read_turtle),
    "JSON-LD": lambda site: _check_graph(site, _read_json_ld),
    "page": _check_pages,
    "head links": _check_head_links,
    "schema.org": _check_schema_org,
    "RDFa": _check_rdfa,
    "resolve": _check_resolve,
    "version-at": _check_version_at,
    "versions": _check_versions,
    "versions-in-force": _check_versions_in_force,
    "acts-in-force": _check_acts_in_force,
    "withdrawn": _check_withdrawn,
}


@pytest.mark.parametrize("surface", SURFACES)
def test_a_surface_states_what_the_table_states(surface: str, site: Site) -> None:
    differences = [
        f"{fact.situation.id}: {fact.name}: {surface}: {fact.what}: expected {fact.expected}, "
        f"found {fact.found}"
        for fact in SURFACES[surface](site)
        if fact.expected != fact.found
    ]
    assert differences == []


def test_the_table_has_its_situations() -> None:
    assert len({each.id for each in SITUATIONS}) == len(SITUATIONS) >= 120


@pytest.mark.skipif("LEXURN_ELI" not in os.environ, reason="LEXURN_ELI names no file with ELI")
def test_each_use_of_eli_is_inside_its_ontology(site: Site) -> None:
    assert list(find_faults(site.rdfa, Ontology(os.environ["LEXURN_ELI"]))) == []
