"""Way within an act that was found, down to what its name asks for: annex, version, manifestation.

Each is compared with those that are held (RFC 9676 6.4).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.catalogue import list_some, load_vocabulary
from lexurn.model import is_original
from lexurn.name import Level
from lexurn.resolver.answer import compute_score, make_reason
from lexurn.resolver.comparison import compare_parts, compare_word, knows_nothing
from lexurn.resolver.family import (
    choose_edition,
    explain_force,
    is_version_withdrawn,
    make_edition,
    replace_act,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.catalogue import LegalVocabulary
    from lexurn.model import Chain, ChainVersion
    from lexurn.name import (
        Annex,
        Component,
        Date,
        ExpressionIdentifier,
        Feature,
        ManifestationIdentifier,
        Name,
        Version,
    )
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Edition, Reason
    from lexurn.resolver.family import FamilyView

    Reasons = tuple[Reason, ...]

    _Way = tuple[Sequence[Name], Reasons]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What is wanted besides the name.

    Attributes:
        day: the day for what is in force.
        is_day_asked: whether somebody asked for that day.
        language: the language wanted, or None for all.
        registry: whose law and words are known.
        code: the jurisdiction-code.
    """

    day: dt.date
    is_day_asked: bool
    language: str | None
    registry: Registry
    code: str

    @property
    def tongue(self) -> LegalVocabulary:
        """The law and words of the jurisdiction; few names need them, so they are read late."""
        return load_vocabulary(self.registry, self.code)


def find_annex(
    kin: FamilyView, works: Sequence[Name], annexes: Sequence[Annex], tongue: LegalVocabulary
) -> tuple[Sequence[Name], Reasons, bool]:
    """The annex that is meant, or the last above it that is held.

    Of several that match equally none is chosen: what is above them all is given, and they are
    named; but first those that have what is asked for below are told from those that have not.
    """
    ways: list[_Way] = [(works, ())]
    sure: _Way = works, ()
    below: Sequence[Annex] = annexes
    for place, annex in enumerate(annexes):
        further = _find_next_annexes(kin, ways, annex, tongue)
        if not further:
            break
        ways, below = further, annexes[place + 1 :]
        if len(ways) == 1:
            sure = ways[0]
    if len(ways) > 1:
        return sure[0], (*sure[1], _explain_equal(kin, sure[0], ways, annexes)), False
    if not below:
        return *sure, True
    above = kin.canonical(sure[0][0])
    missing = make_reason("LX947", below[0], f"{above} is, of which it is part", component="annex")
    return sure[0], (*sure[1], missing), False


def _find_next_annexes(
    kin: FamilyView, ways: Sequence[_Way], annex: Annex, tongue: LegalVocabulary
) -> list[_Way]:
    """The annexes one step further down that match best, each once."""
    found: dict[Name, _Way] = {}
    for works, reasons in ways:
        for each in kin.annexes(works):
            compared = _compare_annex(annex, each.work.annexes[-1], tongue)
            if compared is None:
                continue
            way = kin.equals(each), (*reasons, *compared)
            other = found.setdefault(kin.canonical(each), way)
            if compute_score(other[1]) < compute_score(way[1]):
                found[kin.canonical(each)] = way
    best = max((compute_score(reasons) for _, reasons in found.values()), default=0.0)
    equal = [name for name in sorted(found, key=str) if compute_score(found[name][1]) == best]
    # What is withdrawn yields to what is not.
    return [found[name] for name in [each for each in equal if not kin.is_gone(each)] or equal]


def _explain_equal(
    kin: FamilyView, works: Sequence[Name], ways: Sequence[_Way], annexes: Sequence[Annex]
) -> Reason:
    """Which annexes match equally, below a work that all of them are part of."""
    above = len(works[0].work.annexes)
    names = [kin.canonical(names[0]) for names, _ in ways]
    told = f"these match equally, so that none is chosen: {list_some(names)}"
    return make_reason("LX947", annexes[above], told, component="annex")


