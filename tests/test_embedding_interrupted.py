"""Ctrl-C: what was written is told of, nothing is left behind, and the exit code says it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import lexurn
from lexurn.cli import main
from lexurn.embedding import Done, Manner, Outcome, embed_folder, remove_folder
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

PAGE = b"<!DOCTYPE html>\n<html>\n<head>\n<title>Legge</title>\n</head>\n<body></body>\n</html>\n"
COUNT = 1_200


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A site, and a manifest of it."""
    (tmp_path / "site").mkdir()
    rows = ["urn,file"]
    for number in range(COUNT):
        (tmp_path / "site" / f"{number}.htm").write_bytes(PAGE)
        rows.append(f"urn:lex:it:stato:legge:2003-09-21;{number},{number}.htm")
    (tmp_path / "m.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return tmp_path


def changed(place: Path) -> set[str]:
    return {each.name for each in place.glob("site/*.htm") if each.read_bytes() != PAGE}


def started(place: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lexurn", *arguments],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(lexurn.__path__[0]).parent)},
    )


def ended(process: subprocess.Popen[str], *, times: int = 1) -> tuple[str, str]:
    """What a run says that gets Ctrl-C at its first line, and perhaps again, as from a terminal."""
    assert process.stdout is not None
    first = process.stdout.readline()
    for _ in range(times):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate()
    return first + stdout, stderr


@pytest.mark.parametrize("jobs", ["1", "2", "16"])
def test_all_that_was_written_is_told_of(place: Path, jobs: str) -> None:
    options = ("--manifest", "m.csv", "--folder", "site", "--in-place", "--jobs", jobs)
    process = started(place, "embed", *options, "--report", "r.jsonl")
    stdout, stderr = ended(process)
    assert process.returncode == 130
    assert stderr == "interrupted; run it again for what is left\n"
    report = [json.loads(line) for line in (place / "r.jsonl").read_text("utf-8").splitlines()]
    written = {each["file"] for each in report if each["written"]}
    assert written == changed(place)
    assert 0 < len(written) < COUNT
    assert stdout.splitlines()[-1] == f"{len(written)} files: {len(written)} embedded"
    assert not list(place.glob("**/.*.part"))


def test_twice_ends_at_once_and_tidily(place: Path) -> None:
    options = ("--manifest", "m.csv", "--folder", "site", "--in-place", "--jobs", "2")
    process = started(place, "embed", *options)
    _, stderr = ended(process, times=20)
    assert process.returncode == 130
    assert "interrupted" in stderr
    assert not list(place.glob("**/.*.part"))


def test_extract_says_that_it_was_interrupted(place: Path) -> None:
    process = started(place, "extract", "--folder", "site", "--jobs", "2")
    stdout, stderr = ended(process)
    assert (process.returncode, stderr) == (130, "interrupted; not everything was done\n")
    assert stdout.startswith('{"file": "0.htm"')


def asked_after(count: int) -> Callable[[], bool]:
    """What says that the run is ended when it has been asked so many times."""
    left = iter(range(count))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("count", range(6))
def test_a_caller_can_end_a_run_at_any_time(place: Path, count: int) -> None:
    with open_manifest(place / "m.csv") as manifest:
        families = list(manifest.families())[:100]
    manner = Manner(writes=True)
    done = list(
        embed_folder(
            families, place / "site", manner=manner, workers=1, is_ended=asked_after(100 + count)
        )
    )
    assert {each.file for each in done if each.is_written} == changed(place)
    assert all(each.is_good for each in done)
    gone = list(
        remove_folder(place / "site", manner=manner, workers=1, is_ended=asked_after(COUNT + count))
    )
    assert {each.done for each in gone} <= {Done.REMOVED, Done.UNCHANGED}
    assert not {each.file for each in gone if each.done is Done.REMOVED} & changed(place)


def test_an_interruption_that_comes_through_is_counted_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> Generator[Outcome]:
        yield Outcome(file="1.html", done=Done.EMBEDDED, is_written=True)
        raise KeyboardInterrupt

    monkeypatch.chdir(place)
    monkeypatch.setattr("lexurn.embedding.embed_folder", stopped)
    options = ("--manifest", "m.csv", "--folder", "site", "--in-place", "--report", "r.jsonl")
    result = CliRunner().invoke(main, ["embed", *options])
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (130, "1 file: 1 embedded")
    assert "not counted" in result.stderr
    assert len((place / "r.jsonl").read_text().splitlines()) == 1
