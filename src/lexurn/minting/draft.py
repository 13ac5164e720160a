"""Draft of a name: the metadata of a document, and the steps and findings on the way."""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.findings import Finding, make_finding

if TYPE_CHECKING:
    from lexurn.registry import Law, Registry, Words


class Calendar(StrEnum):
    """Calendar other than the Gregorian one; `lexurn.minting.calendars` has its functions."""

    HEBREW = "hebrew"
    HIJRI = "hijri"
    JAPANESE = "japanese"


class DateOrder(StrEnum):
    """Order of day, month and year in dates in digits."""

    DMY = "dmy"
    MDY = "mdy"
    YMD = "ymd"


class Mode(StrEnum):
    """Mode of writing letters outside ASCII (RFC 9676 section 3.4)."""

    ASCII = "ascii"
    UTF8 = "utf8"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnnex:
    """Formal annex: its official heading and its title, if it has one (section 6.4.1)."""

    heading: str
    title: str | None = None


# Without slots: what is absent stays with the class, so that a row pays for its own fields only.
@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Metadata of one document, in words; absent fields are None or empty.

    Attributes:
        jurisdiction: the code, followed by units after ``;`` or not (RFC 9676 section 2.1).
        units: the jurisdiction's units, from the larger to the smaller.
        authority: the issuers, each with its bodies and functions (6.1).
        measure: the type of measure (6.2).
        measure_specifications: the difference from others of its type (6.2.2).
        date: the dates of enactment (6.3.1, 6.3.2).
        local_date: each date in the local calendar, as given (3.6).
        calendar: a `Calendar`, in which to compute the local dates.
        date_order: how dates in digits are meant, one of `DateOrder`.
        period: a text in place of dates, for example a legislature.
        number: the document numbers (6.3.4).
        number_suffix: an ending that tells apart numbers that would become one.
        unnumbered: N of ``lex-N``; 0 asks for the next free one (6.3.3).
        annexes: the annexes, each before those annexed to it; the last is meant (6.4).
        version: a date, the word for original, or a phase; events after ``;`` (7.1.2).
        amendment_date: the day of the last amending act.
        event_date: days on which the version comes into force.
        event: names of events that made the version.
        version_language: the language tag of the text (5.6).
        editor: the publisher's domain name; specifications after ``;`` (5.7).
        format: the media type; specifications after ``;``.
        component: the part of the document; specifications after ``;``.
        feature: another trait; specifications after ``;``.
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
    annexes: tuple[GivenAnnex, ...] = ()
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

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Metadata:
        """Return the metadata of some fields, made faster than by the constructor."""
        metadata = object.__new__(cls)
        metadata.__dict__.update(values)
        return metadata


class Action(StrEnum):
    """Action of a step on the words that were given."""

    LOWERED = "lowered"
    FOLDED = "folded"
    ENCODED = "encoded"
    DROPPED = "dropped"
    JOINED = "joined"
    EXPANDED = "expanded"
    NUMBERED = "numbered"
    REPLACED = "replaced"
    LOOKED_UP = "looked up"
    DATED = "dated"
    COMPUTED = "computed"
    ALLOCATED = "allocated"
    SUPPLIED = "supplied"
    READ = "read"


class Step(NamedTuple):
    """Step from the words that were given to the name.

    Attributes:
        field: the field of the metadata, for example ``authority``.
        action: the action.
        before: the words before it.
        after: the words after it; empty if they were dropped.
        rule: the rule, for example ``RFC 9676 §4.1``.
        source: the IRI of the registry's entry that it follows, or None.
    """

    field: str
    action: Action
    before: str
    after: str
    rule: str
    source: str | None = None


class Written(NamedTuple):
    """Text that one piece of metadata became.

    Attributes:
        text: the text as a name has it; None if a finding is an error.
        steps: the steps, in order.
        findings: the findings, in order.
    """

    text: str | None
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()


