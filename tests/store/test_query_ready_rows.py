"""Ready queries on small catalogues of their own: rows that must come, and rows that must not."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from query_store import answer_rows

from lexurn import open_manifest
from lexurn.graph import nquads_of
from lexurn.store import query, ready
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from pathlib import Path

IT = "urn:lex:it:stato"
LAW = f"{IT}:legge:2003-09-21;456"
SHORT = f"{IT}:legge:2003;456"
OLD = f"{IT}:legge:0956"
URL = "https://www.example.org/gazzetta1.pdf"

ROWS = [
    pytest.param("acts-without-copies", {}, [LAW], [LAW], id="no copy at all"),
    pytest.param("acts-without-copies", {}, [f"{LAW},,{URL}"], [], id="a copy of its own"),
    pytest.param(
        "acts-without-copies", {}, [LAW, f"{SHORT},{LAW},{URL}"], [], id="a copy of its alias"
    ),
    pytest.param(
        "acts-without-copies",
        {},
        [f"{SHORT},{LAW}", f"{SHORT}@original:it$example.it:pdf,,{URL}"],
        [],
        id="a copy of a version of its alias",
    ),
    pytest.param(
        "acts-without-copies",
        {},
        [f"{SHORT},{LAW},{URL}", f"{IT}:legge:2004-01-02;3"],
        [f"{IT}:legge:2004-01-02;3"],
        id="a copy of another act",
    ),
    pytest.param(
        "shared-copies", {}, [f"{LAW},,{URL}", f"{LAW}~art3,,{URL}"], [], id="an act and its part"
    ),
    pytest.param(
        "shared-copies",
        {},
        [
            f"{LAW}@original:it$example.it:pdf,,{URL}",
            f"{LAW}@original:it$example.it:pdf~art3;com2,,{URL}",
            f"{SHORT},{LAW}",
            f"{SHORT}~art3,,{URL}",
        ],
        [],
        id="parts on all levels, and of an alias",
    ),
    pytest.param(
        "shared-copies",
        {},
        [f"{LAW}~art3,,{URL}", f"{IT}:legge:2004-01-02;3,,{URL}"],
        [[URL, "2"]],
        id="a part and another act",
    ),
    pytest.param(
        "possible-doubles",
        {},
        [f"{IT}:decreto;x:2003-09-21;456", f"{IT}:decreto;y:2003-09-21;456"],
        [],
        id="one authority",
    ),
    pytest.param(
        "possible-doubles",
        {},
        [f"{IT}:decreto;x:2003-09-21;456", "urn:lex:it:parlamento:decreto:2003-09-21;456"],
        [["urn:lex:it:parlamento:decreto:2003-09-21;456", f"{IT}:decreto;x:2003-09-21;456"]],
        id="two authorities",
    ),
    pytest.param(
        "other-languages",
        {"version": f"{LAW}@2007-01-01;2008-01-01:it"},
        [
            f"{LAW}@2007-01-01;2008-01-01:it",
            f"{LAW}@2007-01-01;2009-01-01:de",
            f"{LAW}@2007-01-01;2008-01-01;rettifica:de",
            f"{LAW}@2007-01-01:fr",
        ],
        [],
        id="versions of other events",
    ),
    pytest.param(
        "other-languages",
        {"version": f"{LAW}@2007-01-01;2008-01-01:it"},
        [
            f"{LAW}@2007-01-01;2008-01-01:it",
            f"{LAW}@2007-01-01;2008-01-01:de",
            f"{SHORT},{LAW}",
            f"{SHORT}@2007-01-01;2008-01-01:fr",
        ],
        [[f"{LAW}@2007-01-01;2008-01-01:de", "de"], [f"{SHORT}@2007-01-01;2008-01-01:fr", "fr"]],
        id="versions of the same event",
    ),
    pytest.param(
        "acts-by-number",
        {"number": "5", "year": "20"},
        [f"{IT}:legge:2006-01-02;5", f"{IT}:legge:2006;5"],
        [],
        id="not the beginning of a year",
    ),
    pytest.param(
        "acts-by-number",
        {"number": "5", "year": "2006"},
        [f"{IT}:legge:2006-01-02;5", f"{IT}:decreto:2006;5", f"{IT}:legge:2007-01-02;5"],
        [
            [f"{IT}:decreto:2006;5", f"{IT}:decreto:2006;5", "2006"],
            [f"{IT}:legge:2006-01-02;5", f"{IT}:legge:2006-01-02;5", "2006-01-02"],
        ],
        id="a date or the year alone",
    ),
    pytest.param(
        "acts-by-number",
        {"number": "5", "year": "0956"},
        [f"{OLD}-01-02;5"],
        [[f"{OLD}-01-02;5", f"{OLD}-01-02;5", "0956-01-02"]],
        id="an early year by number",
    ),
    pytest.param(
        "acts-of-year",
        {"authority": "stato", "year": "956"},
        [f"{OLD}-01-02;5", f"{OLD};6"],
        [[f"{OLD};6", f"{OLD};6", "0956"], [f"{OLD}-01-02;5", f"{OLD}-01-02;5", "0956-01-02"]],
        id="the acts of an early year",
    ),
    pytest.param(
        "year-only",
        {"year": "0956"},
        [f"{OLD}-01-02;5", f"{OLD};5"],
        [[f"{OLD};5", f"{OLD}-01-02;5", "no"]],
        id="names with an early year",
    ),
]


@pytest.mark.parametrize(("name", "given", "rows", "answer"), ROWS)
def test_a_ready_query_gives_these_rows_and_no_others(
    tmp_path: Path, name: str, given: dict[str, str], rows: list[str], answer: list[object]
) -> None:
    path = tmp_path / "acts.csv"
    lines = ["urn,alias_of,url", *(f"{row},,".split(",")[:3] for row in rows)]
    path.write_text(
        "".join(f"{line if isinstance(line, str) else ','.join(line)}\n" for line in lines),
        encoding="utf-8",
    )
    store = EmbeddedStore(None, write=True)
    try:
        with open_manifest([str(path)]) as manifest:
            for family in manifest.families():
                store.fill(nquads_of(family, as_of=dt.date(2026, 1, 1)))
        given = given or ({} if name == "shared-copies" else {"jurisdiction": "it"})
        expected = [[each] if isinstance(each, str) else each for each in answer]
        assert answer_rows(query(store, ready(name, **given))) == expected
    finally:
        store.close()
