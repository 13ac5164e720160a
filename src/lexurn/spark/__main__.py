"""``python -m lexurn.spark``, and what spark-submit runs: manifests to N-Quads on a cluster."""

from __future__ import annotations

import datetime as dt
import json
import sys
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import click

from lexurn import spark
from lexurn.errors import LexurnError
from lexurn.model import today
from lexurn.spark import Job, Report

if TYPE_CHECKING:
    from lexurn.findings import Finding
    from lexurn.registry import Registry
    from lexurn.shacl import Result

_SHOWN = 1_000
_FORMATS = click.Choice(["csv", "jsonl", "parquet"])
_DIALECTS = click.Choice(["auto", "draft", "lexml", "nir"])


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="MANIFEST...")
@click.option("--out", "target", required=True, help="The new folder or URL for the quads.")
@click.option("--master", help="The cluster, spark://HOST:PORT.  [default: spark-submit's]")
@click.option("--map", "mapping", type=click.Path(), help="A TOML file on columns of your own.")
@click.option("--registry", "registries", multiple=True, help="A Turtle file over the registry.")
@click.option("--format", type=_FORMATS, help="The format.  [default: by the names]")
@click.option("--dialect", type=_DIALECTS, help="What names are written in, if not RFC 9676.")
@click.option("--rejects", type=click.Path(dir_okay=False), help="Where bad rows go, unchanged.")
@click.option(
    "--findings", "told", type=click.Path(dir_okay=False), help="Findings, as JSON Lines."
)
@click.option("--base", help="What HTTP URIs begin with, for example https://law.example")
@click.option("--as-of", metavar="DATE", help="The day for what is in force.  [default: today]")
@click.option("--check", "checks", is_flag=True, help="Leave out works that break a shape.")
@click.option("--sort/--no-sort", "sorts", default=True, help="Quads sorted, each once.")
@click.option("--by-jurisdiction", "parts", is_flag=True, help="A folder for each jurisdiction.")
@click.option("--portion", type=click.IntRange(1), default=8 << 20, help="Bytes of one task.")
@click.option("--partitions", type=click.IntRange(1), help="How many tasks build alias sets.")
def main(
    master: str | None,
    as_of: str | None,
    registries: tuple[str, ...],
    told: str | None,
    **options: Any,
) -> None:
    """Turn each MANIFEST into N-Quads on a cluster of Apache Spark.

    Every node finds the manifests and the folder of --out under the same path, or under a URL that
    Spark knows. Exit code 1 where a row is no good or a work is left out.

    \b
    python -m lexurn.spark --master spark://cluster:7077 /data/acts.csv --out /data/quads
    spark-submit $(python -c "import lexurn.spark.__main__ as m; print(m.__file__)") ...
    cat /data/quads/part-* > acts.nq
    """
    try:
        job = Job(as_of=_day(as_of), registry=_registry_of(registries), **_without_none(options))
        with ExitStack() as stack:
            stream = None if told is None else stack.enter_context(_opened(told))
            report = _run(job, master, _Teller(stream))
    except (LexurnError, OSError) as fault:
        click.echo(f"error: {fault}", err=True)
        sys.exit(1)
    click.echo(_summary(report, job.target))
    sys.exit(1 if report.rejected or report.refused else 0)


def _without_none(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _day(text: str | None) -> dt.date:
    if text is None:
        return today()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no day; write YYYY-MM-DD") from None


def _registry_of(paths: tuple[str, ...]) -> Registry | None:
    if not paths:
        return None
    from lexurn.registry import open_registry  # noqa: PLC0415 - an engine reads them

    known, findings = open_registry(*paths)
    errors = [each for each in findings if each.is_error]
    if errors:
        raise LexurnError(f"the registry file has errors, first: {errors[0].message}")
    return known


def _opened(path: str) -> IO[str]:
    try:
        return open(path, "w", encoding="utf-8")  # noqa: PTH123 - the caller closes it
    except OSError as fault:
        raise LexurnError(f"{path}: cannot be written: {fault.strerror}") from None


def _run(job: Job, master: str | None, teller: _Teller) -> Report:
    run = spark.run  # which says what extra is missing

    from py4j.protocol import Py4JError  # noqa: PLC0415 - an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

    builder = SparkSession.builder.appName("lexurn")
    try:
        session = (builder if master is None else builder.master(master)).getOrCreate()
    except (PySparkException, Py4JError, OSError, RuntimeError) as failed:
        why = next(iter(str(failed).splitlines()), type(failed).__name__)
        raise LexurnError(
            f"no session of Spark: {why} (is the cluster up, and Java 17 or later here?)"
        ) from None
    try:
        return run(job, session, on_finding=teller.finding, on_result=teller.result)
    finally:
        session.stop()


class _Teller:
    """Shows the first findings, and writes all to a file if there is one."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream
        self._shown = 0

    def finding(self, found: Finding) -> None:
        place = f"{found.file}:{found.line}" + (f", column {found.column}" if found.column else "")
        self._say(place, found)
        self._write(found, ("file", "line", "column", "text", "start", "end", "suggestion", "code"))

    def result(self, found: Result) -> None:
        place = found.focus if found.source is None else f"{found.source.file}:{found.source.line}"
        self._say(place, found)
        self._write(found, ("focus", "path", "value", "shape"))

    def _say(self, place: str, found: Finding | Result) -> None:
        self._shown += 1
        if self._shown <= _SHOWN:
            text = f"{found.severity.lower()} {place}: {found.message} ({found.rule})"
            click.echo("".join(c if c.isprintable() else "\ufffd" for c in text), err=True)

    def _write(self, found: Finding | Result, names: tuple[str, ...]) -> None:
        if self._stream is not None:
            told = {name: getattr(found, name) for name in (*names, "severity", "message", "rule")}
            self._stream.write(json.dumps(told, ensure_ascii=False) + "\n")


def _summary(report: Report, target: str) -> str:
    kept = ", ".join(map(str, report.rejects))
    rejected = f"{report.rejected:,} of {report.rows:,} rows rejected" + f" (in {kept})" * bool(
        kept
    )
    written = f"{report.names:,} names of {report.families:,} works in {target}"
    return f"{written}; {rejected}; {report.refused:,} works left out"


if __name__ == "__main__":
    main()
