"""Sources of RDF: files read into families, in bounded memory; what is not ours is kept apart.

A source says something of names (RFC 9676), of their copies, and perhaps of much else. What a
record of lexurn can hold is read; all else goes to a rejects file as N-Quads, unchanged, and stops
nothing. A source that cannot be read to its end is left out as a whole: half of what is stated of a
name would replace all of it in a catalogue.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn import vocabulary as v
from lexurn.catalogue.rdf_reading import (
    BrokenLine,
    BrokenSourceError,
    QuadLines,
    guess_subject,
    make_finding,
    open_rdf,
    read_document,
)
from lexurn.catalogue.rdf_spool import (
    NodeStatements,
    Origin,
    QuadSpool,
    Rejection,
    StatementFilter,
    format_statement,
    is_lex_node,
    unpack_statements,
)
from lexurn.errors import CatalogueError, GraphError
from lexurn.files import make_part_path
from lexurn.graph import Layer, Statements, records_of
from lexurn.manifest import check_rejects_file
from lexurn.model import ModelError, families_of, family_of
from lexurn.name import check, http_of, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import IO, Final, Self

    from lexurn.catalogue.rdf_reading import RdfInput, RdfInputSource, Statement
    from lexurn.catalogue.rdf_spool import RdfGroup
    from lexurn.findings import Finding
    from lexurn.graph import Triple
    from lexurn.model import Family, Record


class RejectsFile:
    """What is turned down, on its way to a file; without a path it is only counted.

    Attributes:
        count: how many statements, or lines that are none, were turned down.
        written: the file that was written in the end, None where nothing was turned down.
    """

    def __init__(self, path: Path | None, sources: Iterable[object]) -> None:
        """Make sure that the file can be written.

        Raises:
            ManifestError: it is a source, named like something else, no file, or in no folder.
            CatalogueError: it cannot be written.
        """
        self.count = 0
        self.written: Path | None = None
        self._path = path
        self._stream: IO[bytes] | None = None
        self._is_ended = True
        self._marks = (0, 0, True)
        if path is not None:
            check_rejects_file(path, sources)
            self._part = make_part_path(path)
            with self._on_disk():
                self._stream = self._part.open("xb")

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
        """Remove what is half written."""
        if self._stream is not None:
            with suppress(OSError):  # what could not be written before is tried once more
                self._stream.close()
            self._stream = None
            self._part.unlink(missing_ok=True)

    def add(self, line: bytes) -> None:
        """Keep a line; one without an end gets it when another follows."""
        self.count += 1
        self.add_piece(line if self._is_ended else b"\n" + line)

    def add_piece(self, piece: bytes) -> None:
        """Keep a piece of a line that was counted.

        Raises:
            CatalogueError: the disk is full.
        """
        if self._stream is not None:
            self._is_ended = piece.endswith(b"\n")
            with self._on_disk():
                self._stream.write(piece)

    def mark(self) -> None:
        """Note where a source begins.

        Raises:
            CatalogueError: the disk is full.
        """
        with self._on_disk():
            place = 0 if self._stream is None else self._stream.tell()
        self._marks = (self.count, place, self._is_ended)

    def back(self) -> None:
        """Forget what was turned down since the mark.

        Raises:
            CatalogueError: the disk is full.
        """
        self.count, place, self._is_ended = self._marks
        if self._stream is not None:
            with self._on_disk():
                self._stream.seek(place)
                self._stream.truncate()

    def finish(self) -> None:
        """Put the file in its place; one of an earlier run goes where nothing was turned down.

        Raises:
            CatalogueError: the disk is full.
        """
        if self._path is None or self._stream is None:
            return
        with self._on_disk():
            self._stream.close()
            if self.count:
                self._part.replace(self._path)
                self.written = self._path
            else:
                self._part.unlink()
                self._path.unlink(missing_ok=True)
        self._stream = None

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as full:
            why = full.strerror or full
            raise CatalogueError(
                f"{self._path}: the rejects file cannot be written: {why}"
            ) from None


_ATTEMPTS: Final = 20
_PATH: Final = re.compile("/(?=lex/)")
_ANY_BASE: Final = "https://law.example"
_GRAPH_OF_ORIGIN: Final = {
    Origin.DECODED: f"<{Layer.DECODED.iri}>",
    Origin.CATALOGUED: f"<{Layer.CATALOGUED.iri}>",
    Origin.COMPUTED: f"<{Layer.COMPUTED.iri}>",
}

Rejected = tuple[NodeStatements, Rejection]


@dataclass(slots=True, kw_only=True)
class RdfFamilies:
    """What became of an alias set.

    Attributes:
        families: its family; several, sorted by key, where an alias between them was turned down,
            none where nothing is left.
        rejected: what was turned down, and why.
        oversize: the act at its centre, where it is turned down as a whole since it is too large.
    """

    families: tuple[Family, ...] = ()
    rejected: list[Rejected] = field(default_factory=list)
    oversize: str | None = None


def list_statements(said: NodeStatements) -> Iterator[tuple[str, str, str, str]]:
    """The statements of some tails; of a node that is only described, that it is there."""
    for tail in said.tails:
        voice, (predicate, _, value) = Origin(tail[0]), tail[1:].partition(" ")
        if voice is not Origin.BROKEN:
            yield said.node, predicate, value, _GRAPH_OF_ORIGIN.get(voice, "")
    if not said.tails:
        yield said.node, v.IDENTIFIER, f'"{said.node[1:-1]}"', _GRAPH_OF_ORIGIN[Origin.DECODED]


def build_rdf(group: RdfGroup) -> RdfFamilies:
    """The family of an alias set; a function of its argument alone, in any process.

    Args:
        group: what is said of it, of `RdfSource.groups`.
    """
    if group.is_oversize:
        return RdfFamilies(oversize=group.act)
    built = RdfFamilies()
    parts, records = _read_records([unpack_statements(*part) for part in group.parts], built)
    parts = _build_families(parts, records, frozenset(group.shared), built)
    if built.rejected:
        parts = _drop_orphans(parts, built)
    _check_claims(parts, built)
    return built


def _read_records(
    parts: Sequence[NodeStatements], built: RdfFamilies
) -> tuple[Sequence[NodeStatements], Sequence[Record]]:
    """The records of what can be read, and what they were read from."""
    parts = _drop_broken(parts, built)
    try:
        return parts, _make_records(parts)
    except GraphError:
        parts = _select_readable(parts, built)
    try:
        return parts, _make_records(parts)
    except GraphError as fault:
        built.rejected += [(part, Rejection("LX983", str(fault))) for part in parts]
        return (), ()


def _build_families(
    parts: Sequence[NodeStatements],
    records: Sequence[Record],
    shared: frozenset[str],
    built: RdfFamilies,
) -> Sequence[NodeStatements]:
    """Make the family, or several; gives back the parts that it was made from."""
    if records and not built.rejected:
        try:
            built.families = (family_of(records, shared),)
        except ModelError:
            pass
        else:
            return parts
    for _ in range(_ATTEMPTS):
        try:
            found = families_of(records)
        except ModelError as torn:
            fewer = _drop_aliases(parts, torn, built)
            if fewer is parts:
                break
            parts, records = fewer, _make_records(fewer)
        else:
            several = [family_of(each.records, shared | each.shared) for each in found]
            built.families = tuple(sorted(several, key=lambda family: str(family.key)))
            return parts
    reason = Rejection("LX984", f"{parts[0].node}: its aliases contradict each other")
    built.rejected += [(part, reason) for part in parts]
    return ()


def _make_records(parts: Iterable[NodeStatements]) -> tuple[Record, ...]:
    """The records of some parts.

    Raises:
        GraphError: a node that is no name, or a value that a record cannot hold.
    """
    names: list[Triple] = []
    stated: list[Triple] = []
    is_merged = False
    for part in parts:
        if is_lex_node(part.node):
            names.append((part.node, v.IDENTIFIER, '""'))
        for tail in part.tails:
            if tail[0] in _STATING:
                predicate, _, value = tail[1:].partition(" ")
                stated.append((part.node, predicate, value))
                is_merged |= predicate == v.SAME_AS and tail[0] == Origin.MERGED
    if is_merged:
        return records_of([*names, *stated])
    return records_of(Statements(decoded=tuple(names), catalogued=tuple(stated)))


_STATING: Final = frozenset({Origin.MERGED, Origin.CATALOGUED})


def _drop_broken(parts: Sequence[NodeStatements], built: RdfFamilies) -> Sequence[NodeStatements]:
    broken = {part.node for part in parts if Origin.BROKEN in part.tails}
    if not broken:
        return parts
    reason = "a statement on {0} cannot be read"
    built.rejected += [
        (part, Rejection("LX983", reason.format(part.node)))
        for part in parts
        if part.node in broken
    ]
    return [part for part in parts if part.node not in broken]


def _select_readable(
    parts: Sequence[NodeStatements], built: RdfFamilies
) -> Sequence[NodeStatements]:
    """The parts of nodes that can be read."""
    by_node: dict[str, list[NodeStatements]] = {}
    by_name: dict[str, list[NodeStatements]] = {}
    for part in parts:
        if is_lex_node(part.node):
            by_name.setdefault(_make_canonical(part.node), []).append(part)
        else:
            by_node.setdefault(part.node, []).append(part)
    broken: dict[str, str] = {}
    for own in by_name.values():
        broken |= _find_faults(own, by_node)
    built.rejected += [
        (part, Rejection("LX983", broken[part.node])) for part in parts if part.node in broken
    ]
    return [part for part in parts if part.node not in broken]


def _make_canonical(node: str) -> str:
    """What is the same for all nodes that are one name."""
    name = check(node[1:-1]).name
    return node if name is None else str(name)


def _find_faults(
    own: Sequence[NodeStatements], by_node: dict[str, list[NodeStatements]]
) -> dict[str, str]:
    """What is wrong with a name, or else with its copies: nodes, and why."""
    copies = [part for url in _list_objects(own, v.ITEM) for part in by_node.get(url, ())]
    digests = [part for each in _list_objects(copies, v.CHECKSUM) for part in by_node.get(each, ())]
    try:
        _make_records([*own, *copies, *digests])
    except GraphError as fault:
        try:
            _make_records(own)
        except GraphError as worse:
            return {part.node: str(worse) for part in own}
        return {part.node: str(fault) for part in (*copies, *digests)}
    return {}


def _list_objects(parts: Iterable[NodeStatements], predicate: str) -> list[str]:
    start = f"{predicate} "
    return [
        tail.removeprefix(tail[0] + start)
        for part in parts
        for tail in part.tails
        if tail.startswith(start, 1)
    ]


def _drop_aliases(
    parts: Sequence[NodeStatements], torn: ModelError, built: RdfFamilies
) -> Sequence[NodeStatements]:
    """The parts without the aliases of the names at fault; the same where they have none."""
    names = () if torn.finding is None else torn.finding.names
    nodes = {f"<{parse(name).iri}>" for name in names}
    start = f"{v.SAME_AS} "
    fewer: list[NodeStatements] = []
    is_changed = False
    for part in parts:
        links = [tail for tail in part.tails if tail.startswith(start, 1)]
        if links and part.node in nodes:
            is_changed = True
            built.rejected.append((part._replace(tails=links), Rejection("LX984", str(torn))))
            kept = [tail for tail in part.tails if tail not in links]
            fewer.append(part._replace(tails=kept))
        else:
            fewer.append(part)
    return fewer if is_changed else parts


def _drop_orphans(parts: Sequence[NodeStatements], built: RdfFamilies) -> Sequence[NodeStatements]:
    """The parts without copies, and digests of copies, that no name is left to have."""
    known = set(_list_nodes(built.families))
    copies = [part for part in parts if part.node in known]
    known.update(_list_objects(copies, v.CHECKSUM))
    kept: list[NodeStatements] = []
    for part in parts:
        facts = [tail for tail in part.tails if tail[0] != Origin.CLAIMED]
        if is_lex_node(part.node) or part.node in known or not facts:
            kept.append(part)
        else:
            why = Rejection("LX985", part.node)
            built.rejected.append((part._replace(tails=facts), why))
            kept.append(part._replace(tails=[tail for tail in part.tails if tail not in facts]))
    return kept


def _check_claims(parts: Iterable[NodeStatements], built: RdfFamilies) -> None:
    """Turn down what is said to follow from what is stated, and does not."""
    known: set[str] | None = None
    for part in parts:
        claims = [tail for tail in part.tails if tail[0] == Origin.CLAIMED]
        if not claims:
            continue
        if known is None:
            known = set(_list_nodes(built.families))
        for tail in claims:
            predicate, _, value = tail[1:].partition(" ")
            if not _is_derived(part.node, value, known):
                why = Rejection("LX987", f"{part.node} {predicate} {value}")
                built.rejected.append((part._replace(tails=[tail]), why))


def _list_nodes(families: Iterable[Family]) -> Iterator[str]:
    """The nodes of families: names, copies, HTTP-URI equivalents without their base."""
    for family in families:
        for record in family.records:
            yield f"<{record.name.iri}>"
            yield http_of(record.name, _ANY_BASE).uri.removeprefix(_ANY_BASE)
            yield from (f"<{item.url}>" for item in record.items)


def _is_derived(node: str, value: str, known: set[str]) -> bool:
    if value[0] != '"' and value not in known:
        return False
    # The path of an HTTP-URI equivalent begins somewhere behind its base.
    starts = (found.start() for found in _PATH.finditer(node))
    return node in known or any(node[start:-1] in known for start in starts)


_LARGEST: Final = 100_000
_STEP: Final = 10_000
_MOST_TOLD: Final = 10_000


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
        rejects: RejectsFile,
        on_finding: Callable[[Finding], None],
        on_progress: Callable[[int], None],
    ) -> None:
        """Keep the parts; `open_rdf_source` makes them."""
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
            self._reject_part(part, Rejection("LX985", part.node))
        yield from self._spool.groups(_LARGEST)

    def settle(self, built: RdfFamilies) -> Sequence[Family]:
        """Reject what did not fit when a family was built; gives back what did, sorted.

        Raises:
            CatalogueError: the rejects file cannot be written.
        """
        for part, why in built.rejected:
            self._reject_part(part, why)
        if built.oversize is not None and self._spool is not None:
            said = f"{built.oversize}: more than {_LARGEST:,} names in one alias set"
            for part in self._spool.parts(built.oversize):
                self._reject_part(part, Rejection("LX984", said))
        return built.families

    def refuse(self, group: RdfGroup, family: Family) -> None:
        """Reject what is said of a family that was built, and that a catalogue does not take in.

        Args:
            group: what the family was made from, others perhaps too.
            family: the family.

        Raises:
            CatalogueError: the rejects file cannot be written.
        """
        why = Rejection("LX984", f"{family.key} is not taken in")
        for each in group.parts:
            part = unpack_statements(*each)
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
        sieve = StatementFilter(spool, self._reject)
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
                self._say(Rejection("LX986", str(broken)), end, "")
        self._on_progress(self.statements)

    def _read_one(self, source: RdfInput, sieve: StatementFilter) -> None:
        prefix = f"s{self._place}."
        if source.unit != "line":
            statements = read_document(source.blocks, source.format, prefix)
            for number, statement in enumerate(statements, 1):
                if isinstance(statement, BrokenLine):
                    self._reject_line(statement, sieve)
                else:
                    self._take(statement, number, sieve)
            return
        for each in QuadLines(source.blocks, prefix):
            if isinstance(each, BrokenLine):
                self._reject_line(each, sieve)
            else:
                self._take(*each, sieve)

    def _take(self, statement: Statement, line: int, sieve: StatementFilter) -> None:
        self._count()
        self._line = line
        sieve.take(statement, line)

    def _count(self) -> None:
        self.statements += 1
        if self.statements % _STEP == 0:
            self._on_progress(self.statements)

    def _reject_line(self, broken: BrokenLine, sieve: StatementFilter) -> None:
        if broken.reason is None:
            self._rejects.add_piece(broken.raw)
            return
        self._count()
        self._rejects.add(broken.raw)
        self.counts["LX980"] += 1
        text = broken.raw.decode(errors="replace").rstrip("\r\n")
        self._say(Rejection("LX980", broken.reason), broken.line, text)
        subject = guess_subject(broken.raw)
        if subject is not None:
            sieve.spoil(subject, broken.line)

    def _reject(self, statement: Statement, why: Rejection) -> None:
        line = format_statement(statement)
        self._rejects.add(line.encode())
        self.counts[why.code] += 1
        self._say(why, self._line, line.rstrip("\n"))

    def _reject_part(self, part: NodeStatements, why: Rejection) -> None:
        self._place = part.source
        for statement in list_statements(part):
            self._rejects.add(format_statement(statement).encode())
            self.counts[why.code] += 1
        self._say(why, part.line, "")

    def _say(self, why: Rejection, line: int, text: str) -> None:
        """Tell of a statement; of what is of one kind, once for all."""
        if why.code != "LX980":
            key = (why.code, why.detail)
            if key in self._told or len(self._told) > _MOST_TOLD:
                return
            self._told.add(key)
        source = self._inputs[self._place]
        place = {"file": source.file, "unit": source.unit}
        self._on_finding(make_finding(why.code, why.detail, **place, line=line, text=text))


def _ignore(_: object) -> None:
    """Say nothing."""


def open_rdf_source(
    sources: Sequence[RdfInputSource],
    *,
    format: str | None = None,
    rejects: str | Path | None = None,
    on_finding: Callable[[Finding], None] | None = None,
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
        kept = stack.enter_context(RejectsFile(path, sources))
        return RdfSource(
            inputs,
            files=stack.pop_all(),
            rejects=kept,
            on_finding=on_finding or _ignore,
            on_progress=on_progress or _ignore,
        )
