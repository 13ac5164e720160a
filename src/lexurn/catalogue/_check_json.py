"""A report on a catalogue as one JSON object (``ontology/check.schema.json`` describes it)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lexurn.catalogue._check_shown import plain
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import CheckFinding, RuleCount

__all__ = ["pieces_of"]


def pieces_of(report: CatalogueReport) -> Iterator[str]:
    """The report: what it is about and the rules on the first lines, then a finding a line."""
    head = {
        "catalogue": report.place,
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "rules": [_rule(each) for each in report.counts()],
    }
    yield f'{_text(head)[:-1]}, "findings": ['
    comma = "\n"
    for finding in report.findings():
        yield f"{comma}{_text(_finding(finding))}"
        comma = ",\n"
    yield "\n]}\n"


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rule(each: RuleCount) -> dict[str, Any]:
    rule = each.rule
    return {
        "code": rule.code,
        "iri": rule.iri,
        "name": rule.name,
        "severity": rule.severity.value.lower(),
        "message": rule.message,
        "basis": rule.basis,
        "advice": rule.advice or None,
        "count": each.count,
    }


def _finding(finding: CheckFinding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "focus": plain(finding.focus),
        "others": list(finding.others),
        "path": finding.path and plain(finding.path),
        "value": finding.value and plain(finding.value),
        "detail": finding.detail or None,
        "component": finding.component,
    }
