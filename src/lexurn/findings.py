"""Findings: faults and remarks as values, and the table of their codes.

A finding states a fault, its location, the remedy and the rule. Severity, rule and message of each
code stand in ``ontology/findings.json``.
"""

from __future__ import annotations

import json
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from lexurn import data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "Code",
    "Finding",
    "Location",
    "SarifLog",
    "Severity",
    "load_codes",
    "make_finding",
    "measure_width",
]


class Severity(StrEnum):
    """Weight of a finding; an error makes its object invalid."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Code(NamedTuple):
    """Entry of the table of codes.

    Attributes:
        severity: the weight of its findings.
        rule: the rule behind it, for example ``RFC 9676 §5.6``.
        message: a template of `str.format`: what is wrong, and what to do.
        grammar: the weight in the reading ``grammar`` (names only).
        component: the production of RFC 9676 at fault; empty where it may be any.
    """

    severity: Severity
    rule: str
    message: str
    grammar: Severity
    component: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One fault or remark: what, where, by which rule, and what to write instead.

    Attributes:
        code: ``LX`` and three digits, stable; one code has one severity per reading.
        severity: error, warning or note.
        message: what is wrong and what to do, for people.
        rule: the rule, for example ``RFC 9676 §5.6``.
        component: the production of RFC 9676, or the field of the metadata, at fault.
        start: offset (code points) of the fault in ``text``.
        end: offset after the fault.
        suggestion: what to write instead, or None.
        text: the text at fault; empty where the whole object is meant.
        file: the file as given, ``-`` for standard input; empty where there is none.
        line: the line from 1, in a workbook the row; 0 where the whole file is meant.
        sheet: the sheet of a workbook, or None.
        column: the column as the table names it, or None.
        names: the canonical names at fault, the one to correct first.
    """

    code: str
    severity: Severity
    message: str
    rule: str
    component: str = ""
    start: int = 0
    end: int = 0
    suggestion: str | None = None
    text: str = ""
    file: str = ""
    line: int = 0
    sheet: str | None = None
    column: str | None = None
    names: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """True if the finding makes its object invalid."""
        return self.severity is Severity.ERROR

    @property
    def location(self) -> str:
        """File and line for people: ``acts.csv:3``, or ``acts.xlsx, sheet Acts, row 3``."""
        if self.sheet is not None:
            return f"{self.file}, sheet {self.sheet}, row {self.line}"
        return f"{self.file}:{self.line}" if self.line else self.file


class Location(TypedDict, total=False):
    """Fields of a finding that say where it is and what to write instead; see `Finding`."""

    component: str
    start: int
    end: int
    suggestion: str | None
    text: str
    file: str
    line: int
    column: str | None
    names: tuple[str, ...]


@cache
def load_codes() -> Mapping[str, Code]:
    """Return the table of all codes, in their order."""
    rows: dict[str, dict[str, str]] = json.loads(data.read_text("ontology/findings.json"))
    return {
        code: Code(
            severity=Severity(row["severity"]),
            rule=row["rule"],
            message=row["message"],
            grammar=Severity(row.get("grammar", row["severity"])),
            component=row.get("component", ""),
        )
        for code, row in rows.items()
    }


def make_finding(
    code: str,
    *values: object,
    named: Mapping[str, object] | None = None,
    **location: Unpack[Location],
) -> Finding:
    """Return the finding of a code.

    Args:
        code: a key of `load_codes`.
        values: what ``{0}``, ``{1}`` in its rule and message stand for.
        named: what ``{value}`` and the like stand for.
        location: where it is, and what to write instead.
    """
    entry, named = load_codes()[code], named or {}
    # Three times as fast as the constructor, which sets all fields one by one.
    finding = object.__new__(Finding)
    finding.__dict__.update(
        location,
        code=code,
        severity=entry.severity,
        message=entry.message.format(*values, **named),
        rule=entry.rule.format(*values, **named) if "{" in entry.rule else entry.rule,
    )
    return finding


_SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def measure_width(text: str) -> int:
    """Return the columns on a terminal: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in {"W", "F"} for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) != 0 for character in text)


class SarifLog:
    """Log in SARIF 2.1.0 (OASIS), a format of reports that editors and code hosts read.

    Each method returns the next piece of its text; a result stands on a line.
    """

    def __init__(self) -> None:
        """Begin without a result."""
        self._rules: dict[str, int] = {}

    def begin(self) -> str:
        """Return the head of the log."""
        head = json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0"})
        return f'{head[:-1]}, "runs": [{{"results": ['

    def add(self, rule: str, level: str, message: str, **values: object) -> str:
        """Return a result.

        Args:
            rule: the code of its rule.
            level: ``error``, ``warning`` or ``note``.
            message: what is wrong and what to do.
            values: further properties of a result in SARIF.
        """
        comma = ",\n" if self._rules else "\n"
        index = self._rules.setdefault(rule, len(self._rules))
        result = {"ruleId": rule, "ruleIndex": index, "level": level, "message": {"text": message}}
        return comma + json.dumps(result | values, ensure_ascii=False)

    def finish(self, describe: Callable[[str], Mapping[str, object]], **values: object) -> str:
        """Return the end of the log.

        Args:
            describe: returns the properties of a rule by its code.
            values: further properties of a run in SARIF.
        """
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - for SARIF

        driver: dict[str, object] = {"name": "lexurn"}
        with suppress(PackageNotFoundError):  # of a checkout that is not installed
            driver["version"] = version("lexurn")
        driver["rules"] = [{"id": rule, **describe(rule)} for rule in self._rules]
        run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", **values}
        return f"\n], {json.dumps(run, ensure_ascii=False)[1:]}]}}\n"
