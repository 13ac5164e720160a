"""Elements of names compared part by part: what is missing, what is more, what is spelt otherwise.

Each comparison gives the reasons for which two elements may be one, or None where they are not.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._likeness import spelling_distance
from lexurn.catalogue._reasons import Reason, reason, score_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.catalogue._normalised import Tongue

    Reasons = tuple[Reason, ...]
    Knows = Callable[[str], bool]

__all__ = [
    "compared_authority",
    "compared_measure",
    "compared_parts",
    "compared_word",
    "knows_nothing",
]

_MOST_ISSUERS: Final = 16


def knows_nothing(_text: str) -> bool:
    """No word is known, so that each may be another with a fault."""
    return False


def _knows_all(_text: str) -> bool:
    """Each word is right as it is."""
    return True


def compared_word(
    given: str, held: str, component: str, tongue: Tongue, knows: Knows = knows_nothing
) -> Reasons | None:
    """One part: the same, the same but for accents and connectives, or spelt nearly so.

    A letter more that may be a connective or a designation is a slip, too.

    Args:
        given: what was asked for.
        held: what the catalogue has.
        component: what it is a part of.
        tongue: whose connectives are set aside.
        knows: whether the registry has a word as it was given: then it is no fault for another.
    """
    if given == held:
        return ()
    if tongue.is_same(given, held):
        return (reason("LX942", given, held, component=component),)
    is_alike = tongue.is_alike(given, held)
    letters = 1 if is_alike else spelling_distance(given, held)
    if letters is None or knows(given):
        return None
    if component == "authority" and not is_alike and not _is_slip(given, held, tongue):
        return None
    return (reason("LX951", given, held, component=component, times=letters),)


def _is_slip(given: str, held: str, tongue: Tongue) -> bool:
    """Whether each word of an authority that differs is one that the registry knows, misspelt.

    Proper names that differ by a letter are names of different authorities (Capri, Carpi).
    """
    mine, others = given.split("."), held.split(".")
    if len(mine) != len(others):
        return True  # a dot more or less, with the same letters
    words = tongue.issuing_words
    known = words.plain if held in words.whole else words.first
    return all(
        one == other or (other in known and one not in words.every)
        for one, other in zip(mine, others, strict=True)
    )


def compared_parts(
    given: Sequence[str],
    held: Sequence[str],
    component: str,
    tongue: Tongue,
    knows: Knows,
    knows_behind: Knows | None = None,
) -> Reasons | None:
    """An element and its specifications or functions, of which the last may be missing.

    Args:
        given: what was asked for.
        held: what the catalogue has.
        component: what they are parts of.
        tongue: whose connectives are set aside.
        knows: whether a word is known, so that it is no fault for another.
        knows_behind: the same of specifications, where they have words of their own.
    """
    found: list[Reason] = []
    known = knows
    for place, (one, other) in enumerate(zip_longest(given, held)):
        if one is None or other is None:
            rest = ";".join(held[place:]) if one is None else ";".join(given[place:])
            found.append(_uneven(rest, component, is_missing=one is None))
            break
        reasons = compared_word(one, other, component, tongue, known)
        if reasons is None:
            return None
        found += reasons
        known = knows_behind or knows
    return tuple(found)


_BEHIND: Final = {"authority": "body-function"}


def _uneven(rest: str, component: str, *, is_missing: bool) -> Reason:
    part = _BEHIND.get(component, "specification")
    if is_missing:
        return reason("LX946", "", rest, component=part)
    return reason("LX947", rest, "what stands before it is", component=part)


def compared_authority(given: str | None, held: str, tongue: Tongue) -> Reasons | None:
    """Two authorities: issuers in any order, some of which may be missing on one side."""
    if given is None:
        return (reason("LX946", "", held, component="authority"),)
    if given == held:
        return ()
    mine, theirs = given.split("+"), held.split("+")
    if len(mine) == len(theirs) == 1:
        return _compared_issuer(given, held, tongue)
    if max(len(mine), len(theirs)) > _MOST_ISSUERS:
        return None
    return _compared_issuers(mine, theirs, tongue)


def _compared_issuer(given: str, held: str, tongue: Tongue) -> Reasons | None:
    law = tongue.law

    def knows(text: str) -> bool:
        return tongue.knows(law.authorities, text) or tongue.knows(law.bodies, text)

    return compared_parts(given.split(";"), held.split(";"), "authority", tongue, knows)


def _compared_issuers(mine: list[str], theirs: list[str], tongue: Tongue) -> Reasons | None:
    """Each issuer with the one that is likest among the others; the fewer must all be found."""
    shown = "+".join(mine), "+".join(theirs)
    few, many = (mine, list(theirs)) if len(mine) <= len(theirs) else (theirs, list(mine))
    found: list[Reason] = []
    order: list[str] = []
    for one in few:
        ways = [(other, _pair(one, other, tongue, in_order=mine is few)) for other in many]
        alike = [(other, reasons) for other, reasons in ways if reasons is not None]
        if not alike:
            return None
        # Of those as like the one that was not asked for itself.
        other, reasons = max(alike, key=lambda way: (score_of(way[1]), way[0] not in few))
        many.remove(other)
        order.append(other)
        found += reasons
    if many:
        found.append(reason("LX948", *shown, component="issuers"))
    elif order != (theirs if mine is few else mine):
        found.append(reason("LX949", *shown, component="issuers"))
    return tuple(found)


def _pair(one: str, other: str, tongue: Tongue, *, in_order: bool) -> Reasons | None:
    return (
        _compared_issuer(one, other, tongue) if in_order else _compared_issuer(other, one, tongue)
    )


def compared_measure(given: str | None, held: str, tongue: Tongue) -> Reasons | None:
    """Two measures: the type, and its specifications.

    Of types without a list, and of specifications, which no list has, each word may be right, so
    that none is taken for another with a fault.
    """
    if given is None:
        return (reason("LX946", "", held, component="measure"),)
    if given == held:
        return ()

    def knows(text: str) -> bool:
        listed = tongue.law.measures
        return not listed or tongue.knows(listed, text)

    mine, theirs = given.split(";"), held.split(";")
    return compared_parts(mine, theirs, "measure", tongue, knows, knows_behind=_knows_all)
