"""Loads into a catalogue that holds much: in bounded steps, and counted as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of

from lexurn.catalogue import (
    Catalogue,
    LoadOptions,
    load,
    load_manifest,
    load_rdf,
    loading,
    open_catalogue,
    open_rdf_source,
    rebuild,
    refresh,
    withdraw,
)
from lexurn.catalogue import index as index_module
from lexurn.catalogue.index import Index
from lexurn.manifest import open_manifest
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lexurn.catalogue.catalogue import Merge
    from lexurn.model import Family

LAW = "urn:lex:it:stato:legge:2004-01-01;{}"
GAZETTE = "https://gazette.example/1.pdf"
OPTIONS = LoadOptions(as_of=AS_OF, jobs=1)


def table(tmp_path: Path, *rows: str, header: str = "urn,title") -> Sequence[Family]:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join((header, *rows, "")), encoding="utf-8")
    return families_in(path)


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "c")


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[Merge]:
    """What is put into catalogues at a time."""
    merges: list[Merge] = []
    apply = Catalogue.apply

    def noted(catalogue: Catalogue, merge: Merge, **options: Any) -> Merge:
        merges.append(merge)
        return apply(catalogue, merge, **options)

    monkeypatch.setattr(Catalogue, "apply", noted)
    return merges


@pytest.mark.parametrize("names_at_once", [1, 5_000])
def test_each_set_of_a_load_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_at_once: int
) -> None:
    """An alias becomes an act of its own; the other act stays, in whatever lot it comes."""
    monkeypatch.setattr(loading, "_NAMES_AT_ONCE", names_at_once)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", names_at_once)
    header, act, alias = "urn,title,alias_of", LAW.format(1), LAW.format(2)
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        rows = (f"{act},Legge,", f"{alias},,{act}")
        load(catalogue, table(tmp_path, *rows, header=header), OPTIONS)
        rows = (f"{act},Legge,", f"{alias},Altra legge,")
        report = load(catalogue, table(tmp_path, *rows, header=header), OPTIONS)
    assert (report.families, report.added, report.replaced, report.unchanged) == (2, 1, 0, 1)


@pytest.mark.parametrize("names_at_once", [1, 5_000])
def test_a_copy_that_comes_later_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_at_once: int
) -> None:
    monkeypatch.setattr(loading, "_NAMES_AT_ONCE", names_at_once)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", names_at_once)
    acts = [LAW.format(n) for n in (1, 2)]
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        load(catalogue, table(tmp_path, f"{acts[0]},{GAZETTE}", header="urn,url"), OPTIONS)
        rows = (f"{acts[0]},{GAZETTE}", f"{acts[1]},{GAZETTE}")
        load(catalogue, table(tmp_path, *rows, header="urn,url"), OPTIONS)
        found = catalogue.holdings.families(set(acts))
        assert [family.shared for family in found] == [{GAZETTE}, {GAZETTE}]


def test_one_contradiction_costs_few_steps(
    place: str, tmp_path: Path, applied: list[Merge]
) -> None:
    """Some rows of 200 contradict what is held: they are found by halves, not one by one."""
    header = "urn,alias_of"
    refused: list[str] = []
    options = replace(OPTIONS, on_refused=lambda each: refused.append(each.key))
    with open_catalogue(place, write=True) as catalogue:
        aliases = [f"{LAW.format(n)},{LAW.format(f'{n}-bis')}" for n in (7, 150)]
        load(catalogue, table(tmp_path, *aliases, header=header), OPTIONS)
        applied.clear()
        rows = [f"{LAW.format(n)}," for n in range(200) if n not in {7, 150}]
        rows += [f"{LAW.format(f'{n}-bis')},{LAW.format(f'{n}-ter')}" for n in (7, 150)]
        report = load(catalogue, table(tmp_path, *rows, header=header), options)
        assert len(applied) <= 2 * 8
        assert sorted(refused) == [LAW.format("150-bis"), LAW.format("7-bis")]
        assert (report.families, report.added, report.refused) == (198, 198, 2)
        assert report.names == 198
        assert all(catalogue.holdings.family(row[:-1]) is not None for row in rows[:198])


VERSIONS = 12


def many_versions(tmp_path: Path, acts: int) -> Sequence[Family]:
    names = [LAW.format(n) for n in range(acts)]
    rows = [f"{name}@{2005 + n}-01-01:it,Testo" for name in names for n in range(VERSIONS)]
    return table(tmp_path, *names, *rows)


def largest(merges: Sequence[Merge]) -> int:
    return max(sum(len(family.records) for family in merge.old) for merge in merges)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory for the names of about three acts of `many_versions`."""
    for module in (loading, index_module):
        monkeypatch.setattr(module, "MOST_STATED", 3_000)


