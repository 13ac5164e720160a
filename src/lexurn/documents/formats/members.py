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
from lexurn.documents.document import Change, Edit, Statement, apply_edits, document_from_bytes
from lexurn.documents.findings import DocumentError, make_error, make_finding
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
# A package document of a large book lists some ten thousand files, twice.
_MOST_ELEMENTS = 200_000
_LONGEST_TEXT = 1 << 16
# All metadata elements stand less deep.
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberElement:
    """Element of an XML member.

    Attributes:
        opening: its start tag.
        closing: its end.
        text: all text in it, without blanks around it.
        is_embedded: True if it stands in a block of lexurn.
        path: the namespaces and names of its ancestors and its own, outermost first; empty for an
            element that stands too deep to be metadata.
    """

    opening: xml.StartTag
    closing: xml.EndTag
    text: str
    is_embedded: bool
    path: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class XmlMember:
    """XML member: its elements in order, and edits that replace our blocks by what was there."""

    document: Document
    elements: tuple[MemberElement, ...]
    blocks: tuple[Edit, ...]

    @property
    def root(self) -> MemberElement:
        """Outermost element."""
        return self.elements[0]

    def find_all(self, *path: tuple[str, str]) -> Iterator[MemberElement]:
        """Return the elements with a path; the last name is their own."""
        return (each for each in self.elements if each.path == path)

    def find_children(self, *path: tuple[str, str]) -> Iterator[MemberElement]:
        """Return the children of the elements with a path."""
        return (each for each in self.elements if each.path[:-1] == path)

    def read_texts(self, *path: tuple[str, str]) -> list[str]:
        """Return the texts of the elements with a path, without empty ones."""
        return [each.text for each in self.find_all(*path) if each.text]

    @cached_property
    def base(self) -> bytes | None:
        """Bytes without the blocks of lexurn; None if no more than a declaration remains."""
        is_there = any(not each.is_embedded for each in self.elements)
        if is_there or any(block.new for block in self.blocks):
            return apply_edits(self.document, self.blocks)
        return None

    def read_base(self) -> bytes:
        """Return the bytes without the blocks of lexurn; all if no more than those are there."""
        return self.base or self.document.read()

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

    def cut_element(self, element: MemberElement) -> bytes:
        """Return the bytes without an element."""
        cut = Edit(start=element.opening.start, end=element.closing.end, new=b"")
        return apply_edits(self.document, [cut])

    def append_tag(self, name: tuple[str, str, str], attributes: Mapping[str, str]) -> bytes:
        """Return the bytes with an element at the end of the root, without comments around it."""
        at = self.root.closing.start
        tag = make_tag(self.root.opening, name, "", attributes)
        new = xml.encode_xml(tag, xml.detect_codec(self.document))
        return apply_edits(self.document, [Edit(start=at, end=at, new=new)])

    def place_block(self, parent: MemberElement, tags: Sequence[str]) -> PlacedBlock:
        """Place a block at the end of an element, which may be written ``<a/>``."""
        codec = xml.detect_codec(self.document)
        opening = parent.opening
        if not opening.is_empty:
            at = parent.closing.start
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
    content = document_from_bytes(data, f"{document.name} ({member})")
    reader = _MemberReader()
    for event in xml.parse_events(content):
        reader.take(event)
        if len(reader.elements) > _MOST_ELEMENTS:
            raise make_error("LX364", document.name, member=member)
    if reader.begin is not None or reader.is_broken:
        what = "a beginning without an end, or an end without a beginning,"
        raise make_error("LX334", content.name, what=what)
    elements = tuple(sorted(reader.elements, key=lambda each: each.opening.start))
    return XmlMember(document=content, elements=elements, blocks=tuple(reader.blocks))


class _MemberReader:
    """Elements and blocks read so far."""

    def __init__(self) -> None:
        self.elements: list[MemberElement] = []
        self.blocks: list[Edit] = []
        self.begin: tuple[int, bytes] | None = None
        self.is_broken = False
        self._open: list[tuple[xml.StartTag, list[str]]] = []
        self._path: list[tuple[str, str]] = []

    def take(self, event: xml.XmlEvent) -> None:
        """Take the next event."""
        if isinstance(event, xml.StartTag):
            self._open.append((event, []))
            self._path.append((event.uri or "", event.local))
        elif isinstance(event, xml.EndTag):
            self._close_element(event)
        elif isinstance(event, xml.Text) and self._open:
            self._open[-1][1].append(event.value)
        elif isinstance(event, xml.Comment) and event.value == f" {xml.BLOCK_END} ":
            self.is_broken = self.is_broken or self.begin is None
            if self.begin is not None:
                start, replaced = self.begin
                self.blocks.append(Edit(start=start, end=event.end, new=replaced))
            self.begin = None
        elif isinstance(event, xml.Comment) and (found := _BEGIN_COMMENT.fullmatch(event.value)):
            self.is_broken = self.is_broken or self.begin is not None
            self.begin = event.start, unquote_to_bytes(found[1] or "")

    def _close_element(self, closing: xml.EndTag) -> None:
        opening, texts = self._open.pop()
        text = "".join(texts)[:_LONGEST_TEXT]
        self.elements.append(
            MemberElement(
                opening=opening,
                closing=closing,
                text=text.strip(),
                is_embedded=self.begin is not None and opening.start >= self.begin[0],
                path=tuple(self._path) if len(self._path) <= _DEEPEST else (),
            )
        )
        self._path.pop()
        if self._open:
            self._open[-1][1].append(text)


def make_member(text: str) -> bytes:
    """Return a new member: a declaration, and a block with the root element."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return f"{head}\n<!-- {xml.BLOCK_BEGIN} -->{text}<!-- {xml.BLOCK_END} -->".encode()


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
    new: dict[str, bytes | None] = {}
    for name, content in contents.items():
        old = container.read_member(name)
        is_same = old == content
        if old and content is not None and not is_same and xml.BLOCK_BEGIN.encode() in old:
            # Another program may have changed the layout alone.
            now, then = (
                [
                    (each.path, each.opening.attributes, each.text, each.is_embedded)
                    for each in parse_member(container.document, name, data).elements
                ]
                for data in (old, content)
            )
            is_same = now == then
        if not is_same:
            new[name] = content
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


def check_media_type(document: Document, marking: DocumentMetadata, media_type: str | None) -> None:
    """Check that the file format in a name is that of the document, if it declares one."""
    form, label = marking.name.manifestation, (media_type or "").strip()
    if form is None or media_type is None or names.is_of_media_type(form, [label]):
        return
    said, text, remedy = names.decode_media_type(form), str(marking.name), "name its expression"
    values = {"said": said, "label": label[:100], "remedy": remedy}
    raise make_error("LX310", document.name, text=text, **values)


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
    known = {each.path[-1]: each for each in page.find_children(*path)}
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
        elif value and element is not None and not element.text:
            blocks.append((element.opening.start, element.closing.end, written))
    return new, blocks
