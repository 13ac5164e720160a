"""Register of the names already given, and of names that differ only in how numbers are written."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Final

    from lexurn.name import Name

# Behind a dot a zero counts: 172.010 and 172.10 are two numbers.
_DIGITS: Final = re.compile(r"((?<![0-9.])[0-9]+)")
_THOUSANDS: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.])")
_YEAR: Final = re.compile(r"[0-9]{4}")
_WIDTH: Final = 6
_LONG: Final = range(4, 2 * _WIDTH + 1)
_MAX_SIMILAR: Final = 256


def list_similar_acts(name: Name) -> tuple[str, ...]:
    """Return the names of the act with its numbers written in other ways.

    Numbers are filled up to six digits, which is as far as offices go.

    >>> from lexurn.name import parse
    >>> list_similar_acts(parse("urn:lex:it:stato:legge:2003-09-21;00456"))[:2]
    ('urn:lex:it:stato:legge:2003-09-21;456', 'urn:lex:it:stato:legge:2003-09-21;456-2003')
    """
    act = str(name.act_name)
    details = name.work.details
    before = act.removesuffix(",".join(details.numbers))
    days = [details.period or "", *(date.iso for date in details.dates)]
    years = {found[0] for day in days if (found := _YEAR.match(day))}
    most = max(2, int(_MAX_SIMILAR ** (1 / len(details.numbers))))  # so that each of several varies
    written = [tuple(islice(_vary_number(number, years), most)) for number in details.numbers]
    names = (f"{before}{','.join(numbers)}" for numbers in product(*written))
    return tuple(dict.fromkeys(each for each in islice(names, _MAX_SIMILAR) if each != act))


def drop_thousands(number: str) -> str:
    """Return a number without the dots that separate its thousands.

    >>> drop_thousands("11.340"), drop_thousands("0.101"), drop_thousands("172.10")
    ('11340', '0.101', '172.10')
    """
    return _THOUSANDS.sub(lambda found: found[0].replace(".", ""), number)


def drop_year(number: str, years: Collection[str]) -> str:
    """Return a number without the year behind it, where that is a year of its date.

    >>> drop_year("241-1990", {"1990"}), drop_year("241-1991", {"1990"})
    ('241', '241-1991')
    """
    before, _, year = number.rpartition("-")
    is_behind = year in years and year.isdecimal() and any(map(str.isdecimal, before))
    return before if is_behind else number


def _vary_number(number: str, years: Collection[str]) -> Iterator[str]:
    """Return a number as it is, then in other ways."""
    plain = drop_year(number, years)
    bare = drop_thousands(plain)
    is_long = bare.isascii() and bare.isdecimal() and len(bare.lstrip("0")) in _LONG
    dotted = f"{int(bare):,}".replace(",", ".") if is_long else bare
    for each in dict.fromkeys((plain, bare, dotted)):
        for filled in _vary_zeros(each):
            yield filled
            yield from (f"{filled}-{year}" for year in sorted(years))


def _vary_zeros(number: str) -> Iterator[str]:
    """Return a number with more and fewer zeros in front of its digits."""

    def widen(digits: str) -> tuple[str, ...]:
        bare = digits.lstrip("0") or "0"
        return tuple(bare.zfill(width) for width in range(len(bare), max(_WIDTH, len(bare)) + 1))

    pieces = _DIGITS.split(number)
    varied = (widen(piece) if at % 2 else (piece,) for at, piece in enumerate(pieces))
    return map("".join, product(*varied))


# No authority counts to a number of 19 digits: such a one is an identifier of its own.
_UNNUMBERED = re.compile(r"(.*;)lex-([0-9]{1,18})", re.DOTALL)


def split_lex_number(act: str) -> tuple[str, int] | None:
    """Return what stands before the ``lex-N`` of an act, and the N; None for other numbers.

    >>> split_lex_number("urn:lex:it:stato:decreto:1999-12-20;lex-3")
    ('urn:lex:it:stato:decreto:1999-12-20;', 3)
    """
    found = _UNNUMBERED.fullmatch(act)
    return None if found is None else (found[1], int(found[2]))


class Register(Protocol):
    """Register of names that are kept elsewhere, such as a catalogue."""

    def has(self, name: Name) -> bool:
        """Return whether a name, its partition aside, is taken."""
        ...

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Return those of some acts, by their canonical texts, that are taken."""
        ...

    def highest(self, before: str) -> int:
        """Return the highest N of ``lex-N`` behind a name up to its numbers, or 0."""
        ...


class Taken:
    """Names that are taken, and the next free ``lex-N``.

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
            register: a register of more names; it is read only.
        """
        self.unique = unique
        self._names: set[str] = set()
        self._highest: dict[str, int] = {}
        self._register = register
        for name in names:
            self.add(name)

    def __contains__(self, name: Name) -> bool:
        """Return whether a name, its partition aside, is taken."""
        if str(name.document) in self._names:
            return True
        return self._register is not None and self._register.has(name)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Return those of some acts, by their canonical texts, that are taken."""
        elsewhere = () if self._register is None else self._register.known(acts)
        return {*self._names.intersection(acts), *elsewhere}

    def alike(self, name: Name) -> str | None:
        """Return a taken act that differs from that of a name only in how numbers are written.

        The act of a new version or annex that is itself taken is the one that is meant.
        """
        if name != name.act_name and name.act_name in self:
            return None
        return min(
            self.known(list_similar_acts(name)), key=lambda act: (len(act), act), default=None
        )

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
        found = split_lex_number(str(name.act_name))
        if found is not None:
            before, number = found
            self._highest[before] = max(self._highest.get(before, 0), number)

    def next_after(self, before: str) -> int:
        """Return the next free N of ``lex-N`` behind a name up to its numbers."""
        elsewhere = 0 if self._register is None else self._register.highest(before)
        return max(self._highest.get(before, 0), elsewhere) + 1
