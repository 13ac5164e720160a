"""What leads from one thing to another in what a document says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._extraction_terms import (
    ALIAS,
    PLACES,
    RELATIONS,
    TOPICS,
    is_identifier,
    normal,
)
from lexurn.embedding._terms import DC, DCTERMS, ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from lexurn.embedding._statement import Statement

__all__ = ["ABOVE", "BELOW", "WITHIN", "is_above", "leads"]

# What a page links to by these may be the page itself: the first version names itself as the first.
_ITSELF = frozenset({"canonical", "citeAs", "current", "first", "last", "self", "versionHistory"})
_VOCABULARIES = (DC, DCTERMS, ELI, SCHEMA)

ABOVE: Final = frozenset({"isFormatOf", "isVersionOf"})
"""Relations to the work of a version, and to the version of a file."""

WITHIN: Final = ABOVE | {"isPartOf"}
"""Those, and to the whole of a part."""

BELOW: Final = frozenset({"hasFormat", "hasVersion"})
"""Relations to a version, and to a file."""


def leads(statement: Statement) -> bool:
    """Whether a statement leads from what it is said of to something else."""
    term = normal(statement.term)
    kind = RELATIONS.get(term)
    if term in TOPICS or term == RDF_TYPE or not (statement.is_iri or kind is not None):
        return False
    if statement.subject is not None:
        return True
    if kind is not None:
        return kind not in _ITSELF
    is_same = term in ALIAS or term in PLACES or is_identifier(term)
    return term.startswith(_VOCABULARIES) and not is_same


def is_above(statement: Statement) -> bool:
    """Whether a statement leads to the work of a version, or to the version of a file."""
    return RELATIONS.get(normal(statement.term)) in ABOVE
