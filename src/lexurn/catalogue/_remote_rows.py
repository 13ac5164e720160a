"""Questions about many nodes, asked of a server a part at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_answers import CutError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.catalogue._remote_answers import Term
    from lexurn.graph import Triple

    TextOf = Callable[[Sequence[str]], str]

__all__ = ["rows_in_parts", "triples_in_parts"]

_CHUNK: Final = 200


def triples_in_parts(store: RemoteStore, terms: Sequence[str], text_of: TextOf) -> Iterator[Triple]:
    """The triples (``?s ?p ?o``) that queries give, each of which names some of many terms."""
    for subject, predicate, value in rows_in_parts(store, terms, text_of, "spo"):
        yield str(subject), str(predicate), str(value)


def rows_in_parts(
    store: RemoteStore, terms: Sequence[str], text_of: TextOf, names: Sequence[str]
) -> Iterator[tuple[Term, ...]]:
    """The values of variables that queries give, each of which names some of many terms.

    Where a server cuts an answer, less is asked at once.

    Args:
        store: the server.
        terms: what is asked about.
        text_of: the query about some of them.
        names: the variables.
    """
    for start in range(0, len(terms), _CHUNK):
        yield from _rows(store, terms[start : start + _CHUNK], text_of, names)


def _rows(
    store: RemoteStore, terms: Sequence[str], text_of: TextOf, names: Sequence[str]
) -> Iterator[tuple[Term, ...]]:
    try:
        rows = store.values(text_of(terms), names)
    except CutError:
        if len(terms) == 1:
            raise
        for half in (terms[: len(terms) // 2], terms[len(terms) // 2 :]):
            yield from _rows(store, half, text_of, names)
    else:
        yield from rows
