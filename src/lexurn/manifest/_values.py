"""Typed values of JSON and Parquet as the texts that a CSV would have."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from typing import TYPE_CHECKING, Any

from lexurn.manifest._faults import Fault, RowFault, shown
from lexurn.manifest._lines import LONGEST_ROW

if TYPE_CHECKING:
    from lexurn.manifest._columns import Column

__all__ = ["cell_of", "typed_cell"]

_EXACT = 1 << 53
_LISTS = frozenset(
    {"also_named", "amended_by", "dialect_name", "url", "page", "bytes", "sha256"}
    | {"file", "license", "publisher", "creator", "subject"}
)


def typed_cell(value: object, header: str, column: Column | None) -> str:
    """The cell of a value in a column; columns that say nothing may hold anything.

    Args:
        value: a value of JSON or Parquet.
        header: the column as the table names it.
        column: what it means, None where it says nothing.

    Raises:
        RowFault: the value is nothing that a cell of this column may hold.
    """
    cell = cell_of(value)
    if cell is not None and len(cell) > LONGEST_ROW:
        raise RowFault(Fault(code="LX503", column=header, values={"most": LONGEST_ROW}))
    if column is None:
        return cell or ""
    takes_list = column.target in _LISTS
    if cell is None or (isinstance(value, list) and not takes_list):
        expected = "one text or number, or a list of them" if takes_list else "one text or number"
        values = {"value": shown(str(value)), "expected": expected}
        raise RowFault(Fault(code="LX510", column=header, values=values))
    return cell


def cell_of(value: object) -> str | None:
    """The cell of a value, None where it is nothing that a cell may hold.

    Texts are taken as they are, nothing is empty, whole numbers and days are written out, and the
    items of a list stand on a line each.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        cells = [cell_of(each) for each in value if not isinstance(each, list)]
        texts = [cell for cell in cells if cell]
        return "\n".join(texts) if len(texts) == len(value) else None
    return "" if value is None else _scalar(value)


def _scalar(value: object) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dt.datetime):
        is_day = value.tzinfo is None and value.time() == dt.time.min
        return (value.date() if is_day else value).isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, float | decimal.Decimal):
        return _whole(value)
    return None


def _whole(value: Any) -> str | None:
    """A whole number that is written with a point; tables mark what is not by not-a-number."""
    if value.is_nan() if isinstance(value, decimal.Decimal) else math.isnan(value):
        return ""
    is_exact = -_EXACT < value < _EXACT
    return str(int(value)) if is_exact and value == int(value) else None
