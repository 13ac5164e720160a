"""Every example in the guide to names in documents runs and prints what it says."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lexurn

TOP = Path(__file__).parents[2]
GUIDE = TOP / "docs" / "documents.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(language: str) -> list[str]:
    if not GUIDE.is_file():
        pytest.skip("no documents beside the tests (the lane of the bare wheel)")
    text = GUIDE.read_text(encoding="utf-8")
    return [match[2] for match in FENCE.finditer(text) if match[1] == language]


def test_console_blocks(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(TOP / "examples")
    script = tmp_path / "bin" / "lexurn"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lexurn "$@"\n')
    script.chmod(0o755)
    source = str(Path(lexurn.__path__[0]).parent)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": source, "NO_COLOR": "1"}
    checker = doctest.OutputChecker()
    for command, expected in COMMAND.findall("".join(blocks("console"))):
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1; {command}"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        # The two streams of a run come in any order.
        told, wanted = (sorted(text.splitlines()) for text in (done.stdout, expected))
        same = checker.check_output(expected, done.stdout, FLAGS) or told == wanted
        assert same, f"$ {command}\n{done.stdout}"


def test_python_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(text, {}, "guide", str(GUIDE), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    told: list[str] = []
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)
