"""What must not make a catalogue unusable, nor give a name out twice: odd quads, refused updates,
a rebuild beside others, a reader who may not write.
"""

from __future__ import annotations

import datetime as dt
import io
import os
import pickle
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, families_in, held
from click.testing import CliRunner

from lexurn.catalogue import (
    LoadOptions,
    filling,
    load,
    load_manifest,
    loading,
    open_catalogue,
    open_minter,
    rebuild,
    refresh,
)
from lexurn.catalogue.files import BlockStream
from lexurn.catalogue.index import Index, IndexRows
from lexurn.cli import main
from lexurn.errors import CatalogueError, GraphError
from lexurn.graph import Layer
from lexurn.manifest import open_manifest
from lexurn.model import Item, Record, family_of
from lexurn.name import parse
from lexurn.store import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.model import Family

LAW = "urn:lex:it:stato:legge:2003-09-21;456"
OTHER = "urn:lex:it:stato:legge:2003-09-21;457"
OPTIONS = LoadOptions(as_of=AS_OF)
CATALOGUED = f"<{Layer.CATALOGUED.iri}>"


def table(tmp_path: Path, *rows: str, header: str = "urn,title,issued") -> Sequence[Family]:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join((header, *rows, "")), encoding="utf-8")
    return families_in(path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        load(catalogue, table(tmp_path, f"{LAW},Uno,2003-09-21", f"{OTHER},Due,"), OPTIONS)
    return tmp_path / "c"


def test_a_line_to_a_blank_node_stands_in_nobody_s_way(place: Path, tmp_path: Path) -> None:
    odd = f"INSERT DATA {{ GRAPH {CATALOGUED} {{ <{LAW}> <https://x.example/p> _:b }} }}"
    with open_catalogue(place, write=True) as catalogue:
        catalogue.update(odd)
        report = load(catalogue, table(tmp_path, f"{LAW},Tre,"), OPTIONS)
        assert report.replaced == 1
        family = catalogue.holdings.family(LAW)
        assert family is not None
        assert [title.value for title in family.records[0].titles] == ["Tre"]
        assert any("<https://x.example/p> _:" in line for line in held(catalogue))


def test_what_the_store_refuses_is_no_longer_begun(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise CatalogueError("no space")

    with open_catalogue(place, write=True) as catalogue:
        before = held(catalogue)
        with monkeypatch.context() as patched:
            patched.setattr(EmbeddedStore, "change", refuse)
            with pytest.raises(CatalogueError, match="no space"):
                load(catalogue, table(tmp_path, f"{LAW},Tre,"), OPTIONS)
    with open_catalogue(place) as catalogue:
        assert held(catalogue) == before
    with open_catalogue(place, write=True) as catalogue:
        assert load(catalogue, table(tmp_path, f"{LAW},Tre,"), OPTIONS).replaced == 1


def _fail_to_fill(_: EmbeddedStore, nquads: IO[bytes]) -> None:
    nquads.read()
    raise CatalogueError("no space")


def _fail_to_settle(*_: object, **__: object) -> None:
    raise CatalogueError("no space")


@pytest.mark.parametrize(
    "fault", [(EmbeddedStore, "fill", _fail_to_fill), (Index, "settle", _fail_to_settle)]
)
def test_many_new_families_are_brought_in_after_a_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: tuple[type, str, Callable[..., None]],
) -> None:
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", 4)
    monkeypatch.setattr(filling, "_LARGE", 0)
    path = tmp_path / "rows.csv"
    rows = "".join(f"urn:lex:it:stato:legge:2001-01-01;{n},Atto {n}\n" for n in range(10))
    path.write_text(f"urn,title\n{rows}", encoding="utf-8")

    def load_rows(name: str) -> int:
        with (
            open_catalogue(tmp_path / name, write=True) as catalogue,
            open_manifest(path) as manifest,
        ):
            return load_manifest(catalogue, manifest, OPTIONS).added

    assert load_rows("whole") == 10
    with monkeypatch.context() as patched:
        patched.setattr(*fault)
        with pytest.raises(CatalogueError, match="no space"):
            load_rows("c")
    left = tmp_path / "c" / "store" / "bulk-1.sst"
    left.write_bytes(b"of a process that was killed")
    assert load_rows("c") == 0  # the opening has brought them in
    assert not left.exists()
    with open_catalogue(tmp_path / "c") as some, open_catalogue(tmp_path / "whole") as whole:
        assert held(some) == held(whole)
        assert [*some.holdings.keys()] == [*whole.holdings.keys()]


class PanicError(BaseException):
    """Fault of the engine that is no exception of Python's."""


@pytest.mark.parametrize("kind", [CatalogueError, PanicError])
def test_many_new_families_that_the_store_refuses_are_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException]
) -> None:
    def refuse(*_: object) -> None:
        raise kind("no space")

    with open_catalogue(tmp_path, write=True) as catalogue:
        monkeypatch.setattr(EmbeddedStore, "fill", refuse)
        with closing(catalogue.fill(AS_OF)) as begun:
            begun.add(pickle.dumps(IndexRows((), ())), b"<x:a> <x:b> <x:c> .\n")
            for _ in range(2):
                with pytest.raises(kind, match="no space"):
                    begun.settle()
        assert not catalogue.holdings.is_pending()


