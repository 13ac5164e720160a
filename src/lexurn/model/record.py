"""Values in records: texts, copies, sources, statuses; and the error of contradictory records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError
from lexurn.findings import make_finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.findings import Finding
    from lexurn.name import Name


class Status(StrEnum):
    """Status of a name; a name is never deleted, only withdrawn (RFC 9676 section 9.4)."""

    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LanguageText:
    """Text and its language tag (BCP 47, lower case) or None."""

    value: str
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Item:
    """Copy of a document: its URL, and the data to check that it is complete.

    Attributes:
        url: an absolute URL.
        bytes: its size.
        sha256: its SHA-256 digest, 64 lower-case hex digits.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of a record: the file of the manifest, and the first line of the row, from 1."""

    file: str
    line: int


class ModelError(LexurnError, ValueError):
    """Records that contradict each other, for example one name described twice.

    Attributes:
        finding: the fault and the names that it concerns; None where no record is at fault.
    """

    def __init__(self, message: str, *, finding: Finding | None = None) -> None:
        """Store the finding."""
        super().__init__(message)
        self.finding = finding


def make_error(code: str, names: Iterable[Name], *values: object) -> ModelError:
    """Return the error of records that contradict each other; it carries its finding.

    Args:
        code: a key of `load_codes`.
        names: the names at fault, the one to correct first.
        values: what the message shows.
    """
    finding = make_finding(code, *values, names=tuple(map(str, names)))
    return ModelError(f"{code}: {finding.message} ({finding.rule})", finding=finding)
