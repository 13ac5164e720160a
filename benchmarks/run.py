"""Print how fast lexurn is beside what else does the same: ``python benchmarks/run.py``.

Everything is measured in this run, on this machine, in turn; read the ratios, not the times. Each
benchmark can be run by its name; ``--small`` takes a few minutes.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from measure import Sizes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from measure import Figure

BENCHMARKS = {
    "parse": ("parsing", "parsing"),
    "start": ("processes", "start"),
    "mint": ("minting", "minting"),
    "conversion": ("conversion", "conversion"),
    "turtle": ("writing", "turtle"),
    "nquads": ("writing", "nquads"),
    "shacl": ("validating", "shacl"),
    "memory": ("processes", "memory"),
    "versions": ("versions", "versions"),
    "publishing": ("publishing", "publishing"),
    "embedding": ("embedding", "embedding"),
    "catalogue": ("catalogues", "catalogue"),
}
"""Each benchmark by its name: the module beside this one and its function, loaded when it runs."""

FULL = Sizes(
    rows=100_000,
    triples=14_000,
    documents=1_000,
    works=100_000,
    memory=(10_000, 100_000),
    acts=2_000,
    versions=(1_000, 10_000),
    runs=9,
    heavy_runs=3,
)
SMALL = Sizes(
    rows=10_000,
    triples=14_000,
    documents=100,
    works=5_000,
    memory=(2_000, 10_000),
    acts=200,
    versions=(500, 2_000),
    runs=3,
    heavy_runs=1,
)


def main() -> int:
    """Run the benchmarks asked for and print their table; exit code 1 where an aim is missed."""
    chosen = _arguments()
    sizes = _sizes(chosen)
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    print(_line("what", "lexurn", "other", "ratio", "aim", ""), flush=True)
    met = True
    for name in chosen.names or BENCHMARKS:
        for figure in _figures(name, sizes):
            verdict = {True: "met", False: "MISSED", None: ""}[figure.met]
            met = met and figure.met is not False
            cells = (figure.what, figure.ours, figure.other, figure.value, figure.aim, verdict)
            print(_line(*cells), flush=True)
    return 0 if met else 1


def _figures(name: str, sizes: Sizes) -> Iterable[Figure]:
    module, function = BENCHMARKS[name]
    try:
        benchmark = importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise SystemExit(f"{missing}; run: pip install -e . --group benchmark") from None
    figures: Iterable[Figure] = getattr(benchmark, function)(sizes)
    return figures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--small", action="store_true", help="small sizes, few runs")
    parser.add_argument("--rows", type=int, help="rows of the manifest for nquads")
    parser.add_argument("--triples", type=int, help="triples for turtle")
    parser.add_argument("--documents", type=int, help="documents for shacl")
    parser.add_argument("--works", type=int, help="works of the catalogue")
    parser.add_argument("--memory", type=int, nargs=2, help="rows of the two manifests for memory")
    parser.add_argument("--acts", type=int, help="acts of the site for publishing")
    parser.add_argument("--versions", type=int, nargs=2, help="versions of the two long acts")
    parser.add_argument("--runs", type=int, help="runs of what is quick")
    parser.add_argument("--heavy-runs", type=int, help="runs of what is not")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    return chosen


def _sizes(chosen: argparse.Namespace) -> Sizes:
    given = {
        "rows": chosen.rows,
        "triples": chosen.triples,
        "documents": chosen.documents,
        "works": chosen.works,
        "memory": tuple(chosen.memory) if chosen.memory else None,
        "acts": chosen.acts,
        "versions": tuple(chosen.versions) if chosen.versions else None,
        "runs": chosen.runs,
        "heavy_runs": chosen.heavy_runs,
    }
    start_from = SMALL if chosen.small else FULL
    return replace(start_from, **{key: value for key, value in given.items() if value})


def _line(what: str, ours: str, other: str, value: str, aim: str, verdict: str) -> str:
    cells = f"{what:<78} {ours:>9} {other:>9} {value:>10}  {aim:<16} {verdict}"
    return cells.rstrip()


if __name__ == "__main__":
    sys.exit(main())
