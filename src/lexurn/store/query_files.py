"""Query files: SPARQL with a header that describes it, and parameters by name; ready queries.

A file begins with lines ``#+``: a header in TOML, with ``title``, ``description``, a table
``[parameters.NAME]`` for each parameter (``type``, ``about``, ``example``, and ``default`` or
``optional = true``), and a table ``[columns]``. Each kind of parameter is parsed by its own rules
and written anew; so no value of a user becomes part of the query itself.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from lexurn import data
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.lazy import compile_late
from lexurn.model import today
from lexurn.name import Name, check
from lexurn.store.sparql import bind_parameters, scan_query
from lexurn.vocabulary import XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ParameterValue = str | int | dt.date | Name
"""Value of a parameter, as a text or a Python value."""

_DAY = compile_late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = compile_late(r"[+-]?[0-9]{1,18}")
_YEAR = compile_late(r"[0-9]{1,4}")
_IRI = compile_late(r"[A-Za-z][A-Za-z0-9+.\-]*:[^<>\"{}|^`\\\x00-\x20\x7f-\x9f\ud800-\udfff]*")
_ANY_EXPRESSION: Final = "urn:lex:it:stato:legge:2000-01-01;1@original:"
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


class ParameterKind(StrEnum):
    """Kind of a parameter."""

    NAME = "name"
    """A LEX name of any level, as its IRI."""

    WORK = "work"
    """The LEX name of an act or an annex, as its IRI."""

    DATE = "date"
    """A day of the calendar, ``2005-01-31``, or ``today`` (by UTC)."""

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


class Parameter(NamedTuple):
    """Parameter of a ready query.

    Attributes:
        name: its name; the query writes it with ``$`` in front.
        kind: its kind.
        about: its meaning, for people.
        default: its value if none is given; None if it has none.
        example: a value to try.
        is_optional: True if it may be left open: then it may be anything.
    """

    name: str
    kind: ParameterKind
    about: str
    example: str
    default: str | None = None
    is_optional: bool = False


def format_term(kind: ParameterKind, value: ParameterValue, *, what: str) -> str:
    """Return the value of a parameter as a term of SPARQL.

    Args:
        kind: the kind of the parameter.
        value: a text, or a Python value of the kind.
        what: the name of the parameter, for messages.

    Raises:
        CatalogueUsageError: the value is not of that kind; the message says what is.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | dt.date | Name):
        raise CatalogueUsageError(f"{what}: {value!r} is not of the type {kind}.")
    text = str(value)
    if kind in {ParameterKind.NAME, ParameterKind.WORK}:
        return _format_name(text, what, is_work=kind is ParameterKind.WORK)
    write, fault = _WRITERS[kind]
    term = write(text)
    if term is None:
        raise CatalogueUsageError(f"{what}: {fault.format(repr(text))}")
    return term


def _format_name(value: str, what: str, *, is_work: bool) -> str:
    report = check(value)
    name = report.name
    if name is None or not report.valid:
        fault = next(each for each in report.findings if each.severity == "error")
        raise CatalogueUsageError(
            f"{what}: {value!r} is not a valid LEX name: {fault.message} ({fault.rule})"
        )
    if is_work and name != name.work_name:
        raise CatalogueUsageError(
            f"{what}: {value!r} is the name of a part or a version. Give the act or annex itself: "
            f"{name.work_name}"
        )
    return f"<{name.iri}>"


def _format_date(value: str) -> str | None:
    if value == "today":
        return f'"{today().isoformat()}"^^<{XSD}date>'
    try:
        day = dt.date.fromisoformat(value)
    except ValueError:
        return None
    return f'"{day.isoformat()}"^^<{XSD}date>' if _DAY.fullmatch(value) else None


def _format_text(value: str) -> str | None:
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        return None
    return f'"{value.translate(_ESCAPES)}"'


@lru_cache(maxsize=256)
def _drop_header(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_MARK))


def _format_language(value: str) -> str | None:
    name = check(f"{_ANY_EXPRESSION}{value}").name
    expression = None if name is None else name.expression
    if expression is None or expression.language != value.lower():
        return None
    return f'"{value.lower()}"^^<{XSD}language>'


def _format_iri(value: str) -> str | None:
    import pyoxigraph  # noqa: PLC0415 - no other kind of parameter needs an engine

    try:
        pyoxigraph.NamedNode(value)
    except ValueError:
        return None
    return f"<{value}>" if _IRI.fullmatch(value) else None