@pytest.mark.usefixtures("small")
def test_what_changes_at_a_time_is_bounded(
    place: str, tmp_path: Path, applied: list[Merge]
) -> None:
    """A few rows may change much that is held."""
    acts = 20
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, many_versions(tmp_path, acts), OPTIONS)
        applied.clear()
        rows = [f"{LAW.format(n)}@2025-01-01:it,Testo" for n in range(acts)]
        report = load(catalogue, table(tmp_path, *rows), OPTIONS)
        assert (report.added, report.replaced, report.unchanged) == (0, acts, 0)
        assert VERSIONS <= largest(applied) < acts * VERSIONS // 2
        assert sum(len(merge.new) for merge in applied) == acts
        applied.clear()
        assert refresh(catalogue, as_of=AS_OF.replace(year=2010)) == acts
        assert largest(applied) < acts * VERSIONS // 2
        assert refresh(catalogue, as_of=AS_OF) == acts
        applied.clear()
        names = [parse(LAW.format(n)) for n in range(acts)]
        done = list(withdraw(catalogue, names, as_of=AS_OF, on=AS_OF, below=True))
        assert [each.name for each in done if each.name.is_act] == names
        assert len(done) == acts * (VERSIONS + 2)
        assert largest(applied) < acts * VERSIONS // 2


@pytest.mark.usefixtures("small")
def test_what_is_held_of_neighbours_is_bounded(place: str, tmp_path: Path) -> None:
    """Each of some new acts has a copy in common with a large one, which learns of it."""
    acts = 8
    with open_catalogue(place, write=True) as catalogue:
        header = "urn,title,url"
        names = [f"{LAW.format(n)}@{2005 + v}-01-01:it" for n in range(acts) for v in range(8)]
        copies = [f"{LAW.format(n)}$x.it:pdf,,https://x.example/{n}" for n in range(acts)]
        rows = [*(f"{name},Testo," for name in names), *copies]
        large = table(tmp_path, *rows, header=header)
        load(catalogue, large, OPTIONS)
        rows = [f"{LAW.format(f'{n}-bis')}$x.it:pdf,,https://x.example/{n}" for n in range(acts)]
        new = table(tmp_path, *rows, header=header)
        report = load(catalogue, new, OPTIONS)
        assert (report.added, report.replaced, report.unchanged) == (acts, 0, 0)
        urls = frozenset(f"https://x.example/{n}" for n in range(acts))
        assert held(catalogue) == lines_of([replace(each, shared=urls) for each in (*large, *new)])


def gazette(tmp_path: Path, *sizes: int | str) -> Sequence[Family]:
    """Acts that share a copy, of which each states a size or none."""
    rows = [f"{LAW.format(n)}$x.it:pdf,{GAZETTE},{size}" for n, size in enumerate(sizes)]
    return table(tmp_path, *rows, header="urn,url,bytes")


