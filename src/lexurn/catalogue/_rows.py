"""A family as rows of the index: what is looked up of it, and all that is stated of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.catalogue._keys import number_key, year_of
from lexurn.model import Status, family_of, packed, unpacked

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.model import Family, Record
    from lexurn.name import Name

__all__ = ["FamilyRows", "data_of", "digest_of", "family_in", "rows_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRows:
    """One alias set as the index keeps it.

    Attributes:
        key: the canonical act.
        data: its records and the URLs that others share; `family_in` reads them.
        digest: of its quads.
        as_of: the day for which its computed layer was made; it may hold since long before.
        acts: for each act and alias of it: name, jurisdiction, authority, measure, details, the
            name that it is an alias of or None, 1 where it is withdrawn.
        details: jurisdiction, number, year, date or period and act, for each number and date.
        copies: URL, size and digest of each copy.
        spellings: each spelling in a dialect, and the name.
    """

    key: str
    data: str
    digest: bytes
    as_of: str
    acts: tuple[tuple[str, str, str, str, str, str | None, int], ...]
    details: tuple[tuple[str, str, str, str, str], ...]
    copies: tuple[tuple[str, int | None, str | None], ...]
    spellings: tuple[tuple[str, str], ...]


def digest_of(nquads: bytes) -> bytes:
    """What tells whether the quads of a family are the same."""
    return hashlib.sha256(nquads).digest()[:16]  # quick where processors know it


def rows_of(family: Family, nquads: bytes, as_of: dt.date) -> FamilyRows:
    """The rows of a family whose quads are ``nquads``."""
    acts = {record.name.act_name: record for record in family.records if _is_act(record)}
    copies = {(i.url, i.bytes, i.sha256) for record in family.records for i in record.items}
    return FamilyRows(
        key=str(family.key),
        data=data_of(family),
        digest=digest_of(nquads),
        as_of=as_of.isoformat(),
        acts=tuple(_act_row(name, record) for name, record in acts.items()),
        details=tuple(row for name in acts for row in _detail_rows(name)),
        copies=tuple(sorted(copies, key=lambda copy: (copy[0], copy[1] or -1, copy[2] or ""))),
        spellings=tuple(
            (text, str(record.name)) for record in family.records for text in record.dialect_names
        ),
    )


def data_of(family: Family) -> str:
    """All that is stated of a family; `family_in` reads it."""
    return f"{packed(family.records)}\n{json.dumps(sorted(family.shared))}"


def family_in(data: str) -> Family:
    """The family whose rows hold ``data``."""
    records, _, shared = data.partition("\n")
    return family_of(unpacked(records), json.loads(shared))


def _is_act(record: Record) -> bool:
    return record.name.is_act


def _act_row(name: Name, record: Record) -> tuple[str, str, str, str, str, str | None, int]:
    return (
        str(name),
        str(name.jurisdiction),
        str(name.work.authority),
        str(name.work.measure),
        str(name.work.details),
        None if record.alias_of is None else str(record.alias_of),
        int(record.status is Status.WITHDRAWN),
    )


def _detail_rows(name: Name) -> Iterator[tuple[str, str, str, str, str]]:
    details = name.work.details
    written = [date.iso for date in details.dates] or [details.period or ""]
    for number in details.numbers:
        for text in written:
            yield (
                str(name.jurisdiction),
                number_key(number),
                year_of(text) or "",
                text,
                str(name),
            )
