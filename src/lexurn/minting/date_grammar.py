# ruff: noqa: RUF001, RUF003 - letters of other scripts
"""Grammar of dates in a text: words, digits, and the patterns that they make."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.registry import Words

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
_ORDINAL_IN_DIGITS = re.compile(r"[0-9]+ ?([^0-9 ]+)")
_LONGEST_RUN, _LAST_DAY, _YEAR_DIGITS = 4, 31, 4
_BEFORE_SUFFIX = frozenset("-.'’\u2010\u2011")
# What languages write straight behind the number of a day: "1er", "21st", "1º", "21-го", "21-én".
_SUFFIXES = frozenset({
    "st", "rd", "th", "er", "ere", "re", "eme", "e", "o", "a", "os", "ro", "do", "to",
    "vo", "mo", "no", "de", "ste", "ter", "ten", "an", "en", "n", "ja", "i", "in", "jen",
    "ei", "lea", "ea", "y", "ty", "m", "д", "г", "го", "е", "й", "я", "и", "ої", "ого", "та",
    "но", "во", "ро", "мо", "η", "ης", "م", "ב", "ם", "the",
})  # fmt: skip


class DateToken(NamedTuple):
    """Piece of a text: what it can be in a date, and where it stands.

    Attributes:
        kind: one letter: ``n`` a number from 1 to 31, ``Y`` one of four digits, ``y`` of two that
            is no day, ``T`` of three, ``L`` a longer one; ``M`` a month, ``D`` a day in words,
            ``W`` a word that is dropped, and where a word can be several of these ``m`` (M, D),
            ``w`` (M, W), ``d`` (D, W), ``a`` (all); ``R`` a Roman month; ``J`` a joining sign or
            word, ``P`` a bracket, ``S`` another sign, ``O`` anything else.
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


class DateVocabulary(NamedTuple):
    """Words of dates of one language, by key."""

    language: str
    months: Mapping[str, int]
    days: Mapping[str, int]
    weekdays: Mapping[str, int]
    dropped: frozenset[str]
    datewords: frozenset[str]
    joining: str
    suffixes: frozenset[str]
    longest: int


class IdentityKey:
    """Key of caches for words: the same object, never an equal one."""

    __slots__ = ("words",)

    def __init__(self, words: Words) -> None:
        self.words = words

    def __hash__(self) -> int:
        return id(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.words is self.words


@lru_cache(maxsize=64)
def get_date_vocabulary(same: IdentityKey) -> DateVocabulary:
    """Return the vocabulary of some words, made once for each."""
    words = same.words
    numerals = {**words.cardinals, **words.ordinals}
    days = {
        key: value
        for key, value in numerals.items()
        if 1 <= value <= _LAST_DAY and words.cardinals.get(key, value) == value
    }
    runs = (*words.months, *days, *words.weekdays, *words.datewords)
    longest = max((key.count(" ") + 1 for key in runs), default=1)
    return DateVocabulary(
        language=words.language,
        months=words.months,
        days=days,
        weekdays=words.weekdays,
        dropped=frozenset(words.connectives) | frozenset(map(make_key, words.datewords)),
        datewords=frozenset(map(make_key, words.datewords)) - frozenset(words.connectives),
        joining=make_key(words.formats.get("and", "")),
        suffixes=frozenset(
            (*map(make_key, _SUFFIXES), *filter(None, map(_find_suffix, words.ordinals)))
        ),
        longest=min(longest, _LONGEST_RUN),
    )


def _find_suffix(key: str) -> str | None:
    """Return what follows the digits of an ordinal: ``er`` of ``1er``."""
    found = _ORDINAL_IN_DIGITS.fullmatch(key)
    return found[1] if found else None


def tokenize(text: str, vocabulary: DateVocabulary) -> tuple[DateToken, ...]:
    """Return the pieces of a text without blanks; the longest known run of words is one."""
    matches = list(_TOKEN.finditer(text))
    tokens: list[DateToken] = []
    at = 0
    while at < len(matches):
        if matches[at]["word"]:
            length, token = _read_longest_run(text, matches, at, vocabulary)
            if token.kind in "OM" and _is_suffix(text, matches, at, token, vocabulary):
                token = token._replace(kind="W", month=0)
        else:
            length, token = 1, _make_token(matches[at])
        tokens.append(token)
        at += length
    return tuple(tokens)


def _make_token(match: re.Match[str]) -> DateToken:
    """Return the token of a number or a sign."""
    start, end = match.span()
    if match["number"] is None:
        return DateToken(_classify_sign(match["sign"]), start, end)
    value, digits = int(match["number"]), end - start
    if digits <= 2:  # noqa: PLR2004  a day or the end of a year
        is_day = 1 <= value <= _LAST_DAY
        return DateToken("n" if is_day else "y", start, end, day=value if is_day else 0)
    return DateToken({3: "T", _YEAR_DIGITS: "Y"}.get(digits, "L"), start, end)


def _classify_sign(sign: str) -> str:
    for kind, signs in (("J", _JOINERS), ("P", _BRACKETS), ("S", _STOPS)):
        if sign in signs:
            return kind
    return "O"


def _read_longest_run(
    text: str, matches: list[re.Match[str]], at: int, vocabulary: DateVocabulary
) -> tuple[int, DateToken]:
    """Return how many words from ``at`` on make one entry, and their token."""
    start = matches[at].start()
    for last in reversed(list(_list_run_ends(text, matches, at, vocabulary.longest))):
        end = matches[last].end()
        token = _make_word_token(text[start:end], start, end, vocabulary)
        if token is not None:
            return last - at + 1, token
    word = text[start : matches[at].end()]
    month = _ROMANS.get(word, 0)
    return 1, DateToken("R" if month else "O", start, matches[at].end(), month=month)


def _list_run_ends(text: str, matches: list[re.Match[str]], at: int, longest: int) -> Iterator[int]:
    """Return the places of the words that can belong to one run from ``at`` on."""
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


def _make_word_token(
    word: str, start: int, end: int, vocabulary: DateVocabulary
) -> DateToken | None:
    """Return the token of a word or a run of words, None where it is unknown."""
    key = make_key(word)
    month, day = vocabulary.months.get(key, 0), vocabulary.days.get(key, 0)
    weekday = vocabulary.weekdays.get(key, 0)
    dropped = bool(weekday) or key in vocabulary.dropped
    kind = _KINDS.get((bool(month), bool(day), dropped))
    if kind in {"W", None} and key and key == vocabulary.joining:
        kind = "J"
    dated = kind == "W" and key in vocabulary.datewords
    return None if kind is None else DateToken(kind, start, end, month, day, weekday, dated)


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
    text: str, matches: list[re.Match[str]], at: int, token: DateToken, vocabulary: DateVocabulary
) -> bool:
    """Return whether a word belongs to the number before it: attached, or behind a hyphen."""
    before = at - 1
    if at > 1 and matches[before]["sign"] in _BEFORE_SUFFIX:
        before -= 1
    attached = before >= 0 and all(
        left.end() == right.start() for left, right in pairwise(matches[before : at + 1])
    )
    if not attached or matches[before]["number"] is None:
        return False
    return make_key(text[token.start : token.end]) in vocabulary.suffixes


