"""Names already given, so that none is given twice (RFC 9676 sections 6.3.3, 9.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.name import Name

__all__ = ["Taken"]

_UNNUMBERED = re.compile(r"(.*;)lex-([0-9]+)", re.DOTALL)


class Taken:
    """The names that are taken: it finds the next free ``lex-N``, and remembers what it is told.

    A number is never given again, even where the name that had it is gone: the next one is one
    more than the highest that was ever seen.

    >>> taken = Taken()
    >>> taken.next_after("urn:lex:it:stato:decreto:1999-12-20;")
    1
    """

    def __init__(self, names: Iterable[Name] = (), *, unique: bool = True) -> None:
        """Remember ``names``.

        Args:
            names: the names already given.
            unique: whether a name that is taken is refused; else only a ``lex-N`` that was given
                out here is.
        """
        self.unique = unique
        self._names: set[str] = set()
        self._highest: dict[str, int] = {}
        for name in names:
            self.add(name)

    def __contains__(self, name: Name) -> bool:
        """Whether a name, its partition aside, is taken."""
        return str(name.document) in self._names

    def add(self, name: Name, *, given_out: bool = False) -> None:
        """Remember a name, and the number of its act where that is a ``lex-N``.

        Args:
            name: the name.
            given_out: whether its number is one of `next_after`, which nobody else may have.
        """
        if self.unique or given_out:
            self._names.add(str(name.document))
        if ";lex-" not in name.text.lower():
            return
        found = _UNNUMBERED.fullmatch(str(name.act_name))
        if found is not None:
            self._highest[found[1]] = max(self._highest.get(found[1], 0), int(found[2]))

    def next_after(self, before: str) -> int:
        """The next free N of ``lex-N`` behind a name up to its numbers."""
        return self._highest.get(before, 0) + 1
