"""Cells read as values: dates, numbers, URLs, IRIs, digests. ISO dates and digits only; no guesses.

Each function takes a cell without the blanks around it and gives plain values (texts, numbers,
lists), which the spool can hold; `RowFault` says what is wrong, its offsets count from there.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from lexurn.manifest._faults import Fault, RowFault, shown
from lexurn.manifest._iris import is_absolute_iri, is_web_url, means_iri

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["COPIES", "LISTS", "VALUES", "pieces"]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_BEHIND = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ][0-9:.,Z+\-]+")
_DIGITS = re.compile(r"[0-9]{8}")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_SIZE = re.compile(r"[0-9]{1,18}|-")
_DIGEST = re.compile(r"[0-9A-Fa-f]{64}|-")
_PIECE = re.compile(r"\S+")


def pieces(text: str) -> list[tuple[int, str]]:
    """What stands between blanks, each with its offset."""
    return [(piece.start(), piece[0]) for piece in _PIECE.finditer(text)]


def _fault(code: str, text: str, start: int = 0, **values: object) -> RowFault:
    """The fault of one piece of a cell."""
    suggestion = values.pop("suggestion", None)
    return RowFault(
        Fault(
            code=code,
            start=start,
            end=start + len(text),
            suggestion=None if suggestion is None else str(suggestion),
            values={"value": shown(text), **values},
        )
    )


def _day(text: str) -> str:
    if _DATE.fullmatch(text) is not None and _is_day(text):
        return text
    raise _fault("LX512", text, suggestion=_meant_day(text))


def _meant_day(text: str) -> str | None:
    """The day of a time, or of eight digits."""
    timed = _TIME_BEHIND.fullmatch(text)
    if timed is None and _DIGITS.fullmatch(text) is None:
        return None
    day = timed[1] if timed is not None else f"{text[:4]}-{text[4:6]}-{text[6:]}"
    return day if _is_day(day) else None


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise _fault("LX513", text, expected="integer")
    return int(text)


def _status(text: str) -> str:
    if text != "withdrawn":
        suggestion = "withdrawn" if text.casefold() == "withdrawn" else None
        raise _fault("LX519", text, suggestion=suggestion)
    return text


def _each(text: str, good: Callable[[str], object], code: str, **values: object) -> list[str]:
    """The pieces of a cell, if all of them are ``good``."""
    found = text.split()
    if not all(map(good, found)):
        start, bad = next((s, p) for s, p in pieces(text) if not good(p))
        raise _fault(code, bad, start, **values)
    return found


def _urls(text: str) -> list[str]:
    return _each(text, is_web_url, "LX514")


def _iris(text: str) -> list[str]:
    return _each(text, is_absolute_iri, "LX515")


def _sizes(text: str) -> list[int | None]:
    found = _each(text, _SIZE.fullmatch, "LX513", expected="number of bytes")
    return [None if size == "-" else int(size) for size in found]


def _digests(text: str) -> list[str | None]:
    found = _each(text, _DIGEST.fullmatch, "LX516")
    return [None if digest == "-" else digest.lower() for digest in found]


def _agents(text: str) -> list[str]:
    """IRIs or texts, one a line; what is meant as an IRI must be one."""
    found: list[str] = []
    at = 0
    for line in text.split("\n"):
        agent = line.strip()
        if agent and " " not in agent and means_iri(agent) and not is_absolute_iri(agent):
            raise _fault("LX515", agent, at + line.index(agent))
        if agent:
            found.append(agent)
        at += len(line) + 1
    return found


def _files(text: str) -> list[str]:
    """Paths of files below a folder, one a line, with ``/`` between their parts."""
    found: list[str] = []
    at = 0
    for line in text.split("\n"):
        path = line.strip()
        if path and (path.startswith("/") or {"", ".", ".."}.intersection(path.split("/"))):
            raise _fault("LX526", path, at + line.index(path))
        if path:
            found.append(path)
        at += len(line) + 1
    return found


VALUES: Mapping[str, Callable[[str], str | int]] = {
    "issued": _day,
    "published": _day,
    "modified": _day,
    "in_force_from": _day,
    "in_force_until": _day,
    "withdrawn_on": _day,
    "version_order": _integer,
    "status": _status,
}
"""Columns with one value, and how it is read."""

COPIES: Mapping[str, Callable[[str], list[int | None] | list[str | None]]] = {
    "bytes": _sizes,
    "sha256": _digests,
}
"""Columns with one value for each copy (``-`` where it is not known), and how they are read."""

LISTS: Mapping[str, tuple[str, Callable[[str], list[str]]]] = {
    "url": ("urls", _urls),
    "file": ("files", _files),
    "page": ("pages", _urls),
    "dialect_name": ("dialect_names", str.split),
    "license": ("licenses", _iris),
    "publisher": ("publishers", _agents),
    "creator": ("creators", _agents),
    "subject": ("subjects", _agents),
}
"""Columns with any number of values: the field that they go to, and how they are read."""