class Log:
    """Steps and findings on the way of one text into a name.

    Attributes:
        field: the field of the metadata.
        text: the text, as it was given.
        steps: the steps, in order.
        findings: the findings, in order.
    """

    def __init__(self, field: str, text: str, whole: Log | None = None) -> None:
        self.field, self.text = field, text
        self.steps: list[Step] = whole.steps if whole else []
        self.findings: list[Finding] = whole.findings if whole else []

    @property
    def failed(self) -> bool:
        """True if a finding is an error."""
        return bool(self.findings) and any(found.is_error for found in self.findings)

    def step(
        self, action: Action, before: str, after: str, rule: str, source: str | None = None
    ) -> None:
        """Add a step, if it changes anything or names an entry of the registry."""
        if before != after or action is Action.LOOKED_UP:
            self.steps.append(Step(self.field, action, before, after, rule, source))

    def say(
        self,
        code: str,
        *values: str,
        span: tuple[int, int] | None = None,
        suggestion: str | None = None,
    ) -> None:
        """Add the finding of a code, at a span of the text or all of it.

        Its message shows the values, else the text, else the field.
        """
        start, end = self.locate(*span) if span else (0, len(self.text))
        shown = values or (self.text or self.field,)
        found = make_finding(
            code,
            *shown,
            component=self.field,
            text=self.text,
            start=start,
            end=end,
            suggestion=suggestion,
        )
        self.findings.append(found)

    def on(self, field: str, text: str = "") -> Log:
        """Return a log of one field that adds its steps and findings to these."""
        return Log(field, text, self)

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the given text of a stretch of the text that is read."""
        return start, end

    def take(self, written: Written) -> str | None:
        """Add the steps and findings of a piece; return its text."""
        self.steps += written.steps
        self.findings += written.findings
        return written.text

    def finish(self, text: str | None = None) -> Written:
        """Return the text with its steps and findings; after an error without the text."""
        return Written(None if self.failed else text, tuple(self.steps), tuple(self.findings))

    def refuse(self, code: str, *values: str, **more: Any) -> Written:
        """Add the finding of an error, as `say` does; return a result without a text."""
        self.say(code, *values, **more)
        return self.finish()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Context:
    """Context in which the fields of one document are read; shared by like documents.

    Attributes:
        registry: the registry.
        law: the authorities, measures and conventions of the jurisdiction.
        words: the words of the language of the metadata.
        mode: the mode of writing letters outside ASCII.
    """

    registry: Registry
    law: Law
    words: Words
    mode: Mode


@lru_cache(maxsize=512)
def make_context(registry: Registry, code: str, language: str | None, mode: Mode | None) -> Context:
    """Return the context of a jurisdiction; without a language that of its first one."""
    law = registry.law(code)
    known = (language or (law.languages[0] if law.languages else "und")).lower()
    mode = mode or Mode(law.conventions.get("mode", Mode.ASCII))
    return Context(registry=registry, law=law, words=registry.words(known), mode=mode)


class Draft(Log):
    """Draft of a name: the metadata, with the steps and findings of all fields.

    Attributes:
        given: the metadata.
        context: the context in which they are read, with its law, words and mode.
    """

    context: Context
    law: Law
    words: Words
    mode: Mode

    def __init__(self, given: Metadata, findings: Iterable[Finding] = ()) -> None:
        super().__init__("", "")
        self.given = given
        self.findings += findings

    def enter(self, context: Context) -> None:
        """Read the metadata in a context from now on."""
        self.context = context
        self.law, self.words, self.mode = context.law, context.words, context.mode


LONGEST_FIELD = 4_000
"""Most characters of a field, titles aside; each finding holds the text of its field."""
_SHOWN = 200


class _ShapeError(Exception):
    """Value that its field cannot hold; the argument describes what it can hold."""


def _is_empty(value: object) -> bool:
    """Return True for an absent value: None, false, a blank text, an empty list."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value is False or (isinstance(value, list | tuple | dict) and not value)


def _describe_value(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, float):
        return f"a number with a fraction ({value})"
    return "a list" if isinstance(value, list | tuple) else f"a value ({type(value).__name__})"


