"""The folder of a catalogue: what it refuses, and what it says then."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, held, lines_of
from click.testing import CliRunner

from lexurn.catalogue import (
    LoadOptions,
    compute_stats,
    load,
    open_catalogue,
    optimize,
    rebuild,
    refresh,
)
from lexurn.cli import main
from lexurn.errors import CatalogueError
from lexurn.manifest import open_manifest
from lexurn.model import Source
from lexurn.resolver import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.catalogue import LoadReport
    from lexurn.model import Family

ACT = "urn:lex:it:stato:legge:1990-08-07;241"
ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
OPTIONS = LoadOptions(as_of=AS_OF)


@pytest.fixture(scope="module")
def families() -> Sequence[Family]:
    with open_manifest(ACTS) as manifest:
        return tuple(manifest.families())


@pytest.fixture
def place(tmp_path: Path, families: Sequence[Family]) -> Path:
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        load(catalogue, families, OPTIONS)
    return tmp_path / "c"


def rows(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(place: Path, manifest: Path) -> LoadReport:
    with open_manifest(manifest) as table, open_catalogue(place, write=True) as catalogue:
        return load(catalogue, table.families(), OPTIONS)


def test_what_was_loaded_is_held(place: Path, families: Sequence[Family]) -> None:
    with open_catalogue(place) as catalogue:
        assert held(catalogue) == lines_of(families)
        for family in families:
            assert catalogue.holdings.family(str(family.key)) == family


def test_the_same_again_changes_nothing(place: Path, families: Sequence[Family]) -> None:
    with open_catalogue(place, write=True) as catalogue:
        report = load(catalogue, families, OPTIONS)
    assert (report.added, report.replaced, report.unchanged) == (0, 0, len(families))


def test_another_day_changes_what_is_in_force_only(place: Path, families: Sequence[Family]) -> None:
    with open_catalogue(place, write=True) as catalogue:
        before = held(catalogue)
        changed = refresh(catalogue, as_of=AS_OF.replace(year=1990))
        gone = set(before) - set(held(catalogue))
        assert changed
        assert {line.rsplit(" ", 2)[1] for line in gone} == {
            "<https://w3id.org/lexurn/ns#computed>"
        }
        assert refresh(catalogue, as_of=AS_OF) == changed
        assert held(catalogue) == before == lines_of(families)


def test_a_row_replaces_the_row_of_its_name(place: Path, tmp_path: Path) -> None:
    name = "urn:lex:it:stato:legge:2003-09-21;456"
    first = rows(tmp_path, f"urn,title@it,url\n{name},Uno,https://example.org/a\n")
    assert loaded(place, first).added == 1
    report = loaded(place, rows(tmp_path, f"urn,title@it,url\n{name},Due,https://example.org/b\n"))
    assert (report.added, report.replaced, report.unchanged) == (0, 1, 0)
    with open_catalogue(place) as catalogue:
        text = "".join(line for line in held(catalogue) if name in line or "example.org" in line)
    assert '"Due"@it' in text
    assert '"Uno"' not in text
    assert "https://example.org/a" not in text


def test_a_contradiction_holds_back_its_work_alone(place: Path, tmp_path: Path) -> None:
    acts = [f"urn:lex:it:stato:legge:2004-01-01;{n}" for n in (1, 2, 3)]
    loaded(place, rows(tmp_path, f"urn,alias_of\n{acts[0]},{acts[1]}\n"))
    refused = []
    table = rows(
        tmp_path, f"urn,alias_of\n{acts[1]},{acts[2]}\nurn:lex:it:stato:legge:2005-01-01;9,\n"
    )
    with open_manifest(table) as manifest, open_catalogue(place, write=True) as catalogue:
        options = LoadOptions(as_of=AS_OF, on_refused=refused.append)
        report = load(catalogue, manifest.families(), options)
        assert catalogue.holdings.family("urn:lex:it:stato:legge:2005-01-01;9") is not None
    assert (report.refused, report.added) == (1, 1)
    assert (refused[0].key, refused[0].source) == (acts[1], Source(file=str(table), line=2))
    assert "is an alias of" in refused[0].reason


def test_a_broken_shape_is_refused_when_asked(place: Path, tmp_path: Path) -> None:
    name = "urn:lex:it:stato:legge:2006-01-01;7"
    table = rows(
        tmp_path,
        "urn,in_force_from,in_force_until\n"
        f"{name}@2006-02-02,2007-01-01,2006-01-01\nurn:lex:it:stato:legge:2006-01-01;8,,\n",
    )
    refused = []
    options = LoadOptions(as_of=AS_OF, check=True, on_refused=refused.append)
    with open_manifest(table) as manifest, open_catalogue(place, write=True) as catalogue:
        report = load(catalogue, manifest.families(), options)
        assert catalogue.holdings.family(name) is None
        assert catalogue.holdings.family("urn:lex:it:stato:legge:2006-01-01;8") is not None
    assert (report.refused, report.added) == (1, 1)
    assert refused[0].results


def other_version(place: Path) -> None:
    (place / "catalogue.json").write_text('{"format": 99, "base": null}')


def no_json(place: Path) -> None:
    (place / "catalogue.json").write_text("{")


def other_json(place: Path) -> None:
    (place / "catalogue.json").write_text("[1]")


def other_kind(place: Path) -> None:
    (place / "catalogue.json").write_text('{"format": "1", "base": null}')


def no_about(place: Path) -> None:
    (place / "catalogue.json").unlink()


def no_database(place: Path) -> None:
    for file in place.glob("names.sqlite*"):
        file.unlink()
    (place / "names.sqlite").write_text("no database at all, but a text of some length" * 100)


def no_names(place: Path) -> None:
    for file in place.glob("names.sqlite*"):
        file.unlink()


def broken_store(place: Path) -> None:
    for file in (place / "store").glob("MANIFEST*"):
        file.write_bytes(b"junk")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (other_version, "made by another version of lexurn"),
        (no_json, "not a file that lexurn wrote. Write"),
        (other_json, "not a file that lexurn wrote. Write"),
        (other_kind, "not a file that lexurn wrote. Write"),
        (no_about, "lacks its file catalogue.json. Write"),
        (no_database, "lexurn catalogue rebuild"),
        (no_names, "lexurn catalogue rebuild"),
        (broken_store, "damaged"),
    ],
)
def test_damage_is_said(place: Path, damage: Callable[[Path], None], said: str) -> None:
    damage(place)
    with pytest.raises(CatalogueError, match=said), open_catalogue(place) as catalogue:
        compute_stats(catalogue.store)


@pytest.mark.parametrize("content", ["", "notes.txt", "store.csv"])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    if content:
        (tmp_path / content).write_text("mine")
    with pytest.raises(CatalogueError, match="not a catalogue"):
        open_catalogue(tmp_path)
    if content:
        with pytest.raises(CatalogueError, match="contains other files"):
            open_catalogue(tmp_path, write=True)
    else:
        open_catalogue(tmp_path, write=True).close()
        assert json.loads((tmp_path / "catalogue.json").read_text())["format"] == 1
        with open_catalogue(tmp_path) as catalogue:
            assert compute_stats(catalogue.store).kinds["work"] == 0


def test_another_base_is_refused(tmp_path: Path, families: Sequence[Family]) -> None:
    base = "https://law.example"
    with open_catalogue(tmp_path / "c", write=True, base=base) as catalogue:
        load(catalogue, families, OPTIONS)
        assert held(catalogue) == lines_of(families, base)
    with pytest.raises(CatalogueError, match="was created with the base"):
        open_catalogue(tmp_path / "c", write=True, base="https://other.example")
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        assert catalogue.base == base


def test_who_writes_is_alone(place: Path) -> None:
    held_open = (
        "import sys; from lexurn.catalogue import open_catalogue\n"
        "with open_catalogue(sys.argv[1], write=True) as c:\n"
        " print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", held_open, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert writer.stdout.readline() == b"open\n"
        with pytest.raises(CatalogueError, match="another process uses it"):
            open_catalogue(place, write=True)
        with open_catalogue(place) as reader:
            key = next(reader.holdings.keys())
            assert reader.holdings.family(key) is not None
            with pytest.raises(CatalogueError, match="another process writes to it"):
                compute_stats(reader.store)
        writer.stdin.close()
    with open_catalogue(place) as one, open_catalogue(place) as other:
        assert compute_stats(one.store) == compute_stats(other.store)


COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
NEW_ROW = "urn,title\nurn:lex:it:stato:legge:2001-01-01;1,New\n"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_reader_and_a_load(
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_links: bool,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    table = rows(tmp_path, NEW_ROW)
    with open_catalogue(place) as reader:
        before = list(reader.query(COUNT))
        if has_links:
            assert loaded(place, table).added == 1
            with open_catalogue(place, write=True) as catalogue:
                optimize(catalogue)  # deletes the files that were there
        else:
            with pytest.raises(CatalogueError, match="another process uses it"):
                loaded(place, table)
        assert list(reader.query(COUNT)) == before
        assert list(reader.query(COUNT, timeout=60.0)) == before
        with open_catalogue(place) as other:
            assert (list(other.query(COUNT)) == before) is not has_links
    assert not list(place.glob("snapshot-*"))


def test_what_a_killed_reader_leaves_goes_with_the_next(place: Path) -> None:
    code = (
        "import os, sys; from lexurn.catalogue import open_catalogue\n"
        "reader = open_catalogue(sys.argv[1])\n"
        "assert reader.query('ASK {}')\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, place], check=True)
    assert list(place.glob("snapshot-*"))
    with open_catalogue(place) as reader:
        assert reader.query("ASK {}") is True
    assert not list(place.glob("snapshot-*"))


def test_a_lock_that_may_not_be_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, open_file = place / "lock", os.open

    def refuse_lock(path: object, flags: int, *mode: int) -> int:
        if path == lock:
            raise PermissionError(13, "Permission denied", str(path))
        return open_file(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse_lock)
    ran = CliRunner().invoke(main, ["catalogue", "stats", "--catalogue", str(place)])
    assert ran.exit_code == 1
    assert f"error: {lock} cannot be opened (Permission denied). Allow this account" in ran.output


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_disk_that_nobody_can_write(place: Path) -> None:
    for path in (place, *place.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with open_catalogue(place) as catalogue:
            assert compute_stats(catalogue.store).kinds["work"]
        with pytest.raises(CatalogueError):
            open_catalogue(place, write=True)
    finally:
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)


@pytest.mark.parametrize("write", [False, True])
def test_a_store_of_another_time_is_said(place: Path, tmp_path: Path, write: bool) -> None:
    shutil.copytree(place, tmp_path / "before")
    loaded(place, rows(tmp_path, "urn\nurn:lex:it:stato:legge:2099-01-01;1\n"))
    shutil.rmtree(place / "store")
    with pytest.raises(CatalogueError, match=r"do not match.*lexurn catalogue rebuild"):
        open_catalogue(place, write=write)
    shutil.copytree(tmp_path / "before" / "store", place / "store")
    with pytest.raises(CatalogueError, match=r"do not match.*lexurn catalogue rebuild"):
        open_catalogue(place, write=write)
    rebuild(str(place))
    with open_catalogue(place) as catalogue, open_catalogue(tmp_path / "before") as before:
        assert held(catalogue) == held(before)
        assert list(catalogue.holdings.keys()) == list(before.holdings.keys())
    assert loaded(place, tmp_path / "rows.csv").added == 1


def test_a_damaged_store_is_not_loaded_into(place: Path) -> None:
    next((place / "store").glob("*.sst")).unlink()
    with pytest.raises(CatalogueError, match="damaged"):
        open_catalogue(place, write=True)


def test_a_lost_lock_is_made_again(place: Path) -> None:
    (place / "lock").unlink()
    with open_catalogue(place) as catalogue:
        assert compute_stats(catalogue.store).kinds["work"]
    assert (place / "lock").is_file()


def test_a_lock_that_goes_away_is_made_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, open_file = place / "lock", os.open

    def lose_lock(path: Path, flags: int, *mode: int) -> int:
        if path == lock and not flags & os.O_CREAT:
            lock.unlink()
        return open_file(path, flags, *mode)

    monkeypatch.setattr(os, "open", lose_lock)
    with open_catalogue(place) as catalogue:
        assert compute_stats(catalogue.store).kinds["work"]
    assert lock.is_file()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("is_used", [False, True])
def test_a_closed_catalogue_is_said(place: Path, write: bool, is_used: bool) -> None:
    with open_catalogue(place, write=write) as catalogue:
        if is_used:
            assert catalogue.query("ASK { ?s ?p ?o }") is True
        holdings = catalogue.holdings
    for use in (
        lambda: catalogue.store,
        lambda: catalogue.query("ASK { ?s ?p ?o }"),
        lambda: catalogue.ready("acts-on", date="2003-09-21"),
        lambda: catalogue.holdings.family(ACT),
        lambda: resolve(ACT, catalogue),
        lambda: resolve(ACT, holdings),
        catalogue.rebuild,
    ):
        with pytest.raises(CatalogueError) as caught:
            use()
        assert str(caught.value) == f"{place} is closed. Open it again."
    open_catalogue(place, write=True).close()  # no lock is left


def test_a_store_written_anew_holds_what_it_held(place: Path, families: Sequence[Family]) -> None:
    with open_catalogue(place, write=True) as catalogue:
        for _ in range(2):
            catalogue.store.fill(b"".join(catalogue.store.dump()))
    before = {path.name for path in (place / "store").glob("*.sst")}
    done = CliRunner().invoke(main, ["catalogue", "optimize", "-c", str(place)])
    sizes = r"[\d,]+ bytes before, [\d,]+ bytes now"
    said = re.fullmatch(rf"{re.escape(str(place))}: {sizes}\n", done.stdout)
    assert (done.exit_code, done.stderr) == (0, "")
    assert said is not None
    assert {path.name for path in (place / "store").glob("*.sst")} != before
    with open_catalogue(place) as catalogue:
        assert held(catalogue) == lines_of(families, catalogue.base)


def test_only_who_may_write_writes_a_store_anew(place: Path) -> None:
    with open_catalogue(place) as catalogue, pytest.raises(CatalogueError, match="read"):
        optimize(catalogue)
