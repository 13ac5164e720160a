"""Rooms import what is asked for, and no more: a command that needs little starts quickly."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

LAZY = [
    "lexurn",
    "lexurn.catalogue",
    "lexurn.embedding",
    "lexurn.export",
    "lexurn.graph",
    "lexurn.manifest",
    "lexurn.name",
    "lexurn.registry",
]


@pytest.mark.parametrize("room", LAZY)
def test_a_room_gives_all_that_it_says_and_nothing_else(room: str) -> None:
    module = importlib.import_module(room)
    assert [each for each in module.__all__ if not hasattr(module, each)] == []
    with pytest.raises(AttributeError, match="no_such_thing"):
        module.no_such_thing  # noqa: B018 - that it raises is what is asked


@pytest.mark.parametrize(
    ("room", "absent"),
    [
        ("lexurn.embedding._lots", "pyoxigraph jinja2 lexurn.manifest lexurn.graph"),
        ("lexurn.export._marking", "jinja2 lexurn.graph"),
    ],
)
def test_what_is_not_needed_is_not_imported(room: str, absent: str) -> None:
    code = f"import sys, {room}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()).isdisjoint(absent.split())
