"""The check room: graphs of LEX names against the shapes, and reports on what they find.

pyshacl is the reference engine, shacl-rust the one for many works; both give the same results.
"""

from __future__ import annotations

from lexurn.shacl._families import check_families
from lexurn.shacl._json import json_of
from lexurn.shacl._results import CheckError, CheckReport, Result, Severity
from lexurn.shacl._shapes import SHAPES
from lexurn.shacl._text import text_of
from lexurn.shacl._triples import check_triples, shapes_by_name
from lexurn.shacl._turtle import graph_of_report
from lexurn.shacl._validate import validate
from lexurn.shacl._verdicts import Verdicts, verdicts_on

__all__ = [
    "SHAPES",
    "CheckError",
    "CheckReport",
    "Result",
    "Severity",
    "Verdicts",
    "check_families",
    "check_triples",
    "graph_of_report",
    "json_of",
    "shapes_by_name",
    "text_of",
    "validate",
    "verdicts_on",
]
