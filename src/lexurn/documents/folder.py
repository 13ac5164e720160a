"""Folders of documents: embedding of the names that a manifest has for the files.

A manifest names the file of a row in one of two ways. The URL of a copy that is below the URL of
the site is the file at that path below the folder; or a column ``file`` contains the path. An
interrupted run can be repeated: files that have their names already are not touched.
"""

from __future__ import annotations

import errno
import os
import pickle
import sqlite3
import tempfile
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, takewhile
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from lexurn.documents.embedding import EmbedOptions, EmbedRequest, check_base, process_file
from lexurn.documents.findings import DocumentError, make_disk_error, make_finding
from lexurn.documents.identification import find_documents, is_document, relative_path
from lexurn.documents.results import Outcome, OutcomeStatus
from lexurn.documents.sidecars import find_sidecar_document, plan_sidecar_removal
from lexurn.files import find_leftovers, is_leftover
from lexurn.name import parse
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from urllib.parse import SplitResult

    from lexurn.model import Family, Record
    from lexurn.name import Name

    Progress = Callable[[str, int, int | None], None]

# Few enough that an interruption leaves little undone, many enough that a process is told seldom.
_LOT_SIZE = 32
_PROGRESS_STEP = 1_000
# As many files as are done in the time that it takes to start another process.
_FILES_PER_WORKER = 250
_MOST_WORKERS = 16


def embed_folder(  # noqa: PLR0913 - options by name, each with a default
    families: Iterable[Family],
    folder: str | Path,
    *,
    site: str | None = None,
    base: str | None = None,
    options: EmbedOptions | None = None,
    only: Iterable[str | Path] | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    is_ended: Callable[[], bool] | None = None,
) -> Generator[Outcome]:
    """Embed names in the files of a folder, and yield the outcome of each.

    Documents that no row names and rows whose file does not exist have outcomes too. Links out of
    the folder are refused.

    Args:
        families: the families of a manifest, `lexurn.manifest.Manifest.families`.
        folder: the folder.
        site: the URL of the folder on the web; without it only the column ``file`` counts.
        base: the base of HTTP URIs; None for none.
        options: the options; by default nothing is written.
        only: the files to process; None for all.
        workers: the number of processes; by default one for each processor.
        on_progress: called for each step: ``reading`` or ``embedding``, how many, of how many.
        is_ended: called regularly; once it returns true, no more files are begun.

    Raises:
        DocumentError: the folder does not exist.
        ValueError: the site or the base is not valid.
        ManifestError: as the families.
    """
    check_base(base)
    where = None if site is None else parse_site(site)
    place = _check_folder(folder)
    only = None if only is None else tuple(map(Path, only))
    selected = None if only is None else frozenset(map(os.path.realpath, only))
    report, is_ended = on_progress or _ignore_progress, is_ended or _is_never_ended
    with (
        _open_temporary_table() as table,
        closing(NameAssignments(table, place, where)) as assignments,
    ):
        yield from _collect_families(
            assignments, takewhile(lambda _: not is_ended(), families), report
        )
        if is_ended():
            return
        if assignments.is_empty:
            yield _report_no_file(place, assignments.elsewhere)
        yield from assignments.assign(selected)
        setting = FolderRun(table=table, folder=place, base=base, options=options or EmbedOptions())
        yield from _process_files(setting, assignments.count, workers, report, is_ended)
        rest = (
            _find_unnamed(assignments, place)
            if only is None
            else _find_unmatched(assignments, only)
        )
        yield from takewhile(lambda _: not is_ended(), rest)


