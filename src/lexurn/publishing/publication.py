"""Publication of a site: check all families, then write all folders, or nothing."""

from __future__ import annotations

import gzip
import os
import pickle
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from lexurn import data
from lexurn.graph import nquads_of, statements_of
from lexurn.manifest import open_manifest, suggest_rejects_files
from lexurn.model import today
from lexurn.name import http_of, parse
from lexurn.pages import (
    Excerpts,
    FamilyView,
    escape_controls,
    locate_folder,
    make_relative_link,
    render_template,
    write_representations,
)
from lexurn.publishing.site import (
    explain_disk_errors,
    make_staging_path,
    move_file,
    open_site,
    refuse_emptying,
    refuse_foreign,
    write_file,
    write_folder,
)
from lexurn.publishing.spool import is_published, make_claims, open_spool, read_families
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
    from collections.abc import Mapping
    from os import PathLike

    from lexurn.findings import Finding
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.publishing.spool import PathClaim, Spool
    from lexurn.shacl import EngineName

CheckFunction = Callable[[Sequence["Family"]], Sequence[Result]]
"""Check of families; it runs in other processes where it can be pickled."""
ProgressCallback = Callable[[str, int, int | None], None]
"""Callback for progress: the step, the number of names done, and of all names where known."""
MapFunction = Callable[..., Iterator[Any]]
"""Function that maps another one over tasks, perhaps in other processes."""

_MAX_WORKERS = 16
_MAX_RESULTS = 50_000
_MAX_ROWS = 2_000
_SAMPLE_NAME = "urn:lex:it:stato:legge:2000-01-01;1"
_CATALOGUE_FILE = "catalogue.nq.gz"


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
        families: the number of alias sets in the manifest.
        nodes: the number of their names, each a folder of the site.
        written: the number of files that were new or had changed.
        rejected: the number of rows that were left out as invalid.
        rejects: the files that hold these rows unchanged.
        counts: the number of results of each severity.
        results: the first 50,000 of them, in the order of the families.
        as_of: the day for what is in force.
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

    @property
    def violations(self) -> tuple[Result, ...]:
        """Results that forbid publication."""
        return tuple(filter(_is_violation, self.results))


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings that are the same for all pages of a run.

    Attributes:
        out: the folder of the site.
        staging: the folder where files are made.
        table: the table of all names that are published.
        base: the base of HTTP URIs.
        as_of: the day for what is in force.
    """

    out: Path
    staging: Path
    table: Path
    base: str
    as_of: dt.date


def publish(  # noqa: PLR0913 - one command with all its options
    source: str | PathLike[str] | Sequence[str | PathLike[str]] | FamilySource | Iterable[Family],
    out: str | PathLike[str],
    *,
    base: str,
    as_of: dt.date | None = None,
    engine: EngineName | None = None,
    check: CheckFunction | None = None,
    force: bool = False,
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
        as_of: the day for what is in force; today by default.
        engine: the engine for the SHACL shapes, as in `lexurn.validate`; by default the fastest
            that is installed.
        check: a check to make in place of the SHACL shapes.
        force: publish in spite of violations, or an empty catalogue over that of earlier runs.
        workers: the number of processes; by default one for each processor.
        on_finding: receives the findings on rows of tables.
        on_progress: called at each step: ``reading``, ``check`` or ``write``.

    Raises:
        ManifestError: a table cannot be read.
        PublishError: the folder is not a site or cannot be written, two names have one path, or
            there is no name to publish where earlier runs have published some.
        CatalogueError: the folder is inside a catalogue.
        ValueError: the base is invalid.
    """
    from lexurn.catalogue import refuse_inside_catalogue  # noqa: PLC0415 - not in the workers

    http_of(parse(_SAMPLE_NAME), base)
    folder, day = Path(out), today() if as_of is None else as_of
    with explain_disk_errors(folder):
        refuse_inside_catalogue(folder / "index.html")
    refuse_foreign(folder)
    if check is None:
        name = engine or choose_engine(partial(warnings.warn, stacklevel=3))
        check = partial(check_families, as_of=day, base=base, engine=name)
    count = min(os.cpu_count() or 1, _MAX_WORKERS) if workers is None else max(workers, 1)
    with (
        _open_source(source, on_finding, on_progress) as families,
        open_spool() as spool,
        Workers(count) as started,
    ):
        found = _check_all(spool, started.map, families, check, on_progress)
        if not found.nodes and not force:
            refuse_emptying(folder)
        with open_site(folder) as staging:
            setting = SiteSettings(
                out=folder, staging=staging, table=spool.table, base=base, as_of=day
            )
            is_allowed = force or not found.counts.get("Violation")
            written = 0
            if is_allowed:
                written = _write_site(spool, started.map, setting, found.nodes, on_progress)
            written += _write_reports(found, setting)
    return PublishReport(
        published=is_allowed,
        families=found.families,
        nodes=found.nodes,
        written=written,
        rejected=getattr(families, "rejected", 0),
        rejects=getattr(families, "rejects", ()),
        counts=found.counts,
        results=found.results,
        as_of=day,
    )


