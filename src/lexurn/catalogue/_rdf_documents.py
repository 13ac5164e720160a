"""Turtle, TriG, JSON-LD and RDF/XML: documents, which the engine reads as a whole or not at all.

They are read in bounded memory, and what is made to fill it is refused: JSON nested too deep or in
an order that has to be held whole, XML entities that grow.
"""

from __future__ import annotations

import io
import json
import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph

from lexurn.catalogue._rdf_files import UnreadableError
from lexurn.catalogue._rdf_lines import BrokenLine, statement_of
from lexurn.graph import Format, context

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._rdf_sieve import Statement

__all__ = ["not_too_deep", "statements_of_document"]

_ENGINE: Final = {
    Format.TURTLE: pyoxigraph.RdfFormat.TURTLE,
    Format.TRIG: pyoxigraph.RdfFormat.TRIG,
    Format.RDFXML: pyoxigraph.RdfFormat.RDF_XML,
}
_SMALL: Final = 1 << 24
"""What may be held whole: of JSON-LD in any order, the engine takes ten times as much memory."""

_DEEPEST: Final = 500
_LONGEST_ENTITY: Final = 256
_DTD: Final = 1 << 20
_KEPT: Final = 64
_NO_MARKS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_JSON_TEXT: Final = re.compile(rb'"[^"]*+"?')
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ENTITY: Final = re.compile(rb"<!ENTITY([^<]*)")
_VALUE: Final = re.compile(rb"\"([^\"]*)\"|'([^']*)'")
_REFERENCE: Final = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")
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
        UnreadableError: it is not of that format, or made to fill memory.
    """
    if format is Format.JSONLD:
        quads = _jsonld(blocks)
    else:
        safe = _without_growth(blocks) if format is Format.RDFXML else blocks
        quads = pyoxigraph.parse(_Stream(safe), format=_ENGINE[format])  # type: ignore[arg-type]
    try:
        for number, quad in enumerate(quads, 1):
            known = _known(quad, number) if format is Format.JSONLD else quad
            if isinstance(known, BrokenLine):
                yield known
            elif known is not None:
                yield statement_of(known, prefix)
    except SyntaxError as fault:
        raise UnreadableError(f"not {format.media_type}: {_explained(fault)}") from None
    except MemoryError:  # the engine's own bound
        raise UnreadableError(f"a text of more than {_SMALL:,} bytes") from None


def _jsonld(blocks: Iterator[bytes]) -> Iterator[pyoxigraph.Quad]:
    """A small document in any order of its keys; a large one if it can be read as it comes."""
    held: list[bytes] = []
    size = 0
    safe = not_too_deep(blocks)
    for block in safe:
        held.append(block)
        size += len(block)
        if size > _SMALL:
            whole = chain(held, safe)
            streaming = pyoxigraph.RdfFormat.STREAMING_JSON_LD
            return pyoxigraph.parse(_Stream(_with_context(whole)), format=streaming, lenient=True)  # type: ignore[arg-type]
    text = b"".join(held)
    text = _small_with_context(text)
    return pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD, lenient=True)


def _known(quad: pyoxigraph.Quad, number: int) -> pyoxigraph.Quad | BrokenLine | None:
    """A quad that was read leniently, as strict readers have it; None for what JSON-LD leaves out.

    A strict reader leaves out what has no absolute IRI, as JSON-LD 1.1 wants it, but texts whose
    language tag is none, too, and says nothing: those are told.

    Raises:
        UnreadableError: a datatype is no IRI.
    """
    subject, predicate, value, graph = quad
    if not all(map(_is_valid, (subject, predicate, value, graph))):
        return None
    if not isinstance(value, pyoxigraph.Literal):
        return quad
    if not _is_valid(value.datatype):
        raise UnreadableError(f"the datatype {value.datatype} is no absolute IRI (RFC 3987)")
    tag = value.language
    if tag is None or value.direction is not None:
        return quad
    try:
        text = pyoxigraph.Literal(value.value, language=tag)  # the tag in lower case
    except ValueError as fault:
        reason = f'"{tag}" is not a language tag (RFC 5646): {fault}'
        return BrokenLine(f"{quad} .\n".encode(), number, reason)
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


def not_too_deep(blocks: Iterable[bytes], *, deepest: int = _DEEPEST) -> Iterator[bytes]:
    """The same JSON, as long as nothing in it is so deep or long that it would fill memory.

    Args:
        blocks: its bytes, cut anywhere.
        deepest: how many objects and arrays may lie in each other.

    Raises:
        UnreadableError: more do, or a text is too long.
    """
    depth = length = 0
    is_text, held = False, b""
    for block in blocks:
        # What is escaped is taken out; a backslash at the end waits for what it escapes.
        plain = (held + block).replace(rb"\\", b"")
        held = b"\\" if plain.endswith(b"\\") else b""
        marks = plain.replace(rb"\"", b"").translate(None, _NO_MARKS)
        length = length + len(block) if is_text and b'"' not in marks else 0
        if length > _SMALL:
            raise UnreadableError(f"a text of more than {_SMALL:,} bytes")
        marks = b'"' + marks if is_text else marks
        is_text = marks.count(b'"') % 2 == 1
        for step in map(_STEPS.__getitem__, _JSON_TEXT.sub(b"", marks)):
            depth += step
            if depth > deepest:
                raise UnreadableError(f"nested more than {deepest} deep; no graph needs that")
        yield block


def _without_growth(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same XML, as long as its entities do not grow when they are put in.

    Raises:
        UnreadableError: an entity is long, holds another one, or stands where nobody looks.
    """
    head = b""
    for block in blocks:
        head += block
        if len(head) > _DTD:
            break
    for entity in _ENTITY.finditer(head):
        value = _VALUE.search(entity[1])
        text = b"" if value is None else value[1] or value[2] or b""
        if len(text) > _LONGEST_ENTITY or _REFERENCE.search(text):
            line = head.count(b"\n", 0, entity.start()) + 1
            raise UnreadableError(
                f"line {line}: this entity is longer than {_LONGEST_ENTITY} bytes or holds "
                "another entity; write it out"
            )
    yield head
    rest = head[-_KEPT:]
    for block in blocks:
        if b"<!ENTITY" in rest + block:
            raise UnreadableError(f"an entity is declared behind the first {_DTD:,} bytes")
        rest = block[-_KEPT:]
        yield block


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
