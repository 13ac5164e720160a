"""Reading of RDF: files and streams, packed or not, into statements and findings.

N-Quads and N-Triples are read by lines: what is no statement is set apart, and the next line is
read. Lines as lexurn and Oxigraph write them are told by a pattern, all others are given to the
engine. Turtle, TriG, JSON-LD and RDF/XML are documents, which the engine reads as a whole or not at
all, in bounded memory. What is made to fill memory is refused: JSON nested too deep or in an order
that has to be held whole, XML entities that grow.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, NamedTuple, cast

import pyoxigraph

from lexurn.errors import CatalogueError, GraphError
from lexurn.findings import Finding
from lexurn.graph import (
    LONGEST_TEXT,
    Format,
    InvalidLanguageTag,
    check_quad,
    decompress_stream,
    guard_document,
    load_context,
)
from lexurn.name import Severity
from lexurn.vocabulary import CONTEXT_URL, XSD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack
    from typing import Any, Final

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_RDF: Final = "RDF 1.1 Concepts §3"

REJECTION_CODES: Final = MappingProxyType(
    {
        "LX980": (_ERROR, "RDF 1.1 N-Quads §3", "this is no statement: {0}"),
        "LX981": (_WARNING, _RDF, "{0} is not ours: no catalogue of names keeps it"),
        "LX982": (_ERROR, "RFC 9676 §3", "{0}; no statement on this node is read"),
        "LX983": (_ERROR, _RDF, "{0}; nothing that is said of this node is read: mend it"),
        "LX984": (_ERROR, "RFC 9676 §5.2", "{0}"),
        "LX985": (_WARNING, _RDF, "{0} is described as a copy, but no name has it (lexo:item)"),
        "LX986": (_ERROR, _RDF, "nothing of this source is read: {0}"),
        "LX987": (_WARNING, _RDF, "{0}: this does not follow from what is known of the name"),
    }
)
"""For each code its weight, its rule, and its message."""


def make_finding(
    code: str, detail: str, *, file: str, line: int, unit: str = "line", text: str = ""
) -> Finding:
    """What is to be known of a statement.

    Args:
        code: a key of `REJECTION_CODES`.
        detail: what the message shows.
        file: the source as it was given.
        line: the line, or the number of the statement; 0 where all of the source is meant.
        unit: which of the two: ``line``, or ``statement`` in formats that are not read by lines.
        text: the statement.
    """
    severity, rule, message = REJECTION_CODES[code]
    shown = text if len(text) <= _LONGEST_SHOWN else ""
    return Finding(
        file=file,
        line=line,
        column=None,
        code=code,
        severity=severity,
        message=message.format(detail),
        rule=rule,
        end=len(shown),
        text=shown,
        unit=unit,
    )


_LONGEST_SHOWN: Final = 10_000
RdfInputSource = str | Path | IO[bytes] | Iterable[bytes]


class BrokenSourceError(Exception):
    """A source that cannot be read on: what is wrong, for people."""


class RdfInput(NamedTuple):
    """A source, open at its start.

    Attributes:
        file: how it was named, ``-`` for what has no name.
        format: the format of RDF.
        blocks: its bytes, unpacked.
    """

    file: str
    format: Format
    blocks: Iterator[bytes]

    @property
    def unit(self) -> str:
        """What its statements are numbered by: ``line`` where they are read by lines."""
        is_lines = self.format in {Format.NQUADS, Format.NTRIPLES}
        return "line" if is_lines else "statement"


def open_rdf(source: RdfInputSource, stated: str | None, stack: ExitStack) -> RdfInput:
    """Open a source.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or pieces of N-Quads whose
            lines are never cut.
        stated: the format by name; None to go by the extension, N-Quads where there is none.
        stack: closes the file in the end.

    Raises:
        CatalogueError: it cannot be opened, or nobody knows its format.
    """
    if isinstance(source, str | Path):
        file = str(source)
        stream = _open_standard_input() if file == "-" else _open_file(file, stack)
    elif hasattr(source, "read"):
        stream, name = cast("IO[bytes]", source), getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    else:
        return RdfInput("-", Format.NQUADS, iter(source))
    return RdfInput(file, _find_format(file, stated), _read_blocks(stream))


def _open_standard_input() -> IO[bytes]:
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise CatalogueError("-: there is no standard input to read from")
    return stream


def _open_file(file: str, stack: ExitStack) -> IO[bytes]:
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise CatalogueError(f"{file}: cannot be opened: {why}") from None


def _find_format(file: str, stated: str | None) -> Format:
    path = Path(file)
    extension = path.suffix if path.suffix.lower() != ".gz" else path.with_suffix("").suffix
    name = stated or extension
    if not name and file == "-":
        return Format.NQUADS
    try:
        return Format.from_name("rdf" if name.lower() in {"owl", ".owl"} else name)
    except GraphError as unknown:
        raise CatalogueError(f"{file}: {unknown}; say which one it is") from None


def _read_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a stream, unpacked, without a byte order mark.

    Raises:
        BrokenSourceError: they cannot be read on, or are not what they were packed from.
    """
    try:
        yield from decompress_stream(stream)
    except GraphError as broken:
        raise BrokenSourceError(str(broken)) from None


