"""Results: the outcome of a change of a file, and the metadata read from one, also as JSON.

``ontology/extraction.schema.json`` describes the JSON of an extraction.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lexurn.documents.terms import abbreviate_term

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.documents.document import Notation
    from lexurn.findings import Finding
    from lexurn.model import LanguageText, LegalForce
    from lexurn.name import Name


class OutcomeStatus(StrEnum):
    """Result for a file, or its preview."""

    EMBEDDED = "embedded"
    REMOVED = "removed"
    SIDECAR = "sidecar"
    """The sidecar was written or deleted."""
    UNCHANGED = "unchanged"
    """No change was necessary."""
    REFUSED = "refused"
    """Nothing was changed; a finding gives the reason."""
    ABSENT = "absent"
    """A row names a file that does not exist."""
    UNNAMED = "unnamed"
    """No row names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a change of a file.

    Attributes:
        file: its path as given, or relative to the folder, with ``/``.
        name: the name to embed; None for removals and files without a row.
        format: the key of its format; None for files that cannot contain a name.
        status: the result.
        is_written: whether anything was written.
        findings: errors, warnings and notes.
        diff: the changes, if requested: a unified diff of texts, in their own bytes, which
            ``patch`` can apply; a description of the changes of other files.
    """

    file: str
    name: Name | None = None
    format: str | None = None
    status: OutcomeStatus
    is_written: bool = False
    findings: tuple[Finding, ...] = ()
    diff: bytes = b""

    @property
    def is_good(self) -> bool:
        """True if there is no error."""
        return not any(each.is_error for each in self.findings)


def outcome_to_json(outcome: Outcome) -> str:
    """Return an outcome as one line of JSON; the order of the keys is fixed."""
    return json.dumps(
        {
            "file": outcome.file,
            "name": _text_or_none(outcome.name),
            "format": outcome.format,
            "done": outcome.status,
            "written": outcome.is_written,
            "findings": [
                {key: value for key, value in found.items() if key not in {"start", "end"}}
                for found in map(_finding_to_json, outcome.findings)
            ],
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """Occurrence of a statement in a document.

    Attributes:
        notation: the notation.
        term: the IRI of the property.
        line: the line, from 1; 0 where there are no lines.
        is_embedded: whether it is in a block that lexurn wrote.
    """

    notation: Notation
    term: str
    line: int
    is_embedded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundName:
    """Name that a document states for itself.

    Attributes:
        name: the name by RFC 9676.
        spellings: its spellings in other dialects.
        occurrences: all occurrences of the name.
    """

    name: Name
    spellings: tuple[str, ...] = ()
    occurrences: tuple[Occurrence, ...]

    @property
    def is_embedded(self) -> bool:
        """True if lexurn wrote one of its occurrences."""
        return any(each.is_embedded for each in self.occurrences)

    @property
    def notations(self) -> frozenset[Notation]:
        """Notations of its occurrences."""
        return frozenset(each.notation for each in self.occurrences)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelation:
    """Relation of a document to another one.

    Attributes:
        kind: ``isVersionOf``, ``first``, ``previous``, ``sameAs``, ...
        target: the name or IRI of the other document, as written.
        name: its LEX name, or None.
        occurrences: all occurrences of the statement.
    """

    kind: str
    target: str
    name: Name | None
    occurrences: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIdentifier:
    """Other identifier of a document.

    Attributes:
        scheme: ``eli``, ``ecli``, ``celex``, ``doi``, ``isbn``, ``akn``, ``http``, ``urn``,
            ``other``.
        value: the identifier as written.
        occurrences: all occurrences of the statement.
    """

    scheme: str
    value: str
    occurrences: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Metadata read from a document.

    Attributes:
        file: its path or name.
        format: the key of its format; None where it could not be read.
        name: its name, None without one; of several the one that lexurn wrote, else the most
            specific one.
        names: all its names, that one first.
        relations: its relations to other documents.
        identifiers: its other identifiers.
        titles: its titles, each with its language.
        languages: its languages (BCP 47).
        issued: the day of issue.
        published: the day of publication.
        modified: the day of the last change.
        in_force_from: the first day in force.
        in_force_until: the first day no longer in force, as in a manifest.
        force: its state of force, without a day: that of the day on which it was written.
        publishers: IRIs or texts.
        creators: IRIs or texts.
        subjects: IRIs or texts.
        licenses: IRIs.
        urls: the URLs of its copies.
        findings: errors, warnings and notes.
    """

    file: str
    format: str | None
    name: Name | None = None
    names: tuple[FoundName, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    identifiers: tuple[FoundIdentifier, ...] = ()
    titles: tuple[LanguageText, ...] = ()
    languages: tuple[str, ...] = ()
    issued: dt.date | None = None
    published: dt.date | None = None
    modified: dt.date | None = None
    in_force_from: dt.date | None = None
    in_force_until: dt.date | None = None
    force: LegalForce | None = None
    publishers: tuple[str, ...] = ()
    creators: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    licenses: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def is_good(self) -> bool:
        """True if there is no error."""
        return not any(each.is_error for each in self.findings)

    def named(self, kind: str) -> tuple[Name, ...]:
        """Return the names to which it has relations of a kind."""
        found = (each.name for each in self.relations if each.kind == kind)
        return tuple(dict.fromkeys(name for name in found if name is not None))


def extraction_to_json(extraction: Extraction) -> dict[str, Any]:
    """Return an extraction for JSON: absent values are null, lists are never null."""
    name = extraction.name
    expression = None if name is None else name.expression
    values = ("issued", "published", "modified", "in_force_from", "in_force_until", "force")
    lists = ("publishers", "creators", "subjects", "licenses", "urls")
    return {
        "file": extraction.file,
        "format": extraction.format,
        "name": _text_or_none(name),
        "level": None if name is None else str(name.level),
        "version": None if expression is None else str(expression.version),
        "names": [
            {
                "name": str(each.name),
                "level": str(each.name.level),
                "ours": each.is_embedded,
                "spellings": list(each.spellings),
                "said": _occurrences_to_json(each),
            }
            for each in extraction.names
        ],
        "relations": [
            {
                "kind": each.kind,
                "target": each.target,
                "name": _text_or_none(each.name),
                "said": _occurrences_to_json(each),
            }
            for each in extraction.relations
        ],
        "identifiers": [
            {"scheme": each.scheme, "value": each.value, "said": _occurrences_to_json(each)}
            for each in extraction.identifiers
        ],
        "titles": [{"value": each.value, "language": each.language} for each in extraction.titles],
        "languages": list(extraction.languages),
        **{key: _text_or_none(getattr(extraction, key)) for key in values},
        **{key: list(getattr(extraction, key)) for key in lists},
        "findings": [_finding_to_json(each) for each in extraction.findings],
    }


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _occurrences_to_json(found: FoundName | FoundRelation | FoundIdentifier) -> list[Any]:
    return [
        {
            "way": str(each.notation),
            "term": abbreviate_term(each.term),
            "line": each.line or None,
            "ours": each.is_embedded,
        }
        for each in found.occurrences
    ]


def _finding_to_json(found: Finding) -> dict[str, Any]:
    keys = ("code", "severity", "line", "text", "start", "end", "message", "rule", "suggestion")
    values = {key: getattr(found, key) for key in keys}
    return values | {"line": found.line or None, "text": found.text or None}
