"""Sources of RDF: files, and the store itself, read into families in bounded memory.

Statements that a record can hold are read. All others go to a rejects file as N-Quads, unchanged,
and stop nothing; findings name their nodes. A source that cannot be read to its end is left out as
a whole: half of the statements on a name would replace all of them in a catalogue.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from lexurn import vocabulary as v
from lexurn.catalogue.index import make_index_rows
from lexurn.catalogue.rdf_statements import (
    BrokenSourceError,
    InvalidStatement,
    NodeStatements,
    Origin,
    QuadSpool,
    RdfInput,
    Rejection,
    StatementFilter,
    is_lex_node,
    read_statements,
)
from lexurn.errors import CatalogueError, GraphError
from lexurn.files import replace_atomically
from lexurn.findings import make_finding
from lexurn.graph import (
    ALIAS_PROPERTIES,
    Format,
    Layer,
    Statements,
    decompress_stream,
    find_concepts,
    records_of,
)
from lexurn.manifest import check_rejects_file
from lexurn.model import ForceBasis, ModelError, Record, families_of, family_of, split_by_size
from lexurn.name import check, http_of
from lexurn.store import select_rows
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.catalogue.index import Index, IndexRows, RebuildOptions
    from lexurn.catalogue.rdf_statements import RdfGroup, Statement
    from lexurn.findings import Finding
    from lexurn.graph import Triple
    from lexurn.model import Family
    from lexurn.store import EmbeddedStore

_PATH: Final = re.compile("/(?=lex/)")
_ANY_BASE: Final = "https://law.example"
_COMPUTABLE: Final = frozenset({v.SAME_AS, v.AMENDED_BY})
"""Properties that publishers state, but that also follow from others."""
_STATING: Final = frozenset({Origin.MERGED, Origin.CATALOGUED})


@dataclass(slots=True, kw_only=True)
class RdfFamilies:
    """Families of an alias set, and the statements on it that were rejected.

    Attributes:
        families: its family; several, sorted by key, where an alias between them was rejected,
            none where nothing is left.
        rejected: the statements that were rejected, and why.
    """

    families: tuple[Family, ...] = ()
    rejected: list[tuple[NodeStatements, Rejection]] = field(default_factory=list)

    def reject(self, parts: Iterable[NodeStatements], code: str, detail: str) -> None:
        """Reject some statements."""
        self.rejected += [(part, Rejection(code, detail)) for part in parts]


def build_rdf(group: RdfGroup) -> RdfFamilies:
    """Build the family of an alias set; a function of its argument alone, in any process.

    Args:
        group: the statements on it, of `RdfSource.groups`.
    """
    built = RdfFamilies()
    parts, records = _read_records(group.parts, built)
    parts = _build_families(parts, records, frozenset(group.shared), built)
    _reject_unfounded(parts, built)
    return built


def build_groups(
    groups: Iterable[RdfGroup],
) -> tuple[list[Family], tuple[int, ...], tuple[RdfFamilies, ...]]:
    """Build the families; return also the position of the group of each, and the rejections."""
    families: list[Family] = []
    positions: list[int] = []
    rejected: list[RdfFamilies] = []
    for position, group in enumerate(groups):
        built = build_rdf(group)
        families += built.families
        positions += [position] * len(built.families)
        if built.rejected:
            rejected.append(replace(built, families=()))
    return families, tuple(positions), tuple(rejected)


def _read_records(
    parts: Sequence[NodeStatements], built: RdfFamilies
) -> tuple[Sequence[NodeStatements], Sequence[Record]]:
    """Read the records of all nodes that can be read, and return what they were read from."""
    broken = {
        part.node: f"a statement on {part.node} cannot be read"
        for part in parts
        if part.text == Origin.BROKEN
    }
    if broken:
        parts = _reject_nodes(parts, broken, built)
    if any(f"{v.IS_REPLACED_BY} " in part.text for part in parts):
        parts = _reject_replacements(parts, built)
    try:
        return parts, _make_records(parts)
    except GraphError:
        parts = _reject_nodes(parts, _find_faults(parts), built)
    try:
        return parts, _make_records(parts)
    except GraphError as fault:
        built.reject(parts, "LX983", str(fault))
        return (), ()


def _reject_replacements(
    parts: Iterable[NodeStatements], built: RdfFamilies
) -> list[NodeStatements]:
    """Reject what names are replaced by that are not withdrawn; return the other statements."""
    known = [(check(part.node[1:-1]).name, part) for part in parts]
    withdrawn = {name for name, part in known if v.WITHDRAWN in _list_objects((part,), v.STATUS)}
    kept: list[NodeStatements] = []
    for name, part in known:
        links = [each for each in part.lines if each.startswith(f"{v.IS_REPLACED_BY} ", 1)]
        if links and name not in withdrawn:
            detail = f"{v.IS_REPLACED_BY} of a name that is not withdrawn"
            built.reject([part.with_lines(links)], "LX981", detail)
            kept.append(part.with_lines(each for each in part.lines if each not in links))
        else:
            kept.append(part)
    return kept


def _make_records(parts: Iterable[NodeStatements]) -> tuple[Record, ...]:
    """Make the records of some parts.

    Raises:
        GraphError: a node is not a name, or a record cannot hold a value.
    """
    names: list[Triple] = []
    stated: list[Triple] = []
    is_merged = False
    for part in parts:
        if is_lex_node(part.node):
            names.append((part.node, v.IDENTIFIER, '""'))
        for line in part.lines:
            if line[0] in _STATING:
                predicate, _, value = line[1:].partition(" ")
                stated.append((part.node, predicate, value))
                is_merged |= predicate in _COMPUTABLE and line[0] == Origin.MERGED
    if is_merged:
        return records_of([*names, *stated])
    return records_of(Statements(decoded=tuple(names), catalogued=tuple(stated)))


def _reject_nodes(
    parts: Iterable[NodeStatements], faults: dict[str, str], built: RdfFamilies
) -> list[NodeStatements]:
    """Reject the statements on some nodes, given with their faults; return the others."""
    kept: list[NodeStatements] = []
    for part in parts:
        if part.node in faults:
            built.reject([part], "LX983", faults[part.node])
        else:
            kept.append(part)
    return kept


def _find_faults(parts: Sequence[NodeStatements]) -> dict[str, str]:
    """Find the names that cannot be read, or else their copies: nodes, and their faults."""
    by_node: dict[str, list[NodeStatements]] = {}
    by_name: dict[str, list[NodeStatements]] = {}
    for part in parts:
        if is_lex_node(part.node):
            name = check(part.node[1:-1]).name
            by_name.setdefault(part.node if name is None else str(name), []).append(part)
        else:
            by_node.setdefault(part.node, []).append(part)
    faults: dict[str, str] = {}
    for own in by_name.values():
        copies = [part for url in _list_objects(own, v.ITEM) for part in by_node.get(url, ())]
        sums = [
            part for each in _list_objects(copies, v.CHECKSUM) for part in by_node.get(each, ())
        ]
        for tried in (own, [*own, *copies, *sums]):
            try:
                _make_records(tried)
            except GraphError as fault:
                at_fault = own if tried is own else [*copies, *sums]
                faults |= {part.node: str(fault) for part in at_fault}
                break
    return faults


def _list_objects(parts: Iterable[NodeStatements], predicate: str) -> list[str]:
    start = f"{predicate} "
    return [
        line[1 + len(start) :] for part in parts for line in part.lines if line.startswith(start, 1)
    ]


def _build_families(
    parts: Sequence[NodeStatements],
    records: Sequence[Record],
    shared: frozenset[str],
    built: RdfFamilies,
) -> Sequence[NodeStatements]:
    """Build the family, or several; return the parts that it was made from.

    If aliases contradict each other, all aliases in the set are rejected.
    """
    try:
        if records and not built.rejected:
            built.families = (family_of(records, shared),)
            return parts
    except ModelError:
        pass
    try:
        found = families_of(records)
    except ModelError as torn:
        others: list[NodeStatements] = []
        for part in parts:
            links = [line for line in part.lines if line[1:].partition(" ")[0] in ALIAS_PROPERTIES]
            if links:
                built.reject([part.with_lines(links)], "LX984", str(torn))
            others.append(part.with_lines(line for line in part.lines if line not in links))
        parts = others
        try:
            found = families_of(_make_records(parts))
        except ModelError as oversize:
            built.reject(parts, "LX984", str(oversize))
            return ()
    several = [family_of(each.records, shared | each.shared) for each in found]
    built.families = tuple(sorted(several, key=lambda family: str(family.key)))
    return parts


def _reject_unfounded(parts: Iterable[NodeStatements], built: RdfFamilies) -> None:
    """Reject statements that the families do not bear out.

    These are copies that no name is left to have, and computed statements that do not follow.
    """
    parts = [
        part
        for part in parts
        if (built.rejected and not is_lex_node(part.node))
        or f"\n{Origin.CLAIMED}" in f"\n{part.text}"
    ]
    if not parts:
        return
    # Names, copies, HTTP-URI equivalents without their base, bases of spans of force, concepts, and
    # media types.
    known = {f"<{v.LEXO}{basis}>" for basis in ForceBasis} | find_concepts(built.families)
    for family in built.families:
        for record in family.records:
            path = http_of(record.name, _ANY_BASE).uri.removeprefix(_ANY_BASE)
            known |= {f"<{record.name.iri}>", path, *(f"<{item.url}>" for item in record.items)}
            if record.name.manifestation is not None:
                known.add(f"<{v.MEDIA_TYPES}{record.name.manifestation.format.media_type}>")
    digests = set(_list_objects((part for part in parts if part.node in known), v.CHECKSUM))
    for part in parts:
        facts = [line for line in part.lines if line[0] != Origin.CLAIMED]
        is_orphan = part.node not in known | digests and not is_lex_node(part.node)
        if facts and is_orphan and built.rejected:
            built.reject([part.with_lines(facts)], "LX985", part.node)
        for line in part.lines:
            predicate, _, value = line[1:].partition(" ")
            if line[0] != Origin.CLAIMED:
                continue
            # The path of an HTTP-URI equivalent begins somewhere after its base.
            starts = (found.start() for found in _PATH.finditer(part.node))
            is_held = part.node in known or any(part.node[start:-1] in known for start in starts)
            if not is_held or (value[0] != '"' and value not in known):
                detail = f"{part.node} {predicate} {value}"
                built.reject([part.with_lines([line])], "LX987", detail)


RdfInputSource = str | Path | IO[bytes] | Iterable[bytes]
_LARGEST: Final = 100_000
_STEP: Final = 10_000
_MOST_FINDINGS: Final = 10_000
_GRAPH_OF_ORIGIN: Final = {Origin[layer.name]: f"<{layer.iri}>" for layer in Layer}


class RdfSource(AbstractContextManager["RdfSource"]):
    """Sources of RDF, open for reading; a context manager.

    Attributes:
        statements: the number of statements read so far, invalid lines among them; without those
            of a source that was left out.
        rejected: the number of these that were rejected.
        rejects: the rejects file, None where none was asked for or nothing was rejected.
        counts: the number of rejected statements by code of finding.
        left_out: the sources that could not be read to their end, and were left out.
    """

    def __init__(
        self,
        inputs: Sequence[RdfInput],
        *,
        files: ExitStack,
        rejects: Path | None,
        on_finding: Callable[[Finding], None] | None,
        on_progress: Callable[[int], None],
    ) -> None:
        """Keep the parts; `open_rdf_source` makes them."""
        self.statements = 0
        self.rejects: Path | None = None
        self.counts: Counter[str] = Counter()
        self.left_out: tuple[str, ...] = ()
        self._inputs, self._files, self._path = inputs, files, rejects
        self._on_finding, self._on_progress = on_finding, on_progress
        self._reported: set[Rejection] = set()
        self._input_index = 0
        self._spool: QuadSpool | None = None

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files and delete the spool."""
        self._files.close()

    @property
    def rejected(self) -> int:
        """Number of statements, invalid lines among them, that were rejected."""
        return self.counts.total()

    def families(self) -> Iterator[Family]:
        """Yield the families of all sources, sorted by key; once.

        All is read before the first is given. If an alias was rejected, the families that it
        joined come in the place of their common one.

        Raises:
            CatalogueError: the disk is full, or the sources were read already.
        """
        for group in self.groups():
            yield from self.settle(build_rdf(group))
        self.finish()

    def groups(self) -> Iterator[RdfGroup]:
        """Yield the statements on each alias set, sorted by act: for `build_rdf`, in any process.

        Give the results to `settle`, in the same order and in one thread; in the end call `finish`.

        Raises:
            CatalogueError: as `families`.
        """
        if self._spool is not None:
            raise CatalogueError("The sources were read already. Open them again.")
        spool = self._spool = QuadSpool()
        self._files.callback(spool.close)
        self._read(spool)
        spool.settle()
        for part in spool.orphans():
            self._reject_part(part, Rejection("LX985", part.node))
        oversize = spool.find_oversize(_LARGEST)
        for act in sorted(oversize):
            detail = f"{act}: more than {_LARGEST:,} names in one alias set"
            for part in spool.parts(act):
                self._reject_part(part, Rejection("LX984", detail))
        yield from spool.groups(oversize)

    def settle(self, built: RdfFamilies) -> Sequence[Family]:
        """Reject the statements that did not fit into the families; return these.

        Raises:
            CatalogueError: the disk is full.
        """
        for part, why in built.rejected:
            self._reject_part(part, why)
        return built.families

    def refuse(self, group: RdfGroup, family: Family) -> None:
        """Reject the statements on a family that a catalogue refuses.

        Args:
            group: the statements that the family was made from, and perhaps others.
            family: the family.

        Raises:
            CatalogueError: the disk is full.
        """
        why = Rejection("LX984", f"{family.key} is not loaded")
        for part in group.parts:
            name = check(part.node[1:-1]).name
            if name is None or family.record(name) is not None:
                self._reject_part(part, why)

    def finish(self) -> None:
        """Write the rejects file, or remove that of an earlier run where nothing was rejected.

        Raises:
            CatalogueError: it cannot be written.
        """
        if self._path is None or self._spool is None:
            return
        try:
            if not self.rejected:
                self._path.unlink(missing_ok=True)
                return
            with replace_atomically(self._path) as part, part.open("xb") as stream:
                stream.writelines(self._spool.rejects())
        except OSError as full:
            why = full.strerror or full
            raise CatalogueError(
                f"{self._path}: the rejects file cannot be written: {why}"
            ) from None
        self.rejects = self._path

    def _read(self, spool: QuadSpool) -> None:
        def reject(statement: Statement, why: Rejection) -> None:
            line = _format_statement(statement)
            self._keep(why.code, line.encode())
            self._report(why, line.rstrip("\n"))

        taker = StatementFilter(spool, reject)
        for index, source in enumerate(self._inputs):
            self._input_index = index
            taker.begin(index)
            before = self.statements, self.counts.copy()
            try:
                for each in read_statements(source, f"s{index}."):
                    self.statements += 1
                    if self.statements % _STEP == 0:
                        self._on_progress(self.statements)
                    if not isinstance(each, InvalidStatement):
                        taker.take(each)
                        continue
                    self._keep("LX980", each.raw)
                    text = each.raw.decode(errors="replace").rstrip("\r\n")
                    self._report(Rejection("LX980", each.reason), text, each.line)
                    if (subject := _SUBJECT.match(text)) is not None:
                        taker.spoil(subject[1])
                taker.end()
            except BrokenSourceError as broken:
                taker.drop()
                spool.forget(index)
                self.statements, self.counts = before
                self.left_out = (*self.left_out, source.file)
                self._report(Rejection("LX986", str(broken)))
        self._on_progress(self.statements)

    def _reject_part(self, part: NodeStatements, why: Rejection) -> None:
        self._input_index = part.source
        node, lines = part.node, part.lines or [f'1{v.IDENTIFIER} "{part.node[1:-1]}"']
        for line in lines:
            origin, (predicate, _, value) = Origin(line[0]), line[1:].partition(" ")
            if origin is not Origin.BROKEN:
                graph = _GRAPH_OF_ORIGIN.get(origin, "")
                self._keep(why.code, _format_statement((node, predicate, value, graph)).encode())
        self._report(why)

    def _keep(self, code: str, line: bytes) -> None:
        """Count a line, and keep it for the rejects file."""
        self.counts[code] += 1
        if self._path is not None and self._spool is not None:
            end = b"" if line.endswith(b"\n") else b"\n"
            self._spool.add("reject", line + end, self._input_index)

    def _report(self, why: Rejection, text: str = "", line: int = 0) -> None:
        """Report a rejection; those of one kind only once."""
        if self._on_finding is None:
            return
        if why.code != "LX980":
            if why in self._reported or len(self._reported) > _MOST_FINDINGS:
                return
            self._reported.add(why)
        shown = text if len(text) <= _LONGEST_SHOWN else ""
        file = self._inputs[self._input_index].file
        self._on_finding(make_finding(*why, file=file, line=line, text=shown, end=len(shown)))


