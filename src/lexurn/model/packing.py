"""Packed records: a short text that any version of Python reads back; catalogues store it."""

from __future__ import annotations

import datetime as dt
import json
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from lexurn.model.fields import FIELDS, Kind, Record, sort_values
from lexurn.model.record import Item, LanguageText, Status
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


@lru_cache(maxsize=8192)
def _parse_day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


_PACK: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TITLE: lambda title: (title.value, title.language),
    Kind.NAME: str,
    Kind.DAY: str,
    Kind.STATUS: str,
    Kind.COPY: lambda item: (item.url, item.bytes, item.sha256),
}
"""How a value is packed; values of other kinds stay what they are."""

_UNPACK: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TITLE: lambda title: LanguageText(value=title[0], language=title[1]),
    Kind.NAME: parse,
    Kind.DAY: _parse_day,
    Kind.STATUS: Status,
    Kind.COPY: lambda item: Item(url=item[0], bytes=item[1], sha256=item[2]),
}

_BY_NAME = {field.name: field for field in FIELDS}
_PACKED = tuple(field for field in FIELDS if field.predicate)
_get_values = attrgetter(*(field.name for field in _PACKED))
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_records(records: Iterable[Record]) -> str:
    """Write records as JSON, without their sources; `unpack_records` reads them back, equal."""
    return _ENCODER.encode([[str(record.name), _pack_fields(record)] for record in records])


def _pack_fields(record: Record) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for field, value in zip(_PACKED, _get_values(record), strict=True):
        if value is None or value == ():
            continue
        pack = _PACK.get(field.kind)
        if pack is None:
            fields[field.name] = value
        else:
            fields[field.name] = [pack(each) for each in value] if field.is_list else pack(value)
    return fields


def unpack_records(text: str) -> tuple[Record, ...]:
    """Read the records that `pack_records` wrote.

    Raises:
        ValueError: `pack_records` did not write the text.
    """
    return tuple(
        Record(name=parse(name), **unpack_fields(fields)) for name, fields in json.loads(text)
    )


def unpack_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Make the fields of a record from packed values; lists are sorted."""
    unpacked: dict[str, Any] = {}
    for name, value in fields.items():
        field = _BY_NAME[name]
        unpack = _UNPACK.get(field.kind)
        if field.is_list:
            values = value if unpack is None else map(unpack, value)
            unpacked[name] = sort_values(field.kind, values)
        else:
            unpacked[name] = value if unpack is None else unpack(value)
    return unpacked
