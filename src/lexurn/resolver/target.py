"""Target of a name in an act that was found: annex, version, manifestation (RFC 9676 §6.4).

Each component of the name is compared with those that the catalogue has.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.catalogue import list_some
from lexurn.lazy import compile_late
from lexurn.model import is_original
from lexurn.name import Level
from lexurn.resolver.answer import compute_score, make_reason
from lexurn.resolver.comparison import compare_parts, compare_word
from lexurn.resolver.family import (
    choose_edition,
    explain_force,
    is_version_withdrawn,
    list_withdrawn,
    make_edition,
    replace_act,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue import LegalVocabulary
    from lexurn.model import Chain, ChainVersion
    from lexurn.name import (
        Annex,
        Component,
        ExpressionIdentifier,
        Feature,
        ManifestationIdentifier,
        Name,
        Version,
    )
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Edition, Reason, Reasons
    from lexurn.resolver.family import FamilyView

    _Way = tuple[Sequence[Name], Reasons]


class Preferences(NamedTuple):
    """Preferences for versions, and the registry.

    Attributes:
        day: the day for versions in force.
        is_day_asked: True if the user gave that day.
        language: the language, or None for all.
        registry: the registry of law and words; None for the built-in one.
    """

    day: dt.date
    is_day_asked: bool
    language: str | None
    registry: Registry | None


def find_annex(
    view: FamilyView, works: Sequence[Name], annexes: Sequence[Annex], vocabulary: LegalVocabulary
) -> tuple[Sequence[Name], Reasons, bool]:
    """Find the annex, or the last held one above it; with reasons, and True if it was found.

    Of several that match equally none is chosen: they are listed, and the name above them is given.
    Annexes below them that match tell them apart first.
    """
    ways: list[_Way] = [(works, ())]
    sure: _Way = works, ()
    below: Sequence[Annex] = annexes
    for position, annex in enumerate(annexes):
        further = _find_next_annexes(view, ways, annex, vocabulary)
        if not further:
            break
        ways, below = further, annexes[position + 1 :]
        if len(ways) == 1:
            sure = ways[0]
    if len(ways) > 1:
        names = list_some([view.family.canonical(way[0][0]) for way in ways])
        reason = make_reason(
            "LX947",
            annexes[len(sure[0][0].work.annexes)],
            f"these match equally, so none is chosen: {names}",
            component="annex",
        )
        return sure[0], (*sure[1], reason), False
    if not below:
        return *sure, True
    above = view.family.canonical(sure[0][0])
    missing = make_reason("LX947", below[0], f"{above} is, of which it is part", component="annex")
    return sure[0], (*sure[1], missing), False


def _find_next_annexes(
    view: FamilyView, ways: Sequence[_Way], annex: Annex, vocabulary: LegalVocabulary
) -> list[_Way]:
    """Return the annexes one step further down that match best, each once."""
    found: dict[Name, _Way] = {}
    for works, reasons in ways:
        for each in view.list_children(works, Level.WORK):
            compared = _compare_annex(annex, each.work.annexes[-1], vocabulary)
            if compared is None:
                continue
            way = view.list_equals(each), (*reasons, *compared)
            other = found.setdefault(view.family.canonical(each), way)
            if compute_score(other[1]) < compute_score(way[1]):
                found[view.family.canonical(each)] = way
    best = max((compute_score(reasons) for _, reasons in found.values()), default=0.0)
    equal = [name for name in sorted(found, key=str) if compute_score(found[name][1]) == best]
    # A withdrawn name yields to one that is not.
    return [found[name] for name in [each for each in equal if not view.is_gone(each)] or equal]


def _compare_annex(given: Annex, held: Annex, vocabulary: LegalVocabulary) -> Reasons | None:
    if given == held:
        return ()
    full = vocabulary.heading(given.id)
    if full != given.id and full == held.id:
        spelt: Reasons | None = (make_reason("LX942", given.id, held.id, component="annex"),)
    else:
        spelt = compare_word(given.id, held.id, "annex", vocabulary)
    if spelt is None or given.specifications == held.specifications:
        return spelt
    if not given.specifications:
        rest = ";".join(held.specifications)
        return (*spelt, make_reason("LX946", "", rest, component="annex-specification"))
    if not held.specifications:
        rest = ";".join(given.specifications)
        return (*spelt, make_reason("LX947", rest, "the annex is", component="annex-specification"))
    specifications = ".".join(given.specifications), ".".join(held.specifications)
    titles = compare_word(*specifications, "annex-specification", vocabulary)
    return None if titles is None else (*spelt, *titles)


_YEAR: Final = compile_late(r"[0-9]{4}")


def compare_version(given: Version, held: Version, vocabulary: LegalVocabulary) -> Reasons | None:
    """Return the differences of two versions; None if they are not the same (section 7.1.2)."""
    if given == held:
        return ()
    head = _compare_head(given, held, vocabulary)
    if head is None or given.events == held.events:
        return head
    mine, theirs = list(map(str, given.events)), list(map(str, held.events))
    if all(event in theirs for event in mine):
        return (*head, make_reason("LX946", "", ";".join(theirs), component="event"))
    if all(event in mine for event in theirs):
        return (*head, make_reason("LX947", ";".join(mine), _WITHOUT_EVENT, component="event"))
    return None


_WITHOUT_EVENT: Final = "the version without it is"


def _compare_head(given: Version, held: Version, vocabulary: LegalVocabulary) -> Reasons | None:
    """Return the differences of two versions before their events."""
    if given.date is not None:
        if held.date is None or given.date.iso != held.date.iso:
            return None
        if given.date == held.date:
            return ()
        return (make_reason("LX949", given.date, held.date, component="version"),)
    label = str(given.specification)
    if held.date is not None:
        is_its_year = _YEAR.fullmatch(label) and held.date.iso.startswith(f"{label}-")
        return (
            (make_reason("LX950", label, held.date, component="version"),) if is_its_year else None
        )
    other = str(held.specification)
    if is_original(given) and is_original(held):
        same = label == other
        return () if same else (make_reason("LX942", label, other, component="version"),)
    return compare_word(label, other, "version", vocabulary)


def _is_within(tag: str | None, wanted: str) -> bool:
    return tag is not None and (tag == wanted or tag.startswith(f"{wanted}-"))


def compare_manifestation(
    given: ManifestationIdentifier, held: ManifestationIdentifier, vocabulary: LegalVocabulary
) -> Reasons | None:
    """Return the differences of two manifestations; None if editor or format differ (§5.7)."""
    if given == held:
        return ()
    if given.editor.publisher != held.editor.publisher:
        return None
    mime: Reasons | None = ()
    if given.format.mime != held.format.mime:
        # The second half of a media type may stand for all of it.
        is_half = held.format.mime.endswith(f"-{given.format.mime}")
        reason = make_reason("LX942", given.format.mime, held.format.mime, component="format")
        mime = (reason,) if is_half else None
    editor, form = (
        compare_parts(mine.specifications, theirs.specifications, "specification", vocabulary)
        for mine, theirs in ((given.editor, held.editor), (given.format, held.format))
    )
    component = _compare_optional(given.component, held.component, "component", vocabulary)
    feature = _compare_optional(given.feature, held.feature, "feature", vocabulary)
    found: list[Reason] = []
    for part in (mime, editor, form, component, feature):
        if part is None:
            return None
        found += part
    return tuple(found)


def _compare_optional(
    given: Component | Feature | None,
    held: Component | Feature | None,
    word: str,
    vocabulary: LegalVocabulary,
) -> Reasons | None:
    if given == held:
        return ()
    if given is None:
        return (make_reason("LX946", "", held, component=word),)
    if held is None:
        return (make_reason("LX947", given, "the document without it is", component=word),)
    return compare_parts(str(given).split(";"), str(held).split(";"), word, vocabulary)


class Target(NamedTuple):
    """Thing in a family that a name leads to.

    Attributes:
        name: the canonical name, at the lowest level that was found.
        reasons: differences and remarks.
        editions: the versions that were chosen.
        nodes: all names of each thing whose copies are wanted.
        is_work_held: True if the annex is held; otherwise its partitions are not either.
        is_of_several: True if several things below the name were found.
    """

    name: Name
    reasons: Reasons = ()
    editions: tuple[Edition, ...] = ()
    nodes: tuple[tuple[Name, ...], ...] = ()
    is_work_held: bool = True
    is_of_several: bool = False


def find_target(view: FamilyView, name: Name, preferences: Preferences) -> Target:
    """Find the thing that a name leads to; its act or alias is one of the family."""
    return _TargetSearch(view, preferences, name.jurisdiction.code).find(name)


class _TargetSearch:
    """Search in a family with preferences, for a name of a jurisdiction-code."""

    def __init__(self, view: FamilyView, preferences: Preferences, code: str) -> None:
        self._view, self._preferences, self._code = view, preferences, code

    @property
    def _vocabulary(self) -> LegalVocabulary:
        """Law and words of the jurisdiction."""
        from lexurn.catalogue import load_vocabulary  # noqa: PLC0415 - few names need them
        from lexurn.registry import load_registry  # noqa: PLC0415 - as above

        return load_vocabulary(self._preferences.registry or load_registry(), self._code)

    def find(self, name: Name) -> Target:
        """Find the thing that a name leads to: directly, under another act, or step by step."""
        view, act = self._view, name.act_name
        if view.family.record(name) is not None:
            return self._find_directly(name)
        others = (replace_act(other, name) for other in view.list_equals(act) if other != act)
        held = [each for each in others if each is not None and view.family.record(each)]
        if held:
            under_other = next((each for each in held if not view.is_gone(each)), held[0])
            target = self._find_directly(under_other)
            reason = make_reason("LX943", name, target.name)
            return target._replace(reasons=(reason, *target.reasons))
        return self._find_step_by_step(name)

    def _find_directly(self, name: Name) -> Target:
        """Find the thing that a held name leads to."""
        view = self._view
        found, names = view.family.canonical(name), view.list_equals(name)
        reasons = (make_reason("LX943", name, found),) if found != name else ()
        is_work = name.level is Level.WORK
        target = self._find_work(names) if is_work else self._find_below(names, name)
        return target._replace(reasons=(*reasons, *target.reasons)) if reasons else target

    def _find_work(self, works: Sequence[Name]) -> Target:
        """Find the best versions of a work, and the documents of the work itself."""
        view, preferences = self._view, self._preferences
        known = self._list_chains(works)
        chains, missing = self._select_language(known, preferences.language)
        day, is_asked = preferences.day, preferences.is_day_asked
        chosen = [choose_edition(view, chain, day, is_day_asked=is_asked) for chain in chains]
        found = (edition for edition, _ in chosen if edition is not None)
        editions = sorted(found, key=lambda each: str(each.name))
        reasons = dict.fromkeys(why for _, why in chosen if why is not None)
        force = gone = None
        if not known:
            force = explain_force(view, works[0], day)
            if list_withdrawn(view, works):
                gone = make_reason("LX952", f"all versions of {works[0]} are withdrawn")
        versions = [view.list_equals(each.name) for each in editions]
        return Target(
            name=view.family.canonical(works[0]),
            reasons=(*filter(None, (missing, gone, force)), *reasons),
            editions=tuple(editions),
            nodes=tuple(self._list_documents([*versions, tuple(works)])),
        )

    def _find_below(self, names: Sequence[Name], given: Name) -> Target:
        """Find a version with its documents, or a manifestation alone."""
        view, day = self._view, self._preferences.day
        name, nodes = names[0], [tuple(names)]
        versions: Sequence[Name] = ()
        if name.level is Level.EXPRESSION:
            versions, nodes = names, list(self._list_documents(nodes))
        elif name.expression is not None:
            versions = view.list_equals(name.document.parent or name)
        works = view.list_equals(versions[0].work_name) if versions else ()
        found = [
            (chain, version)
            for chain in [*self._list_chains(works), *(works and list_withdrawn(view, works))]
            for version in chain.versions
            if not set(version.names).isdisjoint(versions)
        ]
        is_silent = given.expression is not None and given.expression.language is None
        wanted = self._preferences.language if is_silent else None
        _, missing = self._select_language([chain for chain, _ in found], wanted)
        return Target(
            name=view.family.canonical(name),
            reasons=() if missing is None else (missing,),
            editions=tuple(make_edition(view, chain, version, day) for chain, version in found),
            nodes=tuple(nodes),
        )

    def _list_chains(self, works: Sequence[Name]) -> list[Chain]:
        return [chain for chain in self._view.family.chains if chain.work in works]

    def _select_language(
        self, chains: Sequence[Chain], wanted: str | None
    ) -> tuple[Sequence[Chain], Reason | None]:
        """Return the chains in a wanted language, else the nearest ones and the reason.

        Without a wanted language, these are all. Else the first of these that is not empty: the
        chains in the language or a variety of it; those without a language, if it is the sole
        official one (section 5.6); those in the language that it is a variety of; all chains. Only
        the last two need a reason.
        """
        if wanted is None or not chains:
            return chains, None
        exact = [each for each in chains if _is_within(each.language, wanted)]
        if exact:
            return exact, None
        primary = wanted.partition("-")[0]
        if self._vocabulary.law.languages == (primary,):
            silent = [each for each in chains if each.language is None]
            if silent:
                return silent, None
        wider = [each for each in chains if _is_within(each.language, primary)]
        nearest = wider or chains
        held = ", ".join(sorted({each.language or "none named" for each in nearest}))
        return nearest, make_reason("LX953", wanted, f"it has: {held}", component="language")

    def _list_documents(self, things: Iterable[Sequence[Name]]) -> Iterator[tuple[Name, ...]]:
        """Yield things that have copies, and their manifestations, each with all its names."""
        view = self._view
        for names in things:
            records = view.list_records(name for name in names if not view.is_gone(name))
            if any(record.items for record in records) or view.has_parts(names):
                yield tuple(names)
            children = view.list_children(names, Level.MANIFESTATION)
            targets = dict.fromkeys(map(view.family.canonical, children))
            yield from (view.list_equals(target) for target in sorted(targets, key=str))

    def _find_step_by_step(self, name: Name) -> Target:
        """Find the thing that a name leads to, as far down as its components are held."""
        view = self._view
        works, reasons, is_whole = find_annex(
            view, view.list_equals(name.act_name), name.work.annexes, self._vocabulary
        )
        act = view.family.canonical(works[0]).act_name
        if is_whole and name.act_name != act:
            reasons = (make_reason("LX943", name.act_name, act), *reasons)
        if is_whole and name.expression is not None:
            target = self._find_version(works, name.expression)
        else:
            target = self._find_work(works)
        if is_whole and name.manifestation is not None:
            target = self._find_manifestation(target, name, name.manifestation)
        return target._replace(reasons=(*reasons, *target.reasons), is_work_held=is_whole)

    def _find_version(self, works: Sequence[Name], expression: ExpressionIdentifier) -> Target:
        """Find the version, in the language of the name or in all."""
        view, day = self._view, self._preferences.day
        ways = list(self._compare_versions(works, expression.version))
        if not ways:
            return self._find_for_unknown_version(works, expression)
        wanted = expression.language or self._preferences.language
        chains, missing = self._select_language([way[0] for way in ways], wanted)
        spoken = [way for way in ways if any(way[0] is chain for chain in chains)]
        best = max(compute_score(reasons) for _, _, reasons in spoken)
        equal = [way for way in spoken if compute_score(way[2]) == best]
        # A withdrawn name yields to one that is not.
        chosen = [way for way in equal if not is_version_withdrawn(view, way[1])] or equal
        editions = sorted(
            (make_edition(view, chain, version, day) for chain, version, _ in chosen),
            key=lambda each: str(each.name),
        )
        gone = [way[1].name for way in equal if way not in chosen]
        return Target(
            name=editions[0].name if len(editions) == 1 else view.family.canonical(works[0]),
            reasons=(
                *chosen[0][2],
                *_explain_language(expression.language, [way[0] for way in chosen]),
                *(() if missing is None else (missing,)),
                *(make_reason("LX952", f"{each} is withdrawn") for each in gone),
            ),
            editions=tuple(editions),
            nodes=tuple(self._list_documents([view.list_equals(each.name) for each in editions])),
            is_of_several=len(editions) > 1,
        )

    def _compare_versions(
        self, works: Sequence[Name], given: Version
    ) -> Iterator[tuple[Chain, ChainVersion, Reasons]]:
        """Yield the similar versions of a work, with their differences."""
        vocabulary = self._vocabulary
        for chain in [*self._list_chains(works), *list_withdrawn(self._view, works)]:
            for version in chain.versions:
                held = (name.expression for name in version.names)
                best = _choose_fewest(
                    compare_version(given, each.version, vocabulary)
                    for each in held
                    if each is not None
                )
                if best is not None:
                    yield chain, version, best

    def _find_for_unknown_version(
        self, works: Sequence[Name], expression: ExpressionIdentifier
    ) -> Target:
        """Find the version in force on the day that an unknown version names, else the best one."""
        preferences, version = self._preferences, expression.version
        # The last day that it names, of a year the end.
        dates = [event.date for event in version.events if event.date is not None]
        last, label = dates[-1] if dates else version.date, str(version.specification)
        day = None if last is None else last.day
        if last is None and _YEAR.fullmatch(label) and int(label) >= dt.MINYEAR:
            day = dt.date(int(label), 12, 31)
        instead = "the version in force is used" + (f" on {day}" if day else "")
        other = preferences._replace(
            day=day or preferences.day,
            is_day_asked=preferences.is_day_asked or day is not None,
            language=expression.language or preferences.language,
        )
        target = _TargetSearch(self._view, other, self._code)._find_work(works)  # noqa: SLF001 - its own class
        reason = make_reason("LX947", version, instead, component="version")
        return target._replace(reasons=(reason, *target.reasons))

    def _find_manifestation(
        self, target: Target, name: Name, given: ManifestationIdentifier
    ) -> Target:
        """Find the manifestation among those of the chosen versions; else all of them."""
        view, vocabulary = self._view, self._vocabulary
        ways: list[_Way] = []
        for names in target.nodes:
            best = _choose_fewest(
                compare_manifestation(given, each.manifestation, vocabulary)
                for each in names
                if each.manifestation is not None
            )
            if best is not None:
                ways.append((names, best))
        if not ways:
            reason = make_reason(
                "LX947", given, "all manifestations are given", component="manifestation"
            )
            return target._replace(reasons=(*target.reasons, reason))
        score = max(compute_score(reasons) for _, reasons in ways)
        equal = [way for way in ways if compute_score(way[1]) == score]
        chosen = [way for way in equal if not all(map(view.is_gone, way[0]))] or equal
        held, reasons = view.family.canonical(chosen[0][0][0]), chosen[0][1]
        if name.expression is None and held.expression is not None:
            version = held.expression.version
            reasons = (make_reason("LX946", "", version, component="version"), *reasons)
        return target._replace(
            name=held if len(chosen) == 1 else target.name,
            is_of_several=target.is_of_several and len(chosen) > 1,
            reasons=(*target.reasons, *reasons),
            nodes=tuple(tuple(names) for names, _ in chosen),
        )


def _choose_fewest(ways: Iterable[Reasons | None]) -> Reasons | None:
    """Return the reasons with the best score; None if there are none."""
    return max((way for way in ways if way is not None), key=compute_score, default=None)


def _explain_language(given: str | None, chains: Sequence[Chain]) -> Iterator[Reason]:
    """Explain how the language of the name differs from those of the versions."""
    held = sorted({chain.language for chain in chains if chain.language is not None})
    languages = ", ".join(held)
    if given is None and held:
        yield make_reason("LX946", "", languages, component="language")
    elif given is not None and given not in held:
        instead = f"it has: {languages}" if held else "the version without a language is"
        yield make_reason("LX947", given, instead, component="language")
