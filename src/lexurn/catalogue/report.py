"""Report of a check: rules, findings on disk, and its formats.

A catalogue of millions of names may have millions of findings. A report is written piece by piece.
Text and HTML are for people, the gravest first. ``ontology/check.schema.json`` describes the JSON.
Locations in SARIF 2.1.0 are logical (the names): the faults are in the catalogue, not in a file.
The RDF is a ``sh:ValidationReport`` in Turtle.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final

from lexurn import data
from lexurn.catalogue.files import explain_scratch_faults, make_scratch_folder
from lexurn.catalogue.index import is_damage
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.files import read_rows
from lexurn.findings import SarifLog
from lexurn.shacl import (
    SHAPES,
    Severity,
    format_count,
    load_shapes_by_name,
    strip_brackets,
    write_turtle_term,
    write_turtle_text,
)
from lexurn.vocabulary import DCTERMS, RDFS, SH

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


_SHOWN_IN_TEXT: Final = 10


def write_text(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as text, line by line."""
    for rule, count in report.counts():
        basis = f" ({rule.basis})" if rule.basis else ""
        yield f"{rule.code}: {format_count(count, rule.severity)}: {rule.message}{basis}\n"
        for finding in report.findings(rule.code, most=_SHOWN_IN_TEXT):
            yield f"  {shorten_term(finding.focus)}\n"
            more = (*finding.others, finding.value, finding.detail)
            yield from (f"    {shorten_term(term)}\n" for term in more if term)
        if count > _SHOWN_IN_TEXT:
            yield f"  ... and {count - _SHOWN_IN_TEXT:,} more\n"
        if rule.advice:
            yield f"  remedy: {rule.advice}\n"
        yield "\n"
    yield from (f"note: {note}\n" for note in report.notes)
    nodes = "1 node" if report.checked == 1 else f"{report.checked:,} nodes"
    yield f"{nodes} checked: {format_verdict(report)}\n"


_SHOWN_IN_HTML: Final = 50
_KINDS: Final = {
    Severity.VIOLATION: "Violation",
    Severity.WARNING: "Warning",
    Severity.INFO: "Remark",
}


