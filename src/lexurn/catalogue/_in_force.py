"""The version of a work that is in force on a day; where there is none, why (RFC 9676 10.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn.catalogue._answer import Edition
from lexurn.catalogue._reasons import reason
from lexurn.model import is_original

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._reasons import Reason
    from lexurn.model import Chain, ChainVersion, Record
    from lexurn.name import Name, Version

    Span = tuple[dt.date | None, dt.date | None]

__all__ = ["best_edition", "edition_of", "force_told", "is_gone"]


class _Gone(NamedTuple):
    """A version that is withdrawn, with the day from which on it would be in force."""

    start: dt.date
    name: Name


def edition_of(kin: Kin, chain: Chain, version: ChainVersion, day: dt.date) -> Edition:
    """A version as it stands on a day."""
    is_known = version.start is not None or is_gone(kin, version)
    return Edition(
        name=version.name,
        language=chain.language,
        start=version.start,
        until=version.until,
        in_force=chain.current(day).version == version.name if is_known else None,
    )


def best_edition(
    kin: Kin, chain: Chain, day: dt.date, *, is_day_asked: bool
) -> tuple[Edition | None, Reason | None]:
    """The version in force on a day; where there is none, why, and what is given in its place.

    Where a day was asked for, nothing stands for what was not in force on it, but for a text that
    is withdrawn the one before it. Where none was, the most recent text is wanted, in force or not.
    """
    name = chain.current(day).version
    if name is not None:
        version = next(each for each in chain.versions if each.name == name)
        return edition_of(kin, chain, version, day), None
    held = _held(kin, chain)
    if not held:
        return None, reason("LX952", _all_gone_told(kin, chain))
    begun = [each for each in held if each.start is not None and each.start <= day]
    known = any(each.start is not None for each in held)
    why = _why_none(kin, chain, held, day)
    if begun and _is_cut_off(kin, chain, begun[-1], day):
        told = f"{why}; {begun[-1].name}, before it, is given"
        return edition_of(kin, chain, begun[-1], day), reason("LX952", told)
    if known and is_day_asked:
        language = _in_language(kin, chain) if _is_elsewhere(kin, chain, day) else ""
        return None, reason("LX952", f"{why}; no version{language} is given")
    version = begun[-1] if begun else held[0] if known else held[-1]
    told = f"{why}; {version.name} is given"
    return edition_of(kin, chain, version, day), reason("LX952", told)


def _is_cut_off(kin: Kin, chain: Chain, version: ChainVersion, day: dt.date) -> bool:
    """Whether the last version that began by a day ended with one that is withdrawn, and no more.

    What it states itself, or what its work does, is no matter of another version.
    """
    if _withdrawn_of(kin, chain, day) is None or _why_not(_force_of(kin, chain.work), day):
        return False
    return all(each.in_force_until is None for each in _records(kin, version.names))


def is_gone(kin: Kin, version: ChainVersion) -> bool:
    """Whether a version is withdrawn under all its names."""
    return all(map(kin.is_gone, version.names))


def _held(kin: Kin, chain: Chain) -> list[ChainVersion]:
    return [each for each in chain.versions if not is_gone(kin, each)]


def _others(kin: Kin, chain: Chain) -> list[Chain]:
    """The versions of the same work in other languages."""
    return [each for each in kin.family.chains if each.work == chain.work and each is not chain]


def _in_language(kin: Kin, chain: Chain) -> str:
    """Of which language is spoken, where the work has several."""
    if not _others(kin, chain):
        return ""
    return " without a language" if chain.language is None else f' in "{chain.language}"'


def _all_gone_told(kin: Kin, chain: Chain) -> str:
    return f"all versions of {chain.work}{_in_language(kin, chain)} are withdrawn"


def _gone_told(gone: _Gone, day: dt.date) -> str:
    return f"the version of {day} is withdrawn: {gone.name}, from {gone.start} on"


def _withdrawn_of(kin: Kin, chain: Chain, day: dt.date) -> _Gone | None:
    """The version that would be in force on a day, were it not withdrawn (section 9.4)."""
    gone = [each for each in chain.versions if is_gone(kin, each)]
    if not gone:
        return None
    begun = [
        (each.start, place)
        for place, each in enumerate(chain.versions)
        if each.start is not None and each.start <= day
    ]
    found = [
        _Gone(start, each.name)
        for place, each in enumerate(chain.versions)
        if each in gone
        and (start := _start_of(kin, chain, each)) is not None
        and start <= day
        and all((start, place) > other for other in begun)
        and not _has_ended(kin, each, day)
    ]
    return max(found, default=None, key=lambda each: (each.start, str(each.name)))


def _start_of(kin: Kin, chain: Chain, version: ChainVersion) -> dt.date | None:
    """From which day on a withdrawn version would be in force: as stated, else as it is named."""
    stated = [each.in_force_from for each in _records(kin, version.names)]
    named = (each.expression.version for each in version.names if each.expression is not None)
    force = _force_of(kin, chain.work)[0]
    return next(
        (day for day in (*stated, *(_day_of(each, chain.work, force) for each in named)) if day),
        None,
    )


def _day_of(version: Version, work: Name, force: dt.date | None) -> dt.date | None:
    """The first day that a version names; of an original that of its work (section 7.1.2)."""
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    if last is not None and last.day is not None:
        return last.day if force is None else max(last.day, force)
    if last is not None or not is_original(version):
        return None
    days = (date.day for date in work.work.details.dates)
    return force or max((day for day in days if day is not None), default=None)


def _has_ended(kin: Kin, version: ChainVersion, day: dt.date) -> bool:
    ends = (each.in_force_until for each in _records(kin, version.names))
    return any(end is not None and end <= day for end in ends)


def _records(kin: Kin, names: Sequence[Name]) -> Iterator[Record]:
    return (record for name in names if (record := kin.record(name)) is not None)


def _force_of(kin: Kin, work: Name) -> Span:
    """The first day on which a work is in force and the first on which it is no more, as stated.

    What an annex does not state, what it belongs to does (section 6.4.1).
    """
    levels = [kin.equals(kin.canonical(each)) for each in (work, *work.ancestors())]
    records = [record for names in levels for record in _records(kin, names)]
    starts = (record.in_force_from for record in records)
    ends = (record.in_force_until for record in records)
    return next(filter(None, starts), None), next(filter(None, ends), None)


def force_told(kin: Kin, work: Name, day: dt.date) -> Reason | None:
    """That a work of which no versions are known is not in force on a day, where it states so."""
    why = _why_not(_force_of(kin, work), day)
    return None if why is None else reason("LX952", f"{why}; what is held of it is given")


def _why_not(force: Span, day: dt.date) -> str | None:
    start, until = force
    if until is not None and until <= day:
        return f"no longer in force on {day}: it ended on {until}"
    if start is not None and day < start:
        return f"not yet in force on {day}: it comes into force on {start}"
    return None


def _why_none(kin: Kin, chain: Chain, held: Sequence[ChainVersion], day: dt.date) -> str:
    """Why no version is in force: the work is not, or none of that day is held."""
    if all(each.start is None for each in held):
        return "nothing says when its versions are in force"
    why = _why_not(_force_of(kin, chain.work), day)
    if why is not None:
        return why
    gone = _withdrawn_of(kin, chain, day)
    if gone is not None:
        return _gone_told(gone, day)
    if _is_elsewhere(kin, chain, day):
        return _why_language(held, day, _in_language(kin, chain))
    return _why_work(held, day, _force_of(kin, chain.work)[0])


def _is_elsewhere(kin: Kin, chain: Chain, day: dt.date) -> bool:
    """Whether a work has a text in force in another language, though that may be withdrawn."""
    return any(
        other.current(day).version is not None or _withdrawn_of(kin, other, day) is not None
        for other in _others(kin, chain)
    )


def _why_language(held: Sequence[ChainVersion], day: dt.date, language: str) -> str:
    """Why no version in a language is in force, though the work is."""
    later, ends = _later(held, day), _ends(held, day)
    more = f": the next is in force from {min(later)}" if later else ""
    if not later and ends:
        more = f": the last ended on {max(ends)}"
    return f"no version of {day}{language} is held{more}"


def _why_work(held: Sequence[ChainVersion], day: dt.date, force: dt.date | None) -> str:
    """Why no version is in force where nothing else of the work is."""
    later, ends = _later(held, day), _ends(held, day)
    if not later:
        ended = f": it ended on {max(ends)}" if ends else ""
        return f"no longer in force on {day}{ended}"
    starts = [each.start for each in held if each.start is not None]
    if len(later) < len(starts) or force is not None or not _is_first(held, min(starts)):
        return f"no version of {day} is held: the next is in force from {min(later)}"
    return f"not yet in force on {day}: it comes into force on {min(starts)}"


def _later(held: Sequence[ChainVersion], day: dt.date) -> list[dt.date]:
    return [each.start for each in held if each.start is not None and each.start > day]


def _ends(held: Sequence[ChainVersion], day: dt.date) -> list[dt.date]:
    """When the versions that began by a day ended."""
    begun = [each for each in held if each.start is not None and each.start <= day]
    return [each.until for each in begun if each.until is not None and each.until <= day]


def _is_first(held: Sequence[ChainVersion], start: dt.date) -> bool:
    """Whether the version that starts first is the original, before which there is none."""
    names = (name.expression for each in held if each.start == start for name in each.names)
    return any(each is not None and is_original(each.version) for each in names)
