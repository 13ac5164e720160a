"""What is put into an XMP packet: new properties, and new values in lists that are there.

All else stays byte for byte: what comes in is put in at an offset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import has_name, language_remarks
from lexurn.embedding._document import document_of
from lexurn.embedding._edit import Edit, edited
from lexurn.embedding._extraction_terms import IDENTIFIERS
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._terms import DC, PRISM
from lexurn.embedding._xml_writing import encoded, escaped
from lexurn.embedding._xmp import RDF, XMP, container_of, packet_of, statements_of
from lexurn.embedding._xmp_blank import cuts_of, is_blank, is_plain
from lexurn.embedding._xmp_extension import (
    SCHEMAS,
    is_archived,
    is_needed,
    new_description,
    place_of_description,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Statement
    from lexurn.embedding._xml_tree import Node
    from lexurn.embedding._xmp import Packet, Property
    from lexurn.export import Marking

__all__ = ["METADATA", "Merged", "identifiers_in", "merged"]

METADATA: Final = "the XMP metadata"
"""What says a name, for messages."""

_NEW = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""
_PREFIXES = {DC: "dc", XMP: "xmp", PRISM: "prism"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A packet that says what a marking says.

    Attributes:
        data: its bytes; those of the old packet where that said all of it already.
        findings: what to know about it.
    """

    data: bytes
    findings: tuple[DocumentFinding, ...] = field(default=())


@dataclass(slots=True, kw_only=True)
class _Draft:
    """What is to be put into a packet.

    Attributes:
        document: the packet with the name of the file, for messages.
        said: all that the file says, in the packet and beside it.
        has_title: whether there is a title beside it, be it a blank one.
    """

    document: Document
    packet: Packet
    said: tuple[Statement, ...]
    has_title: bool
    elements: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    findings: list[DocumentFinding] = field(default_factory=list)

    def put_in(self, node: Node, text: str) -> None:
        """Put text at the end of an element."""
        self.edits.append(edit_in(self.packet, node, text))

    def property(self, term: str) -> Property | None:
        """The first property of an IRI that is not blank, None where there is none."""
        there = (each for each in self.packet.properties if each.term == term)
        return next((each for each in there if not is_blank(each)), None)

    def values(self, term: str) -> set[str] | None:
        """What the packet says of a property, None where it does not have it."""
        found = self.property(term)
        return None if found is None else {each.value for each in found.values}

    def add(self, namespace: str, local: str, content: str) -> None:
        """Say a property that is not there, or blank."""
        self.edits.extend(cuts_of(self.packet, namespace + local))
        self.elements.append(_element(namespace, local, content))

    def add_text(self, namespace: str, local: str, value: str) -> None:
        """Say a simple property, unless the packet says it already, whatever its value."""
        if self.values(namespace + local) is None:
            self.add(namespace, local, escaped(value))

    def add_list(self, namespace: str, local: str, values: Sequence[str]) -> None:
        """Say that values belong to a list, which may be there already."""
        found = self.property(namespace + local)
        said = self.values(namespace + local) or set()
        absent = [each for each in dict.fromkeys(values) if each not in said]
        if not absent:
            return
        if found is None:
            self.add_bag(namespace, local, absent)
            return
        container = None if found.node is None else container_of(found.node)
        if container is None and is_plain(self.packet, found):
            self.add_bag(namespace, local, [*(each.value for each in found.values), *absent])
            return
        if container is None:
            self.refuse(f"{_PREFIXES[namespace]}:{local}", ", ".join(absent))
            return
        li = f"{container.opening.prefix}:li" if container.opening.prefix else "li"
        self.put_in(container, "".join(f"<{li}>{escaped(each)}</{li}>" for each in absent))

    def add_bag(self, namespace: str, local: str, values: Iterable[str]) -> None:
        """Say a list in the place of a property that is blank, or has a single value."""
        items = "".join(f"<rdf:li>{escaped(each)}</rdf:li>" for each in values)
        self.add(namespace, local, f"<rdf:Bag>{items}</rdf:Bag>")

    def refuse(self, term: str, what: str) -> None:
        """Say that something is not put in."""
        self.findings.append(finding("LX354", self.document.name, term=term, what=what))


def identifiers_in(said: Iterable[Statement]) -> tuple[str, ...]:
    """What a file says that it is called."""
    return tuple(each.value for each in said if each.term in IDENTIFIERS)


