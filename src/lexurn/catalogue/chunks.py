"""Chunks to check: a store read once, in its own order, and put into buckets by work.

To look nodes up one by one costs far more: the keys of a store are scattered, so that each look-up
unpacks another block. Names tell the act that they belong to. Copies belong to a work that has
them, other nodes to a name that they are equal to; so these are gathered first, and put with the
works when all of it is there. Almost all that a shape looks at then lies in one place.
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
from typing import TYPE_CHECKING
from zlib import crc32

from lexurn.catalogue.files import explain_scratch_faults
from lexurn.catalogue.opening import open_catalogue
from lexurn.graph import Layer
from lexurn.name import http_of
from lexurn.vocabulary import DCAT, DCTERMS, FRBR, IANA, LEXO, OWL, RDF, SPDX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Holdings
    from lexurn.catalogue.findings import CheckSpool
    from lexurn.model import Family
    from lexurn.store import EmbeddedStore
    from lexurn.workers import Workers

    ProgressCallback = Callable[[str, int, int | None], None]

RDF_TYPE: Final = f"{RDF}type"
SAME: Final = f"{OWL}sameAs"
NEXT: Final = f"{IANA}next"
CURRENT: Final = f"{DCAT}hasCurrentVersion"
VERSION: Final = f"{DCAT}hasVersion"
REALIZATION: Final = f"{FRBR}realization"
ITEM: Final = f"{LEXO}item"
LICENSE: Final = f"{DCTERMS}license"
_CHECKSUM: Final = f"{SPDX}checksum"

#: Links that shapes follow backwards, or whose objects they look at: what points at a node counts.
INVERSE_LINKS: Final = frozenset(
    {
        REALIZATION,
        SAME,
        VERSION,
        CURRENT,
        f"{FRBR}embodiment",
        f"{FRBR}exemplar",
        f"{FRBR}part",
        f"{LEXO}manifestation",
        f"{LEXO}annex",
        f"{LEXO}languageVersion",
        ITEM,
        f"{DCTERMS}hasPart",
        *(f"{IANA}{each}" for each in ("first", "last", "next", "previous", "current")),
    }
)
#: Links behind which shapes look on: everything stated of what they lead to counts.
FOLLOWED_LINKS: Final = frozenset(
    {
        SAME,
        REALIZATION,
        VERSION,
        CURRENT,
        *(f"{IANA}{each}" for each in ("first", "last", "next", "previous", "current")),
    }
)
#: Links upwards, which the search for a licence follows as far as they lead.
UPWARD_LINKS: Final = frozenset(
    {
        f"{FRBR}realizationOf",
        f"{FRBR}embodimentOf",
        f"{LEXO}manifestationOf",
        f"{LEXO}annexOf",
        f"{DCTERMS}isPartOf",
        SAME,
    }
)
#: Links of whose objects shapes ask the class.
CLASSED_LINKS: Final = frozenset(
    {
        *UPWARD_LINKS,
        f"{FRBR}exemplarOf",
        f"{LEXO}itemOf",
        f"{LEXO}languageVersionOf",
        _CHECKSUM,
    }
)
#: The classes of lexurn, terms as N-Triples writes them.
NAME_CLASSES: Final = frozenset(
    f"<{LEXO}{each}>"
    for each in ("Annex", "Expression", "Item", "Manifestation", "Partition", "Work")
)
#: How the names of acts, and of all that belongs to them, begin.
LEX_PREFIX: Final = b"urn:lex:"
_ITEM_OF: Final = f"{LEXO}itemOf"
_ACT: Final = re.compile(rb"urn:lex:[^:]*:[^:]*:[^:]*:[^:@$~]*")
_OWNER: Final = re.compile(
    rf"^<([^ <>]*)> <(?:{re.escape(_ITEM_OF)}|{re.escape(SAME)})> <([^ <>]*)> \.$".encode(),
    re.MULTILINE,
)


def find_act(iri: bytes) -> bytes:
    """The act whose name stands in front of an IRI, else the IRI itself.

    >>> find_act(b"urn:lex:it:stato:legge:1990-08-07;241:allegato.1@originale:it")
    b'urn:lex:it:stato:legge:1990-08-07;241'
    """
    found = _ACT.match(iri)
    return iri if found is None else found[0]


def find_owners(lines: bytes) -> dict[bytes, bytes]:
    """The acts that nodes belong to by what N-Triples lines say of them, not by their names.

    Of several it is the last one by the alphabet, however often it is asked.
    """
    owners: dict[bytes, bytes] = {}
    for node, other in _OWNER.findall(lines):
        if not node.startswith(LEX_PREFIX):
            owners[node] = max(owners.get(node, b""), find_act(other))
    return owners


#: How many buckets there are: of a catalogue of ten million documents one holds some 50 MB.
BUCKET_COUNT: Final = 1024
_MOST_WAITING: Final = 1 << 25
_OVERHEAD: Final = 41

Segments = tuple[tuple[str, int, int], ...]
"""Where the lines of a bucket lie: files, offsets and sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketFile:
    """Buckets with all that is thrown into them, to be read by any process.

    Attributes:
        path: the file.
        places: by bucket, offsets and sizes, in turn.
        counts: by bucket, how many lines there are.
    """

    path: str
    places: Sequence[array[int]]
    counts: Sequence[int]

    def segments(self, bucket: int) -> Segments:
        """Where the lines of a bucket lie."""
        found = self.places[bucket]
        return tuple((self.path, *each) for each in zip(found[::2], found[1::2], strict=True))


