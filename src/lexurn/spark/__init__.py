"""The spark room: manifests to validated N-Quads on a cluster, by the functions of one machine.

Needs the extra ``spark`` (and Java 17) where the job is started, and lexurn, in the same version
and under the same Python, on every node. As a program: ``python -m lexurn.spark --help``; in
Python:

.. code-block:: python

    from pyspark.sql import SparkSession
    from lexurn.spark import Job, run

    session = SparkSession.builder.master("spark://cluster:7077").getOrCreate()
    report = run(Job(sources=("/data/acts.csv",), target="/data/quads"), session)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.spark._job import Job, Report

if TYPE_CHECKING:
    from lexurn.spark._run import run

__all__ = ["Job", "Report", "run"]


def __getattr__(name: str) -> Any:
    """What needs pyspark is imported on first use."""
    if name == "run":
        from lexurn.spark._run import run  # noqa: PLC0415 - an extra

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
