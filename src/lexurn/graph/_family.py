"""From a family to its statements, and straight to N-Quads.

Both say the same, since both write down what `_said_of` gathers: for each layer and node its
*tails*, predicate and object as N-Triples has them. The bulk path glues them to lines and makes no
object per triple.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lexurn.graph._catalogued import catalogued_tails, item_tails
from lexurn.graph._computed import (
    alias_tails,
    copy_tails,
    equivalent_tails,
    language_tails,
    version_tails,
)
from lexurn.graph._decoded import Kind, decoded_tails, kind_of
from lexurn.graph._statements import Layer, Statements

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.graph._computed import Said
    from lexurn.graph._terms import Triple
    from lexurn.model import Family

__all__ = ["nquads_of", "statements_of"]

_Nodes = dict[str, list[str]]
_LINE_ENDS = tuple(f" <{layer.iri}> .\n" for layer in Layer)


def statements_of(family: Family, *, as_of: dt.date, base: str | None = None) -> Statements:
    """What is said of a family, in three layers.

    Args:
        family: the family.
        as_of: the day for which the version in force is asked.
        base: where the HTTP-URI equivalents lie; none are written without it.

    Raises:
        GraphError: a value that no graph can hold, for example a URL that is no IRI.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    decoded, catalogued, computed = _said_of(family, as_of, base)
    return Statements(
        decoded=tuple(_triples(decoded)),
        catalogued=tuple(_triples(catalogued)),
        computed=tuple(_triples(computed)),
    )


def nquads_of(family: Family, *, as_of: dt.date, base: str | None = None) -> bytes:
    """What is said of a family as canonical N-Quads: the bytes that `write` makes of it, sooner.

    Args and errors are those of `statements_of`.
    """
    layers = _said_of(family, as_of, base)
    ends = tuple(zip(layers, _LINE_ENDS, strict=True))
    parts: list[str] = []
    for node in sorted({node for layer in layers for node in layer}):
        lines: list[str] = []
        for layer, end in ends:
            tails = layer.get(node)
            if tails is not None:
                lines += [tail + end for tail in set(tails)]
        lines.sort()
        start = f"{node} "
        parts += (start, start.join(lines))
    return "".join(parts).encode()


def _triples(nodes: _Nodes) -> Iterator[Triple]:
    for node, tails in nodes.items():
        for tail in tails:
            predicate, _, value = tail.partition(" ")
            yield node, predicate, value


def _said_of(family: Family, as_of: dt.date, base: str | None) -> tuple[_Nodes, _Nodes, _Nodes]:
    """What is said of each node: decoded, catalogued, computed."""
    decoded: _Nodes = {}
    catalogued: _Nodes = defaultdict(list)
    computed: _Nodes = defaultdict(list)
    holders: dict[str, list[tuple[str, Kind]]] = {}
    nodes: dict[str, str] = {}
    tagged: list[tuple[str, str]] = []
    for record in family.records:
        name, text = record.name, str(record.name)
        node, kind = f"<{name.iri}>", kind_of(name)
        nodes[text] = node
        tails = decoded[node] = decoded_tails(name, kind)
        # Records are sorted and complete: what stands above has been met.
        above = nodes.get(kind.parent(text))
        if above is not None:
            tails += [f"{link} {above}" for link in kind.up]
            computed[above] += [f"{link} {node}" for link in kind.down]
        stated = catalogued_tails(record)
        if stated:
            catalogued[node] += stated
        for item in record.items:
            _hold(holders.setdefault(f"<{item.url}>", []), node, kind)
            _add(catalogued, item_tails(item))
        if kind is Kind.EXPRESSION and name.expression is not None and name.expression.language:
            tagged.append((text, name.expression.language))
    _add(computed, _relations(family, as_of, base))
    _add(computed, copy_tails(holders, family.shared))
    _add(computed, language_tails(nodes, tagged))
    return decoded, catalogued, computed


def _relations(family: Family, as_of: dt.date, base: str | None) -> Iterator[Said]:
    yield from alias_tails(family)
    for chain in family.chains:
        yield from version_tails(chain, as_of)
    if base is not None:
        yield from equivalent_tails(family, [record.name for record in family.records], base)


def _hold(holders: list[tuple[str, Kind]], node: str, kind: Kind) -> None:
    if not holders or holders[-1][0] != node:
        holders.append((node, kind))


def _add(nodes: _Nodes, said: Iterator[Said]) -> None:
    for node, tail in said:
        nodes[node].append(tail)
