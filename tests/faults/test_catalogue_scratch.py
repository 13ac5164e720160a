"""Temporary files of the catalogue: where they lie, and that none are left for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lexurn.catalogue.files import (
    choose_scratch_folder,
    explain_scratch_faults,
    make_scratch_folder,
)
from lexurn.errors import CatalogueError

HOLD = """
import os, sys
from lexurn.catalogue.files import make_scratch_folder
with make_scratch_folder("lexurn-try-") as folder:
    (folder / "much").write_bytes(b"x" * 1000)
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def holder() -> tuple[subprocess.Popen[str], Path]:
    """A process that has a folder, and the folder."""
    run = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    return run, Path(run.stdout.readline().strip())


def test_a_folder_lies_where_the_environment_says_and_is_gone_afterwards(place: Path) -> None:
    with make_scratch_folder("lexurn-try-") as folder:
        assert folder.parent == place
        assert list(place.glob("lexurn-try-*")) == [folder]
    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_what_a_killed_process_left_goes_with_the_next_and_what_is_in_use_stays(place) -> None:
    dead, left = holder()
    live, kept = holder()
    dead.kill()
    dead.communicate()
    try:
        assert (left / "much").is_file()
        with make_scratch_folder("lexurn-try-") as folder:
            assert sorted(place.iterdir()) == sorted([folder, kept])
            assert (kept / "much").is_file()
    finally:
        live.communicate("")
    assert live.returncode == 0
    assert list(place.iterdir()) == []


def test_folders_of_others_and_folders_that_are_being_made_stay(place: Path) -> None:
    (place / "lexurn-other").mkdir()
    (place / "lexurn-try-new").mkdir()
    with make_scratch_folder("lexurn-try-"):
        pass
    assert sorted(path.name for path in place.iterdir()) == ["lexurn-other", "lexurn-try-new"]


def test_a_place_that_cannot_be_used_is_said_not_passed_over(tmp_path, monkeypatch) -> None:
    absent = tmp_path / "absent"
    monkeypatch.setenv("TMPDIR", str(absent))
    assert choose_scratch_folder() == str(absent)
    with (
        pytest.raises(CatalogueError, match=f"in {absent}: .*TMPDIR"),
        make_scratch_folder("lexurn-"),
    ):
        pass


def test_a_full_disk_is_named(place: Path) -> None:
    with pytest.raises(CatalogueError, match=f"space in {place}"), explain_scratch_faults():
        raise OSError(28, os.strerror(28))
