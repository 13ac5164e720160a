"""Names in the older dialects, LexML Brasil and Italian NIR, to RFC 9676 and back.

In: any text, with its dialect or without.
Out: a `Conversion`: the name, its standing, and a report of each change, loss and finding.
Read in this order: values, elements, syntax, conversion. The changes are in ontology/changes.json.
"""

from __future__ import annotations

from lexurn.dialect.conversion import Conversion, conversion_to_json, convert, detect
from lexurn.dialect.values import Change, ChangeRule, Detection, Dialect, Standing, load_changes

__all__ = [
    "Change",
    "ChangeRule",
    "Conversion",
    "Detection",
    "Dialect",
    "Standing",
    "conversion_to_json",
    "convert",
    "detect",
    "load_changes",
]
