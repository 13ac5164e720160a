"""Graphs: a manifest as N-Quads beside Oxigraph's bulk load, Turtle beside rdflib's writer."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import rdflib
from measure import Figure, alternately, ratio, seconds
from tables import AS_OF, write_manifest

from lexurn.graph import Format, Statements, nquads_of, statements_of, write
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from measure import Sizes

__all__ = ["nquads", "turtle"]


def nquads(sizes: Sizes) -> list[Figure]:
    """Compare making N-Quads of a manifest with loading them."""
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
        ratio(f"{what} to disk", ours, disk, most=1.0),
        ratio(f"{what} to memory", ours, memory),
    ]


def _write_quads(table: Path, quads: Path) -> None:
    with open_manifest(table) as manifest, quads.open("wb") as out:
        for family in manifest.families():
            out.write(nquads_of(family, as_of=AS_OF))


def turtle(sizes: Sizes) -> list[Figure]:
    """Compare writing Turtle with rdflib's writer, and with a graph of twice the size."""
    half, whole = _graph(sizes.triples), _graph(2 * sizes.triples)
    graph = rdflib.Graph()
    graph.parse(data=write(half, Format.NTRIPLES), format="nt")
    ours, twice, theirs = alternately(
        sizes.runs,
        lambda: write(half, Format.TURTLE),
        lambda: write(whole, Format.TURTLE),
        lambda: graph.serialize(format="turtle"),
    )
    return [
        ratio(f"Turtle of {len(graph):,} triples / rdflib's writer", ours, theirs, least=20),
        Figure(
            what=f"Turtle of {2 * sizes.triples:,} triples / of {sizes.triples:,}",
            ours=seconds(twice),
            other=seconds(ours),
            value=f"{twice / ours:.2f}",
            aim="<= 2.2",
            met=twice / ours <= 2.2,  # noqa: PLR2004 - the aim
        ),
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
