"""Names in the older dialects, LexML Brasil and Italian NIR, to RFC 9676 and back.

In goes any text, with its dialect or without; out comes a `Conversion`.
It holds the name, its standing, and a report of each change, loss and finding.
Read changes, values, jurisdictions, elements; then lexml, nir, detection, writing, conversion.
"""

from __future__ import annotations

from lexurn.dialect.changes import CHANGES, Change, ChangeRule
from lexurn.dialect.conversion import Conversion, conversion_to_json, convert
from lexurn.dialect.detection import detect
from lexurn.dialect.values import Detection, Dialect, Standing

__all__ = [
    "CHANGES",
    "Change",
    "ChangeRule",
    "Conversion",
    "Detection",
    "Dialect",
    "Standing",
    "conversion_to_json",
    "convert",
    "detect",
]
