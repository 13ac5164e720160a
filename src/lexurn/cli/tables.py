"""Access to tables: options on manifests, and one summary of the findings on their rows.

The summary has each kind of finding once, with its count, its first row and the remedy. Only that
is kept in memory; all findings go to the file of ``--findings``, one after the other.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote

import click

from lexurn.cli.shared import (
    QUIET,
    echo_line,
    encode_json,
    escape_line,
    escape_text,
    format_finding,
    is_quiet,
    open_output,
    require_registry,
)
from lexurn.errors import LexurnError
from lexurn.findings import SarifLog, Severity, load_codes

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.cli.shared import Progress
    from lexurn.findings import Finding
    from lexurn.manifest import Manifest, TableMapping
    from lexurn.model import Family
    from lexurn.name import Name

# --- the summary ----------------------------------------------------------------------

_MOST_KINDS: Final = 8
_MOST_LINES: Final = 16
_SEVERITIES: Final = (*Severity,)
_UNREGISTERED: Final = "LX724"
_MOST_VALUES: Final = 1_000  # kept in memory
_MOST_SHOWN: Final = 20


class FindingSummary:
    """Findings of tables: all are counted, and the first of each kind are kept.

    A kind is a code in one column. With one example of each, a summary has at most 19 lines, and
    one for each column with words that are not registered. More examples only add lines.

    Attributes:
        counts: how many findings there were of each severity.
    """

    def __init__(self, examples: int = 1, target: FindingsFile | None = None) -> None:
        """Begin with no finding.

        Args:
            examples: how many findings of each kind to print.
            target: the file for all findings.
        """
        self.counts: Counter[Severity] = Counter()
        self._examples, self._target = examples, target
        self._kinds: dict[tuple[int, str, str], _Kind] = {}

    def __call__(self, finding: Finding) -> None:
        """Count a finding, and write it to the file."""
        self.counts[finding.severity] += 1
        if self._target is not None:
            self._target.write(finding)
        place = finding.column or finding.component
        key = (_SEVERITIES.index(finding.severity), finding.code, place)
        kind = self._kinds.setdefault(key, _Kind([]))
        kind.count += 1
        if len(kind.examples) < max(self._examples, 1):
            kind.examples.append(finding)
        if finding.code == _UNREGISTERED:
            value = finding.text[finding.start : finding.end]
            if value in kind.values or len(kind.values) < _MOST_VALUES:
                count, location = kind.values.get(value, (0, finding.location))
                kind.values[value] = count + 1, location

    def echo(self) -> None:
        """Print the summary on standard error: errors first, the most frequent first."""
        if is_quiet() or not self._kinds:
            return
        kinds = [(key[:2], kind) for key, kind in self._kinds.items()]
        kinds.sort(key=lambda each: (each[0][0], -each[1].count))
        most = len(kinds) if self._examples else 0
        if most > _MOST_KINDS + 1:  # one more takes no more room than its code
            most = _MOST_KINDS
        room = _MOST_LINES - most
        for _, kind in kinds[:most]:
            for at, example in enumerate(kind.examples):
                count = 1 if at else kind.count
                column = example.column
                cell = example.component if column is None else f"column {column}"
                place = ", ".join(filter(None, (example.location, cell)))
                lines = format_finding(example, example.text, place, count)
                if not at and len(lines) - 1 > room:
                    del lines[1:]
                room -= 0 if at else len(lines) - 1
                values = "" if at else kind.list_values(kind.examples)
                lines += [f"  also {values}"] if values else []
                click.echo("\n".join(lines), err=True)
        more: Counter[str] = Counter()
        places: dict[str, str] = {}
        for (rank, code), kind in kinds[most:]:
            name = f"{_SEVERITIES[rank]} {code}"
            more[name] += kind.count
            location = escape_text(kind.examples[0].location)
            places.setdefault(name, f" from {location}" if location else "")
        if more:
            listed = [f"{name} ({count:,}{places[name]})" for name, count in more.items()]
            if len(listed) > _MOST_KINDS:
                listed[_MOST_KINDS:] = [f"{len(listed) - _MOST_KINDS} more codes"]
            hidden = [each for each in kinds[most:] if most and each[1].values]
            lines = [f"  {code}: {kind.list_values()}" for (_, code), kind in hidden]
            also = f"{'also ' if most > 0 else ''}{', '.join(listed)}"
            click.echo("\n".join([also, *lines]), err=True)
        if self._target is None and self.counts.total() > sum(
            len(kind.examples) for _, kind in kinds[:most]
        ):
            click.echo("--findings FILE writes all findings (.jsonl, .csv or .sarif).", err=True)

    def summarize(self) -> str:
        """Return how many findings there were of each severity."""
        counts = ((self.counts[each], each) for each in Severity)
        return ", ".join(f"{n:,} {each}{'s' if n > 1 else ''}" for n, each in counts if n)


@dataclass(slots=True)
class _Kind:
    """Kind of finding: the first ones, and how many there were.

    Of words that are not registered each is kept, with its count and its first location: one of
    them may be a slip.
    """

    examples: list[Finding]
    count: int = 0
    values: dict[str, tuple[int, str]] = field(default_factory=dict)

    def list_values(self, examples: Sequence[Finding] = ()) -> str:
        """Return a line with the values that no example shows, the rarest first."""
        shown = {each.text[each.start : each.end] for each in examples}
        others = [each for each in self.values.items() if each[0] not in shown]
        others.sort(key=lambda each: each[1])
        listed = [
            f"{escape_line(value)} ({count:,} from {escape_text(location)})"
            for value, (count, location) in others[:_MOST_SHOWN]
        ]
        more = ["more"] if len(others) > _MOST_SHOWN else []
        return ", ".join(listed + more)


# --- the file of all findings ---------------------------------------------------------

_FORMATS: Final = (".csv", ".jsonl", ".sarif")
_CSV_FIELDS: Final = (
    *("file", "line", "sheet", "column", "code", "severity", "message", "rule", "suggestion"),
    *("text", "start", "end"),
)


class FindingsFile:
    """File of all findings: JSON Lines, CSV or SARIF 2.1.0, by the end of its name."""

    def __init__(self, stream: IO[bytes], suffix: str) -> None:
        """Start the file.

        Args:
            stream: an open file.
            suffix: the end of its name: ``.csv``, ``.jsonl`` or ``.sarif``.
        """
        self._stream, self._suffix = stream, suffix
        self._log = SarifLog()
        if suffix == ".csv":
            self._write_row(_CSV_FIELDS)
        elif suffix == ".sarif":
            self._write_text(self._log.begin())

    def write(self, finding: Finding) -> None:
        """Write a finding."""
        if self._suffix == ".sarif":
            hint = "" if finding.suggestion is None else f"; try: {finding.suggestion}"
            level, message = str(finding.severity), f"{finding.message}{hint}"
            located: dict[str, object] = {}
            if finding.file:
                place: dict[str, object] = {"artifactLocation": {"uri": quote(finding.file)}}
                if finding.line:
                    place["region"] = {"startLine": finding.line}
                location: dict[str, object] = {"physicalLocation": place}
                # A sheet and a column are logical locations.
                named = {"module": finding.sheet, "member": finding.column}
                logical = [{"name": name, "kind": kind} for kind, name in named.items() if name]
                if logical:
                    location["logicalLocations"] = logical
                located["locations"] = [location]
            self._write_text(self._log.add(finding.code, level, message, **located))
            return
        values = {field: getattr(finding, field) for field in _CSV_FIELDS}
        values["line"] = finding.line or None
        values["column"] = finding.column or finding.component or None
        if self._suffix == ".csv":
            self._write_row(values.values())
        else:
            self._stream.write(encode_json(values))

    def finish(self) -> None:
        """Write the end of the file."""
        if self._suffix == ".sarif":
            self._write_text(self._log.finish(_describe_code))

    def _write_row(self, values: Iterable[object]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(values)
        self._write_text(text.getvalue())

    def _write_text(self, text: str) -> None:
        self._stream.write(text.encode("utf-8", "backslashreplace"))


def _describe_code(code: str) -> dict[str, object]:
    entry = load_codes()[code]
    return {"shortDescription": {"text": entry.message}, "properties": {"rule": entry.rule}}


@contextmanager
def open_summary(path: str | None = None, examples: int = 1) -> Iterator[FindingSummary]:
    """Open a summary, and the file for all findings; print and close them in the end.

    The file appears in one step, also where the run ends with an error of `lexurn`.

    Args:
        path: the file, or None.
        examples: see `FindingSummary`.

    Raises:
        LexurnError: the file cannot be written.
    """
    if path is None:
        summary = FindingSummary(examples)
        try:
            yield summary
        finally:
            summary.echo()
        return
    fault: Exception | None = None
    with open_output(path) as stream:
        target = FindingsFile(stream, Path(path).suffix.lower())
        summary = FindingSummary(examples, target)
        try:
            yield summary
        except (LexurnError, OSError) as error:
            fault = error
        finally:
            summary.echo()
        target.finish()
    if fault is not None:
        raise fault


# --- manifests ------------------------------------------------------------------------


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
        as_of: the day after which days of acts lie in the future; None for today.
        findings_file: the file for all findings, or None.
        max_findings: how many findings of each kind to print.
    """

    files: Sequence[str] = ()
    mapping: str | None = None
    rejects: str | Sequence[str] | None = None
    form: str | None = None
    registries: Sequence[str] = ()
    dialect: str | None = None
    as_of: dt.date | None = None
    findings_file: str | None = None
    max_findings: int = 1


