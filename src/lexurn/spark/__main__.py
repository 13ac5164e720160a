"""Command ``python -m lexurn.spark``, also for spark-submit: manifests to N-Quads on a cluster."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from lexurn.errors import DateError, LexurnError, MissingExtraError
from lexurn.manifest import TableFormat
from lexurn.model import read_day
from lexurn.spark import Job, Report, run

if TYPE_CHECKING:
    from lexurn.findings import Finding
    from lexurn.registry import Registry
    from lexurn.shacl import Result

_MOST_SHOWN = 1_000
_FORMATS = click.Choice([each.value for each in TableFormat])
_DIALECTS = click.Choice(["auto", "draft", "lexml", "nir"])


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="MANIFEST...")
@click.option("--out", "target", required=True, help="The new folder or URL for the quads.")
@click.option("--master", help="The cluster, spark://HOST:PORT.  [default: spark-submit's]")
@click.option(
    "--map",
    "mapping",
    type=click.Path(),
    help="A TOML file that maps the columns of your own table.",
)
@click.option(
    "--registry",
    "registries",
    multiple=True,
    help="A Turtle file of your own that extends the registry.",
)
@click.option("--format", type=_FORMATS, help="The format.  [default: from the names]")
@click.option("--dialect", type=_DIALECTS, help="The dialect of names, if not RFC 9676.")
@click.option(
    "--rejects", type=click.Path(dir_okay=False), help="The file for rejected rows, unchanged."
)
@click.option(
    "--findings",
    "log",
    type=click.Path(dir_okay=False),
    help="The file for findings, as JSON Lines.",
)
@click.option("--base", help="The start of HTTP URIs, for example https://law.example")
@click.option(
    "--as-of",
    metavar="DATE",
    help="The date for which the versions in force are computed.  [default: today]",
)
@click.option("--check", "checks", is_flag=True, help="Leave out works that violate a shape.")
@click.option("--sort/--no-sort", "sorts", default=True, help="Sort the quads and write each once.")
@click.option(
    "--by-jurisdiction", "parts", is_flag=True, help="Make a folder for each jurisdiction."
)
@click.option(
    "--portion",
    type=click.IntRange(1),
    default=8 << 20,
    help="The number of bytes that one task reads.",
)
@click.option("--partitions", type=click.IntRange(1), help="The number of tasks that build works.")
def main(
    master: str | None,
    as_of: str | None,
    registries: tuple[str, ...],
    log: str | None,
    **options: Any,
) -> None:
    """Turn each MANIFEST into N-Quads on a cluster of Apache Spark.

    Every node finds the manifests and the folder of --out under the same path, or under a URL that
    Spark knows. Exit code 1 if a row is rejected or a work is left out.

    \b
    python -m lexurn.spark --master spark://cluster:7077 /data/acts.csv --out /data/quads
    spark-submit $(python -c "import lexurn.spark.__main__ as m; print(m.__file__)") ...
    cat /data/quads/part-* > acts.nq
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        day = read_day(as_of)
    except DateError as fault:
        raise click.BadParameter(str(fault)) from None
    try:
        job = Job(as_of=day, registry=_open_registry(registries), **given)
        with nullcontext() if log is None else Path(log).open("w", encoding="utf-8") as stream:
            report = _run_job(job, master, _FindingLog(stream))
    except (LexurnError, OSError) as fault:
        click.echo(f"error: {fault}", err=True)
        sys.exit(1)
    kept = f" (in {', '.join(map(str, report.rejects))})" if report.rejects else ""
    click.echo(
        f"{report.names:,} names of {report.families:,} works in {job.target}; "
        f"{report.rejected:,} of {report.rows:,} rows rejected{kept}; "
        f"{report.refused:,} works left out"
    )
    sys.exit(1 if report.rejected or report.refused else 0)


def _open_registry(paths: tuple[str, ...]) -> Registry | None:
    if not paths:
        return None
    from lexurn.registry import open_registry  # noqa: PLC0415 - loads an RDF engine

    registry, findings = open_registry(*paths)
    errors = [each for each in findings if each.is_error]
    if errors:
        raise LexurnError(f"the registry file has errors, first: {errors[0].message}")
    return registry


def _run_job(job: Job, master: str | None, log: _FindingLog) -> Report:
    try:
        from py4j.protocol import Py4JError  # noqa: PLC0415 - the extra spark
        from pyspark.errors import PySparkException  # noqa: PLC0415 - the extra spark
        from pyspark.sql import SparkSession  # noqa: PLC0415 - the extra spark
    except ImportError as missing:
        raise MissingExtraError("spark") from missing
    builder = SparkSession.builder.appName("lexurn")
    try:
        session = (builder if master is None else builder.master(master)).getOrCreate()
    except (PySparkException, Py4JError, OSError, RuntimeError) as failed:
        why = next(iter(str(failed).splitlines()), type(failed).__name__)
        raise LexurnError(
            f"Spark cannot start a session: {why}; check the cluster, and Java 17 or later here"
        ) from None
    try:
        return run(job, session, on_finding=log.add_finding, on_result=log.add_result)
    finally:
        session.stop()


class _FindingLog:
    """Log of findings: the first ones on standard error, all in a file if there is one."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream
        self._shown = 0

    def add_finding(self, found: Finding) -> None:
        where = f"{found.file}:{found.line}" + (f", column {found.column}" if found.column else "")
        names = ("file", "line", "column", "text", "start", "end", "suggestion", "code")
        self._add(where, found, names)

    def add_result(self, found: Result) -> None:
        where = found.focus if found.source is None else f"{found.source.file}:{found.source.line}"
        self._add(where, found, ("focus", "path", "value", "shape"))

    def _add(self, where: str, found: Finding | Result, names: tuple[str, ...]) -> None:
        self._shown += 1
        if self._shown <= _MOST_SHOWN:
            text = f"{found.severity.lower()} {where}: {found.message} ({found.rule})"
            click.echo("".join(c if c.isprintable() else "\ufffd" for c in text), err=True)
        if self._stream is not None:
            entry = {name: getattr(found, name) for name in (*names, "severity", "message", "rule")}
            self._stream.write(json.dumps(entry, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
