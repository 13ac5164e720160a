"""Annexes that are named, compared with those that are held (RFC 9676 6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.catalogue._elements import compared_word
from lexurn.catalogue._reasons import Reason, reason, score_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._normalised import Tongue
    from lexurn.name import Annex, Name

    Reasons = tuple[Reason, ...]

__all__ = ["annexes_down"]


def annexes_down(
    kin: Kin, works: Sequence[Name], annexes: Sequence[Annex], tongue: Tongue
) -> tuple[Sequence[Name], Reasons, bool]:
    """The annex that is meant, or the last above it that is held."""
    reasons: Reasons = ()
    for annex in annexes:
        ways = [
            (each, found)
            for each in kin.annexes(works)
            if (found := _compared_annex(annex, each.work.annexes[-1], tongue)) is not None
        ]
        if not ways:
            above = kin.canonical(works[0])
            missing = reason("LX947", annex, f"{above} is, of which it is part", component="annex")
            return works, (*reasons, missing), False
        best = min(ways, key=lambda way: (-score_of(way[1]), str(way[0])))
        works, reasons = kin.equals(best[0]), (*reasons, *best[1])
    return works, reasons, True


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