Statement = tuple[str, str, str, str]
"""Subject, predicate and object as N-Triples has them; the graph, empty for none."""
# What is not matched here is not refused, but read by the engine, at a fifth of the speed.
_IRI: Final = r"<[a-z]++:[!#-;=?-\[\]_a-z~]*+>"
_TEXT: Final = r'"(?:[^"\\\x00-\x1f\x7f\ufffe\uffff]++|\\["\\btnfr])*+"'
_STRING: Final = f"{XSD}string>"
_TAG: Final = "@[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2}|-[0-9]{3})?"
_LITERAL: Final = rf"{_TEXT}(?:{_TAG}|\^\^(?!<{_STRING}){_IRI})?"
_LINE: Final = re.compile(
    rf"^({_IRI}) ({_IRI}) ({_IRI}|{_LITERAL})(?: ({_IRI}))? \.$", re.MULTILINE
)
_LIKE_TAG: Final = re.compile("[A-Za-z0-9-]+")
_SUBJECT: Final = re.compile(rb"\s*(<[^<>\s]*>)")
_LONGEST_LINE: Final = 1 << 24


class BrokenLine(NamedTuple):
    """A line that is no statement, or a piece of one that is too long to be read at once.

    Attributes:
        raw: its bytes, with its line end.
        line: its number.
        reason: what is wrong; None for all pieces of a line but the first.
    """

    raw: bytes
    line: int
    reason: str | None


class QuadLines:
    """The lines of a source, as statements or as what is none."""

    def __init__(self, blocks: Iterable[bytes], prefix: str) -> None:
        """Keep the source.

        Args:
            blocks: its bytes.
            prefix: what labels of blank nodes begin with, so that two sources share none.
        """
        self._blocks, self._prefix = blocks, prefix
        self._line = 1

    def __iter__(self) -> Iterator[tuple[Statement, int] | BrokenLine]:
        for lines in self._whole():
            if isinstance(lines, BrokenLine):
                yield lines
            else:
                yield from self._read(lines)

    def _whole(self) -> Iterator[bytes | BrokenLine]:
        """The same bytes, cut behind line ends."""
        rest: list[bytes] = []
        held = 0
        is_long = False
        for block in self._blocks:
            lines, end, new = block.rpartition(b"\n")
            if end and is_long:
                tail, end, lines = (lines + end).partition(b"\n")
                yield BrokenLine(tail + end, self._line, None)
                self._line += 1
                is_long = False
                yield lines
            elif end:
                yield b"".join((*rest, lines, end))
            if end:
                rest, held = [], 0
            rest.append(new)
            held += len(new)
            if held > _LONGEST_LINE or is_long:
                reason = None if is_long else f"a line of more than {_LONGEST_LINE:,} bytes"
                yield BrokenLine(b"".join(rest), self._line, reason)
                rest, held, is_long = [], 0, True
        if any(rest):
            yield b"".join(rest)

    def _read(self, lines: bytes) -> Iterator[tuple[Statement, int] | BrokenLine]:
        count = lines.count(b"\n")
        try:
            found = _LINE.findall(lines.decode())
        except UnicodeDecodeError:
            found = []
        first = self._line
        if len(found) == count and lines.endswith(b"\n"):
            self._line += count
            yield from zip(found, range(first, first + count), strict=True)
            return
        for raw in lines.splitlines(keepends=True) if b"\r" not in lines else _split_lines(lines):
            yield from self._one(raw, self._line)
            self._line += 1

    def _one(self, raw: bytes, line: int) -> Iterator[tuple[Statement, int] | BrokenLine]:
        try:
            text = raw.rstrip(b"\r\n").decode()
        except UnicodeDecodeError:
            yield BrokenLine(raw, line, "it is not UTF-8")
            return
        plain = _LINE.fullmatch(text)
        if plain is not None:
            yield plain.groups(default=""), line  # type: ignore[misc]  # the pattern has the groups of a Statement
            return
        try:
            for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS):
                yield convert_quad(quad, self._prefix), line
        except SyntaxError as fault:
            yield BrokenLine(raw, line, _explain_line(fault, text))
        except MemoryError:  # the engine's own bound
            yield BrokenLine(raw, line, f"a line of more than {_LONGEST_LINE:,} bytes")


