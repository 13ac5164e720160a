"""Lists of a site: acts by jurisdiction, authority, type and year, the home page, and the feed.

Each folder above the acts (``lex/it/stato/``) is a list of what is in it, and the page of the entry
of the registry that its acts use. The list of all acts, and each of more than 200, is divided by
years, and each year into pages of 200, so that a new act changes few pages. For machines, sitemaps
list all pages, and the feed lists the newest changes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from html import escape
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from urllib.parse import quote

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph import Format, describe_concepts, write
from lexurn.labels import name_jurisdiction
from lexurn.pages import (
    Fact,
    PageLink,
    PageText,
    Representation,
    load_words,
    make_relative_link,
    make_value,
    quote_path,
    render_template,
    shorten_url,
)
from lexurn.publishing.entries import (
    ACT_COLUMNS,
    CONCEPT_DEPTHS,
    LIST_DEPTH,
    ActEntry,
    FolderEntry,
    cut_path,
)
from lexurn.publishing.search import SEARCH_PAGE
from lexurn.registry import REGISTRY_BASE, load_registry

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.pages import Words
    from lexurn.publishing.dcat import SiteSettings

_Link = TypeVar("_Link")
_PAGE_SIZE = 200
_PAGE_NUMBER = re.compile(r"-[0-9]+$")
UNDATED = "undated"
"""Name of the page of acts without a year."""
_NEWEST = 8
_NO_ALIAS = "AND (is_counted OR state != '')"
_OF_YEARS = "AND year IN (SELECT value FROM json_each(?))"
_MAX_CARDS = 24
_FEWEST_BARS, _MAX_BARS, _BAR_HEIGHT = 2, 10, 128
_LISTS = "lex/"
"""Folder of the list of all acts."""
_JURISDICTIONS = f"{REGISTRY_BASE}jurisdictions/"
_CONTENTS = {v.EXPRESSION: "home.versions", v.ITEM_CLASS: "home.texts"}
_HEADINGS = {
    2: "home.jurisdictions",
    3: "list.authorities",
    4: "list.types",
    5: "list.acts",
}
"""Headings of what is in a list, by the number of segments of that."""


class ActLink(NamedTuple):
    """Link to an act in a list: its text, its target and a note."""

    text: PageText
    href: str
    note: PageText


class ChartBar(NamedTuple):
    """Year or decade in a chart: its acts, its height in pixels, the link to its first year."""

    year: int
    acts: str
    height: int
    href: str | None


class ListWriter:
    """Writer of the lists of a site, from entries in a database."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        settings: SiteSettings,
        classes: Mapping[str, int] | None = None,
    ) -> None:
        """Store the parts.

        Args:
            connection: the database with the tables of `lexurn.publishing.entries`.
            settings: the settings of the site.
            classes: the numbers of versions and copies, by their classes, for the home page.
        """
        self._connection, self._settings = connection, settings
        self._words = settings.words
        self._classes = classes or {}
        self._folders: dict[str, FolderEntry] = {}
        self._written: dict[str, set[str] | None] = {}

    def write(
        self, changed: frozenset[tuple[str, str]] | None = None
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the paths and contents of the files: the home page and the lists.

        Args:
            changed: the folder and the year of each act whose entry is not as it was when the lists
                were written last; None for all. The home page, the page on the data and that for
                missing addresses are always written, then the lists of these folders and of all
                folders above, and of these the pages of the years. A file that is no longer needed
                (the list is shorter) is not named.
        """
        query = (
            "SELECT *, (SELECT group_concat(iri, ' ') FROM concept WHERE folder = path)"
            " FROM folder ORDER BY path"
        )
        self._folders = {
            path: FolderEntry(path, label, language, tuple((iris or "").split()))
            for path, label, language, iris in self._connection.execute(query)
        }
        years: dict[str, set[str]] = {}
        for folder, year in changed or ():
            for depth in range(1, folder.count("/") + 1):
                years.setdefault(cut_path(folder, depth), set()).add(year)
        yield from self._write_top()
        for path in (_LISTS, *self._folders):
            if changed is None or path in years:
                self._written[path] = years.get(path)
                yield from self._write_list(path, years.get(path))

    def has_rewritten(self, path: str) -> bool:
        """Return whether all pages beside a file of a list are new: of its year, or of its index.

        A list that has no acts any more has no pages.
        """
        folder, slash, file = path.rpartition("/")
        folder += slash
        if folder not in self._written:
            return folder != _LISTS and folder not in self._folders
        years, stem = self._written[folder], _PAGE_NUMBER.sub("", file.partition(".")[0])
        return years is None or stem in {"index", *(year or UNDATED for year in years)}

    # --- lists ------------------------------------------------------------------------

    def _write_list(self, path: str, changed: set[str] | None) -> Iterator[tuple[str, bytes]]:
        """Write the pages of a list: its index, and the changed years of a divided one, or all.

        Aliases are in lists that have nothing else: the page of an act links its other names.
        """
        folder = self._folders.get(path)
        words = self._words if folder is None else load_words(folder.language)
        years: Counter[str] = Counter()  # all acts of a year
        counts: Counter[str] = Counter()  # without aliases and withdrawn names
        lists: Counter[str] = Counter()  # acts in a list, without aliases
        depth = path.count("/") + 1
        query = (
            "SELECT folder, year, count(*), sum(is_counted) FROM act"
            " WHERE folder >= ? AND folder < ? {} GROUP BY 1, 2"
        )
        rows = self._connection.execute(query.format(_NO_ALIAS), _make_range(path)).fetchall()
        also = _NO_ALIAS if rows else ""
        rows = rows or self._connection.execute(query.format(also), _make_range(path)).fetchall()
        for parent, year, count, counted in rows:
            years[year] += count
            counts[year] += counted
            lists[cut_path(parent, depth)] += counted
        total, counted = years.total(), lists.total()
        is_divided = folder is None or total > _PAGE_SIZE
        if not is_divided:
            self._written[path] = None
        lists.pop(path, None)
        links = [
            PageLink(self._name_folder(each, words), _link(path, each), _count(lists[each], words))
            for each in lists
        ]
        links.sort(key=lambda each: (each.text.value, each.href))
        order = f"{also} ORDER BY year DESC, date DESC, path"
        newest = () if is_divided else self._find_acts(path, order)
        concepts = () if folder is None else folder.concepts
        values: dict[str, Any] = {
            "words": words,
            "crumbs": [
                PageLink(PageText(words("site.home")), f"{'../' * (depth - 1)}index.html"),
                *(
                    PageLink(self._name_folder(each, words), _link(path, each))
                    for each in (cut_path(path, at) for at in range(1, depth - 1))
                ),
            ],
            "heading": self._name_folder(path, words),
            "lists_heading": words(_HEADINGS[depth]),
        }
        chunks = list(_divide(links)) or [[]]
        for number, chunk in enumerate(chunks, 1):
            page = self._render(
                path,
                lists=chunk,
                years=[
                    PageLink(
                        PageText(each or words("list.no-year")),
                        _name_file(each),
                        words.number(counts[each]) if counts[each] else "",
                    )
                    for each in sorted(years, reverse=True)
                    if is_divided
                ],
                acts=[_link_act(each, path, words) for each in newest]
                if number == len(chunks)
                else [],
                count=_count(counted, words),
                pages=_make_pages("index", number, len(chunks), words),
                concepts=list(filter(None, (_describe_concept(each, words) for each in concepts)))
                if number == 1
                else [],
                **values,
            )
            yield path + _name_file("index", number), page
        if concepts:
            data = describe_concepts(f"<{each}>" for each in concepts)
            yield f"{path}{Representation.TURTLE.file_name}", write(data, Format.TURTLE)
        if is_divided:
            # The list may have been short before: then the other years have no pages yet.
            others = years.keys() - (changed or ())
            if changed is not None and sum(years[each] for each in others) > _PAGE_SIZE:
                years = Counter({each: years[each] for each in years.keys() & changed})
            yield from self._write_years(path, years, also, values)

    def _write_years(
        self, path: str, years: Mapping[str, int], also: str, values: dict[str, Any]
    ) -> Iterator[tuple[str, bytes]]:
        """Write the pages of some years of a list, the earliest acts first."""
        words, heading = values["words"], values["heading"]
        here = PageLink(heading, "index.html")
        order = f"{_OF_YEARS} {also} ORDER BY year, date, path"
        acts = self._find_acts(path, order, json.dumps([*years]))
        for year, some in groupby(acts, lambda each: each.year):
            last = (years[year] + _PAGE_SIZE - 1) // _PAGE_SIZE
            # Without a count, a new act changes the last page of its year alone.
            undated = words("list.no-year")
            text = words("list.acts") if path == _LISTS else heading.value
            text = f"{text}, {year or undated[:1].lower() + undated[1:]}"
            if year and path == _LISTS:
                text = words("list.of-year", year=year)
            shown = values | {
                "heading": PageText(text),
                "crumbs": [*values["crumbs"], here],
            }
            for number, page in enumerate(_divide(some), 1):
                pages = _make_pages(year, number, last, words)
                links = [_link_act(each, path, words) for each in page]
                content = self._render(path, acts=links, pages=pages, **shown)
                yield path + _name_file(year, number), content

    def _find_acts(self, path: str, order: str, *values: str) -> Iterator[ActEntry]:
        """Find the acts in a folder, by a condition with its values and an order."""
        rows = self._connection.execute(
            f"SELECT {ACT_COLUMNS} FROM act WHERE folder >= ? AND folder < ? {order}",  # noqa: S608 - no user's text in it
            (*_make_range(path), *values),
        )
        for row in rows:
            yield ActEntry(*row)

    def _name_folder(self, path: str, words: Words) -> PageText:
        """Return the name of a list on a page; a jurisdiction is named in the page's language."""
        folder = self._folders.get(path)
        if folder is None:
            return PageText(words("site.browse"))
        _, jurisdiction, *below = path.rstrip("/").split("/")
        code, label = quote(jurisdiction.partition(";")[0]), folder.label
        own = name_jurisdiction(code, folder.language)
        if below or not label.startswith(own):
            names = [each for iri in folder.concepts for each in _list_names(iri).items()]
            languages = {language for language, text in names if text == label}
        else:
            label = name_jurisdiction(code, words.language) + label.removeprefix(own)
            known = _list_names(f"{_JURISDICTIONS}{code}")
            languages = {words.language if words.language in known else "en"}
        is_own = words.language in languages
        return PageText(label, None if is_own else min(languages, default=""))

    def _render(self, path: str, *, words: Words, **values: object) -> bytes:
        absent: dict[str, object] = {
            "count": "",
            "years": (),
            "lists": (),
            "acts": (),
            "concepts": (),
            "words": words,
            "site_title": self._settings.site.choose_title(words.language, self._settings.base),
        }
        root = "../" * path.count("/")
        return self._settings.render_page("list.html", root=root, **absent | values)

    # --- the home page ----------------------------------------------------------------

    def _write_top(self) -> Iterator[tuple[str, bytes]]:
        """Write the home page, and those on the data, for missing addresses and for the search."""
        words, connection, site = self._words, self._connection, self._settings.site
        jurisdictions: Counter[str] = Counter()
        years: Counter[str] = Counter()
        for folder, year, count in connection.execute(
            "SELECT folder, year, sum(is_counted) FROM act GROUP BY 1, 2"
        ):
            jurisdictions[cut_path(folder, 2)] += count
            years[year] += count
        newest = connection.execute(
            f"SELECT {ACT_COLUMNS} FROM act WHERE is_counted ORDER BY changed DESC, path LIMIT ?",  # noqa: S608 - no user's text in it
            (_NEWEST,),
        )
        jurisdictions = +jurisdictions  # without those that have aliases alone
        ranked = sorted(jurisdictions.items(), key=lambda each: (-each[1], each[0]))
        bars = _list_bars(+years, words)
        is_by_decade = len(bars) > 1 and bars[1].year - bars[0].year > 1
        values: dict[str, Any] = {
            "summary": self.summarize(),
            "description": site.choose_description(words.language),
            "facts": tuple(self._list_facts()),
            "newest": [_link_act(ActEntry(*row), "", words) for row in newest],
            "bars": bars,
            "bars_heading": words("home.by-decade" if is_by_decade else "home.by-year"),
            "cards": [
                PageLink(self._name_folder(path, words), _link("", path), _count(count, words))
                for path, count in ranked[:_MAX_CARDS]
            ],
            "has_more": len(ranked) > _MAX_CARDS,
        }
        title = self._settings.title
        values["heading"] = title if site.title else PageText(f"{words('home.title')}.")
        files = [
            ("index.html", "home.html", ""),
            ("about.html", "about.html", ""),
            # A server shows the page for a missing address at any depth.
            ("404.html", "missing.html", f"{self._settings.base}/"),
        ]
        if self._settings.search:
            values["filters"] = self._list_filters(years)
            files.append((SEARCH_PAGE, "search.html", ""))
        for file, template, root in files:
            yield file, self._settings.render_page(template, root=root, **values)

    def _list_filters(self, years: Iterable[str]) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """List the filters of the search: key, label, and the values of acts with their texts."""
        words, folders = self._words, self._folders.values()
        jurisdictions = {
            each.label: self._name_folder(each.path, words).value
            for each in folders
            if each.path.count("/") == CONCEPT_DEPTHS[v.JURISDICTION]
        }
        types = {each.label for each in folders if each.path.count("/") == LIST_DEPTH}
        return [
            (
                "jurisdiction",
                words("search.jurisdiction"),
                sorted(jurisdictions.items(), key=itemgetter(1)),
            ),
            ("type", words("search.type"), [(each, each) for each in sorted(types)]),
            (
                "year",
                words("search.year"),
                [(each, each) for each in sorted(filter(None, years), reverse=True)],
            ),
        ]

    def summarize(self) -> str:
        """Return the jurisdiction, or how many, and all that the site has of them, in words."""
        acts, jurisdictions, folder = self._connection.execute(
            "SELECT count(*), count(DISTINCT substr(folder, 5, instr(substr(folder, 5), '/'))),"
            " min(folder) FROM act WHERE is_counted"
        ).fetchone()
        words = self._words
        if not acts:
            return words("home.empty")
        place = words("count.jurisdictions", count=words.number(jurisdictions))
        if jurisdictions == 1:
            place = self._name_folder(cut_path(folder, 2), words).value
        contents = [words.count("count.acts", acts)]
        contents += [words(key) for class_, key in _CONTENTS.items() if self._classes.get(class_)]
        return words("home.summary", place=place, contents=", ".join(contents))

    def find_change(self) -> str:
        """Return the day of the newest change, in ISO 8601; empty where none is known."""
        (day,) = self._connection.execute("SELECT max(changed) FROM act").fetchone()
        return day or ""

    def list_examples(self) -> list[str]:
        """List the names of some acts: those with versions first, the newest first."""
        rows = self._connection.execute(
            "SELECT name FROM act WHERE is_counted ORDER BY state = '', changed DESC, path LIMIT 3"
        )
        return [name for (name,) in rows]

    def _list_facts(self) -> Iterator[Fact]:
        """List the publisher and the licence, as far as they are stated."""
        site, words = self._settings.site, self._words
        if site.publisher is not None:
            publisher = PageLink(PageText(site.publisher, ""), site.publisher_iri)
            yield Fact(words("fact.publisher"), (publisher,))
        if site.license is not None:
            yield Fact(words("fact.license"), (make_value(site.license, words.language),))


def _list_bars(counts: Mapping[str, int], words: Words) -> list[ChartBar]:
    """List the bars of the last decades, or of the years if these are few.

    The bar of a single year would tell nothing.
    """
    years = sorted(int(year) for year in counts if year)
    if len(years) < _FEWEST_BARS:
        return []
    step = 1 if years[-1] - years[0] < _MAX_BARS else 10
    sums: Counter[int] = Counter()
    for year in years:
        sums[year - year % step] += counts[f"{year:04}"]
    last, highest = max(sums), max(sums.values())
    first = max(min(sums), last - step * (_MAX_BARS - 1))
    firsts = {year - year % step: year for year in reversed(years)}
    return [
        ChartBar(
            start,
            words.number(sums[start]),
            max(_BAR_HEIGHT * sums[start] // highest, 1),
            f"{_LISTS}index.html#y{firsts[start]:04}" if start in firsts else None,
        )
        for start in range(first, last + step, step)
    ]


def _list_names(iri: str) -> Mapping[str, str]:
    """List the names of an entry of the registry by language; empty if there is no entry."""
    if iri.startswith(_JURISDICTIONS):
        labels = data.load_table("jurisdiction_concepts")["labels"]
        return cast("Mapping[str, str]", labels.get(iri.removeprefix(_JURISDICTIONS), {}))
    entry = load_registry().entry(iri)
    labels = () if entry is None else (*entry.translations, *entry.labels)
    return {each.language: each.text for each in labels}


def _describe_concept(iri: str, words: Words) -> dict[str, object] | None:
    """Describe an entry of the registry: its names, with languages, and facts; None without one."""
    entry, code = load_registry().entry(iri), iri.removeprefix(_JURISDICTIONS)
    table = data.load_table("jurisdiction_concepts")
    if entry is None and code not in table["labels"]:
        return None
    matches, sources = (
        table[key].get(code, ()) if entry is None else getattr(entry, key)
        for key in ("matches", "sources")
    )
    names = sorted(
        (words.name(language) if language else "", text, language)
        for language, text in _list_names(iri).items()
    )
    facts = (
        Fact(words("list.identifier"), (PageLink(PageText(iri, "")),)),
        Fact(words("list.matches"), tuple(map(shorten_url, matches))),
        Fact(words("list.sources"), tuple(map(shorten_url, sources))),
    )
    return {
        "names": [PageLink(PageText(text, tag), note=note) for note, text, tag in names],
        "facts": [each for each in facts if each.values],
    }


def _count(acts: int, words: Words) -> str:
    """Return a number of acts in words; without any, there are only further names."""
    return words.count("count.acts", acts) if acts else words("list.uncounted")


def _make_range(path: str) -> tuple[str, str]:
    """Return the first path in a folder, and the first one behind it."""
    return path, f"{path[:-1]}0"  # "0" follows "/"


def _divide(links: Iterable[_Link]) -> Iterator[list[_Link]]:
    """Divide links into pages."""
    iterator = iter(links)
    while page := list(islice(iterator, _PAGE_SIZE)):
        yield page


def _link(origin: str, target: str) -> str:
    """Return the link from one list to another."""
    segments = [each.strip("/").split("/") if each else [] for each in (origin, target)]
    return make_relative_link(*segments)


def _link_act(act: ActEntry, origin: str, words: Words) -> ActLink:
    """Return the link to an act by its title, else its label, with its label and its force."""
    lang = None if act.language == words.language else act.language
    text = PageText(act.title, act.title_language) if act.title else PageText(act.label, lang)
    notes = [act.label if act.title else "", act.state.rstrip(".")]
    note = PageText(" · ".join(filter(None, notes)), lang)
    return ActLink(text, _link(origin, act.path), note)


def _name_file(name: str, number: int = 1) -> str:
    """Return the name of a file of a list: of its index, or of a year."""
    return f"{name or UNDATED}{'' if number == 1 else f'-{number}'}.html"


def _make_pages(name: str, number: int, last: int, words: Words) -> dict[str, Any] | None:
    """Return the links to the pages before and after a page; None where there is one page."""
    if last == 1:
        return None
    return {
        "text": words("list.page", page=words.number(number), pages=words.number(last)),
        "previous": _name_file(name, number - 1) if number > 1 else None,
        "next": _name_file(name, number + 1) if number < last else None,
    }


# --- sitemaps and the feed ------------------------------------------------------------

_SITEMAP_SIZE = 50_000
"""Number of URLs that a sitemap may have (sitemaps.org)."""
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_FEED_SIZE, _FEED_PAGE = 500, 100


def write_harvest_files(
    connection: sqlite3.Connection, settings: SiteSettings
) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files.

    Args:
        connection: the database with the tables of `lexurn.publishing.entries.SCHEMA`.
        settings: the settings of the site.
    """
    base = settings.base
    (total,) = connection.execute("SELECT count(*) FROM page").fetchone()
    rows = connection.execute("SELECT url, changed FROM page ORDER BY url")
    if total <= _SITEMAP_SIZE:
        yield "sitemap.xml", _write_sitemap("urlset", "url", rows)[0]
    else:
        files: list[tuple[str, str]] = []
        for number in range(1, -(-total // _SITEMAP_SIZE) + 1):
            content, changed = _write_sitemap("urlset", "url", islice(rows, _SITEMAP_SIZE))
            files.append((f"{base}/sitemap-{number}.xml", changed))
            yield f"sitemap-{number}.xml", content
        yield "sitemap.xml", _write_sitemap("sitemapindex", "sitemap", files)[0]
    yield from _write_feed(connection, settings)
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n".encode()


def _write_sitemap(root: str, element: str, urls: Iterable[tuple[str, str]]) -> tuple[bytes, str]:
    """Write a sitemap; return it with the latest day of its URLs."""
    lines, latest = [], ""
    for url, changed in urls:
        modified = f"<lastmod>{changed}</lastmod>" if changed else ""
        lines.append(f"<{element}><loc>{escape(url, quote=False)}</loc>{modified}</{element}>\n")
        latest = max(latest, changed)
    start = f'<?xml version="1.0" encoding="utf-8"?>\n<{root} xmlns="{_SITEMAP_NAMESPACE}">\n'
    return f"{start}{''.join(lines)}</{root}>\n".encode(), latest


def _write_feed(
    connection: sqlite3.Connection, settings: SiteSettings
) -> Iterator[tuple[str, bytes]]:
    """Write the feed of the newest changes, in pages (RFC 5005 section 3)."""
    query = (
        f"SELECT {ACT_COLUMNS} FROM act"  # noqa: S608 - no user's text in it
        " WHERE is_counted AND changed != '' ORDER BY changed DESC, path LIMIT ?"
    )
    acts = [ActEntry(*row) for row in connection.execute(query, (_FEED_SIZE,))]
    pages = [acts[at : at + _FEED_PAGE] for at in range(0, len(acts), _FEED_PAGE)] or [[]]
    files = ["feed.atom", *(f"feed-{number}.atom" for number in range(2, len(pages) + 1))]
    around = zip([None, *files], files, [*files[1:], None], pages, strict=False)
    for before, file, after, page in around:
        links = [("first", files[0]), ("last", files[-1]), ("previous", before), ("next", after)]
        text = render_template(
            "feed.xml",
            words=settings.words,
            base=settings.base,
            title=settings.title.value,
            file=file,
            links=[each for each in links if each[1]] if len(files) > 1 else [],
            updated=acts[0].changed if acts else "1970-01-01",
            acts=[(act, f"{settings.base}/{quote_path(act.path.split('/'))}") for act in page],
        )
        yield file, text.encode()
