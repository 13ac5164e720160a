"""What an act is about, from its title: the specification of types that are told by subject.

RFC 9676 section 6.2.2 ("regulations;accounting"). The registry says which types those are, and by
which nouns a title speaks of what is done to a subject rather than of the subject.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting._phrase import specification
from lexurn.minting._steps import Action
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.minting._draft import Context, Draft
    from lexurn.registry import Entry

__all__ = ["subject_of"]

_RULE = "RFC 9676 §6.2.2"
_FIELD = "title"
_ENDED = re.compile(r"\.\s|[;:(]")
_WORD = re.compile(r"[^\s,]+")
#: A title is cut at what is longer than any subject that is cited by its words.
_LONGEST = 8


def subject_of(draft: Draft, context: Context, entry: Entry, issuers: tuple[Entry, ...]) -> str:
    """The specification that a title gives, as a name has it; "" where it gives none.

    The type of measure and the issuer's own name are dropped from the title, and so are the nouns
    in front that the registry lists as ``title-heads``; what stands behind one of its
    ``title-ends`` is no longer the subject. A title without the type of measure or such a noun in
    front states no subject that could be told from the rest.
    """
    title = draft.given.title
    if title is None:
        return ""
    first = _ENDED.split(title.strip(), maxsplit=1)[0]
    body = _without_heads(first, context, entry)
    if body is None:
        draft.say("LX769", _FIELD, title, value=entry.labels[0].text)
        return ""
    subject = _without_issuers(_cut(body, context), context, issuers)
    found = specification(subject, context.words, context.mode, _FIELD)
    if not found.text or found.text.count(".") >= _LONGEST:
        # Nobody asked for the subject: what cannot be read of it keeps no name from being minted.
        draft.say("LX769", _FIELD, title, value=entry.labels[0].text)
        return ""
    written = draft.take(found) or ""
    draft.step(_FIELD, Action.READ, title, written, _RULE, entry.iri)
    return written


def _without_heads(text: str, context: Context, entry: Entry) -> str | None:
    """The title behind the type of measure and its listed nouns; None where it has none of them."""
    rest = text
    dropped = False
    while True:
        behind = _behind_head(rest, context, entry)
        if behind is None:
            return rest if dropped else None
        rest, dropped = behind, True


def _behind_head(text: str, context: Context, entry: Entry) -> str | None:
    """What stands behind one head and the connectives that follow it."""
    words = list(_WORD.finditer(text))
    heads = set(_listed(context, "title-heads"))
    heads.update(key_of(form.text) for form in (*entry.labels, *entry.forms))
    start = _first_not_connective(words, 0, context)
    for length in (3, 2, 1):
        end = start + length
        key = " ".join(key_of(word[0]) for word in words[start:end])
        if end <= len(words) and key in heads:
            at = _first_not_connective(words, end, context)
            return text[words[at].start() :] if at < len(words) else ""
    return None


def _first_not_connective(words: list[re.Match[str]], at: int, context: Context) -> int:
    while at < len(words) and key_of(words[at][0]) in context.words.connectives:
        at += 1
    return at


def _cut(text: str, context: Context) -> str:
    """The text before the first word that ends a subject."""
    ends = set(_listed(context, "title-ends"))
    for word in _WORD.finditer(text):
        if key_of(word[0]) in ends:
            return text[: word.start()]
    return text


def _without_issuers(text: str, context: Context, issuers: tuple[Entry, ...]) -> str:
    """The text without the issuer's name or acronym at its end."""
    names = {key_of(form) for issuer in issuers for form in _forms(issuer)}
    words = list(_WORD.finditer(text))
    for at in range(len(words)):
        rest = text[words[at].start() :]
        start = _first_not_connective(words, at, context)
        if key_of(text[words[start].start() :] if start < len(words) else rest) in names:
            return text[: words[at].start()]
    return text


def _forms(entry: Entry) -> Iterator[str]:
    for form in (*entry.labels, *entry.forms, *entry.abbreviations):
        yield form.text


def _listed(context: Context, convention: str) -> tuple[str, ...]:
    """The words of a convention: keys, blanks between them, ``.`` within one of several words."""
    listed = context.law.conventions.get(convention, "")
    return tuple(each.replace(".", " ") for each in listed.split())