def write_html(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as an HTML page, piece by piece."""
    import jinja2  # noqa: PLC0415 - the other formats need none

    counts = report.counts()
    found = {rule.code for rule, _ in counts}
    page = {
        "location": report.location,
        "verdict": format_verdict(report),
        "checked": f"{report.checked:,}",
        "counts": [
            (_KINDS[each], *format_count(report.count(each), each).split(" ")) for each in Severity
        ],
        "notes": report.notes,
        "sections": [_make_section(report, rule, count) for rule, count in counts],
        "quiet": [rule.name for rule in report.rules.values() if rule.code not in found],
    }
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.find_folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("check.html").generate(page=page)


def _make_section(report: CatalogueReport, rule: CheckRule, count: int) -> dict[str, Any]:
    """Return a rule with the first of its findings, as the template shows them."""
    hidden = count - _SHOWN_IN_HTML
    findings = list(report.findings(rule.code, most=_SHOWN_IN_HTML))
    return {
        "code": rule.code,
        "name": rule.name,
        "kind": _KINDS[rule.severity],
        "count": format_count(count, rule.severity),
        "message": rule.message,
        "basis": rule.basis,
        "advice": rule.advice,
        "rows": [
            {
                "names": [_make_link(name) for name in (finding.focus, *finding.others)],
                "value": finding.value and _make_link(finding.value),
                "path": finding.path and shorten_term(finding.path),
                "detail": finding.detail,
            }
            for finding in findings
        ],
        "has_faults": any(found.value or found.path or found.detail for found in findings),
        "hidden": f"{hidden:,}" if hidden > 0 else "",
    }


def _make_link(term: str) -> dict[str, str | None]:
    """Return a node; only HTTP addresses are links, so that a click runs no script."""
    text = strip_brackets(term)
    is_link = text.lower().startswith(("http://", "https://"))
    return {"text": shorten_term(term), "href": text if is_link else None}


def write_json(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as JSON: its head with the rules, then a finding a line."""
    head = {
        "catalogue": report.location,
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "rules": [
            {
                "code": rule.code,
                "iri": rule.iri,
                "name": rule.name,
                "severity": rule.severity.value.lower(),
                "message": rule.message,
                "basis": rule.basis,
                "advice": rule.advice or None,
                "count": count,
            }
            for rule, count in report.counts()
        ],
    }
    yield f'{_dump_json(head)[:-1]}, "findings": ['
    comma = "\n"
    for finding in report.findings():
        row = {
            "rule": finding.rule,
            "focus": strip_brackets(finding.focus),
            "others": list(finding.others),
            "path": finding.path and strip_brackets(finding.path),
            "value": finding.value and strip_brackets(finding.value),
            "detail": finding.detail or None,
            "component": finding.component,
        }
        yield f"{comma}{_dump_json(row)}"
        comma = ",\n"
    yield "\n]}\n"


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_LEVELS: Final = {
    Severity.VIOLATION: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}


def write_sarif(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as SARIF, a result a line."""
    log = SarifLog()
    yield log.begin()
    for finding in report.findings():
        rule = report.rules[finding.rule]
        value = "" if finding.value is None else f" [{strip_brackets(finding.value)}]"
        detail = f" {finding.detail}" if finding.detail else ""
        others = [_make_location(each) for each in finding.others]
        yield log.add(
            rule.code,
            _LEVELS[rule.severity],
            f"{rule.message}{value}{detail}",
            locations=[_make_location(strip_brackets(finding.focus))],
            partialFingerprints={"lexurn/v1": compute_fingerprint(finding)},
            **({"relatedLocations": others} if others else {}),
        )

    def describe(code: str) -> dict[str, Any]:
        rule = report.rules[code]
        about = f"{rule.message} ({rule.basis})" if rule.basis else rule.message
        return {
            "name": rule.name,
            "shortDescription": {"text": rule.message},
            "fullDescription": {"text": about},
            "help": {"text": rule.advice or about},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            "properties": {"iri": rule.iri},
        }

    invocation: dict[str, Any] = {"executionSuccessful": True}
    if report.notes:
        notes = [{"level": "note", "message": {"text": note}} for note in report.notes]
        invocation["toolExecutionNotifications"] = notes
    about = {"catalogue": report.location, "checked": report.checked}
    yield log.finish(describe, invocations=[invocation], properties=about)


def _make_location(name: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "resource"}]}


def compute_fingerprint(finding: CheckFinding) -> str:
    """Return a digest by which a tool recognises a finding in the next run."""
    parts = (finding.rule, finding.focus, finding.path, finding.value, finding.component)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


_TURTLE_HEAD: Final = f"""\
@prefix dcterms: <{DCTERMS}> .
@prefix rdfs: <{RDFS}> .
@prefix sh: <{SH}> .

"""


def write_turtle(report: CatalogueReport) -> Iterator[str]:
    """Yield a report as Turtle, then the rules that are no shapes.

    ``sh:conforms`` is true only where there is no result at all, not even a warning (SHACL §3.6.1).
    """
    paths = {code: shape.path.turtle for code, shape in load_shapes_by_name().items() if shape.path}
    yield _TURTLE_HEAD
    yield f"[] a sh:ValidationReport ;\n  sh:conforms {'false' if report.count() else 'true'}"
    for note in report.notes:
        yield f" ;\n  rdfs:comment {write_turtle_text(note)}@en"
    for finding in report.findings():
        lines = " ;\n".join(
            f"    {each}" for each in _write_statements(finding, report.rules[finding.rule], paths)
        )
        yield f" ;\n  sh:result [\n{lines}\n  ]"
    yield " .\n"
    for rule, _ in report.counts():
        if rule.code not in load_shapes_by_name():
            statements = [
                f"\n<{rule.iri}> a sh:ConstraintComponent",
                f"  rdfs:label {write_turtle_text(rule.name)}@en",
                f"  rdfs:comment {write_turtle_text(f'{rule.message} {rule.advice}')}@en",
                f"  dcterms:source {write_turtle_text(rule.basis)}",
            ]
            yield " ;\n".join(statements) + " .\n"


def _write_statements(
    finding: CheckFinding, rule: CheckRule, paths: Mapping[str, str]
) -> Iterator[str]:
    is_shape = rule.code in load_shapes_by_name()
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{rule.severity.value}"
    yield f"sh:focusNode {write_turtle_term(finding.focus)}"
    path = paths.get(rule.code, finding.path)
    if path:
        yield f"sh:resultPath {path}"
    if finding.value is not None:
        yield f"sh:value {write_turtle_term(finding.value)}"
    detail = f" {finding.detail}" if finding.detail else ""
    yield f"sh:resultMessage {write_turtle_text(f'{rule.message}{detail}')}@en"
    if is_shape:
        yield f"sh:sourceShape <{rule.iri}>"
    yield f"sh:sourceConstraintComponent <{finding.component if is_shape else rule.iri}>"
    for each in finding.others:
        node = each.replace("|", "%7C")  # as nodes have it
        yield f"dcterms:relation {write_turtle_term(f'<{node}>')}"


class CheckFormat(StrEnum):
    """Format of a report: two for people, three for machines."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"
    SARIF = "sarif"
    TURTLE = "turtle"


_WRITERS: Final[Mapping[CheckFormat, Callable[[CatalogueReport], Iterator[str]]]] = {
    CheckFormat.TEXT: write_text,
    CheckFormat.HTML: write_html,
    CheckFormat.JSON: write_json,
    CheckFormat.SARIF: write_sarif,
    CheckFormat.TURTLE: write_turtle,
}


def write_check_report(report: CatalogueReport, target: IO[bytes], form: CheckFormat) -> None:
    """Write a report; the same findings give the same bytes.

    Text and HTML show the first findings of each rule, and the number of the others; JSON, SARIF
    and Turtle have all.

    Raises:
        CatalogueError: the findings cannot be read.
        OSError: the target cannot be written.
    """
    for piece in _WRITERS[form](report):
        # Lone surrogates, which no encoding can carry, become ``?``.
        target.write(piece.encode("utf-8", "replace"))
