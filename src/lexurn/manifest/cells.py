"""Cells read as values: dates, numbers, URLs, IRIs, digests and names; and faults in them.

Dates are ISO dates and numbers are digits; nothing is guessed. Each reader takes a cell without the
blanks around it and gives plain values (texts, numbers, lists) that can be kept on disk.
`CellError` holds the finding; its offsets count from the start of the value.
"""

from __future__ import annotations

import datetime as dt
import decimal
import math
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.findings import make_finding
from lexurn.lazy import compile_late
from lexurn.model import FIELDS, Kind, LegalForce, is_likely_iri
from lexurn.name import Severity, check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name


LONGEST_ROW = 1 << 20
"""The most bytes that one row may have, its line end included."""

_LONGEST_SHOWN = 80
_LONGEST_TEXT = 10_000
_EXACT_INTEGERS = 1 << 53


def quote_value(text: str) -> str:
    """Quote a value for a message; cut it where it is long."""
    return f'"{text}"' if len(text) <= _LONGEST_SHOWN else f'"{text[:_LONGEST_SHOWN]}…"'


class CellError(ValueError):
    """Fault in a cell or row, before its file and line are known.

    Attributes:
        finding: the fault.
    """

    def __init__(self, finding: Finding) -> None:
        """Keep the finding."""
        super().__init__(finding.code)
        self.finding = finding


class Cell(NamedTuple):
    """Cell of a row: its column, its text, and the start of its value."""

    column: str
    text: str
    start: int = 0


class JsonCell(str):
    """Cell of a field of names that JSON or Parquet give as a list or an object.

    Attributes:
        value: the value.
    """

    __slots__ = ("value",)

    value: object


class RowDraft:
    """Row while it is read.

    Attributes:
        file: the file of its table.
        line: its first line.
        dialect: the dialect of its names, None for RFC 9676.
        fields: the values read so far, by field of the record.
        names: the names read so far, by column: ``urn`` and ``alias_of``.
        cells: the cells of names and copies, by column.
        name_fields: the cells that a name may be minted from, by column.
        findings: the findings so far.
        is_incomplete: whether a cell that a name may be minted from cannot be read.
    """

    __slots__ = (
        *("cells", "dialect", "fields", "file", "findings", "is_incomplete", "line"),
        *("name_fields", "names"),
    )

    def __init__(self, file: str, line: int, dialect: str | None = None) -> None:
        self.file = file
        self.line = line
        self.dialect = dialect
        self.fields: dict[str, Any] = {}
        self.names: dict[str, Name] = {}
        self.cells: dict[str, Cell] = {}
        self.name_fields: dict[str, Cell] = {}
        self.findings: list[Finding] = []
        self.is_incomplete = False

    def report(self, found: Finding, cell: Cell) -> None:
        """Add a finding on the value of a cell."""
        self.findings.append(self.place(found, cell))

    def place(self, found: Finding, cell: Cell) -> Finding:
        """Return a finding on the value of a cell with its file, line, column and text."""
        start, end = cell.start + found.start, cell.start + found.end
        text = cell.text if len(cell.text) <= _LONGEST_TEXT else ""
        file, line, column = self.file, self.line, cell.column
        return replace(found, file=file, line=line, column=column, start=start, end=end, text=text)

    def report_cell(self, cell: Cell, code: str, **values: object) -> None:
        """Add a finding on a whole cell."""
        self.report(make_finding(code, named=values, end=len(cell.text) - cell.start), cell)

    @property
    def has_error(self) -> bool:
        """True if a finding rejects the row."""
        return any(found.severity is Severity.ERROR for found in self.findings)


def place_finding(found: Finding, file: str, line: int) -> Finding:
    """Return a finding with its file and line, without a text too long to be shown."""
    text = found.text if len(found.text) <= _LONGEST_TEXT else ""
    return replace(found, file=file, line=line, text=text)


