"""Rows read: from cells to a name and plain values, or to findings.

A row without a name is named by minting, from its other columns (RFC 9676 sections 3 to 7).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest.cells import (
    CELL_READERS,
    Cell,
    Fault,
    RowDraft,
    RowFault,
    quote_value,
    read_name,
    split_pieces,
)
from lexurn.manifest.mapping import NAME_COLUMNS, SINGLE_COLUMNS
from lexurn.model import FIELDS, Kind, is_original
from lexurn.name import Level, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lexurn.findings import Finding
    from lexurn.manifest.mapping import Column, TablePlan
    from lexurn.model import Field
    from lexurn.name import Name

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = re.compile("[\udc80-\udcff]+")
_ACT_NAME = re.compile(r"urn:lex(?::[^:@$~]*){4}")
_LONGEST_CACHED = 120


class RowValues(NamedTuple):
    """Values of a good row.

    Attributes:
        name: the name that the row describes.
        alias_of: the canonical name of which that is an alias.
        fields: the other fields of the record, as plain values; names as canonical texts.
        undated: the expression that the row's number orders, where neither dates nor the row do.
    """

    name: Name
    alias_of: Name | None
    fields: dict[str, Any]
    undated: Name | None


def act_of(name: Name) -> str:
    """Return the canonical text of the act that a name belongs to."""
    found = _ACT_NAME.match(str(name))
    return found[0] if found is not None else str(name.act_name)


def read_row(
    plan: TablePlan, cells: Mapping[str, str], file: str, line: int
) -> tuple[RowValues | None, list[Finding]]:
    """Read a row: its values, None where a finding is an error, and its findings."""
    row = read_cells(plan, cells, file, line)
    if "urn" not in row.cells:
        _mint_name(row, plan)
    name, alias_of = row.names.get("urn"), row.names.get("alias_of")
    if not _COPY_COLUMNS.isdisjoint(row.fields):
        _join_copies(row)
    if name is not None and alias_of is not None:
        _check_alias(row, name, alias_of)
    if name is None or (row.findings and row.has_error):
        return None, row.findings
    undated = None if name.expression is None else _find_undated_version(name)
    return RowValues(name, alias_of, row.fields, undated), row.findings


def read_cells(plan: TablePlan, cells: Mapping[str, str], file: str, line: int) -> RowDraft:
    """Read the cells of a row, each by itself."""
    row = RowDraft(file, line, plan.dialect)
    for column, text in plan.cells(cells):
        if text.isascii() and text.isprintable():
            _read_cell(row, column, text)
        else:
            _read_any_cell(row, column, text)
    return row


def check_constants(plan: TablePlan) -> None:
    """Check that the constants of a mapping file are values of their columns.

    Raises:
        ManifestError: one is not; with its line in the mapping file.
    """
    for column, text in plan.constants:
        place = plan.mapping.place("constants", column.header)
        row = RowDraft(plan.mapping.file, 0)
        _read_any_cell(row, column, text)
        for found in row.findings:
            if found.severity is Severity.ERROR:
                raise ManifestError(f"{place}: {found.message} ({found.rule})")


def _read_any_cell(row: RowDraft, column: Column, text: str) -> None:
    """Read a cell that may hold characters that no text may hold; report these."""
    text = text.replace("\r\n", "\n")
    found = _FORBIDDEN.search(text)
    if found is None:
        at = text.find("\ufffd")
        if at >= 0:
            row.report(Fault(code="LX522", column=column.header, start=at, end=at + 1, text=text))
        _read_cell(row, column, text)
        return
    escaped = _ESCAPED.match(text, found.start())
    if escaped is None:
        code, value, end = "LX502", f"U+{ord(found[0]):04X}", found.end()
    else:
        code, value = "LX501", " ".join(f"{ord(c) - 0xDC00:02X}" for c in escaped[0][:4])
        text, end = text.encode("utf-8", "replace").decode(), escaped.end()
    fault = Fault(code=code, start=found.start(), end=end, values={"value": value})
    row.report(replace(fault, column=column.header, text=text))


def _read_cell(row: RowDraft, column: Column, text: str) -> None:
    value = text.strip()
    if value:
        _READERS[column.target](row, column, text, value)


def _read_title(row: RowDraft, column: Column, _text: str, value: str) -> None:
    row.fields.setdefault("titles", []).append((value, column.language))


def _read_value(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Read one value or a list: days, numbers, links, agents."""
    target = column.target
    field, is_copy = _ROW_FIELDS[target]
    if is_copy:
        row.cells[target] = Cell(column.header, text)
    known = row.fields.get(field)
    if known is not None and target in SINGLE_COLUMNS:
        row.report_cell(Cell(column.header, text), "LX520", value=target)
        return
    try:
        is_own = is_copy or len(value) > _LONGEST_CACHED
        found = CELL_READERS[target](value) if is_own else _read_cached(target, value)
    except RowFault as error:
        fault, by = error.fault, text.index(value)
        start, end = fault.start + by, fault.end + by
        row.report(replace(fault, column=column.header, start=start, end=end, text=text))
        return
    row.fields[field] = found if known is None else [*known, *found]


@lru_cache(maxsize=4096)
def _read_cached(target: str, value: str) -> Any:
    """Read a cell; the same days, licences and agents stand in many rows."""
    return CELL_READERS[target](value)


