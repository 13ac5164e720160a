"""Turtle, TriG, JSON-LD and RDF/XML: documents, which the engine reads as a whole or not at all.

They are read in bounded memory, and what is made to fill it is refused: JSON nested too deep or in
an order that has to be held whole, XML entities that grow.
"""

from __future__ import annotations

import io
import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph

from lexurn.catalogue._rdf_files import BrokenSourceError
from lexurn.catalogue._rdf_lines import BrokenLine, statement_of
from lexurn.errors import GraphError
from lexurn.graph import LONGEST_TEXT, Format, Untagged, context, guarded, strict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._rdf_sieve import Statement

__all__ = ["statements_of_document"]

_ENGINE: Final = {
    Format.TURTLE: pyoxigraph.RdfFormat.TURTLE,
    Format.TRIG: pyoxigraph.RdfFormat.TRIG,
    Format.RDFXML: pyoxigraph.RdfFormat.RDF_XML,
}
_SMALL: Final = LONGEST_TEXT
"""What may be held whole: of JSON-LD in any order, the engine takes ten times as much memory."""

_KEPT: Final = 64
_CONTEXT: Final = re.compile(rb'"@context"\s*:\s*"https://w3id\.org/lexurn/context\.jsonld"')
_OURS: Final = b"https://w3id.org/lexurn/context.jsonld"


def statements_of_document(
    blocks: Iterator[bytes], format: Format, prefix: str
) -> Iterator[Statement | BrokenLine]:
    """The statements of a document, and of JSON-LD those whose language tag is none.

    Args:
        blocks: its bytes.
        format: its format.
        prefix: what labels of blank nodes begin with, so that two sources share none.

    Raises:
        BrokenSourceError: it is not of that format, or made to fill memory.
    """
    try:
        for number, quad in enumerate(_quads(guarded(blocks, format), format), 1):
            known = strict(quad) if format is Format.JSONLD else quad
            if isinstance(known, Untagged):
                yield BrokenLine(f"{known.quad} .\n".encode(), number, known.reason)
            elif known is not None:
                yield statement_of(known, prefix)
    except GraphError as fault:
        raise BrokenSourceError(str(fault)) from None
    except SyntaxError as fault:
        raise BrokenSourceError(f"not {format.media_type}: {_explained(fault)}") from None
    except MemoryError:  # the engine's own bound
        raise BrokenSourceError(f"a text of more than {LONGEST_TEXT:,} bytes") from None


def _quads(blocks: Iterable[bytes], format: Format) -> Iterator[pyoxigraph.Quad]:
    if format is Format.JSONLD:
        return _jsonld(iter(blocks))
    return pyoxigraph.parse(_Stream(blocks), format=_ENGINE[format])  # type: ignore[arg-type]  # a read method is enough


def _jsonld(blocks: Iterator[bytes]) -> Iterator[pyoxigraph.Quad]:
    """A small document in any order of its keys; a large one if it can be read as it comes."""
    held: list[bytes] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > _SMALL:
            whole = chain(held, blocks)
            streaming = pyoxigraph.RdfFormat.STREAMING_JSON_LD
            return pyoxigraph.parse(_Stream(_with_context(whole)), format=streaming, lenient=True)  # type: ignore[arg-type]  # as above
    text = b"".join(held)
    text = _small_with_context(text)
    return pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD, lenient=True)


def _explained(fault: SyntaxError) -> str:
    """What the engine says, with line and column at the front where it knows them."""
    message = str(fault.msg).removeprefix("Parser error at ")
    if "remote context" in message:
        return (
            "its @context stands elsewhere, and nothing is fetched from the network; "
            "write the context itself into the document"
        )
    if fault.lineno is None:
        return message
    column = "" if fault.offset is None else f", column {fault.offset}"
    return f"line {fault.lineno}{column}: {message.partition(': ')[2] or message}"


def _context_text() -> bytes:
    return b'"@context": ' + json.dumps(context()).encode()


def _with_context(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """JSON-LD with our context in the place of its URL, so that it is read offline."""
    ours = _context_text()
    rest = b""
    for block in blocks:
        text = _CONTEXT.sub(lambda _: ours, rest + block)
        yield text[: -2 * _KEPT]
        rest = text[-2 * _KEPT :]
    yield rest


def _small_with_context(text: bytes) -> bytes:
    ours = _context_text()
    text = _CONTEXT.sub(lambda _: ours, text)
    if _OURS not in text:
        return text
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    named = document.get("@context") if isinstance(document, dict) else None
    if not isinstance(named, list):
        return text
    inside = [context() if each == _OURS.decode() else each for each in named]
    return json.dumps(document | {"@context": inside}).encode()


class _Stream(io.RawIOBase):
    """Blocks of bytes as a stream that the engine reads; what is wrong with them is raised."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._held = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._held:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._held = memoryview(block)
        size = min(len(buffer), len(self._held))
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
        return size
