"""Computed layer, from all that is known of a family; and the family in all three layers.

The *properties* of a node are texts: predicate and object, as N-Triples has them. N-Quads are
written straight from them, without an object per triple.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from lexurn import vocabulary as v
from lexurn.graph.catalogued import list_catalogued_properties, list_item_properties
from lexurn.graph.decoded import NameKind, classify_name, decode_name
from lexurn.graph.statements import Layer, Statements
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Container, Iterator, Mapping

    from lexurn.graph.statements import Triple
    from lexurn.model import Chain, Family

NodeProperty = tuple[str, str]
"""A node and one of its properties."""

COMPUTED_PROPERTIES = frozenset(
    {
        *(v.SAME_AS, v.EXEMPLAR, *(link for kind in NameKind for link in kind.down)),
        *(v.LANGUAGE_VERSION, v.LANGUAGE_VERSION_OF, v.EARLIER_VERSION, v.AS_OF),
        *(v.FIRST, v.LAST, v.PREVIOUS, v.NEXT, v.CURRENT, v.VERSION_HISTORY),
        *(v.HAS_VERSION, v.HAS_CURRENT_VERSION),
    }
)
"""Properties of names in the computed layer."""

ITEM_LINKS = frozenset({v.ITEM_OF, v.EXEMPLAR_OF, v.SAME_AS})
"""Links in the computed layer to names: from copies, and from HTTP-URI equivalents."""

_NodeProperties = dict[str, list[str]]
_LINE_ENDS = tuple(f" <{layer.iri}> .\n" for layer in Layer)


def statements_of(family: Family, *, as_of: dt.date, base: str | None = None) -> Statements:
    """Make the statements of a family, in three layers.

    Args:
        family: the family.
        as_of: the day for which the version in force is asked.
        base: the base of the HTTP-URI equivalents; none are written without it.

    Raises:
        GraphError: no graph can hold a value, for example a URL that is not an IRI.
        ValueError: ``base`` cannot be the base of HTTP URIs.
    """
    layers = zip(Layer, _gather_layers(family, as_of, base), strict=True)
    return Statements(**{layer: tuple(_list_triples(nodes)) for layer, nodes in layers})


def nquads_of(family: Family, *, as_of: dt.date, base: str | None = None) -> bytes:
    """Write a family as canonical N-Quads: the same bytes as `write` gives, sooner.

    Arguments and errors are those of `statements_of`.
    """
    layers = _gather_layers(family, as_of, base)
    ends = tuple(zip(layers, _LINE_ENDS, strict=True))
    parts: list[str] = []
    for node in sorted({node for layer in layers for node in layer}):
        lines: list[str] = []
        for layer, end in ends:
            properties = layer.get(node)
            if properties is not None:
                lines += [each + end for each in set(properties)]
        lines.sort()
        start = f"{node} "
        parts += (start, start.join(lines))
    return "".join(parts).encode()


def _list_triples(nodes: _NodeProperties) -> Iterator[Triple]:
    for node, properties in nodes.items():
        for each in properties:
            predicate, _, value = each.partition(" ")
            yield node, predicate, value


def _gather_layers(
    family: Family, as_of: dt.date, base: str | None
) -> tuple[_NodeProperties, _NodeProperties, _NodeProperties]:
    """Gather the properties of each node: decoded, catalogued, computed."""
    decoded: _NodeProperties = {}
    catalogued: _NodeProperties = defaultdict(list)
    computed: _NodeProperties = defaultdict(list)
    holders: dict[str, dict[str, NameKind]] = defaultdict(dict)
    nodes: dict[str, str] = {}
    for record in family.records:
        name, text = record.name, str(record.name)
        node, kind = f"<{name.iri}>", classify_name(name)
        nodes[text] = node
        properties = decoded[node] = decode_name(name)
        # Records are sorted and complete: parents have been met.
        parent = nodes.get(kind.parent(text))
        if parent is not None:
            properties += [f"{link} {parent}" for link in kind.up]
            computed[parent] += [f"{link} {node}" for link in kind.down]
        stated = list_catalogued_properties(record)
        if stated:
            catalogued[node] += stated
        for item in record.items:
            holders[f"<{item.url}>"][node] = kind
            for subject, each in list_item_properties(item):
                catalogued[subject].append(each)
    for subject, each in chain(
        _relate_names(family, as_of, base),
        _link_items(holders, family.shared),
        _link_languages(family, nodes),
    ):
        computed[subject].append(each)
    return decoded, catalogued, computed


def _relate_names(family: Family, as_of: dt.date, base: str | None) -> Iterator[NodeProperty]:
    """Relate names that are equal since their parents are, versions, and HTTP-URI equivalents."""
    for name, target in family.computed_aliases.items():
        yield f"<{name.iri}>", f"{v.SAME_AS} <{target.iri}>"
    for versions in family.chains:
        yield from _relate_versions(versions, as_of)
    if base is not None:
        for record in family.records:
            uri = http_of(record.name, base).uri
            yield f"<{uri}>", f"{v.SAME_AS} <{family.canonical(record.name).iri}>"


def _relate_versions(versions: Chain, as_of: dt.date) -> Iterator[NodeProperty]:
    """Relate the versions of one chain (RFC 9676 7.1.1), with the one in force on ``as_of``."""
    work = f"<{versions.work.iri}>"
    nodes = [f"<{version.name.iri}>" for version in versions.versions]
    current = versions.current(as_of)
    shared = [f"{v.FIRST} {nodes[0]}", f"{v.LAST} {nodes[-1]}", f"{v.VERSION_HISTORY} {work}"]
    if current.version is not None:
        shared.append(f"{v.CURRENT} <{current.version.iri}>")
        yield work, f"{v.HAS_CURRENT_VERSION} <{current.version.iri}>"
    if current.since is not None:
        yield work, f'{v.AS_OF} "{current.since.isoformat()}"^^{v.XSD_DATE}'
    for place, node in enumerate(nodes):
        yield work, f"{v.HAS_VERSION} {node}"
        yield from ((node, each) for each in shared)
        yield from ((node, f"{v.EARLIER_VERSION} {earlier}") for earlier in nodes[:place])
    for earlier, later in pairwise(nodes):
        yield earlier, f"{v.NEXT} {later}"
        yield later, f"{v.PREVIOUS} {earlier}"


def _link_items(
    holders: Mapping[str, Mapping[str, NameKind]], shared: Container[str]
) -> Iterator[NodeProperty]:
    """Link copies back to the names that have them.

    Args:
        holders: the node of each copy, and the nodes that have it, each with its kind.
        shared: URLs of copies that other families have too: exemplars of none.
    """
    for item, kinds in holders.items():
        for node, kind in kinds.items():
            yield item, f"{v.ITEM_OF} {node}"
            if len(kinds) == 1 and kind.embodies and item[1:-1] not in shared:
                yield node, f"{v.EXEMPLAR} {item}"
                yield item, f"{v.EXEMPLAR_OF} {node}"


def _link_languages(family: Family, nodes: Mapping[str, str]) -> Iterator[NodeProperty]:
    """Link ``@v:it`` and ``@v`` where both are known; ``nodes`` are those of names, by text."""
    for record in family.records:
        name, text = record.name, str(record.name)
        language = None if name.expression is None else name.expression.language
        if language is None or classify_name(name) is not NameKind.EXPRESSION:
            continue
        plain = nodes.get(text.removesuffix(f":{language}"))
        if plain is not None:
            yield plain, f"{v.LANGUAGE_VERSION} {nodes[text]}"
            yield nodes[text], f"{v.LANGUAGE_VERSION_OF} {plain}"
