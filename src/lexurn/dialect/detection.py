"""Detection of the dialect that a text is written in, with the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect.elements import FORM
from lexurn.dialect.lexml import has_draft_order
from lexurn.dialect.values import Detection, Dialect
from lexurn.name import LONGEST_NAME, NameSyntaxError, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = re.compile(r"(?:urn:(?:lex|nir):)+", re.IGNORECASE)
"""The prefix of a name, as often as it stands there."""
_BRAZIL = re.compile(r"(?:urn:lex:)+br[:;]", re.IGNORECASE)
_MARKS = (
    (re.compile(r"!"), '"!" before a partition'),
    (re.compile(r"@(?:data\.evento|inicio\.vigencia|multivigente|versao\.[a-z.]+)(?=[;~!]|$)"),
     "a keyword of LexML's versions"),
    (re.compile(r"[@;][0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9.]+"), "a time of day in the version"),
    (re.compile(r"@[0-9]{12}(?:[0-9]{2})?(?=[~!:;]|$)"), "a timestamp as version"),
    (re.compile(r":@"), "an empty annex before the version"),
)  # fmt: skip
_BRAZILIAN_MARKS = (
    (re.compile(r":(?:federal|estadual|municipal|distrital):"), "LexML's authority by convention"),
    (re.compile(r"(?<=;)(?:federal|estadual|municipal|distrital)(?=:)"),
     "LexML's authority by convention, in the jurisdiction"),
    (re.compile(r";seq-[a-z.]+-[0-9]+"), "LexML's number of an act without one"),
    (re.compile(r":[0-9]{4};"), "LexML's reference by year and number"),
    (re.compile(r"^(?:urn:lex:)+[^:@]*:[^:@,]*,"), "issuers that a comma joins"),
)  # fmt: skip
_TILDE = re.compile(r"~([^!?#]*)")
_MANIFESTATION = re.compile(r"\$([^~!?#]*)")


def find_form(text: str) -> re.Match[str] | None:
    """Form and language behind a ``~``, in a name of Brazil."""
    tilde = _TILDE.search(text)
    if tilde is None or not _BRAZIL.match(text):
        return None
    return tilde if FORM.fullmatch(tilde[1]) else None


def find_lexml_marks(text: str) -> Iterator[tuple[int, int, str]]:
    """What speaks for LexML: the place, and why."""
    if form := find_form(text):
        yield *form.span(), '"~" before a form and its language'
    rules = (*_MARKS, *_BRAZILIAN_MARKS) if _BRAZIL.match(text) else _MARKS
    for pattern, reason in rules:
        if found := pattern.search(text):
            yield *found.span(), reason


def detect(text: str) -> tuple[Detection, ...]:
    """Each dialect that a text can be read in, with the reason; the likeliest first.

    >>> [str(found.dialect) for found in detect("urn:lex:br:federal:lei:1990-07-11;8069!art2")]
    ['lexml']
    """
    prefix = PREFIX.match(text) if len(text) <= LONGEST_NAME else None
    if prefix is None:
        return ()
    if prefix[0][-4:-1].lower() == "nir":
        found = Detection(
            dialect=Dialect.NIR,
            reason='the namespace is "nir"',
            start=prefix.end() - 4,
            end=prefix.end() - 1,
        )
        return (found,)
    return (*_detect_lexml(text), *_detect_draft(text), *_detect_rfc(text))


def _detect_lexml(text: str) -> Iterator[Detection]:
    for start, end, reason in find_lexml_marks(text):
        yield Detection(dialect=Dialect.LEXML, reason=reason, start=start, end=end)
        return


def _detect_draft(text: str) -> Iterator[Detection]:
    found = _MANIFESTATION.search(text)
    if found and has_draft_order(found[1]):
        yield Detection(
            dialect=Dialect.DRAFT,
            reason="the format stands before the editor",
            start=found.start(1),
            end=found.end(1),
        )


def _detect_rfc(text: str) -> Iterator[Detection]:
    try:
        parse(text)
    except NameSyntaxError:
        return
    yield Detection(
        dialect=Dialect.RFC9676, reason="it is a name by RFC 9676", start=0, end=len(text)
    )
