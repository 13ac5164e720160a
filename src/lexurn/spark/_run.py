"""A job on a cluster: which step follows which, and what goes from task to task."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn.errors import CatalogueError, ManifestError, MissingExtraError
from lexurn.manifest import open_manifest
from lexurn.spark._job import Report

try:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from lexurn.spark._flow import Flow
except ImportError as missing:
    raise MissingExtraError("spark") from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

    from lexurn.manifest import Manifest, RowFinding
    from lexurn.shacl import Result
    from lexurn.spark._job import Job

__all__ = ["run"]

_LONGEST = 2_000


def run(
    job: Job,
    session: SparkSession,
    *,
    on_finding: Callable[[RowFinding], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Do a job on the cluster of a session.

    The quads are those that one process writes of the same manifests, byte for byte once sorted.
    What a task has done lies on the disks of the cluster until the job ends.

    Args:
        job: what is to be done.
        session: a session of Spark, which stays open.
        on_finding: is told what is wrong with rows.
        on_result: is told what is wrong with alias sets, if the job checks them.

    Raises:
        ManifestError: a manifest, its mapping file or the rejects file is no good, or some node
            cannot read a manifest.
        CatalogueError: the target is there already, or the cluster fails.
    """
    for source in job.sources:
        if source == "-":
            raise ManifestError("-: nodes of a cluster cannot read this; name a file")
    with _told(), ExitStack() as stack:
        _check_target(job.target, session)
        manifest = stack.enter_context(
            open_manifest(
                [Path(source).absolute() for source in job.sources],
                mapping=job.mapping,
                format=job.format,
                registry=job.registry,
                dialect=job.dialect,
                rejects=job.rejects,
                on_finding=on_finding,
            )
        )
        flow = Flow(job, session, manifest.readers, stack)
        flow.write()
        if on_finding is not None:
            for finding in flow.findings():
                on_finding(finding)
        if on_result is not None:
            for result in flow.results():
                on_result(result)
        return _report(flow, manifest)


def _report(flow: Flow, manifest: Manifest) -> Report:
    manifest.take_over(flow.rows, flow.rejects())
    counts = flow.counts()
    return Report(
        rows=manifest.rows,
        rejected=manifest.rejected,
        rejects=manifest.rejects,
        families=counts.families,
        names=counts.names,
        refused=counts.refused,
    )


@contextmanager
def _told() -> Iterator[None]:
    """Say in a sentence what the cluster says in a page.

    Raises:
        CatalogueError: the cluster failed.
    """
    try:
        yield
    except (Py4JError, PySparkException) as failed:
        raise CatalogueError(
            f"the cluster did not do the job: {_why(str(failed))}; its logs say more"
        ) from None


def _why(page: str) -> str:
    """The line of a trace that says what happened: of our own errors, of any, or the first."""
    lines = [line.strip() for line in page.splitlines()]
    ours = [line for line in lines if line.startswith("lexurn.errors.")]
    named = [line for line in lines if "Exception:" in line or "Error:" in line]
    return next(iter([*ours, *named, *filter(None, lines)]), "no word why")[:_LONGEST]


def _check_target(target: str, session: SparkSession) -> None:
    """Make sure, before anything is read, that the target is new."""
    # What is a folder is for Spark's own file systems to say; its Python face has no word for it.
    java: Any = session.sparkContext._jvm  # noqa: SLF001 - see above
    path = java.org.apache.hadoop.fs.Path(target)
    system = path.getFileSystem(
        java.org.apache.spark.SparkContext.getOrCreate().hadoopConfiguration()
    )
    if system.exists(path):
        raise CatalogueError(f"{target}: is there already; name a new folder, or remove it")