#: The kinds of tokens that a date does without.
DROPPED_KINDS = frozenset("WwdaSJP")

_FILL = "[WwdaSJP]{0,6}"
_DAY, _MONTH, _YEAR, _ODD_YEAR, _NO_DAY = "[nDmda]", "[MmwaR]", "Y", "[ynT]", "[yT]"
_FIRST_DAY = f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?"
# Days that share a month: "30-31 December", "30 e 31 dicembre".
_SHARED_DAYS = (
    f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?(?P<more>(?:[WS]{{0,2}}J{{1,2}}{_DAY}){{0,9}})"
)


def _compile_orders(day: str, year: str, first: str = "Y") -> str:
    """Return the pattern of a date with a month's name, in the four orders of day, month and year.

    Args:
        day: what a day is.
        year: what a year is where it stands last.
        first: what a year is where it stands first.
    """
    month, last = f"(?P<month>{_MONTH})", f"(?P<year>{year})"
    return "|".join(
        # One name can stand in a pattern only once.
        re.sub(r"\(\?P<([a-z]+)>", rf"(?P<\g<1>{number}>", order)
        for number, order in enumerate(
            (
                f"{day}{_FILL}{month}{_FILL}{last}",
                f"{month}{_FILL}{day}{_FILL}{last}",
                f"(?P<year>{first}){_FILL}{month}{_FILL}{day}(?!{_FILL}Y)",
                f"(?P<year>{first}){_FILL}{day}{_FILL}{month}(?!{_FILL}Y)",
            )
        )
    )


_SINGLE = re.compile(_compile_orders(_FIRST_DAY, _YEAR))
_SHARED = re.compile(_compile_orders(_SHARED_DAYS, _YEAR))
_ODD = re.compile(_compile_orders(_FIRST_DAY, _ODD_YEAR, _NO_DAY))
_DASHES = r"\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_NUMERIC = re.compile(
    rf"(?<!\d)(?P<first>\d{{1,4}})\s?(?P<sign>[./{_DASHES}\uff0f\uff0e])\s?(?P<second>\d{{1,2}})\s?(?P=sign)"
    r"\s?(?P<third>\d{1,4})(?!\d)"
)
# Endings of numbers in brackets, as in Basque: "2003(e)ko urtarrilaren 1(a)".
_BRACKETED = re.compile(r"(?<=\d)\([^\W\d_]{1,2}\)[^\W\d_]{0,3}")
_SIGNS = frozenset("./-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\uff0f\uff0e")


