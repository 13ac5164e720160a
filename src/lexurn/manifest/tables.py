"""Tables of text, and CSV (RFC 4180), read row by row, whole or in portions.

Each row keeps its bytes. A quote stands around a whole cell or doubled in such a cell, nowhere
else. So a quote that is never closed shows at the line where it opens.
"""

from __future__ import annotations

import codecs
import csv
import re
from abc import ABC, abstractmethod
from collections import deque
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import LONGEST_ROW, quote_value
from lexurn.manifest.formats import TableFormat
from lexurn.manifest.mapping import SEPARATORS
from lexurn.manifest.plan import name_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lexurn.findings import Finding
    from lexurn.manifest.plan import TablePlan


class RawRow(NamedTuple):
    """Row as it stands in the table, or a further piece of a row that is too long.

    Attributes:
        line: its first line, from 1; in Parquet and JSON the row's number, in a sheet its row.
        raw: its bytes; empty in Parquet.
        cells: its cells by header, None where they cannot be told apart.
        fault: the reason for that; None for a further piece.
    """

    line: int
    raw: bytes
    cells: Mapping[str, str] | None
    fault: Finding | None = None

    @property
    def is_further_piece(self) -> bool:
        """True for a piece of the row that came before."""
        return self.cells is None and self.fault is None


class RejectedRow(NamedTuple):
    """Bad row for a rejects file.

    Attributes:
        table: the number of its table, from 0.
        number: its number among all rows.
        line: its first line; in Parquet the row's number.
        raw: its bytes, or a piece of them; empty in Parquet, and where none are kept.
        digest: the digest of the cells that are used, by which the row is known in other runs.
        fields: the row as `RowReader.unpack_fields` takes it, where its fields are kept.
    """

    table: int
    number: int
    line: int
    raw: bytes
    digest: bytes = b""
    fields: bytes | None = None


class Portion(NamedTuple):
    """Portion of a table.

    Attributes:
        start: the offset of its first byte; in Parquet the number of its first row group.
        end: the offset after it; in Parquet the row group after it.
        line: the number of the line before it; in Parquet of the row.
        rows: its number of rows.
    """

    start: int
    end: int
    line: int
    rows: int


_BLOCK_SIZE = 1 << 18
_HEAD_SIZE = 1 << 20
"""Number of bytes by which a stated encoding is checked."""
BOM = b"\xef\xbb\xbf"
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (BOM, "utf-8"),
)
_ASCII = bytes(range(128))
_STATEFUL = ("iso2022", "hz", "utf_7")  # ASCII bytes that are not ASCII characters


