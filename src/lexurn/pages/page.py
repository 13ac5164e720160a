"""Page about a name: the values that its templates show, made from a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lexurn.model import ForceBasis, LegalForce, Status
from lexurn.name import Level
from lexurn.pages import words
from lexurn.pages.view import find_last_day, list_ancestors

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.model import Chain, ChainVersion, LanguageText, Record
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView, VersionPosition

    Linker = Callable[[Name], str | None]

_MAX_PARTS = 200
_MAX_NEIGHBOURS = 50
"""Number of versions listed before a version, and after it; a work lists all of its versions."""


class PageText(NamedTuple):
    """Text and its language tag: empty where unknown, None for the words of the page itself."""

    value: str
    lang: str | None = None


class NameLink(NamedTuple):
    """Link to a name.

    Attributes:
        text: its title or label.
        name: the name.
        href: the link to its page, None where it has none.
        note: a remark, may be empty.
    """

    text: PageText
    name: str
    href: str | None
    note: str = ""


class FactValue(NamedTuple):
    """Value of a fact: a text, perhaps with a link, perhaps a day."""

    text: str
    href: str | None = None
    day: str | None = None


class Fact(NamedTuple):
    """Label and its values."""

    label: str
    values: tuple[FactValue, ...]


class VersionRow(NamedTuple):
    """Row of a version table.

    Attributes:
        ref: the version.
        start: the first day of its span, None without one.
        last: the last day of its span, None where it has not ended.
        mark: its state of force if that is known, else "latest known"; empty for other versions.
        here: whether the page is about it.
        files: its formats.
    """

    ref: NameLink
    start: FactValue | None
    last: FactValue | None
    mark: str
    here: bool
    files: tuple[NameLink, ...]


class VersionTable(NamedTuple):
    """Versions in one language, a sentence on the one in force, the number of those left out."""

    language: str
    summary: str
    rows: tuple[VersionRow, ...]
    more: int


class FileRow(NamedTuple):
    """Copy of a name: its URL, its size and its digest."""

    of: NameLink
    url: FactValue
    size: str
    sha256: str


class PageSection(NamedTuple):
    """List of links to names under a heading."""

    heading: str
    refs: tuple[NameLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Values on a page about one name, so that templates need no logic of lexurn.

    Attributes:
        heading: the title, else the label of the name.
        label: the label of the name, where the heading is a title.
        kind: the kind of the name, for example ``version``.
        name: the canonical name.
        uri: its HTTP URI, None without a base.
        trail: the names above it, the act first.
        titles: its titles but for the one that is the heading.
        notices: the most important facts: withdrawn, an alias, in force or not.
        parts: the parts of the name, explained.
        more_parts: the number of parts that are not shown.
        facts: the metadata of the record.
        chains: version tables.
        sections: other languages, annexes, partitions, aliases.
        files: copies.
        data: the same metadata as RDF: label and link.
    """

    heading: PageText
    label: str
    kind: str
    name: str
    uri: str | None
    trail: tuple[NameLink, ...]
    titles: tuple[PageText, ...]
    notices: tuple[NameLink, ...]
    parts: tuple[words.NamePart, ...]
    more_parts: int
    facts: tuple[Fact, ...]
    chains: tuple[VersionTable, ...]
    sections: tuple[PageSection, ...]
    files: tuple[FileRow, ...]
    data: tuple[tuple[str, str], ...]


def make_page(
    view: FamilyView, name: Name, *, link: Linker, data: tuple[tuple[str, str], ...] = ()
) -> Page:
    """Make the page about a name.

    Args:
        view: the view of its family.
        name: the name.
        link: returns the link to the page of a name, None where it has none.
        data: the same metadata as RDF, label and link.
    """
    label = words.label_name(name)
    parts = words.explain_name(name)
    titles = tuple(map(_make_title, view.titles(name)))
    record, canonical = view.record(name), view.family.canonical(name)
    notices: list[NameLink] = []
    if record.status is Status.WITHDRAWN:
        when = "" if record.withdrawn_on is None else f" on {words.format_day(record.withdrawn_on)}"
        notices.append(_make_notice(f"This name was withdrawn{when}."))
    if canonical != name:
        notices.append(_link_to(canonical, link, PageText(value="This is an alias of")))
    position = _find_own_position(view, name)
    if position is not None:
        notices.append(
            _make_notice(_describe_state(view, position) or _describe_force(view, position))
        )
    return Page(
        heading=titles[0] if titles else PageText(value=label),
        label=label if titles else "",
        kind=words.describe_kind(name),
        name=str(name),
        uri=None if view.base is None else view.http_uri(name),
        trail=_link_all(view, reversed(list_ancestors(name)), link),
        titles=titles[1:],
        notices=tuple(notices),
        parts=parts[:_MAX_PARTS],
        more_parts=max(len(parts) - _MAX_PARTS, 0),
        facts=_list_facts(record, link),
        chains=tuple(_make_version_tables(view, name, link)),
        sections=tuple(section for section in _make_sections(view, name, link) if section.refs),
        files=tuple(
            FileRow(
                of=_link_to(each, link),
                url=_make_url_value(item.url),
                size="" if item.bytes is None else f"{item.bytes:,} bytes",
                sha256=item.sha256 or "",
            )
            for each in (name, *view.formats(name))
            for item in view.record(each).items
        ),
        data=data,
    )