def remove_folder(
    folder: str | Path,
    *,
    options: EmbedOptions | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    is_ended: Callable[[], bool] | None = None,
) -> Generator[Outcome]:
    """Remove the names from all files of a folder, and yield the outcome of each.

    These are documents by their suffixes, or by what is in them. What is hidden is left out.

    Args:
        folder: the folder.
        options: the options; by default nothing is written.
        workers: the number of processes; by default one for each processor.
        on_progress: called with the number of processed files, and of all.
        is_ended: as `embed_folder`.

    Raises:
        DocumentError: the folder does not exist.
    """
    place = _check_folder(folder)
    is_ended = is_ended or _is_never_ended
    unreadable: list[OSError] = []
    with (
        _open_temporary_table() as table,
        closing(NameAssignments(table, place, None)) as assignments,
    ):
        candidates = find_documents(place, is_document=is_document, on_error=unreadable.append)
        selected = takewhile(lambda _: not is_ended(), candidates)
        assignments.add_paths(
            relative_path(each, place) for each in selected if not is_leftover(each.name)
        )
        setting = FolderRun(table=table, folder=place, base=None, options=options or EmbedOptions())
        yield from _process_files(
            setting, assignments.count, workers, on_progress or _ignore_progress, is_ended
        )
    yield from map(_report_unreadable_folder, unreadable)


def _report_unreadable_folder(fault: OSError) -> Outcome:
    """Return the outcome of a folder that cannot be read."""
    found = make_finding("LX301", str(fault.filename), why=fault.strerror)
    return Outcome(file=str(fault.filename), status=OutcomeStatus.REFUSED, findings=(found,))


def _ignore_progress(_what: str, _done: int, _total: int | None) -> None:
    """Report no progress."""


def _is_never_ended() -> bool:
    return False


def _check_folder(folder: str | Path) -> Path:
    place = Path(folder)
    if not place.is_dir():
        why = "it is no folder" if place.exists() else "there is no such folder"
        raise DocumentError(make_finding("LX301", str(place), why=why))
    return place


