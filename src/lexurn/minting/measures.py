"""Measures: the registered type, its issuer and body, its subject (RFC 9676 section 6.2).

A type of measure may name its issuer ("legge regionale", "D.P.R.", "Deliberazione CdA"). These
words belong to the authority (6.2.1), and are moved or dropped by the registry. The registry also
lists the types that a subject specifies ("regulations;accounting"), and the nouns that open their
titles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.minting.draft import Action, Mode
from lexurn.minting.phrases import (
    TextKind,
    choose_entries,
    look_up_phrase,
    write_notation,
    write_phrase,
)
from lexurn.registry import ANY_ISSUER, find_stated_issuer, make_key

if TYPE_CHECKING:
    from lexurn.minting.draft import Context, Draft
    from lexurn.registry import Entry, StatedIssuer

_MEASURE_FIELD = "measure"
_MEASURE_RULE = "RFC 9676 §6.2.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Type of measure as a name has it, with its entry in the registry.

    Attributes:
        text: the type; registered specifications behind ``;``.
        entry: the registry's entry, or None.
        issuer: the notation of the authority that the words of the measure name; or None.
        body: the notation of the body that they name; or None.
        qualified: words that only describe the kind of issuer, which must then be given; or None.
        stated: the issuers that fit the words; it is compared with the one that was given.
    """

    text: str
    entry: Entry | None = None
    issuer: str | None = None
    body: str | None = None
    qualified: str | None = None
    stated: StatedIssuer = ANY_ISSUER


def write_measure(draft: Draft, authority: str | None) -> Measure | None:
    """Return the measure, None if it is absent or cannot be read.

    The authority, in ASCII, decides among types of one spelling.
    """
    text = draft.given.measure
    if text is None:
        draft.say("LX702", _MEASURE_FIELD)
        return None
    entry = _choose_type(text, draft.context, authority)
    found = None
    if entry is not None:
        found = _write_registered(draft, text, entry)
    elif (found := _split_measure(draft, text, authority)) is None:
        where = draft.law.measures, draft.words, draft.mode
        written, entry = look_up_phrase(text, *where, _MEASURE_FIELD)
        if (notation := draft.take(written)) is not None:
            found = Measure(text=notation, entry=entry, body=entry.body if entry else None)
    if found is None or authority is None:
        return found
    # The registered words, all or the first, state an issuer.
    words = text.split()
    heads = (" ".join(words[:at]) for at in range(len(words), 0, -1))
    known = filter(None, (_choose_type(head, draft.context, authority) for head in heads))
    stated = find_stated_issuer(next(known, None), text, draft.context.registry, draft.law.code)
    return replace(found, stated=stated)


def _choose_type(text: str, context: Context, authority: str | None) -> Entry | None:
    """Return the one registered type of these words; among several, that of the issuer."""
    found = choose_entries(context.law.measures.find(text), context.words.language)
    if len(found) > 1:
        found = tuple(each for each in found if each.issuer == authority) or found
    if len({(each.notation, each.issuer, each.body) for each in found}) == 1:
        return found[0]
    return None


def _write_registered(draft: Draft, text: str, entry: Entry) -> Measure:
    written = write_notation(entry, draft.words, draft.mode, _MEASURE_FIELD)
    draft.step(_MEASURE_FIELD, Action.LOOKED_UP, text, written, _MEASURE_RULE, entry.iri)
    return Measure(text=written, entry=entry, body=entry.body)


