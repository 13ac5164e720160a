"""Cleaning of given texts: entities, composition, scripts, characters that may not stand.

Characters that have no place in a text (control characters, direction marks, letters of two
scripts in one word) are errors that say where. Other ways to type the same text (full-width
letters, digits of other scripts, typographic quotes and dashes) are made one way.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.metadata import TextPlace, make_field_finding
from lexurn.minting.steps import Action, make_step

if TYPE_CHECKING:
    from lexurn.findings import Finding
    from lexurn.minting.steps import Step

#: Scripts that one word of one language may mix: East Asian ones, each also with Latin letters.
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_LONGEST_QUOTE = 40

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


def find_scripts(word: str) -> frozenset[str]:
    """Return the scripts of a word that do not belong together; East Asian ones count as one."""
    found = frozenset(filter(None, map(find_script, word)))
    if found & _EAST_ASIAN:
        return found - _EAST_ASIAN - {"LATIN", "GREEK"} | {"CJK"}
    return found


def translate_lookalike(word: str, own: str, other: str) -> str | None:
    r"""Return the word as typed in another script, None where it does not look like that.

    >>> translate_lookalike("\u0410", "CYRILLIC", "LATIN")
    'A'
    """
    table = _TO_LATIN.get(own) if other == "LATIN" else _FROM_LATIN.get(other)
    if table is None or (other != "LATIN" and own != "LATIN"):
        return None
    twins = [table.get(each) for each in word if find_script(each)]
    return "".join(filter(None, twins)) if twins and None not in twins else None


def quote_characters(text: str) -> str:
    """Quote a text for a message; one letter beyond ASCII has its Unicode name."""
    if len(text) == 1 and not text.isascii():
        seen = f'"{text}" ' if text.isprintable() and not unicodedata.combining(text) else ""
        return f"{seen}U+{ord(text):04X} ({unicodedata.name(text, 'no name')})"
    cut = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    visible = (each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)
    return f'"{"".join(visible)}"'


_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_BLANKS = frozenset("\t\n\v\f\r\u2028\u2029")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_FAULT_CODES = {"Cc": "LX712", "Cf": "LX714", "Cs": "LX718", "Co": "LX718", "Cn": "LX718"}
_APOSTROPHES = frozenset("\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\u00b4\uff07\ua78c")
_DASHES = frozenset("\u2212\u2043")
#: Joiners, which Persian and Indic words are spelt with; and scripts whose words are not.
_JOINERS = frozenset("\u200c\u200d")
_UNJOINED = frozenset({None, "LATIN", "GREEK", "CYRILLIC"})
#: Soft hyphen and tatweel: they change how a word looks and nothing else.
_DECORATIVE = frozenset("\u00ad\u0640")
_ORDINAL_SIGNS = frozenset("ªº")
#: Vowels that Unicode takes apart for compatibility though everybody types them whole.
_WHOLE = frozenset("\u0e33\u0eb3")


def _find_fault(character: str) -> str | None:
    """Return the code of a character that may not stand in a text, None where it may."""
    if character.isascii() and character >= " " and character != "\x7f":
        return None
    if character in _BLANKS or character in _DECORATIVE:
        return None
    if character in _BIDI_CONTROLS:
        return "LX713"
    if character in _INVISIBLE or unicodedata.name(character, "").startswith("VARIATION SEL"):
        return "LX714"
    return "LX718" if character == "\ufffd" else _FAULT_CODES.get(unicodedata.category(character))


def _needs_joiner(before: str, character: str) -> bool:
    """Return whether a joiner belongs to the spelling of the word that it stands in."""
    if character not in _JOINERS or not before or before.isascii():
        return False
    script = find_script(before)
    return script not in _UNJOINED or unicodedata.category(before)[0] == "M"


def normalize_character(character: str) -> str:
    r"""Return the one way to type a character: blanks, dashes, apostrophes, digits, letters.

    >>> normalize_character("\u2019"), normalize_character("\uff21"), normalize_character("\u096a")
    ("'", 'A', '4')
    """
    if character.isascii():
        return " " if character in _BLANKS else "'" if character == "`" else character
    if character in _APOSTROPHES:
        return "'"
    if character in _DECORATIVE or character in _JOINERS:
        return ""
    category = unicodedata.category(character)
    if category[0] == "Z":
        return " "
    return "-" if category == "Pd" or character in _DASHES else _make_plain(character, category)


def _make_plain(character: str, category: str) -> str:
    """Return a letter or digit in its plain form, not full-width or a presentation form."""
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category[0] not in "LN" or character in _ORDINAL_SIGNS or character in _WHOLE:
        return character
    return unicodedata.normalize("NFKC", character)


def to_ascii_digits(text: str) -> str:
    """Return a text with decimal digits of any script in ASCII."""
    if text.isascii():
        return text
    return "".join(str(int(each)) if each.isdecimal() else each for each in text)


_PLAIN = re.compile(r"[ -%'-~]*")
_ENTITY = re.compile(r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MAX_MARKS = 4
_MAX_PASSES = 4


class _Character(NamedTuple):
    """Character, and the stretch of the given text that it comes from."""

    text: str
    start: int
    end: int


class CleanText(NamedTuple):
    """Text whose words can be read.

    Attributes:
        given: the text as it was given.
        text: what it became.
        places: for each character of ``text`` its place in ``given``; None where they are equal.
        steps: what was done.
        findings: what was found.
    """

    given: str
    text: str
    places: tuple[tuple[int, int], ...] | None = None
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether a finding is an error."""
        return any(found.is_error for found in self.findings)

    def place(self, field: str, start: int, end: int) -> TextPlace:
        """Return the place in the given text of a stretch of the clean one."""
        if self.places is None or not self.places:
            return TextPlace(field, self.given, start, end)
        first = self.places[min(start, len(self.places) - 1)][0]
        return TextPlace(
            field, self.given, first, self.places[max(end - 1, 0)][1] if end else first
        )


