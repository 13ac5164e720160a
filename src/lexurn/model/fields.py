"""Record of one name, the one table of its fields, and its packed form.

Each field of `Record` is a row of the table: its type, the columns of a manifest that it is read
from, and its property in graphs. Manifests, catalogues, graphs and the reader of RDF follow the
table, so a new column is one row here, its term in the ontology and its shape. (A column of copies
also needs a field of `Item`, its packing and its statements in `lexurn.graph.catalogued`.)
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from base64 import urlsafe_b64encode
from binascii import a2b_hex
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn import vocabulary as v
from lexurn.errors import LexurnError
from lexurn.findings import make_finding
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name


class Status(StrEnum):
    """Status of a name; a name is never deleted, only withdrawn (RFC 9676 section 9.4)."""

    WITHDRAWN = "withdrawn"


class LegalForce(StrEnum):
    """State of force of an act or a version, as its publisher states it."""

    IN_FORCE = "in-force"
    PARTLY_IN_FORCE = "partly-in-force"
    NOT_IN_FORCE = "not-in-force"
    REPEALED = "repealed"

    @property
    def is_in_force(self) -> bool:
        """True if at least a part is in force."""
        return self in {LegalForce.IN_FORCE, LegalForce.PARTLY_IN_FORCE}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LanguageText:
    """Text and its language tag (BCP 47, lower case) or None."""

    value: str
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Item:
    """Copy of a document (FRBR item): its URL, and the data to check that it is complete.

    Attributes:
        url: an absolute URL.
        bytes: its size.
        sha256: its SHA-256 digest, 64 lower-case hex digits.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None

    @property
    def digest_uri(self) -> str | None:
        """URI of the digest (RFC 6920 section 3), None without one.

        >>> Item(url="https://law.example/1.pdf", sha256="00" * 32).digest_uri
        'ni:///sha-256;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

        Raises:
            ValueError: the digest is not hexadecimal.
        """
        if self.sha256 is None:
            return None
        digits = urlsafe_b64encode(a2b_hex(self.sha256)).rstrip(b"=").decode()
        return f"ni:///sha-256;{digits}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of a record: the file of the manifest, and the first line of the row, from 1."""

    file: str
    line: int


class Kind(Enum):
    """Type of the values of a field."""

    TITLE = auto()  # a text and its language
    TEXT = auto()
    NAME = auto()  # a LEX name
    DAY = auto()
    INTEGER = auto()
    STATUS = auto()
    FORCE = auto()  # a state of force
    URL = auto()  # an absolute http or https URL
    IRI = auto()
    AGENT = auto()  # an IRI or a text
    COPY = auto()  # a URL, its size and its digest: three columns
    FILE = auto()  # a path below a folder of the publisher


class Field(NamedTuple):
    """Row of the table of fields.

    Attributes:
        name: the attribute of `Record`.
        kind: the type of its values.
        is_list: whether it holds any number of values, sorted, or at most one.
        columns: the columns of a manifest that it is read from.
        predicate: its property as ``<iri>``; empty for a field in no graph and no catalogue.
        text_predicate: the property of values that are texts, where others are IRIs.
        is_of_record: whether it is about the record of the name, and not about the law.
    """

    name: str
    kind: Kind
    is_list: bool
    columns: tuple[str, ...]
    predicate: str = ""
    text_predicate: str = ""
    is_of_record: bool = False


def _one(kind: Kind, column: str, predicate: str, *, is_of_record: bool = False) -> Any:
    """Describe a field with at most one value."""
    row = {"kind": kind, "columns": (column,), "predicate": predicate, "is_list": False}
    row["is_of_record"] = is_of_record
    return dataclasses.field(default=None, metadata=row)


