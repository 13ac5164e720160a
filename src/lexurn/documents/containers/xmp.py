"""XMP packets (ISO 16684-1): the properties in them, their places, and new properties.

All else stays byte for byte: what comes in is put in at an offset. PDF/A-1 to PDF/A-3 want a
description of a property that XMP does not know (ISO 19005-1 section 6.7.8, and 6.6.2.3 of parts 2
and 3): a schema, with its properties, in the list ``pdfaExtension:schemas``.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.documents.containers.xml import detect_codec, encode_xml, escape_xml, parse_root
from lexurn.documents.document import Edit, Notation, Statement, apply_edits, document_from_bytes
from lexurn.documents.findings import DocumentError, make_error, make_finding
from lexurn.documents.names import find_language_conflict, has_name
from lexurn.documents.terms import IDENTIFIER_TERMS, PRISM
from lexurn.vocabulary import DC, RDF, XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.documents.containers.xml import StartTag, XmlNode
    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

XMP: Final = "http://ns.adobe.com/xap/1.0/"
_PDFA_ID: Final = "http://www.aiim.org/pdfa/ns/id/"

_RDF_LISTS: Final = ("Bag", "Seq", "Alt")
"""The lists of RDF."""

_DEFAULT_LANGUAGE = "x-default"


@dataclass(frozen=True, slots=True, kw_only=True)
class XmpProperty:
    """Property of a document in a packet.

    Attributes:
        term: its IRI.
        opening: the start tag of the description that it stands in.
        text: its value where it is written as an attribute, else None.
        node: its element; None if it is written as an attribute.
    """

    term: str
    opening: StartTag
    text: str | None = None
    node: XmlNode | None = None

    @property
    def values(self) -> tuple[Statement, ...]:
        """Statements, one for each simple value."""
        if self.node is None:
            return (_make_statement(self.term, self.text or "", None),)
        container = _find_list(self.node)
        holders = (self.node,) if container is None else tuple(container.named(RDF, "li"))
        values = (_read_value(holder, self.term) for holder in holders)
        return tuple(each for each in values if each is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class XmpPacket:
    """Parsed packet.

    Attributes:
        data: its bytes, as far as they are XML.
        codec: the codec of its characters.
        rdf: the element ``rdf:RDF``.
        properties: all properties of the document, in their order.
    """

    data: bytes
    codec: str
    rdf: XmlNode
    properties: tuple[XmpProperty, ...]

    @property
    def about(self) -> str:
        """URI of the described resource, as it is written; mostly the empty text."""
        for each in self.rdf.named(RDF, "Description"):
            about = each.get("about", RDF)
            return (about if about is not None else each.get("about")) or ""
        return ""

    def property(self, term: str) -> XmpProperty | None:
        """Return the first property of an IRI; None if there is none."""
        return next((each for each in self.properties if each.term == term), None)


def parse_packet(data: bytes, name: str = "") -> XmpPacket:
    """Parse a packet.

    Args:
        data: its bytes.
        name: the document that it stands in, for messages.

    Raises:
        DocumentError: it is not XML, or no RDF stands in it.
    """
    try:
        codec = detect_codec(document_from_bytes(data, name))
        root = parse_root(document_from_bytes(_strip_filling(data, codec), name))
    except DocumentError as fault:
        why = fault.finding.message
        raise make_error("LX350", name, why=why.partition(";")[0]) from None
    rdf = _find_rdf(root)
    if rdf is None:
        raise make_error("LX350", name, why="no rdf:RDF stands in it")
    return XmpPacket(data=data, codec=codec, rdf=rdf, properties=tuple(_list_properties(rdf)))


def _strip_filling(data: bytes, codec: str) -> bytes:
    """Return a packet without NUL bytes, which some writers use as filling instead of blanks."""
    size = len(data.rstrip(b"\0"))
    # The last byte of a letter in UTF-16 may be zero.
    return data[: size + size % len("\0".encode(codec))]


def _list_properties(rdf: XmlNode) -> Iterator[XmpProperty]:
    for description in rdf.named(RDF, "Description"):
        opening = description.opening
        for each in opening.attributes:
            if each.uri and each.uri not in {RDF, XML_NAMESPACE}:
                yield XmpProperty(term=each.uri + each.local, opening=opening, text=each.value)
        for node in description.elements:
            if node.opening.uri:
                term = node.opening.uri + node.opening.local
                yield XmpProperty(term=term, opening=opening, node=node)


def _find_rdf(root: XmlNode) -> XmlNode | None:
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if node.opening.is_named(RDF, "RDF"):
            return node
        waiting.extend(node.elements)
    return None


def _find_list(node: XmlNode) -> XmlNode | None:
    """Return the list in an element; None if there is none."""
    for each in node.elements:
        if each.opening.uri == RDF and each.opening.local in _RDF_LISTS:
            return each
    return None


def _find_description(node: XmlNode) -> XmlNode:
    """Return the description with the fields of an element, which may be the element itself."""
    return node.first(RDF, "Description") or node


def _read_value(node: XmlNode, term: str) -> Statement | None:
    """Return the simple value of a property; None if it has none (section 7)."""
    language = node.opening.language
    # A value with qualifiers.
    value = _find_description(node).first(RDF, "value") or node
    resource = value.get("resource", RDF)
    if resource is not None:
        return _make_statement(term, resource, None, is_iri=True)
    if next(value.elements, None) is not None:
        return None
    return _make_statement(term, value.text, language)


def _make_statement(
    term: str, value: str, language: str | None, *, is_iri: bool = False
) -> Statement:
    return Statement(
        notation=Notation.XMP,
        subject=None,
        term=term,
        value=value.strip(),
        is_iri=is_iri,
        language=None if language == _DEFAULT_LANGUAGE else language,
    )


def read_statements(packet: XmpPacket) -> tuple[Statement, ...]:
    """Return all simple values of a packet, in its order."""
    return tuple(
        statement for each in packet.properties for statement in each.values if statement.value
    )


_WRITTEN_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_LIST_ELEMENTS = frozenset({*_RDF_LISTS, "li"})


def _is_blank(found: XmpProperty) -> bool:
    """Return whether a property has neither a value nor a qualifier.

    An empty structure is none of these: what it is to hold nobody but its schema knows.
    """
    if found.node is None:
        return not (found.text or "").strip()
    waiting = [found.node]
    while waiting:
        node = waiting.pop()
        attributes = (each for each in node.opening.attributes if each.uri != XML_NAMESPACE)
        if node.text.strip() or any(each.value.strip() for each in attributes):
            return False
        for each in node.elements:
            if each.opening.uri != RDF or each.opening.local not in _LIST_ELEMENTS:
                return False
            waiting.append(each)
    return True


def _is_plain(packet: XmpPacket, found: XmpProperty) -> bool:
    """Return whether a property is there once, with a plain text as its value."""
    if sum(each.term == found.term for each in packet.properties) != 1:
        return False
    node = found.node
    # What entities stand for in a text is not known here.
    is_known = node is None or encode_xml("<!DOCTYPE", packet.codec) not in packet.data
    return is_known and (node is None or not (any(node.elements) or node.opening.attributes))


def _cut_property(packet: XmpPacket, term: str) -> Iterator[Edit]:
    """Return the edits that cut out a property, wherever it stands."""
    for each in packet.properties:
        if each.term == term and each.node is not None:
            yield Edit(start=each.node.start, end=each.node.end, new=b"")
        elif each.term == term:
            yield _cut_attribute(packet, each.opening, term)


def _cut_attribute(packet: XmpPacket, opening: StartTag, term: str) -> Edit:
    """Return the edit that cuts an attribute and the blanks before it out of a start tag."""
    written = packet.data[opening.start : opening.end].decode(packet.codec, "replace")
    names = {
        f"{each.prefix}:{each.local}"
        for each in opening.attributes
        if f"{each.uri}{each.local}" == term
    }
    found = next(each for each in _WRITTEN_ATTRIBUTE.finditer(written) if each[1] in names)
    start, end = (
        opening.start + len(encode_xml(written[:at], packet.codec)) for at in found.span()
    )
    return Edit(start=start, end=end, new=b"")


_EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
_SCHEMA = "http://www.aiim.org/pdfa/ns/schema#"
_PROPERTY = "http://www.aiim.org/pdfa/ns/property#"
_EXTENSION_SCHEMAS: Final = _EXTENSION + "schemas"
"""The property that holds all descriptions."""

_PDFA_PARTS = {"1", "2", "3"}
_VERSION_PROPERTY = "versionIdentifier"

_PROPERTY_ITEM = (
    f'<rdf:li xmlns:rdf="{RDF}" xmlns:pdfaProperty="{_PROPERTY}" rdf:parseType="Resource">'
    f"<pdfaProperty:name>{_VERSION_PROPERTY}</pdfaProperty:name>"
    "<pdfaProperty:valueType>Text</pdfaProperty:valueType>"
    "<pdfaProperty:category>external</pdfaProperty:category>"
    "<pdfaProperty:description>Identifier of the version of the document"
    "</pdfaProperty:description></rdf:li>"
)
_SCHEMA_ITEM = (
    f'<rdf:li xmlns:rdf="{RDF}" xmlns:pdfaSchema="{_SCHEMA}" rdf:parseType="Resource">'
    "<pdfaSchema:schema>PRISM Basic Metadata</pdfaSchema:schema>"
    f"<pdfaSchema:namespaceURI>{PRISM}</pdfaSchema:namespaceURI>"
    "<pdfaSchema:prefix>prism</pdfaSchema:prefix>"
    f"<pdfaSchema:property><rdf:Seq>{_PROPERTY_ITEM}</rdf:Seq></pdfaSchema:property></rdf:li>"
)


def _is_pdfa(packet: XmpPacket) -> bool:
    """Return whether a packet declares PDF/A of any part."""
    return packet.property(_PDFA_ID + "part") is not None


def _is_extension_needed(packet: XmpPacket) -> bool:
    """Return whether PDF/A requires a description of our property that is missing."""
    part = packet.property(_PDFA_ID + "part")
    if part is None or not {each.value for each in part.values} & _PDFA_PARTS:
        return False
    return not any(
        _read_field(field, _PROPERTY, "name") == _VERSION_PROPERTY
        for item in _find_schemas(packet)
        for field in _list_schema_properties(item)
    )


def _write_extension(about: str) -> str:
    """Write a description of the property for a packet that has no descriptions.

    It is a part of its own, with all namespaces declared at its head, since some checkers look for
    descriptions nowhere else.

    Args:
        about: what the packet describes, escaped.
    """
    return (
        f' <rdf:Description xmlns:rdf="{RDF}" rdf:about="{about}"\n    '
        f'xmlns:pdfaExtension="{_EXTENSION}"\n    xmlns:pdfaSchema="{_SCHEMA}"\n    '
        f'xmlns:pdfaProperty="{_PROPERTY}">\n   <pdfaExtension:schemas><rdf:Bag>{_SCHEMA_ITEM}'
        "</rdf:Bag></pdfaExtension:schemas>\n  </rdf:Description>\n "
    )


def _find_extension_place(packet: XmpPacket) -> tuple[XmlNode, str] | None:
    """Return the element for a further description, and the text that goes to its end.

    None where those that are there are not written as they should be.
    """
    container = _find_schema_list(packet)
    if container is None:
        return None
    for item in _find_schemas(packet):
        holder = item.first(_SCHEMA, "property")
        fields = None if holder is None else _find_list(holder)
        return None if fields is None else (fields, _PROPERTY_ITEM)
    return container, _SCHEMA_ITEM


def _find_schema_list(packet: XmpPacket) -> XmlNode | None:
    found = packet.property(_EXTENSION_SCHEMAS)
    return None if found is None or found.node is None else _find_list(found.node)


def _find_schemas(packet: XmpPacket) -> Iterator[XmlNode]:
    """Return the descriptions of schemas of our namespace."""
    container = _find_schema_list(packet)
    for item in () if container is None else container.named(RDF, "li"):
        holder = _find_description(item)
        if _read_field(holder, _SCHEMA, "namespaceURI") == PRISM:
            yield holder


def _list_schema_properties(schema: XmlNode) -> Iterator[XmlNode]:
    holder = schema.first(_SCHEMA, "property")
    container = None if holder is None else _find_list(holder)
    for item in () if container is None else container.named(RDF, "li"):
        yield _find_description(item)


def _read_field(node: XmlNode, namespace: str, local: str) -> str:
    """Return a field of a structure, written as an element or as an attribute."""
    element = node.first(namespace, local)
    return (element.text if element else node.get(local, namespace) or "").strip()


XMP_LABEL: Final = "the XMP metadata"
"""What says a name, for messages."""

_EMPTY_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""
_PREFIXES = {DC: "dc", XMP: "xmp", PRISM: "prism"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPacket:
    """Packet with the metadata of a name.

    Attributes:
        data: its bytes; those of the old packet if nothing had to be added.
        findings: what to know about it.
    """

    data: bytes
    findings: tuple[Finding, ...] = field(default=())


@dataclass(slots=True, kw_only=True)
class _PacketDraft:
    """Additions to a packet.

    Attributes:
        document: the packet with the name of the file, for messages.
        statements: all statements of the file, in the packet and beside it.
        has_title: whether there is a title beside it, be it a blank one.
    """

    document: Document
    packet: XmpPacket
    statements: tuple[Statement, ...]
    has_title: bool
    elements: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def put_in(self, node: XmlNode, text: str) -> None:
        """Put text at the end of an element."""
        self.edits.append(_append_to_element(self.packet, node, text))

    def property(self, term: str) -> XmpProperty | None:
        """Return the first property of an IRI that is not blank; None if there is none."""
        there = (each for each in self.packet.properties if each.term == term)
        return next((each for each in there if not _is_blank(each)), None)

    def values(self, term: str) -> set[str] | None:
        """Return the values of a property in the packet; None if it does not have it."""
        found = self.property(term)
        return None if found is None else {each.value for each in found.values}

    def add(self, namespace: str, local: str, content: str) -> None:
        """Add a property that is missing or blank."""
        self.edits.extend(_cut_property(self.packet, namespace + local))
        name = f"{_PREFIXES[namespace]}:{local}"
        self.elements.append(f"<{name}>{content}</{name}>")

    def add_text(self, namespace: str, local: str, value: str) -> None:
        """Add a simple property, unless the packet has it already, with any value."""
        if self.values(namespace + local) is None:
            self.add(namespace, local, escape_xml(value))

    def add_list(self, namespace: str, local: str, values: Sequence[str]) -> None:
        """Add values to a list, which may be there already."""
        found = self.property(namespace + local)
        present = self.values(namespace + local) or set()
        absent = [each for each in dict.fromkeys(values) if each not in present]
        if not absent:
            return
        if found is None:
            self.add_bag(namespace, local, absent)
            return
        container = None if found.node is None else _find_list(found.node)
        if container is None and _is_plain(self.packet, found):
            self.add_bag(namespace, local, [*(each.value for each in found.values), *absent])
            return
        if container is None:
            self.refuse(f"{_PREFIXES[namespace]}:{local}", ", ".join(absent))
            return
        li = f"{container.opening.prefix}:li" if container.opening.prefix else "li"
        self.put_in(container, "".join(f"<{li}>{escape_xml(each)}</{li}>" for each in absent))

    def add_bag(self, namespace: str, local: str, values: Iterable[str]) -> None:
        """Add a list in place of a property that is blank, or has a single value."""
        items = "".join(f"<rdf:li>{escape_xml(each)}</rdf:li>" for each in values)
        self.add(namespace, local, f"<rdf:Bag>{items}</rdf:Bag>")

    def refuse(self, term: str, what: str) -> None:
        """Note that a property is not added."""
        self.findings.append(make_finding("LX354", self.document.name, term=term, what=what))


def find_identifiers(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return the names that a file states for itself."""
    return tuple(each.value for each in statements if each.term in IDENTIFIER_TERMS)


