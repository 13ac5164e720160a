"""Phrases: institutions, measures and subjects as names have them (RFC 9676 sections 3.5, 4)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.minting import characters
from lexurn.minting.characters import CleanText, quote_characters
from lexurn.minting.draft import Action, Log, Mode, Step, Written
from lexurn.minting.words import (
    WordRole,
    count_unknown_abbreviation,
    decode_triplets,
    find_abbreviation,
    find_role,
    get_vocabulary,
    is_acronym,
    is_name_form,
    read_ordinal,
    read_ordinal_words,
    read_roman,
    split_text,
)
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.minting.words import Piece
    from lexurn.registry import Entry, Label, Lexicon, Words

_WORDS, _ABBREVIATED, _ORDINAL = "RFC 9676 §4.1", "RFC 9676 §3.5", "RFC 9676 §4.3"
_SHORTEST_SENTENCE_END = 4
_MAX_PHRASES = 16_384


class TextKind(StrEnum):
    """Kind of text that is read."""

    WORDS = "words"
    SENTENCE = "sentence"
    ANNEX = "annex"


@lru_cache(maxsize=_MAX_PHRASES)
def write_phrase(
    text: str, words: Words, mode: Mode, field: str, kind: TextKind = TextKind.WORDS
) -> Written:
    """Return words as names have them, joined by dots.

    Connectives, punctuation and special characters are dropped, and single letters that designate
    are kept. Abbreviations and acronyms are expanded by the registry or refused. Ordinals become
    Arabic digits. A text in the form of a part of a name stays.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
        kind: a sentence (a title or subject) may end with a dot, the heading of an annex may have
            abbreviations of annexes ("Annex 1/A" is ``annex.1.a``).

    Returns:
        The words with each step; no text if a finding is an error.
    """
    script = None if is_name_form(text) else get_vocabulary(words).script
    clean = CleanText(text, field, script)
    return clean.finish() if clean.failed else _PhraseReader(clean, words, mode, kind).read()


class _PhraseReader:
    """Reader of one text; collects its words."""

    def __init__(self, log: CleanText, words: Words, mode: Mode, kind: TextKind) -> None:
        self.log, self.words, self.mode, self.kind = log, words, mode, kind
        self.vocabulary = get_vocabulary(words)
        elides = bool(words.elided) or not words.connectives
        self.text = split_text(log.clean, elides=elides)
        self.out: list[str] = []

    def read(self) -> Written:
        """Return all words, or the reasons why they cannot be written."""
        lower = characters.lower_text(self.log.clean, self.words.language)
        self.log.step(Action.LOWERED, self.log.clean, lower, "RFC 9676 §3.3")
        at = 0
        while at < len(self.text.pieces):
            at += (
                self._drop_explained_acronym(at)
                or self._expand(at)
                or self._drop_marker(at)
                or self._read_ordinal(at)
                or self._read_roman(at)
                or self._drop_connective(at)
                or self._refuse_abbreviation(at)
                or self._write_word(at)
            )
        failed = self.log.failed
        is_acronym = all(len(each) == 1 and each.isalpha() for each in self.out)
        if is_acronym and len(self.out) not in {1, 2} and not failed:
            # Nothing is left, or nothing but the letters of an acronym.
            code, shown = ("LX721", [self._language]) if self.out else ("LX711", [])
            self.log.say(code, quote_characters(self.log.text), *shown)
        joined = ".".join(self.out)
        if not failed and not self.text.named:
            self.log.step(Action.JOINED, " ".join(self.out), joined, _WORDS)
        return self.log.finish(joined)

    @property
    def _language(self) -> str:
        return self.words.language or "und"

    # Each of these reads what starts at a piece, and returns how many pieces it took.

    def _drop_explained_acronym(self, at: int) -> int:
        """Drop an acronym in brackets that its own words stand before.

        It is one word in capitals, or letters with dots: "Poder Ejecutivo Nacional (P.E.N.)",
        "Ministerio de Justicia y Derechos Humanos (M.J. y D.H.)".
        """
        pieces, end = self.text.pieces, at + 1
        if not at or not pieces[at - 1].after.endswith("("):
            return 0
        last = pieces[at]
        while end < len(pieces) and last.is_letter and not last.after.strip(". "):
            last, end = pieces[end], end + 1
        chain = pieces[at:end]
        initials = iter([each.key[0] for each in pieces[:at]])
        is_explained = all(each in initials for each in "".join(each.key for each in chain))
        is_upper = all((each.text[0] + each.text[-1]).isupper() for each in chain)
        if not is_explained or not is_upper or not last.after.lstrip(".").startswith(")"):
            return 0
        dropped = self.log.clean[chain[0].start : last.end + last.dotted]
        self.log.step(Action.DROPPED, f"({dropped})", "", "RFC 9676 §4.2")
        return len(chain)

    def _expand(self, at: int) -> int:
        """Expand an abbreviation or acronym that the registry knows."""
        piece = self.text.pieces[at]
        if piece.elided and piece.key in self.words.connectives:
            return 0
        annexes = self.kind is TextKind.ANNEX
        found = find_abbreviation(self.text, at, self.vocabulary, annexes=annexes)
        if found is None:
            return 0
        entries, taken = found
        last = self.text.pieces[at + taken - 1]
        before = self.log.clean[piece.start : last.end + last.dotted]
        if len(entries) > 1:
            meanings = " / ".join(decode_triplets(entry.notation) for entry in entries)
            self._say("LX722", piece, last, quote_characters(before), meanings)
            return taken
        rule = _ABBREVIATED if "." in before else "RFC 9676 §4.2"
        self.log.step(Action.EXPANDED, before, entries[0].notation, rule, entries[0].iri)
        self.out += entries[0].notation.split(".")
        return taken

    def _drop_marker(self, at: int) -> int:
        """Drop the marker of a number, as "n." in "annex n. 1"."""
        piece, *others = self.text.pieces[at : at + 2]
        if not others or not others[0].text[0].isdigit():
            return 0
        if self.text.named or piece.key not in self.words.markers:
            return 0
        self._drop(self.log.clean[piece.start : piece.end + piece.dotted], "markers")
        return 1

    def _read_ordinal(self, at: int) -> int:
        """Read an ordinal in digits or in words."""
        pieces, source = self.text.pieces, None
        designates = at > 0 and pieces[at - 1].key in self.vocabulary.designators
        # A name has had its ordinals turned to digits; what looks like one there ("0a") is none.
        found = None
        if not self.text.named:
            found = read_ordinal(pieces, at, self.words.language, designates=designates)
        if found is None and not pieces[at].elided:
            found = read_ordinal_words(pieces, at, self.vocabulary)
            source = self.vocabulary.source("ordinals")
        if found is None:
            return 0
        digits, taken = found
        first, last = pieces[at], pieces[at + taken - 1]
        before = self.log.clean[first.start : last.end + last.signed]
        self.log.step(Action.NUMBERED, before, digits, _ORDINAL, source)
        self.out.append(digits)
        return taken

    def _read_roman(self, at: int) -> int:
        """Read a Roman numeral in capitals."""
        piece = self.text.pieces[at]
        value = read_roman(piece.text)
        if value is None or piece.elided:
            return 0
        if self.kind is TextKind.WORDS and len(piece.text) == len(self.text.pieces) == 1:
            return 0  # a letter that stands alone is a code, and numbers nothing
        role = find_role(self.text, at, self.vocabulary)
        if role is not WordRole.WORD:
            return self._refuse_undecided(piece, role)
        if len(piece.text) == 1 and piece.text != "I":
            self._say("LX727", piece, piece, quote_characters(piece.text), str(value))
        self.log.step(Action.NUMBERED, piece.text, str(value), _ORDINAL)
        self.out.append(str(value))
        return 1

    def _refuse_undecided(self, piece: Piece, role: WordRole) -> int:
        """Refuse a piece that may be a designation or a connective."""
        if role is not WordRole.UNDECIDED:
            return 0
        self._say("LX726", piece, piece, quote_characters(piece.text))
        return 1

    def _drop_connective(self, at: int) -> int:
        """Drop an article, preposition or conjunction, also of several words as "ainsi que"."""
        pieces = self.text.pieces
        longest = 0 if self.text.named else self.vocabulary.longest.get(pieces[at].key, 0)
        for count in range(min(longest, len(pieces) - at), 1, -1):
            chain = pieces[at : at + count]
            if " ".join(each.key for each in chain) in self.words.connectives:
                self._drop(self.log.clean[chain[0].start : chain[-1].end], "connectives")
                return count
        piece = pieces[at]
        role = find_role(self.text, at, self.vocabulary)
        if role is not WordRole.CONNECTIVE:
            return self._refuse_undecided(piece, role)
        self._drop(piece.text + ("'" if piece.elided else ""), "connectives")
        return 1

    def _refuse_abbreviation(self, at: int) -> int:
        """Refuse an abbreviation or acronym that nobody has registered."""
        pieces, piece = self.text.pieces, self.text.pieces[at]
        if is_acronym(piece, self.text):
            self._say("LX721", piece, piece, quote_characters(piece.text), self._language)
            return 1
        count = 0 if self.text.named else count_unknown_abbreviation(pieces, at)
        # A dot after a whole word may end a sentence, if a capital or nothing follows.
        is_last = at + 1 == len(pieces) or pieces[at + 1].text[0].isupper()
        is_word = len(piece.text) >= _SHORTEST_SENTENCE_END and piece.text[1:].islower()
        if not count or (self.kind is TextKind.SENTENCE and is_last and is_word):
            return 0
        last = pieces[at + count - 1]
        before = self.log.clean[piece.start : last.end + last.dotted]
        self._say("LX720", piece, last, quote_characters(before), self._language)
        return count

    def _write_word(self, at: int) -> int:
        """Write a word as it is, its letters folded."""
        piece = self.text.pieces[at]
        lower = characters.lower_text(piece.text, self.words.language)
        folded = characters.write_word(lower, self.words.folds, self.mode)
        if self.mode is Mode.ASCII and "%" in folded:
            strange = characters.find_unwritable(lower, self.words.folds)
            if strange and all(found.code != "LX719" for found in self.log.findings):
                self._say("LX719", piece, piece, quote_characters(strange))
        action = Action.ENCODED if "%" in folded else Action.FOLDED
        self.log.step(action, lower, folded, "RFC 9676 §3.4")
        for entry in self.words.abbreviations.get(piece.key, ())[:1]:
            if entry.notation != piece.key:
                shown = quote_characters(piece.text), quote_characters(entry.notation)
                self._say("LX725", piece, piece, *shown)
        self.out.append(folded)
        return 1

    def _say(self, code: str, first: Piece, last: Piece, *values: str) -> None:
        self.log.say(code, *values, span=(first.start, last.end))

    def _drop(self, before: str, kind: str) -> None:
        """Add the step that drops words of one kind of the registry."""
        self.log.step(Action.DROPPED, before, "", _WORDS, self.vocabulary.source(kind))


def choose_entries(entries: Iterable[Entry], language: str) -> tuple[Entry, ...]:
    """Return those entries of one spelling that a text in a language means.

    Entries open for new names go before the obsolete ones, and those with a label in the language
    before the others: ``TF`` is the tribunal fédéral in French (RFC 9676 section 5.3).
    """
    found = tuple(entries)
    current = tuple(each for each in found if not each.obsolete) or found
    if len(current) < 2:  # nothing to choose from
        return current
    spoken = tuple(
        each
        for each in current
        if any(label.language.partition("-")[0] == language for label in each.labels)
    )
    return spoken or current


@lru_cache(maxsize=_MAX_PHRASES)
def look_up_phrase(
    text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    """Return words as a lexicon has them, else as `write_phrase` writes them, and their entry.

    The entry is None if the lexicon has none, or several of different issuers.
    """
    exact = lexicon.by_notation(text)
    clean = CleanText(text, field, None if exact else get_vocabulary(words).script)
    log: Log = clean
    if log.failed:
        return log.finish(), None
    named = choose_entries(exact or lexicon.find(clean.clean, words.language), words.language)
    if len({each.notation for each in named}) > 1:
        listed = ", ".join(f"{each.notation} ({each.iri})" for each in named)
        return log.refuse("LX723", quote_characters(text), listed), None
    if not named:
        log, found = Log(field, text), write_phrase(text, words, mode, field)
        if found.text is None:
            found = _read_seat(clean.clean, lexicon, words, mode, field) or found
        if found.text is None:
            return found, None
        in_ascii = write_phrase(text, words, Mode.ASCII, field).text or found.text
        named = choose_entries(lexicon.by_notation(in_ascii), words.language)
        if not named:
            log.say("LX724", quote_characters(text))
        log.take(found)
        if not named:
            return log.finish(found.text), None
    notation = write_notation(named[0], words, mode, field)
    if notation != text:
        log.step(Action.LOOKED_UP, text, notation, "RFC 9676 §4.1", named[0].iri)
    if len({(each.issuer, each.body) for each in named}) == 1:
        return log.finish(notation), named[0]
    log.say("LX736", quote_characters(notation))
    return log.finish(notation), None


def _read_seat(text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str) -> Written | None:
    """Return a registered acronym with words after it: one of many courts and its seat.

    The label begins as the acronym does. Another first letter is that of a whole country ("U.S.",
    which is the state).
    """
    pieces = text.split()
    for at in range(len(pieces) - 1, 0, -1):
        acronym = " ".join(pieces[:at])
        known = choose_entries(lexicon.find(acronym), words.language)
        if len({each.notation for each in known}) != 1:
            continue
        entry, first = known[0], make_key(acronym)[:1]
        is_kind = entry.issuer is None and entry.body is None and ";" not in entry.notation
        if is_kind and any(make_key(label.text)[:1] == first for label in entry.labels):
            rest = write_phrase(" ".join(pieces[at:]), words, mode, field)
            if not rest.text:
                return None
            kind = write_notation(entry, words, mode, field)
            step = Step(field, Action.EXPANDED, acronym, kind, "RFC 9676 §4.2", entry.iri)
            return Written(f"{kind}.{rest.text}", (step, *rest.steps), rest.findings)
    return None


def write_notation(entry: Entry, words: Words, mode: Mode, field: str) -> str:
    """Return the notation, in UTF-8 the label that it is made from, if there is one."""
    if mode is Mode.ASCII:
        return entry.notation
    for label in entry.labels:
        is_own = label.language == "" or label.language.partition("-")[0] == words.language
        if is_own and is_whole_label(label, entry, words, field):
            return write_phrase(label.text, words, mode, field).text or entry.notation
    return entry.notation


def is_whole_label(label: Label, entry: Entry, words: Words, field: str) -> bool:
    """Return True if the notation of an entry is a label in ASCII, with nothing left out.

    A label in a script without a mapping to ASCII has the mapping that the registry states: a form
    in Latin letters (``ja-Latn``).
    """
    written = write_phrase(label.text, words, Mode.ASCII, field).text
    if written is None or "%" not in written:
        return written == entry.notation
    latin = f"{label.language.partition('-')[0]}-latn"
    forms = (each.text for each in entry.forms if each.language == latin)
    return any(
        write_phrase(each, words, Mode.ASCII, field).text == entry.notation for each in forms
    )
