"""Formats of RDF and their writers: equal statements give equal bytes, on every machine and run.

Turtle and TriG are written as a person would: by node, with short names, links on lines of their
own. LEX names stand in angle brackets.

Labels of blank nodes depend on the graph alone. RDFC-1.0 takes exponential time on graphs made for
that. So nodes are told apart by their surroundings, step by step further out (colour refinement),
then one by one. Only regular graphs without texts may keep an order that depends on old labels.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph.jsonld import write_jsonld
from lexurn.graph.statements import (
    Layer,
    Triple,
    find_inline_blanks,
    group_by_node,
    is_blank,
    is_iri,
    is_literal,
    parse_literal,
)
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.graph.statements import Statements


class Format(Enum):
    """Format of RDF: media type, file extension, other names, and whether it has named graphs.

    The engine reads and writes each format that it knows, so a further one is one row here. Those
    with bytes of their own have a writer in `write_graphs`, too.
    """

    TURTLE = ("text/turtle", "ttl", (), False)
    TRIG = ("application/trig", "trig", (), True)
    NTRIPLES = ("application/n-triples", "nt", ("n-triples",), False)
    NQUADS = ("application/n-quads", "nq", ("n-quads",), True)
    JSONLD = ("application/ld+json", "jsonld", ("json-ld", "json"), False)
    RDFXML = ("application/rdf+xml", "rdf", ("rdf/xml", "rdf-xml", "xml"), False)

    def __init__(
        self,
        media_type: str,
        extension: str,
        others: tuple[str, ...],
        has_graphs: bool,  # noqa: FBT001 - a row
    ) -> None:
        self.media_type = media_type
        self.extension = extension
        self.names = frozenset({self.name.lower(), media_type, extension, *others})
        self.has_graphs: bool = has_graphs

    @property
    def engine(self) -> pyoxigraph.RdfFormat:
        """Format as the engine names it."""
        found = pyoxigraph.RdfFormat.from_media_type(self.media_type)
        if found is None:
            raise GraphError(f"the installed pyoxigraph does not know {self.media_type}")
        return found

    @classmethod
    def from_name(cls, name: str) -> Format:
        """Find the format of a name, a media type or a file extension, in whatever case.

        Raises:
            GraphError: no format goes by that name; the message lists those that are known.
        """
        wanted = name.strip().lower().removeprefix(".").partition(";")[0].strip()
        for each in cls:
            if wanted in each.names:
                return each
        known = ", ".join(each.name.lower() for each in cls)
        raise GraphError(f"unknown format {name!r}; use one of {known}")


def write(
    statements: Statements,
    format: Format,
    *,
    context: str | None = None,
    root: str | None = None,
) -> bytes:
    """Write the canonical bytes of statements.

    The layers are named graphs in N-Quads and TriG, and merged in all other formats.

    Args:
        statements: the statements.
        format: the format.
        context: for JSON-LD, the URL of the context; None to write the context inside.
        root: for JSON-LD, the IRI of the node at the top, in which all others are nested; None for
            a list of nodes in ``@graph``.

    Raises:
        GraphError: RDF/XML cannot hold some property or character.
    """
    layers = {f"<{layer.iri}>": statements.layer(layer) for layer in Layer}
    return write_graphs(layers, format, context=context, root=root)


def write_graphs(
    graphs: Mapping[str, Iterable[Triple]],
    format: Format,
    *,
    context: str | None = None,
    root: str | None = None,
) -> bytes:
    """Write the canonical bytes of any named graphs; ``""`` is the term of the default graph."""
    if not format.has_graphs:
        # Labels of blank nodes must not depend on graphs that the format does not have.
        graphs = {"": chain.from_iterable(graphs.values())}
    labelled = _label_blank_nodes(graphs)
    if format in {Format.NQUADS, Format.NTRIPLES}:
        lines: set[str] = set()
        for graph, triples in labelled.items():
            end = f" {graph} .\n" if graph else " .\n"
            lines.update([f"{s} {p} {o}{end}" for s, p, o in triples])
        text = "".join(sorted(lines))
    elif format in {Format.TURTLE, Format.TRIG}:
        text = _write_turtle(labelled, nests_blanks=format is Format.TURTLE)
    elif format is Format.JSONLD:
        text = write_jsonld(labelled[""], context, None if root is None else f"<{root}>")
    elif format is Format.RDFXML:
        text = _write_rdfxml(labelled[""])
    else:
        text = _write_with_engine(labelled[""], format)
    return text.encode()


def _write_with_engine(triples: Iterable[Triple], format: Format) -> str:
    """Write triples with the engine, node by node, types first."""
    lines: list[str] = []
    namespaces: set[str] = set()
    for node, predicates in group_by_node(triples).items():
        for predicate in sorted(predicates, key=lambda each: (each != v.TYPE, each)):
            namespaces.add(predicate[1 : max(predicate.rfind("#"), predicate.rfind("/")) + 1])
            lines += [f"{node} {predicate} {value} ." for value in predicates[predicate]]
    prefixes = {prefix: each for prefix, each in v.PREFIXES.items() if each in namespaces}
    text = io.BytesIO()
    quads = pyoxigraph.parse("\n".join(lines), format=pyoxigraph.RdfFormat.N_TRIPLES)
    try:
        pyoxigraph.serialize(quads, text, format.engine, prefixes=prefixes)
    except (OSError, SyntaxError) as fault:
        raise GraphError(str(fault)) from None
    return f"{text.getvalue().decode()}\n"


# The engine writes other properties, too, but no reader of RDF/XML would find them again.
_XML_PROPERTY = compile_late(
    r"<(?!http://www\.w3\.org/(?:2000/xmlns/|XML/)).*[A-Za-z_][A-Za-z0-9_.-]*>"
)
_RESERVED = frozenset(f"<{v.RDF}{name}>" for name in ("aboutEach", "aboutEachPrefix", "bagID"))
_NOT_XML = compile_late("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _write_rdfxml(triples: Sequence[Triple]) -> str:
    """Write RDF/XML with the engine, and refuse what it would write as broken XML."""
    for _, predicate, value in sorted(triples):
        if predicate in _RESERVED or not _XML_PROPERTY.fullmatch(predicate):
            raise GraphError(f"{predicate} cannot be the name of an element of RDF/XML")
        if is_literal(value) and _NOT_XML.search(parse_literal(value).value):
            raise GraphError(f"RDF/XML has no control characters: {predicate} {value[:80]}")
    # A reader of XML takes a bare carriage return for a line feed.
    return _write_with_engine(triples, Format.RDFXML).replace("\r", "&#13;")


_PREFIX_OF = {namespace: prefix for prefix, namespace in v.TURTLE_PREFIXES.items()}
_LOCAL = compile_late(r"[A-Za-z_][A-Za-z0-9_-]*")
_BARE = compile_late(
    rf'"[+-]?[0-9]+"\^\^{re.escape(v.XSD_INTEGER)}|"(?:true|false)"\^\^{re.escape(v.XSD_BOOLEAN)}'
)
_WIDTH = 80
_STEP = "    "


@lru_cache(maxsize=4_096)
def _shorten_term(term: str) -> tuple[str, str]:
    """Return the short form of a term in Turtle, and the prefix that it uses (or "")."""
    text, _, datatype = term.rpartition("^^")
    if is_iri(term):
        return _shorten_iri(term)
    if is_blank(term) or term[-1] != ">":
        return term, ""
    if _BARE.fullmatch(term):
        return text[1:-1], ""
    short, prefix = _shorten_iri(datatype)
    return f"{text}^^{short}", prefix


def _shorten_iri(term: str) -> tuple[str, str]:
    iri = term[1:-1]
    end = max(iri.rfind("#"), iri.rfind("/")) + 1
    prefix = _PREFIX_OF.get(iri[:end], "")
    if not prefix or _LOCAL.fullmatch(iri, end) is None:
        return term, ""
    return f"{prefix}:{iri[end:]}", prefix


class _ShortTerms(dict[str, str]):
    """Short form of each term; ``prefixes`` are those in use."""

    def __init__(self) -> None:
        super().__init__({v.TYPE: v.TYPE})
        self.prefixes: set[str] = set()

    def __missing__(self, term: str) -> str:
        short, prefix = _shorten_term(term)
        if prefix:
            self.prefixes.add(prefix)
        self[term] = short
        return short


def _write_turtle(graphs: Mapping[str, Iterable[Triple]], *, nests_blanks: bool) -> str:
    """Write the triples of each named graph (``""``: of the default graph) in Turtle or TriG."""
    short = _ShortTerms()
    parts: list[str] = []
    for graph in sorted(graphs):
        nodes = group_by_node(graphs[graph])
        nested = find_inline_blanks(nodes) if nests_blanks else frozenset[str]()
        body = _Blocks(nodes, short, nested).text()
        if graph and body:
            inside = body.rstrip("\n").replace("\n", f"\n{_STEP}").replace(f"\n{_STEP}\n", "\n\n")
            body = f"{short[graph]} {{\n{_STEP}{inside}\n}}\n"
        if body:
            parts.append(body)
    return _write_prefixes(short.prefixes) + "\n".join(parts)


def _write_prefixes(prefixes: Iterable[str]) -> str:
    lines = [f"@prefix {each}: <{v.TURTLE_PREFIXES[each]}> .\n" for each in sorted(prefixes)]
    return "".join((*lines, "\n" if lines else ""))


TurtleBlock = tuple[str, frozenset[str]]
"""Statements on one node in Turtle, and the prefixes that they use."""


def write_turtle_block(node: str, predicates: Mapping[str, Sequence[str]]) -> TurtleBlock:
    """Write the statements on a node in Turtle; none of the objects is a blank node.

    Args:
        node: the node.
        predicates: its predicates, and their objects in order.
    """
    terms = {node, *predicates, *chain.from_iterable(predicates.values())} - {v.TYPE}
    short = {term: _shorten_term(term) for term in terms}
    texts = {term: text for term, (text, _) in short.items()}
    block = _Blocks({node: predicates}, texts, frozenset()).text()
    return block, frozenset(prefix for _, prefix in short.values() if prefix)


def join_turtle_blocks(blocks: Iterable[TurtleBlock]) -> str:
    """Write blocks of `write_turtle_block`, in the order of their nodes, as one document."""
    every = list(blocks)
    return _write_prefixes(frozenset().union(*(used for _, used in every))) + "\n".join(
        text for text, _ in every
    )


class _Blocks:
    """Blocks of a graph: one for each node that does not stand within another."""

    def __init__(
        self,
        nodes: Mapping[str, Mapping[str, Sequence[str]]],
        short: Mapping[str, str],
        anonymous: frozenset[str],
    ) -> None:
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


_Graphs = dict[str, list[Triple]]
_Quad = tuple[str, str, str, str]
_Colours = dict[str, str]

_MOST_VISITS = 500_000
"""How many times a node is looked at, all nodes together."""


def _label_blank_nodes(graphs: Mapping[str, Iterable[Triple]]) -> _Graphs:
    """Label blank nodes so that the labels depend on the graphs alone."""
    known = {graph: list(triples) for graph, triples in graphs.items()}
    every = chain.from_iterable(known.values())
    has_blanks = any(subject[0] == "_" or value[0] == "_" for subject, _, value in every)
    if not has_blanks and not any(graph[:1] == "_" for graph in known):
        return known
    quads = sorted({(*triple, graph) for graph, triples in known.items() for triple in triples})
    labels = _choose_labels(quads)
    relabelled: _Graphs = {graph: [] for graph in known if not graph or not is_blank(graph)}
    for quad in quads:
        subject, predicate, value, graph = (labels.get(term, term) for term in quad)
        relabelled.setdefault(graph, []).append((subject, predicate, value))
    return relabelled


def _choose_labels(quads: Iterable[_Quad]) -> dict[str, str]:
    around: dict[str, list[_Quad]] = defaultdict(list)
    for quad in quads:
        for term in {term for term in quad if term[:1] == "_"}:
            around[term].append(quad)
    rounds = iter(range(_MOST_VISITS // len(around) + 2))
    colours = _refine_colours(dict.fromkeys(sorted(around), ""), around, rounds)
    for _ in rounds:
        seen: dict[str, str] = {}
        alike = [
            (colours[node], seen[colours[node]])
            for node in sorted(colours)
            if seen.setdefault(colours[node], node) != node
        ]
        if not alike:
            break
        colour, chosen = min(alike)
        changed = colours | {chosen: _digest([colour, "chosen"])}
        colours = _refine_colours(changed, around, rounds)
    order = sorted(around, key=lambda node: (colours[node], node))
    width = len(str(len(order)))
    return {node: f"_:b{number:0{width}d}" for number, node in enumerate(order)}


def _refine_colours(
    colours: _Colours, around: Mapping[str, Iterable[_Quad]], rounds: Iterator[int]
) -> _Colours:
    """Refine colours until no node's quads and neighbours tell more nodes apart."""
    for _ in rounds:
        shown = {node: f"_:{colour}" for node, colour in colours.items()}
        finer: _Colours = {}
        for node, quads in around.items():
            own, shown[node] = shown[node], "_:"
            lines = sorted("\x00".join([shown.get(term, term) for term in quad]) for quad in quads)
            finer[node], shown[node] = _digest([colours[node], *lines]), own
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer
    return colours


def _digest(parts: Iterable[str]) -> str:
    from hashlib import sha256  # noqa: PLC0415 - slow, and only blank nodes need it

    return sha256("\x01".join(parts).encode()).hexdigest()
