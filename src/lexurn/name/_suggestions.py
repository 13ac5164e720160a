"""Suggestions: a whole name with all that is certain repaired, held to the same reading again.

Errors get the name with the errors repaired; warnings the name with everything repaired. No
suggestion is made that is not valid, or that would be warned of for the same reason again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.name._codes import Fault, Fix
    from lexurn.name._findings import Reading

__all__ = ["Judged", "suggested"]

# What a judge says of a text: the canonical text with components, None if invalid, and the faults,
# first those that are errors in the reading, then the others.
Judged = tuple[str | None, "Sequence[Fault]", "Sequence[Fault]"]

_ROUNDS = 4
_WRAPPED = re.compile(r"[ \t]*[\r\n][ \t\r\n]*")
# The partition of LexML Brasil (``!art5_par2``), where section 5.8 has "~".
_LEXML_PARTITION = re.compile(r"([^!~?#]+)!([a-z]{3}[0-9]*(?:[_;.-][a-z]{3}[0-9]*)*)")


def suggested(
    judged: Judged, text: str, judge: Callable[[str], Judged]
) -> Callable[[Fault], str | None]:
    """What to suggest for each fault of a text that has been judged."""
    _, errors, others = judged
    if not errors and all(fault.fix is None for fault in others):
        return lambda _: None
    mended = _valid(text, judged, judge, everything=False) if errors else None
    improved = None
    if any(fault.fix is not None for fault in others) and (mended or not errors):
        improved = _valid(text, judged, judge, everything=True)
    failing = frozenset(errors)

    def suggestion(fault: Fault) -> str | None:
        if fault in failing:
            return mended and mended[0]
        if fault.fix is None or improved is None or fault.code in improved[1]:
            return None
        return improved[0]

    return suggestion


def _valid(
    text: str, judged: Judged, judge: Callable[[str], Judged], *, everything: bool
) -> tuple[str, frozenset[str]] | None:
    """A valid name made of a text by repairs, and the codes of what is still said of it."""
    for _ in range(_ROUNDS):
        name, errors, others = judged
        unwrapped = _unwrapped(text) if errors else text
        if unwrapped != text:
            text = unwrapped
        else:
            faults = (*errors, *others) if everything else errors
            if any(fault.fix is None for fault in errors):
                return None
            repaired = _applied(text, [fault.fix for fault in faults if fault.fix is not None])
            if repaired == text:
                return name and (name, frozenset(fault.code for fault in others))
            text = repaired
        judged = judge(text)
        if judged[0] is not None and not everything:
            break
    name, _, others = judged
    return name and (name, frozenset(fault.code for fault in others))


def _unwrapped(text: str) -> str:
    """A text without white space around it, without line breaks, with ``~`` for LexML's ``!``."""
    text = _WRAPPED.sub("", text.strip())
    match = _LEXML_PARTITION.fullmatch(text)
    return f"{match[1]}~{match[2]}" if match else text


def _applied(text: str, fixes: Sequence[Fix]) -> str:
    """The text with the repairs made; of two that overlap, the one that starts first."""
    pieces, at = [], 0
    for fix in sorted(set(fixes), key=lambda fix: (fix.start, -fix.end)):
        if fix.start < at:
            continue
        pieces += [text[at : fix.start], fix.text]
        at = fix.end
    return "".join((*pieces, text[at:]))
