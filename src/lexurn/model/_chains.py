"""From the records of a family to its version chains, with what is odd about them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from lexurn.model._chain import Chain, ChainVersion
from lexurn.model._findings import warning
from lexurn.model._force import act_force, force_of, spans_of, stated_of
from lexurn.model._order import OrderKey, is_original, order_of
from lexurn.model._values import Status
from lexurn.name import Level

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model._equality import Equality
    from lexurn.model._findings import ModelFinding
    from lexurn.model._force import ActForce, Stated
    from lexurn.model._values import Record
    from lexurn.name import ExpressionIdentifier, Name, Version

__all__ = ["chains_of", "contradictions_of"]

_PLAIN = {"in_force_from": "dates of force", "in_force_until": "ends of force"}
_PLAIN |= {"published": "days of publication", "version_order": "orders"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A version on its way into a chain."""

    name: Name
    names: tuple[Name, ...]
    version: Version
    stated: Stated
    key: OrderKey


def chains_of(
    records: Mapping[Name, Record], equality: Equality
) -> tuple[tuple[Chain, ...], tuple[ModelFinding, ...]]:
    """The chains of a family, by work and language, and the findings on them."""
    entries: dict[tuple[Name, str], list[_Entry]] = defaultdict(list)
    for name, expression in _expressions(records):
        if equality.target(name) == name:
            work = equality.target(name.work_name)
            entry = _entry_of(name, expression.version, records, equality)
            entries[work, expression.language or ""].append(entry)
    chains: list[Chain] = []
    findings: list[ModelFinding] = []
    for (work, language), versions in sorted(entries.items(), key=_place_of):
        versions.sort(key=attrgetter("key"))
        act = _act_of(work, records, equality)
        chains.append(_chain_of(records[work], language or None, versions, act))
        findings.extend(_findings_on(chains[-1], versions))
    return tuple(chains), tuple(findings)


def _expressions(names: Iterable[Name]) -> Iterator[tuple[Name, ExpressionIdentifier]]:
    """The names of expressions among ``names``, partitions of them left out."""
    for name in names:
        expression = name.expression
        if expression is None or name.level is not Level.EXPRESSION or name.partition is not None:
            continue
        yield name, expression


def _place_of(entry: tuple[tuple[Name, str], list[_Entry]]) -> tuple[str, str]:
    (work, language), _ = entry
    return str(work), language


def _entry_of(
    name: Name, version: Version, records: Mapping[Name, Record], equality: Equality
) -> _Entry:
    equals = equality.equals(name)
    stated = stated_of([records[equal] for equal in equals])
    return _Entry(
        name=name,
        names=tuple(sorted(equals, key=str)),
        version=version,
        stated=stated,
        key=order_of(name, version, stated.version_order),
    )


def _act_of(work: Name, records: Mapping[Name, Record], equality: Equality) -> ActForce:
    """What the records of a work, of the annexes above it and of its act state of its force."""
    works = (work, *work.ancestors())
    stated = [stated_of([records[name] for name in equality.equals(above)]) for above in works]
    return act_force(stated, work.work.details)


def _chain_of(
    work: Record, language: str | None, entries: Sequence[_Entry], act: ActForce
) -> Chain:
    stated = [entry.stated for entry in entries]
    starts = [force_of(entry.version, entry.stated, act) for entry in entries]
    versions = (
        ChainVersion(name=entry.name, names=entry.names, start=start, until=until)
        for entry, (start, until) in zip(entries, spans_of(starts, stated, act), strict=True)
    )
    return Chain(
        work=work.name,
        language=language,
        versions=tuple(versions),
        is_withdrawn=work.status is Status.WITHDRAWN,
    )


def _findings_on(chain: Chain, entries: Sequence[_Entry]) -> Iterator[ModelFinding]:
    yield from _overlaps(chain)
    originals = [e.name for e in entries if not e.version.events and is_original(e.version)]
    if len(originals) > 1:
        message = (
            f"{len(originals)} originals of one work: {', '.join(map(str, originals))}; state the "
            "others as aliases of one of them"
        )
        yield warning("LX613", message, tuple(originals), "RFC 9676 §5.6")
    for entry in entries:
        start, until = entry.stated.start, entry.stated.until
        if start is not None and until is not None and until <= start:
            message = (
                f"{entry.name} is never in force: it ends on {until} and starts on {start}; "
                "in_force_until is the first day no longer in force"
            )
            yield warning("LX614", message, (entry.name,), "RFC 9676 §5.6")


def _overlaps(chain: Chain) -> Iterator[ModelFinding]:
    """A finding for each version that comes into force while another has not ended."""
    versions = chain.versions
    places = [place for place, version in enumerate(versions) if _lasts(version)]
    longest: int | None = None
    for place in sorted(places, key=lambda place: (versions[place].start, place)):
        if longest is not None and not _ended(versions[longest], versions[place].start):
            yield _overlap(*(versions[each] for each in sorted((longest, place))))
        if longest is None or not _ended(versions[place], versions[longest].until):
            longest = place


def _lasts(version: ChainVersion) -> bool:
    if version.start is None:
        return False
    return version.until is None or version.start < version.until


def _ended(version: ChainVersion, day: dt.date | None) -> bool:
    """Whether a version has ended on ``day``, None standing for the end of days."""
    if version.until is None:
        return False
    return day is None or version.until <= day


def _overlap(earlier: ChainVersion, later: ChainVersion) -> ModelFinding:
    message = (
        f"{earlier.name} ({_span(earlier)}) and {later.name} ({_span(later)}) are in force at the "
        "same time, the later one is taken; state in_force_until where one ends"
    )
    return warning("LX611", message, (earlier.name, later.name), "RFC 9676 §5.6")


def _span(version: ChainVersion) -> str:
    return f"from {version.start}" + ("" if version.until is None else f" until {version.until}")


def contradictions_of(records: Mapping[Name, Record], equality: Equality) -> Iterator[ModelFinding]:
    """A finding for each thing whose equal names state different dates of force."""
    for target in equality.members:
        equals = equality.equals(target)
        for column, plain in _PLAIN.items():
            values = {name: getattr(records[name], column) for name in equals}
            stating = tuple(name for name, value in values.items() if value is not None)
            if len({values[name] for name in stating}) > 1:
                stated = ", ".join(f"{name} {values[name]}" for name in stating)
                message = f"equal names state different {plain}: {stated}; the first is taken"
                yield warning("LX612", f"{message} ({column})", stating, "RFC 9676 §5.5")
