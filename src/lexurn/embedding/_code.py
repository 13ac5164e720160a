"""What a code of a finding about a document stands for."""

from __future__ import annotations

from typing import NamedTuple

from lexurn.name import Severity

__all__ = ["ERROR", "NOTE", "WARNING", "Code"]

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Code(NamedTuple):
    """How much a finding weighs, the rule, and a sentence for people."""

    severity: Severity
    rule: str
    message: str
