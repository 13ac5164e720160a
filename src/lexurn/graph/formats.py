"""Formats of RDF with their writers and readers: equal statements give equal bytes, always.

Turtle and TriG are written as a person would: by node, with short names, links on lines of their
own. LEX names stand in angle brackets.

Labels of blank nodes depend on the graph alone. RDFC-1.0 takes exponential time on graphs made for
that. So nodes are told apart by their surroundings, step by step further out (colour refinement),
then one by one. Only regular graphs without texts may keep an order that depends on old labels.

Readers have limits on hostile documents. The parsers are pyoxigraph's. JSON-LD is read leniently
and then held to the rules of strict readers, since these leave out texts with an invalid language
tag, and say nothing.
"""

from __future__ import annotations

import io
import re
import zlib
from collections import defaultdict
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph.jsonld import inline_context, write_jsonld
from lexurn.graph.statements import (
    LAYERS,
    Layer,
    Statements,
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


# --- readers --------------------------------------------------------------------------

_BOM = b"\xef\xbb\xbf"
_LONGEST_SHOWN = 80


def read(data: bytes, format: Format) -> Statements:
    """Read the statements in some bytes; those in no layer's graph go to ``catalogued``.

    Raises:
        GraphError: the bytes are not of that format; the message gives the position if known.
            Or they would fill memory: JSON nested too deep, XML entities within entities, a text
            of more than 16 MiB. Or a text has an invalid language tag.
    """
    layers: dict[str, list[Triple]] = {layer: [] for layer in Layer}
    try:
        for quad in _parse_quads(data.removeprefix(_BOM), format):
            layer = LAYERS.get(str(quad.graph_name), Layer.CATALOGUED)
            layers[layer].append((str(quad.subject), str(quad.predicate), str(quad.object)))
    except SyntaxError as error:
        problem = str(error.msg).removeprefix("Parser error at ")
        if error.lineno is not None:  # the position goes to the front
            _, _, bare = problem.partition(": ")
            column = "" if error.offset is None else f", column {error.offset}"
            problem = f"line {error.lineno}{column}: {bare or problem}"
        raise GraphError(f"not {format.media_type}: {problem}") from None
    except MemoryError as error:  # the parser's own bound
        raise GraphError(f"a text or a term is too long to be read: {error}") from None
    except GraphError as fault:
        raise GraphError(f"not {format.media_type}: {fault}") from None
    return Statements(**{layer: tuple(triples) for layer, triples in layers.items()})


def _parse_quads(data: bytes, format: Format) -> Iterator[pyoxigraph.Quad]:
    """Parse some bytes to quads; JSON-LD is held to the rules of the other formats.

    Raises:
        GraphError: as `read`, except for faults that the parser reports.
    """
    is_json = format is Format.JSONLD
    text = b"".join(guard_document([data], format))
    text = inline_context(text) if is_json else text
    for quad in pyoxigraph.parse(text, format=format.engine, lenient=is_json):
        known = check_quad(quad) if is_json else quad
        if isinstance(known, InvalidLanguageTag):
            shown = pyoxigraph.Literal(_shorten(str(getattr(quad.object, "value", ""))))
            where = f"{quad.subject} {quad.predicate} {shown}"
            raise GraphError(f"{known.reason}; it is in {where}")
        if known is None:
            continue
        value = known.object
        if isinstance(value, pyoxigraph.Triple):
            raise GraphError(f"{value} is a triple within a triple, which is RDF 1.2; use RDF 1.1")
        if isinstance(value, pyoxigraph.Literal) and value.direction is not None:
            raise GraphError(f"{value} has a direction, which is RDF 1.2; use RDF 1.1")
        yield known


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


class InvalidLanguageTag(NamedTuple):
    """Statement of a text with an invalid language tag.

    Attributes:
        quad: the statement as it was written.
        reason: the fault of the tag.
    """

    quad: pyoxigraph.Quad
    reason: str


def check_quad(quad: pyoxigraph.Quad) -> pyoxigraph.Quad | InvalidLanguageTag | None:
    """Check a quad of JSON-LD that was read leniently, by the rules of strict readers.

    Returns:
        The quad; None for one without an absolute IRI, which JSON-LD 1.1 leaves out.

    Raises:
        GraphError: a datatype is not an IRI.
    """
    subject, predicate, value, graph = quad
    if not all(map(_is_valid, (subject, predicate, value, graph))):
        return None
    if not isinstance(value, pyoxigraph.Literal):
        return quad
    if not _is_valid(value.datatype):
        raise GraphError(f"the datatype {value.datatype} is not an absolute IRI (RFC 3987)")
    tag = value.language
    if tag is None or value.direction is not None:
        return quad
    try:
        text = pyoxigraph.Literal(value.value, language=tag)  # the tag in lower case
    except ValueError as fault:
        reason = f'"{_shorten(tag)}" is not a language tag (RFC 5646): {fault}'
        return InvalidLanguageTag(quad, reason)
    return pyoxigraph.Quad(subject, predicate, text, graph)


@lru_cache(maxsize=4096)
def _is_valid(term: object) -> bool:
    try:
        if isinstance(term, pyoxigraph.NamedNode):
            pyoxigraph.NamedNode(term.value)
        elif isinstance(term, pyoxigraph.BlankNode):
            pyoxigraph.BlankNode(term.value)
    except ValueError:
        return False
    return True


LONGEST_TEXT: Final = 1 << 24
"""How many bytes the engine reads as one text."""

_DEEPEST_JSON: Final = 500
_LONGEST_ENTITY: Final = 256
_LONGEST_DTD: Final = 1 << 20
_OVERLAP: Final = 64
_NO_MARKS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_JSON_TEXT: Final = re.compile(rb'"[^"]*+"?')
_DEPTH_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ENTITY: Final = re.compile(rb"<!ENTITY([^<]*)")
_VALUE: Final = re.compile(rb"\"([^\"]*)\"|'([^']*)'")
_REFERENCE: Final = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")


def guard_document(blocks: Iterable[bytes], format: Format) -> Iterable[bytes]:
    """Pass on the bytes of a document as long as nothing in them would fill memory.

    Args:
        blocks: the bytes, cut anywhere.
        format: their format.

    Raises:
        GraphError: when they are read: JSON is nested too deep, or XML has entities that grow.
    """
    if format is Format.JSONLD:
        return guard_json(blocks)
    return _guard_xml(blocks) if format is Format.RDFXML else blocks


def guard_json(blocks: Iterable[bytes], *, deepest: int = _DEEPEST_JSON) -> Iterator[bytes]:
    """Pass on JSON as long as it is neither nested too deep nor holds a text too long for memory.

    Args:
        blocks: its bytes, cut anywhere.
        deepest: the most objects and arrays that may lie in each other.

    Raises:
        GraphError: it is nested deeper, or a text is too long.
    """
    depth = length = 0
    is_text, waiting = False, b""
    for block in blocks:
        # Escaped characters are taken out; a backslash at the end waits for the next block.
        plain = (waiting + block).replace(rb"\\", b"")
        waiting = b"\\" if plain.endswith(b"\\") else b""
        marks = plain.replace(rb"\"", b"").translate(None, _NO_MARKS)
        length = length + len(block) if is_text and b'"' not in marks else 0
        if length > LONGEST_TEXT:
            raise GraphError(f"a text of more than {LONGEST_TEXT:,} bytes")
        marks = b'"' + marks if is_text else marks
        is_text = marks.count(b'"') % 2 == 1
        for step in map(_DEPTH_STEPS.__getitem__, _JSON_TEXT.sub(b"", marks)):
            depth += step
            if depth > deepest:
                raise GraphError(f"nested more than {deepest} deep; no graph needs that")
        yield block


def _guard_xml(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on XML as long as its entities do not grow when they are expanded.

    Raises:
        GraphError: an entity is long, holds another one, or is declared too far after the start.
    """
    coming = iter(blocks)
    head = b""
    for block in coming:
        head += block
        if len(head) > _LONGEST_DTD:
            break
    for entity in _ENTITY.finditer(head):
        value = _VALUE.search(entity[1])
        text = b"" if value is None else value[1] or value[2] or b""
        if len(text) > _LONGEST_ENTITY or _REFERENCE.search(text):
            line = head.count(b"\n", 0, entity.start()) + 1
            raise GraphError(
                f"line {line}: this entity is longer than {_LONGEST_ENTITY} bytes or contains "
                "another entity; write it out"
            )
    yield head
    rest = head[-_OVERLAP:]
    for block in coming:
        if b"<!ENTITY" in rest + block:
            raise GraphError(f"an entity is declared after the first {_LONGEST_DTD:,} bytes")
        rest = block[-_OVERLAP:]
        yield block


_BLOCK: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"


def decompress_stream(stream: IO[bytes]) -> Iterator[bytes]:
    """Read a stream in blocks, decompressed where it is gzip, without a byte order mark.

    Args:
        stream: open at its start; its first bytes tell whether it is compressed.

    Raises:
        GraphError: it cannot be read to its end, or its checksum is wrong.
    """
    import gzip  # noqa: PLC0415 - most documents are not compressed

    try:
        head = stream.read(2)
        if head == _GZIP:
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=_Joined(head, stream)))
            head = b""
        head += stream.read(_BLOCK)
        yield head.removeprefix(_BOM)
        while block := stream.read(_BLOCK):
            yield block
    except EOFError:
        raise GraphError("it ends too early; copy the whole file") from None
    except (OSError, zlib.error, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise GraphError(f"it cannot be read: {why}") from None


class _Joined(io.RawIOBase):
    """Stream with bytes put back before it."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)