def _compare_annex(given: Annex, held: Annex, tongue: LegalVocabulary) -> Reasons | None:
    if given == held:
        return ()
    spelt = _compare_heading(given.id, held.id, tongue)
    if spelt is None or given.specifications == held.specifications:
        return spelt
    if not given.specifications:
        rest = ";".join(held.specifications)
        return (*spelt, make_reason("LX946", "", rest, component="annex-specification"))
    if not held.specifications:
        rest = ";".join(given.specifications)
        return (*spelt, make_reason("LX947", rest, "the annex is", component="annex-specification"))
    behind = ".".join(given.specifications), ".".join(held.specifications)
    titles = compare_word(*behind, "annex-specification", tongue)
    return None if titles is None else (*spelt, *titles)


def _compare_heading(given: str, held: str, tongue: LegalVocabulary) -> Reasons | None:
    full = tongue.heading(given)
    if full != given and full == held:
        return (make_reason("LX942", given, held, component="annex"),)
    return compare_word(given, held, "annex", tongue)


_YEAR: Final = re.compile(r"[0-9]{4}")


def compare_version(given: Version, held: Version, tongue: LegalVocabulary) -> Reasons | None:
    """In what two versions differ; None where they are others (section 7.1.2)."""
    if given == held:
        return ()
    head = _compare_head(given, held, tongue)
    if head is None or given.events == held.events:
        return head
    mine, theirs = list(map(str, given.events)), list(map(str, held.events))
    if all(event in theirs for event in mine):
        return (*head, make_reason("LX946", "", ";".join(theirs), component="event"))
    if all(event in mine for event in theirs):
        return (*head, make_reason("LX947", ";".join(mine), _WITHOUT_EVENT, component="event"))
    return None


_WITHOUT_EVENT: Final = "the version without it is"


def _compare_head(given: Version, held: Version, tongue: LegalVocabulary) -> Reasons | None:
    """In what two versions differ before their events."""
    if given.date is not None:
        return None if held.date is None else _compare_days(given.date, held.date)
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
    return compare_word(label, other, "version", tongue)


def _compare_days(given: Date, held: Date) -> Reasons | None:
    if given.iso != held.iso:
        return None
    return () if given == held else (make_reason("LX949", given, held, component="version"),)


def find_day(version: Version) -> dt.date | None:
    """The last day that a version names: what was in force on it may be meant.

    That of a bare year is its end.
    """
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    return _find_end_of_year(str(version.specification)) if last is None else last.day


def _find_end_of_year(label: str) -> dt.date | None:
    """The last day of a label that is a year; None of another label, and of the year 0000."""
    if _YEAR.fullmatch(label) is None or int(label) < dt.MINYEAR:
        return None
    return dt.date(int(label), 12, 31)


def select_chains(
    chains: Sequence[Chain], wanted: str, tongue: LegalVocabulary
) -> tuple[Sequence[Chain], Reason | None]:
    """The versions in a language; all of them, and the reason, where there are none in it.

    A language finds its varieties, and a variety that is not held finds its language. What names
    no language is in the sole official one (section 5.6).
    """
    if not chains:
        return chains, None
    exact = [each for each in chains if _is_within(each.language, wanted)]
    if exact:
        return exact, None
    primary = wanted.partition("-")[0]
    if tongue.law.languages == (primary,):
        silent = [each for each in chains if each.language is None]
        if silent:
            return silent, None
    wider = [each for each in chains if _is_within(each.language, primary)]
    held = ", ".join(sorted({each.language or "none named" for each in wider or chains}))
    return wider or chains, make_reason("LX953", wanted, f"given is: {held}", component="language")


def _is_within(tag: str | None, wanted: str) -> bool:
    return tag is not None and (tag == wanted or tag.startswith(f"{wanted}-"))


