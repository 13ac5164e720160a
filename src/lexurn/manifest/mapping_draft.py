"""Drafts of mapping files: samples of tables, lines with their reasons, and the text of a file."""

from __future__ import annotations

import json
import re
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest.columns import ABSENT, ColumnFacts, list_header_words
from lexurn.manifest.mapping import find_groups
from lexurn.minting.comparison import read_cited_act
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.manifest.days import DayReading
    from lexurn.minting.comparison import CitedAct
    from lexurn.registry import Entry, Law, Registry

_SHORTEST_MEASURE = 3  # letters; as the start of a word, "reg" may be a register
_NAMING = frozenset({"number", "date", "period", "measure"})


class Guess(NamedTuple):
    """Line of a mapping file, with its reason.

    Attributes:
        table: the table of the mapping file; empty at its top.
        key: the key.
        value: the value: a text, true, or a number.
        reason: the reason, or the choices.
        is_decided: False for a line that is left as a comment.
    """

    table: str
    key: str
    value: str | bool | int
    reason: str
    is_decided: bool = True

    @property
    def parts(self) -> frozenset[str]:
        """Columns of a manifest that the line gives, or may give if it is not decided."""
        if self.table == "patterns":
            return frozenset(find_groups([str(self.value)]))
        given = {"columns": str(self.value), "constants": self.key, "templates": self.key}
        return frozenset({given[self.table]} if self.table in given else ())


class Sample(NamedTuple):
    """Columns of a table and its first rows.

    Attributes:
        file: the file as given.
        headers: the names of its columns, in their order; some may be empty or the same.
        rows: the cells of each row, as many as columns.
        is_whole: True if the table has no further rows.
        settings: the lines for the top of a mapping file.
    """

    file: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_whole: bool
    settings: tuple[Guess, ...] = ()


class Proposal(NamedTuple):
    """Proposal of a mapping file for a table.

    Attributes:
        sample: the columns and first rows of the table.
        guesses: the lines of the file.
        missing: the parts of a name that no decided line gives, and the title if only columns that
            are asked about may have it.
    """

    sample: Sample
    guesses: tuple[Guess, ...]
    missing: tuple[str, ...]

    def find(self, table: str, *, is_decided: bool = True) -> dict[str, str | bool | int]:
        """Return the keys and values of one table of the file, decided ones or comments."""
        return {
            each.key: each.value
            for each in self.guesses
            if each.table == table and each.is_decided is is_decided
        }


