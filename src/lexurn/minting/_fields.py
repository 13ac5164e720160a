"""The fields of metadata as somebody gives them: a row of a table, an object of JSON, keywords."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lexurn.minting._codes import finding
from lexurn.minting._metadata import Annexed, Metadata
from lexurn.minting._steps import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.minting._steps import MintFinding

__all__ = ["FIELDS", "metadata_of"]


LONGEST_FIELD = 4_000
"""Characters of a field, titles aside. Each finding holds its field: more would be no answer."""


class _ShapeError(Exception):
    """A value that its field cannot hold; the arguments say what it should hold."""


def metadata_of(given: Mapping[str, object]) -> tuple[Metadata, tuple[MintFinding, ...]]:
    """Fields as somebody gave them, as typed values, and what is to be said of them.

    Args:
        given: values by field; a value may be a text, a number, a date, a list or nested where the
            name has lists. Empty texts and None are absent.
    """
    values: dict[str, Any] = {}
    findings: list[MintFinding] = []
    for field, value in given.items():
        reader = _READERS.get(field)
        if reader is None:
            near = difflib.get_close_matches(field, FIELDS, n=1)
            findings.append(
                finding("LX700", field, value=field, suggestion=near[0] if near else None)
            )
        elif not _is_empty(value):
            _read_into(values, field, value, findings)
    metadata = object.__new__(Metadata)
    metadata.__dict__.update(values)
    return metadata, tuple(findings)


def _read_into(
    values: dict[str, Any], field: str, value: object, findings: list[MintFinding]
) -> None:
    """Put the value of one field, or the fields that it stands for, where they belong."""
    size = _size(value)
    if size > LONGEST_FIELD and field != "title":
        shown = (value if isinstance(value, str) else "")[:200]
        findings.append(
            finding("LX706", field, shown, value=f"{size:,}", expected=f"{LONGEST_FIELD:,}")
        )
        return
    try:
        read = _READERS[field](value)
    except _ShapeError as fault:
        shown = str(value)[:200]
        findings.append(
            finding("LX701", field, shown, value=_kind(value), expected=str(fault.args[0]))
        )
        return
    stated = read.items() if field in _NESTED else ((_TARGETS.get(field, field), read),)
    for target, each in stated:
        if target in values:
            findings.append(finding("LX703", field, str(value)[:200], value=target))
        else:
            values[target] = each


def _size(value: object) -> int:
    """How long a value is, written out; of lists and objects all that they hold."""
    if isinstance(value, str):
        return len(value)
    return len(str(value)) if isinstance(value, list | tuple | dict) else 0


def _is_empty(value: object) -> bool:
    """Whether a value says nothing: None, false, a blank text, an empty list."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value is False or (isinstance(value, list | tuple | dict) and not value)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, float):
        return f"a number with a fraction ({value})"
    return "a list" if isinstance(value, list | tuple) else f"a value ({type(value).__name__})"