class Buckets:
    """Buckets of lines in a file; what was thrown in lately waits in memory."""

    def __init__(self, path: Path) -> None:
        """Begin a file.

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
            self._file = path.open("wb", buffering=0)

    def add(self, bucket: int, lines: bytes) -> None:
        """Throw whole lines into a bucket."""
        self._waiting[bucket].append(lines)
        self._size += len(lines) + _OVERHEAD
        if self._size > _MOST_WAITING:
            self._write()

    def settle(self) -> BucketFile:
        """Write what waits; nothing is thrown in any more.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._write()
        self.close()
        return BucketFile(path=str(self._path), places=self._segments, counts=self._counts)

    def close(self) -> None:
        """Let go of the file, which stays."""
        self._file.close()

    def _write(self) -> None:
        """Write what waits, bucket by bucket.

        Raises:
            CatalogueError: the disk is full.
        """
        for bucket, some in enumerate(self._waiting):
            if some:
                self._append(bucket, b"".join(some))
                some.clear()
        self._size = 0

    def _append(self, bucket: int, lines: bytes) -> None:
        rest = memoryview(lines)
        with explain_scratch_faults():
            while rest:
                rest = rest[self._file.write(rest) :]
        self._segments[bucket].extend((self._end, len(lines)))
        self._counts[bucket] += lines.count(b"\n")
        self._end += len(lines)


def read_segments(segments: Segments) -> Iterator[bytes]:
    """The lines of a bucket, in pieces.

    Raises:
        CatalogueError: a file cannot be read.
    """
    for path, some in groupby(segments, key=itemgetter(0)):
        with explain_scratch_faults(), Path(path).open("rb") as file:
            for _, offset, size in some:
                file.seek(offset)
                yield file.read(size)


_TEXT_BLOCK: Final = re.compile(r"([^ \n]+) .*\n(?:\1 .*\n)*")
_SUBJECT: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_LARGEST_PORTION: Final = 1 << 27
_LARGEST_PART: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """Some buckets of what was read of a store, which another process can read too.

    Attributes:
        on: where lies what is stated on nodes.
        to: where lies what leads to nodes.
        size: how many lines are stated on nodes.
    """

    on: Segments
    to: Segments
    size: int

    @property
    def is_large(self) -> bool:
        """Whether it is more than should be in memory at a time."""
        return sum(size for _, _, size in (*self.on, *self.to)) > _LARGEST_PORTION


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNodes:
    """What is known of some nodes, terms as N-Triples writes them, without asking the store.

    Attributes:
        on: all that is stated on them, as N-Triples; it has no blank nodes.
        to: by node, the lines that lead to it by links that count backwards; all there are.
    """

    on: Mapping[str, str] = field(default_factory=dict)
    to: Mapping[str, Sequence[str]] = field(default_factory=dict)