def _split_measure(draft: Draft, text: str, authority: str | None) -> Measure | None:
    """Split a measure into a registered type and the words for its issuer, or return None.

    These words are an adjective of the issuer, a body, or an authority.
    """
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        head, rest = " ".join(words[:at]), " ".join(words[at:])
        entry = _choose_type(head, draft.context, authority)
        if entry is not None:
            break
    else:
        return None
    institutions = draft.words.qualifiers.get(make_key(rest))
    if institutions is not None:
        if authority is not None and re.split("[;+.]", authority)[0] not in institutions:
            return None
        draft.step(_MEASURE_FIELD, Action.DROPPED, rest, "", _MEASURE_RULE)
        return replace(_write_registered(draft, head, entry), qualified=rest)
    key = write_phrase(rest, draft.words, Mode.ASCII, _MEASURE_FIELD).text or ""
    for role, lexicon in (("body", draft.law.bodies), ("issuer", draft.law.authorities)):
        named = lexicon.find(rest) or lexicon.by_notation(key)
        if named:
            notation, iri = named[0].notation, named[0].iri
            draft.step("authority", Action.READ, rest, notation, _MEASURE_RULE, iri)
            measure = _write_registered(draft, head, entry)
            return replace(measure, **{role: notation})  # type: ignore[arg-type]  # text fields
    return None


_SUBJECT_RULE = "RFC 9676 §6.2.2"
_TITLE_FIELD = "title"
_ENDED = re.compile(r"\.\s|[;:(]")
_WORD = re.compile(r"[^\s,]+")
#: A title is cut at what is longer than any subject that is cited by its words.
_LONGEST = 8


def read_subject(draft: Draft, entry: Entry, issuers: tuple[Entry, ...]) -> str:
    """Return the specification that a title gives, as a name has it; "" if it gives none.

    The type of measure, the issuer's own name and the nouns listed as ``title-heads`` are dropped
    from the title. A word listed in ``title-ends`` ends the subject. A title that opens with
    neither the type nor such a noun states no subject that can be told from the rest.
    """
    title = draft.given.title
    if title is None:
        return ""
    body = _ENDED.split(title.strip(), maxsplit=1)[0]
    behind, found = _drop_head(body, draft.context, entry), None
    if behind is not None:
        while behind is not None:
            body, behind = behind, _drop_head(behind, draft.context, entry)
        ends = _list_convention(draft.context, "title-ends")
        end = next((word for word in _WORD.finditer(body) if make_key(word[0]) in ends), None)
        subject = _drop_issuers(body[: end.start()] if end else body, draft.context, issuers)
        found = write_phrase(subject, draft.words, draft.mode, _TITLE_FIELD, TextKind.SENTENCE)
    if found is None or not found.text or found.text.count(".") >= _LONGEST:
        # Nobody asked for the subject, so an unreadable one keeps no name from being minted.
        draft.say("LX769", _TITLE_FIELD, title, entry.labels[0].text)
        return ""
    written = draft.take(found) or ""
    draft.step(_TITLE_FIELD, Action.READ, title, written, _SUBJECT_RULE, entry.iri)
    return written


def _drop_head(text: str, context: Context, entry: Entry) -> str | None:
    """Return the title behind the type or a listed noun, with its connectives; or None."""
    words = list(_WORD.finditer(text))
    heads = set(_list_convention(context, "title-heads"))
    heads.update(make_key(form.text) for form in (*entry.labels, *entry.forms))
    start = _skip_connectives(words, 0, context)
    for end in range(min(start + 3, len(words)), start, -1):
        if " ".join(make_key(word[0]) for word in words[start:end]) in heads:
            at = _skip_connectives(words, end, context)
            return text[words[at].start() :] if at < len(words) else ""
    return None


def _skip_connectives(words: list[re.Match[str]], at: int, context: Context) -> int:
    while at < len(words) and make_key(words[at][0]) in context.words.connectives:
        at += 1
    return at


def _drop_issuers(text: str, context: Context, issuers: tuple[Entry, ...]) -> str:
    """Return the text without the issuer's name or acronym at its end."""
    forms = (form for each in issuers for form in (*each.labels, *each.forms, *each.abbreviations))
    names = {make_key(form.text) for form in forms}
    words = list(_WORD.finditer(text))
    for at in range(len(words)):
        start = _skip_connectives(words, at, context)
        if make_key(text[words[start if start < len(words) else at].start() :]) in names:
            return text[: words[at].start()]
    return text


def _list_convention(context: Context, convention: str) -> tuple[str, ...]:
    """Return the words of a convention: keys, with ``.`` for a blank within one."""
    listed = context.law.conventions.get(convention, "")
    return tuple(each.replace(".", " ") for each in listed.split())
