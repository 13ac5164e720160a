"""Text to parts: a name is cut at its separators, and each piece is read by its production.

The text is cut before it is read, so an encoded separator is data. The order is that of RFC 9676
section 10.3 and RFC 8141: r-, q- and f-components go first, then the partition at the first ``~``.
The rest is cut from left to right, so that a misplaced separator is found at its place. Pieces such
as authorities, measures and days recur, so short ones are read once and cached.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, TypedDict, TypeVar, cast

from lexurn.findings import Severity, load_codes
from lexurn.name.characters import (
    Fault,
    Fix,
    is_fatal,
    quote_text,
    repair_date,
    shift_faults,
)
from lexurn.name.grammar import (
    find_components,
    read_annex,
    read_authority,
    read_components,
    read_details,
    read_expression,
    read_jurisdiction,
    read_manifestation,
    read_measure,
    read_partition,
    write_components,
)
from lexurn.name.values import Components, Parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from lexurn.name.characters import Parsed
    from lexurn.name.values import Annex

T = TypeVar("T")

NAME_PREFIX = "urn:lex:"
# The separator before a piece; a colon for all others.
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


class Reading(StrEnum):
    """Rules for reading a text: the grammar of RFC 9676 section 8 alone, or its prose as well."""

    GRAMMAR = "grammar"
    TEXT = "text"


def find_severity(code: str, reading: Reading) -> Severity:
    """Return the severity of a code in a reading."""
    row = load_codes()[code]
    return row.grammar if reading is Reading.GRAMMAR else row.severity


class PieceTexts(TypedDict, total=False):
    """Pieces of a name by field; see `Pieces`."""

    jurisdiction: str
    authority: str
    measure: str
    details: str
    annexes: tuple[str, ...]
    expression: str | None
    manifestation: str | None
    partition: str | None


class Pieces(NamedTuple):
    """Pieces of a name in their order, as written, with one separator before each.

    Attributes:
        jurisdiction: the first element, None if the text is not a ``urn:lex``.
        authority: the second element.
        measure: the third element.
        details: the fourth element.
        annexes: all further elements.
        expression: the piece behind ``@``.
        manifestation: the piece behind ``$``.
        partition: the piece behind ``~``.
        components: the r-, q- and f-components.
        faults: the faults of the separators.
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

    def locate(self) -> Iterator[tuple[str, str, int]]:
        """List the pieces that are present: field, text and offset in the name."""
        start = len(NAME_PREFIX)
        for field in (*_MANDATORY, "annexes", "expression", "manifestation", "partition"):
            value = getattr(self, field)
            for text in value if field == "annexes" else () if value is None else (value,):
                yield field, text, start
                start += len(text) + 1


def join_pieces(pieces: Pieces) -> str:
    """Join pieces, with all four mandatory elements, to the text of a name."""
    return NAME_PREFIX + "".join(
        SEPARATORS.get(field, ":") + text for field, text, _ in pieces.locate()
    )


def match_shape(text: str) -> re.Match[str] | None:
    """Match a name that has all its separators in place and no r-, q- or f-components."""
    return _SHAPE.fullmatch(text)


def cut_name(text: str) -> Pieces:
    """Cut any text; a missing or misplaced piece becomes a fault of the pieces."""
    if text[: len(_SCHEME)].lower() != _SCHEME:
        return Pieces(faults=(Fault("LX101", "scheme", 0, len(text.partition(":")[0])),))
    if (fault := _check_namespace(text)) is not None:
        return Pieces(faults=(fault,))
    end = find_components(text)
    components = read_components(text[end:])
    document, tilde, partition = text[:end].partition("~")
    pieces = _cut_document(document, text)
    return pieces._replace(
        partition=partition if tilde and pieces.details is not None else None,
        components=components.value or Components(),
        faults=pieces.faults + shift_faults(components.faults, end),
    )


def _check_namespace(text: str) -> Fault | None:
    """Check the namespace identifier, which ends at the second colon."""
    start = len(_SCHEME)
    nid, colon, rest = text[start:].partition(":")
    if nid.lower() == _NID:
        return None if colon else Fault("LX201", "nid", len(text), len(text))
    fix = Fix(start, start + len(nid), f"{_NID}:it") if nid.lower() == "nir" and rest else None
    return Fault("LX102", "nid", start, start + len(nid), (quote_text(nid),), fix)


def _cut_document(document: str, text: str) -> Pieces:
    """Cut the document: four elements, annexes, then the pieces behind ``@`` and ``$``.

    The whole text shows whether an element is missing or only interrupted.
    """
    fields: dict[str, Any] = {}
    at = len(NAME_PREFIX)
    for number, field in enumerate(_MANDATORY):
        fields[field] = found = _cut_element(document, at)
        at += len(found)
        if number < len(_MANDATORY) - 1:
            if document[at : at + 1] != ":":
                fault = _explain_end(text, at, number, found)
                return Pieces(**fields, faults=(fault,) if found else ())
            at += 1
    faults = _check_colon_date(document, at - len(fields["details"]))
    annexes: list[str] = []
    while document[at : at + 1] == ":":
        annexes.append(_cut_element(document, at + 1))
        at += len(annexes[-1]) + 1
    head, dollar, manifestation = document[at:].partition("$")
    return Pieces(
        **fields,
        annexes=tuple(annexes),
        expression=head[1:] if head else None,
        manifestation=manifestation if dollar else None,
        faults=faults,
    )


def _cut_element(document: str, at: int) -> str:
    """Return the text between an offset and the next separator of elements."""
    end = _ELEMENT_END.search(document, at)
    return document[at : end.start() if end else len(document)]


