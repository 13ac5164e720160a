"""Publication of a site: check all families, then write all folders, or nothing."""

from __future__ import annotations

import gzip
import hashlib
import os
import pickle
import sqlite3
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from lexurn import data
from lexurn.errors import PublishError
from lexurn.graph import (
    Format,
    describe_concepts,
    find_concepts,
    write,
)
from lexurn.manifest import open_manifest, suggest_rejects_files
from lexurn.model import family_of, read_day, split_families
from lexurn.name import normalize_base, parse
from lexurn.pages import (
    Excerpts,
    FamilyView,
    SiteLinks,
    choose_language,
    escape_controls,
    locate_folder,
    make_collision_key,
    make_relative_link,
    render_template,
    write_representations,
)
from lexurn.publishing import dcat, lists, server, site
from lexurn.publishing.harvest import write_harvest_files
from lexurn.publishing.lists import Entries, ListWriter, list_entries, list_pages
from lexurn.publishing.site import explain_disk_errors, open_site, refuse_emptying, refuse_foreign
from lexurn.shacl import (
    CheckReport,
    Result,
    Severity,
    check_families,
    choose_engine,
    write_turtle_report,
)
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from os import PathLike

    from lexurn.findings import Finding
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.shacl import EngineName

CheckFunction = Callable[[Sequence["Family"]], Sequence[Result]]
"""Check of families; it runs in other processes where it can be pickled."""
ProgressCallback = Callable[[str, int, int | None], None]
"""Callback for progress: the step, the number of names done, and of all names where known."""

PathClaim = tuple[bytes, str]
"""Digest of a path, and the name whose folder it is."""

_COPIED_FILES = {
    "context.jsonld": "ontology/context.jsonld",
    "style.css": "templates/style.css",
    "site.js": "templates/site.js",
}
_ROBOTS = "robots.txt"
"""File that a publisher may have made: it is written only where there is none."""
_MAX_WORKERS = 16
_MAX_RESULTS = 50_000
_MAX_ROWS = 2_000
_PORTION_RECORDS = 1_000
_PATHS_SCHEMA = "CREATE TABLE taken (path BLOB PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;"
_AMENDMENTS_SCHEMA = """
CREATE TABLE amendment (amending TEXT, amended TEXT, PRIMARY KEY (amending, amended)) WITHOUT ROWID;
"""
_AMENDMENTS_QUERY = "SELECT amended FROM amendment WHERE amending = ? ORDER BY 1 LIMIT 200"
_PATHS_QUERY = "SELECT name FROM taken WHERE path = ?"
# Connections of this process to tables of paths, opened by `_link_page`, closed with the spool.
_readers: dict[Path, sqlite3.Connection] = {}


class FamilySource(Protocol):
    """Source of a site: families sorted by key, each complete (a `lexurn.Manifest` is one)."""

    def families(self) -> Iterator[Family]:
        """Yield the families."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishReport:
    """Report of a run.

    Attributes:
        published: whether the site was written; False where violations prevented it.
        families: the number of families in the manifest.
        nodes: the number of their names, each a folder of the site.
        written: the number of files that were new or had changed.
        rejected: the number of rows that were left out as invalid.
        rejects: the files that hold these rows unchanged.
        counts: the number of results of each severity.
        results: the first 50,000 of them, in the order of the families; after these, violations
            alone are kept, up to 100,000 results in all.
        as_of: the day for what is in force.
        missing: the keys of ``site.toml`` that DCAT-AP requires or recommends for
            ``catalogue.ttl``, and that are absent.
    """

    published: bool
    families: int
    nodes: int
    written: int
    rejected: int
    rejects: tuple[Path, ...]
    counts: Mapping[str, int]
    results: tuple[Result, ...]
    as_of: dt.date
    missing: tuple[str, ...] = ()

    @property
    def violations(self) -> tuple[Result, ...]:
        """Results that forbid publication."""
        return tuple(each for each in self.results if each.severity is Severity.VIOLATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings that are the same for all pages of a run.

    Attributes:
        out: the folder of the site.
        staging: the folder where files are made.
        table: the table of all names that are published.
        base: the base of HTTP URIs.
        as_of: the day for what is in force.
        inline_context: whether JSON-LD holds its context.
        language: the language of pages where neither version nor jurisdiction has one.
        site: the statements of the publisher.
    """

    out: Path
    staging: Path
    table: Path
    base: str
    as_of: dt.date
    inline_context: bool
    language: str
    site: dcat.Site


