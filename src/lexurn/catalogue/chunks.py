"""Chunks to check: a store that is read once, in its own order, and sorted into buckets by work.

Looking up nodes one by one takes far longer, because each look-up unpacks another block of the
store. A name tells its act. A copy belongs to a work that has it, and another node to a name that
is equal to it, so these are collected first and added to the works at the end. Then almost all
statements that a shape sees are together.
"""

from __future__ import annotations

import re
from array import array
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final
from zlib import crc32

from lexurn.catalogue.files import explain_scratch_faults
from lexurn.catalogue.folder import open_catalogue
from lexurn.graph import Layer
from lexurn.name import http_of
from lexurn.vocabulary import DCAT, DCTERMS, FOAF, FRBR, IANA, LEXO, OWL, RDF, RECORD_END, SPDX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue.index import Index
    from lexurn.catalogue.report import ProgressCallback
    from lexurn.store import EmbeddedStore
    from lexurn.workers import Workers

RDF_TYPE: Final = f"{RDF}type"
SAME: Final = f"{OWL}sameAs"
#: Links from aliases to canonical names.
ALIAS_LINKS: Final = frozenset({SAME, f"{DCTERMS}isReplacedBy"})
NEXT: Final = f"{IANA}next"
CURRENT: Final = f"{DCAT}hasCurrentVersion"
VERSION: Final = f"{DCAT}hasVersion"
TOPIC: Final = f"{FOAF}primaryTopic"
REALIZATION: Final = f"{FRBR}realization"
PART: Final = f"{FRBR}part"
_REALIZATION_OF: Final = f"{FRBR}realizationOf"
ITEM: Final = f"{LEXO}item"
LICENSE: Final = f"{DCTERMS}license"

#: Links whose targets shapes examine with all their statements.
FOLLOWED_LINKS: Final = frozenset(
    {
        *ALIAS_LINKS,
        REALIZATION,
        _REALIZATION_OF,
        PART,
        VERSION,
        CURRENT,
        *(f"{IANA}{each}" for each in ("first", "last", "next", "previous", "current")),
    }
)
#: Links that shapes follow backwards, or whose objects they examine.
INVERSE_LINKS: Final = frozenset(
    {
        *(FOLLOWED_LINKS - {_REALIZATION_OF}),
        f"{FRBR}embodiment",
        f"{FRBR}exemplar",
        f"{LEXO}manifestation",
        f"{LEXO}sameVersion",
        ITEM,
        TOPIC,
        f"{DCTERMS}hasPart",
    }
)
#: Upward links, which the search for a licence follows to the end.
UPWARD_LINKS: Final = frozenset(
    {
        _REALIZATION_OF,
        f"{FRBR}embodimentOf",
        f"{LEXO}manifestationOf",
        f"{FRBR}partOf",
        f"{DCTERMS}isPartOf",
        *ALIAS_LINKS,
    }
)
#: Links whose objects must have a class.
CLASSED_LINKS: Final = frozenset(
    {
        *UPWARD_LINKS,
        f"{FRBR}exemplarOf",
        f"{DCTERMS}isVersionOf",
        f"{SPDX}checksum",
    }
)
#: Start of all LEX names.
LEX_PREFIX: Final = b"urn:lex:"
_ITEM: Final = ITEM.encode()
_ACT: Final = re.compile(rb"urn:lex:[^:]*:[^:]*:[^:]*:[^:@$~#]*")
_OWNER: Final = re.compile(
    rf"^<([^ <>]*)> <({re.escape(ITEM)}|{re.escape(SAME)})> <([^ <>]*)> \.$".encode(),
    re.MULTILINE,
)


def find_act(iri: bytes) -> bytes:
    """Return the name of an act with which an IRI begins, else the IRI itself.

    >>> find_act(b"urn:lex:it:stato:legge:1990-08-07;241:allegato.1@originale:it")
    b'urn:lex:it:stato:legge:1990-08-07;241'
    """
    found = _ACT.match(iri)
    return iri if found is None else found[0]


#: Number of buckets; in a catalogue of ten million documents one has about 50 MB.
BUCKET_COUNT: Final = 1024
_MOST_WAITING: Final = 1 << 25
_OVERHEAD: Final = 41

