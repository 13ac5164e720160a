"""From an act that was found down to what its name asks for: annex, version, manifestation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.catalogue._annexes import annexes_down
from lexurn.catalogue._editions import (
    chains_in,
    compared_manifestation,
    compared_version,
    day_in,
)
from lexurn.catalogue._in_force import best_edition, edition_of, force_told, is_gone
from lexurn.catalogue._kin import under
from lexurn.catalogue._reasons import Reason, reason, score_of
from lexurn.name import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._answer import Edition
    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._normalised import Tongue
    from lexurn.catalogue._wish import Wish
    from lexurn.model import Chain, ChainVersion
    from lexurn.name import ExpressionIdentifier, ManifestationIdentifier, Name

    Reasons = tuple[Reason, ...]

__all__ = ["Place", "place_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a name leads to in a family.

    Attributes:
        name: the canonical name, at the level down to which it was found.
        reasons: what differs, and what is to be known.
        editions: the versions that were chosen.
        nodes: for each thing whose copies are wanted all its names.
        is_work_held: whether the annex that was asked for is held; without it no partition of it
            is either, and that of what is above it is another.
        is_of_several: whether the name is that of what several things lie below that were found.
    """

    name: Name
    reasons: Reasons = ()
    editions: tuple[Edition, ...] = ()
    nodes: tuple[tuple[Name, ...], ...] = ()
    is_work_held: bool = True
    is_of_several: bool = False


def place_of(kin: Kin, name: Name, wish: Wish) -> Place:
    """Where a name leads to; its act or alias is one of the family's."""
    if kin.record(name) is not None:
        return _directly(kin, name, wish)
    under_other = _under_other_act(kin, name)
    if under_other is not None:
        place = _directly(kin, under_other, wish)
        return replace(place, reasons=(reason("LX943", name, place.name), *place.reasons))
    return _step_by_step(kin, name, wish)


def _under_other_act(kin: Kin, name: Name) -> Name | None:
    """The same annex, version or manifestation under another name of the act."""
    act = name.act_name
    others = (under(other, name) for other in kin.equals(act) if other != act)
    held = [each for each in others if each is not None and kin.record(each)]
    return next((each for each in held if not kin.is_gone(each)), next(iter(held), None))


def _directly(kin: Kin, name: Name, wish: Wish) -> Place:
    """Where a name that is held leads to."""
    found = kin.canonical(name)
    said = (reason("LX943", name, found),) if found != name else ()
    if name in kin.circles:
        said = (*said, reason("LX944", name))
    names = kin.equals(name)
    if name.level is Level.WORK:
        place = _place_of_work(kin, names, wish)
    else:
        place = _place_below(kin, names, name, wish)
    return replace(place, name=found, reasons=(*said, *place.reasons))


def _place_of_work(kin: Kin, works: Sequence[Name], wish: Wish) -> Place:
    """The best versions of a work, and all that is there of the work itself."""
    known = _chains(kin, works)
    chains, missing = _spoken(known, wish.language, wish)
    editions, reasons = _best(kin, chains, wish)
    told = None if known else force_told(kin, works[0], wish.day)
    nodes = (*_documents(kin, _versions(kin, editions)), *_documents(kin, [tuple(works)]))
    return Place(
        name=kin.canonical(works[0]),
        reasons=(*filter(None, (missing, told)), *reasons),
        editions=editions,
        nodes=nodes,
    )


def _place_below(kin: Kin, names: Sequence[Name], asked: Name, wish: Wish) -> Place:
    """A version with its documents, or a manifestation alone."""
    name, nodes = names[0], [tuple(names)]
    versions: Sequence[Name] = ()
    if name.level is Level.EXPRESSION:
        versions, nodes = names, list(_documents(kin, nodes))
    elif name.expression is not None:
        versions = kin.equals(name.document.parent or name)
    found = list(_versions_named(kin, versions)) if versions else []
    is_silent = asked.expression is not None and asked.expression.language is None
    _, missing = _spoken([chain for chain, _ in found], wish.language if is_silent else None, wish)
    return Place(
        name=kin.canonical(name),
        reasons=() if missing is None else (missing,),
        editions=tuple(edition_of(kin, chain, version, wish.day) for chain, version in found),
        nodes=tuple(nodes),
    )