@contextmanager
def _open_temporary_table() -> Iterator[Path]:
    """Give the path of a temporary database.

    Raises:
        DocumentError: the disk does not hold it.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True) as folder:
            yield Path(folder).resolve() / "assignments.sqlite"
    except sqlite3.Error as full:
        raise make_disk_error(full) from None


def _collect_families(
    assignments: NameAssignments, families: Iterable[Family], report: Progress
) -> Iterator[Outcome]:
    names = 0
    for family in families:
        yield from assignments.add_family(family)
        before, names = names, names + len(family.records)
        if before // _PROGRESS_STEP != names // _PROGRESS_STEP:
            report("reading", names, None)


def _report_no_file(folder: Path, url: str | None) -> Outcome:
    elsewhere = "" if url is None else f" (a URL is {url}, which is not below that of the site)"
    found = make_finding("LX394", str(folder), elsewhere=elsewhere)
    return Outcome(file=".", status=OutcomeStatus.REFUSED, findings=(found,))


def _process_files(
    setting: FolderRun,
    count: int,
    workers: int | None,
    report: Progress,
    is_ended: Callable[[], bool],
) -> Iterator[Outcome]:
    """Process all files in several processes; delete temporary files after a sudden end."""
    under_way: deque[tuple[int, int]] = deque()

    def tasks() -> Iterator[tuple[FolderRun, int, int]]:
        for first in range(1, count + 1, _LOT_SIZE):
            if is_ended():
                return
            last = min(first + _LOT_SIZE - 1, count)
            under_way.append((first, last))
            yield setting, first, last

    done = 0
    try:
        with Workers(_count_workers(workers, count)) as started:
            for outcomes in started.map(_process_lot, tasks()):
                yield from outcomes
                under_way.popleft()
                done += len(outcomes)
                report("embedding", done, count)
    finally:
        _delete_leftovers(setting, under_way)


def _delete_leftovers(setting: FolderRun, lots: Iterable[tuple[int, int]]) -> None:
    """Delete the temporary files of processes that were killed."""
    if not setting.options.writes:
        return
    paths = chain.from_iterable(
        _list_paths(setting.table, setting.folder, first, last) for first, last in lots
    )
    for part in find_leftovers(*(Path(os.path.realpath(path)) for path in paths)):
        part.unlink(missing_ok=True)


def _count_workers(workers: int | None, files: int) -> int:
    if workers is not None:
        return max(workers, 1)
    return min(os.cpu_count() or 1, _MOST_WORKERS, 1 + files // _FILES_PER_WORKER)


def _find_unmatched(assignments: NameAssignments, only: Iterable[Path]) -> Iterator[Outcome]:
    """Yield the requested files that no row names."""
    for path in only:
        if not assignments.is_named(path.absolute()):
            gone = make_finding("LX301", str(path), why=os.strerror(errno.ENOENT))
            found = make_finding("LX396", str(path)) if lexists(path) else gone
            yield Outcome(file=str(path), status=OutcomeStatus.UNNAMED, findings=(found,))


def _find_unnamed(assignments: NameAssignments, folder: Path) -> Iterator[Outcome]:
    """Yield the files that no row names, and leftovers of killed runs."""
    unreadable: list[OSError] = []
    for path in find_documents(folder, on_error=unreadable.append):
        file = relative_path(path, folder)
        if is_leftover(path.name):
            found = make_finding("LX395", str(path))
            yield Outcome(file=file, status=OutcomeStatus.UNNAMED, findings=(found,))
        elif (document := find_sidecar_document(path.name)) is not None:
            if plan_sidecar_removal(path, file) is None:
                continue
            found = make_finding("LX397", str(path), document=document)
            yield Outcome(file=file, status=OutcomeStatus.UNNAMED, findings=(found,))
        elif not assignments.is_named(file):
            found = make_finding("LX392", str(path))
            yield Outcome(file=file, status=OutcomeStatus.UNNAMED, findings=(found,))
    yield from map(_report_unreadable_folder, unreadable)


# While some files are brought to the disk, others are read.
_THREADS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRun:
    """Settings of a run over a folder.

    Attributes:
        table: where it is kept which file has which name.
        folder: the folder of the files.
        base: the base of HTTP URIs.
        options: how they are treated.
    """

    table: Path
    folder: Path
    base: str | None
    options: EmbedOptions


def _process_lot(setting: FolderRun, first: int, last: int) -> list[Outcome]:
    """Process the files of a range of numbers, both included, in order."""
    with closing(_open_table(setting.table)) as connection:
        requests = list(_make_requests(setting, connection, _load_jobs(connection, first, last)))
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(partial(_process_job, setting), *zip(*requests, strict=True)))


def _make_requests(
    setting: FolderRun, connection: sqlite3.Connection, jobs: list[FileJob]
) -> Iterator[tuple[FileJob, EmbedRequest]]:
    number, family = None, None
    for job in jobs:
        if job.family is not None and job.family != number:
            number, family = job.family, _load_family(connection, job.family)
        request = EmbedRequest(
            name=None if job.name is None else parse(job.name),
            records=() if family is None else family,
            base=setting.base,
        )
        yield job, request


def _process_job(setting: FolderRun, job: FileJob, request: EmbedRequest) -> Outcome:
    path = setting.folder / job.path
    if _is_absent(path):
        found = make_finding("LX390", str(path), place=job.place, name=job.name)
        return Outcome(
            file=job.path, name=request.name, status=OutcomeStatus.ABSENT, findings=(found,)
        )
    return replace(process_file(path, request, setting.options, setting.folder), file=job.path)


def _is_absent(path: Path) -> bool:
    """Return whether a path does not exist; one that cannot be examined may exist."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _list_paths(table: Path, folder: Path, first: int, last: int) -> list[Path]:
    """Return the files of a range of numbers."""
    with closing(_open_table(table)) as connection:
        return [folder / job.path for job in _load_jobs(connection, first, last)]


