"""What is known of names, for machines and for people: documents, head tags, whole sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.rooms import on_request

if TYPE_CHECKING:
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

# Head tags need no templates of pages.
_MODULES = {
    "CheckResult": "_report",
    "DOCUMENT_FORMATS": "_describe",
    "Manifest": "_publish",
    "Marking": "_marking",
    "PublishReport": "_publish",
    "describe": "_describe",
    "head": "_head",
    "marking_of": "_marking",
    "publish": "_publish",
}

__getattr__ = on_request(__name__, _MODULES)
