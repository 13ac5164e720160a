"""Citations: measure, authority, date and number of an act, read from one line of text.

"Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000", "Lei nº 9.847, de 26 de Outubro
de 1999", "Loi n° 456 du 21 septembre 2003". Patterns find the date and the number. The words before
the first of them name the measure and its issuer. Missing parts stay absent. Findings report the
words that were not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.parts import is_article_citation
from lexurn.minting.steps import Action, make_step
from lexurn.minting.text.cleaning import clean_text, quote_characters
from lexurn.minting.text.ordinals import read_ordinal_words
from lexurn.minting.text.words import get_vocabulary, split_text
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.findings import Finding
    from lexurn.minting.steps import Step
    from lexurn.minting.text.cleaning import CleanText
    from lexurn.minting.text.words import Piece
    from lexurn.registry import Law, Words


class Span(NamedTuple):
    """Stretch of a text."""

    start: int
    end: int


class Spans(NamedTuple):
    """Stretches of a citation by what they are.

    Attributes:
        dates: the dates; two that a dash, a comma or "and" joins are one stretch.
        numbers: the numbers, each without its marker.
        head: the measure and the authority.
        rest: all other stretches.
    """

    dates: tuple[Span, ...]
    numbers: tuple[Span, ...]
    head: Span
    rest: tuple[Span, ...]


class _MarkedNumber(NamedTuple):
    """Number with what stands before it."""

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


def find_spans(text: str, words: Words) -> Spans:
    """Return the stretches of the dates, the numbers and the rest of a clean citation."""
    pieces = split_text(text, elides=True).pieces
    digital = (match for pattern in (_DIGITAL, _EASTERN) for match in pattern.finditer(text))
    found = {*(Span(*match.span()) for match in digital), *_find_worded_dates(pieces, words)}
    dates = _join_dates(text, sorted(found), words)
    numbers = list(_find_marked_numbers(text, pieces, words, dates))
    if not numbers:
        numbers = list(_find_unmarked_numbers(text, dates))
    gaps = [Span(0, 0)]
    for span in sorted([*dates, *(each.whole for each in numbers)]):
        gaps[-1] = Span(gaps[-1].start, max(gaps[-1].start, span.start))
        gaps.append(Span(max(gaps[-1].start, span.end), 0))
    gaps[-1] = Span(gaps[-1].start, len(text))
    head = _find_head(text, gaps)
    rest = gaps if head is None else [each for each in gaps if each is not head]
    return Spans(
        tuple(dates), tuple(each.number for each in numbers), head or Span(0, 0), tuple(rest)
    )


def _find_head(text: str, gaps: list[Span]) -> Span | None:
    """Return the first stretch with a word in it."""
    for at, gap in enumerate(gaps):
        letters = [each for each in text[gap.start : gap.end] if each.isalpha()]
        is_short = at == 0 and _ONE_LETTER.fullmatch(text, *gap) is not None
        if len(letters) >= _FEWEST_LETTERS or is_short:
            return gap
    return None


def _find_worded_dates(pieces: Sequence[Piece], words: Words) -> Iterator[Span]:
    """Return dates with the name of a month, the day before it or behind it."""
    for at, piece in enumerate(pieces):
        if piece.key not in words.months:
            continue
        span = _read_day_first(pieces, at, words) or _read_month_first(pieces, at, words)
        if span is not None:
            yield span


def _read_day_first(pieces: Sequence[Piece], at: int, words: Words) -> Span | None:
    """Return a date such as "20 dicembre 1999", "le premier mai 2003"."""
    day = at - 1
    while day >= 0 and pieces[day].key in words.datewords | words.connectives:
        day -= 1
    year = _find_year(pieces, at, words)
    if day < 0 or year is None or not _is_day(pieces, day, words):
        return None
    if day > 0 and pieces[day - 1].key in words.cardinals and pieces[day - 1].after in {" ", "-"}:
        day -= 1
    return Span(pieces[day].start, pieces[year].end)


def _read_month_first(pieces: Sequence[Piece], at: int, words: Words) -> Span | None:
    """Return a date such as "September 21, 2003"."""
    if at + 1 >= len(pieces) or not _DAY.fullmatch(pieces[at + 1].text):
        return None
    year = _find_year(pieces, at + 1, words)
    return None if year is None else Span(pieces[at].start, pieces[year].end)


def _is_day(pieces: Sequence[Piece], at: int, words: Words) -> bool:
    if _DAY.fullmatch(pieces[at].text):
        return True
    return (
        pieces[at].key in words.cardinals
        or read_ordinal_words(pieces, at, get_vocabulary(words)) is not None
    )


def _find_year(pieces: Sequence[Piece], at: int, words: Words) -> int | None:
    """Return the place of the year behind a piece and words of dates."""
    place = at + 1
    while place < len(pieces) and pieces[place].key in words.datewords | words.connectives:
        place += 1
    if place < len(pieces) and _YEAR.fullmatch(pieces[place].text):
        return place
    return None


def _join_dates(text: str, dates: list[Span], words: Words) -> list[Span]:
    """Join dates that overlap or have only a dash, a comma or "and" between them."""
    found: list[Span] = []
    for span in dates:
        before = found[-1] if found else None
        between = "" if before is None else text[before.end : span.start]
        joins = between.strip() in {"-", ","} or make_key(between) in words.connectives
        if before is not None and (joins or span.start < before.end):
            found[-1] = Span(before.start, max(before.end, span.end))
        else:
            found.append(span)
    return found


def _find_marked_numbers(
    text: str, pieces: Sequence[Piece], words: Words, dates: list[Span]
) -> Iterator[_MarkedNumber]:
    """Return the numbers behind a marker."""
    starts = {match.start(): match.end() for match in _SIGNED.finditer(text)}
    for piece in pieces:
        if piece.key in words.markers and piece.start not in starts:
            starts[piece.start] = piece.end + len(piece.after) - len(piece.after.lstrip(" .:º°"))
    reached = 0
    for start, at in sorted(starts.items()):
        number = _read_number(text, at) if start >= reached else None
        if number is not None and not any(_overlaps(number, date) for date in dates):
            reached = number.end
            yield _MarkedNumber(Span(start, number.end), number)


def _read_number(text: str, at: int) -> Span | None:
    """Return the number that begins here, with what belongs to it: "12 bis", "1 / P"."""
    match = _NUMBER.match(text, at)
    if match is None:
        return None
    end = match.end()
    while (tail := _TAIL.match(text, end)) is not None:
        end = tail.end()
    while end > at and text[end - 1] in ".'-/":
        end -= 1
    return Span(match.start(), end)


def _find_unmarked_numbers(text: str, dates: list[Span]) -> Iterator[_MarkedNumber]:
    """Return a number in brackets, else all that are neither dates nor parts of others."""
    for match in _BRACKETED.finditer(text):
        number = Span(*match.span(1))
        if not any(_overlaps(number, date) for date in dates):
            start = number.start + len(match[1]) - len(match[1].lstrip())
            inner = Span(start, start + len(match[1].strip()))
            yield _MarkedNumber(Span(*match.span()), inner)
            return
    found: list[Span] = []
    for match in _NUMBER.finditer(text):
        span = _read_number(text, match.start())
        if span is None or _NO_NUMBER.fullmatch(match[0]):
            continue
        if any(_overlaps(span, date) for date in dates):
            continue
        if not any(other.start <= span.start < other.end for other in found):
            yield _MarkedNumber(span, span)
        found.append(span)


def _overlaps(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


_CITATION_RULE = "RFC 9676 §6.3.1"
_CITATION_FIELD = "citation"
_CITED_WORD = re.compile(r"[^\s,]+")
_EDGES = " \t,;:.([{)]}-/"
_YEAR_BEHIND = re.compile(r"[^/]*[0-9]\s*/\s*(?:1[5-9]|20)[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Parts of a citation; what it does not state is None.

    Attributes:
        text: the citation as given.
        measure: the type of measure, in its words.
        authority: who issued it, in its words.
        date: the date, in its words; two dates of one act have a dash or comma between them.
        number: the number, in its words, without what stands before it.
        places: start and end of each of them in ``text``.
        steps: what was read.
        findings: what was found.
    """

    text: str
    measure: str | None = None
    authority: str | None = None
    date: str | None = None
    number: str | None = None
    places: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_citation(text: str, words: Words, law: Law) -> Citation:
    """Read a citation.

    Args:
        text: one line that cites one act.
        words: the words of its language: months, markers, connectives.
        law: the measures and authorities of its jurisdiction.

    Returns:
        What it states. An error finding says that it states something twice, or nothing.
    """
    clean = clean_text(text, _CITATION_FIELD, get_vocabulary(words).script)
    if clean.failed:
        return Citation(text=text, steps=clean.steps, findings=clean.findings)
    return _CitationReader(clean, words, law).read()


