"""Dates in arguments of public functions: as dates or as texts, with one error."""

from __future__ import annotations

import datetime as dt
import inspect
from typing import TYPE_CHECKING

import pytest

import lexurn
from lexurn.catalogue import MemoryHoldings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Use = Callable[[dt.date | str, Path], object]

ACT = lexurn.parse("urn:lex:it:stato:legge:2003-09-21;456")
BASE = "https://law.example"
RECORDS = tuple(
    lexurn.Record(name=lexurn.parse(f"{ACT}{end}")) for end in ("", "@2004-01-01", "@2022-01-01")
)
(FAMILY,) = lexurn.families_of(RECORDS)


def publish(day: dt.date | str, folder: Path) -> object:
    site = folder / str(type(day))
    lexurn.publish([FAMILY], site, base=BASE, as_of=day, workers=1, check=lambda _: ())
    return {path.relative_to(site): path.read_bytes() for path in site.rglob("index.*")}


def count_rejected(day: dt.date | str, _: Path) -> object:
    row = {"jurisdiction": "it", "measure": "legge", "date": "2022-05-01", "number": "1"}
    with lexurn.open_manifest(iter([row]), as_of=day) as manifest:
        return len(list(manifest.families())), manifest.rejected


USES: dict[str, Use] = {
    "dataset_of": lambda day, _: set(lexurn.dataset_of(RECORDS, as_of=day)),
    "describe": lambda day, _: lexurn.describe(RECORDS, ACT, "text", as_of=day),
    "graph_of": lambda day, _: set(lexurn.graph_of(RECORDS, as_of=day)),
    "head": lambda day, _: lexurn.head(ACT, RECORDS, base=BASE, as_of=day),
    "open_manifest": count_rejected,
    "publish": publish,
    "resolve": lambda day, _: lexurn.resolve(ACT, MemoryHoldings([FAMILY]), date=day),
    "statements_of": lambda day, _: lexurn.statements_of(FAMILY, as_of=day),
}


def test_every_function_with_a_day_is_here() -> None:
    functions = {name: getattr(lexurn, name) for name in lexurn.__all__}
    with_day = {
        name
        for name, function in functions.items()
        if inspect.isfunction(function) and "as_of" in inspect.signature(function).parameters
    }
    assert with_day | {"resolve"} == {*USES}


@pytest.mark.parametrize("name", USES)
def test_a_day_is_a_date_or_a_text(name: str, tmp_path: Path) -> None:
    use = USES[name]
    assert use("2021-01-01", tmp_path) == use(dt.date(2021, 1, 1), tmp_path)
    assert use("2021-01-01", tmp_path) != use(dt.date(2023, 1, 1), tmp_path)


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("text", ["2021", "", "2021-02-30", "1 May 2021"])
def test_a_text_that_is_not_a_date(name: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(lexurn.LexurnError) as caught:
        USES[name](text, tmp_path)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == f"{text!r} is not a date. Write YYYY-MM-DD."
    assert not any(tmp_path.iterdir())