_SUBJECT: Final = re.compile(r"\s*(<[^<>\s]*>)")
_LONGEST_SHOWN: Final = 10_000


def _format_statement(statement: Statement) -> str:
    """Write a statement as a line of N-Quads."""
    return f"{' '.join(filter(None, statement))} .\n"


def _open_rdf(source: RdfInputSource, stated: str | None, stack: ExitStack) -> RdfInput:
    """Open a source.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or pieces of N-Quads.
        stated: the format by name; None to go by the extension, N-Quads where there is none.
        stack: closes the file in the end.

    Raises:
        CatalogueError: it cannot be opened, or its format is unknown.
    """
    if isinstance(source, str | Path):
        file = str(source)
        stream = _open_stream(file, stack)
    elif hasattr(source, "read"):
        stream, name = cast("IO[bytes]", source), getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    else:
        return RdfInput("-", Format.NQUADS, iter(source))
    path = Path(file)
    extension = path.suffix if path.suffix.lower() != ".gz" else path.with_suffix("").suffix
    name = stated or extension or ("nquads" if file == "-" else "")
    try:
        found = Format.from_name("rdf" if name.lower() in {"owl", ".owl"} else name)
    except GraphError as unknown:
        raise CatalogueError(f"{file}: {unknown}. Use --format to name it.") from None
    return RdfInput(file, found, decompress_stream(stream))


