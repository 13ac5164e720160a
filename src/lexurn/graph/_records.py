"""From a graph back to the records that it was made of."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from lexurn.errors import GraphError
from lexurn.graph import _vocabulary as v
from lexurn.graph._aliases import stated_among
from lexurn.graph._catalogued import AGENTS, DAYS, LINKS, NAMES
from lexurn.graph._nodes import nodes_of
from lexurn.graph._statements import Statements
from lexurn.graph._terms import is_iri, is_literal, is_storable, parts_of
from lexurn.model import Item, LanguageText, Record, Status
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.graph._nodes import Nodes
    from lexurn.graph._terms import Triple
    from lexurn.name import Name

__all__ = ["as_of_of", "records_of"]

_LEX = "<urn:lex:"
_CLASSES = frozenset({v.WORK, v.EXPRESSION, v.MANIFESTATION_CLASS, v.PARTITION})
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")

_Said = dict[str, list[str]]
_Value = TypeVar("_Value")


def records_of(triples: Statements | Iterable[Triple]) -> tuple[Record, ...]:
    """The records that a graph holds, sorted by name: one for each node that is a LEX name.

    Of statements in layers, only what is catalogued is read. Where the layers are merged, an alias
    that follows from another one (the same version, under an alias of its work) is left out, since
    it can be computed again.

    Raises:
        GraphError: a node that should be a LEX name and is none, or a value that a record cannot
            hold; the message names node and property.
    """
    layered = isinstance(triples, Statements) and bool(triples.decoded)
    nodes = nodes_of(_stated(triples) if isinstance(triples, Statements) else triples)
    said: dict[Name, _Said] = {}
    names: dict[str, Name] = {}
    for node, predicates in nodes.items():
        if _is_named(node, predicates):
            names[node] = _name(node, node)
            _gather(said.setdefault(names[node], defaultdict(list)), predicates)
    aliases = {name: target for name in said if (target := _alias(name, said[name])) is not None}
    if not layered:
        aliases = stated_among(said, aliases)
    return tuple(
        _record(name, said[name], aliases.get(name), nodes) for name in sorted(said, key=str)
    )


def as_of_of(triples: Statements | Iterable[Triple]) -> dt.date:
    """A day for which a graph's answers on what is in force hold: the latest ``lexo:asOf`` in it.

    Where there is none, the first day of the calendar: a graph that knows of no start of force
    holds on every day before the first.

    Raises:
        GraphError: a ``lexo:asOf`` that is no date.
    """
    every = triples.merged if isinstance(triples, Statements) else triples
    days = [_day(f"{s} {p}", value) for s, p, value in every if p == v.AS_OF]
    return max(days, default=dt.date.min)


def _stated(statements: Statements) -> tuple[Triple, ...]:
    return (*statements.decoded, *statements.catalogued)


def _is_named(node: str, predicates: Mapping[str, Sequence[str]]) -> bool:
    """Whether a node must be a LEX name: it looks like one, or is typed as one."""
    return node[: len(_LEX)].lower() == _LEX or not _CLASSES.isdisjoint(predicates.get(v.TYPE, ()))


def _name(iri: str, where: str) -> Name:
    report = check(iri[1:-1]) if is_iri(iri) else None
    if report is None:
        raise GraphError(f"{where}: {iri} is not a LEX name")
    if report.name is None:
        problem = report.errors[0]
        raise GraphError(f"{where}: {iri} is not a LEX name: {problem.message} ({problem.rule})")
    return report.name.document if report.name.partition is None else report.name


def _gather(said: _Said, predicates: Mapping[str, Iterable[str]]) -> None:
    for predicate, values in predicates.items():
        said[predicate] += values


def _alias(name: Name, said: _Said) -> Name | None:
    targets = [_name(each, _at(name, v.SAME_AS)) for each in said.get(v.SAME_AS, ()) if _lex(each)]
    return _only(targets, _at(name, v.SAME_AS))


def _lex(term: str) -> bool:
    return term[: len(_LEX)].lower() == _LEX


def _record(name: Name, said: _Said, alias: Name | None, nodes: Nodes) -> Record:
    fields: dict[str, Any] = {}
    for field, predicate in DAYS.items():
        days = [_day(_at(name, predicate), value) for value in said.get(predicate, ())]
        fields[field] = _only(days, _at(name, predicate))
    for field, predicate in NAMES.items():
        found = {_name(value, _at(name, predicate)) for value in said.get(predicate, ())}
        fields[field] = tuple(sorted(found, key=str))
    for field, predicate in LINKS.items():
        links = {_iri(_at(name, predicate), value) for value in said.get(predicate, ())}
        fields[field] = tuple(sorted(links))
    for field, (linking, naming) in AGENTS.items():
        agents = {_iri(_at(name, linking), value) for value in said.get(linking, ())}
        texts = {_text(_at(name, naming), value) for value in said.get(naming, ())}
        fields[field] = tuple(sorted(agents | texts))
    return Record(
        name=name,
        alias_of=alias,
        titles=_titles(name, said),
        dialect_names=_spellings(name, said),
        version_order=_order(name, said),
        status=_status(name, said),
        items=_items(name, said, nodes),
        **fields,
    )


def _titles(name: Name, said: _Said) -> tuple[LanguageText, ...]:
    titles = set()
    for value in said.get(v.TITLE, ()):
        text, language, datatype = parts_of(_literal(_at(name, v.TITLE), value))
        if datatype is not None:
            raise GraphError(f"{_at(name, v.TITLE)}: {value} is not a text")
        titles.add(LanguageText(value=text, language=language))
    return tuple(sorted(titles, key=lambda title: (title.value, title.language or "")))


def _spellings(name: Name, said: _Said) -> tuple[str, ...]:
    where = _at(name, v.DIALECT_NAME)
    return tuple(sorted({_text(where, value) for value in said.get(v.DIALECT_NAME, ())}))


def _order(name: Name, said: _Said) -> int | None:
    where = _at(name, v.VERSION_ORDER)
    numbers = [_whole(where, value, v.XSD_INTEGER) for value in said.get(v.VERSION_ORDER, ())]
    return _only(numbers, where)


def _status(name: Name, said: _Said) -> Status | None:
    where = _at(name, v.STATUS)
    for value in said.get(v.STATUS, ()):
        if value != v.WITHDRAWN:
            raise GraphError(f"{where}: {value} is not a status; known is {v.WITHDRAWN}")
    return Status.WITHDRAWN if said.get(v.STATUS) else None


def _items(name: Name, said: _Said, nodes: Nodes) -> tuple[Item, ...]:
    items: set[Item] = set()
    for node in said.get(v.ITEM, ()):
        url = _iri(_at(name, v.ITEM), node)
        about = nodes.get(node, {})
        where = f"{node} {v.BYTE_SIZE}"
        sizes = [
            _whole(where, value, v.XSD_NON_NEGATIVE_INTEGER) for value in about.get(v.BYTE_SIZE, ())
        ]
        sums = [
            _digest(checksum, nodes.get(checksum, {})) for checksum in about.get(v.CHECKSUM, ())
        ]
        # A URL with two sizes is two statements on one copy: nothing is lost, the shapes object.
        pairs = list(zip_longest(sorted(set(sizes)), sorted(set(sums)))) or [(None, None)]
        items.update(Item(url=url, bytes=size, sha256=digest) for size, digest in pairs)
    return tuple(sorted(items, key=lambda item: (item.url, item.bytes or -1, item.sha256 or "")))


def _digest(checksum: str, about: Mapping[str, Sequence[str]]) -> str:
    where = f"{checksum} {v.CHECKSUM_VALUE}"
    values = [parts_of(_literal(where, value)).value for value in about.get(v.CHECKSUM_VALUE, ())]
    digest = _only(values, where)
    if digest is None or about.get(v.ALGORITHM) != [v.SHA256] or not _SHA256.fullmatch(digest):
        raise GraphError(f"{where}: a SHA-256 digest of 64 hex digits is needed")
    return digest.lower()


def _at(name: Name, predicate: str) -> str:
    return f"<{name.iri}> {predicate}"


def _only(values: Sequence[_Value], where: str) -> _Value | None:
    """The one value, or None; twice the same is once."""
    different = list(dict.fromkeys(values))
    if len(different) > 1:
        raise GraphError(f"{where}: {len(different)} values, at most one is meant")
    return different[0] if different else None


def _iri(where: str, value: str) -> str:
    if not is_iri(value):
        raise GraphError(f"{where}: {value} is not an IRI")
    return value[1:-1]


def _literal(where: str, value: str) -> str:
    if not is_literal(value):
        raise GraphError(f"{where}: {value} is not a literal")
    return value


def _text(where: str, value: str) -> str:
    return parts_of(_literal(where, value)).value


def _day(where: str, value: str) -> dt.date:
    text, _, datatype = parts_of(_literal(where, value))
    if f"<{datatype}>" == v.XSD_DATE and _DAY.fullmatch(text):
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            pass
    raise GraphError(f"{where}: {value} is not an xsd:date with a real day and no time zone")


def _whole(where: str, value: str, kind: str) -> int:
    text, _, datatype = parts_of(_literal(where, value))
    if f"<{datatype}>" not in {kind, v.XSD_INTEGER} or not _WHOLE.fullmatch(text):
        raise GraphError(f"{where}: {value} is not a whole number ({kind})")
    number = int(text)
    if not is_storable(number):
        raise GraphError(f"{where}: {value} is larger than 64 bits can hold")
    return number
