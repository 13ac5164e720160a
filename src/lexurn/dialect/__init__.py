"""Names in the older dialects, LexML Brasil and Italian NIR, to RFC 9676 and back.

`convert` reads any text in a dialect (or finds out in which) and writes it in another, with a
report of each change and each loss; `detect` says in which dialects a text can be read, and why.
"""

from __future__ import annotations

from lexurn.dialect._codes import CHANGES, FINDINGS, ChangeRule, FindingRule
from lexurn.dialect._convert import convert
from lexurn.dialect._detect import detect
from lexurn.dialect._json import json_of
from lexurn.dialect._values import Change, Conversion, Detection, Dialect, Standing

__all__ = [
    "CHANGES",
    "FINDINGS",
    "Change",
    "ChangeRule",
    "Conversion",
    "Detection",
    "Dialect",
    "FindingRule",
    "Standing",
    "convert",
    "detect",
    "json_of",
]
