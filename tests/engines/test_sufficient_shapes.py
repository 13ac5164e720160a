"""Sufficient shapes: where SHACL Core finds that all is well, the SPARQL finds nothing."""

from __future__ import annotations

from functools import cache

import pytest
from check_graphs import PREFIXES
from hypothesis import given, settings
from hypothesis import strategies as st

from lexurn.shacl import SHAPES
from lexurn.shacl.bulk import run_bulk_engine
from lexurn.shacl.reference import run_reference_engine
from lexurn.shacl.shapes import ShapeSet, load_shapes
from lexurn.vocabulary import TYPE

LEXO, IANA, FRBR, DCTERMS = (PREFIXES[each] for each in ("lexo", "iana", "frbr", "dcterms"))
DAYS = ("2000-01-01", "2000-01-02", "2001-01-01", "10000-01-01", "2000-02-30")
XSD_DATE = "http://www.w3.org/2001/XMLSchema#date"
VALUES = [*(f'"{day}"^^<{XSD_DATE}>' for day in DAYS), '"2000-01-01"', "<https://law.example/day>"]
NODES = [f"<urn:lex:it:stato:legge:2000-01-01;{number}@original>" for number in range(3)]
CLASS = (TYPE, f"<{LEXO}Expression>")
LINKS = {
    "AnnexVersions": [f"{FRBR}part", f"{FRBR}realization"],
    "CurrentInForce": [f"{IANA}current"],
    "Cycle": [f"{IANA}last", f"{IANA}previous"],
    "DatesGrow": [f"{IANA}previous"],
    "ForceOnce": [f"{IANA}next"],
    "ForceOrder": [],
    "IssuedAvailable": [],
    "RealizationBothWays": [f"{FRBR}realizationOf", f"{FRBR}realization"],
}
"""Shapes with a sufficient shape, and the links between nodes that they look at."""
DATES = {
    "AnnexVersions": [f"{LEXO}versionDate"],
    "CurrentInForce": [f"{LEXO}asOf", f"{LEXO}forceFrom", f"{LEXO}forceUntil"],
    "DatesGrow": [f"{LEXO}versionDate"],
    "ForceOnce": [f"{LEXO}forceFrom", f"{LEXO}forceUntil"],
    "ForceOrder": [f"{LEXO}inForceFrom", f"{LEXO}inForceUntil"],
    "IssuedAvailable": [f"{DCTERMS}issued", f"{DCTERMS}available"],
}


@cache
def only(shape: str) -> ShapeSet:
    return load_shapes().select(lambda iri: iri == f"{SHAPES}{shape}")


def test_all_shapes_with_a_sufficient_shape_are_tried() -> None:
    assert load_shapes().turtle.count(f"<{SHAPES}sufficientShape>") == len(LINKS)


@pytest.mark.parametrize("shape", LINKS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_sparql_finds_is_found(shape: str, data: st.DataObject) -> None:
    links = st.tuples(
        st.sampled_from(NODES),
        st.sampled_from([f"<{each}>" for each in LINKS[shape]] or [CLASS[0]]),
        st.sampled_from([*NODES, '"a text"']),
    )
    dates = st.tuples(
        st.sampled_from(NODES),
        st.sampled_from([f"<{each}>" for each in DATES.get(shape, [f"{LEXO}asOf"])]),
        st.sampled_from(VALUES),
    )
    lines = data.draw(st.sets(links, max_size=6)) | data.draw(st.sets(dates, max_size=7))
    lines |= {(node, *CLASS) for node in NODES}
    triples = "".join(f"{' '.join(line)} .\n" for line in sorted(lines))
    found = run_bulk_engine(triples, only(shape))
    assert set(found) == set(run_reference_engine(triples, only(shape)))
