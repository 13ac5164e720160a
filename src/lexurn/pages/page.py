"""Page about a name: the values that its templates show, made from a view."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

from lexurn.labels import (
    describe_folders,
    describe_level,
    describe_parts,
    name_language,
)
from lexurn.lazy import compile_late
from lexurn.model import Status
from lexurn.name import Level
from lexurn.pages.force import (
    Timeline,
    describe_act_force,
    describe_span,
    describe_version_force,
    describe_work_force,
    is_labelled_version,
    make_timeline,
)
from lexurn.pages.paths import locate_folder, make_relative_link
from lexurn.pages.text import (
    PageText,
    check_html_language,
    check_link,
    escape_controls,
    make_title,
)
from lexurn.pages.view import find_last_day, list_ancestors
from lexurn.registry import load_registry

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.model import Chain, Item
    from lexurn.name import Name
    from lexurn.pages.text import Words
    from lexurn.pages.view import FamilyView, VersionPosition
    from lexurn.registry import Entry

_Value = TypeVar("_Value")
_YEAR = compile_late("[0-9]{4}")
_MAX_PARTS = 200
_MAX_READINGS = 6
_MAX_SAME_PARTS = 20
_LONGEST_URL = 80
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
_CREATIVE_COMMONS = compile_late(
    r"https?://creativecommons\.org/(?:licenses|publicdomain)/(?P<kind>[a-z-]+)/(?P<number>[0-9.]+)"
    r"(?:/(?P<port>[a-z]{2,3}))?/?(?:deed(?:\.[a-zA-Z_-]+)?)?"
)
_CREATIVE_COMMONS_KINDS = {"zero": "CC0", "mark": "Public Domain Mark"}


class PageLink(NamedTuple):
    """Link, or text without one.

    Attributes:
        text: the text.
        href: the target; None where there is none.
        note: a note after it, for example a format and a size.
        name: the name that it leads to; empty where it leads to none.
        day: the day in ISO 8601, if the text is a day.
    """

    text: PageText
    href: str | None = None
    note: str = ""
    name: str = ""
    day: str = ""


class Fact(NamedTuple):
    """Label and its values."""

    label: str
    values: tuple[PageLink, ...]


class PageNotice(NamedTuple):
    """Important fact.

    Attributes:
        tone: its tone: ``good``, ``old``, ``plain`` or ``off``.
        text: a sentence.
        links: the links after it.
        instead: the name that stands in the place of this one.
    """

    tone: str
    text: str
    links: tuple[PageLink, ...] = ()
    instead: PageLink | None = None


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
        search: whether the site has a page for a search.
    """

    find: Callable[[Name], str | None]
    root: str | None = None
    list_amended: Callable[[Name], Iterable[Name]] = lambda _: ()
    title: PageText | None = None
    search: bool = False


def _list_once(make: Callable[[Page], Iterator[_Value]]) -> cached_property[tuple[_Value, ...]]:
    """Make a property that lists what a method yields, at its first use."""
    return cached_property(lambda page: tuple(make(page)))