def _text(value: object) -> str:
    """A text as given; whole numbers and days in their one form."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dt.date):
        return value.isoformat()[:10]
    raise _ShapeError("a text")


def _texts(separator: str | None) -> Callable[[object], tuple[str, ...]]:
    """The reader of a list of texts, or of one text with ``separator`` between its items."""

    def read(value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            return (value.strip(),) if separator is None else _pieces(value, separator)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(_text(each) for each in value if not _is_empty(each))
        return (_text(value),)

    return read


def _pieces(value: str, separator: str) -> tuple[str, ...]:
    return tuple(piece.strip() for piece in value.split(separator) if piece.strip())


def _numbers(value: object) -> tuple[str, ...]:
    """Document numbers: a list, or a text with ``;`` or a comma and a blank between them."""
    if isinstance(value, str):
        if ";" not in value and ", " not in value:
            return (value.strip(),)
        return tuple(n for each in value.split(";") for n in _pieces(each, ", "))
    return _texts(None)(value)


@lru_cache(maxsize=8192)
def _issuers_in(text: str) -> tuple[tuple[str, ...], ...]:
    """The issuers in a text, with ``+`` between them and ``;`` between their levels."""
    found = (_pieces(issuer, ";") for issuer in _pieces(text, "+"))
    return tuple(levels for levels in found if levels)


def _issuers(value: object) -> tuple[tuple[str, ...], ...]:
    """Issuers and their levels: nested lists, or a text with ``+`` and ``;`` as in a name."""
    if isinstance(value, str):
        return _issuers_in(value)
    if isinstance(value, Sequence):
        return tuple(_texts(";")(issuer) for issuer in value if not _is_empty(issuer))
    raise _ShapeError("a text, or a list of issuers, each a text or a list of its levels")


def _annexes(value: object) -> tuple[Annexed, ...]:
    """Annexes: objects, or a text with ``:`` between annexes and ``;`` before a title."""
    if isinstance(value, str):
        return tuple(_annexed(each) for each in _pieces(value, ":"))
    if isinstance(value, Mapping):
        return (_annexed(value),)
    if isinstance(value, Sequence):
        return tuple(_annexed(each) for each in value)
    raise _ShapeError("a text, or a list of objects with heading and title")


def _annexed(value: object) -> Annexed:
    if isinstance(value, str):
        heading, _, title = value.partition(";")
        return Annexed(heading=heading.strip(), title=title.strip() or None)
    if isinstance(value, Mapping) and not set(value) - {"heading", "title"}:
        given, named = value.get("heading"), value.get("title")
        if not _is_empty(given):
            return Annexed(heading=_text(given), title=None if _is_empty(named) else _text(named))
    raise _ShapeError("objects with heading and, where there is one, title")


def _count(value: object) -> int:
    """N of ``lex-N``; 0 for the next free one."""
    text = _text(value) if value is not True else "true"
    if text.lower() == "true":
        return 0
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise _ShapeError("a whole number from 1, or true for the next free one")


def _choice(*allowed: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        text = _text(value).lower()
        if text not in allowed:
            raise _ShapeError("one of " + ", ".join(allowed))
        return text

    return read


def _mode(value: object) -> Mode:
    return Mode(_choice(*Mode)(value))


def _with_specifications(value: object) -> str:
    """A text; a list is its first part and the specifications behind it."""
    return "; ".join(_texts(None)(value))


def _manifestation(value: object) -> dict[str, str]:
    """The nested form of editor, format, component and feature."""
    keys = {"publisher", "editor_specifications", "mime", "format_specifications", "component"}
    if not isinstance(value, Mapping) or set(value) - keys - {"feature"}:
        raise _ShapeError("an object with publisher, mime, format_specifications, component")
    found: dict[str, str] = {}
    for key, target in _MANIFESTATION.items():
        if not _is_empty(value.get(key)):
            text = _with_specifications(value[key])
            found[target] = f"{found[target]}; {text}" if target in found else text
    return found


_MANIFESTATION = {
    "publisher": "editor",
    "editor_specifications": "editor",
    "mime": "format",
    "format_specifications": "format",
    "component": "component",
    "feature": "feature",
}
_NESTED = frozenset({"manifestation"})
_TARGETS = {"annex": "annexes"}
_READERS: dict[str, Callable[[object], Any]] = {
    **dict.fromkeys((each.name for each in fields(Metadata)), _text),
    **dict.fromkeys(("editor", "format", "component", "feature"), _with_specifications),
    "units": _texts(";"),
    "authority": _issuers,
    "measure_specifications": _texts(";"),
    "date": _texts(None),
    "local_date": _texts(None),
    "calendar": _choice("hebrew", "hijri", "japanese"),
    "date_order": _choice("dmy", "mdy", "ymd"),
    "number": _numbers,
    "unnumbered": _count,
    "annex": _annexes,
    "annexes": _annexes,
    "event_date": _texts(";"),
    "event": _texts(";"),
    "mode": _mode,
    "manifestation": _manifestation,
}
FIELDS = tuple(sorted(_READERS))
"""The fields that metadata may have."""
