"""Findings of a check: rules, findings, and the report that keeps them on disk.

A catalogue of millions of names may have millions of findings.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lexurn import data
from lexurn.catalogue.files import explain_scratch_faults, make_scratch_folder
from lexurn.catalogue.index import is_damage
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.files import read_rows
from lexurn.shacl import SHAPES, Severity, format_count, load_shapes_by_name, strip_brackets
from lexurn.vocabulary import SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.catalogue.index import IndexFile
    from lexurn.shacl import Result

    ProgressCallback = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """Rule of a check: a shape, or a rule that no shape can have.

    Attributes:
        code: the name of a shape, for example ``License``; else ``LX960`` to ``LX979``.
        name: a short name for people.
        severity: the severity of its findings.
        message: the fault, a sentence.
        basis: the rule of the RFC behind it, for example ``RFC 9676 §9.3``.
        advice: the remedy; empty where the message names it.
    """

    code: str
    name: str
    severity: Severity
    message: str
    basis: str
    advice: str = ""

    @property
    def iri(self) -> str:
        """IRI of the rule; for a shape that of the shape."""
        return f"{SHAPES}{self.code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """Fault in one name, or in several together.

    Attributes:
        rule: the code of the rule.
        focus: the node, a term as N-Triples writes it.
        others: the other names concerned, plain, sorted; only the first ones of many.
        path: the property or path at fault as SPARQL writes it, or None.
        value: the value at fault, a term as N-Triples writes it, or None.
        detail: particulars that the rule's message does not have; may be empty.
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
class CheckOptions:
    """Options of a check.

    Attributes:
        jobs: the number of processes; None for one a core.
        sample: the number of works to check against the shapes; None for all. The other rules
            always look at all works.
        only: codes of rules; if any are given, only these are applied.
        skip: codes of rules that are not applied.
        chunk: the number of nodes to check at a time; fewer need less memory and more time.
    """

    jobs: int | None = None
    sample: int | None = None
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    chunk: int = 6_000


def list_shape_rules() -> Mapping[str, CheckRule]:
    """Return the shapes as rules, by code.

    Raises:
        CheckError: there are no shapes.
    """
    return {
        code: CheckRule(
            code=code, name=s.name, severity=s.severity, message=s.message, basis=s.rule
        )
        for code, s in load_shapes_by_name().items()
    }


@cache
def list_collision_rules() -> Mapping[str, CheckRule]:
    """Return the rules that no shape can have, by code."""
    codes = json.loads(data.read_text("ontology/findings.json"))
    return {
        code: CheckRule(
            code=code,
            name=row["name"],
            severity=Severity.INFO if row["severity"] == "note" else Severity.WARNING,
            message=row["message"],
            basis=row["rule"],
            advice=row["advice"],
        )
        for code, row in codes.items()
        if "advice" in row
    }


def select_rules(
    rules: Mapping[str, CheckRule], only: Iterable[str], skip: Iterable[str]
) -> Mapping[str, CheckRule]:
    """Return the rules to apply.

    Raises:
        CatalogueUsageError: no rule has one of the codes, or no rule is left.
    """
    wanted, unwanted = set(_find_codes(only, rules)), set(_find_codes(skip, rules))
    left = (wanted or rules.keys()) - unwanted
    if not left:
        raise CatalogueUsageError("nothing is left to check: --skip names all rules of --only")
    return {code: rule for code, rule in rules.items() if code in left}


def _find_codes(codes: Iterable[str], rules: Mapping[str, CheckRule]) -> Iterator[str]:
    """Yield the codes as the rules have them, whatever their case and prefix."""
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
    """Convert a result of a shape to a finding."""
    return CheckFinding(
        rule=result.shape.removeprefix(SHAPES),
        focus=result.focus,
        path=result.path,
        value=result.value,
        component=result.component,
    )


_BATCH: Final = 2_000
_SETTINGS: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -32768",  # KiB
    "PRAGMA temp_store = FILE",
)


