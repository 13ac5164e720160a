"""A reasoner over graphs, pages and ontologies: it infers nothing false.

owlrl (OWL 2 RL: RDFS, ``owl:sameAs`` and more) reads the graph of a site, the RDFa of its pages,
lexurn's ontology, FRBR core, and the ELI ontology that ``LEXURN_ELI`` names. The sites are some
situations, and each fifth act of the examples; ``LEXURN_FULL=1`` takes all of them.
``--log-cli-level=INFO`` lists the inferences by kind.
"""

from __future__ import annotations

import gzip
import logging
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

import owlrl
import pytest
from eli_ontology import ELI, read_pages
from ontology_tools import DATA, LEXO, ONTOLOGY, TOP
from rdflib import OWL, RDF, RDFS, XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, FOAF
from situations import AS_OF, BASE, load_situations, write_manifest
from sizes import IS_FULL

from lexurn import Level, check, check_http, open_manifest, parse, publish
from lexurn.model import Record, Status
from lexurn.store import ready

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

    Triple = tuple[Node, Node, Node]

logger = logging.getLogger(__name__)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

WORDS = ("alias_of", "withdrawn", "all.xml")
FRBR = "http://purl.org/vocab/frbr/core#"
LEVELS = {
    f"{space}{term}": level
    for level, terms in (
        (Level.WORK, ("Work", "LegalResource")),
        (Level.EXPRESSION, ("Expression", "LegalExpression")),
        (Level.MANIFESTATION, ("Manifestation", "Format")),
    )
    for term in terms
    for space in (FRBR, LEXO, str(ELI))
}
NEVER_DERIVED = (
    *(LEXO, "http://www.iana.org/assignments/relation/", "http://www.w3.org/ns/dcat#"),
    *(str(ELI[term]) for term in ("in_force", "first_date", "date_", "version_date", "licence")),
)
"""Starts of properties whose values no rule may give: versions, force, status, dates."""


@dataclass(frozen=True)
class Inferences:
    """Records of a site, its statements, and those that the reasoner adds."""

    records: dict[str, Record]
    stated: frozenset[Triple]
    added: frozenset[Triple]
    _names: dict[Node, str | None] = field(default_factory=dict)

    def find_name(self, node: Node) -> str | None:
        """Return the canonical name that a node stands for by the manifest, None for no name."""
        if node not in self._names:
            self._names[node] = self._find_name(node)
        return self._names[node]

    def _find_name(self, node: Node) -> str | None:
        text, mark, fragment = str(node).partition("#")
        if not isinstance(node, URIRef) or not text.startswith((f"{BASE}/lex/", "urn:lex:")):
            return None
        report = check_http(text, base=BASE) if text.startswith(BASE) else check(text)
        parsed = report.name
        if parsed is None:
            return None  # a file beside a page, in a folder whose name is escaped
        text, name = parsed.iri, parsed.act_name.iri
        act = self.records.get(name)
        if (
            act is not None
            and act.alias_of is not None
            and (text != name or act.status is not Status.WITHDRAWN)
        ):
            text = f"{act.alias_of.iri}{text.removeprefix(name)}"
        record = self.records.get(text)
        if record is not None and record.alias_of is not None and text != name:
            text = record.alias_of.iri
        return text + mark + fragment

    def replace_names(self, triple: Triple) -> tuple[object, ...]:
        return tuple(self.find_name(node) or node for node in triple)

    @cached_property
    def kinds(self) -> dict[str, list[Triple]]:
        """Added statements by kind."""
        stated = {self.replace_names(triple) for triple in self.stated}
        kinds: dict[str, list[Triple]] = {
            each: []
            for each in (
                *("type", "class expression", "sameAs", "another name"),
                *("derived", "literal", "error"),
            )
        }
        for triple in self.added:
            subject, term, value = triple
            if "agent-ont#" in str(triple):
                kind = "error"
            elif isinstance(subject, Literal):
                kind = "literal"
            elif term == RDF.type:
                kind = "class expression" if isinstance(value, BNode) else "type"
            elif term == OWL.sameAs:
                kind = "sameAs"
            else:
                kind = "another name" if self.replace_names(triple) in stated else "derived"
            kinds[kind].append(triple)
        return kinds


@cache
def _read_ontologies() -> Graph:
    ontologies = Graph().parse(ONTOLOGY).parse(DATA / "frbr_core.ttl")
    if "LEXURN_ELI" in os.environ:
        ontologies.parse(os.environ["LEXURN_ELI"], format="xml")
    return ontologies


def _infer(triples: Iterable[Triple]) -> frozenset[Triple]:
    """Return statements on the ontologies, with all that follow from them."""
    graph = Graph()
    for triple in (*_read_ontologies(), *triples):
        graph.add(triple)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return frozenset(graph)


@pytest.fixture(scope="module")
def background() -> frozenset[Triple]:
    """Statements that follow from the ontologies alone."""
    return _infer(())


