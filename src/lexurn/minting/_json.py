"""What minting answers as JSON: one object for one document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexurn.minting._minted import Minted

__all__ = ["json_of"]


def json_of(minted: Minted) -> dict[str, Any]:
    """The name (null where there is none), its steps and its findings as plain values."""
    return {
        "name": None if minted.name is None else str(minted.name),
        "steps": [asdict(step) for step in minted.steps],
        "findings": [asdict(found) for found in minted.findings],
    }