def publish(  # noqa: PLR0913 - one command with all its options
    source: str | PathLike[str] | Sequence[str | PathLike[str]] | FamilySource | Iterable[Family],
    out: str | PathLike[str],
    *,
    base: str,
    as_of: dt.date | str | None = None,
    engine: EngineName | None = None,
    check: CheckFunction | None = None,
    force: bool = False,
    inline_context: bool = False,
    language: str | None = None,
    site: dcat.Site | str | PathLike[str] | None = None,
    workers: int | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_progress: ProgressCallback | None = None,
) -> PublishReport:
    """Write a static site of linked data: a folder for the HTTP URI of each name.

    Everything is checked before anything is written. Where a violation is found and ``force`` is
    not given, only ``report.ttl`` and ``report.html`` are written. Each folder appears whole or
    not at all. Files that have not changed are not touched. A run that was interrupted is simply
    run again. Folders of names that are no longer in the manifest stay.

    Args:
        source: a table (CSV, JSON Lines or Parquet) or several, by path; or a manifest opened with
            `lexurn.open_manifest`; or families, sorted by key. Invalid rows of tables go unchanged
            to a rejects file beside each: ``acts.rejects.csv``.
        out: the folder of the site: new, empty, or written by an earlier run.
        base: the base of HTTP URIs, for example ``https://law.example``.
        as_of: the day for what is in force, as a date or in ISO 8601; today by default.
        engine: the engine for the SHACL shapes, as in `lexurn.validate`; by default the fastest
            that is installed.
        check: a check to make in place of the SHACL shapes.
        force: publish in spite of violations, or an empty catalogue over that of earlier runs.
        inline_context: whether JSON-LD holds its context, to be read offline; by default it links
            the ``context.jsonld`` of the site.
        language: the language of the pages where neither the version nor the jurisdiction has one
            of the six that lexurn writes (`lexurn.pages.LANGUAGES`); by default that of ``site``,
            else English.
        site: title, description, publisher, licence, contact and language of the site, or the path
            of a TOML file with them; see `lexurn.publishing.dcat`.
        workers: the number of processes; by default one for each processor.
        on_finding: receives the findings on rows of tables.
        on_progress: called at each step: ``reading``, ``check`` or ``write``.

    Raises:
        ManifestError: a table cannot be read.
        PublishError: the folder is not a site or cannot be written, two names have one path, there
            is no name to publish where earlier runs have published some, or ``site`` has a fault.
        CatalogueError: the folder is inside a catalogue.
        DateError: ``as_of`` is a text that is not a date.
        ValueError: the base is invalid.
    """
    from lexurn.catalogue import refuse_inside_catalogue  # noqa: PLC0415 - not in the workers

    base = normalize_base(base)
    stated = (
        site
        if isinstance(site, dcat.Site)
        else dcat.Site()
        if site is None
        else dcat.read_site(os.fspath(site))
    )
    folder, day = Path(out), read_day(as_of)
    with explain_disk_errors(folder):
        refuse_inside_catalogue(folder / "index.html")
    refuse_foreign(folder)
    if check is None:
        name = engine or choose_engine(partial(warnings.warn, stacklevel=3))
        check = partial(check_families, as_of=day, base=base, engine=name)
    tell: ProgressCallback = on_progress or (lambda _step, _done, _total: None)
    count = min(os.cpu_count() or 1, _MAX_WORKERS) if workers is None else max(workers, 1)
    with (
        _open_source(source, on_finding, tell) as families,
        closing(Spool()) as spool,
        Workers(count) as pool,
    ):
        report = _check_all(spool, pool, families, check, tell, day)
        if not report.nodes and not force:
            refuse_emptying(folder)
        with open_site(folder) as staging:
            settings = SiteSettings(
                out=folder,
                staging=staging,
                table=spool.table,
                base=base,
                as_of=day,
                inline_context=inline_context,
                language=language or stated.language or "en",
                site=stated,
            )
            is_allowed = force or not report.counts.get("Violation")
            written = 0
            if is_allowed:
                written = _write_site(spool, pool, settings, report.nodes, tell)
            written += _write_reports(report, settings)
    missing = stated.list_missing()
    return replace(report, published=is_allowed, written=written, missing=missing)


