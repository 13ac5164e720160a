"""What a SHACL engine is to the rest of the room: one function from data to findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.shacl._shapes import Catalogue

__all__ = ["Engine", "Found"]


class Found(NamedTuple):
    """One result as an engine gives it; terms as N-Triples writes them."""

    focus: str
    shape: str
    component: str
    value: str | None = None


class Engine(Protocol):
    """A SHACL engine; another one can take its place."""

    def __call__(self, triples: str, shapes: Catalogue) -> Iterable[Found]:
        """What the shapes find in N-Triples.

        Raises:
            CheckError: the engine is absent or failed; no result is never taken for no fault.
        """
