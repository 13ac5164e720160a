"""Table of situations (``cases/situations.toml``): what stands in rows, and what follows."""

from __future__ import annotations

import csv
import io
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PATH = Path(__file__).parents[1] / "cases" / "situations.toml"
AS_OF = "2024-07-01"
BASE = "https://law.example"
_ACT = "urn:lex:it:stato:legge:2003-09-21;#"
_ALIASES = {
    "alias2": "urn:lex:it:stato:norma:2003-09-21;#",
    "alias": "urn:lex:it:stato:testo.unico:2003-09-21;#",
}


@dataclass(frozen=True)
class Version:
    """Line of the table about a version.

    Attributes:
        names: its names, the canonical one first.
        work: the work that it is a version of.
        language: its tag, empty without one.
        place: its place in the chain, from 1; 0 where it is withdrawn.
        is_original: whether the chain starts with it as the original.
        start, until: the days of its span, and their basis; each may be None.
        has_span: whether it has one.
        is_current: whether it is in force, or the latest known.
        force: ``in``, ``partly``, ``not``, or None where it is not known.
        sentence: the sentence of its page, None without one.
    """

    names: tuple[str, ...]
    work: str
    language: str
    place: int
    is_original: bool
    start: tuple[str, str] | None
    until: tuple[str, str] | None
    has_span: bool
    is_current: bool
    force: str | None
    sentence: str | None

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True)
class Situation:
    """Situation: one act with all its rows, and what is expected of it."""

    number: int
    case: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.case["id"])

    @property
    def act(self) -> str:
        return self.expand("act")

    def expand(self, label: str) -> str:
        """Return the name for a label: ``act``, ``@original:it``, ``alias:allegato.a``."""
        for short, usual in _ALIASES.items():
            if label.startswith(short):
                name = self.case.get(short, usual)
                return str(name).replace("#", str(self.number)) + label.removeprefix(short)
        act = str(self.case.get("name", _ACT)).replace("#", str(self.number))
        return act + label.removeprefix("act")

    def rows(self) -> Iterator[dict[str, str]]:
        """Yield the rows of the manifest."""
        for line in self.case["rows"]:
            label, *columns = line.split()
            row = {"urn": self.expand(label), **dict(each.split("=", 1) for each in columns)}
            if "alias_of" in row:
                row["alias_of"] = self.expand(row["alias_of"])
            yield row

    def find_canonical(self, work: str) -> str:
        """Find the row of the act or annex that a work is an alias of; else return the work."""
        names = [row["urn"] for row in self.rows()]
        targets = (work.replace(self.expand(short), self.act) for short in _ALIASES)
        return next((each for each in targets if each != work and each in names), work)

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        return tuple(self._read_version(line) for line in self.case.get("versions", ()))

    def _read_version(self, line: str) -> Version:
        label, place, span, current, force, sentence = line.split(" | ")
        names = [parse(self.expand(each)) for each in label.split(" = ")]
        expression = names[0].expression
        assert expression is not None
        start, _, until = span.partition(" to ")
        return Version(
            names=tuple(map(str, names)),
            work=self.find_canonical(str(names[0].work_name)),
            language=expression.language or "",
            place=0 if place == "-" else int(place.split("/", 1)[0]),
            is_original=place.endswith(" original"),
            start=_read_end(start),
            until=_read_end(until),
            has_span=bool(until),
            is_current=current == "current",
            force=None if force == "-" else force,
            sentence=None if sentence == "-" else sentence,
        )

    @cached_property
    def chains(self) -> dict[tuple[str, str], list[Version]]:
        """Chains by work and language, each in its order."""
        chains: dict[tuple[str, str], list[Version]] = {}
        for version in self.versions:
            if version.place:
                chains.setdefault((version.work, version.language), []).append(version)
        for chain in chains.values():
            assert [each.place for each in chain] == list(range(1, len(chain) + 1)), self.id
        return dict(sorted(chains.items()))

    def forces(self) -> dict[str, str | None]:
        """Return the state of force of the act and of its annexes."""
        lines = [f"act | {self.case['force']}", *self.case.get("annexes", ())]
        pairs = (line.split(" | ") for line in lines)
        return {self.expand(label): None if force == "-" else force for label, force in pairs}


def _read_end(text: str) -> tuple[str, str] | None:
    day, _, basis = text.partition(" ")
    return (day, basis) if basis else None


def load_situations() -> tuple[Situation, ...]:
    """Load the table."""
    cases = tomllib.loads(_PATH.read_text("utf-8"))["situation"]
    return tuple(Situation(number, case) for number, case in enumerate(cases, 1))


def write_manifest(situations: Iterable[Situation]) -> str:
    """Write the rows of situations as one CSV table."""
    rows = [row for each in situations for row in each.rows()]
    columns = dict.fromkeys(column for row in rows for column in row)
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
