# ruff: noqa: RUF001, RUF003 - letters of other scripts are what this is about
"""The words and numbers of a text, seen as what they can be in a date."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.registry import Words

__all__ = ["Same", "Token", "Vocabulary", "numeral", "tokens_of", "vocabulary_of"]

# Marks that belong to the letter before them: Latin, Hebrew, Arabic, Devanagari, Thai.
_MARK = (
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
)
_TOKEN = re.compile(rf"(?P<number>\d+)|(?P<word>(?:[^\W\d_]{_MARK}*)+)|(?P<sign>\S)", re.DOTALL)
_JOINERS = frozenset(",;&+/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u060c\u3001")
_BRACKETS = frozenset("()\uff08\uff09")
_STOPS = frozenset(".'’°º^:\u00b7\u200e\u200f\u061c\u05be\"«»„“”")
_BETWEEN_WORDS = re.compile(r"\s+|\s?[-'’.\u2010\u2011\u05be]\s?|")
_ROMANS = {
    numeral: month
    for month, numeral in enumerate(
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"], 1
    )
}
_ORDINAL = re.compile(r"[0-9]+ ?([^0-9 ]+)")
_LONGEST_RUN, _LAST_DAY, _YEAR_DIGITS = 4, 31, 4
_BEFORE_SUFFIX = frozenset("-.'’\u2010\u2011")
# What languages write straight behind the number of a day: "1er", "21st", "1º", "21-го", "21-én".
_SUFFIXES = frozenset({
    "st", "rd", "th", "er", "ere", "re", "eme", "e", "o", "a", "os", "ro", "do", "to",
    "vo", "mo", "no", "de", "ste", "ter", "ten", "an", "en", "n", "ja", "i", "in", "jen",
    "ei", "lea", "ea", "y", "ty", "m", "д", "г", "го", "е", "й", "я", "и", "ої", "ого", "та",
    "но", "во", "ро", "мо", "η", "ης", "م", "ב", "ם", "the",
})  # fmt: skip


class Token(NamedTuple):
    """A piece of a text: what it can be in a date, and where it stands.

    Attributes:
        kind: one letter: ``n`` a number from 1 to 31, ``Y`` one of four digits, ``y`` of two that
            is no day, ``T`` of three, ``L`` a longer one; ``M`` a month, ``D`` a day in words,
            ``W`` a word that is dropped, and where a word can be several of these ``m`` (M, D),
            ``w`` (M, W), ``d`` (D, W), ``a`` (all); ``R`` a Roman month; ``J`` what joins,
            ``P`` a bracket, ``S`` another sign, ``O`` anything else.
        start: where it begins.
        end: where it ends.
        month: the month that it can be, or 0.
        day: the day that it can be, or 0.
        weekday: the day of the week that it can be, Monday 1, or 0.
        dated: whether it is a word of dates and nothing else (``года``).
    """

    kind: str
    start: int
    end: int
    month: int = 0
    day: int = 0
    weekday: int = 0
    dated: bool = False


class Vocabulary(NamedTuple):
    """The words of dates of one language, by key."""

    language: str
    months: Mapping[str, int]
    days: Mapping[str, int]
    weekdays: Mapping[str, int]
    dropped: frozenset[str]
    datewords: frozenset[str]
    joining: str
    suffixes: frozenset[str]
    longest: int


class Same:
    """Words as a key of caches: the same object, never an equal one."""

    __slots__ = ("words",)

    def __init__(self, words: Words) -> None:
        self.words = words

    def __hash__(self) -> int:
        return id(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.words is self.words


@lru_cache(maxsize=64)
def vocabulary_of(same: Same) -> Vocabulary:
    """The vocabulary of some words; made once for each."""
    words = same.words
    numerals = {**words.cardinals, **words.ordinals}
    days = {
        key: value
        for key, value in numerals.items()
        if 1 <= value <= _LAST_DAY and words.cardinals.get(key, value) == value
    }
    runs = (*words.months, *days, *words.weekdays, *words.datewords)
    longest = max((key.count(" ") + 1 for key in runs), default=1)
    return Vocabulary(
        language=words.language,
        months=words.months,
        days=days,
        weekdays=words.weekdays,
        dropped=frozenset(words.connectives) | frozenset(map(key_of, words.datewords)),
        datewords=frozenset(map(key_of, words.datewords)) - frozenset(words.connectives),
        joining=key_of(words.formats.get("and", "")),
        suffixes=frozenset((*map(key_of, _SUFFIXES), *filter(None, map(_suffix, words.ordinals)))),
        longest=min(longest, _LONGEST_RUN),
    )


def _suffix(key: str) -> str | None:
    """What follows the digits of an ordinal: ``er`` of ``1er``."""
    found = _ORDINAL.fullmatch(key)
    return found[1] if found else None


def numeral(text: str) -> int:
    """The number that decimal digits of any script make."""
    return int("".join(str(unicodedata.decimal(digit)) for digit in text))


def tokens_of(text: str, vocabulary: Vocabulary) -> tuple[Token, ...]:
    """The pieces of a text, blanks left out; the longest run of words that is known makes one."""
    matches = list(_TOKEN.finditer(text))
    tokens: list[Token] = []
    at = 0
    while at < len(matches):
        if matches[at]["word"]:
            length, token = _longest_run(text, matches, at, vocabulary)
            if token.kind in "OM" and _is_suffix(text, matches, at, token, vocabulary):
                token = token._replace(kind="W", month=0)
        else:
            length, token = 1, _plain_token(matches[at])
        tokens.append(token)
        at += length
    return tuple(tokens)


def _plain_token(match: re.Match[str]) -> Token:
    """A number or a sign."""
    start, end = match.span()
    if match["number"] is None:
        return Token(_sign_kind(match["sign"]), start, end)
    value, digits = numeral(match["number"]), end - start
    if digits <= 2:  # noqa: PLR2004  a day or the end of a year
        is_day = 1 <= value <= _LAST_DAY
        return Token("n" if is_day else "y", start, end, day=value if is_day else 0)
    return Token({3: "T", _YEAR_DIGITS: "Y"}.get(digits, "L"), start, end)


def _sign_kind(sign: str) -> str:
    for kind, signs in (("J", _JOINERS), ("P", _BRACKETS), ("S", _STOPS)):
        if sign in signs:
            return kind
    return "O"


def _longest_run(
    text: str, matches: list[re.Match[str]], at: int, vocabulary: Vocabulary
) -> tuple[int, Token]:
    """How many words from ``at`` on make one entry, and the token that they make."""
    start = matches[at].start()
    for last in reversed(list(_run_ends(text, matches, at, vocabulary.longest))):
        end = matches[last].end()
        token = _word_token(text[start:end], start, end, vocabulary)
        if token is not None:
            return last - at + 1, token
    word = text[start : matches[at].end()]
    month = _ROMANS.get(word, 0)
    return 1, Token("R" if month else "O", start, matches[at].end(), month=month)


def _run_ends(text: str, matches: list[re.Match[str]], at: int, longest: int) -> Iterator[int]:
    """The places of the words that can belong to one run with the word at ``at``."""
    yield at
    for last in range(at + 1, len(matches)):
        if matches[last]["word"] is None:
            if matches[last]["number"]:
                return
            continue
        words = sum(match["word"] is not None for match in matches[at : last + 1])
        before = next(m for m in reversed(matches[at:last]) if m["word"])
        if words > longest or not _BETWEEN_WORDS.fullmatch(
            text[before.end() : matches[last].start()]
        ):
            return
        yield last


def _word_token(word: str, start: int, end: int, vocabulary: Vocabulary) -> Token | None:
    """What a word, or a run of words, can be in a date; None where nobody knows it."""
    key = key_of(word)
    month, day = vocabulary.months.get(key, 0), vocabulary.days.get(key, 0)
    weekday = vocabulary.weekdays.get(key, 0)
    dropped = bool(weekday) or key in vocabulary.dropped
    kind = _KINDS.get((bool(month), bool(day), dropped))
    if kind in {"W", None} and key and key == vocabulary.joining:
        kind = "J"
    dated = kind == "W" and key in vocabulary.datewords
    return None if kind is None else Token(kind, start, end, month, day, weekday, dated)


_KINDS = {
    (True, False, False): "M",
    (False, True, False): "D",
    (False, False, True): "W",
    (True, True, False): "m",
    (True, False, True): "w",
    (False, True, True): "d",
    (True, True, True): "a",
}


def _is_suffix(
    text: str, matches: list[re.Match[str]], at: int, token: Token, vocabulary: Vocabulary
) -> bool:
    """Whether a word belongs to the number before it: attached, or behind a hyphen."""
    before = at - 1
    if at > 1 and matches[before]["sign"] in _BEFORE_SUFFIX:
        before -= 1
    attached = before >= 0 and all(
        left.end() == right.start() for left, right in pairwise(matches[before : at + 1])
    )
    if not attached or matches[before]["number"] is None:
        return False
    return key_of(text[token.start : token.end]) in vocabulary.suffixes
