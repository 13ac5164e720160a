"""Statements of RDF: terms as canonical N-Triples writes them, triples, and the three layers.

``<iri>``, ``_:label``, ``"text"``, ``"text"@it`` and ``"text"^^<datatype>``: equal terms are equal
texts, so that a triple is a tuple of three texts and sorting needs no thought.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

Triple = tuple[str, str, str]

# What canonical N-Triples escapes: ECHAR where there is one, else what XML 1.1 has no Char for.
_MUST_ESCAPE = compile_late('["\\\\\x00-\x1f\x7f\ufffe\uffff]')
_SURROGATE = compile_late("[\ud800-\udfff]")
_UNESCAPES = dict(zip("btnfr\"'\\", "\b\t\n\f\r\"'\\", strict=True))
_ESCAPES = {value: f"\\{key}" for key, value in _UNESCAPES.items()}
_UNESCAPE = compile_late(r"\\(?:([btnfr\"'\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")
_INTEGER_BOUND = 1 << 63


class LiteralParts(NamedTuple):
    """Parts of a literal: its text, and its language or its datatype's IRI (or neither)."""

    value: str
    language: str | None = None
    datatype: str | None = None


def format_text(text: str) -> str:
    """Write the literal of a plain text.

    Raises:
        GraphError: the text holds a lone surrogate, which no encoding can carry.
    """
    if _SURROGATE.search(text):
        raise GraphError(f"{text!r} contains a lone surrogate, which is not a character")
    if _MUST_ESCAPE.search(text):
        text = _MUST_ESCAPE.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", text)
    return f'"{text}"'


def format_literal(text: str, language: str | None) -> str:
    """Write the literal of a text in a language (its tag in lower case), or in none.

    Raises:
        GraphError: the tag is not a language tag, or the text holds a lone surrogate.
    """
    if language is None:
        return format_text(text)
    if not is_language_tag(language):
        raise GraphError(f"{language!r} is not a language tag (RFC 5646)")
    return f"{format_text(text)}@{language.lower()}"


@lru_cache(maxsize=4096)
def is_language_tag(text: str) -> bool:
    """Return whether strict readers of RDF take a text for a language tag (RFC 5646)."""
    try:
        pyoxigraph.Literal("", language=text)
    except ValueError:  # a lone surrogate is one, too
        return False
    return True


def format_integer(number: int, datatype: str) -> str:
    """Write the literal of a whole number.

    Raises:
        GraphError: 64 bits cannot hold it.
    """
    if not -_INTEGER_BOUND <= number < _INTEGER_BOUND:
        raise GraphError(f"{number} does not fit in 64 bits")
    return f'"{number:d}"^^{datatype}'


@lru_cache(maxsize=65536)
def is_absolute_iri(text: str) -> bool:
    """Return whether strict readers of RDF take a text for an absolute IRI (RFC 3987)."""
    try:
        pyoxigraph.NamedNode(text)
    except ValueError:
        return False
    return True


def format_iri(text: str) -> str:
    """Write the term of an absolute IRI.

    Raises:
        GraphError: the text is not an absolute IRI.
    """
    if not is_absolute_iri(text):
        raise GraphError(f"{text!r} is not an absolute IRI (RFC 3987)")
    return f"<{text}>"


def is_iri(term: str) -> bool:
    """Return whether a term is an IRI."""
    return term[0] == "<"


def is_literal(term: str) -> bool:
    """Return whether a term is a literal."""
    return term[0] == '"'


def is_blank(term: str) -> bool:
    """Return whether a term is a blank node."""
    return term[0] == "_"


def parse_literal(term: str) -> LiteralParts:
    """Split a literal into its parts.

    Raises:
        GraphError: the term is not a literal as N-Triples writes it.
    """
    end = term.rfind('"')
    if end <= 0 or term[0] != '"':
        raise GraphError(f"{term} is not a literal")
    value, suffix = term[1:end], term[end + 1 :]
    if "\\" in value:
        value = _UNESCAPE.sub(_unescape, value)
    if suffix.startswith("@"):
        return LiteralParts(value, suffix[1:])
    return LiteralParts(value, None, suffix[3:-1] or None)


def _unescape(found: re.Match[str]) -> str:
    short, four, eight = found.groups()
    return _UNESCAPES[short] if short else chr(int(four or eight, 16))


