"""What is said of a source of RDF: codes, their weight, and what they mean."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from lexurn.manifest import RowFinding
from lexurn.name import Severity

__all__ = ["REJECTION_CODES", "finding"]

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_RDF: Final = "RDF 1.1 Concepts §3"

REJECTION_CODES: Final = MappingProxyType(
    {
        "LX980": (_ERROR, "RDF 1.1 N-Quads §3", "this is no statement: {0}"),
        "LX981": (_WARNING, _RDF, "{0} is not ours: no catalogue of names keeps it"),
        "LX982": (_ERROR, "RFC 9676 §3", "{0}; no statement on this node is read"),
        "LX983": (_ERROR, _RDF, "{0}; nothing that is said of this node is read: mend it"),
        "LX984": (_ERROR, "RFC 9676 §5.2", "{0}"),
        "LX985": (_WARNING, _RDF, "{0} is described as a copy, but no name has it (lexo:item)"),
        "LX986": (_ERROR, _RDF, "nothing of this source is read: {0}"),
        "LX987": (_WARNING, _RDF, "{0}: this does not follow from what is known of the name"),
    }
)
"""For each code its weight, its rule, and its message."""


def finding(
    code: str, detail: str, *, file: str, line: int, unit: str = "line", text: str = ""
) -> RowFinding:
    """What is to be known of a statement.

    Args:
        code: a key of `REJECTION_CODES`.
        detail: what the message shows.
        file: the source as it was given.
        line: the line, or the number of the statement; 0 where all of the source is meant.
        unit: which of the two: ``line``, or ``statement`` in formats that are not read by lines.
        text: the statement.
    """
    severity, rule, message = REJECTION_CODES[code]
    shown = text if len(text) <= _LONGEST else ""
    return RowFinding(
        file=file,
        line=line,
        column=None,
        code=code,
        severity=severity,
        message=message.format(detail),
        rule=rule,
        end=len(shown),
        text=shown,
        unit=unit,
    )


_LONGEST: Final = 10_000