def clean_text(text: str, field: str, script: str | None = None) -> CleanText:
    """Return the text with its words typed in one way.

    Args:
        text: any text.
        field: the field that it stands in.
        script: the script of the words of its language, or None.
    """
    if _PLAIN.fullmatch(text):
        if text.strip() and script in {None, "LATIN"}:
            return CleanText(text, text)
        if not text.strip():
            return CleanText(text, "", findings=(make_field_finding("LX710", field, text),))
    return _Cleaner(text, field).clean(script)


class _Cleaner:
    """Cleaner of one text; collects steps and findings."""

    def __init__(self, text: str, field: str) -> None:
        self.given, self.field = text, field
        self.steps: list[Step] = []
        self.findings: list[Finding] = []

    def clean(self, script: str | None) -> CleanText:
        kept = self._keep_characters(self._compose(self._unescape()))
        text = "".join(each.text for each in kept)
        if not text.strip() and not self.findings:
            self._say("LX710", 0, len(self.given))
        places = tuple((each.start, each.end) for each in kept for _ in each.text)
        found = CleanText(self.given, text, places)
        self._check_scripts(found, script)
        return found._replace(steps=tuple(self.steps), findings=tuple(self.findings))

    def _say(self, code: str, start: int, end: int, *values: str, hint: str | None = None) -> None:
        place = TextPlace(self.field, self.given, start, end)
        self.findings.append(place.make_finding(code, *values, suggestion=hint))

    def _step(self, before: str, after: str, rule: str) -> None:
        self.steps.append(make_step(self.field, Action.REPLACED, before, after, rule))

    def _unescape(self) -> list[_Character]:
        """Return the characters, with entities of HTML decoded."""
        found: list[_Character] = []
        at = 0
        for match in _ENTITY.finditer(self.given) if "&" in self.given else ():
            decoded = match[0]
            for _ in range(_MAX_PASSES):  # what is escaped twice is decoded twice
                decoded = html.unescape(decoded)
            if decoded == match[0]:
                continue
            found += _list_characters(self.given, at, match.start())
            found += [_Character(each, *match.span()) for each in decoded]
            at = match.end()
            self._step(match[0], decoded, "RFC 9676 §4.1")
            shown = quote_characters(match[0]), quote_characters(decoded)
            self._say("LX728", *match.span(), *shown)
        return found + _list_characters(self.given, at, len(self.given))

    def _compose(self, characters: list[_Character]) -> list[_Character]:
        """Return the characters in NFC."""
        text = "".join(each.text for each in characters)
        composed = unicodedata.normalize("NFC", text)
        if composed == text:
            return characters
        self._step(text, composed, "RFC 9676 §3.4")
        found: list[_Character] = []
        for cluster in _group_clusters(characters):
            whole = unicodedata.normalize("NFC", "".join(each.text for each in cluster))
            found += [_Character(each, cluster[0].start, cluster[-1].end) for each in whole]
        if "".join(each.text for each in found) == composed:
            return found
        return [_Character(each, 0, len(self.given)) for each in composed]

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
            if code is None or _needs_joiner(before, each.text):
                kept += [each._replace(text=typed) for typed in normalize_character(each.text)]
            else:
                faults.append((code, each))
        given, typed = ("".join(each.text for each in some) for some in (characters, kept))
        for code, each in faults:
            hint = typed.strip() or None
            self._say(code, each.start, each.end, quote_characters(each.text), hint=hint)
        # Other blanks, dashes and quotes alone are not worth a step.
        if not faults and [*filter(str.isalnum, given)] != [*filter(str.isalnum, typed)]:
            self._step(given, typed, "RFC 9676 §3.4")
        return kept

    def _check_scripts(self, found: CleanText, script: str | None) -> None:
        """Note where a word mixes scripts, or is typed in look-alikes of another script."""
        words = list(compile_word_pattern(found.text).finditer(found.text))
        scripts = [find_scripts(word[0]) for word in words]
        known = script == "LATIN" or any(script in own for own in scripts)
        reference = script if known else _find_commonest(scripts)
        for word, own in zip(words, scripts, strict=True):
            if len(own) > 1:
                self._say_mixed(found, word)
            elif own and reference and own != {reference}:
                self._say_lookalike(found, word, next(iter(own)), reference)

    def _say_mixed(self, found: CleanText, word: re.Match[str]) -> None:
        letters = [(at, find_script(each)) for at, each in enumerate(word[0]) if find_script(each)]
        scripts = [script for _, script in letters]
        rare = min(dict.fromkeys(scripts), key=scripts.count)
        most = next(script for script in scripts if script != rare)
        at = word.start() + next(at for at, script in letters if script == rare)
        place = found.place(self.field, at, at + 1)
        shown = _name_letter(found.text[at])
        self._say("LX716", place.start, place.end, shown, str(most).capitalize())

    def _say_lookalike(
        self, found: CleanText, word: re.Match[str], own: str, reference: str
    ) -> None:
        meant = translate_lookalike(word[0], own, reference)
        if meant is None or set(word[0]) <= set("IVX"):
            return
        place = found.place(self.field, word.start(), word.end())
        seen = _name_letter(word[0]) if len(word[0]) == 1 else quote_characters(word[0])
        fixed = found.text[: word.start()] + meant + found.text[word.end() :]
        self._say("LX717", place.start, place.end, seen, quote_characters(meant), hint=fixed)


def _list_characters(text: str, start: int, end: int) -> list[_Character]:
    return [_Character(text[at], at, at + 1) for at in range(start, end)]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _group_clusters(characters: list[_Character]) -> list[list[_Character]]:
    """Group letters with what composes with them: marks, and parts of a Hangul syllable."""
    found: list[list[_Character]] = []
    for each in characters:
        if found and (_is_mark(each.text) or "\u1160" <= each.text <= "\u11ff"):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _find_commonest(scripts: list[frozenset[str]]) -> str | None:
    """Return the script of most words, None where two are as frequent."""
    ranked = Counter(next(iter(each)) for each in scripts if len(each) == 1).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _name_letter(letter: str) -> str:
    """Quote a letter with its Unicode name, also in ASCII."""
    return f'"{letter}" U+{ord(letter):04X} ({unicodedata.name(letter, "no name")})'


def compile_word_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of the words of a text: letters, digits and the marks in the text."""
    if text.isascii():
        return _ASCII_WORD
    marks = "".join(sorted(filter(_is_mark, set(text))))
    return re.compile(f"(?:[^\\W_]|[{re.escape(marks)}])+") if marks else _WORD


_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(r"[^\W_]+")
