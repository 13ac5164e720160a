"""What is begun in a catalogue, written down so that it can be done again after a crash."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING

from lexurn.catalogue._merge import Merge
from lexurn.catalogue._rows import data_of, family_in

if TYPE_CHECKING:
    from lexurn.catalogue._protocols import Holdings

__all__ = ["journal_of", "read_journal"]


def journal_of(merge: Merge, as_of: dt.date) -> str:
    """A merge as text: the keys of what is held, the whole of what is new."""
    return json.dumps(
        {
            "as_of": as_of.isoformat(),
            "old": [str(family.key) for family in merge.old],
            "new": [data_of(family) for family in merge.new],
        },
        ensure_ascii=False,
    )


def read_journal(text: str, holdings: Holdings) -> tuple[Merge, dt.date]:
    """The merge that `journal_of` wrote, and its day; what it takes out is held still."""
    said = json.loads(text)
    merge = Merge(
        old=tuple(holdings.families(said["old"])),
        new=tuple(family_in(data) for data in said["new"]),
    )
    return merge, dt.date.fromisoformat(said["as_of"])
