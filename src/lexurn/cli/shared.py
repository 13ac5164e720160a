"""Output and options that commands share, and access to registries and catalogues.

Results go to standard output, findings and progress to standard error.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, BinaryIO, Final, TextIO, TypeAlias, TypeVar, cast

import click

from lexurn.errors import DateError, LexurnError
from lexurn.findings import Severity, measure_width
from lexurn.name import Reading

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from io import BufferedReader

    from lexurn.catalogue import Catalogue
    from lexurn.findings import Finding
    from lexurn.registry import Registry
    from lexurn.shacl import EngineName

# --- output ---------------------------------------------------------------------------

_WINDOW_WIDTH = 100
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}


def write_line(text: str) -> None:
    """Write a line to standard output; escape lone surrogates, which no terminal can print."""
    write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def write_json(value: object) -> None:
    """Write a value to standard output as one line of JSON."""
    write_bytes(encode_json(value))


def encode_json(value: object) -> bytes:
    """Return a value as one line of JSON in UTF-8; escape lone surrogates, which have no UTF-8."""
    try:
        return json.dumps(value, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value).encode() + b"\n"


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output, unchanged.

    Raises:
        BrokenPipeError: the reader of a pipe has stopped reading.
        LexurnError: standard output is closed, or its disk is full.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise LexurnError("Standard output is closed.")
    try:
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise LexurnError(f"Cannot write to standard output: {fault.strerror}.") from fault


class StandardOutput:
    """Standard output as a binary file, with the methods that writers of reports call."""

    def __init__(self, *, is_text: bool = False) -> None:
        """Open it; escape control characters in text for people."""
        self._is_text = is_text

    def write(self, data: bytes) -> int:
        """Write bytes, which are whole lines if they are text."""
        if self._is_text:
            lines = data.decode().split("\n")
            data = "\n".join(map(escape_text, lines)).encode("utf-8", "backslashreplace")
        write_bytes(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: each write is flushed."""


