"""Findings of a check: rules, findings, and the report that keeps them on disk.

A catalogue of millions may have millions of findings.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.catalogue.files import make_scratch_folder
from lexurn.catalogue.index import is_damage
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.shacl import SHAPES, Severity, load_shapes_by_name
from lexurn.vocabulary import SH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Any, Final, Self

    from lexurn.catalogue.index import IndexFile
    from lexurn.shacl import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """A rule that a check looks at: a shape, or one of those that no shape can have.

    Attributes:
        code: how it is called: ``License`` of a shape, else ``LX960`` to ``LX979``.
        name: a short name for people.
        severity: how much its findings weigh.
        message: what is wrong, a sentence.
        basis: the rule of the RFC behind it, for example ``RFC 9676 §9.3``.
        advice: what to do about it; empty where the message says it.
    """

    code: str
    name: str
    severity: Severity
    message: str
    basis: str
    advice: str = ""

    @property
    def iri(self) -> str:
        """Its IRI, that of the shape where it is one."""
        return f"{SHAPES}{self.code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """One thing that is wrong with one name, or with several together.

    Attributes:
        rule: the code of the rule.
        focus: the node, a term as N-Triples writes it.
        others: the other names concerned, plain, sorted; the first of them where there are many.
        path: the property or path at fault as SPARQL writes it, or None.
        value: the value at fault, a term as N-Triples writes it, or None.
        detail: what is wrong in this case, beside the rule's message; empty where nothing is.
        component: the IRI of the SHACL constraint component.
    """

    rule: str
    focus: str
    others: tuple[str, ...] = ()
    path: str | None = None
    value: str | None = None
    detail: str = ""
    component: str = f"{SH}SPARQLConstraintComponent"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCount:
    """A rule, and how many findings it has."""

    rule: CheckRule
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What is to be checked, and how.

    Attributes:
        jobs: how many processes work; None for one a core.
        sample: how many works are checked against the shapes; None for all. The other rules
            always look at all.
        only: codes of rules; if any are given, no others are looked at.
        skip: codes of rules that are not looked at.
        chunk: how many nodes are checked at a time; fewer need less memory and more time.
    """

    jobs: int | None = None
    sample: int | None = None
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    chunk: int = 6_000


def list_shape_rules() -> Mapping[str, CheckRule]:
    """The shapes as rules, by code.

    Raises:
        CheckError: there are no shapes.
    """
    return {
        code: CheckRule(
            code=code,
            name=shape.name,
            severity=shape.severity,
            message=shape.message,
            basis=shape.rule,
        )
        for code, shape in load_shapes_by_name().items()
    }


def select_rules(
    rules: Mapping[str, CheckRule], only: Iterable[str], skip: Iterable[str]
) -> Mapping[str, CheckRule]:
    """The rules that are asked for.

    Raises:
        CatalogueUsageError: a code that no rule has, or no rule is left.
    """
    wanted, unwanted = set(_find_codes(only, rules)), set(_find_codes(skip, rules))
    left = {
        code: rule
        for code, rule in rules.items()
        if (not wanted or code in wanted) and code not in unwanted
    }
    if not left:
        raise CatalogueUsageError(
            "nothing is left to check: all rules that are asked for are to be left out, too"
        )
    return left


def _find_codes(codes: Iterable[str], rules: Mapping[str, CheckRule]) -> Iterator[str]:
    """The codes as the rules have them, whatever their case and prefix."""
    by_key = {code.lower(): code for code in rules}
    for given in codes:
        key = given.rpartition(":")[2].rpartition("#")[2].lower()
        if key not in by_key:
            close = get_close_matches(key, by_key, n=3)
            hint = f"did you mean {' or '.join(by_key[each] for each in close)}?" if close else ""
            raise CatalogueUsageError(
                f"there is no rule {given!r}; {hint or 'lexurn catalogue check --list shows them'}"
            )
        yield by_key[key]


def convert_result(result: Result) -> CheckFinding:
    """A result of a shape as a finding."""
    return CheckFinding(
        rule=result.shape.removeprefix(SHAPES),
        focus=result.focus,
        path=result.path,
        value=result.value,
        component=result.component,
    )


_COLUMNS: Final = "rule, focus, others, path, value, detail, component"
_BATCH: Final = 2_000
_SETTINGS: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -32768",  # KiB
    "PRAGMA temp_store = FILE",
)


class CheckSpool:
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
        self.folder = self._beneath.enter_context(make_scratch_folder("lexurn-check-"))
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
            raise CatalogueError(index.explain(str(fault))) from None

    def keep(self, findings: Iterable[CheckFinding], rules: Mapping[str, CheckRule]) -> None:
        """Add findings of rules that are looked at; the others are none."""
        rows = (_make_row(each, rules[each.rule]) for each in findings if each.rule in rules)
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
                raise CatalogueError(self._beside.explain(str(fault))) from None
            raise CatalogueError(
                f"what the check finds cannot be kept in {self.folder}: {fault}; free space "
                "there, or name another folder by TMPDIR"
            ) from None


def _make_row(finding: CheckFinding, rule: CheckRule) -> tuple[Any, ...]:
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


def _make_finding(row: tuple[Any, ...]) -> CheckFinding:
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
        spool: CheckSpool,
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
        return map(_make_finding, self._spool.rows(query, *values))


_LONGEST_TERM: Final = 240
_NOUNS: Final = {
    Severity.VIOLATION: ("violation", "violations"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("remark", "remarks"),
}


def strip_brackets(term: str) -> str:
    """An IRI (but not a path of several) without its angle brackets; any other term as it is."""
    return term[1:-1] if term.startswith("<") and ">" not in term[:-1] else term


def shorten_term(term: str) -> str:
    """A term of a length that people read."""
    text = strip_brackets(term)
    return text if len(text) <= _LONGEST_TERM else f"{text[:_LONGEST_TERM]}..."


def format_count(number: int, severity: Severity) -> str:
    """A number of findings of one severity, with its noun."""
    return f"{number:,} {_NOUNS[severity][number != 1]}"


def format_verdict(report: CatalogueReport) -> str:
    """How much of what was found, in a few words."""
    found = [
        format_count(number, severity)
        for severity in Severity
        if (number := report.count(severity))
    ]
    return ", ".join(found) or ("nothing to check" if report.is_void else "nothing is wrong")
