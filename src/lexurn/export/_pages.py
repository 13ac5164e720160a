"""From a view of a family to the page about one of its names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.export._eli import last_day
from lexurn.export._explain import explained
from lexurn.export._facts import facts_of
from lexurn.export._languages import html_language
from lexurn.export._page import (
    ChainTable,
    File,
    Page,
    Ref,
    Section,
    Text,
    Value,
    VersionRow,
)
from lexurn.export._view import above
from lexurn.export._words import (
    day_in_words,
    kind_of,
    label_of,
    language_in_words,
    printable,
    safe_link,
    version_in_words,
)
from lexurn.model import Status
from lexurn.name import Level

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.export._view import Place, View
    from lexurn.model import Chain, ChainVersion, Item, Record
    from lexurn.name import Name

    Linker = Callable[[Name], str | None]

__all__ = ["page_of"]

_MOST_PARTS = 200


def page_of(
    view: View, name: Name, *, link: Linker, data: tuple[tuple[str, str], ...] = ()
) -> Page:
    """The page about ``name``.

    Args:
        view: the family that it belongs to.
        name: the name.
        link: the link to the page of a name, None where that has none.
        data: the same facts for machines, label and link.
    """
    label = label_of(name)
    parts = tuple((part.label, part.value, part.meaning, part.section) for part in explained(name))
    titles = tuple(_title(each.value, each.language) for each in view.titles(name))
    return Page(
        heading=titles[0] if titles else Text(value=label),
        label=label if titles else "",
        kind=kind_of(name),
        name=str(name),
        uri=None if view.base is None else view.address(name),
        trail=tuple(_ref(view, each, link) for each in reversed(above(name))),
        titles=titles[1:],
        notices=tuple(_notices(view, name, link)),
        parts=parts[:_MOST_PARTS],
        more_parts=max(len(parts) - _MOST_PARTS, 0),
        facts=facts_of(view.record(name), link),
        chains=tuple(_tables(view, name, link)),
        sections=tuple(section for section in _sections(view, name, link) if section.refs),
        files=tuple(_files(view, name, link)),
        data=data,
    )


def _title(value: str, language: str | None) -> Text:
    return Text(value=printable(value), lang=html_language(language) or "")


def _ref(view: View, name: Name, link: Linker, note: str = "") -> Ref:
    """A reference by title, if the thing has one of its own, else by the end of its name."""
    titles = view.own_titles(name)
    text = _title(titles[0].value, titles[0].language) if titles else Text(value=label_of(name))
    return Ref(text=text, name=str(name), href=link(name), note=note)


def _by_label(name: Name, link: Linker) -> Ref:
    return Ref(text=Text(value=label_of(name)), name=str(name), href=link(name))


def _notices(view: View, name: Name, link: Linker) -> Iterator[Ref]:
    record = view.record(name)
    if record.status is Status.WITHDRAWN:
        when = "" if record.withdrawn_on is None else f" on {day_in_words(record.withdrawn_on)}"
        yield _notice(f"This name was withdrawn{when}.")
    canonical = view.family.canonical(name)
    if canonical != name:
        text = Text(value="This is another name of")
        yield Ref(text=text, name=str(canonical), href=link(canonical))
    place = view.place(name)
    if place is not None and name.level is Level.EXPRESSION and name.partition is None:
        yield _notice(_force(view, place))


def _notice(text: str) -> Ref:
    return Ref(text=Text(value=text), name="", href=None)


def _force(view: View, place: Place) -> str:
    """Whether this version is in force, in a sentence that stays true until the answer changes."""
    version, current = place.version, place.chain.current(view.as_of)
    if current.version == version.name and current.since is not None:
        return f"In force since {day_in_words(current.since)}."
    if version.start is None:
        return "Nothing says when this version is in force."
    if version.start > view.as_of:
        return f"Not yet in force: it starts on {day_in_words(version.start)}."
    if version.until is not None and version.until <= view.as_of:
        return f"No longer in force since {day_in_words(version.until)}."
    return "Not in force: a later version has taken its place."


def _tables(view: View, name: Name, link: Linker) -> Iterator[ChainTable]:
    place = view.place(name)
    chains = view.chains(name)
    if place is not None and name.level is Level.EXPRESSION and name.partition is None:
        chains = (place.chain,)
    for chain in chains:
        current = chain.current(view.as_of).version
        rows = (_row(view, version, current, name, link) for version in chain.versions)
        language = "" if chain.language is None else language_in_words(chain.language)
        yield ChainTable(language=language, summary=_summary(view, chain), rows=tuple(rows))


def _summary(view: View, chain: Chain) -> str:
    current = chain.current(view.as_of)
    if current.version is not None and current.since is not None:
        return f"In force since {day_in_words(current.since)}: {_version(current.version)}."
    if current.since is not None:
        return f"No version is in force since {day_in_words(current.since)}."
    starts = [version.start for version in chain.versions if version.start is not None]
    if not starts:
        return "Nothing says which version is in force."
    return f"No version is in force before {day_in_words(min(starts))}."


def _row(
    view: View, version: ChainVersion, current: Name | None, here: Name, link: Linker
) -> VersionRow:
    end = None if version.until is None else last_day(version.until)
    files = (
        _by_label(child, link)
        for child in view.children(version.name)
        if child.level is Level.MANIFESTATION and child.partition is None
    )
    return VersionRow(
        ref=Ref(
            text=Text(value=_version(version.name)), name=str(version.name), href=link(version.name)
        ),
        start=_day(version.start),
        last=_day(end),
        current=version.name == current,
        here=here in version.names,
        files=tuple(files),
    )


def _version(name: Name) -> str:
    """The version in words; the table that it stands in says the language."""
    return label_of(name) if name.expression is None else version_in_words(name.expression.version)


def _day(day: dt.date | None) -> Value | None:
    return None if day is None else Value(text=day_in_words(day), day=day.isoformat())


def _sections(view: View, name: Name, link: Linker) -> Iterator[Section]:
    place = view.place(name)
    if place is not None and name.level is Level.EXPRESSION and name.partition is None:
        others = [_by_label(version, link) for _, version in view.translations(place)]
        yield Section(heading="In other languages", refs=tuple(others))
    children = view.children(name)
    annexes = [child for child in children if _is_annex(child)]
    yield Section(heading="Annexes", refs=_refs(view, annexes, link))
    partitions = [child for child in children if child.partition is not None]
    yield Section(heading="Parts of the text", refs=_refs(view, partitions, link))
    forms = [c for c in children if c.level is Level.MANIFESTATION and c.partition is None]
    yield Section(heading="File forms", refs=_refs(view, forms, link))
    yield Section(heading="Other names of the same thing", refs=tuple(_others(view, name, link)))
    twins = view.record(name).also_named
    yield Section(heading="Also known as", refs=_refs(view, twins, link))


def _is_annex(name: Name) -> bool:
    return name.level is Level.WORK and name.partition is None


def _refs(view: View, names: Iterable[Name], link: Linker) -> tuple[Ref, ...]:
    return tuple(_ref(view, name, link) for name in names)


def _others(view: View, name: Name, link: Linker) -> Iterator[Ref]:
    equals = view.equals(name)
    for each in equals:
        if each != name:
            yield _ref(view, each, link, "the canonical name" if each == equals[0] else "")


def _files(view: View, name: Name, link: Linker) -> Iterator[File]:
    """The copies of the thing and of its file forms."""
    for form in (name, *view.children(name)):
        if form != name and (form.level is not Level.MANIFESTATION or form.partition is not None):
            continue
        record = view.record(form)
        yield from (_file(record, item, link) for item in record.items)


def _file(record: Record, item: Item, link: Linker) -> File:
    return File(
        of=_by_label(record.name, link),
        url=Value(text=printable(item.url), href=safe_link(item.url)),
        size="" if item.bytes is None else f"{item.bytes:,} bytes",
        sha256=item.sha256 or "",
    )
