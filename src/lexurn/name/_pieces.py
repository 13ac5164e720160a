"""A name cut at its separators (RFC 9676 sections 2.1, 5.3, 5.4, 5.8), before anything is read.

Cut first, read later: an encoded separator is data. The order is that of section 10.3 and RFC 8141:
r-, q- and f-components go first, then the partition at the first ``~``; the rest is cut from left
to right, so that a separator in a wrong place is found where it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from lexurn.name._characters import quoted
from lexurn.name._codes import Fault, Fix
from lexurn.name._leaf import shifted
from lexurn.name._mending import mended_date
from lexurn.name._tail import read_tail, tail_start
from lexurn.name._values import Components

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PREFIX", "SEPARATORS", "PieceTexts", "Pieces", "cut", "joined", "shape"]

PREFIX = "urn:lex:"
# What stands before a piece, a colon where nothing else is said.
SEPARATORS = {"jurisdiction": "", "expression": "@", "manifestation": "$", "partition": "~"}
_SCHEME, _NID = "urn:", "lex"
_ELEMENT_END = re.compile(r"[:@$]")
_COLON_DATE = re.compile(r"[0-9]{4}:[0-9]{1,2}[:-][0-9]{1,2}(?=;)")
_MANDATORY = ("jurisdiction", "authority", "measure", "details")
_SHAPE = re.compile(
    r"urn:lex:(?P<jurisdiction>[^:@$~?#]+):(?P<authority>[^:@$~?#]+):(?P<measure>[^:@$~?#]+)"
    r":(?P<details>[^:@$~?#]+)(?P<annexes>(?::[^:@$~?#]+)*)"
    r"(?:@(?P<expression>[^@$~?#]+))?(?:\$(?P<manifestation>[^@$~?#]+))?(?:~(?P<partition>[^?#]+))?"
)


class PieceTexts(TypedDict, total=False):
    """The pieces of a name by field, as `Pieces` has them."""

    jurisdiction: str
    authority: str
    measure: str
    details: str
    annexes: tuple[str, ...]
    expression: str | None
    manifestation: str | None
    partition: str | None


class Pieces(NamedTuple):
    """The pieces of a name in their order, one separator before each, as they are written.

    Attributes:
        jurisdiction: what stands before the first colon, None where the text is no ``urn:lex``.
        authority: the second element.
        measure: the third element.
        details: the fourth element.
        annexes: all further elements.
        expression: what follows ``@``.
        manifestation: what follows ``$``.
        partition: what follows ``~``.
        components: the r-, q- and f-components.
        faults: what is wrong with the cutting itself.
    """

    jurisdiction: str | None = None
    authority: str | None = None
    measure: str | None = None
    details: str | None = None
    annexes: tuple[str, ...] = ()
    expression: str | None = None
    manifestation: str | None = None
    partition: str | None = None
    components: Components = Components()
    faults: tuple[Fault, ...] = ()

    def placed(self) -> Iterator[tuple[str, str, int]]:
        """Each piece that is there: its field, its text, its offset in the name."""
        start = len(PREFIX)
        for field in (*_MANDATORY, "annexes", "expression", "manifestation", "partition"):
            value = getattr(self, field)
            for text in value if field == "annexes" else () if value is None else (value,):
                yield field, text, start
                start += len(text) + 1


def joined(pieces: Pieces) -> str:
    """The text of pieces that have the four elements of every name."""
    return PREFIX + "".join(SEPARATORS.get(field, ":") + text for field, text, _ in pieces.placed())


def shape(text: str) -> re.Match[str] | None:
    """The groups of a name that has all its separators in place and no components behind it."""
    return _SHAPE.fullmatch(text)


def cut(text: str) -> Pieces:
    """Cut any text; what is missing or stands in a wrong place is a fault of the pieces."""
    if text[: len(_SCHEME)].lower() != _SCHEME:
        return Pieces(faults=(Fault("LX101", "scheme", 0, len(text.partition(":")[0])),))
    if (fault := _namespace_fault(text)) is not None:
        return Pieces(faults=(fault,))
    end = tail_start(text)
    tail = read_tail(text[end:])
    assigned = text[:end]
    document, tilde, partition = assigned.partition("~")
    pieces = _cut_document(document, text)
    return pieces._replace(
        partition=partition if tilde and pieces.details is not None else None,
        components=tail.value or Components(),
        faults=pieces.faults + shifted(tail.faults, end),
    )


def _namespace_fault(text: str) -> Fault | None:
    """What is wrong with the namespace identifier, which ends at the second colon."""
    start = len(_SCHEME)
    nid, colon, rest = text[start:].partition(":")
    if nid.lower() == _NID:
        return None if colon else Fault("LX201", "nid", len(text), len(text))
    fix = Fix(start, start + len(nid), f"{_NID}:it") if nid.lower() == "nir" and rest else None
    return Fault("LX102", "nid", start, start + len(nid), (quoted(nid),), fix)


def _element(document: str, at: int) -> str:
    """What stands between an offset and the next separator of elements."""
    end = _ELEMENT_END.search(document, at)
    return document[at : end.start() if end else len(document)]


def _cut_document(document: str, text: str) -> Pieces:
    """Cut the document: four elements, annexes, then what ``@`` and ``$`` begin.

    The whole text tells whether an element is missing or only interrupted.
    """
    fields: dict[str, Any] = {}
    at = len(PREFIX)
    for number, field in enumerate(_MANDATORY):
        fields[field] = found = _element(document, at)
        at += len(found)
        if number < len(_MANDATORY) - 1:
            if document[at : at + 1] != ":":
                fault = _end_fault(text, at, number, found)
                return Pieces(**fields, faults=(fault,) if found else ())
            at += 1
    faults = _colon_faults(document, at - len(fields["details"]))
    annexes: list[str] = []
    while document[at : at + 1] == ":":
        annexes.append(_element(document, at + 1))
        at += len(annexes[-1]) + 1
    head, dollar, manifestation = document[at:].partition("$")
    return Pieces(
        **fields,
        annexes=tuple(annexes),
        expression=head[1:] if head else None,
        manifestation=manifestation if dollar else None,
        faults=faults,
    )


def _end_fault(text: str, at: int, number: int, found: str) -> Fault:
    """Why the elements end before the fourth: the rest is missing, or a sign interrupts one.

    It interrupts where all other elements follow, up to details with their semicolon.
    """
    rest = text[at + 1 :].split(":", len(_MANDATORY) - number)
    details = rest[len(_MANDATORY) - 1 - number :][:1]
    if not details or ";" not in details[0]:
        return Fault("LX201", _MANDATORY[number + 1], at, at)
    component = _MANDATORY[number]
    if component == "jurisdiction":
        component = "jurisdiction-unit" if ";" in found else "jurisdiction-code"
    return Fault("LX202", component, at, at + 1, (quoted(text[at]),))


def _colon_faults(document: str, start: int) -> tuple[Fault, ...]:
    """A date whose numbers are parted by colons: it would be read as an act and its annexes."""
    match = _COLON_DATE.match(document, start)
    if match is None:
        return ()
    repair = mended_date(match[0].replace(":", "-"))
    fix = Fix(*match.span(), repair) if repair else None
    return (Fault("LX214", "date", *match.span(), (quoted(match[0]),), fix),)