@contextmanager
def _open_source(
    source: object,
    on_finding: Callable[[Finding], None] | None,
    on_progress: ProgressCallback | None,
) -> Iterator[FamilySource | Iterable[Family]]:
    """Open tables as a manifest; manifests and families stay as they are."""
    tables = [source] if isinstance(source, str | os.PathLike) else source
    is_path = isinstance(tables, Sequence) and any(
        isinstance(each, str | os.PathLike) for each in tables
    )
    if not is_path:
        yield cast("FamilySource | Iterable[Family]", source)
        return
    paths = [os.fspath(each) for each in cast("Sequence[str]", tables)]
    tell = on_progress or (lambda _step, _done, _total: None)
    with open_manifest(
        [*paths],
        rejects=suggest_rejects_files(paths),
        on_finding=on_finding,
        on_progress=lambda rows: tell("reading", rows, None),
    ) as manifest:
        yield manifest


# --- the first pass: check ------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class CheckSummary:
    """Summary of the first pass.

    Attributes:
        families: the number of families.
        nodes: the number of their names.
        counts: the number of results of each severity.
        results: the first of them; violations are kept longer than others.
    """

    families: int
    nodes: int
    counts: Counter[str]
    results: tuple[Result, ...]


def _check_all(
    spool: Spool,
    spread: MapFunction,
    source: FamilySource | Iterable[Family],
    check: CheckFunction,
    on_progress: ProgressCallback | None,
) -> CheckSummary:
    """Store all families in the spool, check them, and claim a path for each name.

    Raises:
        PublishError: two names have one path, or the temporary folder cannot be written.
    """
    families = source.families() if hasattr(source, "families") else source
    run = spread if _is_picklable(check) else starmap
    count = nodes = 0
    counts: Counter[str] = Counter()
    results: list[Result] = []
    tasks = ((chunk, check) for chunk in spool.add_families(families))
    for several, claims, found in run(_check_chunk, tasks):
        spool.claim(claims)
        count, nodes = count + several, nodes + len(claims)
        for result in found:
            counts[str(result.severity)] += 1
            if len(results) < _MAX_RESULTS * (2 if _is_violation(result) else 1):
                results.append(result)
        if on_progress is not None:
            on_progress("check", nodes, None)
    return CheckSummary(families=count, nodes=nodes, counts=counts, results=tuple(results))


def _check_chunk(chunk: bytes, check: CheckFunction) -> tuple[int, list[PathClaim], list[Result]]:
    """Return the number of families in a chunk, the claims of their names, and the results."""
    families = read_families(chunk)
    return len(families), make_claims(families), list(check(families))


def _is_picklable(check: CheckFunction) -> bool:
    """Return whether another process can import the check.

    It cannot import a function within a function, nor one of the script that was started.
    """
    try:
        return b"__main__" not in pickle.dumps(check)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


def _is_violation(result: Result) -> bool:
    return result.severity == Severity.VIOLATION


# --- the second pass: write -----------------------------------------------------------


