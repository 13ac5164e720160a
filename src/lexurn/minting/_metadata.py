"""The fields of metadata as typed values: what a publisher's database says of one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.minting._steps import Mode

__all__ = ["Annexed", "Metadata"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annexed:
    """A formal annex: its official heading and, where it has one, its title (section 6.4.1)."""

    heading: str
    title: str | None = None


# Without slots: what is absent stays with the class, so that a row pays for its own fields only.
@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What is said of one document, in words; absent fields are None or empty.

    Attributes:
        jurisdiction: the code, with units behind ``;`` or without (RFC 9676 section 2.1).
        units: the jurisdiction's units, from the larger to the smaller.
        authority: the issuers, each with its bodies and functions (6.1).
        measure: the type of measure (6.2).
        measure_specifications: what tells it from others of its type (6.2.2).
        date: the dates of enactment (6.3.1, 6.3.2).
        local_date: each date in the local calendar, as given (3.6).
        calendar: ``hebrew``, ``hijri`` or ``japanese``: compute the local dates.
        date_order: ``dmy``, ``mdy`` or ``ymd``: how dates in digits are meant.
        period: what stands for dates, for example a legislature.
        number: the document numbers (6.3.4).
        number_suffix: an ending that tells apart numbers that would become one.
        unnumbered: N of ``lex-N``; 0 asks for the next free one (6.3.3).
        annexes: the annex, and the annexes that it is annexed to in front of it (6.4).
        version: a date, the word for original, or a phase; events behind ``;`` (7.1.2).
        amendment_date: the day of the last amending act.
        event_date: days on which the version comes into force.
        event: names of events that made the version.
        version_language: the language tag of the text (5.6).
        editor: the publisher's domain name; specifications behind ``;`` (5.7).
        format: the media type; specifications behind ``;``.
        component: the part of the document; specifications behind ``;``.
        feature: another trait; specifications behind ``;``.
        partition: a part of the text: its id, or its words (5.8).
        language: the language of the words; None: the jurisdiction's own.
        mode: how letters outside ASCII are written (3.4); None: as the jurisdiction decides.
        title: the title, from which some measures take their specification.
        citation: a reference in one line, from which absent fields are read.
    """

    jurisdiction: str | None = None
    units: tuple[str, ...] = ()
    authority: tuple[tuple[str, ...], ...] = ()
    measure: str | None = None
    measure_specifications: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    local_date: tuple[str, ...] = ()
    calendar: str | None = None
    date_order: str | None = None
    period: str | None = None
    number: tuple[str, ...] = ()
    number_suffix: str | None = None
    unnumbered: int | None = None
    annexes: tuple[Annexed, ...] = ()
    version: str | None = None
    amendment_date: str | None = None
    event_date: tuple[str, ...] = ()
    event: tuple[str, ...] = ()
    version_language: str | None = None
    editor: str | None = None
    format: str | None = None
    component: str | None = None
    feature: str | None = None
    partition: str | None = None
    language: str | None = None
    mode: Mode | None = None
    title: str | None = None
    citation: str | None = None
