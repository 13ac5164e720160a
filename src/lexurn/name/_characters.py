"""Characters of names: how they are encoded, lowered (RFC 9676 section 3.3) and judged (3.4, 4.1).

Percent-encoded ASCII is data and never decoded; octets from 80 up are UTF-8, and only they are read
as characters.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = [
    "BIDI",
    "canonical",
    "decoded",
    "encoded",
    "is_control",
    "is_unwritable",
    "judgement",
    "preserved",
    "quoted",
]

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_OCTETS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
_TRIPLETS = re.compile(r"((?:%[0-9A-Fa-f]{2})+)")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGMA, _FINAL = "\u03c3", "\u03c2"
_SIGMAS = frozenset({_SIGMA, _FINAL})
# A sigma is final behind a letter and before none; marks belong to their letters.
_FINAL_SIGMA = re.compile(r"(?<=[^\W_]|[\u0300-\u036f])\u03c3(?![^\W_]|[\u0300-\u036f])")
# Punctuation that words of some languages need: RFC 5892 appendix A, and the date of 3.6.
_IN_WORDS = frozenset("\u00b7\u0375\u05f3\u05f4\u0f0b\u30fb")
# Characters that are canonically equivalent to ASCII punctuation.
_PUNCTUATION_TWINS = frozenset("\u037e\u1fef")
_SHOWN = 40


def decoded(text: str) -> str:
    """The text with its octets from 80 up as characters; encoded ASCII stays encoded.

    Raises:
        UnicodeDecodeError: octets are no UTF-8.
    """
    return _OCTETS.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode(), text)


def encoded(text: str) -> str:
    """The text with every character beyond ASCII as percent-encoded UTF-8."""
    return _BEYOND_ASCII.sub(_triplets, text)


def canonical(text: str) -> str:
    """The canonical form of a component: lower case, percent-encoded, hex digits in upper case.

    Letters beyond ASCII are lowered one by one (simple mapping), then every sigma gets the form
    that its place in the word asks for, so that case never tells names apart (RFC 9676 section
    3.3). Characters written raw are composed (NFC) first; encoded ones are left as they are.
    """
    if "%" not in text and text.isascii():
        return text.lower()
    plain = "".join(map(_lowered, decoded(_composed(text))))
    if not _SIGMAS.isdisjoint(plain):
        plain = _FINAL_SIGMA.sub(_FINAL, plain.replace(_FINAL, _SIGMA))
    return encoded(_TRIPLET.sub(lambda triplet: triplet[0].upper(), plain))


def preserved(text: str) -> str:
    """The canonical form of a partition, which is an element id and keeps its case."""
    return encoded(_TRIPLET.sub(lambda triplet: triplet[0].upper(), _composed(text)))


def is_control(character: str) -> bool:
    """Whether a character is a control character (C0, DEL, C1)."""
    return character < " " or "\x7f" <= character <= "\x9f"


def is_unwritable(character: str) -> bool:
    """Whether a character beyond ASCII may not be written raw in any reading."""
    return (
        is_control(character)
        or character in BIDI
        or character in _PUNCTUATION_TWINS
        or character.isspace()
        or "\ud800" <= character <= "\udfff"
    )


def judgement(character: str) -> str | None:
    """The code of the warning that a character beyond ASCII deserves, None where it is a letter."""
    category = unicodedata.category(character)
    if category[0] in "CZ":
        return "LX111"
    if category[0] in "PS" and character not in _IN_WORDS:
        return "LX112"
    if character == "İ":
        return "LX115"
    if unicodedata.normalize("NFKC", character) != unicodedata.normalize("NFC", character):
        return "LX114"
    return None


def quoted(text: str) -> str:
    """A piece of a text as a message shows it: what cannot be seen is spelt out, length bounded."""
    if len(text) == 1 and (text.isspace() or not text.isprintable()):
        return f"U+{ord(text):04X}"
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    visible = (c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown)
    return f'"{"".join(visible)}"'


def _composed(text: str) -> str:
    """The text with its raw characters composed; a triplet's digits are no letters."""
    if text.isascii():
        return text
    pieces = _TRIPLETS.split(text)
    pieces[::2] = [unicodedata.normalize("NFC", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _lowered(character: str) -> str:
    """The simple lower-case mapping of one character (Unicode's, which never makes two of one)."""
    lower = character.lower()
    return lower if len(lower) == 1 else "i"


def _triplets(match: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in match[0].encode())