def _read_text(value: object) -> str:
    """Return a text as given, whole numbers and days in their one form."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dt.date):
        return value.isoformat()[:10]
    raise _ShapeError("a text")


def _read_list(value: object, *separators: str) -> tuple[Any, ...]:
    """Return a list of texts; one text is split at the first separator.

    If there are more separators, its items are lists that are split at these.
    """
    if isinstance(value, str):
        return split_parts(value, *separators)
    if isinstance(value, Sequence):
        return tuple(
            _read_list(each, *separators[1:]) if len(separators) > 1 else _read_text(each)
            for each in value
            if not _is_empty(each)
        )
    if len(separators) > 1:
        raise _ShapeError("a text, or a list of issuers, each a text or a list of its levels")
    return (_read_text(value),)


@lru_cache(maxsize=8192)
def split_parts(text: str, *separators: str) -> tuple[Any, ...]:
    """Split a text at the first separator, its parts at the others; a separator is a pattern."""
    if not separators:
        return (text.strip(),)
    parts = filter(None, map(str.strip, re.split(separators[0], text)))
    if not separators[1:]:
        return tuple(parts)
    return tuple(filter(None, (split_parts(each, *separators[1:]) for each in parts)))


def _read_annexes(value: object) -> tuple[GivenAnnex, ...]:
    """Return annexes: objects, or a text with ``:`` between annexes and ``;`` before a title."""
    if isinstance(value, str):
        return tuple(_read_annex(each) for each in split_parts(value, ":"))
    if isinstance(value, Mapping):
        return (_read_annex(value),)
    if isinstance(value, Sequence):
        return tuple(_read_annex(each) for each in value)
    raise _ShapeError("a text, or a list of objects with heading and title")


def _read_annex(value: object) -> GivenAnnex:
    if isinstance(value, str):
        heading, _, title = value.partition(";")
        return GivenAnnex(heading=heading.strip(), title=title.strip() or None)
    if isinstance(value, Mapping) and not set(value) - {"heading", "title"}:
        given, named = value.get("heading"), value.get("title")
        if not _is_empty(given):
            return GivenAnnex(
                heading=_read_text(given), title=None if _is_empty(named) else _read_text(named)
            )
    raise _ShapeError("objects with heading and, where there is one, title")


def _read_count(value: object) -> int:
    """Return the N of ``lex-N``, 0 for the next free one."""
    text = _read_text(value) if value is not True else "true"
    if text.lower() == "true":
        return 0
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise _ShapeError("a whole number from 1, or true for the next free one")


def _read_choice(value: object, allowed: Sequence[str]) -> str:
    text = _read_text(value).lower()
    if text not in allowed:
        raise _ShapeError("one of " + ", ".join(allowed))
    return text


def _join_specifications(value: object) -> str:
    """Return a text; of a list, its first part, ``; `` and the specifications."""
    return "; ".join(_read_list(value))


_MANIFESTATION = {
    "publisher": "editor",
    "editor_specifications": "editor",
    "mime": "format",
    "format_specifications": "format",
    "component": "component",
    "feature": "feature",
}


def _read_manifestation(value: object) -> dict[str, str]:
    """Return editor, format, component and feature from their nested form."""
    if not isinstance(value, Mapping) or set(value) - _MANIFESTATION.keys():
        raise _ShapeError("an object with publisher, mime, format_specifications, component")
    found: dict[str, str] = {}
    for key, target in _MANIFESTATION.items():
        if not _is_empty(value.get(key)):
            text = _join_specifications(value[key])
            found[target] = f"{found[target]}; {text}" if target in found else text
    return found


_READERS: dict[str, Callable[[object], Any]] = {
    **dict.fromkeys((each.name for each in fields(Metadata)), _read_text),
    **dict.fromkeys(("editor", "format", "component", "feature"), _join_specifications),
    **dict.fromkeys(("date", "local_date"), _read_list),
    **dict.fromkeys(
        ("units", "measure_specifications", "event_date", "event"),
        lambda value: _read_list(value, ";"),
    ),
    **dict.fromkeys(("annex", "annexes"), _read_annexes),
    "authority": lambda value: _read_list(value, r"\+", ";"),
    "calendar": partial(_read_choice, allowed=tuple(Calendar)),
    "date_order": partial(_read_choice, allowed=tuple(DateOrder)),
    "number": lambda value: _read_list(value, r";|, (?![^()]*\))"),
    "unnumbered": _read_count,
    "mode": lambda value: Mode(_read_choice(value, [*Mode])),
    "manifestation": _read_manifestation,
}
FIELDS = tuple(sorted(_READERS))
"""Fields that metadata may have."""


def read_metadata(given: Mapping[str, object]) -> tuple[Metadata, tuple[Finding, ...]]:
    """Return given fields as typed values, with findings.

    Args:
        given: values by field. A value may be a text, a number, a date, a list, or nested if the
            name has lists. Empty texts and None are absent.
    """
    values: dict[str, Any] = {}
    log = Log("", "")
    for name, value in given.items():
        if name not in _READERS:
            near = difflib.get_close_matches(name, FIELDS, n=1)
            log.on(name).say("LX700", suggestion=near[0] if near else None)
        elif not _is_empty(value):
            _read_field(values, name, value, log)
    return Metadata.of(values), tuple(log.findings)


def _read_field(values: dict[str, Any], field: str, value: object, log: Log) -> None:
    """Add the value of one field, or the fields that it stands for."""
    text = value if isinstance(value, str) else str(value)
    if len(text) > LONGEST_FIELD and field != "title":
        shown = text[:_SHOWN] if isinstance(value, str) else ""
        log.on(field, shown).say("LX706", f"{len(text):,}", f"{LONGEST_FIELD:,}")
        return
    try:
        read = _READERS[field](value)
    except _ShapeError as fault:
        log.on(field, text[:_SHOWN]).say("LX701", _describe_value(value), str(fault.args[0]))
        return
    target = "annexes" if field == "annex" else field
    for each, part in read.items() if field == "manifestation" else ((target, read),):
        if each in values:
            log.on(field, text[:_SHOWN]).say("LX703", each)
        else:
            values[each] = part
