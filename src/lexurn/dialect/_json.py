"""A conversion as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexurn.dialect._values import Change, Conversion

__all__ = ["json_of"]


def json_of(conversion: Conversion) -> dict[str, Any]:
    """The conversion as an object of JSON; absent parts are null, lists are never null."""
    return {
        "input": conversion.text,
        "dialect": str(conversion.dialect),
        "standing": str(conversion.standing),
        "name": None if conversion.name is None else str(conversion.name),
        "written": conversion.written,
        "changes": [_change(change) for change in conversion.changes],
        "findings": [asdict(found) for found in conversion.findings],
        "readings": [asdict(found) for found in conversion.readings],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        **asdict(change),
        "loss": change.loss,
        "message": change.message,
        "rule": change.rule,
    }
