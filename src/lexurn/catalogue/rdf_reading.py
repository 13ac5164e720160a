"""Reading of RDF: files and streams, compressed or not, into statements.

N-Quads and N-Triples are read line by line: an invalid line is set apart, and the next one is read.
Turtle, TriG, JSON-LD and RDF/XML are read as a whole or not at all, in bounded memory. Documents
made to fill memory are refused: JSON nested too deep, XML entities that grow, texts without end.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

import pyoxigraph

from lexurn.catalogue.files import BlockStream
from lexurn.errors import CatalogueError, GraphError
from lexurn.graph import (
    LONGEST_TEXT,
    Format,
    InvalidLanguageTag,
    check_quad,
    decompress_stream,
    guard_document,
    inline_context,
)
from lexurn.vocabulary import XSD

if TYPE_CHECKING:
    from contextlib import ExitStack

_BLOCK: Final = 1 << 16
RdfInputSource = str | Path | IO[bytes] | Iterable[bytes]
Statement = tuple[str, str, str, str]
"""Subject, predicate and object as N-Triples has them; the graph, empty for none."""


class BrokenSourceError(Exception):
    """Error: a source cannot be read on; its message says why."""


class InvalidStatement(NamedTuple):
    """Line that is not a statement, or statement with an invalid language tag.

    Attributes:
        raw: its bytes, with the line end.
        line: its line, 0 in a format that is not read by lines.
        reason: the fault.
    """

    raw: bytes
    line: int
    reason: str


class RdfInput(NamedTuple):
    """Source, open at its start.

    Attributes:
        file: its name as it was given, ``-`` without one.
        format: the format of RDF.
        blocks: its bytes, decompressed.
    """

    file: str
    format: Format
    blocks: Iterator[bytes]


def open_rdf(source: RdfInputSource, stated: str | None, stack: ExitStack) -> RdfInput:
    """Open a source.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or pieces of N-Quads.
        stated: the format by name; None to go by the extension, N-Quads where there is none.
        stack: closes the file in the end.

    Raises:
        CatalogueError: it cannot be opened, or its format is unknown.
    """
    if isinstance(source, str | Path):
        file = str(source)
        stream = _open_stream(file, stack)
    elif hasattr(source, "read"):
        stream, name = cast("IO[bytes]", source), getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    else:
        return RdfInput("-", Format.NQUADS, iter(source))
    path = Path(file)
    extension = path.suffix if path.suffix.lower() != ".gz" else path.with_suffix("").suffix
    name = stated or extension or ("nquads" if file == "-" else "")
    try:
        found = Format.from_name("rdf" if name.lower() in {"owl", ".owl"} else name)
    except GraphError as unknown:
        raise CatalogueError(f"{file}: {unknown}. Use --format to name it.") from None
    return RdfInput(file, found, decompress_stream(stream))


def _open_stream(file: str, stack: ExitStack) -> IO[bytes]:
    if file == "-":
        stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise CatalogueError("-: there is no standard input. Name a file.")
        return stream
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise CatalogueError(f"{file}: cannot be opened: {why}") from None


def read_statements(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    """Read the statements of a source.

    Args:
        source: the source.
        prefix: the start of the labels of blank nodes, so that two sources share none.

    Raises:
        BrokenSourceError: it cannot be read to its end, or is made to fill memory.
    """
    is_by_lines = source.format in {Format.NQUADS, Format.NTRIPLES}
    read = _read_lines if is_by_lines else _read_document
    try:
        yield from read(source, prefix)
    except GraphError as fault:
        raise BrokenSourceError(str(fault)) from None
    except SyntaxError as fault:
        message = str(fault.msg).removeprefix("Parser error at ")
        if "remote context" in message:
            message = (
                "its @context is in another document, and nothing is fetched from the network. "
                "Write the context itself into the document."
            )
        elif fault.lineno is not None:
            column = "" if fault.offset is None else f", column {fault.offset}"
            message = f"line {fault.lineno}{column}: {message.partition(': ')[2] or message}"
        raise BrokenSourceError(f"not {source.format.media_type}: {message}") from None
    except MemoryError:  # the engine's own bound
        raise BrokenSourceError(f"a text of more than {LONGEST_TEXT:,} bytes") from None


# Lines as lexurn and Oxigraph write them. Reading all others with the engine takes twice as long.
_IRI: Final = r"<[a-z]++:[!#-;=?-\[\]_a-z~]*+>"
_TEXT: Final = r'"(?:[^"\\\x00-\x1f\x7f\ufffe\uffff]++|\\["\\btnfr])*+"'
_TAG: Final = "@[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2}|-[0-9]{3})?"
_LITERAL: Final = rf"{_TEXT}(?:{_TAG}|\^\^(?!<{XSD}string>){_IRI})?"
_LINE: Final = re.compile(
    rf"^({_IRI}) ({_IRI}) ({_IRI}|{_LITERAL})(?: ({_IRI}))? \.$", re.MULTILINE
)
_LIKE_TAG: Final = re.compile("[A-Za-z0-9-]+")


def _read_lines(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    number = 1
    for lines in _split_at_lines(source.blocks):
        count = lines.count(b"\n")
        try:
            found = _LINE.findall(lines.decode())
            if len(found) != count or not lines.endswith(b"\n"):
                found = [_convert_quad(quad, prefix) for quad in _parse_lines(lines)]
        except (SyntaxError, UnicodeDecodeError):
            for line_number, line in enumerate(io.BytesIO(lines), number):
                try:
                    yield from [_convert_quad(quad, prefix) for quad in _parse_lines(line)]
                except SyntaxError as fault:
                    yield InvalidStatement(line, line_number, _explain_line(fault, line))
        else:
            yield from found
        number += count


def _parse_lines(lines: bytes) -> Iterator[pyoxigraph.Quad]:
    return pyoxigraph.parse(lines, format=pyoxigraph.RdfFormat.N_QUADS)


def _split_at_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut bytes after line ends.

    Raises:
        BrokenSourceError: a line is too long for memory.
    """
    rest = b""
    for block in blocks:
        lines, end, after = (rest + block).rpartition(b"\n")
        if end:
            yield lines + end
        rest = after
        if len(rest) > LONGEST_TEXT:
            raise BrokenSourceError(f"a line of more than {LONGEST_TEXT:,} bytes")
    if rest:
        yield rest


