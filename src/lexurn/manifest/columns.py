"""Columns of a sample: their cells, and the kinds of these."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from lexurn.manifest.cells import is_web_url
from lexurn.manifest.days import FIRST_YEAR, LAST_YEAR, DayReading, guess_day
from lexurn.manifest.header_words import find_roles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MANY: Final = 0.8
"""Share of cells or rows that decides what a column or separator is; the rest may be slips."""

FEWEST_DISTINCT: Final = 0.05
"""Least share of different values of a column of numbers or titles, which may begin again."""

LONG_TEXT: Final = 30
"""Characters that a title has on average, or more."""

TITLE_LINES: Final = 20
"""Most rows above the header of a table."""

_MOST = 0.9  # share of cells of one kind that makes the kind of a column; the rest may be slips
_SHOWN, _LONGEST_SHOWN = 4, 40

ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
ABSENT: Final = frozenset(
    {"na", "n/a", "nan", "null", "none", "nil", "-", "--", "—", "s/d", "n.d.", "s/n", "s.n."}
)
"""Words for an absent value."""


def is_year(text: str) -> bool:
    """Return whether a text is a year of four digits."""
    # "02004" is a number.
    return len(text) == 4 and text.isdecimal() and FIRST_YEAR <= int(text) <= LAST_YEAR


def is_address(text: str) -> bool:
    """Return whether a text is one web address, or several between blanks."""
    return all(map(is_web_url, text.split()))


@dataclass(eq=False)
class ColumnFacts:
    """Facts about one column of a sample.

    Attributes:
        header: its name.
        cells: its cells that are not empty, without the blanks around them.
        absent: its words for an absent value, which are not in ``cells``.
        total: the number of rows.
    """

    header: str
    cells: tuple[str, ...]
    absent: tuple[str, ...]
    total: int

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of each value."""
        return Counter(self.cells)

    @cached_property
    def days(self) -> tuple[DayReading, ...]:
        """Readings of the cells that are days."""
        return tuple(filter(None, map(guess_day, self.cells)))

    @cached_property
    def roles(self) -> Mapping[str, frozenset[str]]:
        """Roles that its header has, with its words for them."""
        return find_roles(self.header).words

    @cached_property
    def length(self) -> float:
        """Mean number of characters."""
        return sum(map(len, self.cells)) / max(1, len(self.cells))

    @cached_property
    def digits(self) -> int:
        """Number of cells that have a digit."""
        return self.count(lambda cell: any(map(str.isdecimal, cell)))

    @property
    def distinct(self) -> float:
        """Share of different values."""
        return len(self.counts) / max(1, len(self.cells))

    @property
    def is_varied(self) -> bool:
        """True if most values differ; those of types, issuers and states of force repeat."""
        return self.distinct > 0.5  # half

    def sample(self, most: int) -> list[str]:
        """Return some of its different values, from its start to its end."""
        step = max(1, len(self.counts) // most)
        return list(self.counts)[::step][:most]

    def share(self, number: int) -> str:
        """Write a number of cells beside that of all which are not empty."""
        return f"{number} of {len(self.cells)}"

    def has_most(self, number: int) -> bool:
        """Return whether a number of cells is nearly all of them."""
        return number > 0 and number >= _MOST * len(self.cells)

    def is_mostly(self, is_such: Callable[[str], object]) -> bool:
        """Return whether nearly all of its cells are of a kind."""
        return self.has_most(self.count(is_such))

    def describe_rows(self, cell: str) -> str:
        """Write the number of rows that have a value."""
        return f"{self.counts[cell]} row{'s' if self.counts[cell] > 1 else ''}"

    def show(self, most: int = _SHOWN) -> str:
        """Write its most frequent values."""
        shown = ", ".join(shorten(each) for each, _ in self.counts.most_common(most))
        return f"{shown}, ..." if len(self.counts) > most else shown

    def count(self, is_such: Callable[[str], object]) -> int:
        """Count the cells of a kind."""
        return sum(times for each, times in self.counts.items() if is_such(each))


def shorten(text: str) -> str:
    """Write a text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def is_phrase(text: str) -> bool:
    """Return whether a text has several words, or is in a script without blanks."""
    return not ADDRESS.match(text) and (len(text.split()) > 1 or not text[:1].isascii())


def is_latin(text: str) -> bool:
    """Return whether most letters of a text are Latin."""
    letters = [each for each in text if each.isalpha()]
    return 2 * sum(each < "\u0250" for each in letters) >= len(letters)


def find_host_code(cell: str) -> tuple[str, str]:
    """Find the country of a web address by the end of its host, and the host; else empty texts."""
    if not ADDRESS.match(cell):
        return "", ""
    try:
        host = urlsplit(cell.split(maxsplit=1)[0]).hostname or ""
    except ValueError:
        return "", ""
    last = host.rpartition(".")[2]
    return "us" if last in {"gov", "mil"} else last, host


def find_header(rows: Sequence[Sequence[str]]) -> int:
    """Find the index of the header: the first row as wide as most."""
    filled = [sum(1 for cell in row if cell.strip()) for row in rows[: 10 * TITLE_LINES]]
    usual = Counter(filter(None, filled)).most_common(1)[0][0] if any(filled) else 0
    for number, count in enumerate(filled[:TITLE_LINES]):
        if count and (2 * count > usual or (count > 1 and count == len(rows[number]))):
            return number
    return 0


def is_count(column: ColumnFacts) -> bool:
    """Return whether a column counts the rows."""
    numbers = [int(each) for each in column.cells if each.isdecimal()]
    starts = numbers[:1] in ([0], [1]) and len(numbers) == len(column.cells) > 1
    return starts and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def has_titles(column: ColumnFacts) -> bool:
    """Return whether the cells of a column may be short titles: most differ, and are words."""
    return column.is_varied and (not column.digits or column.is_mostly(is_phrase))