def _open_table(table: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{table.as_uri()}?mode=ro", uri=True)


# Paths are bytes, as the disk has them: they need not be text.
_CREATE_TABLES = """
CREATE TABLE family (id INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE TABLE assignment (
    real BLOB NOT NULL, path BLOB NOT NULL, name TEXT NOT NULL, canonical TEXT NOT NULL,
    place TEXT NOT NULL, family INTEGER NOT NULL
);
CREATE INDEX assignment_real ON assignment (real);
CREATE TABLE job (
    id INTEGER PRIMARY KEY, path BLOB NOT NULL, name TEXT, place TEXT NOT NULL, family INTEGER
);
"""
_ADD_SINGLE_JOBS = """
INSERT INTO job (path, name, place, family)
SELECT path, name, place, family FROM assignment
GROUP BY real HAVING COUNT(DISTINCT name) = 1 ORDER BY family, path
"""
_FIND_CONTESTED = """
SELECT real FROM assignment GROUP BY real HAVING COUNT(DISTINCT name) > 1 ORDER BY MIN(path)
"""
_ADD_JOB = "INSERT INTO job (path, name, place, family) VALUES (?, ?, ?, ?)"
_NAMES_SHOWN = 3


class FileJob(NamedTuple):
    """File, and the name to embed in it.

    Attributes:
        path: its path, from the folder down.
        name: its name; None where the name is to be taken out.
        place: the row that says so, for people.
        family: the number of the family of the name, by which it is kept.
    """

    path: str
    name: str | None
    place: str
    family: int | None


class NameAssignments:
    """Database of the files and names of one run.

    Attributes:
        table: where they are kept.
        elsewhere: the first URL that is none of the site, None while there is none.
    """

    def __init__(self, table: Path, folder: Path, site: Site | None) -> None:
        """Create the tables.

        Args:
            table: a new file, where they are kept.
            folder: the folder of the files.
            site: where the folder is on the web; None where URLs say nothing of it.
        """
        self.table = table
        self.elsewhere: str | None = None
        self._folder, self._site = folder, site
        self._connection = sqlite3.connect(table, isolation_level=None)
        self._connection.executescript(
            f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_CREATE_TABLES}"
        )

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def add_family(self, family: Family) -> Iterator[Outcome]:
        """Store the files of a family; yield an outcome for each faulty row."""
        number: int | None = None
        for record in family.records:
            for path in self._paths_of(record):
                if isinstance(path, Outcome):
                    yield path
                    continue
                if number is None:
                    number = self._add_family(family)
                self._add_assignment(path, record, family, number)

    def _paths_of(self, record: Record) -> Iterator[str | Outcome]:
        """Yield the relative paths of the files of a record, or outcomes for faults."""
        yield from record.files
        site = self._site
        if site is None:
            return
        for item in record.items:
            try:
                path = site.path_of(item.url)
                has_query = site.has_query(item.url)
            except ValueError as fault:
                yield _report_url(record, item.url, "LX393", str(fault))
                continue
            if has_query:
                yield _report_url(record, item.url, "LX398")
            elif path is None:
                self.elsewhere = self.elsewhere or item.url
            else:
                is_folder = os.path.isdir(self._folder / path)  # noqa: PTH112 - for names too long, too
                yield f"{path}/index.html" if is_folder else path

    def _add_family(self, family: Family) -> int:
        data = pickle.dumps(family, pickle.HIGHEST_PROTOCOL)
        done = self._connection.execute("INSERT INTO family (records) VALUES (?)", (data,))
        return int(done.lastrowid or 0)

    def _add_assignment(self, path: str, record: Record, family: Family, number: int) -> None:
        name, canonical = str(record.name), str(family.canonical(record.name))
        row = (
            self._resolve_path(path),
            os.fsencode(path),
            name,
            canonical,
            _describe_row(record),
            number,
        )
        self._connection.execute("INSERT INTO assignment VALUES (?, ?, ?, ?, ?, ?)", row)

    def _resolve_path(self, path: str | Path) -> bytes:
        return os.fsencode(os.path.realpath(self._folder / path))

    def assign(self, only: frozenset[str] | None = None) -> Iterator[Outcome]:
        """Decide which name each file gets; yield the files with conflicting names.

        Args:
            only: the files that are selected, links followed; None for all.
        """
        if only is not None:
            self._select_files(only)
        self._connection.execute(_ADD_SINGLE_JOBS)
        for (real,) in self._connection.execute(_FIND_CONTESTED).fetchall():
            yield from self._resolve_conflict(real)

    def _select_files(self, only: frozenset[str]) -> None:
        self._connection.execute("CREATE TEMP TABLE selected (real BLOB PRIMARY KEY)")
        paths = ((os.fsencode(path),) for path in only)
        self._connection.executemany("INSERT INTO selected VALUES (?)", paths)
        self._connection.execute(
            "DELETE FROM assignment WHERE real NOT IN (SELECT real FROM selected)"
        )

    def _resolve_conflict(self, real: bytes) -> Iterator[Outcome]:
        query = "SELECT path, name, canonical, place, family FROM assignment WHERE real = ?"
        rows = self._connection.execute(query, (real,)).fetchall()
        places: dict[Name, str] = {}
        for _, _, canonical, place, _ in rows:
            places.setdefault(parse(canonical), place)
        names = tuple(places)
        name = _find_lowest(names)
        path = os.fsdecode(rows[0][0])
        if name is None:
            yield _report_contested(path, self._folder, places)
            return
        place, family = next((p, f) for _, _, c, p, f in rows if c == str(name))
        self._connection.execute(_ADD_JOB, (rows[0][0], str(name), place, family))

    def add_paths(self, paths: Iterable[str]) -> None:
        """Add files from which names are removed, each once, whatever links lead to it."""
        take, add = self._connection.execute, _ADD_JOB
        take("CREATE TEMP TABLE IF NOT EXISTS taken (real BLOB PRIMARY KEY)")
        for path in paths:
            if take("INSERT OR IGNORE INTO taken VALUES (?)", (self._resolve_path(path),)).rowcount:
                take(add, (os.fsencode(path), None, "", None))

    @property
    def is_empty(self) -> bool:
        """Whether no row names a file."""
        return self._connection.execute("SELECT 1 FROM assignment LIMIT 1").fetchone() is None

    @property
    def count(self) -> int:
        """Number of files to process."""
        return int(self._connection.execute("SELECT COUNT(*) FROM job").fetchone()[0])

    def is_named(self, path: str | Path) -> bool:
        """Return whether a row names a file, given by a relative or absolute path."""
        query = "SELECT 1 FROM assignment WHERE real = ?"
        return self._connection.execute(query, (self._resolve_path(path),)).fetchone() is not None


