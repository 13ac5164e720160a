"""Folders of documents by several processes: the same as by one, and whole when cut off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from embedding_runs import PAGE
from folder_runs import WRITES, kinds, make_site, many, run
from reading_cases import write_pages

import lexurn
from lexurn.cli import main
from lexurn.documents import extract, extract_files, extract_folder, remove_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_site(tmp_path)


def test_several_processes_do_the_same_as_one(folder: Path) -> None:
    rows = many(folder, 100)
    ours = run(folder, rows, workers=2)
    files = {each.name: each.read_bytes() for each in folder.glob("*.htm")}
    list(remove_folder(folder, options=WRITES, workers=2))
    alone = run(folder, rows)
    assert kinds(ours) == kinds(alone)
    assert files == {each.name: each.read_bytes() for each in folder.glob("*.htm")}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_can_be_cut_off_at_any_moment(folder: Path, number: signal.Signals) -> None:
    rows = many(folder, 80)
    run(folder, rows)
    named = {each.name: each.read_bytes() for each in folder.glob("*.htm")}
    list(remove_folder(folder, options=WRITES, workers=1))
    source = str(Path(lexurn.__path__[0]).parent)
    command = [sys.executable, "-m", "lexurn", "embed", "--manifest", "m.csv", "--folder", "site"]
    process = subprocess.Popen(
        [*command, "--in-place", "--jobs", "2"],
        cwd=folder.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    process.stdout.read()
    process.wait()
    process.stdout.close()
    time.sleep(0.2)  # workers of a process that is killed notice it a moment later
    for each in folder.glob("*.htm"):
        assert each.read_bytes() in {PAGE, named[each.name]}
    if number != signal.SIGKILL:
        assert not list(folder.glob(".*.part"))
    assert all(each.is_good for each in run(folder, rows).values())
    assert named == {each.name: each.read_bytes() for each in folder.glob("*.htm")}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("pages"))


def test_several_processes_read_the_same_in_the_same_order(pages: Path) -> None:
    (pages / f".1.html.{'0' * 16}.part").touch()
    alone = list(extract_folder(pages, workers=1))
    assert len(alone) == 72
    assert list(extract_folder(pages, workers=2)) == alone
    paths = [pages / each.file for each in alone]
    assert list(extract_files(paths, workers=2)) == [extract(path) for path in paths]


@pytest.mark.parametrize("form", ["jsonl", "csv", "nquads"])
def test_extract_prints_the_same(pages: Path, form: str) -> None:
    one, two = (
        CliRunner().invoke(
            main, ["extract", "--folder", str(pages), "--format", form, "--jobs", jobs]
        )
        for jobs in ("1", "2")
    )
    assert (one.stdout, one.stderr, one.exit_code) == (two.stdout, two.stderr, two.exit_code)
    assert one.exit_code == 1


def test_who_listens_no_more_ends_it(pages: Path) -> None:
    found = extract_folder(pages, workers=2)
    assert next(found).file == "0.html"
    found.close()
