"""Shapes: the bulk engine beside pyshacl, on the same documents and the same shapes."""

from __future__ import annotations

import csv
import itertools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure, ratio, timed
from tables import AS_OF, write_manifest

from lexurn.graph import Statements, statements_of
from lexurn.manifest import open_manifest
from lexurn.shacl import validate

if TYPE_CHECKING:
    from measure import Sizes

    from lexurn.model import Family
    from lexurn.shacl import Result

__all__ = ["shacl"]

_ROWS_OF_AN_ACT = 10


def shacl(sizes: Sizes) -> list[Figure]:
    """Compare the time and the results of both engines, also on broken documents."""
    families = _families(sizes.documents)
    graph = Statements(decoded=(), catalogued=(), computed=())
    for family in families:
        graph += statements_of(family, as_of=AS_OF)
    found: dict[str, set[tuple[object, ...]]] = {}
    taken = {
        engine: timed(lambda: found.update({engine: _said(validate(graph, engine=engine).results)}))  # noqa: B023 - used in its turn
        for engine in ("bulk", "reference")
    }
    same = found["bulk"] == found["reference"]
    count = len(graph.decoded) + len(graph.catalogued) + len(graph.computed)
    what = f"SHACL of {len(families):,} documents ({count:,} triples) / pyshacl"
    return [
        ratio(what, taken["bulk"], taken["reference"], least=30),
        Figure(
            what="results of both engines",
            ours=str(len(found["bulk"])),
            other=str(len(found["reference"])),
            value="same" if same else "different",
            aim="same",
            met=same,
        ),
    ]


def _said(results: tuple[Result, ...]) -> set[tuple[object, ...]]:
    return {
        (str(r.severity), str(r.focus), str(r.path), str(r.value), str(r.component))
        for r in results
    }


def _families(documents: int) -> list[Family]:
    with tempfile.TemporaryDirectory() as folder:
        table = write_manifest(Path(folder, "acts.csv"), documents * (_ROWS_OF_AN_ACT + 1))
        _break(table)
        with open_manifest(table) as manifest:
            return list(itertools.islice(manifest.families(), documents))


def _break(table: Path) -> None:
    """Make one act in twenty one that a publisher must mend: no title, no licence, no order."""
    with table.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        columns, rows = list(reader.fieldnames or ()), list(reader)
    for place, row in enumerate(rows):
        if place % 20 == 0:
            row["title@it"] = row["license"] = ""
        elif place % 20 == 1 and row["in_force_from"]:
            row["in_force_until"] = "1900-01-01"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
