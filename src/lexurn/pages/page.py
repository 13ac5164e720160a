"""Page about a name: the values that its templates show, made from a view."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from lexurn.labels import describe_folders, describe_level, describe_parts, make_label
from lexurn.model import Status
from lexurn.name import Level
from lexurn.pages.force import describe_act_force, describe_version_force, describe_work_force
from lexurn.pages.paths import locate_folder, quote_path
from lexurn.pages.text import check_html_language, check_link, escape_controls, is_right_to_left
from lexurn.pages.timeline import Timeline, make_timeline
from lexurn.pages.view import find_last_day, list_ancestors

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.labels import NamePart
    from lexurn.model import Chain, Item, LanguageText
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView, VersionPosition
    from lexurn.pages.words import Words

_YEAR = re.compile("[0-9]{4}")
_MAX_PARTS = 200
_MAX_CRUMBS = 16
_MAX_READINGS = 6
PART_SECTIONS = {
    "jurisdiction": "2.1",
    "unit": "2.1",
    "authority": "6.1.3",
    "function": "6.1.5",
    "measure": "6.2.1",
    "date": "6.3.1",
    "period": "6.3.1",
    "number": "6.3.3",
    "unnumbered": "6.3.3",
    "annex": "6.4.1",
    "version": "7.1.2",
    "original": "7.1.2",
    "event": "7.1.2",
    "language": "5.6",
    "editor": "5.7",
    "format": "5.7",
    "component": "5.7",
    "feature": "5.7",
    "partition": "5.8",
}
"""Sections of RFC 9676 that define the parts of a name."""
_CREATIVE_COMMONS = re.compile(
    r"https?://creativecommons\.org/(?:licenses|publicdomain)/(?P<kind>[a-z-]+)/(?P<number>[0-9.]+)"
    r"(?:/(?P<port>[a-z]{2,3}))?/?(?:deed(?:\.[a-zA-Z_-]+)?)?"
)
_CREATIVE_COMMONS_KINDS = {"zero": "CC0", "mark": "Public Domain Mark"}


class PageText(NamedTuple):
    """Text and its language tag: empty where unknown, None for the words of the page itself."""

    value: str
    lang: str | None = None

    @property
    def is_right_to_left(self) -> bool:
        """True if the language is written from right to left."""
        return bool(self.lang) and is_right_to_left(self.lang or "")


class PageLink(NamedTuple):
    """Link, or text without one.

    Attributes:
        text: the text.
        href: the target; None where there is none.
        note: a note after it, for example a format and a size.
        name: the name that it leads to; empty where it leads to none.
    """

    text: PageText
    href: str | None = None
    note: str = ""
    name: str = ""


class FactValue(NamedTuple):
    """Value of a fact: its text, a link, and its day in ISO 8601 if it is one."""

    text: str
    href: str | None = None
    day: str | None = None


class Fact(NamedTuple):
    """Label and its values."""

    label: str
    values: tuple[FactValue, ...]


class PageNotice(NamedTuple):
    """Important fact: its tone (``good``, ``old``, ``plain``, ``off``), a sentence, and links."""

    tone: str
    text: str
    links: tuple[PageLink, ...] = ()


class PageSection(NamedTuple):
    """List of links to names under a heading."""

    heading: str
    links: tuple[PageLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLinks:
    """Links from a page to the rest of its site, and the title of that.

    Attributes:
        find: returns the link to the page of a name, None where it has none.
        root: the link to the folder of the site, with a slash at its end; None for a document by
            itself, which links no other file of the site.
        list_amended: returns the names of what a name amends.
        title: the title of the site; None for a document by itself.
    """

    find: Callable[[Name], str | None]
    root: str | None = None
    list_amended: Callable[[Name], Iterable[Name]] = lambda _: ()
    title: PageText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Values on a page about one name, so that templates need no logic of lexurn.

    Attributes:
        words: the words of its language.
        root: the link to the folder of the site; None for a document by itself.
        kind: the kind of the name, for example ``Version``.
        place: the jurisdiction.
        heading: the title, else the label of the name.
        label: the label of the name, where the heading is a title.
        counts: the numbers of versions and of languages, in words.
        titles: its titles but for the one that is the heading.
        crumbs: the lists and the names above it.
        notices: the most important facts: withdrawn, an alias, in force or not.
        readings: the files to read; the first one is the main one.
        reading_label: the words for the main file.
        name: the canonical name.
        uri: its HTTP URI, None without a base.
        timelines: the versions by language, that of the page first.
        facts: the metadata of the record.
        copies: the files of the name itself, with sizes and digests.
        sections: other languages, annexes, parts, and what it amends.
        parts: the parts of the name.
        more_parts: the number of parts that are not shown.
        citation: the words to cite it by, with its name.
    """

    words: Words
    root: str | None
    kind: str
    place: str
    heading: PageText
    label: str
    counts: tuple[str, ...]
    titles: tuple[PageText, ...]
    crumbs: tuple[PageLink, ...]
    notices: tuple[PageNotice, ...]
    readings: tuple[PageLink, ...]
    reading_label: str
    name: str
    uri: str | None
    timelines: tuple[Timeline, ...]
    facts: tuple[Fact, ...]
    copies: tuple[tuple[FactValue, ...], ...]
    sections: tuple[PageSection, ...]
    parts: tuple[NamePart, ...]
    more_parts: int
    citation: str
    _writer: PageWriter

    @property
    def description(self) -> str:
        """Description for search engines: the label and the first notice."""
        notice = self.notices[0].text if self.notices else f"{self.kind}, {self.place}."
        return f"{self.label or self.heading.value}. {notice}"

    @property
    def filters(self) -> dict[str, str]:
        """Values to filter acts by in the search of a site: jurisdiction, type and year."""
        view, name = self._writer.view, self._writer.name
        is_withdrawn = view.record(name).status is Status.WITHDRAWN
        if self.root is None or not name.is_act or is_withdrawn:
            return {}
        if view.family.canonical(name) != name:
            return {}
        _, jurisdiction, _, measure = (each.text.value for each in self.crumbs)
        values = {"jurisdiction": jurisdiction, "type": measure, "year": find_year(name)}
        return {key: value for key, value in values.items() if value}

    @property
    def has_days(self) -> bool:
        """True if the spans of its versions are known, so that one can be found by its day."""
        return bool(self.timelines) and any(each.start for each in self.timelines[0].entries)

    def link(self, name: Name) -> PageLink:
        """Return a link to a name by its label."""
        return self._writer.link(name)

    def link_file(self, name: Name) -> PageLink:
        """Return a link to a name by its last part."""
        return self._writer.link(name, describe_level(name, self.words.language))