def _read_name(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Read the name itself, or the name of which it is an alias."""
    target = column.target
    if target in row.cells:
        row.report_cell(Cell(column.header, text), "LX520", value=target)
        return
    at = 0 if value is text else text.index(value)
    row.cells[target] = cell = Cell(column.header, text, at)
    name = read_name(row, cell, value)
    if name is None:
        return
    row.names[target] = name
    if row.dialect is not None and target == "urn" and value != str(name):
        row.fields["dialect_names"] = [*row.fields.get("dialect_names", ()), value]


def _read_names(row: RowDraft, column: Column, text: str, _value: str) -> None:
    """Read names between blanks."""
    names = row.fields.setdefault(column.target, [])
    for start, piece in split_pieces(text):
        name = read_name(row, Cell(column.header, text, start), piece)
        if name is not None:
            names.append(str(name))


def _read_name_field(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Keep a cell that a name may be minted from."""
    if column.target in row.name_fields:
        row.report_cell(Cell(column.header, text), "LX520", value=column.target)
    else:
        row.name_fields[column.target] = Cell(column.header, text, text.index(value))


def _choose_reader(field: Field) -> Callable[[RowDraft, Column, str, str], None]:
    if field.kind is Kind.TITLE:
        return _read_title
    if field.kind is Kind.NAME:
        return _read_names if field.is_list else _read_name
    return _read_value


_READERS = {
    "urn": _read_name,
    **dict.fromkeys(NAME_COLUMNS, _read_name_field),
    **{column: _choose_reader(field) for field in FIELDS for column in field.columns},
}
_COPY_COLUMNS = {each for field in FIELDS if field.kind is Kind.COPY for each in field.columns}
_ROW_FIELDS = {
    column: (column if column in _COPY_COLUMNS else field.name, column in _COPY_COLUMNS)
    for field in FIELDS
    for column in field.columns
}
"""By column: the field of a row that its values go to, and whether they are joined to copies."""


def _find_undated_version(name: Name) -> Name | None:
    """Return the expression that no date places in its chain, such as a reading of a bill."""
    version = name.expression.version if name.expression is not None else None
    if version is None or version.date is not None or is_original(version):
        return None
    if any(event.date is not None for event in version.events):
        return None
    is_itself = name.level is Level.EXPRESSION and name.partition is None
    return name if is_itself else name.expression_name


def _check_alias(row: RowDraft, name: Name, alias_of: Name) -> None:
    """Check that an alias and its canonical name are two names at one level."""
    cell = row.cells["alias_of"]
    if name == alias_of:
        row.report_cell(cell, "LX533")
    elif (name.level, name.partition is None) != (alias_of.level, alias_of.partition is None):
        kind = alias_of.level.value
        expected = kind if alias_of.partition is None else f"part of a {kind}"
        row.report_cell(cell, "LX534", value=quote_value(str(alias_of)), expected=expected)


def _join_copies(row: RowDraft) -> None:
    """Join the URLs, sizes and digests of copies to one field."""
    urls: list[str] = row.fields.pop("url", [])
    sizes: list[int | None] | None = row.fields.pop("bytes", None)
    sums: list[str | None] | None = row.fields.pop("sha256", None)
    for target, values in (("bytes", sizes), ("sha256", sums)):
        if values is not None and len(values) != len(urls) and not row.has_error:
            row.report_cell(row.cells[target], "LX517", value=len(values), expected=len(urls))
    nothing = [None] * len(urls)
    copies = dict.fromkeys(zip(urls, sizes or nothing, sums or nothing, strict=False))
    seen: set[str] = set()
    for url, _, _ in copies:
        if url in seen:
            row.report_cell(row.cells["url"], "LX518", value=quote_value(url))
        seen.add(url)
    if copies:
        row.fields["items"] = list(copies)


_VERSION_FIELDS = frozenset({"version", "amendment_date"})


def _mint_name(row: RowDraft, plan: TablePlan) -> None:
    """Mint the name of a row without one, from its other columns."""
    if not row.name_fields:
        row.report(Fault(code="LX511", values={"value": plan.header_of("urn")}))
        return
    from lexurn.minting import try_mint  # noqa: PLC0415 - with its registry, where it is needed

    fields = collect_fields(row)
    if str(fields.get("unnumbered", "")).lower() == "true":
        row.report_cell(row.name_fields["unnumbered"], "LX525")
        return
    minted = try_mint(fields, registry=plan.registry)
    row.findings += (_place_mint_finding(found, row, plan) for found in minted.findings)
    if minted.name is not None:
        row.names["urn"] = minted.name


def collect_fields(row: RowDraft) -> dict[str, object]:
    """Collect the fields of metadata that a row holds.

    The column ``language`` is the language of the words and, behind a version, of the text that
    the name stands for (RFC 9676 section 5.6). A title stands in for a measure by its subject.
    """
    fields: dict[str, object] = {
        target: cell.text[cell.start :].strip() for target, cell in row.name_fields.items()
    }
    if "language" in fields and _VERSION_FIELDS & fields.keys():
        fields.setdefault("version_language", fields["language"])
    titles = row.fields.get("titles")
    if titles:
        fields["title"] = titles[0][0]
    return fields


def _place_mint_finding(found: Finding, row: RowDraft, plan: TablePlan) -> Finding:
    """Return a finding of minting as one on its cell."""
    field = found.component
    cell = row.name_fields.get("annex" if field == "annexes" else field)
    text = cell.text if cell is not None else found.text
    start = max(text.find(found.text), 0) if cell is not None and found.text else 0
    return replace(
        found,
        file=row.file,
        line=row.line,
        column=plan.header_of(field) if cell is None else cell.column,
        start=start + found.start,
        end=start + found.end,
        text=text,
    )
