"""A page as a tree: what a reader of its metadata has to see, whoever parsed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Element", "Page", "Tree"]

_BEGIN, _END = "lexurn:begin", "lexurn:end"
LONGEST_VALUE = 65_536
"""How many characters of one text are read: no title or name is as long."""


@dataclass(slots=True, eq=False, kw_only=True)
class Element:
    """An element of a page.

    Attributes:
        name: its name without prefix; of an element of HTML in lower case.
        attributes: its attributes by their names, ``xml:lang`` with its prefix.
        parent: the element that it stands in, None for the root.
        children: the elements in it.
        line: the line of its start tag, from 1; 0 where none is known.
        order: its place among all elements, from 0.
        is_ours: whether it stands in a block that lexurn wrote.
        language: the language tag that holds for its text, by it or what it stands in.
        own_language: the language tag that it says itself, None where it says none.
        start: where its text begins in that of the page.
        end: where its text ends.
        declared: prefixes of namespaces that hold there; the same object where they are the same.
    """

    name: str
    attributes: Mapping[str, str]
    parent: Element | None
    line: int
    order: int
    start: int
    end: int = 0
    is_ours: bool = False
    language: str | None = None
    own_language: str | None = None
    children: list[Element] = field(default_factory=list)
    declared: Mapping[str, str] = field(default_factory=dict)

    def get(self, attribute: str) -> str | None:
        """The value of an attribute, None where it has none of that name."""
        return self.attributes.get(attribute)


def _own_language(attributes: Mapping[str, str], *, is_xml: bool) -> str | None:
    """What the attributes say (HTML section 3.2.6.2); empty where they say that none is known."""
    said = attributes.get("lang")
    if is_xml:
        said = attributes.get("xml:lang", said)
    return None if said is None else said.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that was parsed.

    Attributes:
        elements: all elements, in the order of the page; the first is the root. None for nothing.
        text: the text of all elements, one after the other.
        is_xml: whether it was read as XML.
        is_xhtml1: whether it was read as XML whose document type is one of XHTML 1.
    """

    elements: Sequence[Element]
    text: str
    is_xml: bool = False
    is_xhtml1: bool = False

    def named(self, *names: str) -> Iterator[Element]:
        """The elements of some names, in the order of the page."""
        return (element for element in self.elements if element.name in names)

    def text_of(self, element: Element) -> str:
        """The text of an element and of all in it; what is too long for a value is cut."""
        return self.text[element.start : min(element.end, element.start + LONGEST_VALUE)]

    def whole_text_of(self, element: Element) -> str:
        """All of the text of an element."""
        return self.text[element.start : element.end]

    @property
    def base(self) -> str | None:
        """What ``<base href>`` says, None where there is none."""
        for element in self.named("base"):
            href = element.get("href")
            if href is not None:
                return href.strip()
        return None


class Tree:
    """A page that grows as its parts come in the order of the document."""

    def __init__(self, *, is_xml: bool = False) -> None:
        """Begin with nothing.

        Args:
            is_xml: whether it is read as XML.
        """
        self._is_xml = is_xml
        self._elements: list[Element] = []
        self._open: list[Element] = []
        self._texts: list[str] = []
        self._length = 0
        self._begun: int | None = None
        self._is_marked = self._is_past_head = False

    @property
    def size(self) -> int:
        """How many elements there are."""
        return len(self._elements)

    @property
    def length(self) -> int:
        """How many characters of text there are."""
        return self._length

    def open(
        self,
        name: str,
        attributes: Mapping[str, str],
        *,
        line: int,
        declared: Mapping[str, str] | None = None,
    ) -> None:
        """An element begins."""
        parent = self._open[-1] if self._open else None
        said = _own_language(attributes, is_xml=self._is_xml)
        inherited = None if parent is None else parent.language
        element = Element(
            name=name,
            attributes=attributes,
            parent=parent,
            line=line,
            order=len(self._elements),
            start=self._length,
            language=inherited if said is None else said or None,
            own_language=said or None,
            declared=declared or {},
        )
        if parent is not None:
            parent.children.append(element)
        self._elements.append(element)
        self._open.append(element)

    def close(self) -> None:
        """The element that began last ends."""
        element = self._open.pop()
        self._is_past_head = self._is_past_head or element.name == "head"
        element.end = self._length

    def say(self, text: str) -> None:
        """Some text stands there."""
        self._texts.append(text)
        self._length += len(text)

    def comment(self, text: str) -> None:
        """A comment stands there: it may begin or end the block that lexurn wrote.

        The block ends in the head. It may begin before it: a head whose tag is left out begins with
        the first element that belongs there.
        """
        parent = self._open[-1].name if self._open else None
        if self._is_marked or parent not in {None, "html", "head"} or self._is_past_head:
            return
        mark = self._mark(text)
        if mark == _BEGIN:
            self._begun = len(self._elements)
        elif mark == _END and self._begun is not None and parent == "head":
            for element in self._elements[self._begun :]:
                element.is_ours = element.name not in {"head", "html"}
            self._is_marked = True

    def _mark(self, text: str) -> str:
        """What a comment says as a mark; of HTML no other blanks than lexurn's own make one."""
        if self._is_xml:
            return text.strip()
        return text[1:-1] if text[:1] == text[-1:] == " " else ""

    def page(self, *, is_xhtml1: bool = False) -> Page:
        """The page, with all that is open closed."""
        while self._open:
            self.close()
        return Page(
            elements=self._elements,
            text="".join(self._texts),
            is_xml=self._is_xml,
            is_xhtml1=is_xhtml1,
        )
