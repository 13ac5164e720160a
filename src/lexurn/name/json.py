"""JSON of reports, by the schema ``ontology/name.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from lexurn.findings import Finding
    from lexurn.name.name import Report
    from lexurn.name.values import (
        Annex,
        Component,
        Date,
        Details,
        Editor,
        Event,
        ExpressionIdentifier,
        Feature,
        Format,
        ManifestationIdentifier,
        Measure,
    )

    Specified = Measure | Annex | Editor | Format | Component | Feature


def report_to_json(report: Report) -> dict[str, Any]:
    """Convert a report to a JSON object: absent parts are null, lists never are."""
    parts, name = report.parts, report.name
    components = parts.components
    return {
        "input": report.text,
        "valid": report.valid,
        "reading": report.reading.value,
        "name": name and str(name),
        "iri": name and name.iri,
        "level": name and name.level.value,
        "jurisdiction": parts.jurisdiction
        and {"code": parts.jurisdiction.code, "units": list(parts.jurisdiction.units)},
        "authority": parts.authority
        and [[issuer.institution, *issuer.functions] for issuer in parts.authority.issuers],
        "measure": parts.measure and _specified_to_json("type", parts.measure.type, parts.measure),
        "details": parts.details and _details_to_json(parts.details),
        "annexes": [_specified_to_json("id", annex.id, annex) for annex in parts.annexes],
        "expression": parts.expression and _expression_to_json(parts.expression),
        "manifestation": parts.manifestation and _manifestation_to_json(parts.manifestation),
        "partition": parts.partition,
        "r_component": components.r,
        "q_component": components.q,
        "f_component": components.f,
        "findings": [_finding_to_json(finding) for finding in report.findings],
    }


def _specified_to_json(key: str, head: str, element: Specified) -> dict[str, Any]:
    """Convert an element with its specifications."""
    return {key: head, "specifications": list(element.specifications)}


def _date_to_json(date: Date) -> dict[str, Any]:
    return {"iso": date.iso, "local": date.local}


def _details_to_json(details: Details) -> dict[str, Any]:
    return {
        "dates": [_date_to_json(date) for date in details.dates],
        "period": details.period,
        "numbers": list(details.numbers),
        "number_lex": details.is_lex_number,
    }


def _event_to_json(event: Event) -> dict[str, Any]:
    return {"event": event.event} if event.date is None else {"date": _date_to_json(event.date)}


def _expression_to_json(expression: ExpressionIdentifier) -> dict[str, Any]:
    version = expression.version
    return {
        "version": {
            "date": version.date and _date_to_json(version.date),
            "specification": version.specification,
            "events": [_event_to_json(event) for event in version.events],
        },
        "language": expression.language,
    }


def _manifestation_to_json(manifestation: ManifestationIdentifier) -> dict[str, Any]:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    return {
        "editor": _specified_to_json("publisher", editor.publisher, editor),
        "format": _specified_to_json("mime", form.mime, form),
        "component": component and _specified_to_json("part", component.part, component),
        "feature": feature and _specified_to_json("attribute", feature.attribute, feature),
    }


def _finding_to_json(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "component": finding.component,
        "start": finding.start,
        "end": finding.end,
        "message": finding.message,
        "rule": finding.rule,
        "suggestion": finding.suggestion,
    }
