"""The same manifests by one process, for comparison with what a cluster makes of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.graph import Format, describe_concepts, find_concepts, nquads_of, write
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lexurn.findings import Finding

__all__ = ["DAY", "OneRun", "nameless", "one_process"]

DAY = dt.date(2020, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRun:
    """What one process makes of some manifests."""

    quads: bytes
    findings: Counter[Finding]
    rows: int
    rejected: int
    rejects: bytes
    families: int
    names: int


def one_process(
    sources: Sequence[Path], rejects: Path, *, base: str | None = None, mapping: Path | None = None
) -> OneRun:
    """Read, build and write them; the quads sorted by bytes, each once."""
    findings: list[Finding] = []
    lines: set[bytes] = set()
    families = names = 0
    with open_manifest(
        list(sources), rejects=rejects, on_finding=findings.append, mapping=mapping
    ) as manifest:
        for family in manifest.families():
            concepts = write(describe_concepts(find_concepts((family,))), Format.NQUADS)
            quads = nquads_of(family, as_of=DAY, base=base) + concepts
            lines.update(quads.splitlines(keepends=True))
            families += 1
            names += len(family.records)
    return OneRun(
        quads=b"".join(sorted(lines)),
        findings=nameless(findings),
        rows=manifest.rows,
        rejected=manifest.rejected,
        rejects=b"".join(path.read_bytes() for path in manifest.rejects),
        families=families,
        names=names,
    )


def nameless(findings: Iterable[Finding]) -> Counter[Finding]:
    """Findings, however often each, with the names of files instead of their paths."""
    return Counter(replace(found, file=found.file.rpartition("/")[2]) for found in findings)
