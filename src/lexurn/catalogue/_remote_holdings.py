"""What a catalogue on a server holds, by name: everything is asked in SPARQL, nothing is kept."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._keys import is_dated, number_key, years_of
from lexurn.catalogue._remote_answers import CutError, whole_number
from lexurn.catalogue._remote_families import bare_families_from, families_from
from lexurn.catalogue._remote_keys import keys_of
from lexurn.catalogue._remote_rows import rows_in_parts
from lexurn.catalogue._remote_texts import (
    ANYTHING,
    counted_text,
    dated_text,
    holders_text,
    known_text,
    near_text,
    spelled_text,
    zeros_before,
)
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue._remote import RemoteStore
    from lexurn.catalogue._remote_answers import Term
    from lexurn.catalogue._unreadable import Mended
    from lexurn.model import Family, Item
    from lexurn.name import Name

__all__ = ["RemoteHoldings"]

_FEW: Final = 100


class RemoteHoldings:
    """The names on a server; see `lexurn.catalogue.Holdings` for what it does.

    A copy that several alias sets have is one node, so that each set seems to state of it what any
    of them does.
    """

    def __init__(
        self, store: RemoteStore, on_mended: Callable[[Mended], None] | None = None
    ) -> None:
        """Ask a store; it stays open.

        Args:
            store: the store.
            on_mended: is told of each alias set that cannot be read whole, of which all that can
                be read is given; None where such a one is a fault.
        """
        self._store, self._on_mended = store, on_mended

    def as_far_as_readable(self, on_mended: Callable[[Mended], None]) -> RemoteHoldings:
        """The same, but of what cannot be read whole all that can be read of it."""
        return RemoteHoldings(self._store, on_mended)

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases (canonical text, no annex)."""
        return next(iter(self.families([act])), None)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key."""
        found = families_from(self._store, _act_nodes(acts), self._on_mended, most)
        return sorted(found, key=lambda family: str(family.key))

    def is_any(self, acts: Collection[str]) -> bool:
        """Whether any of some acts is known."""
        found = rows_in_parts(self._store, _act_nodes(acts), known_text, ["act"])
        return next(found, None) is not None

    def is_any_copy(self, urls: Collection[str]) -> bool:
        """Whether any name has any of some copies."""
        return bool(self._counts([self._store.term(url) for url in sorted(set(urls))]))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted.

        Numbers are found with up to ten digits, zeros in front included.
        """
        code, *units = jurisdiction.split(";")
        text = near_text(code, units, zeros_before(number), year)
        names = _names(self._store.values(text, ["act"]))
        return sorted(str(n) for n in names if _is_near(n, jurisdiction, number, year))

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, sorted."""
        name = check(f"{head}:{day};x").name
        if name is None or name.work.details.dates[0].day is None:
            return ()
        names = _names(self._store.values(dated_text(name, day), ["act"]))
        return sorted(act for act in map(str, names) if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """The names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            return ()
        return sorted(map(str, _names(self._store.values(spelled_text(text), ["name"]))))

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, at most so many keys of alias sets that have it."""
        terms = [self._store.term(url) for url in dict.fromkeys(urls)]
        counts = self._counts(terms)
        few = [term for term in terms if 0 < counts.get(term, 0) <= _FEW]
        acts: dict[str, list[str]] = {}
        for copy, act in rows_in_parts(self._store, few, holders_text, ["copy", "act"]):
            acts.setdefault(copy.value, []).append(f"<{act.value}>")
        keys = self._keys(acts)
        for term in terms:
            if counts.get(term, 0) > _FEW:
                keys[term[1:-1]] = self._keys_of_many(term, most)
        return {url: found[:most] for url, found in keys.items() if found}

    def copies(self, url: str, without: Collection[str]) -> Collection[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy."""
        held = self.holders([url], most=len(without) + 1).get(url, ())
        other = next((key for key in held if key not in without), None)
        families = () if other is None else self.families([other])
        records = (record for family in families for record in family.records)
        return frozenset(item for each in records for item in each.items if item.url == url)

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        return keys_of(self._store)

    def is_empty(self) -> bool:
        """Whether nothing at all is stated, not even what is half done or not ours."""
        return not list(self._store.values(ANYTHING, ["s"]))

    def _counts(self, terms: Sequence[str]) -> dict[str, int]:
        """How many names have each of some copies; those that any has."""
        rows = rows_in_parts(self._store, terms, counted_text, ["copy", "names"])
        return {str(copy): whole_number(names, self._store.place) for copy, names in rows}

    def _keys(self, acts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """For each URL the keys of the sets that have some acts (terms)."""
        known: dict[str, str] = {}
        for family in bare_families_from(
            self._store, [act for each in acts.values() for act in each]
        ):
            for record in family.records:
                if record.name.is_act:
                    known[f"<{record.name.iri}>"] = str(family.key)
        return {url: sorted({known[a] for a in each if a in known}) for url, each in acts.items()}

    def _keys_of_many(self, term: str, most: int) -> list[str]:
        """Keys of sets that have a copy which very many names have: as many as are asked for."""
        limit = 2 * most
        while True:
            try:
                rows = list(self._store.values(holders_text([term], limit), ["act"]))
            except CutError:
                return self._keys_by_pages(term, most)
            keys = self._keys({"": [f"<{act.value}>" for (act,) in rows]})[""]
            if len(keys) >= most or len(rows) < limit:
                return keys
            limit *= 8

    def _keys_by_pages(self, term: str, most: int) -> list[str]:
        """The same, of a server that does not give so much at once."""
        rows = rows_in_parts(self._store, [term], holders_text, ["act"])
        keys: set[str] = set()
        while len(keys) < most and (some := tuple(islice(rows, most))):
            keys.update(self._keys({"": [f"<{act.value}>" for (act,) in some]})[""])
        return sorted(keys)


def _act_nodes(acts: Iterable[str]) -> list[str]:
    """The nodes of the acts among some texts; what is no name is not known anywhere."""
    names = (check(act).name for act in sorted(set(acts)))
    return [f"<{name.act_name.iri}>" for name in names if name is not None]


def _names(rows: Iterable[tuple[Term, ...]]) -> Iterator[Name]:
    return (name for (node,) in rows if (name := check(node.value).name) is not None)


def _is_near(name: Name, jurisdiction: str, number: str, year: str | None) -> bool:
    details = name.work.details
    return (
        name.is_act
        and str(name.jurisdiction) == jurisdiction
        and number in map(number_key, details.numbers)
        and (year is None or year in years_of(details))
    )
