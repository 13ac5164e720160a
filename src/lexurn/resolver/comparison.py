"""Comparison of elements of names, part by part: missing, superfluous and misspelt parts.

Each comparison returns the reasons for which two elements may be one, or None if they are not. The
edit distance has bounds that keep meanings apart. Numbers are read as texts write them: with a
word, a year at the end, dots for thousands (RFC 9676 §6.3.4).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from lexurn import catalogue
from lexurn.lazy import compile_late
from lexurn.resolver.answer import compute_score, make_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lexurn.catalogue import LegalVocabulary
    from lexurn.resolver.answer import Reason, Reasons

    Knows = Callable[[str], bool]

_DIGITS = compile_late(r"[0-9]+")

_MOST_LETTERS: Final = 3
_LONGEST_ELEMENT: Final = 256
#: Lengths up to which a word may have no wrong letter, or one; more would give other words.
_SHORT, _MIDDLE = 4, 13


@lru_cache(maxsize=65_536)
def measure_spelling_distance(asked: str, held: str) -> int | None:
    """Return the number of letters in which two elements differ; None if they are not alike.

    Words are compared one by one: short words (``lei``, ``loi``) and numbers, Roman ones too, must
    be equal. A dot more or less counts as one letter.

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
            longer = max(len(one), len(other))
            # Two wrong letters only in long words: "derogation" and "abrogation" are two words.
            limit = 0 if longer <= _SHORT else 1 if longer <= _MIDDLE else 2
            found = measure_distance(one, other, limit)
            if found is None or (catalogue.is_numeral(one) and catalogue.is_numeral(other)):
                return None
            total += found
    return total if total <= _MOST_LETTERS else None


