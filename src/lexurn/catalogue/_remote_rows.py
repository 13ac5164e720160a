"""Questions about many nodes, asked of a server a part at a time."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_answers import CutError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.catalogue._remote_answers import Term
    from lexurn.graph import Triple

    TextOf = Callable[[Sequence[str]], str]

__all__ = ["MOST_PAGED", "pages_of", "rows_in_parts", "triples_in_parts"]

_CHUNK: Final = 200
_FROM: Final = re.compile("FROM (?:NAMED )?<[^>]*>")
_LIMIT: Final = re.compile(" LIMIT [0-9]+\\Z")
MOST_PAGED: Final = 500_000
# Virtuoso makes a text of an IRI that stands alone in VALUES, where a question is asked by pages.
_NOBODY: Final = "<urn:x-lexurn:nobody>"


def triples_in_parts(store: RemoteStore, terms: Sequence[str], text_of: TextOf) -> Iterator[Triple]:
    """The triples (``?s ?p ?o``) that queries give, each of which names some of many terms."""
    for subject, predicate, value in rows_in_parts(store, terms, text_of, "spo"):
        yield str(subject), str(predicate), str(value)


def rows_in_parts(
    store: RemoteStore, terms: Sequence[str], text_of: TextOf, names: Sequence[str]
) -> Iterator[tuple[Term, ...]]:
    """The values of variables that queries give, each of which names some of many terms.

    Where a server cuts an answer, less is asked at once; what is known of one term comes by pages.

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
    except CutError as cut:
        if len(terms) == 1:
            for page in pages_of(store, text_of([*terms, _NOBODY]), names, cut):
                yield from page
            return
        for half in (terms[: len(terms) // 2], terms[len(terms) // 2 :]):
            yield from _rows(store, half, text_of, names)
    else:
        yield from rows


def pages_of(
    store: RemoteStore, text: str, names: Sequence[str], cut: CutError
) -> Iterator[list[tuple[Term, ...]]]:
    """The rows of a SELECT by pages, from a server that cuts every answer.

    It sorts everything for each page, so that this goes for half a million rows at most.

    Args:
        store: the server.
        text: the SELECT; it has all variables that are asked for.
        names: the variables.
        cut: that it does, and where.

    Raises:
        CutError: it does not say where, there are more, or the SELECT has a limit of its own.
    """
    if cut.rows is None or _LIMIT.search(text):
        raise cut
    columns, size = " ".join(f"?{name}" for name in names), max(cut.rows - 1, 1)
    dataset, inner = " ".join(_FROM.findall(text)), _FROM.sub("", text)
    for start in count(0, size):
        if start >= MOST_PAGED:
            raise cut
        sorted_rows = f"{{ {inner} ORDER BY {columns} }}"
        page = f"SELECT {columns} {dataset} WHERE {{ {sorted_rows} }} LIMIT {size} OFFSET {start}"
        rows = list(store.values(page, names))
        yield rows
        if len(rows) < size:
            return
