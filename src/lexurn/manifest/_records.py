"""Records made again from the plain values that the spool holds."""

from __future__ import annotations

import datetime as dt
import marshal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lexurn.model import Item, LanguageText, Record, Source, Status
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lexurn.manifest._rows import Reading
    from lexurn.name import Name

__all__ = ["packed", "unpacked"]

Ranked = tuple[str, int]


def packed(reading: Reading, number: int) -> bytes:
    """A good row in few bytes; the place of versions without a date is the row's number.

    Args:
        reading: the row.
        number: its number among all rows, from 1.
    """
    fields, ranked = reading.fields, None
    if reading.ranked is not None:
        if reading.ranked is reading.name:
            fields.setdefault("version_order", number)
        else:
            ranked = (str(reading.ranked), number)
    if reading.alias_of is not None:
        fields["alias_of"] = str(reading.alias_of)
    return marshal.dumps((str(reading.name), fields, ranked))


def unpacked(data: bytes, source: Source) -> tuple[Record, Ranked | None]:
    """The record of a row, and the expression that its number orders besides."""
    name, fields, ranked = marshal.loads(data)  # noqa: S302 -- bytes of this very process
    values = {field: _BUILD[field](value) for field, value in fields.items()}
    return Record(name=parse(name), source=source, **values), ranked


@lru_cache(maxsize=8192)
def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def _titles(titles: list[tuple[str, str | None]]) -> tuple[LanguageText, ...]:
    if len(titles) > 1:
        titles = sorted(set(titles), key=lambda title: (title[0], title[1] or ""))
    return tuple(LanguageText(value=value, language=language) for value, language in titles)


def _items(items: list[tuple[str, int | None, str | None]]) -> tuple[Item, ...]:
    if len(items) > 1:
        items = sorted(items, key=lambda item: item[0])
    return tuple(Item(url=url, bytes=size, sha256=digest) for url, size, digest in items)


def _names(names: list[str]) -> tuple[Name, ...]:
    return tuple(parse(name) for name in _texts(names))


def _texts(texts: list[str]) -> tuple[str, ...]:
    return tuple(sorted(set(texts))) if len(texts) > 1 else tuple(texts)


def _as_it_is(value: int) -> int:
    return value


_BUILD: Mapping[str, Callable[[Any], Any]] = {
    "titles": _titles,
    "alias_of": parse,
    "also_named": _names,
    "amended_by": _names,
    "issued": _day,
    "published": _day,
    "modified": _day,
    "in_force_from": _day,
    "in_force_until": _day,
    "withdrawn_on": _day,
    "version_order": _as_it_is,
    "items": _items,
    "files": _texts,
    "pages": _texts,
    "dialect_names": _texts,
    "licenses": _texts,
    "publishers": _texts,
    "creators": _texts,
    "subjects": _texts,
    "status": Status,
}
