"""Comparison of elements of names, part by part: what is missing, what is more, what is misspelt.

Each comparison gives the reasons for which two elements may be one, or None where they are not. The
edit distance has bounds that keep meanings apart. Numbers are read as texts write them: with a
word, a year behind, dots for thousands (RFC 9676 6.3.4).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from lexurn.catalogue import is_numeral, normalise_jurisdiction
from lexurn.minting import drop_thousands, drop_year
from lexurn.resolver.answer import compute_score, make_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Final

    from lexurn.catalogue import LegalVocabulary
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Reason

    Reasons = tuple[Reason, ...]

    Knows = Callable[[str], bool]

_DIGITS = re.compile(r"[0-9]+")

_MOST_LETTERS: Final = 3
_LONGEST_ELEMENT: Final = 256
#: Up to how many letters a word has no slip, or one: two make too many words another word.
_SHORT, _MIDDLE = 4, 13


@lru_cache(maxsize=65_536)
def measure_spelling_distance(asked: str, held: str) -> int | None:
    """In how many letters two elements of names differ; None where they are not alike.

    Word by word, so that short words (which a letter makes another word: ``lei``, ``loi``) and
    numbers, Roman ones too, have to be the same; or with a dot more or less.

    >>> measure_spelling_distance("presidente.repubblcia", "presidente.repubblica")
    1
    >>> measure_spelling_distance("allegato.1", "allegato.2") is None
    True
    """
    if max(len(asked), len(held)) > _LONGEST_ELEMENT or _DIGITS.findall(asked) != _DIGITS.findall(
        held
    ):
        return None
    mine, others = asked.split("."), held.split(".")
    if len(mine) != len(others):
        return 1 if asked.replace(".", "") == held.replace(".", "") else None
    total = 0
    for one, other in zip(mine, others, strict=True):
        if one != other:
            found = measure_distance(one, other, _find_limit(one, other))
            if found is None or (is_numeral(one) and is_numeral(other)):
                return None
            total += found
    return total if total <= _MOST_LETTERS else None


def _find_limit(one: str, other: str) -> int:
    """How many letters two words may differ in, and still be one word.

    Two only where they are long: ``derogation`` and ``abrogation`` are two words.
    """
    longer = max(len(one), len(other))
    if longer <= _SHORT:
        return 0
    return 1 if longer <= _MIDDLE else 2


def measure_distance(one: str, other: str, limit: int) -> int | None:
    """Return the optimal string alignment distance of two words, or None if it is over a limit.

    >>> measure_distance("legge", "lege", 1), measure_distance("legge", "ley", 1)
    (1, None)
    """
    found = OSA.distance(one, other, score_cutoff=limit)
    return found if found <= limit else None


def list_number_readings(
    numbers: Sequence[str], years: Collection[str], tongue: LegalVocabulary
) -> tuple[tuple[str, ...], ...]:
    """What numbers may be, as they are written first: a later one counts where no earlier one does.

    ``172.101`` is a number of its own in Switzerland, and ``11.340`` is 11340 in Brazil.

    Args:
        numbers: all that were given.
        years: those of the date that was given.
        tongue: whose words for "number" are set aside.
    """
    bare = tuple(map(tongue.bare, numbers))
    yearless = tuple(drop_year(each, years) for each in bare)
    found = [tuple(numbers), bare, yearless]
    found += [tuple(map(drop_thousands, each)) for each in (bare, yearless)]
    return tuple(dict.fromkeys(found))


def explain_registry_form(component: str, before: str, after: str) -> Reason:
    """That an element is another by the registry."""
    return make_reason("LX942", before, after, component=component)


def list_jurisdiction_forms(
    jurisdiction: str, registry: Registry
) -> Iterable[tuple[str, tuple[Reason, ...]]]:
    """A jurisdiction as it is written, and with the units that the registry knows by its words."""
    yield jurisdiction, ()
    known = normalise_jurisdiction(jurisdiction, registry)
    if known != jurisdiction:
        yield known, (explain_registry_form("jurisdiction", jurisdiction, known),)


_MOST_ISSUERS: Final = 16


def knows_nothing(_text: str) -> bool:
    """No word is known, so that each may be another with a fault."""
    return False


def _knows_all(_text: str) -> bool:
    """Each word is right as it is."""
    return True


def compare_word(
    given: str, held: str, component: str, tongue: LegalVocabulary, knows: Knows = knows_nothing
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
        return (make_reason("LX942", given, held, component=component),)
    is_alike = tongue.is_alike(given, held)
    letters = 1 if is_alike else measure_spelling_distance(given, held)
    if letters is None or knows(given):
        return None
    if component == "authority" and not is_alike and not _is_slip(given, held, tongue):
        return None
    return (make_reason("LX951", given, held, component=component, times=letters),)


def _is_slip(given: str, held: str, tongue: LegalVocabulary) -> bool:
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


def compare_parts(
    given: Sequence[str],
    held: Sequence[str],
    component: str,
    tongue: LegalVocabulary,
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
            found.append(_explain_uneven(rest, component, is_missing=one is None))
            break
        reasons = compare_word(one, other, component, tongue, known)
        if reasons is None:
            return None
        found += reasons
        known = knows_behind or knows
    return tuple(found)


_PARTS_BEHIND: Final = {"authority": "body-function"}


def _explain_uneven(rest: str, component: str, *, is_missing: bool) -> Reason:
    part = _PARTS_BEHIND.get(component, "specification")
    if is_missing:
        return make_reason("LX946", "", rest, component=part)
    return make_reason("LX947", rest, "what stands before it is", component=part)


def compare_authority(given: str | None, held: str, tongue: LegalVocabulary) -> Reasons | None:
    """Two authorities: issuers in any order, some of which may be missing on one side."""
    if given is None:
        return (make_reason("LX946", "", held, component="authority"),)
    if given == held:
        return ()
    mine, theirs = given.split("+"), held.split("+")
    if len(mine) == len(theirs) == 1:
        return _compare_issuer(given, held, tongue)
    if max(len(mine), len(theirs)) > _MOST_ISSUERS:
        return None
    return _compare_issuers(mine, theirs, tongue)


def _compare_issuer(given: str, held: str, tongue: LegalVocabulary) -> Reasons | None:
    law = tongue.law

    def knows(text: str) -> bool:
        return tongue.knows(law.authorities, text) or tongue.knows(law.bodies, text)

    return compare_parts(given.split(";"), held.split(";"), "authority", tongue, knows)


def _compare_issuers(mine: list[str], theirs: list[str], tongue: LegalVocabulary) -> Reasons | None:
    """Each issuer with the one that is likest among the others; the fewer must all be found."""
    shown = "+".join(mine), "+".join(theirs)
    few, many = (mine, list(theirs)) if len(mine) <= len(theirs) else (theirs, list(mine))
    found: list[Reason] = []
    order: list[str] = []
    for one in few:
        ways = [(other, _compare_pair(one, other, tongue, in_order=mine is few)) for other in many]
        alike = [(other, reasons) for other, reasons in ways if reasons is not None]
        if not alike:
            return None
        # Of those as like the one that was not asked for itself.
        other, reasons = max(alike, key=lambda way: (compute_score(way[1]), way[0] not in few))
        many.remove(other)
        order.append(other)
        found += reasons
    if many:
        found.append(make_reason("LX948", *shown, component="issuers"))
    elif order != (theirs if mine is few else mine):
        found.append(make_reason("LX949", *shown, component="issuers"))
    return tuple(found)


def _compare_pair(
    one: str, other: str, tongue: LegalVocabulary, *, in_order: bool
) -> Reasons | None:
    return _compare_issuer(one, other, tongue) if in_order else _compare_issuer(other, one, tongue)


def compare_measure(given: str | None, held: str, tongue: LegalVocabulary) -> Reasons | None:
    """Two measures: the type, and its specifications.

    Of types without a list, and of specifications, which no list has, each word may be right, so
    that none is taken for another with a fault.
    """
    if given is None:
        return (make_reason("LX946", "", held, component="measure"),)
    if given == held:
        return ()

    def knows(text: str) -> bool:
        listed = tongue.law.measures
        return not listed or tongue.knows(listed, text)

    mine, theirs = given.split(";"), held.split(";")
    return compare_parts(mine, theirs, "measure", tongue, knows, knows_behind=_knows_all)
