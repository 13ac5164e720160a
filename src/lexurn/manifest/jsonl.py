"""JSON Lines: one object a line, its keys are columns."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError
from lexurn.manifest.cells import Fault, RowFault
from lexurn.manifest.mapping import list_unknown_columns
from lexurn.manifest.tables import (
    LONGEST_ROW,
    RawRow,
    TableFormat,
    cut_portions,
    read_typed_cell,
    take_rows_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.manifest.mapping import TablePlan
    from lexurn.manifest.tables import Lines, Portion


class JsonlTable:
    """JSON Lines file; its first object shows its columns, as a header does."""

    format = TableFormat.JSONL
    head = b""

    def __init__(self, lines: Lines, plan: TablePlan, line: int = 0) -> None:
        """Start behind a line of this number."""
        self.file = lines.file
        self.plan = plan
        self.end = lines.end
        self._lines = lines
        self._line = line
        self._is_first = line == 0

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows, once; blank lines are left out.

        Raises:
            ManifestError: the first object has unknown keys.
        """
        while raw := self._lines.take():
            self._line += 1
            if len(raw) > LONGEST_ROW:
                fault = Fault(code="LX503", values={"most": LONGEST_ROW})
                row = RawRow(self._line, raw, None, fault, self._lines.rest_of(raw))
                yield row
                deque(row.rest, maxlen=0)
            elif raw.strip():
                yield self._row(self._line, raw)

    def portions(self, size: int) -> Iterator[Portion]:
        """Yield portions of about ``size`` bytes, each as long as whole rows are.

        Raises:
            ManifestError: the first object has unknown keys.
        """
        return cut_portions(self.rows(), self._lines, size, lambda: self._line)

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would."""
        lines = self._lines.from_offset(portion.start)
        part = JsonlTable(lines, self.plan, portion.line)
        return take_rows_until(part.rows(), lines, portion.end)

    def _row(self, number: int, raw: bytes) -> RawRow:
        encoding = "utf-8-sig" if number == 1 else "utf-8"
        text = raw.decode(encoding, "surrogateescape").rstrip("\r\n")
        try:
            pairs = _parse_object(text)
            return RawRow(number, raw, self._cells(pairs, number))
        except RowFault as found:
            return RawRow(number, raw, None, found.fault)

    def _cells(self, pairs: list[tuple[str, Any]], number: int) -> dict[str, str]:
        values = dict(pairs)
        if len(values) < len(pairs):
            raise RowFault(Fault(code="LX508", column=_find_duplicate_key(pairs)))
        self._check_keys(list(values), number)
        columns = self.plan.columns
        return {key: read_typed_cell(value, key, columns[key]) for key, value in values.items()}

    def _check_keys(self, keys: list[str], number: int) -> None:
        unknown = [key for key in keys if not self.plan.knows(key)]
        if unknown and self._is_first:
            raise ManifestError(f"{self.file}:{number}: {_explain_unknown_keys(unknown)}")
        if unknown:
            values = {"value": list_unknown_columns(unknown[:10])}
            raise RowFault(Fault(code="LX509", column=unknown[0], values=values))
        self._is_first = False

    def copy_rows(self, lines: Iterable[int], path: object) -> None:
        """Copy nothing: rows of JSON Lines are bytes."""


def _find_duplicate_key(pairs: list[tuple[str, Any]]) -> str | None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    return None


def _explain_unknown_keys(unknown: list[str]) -> str:
    plural = "s" if len(unknown) > 1 else ""
    return (
        f"unknown column{plural} {list_unknown_columns(unknown)}; say in a mapping file what they "
        "mean, or list them under ignore there"
    )


def _parse_object(text: str) -> list[tuple[str, Any]]:
    """Parse the pairs of a JSON object, in order, repeated keys among them."""
    try:
        value = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse_constant)
    except json.JSONDecodeError as broken:
        raise _make_object_fault(text, broken.msg, broken.pos) from None
    except RecursionError:
        raise _make_object_fault(text, "nested too deep", 0) from None
    except _InvalidNumberError as broken:
        raise _make_object_fault(text, f"{broken} is no JSON number", 0) from None
    except ValueError:
        raise _make_object_fault(text, "a number of too many digits", 0) from None
    if not isinstance(value, _Pairs):
        raise _make_object_fault(text, "another value", 0)
    return value


class _Pairs(list[tuple[str, Any]]):
    """Pairs of an object; a list in JSON is a mere list."""


class _InvalidNumberError(ValueError):
    """Error for a word that Python reads as a number and JSON does not."""


def _refuse_constant(name: str) -> None:
    raise _InvalidNumberError(name)


def _make_object_fault(text: str, why: str, at: int) -> RowFault:
    end = min(at + 1, len(text)) if at else len(text)
    return RowFault(
        Fault(code="LX507", start=at, end=max(at, end), text=text, values={"value": why})
    )
