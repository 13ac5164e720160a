"""Metadata of ZIP documents: XML members, the blocks of lexurn in them, and properties.

Members of metadata are small, so they are read whole. A block stands between two comments. If it
replaced something, the first comment quotes that.

Office programs show properties that anybody can define. Those of lexurn are ``urn:lex`` (the name),
and with a word after it ``urn:lex isVersionOf``, ``urn:lex previous`` ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes

from lexurn.documents import names
from lexurn.documents.containers import xml
from lexurn.documents.containers.zip import ZipContainer, replace_members
from lexurn.documents.document import (
    Change,
    DocumentError,
    Edit,
    Statement,
    apply_edits,
    document_from_bytes,
    make_error,
    make_finding,
)
from lexurn.documents.terms import PRISM
from lexurn.vocabulary import DC, DCTERMS, IANA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.documents.document import Document, Notation
    from lexurn.findings import Finding
    from lexurn.model import LanguageText
    from lexurn.pages import DocumentMetadata

PlacedBlock = tuple[int, int, str]
"""The offsets between which a block replaces the bytes, and the text of the block."""

_BEGIN_COMMENT = re.compile(rf" {xml.BLOCK_BEGIN}(?: ([\w%/.~]+))? ", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class XmlMember:
    """XML member: its root element, and edits that replace our blocks by what was there."""

    document: Document
    root: xml.XmlNode
    blocks: tuple[Edit, ...]

    def is_own(self, node: xml.XmlNode) -> bool:
        """Return whether an element stands in a block of lexurn."""
        return any(block.start <= node.start < block.end for block in self.blocks)

    def find_all(self, *path: tuple[str, str]) -> Iterator[xml.XmlNode]:
        """Return the elements with a path of namespaces and names, from the root to their own."""
        found = [self.root] if self.root.name == path[0] else []
        for name in path[1:]:
            found = [each for node in found for each in node.elements if each.name == name]
        return iter(found)

    def find_children(self, *path: tuple[str, str]) -> Iterator[xml.XmlNode]:
        """Return the children of the elements with a path."""
        return (each for node in self.find_all(*path) for each in node.elements)

    def read_texts(self, *path: tuple[str, str]) -> list[str]:
        """Return the texts of the elements with a path, without empty ones."""
        return [each.value for each in self.find_all(*path) if each.value]

    @cached_property
    def base(self) -> bytes | None:
        """Bytes without the blocks of lexurn; None if no more than a declaration remains."""
        if not self.is_own(self.root) or any(block.new for block in self.blocks):
            return apply_edits(self.document, self.blocks)
        return None

    @cached_property
    def bare(self) -> XmlMember:
        """Member without the blocks of lexurn; itself if no more than those are there."""
        if not self.blocks or self.base is None:
            return self
        return _parse_content(document_from_bytes(self.base, self.document.name))

    def add_blocks(self, blocks: Iterable[PlacedBlock]) -> bytes:
        """Return the bytes with blocks put in."""
        codec, edits = xml.detect_codec(self.document), []
        for start, end, text in blocks:
            old = self.document.read(start, end)
            quoted = quote_from_bytes(old, safe="/.~").replace("-", "%2D")
            begin = f"<!-- {xml.BLOCK_BEGIN}{' ' if quoted else ''}{quoted} -->"
            # Bytes that are invalid in the encoding stay as they are.
            errors = "surrogateescape" if codec == "utf-8" else "xmlcharrefreplace"
            new = f"{begin}{text}<!-- {xml.BLOCK_END} -->".encode(codec, errors)
            edits.append(Edit(start=start, end=end, new=new))
        return apply_edits(self.document, sorted(edits))

    def cut_element(self, element: xml.XmlNode) -> bytes:
        """Return the bytes without an element."""
        return apply_edits(self.document, [Edit(start=element.start, end=element.end, new=b"")])

    def append_tag(self, name: tuple[str, str, str], attributes: Mapping[str, str]) -> bytes:
        """Return the bytes with an element at the end of the root, without comments around it."""
        at = self.root.content_end
        tag = make_tag(self.root.opening, name, "", attributes)
        new = xml.encode_xml(tag, xml.detect_codec(self.document))
        return apply_edits(self.document, [Edit(start=at, end=at, new=new)])

    def place_block(self, parent: xml.XmlNode, tags: Sequence[str]) -> PlacedBlock:
        """Place a block at the end of an element, which may be written ``<a/>``."""
        codec = xml.detect_codec(self.document)
        opening = parent.opening
        if not opening.is_empty:
            at = parent.content_end
            layout = xml.read_layout(self.document, at, codec)
            return at, at, layout + layout.join(tags) + layout
        written = self.document.read(opening.start, opening.end).decode(codec, "surrogateescape")
        name = opening.qualify(opening.local)
        text = f"{written.removesuffix('/>').rstrip()}>{''.join(tags)}</{name}>"
        return opening.start, opening.end, text


def open_member(container: ZipContainer, name: str, label: str) -> XmlMember:
    """Open an XML member that a format requires; the label is that of the format."""
    content = container.read_member(name)
    if content is None:
        why = f"it has no {name}"
        raise make_error("LX367", container.document.name, label=label, why=why)
    return parse_member(container.document, name, content)


def parse_member(document: Document, member: str, data: bytes) -> XmlMember:
    """Parse the content of an XML member of a document."""
    return _parse_content(document_from_bytes(data, f"{document.name} ({member})"))


def _parse_content(content: Document) -> XmlMember:
    comments: list[xml.Comment] = []

    def note_comments() -> Iterator[xml.XmlEvent]:
        for event in xml.parse_events(content):
            if isinstance(event, xml.Comment):
                comments.append(event)
            yield event

    root = xml.parse_root(content, note_comments())
    blocks: list[Edit] = []
    begin: tuple[int, bytes] | None = None
    for comment in comments:
        found = _BEGIN_COMMENT.fullmatch(comment.value)
        if found is None and comment.value != f" {xml.BLOCK_END} ":
            continue
        if (found is None) == (begin is None):
            break
        if begin is not None:
            blocks.append(Edit(start=begin[0], end=comment.end, new=begin[1]))
        begin = None if found is None else (comment.start, unquote_to_bytes(found[1] or ""))
    else:
        if begin is None:
            return XmlMember(document=content, root=root, blocks=tuple(blocks))
    what = "a beginning without an end, or an end without a beginning,"
    raise make_error("LX334", content.name, what=what)


def make_tag(
    opening: xml.StartTag,
    name: tuple[str, str, str],
    content: str,
    attributes: Mapping[str, str] | None = None,
) -> str:
    """Write an element to be put into another one, whose start tag has the prefixes in scope.

    Its name is a prefix to declare if the namespace has none, the namespace, and the local name.
    Its content is escaped already.
    """
    prefix, uri, local = name
    known = next((key for key, value in opening.scope.items() if value == uri), None)
    full = ":".join(filter(None, (prefix if known is None else known, local)))
    start = full if known is not None else f'{full} xmlns:{prefix}="{uri}"'
    pairs = (attributes or {}).items()
    start += "".join(f' {key}="{xml.escape_xml(value)}"' for key, value in pairs)
    return f"<{start}>{content}</{full}>" if content else f"<{start}/>"


def make_change(
    container: ZipContainer,
    contents: Mapping[str, bytes | None],
    findings: Iterable[Finding],
    signature: str | None,
    *,
    is_forced: bool,
) -> Change:
    """Return the change that gives members a content; None for a member that is to be absent.

    A signature, the member with which is given, may only be broken if that is forced.
    """
    new = {name: data for name, data in contents.items() if data != container.read_member(name)}
    edits, result = replace_members(container, new), list(findings)
    if edits and signature is not None:
        code = "LX366" if is_forced else "LX365"
        result.append(make_finding(code, container.document.name, member=signature))
        if not is_forced:
            raise DocumentError(result[-1])
    return Change(edits=edits, findings=tuple(result))


NAME_PROPERTY: Final = "urn:lex"
"""Key of the property with the name."""

_PROPERTY_TERMS: Final[Mapping[str, str]] = {
    NAME_PROPERTY: f"{DC}identifier",
    "urn:lex isPartOf": f"{DCTERMS}isPartOf",
    "urn:lex isFormatOf": f"{DCTERMS}isFormatOf",
    "urn:lex isVersionOf": f"{DCTERMS}isVersionOf",
    "urn:lex first": f"{IANA}first",
    "urn:lex previous": f"{IANA}previous",
    "urn:lex version": f"{PRISM}versionIdentifier",
}
_TEXT_PROPERTIES = frozenset({NAME_PROPERTY, "urn:lex version"})


class DocumentProperty(NamedTuple):
    """Property of a document: its key and its value."""

    key: str
    value: str


def make_properties(marking: DocumentMetadata) -> tuple[DocumentProperty, ...]:
    """Return the properties of a document with a name."""
    version = [] if marking.version is None else [("version", marking.version)]
    pairs = ((f"{NAME_PROPERTY} {kind}", value) for kind, value in (*marking.relations, *version))
    return tuple(starmap(DocumentProperty, [(NAME_PROPERTY, str(marking.name)), *pairs]))


def choose_title(marking: DocumentMetadata) -> LanguageText | None:
    """Return one title: in the language of the name, else the first."""
    fitting = (each for each in marking.titles if each.language == marking.language)
    return next(fitting, marking.titles[0] if marking.titles else None)


def property_to_statement(
    notation: Notation, namespace: str, item: DocumentProperty, *, is_embedded: bool
) -> Statement:
    """Return a property as a statement; the namespace is for those that are not of lexurn."""
    term = _PROPERTY_TERMS.get(item.key)
    return Statement(
        notation=notation,
        term=f"{namespace}{quote(item.key, safe='')}" if term is None else term,
        value=item.value,
        is_iri=term is not None and item.key not in _TEXT_PROPERTIES,
        is_embedded=is_embedded,
    )


def find_missing_properties(
    document: Document, member: str, marking: DocumentMetadata, present: Iterable[DocumentProperty]
) -> tuple[tuple[DocumentProperty, ...], tuple[Finding, ...]]:
    """Return the properties of a name that a member lacks, and a finding for each other value.

    ``present`` holds those of other programs.
    """
    known: dict[str, list[str]] = {}
    for item in present:
        known.setdefault(item.key.casefold(), []).append(item.value)
    wanted, findings = [], []
    for item in make_properties(marking):
        values = known.get(item.key.casefold())
        if values is None:
            wanted.append(item)
            continue
        is_name = item.key == NAME_PROPERTY
        if is_name and not any(map(names.is_name_like, values)):
            raise names.make_name_conflict(document, member, marking, values[0])
        if item.value not in values and not (
            is_name and names.has_name(document, member, marking, values)
        ):
            findings.append(make_finding("LX368", document.name, text=values[0], member=member))
    return tuple(wanted), tuple(findings)


def place_dublin_core(
    page: XmlMember,
    path: Iterable[tuple[str, str]],
    marking: DocumentMetadata,
    identifier: str = "",
) -> tuple[list[str], list[PlacedBlock]]:
    """Return the new elements of Dublin Core for a name, and blocks in place of empty ones.

    An empty identifier is not written.
    """
    known = {each.name: each for each in page.find_children(*path)}
    title = choose_title(marking)
    values = (
        ("identifier", identifier),
        ("title", "" if title is None else title.value),
        ("language", marking.language or ""),
    )
    new: list[str] = []
    blocks: list[PlacedBlock] = []
    for local, value in values:
        element = known.get((DC, local))
        written = make_tag(page.root.opening, ("dc", DC, local), xml.escape_xml(value))
        if value and element is None:
            new.append(written)
        elif value and element is not None and not element.value:
            blocks.append((element.start, element.end, written))
    return new, blocks