class CheckSpool:
    """Database of one run on disk: findings, and working tables of rules.

    Attributes:
        folder: the folder of temporary files.
        database: the database.
    """

    def __init__(self) -> None:
        """Make an empty database in the folder for temporary files.

        Raises:
            CatalogueError: it cannot be written there.
        """
        self._cleanup = ExitStack()
        self.folder = self._cleanup.enter_context(make_scratch_folder("lexurn-check-"))
        self._index: IndexFile | None = None
        self.database = sqlite3.connect(
            (self.folder / "check.sqlite").as_uri(),
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        self.execute(*_SETTINGS)
        self.execute(
            "CREATE TABLE found (rank INTEGER, rule, focus, others, path, value, detail, component)"
        )

    def close(self) -> None:
        """Delete the database."""
        self.database.close()
        self._cleanup.close()

    def attach(self, name: str, index: IndexFile) -> None:
        """Attach an index, so that queries can read it too.

        Raises:
            CatalogueError: it cannot be read.
        """
        self._index = index
        try:
            self.database.execute(f"ATTACH DATABASE ? AS {name}", (index.uri(),))
        except sqlite3.Error as fault:
            raise CatalogueError(index.explain(str(fault))) from None

    def keep(self, findings: Iterable[CheckFinding], rules: Mapping[str, CheckRule]) -> None:
        """Add findings, except those of rules that are not applied."""
        rows = (
            (
                rules[each.rule].severity.rank,
                each.rule,
                each.focus,
                json.dumps(each.others, ensure_ascii=False) if each.others else "",
                each.path or "",
                each.value or "",
                each.detail,
                each.component,
            )
            for each in findings
            if each.rule in rules
        )
        self.fill("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def fill(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Execute a statement for many rows, some at a time."""
        waiting = iter(rows)
        while some := list(islice(waiting, _BATCH)):
            with self._explain_faults():
                self.database.execute("BEGIN")
                self.database.executemany(statement, some)
                self.database.execute("COMMIT")

    def execute(self, *statements: str) -> None:
        """Execute statements without rows."""
        with self._explain_faults():
            for statement in statements:
                self.database.execute(statement)

    def rows(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an SQL query, read while they are used."""
        return read_rows(self.database, statement, values, self._explain_faults)

    def settle(self) -> None:
        """Sort the findings, each once."""
        self.execute(
            "CREATE TABLE finding AS SELECT DISTINCT * FROM found "
            "ORDER BY rank, rule, focus, path, value, detail, others, component",
            "CREATE INDEX by_rule ON finding (rule)",
            "DROP TABLE found",
        )

    @contextmanager
    def _explain_faults(self) -> Iterator[None]:
        """Raise faults of SQLite as errors that name the remedy.

        Raises:
            CatalogueError: in place of them.
        """
        with explain_scratch_faults():
            try:
                yield
            except sqlite3.Error as fault:
                # This database is new, so only the index beside it can be damaged.
                if self._index is not None and is_damage(str(fault)):
                    raise CatalogueError(self._index.explain(str(fault))) from None
                raise


class CatalogueReport(AbstractContextManager["CatalogueReport"]):
    """Report of a check; a context manager, as it lies on disk.

    Attributes:
        location: the catalogue.
        rules: the rules that were applied, by code.
        checked: the number of nodes with a class of lexurn that were checked against the shapes.
        notes: remarks on the whole check.
        is_void: True if shapes were applied, but found nothing to check.
    """

    def __init__(
        self,
        spool: CheckSpool,
        *,
        location: str,
        rules: Mapping[str, CheckRule],
        checked: int,
        notes: tuple[str, ...],
        is_void: bool,
    ) -> None:
        """Take over a settled spool."""
        self.location, self.rules, self.checked, self.notes = location, rules, checked, notes
        self.is_void = is_void
        self._spool = spool
        counted = spool.rows("SELECT rule, COUNT(*) FROM finding GROUP BY rule")
        self._counts: dict[str, int] = dict(counted)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the findings."""
        self._spool.close()

    @property
    def conforms(self) -> bool:
        """True if no finding is a violation."""
        return self.count(Severity.VIOLATION) == 0

    def count(self, severity: Severity | None = None) -> int:
        """Count the findings of one severity, or of all."""
        return sum(count for rule, count in self.counts() if severity in {None, rule.severity})

    def counts(self) -> list[tuple[CheckRule, int]]:
        """Return each rule with findings, and their number: the gravest first, then the most."""
        counted = ((self.rules[code], count) for code, count in self._counts.items())
        return sorted(counted, key=lambda each: (each[0].severity.rank, -each[1], each[0].code))

    def findings(self, rule: str | None = None, *, most: int = -1) -> Iterator[CheckFinding]:
        """Yield the findings: the gravest first, then by rule and node.

        Args:
            rule: the code of a rule, for its findings only.
            most: the largest number of findings; negative for all.
        """
        rows = self._spool.rows
        if rule is None:
            found = rows("SELECT * FROM finding ORDER BY rowid LIMIT ?", most)
        else:
            found = rows("SELECT * FROM finding WHERE rule = ? ORDER BY rowid LIMIT ?", rule, most)
        for _, code, focus, others, path, value, detail, component in found:
            yield CheckFinding(
                rule=code,
                focus=focus,
                others=tuple(json.loads(others)) if others else (),
                path=path or None,
                value=value or None,
                detail=detail,
                component=component,
            )


_LONGEST_TERM: Final = 240


def shorten_term(term: str) -> str:
    """Return a term, cut to a length that people read."""
    text = strip_brackets(term)
    return text if len(text) <= _LONGEST_TERM else f"{text[:_LONGEST_TERM]}..."


def format_verdict(report: CatalogueReport) -> str:
    """Write the numbers of findings in a few words."""
    found = [
        format_count(number, severity)
        for severity in Severity
        if (number := report.count(severity))
    ]
    return ", ".join(found) or ("nothing to check" if report.is_void else "nothing is wrong")
