"""Jobs on a cluster of Apache Spark: manifests to validated N-Quads, with the extra ``spark``.

In: manifests, mapping files and registries that every node finds under the same path.
Out: N-Quads, byte for byte those of one machine once sorted, findings, and a report.
Read in this order: job, __main__. As a program: ``python -m lexurn.spark --help``.
The nodes need lexurn in the same version, under the same Python; Java 17 where the job starts.

.. code-block:: python

    from pyspark.sql import SparkSession
    from lexurn.spark import Job, run

    session = SparkSession.builder.master("spark://cluster:7077").getOrCreate()
    report = run(Job(sources=("/data/acts.csv",), target="/data/quads"), session)
"""

from __future__ import annotations

from lexurn.spark.job import Job, Report, run

__all__ = ["Job", "Report", "run"]
