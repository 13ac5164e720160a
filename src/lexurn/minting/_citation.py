"""Citations: measure, authority, date and number of an act, read from one line of text.

"Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000", "Lei nº 9.847, de 26 de Outubro de
1999", "Loi n° 456 du 21 septembre 2003". The date and the number are found by their patterns; what
stands before the first of them names the measure and who issued it. What is not stated stays
absent; what was not understood is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexurn.minting._partitions import is_article
from lexurn.minting._steps import Action, MintFinding, Step
from lexurn.minting._text_cited import Span, Spans, spans_of
from lexurn.minting._text_cleaning import clean
from lexurn.minting._text_codes import finding, step
from lexurn.minting._text_scripts import shown
from lexurn.minting._text_vocabulary import vocabulary_of
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.minting._text_cleaning import Cleaned
    from lexurn.registry import Law, Words

__all__ = ["Citation", "read_citation"]

_RULE = "RFC 9676 §6.3.1"
_FIELD = "citation"
_WORD = re.compile(r"[^\s,]+")
_EDGES = " \t,;:.([{)]}-/"
_YEAR_BEHIND = re.compile(r"[^/]*[0-9]\s*/\s*(?:1[5-9]|20)[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What a citation states; what it does not state is None.

    Attributes:
        text: the citation as given.
        measure: the type of measure, in its words.
        authority: who issued it, in its words.
        date: the date, in its words; two dates of one act stand with a dash or comma between them.
        number: the number, in its words, without what stands before it.
        places: where each of them stands in ``text``: start and end.
        steps: what was read.
        findings: what is to be said.
    """

    text: str
    measure: str | None = None
    authority: str | None = None
    date: str | None = None
    number: str | None = None
    places: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[Step, ...] = ()
    findings: tuple[MintFinding, ...] = ()


def read_citation(text: str, words: Words, law: Law) -> Citation:
    """Read a citation.

    Args:
        text: one line that cites one act.
        words: the words of its language: months, markers, connectives.
        law: the measures and authorities of its jurisdiction.

    Returns:
        What it states. An error finding says that it states something twice, or nothing.
    """
    cleaned = clean(text, _FIELD, vocabulary_of(words).script)
    if cleaned.failed:
        return Citation(text=text, steps=cleaned.steps, findings=cleaned.findings)
    return _Reading(cleaned, words, law).citation()


