"""What a store holds, an alias set at a time; and documents of many sets as one document."""

from __future__ import annotations

import json
from itertools import groupby, starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Protocol

from lexurn.catalogue import _rdf_vocabulary as v
from lexurn.catalogue._rdf_lines import BrokenLine, Lines
from lexurn.catalogue._rdf_sieve import act_in, is_act, is_name
from lexurn.catalogue._rdf_spool import QuadSpool, Tails, Voice, unpacked_tails
from lexurn.errors import CatalogueError
from lexurn.graph import Format, Layer, Statements, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.catalogue._rdf_sieve import Statement

__all__ = ["document_of", "statements_by_set"]

_VOICES: Final = {
    Layer.DECODED: Voice.DECODED,
    Layer.CATALOGUED: Voice.CATALOGUED,
    Layer.COMPUTED: Voice.COMPUTED,
}
_GRAPH: Final = '\n  "@graph": ['
_LEADING: Final = v.COPY_LINKS
_STEP: Final = 10_000
_NO_LIMIT: Final = 1 << 62


def statements_by_set(
    pieces: Iterable[bytes], on_progress: Callable[[int], None]
) -> Iterator[Statements]:
    """All that is said of each alias set and its copies, sorted by act; last what is of none.

    What is said of a copy that several sets have stands with each of them.

    Args:
        pieces: N-Quads of the three layers.
        on_progress: is told how many statements were read.

    Raises:
        CatalogueError: the disk for temporary files is full, or a line is no statement.
    """
    spool = QuadSpool()
    try:
        for node, statements in groupby(_counted(pieces, on_progress), itemgetter(0)):
            _keep(spool, node, statements)
        spool.settle()
        for group in spool.groups(_NO_LIMIT):
            yield _statements(starmap(unpacked_tails, group.parts))
        orphans = _statements(spool.orphans())
        if orphans.merged:
            yield orphans
    finally:
        spool.close()


def _counted(pieces: Iterable[bytes], on_progress: Callable[[int], None]) -> Iterator[Statement]:
    for number, each in enumerate(Lines(pieces, ""), 1):
        if isinstance(each, BrokenLine):
            raise CatalogueError(
                f"the store gives a line that is no statement: {each.reason}; dump it as N-Quads, "
                f"mend the line, and load it into a new catalogue: {each.raw!r}"
            )
        if number % _STEP == 0:
            on_progress(number)
        yield each[0]


def _keep(spool: QuadSpool, node: str, statements: Iterable[Statement]) -> None:
    """Keep what stands together on a node."""
    act = act_in(node) if is_name(node) else None
    tails: list[str] = []
    for _, predicate, value, graph in statements:
        tail = f"{_VOICES[v.LAYERS[graph]]}{predicate} {value}"
        other = act_in(value) if is_name(value) and predicate in _LEADING else None
        if not isinstance(act, str) and isinstance(other, str):
            # A gazette may be a copy of a million acts: each takes its own link.
            spool.part(other, Tails(node, (tail,), 0, 0))
            continue
        tails.append(tail)
        if predicate == v.CHECKSUM:
            spool.digest(value, node, 0)
        elif isinstance(act, str) and predicate == v.ITEM:
            spool.held(value, act, 0)
        elif isinstance(act, str) and isinstance(other, str):
            spool.alias(act, other, 0, is_act=is_act(node))
    if tails and isinstance(act, str):
        spool.part(act, Tails(node, tails, 0, 0))
    elif tails:
        spool.fact(Tails(node, tails, 0, 0))


def _statements(parts: Iterable[Tails]) -> Statements:
    layers: dict[str, list[tuple[str, str, str]]] = {voice: [] for voice in _VOICES.values()}
    for part in parts:
        for tail in part.tails:
            predicate, _, value = tail[1:].partition(" ")
            layers[tail[0]].append((part.node, predicate, value))
    return Statements(
        decoded=tuple(layers[Voice.DECODED]),
        catalogued=tuple(layers[Voice.CATALOGUED]),
        computed=tuple(layers[Voice.COMPUTED]),
    )


def document_of(sets: Iterable[Statements], format: Format) -> Iterator[bytes]:
    """One document that says what many sets of statements say, piece by piece.

    Args:
        sets: the statements.
        format: Turtle, TriG or JSON-LD.
    """
    joined: _Joined = _Json() if format is Format.JSONLD else _Turtle()
    yield joined.head()
    for statements in sets:
        yield joined.part(write(statements, format).decode()).encode()
    yield joined.foot()


class _Joined(Protocol):
    """How documents become one."""

    def head(self) -> bytes: ...
    def part(self, document: str) -> str: ...
    def foot(self) -> bytes: ...


class _Turtle:
    """Turtle and TriG: each prefix is declared where it is first needed."""

    def __init__(self) -> None:
        self._declared: set[str] = set()
        self._is_begun = False

    def head(self) -> bytes:
        return b""

    def part(self, document: str) -> str:
        prefixes: list[str] = []
        while document.startswith("@prefix "):
            line, _, document = document.partition("\n")
            prefixes.append(f"{line}\n")
        new = [line for line in prefixes if line not in self._declared]
        self._declared.update(new)
        body = document.removeprefix("\n") if prefixes else document
        parts = ["".join(new), body] if new else [body]
        start = "\n" if self._is_begun else ""
        self._is_begun = True
        return start + "\n".join(parts)

    def foot(self) -> bytes:
        return b""


class _Json:
    """JSON-LD: one context for all; a node that it would not let say what it says has none."""

    def __init__(self) -> None:
        self._head, _, _ = write(Statements(), Format.JSONLD).decode().partition(_GRAPH)
        self._is_begun = False

    def head(self) -> bytes:
        return f"{self._head}{_GRAPH}".encode()

    def part(self, document: str) -> str:
        head, _, graph = document.partition(_GRAPH)
        body = graph.rpartition("\n  ]\n}")[0]
        if head != self._head:
            nodes = [{"@context": None, **node} for node in json.loads(document)["@graph"]]
            text = json.dumps(nodes, ensure_ascii=False, indent=2)[1:-2]
            body = text.replace("\n", "\n  ")
        start = "," if self._is_begun else ""
        self._is_begun = True
        return start + body

    def foot(self) -> bytes:
        return b"\n  ]\n}\n" if self._is_begun else b"]\n}\n"
