"""The reference engine finds nothing in sound graphs, as the bulk engine does in tests/shacl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sound_rows import ROWS, assert_sound_graph, assert_sound_rows

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_is_wrong_with_the_sound_graph() -> None:
    assert_sound_graph("reference")


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_nothing_is_wrong_with_what_only_looks_like_a_fault(
    rows: list[dict[str, str]], tmp_path: Path
) -> None:
    assert_sound_rows(rows, tmp_path, "reference")