def compare_manifestation(
    given: ManifestationIdentifier, held: ManifestationIdentifier, tongue: LegalVocabulary
) -> Reasons | None:
    """In what two manifestations differ; None where editor or format are others (section 5.7)."""
    if given == held:
        return ()
    if given.editor.publisher != held.editor.publisher:
        return None
    mime = _compare_mime(given.format.mime, held.format.mime)
    editor = _compare_behind(given.editor.specifications, held.editor.specifications, tongue)
    form = _compare_behind(given.format.specifications, held.format.specifications, tongue)
    component = _compare_optional(given.component, held.component, "component", tongue)
    feature = _compare_optional(given.feature, held.feature, "feature", tongue)
    found: list[Reason] = []
    for part in (mime, editor, form, component, feature):
        if part is None:
            return None
        found += part
    return tuple(found)


def _compare_mime(given: str, held: str) -> Reasons | None:
    """Two formats; the second half of a media type may stand for all of it."""
    if given == held:
        return ()
    return (
        (make_reason("LX942", given, held, component="format"),)
        if held.endswith(f"-{given}")
        else None
    )


def _compare_behind(
    given: Sequence[str], held: Sequence[str], tongue: LegalVocabulary
) -> Reasons | None:
    return compare_parts(given, held, "specification", tongue, knows_nothing)


