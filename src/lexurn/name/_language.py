"""Language tags of expressions (RFC 9676 section 5.6).

Section 8 prints ``2*3alfa *["-" extlang] / 4*8alfa``; section 5.6 refers to RFC 5646, whose tags
have scripts, regions and more. Whether a subtag is registered is a warning, never an error.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.name._characters import quoted
from lexurn.name._codes import Fault, Fix
from lexurn.name._leaf import Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_language"]

_SECTION_8 = re.compile(r"[a-z]{2,3}(?:-[a-z]{3})*|[a-z]{4,8}")
_RFC_5646 = re.compile(
    r"(?:(?P<language>[a-z]{2,3})(?P<extlangs>(?:-[a-z]{3}){0,3})|(?P<long>[a-z]{4,8}))"
    r"(?:-(?P<scripts>[a-z]{4}))?"
    r"(?:-(?P<regions>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"
    r"|x(?:-[a-z0-9]{1,8})+"
)
# The groups of a tag, and the kind of subtag that each holds.
_KINDS = (
    ("language", "languages"),
    ("long", "languages"),
    ("extlangs", "extlangs"),
    ("scripts", "scripts"),
    ("regions", "regions"),
    ("variants", "variants"),
)
_LETTERS = re.compile(r"[A-Za-z]{2,8}")
_SHORT, _EXTENDED, _LONGEST = 3, 3, 8
_RANGE = ".."
_PRIVATE = re.compile(r"q[a-t][a-z]")


def read_language(text: str) -> Parsed[str]:
    """Read a language tag; its value is in lower case."""
    written, colon, _ = text.partition(":")
    if not written:
        return Parsed(None, "", (Fault("LX201", "language", 0, 0),))
    tag = written.lower()
    printed, well_formed = _SECTION_8.fullmatch(tag) is not None, _is_well_formed(tag)
    if not printed and not well_formed:
        return Parsed(None, text, (_no_tag(written),))
    if colon:
        return Parsed(None, text, (Fault("LX224", "language", len(written), len(text)),))
    faults = []
    if not printed:
        faults.append(Fault("LX204", "language", 0, len(tag), (quoted(text),)))
    if not well_formed:
        faults.append(Fault("LX205", "language", 0, len(tag), (quoted(text),)))
    return Parsed(tag, tag, (*faults, *_registry_faults(tag)))


def _no_tag(text: str) -> Fault:
    """What is no tag; its place is where section 8 stops. Programs write ``_`` for ``-``."""
    repair = text.replace("_", "-").lower()
    fix = Fix(0, len(text), repair) if _is_well_formed(repair) else None
    return Fault("LX203", "language", _first_unprinted(text), len(text), (quoted(text),), fix)


def _first_unprinted(text: str) -> int:
    """Offset of the first subtag that section 8 has no room for, or of its ninth letter."""
    first, *others = text.split("-")
    if not _LETTERS.fullmatch(first):
        return _LONGEST if _LETTERS.fullmatch(first[:_LONGEST]) and first[_LONGEST:] else 0
    start = len(first)
    if start > _SHORT:
        return start
    for subtag in others:
        if len(subtag) != _EXTENDED or not _LETTERS.fullmatch(subtag):
            return start + 1
        start += len(subtag) + 1
    return start


@cache
def _registered(kind: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The registered subtags of one kind, and the ranges for private use (``qaa..qtz``)."""
    entries = data.table("languages")[kind]
    ranges = tuple(tuple(entry.split(_RANGE)) for entry in entries if _RANGE in entry)
    return frozenset(entries), ranges


def _is_registered(subtag: str, kind: str) -> bool:
    """Whether the registry of RFC 5646 has a subtag of this kind."""
    entries, ranges = _registered(kind)
    return subtag in entries or any(
        len(subtag) == len(first) and first <= subtag <= last for first, last in ranges
    )


def _is_well_formed(tag: str) -> bool:
    """Whether a tag, in lower case, is well-formed by RFC 5646 section 2.2.9."""
    return _RFC_5646.fullmatch(tag) is not None or _is_registered(tag, "grandfathered")


def _registry_faults(tag: str) -> Iterator[Fault]:
    """The first subtag of a tag that the registry does not have, or that is for private use."""
    if _is_registered(tag, "grandfathered"):
        return
    for subtag, kind, start in _subtags(tag):
        place = start, start + len(subtag)
        if not _is_registered(subtag, kind):
            yield Fault("LX206", "language", *place, (quoted(subtag),))
            return
        if _PRIVATE.fullmatch(subtag) and kind == "languages":
            yield Fault("LX207", "language", *place, (quoted(subtag),))
            return


def _subtags(tag: str) -> Iterator[tuple[str, str, int]]:
    """The subtags that the registry knows by kind, each with its offset."""
    match = _RFC_5646.fullmatch(tag) or _RFC_5646.match(tag)
    if match is None:
        return
    for group, kind in _KINDS:
        start = match.start(group)
        for subtag in (match[group] or "").split("-"):
            if subtag:
                yield subtag, kind, start
            start += len(subtag) + 1
