"""Record of one name, and the one table of its fields.

Each field of `Record` is a row of the table: its type, the columns of a manifest that it is read
from, and its property in graphs. Manifests, catalogues, graphs and the reader of RDF follow the
table, so a new column is one row here, its term in the ontology and its shape.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from lexurn import vocabulary as v

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from lexurn.model.record import Item, LanguageText, Source, Status
    from lexurn.name import Name


class Kind(Enum):
    """Type of the values of a field."""

    TITLE = auto()  # a text and its language
    TEXT = auto()
    NAME = auto()  # a LEX name
    DAY = auto()
    INTEGER = auto()
    STATUS = auto()
    URL = auto()  # an absolute http or https URL
    IRI = auto()
    AGENT = auto()  # an IRI or a text
    COPY = auto()  # a URL, its size and its digest: three columns
    FILE = auto()  # a path below a folder of the publisher


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Row of the table of fields.

    Attributes:
        name: the attribute of `Record`.
        kind: the type of its values.
        is_list: whether it holds any number of values, sorted, or at most one.
        columns: the columns of a manifest that it is read from.
        predicate: its property as ``<iri>``; empty for a field in no graph and no catalogue.
        text_predicate: the property of values that are texts, where others are IRIs.
    """

    name: str
    kind: Kind
    is_list: bool
    columns: tuple[str, ...]
    predicate: str = ""
    text_predicate: str = ""


def _one(kind: Kind, column: str, predicate: str) -> Any:
    """Describe a field with at most one value."""
    row = {"kind": kind, "columns": (column,), "predicate": predicate, "is_list": False}
    return dataclasses.field(default=None, metadata=row)


def _many(kind: Kind, columns: str, predicate: str = "", text_predicate: str = "") -> Any:
    """Describe a field with any number of values; ``columns`` stand between blanks."""
    row = {"kind": kind, "columns": tuple(columns.split()), "predicate": predicate}
    row |= {"text_predicate": text_predicate, "is_list": True}
    return dataclasses.field(default=(), metadata=row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Statements of a publisher about one name: a row of a manifest.

    Attributes:
        name: the name, at whatever level, with a partition or without.
        titles: titles, each with its language; sorted.
        alias_of: the canonical name of which ``name`` is an alias, at the same level.
        also_named: names of the same treaty in other jurisdictions, weaker than aliases; sorted.
        dialect_names: its spellings in other syntaxes (LexML Brasil, NIR, drafts); sorted.
        issued: the day of issue.
        published: the day of publication.
        modified: the day of the last change to the record.
        in_force_from: the first day in force.
        in_force_until: the first day no longer in force (exclusive).
        amended_by: names of amending acts; sorted.
        version_order: the place in the chain where dates do not order.
        items: copies; sorted.
        files: paths of its copies below a folder of the publisher; sorted. Embedding writes the
            name into these files.
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
    titles: tuple[LanguageText, ...] = _many(Kind.TITLE, "title", v.TITLE)
    alias_of: Name | None = _one(Kind.NAME, "alias_of", v.SAME_AS)
    also_named: tuple[Name, ...] = _many(Kind.NAME, "also_named", v.ALIAS)
    dialect_names: tuple[str, ...] = _many(Kind.TEXT, "dialect_name", v.DIALECT_NAME)
    issued: dt.date | None = _one(Kind.DAY, "issued", v.ISSUED)
    published: dt.date | None = _one(Kind.DAY, "published", v.AVAILABLE)
    modified: dt.date | None = _one(Kind.DAY, "modified", v.MODIFIED)
    in_force_from: dt.date | None = _one(Kind.DAY, "in_force_from", v.IN_FORCE_FROM)
    in_force_until: dt.date | None = _one(Kind.DAY, "in_force_until", v.IN_FORCE_UNTIL)
    amended_by: tuple[Name, ...] = _many(Kind.NAME, "amended_by", v.AMENDED_BY)
    version_order: int | None = _one(Kind.INTEGER, "version_order", v.VERSION_ORDER)
    items: tuple[Item, ...] = _many(Kind.COPY, "url bytes sha256", v.ITEM)
    files: tuple[str, ...] = _many(Kind.FILE, "file")
    pages: tuple[str, ...] = _many(Kind.URL, "page", v.PAGE)
    licenses: tuple[str, ...] = _many(Kind.IRI, "license", v.LICENSE)
    publishers: tuple[str, ...] = _many(Kind.AGENT, "publisher", v.PUBLISHER, v.PUBLISHER_NAME)
    creators: tuple[str, ...] = _many(Kind.AGENT, "creator", v.CREATOR, v.CREATOR_NAME)
    subjects: tuple[str, ...] = _many(Kind.AGENT, "subject", v.SUBJECT, v.SUBJECT_NAME)
    status: Status | None = _one(Kind.STATUS, "status", v.STATUS)
    withdrawn_on: dt.date | None = _one(Kind.DAY, "withdrawn_on", v.WITHDRAWN_ON)
    source: Source | None = dataclasses.field(default=None, compare=False, repr=False)


FIELDS = tuple(
    Field(name=each.name, **each.metadata) for each in dataclasses.fields(Record) if each.metadata
)
"""The table: each field of `Record` that publishers state."""

_OPAQUE_SCHEMES = ("urn:", "did:", "mailto:", "tel:", "tag:", "info:", "doi:")


def is_likely_iri(text: str) -> bool:
    """Return whether an agent or subject is meant as an IRI: ``Umwelt:Wasser`` is a text."""
    return "://" in text or text.lower().startswith(_OPAQUE_SCHEMES)


_SORT_KEYS: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TITLE: lambda title: (title.value, title.language or ""),
    Kind.NAME: str,
    Kind.COPY: lambda item: (item.url, item.bytes or -1, item.sha256 or ""),
}


def sort_values(kind: Kind, values: Iterable[Any]) -> tuple[Any, ...]:
    """Sort the values of a field, none twice."""
    found = tuple(values)
    return tuple(sorted(set(found), key=_SORT_KEYS.get(kind))) if len(found) > 1 else found
