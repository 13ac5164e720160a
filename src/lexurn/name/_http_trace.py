"""The text of a name made from a URI, with the place in the URI of every piece of it."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

__all__ = ["Place", "Problem", "Trace"]


class Place(NamedTuple):
    """A stretch of the URI: an offset and the offset behind it."""

    start: int
    end: int


class Problem(Exception):  # noqa: N818  caught where the report is made, never let out
    """The first fault of a URI that keeps a name from being read at all."""

    def __init__(self, code: str, component: str, place: Place, message: str) -> None:
        """Keep the code, the production of RFC 9676, the place and the sentence."""
        super().__init__(message)
        self.code = code
        self.component = component
        self.place = place
        self.message = message


class Trace:
    """A text that grows by pieces of a URI, some as they are, some instead of others."""

    def __init__(self) -> None:
        """Begin with no text."""
        self._pieces: list[str] = []
        self._offsets: list[int] = []
        self._places: list[tuple[Place, bool]] = []
        self._length = 0

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, text: str, start: int) -> None:
        """Add a piece that stands in the URI as it is."""
        self._put(text, Place(start, start + len(text)), as_it_is=True)

    def put(self, text: str, start: int, end: int) -> None:
        """Add a piece that stands for something else in the URI."""
        self._put(text, Place(start, end), as_it_is=False)

    def _put(self, text: str, place: Place, *, as_it_is: bool) -> None:
        if text:
            self._pieces.append(text)
            self._offsets.append(self._length)
            self._places.append((place, as_it_is))
            self._length += len(text)

    def place(self, start: int, end: int) -> Place:
        """Where in the URI a stretch of the text stands."""
        first = self._first(start)
        return Place(first, max(first, self._last(end)) if end > start else first)

    def _first(self, offset: int) -> int:
        number = bisect_right(self._offsets, offset) - 1
        place, as_it_is = self._places[number]
        if as_it_is:
            return place.start + offset - self._offsets[number]
        return place.start if offset < self._length else place.end

    def _last(self, offset: int) -> int:
        """The offset in the URI behind the character that stands before ``offset``."""
        number = bisect_right(self._offsets, offset - 1) - 1
        place, as_it_is = self._places[number]
        return place.start + offset - self._offsets[number] if as_it_is else place.end
