"""The whole view of the rows: names that stand twice, aliases that do not fit, alias sets.

All of it is done in the database on disk, the sets by union-find, so that memory stays bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest._faults import Fault, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.manifest._spool import Spool

__all__ = [
    "LARGEST",
    "PlacedFault",
    "chains",
    "find_shared",
    "join",
    "join_acts",
    "oversize",
    "twins",
]

LARGEST = 100_000
"""The most rows of one alias set."""

_LONGEST_CHAIN = 100

_TWINS = """
SELECT twin.id, twin.file, twin.line, twin.name, first.file, first.line, a.target, b.target
FROM (SELECT id, file, line, name, MIN(id) OVER (PARTITION BY act, name) AS first FROM row) twin
JOIN row first ON first.id = twin.first
LEFT JOIN alias a ON a.id = twin.id LEFT JOIN alias b ON b.id = first.id
WHERE twin.id <> twin.first ORDER BY twin.id
"""
_CHAINS = """
SELECT link.id, row.file, row.line, link.name, link.target FROM alias link
JOIN row ON row.id = link.id WHERE link.target IN (SELECT name FROM alias) ORDER BY link.id
"""
_SIZES = """
SELECT MIN(id), act, COUNT(*) FROM row GROUP BY act HAVING COUNT(*) > ? ORDER BY act
"""
_CENTRES = """
CREATE TABLE centre AS SELECT kin.root AS root, MIN(alias.target_act) AS act
FROM alias JOIN kin ON kin.act = alias.target_act
WHERE alias.target_act NOT IN (SELECT name FROM alias) GROUP BY kin.root
"""
_TWICE = """
CREATE TABLE twice AS SELECT url FROM copy GROUP BY url HAVING COUNT(*) > 1
"""
_SHARED = """
CREATE TABLE shared AS SELECT DISTINCT row.act AS act, url FROM copy JOIN row ON row.id = copy.id
WHERE url IN (
  SELECT url FROM copy JOIN row ON row.id = copy.id WHERE url IN (SELECT url FROM twice)
  GROUP BY url HAVING MIN(row.act) < MAX(row.act))
"""
_MOVE = """
UPDATE row SET act = (
  SELECT centre.act FROM kin JOIN centre ON centre.root = kin.root WHERE kin.act = row.act)
WHERE act IN (SELECT act FROM kin)
"""


class PlacedFault(NamedTuple):
    """A fault of a row that was good by itself: the row's number, file and line."""

    id: int
    file: int
    line: int
    fault: Fault


def twins(spool: Spool, files: Sequence[str]) -> Iterator[PlacedFault]:
    """Rows whose name an earlier row has."""
    spool.run("CREATE INDEX by_act ON row (act, name)")
    for number, file, line, name, other_file, other_line, target, other_target in spool.query(
        _TWINS
    ):
        is_torn = None not in {target, other_target} and target != other_target
        place = f"{files[other_file]}:{other_line}"
        values = {"value": shown(name), "expected": place}
        text = target if is_torn else name
        fault = Fault(
            code="LX532" if is_torn else "LX531",
            column="alias_of" if is_torn else "urn",
            end=len(text),
            text=text,
            values=values,
        )
        yield PlacedFault(number, file, line, fault)


def chains(spool: Spool) -> Iterator[PlacedFault]:
    """Rows whose canonical name is an alias itself."""
    spool.run("CREATE INDEX by_alias ON alias (name)")
    for number, file, line, name, target in spool.query(_CHAINS):
        end = _end_of(spool, name, target)
        fault = Fault(
            code="LX536" if end is None else "LX535",
            column="alias_of",
            end=len(target),
            text=target,
            suggestion=end,
            values={"value": shown(target), "expected": shown(end or "")},
        )
        yield PlacedFault(number, file, line, fault)


def _end_of(spool: Spool, name: str, target: str) -> str | None:
    """Where a chain of aliases ends, None where it leads back."""
    seen = {name}
    while target not in seen:
        seen.add(target)
        found = spool.one("SELECT target FROM alias WHERE name = ?", target)
        if found is None or len(seen) > _LONGEST_CHAIN:
            return target
        target = found[0]
    return None


def join_acts(spool: Spool) -> None:
    """Give all rows of an alias set one key: the canonical act, the smallest where it has several.

    Acts are joined where an alias of any level leads from one to the other.
    """
    join(spool, spool.query("SELECT act, target_act FROM alias WHERE act <> target_act"))
    spool.run(_CENTRES)
    spool.run("CREATE INDEX by_root ON centre (root, act)")
    spool.run(_MOVE)


def join(spool: Spool, pairs: Iterable[tuple[str, ...]]) -> None:
    """Note for each act of some pairs which act stands for all that are joined with it."""
    for act, other in pairs:
        one, two = sorted((_root(spool, act), _root(spool, other)))
        if one != two:
            spool.run("UPDATE kin SET root = ? WHERE act = ?", one, two)
    shorten = (
        "UPDATE kin SET root = (SELECT above.root FROM kin above WHERE above.act = kin.root) "
        "WHERE root <> (SELECT above.root FROM kin above WHERE above.act = kin.root)"
    )
    while spool.run(shorten):
        pass


def _root(spool: Spool, act: str) -> str:
    """The act that stands for all acts joined with ``act`` so far; paths are halved on the way."""
    above = spool.one("SELECT root FROM kin WHERE act = ?", act)
    if above is None:
        spool.run("INSERT INTO kin VALUES (?, ?)", act, act)
        return act
    while above[0] != act:
        further = spool.one("SELECT root FROM kin WHERE act = ?", above[0])
        root = above[0] if further is None else further[0]
        if root == above[0]:
            return str(root)
        spool.run("UPDATE kin SET root = ? WHERE act = ?", root, act)
        act = root
        above = spool.one("SELECT root FROM kin WHERE act = ?", act) or (act,)
    return act


def oversize(spool: Spool) -> Iterator[PlacedFault]:
    """One fault for each alias set that is too large; its rows are noted to be rejected."""
    for number, act, count in spool.query(_SIZES, LARGEST):
        place = spool.one("SELECT file, line FROM row WHERE id = ?", number)
        spool.run("INSERT OR IGNORE INTO doomed SELECT id FROM row WHERE act = ?", act)
        values = {"value": shown(act), "expected": count, "most": LARGEST}
        if place is not None:
            yield PlacedFault(number, place[0], place[1], Fault(code="LX537", values=values))


def find_shared(spool: Spool) -> None:
    """Find the copies that several alias sets have; these are known by their acts now."""
    spool.run(_TWICE)
    spool.run(_SHARED)
    spool.run("CREATE INDEX by_holder ON shared (act)")
