"""The order of versions (RFC 9676 section 7.1.2): what comes before what, and the original."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lexurn import data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name import Event, Name, Version

__all__ = ["OrderKey", "is_original", "order_of"]

_ORIGINAL, _DATED, _LABELLED = range(3)
_EVENT_DATE, _EVENT_NAME = range(2)

OrderKey = tuple[int, str, tuple[tuple[int, str], ...], tuple[bool, int], str, str]


@cache
def _original_words() -> frozenset[str]:
    """The word for the original version in the languages of the registry, canonical."""
    return frozenset(data.table("original")["words"])


def is_original(version: Version) -> bool:
    """Whether a version is the original: its label is that word in any language of the registry."""
    return version.specification is not None and version.specification in _original_words()


def order_of(name: Name, version: Version, version_order: int | None) -> OrderKey:
    """The place of a version in its chain, as a sort key.

    The original stands first, then versions by amendment date and, within one date, by their
    events element by element: nothing before dates before names (which have no order of their
    own). A label takes its first event date for its amendment date; labels without any date stand
    last. ``version_order`` settles what is still equal, the text what nothing settles.

    Args:
        name: the expression's name; its text is the last resort.
        version: its version.
        version_order: the publisher's order, None where there is none.
    """
    kind, day = _kind_of(version)
    events = () if kind == _LABELLED else tuple(map(_rank_of, version.events))
    place = (version_order is None, version_order or 0)
    return (kind, day, events, place, str(version), str(name))


def _kind_of(version: Version) -> tuple[int, str]:
    """Original, dated (with its first date, ISO texts sort as days do) or mere label."""
    if version.date is not None:
        return _DATED, version.date.iso
    if is_original(version):
        return _ORIGINAL, ""
    first = next(_event_days(version), None)
    return (_LABELLED, "") if first is None else (_DATED, first)


def _event_days(version: Version) -> Iterator[str]:
    return (event.date.iso for event in version.events if event.date is not None)


def _rank_of(event: Event) -> tuple[int, str]:
    """Where one event stands among others at its position."""
    return (_EVENT_NAME, "") if event.date is None else (_EVENT_DATE, event.date.iso)
