"""JSON-LD that reads well: plain keys, works with their expressions nested, these with theirs.

Keys, types and order are those of ``ontology/context.jsonld``. A node is nested once, where a link
first leads to it: down (`_DOWN`); across (`_ACROSS`, and from an alias that is the root) if it is
no root; else against the direction of a link, where the context has a reverse key such as
``equivalent``. Elsewhere it is an id. Unknown properties keep their full IRI.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

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

Json = dict[str, Any]

_DOWN = (
    *(v.REALIZATION, v.EMBODIMENT, v.MANIFESTATION, v.ITEM, v.CHECKSUM, v.HAS_PART),
    *(v.JURISDICTION, v.ISSUER_CONCEPT, v.MEASURE_CONCEPT, v.BROADER),
)
_ACROSS = (
    *(v.REALIZATION_OF, v.EMBODIMENT_OF, v.MANIFESTATION_OF, v.IS_PART_OF),
    *(v.PART, v.PART_OF),
)
_ALIAS_OF = (v.SAME_AS, v.IS_REPLACED_BY)
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


def write_jsonld(triples: Iterable[Triple], context: str | None, root: str | None) -> str:
    """Write triples in JSON-LD.

    Args:
        triples: the triples.
        context: the URL of the context; None to write the context inside.
        root: the node to write at the top, with the others nested in it; None for ``@graph``.
    """
    nodes = group_by_node(triples)
    keys = _load_keys()
    if not keys.fit(nodes):
        keys = _Keys({})
    tree = _Tree(nodes, keys)
    document = {"@graph": list(tree.write_roots())} if root is None else tree.write_root(root)
    text = json.dumps(document, ensure_ascii=False, indent=2)
    if not keys.context:
        return f"{text}\n"
    head = f'{{\n  "@context": {json.dumps(context)}'
    if context is None:  # as its file has it, a term a line
        head = data.read_text("ontology/context.jsonld").rstrip().removesuffix("}").rstrip()
    return f"{head},{text.removeprefix('{')}\n"


@cache
def _load_keys() -> _Keys:
    return _Keys(load_context())


_LEADING_LINK = re.compile(rb'\s*\{\s*"@context"\s*:\s*("[^"\\]*")')
_CONTEXT_FILE = "context.jsonld"


def inline_context(text: bytes) -> bytes:
    """Put the context in the place of its URL, so that JSON-LD reads offline.

    The context of a site is known by its URL: beside the folder ``lex`` of the site's URIs, some
    of which the text must have.

    Args:
        text: the text; its start is enough where the URL comes first.
    """
    if f"/{_CONTEXT_FILE}".encode() not in text:
        return text

    def load_linked(context: object) -> object:
        if not isinstance(context, str) or not context.endswith(f"/{_CONTEXT_FILE}"):
            return context
        pages = f"{context.removesuffix(_CONTEXT_FILE)}lex/"
        is_ours = context == v.CONTEXT_URL or pages.encode() in text
        return load_context() if is_ours else context

    try:
        if found := _LEADING_LINK.match(text):
            inside = json.dumps(load_linked(json.loads(found[1]))).encode()
            return text[: found.start(1)] + inside + text[found.end(1) :]
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(document, dict) or "@context" not in document:
        return text
    named = document["@context"]
    inside_list = [load_linked(each) for each in (named if isinstance(named, list) else [named])]
    return json.dumps(document | {"@context": inside_list}).encode()


class _Keys:
    """Keys of IRIs under a context; under an empty one, their full IRIs."""

    def __init__(self, definitions: Json) -> None:
        self.context = definitions
        self.id = "id" if definitions else "@id"
        self.type = "type" if definitions else "@type"
        self.included = "included" if definitions else "@included"
        self._prefixes = {
            value: key
            for key, value in definitions.items()
            if isinstance(value, str) and value.endswith(("#", "/"))
        }
        self._terms: dict[str, _Term] = {}
        self.reverse_terms: dict[str, _Term] = {}
        for rank, (key, definition) in enumerate(definitions.items()):
            whole = definition if isinstance(definition, dict) else {"@id": definition}
            is_reverse = "@reverse" in whole
            short = str(whole["@reverse" if is_reverse else "@id"])
            if key.startswith("@") or short.partition(":")[0] not in definitions:
                continue
            kind, container = whole.get("@type"), whole.get("@container")
            term = _Term(
                key=key,
                rank=rank,
                type=kind if kind is None or kind.startswith("@") else self._expand(kind),
                is_list=container == "@set",
                by_language=container == "@language",
            )
            if is_reverse:
                self.reverse_terms[f"<{self._expand(short)}>"] = term
            else:
                self._terms[self._expand(short)] = term

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
    """Nodes of a graph, each written once, within the node that a link connects it with."""

    def __init__(self, nodes: Nodes, keys: _Keys) -> None:
        self._nodes = nodes
        self._keys = keys
        self._anonymous = find_inline_blanks(nodes)
        self._seen: set[str] = set()
        self._roots: frozenset[str] = frozenset()
        self._led_to = {
            value
            for node, predicates in nodes.items()
            for predicate in _DOWN
            for value in predicates.get(predicate, ())
            if value != node
        }
        # Links that are written against their direction, by their objects.
        self._links_to: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._reversible: set[str] = set()
        self._reversed: set[Triple] = set()
        excluded = self._led_to | self._anonymous
        for predicate in keys.reverse_terms:
            for node, predicates in nodes.items():
                for value in predicates.get(predicate, ()) if node not in excluded else ():
                    if value in nodes and value != node:
                        self._links_to[value].append((predicate, node))
                        self._reversible.add(node)

    def write_root(self, root: str) -> Json:
        """Write one node with all others in it; those without a link to it are ``included``."""
        self._roots = frozenset({root})
        written = self._write_node(root, 0)
        others = list(self._write_free(self._nodes))
        return written | ({self._keys.included: others} if others else {})

    def write_roots(self) -> Iterator[Json]:
        """Write the nodes that no link leads to; last, those in circles or too deep."""
        roots = [
            node
            for node in self._nodes
            if node not in self._led_to and node not in self._reversible
        ]
        self._roots = frozenset(roots)
        yield from self._write_free((*roots, *self._nodes))

    def _write_free(self, nodes: Iterable[str]) -> Iterator[Json]:
        for node in nodes:
            if node not in self._seen and node not in self._anonymous:
                yield self._write_node(node, 0)

    def _write_node(self, node: str, depth: int) -> Json:
        self._seen.add(node)
        predicates = self._nodes.get(node, {})
        written: Json = {} if node in self._anonymous else {self._keys.id: self._shorten(node)}
        types = [each for each in predicates.get(v.TYPE, ()) if not is_literal(each)]
        if types:
            words = (each if is_blank(each) else self._keys.word(each[1:-1]) for each in types)
            in_order = sorted(words, key=lambda word: (":" in word, word))
            written[self._keys.type] = _unwrap_single(in_order)
        terms = {self._keys.term(predicate[1:-1]): predicate for predicate in predicates}
        parts = []
        for term in sorted(terms, key=lambda term: (term.rank, term.key)):
            values = predicates[terms[term]]
            if node in self._reversible:
                triples = ((node, terms[term], value) for value in values)
                values = [triple[2] for triple in triples if triple not in self._reversed]
            parts.append((term.rank, self._write_property(term, terms[term], values, depth)))
        # Last, so that a canonical name holds what is nested under its aliases, too.
        parts += self._write_reverse(node, depth)
        for _, part in sorted(parts, key=itemgetter(0)):
            written |= part
        return written

    def _write_reverse(self, node: str, depth: int) -> Iterator[tuple[int, Json]]:
        """Write the nodes that link to a node and are not yet written, each key with its rank."""
        found: dict[str, list[Any]] = defaultdict(list)
        for predicate, subject in self._links_to.get(node, ()):
            is_bare = self._nodes[subject] == {predicate: [node]} and is_iri(subject)
            if subject not in self._seen and (is_bare or depth < _DEEPEST):
                self._reversed.add((subject, predicate, node))
                self._seen.add(subject)
                found[predicate].append(
                    self._shorten(subject) if is_bare else self._write_node(subject, depth + 1)
                )
        for predicate, values in found.items():
            term = self._keys.reverse_terms[predicate]
            values.sort(key=lambda value: isinstance(value, dict))  # IRIs before nodes
            yield term.rank, {term.key: values if term.is_list else _unwrap_single(values)}

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
                found = [self._write_value(used, predicate, each, depth) for each in some]
                written[used.key] = found if used.is_list else _unwrap_single(found)
        return written

    def _write_value(self, term: _Term, predicate: str, value: str, depth: int) -> Any:
        if is_literal(value):
            return self._write_literal(term, value)
        is_free = value in self._nodes and value not in self._seen and depth < _DEEPEST
        is_across = predicate in _ACROSS or (predicate in _ALIAS_OF and depth == 0)
        nests = predicate in _DOWN or (is_across and value not in self._roots)
        if value in self._anonymous or (nests and is_free and value not in self._reversible):
            return self._write_node(value, depth + 1)
        if term.type == "@vocab" and is_iri(value):
            return self._keys.word(value[1:-1])
        node = self._shorten(value)
        return node if term.type == "@id" else {self._keys.id: node}

    def _shorten(self, node: str) -> str:
        return node if is_blank(node) else self._keys.short(node[1:-1])

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


def _unwrap_single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
