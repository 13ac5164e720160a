"""Commands on documents: embed and extract."""

from __future__ import annotations

import os
import sys
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from lexurn import catalogue, documents
from lexurn.cli import shared, tables
from lexurn.cli.commands import INTERRUPTED, interruptible
from lexurn.cli.names import read_name
from lexurn.cli.shared import FindingPrinter, StandardOutput, is_terminal, write_line
from lexurn.errors import LexurnError
from lexurn.files import is_same_file

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from lexurn.findings import Finding
    from lexurn.name import Name, Reading

_LIMIT_OF_CODE = 20
_MAX_DIFF_LINE = 1_000
_FOLDER = click.Path(exists=True, file_okay=False)
_PLANNED_ACTIONS = {
    "embedded": "would embed",
    "removed": "would remove",
    "sidecar": "would write or delete sidecars",
}


@click.command("embed")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--urn", metavar="NAME", help="The name of each FILE.")
@tables.manifest_options(shared.MANIFEST, shared.MAP, shared.REGISTRY, shared.DIALECT)
@shared.BASE
@shared.READING
@click.option(
    "--folder", type=_FOLDER, help="The folder of files to which a manifest assigns names."
)
@click.option(
    "--site",
    metavar="URL",
    help="The URL of that folder on the web; the url of a copy then names its file.",
)
@click.option("--in-place", is_flag=True, help="Overwrite each file.")
@click.option(
    "-o", "--output", type=click.Path(), help="Write the result to a file or an existing folder."
)
@click.option("--diff", is_flag=True, help="Show the changes, and write nothing.")
@click.option("--remove", is_flag=True, help="Remove the names that lexurn embedded.")
@click.option(
    "--sidecar", is_flag=True, help="Write a sidecar for each file that cannot contain a name."
)
@click.option(
    "--force", is_flag=True, help="Change signed documents too, which breaks their signatures."
)
@click.option("--keep-times", is_flag=True, help="Keep the modification times of files.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    help="Write one line of JSON per file; - for standard output.",
)
@shared.JOBS
def embed_command(
    urn: str | None,
    reading: Reading,
    jobs: int | None,
    report: str | None,
    manifests: tables.ManifestSources,
    **options: Any,
) -> bool:
    """Embed a name in each FILE, or the names of a manifest in the files of a folder.

    HTML, XHTML, Akoma Ntoso, LexML and NIR XML, PDF, DOCX, ODT and EPUB can contain a name. The
    command changes only lexurn's own block. Without --in-place or -o, it only shows the changes.

    \b
    lexurn embed act.html --urn "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it" --in-place
    lexurn embed --manifest acts.csv --folder site --site https://law.example --in-place
    lexurn embed --remove act.html --in-place
    """
    arguments = EmbedArguments(urn=urn, manifests=manifests, report=report, **options)
    arguments.check_request()
    if arguments.folder is None and urn is None and not arguments.remove:
        arguments = replace(arguments, folder=".")  # a manifest names the files there
    arguments.check_targets()
    name = None
    if urn is not None:
        name = read_name(urn, reading=reading, dialect=manifests.dialect)
        if name is None:
            return False
    with (
        shared.show_progress() as progress,
        interruptible() as is_ended,
        nullcontext()
        if report is None
        else shared.open_output(None if report == "-" else report) as target,
    ):
        printer = OutcomePrinter(arguments, target)
        outcomes = _process(arguments, name, printer, jobs, progress, is_ended)
        with closing(outcomes):
            printer.print_all(outcomes)
        printer.is_interrupted = printer.is_interrupted or is_ended()
    printer.finish()
    if printer.is_interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    return printer.is_good


