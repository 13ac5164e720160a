"""Cross-reference sections of a PDF, from the last to the first (ISO 32000-2 section 7.5).

They are read strictly: where one of them is broken, readers make up their own, and an update that
is put behind them might be lost, or harm what they made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lexurn.embedding._pdf_objects import object_at, stream_bytes, value_in
from lexurn.embedding._pdf_streams import LARGEST, unpacked
from lexurn.embedding._pdf_syntax import Dictionary, Name, PdfError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._pdf_syntax import Value

__all__ = ["HIGHEST_NUMBER", "InFile", "InStream", "Place", "Section", "chain_of", "start_of"]

# A section is added by each saving of a file; a subsection is a run of numbers without a gap.
_MOST_SECTIONS = 2_000
_MOST_SUBSECTIONS = 200_000
HIGHEST_NUMBER: Final = 8_388_607
"""The highest number of an object (ISO 32000-1 annex C)."""

# Readers look for the end so far from the end of the file (ISO 32000-1, note in annex H).
_TAIL = 1_024
_START = re.compile(rb"startxref[\x00\t\n\x0c\r ]+(\d{1,12})[\x00\t\n\x0c\r ]+%%EOF")
_TABLE = re.compile(rb"[\x00\t\n\x0c\r ]*xref[\t ]*(?:\r\n|\r|\n)")
_SUBSECTION = re.compile(rb"[\x00\t\n\x0c\r ]*(\d{1,10})[\t ]+(\d{1,10})[\t ]*(?:\r\n|\r|\n)")
_TRAILER = re.compile(rb"[\x00\t\n\x0c\r ]*trailer")
_ROW = re.compile(rb"(\d{10}) (\d{5}) ([nf])[\t ]*(?:\r\n|\r|\n)")
_LONGEST_ROW = 32


class InFile(NamedTuple):
    """An object that stands in the file itself."""

    offset: int
    generation: int


class InStream(NamedTuple):
    """An object that stands in an object stream."""

    stream: int
    position: int


Place: TypeAlias = InFile | InStream | None
"""Where an object stands; None for one that is free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The rows of objects whose numbers follow each other."""

    first: int
    count: int
    start: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A cross-reference section.

    Attributes:
        offset: where it stands.
        trailer: its trailer; of a cross-reference stream the stream's dictionary.
        is_stream: whether it is a stream.
        size: one more than the highest number in it.
        hidden: the stream beside a table, for readers that know streams.
    """

    document: Document
    offset: int
    trailer: Dictionary
    runs: tuple[_Run, ...]
    rows: bytes | None = None
    widths: tuple[int, int, int] = (0, 0, 0)
    hidden: Section | None = None

    @property
    def is_stream(self) -> bool:
        return self.rows is not None

    @property
    def size(self) -> int:
        beside = 0 if self.hidden is None else self.hidden.size
        return max([beside, *(run.first + run.count for run in self.runs if run.count)])

    def knows(self, number: int) -> bool:
        """Whether it says anything of an object."""
        return any(run.first <= number < run.first + run.count for run in self.runs)

    def place(self, number: int) -> Place:
        """Where it says that an object stands.

        Raises:
            PdfError: its row is broken.
        """
        for run in self.runs:
            if run.first <= number < run.first + run.count:
                at = run.start + (number - run.first) * run.width
                return self._row(at) if self.rows is None else self._packed_row(at)
        return None

    def _row(self, at: int) -> Place:
        row = _ROW.match(self.document.read(at, at + _LONGEST_ROW))
        if row is None:
            raise PdfError("a row of the cross-reference table is broken")
        return InFile(int(row[1]), int(row[2])) if row[3] == b"n" else None

    def _packed_row(self, at: int) -> Place:
        values = []
        for width in self.widths:
            values.append(int.from_bytes((self.rows or b"")[at : at + width], "big"))
            at += width
        kind = values[0] if self.widths[0] else 1
        if kind == 1:
            return InFile(values[1], values[2])
        return InStream(values[1], values[2]) if kind == 2 else None  # noqa: PLR2004 - table 18


def start_of(document: Document) -> int:
    """The offset of the last section, as the end of the file says it.

    An end in front of the last one says what counted before the last change, so that where the last
    is broken it is no help.

    Raises:
        PdfError: it does not say it.
    """
    tail = document.read(max(0, document.size - _TAIL))
    found = _START.match(tail, max(0, tail.rfind(b"startxref")))
    if found is None:
        raise PdfError("it does not end in startxref, where that leads to, and %%EOF")
    return int(found[1])


