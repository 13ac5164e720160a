"""What is begun in a catalogue, written down so that it can be done again after a crash."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING

from lexurn.catalogue._merge import Merge
from lexurn.catalogue._rows import family_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.catalogue._protocols import Holdings

__all__ = ["journal_of", "names_in", "read_journal"]


def journal_of(old: Iterable[str], new: Iterable[str], as_of: dt.date) -> str:
    """What is going to be done, as text.

    Args:
        old: the keys of the alias sets that are taken out.
        new: the data of those that are put in, of `rows_of`.
        as_of: the day for which the version in force is asked.
    """
    said = {"as_of": as_of.isoformat(), "old": list(old), "new": list(new)}
    return json.dumps(said, ensure_ascii=False)


def read_journal(text: str, holdings: Holdings) -> tuple[Merge, dt.date]:
    """What `journal_of` wrote, and its day; what it takes out is held still."""
    said = json.loads(text)
    merge = Merge(
        old=tuple(holdings.families(said["old"])),
        new=tuple(family_in(data) for data in said["new"]),
    )
    return merge, dt.date.fromisoformat(said["as_of"])


def names_in(text: str) -> frozenset[str]:
    """The names that are put in by what `journal_of` wrote."""
    sets = (json.loads(data.partition("\n")[0]) for data in json.loads(text)["new"])
    return frozenset(name for records in sets for name, _ in records)
