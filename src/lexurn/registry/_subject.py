"""One entry of a file that is checked, and what is known besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.registry._source import place_in
from lexurn.registry._turtle import SKOS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.registry._concepts import Label
    from lexurn.registry._entries import Entry, Kind
    from lexurn.registry._findings import RegistryFinding
    from lexurn.registry._registry import Registry
    from lexurn.registry._source import Source
    from lexurn.registry._turtle import Values

__all__ = ["Subject"]

_NOTATION = SKOS + "notation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One entry of a file, and what is known besides.

    Attributes:
        source: the file.
        iri: its IRI.
        values: what the file states of it.
        known: the built-in entry that it overrides, or None.
        registry: the registry with the file's own entries in it.
    """

    source: Source
    iri: str
    values: Values
    known: Entry | None
    registry: Registry

    @property
    def place(self) -> tuple[Kind, str] | None:
        """Its kind and scope, those of the entry that it overrides where it does."""
        if self.known is not None:
            return self.known.kind, self.known.scope
        return place_in(self.values)

    @property
    def notation(self) -> str:
        """Its notation, from the file or from the entry that it overrides."""
        return self.first(_NOTATION) or (self.known.notation if self.known else "")

    @property
    def shown(self) -> str:
        """How messages call it."""
        return self.notation or f"<{self.iri}>"

    def first(self, predicate: str) -> str | None:
        """The first value of a property, or None."""
        values = self.values.get(predicate)
        return values[0].text if values else None

    def each(self, *predicates: str) -> Iterator[tuple[str, Label]]:
        """The values of some properties, each with its property."""
        for predicate in predicates:
            for value in self.values.get(predicate, ()):
                yield predicate, value

    def finding(
        self, code: str, predicate: str | None, value: str | None, *values: object
    ) -> RegistryFinding:
        """A finding on one of its values."""
        return self.source.finding(code, (self.iri, predicate, value), *values)
