"""Alias sets: rows on disk, compared and grouped in bounded memory, and families of them.

The rows lie in a SQLite database without a name, which is gone when the process ends. Sets are
joined there by union-find. Families can be built in any process.
"""

from __future__ import annotations

import marshal
import pickle
import sqlite3
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from lexurn.errors import ManifestError
from lexurn.files import read_rows
from lexurn.findings import make_finding
from lexurn.manifest.cells import quote_value
from lexurn.manifest.formats import FieldRow
from lexurn.manifest.rows import NEXT_FREE, digest_values
from lexurn.manifest.table_checks import FREE_FIELDS, NameChecks, make_title_key
from lexurn.manifest.tables import RejectedRow
from lexurn.model import FIELDS, ModelError, Record, Source, family_of, unpack_fields
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.findings import Finding
    from lexurn.manifest.rows import PackedRow, RowReader
    from lexurn.model import Family


class GroupedRow(NamedTuple):
    """Row in its alias set: its number, its file and line, its packed values."""

    number: int
    file: str
    line: int
    data: bytes


class PackedGroup(NamedTuple):
    """Rows of one alias set, from which `build_family` makes its family.

    Attributes:
        act: the act at its centre.
        rows: its rows, in the order of the input.
        shared: URLs of copies that it shares with other alias sets.
    """

    act: str
    rows: tuple[GroupedRow, ...]
    shared: tuple[str, ...] = ()


class FamilyResult(NamedTuple):
    """Family built from an alias set, and its findings.

    Attributes:
        family: the family; None where its rows contradict each other, and all are rejected.
        findings: the findings on its rows.
    """

    family: Family | None
    findings: tuple[Finding, ...] = ()


def build_family(group: PackedGroup) -> FamilyResult:
    """Build the family of an alias set.

    Args:
        group: its rows, of `Manifest.groups`.
    """
    records: dict[str, Record] = {}
    merged: dict[str, dict[str, Any]] = {}
    undated: dict[str, Record] = {}
    sources: dict[str, Source] = {}
    for row in group.rows:
        source = Source(file=row.file, line=row.line)
        name, fields, ordered = marshal.loads(row.data)  # noqa: S302 - bytes of this very process
        if name in merged:  # rows of one name agree
            fields = _merge_fields(merged[name], fields)[0]
        merged[name] = fields
        records[name] = Record(name=parse(name), source=source, **unpack_fields(fields))
        source = sources.setdefault(name, source)
        # The first row of a version that no row describes and no date orders does both.
        if ordered is not None and ordered[0] not in undated:
            version, number = parse(ordered[0]), ordered[1]
            undated[ordered[0]] = Record(name=version, version_order=number, source=source)
            sources.setdefault(ordered[0], source)
    try:
        family = family_of([*(undated | records).values()], group.shared)
    except ModelError as conflict:
        names = () if conflict.finding is None else conflict.finding.names
        first = group.rows[0]
        start = Source(file=first.file, line=first.line)
        source = next((sources[name] for name in names if name in sources), start)
        values = {"value": str(conflict)}
        found = make_finding("LX538", named=values, file=source.file, line=source.line)
        return FamilyResult(None, (found,))
    placed = []
    for found in family.findings:
        name = next((name for name in found.names if name in sources), None)
        if name is not None:
            source = sources[name]
            placed.append(replace(found, file=source.file, line=source.line))
    return FamilyResult(family, tuple(placed))


