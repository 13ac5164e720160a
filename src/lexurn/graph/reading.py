"""Readers of RDF: bytes to statements, with limits on hostile documents.

The parsers are pyoxigraph's. JSON-LD is read leniently and then held to the rules of
strict readers, since these leave out texts with an invalid language tag, and say nothing.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

import pyoxigraph

from lexurn.errors import GraphError
from lexurn.graph.jsonld import inline_context
from lexurn.graph.statements import LAYERS, Layer, Statements
from lexurn.graph.writing import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.graph.statements import Triple

_BOM = b"\xef\xbb\xbf"
_LONGEST_SHOWN = 80


def read(data: bytes, format: Format) -> Statements:
    """Read the statements in some bytes; those in no layer's graph go to ``catalogued``.

    Raises:
        GraphError: the bytes are not of that format; the message gives the position if known.
            Or they would fill memory: JSON nested too deep, XML entities within entities, a text
            of more than 16 MiB. Or a text has an invalid language tag.
    """
    layers: dict[str, list[Triple]] = {layer: [] for layer in Layer}
    try:
        for quad in _parse_quads(data.removeprefix(_BOM), format):
            layer = LAYERS.get(str(quad.graph_name), Layer.CATALOGUED)
            layers[layer].append((str(quad.subject), str(quad.predicate), str(quad.object)))
    except SyntaxError as error:
        problem = str(error.msg).removeprefix("Parser error at ")
        if error.lineno is not None:  # the position goes to the front
            _, _, bare = problem.partition(": ")
            column = "" if error.offset is None else f", column {error.offset}"
            problem = f"line {error.lineno}{column}: {bare or problem}"
        raise GraphError(f"not {format.media_type}: {problem}") from None
    except MemoryError as error:  # the parser's own bound
        raise GraphError(f"a text or a term is too long to be read: {error}") from None
    except GraphError as fault:
        raise GraphError(f"not {format.media_type}: {fault}") from None
    return Statements(**{layer: tuple(triples) for layer, triples in layers.items()})


def _parse_quads(data: bytes, format: Format) -> Iterator[pyoxigraph.Quad]:
    """Parse some bytes to quads; JSON-LD is held to the rules of the other formats.

    Raises:
        GraphError: as `read`, except for faults that the parser reports.
    """
    is_json = format is Format.JSONLD
    text = b"".join(guard_document([data], format))
    text = inline_context(text) if is_json else text
    for quad in pyoxigraph.parse(text, format=format.engine, lenient=is_json):
        known = check_quad(quad) if is_json else quad
        if isinstance(known, InvalidLanguageTag):
            shown = pyoxigraph.Literal(_shorten(str(getattr(quad.object, "value", ""))))
            where = f"{quad.subject} {quad.predicate} {shown}"
            raise GraphError(f"{known.reason}; it is in {where}")
        if known is None:
            continue
        value = known.object
        if isinstance(value, pyoxigraph.Triple):
            raise GraphError(f"{value} is a triple within a triple, which is RDF 1.2; use RDF 1.1")
        if isinstance(value, pyoxigraph.Literal) and value.direction is not None:
            raise GraphError(f"{value} has a direction, which is RDF 1.2; use RDF 1.1")
        yield known


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


class InvalidLanguageTag(NamedTuple):
    """Statement of a text with an invalid language tag.

    Attributes:
        quad: the statement as it was written.
        reason: the fault of the tag.
    """

    quad: pyoxigraph.Quad
    reason: str


def check_quad(quad: pyoxigraph.Quad) -> pyoxigraph.Quad | InvalidLanguageTag | None:
    """Check a quad of JSON-LD that was read leniently, by the rules of strict readers.

    Returns:
        The quad; None for one without an absolute IRI, which JSON-LD 1.1 leaves out.

    Raises:
        GraphError: a datatype is not an IRI.
    """
    subject, predicate, value, graph = quad
    if not all(map(_is_valid, (subject, predicate, value, graph))):
        return None
    if not isinstance(value, pyoxigraph.Literal):
        return quad
    if not _is_valid(value.datatype):
        raise GraphError(f"the datatype {value.datatype} is not an absolute IRI (RFC 3987)")
    tag = value.language
    if tag is None or value.direction is not None:
        return quad
    try:
        text = pyoxigraph.Literal(value.value, language=tag)  # the tag in lower case
    except ValueError as fault:
        reason = f'"{_shorten(tag)}" is not a language tag (RFC 5646): {fault}'
        return InvalidLanguageTag(quad, reason)
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


LONGEST_TEXT: Final = 1 << 24
"""How many bytes the engine reads as one text."""

_DEEPEST_JSON: Final = 500
_LONGEST_ENTITY: Final = 256
_LONGEST_DTD: Final = 1 << 20
_OVERLAP: Final = 64
_NO_MARKS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_JSON_TEXT: Final = re.compile(rb'"[^"]*+"?')
_DEPTH_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ENTITY: Final = re.compile(rb"<!ENTITY([^<]*)")
_VALUE: Final = re.compile(rb"\"([^\"]*)\"|'([^']*)'")
_REFERENCE: Final = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")


def guard_document(blocks: Iterable[bytes], format: Format) -> Iterable[bytes]:
    """Pass on the bytes of a document as long as nothing in them would fill memory.

    Args:
        blocks: the bytes, cut anywhere.
        format: their format.

    Raises:
        GraphError: when they are read: JSON is nested too deep, or XML has entities that grow.
    """
    if format is Format.JSONLD:
        return guard_json(blocks)
    return _guard_xml(blocks) if format is Format.RDFXML else blocks


def guard_json(blocks: Iterable[bytes], *, deepest: int = _DEEPEST_JSON) -> Iterator[bytes]:
    """Pass on JSON as long as it is neither nested too deep nor holds a text too long for memory.

    Args:
        blocks: its bytes, cut anywhere.
        deepest: the most objects and arrays that may lie in each other.

    Raises:
        GraphError: it is nested deeper, or a text is too long.
    """
    depth = length = 0
    is_text, waiting = False, b""
    for block in blocks:
        # Escaped characters are taken out; a backslash at the end waits for the next block.
        plain = (waiting + block).replace(rb"\\", b"")
        waiting = b"\\" if plain.endswith(b"\\") else b""
        marks = plain.replace(rb"\"", b"").translate(None, _NO_MARKS)
        length = length + len(block) if is_text and b'"' not in marks else 0
        if length > LONGEST_TEXT:
            raise GraphError(f"a text of more than {LONGEST_TEXT:,} bytes")
        marks = b'"' + marks if is_text else marks
        is_text = marks.count(b'"') % 2 == 1
        for step in map(_DEPTH_STEPS.__getitem__, _JSON_TEXT.sub(b"", marks)):
            depth += step
            if depth > deepest:
                raise GraphError(f"nested more than {deepest} deep; no graph needs that")
        yield block


def _guard_xml(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on XML as long as its entities do not grow when they are expanded.

    Raises:
        GraphError: an entity is long, holds another one, or is declared too far after the start.
    """
    coming = iter(blocks)
    head = b""
    for block in coming:
        head += block
        if len(head) > _LONGEST_DTD:
            break
    for entity in _ENTITY.finditer(head):
        value = _VALUE.search(entity[1])
        text = b"" if value is None else value[1] or value[2] or b""
        if len(text) > _LONGEST_ENTITY or _REFERENCE.search(text):
            line = head.count(b"\n", 0, entity.start()) + 1
            raise GraphError(
                f"line {line}: this entity is longer than {_LONGEST_ENTITY} bytes or contains "
                "another entity; write it out"
            )
    yield head
    rest = head[-_OVERLAP:]
    for block in coming:
        if b"<!ENTITY" in rest + block:
            raise GraphError(f"an entity is declared after the first {_LONGEST_DTD:,} bytes")
        rest = block[-_OVERLAP:]
        yield block


_BLOCK: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"


def decompress_stream(stream: IO[bytes]) -> Iterator[bytes]:
    """Read a stream in blocks, decompressed where it is gzip, without a byte order mark.

    Args:
        stream: open at its start; its first bytes tell whether it is compressed.

    Raises:
        GraphError: it cannot be read to its end, or its checksum is wrong.
    """
    try:
        head = stream.read(2)
        if head == _GZIP:
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=_Joined(head, stream)))
            head = b""
        head += stream.read(_BLOCK)
        yield head.removeprefix(_BOM)
        while block := stream.read(_BLOCK):
            yield block
    except EOFError:
        raise GraphError("it ends too early; copy the whole file") from None
    except (OSError, zlib.error, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise GraphError(f"it cannot be read: {why}") from None


class _Joined(io.RawIOBase):
    """Stream with bytes put back before it."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)
