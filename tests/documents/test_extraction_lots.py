"""Many documents: whatever the number of processes, the same in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from reading_cases import page, write_pages

from lexurn.documents import extract_folder, extraction

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("site"))


def test_what_a_run_over_a_folder_named_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    for file in ("page", "page.bak", ".hidden.html", "note.txt"):
        (tmp_path / file).write_text("x" if file == "note.txt" else page(""), "utf-8")
    assert [each.file for each in extract_folder(tmp_path)] == ["page", "page.bak"]


def test_a_page_over_which_lexurn_breaks_down_does_not_stop_the_others(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no one foresaw it")

    monkeypatch.setattr(extraction, "interpret_reading", broken)
    found = list(extract_folder(site, workers=1))
    assert len(found) == 72
    assert {each.findings[0].code for each in found if each.file not in {"1.html", "2.pdf"}} == {
        "LX308"
    }
    assert "ZeroDivisionError: no one foresaw it" in found[0].findings[0].message
