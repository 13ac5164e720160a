"""What a check finds, kept on disk: a catalogue of millions may have millions of findings."""

from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

from lexurn.catalogue._check_values import CheckFinding, RuleCount
from lexurn.catalogue._index_file import is_damage
from lexurn.catalogue._scratch import scratch_folder
from lexurn.errors import CatalogueError
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

    from lexurn.catalogue._check_values import CheckRule
    from lexurn.catalogue._index_file import IndexFile

__all__ = ["CatalogueReport", "Spool"]

_COLUMNS: Final = "rule, focus, others, path, value, detail, component"
_BATCH: Final = 2_000
_SETTINGS: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -32768",  # KiB
    "PRAGMA temp_store = FILE",
)


class Spool:
    """A database of one run, gone with it: findings, and the tables that rules work with.

    Attributes:
        database: the database.
        folder: where it lies; files beside it are gone with it.
    """

    def __init__(self) -> None:
        """Make an empty one where temporary files lie.

        Raises:
            CatalogueError: it cannot be written there.
        """
        self._beneath = ExitStack()
        self.folder = self._beneath.enter_context(scratch_folder("lexurn-check-"))
        path = self.folder / "check.sqlite"
        self._beside: IndexFile | None = None
        self.database = sqlite3.connect(
            path.as_uri(), uri=True, isolation_level=None, check_same_thread=False
        )
        with self.faults():
            for setting in _SETTINGS:
                self.database.execute(setting)
            self.database.execute(f"CREATE TABLE found (rank INTEGER, {_COLUMNS})")

    def close(self) -> None:
        """Let go of it, with all that is in it."""
        self.database.close()
        self._beneath.close()

    def attach(self, name: str, index: IndexFile) -> None:
        """Let queries look into an index too.

        Raises:
            CatalogueError: it cannot be read.
        """
        self._beside = index
        try:
            self.database.execute(f"ATTACH DATABASE ? AS {name}", (index.uri(),))
        except sqlite3.Error as fault:
            raise CatalogueError(index.explained(str(fault))) from None

    def keep(self, findings: Iterable[CheckFinding], rules: Mapping[str, CheckRule]) -> None:
        """Add findings of rules that are looked at; the others are none."""
        rows = (_row(each, rules[each.rule]) for each in findings if each.rule in rules)
        self.fill("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def fill(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Do a statement for many rows, some at a time."""
        waiting = iter(rows)
        while some := list(islice(waiting, _BATCH)):
            with self.faults():
                self.database.execute("BEGIN")
                self.database.executemany(statement, some)
                self.database.execute("COMMIT")

    def rows(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of an SQL query, read on while they are used."""
        with self.faults():
            cursor = self.database.execute(statement, values)
        while True:
            with self.faults():
                found = cursor.fetchmany(_BATCH)
            yield from found
            if len(found) < _BATCH:
                return

    def settle(self) -> None:
        """Put the findings in their order, none twice."""
        with self.faults():
            self.database.execute(
                f"CREATE TABLE finding AS SELECT DISTINCT rank, {_COLUMNS} FROM found "  # noqa: S608 - our columns
                "ORDER BY rank, rule, focus, path, value, detail, others, component"
            )
            self.database.execute("CREATE INDEX by_rule ON finding (rule)")
            self.database.execute("DROP TABLE found")

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Faults of SQLite in words.

        Raises:
            CatalogueError: in place of them.
        """
        try:
            yield
        except sqlite3.Error as fault:
            # What was made a moment ago is not damaged: it is what lies beside it.
            if self._beside is not None and is_damage(str(fault)):
                raise CatalogueError(self._beside.explained(str(fault))) from None
            raise CatalogueError(
                f"what the check finds cannot be kept in {self.folder}: {fault}; free space "
                "there, or name another folder by TMPDIR"
            ) from None


def _row(finding: CheckFinding, rule: CheckRule) -> tuple[Any, ...]:
    return (
        rule.severity.rank,
        finding.rule,
        finding.focus,
        json.dumps(finding.others, ensure_ascii=False) if finding.others else "",
        finding.path or "",
        finding.value or "",
        finding.detail,
        finding.component,
    )


def _finding(row: tuple[Any, ...]) -> CheckFinding:
    rule, focus, others, path, value, detail, component = row
    return CheckFinding(
        rule=rule,
        focus=focus,
        others=tuple(json.loads(others)) if others else (),
        path=path or None,
        value=value or None,
        detail=detail,
        component=component,
    )


class CatalogueReport:
    """All that a check of a catalogue found; a context manager, since it lies on disk.

    Attributes:
        place: the catalogue.
        rules: the rules that were looked at, by code.
        checked: how many nodes of a class of lexurn were checked against the shapes.
        notes: what to know besides.
        is_void: whether the shapes were looked at, but found nothing to check.
    """

    def __init__(
        self,
        spool: Spool,
        *,
        place: str,
        rules: Mapping[str, CheckRule],
        checked: int,
        notes: tuple[str, ...],
        is_void: bool,
    ) -> None:
        """Take over what was found; the spool is settled."""
        self.place, self.rules, self.checked, self.notes = place, rules, checked, notes
        self.is_void = is_void
        self._spool = spool
        counted = spool.rows("SELECT rule, COUNT(*) FROM finding GROUP BY rule")
        self._counts: dict[str, int] = dict(counted)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what was found."""
        self._spool.close()

    @property
    def conforms(self) -> bool:
        """Whether no finding is a violation."""
        return self.count(Severity.VIOLATION) == 0

    def count(self, severity: Severity | None = None) -> int:
        """How many findings there are, of one severity or of all."""
        return sum(each.count for each in self.counts() if severity in {None, each.rule.severity})

    def counts(self) -> tuple[RuleCount, ...]:
        """The rules that have findings: the heaviest first, then those with most findings."""
        counted = [
            RuleCount(rule=self.rules[code], count=count) for code, count in self._counts.items()
        ]
        counted.sort(key=lambda each: (each.rule.severity.rank, -each.count, each.rule.code))
        return tuple(counted)

    def findings(self, rule: str | None = None, *, most: int = -1) -> Iterator[CheckFinding]:
        """The findings: the heaviest first, then by rule and node.

        Args:
            rule: the code of a rule, for its findings only.
            most: how many are enough; all where it is negative.
        """
        where = "" if rule is None else "WHERE rule = ? "
        query = f"SELECT {_COLUMNS} FROM finding {where}ORDER BY rowid LIMIT ?"  # noqa: S608 - ours
        values = (most,) if rule is None else (rule, most)
        return map(_finding, self._spool.rows(query, *values))