def test_a_store_takes_all_quads_of_a_stream_or_none(tmp_path: Path) -> None:
    def write_quads() -> Iterator[bytes]:
        yield b"<x:a> <x:b> <x:c> .\n"
        raise CatalogueError("given up")

    store = EmbeddedStore(tmp_path, write=True)
    with pytest.raises(CatalogueError, match="given up"):
        store.fill(io.BufferedReader(BlockStream(write_quads())))
    assert store.is_empty()
    store.fill(b"<x:a> <x:b> <x:c> .\n")
    store.release()
    assert store.size() == 1
    store.close()


def test_who_cannot_finish_what_was_begun_reads_what_was_held(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise CatalogueError("the disk is full")

    with open_catalogue(place, write=True) as catalogue, monkeypatch.context() as patched:
        patched.setattr(Index, "settle", full)
        with pytest.raises(CatalogueError, match="the disk is full"):
            load(catalogue, table(tmp_path, f"{LAW},Tre,"), OPTIONS)
    with monkeypatch.context() as patched:
        patched.setattr(Index, "settle", full)
        with open_catalogue(place) as catalogue:
            assert catalogue.holdings.family(OTHER) is not None
    with open_catalogue(place) as catalogue:
        family = catalogue.holdings.family(LAW)
        assert family is not None
        assert [title.value for title in family.records[0].titles] == ["Tre"]


def test_a_size_that_no_file_has_is_refused_before_anything_is_begun(place: Path) -> None:
    name = parse(f"{LAW}@2003-09-21:it$x.example:pdf")
    huge = Record(name=name, items=(Item(url="https://x.example/a.pdf", bytes=10**30),))
    with open_catalogue(place, write=True) as catalogue:
        before = held(catalogue)
        with pytest.raises(GraphError, match="64 bits"):
            load(catalogue, [family_of([huge])], OPTIONS)
        assert held(catalogue) == before
    with open_catalogue(place, write=True) as catalogue:
        assert catalogue.holdings.family(LAW) is not None


def test_an_update_that_is_refused_leaves_the_index_as_it_was(place: Path) -> None:
    with open_catalogue(place, write=True) as catalogue:
        index = catalogue.holdings
        assert isinstance(index, Index)
        before = list(index.rows("SELECT * FROM alias_set ORDER BY id"))
        with pytest.raises(CatalogueError, match="not SPARQL"):
            catalogue.update("INSERT DATA { GRAPH <x y> { } }")
        assert list(index.rows("SELECT * FROM alias_set ORDER BY id")) == before
    with open_catalogue(place) as catalogue:
        assert catalogue.holdings.family(LAW) is not None


TWO_DATES = (
    f"INSERT DATA {{ GRAPH {CATALOGUED} {{ <{LAW}> <http://purl.org/dc/terms/issued> "
    '"2001-01-01"^^<http://www.w3.org/2001/XMLSchema#date> } }'
)


def test_acts_that_cannot_be_read_keep_their_names(place: Path, tmp_path: Path) -> None:
    with (
        open_catalogue(place, write=True) as catalogue,
        pytest.raises(CatalogueError, match=r"was done, but 1 acts can no longer be read"),
    ):
        catalogue.update(TWO_DATES)
    done = CliRunner().invoke(main, ["catalogue", "rebuild", "-c", str(place)])
    assert done.exit_code == 1
    assert done.stdout == f"2 works in the index of {place}\n"
    assert LAW in done.stderr
    assert "some works are unreadable" in done.stderr
    fields = {"jurisdiction": "it", "measure": "legge", "date": "2003-09-21", "number": "456"}
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        assert [found.code for found in given.mint(fields).errors] == ["LX770"]
    with open_catalogue(place, write=True) as catalogue:
        assert load(catalogue, table(tmp_path, f"{LAW},Uno,2003-09-21"), OPTIONS).replaced == 1
    assert rebuild(str(place)) == 2
    with open_catalogue(place) as catalogue:
        family = catalogue.holdings.family(LAW)
        assert family is not None
        assert family.records[0].issued == dt.date(2003, 9, 21)


def test_who_has_it_open_sees_what_comes_after_a_rebuild(place: Path, tmp_path: Path) -> None:
    fields = {
        "jurisdiction": "it",
        "authority": "Stato",
        "measure": "legge",
        "date": "2000-01-01",
        "unnumbered": "true",
    }
    with open_catalogue(place) as reader, open_minter(reader) as given:
        keys = list(reader.holdings.keys())
        assert rebuild(str(place)) == len(keys)
        assert list(reader.holdings.keys()) == keys
        with open_catalogue(place, write=True) as catalogue:
            row = "urn:lex:it:stato:legge:2000-01-01;lex-2,Due,"
            load(catalogue, table(tmp_path, row), OPTIONS)
        minted = given.mint(fields)
        assert str(minted.name) == "urn:lex:it:stato:legge:2000-01-01;lex-3"


def test_an_index_that_is_made_again_is_seen_when_it_is_done(place: Path) -> None:
    with open_catalogue(place) as reader, open_catalogue(place, write=True) as writer:
        index = writer.holdings
        assert isinstance(index, Index)
        keys = list(reader.holdings.keys())
        with index.transaction():
            index.clear()
            assert list(index.keys()) == []
            assert list(reader.holdings.keys()) == keys
        assert list(reader.holdings.keys()) == []


def test_a_rebuild_that_is_broken_off_leaves_the_index_as_it_was(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_catalogue(place) as catalogue:
        keys = list(catalogue.holdings.keys())

    def interrupted(index: Index, *_: object) -> None:
        assert list(index.keys()) == []
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Index, "settle", interrupted)
        with pytest.raises(KeyboardInterrupt):
            rebuild(str(place))
    with open_catalogue(place) as catalogue:
        assert list(catalogue.holdings.keys()) == keys
        assert catalogue.holdings.family(LAW) is not None


def test_a_damaged_index_is_made_again(place: Path) -> None:
    with open_catalogue(place) as catalogue:
        keys = list(catalogue.holdings.keys())
    (place / "names.sqlite").write_bytes(b"nothing of the kind" * 1000)
    assert rebuild(str(place)) == len(keys)
    with open_catalogue(place) as catalogue:
        assert list(catalogue.holdings.keys()) == keys


def test_who_may_not_write_sees_what_others_write(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_not = monkeypatch.context()
    with may_not as patched:
        patched.setattr(os, "access", lambda *_: False)
        reader = open_catalogue(place)
        with reader:
            assert reader.holdings.family(LAW) is not None
            laws = [f"urn:lex:it:stato:legge:2004-01-01;{n}" for n in range(1, 500)]
            with open_catalogue(place, write=True) as catalogue:
                load(catalogue, table(tmp_path, *(f"{law},Legge," for law in laws)), OPTIONS)
                assert all(reader.holdings.family(law) is not None for law in (LAW, *laws))
            assert all(reader.holdings.family(law) is not None for law in (LAW, *laws))


def test_keys_are_read_while_they_are_written(place: Path, tmp_path: Path) -> None:
    laws = [f"urn:lex:it:stato:legge:2004-01-01;{n:05}" for n in range(2_500)]
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, table(tmp_path, *(f"{law},Legge," for law in laws)), OPTIONS)
        assert list(catalogue.holdings.keys()) == sorted([LAW, OTHER, *laws])
        log = place / "names.sqlite-wal"
        before = log.stat().st_size
        refresh(catalogue, as_of=AS_OF.replace(year=2027))
        assert log.stat().st_size <= before + 2 * (place / "names.sqlite").stat().st_size


def test_what_is_left_of_a_catalogue_that_was_not_made_to_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "catalogue.json.new").write_text("{", encoding="utf-8")
    with open_catalogue(folder, write=True) as catalogue:
        assert list(catalogue.holdings.keys()) == []
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "notes.txt").write_text("x", encoding="utf-8")
    with pytest.raises(CatalogueError, match="contains other files"):
        open_catalogue(tmp_path / "d", write=True)


