"""Minting in a folder beside others: readers, loads, and what a failed commit leaves."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF

from lexurn.catalogue import LoadOptions, load, open_catalogue, open_minter
from lexurn.catalogue import given as given_module
from lexurn.catalogue.index import Index
from lexurn.errors import CatalogueError
from lexurn.model import Record, families_of
from lexurn.name import parse
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = "urn:lex:it:stato:legge:2003-09-21;"
LEGGE = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21"}
OPTIONS = LoadOptions(as_of=AS_OF, jobs=1)


@pytest.fixture
def law(tmp_path: Path) -> Path:
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, families_of([Record(name=parse(f"{BEFORE}456"))]), OPTIONS)
    return tmp_path / "law"


def test_who_lists_names_without_haste_keeps_nobody_from_minting(
    law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(given_module.Minter, "longest_wait", 0.1)
    monkeypatch.setattr(given_module, "_BATCH", 2)
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        names = [str(given.mint({**LEGGE, "number": n}).name) for n in range(1, 6)]
        waiting = given.waiting()
        listed = [next(waiting).name]
        with open_catalogue(law) as other, open_minter(other) as minting:
            assert str(minting.mint({**LEGGE, "number": 9}).name) == f"{BEFORE}9"
        listed += [each.name for each in waiting]
    assert listed == [*names, f"{BEFORE}9"]


def test_who_could_not_commit_mints_when_the_way_is_free(
    law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(given_module.Minter, "longest_wait", 0.1)
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        given.mint({**LEGGE, "number": 1})
        reader = sqlite3.connect(law / "given.sqlite", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM given").fetchall()
        for _ in range(2):
            with pytest.raises(
                CatalogueError, match=r"other processes mint without a pause\. Try again"
            ):
                given.mint({**LEGGE, "number": 2})
        reader.close()
        assert str(given.mint({**LEGGE, "number": 2}).name) == f"{BEFORE}2"
        assert [each.name for each in given.waiting()] == [f"{BEFORE}1", f"{BEFORE}2"]


def test_what_a_load_has_begun_is_read_once(law: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many names are minted, and in however many writings their numbers are looked for."""
    arriving = [f"{BEFORE}{number}" for number in ("700", "0701@2005-01-01:it", "lex-5")]
    found: list[str | None] = []
    read: list[str | None] = []
    fill, pending = EmbeddedStore.fill, Index.pending

    def noted(index: Index) -> str | None:
        read.append(pending(index))
        return read[-1]

    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:

        def look(store: EmbeddedStore, nquads: bytes) -> None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Index, "pending", noted)
                for fields in ({"number": "700"}, {"number": "701"}, {"unnumbered": True}):
                    minted = given.mint({**LEGGE, **fields})
                    found.extend(each.code for each in minted.findings)
                    found.append(None if minted.name is None else str(minted.name))
            fill(store, nquads)

        monkeypatch.setattr(EmbeddedStore, "fill", look)
        with open_catalogue(law, write=True) as writing:
            load(writing, families_of([Record(name=parse(name)) for name in arriving]), OPTIONS)
    assert found == ["LX770", None, "LX776", f"{BEFORE}701", f"{BEFORE}lex-6"]
    assert len(read) == 1


def test_a_reader_does_not_read_what_a_load_has_begun(
    law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = EmbeddedStore.fill
    opened: list[bool] = []

    def look(store: EmbeddedStore, nquads: bytes) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.delattr(Index, "pending")
            with open_catalogue(law) as reader:
                opened.append(reader.holdings.family(f"{BEFORE}456") is not None)
        fill(store, nquads)

    monkeypatch.setattr(EmbeddedStore, "fill", look)
    with open_catalogue(law, write=True) as writing:
        load(writing, families_of([Record(name=parse(f"{BEFORE}9"))]), OPTIONS)
    assert opened == [True]
