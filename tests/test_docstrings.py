"""Docstrings begin with a verb or a plain noun, and no sentence begins with a question word."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import lexurn

ROOT = Path(lexurn.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
FILLER = re.compile(
    r"(What|Which|Where|Whether|Who|Whoever|How|When|All|That|Those|These|This|It|The|A|An|Less|"
    r"More|Of|In|As)\b"
)
QUESTION = re.compile(r"(?:^|[.] )(What|Which|Whoever|Where) ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_open_plainly(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
            if FILLER.match(text) or QUESTION.search(text):
                wrong.append((getattr(node, "name", "module"), text))
    assert wrong == []
