"""A report as JSON; its schema is ``ontology/name.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexurn.name._findings import Finding, Report
    from lexurn.name._values import (
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

__all__ = ["json_of"]


def json_of(report: Report) -> dict[str, Any]:
    """A report as a JSON object: absent parts are null, lists never are."""
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
        "measure": parts.measure and _headed("type", parts.measure.type, parts.measure),
        "details": parts.details and _details(parts.details),
        "annexes": [_headed("id", annex.id, annex) for annex in parts.annexes],
        "expression": parts.expression and _expression(parts.expression),
        "manifestation": parts.manifestation and _manifestation(parts.manifestation),
        "partition": parts.partition,
        "r_component": components.r,
        "q_component": components.q,
        "f_component": components.f,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _headed(key: str, head: str, element: Specified) -> dict[str, Any]:
    """An element that is a head and its specifications."""
    return {key: head, "specifications": list(element.specifications)}


def _date(date: Date) -> dict[str, Any]:
    return {"iso": date.iso, "local": date.local}


def _details(details: Details) -> dict[str, Any]:
    return {
        "dates": [_date(date) for date in details.dates],
        "period": details.period,
        "numbers": list(details.numbers),
        "number_lex": details.is_lex_number,
    }


def _event(event: Event) -> dict[str, Any]:
    return {"event": event.event} if event.date is None else {"date": _date(event.date)}


def _expression(expression: ExpressionIdentifier) -> dict[str, Any]:
    version = expression.version
    return {
        "version": {
            "date": version.date and _date(version.date),
            "specification": version.specification,
            "events": [_event(event) for event in version.events],
        },
        "language": expression.language,
    }


def _manifestation(manifestation: ManifestationIdentifier) -> dict[str, Any]:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    return {
        "editor": _headed("publisher", editor.publisher, editor),
        "format": _headed("mime", form.mime, form),
        "component": component and _headed("part", component.part, component),
        "feature": feature and _headed("attribute", feature.attribute, feature),
    }


def _finding(finding: Finding) -> dict[str, Any]:
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
