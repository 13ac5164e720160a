"""Plans: the meaning of the columns of one table, from its header and the mapping file."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import LONGEST_ROW, CellError, JsonCell, format_cell, quote_value
from lexurn.manifest.days import DayRules
from lexurn.manifest.mapping import (
    LIST_COLUMNS,
    NAME_COLUMNS,
    NO_MAPPING,
    SINGLE_COLUMNS,
    TITLE_COLUMNS,
    Column,
    compile_pattern,
    find_column,
    find_groups,
    suggest_name,
)
from lexurn.model import FIELDS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.manifest.mapping import TableMapping
    from lexurn.registry import Registry

# A row needs one of these for a name.
_NAMING = frozenset({"urn", "measure", "citation"})
_CITED = frozenset({"measure", "date", "number"})  # which a citation gives, too
_NAME_PARTS = _CITED | {"jurisdiction", "authority", "period", "citation"}
# Columns of numbers and words; None stands for a template or a pattern.
_TEXT_COLUMNS = frozenset({"number", "number_suffix", "annex", "citation", "cited_as", "urn", None})
# Days of records, and those of names, which may also be in words.
_DAY_COLUMNS = frozenset(
    {*(field.columns[0] for field in FIELDS if field.kind is Kind.DAY), "date", "amendment_date"}
    | {"event_date"}
)
# Serial numbers of the days from 1954 to 2119, with a time of day or without.
_SERIAL_NUMBER, _FIRST_DAY = re.compile(r"([2-7][0-9]{4})(?:\.[0-9]+)?"), dt.date(1899, 12, 30)
_NUMBER = "a number: zeros at its end may be lost"
_POWER = "a number: it may have been a text such as 12E5"
# Of a text such as "12E5"; numbers of acts below it may be round.
_LEAST_POWER, _ROUND = 1_000_000, 100_000
_LONGEST_MATCH = 1.0  # seconds of processor time
_MOST_COLUMNS = 1_000
_MOST_NAMED = 1_000


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Meaning of the columns of one table.

    Attributes:
        mapping: the mapping file.
        columns: the columns met so far, by header; None for those that are left out.
        templates: columns that templates make.
        constants: columns with a constant value where a row has none, and that value.
        patterns: columns of the table with regular expressions, and the columns that these make, by
            group.
        days: the rules by which days are read; None without a mapping: all are in ISO 8601.
        changed: columns of a manifest whose values the mapping file changes.
        registry: the registry that names are minted with; None for the built-in one.
        dialect: the dialect of names; None for RFC 9676.
        takes_all: whether all columns are taken as they are, without a meaning.
    """

    mapping: TableMapping
    columns: dict[str, Column | None]
    templates: tuple[Column, ...]
    constants: tuple[tuple[Column, str], ...]
    patterns: tuple[tuple[str, Mapping[str, Column]], ...] = ()
    days: DayRules | None = None
    changed: frozenset[str] = frozenset()
    registry: Registry | None = None
    dialect: str | None = None
    takes_all: bool = False

    def knows(self, header: str) -> bool:
        """Return whether a column is known, mapped, used in a template, or ignored."""
        if header in self.columns:
            return True
        mapping = self.mapping
        is_ignored = header in mapping.ignore
        column = None
        if header in mapping.columns or not is_ignored:
            target = mapping.columns.get(header, header)
            column = find_column(target, header, mapping.language)
        if column is None and not is_ignored:
            is_ignored = self.takes_all or self.feeds(header)
        if (column is None and not is_ignored) or len(self.columns) >= _MOST_COLUMNS:
            return False
        self.columns[header] = column
        return True

    def makes(self, target: str) -> bool:
        """Return whether a template or a pattern makes a column of a manifest."""
        made = (column for _, groups in self.patterns for column in groups.values())
        return any(column.target == target for column in (*self.templates, *made))

    def feeds(self, header: str) -> bool:
        """Return whether a template or a pattern uses a column."""
        mapping = self.mapping
        return header in mapping.patterns or any(
            header in each.columns for each in mapping.templates
        )

    def uses(self, header: str) -> bool:
        """Return whether a column that is known gives a value."""
        return self.columns.get(header) is not None or self.takes_all or self.feeds(header)

    def mentions(self, header: str) -> bool:
        """Return whether the mapping file names a column."""
        mapping = self.mapping
        return header in mapping.columns or header in mapping.ignore or self.feeds(header)

    def header_of(self, target: str) -> str:
        """Return the column of the table that ``target`` comes from."""
        made = (column for _, groups in self.patterns for column in groups.values())
        columns = (column for column in (*self.columns.values(), *made) if column is not None)
        fed = (column.header for column in columns if column.target == target)
        mapped = (source for source, name in self.mapping.columns.items() if name == target)
        return next(fed, None) or next(mapped, target)

    def describe_undecided(self) -> str:
        """Describe what the mapping file leaves undecided of names; empty if nothing."""
        # Lines of the mapping file that begin with "#".
        asked = [key for table, key in self.mapping.lines if table == "#" and key in _NAME_PARTS]
        parts = ", ".join(asked)
        lines = f", or decide the lines of {self.mapping.file} that begin with # ({parts})"
        return lines if parts else ""

    def describe_remedy(self, target: str) -> str:
        """Describe how a row gets a part of a name that it lacks."""
        fed = {column.target for column in self.columns.values() if column is not None}
        is_cited = target in _CITED and ("citation" in fed or self.makes("citation"))
        if target in fed or is_cited or self.makes(target):
            remedy = " in this row"
        elif ("#", target) in self.mapping.lines:
            return f": decide the line at {self.mapping.locate('#', target)}, and remove its #"
        else:
            remedy = ": map a column to it"
            remedy += ", or write it under [constants] in a mapping file" * (target != "number")
        if target == "number":
            none = 'unnumbered = "true" under [constants], for all rows without a number'
            none = "true in a column unnumbered" if is_cited else none
            remedy += (
                f'; if the act has none, write {none} (docs/tables.md, "Acts without numbers")'
            )
        return remedy

    def cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        """Yield the cells of a row that are not empty, with those that the mapping file makes.

        A constant is for rows that have no value. ``unnumbered`` is for those without a number.

        Raises:
            CellError: a cell does not match its pattern.
            TimeoutError: a pattern takes too long on a cell.
        """
        return self._fill_cells(row) if self.constants else self._list_own_cells(row)

    def _fill_cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        filled: set[str] = set()
        values = self.mapping.values
        for column, text in self._list_own_cells(row):
            words = values.get(column.target)
            if (text if words is None else words.get(text.strip(), text)).strip():
                filled.add(column.target)
            yield column, text
        if "number" in filled:
            filled.add("unnumbered")
        for column, text in self.constants:
            if column.target not in filled:
                yield column, text

    def _list_own_cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        columns = self.columns
        for header, text in row.items():
            if text and (column := columns[header]) is not None:
                yield column, text
        if not (self.templates or self.patterns):
            return
        values = self.mapping.values
        for column, template in zip(self.templates, self.mapping.templates, strict=True):
            text = template.text(row)
            # The mapping file may say that a cell has no value ("n.d." = "").
            if text and not any(
                own is not None and values.get(own.target, {}).get(row[header].strip()) == ""
                for header in template.columns
                for own in (self.columns[header],)
            ):
                yield column, text
        for header, groups in self.patterns:
            cell = row.get(header, "").strip()
            if cell:
                for group, text in _match(self.mapping.patterns[header], header, cell):
                    yield groups[group], text

    def change_text(self, column: Column, text: str) -> str:
        """Return a cell as the mapping file means it: its words, its days, the text of its HTML.

        Raises:
            CellError: a day of another calendar cannot be read.
        """
        mapping, value = self.mapping, text.strip()
        value = mapping.values.get(column.target, {}).get(value, value)
        is_html = mapping.titles == "html" and column.target in TITLE_COLUMNS
        if is_html and ("<" in value or "&" in value):
            parser = _TextOfHtml()
            parser.feed(value)
            parser.close()
            value = " ".join("".join(parser.pieces).split())
        if self.days is not None and value and column.target in _DAY_COLUMNS:
            day = self.days.read(value) or self.days.read_words(
                # With a language, the words of a name's date are read when it is minted.
                value,
                only_short_years=column.target in NAME_COLUMNS and self.days.language is not None,
            )
            serial = _SERIAL_NUMBER.fullmatch(value)
            if day is None and (serial or mapping.calendar is not None):
                shown = quote_value(value)
                if serial:
                    day = str(_FIRST_DAY + dt.timedelta(int(serial[1])))
                    shown += f" (the serial number of a spreadsheet for {day})"
                raise CellError(make_finding("LX512", named={"value": shown}, end=len(value)))
            value = day or value
        return value

    def read_value(self, header: str, value: object, shown: str | None = None) -> str:
        """Read the cell of a value of JSON, Parquet or a sheet; columns left out may hold anything.

        Args:
            header: the column.
            value: the value.
            shown: the value as a sheet shows it; None for other formats.

        Raises:
            CellError: no cell of this column may hold the value.
        """
        is_sheet = shown is not None
        is_odd = is_sheet and isinstance(value, bool | dt.time | dt.timedelta)
        cell, column = shown if is_odd else format_cell(value), self.columns[header]
        if self.takes_all:
            return json.dumps(value, default=str) if cell is None else cell
        if cell is not None and len(cell) > LONGEST_ROW:
            raise CellError(make_finding("LX503", named={"most": LONGEST_ROW}, column=header))
        is_text = isinstance(value, str)
        if column is None and (is_text or not self.feeds(header)):
            return cell or ""
        target = None if column is None else column.target
        kind = _find_lost_text(value, is_sheet=is_sheet) if target in _TEXT_COLUMNS else ""
        if kind and (target or kind in {_NUMBER, _POWER}):  # a pattern may read a day
            expected = (
                "it as the act has it: give the column the format Text, and type the cell again, "
                "or put an apostrophe in front of it"
            )
            stored = "the spreadsheet stored" if is_sheet else "stored as"
            text = f"{quote_value(cell or str(value))} ({stored} {kind})"
            raise CellError(
                make_finding("LX510", named={"value": text, "expected": expected}, column=header)
            )
        if isinstance(value, list | dict | bool) and not is_odd and target in NAME_COLUMNS:
            structured = JsonCell(json.dumps(value, ensure_ascii=False, default=str))
            structured.value = value
            return structured
        takes_list = target in LIST_COLUMNS
        if cell is None or (isinstance(value, list) and not takes_list):
            expected = "one text or number" + (", or a list of them" if takes_list else "")
            values = {"value": quote_value(str(value)), "expected": expected}
            raise CellError(make_finding("LX510", named=values, column=header))
        return cell


