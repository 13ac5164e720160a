"""Questions about many nodes, asked of a server a part at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_answers import CutError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyoxigraph

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.graph import Triple

__all__ = ["rows_in_parts", "triples_in_parts"]

_CHUNK: Final = 200


def triples_in_parts(
    store: RemoteStore, terms: Sequence[str], text_of: Callable[[Sequence[str]], str]
) -> Iterator[Triple]:
    """The triples that queries give, each of which names some of many terms."""
    for row in rows_in_parts(store, terms, text_of):
        yield str(row["s"]), str(row["p"]), str(row["o"])


def rows_in_parts(
    store: RemoteStore, terms: Sequence[str], text_of: Callable[[Sequence[str]], str]
) -> Iterator[pyoxigraph.QuerySolution]:
    """The rows that queries give, each of which names some of many terms.

    Where a server cuts an answer, less is asked at once.
    """
    for start in range(0, len(terms), _CHUNK):
        yield from _rows(store, terms[start : start + _CHUNK], text_of)


def _rows(
    store: RemoteStore, terms: Sequence[str], text_of: Callable[[Sequence[str]], str]
) -> Iterator[pyoxigraph.QuerySolution]:
    try:
        rows = store.rows(text_of(terms))
    except CutError:
        if len(terms) == 1:
            raise
        for half in (terms[: len(terms) // 2], terms[len(terms) // 2 :]):
            yield from _rows(store, half, text_of)
    else:
        yield from rows