def _explain_end(text: str, at: int, number: int, found: str) -> Fault:
    """Return the reason why the elements end before the fourth: missing, or interrupted by a sign.

    The sign interrupts one if all other elements follow, up to details with their semicolon.
    """
    rest = text[at + 1 :].split(":", len(_MANDATORY) - number)
    details = rest[len(_MANDATORY) - 1 - number :][:1]
    if not details or ";" not in details[0]:
        return Fault("LX201", _MANDATORY[number + 1], at, at)
    component = _MANDATORY[number]
    if component == "jurisdiction":
        component = "jurisdiction-unit" if ";" in found else "jurisdiction-code"
    return Fault("LX202", component, at, at + 1, (quote_text(text[at]),))


def _check_colon_date(document: str, start: int) -> tuple[Fault, ...]:
    """Find a date with colons between its numbers, which would be read as an act and annexes."""
    match = _COLON_DATE.match(document, start)
    if match is None:
        return ()
    repair = repair_date(match[0].replace(":", "-"))
    fix = Fix(*match.span(), repair) if repair else None
    return (Fault("LX214", "date", *match.span(), (quote_text(match[0]),), fix),)


LONGEST_CACHED = 512


# The worst fault of a piece, in rising order. Members of an enum would slow `parse` by 6 %.
CLEAN, WARNING, ERROR_IN_GRAMMAR, ERROR_IN_BOTH = range(4)


class CachedPiece(NamedTuple, Generic[T]):
    """Result of reading a piece.

    Attributes:
        value: the value; undefined for ``ERROR_IN_BOTH``.
        text: the canonical text of the value.
        worst: the severity of the worst fault, ``CLEAN`` to ``ERROR_IN_BOTH``.
        faults: the faults, with offsets within the piece.
    """

    value: T
    text: str
    worst: int
    faults: tuple[Fault, ...]


class _Readers(NamedTuple):
    """Readers of all pieces, by the field of `Pieces`."""

    jurisdiction: Callable[[str], CachedPiece[Any]]
    authority: Callable[[str], CachedPiece[Any]]
    measure: Callable[[str], CachedPiece[Any]]
    details: Callable[[str], CachedPiece[Any]]
    annexes: Callable[[str], CachedPiece[Any]]
    expression: Callable[[str], CachedPiece[Any]]
    manifestation: Callable[[str], CachedPiece[Any]]
    partition: Callable[[str], CachedPiece[Any]]


def _rate_piece(parsed: Parsed[T]) -> CachedPiece[T]:
    """Add the severity of the worst fault."""
    value, text, faults = parsed
    worst = WARNING if faults else CLEAN
    for fault in faults:
        if is_fatal(fault):
            worst = ERROR_IN_BOTH
        elif find_severity(fault.code, Reading.GRAMMAR) is Severity.ERROR:
            worst = max(worst, ERROR_IN_GRAMMAR)
    return CachedPiece(cast("T", value), text, worst, faults)


def _cache_reader(reader: Callable[[str], Parsed[T]]) -> Callable[[str], CachedPiece[T]]:
    """Return a reader that keeps its results."""

    @lru_cache(maxsize=4096)
    def read(text: str) -> CachedPiece[T]:
        return _rate_piece(reader(text))

    return read


_READERS: tuple[Callable[[str], Parsed[Any]], ...] = (
    read_jurisdiction,
    read_authority,
    read_measure,
    read_details,
    read_annex,
    read_expression,
    read_manifestation,
    read_partition,
)
cached_readers = _Readers(*map(_cache_reader, _READERS))


class ParsedText(NamedTuple):
    """Result of reading a text.

    Attributes:
        parts: the readable parts.
        canonical: the canonical text, if the name is valid.
        faults: the faults, with offsets in the text.
    """

    parts: Parts
    canonical: str
    faults: tuple[Fault, ...]

    def list_errors(self, reading: Reading) -> list[Fault]:
        """List the faults that are errors in a reading."""
        return [f for f in self.faults if find_severity(f.code, reading) is Severity.ERROR]

    def list_others(self, reading: Reading) -> list[Fault]:
        """List the faults that are not errors in a reading."""
        return [f for f in self.faults if find_severity(f.code, reading) is not Severity.ERROR]

    def write(self) -> str:
        """Write the canonical text with its r-, q- and f-components."""
        return self.canonical + write_components(self.parts.components)


def read_pieces(pieces: Pieces) -> ParsedText:
    """Read every piece of a name, up to details without numbers."""
    values: dict[str, Any] = {}
    annexes: list[Annex] = []
    texts = [NAME_PREFIX]
    faults = list(pieces.faults)
    for field, text, start in pieces.locate():
        value, canonical, _, found = _read_piece(field, text)
        faults += shift_faults(found, start)
        texts.append(SEPARATORS.get(field, ":") + canonical)
        if field != "annexes":
            values[field] = value
        elif value is not None:
            annexes.append(value)
        if field == "details" and ";" not in text:
            break
    if ";" not in (pieces.details or ""):
        # Elements are missing: faults behind the first error are its consequences.
        first = min((each for each in faults if is_fatal(each)), key=lambda fault: fault.start)
        others = (each for each in faults if each.end <= first.start and not is_fatal(each))
        faults = [first, *others]
    parts = Parts(**values, annexes=tuple(annexes), components=pieces.components)
    return ParsedText(parts, "".join(texts), tuple(faults))


def _read_piece(field: str, text: str) -> CachedPiece[Any]:
    """Read one piece; long pieces are not cached."""
    if len(text) <= LONGEST_CACHED:
        read: CachedPiece[Any] = getattr(cached_readers, field)(text)
        return read
    return _rate_piece(_READERS[_Readers._fields.index(field)](text))
