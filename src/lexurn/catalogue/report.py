"""Report of a check, written piece by piece: text, HTML, JSON, SARIF 2.1.0 or RDF.

Text and HTML are for people, the gravest first. ``ontology/check.schema.json`` describes the JSON.
Locations in SARIF are logical (the names): the faults are in the catalogue, not in a file. The
RDF is a ``sh:ValidationReport`` in Turtle.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Any, Final

from lexurn import data
from lexurn.catalogue.findings import format_verdict, shorten_term
from lexurn.findings import SarifLog
from lexurn.shacl import (
    Severity,
    format_count,
    load_shapes_by_name,
    strip_brackets,
    write_turtle_term,
    write_turtle_text,
)
from lexurn.vocabulary import DCTERMS, RDFS, SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lexurn.catalogue.findings import CatalogueReport, CheckFinding, CheckRule

_SHOWN_IN_TEXT: Final = 10


def write_text(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as text, line by line."""
    for rule, count in report.counts():
        basis = f" ({rule.basis})" if rule.basis else ""
        yield f"{rule.code}: {format_count(count, rule.severity)}: {rule.message}{basis}\n"
        for finding in report.findings(rule.code, most=_SHOWN_IN_TEXT):
            yield f"  {shorten_term(finding.focus)}\n"
            more = (*finding.others, finding.value, finding.detail)
            yield from (f"    {shorten_term(term)}\n" for term in more if term)
        if count > _SHOWN_IN_TEXT:
            yield f"  ... and {count - _SHOWN_IN_TEXT:,} more\n"
        if rule.advice:
            yield f"  remedy: {rule.advice}\n"
        yield "\n"
    yield from (f"note: {note}\n" for note in report.notes)
    nodes = "1 node" if report.checked == 1 else f"{report.checked:,} nodes"
    yield f"{nodes} checked: {format_verdict(report)}\n"


_SHOWN_IN_HTML: Final = 50
_KINDS: Final = {
    Severity.VIOLATION: "Violation",
    Severity.WARNING: "Warning",
    Severity.INFO: "Remark",
}