class FoundDate(NamedTuple):
    """Date in a text.

    Attributes:
        start: where it begins.
        end: where it ends.
        days: its day; several where they share month and year.
        month: its month; 0 where all is in digits.
        year: the digits of its year, of any script; empty where all is in digits.
        digits: the three numbers of a date in digits, in their order.
        weekday: the day of the week that is named inside it, or 0.
    """

    start: int
    end: int
    days: tuple[int, ...] = ()
    month: int = 0
    year: str = ""
    digits: tuple[str, ...] = ()
    weekday: int = 0


def scan_dates(
    text: str, vocabulary: DateVocabulary, *, shared: bool = False
) -> tuple[list[FoundDate], tuple[DateToken, ...]]:
    """Return the dates of a text from left to right, none within another; and all tokens.

    Args:
        text: any text.
        vocabulary: the words of its language.
        shared: read days that share month and year (``30 and 31 December 1999``) as such.
    """
    text = _BRACKETED.sub(lambda ending: " " * len(ending[0]), text)
    tokens = tokenize(text, vocabulary)
    found = [*_find_in_words(text, tokens, _SHARED if shared else _SINGLE), *_find_in_digits(text)]
    if not found:
        found = list(_find_in_words(text, tokens, _ODD))
    return _drop_overlaps(found), tokens


def _find_in_words(
    text: str, tokens: Sequence[DateToken], pattern: re.Pattern[str]
) -> Iterator[FoundDate]:
    kinds = "".join(token.kind for token in tokens)
    at = end = 0
    while match := pattern.search(kinds, at):
        date = _read_match(text, tokens, match, end)
        at = match.end() if date else match.start() + 1
        if date:
            end = date.end
            yield date


def _read_match(
    text: str, tokens: Sequence[DateToken], match: re.Match[str], end: int
) -> FoundDate | None:
    """Return the date of a match, None where its day is the end of another number."""
    order = next(number for number in range(4) if match[f"day{number}"])
    day, again = tokens[match.start(f"day{order}")], match.start(f"again{order}")
    month, year = tokens[match.start(f"month{order}")], tokens[match.start(f"year{order}")]
    if again >= 0 and tokens[again].day != day.day:
        return None
    inside = tokens[match.start() : match.end()]
    if _is_number_end(text, inside[0].start, end) and inside[0].kind in "nY":
        return None
    more = f"more{order}"
    others = slice(*match.span(more)) if more in match.re.groupindex else slice(0)
    weekdays = (each.weekday for each in inside if each not in {day, month, year})
    return FoundDate(
        start=inside[0].start,
        end=inside[-1].end,
        days=(day.day, *(each.day for each in tokens[others] if each.kind in _DAY)),
        month=month.month,
        year=text[year.start : year.end],
        weekday=next(filter(None, weekdays), 0),
    )


def _find_in_digits(text: str) -> Iterator[FoundDate]:
    end = 0
    at = 0
    while match := _NUMERIC.search(text, at):
        start, after = match.start(), text[match.end() : match.end() + 2]
        goes_on = after[:1] == match["sign"] and after[1:].isdecimal()
        if goes_on or _is_number_end(text, start, end):
            at = match.end("first") + 1
        else:
            at = end = match.end()
            yield FoundDate(start, end, digits=match.group("first", "second", "third"))


def _is_number_end(text: str, start: int, end: int) -> bool:
    """Return whether a number ends a longer one (``88.821``), not a date up to ``end``."""
    return start > end + 1 and text[start - 1] in _SIGNS and text[start - 2].isdecimal()


def _drop_overlaps(found: list[FoundDate]) -> list[FoundDate]:
    """Return the dates that do not overlap; of two that begin together the longer."""
    kept: list[FoundDate] = []
    for each in sorted(found, key=lambda date: (date.start, -date.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def read_days(found: FoundDate, order: str | None) -> list[tuple[str, int, int]]:
    """Return year (its digits), month and day, in each order that the date can be read in.

    Args:
        found: a date.
        order: ``dmy``, ``mdy`` or ``ymd``; None where it is not known.
    """
    if not found.digits:
        return [(found.year, found.month, day) for day in found.days]
    lengths = [len(each) for each in found.digits]
    is_given = order and lengths[order.index("y")] == max(lengths)
    readings: dict[tuple[str, int, int], None] = {}
    for each in [order] if order and is_given else _list_orders(found.digits):
        part = dict(zip(each, found.digits, strict=True))
        readings[part["y"], int(part["m"]), int(part["d"])] = None
    return list(readings)


def _list_orders(digits: tuple[str, ...]) -> list[str]:
    """Return the possible orders of three numbers: four digits are a year."""
    if len(digits[0]) > 2:  # noqa: PLR2004 - no day
        return ["ymd"]
    orders = ["dmy", "mdy"] if len(digits[2]) > 2 else ["dmy", "mdy", "ymd"]  # noqa: PLR2004 - a year
    fitting = []
    for order in orders:
        part = dict(zip(order, map(int, digits), strict=True))
        if 1 <= part["m"] <= 12 and 1 <= part["d"] <= _LAST_DAY:  # noqa: PLR2004 - months
            fitting.append(order)
    return fitting or orders[:1]