def _compare_optional(
    given: Component | Feature | None,
    held: Component | Feature | None,
    word: str,
    tongue: LegalVocabulary,
) -> Reasons | None:
    if given == held:
        return ()
    if given is None:
        return (make_reason("LX946", "", held, component=word),)
    if held is None:
        return (make_reason("LX947", given, "the document without it is", component=word),)
    return compare_parts(str(given).split(";"), str(held).split(";"), word, tongue, knows_nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
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


def find_target(kin: FamilyView, name: Name, wish: Preferences) -> Target:
    """Where a name leads to; its act or alias is one of the family's."""
    if kin.record(name) is not None:
        return _find_directly(kin, name, wish)
    under_other = _find_under_other_act(kin, name)
    if under_other is not None:
        place = _find_directly(kin, under_other, wish)
        return replace(place, reasons=(make_reason("LX943", name, place.name), *place.reasons))
    return _find_step_by_step(kin, name, wish)


def _find_under_other_act(kin: FamilyView, name: Name) -> Name | None:
    """The same annex, version or manifestation under another name of the act."""
    act = name.act_name
    others = (replace_act(other, name) for other in kin.equals(act) if other != act)
    held = [each for each in others if each is not None and kin.record(each)]
    return next((each for each in held if not kin.is_gone(each)), next(iter(held), None))


def _find_directly(kin: FamilyView, name: Name, wish: Preferences) -> Target:
    """Where a name that is held leads to."""
    found = kin.canonical(name)
    said = (make_reason("LX943", name, found),) if found != name else ()
    if name in kin.circles:
        said = (*said, make_reason("LX944", name))
    names = kin.equals(name)
    if name.level is Level.WORK:
        place = _find_work(kin, names, wish)
    else:
        place = _find_below(kin, names, name, wish)
    return replace(place, name=found, reasons=(*said, *place.reasons))


def _find_work(kin: FamilyView, works: Sequence[Name], wish: Preferences) -> Target:
    """The best versions of a work, and all that is there of the work itself."""
    known = _list_chains(kin, works)
    chains, missing = _select_language(known, wish.language, wish)
    editions, reasons = _choose_editions(kin, chains, wish)
    told = None if known else explain_force(kin, works[0], wish.day)
    nodes = (
        *_list_documents(kin, _list_versions(kin, editions)),
        *_list_documents(kin, [tuple(works)]),
    )
    return Target(
        name=kin.canonical(works[0]),
        reasons=(*filter(None, (missing, told)), *reasons),
        editions=editions,
        nodes=nodes,
    )


def _find_below(kin: FamilyView, names: Sequence[Name], asked: Name, wish: Preferences) -> Target:
    """A version with its documents, or a manifestation alone."""
    name, nodes = names[0], [tuple(names)]
    versions: Sequence[Name] = ()
    if name.level is Level.EXPRESSION:
        versions, nodes = names, list(_list_documents(kin, nodes))
    elif name.expression is not None:
        versions = kin.equals(name.document.parent or name)
    found = list(_find_named_versions(kin, versions)) if versions else []
    is_silent = asked.expression is not None and asked.expression.language is None
    _, missing = _select_language(
        [chain for chain, _ in found], wish.language if is_silent else None, wish
    )
    return Target(
        name=kin.canonical(name),
        reasons=() if missing is None else (missing,),
        editions=tuple(make_edition(kin, chain, version, wish.day) for chain, version in found),
        nodes=tuple(nodes),
    )


def _find_named_versions(
    kin: FamilyView, versions: Sequence[Name]
) -> Iterator[tuple[Chain, ChainVersion]]:
    for chain in _list_chains(kin, kin.equals(versions[0].work_name)):
        for version in chain.versions:
            if not set(version.names).isdisjoint(versions):
                yield chain, version


def _list_chains(kin: FamilyView, works: Sequence[Name]) -> list[Chain]:
    return [chain for chain in kin.family.chains if chain.work in works]


def _select_language(
    chains: Sequence[Chain], wanted: str | None, wish: Preferences
) -> tuple[Sequence[Chain], Reason | None]:
    """The versions in a language, if one is wanted."""
    return (chains, None) if wanted is None else select_chains(chains, wanted, wish.tongue)


def _choose_editions(
    kin: FamilyView, chains: Iterable[Chain], wish: Preferences
) -> tuple[tuple[Edition, ...], Reasons]:
    editions: list[Edition] = []
    reasons: dict[Reason, None] = {}
    for chain in chains:
        edition, why = choose_edition(kin, chain, wish.day, is_day_asked=wish.is_day_asked)
        if edition is not None:
            editions.append(edition)
        if why is not None:
            reasons[why] = None
    return tuple(sorted(editions, key=lambda each: str(each.name))), tuple(reasons)


def _list_versions(kin: FamilyView, editions: Iterable[Edition]) -> list[tuple[Name, ...]]:
    return [kin.equals(edition.name) for edition in editions]


def _list_documents(
    kin: FamilyView, things: Iterable[Sequence[Name]]
) -> Iterator[tuple[Name, ...]]:
    """Things that have copies, and their manifestations, each under all its names."""
    for names in things:
        records = [kin.record(name) for name in names if not kin.is_gone(name)]
        has_copies = any(record is not None and record.items for record in records)
        if has_copies or kin.has_parts(names):
            yield tuple(names)
        targets = dict.fromkeys(kin.canonical(each) for each in kin.manifestations(names))
        yield from (kin.equals(target) for target in sorted(targets, key=str))


def _find_step_by_step(kin: FamilyView, name: Name, wish: Preferences) -> Target:
    """Where a name leads to that is not held as it is: as far down as its parts are found."""
    works, reasons, is_whole = find_annex(
        kin, kin.equals(name.act_name), name.work.annexes, wish.tongue
    )
    target = kin.canonical(works[0])
    if target != name.work_name and is_whole and name.act_name != target.act_name:
        reasons = (make_reason("LX943", name.act_name, target.act_name), *reasons)
    if is_whole and name.expression is not None:
        place = _find_version(kin, works, name.expression, wish)
    else:
        place = _find_work(kin, works, wish)
    if is_whole and name.manifestation is not None:
        place = _find_manifestation(kin, place, name, wish.tongue)
    return replace(place, reasons=(*reasons, *place.reasons), is_work_held=is_whole)


def _find_version(
    kin: FamilyView, works: Sequence[Name], expression: ExpressionIdentifier, wish: Preferences
) -> Target:
    """The version that is meant, in the language that is named, or in all."""
    ways = list(_find_similar_versions(_list_chains(kin, works), expression, wish.tongue))
    if not ways:
        return _find_for_unknown_version(kin, works, expression, wish)
    wanted = expression.language or wish.language
    chains, missing = _select_language([way[0] for way in ways], wanted, wish)
    spoken = [way for way in ways if any(way[0] is chain for chain in chains)]
    best = max(compute_score(reasons) for _, _, reasons in spoken)
    equal = [way for way in spoken if compute_score(way[2]) == best]
    # What is withdrawn yields to what is not.
    chosen = [way for way in equal if not is_version_withdrawn(kin, way[1])] or equal
    editions = tuple(
        sorted(
            (make_edition(kin, c, v, wish.day) for c, v, _ in chosen),
            key=lambda each: str(each.name),
        )
    )
    said = _explain_language(expression.language, [way[0] for way in chosen], missing)
    gone = [way[1].name for way in equal if way not in chosen]
    name = editions[0].name if len(editions) == 1 else kin.canonical(works[0])
    return Target(
        name=name,
        reasons=(
            *chosen[0][2],
            *said,
            *(make_reason("LX952", f"{each} is withdrawn") for each in gone),
        ),
        editions=editions,
        nodes=tuple(_list_documents(kin, _list_versions(kin, editions))),
        is_of_several=len(editions) > 1,
    )


def _find_similar_versions(
    chains: Iterable[Chain], expression: ExpressionIdentifier, tongue: LegalVocabulary
) -> Iterator[tuple[Chain, ChainVersion, Reasons]]:
    for chain in chains:
        for version in chain.versions:
            held = (name.expression for name in version.names)
            ways = (
                compare_version(expression.version, each.version, tongue)
                for each in held
                if each is not None
            )
            likest = max((way for way in ways if way is not None), key=compute_score, default=None)
            if likest is not None:
                yield chain, version, likest


def _explain_language(
    given: str | None, chains: Sequence[Chain], missing: Reason | None
) -> Reasons:
    """In what the language that was named differs from those that are given."""
    held = sorted({chain.language for chain in chains if chain.language is not None})
    if given is None:
        added = (make_reason("LX946", "", ", ".join(held), component="language"),) if held else ()
        return (*added, *((missing,) if missing else ()))
    if given in held:
        return ()
    what = f"given is: {', '.join(held)}" if held else "the version without a language is"
    return (
        make_reason("LX947", given, what, component="language"),
        *((missing,) if missing else ()),
    )


def _find_for_unknown_version(
    kin: FamilyView, works: Sequence[Name], expression: ExpressionIdentifier, wish: Preferences
) -> Target:
    """What is in force on the day that an unknown version names, else the best version."""
    day = find_day(expression.version)
    said = "what is in force is looked for" + (f" on {day}" if day else "")
    other = replace(
        wish,
        day=day or wish.day,
        is_day_asked=wish.is_day_asked or day is not None,
        language=expression.language or wish.language,
    )
    place = _find_work(kin, works, other)
    reasons = (make_reason("LX947", expression.version, said, component="version"), *place.reasons)
    return replace(place, reasons=reasons)


def _find_manifestation(
    kin: FamilyView, place: Target, name: Name, tongue: LegalVocabulary
) -> Target:
    """The manifestation that is meant among those of the versions chosen; all, if none is."""
    given = name.manifestation
    ways = [
        (names, found)
        for names in place.nodes
        if given is not None and (found := _compare_names(given, names, tongue)) is not None
    ]
    if not ways:
        told = make_reason(
            "LX947", given, "all that there are are given", component="manifestation"
        )
        return replace(place, reasons=(*place.reasons, told))
    best = max(compute_score(reasons) for _, reasons in ways)
    equal = [way for way in ways if compute_score(way[1]) == best]
    chosen = [way for way in equal if not all(map(kin.is_gone, way[0]))] or equal
    held = kin.canonical(chosen[0][0][0])
    said = chosen[0][1]
    if name.expression is None and held.expression is not None:
        said = (make_reason("LX946", "", held.expression.version, component="version"), *said)
    return replace(
        place,
        name=held if len(chosen) == 1 else place.name,
        is_of_several=place.is_of_several and len(chosen) > 1,
        reasons=(*place.reasons, *said),
        nodes=tuple(names for names, _ in chosen),
    )


def _compare_names(
    given: ManifestationIdentifier, names: Iterable[Name], tongue: LegalVocabulary
) -> Reasons | None:
    ways = (
        compare_manifestation(given, each.manifestation, tongue)
        for each in names
        if each.manifestation is not None
    )
    return max((way for way in ways if way is not None), key=compute_score, default=None)
