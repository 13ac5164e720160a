"""ELI ontology 1.5: RDFa of pages, and the faults in its use of ELI terms.

The classes, the domains, the ranges and the cardinalities are those that the ontology
(http://data.europa.eu/eli/ontology, RDF/XML) states.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from export_cases import BASE
from rdflib import OWL, RDF, RDFS, XSD, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.namespace import Namespace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rdflib.term import Node

ELI = Namespace("http://data.europa.eu/eli/ontology#")
LITERALS = frozenset({RDFS.Literal, XSD.string, XSD.anyURI, XSD.date})
KINDS = {OWL.ObjectProperty, OWL.DatatypeProperty}
ONE_VALUE = (OWL.FunctionalProperty, OWL.InverseFunctionalProperty)
ONE_SUBJECT = ONE_VALUE[::-1]


def read_pages(out: Path) -> Graph:
    """Read the RDFa in the heads of all pages of a site, with pyRdfa."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyRdfa import pyRdfa  # noqa: PLC0415 - its import warns
        from pyRdfa.options import Options  # noqa: PLC0415 - as above

        pages = (page.read_text("utf-8") for page in sorted(out.glob("lex/**/index.html")))
        # All heads at once, each under its subject: the reader needs long for each document.
        found = (re.search(r"<head( about=[^>]*)>(.*?)</head>", page, re.DOTALL) for page in pages)
        heads = "".join(f"<div{head[1]}>{head[2]}</div>" for head in found if head)
        options = Options(output_processor_graph=False, embedded_rdf=False)
        reader = pyRdfa(options=options, base=f"{BASE}/page", media_type="text/html")
        source = io.StringIO(
            f"<!DOCTYPE html><html prefix='eli: {ELI}'><body>{heads}</body></html>"
        )
        return reader.graph_from_source(source, rdfOutput=False)


class Ontology:
    """ELI ontology: its terms, and the classes that a class is under."""

    def __init__(self, path: str) -> None:
        self.graph = Graph().parse(path, format="xml")

    def list_classes(self, term: Node, side: URIRef) -> frozenset[Node]:
        """List the classes of a domain or a range, any of which will do; none are no limit."""
        found: set[Node] = set()
        for stated in self.graph.objects(term, side):
            union = self.graph.value(stated, OWL.unionOf)
            found |= {stated} if union is None else set(Collection(self.graph, union))
        return frozenset(found - {OWL.Thing})

    def is_one(self, term: Node, kind: URIRef, opposite: URIRef) -> bool:
        """Return whether a property has a kind, or its inverse has the opposite one."""
        inverses = {*self.graph.objects(term, OWL.inverseOf)}
        inverses |= {*self.graph.subjects(OWL.inverseOf, term)}
        stated = [(term, RDF.type, kind), *((each, RDF.type, opposite) for each in inverses)]
        return any(each in self.graph for each in stated)

    def is_in_range(self, value: Node, classes: frozenset[Node], known: set[Node]) -> bool:
        """Return whether a value is in a range.

        The classes of countries, languages and types of act are stated elsewhere, so an IRI without
        a class may be in any range but that of literals; the states of force are in the ontology.
        """
        if isinstance(value, Literal):
            datatype = RDF.langString if value.language else value.datatype or XSD.string
            return not classes or bool(classes & {datatype, RDFS.Literal})
        if classes & LITERALS or (known and classes and not classes & known):
            return False
        return ELI.InForce not in classes or (value, RDF.type, ELI.InForce) in self.graph


def find_faults(graph: Graph, ontology: Ontology) -> Iterator[tuple[str, Node]]:
    """Yield the faults in the use of ELI terms, each with the subject or value that has it."""
    known: dict[Node, set[Node]] = defaultdict(set)
    for subject, stated in graph.subject_objects(RDF.type):
        if (stated, RDF.type, OWL.Class) not in ontology.graph:
            yield f"{stated}: no class", subject
        known[subject] |= set(ontology.graph.transitive_objects(stated, RDFS.subClassOf))
    for term in sorted({each for each in graph.predicates() if each.startswith(str(ELI))}):
        local, pairs = term.removeprefix(str(ELI)), list(graph.subject_objects(term))
        if not KINDS & set(ontology.graph.objects(term, RDF.type)):
            yield f"{local}: no property", term
        domain = ontology.list_classes(term, RDFS.domain)
        classes = ontology.list_classes(term, RDFS.range)
        for subject, value in pairs:
            if domain and not domain & known[subject]:
                yield f"{local}: domain", subject
            if not ontology.is_in_range(value, classes, known[value]):
                yield f"{local}: range", value
        sides = [
            n for n, kinds in enumerate((ONE_VALUE, ONE_SUBJECT)) if ontology.is_one(term, *kinds)
        ]
        counts = Counter((side, pair[side]) for side in sides for pair in pairs)
        yield from ((f"{local}: two", end) for (_, end), count in counts.items() if count > 1)
    for subject in graph.subjects(RDF.type, ELI.Format):
        if len(list(graph.objects(subject, ELI["format"]))) != 1:
            yield "Format: not one format", subject
