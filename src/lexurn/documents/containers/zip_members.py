"""XML members of ZIP containers: their elements, and the blocks of lexurn in them.

Members of metadata are small (`ZipContainer.read_member` checks that), so they are read whole. A
block stands between two comments. If it replaced something, the first comment quotes that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

from lexurn.documents.containers.xml import (
    BLOCK_BEGIN,
    BLOCK_END,
    Comment,
    EndTag,
    StartTag,
    Text,
    detect_codec,
    encode_xml,
    escape_xml,
    parse_events,
    read_layout,
)
from lexurn.documents.containers.zip import replace_members
from lexurn.documents.document import Change, Edit, apply_edits, document_from_bytes
from lexurn.documents.findings import DocumentError, make_finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.documents.containers.xml import XmlEvent
    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.documents.document import Document
    from lexurn.findings import Finding

BlockPlace = tuple[int, int, str]
"""The offsets between which a block replaces the bytes, and the text of the block."""

_BEGIN_COMMENT = re.compile(rf" {BLOCK_BEGIN}(?: ([\w%/.~]+))? ", re.ASCII)
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
        is_embedded: whether it stands in a block of lexurn.
        path: the namespaces and names of its ancestors and its own, outermost first; empty for an
            element that stands too deep to be metadata.
    """

    opening: StartTag
    closing: EndTag
    text: str
    is_embedded: bool
    path: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class XmlMember:
    """XML member.

    Attributes:
        document: its bytes.
        elements: its elements, in the order of the document.
        blocks: the edits that replace each block of lexurn by the bytes that were there.
    """

    document: Document
    elements: tuple[MemberElement, ...]
    blocks: tuple[Edit, ...]

    @property
    def substance(self) -> tuple[tuple[object, ...], ...]:
        """Elements, attributes and texts, without the layout."""
        return tuple(
            (each.path, each.opening.attributes, each.text, each.is_embedded)
            for each in self.elements
        )

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

    @cached_property
    def base(self) -> bytes | None:
        """Bytes without the blocks of lexurn; None if no more than a declaration remains."""
        is_there = any(not each.is_embedded for each in self.elements)
        if is_there or any(block.new for block in self.blocks):
            return apply_edits(self.document, self.blocks)
        return None

    def with_blocks(self, places: Iterable[BlockPlace]) -> bytes:
        """Return the bytes with blocks put in."""
        edits = [
            Edit(start=start, end=end, new=self._write_block(self.document.read(start, end), text))
            for start, end, text in places
        ]
        return apply_edits(self.document, sorted(edits))

    def without(self, element: MemberElement) -> bytes:
        """Return the bytes without an element."""
        cut = Edit(start=element.opening.start, end=element.closing.end, new=b"")
        return apply_edits(self.document, [cut])

    def with_text(self, text: str) -> bytes:
        """Return the bytes with a text at the end of the root, without comments around it."""
        at = self.root.closing.start
        new = encode_xml(text, detect_codec(self.document))
        return apply_edits(self.document, [Edit(start=at, end=at, new=new)])

    def place_block(self, parent: MemberElement, tags: Sequence[str]) -> BlockPlace:
        """Place a block at the end of an element, which may be written ``<a/>``."""
        codec = detect_codec(self.document)
        if not parent.opening.is_empty:
            at = parent.closing.start
            layout = read_layout(self.document, at, codec)
            return at, at, layout + layout.join(tags) + layout
        opening = parent.opening
        written = self.document.read(opening.start, opening.end).decode(codec, "surrogateescape")
        name = f"{opening.prefix}:{opening.local}" if opening.prefix else opening.local
        text = f"{written.removesuffix('/>').rstrip()}>{''.join(tags)}</{name}>"
        return opening.start, opening.end, text

    def _write_block(self, old: bytes, text: str) -> bytes:
        quoted = quote_from_bytes(old, safe="/.~").replace("-", "%2D")
        begin = f"<!-- {BLOCK_BEGIN} {quoted} -->" if quoted else f"<!-- {BLOCK_BEGIN} -->"
        codec = detect_codec(self.document)
        # Bytes that are invalid in the encoding stay as they are.
        content = (
            text.encode("utf-8", "surrogateescape") if codec == "utf-8" else encode_xml(text, codec)
        )
        return encode_xml(begin, codec) + content + encode_xml(f"<!-- {BLOCK_END} -->", codec)


def parse_member(document: Document, member: str, data: bytes) -> XmlMember:
    """Parse an XML member.

    Args:
        document: the container, for messages.
        member: the name of the member.
        data: its content.

    Raises:
        DocumentError: it is not readable XML, or the comments around a block are broken.
    """
    content = document_from_bytes(data, f"{document.name} ({member})")
    reader = _MemberReader()
    for event in parse_events(content):
        reader.take(event)
        if len(reader.done) > _MOST_ELEMENTS:
            raise DocumentError(make_finding("LX364", document.name, member=member))
    if reader.begin is not None or reader.is_broken:
        what = "a beginning without an end, or an end without a beginning,"
        raise DocumentError(make_finding("LX334", content.name, what=what))
    elements = tuple(sorted(reader.done, key=lambda each: each.opening.start))
    return XmlMember(document=content, elements=elements, blocks=tuple(reader.blocks))


