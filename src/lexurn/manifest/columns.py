"""Columns of a sample: the words of their headers, their cells, and the kinds of these.

The words of headers, in many languages, are data: ``ontology/column_words.json``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from lexurn import data
from lexurn.manifest.days import FIRST_YEAR, LAST_YEAR, DayReading, guess_day
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# --- words of headers -----------------------------------------------------------------


class HeaderWords(NamedTuple):
    """Words of headers.

    Attributes:
        roles: by role, the groups of words of which a header must have all, and their languages.
        force: states of force by the words for them.
        answers: True and False by the words for yes and no.
        calendars: jurisdictions whose tables have days of a calendar of their own.
        notations: identifiers that contain parts of a name, but not the number as it is cited:
            by name a regular expression (``pattern``) and the ``jurisdiction`` that uses it.
        number_marks: regular expressions of what stands before a number in an address.
        number_frames: regular expressions of numbers between two signs.
        scripts: languages by the Unicode names of scripts that no other language has.
    """

    roles: Mapping[str, Mapping[tuple[str, ...], tuple[str, ...]]]
    force: Mapping[str, str]
    answers: Mapping[str, bool]
    calendars: Mapping[str, Sequence[str]]
    notations: Mapping[str, Mapping[str, str]]
    number_marks: Sequence[str]
    number_frames: Sequence[str]
    scripts: Mapping[str, str]


@lru_cache(maxsize=1)
def load_header_words() -> HeaderWords:
    """Load the words of headers and of states of force in all languages.

    Cyrillic and Greek words count in Latin letters, too, as the fields of databases have them.
    """
    from anyascii import anyascii  # noqa: PLC0415 - a table of all scripts

    table = json.loads(data.read_text("ontology/column_words.json"))
    roles: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
    for role, words in table["headers"].items():
        groups = roles.setdefault(role, {})
        for language, found in words.items():
            for each in found:
                group = tuple(each.split())
                groups[group] = (*groups.get(group, ()), language)
                if _EASTERN_EUROPEAN.search(each):
                    groups.setdefault(tuple(anyascii(each).split()), (language,))
    force = {
        make_key(each): state
        for state, words in table["force"].items()
        for found in words.values()
        for each in found
    }
    answers = {word: key == "yes" for key, words in table["answers"].items() for word in words}
    others = ("calendars", "notations", "number_marks", "number_frames", "scripts")
    return HeaderWords(roles, force, answers, *(table[each] for each in others))


_EASTERN_EUROPEAN = re.compile("[\u0370-\u052f]")
_DIGRAPH = re.compile("([aou])e|(?<=a)a")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|_")
_MEMBER = re.compile(r"(?<=\w\w)\.(?=\w\w)")  # of an object in JSON, as "document.date"
# Characters of a part of a compound; words of East Asian scripts are short.
_SHORTEST_PART, _SHORTEST_EASTERN, _FIRST_EASTERN = 6, 2, "\u2e80"


def list_header_words(header: str) -> tuple[str, ...]:
    """List the keys of the words of a header, such as ``signing_date`` or ``signingDate``."""
    return tuple(make_key(_PARTS.sub(" ", _MEMBER.sub(" ", header))).split())


class HeaderRoles(NamedTuple):
    """Roles of a header.

    Attributes:
        words: by role, the words of the header that say so.
        languages: the languages of these words, each with a weight.
    """

    words: Mapping[str, frozenset[str]]
    languages: Mapping[str, float]


@lru_cache(maxsize=1024)
def find_roles(header: str) -> HeaderRoles:
    """Find the roles that the words of a header have."""
    # Databases write "ae", "oe" and "ue" for letters with marks; keys have them without these.
    members = [
        {_DIGRAPH.sub(r"\1", each): each for each in words} | {each: each for each in words}
        for words in map(list_header_words, _MEMBER.split(header))
    ]
    found: dict[str, set[str]] = {}
    languages: Counter[str] = Counter()
    for role, groups in load_header_words().roles.items():
        for (group, spoken), words in product(groups.items(), members):
            matches = [_find_word(each, words) for each in group]
            if all(matches):
                found.setdefault(role, set()).update(filter(None, matches))
                languages.update(dict.fromkeys(spoken, 1 / len(spoken)))
    return HeaderRoles({role: frozenset(each) for role, each in found.items()}, languages)


def guess_header_language(headers: Sequence[str]) -> str | None:
    """Guess the language of most headers, None where that is not certain."""
    found: Counter[str] = Counter()
    for header in headers:
        found.update(find_roles(header).languages)
    (best, most), (_, second), *_ = [*found.most_common(2), ("", 0), ("", 0)]
    return best if most > 1 and most > 1.2 * second else None


def _find_word(wanted: str, words: Mapping[str, str]) -> str | None:
    """Find a word by its spellings, or one that begins or ends with it, as compounds do."""
    if wanted in words:
        return words[wanted]
    if len(wanted) < (_SHORTEST_PART if wanted < _FIRST_EASTERN else _SHORTEST_EASTERN):
        return None
    # A word with a role of its own is not a compound: "signature" does not end in "nature".
    compounds = [each for each in words if not {each, words[each]} & load_single_words()]
    return next(
        (words[each] for each in compounds if each.startswith(wanted) or each.endswith(wanted)),
        None,
    )


@lru_cache(maxsize=1)
def load_single_words() -> frozenset[str]:
    """Load the words that have a role alone."""
    groups = (group for found in load_header_words().roles.values() for group in found)
    return frozenset(group[0] for group in groups if len(group) == 1)


# --- columns --------------------------------------------------------------------------

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
