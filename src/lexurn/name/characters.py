"""Characters of names: the allowed ones, the canonical form, faults and repairs.

Percent-encoded ASCII is data and never decoded. Octets from 80 up are UTF-8, and only they are read
as characters. Two patterns of each rule recognise a text in canonical form: any valid one, and one
without any fault. All other texts are read token by token, up to the first error (RFC 9676 sections
3.2 to 3.4, 4.1 and 8).

Productions are read without regard to the reading. They report each `Fault`, and the table of codes
(`lexurn.findings`) has its severity in each reading.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.findings import Severity, load_codes
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Fix(NamedTuple):
    """Repair of a text: the part between two offsets is replaced."""

    start: int
    end: int
    text: str


class Fault(NamedTuple):
    """Fault of a text, before a reading decides how severe it is; offsets are within that text.

    Attributes:
        code: a key of `load_codes`.
        component: the production of RFC 9676 at fault.
        start: the offset of the fault.
        end: the offset after the fault.
        values: the values in the message.
        fix: the repair, where its form is certain.
    """

    code: str
    component: str
    start: int
    end: int
    values: tuple[str, ...] = ()
    fix: Fix | None = None


class Parsed(NamedTuple):
    """Result of reading one text.

    Attributes:
        text: the canonical text; undefined if the text is not readable.
        faults: the faults, with offsets within the text that was read.
    """

    text: str
    faults: tuple[Fault, ...] = ()

    @property
    def is_readable(self) -> bool:
        """True if no fault is an error in every reading."""
        return not any(map(is_fatal, self.faults))

    def add_faults(self, *faults: Fault) -> Parsed:
        """Return the result with further faults."""
        return Parsed(self.text, self.faults + faults)


@cache
def _load_fatal_codes() -> frozenset[str]:
    """Return the codes that are errors in every reading."""
    return frozenset(code for code, row in load_codes().items() if row.severity is Severity.ERROR)


def is_fatal(fault: Fault) -> bool:
    """Return whether a fault is an error in every reading."""
    return fault.code in _load_fatal_codes()


def shift_faults(faults: tuple[Fault, ...], by: int) -> tuple[Fault, ...]:
    """Return the same faults for a text that begins ``by`` characters earlier."""
    if not by:
        return faults
    return tuple(
        Fault(
            code,
            component,
            start + by,
            end + by,
            values,
            fix and Fix(fix.start + by, fix.end + by, fix.text),
        )
        for code, component, start, end, values, fix in faults
    )


_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_OCTETS = compile_late(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_TRIPLET = compile_late(r"%[0-9A-Fa-f]{2}")
_TRIPLETS = compile_late(r"((?:%[0-9A-Fa-f]{2})+)")
_BEYOND_ASCII = compile_late(r"[^\x00-\x7f]")
_SIGMA, _FINAL_SIGMA = "\u03c3", "\u03c2"
_SIGMAS = frozenset({_SIGMA, _FINAL_SIGMA})
# A sigma is final after a letter and before none; marks belong to their letters.
_SIGMA_AT_END = compile_late(r"(?<=[^\W_]|[\u0300-\u036f])\u03c3(?![^\W_]|[\u0300-\u036f])")
# Punctuation within words of some languages: RFC 5892 appendix A, and the date of 3.6.
_WORD_PUNCTUATION = frozenset("\u00b7\u0375\u05f3\u05f4\u0f0b\u30fb")
# Characters that are canonically equivalent to ASCII punctuation.
_PUNCTUATION_EQUIVALENTS = frozenset("\u037e\u1fef")
_LONGEST_QUOTE = 40


def percent_encode(text: str) -> str:
    """Percent-encode the UTF-8 octets of every character beyond ASCII."""
    return _BEYOND_ASCII.sub(
        lambda match: "".join(f"%{octet:02X}" for octet in match[0].encode()), text
    )


def canonicalize(text: str) -> str:
    """Return the canonical form of a component: lower case, percent-encoded, upper-case hex.

    Letters beyond ASCII are lowered one by one, by Unicode's simple mapping. Then every sigma gets
    the form for its position in the word, so that names never differ by case alone (RFC 9676
    section 3.3). Raw characters are composed first (NFC); encoded characters are left as they are.
    """
    if "%" not in text and text.isascii():
        return text.lower()
    letters = (character.lower() for character in _decode(_compose(text)))
    plain = "".join(lower if len(lower) == 1 else "i" for lower in letters)
    if not _SIGMAS.isdisjoint(plain):
        plain = _SIGMA_AT_END.sub(_FINAL_SIGMA, plain.replace(_FINAL_SIGMA, _SIGMA))
    return percent_encode(_TRIPLET.sub(lambda triplet: triplet[0].upper(), plain))


def encode_keeping_case(text: str) -> str:
    """Return the canonical form of a partition, which is an element id and keeps its case."""
    return percent_encode(_TRIPLET.sub(lambda triplet: triplet[0].upper(), _compose(text)))


def _decode(text: str) -> str:
    """Decode the octets from 80 up; encoded ASCII stays encoded.

    Raises:
        UnicodeDecodeError: the octets are not UTF-8.
    """
    return _OCTETS.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode(), text)


def _compose(text: str) -> str:
    """Compose the raw characters (NFC); the digits of a triplet are not letters."""
    if text.isascii():
        return text
    pieces = _TRIPLETS.split(text)
    pieces[::2] = [unicodedata.normalize("NFC", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _is_control(character: str) -> bool:
    """Return whether a character is a control character (C0, DEL, C1)."""
    return character < " " or "\x7f" <= character <= "\x9f"


def is_unwritable(character: str) -> bool:
    """Return whether no reading allows a character beyond ASCII to be written raw."""
    return (
        _is_control(character)
        or character in _BIDI_CONTROLS
        or character in _PUNCTUATION_EQUIVALENTS
        or character.isspace()
        or "\ud800" <= character <= "\udfff"
    )


def quote_text(text: str) -> str:
    """Quote a piece of a text for a message: bounded, with invisible characters escaped."""
    if len(text) == 1 and (text.isspace() or not text.isprintable()):
        return f"U+{ord(text):04X}"
    short = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    visible = (c if c.isprintable() else f"\\u{ord(c):04x}" for c in short)
    return f'"{"".join(visible)}"'


class CharacterRule(NamedTuple):
    """Rule of RFC 9676 section 8 for the characters of a text.

    Attributes:
        signs: the signs that are allowed beside letters, digits and encoded characters.
        joint: the sign that replaces a forbidden one (sections 3.2, 4.1); empty for none.
        blank: the sign that replaces a blank.
        plain: the expression of canonical texts without percent-encoding.
        clean: the expression of those of them that have no fault.
        no_leading_sign: True if a text cannot begin with a sign.
    """

    signs: frozenset[str]
    joint: str
    blank: str
    plain: str
    clean: re.Pattern[str]
    no_leading_sign: bool = True


def _make_rule(signs: str, joint: str, blank: str) -> CharacterRule:
    """Make the rule of ``alfanum *(alfanum / signs)``; single dots between words are no fault."""
    others = signs.replace(".", "")
    return CharacterRule(
        signs=frozenset(signs),
        joint=joint,
        blank=blank,
        plain=rf"[a-z0-9][a-z0-9{signs}]*+",
        clean=compile_late(rf"[a-z0-9][a-z0-9{others}]*+(?:\.[a-z0-9{others}]++)*"),
    )


ALF_DOT = _make_rule(".", ".", ".")
ALF_DOT_HYP = _make_rule(".-", "-", ".")
# Section 5.7 omits the plus sign of media types (``application/xhtml+xml``).
MIME = ALF_DOT_HYP._replace(signs=ALF_DOT_HYP.signs | {"+"})
ALF_DOT_OTH = _make_rule("._'=()-", "-", "-")
DATE_LOC = ALF_DOT_OTH._replace(joint=".", plain="[a-z0-9._'=()-]++", no_leading_sign=False)
PARTITION = CharacterRule(
    signs=frozenset(".-_;:,='()+@$"),
    joint="",
    blank="",
    plain="[A-Za-z0-9._;:,='()-]++",
    clean=compile_late("[A-Za-z0-9._;:,='()-]++"),
    no_leading_sign=False,
)

_TEXT_TOKEN = compile_late(
    r"(?P<octets>(?:%[89A-Fa-f][0-9A-Fa-f])+)"
    r"|(?P<ascii>%[0-7][0-9A-Fa-f])"
    r"|(?P<word>[A-Za-z0-9]+)"
    r"|(?P<raw>[^\x00-\x7f])"
    r"|(?P<percent>%)"
    r"|(?P<sign>[\x00-\x7f])"
)


def read_text(text: str, rule: CharacterRule, component: str) -> Parsed:
    """Read one text by a character rule.

    Each code of a fault is reported once, from left to right, up to the first error.
    """
    if rule.clean.fullmatch(text):
        return Parsed(text)
    if not text:
        return Parsed("", (Fault("LX201", component, 0, 0),))
    fix = Fix(0, len(text), repair) if (repair := _repair_text(text, rule)) else None
    faults: dict[str, Fault] = {}
    tokens = _TEXT_TOKEN.finditer(text)
    for fault in (each for token in tokens for each in _check_token(token, rule, component)):
        faults.setdefault(fault.code, fault._replace(fix=fix))
        if is_fatal(fault):
            return Parsed(text, tuple(faults.values()))
    value = encode_keeping_case(text) if rule is PARTITION else canonicalize(text)
    form: list[Fault] = []
    if ".." in value or value.endswith("."):
        form.append(Fault("LX121", component, 0, len(text), (), fix))
    if not unicodedata.is_normalized("NFC", plain := _decode(value)):
        form.append(Fault("LX113", component, 0, len(text), (quote_text(plain),), fix))
    return Parsed(value, (*faults.values(), *form))


def read_series(text: str, rule: CharacterRule, head: str, rest: str) -> Parsed:
    """Read ``head *(";" rest)`` by a character rule; ``head`` and ``rest`` are components."""
    if all(map(rule.clean.fullmatch, text.split(";"))):
        return Parsed(text)
    return read_items(text, ";", lambda each, at: read_text(each, rule, rest if at else head))


def read_items(text: str, separator: str, read: Callable[[str, int], Parsed]) -> Parsed:
    """Read the items between separators; ``read`` takes the text and the number of an item."""
    if separator not in text:
        return read(text, 0)
    items: list[str] = []
    faults: list[Fault] = []
    start = 0
    for number, piece in enumerate(text.split(separator)):
        canonical, found = read(piece, number)
        items.append(canonical)
        faults += shift_faults(found, start)
        start += len(piece) + 1
    return Parsed(separator.join(items), tuple(faults))


def join_parsed(first: Parsed, separator: str, second: Parsed, start: int) -> Parsed:
    """Join two results; the text of the second begins at an offset of the whole text."""
    faults = first.faults + shift_faults(second.faults, start)
    return Parsed(f"{first.text}{separator}{second.text}", faults)


def refuse_character(text: str, at: int, component: str) -> Fault:
    """Return the fault of a character that is not allowed at its position."""
    sign = text[at]
    if is_unwritable(sign):
        return Fault("LX110", component, at, at + 1, (quote_text(sign),))
    code = {"/": "LX116", "*": "LX117", "!": "LX117", "?": "LX118"}.get(sign, "LX202")
    return Fault(code, component, at, at + 1, (quote_text(sign),))


def _check_token(token: re.Match[str], rule: CharacterRule, component: str) -> Iterator[Fault]:
    """Find the faults of one token."""
    start, end, found = *token.span(), token[0]
    match token.lastgroup:
        case "octets":
            yield from _check_octets(found, start, component)
        case "ascii":  # control characters are refused, all others stay as data
            character = chr(int(found[1:], 16))
            code = "LX106" if _is_control(character) else "LX108"
            yield Fault(code, "percent-encoding", start, end, (quote_text(character),))
        case "raw" if not is_unwritable(found):
            yield Fault("LX109", component, start, end, (quote_text(found),))
            if warning := _find_warning(found):
                yield Fault(warning, component, start, end, (quote_text(found), "i"))
        case "percent":
            yield Fault("LX104", "percent-encoding", start, min(start + 3, len(token.string)))
        case "raw" | "sign" if found not in rule.signs or (rule.no_leading_sign and not start):
            yield refuse_character(token.string, start, component)


def _check_octets(run: str, start: int, component: str) -> Iterator[Fault]:
    """Find the faults of octets from 80 up, which must be UTF-8."""
    try:
        characters = _decode(run)
    except UnicodeDecodeError:
        yield Fault("LX105", "percent-encoding", start, start + len(run), (quote_text(run),))
        return
    for character in characters:
        end = start + 3 * len(character.encode())
        shown = quote_text(character)
        if _is_control(character):
            yield Fault("LX106", "percent-encoding", start, end, (shown,))
        elif character in _BIDI_CONTROLS:
            yield Fault("LX107", "percent-encoding", start, end, (shown,))
        elif warning := _find_warning(character):
            yield Fault(warning, component, start, end, (shown, "i"))
        start = end


def _find_warning(character: str) -> str | None:
    """Return the code of the warning about a character beyond ASCII, None for a letter."""
    category = unicodedata.category(character)
    if category[0] in "CZ":
        return "LX111"
    if category[0] in "PS" and character not in _WORD_PUNCTUATION:
        return "LX112"
    if character == "İ":
        return "LX115"
    if unicodedata.normalize("NFKC", character) != unicodedata.normalize("NFC", character):
        return "LX114"
    return None


_SEPARATOR_SIGNS = frozenset(":;@$+,~|#?*!")
_REPAIR_TOKEN = compile_late(r"%[0-7][0-9A-Fa-f]|.", re.DOTALL)
_SURROGATES = compile_late("[\ud800-\udfff]")
_ENCODED_PLUS = "%2B"
# Control characters are dropped before, so two of them can mark the gaps between words.
_GAP, _BLANK = "\0", "\1"
_GAPS = compile_late(f"[{_GAP}{_BLANK}]+")
_SEVERAL_DOTS = compile_late(r"\.{2,}")
_LOOSE_DATE = compile_late(
    r"([0-9]{4})[-/.\u2010-\u2015\u2212]([0-9]{1,2})[-/.\u2010-\u2015\u2212]([0-9]{1,2})"
)
_COMPACT_DATE = compile_late(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DAY_FIRST = compile_late(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})")
_MONTHS = 12


def _repair_text(text: str, rule: CharacterRule) -> str | None:
    """Return a text as its rule requires it, or None if the repair is uncertain or changes nothing.

    Section 3.2 turns ``/`` into ``-``, and 6.3.4 every other sign in a number too. Elsewhere
    punctuation is dropped and dots join the words (4.1, 6.4.1, 3.6). A misplaced separator is not
    repaired, since the intention of the writer is unknown.
    """
    if "+" in rule.signs and _ENCODED_PLUS in text.upper():
        return None  # The form that section 5.7 leaves for the plus sign of a media type.
    if not rule.joint or not _SEPARATOR_SIGNS.isdisjoint(text) or _SURROGATES.search(text):
        return None
    try:
        tokens = _REPAIR_TOKEN.findall(_decode(text))
    except UnicodeDecodeError:
        return None
    characters = [chr(int(token[1:], 16)) if len(token) > 1 else token for token in tokens]
    if "%" in characters:
        return None
    repaired = ""
    for each in characters:
        if each in rule.signs or (each.isascii() and each.isalnum()):
            repaired += each
        elif each.isspace():
            repaired += _BLANK
        elif not _is_control(each) and each not in _BIDI_CONTROLS:  # those are invisible
            repaired += _GAP if each.isascii() or is_unwritable(each) else each
    repaired = _GAPS.sub(
        lambda gap: rule.joint if _GAP in gap[0] else rule.blank, repaired.strip(_BLANK + _GAP)
    )
    repaired = _SEVERAL_DOTS.sub(".", repaired).rstrip(".")
    if rule.no_leading_sign:
        repaired = repaired.lstrip("".join(rule.signs))
    repaired = canonicalize(repaired)
    return repaired if repaired and repaired != text else None


def repair_date(text: str) -> str | None:
    """Return a date in another order or without padding as ISO 8601, if only one day fits."""
    if (match := _LOOSE_DATE.fullmatch(text)) or (match := _COMPACT_DATE.fullmatch(text)):
        return read_day(match[1], match[2], match[3])
    if (match := _DAY_FIRST.fullmatch(text)) and (
        int(match[1]) > _MONTHS or int(match[1]) == int(match[2])
    ):
        return read_day(match[3], match[2], match[1])
    return None


@lru_cache(maxsize=4096)
def read_day(year: str, month: str, day: str) -> str | None:
    """Return a day in ISO 8601, None if there is no such day."""
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
