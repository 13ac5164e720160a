"""Folders of documents: embedding of the names that a manifest has for the files.

The column ``file`` of a manifest contains the path of a file. Otherwise, the URL of a copy stands
for the file at the same path, if it is below the URL of the site. An interrupted run can be
repeated: files that have their names already are not touched.
"""

from __future__ import annotations

import errno
import os
import pickle
import sqlite3
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

from lexurn.documents.document import make_disk_error, make_error, make_finding
from lexurn.documents.embedding import EmbedOptions, EmbedRequest, check_base, process_file
from lexurn.documents.identification import find_documents
from lexurn.documents.results import Outcome, OutcomeStatus
from lexurn.documents.sidecars import find_sidecar_document, plan_sidecar_removal
from lexurn.files import find_leftovers, is_leftover
from lexurn.name import Name, parse
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from lexurn.model import Family, Record

    Progress = Callable[[str, int, int | None], None]

    _Job = tuple[bytes, str | None, str, int | None]
    """Path of a file, its name, the location of the row, and the number of the family."""

_LOT_SIZE = 32  # small, so that an interruption leaves little undone
_PROGRESS_STEP = 1_000
_FILES_PER_WORKER = 250  # about as many as are processed while another process starts
_MOST_WORKERS = 16
_THREADS = 8  # while some files are written to the disk, others are read
_NAMES_SHOWN = 3


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
        on_progress: called with the step (``reading`` or ``embedding``), a number and its total.
        is_ended: called regularly; once it returns true, no more files are begun.

    Raises:
        DocumentError: the folder does not exist.
        ValueError: the site or the base is not valid.
        ManifestError: as the families.
    """
    check_base(base)
    where = None if site is None else parse_site(site)
    only = None if only is None else tuple(map(Path, only))
    selected = None if only is None else {os.fsencode(os.path.realpath(each)) for each in only}
    calls = {"report": on_progress, "is_ended": is_ended}
    with _open_run(folder, base, options, site=where, only=selected, **calls) as run:
        names = 0
        for family in takewhile(lambda _: not run.is_ended(), families):
            yield from run.add_family(family)
            before, names = names, names + len(family.records)
            if before // _PROGRESS_STEP != names // _PROGRESS_STEP:
                run.report("reading", names, None)
        if run.is_ended():
            return
        if not run.has_rows:
            url = run.elsewhere
            elsewhere = f" (a URL is {url}, which is not below that of the site)" if url else ""
            found = make_finding("LX394", str(run.folder), elsewhere=elsewhere)
            yield Outcome(file=".", status=OutcomeStatus.REFUSED, findings=(found,))
        yield from run.assign_names()
        yield from run.process_files(workers)
        rest = _find_unnamed(run, only)
        yield from takewhile(lambda _: not run.is_ended(), rest)


def remove_folder(
    folder: str | Path,
    *,
    options: EmbedOptions | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    is_ended: Callable[[], bool] | None = None,
) -> Generator[Outcome]:
    """Remove the names from all files of a folder, and yield the outcome of each.

    The files are documents by their suffixes or by their content. Hidden ones are left out.

    Args:
        folder: the folder.
        options: the options; by default nothing is written.
        workers: the number of processes; by default one for each processor.
        on_progress: called with the number of processed files, and of all.
        is_ended: as `embed_folder`.

    Raises:
        DocumentError: the folder does not exist.
    """
    unreadable: list[OSError] = []
    with _open_run(folder, None, options, report=on_progress, is_ended=is_ended) as run:
        candidates = find_documents(run.folder, unreadable.append, is_by_content=True)
        selected = takewhile(lambda _: not run.is_ended(), candidates)
        run.add_removals(each for each in selected if not is_leftover(each.name))
        yield from run.process_files(workers)
    yield from map(_report_unreadable, unreadable)


@contextmanager
def _open_run(
    folder: str | Path, base: str | None, options: EmbedOptions | None, **others: Any
) -> Iterator[FolderRun]:
    """Open a run with a temporary database and other values of `FolderRun`, if not None."""
    root = Path(folder)
    given = {key: value for key, value in others.items() if value is not None}
    if not root.is_dir():
        why = "it is not a folder" if root.exists() else "the folder does not exist"
        raise make_error("LX301", str(root), why=why)
    try:
        # A database without a name is a temporary file.
        with closing(sqlite3.connect("", isolation_level=None)) as connection:
            connection.executescript(_CREATE_TABLES)
            settings = FolderSettings(root, base, options or EmbedOptions())
            yield FolderRun(settings=settings, connection=connection, **given)
    except sqlite3.Error as full:
        raise make_disk_error(full) from None


def _report_unreadable(fault: OSError) -> Outcome:
    found = make_finding("LX301", str(fault.filename), why=fault.strerror)
    return Outcome(file=str(fault.filename), status=OutcomeStatus.REFUSED, findings=(found,))


def _find_unnamed(run: FolderRun, only: Iterable[Path] | None) -> Iterator[Outcome]:
    """Yield files that no row names: the requested, or all documents, leftovers, lone sidecars."""
    for path in only or ():
        if not run.is_named(path.absolute()):
            gone = make_finding("LX301", str(path), why=os.strerror(errno.ENOENT))
            found = make_finding("LX396", str(path)) if lexists(path) else gone
            yield Outcome(file=str(path), status=OutcomeStatus.UNNAMED, findings=(found,))
    if only is not None:
        return
    unreadable: list[OSError] = []
    for path in find_documents(run.folder, unreadable.append):
        file = path.relative_to(run.folder).as_posix()
        if is_leftover(path.name):
            found = make_finding("LX395", str(path))
        elif (document := find_sidecar_document(path.name)) is not None:
            if plan_sidecar_removal(path, file) is None:
                continue
            found = make_finding("LX397", str(path), document=document)
        elif not run.is_named(file):
            found = make_finding("LX392", str(path))
        else:
            continue
        yield Outcome(file=file, status=OutcomeStatus.UNNAMED, findings=(found,))
    yield from map(_report_unreadable, unreadable)


# Paths are bytes, as the disk has them: they need not be text.
_CREATE_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE family (id INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE TABLE assignment (
    real BLOB NOT NULL, path BLOB NOT NULL, name TEXT NOT NULL, canonical TEXT NOT NULL,
    location TEXT NOT NULL, family INTEGER NOT NULL
);
CREATE INDEX assignment_real ON assignment (real);
CREATE TABLE job (
    id INTEGER PRIMARY KEY, path BLOB NOT NULL, name TEXT, location TEXT NOT NULL, family INTEGER
);
"""
_ADD_SINGLE_JOBS = """
INSERT INTO job (path, name, location, family)
SELECT path, name, location, family FROM assignment
GROUP BY real HAVING COUNT(DISTINCT name) = 1 ORDER BY family, path
"""
_FIND_CONTESTED = """
SELECT real FROM assignment GROUP BY real HAVING COUNT(DISTINCT name) > 1 ORDER BY MIN(path)
"""
_ADD_JOB = "INSERT INTO job (path, name, location, family) VALUES (?, ?, ?, ?)"