class Layer(StrEnum):
    """Origin of a statement: the name itself, its publisher, or all that is known."""

    DECODED = "decoded"
    CATALOGUED = "catalogued"
    COMPUTED = "computed"

    @property
    def iri(self) -> str:
        """IRI of the layer and of its named graph."""
        return f"{v.LEXO}{self.value}"


LAYERS = MappingProxyType({f"<{layer.iri}>": layer for layer in Layer})
"""The layers by the terms of their named graphs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """Triples in three layers; each layer is sorted and holds no triple twice.

    Attributes:
        decoded: statements that follow from the names alone.
        catalogued: statements of publishers.
        computed: statements that follow from all that is known; they can be made again.
    """

    decoded: tuple[Triple, ...] = ()
    catalogued: tuple[Triple, ...] = ()
    computed: tuple[Triple, ...] = ()

    def __post_init__(self) -> None:
        for layer in Layer:
            object.__setattr__(self, layer, tuple(sorted(set(self.layer(layer)))))

    def __add__(self, other: Statements) -> Statements:
        return Statements.union((self, other))

    @staticmethod
    def union(parts: Iterable[Statements]) -> Statements:
        """Join the statements of all ``parts``."""
        every = tuple(parts)
        return Statements(
            **{layer: tuple(t for part in every for t in part.layer(layer)) for layer in Layer}
        )

    def layer(self, layer: Layer) -> tuple[Triple, ...]:
        """Return the triples of one layer."""
        triples: tuple[Triple, ...] = getattr(self, layer)
        return triples

    @property
    def merged(self) -> tuple[Triple, ...]:
        """Triples of all layers, sorted, none twice."""
        return tuple(sorted({*self.decoded, *self.catalogued, *self.computed}))


Nodes = dict[str, dict[str, list[str]]]
"""Subject -> predicate -> objects."""

_DEEPEST_INLINE = 8


def group_by_node(triples: Iterable[Triple]) -> Nodes:
    """Group triples by subject and predicate, none twice, nodes in reading order.

    Predicates stand in no order: each writer has its own.
    """
    nodes: Nodes = {}
    predicates: dict[str, list[str]] = {}
    last = None
    for subject, predicate, value in triples:
        if subject != last:  # triples of a node mostly come together
            predicates = nodes.setdefault(subject, {})
            last = subject
        if predicate in predicates:
            predicates[predicate].append(value)
        else:
            predicates[predicate] = [value]
    for predicates in nodes.values():
        for predicate, values in predicates.items():
            if len(values) > 1:
                predicates[predicate] = sort_objects(values)
    # LEX names come first, parents before children, and blanks last.
    return {node: nodes[node] for node in sorted(nodes, key=node_sort_key)}


def sort_objects(values: Iterable[str]) -> list[str]:
    """Sort objects, none twice: texts, then IRIs (parents before children), then blanks."""
    return sorted(set(values), key=lambda each: each[:-1] if each[0] == "<" else each)


def node_sort_key(node: str) -> tuple[int, str]:
    """Return the sort key of a node: LEX names first, parents before children, blanks last."""
    if is_blank(node):
        return 2, node
    return (0 if node.startswith("<urn:lex:") else 1), node[1:-1]


def find_inline_blanks(nodes: Mapping[str, Mapping[str, Iterable[str]]]) -> frozenset[str]:
    """Find the blank nodes that need no label: the one node that refers to them holds them.

    Nodes in a circle keep a label, and so do classes and nodes that would be nested too deep.
    """
    if not any(map(is_blank, nodes)):
        return frozenset()
    counts: Counter[str] = Counter()
    above: dict[str, str] = {}
    for node, predicates in nodes.items():
        for predicate, values in predicates.items():
            for value in [value for value in values if value[0] == "_"]:
                counts[value] += 2 if predicate == v.TYPE else 1
                above[value] = node
    once = {node: above[node] for node, count in counts.items() if count == 1}
    depths: dict[str, int] = {}  # 0 stands for a node that keeps its label
    for lowest in once:
        path: dict[str, None] = {}
        top = lowest
        while top in once and top not in depths and top not in path:
            path[top] = None
            top = once[top]
        if top in path:
            depths[top] = 0
            del path[top]
        depth = depths.get(top, 0)
        for each in reversed(path):
            depth = (depth + 1) % (_DEEPEST_INLINE + 1)
            depths[each] = depth
    return frozenset(node for node, depth in depths.items() if depth)