def _split_lines(lines: bytes) -> list[bytes]:
    return [line for line in re.split(rb"(?<=\n)", lines) if line]


def convert_quad(quad: pyoxigraph.Quad, prefix: str) -> Statement:
    """A statement of the engine; blank nodes get a label that no other source has."""
    terms = (quad.subject, quad.predicate, quad.object, quad.graph_name)
    subject, predicate, value, graph = (
        f"_:{prefix}{term.value}" if isinstance(term, pyoxigraph.BlankNode) else str(term)
        for term in terms
    )
    return subject, predicate, value, "" if graph == "DEFAULT" else graph


def guess_subject(raw: bytes) -> str | None:
    """What seems to be the subject of a line that is no statement."""
    found = _SUBJECT.match(raw)
    return None if found is None else found[1].decode(errors="replace")


def _explain_line(fault: SyntaxError, text: str) -> str:
    """What the engine says of a line; of a language tag it says only which part of it is wrong."""
    message = str(fault.msg).removeprefix("Parser error at ").partition(": ")[2] or str(fault.msg)
    start, end = (fault.offset or 1) - 1, fault.end_offset or 0
    tag = _LIKE_TAG.match(text, start, end)
    if tag is None or text[:start][-2:] != '"@':
        return message
    return f'"{tag[0]}" is not a language tag (RFC 5646): {message}'


_ENGINE_FORMATS: Final = {
    Format.TURTLE: pyoxigraph.RdfFormat.TURTLE,
    Format.TRIG: pyoxigraph.RdfFormat.TRIG,
    Format.RDFXML: pyoxigraph.RdfFormat.RDF_XML,
}
_LARGEST_WHOLE: Final = LONGEST_TEXT
"""What may be held whole: of JSON-LD in any order, the engine takes ten times as much memory."""

_LONGEST_OVERLAP: Final = 64
_CONTEXT: Final = re.compile(rb'"@context"\s*:\s*"https://w3id\.org/lexurn/context\.jsonld"')
_CONTEXT_URL: Final = CONTEXT_URL.encode()


def read_document(
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
        for number, quad in enumerate(_parse_quads(guard_document(blocks, format), format), 1):
            known = check_quad(quad) if format is Format.JSONLD else quad
            if isinstance(known, InvalidLanguageTag):
                yield BrokenLine(f"{known.quad} .\n".encode(), number, known.reason)
            elif known is not None:
                yield convert_quad(known, prefix)
    except GraphError as fault:
        raise BrokenSourceError(str(fault)) from None
    except SyntaxError as fault:
        raise BrokenSourceError(f"not {format.media_type}: {_explain_document(fault)}") from None
    except MemoryError:  # the engine's own bound
        raise BrokenSourceError(f"a text of more than {LONGEST_TEXT:,} bytes") from None


def _parse_quads(blocks: Iterable[bytes], format: Format) -> Iterator[pyoxigraph.Quad]:
    if format is Format.JSONLD:
        return _parse_jsonld(iter(blocks))
    return pyoxigraph.parse(_BlockStream(blocks), format=_ENGINE_FORMATS[format])  # type: ignore[arg-type]  # a read method is enough


def _parse_jsonld(blocks: Iterator[bytes]) -> Iterator[pyoxigraph.Quad]:
    """A small document in any order of its keys; a large one if it can be read as it comes."""
    held: list[bytes] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > _LARGEST_WHOLE:
            whole = chain(held, blocks)
            streaming = pyoxigraph.RdfFormat.STREAMING_JSON_LD
            stream = _BlockStream(_insert_context(whole))
            return pyoxigraph.parse(stream, format=streaming, lenient=True)  # type: ignore[arg-type]  # as above
    text = b"".join(held)
    text = _insert_context_whole(text)
    return pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD, lenient=True)


def _explain_document(fault: SyntaxError) -> str:
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


def _write_context() -> bytes:
    return b'"@context": ' + json.dumps(load_context()).encode()


def _insert_context(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """JSON-LD with our context in the place of its URL, so that it is read offline."""
    ours = _write_context()
    rest = b""
    for block in blocks:
        text = _CONTEXT.sub(lambda _: ours, rest + block)
        yield text[: -2 * _LONGEST_OVERLAP]
        rest = text[-2 * _LONGEST_OVERLAP :]
    yield rest


def _insert_context_whole(text: bytes) -> bytes:
    ours = _write_context()
    text = _CONTEXT.sub(lambda _: ours, text)
    if _CONTEXT_URL not in text:
        return text
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    named = document.get("@context") if isinstance(document, dict) else None
    if not isinstance(named, list):
        return text
    inside = [load_context() if each == _CONTEXT_URL.decode() else each for each in named]
    return json.dumps(document | {"@context": inside}).encode()


class _BlockStream(io.RawIOBase):
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