def _write_site(
    spool: Spool,
    spread: MapFunction,
    setting: SiteSettings,
    total: int,
    on_progress: ProgressCallback | None,
) -> int:
    """Write the folders of all names, the catalogue and the context.

    Returns:
        The number of files that had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    tasks = ((chunk, setting) for chunk in spool.chunks())
    made, catalogue = make_staging_path(setting.staging), setting.out / _CATALOGUE_FILE
    written = done = 0
    with _open_gzip(made, catalogue) as packed:
        for names, files, quads in spread(_write_chunk, tasks):
            with explain_disk_errors(catalogue):
                packed.write(quads)
            written, done = written + files, done + names
            if on_progress is not None:
                on_progress("write", done, total)
    context = data.read_text("ontology/context.jsonld").encode()
    return (
        written
        + move_file(catalogue, made, setting.staging)
        + write_file(setting.out / "context.jsonld", context, setting.staging)
    )


@contextmanager
def _open_gzip(made: Path, goal: Path) -> Iterator[gzip.GzipFile]:
    """Open a packed file for writing; it is complete at the end. Errors name the goal.

    Raises:
        PublishError: the disk refuses.
    """
    with explain_disk_errors(goal):
        raw = made.open("wb")
    packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    try:
        yield packed
    except BaseException:
        for file in (packed, raw):
            with suppress(OSError):
                file.close()
        raise
    with explain_disk_errors(goal), raw:
        packed.close()


def _write_chunk(chunk: bytes, setting: SiteSettings) -> tuple[int, int, bytes]:
    """Write the folders of all names of a chunk.

    Returns:
        The number of names, the number of files that had to be written, and the N-Quads.

    Raises:
        PublishError: the disk refuses.
    """
    names, written, quads = 0, 0, bytearray()
    for family in read_families(chunk):
        view = FamilyView(family=family, as_of=setting.as_of, base=setting.base)
        statements = statements_of(family, as_of=setting.as_of, base=setting.base)
        quads += nquads_of(family, as_of=setting.as_of, base=setting.base)
        excerpts = Excerpts.of(view, statements)
        # Nested names come after those that hold them, so that each folder is new.
        for name in sorted(
            (record.name for record in family.records),
            key=lambda name: (len(locate_folder(name)), str(name)),
        ):
            folder = setting.out.joinpath(*locate_folder(name))
            files = write_representations(excerpts, name, _make_linker(family, name, setting))
            written += write_folder(folder, files, setting.staging)
            names += 1
    return names, written, bytes(quads)


def _make_linker(
    family: Family, origin: Name, setting: SiteSettings
) -> Callable[[Name], str | None]:
    """Return a function for links from the page of ``origin``, only to names that are published."""
    start = locate_folder(origin)

    def link(name: Name) -> str | None:
        if family.record(name) is None and not is_published(setting.table, name):
            return None
        return make_relative_link(start, locate_folder(name))

    return link


# --- reports --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """Row of the report page: severity, place in the manifest, node, property and message."""

    severity: str
    place: str
    focus: str
    path: str
    message: str


def _write_reports(found: CheckSummary, setting: SiteSettings) -> int:
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
    written = write_file(setting.out / "report.html", page, setting.staging)
    return written + write_file(setting.out / "report.ttl", turtle, setting.staging)


def render_report(results: Sequence[Result], *, counts: Mapping[str, int], nodes: int) -> str:
    """Render the report page: the counts of each severity, then the results, violations first."""
    ordered = sorted(results, key=lambda result: not _is_violation(result))
    rows = [
        FindingRow(
            severity=result.severity.value,
            place=""
            if result.source is None
            else escape_controls(f"{result.source.file}, line {result.source.line}"),
            focus=_strip_brackets(result.focus),
            path=_strip_brackets(result.path or ""),
            message=escape_controls(result.message),
        )
        for result in ordered[:_MAX_ROWS]
    ]
    return render_template(
        "report.html",
        nodes=nodes,
        counts=[(severity.value, counts.get(severity.value, 0)) for severity in Severity],
        findings=rows,
        hidden=max(sum(counts.values()) - _MAX_ROWS, 0),
    )


def _strip_brackets(term: str) -> str:
    """Return a term without the brackets of N-Triples."""
    return escape_controls(term.removeprefix("<").removesuffix(">"))