def _process(
    arguments: EmbedArguments,
    name: Name | None,
    printer: OutcomePrinter,
    jobs: int | None,
    progress: shared.Progress,
    is_ended: Callable[[], bool],
) -> Generator[documents.Outcome]:
    """Embed or remove names; single files take the same name, those of a folder the manifest's."""
    options: dict[str, Any] = {
        "options": arguments.make_options(),
        "workers": jobs,
        "on_progress": progress,
        "is_ended": is_ended,
    }
    if arguments.folder is None:
        family = None
        if name is not None and arguments.manifests.files:
            family = tables.find_family(name, arguments.manifests, progress)
            if family is None:
                raise LexurnError(f"{name} is not in the manifest. Nothing was done.")
        request = documents.EmbedRequest(name=name, records=family or (), base=arguments.base)
        for file, target in arguments.choose_targets():
            if is_ended():
                return
            yield documents.process_file(Path(file), request, arguments.make_options(target))
    elif arguments.remove:
        yield from documents.remove_folder(arguments.folder, **options)
    else:
        with tables.open_manifests(arguments.manifests, progress) as manifest:
            yield from documents.embed_folder(
                manifest.families(),
                arguments.folder,
                site=arguments.site,
                base=arguments.base,
                only=arguments.files or None,
                **options,
            )
            if manifest.rejected:
                printer.is_good = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedArguments:
    """Arguments of ``lexurn embed``, named as its options."""

    files: tuple[str, ...]
    urn: str | None
    manifests: tables.ManifestSources
    base: str | None
    folder: str | None
    site: str | None
    output: str | None
    in_place: bool
    remove: bool
    sidecar: bool
    force: bool
    keep_times: bool
    diff: bool
    report: str | None

    @property
    def writes(self) -> bool:
        """True if anything is to be written."""
        return self.in_place or self.output is not None

    @property
    def shows_diff(self) -> bool:
        """True if changes are shown: on request, and for single files that are not written."""
        return self.diff or (not self.writes and self.folder is None)

    def make_options(self, target: Path | None = None) -> documents.EmbedOptions:
        """Return the options for files."""
        return documents.EmbedOptions(
            writes=self.writes,
            target=target,
            is_forced=self.force,
            takes_sidecars=self.sidecar,
            keeps_times=self.keep_times,
            shows_diff=self.shows_diff,
        )

    def check_request(self) -> None:
        """Check for one name, a manifest of names, or removal.

        Raises:
            click.UsageError: arguments are missing, or contradict each other.
        """
        if self.remove:
            if self.urn is not None or self.manifests.files:
                raise click.UsageError("--remove removes names. Leave out --urn and --manifest.")
            if self.files and self.folder is not None:
                raise click.UsageError("--remove takes FILEs or --folder, not both.")
        elif self.urn is None and not self.manifests.files:
            raise click.UsageError("Missing name: give --urn, or --manifest with --folder.")
        if self.urn is not None and self.folder is not None:
            raise click.UsageError("Each file of a folder has its own name. Give --manifest.")
        if not self.files and self.folder is None:
            raise click.UsageError("Missing FILE: name some, or a folder with --folder.")
        if self.site is not None and (self.urn is not None or self.remove):
            raise click.UsageError("--site is only for the names of a manifest.")

    def check_targets(self) -> None:
        """Check that results have one target at most, and overwrite no input.

        Raises:
            click.UsageError: they do.
        """
        if self.diff and self.writes:
            raise click.UsageError("--diff writes nothing. Leave out --in-place and -o.")
        if self.in_place and self.output is not None:
            raise click.UsageError("Give --in-place or -o, not both.")
        inputs = (*self.manifests.files, *filter(None, (self.manifests.mapping,)))
        if self.report is not None and self.report != "-":
            if Path(self.report).suffix.lower() != ".jsonl":
                raise click.UsageError("The file of --report must end in .jsonl.")
            if self.folder is not None and Path(self.report).resolve().is_relative_to(
                Path(self.folder).resolve()
            ):
                raise click.UsageError("--report is in the folder. Choose a file outside of it.")
            _refuse_same_file(self.report, "--report", (*self.files, *inputs))
        if self.output is not None:
            self._check_output(self.output, inputs)
            _refuse_same_file(self.output, "-o", filter(None, (self.report,)), "the report")
        if self.site is not None:
            try:
                documents.parse_site(self.site)
            except ValueError as fault:
                raise click.UsageError(str(fault)) from None

    def _check_output(self, output: str, tables: Sequence[str]) -> None:
        if self.folder is not None or not self.files:
            raise click.UsageError(
                "-o is for FILEs with --urn or --remove. With a manifest, use --in-place."
            )
        if output == "-":
            raise click.UsageError("-o needs a file or folder. Standard output takes no documents.")
        path = Path(output)
        is_folder = os.path.isdir(path)  # noqa: PTH112 - for names too long, too
        if len(self.files) > 1 and not is_folder:
            raise click.UsageError(f"{output} is not a folder, but there are several files.")
        _refuse_same_file(output, "-o", tables)
        catalogue.refuse_inside_catalogue(path / "document" if is_folder else path)

    def choose_targets(self) -> list[tuple[str, Path | None]]:
        """Return each file and the path of its result; None for its own path.

        Raises:
            click.UsageError: a result would overwrite another input or result.
        """
        try:
            targets = [(file, documents.resolve_target(file, self.output)) for file in self.files]
        except documents.DocumentError as fault:
            raise click.UsageError(str(fault)) from None
        taken = {os.path.realpath(file): file for file in self.files}
        for file, target in targets:
            other = file if target is None else taken.setdefault(os.path.realpath(target), file)
            if other != file:
                raise click.UsageError(f"The result of {file} would overwrite that of {other}.")
        return targets


