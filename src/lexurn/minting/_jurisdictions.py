"""The jurisdiction: its code and units (RFC 9676 sections 2.1, 2.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from lexurn.minting._phrase import look_up
from lexurn.minting._steps import Action

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft

__all__ = ["code_of", "units_of"]

_CODE = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_FIELD = "jurisdiction"
_SHORTEST = 2


def code_of(draft: Draft) -> str | None:
    """The jurisdiction-code as a name has it; None where there is none, or it is no code."""
    text = (draft.given.jurisdiction or "").partition(";")[0].strip()
    if not text:
        draft.say("LX702", _FIELD)
        return None
    lowered = text.lower()
    code = lowered if lowered.isascii() else quote(lowered)
    if len(text) < _SHORTEST or (lowered.isascii() and not _CODE.fullmatch(lowered)):
        draft.say("LX772", _FIELD, text, value=text)
        return None
    if code != text:
        draft.step(_FIELD, Action.LOWERED, text, code, "RFC 9676 §3.3", None)
    return code


def units_of(draft: Draft, context: Context) -> str | None:
    """The units behind the code, each with its ``;``; "" where there are none."""
    _, _, behind = (draft.given.jurisdiction or "").partition(";")
    given = (*(piece.strip() for piece in behind.split(";") if piece.strip()), *draft.given.units)
    found = ""
    for text in given:
        written = _unit(draft, context, found.removeprefix(";"), text)
        if written is None:
            return None
        found += ";" + written
    return found


def _unit(draft: Draft, context: Context, within: str, text: str) -> str | None:
    """One unit within those before it: registered there, or written by rule."""
    units = context.law.units
    before = f"{within};" if within else ""
    found = (*units.find(text), *units.by_notation(before + text.lower()))
    known = {each.notation: each for each in found if _within(each.notation, within)}
    if len(known) == 1:
        notation, entry = known.popitem()
        written = notation.removeprefix(before)
        draft.step("units", Action.LOOKED_UP, text, written, "RFC 9676 §2.1", entry.iri)
        return written
    return draft.take(look_up(text, type(units)(()), context.words, context.mode, "units")[0])


def _within(notation: str, within: str) -> bool:
    """Whether a unit lies directly in another; in the jurisdiction itself for ""."""
    return notation.rpartition(";")[0] == within
