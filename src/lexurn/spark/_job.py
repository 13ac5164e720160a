"""What a job is to do, and what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.model import today

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from lexurn.registry import Registry

__all__ = ["Job", "Report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Manifests to N-Quads.

    Attributes:
        sources: manifests, read as one; every node finds them under the same path.
        target: the folder that the quads go to, new: a path that every node has, or a URL that
            Spark knows (``hdfs://...``, ``s3a://...``).
        mapping: a TOML file that says what the columns mean.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by each file's extension.
        registry: what names are minted with where rows give none; None for the built-in one.
        dialect: what names are written in, where that is not RFC 9676.
        rejects: where bad rows are written, unchanged; on the machine that starts the job.
        as_of: the day for which the version in force is asked.
        base: where the HTTP-URI equivalents lie, or None.
        checks: whether alias sets that break a shape are left out.
        sorts: whether the quads come sorted by bytes and each once, over all files of the target
            in the order of their names; else each alias set's stand together, as it comes.
        parts: whether the quads of each jurisdiction go to a folder of its own.
        portion: about how many bytes of a manifest are one task.
        partitions: how many tasks join and build alias sets; None to go by the cluster.
    """

    sources: tuple[str, ...]
    target: str
    mapping: str | Path | None = None
    format: str | None = None
    registry: Registry | None = None
    dialect: str | None = None
    rejects: str | Path | None = None
    as_of: dt.date = field(default_factory=today)
    base: str | None = None
    checks: bool = False
    sorts: bool = True
    parts: bool = False
    portion: int = 8 << 20
    partitions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a job did.

    Attributes:
        rows: how many rows were read.
        rejected: how many of them were rejected.
        rejects: the rejects files that were written.
        families: how many alias sets were written.
        names: how many names they have.
        refused: how many alias sets were left out, since they break a shape.
    """

    rows: int = 0
    rejected: int = 0
    rejects: tuple[Path, ...] = ()
    families: int = 0
    names: int = 0
    refused: int = 0
