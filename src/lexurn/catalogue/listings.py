"""Lists and counts of a catalogue: what ready queries answer, one family at a time.

The answer of a ready query is the sum of the rows that each family has for it. So these rows are
made when a family is loaded, and its index keeps them sorted as the query sorts them. The SPARQL of
the query stays the definition: each function here states what its text gives for one family.

A row of a list has the columns ``list, a, b, c, head, d, e, text``. The columns ``a, b, c`` sort
it; ``d`` and ``e`` are limits; names are IRIs. The *head* of an act is its name without details.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn import graph
from lexurn import vocabulary as v
from lexurn.model import Status, is_likely_iri, is_original, read_stated_force

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.model import Family, Record
    from lexurn.name import Name

FORMAT: Final = "4"
"""Format of these rows; one that changes is made again by a rebuild, and not read before."""

OPEN_END: Final = "~"
"""Limit after all days."""

ListRow = tuple[int, str, str, str, str | None, str, str, str]
"""Row of a list."""


class List:
    """Numbers of the lists, with the columns of their rows."""

    NO_COPY: Final = 1  # a: an act without copies
    UNDATED: Final = 2  # a: a version without a date; text: its label, its order or nothing
    VERSION: Final = 3  # a: act; b: language tag; c: version; d, e: span of force; text: basis of d
    FORCE: Final = 4  # a: first day in force; b: act; c, e: days of this answer; text: basis, end
    LANGUAGES: Final = 5  # a: language tags of the versions of an act; b: act; d, e: their span
    DATE: Final = 6  # a: a date of the calendar; b: act; c: the name that has the date
    PERIOD: Final = 7  # a: period; b: act; c: the name that has the period
    DOUBLE: Final = 8  # a: jurisdiction, measure, date, number; b: name; d: authority; e: act
    PAIR: Final = 9  # a, b: two acts with one key of `DOUBLE`, and different authorities
    SHARED: Final = 10  # a: URL of a copy; b: family; c: 1 if others have it; text: count of works
    UNKNOWN: Final = 11  # a: an amending name that has no record; b: the name that it amended
    WITHDRAWN: Final = 12  # a: withdrawn name; text: the day
    MODIFIED: Final = 13  # a: day of change, from `invert_day`; b: name
    ENTERING: Final = 14  # a: first day in force; b: name
    LEAVING: Final = 15  # a: first day no longer in force; b: name
    SUBJECT: Final = 16  # a: subject as a text; b: name
    CONCEPT: Final = 17  # a: subject as an IRI; b: name


class Tally:
    """Numbers of the counts, with what they count and their keys."""

    YEAR: Final = 1  # acts without aliases; a: jurisdiction; b: authority, or all; c: year
    LANGUAGE: Final = 2  # versions; a: language tag
    FORMAT: Final = 3  # manifestations; a: media type
    LEVEL: Final = 4  # names and copies; a: class
    LANGUAGES: Final = 5  # acts; a: the language tags of the versions of an act


TitleRow = tuple[str, str, str | None, str | None, str]
"""Title of an act: the act by its canonical name; text; language tag; the alias that has it, None
where it is the act itself; the head of the name that has it."""

HeadRow = tuple[str, str, str, str, int]
"""Head of an act or alias: the start of its IRI; jurisdiction; authority; type of measure; 1 where
the name is not an alias."""

CountRow = tuple[int, str, str, str]
"""`Tally` and its keys."""


class Listing(NamedTuple):
    """Listing of some families. Its rows are plain tuples, which processes send each other sooner.

    Attributes:
        rows: their rows in the lists.
        titles: the titles of their acts.
        heads: the heads of their acts and of the aliases of these, with the number of names.
        counts: their share of the counts.
        acts: their acts and the aliases of these.
    """

    rows: list[ListRow]
    titles: list[TitleRow]
    heads: Counter[HeadRow]
    counts: Counter[CountRow]
    acts: list[str]


_YEAR = re.compile("[0-9]{4}", re.ASCII)
_INVERTED: Final = str.maketrans("0123456789", "9876543210")


def invert_day(day: str) -> str:
    """Return a text that sorts days from the last to the first; twice, the day itself.

    >>> invert_day("2024-05-01")
    '7975-94-98'
    """
    return day.translate(_INVERTED)


def _pad_title(text: str) -> str:
    """Return a title as it is searched: in lower case, and three letters begin at each letter."""
    return f"{text.lower()}  "


def _cut_head(act: str) -> str:
    """Return the head of an act: the start of its IRI, before the details."""
    return act[: act.rindex(":") + 1]


def list_families(families: Iterable[Family]) -> Listing:
    """List what some families add to the answers of ready queries."""
    listing = Listing([], [], Counter(), Counter(), [])
    for family in families:
        _FamilyLister(family, listing).run()
    return listing


class _FamilyLister:
    """Lister of one family, which adds to a `Listing`."""

    def __init__(self, family: Family, listing: Listing) -> None:
        self._family = family
        self._rows, self._titles, self._heads, self._counts, self._listed_acts = listing
        self._acts: dict[str, Record] = {}
        self._copied: set[str] = set()  # works and versions with a copy of their own
        self._works: dict[str, set[str]] = {}  # by the URL of a copy

    def run(self) -> None:
        """List the family."""
        family = self._family
        is_amended = False
        for record in family.records:
            iri = record.name.iri
            self._list_level(record, iri)
            self._list_statements(record, iri)
            if record.items:
                self._list_copies(record, iri)
            is_amended = is_amended or bool(record.amended_by)
        if is_amended:
            self._list_amendments()
        if family.chains:
            self._list_versions()
        for iri, record in self._acts.items():
            if self._find_target(record) is None:
                self._list_act(iri, record)
        self._listed_acts.extend(self._acts)
        for url, works in self._works.items():
            is_shared = url in family.shared
            if not is_shared:
                self._count(Tally.LEVEL, "Item")
            if is_shared or len(works) > 1:
                mark, number = "1" if is_shared else "", str(len(works))
                self._add(List.SHARED, url, family.key.iri, mark, text=number)

    def _add(  # noqa: PLR0913 - one argument a column of `listed`
        self,
        number: int,
        a: str,
        b: str = "",
        c: str = "",
        *,
        head: str | None = None,
        d: str = "",
        e: str = "",
        text: str = "",
    ) -> None:
        self._rows.append((number, a, b, c, head, d, e, text))

    def _count(self, tally: int, a: str, b: str = "", c: str = "") -> None:
        self._counts[tally, a, b, c] += 1

    def _find_target(self, record: Record) -> Name | None:
        """Find the name to which a name is linked as an alias, withdrawn or not."""
        if record.alias_of is not None:
            return record.alias_of
        family = self._family
        if not family.same or record.name in family.aliases:
            return None
        return family.same.get(record.name)

    def _list_level(self, record: Record, iri: str) -> None:
        """List what the level of a name gives."""
        name, count = record.name, self._count
        if "~" in iri:
            count(Tally.LEVEL, "Partition")
        elif (manifestation := name.manifestation) is not None:
            count(Tally.LEVEL, "Manifestation")
            count(Tally.FORMAT, manifestation.format.mime)
        elif (expression := name.expression) is not None:
            count(Tally.LEVEL, "Expression")
            language, version = expression.language, expression.version
            if language is not None:
                count(Tally.LANGUAGE, language)
            has_event = any(each.date is not None for each in version.events)
            if version.specification is not None and not has_event and not is_original(version):
                order = "" if record.version_order is None else str(record.version_order)
                text = f"{version.specification}\t{order}"
                self._add(List.UNDATED, iri, text=text)
        else:
            count(Tally.LEVEL, "Work")
            if name.is_act:
                self._acts[iri] = record
                self._list_name_of_act(record, iri)
            else:
                count(Tally.LEVEL, "Annex")

    def _list_copies(self, record: Record, iri: str) -> None:
        """List the copies of a name, and the work that they serve."""
        own = iri.partition("~")[0].partition("$")[0]
        work = own.partition("@")[0]
        if "~" not in iri:
            self._copied |= {own, work}
        if self._family.aliases:
            known = self._family.record(record.name.work_name)
            target = None if known is None else self._find_target(known)
            work = work if target is None else target.iri
        for item in record.items:
            self._works.setdefault(item.url, set()).add(work)

    def _list_name_of_act(self, record: Record, iri: str) -> None:
        """List dates, numbers and titles of an act or an alias of it."""
        name, target = record.name, self._find_target(record)
        act, head = iri if target is None else target.iri, _cut_head(iri)
        work = name.work
        code, authority, measure = name.jurisdiction.code, str(work.authority), work.measure.type
        self._heads[head, code, authority, measure, int(target is None)] += 1
        details = work.details
        years: set[str] = set()
        for date in details.dates:
            day = date.iso
            years.add(day[:4])
            if date.day is None:
                day = f"{day}?"  # it is another value than a date
            else:
                self._add(List.DATE, day, act, iri, head=head)
            for number in details.numbers:
                key = f"{code}\t{day}\t{number}\t{measure}"
                self._add(List.DOUBLE, key, iri, d=authority, e=act)
        if details.period is not None:
            years.add(details.period[:4])
            self._add(List.PERIOD, details.period, act, iri, head=head)
        alias = None if target is None else iri
        self._titles += [(act, each.value, each.language, alias, head) for each in record.titles]
        if target is None:
            for year in filter(_YEAR.fullmatch, years):
                self._count(Tally.YEAR, code, authority, year)
                self._count(Tally.YEAR, code, "", year)

    def _list_statements(self, record: Record, iri: str) -> None:
        """List the days and subjects that a record states."""
        start, until = record.in_force_from, record.in_force_until
        if record.force_on is not None:  # else these are all, as of most acts
            start, until, *_ = read_stated_force((record,))
        if start is not None:
            self._add(List.ENTERING, start.isoformat(), iri)
        if until is not None:
            self._add(List.LEAVING, until.isoformat(), iri)
        if record.modified is not None:
            self._add(List.MODIFIED, invert_day(record.modified.isoformat()), iri)
        for subject in record.subjects:
            is_iri = is_likely_iri(subject) and graph.is_absolute_iri(subject)
            self._add(List.CONCEPT if is_iri else List.SUBJECT, subject, iri)
        if record.status is Status.WITHDRAWN:
            self._add(List.WITHDRAWN, iri, text=_write_day(record.withdrawn_on))

    def _list_amendments(self) -> None:
        """List the acts that amended a name, and its work, unless a version has them."""
        made: dict[str, set[str]] = {}  # acts that made versions, by the work
        for record in self._family.records:
            work, _, version = record.name.iri.partition("@")
            if version and "$" not in version and "~" not in version:
                made.setdefault(work, set()).update(each.iri for each in record.amended_by)
        for record in self._family.records:
            names = {record.name.iri}
            if record.name.expression is not None and record.status is None:
                names.add(record.name.work_name.iri)
            for name in names:
                for each in record.amended_by:
                    if each.iri not in made.get(name, ()):
                        self._add(List.UNKNOWN, each.iri, name)

    def _list_versions(self) -> None:
        """List the spans and the languages of the versions of acts."""
        tags: dict[str, set[str]] = {}
        spans: dict[str, list[tuple[str, str]]] = {}
        for one in self._family.chains:
            act = one.work.iri
            if act not in self._acts:
                continue
            for version in one.versions:
                expression, iri = version.name.expression, version.name.iri
                tag = "" if expression is None else expression.language or ""
                tags.setdefault(act, set()).add(tag)
                if iri in self._copied:
                    self._copied.add(act)
                if not version.has_span:
                    continue
                basis = version.start_basis
                start = "" if basis is None else _write_day(version.start)
                until = "" if version.until_basis is None else _write_day(version.until)
                if start or until:
                    text = "" if basis is None else basis.label
                    spans.setdefault(act, []).append((start, until or OPEN_END))
                    self._add(List.VERSION, act, tag, iri, d=start, e=until or OPEN_END, text=text)
        for act, some in tags.items():
            key = " ".join(sorted(some))
            starts, ends = zip(*spans.get(act, [(OPEN_END, "")]), strict=True)
            self._add(List.LANGUAGES, key, act, head=_cut_head(act), d=min(starts), e=max(ends))
            self._count(Tally.LANGUAGES, key)

    def _list_act(self, iri: str, record: Record) -> None:
        """List an act that is not an alias: whether it has a copy, and when it is in force."""
        equals, linked = {iri}, [record]
        if len(self._acts) > 1:
            for alias, each in self._acts.items():
                target = self._find_target(each)
                if target is not None and target.iri == iri:
                    linked.append(each)
                    if each.status is None or each.alias_of is None:
                        equals.add(alias)
        if self._copied.isdisjoint(equals) and not any(self._acts[each].pages for each in equals):
            self._add(List.NO_COPY, iri)
        if record.status is None:
            head = _cut_head(iri)
            for (start, basis, end), first, last in _find_spans(record, linked):
                text = f"{basis}\t{end}"
                self._add(List.FORCE, start, iri, first, head=head, e=last, text=text)


_Answer = tuple[str, str, str]
"""First day in force, its basis, and the end."""


def _find_spans(act: Record, linked: Sequence[Record]) -> Iterator[tuple[_Answer, str, str]]:
    """Find what `acts-in-force` answers for each day: the answer, its first day, and its end.

    The answer changes only on the days that are stated.

    Args:
        act: the record of the act.
        linked: its record and those of its aliases.
    """
    stated_days = [
        (each.in_force_from, each.in_force_until, each.published, each.force_on) for each in linked
    ]
    first, last, published, since = (
        max(map(_write_day, days)) for days in zip(*stated_days, strict=True)
    )
    named = max((each.iso for each in act.name.work.details.dates), default="")
    state = max((graph.FORCE_TERMS[each.force] for each in linked if each.force), default="")
    # The names and conditions are those of the query, in its order.
    is_positive = state in {v.IN_FORCE, v.PARTLY_IN_FORCE}
    is_revived = last != "" and last <= since
    is_start = first == "" and state == v.IN_FORCE and not is_revived
    stated = since if is_start else first
    over = since if last == "" and not is_positive and first <= since else last
    begin = stated or published or named
    source = "day of publication" if published else "date of the act"
    if state == since == "":  # only days tell, as of most acts
        if begin and (begin < last or not last):
            yield (begin, "stated day" if first else source, last), begin, last or OPEN_END
        return

    def answer(today: str) -> _Answer | None:
        is_later = stated <= today and since < stated
        is_later = is_later or (over <= today and since < over)
        # A positive state without a day holds from the date of the act.
        is_valid = since <= today and not is_later if since else not is_positive or named <= today
        holds = state != "" and is_valid
        is_in_force = is_positive
        if not holds:
            is_in_force = begin != "" and begin <= today and (over == "" or today < over)
        if not is_in_force:
            return None
        start = since if holds and (is_revived or today < begin) else begin
        basis = "stated day" if start in {stated, since} else source
        return start, basis if start else "", over if today < over else ""

    found: tuple[_Answer, str] | None = None
    for day in sorted({"", since, stated, over, begin, named}):
        now = answer(day)
        if found is not None and found[0] != now:
            yield found[0], found[1], day
            found = None
        if found is None and now is not None:
            found = now, day
    if found is not None:
        yield found[0], found[1], OPEN_END


def _write_day(day: dt.date | None) -> str:
    return "" if day is None else day.isoformat()


_SCHEMA: Final = f"""
CREATE TABLE head (
  id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, jurisdiction TEXT, authority TEXT,
  measure TEXT, names INTEGER, acts INTEGER);