def merge_packet(
    data: bytes,
    marking: DocumentMetadata,
    name: str,
    beside: Iterable[Statement] = (),
    *,
    has_title: bool = False,
) -> MergedPacket:
    """Merge the metadata of a name into a packet.

    What stands there already is kept: where ``dc:identifier`` says something else that is no LEX
    name, or an alias, the name goes into the list ``xmp:Identifier``; a title, language or version
    is put in where there is none.

    Args:
        data: the packet; blank where there is none.
        marking: what the document is to say.
        name: the document, for messages.
        beside: what the document says of itself elsewhere.
        has_title: whether it has a title elsewhere, be it a blank one: in PDF/A that is the title
            of the packet (ISO 19005-1 section 6.7.3).

    Raises:
        DocumentError: the packet cannot be read, or has another LEX name.
    """
    if not data.strip(b"\0\t\n\r "):
        data = _EMPTY_PACKET.encode()
    packet = parse_packet(data, name)
    draft = _PacketDraft(
        document=document_from_bytes(data, name),
        packet=packet,
        statements=(*read_statements(packet), *beside),
        has_title=has_title,
    )
    _add_name(draft, marking)
    draft.add_list(DC, "relation", [iri for _, iri in marking.relations])
    _add_language(draft, marking)
    _add_titles(draft, marking)
    if marking.version is not None:
        _add_version(draft, marking.version)
    if draft.elements:
        draft.put_in(draft.packet.rdf, _write_description(draft))
    data = apply_edits(document_from_bytes(packet.data), sorted(draft.edits))
    return MergedPacket(data=data, findings=tuple(draft.findings))