def test_a_copy_of_many_acts_is_looked_up_once(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "https://gazette.example/1.pdf"
    acts = [f"urn:lex:it:stato:legge:2005-01-01;{n}" for n in range(40)]
    rows = [f"{act}@originale:it$gazette.example:pdf,{url},100" for act in acts]
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, table(tmp_path, *rows, header="urn,url,bytes"), OPTIONS)
        asked: list[str] = []
        copies = Index.copies

        def counted(index: Index, url: str, without: Sequence[str]) -> object:
            asked.append(url)
            return copies(index, url, without)

        monkeypatch.setattr(Index, "copies", counted)
        (family,) = table(tmp_path, f"{rows[3][:-3]}200", header="urn,url,bytes")
        assert load(catalogue, [replace(family)], OPTIONS).replaced == 1
    assert asked == [url]


def test_a_store_that_lost_its_files_is_not_begun_anew(place: Path, tmp_path: Path) -> None:
    rows = table(tmp_path, f"{LAW},Uno,2003-09-21")
    (place / "store" / "CURRENT").unlink()
    for _ in range(2):
        with pytest.raises(CatalogueError, match=r"CURRENT is lost.*given\.sqlite"):
            open_catalogue(place, write=True)
        assert not (place / "store" / "CURRENT").exists()
    stamp = (place / "store" / "lexurn-generation").read_bytes()
    for file in (place / "store").iterdir():
        file.unlink()
    EmbeddedStore(place / "store", write=True).close()
    (place / "store" / "lexurn-generation").write_bytes(stamp)
    for _ in range(2):
        with pytest.raises(CatalogueError, match="the store is empty, though names"):
            open_catalogue(place, write=True)
    with open_catalogue(tmp_path / "new", write=True) as catalogue:
        assert load(catalogue, rows, OPTIONS).added == 1