@contextmanager
def _open_source(
    source: object, on_finding: Callable[[Finding], None] | None, tell: ProgressCallback
) -> Iterator[FamilySource | Iterable[Family]]:
    """Open tables as a manifest; manifests and families stay as they are."""
    tables = [source] if isinstance(source, str | os.PathLike) else source
    has_paths = isinstance(tables, Sequence) and any(
        isinstance(each, str | os.PathLike) for each in tables
    )
    if not has_paths:
        yield cast("FamilySource | Iterable[Family]", source)
        return
    paths = [os.fspath(each) for each in cast("Sequence[str]", tables)]
    with open_manifest(
        [*paths],
        rejects=suggest_rejects_files(paths),
        on_finding=on_finding,
        on_progress=lambda rows: tell("reading", rows, None),
    ) as manifest:
        yield manifest


# --- the spool ------------------------------------------------------------------------


class Spool:
    """Families of a run in portions, in one file, and a table of the paths that are taken."""

    def __init__(self) -> None:
        """Make a temporary folder.

        Raises:
            PublishError: it cannot be written.
        """
        self._ranges: list[tuple[int, int]] = []
        with _explain_spool_errors(), ExitStack() as stack:
            temporary = tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(temporary))
            self.table = folder / "paths.sqlite"
            self._portions = stack.enter_context((folder / "portions").open("w+b"))
            connection = sqlite3.connect(self.table, isolation_level=None)
            self.connection = stack.enter_context(closing(connection))
            self.connection.execute("PRAGMA journal_mode = OFF")
            self.connection.execute("PRAGMA synchronous = OFF")
            self.connection.executescript(
                _PATHS_SCHEMA + _AMENDMENTS_SCHEMA + dcat.SCHEMA + lists.SCHEMA + server.SCHEMA
            )
            self._open = stack.pop_all()

    def close(self) -> None:
        """Close the files and remove the folder."""
        reader = _readers.pop(self.table, None)
        if reader is not None:
            reader.close()
        self._open.close()

    def add_families(self, families: Iterable[Family]) -> Iterator[bytes]:
        """Store families, and yield them in portions of about 1,000 records, one task each."""
        for some in split_families(families, _PORTION_RECORDS):
            packed = [(family.records, family.shared) for family in some]
            portion = pickle.dumps(packed, pickle.HIGHEST_PROTOCOL)
            with _explain_spool_errors():
                start = self._portions.seek(0, 2)
                self._portions.write(portion)
                self._portions.flush()
            self._ranges.append((start, len(portion)))
            yield portion

    def portions(self) -> Iterator[bytes]:
        """Yield the portions, in their order."""
        for start, length in self._ranges:
            self._portions.seek(start)
            yield self._portions.read(length)

    def add_amendments(self, amendments: Iterable[tuple[str, str]]) -> None:
        """Add pairs of amending and amended acts."""
        query = "INSERT OR IGNORE INTO amendment VALUES (?, ?)"
        with _explain_spool_errors():
            self.connection.execute("BEGIN")
            self.connection.executemany(query, amendments)
            self.connection.execute("COMMIT")

    def claim(self, claims: Sequence[PathClaim]) -> None:
        """Take paths for names.

        Raises:
            PublishError: two names have one path on a disk that ignores case.
        """
        with _explain_spool_errors():
            self.connection.execute("BEGIN")
            done = self.connection.executemany("INSERT OR IGNORE INTO taken VALUES (?, ?)", claims)
            self.connection.execute("COMMIT")
        if done.rowcount == len(claims):
            return
        for path, name in claims:
            (holder,) = self.connection.execute(_PATHS_QUERY, (path,)).fetchone()
            if holder != name:
                raise PublishError(
                    f"{holder} and {name} have one path on a disk that ignores case; nothing was "
                    "written. Leave one of them out of the manifest."
                )


