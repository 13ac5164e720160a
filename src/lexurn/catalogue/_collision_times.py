"""Acts beside the registry: authorities, jurisdictions and measures outside their time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.registry import jurisdictions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._collision_words import Act
    from lexurn.registry import Entry, Lexicon, Registry

__all__ = ["Times"]

_Spans = tuple[tuple[str | None, str | None], ...]


class Times:
    """When, by a registry, there was what names speak of."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; what was looked up is kept for a while."""
        self._registry = registry
        self._spans = lru_cache(maxsize=65_536)(self._spans_of)
        self._closed = frozenset(
            code for code, concept in jurisdictions().items() if concept.obsolete
        )

    def against(self, act: Act) -> Iterator[tuple[str, str, str]]:
        """The rules that an act breaks, each with what of it does, and how."""
        first, last = _days_of(act.details)
        code, *units = act.jurisdiction.split(";")
        if code in self._closed:
            yield "LX973", code, ""
        if first is None or last is None:
            return
        for issuer in act.authority.split("+"):
            yield from self._outside("LX970", code, _shortened(issuer), (first, last))
        for place in range(len(units)):
            unit = ";".join(units[: place + 1])
            yield from self._outside("LX971", code, (unit,), (first, last))
        yield from self._outside("LX972", code, _shortened(act.measure), (first, last))

    def _outside(
        self, rule: str, code: str, notations: tuple[str, ...], days: tuple[str, str]
    ) -> Iterator[tuple[str, str, str]]:
        """What the first notation that was not there says; a whole one stands before its start."""
        for notation in notations:
            spans = self._spans(rule, code, notation)
            if spans and not any(_meets(start, end, days) for start, end in spans):
                known = ", ".join(_said(start, end) for start, end in spans)
                yield rule, notation, f"was there {known}"
                return

    def _spans_of(self, rule: str, code: str, notation: str) -> _Spans:
        """The times of what has a notation; none where any of it was always there."""
        law = self._registry.law(code)
        lexicon: Lexicon = {
            "LX970": law.authorities,
            "LX971": law.units,
            "LX972": law.measures,
        }[rule]
        entries = lexicon.by_notation(notation)
        if any(_is_open(entry) for entry in entries):
            return ()
        spans = {(entry.valid_from, entry.valid_until) for entry in entries}
        return tuple(sorted(spans, key=lambda span: (span[0] or "", span[1] or "9999")))


def _shortened(element: str) -> tuple[str, ...]:
    """An issuer or a measure whole, and without its bodies or specifications."""
    return tuple(dict.fromkeys((element, element.partition(";")[0])))


def _is_open(entry: Entry) -> bool:
    return entry.valid_from is None and entry.valid_until is None


def _days_of(details: str) -> tuple[str | None, str | None]:
    """The first and the last day that the date of an act may be; None where it has none."""
    written = details.partition(";")[0].split(",")
    days = sorted(each.partition("|")[0] for each in written)
    first, last = days[0], days[-1]
    if not (first[:4].isdecimal() and last[:4].isdecimal()):
        return None, None
    if len(first) == len("2000") and first == last:
        return f"{first}-01-01", f"{first}-12-31"
    return (first, last) if all(len(day) == len("2000-01-01") for day in days) else (None, None)


def _meets(start: str | None, end: str | None, days: tuple[str, str]) -> bool:
    """Whether a time and some days have a day in common; the end is the first day after it."""
    first, last = days
    return (start is None or start <= last) and (end is None or first < end)


def _said(start: str | None, end: str | None) -> str:
    since = f"from {start}" if start else ""
    until = f"until {end}" if end else ""
    return " ".join(filter(None, (since, until)))
