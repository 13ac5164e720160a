"""Query files: SPARQL that says what it is for, with parameters by name; ready queries among them.

A file begins with lines ``#+``: a header in TOML, with ``title``, ``description``, a table
``[parameters.NAME]`` for each parameter (``type``, ``about``, ``example``, and ``default`` or
``optional = true``), and a table ``[columns]``. Each kind of parameter is read by the rules of what
it is, and written anew; so nothing that a user gives becomes part of the query itself.
"""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.model import today
from lexurn.name import Name, check
from lexurn.store.sparql import bind_parameters, scan_query
from lexurn.vocabulary import XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

ParameterValue = str | int | dt.date | Name
"""What a parameter can be given as."""

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


def format_term(kind: ParameterKind, value: ParameterValue, *, what: str) -> str:
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


def _parse_name(value: str, what: str) -> Name:
    report = check(value)
    if report.name is None or not report.valid:
        fault = next(each for each in report.findings if each.severity == "error")
        raise CatalogueUsageError(
            f"{what}: {value!r} is no LEX name: {fault.message} ({fault.rule})"
        )
    return report.name


def _format_name(value: str, what: str) -> str:
    return f"<{_parse_name(value, what).iri}>"


def _format_work(value: str, what: str) -> str:
    name = _parse_name(value, what)
    if name != name.work_name:
        raise CatalogueUsageError(
            f"{what}: {value!r} is the name of a part or a version; give the act or annex itself: "
            f"{name.work_name}"
        )
    return f"<{name.iri}>"


def _format_date(value: str, what: str) -> str:
    try:
        day = today() if value == "today" else dt.date.fromisoformat(value)
    except ValueError:
        day = None
    if day is None or (value != "today" and not _DAY.fullmatch(value)):
        raise CatalogueUsageError(f"{what}: {value!r} is no day; write it as 2005-01-31, or today")
    return f'"{day.isoformat()}"^^<{XSD}date>'


def _format_text(value: str, what: str) -> str:
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise CatalogueUsageError(f"{what}: the text holds characters that no graph can hold")
    return f'"{value.translate(_ESCAPES)}"'


def _format_integer(value: str, what: str) -> str:
    if not _INTEGER.fullmatch(value):
        raise CatalogueUsageError(f"{what}: {value!r} is no whole number; write it as 2005")
    return str(int(value))


def _format_year(value: str, what: str) -> str:
    if not _YEAR.fullmatch(value):
        raise CatalogueUsageError(f"{what}: {value!r} is no year; write it as 2005")
    return f'"{value:0>4}"'


def _format_language(value: str, what: str) -> str:
    name = check(f"{_ANY_EXPRESSION}{value}").name
    expression = None if name is None else name.expression
    if expression is None or expression.language != value.lower():
        raise CatalogueUsageError(f"{what}: {value!r} is no language tag; write it as it or pt-br")
    return f'"{value.lower()}"^^<{XSD}language>'


