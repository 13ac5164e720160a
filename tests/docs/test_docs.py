"""Every example in the README and in the docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from doc_blocks import (
    SOURCE,
    TOP,
    find_blocks,
    is_expected,
    make_shell,
    run_command,
    run_doctest,
    run_text,
)

import lexurn
from lexurn.errors import MissingExtraError
from lexurn.registry import Kind, load_registry

if TYPE_CHECKING:
    from pathlib import Path

README = TOP / "README.md"
DOCUMENTS = [
    README,
    *(TOP / "docs" / f"{name}.md" for name in ("graph", "names", "tables")),
]


def modules() -> list[str]:
    found = pkgutil.walk_packages(lexurn.__path__, "lexurn.")
    return sorted(m.name for m in found if not m.name.endswith("__main__"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_python_blocks(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(TOP / "examples")
    monkeypatch.chdir(tmp_path)
    run_text("\n".join(find_blocks(document, "python")), document)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp("readme")
    return folder, make_shell(folder)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_console_blocks(document: Path, shell: tuple[Path, dict[str, str]]) -> None:
    sessions = find_blocks(document, "console")
    assert sessions
    for session in sessions:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE):
            # Of a pipeline, the messages of the last command alone are shown.
            printed = run_command(f"exec 2> /dev/null; {command} 2>&1", *shell)
            assert is_expected(expected, printed), f"$ {command}\n{printed}"


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except MissingExtraError as missing:
        pytest.skip(str(missing))
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        if test.examples:
            run_doctest(test)


def test_public_face_is_documented() -> None:
    for name in lexurn.__all__:
        value = getattr(lexurn, name)
        assert value.__doc__, name


def test_names_are_listed_without_extras() -> None:
    code = """if True:
        import importlib, pydoc, sys
        extras = "httpx2", "turbohtml", "pypdf", "lxml", "pyarrow", "shacl_rust", "pyspark"
        sys.modules.update(dict.fromkeys(extras))
        for room in "catalogue", "documents", "manifest", "publishing", "shacl", "store":
            module = importlib.import_module(f"lexurn.{room}")
            for name in dir(module):
                getattr(module, name)
            pydoc.render_doc(module)
    """
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=environment)


def test_import_loads_no_engine() -> None:
    heavy = {"rdflib", "pyshacl", "jinja2", "pyoxigraph", "shacl_rust", "pyarrow", "click", "rich"}
    code = "import sys, lexurn; lexurn.parse; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    assert not heavy & set(done.stdout.split())


def test_changelog_tells_this_version() -> None:
    text = TOP / "CHANGELOG.md"
    if not text.is_file():
        pytest.skip("no changelog beside the tests (the lane of the bare wheel)")
    heading = re.search(r"^## (\S+)", text.read_text(encoding="utf-8"), re.MULTILINE)
    assert heading is not None
    assert heading[1] == lexurn.__version__


def test_conventions_are_documented() -> None:
    document = TOP / "docs" / "names.md"
    if not document.is_file():
        pytest.skip("no documents beside the tests (the lane of the bare wheel)")
    known = load_registry()
    templates = {
        each.notation for code in known.languages() for each in known.lexicon(Kind.FORMAT, code)
    }
    keys = {
        each.notation
        for code in known.jurisdictions()
        for each in known.lexicon(Kind.CONVENTION, code)
    }
    text = document.read_text(encoding="utf-8")
    assert [key for key in sorted(keys - templates) if f"`{key}`" not in text] == []