def _add_name(draft: _PacketDraft, marking: DocumentMetadata) -> None:
    if has_name(draft.document, XMP_LABEL, marking, find_identifiers(draft.statements)):
        return
    if draft.values(DC + "identifier") is None:
        draft.add_text(DC, "identifier", str(marking.name))
        return
    draft.add_list(XMP, "Identifier", [str(marking.name)])
    if draft.findings:
        why = "dc:identifier says something else, and xmp:Identifier is no list to be added to"
        raise make_error("LX341", draft.document.name, why=why)


def _add_language(draft: _PacketDraft, marking: DocumentMetadata) -> None:
    languages = [each.value for each in draft.statements if each.term == DC + "language"]
    remarks = find_language_conflict(draft.document, marking, languages)
    draft.findings.extend(remarks)
    is_there = any(draft.values(DC + "language") or ())
    if marking.language is not None and not remarks and not is_there:
        draft.add_list(DC, "language", [marking.language])


def _add_titles(draft: _PacketDraft, marking: DocumentMetadata) -> None:
    titles = [each for each in marking.titles if each.value.strip()]
    is_there = any(each.term == DC + "title" for each in draft.statements)
    is_kept = draft.has_title and _is_pdfa(draft.packet)
    if not titles or is_there or is_kept:
        return
    if draft.values(DC + "title") is not None:
        draft.refuse("dc:title", "the title")
        return
    # The first item is for readers that have none in their language (section 8.2.2.4).
    texts = {"x-default": titles[0].value}
    for each in titles:
        if each.language is not None:
            texts.setdefault(each.language, each.value)
    items = "".join(
        f'<rdf:li xml:lang="{escape_xml(tag)}">{escape_xml(value)}</rdf:li>'
        for tag, value in texts.items()
    )
    draft.add(DC, "title", f"<rdf:Alt>{items}</rdf:Alt>")


