"""A catalogue of many works: load, memory, resolver, ready queries, and the check of the whole.

A document has two rows and about forty quads. With a million of them this takes an hour, so it is
small by default: ``run.py catalogue --works 1000000`` gives the figures of a nation.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
from measure import Figure, ratio, run_command, seconds, timed
from tables import AS_OF, act_of, write_documents

import lexurn
from lexurn.catalogue import open_catalogue, optimize
from lexurn.graph import Statements, nquads_of, statements_of
from lexurn.manifest import open_manifest
from lexurn.shacl import validate
from lexurn.store import list_ready_queries, query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from measure import Run, Sizes

    from lexurn.catalogue import Catalogue

__all__ = ["catalogue"]

_LOOK_UPS = 2_000
_MOST_MEGABYTES = 2_000
_MOST_DISK = 1.4
_FLAT = 1.3
_MOST_EXACT = 0.005
_MOST_PARTIAL = 0.05
_REFERENCE = 1_000
_QUERY_RUNS = 7
_PAGE = 200
_MOST_LISTED = 0.1
_LIMITED_QUERIES = 50
_MOST_LIMITED = 0.003
_FEWEST = 2
_ENOUGH = 2.0
_OXIGRAPH = (
    "import pyoxigraph, sys, time; s = pyoxigraph.Store(sys.argv[2]); t = time.process_time();"
    "s.bulk_load(path=sys.argv[1], format=pyoxigraph.RdfFormat.N_QUADS); s.flush();"
    "print(time.process_time() - t)"
)


def catalogue(sizes: Sizes) -> Iterator[Figure]:
    """Figures on a catalogue of ``sizes.works`` works."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _loads(folder, sizes.works)
        place = folder / "catalogue"
        with open_catalogue(place) as opened:
            yield from _look_ups(opened, sizes.works)
        # Some go through all acts: of a million that takes minutes each, and says nothing more.
        with open_catalogue(folder / "tenth") as opened:
            yield from _queries(opened)
        yield from _checks(folder, sizes.works)


def _loads(folder: Path, works: int) -> Iterator[Figure]:
    manifest = write_documents(folder / "acts.csv", works)
    tenth = write_documents(folder / "tenth.csv", works // 10)
    quads = _write_quads(manifest, folder / "acts.nq")
    other = float(_run(sys.executable, "-c", _OXIGRAPH, folder / "acts.nq", folder / "bare"))
    (folder / "acts.nq").unlink()
    whole = _load(manifest, folder / "catalogue")
    what = f"load of {works:,} documents ({quads:,} quads) / Oxigraph's load of the N-Quads"
    yield ratio(what, whole.seconds, other, most=1.6)
    checked = _load(manifest, folder / "checked", "--check")
    yield ratio("the same, each work checked by the shapes", checked.seconds, other, most=3)
    disk = whole.bytes
    bare = sum(each.stat().st_size for each in (folder / "bare").rglob("*"))
    yield Figure(
        what="disk of that load, not optimized / of Oxigraph's",
        ours=f"{disk / 1e6:.0f} MB",
        other=f"{bare / 1e6:.0f} MB",
        value=f"{disk / bare:.2f}",
        aim=f"<= {_MOST_DISK}",
        met=disk / bare <= _MOST_DISK,
    )
    part = _load(tenth, folder / "tenth")
    yield Figure(
        what=f"peak memory of that load / of {works // 10:,} documents",
        ours=f"{whole.megabytes:.0f} MB",
        other=f"{part.megabytes:.0f} MB",
        value=f"{whole.megabytes / part.megabytes:.2f}",
        aim=f"< {_MOST_MEGABYTES} MB, flat",
        met=whole.megabytes < _MOST_MEGABYTES and whole.megabytes / part.megabytes < _FLAT,
    )


def _load(manifest: Path, place: Path, *options: str) -> Run:
    """Load a manifest; the time is that of all processes, the memory that of the largest."""
    given = (*options, "--as-of", str(AS_OF), "--quiet")
    return run_command("catalogue", "load", str(manifest), "--catalogue", str(place), *given)


def _run(*command: object) -> str:
    run = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=True)
    return run.stdout


def _write_quads(manifest: Path, path: Path) -> int:
    count = 0
    with open_manifest(manifest) as rows, path.open("wb") as file:
        for family in rows.families():
            text = nquads_of(family, as_of=AS_OF)
            count += text.count(b"\n")
            file.write(text)
    return count


def _look_ups(opened: Catalogue, works: int) -> Iterator[Figure]:
    store, holdings = opened.store, opened.holdings
    chosen = random.Random(9676)
    acts = [act_of(chosen.randint(1, works)) for _ in range(_LOOK_UPS)]
    bare = "SELECT ?p ?o WHERE {{ <{0}> ?p ?o }}"
    ours, other = _each(
        acts,
        lambda act: lexurn.resolve(act, holdings, date=AS_OF),
        lambda act: list(store.query(bare.format(act))),  # type: ignore[arg-type]
    )
    yield ratio("exact resolve / bare look-up in the store, median", ours[0], other[0], most=3)
    yield _slowest("exact resolve, p99 / bare look-up, p99", ours[1], other[1], _MOST_EXACT)
    for what, change in _CHANGES.items():
        (taken,) = _each(
            [change(act) for act in acts],
            lambda act: lexurn.resolve(act, holdings, date=AS_OF),
        )
        text = f"resolve of {what}, p99 / bare look-up, p99"
        yield _slowest(text, taken[1], other[1], _MOST_PARTIAL)