Segments = tuple[tuple[str, int, int], ...]
"""Positions of the lines of a bucket: files, offsets and sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketFile:
    """Buckets that are complete and can be read by any process.

    Attributes:
        path: the file.
        positions: offsets and sizes in turn, by bucket.
        counts: the numbers of lines, by bucket.
    """

    path: str
    positions: Sequence[array[int]]
    counts: Sequence[int]

    def segments(self, bucket: int) -> Segments:
        """Return the positions of the lines of a bucket."""
        found = self.positions[bucket]
        return tuple((self.path, *each) for each in zip(found[::2], found[1::2], strict=True))


class Buckets:
    """Buckets of lines in a file; the latest lines are still in memory."""

    def __init__(self, path: Path) -> None:
        """Create a file.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._path = path
        self._waiting: list[list[bytes]] = [[] for _ in range(BUCKET_COUNT)]
        self._size = 0
        self._end = 0
        self._segments = [array("Q") for _ in range(BUCKET_COUNT)]
        self._counts = [0] * BUCKET_COUNT
        with explain_scratch_faults():
            self._file = path.open("wb")

    def add(self, bucket: int, lines: bytes) -> None:
        """Add whole lines to a bucket."""
        self._waiting[bucket].append(lines)
        self._size += len(lines) + _OVERHEAD
        if self._size > _MOST_WAITING:
            self._write()

    def settle(self) -> BucketFile:
        """Write the lines in memory and close the file; no lines can be added after that.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._write()
        self.close()
        return BucketFile(path=str(self._path), positions=self._segments, counts=self._counts)

    def close(self) -> None:
        """Close the file and keep it."""
        with explain_scratch_faults():
            self._file.close()

    def _write(self) -> None:
        """Write the lines in memory, bucket by bucket.

        Raises:
            CatalogueError: the disk is full.
        """
        for bucket, some in enumerate(self._waiting):
            if some:
                lines = b"".join(some)
                with explain_scratch_faults():
                    self._file.write(lines)
                self._segments[bucket].extend((self._end, len(lines)))
                self._counts[bucket] += lines.count(b"\n")
                self._end += len(lines)
                some.clear()
        self._size = 0


def find_owners(segments: Segments) -> dict[bytes, bytes]:
    """Find the acts of copies and HTTP URIs, by the N-Triples lines that link them with names.

    Of several acts the last one in alphabetical order counts.
    """
    owners: dict[bytes, bytes] = {}
    for lines in read_segments(segments):
        for subject, link, value in _OWNER.findall(lines):
            node, other = (value, subject) if link == _ITEM else (subject, value)
            if not node.startswith(LEX_PREFIX):
                owners[node] = max(owners.get(node, b""), find_act(other))
    return owners


def read_segments(segments: Segments) -> Iterator[bytes]:
    """Yield the lines of a bucket in pieces.

    Raises:
        CatalogueError: a file cannot be read.
    """
    for path, some in groupby(segments, key=itemgetter(0)):
        with explain_scratch_faults(), Path(path).open("rb") as file:
            for _, offset, size in some:
                file.seek(offset)
                yield file.read(size)


_TEXT_BLOCK: Final = re.compile(r"([^ \n]+) .*\n(?:\1 .*\n)*")
_BLOCK: Final = re.compile(_TEXT_BLOCK.pattern.encode())
_LARGEST_PORTION: Final = 1 << 27
_LARGEST_PART: Final = 10
"""Number of chunks above which an act is divided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """Some buckets of a scan, which another process can read too.

    Attributes:
        statements: the positions of statements about nodes.
        links: the positions of links to nodes.
        size: the number of statements about nodes.
    """

    statements: Segments
    links: Segments
    size: int

    @property
    def is_large(self) -> bool:
        """True if it is too large to be read into memory at once."""
        return sum(size for _, _, size in (*self.statements, *self.links)) > _LARGEST_PORTION


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNodes:
    """Statements about some nodes that need no query; terms as N-Triples writes them.

    Attributes:
        statements: all statements about them, as N-Triples.
        links: all lines with inverse links to a node, by node.
    """

    statements: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, Sequence[str]] = field(default_factory=dict)


NOTHING_KNOWN: Final = KnownNodes()


def read_portion(portion: Portion) -> KnownNodes:
    """Read a portion that is not large.

    Raises:
        CatalogueError: it cannot be read.
    """
    blocks: dict[str, list[str]] = {}
    for lines in read_segments(portion.statements):
        for block in _TEXT_BLOCK.finditer(lines.decode()):
            blocks.setdefault(block[1], []).append(block[0])
    links: dict[str, list[str]] = {node: [] for node in blocks}
    for lines in read_segments(portion.links):
        for line in lines.decode().split("\n")[:-1]:
            node = line[line.rindex(" <") + 1 : -2]
            if node in links:
                links[node].append(line)
    return KnownNodes(
        statements={node: "".join(each) for node, each in blocks.items()}, links=links
    )


