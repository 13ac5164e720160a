"""Pages of the ontology and of the SHACL shapes, each beside its files in Turtle."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from lexurn import data
from lexurn import vocabulary as v
from lexurn.pages import PageText
from lexurn.shacl import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.pages import Words
    from lexurn.publishing.dcat import SiteSettings

_KINDS = {
    f"{v.OWL}Class": "vocabulary.classes",
    f"{v.OWL}ObjectProperty": "vocabulary.properties",
    f"{v.OWL}DatatypeProperty": "vocabulary.properties",
    f"{v.OWL}AnnotationProperty": "vocabulary.properties",
    f"{v.OWL}NamedIndividual": "vocabulary.values",
}
"""Headings of the terms of the ontology, by their classes."""
_PREFIXES = {v.LEXO: "lexo", SHAPES: "lexs"}
_DEFINITIONS = {f"{v.RDFS}comment", f"{v.SH}description"}


class Term(NamedTuple):
    """Term of a vocabulary.

    Attributes:
        name: its prefixed name.
        classes: the IRIs of its classes.
        labels: its labels by language.
        definition: its definition, in English.
    """

    name: str
    classes: frozenset[str]
    labels: Mapping[str, str]
    definition: str

    @property
    def local_name(self) -> str:
        """Name without its prefix."""
        return self.name.partition(":")[2]

    def choose_label(self, words: Words) -> PageText:
        """Return the label in the language of a page, else in English."""
        if words.language in self.labels:
            return PageText(self.labels[words.language])
        return PageText(self.labels["en"], "en")


def write_vocabularies(settings: SiteSettings) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files in ``ontology/`` and ``shapes/``."""
    words = settings.words
    shapes = sorted(each.name for each in data.find_folder("shapes").glob("*.ttl"))
    for folder, files in (("ontology", ["lexurn.ttl"]), ("shapes", shapes)):
        groups: dict[str, list[Term]] = defaultdict(list)
        for file in files:
            text = data.read_text(f"{folder}/{file}")
            yield f"{folder}/{file}", text.encode()
            for term in _read_terms(text):
                headings = {words(_KINDS[each]) for each in term.classes & _KINDS.keys()}
                groups[min(headings, default=file)].append(term)
        heading = words(f"vocabulary.{folder}")
        values = {"heading": heading, "files": files, "groups": groups}
        page = settings.render_page("vocabulary.html", root="../", **values)
        yield f"{folder}/index.html", page


@cache
def _read_terms(text: str) -> tuple[Term, ...]:
    """Read the terms of our own namespaces that have a definition, in their order."""
    classes: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    definitions: dict[str, str] = {}
    for triple in parse(text, format=RdfFormat.TURTLE):
        subject, predicate, value = triple.subject, triple.predicate.value, triple.object
        namespace, sign, local = getattr(subject, "value", "").partition("#")
        prefix = _PREFIXES.get(namespace + sign)
        if not isinstance(subject, NamedNode) or prefix is None:
            continue
        name = f"{prefix}:{local}"
        if predicate == f"{v.RDF}type" and isinstance(value, NamedNode):
            classes[name].add(value.value)
        elif predicate == f"{v.RDFS}label" and isinstance(value, Literal):
            labels[name][value.language or "en"] = value.value
        elif predicate in _DEFINITIONS and isinstance(value, Literal):
            definitions[name] = value.value
    return tuple(
        Term(name, frozenset(classes[name]), labels[name], text)
        for name, text in definitions.items()
    )