def _format_iri(value: str, what: str) -> str:
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
    ParameterKind.NAME: _format_name,
    ParameterKind.WORK: _format_work,
    ParameterKind.DATE: _format_date,
    ParameterKind.TEXT: _format_text,
    ParameterKind.INTEGER: _format_integer,
    ParameterKind.YEAR: _format_year,
    ParameterKind.LANGUAGE: _format_language,
    ParameterKind.IRI: _format_iri,
}
_FOLDER = "ontology/queries"
_MARK = "#+"
_WRONG_HEADER = f"the header (lines {_MARK}) is wrong"
_HEADER_KEYS = {"title", "description", "parameters", "columns"}
_PARAMETER_KEYS = {"type", "about", "example", "default", "optional"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyQuery:
    """A query that says what it is for.

    Attributes:
        name: what it is called.
        title: what it asks, in a line.
        description: more about it; empty where nothing is said.
        parameters: what can be given.
        columns: what each column of the answer holds; empty where it gives a graph.
        text: the SPARQL, with parameters as ``$name``, and the header.
    """

    name: str
    text: str
    title: str = ""
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def sparql(self) -> str:
        """The SPARQL without the header."""
        lines = self.text.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(_MARK))

    def bound(self, given: Mapping[str, ParameterValue]) -> str:
        """The SPARQL with what is given in the place of parameters, else their defaults.

        A key ``name:type`` gives a parameter that the header does not declare.

        Raises:
            CatalogueUsageError: a parameter is unknown, missing, or not what it must be.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        terms: dict[str, str] = {}
        for key, value in given.items():
            name, kind = self._kind_of(key, known)
            terms[name] = format_term(kind, value, what=name)
        for parameter in self.parameters:
            if parameter.name not in terms:
                terms.update(self._default(parameter))
        return bind_parameters(self.sparql, terms)

    def _kind_of(self, key: str, known: Mapping[str, Parameter]) -> tuple[str, ParameterKind]:
        name, colon, kind = key.partition(":")
        if name in known and kind in {"", known[name].kind}:
            return name, known[name].kind
        if name in known:
            raise CatalogueUsageError(f"{self.name}: {name} is a {known[name].kind}, no {kind}")
        if name not in scan_query(self.text).parameters:
            others = ", ".join(known) or "none"
            raise CatalogueUsageError(f"{self.name} has no parameter {name}; it has: {others}")
        kinds = ", ".join(ParameterKind)
        if not colon:
            raise CatalogueUsageError(
                f"{self.name} does not say what {name} is; give {name}:TYPE=..., "
                f"with one of the types {kinds}"
            )
        if kind not in {*ParameterKind}:
            raise CatalogueUsageError(f"{kind!r} is no type of parameters; there are {kinds}")
        return name, ParameterKind(kind)

    def _default(self, parameter: Parameter) -> dict[str, str]:
        if parameter.default is not None:
            value = parameter.default
            return {parameter.name: format_term(parameter.kind, value, what=parameter.name)}
        if parameter.is_optional:
            return {}
        raise CatalogueUsageError(
            f"{self.name} needs {parameter.name} ({parameter.kind}: {parameter.about}), "
            f"for example {parameter.name}={parameter.example}"
        )


@cache
def list_ready_queries() -> tuple[ReadyQuery, ...]:
    """All ready queries, by name.

    Raises:
        MissingDataError: the installation has none.
    """
    paths = sorted(data.find_folder(_FOLDER).glob("*.rq"))
    return tuple(parse_query_file(path.stem, path.read_text(encoding="utf-8")) for path in paths)


def find_ready_query(name: str) -> ReadyQuery:
    """The ready query of a name.

    Raises:
        CatalogueUsageError: there is none; the message names those that sound like it.
    """
    for each in list_ready_queries():
        if each.name == name:
            return each
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    near = get_close_matches(name, [each.name for each in list_ready_queries()])
    hint = f"; is it {' or '.join(near)}?" if near else "; list them with --list"
    raise CatalogueUsageError(f"there is no ready query {name!r}{hint}")


def ready(name: str, /, **parameters: ParameterValue) -> str:
    """The SPARQL of a ready query, for what is given.

    >>> "2005-01-31" in ready("acts-on", date="2005-01-31")
    True

    Args:
        name: its name, ``versions``.
        parameters: what is given for its parameters: texts, or Python values (`datetime.date`,
            `int`, `Name`).

    Raises:
        CatalogueUsageError: there is no such query, or a parameter is unknown, missing or wrong.
    """
    return find_ready_query(name).bound(parameters)


def parse_query_file(name: str, text: str) -> ReadyQuery:
    """A query as a file has it.

    Args:
        name: what it is called.
        text: the file's text.

    Raises:
        CatalogueError: its header is no TOML, or says what no header says.
    """
    lines = (line[len(_MARK) :] for line in text.splitlines() if line.startswith(_MARK))
    header = "\n".join(line.removeprefix(" ") for line in lines)
    try:
        said = tomllib.loads(header)
        _refuse_unknown(said, _HEADER_KEYS, "the header")
        columns = _check_table(said.get("columns", {}), "columns")
        return ReadyQuery(
            name=name,
            text=text,
            title=str(said.get("title", "")),
            description=" ".join(str(said.get("description", "")).split()),
            parameters=tuple(_read_parameters(said.get("parameters", {}))),
            columns={key: str(value) for key, value in columns.items()},
        )
    except ValueError as fault:  # which a fault of TOML is, too
        raise CatalogueError(f"{name}: {_WRONG_HEADER}: {fault}") from None
    except RecursionError:
        raise CatalogueError(f"{name}: {_WRONG_HEADER}: it is nested too deeply") from None


def _read_parameters(tables: object) -> Iterator[Parameter]:
    for name, said in _check_table(tables, "parameters").items():
        what = f"parameters.{name}"
        table = _check_table(said, what)
        _refuse_unknown(table, _PARAMETER_KEYS, what)
        default = table.get("default")
        yield Parameter(
            name=name,
            kind=_read_kind(table.get("type"), what),
            about=str(table.get("about", "")),
            example=str(table.get("example", "...")),
            default=None if default is None else str(default),
            is_optional=_read_boolean(table.get("optional", False), f"{what}.optional"),
        )


def _check_table(said: object, what: str) -> dict[str, Any]:
    if isinstance(said, dict):
        return said
    raise ValueError(f"{what} is no table; write [{what}], and below it what it says")


def _read_kind(said: Any, what: str) -> ParameterKind:
    kinds = ", ".join(ParameterKind)
    if said is None:
        raise ValueError(f'{what} has no type; write type = "text" below it, or one of {kinds}')
    if said not in list(ParameterKind):
        raise ValueError(f"{what} has the type {said!r}; there are {kinds}")
    return ParameterKind(said)


def _read_boolean(said: object, what: str) -> bool:
    if isinstance(said, bool):
        return said
    raise ValueError(f"{what} is {said!r}; write true or false")


def _refuse_unknown(table: Mapping[str, Any], known: set[str], what: str) -> None:
    unknown = sorted(table.keys() - known)
    if unknown:
        names = ", ".join(sorted(known))
        raise ValueError(f"{what} says {', '.join(unknown)}, which is not among {names}")
