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
from json.encoder import encode_basestring as quote
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.graph.statements import Triple

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
_NESTING = frozenset((*_DOWN, *_ACROSS, *_ALIAS_OF))
_DEEPEST = 12
_MAX_TERMS = 1_000
_NO_PREFIXES = ("<urn:", "<http:", "<https:")
"""Starts of IRIs that no context has a key for."""
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
    return write_json_nodes({each: read_json_node(nodes[each]) for each in nodes}, context, root)


def write_json_nodes(nodes: Mapping[str, JsonNode], context: str | None, root: str | None) -> str:
    """Write nodes in JSON-LD, each of them once; see `write_jsonld`.

    Args:
        nodes: the nodes of a graph, in reading order, each read by `read_json_node`.
        context: the URL of the context; None to write the context inside.
        root: the node to write at the top; None for ``@graph``.
    """
    keys = _load_keys()
    if not all(node.fits and keys.fit(term) for term, node in nodes.items()):
        keys = _Keys({})
        nodes = {each: _read_node(keys, node.predicates) for each, node in nodes.items()}
    tree = _Tree(nodes, keys)
    if root is not None:
        text = tree.write_root(root)
    else:
        text = f'{{\n "@graph": [{_indent(", ".join(tree.write_roots()))}]\n}}'
    if not keys.context:
        return f"{text}\n"
    head = f'{{\n "@context": {quote(context or "")}'
    if context is None:  # as its file has it, a term a line
        head = data.read_text("ontology/context.jsonld").rstrip().removesuffix("}").rstrip()
    return f"{head},{text.removeprefix('{')}\n"


def _indent(text: str) -> str:
    """Indent the lines of nodes by one level."""
    return text.replace("\n", "\n ")


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
        self._by_predicate: dict[str, _Term] = {}
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

    def fit(self, term: str) -> bool:
        """Return whether a term is not a whole IRI that looks like a short one (``dc:title``)."""
        if term[0] != "<" or term.startswith(_NO_PREFIXES):
            return True
        return term[1:].partition(":")[0] not in self.context

    def term(self, predicate: str) -> _Term:
        """Return the key of a property."""
        term = self._by_predicate.get(predicate)
        if term is None:
            iri = predicate[1:-1]
            term = self._terms.get(iri) or _Term(key=self.short(iri), rank=len(self.context))
            if len(self._by_predicate) < _MAX_TERMS:
                self._by_predicate[predicate] = term
        return term

    def word(self, iri: str) -> str:
        """Return the key, or else the short IRI, of a class or individual of the vocabulary."""
        term = self._terms.get(iri)
        return self.short(iri) if term is None else term.key

    def short(self, iri: str) -> str:
        """Return an IRI with a prefix where the context has one."""
        if iri.startswith("urn:"):
            return iri
        end = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = self._prefixes.get(iri[:end])
        fits = prefix is not None and _PREFIXED.fullmatch(iri, end) is not None
        return f"{prefix}:{iri[end:]}" if fits else iri

    def shorten(self, node: str) -> str:
        """Return the id of a node, as JSON."""
        return quote(node if is_blank(node) else self.short(node[1:-1]))

    def write_link(self, term: _Term, value: str) -> str:
        """Write the id of an IRI or a blank node that a key links to, as JSON."""
        if term.type == "@vocab" and is_iri(value):
            return quote(self.word(value[1:-1]))
        node = self.shorten(value)
        return node if term.type == "@id" else f"{{{quote(self.id)}: {node}}}"

    def write_literal(self, term: _Term, value: str) -> str:
        """Write a literal under a key, as JSON."""
        end = value.rindex('"') + 1
        text, suffix = value[:end], value[end:]
        if "\\" in text:  # else N-Triples and JSON write a text alike
            text = quote(parse_literal(value).value)
        if not suffix:
            return text
        if suffix[0] == "@":
            return f'{{"@value": {text}, "@language": "{suffix[1:]}"}}'
        datatype = suffix[3:-1]
        if datatype == term.type:
            is_number = datatype in _NUMBERS and _WHOLE.fullmatch(text, 1, len(text) - 1)
            return text[1:-1] if is_number else text
        return f'{{"@value": {text}, "@type": {quote(self.word(datatype))}}}'

    def write_single(self, predicate: str, value: str) -> str:
        """Write a property with one value, as `write_property` does; empty where it has to."""
        term = self.term(predicate)
        if predicate == v.TYPE or term.by_language or not term.fits(value):
            return ""
        text = (self.write_literal if value[0] == '"' else self.write_link)(term, value)
        return f'"{term.key}": [{text}]' if term.is_list else f'"{term.key}": {text}'

    def write_property(
        self, predicate: str, values: Sequence[str], write_link: Callable[[_Term, str], str]
    ) -> Iterator[str]:
        """Write a property: the values that its key can hold, then the others under its IRI."""
        term = self.term(predicate)
        uses = [(term, values)]
        if predicate == v.TYPE or not all(map(term.fits, values)):
            plain = _Term(key=self.short(predicate[1:-1]), rank=term.rank)
            # Types have been written; what is left can only be a text in their place.
            term = plain if predicate == v.TYPE else term
            values = [each for each in values if predicate != v.TYPE or is_literal(each)]
            uses = [
                (term, [each for each in values if term.fits(each)]),
                (plain, [each for each in values if not term.fits(each)]),
            ]
        for used, some in uses:
            if some and used.by_language:
                texts = defaultdict(list)
                for text, language, _ in map(parse_literal, some):
                    texts[language or "@none"].append(quote(text))
                by_language = (_write_member(each, texts[each]) for each in sorted(texts))
                yield f"{quote(used.key)}: {{{', '.join(by_language)}}}"
            elif some:
                found = [
                    self.write_literal(used, each) if is_literal(each) else write_link(used, each)
                    for each in some
                ]
                yield _write_member(used.key, found, is_list=used.is_list)


