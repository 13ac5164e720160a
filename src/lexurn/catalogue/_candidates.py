"""A candidate of an answer: what a name of a family leads to, with its documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._answer import Candidate
from lexurn.catalogue._best import documents_of, parts_held
from lexurn.catalogue._kin import Kin, is_withdrawn, under
from lexurn.catalogue._reasons import Match, match_of, reason, score_of
from lexurn.catalogue._wish import Wish
from lexurn.catalogue._within import Place, place_of
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._asked import Asked
    from lexurn.catalogue._protocols import Holdings
    from lexurn.catalogue._reasons import Reason
    from lexurn.model import Family, LanguageText
    from lexurn.name import Name
    from lexurn.registry import Registry

__all__ = ["Desk", "candidate_of"]

_MOST_HOPS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a question is answered with."""

    holdings: Holdings
    registry: Registry
    day: dt.date
    is_day_asked: bool
    language: str | None
    dialect: str
    base: str | None

    def wish(self, name: Name) -> Wish:
        """What is wanted of what a name leads to."""
        return Wish(
            day=self.day,
            is_day_asked=self.is_day_asked,
            language=self.language,
            registry=self.registry,
            code=name.jurisdiction.code,
        )


def candidate_of(desk: Desk, family: Family, name: Name, asked: Asked) -> Candidate:
    """What a name of a family leads to, with its documents."""
    kin, name, led = _led(desk, Kin(family), name)
    parts = _parts(kin, name, asked.partition)
    gone = _withdrawn(kin, parts, _decisive(kin, name))
    place = place_of(kin, name, desk.wish(name)) if gone is None else Place(name=gone)
    partition, dropped = _partition_in(place, name, asked.partition)
    reasons = (*asked.reasons, *led)
    if gone is None and place.name != name and not place.is_of_several:
        gone = _withdrawn(kin, _parts(kin, place.name, partition), place.name)
        if gone in name.ancestors():  # what would be given in place of the name is of no use then
            place = Place(name=gone)
    reasons = (*reasons, *place.reasons, *dropped)
    if gone is not None:
        return _gone(kin, gone, reasons)
    documents, told = documents_of(kin, place.nodes, partition)
    reasons = (*reasons, *told, *_told_above(kin, place.name))
    return Candidate(
        name=place.name,
        match=match_of(reasons),
        score=score_of(reasons),
        reasons=reasons,
        titles=_titles(kin, place.name),
        editions=place.editions,
        documents=documents,
        uri=_uri(place.name, desk.base, partition),
    )


def _partition_in(
    place: Place, name: Name, asked: str | None
) -> tuple[str | None, tuple[Reason, ...]]:
    """The partition that is looked for: none of an annex or a component that is not held.

    Article 7 of an act is another text than article 7 of its annex (section 6.4.1), or than that of
    a table in a document (section 5.7); what a component is called says not which of them it is.
    """
    if asked is None:
        return None, ()
    if not place.is_work_held:
        told = f"it is of the annex, so that no partition of {place.name} stands for it"
    elif _is_component_lost(place, name):
        told = f"it may be of the component alone, so that the whole of {place.name} is given"
    else:
        return asked, ()
    return None, (reason("LX947", asked, told, component="partition"),)


def _is_component_lost(place: Place, name: Name) -> bool:
    """Whether a component of a document was asked for that is not held."""
    if name.manifestation is None or name.manifestation.component is None:
        return False
    lost = {each.component for each in place.reasons if each.code == "LX947"}
    return not lost.isdisjoint({"component", "manifestation"})


def _led(desk: Desk, kin: Kin, name: Name) -> tuple[Kin, Name, tuple[Reason, ...]]:
    """Where aliases lead that leave the family, as those of a server may; at most so many steps."""
    reasons: list[Reason] = []
    while len(reasons) < _MOST_HOPS:
        act = name.act_name
        target = kin.canonical(act)
        if target == act or kin.record(target) is not None:
            break
        family = desk.holdings.family(str(target))
        other = under(target, name)
        if family is None or other is None or family.key == kin.family.key:
            break
        reasons.append(reason("LX943", act, target))
        kin, name = Kin(family), other
    return kin, name, tuple(reasons)


def _decisive(kin: Kin, name: Name) -> Name | None:
    """What decides at once: a name that is held; else the alias under which it would stand.

    What is not held may be found as something else below its act, which stands for itself.
    """
    nearest = kin.nearest((name, name.expression_name or name, name.work_name, name.act_name))
    is_alias = nearest is not None and kin.canonical(nearest) != nearest
    return nearest if nearest == name or is_alias else None


def _withdrawn(kin: Kin, parts: Iterable[Name], name: Name | None) -> Name | None:
    """What is withdrawn: a partition, else a name.

    Each name that is held stands for itself: a version may outlive the name of its act.
    """
    decisive = (kin.nearest(parts), name)
    return next((each for each in decisive if each and is_withdrawn(kin.record(each))), None)


def _told_above(kin: Kin, name: Name) -> Iterator[Reason]:
    """Which of the names above one that is not withdrawn are."""
    for each in name.ancestors():
        record = kin.record(each)
        if record is not None and is_withdrawn(record):
            since = "" if record.withdrawn_on is None else f" since {record.withdrawn_on}"
            yield reason("LX952", f"{each} is withdrawn{since}; {name} is not")


def _parts(kin: Kin, name: Name, partition: str | None) -> tuple[Name, ...]:
    """The partition of a thing and those that hold it, as far as they are held."""
    if partition is None:
        return ()
    return tuple(part for _, part in parts_held(kin, (name,), partition))


def _gone(kin: Kin, name: Name, reasons: tuple[Reason, ...]) -> Candidate:
    """The answer to a name that is withdrawn: that it was there, and what it was an alias of."""
    record = kin.record(name)
    day = None if record is None else record.withdrawn_on
    said = [reason("LX945", name, f" since {day}" if day is not None else "")]
    target = kin.canonical(name)
    if target != name:
        said.append(reason("LX943", name, target))
    reasons = (*reasons, *said)
    return Candidate(
        name=name,
        match=Match.WITHDRAWN,
        score=score_of(reasons),
        reasons=reasons,
        titles=_titles(kin, name),
        withdrawn_on=day,
    )


def _titles(kin: Kin, name: Name) -> tuple[LanguageText, ...]:
    """The titles of a thing, or of the nearest thing above it that has one."""
    for each in (name, *name.ancestors()):
        record = kin.record(kin.canonical(each))
        if record is not None and record.titles:
            return record.titles
    return ()


def _uri(name: Name, base: str | None, partition: str | None) -> str | None:
    if base is None:
        return None
    uri = http_of(name.document, base).uri
    return uri if partition is None else f"{uri}#{partition}"
