"""Where dates and numbers stand in a citation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting._ordinals import spelt_out
from lexurn.minting._text_pieces import pieces_of
from lexurn.minting._text_vocabulary import vocabulary_of
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.minting._text_pieces import Piece
    from lexurn.registry import Words

__all__ = ["Span", "Spans", "spans_of"]


class Span(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


class Spans(NamedTuple):
    """What stands where in a citation.

    Attributes:
        dates: the dates; two that a dash, a comma or "and" joins are one stretch.
        numbers: the numbers, each without its marker.
        head_start: where the measure and the authority begin.
        head_end: where they end.
        rest: all other stretches.
    """

    dates: tuple[Span, ...]
    numbers: tuple[Span, ...]
    head_start: int
    head_end: int
    rest: tuple[Span, ...]


class _Marked(NamedTuple):
    """A number with what stands before it."""

    whole: Span
    number: Span


_DIGITAL = re.compile(
    r"(?<![\w/.-])(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}([/.-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})"
    r"|(?:1[5-9]|20)[0-9]{2}([/.])[0-9]{1,2}\2[0-9]{1,2}"
    r"|(?:1[5-9]|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?![\w/-]|\.[0-9])"
)
_EASTERN = re.compile(r"(?:[^\W\d_]{2})?[0-9元]{1,4}年[0-9]{1,2}月[0-9]{1,2}日")
_DAY = re.compile(r"[0-9]{1,2}(?:[^\W\d_]{1,3})?")
_YEAR = re.compile(r"[0-9]{2,4}")
_NUMBER = re.compile(r"[^\s,;:()\[\]]*[0-9][^\s,;:()\[\]]*")
_TAIL = re.compile(
    r"\s+(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies)\b"
    r"|\s*/\s*(?=[^\s/]*[0-9]|[^\W\d_]{1,3}\b)[^\W_][^\s,;:()\[\]]*",
    re.IGNORECASE,
)
#: What has digits and is no number of an act where nothing says so: ordinals and years.
_NO_NUMBER = re.compile(r"[0-9]+[ºª°^]|(?:1[5-9]|20)[0-9]{2}")
_SIGNED = re.compile(r"(?:(?<!\w)n\s?\.?[º°]s?\.?|№|#)\s*", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([^()]*[0-9][^()]*)\)")
_FEWEST_LETTERS = 2
#: But an abbreviation in front is one: "L. 7 agosto 1990, n. 241".
_ONE_LETTER = re.compile(r"\s*[^\W\d_]\.\s*")


def spans_of(text: str, words: Words) -> Spans:
    """Where the dates, the numbers and the rest of a cleaned citation stand."""
    pieces = pieces_of(text, elides=True).pieces
    dates = _joined(text, sorted({*_digital(text), *_worded(pieces, words)}), words)
    numbers = list(_numbers(text, pieces, words, dates))
    if not numbers:
        numbers = list(_unmarked(text, dates))
    taken = sorted([*dates, *(each.whole for each in numbers)])
    gaps = list(_gaps(text, taken))
    head, rest = _head_of(text, gaps)
    return Spans(
        tuple(dates), tuple(each.number for each in numbers), head.start, head.end, tuple(rest)
    )


def _head_of(text: str, gaps: list[Span]) -> tuple[Span, list[Span]]:
    """The first stretch with a word in it, and the others."""
    for at, gap in enumerate(gaps):
        letters = [each for each in text[gap.start : gap.end] if each.isalpha()]
        is_short = at == 0 and _ONE_LETTER.fullmatch(text, *gap) is not None
        if len(letters) >= _FEWEST_LETTERS or is_short:
            return gap, gaps[:at] + gaps[at + 1 :]
    return Span(0, 0), gaps


def _gaps(text: str, taken: Sequence[Span]) -> Iterator[Span]:
    at = 0
    for span in taken:
        yield Span(at, max(at, span.start))
        at = max(at, span.end)
    yield Span(at, len(text))


def _digital(text: str) -> Iterator[Span]:
    """Dates in digits."""
    for pattern in (_DIGITAL, _EASTERN):
        for match in pattern.finditer(text):
            yield Span(*match.span())


def _worded(pieces: Sequence[Piece], words: Words) -> Iterator[Span]:
    """Dates with the name of a month: day before it and year behind it, or day behind it."""
    for at, piece in enumerate(pieces):
        if piece.key not in words.months:
            continue
        span = _day_first(pieces, at, words) or _month_first(pieces, at, words)
        if span is not None:
            yield span


def _day_first(pieces: Sequence[Piece], at: int, words: Words) -> Span | None:
    """As "20 dicembre 1999", "de 1º de Janeiro de 2023", "le premier mai 2003"."""
    day = at - 1
    while day >= 0 and pieces[day].key in words.datewords | words.connectives:
        day -= 1
    year = _year(pieces, at, words)
    if day < 0 or year is None or not _is_day(pieces, day, words):
        return None
    if day > 0 and pieces[day - 1].key in words.cardinals and pieces[day - 1].after in {" ", "-"}:
        day -= 1
    return Span(pieces[day].start, pieces[year].end)


def _month_first(pieces: Sequence[Piece], at: int, words: Words) -> Span | None:
    """As "September 21, 2003"."""
    if at + 1 >= len(pieces) or not _DAY.fullmatch(pieces[at + 1].text):
        return None
    year = _year(pieces, at + 1, words)
    return None if year is None else Span(pieces[at].start, pieces[year].end)


def _is_day(pieces: Sequence[Piece], at: int, words: Words) -> bool:
    if _DAY.fullmatch(pieces[at].text):
        return True
    return (
        pieces[at].key in words.cardinals or spelt_out(pieces, at, vocabulary_of(words)) is not None
    )


def _year(pieces: Sequence[Piece], at: int, words: Words) -> int | None:
    """Where the year stands behind a piece, words of dates between them passed over."""
    place = at + 1
    while place < len(pieces) and pieces[place].key in words.datewords | words.connectives:
        place += 1
    if place < len(pieces) and _YEAR.fullmatch(pieces[place].text):
        return place
    return None


def _joined(text: str, dates: list[Span], words: Words) -> list[Span]:
    """Dates that overlap or are joined by a dash, a comma or "and" as one stretch."""
    found: list[Span] = []
    for span in dates:
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        elif found and _joins(text[found[-1].end : span.start], words):
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


def _joins(between: str, words: Words) -> bool:
    """Whether a dash, a comma or a connective joins two dates."""
    return between.strip() in {"-", ","} or key_of(between) in words.connectives


def _numbers(
    text: str, pieces: Sequence[Piece], words: Words, dates: list[Span]
) -> Iterator[_Marked]:
    """Numbers behind a marker."""
    starts = {match.start(): match.end() for match in _SIGNED.finditer(text)}
    for piece in pieces:
        if piece.key in words.markers and piece.start not in starts:
            starts[piece.start] = piece.end + len(piece.after) - len(piece.after.lstrip(" .:º°"))
    reached = 0
    for start, at in sorted(starts.items()):
        number = _number_at(text, at) if start >= reached else None
        if number is not None and not any(_overlap(number, date) for date in dates):
            reached = number.end
            yield _Marked(Span(start, number.end), number)


def _number_at(text: str, at: int) -> Span | None:
    """The number that begins here, with what belongs to it: "12 bis", "1 / P"."""
    match = _NUMBER.match(text, at)
    if match is None:
        return None
    end = match.end()
    while (tail := _TAIL.match(text, end)) is not None:
        end = tail.end()
    while end > at and text[end - 1] in ".'-/":
        end -= 1
    return Span(match.start(), end)


def _unmarked(text: str, dates: list[Span]) -> Iterator[_Marked]:
    """A number without a marker: in brackets, in front, or at the end of what is not a date."""
    for match in _BRACKETED.finditer(text):
        number = Span(*match.span(1))
        if not any(_overlap(number, date) for date in dates):
            start = number.start + len(match[1]) - len(match[1].lstrip())
            yield _Marked(Span(*match.span()), Span(start, start + len(match[1].strip())))
            return
    candidates = [
        span
        for match in _NUMBER.finditer(text)
        if (span := _number_at(text, match.start())) is not None
        and not _NO_NUMBER.fullmatch(match[0])
        and not any(_overlap(span, date) for date in dates)
    ]
    merged = [each for at, each in enumerate(candidates) if not _within(each, candidates[:at])]
    for span in merged:
        yield _Marked(span, span)


def _within(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start < other.end for other in others)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