def _find_lowest(names: tuple[Name, ...]) -> Name | None:
    """Return the name below all others, or None for names of different documents.

    A copy may be stated of the work, the version and the file form alike: then it is the last.
    """
    for name in names:
        above = {name, *name.ancestors()}
        if all(other in above for other in names):
            return name
    return None


def _describe_row(record: Record) -> str:
    source = record.source
    return "the manifest" if source is None else f"{source.file}:{source.line}"


def _report_url(record: Record, url: str, code: str, why: str = "") -> Outcome:
    file, line = (url, 0) if record.source is None else (record.source.file, record.source.line)
    place, name = _describe_row(record), record.name
    found = make_finding(code, file, line=line, text=url, place=place, name=name, url=url, why=why)
    status = OutcomeStatus.REFUSED if found.severity == "error" else OutcomeStatus.ABSENT
    return Outcome(file=url, name=record.name, status=status, findings=(found,))


def _report_contested(path: str, folder: Path, names: Mapping[Name, str]) -> Outcome:
    first = [f"{name} ({place})" for name, place in names.items()][:_NAMES_SHOWN]
    shown = ", ".join(first) + (", ..." if len(names) > _NAMES_SHOWN else "")
    found = make_finding("LX391", str(folder / path), count=len(names), names=shown)
    return Outcome(file=path, status=OutcomeStatus.REFUSED, findings=(found,))


