"""Words: the institutions, measures and subjects of a name (RFC 9676 sections 3.5, 4.1 to 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.minting._choice import meant
from lexurn.minting._steps import Action, Mode, Written
from lexurn.minting._text_cleaning import clean
from lexurn.minting._text_codes import Place, finding
from lexurn.minting._text_codes import step as step_of
from lexurn.minting._text_scripts import shown
from lexurn.minting._text_sentence import Manner, written
from lexurn.minting._text_vocabulary import vocabulary_of
from lexurn.registry import key_of

if TYPE_CHECKING:
    from lexurn.minting._steps import Step
    from lexurn.registry import Entry, Lexicon, Words

__all__ = ["look_up", "notation_of", "phrase", "specification"]


def phrase(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Words as a name has them, joined by dots.

    Connectives, punctuation and special characters are dropped, single letters that designate
    are kept, abbreviations and acronyms are expanded by the registry or refused, ordinals become
    Arabic digits where they stand. What has the form of a part of a name already stays.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.

    Returns:
        The words with each step; no text where a finding is an error.
    """
    return written(text, vocabulary_of(words), mode, field, Manner.WORDS)


def specification(text: str, words: Words, mode: Mode, field: str) -> Written:
    """As `phrase`, for titles and subjects: a dot behind a whole word ends a sentence.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
    """
    return written(text, vocabulary_of(words), mode, field, Manner.SENTENCE)


def look_up(
    text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    """Words as the registry has them, else as `phrase` writes them.

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
    vocabulary = vocabulary_of(words)
    key = (look_up, text, id(lexicon), mode, field)
    kept = vocabulary.recall(key)
    if kept is not None and kept[0] is lexicon:  # type: ignore[index]  # by its key, what look_up kept
        return kept[1]  # type: ignore[index,no-any-return]  # as above
    found = _looked_up(text, lexicon, words, mode, field)
    vocabulary.keep(key, (lexicon, found))
    return found


def _looked_up(
    text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    exact = lexicon.by_notation(text)
    cleaned = clean(text, field, None if exact else vocabulary_of(words).script)
    if cleaned.failed:
        return Written(text=None, steps=cleaned.steps, findings=cleaned.findings), None
    named = meant(exact or lexicon.find(cleaned.text), words.language)
    place = Place(field, text, 0, len(text))
    if len({each.notation for each in named}) > 1:
        listed = ", ".join(f"{each.notation} ({each.iri})" for each in named)
        return Written(text=None, findings=(finding("LX723", place, shown(text), listed),)), None
    if named:
        registered, entry = _registered(text, named, words, mode, field)
        return registered.after(cleaned.steps, cleaned.findings), entry
    found = phrase(text, words, mode, field)
    if found.text is None:
        found = _seated(cleaned.text, lexicon, words, mode, field) or found
    if found.text is None:
        return found, None
    same = lexicon.by_notation(_in_ascii(text, found.text, words, mode, field))
    by_words = meant(same, words.language)
    if by_words:
        registered, entry = _registered(text, by_words, words, mode, field)
        return registered.after(found.steps, found.findings), entry
    return found.after((), (finding("LX724", place, shown(text)),)), None


def _seated(text: str, lexicon: Lexicon, words: Words, mode: Mode, field: str) -> Written | None:
    """A registered acronym with words behind it: the one of many courts that sits there."""
    pieces = text.split()
    for at in range(len(pieces) - 1, 0, -1):
        head = " ".join(pieces[:at])
        known = meant(lexicon.find(head), words.language)
        if len({each.notation for each in known}) == 1 and _is_kind(known[0], head):
            rest = phrase(" ".join(pieces[at:]), words, mode, field)
            kind = notation_of(known[0], words, mode, field)
            expanded = step_of(field, Action.EXPANDED, head, kind, "RFC 9676 §4.2", known[0].iri)
            whole = Written(text=rest.text and f"{kind}.{rest.text}", findings=rest.findings)
            return whole.after((expanded, *rest.steps)) if rest.text else None
    return None


def _is_kind(entry: Entry, acronym: str) -> bool:
    """Whether an entry is nothing but its words, and the acronym begins as one of them does.

    What begins otherwise is the acronym of a whole country ("U.S.", which is the state).
    """
    first = key_of(acronym)[:1]
    begins = any(first == key_of(label.text)[:1] for label in entry.labels)
    return begins and entry.issuer is None and entry.body is None and ";" not in entry.notation


def _in_ascii(text: str, written_text: str, words: Words, mode: Mode, field: str) -> str:
    """The words in ASCII, as notations of the registry have them."""
    if mode is Mode.ASCII:
        return written_text
    return phrase(text, words, Mode.ASCII, field).text or written_text


def _registered(
    text: str, entries: tuple[Entry, ...], words: Words, mode: Mode, field: str
) -> tuple[Written, Entry | None]:
    """What entries of one notation make of some words."""
    entry = entries[0]
    notation = notation_of(entry, words, mode, field)
    steps: tuple[Step, ...] = ()
    if notation != text:
        steps = (step_of(field, Action.LOOKED_UP, text, notation, "RFC 9676 §4.1", entry.iri),)
    if len({(each.issuer, each.body) for each in entries}) > 1:
        place = Place(field, text, 0, len(text))
        note = finding("LX736", place, shown(notation))
        return Written(text=notation, steps=steps, findings=(note,)), None
    return Written(text=notation, steps=steps), entry


def notation_of(entry: Entry, words: Words, mode: Mode, field: str) -> str:
    """The notation; in UTF-8 the label that it is made from, where it is made from one."""
    if mode is Mode.ASCII:
        return entry.notation
    for label in entry.labels:
        if label.language in {"", words.language} or label.language.startswith(
            f"{words.language}-"
        ):
            encoded = phrase(label.text, words, mode, field)
            if phrase(label.text, words, Mode.ASCII, field).text == entry.notation and encoded.text:
                return encoded.text
    return entry.notation
