"""Alias sets made of what a server states of their names and copies."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_mending import mended_families
from lexurn.catalogue._remote_rows import rows_in_parts, triples_in_parts
from lexurn.catalogue._remote_texts import ITEM, beyond_text, copies_text
from lexurn.catalogue._remote_walk import Walk
from lexurn.catalogue._unreadable import UnreadableError, unsaid
from lexurn.errors import GraphError
from lexurn.graph import Statements, records_of
from lexurn.model import ModelError, family_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.catalogue._remote_walk import Group
    from lexurn.catalogue._unreadable import Mended
    from lexurn.graph import Triple
    from lexurn.model import Family

__all__ = ["bare_families_from", "families_from"]

_LOAD: Final = "load the rows of this work again, which puts them in its place"
_TAKE_OUT: Final = "take it out there with an update (lexurn catalogue query --allow update)"


def families_from(
    store: RemoteStore,
    acts: Iterable[str],
    on_mended: Callable[[Mended], None] | None = None,
    most: int | None = None,
) -> Iterator[Family]:
    """The alias sets that have any of some acts, in no order; those that are held.

    Args:
        store: the server.
        acts: acts, as terms (``<urn:lex:...>``).
        on_mended: is told of each that cannot be read whole; it then comes as far as it can be
            read, and may fall apart into several.
        most: how many characters all that is stated of several may have; None for any number.

    Raises:
        CatalogueError: the server cannot be asked.
        UnreadableError: what it holds is no alias set.
        TooMuchError: several acts are asked for, and more is stated of them.
    """
    groups = _groups(store, acts, most)
    copies = _Copies(store, groups)
    for group in groups:
        about = [triple for copy in sorted(_copies_of(group)) for triple in copies.about(copy)]
        shared = [copy[1:-1] for copy in _copies_of(group) & copies.shared]
        yield from _read(group, about, shared, store.place, on_mended)


def bare_families_from(store: RemoteStore, acts: Iterable[str]) -> Iterator[Family]:
    """As `families_from`, with nothing known of copies but their URLs: sooner, for their keys."""
    for group in _groups(store, acts):
        # Their keys can be told, whatever else cannot be read of them.
        yield from _read(group, (), (), store.place, unsaid)


def _groups(store: RemoteStore, acts: Iterable[str], most: int | None = None) -> list[Group]:
    wanted = list(dict.fromkeys(acts))
    walk = Walk(store, most if len(wanted) > 1 else None)
    walk.go(wanted)
    return walk.held_groups(wanted)


class _Copies:
    """What is stated of copies, and which of them several alias sets have."""

    def __init__(self, store: RemoteStore, groups: Sequence[Group]) -> None:
        holders: dict[str, list[int]] = defaultdict(list)
        names: dict[str, set[str]] = defaultdict(set)
        for place, group in enumerate(groups):
            for name, predicate, value in group.stated:
                if predicate == ITEM:
                    holders[value].append(place)
                    names[value].add(name)
        terms = sorted(holders)
        self.shared = {copy for copy, places in holders.items() if len(set(places)) > 1}
        self._about: dict[str, list[Triple]] = defaultdict(list)
        for triple in triples_in_parts(store, terms, copies_text):
            self._about[triple[0]].append(triple)

        def text_of(some: Sequence[str]) -> str:
            return beyond_text([(copy, len(names[copy]) + 1) for copy in some])

        lonely = [term for term in terms if term not in self.shared]
        for found, holder in rows_in_parts(store, lonely, text_of, ["copy", "name"]):
            if str(holder) not in names[str(found)]:
                self.shared.add(str(found))

    def about(self, copy: str) -> Iterator[Triple]:
        """What is stated of a copy and of its digests."""
        for triple in self._about.get(copy, ()):
            yield triple
            if triple[2] in self._about and triple[2] != copy:
                yield from self._about[triple[2]]


def _read(
    group: Group,
    about: Sequence[Triple],
    shared: Collection[str],
    place: str,
    on_mended: Callable[[Mended], None] | None,
) -> Sequence[Family]:
    statements = Statements(decoded=group.links, catalogued=(*group.stated, *about))
    try:
        return (family_of(records_of(statements), shared),)
    except (GraphError, ModelError) as fault:
        said = str(fault)
    if on_mended is None:
        raise UnreadableError(f"{_foreign(place, said)}; {_LOAD}")
    try:
        families, mended = mended_families(group, about, shared, said)
    except (GraphError, ModelError) as fault:
        raise UnreadableError(f"{_foreign(place, str(fault))}; {_TAKE_OUT}") from None
    on_mended(mended)
    return families


def _foreign(place: str, fault: str) -> str:
    return f"{place} holds what is no catalogue of ours: {fault}"


def _copies_of(group: Group) -> set[str]:
    return {value for _, predicate, value in group.stated if predicate == ITEM and value[0] == "<"}
