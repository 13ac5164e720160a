"""Sites by several processes: the same files, checks and faults as by one."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import publish_run
import pytest
from export_cases import name
from publish_run import environment, many
from site_runs import run, tree

from lexurn.errors import GraphError
from lexurn.model import Record
from lexurn.publishing import publication, statements

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lexurn.model import Family
    from lexurn.shacl import Result


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each process some portions of a small site."""
    monkeypatch.setattr(publication, "_PORTION_NAMES", 60)
    monkeypatch.setattr(statements, "_CHUNK_SIZE", 4)


def test_one_process_and_several_write_the_same(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert run(one, many(30)).written == run(two, many(30), workers=2).written
    assert tree(one) == tree(two)


def test_a_check_that_cannot_travel_runs_here(tmp_path: Path) -> None:
    seen: list[int] = []

    def count(families: Sequence[Family]) -> Sequence[Result]:
        seen.append(len(families))
        return ()

    run(tmp_path, many(30), check=count, workers=2)
    assert sum(seen) == 30


def test_a_fault_in_another_process_is_the_same_fault(tmp_path: Path) -> None:
    bad = Record(name=name("urn:lex:zz:stato:legge:2000-01-01;1"), pages=("no iri at all",))
    with pytest.raises(GraphError, match="no iri at all"):
        run(tmp_path, [*many(30), bad], workers=2)


def test_hash_seeds_do_not_matter(tmp_path: Path) -> None:
    trees = []
    for seed in ("0", "1"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, publish_run.__file__, str(out), "20", "1"],
            env=environment(PYTHONHASHSEED=seed),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        trees.append(tree(out))
    assert trees[0] == trees[1]
