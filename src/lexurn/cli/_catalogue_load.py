"""``lexurn catalogue load``: manifests and RDF files into a catalogue."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import (
    AS_OF,
    BASE,
    DIALECT,
    MAP,
    REJECTS,
    Tables,
    Teller,
    all_beside,
    beside,
    opened,
    progress,
)
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, visible, write
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from lexurn.catalogue import Catalogue, LoadOptions, LoadReport, Mended, Refusal

__all__ = ["command"]

_TABLES = ("csv", "jsonl", "parquet")
# As `dump` and `query` call them, and what names of files end in.
_RDF = ("nquads", "ntriples", "turtle", "trig", "jsonld", "rdfxml")
_ENDINGS = ("nq", "nt", "ttl", "json", "rdf", "xml", "owl")


@click.command("load")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@CATALOGUE
@MAP
@REGISTRY
@DIALECT
@REJECTS
@click.option(
    "--format",
    "form",
    type=click.Choice([*_TABLES, *_RDF, *_ENDINGS]),
    help="The format of all sources.  [default: by their names; - is a table]",
)
@BASE
@AS_OF
@click.option("--check", is_flag=True, help="Take in no work that breaks a shape.")
@click.option(
    "--jobs", type=click.IntRange(1), help="How many processes.  [default: one a processor]"
)
@WAIT
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    place: str,
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    rejects: str | None,
    form: str | None,
    base: str | None,
    as_of: dt.date,
    jobs: int | None,
    wait: float,
    *,
    check: bool,
) -> None:
    """Take each SOURCE into a catalogue: a manifest, or an RDF file (N-Quads, Turtle, ...).

    A row replaces what was stated of its name before; names that do not come stay. What is there
    already changes nothing, so a load that was interrupted is simply run again. A folder that is
    new or empty becomes a catalogue.

    \b
    lexurn catalogue load acts.csv --catalogue law
    lexurn catalogue load site/catalogue.nq.gz --catalogue law
    """  # noqa: D301 - click reads this backspace
    for source in sources:
        _check_source(source)
    tables = [source for source in sources if not _is_rdf(source, form)]
    graphs = [source for source in sources if _is_rdf(source, form)]
    run = _Run(as_of, check=check, jobs=jobs)
    with opened_catalogue(place, write=True, base=base, wait=wait) as catalogue:
        if tables:
            run.tables(
                catalogue,
                Tables(
                    files=tables,
                    mapping=mapping,
                    registries=registries,
                    dialect=dialect,
                    rejects=rejects or all_beside(tables, form),
                    form=form,
                ),
            )
        if graphs:
            where = rejects if rejects and not tables else beside(_as_nquads(graphs[0]))
            run.graphs(catalogue, graphs, form, where)
    write(run.summary(place, is_mixed=bool(tables and graphs)))
    ctx.exit(0 if run.is_good else 1)


def _check_source(source: str) -> None:
    """Refuse what is no file, before anything is read.

    Raises:
        LexurnError: it is none.
    """
    path = Path(source)
    if source == "-" or path.is_file():
        return
    if not source:
        raise click.UsageError("a SOURCE is empty: name a file, or - for standard input")
    if path.is_dir():
        raise LexurnError(f"{source} is a folder; name the files in it")
    if path.exists():
        raise LexurnError(f"{source} is no plain file; give it on standard input, as -")
    raise LexurnError(f"{source}: there is no such file")


def _is_rdf(source: str, form: str | None) -> bool:
    return (form or _unpacked(source).suffix.removeprefix(".").lower()) in {*_RDF, *_ENDINGS}


def _unpacked(source: str) -> Path:
    path = Path(source)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _as_nquads(source: str) -> str:
    """What rejects stand beside: they are N-Quads, not packed."""
    return source if source == "-" else str(_unpacked(source).with_suffix(".nq"))


class _Run:
    """One call of the verb: what it takes in, and what it says in the end."""

    def __init__(self, as_of: dt.date, *, check: bool, jobs: int | None) -> None:
        self.is_good = True
        self._as_of, self._check, self._jobs = as_of, check, jobs
        self._counts: Counter[str] = Counter()

    def tables(self, catalogue: Catalogue, tables: Tables) -> None:
        """Take manifests in."""
        from lexurn.catalogue import load_manifest

        with progress() as told, opened(tables, Teller(), told) as rows:
            self._count(load_manifest(catalogue, rows, self._options(told)))
        self.is_good = self.is_good and not rows.rejected
        if not rows.rows:
            click.echo(f"no rows in {', '.join(map(visible, tables.files))}", err=True)

    def graphs(
        self, catalogue: Catalogue, files: list[str], form: str | None, rejects: str
    ) -> None:
        """Take RDF files in."""
        from lexurn.catalogue import load_rdf, rdf_families

        teller = Teller()
        with (
            progress() as told,
            rdf_families(
                files,
                format=form,
                rejects=rejects,
                on_finding=teller,
                on_progress=lambda quads: told("reading", quads, None),
            ) as source,
        ):
            self._count(load_rdf(catalogue, source, self._options(told)))
        if not source.statements:
            click.echo(f"no statements in {', '.join(map(visible, files))}", err=True)
        if source.rejected or source.left_out:
            self.is_good = False
            kept = f"; kept in {visible(str(source.rejects))}" if source.rejects else ""
            wrong = []
            if source.rejected:
                wrong.append(f"{source.rejected:,} of {source.statements:,} statements rejected")
            if source.left_out:
                wrong.append(f"{len(source.left_out):,} of {len(files):,} files left out")
            click.echo(f"{', '.join(wrong)}: {teller.summary()}{kept}", err=True)

    def _options(self, told: Callable[[str, int, int | None], None]) -> LoadOptions:
        from lexurn.catalogue import LoadOptions

        return LoadOptions(
            as_of=self._as_of,
            check=self._check,
            jobs=self._jobs,
            on_refused=self._refused,
            on_mended=self._mended,
            on_progress=lambda names: told("loading", names, None),
        )

    def _count(self, report: LoadReport) -> None:
        self._counts.update(asdict(report))

    def _refused(self, refusal: Refusal) -> None:
        self.is_good = False
        row = refusal.source
        place = "" if row is None else f"{row.file}:{row.line}: "
        echo_error(f"{place}{refusal.key} was not taken in: {refusal.reason}")

    def _mended(self, mended: Mended) -> None:
        lost = "".join(f"; lost, since no row states it: {fault}" for _, fault in mended.lost)
        self.is_good = self.is_good and not mended.lost
        echo_error(f"{mended.key} could not be read ({mended.fault}) and was made anew{lost}")

    def summary(self, place: str, *, is_mixed: bool) -> str:
        """What was done, in a line; what comes in tables and in RDF is counted in both."""
        did: tuple[str, ...] = ("added", "replaced", "unchanged", "refused")
        if self._counts["mended"]:
            did = (*did, "mended")
        counts = ", ".join(f"{self._counts[what]:,} {what}" for what in did)
        names, works = self._counts["names"], self._counts["families"]
        twice = " (tables and RDF counted each by itself)" if is_mixed else ""
        return f"{names:,} names of {works:,} works into {visible(place)}: {counts}{twice}"
