"""The parser: any text whatever gives a report, a valid one a name (RFC 9676 section 8).

A text is cut at its separators, each piece is read by the function of its production, and the table
of codes weighs what was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack

from lexurn.name._codes import CODES, Fault
from lexurn.name._findings import Finding, Reading, Report, Severity
from lexurn.name._name import Name, filled
from lexurn.name._pieces import Pieces, PieceTexts, cut, joined, shape
from lexurn.name._readers import SHORT, Read, read_pieces, remembered
from lexurn.name._suggestions import Judged, suggested
from lexurn.name._tail import written
from lexurn.name._values import Annex, Authority, Details, Measure, Parts, WorkIdentifier

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["LONGEST_NAME", "ReadingName", "check", "check_pieces", "parse", "parse_many"]

ReadingName = Reading | Literal["grammar", "text"]
LONGEST_NAME = 8192

_jurisdiction, _authority, _measure, _details = remembered[:4]
_set_authority, _set_measure, _set_details, _set_annexes = (
    WorkIdentifier.__dict__[slot].__set__ for slot in ("authority", "measure", "details", "annexes")
)
_ANNEXES = 5
_NOTHING_FOUND = -1
_BEHIND = remembered.expression, remembered.manifestation, remembered.partition


def parse(text: str, reading: ReadingName = "text") -> Name:
    """Read a name.

    Args:
        text: a LEX name.
        reading: ``text`` (default), or ``grammar`` for section 8 alone.

    Raises:
        NameSyntaxError: the text is no name in this reading; the error carries the report.
    """
    if reading != "text":
        reading = Reading(reading)
    if len(text) <= SHORT and (match := shape(text)) is not None:
        name = _quick(match, 1 if reading == "text" else 0)
        if name is not None:
            return name
    return check(text, reading).unwrap()


def check(text: str, reading: ReadingName = "text") -> Report:
    """Read any text: its report has the name if it is valid, and everything that was found."""
    reading = Reading(reading)
    if len(text) <= SHORT and (match := shape(text)) is not None:
        name = _quick(match, _NOTHING_FOUND)
        if name is not None:
            return Report(text=text, reading=reading, name=name, parts=_parts(name))
    read = _read(text)
    if not read.faults:
        return _report(text, read, reading, ())
    if len(text) > LONGEST_NAME:
        return _report(text, read, reading, _findings(read, reading, lambda _: None))
    found = _judged(read, reading)
    suggestion = suggested(found, text, lambda other: _judged(_read(other), reading))
    return _report(text, read, reading, _findings(read, reading, suggestion))


def parse_many(texts: Iterable[str], reading: ReadingName = "text") -> Iterator[Report]:
    """Read texts one by one, lazily; the reports come in the order of the texts."""
    return (check(text, reading) for text in texts)


def check_pieces(**texts: Unpack[PieceTexts]) -> Report:
    """Read a name that is given in pieces; a separator inside a piece is an error."""
    pieces = Pieces(**texts)
    text = joined(pieces)
    read = _limited(text, read_pieces(pieces))
    return _report(text, read, Reading.TEXT, _findings(read, Reading.TEXT, lambda _: None))


def _quick(match: re.Match[str], limit: int) -> Name | None:
    """The name, if no piece of it has an error: the way of nearly all names.

    The pieces are those that `cut` gives and the readers those of `read_pieces`; only the
    weighing of each fault is spared, since no piece is too heavy for the reading.
    """
    first, second, third, fourth, annexes = match.group(1, 2, 3, 4, 5)
    jurisdiction, first, weight, _ = _jurisdiction(first)
    authority, second, heavier, _ = _authority(second)
    measure, third, heavy, _ = _measure(third)
    details, fourth, heaviest, _ = _details(fourth)
    if weight > limit or heavier > limit or heavy > limit or heaviest > limit:
        return None
    canonical = f"urn:lex:{first}:{second}:{third}:{fourth}"
    attached: tuple[Annex, ...] = ()
    for piece in annexes.split(":")[1:] if annexes else ():
        annex, more, weight, _ = remembered.annexes(piece)
        if weight > limit:
            return None
        canonical, attached = f"{canonical}:{more}", (*attached, annex)
    work = _work(authority, measure, details, attached)
    if match.lastindex == _ANNEXES:
        return filled((jurisdiction, work, None, None, None), canonical, match.string)
    values: list[Any] = [None, None, None]
    for number, piece in enumerate(match.group(6, 7, 8)):
        if piece is not None:
            values[number], more, weight, _ = _BEHIND[number](piece)
            if weight > limit:
                return None
            canonical = f"{canonical}{'@$~'[number]}{more}"
    expression, manifestation, partition = values
    parts = jurisdiction, work, expression, manifestation, partition
    return filled(parts, canonical, match.string)


def _work(
    authority: Authority,
    measure: Measure,
    details: Details,
    annexes: tuple[Annex, ...],
) -> WorkIdentifier:
    """The work; filling its slots directly takes half the time of the dataclass's own way."""
    work = object.__new__(WorkIdentifier)
    _set_authority(work, authority)
    _set_measure(work, measure)
    _set_details(work, details)
    _set_annexes(work, annexes)
    return work


