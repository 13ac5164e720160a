"""The JSON of an extraction; ``ontology/extraction.schema.json`` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.embedding._extraction_terms import short

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from lexurn.embedding._extraction import (
        Extraction,
        FoundIdentifier,
        FoundName,
        FoundRelation,
        Said,
    )
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["extraction_json"]


def extraction_json(extraction: Extraction) -> dict[str, Any]:
    """An extraction as an object for JSON: absent parts are null, lists are never null."""
    name = extraction.name
    expression = None if name is None else name.expression
    return {
        "file": extraction.file,
        "format": extraction.format,
        "name": None if name is None else str(name),
        "level": None if name is None else str(name.level),
        "version": None if expression is None else str(expression.version),
        "names": [_name(each) for each in extraction.names],
        "relations": [_relation(each) for each in extraction.relations],
        "identifiers": [_identifier(each) for each in extraction.identifiers],
        "titles": [{"value": each.value, "language": each.language} for each in extraction.titles],
        "languages": list(extraction.languages),
        "issued": _day(extraction.issued),
        "published": _day(extraction.published),
        "modified": _day(extraction.modified),
        "in_force_from": _day(extraction.in_force_from),
        "in_force_until": _day(extraction.in_force_until),
        "publishers": list(extraction.publishers),
        "creators": list(extraction.creators),
        "subjects": list(extraction.subjects),
        "licenses": list(extraction.licenses),
        "urls": list(extraction.urls),
        "findings": [_finding(each) for each in extraction.findings],
    }


def _name(found: FoundName) -> dict[str, Any]:
    return {
        "name": str(found.name),
        "level": str(found.name.level),
        "ours": found.is_ours,
        "spellings": list(found.spellings),
        "said": _places(found.said),
    }


def _relation(found: FoundRelation) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "target": found.target,
        "name": None if found.name is None else str(found.name),
        "said": _places(found.said),
    }


def _identifier(found: FoundIdentifier) -> dict[str, Any]:
    return {"scheme": found.scheme, "value": found.value, "said": _places(found.said)}


def _places(said: Iterable[Said]) -> list[dict[str, Any]]:
    return [
        {
            "way": str(each.way),
            "term": short(each.term),
            "line": each.line or None,
            "ours": each.is_ours,
        }
        for each in said
    ]


def _finding(found: DocumentFinding) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": str(found.severity),
        "line": found.line or None,
        "text": found.text or None,
        "start": found.start,
        "end": found.end,
        "message": found.message,
        "rule": found.rule,
        "suggestion": found.suggestion,
    }


def _day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
