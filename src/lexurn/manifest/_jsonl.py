"""JSON Lines: one object a line, its keys are columns."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError
from lexurn.manifest._faults import Fault, RowFault
from lexurn.manifest._lines import LONGEST_ROW
from lexurn.manifest._plan import unknown_columns
from lexurn.manifest._portions import portions_of_lines, rows_until
from lexurn.manifest._table import RawRow, TableFormat
from lexurn.manifest._values import typed_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.manifest._lines import Lines
    from lexurn.manifest._plan import Plan
    from lexurn.manifest._portions import Portion

__all__ = ["JsonlTable"]


class JsonlTable:
    """A JSON Lines file; its first object shows its columns, as a header does."""

    format = TableFormat.JSONL
    head = b""

    def __init__(self, lines: Lines, plan: Plan, line: int = 0) -> None:
        """Start behind a line of this number."""
        self.file = lines.file
        self.plan = plan
        self.end = lines.end
        self._lines = lines
        self._line = line
        self._is_first = line == 0

    def rows(self) -> Iterator[RawRow]:
        """The rows, once; blank lines are no rows.

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
        """The rows in portions of about ``size`` bytes, each as long as whole rows are.

        Raises:
            ManifestError: the first object has unknown keys.
        """
        return portions_of_lines(self.rows(), self._lines, size, lambda: self._line)

    def part(self, portion: Portion) -> Iterator[RawRow]:
        """The rows of a portion, as `rows` would give them."""
        lines = self._lines.from_offset(portion.start)
        part = JsonlTable(lines, self.plan, portion.line)
        return rows_until(part.rows(), lines, portion.end)

    def _row(self, number: int, raw: bytes) -> RawRow:
        encoding = "utf-8-sig" if number == 1 else "utf-8"
        text = raw.decode(encoding, "surrogateescape").rstrip("\r\n")
        try:
            pairs = _object_of(text)
            return RawRow(number, raw, self._cells(pairs, number))
        except RowFault as found:
            return RawRow(number, raw, None, found.fault)

    def _cells(self, pairs: list[tuple[str, Any]], number: int) -> dict[str, str]:
        values = dict(pairs)
        if len(values) < len(pairs):
            raise RowFault(Fault(code="LX508", column=_twice(pairs)))
        self._check_keys(list(values), number)
        columns = self.plan.columns
        return {key: typed_cell(value, key, columns[key]) for key, value in values.items()}

    def _check_keys(self, keys: list[str], number: int) -> None:
        unknown = [key for key in keys if not self.plan.knows(key)]
        if unknown and self._is_first:
            raise ManifestError(f"{self.file}:{number}: {_mend(unknown)}")
        if unknown:
            values = {"value": unknown_columns(unknown[:10])}
            raise RowFault(Fault(code="LX509", column=unknown[0], values=values))
        self._is_first = False

    def copy(self, lines: Iterable[int], path: object) -> None:
        """Rows of JSON Lines are bytes: nothing to copy."""


def _twice(pairs: list[tuple[str, Any]]) -> str | None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    return None


def _mend(unknown: list[str]) -> str:
    plural = "s" if len(unknown) > 1 else ""
    return (
        f"unknown column{plural} {unknown_columns(unknown)}; say in a mapping file what they mean, "
        "or list them under ignore there"
    )


def _object_of(text: str) -> list[tuple[str, Any]]:
    """The pairs of a JSON object, in order, twins among them."""
    try:
        value = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse)
    except json.JSONDecodeError as broken:
        raise _no_object(text, broken.msg, broken.pos) from None
    except RecursionError:
        raise _no_object(text, "nested too deep", 0) from None
    except _NoNumberError as broken:
        raise _no_object(text, f"{broken} is no JSON number", 0) from None
    except ValueError:
        raise _no_object(text, "a number of too many digits", 0) from None
    if not isinstance(value, _Pairs):
        raise _no_object(text, "another value", 0)
    return value


class _Pairs(list[tuple[str, Any]]):
    """The pairs of an object; a list in JSON is a mere list."""


class _NoNumberError(ValueError):
    """One of the words that Python reads as a number and JSON does not."""


def _refuse(name: str) -> None:
    raise _NoNumberError(name)


def _no_object(text: str, why: str, at: int) -> RowFault:
    end = min(at + 1, len(text)) if at else len(text)
    return RowFault(
        Fault(code="LX507", start=at, end=max(at, end), text=text, values={"value": why})
    )
