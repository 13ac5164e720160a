"""What a document says of itself in the terms of lexurn: names, relations, titles, dates, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Way
    from lexurn.model import LanguageText
    from lexurn.name import Name

__all__ = ["Extraction", "FoundIdentifier", "FoundName", "FoundRelation", "Said"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Where a document says something.

    Attributes:
        way: how.
        term: the IRI of what is said.
        line: the line, from 1; 0 where there are no lines.
        is_ours: whether it stands in a block that lexurn wrote.
    """

    way: Way
    term: str
    line: int
    is_ours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundName:
    """A name that a document says it has.

    Attributes:
        name: the name by RFC 9676.
        spellings: how it stands there in other dialects.
        said: each place where it stands.
    """

    name: Name
    spellings: tuple[str, ...] = ()
    said: tuple[Said, ...]

    @property
    def is_ours(self) -> bool:
        """Whether lexurn wrote it, be it besides others."""
        return any(each.is_ours for each in self.said)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelation:
    """What a document says it has to do with another one.

    Attributes:
        kind: ``isVersionOf``, ``first``, ``previous``, ``sameAs``, ...
        target: the name or the IRI of the other one, as it stands there.
        name: its LEX name, None where it has none that could be read.
        said: each place where it stands.
    """

    kind: str
    target: str
    name: Name | None
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIdentifier:
    """Another identifier that a document says it has.

    Attributes:
        scheme: ``eli``, ``ecli``, ``celex``, ``doi``, ``isbn``, ``akn``, ``http``, ``urn``,
            ``other``.
        value: the identifier as it stands there.
        said: each place where it stands.
    """

    scheme: str
    value: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All that was read out of a document.

    Attributes:
        file: its path or name.
        format: the key of its format; None where it could not be read.
        name: its name, None where it says none: of several the one that lexurn wrote, else the most
            particular one.
        names: all names that it says it has, that one first.
        relations: what it has to do with others.
        identifiers: what it is called otherwise.
        titles: its titles, each with its language.
        languages: its languages (BCP 47).
        issued: the day of issue.
        published: the day of publication.
        modified: the day of the last change.
        in_force_from: the first day in force.
        in_force_until: the first day no longer in force, as in a manifest.
        publishers: IRIs or texts.
        creators: IRIs or texts.
        subjects: IRIs or texts.
        licenses: IRIs.
        urls: where copies lie.
        findings: what is wrong with it, and what is worth knowing.
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
    publishers: tuple[str, ...] = ()
    creators: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    licenses: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    findings: tuple[DocumentFinding, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether it could be read, and nothing in it is an error."""
        return not any(each.severity == "error" for each in self.findings)

    def named(self, kind: str) -> tuple[Name, ...]:
        """The names that it has a relation of some kind to."""
        found = (each.name for each in self.relations if each.kind == kind)
        return tuple(dict.fromkeys(name for name in found if name is not None))
