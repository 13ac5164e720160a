"""What a catalogue on a server writes down for itself: in graphs beside those of its layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.catalogue._solutions import selected

if TYPE_CHECKING:
    from lexurn.catalogue._protocols import Store

__all__ = ["KEPT", "rows_of", "text_of"]

KEPT: Final = "https://w3id.org/lexurn/catalogue#"
"""What the names of such graphs and of their properties begin with."""


def rows_of(store: Store, text: str, *columns: str) -> list[tuple[str, ...]]:
    """The values of a SELECT, without their types; of rows that have them all.

    Raises:
        CatalogueError: the store cannot be asked, or what it holds not be read.
    """
    rows = ([row[column] for column in columns] for row in selected(store, text))
    return [tuple(term.value for term in row) for row in rows if None not in row]


def text_of(value: str) -> str:
    """A text as SPARQL and N-Quads write it."""
    return str(pyoxigraph.Literal(value))