def find_mark(head: bytes) -> str | None:
    """Find the encoding that a byte order mark shows."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def _choose_encoding(head: bytes, stated: str | None, file: str) -> str:
    """Return the encoding of a text from its first bytes and from the mapping file.

    Raises:
        ManifestError: a byte order mark, or letters in UTF-8, contradict the mapping file.
    """
    marked = find_mark(head)
    name = codecs.lookup(stated or marked or "utf-8").name
    if marked is not None and not name.replace("-", "").startswith(marked.replace("-", "")):
        raise ManifestError(
            f"{file}: a byte order mark shows that the table is {marked.upper()}; leave out "
            f'encoding = "{stated}"'
        )
    text = ""
    if not name.startswith("utf"):
        # Bytes in another encoding that are UTF-8 throughout are most improbable.
        decoder = codecs.getincrementaldecoder("utf-8")()
        with suppress(UnicodeDecodeError):
            text = decoder.decode(head, final=len(head) < _HEAD_SIZE)
    if letter := next((each for each in text if not each.isascii()), ""):
        raise ManifestError(
            f"{file}: the table is UTF-8 (for example {quote_value(letter)}), and the mapping "
            f'states encoding = "{stated}"; leave that out, or write "utf-8"'
        )
    return marked if marked is not None else name


class _RecodedStream:
    """Stream of a text in UTF-8, read from a stream in another encoding."""

    def __init__(self, stream: BinaryIO, head: bytes, encoding: str, file: str) -> None:
        """Start with ``head``, the bytes that were read already."""
        self._stream, self._head, self._file = stream, head, file
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._encoding = encoding
        self._at = 0

    def read(self, _size: int = -1, /) -> bytes:
        """Read the next bytes.

        Raises:
            ManifestError: the text is not in that encoding.
        """
        text, is_over = "", False
        while not text and not is_over:
            data, self._head = self._head or read_block(self._stream, self._file), b""
            is_over = not data
            try:
                text = self._decoder.decode(data, final=is_over)
            except UnicodeDecodeError as broken:
                raise ManifestError(
                    f"{self._file}: not {self._encoding} near byte {self._at + broken.start}; "
                    "correct encoding in the mapping file"
                ) from None
            self._at += len(data)
        return text.encode("utf-8", "surrogatepass")


def read_block(stream: BinaryIO, file: str) -> bytes:
    """Read the next bytes of a stream, none at its end.

    Raises:
        ManifestError: the stream cannot be read, or is not binary.
    """
    try:
        block = stream.read(_BLOCK_SIZE)
    except ManifestError:  # a `ValueError`, of a stream of this package
        raise
    except (OSError, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise ManifestError(f"{file}: cannot be read: {why}") from None
    if not isinstance(block, bytes):
        raise ManifestError(f"{file}: a stream of bytes is needed; open it in binary mode")
    return block


class Lines:
    """Lines of a stream with their line ends; lines can be put back.

    A line longer than `LONGEST_ROW` comes in pieces: the first is longer than that, the last one
    ends as lines do or with the stream.

    Attributes:
        file: their file as given.
        at: the offset of the next line in the file.
    """

    def __init__(self, stream: BinaryIO, file: str, head: bytes) -> None:
        """Start with ``head``, the bytes that were read already."""
        self.file = file
        self.at = 0
        self._stream = stream
        self._put_back: deque[bytes] = deque()
        self._lines = self._split(head)

    def take(self) -> bytes:
        """Return the next line, empty at the end of the stream."""
        line = self._put_back.popleft() if self._put_back else next(self._lines, b"")
        self.at += len(line)
        return line

    def put_back(self, lines: list[bytes]) -> None:
        """Give lines back, to be taken again in the same order."""
        self._put_back.extendleft(reversed(lines))
        self.at -= sum(map(len, lines))

    def go_to(self, offset: int) -> None:
        """Go to the line that starts at an offset, in a regular file."""
        self._stream.seek(offset)
        self.at = offset
        self._put_back.clear()
        self._lines = self._split(b"")

    def _split(self, head: bytes) -> Iterator[bytes]:
        tail = b""
        while block := head or read_block(self._stream, self.file):
            head = b""
            first, *others = block.split(b"\n")
            tail += first
            for other in others:
                line, tail = tail + b"\n", other
                for at in range(0, len(line), LONGEST_ROW + 1):
                    yield line[at : at + LONGEST_ROW + 1]
            while len(tail) > LONGEST_ROW:
                yield tail[: LONGEST_ROW + 1]
                tail = tail[LONGEST_ROW + 1 :]
        if tail:
            yield tail


class OpenSource(NamedTuple):
    """Source of a table, open for reading.

    Attributes:
        file: its file as given.
        format: its format.
        stream: its bytes.
        head: the first of them, which were read already.
    """

    file: str
    format: TableFormat
    stream: BinaryIO
    head: bytes


class TextTable(ABC):
    """Table whose rows are lines of a text, open at its first row.

    Its rows are read once, by one of its methods.

    Attributes:
        format: its format.
        file: its file as given.
        plan: the meaning of its columns.
        headers: the names of its columns; empty in JSON, whose rows have them.
        head: the bytes before its first row, with which a rejects file starts, too.
        is_whole: whether it can only be read as a whole.
        sheet: the sheet of a workbook, or None.
    """

    format: TableFormat
    headers: Sequence[str] = ()
    head = b""
    is_whole = False
    sheet: str | None = None
    _blanks: bytes | None = None  # a line of these alone is no row; None: any white space

    def __init__(self, source: OpenSource, plan: TablePlan) -> None:
        """Start at the first line.

        Raises:
            ManifestError: its first bytes contradict the encoding of the mapping file.
        """
        if plan.mapping.encoding is not None:
            blocks = [source.head]
            while sum(map(len, blocks)) < _HEAD_SIZE and blocks[-1]:
                blocks.append(read_block(source.stream, source.file))
            source = source._replace(head=b"".join(blocks))
        self.file = source.file
        self.plan = plan
        self.format = source.format
        self._line = 0
        self._encoding = _choose_encoding(source.head, plan.mapping.encoding, source.file)
        self._written: str | None = None  # the encoding of rejects, if not that of rows in memory
        self._lines = self._open_lines(source)

    def _open_lines(self, source: OpenSource) -> Lines:
        stream, head = source.stream, source.head
        # Lines are cut at bytes, which must be the same characters whatever stands before them.
        name, is_same = codecs.lookup(self._encoding).name, False
        with suppress(UnicodeDecodeError):
            is_same = _ASCII.decode(name) == _ASCII.decode("ascii")
        if not is_same or name.replace("-", "_").startswith(_STATEFUL):
            recoded = _RecodedStream(stream, head, self._encoding, self.file)
            stream, head = cast("BinaryIO", recoded), b""
            self._written, self._encoding = self._encoding, "utf-8"
            self.is_whole = True
        return Lines(stream, self.file, head)

    @abstractmethod
    def _read_row(self, raw: bytes) -> RawRow:
        """Read the row that starts with a line."""

    def _pass_row(self, raw: bytes) -> RawRow:
        """Pass the row that starts with a line; its cells need not be read."""
        return self._read_row(raw)

    def _find_long_column(self, _raw: bytes) -> str | None:
        """Return the column in which a row becomes too long, None where that is not known."""
        return None

    def _decode_row(self, raw: bytes) -> str:
        """Decode a row; bytes out of its encoding become lone surrogates, which rows reject."""
        return raw.decode(self._encoding, "surrogateescape").rstrip("\r\n")

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows; blank lines are left out.

        Raises:
            ManifestError: the table cannot be read on, or its first object has unknown keys.
        """
        return self._take_rows(self._read_row)

    def _take_rows(self, read: Callable[[bytes], RawRow]) -> Iterator[RawRow]:
        while raw := self._lines.take():
            self._line += 1
            if len(raw) > LONGEST_ROW:
                column = self._find_long_column(raw)
                found = make_finding("LX503", named={"most": LONGEST_ROW}, column=column)
                yield RawRow(self._line, raw, None, found)
                while not raw.endswith(b"\n") and (raw := self._lines.take()):
                    yield RawRow(self._line, raw, None)
            elif raw.strip(self._blanks):
                yield read(raw)

    def portions(self, size: int) -> Iterator[Portion]:
        """Yield portions of about ``size`` bytes, each after the row that reaches its size.

        All lines must be read to find where a row ends: a cell in quotes may hold lines like rows.
        A table that can only be read as a whole is one portion.
        """
        if self.is_whole:
            yield Portion(0, 0, 0, sum(not row.is_further_piece for row in self.rows()))
            return
        start = end = self._lines.at
        before = line = self._line
        count = 0
        for row in self._take_rows(self._pass_row):
            if not row.is_further_piece:
                if end - start >= size:
                    yield Portion(start, end, before, count)
                    start, before, count = end, line, 0
                count += 1
            end, line = self._lines.at, self._line
        if count:
            yield Portion(start, end, before, count)

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would."""
        if self.is_whole:
            yield from self.rows()
            return
        self._lines.go_to(portion.start)
        self._line = portion.line
        for row in self.rows():
            yield row
            if self._lines.at >= portion.end:
                return

    def write_rejects(self, rejects: Iterable[RejectedRow], path: Path) -> None:
        """Write the bytes of rejected rows, also of other tables with the same head, to a file."""
        with ExitStack() as stack:
            stream: Any = stack.enter_context(path.open("xb"))
            if self._written is not None:
                stream = codecs.EncodedFile(stream, "utf-8", self._written, "surrogatepass")
            stream.write(self.head)
            last, tail = 0, self.head
            for row in rejects:
                if row.number != last and tail and not tail.endswith(b"\n"):
                    stream.write(b"\n")  # the last row of a file may lack its line end
                stream.write(row.raw)
                last, tail = row.number, row.raw or tail


class SplitRow(NamedTuple):
    """Cells of a row, or the fault that prevents a split.

    Attributes:
        cells: the cells.
        problem: the code of a fault, None where there is none.
        at: the offset of the quote at fault in the row.
        number: the number of the cell at fault (or the last one), from 1.
    """

    cells: list[str]
    problem: str | None = None
    at: int = 0
    number: int = 0


class _RowSplitter:
    """Splitter of rows into cells, at a separator."""

    def __init__(self, separator: str) -> None:
        """Keep the separator, one ASCII character."""
        self._separator = separator
        # A dialect that is made once: making it takes longer than reading a row.
        self._dialect = csv.reader((), delimiter=separator, strict=True).dialect
        mark = re.escape(separator)
        cell = rf'(?:"[^"]*+(?:""[^"]*+)*+"|[^"{mark}]*+)'
        self._regular = re.compile(rf"{cell}(?:{mark}{cell})*+")
        self._closing = re.compile(r'(?:[^"]++|"")*+"')

    def split(self, text: str) -> SplitRow:
        """Split a row without its line end into cells."""
        if '"' not in text:
            cells = text.split(self._separator)
            return SplitRow(cells, None, 0, len(cells))
        try:
            (cells,) = csv.reader((text,), self._dialect)
        except (csv.Error, ValueError):
            return self._split_slowly(text)  # out of place, or longer than csv.field_size_limit()
        # The module takes quotes amid a cell for text; without any in the cells there were none.
        if '"' in "".join(cells) and self._regular.fullmatch(text) is None:
            return self._split_slowly(text)
        return SplitRow(cells, None, 0, len(cells))

    def _split_slowly(self, text: str) -> SplitRow:
        """Split cell by cell, up to the first quote that is out of place."""
        cells: list[str] = []
        at = 0
        while True:
            number = len(cells) + 1
            if text.startswith('"', at):
                closing = self._closing.match(text, at + 1)
                if closing is None:
                    return SplitRow(cells, "LX504", at, number)
                end = closing.end()
                cells.append(text[at + 1 : end - 1].replace('""', '"'))
                stray = -1 if text[end : end + 1] in {"", self._separator} else end - 1
            else:
                end = text.find(self._separator, at)
                end = len(text) if end < 0 else end
                cells.append(text[at:end])
                stray = text.find('"', at, end)
            if stray >= 0:
                return SplitRow(cells, "LX505", stray, number)
            if end >= len(text):
                return SplitRow(cells, None, 0, number)
            at = end + 1


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]")


class CsvTable(TextTable):
    """CSV file after its header."""

    _blanks = b"\r\n"

    def __init__(self, source: OpenSource, plan: TablePlan) -> None:
        """Read the header.

        Raises:
            ManifestError: there is no header.
        """
        super().__init__(source, plan)
        is_tabbed = source.format is TableFormat.TSV
        self._splitter = _RowSplitter(plan.mapping.separator or ("\t" if is_tabbed else ","))
        before: list[bytes] = []
        wanted = plan.mapping.header
        while raw := self._lines.take():
            self._line += 1
            is_blank = not raw.removeprefix(BOM).strip(b"\r\n")
            if (wanted is None and not is_blank) or self._line == wanted:
                break
            if wanted is not None:
                before.append(raw)
        if not raw:
            short = f"there is no row {wanted} with a header; correct header in the mapping file"
            empty = "the file is empty; a manifest starts with a header"
            raise ManifestError(f"{self.file}: {short if before else empty}")
        while raw.count(b'"') % 2 and len(raw) <= LONGEST_ROW and (more := self._lines.take()):
            raw += more
            self._line += 1
        if len(raw) > LONGEST_ROW:
            raise ManifestError(
                f"{self.file}: the first line is longer than {LONGEST_ROW:,} bytes, so it is not a "
                "header"
            )
        self.head = b"".join((*before, raw))
        self.headers = name_columns(self._read_headers(raw), plan)

    def _read_headers(self, raw: bytes) -> list[str]:
        where = f"{self.file}:{self._line}"
        try:
            text = raw.removeprefix(BOM).decode(self._encoding).rstrip("\r\n")
        except UnicodeDecodeError as broken:
            raise ManifestError(
                f"{where}: the header is not {self._encoding.upper()} at byte {broken.start}; "
                'state its encoding in a mapping file: encoding = "cp1252" for Windows-1252'
            ) from None
        text = text.replace("\r\n", " ").replace("\n", " ")
        control = _CONTROL.search(text.replace("\t", ""))
        if control is not None:
            raise ManifestError(
                f"{where}: the header contains U+{ord(control[0]):04X}, a control character; save "
                "the table as CSV in UTF-8, with lines that end in LF or CRLF"
            )
        split = self._splitter.split(text)
        if split.problem is not None:
            raise ManifestError(
                f"{where}: a quote in the header, column {split.number}, is not closed or is "
                f"inside a name: {quote_value(text[split.at :])}"
            )
        if len(split.cells) == 1 and text.startswith('"') and any(c in text for c in SEPARATORS):
            raise ManifestError(
                f"{where}: each row is one cell in quotes; export the table again, or remove the "
                "quotes at the start and the end of each line"
            )
        return [cell.strip() for cell in split.cells]

    def _pass_row(self, raw: bytes) -> RawRow:
        # Without a quote, the line is the row.
        return self._read_row(raw) if b'"' in raw else RawRow(self._line, raw, {})

    def _find_long_column(self, raw: bytes) -> str | None:
        return self._get_header(self._splitter.split(raw.decode(self._encoding, "replace")).number)

    def _get_header(self, number: int) -> str | None:
        return self.headers[number - 1] if 0 < number <= len(self.headers) else None

    def _read_row(self, raw: bytes) -> RawRow:
        """Read one row, with the further lines that a cell in quotes may hold."""
        text = self._decode_row(raw)
        split, line = self._splitter.split(text), self._line
        if split.problem is None and len(split.cells) == len(self.headers):
            return RawRow(line, raw, dict(zip(self.headers, split.cells, strict=True)))
        if split.problem == "LX504":
            longer = self._read_further_lines(raw)
            if longer is not None:
                return longer
        if split.problem is None:
            values = {"value": len(split.cells), "expected": len(self.headers)}
            found = make_finding("LX506", named=values, end=len(text), text=text)
        else:
            column = self._get_header(split.number)
            found = make_finding(
                split.problem, column=column, start=split.at, end=split.at + 1, text=text
            )
        return RawRow(line, raw, None, found)

    def _read_further_lines(self, raw: bytes) -> RawRow | None:
        """Read the row that starts with the line ``raw``, None where no line closes its quote."""
        taken: list[bytes] = []
        size, is_open = len(raw), True
        while is_open and size <= LONGEST_ROW and (line := self._lines.take()):
            taken.append(line)
            size += len(line)
            is_open = line.count(b'"') % 2 == 0
        whole = b"".join((raw, *taken))
        split = self._splitter.split(self._decode_row(whole))
        if size > LONGEST_ROW or split.problem or len(split.cells) != len(self.headers):
            self._lines.put_back(taken)
            return None
        cells = [cell.replace("\r\n", "\n") for cell in split.cells]
        row = RawRow(self._line, whole, dict(zip(self.headers, cells, strict=True)))
        self._line += len(taken)
        return row