class Page:
    """Values on a page about one name, so that templates need no logic of lexurn.

    Attributes:
        view: the view of its family.
        name: the name.
        words: the words of the language of the page.
        links: the links to the rest of the site.
    """

    def __init__(self, view: FamilyView, name: Name, words: Words, links: SiteLinks) -> None:
        """Store the view, the name, the words and the links."""
        self.view, self.name, self.words, self.links = view, name, words, links
        self._record = view.record(name)
        self._canonical = view.family.canonical(name)
        self._is_withdrawn = self._record.status is Status.WITHDRAWN
        is_version = name.level is Level.EXPRESSION and name.partition is None
        # The versions stand on the page of the name that replaces it.
        self._is_replaced = self._is_withdrawn and self._canonical != name
        self._position = view.position(name) if is_version and not self._is_replaced else None
        self._chains = [] if self._is_replaced else sort_chains(view.chains(name), words.language)
        # A file often has the title of its act, which is in the trail above it.
        self._is_headed_by_level = not (name.is_act or is_version) and all(
            any(title in view.own_titles(each) for each in list_ancestors(name))
            for title in view.own_titles(name)
        )
        self._titles = tuple(map(make_title, view.titles(name)))
        self._label = escape_controls(view.cite(name, words.language))
        level = PageText(escape_controls(describe_level(name, words.language)))
        self._headings = (level,) if self._is_headed_by_level else self._titles
        parts = describe_parts(name, words.language)
        self.parts, self.more_parts = parts[:_MAX_PARTS], max(len(parts) - _MAX_PARTS, 0)
        self.uri = None if view.base is None else view.http_uri(name)

    @property
    def heading(self) -> PageText:
        """Title, else the label; of an annex, a part or a file without a title, its last part."""
        return self._headings[0] if self._headings else PageText(self._label)

    @property
    def label(self) -> str:
        """Label of the name, where that is not the heading."""
        return self._label if self._headings else ""

    @property
    def titles(self) -> tuple[PageText, ...]:
        """Titles but for the one that is the heading."""
        return self._headings[1:]

    @property
    def counts(self) -> tuple[str, ...]:
        """Numbers of versions and of languages, in words."""
        counts = (
            ("count.versions", max((len(chain.versions) for chain in self._chains), default=0)),
            ("count.languages", len({chain.language for chain in self._chains if chain.language})),
        )
        return tuple(self.words.count(key, count) for key, count in counts if count > 1)

    @property
    def url(self) -> str:
        """URL of the page on a site; the name itself without a base."""
        return self.view.page_url(self.name)

    @cached_property
    def timelines(self) -> tuple[Timeline, ...]:
        """Versions by language, that of the page first."""
        chains = self._chains if self._position is None else [self._position.chain]
        return tuple(
            make_timeline(self.view, chain, self.words, self._position) for chain in chains
        )

    @property
    def description(self) -> str:
        """Description for search engines: the label and the first notice."""
        notice = self.notices[0].text if self.notices else f"{', '.join(self.kind)}."
        return f"{self._label}. {notice}"

    @property
    def filters(self) -> dict[str, str]:
        """Values to filter acts by in the search of a site: jurisdiction, type and year."""
        is_counted = self._canonical == self.name and not self._is_withdrawn
        if self.links.root is None or not self.name.is_act or not is_counted:
            return {}
        _, jurisdiction, _, measure = (each.text.value for each in self.crumbs)
        values = {"jurisdiction": jurisdiction, "type": measure, "year": find_year(self.name)}
        return {key: value for key, value in values.items() if value}

    @property
    def has_days(self) -> bool:
        """True if it has several versions with known spans, so that one can be found by its day."""
        several = [each for each in self.timelines if each.total > 1]
        return any(each.start for timeline in several for each in timeline.entries)

    @property
    def citation(self) -> str:
        """Title, label, name and address to cite it by; empty where another name stands."""
        name = self.name
        if self._canonical != name or self._is_withdrawn:
            return ""
        title = [each.value for each in self._titles[:1] if each.value != self._label]
        texts = (each.removesuffix(".") for each in (*title, self._label))
        return ". ".join((*texts, str(name), *filter(None, (self.uri,))))

    # --- links ------------------------------------------------------------------------

    def link(self, name: Name, text: str = "", *, note: str = "") -> PageLink:
        """Return a link to a name by a text, else by its label."""
        shown = escape_controls(text or self.view.cite(name, self.words.language))
        return PageLink(PageText(shown), self.links.find(name), note, str(name))

    def link_file(self, name: Name) -> PageLink:
        """Return a link to a name by its last part."""
        return self.link(name, describe_level(name, self.words.language))

    def _link_by_title(self, name: Name) -> PageLink:
        """Return a link by a title of the name's own, else by its label."""
        titles = self.view.own_titles(name)
        if not titles:
            return self.link(name)
        return PageLink(make_title(titles[0]), self.links.find(name), name=str(name))

    @_list_once
    def crumbs(self) -> Iterator[PageLink]:
        """List the lists of the site above the name, then the names above it, the act first.

        The act has its title where the heading is another.
        """
        root, words, name = self.links.root, self.words, self.name
        if root is not None:
            yield PageLink(PageText(words("site.home")), f"{root}index.html")
            here, labels = locate_folder(name), describe_folders(name, words.language)
            for depth, text in enumerate(labels, 2):
                href = make_relative_link(here, here[:depth])
                yield PageLink(PageText(escape_controls(text)), href)
        for each in reversed(list_ancestors(name)):
            is_act = each == name.act_name
            text = "" if is_act else describe_level(each, words.language)
            is_titled = is_labelled_version(each) or (is_act and self._is_headed_by_level)
            yield self._link_by_title(each) if is_titled else self.link(each, text)

    @_list_once
    def languages(self) -> Iterator[PageLink]:
        """List the same version in other languages, each by its name in that language."""
        for tag, version in self.view.translations(self._position) if self._position else ():
            lang = check_html_language(tag)
            own = name_language(tag, tag.partition("-")[0])
            text = PageText(self.words.name(tag)) if own == tag else PageText(own, lang or "")
            yield PageLink(text, self.links.find(version), name=str(version))

    # --- the top ----------------------------------------------------------------------

    @_list_once
    def kind(self) -> Iterator[str]:
        """List words for an alias or a withdrawn name, then the kind and the jurisdiction."""
        name, words = self.name, self.words
        if self._is_withdrawn:
            yield words("kind.withdrawn")
        elif self._canonical != name:
            yield words("kind.alias")
        if name.level is Level.WORK:
            kind = "annex" if name.work.annexes else "work"
        else:
            kind = "version" if name.level is Level.EXPRESSION else "format"
        yield words(f"kind.{kind}" if name.partition is None else f"kind.part-of-{kind}")
        yield describe_folders(name, words.language)[0]

    @_list_once
    def notices(self) -> Iterator[PageNotice]:
        """List the most important facts: withdrawn, an alias, in force or not."""
        view, words, canonical = self.view, self.words, self._canonical
        instead = None
        if canonical != self.name:
            instead = self._link_by_title(canonical)._replace(note=str(canonical))
        if self._is_withdrawn:
            day = self._record.withdrawn_on
            key = "force.withdrawn" if day is None else "force.withdrawn-on"
            text = words(key, day="" if day is None else words.day(day))
            text = f"{text}. {words('force.name-only')}"
            if instead is not None:
                text = f"{text} {words('force.replaced-by')}"
            yield PageNotice("off", text, instead=instead)
            return
        if instead is not None:
            yield PageNotice("plain", words("force.alias"), instead=instead)
        # A part or a file is in force as its version is.
        position = view.position(self.name)
        if position is not None:
            links = tuple(self._list_neighbours(position))
            text = describe_version_force(view, position, words)
            yield PageNotice(self._choose_tone(position), text, links)
        elif self._chains:
            chain = self._chains[0]
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
        is_own = self._position is not None
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

    @_list_once
    def readings(self) -> Iterator[PageLink]:
        """List the files to read, else web pages; the first link has words of its own.

        Those of a work are the files of its version in force, else of the latest known one. A part
        has those of the text that it is part of, too.
        """
        view, words, name = self.view, self.words, self.name
        if self._is_replaced:
            return
        own = () if name.partition is None else (name,)
        whole = name if name.partition is None else _find_document(name)
        version, is_in_force = whole, False
        if chains := sort_chains(view.chains(whole), words.language):
            version = chains[0].current(view.as_of).version or chains[0].last.name
            force = view.find_force(version)
            is_in_force = force is not None and force.is_in_force
        sources = (*own, *view.equals(version), whole, *view.equals(whole.work_name))
        names = dict.fromkeys(each for one in sources for each in (one, *view.formats(one)))
        copies = [
            (each, item)
            for each in names
            for item in view.record(each).items
            if check_link(item.url)
        ]
        # A copy whose name states its format comes first, and alone.
        formats = [each for each in copies if each[0].manifestation is not None]
        files = {item.url: (each, item) for each, item in formats or copies}
        pages = dict.fromkeys(url for each in names for url in view.record(each).pages)
        links = [self._link_item(*each) for each in files.values()]
        # A web page may not be the text.
        links = links or [
            PageLink(PageText(escape_controls(_find_host(url))), url, words("read.page"))
            for url in pages
            if check_link(url)
        ]
        alike = Counter((link.text, link.note) for link in links)
        for number, link in enumerate(links):
            if alike[link.text, link.note] > 1:
                file = _strip_scheme(link.href or "").rstrip("/").rpartition("/")[2]
                links[number] = link._replace(note=", ".join(filter(None, (file, link.note))))
        for main in links[:1]:
            text, note = words("read.at", host=main.text.value), main.note
            if files:
                key = "read.whole" if own else "read.text"
                if not own and next(iter(files.values()))[0].expression is not None:
                    if whole.expression is not None:
                        key = "read.version"
                    elif is_in_force:
                        key = "read.current"
                text, note = words(key), ", ".join(filter(None, (main.text.value, note)))
            yield main._replace(text=PageText(text), note=note)
        yield from links[1:_MAX_READINGS]

    def _link_item(self, name: Name, item: Item) -> PageLink:
        """Return a link to a file by its publisher, else its host, with its format and size."""
        publisher, notes = _find_host(item.url), []
        if (manifestation := name.manifestation) is not None:
            publisher = unquote(manifestation.editor.publisher)
            level = describe_level(name, self.words.language)
            notes.append(level.removeprefix(publisher).removeprefix(", "))
        if item.bytes is not None:
            notes.append(self.words.size(item.bytes))
        note = escape_controls(", ".join(filter(None, notes)))
        return PageLink(PageText(escape_controls(publisher)), item.url, note)

    # --- facts ------------------------------------------------------------------------

    @_list_once
    def facts(self) -> Iterator[Fact]:
        """List the metadata of the record, in a fixed order."""
        record, words = self._record, self.words
        force = () if record.force is None else (words(f"force.{record.force.value}"),)
        order = () if record.version_order is None else (str(record.version_order),)
        facts: Iterable[tuple[str, Iterable[PageLink]]] = (
            ("fact.issued", self._write_day(record.issued)),
            ("fact.published", self._write_day(record.published)),
            ("fact.in-force-from", self._write_day(record.in_force_from)),
            ("fact.in-force-until", self._write_day(find_last_day(record.in_force_until))),
            ("fact.force-on", self._write_day(record.force_on)),
            ("fact.force", (PageLink(PageText(each)) for each in force)),
            ("fact.amended-by", map(self.link, record.amended_by)),
            ("fact.publisher", self._make_values(record.publishers)),
            ("fact.creator", self._make_values(record.creators)),
            ("fact.subject", self._make_values(record.subjects)),
            ("fact.license", self._make_values(record.licenses)),
            ("fact.page", map(shorten_url, record.pages)),
            ("heading.aliases", self._list_aliases()),
            ("fact.version-order", (PageLink(PageText(each)) for each in order)),
            ("fact.modified", self._write_day(record.modified)),
            ("fact.withdrawn", self._write_day(record.withdrawn_on)),
        )
        made = (Fact(words(key), tuple(values)) for key, values in facts)
        yield from (each for each in made if each.values)

    def _make_values(self, texts: Iterable[str]) -> Iterator[PageLink]:
        return (make_value(each, self.words.language) for each in texts)

    def _write_day(self, day: dt.date | None) -> tuple[PageLink, ...]:
        if day is None:
            return ()
        return (PageLink(PageText(self.words.day(day)), day=day.isoformat()),)

    def _list_aliases(self) -> Iterator[PageLink]:
        """List the other names, each by its title with the name as a note."""
        view, words = self.view, self.words
        for each in view.equals(self.name):
            if each == self.name:
                continue
            notes = [str(each)]
            if view.record(each).status is Status.WITHDRAWN:
                notes.append(words("note.withdrawn"))
            elif each == self._canonical:
                notes.append(words("note.canonical"))
            yield self._link_by_title(each)._replace(note=", ".join(notes))

    @_list_once
    def copies(self) -> Iterator[tuple[PageLink, ...]]:
        """List the copies of the name itself: the URL of each, with its size and digest."""
        for item in self._record.items:
            url = escape_controls(item.url)
            values = [PageLink(PageText(url, ""), check_link(item.url))]
            if item.bytes is not None:
                values.append(PageLink(PageText(self.words.size(item.bytes))))
            if item.sha256 is not None:
                values.append(PageLink(PageText(f"SHA-256 {item.sha256}")))
            yield tuple(values)

    # --- sections ---------------------------------------------------------------------

    @_list_once
    def sections(self) -> Iterator[PageSection]:
        """List annexes, parts, formats, the same part elsewhere, and what it amends."""
        view, name, words = self.view, self.name, self.words
        children = view.children(name)
        parts = [each for each in children if each.partition is not None]
        annexes = [each for each in children if each.level is Level.WORK and each.partition is None]
        # The same part of the act, then of its other versions, the newest first.
        found = [(each, view.position(each)) for each in view.same_parts(name)]
        found.sort(key=lambda each: -1 if each[1] is None else each[1].number, reverse=True)
        same_parts = (
            self.link(
                each,
                describe_level(_find_document(each), words.language),
                note="" if at is None else describe_span(at.version, words),
            )
            for each, at in found[:_MAX_SAME_PARTS]
        )
        sections: Iterable[tuple[str, Iterable[PageLink]]] = (
            ("heading.annexes", map(self._link_child, annexes)),
            ("heading.parts", map(self._link_child, parts)),
            ("heading.formats", map(self._link_child, view.formats(name))),
            ("heading.same-part", same_parts),
            ("heading.treaty-texts", map(self._link_by_title, view.record(name).also_named)),
            ("heading.amends", map(self.link, self.links.list_amended(name))),
        )
        made = (PageSection(words(key), tuple(links)) for key, links in sections)
        yield from (each for each in made if each.links)

    def _link_child(self, name: Name) -> PageLink:
        """Return a link by the last part of a name, with its title as a note, or by both in one.

        The title of the page is no news.
        """
        level, known = describe_level(name, self.words.language), self.view.titles(self.name)
        title = next((each for each in self.view.own_titles(name) if each not in known), None)
        if title is not None and title.value.startswith(level):
            return self._link_by_title(name)
        return self.link(name, level, note="" if title is None else make_title(title).value)


