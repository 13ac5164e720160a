"""A store read once, in its own order, and thrown into buckets by the works that nodes belong to.

To look nodes up one by one costs far more: the keys of a store are scattered, so that each look-up
unpacks another block. Names tell the act that they belong to; of other nodes what is stated does,
so that they are gathered first, and thrown to the works when all of it is there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from zlib import crc32

from lexurn.catalogue._check_buckets import BUCKETS, Buckets, read_segments
from lexurn.catalogue._check_held import Portion
from lexurn.catalogue._check_links import INVERSE
from lexurn.catalogue._check_owners import LEX, act_of, owners_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from lexurn.catalogue._protocols import Store

__all__ = ["Scan"]

_BLOCK: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_NODE: Final = re.compile(rb'<([^\x00-\x20<>"{}|^`\\]*)>')
_LINKS: Final = "|".join(map(re.escape, sorted(INVERSE)))
_LINK: Final = re.compile(rf' <(?:{_LINKS})> <([^ <>"]*)> \.\n'.encode())
_LINES_A_NODE: Final = 10


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
        self._on = Buckets(folder / "on.nt")
        self._to = Buckets(folder / "to.nt")
        self._loose_on = Buckets(folder / "loose-on.nt")
        self._loose_to = Buckets(folder / "loose-to.nt")

    def read(self, store: Store, told: Callable[[str, int, int | None], None]) -> None:
        """Read all that a store holds.

        Raises:
            CatalogueError: the store cannot be read, or the disk is full.
        """
        count = 0
        told("reading", count, None)
        for piece in store.triples():
            self._throw(piece)
            count += piece.count(b"\n")
            told("reading", count, None)
        self._loose_on.settle()
        self._loose_to.settle()
        for bucket in range(BUCKETS):
            self._throw_on(bucket)
        self._on.settle()
        self._to.settle()
        self._loose_on.clear()
        self._loose_to.clear()

    def close(self) -> None:
        """Let go of all files."""
        for buckets in (self._on, self._to, self._loose_on, self._loose_to):
            buckets.clear()

    def portions(self, most: int) -> Iterator[Portion]:
        """What was read, in portions of whole buckets.

        Args:
            most: about how many nodes are checked at a time.
        """
        buckets: list[int] = []
        size = 0
        for bucket in range(BUCKETS):
            if lines := self._on.lines(bucket):
                buckets.append(bucket)
                size += lines
            if size >= most * _LINES_A_NODE:
                yield self._portion(buckets, size)
                buckets, size = [], 0
        if buckets:
            yield self._portion(buckets, size)

    def _portion(self, buckets: list[int], size: int) -> Portion:
        return Portion(
            on=str(self._on.path),
            on_segments=tuple(each for one in buckets for each in self._on.segments(one)),
            to=str(self._to.path),
            to_segments=tuple(each for one in buckets for each in self._to.segments(one)),
            size=size,
        )

    def _throw(self, piece: bytes) -> None:
        """Throw the statements of a piece to the acts that they are on and lead to."""
        for block in _BLOCK.finditer(piece):
            node = _NODE.fullmatch(block[1])
            if node is not None:
                _thrown(self._on, self._loose_on, node[1], block[0])
            elif block[1].startswith(b"_:"):
                self.is_blank = True
        for link in _LINK.finditer(piece):
            line = piece[piece.rfind(b"\n", 0, link.start()) + 1 : link.end()]
            _thrown(self._to, self._loose_to, link[1], line)

    def _throw_on(self, bucket: int) -> None:
        """Throw on what was gathered, now that it is known to whom the nodes belong."""
        segments = self._loose_on.segments(bucket)
        owners: dict[bytes, bytes] = {}
        homes: dict[bytes, int] = {}
        for lines in read_segments(self._loose_on.path, segments):
            for node, owner in owners_in(lines).items():
                owners[node] = max(owners.get(node, b""), owner)
        for lines in read_segments(self._loose_on.path, segments):
            for block in _BLOCK.finditer(lines):
                node = block[1][1:-1]
                homes[node] = home = _bucket(owners.get(node, node))
                self._on.add(home, block[0])
        for lines in read_segments(self._loose_to.path, self._loose_to.segments(bucket)):
            for link in _LINK.finditer(lines):
                # What leads to nodes of which nothing is stated belongs to nobody.
                if link[1] in homes:
                    start = lines.rfind(b"\n", 0, link.start()) + 1
                    self._to.add(homes[link[1]], lines[start : link.end()])


def _thrown(known: Buckets, loose: Buckets, node: bytes, lines: bytes) -> None:
    """Throw lines to the act of a node, or to a place for loose nodes."""
    if node.startswith(LEX):
        known.add(_bucket(act_of(node)), lines)
    else:
        loose.add(_bucket(node), lines)


def _bucket(iri: bytes) -> int:
    return crc32(iri) % BUCKETS
