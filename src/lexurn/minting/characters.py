"""Characters of given texts: cleaned, in lower case, in ASCII (RFC 9676 sections 3.3, 3.4).

Control characters, direction marks, and letters of two scripts in one word are errors with their
place. Other ways to type the same text become one: full-width letters, digits of other scripts,
typographic quotes and dashes.

The registry's folds of a language come first (German "ü" is "ue"). The base letter without its
marks is next, then the transliteration that anyascii has for whole scripts. Words in a script that
is not read letter by letter stay in Unicode (``ontology/spelling.json``).
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from lexurn import data
from lexurn.minting.draft import Action, Log, Mode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: Scripts that one word of one language may mix: East Asian ones, each also with Latin letters.
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_LONGEST_QUOTE = 40


@cache
def load_spelling() -> dict[str, Any]:
    """Load the table of spelling: scripts, look-alikes, endings of ordinals, words for nothing."""
    return dict(json.loads(data.read_text("ontology/spelling.json")))


@cache
def load_month_names(calendar: str) -> dict[int, list[str]]:
    """Load the names of each month: in its own letters, in Latin ones, then other spellings."""
    rows = json.loads(data.read_text("ontology/calendars.json"))[calendar]
    return {int(month): names for month, names in rows.items()}


@lru_cache(maxsize=8_192)
def find_script(character: str) -> str | None:
    r"""Return the script of a letter by its Unicode name, None for digits, marks and signs.

    >>> find_script("a"), find_script("\u0430"), find_script("1")
    ('LATIN', 'CYRILLIC', None)
    """
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if unicodedata.category(character) not in {"Lu", "Ll", "Lt", "Lo"} or character in "ªº":
        return None
    return unicodedata.name(character, "UNKNOWN").partition(" ")[0]


def quote_characters(text: str) -> str:
    """Quote a text for a message; one letter beyond ASCII has its Unicode name."""
    if len(text) == 1 and not text.isascii():
        seen = f'"{text}" ' if text.isprintable() and not unicodedata.combining(text) else ""
        return f"{seen}U+{ord(text):04X} ({unicodedata.name(text, 'no name')})"
    cut = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    if not cut.isprintable():
        cut = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)
    return f'"{cut}"'


_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_BLANKS = frozenset("\t\n\v\f\r\u2028\u2029")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_FAULT_CODES = {"Cc": "LX712", "Cf": "LX714", "Cs": "LX718", "Co": "LX718", "Cn": "LX718"}
_APOSTROPHES = frozenset("`\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\u00b4\uff07\ua78c")
_DASHES = frozenset("\u2212\u2043")
#: Joiners, which Persian and Indic words are spelt with; and scripts whose words are not.
_JOINERS = frozenset("\u200c\u200d")
_UNJOINED = frozenset({None, "LATIN", "GREEK", "CYRILLIC"})
#: Soft hyphen and tatweel: they change how a word looks and nothing else.
_DECORATIVE = frozenset("\u00ad\u0640")
_ORDINAL_SIGNS = frozenset("ªº")
#: Vowels that Unicode takes apart for compatibility though everybody types them whole.
_WHOLE = frozenset("\u0e33\u0eb3")


@lru_cache(maxsize=8_192)
def _find_fault(character: str) -> str | None:
    """Return the code of a character that may not stand in a text, None if it may."""
    if character.isascii() and character >= " " and character != "\x7f":
        return None
    if character in _BLANKS or character in _DECORATIVE:
        return None
    if character in _BIDI_CONTROLS:
        return "LX713"
    if character in _INVISIBLE or unicodedata.name(character, "").startswith("VARIATION SEL"):
        return "LX714"
    return "LX718" if character == "\ufffd" else _FAULT_CODES.get(unicodedata.category(character))


@lru_cache(maxsize=8_192)
def normalize_character(character: str) -> str:
    r"""Return the one way to type a character: blanks, dashes, apostrophes, digits, letters.

    >>> normalize_character("\u2019"), normalize_character("\uff21"), normalize_character("\u096a")
    ("'", 'A', '4')
    """
    if character.isascii() and character != "`":
        return " " if character in _BLANKS else character
    if character in _APOSTROPHES:
        return "'"
    if character in _DECORATIVE or character in _JOINERS:
        return ""
    category = unicodedata.category(character)
    if category[0] == "Z" or category == "Pd" or character in _DASHES:
        return " " if category[0] == "Z" else "-"
    if category == "Nd":
        return str(unicodedata.digit(character))
    is_plain = category[0] not in "LN" or character in _ORDINAL_SIGNS or character in _WHOLE
    return character if is_plain else unicodedata.normalize("NFKC", character)


def to_ascii_digits(text: str) -> str:
    """Return a text with decimal digits of any script in ASCII."""
    if text.isascii():
        return text
    return "".join(str(int(each)) if each.isdecimal() else each for each in text)


# ASCII without "&", and the Latin letters that are one character in every form of Unicode.
_PLAIN = re.compile(
    "[ -%'-~\u00aa\u00b0\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e"
    "\u0141-\u0148\u014a-\u017e]*"
)
# An entity of HTML, or one character.
_UNIT = re.compile(
    r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|.", re.DOTALL
)
_MAX_MARKS = 4
_MAX_PASSES = 4


class _Character(NamedTuple):
    """Character, and the stretch of the given text that it comes from."""

    text: str
    start: int
    end: int


class CleanText(Log):
    """Text of a field with its words typed in one way, in the script if that is known.

    Attributes:
        clean: the clean text.
    """

    def __init__(self, text: str, field: str, script: str | None = None) -> None:
        super().__init__(field, text)
        self.clean = text
        self._kept: list[_Character] = []
        if not _PLAIN.fullmatch(text) or script not in {None, "LATIN"}:
            self._kept = self._keep_characters(self._compose(self._unescape()))
            self.clean = "".join(each.text for each in self._kept)
            self._check_scripts(script)
        if not self.clean.strip() and not self.findings:
            self.say("LX710")

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the given text of a stretch of the clean one."""
        return (self._kept[start].start, self._kept[end - 1].end) if self._kept else (start, end)

    def _unescape(self) -> list[_Character]:
        """Return the characters, with entities of HTML decoded."""
        found: list[_Character] = []
        for unit in _UNIT.finditer(self.text):
            decoded = unit[0]
            for _ in range(_MAX_PASSES if len(decoded) > 1 else 0):  # escaped twice, decoded twice
                decoded = html.unescape(decoded)
            if decoded != unit[0]:
                self.step(Action.REPLACED, unit[0], decoded, "RFC 9676 §4.1")
                shown = quote_characters(unit[0]), quote_characters(decoded)
                self.say("LX728", *shown, span=unit.span())
            found += [_Character(each, *unit.span()) for each in decoded]
        return found

    def _compose(self, characters: list[_Character]) -> list[_Character]:
        """Return the characters in NFC."""
        text = "".join(each.text for each in characters)
        composed = unicodedata.normalize("NFC", text)
        if composed == text:
            return characters
        self.step(Action.REPLACED, text, composed, "RFC 9676 §3.4")
        # Letters compose with the marks after them, and with parts of a Hangul syllable.
        clusters: list[list[_Character]] = []
        for each in characters:
            if clusters and (_is_mark(each.text) or "\u1160" <= each.text <= "\u11ff"):
                clusters[-1].append(each)
            else:
                clusters.append([each])
        return [
            _Character(each, cluster[0].start, cluster[-1].end)
            for cluster in clusters
            for each in unicodedata.normalize("NFC", "".join(part.text for part in cluster))
        ]

    def _keep_characters(self, characters: list[_Character]) -> list[_Character]:
        """Return the characters that may stand, typed in one way; note the others."""
        kept: list[_Character] = []
        faults: list[tuple[str, _Character]] = []
        marks = 0
        for each in characters:
            code = _find_fault(each.text)
            before = kept[-1].text if kept else ""
            marks = marks + 1 if _is_mark(each.text) else 0
            if code is None and marks:
                carries = before != "" and (before.isalnum() or _is_mark(before))
                code = None if carries and marks <= _MAX_MARKS else "LX715"
            # A joiner may belong to the spelling of the word that it stands in.
            is_spelling = before != "" and not before.isascii() and each.text in _JOINERS
            if is_spelling and find_script(before) in _UNJOINED:
                is_spelling = unicodedata.category(before)[0] == "M"
            if code is None or is_spelling:
                kept += [each._replace(text=typed) for typed in normalize_character(each.text)]
            else:
                faults.append((code, each))
        given, typed = ("".join(each.text for each in some) for some in (characters, kept))
        for code, each in faults:
            hint = typed.strip() or None
            shown = quote_characters(each.text)
            self.say(code, shown, span=(each.start, each.end), suggestion=hint)
        # Other blanks, dashes and quotes alone are not worth a step.
        if not faults and [*filter(str.isalnum, given)] != [*filter(str.isalnum, typed)]:
            self.step(Action.REPLACED, given, typed, "RFC 9676 §3.4")
        return kept

    def _check_scripts(self, script: str | None) -> None:
        """Note each word that mixes scripts, or is typed in look-alikes of another script."""
        words = []
        for word in compile_word_pattern(self.clean).finditer(self.clean):
            own = frozenset(filter(None, map(find_script, word[0])))
            if own & _EAST_ASIAN:  # these belong together, and Latin letters may stand among them
                own = own - _EAST_ASIAN - {"LATIN", "GREEK"} | {"CJK"}
            words.append((word, own))
        single = Counter(next(iter(own)) for _, own in words if len(own) == 1).most_common(2)
        reference = script
        if script != "LATIN" and not any(script in own for _, own in words):
            is_clear = len(single) == 1 or (single and single[0][1] > single[1][1])
            reference = single[0][0] if is_clear else None
        for word, own in words:
            if len(own) > 1:
                scripts = [*map(find_script, word[0])]
                rare = min(filter(None, dict.fromkeys(scripts)), key=scripts.count)
                most = next(other for other in scripts if other not in {rare, None})
                at = word.start() + scripts.index(rare)
                shown = _name_letter(self.clean[at]), str(most).capitalize()
                self.say("LX716", *shown, span=(at, at + 1))
            elif own and reference and own != {reference}:
                self._say_lookalike(word, next(iter(own)), reference)

    def _say_lookalike(self, word: re.Match[str], own: str, reference: str) -> None:
        """Note a word whose letters look like those of the other script, all of them."""
        if set(word[0]) <= set("IVX") or "LATIN" not in {own, reference}:
            return
        other, latin = load_spelling()["look_alikes"].get(
            own if reference == "LATIN" else reference, ("", "")
        )
        table = dict(zip(*((latin, other) if own == "LATIN" else (other, latin)), strict=True))
        letters = [each for each in word[0] if find_script(each)]
        if all(each in table for each in letters):
            meant = "".join(table[each] for each in letters)
            seen = _name_letter(word[0]) if len(word[0]) == 1 else quote_characters(word[0])
            fixed = self.clean[: word.start()] + meant + self.clean[word.end() :]
            self.say("LX717", seen, quote_characters(meant), span=word.span(), suggestion=fixed)


