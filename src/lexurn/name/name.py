"""Names and reports: any text gives a report, a valid one a name (RFC 9676 section 8).

A `Name` is compared, hashed and written by its canonical text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import total_ordering
from typing import TYPE_CHECKING, Any, Literal, Never, TypedDict, Unpack, cast

from lexurn.errors import LexurnError
from lexurn.findings import Finding, Severity, make_finding
from lexurn.name import parser
from lexurn.name.parser import CLEAN, ERROR_IN_GRAMMAR, LONGEST_CACHED, Reading
from lexurn.name.values import Authority, Components, Details, Event, Level, Parts, WorkIdentifier

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.name.characters import Fault
    from lexurn.name.values import (
        Annex,
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        Measure,
    )

_NO_COMPONENTS = Components()
# ``urn``, ``lex``, jurisdiction, authority, measure and details.
_ACT_PARTS = 6


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
        "components",
        "expression",
        "jurisdiction",
        "manifestation",
        "partition",
        "text",
        "work",
    )

    jurisdiction: Jurisdiction
    work: WorkIdentifier
    expression: ExpressionIdentifier | None
    manifestation: ManifestationIdentifier | None
    partition: str | None
    components: Components
    text: str
    _canonical: str


@total_ordering
class Name(_Draft):
    """Uniform name of the LEX namespace (RFC 9676), immutable.

    Names are equal if their canonical texts are equal (RFC 9676 section 3.3, RFC 8141 section 3);
    components do not count. `parse`, `check` and `Name.of` make names.

    Attributes:
        jurisdiction: the jurisdiction of the act (section 2.1).
        work: authority, measure, details and annexes (section 5.4).
        expression: version and language (section 5.6).
        manifestation: editor, format, component and feature (section 5.7).
        partition: the id of a part of the document (section 5.8).
        components: r-, q- and f-component (RFC 8141 section 2.3).
        text: the text as given.
    """

    __slots__ = ()

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
        pieces = parser.Pieces(
            jurisdiction=str(jurisdiction),
            authority=str(work.authority),
            measure=str(work.measure),
            details=str(work.details),
            annexes=tuple(map(str, work.annexes)),
            expression=None if expression is None else str(expression),
            manifestation=None if manifestation is None else str(manifestation),
            partition=partition,
        )
        return _make_report(*parser.parse_pieces(pieces), Reading.TEXT).unwrap()

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
        return _restore_name, (self._canonical, self.text, self.components)

    def __replace__(self, **parts: Unpack[NameParts]) -> Name:
        return replace_parts(self, **parts)

    @property
    def iri(self) -> str:
        """Canonical text as an IRI: ``|``, which RFC 3986 does not allow, is written ``%7C``."""
        return self._canonical.replace("|", "%7C")

    @property
    def level(self) -> Level:
        """FRBR level of the name (RFC 9676 section 5.2)."""
        if self.manifestation is not None:
            return Level.MANIFESTATION
        return Level.WORK if self.expression is None else Level.EXPRESSION

    @property
    def is_act(self) -> bool:
        """True for the name of an act: a work, not an annex nor a partition (section 6.4)."""
        return (
            self.manifestation is None
            and self.expression is None
            and self.partition is None
            and not self.work.annexes
        )

    @property
    def document(self) -> Name:
        """Name without its partition and components (RFC 9676 section 5.8)."""
        if self.partition is None and self.text == self._canonical:
            return self
        text = self._canonical.partition("~")[0]
        return self._part(text, self.work, self.expression, self.manifestation)

    @property
    def work_name(self) -> Name:
        """Name of the work: the act, or its annex."""
        return self._part(self._work_text(), self.work)

    @property
    def act_name(self) -> Name:
        """Name of the act, without annexes (RFC 9676 section 6.4)."""
        if not self.work.annexes:
            return self.work_name
        text = ":".join(self._work_text().split(":", _ACT_PARTS)[:_ACT_PARTS])
        return self._part(text, self._cut_annexes(0))

    @property
    def expression_name(self) -> Name | None:
        """Name of the expression, None for a name without one."""
        if self.expression is None:
            return None
        text = self._canonical.partition("~")[0].partition("$")[0]
        return self._part(text, self.work, self.expression)

    @property
    def parent(self) -> Name | None:
        """Name one step up, None for an act.

        The parent of a partition is the next shorter one, then its document. That of a
        manifestation is its expression, else the work. That of an expression is the work, and that
        of an annex is the annex or act above it.
        """
        canonical = self._canonical
        if self.partition is not None:
            shorter = self.partition.rpartition(";")[0]
            text = canonical.rpartition(";")[0] if shorter else canonical.partition("~")[0]
            return self._part(text, self.work, self.expression, self.manifestation, shorter or None)
        if self.manifestation is not None:
            return self._part(canonical.rpartition("$")[0], self.work, self.expression)
        if self.expression is not None:
            return self._part(canonical.rpartition("@")[0], self.work)
        if self.work.annexes:
            return self._part(canonical.rpartition(":")[0], self._cut_annexes(-1))
        return None

    def ancestors(self) -> tuple[Name, ...]:
        """List all names above this one, the nearest first."""
        above: list[Name] = []
        name = self.parent
        while name is not None:
            above.append(name)
            name = name.parent
        return tuple(above)

    def _work_text(self) -> str:
        """Return the canonical text of the work; no part holds the mark of the next one."""
        return self._canonical.partition("~")[0].partition("$")[0].partition("@")[0]

    def _cut_annexes(self, end: int) -> WorkIdentifier:
        """Return the work with its annexes up to an index."""
        work = self.work
        return _make_work(work.authority, work.measure, work.details, work.annexes[:end])

    def _part(
        self,
        canonical: str,
        work: WorkIdentifier,
        expression: ExpressionIdentifier | None = None,
        manifestation: ManifestationIdentifier | None = None,
        partition: str | None = None,
    ) -> Name:
        """Make a name above this one; its parts are canonical, so they are not parsed."""
        parts = self.jurisdiction, work, expression, manifestation, partition
        return make_name(parts, canonical, canonical)


def make_name(
    parts: tuple[
        Jurisdiction,
        WorkIdentifier,
        ExpressionIdentifier | None,
        ManifestationIdentifier | None,
        str | None,
    ],
    canonical: str,
    text: str,
    components: Components = _NO_COMPONENTS,
) -> Name:
    """Make a name of canonical parts and their canonical text, which are not checked."""
    draft = _Draft()
    draft.jurisdiction, draft.work, draft.expression, draft.manifestation, draft.partition = parts
    draft.components = components
    draft.text = text
    draft._canonical = canonical  # noqa: SLF001 - defined here
    # To change the class at the end is several times faster than to bypass `Name.__setattr__`.
    draft.__class__ = Name
    return cast("Name", draft)


def _restore_name(canonical: str, text: str, components: Components) -> Name:
    """Make a name as it was when it was pickled or copied."""
    name = parse(canonical)
    parts = name.jurisdiction, name.work, name.expression, name.manifestation, name.partition
    return make_name(parts, canonical, text, components)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Result of checking one text: its name if it is valid, its readable parts, the findings.

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
_match_shape = parser.NAME_SHAPE.fullmatch

_read_jurisdiction, _read_authority, _read_measure, _read_details, _read_annex = (
    parser.CACHED_READERS[:5]
)
_TRAILING_READERS = parser.CACHED_READERS[5:]
_set_authority, _set_measure, _set_details, _set_annexes = (
    WorkIdentifier.__dict__[slot].__set__ for slot in ("authority", "measure", "details", "annexes")
)
_ANNEX_GROUP = 5


def parse(text: str, reading: ReadingName = "text") -> Name:
    """Read a name.

    Args:
        text: a LEX name.
        reading: ``text`` (default), or ``grammar`` for section 8 alone.

    Raises:
        NameSyntaxError: the text is not a name in this reading; the error has the report.
    """
    limit = ERROR_IN_GRAMMAR
    if reading != "text":
        reading, limit = Reading(reading), parser.WARNING
    if len(text) <= LONGEST_CACHED and (match := _match_shape(text)) is not None:
        name = _parse_quickly(match, limit)
        if name is not None:
            return name
    return check(text, reading).unwrap()


def check(text: str, reading: ReadingName = "text") -> Report:
    """Check any text; the report has all findings, and the name if the text is valid."""
    reading = _READINGS.get(reading) or Reading(reading)
    if len(text) <= LONGEST_CACHED and (match := _match_shape(text)) is not None:
        name = _parse_quickly(match, CLEAN)
        if name is not None:
            work = name.work
            parts = Parts(
                jurisdiction=name.jurisdiction,
                authority=work.authority,
                measure=work.measure,
                details=work.details,
                annexes=work.annexes,
                expression=name.expression,
                manifestation=name.manifestation,
                partition=name.partition,
            )
            return Report(text=text, reading=reading, name=name, parts=parts)
    parsed = parser.parse_text(text)
    if not parsed.faults or len(text) > parser.LONGEST_NAME:
        return _make_report(text, parsed, reading)
    return _make_report(text, parsed, reading, parser.suggest_repairs(text, parsed, reading))


def parse_many(texts: Iterable[str], reading: ReadingName = "text") -> Iterator[Report]:
    """Check texts lazily; the reports come in the order of the texts."""
    return (check(text, reading) for text in texts)


def _parse_quickly(match: re.Match[str], limit: int) -> Name | None:
    """Make the name if no piece has a fault above a limit, which holds for nearly all names.

    The pieces are those of `cut_name` and the readers those of `parse_text`, but faults are
    neither placed nor reported.
    """
    first, second, third, fourth, annexes = match.group(1, 2, 3, 4, 5)
    jurisdiction, first, worst1, _ = _read_jurisdiction(first)
    authority, second, worst2, _ = _read_authority(second)
    measure, third, worst3, _ = _read_measure(third)
    details, fourth, worst4, _ = _read_details(fourth)
    if worst1 > limit or worst2 > limit or worst3 > limit or worst4 > limit:
        return None
    canonical = f"urn:lex:{first}:{second}:{third}:{fourth}"
    attached: tuple[Annex, ...] = ()
    for piece in annexes.split(":")[1:] if annexes else ():
        annex, more, worst, _ = _read_annex(piece)
        if worst > limit:
            return None
        canonical, attached = f"{canonical}:{more}", (*attached, annex)
    work = _make_work(authority, measure, details, attached)
    if match.lastindex == _ANNEX_GROUP:
        return make_name((jurisdiction, work, None, None, None), canonical, match.string)
    values: list[Any] = [None, None, None]
    for number, piece in enumerate(match.group(6, 7, 8)):
        if piece is not None:
            values[number], more, worst, _ = _TRAILING_READERS[number](piece)
            if worst > limit:
                return None
            canonical = f"{canonical}{'@$~'[number]}{more}"
    return make_name((jurisdiction, work, *values), canonical, match.string)


def _make_work(
    authority: Authority,
    measure: Measure,
    details: Details,
    annexes: tuple[Annex, ...],
) -> WorkIdentifier:
    """Make a work; to fill its slots takes half the time of the constructor."""
    work = object.__new__(WorkIdentifier)
    _set_authority(work, authority)
    _set_measure(work, measure)
    _set_details(work, details)
    _set_annexes(work, annexes)
    return work


def _make_report(
    text: str,
    parsed: parser.ParsedText,
    reading: Reading,
    suggest: Callable[[Fault], str | None] = lambda _: None,
) -> Report:
    """Make the report of a parsed text; `suggest` gives the suggestion for a fault."""
    findings: list[Finding] = []
    for fault in parsed.faults:
        finding = make_finding(
            fault.code,
            *fault.values,
            named={"component": fault.component},
            component=fault.component,
            start=fault.start,
            end=fault.end,
            suggestion=suggest(fault),
        )
        severity = parser.find_severity(fault.code, reading)
        if finding.severity is not severity:
            finding = replace(finding, severity=severity)
        findings.append(finding)
    findings.sort(key=lambda each: (each.start, not each.is_error, each.end))
    parts, name = parsed.parts, None
    is_valid = not any(finding.is_error for finding in findings)
    if is_valid and parts.jurisdiction and parts.authority and parts.measure and parts.details:
        work = _make_work(parts.authority, parts.measure, parts.details, parts.annexes)
        above = parts.jurisdiction, work, parts.expression, parts.manifestation, parts.partition
        name = make_name(above, parsed.canonical, text, parts.components)
    return Report(text=text, reading=reading, name=name, parts=parts, findings=tuple(findings))


_FINDING_KEYS = ("code", "severity", "component", "start", "end", "message", "rule", "suggestion")


def report_to_json(report: Report) -> dict[str, Any]:
    """Convert a report to a JSON object, by the schema ``ontology/name.schema.json``.

    Absent parts are null, lists never are. Each part is an object with the fields of its class.
    """
    name, parts = report.name, _part_to_json(report.parts)
    components = parts.pop("components")
    return {
        "input": report.text,
        "valid": report.valid,
        "reading": report.reading.value,
        "name": name and str(name),
        "iri": name and name.iri,
        "level": name and name.level.value,
        **parts,
        **{f"{key}_component": value for key, value in components.items()},
        "findings": [
            {key: getattr(each, key) for key in _FINDING_KEYS} for each in report.findings
        ],
    }


def _part_to_json(part: Any) -> Any:
    if part is None or isinstance(part, str):
        return part
    if isinstance(part, tuple):
        return [_part_to_json(each) for each in part]
    if isinstance(part, Authority):
        return [[issuer.institution, *issuer.functions] for issuer in part.issuers]
    written = {field: _part_to_json(getattr(part, field)) for field in part.__slots__}
    if isinstance(part, Details):
        written["number_lex"] = part.is_lex_number
    if isinstance(part, Event):
        written = {key: value for key, value in written.items() if value is not None}
    return written
