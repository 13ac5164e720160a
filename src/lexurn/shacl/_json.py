"""A report as one JSON object (``ontology/report.schema.json`` describes it)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.shacl._results import Severity

if TYPE_CHECKING:
    from lexurn.shacl._results import CheckReport, Result

__all__ = ["json_of"]


def json_of(report: CheckReport) -> dict[str, Any]:
    """A report as JSON values.

    Nodes and values are IRIs as they are, blank nodes as ``_:label``, literals as N-Triples writes
    them (in quotation marks).
    """
    return {
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "results": [_result(each) for each in report.results],
    }


def _result(result: Result) -> dict[str, Any]:
    source = result.source
    return {
        "severity": result.severity.value.lower(),
        "file": None if source is None else source.file,
        "line": None if source is None else source.line,
        "focus": _plain(result.focus),
        "path": result.path and _plain(result.path),
        "value": result.value and _plain(result.value),
        "message": result.message,
        "rule": result.rule,
        "shape": result.shape,
        "component": result.component,
    }


def _plain(term: str) -> str:
    """A term; an IRI (but not a path of several) without its angle brackets."""
    return term[1:-1] if term.startswith("<") and ">" not in term[:-1] else term
