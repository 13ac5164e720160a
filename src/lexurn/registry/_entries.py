"""The entries of the registry as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.registry._concepts import BASE

if TYPE_CHECKING:
    from lexurn.registry._concepts import Label

__all__ = ["LAW_KINDS", "WORD_KINDS", "Entry", "Kind", "kind_of_scheme", "scheme_of", "table_of"]


class Kind(StrEnum):
    """What an entry is; the value is the last part of its scheme's IRI."""

    AUTHORITY = "authorities"
    BODY = "bodies"
    MEASURE = "measures"
    UNIT = "units"
    CONVENTION = "conventions"
    CONNECTIVE = "connectives"
    ORDINAL = "ordinals"
    CARDINAL = "cardinals"
    MONTH = "months"
    WEEKDAY = "weekdays"
    DATEWORD = "datewords"
    MARKER = "markers"
    ABBREVIATION = "abbreviations"
    QUALIFIER = "qualifiers"
    ANNEX = "annexes"
    PARTITION = "partitions"
    FOLD = "folds"
    FORMAT = "formats"

    @property
    def word(self) -> str:
        """The kind in the singular, for people: ``authority``."""
        return self.name.lower()

    @property
    def is_law(self) -> bool:
        """Whether it belongs to a jurisdiction's law, not to the words of a language."""
        return self in LAW_KINDS


#: Kinds of a jurisdiction's law; all others are words of a language.
LAW_KINDS = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT, Kind.CONVENTION)
WORD_KINDS = tuple(kind for kind in Kind if kind not in LAW_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a jurisdiction's law or of a language's words.

    Attributes:
        kind: what it is.
        iri: its IRI.
        scope: the jurisdiction-code, or the language, that it belongs to.
        notation: how names have it (RFC 9676 section 3); of an ordinal, month or the like its
            number, of a fold what the letter becomes, of a format its key.
        labels: its full names, sorted.
        forms: other full spellings, sorted.
        abbreviations: abbreviations and acronyms, sorted.
        issuer: notation of the authority that a measure belongs to where none is given.
        body: notation of the body that a type of measure adds to its issuer.
        titled: whether the measure's specification comes from the title (RFC 9676 section 6.2.2).
        qualifies: first words of the authorities that an adjective only repeats.
        numbering: how a partition is numbered: ``arabic``, ``roman``, ``letter``, ``ordinal``.
        name: the full name of the one act that the entry stands for.
        broader: IRI of the unit that a unit is part of.
        valid_from: the first day on which it was, ``YYYY-MM-DD``.
        valid_until: the first day on which it was no more.
        obsolete: closed for new names, kept for old ones (RFC 9676 section 2.2).
        replaced_by: notation of what stands in its place.
        sources: where the entry comes from, sorted.
        examples: whole names that use it, sorted.
    """

    kind: Kind
    iri: str
    scope: str
    notation: str
    labels: tuple[Label, ...] = ()
    forms: tuple[Label, ...] = ()
    abbreviations: tuple[Label, ...] = ()
    issuer: str | None = None
    body: str | None = None
    titled: bool = False
    qualifies: tuple[str, ...] = ()
    numbering: str | None = None
    name: str | None = None
    broader: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    obsolete: bool = False
    replaced_by: str | None = None
    sources: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def example(self) -> str | None:
        """The first name that uses it, or None."""
        return self.examples[0] if self.examples else None

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything it is called: labels, forms, abbreviations, in this order."""
        listed = (*self.labels, *self.forms, *self.abbreviations)
        return tuple(dict.fromkeys(each.text for each in listed))

    @property
    def spellings(self) -> tuple[str, ...]:
        """What it is looked up by: as `texts`, of an abbreviation without its expansion."""
        if self.kind is not Kind.ABBREVIATION:
            return self.texts
        return tuple(dict.fromkeys(each.text for each in (*self.forms, *self.abbreviations)))

    def label_in(self, language: str) -> str | None:
        """Its first label in a language (a tag, or its primary subtag), or None."""
        primary = language.partition("-")[0]
        for wanted in (language, primary):
            for each in self.labels:
                if each.language == wanted or each.language.partition("-")[0] == wanted:
                    return each.text
        return None

    def valid_on(self, day: str) -> bool:
        """Whether it was there on a day, ``YYYY-MM-DD``; ends that are not known are open."""
        started = self.valid_from is None or self.valid_from <= day
        return started and (self.valid_until is None or day < self.valid_until)


def scheme_of(kind: Kind, scope: str) -> str:
    """The IRI of the scheme that holds the entries of a kind."""
    words = "" if kind in LAW_KINDS else "words/"
    return f"{BASE}{words}{scope}/{kind.value}"


def kind_of_scheme(scheme: str) -> tuple[Kind, str] | None:
    """The kind and the scope that a scheme's IRI says, or None for another scheme."""
    parts = scheme.removeprefix(BASE).split("/") if scheme.startswith(BASE) else []
    words = len(parts) == 3 and parts[0] == "words"  # noqa: PLR2004 - words/<language>/<kind>
    scope, last = parts[-2:] if len(parts) == (3 if words else 2) else ("", "")
    kind = _KINDS.get(last)
    if kind is None or not scope or words is (kind in LAW_KINDS):
        return None
    return kind, scope


_KINDS = {kind.value: kind for kind in Kind}


def table_of(kind: Kind, scope: str) -> str:
    """The name of the compiled table that holds the entries of a kind: ``law/it``."""
    if kind is Kind.UNIT:
        return f"units/{scope}"
    return f"{'law' if kind in LAW_KINDS else 'words'}/{scope}"
