"""Names given out by a catalogue: none twice, however many processes mint (RFC 9676 6.3.3, 9.3).

A name that is minted is taken from that moment on, long before its document is loaded. What was
given out stands beside the catalogue and is never forgotten: a number that nobody uses is listed
by `Minter.waiting`, never given again. In a folder that is ``given.sqlite``. On a server it is a
graph: a process that mints writes a claim, then looks who else claims the name. Alone with it, the
claim stands; else it is taken back. Of two that claim at once, each sees the other or comes first,
so that never both keep it. A server must show at once what was written.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
import sqlite3
import time
import uuid
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lexurn.catalogue.index import STALE, list_journal_names
from lexurn.errors import CatalogueError
from lexurn.minting import Action, Minted, Taken, split_lex_number, try_mint
from lexurn.name import check, parse
from lexurn.store import format_literal, select_values
from lexurn.vocabulary import LEXO, XSD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any, Final, Self

    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.index import Index
    from lexurn.name import Name
    from lexurn.registry import Registry
    from lexurn.store import Store

BOOKKEEPING: Final = "https://w3id.org/lexurn/catalogue#"
"""What the names of such graphs and of their properties begin with."""
_ATTEMPTS: Final = 12
_PAUSE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One name for one document.

    Attributes:
        name: the name without a partition, canonical.
        place: where the document's metadata stand, ``acts.csv:17``; may be empty.
        digest: of its metadata.
    """

    name: Name
    place: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class GivenName:
    """A name that was given out.

    Attributes:
        name: the name, canonical.
        given_on: when, in UTC.
        place: where the metadata stood, ``acts.csv:17``; empty where that was not said.
    """

    name: str
    given_on: dt.datetime
    place: str


