"""Entries: authorities, measures, units and words of the registry as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

#: Where the registry's IRIs begin.
REGISTRY_BASE = "https://w3id.org/lexurn/registry/"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Label:
    """Label of a concept in one language.

    Attributes:
        text: the text of the label.
        language: its language tag, lower case; ``""`` for none.
    """

    text: str
    language: str


class Kind(StrEnum):
    """Kind of an entry; the value is the last part of the IRI of its scheme."""

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
        """Singular of the kind, for people: ``authority``."""
        return self.name.lower()

    @property
    def is_law(self) -> bool:
        """True for the law of a jurisdiction, False for the words of a language."""
        return self in LAW_KINDS


#: Kinds of a jurisdiction's law; all others are words of a language.
LAW_KINDS = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT, Kind.CONVENTION)
WORD_KINDS = tuple(kind for kind in Kind if kind not in LAW_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Entry of the law of a jurisdiction or of the words of a language.

    Attributes:
        kind: its kind.
        iri: its IRI.
        scope: its jurisdiction-code or language.
        notation: its form in names (RFC 9676 section 3); the number of an ordinal, month and the
            like, the replacement of a fold, the key of a format.
        labels: its full names, sorted.
        forms: other full spellings, sorted.
        abbreviations: abbreviations and acronyms, sorted.
        issuer: the notation of the authority of a measure, if none is given.
        body: the notation of the body that a type of measure adds to its issuer.
        titled: True if the specification of a measure comes from its title (section 6.2.2).
        qualifies: the first words of the authorities that an adjective repeats.
        numbering: the numbering of a partition: ``arabic``, ``roman``, ``letter``, ``ordinal``.
        name: the full name of the one act that the entry stands for.
        broader: the IRI of the unit that contains a unit.
        valid_from: the first day of its existence, ``YYYY-MM-DD``.
        valid_until: the first day after its existence.
        obsolete: True if it is closed for new names, but kept for old ones (section 2.2).
        replaced_by: the notation of its replacement.
        sources: the sources of the entry, sorted.
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
        """First name that uses it, or None."""
        return self.examples[0] if self.examples else None

    @property
    def texts(self) -> tuple[str, ...]:
        """Labels, forms and abbreviations, in this order."""
        listed = (*self.labels, *self.forms, *self.abbreviations)
        return tuple(dict.fromkeys(each.text for each in listed))

    @property
    def spellings(self) -> tuple[str, ...]:
        """Texts that find it: `texts`, but not the expansion of an abbreviation."""
        if self.kind is not Kind.ABBREVIATION:
            return self.texts
        return tuple(dict.fromkeys(each.text for each in (*self.forms, *self.abbreviations)))

    def label_in(self, language: str) -> str | None:
        """Return its first label in a language (a tag, or its primary subtag), or None."""
        primary = language.partition("-")[0]
        for wanted in (language, primary):
            for each in self.labels:
                if each.language == wanted or each.language.partition("-")[0] == wanted:
                    return each.text
        return None

    def valid_on(self, day: str) -> bool:
        """Return whether it existed on a day, ``YYYY-MM-DD``; unknown limits are open."""
        started = self.valid_from is None or self.valid_from <= day
        return started and (self.valid_until is None or day < self.valid_until)


def make_scheme_iri(kind: Kind, scope: str) -> str:
    """Make the IRI of the scheme for the entries of a kind."""
    words = "" if kind in LAW_KINDS else "words/"
    return f"{REGISTRY_BASE}{words}{scope}/{kind.value}"


def read_scheme_iri(scheme: str) -> tuple[Kind, str] | None:
    """Read kind and scope from the IRI of a scheme; return None for any other IRI."""
    parts = (
        scheme.removeprefix(REGISTRY_BASE).split("/") if scheme.startswith(REGISTRY_BASE) else []
    )
    words = len(parts) == 3 and parts[0] == "words"  # noqa: PLR2004 - words/<language>/<kind>
    scope, last = parts[-2:] if len(parts) == (3 if words else 2) else ("", "")
    kind = _KIND_BY_NAME.get(last)
    if kind is None or not scope or words is (kind in LAW_KINDS):
        return None
    return kind, scope


_KIND_BY_NAME = {kind.value: kind for kind in Kind}


def get_table_name(kind: Kind, scope: str) -> str:
    """Return the name of the compiled table with the entries of a kind: ``law/it``."""
    if kind is Kind.UNIT:
        return f"units/{scope}"
    return f"{'law' if kind in LAW_KINDS else 'words'}/{scope}"
