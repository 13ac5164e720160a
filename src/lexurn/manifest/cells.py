"""Cells read as values: dates, numbers, URLs, IRIs, digests and names; and faults in them.

Dates are ISO dates and numbers are digits; nothing is guessed. Each reader takes a cell without the
blanks around it and gives plain values (texts, numbers, lists) that can be kept on disk.
`RowFault` says what is wrong; its offsets count from the start of the value.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lexurn.findings import make_finding
from lexurn.model import FIELDS, Kind, is_likely_iri
from lexurn.name import Severity, check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lexurn.findings import Finding
    from lexurn.name import Name


_LONGEST_SHOWN = 80
_LONGEST_TEXT = 10_000


def quote_value(text: str) -> str:
    """Quote a value for a message; cut it where it is long."""
    return f'"{text}"' if len(text) <= _LONGEST_SHOWN else f'"{text[:_LONGEST_SHOWN]}…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Fault in a row, before its file and line are known.

    Attributes:
        code: a key of `load_codes`.
        column: the column as the table names it, None where the whole row is meant.
        start: offset of the place in ``text``.
        end: offset behind the place.
        text: the cell, or the line.
        suggestion: what to write instead, or None.
        values: the values in the message.
    """

    code: str
    column: str | None = None
    start: int = 0
    end: int = 0
    text: str = ""
    suggestion: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


class RowFault(Exception):  # noqa: N818 -- caught where rows are read, never seen outside
    """Carrier of a `Fault` up to the reader of rows."""

    def __init__(self, fault: Fault) -> None:
        """Keep the fault."""
        super().__init__(fault.code)
        self.fault = fault


def place_fault(fault: Fault, file: str, line: int) -> Finding:
    """Return the finding of a fault, at its file and line."""
    return make_finding(
        fault.code,
        named=fault.values,
        file=file,
        line=line,
        column=fault.column,
        start=fault.start,
        end=fault.end,
        suggestion=fault.suggestion,
        text=limit_text(fault.text),
    )


def limit_text(text: str) -> str:
    """Return a text, empty where it is too long to be shown."""
    return text if len(text) <= _LONGEST_TEXT else ""