@contextmanager
def open_output(path: str | None, *, is_text: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that appears in one step, in the end; without a path standard output.

    Raises:
        LexurnError: it cannot be written.
    """
    if path is None:
        yield cast("IO[bytes]", StandardOutput(is_text=is_text))
        return
    from pathlib import Path

    from lexurn.files import open_for_writing

    try:
        with open_for_writing(Path(path)) as stream:
            yield stream
    except OSError as fault:
        reason = fault.strerror or fault
        raise LexurnError(f"{path} cannot be written: {reason}.") from None


def is_quiet() -> bool:
    """Return whether the user wants neither findings nor notes nor progress (``--quiet``)."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("lexurn.quiet"))


def echo_line(text: str) -> None:
    """Write a line to standard error, unless the user wants none."""
    if not is_quiet():
        click.echo(escape_text(text), err=True)


def echo_note(message: str) -> None:
    """Write a note to standard error, unless the user wants none."""
    if not is_quiet():
        label = click.style("note", fg="blue", bold=True)
        click.echo(f"{label}: {escape_text(message)}", err=True)


def choose_engine() -> EngineName:
    """Return the fastest SHACL engine that is installed; note it where a faster one exists."""
    from lexurn import shacl

    return shacl.choose_engine(echo_note)


def escape_text(text: str) -> str:
    r"""Escape control, format and lone surrogate characters (``\u202e``), but not line ends.

    No name can steer the terminal or hide part of the text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if character != "\n" and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        else character
        for character in text
    )


def escape_line(text: str) -> str:
    r"""Escape as `escape_text` does, and line ends too: the name of a file may have one."""
    return escape_text(text).replace("\n", "\\n")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and is a terminal."""
    return stream is not None and stream.isatty()


def echo_error(message: str) -> None:
    """Print an error on standard error."""
    click.echo(click.style("error", fg="red", bold=True) + f": {escape_text(message)}", err=True)


def echo_findings(text: str, findings: Iterable[Finding], *, location: str = "") -> None:
    """Print findings on standard error, each pointing into its text.

    Args:
        text: the text that the findings' offsets point into; empty where a whole row is meant.
        findings: the findings, in the order to print.
        location: the location of the text, for example ``acts.csv:12``, printed first when given.
    """
    for finding in findings:
        for line in format_finding(finding, text, location):
            click.echo(line, err=True)


def format_finding(finding: Finding, text: str, location: str = "", count: int = 1) -> list[str]:
    """Format a finding as lines of a terminal: the finding, then its place in a text.

    Args:
        finding: the finding.
        text: the text that its offsets point into; empty where a whole row is meant.
        location: the location of the text, printed first when given.
        count: how many findings it stands for.
    """
    lead = f"{escape_line(location)}: " if location else ""
    colour = _COLOURS[finding.severity]
    label = f"{finding.severity} {finding.code}"
    if count > 1:
        label += f" ({count:,} times)"
    label = click.style(label, fg=colour, bold=True)
    lines = [f"{lead}{label}: {escape_line(finding.message)} ({finding.rule})"]
    if text or not location:
        # Of a long text only a window is shown.
        start, end = finding.start, finding.end
        first = max(0, start - _WINDOW_WIDTH // 2) if len(text) > _WINDOW_WIDTH else 0
        last = min(len(text), max(first + _WINDOW_WIDTH, min(end, first + 2 * _WINDOW_WIDTH)))
        before = ("…" if first else "") + escape_line(text[first:start])
        marked = escape_line(text[start : min(end, last)])
        after = escape_line(text[min(end, last) : last]) + ("…" if last < len(text) else "")
        carets = " " * measure_width(before) + "^" * max(1, measure_width(marked))
        lines += [f"  {before}{marked}{after}", f"  {click.style(carets, fg=colour)}"]
    if finding.suggestion is not None:
        lines.append(f"  try: {escape_line(finding.suggestion)}")
    return lines


def echo_finding(finding: Finding) -> None:
    """Print a finding on standard error, with its own location and text."""
    column = finding.column
    location = finding.location if column is None else f"{finding.location}, column {column}"
    echo_findings(finding.text, [finding], location=location)


class FindingPrinter:
    """Findings of many rows or documents: all are counted, the first are printed.

    Attributes:
        counts: how many findings there were of each severity.
    """

    def __init__(self, *, limit_of_code: int | None = None) -> None:
        """Begin with no finding.

        Args:
            limit_of_code: how many warnings or notes of one code to print at most.
        """
        self.counts: Counter[str] = Counter()
        self._limit_of_code = limit_of_code
        self._hidden: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()

    def __call__(self, finding: Finding) -> None:
        """Count a finding, and print it unless enough were printed."""
        severity, code = str(finding.severity), finding.code
        self.counts[severity] += 1
        self._codes[code] += 1
        limit = self._limit_of_code
        if severity != "error" and limit is not None and self._codes[code] > limit:
            self._hidden[code] += 1
        else:
            echo_finding(finding)

    def echo_hidden(self) -> None:
        """Print for each code how many findings were not printed."""
        for code, count in self._hidden.items():
            click.echo(f"{code}: {count:,} more of the same", err=True)


Progress: TypeAlias = "Callable[..., None]"
"""Function that shows an action, how far it is, and perhaps where it ends."""


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Show progress in one line on standard error, if that is a terminal, while the block runs."""
    if is_quiet() or not is_terminal(sys.stderr):
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def show(action: str, done: int, total: int | None = None) -> None:
            bar.update(task, description=action, completed=done, total=total)

        yield show


# --- options --------------------------------------------------------------------------

_Command = TypeVar("_Command", bound="Callable[..., object]")

DIALECTS: Final = ("rfc9676", "lexml", "nir", "draft")
"""Dialects of names, as `lexurn.dialect.Dialect` has them, whose package takes time to load."""

LANGUAGES: Final = ("de", "en", "es", "fr", "it", "pt")
"""Languages of pages, as `lexurn.pages.LANGUAGES` has them."""

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
    from lexurn import model

    try:
        return model.read_day(value)
    except DateError as fault:
        raise click.BadParameter(str(fault)) from None


def _write_today() -> str:
    from lexurn.model import today

    return today().isoformat()


def _check_rejects_name(
    _ctx: click.Context, _param: click.Parameter, path: str | None
) -> str | None:
    """Refuse a file name that is not that of rejects, before anything is read."""
    if path is not None:
        from pathlib import Path

        from lexurn.errors import ManifestError
        from lexurn.manifest import check_rejects_name

        try:
            check_rejects_name(Path(path))
        except ManifestError as fault:
            raise click.BadParameter(escape_text(str(fault))) from None
    return path


SECONDS: Final = click.IntRange(0, 30 * 86_400)


def _check_base(_ctx: click.Context, _param: click.Parameter, base: str | None) -> str | None:
    """Refuse a base that is not a URL, before anything is read."""
    if base is not None:
        from lexurn.name import normalize_base

        try:
            normalize_base(base)
        except ValueError as fault:
            raise click.BadParameter(f"{escape_text(str(fault))}.") from None
    return base


_BASE_HELP: Final = "The start of HTTP URIs, for example https://law.example"
BASE = click.option("--base", callback=_check_base, help=_BASE_HELP)
REQUIRED_BASE = click.option("--base", required=True, callback=_check_base, help=_BASE_HELP)
READING = click.option(
    "--reading",
    type=click.Choice(["text", "grammar"]),
    default="text",
    show_default=True,
    callback=lambda _ctx, _param, value: Reading(value),
    help="Apply the whole text of RFC 9676, or only the grammar in its section 8.",
)
INLINE_CONTEXT = click.option(
    "--inline-context",
    is_flag=True,
    help="Write the context into each JSON-LD document, for programs that read offline.",
)


def language_option(text: str) -> Callable[[_Command], _Command]:
    """Return the option for the language of pages."""
    return click.option(
        "--lang", "language", type=click.Choice(LANGUAGES), metavar="LANG", help=text
    )


AS_OF = click.option(
    "--as-of",
    metavar="DATE",
    default=_write_today,
    callback=read_day,
    help="The date for which the versions in force are computed, YYYY-MM-DD.  [default: today]",
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
    help="A manifest with metadata: a table in any format; repeatable.",
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
DONE_WITH_REJECTS: Final = 3
"""Exit code of a run that published or named rows, and rejected others; 1 if it did nothing."""
REJECTS = click.option(
    "--rejects",
    callback=_check_rejects_name,
    type=click.Path(dir_okay=False, writable=True),
    help="The file for rejected rows, unchanged; each run overwrites it.",
)
QUIET = click.option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda context, _param, value: context.meta.update({"lexurn.quiet": value}),
    help="Print no findings, notes or progress; only errors that end the run.",
)
WAIT = click.option(
    "--wait",
    type=SECONDS,
    default=0,
    metavar="SECONDS",
    help="How long to wait while others use the catalogue.  [default: 0]",
)


_HELP_WITH_URLS: Final = "A folder, the URL of a SPARQL server, or a TOML file with its endpoints."


def catalogue_option(
    about: str | None = None,
    *,
    is_url_allowed: bool = False,
    required: bool = False,
) -> Callable[[_Command], _Command]:
    """Return the option ``--catalogue``, which the environment can give too.

    Args:
        about: its line of help, if it is not the usual one.
        is_url_allowed: whether the catalogue may be on a server.
        required: whether the command needs a catalogue.
    """
    if about is None:
        about = _HELP_WITH_URLS if is_url_allowed else "The folder of the catalogue."
    return click.option(
        "--catalogue",
        "-c",
        "location",
        required=required,
        callback=_check_location,
        envvar="LEXURN_CATALOGUE",
        show_envvar=True,
        metavar="PLACE",
        help=about,
    )


def _check_location(
    _ctx: click.Context, _param: click.Parameter, location: str | None
) -> str | None:
    """Refuse an empty location, which would be the current folder."""
    if location is not None and not location.strip():
        raise click.UsageError("--catalogue is empty. Name the place of a catalogue.")
    return location


CATALOGUE = catalogue_option(required=True)


@contextmanager
def use_catalogue(
    location: str,
    *,
    write: bool = False,
    base: str | None = None,
    wait: float = 0.0,
    must_exist: bool = False,
    dry_run: bool = False,
) -> Iterator[Catalogue]:
    """Open a catalogue for one run.

    Args:
        location: the folder.
        write: whether it may be changed.
        base: the start of HTTP URIs, for a new one.
        wait: how many seconds to wait for others.
        must_exist: whether to refuse a folder that is not a catalogue yet.
        dry_run: whether to read only; a catalogue that is new is made in a temporary folder.

    Raises:
        LexurnError: it cannot be opened.
    """
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from lexurn.catalogue import is_catalogue, open_catalogue

    if must_exist and not is_catalogue(Path(location)):
        open_catalogue(location, wait=wait).close()  # raises
    with ExitStack() as stack:
        if dry_run:
            folder = Path(location)
            write = not (any(folder.iterdir()) if folder.is_dir() else folder.exists())
            location = stack.enter_context(TemporaryDirectory()) if write else location
        try:
            catalogue = open_catalogue(location, write=write, base=base, wait=wait)
        except ValueError as fault:
            raise click.UsageError(escape_text(str(fault))) from None
        yield stack.enter_context(catalogue)


def open_registries(files: Sequence[str]) -> tuple[Registry, bool]:
    """Open the registry, extended by files, and print the findings on them.

    Returns:
        The registry, and whether the files have no error. With an error, it is the built-in one.
    """
    from lexurn import registry

    if not files:
        return registry.load_registry(), True  # needs no engine
    known, findings = registry.open_registry(*files)
    for finding in findings:
        echo_finding(finding)
    return known, not any(each.is_error for each in findings)


def require_registry(files: Sequence[str]) -> Registry:
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
    return chain.from_iterable(read_name_lots(arguments))


def read_name_lots(arguments: Iterable[str]) -> Iterator[Sequence[str]]:
    """Yield the names given as arguments, and for ``-`` the lines that standard input has now."""
    for argument in arguments:
        if argument == "-":
            yield from _read_line_lots(sys.stdin.buffer)
        else:
            yield (argument,)


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream, without their ends, in bounded memory.

    Octets that are not UTF-8 become lone surrogates, which no name allows. Of a line over 65,536
    octets the rest is dropped; what is left is longer than any name.
    """
    return chain.from_iterable(_read_line_lots(stream))


def _read_line_lots(stream: BinaryIO) -> Iterator[Sequence[str]]:
    buffered, rest = cast("BufferedReader", stream), b""
    while piece := buffered.read1(MAX_LINE_BYTES):  # waits only if nothing is there
        *lines, rest = (rest[:MAX_LINE_BYTES] + piece).split(b"\n")
        yield [_read_line(line) for line in lines]
    if rest:
        yield [_read_line(rest)]


def _read_line(line: bytes) -> str:
    return line[:MAX_LINE_BYTES].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