def _make_title(title: LanguageText) -> PageText:
    lang = words.check_html_language(title.language) or ""
    return PageText(value=words.escape_controls(title.value), lang=lang)


def _link_to(name: Name, link: Linker, text: PageText | None = None, *, note: str = "") -> NameLink:
    """Return a link to a name by a text, else by its label."""
    shown = text or PageText(value=words.label_name(name))
    return NameLink(text=shown, name=str(name), href=link(name), note=note)


def _link_by_title(view: FamilyView, name: Name, link: Linker, note: str = "") -> NameLink:
    """Return a link by a title of the name's own, else by its label."""
    titles = view.own_titles(name)
    text = _make_title(titles[0]) if titles else None
    return _link_to(name, link, text, note=note)


def _link_all(view: FamilyView, names: Iterable[Name], link: Linker) -> tuple[NameLink, ...]:
    return tuple(_link_by_title(view, name, link) for name in names)


def _find_own_position(view: FamilyView, name: Name) -> VersionPosition | None:
    """Return the position of a version; None for its parts and files, and for all other names."""
    is_version = name.level is Level.EXPRESSION and name.partition is None
    return view.position(name) if is_version else None


# --- notices and facts ----------------------------------------------------------------


def _make_notice(text: str) -> NameLink:
    return NameLink(text=PageText(value=text), name="", href=None)


def _describe_force(view: FamilyView, position: VersionPosition) -> str:
    """Return whether a version is in force, in a sentence that stays true until that changes."""
    version, is_stated = position.version, position.version.is_force_stated
    if not version.is_dated:
        return "It is not known when this version is in force."
    start = _describe_start(version)
    if version.start is not None and not version.has_span:
        versions = position.chain.versions
        if any(each.start == version.start for each in versions[versions.index(version) + 1 :]):
            return f"Replaced on its first day, {words.format_day(version.start)}."
        return "Never in force, by the known dates."
    if version.start is not None and version.start > view.as_of:
        return f"{'Not yet in force' if is_stated else 'Later version'}, from {start}."
    if version.until is None:
        text = f"Latest known version, from {start}. It is not known whether it is in force."
    elif version.until <= view.as_of:
        lead = "No longer in force since" if is_stated else "Earlier version, replaced on"
        return f"{lead} {words.format_day(version.until)}."
    else:
        text = f"Version from {start}, until {words.format_day(version.until)}."
    return f"In force since {start}." if is_stated else text


def _describe_state(view: FamilyView, position: VersionPosition) -> str | None:
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
        return f"{words.FORCES[state]} since {_describe_start(version)}."
    return f"{words.FORCES[state]}{'' if on is None else f' since {words.format_day(on)}'}."


def _describe_start(version: ChainVersion) -> str:
    """Return the first day in force, and its source if that is not a statement."""
    if version.start is None or version.start_basis is None:
        return "an unknown day"
    day, basis = words.format_day(version.start), version.start_basis
    if basis is ForceBasis.STATED:
        return day
    return f"{day} ({basis.label}{'' if version.is_force_stated else '; no other date is stated'})"


