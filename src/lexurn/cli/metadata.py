"""Commands from records to linked data: describe, head and validate."""

from __future__ import annotations

import io
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexurn import graph, pages
from lexurn.cli import shared, tables
from lexurn.cli.names import read_name
from lexurn.cli.shared import show_progress, write_bytes, write_line
from lexurn.errors import GraphError, LexurnError
from lexurn.findings import Severity
from lexurn.manifest.formats import TABLE_FORMATS
from lexurn.model import Family, Record, split_by_size, split_families

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Sequence

    from lexurn import shacl
    from lexurn.findings import Finding
    from lexurn.manifest import Manifest, PackedGroup
    from lexurn.name import Reading

    Check = Callable[[Sequence[Family]], tuple[shacl.Result, ...]]

_MAX_RESULTS = 1_000_000
_ROWS_OF_TASK, _FEW_ROWS = 250, 5_000
"""Number of rows that become N-Quads in one task, and up to which one task takes all."""


@click.command("describe")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@shared.format_option(
    *(each.kind for each in pages.Representation),
    help="[default: text; of a manifest: nquads]",
    has_default=False,
)
@tables.manifest_options(
    shared.MANIFEST, shared.MAP, shared.REGISTRY, shared.DIALECT, shared.REJECTS
)
@shared.BASE
@shared.INLINE_CONTEXT
@shared.language_option(
    "The language of text and html: de, en, es, fr, it or pt.  [default: text: en; html: that of "
    "the version or the jurisdiction]"
)
@shared.AS_OF
@shared.READING
def describe_command(
    names: tuple[str, ...],
    form: str | None,
    manifests: tables.ManifestSources,
    base: str | None,
    language: str | None,
    as_of: dt.date,
    reading: Reading,
    *,
    inline_context: bool,
) -> bool:
    """Write the metadata of each NAME, or of a whole manifest if no NAME is given.

    Without a manifest, the command describes only the name itself, and its spelling in a --dialect.
    linkset has the links of its page; bibtex, ris and csl-json are references for a bibliography. A
    whole manifest is written as RDF. nquads and ntriples need bounded memory; the other formats
    hold the whole graph in memory.

    \b
    lexurn describe "urn:lex:it:stato:legge:2003-09-21;456" --format turtle
    lexurn describe "urn:lex:it:stato:legge:2003-09-21;456" --format bibtex
    lexurn describe --manifest acts.csv > acts.nq
    """
    if names:
        texts = list(shared.read_names(names))
        given = [read_name(text, reading=reading, dialect=manifests.dialect) for text in texts]
        good = None not in given
        for name, text in zip(given, texts, strict=True):
            if name is None:
                continue
            with show_progress() as progress:
                family = tables.find_family(name, manifests, progress)
            is_dialect = manifests.dialect is not None and text != str(name)
            own = (Record(name=name, dialect_names=(text,)),) if is_dialect else ()
            description = pages.describe(
                own if family is None else family,
                name,
                form or "text",
                as_of=as_of,
                base=base,
                inline_context=inline_context,
                language=language,
            )
            write_bytes(description.encode())
            if manifests.files and family is None:
                shared.echo_error(
                    f"{name} is not in the manifest. Only the name itself was described."
                )
                good = False
        return good
    if not manifests.files:
        raise click.UsageError("Give a NAME, or --manifest.")
    if form is not None and form.upper() not in graph.Format.__members__:
        raise click.UsageError(f"--format {form} needs a NAME. A manifest is written as RDF.")
    context = None if inline_context else pages.make_context_url(base)
    return _write_manifest_graph(form or "nquads", manifests, base, as_of, context)


def _write_manifest_graph(
    form: str,
    manifests: tables.ManifestSources,
    base: str | None,
    as_of: dt.date,
    context: str | None,
) -> bool:
    """Write the graph of whole manifests, and in the end the concepts of its acts.

    Return whether no row was rejected.
    """
    concepts: set[str] = set()

    def make(family: Family) -> graph.Statements:
        concepts.update(graph.find_concepts((family,)))
        return graph.statements_of(family, as_of=as_of, base=base)

    format_ = graph.Format.from_name(form)
    with show_progress() as progress, tables.open_manifests(manifests, progress) as manifest:
        if format_ is graph.Format.NQUADS:
            for done, more in _write_nquads(manifest, base, as_of):
                concepts |= more
                progress("writing", done)
        elif format_ is graph.Format.NTRIPLES:
            for family in manifest.families():
                write_bytes(graph.write(make(family), format_))
        else:
            parts = [make(family) for family in manifest.families()]
            parts.append(graph.describe_concepts(concepts))
            write_bytes(graph.write(graph.Statements.union(parts), format_, context=context))
    if format_ in {graph.Format.NQUADS, graph.Format.NTRIPLES}:
        write_bytes(graph.write(graph.describe_concepts(concepts), format_))
    return manifest.rejected == 0


