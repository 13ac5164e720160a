"""The head of a page, walked through as a parser does (WHATWG HTML section 13.2.6.4).

What a parser makes of tags before it leaves the head is simple: there are ten elements, each empty
or with text alone. So it needs no tree, and the walk ends at the first token that is none of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from lexurn.embedding._html_encoding import charset_in
from lexurn.embedding._html_tokens import RAW, TOKEN, end_of_raw, end_of_script, end_tag, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["BEGIN", "END", "MOST_TOKENS", "Head", "walked"]

BEGIN: Final = b"<!-- lexurn:begin -->"
END: Final = b"<!-- lexurn:end -->"

_BLANKS = re.compile(rb"[\t\n\f\r ]*+")
_CODE = re.compile(rb"\?(?:php|=|[\t\n\f\r ])", re.IGNORECASE)
_QUIET = frozenset({b"meta", b"link", b"style", b"noframes", b"basefont", b"bgsound"})
_SILENT = frozenset({"comment", "bogus", "blank"})
_LONGEST_NAME = 16
MOST_TOKENS: Final = 250_000
"""Tags and comments that a head may have; no page has as many but one that is made to be a load."""

_TOKENS_OF_BLOCK: Final = 10_000
# What a walk does instead of going on at an offset.
_STOP, _CUT = -1, -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What was found in the head of a page; offsets are those of the text that was walked through.

    Attributes:
        place: where a parser leaves the head; tags put in there are in the head.
        is_begun: whether a head was begun before that place.
        is_cut: whether a token begins there that never ends.
        stop: the beginning of what stands there.
        begins: where marks stand that begin our block.
        ends: where marks stand that end it.
        tags: where start tags of the head begin and end, behind their ``<``.
        roots: where start tags of the root begin and end.
        others: where comments and the like begin and end that are no marks.
        charset: the first encoding that an element says.
        doctype: the document type, or the XML declaration; empty for none.
        code: where code for a server stands that is cut at a ``>`` in it; -1 for none.
        count: how many tokens it has, tags and comments and others.
        is_endless: whether it has so many that the walk was given up.
    """

    place: int
    is_begun: bool
    is_cut: bool
    stop: bytes
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[tuple[int, int], ...]
    roots: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]
    charset: str | None
    doctype: bytes
    code: int
    count: int
    is_endless: bool


def walked(text: bytes, *, is_whole: bool) -> Head | None:
    """The head at the beginning of a text; None where the text is a part, and too short.

    Args:
        text: bytes in which markup is ASCII, without a byte order mark.
        is_whole: whether the page ends where the text ends.
    """
    walk = _Walk(text)
    return walk.head() if walk.run() or is_whole else None


