"""XMP packets (ISO 16684-1): what they say, and where each thing stands in them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.embedding._document import document_of
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._statement import Statement, Way
from lexurn.embedding._xml_events import XML
from lexurn.embedding._xml_tree import root_of
from lexurn.embedding._xml_writing import codec_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._xml_events import Opening
    from lexurn.embedding._xml_tree import Node

__all__ = [
    "CONTAINERS",
    "PDFA_ID",
    "RDF",
    "XMP",
    "Packet",
    "Property",
    "container_of",
    "described",
    "packet_of",
    "statements_of",
    "value_of",
]

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XMP: Final = "http://ns.adobe.com/xap/1.0/"
PDFA_ID: Final = "http://www.aiim.org/pdfa/ns/id/"

CONTAINERS: Final = ("Bag", "Seq", "Alt")
"""The lists of RDF."""

_DEFAULT_LANGUAGE = "x-default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property of a document in a packet.

    Attributes:
        term: its IRI.
        opening: the start tag of the description that it stands in.
        text: its value where it is written as an attribute, else None.
        node: its element, None where it is written as an attribute.
    """

    term: str
    opening: Opening
    text: str | None = None
    node: Node | None = None

    @property
    def values(self) -> tuple[Statement, ...]:
        """What it says: one statement for each simple value."""
        if self.node is None:
            return (_statement(self.term, self.text or "", None),)
        container = container_of(self.node)
        holders = (self.node,) if container is None else tuple(container.named(RDF, "li"))
        said = (value_of(holder, self.term) for holder in holders)
        return tuple(each for each in said if each is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """A packet that was parsed.

    Attributes:
        data: its bytes, as far as they are XML.
        codec: the codec of its characters.
        rdf: the element ``rdf:RDF``.
        properties: all properties of the document, in their order.
    """

    data: bytes
    codec: str
    rdf: Node
    properties: tuple[Property, ...]

    @property
    def about(self) -> str:
        """What it describes, as it is written; mostly the empty text."""
        for each in self.rdf.named(RDF, "Description"):
            about = each.get("about", RDF)
            return (about if about is not None else each.get("about")) or ""
        return ""

    def property(self, term: str) -> Property | None:
        """The first property of an IRI, None where there is none."""
        return next((each for each in self.properties if each.term == term), None)


def packet_of(data: bytes, name: str = "") -> Packet:
    """A packet parsed.

    Args:
        data: its bytes.
        name: the document that it stands in, for messages.

    Raises:
        EmbeddingError: it is no XML, or no RDF stands in it.
    """
    try:
        codec = codec_of(document_of(data, name))
        root = root_of(document_of(_without_filling(data, codec), name))
    except EmbeddingError as fault:
        why = fault.finding.message
        raise EmbeddingError(finding("LX350", name, why=why.partition(";")[0])) from None
    rdf = _rdf_in(root)
    if rdf is None:
        raise EmbeddingError(finding("LX350", name, why="no rdf:RDF stands in it"))
    return Packet(data=data, codec=codec, rdf=rdf, properties=tuple(_properties(rdf)))


def _without_filling(data: bytes, codec: str) -> bytes:
    """A packet without the NUL that some writers fill its room with instead of blanks."""
    size = len(data.rstrip(b"\0"))
    # The last byte of a letter in UTF-16 may be zero.
    return data[: size + size % len("\0".encode(codec))]


def _properties(rdf: Node) -> Iterator[Property]:
    for description in rdf.named(RDF, "Description"):
        opening = description.opening
        for each in opening.attributes:
            if each.uri and each.uri not in {RDF, XML}:
                yield Property(term=each.uri + each.local, opening=opening, text=each.value)
        for node in description.elements:
            if node.opening.uri:
                term = node.opening.uri + node.opening.local
                yield Property(term=term, opening=opening, node=node)


def _rdf_in(root: Node) -> Node | None:
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if node.opening.is_named(RDF, "RDF"):
            return node
        waiting.extend(node.elements)
    return None


def container_of(node: Node) -> Node | None:
    """The list in an element, None where there is none."""
    for each in node.elements:
        if each.opening.uri == RDF and each.opening.local in CONTAINERS:
            return each
    return None


def described(node: Node) -> Node:
    """The description in an element, which holds its fields; itself where it holds them."""
    return node.first(RDF, "Description") or node


def value_of(node: Node, term: str) -> Statement | None:
    """What an element says of a property, None where that is no simple value (section 7)."""
    language = node.opening.language
    # A value with qualifiers.
    value = described(node).first(RDF, "value") or node
    resource = value.get("resource", RDF)
    if resource is not None:
        return _statement(term, resource, None, is_iri=True)
    if next(value.elements, None) is not None:
        return None
    return _statement(term, value.text, language)


def _statement(term: str, value: str, language: str | None, *, is_iri: bool = False) -> Statement:
    return Statement(
        way=Way.XMP,
        subject=None,
        term=term,
        value=value.strip(),
        is_iri=is_iri,
        language=None if language == _DEFAULT_LANGUAGE else language,
    )


def statements_of(packet: Packet) -> tuple[Statement, ...]:
    """All that a packet says in simple values, in its order."""
    return tuple(
        statement for each in packet.properties for statement in each.values if statement.value
    )
