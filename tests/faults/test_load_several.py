"""Loads by several processes: what comes of them is what one process makes of it."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from sizes import one_in

from lexurn.catalogue import (
    Catalogue,
    LoadOptions,
    load,
    load_manifest,
    load_rdf,
    loading,
    open_catalogue,
    open_rdf_source,
    rdf_source,
    rebuild,
)
from lexurn.catalogue.index import Index
from lexurn.manifest import open_manifest, rows
from lexurn.registry import REGISTRY_BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.catalogue import LoadReport, RdfSource
    from lexurn.findings import Finding

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
LAYER = "<https://w3id.org/lexurn/ns#catalogued>"
TERMS = "http://purl.org/dc/terms/"
LEXO = "https://w3id.org/lexurn/ns#"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
LAW = "urn:lex:it:stato:legge:1901-01-01;{}"
SIZE = '<http://www.w3.org/ns/dcat#byteSize> "{}"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>'
LARGE = 60
FOREIGN = [
    "no statement at all",
    f'<{LAW.format(1)}> <{TERMS}abstract> "x" {LAYER} .',
    f'<{LAW.format(2)}> <{TERMS}issued> "yesterday" {LAYER} .',
    f'<{LAW.format(3)}> <{TERMS}title> "x"@it-a {LAYER} .',
    f'<https://x.example/a.pdf> <http://www.w3.org/ns/dcat#byteSize> "1" {LAYER} .',
    *(f'<{LAW.format(n)}> <{TERMS}title> "Legge" {LAYER} .' for n in range(1, 9)),
    f"<{LAW.format(4)}> {SAME} <{LAW.format(5)}> {LAYER} .",
    f"<{LAW.format(5)}> {SAME} <{LAW.format(4)}> {LAYER} .",
    *(f"<{LAW.format(n)}> <{LEXO}item> <https://x.example/b.pdf> {LAYER} ." for n in (6, 7)),
    *(f"<https://x.example/b.pdf> {SIZE.format(size)} {LAYER} ." for size in (1, 2)),
    *(f'<{LAW.format(9)}~art{n}> <{TERMS}title> "x" {LAYER} .' for n in range(LARGE + 9)),
    f'<{LAW.format(10)}> <{TERMS}title> "Legge" {LAYER} .',
]
TABLES = ("alias_set", "act", "detail", "copy", "spelling", "journal")


class Loaded(NamedTuple):
    """What a load left behind, and what it said."""

    store: list[str]
    index: list[list[tuple[object, ...]]]
    rejects: bytes
    said: list[object]
    counts: dict[str, int]
    report: dict[str, int]

    @property
    def unnumbered(self) -> Loaded:
        """The same without the numbers of alias sets."""
        keys = {row[0]: row[1] for row in self.index[0]}
        acts = [(row[0], keys[row[1]], *row[2:]) for row in self.index[1]]
        copies = [(row[0], keys[row[1]], *row[2:]) for row in self.index[3]]
        sets = [row[1:] for row in self.index[0]]
        tables = (sets, acts, self.index[2], copies, *self.index[4:])
        return self._replace(index=[sorted(table, key=repr) for table in tables])

    @property
    def unrejected(self) -> Loaded:
        """The same without what was rejected: who is given families knows not what they come of."""
        return self.unnumbered._replace(rejects=b"", said=[], counts={})


@pytest.fixture(autouse=True)
def small_lots(monkeypatch) -> None:
    monkeypatch.setattr(loading, "_NAMES_AT_ONCE", 30)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", 30)
    monkeypatch.setattr(rdf_source, "_NODES_AT_ONCE", 30)
    monkeypatch.setattr(rdf_source, "_LARGEST", LARGE)
    monkeypatch.setattr(Catalogue, "portion", 100_000)  # some lots of these


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Quads of an eighth of the acts: each process reads some lots of them."""
    every = lines_of(families_in(ACTS)[:: one_in(8)], BASE)
    return [line for line in every if not line.startswith(f"<{REGISTRY_BASE}")]


def by_families(catalogue: Catalogue, source: RdfSource, options: LoadOptions) -> LoadReport:
    """The load of one process."""
    return load(catalogue, source.families(), options)


WAYS: dict[str, tuple[Callable[..., LoadReport], int]] = {
    "families": (by_families, 1),
    "alone": (load_rdf, 1),
    "two": (load_rdf, 2),
}


def loaded(place: Path, lines: list[str], way: str, *, check: bool = False) -> Loaded:
    said: list[object] = []
    run, jobs = WAYS[way]
    options = LoadOptions(as_of=AS_OF, check=check, jobs=jobs, on_refused=said.append)
    rejects = place.with_suffix(".rejects.nq")
    data = io.BytesIO("".join(f"{line.rstrip()}\n" for line in lines).encode())
    with (
        open_catalogue(place, write=True, base=BASE) as catalogue,
        open_rdf_source([data], format="nq", rejects=rejects, on_finding=said.append) as source,
    ):
        report = run(catalogue, source, options)
        return Loaded(
            store=held(catalogue),
            index=list(tables(catalogue)),
            rejects=rejects.read_bytes() if source.rejects else b"",
            said=said,
            counts=dict(source.counts),
            report=dataclasses.asdict(report),
        )


