"""Characters of given texts: which may not stand, and the one way to type each of the others."""

from __future__ import annotations

import unicodedata

from lexurn.minting._text_scripts import script_of

__all__ = ["carries_mark", "fault_of", "needs_joiner", "one_way"]

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANKS = frozenset("\t\n\v\f\r\u2028\u2029")
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_FAULTS = {"Cc": "LX712", "Cf": "LX714", "Cs": "LX718", "Co": "LX718", "Cn": "LX718"}
_APOSTROPHES = frozenset("\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\u00b4\uff07\ua78c")
_DASHES = frozenset("\u2212\u2043")
#: Joiners, which Persian and Indic words are spelt with; and scripts whose words are not.
_JOINERS = frozenset("\u200c\u200d")
_UNJOINED = frozenset({None, "LATIN", "GREEK", "CYRILLIC"})
#: Soft hyphen and tatweel: they change how a word looks and nothing else.
_SILENT = frozenset("\u00ad\u0640")
_ORDINAL_SIGNS = frozenset("ªº")
#: Vowels that Unicode takes apart for compatibility though everybody types them whole.
_WHOLE = frozenset("\u0e33\u0eb3")


def fault_of(character: str) -> str | None:
    """The code of what may not stand in a text; None where it may."""
    if character.isascii() and character >= " " and character != "\x7f":
        return None
    if character in _BLANKS or character in _SILENT:
        return None
    if character in BIDI:
        return "LX713"
    if character in _UNSEEN or unicodedata.name(character, "").startswith("VARIATION SEL"):
        return "LX714"
    return "LX718" if character == "\ufffd" else _FAULTS.get(unicodedata.category(character))


def carries_mark(before: str) -> bool:
    """Whether a character is a letter, digit or mark that a mark may stand on."""
    return before != "" and (before.isalnum() or unicodedata.category(before)[0] == "M")


def needs_joiner(before: str, character: str) -> bool:
    """Whether a joiner stands behind a letter of a script that spells words with joiners."""
    if character not in _JOINERS or not before or before.isascii():
        return False
    script = script_of(before)
    return script not in _UNJOINED or unicodedata.category(before)[0] == "M"


def one_way(character: str) -> str:
    """The one way to type a character: blanks, dashes, apostrophes, digits, plain letters.

    >>> one_way("\u2019"), one_way("\uff21"), one_way("\u096a")
    ("'", 'A', '4')
    """
    if character.isascii():
        return " " if character in _BLANKS else "'" if character == "`" else character
    if character in _APOSTROPHES:
        return "'"
    if character in _SILENT or character in _JOINERS:
        return ""
    category = unicodedata.category(character)
    if category[0] == "Z":
        return " "
    if category == "Pd" or character in _DASHES:
        return "-"
    return _compatible(character, category)


def _compatible(character: str, category: str) -> str:
    """A letter or digit in its plain form: full-width, presentation forms, other digits."""
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category[0] not in "LN" or character in _ORDINAL_SIGNS or character in _WHOLE:
        return character
    return unicodedata.normalize("NFKC", character)
