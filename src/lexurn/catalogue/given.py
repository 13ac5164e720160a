"""Names given out by a catalogue: none twice, however many processes mint (RFC 9676 §6.3.3, §9.3).

A name is taken as soon as it is minted, long before its document is loaded. The names stand in
``given.sqlite``, beside the catalogue, and are never deleted. A number that nobody uses is listed
by `Minter.waiting` and never given again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sqlite3
from collections import defaultdict
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from lexurn.catalogue.index import (
    STALE,
    Index,
    IndexFile,
    is_damage,
    is_disk_full,
    list_journal_names,
)
from lexurn.errors import CatalogueError
from lexurn.minting import Action, Minted, Taken, split_lex_number, try_mint
from lexurn.name import check, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from lexurn.catalogue.folder import Catalogue
    from lexurn.catalogue.server import ServerCatalogue
    from lexurn.manifest import FieldRow
    from lexurn.name import Name
    from lexurn.registry import Registry

_ATTEMPTS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class GivenName:
    """Name that was given out.

    Attributes:
        name: the name, canonical.
        given_on: when, in UTC.
        location: where the metadata stood, ``acts.csv:17``; empty where that was not said. Line 0
            is that of a row which has gone from its table; one with ``?`` may be rejected there.
    """

    name: str
    given_on: dt.datetime
    location: str


_VERSION: Final = 1
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
_ROWS_OF_FILE: Final = "SELECT name, place, digest FROM given WHERE place >= ? AND place < ?"
# The digest of a row begins with that of its fields.
_FIND_ROW: Final = "SELECT name FROM given WHERE place = ?1 AND digest >= ?2 AND digest < ?2 || 'g'"
_MOVE_ROW: Final = (
    "UPDATE given SET place = ?1, digest = ?2 WHERE name = ?3 AND (place, digest) <> (?1, ?2)"
)
_LEAVE_TABLE: Final = "UPDATE given SET place = ? WHERE name = ?"
_LEAVE_LINE: Final = (
    "UPDATE given SET place = place || '?' WHERE name = ?"
    " AND place NOT LIKE '%:0' AND place NOT LIKE '%?'"
)
_NEXT_GIVEN: Final = "SELECT name, given_on, place FROM given WHERE name > ? ORDER BY name LIMIT ?"
_BATCH: Final = 1_000
_FIELDS_LENGTH: Final = 32  # of their digest
_NUMBERED_ACTS: Final = "SELECT name FROM act WHERE name >= ? AND name < ?"


class _IndexState(NamedTuple):
    """State of an index, as far as it was read.

    Attributes:
        version: equal as long as nobody changes the index.
        arriving: the names that a load has begun to write.
        highest: by series, the highest N of ``lex-N``.
    """

    version: object
    arriving: frozenset[str]
    highest: dict[str, int]


class Minter(IndexFile, AbstractContextManager["Minter"]):
    """Minter of names for a catalogue; a context manager.

    No two processes are given the same name, whenever they end and however: the names given out
    stand in a file beside the index. The index is only read, so that a load may go on meanwhile.
    """

    schema = _SCHEMA
    # A power cut must not bring a number back: the folder is synchronised too.
    settings: tuple[str, ...] = ("PRAGMA synchronous = EXTRA",)
    longest_wait = 120.0

    def __init__(
        self, folder: Path, index: Index, *, also: Taken | None = None, dry_run: bool = False
    ) -> None:
        """Open the file; make it where there is none.

        Names that ``also`` holds are taken besides. A dry run works on a temporary copy.

        Raises:
            CatalogueError: it cannot be opened, is damaged, or another version made it.
        """
        self._index, self._dry_run = index, dry_run
        self._also = also if also is not None else Taken()
        self._state = _IndexState(None, frozenset(), {})
        path, mark = folder / "given.sqlite", folder / "given.begun"
        if mark.exists() and not (path.exists() and path.stat().st_size):
            raise CatalogueError(
                f"{path} was lost or emptied. Restore a copy of it, because it lists which "
                f"names are taken. Or remove {mark.name}, if they may be given again."
            )
        super().__init__(path, write=True)
        if self._read_version() != _VERSION:
            self.close()
            raise CatalogueError(
                f"{path} was made by another version of lexurn. Mint with that version."
            )
        if not dry_run and not mark.exists():
            with suppress(OSError):  # without write access, names can be listed all the same
                mark.touch()  # after the tables: it is never there without them

    def _connect(self) -> None:
        if not self._dry_run:
            super()._connect()
            return
        self._seen = None
        # A file without a name is a temporary one, which SQLite deletes at the end.
        self.database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        if self.path.exists():
            with closing(IndexFile(self.path)) as given:
                given.database.backup(self.database)

    def _read_version(self) -> int:
        (version,) = self.database.execute("PRAGMA user_version").fetchone()
        return int(version)

    def _is_blank(self) -> bool:
        return self._read_version() == 0

    def __exit__(self, *_: object) -> None:
        self.close()

    def together(self) -> AbstractContextManager[None]:
        """Give out the names that are minted in the block at its end, or none of them.

        Other processes wait meanwhile.
        """
        return self.transaction()

    def has(self, name: Name) -> bool:
        """Return whether a name, its partition aside, is held, being loaded, or given out."""
        document = name.document
        return (
            name in self._also
            or self._row("SELECT 1 FROM given WHERE name = ?", str(document)) is not None
            or str(document) in self._index_now.arriving
            or self._is_held(document)
        )

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Return those of some acts (canonical texts) that are held, being loaded or given out."""
        given = (self._row("SELECT name FROM given WHERE name = ?", act) for act in acts)
        held = self._index_now.arriving.intersection(acts) | self._index.known(acts)
        return {*self._also.known(acts), *(name for (name,) in filter(None, given)), *held}

    def _is_held(self, name: Name) -> bool:
        if name == name.act_name:
            found = bool(self._index.known([str(name)]))
        else:
            family = self._index.family(str(name.act_name))
            found = family is not None and any(record.name == name for record in family.records)
        if not found:
            self._check_whole()
        return found

    def _check_whole(self) -> None:
        """Raise if the index is being made again: names may be missing from it.

        Raises:
            CatalogueError: it is.
        """
        if self._index.setting(STALE):
            raise CatalogueError(
                f"{self.path.parent}: the index of names is being rebuilt. Mint when that is done."
            )

    @property
    def _index_now(self) -> _IndexState:
        """State of the index, read again when somebody has changed it."""
        # The first counts what other connections commit, the second what this one does.
        version = (*self._index.rows("PRAGMA data_version"), self._index.database.total_changes)
        if self._state.version != version:
            journal = self._index.pending()
            arriving = frozenset(chain.from_iterable(map(list_journal_names, journal)))
            self._state = _IndexState(version, arriving, {})
        return self._state

    def highest(self, before: str) -> int:
        """Return the highest N of ``lex-N`` after ``before``, held or given out; else 0."""
        also = self._also.next_after(before) - 1
        name = check(f"{before}lex-1").name
        found = None if name is None else split_lex_number(str(name.act_name))
        if found is None:
            return also
        series = found[0]
        row = self._row("SELECT last FROM series WHERE before = ?", series)
        seen = self._index_now
        if series not in seen.highest:
            # "." comes directly after "-".
            rows = self._index.rows(_NUMBERED_ACTS, f"{series}lex-", f"{series}lex.")
            names = [name for (name,) in rows]
            names += (name for name in seen.arriving if name.startswith(series))
            numbers = (split_lex_number(name) for name in names)
            seen.highest[series] = max(
                (number for before, number in filter(None, numbers) if before == series), default=0
            )
            self._check_whole()
        return max(also, int(row[0]) if row else 0, seen.highest[series])

    def mint(
        self,
        fields: Mapping[str, object],
        *,
        registry: Registry | None = None,
        location: str = "",
        list_cells: Callable[[], Mapping[str, str]] = dict,
        again: bool = False,
    ) -> Minted:
        """Mint a name that nobody has, and give it out.

        Args:
            fields: the metadata, as `lexurn.mint` has them.
            registry: the registry to look words up in; None: the built-in one.
            location: where the metadata stand, so that it can be found out what a name was for.
            list_cells: lists the other cells, which tell a row from those with equal fields.
            again: whether the same metadata at the same location, seen before, keep their name.

        Returns:
            The name with its steps; a name that is taken is a finding (LX770).

        Raises:
            CatalogueError: the names cannot be read or written, or a load takes each of them first.
        """
        digest = _digest_fields(fields)
        row = self._row(_FIND_ROW, location, digest) if again else None
        if row is not None:
            known = str(row[0])
            # Mint again to get the steps; if they now lead to another name, return the name alone.
            earlier = Taken(unique=False)
            found = split_lex_number(str(parse(known).act_name))
            if found is not None and found[1] > 1:
                earlier.add(parse(f"{found[0]}lex-{found[1] - 1}"))
            minted = try_mint(fields, registry=registry, taken=earlier)
            is_same = minted.name is not None and str(minted.name.document) == known
            return minted if is_same else Minted(name=parse(known))
        for _ in range(_ATTEMPTS):
            with self.transaction():
                minted = try_mint(fields, registry=registry, taken=Taken(register=self))
                if minted.name is not None:
                    self._add(minted.name.document, location, digest + _digest_cells(list_cells()))
                    return minted
            # A load may take a number between its allocation and the check of the whole name.
            is_allocated = any(step.action is Action.ALLOCATED for step in minted.steps)
            if not is_allocated or {error.code for error in minted.errors} != {"LX770"}:
                return minted
        raise CatalogueError(
            "A load takes names of this kind at the same time. No name was given out; try again."
        )

    def follow_rows(
        self,
        rows: Iterable[FieldRow],
        *,
        registry: Registry | None = None,
        changed: Literal["keep", "new"] | None = None,
    ) -> list[tuple[str, str]]:
        """Follow the rows of tables to where they stand now; then mint them ``again``.

        A row is recognised by its fields and other cells, or else by its fields, if as many rows
        with these have gone as came; equal rows keep their order. A row whose fields have changed
        keeps its name if its number says which row it was, or if it is the only new act of its
        kind, and one alone has gone: the names of a kind differ in the N of ``lex-N``. A row
        without a number that went in an earlier run is known only by all its cells. A name that a
        row states, or that a further row of an act had got, goes to no other row.

        Args:
            rows: all rows of the tables. A rejected row may be one that has gone: as long as there
                is one, no row of its table counts as gone for good.
            registry: the registry to look words up in; None: the built-in one.
            changed: the answer for rows where this does not tell: ``keep`` gives those of one kind
                the names of those that have gone, in their order, if there are as many; ``new``
                gives all rows with other fields new names.

        Returns:
            The location and name of each row without a number that was recognised though its
            cells have changed.

        Raises:
            CatalogueError: it cannot be told whether rows have changed or are new; nothing is
                written.
        """
        with self.transaction():
            tables: dict[str, _Table] = {}
            for row in rows:
                file = _find_file(row.location)
                if file not in tables:
                    tables[file] = _Table(self._list_given_rows(file))
                if row.name is not None:
                    self._leave_to_row(str(row.name.document), row.location, tables)
                elif row.fields is None:
                    tables[file].rejected = tables[file].rejected or row.location
                else:
                    self._find_row(row, row.fields, tables[file], registry)
            kept = []
            for file, table in tables.items():
                if not (table.count or changed):
                    self._check_file_name(file, table.new)
                gone = table.gone
                pairs = table.pair_changed(changed)
                for name in gone:
                    if changed or not table.rejected:
                        self.run(_LEAVE_TABLE, f"{file}:0", name)
                    else:
                        self.run(_LEAVE_LINE, name)
                for name, new in pairs:
                    self.run(_MOVE_ROW, new.location, new.digest, name)
                kept += [(new.location, name) for name, new in pairs if new.kind != name]
        return kept

    def _find_row(
        self,
        row: FieldRow,
        fields: Mapping[str, object],
        table: _Table,
        registry: Registry | None,
    ) -> None:
        digest = _digest_fields(fields) + _digest_cells(row.list_cells())
        if row.is_further:
            table.further.append(digest)
        elif name := table.take(digest):
            self.run(_MOVE_ROW, row.location, digest, name)
        elif kind := _find_kind(fields, registry):
            table.new.append(_NewRow(kind, row.location, digest))

    def _leave_to_row(self, name: str, location: str, tables: Mapping[str, _Table]) -> None:
        """Leave a name that was given out to the row that states it, known by it from now on.

        An earlier row that was taken for that one is another act.
        """
        if tables[_find_file(location)].take(name):
            self.run(_MOVE_ROW, location, name, name)
            return
        given = self._row("SELECT place, digest FROM given WHERE name = ?", name)
        place, digest = given or ("", name)
        if digest == name:  # not given out, or stated twice
            return
        self.run(_MOVE_ROW, location, name, name)
        table = tables.get(_find_file(place))
        if table is None or table.drop(digest, name):
            return
        if other := table.take(digest):
            self.run(_MOVE_ROW, place, digest, other)
        else:
            table.new.append(_NewRow(_name_kind(name), place, digest))

    def _check_file_name(self, file: str, rows: Iterable[_NewRow]) -> None:
        """Raise if a row of a new table equals one that has a name from another table.

        Raises:
            CatalogueError: one does.
        """
        new = {row.digest: row.location for row in rows}
        for place, digest in self.rows("SELECT place, digest FROM given"):
            if digest in new:
                raise CatalogueError(
                    f"{new[digest]}: the row has a name from {place}. No name was given out. If "
                    f"{file} is a newer {_find_file(place)}, give it that file name; if its rows "
                    "are other acts, use --changed new."
                )

    def _list_given_rows(self, file: str) -> list[tuple[int, str, str, bool]]:
        """List the line, name and digest of rows of a file; those that have gone have line 0.

        The last value is True for a row that may have gone while others were rejected.
        """
        found = [
            (int(line), name, digest, place.endswith("?"))
            for name, place, digest in self.rows(_ROWS_OF_FILE, f"{file}:", f"{file};")
            if (line := place[len(file) + 1 :].rstrip("?")).isdecimal()
        ]
        return sorted(found)

    def _add(self, name: Name, location: str, digest: str) -> None:
        """Write down a name that is given out now.

        Args:
            name: the name without a partition.
            location: where the metadata of the document stand, ``acts.csv:17``; may be empty.
            digest: the digest of the metadata.
        """
        now = dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds")
        self.run("INSERT INTO given VALUES (?, ?, ?, ?)", str(name), now, location, digest)
        numbered = split_lex_number(str(name.act_name))
        if numbered is not None:
            self.run(_RAISE_SERIES, *numbered)

    def waiting(self) -> Iterator[GivenName]:
        """Yield the names given out that the catalogue does not hold, sorted.

        Raises:
            CatalogueError: the names cannot be read.
        """
        last = ""
        # A query that stays open would keep all others from minting, so read some at a time.
        while rows := [*self.rows(_NEXT_GIVEN, last, _BATCH)]:
            for name, given_on, location in rows:
                if not self._is_held(parse(name)):
                    when = dt.datetime.fromisoformat(given_on)
                    yield GivenName(name=name, given_on=when, location=location)
            last = rows[-1][0]

    def _row(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter([*self.rows(statement, *values)]), None)

    def explain(self, message: str) -> str:
        """Return an error message for a message of SQLite on the file."""
        if "locked" in message:
            why = "other processes mint without a pause. Try again."
        elif is_disk_full(message):
            why = f"the disk is full ({message}). Free space, then mint again."
        elif "readonly" in message or "unable to open" in message:
            why = "cannot be written. Minting must record the names that it gives out."
        elif is_damage(message):
            why = f"is damaged ({message}). Restore a copy of it: it lists which names are taken."
        else:
            why = message
        return f"{self.path}: {why}"


