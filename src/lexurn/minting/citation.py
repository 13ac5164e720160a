"""Citations: measure, authority, date and number of an act, read from one line of text.

"Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000", "Lei nº 9.847, de 26 de Outubro
de 1999", "Loi n° 456 du 21 septembre 2003". Dates are found first, then numbers. The words before
them are the head: the measure and its issuer. Missing parts stay absent. Findings report the words
that were not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.characters import clean_text, quote_characters
from lexurn.minting.draft import Action, Step
from lexurn.minting.parts import is_article_citation
from lexurn.minting.words import get_vocabulary, read_ordinal_words, split_text
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.findings import Finding
    from lexurn.minting.characters import CleanText
    from lexurn.registry import Law, Words

_FIELD, _RULE = "citation", "RFC 9676 §6.3.1"

# Dates in digits: 2003-09-21, 21.9.2003, 21/9/03, 2003.9.21, 20030921; 平成15年9月21日.
_DIGITAL_DATE = re.compile(
    r"(?<![\w/.-])(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}([/.-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})"
    r"|(?:1[5-9]|20)[0-9]{2}([/.])[0-9]{1,2}\2[0-9]{1,2}"
    r"|(?:1[5-9]|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?![\w/-]|\.[0-9])"
)
_EASTERN_DATE = re.compile(r"(?:[^\W\d_]{2})?[0-9元]{1,4}年[0-9]{1,2}月[0-9]{1,2}日")
# Day and year round the name of a month.
_DAY = re.compile(r"[0-9]{1,2}(?:[^\W\d_]{1,3})?")
_YEAR = re.compile(r"[0-9]{2,4}")

# A number, and the additions after it: "12 bis", "1 / P".
_NUMBER = re.compile(r"[^\s,;:()\[\]]*[0-9][^\s,;:()\[\]]*")
_ADDITION = re.compile(
    r"\s+(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies)\b"
    r"|\s*/\s*(?=[^\s/]*[0-9]|[^\W\d_]{1,3}\b)[^\W_][^\s,;:()\[\]]*",
    re.IGNORECASE,
)
_MARKER_SIGN = re.compile(r"(?:(?<!\w)n\s?\.?[º°]s?\.?|№|#)\s*", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([^()]*[0-9][^()]*)\)")
# Ordinals and years are no numbers of an act unless a marker says so.
_NO_NUMBER = re.compile(r"[0-9]+[ºª°^]|(?:1[5-9]|20)[0-9]{2}")
_YEAR_AFTER = re.compile(r"[^/]*[0-9]\s*/\s*(?:1[5-9]|20)[0-9]{2}")

# A head has two letters, or is an abbreviation in front: "L. 7 agosto 1990, n. 241".
_FEWEST_LETTERS = 2
_ONE_LETTER = re.compile(r"\s*[^\W\d_]\.\s*")
_WORD = re.compile(r"[^\s,]+")
_EDGES = " \t,;:.([{)]}-/"


class Span(NamedTuple):
    """Stretch of a text."""

    start: int
    end: int

    def overlaps(self, others: Iterable[Span]) -> bool:
        """Return True for a stretch that has a character in common with one of the others."""
        return any(self.start < other.end and other.start < self.end for other in others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Parts of a citation; an absent part is None.

    Attributes:
        text: the citation as given.
        measure: the type of measure, in its words.
        authority: the issuer, in its words.
        date: the date, in its words; two dates of one act have a dash or comma between them.
        number: the number, in its words, without its marker.
        places: start and end of each of them in ``text``.
        steps: the steps of the reading.
        findings: the findings on the citation.
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
        Its parts. An error finding says that it states something twice, or nothing.
    """
    clean = clean_text(text, _FIELD, get_vocabulary(words).script)
    if clean.failed:
        return Citation(text=text, steps=clean.steps, findings=clean.findings)
    return _CitationReader(clean, words, law).read()