def _load_jobs(connection: sqlite3.Connection, first: int, last: int) -> list[FileJob]:
    """Load the jobs of a range of numbers, both included."""
    query = "SELECT path, name, place, family FROM job WHERE id BETWEEN ? AND ? ORDER BY id"
    rows = connection.execute(query, (first, last)).fetchall()
    return [FileJob(os.fsdecode(path), name, place, family) for path, name, place, family in rows]


def _load_family(connection: sqlite3.Connection, number: int) -> Family:
    """Load a family by its number."""
    query = "SELECT records FROM family WHERE id = ?"
    (data,) = connection.execute(query, (number,)).fetchone()
    family: Family = pickle.loads(data)  # noqa: S301 - written by this very run
    return family


_INDEX = "index.html"
_DOT_SEGMENTS = frozenset({"", ".", ".."})
_PORTS = {"http": 80, "https": 443}


class Site(NamedTuple):
    """URL of a folder.

    Attributes:
        origin: its scheme, host and port.
        path: the segments of its path, decoded.
    """

    origin: tuple[str, str, int | None]
    path: tuple[str, ...]

    def path_of(self, url: str) -> str | None:
        """Return the relative path of the file of a URL; None where it is elsewhere.

        A query makes another document of it, a fragment does not; what ends in ``/`` is its
        ``index.html``, as static servers have it. Segments that are ``.``, ``..`` or empty are
        taken out, as browsers and servers do.

        Raises:
            ValueError: it leads out of the folder, or is no path of a file, or its port is none.
        """
        split = urlsplit(url)
        return None if split.query else self._path_of(split)

    def has_query(self, url: str) -> bool:
        """Return whether only its query keeps a URL from being that of a file."""
        split = urlsplit(url)
        return bool(split.query) and self._path_of(split) is not None

    def _path_of(self, split: SplitResult) -> str | None:
        # Of another host not even the port has to be one.
        if (split.hostname or "") != self.origin[1] or _find_origin(split) != self.origin:
            return None
        raw = split.path.split("/")
        segments, count = _resolve_segments(raw), len(self.path)
        if tuple(segments[:count]) != self.path:
            if tuple(map(_decode_segment, raw[1 : count + 1])) == self.path:
                raise ValueError("it leads out of the site")
            return None
        below = segments[count:]
        if _decode_segment(raw[-1]) in _DOT_SEGMENTS:
            below.append(_INDEX)
        return "/".join(map(_check_filename, below or [_INDEX]))


def parse_site(url: str) -> Site:
    """Parse the URL of a folder.

    Raises:
        ValueError: it is no http or https URL, or has a query or fragment.
    """
    split = urlsplit(url)
    if split.scheme.lower() not in _PORTS or not split.hostname:
        raise ValueError(f"{url!r} is no absolute http or https URL")
    if split.query or split.fragment:
        raise ValueError(f"{url!r} has a query or a fragment, which no folder has")
    return Site(_find_origin(split), tuple(_resolve_segments(split.path.split("/"))))


def _find_origin(split: SplitResult) -> tuple[str, str, int | None]:
    scheme = split.scheme.lower()
    return scheme, split.hostname or "", split.port or _PORTS.get(scheme)


def _resolve_segments(segments: Iterable[str]) -> list[str]:
    """Decode segments and resolve dot segments (RFC 3986 section 5.2.4)."""
    found: list[str] = []
    for segment in map(_decode_segment, segments):
        if segment == "..":
            found = found[:-1]
        elif segment not in _DOT_SEGMENTS:
            found.append(segment)
    return found


def _decode_segment(segment: str) -> str:
    return os.fsdecode(unquote_to_bytes(segment))


def _check_filename(name: str) -> str:
    if "/" in name or "\0" in name or os.sep in name:
        raise ValueError(f"{name!r} is no name of a file")
    return name