@contextmanager
def _explain_spool_errors() -> Iterator[None]:
    folder = tempfile.gettempdir()
    with site.explain_disk_errors(Path(folder)):
        try:
            yield
        except sqlite3.OperationalError as fault:
            raise PublishError(
                f"The temporary folder {folder} cannot be written: {fault}. Free space there, or "
                "name another folder in TMPDIR."
            ) from fault


def _read_families(portion: bytes) -> tuple[Family, ...]:
    packed = pickle.loads(portion)  # noqa: S301 - written by this very run
    return tuple(family_of(*family) for family in packed)


def _digest_path(name: Name) -> bytes:
    """Return the digest of a name's path; digests keep the table small."""
    key = make_collision_key(locate_folder(name)).encode()
    return hashlib.blake2b(key, digest_size=16).digest()


# --- the first pass: check ------------------------------------------------------------


def _check_all(
    spool: Spool,
    pool: Workers,
    source: FamilySource | Iterable[Family],
    check: CheckFunction,
    tell: ProgressCallback,
    day: dt.date,
) -> PublishReport:
    """Store all families in the spool, check them, and claim a path for each name.

    Raises:
        PublishError: two names have one path, or the temporary folder cannot be written.
    """
    families = source.families() if hasattr(source, "families") else source
    try:
        is_importable = b"__main__" not in pickle.dumps(check)
    except (pickle.PicklingError, AttributeError, TypeError):
        is_importable = False
    # Other processes cannot import a function within a function, nor one of the script itself.
    run = pool.map if is_importable else starmap
    count = nodes = 0
    counts: Counter[str] = Counter()
    results: list[Result] = []
    tasks = ((portion, check) for portion in spool.add_families(families))
    for several, claims, amendments, found in run(_check_portion, tasks):
        spool.claim(claims)
        spool.add_amendments(amendments)
        count, nodes = count + several, nodes + len(claims)
        for result in found:
            counts[str(result.severity)] += 1
            # Violations have room of their own, so that warnings do not crowd them out.
            if len(results) < _MAX_RESULTS * (2 if result.severity is Severity.VIOLATION else 1):
                results.append(result)
        tell("check", nodes, None)
    return PublishReport(
        published=False,
        families=count,
        nodes=nodes,
        written=0,
        rejected=getattr(source, "rejected", 0),
        rejects=getattr(source, "rejects", ()),
        counts=counts,
        results=tuple(results),
        as_of=day,
    )


def _check_portion(
    portion: bytes, check: CheckFunction
) -> tuple[int, list[PathClaim], set[tuple[str, str]], list[Result]]:
    """Check the families of a portion.

    Returns:
        The number of families, the claims of their names, pairs of amending and amended acts, and
        the results.
    """
    families = _read_families(portion)
    records = [record for family in families for record in family.records]
    claims = [(_digest_path(record.name), str(record.name)) for record in records]
    amendments = {
        (str(each), str(record.name.work_name)) for record in records for each in record.amended_by
    }
    return len(families), claims, amendments, list(check(families))


# --- the second pass: write -----------------------------------------------------------