def format_cell(value: object) -> str | None:
    """Write a value as a cell, None where no cell may hold it.

    Texts stay as they are, null is empty, numbers and days are written out, and the items of a list
    stand on a line each. Not-a-number marks an empty cell.
    """
    cell: str | None = None
    if isinstance(value, str):
        cell = value
    elif value is None:
        cell = ""
    elif isinstance(value, list):
        cells = [format_cell(each) for each in value if not isinstance(each, list)]
        texts = [cell for cell in cells if cell]
        cell = "\n".join(texts) if len(texts) == len(value) else None
    elif isinstance(value, dt.datetime):
        is_day = value.tzinfo is None and value.time() == dt.time.min
        cell = (value.date() if is_day else value).isoformat()
    elif isinstance(value, dt.date):
        cell = value.isoformat()
    elif isinstance(value, float | decimal.Decimal):
        if math.isnan(value):
            cell = ""
        elif -_EXACT_INTEGERS < value < _EXACT_INTEGERS:
            cell = str(int(value) if value == int(value) else value)
    elif isinstance(value, int) and not isinstance(value, bool):
        cell = str(value)
    return cell


# ucschar and iprivate of RFC 3987 section 2.2; the last two characters of each plane are none.
_PLANES = "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 14))
_NON_ASCII = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + _PLANES + "\U000e1000-\U000efffd"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _write_grammar(others: str, private: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Write the grammars of web URLs and IRIs with some characters outside ASCII."""
    encoded = "%[0-9A-Fa-f]{2}"
    characters = rf"A-Za-z0-9\-._~!$&'()*+,;=:@{others}"
    path = rf"(?:[{characters}/]|{encoded})*+"
    query = rf"(?:\?(?:[{characters}/?{private}]|{encoded})*+)?"
    tail = rf"{query}(?:#(?:[{characters}/?]|{encoded})*+)?"
    host = rf"(?:(?:[A-Za-z0-9\-._~{others}]|{encoded})++|\[[0-9A-Fa-f:.]+\])"
    # No user information: RFC 9110 section 4.2.4 forbids it in what is published.
    # Without regard to case, such wide ranges would take long to compile.
    url = rf"[Hh][Tt][Tt][Pp][Ss]?://{host}(?::[0-9]{{0,5}})?(?:/{path})?{tail}"
    iri = rf"[A-Za-z][A-Za-z0-9+.\-]*:(?=[^?#]){path}{tail}"
    return compile_late(url), compile_late(iri)


# Wide ranges take ten times as long to compile as those of ASCII, which most texts are.
_GRAMMARS = {True: _write_grammar("", ""), False: _write_grammar(_NON_ASCII, _PRIVATE)}
"""Grammars by whether a text is ASCII."""
_HTTP = re.compile("https?:", re.IGNORECASE)

# Schemes that a browser runs, or that lead to files on the reader's own machine.
_UNSAFE = re.compile(
    r"(?:javascript|vbscript|livescript|data|blob|file|filesystem|about|view-source):",
    re.IGNORECASE,
)


def is_web_url(text: str) -> bool:
    """Return whether a text is an absolute http or https URL, without user information."""
    return _GRAMMARS[text.isascii()][0].fullmatch(text) is not None


def is_linkable(text: str) -> bool:
    """Return whether a page may link to a text: an absolute IRI, with a host for http(s)."""
    if _HTTP.match(text):
        return is_web_url(text)
    return _GRAMMARS[text.isascii()][1].fullmatch(text) is not None and _UNSAFE.match(text) is None


_DAY = re.compile(r"([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?:[T ][0-9:.,Z+\-]+)?")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_SIZE = re.compile(r"[0-9]{1,18}|-")
_DIGEST = re.compile(r"[0-9A-Fa-f]{64}|-")
_PIECE = re.compile(r"\S+")
_COMPONENTS = re.compile("[?#]")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_WHOLE = re.compile(r".+", re.DOTALL)


def split_pieces(text: str) -> list[tuple[int, str]]:
    """Split a text at blanks; give each piece its offset."""
    return [(piece.start(), piece[0]) for piece in _PIECE.finditer(text)]


def _make_error(
    code: str, text: str, start: int = 0, *, suggestion: str | None = None, expected: str = ""
) -> CellError:
    """Make the error of one piece of a cell."""
    values = {"value": quote_value(text), "expected": expected}
    end = start + len(text)
    return CellError(make_finding(code, named=values, start=start, end=end, suggestion=suggestion))


def _read_iso_day(text: str) -> str:
    found = _DAY.fullmatch(text)
    day = "" if found is None else "-".join(found.group(1, 3, 4))
    try:
        dt.date.fromisoformat(day)
    except ValueError:
        day = ""
    if day != text:
        raise _make_error("LX512", text, suggestion=day or None)
    return day


def _read_integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise _make_error("LX513", text, expected="a whole number")
    return int(text)


def _read_status(text: str) -> str:
    if text != "withdrawn":
        suggestion = "withdrawn" if text.casefold() == "withdrawn" else None
        raise _make_error("LX519", text, suggestion=suggestion)
    return text


def _read_force(text: str) -> str:
    states = {each.value for each in LegalForce}
    if text not in states:
        likely = "-".join(text.casefold().replace("-", " ").replace("_", " ").split())
        raise _make_error("LX527", text, suggestion=likely if likely in states else None)
    return text


def _read_list(
    code: str, is_good: Callable[[str], object], text: str, pattern: re.Pattern[str] = _PIECE
) -> list[str]:
    """Read the pieces of a cell that a pattern finds; all must be good."""
    found = pattern.findall(text)
    if not all(map(is_good, found)):
        bad = next(piece for piece in pattern.finditer(text) if not is_good(piece[0]))
        raise _make_error(code, bad[0], bad.start(), expected="a number of bytes")
    return found


def _read_sizes(text: str) -> list[int | None]:
    found = _read_list("LX513", _SIZE.fullmatch, text)
    return [None if size == "-" else int(size) for size in found]


def _read_digests(text: str) -> list[str | None]:
    found = _read_list("LX516", _DIGEST.fullmatch, text)
    return [None if digest == "-" else digest.lower() for digest in found]


def _is_agent(text: str) -> bool:
    """Return whether an agent is a text or a valid IRI."""
    return " " in text or not is_likely_iri(text) or is_linkable(text)


def _is_path(text: str) -> bool:
    """Return whether a text is a path of a file below a folder, with ``/`` between its parts."""
    return not text.startswith("/") and {"", ".", ".."}.isdisjoint(text.split("/"))


_read_urls = partial(_read_list, "LX514", is_web_url)
_VALUE_READERS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.TEXT: str,
    Kind.DAY: _read_iso_day,
    Kind.INTEGER: _read_integer,
    Kind.STATUS: _read_status,
    Kind.FORCE: _read_force,
    Kind.URL: lambda text: _read_list("LX514", is_web_url, text, _WHOLE)[0],
    Kind.IRI: lambda text: _read_list("LX515", is_linkable, text, _WHOLE)[0],
}
_LIST_READERS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.TEXT: str.split,
    Kind.URL: _read_urls,
    Kind.IRI: partial(_read_list, "LX515", is_linkable),
    Kind.AGENT: partial(_read_list, "LX515", _is_agent, pattern=_LINE),
    Kind.FILE: partial(_read_list, "LX526", _is_path, pattern=_LINE),
}
CELL_READERS: Mapping[str, Callable[[str], Any]] = {
    **{
        each.columns[0]: (_LIST_READERS if each.is_list else _VALUE_READERS)[each.kind]
        for each in FIELDS
        if each.kind not in {Kind.TITLE, Kind.NAME, Kind.COPY}
    },
    "url": _read_urls,
    "bytes": _read_sizes,
    "sha256": _read_digests,
}
"""Readers of cells by column, except for titles and names."""

DIALECTS = ("auto", "draft", "lexml", "nir")
"""Dialects of names besides RFC 9676."""


def read_name(row: RowDraft, cell: Cell, text: str) -> Name | None:
    """Read the name that starts in a cell, and report its findings."""
    if row.dialect is not None:
        return _convert_name(row, cell, text, row.dialect)
    report = check(text)
    name = report.name
    for found in report.findings:
        row.report(found, cell)
    # The r-, q- and f-components are no part of a name.
    components = _COMPONENTS.search(text)
    if name is not None and components is not None:
        at = components.start()
        values = {"value": quote_value(text[at:])}
        found = make_finding("LX521", named=values, start=at, end=len(text), suggestion=str(name))
        row.report(found, cell)
    return name


def _convert_name(row: RowDraft, cell: Cell, text: str, dialect: str) -> Name | None:
    """Convert a name from a dialect, and report each change; a loss is a warning."""
    from lexurn.dialect import Dialect, convert  # noqa: PLC0415 - with its words, where they are asked for

    conversion = convert(text, source="auto" if dialect == "auto" else Dialect(dialect))
    for found in conversion.findings:
        row.report(found, cell)
    for change in conversion.changes:
        found = make_finding(
            "LX523" if change.loss else "LX524",
            named={"value": change.message, "expected": change.lost, "rule": change.rule},
            start=change.start,
            end=change.end,
            suggestion=None if conversion.name is None else str(conversion.name),
        )
        row.report(found, cell)
    return conversion.name
