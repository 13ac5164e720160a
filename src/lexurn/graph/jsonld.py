"""JSON-LD that reads well: plain keys, works with their expressions nested, these with theirs.

Keys, types and order are those of ``ontology/context.jsonld``. A node is nested once, where a link
first leads to it: down (`_DOWN`); across (`_ACROSS`, and from an alias that is the root) if it is
no root; else against the direction of a link, where the context has a reverse key such as
``equivalent``. Elsewhere it is an id. Unknown properties keep their full IRI.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from json.encoder import encode_basestring as quote
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph.statements import (
    find_inline_blanks,
    group_by_node,
    is_iri,
    is_literal,
    parse_literal,
)
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.graph.statements import Triple

Json = dict[str, Any]

_DOWN = frozenset(
    {
        *(v.REALIZATION, v.EMBODIMENT, v.MANIFESTATION, v.ITEM, v.CHECKSUM, v.HAS_PART),
        *(v.JURISDICTION, v.ISSUER_CONCEPT, v.MEASURE_CONCEPT, v.BROADER),
    }
)
_ACROSS = frozenset(
    {
        *(v.REALIZATION_OF, v.EMBODIMENT_OF, v.MANIFESTATION_OF, v.IS_PART_OF),
        *(v.PART, v.PART_OF),
    }
)
_ALIAS_OF = frozenset({v.SAME_AS, v.IS_REPLACED_BY})
_DEEPEST = 12
_MAX_TERMS, _MAX_NODES = 1_000, 4_096
_WHOLE = compile_late(r"0|-?[1-9][0-9]{0,14}")
_NUMBERS = frozenset({f"{v.XSD}integer", f"{v.XSD}nonNegativeInteger"})
_PREFIXED = compile_late(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """Key of the context: its rank, the IRI's type, and whether it holds a list or a map."""

    key: str
    rank: int
    type: str | None = None
    is_list: bool = False
    by_language: bool = False
    start: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", f"{quote(self.key)}: ")

    def write(self, values: Sequence[str]) -> str:
        """Write a member of an object; several values, or one where a list is asked, are a list."""
        if len(values) == 1 and not self.is_list:
            return f"{self.start}{values[0]}"
        return f"{self.start}[{', '.join(values)}]"


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
    try:
        text = _write_tree(_load_keys(), nodes, root)
    except _UnclearIriError:
        keys = _Keys({})
        plain = {each: _read_node(keys, node.predicates) for each, node in nodes.items()}
        return f"{_write_tree(keys, plain, root)}\n"
    head = f'{{\n "@context": {quote(context or "")}'
    if context is None:  # as its file has it, a term a line
        head = data.read_text("ontology/context.jsonld").rstrip().removesuffix("}").rstrip()
    return f"{head},{text.removeprefix('{')}\n"


def _write_tree(keys: _Keys, nodes: Mapping[str, JsonNode], root: str | None) -> str:
    if not all(node.fits for node in nodes.values()):
        raise _UnclearIriError
    tree = _Tree(nodes, keys)
    if root is not None:
        return tree.write_root(root)
    return f'{{\n "@graph": [{", ".join(tree.write_roots())}]\n}}'


@cache
def _load_keys() -> _Keys:
    return _Keys(load_context())


_LEADING_LINK = compile_late(rb'\s*\{\s*"@context"\s*:\s*("[^"\\]*")')
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


class _UnclearIriError(Exception):
    """Whole IRI that looks like a short one of the context (``dc:title``)."""


class _Property(NamedTuple):
    """Property of a node.

    Attributes:
        rank: the rank of its key.
        predicate: its IRI.
        term: its key.
        nests: whether its objects may stand as whole nodes.
        write: writes a single object as JSON; empty where the key cannot hold it like this.
        start: what precedes that object.
        end: what follows it.
    """

    rank: int
    predicate: str
    term: _Term
    nests: bool
    write: Callable[[str], str]
    start: str
    end: str


