"""Entries of law and words out of Turtle: the built-in files and those of a publisher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.registry._concepts import BASE, Label
from lexurn.registry._entries import Entry, kind_of_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyoxigraph import Quad, Triple

__all__ = [
    "CONCEPT",
    "DCTERMS",
    "FIELDS",
    "OWL",
    "RDF",
    "REG",
    "SKOS",
    "XSD",
    "Values",
    "entries_of",
    "entry_of",
    "notations_of",
    "values_of",
]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
#: The vocabulary of the registry (``ontology/registry.ttl``).
REG = BASE + "ns#"
CONCEPT = SKOS + "Concept"

#: The objects of each predicate of one subject.
Values = dict[str, list[Label]]

_TEXTS = {
    "labels": SKOS + "prefLabel",
    "forms": SKOS + "altLabel",
    "abbreviations": REG + "abbreviation",
}
_FIRST = {
    "issuer": REG + "issuer",
    "body": REG + "body",
    "numbering": REG + "numbering",
    "name": REG + "name",
    "broader": SKOS + "broader",
    "valid_from": REG + "validFrom",
    "valid_until": REG + "validUntil",
}
_LISTS = {
    "qualifies": REG + "qualifies",
    "sources": DCTERMS + "source",
    "examples": SKOS + "example",
}
#: The property of each field of `Entry` that a publisher may override.
FIELDS = {
    **_TEXTS,
    **_FIRST,
    **_LISTS,
    "notation": SKOS + "notation",
    "titled": REG + "titled",
    "obsolete": OWL + "deprecated",
    "replaced_by": DCTERMS + "isReplacedBy",
}


def values_of(quads: Iterable[Quad | Triple]) -> dict[str, Values]:
    """The statements by subject and predicate; objects as texts with their languages."""
    found: dict[str, Values] = {}
    for quad in quads:
        values = found.setdefault(getattr(quad.subject, "value", ""), {})
        language = getattr(quad.object, "language", None) or ""
        text = Label(text=getattr(quad.object, "value", ""), language=language.lower())
        values.setdefault(quad.predicate.value, []).append(text)
    return found


def entries_of(text: str) -> tuple[Entry, ...]:
    """The entries in a Turtle text, sorted by IRI; what is no entry of law or words is left out.

    Raises:
        SyntaxError: the text is not Turtle.
    """
    from pyoxigraph import RdfFormat, parse  # noqa: PLC0415  an engine: not with the package

    subjects = values_of(parse(text, format=RdfFormat.TURTLE))
    notations = notations_of(subjects)
    found = (entry_of(iri, values, notations) for iri, values in subjects.items())
    return tuple(sorted(filter(None, found), key=lambda each: each.iri))


def notations_of(subjects: Mapping[str, Values]) -> dict[str, str]:
    """The notation of each subject that has one."""
    found = ((iri, _first(values, SKOS + "notation")) for iri, values in subjects.items())
    return {iri: notation for iri, notation in found if notation is not None}


def entry_of(iri: str, values: Values, notations: Mapping[str, str]) -> Entry | None:
    """The entry that the statements about ``iri`` make; None if they make none.

    Args:
        iri: the subject.
        values: what is stated of it.
        notations: notations by IRI, to look up what it is replaced by.
    """
    place = kind_of_scheme(_first(values, SKOS + "inScheme") or "")
    notation = _first(values, SKOS + "notation")
    if place is None or notation is None:
        return None
    given: dict[str, Any] = {
        **{name: tuple(sorted(values.get(stated, ()))) for name, stated in _TEXTS.items()},
        **{name: _first(values, stated) for name, stated in _FIRST.items()},
        **{name: _listed(values, stated) for name, stated in _LISTS.items()},
    }
    return Entry(
        kind=place[0],
        iri=iri,
        scope=place[1],
        notation=notation,
        titled="true" in _listed(values, REG + "titled"),
        obsolete="true" in _listed(values, OWL + "deprecated"),
        replaced_by=notations.get(_first(values, DCTERMS + "isReplacedBy") or ""),
        **given,
    )


def _listed(values: Values, predicate: str) -> tuple[str, ...]:
    return tuple(sorted(each.text for each in values.get(predicate, ())))


def _first(values: Values, predicate: str) -> str | None:
    return next(iter(_listed(values, predicate)), None)
