"""The cases of version chains (``cases/versions.jsonl``), for the model's tests and the graph's."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from lexurn.model import LegalForce, Record, Status
from lexurn.name import parse

_PATH = Path(__file__).parents[1] / "cases" / "versions.jsonl"
_DAYS = ("in_force_from", "in_force_until", "force_on", "published", "withdrawn_on")

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in _PATH.read_text(encoding="utf-8").splitlines()
]
SOUND = [case for case in CASES if "error" not in case]
FAULTY = [case for case in CASES if "error" in case]


def records_of(case: dict[str, Any]) -> list[Record]:
    return [record_of(**row) for row in case["records"]]


def record_of(urn: str, **columns: Any) -> Record:
    """A record from the columns of a row, as JSON has them."""
    for column in _DAYS:
        if column in columns:
            columns[column] = dt.date.fromisoformat(columns[column])
    if "alias_of" in columns:
        columns["alias_of"] = parse(columns["alias_of"])
    if "also_named" in columns:
        columns["also_named"] = tuple(map(parse, columns["also_named"]))
    if "force" in columns:
        columns["force"] = LegalForce(columns["force"])
    if "status" in columns:
        columns["status"] = Status(columns["status"])
    return Record(name=parse(urn), **columns)


def days_of(case: dict[str, Any]) -> list[str]:
    """All days that a case asks for; one day at least."""
    days = {day for chain in case["chains"] for day in chain["current"]}
    return sorted(days) or ["2026-01-01"]
