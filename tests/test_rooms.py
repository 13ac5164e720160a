"""Packages import what is asked for, and no more: a command that needs little starts quickly."""

from __future__ import annotations

import importlib
import pkgutil
import re
import rlcompleter
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lexurn
from lexurn import lazy

ROOT = Path(__file__).parents[1]
PACKAGES = [each.name for each in pkgutil.iter_modules(lexurn.__path__) if each.ispkg]
PUBLIC = ["lexurn", *(f"lexurn.{each}" for each in PACKAGES if each not in {"cli", "spark"})]
ENGINES = "rdflib pyoxigraph pyshacl shacl_rust jinja2 click rich pyarrow"


ORDERED = [each.name for each in pkgutil.walk_packages(lexurn.__path__, "lexurn.") if each.ispkg]


def started(code: str) -> str:
    """What a fresh interpreter prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.parametrize("room", PUBLIC)
def test_a_room_gives_all_that_it_lists_and_nothing_else(room: str) -> None:
    module = importlib.import_module(room)
    assert len(set(module.__all__)) == len(module.__all__)
    assert [each for each in module.__all__ if not hasattr(module, each)] == []
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match="no_such_thing"):
        module.no_such_thing  # noqa: B018 - that it raises is what is asked


@pytest.mark.parametrize("room", PUBLIC)
def test_no_module_of_a_room_is_called_as_one_of_its_names(room: str) -> None:
    module = importlib.import_module(room)
    modules = {each.name for each in pkgutil.iter_modules(module.__path__)}
    assert modules.isdisjoint(module.__all__)


def test_the_package_shows_its_public_names_alone() -> None:
    assert dir(lexurn) == sorted(lexurn.__all__)
    code = "import lexurn; before = dir(lexurn); lexurn.parse; print(before == dir(lexurn))"
    assert started(code) == "True\n"


@pytest.mark.parametrize("room", PUBLIC[1:])
def test_rooms_are_attributes_without_an_import_of_their_own(room: str) -> None:
    printed = started(f"import lexurn; print({room}.__name__, *{room}.__all__)")
    assert printed.split() == [room, *importlib.import_module(room).__all__]


def test_a_name_of_a_room_needs_one_import() -> None:
    code = "import lexurn; print(lexurn.catalogue.open_catalogue is lexurn.open_catalogue)"
    assert started(code) == "True\n"


@pytest.mark.parametrize("room", PUBLIC)
def test_names_are_completed_in_an_interactive_session(room: str) -> None:
    completer = rlcompleter.Completer({"lexurn": lexurn})
    found = completer.attr_matches(f"{room}.")
    names = {each.removeprefix(f"{room}.").rstrip("()") for each in found}
    assert set(importlib.import_module(room).__all__) <= names


@pytest.fixture(scope="module")
def help_texts() -> dict[str, str]:
    """What ``help`` prints for each room in a fresh interpreter."""
    pages = "; ".join(f"help({room}); print(chr(12), end='')" for room in PUBLIC)
    return dict(zip(PUBLIC, started(f"import lexurn; {pages}").split("\f"), strict=False))


@pytest.mark.parametrize("room", PUBLIC)
def test_help_describes_a_room(room: str, help_texts: dict[str, str]) -> None:
    printed = help_texts[room]
    module = importlib.import_module(room)
    assert (module.__doc__ or "").splitlines()[0].rstrip(".") in printed
    assert [each for each in module.__all__ if each not in printed] == []


@pytest.mark.parametrize("room", ORDERED)
def test_a_room_lists_its_files_in_reading_order(room: str) -> None:
    module = importlib.import_module(room)
    page = module.__doc__ or ""
    listed = re.search(r"(?s)\nIn: .+\nOut: .+\nRead in this order: ([^.]+)\.", page)
    assert listed is not None
    files = {
        each.stem
        for each in Path(module.__path__[0]).iterdir()
        if (each.suffix == ".py" and each.stem != "__init__") or (each / "__init__.py").is_file()
    }
    names = re.findall(r"\w+", re.sub(r"\(.*?\)", "", listed[1]))
    assert sorted(names) == sorted(files)


def test_the_modules_are_listed_from_the_lowest() -> None:
    listed = re.findall(r"^- `(\w+)`:", lexurn.__doc__ or "", re.MULTILINE)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(each["layers"] for each in settings["contracts"] if each["type"] == "layers")
    ranks = {name: rank for rank, layer in enumerate(layers) for name in layer.split(" | ")}
    assert {*listed, "__main__"} == ranks.keys()
    assert listed == sorted(listed, key=ranks.__getitem__, reverse=True)


def test_the_package_imports_no_engine() -> None:
    loaded = set(started("import sys, lexurn; print(*sys.modules)").split())
    assert loaded.isdisjoint(ENGINES.split())
    assert {each for each in loaded if each.startswith("lexurn")} == {"lexurn", "lexurn.lazy"}


def test_a_package_without_its_source_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy._read_imports.cache_clear()
    monkeypatch.setattr(type(lexurn.catalogue.__loader__), "get_source", lambda *_: None)
    with pytest.raises(ImportError, match=r"source of lexurn\.catalogue is missing"):
        lazy._read_imports("lexurn.catalogue")


def test_a_fault_in_a_module_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> None:
        raise ModuleNotFoundError("No module named 'engine'", name="engine")

    monkeypatch.setattr(lazy, "import_module", absent)
    with pytest.raises(ModuleNotFoundError, match="engine"):
        lexurn.no_such_thing  # noqa: B018 - that it raises is what is asked


@pytest.mark.parametrize(
    ("room", "absent"),
    [
        ("lexurn.catalogue.check", "httpx2 jinja2"),
        ("lexurn.resolver.resolution", "pyoxigraph httpx2 lexurn.store.answers"),
        ("lexurn.documents.extraction", "pyoxigraph pypdf lexurn.labels lexurn.registry"),
        ("lexurn.documents.folder", "pyoxigraph jinja2 lexurn.manifest lexurn.graph.statements"),
        ("lexurn.pages.head_tags", "jinja2 lexurn.graph"),
    ],
)
def test_what_is_not_needed_is_not_imported(room: str, absent: str) -> None:
    code = f"import sys, {room}; print(*sys.modules)"
    assert set(started(code).split()).isdisjoint(absent.split())


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    broken, pattern = lazy.compile_late("("), lazy.compile_late("a.c", re.DOTALL)
    assert (broken.pattern, pattern.fullmatch("a\nc") is None) == ("(", False)
    with pytest.raises(re.error):
        broken.search("")