def _add_version(draft: _PacketDraft, version: str) -> None:
    """Add the version; in PDF/A with a description of its property."""
    if draft.values(PRISM + "versionIdentifier") is not None:
        return
    if _is_extension_needed(draft.packet) and not _add_extension(draft):
        draft.refuse("pdfaExtension:schemas", f"the version {version}")
        return
    draft.add_text(PRISM, "versionIdentifier", version)


def _add_extension(draft: _PacketDraft) -> bool:
    """Describe the property of the version; return False if there is no place for that."""
    if draft.packet.property(_EXTENSION_SCHEMAS) is None:
        draft.put_in(draft.packet.rdf, _write_extension(escape_xml(draft.packet.about)))
        return True
    place = _find_extension_place(draft.packet)
    if place is not None:
        draft.put_in(*place)
    return place is not None


def _write_description(draft: _PacketDraft) -> str:
    """Write all new properties, with the namespaces that they need."""
    used = {
        prefix: namespace
        for namespace, prefix in _PREFIXES.items()
        if any(each.startswith(f"<{prefix}:") for each in draft.elements)
    }
    declared = "".join(f'\n    xmlns:{prefix}="{uri}"' for prefix, uri in used.items())
    lines = "\n   ".join(draft.elements)
    about = escape_xml(draft.packet.about)
    return (
        f' <rdf:Description xmlns:rdf="{RDF}" rdf:about="{about}"{declared}>'
        f"\n   {lines}\n  </rdf:Description>\n "
    )


def _append_to_element(packet: XmpPacket, node: XmlNode, text: str) -> Edit:
    """Return the edit that puts text at the end of an element."""
    codec = packet.codec
    if not node.opening.is_empty:
        return Edit(start=node.content_end, end=node.content_end, new=encode_xml(text, codec))
    name = f"{node.opening.prefix}:{node.opening.local}".lstrip(":")
    slash = len(encode_xml("/>", codec))
    return Edit(
        start=node.opening.end - slash,
        end=node.opening.end,
        new=encode_xml(f">{text}</{name}>", codec),
    )
