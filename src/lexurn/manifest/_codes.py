"""Every finding about a row, as a table: its code, its weight, its rule, its words.

Names in braces are filled in where the fault is found. Findings on the names themselves keep the
codes of the room ``name``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn.name import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "Code"]

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Code(NamedTuple):
    """What a code stands for: how much it weighs, the rule, and a sentence for people."""

    severity: Severity
    rule: str
    message: str


CODES: Mapping[str, Code] = {
    # the row as a whole
    "LX501": Code(
        _ERROR, "RFC 3629", "byte {value} is no UTF-8 here; save the whole table as UTF-8"
    ),
    "LX502": Code(
        _ERROR, "text has no control characters", "{value} is no character of a text; take it out"
    ),
    "LX503": Code(
        _ERROR,
        "a row has {most:,} bytes at most",
        "longer than any row may be; is a quote or a line break missing?",
    ),
    "LX504": Code(
        _ERROR,
        "RFC 4180 §2",
        "the quote that opens here is not closed at the end of a cell; reading goes on in the next "
        "line",
    ),
    "LX505": Code(
        _ERROR,
        "RFC 4180 §2",
        "a quote stands amid a cell; put the whole cell in quotes and double the quotes in it",
    ),
    "LX506": Code(
        _ERROR,
        "RFC 4180 §2",
        "the row has {value} cells, the header {expected}; look for a comma or quote too many or "
        "too few",
    ),
    "LX507": Code(_ERROR, "RFC 8259 §2", "no JSON object ({value}); write one object a line"),
    "LX508": Code(_ERROR, "RFC 8259 §4", "the key stands twice in the object; keep one of the two"),
    "LX509": Code(_ERROR, "columns are known or mapped", "unknown column {value}"),
    "LX510": Code(
        _ERROR, "a value is a text", "{value} is no value for this column; write {expected}"
    ),
    # its cells
    "LX511": Code(_ERROR, "one row, one name", "the row has no name; fill in {value}"),
    "LX512": Code(
        _ERROR,
        "ISO 8601 (YYYY-MM-DD)",
        "{value} is no date; write year, month and day as in 2003-09-21",
    ),
    "LX513": Code(_ERROR, "a number has digits only", "{value} is no {expected}"),
    "LX514": Code(_ERROR, "RFC 9110 §4.2", "{value} is no absolute http or https URL"),
    "LX515": Code(
        _ERROR, "RFC 3987 §2.2", "{value} is no absolute IRI that a page can safely link to"
    ),
    "LX516": Code(
        _ERROR, "FIPS 180-4", "{value} is no SHA-256 digest; write its 64 hexadecimal digits"
    ),
    "LX517": Code(
        _ERROR,
        "one value for each copy",
        "{value} values for {expected} URLs; give one for each, in the same order",
    ),
    "LX518": Code(
        _ERROR, "one value for each copy", "{value} stands twice, with different bytes or sha256"
    ),
    "LX519": Code(
        _ERROR, "RFC 9676 §9.4", "{value} is no status; leave it empty or write withdrawn"
    ),
    "LX520": Code(
        _ERROR, "one value in this column", "a second value for {value}; keep one of the two"
    ),
    "LX521": Code(
        _WARNING,
        "RFC 8141 §3",
        "{value} is no part of a name and is left out; a part of a document is named behind ~",
    ),
    "LX522": Code(
        _WARNING,
        "Unicode §23.8",
        "U+FFFD stands where a character was lost before; look it up in the source",
    ),
    "LX523": Code(_WARNING, "{rule}", "{value}; {expected} is lost"),
    "LX525": Code(
        _ERROR,
        "RFC 9676 §9.4",
        "a manifest is read again and again, and the next free number would be another each time; "
        "mint the name once (lexurn mint --taken) and write it down",
    ),
    "LX524": Code(_NOTE, "{rule}", "{value}"),
    "LX526": Code(
        _ERROR,
        "a file lies below the folder",
        "{value} is no path below a folder; write it as in acts/1.html, from the folder down",
    ),
    # the row among the others
    "LX531": Code(_ERROR, "one row, one name", "{value} stands in {expected}; merge the two rows"),
    "LX532": Code(
        _ERROR,
        "RFC 9676 §5.5",
        "{value} is stated as an alias of another name in {expected}; an alias has one canonical "
        "name",
    ),
    "LX533": Code(
        _ERROR, "RFC 9676 §5.5", "the name is stated as an alias of itself; leave alias_of empty"
    ),
    "LX534": Code(
        _ERROR,
        "RFC 9676 §5.5",
        "{value} names a {expected}; an alias stands at the level of its canonical name",
    ),
    "LX535": Code(
        _ERROR, "RFC 9676 §5.5", "{value} is itself an alias, of {expected}; name that one instead"
    ),
    "LX536": Code(
        _ERROR,
        "RFC 9676 §5.5",
        "{value} is itself an alias, and leads back here; leave one of them canonical",
    ),
    "LX537": Code(
        _ERROR,
        "an alias set has {most:,} names at most",
        "the alias set of {value} has {expected:,} rows; take out the aliases that join so many",
    ),
    "LX538": Code(_ERROR, "the rows of a work agree", "{value}"),
}
"""By code; what stands in the table stays what it means."""
