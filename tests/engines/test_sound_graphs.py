"""The reference engine finds nothing in sound graphs, as the bulk engine does in tests/shacl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from check_graphs import sound
from sound_rows import ROWS, check_rows

from lexurn.shacl import SHAPES, validate

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_is_wrong_with_the_sound_graph() -> None:
    report = validate(sound(), engine="reference")
    assert report.results == ()
    assert report.conforms
    assert report.checked == 23
    assert report.notes == ()


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_nothing_is_wrong_with_what_only_looks_like_a_fault(
    rows: list[dict[str, str]], tmp_path: Path
) -> None:
    results = check_rows(rows, tmp_path, "reference")
    assert {result.shape.removeprefix(SHAPES) for result in results} <= {"Title"}
