"""The registry as typed values: the SKOS concepts of ``ontology/registry``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexurn import data

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyoxigraph import Quad, Triple

__all__ = ["BASE", "Concept", "Label", "concepts", "jurisdictions"]

#: Where the registry's IRIs begin.
BASE = "https://w3id.org/lexurn/registry/"

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_DCTERMS = "http://purl.org/dc/terms/"
_OWL = "http://www.w3.org/2002/07/owl#"
_CONCEPT = (_RDF + "type", _SKOS + "Concept")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Label:
    """What a concept is called in one language.

    Attributes:
        text: the label.
        language: its language tag, lower case; ``""`` where it has none.
    """

    text: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One entry of the registry.

    Attributes:
        iri: its IRI.
        scheme: the IRI of its concept scheme.
        notation: the code or word as a name has it: lower case, percent-encoded.
        labels: its preferred labels, sorted.
        kind: the IRI of its kind (jurisdictions only).
        obsolete: closed for new names, kept for old ones (RFC 9676 section 2.2).
        matches: IRIs of what means the same, sorted; never of what makes equal names.
        near_matches: IRIs of what means nearly the same, sorted.
        sources: IRIs of where the entry comes from, sorted.
    """

    iri: str
    scheme: str
    notation: str
    labels: tuple[Label, ...] = ()
    kind: str | None = None
    obsolete: bool = False
    matches: tuple[str, ...] = ()
    near_matches: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The English label, else the first one, else the notation."""
        english = next((each.text for each in self.labels if each.language == "en"), None)
        return english or (self.labels[0].text if self.labels else self.notation)


@cache
def concepts(file: str) -> tuple[Concept, ...]:
    """The concepts of ``ontology/registry/<file>.ttl`` in the order of scheme and notation.

    Args:
        file: ``extensions``, ``jurisdictions``, ``languages`` or ``original``.

    Raises:
        MissingDataError: there is no such file.
    """
    from pyoxigraph import RdfFormat, parse  # noqa: PLC0415  an engine: not with the package

    triples = parse(data.text(f"ontology/registry/{file}.ttl"), format=RdfFormat.TURTLE)
    found = map(_concept, *zip(*_grouped(triples).items(), strict=True))
    return tuple(sorted(filter(None, found), key=lambda each: (each.scheme, each.notation)))


@cache
def jurisdictions() -> Mapping[str, Concept]:
    """The known jurisdiction codes (RFC 9676 section 2.2), each with its concept."""
    listed = concepts("jurisdictions")
    scheme = BASE + "jurisdictions"
    return MappingProxyType({each.notation: each for each in listed if each.scheme == scheme})


_Values = defaultdict[str, list[Label]]


def _grouped(triples: Iterable[Quad | Triple]) -> dict[str, _Values]:
    """Subjects, each with its predicates, each with its objects as text and language."""
    found: dict[str, _Values] = {}
    for triple in triples:
        subject = getattr(triple.subject, "value", "")
        values = found.setdefault(subject, defaultdict(list))
        values[triple.predicate.value].append(_object(triple))
    return found


def _object(triple: Quad | Triple) -> Label:
    language = getattr(triple.object, "language", None) or ""
    return Label(text=getattr(triple.object, "value", ""), language=language.lower())


def _concept(iri: str, values: _Values) -> Concept | None:
    """The concept that the statements about ``iri`` make; None if it is something else."""
    if _CONCEPT[1] not in _texts(values, _CONCEPT[0]) or not values[_SKOS + "notation"]:
        return None
    return Concept(
        iri=iri,
        scheme=_first(values, _SKOS + "inScheme") or "",
        notation=_first(values, _SKOS + "notation") or "",
        labels=tuple(sorted(values[_SKOS + "prefLabel"])),
        kind=_first(values, _DCTERMS + "type"),
        obsolete="true" in _texts(values, _OWL + "deprecated"),
        matches=_texts(values, _SKOS + "exactMatch"),
        near_matches=_texts(values, _SKOS + "closeMatch"),
        sources=_texts(values, _DCTERMS + "source"),
    )


def _texts(values: _Values, predicate: str) -> tuple[str, ...]:
    return tuple(sorted(each.text for each in values[predicate]))


def _first(values: _Values, predicate: str) -> str | None:
    return next(iter(_texts(values, predicate)), None)
