"""XMP packets (ISO 16684-1): the properties in them, their positions, and new properties.

New properties are put in at an offset, so that all else stays byte for byte. PDF/A gets no title,
which has to be that of the document information (ISO 19005-1 section 6.7.3), and no version, since
PDF/A requires a description of a property that XMP does not define (section 6.7.8).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.documents.containers.xml import detect_codec, encode_xml, escape_xml, parse_root
from lexurn.documents.document import (
    DocumentError,
    Edit,
    Notation,
    Statement,
    apply_edits,
    document_from_bytes,
    make_error,
    make_finding,
)
from lexurn.documents.names import find_language_conflict, has_name
from lexurn.documents.terms import IDENTIFIER_TERMS, PRISM
from lexurn.vocabulary import DC, RDF, XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

XMP: Final = "http://ns.adobe.com/xap/1.0/"
_VERSION: Final = f"{PRISM}versionIdentifier"
_PDFA_PART: Final = "http://www.aiim.org/pdfa/ns/id/part"

_RDF_LISTS: Final = ("Bag", "Seq", "Alt")
_LIST_ELEMENTS = frozenset({*_RDF_LISTS, "li"})
_DEFAULT_LANGUAGE = "x-default"


@dataclass(frozen=True, slots=True, kw_only=True)
class XmpProperty:
    """Property of a document in a packet: the text of an attribute, or an element."""

    term: str
    text: str | None = None
    node: XmlNode | None = None

    @property
    def values(self) -> tuple[Statement, ...]:
        """Statements, one for each simple value."""
        if self.node is None:
            return (_make_statement(self.term, self.text or "", None),)
        container = _find_list(self.node)
        holders = (self.node,) if container is None else tuple(container.find_all(RDF, "li"))
        values: list[Statement] = []
        for holder in holders:
            # A value with qualifiers stands in a description (section 7).
            node = holder.find_first(RDF, "Description") or holder
            value = node.find_first(RDF, "value") or holder
            resource = value.get("resource", RDF)
            if resource is not None:
                values.append(_make_statement(self.term, resource, None, is_iri=True))
            elif next(value.elements, None) is None:
                values.append(_make_statement(self.term, value.text, holder.opening.language))
        return tuple(values)

    @property
    def is_blank(self) -> bool:
        """True if an element has neither a value nor a qualifier; a structure may have one."""
        waiting = [] if self.node is None else [self.node]
        while waiting:
            node = waiting.pop()
            attributes = (each for each in node.opening.attributes if each.uri != XML_NAMESPACE)
            if node.text.strip() or any(each.value.strip() for each in attributes):
                return False
            for each in node.elements:
                if each.opening.uri != RDF or each.opening.local not in _LIST_ELEMENTS:
                    return False
                waiting.append(each)
        return self.node is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class XmpPacket:
    """Packet with its codec, its element ``rdf:RDF`` and all properties of the document."""

    codec: str
    rdf: XmlNode
    properties: tuple[XmpProperty, ...]

    @property
    def about(self) -> str:
        """URI of the described resource, as it is written; mostly the empty text."""
        for each in self.rdf.find_all(RDF, "Description"):
            about = each.get("about", RDF)
            return (about if about is not None else each.get("about")) or ""
        return ""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Simple values, in their order."""
        values = (each for found in self.properties for each in found.values)
        return tuple(each for each in values if each.value)


def parse_packet(data: bytes, name: str = "") -> XmpPacket:
    """Parse a packet of the document that is named in messages."""
    try:
        codec = detect_codec(document_from_bytes(data, name))
        # Some writers use NUL bytes as filling; the last byte of a letter in UTF-16 may be zero.
        size = len(data.rstrip(b"\0"))
        size += size % len("\0".encode(codec))
        root = parse_root(document_from_bytes(data[:size], name))
    except DocumentError as fault:
        why = fault.finding.message
        raise make_error("LX350", name, why=why.partition(";")[0]) from None
    waiting, rdf = deque([root]), None
    while waiting and rdf is None:
        node = waiting.popleft()
        rdf = node if node.opening.is_named(RDF, "RDF") else None
        waiting.extend(node.elements)
    if rdf is None:
        raise make_error("LX350", name, why="it has no rdf:RDF")
    properties: list[XmpProperty] = []
    for description in rdf.find_all(RDF, "Description"):
        properties += (
            XmpProperty(term=each.uri + each.local, text=each.value)
            for each in description.opening.attributes
            if each.uri and each.uri not in {RDF, XML_NAMESPACE}
        )
        properties += (
            XmpProperty(term=each.opening.uri + each.opening.local, node=each)
            for each in description.elements
            if each.opening.uri
        )
    return XmpPacket(codec=codec, rdf=rdf, properties=tuple(properties))


def _find_list(node: XmlNode) -> XmlNode | None:
    """Return the list in an element; None if there is none."""
    for each in node.elements:
        if each.opening.uri == RDF and each.opening.local in _RDF_LISTS:
            return each
    return None


def _make_statement(
    term: str, value: str, language: str | None, *, is_iri: bool = False
) -> Statement:
    return Statement(
        notation=Notation.XMP,
        term=term,
        value=value.strip(),
        is_iri=is_iri,
        language=None if language == _DEFAULT_LANGUAGE else language,
    )


