"""Annexes that are named, compared with those that are held (RFC 9676 6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.catalogue._elements import compared_word
from lexurn.catalogue._listed import listed
from lexurn.catalogue._reasons import Reason, reason, score_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._normalised import Tongue
    from lexurn.name import Annex, Name

    Reasons = tuple[Reason, ...]
    _Way = tuple[Sequence[Name], Reasons]

__all__ = ["annexes_down"]


def annexes_down(
    kin: Kin, works: Sequence[Name], annexes: Sequence[Annex], tongue: Tongue
) -> tuple[Sequence[Name], Reasons, bool]:
    """The annex that is meant, or the last above it that is held.

    Of several that match equally none is chosen: what is above them all is given, and they are
    named; but first those that have what is asked for below are told from those that have not.
    """
    ways: list[_Way] = [(works, ())]
    sure: _Way = works, ()
    below: Sequence[Annex] = annexes
    for place, annex in enumerate(annexes):
        further = _further(kin, ways, annex, tongue)
        if not further:
            break
        ways, below = further, annexes[place + 1 :]
        if len(ways) == 1:
            sure = ways[0]
    if len(ways) > 1:
        return sure[0], (*sure[1], _equal_told(kin, sure[0], ways, annexes)), False
    if not below:
        return *sure, True
    above = kin.canonical(sure[0][0])
    missing = reason("LX947", below[0], f"{above} is, of which it is part", component="annex")
    return sure[0], (*sure[1], missing), False


def _further(kin: Kin, ways: Sequence[_Way], annex: Annex, tongue: Tongue) -> list[_Way]:
    """The annexes one step further down that match best, each once."""
    found: dict[Name, _Way] = {}
    for works, reasons in ways:
        for each in kin.annexes(works):
            compared = _compared_annex(annex, each.work.annexes[-1], tongue)
            if compared is None:
                continue
            way = kin.equals(each), (*reasons, *compared)
            other = found.setdefault(kin.canonical(each), way)
            if score_of(other[1]) < score_of(way[1]):
                found[kin.canonical(each)] = way
    best = max((score_of(reasons) for _, reasons in found.values()), default=0.0)
    equal = [name for name in sorted(found, key=str) if score_of(found[name][1]) == best]
    # What is withdrawn yields to what is not.
    return [found[name] for name in [each for each in equal if not kin.is_gone(each)] or equal]


def _equal_told(
    kin: Kin, works: Sequence[Name], ways: Sequence[_Way], annexes: Sequence[Annex]
) -> Reason:
    """Which annexes match equally, below a work that all of them are part of."""
    above = len(works[0].work.annexes)
    names = [kin.canonical(names[0]) for names, _ in ways]
    told = f"these match equally, so that none is chosen: {listed(names)}"
    return reason("LX947", annexes[above], told, component="annex")


def _compared_annex(given: Annex, held: Annex, tongue: Tongue) -> Reasons | None:
    if given == held:
        return ()
    spelt = _compared_heading(given.id, held.id, tongue)
    if spelt is None or given.specifications == held.specifications:
        return spelt
    if not given.specifications:
        rest = ";".join(held.specifications)
        return (*spelt, reason("LX946", "", rest, component="annex-specification"))
    if not held.specifications:
        rest = ";".join(given.specifications)
        return (*spelt, reason("LX947", rest, "the annex is", component="annex-specification"))
    behind = ".".join(given.specifications), ".".join(held.specifications)
    titles = compared_word(*behind, "annex-specification", tongue)
    return None if titles is None else (*spelt, *titles)


def _compared_heading(given: str, held: str, tongue: Tongue) -> Reasons | None:
    full = tongue.heading(given)
    if full != given and full == held:
        return (reason("LX942", given, held, component="annex"),)
    return compared_word(given, held, "annex", tongue)