class Cell(NamedTuple):
    """Cell of a row: its column, its text, and the start of its value."""

    column: str
    text: str
    start: int = 0


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
    """

    __slots__ = ("cells", "dialect", "fields", "file", "findings", "line", "name_fields", "names")

    def __init__(self, file: str, line: int, dialect: str | None = None) -> None:
        self.file = file
        self.line = line
        self.dialect = dialect
        self.fields: dict[str, Any] = {}
        self.names: dict[str, Name] = {}
        self.cells: dict[str, Cell] = {}
        self.name_fields: dict[str, Cell] = {}
        self.findings: list[Finding] = []

    def report(self, fault: Fault) -> None:
        """Add a finding."""
        self.findings.append(place_fault(fault, self.file, self.line))

    def report_cell(self, cell: Cell, code: str, **values: object) -> None:
        """Add a finding on a whole cell."""
        fault = Fault(code=code, start=cell.start, end=len(cell.text), values=values)
        self.report(replace(fault, column=cell.column, text=cell.text))

    def report_name(self, found: Finding, cell: Cell) -> None:
        """Add a finding on the name that starts in a cell."""
        placed = replace(
            found,
            file=self.file,
            line=self.line,
            column=cell.column,
            start=cell.start + found.start,
            end=cell.start + found.end,
            text=limit_text(cell.text),
        )
        self.findings.append(placed)

    @property
    def has_error(self) -> bool:
        """True where a finding rejects the row."""
        return any(found.severity is Severity.ERROR for found in self.findings)


# ucschar and iprivate of RFC 3987 section 2.2; the last two characters of each plane are none.
_PLANES = "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 14))
_NON_ASCII = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + _PLANES + "\U000e1000-\U000efffd"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_ENCODED = "%[0-9A-Fa-f]{2}"
_PATH_CHARACTERS = rf"A-Za-z0-9\-._~!$&'()*+,;=:@{_NON_ASCII}"
_PATH = rf"(?:[{_PATH_CHARACTERS}/]|{_ENCODED})*+"
_QUERY = rf"(?:[{_PATH_CHARACTERS}/?{_PRIVATE}]|{_ENCODED})*+"
_FRAGMENT = rf"(?:[{_PATH_CHARACTERS}/?]|{_ENCODED})*+"
_NAME = rf"(?:[A-Za-z0-9\-._~{_NON_ASCII}]|{_ENCODED})++"
_HOST = rf"(?:{_NAME}|\[[0-9A-Fa-f:.]+\])"
_QUERY_AND_FRAGMENT = rf"(?:\?{_QUERY})?(?:#{_FRAGMENT})?"

# No user information: RFC 9110 section 4.2.4 forbids it in what is published.
# Without regard to case, such wide ranges would take long to compile.
_WEB_URL = re.compile(
    rf"[Hh][Tt][Tt][Pp][Ss]?://{_HOST}(?::[0-9]{{0,5}})?(?:/{_PATH})?{_QUERY_AND_FRAGMENT}"
)
_IRI = re.compile(rf"[A-Za-z][A-Za-z0-9+.\-]*:(?=[^?#]){_PATH}{_QUERY_AND_FRAGMENT}")
_HTTP = re.compile("https?:", re.IGNORECASE)

# Schemes that a browser runs, or that lead to files on the reader's own machine.
_UNSAFE = re.compile(
    r"(?:javascript|vbscript|livescript|data|blob|file|filesystem|about|view-source):",
    re.IGNORECASE,
)


def is_web_url(text: str) -> bool:
    """Return whether a text is an absolute http or https URL, without user information."""
    return _WEB_URL.fullmatch(text) is not None


def is_absolute_iri(text: str) -> bool:
    """Return whether a page may link to a text: an absolute IRI, with a host for http(s)."""
    if _HTTP.match(text):
        return is_web_url(text)
    return _IRI.fullmatch(text) is not None and _UNSAFE.match(text) is None


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_AND_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ][0-9:.,Z+\-]+")
_EIGHT_DIGITS = re.compile(r"[0-9]{8}")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_SIZE = re.compile(r"[0-9]{1,18}|-")
_DIGEST = re.compile(r"[0-9A-Fa-f]{64}|-")
_PIECE = re.compile(r"\S+")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")


def split_pieces(text: str) -> list[tuple[int, str]]:
    """Split a text at blanks; give each piece its offset."""
    return [(piece.start(), piece[0]) for piece in _PIECE.finditer(text)]


def _make_fault(code: str, text: str, start: int = 0, **values: object) -> RowFault:
    """Make the fault of one piece of a cell."""
    suggestion = values.pop("suggestion", None)
    return RowFault(
        Fault(
            code=code,
            start=start,
            end=start + len(text),
            suggestion=None if suggestion is None else str(suggestion),
            values={"value": quote_value(text), **values},
        )
    )


def _read_day(text: str) -> str:
    if _DATE.fullmatch(text) is not None and _is_day(text):
        return text
    timed = _DATE_AND_TIME.fullmatch(text)
    meant = None if timed is None else timed[1]
    if _EIGHT_DIGITS.fullmatch(text) is not None:
        meant = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    is_meant = meant is not None and _is_day(meant)
    raise _make_fault("LX512", text, suggestion=meant if is_meant else None)


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _read_integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise _make_fault("LX513", text, expected="integer")
    return int(text)


def _read_status(text: str) -> str:
    if text != "withdrawn":
        suggestion = "withdrawn" if text.casefold() == "withdrawn" else None
        raise _make_fault("LX519", text, suggestion=suggestion)
    return text


def _read_list(
    code: str, is_good: Callable[[str], object], text: str, pattern: re.Pattern[str] = _PIECE
) -> list[str]:
    """Read the pieces of a cell that a pattern finds; all must be good."""
    found = pattern.findall(text)
    if not all(map(is_good, found)):
        bad = next(piece for piece in pattern.finditer(text) if not is_good(piece[0]))
        raise _make_fault(code, bad[0], bad.start(), expected="number of bytes")
    return found


def _read_sizes(text: str) -> list[int | None]:
    found = _read_list("LX513", _SIZE.fullmatch, text)
    return [None if size == "-" else int(size) for size in found]


def _read_digests(text: str) -> list[str | None]:
    found = _read_list("LX516", _DIGEST.fullmatch, text)
    return [None if digest == "-" else digest.lower() for digest in found]


def _is_agent(text: str) -> bool:
    """Return whether an agent is a text or a valid IRI."""
    return " " in text or not is_likely_iri(text) or is_absolute_iri(text)


def _is_path(text: str) -> bool:
    """Return whether a text is a path of a file below a folder, with ``/`` between its parts."""
    return not text.startswith("/") and {"", ".", ".."}.isdisjoint(text.split("/"))


_read_urls = partial(_read_list, "LX514", is_web_url)
_KIND_READERS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.TEXT: str.split,
    Kind.DAY: _read_day,
    Kind.INTEGER: _read_integer,
    Kind.STATUS: _read_status,
    Kind.URL: _read_urls,
    Kind.IRI: partial(_read_list, "LX515", is_absolute_iri),
    Kind.AGENT: partial(_read_list, "LX515", _is_agent, pattern=_LINE),
    Kind.FILE: partial(_read_list, "LX526", _is_path, pattern=_LINE),
}
CELL_READERS: Mapping[str, Callable[[str], Any]] = {
    **{each.columns[0]: _KIND_READERS[each.kind] for each in FIELDS if each.kind in _KIND_READERS},
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
        row.report_name(found, cell)
    # The r-, q- and f-components are no part of a name.
    at = min((at for mark in "?#" if (at := text.find(mark)) >= 0), default=None)
    if name is not None and at is not None:
        start, end = cell.start + at, cell.start + len(text)
        fault = Fault(code="LX521", column=cell.column, start=start, end=end, text=cell.text)
        values = {"value": quote_value(text[at:])}
        row.report(replace(fault, suggestion=str(name), values=values))
    return name


def _convert_name(row: RowDraft, cell: Cell, text: str, dialect: str) -> Name | None:
    """Convert a name from a dialect, and report each change; a loss is a warning."""
    from lexurn.dialect import Dialect, convert  # noqa: PLC0415 - with its words, where they are asked for

    conversion = convert(text, source="auto" if dialect == "auto" else Dialect(dialect))
    for found in conversion.findings:
        row.report_name(found, cell)
    for change in conversion.changes:
        fault = Fault(
            code="LX523" if change.loss else "LX524",
            column=cell.column,
            start=cell.start + change.start,
            end=cell.start + change.end,
            text=cell.text,
            suggestion=None if conversion.name is None else str(conversion.name),
            values={"value": change.message, "expected": change.lost, "rule": change.rule},
        )
        row.report(fault)
    return conversion.name