def _parts(name: Name) -> Parts:
    """The parts of a name, all of which could be read."""
    work = name.work
    return Parts(
        jurisdiction=name.jurisdiction,
        authority=work.authority,
        measure=work.measure,
        details=work.details,
        annexes=work.annexes,
        expression=name.expression,
        manifestation=name.manifestation,
        partition=name.partition,
    )


def _read(text: str) -> Read:
    """Read any text; one that is too long is not looked at."""
    if len(text) > LONGEST_NAME:
        return _limited(text, Read(Parts(), "", ()))
    return _limited(text, read_pieces(cut(text)))


def _limited(text: str, read: Read) -> Read:
    """What was read, with a fault if the text or its canonical form is too long."""
    length = max(len(text), len(read.canonical))
    if length <= LONGEST_NAME:
        return read
    fault = Fault("LX103", "nid", 0, len(text), (f"{length:,}", f"{LONGEST_NAME:,}"))
    return read._replace(faults=(*read.faults, fault))


def _is_error(fault: Fault, reading: Reading) -> bool:
    return CODES[fault.code].severity(reading) is Severity.ERROR


def _judged(read: Read, reading: Reading) -> Judged:
    """What suggestions need to know of a text."""
    errors = [fault for fault in read.faults if _is_error(fault, reading)]
    others = [fault for fault in read.faults if not _is_error(fault, reading)]
    name = None if errors else read.canonical + written(read.parts.components)
    return Judged(name, errors, others)


def _report(text: str, read: Read, reading: Reading, findings: tuple[Finding, ...]) -> Report:
    """The report of what was read."""
    valid = all(finding.severity is not Severity.ERROR for finding in findings)
    name = _name(text, read) if valid else None
    return Report(text=text, reading=reading, name=name, parts=read.parts, findings=findings)


def _name(text: str, read: Read) -> Name | None:
    """The name that valid parts make."""
    parts = read.parts
    if not (parts.jurisdiction and parts.authority and parts.measure and parts.details):
        return None
    work = WorkIdentifier(
        authority=parts.authority,
        measure=parts.measure,
        details=parts.details,
        annexes=parts.annexes,
    )
    return filled(
        (parts.jurisdiction, work, parts.expression, parts.manifestation, parts.partition),
        read.canonical,
        text,
        parts.components,
    )


def _findings(
    read: Read, reading: Reading, suggestion: Callable[[Fault], str | None]
) -> tuple[Finding, ...]:
    """What was found, in the order of the places."""
    findings = (_finding(fault, reading, suggestion(fault)) for fault in read.faults)
    return tuple(sorted(findings, key=_order))


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
