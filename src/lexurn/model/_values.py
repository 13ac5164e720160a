"""What a publisher states of a named thing, and how named things belong together (RFC 9676 5.2).

A `Record` is one row of a manifest: one name and what is stated of it. A `Family` holds the
records of one alias set: the acts that are one work under several names, their annexes,
expressions, manifestations and partitions. Families share no name, so that each can be written and
checked alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.name import Name

__all__ = ["Item", "LanguageText", "Record", "Source", "Status"]


class Status(StrEnum):
    """The status of a name; names are never forgotten, only withdrawn (RFC 9676 section 9.4)."""

    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LanguageText:
    """A text and its language tag (BCP 47, lower case), None where none is given."""

    value: str
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Item:
    """One copy of a document: where it lies, and how it can be told that it is whole.

    Attributes:
        url: an absolute URL.
        bytes: its size.
        sha256: its SHA-256 digest, 64 lower-case hex digits.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a record was read: the manifest's file and the first line of the row, from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One named thing and what is stated of it (the columns of a manifest).

    Attributes:
        name: the name, at whatever level, with a partition or without.
        titles: titles, each with its language; sorted.
        alias_of: the canonical name of which ``name`` is an alias, at the same level.
        also_named: names of twins (treaties), weaker than aliases; sorted.
        dialect_names: its spellings in other syntaxes (LexML Brasil, NIR, drafts); sorted.
        issued: the day of issue.
        published: the day of publication.
        modified: the day of the last change to the record.
        in_force_from: the first day in force.
        in_force_until: the first day no longer in force (exclusive).
        amended_by: names of amending acts; sorted.
        version_order: the place in the chain where dates do not order.
        items: copies; sorted.
        files: paths of its copies below a folder of the publisher; sorted. They say into which
            files the name is put, and are no part of the graph.
        pages: landing pages about it, not copies; sorted.
        licenses: IRIs of licences; sorted.
        publishers: IRIs or texts; sorted.
        creators: IRIs or texts; sorted.
        subjects: IRIs or texts; sorted.
        status: ``withdrawn`` or None.
        withdrawn_on: the day of withdrawal.
        source: the manifest's file and line; no part of equality.
    """

    name: Name
    titles: tuple[LanguageText, ...] = ()
    alias_of: Name | None = None
    also_named: tuple[Name, ...] = ()
    dialect_names: tuple[str, ...] = ()
    issued: dt.date | None = None
    published: dt.date | None = None
    modified: dt.date | None = None
    in_force_from: dt.date | None = None
    in_force_until: dt.date | None = None
    amended_by: tuple[Name, ...] = ()
    version_order: int | None = None
    items: tuple[Item, ...] = ()
    files: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    licenses: tuple[str, ...] = ()
    publishers: tuple[str, ...] = ()
    creators: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    status: Status | None = None
    withdrawn_on: dt.date | None = None
    source: Source | None = field(default=None, compare=False, repr=False)
