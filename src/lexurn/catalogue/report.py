"""Report of a check, written piece by piece: text, HTML, JSON, SARIF 2.1.0 or RDF.

Text and HTML are for people, the heaviest first. ``ontology/check.schema.json`` describes the JSON.
In SARIF places are logical, the names: what is wrong stands in no file but in the catalogue. The
RDF is a ``sh:ValidationReport`` in Turtle.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn import data
from lexurn.catalogue.findings import format_count, format_verdict, shorten_term, strip_brackets
from lexurn.shacl import Severity, load_shapes_by_name
from lexurn.vocabulary import DCTERMS, RDFS, SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO, Any, Final

    import jinja2

    from lexurn.catalogue.findings import CatalogueReport, CheckFinding, CheckRule, RuleCount

_SHOWN_IN_TEXT: Final = 10


def write_text(report: CatalogueReport) -> Iterator[str]:
    """The report, line by line."""
    for each in report.counts():
        yield from _write_rule_lines(report, each)
    yield from (f"note: {note}\n" for note in report.notes)
    nodes = "1 node" if report.checked == 1 else f"{report.checked:,} nodes"
    yield f"{nodes} checked: {format_verdict(report)}\n"


def _write_rule_lines(report: CatalogueReport, each: RuleCount) -> Iterator[str]:
    rule = each.rule
    basis = f" ({rule.basis})" if rule.basis else ""
    yield f"{rule.code}: {format_count(each.count, rule.severity)}: {rule.message}{basis}\n"
    for finding in report.findings(rule.code, most=_SHOWN_IN_TEXT):
        yield from _write_finding_lines(finding)
    if each.count > _SHOWN_IN_TEXT:
        yield f"  ... and {each.count - _SHOWN_IN_TEXT:,} more\n"
    if rule.advice:
        yield f"  what to do: {rule.advice}\n"
    yield "\n"


def _write_finding_lines(finding: CheckFinding) -> Iterator[str]:
    yield f"  {shorten_term(finding.focus)}\n"
    yield from (f"    {shorten_term(each)}\n" for each in finding.others)
    if finding.value is not None:
        yield f"    {shorten_term(finding.value)}\n"
    if finding.detail:
        yield f"    {shorten_term(finding.detail)}\n"


_SHOWN_IN_HTML: Final = 50
_KINDS: Final = {
    Severity.VIOLATION: "Violation",
    Severity.WARNING: "Warning",
    Severity.INFO: "Remark",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLink:
    """A node, with a link where a click on it leads somewhere."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """One finding: the nodes concerned, what is at fault with them."""

    places: tuple[NodeLink, ...]
    value: NodeLink | None
    path: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSection:
    """A rule with the first of its findings, and whether any of them shows more than names."""

    code: str
    name: str
    kind: str
    count: str
    message: str
    basis: str
    advice: str
    rows: tuple[FindingRow, ...]
    has_faults: bool
    hidden: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPage:
    """All that the page shows.

    Attributes:
        place: the catalogue.
        verdict: what was found, in a few words.
        checked: how many nodes were checked.
        counts: each severity with its number and its noun.
        notes: what to know besides.
        sections: the rules that have findings, the heaviest first.
        quiet: names of rules that were looked at and have none.
    """

    place: str
    verdict: str
    checked: str
    counts: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    quiet: tuple[str, ...]


def write_html(report: CatalogueReport) -> Iterator[str]:
    """The page, piece by piece."""
    return _load_environment().get_template("check.html").generate(page=_make_page(report))


def _make_page(report: CatalogueReport) -> CheckPage:
    counts = report.counts()
    found = {each.rule.code for each in counts}
    return CheckPage(
        place=report.place,
        verdict=format_verdict(report),
        checked=f"{report.checked:,}",
        counts=tuple(_count_severity(report, each) for each in Severity),
        notes=report.notes,
        sections=tuple(_make_section(report, each) for each in counts),
        quiet=tuple(rule.name for rule in report.rules.values() if rule.code not in found),
    )


def _count_severity(report: CatalogueReport, severity: Severity) -> tuple[str, str, str]:
    number, _, noun = format_count(report.count(severity), severity).partition(" ")
    return _KINDS[severity], number, noun


def _make_section(report: CatalogueReport, each: RuleCount) -> RuleSection:
    rule = each.rule
    hidden = each.count - _SHOWN_IN_HTML
    rows = tuple(map(_make_row, report.findings(rule.code, most=_SHOWN_IN_HTML)))
    return RuleSection(
        code=rule.code,
        name=rule.name,
        kind=_KINDS[rule.severity],
        count=format_count(each.count, rule.severity),
        message=rule.message,
        basis=rule.basis,
        advice=rule.advice,
        rows=rows,
        has_faults=any(row.value or row.path or row.detail for row in rows),
        hidden=f"{hidden:,}" if hidden > 0 else "",
    )


def _make_row(finding: CheckFinding) -> FindingRow:
    return FindingRow(
        places=tuple(map(_make_link, (finding.focus, *finding.others))),
        value=None if finding.value is None else _make_link(finding.value),
        path="" if finding.path is None else shorten_term(finding.path),
        detail=finding.detail,
    )


def _make_link(term: str) -> NodeLink:
    """A node; only what the web has for everybody is a link, so that a click runs no script."""
    text = strip_brackets(term)
    is_link = text.lower().startswith(("http://", "https://"))
    return NodeLink(text=shorten_term(term), href=text if is_link else None)


@cache
def _load_environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - the other forms need none

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.find_folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def write_json(report: CatalogueReport) -> Iterator[str]:
    """The report: what it is about and the rules on the first lines, then a finding a line."""
    head = {
        "catalogue": report.place,
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "rules": [_make_json_rule(each) for each in report.counts()],
    }
    yield f'{_dump_json(head)[:-1]}, "findings": ['
    comma = "\n"
    for finding in report.findings():
        yield f"{comma}{_dump_json(_make_json_finding(finding))}"
        comma = ",\n"
    yield "\n]}\n"


def _dump_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _make_json_rule(each: RuleCount) -> dict[str, Any]:
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


def _make_json_finding(finding: CheckFinding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "focus": strip_brackets(finding.focus),
        "others": list(finding.others),
        "path": finding.path and strip_brackets(finding.path),
        "value": finding.value and strip_brackets(finding.value),
        "detail": finding.detail or None,
        "component": finding.component,
    }


_SARIF_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {
    Severity.VIOLATION: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}


def write_sarif(report: CatalogueReport) -> Iterator[str]:
    """The report: the tool and its rules first, then a result a line."""
    rules = [each.rule for each in report.counts()]
    places = {rule.code: place for place, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _make_driver(rules)},
        "invocations": [{"executionSuccessful": True, **_make_notes(report)}],
        "columnKind": "unicodeCodePoints",
        "properties": {"catalogue": report.place, "checked": report.checked},
    }
    yield f'{{"$schema": {_dump_json_value(_SARIF_SCHEMA)}, "version": "2.1.0", "runs": [\n'
    yield f'{_dump_json_value(run)[:-1]}, "results": ['
    comma = "\n"
    for finding in report.findings():
        rule = report.rules[finding.rule]
        yield f"{comma}{_dump_json_value(_make_result(finding, rule, places[rule.code]))}"
        comma = ",\n"
    yield "\n]}]}\n"


def _dump_json_value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _make_driver(rules: list[CheckRule]) -> dict[str, Any]:
    driver: dict[str, Any] = {"name": "lexurn", "rules": [_make_sarif_rule(rule) for rule in rules]}
    try:
        return driver | {"version": version("lexurn")}
    except PackageNotFoundError:  # run from a checkout that is not installed
        return driver


def _make_notes(report: CatalogueReport) -> dict[str, Any]:
    if not report.notes:
        return {}
    notes = [{"level": "note", "message": {"text": note}} for note in report.notes]
    return {"toolExecutionNotifications": notes}


def _make_sarif_rule(rule: CheckRule) -> dict[str, Any]:
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


def _make_result(finding: CheckFinding, rule: CheckRule, place: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": rule.code,
        "ruleIndex": place,
        "level": _LEVELS[rule.severity],
        "message": {"text": _write_message(finding, rule)},
        "locations": [_make_location(strip_brackets(finding.focus))],
        "partialFingerprints": {"lexurn/v1": _compute_fingerprint(finding)},
    }
    if finding.others:
        result["relatedLocations"] = [_make_location(each) for each in finding.others]
    return result


def _write_message(finding: CheckFinding, rule: CheckRule) -> str:
    value = "" if finding.value is None else f" [{strip_brackets(finding.value)}]"
    detail = f" {finding.detail}" if finding.detail else ""
    return f"{rule.message}{value}{detail}"


def _make_location(name: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}


def _compute_fingerprint(finding: CheckFinding) -> str:
    """What stays the same from run to run, so that a tool knows a finding again."""
    parts = (finding.rule, finding.focus, finding.path, finding.value, finding.component)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


_TURTLE_HEAD: Final = f"""\
@prefix dcterms: <{DCTERMS}> .
@prefix rdfs: <{RDFS}> .
@prefix sh: <{SH}> .