def test_an_index_with_a_damaged_page_is_made_again(place: Path, tmp_path: Path) -> None:
    laws = [f"urn:lex:it:stato:legge:2004-01-01;{n}" for n in range(1, 200)]
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, table(tmp_path, *(f"{law},Legge," for law in laws)), OPTIONS)
    names = place / "names.sqlite"
    whole = names.read_bytes()
    for page in range(1, len(whole) // 4096, 5):
        names.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        assert rebuild(str(place)) == 2 + len(laws)
        names.write_bytes(whole) if page % 2 else None


def test_names_that_were_given_out_are_not_forgotten_with_their_file(place: Path) -> None:
    fields = {
        "jurisdiction": "it",
        "authority": "Stato",
        "measure": "legge",
        "date": "2000-01-01",
        "unnumbered": "true",
    }
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        assert given.mint(fields).name is not None
    for damage in (Path.unlink, lambda path: path.write_bytes(b"")):
        damage(place / "given.sqlite")
        with (
            open_catalogue(place) as catalogue,
            pytest.raises(CatalogueError, match=r"was lost or emptied. Restore .*given\.begun"),
            open_minter(catalogue) as given,
        ):
            given.mint(fields)
    (place / "given.begun").unlink()
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        assert str(given.mint(fields).name) == "urn:lex:it:stato:legge:2000-01-01;lex-1"


def test_what_is_no_longer_said_to_be_a_catalogue_is_not_made_again(place: Path) -> None:
    (place / "catalogue.json").unlink()
    with pytest.raises(CatalogueError, match=r'lacks its file catalogue.json. Write \{"format": 1'):
        rebuild(str(place))
