"""Names and reports: any text gives a report, a valid one a name (RFC 9676 section 8).

A `Name` is compared, hashed and written by its canonical text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, total_ordering
from typing import TYPE_CHECKING, Any, Literal, Never, TypedDict, Unpack

from lexurn.errors import LexurnError
from lexurn.findings import Finding, Severity, make_finding
from lexurn.name import parser
from lexurn.name.grammar import NO_COMPONENTS, compile_plain, has_outline, split_name
from lexurn.name.parser import LONGEST_NAME, ParsedText, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.name.characters import Fault
    from lexurn.name.grammar import Components
    from lexurn.name.values import (
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        NameValues,
        Parts,
        WorkIdentifier,
    )

# ``urn``, ``lex``, jurisdiction, authority, measure and details.
_ACT_PARTS = 6


class Level(StrEnum):
    """FRBR level of a name (RFC 9676 section 5.2)."""

    WORK = "work"
    EXPRESSION = "expression"
    MANIFESTATION = "manifestation"


class NameParts(TypedDict, total=False):
    """Parts that `replace_parts` takes."""

    jurisdiction: Jurisdiction
    work: WorkIdentifier
    expression: ExpressionIdentifier | None
    manifestation: ManifestationIdentifier | None
    partition: str | None


class _Draft:
    """Name under construction; it becomes an immutable `Name` when it is complete."""

    __slots__ = (
        "_canonical",
        "_expression",
        "_jurisdiction",
        "_manifestation",
        "_work",
        "components",
        "text",
    )

    components: Components
    text: str
    _canonical: str
    _jurisdiction: Jurisdiction
    _work: WorkIdentifier
    _expression: ExpressionIdentifier | None
    _manifestation: ManifestationIdentifier | None


@total_ordering
class Name(_Draft):
    """Uniform name of the LEX namespace (RFC 9676), immutable.

    Names are equal if their canonical texts are equal (RFC 9676 section 3.3, RFC 8141 section 3);
    components do not count. `parse`, `check` and `Name.of` make names. The canonical text is taken
    apart when a part is first asked for.

    Attributes:
        components: r-, q- and f-component (RFC 8141 section 2.3).
        text: the text as given.
    """

    __slots__ = ()

    @property
    def jurisdiction(self) -> Jurisdiction:
        """Jurisdiction of the act (section 2.1)."""
        if self._work is None:
            self._split()
        return self._jurisdiction

    @property
    def work(self) -> WorkIdentifier:
        """Authority, measure, details and annexes (section 5.4)."""
        if self._work is None:
            self._split()
        return self._work

    @property
    def expression(self) -> ExpressionIdentifier | None:
        """Version and language (section 5.6)."""
        if self._work is None:
            self._split()
        return self._expression

    @property
    def manifestation(self) -> ManifestationIdentifier | None:
        """Editor, format, component and feature (section 5.7)."""
        if self._work is None:
            self._split()
        return self._manifestation

    @property
    def partition(self) -> str | None:
        """Id of a part of the document (section 5.8)."""
        return self._canonical.partition("~")[2] or None

    @classmethod
    def of(
        cls,
        *,
        jurisdiction: Jurisdiction,
        work: WorkIdentifier,
        expression: ExpressionIdentifier | None = None,
        manifestation: ManifestationIdentifier | None = None,
        partition: str | None = None,
    ) -> Name:
        """Make a name from its parts.

        Raises:
            NameSyntaxError: a part is not valid.
        """
        pieces = [
            ("jurisdiction", str(jurisdiction)),
            ("authority", str(work.authority)),
            ("measure", str(work.measure)),
            ("details", str(work.details)),
            *(("annexes", str(annex)) for annex in work.annexes),
        ]
        if expression is not None:
            pieces.append(("expression", str(expression)))
        if manifestation is not None:
            pieces.append(("manifestation", str(manifestation)))
        if partition is not None:
            pieces.append(("partition", partition))
        text, parsed = parser.parse_pieces(parser.Pieces(pieces))
        if not parsed.list_errors(Reading.TEXT):
            return make_name(parsed.canonical, text)
        raise NameSyntaxError(
            Report(
                text=text,
                reading=Reading.TEXT,
                name=None,
                parts=parsed.make_parts(),
                findings=_make_findings(parsed, Reading.TEXT),
            )
        )

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a name is immutable; use replace_parts() to change its {name}")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a name is immutable; its {name} cannot be deleted")

    def __str__(self) -> str:
        return self._canonical

    def __repr__(self) -> str:
        return f"<Name {self._canonical}>"

    def __eq__(self, other: object) -> bool:
        return self._canonical == other._canonical if isinstance(other, Name) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._canonical < other._canonical if isinstance(other, Name) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._canonical)

    def __reduce__(self) -> tuple[Any, ...]:
        return make_name, (self._canonical, self.text, self.components)

    def __replace__(self, **parts: Unpack[NameParts]) -> Name:
        return replace_parts(self, **parts)

    @property
    def iri(self) -> str:
        """Canonical text as an IRI: ``|``, which RFC 3986 does not allow, is written ``%7C``."""
        return self._canonical.replace("|", "%7C")

    @property
    def level(self) -> Level:
        """FRBR level of the name (RFC 9676 section 5.2)."""
        document = self._canonical.partition("~")[0]
        if "$" in document:
            return Level.MANIFESTATION
        return Level.EXPRESSION if "@" in document else Level.WORK

    @property
    def is_act(self) -> bool:
        """True for the name of an act: a work, not an annex nor a partition (section 6.4)."""
        return self._cut("~$@") == self._canonical and self._canonical.count(":") < _ACT_PARTS

    @property
    def document(self) -> Name:
        """Name without its partition and components (RFC 9676 section 5.8)."""
        document = self._cut("~")
        return self if self.text == document else make_name(document, document)

    @property
    def work_name(self) -> Name:
        """Name of the work: the act, or its annex."""
        text = self._cut("~$@")
        return make_name(text, text)

    @property
    def act_name(self) -> Name:
        """Name of the act, without annexes (RFC 9676 section 6.4)."""
        text = self._cut("~$@")
        if text.count(":") >= _ACT_PARTS:
            text = ":".join(text.split(":", _ACT_PARTS)[:_ACT_PARTS])
        return make_name(text, text)

    @property
    def expression_name(self) -> Name | None:
        """Name of the expression, None for a name without one."""
        text = self._cut("~$")
        return make_name(text, text) if "@" in text else None

    @property
    def parent(self) -> Name | None:
        """Name one step up, None for an act.

        The parent of a partition is the next shorter one, then its document. That of a
        manifestation is its expression, else the work. That of an expression is the work, and that
        of an annex is the annex or act above it.
        """
        document, tilde, partition = self._canonical.partition("~")
        shorter = partition.rpartition(";")[0]
        if shorter:
            text = f"{document}~{shorter}"
        elif tilde:
            text = document
        elif "$" in document:
            text = self._cut("$")
        elif "@" in document:
            text = self._cut("@")
        elif document.count(":") >= _ACT_PARTS:
            text = document.rpartition(":")[0]
        else:
            return None
        return make_name(text, text)

    def ancestors(self) -> tuple[Name, ...]:
        """List all names above this one, the nearest first."""
        above: list[Name] = []
        name = self.parent
        while name is not None:
            above.append(name)
            name = name.parent
        return tuple(above)

    def _split(self) -> None:
        """Take the canonical text apart."""
        jurisdiction, work, expression, manifestation = _load_splitter()(self._canonical)
        _set_jurisdiction(self, jurisdiction)
        _set_expression(self, expression)
        _set_manifestation(self, manifestation)
        _set_work(self, work)  # the last, as it shows that all are set

    def _cut(self, marks: str) -> str:
        """Return the canonical text before marks; no part holds the mark of the next one."""
        text = self._canonical
        for mark in marks:
            if mark in text:
                text = text.partition(mark)[0]
        return text


_set_jurisdiction, _set_work, _set_expression, _set_manifestation = (
    _Draft.__dict__[f"_{part}"].__set__
    for part in ("jurisdiction", "work", "expression", "manifestation")
)


@cache
def _load_splitter() -> Callable[[str], NameValues]:
    """Load the classes of the parts, which takes as long as all else here."""
    from lexurn.name.values import split_parts  # noqa: PLC0415 - few names are taken apart

    return split_parts


def make_name(canonical: str, text: str, components: Components = NO_COMPONENTS) -> Name:
    """Make a name of its canonical text, which is not checked."""
    draft: Any = _Draft()
    draft.components = components
    draft.text = text
    draft._work = None  # noqa: SLF001 - defined here
    draft._canonical = canonical  # noqa: SLF001 - as above
    # To change the class at the end is several times faster than to bypass `Name.__setattr__`.
    draft.__class__ = Name
    name: Name = draft
    return name


def replace_parts(name: Name, **parts: Unpack[NameParts]) -> Name:
    """Return the name with some of its parts replaced.

    Raises:
        NameSyntaxError: a part is not valid.
    """
    return Name.of(
        jurisdiction=parts.get("jurisdiction", name.jurisdiction),
        work=parts.get("work", name.work),
        expression=parts.get("expression", name.expression),
        manifestation=parts.get("manifestation", name.manifestation),
        partition=parts.get("partition", name.partition),
    )


class _Checked:
    """Report of `check`, which keeps what was read; None where nothing had to be read for it."""

    __slots__ = ("_parsed",)

    _parsed: ParsedText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(_Checked):
    """Result of checking one text: its name if it is valid, its readable parts, the findings.

    In a report of `check`, parts and findings are made when they are first asked for.

    Attributes:
        text: the text as given.
        reading: the reading by which it was checked.
        name: the name, or None if a finding is an error.
        parts: the readable parts, also of an invalid text.
        findings: the findings in the order of their positions.
    """

    text: str
    reading: Reading
    name: Name | None
    parts: Parts
    findings: tuple[Finding, ...] = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the parts or the findings; called for a slot that is empty."""
            if name == "findings":
                value = self._make_findings()
            elif name != "parts":
                raise AttributeError(f"a report has no attribute {name!r}")
            elif self.name is None:
                value = (self._parsed or parser.parse_unclean(self.text)).make_parts()
            else:
                from lexurn.name.values import make_parts  # noqa: PLC0415 - for few names

                value = make_parts(split_name(str(self.name)), self.name.components)
            object.__setattr__(self, name, value)
            return value

    def _make_findings(self) -> tuple[Finding, ...]:
        parsed = self._parsed or parser.parse_unclean(self.text)
        suggest = None
        if parsed.faults and len(self.text) <= LONGEST_NAME:
            suggest = parser.suggest_repairs(self.text, parsed, self.reading)
        return _make_findings(parsed, self.reading, suggest)

    @property
    def valid(self) -> bool:
        """True if no finding is an error."""
        return self.name is not None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that make the text invalid."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR)

    def unwrap(self) -> Name:
        """Return the name.

        Raises:
            NameSyntaxError: the text is invalid.
        """
        if self.name is None:
            raise NameSyntaxError(self)
        return self.name


