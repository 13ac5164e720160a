"""Publishing under faults: kills, full disks, links, files and runs of others."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from itertools import chain, count
from pathlib import Path
from typing import Any

import publish_run
import pytest
from export_cases import (
    ACT,
    name,
    records,
)
from publish_run import environment, many
from site_runs import run, tree
from sizes import size

from lexurn.errors import PublishError
from lexurn.model import Record
from lexurn.publishing import site as site_module
from lexurn.publishing import tables

SIGNALS = hasattr(signal, "SIGKILL")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    run(out)
    return out


def _kill_in_the_middle(out: Path, count: int, workers: int, wait: random.Random) -> None:
    """Start a run, wait until it writes and a little longer, kill it."""
    with subprocess.Popen(
        [sys.executable, publish_run.__file__, str(out), str(count), str(workers)],
        env=environment(),
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        end = time.monotonic() + 60
        before = sum(1 for _ in (out / "lex").rglob("index.html"))
        while process.poll() is None and time.monotonic() < end:
            if sum(1 for _ in (out / "lex").rglob("index.html")) > before:
                break
            time.sleep(0.01)
        time.sleep(wait.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()


def _refuse_after(monkeypatch: pytest.MonkeyPatch, count: int, code: int) -> None:
    write = Path.write_bytes
    left = iter(range(count))

    def refusing(path: Path, content: bytes) -> int:
        if next(left, None) is None:
            write(path, content[: len(content) // 2])
            raise OSError(code, os.strerror(code), str(path))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", refusing)


@pytest.mark.skipif(not SIGNALS, reason="this system cannot kill a process outright")
@pytest.mark.parametrize(("workers", "seed"), [(1, 1), (2, 2)])
def test_a_killed_run_is_run_again(tmp_path: Path, workers: int, seed: int) -> None:
    calm, out, count = tmp_path / "calm", tmp_path / "out", 40 if workers == 1 else 150
    run(calm, many(count))
    wait = random.Random(seed)
    for _ in range(size(2, 3)):
        _kill_in_the_middle(out, count, workers, wait)
        for page in (out / "lex").rglob("index.html"):
            assert page.read_bytes().endswith(b"</html>\n")
            assert {"index.ttl", "index.jsonld"} <= {each.name for each in page.parent.iterdir()}
    run(out, many(count))
    assert tree(out) == tree(calm)


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")
    with pytest.raises(PublishError, match="is a file"):
        run(tmp_path / "site")
    run(tmp_path / "other")
    shutil.rmtree(tmp_path / "other" / "lex" / "it")
    (tmp_path / "other" / "lex" / "it").write_text("a file")
    with pytest.raises(PublishError, match=r"lex.it.*Move it away"):
        run(tmp_path / "other", rewrite=True)


@pytest.mark.parametrize(
    "place",
    [
        ".lexurn",
        ".lexurn-new",
        "lex",
        "lex/it",
        "lex/it/stato/legge/2003-09-21;456",
        "lex/it/stato/legge/2003-09-21;456/index.html",
        "catalogue.nq.gz",
        "context.jsonld",
        "report.html",
        "report.ttl",
    ],
)
def test_nothing_is_written_through_a_link(tmp_path: Path, place: str) -> None:
    out, away = tmp_path / "out", tmp_path / "away"
    run(out)
    inside = out / place
    if inside.exists():
        inside.rename(away)
    else:
        away.mkdir()
    inside.symlink_to(away, target_is_directory=away.is_dir())
    before = tree(away) if away.is_dir() else away.read_bytes()
    with pytest.raises(PublishError, match=r"is a symbolic link\. lexurn does not write through"):
        run(out, [*records(), Record(name=name(f"{ACT}~art9"))])
    assert (tree(away) if away.is_dir() else away.read_bytes()) == before
    assert inside.is_symlink()


def test_the_site_itself_and_files_of_others_may_be_links(tmp_path: Path) -> None:
    run(tmp_path / "site")
    (tmp_path / "link").symlink_to(tmp_path / "site", target_is_directory=True)
    (tmp_path / "robots.txt").write_text("mine")
    (tmp_path / "site" / "robots.txt").unlink()
    (tmp_path / "site" / "robots.txt").symlink_to(tmp_path / "robots.txt")
    assert run(tmp_path / "link").written == 0
    assert (tmp_path / "robots.txt").read_text() == "mine"


def test_two_runs_at_a_time_are_kept_apart(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    run(tmp_path)
    with (tmp_path / ".lexurn").open("rb") as marker:
        fcntl.flock(marker, fcntl.LOCK_EX)
        with pytest.raises(PublishError, match="another run"):
            run(tmp_path)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EACCES, "not allowed"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "cannot be written"),
    ],
)
def test_what_the_disk_refuses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    out = tmp_path / "out"
    _refuse_after(monkeypatch, 20, code)
    with pytest.raises(PublishError, match=words) as caught:
        run(out)
    assert str(out) in str(caught.value)
    monkeypatch.undo()
    for page in out.rglob("index.html"):
        assert (page.parent / "index.ttl").is_file()
    assert not (out / ".lexurn-new").exists()
    run(out)
    run(tmp_path / "calm")
    assert tree(out) == tree(tmp_path / "calm")


def test_a_disk_that_is_really_full() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    words = "/dev/full cannot be written: the disk is full"
    with pytest.raises(PublishError, match=words), site_module.explain_disk_errors(full):
        full.write_bytes(b"x")


@pytest.mark.parametrize("acts", [1, 100])
def test_a_disk_that_fills_up_under_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, acts: int
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    paths = chain([Path("/dev/full")], (tmp_path / f"{number}" for number in count()))
    monkeypatch.setattr(site_module.SiteFolder, "make_staging_path", lambda _: next(paths))
    with pytest.raises(PublishError, match=r"catalogue\.nq\.gz .*: the disk is full"):
        run(tmp_path, many(acts))
    assert not (tmp_path / ".lexurn-new").exists()
    monkeypatch.undo()
    assert run(tmp_path, many(acts)).published


@pytest.mark.parametrize("broken", ["connect", "schema"])
def test_a_spool_that_cannot_be_made_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    opened = []
    connect = sqlite3.connect

    def open_database(*values: Any, **options: Any) -> sqlite3.Connection:
        if broken == "connect":
            raise sqlite3.OperationalError("unable to open database file")
        opened.append(connect(*values, **options))
        return opened[-1]

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(sqlite3, "connect", open_database)
    monkeypatch.setattr(tables, "RUN_SCHEMA", "no SQL")
    with pytest.raises(PublishError, match="TMPDIR"):
        run(tmp_path / "out")
    assert not list(temporary.iterdir())
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_a_path_that_no_disk_can_hold(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="too long"):
        run(tmp_path / ("x" * 300))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do all")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PublishError, match="not allowed"):
            run(tmp_path / "out")
    finally:
        tmp_path.chmod(0o700)
