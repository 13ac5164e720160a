"""Files of RDF into families, in bounded memory; what is not ours is counted and kept.

A source says something of names (RFC 9676), of their copies, and perhaps of much else. What a
record of lexurn can hold is read; all else goes to a rejects file as N-Quads, unchanged, and stops
nothing. A source that cannot be read to its end is left out as a whole: half of what is stated of a
name would replace all of it in a catalogue.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from lexurn.catalogue._rdf_built import build_rdf, statements_in
from lexurn.catalogue._rdf_documents import statements_of_document
from lexurn.catalogue._rdf_files import BrokenSourceError, open_rdf
from lexurn.catalogue._rdf_findings import finding
from lexurn.catalogue._rdf_lines import BrokenLine, Lines, subject_in
from lexurn.catalogue._rdf_rejects import Rejects
from lexurn.catalogue._rdf_sieve import Refused, Sieve, line_of
from lexurn.catalogue._rdf_spool import QuadSpool, unpacked_tails
from lexurn.errors import CatalogueError
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from lexurn.catalogue._rdf_built import RdfBuilt
    from lexurn.catalogue._rdf_files import RdfInput, RdfInputSource
    from lexurn.catalogue._rdf_sieve import Statement
    from lexurn.catalogue._rdf_spool import RdfGroup, Tails
    from lexurn.manifest import RowFinding
    from lexurn.model import Family

__all__ = ["RdfSource", "rdf_families"]

_LARGEST: Final = 100_000
_STEP: Final = 10_000
_TOLD: Final = 10_000


class RdfSource:
    """Sources of RDF, open for reading; a context manager.

    Attributes:
        statements: how many statements were read so far, lines that are none among them; those of
            a source that was left out do not count.
        rejected: how many of them went to the rejects.
        rejects: the rejects file, None where it was not asked for or nothing was rejected.
        counts: how many were rejected for each code of a finding.
        left_out: the sources of which nothing was read, since they could not be read to the end.
    """

    def __init__(
        self,
        inputs: Sequence[RdfInput],
        *,
        files: ExitStack,
        rejects: Rejects,
        on_finding: Callable[[RowFinding], None],
        on_progress: Callable[[int], None],
    ) -> None:
        """Keep the parts; `rdf_families` makes them."""
        self.statements = 0
        self.counts: Counter[str] = Counter()
        self.left_out: tuple[str, ...] = ()
        self._inputs = inputs
        self._files = files
        self._rejects = rejects
        self._on_finding, self._on_progress = on_finding, on_progress
        self._told: set[tuple[str, str]] = set()
        self._place = self._line = 0
        self._spool: QuadSpool | None = None
        self._is_closed = False

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
        """Close the files and forget the statements."""
        self._is_closed = True
        self._files.close()

    @property
    def rejected(self) -> int:
        """How many statements, lines that are none among them, went to the rejects."""
        return self._rejects.count

    @property
    def rejects(self) -> Path | None:
        """The rejects file."""
        return self._rejects.written

    def families(self) -> Iterator[Family]:
        """The families of all that is stated, sorted by key; once.

        All is read before the first is given. Where an alias had to be turned down, the families
        that it joined come where they would have come together.

        Raises:
            CatalogueError: the disk is full, or the sources were read already or closed.
        """
        for group in self.groups():
            yield from self.settle(build_rdf(group))
        self.finish()

    def groups(self) -> Iterator[RdfGroup]:
        """What is said of each alias set, sorted by act: for `build_rdf`, in any process.

        As `families`, but for the building: what that gives is to be told to `settle`, in the same
        order and by one thread, while more groups are read or not; and the end to `finish`.

        Raises:
            CatalogueError: as `families`.
        """
        if self._is_closed or self._spool is not None:
            raise CatalogueError("the sources were read or closed; open them again to read them")
        self._spool = QuadSpool()
        self._files.callback(self._spool.close)
        self._read(self._spool)
        self._spool.settle()
        for part in self._spool.orphans():
            self._reject_part(part, Refused("LX985", part.node))
        yield from self._spool.groups(_LARGEST)

    def settle(self, built: RdfBuilt) -> Sequence[Family]:
        """Reject what did not fit when a family was built; gives back what did, sorted.

        Raises:
            CatalogueError: the rejects file cannot be written.
        """
        for part, why in built.rejected:
            self._reject_part(part, why)
        if built.oversize is not None and self._spool is not None:
            said = f"{built.oversize}: more than {_LARGEST:,} names in one alias set"
            for part in self._spool.parts(built.oversize):
                self._reject_part(part, Refused("LX984", said))
        return built.families

    def refuse(self, group: RdfGroup, family: Family) -> None:
        """Reject what is said of a family that was built, and that a catalogue does not take in.

        Args:
            group: what the family was made from, others perhaps too.
            family: the family.

        Raises:
            CatalogueError: the rejects file cannot be written.
        """
        why = Refused("LX984", f"{family.key} is not taken in")
        for each in group.parts:
            part = unpacked_tails(*each)
            name = check(part.node[1:-1]).name
            if name is None or family.record(name) is not None:
                self._reject_part(part, why)

    def finish(self) -> None:
        """Put the rejects file in its place.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._rejects.finish()

    def _read(self, spool: QuadSpool) -> None:
        sieve = Sieve(spool, self._reject)
        for place, source in enumerate(self._inputs):
            self._place, self._line = place, 0
            sieve.begin(place)
            before = self.statements, self.counts.copy()
            self._rejects.mark()
            try:
                self._read_one(source, sieve)
                sieve.end()
            except BrokenSourceError as broken:
                sieve.drop()
                spool.forget(place)
                self._rejects.back()
                self.statements, self.counts = before
                self.left_out = (*self.left_out, source.file)
                end = self._line if source.unit == "line" else 0  # there the message says where
                self._say(Refused("LX986", str(broken)), end, "")
        self._on_progress(self.statements)

    def _read_one(self, source: RdfInput, sieve: Sieve) -> None:
        prefix = f"s{self._place}."
        if source.unit != "line":
            statements = statements_of_document(source.blocks, source.format, prefix)
            for number, statement in enumerate(statements, 1):
                if isinstance(statement, BrokenLine):
                    self._reject_line(statement, sieve)
                else:
                    self._take(statement, number, sieve)
            return
        for each in Lines(source.blocks, prefix):
            if isinstance(each, BrokenLine):
                self._reject_line(each, sieve)
            else:
                self._take(*each, sieve)

    def _take(self, statement: Statement, line: int, sieve: Sieve) -> None:
        self._count()
        self._line = line
        sieve.take(statement, line)

    def _count(self) -> None:
        self.statements += 1
        if self.statements % _STEP == 0:
            self._on_progress(self.statements)

    def _reject_line(self, broken: BrokenLine, sieve: Sieve) -> None:
        if broken.reason is None:
            self._rejects.add_piece(broken.raw)
            return
        self._count()
        self._rejects.add(broken.raw)
        self.counts["LX980"] += 1
        text = broken.raw.decode(errors="replace").rstrip("\r\n")
        self._say(Refused("LX980", broken.reason), broken.line, text)
        subject = subject_in(broken.raw)
        if subject is not None:
            sieve.spoil(subject, broken.line)

    def _reject(self, statement: Statement, why: Refused) -> None:
        line = line_of(statement)
        self._rejects.add(line.encode())
        self.counts[why.code] += 1
        self._say(why, self._line, line.rstrip("\n"))

    def _reject_part(self, part: Tails, why: Refused) -> None:
        self._place = part.source
        for statement in statements_in(part):
            self._rejects.add(line_of(statement).encode())
            self.counts[why.code] += 1
        self._say(why, part.line, "")

    def _say(self, why: Refused, line: int, text: str) -> None:
        """Tell of a statement; of what is of one kind, once for all."""
        if why.code != "LX980":
            key = (why.code, why.detail)
            if key in self._told or len(self._told) > _TOLD:
                return
            self._told.add(key)
        source = self._inputs[self._place]
        place = {"file": source.file, "unit": source.unit}
        self._on_finding(finding(why.code, why.detail, **place, line=line, text=text))


