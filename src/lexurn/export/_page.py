"""What a page about a name shows: one value per page, so that templates need no logic of ours."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ChainTable", "Fact", "File", "Page", "Ref", "Section", "Text", "Value", "VersionRow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text and its language tag; empty where that is unknown, None for words of the page."""

    value: str
    lang: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A reference to a named thing.

    Attributes:
        text: what it is called.
        name: its name.
        href: the link to its page, None where it has none.
        note: what to know besides, ``""`` for nothing.
    """

    text: Text
    name: str
    href: str | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of a fact: a text, perhaps with a link, perhaps a day."""

    text: str
    href: str | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is stated: a label and its values."""

    label: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One version in a table.

    Attributes:
        ref: the version.
        start: the first day in force, None where nothing says so.
        last: the last day in force, None where it has not ended.
        current: whether it is the one in force.
        here: whether the page is about it.
        files: its file forms.
    """

    ref: Ref
    start: Value | None
    last: Value | None
    current: bool
    here: bool
    files: tuple[Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainTable:
    """The versions in one language, and what is in force of them."""

    language: str
    summary: str
    rows: tuple[VersionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One copy: of what, where it lies, its size and its digest."""

    of: Ref
    url: Value
    size: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A list of named things under a heading."""

    heading: str
    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that a page about one name shows.

    Attributes:
        heading: the title, else the name in words.
        label: the name in words, where the heading is a title.
        kind: what is named, for example ``version``.
        name: the canonical name.
        uri: its HTTP URI, None without a base.
        trail: what it belongs to, the act first.
        titles: its titles but for the one that is the heading.
        notices: what must be known before all else: withdrawn, an alias, in force or not.
        parts: the name explained part by part: rows of label, value, meaning, section.
        more_parts: how many more parts the name has than are shown.
        facts: what is stated.
        chains: version tables.
        sections: other languages, annexes, partitions, other names.
        files: copies.
        data: the same facts for machines: label and link.
    """

    heading: Text
    label: str
    kind: str
    name: str
    uri: str | None
    trail: tuple[Ref, ...]
    titles: tuple[Text, ...]
    notices: tuple[Ref, ...]
    parts: tuple[tuple[str, str, str, str], ...]
    more_parts: int
    facts: tuple[Fact, ...]
    chains: tuple[ChainTable, ...]
    sections: tuple[Section, ...]
    files: tuple[File, ...]
    data: tuple[tuple[str, str], ...]
