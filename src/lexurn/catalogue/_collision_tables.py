"""The tables that the rules on names look into: those of the index, and working tables of a run."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._collision_words import Act
from lexurn.catalogue._index import Index
from lexurn.catalogue._rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.catalogue._check_spool import Spool
    from lexurn.catalogue._collision_words import Wording
    from lexurn.catalogue._protocols import Holdings
    from lexurn.catalogue._rows import FamilyRows

    Told = Callable[[str, int, int | None], None]

__all__ = ["ActRow", "acts_in", "attach", "note_series", "note_wording"]

_TABLES: Final = (
    "CREATE TABLE alias_set (id INTEGER PRIMARY KEY, key TEXT)",
    """CREATE TABLE act (name TEXT PRIMARY KEY, set_id INTEGER, jurisdiction TEXT, authority TEXT,
    measure TEXT, details TEXT, canonical TEXT, withdrawn INTEGER) WITHOUT ROWID""",
    """CREATE TABLE detail (jurisdiction TEXT, number TEXT, year TEXT, date TEXT, act TEXT,
    PRIMARY KEY (jurisdiction, number, year, date, act)) WITHOUT ROWID""",
    "CREATE TABLE copy (url TEXT, set_id INTEGER)",
    "CREATE INDEX copy_by_url ON copy (url, set_id)",
    "CREATE TABLE spelling (text TEXT, name TEXT)",
)
_ALIKE: Final = """CREATE TABLE alike (name TEXT PRIMARY KEY, key BLOB, kind BLOB, set_id INTEGER)
WITHOUT ROWID"""
_AFTER_ALIKE: Final = (
    "CREATE INDEX alike_by_key ON alike (key)",
    """CREATE TABLE short AS
    SELECT detail.jurisdiction, detail.number, detail.year, alike.kind, alike.set_id, detail.act
    FROM detail CROSS JOIN alike ON alike.name = detail.act WHERE detail.date = detail.year""",
    "CREATE INDEX short_by_kind ON short (jurisdiction, number, year, kind)",
)
_SERIES: Final = "CREATE TABLE series (kind TEXT, year TEXT, number INTEGER, name TEXT)"
_AFTER_SERIES: Final = "CREATE INDEX series_by_kind ON series (kind, year, number)"
_BATCH: Final = 500
_STEP: Final = 10_000
_DAY: Final = dt.date(2000, 1, 1)
_LONGEST_NUMBER: Final = 9

ActRow = tuple[str, int, str, str, str, str, str | None, int]


def attach(holdings: Holdings, spool: Spool, told: Told) -> None:
    """Make the tables of the index be there: its own, or others made of what is held.

    Raises:
        CatalogueError: what is held cannot be read.
    """
    if isinstance(holdings, Index):
        spool.attach("names", holdings)
        return
    with spool.faults():
        for statement in _TABLES:
            spool.database.execute(statement)
    for first, rows in _rows(holdings, told):
        numbered = list(enumerate(rows, first))
        for table, values in _values(numbered).items():
            marks = ", ".join("?" * len(values[0])) if values else ""
            spool.fill(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)  # noqa: S608 - from below


def _rows(holdings: Holdings, told: Told) -> Iterator[tuple[int, list[FamilyRows]]]:
    """The rows of what is held, some families at a time, with the number of the first."""
    keys = holdings.keys()
    done, some = 0, list(_first(keys))
    while some:
        yield done, [rows_of(family, b"", _DAY) for family in holdings.families(some)]
        done += len(some)
        told("reading names", done, None)
        some = list(_first(keys))


def _first(keys: Iterator[str]) -> Iterator[str]:
    for _, key in zip(range(_BATCH), keys, strict=False):
        yield key


def _values(families: Sequence[tuple[int, FamilyRows]]) -> dict[str, list[tuple[object, ...]]]:
    return {
        "alias_set": [(number, each.key) for number, each in families],
        "act": [(name, number, *rest) for number, each in families for name, *rest in each.acts],
        "detail": [row for _, each in families for row in each.details],
        "copy": [(url, number) for number, each in families for url, *_ in each.copies],
        "spelling": [row for _, each in families for row in each.spellings],
    }


def acts_in(spool: Spool, told: Told) -> Iterator[ActRow]:
    """The acts and aliases of acts, withdrawn ones too, sorted by name."""
    query = (
        "SELECT name, set_id, jurisdiction, authority, measure, details, canonical, withdrawn "
        "FROM act ORDER BY name"
    )
    for count, row in enumerate(spool.rows(query)):
        if count % _STEP == 0:
            told("comparing names", count, None)
        yield row


def note_wording(spool: Spool, wording: Wording, told: Told) -> None:
    """Note of each act in use what it is called when all spelling is set aside, and of which kind.

    And which acts have a year for a date.
    """
    with spool.faults():
        spool.database.execute(_ALIKE)
    spool.fill(
        "INSERT INTO alike VALUES (?, ?, ?, ?)",
        (_alike_row(row, wording) for row in acts_in(spool, told) if not row[7]),
    )
    with spool.faults():
        for statement in _AFTER_ALIKE:
            spool.database.execute(statement)


def note_series(spool: Spool, told: Told) -> None:
    """Note of each act in use its number among those of its kind and year."""
    with spool.faults():
        spool.database.execute(_SERIES)
    spool.fill(
        "INSERT INTO series VALUES (?, ?, ?, ?)",
        (each for row in acts_in(spool, told) if not row[7] for each in _series_rows(row)),
    )
    with spool.faults():
        spool.database.execute(_AFTER_SERIES)


def _alike_row(row: ActRow, wording: Wording) -> tuple[str, bytes, bytes, int]:
    """Name, name and kind without spelling, and alias set of an act."""
    act = Act(*row[2:6])
    kind = wording.kind(act.jurisdiction, act.authority, act.measure)
    return row[0], _digest(wording.stages(act)[-1]), _digest(kind), row[1]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def _series_rows(row: ActRow) -> Iterator[tuple[str, str, int, str]]:
    """Kind, year and number of an act with a whole date, for each number that is one."""
    name, _, jurisdiction, authority, measure, details, _, _ = row
    days, _, numbers = details.partition(";")
    year = days[:4]
    if days[4:5] != "-" or not year.isdecimal():
        return
    for number in numbers.split(","):
        if number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER:
            yield f"{jurisdiction}:{authority}:{measure}", year, int(number), name
