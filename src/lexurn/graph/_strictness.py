"""JSON-LD read leniently, then held to what strict readers hold it to: nothing is lost unsaid.

A strict reader of JSON-LD leaves out texts whose language tag is none, and says nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import pyoxigraph

from lexurn.errors import GraphError

__all__ = ["Untagged", "strict"]

_SHOWN: Final = 80


class Untagged(NamedTuple):
    """A statement of a text whose language tag is none.

    Attributes:
        quad: the statement as it was written.
        reason: what is wrong with the tag.
    """

    quad: pyoxigraph.Quad
    reason: str


def strict(quad: pyoxigraph.Quad) -> pyoxigraph.Quad | Untagged | None:
    """A quad of JSON-LD that was read leniently, as strict readers have it.

    Returns:
        The quad; None for one with no absolute IRI, which JSON-LD 1.1 leaves out.

    Raises:
        GraphError: a datatype is no IRI.
    """
    subject, predicate, value, graph = quad
    if not all(map(_is_valid, (subject, predicate, value, graph))):
        return None
    if not isinstance(value, pyoxigraph.Literal):
        return quad
    if not _is_valid(value.datatype):
        raise GraphError(f"the datatype {value.datatype} is no absolute IRI (RFC 3987)")
    tag = value.language
    if tag is None or value.direction is not None:
        return quad
    try:
        text = pyoxigraph.Literal(value.value, language=tag)  # the tag in lower case
    except ValueError as fault:
        shown = tag if len(tag) <= _SHOWN else f"{tag[: _SHOWN - 1]}…"
        return Untagged(quad, f'"{shown}" is not a language tag (RFC 5646): {fault}')
    return pyoxigraph.Quad(subject, predicate, text, graph)


@lru_cache(maxsize=4096)
def _is_valid(term: object) -> bool:
    try:
        if isinstance(term, pyoxigraph.NamedNode):
            pyoxigraph.NamedNode(term.value)
        elif isinstance(term, pyoxigraph.BlankNode):
            pyoxigraph.BlankNode(term.value)
    except ValueError:
        return False
    return True
