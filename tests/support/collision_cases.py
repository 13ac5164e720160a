"""Cases of colliding names (``cases/collisions.jsonl``), and their records."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from lexurn.model import Item, Record, Status
from lexurn.name import parse

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "collisions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def record(act: dict[str, Any]) -> Record:
    values: dict[str, Any] = {"name": parse(act["urn"])}
    if "alias_of" in act:
        values["alias_of"] = parse(act["alias_of"])
    if "status" in act:
        values["status"] = Status(act["status"])
        values["withdrawn_on"] = dt.date.fromisoformat(act["withdrawn_on"])
    if "url" in act:
        values["items"] = (Item(url=act["url"]),)
    if "dialect_name" in act:
        values["dialect_names"] = (act["dialect_name"],)
    return Record(**values)