def split_portion(portion: Portion, most: int) -> Iterator[tuple[str, ...]]:
    """Split the nodes of a portion, as plain IRIs, into chunks of whole works and about equal size.

    An act is divided only if it has ten times as many nodes as a chunk.

    Args:
        portion: the portion.
        most: the approximate number of nodes in a chunk.

    Raises:
        CatalogueError: the portion cannot be read.
    """
    nodes: set[bytes] = set()
    for lines in read_segments(portion.statements):
        nodes.update(each[1:-1] for each in _BLOCK.findall(lines))
    parts = max(1, round(len(nodes) / most))
    if parts == 1:
        yield tuple(node.decode() for node in nodes)
        return
    owners = find_owners(portion.statements)
    pairs = ((owners.get(node, find_act(node)).decode(), node.decode()) for node in nodes)
    yield from _split_by_act(sorted(pairs), len(nodes) / parts, most * _LARGEST_PART)


def _split_by_act(
    pairs: Iterable[tuple[str, str]], full: float, largest: int
) -> Iterator[tuple[str, ...]]:
    """Split nodes, given with their acts, into chunks that end with an act or are too large."""
    chunk: list[str] = []
    last = ""
    for act, node in pairs:
        if len(chunk) >= full and (act != last or len(chunk) >= largest):
            yield tuple(chunk)
            chunk = []
        chunk.append(node)
        last = act
    if chunk:
        yield tuple(chunk)


_BATCH: Final = 500


