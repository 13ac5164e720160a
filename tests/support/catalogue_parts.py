"""Parts of tests on catalogues: small families, what a store holds, a fresh catalogue."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from lexurn.graph import Format, describe_concepts, find_concepts, nquads_of, write
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lexurn.catalogue import Catalogue
    from lexurn.model import Family

__all__ = ["AS_OF", "families_in", "held", "lines_of"]

AS_OF = dt.date(2026, 1, 1)


def families_in(path: Path) -> tuple[Family, ...]:
    """The families of a manifest."""
    with open_manifest(path) as manifest:
        return tuple(manifest.families())


def lines_of(families: Iterable[Family], base: str | None = None) -> list[str]:
    """The N-Quads lines of families that know of each other and of their concepts, sorted."""
    known = tuple(families)
    concepts = write(describe_concepts(find_concepts(known)), Format.NQUADS)
    quads = [nquads_of(family, as_of=AS_OF, base=base) for family in known]
    text = b"".join((*quads, concepts)).decode()
    return sorted({f"{line}\n" for line in text.split("\n") if line})


def held(catalogue: Catalogue) -> list[str]:
    """All that the store of a catalogue holds, as sorted N-Quads lines."""
    text = b"".join(catalogue.store.dump()).decode()
    return sorted(f"{line}\n" for line in text.split("\n") if line)


def keys_of(families: Sequence[Family]) -> list[str]:
    """The keys of some families."""
    return [str(family.key) for family in families]
