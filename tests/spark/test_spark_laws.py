"""Laws of the steps that a cluster does: however rows are spread, what comes is the same."""

from __future__ import annotations

import errno
import os
import pickle
import tempfile
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from spark_runs import DAY, nameless, one_process

from lexurn.findings import Finding
from lexurn.manifest import (
    PackedGroup,
    PackedRow,
    RejectedRow,
    RowReader,
    open_manifest,
    write_joined_acts,
)
from lexurn.shacl import Result
from lexurn.spark import job
from lexurn.spark.__main__ import main

if TYPE_CHECKING:
    import pytest

ACTS = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(5)]
TAILS = ["", "", "@2005-01-01:it", "@2006-01-01", "@testo", "~art1", ":allegato.1"]
NAMES = st.sampled_from([act + tail for act in ACTS for tail in TAILS])
URLS = st.sampled_from(["", "", "https://law.example/a.pdf", "https://law.example/b.pdf"])
TITLES = st.sampled_from(["", "Legge", '"due\nrighe"', '"not closed', "\ufffd"])
ROWS = st.tuples(NAMES, st.one_of(st.just(""), NAMES), URLS, TITLES).map(",".join)
TABLES = st.lists(st.lists(ROWS, max_size=9), min_size=1, max_size=3)
BUILDING = job.BuildOptions(DAY, "https://law.example", checks=False)


def sent(values):
    """What comes of values that go from process to process."""
    return pickle.loads(pickle.dumps(list(values)))


def of(kind, results):
    return [value for value in results if isinstance(value, kind)]


class Spread:
    """The steps one after the other, with dictionaries instead of a cluster."""

    def __init__(self, readers: tuple[RowReader, ...], size: int, many: int, joined: Path) -> None:
        self.results = []
        readers = sent(readers)
        rows = self._rows(readers, size)
        write_joined_acts(joined, sent(job.find_joined_acts(rows)))
        tasks = defaultdict(list)
        for key, row in sent(job.place_rows(str(joined), many, rows)):
            tasks[key[0]].append((key, row))
        gathered = []
        for place in range(many):
            rows_here = reversed(tasks[place])  # nobody promises an order
            gathered += sent(job.gather_alias_sets(readers, place, rows_here))
        self.results += [value for _, value in gathered]
        met = defaultdict(list)
        copies = defaultdict(list)
        for key, value in gathered:
            if isinstance(value, PackedGroup):
                met[key].append(value)
            elif isinstance(value, job.Copy):
                copies[value.url].append(key)
        for key, copy in chain.from_iterable(job.share_copies(*item) for item in copies.items()):
            met[key].append(copy)
        self.results += sent(job.build_quads(BUILDING, met.items()))
        self.quads = of(job.Quads, self.results)
        broken = of(job.BrokenRows, self.results)
        torn = frozenset(chain.from_iterable(each.numbers for each in broken))
        self.rejects = [*of(RejectedRow, self.results), *job.find_broken_rows(torn, rows)]

    def _rows(self, readers, size):
        before, rows = 0, []
        for place, portion in chain.from_iterable(job.cut_portions(r, size) for r in readers):
            read = sent(job.read_rows(readers, job.Task(place, portion, before)))
            before += portion.rows
            rows += of(PackedRow, read)
            self.results += [each for each in read if not isinstance(each, PackedRow)]
        self.count = before
        return rows


@given(tables=TABLES, size=st.sampled_from([1, 100, 1 << 20]), many=st.integers(1, 4))
def test_however_rows_are_spread_the_same_comes(tables, size, many) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [folder / f"{number}.csv" for number in range(len(tables))]
        for source, rows in zip(sources, tables, strict=True):
            text = "\n".join(["urn,alias_of,url,title", *rows])
            source.write_text(text, encoding="utf-8")
        one = one_process(sources, folder / "one.rejects.csv", base=BUILDING.base)
        with open_manifest(sources, rejects=folder / "many.rejects.csv") as manifest:
            run = Spread(manifest.readers, size, many, folder / "joined.sqlite")
            manifest.write_rejected(run.count, run.rejects)
        lines = {line for _, text in run.quads for line in text.encode().splitlines(keepends=True)}
        assert b"".join(sorted(lines)) == one.quads
        assert nameless(of(Finding, run.results)) == one.findings
        assert (manifest.rows, manifest.rejected) == (one.rows, one.rejected)
        assert b"".join(path.read_bytes() for path in manifest.rejects) == one.rejects
        counts = of(job.Counts, run.results)
        assert sum(each.families for each in counts) == one.families
        assert sum(each.names for each in counts) == one.names
        assert not of(Result, run.results)


def test_who_is_left_out_does_not_depend_on_the_company(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    copy = "@originale:it$stato.it:application-pdf,https://law.example/a.pdf"
    rows = [f"{act}{copy},{10 + number}" for number, act in enumerate(ACTS)]
    table.write_text("\n".join(["urn,url,bytes", *rows, ""]), encoding="utf-8")
    building = BUILDING._replace(checks=True)
    with open_manifest(table) as manifest:
        groups = [((0, each.act), [each]) for each in manifest.groups()]
        results = list(job.build_quads(building, groups))
    assert [each.refused for each in of(job.Counts, results)] == [0]
    assert "Violation" not in {each.severity for each in of(Result, results)}
    *quads, concepts = of(job.Quads, results)
    assert len(quads) == len(ACTS)
    assert "prefLabel" in concepts.text


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("lexurn.spark.__main__._run_job", full)
    done = CliRunner().invoke(main, ["acts.csv", "--out", str(tmp_path / "quads")])
    assert (done.exit_code, done.stderr) == (1, "error: [Errno 28] No space left on device\n")