class _Keys:
    """Keys of IRIs under a context; under an empty one, their full IRIs."""

    def __init__(self, definitions: Json) -> None:
        self.context = definitions
        mark = "" if definitions else "@"
        self.id = f'"{mark}id": '
        self.type = _Term(key=f"{mark}type", rank=0)
        self.included = _Term(key=f"{mark}included", rank=0, is_list=True)
        self._prefixes = {
            value: key
            for key, value in definitions.items()
            if isinstance(value, str) and value.endswith(("#", "/"))
        }
        self._terms: dict[str, _Term] = {}
        self.reverse_terms: dict[str, _Term] = {}
        self.term = lru_cache(_MAX_TERMS)(self._find_term)
        self.word = lru_cache(_MAX_TERMS)(self._find_word)
        self.shorten = lru_cache(_MAX_NODES)(self._find_id)
        self.write_types = lru_cache(_MAX_TERMS)(self._write_types)
        self.sort_properties = lru_cache(_MAX_TERMS)(self._sort_properties)
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
        self.nesting = frozenset({*_DOWN, *_ACROSS, *_ALIAS_OF, *self.reverse_terms})

    def _expand(self, iri: str) -> str:
        prefix, colon, local = iri.partition(":")
        return f"{self.context[prefix]}{local}" if colon else iri

    def _sort_properties(self, predicates: tuple[str, ...]) -> list[_Property]:
        """Sort properties but the types by their keys; many nodes have the same ones."""
        found: list[_Property] = []
        for predicate in predicates:
            if predicate == v.TYPE:
                continue
            term = self.term(predicate)
            found.append(
                _Property(
                    rank=term.rank,
                    predicate=predicate,
                    term=term,
                    nests=predicate in self.nesting,
                    write=self.shorten if term.type == "@id" else partial(self._write_value, term),
                    start=f"{term.start}[" if term.is_list else term.start,
                    end="]" if term.is_list else "",
                )
            )
        return sorted(found, key=lambda each: (each.rank, each.term.key, each.predicate))

    def _find_term(self, predicate: str) -> _Term:
        """Return the key of a property."""
        iri = predicate[1:-1]
        return self._terms.get(iri) or _Term(key=self.short(iri), rank=len(self.context))

    def _find_word(self, term: str) -> str:
        """Return the key, or else the short IRI, of a class or individual of the vocabulary."""
        known = self._terms.get(term[1:-1])
        return self.shorten(term) if known is None else quote(known.key)

    def short(self, iri: str) -> str:
        """Return an IRI with a prefix where the context has one."""
        if iri.startswith("urn:"):
            return iri
        if iri.partition(":")[0] in self.context:
            raise _UnclearIriError
        end = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = self._prefixes.get(iri[:end])
        fits = prefix is not None and _PREFIXED.fullmatch(iri, end) is not None
        return f"{prefix}:{iri[end:]}" if fits else iri

    def _find_id(self, node: str) -> str:
        """Return the id of a node, as JSON; empty for a literal."""
        return "" if is_literal(node) else quote(self.short(node[1:-1]) if is_iri(node) else node)

    def _write_types(self, types: tuple[str, ...]) -> str:
        words = sorted(map(self.word, types), key=lambda word: (":" in word, word[:-1]))
        return self.type.write(words) if words else ""

    def write_link(self, term: _Term, value: str) -> str:
        """Write the id of a node that a key links to, as JSON; empty where the key cannot."""
        if term.type == "@id":
            return self.shorten(value)
        if term.type == "@vocab" and is_iri(value):
            return self.word(value)
        is_held = term.type in {None, "@vocab"} and not term.by_language
        return f"{{{self.id}{self.shorten(value)}}}" if is_held else ""

    def write_literal(self, term: _Term, value: str) -> str:
        """Write a literal under a key, as JSON; empty where the key cannot hold it."""
        if value[-1] == '"' and term.type is None and "\\" not in value:
            return value  # N-Triples and JSON write it alike
        end = value.rindex('"') + 1
        text, suffix = value[:end], value[end:]
        if "\\" in text:
            text = quote(parse_literal(value).value)
        datatype = suffix[3:-1]
        if term.type is not None:
            is_number = datatype in _NUMBERS and _WHOLE.fullmatch(text, 1, len(text) - 1)
            return "" if datatype != term.type else text[1:-1] if is_number else text
        if term.by_language:
            return "" if suffix[:1] == "^" else text
        if not suffix:
            return text
        if suffix[0] == "@":
            return f'{{"@value": {text}, "@language": "{suffix[1:]}"}}'
        return f'{{"@value": {text}, "@type": {self.word(suffix[2:])}}}'

    def _write_value(self, term: _Term, value: str) -> str:
        if term.by_language:
            return ""
        return self.write_literal(term, value) if value[0] == '"' else self.write_link(term, value)

    def write_property(
        self,
        term: _Term,
        predicate: str,
        values: Sequence[str],
        write_link: Callable[[_Term, str], str],
    ) -> list[str]:
        """Write the lines of a property: the values that its key can hold, then the others."""
        write_literal = self.write_literal
        texts = [
            write_literal(term, each) if each[0] == '"' else write_link(term, each)
            for each in values
        ]
        if texts and "" not in texts and not term.by_language:
            return [term.write(texts)]
        held = [pair for pair in zip(values, texts, strict=True) if pair[1]]
        others = [value for value, text in zip(values, texts, strict=True) if not text]
        lines: list[str] = []
        if held and term.by_language:
            found = defaultdict(list)
            for value, text in held:
                found[parse_literal(value).language or "@none"].append(text)
            members = (_Term(key=each, rank=0).write(found[each]) for each in sorted(found))
            lines.append(f"{term.start}{{{', '.join(members)}}}")
        elif held:
            lines.append(term.write([text for _, text in held]))
        if others:
            plain = _Term(key=self.short(predicate[1:-1]), rank=term.rank)
            lines += self.write_property(plain, predicate, others, write_link)
        return lines


