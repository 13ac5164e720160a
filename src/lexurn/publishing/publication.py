"""Publication of a site: check everything, then write what has changed, or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import warnings
from collections import Counter, deque
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn import data
from lexurn.catalogue import refuse_inside_catalogue
from lexurn.errors import PublishError
from lexurn.manifest import FamilyResult, Manifest, PackedGroup
from lexurn.model import read_day, split_by_size
from lexurn.name import normalize_base
from lexurn.pages import LANGUAGES
from lexurn.publishing import dcat, server, tables
from lexurn.publishing.dcat import SiteSettings
from lexurn.publishing.folders import write_chunk
from lexurn.publishing.left_names import merge_left_names
from lexurn.publishing.lists import ListWriter, write_harvest_files
from lexurn.publishing.report import PublishReport, render_report
from lexurn.publishing.search import (
    INDEX_FOLDER,
    is_indexed,
    make_index,
    require_pagefind,
)
from lexurn.publishing.site import (
    SiteFolder,
    explain_disk_errors,
    is_site,
    open_site,
    refuse_emptying,
    refuse_foreign,
)
from lexurn.publishing.sources import check_sets, find_focus, list_sets, open_source
from lexurn.publishing.state import STATE_FILE, SiteState, Work, digest_bytes
from lexurn.publishing.statements import (
    count_statements,
    is_complete,
    list_chunks,
    write_statements,
)
from lexurn.publishing.vocabularies import write_vocabularies
from lexurn.shacl import (
    CheckReport,
    Severity,
    check_families,
    choose_engine,
    write_turtle_report,
)
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from lexurn.findings import Finding
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.publishing.left_names import ConfirmFunction, LeftNames
    from lexurn.publishing.sources import (
        CheckFunction,
        FamilySource,
        PackedSource,
        ProgressCallback,
    )
    from lexurn.publishing.state import CheckedSet, SourceSet
    from lexurn.publishing.statements import Chunk, PackedChunk
    from lexurn.shacl import EngineName, Result

_COPIED_FILES = {
    "context.jsonld": "ontology/context.jsonld",
    "style.css": "templates/style.css",
    "site.js": "templates/site.js",
}
_LISTS = "lex/"
_ROBOTS = "robots.txt"
"""File that a publisher may have made: it is written only where there is none."""
_MAX_WORKERS = 16
_MAX_RESULTS = 50_000
_PORTION_NAMES = 1_000
_FEW_NAMES = 5
_MOST_LEAVING = 0.1
"""Share of the names of a site that may leave its input at once; a broken export loses more."""
_BATCH = 64
_MOST_EXPLAINED = 100
"""Number of newly rejected rows up to which the report explains them."""
_LARGE_FILE = 100_000
"""Number of bytes from which a file is written at once."""
_OTHER_FILES = {dcat.STATEMENTS_FILE, "report.html", "report.ttl"}
"""Files that are written apart from the others at the top."""
_FIXED_FILES = ("ontology/", "shapes/", *_COPIED_FILES)
"""Starts of paths of files that depend on the settings alone."""


def publish(  # noqa: PLR0913 - one command with all its options
    source: str
    | PathLike[str]
    | Sequence[str | PathLike[str]]
    | FamilySource
    | PackedSource
    | Iterable[Family]
    | Iterable[Mapping[str, object]],
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
    search: bool = False,
    rebase: bool = False,
    rewrite: bool = False,
    dry_run: bool = False,
    replaced: Mapping[Name, Name] | None = None,
    max_rejects: int | None = None,
    confirm_removal: ConfirmFunction | None = None,
    workers: int | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_progress: ProgressCallback | None = None,
) -> PublishReport:
    """Write a static site of linked data: a folder for the HTTP URI of each name.

    Everything is checked before anything is written. If a violation is found and ``force`` is
    not given, only ``report.ttl`` and ``report.html`` are written. Each folder appears whole or
    not at all. Files that have not changed since the last run are left alone: the state of the site
    (`lexurn.publishing.state`) knows them. A run that was interrupted is simply run again.

    A name that has left the input keeps its page, which says that it is withdrawn. The page stays
    as it was if a row was rejected since the name was last in the input: the row may be that of the
    name.

    Args:
        source: a table or several, by path, whose invalid rows go unchanged to a rejects file
            beside each (``acts.rejects.csv``); or rows in memory, a data frame or mappings; or a
            manifest opened with `lexurn.open_manifest`; or families; or the holdings of a
            catalogue.
        out: the folder of the site: new, empty, or written by an earlier run.
        base: the base of HTTP URIs, for example ``https://law.example``.
        as_of: the day for what is in force, as a date or in ISO 8601; today by default.
        engine: the engine for the SHACL shapes, as in `lexurn.validate`; by default the fastest
            that is installed.
        check: a check to make in place of the SHACL shapes.
        force: publish despite violations, without any name, or although many names have left the
            input.
        inline_context: whether JSON-LD holds its context, to be read offline; by default it links
            the ``context.jsonld`` of the site.
        language: the language of the pages where neither the version nor the jurisdiction has one
            of the six that lexurn writes (`lexurn.pages.LANGUAGES`); by default that of ``site``,
            else that of the mapping if it is one of the six, else English.
        site: title, description, publisher, licence, contact and language of the site, or the path
            of a TOML file with them; see `lexurn.publishing.dcat`.
        search: make an index for a search without a server, with pagefind.
        rebase: write all pages again for another base than that of the last run.
        rewrite: make and compare all files again, also those that have not changed; this mends a
            folder that was edited by hand.
        dry_run: do all but write; ``published`` of the report tells whether the site would be
            written.
        replaced: names that were wrong, each with the right one: their pages lead there.
        max_rejects: the number of rejected rows up to which the site is written; None for any.
        confirm_removal: is called with the names that have left the input, and returns those whose
            pages are removed.
        workers: the number of processes; by default one for each processor.
        on_finding: receives the findings on rows of tables.
        on_progress: called at each step: ``reading``, ``check`` or ``write``.

    Raises:
        ManifestError: a table cannot be read.
        PublishError: the folder is not a site or cannot be written, another run writes into it, two
            names have one path, the base is another, too many rows were rejected, no row is valid,
            too many names have left the input, or ``replaced`` or ``site`` has a fault.
        CatalogueError: the folder is inside a catalogue.
        DateError: ``as_of`` is a text that is not a date.
        ValueError: the base is invalid.
    """
    if search:
        require_pagefind()
    base = normalize_base(base)
    site = dcat.Site() if site is None else site
    stated = site if isinstance(site, dcat.Site) else dcat.read_site(os.fspath(site))
    folder, day = Path(out), read_day(as_of)
    with explain_disk_errors(folder):
        refuse_inside_catalogue(folder / "index.html")
    refuse_foreign(folder)
    checks_all = check is not None
    if check is None:
        name = engine or choose_engine(partial(warnings.warn, stacklevel=3))
        check = partial(check_families, as_of=day, base=base, engine=name)
    tell: ProgressCallback = on_progress or (lambda _step, _done, _total: None)
    count = min(os.cpu_count() or 1, _MAX_WORKERS) if workers is None else max(workers, 1)
    with (
        open_source(source, on_finding, tell) as opened,
        closing(SiteState()) as state,
        Workers(count) as pool,
        ExitStack() as stack,
    ):
        site_folder = _open_last_run(folder, state, stack, dry_run=dry_run)
        _refuse_other_base(state, base, rebase=rebase)
        manifest = opened if isinstance(opened, Manifest) else None
        language = language or stated.language or _choose_language(manifest)
        made_with = _describe_settings(
            base, language, stated, inline_context=inline_context, search=search
        )
        is_known = made_with == state.settings and not rewrite
        checker = _SourceCheck(state, pool, check, day, tell)
        checker.check_source(opened, is_known=is_known, checks_all=checks_all)
        rejected = 0 if manifest is None else manifest.rejected
        if max_rejects is not None and rejected > max_rejects:
            were = "row was" if rejected == 1 else "rows were"
            raise PublishError(
                f"{rejected} {were} rejected, and {max_rejects} are allowed (--max-rejects); "
                "nothing was changed. Correct them, or allow more."
            )
        if not force and not state.list_column(tables.FIND_NAME):
            refuse_emptying(folder, rejected=rejected)
        left = checker.check_left_names(
            rejects=() if manifest is None else manifest.list_rejected_digests(),
            replaced=replaced or {},
            confirm=confirm_removal,
            force=force,
        )
        families, nodes = state.count_names()
        (new, new_works), (changed, changed_works) = state.find_changed_works()
        report = PublishReport(
            published=force or not checker.counts.get("Violation"),
            families=families,
            nodes=nodes,
            written=0,
            **_describe_rows(manifest, state),
            counts=checker.counts,
            results=tuple(checker.results),
            as_of=day,
            **left._asdict(),
            new_works=new_works,
            changed_works=changed_works,
            new=new,
            changed=changed,
            missing_keys=stated.list_missing(),
        )
        if dry_run:
            return report
        if site_folder is None:
            site_folder = stack.enter_context(open_site(folder))
            if (folder / STATE_FILE).exists():
                raise PublishError(f"Another run has published into {folder}. Publish again.")
            if report.published:
                state.open_folder(folder)
        settings = SiteSettings(
            out=folder,
            state=state.file,
            base=base,
            as_of=day,
            inline_context=inline_context,
            language=language,
            site=stated,
            search=search,
        )
        if report.published:
            state.replace_sets(made_with, report.removed_names, rewrites=rewrite)
        writer = _SiteWriter(state, settings, site_folder)
        return replace(report, written=writer.write(report, pool, tell))


def _open_last_run(
    folder: Path, state: SiteState, stack: ExitStack, *, dry_run: bool
) -> SiteFolder | None:
    """Open a site that is there, and its state; a dry run reads a copy of the state alone."""
    if not is_site(folder):
        return None
    if dry_run:
        state.copy_folder(folder)
        return None
    site = stack.enter_context(open_site(folder))  # no other run may change it from now on
    state.open_folder(folder)
    return site


def _choose_language(manifest: Manifest | None) -> str:
    """Choose the language of pages: that of the mapping of tables if it has words, else English."""
    stated = (manifest and manifest.language) or ""
    primary = stated.partition("-")[0]
    return primary if primary in LANGUAGES else "en"


def _describe_rows(manifest: Manifest | None, state: SiteState) -> dict[str, Any]:
    """Return what the report has on the rows of tables."""
    if manifest is None:
        return {}
    rows: Counter[str] = Counter()
    for file, count in manifest.count_rejected().items():
        rows[Path(file).name] += count
    new = state.count_new_rejects()
    explained = manifest.explain_rejected(state.count_new_rejects, _MOST_EXPLAINED) if new else ()
    return {
        "rejected": manifest.rejected,
        "rejected_rows": dict(rows),
        "newly_rejected": new,
        "new_rejects": explained,
        "rejects": manifest.rejects,
        "row_findings": dict(manifest.counts),
    }


def _describe_settings(
    base: str, language: str, stated: dcat.Site, *, inline_context: bool, search: bool
) -> dict[str, str]:
    """Describe all by which pages of the same names differ from run to run."""
    digest = hashlib.blake2b(digest_size=16)
    # The ontology states the version of lexurn.
    folders = (("templates", "**/*.*"), ("shapes", "*.ttl"), ("ontology", "*.ttl"))
    for file in chain(*(sorted(data.find_folder(each).glob(files)) for each, files in folders)):
        digest.update(file.read_bytes())
    made = {
        "data": digest.hexdigest(),
        "language": language,
        "inline_context": inline_context,
        "search": search,
        "site": asdict(stated),
    }
    return {"base": base, "made": json.dumps(made, sort_keys=True)}


def _refuse_other_base(state: SiteState, base: str, *, rebase: bool) -> None:
    before = state.settings.get("base", base)
    if before != base and not rebase:
        raise PublishError(
            f"The site was published with the base {before}; nothing was changed. Use that base, "
            f"or --rebase to write all pages again with {base}."
        )


class _SourceCheck:
    """Check of a source, which notes its alias sets in the state of the site.

    Attributes:
        counts: the number of results of each severity.
        results: the first 50,000 of them; after these, violations alone, up to 100,000 in all.
    """

    def __init__(
        self,
        state: SiteState,
        pool: Workers,
        check: CheckFunction,
        day: dt.date,
        tell: ProgressCallback,
    ) -> None:
        """Store the parts; ``check`` runs in other processes where it can be pickled."""
        self.counts: Counter[str] = Counter()
        self.results: list[Result] = []
        self._state, self._check, self._day, self._tell = state, check, day, tell
        try:
            is_importable = b"__main__" not in pickle.dumps(check)
        except (pickle.PicklingError, AttributeError, TypeError):
            is_importable = False
        # Other processes cannot import a function within a function, nor one of the script itself.
        self._pool = pool if is_importable else Workers(1)
        self._done = 0

    def check_source(self, source: object, *, is_known: bool, checks_all: bool) -> None:
        """Check the alias sets of a source that are new, have changed, or had remarks before.

        Args:
            source: the source.
            is_known: whether the alias sets of the site are written with the settings of the run.
            checks_all: whether those that have not changed are checked, too.

        Raises:
            PublishError: two names have one path.
        """
        if not is_known:
            self._state.clear_rows()
        if isinstance(source, Manifest):
            source.cache = self._state
        portions = self._list_portions(source, skips_known=is_known and not checks_all)
        tasks = ((portion, self._check, self._day) for portion in portions)
        for (sets, *_), (checked, results) in self._pool.map_with_tasks(check_sets, tasks):
            if isinstance(source, Manifest):
                for each, done in zip(sets, checked, strict=True):
                    if done.data:
                        for finding in done.findings:
                            source.report(finding)
                    elif isinstance(each.content, PackedGroup):  # its rows contradict each other
                        source.accept(each.content, FamilyResult(None, tuple(done.findings)))
            self._add_sets(checked, results)
        if isinstance(source, Manifest):
            source.finish()

    def _list_portions(
        self, source: object, *, skips_known: bool
    ) -> Iterator[tuple[SourceSet, ...]]:
        """Yield what is to be checked in portions of about 1,000 names; note the rest as seen."""
        sets, size = list_sets(source), attrgetter("size")
        if skips_known:
            skip = partial(self._state.skip_current_sets, day=self._day.isoformat())
            sets = chain.from_iterable(map(skip, split_by_size(sets, size, _PORTION_NAMES)))
        return split_by_size(sets, size, _PORTION_NAMES)

    def _add_sets(self, checked: Iterable[CheckedSet], results: Iterable[Result]) -> None:
        with self._state.open_transaction():
            for each in checked:
                if each.data:
                    self._state.add_set(each)
                    self._done += len(each.claims)
        for result in results:
            self.counts[str(result.severity)] += 1
            # Violations have room of their own, so that warnings do not crowd them out.
            room = _MAX_RESULTS * (2 if result.severity is Severity.VIOLATION else 1)
            if len(self.results) < room:
                self.results.append(result)
        self._tell("check", self._done, None)

    def check_left_names(
        self,
        *,
        rejects: Iterable[tuple[bytes, int]],
        replaced: Mapping[Name, Name],
        confirm: ConfirmFunction | None,
        force: bool,
    ) -> LeftNames:
        """Merge the names that have left the input into the alias sets of the run, and check these.

        Raises:
            PublishError: as `lexurn.publishing.left_names.merge_left_names`; with ``force`` any
                number of names may leave.
        """
        most = max(_FEW_NAMES, int(self._state.count_site_names() * _MOST_LEAVING))
        sets, names = merge_left_names(
            self._state,
            self._day.isoformat(),
            rejects=rejects,
            replaced=replaced,
            confirm=confirm,
            most=None if force else most,
        )
        for at in range(0, len(sets), _PORTION_NAMES):
            portion = sets[at : at + _PORTION_NAMES]
            checked, results = check_sets(portion, self._check, self._day)
            # Results on alias sets that no longer hold are dropped, and new ones added.
            claimed = {claim.name for each in checked for claim in each.claims}
            found = set(map(_make_result_key, results))
            kept: list[Result] = []
            for each in self.results:
                if find_focus(each) in claimed and _make_result_key(each) not in found:
                    self.counts[str(each.severity)] -= 1
                else:
                    kept.append(each)
            self.results = kept
            known = set(map(_make_result_key, kept))
            new = [each for each in results if _make_result_key(each) not in known]
            self._add_sets(checked, new)
        self._state.mark_equal_sets()
        return names


def _make_result_key(result: Result) -> tuple[object, ...]:
    """Return all of a result but its source, which alias sets of the site do not have."""
    return result.focus, result.path, result.severity, result.message


class _SiteWriter:
    """Writer of the files of a site that are new or have changed."""

    def __init__(self, state: SiteState, settings: SiteSettings, site: SiteFolder) -> None:
        self._written = 0
        self._state, self._settings, self._site = state, settings, site

    def write(self, report: PublishReport, pool: Workers, tell: ProgressCallback) -> int:
        """Write the site, or the report alone if that holds it back; return the number of files.

        Raises:
            PublishError: the disk refuses.
        """
        state, settings = self._state, self._settings
        if report.published:
            file = settings.out / dcat.STATEMENTS_FILE
            chunks = list_chunks(state, file)
            made = self._write_chunks(chunks, pool, tell)
            if is_complete(state, file, chunks):
                deque(made, maxlen=0)
            else:
                has_changed = write_statements(state, settings, made)  # this adds to the count
                self._written += has_changed
            self._remove_files(state.list_orphans())
            state.forget_empty_lists()
            self._write_top()
        # A site tells nobody about the publisher's folders.
        results = tuple(
            result
            if result.source is None
            else replace(result, source=replace(result.source, file=Path(result.source.file).name))
            for result in report.results
        )
        left = sorted(chain(*state.list_left_names().values())) if report.published else ()
        page = render_report(replace(report, results=results), settings, left)
        turtle = write_turtle_report(CheckReport(results=results))
        self._write_files([("report.html", page), ("report.ttl", turtle)])
        state.complete_work(is_complete=report.published)
        return self._written

    def _write_chunks(
        self, chunks: Sequence[Chunk], pool: Workers, tell: ProgressCallback
    ) -> Iterator[tuple[Chunk, PackedChunk | None]]:
        """Write the folders of the names of chunks; yield each chunk, with its new statements."""
        state, settings = self._state, self._settings
        total, done = state.count_stale_names(), 0
        tasks = (
            (each, state.read_sets(each.key, each.end), settings) for each in chunks if each.is_due
        )
        results = pool.map(write_chunk, tasks)
        for chunk in chunks:
            packed = None
            if chunk.is_due:
                written, packed = next(results)
                with state.open_transaction():
                    for each in written:
                        state.save_set(each)
                        self._written += each.written
                        done += each.names
                        if any(map(is_indexed, each.changed)):
                            state.add_pending_work(Work.SEARCH)
                tell("write", done, total)
            yield chunk, packed

    def _remove_files(self, paths: Sequence[str]) -> None:
        """Remove files that lexurn wrote and that have no place in the site any more."""
        for path in paths:
            self._site.remove_file(path)
        self._state.forget_files(paths)

    def _write_top(self) -> None:
        """Write the lists, the files at the top of the site, and the index of the search.

        Raises:
            PublishError: the disk refuses.
        """
        state, settings = self._state, self._settings
        connection = state.connection
        statements, file = count_statements(state), settings.out / dcat.STATEMENTS_FILE
        writer = ListWriter(connection, settings, statements.classes)
        changed = state.list_changed_lists()
        written = self._write_files(writer.write(changed))
        with explain_disk_errors(file), file.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        content = dcat.SiteContent(
            summary=writer.summarize(),
            triples=statements.triples,
            classes=statements.classes,
            modified=writer.find_change(),
            examples=writer.list_examples(),
            size=file.stat().st_size,
            sha256=sha256,
        )
        description = dcat.write_description(settings, content)
        written |= self._write_files(
            chain(
                write_harvest_files(connection, settings),
                server.write_server_files(connection, settings.base),
                [(dcat.DESCRIPTION_FILE, description)],
            )
        )
        if changed is None:
            copies = ((name, data.read_text(each).encode()) for name, each in _COPIED_FILES.items())
            written |= self._write_files(chain(copies, write_vocabularies(settings)))
        else:
            written |= self._find_files(_FIXED_FILES)
        if settings.search:
            has_index = (settings.out / INDEX_FOLDER).is_dir()
            if has_index and Work.SEARCH not in state.pending:
                written |= self._find_files(f"{INDEX_FOLDER}/")
            else:
                index = make_index(settings.out, self._site.make_staging_path())
                written |= self._write_files(index)
        written |= _OTHER_FILES
        # A page of a list that is shorter now, for example, has no place in the site any more.
        self._remove_files(
            [
                path
                for path in state.list_files()
                if path not in written
                and (not path.startswith(_LISTS) or writer.has_rewritten(path))
            ]
        )

    def _find_files(self, starts: str | tuple[str, ...]) -> set[str]:
        """Find the files of the site whose paths have a start; none may be a link."""
        found = {path for path in self._state.list_files() if path.startswith(starts)}
        for path in found:
            self._site.find_path(path)
        return found

    def _write_files(self, files: Iterable[tuple[str, bytes]]) -> set[str]:
        """Write files of the site; return their paths."""
        paths: set[str] = set()
        batch: list[tuple[str, bytes]] = []
        for path, content in files:
            paths.add(path)
            batch.append((path, content))
            if len(batch) == _BATCH or len(content) > _LARGE_FILE:
                self._write_batch(batch)
                batch = []
        self._write_batch(batch)
        return paths

    def _write_batch(self, files: Sequence[tuple[str, bytes]]) -> None:
        state, changed = self._state, dict[str, bytes]()
        for path, content in files:
            file, digest = self._settings.out / path, digest_bytes(content)
            known = state.find_file(path)
            found = file.read_bytes() if path == _ROBOTS and file.exists() else None
            if found is not None and digest_bytes(found) not in {digest, known}:
                state.forget_files([path])
                continue
            self._site.find_path(path)
            if known != digest:
                changed[path] = digest
        if not changed:
            return
        with state.open_transaction():  # if this run is killed, the next one trusts no digest
            state.add_pending_work(Work.FILES)
            if any(map(is_indexed, changed)):
                state.add_pending_work(Work.SEARCH)
            state.save_files(changed)
        for path, content in files:
            if path in changed:
                self._written += self._site.write_file(path, content)
