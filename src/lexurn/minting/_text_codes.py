"""What minting says of words and numbers, as a table: code, weight, rule, message."""

from __future__ import annotations

from typing import NamedTuple

from lexurn.minting._steps import Action, MintFinding, Step
from lexurn.name import Severity

__all__ = ["CODES", "Code", "Place", "finding", "step"]

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
_LETTERS, _WORDS, _NUMBERS = "RFC 9676 §3.4", "RFC 9676 §4.1", "RFC 9676 §6.3.4"


class Code(NamedTuple):
    """What a code stands for.

    Attributes:
        severity: its weight.
        rule: the rule behind it.
        message: what is wrong and what to do; ``{0}``, ``{1}`` are what was found.
    """

    severity: Severity
    rule: str
    message: str


class Place(NamedTuple):
    """Where something was found: a field, its text, and a stretch of it."""

    field: str
    text: str
    start: int
    end: int


#: Codes LX710 to LX739: words, letters, numbers, citations.
CODES = {
    "LX710": Code(
        _ERROR, _WORDS, "this field holds nothing but blanks; fill it in or leave it out"
    ),
    "LX711": Code(
        _ERROR,
        _WORDS,
        "no word is left of {0} once connectives and punctuation are dropped; give the full words",
    ),
    "LX712": Code(_ERROR, _LETTERS, "a control character, {0}; delete it"),
    "LX713": Code(_ERROR, _LETTERS, "a character that turns the direction of text, {0}; delete it"),
    "LX714": Code(_ERROR, _LETTERS, "a character that nobody sees, {0}; delete it"),
    "LX715": Code(
        _ERROR, _LETTERS, "a combining mark without a letter that it belongs to, {0}; delete it"
    ),
    "LX716": Code(
        _ERROR,
        _LETTERS,
        "{0} stands among letters of another script ({1}); type the word in one script",
    ),
    "LX717": Code(
        _ERROR,
        _LETTERS,
        "{0} looks like {1} but is written in another script; type it in the script of the other"
        " words",
    ),
    "LX718": Code(_ERROR, _LETTERS, "{0} is no character that means anything to others; delete it"),
    "LX719": Code(
        _ERROR,
        _LETTERS,
        "no ASCII letters are known for {0}; use the mode utf8, or add a fold to the registry",
    ),
    "LX720": Code(
        _ERROR,
        "RFC 9676 §3.5",
        "the abbreviation {0} is not in the registry; write it out, or add it to the abbreviations"
        ' of "{1}" in a registry file',
    ),
    "LX721": Code(
        _ERROR,
        "RFC 9676 §4.2",
        "{0} is an acronym that the registry does not know; write it out, or add it to the registry"
        ' as an abbreviation of what it means ("{1}")',
    ),
    "LX722": Code(
        _ERROR, "RFC 9676 §3.5", "the abbreviation {0} can mean {1}; write out which is meant"
    ),
    "LX723": Code(
        _ERROR,
        "RFC 9676 §6.1",
        "{0} is called so by several entries of the registry: {1}; give the full official name",
    ),
    "LX724": Code(
        _NOTE, "RFC 9676 §4.1", "{0} is not in the registry; its words were taken as they are"
    ),
    "LX725": Code(
        _NOTE,
        "RFC 9676 §3.5",
        "{0} is also an abbreviation of {1}, but has no dot; it was taken for a whole word",
    ),
    "LX726": Code(
        _ERROR,
        "RFC 9676 §4.3",
        "{0} can be a designation or a connective here; write the number in digits or the letter"
        " in capitals, or leave the connective out",
    ),
    "LX727": Code(
        _NOTE,
        "RFC 9676 §4.3",
        "{0} was read as the Roman numeral {1}; if it is the letter, write it small",
    ),
    "LX728": Code(
        _WARNING,
        _WORDS,
        "{0} is escaped text of a web page; it was read as {1}; hand over unescaped data",
    ),
    "LX729": Code(
        _ERROR,
        "RFC 9676 §6.3.3",
        '{0} is not a number but says that there is none; for an unnumbered act give "unnumbered"',
    ),
    "LX730": Code(
        _ERROR,
        _NUMBERS,
        "{0} looks like a number that a spreadsheet has rewritten; give it as a text",
    ),
    "LX731": Code(
        _ERROR, _NUMBERS, "{0} holds no letter or digit that a document number could have"
    ),
    "LX732": Code(
        _ERROR,
        "RFC 9676 §6.3.1",
        "no {1} could be read from {0}; give measure, date and number as fields",
    ),
    "LX733": Code(_WARNING, "RFC 9676 §6.3.1", "{0} was not understood and is not in the name"),
    "LX734": Code(
        _ERROR,
        "RFC 9676 §6.3.1",
        "{0}: more than one {1} is stated; give the one that is meant as a field",
    ),
    "LX735": Code(
        _WARNING,
        "RFC 9676 §6.3.1",
        "{0} may hold the year of the act, and no day is stated; give the date as a field",
    ),
    "LX736": Code(
        _NOTE,
        "RFC 9676 §6.2",
        "several entries of the registry are written {0}, of different issuers; none is supplied",
    ),
    "LX738": Code(
        _WARNING,
        _NUMBERS,
        "{0} has no digit; if it is not what numbers the act, correct it",
    ),
    "LX739": Code(
        _ERROR,
        _NUMBERS,
        "{0} is no part of a document number; give the number alone, and a date in its own field",
    ),
    "LX737": Code(
        _WARNING,
        "RFC 9676 §6.3.1",
        "neither {0} nor {1} is a registered measure; the one next to date and number was taken"
        " for the measure",
    ),
}


def finding(code: str, place: Place, *values: str, suggestion: str | None = None) -> MintFinding:
    """The finding that a code makes of a place; values are shown in the message."""
    known = CODES[code]
    return MintFinding(
        code=code,
        severity=known.severity,
        field=place.field,
        text=place.text,
        start=place.start,
        end=place.end,
        message=known.message.format(*values),
        rule=known.rule,
        suggestion=suggestion,
    )


def step(
    field: str, action: Action, before: str, after: str, rule: str, source: str | None = None
) -> Step:
    """A step, by position."""
    return Step(field=field, action=action, before=before, after=after, rule=rule, source=source)