def _refuse_same_file(
    path: str, option: str, others: Iterable[str], role: str = "an input file"
) -> None:
    for each in others:
        if is_same_file(path, each):
            raise click.UsageError(f"{option} {path} is also {role}. Choose another file.")


class OutcomePrinter:
    """Outcomes of ``lexurn embed`` as they come: printed, reported and counted.

    Attributes:
        is_good: whether there was no error so far.
        is_interrupted: whether the run ended before all was done.
    """

    def __init__(self, arguments: EmbedArguments, report: IO[bytes] | None) -> None:
        """Begin with no outcome.

        Args:
            arguments: the arguments of the command.
            report: the target of one line of JSON a file, or None.
        """
        self.is_good = True
        self.is_interrupted = False
        self._arguments, self._report = arguments, report
        self._is_cut_off = False
        self._counts: dict[str, int] = {}
        self._findings = FindingPrinter(limit_of_code=_LIMIT_OF_CODE)

    def print_all(self, outcomes: Iterable[documents.Outcome]) -> None:
        """Print outcomes; after an early end, the files done so far are still counted.

        Raises:
            LexurnError: nothing was done.
        """
        try:
            for outcome in outcomes:
                self._print(outcome)
        except KeyboardInterrupt:
            self.is_interrupted = self._is_cut_off = True
        except BrokenPipeError:
            raise  # the reader has stopped reading, which is not an error
        except (LexurnError, OSError) as fault:
            if isinstance(fault, LexurnError) and not self._counts:
                raise
            self.is_good = False
            shared.echo_error(str(fault))

    def _print(self, outcome: documents.Outcome) -> None:
        self.is_good = self.is_good and outcome.is_good
        self._counts[outcome.status] = self._counts.get(outcome.status, 0) + 1
        for finding in outcome.findings:
            self._findings(finding)
        if self._report is not None:
            self._report.write(documents.outcome_to_json(outcome).encode() + b"\n")
        if isinstance(self._report, StandardOutput):
            return
        if outcome.diff:
            _show_diff(outcome.diff)
        is_unchanged = outcome.status in {"unchanged", "unnamed", "refused", "absent"}
        if self._arguments.shows_diff or (is_unchanged and self._arguments.folder is not None):
            return
        if outcome.status != "refused":
            name = "" if outcome.name is None else f" {outcome.name}"
            write_line(
                f"{self._name_action(outcome.status)} {shared.escape_line(outcome.file)}{name}"
            )

    def _name_action(self, done: str) -> str:
        return done if self._arguments.writes else _PLANNED_ACTIONS.get(done, done)

    def finish(self) -> None:
        """Print counts of findings and files, and whether nothing was written."""
        self._findings.echo_hidden()
        is_folder = self._arguments.folder is not None
        if is_folder and not isinstance(self._report, StandardOutput):
            total = sum(self._counts.values())
            counts = (f"{n:,} {self._name_action(done)}" for done, n in self._counts.items())
            text = f"{total:,} file{'s' if total != 1 else ''}: {', '.join(counts)}"
            write_line(text if total else "no files")
        if self.is_interrupted:
            text = "Interrupted. Run it again for the remaining files."
            if self._is_cut_off:
                text += " Files in progress may be written, and are not counted."
            click.echo(text, err=True)
        if not self._arguments.writes:
            how = "--in-place" if is_folder else "--in-place or -o FILE"
            click.echo(f"Nothing was written. Use {how} to write.", err=True)


