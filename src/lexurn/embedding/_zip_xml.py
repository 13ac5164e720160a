"""The XML members of containers: what stands in them, and blocks of ours that are put in.

Members of metadata are small (`Container.content` sees to it), so they are read whole. A block
stands between two comments; where it took the place of something, the first comment says of what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

from lexurn.embedding._document import document_of
from lexurn.embedding._edit import Edit, edited
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._xml import Closing, Comment, Opening, Text, events
from lexurn.embedding._xml_writing import BEGIN, END, codec_of, encoded, escaped, layout_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._xml import Event

__all__ = ["Element", "Page", "Place", "new_member", "page_of", "tag"]

Place = tuple[int, int, str]
"""From which offset to which one a block takes the place of what is there, and what is in it."""

_BEGIN = re.compile(rf" {BEGIN}(?: ([\w%/.~]+))? ", re.ASCII)
# A package document of a large book lists some ten thousand files, twice.
_MOST_ELEMENTS = 200_000
_LONGEST_TEXT = 1 << 16
# All that says something of a document stands less deep.
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element.

    Attributes:
        opening: its start tag.
        closing: its end.
        text: all text in it, blanks around it aside.
        is_ours: whether it stands in a block of ours.
        path: the namespaces and names of the elements that it stands in, and its own, outermost
            first; empty for what stands so deep that nobody asks for it.
    """

    opening: Opening
    closing: Closing
    text: str
    is_ours: bool
    path: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Page:
    """An XML member.

    Attributes:
        document: its bytes.
        elements: its elements, in the order of the document.
        blocks: where our blocks stand, and the bytes that were there.
    """

    document: Document
    elements: tuple[Element, ...]
    blocks: tuple[Edit, ...]

    @property
    def substance(self) -> tuple[tuple[object, ...], ...]:
        """What it says, and what of it is ours; not how it is laid out."""
        return tuple(
            (each.path, each.opening.attributes, each.text, each.is_ours) for each in self.elements
        )

    @property
    def root(self) -> Element:
        """The outermost element."""
        return self.elements[0]

    def named(self, *path: tuple[str, str]) -> Iterator[Element]:
        """The elements with a path: their own name is its last."""
        return (each for each in self.elements if each.path == path)

    def below(self, *path: tuple[str, str]) -> Iterator[Element]:
        """The elements that stand right in one with a path."""
        return (each for each in self.elements if each.path[:-1] == path)

    @cached_property
    def base(self) -> bytes | None:
        """The bytes without our blocks; None where nothing but a declaration remains."""
        is_there = any(not each.is_ours for each in self.elements)
        if is_there or any(block.new for block in self.blocks):
            return edited(self.document, self.blocks)
        return None

    def with_blocks(self, places: Iterable[Place]) -> bytes:
        """The bytes with blocks put in."""
        edits = [
            Edit(start=start, end=end, new=self._block(self.document.read(start, end), text))
            for start, end, text in places
        ]
        return edited(self.document, sorted(edits))

    def without(self, element: Element) -> bytes:
        """The bytes without an element."""
        cut = Edit(start=element.opening.start, end=element.closing.end, new=b"")
        return edited(self.document, [cut])

    def plainly_with(self, text: str) -> bytes:
        """The bytes with a text at the end of the outermost element, and no comments around it."""
        at = self.root.closing.start
        new = encoded(text, codec_of(self.document))
        return edited(self.document, [Edit(start=at, end=at, new=new)])

    def within(self, parent: Element, tags: Sequence[str]) -> Place:
        """A block at the end of an element, also of one that is written ``<a/>``."""
        codec = codec_of(self.document)
        if not parent.opening.is_empty:
            at = parent.closing.start
            layout = layout_before(self.document, at, codec)
            return at, at, layout + layout.join(tags) + layout
        opening = parent.opening
        written = self.document.read(opening.start, opening.end).decode(codec, "surrogateescape")
        name = f"{opening.prefix}:{opening.local}" if opening.prefix else opening.local
        text = f"{written.removesuffix('/>').rstrip()}>{''.join(tags)}</{name}>"
        return opening.start, opening.end, text

    def _block(self, old: bytes, text: str) -> bytes:
        was = quote_from_bytes(old, safe="/.~").replace("-", "%2D")
        begin = f"<!-- {BEGIN} {was} -->" if was else f"<!-- {BEGIN} -->"
        codec = codec_of(self.document)
        # Bytes that were there go back as they were, even where they are none of the encoding.
        kept = text.encode("utf-8", "surrogateescape") if codec == "utf-8" else encoded(text, codec)
        return encoded(begin, codec) + kept + encoded(f"<!-- {END} -->", codec)


