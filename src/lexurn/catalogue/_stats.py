"""What a catalogue holds, in numbers: counted by SPARQL, on a disk or on a server alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._solutions import selected
from lexurn.graph import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.catalogue._protocols import Store

__all__ = ["Stats", "stats_of"]

_LEXO: Final = "https://w3id.org/lexurn/ns#"
_KINDS: Final = ("Work", "Annex", "Expression", "Manifestation", "Partition", "Item")
_PREFIXES: Final = (
    f"PREFIX lexo: <{_LEXO}> PREFIX owl: <http://www.w3.org/2002/07/owl#> "
    "PREFIX frbr: <http://purl.org/vocab/frbr/core#> "
)
_BY_KIND: Final = (
    _PREFIXES + "SELECT ?what (COUNT(*) AS ?n) WHERE { "
    f"VALUES ?what {{ {' '.join(f'lexo:{kind}' for kind in _KINDS)} }} ?s a ?what }} GROUP BY ?what"
)
_BY_JURISDICTION: Final = (
    _PREFIXES
    + "SELECT ?what (COUNT(*) AS ?n) WHERE { ?s lexo:jurisdictionCode ?what } GROUP BY ?what"
)
_ALIASES: Final = _PREFIXES + (
    f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH <{Layer.CATALOGUED.iri}> {{ ?s owl:sameAs ?o }} }}"
)
_WITHDRAWN: Final = _PREFIXES + "SELECT (COUNT(*) AS ?n) WHERE { ?s lexo:status lexo:Withdrawn }"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much a catalogue holds.

    Attributes:
        quads: by layer.
        kinds: names and copies by class; annexes are counted among the works too.
        jurisdictions: acts by jurisdiction-code, aliases included.
        aliases: names that are stated to be aliases.
        withdrawn: names that are withdrawn.
    """

    quads: Mapping[str, int]
    kinds: Mapping[str, int]
    jurisdictions: Mapping[str, int]
    aliases: int
    withdrawn: int


def stats_of(store: Store) -> Stats:
    """Count what a store holds; this reads all of it.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    kinds = _counts(store, _BY_KIND)
    return Stats(
        quads={layer.value: _quads(store, layer) for layer in Layer},
        kinds={kind.lower(): kinds.get(f"{_LEXO}{kind}", 0) for kind in _KINDS},
        jurisdictions=dict(sorted(_counts(store, _BY_JURISDICTION).items())),
        aliases=_count(store, _ALIASES),
        withdrawn=_count(store, _WITHDRAWN),
    )


def _quads(store: Store, layer: Layer) -> int:
    return _count(store, f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH <{layer.iri}> {{ ?s ?p ?o }} }}")


def _count(store: Store, text: str) -> int:
    return next((int(row["n"].value) for row in selected(store, text)), 0)


def _counts(store: Store, text: str) -> dict[str, int]:
    rows = selected(store, text)
    return {row["what"].value: int(row["n"].value) for row in rows if row["what"] is not None}