class _Reading:
    """A citation that is being read."""

    def __init__(self, cleaned: Cleaned, words: Words, law: Law) -> None:
        self.cleaned, self.words, self.law = cleaned, words, law
        self.findings: list[MintFinding] = list(cleaned.findings)
        self.found: dict[str, Span] = {}

    def citation(self) -> Citation:
        spans = spans_of(self.cleaned.text, self.words)
        self._take("date", spans.dates)
        self._take("number", spans.numbers)
        self._head(spans)
        self._rest(spans)
        self._judge()
        places = {name: self._place(span) for name, span in self.found.items()}
        texts = {name: self.cleaned.text[start:end] for name, (start, end) in self.found.items()}
        steps = [
            step(_FIELD, Action.READ, self.cleaned.given, f"{k}: {texts[k]}", _RULE) for k in texts
        ]
        return Citation(
            text=self.cleaned.given,
            places=MappingProxyType(places),
            steps=(*self.cleaned.steps, *steps),
            findings=tuple(self.findings),
            **texts,
        )

    def _place(self, span: Span) -> tuple[int, int]:
        place = self.cleaned.place(_FIELD, span.start, span.end)
        return place.start, place.end

    def _take(self, name: str, spans: tuple[Span, ...]) -> None:
        """Keep the one date or number; more than one is an error."""
        if spans:
            self.found[name] = spans[0]
        if len(spans) > 1:
            between = Span(spans[0].start, spans[-1].end)
            self._say("LX734", between, self._shown(between), name)

    def _head(self, spans: Spans) -> None:
        """The measure and the authority, from what stands before date and number."""
        head = self._closed(Span(spans.head_start, spans.head_end))
        if head.start == head.end:
            return
        parts = []
        for part in _parts(self.cleaned.text, head):
            if is_article(self.cleaned.text[part.start : part.end], self.words):
                self._say("LX733", part, self._shown(part))
            else:
                parts.append(part)
        if len(parts) > 1:
            self._two(parts)
        elif parts:
            self._one(parts[0])

    def _closed(self, span: Span) -> Span:
        """A stretch without punctuation at its ends and connectives behind it."""
        span = _stripped(self.cleaned.text, span)
        words = [Span(m.start(), m.end()) for m in _WORD.finditer(self.cleaned.text, *span)]
        while words[1:] and self._is_dropped(words[-1]):
            words.pop()
            span = _stripped(self.cleaned.text, Span(span.start, words[-1].end))
        return span

    def _two(self, parts: list[Span]) -> None:
        """An authority and a measure with a comma between them, in either order."""
        first, last = Span(parts[0].start, parts[-2].end), parts[-1]
        is_first, is_last = self._is_measure(parts[0]), self._is_measure(last)
        if is_first and not is_last:
            self.found["measure"] = parts[0]
            self.found["authority"] = Span(parts[1].start, last.end)
            return
        self.found["measure"], self.found["authority"] = last, first
        if not is_last:
            self._say("LX737", last, self._shown(first), self._shown(last))

    def _one(self, head: Span) -> None:
        """A measure, with the authority behind it where the registry knows the measure."""
        self.found["measure"] = head
        if self._is_measure(head):
            return
        words = [Span(m.start(), m.end()) for m in _WORD.finditer(self.cleaned.text, *head)]
        for at in range(len(words) - 1, 0, -1):
            if not self._is_measure(Span(head.start, words[at - 1].end)):
                continue
            rest = self._behind_connectives(words[at:])
            # A word that hangs on the measure without a connective says what measure it is.
            if rest is not None and rest.start != words[at].start:
                self.found["measure"] = Span(head.start, words[at - 1].end)
                self.found["authority"] = Span(rest.start, head.end)
            return

    def _behind_connectives(self, words: list[Span]) -> Span | None:
        """What stands behind the connectives in front; an elided one is part of its word."""
        for word in words:
            text = self.cleaned.text[word.start : word.end]
            before, apostrophe, _ = text.partition("'")
            if apostrophe and key_of(before) in self.words.connectives:
                return Span(word.start + len(before) + 1, word.end)
            if key_of(text) not in self.words.connectives:
                return word
        return None

    def _is_measure(self, span: Span) -> bool:
        return bool(self.law.measures.find(self.cleaned.text[span.start : span.end]))

    def _rest(self, spans: Spans) -> None:
        """Say what was not understood."""
        for each in spans.rest:
            left = _stripped(self.cleaned.text, each)
            if left.start < left.end and not self._is_dropped(left):
                self._say("LX733", left, self._shown(left))

    def _is_dropped(self, span: Span) -> bool:
        """Whether a stretch holds connectives and words of dates only."""
        text = self.cleaned.text[span.start : span.end]
        keys = [key_of(word) for word in re.findall(r"[^\W_]+", text)]
        return all(key in self.words.connectives | self.words.datewords for key in keys)

    def _judge(self) -> None:
        """Say where nothing could be read, or a number may hold the year."""
        whole = Span(0, len(self.cleaned.text))
        if not self.found.keys() & {"date", "number"}:
            self._say("LX732", whole, self._shown(whole), "date or number")
        elif "measure" not in self.found:
            self._say("LX732", whole, self._shown(whole), "measure")
        number = self.found.get("number")
        if number is not None and "date" not in self.found:
            text = self.cleaned.text[number.start : number.end]
            if _YEAR_BEHIND.fullmatch(text):
                self._say("LX735", number, shown(text))

    def _shown(self, span: Span) -> str:
        return shown(self.cleaned.text[span.start : span.end])

    def _say(self, code: str, span: Span, *values: str) -> None:
        place = self.cleaned.place(_FIELD, span.start, span.end)
        self.findings.append(finding(code, place, *values))


def _stripped(text: str, span: Span) -> Span:
    """A stretch without blanks and punctuation at its ends; brackets that are closed stay."""
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


def _parts(text: str, span: Span) -> list[Span]:
    """The parts of a stretch between commas."""
    found: list[Span] = []
    at = span.start
    for piece in text[span.start : span.end].split(","):
        part = _stripped(text, Span(at, at + len(piece)))
        if part.start < part.end:
            found.append(part)
        at += len(piece) + 1
    return found
