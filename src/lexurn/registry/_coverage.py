"""How much the registry holds, by jurisdiction and by language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.registry._entries import LAW_KINDS, WORD_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.registry._entries import Entry
    from lexurn.registry._registry import Registry

__all__ = ["ENOUGH", "LawCoverage", "WordCoverage", "law_coverage", "word_coverage"]

#: How many authorities, and how many types of measure, make a jurisdiction well known.
ENOUGH = 15
_SOURCED = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class LawCoverage:
    """What is known of one jurisdiction.

    Attributes:
        code: its code.
        counts: entries by kind, those that are obsolete left out.
        obsolete: how many are obsolete.
        languages: primary subtags of the labels' languages, the most frequent first.
        unsourced: entries without a source.
        unexampled: authorities and measures without an example.
    """

    code: str
    counts: Mapping[Kind, int]
    obsolete: int
    languages: tuple[str, ...]
    unsourced: int
    unexampled: int

    @property
    def enough(self) -> bool:
        """Whether it has `ENOUGH` authorities and as many types of measure."""
        return min(self.counts[Kind.AUTHORITY], self.counts[Kind.MEASURE]) >= ENOUGH


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCoverage:
    """What is known of one language.

    Attributes:
        language: its primary subtag.
        counts: entries by kind.
    """

    language: str
    counts: Mapping[Kind, int]


def law_coverage(known: Registry) -> tuple[LawCoverage, ...]:
    """What is known of each jurisdiction, sorted by code."""
    return tuple(_of_law(known, code) for code in known.jurisdictions())


def word_coverage(known: Registry) -> tuple[WordCoverage, ...]:
    """What is known of each language, sorted."""
    return tuple(
        WordCoverage(
            language=language,
            counts={kind: len(known.lexicon(kind, language)) for kind in WORD_KINDS},
        )
        for language in known.languages()
    )


def _of_law(known: Registry, code: str) -> LawCoverage:
    listed = [entry for kind in LAW_KINDS for entry in known.lexicon(kind, code)]
    live = [entry for entry in listed if not entry.obsolete]
    return LawCoverage(
        code=code,
        counts={kind: sum(each.kind is kind for each in live) for kind in LAW_KINDS},
        obsolete=len(listed) - len(live),
        languages=_languages(live),
        unsourced=sum(each.kind in _SOURCED and not each.sources for each in live),
        unexampled=sum(
            each.kind in {Kind.AUTHORITY, Kind.MEASURE} and not each.examples for each in live
        ),
    )


def _languages(entries: list[Entry]) -> tuple[str, ...]:
    found = Counter(
        label.language.partition("-")[0]
        for entry in entries
        if entry.kind is not Kind.CONVENTION
        for label in entry.labels
    )
    return tuple(language for language, _ in found.most_common())
