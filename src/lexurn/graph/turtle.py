"""Turtle and TriG as a person would write them: by node, short names, links on lines of their own.

LEX names stand in angle brackets. The work grows with the triples, not faster.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn import vocabulary as v
from lexurn.graph.statements import find_inline_blanks, group_by_node, is_iri, is_literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.graph.statements import Nodes, Triple

_PREFIX_OF = {namespace: prefix for prefix, namespace in v.PREFIXES.items()}
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_INTEGER = re.compile(r'"([+-]?[0-9]+)"')
_WIDTH = 80
_STEP = "    "


class _ShortTerms(dict[str, str]):
    """Short form of each term; ``prefixes`` are those in use."""

    def __init__(self) -> None:
        super().__init__({v.TYPE: v.TYPE})
        self.prefixes: set[str] = set()

    def __missing__(self, term: str) -> str:
        short = self._literal(term) if is_literal(term) else self._iri(term)
        self[term] = short
        return short

    def _iri(self, term: str) -> str:
        if not is_iri(term):
            return term
        iri = term[1:-1]
        end = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = _PREFIX_OF.get(iri[:end])
        if prefix is None or _LOCAL.fullmatch(iri, end) is None:
            return term
        self.prefixes.add(prefix)
        return f"{prefix}:{iri[end:]}"

    def _literal(self, term: str) -> str:
        if term[-1] != ">":
            return term
        text, _, datatype = term.rpartition("^^")
        if datatype == v.XSD_INTEGER and (found := _INTEGER.fullmatch(text)):
            return found[1]
        if datatype == v.XSD_BOOLEAN and text in {'"true"', '"false"'}:
            return text[1:-1]
        return f"{text}^^{self._iri(datatype)}"


def write_turtle(triples: Iterable[Triple]) -> str:
    """Write triples in Turtle."""
    short = _ShortTerms()
    nodes = group_by_node(triples)
    body = _Blocks(nodes, short, find_inline_blanks(nodes)).text()
    return _write_prefixes(short) + body


def write_trig(graphs: Mapping[str, Iterable[Triple]]) -> str:
    """Write the triples of each named graph (``""``: of the default graph) in TriG."""
    short = _ShortTerms()
    parts: list[str] = []
    for graph in sorted(graphs):
        body = _Blocks(group_by_node(graphs[graph]), short, frozenset()).text()
        if graph and body:
            inside = body.rstrip("\n").replace("\n", f"\n{_STEP}").replace(f"\n{_STEP}\n", "\n\n")
            body = f"{short[graph]} {{\n{_STEP}{inside}\n}}\n"
        if body:
            parts.append(body)
    return _write_prefixes(short) + "\n".join(parts)


def _write_prefixes(short: _ShortTerms) -> str:
    lines = [f"@prefix {prefix}: <{v.PREFIXES[prefix]}> .\n" for prefix in sorted(short.prefixes)]
    return "".join((*lines, "\n")) if lines else ""


class _Blocks:
    """Blocks of a graph: one for each node that does not stand within another."""

    def __init__(self, nodes: Nodes, short: _ShortTerms, anonymous: frozenset[str]) -> None:
        self._nodes = nodes
        self._short = short
        self._anonymous = anonymous

    def text(self) -> str:
        """Write all blocks, with an empty line between them."""
        blocks = (
            f"{self._short[node]}\n{_STEP}{self._statements(predicates, _STEP)} .\n"
            for node, predicates in self._nodes.items()
            if node not in self._anonymous
        )
        return "\n".join(blocks)

    def _statements(self, predicates: Mapping[str, Sequence[str]], indent: str) -> str:
        short, anonymous = self._short, self._anonymous
        lines = [
            f"{short[predicate]} {short[values[0]]}"
            if len(values) == 1 and values[0] not in anonymous
            else f"{short[predicate]}{self._objects(values, indent)}"
            for predicate, values in predicates.items()
            if predicate != v.TYPE
        ]
        lines.sort()
        types = predicates.get(v.TYPE)
        if types is not None:
            lines.insert(0, f"a {', '.join([self._object(each, indent) for each in types])}")
        return f" ;\n{indent}".join(lines)

    def _objects(self, values: Sequence[str], indent: str) -> str:
        if len(values) == 1:
            return f" {self._object(values[0], indent)}"
        deeper = indent + _STEP
        texts = [self._object(value, deeper) for value in values]
        line = ", ".join(texts)
        if len(line) < _WIDTH and "\n" not in line:
            return f" {line}"
        return "".join((f"\n{deeper}", f",\n{deeper}".join(texts)))

    def _object(self, value: str, indent: str) -> str:
        if value not in self._anonymous:
            return self._short[value]
        predicates = self._nodes.get(value)
        if predicates is None:
            return "[]"
        deeper = indent + _STEP
        return f"[\n{deeper}{self._statements(predicates, deeper)}\n{indent}]"