def write_html(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as an HTML page, piece by piece."""
    import jinja2  # noqa: PLC0415 - the other formats need none

    counts = report.counts()
    found = {rule.code for rule, _ in counts}
    page = {
        "location": report.location,
        "verdict": format_verdict(report),
        "checked": f"{report.checked:,}",
        "counts": [
            (_KINDS[each], *format_count(report.count(each), each).split(" ")) for each in Severity
        ],
        "notes": report.notes,
        "sections": [_make_section(report, rule, count) for rule, count in counts],
        "quiet": [rule.name for rule in report.rules.values() if rule.code not in found],
    }
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.find_folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("check.html").generate(page=page)


def _make_section(report: CatalogueReport, rule: CheckRule, count: int) -> dict[str, Any]:
    """Return a rule with the first of its findings, as the template shows them."""
    hidden = count - _SHOWN_IN_HTML
    findings = list(report.findings(rule.code, most=_SHOWN_IN_HTML))
    return {
        "code": rule.code,
        "name": rule.name,
        "kind": _KINDS[rule.severity],
        "count": format_count(count, rule.severity),
        "message": rule.message,
        "basis": rule.basis,
        "advice": rule.advice,
        "rows": [
            {
                "names": [_make_link(name) for name in (finding.focus, *finding.others)],
                "value": finding.value and _make_link(finding.value),
                "path": finding.path and shorten_term(finding.path),
                "detail": finding.detail,
            }
            for finding in findings
        ],
        "has_faults": any(found.value or found.path or found.detail for found in findings),
        "hidden": f"{hidden:,}" if hidden > 0 else "",
    }


def _make_link(term: str) -> dict[str, str | None]:
    """Return a node; only HTTP addresses are links, so that a click runs no script."""
    text = strip_brackets(term)
    is_link = text.lower().startswith(("http://", "https://"))
    return {"text": shorten_term(term), "href": text if is_link else None}


def write_json(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as JSON: its head with the rules, then a finding a line."""
    head = {
        "catalogue": report.location,
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "rules": [
            {
                "code": rule.code,
                "iri": rule.iri,
                "name": rule.name,
                "severity": rule.severity.value.lower(),
                "message": rule.message,
                "basis": rule.basis,
                "advice": rule.advice or None,
                "count": count,
            }
            for rule, count in report.counts()
        ],
    }
    yield f'{_dump_json(head)[:-1]}, "findings": ['
    comma = "\n"
    for finding in report.findings():
        row = {
            "rule": finding.rule,
            "focus": strip_brackets(finding.focus),
            "others": list(finding.others),
            "path": finding.path and strip_brackets(finding.path),
            "value": finding.value and strip_brackets(finding.value),
            "detail": finding.detail or None,
            "component": finding.component,
        }
        yield f"{comma}{_dump_json(row)}"
        comma = ",\n"
    yield "\n]}\n"


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_LEVELS: Final = {
    Severity.VIOLATION: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}


def write_sarif(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as SARIF, a result a line."""
    log = SarifLog()
    yield log.begin()
    for finding in report.findings():
        rule = report.rules[finding.rule]
        value = "" if finding.value is None else f" [{strip_brackets(finding.value)}]"
        detail = f" {finding.detail}" if finding.detail else ""
        others = [_make_location(each) for each in finding.others]
        yield log.add(
            rule.code,
            _LEVELS[rule.severity],
            f"{rule.message}{value}{detail}",
            locations=[_make_location(strip_brackets(finding.focus))],
            partialFingerprints={"lexurn/v1": compute_fingerprint(finding)},
            **({"relatedLocations": others} if others else {}),
        )

    def describe(code: str) -> dict[str, Any]:
        rule = report.rules[code]
        about = f"{rule.message} ({rule.basis})" if rule.basis else rule.message
        return {
            "name": rule.name,
            "shortDescription": {"text": rule.message},
            "fullDescription": {"text": about},
            "help": {"text": rule.advice or about},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            "properties": {"iri": rule.iri},
        }

    invocation: dict[str, Any] = {"executionSuccessful": True}
    if report.notes:
        notes = [{"level": "note", "message": {"text": note}} for note in report.notes]
        invocation["toolExecutionNotifications"] = notes
    about = {"catalogue": report.location, "checked": report.checked}
    yield log.finish(describe, invocations=[invocation], properties=about)


def _make_location(name: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}


def compute_fingerprint(finding: CheckFinding) -> str:
    """Return a digest by which a tool recognises a finding in the next run."""
    parts = (finding.rule, finding.focus, finding.path, finding.value, finding.component)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


_TURTLE_HEAD: Final = f"""\
@prefix dcterms: <{DCTERMS}> .
@prefix rdfs: <{RDFS}> .
@prefix sh: <{SH}> .

"""


def write_turtle(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as Turtle, then the rules that are no shapes.

    ``sh:conforms`` is true only where there is no result at all, not even a warning (SHACL §3.6.1).
    """
    paths = {code: shape.path.turtle for code, shape in load_shapes_by_name().items() if shape.path}
    yield _TURTLE_HEAD
    yield f"[] a sh:ValidationReport ;\n  sh:conforms {'false' if report.count() else 'true'}"
    for note in report.notes:
        yield f" ;\n  rdfs:comment {write_turtle_text(note)}@en"
    for finding in report.findings():
        lines = " ;\n".join(
            f"    {each}" for each in _write_statements(finding, report.rules[finding.rule], paths)
        )
        yield f" ;\n  sh:result [\n{lines}\n  ]"
    yield " .\n"
    for rule, _ in report.counts():
        if rule.code not in load_shapes_by_name():
            statements = [
                f"\n<{rule.iri}> a sh:ConstraintComponent",
                f"  rdfs:label {write_turtle_text(rule.name)}@en",
                f"  rdfs:comment {write_turtle_text(f'{rule.message} {rule.advice}')}@en",
                f"  dcterms:source {write_turtle_text(rule.basis)}",
            ]
            yield " ;\n".join(statements) + " .\n"


def _write_statements(
    finding: CheckFinding, rule: CheckRule, paths: Mapping[str, str]
) -> Iterator[str]:
    is_shape = rule.code in load_shapes_by_name()
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{rule.severity.value}"
    yield f"sh:focusNode {write_turtle_term(finding.focus)}"
    path = paths.get(rule.code, finding.path)
    if path:
        yield f"sh:resultPath {path}"
    if finding.value is not None:
        yield f"sh:value {write_turtle_term(finding.value)}"
    detail = f" {finding.detail}" if finding.detail else ""
    yield f"sh:resultMessage {write_turtle_text(f'{rule.message}{detail}')}@en"
    if is_shape:
        yield f"sh:sourceShape <{rule.iri}>"
    yield f"sh:sourceConstraintComponent <{finding.component if is_shape else rule.iri}>"
    for each in finding.others:
        node = each.replace("|", "%7C")  # as nodes have it
        yield f"dcterms:relation {write_turtle_term(f'<{node}>')}"


class CheckFormat(StrEnum):
    """Format of a report: two for people, three for machines."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"
    SARIF = "sarif"
    TURTLE = "turtle"


_WRITERS: Final[Mapping[CheckFormat, Callable[[CatalogueReport], Iterator[str]]]] = {
    CheckFormat.TEXT: write_text,
    CheckFormat.HTML: write_html,
    CheckFormat.JSON: write_json,
    CheckFormat.SARIF: write_sarif,
    CheckFormat.TURTLE: write_turtle,
}


def write_check_report(report: CatalogueReport, target: IO[bytes], form: CheckFormat) -> None:
    """Write a report; the same findings give the same bytes.

    Text and HTML show the first findings of each rule, and the number of the others; JSON, SARIF
    and Turtle have all.

    Raises:
        CatalogueError: the findings cannot be read.
        OSError: the target cannot be written.
    """
    for piece in _WRITERS[form](report):
        # Lone surrogates, which no encoding can carry, become ``?``.
        target.write(piece.encode("utf-8", "replace"))