_WRITERS: Mapping[ParameterKind, tuple[Callable[[str], str | None], str]] = {
    ParameterKind.DATE: (_format_date, "{} is not a date. Write it as 2005-01-31, or today."),
    ParameterKind.TEXT: (_format_text, "The text has characters that RDF does not allow."),
    ParameterKind.INTEGER: (
        lambda value: str(int(value)) if _INTEGER.fullmatch(value) else None,
        "{} is not a whole number. Write it as 2005.",
    ),
    ParameterKind.YEAR: (
        lambda value: f'"{value:0>4}"' if _YEAR.fullmatch(value) else None,
        "{} is not a year. Write it as 2005.",
    ),
    ParameterKind.LANGUAGE: (
        _format_language,
        "{} is not a language tag. Write it as it or pt-br.",
    ),
    ParameterKind.IRI: (_format_iri, "{} is not an IRI. Write it whole: https://..."),
}
"""Writer of each kind, which returns None for a wrong value, and the message for that."""


class BoundQuery(str):
    """SPARQL of a ready query with values for its parameters.

    Attributes:
        name: the name of the ready query.
        terms: the value of each parameter as SPARQL writes it; without those left open.
    """

    __slots__ = ("name", "terms")
    name: str
    terms: Mapping[str, str]

    def __new__(cls, text: str, name: str, terms: Mapping[str, str]) -> Self:
        """Make the text of a query."""
        bound = super().__new__(cls, text)
        bound.name, bound.terms = name, terms
        return bound

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Pickle the text alone."""
        return str, (str(self),)


_FOLDER = "ontology/queries"
_MARK = "#+"
_WRONG_HEADER = f"the header (lines {_MARK}) is wrong"
_HEADER_KEYS = {"title", "description", "parameters", "columns"}
_PARAMETER_KEYS = {"type", "about", "example", "default", "optional"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyQuery:
    """Query with a description.

    Attributes:
        name: its name.
        title: its question, in a line.
        description: more about it; may be empty.
        parameters: its parameters.
        columns: the meaning of each column of the answer; empty if it gives a graph.
        text: the SPARQL, with parameters as ``$name``, and the header.
        is_built_in: whether it is one of lexurn itself.
    """

    name: str
    text: str
    title: str = ""
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    is_built_in: bool = False

    @property
    def sparql(self) -> str:
        """SPARQL without the header."""
        return _drop_header(self.text)

    def bound(self, given: Mapping[str, ParameterValue]) -> str:
        """Return the SPARQL with values in the place of parameters, else their defaults.

        A key ``name:type`` gives a parameter that the header does not declare.

        Raises:
            CatalogueUsageError: a parameter is unknown, missing, or not what it must be.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        terms: dict[str, str] = {}
        for key, value in given.items():
            name, kind = self._kind_of(key, known)
            terms[name] = format_term(kind, value, what=name)
        missing: list[str] = []
        for parameter in self.parameters:
            name, default = parameter.name, parameter.default
            if default is not None:
                terms.setdefault(name, format_term(parameter.kind, default, what=name))
            elif name not in terms and not parameter.is_optional:
                about = f"{parameter.kind}: {parameter.about}"
                missing.append(f"{name} ({about}), for example {name}={parameter.example}")
        if missing:
            raise CatalogueUsageError(f"{self.name} needs {'; and '.join(missing)}")
        text = bind_parameters(self.sparql, terms)
        return BoundQuery(text, self.name, terms) if self.is_built_in else text

    def _kind_of(self, key: str, known: Mapping[str, Parameter]) -> tuple[str, ParameterKind]:
        name, colon, kind = key.partition(":")
        if name in known and kind in {"", known[name].kind}:
            return name, known[name].kind
        if name in known:
            raise CatalogueUsageError(
                f"{self.name}: {name} has the type {known[name].kind}, not {kind}."
            )
        if name not in scan_query(self.text).parameters:
            others = ", ".join(known) or "none"
            raise CatalogueUsageError(f"{self.name} has no parameter {name}; it has: {others}")
        kinds = ", ".join(ParameterKind)
        if not colon:
            raise CatalogueUsageError(
                f"{self.name} does not declare {name}; give {name}:TYPE=..., "
                f"with one of the types {kinds}"
            )
        if kind not in {*ParameterKind}:
            raise CatalogueUsageError(
                f"{kind!r} is not a type of parameters. The types are {kinds}."
            )
        return name, ParameterKind(kind)


