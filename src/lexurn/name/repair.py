"""Suggestions: a whole name with all certain repairs made, checked by the same reading again.

An error gets the name with the errors repaired, a warning the name with everything repaired. A
suggestion is always valid, and never gets the same warning again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.name.characters import Fault
    from lexurn.name.parser import ParsedText, Reading

    Parser = Callable[[str], ParsedText]

_MAX_ROUNDS = 4
_WHITE_SPACE = re.compile(r"[ \t\r\n]+")
# The partition of LexML Brasil (``!art5_par2``), where section 5.8 has "~".
_LEXML_PARTITION = re.compile(r"([^!~?#]+)!([a-z]{3}[0-9]*(?:[_;.-][a-z]{3}[0-9]*)*)")


def suggest_repairs(
    text: str, parsed: ParsedText, reading: Reading, parse: Parser
) -> Callable[[Fault], str | None]:
    """Return a function that gives the suggestion for each fault of a text."""
    errors = frozenset(parsed.list_errors(reading))
    valid = _repair_errors(text, parsed, reading, parse) if errors else (text, parsed)
    improved = None
    if valid and parsed.list_others(reading):
        improved = _repair_warnings(*valid, reading, parse)
    remaining = {fault.code for fault in (improved or parsed).list_others(reading)}

    def suggest(fault: Fault) -> str | None:
        if fault in errors:
            return valid and valid[1].write()
        if fault.fix is None or improved is None or fault.code in remaining:
            return None
        return improved.write()

    return suggest


def _repair_errors(
    text: str, parsed: ParsedText, reading: Reading, parse: Parser
) -> tuple[str, ParsedText] | None:
    """Repair the errors of a text, in rounds, since one repair may uncover another error."""
    for _ in range(_MAX_ROUNDS):
        repaired = _clean_text(text)
        if repaired == text:
            errors = parsed.list_errors(reading)
            if any(fault.fix is None for fault in errors):
                return None
            repaired = _apply_fixes(text, errors)
        text, parsed = repaired, parse(repaired)
        if not parsed.list_errors(reading):
            return text, parsed
    return None


def _repair_warnings(
    text: str, parsed: ParsedText, reading: Reading, parse: Parser
) -> ParsedText | None:
    """Repair all warnings of a valid text that can be repaired."""
    for _ in range(_MAX_ROUNDS):
        repaired = _apply_fixes(text, parsed.list_others(reading))
        if repaired == text:
            break
        text, parsed = repaired, parse(repaired)
        if parsed.list_errors(reading):
            return None
    return parsed


def _clean_text(text: str) -> str:
    """Drop outer white space and line breaks, and write ``~`` for the ``!`` of LexML Brasil."""
    text = _WHITE_SPACE.sub(
        lambda white: white[0] if {"\n", "\r"}.isdisjoint(white[0]) else "", text.strip()
    )
    match = _LEXML_PARTITION.fullmatch(text)
    return f"{match[1]}~{match[2]}" if match else text


def _apply_fixes(text: str, faults: Iterable[Fault]) -> str:
    """Make the repairs in a text; of two that overlap, the first one."""
    fixes = {fault.fix for fault in faults if fault.fix is not None}
    pieces, at = [], 0
    for fix in sorted(fixes, key=lambda fix: (fix.start, -fix.end)):
        if fix.start >= at:
            pieces += [text[at : fix.start], fix.text]
            at = fix.end
    return "".join((*pieces, text[at:]))
