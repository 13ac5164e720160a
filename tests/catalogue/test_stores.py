"""A catalogue in a folder: loaded, changed, queried, withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from catalogue_parts import AS_OF, held, keys_of, lines_of

import lexurn
from lexurn.catalogue import (
    LoadOptions,
    compute_stats,
    dump,
    load,
    load_manifest,
    open_catalogue,
    refresh,
    withdraw,
)
from lexurn.manifest import open_manifest
from lexurn.store import NamedRows, ready

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue import Catalogue
    from lexurn.model import Family

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
OPTIONS = LoadOptions(as_of=AS_OF, jobs=1)


@pytest.fixture(scope="module")
def families() -> Sequence[Family]:
    with open_manifest(ACTS) as manifest:
        return tuple(manifest.families())


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "c")


@pytest.fixture(params=[None, BASE])
def catalogue(
    request: pytest.FixtureRequest, place: str, families: Sequence[Family]
) -> Iterator[Catalogue]:
    with open_catalogue(place, write=True, base=request.param) as opened:
        assert opened.holdings.is_empty()
        report = load(opened, families, OPTIONS)
        assert (report.added, report.refused) == (len(families), 0)
        yield opened


def table(tmp_path: Path, text: str) -> Sequence[Family]:
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8")
    with open_manifest(path) as manifest:
        return tuple(manifest.families())


def test_what_was_loaded_is_held(catalogue: Catalogue, families: Sequence[Family]) -> None:
    assert held(catalogue) == lines_of(families, catalogue.base)
    assert list(catalogue.holdings.keys()) == keys_of(families)
    assert not catalogue.holdings.is_empty()
    acts = [str(family.key) for family in families]
    assert tuple(catalogue.holdings.families(acts)) == families


def test_the_same_again_changes_nothing(catalogue: Catalogue, families: Sequence[Family]) -> None:
    before = held(catalogue)
    report = load(catalogue, families, OPTIONS)
    assert (report.added, report.replaced, report.unchanged) == (0, 0, len(families))
    assert held(catalogue) == before


def test_manifests_are_loaded_by_several_processes(place: str, families: Sequence[Family]) -> None:
    with open_manifest(ACTS) as manifest, open_catalogue(place, write=True) as opened:
        options = LoadOptions(as_of=AS_OF, jobs=2)
        report = load_manifest(opened, manifest, options)
        assert report.added == len(families)
        assert held(opened) == lines_of(families)


def test_a_row_replaces_the_row_of_its_name(catalogue: Catalogue, tmp_path: Path) -> None:
    name = "urn:lex:it:stato:legge:2099-09-21;456"
    before = held(catalogue)
    head = "urn,title@it,url,bytes\n"
    first = table(tmp_path, f"{head}{name},Uno,https://example.org/a,1\n")
    second = table(tmp_path, f"{head}{name},Due,https://example.org/b,2\n")
    assert load(catalogue, first, OPTIONS).added == 1
    report = load(catalogue, second, OPTIONS)
    assert (report.added, report.replaced, report.unchanged) == (0, 1, 0)
    assert held(catalogue) == sorted({*before, *lines_of(second, catalogue.base)})


def test_a_copy_that_two_works_have_is_the_exemplar_of_none(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    first, second = (f"urn:lex:it:stato:legge:2099-01-0{n};{n}$x.it:text-html" for n in (1, 2))
    gazette = "https://example.org/gazette"
    row = "urn,url\n{0},{1}\n"
    before = set(held(catalogue))
    exemplar = "<http://purl.org/vocab/frbr/core#exemplar>"
    load(catalogue, table(tmp_path, row.format(first, gazette)), OPTIONS)
    alone = held(catalogue)
    assert any(exemplar in line and gazette in line for line in alone)
    load(catalogue, table(tmp_path, row.format(second, gazette)), OPTIONS)
    assert not any(exemplar in line and gazette in line for line in held(catalogue))
    load(catalogue, table(tmp_path, row.format(second, "https://example.org/own")), OPTIONS)
    assert set(alone) <= set(held(catalogue))
    load(catalogue, table(tmp_path, row.format(first, "")), OPTIONS)
    gone = set(held(catalogue)) - before
    assert not any(gazette in line for line in gone)


def test_aliases_join_works_and_part_them(catalogue: Catalogue, tmp_path: Path) -> None:
    one, two, three = (f"urn:lex:it:stato:legge:2099-01-01;{n}" for n in (1, 2, 3))
    before = set(held(catalogue))
    head = "urn,title@it,alias_of\n"
    load(catalogue, table(tmp_path, f"{head}{one},A,\n{two},B,\n{three},C,\n"), OPTIONS)
    load(catalogue, table(tmp_path, f"{head}{one},A,{two}\n"), OPTIONS)
    joined = catalogue.holdings.family(one)
    assert joined is not None
    assert str(joined.key) == two
    load(catalogue, table(tmp_path, f"{head}{one},A,{three}\n"), OPTIONS)
    wanted = table(tmp_path, f"{head}{one},A,{three}\n{two},B,\n{three},C,\n")
    assert set(held(catalogue)) - before == set(lines_of(wanted, catalogue.base)) - before
    parted = catalogue.holdings.family(two)
    assert parted is not None
    assert [str(record.name) for record in parted.records] == [two]


def test_another_day_changes_what_is_in_force_only(
    catalogue: Catalogue, families: Sequence[Family]
) -> None:
    changed = refresh(catalogue, as_of=AS_OF.replace(year=1990))
    gone = set(lines_of(families, catalogue.base)) - set(held(catalogue))
    assert changed
    assert {line.rsplit(" ", 2)[1] for line in gone} == {"<https://w3id.org/lexurn/ns#computed>"}
    assert refresh(catalogue, as_of=AS_OF) == changed
    assert held(catalogue) == lines_of(families, catalogue.base)


def test_it_is_queried_and_counted(catalogue: Catalogue, families: Sequence[Family]) -> None:
    answer = catalogue.store.query(ready("acts-on", date="1990-08-07"))
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    assert [row["act"].value for row in answer] == ["urn:lex:it:stato:legge:1990-08-07;241"]
    stats = compute_stats(catalogue.store)
    assert sum(stats.quads.values()) == len(lines_of(families, catalogue.base))
    assert stats.withdrawn == 1


def test_rows_are_described_and_stay_to_be_read(catalogue: Catalogue) -> None:
    rows = catalogue.query("SELECT ?n ?sign { VALUES (?n ?sign) { (1 '+') (2 UNDEF) } }")
    assert isinstance(rows, NamedRows)
    told = "<NamedRows of n, sign: 2 to read\n  {'n': 1, 'sign': '+'}\n  {'n': 2, 'sign': None}>"
    assert [repr(rows), repr(rows)] == [told, told]
    assert [row["n"] for row in rows] == [1, 2]
    assert repr(rows) == "<NamedRows of n, sign: 0 to read>"
    rows.close()
    assert repr(rows) == "<NamedRows: The answer is closed and cannot be read any more.>"


def test_many_and_long_rows_are_described_in_a_short_text(catalogue: Catalogue) -> None:
    values = " ".join(f"'{number:09}{'x' * 1000}'" for number in range(150))
    rows = catalogue.query(f"SELECT ?text {{ VALUES ?text {{ {values} }} }}")
    head, *shown, more = repr(rows).splitlines()
    assert (head, more.strip()) == ("<NamedRows of text: more than 100 to read", "...>")
    assert (len(shown), max(map(len, shown))) == (5, 305)
    assert isinstance(rows, NamedRows)
    assert [row["text"] for row in rows] == [text.strip("'") for text in values.split()]


def test_names_are_resolved(catalogue: Catalogue) -> None:
    answer = lexurn.resolve("urn:nir:stato:lege:1990;241#art2", catalogue.holdings, date=AS_OF)
    assert [str(c.name) for c in answer.candidates] == ["urn:lex:it:stato:legge:1990-08-07;241"]


def test_names_are_withdrawn_never_forgotten(catalogue: Catalogue) -> None:
    name = lexurn.parse("urn:lex:it:stato:legge:1990-08-07;241")
    before = set(held(catalogue))
    outcomes = [each.outcome for each in withdraw(catalogue, [name], on=AS_OF, as_of=AS_OF)]
    assert [str(each) for each in outcomes] == ["withdrawn"]
    after = set(held(catalogue))
    assert before <= after
    assert {line.split(" ")[1] for line in after - before} == {
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
        "<http://xmlns.com/foaf/0.1/primaryTopic>",
        "<https://w3id.org/lexurn/ns#status>",
        "<https://w3id.org/lexurn/ns#withdrawnOn>",
    }
    assert lexurn.resolve(name, catalogue.holdings, date=AS_OF).match == "withdrawn"


def test_its_dump_is_canonical(
    catalogue: Catalogue, families: Sequence[Family], tmp_path: Path
) -> None:
    dump(catalogue.store, tmp_path / "dump.nq")
    text = (tmp_path / "dump.nq").read_text(encoding="utf-8")
    lines = [f"{line}\n" for line in text.split("\n") if line]
    assert lines == sorted(lines_of(families, catalogue.base), key=str.encode)
