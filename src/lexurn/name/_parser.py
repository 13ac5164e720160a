"""The parser: any text whatever gives a report, a valid one a name (RFC 9676 section 8).

A text is cut at its separators, each piece is read by the function of its production, and the table
of codes weighs what was found. Pieces recur from name to name, so readers remember short ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack

from lexurn.name._codes import CODES, Fault
from lexurn.name._edition import read_expression, read_manifestation, read_partition
from lexurn.name._findings import Finding, Reading, Report, Severity
from lexurn.name._leaf import Parsed, shifted
from lexurn.name._name import Name, filled
from lexurn.name._pieces import PREFIX, SEPARATORS, Pieces, PieceTexts, cut, joined, shape
from lexurn.name._suggestions import Judged, suggested
from lexurn.name._tail import written
from lexurn.name._values import Parts, WorkIdentifier
from lexurn.name._work import (
    read_annex,
    read_authority,
    read_details,
    read_jurisdiction,
    read_measure,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["LONGEST_NAME", "ReadingName", "check", "check_pieces", "parse", "parse_many"]

ReadingName = Reading | Literal["grammar", "text"]
LONGEST_NAME = 8192

_READERS: dict[str, Callable[[str], Parsed[Any]]] = {
    "jurisdiction": read_jurisdiction,
    "authority": read_authority,
    "measure": read_measure,
    "details": read_details,
    "annexes": read_annex,
    "expression": read_expression,
    "manifestation": read_manifestation,
    "partition": read_partition,
}
# Only short pieces are remembered, so that the caches stay small whatever is read.
_SHORT = 512
_REMEMBERING = {field: lru_cache(maxsize=4096)(reader) for field, reader in _READERS.items()}
_jurisdiction, _authority, _measure, _details = (
    _REMEMBERING[field] for field in ("jurisdiction", "authority", "measure", "details")
)


class _Read(NamedTuple):
    """All that was read of a text."""

    parts: Parts
    canonical: str
    faults: tuple[Fault, ...]


def parse(text: str, reading: ReadingName = Reading.TEXT) -> Name:
    """Read a name.

    Args:
        text: a LEX name.
        reading: ``text`` (default), or ``grammar`` for section 8 alone.

    Raises:
        NameSyntaxError: the text is no name in this reading; the error carries the report.
    """
    if len(text) <= _SHORT and (name := _plain(text)) is not None:
        return name
    read = _read_text(text)
    name = _name(text, read, Reading(reading))
    return name or check(text, reading).unwrap()


def check(text: str, reading: ReadingName = Reading.TEXT) -> Report:
    """Read any text: its report has the name if it is valid, and everything that was found."""
    reading = Reading(reading)
    read = _read_text(text)
    found = _judged(text, read, reading)
    suggestion = suggested(found, text, lambda other: _judged(other, _read_text(other), reading))
    return _report(text, read, reading, suggestion)


def parse_many(texts: Iterable[str], reading: ReadingName = Reading.TEXT) -> Iterator[Report]:
    """Read texts one by one, lazily; the reports come in the order of the texts."""
    return (check(text, reading) for text in texts)


def check_pieces(**texts: Unpack[PieceTexts]) -> Report:
    """Read a name that is given in pieces; a separator inside a piece is an error."""
    pieces = Pieces(**texts)
    text = joined(pieces)
    return _report(text, _limited(text, _read(pieces)), Reading.TEXT, lambda _: None)


def _plain(text: str) -> Name | None:
    """The name, if nothing whatever is to be said of the text."""
    match = shape(text)
    if match is None:
        return None
    code, issuers, type_, formal, annexes, version, edition, part = match.groups()
    jurisdiction, canonical, faults = _jurisdiction(code)
    authority, second, found = _authority(issuers)
    measure, third, more = _measure(type_)
    details, fourth, last = _details(formal)
    if faults or found or more or last:
        return None
    canonical = f"urn:lex:{canonical}:{second}:{third}:{fourth}"
    if annexes or part is not None:
        return None
    if version is None and edition is None:
        work = WorkIdentifier(authority=authority, measure=measure, details=details)
        return filled((jurisdiction, work, None, None, None), canonical=canonical, text=text)
    return None


def _read_text(text: str) -> _Read:
    """Read any text; one that is too long is not looked at."""
    if len(text) > LONGEST_NAME:
        return _limited(text, _Read(Parts(), "", ()))
    return _limited(text, _read(cut(text)))


def _limited(text: str, read: _Read) -> _Read:
    """What was read, with a fault if the text or its canonical form is too long."""
    length = max(len(text), len(read.canonical))
    if length <= LONGEST_NAME:
        return read
    fault = Fault("LX103", "nid", 0, len(text), (f"{length:,}", f"{LONGEST_NAME:,}"))
    return read._replace(faults=(*read.faults, fault))


def _read(pieces: Pieces) -> _Read:
    """Read every piece of a name."""
    values: dict[str, Any] = {}
    annexes: list[Any] = []
    texts: list[str] = []
    faults = list(pieces.faults)
    for field, text, start in pieces.placed():
        if field == "annexes" and ";" not in (pieces.details or ""):
            continue
        readers = _REMEMBERING if len(text) <= _SHORT else _READERS
        value, canonical, found = readers[field](text)
        faults += shifted(found, start)
        texts.append(SEPARATORS.get(field, ":") + canonical)
        if field == "annexes":
            annexes.append(value)
        else:
            values[field] = value
    parts = Parts(
        **values, annexes=tuple(a for a in annexes if a is not None), components=pieces.components
    )
    return _Read(parts, PREFIX + "".join(texts), tuple(faults))


def _name(text: str, read: _Read, reading: Reading) -> Name | None:
    """The name, None if a fault is an error in this reading."""
    if any(CODES[fault.code].severity(reading) is Severity.ERROR for fault in read.faults):
        return None
    parts = read.parts
    if parts.jurisdiction is None or parts.authority is None:
        return None
    if parts.measure is None or parts.details is None:
        return None
    work = WorkIdentifier(
        authority=parts.authority,
        measure=parts.measure,
        details=parts.details,
        annexes=parts.annexes,
    )
    return filled(
        (parts.jurisdiction, work, parts.expression, parts.manifestation, parts.partition),
        canonical=read.canonical,
        text=text,
        components=parts.components,
    )


def _judged(text: str, read: _Read, reading: Reading) -> Judged:
    """What suggestions need to know of a text."""
    errors, others = [], []
    for fault in read.faults:
        severity = CODES[fault.code].severity(reading)
        (errors if severity is Severity.ERROR else others).append(fault)
    name = None if errors else read.canonical + written(read.parts.components)
    return name, errors, others


def _report(
    text: str, read: _Read, reading: Reading, suggestion: Callable[[Fault], str | None]
) -> Report:
    """The report of what was read."""
    findings = [_finding(fault, reading, suggestion(fault)) for fault in read.faults]
    findings.sort(key=_order)
    return Report(
        text=text,
        reading=reading,
        name=_name(text, read, reading),
        parts=read.parts,
        findings=tuple(findings),
    )


def _finding(fault: Fault, reading: Reading, suggestion: str | None) -> Finding:
    """A fault, weighed and put in words."""
    row = CODES[fault.code]
    return Finding(
        code=fault.code,
        severity=row.severity(reading),
        component=fault.component,
        start=fault.start,
        end=fault.end,
        message=row.message.format(*fault.values, component=fault.component),
        rule=row.rule,
        suggestion=suggestion,
    )


def _order(finding: Finding) -> tuple[int, bool, int]:
    """By place; at one place errors first."""
    return finding.start, finding.severity is not Severity.ERROR, finding.end
