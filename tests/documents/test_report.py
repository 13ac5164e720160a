"""The report of ``lexurn embed``: where it is written, over what, and what becomes of it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from embedding_runs import PAGE, run

from lexurn.documents import Outcome, OutcomeStatus
from lexurn.errors import WorkerError

if TYPE_CHECKING:
    from collections.abc import Generator

NAME = "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it"
FOLDER = ("--manifest", "m.csv", "--folder", "site", "--in-place")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the run, with a site of two pages, one of them without a suffix."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    for file in ("1.html", "page"):
        (tmp_path / "site" / file).write_bytes(PAGE)
    (tmp_path / "m.csv").write_text(f"urn,file\n{NAME},1.html\n", "utf-8")
    return tmp_path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_report_in_no_folder_is_refused_in_plain_words(place: Path) -> None:
    result = run("site/1.html", "--urn", NAME, "--report", "no/x.jsonl", "--in-place")
    assert result.exit_code == 1
    assert "no/x.jsonl cannot be written: No such file or directory" in result.stderr
    assert ".part" not in result.output
    assert (place / "site" / "1.html").read_bytes() == PAGE


@pytest.mark.parametrize(
    ("report", "why"),
    [
        ("new.html", "must end in .jsonl"),
        ("m.csv", "must end in .jsonl"),
        ("", "must end in .jsonl"),
        ("site/r.jsonl", "is in the folder"),
    ],
)
def test_a_report_takes_the_place_of_nothing_else(place: Path, report: str, why: str) -> None:
    before = {each: each.read_bytes() for each in place.rglob("*") if each.is_file()}
    result = run(*FOLDER, "--report", report)
    assert result.exit_code == 2
    assert why in result.stderr
    assert before == {each: each.read_bytes() for each in place.rglob("*") if each.is_file()}


@pytest.mark.parametrize("before", ["nothing", "an empty file", "a report"])
def test_a_report_takes_the_place_of_an_older_one(place: Path, before: str) -> None:
    report = place / "r.jsonl"
    if before == "an empty file":
        report.touch()
    elif before == "a report":
        run(*FOLDER, "--report", "r.jsonl")
    assert run(*FOLDER, "--report", "r.jsonl").exit_code == 0
    assert [each["file"] for each in lines(report)] == ["1.html"]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_a_report_has_the_mode_of_the_older_one(place: Path, mode: int) -> None:
    report = place / "r.jsonl"
    report.touch()
    report.chmod(mode)
    run(*FOLDER, "--report", "r.jsonl")
    assert stat.S_IMODE(report.stat().st_mode) == mode


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away"
)
@pytest.mark.parametrize(("mode", "left"), [(0o640, 0o600), (0o604, 0o600), (0o644, 0o644)])
def test_a_report_shows_another_group_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, mode: int, left: int
) -> None:
    report = place / "r.jsonl"
    report.touch()
    report.chmod(mode)
    os.chown(report, 1_500, 1_500)
    run(*FOLDER, "--report", "r.jsonl")
    status = report.stat()
    assert (stat.S_IMODE(status.st_mode), status.st_gid) == (mode, 1_500)

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.chown", refused)
    run(*FOLDER, "--report", "r.jsonl")
    status = report.stat()
    assert (stat.S_IMODE(status.st_mode), status.st_gid) == (left, 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_a_report_that_cannot_be_written_is_an_error(place: Path) -> None:
    (place / "r.jsonl").symlink_to("/dev/full")
    result = run(*FOLDER, "--report", "r.jsonl")
    assert result.exit_code == 1
    assert "r.jsonl cannot be written: No space left on device" in result.stderr


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        (WorkerError("a process ended"), 1, "error: a process ended"),
        (OSError(28, "disk full"), 1, "error: [Errno 28] disk full"),
        (KeyboardInterrupt(), 130, "are not counted"),
    ],
)
def test_a_run_that_breaks_off_keeps_the_report_of_what_it_did(
    place: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, words: str
) -> None:
    def broken(*_: object, **__: object) -> Generator[Outcome]:
        yield Outcome(file="1.html", status=OutcomeStatus.EMBEDDED, is_written=True)
        raise fault

    monkeypatch.setattr("lexurn.documents.embed_folder", broken)
    result = run(*FOLDER, "--report", "r.jsonl")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (code, "1 file: 1 embedded")
    assert words in result.stderr
    assert [each["file"] for each in lines(place / "r.jsonl")] == ["1.html"]
