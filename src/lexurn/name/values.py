"""Parts of a LEX name: one class per production of RFC 9676 section 8.

Their text is canonical: lower case, percent-encoded, hex digits in upper case. An absent part is
None, an empty list is an empty tuple.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum

NUMBER_LEX = re.compile(r"lex-[0-9]+")
_MEDIA_TYPE = re.compile(
    r"(application|audio|example|font|haptics|image|message|model|multipart|text|video)"
    r"-([a-z0-9](?:[a-z0-9.-]|%2B)*)"
)


class Level(StrEnum):
    """FRBR level of a name (RFC 9676 section 5.2)."""

    WORK = "work"
    EXPRESSION = "expression"
    MANIFESTATION = "manifestation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """``date = date-iso ["|" date-loc]`` (RFC 9676 section 3.6).

    Attributes:
        iso: ``YYYY-MM-DD``.
        local: the date in the jurisdiction's own calendar; ``""`` if only the ``|`` is present.
    """

    iso: str
    local: str | None = None

    def __str__(self) -> str:
        return self.iso if self.local is None else f"{self.iso}|{self.local}"

    @property
    def day(self) -> dt.date | None:
        """Day as a date, None for the year 0000 and for leap days of the Julian calendar alone."""
        try:
            return dt.date.fromisoformat(self.iso)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Jurisdiction:
    """``jurisdiction = jurisdiction-code *(";" jurisdiction-unit)`` (RFC 9676 section 2.1)."""

    code: str
    units: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.code, *self.units))


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """``issuer = institution *(";" body-function)`` (RFC 9676 section 6.1.3)."""

    institution: str
    functions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.institution, *self.functions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """``authority = issuer *("+" issuer)`` (RFC 9676 section 6.1.2)."""

    issuers: tuple[Issuer, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.issuers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``measure = measure-type *(";" specification)`` (RFC 9676 section 6.2)."""

    type: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.type, *self.specifications))


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """``details = (dates / period) ";" numbers`` (RFC 9676 section 6.3)."""

    dates: tuple[Date, ...] = ()
    period: str | None = None
    numbers: tuple[str, ...]

    def __str__(self) -> str:
        when = ",".join(map(str, self.dates)) if self.period is None else self.period
        return f"{when};{','.join(self.numbers)}"

    @property
    def is_lex_number(self) -> bool:
        """True if the number was made for the naming system: ``lex-`` and digits (6.3.3)."""
        return len(self.numbers) == 1 and NUMBER_LEX.fullmatch(self.numbers[0]) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Annex:
    """``annex = annex-id *(";" specification)`` (RFC 9676 section 6.4)."""

    id: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.id, *self.specifications))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkIdentifier:
    """``work = authority ":" measure ":" details *(":" annex)`` (RFC 9676 section 5.4)."""

    authority: Authority
    measure: Measure
    details: Details
    annexes: tuple[Annex, ...] = ()

    def __str__(self) -> str:
        return ":".join(map(str, (self.authority, self.measure, self.details, *self.annexes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """``event-date / event`` after the ``;`` of a version; exactly one of the two is present."""

    date: Date | None = None
    event: str | None = None

    def __str__(self) -> str:
        return str(self.date) if self.date is not None else str(self.event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """``version = (amendment-date / specification) *(";" (event-date / event))`` (7.1.2)."""

    date: Date | None = None
    specification: str | None = None
    events: tuple[Event, ...] = ()

    def __str__(self) -> str:
        head = str(self.date) if self.date is not None else str(self.specification)
        return ";".join((head, *map(str, self.events)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionIdentifier:
    """``expression = version [":" language]`` (RFC 9676 section 5.6)."""

    version: Version
    language: str | None = None

    def __str__(self) -> str:
        return str(self.version) if self.language is None else f"{self.version}:{self.language}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """``editor = publisher *(";" specification)`` (RFC 9676 section 5.7)."""

    publisher: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.publisher, *self.specifications))


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """``format = mime *(";" specification)`` (RFC 9676 section 5.7)."""

    mime: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.mime, *self.specifications))

    @property
    def media_type(self) -> str | None:
        """Media type (RFC 6838), such as ``application/pdf``; None if ``mime`` is not one."""
        found = _MEDIA_TYPE.fullmatch(self.mime)
        return None if found is None else f"{found[1]}/{found[2].replace('%2B', '+')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """``component = part *(";" specification)`` (RFC 9676 section 5.7)."""

    part: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.part, *self.specifications))


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """``feature = attribute *(";" specification)`` (RFC 9676 section 5.7)."""

    attribute: str
    specifications: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join((self.attribute, *self.specifications))


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestationIdentifier:
    """``manifestation = editor ":" format [":" component [":" feature]]`` (5.7)."""

    editor: Editor
    format: Format
    component: Component | None = None
    feature: Feature | None = None

    def __str__(self) -> str:
        parts = (self.editor, self.format, self.component, self.feature)
        return ":".join(str(part) for part in parts if part is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """R-, q- and f-components of RFC 8141 section 2.3, as written; not part of the name."""

    r: str | None = None
    q: str | None = None
    f: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Readable parts of a text, valid or not; an unreadable part is None."""

    jurisdiction: Jurisdiction | None = None
    authority: Authority | None = None
    measure: Measure | None = None
    details: Details | None = None
    annexes: tuple[Annex, ...] = ()
    expression: ExpressionIdentifier | None = None
    manifestation: ManifestationIdentifier | None = None
    partition: str | None = None
    components: Components = Components()