def _write_nquads(
    manifest: Manifest, base: str | None, as_of: dt.date
) -> Iterator[tuple[int, set[str]]]:
    """Write the N-Quads of a manifest, made in worker processes.

    Yield from time to time how many families are done, and concepts of their acts.

    Raises:
        GraphError: no graph can hold a value.
    """
    from lexurn.manifest import FamilyResult
    from lexurn.workers import Workers

    done = 0
    with Workers(cpu_count() or 1) as workers:
        manifest.read(workers.map)
        most = _FEW_ROWS if manifest.rows <= _FEW_ROWS else _ROWS_OF_TASK
        lots = split_by_size(manifest.groups(), lambda group: len(group.rows), most)
        tasks = ((groups, base, as_of) for groups in lots)
        for task, (made, concepts) in workers.map_with_tasks(_make_nquads, tasks):
            for group, (nquads, findings) in zip(task[0], made, strict=True):
                if nquads is None:
                    manifest.accept(group, FamilyResult(None, findings))
                    continue
                done += 1
                for finding in findings:
                    manifest.report(finding)
            write_bytes(b"".join(nquads for nquads, _ in made if nquads is not None))
            yield done, concepts
    manifest.finish()


def _make_nquads(
    groups: Sequence[PackedGroup], base: str | None, as_of: dt.date
) -> tuple[list[tuple[bytes | None, tuple[Finding, ...]]], set[str]]:
    """Make the N-Quads of alias sets; runs in a worker.

    Return for each set its quads, None if its rows contradict each other, and its findings; then
    the concepts of all acts.
    """
    from lexurn.manifest import build_family

    made: list[tuple[bytes | None, tuple[Finding, ...]]] = []
    concepts: set[str] = set()
    for group in groups:
        family, findings = build_family(group)
        nquads = None
        if family is not None:
            concepts.update(graph.find_concepts((family,)))
            nquads = graph.nquads_of(family, as_of=as_of, base=base)
        made.append((nquads, findings))
    return made, concepts


@click.command("head")
@click.argument("name")
@shared.REQUIRED_BASE
@tables.manifest_options(shared.MANIFEST, shared.MAP, shared.REGISTRY, shared.DIALECT)
@shared.AS_OF
@shared.READING
def head_command(
    name: str,
    base: str,
    manifests: tables.ManifestSources,
    as_of: dt.date,
    reading: Reading,
) -> bool:
    """Write the HTML head tags of NAME, with the metadata of a manifest.

    \b
    lexurn head "urn:lex:it:stato:legge:2003-09-21;456" --base https://law.example
    """
    parsed = read_name(name, reading=reading, dialect=None)
    if parsed is None:
        return False
    with show_progress() as progress:
        family = tables.find_family(parsed, manifests, progress)
        if manifests.files and family is None:
            raise LexurnError(f"{parsed} is not in the manifest. Correct it, or omit --manifest.")
        tags = pages.head(parsed, family, base=base, as_of=as_of)
    write_line(tags.rstrip("\n"))
    return True


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--input", "kind", help="The format of the FILEs: csv, turtle, ...  [default: from their names]"
)
@shared.format_option("text", "json", "turtle", help="The format of the report.")
@click.option(
    "--engine",
    type=click.Choice(["bulk", "reference"]),
    help="shacl-rust or pyshacl; the results are the same.  [default: bulk, if installed]",
)
@tables.manifest_options(shared.MAP, shared.REGISTRY, shared.DIALECT, shared.REJECTS)
@shared.BASE
@shared.AS_OF
def validate_command(
    files: tuple[str, ...],
    kind: str | None,
    form: str,
    engine: shacl.EngineName | None,
    manifests: tables.ManifestSources,
    base: str | None,
    as_of: dt.date,
) -> bool:
    """Validate each FILE against the SHACL shapes: a manifest, or RDF, which may be compressed.

    Exit code 1 if there is a violation, a rejected row, or nothing to check; warnings do not count.

    \b
    lexurn validate acts.csv
    lexurn validate graph.ttl --format turtle > report.ttl
    lexurn validate site/catalogue.nq.gz
    """
    from lexurn import shacl

    if kind is not None and kind.lower() not in {*TABLE_FORMATS, "json"}:
        try:
            graph.Format.from_name(kind)
        except GraphError as fault:
            raise click.UsageError(f"--input: {shared.escape_text(str(fault))}.") from None
    engine = engine or shared.choose_engine()
    known = {*TABLE_FORMATS, *(("json",) if manifests.mapping is not None else ())}
    table_files = [file for file in files if _find_format(file, kind) in known]
    good = True
    if table_files:
        table_format = None if kind is None else TABLE_FORMATS.get(kind.lower(), kind.lower())
        manifests = replace(manifests, files=table_files, form=table_format)
        check = partial(shacl.check_families, as_of=as_of, base=base, engine=engine)
        good &= _validate_manifests(manifests, check, form)
    for file in files:
        if file not in table_files:
            good &= _validate_rdf(file, kind, form, engine)

    return good