def _list_facts(record: Record, link: Linker) -> tuple[Fact, ...]:
    """List the facts of a record, in a fixed order, those without a value left out."""
    order = record.version_order
    days = (
        ("Issued", record.issued),
        ("Published", record.published),
        ("In force from", record.in_force_from),
        ("Last day in force", find_last_day(record.in_force_until)),
        ("State of force since", record.force_on),
        ("Record modified", record.modified),
        ("Withdrawn", record.withdrawn_on),
    )
    texts = (
        ("Publisher", record.publishers),
        ("Creator", record.creators),
        ("Subject", record.subjects),
        ("Licence", record.licenses),
        ("Landing page", record.pages),
    )
    facts = [(label, [value]) for label, day in days if (value := _make_day(day))]
    facts += [
        ("Amended by", [FactValue(text=str(name), href=link(name)) for name in record.amended_by]),
        (
            "State of force",
            [] if record.force is None else [FactValue(text=words.FORCES[record.force])],
        ),
        ("Version order", [] if order is None else [FactValue(text=str(order))]),
    ]
    facts += [(label, [_make_url_value(value) for value in values]) for label, values in texts]
    return tuple(Fact(label=label, values=tuple(values)) for label, values in facts if values)


def _make_day(day: dt.date | None) -> FactValue | None:
    return None if day is None else FactValue(text=words.format_day(day), day=day.isoformat())


def _make_url_value(text: str) -> FactValue:
    return FactValue(text=words.escape_controls(text), href=words.check_link(text))


# --- versions -------------------------------------------------------------------------


def _make_version_tables(view: FamilyView, name: Name, link: Linker) -> Iterator[VersionTable]:
    position = _find_own_position(view, name)
    for chain in view.chains(name) if position is None else (position.chain,):
        current = chain.current(view.as_of).version
        rows, versions = [], chain.versions
        if position is not None:
            start = max(position.place - _MAX_NEIGHBOURS, 0)
            versions = versions[start : position.place + _MAX_NEIGHBOURS + 1]
        for version in versions:
            text = PageText(value=_label_version(version.name))
            force = chain.find_force(version, view.as_of)
            mark = "latest known" if force is None else words.FORCES[force].lower()
            row = VersionRow(
                ref=_link_to(version.name, link, text),
                start=_make_day(version.start) if version.has_span else None,
                last=_make_day(find_last_day(version.until)) if version.has_span else None,
                mark=mark if version.name == current else "",
                here=name in version.names,
                files=tuple(_link_to(each, link) for each in view.formats(version.name)),
            )
            rows.append(row)
        language = "" if chain.language is None else words.format_language(chain.language)
        summary, more = _summarize_force(view, chain), len(chain.versions) - len(versions)
        yield VersionTable(language=language, summary=summary, rows=tuple(rows), more=more)


def _summarize_force(view: FamilyView, chain: Chain) -> str:
    current = chain.current(view.as_of)
    position = None if current.version is None else view.position(current.version)
    if position is not None:
        version = position.version
        force = chain.find_force(version, view.as_of)
        lead = "Latest known version, from" if force is None else f"{words.FORCES[force]} since"
        return f"{lead} {_describe_start(version)}: {_label_version(version.name)}."
    act = chain.last.act_force
    state, until = act.find_state(view.as_of), act.in_force_until
    if state is not None and not state.is_in_force:
        since = "" if until is None else f" since {words.format_day(until)}"
        return f"{words.FORCES[state]}{since}."
    if current.since is not None:
        return f"No version has been in force since {words.format_day(current.since)}."
    if chain.begin is None:
        return "It is not known which version is in force."
    known = "" if chain.first is not None else "known "
    return f"The first {known}version starts on {words.format_day(chain.begin)}."


def _label_version(name: Name) -> str:
    """Label a version without its language, which stands above the table."""
    return (
        words.label_name(name)
        if name.expression is None
        else words.format_version(name.expression.version)
    )


# --- sections -------------------------------------------------------------------------


def _make_sections(view: FamilyView, name: Name, link: Linker) -> Iterator[PageSection]:
    position = _find_own_position(view, name)
    if position is not None:
        others = (_link_to(version, link) for _, version in view.translations(position))
        yield PageSection(heading="In other languages", refs=tuple(others))
    children = view.children(name)
    for heading, names in (
        ("Annexes", [c for c in children if c.level is Level.WORK and c.partition is None]),
        ("Parts of the text", [c for c in children if c.partition is not None]),
        ("Formats", view.formats(name)),
    ):
        yield PageSection(heading=heading, refs=_link_all(view, names, link))
    equals = view.equals(name)
    aliases = (
        _link_by_title(view, each, link, _note_alias(view, each)) for each in equals if each != name
    )
    yield PageSection(heading="Aliases", refs=tuple(aliases))
    texts = view.record(name).also_named
    yield PageSection(heading="Treaty texts", refs=_link_all(view, texts, link))


def _note_alias(view: FamilyView, name: Name) -> str:
    if view.record(name).status is Status.WITHDRAWN:
        return "withdrawn"
    return "the canonical name" if view.family.canonical(name) == name else ""