def split_sample(
    holdings: Index, count: int, base: str | None, most: int
) -> tuple[int, Sequence[tuple[str, ...]]]:
    """Split the nodes of some works, spread evenly over all, into chunks, as `split_portion` does.

    Args:
        holdings: the names of the catalogue.
        count: the number of works, if there are as many.
        base: the start of HTTP-URI equivalents, or None.
        most: the number of nodes in a chunk, or more up to the end of an act.

    Returns:
        The number of works, and the chunks.
    """
    total = holdings.count_alias_sets()
    taken = min(count, total)
    wanted = {index * total // taken for index in range(taken)} if taken else set()
    keys = [key for index, key in enumerate(holdings.keys()) if index in wanted]
    owners: dict[str, str] = {}
    for start in range(0, len(keys), _BATCH):
        for family in holdings.families(keys[start : start + _BATCH]):
            for record in family.records:
                name = record.name
                nodes = [name.iri, *(item.url for item in record.items)]
                nodes += [item.digest_uri for item in record.items if item.digest_uri is not None]
                if any(field.is_of_record for field, _ in record.list_values()):
                    nodes.append(name.iri + RECORD_END)
                if base is not None:
                    nodes.append(http_of(name, base).uri)
                act = find_act(name.iri.encode()).decode()
                owners.update((node, max(owners.get(node, ""), act)) for node in nodes)
    pairs = sorted((act, node) for node, act in owners.items())
    return taken, tuple(_split_by_act(pairs, most, most * _LARGEST_PART))


_NODE: Final = re.compile(rb'<([^\x00-\x20<>"{}|^`\\]*)>')
_LINKS: Final = "|".join(map(re.escape, sorted(INVERSE_LINKS)))
_LINK: Final = re.compile(rf' <(?:{_LINKS})> <([^ <>"]*)> \.\n'.encode())
_LINES_A_NODE: Final = 10
#: The largest first, so that the processes end at about the same time.
_LAYERS: Final = (Layer.DECODED, Layer.COMPUTED, Layer.CATALOGUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LayerBuckets:
    """Layer in buckets.

    Attributes:
        statements: statements about nodes of known acts.
        links: links to them.
        unowned_statements: statements about other nodes, by node.
        unowned_links: links to these other nodes.
        lines: the number of lines read.
        is_blank: whether there are statements about blank nodes, which are in no bucket.
    """

    statements: BucketFile
    links: BucketFile
    unowned_statements: BucketFile
    unowned_links: BucketFile
    lines: int
    is_blank: bool


class StoreScan:
    """Statements of a store in buckets: those about nodes, and the links to nodes.

    The buckets are on disk until the scan is closed.

    Attributes:
        is_blank: whether there are blank nodes; they are in no bucket.
    """

    def __init__(self, folder: Path) -> None:
        """Prepare the buckets.

        Raises:
            CatalogueError: nothing can be written in the folder.
        """
        self.is_blank = False
        self._folder = folder / "scan"
        with explain_scratch_faults():
            self._folder.mkdir()
        self._statements: list[BucketFile] = []
        self._links: list[BucketFile] = []

    def read(
        self,
        store: EmbeddedStore,
        workers: Workers,
        reopen: str | None,
        on_progress: ProgressCallback,
    ) -> None:
        """Read a whole store.

        Args:
            store: the store.
            workers: the processes.
            reopen: the folder in which they can open the catalogue; None if only this process can.
            on_progress: receives the number of lines read.

        Raises:
            CatalogueError: the store cannot be read, or the disk is full.
        """
        folder = str(self._folder)
        on_progress("reading", 0, None)
        if reopen is None:
            reads: Iterable[_LayerBuckets] = (
                _read_layer(store, folder, layer) for layer in _LAYERS
            )
        else:
            reads = workers.map(_read_layer_at, ((reopen, folder, layer) for layer in _LAYERS))
        done: list[_LayerBuckets] = []
        for read in reads:
            done.append(read)
            on_progress("reading", sum(each.lines for each in done), None)
        self.is_blank = any(read.is_blank for read in done)
        self._statements = [read.statements for read in done]
        self._links = [read.links for read in done]
        self._add_unowned(
            [read.unowned_statements for read in done], [read.unowned_links for read in done]
        )

    def close(self) -> None:
        """Close all files."""
        rmtree(self._folder, ignore_errors=True)

    def portions(self, most: int) -> Iterator[Portion]:
        """Yield the statements in portions of whole buckets.

        Args:
            most: the approximate number of nodes to check at a time.
        """
        buckets: list[int] = []
        size = 0
        for bucket in range(BUCKET_COUNT):
            if lines := sum(each.counts[bucket] for each in self._statements):
                buckets.append(bucket)
                size += lines
            if size >= most * _LINES_A_NODE:
                yield self._portion(buckets, size)
                buckets, size = [], 0
        if buckets:
            yield self._portion(buckets, size)

    def _portion(self, buckets: list[int], size: int) -> Portion:
        return Portion(
            statements=_join_segments(self._statements, buckets),
            links=_join_segments(self._links, buckets),
            size=size,
        )

    def _add_unowned(
        self, unowned_statements: list[BucketFile], unowned_links: list[BucketFile]
    ) -> None:
        """Add unowned statements to the buckets of their acts, once all are known."""
        with (
            closing(Buckets(self._folder / "statements.nt")) as statements,
            closing(Buckets(self._folder / "links.nt")) as links,
        ):
            for bucket in range(BUCKET_COUNT):
                about = _join_segments(unowned_statements, [bucket])
                inverse = _join_segments(unowned_links, [bucket])
                owners = find_owners((*about, *inverse))
                homes: dict[bytes, int] = {}
                for lines in read_segments(about):
                    for block in _BLOCK.finditer(lines):
                        node = block[1][1:-1]
                        homes[node] = home = _choose_bucket(owners.get(node, node))
                        statements.add(home, block[0])
                # Links to nodes without statements are left out.
                for lines in read_segments(inverse):
                    for link in _LINK.finditer(lines):
                        if link[1] in homes:
                            links.add(homes[link[1]], _find_line(lines, link))
            self._statements.append(statements.settle())
            self._links.append(links.settle())


def _join_segments(settled: list[BucketFile], buckets: list[int]) -> Segments:
    return tuple(chain.from_iterable(each.segments(one) for each in settled for one in buckets))


def _read_layer_at(location: str, folder: str, layer: Layer) -> _LayerBuckets:
    """Read a layer of a catalogue that this process opens itself."""
    with open_catalogue(location) as catalogue:
        return _read_layer(catalogue.store, folder, layer)


def _read_layer(store: EmbeddedStore, folder: str, layer: Layer) -> _LayerBuckets:
    """Add the statements of a layer to the buckets of the acts that they describe and link to."""
    with ExitStack() as files:
        statements, links, unowned_statements, unowned_links = (
            files.enter_context(closing(Buckets(Path(folder) / f"{layer.value}-{name}.nt")))
            for name in ("statements", "links", "unowned-statements", "unowned-links")
        )
        lines = 0
        is_blank = False
        for piece in store.triples(layer):
            lines += piece.count(b"\n")
            for block in _BLOCK.finditer(piece):
                node = _NODE.fullmatch(block[1])
                if node is not None:
                    _add_lines(statements, unowned_statements, node[1], block[0])
                elif block[1].startswith(b"_:"):
                    is_blank = True
            for link in _LINK.finditer(piece):
                _add_lines(links, unowned_links, link[1], _find_line(piece, link))
        return _LayerBuckets(
            statements=statements.settle(),
            links=links.settle(),
            unowned_statements=unowned_statements.settle(),
            unowned_links=unowned_links.settle(),
            lines=lines,
            is_blank=is_blank,
        )


def _find_line(lines: bytes, link: re.Match[bytes]) -> bytes:
    """Return the line at whose end a link was found."""
    return lines[lines.rfind(b"\n", 0, link.start()) + 1 : link.end()]


def _add_lines(known: Buckets, loose: Buckets, node: bytes, lines: bytes) -> None:
    """Add lines to the act of a node, or to the loose ones."""
    if node.startswith(LEX_PREFIX):
        known.add(_choose_bucket(find_act(node)), lines)
    else:
        loose.add(_choose_bucket(node), lines)


def _choose_bucket(iri: bytes) -> int:
    return crc32(iri) % BUCKET_COUNT
