"""What is said of a name as RDF, and stays as it is when others come after it.

As in the documents themselves (`lexurn.export.Marking`): a new amendment, translation or file
changes nothing in what was said of the old ones, nor does the day.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from lexurn.graph import Statements, statements_of
from lexurn.name import http_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from lexurn.graph import Triple
    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["CHAIN", "lasting_statements"]

# A graph that names an earlier version has to name the last one too (RFC 9676 section 7.1.1), and
# which that is does not last: so of what follows from a whole family only the links between the
# name and what stands above it are said, and that names are equal.
CHAIN: Final = (
    "<http://www.iana.org/assignments/relation/",
    "<http://www.w3.org/ns/dcat#",
    "<https://w3id.org/lexurn/ns#earlierVersion>",
)
"""Terms, or their beginnings, that link the versions of a whole family."""

_COPIES = "<https://w3id.org/lexurn/ns#item>"
# What an amendment changes in the row of the work.
_PASSING = frozenset(
    {"<http://purl.org/dc/terms/modified>", "<https://w3id.org/lexurn/ns#inForceUntil>"}
)
_ANY_DAY = dt.date.min


def lasting_statements(family: Family, name: Name, base: str | None) -> Statements:
    """What is said of a name and of what stands above it.

    Args:
        family: what is known; it holds the name.
        name: the name.
        base: the base of HTTP URIs; None where the names have none.
    """
    statements = statements_of(family, as_of=_ANY_DAY, base=base)
    node = f"<{name.iri}>"
    lineage = {f"<{each.iri}>" for each in _lineage(family, name)}
    own = lineage if base is None else {*lineage, f"<{http_of(name, base).uri}>"}
    return Statements(
        decoded=_of(statements.decoded, lineage),
        catalogued=tuple(
            triple
            for triple in _of(statements.catalogued, lineage)
            if triple[1] != _COPIES and (triple[0] == node or triple[1] not in _PASSING)
        ),
        computed=tuple(
            triple
            for triple in _of(statements.computed, own)
            if triple[2] in lineage and not triple[1].startswith(CHAIN)
        ),
    )


def _lineage(family: Family, name: Name) -> set[Name]:
    """A name, what it is an alias of, and what stands above these: all that is described."""
    found: set[Name] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += (*each.ancestors(), family.canonical(each))
    return found


def _of(triples: Iterable[Triple], subjects: Container[str]) -> tuple[Triple, ...]:
    return tuple(triple for triple in triples if triple[0] in subjects)
