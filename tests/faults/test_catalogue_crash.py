"""A load that dies at any step is mended at the next opening, and goes on where it stopped."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from sizes import one_in

from lexurn.catalogue import LoadOptions, load, loading, open_catalogue

# Dies by itself just before or just behind the n-th of all steps that touch a disk.
DYING = """
import datetime as dt, os, sys
from lexurn.catalogue import Catalogue, LoadOptions, load, load_manifest, open_catalogue
from lexurn.catalogue.index import Index
from lexurn.store import EmbeddedStore
from lexurn.manifest import open_manifest

place, way, step, *sources = sys.argv[1:]
left = int(step)

def dying(kind, name):
    whole = getattr(kind, name)
    def part(self, *args, **options):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        answer = whole(self, *args, **options)
        left -= 1
        if left == 0:
            os._exit(9)
        return answer
    setattr(kind, name, part)

for kind, names in ((EmbeddedStore, ("fill", "change", "flush")), (Index, ("begin", "settle"))):
    for name in names:
        dying(kind, name)
import lexurn.catalogue.loading as loader
loader._NAMES_AT_ONCE = loader._NAMES_IN_TASK = 40
Catalogue.portion = 1
options = LoadOptions(as_of=dt.date(2026, 1, 1), jobs=1)
with open_catalogue(place, write=True) as catalogue:
    for source in sources:
        with open_manifest(source) as manifest:
            if way == "alone":
                load(catalogue, manifest.families(), options)
            else:
                load_manifest(catalogue, manifest, options)
"""

HEAD = "urn,title@it,alias_of,url,bytes\n"


def table(path: Path, rows: list[str]) -> Path:
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("sources")
    names = [f"urn:lex:it:stato:legge:20{n:02}-01-01;{n}" for n in range(90)]
    gazette = "https://example.org/gazette.pdf"
    first = [
        f"{name},Legge {n},,https://example.org/{n}.pdf {gazette if n < 3 else ''},"
        for n, name in enumerate(names)
    ]
    second = [f"{name},Legge numero {n},,," for n, name in enumerate(names[:60])]
    second += [f"urn:lex:it:stato:decreto:2099-01-01;1,,{names[70]},{gazette},"]
    return [table(folder / "first.csv", first), table(folder / "second.csv", second)]


def run(place: Path, step: int, sources: list[Path], way: str = "alone") -> int:
    command = [sys.executable, "-c", DYING, str(place), way, str(step), *map(str, sources)]
    return subprocess.run(command, check=False).returncode


def load_all(place: Path, sources: list[Path]) -> None:
    """Load in this process, which does not die."""
    with open_catalogue(place, write=True) as catalogue:
        for source in sources:
            load(catalogue, families_in(source), LoadOptions(as_of=AS_OF))


def content(place: Path) -> list[str]:
    with open_catalogue(place) as catalogue:
        assert sorted(catalogue.holdings.keys()) == list(catalogue.holdings.keys())
        return held(catalogue)


@pytest.mark.parametrize("way", ["alone", "several"])
def test_every_step_may_be_the_last(
    tmp_path: Path, sources: list[Path], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(loading, "_NAMES_AT_ONCE", 40)
    monkeypatch.setattr(loading, "_NAMES_IN_TASK", 40)
    undisturbed = tmp_path / "whole"
    load_all(undisturbed, sources)
    wanted = content(undisturbed)
    codes = []
    for step in range(1, 70, one_in(3)):
        place = tmp_path / f"step{step}"
        codes.append(run(place, step, sources, way))
        load_all(place, sources)
        assert content(place) == wanted, f"died at step {step}"
        if codes[-1] == 0:
            break
    assert codes[-1] == 0
    assert codes.count(9) > 10


def test_a_reader_mends_what_a_writer_left(tmp_path: Path, sources: list[Path]) -> None:
    for step in (5, 6, 8):
        place = tmp_path / f"step{step}"
        assert run(place, step, sources) == 9
        with open_catalogue(place) as catalogue:
            keys = tuple(catalogue.holdings.keys())
            families = [catalogue.holdings.family(key) for key in keys]
            assert held(catalogue) == lines_of(f for f in families if f is not None)
            assert families


def test_a_lost_index_is_made_again(tmp_path: Path, sources: list[Path]) -> None:
    place = tmp_path / "c"
    load_all(place, sources)
    with open_catalogue(place) as catalogue:
        keys, wanted = list(catalogue.holdings.keys()), held(catalogue)
    for file in place.glob("names.sqlite*"):
        file.unlink()
    with open_catalogue(place, write=True) as catalogue:
        assert list(catalogue.holdings.keys()) == keys
        for source in sources:
            load(catalogue, families_in(source), LoadOptions(as_of=AS_OF))
        assert held(catalogue) == wanted


def test_killed_at_random_moments(tmp_path: Path) -> None:
    manifest = Path(__file__).parents[2] / "examples" / "acts.csv"
    command = [sys.executable, "-m", "lexurn", "catalogue", "load", str(manifest)]
    command += ["--as-of", "2026-01-01", "--catalogue"]
    start = time.monotonic()
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    taken = time.monotonic() - start
    moments = random.Random(9676)
    for number in range(3):
        place = tmp_path / f"killed{number}"
        with subprocess.Popen([*command, str(place)], stdout=subprocess.DEVNULL) as process:
            time.sleep(moments.uniform(0, taken))
            process.kill()
        subprocess.run([*command, str(place)], check=True, capture_output=True)
        assert content(place) == content(tmp_path / "whole")
