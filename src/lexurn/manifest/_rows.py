"""Rows read: from cells to a name and plain values, or to findings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest._cells import LISTS, VALUES, digests, pieces, sizes
from lexurn.manifest._faults import Fault, RowFault, finding_of, finding_of_name, shown
from lexurn.model import is_original
from lexurn.name import Level, Severity, check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.manifest._columns import Column
    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._plan import Plan
    from lexurn.name import Name

__all__ = ["Reading", "act_of", "read_row"]

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = re.compile("[\udc80-\udcff]+")
_ACT = re.compile(r"urn:lex(?::[^:@$~]*){4}")
_ONE_NAME = frozenset({"urn", "alias_of"})
_COPIES = frozenset({"url", "bytes", "sha256"})
_NAMES = frozenset({"also_named", "amended_by"})


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
    fields: dict[str, object]
    ranked: Name | None


@dataclass(slots=True)
class _Row:
    """A row while it is read."""

    file: str
    line: int
    titles: list[tuple[str, str | None]] = field(default_factory=list)
    values: dict[str, str | int] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    sizes: list[int] | None = None
    names: dict[str, Name] = field(default_factory=dict)
    places: dict[str, Fault] = field(default_factory=dict)
    findings: list[RowFinding] = field(default_factory=list)

    def say(self, fault: Fault) -> None:
        """Note a finding."""
        self.findings.append(finding_of(fault, self.file, self.line))


def act_of(name: Name) -> str:
    """The canonical text of the act that a name belongs to: what stands before all else."""
    found = _ACT.match(str(name))
    return found[0] if found is not None else str(name.act_name)


def read_row(
    plan: Plan, cells: Mapping[str, str], file: str, line: int
) -> tuple[Reading | None, list[RowFinding]]:
    """What a row says, and what is to be said of it; None where a finding is an error."""
    row = _Row(file, line)
    for column, text in plan.cells(cells):
        if not text.isprintable():
            clean = text.replace("\r\n", "\n")
            if _is_refused(row, column, clean):
                continue
            _read_cell(row, column, clean)
        else:
            _read_cell(row, column, text)
    return _reading_of(row, plan), row.findings


def _is_refused(row: _Row, column: Column, text: str) -> bool:
    """Whether a cell holds what no text may hold; it is said where."""
    found = _FORBIDDEN.search(text)
    if found is None:
        return False
    escaped = _ESCAPED.match(text, found.start())
    if escaped is not None:
        code, value = "LX501", " ".join(f"{ord(c) - 0xDC00:02X}" for c in escaped[0][:4])
    else:
        code, value = "LX502", f"U+{ord(found[0]):04X}"
    end = (escaped or found).end()
    row.say(
        Fault(
            code=code,
            column=column.header,
            start=found.start(),
            end=end,
            text=text.encode("utf-8", "replace").decode() if code == "LX501" else text,
            values={"value": value},
        )
    )
    return True


def _read_cell(row: _Row, column: Column, text: str) -> None:
    value = text.strip()
    if not value:
        return
    if not value.isascii() and "\ufffd" in value:
        at = text.index("\ufffd")
        row.say(Fault(code="LX522", column=column.header, start=at, end=at + 1, text=text))
    target = column.target
    if target == "title":
        row.titles.append((value, column.language))
    elif target in _ONE_NAME:
        _read_name(row, column, text, value)
    elif target in _NAMES:
        _read_names(row, column, text)
    else:
        _read_value(row, column, text, value)


def _read_value(row: _Row, column: Column, text: str, value: str) -> None:
    """A day, a number, links, agents."""
    try:
        if not _kept(row, column.target, value):
            row.say(_second(column, text))
    except RowFault as found:
        fault = found.fault
        by = text.index(value)
        start, end = fault.start + by, fault.end + by
        row.say(replace(fault, column=column.header, start=start, end=end, text=text))
    if column.target in _COPIES:
        row.places[column.target] = Fault(
            code="LX517", column=column.header, end=len(text), text=text
        )


def _kept(row: _Row, target: str, value: str) -> bool:
    """Keep what a cell says; False where another cell said it before."""
    if target in LISTS:
        name, read = LISTS[target]
        row.lists.setdefault(name, []).extend(read(value))
    elif target in VALUES and target not in row.values:
        row.values[target] = VALUES[target](value)
    elif target == "sha256" and target not in row.lists:
        row.lists[target] = digests(value)
    elif target == "bytes" and row.sizes is None:
        row.sizes = sizes(value)
    else:
        return False
    return True


def _second(column: Column, text: str) -> Fault:
    return Fault(
        code="LX520",
        column=column.header,
        end=len(text),
        text=text,
        values={"value": column.target},
    )


def _read_name(row: _Row, column: Column, text: str, value: str) -> None:
    """The name itself, or the one of which it is an alias."""
    target = column.target
    if target in row.places:
        row.say(_second(column, text))
        return
    at = 0 if value is text else text.index(value)
    row.places[target] = place = Fault(code="LX511", column=column.header, start=at, text=text)
    name = _checked(row, place, value)
    if name is not None:
        row.names[target] = name


def _read_names(row: _Row, column: Column, text: str) -> None:
    """Names between blanks."""
    names = row.lists.setdefault(column.target, [])
    for start, piece in pieces(text):
        place = Fault(code="LX511", column=column.header, start=start, text=text)
        name = _checked(row, place, piece)
        if name is not None:
            names.append(str(name))


def _checked(row: _Row, place: Fault, text: str) -> Name | None:
    """The name, its findings said at its place in the cell."""
    report = check(text)
    for found in report.findings:
        row.findings.append(finding_of_name(found, place, row.file, row.line))
    name = report.name
    if name is not None and ("?" in text or "#" in text):
        components = name.components
        parts = (components.r, components.q, components.f)
        if parts != (None, None, None):
            at = place.start + min(at for mark in "?#" if (at := text.find(mark)) >= 0)
            row.say(
                replace(
                    place,
                    code="LX521",
                    start=at,
                    end=place.start + len(text),
                    suggestion=str(name),
                    values={"value": shown(place.text[at : place.start + len(text)])},
                )
            )
    return name


def _reading_of(row: _Row, plan: Plan) -> Reading | None:
    """What a row says, once all its cells are read."""
    if "urn" not in row.places:
        row.say(Fault(code="LX511", values={"value": plan.header_of("urn")}))
    name, alias_of = row.names.get("urn"), row.names.get("alias_of")
    items = _items(row) if _COPIES.intersection(row.places) else []
    if name is not None and alias_of is not None:
        _check_alias(row, name, alias_of)
    if name is None or _has_error(row):
        return None
    fields: dict[str, object] = {**row.values, **row.lists}
    if row.titles:
        fields["titles"] = row.titles
    if items:
        fields["items"] = items
    return Reading(name, alias_of, fields, _ranked(name))


def _has_error(row: _Row) -> bool:
    return any(found.severity is Severity.ERROR for found in row.findings)


def _ranked(name: Name) -> Name | None:
    """The expression whose place in its chain no date tells: it has a label (a bill's reading)."""
    expression = name.expression
    if expression is None:
        return None
    version = expression.version
    if version.date is not None or is_original(version):
        return None
    if any(event.date is not None for event in version.events):
        return None
    is_itself = name.level is Level.EXPRESSION and name.partition is None
    return name if is_itself else name.expression_name


def _check_alias(row: _Row, name: Name, alias_of: Name) -> None:
    """An alias and its canonical name are two names at one level."""
    place = row.places["alias_of"]
    place = replace(place, end=len(place.text))
    if name == alias_of:
        row.say(replace(place, code="LX533"))
    elif (name.level, name.partition is None) != (alias_of.level, alias_of.partition is None):
        values = {"value": shown(str(alias_of)), "expected": _kind_of(alias_of)}
        row.say(replace(place, code="LX534", values=values))


def _kind_of(name: Name) -> str:
    return name.level.value if name.partition is None else f"part of a {name.level.value}"


def _items(row: _Row) -> list[tuple[str, int | None, str | None]]:
    """What three columns together say of the copies."""
    urls = row.lists.pop("urls", [])
    sums = row.lists.pop("sha256", None)
    for target, values in (("bytes", row.sizes), ("sha256", sums)):
        if values is not None and len(values) != len(urls) and not _has_error(row):
            counts = {"value": len(values), "expected": len(urls)}
            row.say(replace(row.places[target], values=counts))
    nothing = [None] * len(urls)
    items = list(dict.fromkeys(zip(urls, row.sizes or nothing, sums or nothing, strict=False)))
    seen: set[str] = set()
    for url, _, _ in items:
        if url in seen:
            row.say(replace(row.places["url"], code="LX518", values={"value": shown(url)}))
        seen.add(url)
    return items