def find_year(name: Name) -> str:
    """Return the year of an act: of its date, or of a period that is a year; empty if none is."""
    details = name.work.details
    start = (details.dates[0].iso if details.dates else details.period or "")[:4]
    return start if _YEAR.fullmatch(start) else ""


def sort_chains(chains: Iterable[Chain], language: str) -> list[Chain]:
    """Sort chains: the language of the page first, the others as they are."""
    return sorted(chains, key=lambda each: (each.language or "").partition("-")[0] != language)


def _find_document(part: Name) -> Name:
    """Find the work, version or file that a name is a part of."""
    return next(each for each in list_ancestors(part) if each.partition is None)


@lru_cache(maxsize=4_096)
def make_value(text: str, language: str) -> PageLink:
    """Return a text, or an IRI by a short text.

    This is the name of a licence, the label of an authority in the registry, or the IRI without
    its scheme.
    """
    href = check_link(text)
    if href is None:
        return PageLink(PageText(escape_controls(text), ""))
    if found := _CREATIVE_COMMONS.fullmatch(href):
        kind = _CREATIVE_COMMONS_KINDS.get(found["kind"], f"CC {found['kind'].upper()}")
        port = f" {found['port'].upper()}" if found["port"] else ""
        return PageLink(PageText(f"{kind} {found['number']}{port}"), href)
    if entries := _load_authorities().get(href):
        labels = {each.language: each.text for entry in entries for each in entry.labels}
        tag = next((each for each in (language, "en") if each in labels), next(iter(labels)))
        return PageLink(PageText(labels[tag], None if tag == language else tag), href)
    return PageLink(PageText(_strip_scheme(href), ""), href)


def _find_host(url: str) -> str:
    return (urlsplit(url).hostname or url).removeprefix("www.")


def shorten_url(url: str) -> PageLink:
    """Return a link to a web page by its address without the scheme, cut where it is long."""
    text = _strip_scheme(url)
    if len(text) > _LONGEST_URL:
        text = f"{text[:_LONGEST_URL]}…"
    return PageLink(PageText(text, ""), check_link(url))


def _strip_scheme(url: str) -> str:
    text = escape_controls(url)
    return text.partition("://")[2].removeprefix("www.") or text


@cache
def _load_authorities() -> Mapping[str, list[Entry]]:
    """Load the entries of the authorities of the EU by the IRIs that they match."""
    authorities: dict[str, list[Entry]] = defaultdict(list)
    for entry in load_registry().law("eu").authorities:
        for iri in entry.matches:
            authorities[iri].append(entry)
    return authorities
