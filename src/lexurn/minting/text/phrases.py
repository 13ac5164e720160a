"""Phrases: institutions, measures and subjects as names have them (RFC 9676 sections 3.5, 4)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.minting.metadata import Mode, make_field_finding
from lexurn.minting.steps import Action, Written, make_step
from lexurn.minting.text.abbreviations import (
    count_unknown_abbreviation,
    find_abbreviation,
    find_undotted_abbreviation,
    is_acronym,
    is_explained_acronym,
)
from lexurn.minting.text.cleaning import clean_text, quote_characters
from lexurn.minting.text.letters import find_unwritable, lower_text, write_word
from lexurn.minting.text.ordinals import read_ordinal, read_ordinal_words, read_roman
from lexurn.minting.text.words import WordRole, find_role, get_vocabulary, is_name_form, split_text
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.findings import Finding
    from lexurn.minting.steps import Step
    from lexurn.minting.text.cleaning import CleanText
    from lexurn.minting.text.words import Piece, Vocabulary
    from lexurn.registry import Entry, Lexicon, Words


def choose_entries(entries: Iterable[Entry], language: str) -> tuple[Entry, ...]:
    """Return the entries that a text in a language means.

    Entries open for new names go before the obsolete ones, and those with a label in the language
    before the others: ``TF`` is the tribunal fédéral in French (RFC 9676 section 5.3).

    Args:
        entries: the entries of one spelling.
        language: the language of the words, a primary subtag.
    """
    found = tuple(entries)
    current = tuple(each for each in found if not each.obsolete) or found
    if len(current) < 2:  # noqa: PLR2004 - nothing to choose from
        return current
    spoken = tuple(
        each
        for each in current
        if any(label.language.partition("-")[0] == language for label in each.labels)
    )
    return spoken or current


_WORDS, _ABBREVIATED, _ORDINAL = "RFC 9676 §4.1", "RFC 9676 §3.5", "RFC 9676 §4.3"
_SHORTEST_SENTENCE_END = 4
_FEWEST_LETTERS = 3


class TextKind(StrEnum):
    """Kind of text that is read."""

    WORDS = "words"
    SENTENCE = "sentence"
    ANNEX = "annex"


def write_words(
    text: str, vocabulary: Vocabulary, mode: Mode, field: str, kind: TextKind
) -> Written:
    """Return the words of a text as a name has them; the vocabulary keeps the answer.

    Args:
        text: any text.
        vocabulary: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
        kind: the kind of text.
    """
    key = (text, mode, field, kind)
    kept = vocabulary.recall(key)
    if isinstance(kept, Written):
        return kept
    clean = clean_text(text, field, None if is_name_form(text) else vocabulary.script)
    if clean.failed:
        found = Written(text=None, steps=clean.steps, findings=clean.findings)
    else:
        reader = _PhraseReader(clean, vocabulary, mode, field, kind)
        found = reader.read().after(clean.steps, clean.findings)
    vocabulary.keep(key, found)
    return found


class _PhraseReader:
    """Reader of one text; collects words, steps and findings."""

    def __init__(
        self, clean: CleanText, vocabulary: Vocabulary, mode: Mode, field: str, kind: TextKind
    ) -> None:
        self.clean, self.vocabulary, self.mode = clean, vocabulary, mode
        self.field, self.kind, self.language = field, kind, vocabulary.words.language
        words = vocabulary.words
        elides = bool(words.elided) or not words.connectives
        self.text = split_text(clean.text, elides=elides)
        self.out: list[str] = []
        self.steps: list[Step] = []
        self.findings: list[Finding] = []

    def read(self) -> Written:
        """Return all words, or what keeps them from being written."""
        lower = lower_text(self.clean.text, self.language)
        if lower != self.clean.text:
            self._step(Action.LOWERED, self.clean.text, lower, "RFC 9676 §3.3")
        at = 0
        while at < len(self.text.pieces):
            at += self._read_piece(at)
        self._check_whole()
        failed = any(found.is_error for found in self.findings)
        joined = ".".join(self.out)
        if not failed and " ".join(self.out) != joined and not self.text.named:
            self._step(Action.JOINED, " ".join(self.out), joined, _WORDS)
        return Written(
            text=None if failed else joined,
            steps=tuple(self.steps),
            findings=tuple(self.findings),
        )

    def _read_piece(self, at: int) -> int:
        """Read what starts at a piece; return how many pieces it took."""
        return (
            self._expand(at)
            or self._drop_marker(at)
            or self._read_ordinal(at)
            or self._read_roman(at)
            or self._drop_connectives(at)
            or self._drop_connective(at)
            or self._refuse_abbreviation(at)
            or self._write_word(at)
        )

    def _expand(self, at: int) -> int:
        """Expand an abbreviation or acronym that the registry knows."""
        piece = self.text.pieces[at]
        if piece.elided and piece.key in self.vocabulary.words.connectives:
            return 0
        annexes = self.kind is TextKind.ANNEX
        found = find_abbreviation(self.text, at, self.vocabulary, annexes=annexes)
        if found is None:
            return 0
        last = self.text.pieces[at + found.taken - 1]
        before = self.clean.text[piece.start : last.end + last.dotted]
        notations = [entry.notation for entry in found.entries]
        if len(notations) > 1:
            self._say("LX722", piece, last, quote_characters(before), " / ".join(notations))
            return found.taken
        rule = _ABBREVIATED if "." in before else "RFC 9676 §4.2"
        self._step(Action.EXPANDED, before, notations[0], rule, found.entries[0].iri)
        self.out += notations[0].split(".")
        return found.taken

    def _drop_marker(self, at: int) -> int:
        """Drop what stands before a number, as "n." in "annex n. 1"."""
        piece, *others = self.text.pieces[at : at + 2]
        if not others or not others[0].text[0].isdigit():
            return 0
        if self.text.named or piece.key not in self.vocabulary.words.markers:
            return 0
        before = self.clean.text[piece.start : piece.end + piece.dotted]
        self._step(Action.DROPPED, before, "", _WORDS, self.vocabulary.source("markers"))
        return 1

    def _read_ordinal(self, at: int) -> int:
        """Read an ordinal in digits or in words."""
        pieces, source = self.text.pieces, None
        designates = at > 0 and pieces[at - 1].key in self.vocabulary.designators
        # A name has had its ordinals turned to digits; what looks like one there ("0a") is none.
        named = self.text.named
        found = None if named else read_ordinal(pieces, at, self.language, designates=designates)
        if found is None and not pieces[at].elided:
            found = read_ordinal_words(pieces, at, self.vocabulary)
            source = self.vocabulary.source("ordinals")
        if found is None:
            return 0
        first, last = pieces[at], pieces[at + found.taken - 1]
        before = self.clean.text[first.start : last.end + last.signed]
        self._step(Action.NUMBERED, before, found.digits, _ORDINAL, source)
        self.out.append(found.digits)
        return found.taken

    def _read_roman(self, at: int) -> int:
        """Read a Roman numeral in capitals."""
        piece = self.text.pieces[at]
        value = read_roman(piece.text)
        if value is None or piece.elided:
            return 0
        role = find_role(self.text, at, self.vocabulary)
        if role is not WordRole.WORD:
            return self._refuse_undecided(piece, role)
        if len(piece.text) == 1 and piece.text != "I":
            self._say("LX727", piece, piece, quote_characters(piece.text), str(value))
        self._step(Action.NUMBERED, piece.text, str(value), _ORDINAL)
        self.out.append(str(value))
        return 1

    def _refuse_undecided(self, piece: Piece, role: WordRole) -> int:
        """Refuse a piece that may be a designation or a connective."""
        if role is not WordRole.UNDECIDED:
            return 0
        self._say("LX726", piece, piece, quote_characters(piece.text))
        return 1

    def _drop_connectives(self, at: int) -> int:
        """Drop a connective of several words, as "ainsi que"."""
        pieces = self.text.pieces
        longest = 0 if self.text.named else self.vocabulary.connected.get(pieces[at].key, 0)
        for count in range(min(longest, len(pieces) - at), 1, -1):
            chain = pieces[at : at + count]
            if " ".join(each.key for each in chain) in self.vocabulary.words.connectives:
                before = self.clean.text[chain[0].start : chain[-1].end]
                source = self.vocabulary.source("connectives")
                self._step(Action.DROPPED, before, "", _WORDS, source)
                return count
        return 0

    def _drop_connective(self, at: int) -> int:
        """Drop an article, preposition or conjunction."""
        piece = self.text.pieces[at]
        role = find_role(self.text, at, self.vocabulary)
        if role is not WordRole.CONNECTIVE:
            return self._refuse_undecided(piece, role)
        before = piece.text + ("'" if piece.elided else "")
        source = self.vocabulary.source("connectives")
        self._step(Action.DROPPED, before, "", _WORDS, source)
        return 1

    def _refuse_abbreviation(self, at: int) -> int:
        """Refuse an abbreviation or acronym that nobody has registered."""
        piece = self.text.pieces[at]
        language = self.language or "und"
        if is_acronym(piece, self.text):
            before = self.clean.text[piece.start - 1 : piece.start]
            if is_explained_acronym(self.text.pieces, at, before):
                self._step(Action.DROPPED, f"({piece.text})", "", "RFC 9676 §4.2")
            else:
                self._say("LX721", piece, piece, quote_characters(piece.text), language)
            return 1
        count = 0 if self.text.named else count_unknown_abbreviation(self.text.pieces, at)
        if not count or (self.kind is TextKind.SENTENCE and self._ends_sentence(at)):
            return 0
        last = self.text.pieces[at + count - 1]
        before = self.clean.text[piece.start : last.end + last.dotted]
        self._say("LX720", piece, last, quote_characters(before), language)
        return count

    def _ends_sentence(self, at: int) -> bool:
        """Return whether a dot ends a sentence: behind a whole word, with a capital behind it."""
        piece = self.text.pieces[at]
        following = self.text.pieces[at + 1 : at + 2]
        starts = not following or following[0].text[0].isupper()
        return starts and len(piece.text) >= _SHORTEST_SENTENCE_END and piece.text[1:].islower()

    def _write_word(self, at: int) -> int:
        """Write a word as it is, its letters folded."""
        piece = self.text.pieces[at]
        folds = self.vocabulary.words.folds
        lower = lower_text(piece.text, self.language)
        folded = write_word(lower, folds, self.mode)
        if self.mode is Mode.ASCII and not lower.isascii():
            strange = find_unwritable(lower, folds) or (lower if not folded else None)
            if strange:
                self._say("LX719", piece, piece, quote_characters(strange))
                return 1
        if folded != lower:
            action = Action.FOLDED if self.mode is Mode.ASCII else Action.ENCODED
            self._step(action, lower, folded, "RFC 9676 §3.4")
        entry = find_undotted_abbreviation(piece, self.vocabulary)
        if entry is not None:
            shown = quote_characters(piece.text), quote_characters(entry.notation)
            self._say("LX725", piece, piece, *shown)
        self.out.append(folded)
        return 1

    def _check_whole(self) -> None:
        """Refuse a text of which nothing is left, or nothing but the letters of an acronym."""
        if any(found.is_error for found in self.findings):
            return
        shown = quote_characters(self.clean.given)
        place = self.clean.place(self.field, 0, len(self.clean.text))
        letters = all(len(each) == 1 and each.isalpha() for each in self.out)
        if not self.out:
            self.findings.append(place.make_finding("LX711", shown))
        elif len(self.out) >= _FEWEST_LETTERS and letters:
            self.findings.append(place.make_finding("LX721", shown, self.language or "und"))

    def _say(self, code: str, first: Piece, last: Piece, *values: str) -> None:
        place = self.clean.place(self.field, first.start, last.end)
        self.findings.append(place.make_finding(code, *values))

    def _step(
        self, action: Action, before: str, after: str, rule: str, source: str | None = None
    ) -> None:
        self.steps.append(make_step(self.field, action, before, after, rule, source))


def write_phrase(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Return words as a name has them, joined by dots.

    Connectives, punctuation and special characters are dropped, and single letters that designate
    are kept. Abbreviations and acronyms are expanded by the registry or refused. Ordinals become
    Arabic digits. A text in the form of a part of a name stays.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.

    Returns:
        The words with each step; no text where a finding is an error.
    """
    return write_words(text, get_vocabulary(words), mode, field, TextKind.WORDS)