def _merge_fields(
    fields: Mapping[str, Any], more: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Merge the packed fields of two rows of one name.

    Returns:
        The fields of both, and those that have another value in each: the first value stays. Lists
        are joined; titles that differ contradict each other if they have one language, copies if
        they have one URL.
    """
    merged = dict(fields)
    contradicted: list[str] = []
    for field, value in more.items():
        known = merged.setdefault(field, value)
        if known == value or field == "version_order":
            continue
        if not isinstance(known, list):
            contradicted.append(field)
            continue
        new = [each for each in value if each not in known]
        if field == "titles":
            titles = {(make_title_key(title), language) for title, language in known}
            new = [each for each in new if (make_title_key(each[0]), each[1]) not in titles]
        place = _KEYS_OF_ITEMS.get(field)
        if place is not None:
            taken = {each[place] for each in known}
            contradicted += [field] * any(each[place] in taken for each in new)
            new = [each for each in new if each[place] not in taken]
        merged[field] = [*known, *new]
    return merged, contradicted


_KEYS_OF_ITEMS = {"titles": 1, "items": 0}
"""Positions of language and URL in the items of a field."""


_BATCH = 1_000

REASON_COLUMNS = ("file", "line", "column", "code", "message", "suggestion")
"""Columns of the file of reasons: those of a finding, ``column`` also as the part of a name."""

SPOOL_SETTINGS = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA page_size = 16384",
    "PRAGMA cache_size = -8192",  # KiB: all the memory that rows on disk may take
    "PRAGMA temp_store = FILE",
)

_SCHEMA = """
CREATE TABLE row (
  id INTEGER PRIMARY KEY, act TEXT, name TEXT, file INTEGER, line INTEGER, data BLOB, raw BLOB);
CREATE TABLE alias (
  id INTEGER PRIMARY KEY, name TEXT, target TEXT, act TEXT, target_act TEXT);
CREATE TABLE copy (id INTEGER, url TEXT);
CREATE TABLE reject (file INTEGER, id INTEGER, line INTEGER, raw BLOB, digest BLOB);
CREATE TABLE reason (file INTEGER, id INTEGER, found BLOB);
CREATE TABLE field (id INTEGER PRIMARY KEY, file INTEGER, line INTEGER, data BLOB);
CREATE TABLE marked (id INTEGER PRIMARY KEY);
CREATE TABLE joined (act TEXT PRIMARY KEY, root TEXT) WITHOUT ROWID;
"""


LARGEST_ALIAS_SET = 100_000
"""The most rows of one alias set."""

_LONGEST_CHAIN = 100

_SELECT_REPEATED = """
SELECT name, id, file, line, data FROM row
WHERE (act, name) IN (SELECT act, name FROM row GROUP BY act, name HAVING COUNT(*) > 1)
ORDER BY act, name, id
"""

_SELECT_DUPLICATES = """
SELECT later.id, later.file, later.line, later.name, first.file, first.line, a.target, b.target
FROM (SELECT act, name, MIN(id) AS id FROM row GROUP BY act, name HAVING COUNT(*) > 1) same
JOIN row later ON later.act = same.act AND later.name = same.name AND later.id <> same.id
JOIN row first ON first.id = same.id
LEFT JOIN alias a ON a.id = later.id LEFT JOIN alias b ON b.id = first.id ORDER BY later.id
"""
_SELECT_CHAINS = """
SELECT link.id, row.file, row.line, link.name, link.target FROM alias link
JOIN row ON row.id = link.id WHERE link.target IN (SELECT name FROM alias) ORDER BY link.id
"""
_SELECT_SIZES = """
SELECT MIN(id), act, COUNT(*) FROM row GROUP BY act HAVING COUNT(*) > ? ORDER BY act
"""
_JOIN_ROWS = (
    """
CREATE TABLE centre AS SELECT joined.root AS root, MIN(alias.target_act) AS act
FROM alias JOIN joined ON joined.act = alias.target_act
WHERE alias.target_act NOT IN (SELECT name FROM alias) GROUP BY joined.root
""",
    "CREATE INDEX by_root ON centre (root, act)",
    """
UPDATE row SET act = (
  SELECT centre.act FROM joined JOIN centre ON centre.root = joined.root
  WHERE joined.act = row.act)
WHERE act IN (SELECT act FROM joined)
""",
)
_FIND_SHARED = (
    "CREATE TABLE repeated AS SELECT url FROM copy GROUP BY url HAVING COUNT(*) > 1",
    """
CREATE TABLE shared AS SELECT DISTINCT row.act AS act, url FROM copy JOIN row ON row.id = copy.id
WHERE url IN (
  SELECT url FROM copy JOIN row ON row.id = copy.id WHERE url IN (SELECT url FROM repeated)
  GROUP BY url HAVING MIN(row.act) < MAX(row.act))
""",
    "CREATE INDEX by_holder ON shared (act)",
)
_SELECT_GROUPS = "SELECT act, id, file, line, data FROM row ORDER BY act"
_SELECT_SHARED = "SELECT act, url FROM shared ORDER BY act"
_SELECT_COPIES = "SELECT DISTINCT row.act, url FROM copy JOIN row ON row.id = copy.id"
_SELECT_REJECTED = (
    "SELECT file, id, line, raw, digest FROM reject WHERE file = ? ORDER BY id, rowid"
)
_SELECT_STARTS = "SELECT id, digest, min(rowid) FROM reject GROUP BY id"
"""Query for rejected rows; one that is too long has its first piece alone."""
_SELECT_MARKED = "SELECT id, file, line FROM row WHERE id IN (SELECT id FROM marked) ORDER BY id"
_SELECT_REASONS = "SELECT found FROM reason WHERE file = ? ORDER BY id, rowid"
_SELECT_FOUND = "SELECT found FROM reason WHERE id = ? ORDER BY rowid"
_SELECT_FIELDS = """
SELECT id, file, line, (SELECT data FROM field WHERE field.id = reject.id), MIN(digest), NULL
FROM reject GROUP BY id UNION ALL
SELECT field.id, field.file, field.line, field.data, NULL, same.first
FROM field LEFT JOIN row ON row.id = field.id LEFT JOIN (
  SELECT act, name, MIN(id) AS first FROM row WHERE ? GROUP BY act, name HAVING COUNT(*) > 1
) same ON same.act = row.act AND same.name = row.name
WHERE field.id NOT IN (SELECT id FROM reject) ORDER BY id
"""
_SELECT_ROOT = "SELECT root FROM joined WHERE act = ?"
_SHORTEN_PATHS = """
UPDATE joined SET root = (SELECT above.root FROM joined above WHERE above.act = joined.root)
WHERE root <> (SELECT above.root FROM joined above WHERE above.act = joined.root)
"""


def _open_database(path: str | Path = "") -> sqlite3.Connection:
    """Open a new database of rows: in a file, or where the path is empty, one that nobody finds.

    Raises:
        ManifestError: there is no place for it.
    """
    with _explain_disk_errors():
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for setting in SPOOL_SETTINGS:
            database.execute(setting)
        database.executescript(_SCHEMA)
        database.execute("BEGIN")
    return database


@contextmanager
def _explain_disk_errors() -> Iterator[None]:
    """Explain in one sentence why the disk cannot hold the rows.

    Raises:
        ManifestError: it cannot.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as full:
        raise ManifestError(
            f"the rows cannot be kept in a temporary file: {full}; free space in "
            f"{tempfile.gettempdir()}, or set TMPDIR to a folder on a larger disk"
        ) from None


def _digest_row(data: bytes) -> bytes:
    """Return the digest of a packed row, which its place in the table does not change."""
    name, fields, _ = marshal.loads(data)  # noqa: S302 - bytes of this very process
    fields.pop("version_order", None)  # the number of the row, unless a cell states it
    return digest_values((name, fields))


class AliasSets:
    """Rows on disk, grouped by alias set in bounded memory; a context manager.

    All rows of an alias set, aliases of any level included, must come to the same object. Copies
    count as shared between the alias sets in it. Every method raises ManifestError where the disk
    is full or fails.

    Attributes:
        rejected: the number of good rows that were rejected here.
    """

    def __init__(self, readers: Sequence[RowReader]) -> None:
        """Open a temporary file.

        Args:
            readers: the readers of the rows, by the number of their table.
        """
        self.rejected = 0
        self._database = _open_database()
        self._database.create_function("digest", 1, _digest_row)
        self._checks = NameChecks(self._database)
        self._files = [reader.file for reader in readers]
        self._readers = readers
        self._waiting: list[PackedRow] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()  # which deletes the rows

    def add(self, row: PackedRow) -> None:
        """Take in a good row."""
        self._waiting.append(row)
        if len(self._waiting) >= _BATCH:
            self._flush()

    def reject(self, row: RejectedRow, findings: Iterable[Finding] = ()) -> None:
        """Take in a bad row, or a piece of one, and the errors in it."""
        self._run("INSERT INTO reject VALUES (?, ?, ?, ?, ?)", *row[:5])
        if row.fields is not None:
            values = row.number, row.table, row.line, row.fields
            self._run("INSERT INTO field VALUES (?, ?, ?, ?)", *values)
        for found in findings:
            if found.is_error:
                self._explain(row.number, row.table, found)

    def field_rows(self) -> Iterator[FieldRow]:
        """Yield the rows for minting and the rejected ones, in the order of the input."""
        self._run("CREATE INDEX IF NOT EXISTS by_row ON reason (id)")
        # Without `distinct`, rows of one name are equal acts, each with a number of its own.
        is_distinct = self._readers[0].plan.mapping.distinct
        for number, table, line, data, reject, first in self._query(_SELECT_FIELDS, is_distinct):
            reader = self._readers[table]
            if data is None:  # it cannot be read: other runs know it by its digest
                cells = {"urn": f"unreadable {reject.hex()}"}
                row = FieldRow(reader.file, line, None, list_cells=cells.copy)
            else:
                row = reader.unpack_fields(data)
            if reject is not None:
                reasons = self._query(_SELECT_FOUND, number)
                found = tuple(pickle.loads(each) for (each,) in reasons)  # noqa: S301 - our own bytes
                row = row._replace(fields=None, findings=found, name=None)
            yield row._replace(number=number, first=first)

    def reject_rows(self, numbers: Iterable[int], findings: Iterable[Finding] = ()) -> None:
        """Reject good rows, as the findings say."""
        for each in numbers:
            self._run("INSERT OR IGNORE INTO marked VALUES (?)", each)
        for number, table, line in [*self._query(_SELECT_MARKED)]:
            for found in findings:
                self._explain(number, table, replace(found, line=line))
        self._reject_marked()

    def _explain(self, number: int, table: int, found: Finding) -> None:
        """Keep the reason for which a row is rejected."""
        self._run("INSERT INTO reason VALUES (?, ?, ?)", table, number, pickle.dumps(found))

    def _reject_marked(self) -> None:
        marked = "WHERE id IN (SELECT id FROM marked)"
        self._run(f"INSERT INTO reject SELECT file, id, line, raw, digest(data) FROM row {marked}")  # noqa: S608 - a fixed condition
        self._run(f"DELETE FROM alias {marked}")  # noqa: S608 - a fixed condition
        self.rejected += self._run(f"DELETE FROM row {marked}")  # noqa: S608 - a fixed condition
        self._run("DELETE FROM marked")

    def join(self, today: str | None = None) -> Iterator[Finding]:
        """Reject the rows that do not fit the others, and join the rest to alias sets; once.

        Args:
            today: the day after which days lie in the future, in ISO 8601; None to leave out the
                checks of the whole table.

        Yields:
            Errors in rows that were good by themselves.
        """
        self._flush()
        if today is not None:
            yield from self._reject_all(self._find_suspects(today))
        yield from self._reject_all(self._find_duplicates())
        yield from self._reject_all(self._find_chains())
        # An alias of any level joins the acts of its two names.
        pairs = self._query("SELECT act, target_act FROM alias WHERE act <> target_act")
        _join_acts(self._database, pairs)
        for statement in _JOIN_ROWS:
            self._run(statement)
        for number, act, count in self._query(_SELECT_SIZES, LARGEST_ALIAS_SET):
            self._run("INSERT OR IGNORE INTO marked SELECT id FROM row WHERE act = ?", act)
            values = {"value": quote_value(act), "expected": count, "most": LARGEST_ALIAS_SET}
            for row, table, line in self._query(_SELECT_MARKED):
                found = make_finding("LX537", named=values, file=self._files[table], line=line)
                self._explain(row, table, found)
                if row == number:
                    yield found
            self._reject_marked()
        for statement in _FIND_SHARED:
            self._run(statement)

    def groups(self) -> Iterator[PackedGroup]:
        """Yield the rows by alias set, sorted by act."""
        sharing = groupby(self._query(_SELECT_SHARED), key=itemgetter(0))
        sharer = next(sharing, None)
        for act, found in groupby(self._query(_SELECT_GROUPS), key=itemgetter(0)):
            rows = sorted(found, key=itemgetter(1))
            shared: tuple[str, ...] = ()
            while sharer is not None and act is not None and sharer[0] < act:
                sharer = next(sharing, None)
            if sharer is not None and sharer[0] == act:
                shared = tuple(url for _, url in sharer[1])
            files = self._files
            grouped = (
                GroupedRow(number, files[p], line, data) for _, number, p, line, data in rows
            )
            yield PackedGroup(act, tuple(grouped), shared)

    def copies(self) -> Iterator[tuple[str, str]]:
        """Yield the act of each alias set with the URLs of its copies, each once."""
        return self._query(_SELECT_COPIES)

    def rejects(self, tables: Iterable[int] | None = None) -> Iterator[RejectedRow]:
        """Yield the rejected rows of some tables, or of all, unchanged."""
        for table in range(len(self._readers)) if tables is None else tables:
            yield from (RejectedRow(*row) for row in self._query(_SELECT_REJECTED, table))

    def reasons(self, tables: Iterable[int]) -> Iterator[tuple[object, ...]]:
        """Yield the reasons for which the rows of some tables were rejected: `REASON_COLUMNS`."""
        for table in tables:
            for (data,) in self._query(_SELECT_REASONS, table):
                found = pickle.loads(data)  # noqa: S301 - bytes of our own processes
                header = found.column or found.component
                texts = (header, found.code, found.message, found.suggestion)
                shown = (each and each.encode(errors="replace").decode() for each in texts)
                yield (self._files[table], found.line, *shown)

    def count_rejected(self) -> dict[str, int]:
        """Count the rejected rows of each file that has some."""
        query = "SELECT file, count(DISTINCT id) FROM reject GROUP BY file ORDER BY file"
        counts: Counter[str] = Counter()
        for table, count in self._query(query):
            counts[self._files[table]] += count
        return dict(counts)

    def list_digests(self) -> Iterator[tuple[bytes, int]]:
        """Yield the digests of the rejected rows, each with the number of these rows."""
        return self._query(f"SELECT digest, count(*) FROM ({_SELECT_STARTS}) GROUP BY digest")  # noqa: S608 - fixed

    def explain_rejects(self, count_wanted: Callable[[bytes], int], most: int) -> list[Finding]:
        """Return the first error in each of the first rejected rows that are wanted."""
        taken: Counter[bytes] = Counter()
        numbers: list[int] = []
        for number, digest, _ in self._query(f"{_SELECT_STARTS} ORDER BY id"):
            if len(numbers) == most:
                break
            if taken[digest] < count_wanted(digest):
                taken[digest] += 1
                numbers.append(number)
        marks = ", ".join("?" * len(numbers))
        query = (
            f"SELECT found, min(rowid) FROM reason WHERE id IN ({marks}) GROUP BY id ORDER BY id"  # noqa: S608 - no value in it
        )
        return [pickle.loads(found) for found, _ in self._query(query, *numbers)]  # noqa: S301 - bytes of our own processes

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        with _explain_disk_errors():
            many = self._database.executemany
            many("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?)", (row[:7] for row in rows))
            aliases = [
                (r.number, r.name, r.alias_of, r.act, r.alias_act) for r in rows if r.alias_of
            ]
            many("INSERT INTO alias VALUES (?, ?, ?, ?, ?)", aliases)
            copies = [(row.number, url) for row in rows for url in row.urls]
            many("INSERT INTO copy VALUES (?, ?)", copies)
            self._checks.add(row.checked for row in rows if row.checked is not None)
            fields = [(r.number, r.table, r.line, r.fields) for r in rows if r.fields]
            many("INSERT INTO field VALUES (?, ?, ?, ?)", fields)

    def _query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, read on while they are used."""
        return read_rows(self._database, statement, values, _explain_disk_errors)

    def _run(self, statement: str, *values: object) -> int:
        """Run a statement without a result; return the number of rows that it changed."""
        with _explain_disk_errors():
            return self._database.execute(statement, values).rowcount

    def _reject_all(self, faults: Iterable[tuple[int, Finding]]) -> Iterator[Finding]:
        """Reject the rows with these numbers, after all faults of one kind were found."""
        for number, found in faults:
            if not found.is_error:
                yield found
            elif self._run("INSERT OR IGNORE INTO marked VALUES (?)", number):
                for (table,) in self._query("SELECT file FROM row WHERE id = ?", number):
                    self._explain(number, table, found)
                yield found
        self._reject_marked()

    def _make_fault(
        self, table: int, line: int, column: str, text: str, code: str, **values: str
    ) -> Finding:
        """Make a finding on a column of a row."""
        return make_finding(
            code,
            named=values,
            file=self._files[table],
            line=line,
            column=self._readers[table].plan.header_of(column),
            end=len(text),
            text=text,
        )

    def _find_suspects(self, today: str) -> Iterator[tuple[int, Finding]]:
        """Find the rows that fail a check of the whole table."""
        place = "SELECT file, line FROM row WHERE id = ?"
        accepted = self._readers[0].plan.mapping.accept
        suspects = self._checks.find_suspects(today, accepted)
        while True:
            with _explain_disk_errors():
                each = next(suspects, None)
            if each is None:
                return
            ((table, line),) = self._query(place, each.number)
            values = {"value": quote_value(each.value), "expected": each.expected, "other": ""}
            for other, at in self._query(place, each.other):
                values |= {"other": quote_value(each.expected)}
                values |= {"expected": f"{self._files[other]}:{at}"}
            found = self._make_fault(table, line, each.column, each.value, each.code, **values)
            yield each.number, replace(found, suggestion=each.suggestion)

    def _find_duplicates(self) -> Iterator[tuple[int, Finding]]:
        """Find the rows whose name an earlier row has, or that equal it but for a number."""
        self._run("CREATE INDEX by_act ON row (act, name)")
        if self._readers[0].plan.mapping.distinct:
            yield from self._find_contradictions()
            return
        found = self._query(_SELECT_DUPLICATES)
        for number, table, line, name, other_table, other_line, target, other_target in found:
            is_conflict = None not in {target, other_target} and target != other_target
            other = f"{self._files[other_table]}:{other_line}"
            fault = ("alias_of", target, "LX532") if is_conflict else ("urn", name, "LX531")
            if NEXT_FREE.search(name):
                fault = ("unnumbered", "", "LX539")
            values = {"value": quote_value(name), "expected": other}
            yield number, self._make_fault(table, line, *fault, **values)

    def _find_contradictions(self) -> Iterator[tuple[int, Finding]]:
        """Find the rows that contradict the earlier rows of their name."""
        first, place, fields = "", "", {}
        accepted = {FREE_FIELDS.get(code) for code in self._readers[0].plan.mapping.accept}
        for name, number, table, line, data in self._query(_SELECT_REPEATED):
            more = marshal.loads(data)[1]  # noqa: S302 - bytes of this very process
            if name != first:
                first, place, fields = name, f"{self._files[table]}:{line}", more
                continue
            merged, contradicted = _merge_fields(fields, more)
            if accepted.issuperset(contradicted):
                fields = merged
                continue
            field = next(each for each in contradicted if each not in accepted)
            column = next(each.columns[0] for each in FIELDS if each.name == field)
            free = [code for code, other in FREE_FIELDS.items() if other == field]
            remedy = f', or, if they are one act, write accept = ["{free[0]}"]' if free else ""
            values = {"value": quote_value(name), "expected": place, "other": column}
            values["remedy"] = f"{remedy} in the mapping file" if free else ""
            yield number, self._make_fault(table, line, column, name, "LX529", **values)

    def _find_chains(self) -> Iterator[tuple[int, Finding]]:
        """Find the rows whose canonical name is an alias itself."""
        self._run("CREATE INDEX by_alias ON alias (name)")
        for number, table, line, name, target in self._query(_SELECT_CHAINS):
            end = self._find_chain_end(name, target)
            code = "LX536" if end is None else "LX535"
            values = {"value": quote_value(target), "expected": quote_value(end or "")}
            found = self._make_fault(table, line, "alias_of", target, code, **values)
            yield number, replace(found, suggestion=end)

    def _find_chain_end(self, name: str, target: str) -> str | None:
        """Return the last name in a chain of aliases, None where the chain is a loop."""
        seen = {name}
        while target not in seen:
            seen.add(target)
            found = next(self._query("SELECT target FROM alias WHERE name = ?", target), None)
            if found is None or len(seen) > _LONGEST_CHAIN:
                return target
            target = found[0]
        return None


def _join_acts(database: sqlite3.Connection, pairs: Iterable[tuple[str, ...]]) -> None:
    """Note for each act in some pairs the act that stands for all acts joined with it."""
    with _explain_disk_errors():
        for act, other in pairs:
            one, two = sorted((_find_root(database, act), _find_root(database, other)))
            if one != two:
                database.execute("UPDATE joined SET root = ? WHERE act = ?", (one, two))
        while database.execute(_SHORTEN_PATHS).rowcount:
            pass


def _find_root(database: sqlite3.Connection, act: str) -> str:
    """Find the act that stands for all acts joined with ``act`` so far; halve paths on the way."""
    found = database.execute(_SELECT_ROOT, (act,)).fetchone()
    if found is None:
        database.execute("INSERT INTO joined VALUES (?, ?)", (act, act))
        return act
    while found[0] != act:
        (further,) = database.execute(_SELECT_ROOT, found).fetchone()
        if further == found[0]:
            return str(further)
        database.execute("UPDATE joined SET root = ? WHERE act = ?", (further, act))
        act = further
        found = database.execute(_SELECT_ROOT, (act,)).fetchone()
    return act


def write_joined_acts(path: str | Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write a file of the acts that aliases of any level join.

    Args:
        path: a file that does not exist yet.
        pairs: the act of an alias and that of its canonical name, as `PackedRow` has them.

    Raises:
        ManifestError: the disk is full.
    """
    database = _open_database(path)
    try:
        _join_acts(database, pairs)
        with _explain_disk_errors():
            database.execute("COMMIT")
    finally:
        database.close()


class JoinedActs:
    """File of `write_joined_acts`, open for reading; a context manager."""

    def __init__(self, path: str | Path) -> None:
        """Open the file.

        Raises:
            ManifestError: it cannot be opened.
        """
        self._path = path
        address = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
        try:
            self._database = sqlite3.connect(address, uri=True)
        except sqlite3.Error as broken:
            raise ManifestError(f"{path}: cannot be read: {broken}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def root(self, act: str) -> str:
        """Return the act that stands for all acts joined with an act; itself where it is alone.

        Raises:
            ManifestError: the file cannot be read.
        """
        try:
            found = self._database.execute(_SELECT_ROOT, (act,)).fetchone()
        except sqlite3.Error as broken:
            raise ManifestError(f"{self._path}: cannot be read: {broken}") from None
        return act if found is None else str(found[0])