class _NewRow(NamedTuple):
    """Row that no name was given out for, or whose fields have changed since.

    Attributes:
        kind: its name, without the N where it asks for the next free one.
        location: where it stands.
        digest: the digest of its fields.
    """

    kind: str
    location: str
    digest: str


class _Table:
    """Rows of a table in the last run, and those of this run that were not among them.

    Attributes:
        new: the rows that were not recognised.
        further: the digests of the further rows of acts.
        rejected: where the first rejected row stands; empty if there is none.
        count: the number of its rows that have names, also from earlier runs.
    """

    def __init__(self, rows: list[tuple[int, str, str, bool]]) -> None:
        self.new: list[_NewRow] = []
        self.further: list[str] = []
        self.rejected = ""
        self.count = len(rows)
        self._here = {name: digest for line, name, digest, _ in rows if line}
        self._doubtful = {name for _, name, _, may_have_gone in rows if may_have_gone}
        self._unseen: dict[str, list[str]] = defaultdict(list)
        for _, name, digest, _ in sorted(
            rows, key=lambda each: (len(each[1]), each[1]), reverse=True
        ):
            self._unseen[digest].append(name)

    def take(self, digest: str) -> str | None:
        """Take the name of the next row with a digest."""
        found = self._unseen.get(digest)
        return found.pop() if found else None

    def drop(self, digest: str, name: str) -> bool:
        """Drop a name from those that no row has taken; return whether it was one."""
        names = self._unseen.get(digest, [])
        if is_there := name in names:
            names.remove(name)
        return is_there

    @property
    def gone(self) -> set[str]:
        """Names of the rows that were not recognised."""
        return set(chain.from_iterable(self._unseen.values()))

    def _is_certain(self, names: Iterable[str]) -> bool:
        """Return whether names have no row that was, or may have been, rejected."""
        return not self.rejected and self._doubtful.isdisjoint(names)

    def pair_changed(self, changed: str | None) -> list[tuple[str, _NewRow]]:
        """Pair names whose rows have gone since the last run with rows that are new.

        Raises:
            CatalogueError: it cannot be told which belong together.
        """
        gone = self.gone
        pairs = [(row.kind, row) for row in self.new if row.kind in gone]
        # The further rows of an act keep the names that they had before it was one act.
        held = {name for name, _ in pairs} | {self.take(digest) for digest in self.further}
        names = [name for name in self._here if name in gone and name not in held]
        rows = [row for row in self.new if row.kind not in gone]
        for old, new in _group(
            names,
            rows,
            lambda name: self._here[name][:_FIELDS_LENGTH],
            lambda row: row.digest[:_FIELDS_LENGTH],
        ):
            # A rejected row may be the one that seems to have other cells.
            if len(old) == len(new) and (changed or self._is_certain(old)):
                pairs += zip(old, new, strict=True)
        if changed == "new":
            return pairs
        paired = {each for pair in pairs for each in pair}
        names = [name for name in names if name not in paired]
        rows = [row for row in rows if row not in paired]
        is_recognised = bool(pairs) or len(gone) < self.count
        for old, new in _group(names, rows, _name_kind, lambda row: row.kind):
            is_equal = len(old) == len(new)
            is_one = is_equal and len(old) == 1 and is_recognised and self._is_certain(old)
            if not is_one and not (changed == "keep" and is_equal):
                why = ""
                if self.rejected:
                    why = f"Correct {self.rejected} first: it is rejected, and may have left. "
                elif not self._is_certain(old):
                    why = f"{old[0]} may have left in a run that rejected rows. "
                elif not is_recognised:
                    why = "No row is as it was: is it another table? Then rename the file. "
                keep = "If all changed and stand in the same order, use --changed keep; if"
                raise CatalogueError(
                    f"{new[0].location}: changed or new? Of acts of this kind (same issuer, type "
                    f"and date), {len(old):,} with a name left the table, and {len(new):,} "
                    f"came. No name was given out. {why}"
                    f"{keep if is_equal else '--changed keep needs as many as left. If'} all that "
                    f"came are new, use --changed new. The first name is {old[0]}."
                )
            pairs += zip(old, new, strict=True)
        return pairs


