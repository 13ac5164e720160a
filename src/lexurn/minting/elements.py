"""Elements of a citation beside the type of measure: issuer, date, number and gazette."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.dates import YEAR
from lexurn.minting.mentions import CitedText, Levels, NumberMention, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.minting.words import Piece
    from lexurn.registry import Entry, Law, Words

_YEAR = re.compile(YEAR)
_YEAR_IN_NUMBER = re.compile(rf"(?<![0-9]){YEAR}(?![0-9])")
_SHORT_YEAR = re.compile("(?<=/)[0-9]{2}$")
_WHOLE = {"measure", "date", "number"}
_BREAKS = frozenset(",;()")
QUOTES = frozenset('«"“„')


class _Note(NamedTuple):
    """Finding at a stretch; its message shows stretches and words."""

    code: str
    span: Span
    values: tuple[Span | str, ...]


@dataclass(frozen=True, slots=True)
class CitationForm:
    """Places of the parts in all citations of one form.

    Attributes:
        found: the place of each part.
        levels: the spans of each issuer and its parts.
        year: the place of the year that belongs to the date, or None.
        notes: the findings.
    """

    found: Mapping[str, Span]
    levels: Levels
    year: Span | None
    notes: tuple[_Note, ...]


class ElementReader(CitedText):
    """Reader of the elements of a citation, which may lack the fields that are given beside it.

    Attributes:
        given: these fields.
        is_subject_first: True if the subject stands first: "Land Act, 1954 (No. 21 of 1954)".
        found: the place of each part.
        levels: the issuers.
        entries: the entries of the type.
        year: the place of the year that belongs to the date, or None.
        notes: the findings.
    """

    def __init__(self, text: str, words: Words, law: Law, given: frozenset[str]) -> None:
        """Store the citation, the words of its language and the entries of its jurisdiction."""
        super().__init__(text, words, law)
        self.given = given
        self.is_subject_first = law.conventions.get("subject-place") == "before-measure"
        self.found: dict[str, Span] = {}
        self.levels: Levels = ()
        self.entries: tuple[Entry, ...] = ()
        self.year: Span | None = None
        self.notes: list[_Note] = []

    def _say(self, code: str, span: Span, *values: Span | str) -> None:
        """Add a finding at a stretch; its message shows stretches and words, else that stretch."""
        self.notes.append(_Note(code, span, values or (span,)))

    def _is_element(self, at: int) -> bool:
        start = self.pieces[at].start
        is_date = start in self.dates or start in self.partial_dates
        return is_date or self.find_number(at) is not None

    def _read_element(self, at: int) -> int | None:
        """Read one element after connectives; return the index after it, None for a subject."""
        start = self.skip(at, self.fillers)
        if start >= len(self.pieces):
            return None if at >= len(self.pieces) else start
        piece = self.pieces[start]
        is_bracketed = self.text[piece.start - 1 : piece.start] == "["  # "[2019] UKSC 41"
        if self.is_subject_first and not is_bracketed and _YEAR.fullmatch(piece.text):
            return start + 1
        return self._read_part(start) or self._read_issuers(at, start)

    def _read_part(self, at: int) -> int | None:
        """Read a mark of an act, gazette, date or number at a word; return the index after it."""
        is_bracketed = self.text[: self.pieces[at].start].endswith("(")
        mark = self.pieces[at].text.upper() if is_bracketed else self.pieces[at].text
        if mark in self.law.list_values("act-marks"):
            return at + 1
        gazette = self.find_gazette(at)
        if gazette is not None:
            return self._read_gazette(at, gazette)
        date = self.dates.get(self.pieces[at].start)
        if date is not None and "date" not in self.found:
            self.found["date"] = date
            return self.find_piece(date.end)
        if (after := self._read_partial_date(at)) is not None:
            return after
        number = self.find_number(at)
        if number is None or "number" in self.found:
            return None
        self.found["number"] = number.span
        return self.find_piece(number.end)

    def _read_partial_date(self, at: int) -> int | None:
        """Read a day and a month whose year is that of the number."""
        span = self.partial_dates.get(self.pieces[at].start)
        number = self.found.get("number")
        if span is None or number is None or "date" in self.found:
            return None
        years = [*_YEAR_IN_NUMBER.finditer(self.text, *number)]
        if "short-years" in self.law.conventions:
            years = years or [*_SHORT_YEAR.finditer(self.text, *number)]
        if "date-year" not in self.law.conventions or not years:
            return None
        self.found["date"], self.year = span, Span(*years[-1].span())
        return self.find_piece(span.end)

    def _read_gazette(self, at: int, end: int) -> int:
        """Read the reference to a gazette, whose number is that of the act in some countries."""
        after, rule = self.find_piece(end), self.law.conventions.get("gazette-number")
        if rule == "label" and "number" not in self.found:
            self.found["number"] = Span(self.pieces[at].start, end)
            return after
        if rule == "act" and "number" not in self.found:
            for each in range(at + 1, after):
                number = self.find_number(each)
                if number is not None and number.is_marked:
                    self.found["number"] = number.span
                    return self.find_piece(number.end)
        end = self._find_end_of_gazette(end)
        self._say("LX779", Span(self.pieces[at].start, end))
        return self.find_piece(end)

    def _find_end_of_gazette(self, end: int) -> int:
        """Return the offset after day and number of an issue: "G.U. 21 febbraio 2001, n. 43"."""
        at = self.find_piece(end)
        start = self.skip(at, self.fillers)
        if start >= len(self.pieces) or self.text[end : self.pieces[at].start].strip() != ",":
            return end
        offset = self.pieces[start].start
        more = self.dates.get(offset) or self.partial_dates.get(offset) or self.find_number(start)
        if more is None or (isinstance(more, NumberMention) and not more.is_marked):
            return end
        return self._find_end_of_gazette(more.end)

    def _read_issuers(self, at: int, start: int) -> int | None:
        """Read the issuers behind the type; ``at`` is the first of the words before them."""
        between = self.pieces[at:start]
        is_led = all(each.key in self.words.issuer_words for each in between)
        is_before = self.law.conventions.get("issuer-place") == "before-measure"
        if self.levels or not is_led or is_before:
            return None
        before = self.text[self.find_end(at) : self.pieces[start].start] if at else ""
        # "(Lombardia)" is not the issuer beside the unit of that name.
        is_unit = "(" in before and self.find_entries(self.law.units, start) is not None
        if not QUOTES.isdisjoint(before) or (is_unit and "units" in self.given):
            return None
        issuers = self.find_issuers(start)
        if issuers is not None and self._is_subject_of_state(start, issuers[1]):
            return None
        after = self._find_end_of_name(start)
        measure, body = self.found.get("measure"), self.find_entries(self.law.bodies, start)
        if between and measure and body and body[1] == after and "body" not in self.found:
            span = self.find_span(at, after)  # "Decreto n. 7 del Sindaco"
            types = self.law.measures.find(f"{self.cut(measure)} {self.cut(span)}")
            if any(each.body for each in types):
                self.found["body"] = span
                return after
        if issuers is not None and after <= issuers[1]:
            return self._take_issuers(issuers[0], self.find_span(start, issuers[1]))
        return self._take_longer_name(start, after, between, is_known=issuers is not None)

    def _is_subject_of_state(self, at: int, after: int) -> bool:
        """Return True for an issuer behind a whole act of the state, where it is its subject.

        "Ley 50/1997, de 27 de noviembre, del Gobierno": a unit alone has such acts too, and the
        legislature is no subject.
        """
        state, law = self.law.conventions.get("state"), self.law
        if law.conventions.get("state-issuer") != "sole" or not self.found.keys() >= _WHOLE:
            return False
        issuer, _ = self.find_entries(law.authorities, at) or ((), at)
        if {each.notation for each in issuer} & law.list_values("legislature"):
            return False
        return all(each.issuer == state for each in self.entries) and not any(
            self.find_entries(law.units, each) for each in range(at, after)
        )

    def _take_longer_name(
        self, start: int, after: int, between: Sequence[Piece], *, is_known: bool
    ) -> int | None:
        """Take a name that is not registered, or goes on after that of a kind of issuer."""
        form = self.words.issuer_words[between[-1].key] if between else ""
        is_name = self.pieces[start].text[0].isupper() and after > start
        if self.found.keys() == {"measure"} and "," in self.pieces[start - 1].after:
            form = "plain"
        has_issuer = any(each.issuer for each in self.entries)
        if not is_name or has_issuer or self.find_type(start, after) is not None:
            return None
        if form == "plain":
            return self._take_unregistered(self.strip(start, after))
        return self._take_issuer_of_kind(start, after) if is_known else None

    def _take_issuer_of_kind(self, start: int, after: int) -> int | None:
        """Take issuers of a registered kind, which is inflected: "des Landgerichts Berlin".

        The kind gets its registered form, the place stays as it is. Several share the kind if all
        of them are registered: "των Υπουργών Οικονομικών και Υγείας".
        """
        kinds, end = self.find_entries(self.law.authorities, start) or ((), start)
        first = self.skip(end, self.fillers)
        if len(kinds) != 1 or first >= after or not self.pieces[first].text[0].isupper():
            return None
        label = kinds[0].label_in(self.words.language) or kinds[0].labels[0].text
        names, at = [], end
        for each in range(end, after + 1):
            if each == after or self.pieces[each].key == self.joining:
                names.append((label, self.strip(at, each)))
                at = each + 1
        span = Span(self.pieces[start].start, self.strip(end, after).end)
        texts = (f"{label} {self.cut(each)}" for _, each in names)
        if len(names) > 1 and not all(map(self.law.authorities.find, texts)):
            return None
        if len(names) == 1 and "authority" not in self.given:
            self._say("LX780", span)
        return self._take_issuers(tuple((name,) for name in names), span)

    def _find_end_of_name(self, at: int) -> int:
        """Return the index after a name, which ends before an element, a subject or a sign."""
        after = at
        while after < len(self.pieces) and not self._is_element(after):
            if self.pieces[after].key in self.words.subject_words:
                break
            after += 1
            if not _BREAKS.isdisjoint(self.pieces[after - 1].after):
                break
        return self.drop_fillers(at, after)

    def _take_issuers(self, levels: Levels, span: Span) -> int:
        self.levels, self.found["authority"] = levels, span
        return self.find_piece(span.end)

    def _take_unregistered(self, span: Span) -> int:
        """Take words for the issuer that the registry does not know, with a warning."""
        if "authority" not in self.given:
            self._say("LX780", span)
        return self._take_issuers(((("", span),),), span)
