"""What a record states, as labelled values for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.export._eli import last_day
from lexurn.export._page import Fact, Value
from lexurn.export._words import day_in_words, printable, safe_link

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["facts_of"]


def facts_of(record: Record, link: Callable[[Name], str | None]) -> tuple[Fact, ...]:
    """The facts of a record, in a fixed order; what is not stated is not there."""
    facts = (*_dates(record), *_relations(record, link), *_people(record))
    return tuple(fact for fact in facts if fact.values)


def _dates(record: Record) -> Iterator[Fact]:
    yield _fact("Issued", _days(record.issued))
    yield _fact("Published", _days(record.published))
    yield _fact("In force from", _days(record.in_force_from))
    until = record.in_force_until
    yield _fact("Last day in force", _days(None if until is None else last_day(until)))
    yield _fact("Record last changed", _days(record.modified))
    yield _fact("Withdrawn", _days(record.withdrawn_on))


def _fact(label: str, values: Iterable[Value]) -> Fact:
    return Fact(label=label, values=tuple(values))


def _days(day: dt.date | None) -> Iterator[Value]:
    if day is not None:
        yield Value(text=day_in_words(day), day=day.isoformat())


def _relations(record: Record, link: Callable[[Name], str | None]) -> Iterator[Fact]:
    amending = (Value(text=str(name), href=link(name)) for name in record.amended_by)
    yield _fact("Amended by", amending)
    order = record.version_order
    yield _fact("Place among the versions", () if order is None else (Value(text=str(order)),))


def _people(record: Record) -> Iterator[Fact]:
    yield _fact("Publisher", _texts(record.publishers))
    yield _fact("Creator", _texts(record.creators))
    yield _fact("Subject", _texts(record.subjects))
    yield _fact("Licence", _texts(record.licenses))
    yield _fact("Page about it", _texts(record.pages))


def _texts(values: Iterable[str]) -> Iterator[Value]:
    return (Value(text=printable(value), href=safe_link(value)) for value in values)
