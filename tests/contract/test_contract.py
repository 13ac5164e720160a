"""The contract of all commands: what they give is what the lists beside this file say."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lexurn

HERE = Path(__file__).parent
RUN = HERE / "run.py"
WAIT = 1200  # seconds for another process to finish the run
ADVICE = (
    "to see what changed: run.py OUT at both revisions, then diff -r; to accept: run.py --write"
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lists as they are now, in a folder; one run serves all processes of a test run."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    out, finished = shared / "contract", shared / "contract-is-finished"
    try:
        out.mkdir()
    except FileExistsError:
        for _ in range(WAIT):
            if finished.exists():
                break
            time.sleep(1)
    else:
        finished.write_text(record(out), "utf-8")
    fault = finished.read_text("utf-8")
    assert not fault, fault
    return out


def record(out: Path) -> str:
    """Run the contract; return what went wrong."""
    source = Path(lexurn.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, str(RUN), str(out)],
        env=os.environ | {"PYTHONPATH": f"{source}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr if done.returncode else ""


def keys(path: Path) -> dict[str, str]:
    pairs = (line.split("  ", 1) for line in path.read_text("utf-8").splitlines())
    return {key: digest for digest, key in pairs}


def differences(recorded: Path, name: str) -> list[str]:
    before, after = (keys(folder / f"{name}.sha256") for folder in (HERE, recorded))
    changed = {key for key in before.keys() & after.keys() if before[key] != after[key]}
    named = [("changed", changed), ("new", after.keys() - before), ("gone", before.keys() - after)]
    return [f"{word} {key}" for word, found in named for key in sorted(found)]


@pytest.mark.parametrize("name", ["output", "messages", "corpus"])
def test_contract(recorded: Path, name: str) -> None:
    if name == "corpus" and not os.environ.get("LEXURN_CORPUS"):
        pytest.skip("LEXURN_CORPUS names no folder")
    found = differences(recorded, name)
    assert not found, "\n".join([f"{len(found)} keys differ ({ADVICE})", *found[:200]])
