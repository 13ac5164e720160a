"""Graphs: a manifest as N-Quads beside Oxigraph's bulk load, Turtle and JSON-LD beside rdflib."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import rdflib
from measure import Figure, alternately, ratio, seconds
from tables import AS_OF, write_manifest

from lexurn.graph import Format, Statements, statements_of, write
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from measure import Sizes

__all__ = ["nquads", "turtle"]


def nquads(sizes: Sizes) -> list[Figure]:
    """Compare `lexurn describe --manifest`, its start included, with loading what it writes."""
    with tempfile.TemporaryDirectory() as folder:
        table = write_manifest(Path(folder, "acts.csv"), sizes.rows)
        quads = Path(folder, "acts.nq")
        stores = (Path(folder, f"store{n}") for n in range(sizes.heavy_runs))
        ours, disk, memory = alternately(
            sizes.heavy_runs,
            lambda: _write_quads(table, quads),
            lambda: ox.Store(str(next(stores))).bulk_load(path=str(quads)),
            lambda: ox.Store().bulk_load(path=str(quads)),
        )
        with quads.open("rb") as file:
            count = sum(1 for _ in file)
    what = f"manifest of {sizes.rows:,} rows -> {count:,} N-Quads / Oxigraph's bulk load"
    return [
        ratio(f"{what} to disk", ours, disk, most=0.6),
        ratio(f"{what} to memory", ours, memory),
    ]


def _write_quads(table: Path, quads: Path) -> None:
    command = (sys.executable, "-m", "lexurn", "describe", "--manifest", table, "--as-of", AS_OF)
    with quads.open("wb") as out:
        subprocess.run([*map(str, command), "--quiet"], stdout=out, check=True)


def turtle(sizes: Sizes) -> list[Figure]:
    """Compare Turtle and JSON-LD with rdflib's writers, and Turtle with twice the triples."""
    half, whole = _graph(sizes.triples), _graph(2 * sizes.triples)
    graph = rdflib.Graph()
    graph.parse(data=write(half, Format.NTRIPLES), format="nt")
    ours, twice, theirs, jsonld, their_jsonld = alternately(
        sizes.runs,
        lambda: write(half, Format.TURTLE),
        lambda: write(whole, Format.TURTLE),
        lambda: graph.serialize(format="turtle"),
        lambda: write(half, Format.JSONLD),
        lambda: graph.serialize(format="json-ld"),
        clock=time.process_time,
    )
    return [
        ratio(f"Turtle of {len(graph):,} triples / rdflib's writer", ours, theirs, least=20),
        Figure(
            what=f"Turtle of {2 * sizes.triples:,} triples / of {sizes.triples:,}",
            ours=seconds(twice),
            other=seconds(ours),
            value=f"{twice / ours:.2f}",
            aim="<= 2.2",
            met=twice / ours <= 2.2,  # the aim
        ),
        ratio(f"JSON-LD of {len(graph):,} triples / rdflib's", jsonld, their_jsonld, least=8),
    ]


def _graph(triples: int) -> Statements:
    """Just so many whole families that the graph has about ``triples`` triples."""
    with tempfile.TemporaryDirectory() as folder:
        table = write_manifest(Path(folder, "acts.csv"), triples // 5)
        layers: list[Statements] = []
        count = 0
        with open_manifest(table) as manifest:
            for family in manifest.families():
                layers.append(statements_of(family, as_of=AS_OF))
                last = layers[-1]
                count += len(last.decoded) + len(last.catalogued) + len(last.computed)
                if count >= triples:
                    break
    return Statements(
        decoded=tuple(t for each in layers for t in each.decoded),
        catalogued=tuple(t for each in layers for t in each.catalogued),
        computed=tuple(t for each in layers for t in each.computed),
    )