def _open_stream(file: str, stack: ExitStack) -> IO[bytes]:
    if file == "-":
        stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise CatalogueError("-: there is no standard input. Name a file.")
        return stream
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise CatalogueError(f"{file}: cannot be opened: {why}") from None


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
            `Store.dump` gives; all but the last may be compressed with gzip.
        format: the format of all of them by its name; None to go by their extensions, N-Quads
            where there is none.
        rejects: the file for rejected statements, as N-Quads; a file of an earlier run is
            replaced, or removed when nothing is rejected.
        on_finding: is called with each finding, once for all statements with the same fault.
        on_progress: is called now and then with the number of statements read.

    Raises:
        CatalogueError: a source cannot be opened, or its format is unknown.
        ManifestError: the rejects file is a source, or cannot be a rejects file.
    """
    if not sources:
        raise CatalogueError("no source; name a file, or - for standard input")
    path = None if rejects is None else Path(rejects)
    if path is not None:
        check_rejects_file(path, sources)
    with ExitStack() as stack:
        inputs = [_open_rdf(source, format, stack) for source in sources]
        return RdfSource(
            inputs,
            files=stack.pop_all(),
            rejects=path,
            on_finding=on_finding,
            on_progress=on_progress or (lambda _: None),
        )


_NODES_AT_ONCE: Final = 5_000
_ACTS_QUERY: Final = (
    f"SELECT ?act WHERE {{ GRAPH <{Layer.DECODED.iri}> {{ ?act {v.MEASURE_TYPE} ?type }} }}"
)


def fill_index(index: Index, store: EmbeddedStore, options: RebuildOptions) -> int:
    """Fill an index from a store; return how many acts it has by their names alone.

    Args:
        index: the index, within a transaction.
        store: the store beside it.
        options: callbacks, and the number of processes.

    Raises:
        CatalogueError: the store cannot be read, or the index not be written.
    """
    index.clear()
    done = 0
    with (
        closing(store.dump()) as pieces,
        open_rdf_source([pieces], on_finding=options.finding) as source,
        Workers(options.jobs or os.cpu_count() or 1) as workers,
    ):
        lots = split_by_size(source.groups(), lambda group: len(group.parts), _NODES_AT_ONCE)
        for rows, rejected in workers.map(_prepare_index_rows, ((lot,) for lot in lots)):
            for built in rejected:
                source.settle(built)
            index.settle((), [rows])
            done += len(rows.families)
            if options.progress is not None:
                options.progress(done)
        source.finish()
    lost = 0
    found = (check(row["act"].value).name for row in select_rows(store, _ACTS_QUERY))
    acts = (name for name in found if name is not None and name.is_act)
    while some := tuple(islice(acts, _NODES_AT_ONCE)):
        known = index.known([str(act) for act in some])
        bare = [family_of([Record(name=act)]) for act in some if str(act) not in known]
        index.settle((), [make_index_rows(bare, dt.date.min)])
        lost += len(bare)
    return lost


def _prepare_index_rows(
    groups: Sequence[RdfGroup],
) -> tuple[IndexRows, tuple[RdfFamilies, ...]]:
    """Prepare the rows of some alias sets in a store; return also the rejected statements."""
    families, _, rejected = build_groups(groups)
    return make_index_rows(families, dt.date.min), rejected  # the day of the store is not known