CREATE TABLE listed (
  list INTEGER, a TEXT, b TEXT, c TEXT, head INTEGER, d TEXT, e TEXT, text TEXT,
  PRIMARY KEY (list, a, b, c)) WITHOUT ROWID;
CREATE INDEX force_by_act ON listed (b) WHERE list = {List.FORCE};
CREATE INDEX span_by_start ON listed (d) WHERE list = {List.LANGUAGES};
CREATE TABLE title (
  id INTEGER PRIMARY KEY, act TEXT, text TEXT, language TEXT, name TEXT, head INTEGER);
CREATE INDEX title_by_act ON title (act);
CREATE INDEX title_of_alias ON title (act) WHERE name IS NOT NULL;
CREATE TABLE tally (
  tally INTEGER, a TEXT, b TEXT, c TEXT, count INTEGER,
  PRIMARY KEY (tally, a, b, c)) WITHOUT ROWID
"""
# It finds any three letters, of titles from `_pad_title`.
_TEXT_SCHEMA: Final = (
    "CREATE VIRTUAL TABLE title_text USING fts5(text, content='', detail=none, columnsize=0, "
    "tokenize='trigram case_sensitive 1')"
)
_TABLES: Final = ("head", "listed", "title", "tally", "title_text")
_MOST_VALUES: Final = 500
_BELOW: Final = ("", ":", "@", "$", "~")
"""Characters that follow the name of an act in the names below it, and none."""
_FIND_PAIRS: Final = (
    f"INSERT OR IGNORE INTO listed SELECT {List.PAIR}, one.b, other.b, '', NULL, '', '', '' "
    f"FROM listed AS one JOIN listed AS other ON other.list = {List.DOUBLE} "
    "AND other.a = one.a AND other.b > one.b AND other.d <> one.d AND other.e <> one.e "
    f"WHERE one.list = {List.DOUBLE} AND one.a IN ({{}})"
)
_DELETE_PAIRS: Final = (
    f"DELETE FROM listed WHERE list = {List.PAIR} AND (a, b) IN (SELECT min(b, ?2), max(b, ?2) "
    f"FROM listed WHERE list = {List.DOUBLE} AND a = ?1)"
)
_ADD_HEAD: Final = (
    "INSERT INTO head (text, jurisdiction, authority, measure, names, acts) "
    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (text) DO UPDATE "
    "SET names = names + excluded.names, acts = acts + excluded.acts"
)
_ADD_COUNT: Final = (
    "INSERT INTO tally VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET count = count + excluded.count"
)


class ListTables:
    """Tables of the lists in an index; the writer of these has a transaction open."""

    def __init__(self, database: sqlite3.Connection) -> None:
        """Take the connection of the index."""
        self._database = database

    def make(self) -> None:
        """Make the tables anew, empty."""
        run = self._database.execute
        for table in _TABLES:
            run(f"DROP TABLE IF EXISTS {table}")
        for statement in _SCHEMA.split(";\n"):
            run(statement)
        with suppress(sqlite3.OperationalError):  # a SQLite without it reads all titles
            run(_TEXT_SCHEMA)

    def has_text(self) -> bool:
        """Return whether titles can be found by any three letters."""
        found = self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'title_text'")
        return found.fetchone() is not None

    def replace(
        self, old: Sequence[Listing], new: Sequence[Listing], is_known: Callable[[str], bool]
    ) -> None:
        """Delete what some families list, and insert what others list.

        Args:
            old: the listings of families that are gone.
            new: the listings of families that the index has.
            is_known: returns whether the index has a name, given as an IRI.
        """
        self._count(old, new)
        rows = (row for each in (*old, *new) for row in each.rows)
        shared = {url for number, url, *_ in rows if number == List.SHARED}
        before = self._count_shared(shared)
        has_text = self.has_text()
        self._delete(old, has_text=has_text)
        self._insert(new, is_known, has_text=has_text)
        more = self._count_shared(shared) - before
        if more:
            self._database.execute(_ADD_COUNT, (Tally.LEVEL, "Item", "", "", more))

    def _count_shared(self, urls: Iterable[str]) -> int:
        """Count those of some URLs that several families have."""
        statement = f"SELECT 1 FROM listed WHERE list = {List.SHARED} AND a = ? AND c = '1'"
        run = self._database.execute
        return sum(run(f"{statement} LIMIT 1", (url,)).fetchone() is not None for url in urls)

    def _count(self, old: Sequence[Listing], new: Sequence[Listing]) -> None:
        """Bring heads and counts up to date."""
        counts: Counter[CountRow] = Counter()
        heads: Counter[HeadRow] = Counter()
        for each in new:
            counts.update(each.counts)
            heads.update(each.heads)
        for each in old:
            counts.subtract(each.counts)
            heads.subtract(each.heads)
        many = self._database.executemany
        many(_ADD_COUNT, ((*key, number) for key, number in counts.items() if number))
        many(
            _ADD_HEAD,
            ((*head, number, number * acts) for (*head, acts), number in heads.items() if number),
        )

    def _delete(self, listings: Sequence[Listing], *, has_text: bool) -> None:
        many, run = self._database.executemany, self._database.execute
        rows = [row for each in listings for row in each.rows]
        many(
            _DELETE_PAIRS, ((key, name) for number, key, name, *_ in rows if number == List.DOUBLE)
        )
        many(
            "DELETE FROM listed WHERE list = ? AND a = ? AND b = ? AND c = ?",
            (row[:4] for row in rows),
        )
        for title in (title for each in listings for title in each.titles):
            found = run(
                "SELECT id FROM title WHERE act = ? AND text = ? AND language IS ? AND name IS ?",
                title[:4],
            )
            for (number,) in found.fetchall():
                run("DELETE FROM title WHERE id = ?", (number,))
                if has_text:
                    run(
                        "INSERT INTO title_text (title_text, rowid, text) VALUES ('delete', ?, ?)",
                        (number, _pad_title(title[1])),
                    )

    def _insert(
        self, listings: Sequence[Listing], is_known: Callable[[str], bool], *, has_text: bool
    ) -> None:
        many = self._database.executemany
        texts = iter({head[0] for each in listings for head in each.heads})
        heads: dict[str | None, int] = {}
        while texts_now := tuple(islice(texts, _MOST_VALUES)):
            marks = ",".join("?" * len(texts_now))
            found = self._database.execute(
                f"SELECT text, id FROM head WHERE text IN ({marks})", texts_now
            )
            heads.update(found.fetchall())
        self._forget_known(listings, is_known)
        rows = [
            (kind, a, b, c, heads.get(head), d, e, text)
            for each in listings
            for kind, a, b, c, head, d, e, text in each.rows
            if kind != List.UNKNOWN or not is_known(a)
        ]
        many("INSERT OR IGNORE INTO listed VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        keys = iter({key for number, key, *_ in rows if number == List.DOUBLE})
        while some := tuple(islice(keys, _MOST_VALUES)):
            self._database.execute(_FIND_PAIRS.format(",".join("?" * len(some))), some)
        (last,) = self._database.execute("SELECT COALESCE(MAX(id), 0) FROM title").fetchone()
        titles = list(enumerate((title for each in listings for title in each.titles), last + 1))
        many(
            "INSERT INTO title VALUES (?, ?, ?, ?, ?, ?)",
            ((number, *title, heads.get(head)) for number, (*title, head) in titles),
        )
        if has_text:
            many(
                "INSERT INTO title_text (rowid, text) VALUES (?, ?)",
                ((number, _pad_title(text)) for number, (_, text, *_) in titles),
            )

    def _forget_known(self, listings: Sequence[Listing], is_known: Callable[[str], bool]) -> None:
        """Delete the amending names that have a record now from the unknown ones."""
        run = self._database.execute
        if not run(f"SELECT 1 FROM listed WHERE list = {List.UNKNOWN} LIMIT 1").fetchone():
            return
        for act in (act for each in listings for act in each.acts):
            found = run(
                f"SELECT DISTINCT a FROM listed WHERE list = {List.UNKNOWN} AND a >= ? AND a < ?",
                (act, f"{act}\x7f"),
            )
            for (name,) in found.fetchall():
                if name[len(act) : len(act) + 1] in _BELOW and is_known(name):
                    run(f"DELETE FROM listed WHERE list = {List.UNKNOWN} AND a = ?", (name,))