def _group(
    names: Iterable[str],
    rows: Iterable[_NewRow],
    name_key: Callable[[str], str],
    row_key: Callable[[_NewRow], str],
) -> list[tuple[list[str], list[_NewRow]]]:
    """Group names and rows that have one key, in the order of the rows."""
    old: dict[str, list[str]] = defaultdict(list)
    for name in names:
        old[name_key(name)].append(name)
    new: dict[str, list[_NewRow]] = defaultdict(list)
    for row in rows:
        new[row_key(row)].append(row)
    return [(old[key], new[key]) for key in new if key in old]


def _find_file(location: str) -> str:
    return location.rpartition(":")[0]


def _find_kind(fields: Mapping[str, object], registry: Registry | None) -> str | None:
    """Find the name of new fields, without the N where they ask for the next free one."""
    minted = try_mint(fields, registry=registry, taken=Taken(unique=False))
    if minted.name is None:
        return None
    name = str(minted.name.document)
    is_allocated = any(step.action is Action.ALLOCATED for step in minted.steps)
    return _name_kind(name) if is_allocated else name


def _name_kind(name: str) -> str:
    """Return a name without the N of ``lex-N``; equal for acts that only this N tells apart."""
    act = str(parse(name).act_name)
    numbered = split_lex_number(act)
    return name if numbered is None else f"{numbered[0]}lex-{name.removeprefix(act)}"


_encode_json: Final = json.JSONEncoder(sort_keys=True, default=str).encode


def _digest_fields(fields: Mapping[str, object]) -> str:
    return hashlib.blake2b(_encode_json(fields).encode(), digest_size=16).hexdigest()


def _digest_cells(cells: Mapping[str, str]) -> str:
    if not cells:
        return ""
    return hashlib.blake2b(_encode_json(cells).encode(), digest_size=8).hexdigest()


def open_minter(
    catalogue: Catalogue | ServerCatalogue, *, also: Taken | None = None, dry_run: bool = False
) -> Minter:
    """Open a minter for a catalogue.

    The catalogue may be open for reading only, while another process loads into it.

    Args:
        catalogue: a catalogue in a folder.
        also: names that are taken besides.
        dry_run: whether names are given out on a temporary copy only; nothing is written.

    Raises:
        CatalogueError: the names that were given out cannot be opened, or the catalogue is on a
            server.
    """
    index = catalogue.holdings
    if not isinstance(index, Index):
        raise CatalogueError(
            f"{catalogue.location} is on a server, which is read only. Mint with the catalogue in "
            "a folder."
        )
    return Minter(Path(catalogue.location), index, also=also, dry_run=dry_run)
