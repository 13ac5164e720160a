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
from embedding_runs import PAGE, run

import lexurn
from lexurn.cli.commands import interruptible
from lexurn.documents import (
    EmbedOptions,
    Outcome,
    OutcomeStatus,
    embed_folder,
    process_file,
    remove_folder,
)
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import TraceFunction

ACT = "urn:lex:it:stato:legge:2003-09-21"
COUNT, MANY = 100, 1_200


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A site, and a manifest of it."""
    return sited(tmp_path, COUNT)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """As ``place``, with more files than a run is done with before it is ended."""
    return sited(tmp_path, MANY)


def sited(place: Path, count: int) -> Path:
    (place / "site").mkdir()
    rows = ["urn,file"]
    for number in range(count):
        (place / "site" / f"{number}.htm").write_bytes(PAGE)
        rows.append(f"{ACT};{number},{number}.htm")
    (place / "m.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return place


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
        pipesize=4_096,  # full at once, so that a run waits for its reader
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


@pytest.mark.parametrize("jobs", ["1", "2", "6"])
def test_all_that_was_written_is_told_of(large: Path, jobs: str) -> None:
    options = ("--manifest", "m.csv", "--folder", "site", "--in-place", "--jobs", jobs)
    process = started(large, "embed", *options, "--report", "r.jsonl")
    stdout, stderr = ended(process)
    assert process.returncode == 130
    assert stderr == "Interrupted. Run it again for the remaining files.\n"
    report = [json.loads(line) for line in (large / "r.jsonl").read_text("utf-8").splitlines()]
    written = {each["file"] for each in report if each["written"]}
    assert written == changed(large)
    count = len(written)
    assert 0 < count < MANY
    last = f"{count:,} file{'s' * (count != 1)}: {count:,} embedded"
    assert stdout.splitlines()[-1] == last
    assert not list(large.glob("**/.*.part"))


def test_many_interruptions_end_a_run_tidily(large: Path) -> None:
    options = ("--manifest", "m.csv", "--folder", "site", "--in-place", "--jobs", "2")
    process = started(large, "embed", *options)
    _, stderr = ended(process, times=20)
    assert process.returncode == 130
    assert "Interrupted" in stderr
    assert not list(large.glob("**/.*.part"))


def test_extract_says_that_it_was_interrupted(large: Path) -> None:
    process = started(large, "extract", "--folder", "site", "--jobs", "2")
    stdout, stderr = ended(process)
    assert (process.returncode, stderr) == (130, "Interrupted. Not everything was done.\n")
    assert stdout.startswith('{"file": "0.htm"')


def test_once_ends_in_good_order_and_twice_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as is_ended:
        assert not is_ended()
        signal.raise_signal(signal.SIGINT)
        assert is_ended()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def press_twice(moment: int) -> None:
    """Press Ctrl-C, and again at a line of the code that handles it."""
    left = iter(range(moment))

    def trace(_frame: FrameType, event: str, _: object) -> TraceFunction:
        if event == "line" and next(left, None) == moment - 1:
            signal.raise_signal(signal.SIGINT)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("moment", range(1, 30))
def test_ctrl_c_while_ctrl_c_is_handled_ends_the_run(moment: int) -> None:
    with interruptible() as is_ended:
        with suppress(KeyboardInterrupt):
            press_twice(moment)
        assert is_ended()


def test_single_files_are_ended_between_two(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    presses: list[int] = []

    def pressed(*arguments: object) -> Outcome:
        presses.append(1)
        if len(presses) == 1:
            signal.raise_signal(signal.SIGINT)
        return process_file(*arguments)

    monkeypatch.chdir(place)
    monkeypatch.setattr("lexurn.documents.process_file", pressed)
    result = run("site/0.htm", "site/1.htm", "--urn", f"{ACT};0", "--in-place")
    assert result.exit_code == 130
    assert changed(place) == {"0.htm"}


def asked_after(count: int) -> Callable[[], bool]:
    """What says that the run is ended when it has been asked so many times."""
    left = iter(range(count))
    return lambda: next(left, None) is None


def embedded(place: Path, is_ended: Callable[[], bool] = lambda: False) -> list[Outcome]:
    with open_manifest(place / "m.csv") as manifest:
        families = list(manifest.families())
    manner = EmbedOptions(writes=True)
    site = place / "site"
    return list(embed_folder(families, site, options=manner, workers=1, is_ended=is_ended))


@pytest.mark.parametrize(
    ("asked", "count"),
    [(0, 0), (50, 0), (100, 0), (101, 0), (102, 32), (103, 64), (104, 96), (105, 100)],
)
def test_a_caller_can_end_a_run_at_any_time(place: Path, asked: int, count: int) -> None:
    done = embedded(place, asked_after(asked))
    assert len(done) == count
    assert {each.file for each in done if each.is_written} == changed(place)
    assert all(each.is_good for each in done)


@pytest.mark.parametrize("count", range(4))
def test_a_caller_can_end_a_removal_at_any_time(place: Path, count: int) -> None:
    embedded(place)
    manner = EmbedOptions(writes=True)
    is_ended = asked_after(COUNT + count)
    gone = list(remove_folder(place / "site", options=manner, workers=1, is_ended=is_ended))
    assert len(gone) == 32 * count
    assert {each.status for each in gone} <= {OutcomeStatus.REMOVED}
    assert not {each.file for each in gone} & changed(place)