class NameSyntaxError(LexurnError, ValueError):
    """Text that is not a LEX name; ``report`` has the positions and the rules of RFC 9676."""

    def __init__(self, report: Report) -> None:
        """Store the report; the message is its first error."""
        first = report.errors[0]
        super().__init__(f"{first.code}: {first.message} (at {first.start}, {first.rule})")
        self.report = report


ReadingName = Reading | Literal["grammar", "text"]
_READINGS: dict[str, Reading] = {each.value: each for each in Reading}
_set_text, _set_reading, _set_name, _set_findings = (
    Report.__dict__[slot].__set__ for slot in ("text", "reading", "name", "findings")
)
_set_parsed = _Checked.__dict__["_parsed"].__set__


def parse(text: str, reading: ReadingName = "text") -> Name:
    """Read a name.

    Args:
        text: a LEX name.
        reading: ``text`` (default), or ``grammar`` for section 8 alone.

    Raises:
        NameSyntaxError: the text is not a name in this reading; the error has the report.
    """
    if reading == "text" and len(text) <= LONGEST_NAME and compile_plain()(text):
        return make_name(text, text)
    return check(text, reading).unwrap()


def check(text: str, reading: ReadingName = "text") -> Report:
    """Check any text; the report has all findings, and the name if the text is valid."""
    reading = _READINGS.get(reading) or Reading(reading)
    report, parsed, name = object.__new__(Report), None, None
    if parser.is_clean(text):
        name = make_name(text, text)
        _set_findings(report, ())
    elif reading is Reading.TEXT and len(text) <= LONGEST_NAME and compile_plain()(text):
        name = make_name(text, text)
    elif has_outline(text):
        parsed = parser.parse_unclean(text)
        if not parsed.list_errors(reading):
            name = make_name(parsed.canonical, text, parsed.components)
    _set_text(report, text)
    _set_reading(report, reading)
    _set_name(report, name)
    _set_parsed(report, parsed)
    return report


def parse_many(texts: Iterable[str], reading: ReadingName = "text") -> Iterator[Report]:
    """Check texts lazily; the reports come in the order of the texts."""
    return (check(text, reading) for text in texts)


def _make_findings(
    parsed: ParsedText, reading: Reading, suggest: Callable[[Fault], str | None] | None = None
) -> tuple[Finding, ...]:
    """Make the findings of a parsed text; `suggest` gives the suggestion for a fault."""
    findings: list[Finding] = []
    for fault in parsed.faults:
        finding = make_finding(
            fault.code,
            *fault.values,
            named={"component": fault.component},
            component=fault.component,
            start=fault.start,
            end=fault.end,
            suggestion=suggest and suggest(fault),
        )
        severity = parser.find_severity(fault.code, reading)
        if finding.severity is not severity:
            finding = replace(finding, severity=severity)
        findings.append(finding)
    findings.sort(key=lambda each: (each.start, not each.is_error, each.end))
    return tuple(findings)
