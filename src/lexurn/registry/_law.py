"""What the registry knows of one jurisdiction, and of one language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.registry._lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.registry._entries import Entry

__all__ = ["Law", "Words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """The authorities and types of measure of one jurisdiction.

    Attributes:
        code: the jurisdiction-code.
        authorities: who issues (RFC 9676 section 6.1).
        bodies: bodies and functions inside any authority (section 6.1.4).
        measures: types of measure (section 6.2).
        units: jurisdiction-units (section 2.1); ``sao.paulo;campinas`` is a unit of a unit.
        languages: tags of its official languages, the first the one that is taken.
        conventions: what holds for its names by key: ``thousands``, ``state``, formats of labels.
    """

    code: str
    authorities: Lexicon = field(default_factory=Lexicon)
    bodies: Lexicon = field(default_factory=Lexicon)
    measures: Lexicon = field(default_factory=Lexicon)
    units: Lexicon = field(default_factory=Lexicon)
    languages: tuple[str, ...] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language that names drop, number, date or expand. All keys: `key_of`.

    Attributes:
        language: its primary subtag.
        connectives: keys of articles, prepositions and conjunctions (RFC 9676 section 4.1).
        elided: keys of the connectives that are only written with an apostrophe: ``dell``.
        ordinals: numbers by key (section 4.3).
        cardinals: numbers by key, for written dates.
        months: 1 to 12 by key.
        weekdays: 1 (Monday) to 7 by key.
        datewords: keys of words inside dates.
        markers: keys of what stands before a document number.
        abbreviations: expansions by key; several where it is ambiguous (section 3.5).
        qualifiers: by key, the first words of the authorities that it only repeats (6.2.1).
        annexes: words for annexes (section 6.4.1).
        partitions: labels of partitions (section 5.8).
        folds: what a letter becomes in ASCII where that is not its base letter (section 3.4).
        formats: templates of labels by key.
    """

    language: str
    connectives: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    cardinals: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    datewords: frozenset[str] = frozenset()
    markers: frozenset[str] = frozenset()
    abbreviations: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    qualifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    annexes: Lexicon = field(default_factory=Lexicon)
    partitions: tuple[Entry, ...] = ()
    folds: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
