"""Files that appear whole: what is there before, meanwhile and afterwards, and what is no file."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from lexurn.files import make_part_path, open_for_writing, replace_atomically

if TYPE_CHECKING:
    from pathlib import Path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.nq"
    path.write_bytes(b"before")
    with open_for_writing(path) as stream:
        stream.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert names_in(tmp_path) == ["a.nq"]


def test_what_breaks_off_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.nq"
    path.write_bytes(b"before")
    with suppress(ZeroDivisionError), open_for_writing(path) as stream:
        stream.write(b"after")
        stream.write(bytes(1 // 0))
    assert path.read_bytes() == b"before"
    with suppress(ZeroDivisionError), replace_atomically(tmp_path / "b.nq") as part:
        part.write_bytes(b"after")
        part.write_bytes(bytes(1 // 0))
    assert names_in(tmp_path) == ["a.nq"]


def test_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a.nq"
    with open_for_writing(path) as one:
        one.write(b"o")
        with open_for_writing(path) as other:
            other.write(b"other")
        assert path.read_bytes() == b"other"
        one.write(b"ne")
    assert path.read_bytes() == b"one"
    assert names_in(tmp_path) == ["a.nq"]


def test_a_new_file_may_be_read_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with open_for_writing(tmp_path / "a.nq") as stream:
        stream.write(b"x")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "a.nq")}
    assert len(modes) == 1


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, real = tmp_path / "latest", tmp_path / "far" / "1.nq"
    link.symlink_to(real)
    for content in (b"new", b"newer"):
        with open_for_writing(link) as stream:
            stream.write(content)
        assert link.is_symlink()
        assert real.read_bytes() == content
    assert names_in(tmp_path / "far") == ["1.nq"]


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_pipe_is_written_into(tmp_path: Path, *, is_linked: bool) -> None:
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if is_linked:
        path = tmp_path / "link"
        path.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with open_for_writing(path) as stream:
            stream.write(b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert path.is_symlink() is is_linked


def test_a_device_is_written_into(tmp_path: Path) -> None:
    link = tmp_path / "nothing"
    link.symlink_to("/dev/null")
    with open_for_writing(link) as stream:
        stream.write(b"gone")
    assert link.is_symlink()
    assert link.is_char_device()


def test_a_folder_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), open_for_writing(tmp_path):
        pass
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["a.nq", "é" * 127, "x" * 255])
def test_names_are_new_hidden_and_fit(tmp_path: Path, name: str) -> None:
    parts = {make_part_path(tmp_path / name) for _ in range(100)}
    assert len(parts) == 100
    for part in parts:
        assert part.name.startswith(".")
        part.touch()
    with open_for_writing(tmp_path / name) as stream:
        stream.write(b"x")
    assert (tmp_path / name).read_bytes() == b"x"