@lru_cache(maxsize=8_192)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _name_letter(letter: str) -> str:
    """Quote a letter with its Unicode name, also in ASCII."""
    return f'"{letter}" U+{ord(letter):04X} ({unicodedata.name(letter, "no name")})'


def compile_word_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of the words of a text: letters, digits and the marks in the text."""
    if text.isascii():
        return _ASCII_WORD
    if max(text) < FIRST_MARK:
        return _WORD
    marks = "".join(sorted(filter(_is_mark, set(text))))
    return re.compile(f"(?:[^\\W_]|[{re.escape(marks)}])+") if marks else _WORD


#: The first combining mark of Unicode.
FIRST_MARK = "\u0300"
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(r"[^\W_]+")


#: Languages that have an "i" with a dot and one without, in both cases.
_DOTTED = frozenset({"tr", "az"})
_TURKIC = str.maketrans({"İ": "i", "I": "\u0131"})
#: Letters that are not a base letter with a mark, or not in Unicode's eyes.
_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
    "\u0131": "i", "ŧ": "t", "ŋ": "ng", "ª": "a", "º": "o", "ĸ": "k", "ŉ": "n",
}  # fmt: skip
_ENCODED_SIGNS = str.maketrans({"ª": "a", "º": "o"})
_KEPT = re.compile(r"[^a-z0-9]+")
_SIGMA, _FINAL = "\u03c3", "\u03c2"
#: Points of vowels and of chant, of Hebrew and Arabic: a word is the same with them or without.
_POINTS = re.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06ed]+"
)
_POLYTONIC = re.compile(r"[\u1f00-\u1fff]")
#: Greek breathings and the small iota go, the three accents are one.
_MONOTONIC = {0x313: None, 0x314: None, 0x345: None, 0x300: 0x301, 0x342: 0x301}
_FINAL_SIGMA = re.compile(r"(?<=[^\W_]|[\u0300-\u036f])\u03c3(?![^\W_]|[\u0300-\u036f])")


def lower_text(text: str, language: str) -> str:
    """Return the text in lower case: letter by letter, but for Turkic "I" and the final sigma.

    >>> lower_text("İL", "tr"), lower_text("ΝΟΜΟΣ", "el"), lower_text("İL", "it")
    ('il', 'νομος', 'il')
    """
    if text.isascii() and language not in _DOTTED:
        return text.lower()
    if language in _DOTTED:
        text = text.translate(_TURKIC)
    plain = "".join(low if len(low := each.lower()) == 1 else "i" for each in text)
    if _SIGMA in plain or _FINAL in plain:
        plain = _FINAL_SIGMA.sub(_FINAL, plain.replace(_FINAL, _SIGMA))
    return plain


def fold_to_ascii(word: str, folds: Mapping[str, str]) -> str:
    """Return a word in lower case as ASCII letters and digits, "" if it has none.

    >>> fold_to_ascii("münchen", {"ü": "ue"}), fold_to_ascii("закон", {})
    ('muenchen', 'zakon')
    """
    if word.isascii():
        return word
    word = _POINTS.sub("", word)
    if _POLYTONIC.search(word):  # the spelling of 1982, by which folds know Greek letters
        plain = unicodedata.normalize("NFD", word).translate(_MONOTONIC)
        word = unicodedata.normalize("NFC", plain)
    for letter in sorted(folds, key=len, reverse=True):
        word = word.replace(letter, folds[letter])
    return "".join(each if each.isascii() else _transliterate(each) for each in word)


@lru_cache(maxsize=8_192)
def _transliterate(character: str) -> str:
    """Return a letter beyond ASCII in ASCII, "" for marks and for silent letters."""
    known = _LETTERS.get(character)
    if known is not None:
        return known
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return base.lower() if base.isalnum() else ""
    from anyascii import anyascii  # noqa: PLC0415 - a table of all scripts: not with the package

    return _KEPT.sub("", anyascii(character).lower())


def find_unwritable(word: str, folds: Mapping[str, str]) -> str | None:
    """Return the first letter of a word for which no ASCII is known, or None.

    ASCII is known for the letters that a language folds, and for scripts read letter by letter.
    Hebrew and Arabic leave vowels out, so their letters alone are not a transcription. The reading
    of an ideograph depends on the word. RFC 9676 section 3.4 then asks for Unicode.
    """
    for each in word:
        if each.isascii() or each in folds or not each.isalpha():
            continue
        script = find_script(each)
        if script is not None and script not in load_spelling()["mapped"]:
            return each
    return None if fold_to_ascii(word, folds) else word[:1]


def write_word(word: str, folds: Mapping[str, str], mode: Mode) -> str:
    """Return a word in lower case as a name has it.

    In UTF-8 every character beyond ASCII is percent-encoded (RFC 3986). This also holds in ASCII
    for a word with a letter that has no known form there (`find_unwritable`).
    """
    if word.isascii() or (mode is Mode.ASCII and find_unwritable(word, folds) is None):
        return fold_to_ascii(word, folds)
    return quote(_POINTS.sub("", word).translate(_ENCODED_SIGNS), safe="%-._~'=()")
