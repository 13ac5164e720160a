"""What an engine or a disk says, and what a catalogue makes of it: the truth, and what to do."""

from __future__ import annotations

import errno
import fcntl
import os
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from full_disk import largest

from lexurn.catalogue import (
    LoadOptions,
    compute_stats,
    dump,
    load,
    open_catalogue,
    open_minter,
    open_rdf_source,
    rebuild,
)
from lexurn.catalogue.index import Index
from lexurn.errors import CatalogueError
from lexurn.store import embedded
from lexurn.store.answers import explain_engine_fault
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lexurn.model import Family

LAW = "urn:lex:it:stato:legge:2003-09-21;{}"
OPTIONS = LoadOptions(as_of=AS_OF)
CATALOGUED = "<https://w3id.org/lexurn/ns#catalogued>"


def laws(tmp_path: Path, *numbers: int) -> Sequence[Family]:
    path = tmp_path / "rows.csv"
    rows = "".join(f"{LAW.format(n)},Legge {n}\n" for n in numbers)
    path.write_text(f"urn,title@it\n{rows}", encoding="utf-8")
    return families_in(path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        load(catalogue, laws(tmp_path, 1, 2), OPTIONS)
    return tmp_path / "c"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Corruption: block checksum mismatch: stored = 1 in {0}/000012.sst", "damaged"),
        ("Corruption: bad block contents in {0}/000012.sst", "damaged"),
        ("IO error: No such file or directory: While open a file: {0}/000012.sst", "damaged"),
        ("IO error: No space left on device: While appending: {0}/000013.log", "the disk is full"),
        ("IO error: While lock file: {0}/LOCK: Resource temporarily unavailable", "is in use"),
        ("IO error: lock hold by current process, acquire time 1: {0}/LOCK", "is in use"),
        ("IO error: Permission denied: While open a file for lock: {0}/LOCK", "cannot be used"),
        ("The storage is opened in read-only mode, not read-write", "for reading only"),
    ],
)
@pytest.mark.parametrize("place", ["law/store", "/srv/blocks/no space/store", "/clock/corruption"])
def test_what_an_engine_says_means_what_it_says(place: str, message: str, said: str) -> None:
    assert said in explain_engine_fault(place, message.format(place)).removeprefix(place)


