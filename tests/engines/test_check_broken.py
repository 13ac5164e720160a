"""Every fault is caught by the shape meant for it, by both engines, with the same words."""

from __future__ import annotations

import pytest
from check_graphs import SAMPLE, Case, broken, cases

from lexurn.shacl import Severity, validate
from lexurn.shacl.shapes import SHAPES, load_shapes


def test_there_are_many_faults_and_none_twice() -> None:
    everything = cases()
    assert len(everything) >= 60
    assert len({case.id for case in everything}) == len(everything)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_the_fault_is_caught_by_its_shape(case: Case) -> None:
    report = validate(broken(case), engine="bulk")
    found = {result.shape.removeprefix(SHAPES) for result in report.results}
    assert set(case.shapes) <= found
    severities = {load_shapes().shapes[f"{SHAPES}{shape}"].severity for shape in case.shapes}
    if Severity.VIOLATION in severities:
        assert not report.conforms


@pytest.mark.parametrize("case", cases()[::SAMPLE], ids=lambda case: case.id)
def test_both_engines_agree(case: Case) -> None:
    graph = broken(case)
    assert validate(graph, engine="reference") == validate(graph, engine="bulk")
