"""Checks of a catalogue by several processes: the findings and reports of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from checked_catalogue import all_of, fill, written

from lexurn.catalogue import (
    CatalogueReport,
    CheckFormat,
    CheckOptions,
    check_catalogue,
    open_catalogue,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(tmp_path_factory.mktemp("check") / "law")


@pytest.fixture(scope="module")
def reports(place: str) -> Iterator[tuple[CatalogueReport, CatalogueReport]]:
    """The reports of one process and of two."""
    with (
        open_catalogue(place) as catalogue,
        check_catalogue(catalogue, CheckOptions(jobs=1)) as one,
        check_catalogue(catalogue, CheckOptions(jobs=2, chunk=50)) as other,
    ):
        yield one, other


def test_several_processes_that_read_for_themselves_find_the_same(
    place: str, reports: tuple[CatalogueReport, CatalogueReport]
) -> None:
    alone, other = (list(report.findings()) for report in reports)
    assert all_of(place, jobs=2, chunk=60, reopen=place) == alone
    assert other == alone
    assert alone


@pytest.mark.parametrize("form", CheckFormat)
def test_a_report_is_the_same_each_time(
    reports: tuple[CatalogueReport, CatalogueReport], form: CheckFormat
) -> None:
    first, other = (written(report, form) for report in reports)
    assert other == first
    assert first.endswith(b"\n")