def tables(catalogue: Catalogue) -> Iterator[list[tuple[object, ...]]]:
    index = catalogue.holdings
    assert isinstance(index, Index)
    return (list(index.rows(f"SELECT * FROM {table}")) for table in TABLES)  # noqa: S608 - ours


def changed(lines: list[str]) -> list[str]:
    """Other titles for some, nothing of others, and a copy that somebody else has already."""
    others = [line.replace('"Legge"', '"Legge nuova"') for line in lines[::2]]
    copy = f"<{LAW.format(8)}> <{LEXO}item> <https://x.example/b.pdf> {LAYER} ."
    return [*others, *lines[1 : len(lines) // 2 : 2], copy, *FOREIGN[:5]]


@pytest.mark.parametrize("check", [False, True], ids=["as it is", "checked"])
def test_several_processes_load_what_one_does(tmp_path, lines, check, monkeypatch) -> None:
    if check:  # each lot reads the shapes
        monkeypatch.setattr(loading, "_NAMES_AT_ONCE", 80)
        monkeypatch.setattr(loading, "_NAMES_IN_TASK", 80)
    first, then = [*lines, *FOREIGN], changed([*lines, *FOREIGN])
    runs = {}
    for way in WAYS:
        place = tmp_path / way
        runs[way] = [loaded(place, each, way, check=check) for each in (first, first, then)]
    assert runs["two"] == runs["alone"]
    # Sets that are replaced are numbered anew, some at a time, and others at a time here.
    alone, families = (
        [each.unrejected if check else each.unnumbered for each in runs[way]]
        for way in ("alone", "families")
    )
    assert alone == families
    fresh, again, other = runs["two"]
    assert {"LX980", "LX981", "LX983", "LX984", "LX985"} <= set(fresh.counts)
    assert fresh.counts["LX984"] > LARGE
    assert fresh.rejects.count(b"~art") == LARGE + 9
    assert (fresh.report["refused"] > 0) == check
    assert again.store == fresh.store
    assert again.report["added"] == 0
    assert other.report["replaced"] > 0


def test_several_processes_index_what_one_does(tmp_path, lines) -> None:
    place = tmp_path / "law"
    before = loaded(place, [*lines, *FOREIGN], "two")
    found = []
    for jobs in (1, 2):
        said: list[object] = []
        told: list[int] = []
        count = rebuild(str(place), jobs=jobs, on_progress=told.append, on_finding=said.append)
        with open_catalogue(place) as catalogue:
            found.append((count, told, said, list(tables(catalogue))))
    assert found[0] == found[1]
    assert found[0][0] == before.report["families"]
    assert len(found[0][1]) > 2
    assert [row[1:3] for row in found[0][3][0]] == [row[1:3] for row in before.index[0]]


class StoppedError(Exception):
    """What ends a load."""


@pytest.mark.parametrize("kind", [StoppedError, KeyboardInterrupt])
def test_a_load_that_was_interrupted_goes_on(tmp_path, lines, kind, monkeypatch) -> None:
    monkeypatch.setattr(Catalogue, "portion", 1)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", 10)
    place, expected = tmp_path / "law", loaded(tmp_path / "whole", lines, "alone")
    data = "".join(lines).encode()

    def stop(names: int) -> None:
        if names > 20:
            raise kind

    options = LoadOptions(as_of=AS_OF, jobs=2, on_progress=stop)
    with (
        open_catalogue(place, write=True, base=BASE) as catalogue,
        open_rdf_source([[data]]) as source,
        pytest.raises(kind),
    ):
        load_rdf(catalogue, source, options)
    with open_catalogue(place) as catalogue:
        assert 0 < len(held(catalogue)) < len(expected.store)
    again = loaded(place, lines, "two")
    assert again.store == expected.store
    assert again.report["added"] < expected.report["added"]


def test_a_manifest_read_by_several_processes_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "_PORTION_SIZE", 1 << 16)
    monkeypatch.setattr(loading, "_NAMES_AT_ONCE", 300)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", 300)
    good = "".join(
        f"urn:lex:it:stato:legge:2001-01-01;{n},Atto {n} {'x' * 120}\n" for n in range(1_000)
    )
    table = tmp_path / "rows.csv"
    last = "no name,x\nurn:lex:it:stato:legge:2001-01-01;5,y\n"
    table.write_text(f"urn,title@it\n{good}{last}", encoding="utf-8")
    found: dict[int, tuple[object, ...]] = {}
    for jobs in (1, 2):
        findings: list[Finding] = []
        with (
            open_manifest(
                table, rejects=tmp_path / f"rejects{jobs}.csv", on_finding=findings.append
            ) as manifest,
            open_catalogue(tmp_path / f"c{jobs}", write=True) as catalogue,
        ):
            report = load_manifest(catalogue, manifest, LoadOptions(as_of=AS_OF, jobs=jobs))
            said = [f"{finding.line} {finding.code}" for finding in findings]
            found[jobs] = (report, manifest.rows, manifest.rejected, said, held(catalogue))
        found[jobs] += ((tmp_path / f"rejects{jobs}.csv").read_bytes(),)
    assert found[1] == found[2]
    assert found[1][1:4] == (1_002, 2, ["1002 LX101", "1003 LX531"])
