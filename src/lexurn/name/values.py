"""Parts of a LEX name: one class per production of RFC 9676 section 8.

Their text is canonical: lower case, percent-encoded, hex digits in upper case. An absent part is
None, an empty list is an empty tuple. In a canonical text every separator is one, so the functions
that take the text of a part apart only split it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lexurn.lazy import compile_late
from lexurn.name.grammar import (
    LONGEST_CACHED,
    NO_COMPONENTS,
    NUMBER_LEX,
    cache_short,
    split_name,
)

if TYPE_CHECKING:
    from lexurn.name.grammar import Components, NameTexts

_MEDIA_TYPE = compile_late(
    r"(application|audio|example|font|haptics|image|message|model|multipart|text|video)"
    r"-([a-z0-9](?:[a-z0-9.-]|%2B)*)"
)


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
    components: Components = NO_COMPONENTS

    def list_texts(self) -> NameTexts:
        """List the canonical texts of the parts; see `split_name`."""
        *four, expression, manifestation, partition = (
            "" if part is None else str(part)
            for part in (
                *(self.jurisdiction, self.authority, self.measure, self.details),
                *(self.expression, self.manifestation, self.partition),
            )
        )
        annexes = list(map(str, self.annexes))
        return four[0], four[1], four[2], four[3], annexes, expression, manifestation, partition


def _split_series(text: str) -> tuple[str, tuple[str, ...]]:
    head, *rest = text.split(";")
    return head, tuple(rest)


def split_jurisdiction(text: str) -> Jurisdiction:
    """Take the canonical text of a jurisdiction apart."""
    code, units = _split_series(text)
    return Jurisdiction(code=code, units=units)


def split_authority(text: str) -> Authority:
    """Take the canonical text of an authority apart."""
    issuers = map(_split_series, text.split("+"))
    return Authority(
        issuers=tuple(Issuer(institution=head, functions=rest) for head, rest in issuers)
    )


def split_measure(text: str) -> Measure:
    """Take the canonical text of a measure apart."""
    head, specifications = _split_series(text)
    return Measure(type=head, specifications=specifications)


def _make_draft(cls: Any) -> Any:
    """Return a class with the slots of a frozen one, which can be filled.

    To change the class of a full draft is several times faster than the frozen constructor.
    """
    return type("Draft", (), {"__slots__": cls.__slots__})


_DateDraft, _DetailsDraft, _VersionDraft, _ExpressionDraft, _WorkDraft = map(
    _make_draft, (Date, Details, Version, ExpressionIdentifier, WorkIdentifier)
)


def _split_date(text: str) -> Date:
    date = _DateDraft()
    date.iso = text
    date.local = None
    if "|" in text:
        date.iso, _, date.local = text.partition("|")
    date.__class__ = Date
    made: Date = date
    return made


def split_details(text: str) -> Details:
    """Take the canonical text of details apart; a date has hyphens, a period has none."""
    when, _, numbers = text.partition(";")
    details = _DetailsDraft()
    if "-" in when:
        is_list = "," in when
        dates = map(_split_date, when.split(",")) if is_list else (_split_date(when),)
        details.dates = tuple(dates)
        details.period = None
    else:
        details.dates = ()
        details.period = when
    details.numbers = tuple(numbers.split(",")) if "," in numbers else (numbers,)
    details.__class__ = Details
    made: Details = details
    return made


def split_annex(text: str) -> Annex:
    """Take the canonical text of an annex apart."""
    head, specifications = _split_series(text)
    return Annex(id=head, specifications=specifications)


def split_expression(text: str) -> ExpressionIdentifier:
    """Take the canonical text of an expression apart; a date has hyphens, a word has none."""
    series, _, language = text.partition(":")
    first, semicolon, rest = series.partition(";")
    is_date = "-" in first
    version = _VersionDraft()
    version.date = _split_date(first) if is_date else None
    version.specification = None if is_date else first
    version.events = tuple(map(_split_event, rest.split(";"))) if semicolon else ()
    version.__class__ = Version
    expression = _ExpressionDraft()
    expression.version = version
    expression.language = language or None
    expression.__class__ = ExpressionIdentifier
    made: ExpressionIdentifier = expression
    return made


def _split_event(text: str) -> Event:
    return Event(date=_split_date(text)) if "-" in text else Event(event=text)


@cache_short
def split_manifestation(text: str) -> ManifestationIdentifier:
    """Take the canonical text of a manifestation apart."""
    editor, form, *more = map(_split_series, text.split(":"))
    return ManifestationIdentifier(
        editor=Editor(publisher=editor[0], specifications=editor[1]),
        format=Format(mime=form[0], specifications=form[1]),
        component=Component(part=more[0][0], specifications=more[0][1]) if more else None,
        feature=Feature(attribute=more[1][0], specifications=more[1][1]) if more[1:] else None,
    )


@lru_cache(maxsize=4096)
def split_common(
    jurisdiction: str, authority: str, measure: str
) -> tuple[Jurisdiction, Authority, Measure]:
    """Take those texts apart that many names have in common."""
    return split_jurisdiction(jurisdiction), split_authority(authority), split_measure(measure)


NameValues = tuple[
    Jurisdiction, WorkIdentifier, ExpressionIdentifier | None, ManifestationIdentifier | None
]


def split_parts(text: str) -> NameValues:
    """Take a canonical name apart, but for its partition."""
    code, authority, measure, details, annexes, expression, manifestation, _ = split_name(text)
    split = split_common if len(text) <= LONGEST_CACHED else split_common.__wrapped__
    work = _WorkDraft()
    jurisdiction, work.authority, work.measure = split(code, authority, measure)
    work.details = split_details(details)
    work.annexes = tuple(map(split_annex, annexes)) if annexes else ()
    work.__class__ = WorkIdentifier
    return (
        jurisdiction,
        work,
        split_expression(expression) if expression else None,
        split_manifestation(manifestation) if manifestation else None,
    )


def make_parts(texts: NameTexts, components: Components) -> Parts:
    """Make the parts of canonical texts; see `split_name`."""
    code, authority, measure, details, annexes, expression, manifestation, partition = texts
    return Parts(
        jurisdiction=split_jurisdiction(code) if code else None,
        authority=split_authority(authority) if authority else None,
        measure=split_measure(measure) if measure else None,
        details=split_details(details) if details else None,
        annexes=tuple(map(split_annex, annexes)),
        expression=split_expression(expression) if expression else None,
        manifestation=split_manifestation(manifestation) if manifestation else None,
        partition=partition or None,
        components=components,
    )