class _CitationReader:
    """Reader of one citation."""

    def __init__(self, clean: CleanText, words: Words, law: Law) -> None:
        self.clean, self.words, self.law = clean, words, law
        self.findings: list[Finding] = list(clean.findings)
        self.found: dict[str, Span] = {}

    def read(self) -> Citation:
        spans = find_spans(self.clean.text, self.words)
        for name, found in (("date", spans.dates), ("number", spans.numbers)):
            if found:
                self.found[name] = found[0]
            if len(found) > 1:
                between = Span(found[0].start, found[-1].end)
                self._say("LX734", between, self._quote(between), name)
        self._read_head(spans.head)
        for each in spans.rest:
            left = _strip_span(self.clean.text, each)
            if left.start < left.end and not self._is_dropped(left):
                self._say("LX733", left, self._quote(left))
        self._check_parts()
        texts = {name: self.clean.text[start:end] for name, (start, end) in self.found.items()}
        steps = [
            make_step(_CITATION_FIELD, Action.READ, self.clean.given, f"{k}: {v}", _CITATION_RULE)
            for k, v in texts.items()
        ]
        places = {
            name: self.clean.place(_CITATION_FIELD, *span)[2:] for name, span in self.found.items()
        }
        return Citation(
            text=self.clean.given,
            places=MappingProxyType(places),
            steps=(*self.clean.steps, *steps),
            findings=tuple(self.findings),
            **texts,
        )

    def _read_head(self, head: Span) -> None:
        """Read the measure and the authority, before date and number."""
        head = self._close(head)
        parts = []
        for part in _split_at_commas(self.clean.text, head) if head.start < head.end else ():
            if is_article_citation(self.clean.text[part.start : part.end], self.words):
                self._say("LX733", part, self._quote(part))
            else:
                parts.append(part)
        if len(parts) > 1:
            self._read_two(parts)
        elif parts:
            self._read_one(parts[0])

    def _close(self, span: Span) -> Span:
        """Return a stretch without punctuation at its ends and connectives behind it."""
        span = _strip_span(self.clean.text, span)
        words = self._find_words(span)
        while words[1:] and self._is_dropped(words[-1]):
            words.pop()
            span = _strip_span(self.clean.text, Span(span.start, words[-1].end))
        return span

    def _find_words(self, span: Span) -> list[Span]:
        return [Span(*match.span()) for match in _CITED_WORD.finditer(self.clean.text, *span)]

    def _read_two(self, parts: list[Span]) -> None:
        """Read an authority and a measure with a comma between them, in either order."""
        first, last = Span(parts[0].start, parts[-2].end), parts[-1]
        is_first, is_last = self._is_measure(parts[0]), self._is_measure(last)
        if is_first and not is_last:
            self.found["measure"] = parts[0]
            self.found["authority"] = Span(parts[1].start, last.end)
            return
        self.found["measure"], self.found["authority"] = last, first
        if not is_last:
            self._say("LX737", last, self._quote(first), self._quote(last))

    def _read_one(self, head: Span) -> None:
        """Read a measure, with the authority behind it where the registry knows the measure."""
        self.found["measure"] = head
        if self._is_measure(head):
            return
        words = self._find_words(head)
        for at in range(len(words) - 1, 0, -1):
            if not self._is_measure(Span(head.start, words[at - 1].end)):
                continue
            rest = self._skip_connectives(words[at:])
            # A word that hangs on the measure without a connective says what measure it is.
            if rest is not None and rest.start != words[at].start:
                self.found["measure"] = Span(head.start, words[at - 1].end)
                self.found["authority"] = Span(rest.start, head.end)
            return

    def _skip_connectives(self, words: list[Span]) -> Span | None:
        """Return the first word behind connectives; an elided one is part of its word."""
        for word in words:
            text = self.clean.text[word.start : word.end]
            before, apostrophe, _ = text.partition("'")
            if apostrophe and make_key(before) in self.words.connectives:
                return Span(word.start + len(before) + 1, word.end)
            if make_key(text) not in self.words.connectives:
                return word
        return None

    def _is_measure(self, span: Span) -> bool:
        return bool(self.law.measures.find(self.clean.text[span.start : span.end]))

    def _is_dropped(self, span: Span) -> bool:
        """Return whether a stretch holds connectives and words of dates only."""
        text = self.clean.text[span.start : span.end]
        keys = [make_key(word) for word in re.findall(r"[^\W_]+", text)]
        return all(key in self.words.connectives | self.words.datewords for key in keys)

    def _check_parts(self) -> None:
        """Note a missing part, and a number that may hold the year."""
        whole = Span(0, len(self.clean.text))
        if not self.found.keys() & {"date", "number"}:
            self._say("LX732", whole, self._quote(whole), "date or number")
        elif "measure" not in self.found:
            self._say("LX732", whole, self._quote(whole), "measure")
        number = self.found.get("number")
        if number is not None and "date" not in self.found:
            text = self.clean.text[number.start : number.end]
            if _YEAR_BEHIND.fullmatch(text):
                self._say("LX735", number, quote_characters(text))

    def _quote(self, span: Span) -> str:
        return quote_characters(self.clean.text[span.start : span.end])

    def _say(self, code: str, span: Span, *values: str) -> None:
        place = self.clean.place(_CITATION_FIELD, span.start, span.end)
        self.findings.append(place.make_finding(code, *values))


def _strip_span(text: str, span: Span) -> Span:
    """Return a stretch without blanks and punctuation at its ends; closed brackets stay."""
    start, end = span
    while start < end and text[start] in _EDGES:
        start += 1
    while start < end and text[end - 1] in _EDGES:
        if text[end - 1] == ")" and "(" in text[start:end]:
            break
        if text[end - 1] == "." and re.search(r"\b[^\W\d_]{1,5}\.$", text[start:end]):
            break
        end -= 1
    return Span(start, end)


def _split_at_commas(text: str, span: Span) -> list[Span]:
    """Split a stretch at commas."""
    found: list[Span] = []
    at = span.start
    for piece in text[span.start : span.end].split(","):
        part = _strip_span(text, Span(at, at + len(piece)))
        if part.start < part.end:
            found.append(part)
        at += len(piece) + 1
    return found
