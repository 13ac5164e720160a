"""Catalogued layer: the statements of a publisher (columns of a manifest), written and read back.

In a graph whose layers are merged, stated aliases are told apart from those that only follow from
them: ``alias@v`` equals ``canonical@v`` since the works are equal.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph.statements import (
    LiteralParts,
    Statements,
    format_integer,
    format_iri,
    format_literal,
    format_text,
    group_by_node,
    is_absolute_iri,
    is_iri,
    is_literal,
    parse_literal,
)
from lexurn.lazy import compile_late
from lexurn.model import (
    FIELDS,
    Item,
    Kind,
    LanguageText,
    LegalForce,
    Record,
    Status,
    is_likely_iri,
    sort_values,
)
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.graph.statements import Nodes, Triple
    from lexurn.name import Name

ALIAS_PROPERTIES = frozenset({v.SAME_AS, v.IS_REPLACED_BY})
"""Properties from an alias to its canonical name; the second one if the alias is withdrawn."""

CATALOGUED_PROPERTIES = ALIAS_PROPERTIES | {
    v.CONSOLIDATES,
    *(each for field in FIELDS for each in (field.predicate, field.text_predicate) if each),
}
"""Properties of names in the catalogued layer."""

RECORD_PROPERTIES = frozenset(field.predicate for field in FIELDS if field.is_of_record)
"""Properties of records in the catalogued layer; on a name they are read, too."""

ITEM_CLASSES = frozenset({v.ITEM_CLASS, v.FRBR_ITEM, v.CHECKSUM_CLASS})
"""Classes of copies and of their checksums."""

ITEM_PROPERTIES = frozenset({v.TYPE, v.BYTE_SIZE, v.CHECKSUM, v.ALGORITHM, v.CHECKSUM_VALUE})
"""Properties of copies and of their checksums in the catalogued layer."""

FORCE_TERMS = {
    LegalForce.IN_FORCE: v.IN_FORCE,
    LegalForce.PARTLY_IN_FORCE: v.PARTLY_IN_FORCE,
    LegalForce.NOT_IN_FORCE: v.NOT_IN_FORCE,
    LegalForce.REPEALED: v.REPEALED,
}
"""The term of each state of force."""

_TERMS: Mapping[Kind, Callable[[Any], str]] = {
    Kind.TITLE: lambda title: format_literal(title.value, title.language),
    Kind.TEXT: format_text,
    Kind.NAME: lambda name: f"<{name.iri}>",
    Kind.DAY: lambda day: f'"{day.isoformat()}"^^{v.XSD_DATE}',
    Kind.INTEGER: lambda number: format_integer(number, v.XSD_INTEGER),
    Kind.STATUS: lambda _: v.WITHDRAWN,
    Kind.FORCE: lambda force: FORCE_TERMS[force],
    Kind.URL: format_iri,
    Kind.IRI: format_iri,
    Kind.AGENT: format_iri,
    Kind.COPY: lambda item: format_iri(item.url),
}
"""The term of a value in a graph."""

_WRITERS = {field.name: _TERMS[field.kind] for field in FIELDS if field.predicate}


def list_catalogued_properties(record: Record) -> tuple[list[str], list[str]]:
    """List the properties that a record states of its name, and those of the record itself.

    Raises:
        GraphError: no graph can hold a value, for example a URL that is not an IRI.
    """
    properties: list[str] = []
    own: list[str] = []
    for field, values in record.list_values():
        found = own if field.is_of_record else properties
        predicate, write = field.predicate, _WRITERS[field.name]
        if predicate == v.SAME_AS and record.status is Status.WITHDRAWN:
            predicate = v.IS_REPLACED_BY
        elif predicate == v.AMENDED_BY and record.name.expression is not None:
            predicate = v.CONSOLIDATES
        try:
            for value in values if field.is_list else (values,):
                if field.text_predicate and not (is_likely_iri(value) and is_absolute_iri(value)):
                    found.append(f"{field.text_predicate} {format_text(value)}")
                else:
                    found.append(f"{predicate} {write(value)}")
        except GraphError as fault:
            raise GraphError(f"{record.name}: {field.columns[0]} {fault}") from None
    if own:
        own += (f"{v.TYPE} {v.CATALOG_RECORD}", f"{v.PRIMARY_TOPIC} <{record.name.iri}>")
    return properties, own


def list_item_properties(item: Item) -> Iterator[tuple[str, str]]:
    """List the properties of a copy and its checksum, as pairs of node and property.

    Raises:
        GraphError: the digest is not hexadecimal.
    """
    node = f"<{item.url}>"
    yield node, f"{v.TYPE} {v.ITEM_CLASS}"
    yield node, f"{v.TYPE} {v.FRBR_ITEM}"
    if item.bytes is not None:
        yield node, f"{v.BYTE_SIZE} {format_integer(item.bytes, v.XSD_NON_NEGATIVE_INTEGER)}"
    if item.sha256 is not None:
        try:
            checksum = f"<{item.digest_uri}>"
        except ValueError:
            raise GraphError(f"{item.url}: sha256 {item.sha256!r} is not hexadecimal") from None
        yield node, f"{v.CHECKSUM} {checksum}"
        yield checksum, f"{v.TYPE} {v.CHECKSUM_CLASS}"
        yield checksum, f"{v.ALGORITHM} {v.SHA256}"
        yield checksum, f'{v.CHECKSUM_VALUE} "{item.sha256}"^^{v.XSD_HEX_BINARY}'


_LEX = "<urn:lex:"
_RECORD_END = f"{v.RECORD_END}>"
_CLASSES = frozenset({v.WORK, v.EXPRESSION, v.MANIFESTATION_CLASS, v.PARTITION})
_DAY = compile_late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = compile_late(r"[+-]?[0-9]{1,4000}")
_SHA256 = compile_late(r"[0-9a-fA-F]{64}")

_Values = dict[str, list[str]]
_Value = TypeVar("_Value")


def _is_lex_name(term: str) -> bool:
    return term[: len(_LEX)].lower() == _LEX


def _read_name(where: str, value: str) -> Name:
    report = check(value[1:-1]) if is_iri(value) else None
    if report is None:
        raise GraphError(f"{where}: {value} is not a LEX name")
    if report.name is None:
        problem = report.errors[0]
        raise GraphError(f"{where}: {value} is not a LEX name: {problem.message} ({problem.rule})")
    return report.name.document if report.name.partition is None else report.name


def _read_iri(where: str, value: str) -> str:
    if not is_iri(value):
        raise GraphError(f"{where}: {value} is not an IRI")
    return value[1:-1]


def _read_literal(where: str, value: str) -> LiteralParts:
    if not is_literal(value):
        raise GraphError(f"{where}: {value} is not a literal")
    return parse_literal(value)


def _read_title(where: str, value: str) -> LanguageText:
    text, language, datatype = _read_literal(where, value)
    if datatype is not None:
        raise GraphError(f"{where}: {value} is not a text")
    return LanguageText(value=text, language=language)


def _read_day(where: str, value: str) -> dt.date:
    text, _, datatype = _read_literal(where, value)
    if f"<{datatype}>" == v.XSD_DATE and _DAY.fullmatch(text):
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            pass
    raise GraphError(f"{where}: {value} is not an xsd:date with a real day and no time zone")


def _read_integer(where: str, value: str, datatype: str = v.XSD_INTEGER) -> int:
    text, _, found = _read_literal(where, value)
    if f"<{found}>" not in {datatype, v.XSD_INTEGER} or not _WHOLE.fullmatch(text):
        raise GraphError(f"{where}: {value} is not a whole number ({datatype})")
    try:
        format_integer(int(text), datatype)
    except GraphError as fault:
        raise GraphError(f"{where}: {fault}") from None
    return int(text)


def _read_status(where: str, value: str) -> Status:
    if value != v.WITHDRAWN:
        raise GraphError(f"{where}: {value} is not a status; the only one is {v.WITHDRAWN}")
    return Status.WITHDRAWN


_FORCES = {term: force for force, term in FORCE_TERMS.items()}


def _read_force(where: str, value: str) -> LegalForce:
    if value not in _FORCES:
        raise GraphError(f"{where}: {value} is not a state of force; use {', '.join(_FORCES)}")
    return _FORCES[value]


_READERS: Mapping[Kind, Callable[[str, str], Any]] = {
    Kind.TITLE: _read_title,
    Kind.TEXT: lambda where, value: _read_literal(where, value).value,
    Kind.NAME: _read_name,
    Kind.DAY: _read_day,
    Kind.INTEGER: _read_integer,
    Kind.STATUS: _read_status,
    Kind.FORCE: _read_force,
    Kind.URL: _read_iri,
    Kind.IRI: _read_iri,
    Kind.AGENT: _read_iri,
}
"""Readers of values by kind; each takes node and predicate, for messages, and the term."""


def records_of(triples: Statements | Iterable[Triple]) -> tuple[Record, ...]:
    """Read the records in a graph, sorted by name: one for each node that is a LEX name.

    Properties of the record are read from its node, and from the name.
    Of statements in layers, only the catalogued ones are read. If the layers are merged, an alias
    that follows from another one (the same version, under an alias of its work) is left out: it can
    be computed again.

    Raises:
        GraphError: a node should be a LEX name and is none, or a record cannot hold a value; the
            message names node and property.
    """
    # Statements in no graph of a layer are read as catalogued ones: then the layers are merged.
    is_layered = isinstance(triples, Statements) and bool(triples.decoded)
    if isinstance(triples, Statements):
        triples = (*triples.decoded, *triples.catalogued)
    nodes = group_by_node(triples)
    values_by_name: dict[Name, _Values] = {}
    for node, predicates in nodes.items():
        # A node must be a LEX name where it looks like one, or is typed as one.
        if _is_lex_name(node) or not _CLASSES.isdisjoint(predicates.get(v.TYPE, ())):
            topic = node.removesuffix(_RECORD_END)
            is_record = topic != node
            name = _read_name(node, f"{topic}>" if is_record else node)
            values = values_by_name.setdefault(name, defaultdict(list))
            for predicate, found in predicates.items():
                if not is_record or predicate in RECORD_PROPERTIES:
                    values[predicate] += found
    aliases: dict[Name, Name] = {}
    replaced: dict[Name, Name | None] = {}  # withdrawn names, with their canonical names
    for name, values in values_by_name.items():
        is_withdrawn = v.WITHDRAWN in values[v.STATUS]
        where = f"<{name.iri}> {v.IS_REPLACED_BY if is_withdrawn else v.SAME_AS}"
        terms = values[v.SAME_AS] + (values[v.IS_REPLACED_BY] if is_withdrawn else [])
        # HTTP-URI equivalents are the same, too.
        target = _take_only(
            [_read_name(where, each) for each in terms if _is_lex_name(each)], where
        )
        if is_withdrawn:
            replaced[name] = target
        elif target is not None:
            aliases[name] = target
    _read_amendments(values_by_name, replaced, is_layered=is_layered)
    if not is_layered:
        aliases = _find_stated_aliases(aliases)
    return tuple(
        _read_record(name, values_by_name[name], aliases.get(name) or replaced.get(name), nodes)
        for name in sorted(values_by_name, key=str)
    )


def _read_amendments(
    values_by_name: Mapping[Name, _Values], withdrawn: Collection[Name], *, is_layered: bool
) -> None:
    """Read the acts that made a version as those that amended it.

    In a merged graph the same acts amend its work; that follows from the version, and is left out.
    """
    for name, values in values_by_name.items():
        made_by = frozenset(values[v.CONSOLIDATES])
        if not made_by:
            continue
        work = values_by_name.get(name.work_name)
        if work is not None and not is_layered and name not in withdrawn:
            work[v.AMENDED_BY] = [each for each in work[v.AMENDED_BY] if each not in made_by]
        values[v.AMENDED_BY] += made_by


def find_as_of(triples: Statements | Iterable[Triple]) -> dt.date:
    """Find a day on which a graph's versions in force hold: the latest ``lexo:asOf`` in it.

    Without one it is the first day of the calendar: a graph without a start of force holds on
    every day before the first.

    Raises:
        GraphError: a ``lexo:asOf`` is not a date.
    """
    every = triples.merged if isinstance(triples, Statements) else triples
    days = [_read_day(f"{s} {p}", value) for s, p, value in every if p == v.AS_OF]
    return max(days, default=dt.date.min)


def _read_record(name: Name, values: _Values, alias: Name | None, nodes: Nodes) -> Record:
    fields: dict[str, Any] = {}
    for field in FIELDS:
        terms, texts = values.get(field.predicate, ()), values.get(field.text_predicate, ())
        if not terms and not texts:
            continue
        where = f"<{name.iri}> {field.predicate}"
        found: list[Any] = []
        for value in terms:
            if field.kind is Kind.COPY:
                found += _read_items(_read_iri(where, value), nodes)
            elif field.name != "alias_of":
                found.append(_READERS[field.kind](where, value))
        for value in texts:
            found.append(_read_literal(f"<{name.iri}> {field.text_predicate}", value).value)
        fields[field.name] = (
            sort_values(field.kind, found) if field.is_list else _take_only(found, where)
        )
    return Record(name=name, **fields | {"alias_of": alias})


def _take_only(values: Sequence[_Value], where: str) -> _Value | None:
    """Return the only value, None if there is none; equal values count as one."""
    different = list(dict.fromkeys(values))
    if len(different) > 1:
        raise GraphError(f"{where}: {len(different)} values, but at most one is allowed")
    return different[0] if different else None


def _read_items(url: str, nodes: Nodes) -> Iterator[Item]:
    about = nodes.get(f"<{url}>", {})
    where = f"<{url}> {v.BYTE_SIZE}"
    sizes = {
        _read_integer(where, value, v.XSD_NON_NEGATIVE_INTEGER)
        for value in about.get(v.BYTE_SIZE, ())
    }
    sums: set[str] = set()
    for checksum in about.get(v.CHECKSUM, ()):
        described, where = nodes.get(checksum, {}), f"{checksum} {v.CHECKSUM_VALUE}"
        values = [_read_literal(where, each).value for each in described.get(v.CHECKSUM_VALUE, ())]
        digest = _take_only(values, where)
        is_sha256 = described.get(v.ALGORITHM) == [v.SHA256]
        if digest is None or not is_sha256 or not _SHA256.fullmatch(digest):
            raise GraphError(f"{where}: a SHA-256 digest of 64 hex digits is needed")
        sums.add(digest.lower())
    # A URL with two sizes is two statements on one copy: nothing is lost, the shapes object.
    for size, digest in list(zip_longest(sorted(sizes), sorted(sums))) or [(None, None)]:
        yield Item(url=url, bytes=size, sha256=digest)


def _find_stated_aliases(aliases: Mapping[Name, Name]) -> dict[Name, Name]:
    """Find the aliases that do not follow from another one: those that were stated.

    An alias follows if its name and its target have equal names above, and the same text below
    them: the work ``b`` is an alias of ``a``, so ``b@1`` is one of ``a@1``.

    Args:
        aliases: each alias of a graph, stated or computed, and its target.
    """
    stated = {}
    for name, target in aliases.items():
        above, other = name.parent, target.parent
        if name.partition is None and above is not None and other is not None:
            is_same_below = str(name)[len(str(above)) :] == str(target)[len(str(other)) :]
            if is_same_below and aliases.get(above) == aliases.get(other, other):
                continue
        stated[name] = target
    return stated
