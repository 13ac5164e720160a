"""A small catalogue in memory for tests of queries, and answers as plain lists."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn import open_manifest
from lexurn.graph import nquads_of
from lexurn.model import families_of
from lexurn.store import Triples
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.model import Family, Record
    from lexurn.store import QueryAnswer

__all__ = ["ACTS", "BASE", "answer_rows", "filled_store", "nquads"]

ACTS = Path(__file__).parents[1] / "cases" / "query_acts.csv"
BASE = "https://law.example"
# Long after all days that are asked for: no answer may lean on what was in force then.
_LOADED = dt.date(2026, 1, 1)
_SPELT = ("urn:lex:it:stato:legge:2003-09-21;456", "urn:nir:stato:legge:2003-09-21;456")


def nquads(families: Iterable[Family] | None = None) -> bytes:
    """The N-Quads of some families; by default the small catalogue."""
    if families is None:
        with open_manifest([str(ACTS)]) as manifest:
            records = [record for family in manifest.families() for record in family.records]
        families = families_of([_spelt(record) for record in records])
    return b"".join(nquads_of(family, as_of=_LOADED, base=BASE) for family in families)


def _spelt(record: Record) -> Record:
    is_meant = str(record.name) == _SPELT[0]
    return replace(record, dialect_names=(_SPELT[1],)) if is_meant else record


@contextmanager
def filled_store(families: Iterable[Family] | None = None) -> Iterator[EmbeddedStore]:
    """Some families in memory; by default the small catalogue."""
    store = EmbeddedStore(None, write=True)
    try:
        store.fill(nquads(families))
        yield store
    finally:
        store.close()


def answer_rows(answer: QueryAnswer) -> object:
    """An answer as JSON has it: a truth; rows of texts; sorted triples."""
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, Triples):
        return sorted({" ".join(map(str, triple)) for triple in answer})
    return [[None if term is None else term.value for term in row] for row in answer]