def _write_member(key: str, values: Sequence[str], *, is_list: bool = False) -> str:
    """Write a member of an object; several values, or one where a list is asked, are a list."""
    text = values[0] if len(values) == 1 and not is_list else f"[{', '.join(values)}]"
    return f"{quote(key)}: {text}"


class JsonNode(NamedTuple):
    """Node in JSON-LD, as far as that does not depend on other nodes.

    Attributes:
        predicates: its properties.
        types: the line of its types; empty without any.
        parts: its other properties in order: the rank of each key, and its lines; in the place of
            these the predicate, where an object may stand as a whole node.
        below: the objects of its links down.
        links: its links that have a reverse key, as predicates and objects.
        fits: whether the keys of the context can be used in it.
    """

    predicates: Mapping[str, Sequence[str]]
    types: str
    parts: tuple[tuple[int, tuple[str, ...] | str], ...]
    below: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    fits: bool


def read_json_node(predicates: Mapping[str, Sequence[str]]) -> JsonNode:
    """Read a node, by its predicates and their objects, which stand in order."""
    return _read_node(_load_keys(), predicates)


def _read_node(keys: _Keys, predicates: Mapping[str, Sequence[str]]) -> JsonNode:
    types = [each for each in predicates.get(v.TYPE, ()) if not is_literal(each)]
    words = [each if is_blank(each) else keys.word(each[1:-1]) for each in types]
    words.sort(key=lambda word: (":" in word, word))
    terms = sorted(
        (term.rank, term.key, each) for each in predicates for term in (keys.term(each),)
    )
    parts: list[tuple[int, tuple[str, ...] | str]] = []
    for rank, _, predicate in terms:
        values = predicates[predicate]
        may_nest = predicate in _NESTING or predicate in keys.reverse_terms
        if (may_nest and any(map(is_iri, values))) or any(map(is_blank, values)):
            parts.append((rank, predicate))
        elif len(values) == 1 and (line := keys.write_single(predicate, values[0])):
            parts.append((rank, (line,)))
        else:
            parts.append((rank, tuple(keys.write_property(predicate, values, keys.write_link))))
    return JsonNode(
        predicates=predicates,
        types=_write_member(keys.type, [quote(each) for each in words]) if words else "",
        parts=tuple(parts),
        below=tuple(value for each in _DOWN for value in predicates.get(each, ())),
        links=tuple(
            (each, value) for each in keys.reverse_terms for value in predicates.get(each, ())
        ),
        fits=all(
            keys.fit(predicate) and all(map(keys.fit, values))
            for predicate, values in predicates.items()
        ),
    )