def merged(
    data: bytes,
    marking: Marking,
    name: str,
    beside: Iterable[Statement] = (),
    *,
    has_title: bool = False,
) -> Merged:
    """A packet with all that a marking says.

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
        EmbeddingError: the packet cannot be read, or has another LEX name.
    """
    if not data.strip(b"\0\t\n\r "):
        data = _NEW.encode()
    packet = packet_of(data, name)
    said = (*statements_of(packet), *beside)
    draft = _Draft(document=document_of(data, name), packet=packet, said=said, has_title=has_title)
    _add_name(draft, marking)
    draft.add_list(DC, "relation", [iri for _, iri in marking.relations])
    _add_language(draft, marking)
    _add_titles(draft, marking)
    if marking.version is not None:
        _add_version(draft, marking.version)
    return _finished(draft)


def _add_name(draft: _Draft, marking: Marking) -> None:
    if has_name(draft.document, METADATA, marking, identifiers_in(draft.said)):
        return
    if draft.values(DC + "identifier") is None:
        draft.add_text(DC, "identifier", str(marking.name))
        return
    draft.add_list(XMP, "Identifier", [str(marking.name)])
    if draft.findings:
        why = "dc:identifier says something else, and xmp:Identifier is no list to be added to"
        raise EmbeddingError(finding("LX341", draft.document.name, why=why))


def _add_language(draft: _Draft, marking: Marking) -> None:
    languages = [each.value for each in draft.said if each.term == DC + "language"]
    remarks = language_remarks(draft.document, marking, languages)
    draft.findings.extend(remarks)
    is_there = any(draft.values(DC + "language") or ())
    if marking.language is not None and not remarks and not is_there:
        draft.add_list(DC, "language", [marking.language])


def _add_titles(draft: _Draft, marking: Marking) -> None:
    titles = [each for each in marking.titles if each.value.strip()]
    is_there = any(each.term == DC + "title" for each in draft.said)
    is_kept = draft.has_title and is_archived(draft.packet)
    if not titles or is_there or is_kept:
        return
    if draft.values(DC + "title") is not None:
        draft.refuse("dc:title", "the title")
        return
    # The first item is for readers that have none in their language (section 8.2.2.4).
    said = {"x-default": titles[0].value}
    for each in titles:
        if each.language is not None:
            said.setdefault(each.language, each.value)
    items = "".join(
        f'<rdf:li xml:lang="{escaped(tag)}">{escaped(value)}</rdf:li>'
        for tag, value in said.items()
    )
    draft.add(DC, "title", f"<rdf:Alt>{items}</rdf:Alt>")


def _add_version(draft: _Draft, version: str) -> None:
    """The version; in PDF/A with a description of what that property is."""
    if draft.values(PRISM + "versionIdentifier") is not None:
        return
    if is_needed(draft.packet) and not _describe(draft):
        draft.refuse("pdfaExtension:schemas", f"the version {version}")
        return
    draft.add_text(PRISM, "versionIdentifier", version)


def _describe(draft: _Draft) -> bool:
    """Say what the property of the version is; False where there is no place for that."""
    if draft.packet.property(SCHEMAS) is None:
        draft.put_in(draft.packet.rdf, new_description(escaped(draft.packet.about)))
        return True
    place = place_of_description(draft.packet)
    if place is not None:
        draft.put_in(*place)
    return place is not None


def _element(namespace: str, local: str, content: str) -> str:
    name = f"{_PREFIXES[namespace]}:{local}"
    return f"<{name}>{content}</{name}>"


def _finished(draft: _Draft) -> Merged:
    if draft.elements:
        draft.put_in(draft.packet.rdf, _description(draft))
    edits = sorted(draft.edits)
    data = edited(document_of(draft.packet.data), edits)
    return Merged(data=data, findings=tuple(draft.findings))


def _description(draft: _Draft) -> str:
    """All new properties, with the namespaces that they need, whatever is declared around."""
    used = {
        prefix: namespace
        for namespace, prefix in _PREFIXES.items()
        if any(each.startswith(f"<{prefix}:") for each in draft.elements)
    }
    declared = "".join(f'\n    xmlns:{prefix}="{uri}"' for prefix, uri in used.items())
    lines = "\n   ".join(draft.elements)
    return (
        f' <rdf:Description xmlns:rdf="{RDF}" rdf:about="{escaped(draft.packet.about)}"{declared}>'
        f"\n   {lines}\n  </rdf:Description>\n "
    )


def edit_in(packet: Packet, node: Node, text: str) -> Edit:
    """The edit that puts text at the end of an element."""
    codec = packet.codec
    if not node.opening.is_empty:
        return Edit(start=node.content_end, end=node.content_end, new=encoded(text, codec))
    name = f"{node.opening.prefix}:{node.opening.local}".lstrip(":")
    slash = len(encoded("/>", codec))
    return Edit(
        start=node.opening.end - slash,
        end=node.opening.end,
        new=encoded(f">{text}</{name}>", codec),
    )
