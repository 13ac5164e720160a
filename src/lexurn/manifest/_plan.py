"""How one table is read: which of its columns is what, and what stands in no column of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.manifest._columns import SINGLE, Column, column_named, nearest
from lexurn.manifest._faults import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.manifest._faults import Fault
    from lexurn.manifest._mapping import TableMapping
    from lexurn.registry import Registry

__all__ = ["Plan", "check_headers", "plan_of", "unknown_columns"]

# What one of must be there for a row to get a name.
_NAMING = frozenset({"urn", "measure", "citation"})
_MOST_COLUMNS = 1_000
_MOST_NAMED = 1_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What the columns of a table mean.

    Attributes:
        mapping: what the mapping file says of them.
        columns: the columns met so far, by header; None for what says nothing here.
        templates: columns that templates make.
        constants: columns that are the same wherever a row has no value, and that value.
        registry: what names are minted with; None for the built-in one.
        dialect: what names are written in, where that is not RFC 9676.
    """

    mapping: TableMapping
    columns: dict[str, Column | None]
    templates: tuple[Column, ...]
    constants: tuple[tuple[Column, str], ...]
    registry: Registry | None = None
    dialect: str | None = None

    def knows(self, header: str) -> bool:
        """Whether a column is known, mapped, used in a template, or ignored."""
        if header in self.columns:
            return True
        column = _column_of(header, self.mapping)
        if column is None and not _says_nothing(header, self.mapping):
            return False
        if len(self.columns) >= _MOST_COLUMNS:
            return False
        self.columns[header] = column
        return True

    def header_of(self, target: str) -> str:
        """The column that ``target`` comes from, as the table names it."""
        columns = (column for column in self.columns.values() if column is not None)
        fed = (column.header for column in columns if column.target == target)
        mapped = (source for source, name in self.mapping.columns.items() if name == target)
        return next(fed, None) or next(mapped, target)

    def placed(self, fault: Fault) -> Fault:
        """A fault whose column is a target, with the column as the table names it."""
        return (
            fault if fault.column is None else replace(fault, column=self.header_of(fault.column))
        )

    def cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        """The cells of a row that say something, templates and constants among them."""
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


def plan_of(
    mapping: TableMapping, registry: Registry | None = None, dialect: str | None = None
) -> Plan:
    """The plan of a table of which nothing is known yet but the mapping.

    Args:
        mapping: what the mapping file says.
        registry: what names are minted with; None for the built-in one.
        dialect: what names are written in; None for RFC 9676.
    """

    def made(target: str) -> Column:
        # The mapping file was checked when it was read: its targets are columns.
        return column_named(target, target, mapping.language) or Column(
            header=target, target=target
        )

    return Plan(
        mapping,
        {},
        tuple(made(template.target) for template in mapping.templates),
        tuple((made(target), text) for target, text in mapping.constants.items()),
        registry,
        dialect,
    )


def _column_of(header: str, mapping: TableMapping) -> Column | None:
    if header in mapping.columns:
        return column_named(mapping.columns[header], header, mapping.language)
    if header in mapping.ignore:
        return None
    return column_named(header, header, mapping.language)


def _says_nothing(header: str, mapping: TableMapping) -> bool:
    return header in mapping.ignore or any(header in each.columns for each in mapping.templates)


def unknown_columns(unknown: Sequence[str]) -> str:
    """The columns that nothing is known of, each with the name that it may stand for."""
    named = [_unknown(header) for header in unknown[:_MOST_NAMED]]
    more = len(unknown) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def _unknown(header: str) -> str:
    near = nearest(header)
    return shown(header) + (f" (did you mean {shown(near)}?)" if near else "")


def check_headers(headers: Sequence[str], plan: Plan, file: str) -> None:
    """Make sure that every column of a table has one meaning, and that rows get a name.

    Raises:
        ManifestError: too many columns, columns without a name or with the same, unknown columns,
            two columns for one value, no name, columns of the mapping file that are not there.
    """
    _check_number(headers, file)
    _check_names(headers, plan, file)
    _check_presence(headers, plan.mapping, file)
    unknown = [header for header in headers if not plan.knows(header)]
    if unknown:
        raise ManifestError(_unknown_message(unknown, headers, file))
    _check_meanings(headers, plan, file)


def _check_number(headers: Sequence[str], file: str) -> None:
    if len(headers) > _MOST_COLUMNS:
        raise ManifestError(
            f"{file}: {len(headers):,} columns, a manifest has {_MOST_COLUMNS:,} at most"
        )


def _check_names(headers: Iterable[str], plan: Plan, file: str) -> None:
    seen: dict[str, int] = {}
    for number, header in enumerate(headers, start=1):
        if header in plan.mapping.ignore and header not in plan.mapping.columns:
            continue
        if not header:
            raise ManifestError(
                f'{file}: column {number} has no name; name it, or ignore it: ignore = [""]'
            )
        if header in seen:
            raise ManifestError(
                f"{file}: columns {seen[header]} and {number} are both named {shown(header)}; "
                "rename one of them"
            )
        seen[header] = number


def _unknown_message(unknown: Sequence[str], headers: Sequence[str], file: str) -> str:
    plural = "s" if len(unknown) > 1 else ""
    message = f"{file}: unknown column{plural} {unknown_columns(unknown)}; "
    split = next((mark for mark in ";\t|" if len(headers) == 1 and mark in headers[0]), None)
    if split is not None:
        name = "\\t" if split == "\t" else split
        return (
            message
            + f'if cells are separated by "{name}", say separator = "{name}" in a mapping file'
        )
    return message + "say in a mapping file what they mean, or list them under ignore there"


def _check_presence(headers: Sequence[str], mapping: TableMapping, file: str) -> None:
    wanted = [(name, "columns", name) for name in mapping.columns]
    wanted += [(n, "templates", each.target) for each in mapping.templates for n in each.columns]
    for name, table, key in wanted:
        if name not in headers:
            near = nearest(name, tuple(headers))
            hint = f"; did you mean {shown(near)}?" if near else ""
            raise ManifestError(
                f"{mapping.place(table, key)}: {file} has no column {shown(name)}{hint}"
            )


def _check_meanings(headers: Sequence[str], plan: Plan, file: str) -> None:
    columns = [plan.columns[header] for header in headers]
    sources = [(c.target, f"the column {shown(c.header)}") for c in columns if c is not None]
    for made in plan.templates:
        place = plan.mapping.place("templates", made.header)
        sources.append((made.target, f"the template at {place}"))
    feeding: dict[str, str] = {}
    for target, source in sources:
        other = feeding.setdefault(target, source)
        if other is not source and target in SINGLE:
            raise ManifestError(
                f"{file}: both {other} and {source} give {target}; put one under ignore"
            )
    constant = {column.target for column, _ in plan.constants}
    if not constant.union(feeding).intersection(_NAMING):
        raise ManifestError(
            f"{file}: no column gives the urn; name one, map one to urn, or give measure, date and "
            "number, from which names are minted"
        )