def make_plan(
    mapping: TableMapping, registry: Registry | None = None, dialect: str | None = None
) -> TablePlan:
    """Make the plan of a table whose columns are not known yet; see `TablePlan`."""

    def make_column(target: str) -> Column:
        # The mapping file was checked when it was read: its targets are columns.
        return find_column(target, target, mapping.language) or Column(header=target, target=target)

    changed = {*mapping.values}
    days = None
    rules = mapping.two_digit_years, mapping.time_zone, mapping.calendar
    if mapping is not NO_MAPPING:
        order = mapping.date_order or ("ymd" if any(rules) else "")
        days = DayRules(order, *rules, mapping.language)
        changed |= _DAY_COLUMNS
    if mapping.titles == "html":
        changed |= TITLE_COLUMNS
    patterns = tuple(
        (header, {name: replace(make_column(name), header=header) for name in find_groups(texts)})
        for header, texts in mapping.patterns.items()
    )
    return TablePlan(
        mapping,
        {},
        tuple(make_column(template.target) for template in mapping.templates),
        tuple((make_column(target), text) for target, text in mapping.constants.items()),
        patterns,
        days,
        frozenset(changed),
        registry,
        dialect,
    )


def _find_lost_text(value: object, *, is_sheet: bool) -> str:
    """Return what a spreadsheet made of a text such as "04.7810", "3E5", "3/4" or "12:30"."""
    if isinstance(value, dt.date):
        return "a date"
    if is_sheet and isinstance(value, bool):
        return "a truth value"
    if is_sheet and isinstance(value, dt.time | dt.timedelta):
        return "a time"
    if not isinstance(value, float) or math.isnan(value):
        return ""
    if value % 1:
        return _NUMBER
    return _POWER if is_sheet and abs(value) >= _LEAST_POWER and value % _ROUND == 0 else ""