_Line = tuple[int, str, str]
"""Rank of a key, text, and the predicate if an object may stand as a whole node, else nothing."""


class JsonNode(NamedTuple):
    """Node in JSON-LD, as far as that does not depend on other nodes.

    Attributes:
        predicates: its properties.
        types: the line of its types; empty without any.
        parts: the lines of its other properties in order.
        below: the objects of its links down.
        links: its links that have a reverse key, as predicates and objects.
        fits: whether the keys of the context can be used with its objects.
    """

    predicates: Mapping[str, Sequence[str]]
    types: str
    parts: Sequence[_Line]
    below: Sequence[str]
    links: Sequence[tuple[str, str]]
    fits: bool = True


def read_json_node(predicates: Mapping[str, Sequence[str]]) -> JsonNode:
    """Read a node, by its predicates and their objects, which stand in order."""
    try:
        return _read_node(_load_keys(), predicates)
    except _UnclearIriError:
        return JsonNode(predicates, "", (), (), (), fits=False)


def _read_node(keys: _Keys, predicates: Mapping[str, Sequence[str]]) -> JsonNode:
    parts: list[_Line] = []
    below: list[str] = []
    links: list[tuple[str, str]] = []
    types = predicates.get(v.TYPE, ())
    for rank, predicate, term, nests, write, start, end in keys.sort_properties(tuple(predicates)):
        values = predicates[predicate]
        last = values[-1][0]  # literals come first, and blank nodes last
        is_open = last != '"' and (nests or last == "_")
        if len(values) == 1 and (text := write(values[0])):
            parts.append((rank, f"{start}{text}{end}", predicate if is_open else ""))
        elif is_open:
            parts.append((rank, "", predicate))
        else:
            lines = keys.write_property(term, predicate, values, keys.write_link)
            parts += [(rank, line, "") for line in lines]
        if is_open:
            if predicate in _DOWN:
                below += values
            if predicate in keys.reverse_terms:
                links += [(predicate, each) for each in values]
    if types and is_literal(types[0]):  # "@type" has no texts
        term = keys.term(v.TYPE)
        lines = keys.write_property(term, v.TYPE, types, keys.write_link)
        parts += [(term.rank, line, "") for line in lines]
        types = ()
    return JsonNode(predicates, keys.write_types(tuple(types)), parts, below, links)