def write_specification(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Return a title or subject as `write_phrase` does, with dots that end sentences.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
    """
    return write_words(text, get_vocabulary(words), mode, field, TextKind.SENTENCE)


def write_annex_heading(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Return the heading of an annex as a name has it: "Annex 1/A" is ``annex.1.a``.

    It is written as `write_phrase` does, with abbreviations of annexes.

    Args:
        text: the heading.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
    """
    return write_words(text, get_vocabulary(words), mode, field, TextKind.ANNEX)


def look_up_phrase(
    text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    """Return words as the registry has them, else as `write_phrase` writes them.

    Args:
        text: any text.
        lexicon: the entries to look among.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.

    Returns:
        What they became, and the one entry they mean; None where the registry has none, or
        several of different issuers.
    """
    vocabulary = get_vocabulary(words)
    key = (look_up_phrase, text, id(lexicon), mode, field)
    kept = vocabulary.recall(key)
    if kept is not None and kept[0] is lexicon:  # type: ignore[index]  # by its key, what look_up kept
        return kept[1]  # type: ignore[index,no-any-return]  # as above
    found = _look_up(text, lexicon, words, mode, field)
    vocabulary.keep(key, (lexicon, found))
    return found


def _look_up(
    text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    shown = quote_characters(text)
    exact = lexicon.by_notation(text)
    clean = clean_text(text, field, None if exact else get_vocabulary(words).script)
    if clean.failed:
        return Written(text=None, steps=clean.steps, findings=clean.findings), None
    named = choose_entries(exact or lexicon.find(clean.text), words.language)
    if len({each.notation for each in named}) > 1:
        listed = ", ".join(f"{each.notation} ({each.iri})" for each in named)
        fault = make_field_finding("LX723", field, text, shown, listed)
        return Written(text=None, findings=(fault,)), None
    if named:
        registered, entry = _write_registered(text, named, words, mode, field)
        return registered.after(clean.steps, clean.findings), entry
    found = write_phrase(text, words, mode, field)
    if found.text is None:
        found = _read_seat(clean.text, lexicon, words, mode, field) or found
    if found.text is None:
        return found, None
    in_ascii = write_phrase(text, words, Mode.ASCII, field).text or found.text
    by_words = choose_entries(lexicon.by_notation(in_ascii), words.language)
    if by_words:
        registered, entry = _write_registered(text, by_words, words, mode, field)
        return registered.after(found.steps, found.findings), entry
    return found.after((), (make_field_finding("LX724", field, text, shown),)), None


def _read_seat(text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str) -> Written | None:
    """Return a registered acronym with words behind it: one of many courts and its seat."""
    pieces = text.split()
    for at in range(len(pieces) - 1, 0, -1):
        head = " ".join(pieces[:at])
        known = choose_entries(lexicon.find(head), words.language)
        if len({each.notation for each in known}) == 1 and _is_kind_of_institution(known[0], head):
            rest = write_phrase(" ".join(pieces[at:]), words, mode, field)
            kind = write_notation(known[0], words, mode, field)
            expanded = make_step(field, Action.EXPANDED, head, kind, "RFC 9676 §4.2", known[0].iri)
            whole = Written(text=rest.text and f"{kind}.{rest.text}", findings=rest.findings)
            return whole.after((expanded, *rest.steps)) if rest.text else None
    return None


def _is_kind_of_institution(entry: Entry, acronym: str) -> bool:
    """Return whether an entry is a kind of institution, and its label begins as the acronym does.

    Another first letter is that of a whole country ("U.S.", which is the state).
    """
    first = make_key(acronym)[:1]
    begins = any(first == make_key(label.text)[:1] for label in entry.labels)
    return begins and entry.issuer is None and entry.body is None and ";" not in entry.notation


def _write_registered(
    text: str, entries: tuple[Entry, ...], words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    """Return what entries of one notation make of some words."""
    entry = entries[0]
    notation = write_notation(entry, words, mode, field)
    steps: tuple[Step, ...] = ()
    if notation != text:
        steps = (make_step(field, Action.LOOKED_UP, text, notation, "RFC 9676 §4.1", entry.iri),)
    if len({(each.issuer, each.body) for each in entries}) == 1:
        return Written(text=notation, steps=steps), entry
    note = make_field_finding("LX736", field, text, quote_characters(notation))
    return Written(text=notation, steps=steps, findings=(note,)), None


def write_notation(entry: Entry, words: Words, mode: Mode, field: str) -> str:
    """Return the notation, in UTF-8 the label that it is made from, if there is one."""
    if mode is Mode.ASCII:
        return entry.notation
    for label in entry.labels:
        if label.language == "" or label.language.partition("-")[0] == words.language:
            encoded = write_phrase(label.text, words, mode, field).text
            plain = write_phrase(label.text, words, Mode.ASCII, field).text
            if encoded and plain == entry.notation:
                return encoded
    return entry.notation