def _explain_line(fault: SyntaxError, line: bytes) -> str:
    """Return the parser's message on a line; of a language tag it names only the part at fault."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8"
    message = str(fault.msg).removeprefix("Parser error at ").partition(": ")[2] or str(fault.msg)
    start, end = (fault.offset or 1) - 1, fault.end_offset or 0
    tag = _LIKE_TAG.match(text, start, end)
    if tag is None or text[:start][-2:] != '"@':
        return message
    return f'"{tag[0]}" is not a language tag (RFC 5646): {message}'


def _convert_quad(quad: pyoxigraph.Quad, prefix: str) -> Statement:
    """Convert a quad of the engine; blank nodes get a label that no other source has."""
    subject, predicate, value, graph = map(str, quad)
    if "_:" in (subject[:2], value[:2], graph[:2]):
        subject, value, graph = (
            f"_:{prefix}{term[2:]}" if term.startswith("_:") else term
            for term in (subject, value, graph)
        )
    return subject, predicate, value, "" if graph == "DEFAULT" else graph


def _read_document(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    blocks = iter(guard_document(source.blocks, source.format))
    if source.format is not Format.JSONLD:
        stream = io.BufferedReader(BlockStream(blocks), _BLOCK)
        for quad in pyoxigraph.parse(stream, format=source.format.engine):
            yield _convert_quad(quad, prefix)
        return
    # A small document may have its keys in any order. A large one must begin with its context, or
    # with the URL of ours: held whole, it takes ten times as much memory in the engine.
    held: list[bytes] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > LONGEST_TEXT:
            break
    text = inline_context(b"".join(held))
    if size > LONGEST_TEXT:
        stream = io.BufferedReader(BlockStream(chain([text], blocks)), _BLOCK)
        streaming = pyoxigraph.RdfFormat.STREAMING_JSON_LD
        quads = pyoxigraph.parse(stream, format=streaming, lenient=True)
    else:
        quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD, lenient=True)
    del held, text
    for quad in quads:
        known = check_quad(quad)
        if isinstance(known, InvalidLanguageTag):
            yield InvalidStatement(f"{known.quad} .\n".encode(), 0, known.reason)
        elif known is not None:
            yield _convert_quad(known, prefix)
