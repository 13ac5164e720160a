"""The smallest parts of a name: ``alf-dot`` and its kin (RFC 9676 section 8), one text each.

A clean text (lower-case ASCII, well dotted) is its own canonical value and is recognised by one
pattern; every other one is read token by token, which finds the first error or all warnings.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from lexurn.name._characters import (
    BIDI,
    canonical,
    decoded,
    is_control,
    is_unwritable,
    judgement,
    preserved,
    quoted,
)
from lexurn.name._codes import CODES, Fault, Fix
from lexurn.name._findings import Severity
from lexurn.name._mending import mended

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ALF_DOT",
    "ALF_DOT_HYP",
    "ALF_DOT_OTH",
    "DATE_LOC",
    "FATAL",
    "MIME",
    "PARTITION",
    "Kind",
    "Parsed",
    "read_leaf",
    "refusal",
    "shifted",
]

T = TypeVar("T")

_TOKEN = re.compile(
    r"(?P<octets>(?:%[89A-Fa-f][0-9A-Fa-f])+)"
    r"|(?P<ascii>%[0-7][0-9A-Fa-f])"
    r"|(?P<word>[A-Za-z0-9]+)"
    r"|(?P<raw>[^\x00-\x7f])"
    r"|(?P<percent>%)"
    r"|(?P<sign>[\x00-\x7f])"
)


# Codes that are errors in every reading.
FATAL = frozenset(code for code, row in CODES.items() if row.text is Severity.ERROR)


class Parsed(NamedTuple, Generic[T]):
    """What was read of one text.

    Attributes:
        value: the value, None where a fault is an error in every reading.
        text: the canonical text of the value.
        faults: what was found, offsets relative to the text that was read.
    """

    value: T | None
    text: str
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One of the character rules of RFC 9676 section 8.

    Attributes:
        signs: the signs that may stand beside letters, digits and encoded characters.
        joint: the sign that takes the place of one that may not stand there (sections 3.2, 4.1);
            empty where nothing may.
        blank: the sign that takes the place of a blank.
        clean: texts that need no closer look.
        headed: whether the first character must be a letter, a digit or an encoded character.
    """

    signs: frozenset[str]
    joint: str
    blank: str
    clean: re.Pattern[str]
    headed: bool = True


def _dotted(signs: str) -> re.Pattern[str]:
    """Lower-case ASCII words with signs, dots one at a time and never last."""
    return re.compile(rf"[a-z0-9][a-z0-9{signs}]*(?:\.[a-z0-9{signs}]+)*")


ALF_DOT = Kind(signs=frozenset("."), joint=".", blank=".", clean=_dotted(""))
ALF_DOT_HYP = Kind(signs=frozenset(".-"), joint="-", blank=".", clean=_dotted("-"))
# A media type: section 5.7 forgets the plus sign (``application/xhtml+xml``).
MIME = Kind(signs=frozenset(".-+"), joint="-", blank=".", clean=_dotted("-"))
ALF_DOT_OTH = Kind(signs=frozenset(".-_'=()"), joint="-", blank="-", clean=_dotted("_'=()-"))
DATE_LOC = Kind(
    signs=frozenset(".-_'=()"), joint=".", blank="-", clean=_dotted("_'=()-"), headed=False
)
PARTITION = Kind(
    signs=frozenset(".-_;:,='()+@$"),
    joint="",
    blank="",
    clean=re.compile(r"[A-Za-z0-9._;:,='()-]+"),
    headed=False,
)


def read_leaf(text: str, kind: Kind, component: str) -> Parsed[str]:
    """Read one text by one character rule; its value is its canonical form."""
    if kind.clean.fullmatch(text):
        return Parsed(text, text)
    if not text:
        return Parsed(None, "", (Fault("LX201", component, 0, 0),))
    faults: dict[str, Fault] = {}
    for fault in _faults(text, kind, component):
        faults.setdefault(fault.code, fault)
    fix = Fix(0, len(text), repair) if (repair := mended(text, kind)) else None
    found = tuple(fault._replace(fix=fix) for fault in faults.values())
    if found and found[-1].code in FATAL:
        return Parsed(None, text, found)
    value = preserved(text) if kind is PARTITION else canonical(text)
    form = _form_faults(value, len(text), component)
    return Parsed(value, value, (*found, *(fault._replace(fix=fix) for fault in form)))


def refusal(text: str, at: int, component: str) -> Fault:
    """Why the character at an offset cannot stand there."""
    sign = text[at]
    if is_unwritable(sign):
        return Fault("LX110", component, at, at + 1, (quoted(sign),))
    code = {"/": "LX116", "*": "LX117", "!": "LX117", "?": "LX118"}.get(sign, "LX202")
    return Fault(code, component, at, at + 1, (quoted(sign),))


def shifted(faults: tuple[Fault, ...], by: int) -> tuple[Fault, ...]:
    """The same faults, in a text that starts ``by`` characters further left."""
    return tuple(fault.shifted(by) for fault in faults) if faults and by else faults


def _faults(text: str, kind: Kind, component: str) -> Iterator[Fault]:
    """What is found in a text from left to right, up to the first error."""
    for token in _TOKEN.finditer(text):
        for fault in _token_faults(token, kind, component):
            yield fault
            if fault.code in FATAL:
                return


def _token_faults(token: re.Match[str], kind: Kind, component: str) -> Iterator[Fault]:
    """What is found in one token."""
    start, found = token.start(), token[0]
    match token.lastgroup:
        case "octets":
            yield from _octet_faults(found, start, component)
        case "ascii":
            yield _encoded_ascii(found, start)
        case "raw":
            yield from _raw_faults(token.string, start, component)
        case "percent":
            end = min(start + 3, len(token.string))
            yield Fault("LX104", "percent-encoding", start, end)
        case "sign" if found not in kind.signs or (kind.headed and not start):
            yield refusal(token.string, start, component)


def _octet_faults(run: str, start: int, component: str) -> Iterator[Fault]:
    """Octets from 80 up: they are UTF-8, and their characters fit for a name."""
    try:
        characters = decoded(run)
    except UnicodeDecodeError:
        yield Fault("LX105", "percent-encoding", start, start + len(run), (quoted(run),))
        return
    for character in characters:
        end = start + 3 * len(character.encode())
        code = "LX106" if is_control(character) else "LX107" if character in BIDI else None
        if code:
            yield Fault(code, "percent-encoding", start, end, (quoted(character),))
        elif code := judgement(character):
            yield Fault(code, component, start, end, (quoted(character), "i"))
        start = end


def _encoded_ascii(triplet: str, start: int) -> Fault:
    """Encoded ASCII: control characters are refused, the others stay as data."""
    character = chr(int(triplet[1:], 16))
    code = "LX106" if is_control(character) else "LX108"
    return Fault(code, "percent-encoding", start, start + 3, (quoted(character),))


def _raw_faults(text: str, at: int, component: str) -> Iterator[Fault]:
    """A character beyond ASCII that is not encoded."""
    character = text[at]
    if is_unwritable(character):
        yield refusal(text, at, component)
        return
    yield Fault("LX109", component, at, at + 1, (quoted(character),))
    if code := judgement(character):
        yield Fault(code, component, at, at + 1, (quoted(character), "i"))


def _form_faults(value: str, length: int, component: str) -> Iterator[Fault]:
    """What is to be said of a canonical value as a whole; the text it came from has a length."""
    if ".." in value or value.endswith("."):
        yield Fault("LX121", component, 0, length)
    plain = decoded(value)
    if not unicodedata.is_normalized("NFC", plain):
        yield Fault("LX113", component, 0, length, (quoted(plain),))
