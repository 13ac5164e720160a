"""The syntax of PDF objects (ISO 32000-2 section 7.3): bytes to values, with the place of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

__all__ = [
    "BLANKS",
    "HEADER",
    "Dictionary",
    "Entry",
    "Name",
    "PdfError",
    "Reference",
    "TruncatedError",
    "Value",
    "text_of",
    "value_at",
]

# Dictionaries in dictionaries: a catalog needs some ten.
_DEEPEST = 100

BLANKS: Final = re.compile(rb"(?:[\x00\t\n\x0c\r ]++|%[^\r\n]*+)*+")
"""White space and comments, as many as there are."""

HEADER: Final = re.compile(
    rb"[\x00\t\n\x0c\r ]*+(\d{1,10})[\x00\t\n\x0c\r ]++(\d{1,5})[\x00\t\n\x0c\r ]++obj"
    rb"(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])"
)
"""``12 0 obj``: the head of an indirect object."""

_REFERENCE = re.compile(
    rb"(\d{1,10})[\x00\t\n\x0c\r ]++(\d{1,5})[\x00\t\n\x0c\r ]++R"
    rb"(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])"
)
_WORD = re.compile(rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+")
_INTEGER = re.compile(rb"[+-]?\d{1,19}")
_REAL = re.compile(rb"[+-]?(?:\d+\.\d*|\.\d+|\d{20,})")
_HEX = re.compile(rb"<([0-9A-Fa-f\x00\t\n\x0c\r ]*+)>")
_ESCAPED_IN_NAME = re.compile(rb"#([0-9A-Fa-f]{2})")
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPED = re.compile(rb"\\(\r\n|[0-7]{1,3}|.)|\r\n?", re.DOTALL)
_ESCAPES = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\r\n": b"",
    b"\r": b"",
    b"\n": b"",
}
_WORDS = {b"true": True, b"false": False, b"null": None}

_UNICODE = (
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xef\xbb\xbf", "utf-8"),
)
# Between two escapes stand a language and a country; in UTF-16 some write two letters in one unit.
_LANGUAGE = re.compile(r"\x1b[^\x1b]{1,5}\x1b")

# What the bytes of text strings stand for that Latin-1 has otherwise (annex D.2).
_PDF_DOC = {
    **dict(zip(range(0x18, 0x20), "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc", strict=True)),
    **dict(
        zip(
            range(0x80, 0xA1),
            "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c"
            "\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142"
            "\u0153\u0161\u017e\ufffd\u20ac",
            strict=True,
        )
    ),
}


class PdfError(ValueError):
    """Bytes that are no PDF where PDF should be; the message says what is wrong."""


class TruncatedError(PdfError):
    """The bytes end within an object."""


class Name(str):
    """A name, without its slash."""

    __slots__ = ()


class Reference(NamedTuple):
    """``12 0 R``: a reference to an indirect object."""

    number: int
    generation: int


class Entry(NamedTuple):
    """A key of a dictionary and its value.

    Attributes:
        key: the key, without its slash.
        value: the value.
        start: the offset of the key's slash.
        value_start: the offset of the value.
        end: the offset behind the value.
    """

    key: str
    value: Value
    start: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dictionary:
    """A dictionary, and where its parts stand.

    Attributes:
        data: the bytes that all offsets are offsets in.
        start: the offset of ``<<``.
        end: the offset behind ``>>``.
        entries: keys and values, in their order.
    """

    data: bytes
    start: int
    end: int
    entries: tuple[Entry, ...]

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, None where there is none.

        Raises:
            PdfError: there are two, and which one counts depends on the reader.
        """
        found = [each for each in self.entries if each.key == key]
        if len(found) > 1:
            raise PdfError(f"/{key} stands twice in a dictionary")
        return found[0] if found else None

    def get(self, key: str) -> Value:
        """The value of a key, None where there is none; raises as `entry`."""
        found = self.entry(key)
        return None if found is None else found.value

    def without(self, *keys: str) -> bytes:
        """All entries but those of some keys, as they are written, a line each."""
        kept = (each for each in self.entries if each.key not in keys)
        return b"".join(self.data[each.start : each.end] + b"\n" for each in kept)


Value: TypeAlias = (
    bool | int | float | Name | bytes | Reference | Dictionary | tuple["Value", ...] | None
)