def _year(act: str) -> str:
    start, _, rest = act.partition("-")
    return f"{start};{rest.partition(';')[2]}"


_CHANGES: dict[str, Callable[[str], str]] = {
    "a year for a date": _year,
    "a letter too many": lambda act: act.replace(":it:", ":it:").replace("e:", "ee:", 1),
    "another authority": lambda act: act.replace("stato", "parlamento"),
    "a number that no act has": lambda act: f"{act}999999",
}


def _each(acts: Sequence[str], *works: Callable[[str], object]) -> tuple[tuple[float, float], ...]:
    """Median and p99 of each work; done in turn for each act, so that drift falls on all."""
    taken = [[timed(partial(work, act)) for work in works] for act in acts]
    columns = map(sorted, zip(*taken, strict=True))
    return tuple((each[len(each) // 2], each[len(each) * 99 // 100]) for each in columns)


def _slowest(what: str, ours: float, other: float, most: float) -> Figure:
    return Figure(
        what=what,
        ours=seconds(ours),
        other=seconds(other),
        value=f"{ours / other:.1f}",
        aim=f"< {seconds(most)}",
        met=ours < most,
    )


def _queries(opened: Catalogue) -> Iterator[Figure]:
    bare = pyoxigraph.Store.read_only(str(Path(opened.location) / "store"))
    given = {"act": act_of(7), "work": act_of(7), "name": act_of(7), "authority": "stato"}
    for each in list_ready_queries():
        text = each.bound(
            {p.name: given.get(p.name, p.example) for p in each.parameters if p.default is None}
        )
        is_listed = opened.answer_from_lists(text) is not None
        ask = opened.query if is_listed else partial(query, opened.store)
        ours: list[float] = []
        other: list[float] = []
        # The first run may read from disk what the others find in memory.
        while len(ours) < _FEWEST or (len(ours) < _QUERY_RUNS and sum(ours) < _ENOUGH):
            ours.append(timed(lambda: _read_page(ask(text))))  # noqa: B023 - used in its turn
            other.append(
                timed(lambda: _read_page(bare.query(text, use_default_graph_as_union=True)))  # noqa: B023 - used in its turn
            )
        what = f"ready query {each.name}, {_PAGE} rows / the same SPARQL in pyoxigraph"
        if is_listed:
            yield _slowest(what, min(ours), min(other), _MOST_LISTED)
        else:
            yield ratio(what, min(ours), min(other), most=1.1)
    yield _limited(opened)


def _limited(opened: Catalogue) -> Figure:
    """Measure a short query with limits, when a process waits for it: sent, answered and read."""
    texts = [f"SELECT ?o {{ <{act_of(number)}> ?p ?o }}" for number in range(_LIMITED_QUERIES + 1)]
    times = sorted(
        timed(lambda: _read_page(opened.query(text, timeout=60.0, memory=500)))  # noqa: B023 - used in its turn
        for text in texts
    )
    ours = times[len(times) // 2]
    return Figure(
        what="query with limits of time and memory, of an open catalogue",
        ours=seconds(ours),
        other="",
        value="",
        aim=f"<= {seconds(_MOST_LIMITED)}",
        met=ours <= _MOST_LIMITED,
    )


def _read_page(answer: object) -> int:
    if isinstance(answer, bool | pyoxigraph.QueryBoolean):
        return 1
    return sum(1 for _ in islice(answer, _PAGE))


def _checks(folder: Path, works: int) -> Iterator[Figure]:
    # What was loaded at once is written anew first, as is done once after a load of much.
    with open_catalogue(folder / "catalogue", write=True) as catalogue:
        optimize(catalogue)
    taken = timed(lambda: _checked(folder / "catalogue", folder / "check.txt"))
    graph = Statements()
    with open_manifest(write_documents(folder / "few.csv", _REFERENCE)) as rows:
        for family in rows.families():
            graph += statements_of(family, as_of=AS_OF)
    reference = timed(lambda: validate(graph, engine="reference"))
    yield ratio(
        f"check of all, each 1,000 documents / pyshacl on {_REFERENCE:,}",
        taken / works * _REFERENCE,
        reference,
        least=60,
    )


def _checked(place: Path, report: Path) -> None:
    """Check a catalogue, which may find something: it must have looked at it.

    Raises:
        SystemExit: it has not.
    """
    command = [sys.executable, "-m", "lexurn", "catalogue", "check", "-c", place, "--out", report]
    run = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode not in {0, 1} or " nodes checked: " not in run.stdout:
        raise SystemExit(f"the check of the catalogue failed, with exit code {run.returncode}")
