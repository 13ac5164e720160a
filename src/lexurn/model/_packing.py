"""Records as a short text that any version of Python reads back: how catalogues keep them."""

from __future__ import annotations

import datetime as dt
import json
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from lexurn.model._values import Item, LanguageText, Record, Status
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["packed", "unpacked"]


def packed(records: Iterable[Record]) -> str:
    """Records as JSON, without where they were read; `unpacked` gives them back, equal."""
    return _JSON.encode([[str(record.name), _fields(record)] for record in records])


def unpacked(text: str) -> tuple[Record, ...]:
    """The records that `packed` wrote.

    Raises:
        ValueError: the text is none of `packed`'s.
    """
    return tuple(
        Record(name=parse(name), **{field: _READ[field](value) for field, value in fields.items()})
        for name, fields in json.loads(text)
    )


def _fields(record: Record) -> dict[str, Any]:
    return {
        field: _WRITE[field](value)
        for field, value in zip(_WRITE, _values_of(record), strict=True)
        if value is not None and value != ()
    }


def _texts(values: Iterable[object]) -> list[str]:
    return [str(value) for value in values]


def _same(value: Any) -> Any:
    return value


_DAYS = ("issued", "published", "modified", "in_force_from", "in_force_until", "withdrawn_on")
_TEXTS = ("dialect_names", "pages", "licenses", "publishers", "creators", "subjects")
_NAMES = ("also_named", "amended_by")

_WRITE: Mapping[str, Callable[[Any], Any]] = {
    "titles": lambda titles: [[title.value, title.language] for title in titles],
    "alias_of": str,
    "items": lambda items: [[item.url, item.bytes, item.sha256] for item in items],
    "version_order": _same,
    "status": str,
    **dict.fromkeys(_DAYS, str),
    **dict.fromkeys(_TEXTS, _texts),
    **dict.fromkeys(_NAMES, _texts),
}
_values_of = attrgetter(*_WRITE)
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_READ: Mapping[str, Callable[[Any], Any]] = {
    "titles": lambda titles: tuple(LanguageText(value=v, language=t) for v, t in titles),
    "alias_of": parse,
    "items": lambda items: tuple(Item(url=u, bytes=b, sha256=s) for u, b, s in items),
    "version_order": _same,
    "status": Status,
    **dict.fromkeys(_DAYS, dt.date.fromisoformat),
    **dict.fromkeys(_TEXTS, tuple),
    **dict.fromkeys(_NAMES, lambda names: tuple(parse(name) for name in names)),
}