class Claims(Protocol):
    """Where names that were given out are written down; everybody who mints sees the same."""

    def turn(self) -> AbstractContextManager[None]:
        """What is claimed within is claimed for good at the end, or not at all; or each at once."""
        ...

    def has(self, name: Name) -> bool:
        """Whether a name (of any level, no partition) is held by the catalogue or given out."""
        ...

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are held or given out."""
        ...

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        ...

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where another process was quicker."""
        ...

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place."""
        ...

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class Minter:
    """What mints for a catalogue; a context manager.

    No two processes are given the same name, whenever they end and however.
    """

    def __init__(self, claims: Claims, *, also: Taken | None = None) -> None:
        """Mint with ``claims``; ``also`` holds names that are taken besides."""
        self._claims = claims
        self._also = also if also is not None else Taken()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._claims.close()

    def together(self) -> AbstractContextManager[None]:
        """Several names at once, which keeps others waiting while they are minted.

        In a folder they are given out at the end of the block, or none of them; on a server each at
        once.
        """
        return self._claims.turn()

    def has(self, name: Name) -> bool:
        """Whether a name, its partition aside, is taken."""
        return name in self._also or self._claims.has(name.document)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are taken."""
        return {*self._also.known(acts), *self._claims.known(acts)}

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` ever seen behind a name up to its numbers; 0 without any."""
        return max(self._also.next_after(before) - 1, self._claims.highest(before))

    def mint(
        self,
        fields: Mapping[str, object],
        *,
        registry: Registry | None = None,
        place: str = "",
        again: bool = False,
    ) -> Minted:
        """Mint a name that nobody has, and give it out.

        Args:
            fields: the metadata, as `lexurn.mint` has them.
            registry: the registry to look words up in; None: the built-in one.
            place: where the metadata stand, so that it can be found out what a name was for.
            again: whether the same metadata at the same place, seen before, keep their name.

        Returns:
            The name with its steps; a name that is taken is a finding (LX770).

        Raises:
            CatalogueError: the names cannot be read or written, or others were always quicker.
        """
        digest = _digest_fields(fields)
        kept = self._claims.earlier(place, digest) if again else None
        if kept is not None:
            return _mint_again(fields, kept, registry)
        for attempt in range(_ATTEMPTS):
            with self._claims.turn():
                minted = try_mint(fields, registry=registry, taken=Taken(register=self))
                if minted.name is None:
                    if not _is_overtaken(minted):
                        return minted
                elif self._claims.claim(
                    Claim(name=minted.name.document, place=place, digest=digest)
                ):
                    return minted
            # Two that wait for equally long would meet again.
            time.sleep(random.uniform(0, _PAUSE * 2**attempt))  # noqa: S311 - no secret
        raise CatalogueError(
            "too many processes mint names of this kind at once; nothing was given out, try again"
        )

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted.

        Raises:
            CatalogueError: the names cannot be read.
        """
        return self._claims.waiting()


@contextmanager
def open_minter(catalogue: Catalogue, *, also: Taken | None = None) -> Iterator[Minter]:
    """What mints for a catalogue; it need not be open for writing, nor be free.

    Args:
        catalogue: the catalogue.
        also: names that are taken besides.

    Raises:
        CatalogueError: the names that were given out cannot be opened.
    """
    with Minter(_open_claims(catalogue), also=also) as given:
        yield given


def _open_claims(catalogue: Catalogue) -> Claims:
    from lexurn.catalogue.folder import FolderCatalogue  # noqa: PLC0415  (loads an engine)

    if isinstance(catalogue, FolderCatalogue):
        return FolderClaims(catalogue.place, catalogue.holdings)

    return ServerClaims(catalogue.store)


def find_series(before: str) -> str | None:
    """The canonical text of a name up to its numbers; None where no name begins so."""
    name = check(f"{before}lex-1").name
    found = None if name is None else split_lex_number(str(name.act_name))
    return None if found is None else found[0]


def format_now() -> str:
    """This moment in UTC, to the second."""
    return dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds")


def _is_overtaken(minted: Minted) -> bool:
    """Whether a number was free when it was allocated, and had gone when the name was ready."""
    is_allocated = any(step.action is Action.ALLOCATED for step in minted.steps)
    return is_allocated and {found.code for found in minted.errors} == {"LX770"}


def _digest_fields(fields: Mapping[str, object]) -> str:
    text = json.dumps(fields, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _mint_again(fields: Mapping[str, object], kept: str, registry: Registry | None) -> Minted:
    """The name that was given before, with the steps to it where they still lead there."""
    taken = Taken(unique=False)
    found = split_lex_number(str(parse(kept).act_name))
    if found is not None and found[1] > 1:
        taken.add(parse(f"{found[0]}lex-{found[1] - 1}"))
    minted = try_mint(fields, registry=registry, taken=taken)
    if minted.name is not None and str(minted.name.document) == kept:
        return minted
    return Minted(name=parse(kept))


_VERSION: Final = 1
_LONGEST_WAIT: Final = 120.0
_SCHEMA: Final = f"""
CREATE TABLE given (
  name TEXT PRIMARY KEY, given_on TEXT NOT NULL, place TEXT NOT NULL, digest TEXT NOT NULL
  ) WITHOUT ROWID;
CREATE INDEX given_by_place ON given (place, digest);
CREATE TABLE series (before TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_RAISE_SERIES: Final = (
    "INSERT INTO series VALUES (?, ?) "
    "ON CONFLICT (before) DO UPDATE SET last = MAX(last, excluded.last)"
)
_NEXT_GIVEN: Final = "SELECT name, given_on, place FROM given WHERE name > ? ORDER BY name LIMIT ?"
_BATCH: Final = 1_000
_NUMBERED_ACTS: Final = "SELECT name FROM act WHERE name >= ? AND name < ?"


class _IndexState(NamedTuple):
    """What was read of an index.

    Attributes:
        version: when: another one has changed.
        arriving: the names that a load has begun to write.
        highest: by series, the highest N of ``lex-N``.
    """

    version: object
    arriving: frozenset[str]
    highest: dict[str, int]


class FolderClaims:
    """See `Claims`; one process at a time has its turn.

    The index is only read, so that a load may go on meanwhile.
    """

    def __init__(self, folder: str, index: Index) -> None:
        """Open what was given out; the file is made where there is none.

        Raises:
            CatalogueError: it cannot be opened, is damaged, or another version made it.
        """
        self._path = Path(folder) / "given.sqlite"
        self._mark = Path(folder) / "given.begun"
        self._index = index
        self._depth = 0
        self._seen = _IndexState(None, frozenset(), {})
        with self._faults():
            self._database = sqlite3.connect(
                self._path, isolation_level=None, timeout=_LONGEST_WAIT
            )
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        if self._mark.exists() and self._version() == 0:
            raise CatalogueError(
                f"{self._path} was lost or emptied; put a copy of it back, since it says which "
                f"names are taken (or remove {self._mark.name}, if they may be given again)"
            )
        # A power cut must not bring a number back: the folder is synchronised too.
        self._database.execute("PRAGMA synchronous = EXTRA")
        if self._version() != _VERSION:
            with self.turn():
                if self._version() == 0:
                    for statement in _SCHEMA.split(";\n"):
                        self._database.execute(statement)
        if self._version() != _VERSION:
            raise CatalogueError(
                f"{self._path} was made by another version of lexurn; mint with that version"
            )
        if not self._mark.exists():
            with suppress(OSError):  # who may only read lists what was given out
                self._mark.touch()  # behind the tables: it is never there without them

    def _version(self) -> int:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        return int(version)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """What is claimed within is claimed for good at the end, or not at all."""
        if self._depth:
            yield
            return
        self._run("BEGIN IMMEDIATE")
        self._depth = 1
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            # SQLite has done so itself where the disk is full.
            if self._database.in_transaction:
                self._run("ROLLBACK")
            raise
        finally:
            self._depth = 0

    def has(self, name: Name) -> bool:
        """Whether a name is held by the catalogue, on its way into it, or given out."""
        text = str(name)
        if self._row("SELECT 1 FROM given WHERE name = ?", text):
            return True
        return text in self._index_now.arriving or self._is_held(name)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts are held by the catalogue, on their way into it, or given out."""
        given = (self._row("SELECT name FROM given WHERE name = ?", act) for act in acts)
        held = self._index_now.arriving.intersection(acts) | self._index.known(acts)
        return {*(name for (name,) in filter(None, given)), *held}

    def _is_held(self, name: Name) -> bool:
        if name == name.act_name:
            found = self._index.is_any([str(name)])
        else:
            family = self._index.family(str(name.act_name))
            found = family is not None and any(record.name == name for record in family.records)
        if not found:
            self._check_whole()
        return found

    def _check_whole(self) -> None:
        """Refuse to believe an index that is being made anew.

        Raises:
            CatalogueError: names may be missing from it.
        """
        if self._index.setting(STALE):
            raise CatalogueError(
                f"{self._path.parent}: its index of names is being made again; mint when it is done"
            )

    @property
    def _index_now(self) -> _IndexState:
        """What was read of the index, remembered until somebody changes it."""
        # The first counts what other connections commit, the second what this one does.
        version = (*self._index.rows("PRAGMA data_version"), self._index.database.total_changes)
        if self._seen.version != version:
            journal = self._index.pending()
            arriving = frozenset() if journal is None else list_journal_names(journal)
            self._seen = _IndexState(version, arriving, {})
        return self._seen

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        series = find_series(before)
        if series is None:
            return 0
        given = self._row("SELECT last FROM series WHERE before = ?", series)
        return max(given[0] if given else 0, self._highest_held(series))

    def _highest_held(self, series: str) -> int:
        seen = self._index_now
        if series not in seen.highest:
            # "." comes right behind "-".
            rows = self._index.rows(_NUMBERED_ACTS, f"{series}lex-", f"{series}lex.")
            names = [name for (name,) in rows]
            names += (name for name in seen.arriving if name.startswith(series))
            seen.highest[series] = _find_highest(names, series)
            self._check_whole()
        return seen.highest[series]

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where the name is given out already."""
        row = (str(claim.name), format_now(), claim.place, claim.digest)
        with self._faults():
            done = self._database.execute("INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?)", row)
            numbered = split_lex_number(str(claim.name.act_name))
            if done.rowcount and numbered is not None:
                self._database.execute(_RAISE_SERIES, numbered)
        return bool(done.rowcount)

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place."""
        row = self._row("SELECT name FROM given WHERE place = ? AND digest = ?", place, digest)
        return None if row is None else str(row[0])

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        last = ""
        # Some at a time: a query that stays open would keep all others from minting.
        while rows := self._rows(_NEXT_GIVEN, last, _BATCH):
            for name, given_on, place in rows:
                if not self._is_held(parse(name)):
                    when = dt.datetime.fromisoformat(given_on)
                    yield GivenName(name=name, given_on=when, place=place)
            last = rows[-1][0]

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _row(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._rows(statement, *values)), None)

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._faults():
            return self._database.execute(statement, values).fetchall()

    def _run(self, statement: str) -> None:
        with self._faults():
            self._database.execute(statement)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Faults of SQLite in words.

        Raises:
            CatalogueError: in place of what SQLite raises.
        """
        try:
            yield
        except sqlite3.Error as fault:
            raise CatalogueError(f"{self._path}: {_explain_fault(fault)}") from None


def _find_highest(names: Iterable[str], series: str) -> int:
    """The highest N of the names that are ``lex-N`` behind ``series``."""
    found = (split_lex_number(name) for name in names)
    return max((number for before, number in filter(None, found) if before == series), default=0)


def _explain_fault(fault: sqlite3.Error) -> str:
    message = str(fault)
    if "locked" in message:
        return "others mint without a pause; try again"
    if "full" in message or "disk I/O" in message:
        return f"the disk takes no more ({message}); free space, then mint again"
    if "readonly" in message or "unable to open" in message:
        return "cannot be written; minting has to note the names that it gives out"
    if "not a database" in message or "malformed" in message:
        return f"is damaged ({message}); put a copy of it back, since it says which names are taken"
    return message


_CLAIMS_GRAPH: Final = f"<{BOOKKEEPING}given>"
_DATASET: Final = f"FROM {_CLAIMS_GRAPH}"
_GIVEN_NAME: Final = f"<{BOOKKEEPING}givenName>"
_GIVEN_SERIES: Final = f"<{BOOKKEEPING}givenSeries>"
_GIVEN_NUMBER: Final = f"<{BOOKKEEPING}givenNumber>"
_GIVEN_ON: Final = f"<{BOOKKEEPING}givenOn>"
_GIVEN_PLACE: Final = f"<{BOOKKEEPING}givenPlace>"
_GIVEN_DIGEST: Final = f"<{BOOKKEEPING}givenDigest>"
_NAMES_AT_ONCE: Final = 100
_PAGE_SIZE: Final = 500


class ServerClaims:
    """See `Claims`; the names in claims are texts, never nodes."""

    def __init__(self, store: Store) -> None:
        """Claim in a store; nothing is asked yet."""
        self._store = store

    def turn(self) -> AbstractContextManager[None]:
        """Nothing: each claim stands by itself."""
        return nullcontext()

    def has(self, name: Name) -> bool:
        """Whether a name is held by the catalogue or given out."""
        given = self._store.query(
            f"ASK {_DATASET} {{ ?claim {_GIVEN_NAME} {format_literal(str(name))} }}"
        )
        return bool(given) or bool(self._held([name]))

    def _held(self, names: Collection[Name]) -> set[str]:
        """Which of some names the catalogue holds, as IRIs."""
        values = " ".join(f"<{name.iri}>" for name in names)
        text = f"SELECT DISTINCT ?name WHERE {{ VALUES ?name {{ {values} }} ?name ?p ?o }}"
        return {iri for (iri,) in select_values(self._store, text, "name")}

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts are held by the catalogue or given out."""
        if not acts:
            return ()
        values = " ".join(format_literal(act) for act in acts)
        given = self._claims(f"VALUES ?name {{ {values} }} ?claim {_GIVEN_NAME} ?name", "name")
        held = self._held([parse(act) for act in acts])
        return {*(name for (name,) in given), *(act for act in acts if parse(act).iri in held)}

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        series = find_series(before)
        if series is None:
            return 0
        return max(self._highest_given(series), self._highest_held(series))

    def _highest_given(self, series: str) -> int:
        # The server looks through them: there may be many.
        pattern = f"?claim {_GIVEN_SERIES} {format_literal(series)} ; {_GIVEN_NUMBER} ?number"
        text = f"SELECT (MAX(?number) AS ?highest) {_DATASET} WHERE {{ {pattern} }}"
        return max(
            (int(number) for (number,) in select_values(self._store, text, "highest")), default=0
        )

    def _highest_held(self, series: str) -> int:
        rows = select_values(self._store, _write_series_query(parse(f"{series}lex-1")), "name")
        names = (check(text).name for (text,) in rows)
        found = (split_lex_number(str(name.act_name)) for name in names if name is not None)
        return max((number for at, number in filter(None, found) if at == series), default=0)

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where another process claims the same, and nothing is left.

        Raises:
            CatalogueError: the server does not show what was just written.
        """
        node = uuid.uuid4().urn
        lines = tuple(_write_claim(node, claim))
        self._store.change((), lines)
        found = self._claims(f"?claim {_GIVEN_NAME} {format_literal(str(claim.name))}", "claim")
        claiming = {who for (who,) in found}
        if node not in claiming:
            raise CatalogueError(
                f"{self._store.place} does not show what was just written, so that nobody can be "
                f"sure to have a name alone; mint where it is written first ({claim.name} stays "
                "claimed)"
            )
        if claiming != {node}:
            self._store.change(lines, ())
        return claiming == {node}

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place, to nobody else.

        Of two processes that claimed one name at once and died before they looked, none has it.
        """
        pattern = (
            f"?claim {_GIVEN_PLACE} {format_literal(place)} ; "
            f"{_GIVEN_DIGEST} {format_literal(digest)} ; {_GIVEN_NAME} ?name "
            f"FILTER NOT EXISTS {{ ?other {_GIVEN_NAME} ?name FILTER(?other != ?claim) }}"
        )
        return min((name for (name,) in self._claims(pattern, "name")), default=None)

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        names = self._names()
        while some := tuple(islice(names, _NAMES_AT_ONCE)):
            held = self._held([parse(name) for name in some])
            left = [format_literal(name) for name in some if parse(name).iri not in held]
            if not left:
                continue
            pattern = f"?claim {_GIVEN_NAME} ?name ; {_GIVEN_ON} ?on ; {_GIVEN_PLACE} ?place"
            pattern = f"VALUES ?name {{ {' '.join(left)} }} {pattern}"
            for name, on, place in sorted(set(self._claims(pattern, "name", "on", "place"))):
                when = dt.datetime.fromisoformat(on)
                yield GivenName(name=name, given_on=when, place=place)

    def _names(self) -> Iterator[str]:
        """The names that were given out, sorted; page by page, since none is ever forgotten."""
        last = ""
        while True:
            text = (
                f"SELECT DISTINCT ?name {_DATASET} WHERE {{ ?claim {_GIVEN_NAME} ?name "
                f"FILTER(STR(?name) > {format_literal(last)}) }} ORDER BY ?name LIMIT {_PAGE_SIZE}"
            )
            page = [name for (name,) in select_values(self._store, text, "name") if name > last]
            yield from page
            if len(page) < _PAGE_SIZE:
                return
            last = page[-1]

    def close(self) -> None:
        """Nothing is open."""

    def _claims(self, pattern: str, *columns: str) -> list[tuple[str, ...]]:
        """The values that a pattern has among the claims."""
        variables = " ".join(f"?{column}" for column in columns)
        text = f"SELECT {variables} {_DATASET} WHERE {{ {pattern} }}"
        return select_values(self._store, text, *columns)


def _write_claim(node: str, claim: Claim) -> Iterator[str]:
    """The quads of a claim."""
    stated = {
        _GIVEN_NAME: str(claim.name),
        _GIVEN_ON: format_now(),
        _GIVEN_PLACE: claim.place,
        _GIVEN_DIGEST: claim.digest,
    }
    series = split_lex_number(str(claim.name.act_name))
    if series is not None:
        stated[_GIVEN_SERIES] = series[0]
        yield f'<{node}> {_GIVEN_NUMBER} "{series[1]}"^^<{XSD}integer> {_CLAIMS_GRAPH} .\n'
    for predicate, value in stated.items():
        yield f"<{node}> {predicate} {format_literal(value)} {_CLAIMS_GRAPH} .\n"


def _write_series_query(name: Name) -> str:
    """What finds the acts of the same issuers and day that have no number of their own."""
    details = name.work.details
    days = details.dates[0].iso if details.dates else details.period or ""
    values = f"{format_literal(days)} {format_literal(days)}^^<{XSD}date>"
    predicate = f"<{LEXO}{'date' if details.dates else 'period'}>"
    return (
        f"SELECT DISTINCT ?name WHERE {{ VALUES ?day {{ {values} }} "
        f"?name {predicate} ?day ; <{LEXO}authority> {format_literal(str(name.work.authority))} ; "
        f'<{LEXO}number> ?number FILTER(STRSTARTS(?number, "lex-")) }}'
    )
