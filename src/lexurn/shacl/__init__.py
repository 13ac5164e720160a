"""SHACL: graphs of LEX names checked against the shapes, and reports of the results.

In: rdflib graphs, statements, N-Triples, or families of records.
Out: results and reports: as values, text, JSON, and RDF. Two engines give the same results.
Read in this order: shapes, report, bulk, reference, validation.
"""

from __future__ import annotations

from lexurn.shacl.report import (
    CheckReport,
    Result,
    format_count,
    make_json_report,
    strip_brackets,
    write_text_report,
    write_turtle_report,
    write_turtle_term,
    write_turtle_text,
)
from lexurn.shacl.shapes import SHAPES, CheckError, Severity, load_shapes_by_name
from lexurn.shacl.validation import (
    EngineName,
    FamilyCheck,
    check_families,
    check_triples,
    choose_engine,
    find_invalid_families,
    validate,
)

__all__ = [
    "SHAPES",
    "CheckError",
    "CheckReport",
    "EngineName",
    "FamilyCheck",
    "Result",
    "Severity",
    "check_families",
    "check_triples",
    "choose_engine",
    "find_invalid_families",
    "format_count",
    "load_shapes_by_name",
    "make_json_report",
    "strip_brackets",
    "validate",
    "write_text_report",
    "write_turtle_report",
    "write_turtle_term",
    "write_turtle_text",
]
