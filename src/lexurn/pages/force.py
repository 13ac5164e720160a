"""Sentences on the force of acts and versions, each true until the law changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.labels import describe_version
from lexurn.model import ForceBasis, LegalForce

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.model import Chain, ChainVersion
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView, VersionPosition
    from lexurn.pages.words import Words

_BASIS_KEYS = {
    ForceBasis.STATED: "basis.stated",
    ForceBasis.EVENT_DATE: "basis.event-date",
    ForceBasis.AMENDMENT_DATE: "basis.amendment-date",
    ForceBasis.ACT_DATE: "basis.act-date",
    ForceBasis.PUBLISHED: "basis.published",
    ForceBasis.NEXT_VERSION: "basis.next-version",
}


def describe_version_force(view: FamilyView, position: VersionPosition, words: Words) -> str:
    """Return whether a version is in force, in a sentence that stays true until that changes."""
    return _describe_state(view, position, words) or _describe_span(view, position, words)


def describe_work_force(view: FamilyView, chain: Chain, words: Words) -> str:
    """Return since when a work and its current version are in force, by one chain.

    The first day of the work is the one that is stated.
    """
    current, act = chain.current(view.as_of), chain.last.act_force
    position = None if current.version is None else view.position(current.version)
    if position is not None:
        version = position.version
        force, start = chain.find_force(version, view.as_of), describe_start(version, words)
        if force is None:
            text = words("force.latest-known", day=start)
            named = describe_version(version.name, words.language)
            return f"{words('force.of-version', state=text, version=named)}."
        since = act.in_force_from if force is LegalForce.IN_FORCE else act.force_on
        since = since if act.force in {None, force} else None
        text = f"{describe_state(force, since, words)}."
        if force.is_in_force and version.start not in {None, since}:
            text = f"{text} {words('force.current-since', day=start)}."
        return text
    state = act.find_state(view.as_of)
    if state is not None and not state.is_in_force:
        return f"{describe_state(state, act.in_force_until, words)}."
    if current.since is not None:
        key = "force.ended" if act.in_force_until == current.since else "force.none-since"
        return f"{words(key, day=words.day(current.since))}."
    if chain.begin is None:
        return f"{words('force.unknown-version')}."
    key = "force.first-starts" if chain.first is not None else "force.first-known-starts"
    return f"{words(key, day=words.day(chain.begin))}."


def describe_act_force(view: FamilyView, name: Name, words: Words) -> str | None:
    """Return whether an act without versions is in force; None where that is not known."""
    force = view.find_force(name)
    if force is None:
        return None
    start, until = view.find_stated_force(name)
    if start is not None and start > view.as_of:
        return f"{words('force.not-yet', day=words.day(start))}."
    record = view.record(name)
    since = record.force_on if record.force is force else None
    if since is None:
        since = start if force.is_in_force else until
    return f"{describe_state(force, since, words)}."


def describe_state(state: LegalForce, since: dt.date | None, words: Words) -> str:
    """Return a state of force in words, with its first day if that is known."""
    if since is None:
        return words(f"force.{state.value}")
    return words(f"force.{state.value}-since", day=words.day(since))


def describe_start(version: ChainVersion, words: Words) -> str:
    """Return the first day in force, and its source if that is not a statement."""
    if version.start is None or version.start_basis is None:
        return words("force.day-unknown")
    day, basis = words.day(version.start), version.start_basis
    if basis is ForceBasis.STATED:
        return day
    key = "force.inferred" if version.is_force_stated else "force.inferred-only"
    return words(key, day=day, basis=words(_BASIS_KEYS[basis]))


def _describe_span(view: FamilyView, position: VersionPosition, words: Words) -> str:
    version, is_stated = position.version, position.version.is_force_stated
    if not version.is_dated:
        return f"{words('force.unknown')}."
    start, until = describe_start(version, words), version.until
    if version.start is not None and not version.has_span:
        versions = position.chain.versions
        following = versions[versions.index(version) + 1 :]
        is_replaced = any(each.start == version.start for each in following)
        key = "force.replaced-first-day" if is_replaced else "force.never"
        return f"{words(key, day=words.day(version.start))}."
    if version.start is not None and version.start > view.as_of:
        key, day = "force.not-yet" if is_stated else "force.later", start
    elif until is not None and until <= view.as_of:
        key, day = "force.ended" if is_stated else "force.replaced", words.day(until)
    elif is_stated:
        key, day = "force.in-force-since", start
    elif until is not None:
        return f"{words('force.span', day=start, until=words.day(until))}."
    else:
        return f"{words('force.latest-known', day=start)}. {words('force.not-known')}."
    return f"{words(key, day=day)}."


def _describe_state(view: FamilyView, position: VersionPosition, words: Words) -> str | None:
    """Return the state of force that is stated for a version; None where its days say the same.

    The state of the act is that of the version in force, and of one of which no end is known.
    """
    chain, version, day = position.chain, position.version, view.as_of
    is_current = chain.current(day).version == version.name
    force = version.stated_force
    if force.find_state(day) is None and (is_current or version.until is None):
        force = version.act_force
    state, on = force.find_state(day), force.force_on
    is_of_act = force is version.act_force
    if state is None or (state is LegalForce.IN_FORCE and (is_current or is_of_act)):
        return None
    if on is None and is_current and state.is_in_force:
        return f"{words(f'force.{state.value}-since', day=describe_start(version, words))}."
    return f"{describe_state(state, on, words)}."