def test_a_damaged_block_is_said_whoever_reads(tmp_path: Path) -> None:
    place = tmp_path / "blocks" / "c"
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, laws(tmp_path, *range(3_000)), OPTIONS)
    for file in (place / "store").glob("*.sst"):
        data = bytearray(file.read_bytes())
        for at in range(100, len(data) * 3 // 4, 4096):
            data[at] ^= 0x55
        file.write_bytes(data)
    with open_catalogue(place) as catalogue:
        with pytest.raises(CatalogueError, match="is damaged"):
            compute_stats(catalogue.store)
        with pytest.raises(CatalogueError, match="is damaged"):
            held(catalogue)


def test_an_index_on_a_full_disk_says_so(tmp_path: Path) -> None:
    index = Index(tmp_path / "names.sqlite", write=True)
    (pages,) = index.database.execute("PRAGMA page_count").fetchone()
    index.database.execute(f"PRAGMA max_page_count = {pages + 2}")
    for _ in range(2):
        with pytest.raises(CatalogueError, match=r"the disk is full .*Free space"):
            index.begin(["x" * 100_000])
    index.begin(["short"])
    assert [*index.pending()] == ["short"]
    index.close()


def test_a_full_disk_is_said_by_who_mints(place: Path) -> None:
    fields = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21"}
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        database = given.database
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(CatalogueError, match=r"the disk is full .*Free space"):
            given.mint({**fields, "number": 7}, location="x" * 100_000)
        database.execute(f"PRAGMA max_page_count = {pages + 100}")
        assert given.mint({**fields, "number": 7}).valid


def test_rejects_on_a_full_disk_leave_nothing_behind(tmp_path: Path) -> None:
    old = tmp_path / "rejects.nq"
    old.write_text("of an earlier run\n", encoding="utf-8")
    lines = [b'<x:a> <x:b> "' + b"x" * 1_000 + b'" .\n'] * 100
    with open_rdf_source([lines], rejects=old) as source:
        for _ in source.groups():
            pass
        said = "rejects file cannot be written: File too large"
        with pytest.raises(CatalogueError, match=said), largest(10_000):
            source.finish()
    assert [file.name for file in tmp_path.iterdir()] == ["rejects.nq"]
    assert old.read_text("utf-8") == "of an earlier run\n"


def test_what_failed_is_not_forgotten_by_who_goes_on(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = EmbeddedStore.fill

    def half(store: EmbeddedStore, nquads: bytes) -> None:
        fill(store, b"".join(nquads.splitlines(keepends=True)[::2]))
        raise CatalogueError("the disk is full")

    with open_catalogue(place, write=True) as catalogue:
        with monkeypatch.context() as patched:
            patched.setattr(EmbeddedStore, "fill", half)
            with pytest.raises(CatalogueError, match="the disk is full"):
                load(catalogue, laws(tmp_path, 3, 4), OPTIONS)
        with pytest.raises(CatalogueError, match="open it again, which completes"):
            load(catalogue, laws(tmp_path, 5), OPTIONS)
        with pytest.raises(CatalogueError, match="open it again, which completes"):
            catalogue.update(f"INSERT DATA {{ GRAPH {CATALOGUED} {{ <x:a> <x:b> <x:c> }} }}")
    with open_catalogue(place, write=True) as catalogue:
        assert load(catalogue, laws(tmp_path, 5), OPTIONS).added == 1
        assert held(catalogue) == lines_of(laws(tmp_path, 1, 2, 3, 4, 5))
        assert len(list(catalogue.holdings.keys())) == 5


def test_names_given_out_are_taken_along_into_a_new_folder(place: Path, tmp_path: Path) -> None:
    fields = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21", "unnumbered": True}
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        assert str(given.mint(fields).name) == LAW.format("lex-1")
    new = tmp_path / "new"
    new.mkdir()
    (place / "given.sqlite").rename(new / "given.sqlite")
    with open_catalogue(new, write=True) as catalogue:
        load(catalogue, laws(tmp_path, 1, 2), OPTIONS)
    with open_catalogue(new) as catalogue, open_minter(catalogue) as given:
        assert str(given.mint(fields).name) == LAW.format("lex-2")


def test_an_index_that_could_not_be_made_again_lets_go_of_the_store(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StoppedError(Exception):
        pass

    def stop(_: object) -> None:
        raise StoppedError

    monkeypatch.setattr(embedded, "_PIECE", 2)
    with open_catalogue(place, write=True) as catalogue:
        odd = f"<{LAW.format(1)}> <https://x.example/p> 1"
        catalogue.update(f"INSERT DATA {{ GRAPH {CATALOGUED} {{ {odd} }} }}")
    with pytest.raises(StoppedError) as stopped:
        rebuild(str(place), on_finding=stop, jobs=1)
    assert stopped.tb is not None  # what keeps all alive that was under way
    assert rebuild(str(place), jobs=1) == 2


@pytest.mark.parametrize("fault", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_disk_without_locks_is_not_said_to_be_in_use(
    place: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(CatalogueError, match=r"lock cannot be locked .*do not support file locks"):
        open_catalogue(place, write=True, wait=60)


def test_a_checksum_that_is_a_text_stands_in_nobody_s_way(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "copies.csv"
    header, url = "urn,url", "https://x.example/a.pdf"
    path.write_text(f"{header}\n{LAW.format(1)},{url}\n", encoding="utf-8")
    odd = f'<{url}> <http://spdx.org/rdf/terms#checksum> "abc"'
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, families_in(path), OPTIONS)
        catalogue.store.update(f"INSERT DATA {{ GRAPH {CATALOGUED} {{ {odd} }} }}")
        path.write_text(f"{header}\n{LAW.format(1)},{url}/new\n", encoding="utf-8")
        assert load(catalogue, families_in(path), OPTIONS).replaced == 1
        assert not any(f"<{url}>" in line for line in held(catalogue))


def test_a_dump_is_on_the_disk_before_it_takes_its_place(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    sync = os.fsync

    def count(file: int) -> None:
        kept.append(os.fstat(file).st_size)
        sync(file)

    monkeypatch.setattr(os, "fsync", count)
    with open_catalogue(place) as catalogue:
        dump(catalogue.store, tmp_path / "law.nq.gz")
        assert set(kept) == {(tmp_path / "law.nq.gz").stat().st_size}
        with open_rdf_source([tmp_path / "law.nq.gz"]) as source:
            assert len(tuple(source.families())) == 2
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        dump(catalogue.store, tmp_path / "pipe")
        assert os.read(reader, 1_000_000).count(b"\n") == len(held(catalogue))
        os.close(reader)
    assert len(set(kept)) == 1
