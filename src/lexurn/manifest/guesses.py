"""Guesses about a table, each with its reason, and the mapping file that they make."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

MANY: Final = 0.8
"""Share of cells or rows that decides what a column or separator is; the rest may be slips."""


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
        missing: the parts of a name that no decided line gives.
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


def write_mapping(proposal: Proposal) -> str:
    """Write a proposal as a mapping file; lines that are not decided are comments."""
    sample = proposal.sample
    rows = f"{len(sample.rows):,} rows" + " (the first ones)" * (not sample.is_whole)
    table = f"{Path(sample.file).name}: {len(sample.headers)} columns, {rows}"
    lines = [
        f"# Proposed by lexurn map for {table}.",
        "# Check each line. A line that begins with # is not decided: choose, and take the # away.",
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
            has_lines = any(each.is_decided for each in guesses)
            opening = "ignore = [" if is_list else f"[{name}]"
            lines += ["", opening if has_lines or name == "constants" else f"# {opening}"]
        for guess in guesses:
            key = _quote(guess.key)
            value = _write_value(guess.value, is_pattern=name == "patterns")
            entry = f"    {key}," if is_list else f"{_write_key(guess.key)} = {value}"
            mark = "" if guess.is_decided else "# "
            lines.append(f"{mark}{entry}  # {_clean(guess.reason)}")
        lines += ["]"] * is_list
    return "\n".join(lines) + "\n"


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _write_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quote(key)


def _write_value(value: str | bool | int, *, is_pattern: bool) -> str:  # noqa: FBT001 - a value
    if not isinstance(value, str):
        return json.dumps(value)
    return (
        f"'{value}'" if is_pattern and "'" not in value and value.isprintable() else _quote(value)
    )


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _clean(text: str) -> str:
    """Write a reason in one line, without signs that a comment cannot hold."""
    line = " ".join(text.split())
    return "".join(each if each.isprintable() else "�" for each in line)
