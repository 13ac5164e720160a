"""What crosses all chunks: names that are aliases of themselves by way of any number of others.

A sound catalogue has no alias of an alias, so that the question brings nothing; a broken one may
have chains of any length, so that the answer is found in linear time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_nodes import LAYERS
from lexurn.catalogue._check_values import CheckFinding
from lexurn.catalogue._solutions import selected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.catalogue._protocols import Store

__all__ = ["alias_loops", "looping"]

_SAME: Final = "<http://www.w3.org/2002/07/owl#sameAs>"
_CHAINS: Final = (
    f"SELECT DISTINCT ?alias ?name {LAYERS} WHERE {{ ?alias {_SAME} ?name . ?name {_SAME} ?other }}"
)


def alias_loops(store: Store) -> Iterator[CheckFinding]:
    """A finding of the shape ``AliasLoop`` for each name of a store that leads back to itself.

    Raises:
        CatalogueError: the store cannot be read.
    """
    edges: dict[str, list[str]] = {}
    for row in selected(store, _CHAINS):
        edges.setdefault(str(row["alias"]), []).append(str(row["name"]))
    return (CheckFinding(rule="AliasLoop", focus=node) for node in sorted(looping(edges)))


def looping(edges: Mapping[str, Iterable[str]]) -> set[str]:
    """The nodes from which one comes back to them, by Tarjan's way without recursion.

    >>> sorted(looping({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]}))
    ['b', 'c', 'd']
    """
    found: set[str] = set()
    search = _Search(edges)
    for node in edges:
        if node not in search.order:
            for group in search.groups_from(node):
                if len(group) > 1 or group[0] in edges.get(group[0], ()):
                    found.update(group)
    return found


class _Search:
    """A walk through a graph that finds groups of nodes that reach each other."""

    def __init__(self, edges: Mapping[str, Iterable[str]]) -> None:
        self.order: dict[str, int] = {}
        self._edges = edges
        self._lowest: dict[str, int] = {}
        self._waiting: list[str] = []
        self._is_waiting: set[str] = set()

    def groups_from(self, start: str) -> Iterator[list[str]]:
        """The groups that are reached from a node and were not met before."""
        path = [(start, iter(self._enter(start)))]
        while path:
            node, ahead = path[-1]
            new = next((each for each in ahead if self._meets(node, each)), None)
            if new is not None:
                path.append((new, iter(self._enter(new))))
                continue
            path.pop()
            if path:
                above = path[-1][0]
                self._lowest[above] = min(self._lowest[above], self._lowest[node])
            if self._lowest[node] == self.order[node]:
                yield self._leave(node)

    def _enter(self, node: str) -> Iterable[str]:
        self.order[node] = self._lowest[node] = len(self.order)
        self._waiting.append(node)
        self._is_waiting.add(node)
        return self._edges.get(node, ())

    def _meets(self, node: str, other: str) -> bool:
        """Whether another node is new; where it stands below on the path, that is noted."""
        if other not in self.order:
            return True
        if other in self._is_waiting:
            self._lowest[node] = min(self._lowest[node], self.order[other])
        return False

    def _leave(self, node: str) -> list[str]:
        group = [self._waiting.pop()]
        while group[-1] != node:
            group.append(self._waiting.pop())
        self._is_waiting.difference_update(group)
        return group
