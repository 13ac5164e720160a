"""What is said of a name as RDF, and stays as it is when others come after it.

As in the documents themselves (`lexurn.export.Marking`): a new amendment, translation or file
changes nothing in what was said of the old ones, nor does the day.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from lexurn.graph import Statements, statements_of
from lexurn.name import http_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from lexurn.graph import Triple
    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["lasting_statements"]

_IANA = "http://www.iana.org/assignments/relation/"
_SAME_AS = "<http://www.w3.org/2002/07/owl#sameAs>"
# Of what follows from a whole family: the versions before this one, and the work as the place of
# all of them (RFC 9676 section 7.1.1).
_LASTING = frozenset(
    {f"<{_IANA}first>", f"<{_IANA}previous>", f"<{_IANA}version-history>", _SAME_AS}
)
_COPIES = "<https://w3id.org/lexurn/ns#item>"
_ANY_DAY = dt.date.min


def lasting_statements(family: Family, name: Name, base: str | None) -> Statements:
    """What is said of a name and of what stands above it.

    Args:
        family: what is known; it holds the name.
        name: the name.
        base: the base of HTTP URIs; None where the names have none.
    """
    statements = statements_of(family, as_of=_ANY_DAY, base=base)
    lineage = {f"<{each.iri}>" for each in (name, *name.ancestors())}
    own = {f"<{name.iri}>"}
    if base is not None:
        own.add(f"<{http_of(name, base).uri}>")
    stated = _of(statements.catalogued, lineage)
    return Statements(
        decoded=_of(statements.decoded, lineage),
        catalogued=tuple(triple for triple in stated if triple[1] != _COPIES),
        computed=tuple(t for t in _of(statements.computed, own) if t[1] in _LASTING),
    )


def _of(triples: Iterable[Triple], subjects: Container[str]) -> tuple[Triple, ...]:
    return tuple(triple for triple in triples if triple[0] in subjects)
