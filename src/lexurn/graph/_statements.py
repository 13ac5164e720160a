"""What is said of a family of names, in three layers (``lexo:Layer``)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.graph import _vocabulary as v

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.graph._terms import Triple

__all__ = ["Layer", "Statements"]


class Layer(StrEnum):
    """Where a statement comes from: the name itself, its publisher, or what else is known."""

    DECODED = "decoded"
    CATALOGUED = "catalogued"
    COMPUTED = "computed"

    @property
    def iri(self) -> str:
        """The IRI of the layer, which is that of its named graph too."""
        return f"{v.LEXO}{self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """Triples in three layers; each layer is sorted and holds no triple twice.

    Attributes:
        decoded: only what the names say themselves.
        catalogued: what publishers state.
        computed: what follows from everything that is known; may be thrown away and made again.
    """

    decoded: tuple[Triple, ...] = ()
    catalogued: tuple[Triple, ...] = ()
    computed: tuple[Triple, ...] = ()

    def __post_init__(self) -> None:
        for layer in Layer:
            triples = tuple(sorted(set(getattr(self, layer.value))))
            object.__setattr__(self, layer.value, triples)

    def __add__(self, other: Statements) -> Statements:
        return Statements.union((self, other))

    @staticmethod
    def union(parts: Iterable[Statements]) -> Statements:
        """What all ``parts`` say together."""
        every = tuple(parts)
        return Statements(
            decoded=tuple(triple for part in every for triple in part.decoded),
            catalogued=tuple(triple for part in every for triple in part.catalogued),
            computed=tuple(triple for part in every for triple in part.computed),
        )

    def layer(self, layer: Layer) -> tuple[Triple, ...]:
        """The triples of one layer."""
        return {
            Layer.DECODED: self.decoded,
            Layer.CATALOGUED: self.catalogued,
            Layer.COMPUTED: self.computed,
        }[layer]

    @property
    def merged(self) -> tuple[Triple, ...]:
        """The triples of all layers, sorted, none twice."""
        return tuple(sorted({*self.decoded, *self.catalogued, *self.computed}))