def make_page(view: FamilyView, name: Name, *, words: Words, links: SiteLinks) -> Page:
    """Make the page about a name.

    Args:
        view: the view of its family.
        name: the name.
        words: the words of the language of the page.
        links: the links to the rest of the site.
    """
    return PageWriter(view, name, words, links).make()


def find_year(name: Name) -> str:
    """Return the year of an act: of its date, or of a period that is a year; empty if none is."""
    details = name.work.details
    start = (details.dates[0].iso if details.dates else details.period or "")[:4]
    return start if _YEAR.fullmatch(start) else ""


@lru_cache(maxsize=16_384)
def label_name(name: Name, language: str) -> str:
    """Return the label of a name in a language."""
    return make_label(name, language).text


class PageWriter:
    """Writer of the values of one page."""

    def __init__(self, view: FamilyView, name: Name, words: Words, links: SiteLinks) -> None:
        """Store the view, the name, the words and the links."""
        self.view, self.name, self.words, self.links = view, name, words, links
        self.record = view.record(name)
        is_version = name.level is Level.EXPRESSION and name.partition is None
        self.position = view.position(name) if is_version else None
        self.chains = sort_chains(view.chains(name), words.language)

    def make(self) -> Page:
        """Make the page."""
        view, name, words, language = self.view, self.name, self.words, self.words.language
        titles = tuple(map(make_title, view.titles(name)))
        label, parts = label_name(name, language), describe_parts(name, language)
        readings, reading_label = self._list_readings()
        text = escape_controls(label)
        return Page(
            words=words,
            root=self.links.root,
            kind=words(f"kind.{_choose_kind(name)}"),
            place=describe_folders(name, language)[0],
            heading=titles[0] if titles else PageText(text),
            label=text if titles else "",
            counts=tuple(self._list_counts()),
            titles=titles[1:],
            crumbs=tuple(self._list_crumbs()),
            notices=tuple(self._list_notices()),
            readings=readings,
            reading_label=reading_label,
            name=str(name),
            uri=None if view.base is None else view.http_uri(name),
            timelines=tuple(self._list_timelines()),
            facts=tuple(Fact(key, values) for key, values in self._list_facts() if values),
            copies=tuple(self._list_copies()),
            sections=tuple(section for section in self._list_sections() if section.links),
            parts=parts[:_MAX_PARTS],
            more_parts=max(len(parts) - _MAX_PARTS, 0),
            citation=self._cite(titles),
            _writer=self,
        )

    def _cite(self, titles: tuple[PageText, ...]) -> str:
        """Return the title, the label, the canonical name and its address."""
        name = self.view.family.canonical(self.name)
        label = escape_controls(label_name(name, self.words.language))
        title = [titles[0].value] if titles and titles[0].value != label else []
        address = [] if self.view.base is None else [self.view.http_uri(name)]
        return ". ".join((*title, label, str(name), *address))

    # --- links ------------------------------------------------------------------------

    def link(self, name: Name, text: str = "", *, note: str = "") -> PageLink:
        """Return a link to a name by a text, else by its label."""
        shown = escape_controls(text or label_name(name, self.words.language))
        return PageLink(PageText(shown), self.links.find(name), note, str(name))

    def _link_by_title(self, name: Name, note: str = "") -> PageLink:
        """Return a link by a title of the name's own, else by its label."""
        titles = self.view.own_titles(name)
        if not titles:
            return self.link(name, note=note)
        return PageLink(make_title(titles[0]), self.links.find(name), note, str(name))

    def _link_all(self, names: Iterable[Name]) -> tuple[PageLink, ...]:
        return tuple(map(self._link_by_title, names))

    def _list_crumbs(self) -> Iterator[PageLink]:
        """List the lists of the site above a name, then the names above it, the act first."""
        root, words, name = self.links.root, self.words, self.name
        if root is not None:
            yield PageLink(PageText(words("site.home")), f"{root}index.html")
            segments = locate_folder(name.act_name)
            labels = describe_folders(name, words.language)
            for depth, text in enumerate(labels, 2):
                href = f"{root}{quote_path(segments[:depth])}/index.html"
                yield PageLink(PageText(escape_controls(text)), href)
        for each in reversed(list_ancestors(name)):
            is_act = each == name.act_name
            text = "" if is_act else describe_level(each, words.language)
            yield self._link_by_title(each) if is_act else self.link(each, text)

    # --- the top ----------------------------------------------------------------------

    def _list_counts(self) -> Iterator[str]:
        versions = [len(chain.versions) for chain in self.chains]
        languages = {chain.language for chain in self.chains if chain.language}
        if versions and max(versions) > 1:
            yield self.words.count("count.versions", max(versions))
        if len(languages) > 1:
            yield self.words.count("count.languages", len(languages))

    def _list_notices(self) -> Iterator[PageNotice]:
        view, words, record = self.view, self.words, self.record
        if record.status is Status.WITHDRAWN:
            day = record.withdrawn_on
            text = (
                words("force.withdrawn")
                if day is None
                else words("force.withdrawn-on", day=words.day(day))
            )
            yield PageNotice("off", f"{text}.")
        canonical = view.family.canonical(self.name)
        if canonical != self.name:
            alias = self.link(canonical, str(canonical))
            yield PageNotice("plain", words("force.alias"), (alias,))
        if record.status is Status.WITHDRAWN:
            return
        # A part or a file is in force as its version is.
        position = view.position(self.name)
        if position is not None:
            links = tuple(self._list_neighbours(position))
            text = describe_version_force(view, position, words)
            yield PageNotice(self._choose_tone(position), text, links)
        elif self.chains:
            chain = self.chains[0]
            current = chain.current(view.as_of)
            at = None if current.version is None else view.position(current.version)
            has_ended = current.version is None and current.since is not None
            tone = ("old" if has_ended else "plain") if at is None else self._choose_tone(at)
            yield PageNotice(tone, describe_work_force(view, chain, words))
        elif (sentence := describe_act_force(view, self.name, words)) is not None:
            force = view.find_force(self.name)
            is_in_force = force is not None and force.is_in_force
            yield PageNotice("good" if is_in_force else "old", sentence)

    def _choose_tone(self, position: VersionPosition) -> str:
        """Choose the tone of a version: in force, no longer in force, or not known."""
        chain, version, day = position.chain, position.version, self.view.as_of
        force = chain.find_force(version, day)
        if force is not None and force.is_in_force:
            return "good"
        has_ended = version.until is not None and version.until <= day
        return "old" if has_ended or (force is not None and version.is_dated) else "plain"

    def _list_neighbours(self, position: VersionPosition) -> Iterator[PageLink]:
        chain, words = position.chain, self.words
        current = chain.current(self.view.as_of).version
        # The versions beside it have other parts and files.
        is_own = self.position is not None
        if current is not None and current != position.version.name:
            at = self.view.position(current)
            force = None if at is None else chain.find_force(at.version, self.view.as_of)
            is_known = force is not None and force.is_in_force
            key = "version.in-force-version" if is_known else "version.latest-version"
            yield self.link(current, words(key))
        if is_own and position.previous is not None:
            yield self.link(position.previous.name, words("version.previous"))
        if is_own and position.next is not None:
            yield self.link(position.next.name, words("version.next"))

    def _list_readings(self) -> tuple[tuple[PageLink, ...], str]:
        """List the files to read, and the words for the first of them.

        Those of a work are the files of its version in force, else of the latest known one.
        """
        view, words, key = self.view, self.words, "read.text"
        name = self.name
        if self.chains:
            chain = self.chains[0]
            current = chain.current(view.as_of).version
            name = current or chain.last.name
            at = None if current is None else view.position(current)
            force = None if at is None else chain.find_force(at.version, view.as_of)
            if force is not None and force.is_in_force:
                key = "read.current"
        elif name.level is not Level.WORK:
            key = "read.version"
        names = [each for one in view.equals(name) for each in (one, *view.formats(one))]
        if key == "read.current" and not any(view.record(each).items for each in names):
            key = "read.text"  # files of the act do not state their version
        names += [self.name, *view.formats(self.name)]
        found = {
            item.url: self._link_item(each, item)
            for each in dict.fromkeys(names)
            for item in view.record(each).items
            if check_link(item.url)
        }
        return tuple(found.values())[:_MAX_READINGS], words(key)

    def _link_item(self, name: Name, item: Item) -> PageLink:
        """Return a link to a file by its publisher or its host, with its format and size."""
        manifestation, notes = name.manifestation, []
        text = urlsplit(item.url).hostname or item.url
        if manifestation is not None:
            text = unquote(manifestation.editor.publisher)
            level = describe_level(name, self.words.language)
            notes.append(level.removeprefix(text).removeprefix(", "))
        if item.bytes is not None:
            notes.append(self.words.size(item.bytes))
        note = escape_controls(", ".join(filter(None, notes)))
        return PageLink(PageText(escape_controls(text)), item.url, note)

    # --- versions ---------------------------------------------------------------------

    def _list_timelines(self) -> Iterator[Timeline]:
        if self.position is not None:
            yield make_timeline(self.view, self.position.chain, self.words, self.position)
        for chain in self.chains:
            yield make_timeline(self.view, chain, self.words)

    # --- facts ------------------------------------------------------------------------

    def _list_facts(self) -> Iterator[tuple[str, tuple[FactValue, ...]]]:
        """List the facts of a record, in a fixed order."""
        record, words = self.record, self.words
        days = (
            ("issued", record.issued),
            ("published", record.published),
            ("in-force-from", record.in_force_from),
            ("in-force-until", find_last_day(record.in_force_until)),
            ("force-on", record.force_on),
        )
        for key, day in days:
            yield words(f"fact.{key}"), self._write_day(day)
        if record.force is not None:
            yield words("fact.force"), (FactValue(words(f"force.{record.force.value}")),)
        links = [self.link(each) for each in record.amended_by]
        values = tuple(FactValue(each.text.value, each.href) for each in links)
        yield words("fact.amended-by"), values
        texts = (
            ("publisher", record.publishers),
            ("creator", record.creators),
            ("subject", record.subjects),
            ("license", record.licenses),
            ("page", record.pages),
        )
        for key, several in texts:
            yield words(f"fact.{key}"), tuple(map(make_value, several))
        yield words("heading.aliases"), tuple(self._list_aliases())
        order = record.version_order
        yield words("fact.version-order"), () if order is None else (FactValue(str(order)),)
        yield words("fact.modified"), self._write_day(record.modified)
        yield words("fact.withdrawn"), self._write_day(record.withdrawn_on)

    def _write_day(self, day: dt.date | None) -> tuple[FactValue, ...]:
        return () if day is None else (FactValue(self.words.day(day), day=day.isoformat()),)

    def _list_aliases(self) -> Iterator[FactValue]:
        view, words = self.view, self.words
        canonical = view.family.canonical(self.name)
        for each in view.equals(self.name):
            if each == self.name:
                continue
            note = ""
            if view.record(each).status is Status.WITHDRAWN:
                note = f" ({words('note.withdrawn')})"
            elif each == canonical:
                note = f" ({words('note.canonical')})"
            yield FactValue(f"{each}{note}", self.links.find(each))

    def _list_copies(self) -> Iterator[tuple[FactValue, ...]]:
        """List the copies of the name itself: the URL of each, with its size and digest."""
        for item in self.record.items:
            values = [make_value(item.url)]
            if item.bytes is not None:
                values.append(FactValue(self.words.size(item.bytes)))
            if item.sha256 is not None:
                values.append(FactValue(f"SHA-256 {item.sha256}"))
            yield tuple(values)

    # --- sections ---------------------------------------------------------------------

    def _list_sections(self) -> Iterator[PageSection]:
        view, name, words = self.view, self.name, self.words
        if self.position is not None:
            others = tuple(
                PageLink(PageText(words.name(tag)), self.links.find(version), name=str(version))
                for tag, version in view.translations(self.position)
            )
            yield PageSection(words("heading.languages"), others)
        children = view.children(name)
        for key, names in (
            ("annexes", [c for c in children if c.level is Level.WORK and c.partition is None]),
            ("parts", [c for c in children if c.partition is not None]),
            ("formats", view.formats(name)),
        ):
            yield PageSection(words(f"heading.{key}"), tuple(map(self._link_child, names)))
        texts = view.record(name).also_named
        yield PageSection(words("heading.treaty-texts"), self._link_all(texts))
        amended = tuple(map(self.link, self.links.list_amended(name)))
        yield PageSection(words("heading.amends"), amended)

    def _link_child(self, name: Name) -> PageLink:
        """Return a link by the last part of a name, with its title as a note."""
        titles = self.view.own_titles(name)
        note = make_title(titles[0]).value if titles else ""
        return self.link(name, describe_level(name, self.words.language), note=note)


def sort_chains(chains: Iterable[Chain], language: str) -> list[Chain]:
    """Sort chains: the language of the page first, the others as they are."""
    return sorted(chains, key=lambda each: (each.language or "").partition("-")[0] != language)


def make_title(title: LanguageText) -> PageText:
    """Return a title as text of a page."""
    return PageText(escape_controls(title.value), check_html_language(title.language) or "")


def _choose_kind(name: Name) -> str:
    if name.level is Level.WORK:
        kind = "annex" if name.work.annexes else "work"
    else:
        kind = "version" if name.level is Level.EXPRESSION else "format"
    return kind if name.partition is None else f"part-of-{kind}"


@lru_cache(maxsize=4_096)
def make_value(text: str) -> FactValue:
    """Return a text, or an IRI by a short text: a licence by its name, else host and last part."""
    href = check_link(text)
    if href is None:
        return FactValue(escape_controls(text))
    if found := _CREATIVE_COMMONS.fullmatch(href):
        kind = _CREATIVE_COMMONS_KINDS.get(found["kind"], f"CC {found['kind'].upper()}")
        port = f" {found['port'].upper()}" if found["port"] else ""
        return FactValue(f"{kind} {found['number']}{port}", href)
    return FactValue(escape_controls(href), href)
