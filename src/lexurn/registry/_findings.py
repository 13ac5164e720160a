"""What is said of a file of the registry: findings, each with its code, its rule and its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lexurn.name import Severity

__all__ = ["CODES", "RegistryFinding", "finding"]

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
_TURTLE = "RDF 1.1 Turtle"
_SKOS = "SKOS Reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryFinding:
    """One thing to know about a file of the registry: what, where, by which rule, what to do.

    Attributes:
        code: ``LX9`` and two digits, stable; one code has one severity.
        severity: error, warning or note; with an error the file is not used.
        file: the file.
        line: the line in the file, from 1.
        message: what is wrong and what to do, for people.
        rule: the rule, for example ``RFC 9676 §2.2``.
        suggestion: what could be written instead, or None.
    """

    code: str
    severity: Severity
    file: str
    line: int
    message: str
    rule: str
    suggestion: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether it keeps the file from being used."""
        return self.severity is Severity.ERROR


class _Code(NamedTuple):
    severity: Severity
    rule: str
    message: str


#: Every code with its weight, its rule and its words.
CODES = {
    "LX901": _Code(_ERROR, _TURTLE, "the file cannot be read: {}"),
    "LX902": _Code(_ERROR, _TURTLE, "this is not Turtle: {}"),
    "LX903": _Code(_ERROR, "ontology/registry.ttl", "the registry knows no property {}"),
    "LX904": _Code(_ERROR, _SKOS, "{} is in no scheme of the registry: write skos:inScheme {}"),
    "LX905": _Code(_ERROR, "RFC 9676 §2.2", "{} has no notation: write skos:notation"),
    "LX906": _Code(_ERROR, _SKOS, "{} has no label: write skos:prefLabel with a language"),
    "LX907": _Code(_WARNING, "RFC 9676 §2.2", "{} names no source: write dcterms:source"),
    "LX908": _Code(_ERROR, "RFC 9676 §8", "{} cannot stand in a name as {}: {}"),
    "LX909": _Code(
        _ERROR,
        "RFC 9676 §2.2",
        "{} is known as {} and cannot become {}: mark it owl:deprecated, and add a new entry",
    ),
    "LX910": _Code(
        _ERROR,
        "RFC 9676 §2.2",
        "{} was in {} and is deleted: a code stays; mark it owl:deprecated instead",
    ),
    "LX911": _Code(_ERROR, "RFC 9676 §2.2", "{} is replaced by {}, which nothing knows"),
    "LX912": _Code(_ERROR, "RFC 9676 §2.2", "replacements run in a circle: {}"),
    "LX913": _Code(_ERROR, _SKOS, "{} has {} values of {} ({}): keep one"),
    "LX914": _Code(_WARNING, "RFC 9676 §3.5", "{} is ambiguous: it stands for {}"),
    "LX915": _Code(_ERROR, "RFC 9676 §3.6", "{} is no day: write YYYY-MM-DD"),
    "LX916": _Code(_ERROR, "RFC 9676 §3.6", "{} starts on {} and ends on {}"),
    "LX917": _Code(_ERROR, "RFC 9676 §8", "the name {} is not good: {}"),
    "LX918": _Code(_ERROR, "RFC 9676 §6", "the example {} does not hold {} as {}"),
    "LX919": _Code(
        _ERROR, "RFC 9676 §3.4", "{} holds the character {}, which nobody sees: take it out"
    ),
    "LX920": _Code(_ERROR, "RFC 9676 §6.1", "no authority of {} is known as {}"),
    "LX921": _Code(_ERROR, _SKOS, "{} has no IRI of its own"),
    "LX922": _Code(_NOTE, "RFC 9676 §2.2", "{} is no jurisdiction-code that is known"),
    "LX923": _Code(_WARNING, "RFC 9676 §4.1", "{} has no letter or digit to be found by"),
    "LX924": _Code(_NOTE, "RFC 9676 §3.5", "{} now stands for {}, no longer for {}"),
    "LX925": _Code(_ERROR, "RFC 9676 §2.1", "the unit {} is part of {}, which nothing knows"),
    "LX926": _Code(_ERROR, "ontology/registry.ttl", "{} cannot be used: {}"),
    "LX927": _Code(_ERROR, "BCP 47", "{} has no language: write it behind the text, as in {}"),
    "LX929": _Code(_ERROR, "RFC 9676 §2.2", "{} is there already and says otherwise: edit it"),
    "LX928": _Code(_ERROR, "RFC 9676 §2.2", "{} contradicts {}: {} has {} of {}"),
}


def finding(
    code: str, file: str, line: int, *values: object, suggestion: str | None = None
) -> RegistryFinding:
    """The finding of a code, its words filled with values."""
    known = CODES[code]
    return RegistryFinding(
        code=code,
        severity=known.severity,
        file=file,
        line=line,
        message=known.message.format(*values),
        rule=known.rule,
        suggestion=suggestion,
    )