def test_a_copy_of_very_many_acts_is_not_read(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changes of one act says nothing of the others, and does not ask for all of them."""
    sizes: list[int | str] = [100, *([100, ""] * 60), 100]
    changes: list[dict[int, int | str]] = [{0: ""}, {0: 100}, {3: 100, 4: 100}]
    changes += [{121: 300}, {121: 100}, {0: 200, 121: ""}, {0: 100, 5: 7}]
    asked: list[str] = []
    stated: list[object] = []
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, gazette(tmp_path, *sizes), OPTIONS)
        quads, copies = type(catalogue.store).quads, Index.copies

        def noted(store: object, nodes: Sequence[str]) -> Iterator[str]:
            asked.extend(nodes)
            return quads(store, nodes)  # type: ignore[arg-type]

        def counted(index: Index, url: str, without: Sequence[str]) -> Iterator[object]:
            for item in copies(index, url, without):
                stated.append(item)
                yield item

        monkeypatch.setattr(type(catalogue.store), "quads", noted)
        monkeypatch.setattr(Index, "copies", counted)
        for changed in changes:
            for number, size in changed.items():
                sizes[number] = size
            families = {str(family.key): family for family in gazette(tmp_path, *sizes)}
            load(catalogue, [families[LAW.format(number)] for number in changed], OPTIONS)
            assert held(catalogue) == lines_of(families.values())
            if changed == {0: ""}:
                assert len(stated) <= 1
        assert asked
        assert GAZETTE not in asked


def test_digests_are_asked_for_together(place: str, tmp_path: Path) -> None:
    """Many hashed copies change at once; what else has a digest keeps it."""
    header, many = "urn,url,sha256", 30
    rows = [f"{LAW.format(n)},https://x.example/{n},{n:064x}" for n in range(many)]
    kept = f"{LAW.format('other')},https://x.example/other,{3:064x}"
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, table(tmp_path, *rows, kept, header=header), OPTIONS)
        asked: list[str] = []
        query = catalogue.store.query
        with pytest.MonkeyPatch.context() as patched:
            kind = type(catalogue.store)
            patched.setattr(kind, "query", lambda _, text: (asked.append(text), query(text))[1])
            rows = [f"{LAW.format(n)},https://x.example/{n},{n + 100:064x}" for n in range(many)]
            load(catalogue, table(tmp_path, *rows, header=header), OPTIONS)
        assert len([text for text in asked if "checksum" in text]) <= 1
        assert held(catalogue) == lines_of(table(tmp_path, *rows, kept, header=header))


def test_who_only_learns_of_a_sharer_is_not_counted(place: str, tmp_path: Path) -> None:
    """One act is new and shares the copy of one that is held; another comes again as it is."""
    header = "urn,title,url"
    first = f"{LAW.format(1)}$x.it:pdf,,{GAZETTE}"
    same = f"{LAW.format(2)},Legge,"
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, table(tmp_path, first, same, header=header), OPTIONS)
        new = f"{LAW.format(3)}$x.it:pdf,,{GAZETTE}"
        report = load(catalogue, table(tmp_path, new, same, header=header), OPTIONS)
        assert (report.added, report.replaced, report.unchanged) == (1, 0, 1)
        assert (report.families, report.refused) == (2, 0)
        assert held(catalogue) == lines_of(table(tmp_path, first, same, new, header=header))


BROKEN = "in_force_from,in_force_until"


def test_what_shares_a_copy_with_what_is_refused_has_it_alone(place: str, tmp_path: Path) -> None:
    """Where a row is turned down, nobody shares a copy with it."""
    header = f"urn,url,{BROKEN}"
    good = f"{LAW.format(1)}@2005-01-01:it$x.it:pdf,https://x.example/a https://x.example/b,,"
    more = f"{LAW.format(4)}@2005-01-01:it$x.it:pdf,https://x.example/b,,"
    bad = f"{LAW.format(2)}@2005-01-01:it,https://x.example/a,2006-01-01,2005-01-01"
    path = tmp_path / "rows.csv"
    with open_catalogue(place, write=True) as catalogue:
        for _ in range(2):
            path.write_text(f"{header}\n{good}\n{more}\n{bad}\n", encoding="utf-8")
            with open_manifest(path) as manifest:
                options = replace(OPTIONS, check=True)
                report = load_manifest(catalogue, manifest, options)
            assert (report.families, report.refused) == (2, 1)
            assert held(catalogue) == lines_of(table(tmp_path, good, more, header=header))


@pytest.mark.parametrize("before", [0, 1])
def test_rdf_that_is_refused_goes_to_the_rejects(tmp_path: Path, before: int) -> None:
    good = table(tmp_path, f"{LAW.format(1)},,", header=f"urn,{BROKEN}")
    bad = table(
        tmp_path,
        f"{LAW.format(2)}@2005-01-01:it,2006-01-01,2005-01-01",
        header=f"urn,{BROKEN}",
    )
    said: list[object] = []
    lines = [line.encode() for line in lines_of((*good, *bad))]
    with (
        open_catalogue(tmp_path / "c", write=True) as catalogue,
        open_rdf_source([lines], rejects=tmp_path / "rejects.nq", on_finding=said.append) as source,
    ):
        load(catalogue, good[:before], OPTIONS)
        options = replace(OPTIONS, check=True, on_refused=said.append)
        assert load_rdf(catalogue, source, options).refused == 1
        assert held(catalogue) == lines_of(good)
        assert source.rejected
        assert len(said) == 2
    stated = {line for line in lines_of(bad) if "#catalogued>" in line}
    assert stated <= set((tmp_path / "rejects.nq").read_text("utf-8").splitlines(keepends=True))


def test_a_set_of_many_copies_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of an alias set is one of names, wherever it comes from."""
    from lexurn.catalogue import rdf_source  # noqa: PLC0415 - what is made small here

    monkeypatch.setattr(rdf_source, "_LARGEST", 30)
    header = "urn,url,sha256"
    rows = [f"{LAW.format(1)}~art{n},https://x.example/{n},{n:064x}" for n in range(25)]
    families = table(tmp_path, *rows, header=header)
    place = tmp_path / "c"
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, families, OPTIONS)
    assert rebuild(str(place), jobs=1) == 1
    with open_catalogue(place) as catalogue:
        assert catalogue.holdings.families([LAW.format(1)]) == families


def test_names_below_are_found_among_those_of_their_act(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long list is withdrawn in steps of its length, not of its square."""
    acts = 30
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        load(catalogue, many_versions(tmp_path, acts), OPTIONS)
        names = [parse(LAW.format(n)) for n in range(acts)]
        kind = type(names[0])
        looked: list[object] = []
        ancestors = kind.ancestors
        with monkeypatch.context() as patched:
            patched.setattr(kind, "ancestors", lambda n: (looked.append(n), ancestors(n))[1])
            done = list(withdraw(catalogue, names, as_of=AS_OF, on=AS_OF, below=True))
    assert len(done) == acts * (VERSIONS + 1)
    assert len(looked) < 6 * acts * (VERSIONS + 1)