XMP_LABEL: Final = "the XMP metadata"
"""Position of a name, for messages."""

_EMPTY_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""
_PREFIXES = {DC: "dc", XMP: "xmp", PRISM: "prism"}


class MergedPacket(NamedTuple):
    """Packet with the metadata of a name; the old bytes if nothing had to be added."""

    data: bytes
    findings: tuple[Finding, ...]


@dataclass(slots=True, kw_only=True)
class _PacketDraft:
    """Additions to a packet.

    Attributes:
        document: the packet with the name of the file, for messages.
        statements: all statements of the file, in the packet and beside it.
    """

    document: Document
    packet: XmpPacket
    statements: tuple[Statement, ...]
    elements: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def append(self, node: XmlNode, text: str) -> None:
        """Put text at the end of an element."""
        codec, start, end = self.packet.codec, node.content_end, node.content_end
        if node.opening.is_empty:
            text = f">{text}</{node.opening.qualify(node.opening.local)}>"
            start, end = node.opening.end - len(encode_xml("/>", codec)), node.opening.end
        self.edits.append(Edit(start=start, end=end, new=encode_xml(text, codec)))

    def find_property(self, term: str) -> XmpProperty | None:
        """Return the first property of an IRI that is not blank; None if there is none."""
        there = (each for each in self.packet.properties if each.term == term)
        return next((each for each in there if not each.is_blank), None)

    def find_values(self, term: str) -> set[str] | None:
        """Return the values of a property in the packet; None if it does not have it."""
        found = self.find_property(term)
        return None if found is None else {each.value for each in found.values}

    def add(self, namespace: str, local: str, content: str) -> None:
        """Add a property that is missing or blank."""
        for each in self.packet.properties:
            if each.term == namespace + local and each.node is not None:
                self.edits.append(Edit(start=each.node.start, end=each.node.end, new=b""))
        name = f"{_PREFIXES[namespace]}:{local}"
        self.elements.append(f"<{name}>{content}</{name}>")

    def add_list(self, namespace: str, local: str, values: Sequence[str]) -> None:
        """Add values to a list, which may be there already."""
        found = self.find_property(namespace + local)
        present = self.find_values(namespace + local) or set()
        absent = [each for each in dict.fromkeys(values) if each not in present]
        if not absent:
            return
        container = None if found is None or found.node is None else _find_list(found.node)
        li = "rdf:li" if container is None else container.opening.qualify("li")
        items = "".join(f"<{li}>{escape_xml(each)}</{li}>" for each in absent)
        if found is None:
            self.add(namespace, local, f"<rdf:Bag>{items}</rdf:Bag>")
        elif container is None:
            self.refuse(f"{_PREFIXES[namespace]}:{local}", ", ".join(absent))
        else:
            self.append(container, items)

    def refuse(self, term: str, what: str) -> None:
        """Note that a property is not added."""
        self.findings.append(make_finding("LX354", self.document.name, term=term, what=what))


def merge_packet(
    data: bytes, marking: DocumentMetadata, name: str, beside: Iterable[Statement] = ()
) -> MergedPacket:
    """Merge the metadata of a name into a packet.

    Present values are kept. If ``dc:identifier`` is an alias, or not a LEX name, the name goes into
    the list ``xmp:Identifier``. A title, language or version is added if there is none. The
    document may have statements beside the packet.
    """
    if not data.strip(b"\0\t\n\r "):
        data = _EMPTY_PACKET.encode()
    packet = parse_packet(data, name)
    draft = _PacketDraft(
        document=document_from_bytes(data, name),
        packet=packet,
        statements=(*packet.statements, *beside),
    )
    text = str(marking.name)
    names = [each.value for each in draft.statements if each.term in IDENTIFIER_TERMS]
    if not has_name(draft.document, XMP_LABEL, marking, names):
        if draft.find_values(DC + "identifier") is None:
            draft.add(DC, "identifier", escape_xml(text))
        else:
            draft.add_list(XMP, "Identifier", [text])
        if draft.findings:
            why = "dc:identifier has another value, and xmp:Identifier is not a list"
            raise make_error("LX341", name, why=why)
    draft.add_list(DC, "relation", [iri for _, iri in marking.relations])
    languages = [each.value for each in draft.statements if each.term == DC + "language"]
    remarks = find_language_conflict(draft.document, marking, languages)
    draft.findings += remarks
    has_language = any(draft.find_values(DC + "language") or ())
    if marking.language is not None and not remarks and not has_language:
        draft.add_list(DC, "language", [marking.language])
    if draft.find_property(_PDFA_PART) is None:
        _add_titles(draft, marking)
        if marking.version is not None and draft.find_property(_VERSION) is None:
            draft.add(PRISM, "versionIdentifier", escape_xml(marking.version))
    if draft.elements:
        draft.append(packet.rdf, _write_description(draft))
    new = apply_edits(draft.document, sorted(draft.edits))
    return MergedPacket(data=new, findings=tuple(draft.findings))


def _add_titles(draft: _PacketDraft, marking: DocumentMetadata) -> None:
    titles = [each for each in marking.titles if each.value.strip()]
    is_there = any(each.term == DC + "title" for each in draft.statements)
    if not titles or is_there:
        return
    if draft.find_values(DC + "title") is not None:
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
