"""How the words of a text are read, one by one, until they stand as a name has them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.minting._abbreviations import (
    expansion,
    explains,
    is_acronym,
    resembles,
    unknown_abbreviation,
)
from lexurn.minting._letters import lowered, unwritable, written_word
from lexurn.minting._ordinals import numeral, roman, spelt_out
from lexurn.minting._steps import Action, MintFinding, Mode, Step, Written
from lexurn.minting._text_cleaning import clean
from lexurn.minting._text_codes import finding
from lexurn.minting._text_codes import step as step_of
from lexurn.minting._text_designations import Role, role_of
from lexurn.minting._text_pieces import is_name_form, pieces_of
from lexurn.minting._text_scripts import shown

if TYPE_CHECKING:
    from lexurn.minting._ordinals import Numeral
    from lexurn.minting._text_cleaning import Cleaned
    from lexurn.minting._text_pieces import Piece
    from lexurn.minting._text_vocabulary import Vocabulary

__all__ = ["Manner", "written"]

_WORDS, _ABBREVIATED, _ORDINAL = "RFC 9676 §4.1", "RFC 9676 §3.5", "RFC 9676 §4.3"
_SHORTEST_SENTENCE_END = 4
_FEWEST_LETTERS = 3


class Manner(StrEnum):
    """What kind of text is read."""

    WORDS = "words"
    SENTENCE = "sentence"
    ANNEX = "annex"


def written(text: str, vocabulary: Vocabulary, mode: Mode, field: str, manner: Manner) -> Written:
    """The words of a text as a name has them; served again from what was kept.

    Args:
        text: any text.
        vocabulary: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
        manner: what kind of text it is.
    """
    key = (text, mode, field, manner)
    kept = vocabulary.recall(key)
    if isinstance(kept, Written):
        return kept
    cleaned = clean(text, field, None if is_name_form(text) else vocabulary.script)
    if cleaned.failed:
        found = Written(text=None, steps=cleaned.steps, findings=cleaned.findings)
    else:
        sentence = _Sentence(cleaned, vocabulary, mode, field, manner)
        found = sentence.read().after(cleaned.steps, cleaned.findings)
    vocabulary.keep(key, found)
    return found


class _Sentence:
    """A text that is being read; collects words, steps and findings."""

    def __init__(
        self, cleaned: Cleaned, vocabulary: Vocabulary, mode: Mode, field: str, manner: Manner
    ) -> None:
        self.cleaned, self.vocabulary, self.mode = cleaned, vocabulary, mode
        self.field, self.manner = field, manner
        words = vocabulary.words
        elides = bool(words.elided) or not words.connectives
        self.text = pieces_of(cleaned.text, elides=elides)
        self.out: list[str] = []
        self.steps: list[Step] = []
        self.findings: list[MintFinding] = []

    def read(self) -> Written:
        """All words, or what keeps them from being written."""
        self._lower()
        at = 0
        while at < len(self.text.pieces):
            at += self._one(at)
        self._judge_whole()
        failed = any(found.is_error for found in self.findings)
        joined = ".".join(self.out)
        if not failed and " ".join(self.out) != joined and not self.text.named:
            self._step(Action.JOINED, " ".join(self.out), joined, _WORDS)
        return Written(
            text=None if failed else joined,
            steps=tuple(self.steps),
            findings=tuple(self.findings),
        )

    def _lower(self) -> None:
        lower = lowered(self.cleaned.text, self.vocabulary.words.language)
        if lower != self.cleaned.text:
            self._step(Action.LOWERED, self.cleaned.text, lower, "RFC 9676 §3.3")

    def _one(self, at: int) -> int:
        """Read what starts at a piece; how many pieces it took."""
        return (
            self._expanded(at)
            or self._marker(at)
            or self._numbered(at)
            or self._roman(at)
            or self._connective(at)
            or self._refused(at)
            or self._word(at)
        )

    def _expanded(self, at: int) -> int:
        """An abbreviation or acronym that the registry knows."""
        piece = self.text.pieces[at]
        if piece.elided and piece.key in self.vocabulary.words.connectives:
            return 0
        annexes = self.manner is Manner.ANNEX
        found = expansion(self.text, at, self.vocabulary, annexes=annexes)
        if found is None:
            return 0
        last = self.text.pieces[at + found.taken - 1]
        before = self.cleaned.text[piece.start : last.end + last.dotted]
        notations = [entry.notation for entry in found.entries]
        if len(notations) > 1:
            self._say("LX722", piece, last, shown(before), " / ".join(notations))
            return found.taken
        rule = _ABBREVIATED if "." in before else "RFC 9676 §4.2"
        self._step(Action.EXPANDED, before, notations[0], rule, found.entries[0].iri)
        self.out += notations[0].split(".")
        return found.taken

    def _marker(self, at: int) -> int:
        """What stands before a number, as "n." in "annex n. 1"."""
        piece, *others = self.text.pieces[at : at + 2]
        if not others or not others[0].text[0].isdigit():
            return 0
        if self.text.named or piece.key not in self.vocabulary.words.markers:
            return 0
        before = self.cleaned.text[piece.start : piece.end + piece.dotted]
        self._step(Action.DROPPED, before, "", _WORDS, self.vocabulary.source("markers"))
        return 1

    def _numbered(self, at: int) -> int:
        """An ordinal in digits or in words."""
        pieces, vocabulary = self.text.pieces, self.vocabulary
        designates = at > 0 and pieces[at - 1].key in vocabulary.designators
        language = vocabulary.words.language
        # A name has had its ordinals turned to digits; what looks like one there ("0a") is none.
        found = None if self.text.named else numeral(pieces, at, language, designates=designates)
        if found is not None:
            return self._number(at, found, None)
        if pieces[at].elided:
            return 0
        found = spelt_out(pieces, at, vocabulary)
        return 0 if found is None else self._number(at, found, vocabulary.source("ordinals"))

    def _number(self, at: int, found: Numeral, source: str | None) -> int:
        first, last = self.text.pieces[at], self.text.pieces[at + found.taken - 1]
        before = self.cleaned.text[first.start : last.end + last.signed]
        self._step(Action.NUMBERED, before, found.digits, _ORDINAL, source)
        self.out.append(found.digits)
        return found.taken

    def _roman(self, at: int) -> int:
        """A Roman numeral in capitals."""
        piece = self.text.pieces[at]
        value = roman(piece.text)
        if value is None or piece.elided:
            return 0
        role = role_of(self.text, at, self.vocabulary)
        if role is Role.UNDECIDED:
            self._say("LX726", piece, piece, shown(piece.text))
            return 1
        if role is Role.CONNECTIVE:
            return 0
        if len(piece.text) == 1 and piece.text != "I":
            self._say("LX727", piece, piece, shown(piece.text), str(value))
        self._step(Action.NUMBERED, piece.text, str(value), _ORDINAL)
        self.out.append(str(value))
        return 1

    def _connective(self, at: int) -> int:
        """An article, preposition or conjunction."""
        piece = self.text.pieces[at]
        several = self._several(at)
        if several:
            return several
        role = role_of(self.text, at, self.vocabulary)
        if role is Role.UNDECIDED:
            self._say("LX726", piece, piece, shown(piece.text))
            return 1
        if role is not Role.CONNECTIVE:
            return 0
        before = piece.text + ("'" if piece.elided else "")
        source = self.vocabulary.source("connectives")
        self._step(Action.DROPPED, before, "", _WORDS, source)
        return 1

    def _several(self, at: int) -> int:
        """A connective of several words, as "ainsi que"."""
        pieces = self.text.pieces
        longest = 0 if self.text.named else self.vocabulary.connected.get(pieces[at].key, 0)
        for count in range(min(longest, len(pieces) - at), 1, -1):
            chain = pieces[at : at + count]
            if " ".join(each.key for each in chain) in self.vocabulary.words.connectives:
                before = self.cleaned.text[chain[0].start : chain[-1].end]
                self._step(
                    Action.DROPPED, before, "", _WORDS, self.vocabulary.source("connectives")
                )
                return count
        return 0

    def _refused(self, at: int) -> int:
        """An abbreviation or acronym that nobody has registered."""
        piece = self.text.pieces[at]
        if is_acronym(piece, self.text):
            if explains(self.text.pieces, at, self.cleaned.text[piece.start - 1 : piece.start]):
                self._step(Action.DROPPED, f"({piece.text})", "", "RFC 9676 §4.2")
                return 1
            self._say("LX721", piece, piece, shown(piece.text), self._language)
            return 1
        count = 0 if self.text.named else unknown_abbreviation(self.text.pieces, at)
        if not count or (self.manner is Manner.SENTENCE and self._ends_sentence(at)):
            return 0
        last = self.text.pieces[at + count - 1]
        before = self.cleaned.text[piece.start : last.end + last.dotted]
        self._say("LX720", piece, last, shown(before), self._language)
        return count

    @property
    def _language(self) -> str:
        return self.vocabulary.words.language or "und"

    def _ends_sentence(self, at: int) -> bool:
        """Whether the dot behind a piece ends a sentence: a whole word, then a capital or none."""
        piece = self.text.pieces[at]
        following = self.text.pieces[at + 1 : at + 2]
        starts = not following or following[0].text[0].isupper()
        return starts and len(piece.text) >= _SHORTEST_SENTENCE_END and piece.text[1:].islower()

    def _word(self, at: int) -> int:
        """A word as it is, its letters folded."""
        piece = self.text.pieces[at]
        words = self.vocabulary.words
        lower = lowered(piece.text, words.language)
        folded = written_word(lower, words.folds, self.mode)
        if self.mode is Mode.ASCII and not lower.isascii():
            strange = unwritable(lower, words.folds) or (lower if not folded else None)
            if strange:
                self._say("LX719", piece, piece, shown(strange))
                return 1
        if folded != lower:
            action = Action.FOLDED if self.mode is Mode.ASCII else Action.ENCODED
            self._step(action, lower, folded, "RFC 9676 §3.4")
        abbreviated = resembles(piece, self.vocabulary)
        if abbreviated is not None:
            self._say("LX725", piece, piece, shown(piece.text), shown(abbreviated.notation))
        self.out.append(folded)
        return 1

    def _judge_whole(self) -> None:
        """Say where nothing is left, or nothing but the letters of an acronym."""
        if any(found.is_error for found in self.findings):
            return
        place = self.cleaned.place(self.field, 0, len(self.cleaned.text))
        if not self.out:
            self.findings.append(finding("LX711", place, shown(self.cleaned.given)))
        elif len(self.out) >= _FEWEST_LETTERS and all(
            len(each) == 1 and each.isalpha() for each in self.out
        ):
            shown_text = shown(self.cleaned.given)
            self.findings.append(finding("LX721", place, shown_text, self._language))

    def _say(self, code: str, first: Piece, last: Piece, *values: str) -> None:
        place = self.cleaned.place(self.field, first.start, last.end)
        self.findings.append(finding(code, place, *values))

    def _step(
        self, action: Action, before: str, after: str, rule: str, source: str | None = None
    ) -> None:
        self.steps.append(step_of(self.field, action, before, after, rule, source))