"""


def write_turtle(report: CatalogueReport) -> Iterator[str]:
    """The report, then what it says of the rules that are no shapes.

    ``sh:conforms`` is what SHACL says it is: true only where there is no result at all.
    """
    paths = {code: shape.path.turtle for code, shape in load_shapes_by_name().items() if shape.path}
    yield _TURTLE_HEAD
    yield f"[] a sh:ValidationReport ;\n  sh:conforms {_format_boolean(is_true=not report.count())}"
    for note in report.notes:
        yield f" ;\n  rdfs:comment {_format_literal(note)}@en"
    for finding in report.findings():
        lines = " ;\n".join(
            f"    {each}" for each in _write_statements(finding, report.rules[finding.rule], paths)
        )
        yield f" ;\n  sh:result [\n{lines}\n  ]"
    yield " .\n"
    for each in report.counts():
        if each.rule.code not in load_shapes_by_name():
            yield _write_rule(each.rule)


def _write_statements(
    finding: CheckFinding, rule: CheckRule, paths: Mapping[str, str]
) -> Iterator[str]:
    is_shape = rule.code in load_shapes_by_name()
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{rule.severity.value}"
    yield f"sh:focusNode {_format_term(finding.focus)}"
    path = paths.get(rule.code, finding.path)
    if path:
        yield f"sh:resultPath {path}"
    if finding.value is not None:
        yield f"sh:value {_format_term(finding.value)}"
    detail = f" {finding.detail}" if finding.detail else ""
    yield f"sh:resultMessage {_format_literal(f'{rule.message}{detail}')}@en"
    if is_shape:
        yield f"sh:sourceShape <{rule.iri}>"
    yield f"sh:sourceConstraintComponent <{finding.component if is_shape else rule.iri}>"
    for each in finding.others:
        yield f"dcterms:relation {_format_node(each)}"


def _write_rule(rule: CheckRule) -> str:
    """What a rule that is no shape is, in RDF."""
    lines = [
        f"\n<{rule.iri}> a sh:ConstraintComponent",
        f"  rdfs:label {_format_literal(rule.name)}@en",
        f"  rdfs:comment {_format_literal(f'{rule.message} {rule.advice}')}@en",
        f"  dcterms:source {_format_literal(rule.basis)}",
    ]
    return " ;\n".join(lines) + " .\n"


def _format_term(term: str) -> str:
    """A term; one that RDF cannot hold (the very fault that was found) as a text."""
    return _format_node(term[1:-1]) if term.startswith("<") else term


def _format_node(iri: str) -> str:
    """A name as a node; a name in a text may have ``|``, which a node has encoded."""
    try:
        return str(pyoxigraph.NamedNode(iri.replace("|", "%7C")))
    except ValueError:
        return _format_literal(iri)


def _format_literal(text: str) -> str:
    return str(pyoxigraph.Literal(text.encode(errors="replace").decode()))


def _format_boolean(*, is_true: bool) -> str:
    return "true" if is_true else "false"


class CheckFormat(StrEnum):
    """A form of a report: two for people, three for machines."""

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

    Text and HTML show some findings of each rule, and how many more there are; JSON, SARIF and
    Turtle have them all.

    Raises:
        CatalogueError: the findings cannot be read any more.
        OSError: the target cannot be written.
    """
    for piece in _WRITERS[form](report):
        # A lone surrogate, which no encoding can carry, is marked.
        target.write(piece.encode("utf-8", "replace"))
