"""Parameters of queries: what a user gives as text, as a term of SPARQL that says no more than it.

Each kind of parameter is read by the rules of what it is, and written anew; so nothing that a
user gives can become part of the query itself.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueUsageError
from lexurn.model import today
from lexurn.name import Name, check

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Parameter", "ParameterKind", "Value", "term_of"]

Value = str | int | dt.date | Name
"""What a parameter can be given as."""

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_YEAR = re.compile(r"[0-9]{1,4}")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^<>\"{}|^`\\\x00-\x20\x7f-\x9f\ud800-\udfff]*")
_ANY_EXPRESSION: Final = "urn:lex:it:stato:legge:2000-01-01;1@original:"
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


class ParameterKind(StrEnum):
    """What a parameter is."""

    NAME = "name"
    """A LEX name of any level, as its IRI."""

    WORK = "work"
    """The LEX name of an act or an annex, as its IRI."""

    DATE = "date"
    """A day of the calendar, ``2005-01-31``, or ``today``, which is that of UTC."""

    TEXT = "text"
    """A text, as it is written in the graph."""

    INTEGER = "integer"
    """A whole number."""

    YEAR = "year"
    """A year, as the text of four digits that names write: ``956`` is ``0956``."""

    LANGUAGE = "language"
    """A language tag, ``pt-br``."""

    IRI = "iri"
    """Any IRI: the URL of a copy, a subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a ready query.

    Attributes:
        name: what it is called; the query writes it with ``$`` in front.
        kind: what it is.
        about: what it means, for people.
        default: what it is where it is not given; None where it has none.
        example: something to try.
        is_optional: whether it may be left open: then it may be anything.
    """

    name: str
    kind: ParameterKind
    about: str
    example: str
    default: str | None = None
    is_optional: bool = False


def term_of(kind: ParameterKind, value: Value, *, what: str) -> str:
    """What is given for a parameter, as a term of SPARQL.

    Args:
        kind: what the parameter is.
        value: what is given: a text, or a Python value of the kind.
        what: what the parameter is called, for messages.

    Raises:
        CatalogueUsageError: the value is no such thing; the message says what is.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | dt.date | Name):
        raise CatalogueUsageError(f"{what}: {value!r} is no {kind}")
    return _WRITERS[kind](str(value), what)


def _read(value: str, what: str) -> Name:
    report = check(value)
    if report.name is None or not report.valid:
        fault = next(each for each in report.findings if each.severity == "error")
        raise CatalogueUsageError(
            f"{what}: {value!r} is no LEX name: {fault.message} ({fault.rule})"
        )
    return report.name


def _name(value: str, what: str) -> str:
    return f"<{_read(value, what).iri}>"


def _work(value: str, what: str) -> str:
    name = _read(value, what)
    if name != name.work_name:
        raise CatalogueUsageError(
            f"{what}: {value!r} is the name of a part or a version; give the act or annex itself: "
            f"{name.work_name}"
        )
    return f"<{name.iri}>"


def _date(value: str, what: str) -> str:
    try:
        day = today() if value == "today" else dt.date.fromisoformat(value)
    except ValueError:
        day = None
    if day is None or (value != "today" and not _DAY.fullmatch(value)):
        raise CatalogueUsageError(f"{what}: {value!r} is no day; write it as 2005-01-31, or today")
    return f'"{day.isoformat()}"^^<{_XSD}date>'


def _text(value: str, what: str) -> str:
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise CatalogueUsageError(f"{what}: the text holds characters that no graph can hold")
    return f'"{value.translate(_ESCAPES)}"'


def _integer(value: str, what: str) -> str:
    if not _INTEGER.fullmatch(value):
        raise CatalogueUsageError(f"{what}: {value!r} is no whole number; write it as 2005")
    return str(int(value))


def _year(value: str, what: str) -> str:
    if not _YEAR.fullmatch(value):
        raise CatalogueUsageError(f"{what}: {value!r} is no year; write it as 2005")
    return f'"{value:0>4}"'


def _language(value: str, what: str) -> str:
    name = check(f"{_ANY_EXPRESSION}{value}").name
    expression = None if name is None else name.expression
    if expression is None or expression.language != value.lower():
        raise CatalogueUsageError(f"{what}: {value!r} is no language tag; write it as it or pt-br")
    return f'"{value.lower()}"^^<{_XSD}language>'


def _iri(value: str, what: str) -> str:
    if not _IRI.fullmatch(value):
        raise CatalogueUsageError(f"{what}: {value!r} is no IRI; write it whole: https://...")
    import pyoxigraph  # noqa: PLC0415 - no other kind of parameter needs an engine

    try:
        pyoxigraph.NamedNode(value)
    except ValueError as fault:
        raise CatalogueUsageError(
            f"{what}: {value!r} is no IRI ({fault}); write it right"
        ) from None
    return f"<{value}>"


_WRITERS: dict[ParameterKind, Callable[[str, str], str]] = {
    ParameterKind.NAME: _name,
    ParameterKind.WORK: _work,
    ParameterKind.DATE: _date,
    ParameterKind.TEXT: _text,
    ParameterKind.INTEGER: _integer,
    ParameterKind.YEAR: _year,
    ParameterKind.LANGUAGE: _language,
    ParameterKind.IRI: _iri,
}
