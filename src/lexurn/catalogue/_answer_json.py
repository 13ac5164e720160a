"""The JSON of an answer; ``ontology/answer.schema.json`` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from lexurn.catalogue._answer import Answer, Candidate, Copy, Document, Edition
    from lexurn.catalogue._reasons import Reason

__all__ = ["answer_json"]


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as an object for JSON: absent parts are null, lists are never null."""
    return {
        "input": answer.text,
        "name": _text(answer.name),
        "match": answer.match.value,
        "date": answer.date.isoformat(),
        "language": answer.language,
        "partition": answer.partition,
        "candidates": [_candidate(each) for each in answer.candidates],
        "reasons": _reasons(answer.reasons),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "name": str(candidate.name),
        "level": candidate.name.level.value,
        "match": candidate.match.value,
        "score": candidate.score,
        "reasons": _reasons(candidate.reasons),
        "titles": [
            {"value": title.value, "language": title.language} for title in candidate.titles
        ],
        "versions": [_edition(each) for each in candidate.editions],
        "documents": [_document(each) for each in candidate.documents],
        "withdrawn_on": _day(candidate.withdrawn_on),
        "uri": candidate.uri,
    }


def _reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [
        {
            "code": each.code,
            "component": each.component or None,
            "cost": each.cost,
            "message": each.message,
            "rule": each.rule,
        }
        for each in reasons
    ]


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "name": str(edition.name),
        "language": edition.language,
        "start": _day(edition.start),
        "until": _day(edition.until),
        "in_force": edition.in_force,
    }


def _document(document: Document) -> dict[str, Any]:
    return {
        "name": str(document.name),
        "level": document.name.level.value,
        "partition": document.partition,
        "copies": [_copy(each) for each in document.copies],
    }


def _copy(copy: Copy) -> dict[str, Any]:
    return {"url": copy.url, "bytes": copy.bytes, "sha256": copy.sha256}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