NOTHING_KNOWN: Final = KnownNodes()


def read_portion(portion: Portion) -> KnownNodes:
    """A portion that is not large, read.

    Raises:
        CatalogueError: it cannot be read.
    """
    blocks: dict[str, list[str]] = {}
    for lines in read_segments(portion.on):
        for block in _TEXT_BLOCK.finditer(lines.decode()):
            blocks.setdefault(block[1], []).append(block[0])
    to: dict[str, list[str]] = {node: [] for node in blocks}
    for lines in read_segments(portion.to):
        for line in lines.decode().split("\n")[:-1]:
            node = line[line.rindex(" <") + 1 : -2]
            if node in to:
                to[node].append(line)
    on = {node: "".join(each) for node, each in blocks.items()}
    # Labels of blank nodes are good within one answer of a store only, so that it is asked.
    return KnownNodes(
        on={node: text for node, text in on.items() if " _:" not in text},
        to={
            node: lines
            for node, lines in to.items()
            if not any(line.startswith("_:") for line in lines)
        },
    )


def split_portion(portion: Portion, most: int) -> Iterator[tuple[str, ...]]:
    """The nodes of a portion, plain, by work, in chunks of about one size.

    An act is cut only where it has ten times as many nodes as a chunk should have.

    Args:
        portion: the portion.
        most: about how many nodes a chunk has.

    Raises:
        CatalogueError: the portion cannot be read.
    """
    nodes: set[bytes] = set()
    for lines in read_segments(portion.on):
        nodes.update(each[1:-1] for each in _SUBJECT.findall(lines))
    parts = max(1, round(len(nodes) / most))
    if parts == 1:
        yield tuple(node.decode() for node in nodes)
        return
    chunk: list[str] = []
    last = ""
    for act, node in _sort_by_owner(nodes, portion):
        full = len(chunk) * parts >= len(nodes)
        if full and (act != last or len(chunk) >= most * _LARGEST_PART):
            yield tuple(chunk)
            chunk = []
        chunk.append(node)
        last = act
    yield tuple(chunk)


def _sort_by_owner(nodes: set[bytes], portion: Portion) -> list[tuple[str, str]]:
    """The acts that nodes belong to, and the nodes, sorted."""
    owners: dict[bytes, bytes] = {}
    for lines in read_segments(portion.on):
        for node, owner in find_owners(lines).items():
            owners[node] = max(owners.get(node, b""), owner)
    return sorted((owners.get(node, find_act(node)).decode(), node.decode()) for node in nodes)


FROM_LAYERS: Final = " ".join(f"FROM <{layer.iri}>" for layer in Layer)
_BATCH: Final = 500
_LARGEST_ACT: Final = 10


