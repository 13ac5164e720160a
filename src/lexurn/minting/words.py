# ruff: noqa: RUF002, RUF003 - letters of other scripts
"""Words of a text and what they are: connectives, ordinals, abbreviations, acronyms.

Annex A, department I: "a" is an article in English and a preposition in Italian, "i" an article in
Italian. Case and the words beside it decide about a letter. If they do not, nothing is decided.
Ordinals become Arabic digits (RFC 9676 section 4.3): IV, third, 1°, 2^, 3ª, 1st, 2-й, Α΄.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.minting.characters import compile_word_pattern, find_script, load_spelling
from lexurn.registry import REGISTRY_BASE, make_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.registry import Entry, Words

#: The form of a part of a name: lower case, digits, triplets, dots between words.
_NAME_FORM = re.compile(r"(?:[a-z0-9]|%[0-9A-Fa-f]{2})+(?:\.(?:[a-z0-9]|%[0-9A-Fa-f]{2})+)*")
_TRIPLETS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
#: Signs inside a word that are no border of words: Hebrew marks of acronyms, the Catalan dot.
_INNER_SIGNS = frozenset({"\u05f3", "\u05f4", "\u00b7", '"', "'"})
_SIGNS = frozenset("°^˚º")


class Piece(NamedTuple):
    """Word of a text.

    Attributes:
        text: as it is written, without signs inside.
        key: its key in the registry.
        start: its offset.
        end: the offset after it.
        after: the text between it and the next one.
    """

    text: str
    key: str
    start: int
    end: int
    after: str

    @property
    def dotted(self) -> bool:
        """True if a dot stands directly after it."""
        return self.after.startswith(".")

    @property
    def elided(self) -> bool:
        """True if an apostrophe joins it to the next word."""
        return self.after == "'"

    @property
    def signed(self) -> bool:
        """True if a sign of ordinals stands directly after it: ``1°``, ``2^``."""
        return self.after[:1] in _SIGNS and self.after != ""

    @property
    def is_letter(self) -> bool:
        """True if it is one letter."""
        letters = [each for each in self.text if not unicodedata.combining(each)]
        return len(letters) == 1 and letters[0].isalpha()


class SplitText(NamedTuple):
    """Text in pieces.

    Attributes:
        pieces: its words.
        named: True if it has the form of a part of a name, dots between words.
        mixed: True if it has small letters, so that words in capitals stand out.
    """

    pieces: tuple[Piece, ...]
    named: bool
    mixed: bool


def is_name_form(text: str) -> bool:
    """Return True for a text that is a part of a name already.

    >>> is_name_form("annex.a"), is_name_form("Annex A"), is_name_form("legge")
    (True, False, False)
    """
    return ("." in text or "%" in text) and _NAME_FORM.fullmatch(text) is not None


def decode_triplets(text: str) -> str:
    """Decode the percent-encoded letters beyond ASCII; what is not UTF-8 stays."""
    return _TRIPLETS.sub(_decode_run, text) if "%" in text else text


def _decode_run(run: re.Match[str]) -> str:
    try:
        return unquote(run[0], errors="strict")
    except UnicodeDecodeError:
        return run[0]


def split_text(text: str, *, elides: bool) -> SplitText:
    """Return the words of a clean text.

    Args:
        text: the text.
        elides: True if an apostrophe parts words in its language (dell'interno), False if it stands
            inside a word (king's).
    """
    named = is_name_form(text)
    if named:
        text = decode_triplets(text)
    found: list[Piece] = []
    matches = [*compile_word_pattern(text).finditer(text)]
    sign = ""
    for at, match in enumerate(matches, 1):
        word, (start, end) = match[0], match.span()
        if sign in _INNER_SIGNS:
            letters = found[-1].text[-1] + word[0]
            if sign == "'":
                joins = not elides
            elif sign == '"':
                joins = all("\u05d0" <= each <= "\u05ea" for each in letters)
            else:
                joins = letters.isalpha()
            if joins:
                before = found.pop()
                word, start = before.text + word, before.start
        sign = text[end : matches[at].start() if at < len(matches) else len(text)]
        key = word if word.isdecimal() and word.isascii() else make_key(word)
        found.append(Piece(word, key, start, end, sign))
    pieces = tuple([each for each in found if each.key])
    # "LEI No 5.172, DE 25 DE OUTUBRO": one letter of an abbreviation is not enough.
    tails = (each.text if each.text.islower() else each.text[2:] for each in pieces)
    is_mixed = any(each.islower() for tail in tails for each in tail if each not in "ºª")
    return SplitText(pieces, named, is_mixed)


class Vocabulary:
    """Words of one language, with indexes.

    Attributes:
        words: the registry's words of the language.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    @cached_property
    def script(self) -> str | None:
        """Script that the language is written in, or None."""
        keys = (*self.words.connectives, *self.words.months)
        scripts = [find_script(key[0]) for key in keys if key]
        return max(sorted(set(filter(None, scripts))), key=scripts.count, default=None)

    @cached_property
    def longest(self) -> dict[str, int]:
        """Length in words of the longest ordinal, abbreviation or connective, by its first word."""
        words = self.words
        listed = *words.ordinals, *words.abbreviations, *words.connectives, *self.annexed
        found: dict[str, int] = {}
        for key in listed:
            first, *rest = key.split()
            found[first] = max(found.get(first, 1), 1 + len(rest))
        return found

    @cached_property
    def annexed(self) -> dict[str, tuple[Entry, ...]]:
        """Abbreviations of annexes by key."""
        found: dict[str, dict[str, Entry]] = {}
        for entry in self.words.annexes.entries:
            for text in _list_spellings(entry):
                found.setdefault(make_key(text), {})[entry.iri] = entry
        return {key: tuple(entries.values()) for key, entries in found.items()}

    @cached_property
    def undotted(self) -> frozenset[str]:
        """Keys of the abbreviations that are also registered without a final dot."""
        entries = (entry for found in self.words.abbreviations.values() for entry in found)
        spellings = (each for entry in entries for each in _list_spellings(entry))
        return frozenset(make_key(each) for each in spellings if not each.endswith("."))

    @cached_property
    def designators(self) -> frozenset[str]:
        """Keys of the nouns that a letter or a number follows: annexes, articles."""
        entries = (*self.words.annexes.entries, *self.words.partitions)
        named = {make_key(text) for entry in entries for text in (*entry.texts, entry.notation)}
        return frozenset(named)

    @cached_property
    def fillers(self) -> frozenset[str]:
        """Keys of the words that stand between the parts of a citation."""
        return (self.words.datewords | self.words.connectives) - self.words.subject_words

    def source(self, kind: str) -> str:
        """Return the IRI of the scheme of one kind of words, the source of a step."""
        return f"{REGISTRY_BASE}words/{self.words.language}/{kind}"


def _list_spellings(entry: Entry) -> list[str]:
    """Return the spellings of an abbreviation; an entry with full forms counts those with a dot."""
    forms = [each.text for each in entry.forms]
    if entry.kind.word != "abbreviation":
        forms = [each for each in forms if each.endswith(".")]
    return [*forms, *(each.text for each in entry.abbreviations)]


#: The vocabulary of some words, made once for each.
get_vocabulary = lru_cache(maxsize=64)(Vocabulary)


_MANY_WORDS = 4


class WordRole(StrEnum):
    """Role of a short word."""

    CONNECTIVE = "connective"
    WORD = "word"
    UNDECIDED = "undecided"


def find_role(text: SplitText, at: int, vocabulary: Vocabulary) -> WordRole:
    """Return the role of a word: one to drop, one to keep, or either."""
    piece = text.pieces[at]
    words = vocabulary.words
    if piece.key not in words.connectives or text.named:
        return WordRole.WORD
    if piece.elided:
        return WordRole.CONNECTIVE
    if piece.key in words.elided and not piece.after.startswith("'"):
        return WordRole.WORD
    if piece.is_letter:
        return _find_letter_role(text, at, vocabulary)
    # A capital and an accent tell a name from a connective: "Pará", "para". Connectives of several
    # letters have an accent in no language whose names look like them.
    is_marked = any(map(unicodedata.combining, unicodedata.normalize("NFD", piece.text)))
    is_title = piece.text[0].isupper() and not piece.text.isupper()
    stands_out = text.mixed and piece.text.isupper()
    return WordRole.WORD if stands_out or (is_marked and is_title) else WordRole.CONNECTIVE


def _find_letter_role(text: SplitText, at: int, vocabulary: Vocabulary) -> WordRole:
    """Return the role of a letter that is a connective or designates something.

    After "annex" and the like capitals designate: "Annex a of the act" has the letter, "anexo a la
    ley" the preposition.
    """
    piece = text.pieces[at]
    if at + 1 == len(text.pieces):
        return WordRole.WORD
    if at == 0:
        # "A bill", "I beni" begin with an article; "I" may also be the numeral.
        is_undecided = piece.text == "I" and text.mixed
        return WordRole.UNDECIDED if is_undecided else WordRole.CONNECTIVE
    if text.pieces[at - 1].key in vocabulary.designators:
        if piece.text.isupper():
            return WordRole.WORD
        is_undecided = len(piece.text) == 1 and piece.text.isascii()
        is_undecided = is_undecided and text.pieces[at + 1].key in vocabulary.words.connectives
        return WordRole.UNDECIDED if is_undecided else WordRole.CONNECTIVE
    # All of many words begin with a capital in a title, where it says little.
    others = [each for each in text.pieces if not each.is_letter and each.text[0].isalpha()]
    is_title = len(others) >= _MANY_WORDS and all(each.text[0].isupper() for each in others)
    designates = piece.text.isupper() and text.mixed and not is_title
    return WordRole.WORD if designates else WordRole.CONNECTIVE


#: I to LXXXIX. Numerals with C, D or M are left alone: what is written so is mostly an acronym.
_ROMAN = re.compile(r"(?=[IVXL])(XL|L?X{0,3})(IX|IV|V?I{0,3})")
#: A Roman numeral with the ending of an ordinal: "XIIIe", "IIº".
_ROMAN_ENDED = re.compile(r"([IVXL]+)([^\W\d_A-Z]+|[ºª])")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
#: Greek numerals from 1 to 99 in capitals, which a sign after them tells from letters: ΣΤ΄, ΙΑ΄.
_GREEK = re.compile(r"(?=.)([ΙΚΛΜΝΞΟΠϘ]?)(ΣΤ|[ΑΒΓΔΕϚΖΗΘ]?)")
_GREEK_TENS = {letter: 10 * at for at, letter in enumerate("ΙΚΛΜΝΞΟΠϘ", 1)}
_GREEK_UNITS = {"ΣΤ": 6} | {letter: at for at, letter in enumerate("ΑΒΓΔΕϚΖΗΘ", 1)}
_GREEK_SIGNS = frozenset("'\u0384\u0374\u02b9\u00b4")
_DIGITS = re.compile(r"([0-9]+)(\D*)")
_ORDINAL_SIGNS = frozenset("ºª")
_TENS, _UNITS = range(10, 100, 10), range(1, 10)

#: How ordinals in digits end, by language.
_ENDINGS_OF: dict[str, frozenset[str]] = {
    language: frozenset(listed.split())
    for language, listed in load_spelling()["ordinal_endings"].items()
}


def read_roman(text: str) -> int | None:
    """Return the value of a Roman numeral in capitals, None if it is not one.

    >>> [read_roman(text) for text in ("IV", "XVI", "IIII", "DI", "L", "iv")]
    [4, 16, None, None, None, None]
    """
    if text == "L" or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[each] for each in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def read_ordinal(
    pieces: Sequence[Piece], at: int, language: str, *, designates: bool
) -> tuple[str, int] | None:
    """Return the digits of an ordinal and how many pieces it takes, None for anything else.

    An ending of one plain letter is one only before a further word and not after a noun that a
    letter designates: "3a sezione" is the third section, "allegato 3a" and "section 3a" are not.
    """
    piece = pieces[at]
    greek = _GREEK.fullmatch(piece.text) if language == "el" else None
    if greek and piece.after[:1] in _GREEK_SIGNS:  # others are words, as the elided "ΥΠ'"
        return str(_GREEK_TENS.get(greek[1], 0) + _GREEK_UNITS.get(greek[2], 0)), 1
    match = _DIGITS.fullmatch(piece.text) or _ROMAN_ENDED.fullmatch(piece.text)
    if match is None:
        return None
    digits, ending = match.groups()
    if not digits.isdecimal():
        digits = str(read_roman(digits) or "")
    if not ending:  # it may stand after a sign: ``2-й``, ``2:a``, ``2'nci``, ``1.º``
        is_parted = at + 1 < len(pieces) and piece.after in {"-", ":", "'", "."}
        ending = pieces[at + 1].text if is_parted else ""
        is_ending = piece.after != "." and ending in _ENDINGS_OF.get(language, ())
        if is_ending or ending in _ORDINAL_SIGNS:
            return digits, 2
        return (digits, 1) if piece.signed else None
    is_ordinal = ending[0] in _ORDINAL_SIGNS and not ending[1:].isalpha()
    if not is_ordinal and ending.lower() in _ENDINGS_OF.get(language, ()):
        is_letter = len(ending) == 1 and ending.isascii()
        is_last = designates or at + 1 == len(pieces)
        is_ordinal = not ending.isupper() and not (is_letter and is_last)
    return (digits, 1) if is_ordinal and digits else None


def read_ordinal_words(
    pieces: Sequence[Piece], at: int, vocabulary: Vocabulary
) -> tuple[str, int] | None:
    """Return the longest ordinal in words and its length; tens and units in two words add up."""
    ordinals = vocabulary.words.ordinals
    value, taken = None, 1
    for count in range(min(vocabulary.longest.get(pieces[at].key, 1), len(pieces) - at), 0, -1):
        value = ordinals.get(" ".join(each.key for each in pieces[at : at + count]))
        if value is not None:
            taken = count
            break
    tens = vocabulary.words.cardinals.get(pieces[at].key, 0) if value is None else value
    follows = at + taken
    if tens in _TENS and follows < len(pieces) and pieces[follows - 1].after in {" ", "-"}:
        unit = ordinals.get(pieces[follows].key, 0)
        if unit in _UNITS:
            return str(tens + unit), taken + 1
    return None if value is None else (str(value), taken)


_LONGEST_ACRONYM = 6
#: Short words with capitals after small letters ("CdA", "EuGH") or two in front ("REsp").
_SHORT_WORD = re.compile(r"[^\W\d_]{2,6}")
_LONGEST_CHAIN = 6


def find_abbreviation(
    text: SplitText, at: int, vocabulary: Vocabulary, *, annexes: bool
) -> tuple[tuple[Entry, ...], int] | None:
    """Return the longest registered abbreviation that starts here, with dots or in capitals.

    The result is one entry for each expansion, and how many pieces the abbreviation takes; or None.
    Abbreviations of annexes count only if they are asked for.
    """
    pieces = text.pieces
    count = 1
    while at + count < len(pieces) and count < _LONGEST_CHAIN and pieces[at + count - 1].dotted:
        count += 1
    longest = max(count, vocabulary.longest.get(pieces[at].key, 1))
    for count in range(min(longest, len(pieces) - at), 0, -1):
        chain = pieces[at : at + count]
        if not _is_abbreviated(chain, text, vocabulary):
            continue
        for sign in (".", ". "):
            key = make_key(sign.join(each.text for each in chain))
            found = vocabulary.words.abbreviations.get(key, ())
            if annexes:
                found = (*vocabulary.annexed.get(key, ()), *found)
            live = [each for each in found if not each.obsolete] or found
            if live:
                by_notation = {each.notation: each for each in reversed(live)}
                return tuple(by_notation.values())[::-1], count
    return None


def _is_abbreviated(chain: Sequence[Piece], text: SplitText, vocabulary: Vocabulary) -> bool:
    """Return True for pieces with dots or capitals, or in a registered form without dots."""
    if any(each.text.isdigit() for each in chain) or any(each.elided for each in chain[:-1]):
        return False
    first = chain[0]
    if len(chain) > 1:
        return first.is_letter or (first.dotted and not text.named)
    if (first.dotted and not text.named) or first.key in vocabulary.undotted:
        return True
    return len(first.text) > 1 and first.text.isupper() and (text.mixed or len(text.pieces) == 1)


def count_unknown_abbreviation(pieces: Sequence[Piece], at: int) -> int:
    """Return how many pieces an unregistered abbreviation takes, 0 if there is none.

    A dot says that a word is cut short, but not between or after digits ("31.12"). Nor does it
    after the initials of a name ("G. Verdi") or the letter of a number ("S.2544").
    """
    first = pieces[at]
    if not first.dotted or any(each.isdigit() for each in first.text) or _is_initial(pieces, at):
        return 0
    count = 1
    while at + count < len(pieces):
        last, following = pieces[at + count - 1], pieces[at + count]
        is_one = last.after == "." or (last.dotted and last.is_letter and following.is_letter)
        if following.text[0].isdigit() or not is_one:
            break
        count += 1
    return count


def _is_initial(pieces: Sequence[Piece], at: int) -> bool:
    """Return True for a letter with a dot that is the initial of a name, or begins a number.

    In front of everything else it may as well be a word cut short ("L. Regionale"), and several
    letters in a row may be an acronym: both are left to the registry.
    """
    piece = pieces[at]
    if not piece.is_letter or at + 1 == len(pieces):
        return False
    following = pieces[at + 1]
    if following.text[0].isdigit():
        return piece.after == "."
    is_in_row = at > 0 and pieces[at - 1].dotted and pieces[at - 1].is_letter
    if at == 0 or piece.after.strip() != "." or is_in_row:
        return False
    return following.text[0].isupper() and not following.is_letter and not following.dotted


def is_acronym(piece: Piece, text: SplitText) -> bool:
    """Return True for a word in capitals, alone or among small letters, or with inner capitals."""
    letters = piece.text
    if not letters.isalpha() or len(letters) == 1:
        return False
    if letters.isupper():
        return text.mixed or (len(text.pieces) == 1 and len(letters) <= _LONGEST_ACRONYM)
    # Capitals inside a short word, as in "CdA"; not "IJssel", "McGee".
    if not _SHORT_WORD.fullmatch(letters) or letters[:2] == "IJ":
        return False
    return sum(map(str.isupper, letters)) > 1 and (letters[:2].isupper() or letters[-1].isupper())
