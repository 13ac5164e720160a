"""Catalogue on a SPARQL 1.1 server: its holdings by SPARQL, and a lease to write.

No server need have locks: a process that wants to write says so in a graph of its own, then looks
who else does. Alone with it, it has the lease; else it takes back what it said and waits. A lease
ends by itself unless it is renewed, so that a process that died stops nobody for long. Time is the
server's, so that it is the same to all. A server must show at once what was written.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import socket
import sqlite3
import threading
import time
import uuid
import weakref
from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.catalogue.catalogue import CatalogueQueries, ignore_mended
from lexurn.catalogue.changes import compute_change, select_changed
from lexurn.catalogue.files import InUseError, refuse_other_base
from lexurn.catalogue.keys import find_years, is_dated, make_number_key
from lexurn.catalogue.server_families import (
    ANYTHING_QUERY,
    find_act_node,
    list_zero_padded,
    read_bare_families,
    read_families,
    write_count_query,
    write_dated_query,
    write_holders_query,
    write_known_query,
    write_near_query,
    write_spelling_query,
)
from lexurn.errors import CatalogueError
from lexurn.graph import Layer, nquads_of
from lexurn.name import check
from lexurn.store import (
    RemoteStore,
    TruncatedAnswerError,
    format_literal,
    read_count,
    select_in_parts,
    select_values,
)
from lexurn.vocabulary import MEASURE_TYPE, SAME_AS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Final, Self

    from lexurn.catalogue.catalogue import MendedFamily, Merge
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.model import Family, Item
    from lexurn.name import Name
    from lexurn.store import Store, Term

BOOKKEEPING: Final = "https://w3id.org/lexurn/catalogue#"
_TABLES: Final = """
CREATE TABLE act (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE alias (name TEXT, target TEXT, PRIMARY KEY (name, target)) WITHOUT ROWID;
CREATE INDEX by_target ON alias (target);
"""


def list_keys(store: RemoteStore) -> Iterator[str]:
    """The canonical acts of all alias sets, sorted.

    Acts that are aliases stand for no set; and where names below acts are aliases across acts,
    their sets are one. Both are gathered in a table on disk, which is gone at the end.

    Raises:
        CatalogueError: the server does not give all acts and aliases.
    """
    with closing(sqlite3.connect("")) as table:
        table.executescript(_TABLES)
        joined = _fill_tables(store, table)
        hidden = _find_hidden(joined, table)
        unaliased = "SELECT name FROM act WHERE name NOT IN (SELECT name FROM alias) ORDER BY name"
        for (name,) in table.execute(unaliased):
            if name not in hidden:
                yield name


def _fill_tables(store: RemoteStore, table: sqlite3.Connection) -> list[tuple[str, str]]:
    """Put acts and aliases of acts into their tables; give the acts joined by names below them."""
    for lines in store.stated(Layer.DECODED, MEASURE_TYPE):
        acts = [
            (name,) for line in lines if (name := _find_act(line.partition(" ")[0])) is not None
        ]
        table.executemany("INSERT OR IGNORE INTO act VALUES (?)", acts)
    joined: set[tuple[str, str]] = set()
    for lines in store.stated(Layer.CATALOGUED, SAME_AS):
        for line in lines:
            alias, _, target = line.split(" ")[:3]
            name, other = _find_act(alias), _find_act(target)
            if name is None or other is None or name == other:
                continue
            table.execute("INSERT OR IGNORE INTO act VALUES (?)", (other,))
            if find_act_node(alias) == alias:
                table.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (name, other))
            else:
                joined.add((name, other))
    return sorted(joined)


def _find_act(term: str) -> str | None:
    """The text of the act in a LEX name's node."""
    node = find_act_node(term)
    if node is None:
        return None
    name = check(node[1:-1]).name
    return None if name is None else str(name)


def _find_hidden(joined: Iterable[tuple[str, str]], table: sqlite3.Connection) -> set[str]:
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
            members, aliases, targets = _find_connected(act, beside, table)
            done |= members
            targets.update(*(leads[member] for member in members if member in leads))
            hidden |= members - {min(targets - aliases or members - aliases, default="")}
    return hidden


def _find_connected(
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


_FEW_HOLDERS: Final = 100


class ServerHoldings:
    """The names on a server; see `lexurn.catalogue.Holdings` for what it does.

    A copy that several alias sets have is one node, so that each set seems to state of it what any
    of them does.
    """

    def __init__(
        self, store: RemoteStore, on_mended: Callable[[MendedFamily], None] | None = None
    ) -> None:
        """Ask a store; it stays open.

        Args:
            store: the store.
            on_mended: is told of each alias set that cannot be read whole, of which all that can
                be read is given; None where such a one is a fault.
        """
        self._store, self._on_mended = store, on_mended

    def as_far_as_readable(self, on_mended: Callable[[MendedFamily], None]) -> ServerHoldings:
        """The same, but of what cannot be read whole all that can be read of it."""
        return ServerHoldings(self._store, on_mended)

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases (canonical text, no annex)."""
        return next(iter(self.families([act])), None)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key."""
        found = read_families(self._store, _list_act_nodes(acts), self._on_mended, most)
        return sorted(found, key=lambda family: str(family.key))

    def is_any(self, acts: Collection[str]) -> bool:
        """Whether any of some acts is known."""
        found = select_in_parts(self._store, _list_act_nodes(acts), write_known_query, ["act"])
        return next(found, None) is not None

    def is_any_copy(self, urls: Collection[str]) -> bool:
        """Whether any name has any of some copies."""
        return bool(self._counts([self._store.term(url) for url in sorted(set(urls))]))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted.

        Numbers are found with up to ten digits, zeros in front included.
        """
        code, *units = jurisdiction.split(";")
        text = write_near_query(code, units, list_zero_padded(number), year)
        names = _parse_names(self._store.values(text, ["act"]))
        return sorted(str(n) for n in names if _is_near(n, jurisdiction, number, year))

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, sorted."""
        name = check(f"{head}:{day};x").name
        if name is None or name.work.details.dates[0].day is None:
            return ()
        names = _parse_names(self._store.values(write_dated_query(name, day), ["act"]))
        return sorted(act for act in map(str, names) if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """The names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            return ()
        return sorted(
            map(str, _parse_names(self._store.values(write_spelling_query(text), ["name"])))
        )

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, at most so many keys of alias sets that have it."""
        terms = [self._store.term(url) for url in dict.fromkeys(urls)]
        counts = self._counts(terms)
        few = [term for term in terms if 0 < counts.get(term, 0) <= _FEW_HOLDERS]
        acts: dict[str, list[str]] = {}
        for copy, act in select_in_parts(self._store, few, write_holders_query, ["copy", "act"]):
            acts.setdefault(copy.value, []).append(f"<{act.value}>")
        keys = self._keys(acts)
        for term in terms:
            if counts.get(term, 0) > _FEW_HOLDERS:
                keys[term[1:-1]] = self._keys_of_many(term, most)
        return {url: found[:most] for url, found in keys.items() if found}

    def copies(self, url: str, without: Collection[str]) -> Collection[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy."""
        held = self.holders([url], most=len(without) + 1).get(url, ())
        other = next((key for key in held if key not in without), None)
        families = () if other is None else self.families([other])
        records = (record for family in families for record in family.records)
        return frozenset(item for each in records for item in each.items if item.url == url)

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        return list_keys(self._store)

    def is_empty(self) -> bool:
        """Whether nothing at all is stated, not even what is half done or not ours."""
        return not list(self._store.values(ANYTHING_QUERY, ["s"]))

    def _counts(self, terms: Sequence[str]) -> dict[str, int]:
        """How many names have each of some copies; those that any has."""
        rows = select_in_parts(self._store, terms, write_count_query, ["copy", "names"])
        return {str(copy): read_count(names, self._store.place) for copy, names in rows}

    def _keys(self, acts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """For each URL the keys of the sets that have some acts (terms)."""
        known: dict[str, str] = {}
        for family in read_bare_families(
            self._store, [act for each in acts.values() for act in each]
        ):
            for record in family.records:
                if record.name.is_act:
                    known[f"<{record.name.iri}>"] = str(family.key)
        return {url: sorted({known[a] for a in each if a in known}) for url, each in acts.items()}

    def _keys_of_many(self, term: str, most: int) -> list[str]:
        """Keys of sets that have a copy which very many names have: as many as are asked for."""
        limit = 2 * most
        while True:
            try:
                rows = list(self._store.values(write_holders_query([term], limit), ["act"]))
            except TruncatedAnswerError:
                return self._keys_by_pages(term, most)
            keys = self._keys({"": [f"<{act.value}>" for (act,) in rows]})[""]
            if len(keys) >= most or len(rows) < limit:
                return keys
            limit *= 8

    def _keys_by_pages(self, term: str, most: int) -> list[str]:
        """The same, of a server that does not give so much at once."""
        rows = select_in_parts(self._store, [term], write_holders_query, ["act"])
        keys: set[str] = set()
        while len(keys) < most and (some := tuple(islice(rows, most))):
            keys.update(self._keys({"": [f"<{act.value}>" for (act,) in some]})[""])
        return sorted(keys)


def _list_act_nodes(acts: Iterable[str]) -> list[str]:
    """The nodes of the acts among some texts; what is no name is not known anywhere."""
    names = (check(act).name for act in sorted(set(acts)))
    return [f"<{name.act_name.iri}>" for name in names if name is not None]


def _parse_names(rows: Iterable[tuple[Term, ...]]) -> Iterator[Name]:
    return (name for (node,) in rows if (name := check(node.value).name) is not None)


def _is_near(name: Name, jurisdiction: str, number: str, year: str | None) -> bool:
    details = name.work.details
    return (
        name.is_act
        and str(name.jurisdiction) == jurisdiction
        and number in map(make_number_key, details.numbers)
        and (year is None or year in find_years(details))
    )


_LEASE_GRAPH: Final = f"<{BOOKKEEPING}writing>"
_WRITER: Final = f"<{BOOKKEEPING}writer>"
_SINCE: Final = f"<{BOOKKEEPING}writingSince>"
_UNTIL: Final = f"<{BOOKKEEPING}writingUntil>"
_LEASES_QUERY: Final = (
    f"SELECT ?turn ?who ?since ?until FROM {_LEASE_GRAPH} "  # noqa: S608 - SPARQL of our own terms
    f"WHERE {{ ?turn {_WRITER} ?who ; {_SINCE} ?since ; {_UNTIL} ?until }}"
)
_NOW_QUERY: Final = "SELECT (NOW() AS ?now) WHERE {}"

_LEASE_SECONDS: Final = 60.0
_RENEWAL_SECONDS: Final = 15.0
_RELEASE_SECONDS: Final = 10.0
_LONGEST_PAUSE: Final = 0.5
_ATTEMPTS: Final = 8
_TIE_PAUSE: Final = 0.05
_YEAR: Final = 366 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Lease:
    """What one process has said, or one renewal of it."""

    until: str
    node: str
    who: str
    since: str

    def lines(self) -> tuple[str, ...]:
        """Its quads."""
        stated = ((_WRITER, self.who), (_SINCE, self.since), (_UNTIL, self.until))
        return tuple(
            f"<{self.node}> {each} {format_literal(value)} {_LEASE_GRAPH} .\n"
            for each, value in stated
        )


class WriteLease:
    """The turn of this process; renewed by a thread until it is let go of."""

    def __init__(self, store: Store, *, wait: float) -> None:
        """Take the turn.

        Args:
            store: the store on the server.
            wait: how many seconds to wait for others.

        Raises:
            InUseError: another process has it.
            CatalogueError: the server cannot be asked or written to, or shows old data.
        """
        self._store = store
        self._clock = _ServerClock(store)
        self._guard, self._over = threading.Lock(), threading.Event()
        self._lost: str | None = None
        self._turn = self._taken(time.monotonic() + wait)
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def hold(self) -> None:
        """Make sure that it is still this process's turn.

        Raises:
            CatalogueError: it is not: for too long it could not be renewed, and another has it.
        """
        with self._guard:
            if self._lost is not None:
                raise CatalogueError(self._lost)
            if self._clock.now() >= self._turn.until:
                self._renew()

    def release(self) -> None:
        """Let go of it; where the server does not answer it ends by itself."""
        self._over.set()
        self._thread.join(_RELEASE_SECONDS)
        with suppress(CatalogueError):
            self._forget(self._turn.node)

    def _taken(self, end: float) -> _Lease:
        ties = 0
        while True:
            others = self._others()
            turn = None if others else self._claimed()
            if turn is not None:
                return turn
            ties += not others
            may_try = not others and ties < _ATTEMPTS
            if time.monotonic() >= end and not may_try:
                raise InUseError(self._refusal(others))
            # Two that wait for equally long would meet again.
            longest = _LONGEST_PAUSE if others else _TIE_PAUSE * 2 ** min(ties, _ATTEMPTS)
            time.sleep(random.uniform(0, longest))  # noqa: S311 - no secret

    def _refusal(self, others: Sequence[_Lease]) -> str:
        if not others:
            return (
                f"{self._store.place} is in use: several processes want to write to it at once; "
                "try again, or use --wait"
            )
        turn = max(others)
        left = dt.datetime.fromisoformat(turn.until) - dt.datetime.fromisoformat(self._clock.now())
        return (
            f"{self._store.place} is in use: {turn.who} writes to it since {turn.since}; try again "
            "when it is done, or use --wait (if it died, its turn ends by itself in "
            f"{max(1, round(left.total_seconds()))} seconds)"
        )

    def _claimed(self) -> _Lease | None:
        """The turn, None where another process wants it at the same moment.

        Raises:
            CatalogueError: the server does not show what was just written.
        """
        who = f"process {os.getpid()} on {socket.gethostname()}"
        now, until = self._clock.now(), self._clock.now(_LEASE_SECONDS)
        turn = _Lease(node=uuid.uuid4().urn, who=who, since=now, until=until)
        self._store.change((), turn.lines())
        is_ours = False
        try:
            self._refuse_unless_shown(turn)
            is_ours = not self._others(turn.node)
        finally:
            if not is_ours:
                self._forget(turn.node)
        if not is_ours:
            return None
        for dead in {each.node for each in self._said() if each.until <= now}:
            self._forget(dead)
        return turn

    def _refuse_unless_shown(self, turn: _Lease) -> None:
        if all(each.node != turn.node for each in self._said()):
            raise CatalogueError(
                f"{self._store.place} does not show what was just written, so that nobody can be "
                "sure to write alone; load where it is written first"
            )

    def _others(self, own: str = "") -> list[_Lease]:
        """The turns of others that have not ended."""
        self._clock = _ServerClock(self._store)
        now = self._clock.now()
        return [each for each in self._said() if each.node != own and each.until > now]

    def _said(self) -> list[_Lease]:
        rows = select_values(self._store, _LEASES_QUERY, "turn", "who", "since", "until")
        return [_Lease(node=n, who=w, since=s, until=u) for n, w, s, u in rows]

    def _forget(self, node: str) -> None:
        """Take out all that was said of a turn."""
        said = f"{{ GRAPH {_LEASE_GRAPH} {{ <{node}> ?property ?value }} }}"
        self._store.update(f"DELETE {said} WHERE {said}")

    def _keep(self) -> None:
        while not self._over.wait(_RENEWAL_SECONDS):
            with self._guard, suppress(CatalogueError):
                if not self._over.is_set():
                    self._renew()

    def _renew(self) -> None:
        """Say that it goes on.

        Raises:
            CatalogueError: the server does not answer; or it ended, and another process has had it.
        """
        old, self._clock = self._turn, _ServerClock(self._store)
        new = _Lease(
            node=old.node, who=old.who, since=old.since, until=self._clock.now(_LEASE_SECONDS)
        )
        # First in, then out: nobody shall see a moment without.
        self._store.change((), new.lines())
        if self._over.is_set():
            # It was let go of while the server took its time.
            self._forget(new.node)
            return
        if old.until <= self._clock.now():
            self._refuse_if_lost(old)
        self._turn = new
        self._store.change(set(old.lines()) - set(new.lines()), ())

    def _refuse_if_lost(self, old: _Lease) -> None:
        """Make sure that nobody came while the turn had ended.

        Who takes a turn forgets those that have ended: what this process said before is then gone,
        even if the other has written and left.

        Raises:
            CatalogueError: somebody came, so that what is held is not what it was.
        """
        others = self._others(old.node)
        if not others and old in self._said():
            return
        done = "another process wrote to it; do it again"
        if others:
            done = f"{max(others).who} writes to it; do it again when it is done"
        self._lost = f"{self._store.place} could not be reached for too long, and meanwhile {done}"
        self._over.set()
        self._forget(old.node)
        raise CatalogueError(self._lost)


class _ServerClock:
    """The time of a server, as texts that are sorted like the moments."""

    def __init__(self, store: Store) -> None:
        """Ask for it.

        Raises:
            CatalogueError: the server does not know it.
        """
        rows = select_values(store, _NOW_QUERY, "now")
        try:
            ((said,),) = rows
            moment = dt.datetime.fromisoformat(said)
            zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
            self._start, self._started = zoned.astimezone(dt.UTC), _read_clocks()
            self.now(_YEAR)
        except (ValueError, OverflowError):
            raise CatalogueError(
                f"{store.place} does not say what time it is (NOW() in SPARQL), so that processes "
                "cannot take turns to write to it"
            ) from None

    def now(self, later: float = 0.0) -> str:
        """This moment, or one some seconds later, in UTC."""
        passed = max(b - a for a, b in zip(self._started, _read_clocks(), strict=True))
        moment = self._start + dt.timedelta(seconds=passed + later)
        return moment.isoformat(timespec="milliseconds")


def _read_clocks() -> tuple[float, float]:
    """Two ways to tell how much time passed: one stops while a machine sleeps, one may be set."""
    return time.monotonic(), time.time()


_ABOUT: Final = f"<{BOOKKEEPING}about>"
_BASE: Final = f"<{BOOKKEEPING}base>"
_BASE_QUERY: Final = (
    f"SELECT ?base FROM NAMED {_ABOUT} "  # noqa: S608 - SPARQL of our own terms
    f"WHERE {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} ?base }} }}"
)


class ServerCatalogue(CatalogueQueries):
    """A catalogue on a server; see `lexurn.catalogue.Catalogue`.

    There is no index beside it, and no journal: a load that was interrupted is completed when it
    is run again. One process writes at a time; any number read.
    """

    portion = 0  # what comes is sent at once: the turn to write is short

    def __init__(
        self, place: str, *, write: bool = False, base: str | None = None, wait: float = 0.0
    ) -> None:
        """Make ready to ask the server; `open_catalogue` says what may go wrong."""
        self.store = RemoteStore(place)
        self.holdings = ServerHoldings(self.store)
        self.place = self.store.place
        self._turn: WriteLease | None = None
        try:
            if write:
                self._turn = WriteLease(self.store, wait=wait)
                # Whoever forgets to close it stops nobody, once the process ends.
                self._let_go = weakref.finalize(self, self._turn.release)
            self.base = self._base_of(base)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the turn to write, and of the connections."""
        if self._turn is not None:
            self._let_go()
            self._turn = None
        self.store.close()

    def _hold(self) -> None:
        """Make sure that nobody else writes.

        Raises:
            CatalogueError: somebody may, or it was opened for reading.
        """
        if self._turn is None:
            raise CatalogueError(f"{self.place} is open for reading only; open it for writing")
        self._turn.hold()

    def _base_of(self, asked: str | None) -> str | None:
        """The base that the catalogue was made with, which stands on the server."""
        found = self.store.rows(_BASE_QUERY)
        held = next((row["base"].value for row in found), None)
        if held is None and asked and self._turn is not None and self.holdings.is_empty():
            self.store.update(f'INSERT DATA {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} "{asked}" }} }}')
            return asked
        refuse_other_base(self.place, held, asked)
        return held

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed.

        Raises:
            CatalogueError: the server does not do it.
            GraphError: a value that no graph can hold.
        """
        # Whoever merges is told; of others only the keys and the copies are asked.
        readable = self.holdings.as_far_as_readable(ignore_mended)
        nquads = b"".join(nquads_of(f, as_of=as_of, base=self.base) for f in merge.new)
        change = compute_change(merge, nquads, self.store, readable, as_of=as_of, base=self.base)
        self._hold()
        self.store.change(change.removed, change.added)
        return select_changed(merge, change)

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = {url for each in rows for url, *_ in each.copies}
        return not self.holdings.is_any(acts) and not self.holdings.is_any_copy(urls)

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:  # noqa: ARG002 - none has it
        """None: a server tells only with what it takes to change them."""
        return frozenset()

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:  # noqa: ARG002 - the day stands in the quads
        """Put in families that are new.

        Raises:
            CatalogueError: the server does not take them.
        """
        if rows:
            self._hold()
            self.store.fill(nquads)

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own.

        Raises:
            CatalogueError: it is no update, or the server does not do it.
        """
        self._hold()
        self.store.update(text)
