"""Every fault is caught by the shape meant for it, by both engines, with the same words."""

from __future__ import annotations

import datetime as dt

import pytest
from check_graphs import SAMPLE, Case, broken, cases
from version_cases import SOUND, days_of, records_of

from lexurn.graph import statements_of
from lexurn.model import families_of
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


STATED = {"Title", "License", "AnnexVersions", "ForceOrder", "VersionAfterAct", "VersionInAct"}
"""Shapes that see what is wrong in the records of some chains."""


@pytest.mark.parametrize("case", SOUND, ids=[case["id"] for case in SOUND])
def test_what_is_computed_of_versions_is_sound(case) -> None:
    for family in families_of(records_of(case)):
        graph = statements_of(family, as_of=dt.date.fromisoformat(days_of(case)[0]))
        report = validate(graph, engine="bulk")
        assert {each.shape.removeprefix(SHAPES) for each in report.results} <= STATED


@pytest.mark.parametrize("case", cases()[::SAMPLE], ids=lambda case: case.id)
def test_both_engines_agree(case: Case) -> None:
    graph = broken(case)
    assert validate(graph, engine="reference") == validate(graph, engine="bulk")
