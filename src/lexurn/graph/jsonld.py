"""JSON-LD that reads well: plain keys, works with their expressions nested, these with theirs.

Keys, types and order are those of ``ontology/context.jsonld``. A node is nested once, where a link
of `_NESTING` first leads to it; elsewhere it is an id. Unknown properties keep their full IRI.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph.statements import (
    find_inline_blanks,
    group_by_node,
    is_blank,
    is_iri,
    is_literal,
    parse_literal,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.graph.statements import Nodes, Triple

ContextStyle = Literal["inline", "url"]
Json = dict[str, Any]

_NESTING = (v.REALIZATION, v.EMBODIMENT, v.MANIFESTATION, v.ITEM, v.CHECKSUM, v.HAS_PART)
_DEEPEST = 12
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,14}")
_NUMBERS = frozenset({f"{v.XSD}integer", f"{v.XSD}nonNegativeInteger"})
_PREFIXED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """Key of the context: its rank, the IRI's type, and whether it holds a list or a map."""

    key: str
    rank: int
    type: str | None = None
    is_list: bool = False
    by_language: bool = False

    def fits(self, value: str) -> bool:
        """Return whether the key can hold a value; if not, the property's short IRI does."""
        if self.by_language:
            return is_literal(value) and not value.endswith(">")
        if self.type is None:
            return True
        if self.type.startswith("@"):
            return not is_literal(value)
        return value.endswith(f'"^^<{self.type}>')


@cache
def load_context() -> Json:
    """Return the context: ``ontology/context.jsonld`` without its outer braces."""
    inner: Json = json.loads(data.read_text("ontology/context.jsonld"))["@context"]
    return inner


def write_jsonld(triples: Iterable[Triple], style: ContextStyle) -> str:
    """Write triples in JSON-LD, with the context inside or by its URL."""
    nodes = group_by_node(triples)
    keys = _load_keys()
    if not keys.fit(nodes):
        keys = _Keys({})
    graph = json.dumps({"@graph": list(_Tree(nodes, keys).roots())}, ensure_ascii=False, indent=2)
    if not keys.context:
        return f"{graph}\n"
    head = f'{{\n  "@context": "{v.CONTEXT_URL}"'
    if style == "inline":  # as its file has it, a term a line, up to the place of the graph
        head = data.read_text("ontology/context.jsonld").rstrip().removesuffix("}").rstrip()
    return f"{head},{graph.removeprefix('{')}\n"


@cache
def _load_keys() -> _Keys:
    return _Keys(load_context())


def inline_context(text: bytes) -> bytes:
    """Put the context in the place of its URL, so that JSON-LD reads offline."""
    if v.CONTEXT_URL.encode() not in text:
        return text
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(document, dict):
        return text
    named = document.get("@context")
    contexts = named if isinstance(named, list) else [named]
    inside = [load_context() if each == v.CONTEXT_URL else each for each in contexts]
    return json.dumps(document | {"@context": inside}).encode() if named else text


class _Keys:
    """Keys of IRIs under a context; under an empty one, their full IRIs."""

    def __init__(self, definitions: Json) -> None:
        self.context = definitions
        self.id = "id" if definitions else "@id"
        self.type = "type" if definitions else "@type"
        self._prefixes = {
            value: key
            for key, value in definitions.items()
            if isinstance(value, str) and value.endswith(("#", "/"))
        }
        self._terms: dict[str, _Term] = {}
        for rank, (key, definition) in enumerate(definitions.items()):
            whole = definition if isinstance(definition, dict) else {"@id": definition}
            if key.startswith("@") or str(whole["@id"]).partition(":")[0] not in definitions:
                continue
            kind, container = whole.get("@type"), whole.get("@container")
            self._terms[self._expand(whole["@id"])] = _Term(
                key=key,
                rank=rank,
                type=kind if kind is None or kind.startswith("@") else self._expand(kind),
                is_list=container == "@set",
                by_language=container == "@language",
            )

    def _expand(self, iri: str) -> str:
        prefix, colon, local = iri.partition(":")
        return f"{self.context[prefix]}{local}" if colon else iri

    def fit(self, nodes: Nodes) -> bool:
        """Return whether no whole IRI looks like a short one (``dc:title`` as a whole IRI)."""
        return not any(
            is_iri(term) and term[1:].partition(":")[0] in self.context
            for node, predicates in nodes.items()
            for predicate, values in predicates.items()
            for term in (node, predicate, *values)
        )

    def term(self, iri: str) -> _Term:
        """Return the key of a property."""
        return self._terms.get(iri) or _Term(key=self.short(iri), rank=len(self.context))

    def word(self, iri: str) -> str:
        """Return the key, or else the short IRI, of a class or individual of the vocabulary."""
        term = self._terms.get(iri)
        return self.short(iri) if term is None else term.key

    def short(self, iri: str) -> str:
        """Return an IRI with a prefix where the context has one."""
        end = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = self._prefixes.get(iri[:end])
        fits = prefix is not None and _PREFIXED.fullmatch(iri, end) is not None
        return f"{prefix}:{iri[end:]}" if fits else iri


