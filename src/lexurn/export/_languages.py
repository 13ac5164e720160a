"""Which language tags an HTML page may carry: those made of registered subtags (RFC 5646)."""

from __future__ import annotations

import re
from functools import cache

from lexurn import data

__all__ = ["html_language"]

_TAG = re.compile(
    r"(?P<language>[a-z]{2,8})(?:-(?P<extlang>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
)
_TABLES = {
    "language": "languages",
    "extlang": "extlangs",
    "script": "scripts",
    "region": "regions",
}


@cache
def html_language(tag: str | None) -> str | None:
    """The tag if a browser and a checker know each subtag of it, else None: better none than wrong.

    Extensions, private use and grandfathered tags are left out as well.
    """
    found = _TAG.fullmatch(tag.lower()) if tag is not None else None
    if found is None:
        return None
    known = all(
        found[part] is None or _is_registered(table, found[part]) for part, table in _TABLES.items()
    )
    variants = filter(None, found["variants"].split("-"))
    return tag if known and all(_is_registered("variants", each) for each in variants) else None


def _is_registered(table: str, subtag: str) -> bool:
    single, ranges = _subtags(table)
    return subtag in single or any(first <= subtag <= last for first, last in ranges)


@cache
def _subtags(table: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The subtags of one table, single ones and ranges (``qaa..qtz``)."""
    entries: list[str] = data.table("languages")[table]
    ranges = tuple(
        (first, last) for first, dots, last in (each.partition("..") for each in entries) if dots
    )
    return frozenset(each for each in entries if ".." not in each), ranges