def _find_format(file: str, kind: str | None) -> str:
    """Return the format of a file: as given, or by its name."""
    if kind is not None:
        return kind.lower()
    if file == "-":
        raise click.UsageError("Standard input needs --input, for example --input turtle.")
    name = file.lower()
    kind = Path(name.removesuffix(".gz")).suffix.removeprefix(".")
    # Only RDF may be compressed, as `publish` does.
    return f"{kind}.gz" if name.endswith(".gz") and kind in TABLE_FORMATS else kind


def _validate_rdf(file: str, kind: str | None, form: str, engine: shacl.EngineName) -> bool:
    from lexurn import shacl

    name = _find_format(file, kind)
    if name.endswith(".gz"):
        raise GraphError(f"{file}: tables must not be compressed. Decompress it first (gunzip).")
    try:
        format_ = graph.Format.from_name(name)
    except GraphError as fault:
        known = ", ".join(sorted(TABLE_FORMATS))
        raise GraphError(f"{file}: {fault}, {known}. Name the format with --input.") from None
    whole = io.BytesIO()  # takes half the memory of joined pieces
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
            whole.writelines(graph.decompress_stream(stream))
        statements = graph.read(whole.getvalue(), format_)
    except GraphError as fault:
        raise GraphError(f"{file}: {fault}") from None
    except OSError as fault:
        raise GraphError(f"{file}: cannot be opened: {fault.strerror}") from None
    return _write_report(shacl.validate(statements, engine=engine), form)


def _validate_manifests(manifests: tables.ManifestSources, check: Check, form: str) -> bool:
    from lexurn import shacl
    from lexurn.workers import Workers

    kept: list[shacl.Result] = []
    checked = dropped = 0
    with (
        show_progress() as progress,
        tables.open_manifests(manifests, progress) as manifest,
        Workers(cpu_count() or 1) as workers,
    ):
        chunks = ((chunk, check) for chunk in split_families(manifest.families()))
        for names, results in workers.map(_check_chunk, chunks):
            checked += names
            progress("checking", checked)
            room = max(0, _MAX_RESULTS - len(kept))
            kept += results[:room]
            dropped += len(results[room:])
    notes = []
    if dropped:
        notes.append(f"{dropped:,} more results are not listed")
    if manifest.rejected:
        notes.append(f"{tables.format_rejected(manifest)}, so they were not checked")
    if warnings := manifest.counts[Severity.WARNING]:
        notes.append(f"{warnings:,} warning{'s' if warnings > 1 else ''} on rows")
    report = shacl.CheckReport(results=tuple(kept), checked=checked, notes=tuple(notes))
    return _write_report(report, form) and not manifest.rejected


def _check_chunk(families: Sequence[Family], check: Check) -> tuple[int, tuple[shacl.Result, ...]]:
    """Return the number of names in families, and the results on them; runs in a worker."""
    return sum(len(family.records) for family in families), check(families)


def _write_report(report: shacl.CheckReport, form: str) -> bool:
    from lexurn import shacl

    if form == "json":
        shared.write_json(shacl.make_json_report(report))
    elif form == "turtle":
        write_bytes(shacl.write_turtle_report(report))
    else:
        write_line(shacl.write_text_report(report).rstrip("\n"))
    return report.conforms and report.checked > 0
