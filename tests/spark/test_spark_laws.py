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

from lexurn.manifest import RowReader, open_manifest, write_joined_acts
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
    return pickle.loads(pickle.dumps(list(values)))  # noqa: S301 - our own


def of(kind, told):
    return [value for each, value in told if each == kind]


class Spread:
    """The steps one after the other, with dictionaries instead of a cluster."""

    def __init__(self, readers: tuple[RowReader, ...], size: int, many: int, kin: Path) -> None:
        self.told = []
        readers = sent(readers)
        rows = self._rows(readers, size)
        write_joined_acts(kin, sent(job.find_joined_acts(rows)))
        tasks = defaultdict(list)
        for key, row in sent(job.place_rows(str(kin), many, rows)):
            tasks[key[0]].append((key, row))
        gathered = []
        for place in range(many):
            rows_here = reversed(tasks[place])  # nobody promises an order
            gathered += sent(job.gather_alias_sets(readers, place, rows_here))
        self.told += [told for _, told in gathered]
        met = defaultdict(list)
        copies = defaultdict(list)
        for key, (kind, value) in gathered:
            if kind == job.GROUP:
                met[key].append((kind, value))
            elif kind == job.COPY:
                copies[value].append(key)
        for key, told in chain.from_iterable(job.share_copies(*item) for item in copies.items()):
            met[key].append(told)
        self.told += sent(job.build_quads(BUILDING, met.items()))
        self.quads = of(job.QUADS, self.told)
        torn = frozenset(chain.from_iterable(of(job.BROKEN, self.told)))
        self.rejects = [*of(job.REJECT, self.told), *job.find_broken_rows(torn, rows)]

    def _rows(self, readers, size):
        before, rows = 0, []
        for _, (place, portion) in chain.from_iterable(job.cut_portions(r, size) for r in readers):
            told = sent(job.read_portion(readers, job.Task(place, portion, before)))
            before += portion.rows
            rows += of(job.ROW, told)
            self.told += [each for each in told if each[0] != job.ROW]
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
            run = Spread(manifest.readers, size, many, folder / "kin.sqlite")
            manifest.write_rejected(run.count, run.rejects)
        lines = {line for _, text in run.quads for line in text.encode().splitlines(keepends=True)}
        assert b"".join(sorted(lines)) == one.quads
        assert nameless(of(job.FINDING, run.told)) == one.findings
        assert (manifest.rows, manifest.rejected) == (one.rows, one.rejected)
        assert b"".join(path.read_bytes() for path in manifest.rejects) == one.rejects
        counts = of(job.COUNTS, run.told)
        assert sum(each.families for each in counts) == one.families == len(run.quads)
        assert sum(each.names for each in counts) == one.names
        assert not of(job.RESULT, run.told)


def test_who_is_left_out_does_not_depend_on_the_company(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    copy = "@originale:it$stato.it:application-pdf,https://law.example/a.pdf"
    rows = [f"{act}{copy},{10 + number}" for number, act in enumerate(ACTS)]
    table.write_text("\n".join(["urn,url,bytes", *rows, ""]), encoding="utf-8")
    building = BUILDING._replace(checks=True)
    with open_manifest(table) as manifest:
        groups = [((0, each.act), [(job.GROUP, each)]) for each in manifest.groups()]
        told = list(job.build_quads(building, groups))
    assert [each.refused for each in of(job.COUNTS, told)] == [0]
    assert "Violation" not in {each.severity for each in of(job.RESULT, told)}
    assert len(of(job.QUADS, told)) == len(ACTS)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("lexurn.spark.__main__._run", full)
    done = CliRunner().invoke(main, ["acts.csv", "--out", str(tmp_path / "quads")])
    assert (done.exit_code, done.stderr) == (1, "error: [Errno 28] No space left on device\n")
