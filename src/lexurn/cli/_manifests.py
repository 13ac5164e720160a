"""What the verbs that read manifests share: options, findings on rows, progress."""

from __future__ import annotations

import datetime as dt
import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain, count
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexurn.cli._registries import registry_of
from lexurn.cli._screen import echo_findings, is_terminal, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from lexurn.manifest import Manifest, RowFinding
    from lexurn.model import Family
    from lexurn.name import Name

__all__ = [
    "AS_OF",
    "BASE",
    "DIALECT",
    "MANIFEST",
    "MAP",
    "REJECTS",
    "Tables",
    "Teller",
    "all_beside",
    "beside",
    "day_of",
    "opened",
    "progress",
    "read_family",
]

BASE = click.option("--base", help="What HTTP URIs begin with, for example https://law.example")
AS_OF = click.option(
    "--as-of",
    metavar="DATE",
    callback=lambda _ctx, _param, value: day_of(value),
    help="The day for what is in force, YYYY-MM-DD.  [default: today]",
)
MAP = click.option(
    "--map",
    "mapping",
    type=click.Path(exists=True, dir_okay=False),
    help="A TOML file that says what the columns of your own table mean.",
)
MANIFEST = click.option(
    "--manifest",
    "manifests",
    multiple=True,
    metavar="FILE",
    help="A manifest that knows more: CSV, JSON Lines or Parquet; may be given again.",
)


def _named_as_rejects(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Refuse a name that does not say what it is, before anything is read."""
    if path is not None:
        from lexurn.errors import ManifestError
        from lexurn.manifest import check_rejects_name

        try:
            check_rejects_name(Path(path))
        except ManifestError as fault:
            raise click.BadParameter(visible(str(fault))) from None
    return path


REJECTS = click.option(
    "--rejects",
    callback=_named_as_rejects,
    type=click.Path(dir_okay=False, writable=True),
    help="Where the rows that are no good go, unchanged; each run writes this file anew.",
)


def all_beside(manifests: Sequence[str], form: str | None = None) -> list[str]:
    """Where the bad rows of each table go when nothing else is said: beside it, see `beside`."""
    paths: list[str] = []
    for manifest in manifests:
        paths.append(beside(manifest, form, taken={Path(path).absolute() for path in paths}))
    return paths


def beside(manifest: str, form: str | None = None, *, taken: Collection[Path] = ()) -> str:
    """Where bad rows go when nothing else is said: ``acts.rejects.csv`` beside ``acts.csv``.

    What is there already stays, since somebody may be mending it: then ``acts.rejects-2.csv``.
    Where nothing can be written beside it they go to the folder that the command runs in.

    Args:
        manifest: a table; ``-`` is standard input.
        form: its format where that was said.
        taken: what goes elsewhere already, as absolute paths.
    """
    path = Path(f"rejects.{form or 'csv'}")
    if manifest != "-":
        path = Path(f"{Path(manifest).stem}.rejects{Path(manifest).suffix}")
        if os.access(Path(manifest).parent, os.W_OK):
            path = Path(manifest).with_name(path.name)
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    free = (each for each in chain((path,), others) if each.absolute() not in taken)
    return str(next(each for each in free if not lexists(each)))


def day_of(value: str | None) -> dt.date:
    """The day that an option names; today where it is left out."""
    if value is None:
        from lexurn.model import today

        return today()
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no day; write YYYY-MM-DD") from None


DIALECT = click.option(
    "--dialect",
    type=click.Choice(["auto", "draft", "lexml", "nir"]),
    help="What names are written in, where that is not RFC 9676.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The manifests of a run, read as one.

    Attributes:
        files: paths; ``-`` is standard input.
        mapping: a mapping file, or None.
        rejects: where bad rows go, all or those of each file; None where they are not kept.
        form: the format of all files, None to tell it from their names.
        registries: a publisher's own registries, with which names are minted.
        dialect: what names are written in; None for RFC 9676.
    """

    files: Sequence[str]
    mapping: str | None = None
    rejects: str | Sequence[str] | None = None
    form: str | None = None
    registries: Sequence[str] = ()
    dialect: str | None = None


@dataclass(slots=True)
class Teller:
    """Shows the findings on rows, all errors and the first of the rest, and counts them."""

    most: int = 1_000
    shown: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def __call__(self, finding: RowFinding) -> None:
        """Show one finding, or count it where there were too many."""
        severity = str(finding.severity)
        self.counts[severity] = self.counts.get(severity, 0) + 1
        if self.shown < self.most:
            self.shown += 1
            _echo_row_finding(finding)

    def summary(self) -> str:
        """How many findings of each weight, and how many were not shown."""
        told = [f"{n} {weight}{'s' * (n > 1)}" for weight, n in sorted(self.counts.items())]
        hidden = sum(self.counts.values()) - self.shown
        return ", ".join(told) + (f" ({hidden} not shown)" if hidden else "")


def _echo_row_finding(finding: RowFinding) -> None:
    place = visible(finding.place)
    if finding.column is not None:
        place += f", column {visible(finding.column)}"
    echo_findings(finding.text, [finding], place=place)


@contextmanager
def progress() -> Iterator[Callable[[str, int, int | None], None]]:
    """A line on standard error that says what is done and how far, where a person watches."""
    if not is_terminal():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total
        )


@contextmanager
def opened(
    tables: Tables, teller: Teller, told: Callable[[str, int, int | None], None]
) -> Iterator[Manifest]:
    """Open manifests as one, with findings shown as they come, and their sum at the end.

    Raises:
        ManifestError: a table that cannot be read at all.
    """
    from lexurn.manifest import open_manifest

    with (
        ExitStack() as at_last,
        open_manifest(
            list(tables.files),
            mapping=tables.mapping,
            format=tables.form,
            registry=registry_of(tables.registries) if tables.registries else None,
            dialect=tables.dialect,
            rejects=tables.rejects,
            on_finding=teller,
            on_progress=lambda rows: told("reading", rows, None),
        ) as manifest,
    ):
        at_last.callback(_tell_rejected, manifest, teller)
        yield manifest


def _tell_rejected(manifest: Manifest, teller: Teller) -> None:
    if manifest.rejected:
        kept = ", ".join(visible(str(path)) for path in manifest.rejects)
        count = f"{manifest.rejected} of {manifest.rows} rows rejected"
        why = f": {teller.summary()}" if teller.counts else ""
        click.echo(f"{count}{why}" + f"; kept in {kept}" * bool(kept), err=True)


def read_family(name: Name, tables: Tables) -> Family | None:
    """The family of a name in some manifests, None where none of them holds the name.

    Raises:
        ManifestError: a table that cannot be read at all.
    """
    if not tables.files:
        return None
    with progress() as told, opened(tables, Teller(), told) as rows:
        found = (family for family in rows.families() if family.record(name.document) is not None)
        return next(found, None)
