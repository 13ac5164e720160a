"""Good rows beside each other: what can be told of them only there, and their alias sets."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Self

from lexurn.manifest._kin import chains, find_shared, join_acts, oversize, twins
from lexurn.manifest._packed import GroupedRow, PackedGroup, RejectedRow
from lexurn.manifest._spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._kin import PlacedFault
    from lexurn.manifest._packed import PackedRow
    from lexurn.manifest._reader import RowReader

__all__ = ["Gathering"]

_GROUPS = "SELECT act, id, file, line, data FROM row ORDER BY act"
_SHARED = "SELECT act, url FROM shared ORDER BY act"
_COPIES = "SELECT DISTINCT row.act, url FROM copy JOIN row ON row.id = copy.id"
_REJECTED = "SELECT file, id, line, raw FROM reject ORDER BY file, id, rowid"


class Gathering:
    """Rows on disk, grouped by alias set in bounded memory; a context manager.

    What is told is right for the whole as far as rows of one alias set, aliases of any level
    included, came to the same gathering; a copy that several alias sets have is known as shared if
    they did.

    Attributes:
        spool: the rows on disk.
    """

    def __init__(self, readers: Sequence[RowReader]) -> None:
        """Open a temporary file.

        Args:
            readers: what read the rows, by the place of their table.

        Raises:
            ManifestError: there is no place for it.
        """
        self.spool = Spool()
        self._readers = readers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forget the rows."""
        self.spool.close()

    def add(self, row: PackedRow) -> None:
        """Take in a good row.

        Raises:
            ManifestError: the disk is full.
        """
        self.spool.add(row)

    def settle(self) -> Iterator[RowFinding]:
        """Reject the rows that do not fit the others, and join the rest to alias sets; once.

        Yields:
            What is wrong with rows that were good by themselves; each has an error.

        Raises:
            ManifestError: the disk is full.
        """
        spool = self.spool
        spool.flush()
        yield from self._doomed(twins(spool, [reader.file for reader in self._readers]))
        yield from self._doomed(chains(spool))
        join_acts(spool)
        yield from self._doomed(oversize(spool))
        find_shared(spool)

    def _doomed(self, faults: Iterable[PlacedFault]) -> Iterator[RowFinding]:
        for number, place, line, fault in faults:
            self.spool.doom(number)
            yield self._readers[place].placed(fault, line)
        self.spool.drop_doomed()

    def groups(self) -> Iterator[PackedGroup]:
        """The rows by alias set, sorted by act.

        Raises:
            ManifestError: the disk fails.
        """
        sharing = groupby(self.spool.query(_SHARED), key=itemgetter(0))
        sharer = next(sharing, None)
        for act, found in groupby(self.spool.query(_GROUPS), key=itemgetter(0)):
            rows = sorted(found, key=itemgetter(1))
            shared: tuple[str, ...] = ()
            while sharer is not None and sharer[0] < act:
                sharer = next(sharing, None)
            if sharer is not None and sharer[0] == act:
                shared = tuple(url for _, url in sharer[1])
            files = self._readers
            yield PackedGroup(
                act,
                tuple(
                    GroupedRow(number, files[p].file, line, data)
                    for _, number, p, line, data in rows
                ),
                shared,
            )

    def copies(self) -> Iterator[tuple[str, str]]:
        """Where copies lie: the act of each alias set, and the URLs that it has, each once.

        Raises:
            ManifestError: the disk fails.
        """
        return self.spool.query(_COPIES)

    def reject(self, group: PackedGroup) -> None:
        """Reject the rows of an alias set that is torn."""
        for row in group.rows:
            self.spool.doom(row.number)
        self.spool.drop_doomed()

    @property
    def rejected(self) -> int:
        """How many of the rows were rejected here."""
        return self.spool.dropped

    def rejects(self) -> Iterator[RejectedRow]:
        """The rows that were rejected, as they are."""
        return (RejectedRow(*row) for row in self.spool.query(_REJECTED))
