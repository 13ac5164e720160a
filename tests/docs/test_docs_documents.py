"""Every example in the guide to names in documents runs and prints what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doc_blocks import TOP, find_blocks, is_expected, make_shell, run_command, run_text

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GUIDE = TOP / "docs" / "documents.md"
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def test_console_blocks(tmp_path: Path) -> None:
    environment = make_shell(tmp_path)
    for command, expected in COMMAND.findall("".join(find_blocks(GUIDE, "console"))):
        printed = run_command(command, tmp_path, environment)
        # The two streams of a run come in any order.
        told, wanted = (sorted(text.splitlines()) for text in (printed, expected))
        assert is_expected(expected, printed) or told == wanted, f"$ {command}\n{printed}"


def test_python_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_text("".join(find_blocks(GUIDE, "python")), GUIDE)
