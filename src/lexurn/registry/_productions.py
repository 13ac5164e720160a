"""What may stand in a name as what: notations and examples, asked of the parser of names."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING

from lexurn.name import Severity, check
from lexurn.registry._entries import Kind

if TYPE_CHECKING:
    from lexurn.name import Name

__all__ = [
    "FORMATS",
    "fault_of_convention",
    "fault_of_name",
    "fault_of_notation",
    "fault_of_template",
    "holds",
]

#: The keys of the templates of labels.
FORMATS = frozenset(
    {
        "act",
        "act-issuer",
        "act-issuer-unnumbered",
        "act-issuer-period",
        "act-period",
        "act-unnumbered",
        "and",
        "annex",
        "date",
        "date-first",
        "edition",
        "in-language",
        "join",
        "original",
        "partition",
        "version",
        "version-label",
    }
)
#: What a jurisdiction may say of its names, besides templates of its own.
_CONVENTIONS = FORMATS | {
    "language",
    "local",
    "mode",
    "state",
    "thousands",
    "title-ends",
    "title-heads",
    "unnumbered",
}
_MODES = {"ascii", "utf8"}
_FRAMES = {
    Kind.AUTHORITY: "urn:lex:{code}:{notation}:x:2000-01-01;1",
    Kind.BODY: "urn:lex:{code}:x;{notation}:x:2000-01-01;1",
    Kind.MEASURE: "urn:lex:{code}:x:{notation}:2000-01-01;1",
    Kind.UNIT: "urn:lex:{code};{notation}:x:x:2000-01-01;1",
    Kind.ABBREVIATION: "urn:lex:xx:{notation}:x:2000-01-01;1",
    Kind.ANNEX: "urn:lex:xx:x:x:2000-01-01;1:{notation}",
    Kind.PARTITION: "urn:lex:xx:x:x:2000-01-01;1~{notation}",
}
_LARGEST = {Kind.ORDINAL: 9999, Kind.CARDINAL: 9999, Kind.MONTH: 13, Kind.WEEKDAY: 7}
_FIELD = re.compile("[a-z]+")
_LANGUAGE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def fault_of_name(text: str) -> str | None:
    """What is wrong with a whole name, or None; warnings count."""
    found = [each for each in check(text).findings if each.severity is not Severity.NOTE]
    return found[0].message if found else None


def fault_of_notation(kind: Kind, scope: str, notation: str) -> str | None:
    """Why a notation cannot be what its kind says, or None."""
    if kind in _FRAMES:
        return _fault_in_frame(kind, scope, notation)
    if kind in _LARGEST:
        right = re.fullmatch("[1-9][0-9]*", notation) and int(notation[:5]) <= _LARGEST[kind]
        return None if right else f"it is no number from 1 to {_LARGEST[kind]}"
    if kind is Kind.FOLD:
        return None if re.fullmatch("[a-z0-9]*", notation) else "it is no ASCII letter or digit"
    keys = {Kind.FORMAT: FORMATS, Kind.CONVENTION: _CONVENTIONS}.get(kind)
    if keys is None or notation in keys:
        return None
    return "it is none of " + ", ".join(sorted(keys))


def _fault_in_frame(kind: Kind, scope: str, notation: str) -> str | None:
    text = _FRAMES[kind].format(code=scope, notation=notation)
    if fault := fault_of_name(text):
        return fault
    name = check(text).name
    if name is None or str(name) != text:
        return "it is not in canonical form: lower case, without blanks"
    return None if notation in _parts(kind, name) else "it holds what separates components"


def holds(kind: Kind, notation: str, text: str) -> bool:
    """Whether a valid name has the notation at its kind's place, whole or continued.

    >>> holds(Kind.MEASURE, "medida.provisoria", "urn:lex:br:x:medida.provisoria;mpv:2001;1")
    True
    """
    name = check(text).name
    if name is None:
        return False
    lead = (notation + ".", notation + ";")
    return any(part == notation or part.startswith(lead) for part in _parts(kind, name))


def _parts(kind: Kind, name: Name) -> tuple[str, ...]:
    """What stands in a name at the place of a kind: one text for each that may hold it."""
    issuers = name.work.authority.issuers
    if kind in {Kind.AUTHORITY, Kind.ABBREVIATION}:
        return tuple(map(str, issuers))
    if kind is Kind.BODY:
        return tuple(
            ";".join(issuer.functions[at:])
            for issuer in issuers
            for at in range(len(issuer.functions))
        )
    if kind is Kind.MEASURE:
        return (str(name.work.measure),)
    if kind is Kind.UNIT:
        return (";".join(name.jurisdiction.units),)
    if kind is Kind.ANNEX:
        return tuple(map(str, name.work.annexes))
    return (name.partition or "",)


def fault_of_convention(notation: str, text: str) -> str | None:
    """What is wrong with the value of a convention, or None."""
    if notation == "language":
        return None if _LANGUAGE.fullmatch(text) else "it is no language tag"
    if notation == "mode":
        return None if text in _MODES else "it is none of ascii, utf8"
    return fault_of_template(text) if notation in FORMATS else None


def fault_of_template(text: str) -> str | None:
    """What is wrong with a template of a label, or None.

    Fields are words in braces and nothing else, so that no template reaches into a value.
    """
    try:
        parsed = tuple(Formatter().parse(text))
    except ValueError as fault:
        return str(fault)
    for _, name, spec, conversion in parsed:
        if name is not None and (spec or conversion or not _FIELD.fullmatch(name)):
            return f"{{{name}}} is no field"
    return None