def _write_site(
    spool: Spool,
    pool: Workers,
    settings: SiteSettings,
    total: int,
    tell: ProgressCallback,
) -> int:
    """Write the folders of all names, and the files at the top.

    Returns:
        The number of files that had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    tasks = ((portion, settings) for portion in spool.portions())
    base, language, stated = settings.base, settings.language, settings.site
    connection = spool.connection
    writer = ListWriter(connection, base=base, language=language, site=stated)
    staged, catalogue = site.make_staging_path(settings.staging), settings.out / dcat.QUADS_FILE
    written = done = 0
    concepts: set[str] = set()
    counter = dcat.StatementCounter(connection)
    with _open_gzip(staged, catalogue) as packed:
        for portion in pool.map(_write_portion, tasks):
            writer.add(portion.entries, portion.pages)
            connection.executemany("INSERT INTO exception VALUES (?,?,?)", portion.exceptions)
            counter.add(portion.counts)
            with site.explain_disk_errors(catalogue):
                packed.write(portion.quads)
            written, done = written + portion.written, done + portion.names
            concepts |= portion.concepts
            tell("write", done, total)
        quads = write(describe_concepts(concepts), Format.NQUADS)
        counter.add(dcat.count_statements(quads, base))
        with site.explain_disk_errors(catalogue):
            packed.write(quads)
    written += site.move_file(catalogue, staged, settings.staging)
    content = counter.measure(
        catalogue,
        summary=writer.summarize(),
        modified=writer.find_change(),
        examples=writer.list_examples(),
    )
    description = dcat.write_description(stated, content, base=base, language=language)
    title = stated.choose_title(language, base).value
    harvest = write_harvest_files(connection, base=base, title=title, language=language)
    servers = server.write_server_files(connection, base)
    described = [(dcat.DESCRIPTION_FILE, description)]
    for path, page in chain(writer.write(), harvest, servers, described):
        if path != _ROBOTS or not (settings.out / path).exists():
            written += site.write_file(settings.out / path, page, settings.staging)
    for name, source in _COPIED_FILES.items():
        copied = data.read_text(source).encode()
        written += site.write_file(settings.out / name, copied, settings.staging)
    return written


@contextmanager
def _open_gzip(staged: Path, goal: Path) -> Iterator[gzip.GzipFile]:
    """Open a packed file for writing; it is complete at the end. Errors name the goal.

    Raises:
        PublishError: the disk refuses.
    """
    with site.explain_disk_errors(goal):
        raw = staged.open("wb")
    packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    try:
        yield packed
    except BaseException:
        for file in (packed, raw):
            with suppress(OSError):
                file.close()
        raise
    with site.explain_disk_errors(goal), raw:
        packed.close()


class WrittenPortion(NamedTuple):
    """Result of writing a portion.

    Attributes:
        names: the number of names.
        written: the number of files that had to be written.
        quads: the N-Quads.
        counts: the numbers of statements and of members of classes.
        concepts: the concepts of the acts.
        entries: the entries of the acts in lists.
        pages: the URLs of the pages.
        exceptions: the names that a server cannot simply look up.
    """

    names: int
    written: int
    quads: bytes
    counts: dcat.StatementCounts
    concepts: set[str]
    entries: list[Entries]
    pages: list[tuple[str, str]]
    exceptions: list[server.ServerException]


def _write_portion(portion: bytes, settings: SiteSettings) -> WrittenPortion:
    """Write the folders of all names of a portion.

    Raises:
        PublishError: the disk refuses.
    """
    names, written = 0, 0
    quads: list[bytes] = []
    entries: list[Entries] = []
    pages: list[tuple[str, str]] = []
    exceptions: list[server.ServerException] = []
    families = _read_families(portion)
    for family in families:
        view = FamilyView(family=family, as_of=settings.as_of, base=settings.base)
        excerpts = Excerpts(view)
        written += _write_family(excerpts, settings)
        names += len(family.records)
        quads.append(excerpts.graph.write_nquads())
        entries += list_entries(view, settings.language)
        pages += list_pages(view)
        exceptions += server.list_exceptions(view)
    lines = b"".join(quads)
    counts = dcat.count_statements(lines, settings.base)
    return WrittenPortion(
        names, written, lines, counts, find_concepts(families), entries, pages, exceptions
    )


def _write_family(excerpts: Excerpts, settings: SiteSettings) -> int:
    """Write the folders of all names of a family; return the number of files written."""
    family, written = excerpts.view.family, 0
    # Nested names come after those that hold them, so that each folder is new.
    for name in sorted(
        (record.name for record in family.records),
        key=lambda name: (len(locate_folder(name)), str(name)),
    ):
        segments = locate_folder(name)
        links = SiteLinks(
            find=partial(_link_page, settings.table, family, name),
            root="../" * len(segments),
            list_amended=partial(_list_amended, settings.table),
            title=settings.site.choose_title(
                choose_language(name, settings.language), settings.base
            ),
        )
        files = write_representations(
            excerpts,
            name,
            links,
            language=settings.language,
            inline_context=settings.inline_context,
        )
        folder = settings.out.joinpath(*segments)
        written += site.write_folder(folder, files, settings.staging)
    return written


def _link_page(table: Path, family: Family, origin: Name, name: Name) -> str | None:
    """Return the link from the page of ``origin`` to that of a name, None if it has no page."""
    if family.record(name) is None:
        holder = _open_reader(table).execute(_PATHS_QUERY, (_digest_path(name),)).fetchone()
        if holder != (str(name),):
            return None
    return make_relative_link(locate_folder(origin), locate_folder(name))


def _list_amended(table: Path, name: Name) -> list[Name]:
    """List the acts that a name amends, by the records of these."""
    rows = _open_reader(table).execute(_AMENDMENTS_QUERY, (str(name),))
    return [parse(amended) for (amended,) in rows]


def _open_reader(table: Path) -> sqlite3.Connection:
    reader = _readers.get(table)
    if reader is None:
        reader = _readers[table] = sqlite3.connect(f"{table.as_uri()}?mode=ro", uri=True)
    return reader


# --- reports --------------------------------------------------------------------------


def _write_reports(found: PublishReport, settings: SiteSettings) -> int:
    """Write the results of the check, as a page and as Turtle.

    Only the names of source files are written: a site tells nobody about the publisher's folders.

    Returns:
        The number of files that had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    results = tuple(
        result
        if result.source is None
        else replace(result, source=replace(result.source, file=Path(result.source.file).name))
        for result in found.results
    )
    page = render_report(results, counts=found.counts, nodes=found.nodes).encode()
    turtle = write_turtle_report(CheckReport(results=results))
    written = site.write_file(settings.out / "report.html", page, settings.staging)
    return written + site.write_file(settings.out / "report.ttl", turtle, settings.staging)


def render_report(results: Sequence[Result], *, counts: Mapping[str, int], nodes: int) -> str:
    """Render the report page: the counts of each severity, then the results by file and line.

    Violations come first.
    """
    ordered = sorted(
        results, key=lambda each: (each.severity is not Severity.VIOLATION, each.source_order)
    )
    findings = []
    for result in ordered[:_MAX_ROWS]:
        source = result.source
        row = {
            "severity": result.severity.value,
            "location": "" if source is None else f"{source.file}, line {source.line}",
            "focus": result.focus.removeprefix("<").removesuffix(">"),
            "path": (result.path or "").removeprefix("<").removesuffix(">"),
            "message": result.message,
        }
        findings.append({key: escape_controls(value) for key, value in row.items()})
    return render_template(
        "report.html",
        nodes=nodes,
        counts=[(severity.value, counts.get(severity.value, 0)) for severity in Severity],
        findings=findings,
        hidden=max(sum(counts.values()) - _MAX_ROWS, 0),
    )
