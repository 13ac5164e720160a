"""Names given out by a catalogue on a server: claims in a graph of their own, by SPARQL alone.

No server need have locks: whoever mints writes a claim, then looks who else claims the name. Alone
with it, the claim stands; else it is taken back. Of two that claim at once, each sees the other or
comes first, so that never both keep it. A server must show at once what was written.
"""

from __future__ import annotations

import datetime as dt
import uuid
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._bookkeeping import KEPT, rows_of, text_of
from lexurn.catalogue._given import GivenName, moment, series_before
from lexurn.errors import CatalogueError
from lexurn.minting import series_of
from lexurn.name import check, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from contextlib import AbstractContextManager

    from lexurn.catalogue._given import Claim
    from lexurn.catalogue._protocols import Store
    from lexurn.name import Name

__all__ = ["ClaimsThere"]

_LEXO: Final = "https://w3id.org/lexurn/ns#"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_GRAPH: Final = f"<{KEPT}given>"
_DATASET: Final = f"FROM {_GRAPH}"
_NAME: Final = f"<{KEPT}givenName>"
_SERIES: Final = f"<{KEPT}givenSeries>"
_NUMBER: Final = f"<{KEPT}givenNumber>"
_ON: Final = f"<{KEPT}givenOn>"
_PLACE: Final = f"<{KEPT}givenPlace>"
_DIGEST: Final = f"<{KEPT}givenDigest>"
_MANY: Final = 100
_PAGE: Final = 500


class ClaimsThere:
    """See `lexurn.catalogue._given.Claims`; the names in claims are texts, never nodes."""

    def __init__(self, store: Store) -> None:
        """Claim in a store; nothing is asked yet."""
        self._store = store

    def turn(self) -> AbstractContextManager[None]:
        """Nothing: each claim stands by itself."""
        return nullcontext()

    def has(self, name: Name) -> bool:
        """Whether a name is held by the catalogue or given out."""
        given = self._store.query(f"ASK {_DATASET} {{ ?claim {_NAME} {text_of(str(name))} }}")
        return bool(given) or bool(self._held([name]))

    def _held(self, names: Collection[Name]) -> set[str]:
        """Which of some names the catalogue holds, as IRIs."""
        values = " ".join(f"<{name.iri}>" for name in names)
        text = f"SELECT DISTINCT ?name WHERE {{ VALUES ?name {{ {values} }} ?name ?p ?o }}"
        return {iri for (iri,) in rows_of(self._store, text, "name")}

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts are held by the catalogue or given out."""
        if not acts:
            return ()
        values = " ".join(text_of(act) for act in acts)
        given = self._claims(f"VALUES ?name {{ {values} }} ?claim {_NAME} ?name", "name")
        held = self._held([parse(act) for act in acts])
        return {*(name for (name,) in given), *(act for act in acts if parse(act).iri in held)}

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        series = series_before(before)
        if series is None:
            return 0
        return max(self._highest_given(series), self._highest_held(series))

    def _highest_given(self, series: str) -> int:
        # The server looks through them: there may be many.
        pattern = f"?claim {_SERIES} {text_of(series)} ; {_NUMBER} ?number"
        text = f"SELECT (MAX(?number) AS ?highest) {_DATASET} WHERE {{ {pattern} }}"
        return max((int(number) for (number,) in rows_of(self._store, text, "highest")), default=0)

    def _highest_held(self, series: str) -> int:
        rows = rows_of(self._store, _numbered_like(parse(f"{series}lex-1")), "name")
        names = (check(text).name for (text,) in rows)
        found = (series_of(str(name.act_name)) for name in names if name is not None)
        return max((number for at, number in filter(None, found) if at == series), default=0)

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where another process claims the same, and nothing is left.

        Raises:
            CatalogueError: the server does not show what was just written.
        """
        node = uuid.uuid4().urn
        lines = tuple(_lines(node, claim))
        self._store.change((), lines)
        found = self._claims(f"?claim {_NAME} {text_of(str(claim.name))}", "claim")
        claiming = {who for (who,) in found}
        if node not in claiming:
            raise CatalogueError(
                f"{self._store.place} does not show what was just written, so that nobody can be "
                f"sure to have a name alone; mint where it is written first ({claim.name} stays "
                "claimed)"
            )
        if claiming != {node}:
            self._store.change(lines, ())
        return claiming == {node}

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place, to nobody else.

        Of two processes that claimed one name at once and died before they looked, none has it.
        """
        pattern = (
            f"?claim {_PLACE} {text_of(place)} ; {_DIGEST} {text_of(digest)} ; {_NAME} ?name "
            f"FILTER NOT EXISTS {{ ?other {_NAME} ?name FILTER(?other != ?claim) }}"
        )
        return min((name for (name,) in self._claims(pattern, "name")), default=None)

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        names = self._names()
        while some := tuple(islice(names, _MANY)):
            held = self._held([parse(name) for name in some])
            left = [text_of(name) for name in some if parse(name).iri not in held]
            if not left:
                continue
            pattern = f"?claim {_NAME} ?name ; {_ON} ?on ; {_PLACE} ?place"
            pattern = f"VALUES ?name {{ {' '.join(left)} }} {pattern}"
            for name, on, place in sorted(set(self._claims(pattern, "name", "on", "place"))):
                when = dt.datetime.fromisoformat(on)
                yield GivenName(name=name, given_on=when, place=place)

    def _names(self) -> Iterator[str]:
        """The names that were given out, sorted; page by page, since none is ever forgotten."""
        last = ""
        while True:
            text = (
                f"SELECT DISTINCT ?name {_DATASET} WHERE {{ ?claim {_NAME} ?name "
                f"FILTER(STR(?name) > {text_of(last)}) }} ORDER BY ?name LIMIT {_PAGE}"
            )
            page = [name for (name,) in rows_of(self._store, text, "name") if name > last]
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1]

    def close(self) -> None:
        """Nothing is open."""

    def _claims(self, pattern: str, *columns: str) -> list[tuple[str, ...]]:
        """The values that a pattern has among the claims."""
        variables = " ".join(f"?{column}" for column in columns)
        text = f"SELECT {variables} {_DATASET} WHERE {{ {pattern} }}"
        return rows_of(self._store, text, *columns)


def _lines(node: str, claim: Claim) -> Iterator[str]:
    """The quads of a claim."""
    stated = {_NAME: str(claim.name), _ON: moment(), _PLACE: claim.place, _DIGEST: claim.digest}
    series = series_of(str(claim.name.act_name))
    if series is not None:
        stated[_SERIES] = series[0]
        yield f'<{node}> {_NUMBER} "{series[1]}"^^<{_XSD}integer> {_GRAPH} .\n'
    for predicate, value in stated.items():
        yield f"<{node}> {predicate} {text_of(value)} {_GRAPH} .\n"


def _numbered_like(name: Name) -> str:
    """What finds the acts of the same issuers and day that have no number of their own."""
    details = name.work.details
    days = details.dates[0].iso if details.dates else details.period or ""
    values = f"{text_of(days)} {text_of(days)}^^<{_XSD}date>"
    predicate = f"<{_LEXO}{'date' if details.dates else 'period'}>"
    return (
        f"SELECT DISTINCT ?name WHERE {{ VALUES ?day {{ {values} }} "
        f"?name {predicate} ?day ; <{_LEXO}authority> {text_of(str(name.work.authority))} ; "
        f'<{_LEXO}number> ?number FILTER(STRSTARTS(?number, "lex-")) }}'
    )