def chain_of(document: Document) -> tuple[Section, ...]:
    """All sections, the last one first.

    Raises:
        PdfError: one of them is broken, or they go in a circle.
    """
    sections: list[Section] = []
    seen: set[int] = set()
    offset: int | None = start_of(document)
    runs = unpacked_bytes = 0
    while offset is not None:
        if offset in seen or len(seen) >= _MOST_SECTIONS:
            raise PdfError("its cross-reference sections have no end")
        seen.add(offset)
        section = _section(document, offset)
        sections.append(section)
        for each in filter(None, (section, section.hidden)):
            runs += len(each.runs)
            unpacked_bytes += len(each.rows or b"")
        if runs > _MOST_SUBSECTIONS or unpacked_bytes > LARGEST:
            raise PdfError("its cross-reference sections are too large")
        offset = _offset(section.trailer, "Prev")
    if max(each.size for each in sections) > HIGHEST_NUMBER:
        raise PdfError("an object has a number that is too high")
    return tuple(sections)


def _offset(trailer: Dictionary, key: str) -> int | None:
    value = trailer.get(key)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is not None and not isinstance(value, int):
        raise PdfError(f"/{key} of a trailer is no offset")
    return value


def _check_place(document: Document, offset: int) -> None:
    if not 0 <= offset < document.size:
        raise PdfError("a cross-reference section lies outside of the file")


def _section(document: Document, offset: int) -> Section:
    _check_place(document, offset)
    head = _TABLE.match(document.read(offset, offset + 64))
    if head is None:
        return _stream_section(document, offset)
    runs, at = _runs_of_table(document, offset + head.end())
    trailer, _ = value_in(document, at)
    if not isinstance(trailer, Dictionary):
        raise PdfError("a trailer is no dictionary")
    beside = _offset(trailer, "XRefStm")
    if beside is not None:
        _check_place(document, beside)
    return Section(
        document=document,
        offset=offset,
        trailer=trailer,
        runs=runs,
        hidden=None if beside is None else _stream_section(document, beside),
    )


def _runs_of_table(document: Document, at: int) -> tuple[tuple[_Run, ...], int]:
    """The subsections of a table, and the offset behind the word ``trailer``."""
    runs: list[_Run] = []
    while True:
        head = document.read(at, at + 256)
        end = _TRAILER.match(head)
        if end is not None:
            return tuple(runs), at + end.end()
        found = _SUBSECTION.match(head)
        if found is None or len(runs) > _MOST_SUBSECTIONS:
            raise PdfError("a cross-reference table is broken")
        first, count, start = int(found[1]), int(found[2]), at + found.end()
        width = _row_width(document, start) if count else 0
        runs.append(_Run(first=first, count=count, start=start, width=width))
        at = start + count * width


def _row_width(document: Document, start: int) -> int:
    """How long the rows are: 20 bytes, unless the writer did not know how to end a line."""
    row = _ROW.match(document.read(start, start + _LONGEST_ROW))
    if row is None:
        raise PdfError("a row of the cross-reference table is broken")
    return row.end()


def _stream_section(document: Document, offset: int) -> Section:
    found = object_at(document, offset, None)
    trailer = found.value
    if found.stream is None or not isinstance(trailer, Dictionary):
        raise PdfError("no cross-reference section stands where one should")
    if trailer.get("Type") != Name("XRef"):
        raise PdfError("no cross-reference section stands where one should")
    data = stream_bytes(document, found.stream, trailer.get("Length"), LARGEST)
    rows = unpacked(trailer, data)
    widths = _widths(trailer.get("W"))
    runs = tuple(_runs_of_stream(trailer, sum(widths)))
    if sum(run.count for run in runs) * sum(widths) > len(rows):
        raise PdfError("a cross-reference stream is cut off")
    return Section(
        document=document, offset=offset, trailer=trailer, runs=runs, rows=rows, widths=widths
    )


def _widths(value: Value) -> tuple[int, int, int]:
    numbers = _numbers(value, 16)
    if len(numbers) != 3 or not sum(numbers):  # noqa: PLR2004 - three columns
        raise PdfError("/W of a cross-reference stream is wrong")
    return numbers[0], numbers[1], numbers[2]


def _runs_of_stream(trailer: Dictionary, width: int) -> Iterator[_Run]:
    index = trailer.get("Index")
    numbers = _numbers((0, trailer.get("Size")) if index is None else index, 1 << 40)
    at = 0
    for first, count in zip(numbers[::2], numbers[1::2], strict=False):
        yield _Run(first=first, count=count, start=at, width=width)
        at += count * width


def _numbers(value: Value, limit: int) -> tuple[int, ...]:
    if not isinstance(value, tuple) or len(value) > 2 * _MOST_SUBSECTIONS:
        raise PdfError("a cross-reference stream is broken")
    numbers = tuple(each for each in value if isinstance(each, int) and 0 <= each <= limit)
    if len(numbers) != len(value):
        raise PdfError("a cross-reference stream is broken")
    return numbers