def _show_diff(diff: bytes) -> None:
    """Write a diff: readable on a terminal, else unchanged, so that it can be applied."""
    if not is_terminal(sys.stdout):
        shared.write_bytes(diff)
        return
    half = _MAX_DIFF_LINE // 2
    for line in diff.splitlines():
        # UTF-16 stays readable in most scripts without its zero bytes.
        text = line.replace(b"\0", b"").decode("utf-8", "backslashreplace")
        if len(text) > _MAX_DIFF_LINE:
            text = f"{text[:half]} … {text[-half:]}"
        write_line("\t".join(map(shared.escape_text, text.split("\t"))))


@click.command("extract")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--folder", type=_FOLDER, help="A folder of documents; paths are relative to it.")
@shared.format_option(
    *("jsonl", "csv", "turtle", "jsonld", "nquads"),
    help="One JSON object per document, a manifest, or RDF.",
)
@click.option(
    "--ours/--all",
    "is_embedded_only",
    default=False,
    help="Only metadata written by lexurn, or all metadata.  [default: all]",
)
@shared.AS_OF
@shared.JOBS
def extract_command(
    files: tuple[str, ...],
    folder: str | None,
    form: str,
    as_of: dt.date,
    jobs: int | None,
    *,
    is_embedded_only: bool,
) -> bool:
    """Extract the metadata of each FILE: its name in any dialect, versions, titles, dates.

    Formats: HTML and XHTML (Dublin Core, links, RDFa, microdata, JSON-LD), Akoma Ntoso, LexML and
    NIR XML, PDF, DOCX, ODT and EPUB. Findings go to standard error. A manifest or RDF contains only
    the documents that have a name, one row for each name.

    Exit codes: 0 if there is no error; 1 if a file cannot be read or has an error (such as a block
    of lexurn that contradicts the document); 2 for wrong usage; 130 after Ctrl-C. In every case,
    the command writes all metadata that it could read.

    \b
    lexurn extract act.html act.pdf
    lexurn extract --folder site --format csv > acts.csv
    """
    if not files and folder is None:
        raise click.UsageError("Missing FILE: name some, or a folder with --folder.")
    printer = FindingPrinter(limit_of_code=_LIMIT_OF_CODE)
    row_printer = FindingPrinter()
    found = _extract(files, folder, printer, is_embedded_only=is_embedded_only, workers=jobs)
    with closing(found):
        for data in _encode_extractions(found, form, as_of, printer, row_printer):
            shared.write_bytes(data)
    printer.echo_hidden()
    return not printer.counts["error"] and not row_printer.counts["error"]


def _extract(
    files: tuple[str, ...], folder: str | None, printer: FindingPrinter, **options: Any
) -> Generator[documents.Extraction]:
    """Extract metadata; print findings and progress as documents pass."""
    found = [documents.extract_files(files, **options)]
    if folder is not None:
        found.append(documents.extract_folder(folder, **options))
    with shared.show_progress() as progress:
        for done, each in enumerate(chain(*found), 1):
            for finding in each.findings:
                printer(finding)
            progress("reading", done)
            yield each


def _encode_extractions(
    found: Iterable[documents.Extraction],
    form: str,
    as_of: dt.date,
    printer: FindingPrinter,
    row_printer: FindingPrinter,
) -> Iterator[bytes]:
    """Yield the output in pieces."""
    if form == "jsonl":
        yield from (shared.encode_json(documents.extraction_to_json(each)) for each in found)
        return
    rows = documents.merge_rows(
        chain.from_iterable(map(documents.extraction_to_rows, found)), printer
    )
    if form == "csv":
        yield from documents.rows_to_csv(rows)
        return

    def print_finding(finding: Finding) -> None:
        row_printer(replace(finding, column=None))  # the row is in no table

    yield from documents.rows_to_rdf(rows, form, as_of=as_of, on_finding=print_finding)