def _match(patterns: Sequence[str], header: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the groups of the first pattern that is found in a cell, and their texts."""
    for pattern in patterns:
        found = compile_pattern(pattern).search(text, timeout=_LONGEST_MATCH)
        if found is not None:
            yield from ((name, value) for name, value in found.groupdict().items() if value)
            return
    named = {"value": quote_value(text)}
    found_none = make_finding("LX528", named=named, column=header, end=len(text), text=text)
    raise CellError(found_none)


class _TextOfHtml(HTMLParser):
    """Text of HTML, with blanks for tags that end a line."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - its face
        self._hidden += tag in _HIDDEN
        self.pieces.append("" if tag in _INLINE else " ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN
        self.pieces.append("" if tag in _INLINE else " ")

    def handle_data(self, data: str) -> None:
        self.pieces.append(data * (self._hidden < 1))


_HIDDEN = frozenset({"script", "style"})
_INLINE = frozenset(
    {
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "em", "font", "i", "ins", "mark"),
        *("q", "s", "small", "span", "strong", "sub", "sup", "u"),
    }
)


def list_unknown_columns(unknown: Sequence[str]) -> str:
    """List unknown columns, each with the name that it may stand for."""
    named = []
    for header in unknown[:_MOST_NAMED]:
        near = suggest_name(header)
        named.append(
            quote_value(header) + (f" (did you mean {quote_value(near)}?)" if near else "")
        )
    more = len(unknown) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def name_columns(headers: Sequence[str], plan: TablePlan) -> list[str]:
    """Return the names of columns; ``#3`` for one without, or with that of an earlier one.

    Only the mapping file can use such a name; else `check_headers` explains the fault.
    """
    named: list[str] = []
    for number, header in enumerate(headers, start=1):
        other = f"#{number}"
        is_renamed = (not header or header in named) and (plan.takes_all or plan.mentions(other))
        named.append(other if is_renamed else header)
    return named


def make_column_error(unknown: Sequence[str], where: str) -> ManifestError:
    """Make the error of a table with unknown columns."""
    columns = f"column{'s' if len(unknown) > 1 else ''} {list_unknown_columns(unknown)}"
    return ManifestError(
        f"{where}: unknown {columns}; map them in a mapping file, or list them under ignore there"
    )


def check_headers(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that every column of a table has one meaning, and that rows get a name.

    Raises:
        ManifestError: too many columns, columns without a name or with the same, unknown columns,
            two columns for one value, no name, columns of the mapping file that are not there.
    """
    if plan.takes_all:
        all(map(plan.knows, headers))
        return
    separator = next((mark for mark in ";\t|," if len(headers) == 1 and mark in headers[0]), None)
    if separator is not None and not plan.knows(headers[0]):
        where = plan.mapping.file or "a mapping file, and name that file with --map"
        shown = "\\t" if separator == "\t" else separator
        raise ManifestError(
            f'{file}: the separator of the cells seems to be "{shown}"; write separator = '
            f'"{shown}" in {where}'
        )
    if len(headers) > _MOST_COLUMNS:
        raise ManifestError(
            f"{file}: {len(headers):,} columns, but a manifest has {_MOST_COLUMNS:,} at most"
        )
    _check_names(headers, plan, file)
    _check_mapped(headers, plan, file)
    unknown = [header for header in headers if not plan.knows(header)]
    if unknown:
        raise make_column_error(unknown, file)
    _check_meanings(headers, plan, file)


def _check_names(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that each column has a name of its own, or is ignored."""
    seen: dict[str, int] = {}
    for number, header in enumerate(headers, start=1):
        if header in plan.mapping.ignore and header not in plan.mapping.columns:
            continue
        if not header:
            raise ManifestError(
                f'{file}: column {number} has no name; name it, call it "#{number}" in a mapping '
                'file, or ignore it there: ignore = [""]'
            )
        if header in seen:
            raise ManifestError(
                f"{file}: columns {seen[header]} and {number} are both named "
                f'{quote_value(header)}; rename one, or call the second "#{number}" in a mapping '
                "file"
            )
        seen[header] = number


def _check_mapped(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that the columns that the mapping file uses are there."""
    taken = [(name, "columns", name) for name in plan.mapping.columns]
    taken += [
        (name, "templates", template.target)
        for template in plan.mapping.templates
        for name in template.columns
    ]
    taken += [(name, "patterns", name) for name in plan.mapping.patterns]
    for name, table, key in taken:
        if name not in headers:
            near = suggest_name(name, tuple(headers))
            hint = f"; did you mean {quote_value(near)}?" if near else ""
            where = plan.mapping.locate(table, key)
            raise ManifestError(f"{where}: {file} has no column {quote_value(name)}{hint}")


def _check_meanings(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that each value has one source, and that one of them gives the name."""
    columns = [plan.columns[header] for header in headers]
    sources = [(c.target, f"the column {quote_value(c.header)}") for c in columns if c is not None]
    for made in plan.templates:
        where = plan.mapping.locate("templates", made.header)
        sources.append((made.target, f"the template at {where}"))
    for header, groups in plan.patterns:
        sources += [(group, f"the pattern of {quote_value(header)}") for group in groups]
    feeding: dict[str, str] = {}
    for target, source in sources:
        other = feeding.setdefault(target, source)
        if other is not source and target in SINGLE_COLUMNS:
            raise ManifestError(
                f"{file}: both {other} and {source} give {target}; keep one: "
                "remove the line of the other, or put its column under ignore"
            )
    constant = {column.target for column, _ in plan.constants}
    if not constant.union(feeding).intersection(_NAMING):
        raise ManifestError(
            f"{file}: no column gives the urn; name one, map one to urn, or give measure, date and "
            f"number, from which names are minted{plan.describe_undecided()}"
        )
