"""The jurisdiction: its code and units (RFC 9676 sections 2.1, 2.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting._choice import meant
from lexurn.minting._phrase import look_up
from lexurn.minting._steps import Action
from lexurn.registry import Lexicon

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft

__all__ = ["Units", "code_of", "units_of"]

_CODE = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_FIELD = "jurisdiction"
_SHORTEST = 2
_NONE = Lexicon()


def code_of(draft: Draft) -> str | None:
    """The jurisdiction-code as a name has it; None where there is none, or it is no code."""
    text = (draft.given.jurisdiction or "").partition(";")[0].strip()
    if not text:
        draft.say("LX702", _FIELD)
        return None
    lowered = text.lower()
    if len(text) < _SHORTEST or not _CODE.fullmatch(lowered):
        draft.say("LX772", _FIELD, text, value=text)
        return None
    if lowered != text:
        draft.step(_FIELD, Action.LOWERED, text, lowered, "RFC 9676 §3.3", None)
    return lowered


class Units(NamedTuple):
    """The units of a jurisdiction.

    Attributes:
        text: as they stand behind the code, each with its ``;``.
        issuer: the authority that acts of the last one have where none is given; None where the
            registry has none.
    """

    text: str
    issuer: str | None = None


def units_of(draft: Draft, context: Context) -> Units | None:
    """The units that are given, from the larger to the smaller; None where one cannot be read."""
    _, _, behind = (draft.given.jurisdiction or "").partition(";")
    given = (*(piece.strip() for piece in behind.split(";") if piece.strip()), *draft.given.units)
    units = Units("")
    for text in given:
        found = _unit(draft, context, units.text.removeprefix(";"), text)
        if found is None:
            return None
        units = Units(f"{units.text};{found.text}", found.issuer)
    return units


def _unit(draft: Draft, context: Context, within: str, text: str) -> Units | None:
    """One unit within those before it: registered there, or written by rule."""
    units = context.law.units
    before = f"{within};" if within else ""
    found = (*units.find(text), *units.by_notation(before + text.lower()))
    inside = (each for each in found if _within(each.notation, within))
    known = {each.notation: each for each in meant(inside, context.words.language)}
    if len(known) == 1:
        notation, entry = known.popitem()
        written = notation.removeprefix(before)
        draft.step("units", Action.LOOKED_UP, text, written, "RFC 9676 §2.1", entry.iri)
        return Units(written, entry.issuer)
    by_rule = draft.take(look_up(text, _NONE, context.words, context.mode, "units")[0])
    return None if by_rule is None else Units(by_rule)


def _within(notation: str, within: str) -> bool:
    """Whether a unit lies directly in another; in the jurisdiction itself for ""."""
    return notation.rpartition(";")[0] == within
