"""Examples in the documentation: their blocks, and a shell that has this lexurn."""

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
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SOURCE = str(Path(lexurn.__path__[0]).parent)
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_blocks(document: Path, language: str) -> list[str]:
    """Return the blocks of a document in a language."""
    if not document.is_file():
        pytest.skip("no documents beside the tests (the lane of the bare wheel)")
    text = document.read_text(encoding="utf-8")
    return [match[2] for match in _FENCE.finditer(text) if match[1] == language]


def make_shell(folder: Path) -> dict[str, str]:
    """Return an environment in which `lexurn` is this lexurn; the folder gets the examples."""
    (folder / "examples").symlink_to(TOP / "examples")
    script = folder / "bin" / "lexurn"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lexurn "$@"\n')
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": SOURCE, "NO_COLOR": "1"}


def run_command(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Return what a command prints, on either stream."""
    return subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{command}"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout


def is_expected(expected: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(expected, printed, FLAGS)


def run_text(text: str, document: Path) -> None:
    """Run the sessions of Python in a text."""
    assert ">>>" in text
    run_doctest(doctest.DocTestParser().get_doctest(text, {}, document.stem, str(document), 0))


def run_doctest(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    printed: list[str] = []
    runner.run(test, out=printed.append)
    assert runner.failures == 0, "".join(printed)
