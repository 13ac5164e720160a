"""Entries of the lists of a site: acts, the lists that they are in, and pages, in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn import vocabulary as v
from lexurn.graph import list_concept_links
from lexurn.labels import describe_folders
from lexurn.model import Status
from lexurn.pages import (
    PageText,
    choose_language,
    describe_act_force,
    describe_work_force,
    find_year,
    load_words,
    locate_folder,
    make_title,
    sort_chains,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from lexurn.pages import FamilyView

_LONGEST_TITLE = 300
LIST_DEPTH = 4
"""Number of segments above an act: ``lex``, the jurisdiction, the authority and the type."""
CONCEPT_DEPTHS = {v.JURISDICTION: 2, v.ISSUER_CONCEPT: 3, v.MEASURE_CONCEPT: 4}
"""Number of segments of the list that is the page of a concept, by the link to that."""
SCHEMA = """
CREATE TABLE act (
    path TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL, year TEXT NOT NULL,
    date TEXT NOT NULL, changed TEXT NOT NULL, title TEXT NOT NULL, title_language TEXT,
    label TEXT NOT NULL, language TEXT NOT NULL, state TEXT NOT NULL, is_counted INTEGER NOT NULL,
    alias_set TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX act_alias_set ON act (alias_set);
CREATE INDEX act_folder ON act (folder, year, is_counted);
CREATE INDEX act_changed ON act (changed);
CREATE TABLE page (url TEXT PRIMARY KEY, changed TEXT NOT NULL, alias_set TEXT NOT NULL)
WITHOUT ROWID;
CREATE INDEX page_alias_set ON page (alias_set);
CREATE TABLE folder (path TEXT PRIMARY KEY, label TEXT NOT NULL, language TEXT NOT NULL)
WITHOUT ROWID;
CREATE TABLE concept (folder TEXT NOT NULL, iri TEXT NOT NULL, PRIMARY KEY (folder, iri))
WITHOUT ROWID;
"""


class ActEntry(NamedTuple):
    """Act in a list.

    Attributes:
        path: the path of its folder below the site.
        name: its name.
        folder: the path of the list that it is in, with a slash at its end.
        year: the year of its date; empty where its period does not begin with one.
        date: its first date, else its period.
        changed: the latest day on which it changed, in ISO 8601; empty where none is known.
        title: its title; empty where it has none.
        title_language: the language of the title; empty where that is not known.
        label: its label.
        language: the language of the label and the state.
        state: its force in a sentence, or that it is withdrawn; empty where that is not known, and
            of an alias.
        is_counted: False for an alias and for a withdrawn name, which are no further acts.
    """

    path: str
    name: str
    folder: str
    year: str
    date: str
    changed: str
    title: str
    title_language: str
    label: str
    language: str
    state: str
    is_counted: bool


ACT_COLUMNS = ", ".join(ActEntry._fields)


class FolderEntry(NamedTuple):
    """List of acts.

    Attributes:
        path: the path of its folder.
        label: its label.
        language: the language of pages in which the label is written, as far as words are known.
        concepts: the IRIs of the entries of the registry that its acts use.
    """

    path: str
    label: str
    language: str
    concepts: tuple[str, ...] = ()


Entries = tuple[ActEntry, list[FolderEntry]]
"""Entry of an act, with those of the lists that it is in."""


def list_entries(view: FamilyView, changed: str, default: str) -> Iterator[Entries]:
    """Yield the entries of the acts of a family, each with those of the lists that it is in.

    Args:
        view: the view of the family.
        changed: the day on which the family changed, from `find_change`.
        default: the language of words where the jurisdiction has none of those of pages.
    """
    for record in view.family.records:
        name = record.name
        if not name.is_act:
            continue
        language, path = choose_language(name, default), "/".join(locate_folder(name))
        words = load_words(language)
        title = next(map(make_title, view.titles(name)), PageText(""))
        # The page of the act has a long title whole.
        short = f"{title.value[:_LONGEST_TITLE].rstrip()}…"
        chains = sort_chains(view.chains(name), language)
        labels = zip(range(2, LIST_DEPTH + 1), describe_folders(name, language), strict=True)
        links = [link.split(" ") for link in list_concept_links(name)]
        state = (
            describe_work_force(view, chains[0], words)
            if chains
            else describe_act_force(view, name, words) or ""
        )
        is_withdrawn = record.status is Status.WITHDRAWN
        is_alias = view.family.canonical(name) != name
        if is_withdrawn or is_alias:
            state = "" if is_alias else words("note.withdrawn")
        dates = [each.iso for each in name.work.details.dates]
        yield (
            ActEntry(
                path=path,
                name=str(name),
                folder=cut_path(path, LIST_DEPTH),
                year=find_year(name),
                date=dates[0] if dates else name.work.details.period or "",
                changed=changed,
                title=title.value if len(title.value) <= _LONGEST_TITLE else short,
                title_language=title.lang or "",
                label=view.cite(name, language),
                language=language,
                state=state,
                is_counted=not (is_withdrawn or is_alias),
            ),
            [
                FolderEntry(
                    cut_path(path, depth),
                    label,
                    language,
                    tuple(iri[1:-1] for link, iri in links if CONCEPT_DEPTHS[link] == depth),
                )
                for depth, label in labels
            ],
        )


def find_change(view: FamilyView) -> str:
    """Find the latest day on which a family changed: stated of a record, else a day of the law.

    Without either it is the date in the name of an act. In ISO 8601; empty where none is known.
    """
    records, day = view.family.records, view.as_of
    modified = [each.modified for each in records if each.modified is not None]
    stated = modified or [
        each
        for record in records
        for each in (record.issued, record.published, record.in_force_from, record.force_on)
        if each is not None and each <= day
    ]
    named = (date.day for record in records for date in record.name.work.details.dates)
    days = stated or [each for each in named if each is not None and each <= day]
    return max(days).isoformat() if days else ""


def list_pages(view: FamilyView) -> Iterator[str]:
    """Yield the URLs of the pages of a family.

    Aliases and withdrawn names are left out: search engines need their canonical names alone.
    """
    for record in view.family.records:
        is_canonical = view.family.canonical(record.name) == record.name
        if is_canonical and record.status is not Status.WITHDRAWN:
            yield view.page_url(record.name)


def add_entries(connection: sqlite3.Connection, alias_set: str, entries: Iterable[Entries]) -> None:
    """Add the entries of the acts of an alias set to a database with the tables of `SCHEMA`."""
    for act, folders in entries:
        marks = ", ".join("?" * (len(act) + 1))
        connection.execute(f"INSERT OR REPLACE INTO act VALUES ({marks})", (*act, alias_set))  # noqa: S608 - question marks alone
        connection.executemany(
            "INSERT OR IGNORE INTO folder VALUES (?, ?, ?)", (each[:3] for each in folders)
        )
        connection.executemany(
            "INSERT OR IGNORE INTO concept VALUES (?, ?)",
            ((each.path, iri) for each in folders for iri in each.concepts),
        )


def cut_path(path: str, depth: int) -> str:
    """Return the path of a list above a folder, or of that itself, by its number of segments."""
    return "".join(f"{each}/" for each in path.rstrip("/").split("/")[:depth])