class _Tree:
    """Nodes of a graph, each written once, within the node that leads down to it."""

    def __init__(self, nodes: Nodes, keys: _Keys) -> None:
        self._nodes = nodes
        self._keys = keys
        self._anonymous = find_inline_blanks(nodes)
        self._seen: set[str] = set()

    def roots(self) -> Iterator[Json]:
        """Write the nodes that no link leads down to; last, those in circles or too deep.

        Aliases come after canonical names, which so nest the expressions of both.
        """
        led_to = {
            value
            for node, predicates in self._nodes.items()
            for predicate in _NESTING
            for value in predicates.get(predicate, ())
            if value != node
        }
        roots = [node for node in self._nodes if node not in led_to]
        roots.sort(key=lambda node: v.SAME_AS in self._nodes[node])
        for node in (*roots, *self._nodes):
            if node not in self._seen and node not in self._anonymous:
                yield self._write_node(node, 0)

    def _write_node(self, node: str, depth: int) -> Json:
        self._seen.add(node)
        predicates = self._nodes.get(node, {})
        written: Json = {} if node in self._anonymous else {self._keys.id: _unwrap_iri(node)}
        types = [each for each in predicates.get(v.TYPE, ()) if not is_literal(each)]
        if types:
            words = (each if is_blank(each) else self._keys.word(each[1:-1]) for each in types)
            in_order = sorted(words, key=lambda word: (":" in word, word))
            written[self._keys.type] = _unwrap_single(in_order)
        terms = {self._keys.term(predicate[1:-1]): predicate for predicate in predicates}
        for term in sorted(terms, key=lambda term: (term.rank, term.key)):
            written |= self._write_property(term, terms[term], predicates[terms[term]], depth)
        return written

    def _write_property(
        self, term: _Term, predicate: str, values: Sequence[str], depth: int
    ) -> Json:
        plain = _Term(key=self._keys.short(predicate[1:-1]), rank=term.rank)
        if predicate == v.TYPE:
            # Types have been written; what is left can only be a text in their place.
            term, values = plain, [each for each in values if is_literal(each)]
        fitting = [each for each in values if term.fits(each)]
        others = [each for each in values if not term.fits(each)]
        written: Json = {}
        for used, some in ((term, fitting), (plain, others)):
            if some and used.by_language:
                texts = defaultdict(list)
                for text, language, _ in map(parse_literal, some):
                    texts[language or "@none"].append(text)
                written[used.key] = {each: _unwrap_single(texts[each]) for each in sorted(texts)}
            elif some:
                nests = predicate in _NESTING
                found = [self._write_value(used, each, depth, nests=nests) for each in some]
                written[used.key] = found if used.is_list else _unwrap_single(found)
        return written

    def _write_value(self, term: _Term, value: str, depth: int, *, nests: bool) -> Any:
        if is_literal(value):
            return self._write_literal(term, value)
        is_free = value in self._nodes and value not in self._seen
        if value in self._anonymous or (nests and depth < _DEEPEST and is_free):
            return self._write_node(value, depth + 1)
        if term.type == "@vocab" and is_iri(value):
            return self._keys.word(value[1:-1])
        node = _unwrap_iri(value)
        return node if term.type == "@id" else {self._keys.id: node}

    def _write_literal(self, term: _Term, value: str) -> Any:
        text, language, datatype = parse_literal(value)
        if language is not None:
            return {"@value": text, "@language": language}
        if datatype is None:
            return text
        if datatype == term.type:
            is_number = datatype in _NUMBERS and _WHOLE.fullmatch(text)
            return int(text) if is_number else text
        return {"@value": text, "@type": self._keys.word(datatype)}


def _unwrap_iri(node: str) -> str:
    return node if is_blank(node) else node[1:-1]


def _unwrap_single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
