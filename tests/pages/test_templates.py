"""Compiled templates are saved beside the compiled modules, and never needed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_CODE = """
from lexurn import describe, parse
name = parse("urn:lex:it:stato:legge:2003-09-21;456")
print(describe((), name, "html", base="https://law.example"))
"""


def _describe(folder: Path, **variables: str) -> str:
    """Describe a name in another process, which has its compiled modules in a folder."""
    saving = {"PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    environment = os.environ | saving | variables
    command = [sys.executable, "-c", _CODE]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_a_page_is_the_same_with_templates_compiled_before(tmp_path: Path) -> None:
    first = _describe(tmp_path)
    saved = list(tmp_path.rglob("template-*.cache"))
    assert saved
    assert _describe(tmp_path) == first
    for end in (-20, 30):
        for each in saved:
            each.write_bytes(each.read_bytes()[:end])
        assert _describe(tmp_path) == first


@pytest.mark.parametrize("is_file", [True, False])
def test_a_page_is_the_same_where_nothing_can_be_saved(tmp_path: Path, *, is_file: bool) -> None:
    folder = tmp_path / "compiled"
    if is_file:
        folder.write_text("")
        assert _describe(folder) == _describe(tmp_path)
    else:
        assert _describe(folder, PYTHONDONTWRITEBYTECODE="1") == _describe(tmp_path)
        assert not folder.exists()
