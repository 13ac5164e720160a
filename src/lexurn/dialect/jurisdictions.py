"""Words of one jurisdiction that conversion asks the registry for, gathered once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.name import NameSyntaxError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.name import Name
    from lexurn.registry import Entry, Law, Registry, Words

LEXML_AUTHORITIES = frozenset({"federal", "estadual", "municipal", "distrital"})
"""Who issues by convention in LexML's grammar; they are no institutions."""
# Labels of partitions in LexML's grammar and in the identifiers of NIR's documents.
_LEXML_LABELS = (
    "prt liv tit cap sec sub agh art cpt par inc ali ite dpg asp anx omi".split()  # noqa: SIM905 - a list of labels
)
_NIR_LABELS = (
    "prt lib tit cap sez par art com let num pun per all tab rub cor pre".split()  # noqa: SIM905 - a list of labels
)
_LABEL = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JurisdictionWords:
    """How one jurisdiction speaks in names.

    Attributes:
        code: the jurisdiction-code.
        connectives: words that names drop (RFC 9676 section 4.1).
        folds: what a letter becomes in ASCII where that is not its base letter (3.4).
        annexes: what annexes are called (6.4.1).
        labels: how the ids of partitions start, the longest first.
        units: notations of jurisdiction-units.
        authorities: notations of authorities.
        bodies: notations of bodies and functions.
        measures: notations of types of measure.
        references: the full names of short references, by type of measure (5.3).
    """

    code: str
    connectives: frozenset[str]
    folds: Mapping[str, str]
    annexes: frozenset[str]
    labels: tuple[str, ...]
    units: frozenset[str]
    authorities: frozenset[str]
    bodies: frozenset[str]
    measures: frozenset[str]
    references: Mapping[str, tuple[tuple[str, Name], ...]]

    def reference(self, authority: str, measure: str) -> tuple[Name, ...]:
        """The names that a type of measure of an authority is known to stand for."""
        known = self.references.get(measure, ())
        return tuple(name for issuer, name in known if issuer == authority)


@lru_cache(maxsize=256)
def load_words(registry: Registry, code: str) -> JurisdictionWords:
    """How a jurisdiction speaks, by a registry; each is asked once."""
    law = registry.law(code)
    words = [registry.words(language) for language in law.languages]
    return JurisdictionWords(
        code=code,
        connectives=frozenset(key for each in words for key in each.connectives if " " not in key),
        folds={letter: text for each in words for letter, text in each.folds.items()},
        annexes=frozenset(entry.notation for each in words for entry in each.annexes),
        labels=_list_labels(words),
        units=_list_notations(law.units),
        authorities=_list_notations(law.authorities),
        bodies=_list_notations(law.bodies),
        measures=_list_notations(law.measures),
        references=_index_references(law),
    )


@lru_cache(maxsize=256)
def load_builtin_words(code: str) -> JurisdictionWords:
    """How a jurisdiction speaks, by the built-in registry."""
    from lexurn.registry import load_registry  # noqa: PLC0415  (plain names need none of it)

    return load_words(load_registry(), code)


def _list_notations(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(entry.notation for entry in entries)


def _list_labels(words: Iterable[Words]) -> tuple[str, ...]:
    """The labels of partitions: the dialects' own, and those of the languages."""
    known = {entry.notation for each in words for entry in each.partitions}
    spelt = filter(_LABEL.fullmatch, known.union(_LEXML_LABELS, _NIR_LABELS))
    return tuple(sorted(spelt, key=lambda label: (-len(label), label)))


def _index_references(law: Law) -> dict[str, tuple[tuple[str, Name], ...]]:
    """By type of measure: who issues, and the full name.

    A type of which its authority has other acts is no reference to one of them, in whatever
    year: of a law of 2012 nobody knows which. The act without a number of a series stays.
    """
    found: dict[str, tuple[tuple[str, Name], ...]] = {}
    types = {(entry.notation, entry.issuer) for entry in law.measures if entry.name is None}
    for entry in law.measures:
        for issuer, name in _list_references(entry):
            shared = not types.isdisjoint({(entry.notation, issuer), (entry.notation, None)})
            if not shared or _is_outside_series(name):
                found[entry.notation] = (*found.get(entry.notation, ()), (issuer, name))
    return found


def _is_outside_series(name: Name) -> bool:
    """Whether a name has no number of a series: one made for the system, or its year."""
    details = name.work.details
    years = {date.iso[:4] for date in details.dates}
    return all(number.startswith("lex-") or number in years for number in details.numbers)


def _list_references(entry: Entry) -> Iterator[tuple[str, Name]]:
    """The one act that an entry stands for, under each authority that it may be given."""
    if entry.name is None:
        return
    try:
        name = parse(entry.name)
    except NameSyntaxError:
        return
    issuers = {str(name.work.authority), entry.issuer or str(name.work.authority)}
    yield from ((issuer, name) for issuer in sorted(issuers))
