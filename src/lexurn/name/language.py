"""Language tags: their grammar (RFC 5646), their registry, and the tags of expressions.

RFC 9676 section 8 prints ``2*3alfa *["-" extlang] / 4*8alfa``; section 5.6 refers to RFC 5646,
whose tags have scripts, regions and more. An unregistered subtag is a warning, never an error.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from lexurn.data import load_table
from lexurn.name.characters import Fault, Fix, Parsed, quote_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_LANGUAGE_TAG = re.compile(
    r"(?:(?P<language>[a-z]{2,3})(?P<extlangs>(?:-[a-z]{3}){0,3})|(?P<long>[a-z]{4,8}))"
    r"(?:-(?P<scripts>[a-z]{4}))?"
    r"(?:-(?P<regions>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"
    r"|x(?:-[a-z0-9]{1,8})+"
)
# The kind of the subtags in each group; kinds are named as in the table of the registry.
_GROUP_KINDS = (
    ("language", "languages"),
    ("long", "languages"),
    ("extlangs", "extlangs"),
    ("scripts", "scripts"),
    ("regions", "regions"),
    ("variants", "variants"),
)
_GRANDFATHERED = "grandfathered"
_PRIVATE_USE = re.compile(r"q[a-t][a-z]")
# The grammar of section 8, and its parts.
_PRINTED_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z]{3})*|[a-z]{4,8}")
_LETTERS = re.compile(r"[A-Za-z]{2,8}")
_LONGEST_CODE, _EXTLANG_LENGTH, _LONGEST_LANGUAGE = 3, 3, 8


def is_language_tag(tag: str) -> bool:
    """Return whether a tag, in lower case, is well-formed by RFC 5646 section 2.2.9."""
    return _LANGUAGE_TAG.fullmatch(tag) is not None or is_registered_subtag(tag, _GRANDFATHERED)


def is_registered_subtag(subtag: str, kind: str) -> bool:
    """Return whether the registry of RFC 5646 has a subtag.

    Args:
        subtag: the subtag in lower case.
        kind: ``languages``, ``extlangs``, ``scripts``, ``regions`` or ``variants``; for a whole
            tag ``grandfathered``.
    """
    entries, ranges = _load_subtags(kind)
    return subtag in entries or any(
        len(subtag) == len(first) and first <= subtag <= last for first, last in ranges
    )


@cache
def _load_subtags(kind: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Load the subtags of one kind, and the ranges for private use (``qaa..qtz``)."""
    entries = load_table("languages")[kind]
    ranges = (entry.partition("..") for entry in entries)
    return frozenset(entries), tuple((first, last) for first, dots, last in ranges if dots)


def split_language_tag(tag: str) -> Iterator[tuple[str, str, int]]:
    """Split a tag, in lower case, into the subtags of the registry: text, kind and offset each."""
    match = _LANGUAGE_TAG.fullmatch(tag) or _LANGUAGE_TAG.match(tag)
    if match is None:
        return
    for group, kind in _GROUP_KINDS:
        start = match.start(group)
        for subtag in (match[group] or "").split("-"):
            if subtag:
                yield subtag, kind, start
            start += len(subtag) + 1


def read_language(text: str) -> Parsed[str]:
    """Read the language tag of an expression; its value is in lower case."""
    written, colon, _ = text.partition(":")
    if not written:
        return Parsed(None, "", (Fault("LX201", "language", 0, 0),))
    tag = written.lower()
    printed, well_formed = _PRINTED_TAG.fullmatch(tag) is not None, is_language_tag(tag)
    if not printed and not well_formed:
        repair = tag.replace("_", "-")  # as programs write it
        fix = Fix(0, len(written), repair) if is_language_tag(repair) else None
        start, values = _find_unprinted(written), (quote_text(written),)
        return Parsed(None, text, (Fault("LX203", "language", start, len(written), values, fix),))
    if colon:
        return Parsed(None, text, (Fault("LX224", "language", len(written), len(text)),))
    faults = []
    if not printed:
        faults.append(Fault("LX204", "language", 0, len(tag), (quote_text(text),)))
    if not well_formed:
        faults.append(Fault("LX205", "language", 0, len(tag), (quote_text(text),)))
    return Parsed(tag, tag, (*faults, *_check_registry(tag)))


def _find_unprinted(text: str) -> int:
    """Return the offset of the first subtag outside section 8, or of its ninth letter."""
    first, *others = text.split("-")
    if not _LETTERS.fullmatch(first):
        is_too_long = first[_LONGEST_LANGUAGE:] and _LETTERS.fullmatch(first[:_LONGEST_LANGUAGE])
        return _LONGEST_LANGUAGE if is_too_long else 0
    start = len(first)
    if start > _LONGEST_CODE:
        return start
    for subtag in others:
        if len(subtag) != _EXTLANG_LENGTH or not _LETTERS.fullmatch(subtag):
            return start + 1
        start += len(subtag) + 1
    return start


def _check_registry(tag: str) -> Iterator[Fault]:
    """Find the first subtag that is not registered or is for private use."""
    if is_registered_subtag(tag, _GRANDFATHERED):
        return
    for subtag, kind, start in split_language_tag(tag):
        place = start, start + len(subtag)
        if not is_registered_subtag(subtag, kind):
            yield Fault("LX206", "language", *place, (quote_text(subtag),))
            return
        if _PRIVATE_USE.fullmatch(subtag) and kind == "languages":
            yield Fault("LX207", "language", *place, (quote_text(subtag),))
            return
