"""Ready queries: SPARQL files that say what they are for, with parameters by name.

A file begins with lines ``#+``: a header in TOML, with ``title``, ``description``, a table
``[parameters.NAME]`` for each parameter (``type``, ``about``, ``example``, and ``default`` or
``optional = true``), and a table ``[columns]``. Files of a user's own may have one as well.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from lexurn import data
from lexurn.catalogue._parameters import Parameter, ParameterKind, term_of
from lexurn.catalogue._sparql import bound, scan
from lexurn.errors import CatalogueError, CatalogueUsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.catalogue._parameters import Value

__all__ = ["ReadyQuery", "query_of", "ready", "ready_queries", "ready_query"]

_FOLDER = "ontology/queries"
_MARK = "#+"
_WRONG = f"the header (lines {_MARK}) is wrong"
_KNOWN = {"title", "description", "parameters", "columns"}
_KNOWN_OF_PARAMETERS = {"type", "about", "example", "default", "optional"}


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

    def bound(self, given: Mapping[str, Value]) -> str:
        """The SPARQL with what is given in the place of parameters, else their defaults.

        A key ``name:type`` gives a parameter that the header does not declare.

        Raises:
            CatalogueUsageError: a parameter is unknown, missing, or not what it must be.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        terms: dict[str, str] = {}
        for key, value in given.items():
            name, kind = self._kind_of(key, known)
            terms[name] = term_of(kind, value, what=name)
        for parameter in self.parameters:
            if parameter.name not in terms:
                terms.update(self._default(parameter))
        return bound(self.sparql, terms)

    def _kind_of(self, key: str, known: Mapping[str, Parameter]) -> tuple[str, ParameterKind]:
        name, colon, kind = key.partition(":")
        if name in known and kind in {"", known[name].kind}:
            return name, known[name].kind
        if name in known:
            raise CatalogueUsageError(f"{self.name}: {name} is a {known[name].kind}, no {kind}")
        if name not in scan(self.text).parameters:
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
            return {parameter.name: term_of(parameter.kind, value, what=parameter.name)}
        if parameter.is_optional:
            return {}
        raise CatalogueUsageError(
            f"{self.name} needs {parameter.name} ({parameter.kind}: {parameter.about}), "
            f"for example {parameter.name}={parameter.example}"
        )


@cache
def ready_queries() -> tuple[ReadyQuery, ...]:
    """All ready queries, by name.

    Raises:
        MissingDataError: the installation has none.
    """
    paths = sorted(data.folder(_FOLDER).glob("*.rq"))
    return tuple(query_of(path.stem, path.read_text(encoding="utf-8")) for path in paths)


def ready_query(name: str) -> ReadyQuery:
    """The ready query of a name.

    Raises:
        CatalogueUsageError: there is none; the message names those that sound like it.
    """
    for each in ready_queries():
        if each.name == name:
            return each
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    near = get_close_matches(name, [each.name for each in ready_queries()])
    hint = f"; is it {' or '.join(near)}?" if near else "; list them with --list"
    raise CatalogueUsageError(f"there is no ready query {name!r}{hint}")


def ready(name: str, /, **parameters: Value) -> str:
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
    return ready_query(name).bound(parameters)


def query_of(name: str, text: str) -> ReadyQuery:
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
        _refuse_unknown(said, _KNOWN, "the header")
        columns = _table(said.get("columns", {}), "columns")
        return ReadyQuery(
            name=name,
            text=text,
            title=str(said.get("title", "")),
            description=" ".join(str(said.get("description", "")).split()),
            parameters=tuple(_parameters(said.get("parameters", {}))),
            columns={key: str(value) for key, value in columns.items()},
        )
    except ValueError as fault:  # which a fault of TOML is, too
        raise CatalogueError(f"{name}: {_WRONG}: {fault}") from None
    except RecursionError:
        raise CatalogueError(f"{name}: {_WRONG}: it is nested too deeply") from None


def _parameters(tables: object) -> Iterator[Parameter]:
    for name, said in _table(tables, "parameters").items():
        what = f"parameters.{name}"
        table = _table(said, what)
        _refuse_unknown(table, _KNOWN_OF_PARAMETERS, what)
        default = table.get("default")
        yield Parameter(
            name=name,
            kind=_kind(table.get("type"), what),
            about=str(table.get("about", "")),
            example=str(table.get("example", "...")),
            default=None if default is None else str(default),
            is_optional=_truth(table.get("optional", False), f"{what}.optional"),
        )


def _table(said: object, what: str) -> dict[str, Any]:
    if isinstance(said, dict):
        return said
    raise ValueError(f"{what} is no table; write [{what}], and below it what it says")


def _kind(said: Any, what: str) -> ParameterKind:
    kinds = ", ".join(ParameterKind)
    if said is None:
        raise ValueError(f'{what} has no type; write type = "text" below it, or one of {kinds}')
    if said not in list(ParameterKind):
        raise ValueError(f"{what} has the type {said!r}; there are {kinds}")
    return ParameterKind(said)


def _truth(said: object, what: str) -> bool:
    if isinstance(said, bool):
        return said
    raise ValueError(f"{what} is {said!r}; write true or false")


def _refuse_unknown(table: Mapping[str, Any], known: set[str], what: str) -> None:
    unknown = sorted(table.keys() - known)
    if unknown:
        names = ", ".join(sorted(known))
        raise ValueError(f"{what} says {', '.join(unknown)}, which is not among {names}")
