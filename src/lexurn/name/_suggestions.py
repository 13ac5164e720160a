"""Suggestions: a whole name with all that is certain repaired, held to the same reading again.

Errors get the name with the errors repaired; warnings the name with everything repaired. No
suggestion is made that is not valid, or that would be warned of for the same reason again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.name._codes import Fault

__all__ = ["Judged", "suggested"]


class Judged(NamedTuple):
    """What a reading says of a text.

    Attributes:
        name: the canonical text and its components, None if the text is invalid.
        errors: the faults that are errors in the reading.
        others: all other faults.
    """

    name: str | None
    errors: Sequence[Fault]
    others: Sequence[Fault]


_ROUNDS = 4
_WHITE = re.compile(r"[ \t\r\n]+")
# The partition of LexML Brasil (``!art5_par2``), where section 5.8 has "~".
_LEXML_PARTITION = re.compile(r"([^!~?#]+)!([a-z]{3}[0-9]*(?:[_;.-][a-z]{3}[0-9]*)*)")


def suggested(
    judged: Judged, text: str, judge: Callable[[str], Judged]
) -> Callable[[Fault], str | None]:
    """What to suggest for each fault of a text that has been judged."""
    failing = frozenset(judged.errors)
    mended = _mended(text, judged, judge) if failing else (text, judged)
    improved = _improved(*mended, judge) if mended and judged.others else None
    remaining = frozenset(fault.code for fault in improved.others) if improved else failing

    def suggestion(fault: Fault) -> str | None:
        if fault in failing:
            return mended and mended[1].name
        if fault.fix is None or improved is None or fault.code in remaining:
            return None
        return improved.name

    return suggestion


def _mended(text: str, judged: Judged, judge: Callable[[str], Judged]) -> tuple[str, Judged] | None:
    """The text with its errors repaired; what one repair uncovers, the next round repairs."""
    for _ in range(_ROUNDS):
        repaired = _unwrapped(text)
        if repaired == text:
            if any(fault.fix is None for fault in judged.errors):
                return None
            repaired = _applied(text, judged.errors)
        text, judged = repaired, judge(repaired)
        if judged.name is not None:
            return text, judged
    return None


def _improved(text: str, judged: Judged, judge: Callable[[str], Judged]) -> Judged | None:
    """What is said of a valid text when all that can be repaired is."""
    for _ in range(_ROUNDS):
        repaired = _applied(text, judged.others)
        if repaired == text:
            break
        text, judged = repaired, judge(repaired)
        if judged.name is None:
            return None
    return judged


def _unwrapped(text: str) -> str:
    """A text without white space around it, without line breaks, with ``~`` for LexML's ``!``."""
    text = _WHITE.sub(_without_break, text.strip())
    match = _LEXML_PARTITION.fullmatch(text)
    return f"{match[1]}~{match[2]}" if match else text


def _without_break(white: re.Match[str]) -> str:
    """White space, nothing in its place where it breaks a line."""
    return "" if "\n" in white[0] or "\r" in white[0] else white[0]


def _applied(text: str, faults: Sequence[Fault]) -> str:
    """The text with the repairs made; of two that overlap, the one that starts first."""
    fixes = {fault.fix for fault in faults if fault.fix is not None}
    pieces, at = [], 0
    for fix in sorted(fixes, key=lambda fix: (fix.start, -fix.end)):
        if fix.start >= at:
            pieces += [text[at : fix.start], fix.text]
            at = fix.end
    return "".join((*pieces, text[at:]))
