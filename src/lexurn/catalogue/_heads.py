"""Heads that may be meant (RFC 9676 10.3): authority and measure as given, and by the registry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._normalised import MOST_PARTS, said_of, spoken
from lexurn.catalogue._reasons import reason
from lexurn.registry import ANYBODY, Stated, key_of, stated_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue._normalised import Tongue
    from lexurn.catalogue._reasons import Reason
    from lexurn.registry import Entry, Lexicon

__all__ = ["Head", "heads_of"]

_MOST_FORMS: Final = 3
_MOST_HEADS: Final = 24
_BY_REGISTRY: Final = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """An authority and a measure that may be meant; None for one that is missing.

    Attributes:
        authority: the whole element.
        measure: the whole element.
        reasons: how they follow from what was asked for.
        stated: what the words of the measure state of the authority, where that is still open.
        known: the kinds of authority that are known, where one was given.
    """

    authority: str | None
    measure: str | None
    reasons: tuple[Reason, ...] = ()
    stated: Stated = ANYBODY
    known: frozenset[str] | None = None

    def suits(self, held: str) -> bool:
        """Whether an authority that is held may be the one that the measure states."""
        if self.known is None:
            return self.stated.suits(held)
        return self.stated.may_be(held, self.known)


def heads_of(
    authority: str | None, measure: str | None, tongue: Tongue, *, is_unit: bool = False
) -> tuple[Head, ...]:
    """What may be meant by an authority and a measure: as given first, then by the registry.

    Args:
        authority: the authority as it was given; None where it is missing.
        measure: the measure, in the same way.
        tongue: the law and the words of the jurisdiction.
        is_unit: whether the jurisdiction is a part of a state, whose "State" is that part.
    """
    heads = [Head(authority=authority, measure=measure)]
    authorities = [] if authority is None else list(_authorities(authority, tongue))
    types, _, behind = (measure or "").partition(";")
    forms = [(measure, "", None)] if measure is None else _measures(types, behind, tongue)
    for whole, word, entry in forms:
        said = () if whole == measure else (said_of("measure", str(measure), str(whole)),)
        stated = stated_of(entry, spoken(word), tongue.registry, tongue.law.code)
        issuers = (authority, *authorities)
        is_open = authority is None or not _states_no_other(
            stated, issuers, tongue, is_unit=is_unit
        )
        rest = stated if is_open else ANYBODY
        known = None if authority is None else tongue.issuing_words.beside(stated)
        if rest.issuer is None or authority is not None:
            heads += [
                replace(_head(authority, each, whole, said), stated=rest, known=known)
                for each in issuers
            ]
        if (
            entry is not None
            and entry.issuer is not None
            and _may_issue(authority, entry, word)
            and not _is_denied(authority, entry.issuer, stated, tongue)
        ):
            heads.append(_head(authority, entry.issuer, whole, said))
    unique = {(head.authority, head.measure, head.stated): head for head in reversed(heads)}
    return tuple(islice(reversed(unique.values()), _MOST_HEADS))


def _states_no_other(
    stated: Stated, issuers: Sequence[str | None], tongue: Tongue, *, is_unit: bool
) -> bool:
    """Whether an authority that is given, in one of its forms, is one that a measure states.

    "State" says no more than that it is no other jurisdiction's.
    """
    if stated == ANYBODY:
        return True
    given = [each for each in issuers if each is not None]
    if (is_unit or not stated.kinds) and not tongue.general.isdisjoint(given):
        return True
    return any(stated.may_be(each) for each in given)


def _head(
    given: str | None, issuer: str | None, measure: str | None, said: tuple[Reason, ...]
) -> Head:
    if issuer is None or issuer == given:
        return Head(authority=issuer, measure=measure, reasons=said)
    if given is None:
        added = reason("LX946", "", issuer, component="authority", cost=_BY_REGISTRY)
    else:
        added = said_of("authority", given, issuer)
    return Head(authority=issuer, measure=measure, reasons=(added, *said))


def _may_issue(authority: str | None, entry: Entry, word: str) -> bool:
    """Whether a measure says whose it is: where its own word does, or nothing else.

    A type that several measures share ("decreto") is not that of the one whose name is longer.
    """
    key = key_of(spoken(word))
    if key != key_of(spoken(entry.notation)):
        return True
    return authority is None and any(key_of(text) == key for text in entry.spellings)


def _is_denied(authority: str | None, issuer: str, stated: Stated, tongue: Tongue) -> bool:
    """Whether the authority that is given is a known one that is not the issuer.

    "State" says no more than that it is no other jurisdiction's: the measure has the say, unless
    it states of what kind its issuer is ("lei municipal").
    """
    if authority is None:
        return False
    lexicon = tongue.law.authorities
    known = {
        entry.notation
        for entry in (*lexicon.by_notation(authority), *lexicon.find(spoken(authority)))
    }
    others = () if stated.kinds else tongue.general
    if known:
        return not known & {issuer, *others}
    kind = authority.partition(".")[0]
    return kind in tongue.issuing_words.first and kind != issuer.partition(".")[0]


def _measures(types: str, behind: str, tongue: Tongue) -> Iterator[tuple[str, str, Entry | None]]:
    """Measures that a type may mean, each with the word for it and the registry's entry."""
    rest = f";{behind}" if behind else ""
    measures = tongue.law.measures
    known = [*measures.by_notation(types), *measures.find(spoken(types))]
    if not known:
        expanded = tongue.expanded(types)
        known = [*measures.by_notation(expanded), *measures.find(spoken(expanded))]
        if not known and expanded and expanded != types:
            yield expanded + rest, types, None
    for entry in known[: 2 * _MOST_FORMS]:
        yield entry.notation + rest, types, entry
    yield types + rest, types, None


def _authorities(authority: str, tongue: Tongue) -> Iterator[str]:
    """Whole authorities that one may mean, other than itself."""
    issuers = authority.split("+")
    parts = [part for issuer in issuers for part in issuer.split(";")]
    if len(parts) > MOST_PARTS:
        return
    written = [
        tuple(
            _forms(part, tongue, tongue.law.bodies if place else tongue.law.authorities)
            for place, part in enumerate(issuer.split(";"))
        )
        for issuer in issuers
    ]
    choices = [(";".join(each) for each in product(*issuer)) for issuer in written]
    for combined in islice(product(*choices), _MOST_HEADS):
        whole = "+".join(combined)
        if whole != authority:
            yield whole


def _forms(part: str, tongue: Tongue, lexicon: Lexicon) -> tuple[str, ...]:
    """How the registry would write an institution or a body; at last as it is written."""
    expanded = tongue.expanded(part)
    found: list[str] = []
    for text in dict.fromkeys((part, expanded)):
        for entry in (*lexicon.by_notation(text), *lexicon.find(spoken(text))):
            found += [entry.notation, *([entry.replaced_by] if entry.replaced_by else [])]
    return tuple(dict.fromkeys(filter(None, (*found[:_MOST_FORMS], expanded, part))))
