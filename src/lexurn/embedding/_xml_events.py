"""What stands in an XML document, piece by piece, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "XML",
    "Attribute",
    "Closing",
    "Comment",
    "Doctype",
    "Event",
    "Instruction",
    "Opening",
    "Text",
]

XML: Final = "http://www.w3.org/XML/1998/namespace"
"""The namespace of ``xml:lang``, which needs no declaration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute of a start tag; declarations of namespaces are none.

    Attributes:
        uri: its namespace; empty where it is in none, None where its prefix is not declared.
        local: its name without prefix.
        prefix: its prefix, empty where it has none.
        value: its value, with references resolved.
    """

    uri: str | None
    local: str
    prefix: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A start tag, or the tag of an empty element (a `Closing` follows all the same).

    Attributes:
        uri: the namespace of the element; empty where it is in none, None where its prefix is not
            declared (it may be in a DTD, which is never fetched).
        local: its name without prefix.
        prefix: its prefix, empty where it has none.
        attributes: its attributes, in the order of the document.
        scope: the namespaces in scope, by prefix; that of names without prefix by the empty text.
        depth: how many elements it stands in.
        line: the line of its first byte, from 1.
        start: the offset of ``<``.
        end: the offset behind ``>``.
        is_empty: whether it is written ``<a/>``.
    """

    uri: str | None
    local: str
    prefix: str
    attributes: tuple[Attribute, ...]
    scope: Mapping[str, str]
    depth: int
    line: int
    start: int
    end: int
    is_empty: bool

    def get(self, local: str, uri: str = "") -> str | None:
        """The value of an attribute, None where there is none of that name."""
        for each in self.attributes:
            if each.local == local and each.uri == uri:
                return each.value
        return None

    @property
    def language(self) -> str | None:
        """The language that it says itself, None where it says none."""
        return self.get("lang", XML)

    def is_named(self, uri: str, local: str) -> bool:
        """Whether it is an element of this namespace and name."""
        return self.local == local and self.uri == uri


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The end of an element.

    Attributes:
        uri: the namespace of the element, as `Opening`.
        local: its name without prefix.
        depth: how many elements it stands in.
        start: the offset of ``</``; behind the tag of an element that is written ``<a/>``.
        end: the offset behind ``>``.
    """

    uri: str | None
    local: str
    depth: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Some text of an element; one text may come in several pieces.

    A reference to an entity with a value that is plain text, or to one of HTML, is that text; any
    other to an entity of the document is left as it is written, and never expanded; one to what
    lies outside of the document is no text.

    Attributes:
        value: the text.
        start: the offset of its first byte.
        end: the offset behind its last one.
    """

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment.

    Attributes:
        value: what stands between ``<!--`` and ``-->``.
        line: the line of its first byte, from 1.
        start: the offset of ``<!--``.
        end: the offset behind ``-->``.
    """

    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """A processing instruction; the XML declaration is none.

    Attributes:
        target: its target.
        value: what stands behind the target.
        line: the line of its first byte, from 1.
        start: the offset of ``<?``.
        end: the offset behind ``?>``.
    """

    target: str
    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctype:
    """The declaration of the document's type; nothing that it points at is fetched.

    Attributes:
        name: the name of the root element.
        public_id: its public identifier, None where it has none.
        system_id: its system identifier, None where it has none.
        line: a line of it, from 1.
        start: an offset in it, behind its identifiers.
        end: an offset in it, behind that one.
    """

    name: str
    public_id: str | None
    system_id: str | None
    line: int
    start: int
    end: int


Event: TypeAlias = Opening | Closing | Text | Comment | Instruction | Doctype
