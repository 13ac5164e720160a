"""State of a site: the alias sets that its pages were made of, and the digests of its files.

``.lexurn-site.sqlite`` in the folder of a site holds it. With it, a run leaves alone what has not
changed, and knows the names that have left its input. It also holds the rows of tables that need
not be read again (`lexurn.manifest.row_cache`). An alias set whose digest is NULL, and a list in
``changed_list``, are still to be written: so a run that was killed is completed by the next.

An alias set goes from `SourceSet` to `CheckedSet`; one to write, from `StaleSet` to `WrittenSet`.
These decide what a run writes again:

- a set whose input and days have not changed is left alone (`SiteState.skip_current_sets`), as is
  one that turns out equal once it is built (`SiteState.mark_equal_sets`);
- other settings, or another version of lexurn, make all sets stale (`SiteState.replace_sets`);
- a page also depends on the acts that its act amends (`tables.REPLACE_SETS`);
- a file whose bytes are the same is not touched (``_write_set`` in `folders`, ``_write_batch`` in
  `publication`).
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import ExitStack, closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.errors import PublishError
from lexurn.name import parse
from lexurn.pages import Representation, locate_folder, make_collision_key
from lexurn.publishing import entries, tables
from lexurn.publishing.site import (
    MARKER,
    STAGING_FOLDER,
    SiteFolder,
    explain_disk_errors,
    is_site,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from lexurn.findings import Finding
    from lexurn.manifest import PackedGroup
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.publishing import server

STATE_FILE = ".lexurn-site.sqlite"
WAIT = 60.0
"""Seconds for which a process waits while another one reads or writes the state."""
_BATCH = 1_000
_NAME_FILES = tuple(each.file_name for each in Representation if each.file_name)
_MOST_WORKS = 1_000
_MAX_AMENDED = 200
"""Number of acts up to which a page lists those that its act amends."""


class Work(StrEnum):
    """Work of a run that the next one completes."""

    FILES = "files"
    SEARCH = "search"


class PathClaim(NamedTuple):
    """Name whose folder has a path: the digest of the path, the name, and if it has left."""

    path: bytes
    name: str
    has_left: bool


class SourceSet(NamedTuple):
    """Alias set as a source has it.

    Attributes:
        key: the act at its centre.
        digest: the digest of what the source has of it; empty where that has nothing.
        content: the rows of a table, a family, or one that is packed.
        size: the number of its names, about.
        left: its names that are not in the source.
    """

    key: str
    digest: bytes
    content: PackedGroup | Family | str
    size: int
    left: frozenset[str] = frozenset()


class CheckedSet(NamedTuple):
    """Alias set, checked.

    Attributes:
        key: the act at its centre.
        digest: the digest of what the input has of it; empty where it is not in the input.
        data: its statements, as `lexurn.model.pack_family` writes them; empty where its rows
            contradict each other.
        content: the digest of the data and the days.
        since: the first day on which its pages are as they are on the day of the run.
        until: the first day on which they are not.
        claims: its names.
        amendments: pairs of amending and amended acts.
        has_remarks: whether there are results or findings on it.
        findings: the findings on its rows.
    """

    key: str
    digest: bytes
    data: str = ""
    content: bytes = b""
    since: str = ""
    until: str = ""
    claims: Sequence[PathClaim] = ()
    amendments: Iterable[tuple[str, str]] = ()
    has_remarks: bool = True
    findings: Sequence[Finding] = ()


class RunSet(NamedTuple):
    """Alias set of a run: digest and data as in `CheckedSet`, and whether it is as on the site."""

    digest: bytes
    data: str
    is_seen: bool


class StaleSet(NamedTuple):
    """Alias set that has pages on the site, perhaps out of date.

    Attributes:
        key: the act at its centre.
        data: its statements.
        is_stale: whether its pages are to be written.
        files: the digests of its files, as far as they are known, by path below the site; empty
            unless its pages are to be written, as is the next.
        amended: the acts that each of its names amends.
    """

    key: str
    data: str
    is_stale: bool
    files: Mapping[str, bytes]
    amended: Mapping[str, Sequence[str]]


class WrittenSet(NamedTuple):
    """Alias set whose pages were written.

    Attributes:
        key: the act at its centre.
        files: the digests of its files, by path below the site.
        links: whether a name of another set has a page, by the digest of its path.
        entries: its acts in lists.
        pages: the URLs of its pages.
        exceptions: its names that a server cannot simply look up.
        names: the number of its names.
        written: the number of files that were new or had changed.
        changed: the paths of files whose digests have changed.
    """

    key: str
    files: Mapping[str, bytes]
    links: Mapping[bytes, bool]
    entries: Sequence[entries.Entries]
    pages: Sequence[tuple[str, str]]
    exceptions: Sequence[server.ServerException]
    names: int
    written: int
    changed: Sequence[str]


class SiteState:
    """State of a site, and the alias sets that a run reads; both in one database connection.

    Attributes:
        connection: the connection.
        file: the file of the state, for other processes to read.
        settings: the settings of the last run.
        pending: the work that the last run did not complete, and that of this run.
    """

    def __init__(self) -> None:
        """Make a temporary folder for the tables of the run.

        Raises:
            PublishError: it cannot be written.
        """
        with _explain_database_errors(Path(tempfile.gettempdir())), ExitStack() as stack:
            temporary = tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True)
            self._folder = Path(stack.enter_context(temporary))
            self.connection = stack.enter_context(
                closing(
                    sqlite3.connect(self._folder / "run.sqlite", isolation_level=None, timeout=WAIT)
                )
            )
            self.connection.execute("PRAGMA journal_mode = OFF")
            self.connection.execute("PRAGMA synchronous = OFF")
            self.connection.executescript(tables.RUN_SCHEMA)
            self.file = self._folder / STATE_FILE
            self.settings: Mapping[str, str] = {}
            self.pending: set[str] = set()
            self._rows = 0
            self._left_work: frozenset[str] = frozenset()
            self._attach()
            self._open = stack.pop_all()

    def close(self) -> None:
        """Close the database and remove the temporary folder."""
        self._open.close()

    def open_folder(self, folder: Path) -> None:
        """Read the state of a site, or make one where there is none.

        Raises:
            PublishError: it cannot be read or written, or a newer version has written it.
        """
        self.file = SiteFolder(folder).find_path(STATE_FILE)
        self.connection.execute("DETACH site")
        self._attach()

    def copy_folder(self, folder: Path) -> None:
        """Read a copy of the state of a site, which a run may change; none where there is no state.

        Raises:
            PublishError: it cannot be read, or a newer version has written it.
        """
        file = SiteFolder(folder).find_path(STATE_FILE)
        if not file.is_file():
            return
        self.connection.execute("DETACH site")
        with (
            _explain_database_errors(file),
            closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as state,
            closing(sqlite3.connect(self.file)) as copy,
        ):
            state.backup(copy)
        self._attach()

    def _attach(self) -> None:
        with _explain_database_errors(self.file):
            with closing(sqlite3.connect(self.file, isolation_level=None, timeout=WAIT)) as state:
                (version,) = state.execute("PRAGMA user_version").fetchone()
                if version == 0:
                    state.executescript(f"BEGIN;{tables.SITE_SCHEMA}COMMIT;")
            if version > tables.VERSION:
                raise PublishError(
                    f"a newer version of lexurn has written {self.file}. Use that version."
                )
            self.connection.execute("ATTACH ? AS site", (str(self.file),))
            self.connection.execute("PRAGMA site.synchronous = NORMAL")
            self.connection.executescript(tables.ROW_SCHEMA)
            self.settings = dict(self.connection.execute("SELECT name, value FROM setting"))
            self.pending = set(self.list_column("SELECT work FROM pending"))
            self._left_work = frozenset(self.pending)
            # A run that was killed may have written files whose digests it did not save.
            if Work.FILES in self.pending:
                self.connection.execute("UPDATE file SET digest = x'' WHERE alias_set IS NULL")
                self.connection.execute("INSERT OR IGNORE INTO changed_list VALUES ('', '')")

    @contextmanager
    def open_transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction; it is undone where an error is raised."""
        with _explain_database_errors(self.file):
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def read_rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, read on while they are used."""
        with _explain_database_errors(self.file):
            cursor = self.connection.execute(query, values)
            while found := cursor.fetchmany(_BATCH):
                yield from found

    def list_column(self, query: str, *values: object) -> list[Any]:
        """List the values of a query with one column."""
        return [value for (value,) in self.read_rows(query, *values)]

    # --- alias sets of the run --------------------------------------------------------

    def skip_current_sets(self, sets: Sequence[SourceSet], day: str) -> list[SourceSet]:
        """Note as seen the alias sets whose pages, without remarks, hold on a day; list others."""
        keys = json.dumps([each.key for each in sets])
        known = dict(self.read_rows(tables.FIND_CURRENT_SETS, keys, day))
        seen = [(each.key,) for each in sets if known.get(each.key) == each.digest]
        with self.open_transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO seen VALUES (?)", seen)
        return [each for each in sets if known.get(each.key) != each.digest]

    def read_site_data(self, key: str) -> str:
        """Return the statements that the site has of an alias set."""
        (data,) = self.list_column("SELECT data FROM alias_set WHERE key = ?", key)
        return str(data)

    def read_run_set(self, key: str) -> RunSet | None:
        """Return an alias set of the run, None where the run has not seen it."""
        return next((RunSet(*row) for row in self.read_rows(tables.FIND_RUN_SET, key)), None)

    def add_set(self, checked: CheckedSet) -> None:
        """Add an alias set to the run, in the place of what that had of it before.

        Raises:
            PublishError: two names have one path on a disk that ignores case.
        """
        execute, many, key = self.connection.execute, self.connection.executemany, checked.key
        execute("DELETE FROM seen WHERE key = ?", (key,))
        if execute("DELETE FROM incoming WHERE key = ?", (key,)).rowcount:
            execute("DELETE FROM claim WHERE alias_set = ?", (key,))
            execute("DELETE FROM new_amendment WHERE alias_set = ?", (key,))
        execute(
            "INSERT INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?)", (*checked[:6], checked.has_remarks)
        )
        claims = [(path, name, key, has_left) for path, name, has_left in checked.claims]
        done = many("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?)", claims)
        if done.rowcount != len(claims):
            for path, name, _ in checked.claims:
                query = "SELECT name, alias_set FROM claim WHERE path = ?"
                for holder, other in self.read_rows(query, path):
                    if (holder, other) != (name, key):
                        raise make_collision_error(holder, name)
        amendments = [(key, *pair) for pair in checked.amendments]
        many("INSERT INTO new_amendment VALUES (?, ?, ?)", amendments)

    def add_rejects(
        self,
        rejects: Iterable[tuple[bytes, int]],
        emptied: Iterable[str],
        replaced: Collection[Name],
    ) -> set[str]:
        """Add the rejected rows of the run; return the missing names that stay because of these.

        A missing name may be that of a row that was not yet rejected when the name was in the
        input. Nobody can tell which of several names is that of the row, so all of them stay.

        Args:
            rejects: the digests of the rows, each with the number of these rows.
            emptied: the names without a row of their own any more.
            replaced: the names that do not stay, with those below them, because others replace
                them.
        """
        with self.open_transaction() as connection:
            connection.executemany("INSERT INTO rejected VALUES (?, ?, NULL)", rejects)
            connection.executemany("INSERT INTO staying VALUES (?)", zip(emptied))
            for statement in tables.ADD_REJECTS:
                connection.execute(statement)
            for text in self.list_column("SELECT name FROM staying") if replaced else ():
                name = parse(text)
                if name in replaced or any(each in replaced for each in name.ancestors()):
                    connection.execute("DELETE FROM staying WHERE name = ?", (text,))
        return set(self.list_column("SELECT name FROM staying"))

    def find_rows(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the rows that earlier runs have read, by their keys."""
        self._rows += len(keys)
        query = "SELECT key, data FROM cached_row WHERE key IN ({})"
        return dict(self.read_rows(query.format(", ".join("?" * len(keys))), *keys))

    def add_rows(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Add rows that the run has read, for the next one."""
        with self.open_transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO new_row VALUES (?, ?)", rows)

    def clear_rows(self) -> None:
        """Forget the rows that earlier runs have read."""
        with self.open_transaction() as connection:
            connection.execute("DELETE FROM cached_row")

    def count_new_rejects(self, digest: bytes | None = None) -> int:
        """Count the rejected rows of the run that the last run did not reject.

        Args:
            digest: the digest of the rows to count; None for all.
        """
        if digest is None:
            return int(self.list_column(tables.COUNT_NEW_REJECTS)[0])
        query = f"{tables.COUNT_NEW_REJECTS} WHERE rejected.digest = ?"
        return int(self.list_column(query, digest)[0])

    def list_leaving_names(self, day: str) -> Iterator[tuple[str, str, bool]]:
        """Yield the names that are on the site and not in this run, each with its alias set.

        Alias sets whose names have left before or stay count as seen from now on.
        """
        self.connection.execute(tables.KEEP_UNSEEN, {"day": day})
        return self.read_rows(tables.LIST_LEAVING_NAMES)

    def read_changed_data(self) -> Iterator[tuple[str, str, str]]:
        """Yield the alias sets that have changed: keys, and data in the run and on the site."""
        query = "SELECT key, incoming.data, alias_set.data FROM incoming JOIN alias_set USING (key)"
        return self.read_rows(f"{query} WHERE incoming.data != alias_set.data")

    def find_changed_works(self) -> tuple[tuple[int, list[str]], tuple[int, list[str]]]:
        """Find the works of the run that are new, and those that have changed; once all are there.

        Returns:
            For new works, then for changed ones: their number, and the first of them.
        """
        new, changed = (
            (
                int(self.list_column(tables.COUNT_WORKS, is_old)[0]),
                self.list_column(tables.LIST_WORKS, is_old, _MOST_WORKS),
            )
            for is_old in (False, True)
        )
        return new, changed

    def list_overlaps(self) -> list[tuple[str, str, str, bool]]:
        """List the names of the run whose path is that of a name in an alias set that was seen.

        Each with that name, its alias set, and whether it has left.
        """
        return list(self.read_rows(tables.LIST_OVERLAPS))

    def find_home(self, name: Name) -> str | None:
        """Return the alias set of a name in the input, None where it is not there."""
        found = self.list_column(tables.FIND_HOME, digest_path(name))
        return found[0] if found else None

    def list_left_names(self) -> dict[str, set[str]]:
        """List the names that have left by the alias sets of the run."""
        left: dict[str, set[str]] = defaultdict(set)
        for key, text in self.read_rows(tables.LIST_LEFT_NAMES):
            left[key].add(text)
        return left

    def list_left_names_of(self, key: str) -> set[str]:
        """List the names of an alias set that the site has and the input has not."""
        query = "SELECT name FROM name WHERE alias_set = ? AND has_left"
        return set(self.list_column(query, key))

    def leave_set_out(self, key: str) -> None:
        """Leave out an alias set: the site loses it."""
        for table, column in (("seen", "key"), ("incoming", "key"), ("claim", "alias_set")):
            self.connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))  # noqa: S608 - constant names

    def mark_equal_sets(self) -> None:
        """Mark unchanged alias sets as seen, and update whether they have remarks."""
        with self.open_transaction():
            for statement in tables.MARK_EQUAL_SETS:
                self.connection.execute(statement)

    def count_names(self) -> tuple[int, int]:
        """Count the alias sets and the names in the input."""
        sets, names = next(self.read_rows(tables.COUNT_NAMES))
        return sets, names

    def count_site_names(self) -> int:
        """Count the names that the input of the last run had."""
        return int(self.list_column("SELECT count(*) FROM name WHERE NOT has_left")[0])

    # --- the site ---------------------------------------------------------------------

    def replace_sets(
        self, settings: Mapping[str, str], removed_names: Iterable[str], *, rewrites: bool
    ) -> None:
        """Replace the alias sets of the site by those of the run, and mark stale pages.

        With other settings than those of the last run, that is everything.

        Args:
            settings: the settings of the run.
            removed_names: the names whose pages are to be removed.
            rewrites: whether everything is written, and no digest of a file trusted.
        """
        execute = self.connection.execute
        with self.open_transaction():
            if rewrites:
                execute("UPDATE file SET digest = x''")
            if rewrites or settings != self.settings:
                execute("UPDATE alias_set SET is_stale = 1")
                execute("INSERT OR IGNORE INTO changed_list VALUES ('', '')")
                execute("DELETE FROM setting")
                execute("DELETE FROM folder")  # their labels may be in another language
                execute("DELETE FROM concept")
                values = settings.items()
                self.connection.executemany("INSERT INTO setting VALUES (?, ?)", values)
                self.settings = dict(settings)
            # A run that was killed may have written files of them without saving their digests.
            paths = ("/".join(locate_folder(parse(each))) for each in removed_names)
            files = ((f"{path}/{file}",) for path in paths for file in _NAME_FILES)
            self.connection.executemany("INSERT OR IGNORE INTO file VALUES (?, x'', '')", files)
            for statement in tables.FIND_REPLACED:
                execute(statement)
            if self.list_column("SELECT 1 FROM replaced LIMIT 1"):
                for statement in tables.REPLACE_SETS:
                    execute(statement)
            for statement in tables.SAVE_REJECTS:
                execute(statement)
            # Empty the cache once most of it may be rows that have left the input.
            most = "DELETE FROM cached_row WHERE (SELECT max(rowid) FROM cached_row) > 2 * ?"
            execute(most, (self._rows,))
            execute("INSERT OR IGNORE INTO cached_row SELECT * FROM new_row")

    def add_pending_work(self, work: Work) -> None:
        """Add work that is pending until `complete_work`."""
        if work not in self.pending:
            self.connection.execute("INSERT INTO pending VALUES (?)", (work,))
            self.pending.add(work)

    def complete_work(self, *, is_complete: bool) -> None:
        """Save that the work of the run is done.

        A run that only reports does not complete what one before it has left.
        """
        if not self.pending and self.list_changed_lists() == frozenset():
            return
        with self.open_transaction():
            for work in self.pending if is_complete else self.pending - self._left_work:
                self.connection.execute("DELETE FROM pending WHERE work = ?", (work,))
            if is_complete:
                self.connection.execute("DELETE FROM changed_list")

    def list_changed_lists(self) -> frozenset[tuple[str, str]] | None:
        """List the folders and years of acts whose entries have changed; None for all."""
        changed = frozenset(self.read_rows("SELECT folder, year FROM changed_list"))
        return None if ("", "") in changed else changed

    def list_files(self) -> list[str]:
        """List the files that belong to no alias set."""
        return self.list_column("SELECT path FROM file WHERE alias_set IS NULL")

    def count_stale_names(self) -> int:
        """Count the names whose pages are to be written."""
        query = "SELECT count(*) FROM name JOIN alias_set ON key = alias_set WHERE is_stale"
        return int(self.list_column(query)[0])

    def read_sets(self, key: str, end: str) -> list[StaleSet]:
        """Read the alias sets from a key to the one before another."""
        files: dict[str, dict[str, bytes]] = defaultdict(dict)
        amended: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for each, path, digest in self.read_rows(tables.LIST_STALE_FILES, key, end):
            files[each][path] = digest
        for each, amending, act in self.read_rows(tables.LIST_STALE_AMENDMENTS, key, end):
            if len(acts := amended[each][amending]) < _MAX_AMENDED:
                acts.append(act)
        return [
            StaleSet(each, data, bool(is_stale), files[each], dict(amended[each]))
            for each, data, is_stale in self.read_rows(tables.LIST_SETS, key, end)
        ]

    def save_set(self, written: WrittenSet) -> None:
        """Save what was written of an alias set."""
        key, execute, many = written.key, self.connection.execute, self.connection.executemany
        query = f"SELECT {entries.ACT_COLUMNS} FROM act WHERE alias_set = ?"  # noqa: S608 - constant names
        old = {entries.ActEntry(*row) for row in self.read_rows(query, key)}
        for table in ("act", "page", "exception", "link"):
            execute(f"DELETE FROM {table} WHERE alias_set = ?", (key,))  # noqa: S608 - constant names
        entries.add_entries(self.connection, key, written.entries)
        changed = [(act.folder, act.year) for act in old ^ {act for act, _ in written.entries}]
        many("INSERT OR IGNORE INTO changed_list VALUES (?, ?)", changed)
        many(
            "INSERT OR REPLACE INTO page VALUES (?, ?, ?)", ((*each, key) for each in written.pages)
        )
        exceptions = ((*each, key) for each in written.exceptions)
        many("INSERT OR REPLACE INTO exception VALUES (?, ?, ?, ?)", exceptions)
        many("INSERT INTO link VALUES (?, ?, ?)", ((key, *each) for each in written.links.items()))
        # Files that it has no more are orphans, unless another alias set takes them.
        execute("UPDATE file SET alias_set = '' WHERE alias_set = ?", (key,))
        self.save_files(written.files, key)
        execute("UPDATE alias_set SET is_stale = 0 WHERE key = ?", (key,))

    def find_file(self, path: str) -> bytes | None:
        """Return the digest of a file of the site, None where it is not known."""
        found = self.list_column("SELECT digest FROM file WHERE path = ?", path)
        return found[0] if found else None

    def save_files(self, files: Mapping[str, bytes], key: str | None = None) -> None:
        """Save the digests of files, of an alias set or of the site."""
        query = """
        INSERT INTO file VALUES (?, ?, ?) ON CONFLICT (path)
        DO UPDATE SET digest = excluded.digest, alias_set = excluded.alias_set
        WHERE digest != excluded.digest OR alias_set IS NOT excluded.alias_set
        """
        self.connection.executemany(query, ((*each, key) for each in files.items()))

    def forget_files(self, paths: Iterable[str]) -> None:
        """Forget files that are not there any more."""
        self.connection.executemany("DELETE FROM file WHERE path = ?", ((each,) for each in paths))

    def forget_empty_lists(self) -> None:
        """Forget the lists in which there is nothing any more."""
        for statement in tables.FORGET_LISTS:
            self.connection.execute(statement)

    def list_orphans(self) -> list[str]:
        """List the files of alias sets that the site has no more."""
        return self.list_column("SELECT path FROM file WHERE alias_set = ''")


class SiteInspection(NamedTuple):
    """Files of a site that are not as `publish` left them, by their paths below it; sorted.

    Attributes:
        missing: those that are gone.
        changed: those whose content is another.
        foreign: those that `publish` did not write.
    """

    missing: Sequence[str]
    changed: Sequence[str]
    foreign: Sequence[str]

    @property
    def is_sound(self) -> bool:
        """True if no file is missing or changed; foreign ones do no harm."""
        return not self.missing and not self.changed


def inspect_site(out: str | PathLike[str]) -> SiteInspection:
    """Compare the files of a site with those that the last run of `publish` left.

    Raises:
        PublishError: the folder is not a site, or cannot be read.
    """
    folder = Path(out)
    state_file = folder / STATE_FILE
    if not is_site(folder):
        raise PublishError(f"{folder} is not a site that lexurn has published.")
    if not state_file.is_file():
        raise PublishError(f"{folder} has no {STATE_FILE}. Publish into it first.")
    address = f"{state_file.absolute().as_uri()}?mode=ro"
    with (
        _explain_database_errors(state_file),
        closing(sqlite3.connect(address, uri=True, timeout=WAIT)) as state,
    ):
        if state.execute(tables.FIND_UNFINISHED).fetchone():
            raise PublishError(
                f"The last run into {folder} is unfinished. Wait if it is still running; otherwise "
                "publish again."
            )
        known = dict(state.execute("SELECT path, digest FROM file"))
    changed: list[str] = []
    foreign: list[str] = []
    with explain_disk_errors(folder):
        for place, folders, files in os.walk(folder):
            folders[:] = [each for each in folders if each != STAGING_FOLDER]
            for file in files:
                path = Path(place, file)
                shown = path.relative_to(folder).as_posix()
                if shown not in known:
                    foreign.append(shown)
                elif digest_bytes(path.read_bytes()) != known.pop(shown):
                    changed.append(shown)
    own = {MARKER, STATE_FILE, f"{STATE_FILE}-journal"}
    return SiteInspection(sorted(known), sorted(changed), sorted({*foreign} - own))


@contextmanager
def _explain_database_errors(path: Path) -> Iterator[None]:
    """Turn errors of the database into one that names the file and the remedy.

    Raises:
        PublishError: there was one.
    """
    with explain_disk_errors(path):
        try:
            yield
        except sqlite3.OperationalError as fault:
            if getattr(fault, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise PublishError(f"{path} is in use by another program. Try again.") from fault
            raise PublishError(
                f"{path} cannot be read or written: {fault}. Free space there; TMPDIR can name "
                "another folder for temporary files."
            ) from fault
        except sqlite3.DatabaseError as fault:
            raise PublishError(
                f"{path} is damaged: {fault}. Remove it and publish again: all pages are made "
                "again; the pages of names that have left the input then stay as they are."
            ) from fault


def make_collision_error(one: str, other: str) -> PublishError:
    """Make the error on two names with one path."""
    return PublishError(
        f"{one} and {other} have one path on a disk that ignores case; nothing was changed. "
        "Leave one of them out of the manifest."
    )


def digest_path(name: Name) -> bytes:
    """Return the digest of the path of a name; digests keep the tables small."""
    key = make_collision_key(locate_folder(name)).encode()
    return hashlib.blake2b(key, digest_size=16).digest()


def digest_bytes(content: bytes) -> bytes:
    """Return the digest of the content of a file."""
    return hashlib.blake2b(content, digest_size=16).digest()
