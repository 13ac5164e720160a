"""What is known of names, for machines and for people: documents, head tags, whole sites."""

from __future__ import annotations

from lexurn.export._describe import DOCUMENT_FORMATS, describe
from lexurn.export._head import head
from lexurn.export._marking import Marking, marking_of
from lexurn.export._publish import Manifest, PublishReport, publish
from lexurn.export._report import CheckResult

__all__ = [
    "DOCUMENT_FORMATS",
    "CheckResult",
    "Manifest",
    "Marking",
    "PublishReport",
    "describe",
    "head",
    "marking_of",
    "publish",
]
