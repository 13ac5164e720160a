"""What comes of a conversion: the name, its standing, the way back that was tried."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.dialect._values import Conversion, Dialect, Standing
from lexurn.dialect._work import Piece, is_error, quoted
from lexurn.dialect._writing import WRITERS, noting
from lexurn.name import NameSyntaxError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.dialect._work import Work
    from lexurn.name import Finding, Name

__all__ = ["answer", "broken", "is_valid", "named"]

_ACCIDENTAL = frozenset({"LX851", "LX854", "LX855", "LX857"})
_CERTAIN = frozenset("![]*")
# A name whose way back from the one change of its prefix cannot fail.
_ONLY_THE_PREFIX = re.compile(r"urn:nir:[a-z0-9.;+]+:[a-z0-9.;]+:[0-9-]+;[0-9][a-z0-9-]*")
_ONLY_THE_PARTITION = re.compile(r"urn:lex(?::[a-z0-9.;-]+){4}")
_SPELLING, _SEPARATOR = "LX835", "LX845"


def named(work: Work, made: str = "") -> Name | None:
    """The name that came of it; what the RFC says against it is said of the text as given."""
    if work.broken:
        return None
    text = made or str(work.parts)
    try:
        return parse(text)
    except NameSyntaxError as fault:
        work.findings += (_placed(each, text, work.text) for each in fault.report.errors)
        return None


def _placed(found: Finding, made: str, given: str) -> Finding:
    """A finding on the text that was made, at its place in the text as given."""
    if made == given:
        return found
    part = made[found.start : found.end]
    at = given.find(part) if part else -1
    start, end = (at, at + len(part)) if at >= 0 else (0, len(given))
    return replace(found, start=start, end=end, suggestion=None)


def is_valid(work: Work, dialect: Dialect) -> bool:
    """Whether the text as given is a name by RFC 9676, whatever it says."""
    if dialect is Dialect.NIR or not _CERTAIN.isdisjoint(work.text):
        return False
    if not work.changes:
        return True
    try:
        parse(work.text)
    except NameSyntaxError:
        return False
    return True


def answer(
    work: Work, dialect: Dialect, wanted: Dialect, name: Name | None, *, valid: bool
) -> Conversion:
    """The conversion, with the name written as it was asked for."""
    if name is None:
        return broken(work.text, dialect, work.findings)
    standing = _standing(work, valid=valid)
    if work.auto:
        dialect = _likeliest(work, dialect, name)
    _check_way_back(work, dialect, name)
    written = WRITERS[wanted](name, noting(work))
    if written is None:
        work.say("LX887", Piece(0, work.text), quoted(str(name)))
    return Conversion(
        text=work.text,
        dialect=dialect,
        name=name,
        written=written,
        standing=standing,
        changes=tuple(work.changes),
        findings=tuple(work.findings),
    )


def _standing(work: Work, *, valid: bool) -> Standing:
    if not valid:
        return Standing.REPAIRABLE
    doubted = any(found.code in _ACCIDENTAL for found in work.findings)
    return Standing.ACCIDENTAL if doubted or work.changes else Standing.VALID


def _likeliest(work: Work, dialect: Dialect, name: Name) -> Dialect:
    """Of the two ways to write a name of Brazil the one that the text is written in."""
    if name.jurisdiction.code != "br" or dialect not in {Dialect.RFC9676, Dialect.LEXML}:
        return dialect
    if work.changes:
        return Dialect.LEXML
    as_lexml = WRITERS[dialect](name, _unheard) == work.text
    return dialect if as_lexml else Dialect.RFC9676


def _check_way_back(work: Work, dialect: Dialect, name: Name) -> None:
    """Note a loss where the way back gives another text and no change says so."""
    if any(change.lost is not None for change in work.changes):
        return
    if dialect is Dialect.NIR and len(work.changes) == 1 and _ONLY_THE_PREFIX.fullmatch(work.text):
        return
    if dialect is Dialect.LEXML and _simply_back(str(name)) == work.text:
        return
    if WRITERS[dialect](name, _unheard) != work.text:
        same = str(name) == work.text
        work.change(_SEPARATOR if same else _SPELLING, Piece(0, work.text), str(name))


def _simply_back(text: str) -> str | None:
    """LexML's spelling where only the partition differs; None where more may."""
    document, tilde, partition = text.partition("~")
    if not _ONLY_THE_PARTITION.fullmatch(document) or not tilde or "(" in partition:
        return None
    return f"{document}!{partition.replace(';', '_')}"


def _unheard(_code: str, _before: str, _after: str) -> None:
    """For a way back that is only tried."""


def broken(text: str, dialect: Dialect, findings: Iterable[Finding]) -> Conversion:
    return Conversion(
        text=text,
        dialect=dialect,
        name=None,
        written=None,
        standing=Standing.BROKEN,
        findings=tuple(sorted(findings, key=is_error, reverse=True)),
    )
