"""A report on a catalogue in SARIF 2.1.0, which tools that show findings of checkers read.

What is wrong stands in no file but in the catalogue, so that places are logical: the names.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from lexurn.catalogue._check_shown import plain
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import CheckFinding, CheckRule

__all__ = ["pieces_of"]

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {
    Severity.VIOLATION: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}


def pieces_of(report: CatalogueReport) -> Iterator[str]:
    """The report: the tool and its rules first, then a result a line."""
    rules = [each.rule for each in report.counts()]
    places = {rule.code: place for place, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [{"executionSuccessful": True, **_notes(report)}],
        "columnKind": "unicodeCodePoints",
        "properties": {"catalogue": report.place, "checked": report.checked},
    }
    yield f'{{"$schema": {_text(_SCHEMA)}, "version": "2.1.0", "runs": [\n'
    yield f'{_text(run)[:-1]}, "results": ['
    comma = "\n"
    for finding in report.findings():
        rule = report.rules[finding.rule]
        yield f"{comma}{_text(_result(finding, rule, places[rule.code]))}"
        comma = ",\n"
    yield "\n]}]}\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _driver(rules: list[CheckRule]) -> dict[str, Any]:
    driver: dict[str, Any] = {"name": "lexurn", "rules": [_rule(rule) for rule in rules]}
    try:
        return driver | {"version": version("lexurn")}
    except PackageNotFoundError:  # run from a checkout that is not installed
        return driver


def _notes(report: CatalogueReport) -> dict[str, Any]:
    if not report.notes:
        return {}
    notes = [{"level": "note", "message": {"text": note}} for note in report.notes]
    return {"toolExecutionNotifications": notes}


def _rule(rule: CheckRule) -> dict[str, Any]:
    about = f"{rule.message} ({rule.basis})" if rule.basis else rule.message
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.message},
        "fullDescription": {"text": about},
        "help": {"text": rule.advice or about},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"iri": rule.iri},
    }


def _result(finding: CheckFinding, rule: CheckRule, place: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": rule.code,
        "ruleIndex": place,
        "level": _LEVELS[rule.severity],
        "message": {"text": _message(finding, rule)},
        "locations": [_location(plain(finding.focus))],
        "partialFingerprints": {"lexurn/v1": _fingerprint(finding)},
    }
    if finding.others:
        result["relatedLocations"] = [_location(each) for each in finding.others]
    return result


def _message(finding: CheckFinding, rule: CheckRule) -> str:
    value = "" if finding.value is None else f" [{plain(finding.value)}]"
    detail = f" {finding.detail}" if finding.detail else ""
    return f"{rule.message}{value}{detail}"


def _location(name: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}


def _fingerprint(finding: CheckFinding) -> str:
    """What stays the same from run to run, so that a tool knows a finding again."""
    parts = (finding.rule, finding.focus, finding.path, finding.value, finding.component)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