def _versions_named(kin: Kin, versions: Sequence[Name]) -> Iterator[tuple[Chain, ChainVersion]]:
    for chain in _chains(kin, kin.equals(versions[0].work_name)):
        for version in chain.versions:
            if not set(version.names).isdisjoint(versions):
                yield chain, version


def _chains(kin: Kin, works: Sequence[Name]) -> list[Chain]:
    return [chain for chain in kin.family.chains if chain.work in works]


def _spoken(
    chains: Sequence[Chain], wanted: str | None, wish: Wish
) -> tuple[Sequence[Chain], Reason | None]:
    """The versions in a language, if one is wanted."""
    return (chains, None) if wanted is None else chains_in(chains, wanted, wish.tongue)


def _best(kin: Kin, chains: Iterable[Chain], wish: Wish) -> tuple[tuple[Edition, ...], Reasons]:
    editions: list[Edition] = []
    reasons: dict[Reason, None] = {}
    for chain in chains:
        edition, why = best_edition(kin, chain, wish.day, is_day_asked=wish.is_day_asked)
        if edition is not None:
            editions.append(edition)
        if why is not None:
            reasons[why] = None
    return tuple(sorted(editions, key=lambda each: str(each.name))), tuple(reasons)


def _versions(kin: Kin, editions: Iterable[Edition]) -> list[tuple[Name, ...]]:
    return [kin.equals(edition.name) for edition in editions]


def _documents(kin: Kin, things: Iterable[Sequence[Name]]) -> Iterator[tuple[Name, ...]]:
    """Things that have copies, and their manifestations, each under all its names."""
    for names in things:
        records = [kin.record(name) for name in names if not kin.is_gone(name)]
        has_copies = any(record is not None and record.items for record in records)
        if has_copies or kin.has_parts(names):
            yield tuple(names)
        targets = dict.fromkeys(kin.canonical(each) for each in kin.manifestations(names))
        yield from (kin.equals(target) for target in sorted(targets, key=str))


def _step_by_step(kin: Kin, name: Name, wish: Wish) -> Place:
    """Where a name leads to that is not held as it is: as far down as its parts are found."""
    works, reasons, is_whole = annexes_down(
        kin, kin.equals(name.act_name), name.work.annexes, wish.tongue
    )
    target = kin.canonical(works[0])
    if target != name.work_name and is_whole and name.act_name != target.act_name:
        reasons = (reason("LX943", name.act_name, target.act_name), *reasons)
    if is_whole and name.expression is not None:
        place = _named_version(kin, works, name.expression, wish)
    else:
        place = _place_of_work(kin, works, wish)
    if is_whole and name.manifestation is not None:
        place = _named_manifestation(kin, place, name, wish.tongue)
    return replace(place, reasons=(*reasons, *place.reasons), is_work_held=is_whole)


def _named_version(
    kin: Kin, works: Sequence[Name], expression: ExpressionIdentifier, wish: Wish
) -> Place:
    """The version that is meant, in the language that is named, or in all."""
    ways = list(_like_versions(_chains(kin, works), expression, wish.tongue))
    if not ways:
        return _unknown_version(kin, works, expression, wish)
    wanted = expression.language or wish.language
    chains, missing = _spoken([way[0] for way in ways], wanted, wish)
    spoken = [way for way in ways if any(way[0] is chain for chain in chains)]
    best = max(score_of(reasons) for _, _, reasons in spoken)
    equal = [way for way in spoken if score_of(way[2]) == best]
    # What is withdrawn yields to what is not.
    chosen = [way for way in equal if not is_gone(kin, way[1])] or equal
    editions = tuple(
        sorted(
            (edition_of(kin, c, v, wish.day) for c, v, _ in chosen),
            key=lambda each: str(each.name),
        )
    )
    said = _on_language(expression.language, [way[0] for way in chosen], missing)
    gone = [way[1].name for way in equal if way not in chosen]
    name = editions[0].name if len(editions) == 1 else kin.canonical(works[0])
    return Place(
        name=name,
        reasons=(*chosen[0][2], *said, *(reason("LX952", f"{each} is withdrawn") for each in gone)),
        editions=editions,
        nodes=tuple(_documents(kin, _versions(kin, editions))),
        is_of_several=len(editions) > 1,
    )


