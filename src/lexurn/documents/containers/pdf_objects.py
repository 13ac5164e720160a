"""PDF objects: their syntax, their streams, and the cross-reference sections that list them.

Cross-reference sections are read strictly (ISO 32000-2 sections 7.3 to 7.5). If one is broken,
other programs reconstruct it, and an update after it might be lost or do harm. All functions raise
`PdfError` if something else stands where they read.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from lexurn.documents.document import Document

# Dictionaries in dictionaries: a catalog needs some ten.
_DEEPEST = 100

# White space and comments.
_BLANKS: Final = re.compile(rb"(?:[\x00\t\n\x0c\r ]++|%[^\r\n]*+)*+")
# The head of an indirect object: ``12 0 obj``.
_OBJECT_HEADER: Final = re.compile(
    rb"[\x00\t\n\x0c\r ]*+(\d{1,10})[\x00\t\n\x0c\r ]++(\d{1,5})[\x00\t\n\x0c\r ]++obj"
    rb"(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])"
)
_REFERENCE = re.compile(
    rb"(\d{1,10})[\x00\t\n\x0c\r ]++(\d{1,5})[\x00\t\n\x0c\r ]++R"
    rb"(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])"
)
_WORD = re.compile(rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+")
_INTEGER = re.compile(rb"[+-]?\d{1,19}")
_REAL = re.compile(rb"[+-]?(?:\d+\.\d*|\.\d+|\d{20,})")
_HEX = re.compile(rb"<([0-9A-Fa-f\x00\t\n\x0c\r ]*+)>")
_ESCAPED_IN_NAME = re.compile(rb"#([0-9A-Fa-f]{2})")
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPED = re.compile(rb"\\(\r\n|[0-7]{1,3}|.)|\r\n?", re.DOTALL)
_ESCAPES = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    # An end of line after a backslash is no part of the text.
    **dict.fromkeys((b"\r\n", b"\r", b"\n"), b""),
}
_WORDS = {b"true": True, b"false": False, b"null": None}

_UNICODE = (
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xef\xbb\xbf", "utf-8"),
)
# A language and a country between two escapes; some write two letters in one unit of UTF-16.
_LANGUAGE_ESCAPE = re.compile(r"\x1b[^\x1b]{1,5}\x1b")

# Characters of PDFDocEncoding that differ from Latin-1 (annex D.2).
_PDF_DOC = dict(
    zip(
        (*range(0x18, 0x20), *range(0x80, 0xA1)),
        "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"
        "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c"
        "\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142"
        "\u0153\u0161\u017e\ufffd\u20ac",
        strict=True,
    )
)


class PdfError(ValueError):
    """Error of bytes that are not valid PDF; the message says what is wrong."""


class PdfReference(NamedTuple):
    """Reference to an indirect object, as ``12 0 R``."""

    number: int
    generation: int


class DictionaryEntry(NamedTuple):
    """Key of a dictionary, without its slash, and its value, with the offsets of both."""

    key: str
    value: PdfValue
    start: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfDictionary:
    """Dictionary, and the offsets of its parts in some bytes, from ``<<`` to ``>>``."""

    data: bytes
    start: int
    end: int
    entries: tuple[DictionaryEntry, ...]

    def find_entry(self, key: str) -> DictionaryEntry | None:
        """Return the entry of a key; None if there is none. Readers differ if there are two."""
        found = [each for each in self.entries if each.key == key]
        if len(found) > 1:
            raise PdfError(f"/{key} is repeated in a dictionary")
        return found[0] if found else None

    def get(self, key: str) -> PdfValue:
        """Return the value of a key; None if there is none."""
        found = self.find_entry(key)
        return None if found is None else found.value

    def write_without(self, *keys: str) -> bytes:
        """Return the entries with other keys, as they are written, a line each."""
        kept = (each for each in self.entries if each.key not in keys)
        return b"".join(self.data[each.start : each.end] + b"\n" for each in kept)


PdfValue: TypeAlias = (
    bool | int | float | str | bytes | PdfReference | PdfDictionary | tuple["PdfValue", ...] | None
)
"""Value of an object: a name is a ``str`` without its slash, a string is ``bytes``."""


def parse_value(data: bytes, at: int, depth: int = 0) -> tuple[PdfValue, int]:
    """Parse the value at an offset; ``depth`` counts the values around it.

    Returns:
        The value, and the offset after it.
    """
    at = _skip_blanks(data, at)
    if depth > _DEEPEST:
        raise PdfError("objects are nested too deeply")
    if data.startswith(b"<<", at):
        return _parse_dictionary(data, at, depth)
    first = data[at : at + 1]
    if first == b"/":
        name = _match(_WORD, data, at + 1)
        raw = _ESCAPED_IN_NAME.sub(lambda code: bytes([int(code[1], 16)]), name)
        return raw.decode("utf-8", "surrogateescape"), at + 1 + len(name)
    if first == b"[":
        return _parse_array(data, at, depth)
    if first == b"(":
        return _parse_literal_string(data, at)
    if first != b"<":
        return _parse_word(data, at)
    found = _HEX.match(data, at)
    if found is None:
        raise PdfError("a string is broken")
    digits = b"".join(found[1].replace(b"\0", b"").split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii")), found.end()


def _match(pattern: re.Pattern[bytes], data: bytes, at: int) -> bytes:
    """Return what a pattern, which may be empty, matches at an offset."""
    found = pattern.match(data, at)
    return b"" if found is None else found[0]


def _skip_blanks(data: bytes, at: int) -> int:
    """Return the offset after blanks and comments."""
    end = at + len(_match(_BLANKS, data, at))
    if end >= len(data):
        raise PdfError("it ends within an object")
    return end


def _parse_dictionary(data: bytes, start: int, depth: int) -> tuple[PdfDictionary, int]:
    entries: list[DictionaryEntry] = []
    at = _skip_blanks(data, start + 2)
    while not data.startswith(b">>", at):
        key, end = parse_value(data, at, depth + 1)
        if not isinstance(key, str):
            raise PdfError("a key of a dictionary is not a name")
        value_start = _skip_blanks(data, end)
        value, end = parse_value(data, value_start, depth + 1)
        entries.append(DictionaryEntry(key, value, at, value_start, end))
        at = _skip_blanks(data, end)
    end = at + 2
    return PdfDictionary(data=data, start=start, end=end, entries=tuple(entries)), end


def _parse_array(data: bytes, start: int, depth: int) -> tuple[tuple[PdfValue, ...], int]:
    values: list[PdfValue] = []
    at = _skip_blanks(data, start + 1)
    while data[at] != ord("]"):
        value, at = parse_value(data, at, depth + 1)
        values.append(value)
        at = _skip_blanks(data, at)
    return tuple(values), at + 1


def _parse_literal_string(data: bytes, start: int) -> tuple[bytes, int]:
    depth = 0
    for found in _BRACKET.finditer(data, start):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return _ESCAPED.sub(_unescape, data[start + 1 : found.start()]), found.end()
    raise PdfError("a string has no end")


def _unescape(found: re.Match[bytes]) -> bytes:
    what: bytes | None = found[1]
    if what is None:
        return b"\n"
    if what[0] in b"01234567":
        return bytes([int(what, 8) & 0xFF])
    return _ESCAPES.get(what, what)


def _parse_word(data: bytes, at: int) -> tuple[PdfValue, int]:
    reference = _REFERENCE.match(data, at)
    if reference is not None:
        return PdfReference(int(reference[1]), int(reference[2])), reference.end()
    word = _match(_WORD, data, at)
    if _INTEGER.fullmatch(word):
        return int(word), at + len(word)
    if _REAL.fullmatch(word):
        return float(word[:400]), at + len(word)
    if word in _WORDS:
        return _WORDS[word], at + len(word)
    strange = (word or data[at : at + 1])[:20].decode("latin-1")
    raise PdfError(f"{strange!r} is not an object")


def decode_text_string(value: bytes) -> str:
    """Decode a text string: UTF-16, UTF-8 or PDFDocEncoding (section 7.9.2.2).

    The language of a text in Unicode is not a part of it (section 7.9.2.2.1).
    """
    for mark, codec in _UNICODE:
        if value.startswith(mark):
            return _LANGUAGE_ESCAPE.sub("", value[len(mark) :].decode(codec, "replace"))
    return value.decode("latin-1").translate(_PDF_DOC)


LARGEST_STREAM: Final = 1 << 26
"""Limit for the bytes of an unpacked stream, as ten million objects of a file need them."""

_UP = 2
_FIRST_PNG = 10


def unpack_stream(dictionary: PdfDictionary, data: bytes, limit: int = LARGEST_STREAM) -> bytes:
    """Unpack the bytes of a stream, whose filters and their parameters are direct objects."""
    packing, parameters = (
        value[0] if isinstance(value, tuple) and len(value) == 1 else value
        for value in map(dictionary.get, ("Filter", "DecodeParms"))
    )
    if packing not in {None, (), "FlateDecode"}:
        raise PdfError(f"a stream is compressed by {str(packing)[:40]}")
    if packing == "FlateDecode":
        machine = zlib.decompressobj()
        try:
            data = machine.decompress(data, limit + 1)
        except zlib.error:
            raise PdfError("a compressed stream is broken") from None
        if not machine.eof and len(data) <= limit:
            raise PdfError("a compressed stream is truncated")
        if isinstance(parameters, PdfDictionary):
            data = _undo_predictor(data, parameters)
    if len(data) > limit:
        raise PdfError(f"a stream is larger than {limit:,} bytes")
    return data


def _undo_predictor(data: bytes, parameters: PdfDictionary) -> bytes:
    """Undo a PNG predictor (section 7.4.4.4) with one byte per column.

    Rows with another filter than "up" are refused; nearly no writer makes them.
    """
    predictor = _read_parameter(parameters, "Predictor")
    if predictor == 1:
        return data
    if predictor < _FIRST_PNG:
        raise PdfError(f"a stream uses the predictor {predictor}, which is not supported")
    width = _read_parameter(parameters, "Columns")
    rows = len(data) // (width + 1)
    data = data[: rows * (width + 1)]
    if not set(data[:: width + 1]) <= {_UP}:
        raise PdfError("a stream uses an unusual predictor")
    result = bytearray(rows * width)
    for column in range(width):
        sums = accumulate(data[column + 1 :: width + 1])
        result[column::width] = bytes(each & 0xFF for each in sums)
    return bytes(result)


def _read_parameter(parameters: PdfDictionary, key: str) -> int:
    value = parameters.get(key)
    if value is None:
        return 1
    if not isinstance(value, int) or not 0 < value < 1 << 16:
        raise PdfError(f"/{key} of a stream is out of range")
    return value


LARGEST_OBJECT: Final = 1 << 20
"""Limit for the bytes of one object without its stream; catalogs have some thousand."""

# The numbers of a reference at the end of the bytes may be those of a longer one.
_LONGEST_REFERENCE = 64
_STREAM = re.compile(rb"stream(\r?\n|\r)")
_END_OF_STREAM = re.compile(rb"[\x00\t\n\x0c\r ]*endstream")


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfObject:
    """Value of an indirect object; of a stream its dictionary, and the offset of its bytes."""

    value: PdfValue
    stream: int | None = None


def _read_value(document: Document, at: int) -> tuple[PdfValue, int]:
    """Return the value at an offset of a document, and the offset after it."""
    data = document.read(at, at + LARGEST_OBJECT)
    value, end = parse_value(data, 0)
    if end + _LONGEST_REFERENCE > len(data) and at + len(data) < document.size:
        raise PdfError(f"an object is larger than {LARGEST_OBJECT:,} bytes")
    return value, at + end


def read_object(document: Document, offset: int, reference: PdfReference | None) -> PdfObject:
    """Read the indirect object at an offset; with a reference it must be that object."""
    head = _OBJECT_HEADER.match(document.read(offset, offset + 256))
    if head is None:
        raise PdfError(f"there is no object at {offset}")
    if reference is not None and (int(head[1]), int(head[2])) != reference:
        raise PdfError(f"there is an object other than {reference.number} at {offset}")
    value, end = _read_value(document, offset + head.end())
    if not isinstance(value, PdfDictionary):
        return PdfObject(value=value)
    after = document.read(end, end + 4096)
    stream = _STREAM.match(after, len(_match(_BLANKS, after, 0)))
    return PdfObject(value=value, stream=None if stream is None else end + stream.end())


def read_stream(document: Document, start: int, length: PdfValue, limit: int) -> bytes:
    """Read the packed bytes of a stream at an offset; the length is that in its dictionary."""
    if not isinstance(length, int) or not 0 <= length <= document.size - start:
        raise PdfError("the length of a stream is wrong")
    if length > limit:
        raise PdfError(f"a stream is larger than {limit:,} bytes")
    end = start + length
    if _END_OF_STREAM.match(document.read(end, end + 64)) is None:
        raise PdfError("the length of a stream is wrong")
    return document.read(start, end)


# A section is added by each saving of a file; a subsection is a run of numbers without a gap.
_MOST_SECTIONS = 2_000
_MOST_SUBSECTIONS = 200_000
HIGHEST_NUMBER: Final = 8_388_607
"""Highest number of an object (ISO 32000-1 annex C)."""

# Readers look for the end so far from the end of the file (ISO 32000-1, note in annex H).
_TAIL = 1_024
_START = re.compile(rb"startxref[\x00\t\n\x0c\r ]+(\d{1,12})[\x00\t\n\x0c\r ]+%%EOF")
_TABLE = re.compile(rb"[\x00\t\n\x0c\r ]*xref[\t ]*(?:\r\n|\r|\n)")
_SUBSECTION = re.compile(rb"[\x00\t\n\x0c\r ]*(\d{1,10})[\t ]+(\d{1,10})[\t ]*(?:\r\n|\r|\n)")
_TRAILER = re.compile(rb"[\x00\t\n\x0c\r ]*trailer")
_ROW = re.compile(rb"(\d{10}) (\d{5}) ([nf])[\t ]*(?:\r\n|\r|\n)")
_LONGEST_ROW = 32


class ObjectInFile(NamedTuple):
    """Position of an object that stands in the file itself."""

    offset: int
    generation: int


class ObjectInStream(NamedTuple):
    """Position of an object that stands in an object stream."""

    stream: int


ObjectPosition: TypeAlias = ObjectInFile | ObjectInStream | None
"""Position of an object; None for one that is free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XrefRun:
    """Rows of objects with consecutive numbers."""

    numbers: range
    start: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class XrefSection:
    """Cross-reference section with its trailer, which is the dictionary of a stream.

    A stream has unpacked rows, whose columns have widths; a table has neither.
    """

    document: Document
    offset: int
    trailer: PdfDictionary
    runs: tuple[XrefRun, ...]
    rows: bytes | None = None
    widths: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Highest number in it, plus one."""
        return max((run.numbers.stop for run in self.runs if run.numbers), default=0)

    def read_place(self, run: XrefRun, number: int) -> ObjectPosition:
        """Return the position of an object in a run; None if it is free."""
        at = run.start + run.numbers.index(number) * run.width
        if self.rows is None:
            row = _read_table_row(self.document, at)
            return ObjectInFile(int(row[1]), int(row[2])) if row[3] == b"n" else None
        ends = pairwise(accumulate(self.widths, initial=at))
        values = [int.from_bytes(self.rows[start:end], "big") for start, end in ends]
        kind = values[0] if self.widths[0] else 1
        if kind == 1:
            return ObjectInFile(values[1], values[2])
        return ObjectInStream(values[1]) if kind == 2 else None  # table 18


def _read_table_row(document: Document, at: int) -> re.Match[bytes]:
    row = _ROW.match(document.read(at, at + _LONGEST_ROW))
    if row is None:
        raise PdfError("a row of the cross-reference table is broken")
    return row


def read_xref_sections(document: Document) -> tuple[XrefSection, ...]:
    """Read all sections, the last one first."""
    tail = document.read(max(0, document.size - _TAIL))
    found = _START.match(tail, max(0, tail.rfind(b"startxref")))
    if found is None:
        raise PdfError("it does not end in startxref, an offset, and %%EOF")
    sections: list[XrefSection] = []
    seen: set[int] = set()
    offset: int | None = int(found[1])
    runs = unpacked_bytes = 0
    while offset is not None:
        if offset in seen or len(seen) >= _MOST_SECTIONS:
            raise PdfError("its cross-reference sections have no end")
        seen.add(offset)
        section = _read_section(document, offset)
        sections.append(section)
        runs += len(section.runs)
        unpacked_bytes += len(section.rows or b"")
        if runs > _MOST_SUBSECTIONS or unpacked_bytes > LARGEST_STREAM:
            raise PdfError("its cross-reference sections are too large")
        previous = section.trailer.get("Prev")
        if previous is not None and not isinstance(previous, int):
            raise PdfError("/Prev of a trailer is not an offset")
        offset = previous
    if max(each.size for each in sections) > HIGHEST_NUMBER:
        raise PdfError("an object has a number that is too high")
    return tuple(sections)


def _read_section(document: Document, offset: int) -> XrefSection:
    if not 0 <= offset < document.size:
        raise PdfError("a cross-reference section lies outside of the file")
    head = _TABLE.match(document.read(offset, offset + 64))
    if head is None:
        return _read_stream_section(document, offset)
    runs, at = _read_table_runs(document, offset + head.end())
    trailer, _ = _read_value(document, at)
    if not isinstance(trailer, PdfDictionary):
        raise PdfError("a trailer is not a dictionary")
    if trailer.get("XRefStm") is not None:
        raise PdfError("it has a hybrid cross-reference section (/XRefStm)")
    return XrefSection(document=document, offset=offset, trailer=trailer, runs=runs)


def _read_table_runs(document: Document, at: int) -> tuple[tuple[XrefRun, ...], int]:
    """Read the subsections of a table, and return the offset after the word ``trailer``."""
    runs: list[XrefRun] = []
    while True:
        head = document.read(at, at + 256)
        end = _TRAILER.match(head)
        if end is not None:
            return tuple(runs), at + end.end()
        found = _SUBSECTION.match(head)
        if found is None or len(runs) > _MOST_SUBSECTIONS:
            raise PdfError("a cross-reference table is broken")
        first, count, start = int(found[1]), int(found[2]), at + found.end()
        # Rows should have 20 bytes; some writers end a line in another way.
        width = _read_table_row(document, start).end() if count else 0
        runs.append(XrefRun(numbers=range(first, first + count), start=start, width=width))
        at = start + count * width


def _read_stream_section(document: Document, offset: int) -> XrefSection:
    found = read_object(document, offset, None)
    trailer = found.value
    if (
        found.stream is None
        or not isinstance(trailer, PdfDictionary)
        or trailer.get("Type") != "XRef"
    ):
        raise PdfError("there is no cross-reference section at an offset of one")
    data = read_stream(document, found.stream, trailer.get("Length"), LARGEST_STREAM)
    rows = unpack_stream(trailer, data)
    widths = _read_numbers("W", trailer.get("W"), 16)
    if len(widths) != 3 or not sum(widths):  # three columns
        raise PdfError("/W of a cross-reference stream is wrong")
    index = trailer.get("Index")
    key = "Size" if index is None else "Index"
    ends = _read_numbers(key, (0, trailer.get(key)) if index is None else index, 1 << 40)
    runs, at = [], 0
    for first, count in zip(ends[::2], ends[1::2], strict=False):
        numbers = range(first, first + count)
        runs.append(XrefRun(numbers=numbers, start=at, width=sum(widths)))
        at += count * sum(widths)
    if at > len(rows):
        raise PdfError(f"a cross-reference stream has fewer rows than /{key} says")
    return XrefSection(
        document=document,
        offset=offset,
        trailer=trailer,
        runs=tuple(runs),
        rows=rows,
        widths=widths,
    )


def _read_numbers(key: str, value: PdfValue, limit: int) -> tuple[int, ...]:
    if not isinstance(value, tuple) or len(value) > 2 * _MOST_SUBSECTIONS:
        raise PdfError(f"/{key} of a cross-reference stream is wrong")
    numbers = tuple(each for each in value if isinstance(each, int) and 0 <= each <= limit)
    if len(numbers) != len(value):
        raise PdfError(f"/{key} of a cross-reference stream is wrong")
    return numbers