@cache
def list_ready_queries() -> tuple[ReadyQuery, ...]:
    """Return all ready queries, by name.

    Raises:
        MissingDataError: the installation has none.
    """
    return tuple(map(_read_ready_query, _list_ready_names()))


@cache
def _list_ready_names() -> tuple[str, ...]:
    return tuple(path.stem for path in sorted(data.find_folder(_FOLDER).glob("*.rq")))


@cache
def _read_ready_query(name: str) -> ReadyQuery:
    query = parse_query_file(name, data.read_text(f"{_FOLDER}/{name}.rq"))
    return replace(query, is_built_in=True)


def find_ready_query(name: str) -> ReadyQuery:
    """Return the ready query of a name.

    Raises:
        CatalogueUsageError: there is none; the message lists similar names.
    """
    names = _list_ready_names()
    if name in names:
        return _read_ready_query(name)
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    near = get_close_matches(name, names)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; list them with --list"
    raise CatalogueUsageError(f"there is no ready query {name!r}{hint}")


def ready(name: str, /, **parameters: ParameterValue) -> str:
    """Return the SPARQL of a ready query with values for its parameters.

    >>> "2005-01-31" in ready("acts-on", date="2005-01-31")
    True

    Args:
        name: its name, ``versions``.
        parameters: texts, or Python values (`datetime.date`, `int`, `Name`).

    Raises:
        CatalogueUsageError: there is no such query, or a parameter is unknown, missing or wrong.
    """
    return find_ready_query(name).bound(parameters)


def parse_query_file(name: str, text: str) -> ReadyQuery:
    """Return the query of a file.

    Args:
        name: its name.
        text: the file's text.

    Raises:
        CatalogueError: its header is not TOML, or is wrong.
    """
    lines = (line[len(_MARK) :] for line in text.splitlines() if line.startswith(_MARK))
    try:
        header = tomllib.loads("\n".join(line.removeprefix(" ") for line in lines))
        _refuse_unknown(header, _HEADER_KEYS, "the header")
        columns = _check_table(header.get("columns", {}), "columns")
        return ReadyQuery(
            name=name,
            text=text,
            title=str(header.get("title", "")),
            description=" ".join(str(header.get("description", "")).split()),
            parameters=tuple(_read_parameters(header.get("parameters", {}))),
            columns={key: str(value) for key, value in columns.items()},
        )
    except ValueError as fault:  # which a fault of TOML is, too
        raise CatalogueError(f"{name}: {_WRONG_HEADER}: {fault}") from None
    except RecursionError:
        raise CatalogueError(f"{name}: {_WRONG_HEADER}: it is nested too deeply") from None


def _read_parameters(tables: object) -> Iterator[Parameter]:
    kinds = ", ".join(ParameterKind)
    for name, value in _check_table(tables, "parameters").items():
        what = f"parameters.{name}"
        table = _check_table(value, what)
        _refuse_unknown(table, _PARAMETER_KEYS, what)
        default, kind = table.get("default"), table.get("type")
        is_optional = table.get("optional", False)
        if kind is None:
            raise ValueError(f'{what} has no type; write type = "text" below it, or one of {kinds}')
        if kind not in list(ParameterKind):
            raise ValueError(f"{what} has the type {kind!r}; use one of {kinds}")
        if not isinstance(is_optional, bool):
            raise ValueError(f"{what}.optional is {is_optional!r}; write true or false")  # noqa: TRY004 - a fault of the file
        yield Parameter(
            name=name,
            kind=ParameterKind(kind),
            about=str(table.get("about", "")),
            example=str(table.get("example", "...")),
            default=None if default is None else str(default),
            is_optional=is_optional,
        )


def _check_table(value: object, what: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise ValueError(f"{what} is not a table; write [{what}] and its keys below it")


def _refuse_unknown(table: Mapping[str, Any], known: set[str], what: str) -> None:
    unknown = sorted(table.keys() - known)
    if unknown:
        names = ", ".join(sorted(known))
        raise ValueError(f"{what} has the key {', '.join(unknown)}, which is not one of {names}")
