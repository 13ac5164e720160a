"""Every example in the README and in the docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lexurn
from lexurn.errors import MissingExtraError
from lexurn.registry import Kind, load_registry

README = Path(__file__).parents[2] / "README.md"
DOCUMENTS = [
    README,
    *(README.parent / "docs" / f"{name}.md" for name in ("graph", "names", "tables")),
]
EXAMPLES = Path(__file__).parents[2] / "examples"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: Path, language: str) -> list[str]:
    if not document.is_file():
        pytest.skip("no documents beside the tests (the lane of the bare wheel)")
    text = document.read_text(encoding="utf-8")
    return [match[2] for match in FENCE.finditer(text) if match[1] == language]


def modules() -> list[str]:
    found = pkgutil.walk_packages(lexurn.__path__, "lexurn.")
    return sorted(m.name for m in found if not m.name.endswith("__main__"))


def run_doctest(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    told: list[str] = []
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_python_blocks(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(document, "python"))
    assert ">>>" in text
    run_doctest(doctest.DocTestParser().get_doctest(text, {}, document.stem, str(document), 0))


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with the examples, and an environment in which `lexurn` is this lexurn."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "examples").symlink_to(EXAMPLES)
    script = folder / "bin" / "lexurn"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lexurn "$@"\n')
    script.chmod(0o755)
    source = str(Path(lexurn.__path__[0]).parent)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return folder, {**os.environ, "PATH": path, "PYTHONPATH": source, "NO_COLOR": "1"}


@pytest.mark.parametrize("document", DOCUMENTS[:-1], ids=lambda path: path.stem)
def test_console_blocks(document: Path, shell: tuple[Path, dict[str, str]]) -> None:
    folder, environment = shell
    sessions = blocks(document, "console")
    assert sessions
    checker = doctest.OutputChecker()
    for session in sessions:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE):
            done = subprocess.run(
                ["bash", "-c", f"{command} 2>&1"],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert checker.check_output(expected, done.stdout, FLAGS), f"$ {command}\n{done.stdout}"


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
        extras = "httpx2", "justhtml", "pypdf", "lxml", "pyarrow", "shacl_rust", "pyspark"
        sys.modules.update(dict.fromkeys(extras))
        for room in "catalogue", "documents", "manifest", "publishing", "shacl", "store":
            module = importlib.import_module(f"lexurn.{room}")
            for name in dir(module):
                getattr(module, name)
            pydoc.render_doc(module)
    """
    source = str(Path(lexurn.__path__[0]).parent)
    environment = {**os.environ, "PYTHONPATH": source}
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=environment)


def test_import_loads_no_engine() -> None:
    heavy = {"rdflib", "pyshacl", "jinja2", "pyoxigraph", "shacl_rust", "pyarrow", "click", "rich"}
    code = "import sys, lexurn; lexurn.parse; print(*sorted(sys.modules))"
    source = str(Path(lexurn.__path__[0]).parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert not heavy & set(done.stdout.split())


def test_changelog_tells_this_version() -> None:
    text = README.parent / "CHANGELOG.md"
    if not text.is_file():
        pytest.skip("no changelog beside the tests (the lane of the bare wheel)")
    heading = re.search(r"^## (\S+)", text.read_text(encoding="utf-8"), re.MULTILINE)
    assert heading is not None
    assert heading[1] == lexurn.__version__


def test_conventions_are_documented() -> None:
    document = README.parent / "docs" / "names.md"
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