class _Tree:
    """Nodes of a graph, each written once, within the node that a link connects it with."""

    def __init__(self, nodes: Mapping[str, JsonNode], keys: _Keys) -> None:
        self._nodes = nodes
        self._keys = keys
        self._anonymous = find_inline_blanks({each: nodes[each].predicates for each in nodes})
        self._seen: set[str] = set()
        self._roots: frozenset[str] = frozenset()
        self._step = 0  # 1 within a list of nodes, whose lines stand one column to the right
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
        self._step = 1
        others = list(self._write_free(self._nodes))
        if not others:
            return text
        included = self._keys.included.write(others)
        return f"{text.removesuffix('}').rstrip()},\n {included}\n}}"

    def write_roots(self) -> Iterator[str]:
        """Write the nodes that no link leads to; last, those in circles or too deep."""
        roots = [
            node
            for node in self._nodes
            if node not in self._led_to and node not in self._reversible
        ]
        self._roots, self._step = frozenset(roots), 1
        yield from self._write_free((*roots, *self._nodes))

    def _write_free(self, nodes: Iterable[str]) -> Iterator[str]:
        for node in nodes:
            if node not in self._seen and node not in self._anonymous:
                yield self._write_node(node, 0)

    def _write_node(self, node: str, depth: int) -> str:
        """Write a node, a property a line."""
        self._seen.add(node)
        keys, known = self._keys, self._nodes.get(node)
        lines = [] if node in self._anonymous else [f"{keys.id}{keys.shorten(node)}"]
        if known is not None:
            lines += [known.types] if known.types else ()
            parts: list[_Line] = []
            for part in known.parts:
                rank, text, predicate = part
                # A link is whole where its nodes stand elsewhere and no reverse key took one.
                if not predicate or (
                    text
                    and node not in self._reversible
                    and self._seen.issuperset(known.predicates[predicate])
                ):
                    parts.append(part)
                else:
                    texts = self._write_links(node, predicate, depth)
                    parts += [(rank, each, "") for each in texts]
            # Last, so that a canonical name holds what is nested under its aliases, too.
            if node in self._links_to:
                parts += self._write_reverse(node, depth)
                parts.sort(key=itemgetter(0))
            lines += [text for _, text, _ in parts]
        end = "\n" + " " * (self._step + depth)
        return f"{{{end} {f',{end} '.join(lines)}{end}}}" if lines else "{}"

    def _write_links(self, node: str, predicate: str, depth: int) -> list[str]:
        """Write a property whose objects may stand as whole nodes."""
        values = self._nodes[node].predicates[predicate]
        if node in self._reversible:
            values = [each for each in values if (node, predicate, each) not in self._reversed]
        is_down = predicate in _DOWN
        is_across = predicate in _ACROSS or (predicate in _ALIAS_OF and depth == 0)

        def write_link(term: _Term, value: str) -> str:
            link = self._keys.write_link(term, value)
            is_free = value in self._nodes and value not in self._seen and depth < _DEEPEST
            nests = is_free and (is_down or (is_across and value not in self._roots))
            if value in self._anonymous or (nests and value not in self._reversible):
                return link and self._write_node(value, depth + 1)
            return link

        return self._keys.write_property(self._keys.term(predicate), predicate, values, write_link)

    def _write_reverse(self, node: str, depth: int) -> Iterator[_Line]:
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
            yield term.rank, term.write([*iris, *whole]), ""
