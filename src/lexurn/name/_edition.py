"""What stands behind a work: expression, manifestation, partition (RFC 9676 5.6 to 5.8)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.name._codes import Fault, Fix
from lexurn.name._dates import is_date, read_date
from lexurn.name._language import read_language
from lexurn.name._leaf import (
    ALF_DOT,
    ALF_DOT_HYP,
    FATAL,
    MIME,
    PARTITION,
    Parsed,
    read_leaf,
    shifted,
)
from lexurn.name._series import read_series
from lexurn.name._values import (
    Component,
    Editor,
    Event,
    ExpressionIdentifier,
    Feature,
    Format,
    ManifestationIdentifier,
    Version,
)

if TYPE_CHECKING:
    from lexurn.name._values import Date

__all__ = ["read_expression", "read_manifestation", "read_partition"]

_MEDIA_TYPE = re.compile(
    r"(?:application|audio|example|font|haptics|image|message|model|multipart|text|video)-.+"
)
_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}")
_ELEMENTS = (
    ("publisher", "editor"),
    ("mime", "format"),
    ("part", "component"),
    ("attribute", "feature"),
)
_LEAST_ELEMENTS = 2


def read_expression(text: str) -> Parsed[ExpressionIdentifier]:
    """Read ``expression = version [":" language]`` (RFC 9676 section 5.6)."""
    head, colon, tail = text.partition(":")
    version = _read_version(head)
    if not colon:
        value = None if version.value is None else ExpressionIdentifier(version=version.value)
        return Parsed(value, version.text, version.faults)
    language = _read_language(tail)
    faults = version.faults + shifted(language.faults, len(head) + 1)
    whole = f"{version.text}:{language.text}"
    if version.value is None or language.value is None:
        return Parsed(None, whole, faults)
    value = ExpressionIdentifier(version=version.value, language=language.value)
    return Parsed(value, whole, faults)


def read_manifestation(text: str) -> Parsed[ManifestationIdentifier]:
    """Read ``manifestation = editor ":" format [":" component [":" feature]]`` (5.7)."""
    pieces = text.split(":", len(_ELEMENTS))
    reads: list[Parsed[tuple[str, ...]]] = []
    faults: list[Fault] = []
    start = 0
    for piece, (head, _) in zip(pieces, _ELEMENTS, strict=False):
        read = _read_element(piece, head)
        reads.append(read)
        faults += shifted(read.faults, start)
        start += len(piece) + 1
    faults += _structure_faults(text, pieces)
    whole = ":".join(read.text for read in reads)
    values = [read.value for read in reads if read.value is not None]
    if len(values) != len(pieces) or len(values) < _LEAST_ELEMENTS:
        return Parsed(None, whole, tuple(faults))
    return Parsed(_manifestation(values), whole, (*faults, *_draft_faults(pieces, text)))


def read_partition(text: str) -> Parsed[str]:
    """Read what stands behind the first ``~`` (RFC 9676 section 5.8); it keeps its case."""
    read = read_leaf(text, PARTITION, "partition")
    if read.value is None:
        return read
    faults = []
    at = min((text.index(sign) for sign in "@$" if sign in text), default=None)
    if at is not None:
        fix = Fix(-1, len(text), f"{text[at:]}~{text[:at]}")
        sign = f'"{text[at]}"'
        faults.append(Fault("LX228", "partition", at, at + 1, (sign,), fix))
    if (plus := text.find("+")) >= 0:
        faults.append(Fault("LX229", "partition", plus, plus + 1))
    return read._replace(faults=(*read.faults, *faults))


_read_language = lru_cache(maxsize=256)(read_language)


def _read_version(text: str) -> Parsed[Version]:
    """Read ``(amendment-date / specification) *(";" (event-date / event))`` (section 7.1.2)."""
    if not text:
        return Parsed(None, "", (Fault("LX201", "version", 0, 0),))
    heads: list[tuple[Date | None, str | None]] = []
    texts: list[str] = []
    faults: list[Fault] = []
    start, readable = 0, True
    for piece in text.split(";"):
        date = read_date(piece) if is_date(piece) else None
        label = (
            read_leaf(piece, ALF_DOT, "event" if texts else "specification") if not date else None
        )
        read = date or label or Parsed(None, "")
        readable = readable and read.value is not None
        heads.append((date.value if date else None, label.value if label else None))
        texts.append(read.text)
        faults += shifted(read.faults, start)
        start += len(piece) + 1
    value = None
    if readable:
        events = tuple(Event(date=date, event=event) for date, event in heads[1:])
        value = Version(date=heads[0][0], specification=heads[0][1], events=events)
    return Parsed(value, ";".join(texts), tuple(faults))


def _read_element(text: str, head: str) -> Parsed[tuple[str, ...]]:
    """Read one element of a manifestation; section 5.7 has hyphens in specifications as well."""
    first, semicolon, rest = text.partition(";")
    parsed = _read_mime(first) if head == "mime" else read_leaf(first, ALF_DOT_HYP, head)
    values = None if parsed.value is None else (parsed.value,)
    if not semicolon:
        return Parsed(values, parsed.text, parsed.faults)
    tail = read_series(rest, ALF_DOT_HYP, "specification", "specification")
    hyphens = _hyphen_faults(rest, tail.faults)
    faults = parsed.faults + shifted(hyphens + tail.faults, len(first) + 1)
    whole = f"{parsed.text};{tail.text}"
    if values is None or tail.value is None:
        return Parsed(None, whole, faults)
    return Parsed(values + tail.value, whole, faults)


def _hyphen_faults(text: str, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """The first hyphen in specifications, unless an error stands before it."""
    hyphen = text.find("-")
    refused = min((fault.start for fault in faults if fault.code in FATAL), default=len(text))
    if not 0 <= hyphen < refused:
        return ()
    return (Fault("LX225", "specification", hyphen, hyphen + 1),)


def _read_mime(text: str) -> Parsed[str]:
    """Read a media type, with ``-`` for ``/``; a plus sign is written percent-encoded."""
    read = read_leaf(text, MIME, "mime")
    plus = text.find("+")
    if plus < 0:
        return read
    if read.value is None:
        refused = next(fault.start for fault in read.faults if fault.code in FATAL)
        early = (Fault("LX226", "mime", plus, plus + 1),) if plus < refused else ()
        return read._replace(faults=(*early, *read.faults))
    value = read.value.replace("+", "%2B")
    fault = Fault("LX226", "mime", plus, plus + 1, (), Fix(0, len(text), value))
    return Parsed(value, value, (*read.faults, fault))


def _structure_faults(text: str, pieces: list[str]) -> tuple[Fault, ...]:
    """Too few or too many elements of a manifestation."""
    if len(pieces) < _LEAST_ELEMENTS and text:
        return (Fault("LX201", "format", len(text), len(text)),)
    if len(pieces) > len(_ELEMENTS):
        at = len(text) - len(pieces[-1]) - 1
        return (Fault("LX224", "feature", at, len(text)),)
    return ()


def _draft_faults(pieces: list[str], text: str) -> tuple[Fault, ...]:
    """Format before editor, as the drafts had it: a guess, so only a warning."""
    editor, form = (piece.partition(";")[0].lower() for piece in pieces[:2])
    if not _MEDIA_TYPE.fullmatch(editor) or not _DOMAIN.fullmatch(form):
        return ()
    swapped = ":".join((pieces[1], pieces[0], *pieces[2:]))
    return (Fault("LX227", "editor", 0, len(text), (), Fix(0, len(text), swapped)),)


def _manifestation(values: list[tuple[str, ...]]) -> ManifestationIdentifier:
    """A manifestation of two to four elements, each a head and its specifications."""
    editor, form, *more = values
    return ManifestationIdentifier(
        editor=Editor(publisher=editor[0], specifications=editor[1:]),
        format=Format(mime=form[0], specifications=form[1:]),
        component=Component(part=more[0][0], specifications=more[0][1:]) if more else None,
        feature=Feature(attribute=more[1][0], specifications=more[1][1:]) if more[1:] else None,
    )
