"""Scripts of letters, and letters of one script that look like letters of another."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["lookalike", "script_of", "scripts_of", "shown"]

#: Scripts that one word of one language may mix: East Asian ones, each also with Latin letters.
_EAST = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_SHOWN = 40

_CYRILLIC = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
)
_GREEK = (
    "\u03bf\u03bd\u03b9\u03ba\u03c1\u03c5\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c"
    "\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
)
_LATIN_OF = {
    "CYRILLIC": (_CYRILLIC, "aeopcyxijshdqwABEKMHOPCTYXIJS"),
    "GREEK": (_GREEK, "ovikpuABEZHIKMNOPTYX"),
}
_TO_LATIN = {
    script: dict(zip(letters, latin, strict=True)) for script, (letters, latin) in _LATIN_OF.items()
}
_FROM_LATIN = {
    script: {latin: letter for letter, latin in letters.items()}
    for script, letters in _TO_LATIN.items()
}


@lru_cache(maxsize=8_192)
def script_of(character: str) -> str | None:
    r"""The script of a letter as Unicode's names have it; None of digits, marks and signs.

    >>> script_of("a"), script_of("\u0430"), script_of("1")
    ('LATIN', 'CYRILLIC', None)
    """
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if unicodedata.category(character) not in {"Lu", "Ll", "Lt", "Lo"} or character in "ªº":
        return None
    return unicodedata.name(character, "UNKNOWN").partition(" ")[0]


def scripts_of(word: str) -> frozenset[str]:
    """The scripts of a word that do not belong together; scripts of East Asia count as one."""
    found = frozenset(filter(None, map(script_of, word)))
    if found & _EAST:
        return found - _EAST - {"LATIN", "GREEK"} | {"CJK"}
    return found


def lookalike(word: str, own: str, other: str) -> str | None:
    r"""The word as it would be typed in another script, None where it does not look like that.

    >>> lookalike("\u0410", "CYRILLIC", "LATIN")
    'A'
    """
    table = _TO_LATIN.get(own) if other == "LATIN" else _FROM_LATIN.get(other)
    if table is None or (other != "LATIN" and own != "LATIN"):
        return None
    twins = [table.get(each) for each in word if script_of(each)]
    return "".join(filter(None, twins)) if twins and None not in twins else None


def shown(characters: Iterable[str]) -> str:
    """A piece of a text as a message shows it; what cannot be seen is spelt out with its name."""
    text = "".join(characters)
    if len(text) == 1 and not text.isascii():
        name = unicodedata.name(text, "no name")
        seen = f'"{text}" ' if text.isprintable() and not unicodedata.combining(text) else ""
        return f"{seen}U+{ord(text):04X} ({name})"
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    visible = (each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)
    return f'"{"".join(visible)}"'