class _MemberReader:
    """Elements and blocks read so far."""

    def __init__(self) -> None:
        self.done: list[MemberElement] = []
        self.blocks: list[Edit] = []
        self.begin: tuple[int, bytes] | None = None
        self.is_broken = False
        self._open: list[StartTag] = []
        self._texts: list[list[str]] = []
        self._path: list[tuple[str, str]] = []

    def take(self, event: XmlEvent) -> None:
        """Take the next event."""
        if isinstance(event, StartTag):
            self._open.append(event)
            self._texts.append([])
            self._path.append((event.uri or "", event.local))
        elif isinstance(event, EndTag):
            self._close_element(event)
        elif isinstance(event, Text) and self._texts:
            self._texts[-1].append(event.value)
        elif isinstance(event, Comment):
            self._take_comment(event)

    def _close_element(self, closing: EndTag) -> None:
        opening, text = self._open.pop(), "".join(self._texts.pop())[:_LONGEST_TEXT]
        self.done.append(
            MemberElement(
                opening=opening,
                closing=closing,
                text=text.strip(),
                is_embedded=self.begin is not None and opening.start >= self.begin[0],
                path=tuple(self._path) if len(self._path) <= _DEEPEST else (),
            )
        )
        self._path.pop()
        if self._texts:
            self._texts[-1].append(text)

    def _take_comment(self, comment: Comment) -> None:
        if comment.value == f" {BLOCK_END} ":
            if self.begin is None:
                self.is_broken = True
                return
            start, replaced = self.begin
            self.blocks.append(Edit(start=start, end=comment.end, new=replaced))
            self.begin = None
        elif found := _BEGIN_COMMENT.fullmatch(comment.value):
            self.is_broken = self.is_broken or self.begin is not None
            self.begin = comment.start, unquote_to_bytes(found[1] or "")


def make_member(text: str) -> bytes:
    """Return a new member: a declaration, and a block with the root element."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return f"{head}\n<!-- {BLOCK_BEGIN} -->{text}<!-- {BLOCK_END} -->".encode()


def make_tag(
    opening: StartTag,
    name: tuple[str, str, str],
    content: str,
    attributes: Mapping[str, str] | None = None,
) -> str:
    """Write an element to be put into another one.

    Args:
        opening: the start tag of the other one, whose prefixes are in scope.
        name: the prefix to declare if its namespace has none in scope, its namespace, and its
            local name.
        content: its content, already escaped.
        attributes: its attributes, with their values.
    """
    prefix, uri, local = name
    known = next((key for key, value in opening.scope.items() if value == uri), None)
    full = ":".join(filter(None, (prefix if known is None else known, local)))
    start = full if known is not None else f'{full} xmlns:{prefix}="{uri}"'
    pairs = (attributes or {}).items()
    start += "".join(f' {key}="{escape_xml(value)}"' for key, value in pairs)
    return f"<{start}>{content}</{full}>" if content else f"<{start}/>"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberState:
    """Content of a member without the blocks of lexurn, and as it is to be.

    Attributes:
        base: the content without the blocks of lexurn; None if there is no member then.
        wanted: the content as it is to be; None if there is to be no member.
    """

    base: bytes | None
    wanted: bytes | None


def _is_in_state(container: ZipContainer, name: str, state: MemberState) -> bool:
    """Return whether a member is in a state; a program may have changed its layout in a save."""
    content, wanted = container.read_member(name), state.wanted
    if content == wanted:
        return True
    if content is None or wanted is None or state.base in {content, wanted}:
        return False
    now, then = (parse_member(container.document, name, each) for each in (content, wanted))
    return now.substance == then.substance


def make_change(
    container: ZipContainer,
    states: Mapping[str, MemberState],
    findings: Iterable[Finding],
    signature: str | None,
    *,
    is_forced: bool,
) -> Change:
    """Return the change that brings members into a state.

    Args:
        container: the container.
        states: the states of members by name; all others stay.
        findings: the findings so far.
        signature: the member with a signature of the document; None if it is not signed.
        is_forced: whether a signature may be broken.

    Raises:
        DocumentError: the container cannot be changed, or is signed.
    """
    contents = {
        name: state.wanted
        for name, state in states.items()
        if not _is_in_state(container, name, state)
    }
    edits, result = replace_members(container, contents), list(findings)
    if edits and signature is not None:
        code = "LX366" if is_forced else "LX365"
        result.append(make_finding(code, container.document.name, member=signature))
        if not is_forced:
            raise DocumentError(result[-1])
    return Change(edits=edits, findings=tuple(result))


def read_required(container: ZipContainer, member: str, label: str) -> bytes:
    """Return the content of a member that the format requires.

    Raises:
        DocumentError: it is missing, or cannot be read.
    """
    content = container.read_member(member)
    if content is None:
        why = f"it has no {member}"
        raise DocumentError(make_finding("LX367", container.document.name, label=label, why=why))
    return content
