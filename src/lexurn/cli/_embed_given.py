"""What ``lexurn embed`` was asked for: what does not go together is wrong usage."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexurn.files import is_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.cli._manifests import Tables
    from lexurn.embedding import Manner

__all__ = ["Given", "targets_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was asked for, all of which goes together.

    Attributes:
        files: the files.
        tables: the manifests.
        base: the base of HTTP URIs.
        folder: the folder, None where single files are meant.
        site: where the folder is on the web.
        output: where the result goes.
        in_place: whether each file is written in its place.
        removes: whether names are taken out.
        sidecar: whether files beside others may be written.
        force: whether signatures may be broken.
        keep_times: whether files keep their times.
        diff: whether a diff was asked for.
    """

    files: tuple[str, ...]
    tables: Tables
    base: str | None
    folder: str | None
    site: str | None
    output: str | None
    in_place: bool
    removes: bool
    sidecar: bool
    force: bool
    keep_times: bool
    diff: bool

    @classmethod
    def of(
        cls, options: Mapping[str, Any], *, urn: str | None, tables: Tables, report: str | None
    ) -> Given:
        """What the options say.

        Raises:
            click.UsageError: some do not go together.
        """
        _check_wish(options, urn, tables)
        folder = options["folder"]
        if folder is None and urn is None and not options["remove"]:
            folder = "."  # a manifest says which of the files there is which
        _check_writing({**options, "folder": folder}, report, tables)
        _check_urls(options["base"], options["site"])
        return cls(
            files=options["files"],
            tables=tables,
            base=options["base"],
            folder=folder,
            site=options["site"],
            output=options["output"],
            in_place=options["in_place"],
            removes=options["remove"],
            sidecar=options["sidecar"],
            force=options["force"],
            keep_times=options["keep_times"],
            diff=options["diff"],
        )

    @property
    def writes(self) -> bool:
        """Whether anything is to be written."""
        return self.in_place or self.output is not None

    @property
    def shows_diff(self) -> bool:
        """Whether it is shown what changes: when asked, and for single files that stay as they are.

        The changes of a whole folder would fill a screen a thousand times.
        """
        return self.diff or (not self.writes and self.folder is None)

    def manner(self, target: Path | None = None) -> Manner:
        """How files are treated."""
        from lexurn.embedding import Manner

        return Manner(
            writes=self.writes,
            target=target,
            is_forced=self.force,
            takes_sidecars=self.sidecar,
            keeps_times=self.keep_times,
            shows_diff=self.shows_diff,
        )


def _check_wish(options: Mapping[str, Any], urn: str | None, tables: Tables) -> None:
    """One name, or a manifest that has names, or none at all."""
    files, folder = options["files"], options["folder"]
    if options["remove"]:
        if urn is not None or tables.files:
            raise click.UsageError("--remove takes names out: leave --urn and --manifest out")
        if files and folder is not None:
            raise click.UsageError("--remove is for files, or for a folder with all its files")
    elif urn is None and not tables.files:
        raise click.UsageError("no name: give --urn, or --manifest with --folder")
    if urn is not None and folder is not None:
        raise click.UsageError("the files of a folder have a name each: give --manifest, no --urn")
    if not files and folder is None:
        raise click.UsageError("no file: name some, or a folder with --folder")
    if options["site"] is not None and (urn is not None or options["remove"]):
        raise click.UsageError("--site says which file has which name of a manifest")


def _check_writing(options: Mapping[str, Any], report: str | None, tables: Tables) -> None:
    """To one place at most, and over nothing that is read."""
    in_place, output = options["in_place"], options["output"]
    if options["diff"] and (in_place or output is not None):
        raise click.UsageError("--diff writes nothing: leave --in-place and -o out, or --diff")
    if in_place and output is not None:
        raise click.UsageError("--in-place or -o, one of the two")
    read = (*options["files"], *tables.files, *filter(None, (tables.mapping,)))
    if report == "":
        raise click.UsageError("--report names no file")
    if report is not None and report != "-":
        _refuse_own(report, "--report", read)
        _refuse_document(report)
    if output is not None:
        _check_output(output, options, (*tables.files, *filter(None, (tables.mapping,))))
        _refuse_own(output, "-o", filter(None, (report,)), "the report")


def _check_output(output: str, options: Mapping[str, Any], read: Sequence[str]) -> None:
    from lexurn.catalogue import refuse_inside_catalogue

    if options["folder"] is not None or not options["files"]:
        raise click.UsageError(
            "-o is for single files with --urn or --remove; what a manifest names is written with "
            "--in-place"
        )
    if output == "-":
        raise click.UsageError("-o names a file or a folder; documents go to no standard output")
    path = Path(output)
    is_folder = os.path.isdir(path)  # noqa: PTH112 - for names too long, too
    if len(options["files"]) > 1 and not is_folder:
        raise click.UsageError(f"{output} is no folder, and there are several files")
    _refuse_own(output, "-o", read)
    refuse_inside_catalogue(path / "document" if is_folder else path)


def _refuse_own(path: str, option: str, others: Iterable[str], what: str = "read") -> None:
    for each in others:
        if is_same(path, each):
            raise click.UsageError(f"{option} {path} is {what} as well; choose another file")


def _refuse_document(report: str) -> None:
    """A report takes the place of an older one, of nothing else, nor of a document to come."""
    from lexurn.cli._embed_report import is_report
    from lexurn.embedding import formats

    with suppress(OSError):
        if Path(report).is_file() and not is_report(Path(report)):
            raise click.UsageError(f"{report} is there and is no report; choose another file")
    suffix = Path(report).suffix.lower()
    if any(suffix in each.suffixes for each in formats()):
        raise click.UsageError(f"--report {report} is called like a document; name it .jsonl")


def _check_urls(base: str | None, site: str | None) -> None:
    from lexurn.embedding import check_base, site_of

    try:
        check_base(base)
        if site is not None:
            site_of(site)
    except ValueError as fault:
        raise click.UsageError(str(fault)) from None


def targets_of(given: Given) -> list[tuple[str, Path | None]]:
    """Each file, and where its result goes; None for its own place.

    Raises:
        click.UsageError: a result would go over another input, or two to one place.
    """
    from lexurn.embedding import EmbeddingError, target_of

    try:
        targets = [(file, target_of(file, given.output)) for file in given.files]
    except EmbeddingError as fault:
        raise click.UsageError(str(fault)) from None
    read = {key: file for file in given.files for key in _keys(file)}
    taken: dict[str, str] = {}
    for file, target in targets:
        if target is None:
            continue
        other = taken.setdefault(os.path.realpath(target), file)
        if other != file:
            raise click.UsageError(f"the results of {other} and {file} would be the same file")
        if any(read.get(key, file) != file for key in _keys(target)):
            raise click.UsageError(f"the result of {file} would go over another of the files")
    return targets


def _keys(path: str | Path) -> Iterator[object]:
    """By what a place is known, whatever leads there; other names of a file are other places."""
    yield os.path.realpath(path)
    with suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116 - of a text or a path
        if status.st_nlink == 1:
            yield status.st_dev, status.st_ino
