"""Any text to faults and canonical text: it is cut at its separators, and each piece is read.

A name without any fault, in canonical form, is recognised as a whole (`compile_clean`).

The text is cut before it is read, so an encoded separator is data. The order is that of RFC 9676
section 10.3 and RFC 8141: r-, q- and f-components go first, then the partition at the first ``~``.
The rest is cut from left to right, so that a misplaced separator is found where it stands. Pieces
such as authorities, measures and days recur, so short ones are read once and cached.
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.findings import Severity, load_codes
from lexurn.lazy import compile_late
from lexurn.name import grammar
from lexurn.name.characters import Fault, Fix, is_fatal, quote_text, repair_date, shift_faults
from lexurn.name.grammar import NO_COMPONENTS, cache_short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lexurn.name.grammar import Components
    from lexurn.name.values import Parts

NAME_PREFIX = "urn:lex:"
_SCHEME, _NID = "urn:", "lex"
_COMPONENTS_START = compile_late(r"\?[+=]|#")
# A date with colons between its numbers, which would be read as an act and annexes.
_COLON_DATE = compile_late(r"[0-9]{4}:[0-9]{1,2}[:-][0-9]{1,2}(?=;)")
_MANDATORY = ("jurisdiction", "authority", "measure", "details")
_OPTIONAL = ("expression", "manifestation", "partition")


class Reading(StrEnum):
    """Rules for reading a text: the grammar of RFC 9676 section 8 alone, or its prose as well."""

    GRAMMAR = "grammar"
    TEXT = "text"


def find_severity(code: str, reading: Reading) -> Severity:
    """Return the severity of a code in a reading."""
    row = load_codes()[code]
    return row.grammar if reading is Reading.GRAMMAR else row.severity


@cache
def load_errors(reading: Reading) -> frozenset[str]:
    """Return the codes that are errors in a reading."""
    return frozenset(
        code for code in load_codes() if find_severity(code, reading) is Severity.ERROR
    )


class Pieces(NamedTuple):
    """Pieces of a name, as written, with one separator before each.

    Attributes:
        texts: field and text of each piece, in the order of the name.
        components: the r-, q- and f-components.
        faults: the faults of the separators.
    """

    texts: Sequence[tuple[str, str]] = ()
    components: Components = NO_COMPONENTS
    faults: tuple[Fault, ...] = ()


def cut_name(text: str) -> Pieces:
    """Cut any text; a missing or misplaced piece becomes a fault of the pieces."""
    if text[: len(_SCHEME)].lower() != _SCHEME:
        return Pieces(faults=(Fault("LX101", "scheme", 0, len(text.partition(":")[0])),))
    start = len(_SCHEME)
    nid, colon, rest = text[start:].partition(":")
    if nid.lower() != _NID:
        end = start + len(nid)
        fix = Fix(start, end, f"{_NID}:it") if nid.lower() == "nir" and rest else None
        return Pieces(faults=(Fault("LX102", "nid", start, end, (quote_text(nid),), fix),))
    if not colon:
        return Pieces(faults=(Fault("LX201", "nid", len(text), len(text)),))
    match = _COMPONENTS_START.search(text) if "?" in text or "#" in text else None
    end = match.start() if match else len(text)
    document, tilde, partition = text[:end].partition("~")
    texts, faults = _cut_document(document, text)
    if tilde and len(texts) >= len(_MANDATORY):
        texts.append(("partition", partition))
    if end == len(text):
        return Pieces(texts, faults=faults)
    components, found = grammar.read_components(text[end:])
    return Pieces(texts, components, faults + shift_faults(found, end))


def _cut_document(document: str, text: str) -> tuple[list[tuple[str, str]], tuple[Fault, ...]]:
    """Cut the document: four elements, annexes, then the pieces after ``@`` and ``$``.

    The whole text shows whether an element is missing or only interrupted.
    """
    document, dollar, manifestation = document.partition("$")
    work, at, expression = document.partition("@")
    elements = work[len(NAME_PREFIX) :].split(":")
    texts = list(zip(_MANDATORY, elements, strict=False))
    if len(elements) < len(_MANDATORY):
        last, number, end = elements[-1], len(elements) - 1, len(work)
        if not last:
            return texts, ()
        # A sign interrupts one if all other elements follow, up to details with their semicolon.
        rest = text[end + 1 :].split(":", len(_MANDATORY) - number)
        details = rest[len(_MANDATORY) - 1 - number :][:1]
        if not details or ";" not in details[0]:
            return texts, (Fault("LX201", _MANDATORY[number + 1], end, end),)
        component = _MANDATORY[number]
        if component == "jurisdiction":
            component = "jurisdiction-unit" if ";" in last else "jurisdiction-code"
        return texts, (Fault("LX202", component, end, end + 1, (quote_text(text[end]),)),)
    annexes = elements[len(_MANDATORY) :]
    texts += [("annexes", annex) for annex in annexes]
    if at:
        texts.append(("expression", expression))
    if dollar:
        texts.append(("manifestation", manifestation))
    start = len(work) - len(":".join(elements[len(_MANDATORY) - 1 :]))
    date = _COLON_DATE.match(work, start) if annexes else None
    if date is None:
        return texts, ()
    repair = repair_date(date[0].replace(":", "-"))
    fix = Fix(*date.span(), repair) if repair else None
    return texts, (Fault("LX214", "date", *date.span(), (quote_text(date[0]),), fix),)


LONGEST_NAME = 8192

_read_jurisdiction = cache_short(grammar.read_jurisdiction)
# The separator before a piece of each field, and the function that reads it.
_FIELDS = {
    "jurisdiction": ("", _read_jurisdiction),
    "authority": (":", cache_short(grammar.read_authority)),
    "measure": (":", cache_short(grammar.read_measure)),
    "details": (":", grammar.read_details),
    "annexes": (":", grammar.read_annex),
    "expression": ("@", grammar.read_expression),
    "manifestation": ("$", cache_short(grammar.read_manifestation)),
    "partition": ("~", grammar.read_partition),
}


class ParsedText(NamedTuple):
    """Result of reading a text.

    Attributes:
        canonical: the canonical text, if the name is valid.
        faults: the faults, with offsets in the text.
        components: the r-, q- and f-components.
        pieces: the field and the canonical text of each readable piece.
    """

    canonical: str
    faults: tuple[Fault, ...] = ()
    components: Components = NO_COMPONENTS
    pieces: tuple[tuple[str, str], ...] = ()

    def list_errors(self, reading: Reading) -> list[Fault]:
        """List the faults that are errors in a reading."""
        errors = load_errors(reading)
        return [fault for fault in self.faults if fault.code in errors]

    def list_others(self, reading: Reading) -> list[Fault]:
        """List the faults that are not errors in a reading."""
        errors = load_errors(reading)
        return [fault for fault in self.faults if fault.code not in errors]

    def write(self) -> str:
        """Write the canonical text with its r-, q- and f-components."""
        given = self.components
        marked = (("?+", given.r), ("?=", given.q), ("#", given.f))
        return self.canonical + "".join(mark + text for mark, text in marked if text is not None)

    def make_parts(self) -> Parts:
        """Make the parts of the readable pieces."""
        from lexurn.name.values import make_parts  # noqa: PLC0415 - few names are taken apart

        texts = defaultdict(str, self.pieces)
        annexes = [text for field, text in self.pieces if field == "annexes"]
        code, authority, measure, details = (texts[field] for field in _MANDATORY)
        expression, manifestation, partition = (texts[field] for field in _OPTIONAL)
        return make_parts(
            (code, authority, measure, details, annexes, expression, manifestation, partition),
            self.components,
        )


def parse_text(text: str) -> ParsedText:
    """Parse any text."""
    return ParsedText(text) if is_clean(text) else parse_unclean(text)


def is_clean(text: str) -> bool:
    """Return whether a text is a name in canonical form without any fault."""
    match = grammar.compile_clean()(text) if len(text) <= LONGEST_NAME else None
    if not match:
        return False
    code, tag = match["jurisdiction"], match["language"]
    return not (_read_jurisdiction(code).faults or (tag and grammar.read_language(tag).faults))


def parse_unclean(text: str) -> ParsedText:
    """Parse a text that is not clean; a text that is too long is not read."""
    if len(text) > LONGEST_NAME:
        return _limit_length(text, ParsedText(""))
    return _limit_length(text, read_pieces(cut_name(text)))


def parse_pieces(pieces: Pieces) -> tuple[str, ParsedText]:
    """Join pieces and parse them, with the text; a separator inside a piece is an error."""
    texts = (_FIELDS[field][0] + text for field, text in pieces.texts)
    text = NAME_PREFIX + "".join(texts)
    return text, _limit_length(text, read_pieces(pieces))


def _limit_length(text: str, parsed: ParsedText) -> ParsedText:
    """Add a fault if the text or its canonical form is too long."""
    length = max(len(text), len(parsed.canonical))
    if length <= LONGEST_NAME:
        return parsed
    fault = Fault("LX103", "nid", 0, len(text), (f"{length:,}", f"{LONGEST_NAME:,}"))
    return parsed._replace(faults=(*parsed.faults, fault))


def read_pieces(pieces: Pieces) -> ParsedText:
    """Read every piece of a name, up to details without numbers."""
    readable: list[tuple[str, str]] = []
    texts = [NAME_PREFIX]
    faults = list(pieces.faults)
    start = len(NAME_PREFIX)
    is_complete = False
    for field, text in pieces.texts:
        separator, read = _FIELDS[field]
        canonical, found = read(text)
        texts += (separator, canonical)
        if not found:
            readable.append((field, canonical))
        else:
            if not any(map(is_fatal, found)):
                readable.append((field, canonical))
            faults += shift_faults(found, start)
        if field == "details":
            is_complete = ";" in text
            if not is_complete:
                break
        start += len(text) + 1
    if not is_complete:
        # Elements are missing: faults after the first error are its consequences.
        first = min((each for each in faults if is_fatal(each)), key=lambda fault: fault.start)
        others = (each for each in faults if each.end <= first.start and not is_fatal(each))
        faults = [first, *others]
    return ParsedText("".join(texts), tuple(faults), pieces.components, tuple(readable))


_MAX_ROUNDS = 4
_WHITE_SPACE = compile_late(r"[ \t\r\n]+")
# The partition of LexML Brasil (``!art5_par2``), where section 5.8 has "~".
_LEXML_PARTITION = compile_late(r"([^!~?#]+)!([a-z]{3}[0-9]*(?:[_;.-][a-z]{3}[0-9]*)*)")


def suggest_repairs(
    text: str, parsed: ParsedText, reading: Reading
) -> Callable[[Fault], str | None]:
    """Return a function from a fault of a text to the repaired name, or None.

    For an error it gives the name with all errors repaired, for a warning the name with everything
    repaired. A repaired name is always valid, and never gets the same warning again.

    Args:
        text: the text.
        parsed: its parts and faults.
        reading: the rules by which a fault is an error.
    """
    errors = parsed.list_errors(reading)
    valid = _repair_errors(text, parsed, reading) if errors else (text, parsed)
    improved = None
    if valid and any(fault.fix for fault in parsed.list_others(reading)):
        repaired, improved = valid
        for _ in range(_MAX_ROUNDS):
            before, repaired = repaired, _apply_fixes(repaired, improved.list_others(reading))
            if repaired == before:
                break
            improved = parse_text(repaired)
            if improved.list_errors(reading):
                improved = None
                break
    remaining = {fault.code for fault in improved.list_others(reading)} if improved else set()

    def suggest(fault: Fault) -> str | None:
        if fault in errors:
            return valid and valid[1].write()
        if fault.fix is None or improved is None or fault.code in remaining:
            return None
        return improved.write()

    return suggest


def _repair_errors(
    text: str, parsed: ParsedText, reading: Reading
) -> tuple[str, ParsedText] | None:
    """Repair the errors of a text, in rounds, since one repair may uncover another error.

    Outer white space and line breaks are dropped, and ``~`` is written for the ``!`` of LexML
    Brasil.
    """
    for _ in range(_MAX_ROUNDS):
        repaired = _WHITE_SPACE.sub(
            lambda white: white[0] if {"\n", "\r"}.isdisjoint(white[0]) else "", text.strip()
        )
        if match := _LEXML_PARTITION.fullmatch(repaired):
            repaired = f"{match[1]}~{match[2]}"
        if repaired == text:
            errors = parsed.list_errors(reading)
            if any(fault.fix is None for fault in errors):
                return None
            repaired = _apply_fixes(text, errors)
        text, parsed = repaired, parse_text(repaired)
        if not parsed.list_errors(reading):
            return text, parsed
    return None


def _apply_fixes(text: str, faults: Iterable[Fault]) -> str:
    """Make the repairs in a text; of two that overlap, the first one."""
    fixes = {fault.fix for fault in faults if fault.fix is not None}
    pieces, at = [], 0
    for fix in sorted(fixes, key=lambda fix: (fix.start, -fix.end)):
        if fix.start >= at:
            pieces += [text[at : fix.start], fix.text]
            at = fix.end
    return "".join((*pieces, text[at:]))
