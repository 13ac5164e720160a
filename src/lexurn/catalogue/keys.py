"""Keys and rows: one alias set as the index stores it, and the keys by which acts are found.

A number is found without leading zeros, a date by its year.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.model import Status, family_of, pack_records, unpack_records

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from typing import Final

    from lexurn.model import Family, Record
    from lexurn.name import Details, Name

_MOST_LISTED: Final = 5


def list_some(things: Sequence[object]) -> str:
    """Return the first of some things as text, and how many more there are.

    >>> list_some("abc"), list_some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    shown, more = ", ".join(map(str, things[:_MOST_LISTED])), len(things) - _MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def make_number_key(number: str) -> str:
    """Drop the zeros in front of a number's digits: ``007-bis`` and ``7-bis`` are one key.

    Behind a dot a zero counts: ``172.010`` and ``172.10`` are two numbers.

    >>> [make_number_key(each) for each in ("007-bis", "0", "lex-03", "0172.010")]
    ['7-bis', '0', 'lex-3', '172.010']
    """
    return _ZEROS.sub("", number)


def find_year(date_or_period: str) -> str | None:
    """Find the first year in a date or a period, None where there is none.

    >>> find_year("2003-09-21"), find_year("legislature.13")
    ('2003', None)
    """
    found = _YEAR.search(date_or_period)
    return None if found is None else found[0]


def find_years(details: Details) -> tuple[str, ...]:
    """Return the years of an act's dates or period, sorted, none twice."""
    written = [date.iso for date in details.dates]
    if details.period is not None:
        written.append(details.period)
    years = {year for text in written if (year := find_year(text)) is not None}
    return tuple(sorted(years))


def is_dated(act: str, head: str, day: str) -> bool:
    """Return whether an act has a head and a first date; other dates and numbers may follow.

    >>> is_dated("urn:lex:fr:etat:loi:1881-07-29;lex-1", "urn:lex:fr:etat:loi", "1881-07-29")
    True
    """
    start = f"{head}:{day}"
    return act.startswith((f"{start};", f"{start},", f"{start}|"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRows:
    """Rows of one alias set in the index.

    Attributes:
        key: the canonical act.
        data: its records and the URLs that others share; `unpack_family` reads them.
        digest: of its quads.
        as_of: the day for which its computed layer was made; it may hold for others too.
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


def make_rows(family: Family, nquads: bytes, as_of: dt.date) -> FamilyRows:
    """Make the rows of a family whose quads are ``nquads``."""
    acts = {record.name.act_name: record for record in family.records if record.name.is_act}
    copies = {(i.url, i.bytes, i.sha256) for record in family.records for i in record.items}
    return FamilyRows(
        key=str(family.key),
        data=pack_family(family),
        digest=hashlib.sha256(nquads).digest()[:16],  # most processors have instructions for it
        as_of=as_of.isoformat(),
        acts=tuple(_make_act_row(name, record) for name, record in acts.items()),
        details=tuple(row for name in acts for row in _make_detail_rows(name)),
        copies=tuple(sorted(copies, key=lambda copy: (copy[0], copy[1] or -1, copy[2] or ""))),
        spellings=tuple(
            (text, str(record.name)) for record in family.records for text in record.dialect_names
        ),
    )


def pack_family(family: Family) -> str:
    """Pack all statements of a family into a text, for `unpack_family`."""
    return f"{pack_records(family.records)}\n{json.dumps(sorted(family.shared))}"


def unpack_family(data: str) -> Family:
    """Return the family that `pack_family` packed."""
    records, _, shared = data.partition("\n")
    return family_of(unpack_records(records), json.loads(shared))


def _make_act_row(name: Name, record: Record) -> tuple[str, str, str, str, str, str | None, int]:
    return (
        str(name),
        str(name.jurisdiction),
        str(name.work.authority),
        str(name.work.measure),
        str(name.work.details),
        None if record.alias_of is None else str(record.alias_of),
        int(record.status is Status.WITHDRAWN),
    )


def _make_detail_rows(name: Name) -> Iterator[tuple[str, str, str, str, str]]:
    details = name.work.details
    written = [date.iso for date in details.dates] or [details.period or ""]
    for number in details.numbers:
        for text in written:
            yield (
                str(name.jurisdiction),
                make_number_key(number),
                find_year(text) or "",
                text,
                str(name),
            )