def _many(kind: Kind, columns: str, predicate: str = "", text_predicate: str = "") -> Any:
    """Describe a field with any number of values; ``columns`` are separated by blanks."""
    row = {"kind": kind, "columns": tuple(columns.split()), "predicate": predicate}
    row |= {"text_predicate": text_predicate, "is_list": True}
    return dataclasses.field(default=(), metadata=row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Statements of a publisher about one name: a row of a manifest.

    Attributes:
        name: the name, at whatever level, with a partition or without.
        titles: titles, each with its language; sorted.
        cited_as: its citation as its publisher writes it.
        alias_of: the canonical name of which ``name`` is an alias, at the same level.
        also_named: names of the same treaty in other jurisdictions, weaker than aliases; sorted.
        dialect_names: its spellings in other syntaxes (LexML Brasil, NIR, drafts); sorted.
        issued: the day of issue.
        published: the day of publication.
        modified: the day of the last change to the record.
        in_force_from: the first day in force.
        in_force_until: the first day no longer in force (exclusive).
        force: the state of force.
        force_on: the first day of that state.
        amended_by: names of amending acts; sorted.
        version_order: a number that orders versions of a chain whose dates are equal or unknown.
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
        source: the manifest's file and line; equality ignores it.
    """

    name: Name
    titles: tuple[LanguageText, ...] = _many(Kind.TITLE, "title", v.TITLE)
    cited_as: str | None = _one(Kind.TEXT, "cited_as", v.CITATION)
    alias_of: Name | None = _one(Kind.NAME, "alias_of", v.SAME_AS)
    also_named: tuple[Name, ...] = _many(Kind.NAME, "also_named", v.ALIAS)
    dialect_names: tuple[str, ...] = _many(Kind.TEXT, "dialect_name", v.DIALECT_NAME)
    issued: dt.date | None = _one(Kind.DAY, "issued", v.ISSUED)
    published: dt.date | None = _one(Kind.DAY, "published", v.AVAILABLE)
    modified: dt.date | None = _one(Kind.DAY, "modified", v.MODIFIED, is_of_record=True)
    in_force_from: dt.date | None = _one(Kind.DAY, "in_force_from", v.IN_FORCE_FROM)
    in_force_until: dt.date | None = _one(Kind.DAY, "in_force_until", v.IN_FORCE_UNTIL)
    force: LegalForce | None = _one(Kind.FORCE, "force", v.LEGAL_FORCE)
    force_on: dt.date | None = _one(Kind.DAY, "force_on", v.LEGAL_FORCE_ON)
    amended_by: tuple[Name, ...] = _many(Kind.NAME, "amended_by", v.AMENDED_BY)
    version_order: int | None = _one(Kind.INTEGER, "version_order", v.VERSION_ORDER)
    items: tuple[Item, ...] = _many(Kind.COPY, "url bytes sha256", v.ITEM)
    files: tuple[str, ...] = _many(Kind.FILE, "file")
    pages: tuple[str, ...] = _many(Kind.URL, "page", v.PAGE)
    licenses: tuple[str, ...] = _many(Kind.IRI, "license", v.LICENSE)
    publishers: tuple[str, ...] = _many(Kind.AGENT, "publisher", v.PUBLISHER, v.PUBLISHER_NAME)
    creators: tuple[str, ...] = _many(Kind.AGENT, "creator", v.CREATOR, v.CREATOR_NAME)
    subjects: tuple[str, ...] = _many(Kind.AGENT, "subject", v.SUBJECT, v.SUBJECT_NAME)
    status: Status | None = _one(Kind.STATUS, "status", v.STATUS, is_of_record=True)
    withdrawn_on: dt.date | None = _one(Kind.DAY, "withdrawn_on", v.WITHDRAWN_ON, is_of_record=True)
    source: Source | None = dataclasses.field(default=None, compare=False, repr=False)

    def list_values(self) -> list[tuple[Field, Any]]:
        """List the fields that graphs and catalogues hold, each with its value; none are empty."""
        values = _get_stored_values(self)
        if values == _NO_VALUES:  # as of many versions, without a look at each
            return []
        pairs = zip(_STORED_FIELDS, values, strict=True)
        return [(field, value) for field, value in pairs if value is not None and value != ()]


FIELDS = tuple(
    Field(name=each.name, **each.metadata) for each in dataclasses.fields(Record) if each.metadata
)
"""The table: each field of `Record` that publishers state."""

_STORED_FIELDS = tuple(field for field in FIELDS if field.predicate)
_get_stored_values = attrgetter(*(field.name for field in _STORED_FIELDS))
_NO_VALUES = tuple(() if field.is_list else None for field in _STORED_FIELDS)

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
    """Sort the values of a field; equal ones count as one."""
    found = tuple(values)
    return tuple(sorted(set(found), key=_SORT_KEYS.get(kind))) if len(found) > 1 else found


@lru_cache(maxsize=8192)
def _parse_day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


_PACK: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TITLE: lambda title: (title.value, title.language),
    Kind.NAME: str,
    Kind.DAY: str,
    Kind.STATUS: str,
    Kind.FORCE: str,
    Kind.COPY: lambda item: (item.url, item.bytes, item.sha256),
}
"""How a value is packed; values of other kinds stay what they are."""

_UNPACK: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TITLE: lambda title: LanguageText(value=title[0], language=title[1]),
    Kind.NAME: parse,
    Kind.DAY: _parse_day,
    Kind.STATUS: Status,
    Kind.FORCE: LegalForce,
    Kind.COPY: lambda item: Item(url=item[0], bytes=item[1], sha256=item[2]),
}

_BY_NAME = {field.name: (field, _UNPACK.get(field.kind)) for field in FIELDS}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_records(records: Iterable[Record]) -> str:
    """Write records as JSON: a list of [name, {field: packed value}], without empty fields.

    `unpack_records` reads them back, equal; sources and paths of files are not written.
    """
    packed: list[tuple[str, dict[str, Any]]] = []
    for record in records:
        fields: dict[str, Any] = {}
        for field, value in record.list_values():
            pack = _PACK.get(field.kind)
            if pack is None:
                fields[field.name] = value
            else:
                packs = [pack(each) for each in value] if field.is_list else pack(value)
                fields[field.name] = packs
        packed.append((str(record.name), fields))
    return _ENCODER.encode(packed)


def unpack_records(text: str) -> tuple[Record, ...]:
    """Read the records that `pack_records` wrote.

    Raises:
        ValueError: `pack_records` did not write the text.
    """
    return tuple(
        Record(name=parse(name), **unpack_fields(fields)) for name, fields in json.loads(text)
    )


def unpack_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Make the fields of a record from packed values; lists are sorted."""
    unpacked: dict[str, Any] = {}
    for name, value in fields.items():
        field, unpack = _BY_NAME[name]
        if field.is_list:
            values = value if unpack is None else map(unpack, value)
            unpacked[name] = sort_values(field.kind, values)
        else:
            unpacked[name] = value if unpack is None else unpack(value)
    return unpacked


class ModelError(LexurnError, ValueError):
    """Records that contradict each other, for example one name described twice.

    Attributes:
        finding: the fault and the names that it concerns; None where no record is at fault.
    """

    def __init__(self, message: str, *, finding: Finding | None = None) -> None:
        """Store the finding."""
        super().__init__(message)
        self.finding = finding


def make_error(code: str, names: Iterable[Name], *values: object) -> ModelError:
    """Return the error of records that contradict each other; it carries its finding.

    Args:
        code: a key of `load_codes`.
        names: the names at fault, the one to correct first.
        values: what the message shows.
    """
    finding = make_finding(code, *values, names=tuple(map(str, names)))
    return ModelError(f"{code}: {finding.message} ({finding.rule})", finding=finding)
