"""Rows read: from cells to a name and plain values, or to findings."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest._cells import COPIES, LISTS, VALUES, pieces
from lexurn.manifest._columns import MINTED
from lexurn.manifest._draft import Place, Row
from lexurn.manifest._faults import Fault, RowFault, shown
from lexurn.manifest._names import name_in
from lexurn.model import is_original
from lexurn.name import Level, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.manifest._columns import Column
    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._plan import Plan
    from lexurn.name import Name

__all__ = ["Reading", "act_of", "check_constants", "read_cells", "read_row"]

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = re.compile("[\udc80-\udcff]+")
_ACT = re.compile(r"urn:lex(?::[^:@$~]*){4}")
_LONGEST_REMEMBERED = 120

_Item = tuple[str, int | None, str | None]


class Reading(NamedTuple):
    """A good row.

    Attributes:
        name: the name it describes.
        alias_of: the canonical name of which that is an alias.
        fields: the other fields of the record, as plain values; names as canonical texts.
        ranked: the expression that the row's number orders, where neither dates nor the row do.
    """

    name: Name
    alias_of: Name | None
    fields: dict[str, Any]
    ranked: Name | None


def act_of(name: Name) -> str:
    """The canonical text of the act that a name belongs to: what stands before all else."""
    found = _ACT.match(str(name))
    return found[0] if found is not None else str(name.act_name)


def read_row(
    plan: Plan, cells: Mapping[str, str], file: str, line: int
) -> tuple[Reading | None, list[RowFinding]]:
    """What a row says, and what is to be said of it; None where a finding is an error."""
    row = read_cells(plan, cells, file, line)
    return _reading_of(row, plan), row.findings


def read_cells(plan: Plan, cells: Mapping[str, str], file: str, line: int) -> Row:
    """A row with all its cells read."""
    row = Row(file, line, plan.dialect)
    for column, text in plan.cells(cells):
        if text.isascii() and text.isprintable():
            _read_cell(row, column, text)
        else:
            _read_any_cell(row, column, text)
    return row


def check_constants(plan: Plan) -> None:
    """Make sure that the constants of a mapping file are values of their columns.

    Raises:
        ManifestError: one is none; with its line in the mapping file.
    """
    for column, text in plan.constants:
        place = plan.mapping.place("constants", column.header)
        row = Row(plan.mapping.file, 0)
        _read_any_cell(row, column, text)
        for found in row.findings:
            if found.severity is Severity.ERROR:
                raise ManifestError(f"{place}: {found.message} ({found.rule})")


def _read_any_cell(row: Row, column: Column, text: str) -> None:
    """Read a cell that may hold what no text may hold, which is said where it stands."""
    text = text.replace("\r\n", "\n")
    found = _FORBIDDEN.search(text)
    if found is None:
        at = text.find("\ufffd")
        if at >= 0:
            row.say(Fault(code="LX522", column=column.header, start=at, end=at + 1, text=text))
        _read_cell(row, column, text)
        return
    escaped = _ESCAPED.match(text, found.start())
    if escaped is None:
        code, value, end = "LX502", f"U+{ord(found[0]):04X}", found.end()
    else:
        code, value = "LX501", " ".join(f"{ord(c) - 0xDC00:02X}" for c in escaped[0][:4])
        text, end = text.encode("utf-8", "replace").decode(), escaped.end()
    fault = Fault(code=code, start=found.start(), end=end, values={"value": value})
    row.say(replace(fault, column=column.header, text=text))


def _read_cell(row: Row, column: Column, text: str) -> None:
    value = text.strip()
    if value:
        _READERS[column.target](row, column, text, value)


def _read_title(row: Row, column: Column, _text: str, value: str) -> None:
    row.fields.setdefault("titles", []).append((value, column.language))


def _read_value(row: Row, column: Column, text: str, value: str) -> None:
    """A day, a number, a status; sizes and digests of all copies."""
    target = column.target
    if target in row.fields:
        row.say_at(Place(column.header, text), "LX520", value=target)
        return
    try:
        row.fields[target] = COPIES[target](value) if target in COPIES else _value(target, value)
    except RowFault as found:
        _say_shifted(row, column, text, value, found.fault)


def _read_list(row: Row, column: Column, text: str, value: str) -> None:
    """Links, agents."""
    field, read = LISTS[column.target]
    try:
        is_own = column.target == "url" or len(value) > _LONGEST_REMEMBERED
        found = read(value) if is_own else _list(column.target, value)
    except RowFault as fault:
        _say_shifted(row, column, text, value, fault.fault)
        return
    known = row.fields.get(field)
    row.fields[field] = found if known is None else [*known, *found]


def _read_copies(row: Row, column: Column, text: str, value: str) -> None:
    """What three columns say of the copies."""
    row.places[column.target] = Place(column.header, text)
    (_read_list if column.target == "url" else _read_value)(row, column, text, value)


@lru_cache(maxsize=4096)
def _value(target: str, value: str) -> Any:
    """What a cell says; the same days and numbers stand in many rows."""
    return VALUES[target](value)


@lru_cache(maxsize=1024)
def _list(target: str, value: str) -> list[str]:
    """What a cell says; the same licences and agents stand in many rows."""
    return LISTS[target][1](value)


def _say_shifted(row: Row, column: Column, text: str, value: str, fault: Fault) -> None:
    """Note a fault in a value at its place in the cell."""
    by = text.index(value)
    start, end = fault.start + by, fault.end + by
    row.say(replace(fault, column=column.header, start=start, end=end, text=text))


def _read_name(row: Row, column: Column, text: str, value: str) -> None:
    """The name itself, or the one of which it is an alias."""
    target = column.target
    if target in row.places:
        row.say_at(Place(column.header, text), "LX520", value=target)
        return
    at = 0 if value is text else text.index(value)
    row.places[target] = place = Place(column.header, text, at)
    name = name_in(row, place, value)
    if name is None:
        return
    row.names[target] = name
    if row.dialect is not None and target == "urn" and value != str(name):
        row.fields.setdefault("dialect_names", []).append(value)


def _read_names(row: Row, column: Column, text: str, _value: str) -> None:
    """Names between blanks."""
    names = row.fields.setdefault(column.target, [])
    for start, piece in pieces(text):
        name = name_in(row, Place(column.header, text, start), piece)
        if name is not None:
            names.append(str(name))


def _reading_of(row: Row, plan: Plan) -> Reading | None:
    """What a row says, once all its cells are read."""
    if "urn" not in row.places:
        _mint_name(row, plan)
    name, alias_of = row.names.get("urn"), row.names.get("alias_of")
    fields = row.fields
    if "urls" in fields or "bytes" in fields or "sha256" in fields:
        items = _items(row)
        if items:
            fields["items"] = items
    if name is not None and alias_of is not None:
        _check_alias(row, name, alias_of)
    if name is None or (row.findings and row.has_error):
        return None
    ranked = None if name.expression is None else _ranked(name)
    return Reading(name, alias_of, fields, ranked)


def _mint_name(row: Row, plan: Plan) -> None:
    """The name of a row that gives none, from what it says of the document."""
    if not row.minted:
        row.say(Fault(code="LX511", values={"value": plan.header_of("urn")}))
        return
    from lexurn.manifest._minted import minted_name  # noqa: PLC0415  with its registry

    name = minted_name(row, plan)
    if name is not None:
        row.names["urn"] = name


def _ranked(name: Name) -> Name | None:
    """The expression whose place in its chain no date tells: it has a label (a bill's reading)."""
    version = name.expression.version if name.expression is not None else None
    if version is None or version.date is not None or is_original(version):
        return None
    if any(event.date is not None for event in version.events):
        return None
    is_itself = name.level is Level.EXPRESSION and name.partition is None
    return name if is_itself else name.expression_name


def _check_alias(row: Row, name: Name, alias_of: Name) -> None:
    """An alias and its canonical name are two names at one level."""
    place = row.places["alias_of"]
    if name == alias_of:
        row.say_at(place, "LX533")
    elif (name.level, name.partition is None) != (alias_of.level, alias_of.partition is None):
        kind = alias_of.level.value
        expected = kind if alias_of.partition is None else f"part of a {kind}"
        row.say_at(place, "LX534", value=shown(str(alias_of)), expected=expected)


def _items(row: Row) -> list[_Item]:
    """What three columns together say of the copies."""
    urls: list[str] = row.fields.pop("urls", [])
    sizes: list[int | None] | None = row.fields.pop("bytes", None)
    sums: list[str | None] | None = row.fields.pop("sha256", None)
    if len(urls) == 1 and sizes is None and sums is None:
        return [(urls[0], None, None)]
    for target, values in (("bytes", sizes), ("sha256", sums)):
        if values is not None and len(values) != len(urls) and not row.has_error:
            row.say_at(row.places[target], "LX517", value=len(values), expected=len(urls))
    nothing = [None] * len(urls)
    items: list[_Item] = list(
        dict.fromkeys(zip(urls, sizes or nothing, sums or nothing, strict=False))
    )
    seen: set[str] = set()
    for url, _, _ in items:
        if url in seen:
            row.say_at(row.places["url"], "LX518", value=shown(url))
        seen.add(url)
    return items


def _read_minted(row: Row, column: Column, text: str, value: str) -> None:
    """What a name is minted from, if no column gives it."""
    if column.target in row.minted:
        row.say_at(Place(column.header, text), "LX520", value=column.target)
    else:
        row.minted[column.target] = Place(column.header, text, text.index(value))


_READERS = {
    **dict.fromkeys(MINTED, _read_minted),
    "title": _read_title,
    "urn": _read_name,
    "alias_of": _read_name,
    "also_named": _read_names,
    "amended_by": _read_names,
    **dict.fromkeys(VALUES, _read_value),
    **dict.fromkeys(LISTS, _read_list),
    "url": _read_copies,
    "bytes": _read_copies,
    "sha256": _read_copies,
}