class MappingDraft:
    """Draft of a mapping file for one table.

    Attributes:
        sample: the columns and first rows of the table.
        constants: values that all rows have, as the caller states them.
        registry: the registry of measures and issuers.
        guesses: the lines so far.
        columns: facts about the columns.
        left: those without a meaning, by header.
        days: the days that were read, by header.
        notation: the identifiers that were left out; empty if there are none.
        codes: the jurisdictions that it may be, the likeliest first.
        language: the language of the longest texts, if it is known.
    """

    def __init__(self, sample: Sample, constants: Mapping[str, str], registry: Registry) -> None:
        """Start with the settings of a sample, the constants, and all columns."""
        self.sample, self.constants, self.registry = sample, constants, registry
        self.guesses: list[Guess] = list(sample.settings)
        columns = []
        for at, header in enumerate(sample.headers):
            cells = tuple(filter(None, (row[at].strip() for row in sample.rows)))
            filled = tuple(cell for cell in cells if cell.casefold() not in ABSENT)
            absent = tuple(dict.fromkeys(cell for cell in cells if cell.casefold() in ABSENT))
            columns.append(ColumnFacts(header, filled, absent, len(sample.rows)))
        self.columns = tuple(columns)
        self.left: dict[str, ColumnFacts] = {each.header: each for each in self.columns}
        self.days: dict[str, Sequence[DayReading]] = {}
        self.notation = ""
        self.language: str | None = None
        for name, value in constants.items():
            self.add("constants", name, value, f"as --{name} states")
        code = constants.get("jurisdiction", "").partition(";")[0]
        self.codes: tuple[str, ...] = (code,) if code else ()

    def add(self, table: str, key: str, value: str | bool, reason: str) -> None:  # noqa: FBT001 - a value
        """Add a line that is decided."""
        self.guesses.append(Guess(table, key, value, reason))

    def ask(self, table: str, key: str, value: str, reason: str) -> None:
        """Add a line that is left as a comment."""
        self.guesses.append(Guess(table, key, value, reason, is_decided=False))

    def take(self, column: ColumnFacts, target: str, reason: str, pattern: str = "") -> None:
        """Decide the meaning of a column, by a pattern if one is given."""
        empty = column.total - len(column.cells)
        if empty and target in _NAMING:
            reason += "; 1 row has none" if empty == 1 else f"; {empty} rows have none"
        table = "patterns" if pattern else "columns"
        self.add(table, column.header, pattern or target, reason)
        self.left.pop(column.header, None)
        for word in column.absent:
            self.add(f"values.{target}", word, "", "no value")

    def ask_about(self, columns: Iterable[ColumnFacts], target: str, reason: str) -> None:
        """Leave open which of several columns has a meaning; none is used until then."""
        for column in columns:
            shown = f"{reason} ({column.show()})"
            if self.left.pop(column.header, None):
                self.ask("columns", column.header, target, shown)
                self.ignore(column.header, f"may be {target}: see below; this line may stay")
            else:  # it has another meaning, too
                self.ask("templates", target, f"{{{column.header}}}", shown)

    def ignore(self, header: str, reason: str) -> None:
        """Leave a column out."""
        self.add("ignore", header, value=True, reason=reason)
        self.left.pop(header, None)

    def find_target(self, target: str) -> str | None:
        """Return the column that is decided to have a meaning, or None."""
        lines = (each for each in self.guesses if each.is_decided and each.table == "columns")
        return next((each.key for each in lines if each.value == target), None)

    def list_cells(self, header: str) -> list[str]:
        """List the cells of a column, row by row, without the blanks around them."""
        at = self.sample.headers.index(header)
        return [row[at].strip() for row in self.sample.rows]

    def list_given(self) -> set[str]:
        """List the parts of a record that decided lines give."""
        return {part for each in self.guesses if each.is_decided for part in each.parts}

    def list_parts(self) -> set[str]:
        """List the parts of a record that lines give or ask about."""
        return {part for each in self.guesses for part in each.parts}

    # --- the registered words of the jurisdictions ------------------------------------

    @property
    def laws(self) -> list[Law]:
        """Laws of the jurisdictions that it may be; all where these have no measures."""
        found = [law for law in map(self.registry.law, self.codes) if len(law.measures)]
        return found or [*map(self.registry.law, self.registry.jurisdictions())]

    def find_measure(self, text: str) -> list[Entry]:
        """Find the measure that a text is, in a list of one or none."""
        return [entry for law in self.laws for entry in law.measures.find(text)][:1]

    def read_cited_act(self, text: str, code: str) -> CitedAct:
        """Read the act that a text of a jurisdiction cites."""
        fields = {"jurisdiction": code, "language": self.language, "citation": text}
        return read_cited_act(fields, self.registry)

    @cached_property
    def connectives(self) -> frozenset[str]:
        """Small words of all languages; "del" is also an abbreviation of a type of act."""
        languages = self.registry.languages()
        return frozenset().union(*(self.registry.words(each).connectives for each in languages))

    def find_measures(self, text: str) -> dict[str, Entry]:
        """Find the words of a header or file name that are a measure, and the measure."""
        words = list_header_words(text)
        spans = combinations(range(len(words) + 1), 2)
        for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
            key = " ".join(words[start:end])
            singulars = (key, key.removesuffix("s"), key.removesuffix("es"))
            is_word = len(key) >= _SHORTEST_MEASURE and not key.isdecimal()
            is_word = is_word and key not in self.connectives
            found = {f: e for f in singulars if is_word for e in self.find_measure(f)}
            laws = self.laws if found and len(key) == _SHORTEST_MEASURE else ()
            texts = [make_key(each.texts[0]) for law in laws for each in law.measures.find(key)]
            if found and (key in texts or not any(each.startswith(key) for each in texts)):
                return found
        return {}


def write_mapping(proposal: Proposal) -> str:
    """Write a proposal as a mapping file; lines that are not decided are comments."""
    sample = proposal.sample
    rows = f"{len(sample.rows):,} rows read{'' if sample.is_whole else ' (the first ones)'}"
    table = f"{Path(sample.file).name}: {len(sample.headers)} columns, {rows}"
    lines = [
        f"# Proposed by lexurn map for {table}.",
        "# Check each line. A line that begins with # is not decided: choose, and remove the #.",
    ]
    tables: dict[str, list[Guess]] = {"": [], "ignore": [], "columns": []}
    for guess in proposal.guesses:
        tables.setdefault(guess.table, []).append(guess)
    for name in ("templates", "patterns", "constants"):
        tables[name] = tables.pop(name, [])
    for name, guesses in tables.items():
        if not guesses:
            continue
        is_list = name == "ignore"
        if name:
            lines += ["", "ignore = [" if is_list else f"[{name}]"]
        for guess in guesses:
            key, value = _quote(guess.key), json.dumps(guess.value)
            if isinstance(guess.value, str):
                is_raw = name == "patterns" and "'" not in guess.value
                is_raw = is_raw and guess.value.isprintable()
                value = f"'{guess.value}'" if is_raw else _quote(guess.value)
            bare = guess.key if _BARE.fullmatch(guess.key) else key
            entry = f"    {key}," if is_list else f"{bare} = {value}"
            # A comment is one line, without signs that it cannot hold.
            reason = " ".join(guess.reason.split())
            reason = "".join(each if each.isprintable() else "�" for each in reason)
            lines.append(f"{'' if guess.is_decided else '# '}{entry}  # {reason}")
        lines += ["]"] * is_list
    return "\n".join(lines) + "\n"


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