def _like_versions(
    chains: Iterable[Chain], expression: ExpressionIdentifier, tongue: Tongue
) -> Iterator[tuple[Chain, ChainVersion, Reasons]]:
    for chain in chains:
        for version in chain.versions:
            held = (name.expression for name in version.names)
            ways = (
                compared_version(expression.version, each.version, tongue)
                for each in held
                if each is not None
            )
            likest = max((way for way in ways if way is not None), key=score_of, default=None)
            if likest is not None:
                yield chain, version, likest


def _on_language(given: str | None, chains: Sequence[Chain], missing: Reason | None) -> Reasons:
    """In what the language that was named differs from those that are given."""
    held = sorted({chain.language for chain in chains if chain.language is not None})
    if given is None:
        added = (reason("LX946", "", ", ".join(held), component="language"),) if held else ()
        return (*added, *((missing,) if missing else ()))
    if given in held:
        return ()
    what = f"given is: {', '.join(held)}" if held else "the version without a language is"
    return (
        reason("LX947", given, what, component="language"),
        *((missing,) if missing else ()),
    )


def _unknown_version(
    kin: Kin, works: Sequence[Name], expression: ExpressionIdentifier, wish: Wish
) -> Place:
    """What is in force on the day that an unknown version names, else the best version."""
    day = day_in(expression.version)
    said = "what is in force is looked for" + (f" on {day}" if day else "")
    other = replace(
        wish,
        day=day or wish.day,
        is_day_asked=wish.is_day_asked or day is not None,
        language=expression.language or wish.language,
    )
    place = _place_of_work(kin, works, other)
    reasons = (reason("LX947", expression.version, said, component="version"), *place.reasons)
    return replace(place, reasons=reasons)


def _named_manifestation(kin: Kin, place: Place, name: Name, tongue: Tongue) -> Place:
    """The manifestation that is meant among those of the versions chosen; all, if none is."""
    given = name.manifestation
    ways = [
        (names, found)
        for names in place.nodes
        if given is not None and (found := _like(given, names, tongue)) is not None
    ]
    if not ways:
        told = reason("LX947", given, "all that there are are given", component="manifestation")
        return replace(place, reasons=(*place.reasons, told))
    best = max(score_of(reasons) for _, reasons in ways)
    equal = [way for way in ways if score_of(way[1]) == best]
    chosen = [way for way in equal if not all(map(kin.is_gone, way[0]))] or equal
    held = kin.canonical(chosen[0][0][0])
    said = chosen[0][1]
    if name.expression is None and held.expression is not None:
        said = (reason("LX946", "", held.expression.version, component="version"), *said)
    return replace(
        place,
        name=held if len(chosen) == 1 else place.name,
        is_of_several=place.is_of_several and len(chosen) > 1,
        reasons=(*place.reasons, *said),
        nodes=tuple(names for names, _ in chosen),
    )


def _like(given: ManifestationIdentifier, names: Iterable[Name], tongue: Tongue) -> Reasons | None:
    ways = (
        compared_manifestation(given, each.manifestation, tongue)
        for each in names
        if each.manifestation is not None
    )
    return max((way for way in ways if way is not None), key=score_of, default=None)
