"""``lexurn validate``: manifests or RDF against the shapes."""

from __future__ import annotations

import io
import sys
from contextlib import nullcontext
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexurn.cli._manifests import (
    AS_OF,
    BASE,
    DIALECT,
    MAP,
    REJECTS,
    Tables,
    Teller,
    opened,
    progress,
)
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, write, write_bytes
from lexurn.errors import GraphError, LexurnError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.model import Family
    from lexurn.shacl import CheckReport, Result

__all__ = ["command"]

_TABLES = {
    "csv": "csv",
    "tsv": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "pq": "parquet",
}
"""What tables are called, by --input and by the ends of their names, and their formats."""
_MOST = 1_000_000


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--input", "kind", help="What the FILEs are: csv, turtle, ...  [default: told from their names]"
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "turtle"]),
    default="text",
    show_default=True,
    help="The form of the report.",
)
@click.option(
    "--engine",
    type=click.Choice(["bulk", "reference"]),
    default="bulk",
    show_default=True,
    help="The quick engine, or pyshacl; both give the same results (RDF files only).",
)
@MAP
@REGISTRY
@DIALECT
@REJECTS
@BASE
@AS_OF
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    kind: str | None,
    form: str,
    engine: str,
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    rejects: str | None,
    base: str | None,
    as_of: dt.date,
) -> None:
    """Check each FILE against the SHACL shapes: a manifest, or RDF in any format, packed or not.

    Exit code 1 where a violation is found, a row is no good, or there was nothing to check;
    warnings do not count.

    \b
    lexurn validate acts.csv
    lexurn validate graph.ttl --format turtle > report.ttl
    lexurn validate site/catalogue.nq.gz
    """  # noqa: D301 - click reads this backspace
    from lexurn.shacl import check_families

    tables = [file for file in files if _kind_of(file, kind) in _TABLES]
    good = True
    try:
        if tables:
            good &= _validate_manifests(
                Tables(
                    files=tables,
                    mapping=mapping,
                    registries=registries,
                    dialect=dialect,
                    rejects=rejects,
                    form=None if kind is None else _TABLES[kind.lower()],
                ),
                partial(check_families, as_of=as_of, base=base),
                form,
            )
        for file in files:
            if file not in tables:
                good &= _validate_rdf(file, kind, form, engine)
    except (LexurnError, ValueError, OSError) as fault:
        echo_error(str(fault))
        ctx.exit(1)
    ctx.exit(0 if good else 1)


def _kind_of(file: str, kind: str | None) -> str:
    if kind is not None:
        return kind.lower()
    if file == "-":
        raise click.UsageError("standard input needs --input, for example --input turtle")
    name = file.lower()
    kind = Path(name.removesuffix(".gz")).suffix.removeprefix(".")
    # RDF may be packed, as `publish` packs it; tables are read as they are.
    return f"{kind}.gz" if name.endswith(".gz") and kind in _TABLES else kind


def _validate_rdf(file: str, kind: str | None, form: str, engine: str) -> bool:
    from lexurn.graph import Format, read
    from lexurn.shacl import validate

    what = _kind_of(file, kind)
    if what.endswith(".gz"):
        raise GraphError(f"{file}: a table is not read packed; unpack it first (gunzip)")
    try:
        format_ = Format.from_name(what)
    except GraphError as fault:
        known = ", ".join(sorted(_TABLES))
        raise GraphError(f"{file}: {fault}, {known}; say with --input what it is") from None
    try:
        statements = read(_bytes_of(file), format_)
    except GraphError as fault:
        raise GraphError(f"{file}: {fault}") from None
    except OSError as fault:
        raise GraphError(f"{file}: cannot be opened: {fault.strerror}") from None
    report = validate(statements, engine="bulk" if engine == "bulk" else "reference")
    return _report(report, form)


def _bytes_of(file: str) -> bytes:
    """What a file holds, unpacked.

    Raises:
        GraphError: it cannot be read on, or was not copied whole.
        OSError: it cannot be opened.
    """
    from lexurn.graph import unpacked

    whole = io.BytesIO()  # which takes half the memory of pieces that are joined
    with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
        whole.writelines(unpacked(stream))
    return whole.getvalue()


def _validate_manifests(
    tables: Tables, check: Callable[[Sequence[Family]], tuple[Result, ...]], form: str
) -> bool:
    from lexurn.shacl import CheckReport

    kept: list[Result] = []
    checked = dropped = 0
    with progress() as told, opened(tables, Teller(), told) as rows:
        for names, results in _checked(rows.families(), check):
            checked += names
            told("checking", checked, None)
            room = max(0, _MOST - len(kept))
            kept += results[:room]
            dropped += len(results[room:])
    notes = (f"{dropped} more results are not listed",) if dropped else ()
    report = CheckReport(results=tuple(kept), checked=checked, notes=notes)
    return _report(report, form) and not rows.rejected


def _checked(
    families: Iterable[Family], check: Callable[[Sequence[Family]], tuple[Result, ...]]
) -> Iterator[tuple[int, tuple[Result, ...]]]:
    """How many names each chunk of families has, and what is wrong with them."""
    from lexurn.model import chunks_of
    from lexurn.workers import Workers

    with Workers(cpu_count() or 1) as workers:
        yield from workers.map(_check_chunk, ((chunk, check) for chunk in chunks_of(families)))


def _check_chunk(
    families: Sequence[Family], check: Callable[[Sequence[Family]], tuple[Result, ...]]
) -> tuple[int, tuple[Result, ...]]:
    return sum(len(family.records) for family in families), check(families)


def _report(report: CheckReport, form: str) -> bool:
    from lexurn.cli._parse import json_line
    from lexurn.shacl import graph_of_report, json_of, text_of

    if form == "json":
        write(json_line(json_of(report)))
    elif form == "turtle":
        write_bytes(graph_of_report(report))
    else:
        write(text_of(report).rstrip("\n"))
    return report.conforms and report.checked > 0