def measure_distance(one: str, other: str, limit: int) -> int | None:
    """Return the optimal string alignment distance of two words, or None if it is over a limit.

    >>> measure_distance("legge", "lege", 1), measure_distance("legge", "ley", 1)
    (1, None)
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - slow to load, and few names need it

    found = OSA.distance(one, other, score_cutoff=limit)
    return found if found <= limit else None


def list_number_readings(
    numbers: Sequence[str], years: Collection[str], vocabulary: LegalVocabulary
) -> tuple[tuple[str, ...], ...]:
    """Return the readings of numbers, as written first; a later one counts if no earlier one does.

    ``172.101`` is a number of its own in Switzerland, and ``11.340`` is 11340 in Brazil.

    Args:
        numbers: all given numbers.
        years: the years of the given date.
        vocabulary: the words for "number", which are dropped.
    """
    bare = tuple(map(vocabulary.bare, numbers))
    found = [tuple(numbers), bare]
    if not all(map(str.isalnum, bare)):
        from lexurn.minting import drop_thousands, drop_year  # noqa: PLC0415 - few need it

        yearless = tuple(drop_year(each, years) for each in bare)
        found.append(yearless)
        found += [tuple(map(drop_thousands, each)) for each in (bare, yearless)]
    return tuple(dict.fromkeys(found))


_MOST_ISSUERS: Final = 16


def knows_nothing(_text: str) -> bool:
    """Return False: no word is known, so that each may be misspelt."""
    return False


def compare_word(
    given: str, held: str, component: str, vocabulary: LegalVocabulary, knows: Knows = knows_nothing
) -> Reasons | None:
    """Compare one part: equal, equal but for accents and connectives, or nearly equal.

    A letter more that may be a connective or a designation counts as a wrong letter.

    Args:
        given: the part in the given name.
        held: the part in the catalogue.
        component: the component that it is part of.
        vocabulary: the connectives, which do not count.
        knows: returns True for a word of the registry, which is never misspelt.
    """
    if given == held:
        return ()
    if vocabulary.is_same(given, held):
        return (make_reason("LX942", given, held, component=component),)
    is_alike = vocabulary.is_alike(given, held)
    letters = 1 if is_alike else measure_spelling_distance(given, held)
    if letters is None or knows(given):
        return None
    mine, others = given.split("."), held.split(".")
    # With a dot more or less the letters are the same.
    if component == "authority" and not is_alike and len(mine) == len(others):
        # Each word that differs is a misspelt word of the registry: proper names that differ by a
        # letter are different authorities (Capri, Carpi).
        words = vocabulary.issuing_words
        known = words.plain if held in words.whole else words.first
        for one, other in zip(mine, others, strict=True):
            if one != other and (other not in known or one in words.every):
                return None
    return (make_reason("LX951", given, held, component=component, times=letters),)


def compare_parts(
    given: Sequence[str],
    held: Sequence[str],
    component: str,
    vocabulary: LegalVocabulary,
    knows: Knows = knows_nothing,
    knows_specification: Knows | None = None,
) -> Reasons | None:
    """Compare elements with specifications or functions, of which the last may be missing.

    Args:
        given: the parts in the given name.
        held: the parts in the catalogue.
        component: the component that they are parts of.
        vocabulary: the connectives, which do not count.
        knows: returns True for a word of the registry, which is never misspelt.
        knows_specification: the same for specifications, if these have their own words.
    """
    found: list[Reason] = []
    known = knows
    for index, (one, other) in enumerate(zip_longest(given, held)):
        if one is None or other is None:
            part = "body-function" if component == "authority" else "specification"
            if one is None:
                reason = make_reason("LX946", "", ";".join(held[index:]), component=part)
            else:
                before, rest = "the name without it is", ";".join(given[index:])
                reason = make_reason("LX947", rest, before, component=part)
            found.append(reason)
            break
        reasons = compare_word(one, other, component, vocabulary, known)
        if reasons is None:
            return None
        found += reasons
        known = knows_specification or knows
    return tuple(found)


def compare_authority(given: str | None, held: str, vocabulary: LegalVocabulary) -> Reasons | None:
    """Compare authorities: issuers in any order, some of which may be missing on one side."""
    if given is None:
        return (make_reason("LX946", "", held, component="authority"),)
    if given == held:
        return ()
    mine, theirs = given.split("+"), held.split("+")
    if len(mine) == len(theirs) == 1:
        return _compare_issuer(given, held, vocabulary)
    if max(len(mine), len(theirs)) > _MOST_ISSUERS:
        return None
    return _compare_issuers(mine, theirs, vocabulary)


def _compare_issuer(given: str, held: str, vocabulary: LegalVocabulary) -> Reasons | None:
    law = vocabulary.law

    def knows(text: str) -> bool:
        return vocabulary.knows(law.authorities, text) or vocabulary.knows(law.bodies, text)

    return compare_parts(given.split(";"), held.split(";"), "authority", vocabulary, knows)


def _compare_issuers(
    mine: list[str], theirs: list[str], vocabulary: LegalVocabulary
) -> Reasons | None:
    """Compare each issuer with the most similar of the others; the fewer must all be found."""
    shown = "+".join(mine), "+".join(theirs)
    few, many = (mine, list(theirs)) if len(mine) <= len(theirs) else (theirs, list(mine))
    found: list[Reason] = []
    order: list[str] = []
    for one in few:
        pairs = ((other, (one, other) if mine is few else (other, one)) for other in many)
        ways = ((other, _compare_issuer(*pair, vocabulary)) for other, pair in pairs)
        alike = [(other, reasons) for other, reasons in ways if reasons is not None]
        if not alike:
            return None
        # Of equally similar ones that which was not given itself.
        other, reasons = max(alike, key=lambda way: (compute_score(way[1]), way[0] not in few))
        many.remove(other)
        order.append(other)
        found += reasons
    if many:
        found.append(make_reason("LX948", *shown, component="issuers"))
    elif order != (theirs if mine is few else mine):
        found.append(make_reason("LX949", *shown, component="issuers"))
    return tuple(found)


def compare_measure(given: str | None, held: str, vocabulary: LegalVocabulary) -> Reasons | None:
    """Compare measures: the type, and its specifications.

    Specifications have no list in the registry, and some types have none: there each word may be
    right, so that none counts as misspelt.
    """
    if given is None:
        return (make_reason("LX946", "", held, component="measure"),)
    if given == held:
        return ()

    def knows(text: str) -> bool:
        listed = vocabulary.law.measures
        return not listed or vocabulary.knows(listed, text)

    mine, theirs = given.split(";"), held.split(";")
    return compare_parts(
        mine, theirs, "measure", vocabulary, knows, knows_specification=lambda _: True
    )
