"""What PDF/A-1 to PDF/A-3 want of a property that XMP does not know: a description of it.

ISO 19005-1 section 6.7.8 (and 6.6.2.3 of parts 2 and 3): a schema, with its properties, in the list
``pdfaExtension:schemas``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._terms import PRISM
from lexurn.embedding._xmp import PDFA_ID, RDF, container_of, described

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._xml_tree import Node
    from lexurn.embedding._xmp import Packet

__all__ = ["SCHEMAS", "is_archived", "is_needed", "new_description", "place_of_description"]

_EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
_SCHEMA = "http://www.aiim.org/pdfa/ns/schema#"
_PROPERTY = "http://www.aiim.org/pdfa/ns/property#"
SCHEMAS: Final = _EXTENSION + "schemas"
"""The property that holds all descriptions."""

_PARTS = {"1", "2", "3"}
_LOCAL = "versionIdentifier"

_FIELDS = (
    f'<rdf:li xmlns:rdf="{RDF}" xmlns:pdfaProperty="{_PROPERTY}" rdf:parseType="Resource">'
    f"<pdfaProperty:name>{_LOCAL}</pdfaProperty:name>"
    "<pdfaProperty:valueType>Text</pdfaProperty:valueType>"
    "<pdfaProperty:category>external</pdfaProperty:category>"
    "<pdfaProperty:description>Identifier of the version of the document"
    "</pdfaProperty:description></rdf:li>"
)
_ITEM = (
    f'<rdf:li xmlns:rdf="{RDF}" xmlns:pdfaSchema="{_SCHEMA}" rdf:parseType="Resource">'
    "<pdfaSchema:schema>PRISM Basic Metadata</pdfaSchema:schema>"
    f"<pdfaSchema:namespaceURI>{PRISM}</pdfaSchema:namespaceURI>"
    "<pdfaSchema:prefix>prism</pdfaSchema:prefix>"
    f"<pdfaSchema:property><rdf:Seq>{_FIELDS}</rdf:Seq></pdfaSchema:property></rdf:li>"
)


def is_archived(packet: Packet) -> bool:
    """Whether a packet says that its file is PDF/A, of whatever part."""
    return packet.property(PDFA_ID + "part") is not None


def is_needed(packet: Packet) -> bool:
    """Whether a packet is of PDF/A, where each property must be known, and ours is not."""
    part = packet.property(PDFA_ID + "part")
    if part is None or not {each.value for each in part.values} & _PARTS:
        return False
    return not any(_describes(field) for item in _schemas(packet) for field in _properties(item))


def new_description(about: str) -> str:
    """A description of the property for a packet that has none of any.

    It is a part of its own, with all namespaces declared at its head, since some checkers look for
    descriptions nowhere else.

    Args:
        about: what the packet describes, escaped.
    """
    return (
        f' <rdf:Description xmlns:rdf="{RDF}" rdf:about="{about}"\n    '
        f'xmlns:pdfaExtension="{_EXTENSION}"\n    xmlns:pdfaSchema="{_SCHEMA}"\n    '
        f'xmlns:pdfaProperty="{_PROPERTY}">\n   <pdfaExtension:schemas><rdf:Bag>{_ITEM}</rdf:Bag>'
        "</pdfaExtension:schemas>\n  </rdf:Description>\n "
    )


def place_of_description(packet: Packet) -> tuple[Node, str] | None:
    """Where a description goes in a packet that has some: an element, and what comes at its end.

    None where those that are there are not written as they should be.
    """
    container = _list_of_schemas(packet)
    if container is None:
        return None
    for item in _schemas(packet):
        holder = item.first(_SCHEMA, "property")
        fields = None if holder is None else container_of(holder)
        return None if fields is None else (fields, _FIELDS)
    return container, _ITEM


def _list_of_schemas(packet: Packet) -> Node | None:
    found = packet.property(SCHEMAS)
    return None if found is None or found.node is None else container_of(found.node)


def _schemas(packet: Packet) -> Iterator[Node]:
    """The descriptions of schemas of our namespace."""
    container = _list_of_schemas(packet)
    for item in () if container is None else container.named(RDF, "li"):
        holder = described(item)
        if _field(holder, _SCHEMA, "namespaceURI") == PRISM:
            yield holder


def _properties(schema: Node) -> Iterator[Node]:
    holder = schema.first(_SCHEMA, "property")
    container = None if holder is None else container_of(holder)
    for item in () if container is None else container.named(RDF, "li"):
        yield described(item)


def _describes(field: Node) -> bool:
    return _field(field, _PROPERTY, "name") == _LOCAL


def _field(node: Node, namespace: str, local: str) -> str:
    """A field of a structure, written as an element or as an attribute."""
    element = node.first(namespace, local)
    return (element.text if element else node.get(local, namespace) or "").strip()
