"""What minting says of whole fields and of fields that do not go together: code, weight, rule."""

from __future__ import annotations

from typing import NamedTuple

from lexurn.minting._steps import MintFinding
from lexurn.name import Severity

__all__ = ["CODES", "Code", "finding"]

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Code(NamedTuple):
    """What a code stands for.

    Attributes:
        severity: its weight.
        rule: the rule behind it.
        message: what is wrong and what to do; ``{value}`` is what was given.
    """

    severity: Severity
    rule: str
    message: str


_METADATA = "lexurn: fields of metadata"

#: The codes of whole fields; those of words and numbers and of dates stand with what reads them.
CODES = {
    "LX700": Code(_ERROR, _METADATA, 'there is no field "{value}"; rename it or leave it out'),
    "LX701": Code(_ERROR, _METADATA, "this field holds {value}; it must hold {expected}"),
    "LX702": Code(
        _ERROR,
        "RFC 9676 §5.4",
        "a name needs this field, and nothing else that was given says it; fill it in",
    ),
    "LX703": Code(
        _ERROR, _METADATA, 'this field and "{value}" say the same thing twice; leave one out'
    ),
    "LX704": Code(
        _NOTE,
        "RFC 9676 §3.4",
        'no words of "{value}" are registered: connectives, ordinals and abbreviations stay as they'
        " are; add them with a registry file",
    ),
    "LX705": Code(
        _NOTE,
        "RFC 9676 §4.1",
        "the language of the words is not said and {value} has several; they are read as"
        ' "{expected}"; say "language" if that is wrong',
    ),
    "LX706": Code(
        _ERROR,
        _METADATA,
        "this field has {value} characters, and no name needs more than {expected}; shorten it",
    ),
    "LX707": Code(
        _WARNING,
        "RFC 9676 §2.2",
        '"{value}" is closed for new names in the registry; {expected}',
    ),
    "LX708": Code(
        _WARNING,
        "RFC 9676 §6.1",
        '"{value}" is registered for {expected}, which does not hold the date of this act',
    ),
    "LX760": Code(
        _ERROR,
        "RFC 9676 §6.1",
        'the measure "{value}" belongs to {expected}, and the issuer that was given is another; '
        "correct one of them",
    ),
    "LX761": Code(
        _ERROR,
        "RFC 9676 §5.6",
        '"{value}" stands behind a version only; give "version" too (for example the word for '
        "original)",
    ),
    "LX762": Code(_ERROR, "RFC 9676 §5.7", '"{value}" is not a domain name, such as parlamento.it'),
    "LX763": Code(
        _ERROR, "RFC 9676 §5.7", '"{value}" is not a media type, such as application/pdf'
    ),
    "LX764": Code(
        _ERROR,
        "RFC 9676 §5.7",
        'a manifestation needs an editor (a domain name) and a format (a media type); "{value}" is'
        " absent",
    ),
    "LX765": Code(
        _ERROR,
        "RFC 9676 §5.8",
        '"{value}" is not understood as a part of a document; write its id, such as art3;par2',
    ),
    "LX766": Code(
        _ERROR,
        "RFC 9676 §6.3.3",
        "{value} is not the N of a lex-N number; give a whole number from 1, or true to have the "
        "next free one",
    ),
    "LX767": Code(
        _ERROR,
        "RFC 9676 §3.6",
        "there are {value} local dates for {expected} dates; give one for each",
    ),
    "LX768": Code(_ERROR, "{rule}", "the name that these words make is not valid: {value}"),
    "LX769": Code(
        _NOTE,
        "RFC 9676 §6.2.2",
        'a "{value}" is usually told from others by its subject; the title does not say it in a way'
        " that could be read",
    ),
    "LX770": Code(_ERROR, "RFC 9676 §9.3", "{value} is taken already"),
    "LX776": Code(
        _WARNING,
        "RFC 9676 §9.3",
        "{value} is a name of its own, but {other} is taken and differs only in how its number is"
        " written; if they are one act, use that name",
    ),
    "LX771": Code(
        _ERROR,
        "RFC 9676 §7.1.2",
        '"{value}" cannot stand as a version: give a date, the word for original, or a word for'
        " the phase",
    ),
    "LX772": Code(
        _ERROR,
        "RFC 9676 §2.1",
        '"{value}" is not a jurisdiction-code; give the code, such as it, br or eu, and the units '
        'of a state behind ";"',
    ),
    "LX774": Code(
        _WARNING,
        "RFC 9676 §2.1",
        'nothing says whose act it is, and every unit has such acts; "{value}" stands, as no unit'
        " is given: say the authority if that is right, else the unit",
    ),
    "LX775": Code(
        _WARNING,
        "RFC 9676 §6.2.1",
        '"{value}" says that it is an act of {expected}, and the issuer that was given is'
        ' "{given}"; correct one of them, or the name says what the act is not',
    ),
    "LX773": Code(
        _ERROR,
        "RFC 9676 §2.1",
        '"{value}" stands in every unit of the jurisdiction; say in which one this act was issued',
    ),
}


def finding(
    code: str, field: str, text: str = "", *, suggestion: str | None = None, **values: str
) -> MintFinding:
    """The finding that a code makes of a whole field."""
    known = CODES[code]
    return MintFinding(
        code=code,
        severity=known.severity,
        field=field,
        text=text,
        start=0,
        end=len(text),
        message=known.message.format_map(values),
        rule=known.rule.format_map(values),
        suggestion=suggestion,
    )