def page_of(document: Document, member: str, data: bytes) -> Page:
    """A member as a page.

    Args:
        document: the container, for messages.
        member: the name of the member.
        data: its content.

    Raises:
        EmbeddingError: it is no XML that can be read, or the comments around our blocks are broken.
    """
    content = document_of(data, f"{document.name} ({member})")
    reader = _Reader()
    for event in events(content):
        reader.take(event)
        if len(reader.done) > _MOST_ELEMENTS:
            raise EmbeddingError(finding("LX364", document.name, member=member))
    if reader.begin is not None or reader.is_broken:
        what = "a beginning without an end, or an end without a beginning,"
        raise EmbeddingError(finding("LX334", content.name, what=what))
    elements = tuple(sorted(reader.done, key=lambda each: each.opening.start))
    return Page(document=content, elements=elements, blocks=tuple(reader.blocks))


class _Reader:
    """What was seen of a page so far."""

    def __init__(self) -> None:
        self.done: list[Element] = []
        self.blocks: list[Edit] = []
        self.begin: tuple[int, bytes] | None = None
        self.is_broken = False
        self._open: list[Opening] = []
        self._texts: list[list[str]] = []
        self._path: list[tuple[str, str]] = []

    def take(self, event: Event) -> None:
        """See one thing more."""
        if isinstance(event, Opening):
            self._open.append(event)
            self._texts.append([])
            self._path.append((event.uri or "", event.local))
        elif isinstance(event, Closing):
            self._close(event)
        elif isinstance(event, Text) and self._texts:
            self._texts[-1].append(event.value)
        elif isinstance(event, Comment):
            self._comment(event)

    def _close(self, closing: Closing) -> None:
        opening, text = self._open.pop(), "".join(self._texts.pop())[:_LONGEST_TEXT]
        self.done.append(
            Element(
                opening=opening,
                closing=closing,
                text=text.strip(),
                is_ours=self.begin is not None and opening.start >= self.begin[0],
                path=tuple(self._path) if len(self._path) <= _DEEPEST else (),
            )
        )
        self._path.pop()
        if self._texts:
            self._texts[-1].append(text)

    def _comment(self, comment: Comment) -> None:
        if comment.value == f" {END} ":
            if self.begin is None:
                self.is_broken = True
                return
            start, was = self.begin
            self.blocks.append(Edit(start=start, end=comment.end, new=was))
            self.begin = None
        elif found := _BEGIN.fullmatch(comment.value):
            self.is_broken = self.is_broken or self.begin is not None
            self.begin = comment.start, unquote_to_bytes(found[1] or "")


def new_member(text: str) -> bytes:
    """A member that is all ours: a declaration, and a block with its outermost element."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return f"{head}\n<!-- {BEGIN} -->{text}<!-- {END} -->".encode()


def tag(
    opening: Opening,
    name: tuple[str, str, str],
    content: str,
    attributes: Mapping[str, str] | None = None,
) -> str:
    """An element to be put into another one.

    Args:
        opening: the start tag of the other one, whose prefixes are in scope.
        name: the prefix that it gets where its namespace has none in scope, its namespace, and
            its local name.
        content: what stands in it, as it is written.
        attributes: its attributes, with their values.
    """
    prefix, uri, local = name
    known = next((key for key, value in opening.scope.items() if value == uri), None)
    full = ":".join(filter(None, (prefix if known is None else known, local)))
    start = full if known is not None else f'{full} xmlns:{prefix}="{uri}"'
    pairs = (attributes or {}).items()
    start += "".join(f' {key}="{escaped(value)}"' for key, value in pairs)
    return f"<{start}>{content}</{full}>" if content else f"<{start}/>"