def gather_sample(holdings: Holdings, spool: CheckSpool, count: int, base: str | None) -> int:
    """Note the nodes of so many works, spread evenly over all; how many works these are."""
    spool.database.execute("CREATE TABLE node (iri TEXT, owner TEXT)")
    total = sum(1 for _ in holdings.keys())  # noqa: SIM118 - holdings are no mapping
    taken = min(count, total)
    wanted = {place * total // taken for place in range(taken)} if taken else set()
    keys = [key for place, key in enumerate(holdings.keys()) if place in wanted]
    for start in range(0, len(keys), _BATCH):
        families = holdings.families(keys[start : start + _BATCH])
        pairs = (pair for family in families for pair in _list_nodes(family, base))
        spool.fill("INSERT INTO node VALUES (?, ?)", pairs)
    return taken


def _list_nodes(family: Family, base: str | None) -> Iterator[tuple[str, str]]:
    for record in family.records:
        act = find_act(record.name.iri.encode()).decode()
        yield record.name.iri, act
        if base is not None:
            yield http_of(record.name, base).uri, act
        for item in record.items:
            yield item.url, act
            if item.sha256 is not None:
                yield f"urn:sha256:{item.sha256}", act


def split_sample(spool: CheckSpool, most: int) -> Iterator[tuple[str, ...]]:
    """The nodes in chunks, by work; an act is cut only where it has ten times that many nodes.

    Args:
        spool: where they were noted.
        most: how many nodes a chunk has, or some more up to the end of an act.
    """
    # Of several owners a name goes before the node itself: "http..." < "urn:lex:".
    query = "SELECT iri, MAX(owner) AS act FROM node GROUP BY iri ORDER BY act, iri"
    chunk: list[str] = []
    current: str | None = None
    for iri, act in spool.rows(query):
        if len(chunk) >= most and (act != current or len(chunk) >= most * _LARGEST_ACT):
            yield tuple(chunk)
            chunk = []
        chunk.append(iri)
        current = act
    if chunk:
        yield tuple(chunk)


_BLOCK: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_NODE: Final = re.compile(rb'<([^\x00-\x20<>"{}|^`\\]*)>')
_LINKS: Final = "|".join(map(re.escape, sorted(INVERSE_LINKS)))
_LINK: Final = re.compile(rf' <(?:{_LINKS})> <([^ <>"]*)> \.\n'.encode())
_LINES_A_NODE: Final = 10
#: The largest first, so that processes that read a layer each end at about the same time.
_LAYERS: Final = (Layer.DECODED, Layer.COMPUTED, Layer.CATALOGUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LayerBuckets:
    """A layer in buckets.

    Attributes:
        on: what is stated on nodes of known acts.
        to: what leads to them.
        loose_on: what is stated on other nodes, by node.
        loose_to: what leads to those.
        lines: how many lines were read.
        is_blank: whether some are stated on blank nodes, which are in no bucket.
    """

    on: BucketFile
    to: BucketFile
    loose_on: BucketFile
    loose_to: BucketFile
    lines: int
    is_blank: bool


class StoreScan:
    """The statements of a store in buckets: those on nodes, and the links that lead to nodes.

    It lies on disk until it is closed.

    Attributes:
        is_blank: whether there are blank nodes; they are in no bucket.
    """

    def __init__(self, folder: Path) -> None:
        """Make ready to read.

        Raises:
            CatalogueError: nothing can be written in the folder.
        """
        self.is_blank = False
        self._folder = folder / "scan"
        with explain_scratch_faults():
            self._folder.mkdir()
        self._on: list[BucketFile] = []
        self._to: list[BucketFile] = []

    def read(
        self, store: EmbeddedStore, workers: Workers, reopen: str | None, told: ProgressCallback
    ) -> None:
        """Read all that a store holds.

        Args:
            store: the store.
            workers: processes that may read.
            reopen: the place where they can open the catalogue; None where only this one can.
            told: is told how many lines are read.

        Raises:
            CatalogueError: the store cannot be read, or the disk is full.
        """
        folder = str(self._folder)
        told("reading", 0, None)
        if reopen is None:
            reads: Iterable[_LayerBuckets] = (
                _read_layer(store, folder, layer) for layer in _LAYERS
            )
        else:
            reads = workers.map(_read_layer_at, ((reopen, folder, layer) for layer in _LAYERS))
        done: list[_LayerBuckets] = []
        for read in reads:
            done.append(read)
            told("reading", sum(each.lines for each in done), None)
        self.is_blank = any(read.is_blank for read in done)
        self._on = [read.on for read in done]
        self._to = [read.to for read in done]
        self._throw_on([read.loose_on for read in done], [read.loose_to for read in done])

    def close(self) -> None:
        """Let go of all files."""
        rmtree(self._folder, ignore_errors=True)

    def portions(self, most: int) -> Iterator[Portion]:
        """What was read, in portions of whole buckets.

        Args:
            most: about how many nodes are checked at a time.
        """
        buckets: list[int] = []
        size = 0
        for bucket in range(BUCKET_COUNT):
            if lines := sum(each.counts[bucket] for each in self._on):
                buckets.append(bucket)
                size += lines
            if size >= most * _LINES_A_NODE:
                yield self._portion(buckets, size)
                buckets, size = [], 0
        if buckets:
            yield self._portion(buckets, size)

    def _portion(self, buckets: list[int], size: int) -> Portion:
        return Portion(
            on=_join_segments(self._on, buckets), to=_join_segments(self._to, buckets), size=size
        )

    def _throw_on(self, loose_on: list[BucketFile], loose_to: list[BucketFile]) -> None:
        """Throw on what is loose, now that all of it is there."""
        with (
            closing(Buckets(self._folder / "on.nt")) as on,
            closing(Buckets(self._folder / "to.nt")) as to,
        ):
            for bucket in range(BUCKET_COUNT):
                homes = _put_loose_subjects(on, _join_segments(loose_on, [bucket]))
                _put_loose_links(to, _join_segments(loose_to, [bucket]), homes)
            self._on.append(on.settle())
            self._to.append(to.settle())


def _join_segments(settled: list[BucketFile], buckets: list[int]) -> Segments:
    return tuple(chain.from_iterable(each.segments(one) for each in settled for one in buckets))


def _read_layer_at(place: str, folder: str, layer: Layer) -> _LayerBuckets:
    """Read a layer of a catalogue that this process opens for itself."""
    with open_catalogue(place) as catalogue:
        return _read_layer(catalogue.store, folder, layer)


def _read_layer(store: EmbeddedStore, folder: str, layer: Layer) -> _LayerBuckets:
    """Throw the statements of a layer to the acts that they are on and lead to."""
    with ExitStack() as files:
        on, to, loose_on, loose_to = (
            files.enter_context(closing(Buckets(Path(folder) / f"{layer.value}-{name}.nt")))
            for name in ("on", "to", "loose-on", "loose-to")
        )
        lines = 0
        is_blank = False
        for piece in store.triples(layer):
            lines += piece.count(b"\n")
            is_blank = _put_subjects(piece, on, loose_on) or is_blank
            for link in _LINK.finditer(piece):
                _put_lines(to, loose_to, link[1], _find_line(piece, link))
        return _LayerBuckets(
            on=on.settle(),
            to=to.settle(),
            loose_on=loose_on.settle(),
            loose_to=loose_to.settle(),
            lines=lines,
            is_blank=is_blank,
        )


def _put_subjects(piece: bytes, on: Buckets, loose: Buckets) -> bool:
    """Throw what is stated on nodes.

    Returns:
        Whether there are blank nodes, which are left out.
    """
    is_blank = False
    for block in _BLOCK.finditer(piece):
        node = _NODE.fullmatch(block[1])
        if node is not None:
            _put_lines(on, loose, node[1], block[0])
        elif block[1].startswith(b"_:"):
            is_blank = True
    return is_blank


def _put_loose_subjects(on: Buckets, loose: Segments) -> dict[bytes, int]:
    """Throw what is stated on loose nodes to the acts that they belong to by it.

    Returns:
        The bucket of each node.
    """
    owners: dict[bytes, bytes] = {}
    for lines in read_segments(loose):
        for node, owner in find_owners(lines).items():
            owners[node] = max(owners.get(node, b""), owner)
    homes: dict[bytes, int] = {}
    for lines in read_segments(loose):
        for block in _BLOCK.finditer(lines):
            node = block[1][1:-1]
            homes[node] = home = _choose_bucket(owners.get(node, node))
            on.add(home, block[0])
    return homes


def _put_loose_links(to: Buckets, loose: Segments, homes: Mapping[bytes, int]) -> None:
    """Throw what leads to loose nodes after them; where nothing is stated on one, to nobody."""
    for lines in read_segments(loose):
        for link in _LINK.finditer(lines):
            if link[1] in homes:
                to.add(homes[link[1]], _find_line(lines, link))


def _find_line(lines: bytes, link: re.Match[bytes]) -> bytes:
    """The line at whose end a link was found."""
    return lines[lines.rfind(b"\n", 0, link.start()) + 1 : link.end()]


def _put_lines(known: Buckets, loose: Buckets, node: bytes, lines: bytes) -> None:
    """Throw lines to the act of a node, or to a place for loose nodes."""
    if node.startswith(LEX_PREFIX):
        known.add(_choose_bucket(find_act(node)), lines)
    else:
        loose.add(_choose_bucket(node), lines)


def _choose_bucket(iri: bytes) -> int:
    return crc32(iri) % BUCKET_COUNT
