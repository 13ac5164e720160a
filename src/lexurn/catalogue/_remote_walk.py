"""From acts down to all that stands under them, and across aliases; breadth first, step by step.

The graph may be anybody's: only names that stand under the act that leads to them are followed,
nothing twice, and no further than any catalogue of ours goes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._protocols import TooMuchError
from lexurn.catalogue._remote_rows import triples_in_parts
from lexurn.catalogue._remote_texts import IDENTIFIER, LINKS, SAME_AS, act_iri, step_text
from lexurn.catalogue._unreadable import UnreadableError
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.graph import Triple

__all__ = ["Group", "Walk"]

_HOPS: Final = 64
_LARGEST: Final = 100_000
_LINKS: Final = frozenset(LINKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The acts of one alias set, and what is known of their names.

    Attributes:
        acts: the nodes of the acts.
        links: the decoded triples that lead from names to what is above them.
        stated: the catalogued triples of the names.
    """

    acts: frozenset[str]
    links: tuple[Triple, ...]
    stated: tuple[Triple, ...]


class Walk:
    """All that is stated of the alias sets of some acts."""

    def __init__(self, store: RemoteStore, most: int | None = None) -> None:
        """Make ready; ``most`` characters of what is stated may be held, None for any number."""
        self._store, self._left = store, most
        self._stated: dict[str, list[Triple]] = {}
        self._links: dict[str, list[Triple]] = {}
        self._seen: set[str] = set()
        self._held: set[str] = set()
        self._hops: dict[str, int] = {}
        self._sizes: Counter[str] = Counter()
        self._beside: dict[str, set[str]] = defaultdict(set)

    def go(self, acts: Iterable[str]) -> None:
        """Follow everything that leads from some acts to names of their alias sets.

        Raises:
            CatalogueError: the server cannot be asked.
            UnreadableError: there is no end to what it has.
            TooMuchError: it has more than may be held.
        """
        frontier = [term for act in acts for term in self._started(act, 0)]
        while frontier:
            frontier = [found for row in self._step(frontier) for found in self._followed(row)]

    def held_groups(self, acts: Iterable[str]) -> list[Group]:
        """The acts that are one work each, with what is stated of them; those that are held."""
        groups: list[Group] = []
        done: set[str] = set()
        for act in acts:
            if act in done or act not in self._held:
                continue
            members = self._together(act)
            done |= members
            groups.append(
                Group(
                    acts=frozenset(members),
                    links=tuple(t for each in sorted(members) for t in self._links.get(each, ())),
                    stated=tuple(t for each in sorted(members) for t in self._stated.get(each, ())),
                )
            )
        return groups

    def _together(self, act: str) -> set[str]:
        members, rest = {act}, [act]
        while rest:
            further = self._beside[rest.pop()] - members
            members |= further
            rest += further
        return members

    def _step(self, frontier: Sequence[str]) -> Iterator[Triple]:
        def text_of(terms: Sequence[str]) -> str:
            return step_text(terms, [each for each in terms if each in self._hops])

        for triple in triples_in_parts(self._store, frontier, text_of):
            self._spend(len(triple[2]))
            yield triple

    def _spend(self, size: int) -> None:
        if self._left is not None:
            self._left -= size
            if self._left < 0:
                raise TooMuchError

    def _started(self, act: str, hops: int) -> Iterator[str]:
        """An act that is met for the first time.

        Raises:
            UnreadableError: it is too many aliases away.
        """
        if act in self._hops:
            return
        if hops > _HOPS:
            raise UnreadableError(
                f"{self._store.place}: more than {_HOPS} aliases lead on from one to the next, up "
                f"to {act}; an alias names its canonical name, never another alias"
            )
        self._hops[act] = hops
        yield from self._visited(act, act)

    def _visited(self, name: str, act: str) -> Iterator[str]:
        if name in self._seen:
            return
        self._seen.add(name)
        self._sizes[act] += 1
        if self._sizes[act] > _LARGEST:
            raise UnreadableError(
                f"{self._store.place}: more than {_LARGEST:,} names stand under {act}; one alias "
                "set has no more"
            )
        yield name

    def _followed(self, row: Triple) -> Iterator[str]:
        """Keep a triple; give what it leads to."""
        subject, predicate, value = row
        act = act_iri(subject)
        if act is None or not _is_name(subject):
            return
        if predicate == SAME_AS:
            yield from self._across(row, act)
        elif predicate in _LINKS:
            if act in self._hops and subject.startswith(value[:-1]) and subject != value:
                self._held.add(act)
                self._links.setdefault(act, []).append(row)
                yield from self._visited(subject, act)
        elif predicate == IDENTIFIER:
            self._held.add(act)
            self._links.setdefault(act, []).append(row)
        else:
            self._held.add(act)
            self._stated.setdefault(act, []).append(row)

    def _across(self, row: Triple, act: str) -> Iterator[str]:
        """An alias joins the acts of both its ends."""
        other = act_iri(row[2])
        if other is None or not _is_name(row[2]):
            return
        self._held |= {act, other}
        self._stated.setdefault(act, []).append(row)
        if act != other:
            self._beside[act].add(other)
            self._beside[other].add(act)
        hops = min(self._hops.get(act, _HOPS), self._hops.get(other, _HOPS)) + 1
        for each in (act, other):
            yield from self._started(each, hops)


@lru_cache(maxsize=65536)
def _is_name(term: str) -> bool:
    """Whether a term is the node of a name as our graphs write it: an IRI, canonical."""
    if term[0] != "<":
        return False
    name = check(term[1:-1]).name
    return name is not None and name.iri == term[1:-1]