class _Walk:
    """A walk through a head, on its way."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._place: int | None = None
        self._is_begun = False
        self._is_cut = False
        self._marks: dict[bytes, list[int]] = {BEGIN: [], END: []}
        self._tags: list[tuple[int, int]] = []
        self._roots: list[tuple[int, int]] = []
        self._others: list[tuple[int, int]] = []
        self._doctype = b""
        self._code = -1
        self._count = 0

    def run(self) -> bool:
        """Go as far as the head goes; false where the text ends before that is known."""
        text, match, takers, note = self._text, TOKEN.match, self._TAKERS, self._tags.append
        at = 0
        for count in range(MOST_TOKENS + _TOKENS_OF_BLOCK):
            token = match(text, at)
            if token is None:
                blanks = _BLANKS.match(text, at)
                self._count = count
                return self._cut(at if blanks is None else blanks.end()) == _STOP
            kind = token.lastgroup or ""
            if kind == "empty":  # most tags
                span = token.span(kind)
                at = span[1]
                note(span)
                continue
            behind = takers[kind](self, *token.span(kind))
            if behind < 0:
                self._count = count
                return behind == _STOP
            at = behind
        self._stop_at(at)
        self._count = MOST_TOKENS + _TOKENS_OF_BLOCK
        return True

    def head(self) -> Head:
        """What was found."""
        place = len(self._text) if self._place is None else self._place
        return Head(
            place=place,
            is_begun=self._is_begun or any(start < place for start, _ in self._tags),
            is_cut=self._is_cut,
            stop=self._text[place : place + _LONGEST_NAME],
            begins=tuple(self._marks[BEGIN]),
            ends=tuple(self._marks[END]),
            tags=tuple(self._tags),
            roots=tuple(self._roots),
            others=tuple(self._others),
            charset=next(self._charsets(), None),
            doctype=self._doctype,
            code=self._code,
            is_endless=self._count >= MOST_TOKENS + _TOKENS_OF_BLOCK,
            count=self._count,
        )

    def _charsets(self) -> Iterator[str]:
        """The encodings that elements say, in order."""
        last = self._tags[-1][1] if self._tags else 0
        if b"charset" not in self._text[:last].lower():
            return
        for start, end in self._tags:
            tag = self._text[start:end]
            if tag[:4].lower() == b"meta" and (charset := charset_in(tag)) is not None:
                yield charset

    def _cut(self, at: int) -> int:
        """The text ends, maybe in the middle of a token that begins at a place."""
        if self._place is None:
            self._place, self._is_cut = at, at < len(self._text)
        return _CUT

    def _take_text(self, start: int, end: int) -> int:
        """An element whose content is text, up to its end tag."""
        text = self._text
        name = name_of(text[start : start + _LONGEST_NAME])
        begun = end_of_script(text, end) if name == b"script" else end_of_raw(text, end, name)
        behind = None if begun is None else end_tag(text, begun)
        if begun is None or behind is None:
            return self._cut(start - 1)
        if name == b"noscript" and not _is_quiet(text[end:begun]):
            self._stop_at(start - 1)  # what follows is looked at for our block alone
        else:
            self._tags.append((start, end))
        return behind

    def _stop_at(self, start: int) -> None:
        if self._place is None:
            self._place = start

    def _take_frame(self, start: int, end: int) -> int:
        """``html`` or ``head``: they may come late, and again, and are the same."""
        if self._text[start : start + 4].lower() == b"head":
            self._is_begun = True
        else:
            self._roots.append((start, end))
        return end

    def _take_stop(self, start: int, _end: int) -> int:
        """The head ends; a template is part of it, but what it holds is anything."""
        self._stop_at(start)
        if self._text[start : start + 9].lower() != b"<template":
            return _STOP
        begun = end_of_raw(self._text, start, b"template")
        behind = None if begun is None else end_tag(self._text, begun)
        return _CUT if behind is None else behind

    def _take_comment(self, start: int, end: int) -> int:
        marks = None
        if end - start < len(BEGIN):
            marks = self._marks.get(self._text[start - 1 : end])
        if marks is None:
            self._others.append((start, end))
        else:
            marks.append(start - 1)
        return end

    def _take_doctype(self, start: int, end: int) -> int:
        self._others.append((start, end))
        if not self._doctype:
            self._doctype = self._text[start - 1 : end]
        return end

    def _take_bogus(self, start: int, end: int) -> int:
        if start == 1 and self._text.startswith(b"<?xml"):
            self._doctype = self._text[:end]
        self._others.append((start, end))
        return end

    def _take_code(self, start: int, end: int) -> int:
        is_whole = self._text.endswith(b"?>", start, end)
        if self._code < 0 and not is_whole and _CODE.match(self._text, start):
            self._code = start - 1
        self._others.append((start, end))
        return end

    def _take_nothing(self, _start: int, end: int) -> int:
        return end

    _TAKERS: ClassVar[Mapping[str, Callable[[_Walk, int, int], int]]] = {
        "text": _take_text,
        "frame": _take_frame,
        "comment": _take_comment,
        "doctype": _take_doctype,
        "code": _take_code,
        "bogus": _take_bogus,
        "end": _take_nothing,
        "blank": _take_nothing,
        "stop": _take_stop,
    }


def _is_quiet(text: bytes) -> bool:
    """Whether a ``noscript`` ends at the same place whether scripts run or not."""
    at = 0
    while token := TOKEN.match(text, at):
        kind = token.lastgroup or ""
        start, end = token.span(kind)
        behind = end if kind in _SILENT else _behind_quiet(text, start, end)
        if behind is None:
            return False
        at = behind
    return not text[at:].strip(b"\t\n\f\r ")


def _behind_quiet(text: bytes, start: int, end: int) -> int | None:
    """Where an element ends that may stand in a ``noscript`` of a head; None for all else."""
    name = name_of(text[start:end])
    if name not in _QUIET:
        return None
    if name not in RAW:
        return end
    begun = end_of_raw(text, end, name)
    return None if begun is None else end_tag(text, begun)