def _check_findings_file(
    _ctx: click.Context, _param: click.Parameter, path: str | None
) -> str | None:
    """Refuse a file for findings of another format, before anything is read."""
    if path is not None and Path(path).suffix.lower() not in _FORMATS:
        raise click.BadParameter(f"{escape_text(path)} must end in {', '.join(_FORMATS)}.")
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {escape_text(str(Path(path).parent))}.")
    return path


SUMMARY: Final = (
    click.option(
        "--findings",
        "findings_file",
        type=click.Path(dir_okay=False),
        callback=_check_findings_file,
        metavar="FILE",
        help="Write all findings to a FILE that ends in .jsonl, .csv or .sarif.",
    ),
    click.option(
        "--max-findings",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        metavar="N",
        help="How many findings of each kind to print.",
    ),
    QUIET,
)
"""Options for the summary of findings."""

_SUMMARY_FIELDS: Final = ("findings_file", "max_findings")


def manifest_options(
    *options: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add options on manifests to a command, which gets their values as one `ManifestSources`.

    The argument or option ``manifests``, if the command has it, names the files.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(*, manifests: Sequence[str] = (), **values: Any) -> Any:
            names = {"mapping", "registries", "dialect", "rejects", *_SUMMARY_FIELDS}
            given = {name: values.pop(name) for name in names & values.keys()}
            sources = ManifestSources(files=manifests, as_of=values.get("as_of"), **given)
            return command(manifests=sources, **values)

        for option in reversed((*options, *SUMMARY)):
            call = option(call)
        return call

    return decorate


@contextmanager
def open_manifests(
    sources: ManifestSources, progress: Progress, minting: TableMapping | None = None
) -> Iterator[Manifest]:
    """Open manifests as one; print a summary of findings in the end, and count rejected rows.

    Args:
        sources: the manifests.
        progress: shows how many rows are read.
        minting: the mapping of tables whose rows will be minted, in place of a mapping file.

    Raises:
        ManifestError: a table cannot be read at all.
    """
    from lexurn.manifest import name_reasons_file, open_manifest

    summary, manifest = None, None
    try:
        with (
            open_summary(sources.findings_file, sources.max_findings) as summary,
            open_manifest(
                list(sources.files),
                mapping=sources.mapping if minting is None else minting,
                format=sources.form,
                registry=require_registry(sources.registries) if sources.registries else None,
                dialect=sources.dialect,
                rejects=sources.rejects,
                keeps_fields=minting is not None,
                as_of=sources.as_of,
                on_finding=summary,
                on_progress=partial(progress, "reading"),
            ) as manifest,
        ):
            yield manifest
    finally:
        if manifest is not None and manifest.rejected and summary is not None:
            text = format_rejected(manifest)
            if summary.counts:
                text += f": {summary.summarize()}"
            if manifest.rejects:
                text += f"; kept in {', '.join(map(str, manifest.rejects))}"
                reasons = [str(name_reasons_file(path)) for path in manifest.rejects]
                text += f" (reasons in {', '.join(reasons)})"
            echo_line(text)


def format_rejected(manifest: Manifest) -> str:
    """Return how many rows of a manifest were rejected: ``54 of 1,130 rows rejected``."""
    return f"{manifest.rejected:,} of {manifest.rows:,} rows rejected"


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
