"""Names given out by several processes at once, some of them killed: none twice (RFC 9676 9.3)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from catalogue_parts import AS_OF
from click.testing import CliRunner, Result

import lexurn
from lexurn.catalogue import LoadOptions, load, open_catalogue
from lexurn.cli import main
from lexurn.model import Record, families_of
from lexurn.name import parse

UNNUMBERED = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21", "unnumbered": True}


@pytest.fixture
def law(tmp_path: Path) -> Path:
    """A catalogue that has one act of the day."""
    record = Record(name=parse("urn:lex:it:stato:legge:2003-09-21;lex-20"))
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, families_of([record]), LoadOptions(as_of=AS_OF, jobs=1))
    return tmp_path / "law"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ("mint", *map(str, arguments)))


def started(*arguments: object) -> subprocess.Popen[str]:
    source = str(Path(lexurn.__path__[0]).parent)
    return subprocess.Popen(
        [sys.executable, "-m", "lexurn", "mint", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    )


def table(path: Path, rows: int) -> Path:
    row = json.dumps(UNNUMBERED | {"title": f"Table {path.stem}"})
    path.write_text("\n".join([row] * rows), "utf-8")
    return path


def listed(law: Path) -> list[str]:
    done = run("--catalogue", law, "--given")
    assert done.exit_code == 0, done.stderr
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def test_sixteen_processes_at_once(law: Path, tmp_path: Path) -> None:
    rows, many = 20, 16
    tables = [table(tmp_path / f"{each}.jsonl", rows) for each in range(many)]
    running = [started(each, "--catalogue", law) for each in tables]
    done = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == [0] * many, done
    names = [line for out, _ in done for line in out.splitlines()]
    assert len(names) == len(set(names)) == rows * many
    assert sorted(names) == listed(law)
    numbers = {int(name.rpartition("-")[2]) for name in names}
    assert numbers == set(range(21, 21 + rows * many))


def test_killed_in_the_middle_and_resumed(law: Path, tmp_path: Path) -> None:
    """What a killed run gave out is listed; the next run says it again, and goes on."""
    rows, many = 300, 4
    tables = [table(tmp_path / f"{each}.jsonl", rows) for each in range(many)]
    running = [started(each, "--catalogue", law) for each in tables]
    shown: list[str] = []
    for number, process in enumerate(running):
        assert process.stdout is not None
        shown += [process.stdout.readline().strip() for _ in range(number * 7)]
        process.send_signal(signal.SIGKILL)
        # The last line may be cut.
        shown += [line.strip() for line in process.stdout if line.endswith("\n")]
        process.communicate(timeout=300)
    given = listed(law)
    assert set(shown) <= set(given)
    resumed = [run(each, "--catalogue", law, "--resume") for each in tables]
    assert [done.exit_code for done in resumed] == [0] * many
    names = Counter(name for done in resumed for name in done.stdout.split())
    assert names.total() == len(names) == rows * many
    assert set(given) <= set(names)
    assert sorted(names) == listed(law)