class _CitationReader:
    """Reader of one citation; collects its parts and findings."""

    def __init__(self, clean: CleanText, words: Words, law: Law) -> None:
        self.clean, self.text, self.words, self.law = clean, clean.text, words, law
        self.pieces = split_text(clean.text, elides=True).pieces
        self.fillers = words.datewords | words.connectives
        self.found: dict[str, Span] = {}
        self.findings: list[Finding] = list(clean.findings)

    def read(self) -> Citation:
        dates = self._find_dates()
        numbers = self._find_numbers(dates)
        head, rest = self._find_head([*dates, *(whole for whole, _ in numbers)])
        for name, found in (("date", dates), ("number", [number for _, number in numbers])):
            if found:
                self.found[name] = found[0]
            if len(found) > 1:
                self._say("LX734", Span(found[0].start, found[-1].end), name)
        self._read_head(head)
        for gap in map(self._strip, rest):
            if gap.start < gap.end and not self._is_filler(gap):
                self._say("LX733", gap)
        if not dates and not numbers:
            self._say("LX732", Span(0, len(self.text)), "date or number")
        elif "measure" not in self.found:
            self._say("LX732", Span(0, len(self.text)), "measure")
        number = self.found.get("number", Span(0, 0))
        if not dates and _YEAR_AFTER.fullmatch(self.text, *number):
            self._say("LX735", number)
        texts = {name: self.text[start:end] for name, (start, end) in self.found.items()}
        places = {name: self.clean.locate(*span) for name, span in self.found.items()}
        steps = [
            Step(_FIELD, Action.READ, self.clean.given, f"{name}: {text}", _RULE)
            for name, text in texts.items()
        ]
        return Citation(
            text=self.clean.given,
            places=MappingProxyType(places),
            steps=(*self.clean.steps, *steps),
            findings=tuple(self.findings),
            **texts,
        )

    # Dates

    def _find_dates(self) -> list[Span]:
        """Return the dates; those that a dash, a comma or "and" joins are one stretch."""
        patterns = (_DIGITAL_DATE, _EASTERN_DATE)
        found = {Span(*m.span()) for pattern in patterns for m in pattern.finditer(self.text)}
        for at, piece in enumerate(self.pieces):
            if piece.key in self.words.months:
                worded = self._read_day_first(at) or self._read_month_first(at)
                if worded is not None:
                    found.add(worded)
        joined: list[Span] = []
        for span in sorted(found):
            before = joined[-1] if joined else None
            between = self.text[before.end : span.start] if before else ""
            is_joined = between.strip() in {"-", ","} or make_key(between) in self.words.connectives
            if before and (is_joined or span.start < before.end):
                joined[-1] = Span(before.start, max(before.end, span.end))
            else:
                joined.append(span)
        return joined

    def _read_day_first(self, month: int) -> Span | None:
        """Return a date such as "20 dicembre 1999", "le premier mai 2003"."""
        day, year = month - 1, self._find_year(month)
        while day >= 0 and self.pieces[day].key in self.fillers:
            day -= 1
        if day < 0 or year is None:
            return None
        piece, cardinals = self.pieces[day], self.words.cardinals
        is_day = _DAY.fullmatch(piece.text) or piece.key in cardinals
        if not is_day and not read_ordinal_words(self.pieces, day, get_vocabulary(self.words)):
            return None
        tens = self.pieces[day - 1] if day else piece
        if day and tens.key in cardinals and tens.after in {" ", "-"}:
            piece = tens
        return Span(piece.start, self.pieces[year].end)

    def _read_month_first(self, month: int) -> Span | None:
        """Return a date such as "September 21, 2003"."""
        day = month + 1
        if day >= len(self.pieces) or not _DAY.fullmatch(self.pieces[day].text):
            return None
        year = self._find_year(day)
        return None if year is None else Span(self.pieces[month].start, self.pieces[year].end)

    def _find_year(self, at: int) -> int | None:
        """Return the place of the year after a piece and words of dates, or None."""
        index = at + 1
        while index < len(self.pieces) and self.pieces[index].key in self.fillers:
            index += 1
        is_year = index < len(self.pieces) and _YEAR.fullmatch(self.pieces[index].text)
        return index if is_year else None

    # Numbers, each as a pair: the stretch with its marker or brackets, and the number alone

    def _find_numbers(self, dates: list[Span]) -> list[tuple[Span, Span]]:
        """Return the numbers after markers; else one in brackets, else all that are no dates."""
        found: list[tuple[Span, Span]] = []
        for start, at in self._find_markers():
            number = self._read_number(at) if not found or start >= found[-1][1].end else None
            if number is not None and not number.overlaps(dates):
                found.append((Span(start, number.end), number))
        if found:
            return found
        for match in _BRACKETED.finditer(self.text):
            if not Span(*match.span(1)).overlaps(dates):
                start = match.end(1) - len(match[1].lstrip())
                return [(Span(*match.span()), Span(start, start + len(match[1].strip())))]
        seen: list[Span] = []
        for match in _NUMBER.finditer(self.text):
            span = self._read_number(match.start())
            if span is None or _NO_NUMBER.fullmatch(match[0]) or span.overlaps(dates):
                continue
            if not any(other.start <= span.start < other.end for other in seen):
                found.append((span, span))
            seen.append(span)
        return found

    def _find_markers(self) -> list[tuple[int, int]]:
        """Return where each marker begins, and where its number would."""
        starts = {match.start(): match.end() for match in _MARKER_SIGN.finditer(self.text)}
        for piece in self.pieces:
            if piece.key in self.words.markers:
                width = len(piece.after) - len(piece.after.lstrip(" .:º°"))
                starts.setdefault(piece.start, piece.end + width)
        return sorted(starts.items())

    def _read_number(self, at: int) -> Span | None:
        """Return the number that begins at a place, with its additions."""
        match = _NUMBER.match(self.text, at)
        if match is None:
            return None
        end = match.end()
        while (addition := _ADDITION.match(self.text, end)) is not None:
            end = addition.end()
        while end > at and self.text[end - 1] in ".'-/":
            end -= 1
        return Span(match.start(), end)

    # The head: measure and authority

    def _find_head(self, taken: list[Span]) -> tuple[Span, list[Span]]:
        """Return the first stretch between dates and numbers that has a word, and the others."""
        start, gaps = 0, []
        for span in sorted(taken):
            gaps.append(Span(start, max(start, span.start)))
            start = max(start, span.end)
        gaps.append(Span(start, len(self.text)))
        for at, gap in enumerate(gaps):
            letters = sum(map(str.isalpha, self.text[gap.start : gap.end]))
            is_abbreviation = at == 0 and _ONE_LETTER.fullmatch(self.text, *gap) is not None
            if letters >= _FEWEST_LETTERS or is_abbreviation:
                return gap, [*gaps[:at], *gaps[at + 1 :]]
        return Span(0, 0), gaps

    def _read_head(self, head: Span) -> None:
        """Read the measure and the authority; a part between commas may cite an article."""
        head = self._strip(head)
        words = self._find_words(head)
        while words[1:] and self._is_filler(words[-1]):
            words.pop()
            head = self._strip(Span(head.start, words[-1].end))
        parts: list[Span] = []
        at = head.start
        for piece in self.text[head.start : head.end].split(","):
            part = self._strip(Span(at, at + len(piece)))
            at += len(piece) + 1
            if part.start == part.end:
                continue
            if is_article_citation(self.text[part.start : part.end], self.words):
                self._say("LX733", part)
            else:
                parts.append(part)
        if len(parts) < 2:  # noqa: PLR2004 - an authority and a measure
            for part in parts:
                self._read_one_part(part)
            return
        # A comma stands between authority and measure, in either order.
        last = parts[-1]
        is_last = self._is_measure(last)
        if self._is_measure(parts[0]) and not is_last:
            self.found["measure"] = parts[0]
            self.found["authority"] = Span(parts[1].start, last.end)
            return
        first = Span(parts[0].start, parts[-2].end)
        self.found["measure"], self.found["authority"] = last, first
        if not is_last:
            self._say("LX737", last, self._quote(last), shown=first)

    def _read_one_part(self, head: Span) -> None:
        """Read a measure, and the authority after connectives that follow a registered measure."""
        self.found["measure"] = head
        if self._is_measure(head):
            return
        words = self._find_words(head)
        for at in range(len(words) - 1, 0, -1):
            measure = Span(head.start, words[at - 1].end)
            if not self._is_measure(measure):
                continue
            start = self._skip_connectives(words[at:])
            # A word that hangs on the measure without a connective says what measure it is.
            if start is not None and start != words[at].start:
                self.found["measure"] = measure
                self.found["authority"] = Span(start, head.end)
            return

    def _skip_connectives(self, words: list[Span]) -> int | None:
        """Return the start of the first word after connectives, also after an elided one."""
        for word in words:
            text = self.text[word.start : word.end]
            before, apostrophe, _ = text.partition("'")
            if apostrophe and make_key(before) in self.words.connectives:
                return word.start + len(before) + 1
            if make_key(text) not in self.words.connectives:
                return word.start
        return None

    def _find_words(self, span: Span) -> list[Span]:
        return [Span(*match.span()) for match in _WORD.finditer(self.text, *span)]

    def _is_measure(self, span: Span) -> bool:
        return bool(self.law.measures.find(self.text[span.start : span.end]))

    def _is_filler(self, span: Span) -> bool:
        """Return True for a stretch of connectives and words of dates only."""
        words = re.findall(r"[^\W_]+", self.text[span.start : span.end])
        return all(make_key(word) in self.fillers for word in words)

    def _strip(self, span: Span) -> Span:
        """Return a stretch without blanks and punctuation at its ends; closed brackets stay."""
        start, end = span
        while start < end and self.text[start] in _EDGES:
            start += 1
        while start < end and self.text[end - 1] in _EDGES:
            inside = self.text[start:end]
            is_closed = inside.endswith(")") and "(" in inside
            if is_closed or re.search(r"\b[^\W\d_]{1,5}\.$", inside):
                break
            end -= 1
        return Span(start, end)

    def _quote(self, span: Span) -> str:
        return quote_characters(self.text[span.start : span.end])

    def _say(self, code: str, span: Span, *values: str, shown: Span | None = None) -> None:
        """Add a finding at a stretch; its message shows the stretch, or another, then values."""
        quoted = self._quote(shown or span)
        self.findings.append(self.clean.make_finding(code, *span, quoted, *values))
