"""Texts that are names: in any dialect, or as the HTTP-URI equivalents of names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.dialect import Dialect, convert
from lexurn.embedding._agreement import asked_for, means_name
from lexurn.embedding._findings import DocumentFinding
from lexurn.name import check, check_http

if TYPE_CHECKING:
    from lexurn.embedding._faults import Faults
    from lexurn.name import Finding, Name

__all__ = ["Names", "ReadName", "scheme_of"]

_HTTP = re.compile(r"https?://[^/?#]*(?:/[^?#]*)?/lex/", re.IGNORECASE)
_LONGEST_URL = 30_000
_LONGEST_IDENTIFIER = 2_000
_ISBN = re.compile(
    r"(?:urn:isbn:|isbn[:\s]*)?(?:97[89][- ]?)?[0-9][0-9 -]{8,14}[0-9X]", re.IGNORECASE
)
_SCHEMES = (
    ("eli", re.compile(r"(?:https?://[^/\s]+)?/(?:[\w.-]+/)*eli/\S+", re.IGNORECASE)),
    ("ecli", re.compile(r"ECLI:[A-Z]{2}:\S+", re.IGNORECASE)),
    ("celex", re.compile(r"(?:CELEX:)?[0-9CE][0-9]{4}[A-Z]{1,2}[0-9]{4}\S*", re.IGNORECASE)),
    ("doi", re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?10\.[0-9]{4,9}/\S+", re.IGNORECASE)),
    ("isbn", _ISBN),
    ("akn", re.compile(r"(?:https?://[^/\s]+)?/akn/\S+", re.IGNORECASE)),
    ("http", re.compile(r"https?://\S+", re.IGNORECASE)),
    ("urn", re.compile(r"urn:\S+", re.IGNORECASE)),
)


class ReadName(NamedTuple):
    """A name that was read: the name, and how it stands there if that is another dialect."""

    name: Name
    spelling: str | None = None


class Names:
    """Reads names, each text once, and says what is wrong with it where it stands first."""

    def __init__(self, faults: Faults) -> None:
        """Begin; what is wrong goes to ``faults``."""
        self._faults = faults
        self._read: dict[str, ReadName | None] = {}

    def read(self, text: str, line: int) -> ReadName | None:
        """The name that a text is, None where it is none."""
        if text not in self._read:
            self._read[text] = self._new(text, line)
        return self._read[text]

    def _new(self, text: str, line: int) -> ReadName | None:
        text = asked_for(text)
        if means_name(text):
            return self._converted(text, line)
        if len(text) <= _LONGEST_URL and _HTTP.match(text):
            report = check_http(text)
            return None if report.name is None else ReadName(report.name)
        return None

    def _converted(self, text: str, line: int) -> ReadName | None:
        conversion = convert(text)
        for found in conversion.findings:
            self._faults.take(_placed(found, self._faults.file, line, text))
        name = conversion.name
        if name is None:
            return None
        is_own = conversion.dialect is Dialect.RFC9676
        if text == str(name) or (is_own and check(text.strip()).name is not None):
            return ReadName(name)
        what = "no name as it stands" if is_own else f"a name in the dialect {conversion.dialect}"
        self._faults.find("LX385", line, text, suggestion=str(name), what=what, name=name)
        return ReadName(name, text)


def _placed(found: Finding, file: str, line: int, text: str) -> DocumentFinding:
    """A finding on a name as one on the document that it stands in."""
    return DocumentFinding(
        file=file,
        line=line,
        code=found.code,
        severity=found.severity,
        message=found.message,
        rule=found.rule,
        start=found.start,
        end=found.end,
        suggestion=found.suggestion,
        text=text[:_LONGEST_URL],
    )


def scheme_of(value: str) -> str:
    """Which kind of identifier a text is: ``eli``, ``ecli``, ..., ``other``; a long one is none."""
    if len(value) > _LONGEST_IDENTIFIER:
        return "other"
    for scheme, pattern in _SCHEMES:
        if pattern.fullmatch(value):
            return scheme
    return "other"
