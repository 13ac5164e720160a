"""An act with many versions: its graph and its site grow with their number, and no faster."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from lexurn.graph import nquads_of
from lexurn.manifest import open_manifest
from lexurn.publishing import publish

if TYPE_CHECKING:
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:1900-01-01;1"
AS_OF = dt.date(2024, 1, 1)
COUNTS = (110, 180, 250)
# Pages at both ends of a chain are shorter. Quadratic growth would be 1.67.
SLACK = 1.05


def manifest(folder: Path, count: int) -> Path:
    first = dt.date(1900, 1, 2).toordinal()
    days = (dt.date.fromordinal(first + each) for each in range(count - 1))
    rows = ["urn,title@it", f"{ACT},Legge", f"{ACT}@originale:it,"]
    rows += [f"{ACT}@{day.isoformat()}:it," for day in days]
    path = folder / f"{count}.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def is_linear(sizes: list[int]) -> bool:
    small, middle, large = sizes
    return large - middle <= (middle - small) * SLACK


def test_quads_and_bytes_of_the_graph_are_linear(tmp_path: Path) -> None:
    graphs = []
    for count in COUNTS:
        with open_manifest(manifest(tmp_path, count)) as table:
            graphs.append(b"".join(nquads_of(each, as_of=AS_OF) for each in table.families()))
    assert is_linear([graph.count(b"\n") for graph in graphs])
    assert is_linear([len(graph) for graph in graphs])


def test_bytes_of_the_site_are_linear_and_pages_link_to_neighbours(tmp_path: Path) -> None:
    sizes = []
    for count in COUNTS:
        out = tmp_path / str(count)
        table = manifest(tmp_path, count)
        publish(table, out, base="https://law.example", as_of=AS_OF, check=lambda _: (), workers=1)
        sizes.append(sum(each.stat().st_size for each in out.rglob("index.*")))
    assert is_linear(sizes)
    work = out / "lex" / "it" / "stato" / "legge" / "1900-01-01;1"
    entries = re.compile("<li[^>]* data-from=")
    assert len(entries.findall((work / "index.html").read_text("utf-8"))) == COUNTS[-1]
    page = (work / "@" / "1900-06-30" / "it" / "index.html").read_text("utf-8")
    assert len(entries.findall(page)) == 21
    assert f"Altre {COUNTS[-1] - 21} versioni sono nella pagina dell" in page
    assert len(re.findall('rel="[^"]*DCTERMS.replaces"', page)) == 100
