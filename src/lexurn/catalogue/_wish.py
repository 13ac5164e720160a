"""What is wanted besides a name: a day, a language, and whose words are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.catalogue._normalised import tongue_of

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.catalogue._normalised import Tongue
    from lexurn.registry import Registry

__all__ = ["Wish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is wanted besides the name.

    Attributes:
        day: the day for what is in force.
        is_day_asked: whether somebody asked for that day.
        language: the language wanted, or None for all.
        registry: whose law and words are known.
        code: the jurisdiction-code.
    """

    day: dt.date
    is_day_asked: bool
    language: str | None
    registry: Registry
    code: str

    @property
    def tongue(self) -> Tongue:
        """The law and words of the jurisdiction; few names need them, so they are read late."""
        return tongue_of(self.registry, self.code)
