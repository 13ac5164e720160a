"""Names already given, so that none is given twice (RFC 9676 sections 6.3.3, 9.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from lexurn.minting._alike import acts_alike

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lexurn.name import Name

__all__ = ["Register", "Taken", "series_of"]

# No authority counts to a number of 19 digits: such a one is an identifier of its own.
_UNNUMBERED = re.compile(r"(.*;)lex-([0-9]{1,18})", re.DOTALL)


def series_of(act: str) -> tuple[str, int] | None:
    """What stands before the ``lex-N`` of an act, and the N; None where it has other numbers.

    >>> series_of("urn:lex:it:stato:decreto:1999-12-20;lex-3")
    ('urn:lex:it:stato:decreto:1999-12-20;', 3)
    """
    found = _UNNUMBERED.fullmatch(act)
    return None if found is None else (found[1], int(found[2]))


class Register(Protocol):
    """Names that are kept elsewhere, for everybody who mints: a catalogue has one."""

    def has(self, name: Name) -> bool:
        """Whether a name, its partition aside, is taken."""
        ...

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are taken."""
        ...

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` ever seen behind a name up to its numbers; 0 without any."""
        ...


class Taken:
    """The names that are taken: it finds the next free ``lex-N``, and remembers what it is told.

    A number is never given again, even where the name that had it is gone: the next one is one
    more than the highest that was ever seen.

    >>> taken = Taken()
    >>> taken.next_after("urn:lex:it:stato:decreto:1999-12-20;")
    1
    """

    def __init__(
        self, names: Iterable[Name] = (), *, unique: bool = True, register: Register | None = None
    ) -> None:
        """Remember ``names``.

        Args:
            names: the names already given.
            unique: whether a name that is taken is refused; else only a ``lex-N`` that was given
                out here is.
            register: where more names are kept; it is asked, and told nothing.
        """
        self.unique = unique
        self._names: set[str] = set()
        self._highest: dict[str, int] = {}
        self._register = register
        for name in names:
            self.add(name)

    def __contains__(self, name: Name) -> bool:
        """Whether a name, its partition aside, is taken."""
        if str(name.document) in self._names:
            return True
        return self._register is not None and self._register.has(name)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are taken."""
        elsewhere = () if self._register is None else self._register.known(acts)
        return {*self._names.intersection(acts), *elsewhere}

    def alike(self, name: Name) -> str | None:
        """An act that is taken and differs from that of a name only in how numbers are written.

        The act of a new version or annex that is itself taken is the one that is meant.
        """
        if name != name.act_name and name.act_name in self:
            return None
        return min(self.known(acts_alike(name)), key=lambda act: (len(act), act), default=None)

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
        found = series_of(str(name.act_name))
        if found is not None:
            before, number = found
            self._highest[before] = max(self._highest.get(before, 0), number)

    def next_after(self, before: str) -> int:
        """The next free N of ``lex-N`` behind a name up to its numbers."""
        elsewhere = 0 if self._register is None else self._register.highest(before)
        return max(self._highest.get(before, 0), elsewhere) + 1
