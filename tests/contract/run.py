"""Contract of all commands: what each gives, as lists of digests.

    python tests/contract/run.py OUT_FOLDER   leave every output as a file below OUT_FOLDER
    python tests/contract/run.py --check      compare with the lists; print keys that differ;
                                              exit code 1 if output or corpus differ, not messages
    python tests/contract/run.py --write      write the lists anew

Three lists lie beside this file:

- ``output.sha256``: standard output, files written, exit codes, codes of findings;
- ``messages.sha256``: standard error, help texts, JSON with sentences for people;
- ``corpus.sha256``: counts over the folder that LEXURN_CORPUS names; left out without it.

A key ends in ``.stdout``, ``.stderr``, ``.exit``, ``.codes`` (codes of findings on standard error,
in order), ``.facts`` (JSON without its sentences), or is the path of a file. Two folders can be
compared with ``diff -r``. The source is that of this checkout, or what PYTHONPATH names.

Normalised, since it differs from run to run or from machine to machine: the path of the scratch
folder (SCRATCH), that of the checkout with lexurn's data (DATA), lexurn's version behind its name
(VERSION), the time at which a catalogue gave out a name (WHEN), and the size of a store before and
after ``catalogue optimize`` (BYTES). ``.gz`` files are kept unpacked,
and files of a catalogue's store are not kept; dumps of it are. Colours are off, help texts have 80
columns.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
SECTIONS = ("name_items", "site_items", "catalogue_items", "document_items", "other_items")
CORPUS = "LEXURN_CORPUS"


def recorded(names: list[str]) -> dict[str, dict[str, bytes]]:
    """Run sections, and return what they give by list and key."""
    _settle()
    from recorder import Recorder, working_in  # noqa: PLC0415 - after the environment is settled

    with tempfile.TemporaryDirectory(dir=_scratch()) as folder:
        scratch = Path(folder).resolve()
        recorder = Recorder(scratch)
        for name in names:
            section: Callable[[Recorder], None] = import_module(name).record
            with working_in(scratch / name):
                _copy_inputs()
                section(recorder)
        return {"output": recorder.output, "messages": recorder.messages, "corpus": recorder.corpus}


def _scratch() -> str | None:
    """Return a folder in memory where there is one: thousands of files are written and deleted."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder with a random name is made there
    return str(memory) if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) else None


def _settle() -> None:
    """Make the environment the same everywhere."""
    for name in [each for each in os.environ if each.startswith("LEXURN_") and each != CORPUS]:
        del os.environ[name]
    if not os.environ.get("PYTHONPATH"):
        os.environ["PYTHONPATH"] = str(REPOSITORY / "src")
        sys.path.insert(0, str(REPOSITORY / "src"))
    os.environ |= {"COLUMNS": "82", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    os.umask(0o022)
    warnings.simplefilter("ignore")


def _copy_inputs() -> None:
    shutil.copytree(REPOSITORY / "examples", "examples")
    for folder in ("cases", "golden", "golden_embedding", "golden_export", "golden_sidecars"):
        shutil.copytree(REPOSITORY / "tests" / folder, folder)


def lines_of(name: str, kept: Mapping[str, bytes]) -> str:
    """Return the lines of a list."""
    from recorder import counts_of, list_of  # noqa: PLC0415 - imports lexurn

    return counts_of(kept) if name == "corpus" else list_of(kept)


def list_path(name: str) -> Path:
    """Return the file of a list."""
    return HERE / f"{name}.sha256"


def differences(name: str, lines: str) -> list[str]:
    """Return the keys of a list that changed, are new or are gone."""
    path = list_path(name)
    before = _by_key(path.read_text("utf-8")) if path.exists() else {}
    after = _by_key(lines)
    changed = {key for key in before.keys() & after.keys() if before[key] != after[key]}
    named = [("changed", changed), ("new", after.keys() - before), ("gone", before.keys() - after)]
    return [f"{word} {key}" for word, keys in named for key in sorted(keys)]


def _by_key(lines: str) -> dict[str, str]:
    pairs = (line.split("  ", 1) for line in lines.splitlines())
    return {key: digest for digest, key in pairs}


def _leave(out: Path, recordings: Mapping[str, Mapping[str, bytes]]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, kept in recordings.items():
        out.joinpath(f"{name}.sha256").write_text(lines_of(name, kept), "utf-8")
        for key, data in kept.items():
            path = out / name / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def main() -> int:
    """Run the contract as the arguments say."""
    parser = argparse.ArgumentParser(description="Run every command and list what it gives.")
    parser.add_argument("out", nargs="?", type=Path, help="a folder for every output")
    parser.add_argument("--check", action="store_true", help="compare with the lists")
    parser.add_argument("--write", action="store_true", help="write the lists anew")
    parser.add_argument("--only", choices=(*SECTIONS, "corpus_items"), help="one section alone")
    asked = parser.parse_args()
    if not (asked.out or asked.check or asked.write):
        parser.error("OUT_FOLDER, --check or --write is needed")
    if asked.out and asked.out.exists() and any(asked.out.iterdir()):
        parser.error(f"{asked.out} is not empty")
    if asked.write and asked.only:
        parser.error("--write takes no --only")
    corpus = ["corpus_items"] if os.environ.get(CORPUS) else []
    out = asked.out.resolve() if asked.out else None
    recordings = recorded([asked.only] if asked.only else [*SECTIONS, *corpus])
    if not corpus:
        del recordings["corpus"]
    if out:
        _leave(out, recordings)
    return _compare(asked, recordings)


def _compare(asked: argparse.Namespace, recordings: Mapping[str, Mapping[str, bytes]]) -> int:
    found = 0
    for name, kept in recordings.items():
        lines = lines_of(name, kept)
        keys = differences(name, lines)
        if asked.only:
            keys = [key for key in keys if not key.startswith("gone ")]
        if asked.check:
            print(*(f"{name}: {key}\n" for key in keys), sep="", end="")  # noqa: T201 - what was asked for
            found += len(keys) if name != "messages" else 0
        if asked.write:
            list_path(name).write_text(lines, "utf-8")
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
