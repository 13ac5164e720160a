"""What publishers state of named things, and how these belong together: records and families."""

from __future__ import annotations

from lexurn.model._chain import Chain, ChainVersion, Current
from lexurn.model._chunks import chunks_of, lots_of
from lexurn.model._family import Family, families_of, family_of
from lexurn.model._findings import ModelError, ModelFinding
from lexurn.model._order import is_original
from lexurn.model._packing import packed, unpacked
from lexurn.model._today import today
from lexurn.model._values import Item, LanguageText, Record, Source, Status

__all__ = [
    "Chain",
    "ChainVersion",
    "Current",
    "Family",
    "Item",
    "LanguageText",
    "ModelError",
    "ModelFinding",
    "Record",
    "Source",
    "Status",
    "chunks_of",
    "families_of",
    "family_of",
    "is_original",
    "lots_of",
    "packed",
    "today",
    "unpacked",
]