def value_at(data: bytes, at: int, *, is_whole: bool) -> tuple[Value, int]:
    """The value at an offset, blanks in front of it aside, and the offset behind it.

    Args:
        data: the bytes.
        at: the offset.
        is_whole: whether nothing comes behind the bytes.

    Raises:
        TruncatedError: the bytes end within the value, or might.
        PdfError: there is none.
    """
    value, end = _value(data, at, 0)
    if end >= len(data) and not is_whole:
        raise TruncatedError("it ends within an object")
    return value, end


def _value(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    at = _skipped(data, at)
    if depth > _DEEPEST:
        raise PdfError("objects stand in each other too deeply")
    if data.startswith(b"<<", at):
        return _dictionary(data, at, depth)
    first = data[at : at + 1]
    if first == b"/":
        return _name(data, at)
    if first == b"[":
        return _array(data, at, depth)
    if first == b"(":
        return _literal(data, at)
    return _hex(data, at) if first == b"<" else _word(data, at)


def _skipped(data: bytes, at: int) -> int:
    """The offset behind blanks and comments."""
    found = BLANKS.match(data, at)
    end = at if found is None else found.end()
    if end >= len(data):
        raise TruncatedError("it ends within an object")
    return end


def _dictionary(data: bytes, start: int, depth: int) -> tuple[Dictionary, int]:
    entries: list[Entry] = []
    at = _skipped(data, start + 2)
    while not data.startswith(b">>", at):
        key, end = _value(data, at, depth + 1)
        if not isinstance(key, Name):
            raise PdfError("a key of a dictionary is no name")
        value_start = _skipped(data, end)
        value, end = _value(data, value_start, depth + 1)
        entries.append(Entry(str(key), value, at, value_start, end))
        at = _skipped(data, end)
    end = at + 2
    return Dictionary(data=data, start=start, end=end, entries=tuple(entries)), end


def _array(data: bytes, start: int, depth: int) -> tuple[tuple[Value, ...], int]:
    values: list[Value] = []
    at = _skipped(data, start + 1)
    while data[at] != ord("]"):
        value, at = _value(data, at, depth + 1)
        values.append(value)
        at = _skipped(data, at)
    return tuple(values), at + 1


def _name(data: bytes, at: int) -> tuple[Name, int]:
    found = _WORD.match(data, at + 1)
    end = at + 1 if found is None else found.end()
    raw = _ESCAPED_IN_NAME.sub(lambda code: bytes([int(code[1], 16)]), data[at + 1 : end])
    return Name(raw.decode("utf-8", "surrogateescape")), end


def _hex(data: bytes, at: int) -> tuple[bytes, int]:
    found = _HEX.match(data, at)
    if found is None:
        raise (PdfError if data.find(b">", at) >= 0 else TruncatedError)("a string has no end")
    digits = b"".join(found[1].replace(b"\0", b"").split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii")), found.end()


def _literal(data: bytes, start: int) -> tuple[bytes, int]:
    depth = 0
    for found in _BRACKET.finditer(data, start):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return _ESCAPED.sub(_unescaped, data[start + 1 : found.start()]), found.end()
    raise TruncatedError("a string has no end")


def _unescaped(found: re.Match[bytes]) -> bytes:
    what: bytes | None = found[1]
    if what is None:
        return b"\n"
    if what[0] in b"01234567":
        return bytes([int(what, 8) & 0xFF])
    return _ESCAPES.get(what, what)


def _word(data: bytes, at: int) -> tuple[Value, int]:
    reference = _REFERENCE.match(data, at)
    if reference is not None:
        return Reference(int(reference[1]), int(reference[2])), reference.end()
    found = _WORD.match(data, at)
    word = b"" if found is None else found[0]
    if _INTEGER.fullmatch(word):
        return int(word), at + len(word)
    if _REAL.fullmatch(word):
        return float(word[:400]), at + len(word)
    if word in _WORDS:
        return _WORDS[word], at + len(word)
    strange = (word or data[at : at + 1])[:20].decode("latin-1")
    raise PdfError(f"{strange!r} stands where an object should")


def text_of(value: bytes) -> str:
    """A text string as text: UTF-16, UTF-8 or PDFDocEncoding (section 7.9.2.2).

    What says the language of a text in Unicode is no part of it (section 7.9.2.2.1).
    """
    for mark, codec in _UNICODE:
        if value.startswith(mark):
            return _LANGUAGE.sub("", value[len(mark) :].decode(codec, "replace"))
    return value.decode("latin-1").translate(_PDF_DOC)