class FolderSettings(NamedTuple):
    """Settings of a run over a folder, for all its processes."""

    folder: Path
    base: str | None
    options: EmbedOptions


@dataclass(slots=True, kw_only=True)
class FolderRun:
    """Run over a folder: a database of its files and their names, and processes for them.

    Attributes:
        site: the URL of the folder on the web.
        only: the files to process, with links followed.
        has_rows: whether a row names a file.
        elsewhere: the first URL that is not below that of the site, None while there is none.
        report: receives the progress.
        is_ended: returns whether no more files may be begun.
    """

    settings: FolderSettings
    connection: sqlite3.Connection
    site: Site | None = None
    only: set[bytes] | None = None
    report: Progress = lambda _step, _done, _total: None
    is_ended: Callable[[], bool] = lambda: False
    has_rows: bool = False
    elsewhere: str | None = None

    @property
    def folder(self) -> Path:
        """Folder of the files."""
        return self.settings.folder

    def add_family(self, family: Family) -> Iterator[Outcome]:
        """Store the files of a family; yield an outcome for each faulty row."""
        number: int | None = None
        for record in family.records:
            for path in self._list_paths(record):
                if isinstance(path, Outcome):
                    yield path
                    continue
                self.has_rows = True
                real = self._resolve_path(path)
                if self.only is not None and real not in self.only:
                    continue
                if number is None:
                    data = pickle.dumps(family, pickle.HIGHEST_PROTOCOL)
                    query = "INSERT INTO family (records) VALUES (?)"
                    number = self.connection.execute(query, (data,)).lastrowid
                row = (
                    real,
                    os.fsencode(path),
                    str(record.name),
                    str(family.canonical(record.name)),
                    _describe_row(record),
                    number,
                )
                self.connection.execute("INSERT INTO assignment VALUES (?, ?, ?, ?, ?, ?)", row)

    def _list_paths(self, record: Record) -> Iterator[str | Outcome]:
        """Yield the relative paths of the files of a record, or outcomes for faults."""
        yield from record.files
        site = self.site
        if site is None:
            return
        for item in record.items:
            try:
                path = site.find_path(item.url)
            except ValueError as fault:
                yield _report_url(record, item.url, "LX393", str(fault))
                continue
            if path is None:
                self.elsewhere = self.elsewhere or item.url
            elif urlsplit(item.url).query:
                yield _report_url(record, item.url, "LX398")
            else:
                is_folder = os.path.isdir(self.folder / path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long
                yield f"{path}/{_INDEX}" if is_folder else path

    def _resolve_path(self, path: str | Path) -> bytes:
        return os.fsencode(os.path.realpath(self.folder / path))

    def assign_names(self) -> Iterator[Outcome]:
        """Decide which name each file gets; yield the files with conflicting names.

        A copy may be a file of the work, the version and the manifestation alike. Then it gets the
        lowest of these names.
        """
        self.connection.execute(_ADD_SINGLE_JOBS)
        query = "SELECT path, canonical, location, family FROM assignment WHERE real = ?"
        for (real,) in self.connection.execute(_FIND_CONTESTED).fetchall():
            rows = self.connection.execute(query, (real,)).fetchall()
            locations: dict[Name, str] = {}
            for _, canonical, location, _ in rows:
                locations.setdefault(parse(canonical), location)
            lowest = [name for name in locations if locations.keys() <= {name, *name.ancestors()}]
            if lowest:
                location, family = next((p, f) for _, c, p, f in rows if c == str(lowest[0]))
                self.connection.execute(_ADD_JOB, (rows[0][0], str(lowest[0]), location, family))
                continue
            path = os.fsdecode(rows[0][0])
            shown = [f"{name} ({location})" for name, location in locations.items()]
            more = ["..."] if len(shown) > _NAMES_SHOWN else []
            listed = ", ".join(shown[:_NAMES_SHOWN] + more)
            found = make_finding("LX391", str(self.folder / path), count=len(shown), names=listed)
            yield Outcome(file=path, status=OutcomeStatus.REFUSED, findings=(found,))

    def add_removals(self, paths: Iterable[Path]) -> None:
        """Add files from which names are removed, each once, even if several links lead to it."""
        execute = self.connection.execute
        execute("CREATE TEMP TABLE taken (real BLOB PRIMARY KEY)")
        for path in paths:
            real = (os.fsencode(os.path.realpath(path)),)
            if execute("INSERT OR IGNORE INTO taken VALUES (?)", real).rowcount:
                file = path.relative_to(self.folder).as_posix()
                execute(_ADD_JOB, (os.fsencode(file), None, "", None))

    def is_named(self, path: str | Path) -> bool:
        """Return whether a row names a file, given by a relative or absolute path."""
        query = "SELECT 1 FROM assignment WHERE real = ?"
        return bool(self.connection.execute(query, (self._resolve_path(path),)).fetchone())

    def process_files(self, workers: int | None) -> Iterator[Outcome]:
        """Process all files in several processes; delete temporary files after a sudden end."""
        (count,) = self.connection.execute("SELECT COUNT(*) FROM job").fetchone()
        lots: deque[list[_Job]] = deque()
        jobs = self.connection.execute("SELECT path, name, location, family FROM job ORDER BY id")

        def make_tasks() -> Iterator[tuple[FolderSettings, list[_Job], dict[int, bytes]]]:
            while not self.is_ended() and (lot := jobs.fetchmany(_LOT_SIZE)):
                lots.append(lot)
                query = "SELECT records FROM family WHERE id = ?"
                numbers = {number for *_, number in lot if number is not None}
                found = {each: self.connection.execute(query, (each,)) for each in numbers}
                yield self.settings, lot, {each: rows.fetchone()[0] for each, rows in found.items()}

        if workers is None:
            workers = min(os.cpu_count() or 1, _MOST_WORKERS, 1 + count // _FILES_PER_WORKER)
        done = 0
        try:
            with Workers(max(workers, 1)) as started:
                for outcomes in started.map(_process_lot, make_tasks()):
                    yield from outcomes
                    lots.popleft()
                    done += len(outcomes)
                    self.report("embedding", done, count)
        finally:
            if self.settings.options.writes:
                files = (os.fsdecode(path) for lot in lots for path, *_ in lot)
                paths = [Path(os.path.realpath(self.folder / file)) for file in files]
                for part in find_leftovers(*paths):
                    part.unlink(missing_ok=True)


def _describe_row(record: Record) -> str:
    source = record.source
    return "the manifest" if source is None else f"{source.file}:{source.line}"


def _report_url(record: Record, url: str, code: str, why: str = "") -> Outcome:
    file, line = (url, 0) if record.source is None else (record.source.file, record.source.line)
    location, name = _describe_row(record), record.name
    found = make_finding(
        code, file, line=line, text=url, location=location, name=name, url=url, why=why
    )
    status = OutcomeStatus.REFUSED if found.severity == "error" else OutcomeStatus.ABSENT
    return Outcome(file=url, name=record.name, status=status, findings=(found,))


def _process_lot(
    settings: FolderSettings, lot: list[_Job], families: dict[int, bytes]
) -> list[Outcome]:
    """Process some files in order, with the pickled families of their names."""
    known = {number: pickle.loads(data) for number, data in families.items()}  # noqa: S301 - bytes that this run pickled itself

    def process_job(raw: bytes, text: str | None, location: str, number: int | None) -> Outcome:
        file, name = os.fsdecode(raw), None if text is None else parse(text)
        records = () if number is None else known[number]
        request = EmbedRequest(name=name, records=records, base=settings.base)
        path = settings.folder / file
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            found = make_finding("LX390", str(path), location=location, name=request.name)
            status = OutcomeStatus.ABSENT
            return Outcome(file=file, name=request.name, status=status, findings=(found,))
        except OSError:
            pass  # a file that cannot be examined may exist
        return replace(process_file(path, request, settings.options, settings.folder), file=file)

    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(lambda job: process_job(*job), lot))


_INDEX = "index.html"
_DOT_SEGMENTS = frozenset({".", ".."})
_PORTS = {"http": 80, "https": 443}


class Site(NamedTuple):
    """URL of a folder.

    Attributes:
        origin: its scheme, host and port.
        path: the segments of its path, decoded.
    """

    origin: tuple[str, str, int | None]
    path: tuple[str, ...]

    def find_path(self, url: str) -> str | None:
        """Return the relative path of the file of a URL; None where it is elsewhere.

        Query and fragment do not count. A URL that ends in ``/`` is its ``index.html``, as static
        servers have it.

        Raises:
            ValueError: it has dot segments or a bad port, or is not the path of a file.
        """
        split = urlsplit(url)
        # The port of another host does not matter.
        if (split.hostname or "") != self.origin[1] or _find_origin(split) != self.origin:
            return None
        segments, count = _split_path(split.path), len(self.path)
        if not _DOT_SEGMENTS.isdisjoint(segments):
            raise ValueError("it has a dot segment (RFC 3986 section 3.3)")
        if tuple(segments[:count]) != self.path:
            return None
        below = segments[count:]
        if not below or not below[-1]:
            below = [*below[:-1], _INDEX]
        for name in below:
            if not name or "/" in name or "\0" in name or os.sep in name:
                raise ValueError(f"{name!r} is not a file name")
        return "/".join(below)


def parse_site(url: str) -> Site:
    """Parse the URL of a folder.

    Raises:
        ValueError: it is not an http or https URL, or has a query or fragment.
    """
    split = urlsplit(url)
    if split.scheme.lower() not in _PORTS or not split.hostname:
        raise ValueError(f"{url!r} is not an absolute http or https URL")
    if split.query or split.fragment:
        raise ValueError(f"{url!r} has a query or a fragment; a folder has none")
    return Site(_find_origin(split), tuple(filter(None, _split_path(split.path))))


def _find_origin(split: SplitResult) -> tuple[str, str, int | None]:
    scheme = split.scheme.lower()
    return scheme, split.hostname or "", split.port or _PORTS.get(scheme)


def _split_path(path: str) -> list[str]:
    """Return the segments of a path, decoded."""
    segments = path.removeprefix("/").split("/")
    return [os.fsdecode(unquote_to_bytes(each)) for each in segments]
