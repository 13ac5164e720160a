"""The keys of all alias sets on a server, sorted, in bounded memory."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_texts import MEASURE_TYPE, SAME_AS, act_iri
from lexurn.graph import Layer
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._remote import RemoteStore

__all__ = ["keys_of"]

_TABLES: Final = """
CREATE TABLE act (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE alias (name TEXT, target TEXT, PRIMARY KEY (name, target)) WITHOUT ROWID;
CREATE INDEX by_target ON alias (target);
"""


def keys_of(store: RemoteStore) -> Iterator[str]:
    """The canonical acts of all alias sets, sorted.

    Acts that are aliases stand for no set; and where names below acts are aliases across acts,
    their sets are one. Both are gathered in a table on disk, which is gone at the end.

    Raises:
        CatalogueError: the server does not give all acts and aliases.
    """
    with closing(sqlite3.connect("")) as table:
        table.executescript(_TABLES)
        joined = _filled(store, table)
        hidden = _hidden(joined, table)
        unaliased = "SELECT name FROM act WHERE name NOT IN (SELECT name FROM alias) ORDER BY name"
        for (name,) in table.execute(unaliased):
            if name not in hidden:
                yield name


def _filled(store: RemoteStore, table: sqlite3.Connection) -> list[tuple[str, str]]:
    """Put acts and aliases of acts into their tables; give the acts joined by names below them."""
    for lines in store.stated(Layer.DECODED, MEASURE_TYPE):
        acts = [(name,) for line in lines if (name := _act(line.partition(" ")[0])) is not None]
        table.executemany("INSERT OR IGNORE INTO act VALUES (?)", acts)
    joined: set[tuple[str, str]] = set()
    for lines in store.stated(Layer.CATALOGUED, SAME_AS):
        for line in lines:
            alias, _, target = line.split(" ")[:3]
            name, other = _act(alias), _act(target)
            if name is None or other is None or name == other:
                continue
            table.execute("INSERT OR IGNORE INTO act VALUES (?)", (other,))
            if act_iri(alias) == alias:
                table.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (name, other))
            else:
                joined.add((name, other))
    return sorted(joined)


def _act(term: str) -> str | None:
    """The text of the act in a LEX name's node."""
    node = act_iri(term)
    if node is None:
        return None
    name = check(node[1:-1]).name
    return None if name is None else str(name)


def _hidden(joined: Iterable[tuple[str, str]], table: sqlite3.Connection) -> set[str]:
    """The acts that are no aliases, but not the keys of their sets either."""
    beside: dict[str, set[str]] = defaultdict(set)
    leads: dict[str, set[str]] = defaultdict(set)
    for name, other in joined:
        leads[name].add(other)
        beside[name].add(other)
        beside[other].add(name)
    hidden: set[str] = set()
    done: set[str] = set()
    for act in beside:
        if act not in done:
            members, aliases, targets = _together(act, beside, table)
            done |= members
            targets.update(*(leads[member] for member in members if member in leads))
            hidden |= members - {min(targets - aliases or members - aliases, default="")}
    return hidden


def _together(
    act: str, beside: dict[str, set[str]], table: sqlite3.Connection
) -> tuple[set[str], set[str], set[str]]:
    """The acts of one set; those among them that are aliases; those that aliases lead to."""
    members, aliases, targets, rest = {act}, set[str](), set[str](), [act]
    around = "SELECT name, target FROM alias WHERE name = ?1 OR target = ?1"
    while rest:
        found = rest.pop()
        further = set(beside.get(found, ()))
        for name, target in table.execute(around, (found,)):
            aliases.add(name)
            targets.add(target)
            further |= {name, target}
        rest += further - members
        members |= further
    return members, aliases, targets