class _Tree:
    """Nodes of a graph, each written once, within the node that a link connects it with."""

    def __init__(self, nodes: Mapping[str, JsonNode], keys: _Keys) -> None:
        self._nodes = nodes
        self._keys = keys
        self._anonymous = find_inline_blanks({each: nodes[each].predicates for each in nodes})
        self._seen: set[str] = set()
        self._roots: frozenset[str] = frozenset()
        self._led_to = {
            value for term, node in nodes.items() for value in node.below if value != term
        }
        # Links that are written against their direction, by their objects.
        self._links_to: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._reversible: set[str] = set()
        self._reversed: set[Triple] = set()
        for term, node in nodes.items():
            if node.links and term not in self._led_to and term not in self._anonymous:
                for predicate, value in node.links:
                    if value in nodes and value != term:
                        self._links_to[value].append((predicate, term))
                        self._reversible.add(term)
        for links in self._links_to.values():
            links.sort(key=lambda link: keys.reverse_terms[link[0]].rank)

    def write_root(self, root: str) -> str:
        """Write one node with all others in it; those without a link to it are ``included``."""
        self._roots = frozenset({root})
        text = self._write_node(root, 0)
        others = list(self._write_free(self._nodes))
        if not others:
            return text
        included = _write_member(self._keys.included, others, is_list=True)
        return f"{text.removesuffix('}').rstrip()},\n {_indent(included)}\n}}"

    def write_roots(self) -> Iterator[str]:
        """Write the nodes that no link leads to; last, those in circles or too deep."""
        roots = [
            node
            for node in self._nodes
            if node not in self._led_to and node not in self._reversible
        ]
        self._roots = frozenset(roots)
        yield from self._write_free((*roots, *self._nodes))

    def _write_free(self, nodes: Iterable[str]) -> Iterator[str]:
        for node in nodes:
            if node not in self._seen and node not in self._anonymous:
                yield self._write_node(node, 0)

    def _write_node(self, node: str, depth: int) -> str:
        """Write a node, a property a line."""
        self._seen.add(node)
        keys, known = self._keys, self._nodes.get(node)
        lines = [] if node in self._anonymous else [f"{quote(keys.id)}: {keys.shorten(node)}"]
        if known is not None:
            if known.types:
                lines.append(known.types)
            parts = [
                (rank, self._write_links(node, part, depth) if isinstance(part, str) else part)
                for rank, part in known.parts
            ]
            # Last, so that a canonical name holds what is nested under its aliases, too.
            if node in self._links_to:
                parts += self._write_reverse(node, depth)
                parts.sort(key=itemgetter(0))
            for _, written in parts:
                lines += written
        return "{\n " + _indent(",\n".join(lines)) + "\n}" if lines else "{}"

    def _write_links(self, node: str, predicate: str, depth: int) -> tuple[str, ...]:
        """Write a property whose objects may stand as whole nodes."""
        values = self._nodes[node].predicates[predicate]
        if node in self._reversible:
            values = [each for each in values if (node, predicate, each) not in self._reversed]
        is_across = predicate in _ACROSS or (predicate in _ALIAS_OF and depth == 0)

        def write_link(term: _Term, value: str) -> str:
            is_free = value in self._nodes and value not in self._seen and depth < _DEEPEST
            nests = predicate in _DOWN or (is_across and value not in self._roots)
            if value in self._anonymous or (nests and is_free and value not in self._reversible):
                return self._write_node(value, depth + 1)
            return self._keys.write_link(term, value)

        return tuple(self._keys.write_property(predicate, values, write_link))

    def _write_reverse(self, node: str, depth: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Write the nodes that link to a node and are not yet written, each key with its rank."""
        found: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for predicate, subject in self._links_to[node]:
            is_bare = self._nodes[subject].predicates == {predicate: [node]} and is_iri(subject)
            if subject not in self._seen and (is_bare or depth < _DEEPEST):
                self._reversed.add((subject, predicate, node))
                self._seen.add(subject)
                if is_bare:
                    found[predicate][0].append(self._keys.shorten(subject))
                else:
                    found[predicate][1].append(self._write_node(subject, depth + 1))
        for predicate, (iris, whole) in found.items():
            term = self._keys.reverse_terms[predicate]
            yield term.rank, (_write_member(term.key, [*iris, *whole], is_list=term.is_list),)
