"""Options that several commands share, and the manifests, registries and catalogues they open."""

from __future__ import annotations

import datetime as dt
import math
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

import click

from lexurn.cli.screen import FindingPrinter, echo_finding, escape_text
from lexurn.errors import LexurnError
from lexurn.name import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.catalogue import Catalogue
    from lexurn.cli.screen import Progress
    from lexurn.manifest import Manifest
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.registry import Registry

_Command = TypeVar("_Command", bound="Callable[..., object]")

GRAPH_FORMATS: Final = ("turtle", "jsonld", "rdfxml", "ntriples", "nquads", "trig")
"""Formats of RDF, as options name them."""

TABLE_FORMATS: Final = {
    "csv": "csv",
    "tsv": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "pq": "parquet",
}
"""Formats of tables by the ends of file names."""

DIALECTS: Final = ("rfc9676", "lexml", "nir", "draft")
"""Dialects of names, as `lexurn.dialect.Dialect` has them, whose package takes time to load."""

MAX_LINE_BYTES: Final = 65_536
"""How many bytes of a line are read."""


def format_option(
    *formats: str, help: str, has_default: bool = True
) -> Callable[[_Command], _Command]:
    """Return the option ``--format``, whose default is the first format unless it has none."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0] if has_default else None,
        show_default=has_default,
        help=help,
    )


def read_day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dt.date | None:
    """Read the day that an option names, or None."""
    if value is None:
        return None
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date. Write YYYY-MM-DD.") from None


def _read_day_or_today(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> dt.date | None:
    if value is None:
        from lexurn.model import today

        return today()
    return read_day(ctx, param, value)


def _check_rejects_name(
    _ctx: click.Context, _param: click.Parameter, path: str | None
) -> str | None:
    """Refuse a file name that is not that of rejects, before anything is read."""
    if path is not None:
        from lexurn.errors import ManifestError
        from lexurn.manifest import check_rejects_name

        try:
            check_rejects_name(Path(path))
        except ManifestError as fault:
            raise click.BadParameter(escape_text(str(fault))) from None
    return path


class _SecondsRange(click.FloatRange):
    """Number of seconds, which is never NaN."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse NaN, which is in every range."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail("nan is not a number of seconds", param, ctx)
        return seconds


_YEAR: Final = 366 * 86_400
SECONDS: Final = _SecondsRange(0, min(_YEAR, threading.TIMEOUT_MAX))  # less on some systems

_BASE_HELP: Final = "The start of HTTP URIs, for example https://law.example"
BASE = click.option("--base", help=_BASE_HELP)
REQUIRED_BASE = click.option("--base", required=True, help=_BASE_HELP)
READING = click.option(
    "--reading",
    type=click.Choice(["text", "grammar"]),
    default="text",
    show_default=True,
    callback=lambda _ctx, _param, value: Reading(value),
    help="Apply the whole text of RFC 9676, or only the grammar in its section 8.",
)
AS_OF = click.option(
    "--as-of",
    metavar="DATE",
    callback=_read_day_or_today,
    help="The day for which the versions in force are computed, YYYY-MM-DD.  [default: today]",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="The number of processes.  [default: one per processor]",
)
MAP = click.option(
    "--map",
    "mapping",
    type=click.Path(exists=True, dir_okay=False),
    help="A TOML file that maps the columns of your own table.",
)
MANIFEST = click.option(
    "--manifest",
    "manifests",
    multiple=True,
    metavar="FILE",
    help="A manifest with metadata: CSV, JSON Lines or Parquet; repeatable.",
)
REGISTRY = click.option(
    "--registry",
    "registries",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A Turtle file of your own that extends the built-in registry; repeatable.",
)
DIALECT = click.option(
    "--dialect",
    type=click.Choice(["auto", "draft", "lexml", "nir"]),
    help="The dialect of the names, if it is not RFC 9676.",
)
REJECTS = click.option(
    "--rejects",
    callback=_check_rejects_name,
    type=click.Path(dir_okay=False, writable=True),
    help="The file for rejected rows, unchanged; each run overwrites it.",
)
WAIT = click.option(
    "--wait",
    type=SECONDS,
    default=0.0,
    metavar="SECONDS",
    help="How long to wait while others use the catalogue.  [default: 0]",
)


def catalogue_option(
    about: str = "The folder of the catalogue.",
    *,
    required: bool = False,
) -> Callable[[_Command], _Command]:
    """Return the option ``--catalogue``, which the environment can give too.

    Args:
        about: its line of help.
        required: whether the command needs a catalogue.
    """
    return click.option(
        "--catalogue",
        "-c",
        "place",
        required=required,
        callback=_check_place,
        envvar="LEXURN_CATALOGUE",
        show_envvar=True,
        metavar="PLACE",
        help=about,
    )


def _check_place(_ctx: click.Context, _param: click.Parameter, place: str | None) -> str | None:
    """Refuse an empty place, which would be the current folder."""
    if place is not None and not place.strip():
        raise click.UsageError("--catalogue is empty. Name a folder or a URL.")
    return place


CATALOGUE = catalogue_option(required=True)
READABLE = "A folder, the URL of a SPARQL server, or a TOML file with its endpoints."


