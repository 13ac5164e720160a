"""A portion of what was read of a store: what is stated on some nodes, and what links to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_buckets import read_segments
from lexurn.catalogue._check_owners import act_of, owners_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.catalogue._check_buckets import Segments

__all__ = ["NOTHING_HELD", "Held", "Portion", "chunks_of", "held_of"]

_BLOCK: Final = re.compile(r"([^ \n]+) .*\n(?:\1 .*\n)*")
_SUBJECT: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_LARGEST: Final = 1 << 27
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
        return sum(size for _, _, size in (*self.on, *self.to)) > _LARGEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What is known of some nodes, terms as N-Triples writes them, without asking the store.

    Attributes:
        on: all that is stated on them, as N-Triples; it has no blank nodes.
        to: by node, the lines that lead to it by links that count backwards; all there are.
    """

    on: Mapping[str, str] = field(default_factory=dict)
    to: Mapping[str, Sequence[str]] = field(default_factory=dict)


NOTHING_HELD: Final = Held()


def held_of(portion: Portion) -> Held:
    """A portion that is not large, read.

    Raises:
        CatalogueError: it cannot be read.
    """
    blocks: dict[str, list[str]] = {}
    for lines in read_segments(portion.on):
        for block in _BLOCK.finditer(lines.decode()):
            blocks.setdefault(block[1], []).append(block[0])
    to: dict[str, list[str]] = {node: [] for node in blocks}
    for lines in read_segments(portion.to):
        for line in lines.decode().split("\n")[:-1]:
            node = line[line.rindex(" <") + 1 : -2]
            if node in to:
                to[node].append(line)
    on = {node: "".join(each) for node, each in blocks.items()}
    # Labels of blank nodes are good within one answer of a store only, so that it is asked.
    return Held(
        on={node: text for node, text in on.items() if " _:" not in text},
        to={
            node: lines
            for node, lines in to.items()
            if not any(line.startswith("_:") for line in lines)
        },
    )


def chunks_of(portion: Portion, most: int) -> Iterator[tuple[str, ...]]:
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
    for act, node in _owned(nodes, portion):
        full = len(chunk) * parts >= len(nodes)
        if full and (act != last or len(chunk) >= most * _LARGEST_PART):
            yield tuple(chunk)
            chunk = []
        chunk.append(node)
        last = act
    yield tuple(chunk)


def _owned(nodes: set[bytes], portion: Portion) -> list[tuple[str, str]]:
    """The acts that nodes belong to, and the nodes, sorted."""
    owners: dict[bytes, bytes] = {}
    for lines in read_segments(portion.on):
        for node, owner in owners_in(lines).items():
            owners[node] = max(owners.get(node, b""), owner)
    return sorted((owners.get(node, act_of(node)).decode(), node.decode()) for node in nodes)