def _silent(_: object) -> None:
    """Say nothing."""


def rdf_families(
    sources: Sequence[RdfInputSource],
    *,
    format: str | None = None,
    rejects: str | Path | None = None,
    on_finding: Callable[[RowFinding], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> RdfSource:
    """Open sources of RDF, to be read as one.

    Args:
        sources: paths, ``-`` for standard input, streams of bytes, or pieces of N-Quads such as
            `Store.dump` gives; all but the last may be packed with gzip.
        format: the format of all of them by its name; None to go by their extensions, N-Quads
            where there is none.
        rejects: where what is not ours goes, as N-Quads; a file of an earlier run is replaced, or
            removed when nothing is rejected.
        on_finding: is told what is wrong, once for all statements that have the same fault.
        on_progress: is told now and then how many statements were read.

    Raises:
        CatalogueError: a source cannot be opened, nobody knows its format, or the rejects file
            cannot be written.
    """
    if not sources:
        raise CatalogueError("no source; name a file, or - for standard input")
    with ExitStack() as stack:
        inputs = [open_rdf(source, format, stack) for source in sources]
        path = None if rejects is None else Path(rejects)
        kept = stack.enter_context(Rejects(path, sources))
        return RdfSource(
            inputs,
            files=stack.pop_all(),
            rejects=kept,
            on_finding=on_finding or _silent,
            on_progress=on_progress or _silent,
        )
