"""A store read once, in its own order, and thrown into buckets by the works that nodes belong to.

To look nodes up one by one costs far more: the keys of a store are scattered, so that each look-up
unpacks another block. Names tell the act that they belong to; of other nodes what is stated does,
so that they are gathered first, and thrown to the works when all of it is there.
"""

from __future__ import annotations

import re
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final
from zlib import crc32

from lexurn.catalogue._catalogue import open_catalogue
from lexurn.catalogue._check_buckets import BUCKETS, Buckets, Segments, Settled, read_segments
from lexurn.catalogue._check_held import Portion
from lexurn.catalogue._check_links import INVERSE
from lexurn.catalogue._check_owners import LEX, act_of, owners_in
from lexurn.catalogue._scratch import scratch_faults
from lexurn.graph import Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.catalogue._protocols import Store
    from lexurn.workers import Workers

    Told = Callable[[str, int, int | None], None]

__all__ = ["Scan"]

_BLOCK: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_NODE: Final = re.compile(rb'<([^\x00-\x20<>"{}|^`\\]*)>')
_LINKS: Final = "|".join(map(re.escape, sorted(INVERSE)))
_LINK: Final = re.compile(rf' <(?:{_LINKS})> <([^ <>"]*)> \.\n'.encode())
_LINES_A_NODE: Final = 10
#: The largest first, so that processes that read a layer each end at about the same time.
_LAYERS: Final = (Layer.DECODED, Layer.COMPUTED, Layer.CATALOGUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A layer in buckets.

    Attributes:
        on: what is stated on nodes of known acts.
        to: what leads to them.
        loose_on: what is stated on other nodes, by node.
        loose_to: what leads to those.
        lines: how many lines were read.
        is_blank: whether some are stated on blank nodes, which are in no bucket.
    """

    on: Settled
    to: Settled
    loose_on: Settled
    loose_to: Settled
    lines: int
    is_blank: bool


class Scan:
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
        with scratch_faults():
            self._folder.mkdir()
        self._on: list[Settled] = []
        self._to: list[Settled] = []

    def read(self, store: Store, workers: Workers, reopen: str | None, told: Told) -> None:
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
            reads: Iterable[_Read] = (_read(store, folder, layer) for layer in _LAYERS)
        else:
            reads = workers.map(_read_there, ((reopen, folder, layer) for layer in _LAYERS))
        done: list[_Read] = []
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
        for bucket in range(BUCKETS):
            if lines := sum(each.counts[bucket] for each in self._on):
                buckets.append(bucket)
                size += lines
            if size >= most * _LINES_A_NODE:
                yield self._portion(buckets, size)
                buckets, size = [], 0
        if buckets:
            yield self._portion(buckets, size)

    def _portion(self, buckets: list[int], size: int) -> Portion:
        return Portion(on=_segments(self._on, buckets), to=_segments(self._to, buckets), size=size)

    def _throw_on(self, loose_on: list[Settled], loose_to: list[Settled]) -> None:
        """Throw on what is loose, now that all of it is there."""
        with (
            closing(Buckets(self._folder / "on.nt")) as on,
            closing(Buckets(self._folder / "to.nt")) as to,
        ):
            for bucket in range(BUCKETS):
                homes = _throw_home(on, _segments(loose_on, [bucket]))
                _throw_after(to, _segments(loose_to, [bucket]), homes)
            self._on.append(on.settle())
            self._to.append(to.settle())


def _segments(settled: list[Settled], buckets: list[int]) -> Segments:
    return tuple(chain.from_iterable(each.segments(one) for each in settled for one in buckets))


def _read_there(place: str, folder: str, layer: Layer) -> _Read:
    """Read a layer of a catalogue that this process opens for itself."""
    with open_catalogue(place) as catalogue:
        return _read(catalogue.store, folder, layer)


def _read(store: Store, folder: str, layer: Layer) -> _Read:
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
            is_blank = _throw_subjects(piece, on, loose_on) or is_blank
            for link in _LINK.finditer(piece):
                _throw(to, loose_to, link[1], _line_of(piece, link))
        return _Read(
            on=on.settle(),
            to=to.settle(),
            loose_on=loose_on.settle(),
            loose_to=loose_to.settle(),
            lines=lines,
            is_blank=is_blank,
        )


def _throw_subjects(piece: bytes, on: Buckets, loose: Buckets) -> bool:
    """Throw what is stated on nodes.

    Returns:
        Whether there are blank nodes, which are left out.
    """
    is_blank = False
    for block in _BLOCK.finditer(piece):
        node = _NODE.fullmatch(block[1])
        if node is not None:
            _throw(on, loose, node[1], block[0])
        elif block[1].startswith(b"_:"):
            is_blank = True
    return is_blank


def _throw_home(on: Buckets, loose: Segments) -> dict[bytes, int]:
    """Throw what is stated on loose nodes to the acts that they belong to by it.

    Returns:
        The bucket of each node.
    """
    owners: dict[bytes, bytes] = {}
    for lines in read_segments(loose):
        for node, owner in owners_in(lines).items():
            owners[node] = max(owners.get(node, b""), owner)
    homes: dict[bytes, int] = {}
    for lines in read_segments(loose):
        for block in _BLOCK.finditer(lines):
            node = block[1][1:-1]
            homes[node] = home = _bucket(owners.get(node, node))
            on.add(home, block[0])
    return homes


def _throw_after(to: Buckets, loose: Segments, homes: Mapping[bytes, int]) -> None:
    """Throw what leads to loose nodes after them; where nothing is stated on one, to nobody."""
    for lines in read_segments(loose):
        for link in _LINK.finditer(lines):
            if link[1] in homes:
                to.add(homes[link[1]], _line_of(lines, link))


def _line_of(lines: bytes, link: re.Match[bytes]) -> bytes:
    """The line at whose end a link was found."""
    return lines[lines.rfind(b"\n", 0, link.start()) + 1 : link.end()]


def _throw(known: Buckets, loose: Buckets, node: bytes, lines: bytes) -> None:
    """Throw lines to the act of a node, or to a place for loose nodes."""
    if node.startswith(LEX):
        known.add(_bucket(act_of(node)), lines)
    else:
        loose.add(_bucket(node), lines)


def _bucket(iri: bytes) -> int:
    return crc32(iri) % BUCKETS