@contextmanager
def use_catalogue(
    place: str,
    *,
    write: bool = False,
    base: str | None = None,
    wait: float = 0.0,
    must_exist: bool = False,
) -> Iterator[Catalogue]:
    """Open a catalogue for one run.

    Args:
        place: the folder.
        write: whether it may be changed.
        base: the start of HTTP URIs, for a new one.
        wait: how many seconds to wait for others.
        must_exist: whether to refuse a folder that is not a catalogue yet.

    Raises:
        LexurnError: it cannot be opened.
    """
    from lexurn.catalogue import is_catalogue, open_catalogue

    if must_exist and not is_catalogue(Path(place)):
        open_catalogue(place, wait=wait).close()  # raises
    try:
        catalogue = open_catalogue(place, write=write, base=base, wait=wait)
    except ValueError as fault:
        raise click.UsageError(escape_text(str(fault))) from None
    with catalogue:
        yield catalogue


@contextmanager
def raise_lexurn_errors() -> Iterator[None]:
    """Turn a `ValueError`, such as for a base that is not a URL, into a `LexurnError`."""
    try:
        yield
    except LexurnError:
        raise
    except ValueError as fault:
        raise LexurnError(str(fault)) from None


def open_registries(files: Iterable[str]) -> tuple[Registry, bool]:
    """Open the registry, extended by files, and print the findings on them.

    Returns:
        The registry, and whether the files have no error. With an error, it is the built-in one.
    """
    paths = tuple(files)
    if not paths:
        from lexurn.registry import load_registry  # needs no engine

        return load_registry(), True
    from lexurn.registry import open_registry

    known, findings = open_registry(*paths)
    for finding in findings:
        echo_finding(finding)
    return known, not any(each.is_error for each in findings)


def require_registry(files: Iterable[str]) -> Registry:
    """Open the registry for a command that creates names, which needs all of it.

    Raises:
        LexurnError: a file has an error.
    """
    known, is_good = open_registries(files)
    if not is_good:
        raise LexurnError("The registry file has errors. Correct it, or leave it out.")
    return known


def read_names(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the names given as arguments; ``-`` stands for the lines of standard input."""
    for argument in arguments:
        if argument == "-":
            yield from read_lines(sys.stdin.buffer)
        else:
            yield argument


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream, without their ends, in bounded memory.

    Octets that are not UTF-8 become lone surrogates, which no name allows. Of a line over 65,536
    octets the rest is dropped; what is left is longer than any name.
    """
    while line := stream.readline(MAX_LINE_BYTES):
        rest = line
        while len(rest) == MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestSources:
    """Manifests of a run, read as one.

    Attributes:
        files: paths; ``-`` is standard input.
        mapping: a mapping file, or None.
        rejects: the files for rejected rows, one for all or one for each; None to drop the rows.
        form: the format of all files, or None to go by their names.
        registries: files that extend the registry with which names are minted.
        dialect: the dialect of names; None for RFC 9676.
    """

    files: Sequence[str] = ()
    mapping: str | None = None
    rejects: str | Sequence[str] | None = None
    form: str | None = None
    registries: Sequence[str] = ()
    dialect: str | None = None


def manifest_options(
    *options: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add options on manifests to a command, which gets their values as one `ManifestSources`.

    The argument or option ``manifests``, if the command has it, names the files.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(
            *arguments: Any,
            manifests: Sequence[str] = (),
            mapping: str | None,
            registries: Sequence[str],
            dialect: str | None,
            rejects: str | None = None,
            **values: Any,
        ) -> Any:
            sources = ManifestSources(
                files=manifests,
                mapping=mapping,
                registries=registries,
                dialect=dialect,
                rejects=rejects,
            )
            return command(*arguments, manifests=sources, **values)

        for option in reversed(options):
            call = option(call)
        return call

    return decorate


@contextmanager
def open_manifests(sources: ManifestSources, progress: Progress) -> Iterator[Manifest]:
    """Open manifests as one; print findings as they come, and the number of rejected rows.

    Raises:
        ManifestError: a table cannot be read at all.
    """
    from lexurn.manifest import open_manifest

    printer = FindingPrinter(limit=1_000)
    manifest = None
    try:
        with open_manifest(
            list(sources.files),
            mapping=sources.mapping,
            format=sources.form,
            registry=require_registry(sources.registries) if sources.registries else None,
            dialect=sources.dialect,
            rejects=sources.rejects,
            on_finding=printer,
            on_progress=progress.counter("reading"),
        ) as manifest:
            yield manifest
    finally:
        if manifest is not None and manifest.rejected:
            kept = ", ".join(escape_text(str(path)) for path in manifest.rejects)
            text = f"{manifest.rejected} of {manifest.rows} rows rejected"
            text += f": {printer.summarize()}" * bool(printer.counts)
            click.echo(text + f"; kept in {kept}" * bool(kept), err=True)


def find_family(name: Name, sources: ManifestSources, progress: Progress) -> Family | None:
    """Return the family of a name in manifests, or None.

    Raises:
        ManifestError: a table cannot be read at all.
    """
    if not sources.files:
        return None
    with open_manifests(sources, progress) as manifest:
        families = manifest.families()
        return next((each for each in families if each.record(name.document) is not None), None)