@pytest.fixture(scope="module", params=["situations", "examples"])
def inferences(
    request: pytest.FixtureRequest,
    background: frozenset[Triple],
    tmp_path_factory: pytest.TempPathFactory,
) -> Inferences:
    folder = tmp_path_factory.mktemp("reasoning")
    table, out = TOP / "examples" / "acts.csv", folder / "site"
    if request.param == "situations":
        table = folder / "acts.csv"
        chosen = (each for each in load_situations() if any(w in str(each.case) for w in WORDS))
        table.write_text(write_manifest(load_situations() if IS_FULL else chosen), "utf-8")
    with open_manifest(table) as manifest:
        families = list(manifest.families())
    if request.param == "examples" and not IS_FULL:
        families = families[::5]
    publish(families, out, base=BASE, as_of=AS_OF, check=lambda _: (), workers=1)
    quads = gzip.decompress((out / "catalogue.nq.gz").read_bytes()).decode()
    dataset = Dataset(default_union=True)
    dataset.parse(data=quads, format="nquads")
    rdfa = {each for each in read_pages(out) if str(each[0]) != f"{BASE}/page"}
    stated = frozenset(dataset.triples((None, None, None))) | rdfa
    records = {record.name.iri: record for family in families for record in family.records}
    return Inferences(records, stated, _infer(stated) - stated - background)


def test_it_infers_without_contradiction(inferences: Inferences) -> None:
    logger.info("%s", {kind: len(triples) for kind, triples in inferences.kinds.items()})
    terms = Counter(str(term) for _, term, _ in inferences.kinds["derived"])
    logger.info("%s", terms)
    assert inferences.kinds["error"] == []
    assert all(inferences.kinds[kind] for kind in ("type", "sameAs", "another name", "derived"))


def test_only_names_of_one_thing_are_the_same(inferences: Inferences) -> None:
    pairs = {
        (inferences.find_name(subject) or subject, inferences.find_name(value) or value)
        for subject, term, value in inferences.added | inferences.stated
        if term == OWL.sameAs and not isinstance(subject, BNode)
    }
    assert {pair for pair in pairs if pair[0] != pair[1]} == set()


def test_each_name_has_types_of_its_level_alone(inferences: Inferences) -> None:
    assert list(_find_wrong_types(inferences)) == []


def _find_wrong_types(inferences: Inferences) -> Iterator[tuple[Node, Node]]:
    for subject, _, kind in inferences.kinds["type"]:
        name = inferences.find_name(subject)
        if name is not None and "#" not in name and str(kind) in LEVELS:
            own = parse(name)
            is_part = own.partition is not None and not str(kind).startswith(str(ELI))
            if is_part or own.level is not LEVELS[str(kind)]:
                yield subject, kind


def test_nothing_is_withdrawn_that_is_not(inferences: Inferences) -> None:
    statements = inferences.added | inferences.stated
    withdrawn = {name for name, each in inferences.records.items() if each.status}
    status, topic = URIRef(f"{LEXO}status"), FOAF.primaryTopic
    found = {subject for subject, term, _ in statements if term == status}
    assert {each for each in found if not str(each).endswith("#record")} == set()
    topics = {inferences.find_name(o) for s, term, o in statements if term == topic and s in found}
    assert topics == {inferences.find_name(URIRef(name)) for name in withdrawn}


def test_ready_queries_tell_records_of_names_apart(inferences: Inferences) -> None:
    graph = Graph()
    terms = {f"{LEXO}status", f"{LEXO}withdrawnOn", str(DCTERMS.modified), str(FOAF.primaryTopic)}
    for triple in inferences.added | inferences.stated:
        if str(triple[1]) in terms:
            graph.add(triple)
    records = inferences.records.items()
    withdrawn = {(name, each.withdrawn_on) for name, each in records if each.status}
    found = {(str(name), on and on.value) for name, on in graph.query(ready("withdrawn"))}
    assert found == withdrawn
    modified = {(each.modified, name) for name, each in records if each.modified}
    answer = graph.query(ready("modified-since", date="0001-01-01"))
    assert {(day.value, str(name)) for day, name in answer} == modified


def test_no_statement_on_force_or_versions_is_derived(inferences: Inferences) -> None:
    derived = inferences.kinds["derived"]
    assert [each for each in derived if str(each[1]).startswith(NEVER_DERIVED)] == []


def test_a_literal_is_the_subject_of_its_datatypes_alone(inferences: Inferences) -> None:
    kinds = {value for _, term, value in inferences.kinds["literal"] if term == RDF.type}
    datatypes = (str(XSD), str(RDF), str(RDFS.Literal))
    kinds = {each for each in kinds if not isinstance(each, BNode)}
    assert {each for each in kinds if not str(each).startswith(datatypes)} == set()
    terms = {term for _, term, _ in inferences.kinds["literal"]}
    assert terms <= {RDF.type, OWL.sameAs, OWL.differentFrom}
