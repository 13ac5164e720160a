"""Plans: the meaning of the columns of one table, from its header and the mapping file."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import LONGEST_ROW, CellError, format_cell, quote_value
from lexurn.manifest.mapping import (
    LIST_COLUMNS,
    SINGLE_COLUMNS,
    Column,
    find_column,
    suggest_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.manifest.mapping import TableMapping
    from lexurn.registry import Registry

# A row needs one of these for a name.
_NAMING = frozenset({"urn", "measure", "citation"})
# Columns of numbers and words; None stands for a template or a pattern.
_TEXT_COLUMNS = frozenset({"number", "number_suffix", "annex", "citation", "urn", None})
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
        registry: the registry that names are minted with; None for the built-in one.
        dialect: the dialect of names; None for RFC 9676.
        takes_all: whether all columns are taken as they are, without a meaning.
    """

    mapping: TableMapping
    columns: dict[str, Column | None]
    templates: tuple[Column, ...]
    constants: tuple[tuple[Column, str], ...]
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
        """Return whether a template makes a column of a manifest."""
        return any(column.target == target for column in self.templates)

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
        columns = (column for column in self.columns.values() if column is not None)
        fed = (column.header for column in columns if column.target == target)
        mapped = (source for source, name in self.mapping.columns.items() if name == target)
        return next(fed, None) or next(mapped, target)

    def cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        """Yield the cells of a row that are not empty, with those of templates and constants."""
        filled: set[str] = set()
        for header, text in row.items():
            column = self.columns[header]
            if column is not None and text:
                filled.add(column.target)
                yield column, text
        for column, template in zip(self.templates, self.mapping.templates, strict=True):
            text = template.text(row)
            if text:
                filled.add(column.target)
                yield column, text
        for column, text in self.constants:
            if column.target not in filled:
                yield column, text

    def read_value(self, header: str, value: object) -> str:
        """Read the cell of a value of JSON or Parquet; columns left out may hold anything.

        Raises:
            CellError: no cell of this column may hold the value.
        """
        cell, column = format_cell(value), self.columns[header]
        if cell is None and self.takes_all:
            cell = json.dumps(value, default=str)
        if cell is not None and len(cell) > LONGEST_ROW:
            raise CellError(make_finding("LX503", named={"most": LONGEST_ROW}, column=header))
        is_text = isinstance(value, str)
        if column is None and (is_text or not self.feeds(header)):
            return cell or ""
        target = None if column is None else column.target
        # A spreadsheet made it of "04.7817" or "3/4": the number is lost.
        is_odd = isinstance(value, dt.date) or (
            isinstance(value, float) and cell != str(int(value)) if cell else False
        )
        if is_odd and target in _TEXT_COLUMNS:
            expected = "it as text: give the column the format Text, and correct the cell"
            values = {"value": quote_value(cell or str(value)), "expected": expected}
            raise CellError(make_finding("LX510", named=values, column=header))
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

    return TablePlan(
        mapping,
        {},
        tuple(make_column(template.target) for template in mapping.templates),
        tuple((make_column(target), text) for target, text in mapping.constants.items()),
        registry,
        dialect,
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


def find_separator(headers: Sequence[str]) -> str | None:
    """Return the separator that a header of one cell seems to have, or None."""
    return next((mark for mark in ";\t|," if len(headers) == 1 and mark in headers[0]), None)


def check_headers(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that every column of a table has one meaning, and that rows get a name.

    Raises:
        ManifestError: too many columns, columns without a name or with the same, unknown columns,
            two columns for one value, no name, columns of the mapping file that are not there.
    """
    if plan.takes_all:
        all(map(plan.knows, headers))
        return
    separator = find_separator(headers)
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
    feeding: dict[str, str] = {}
    for target, source in sources:
        other = feeding.setdefault(target, source)
        if other is not source and target in SINGLE_COLUMNS:
            raise ManifestError(
                f"{file}: both {other} and {source} give {target}; put one under ignore"
            )
    constant = {column.target for column, _ in plan.constants}
    if not constant.union(feeding).intersection(_NAMING):
        raise ManifestError(
            f"{file}: no column gives the urn; name one, map one to urn, or give measure, date and "
            "number, from which names are minted"
        )
