"""How findings are shown to people: nodes without brackets, counts with their nouns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.shacl import Severity

if TYPE_CHECKING:
    from lexurn.catalogue._check_spool import CatalogueReport

__all__ = ["counted", "plain", "short", "verdict_of"]

_LONGEST: Final = 240
_NOUNS: Final = {
    Severity.VIOLATION: ("violation", "violations"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("remark", "remarks"),
}


def plain(term: str) -> str:
    """An IRI (but not a path of several) without its angle brackets; any other term as it is."""
    return term[1:-1] if term.startswith("<") and ">" not in term[:-1] else term


def short(term: str) -> str:
    """A term of a length that people read."""
    text = plain(term)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def counted(number: int, severity: Severity) -> str:
    """A number of findings of one severity, with its noun."""
    return f"{number:,} {_NOUNS[severity][number != 1]}"


def verdict_of(report: CatalogueReport) -> str:
    """How much of what was found, in a few words."""
    found = [
        counted(number, severity) for severity in Severity if (number := report.count(severity))
    ]
    return ", ".join(found) or ("nothing to check" if report.is_void else "nothing is wrong")
