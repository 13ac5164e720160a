"""Answer of the resolver: candidates with versions, documents and copies, and reasons (§10.3).

Each reason has a code, a message, a rule, and a cost. The schema of the JSON is
``ontology/answer.schema.json``.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexurn import data

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.model import ForceBasis, LanguageText
    from lexurn.name import Name


class Match(StrEnum):
    """Way in which a name was found, from the plainest to the farthest."""

    EXACT = "exact"
    NORMALISED = "normalised"
    DIALECT = "dialect"
    ALIAS = "alias"
    PARTIAL = "partial"
    WITHDRAWN = "withdrawn"
    NONE = "none"


class ReasonRule(NamedTuple):
    """Entry of the table of reasons.

    Attributes:
        match: the way of matching; None for a reason that only explains the answer.
        message: a template of `str.format`.
        rule: the section that it follows.
        cost: the loss of certainty, from 0 to 1; some components have their own.
    """

    match: Match | None
    message: str
    rule: str
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One step from the given name to the candidate.

    Attributes:
        code: ``LX9`` and two digits, stable; a key of `REASONS`.
        message: a sentence for people.
        component: the component of the name; empty where the whole name is meant.
        cost: the loss of certainty, from 0 to 1.
    """

    code: str
    message: str
    component: str = ""
    cost: float = 0.0

    @property
    def match(self) -> Match | None:
        """Way of matching; None for a reason that only explains the answer."""
        return REASONS[self.code].match

    @property
    def rule(self) -> str:
        """Section that the reason follows."""
        return REASONS[self.code].rule


Reasons = tuple[Reason, ...]

# Codes of reasons alone have a cost in the table of all codes.
REASONS: Final[Mapping[str, ReasonRule]] = MappingProxyType(
    {
        code: ReasonRule(
            match=Match(row["match"]) if "match" in row else None,
            message=row["message"],
            rule=row["rule"],
            cost=row["cost"],
        )
        for code, row in json.loads(data.read_text("ontology/findings.json")).items()
        if "cost" in row
    }
)

# Missing and superfluous components cost as much as they would tell apart.
_COSTS: Final[Mapping[tuple[str, str], float]] = MappingProxyType(
    {
        ("LX946", "authority"): 0.15,
        ("LX946", "measure"): 0.25,
        ("LX946", "numbers"): 0.25,
        ("LX946", "event"): 0.08,
        ("LX946", "language"): 0.02,
        ("LX946", "feature"): 0.03,
        ("LX947", "language"): 0.05,
        ("LX947", "version"): 0.4,
        ("LX947", "manifestation"): 0.4,
        ("LX947", "annex"): 0.5,
    }
)


def make_reason(
    code: str, *words: object, component: str = "", cost: float | None = None, times: int = 1
) -> Reason:
    """Make a reason.

    Args:
        code: a key of `REASONS`.
        words: the values in its message, in order.
        component: the component of the name.
        cost: the cost, if not that of code and component.
        times: how often the cost counts.
    """
    row = REASONS[code]
    plain = component.removesuffix("s").replace("-", " ")
    each = cost if cost is not None else _COSTS.get((code, component), row.cost)
    return Reason(
        code=code,
        message=row.message.format(*words, component=plain),
        component=component,
        cost=round(1 - (1 - each) ** times, 4),
    )


def compute_score(reasons: Iterable[Reason]) -> float:
    """Compute the certainty of a match: 1 for the name itself, less with each reason to doubt."""
    score = 1.0
    for each in reasons:
        score *= 1 - each.cost
    return round(score, 4)


_RANKS: Final = {match: rank for rank, match in enumerate(Match)}


def find_match(reasons: Iterable[Reason]) -> Match:
    """Return the farthest way of matching among some reasons."""
    ways = (each.match for each in reasons)
    return max(
        (way for way in ways if way is not None), key=_RANKS.__getitem__, default=Match.EXACT
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Copy of a document.

    Attributes:
        url: its http or https URL, with the given partition as its fragment (section 5.8).
        bytes: its size, or None.
        sha256: its digest, or None.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Document with copies: a manifestation, an expression, an act or a partition.

    Attributes:
        name: its canonical name; of a partition the first name in the catalogue.
        copies: its copies, sorted by URL; empty where none is known or may be given out.
        partition: the part of the given partition that its copies mark, or None.
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    partition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Chosen version in one language.

    Attributes:
        name: its canonical name.
        language: its language tag, or None.
        start: the first day in force, or None.
        until: the first day no longer in force, or None.
        start_basis: the source of ``start``, None without one.
        until_basis: the source of ``until``, None without one.
        in_force: whether it is in force on the day of the answer; None where it is not known, since
            no record states a date of force for the version or its act.
        is_withdrawn: whether all its names are withdrawn. It has no days then.
    """

    name: Name
    language: str | None = None
    start: dt.date | None = None
    until: dt.date | None = None
    start_basis: ForceBasis | None = None
    until_basis: ForceBasis | None = None
    in_force: bool | None = None
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Name of the catalogue that the given name may mean.

    Attributes:
        name: its canonical name, at the lowest level that was found.
        match: the way in which it was found.
        score: the certainty, from 0 to 1.
        reasons: the steps from the given name to this one, and remarks.
        titles: its titles, or those of the nearest name above it.
        editions: the versions that were chosen, by language.
        documents: their documents, then those of the work as a whole.
        withdrawn_on: the day of withdrawal, or None.
        uri: its HTTP-URI equivalent, if the catalogue has a base.
    """

    name: Name
    match: Match
    score: float
    reasons: tuple[Reason, ...] = ()
    titles: tuple[LanguageText, ...] = ()
    editions: tuple[Edition, ...] = ()
    documents: tuple[Document, ...] = ()
    withdrawn_on: dt.date | None = None
    uri: str | None = None

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of all copies, each once, in the order of the documents."""
        found = (copy.url for document in self.documents for copy in document.copies)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer to a given name.

    Attributes:
        text: the name as given.
        name: the name that was read, without partition; None where none could be read or an
            element is missing.
        match: the way in which it was found; `Match.NONE` where it was not.
        date: the day for versions in force.
        language: the given language, or None.
        partition: the given partition, or None.
        candidates: all candidates with the best score (LX959: the first thousand), sorted by name;
            after them withdrawn names that fit as well.
        reasons: remarks on the whole answer; without candidates the reason for that.
    """

    text: str
    name: Name | None
    match: Match
    date: dt.date
    language: str | None = None
    partition: str | None = None
    candidates: tuple[Candidate, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def found(self) -> bool:
        """True if there is something to give; withdrawn names have nothing."""
        return self.match not in {Match.NONE, Match.WITHDRAWN}

    @property
    def is_ambiguous(self) -> bool:
        """True if several candidates have the same score."""
        return len(self.candidates) > 1

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of all copies of all candidates, each once."""
        return tuple(dict.fromkeys(url for each in self.candidates for url in each.urls))

    def all_reasons(self) -> Iterator[Reason]:
        """Yield the reasons of the answer and of its candidates."""
        yield from self.reasons
        for candidate in self.candidates:
            yield from candidate.reasons


def make_answer_json(answer: Answer) -> dict[str, Any]:
    """Make JSON values of an answer: absent parts are null, lists are never null."""
    return {
        "input": answer.text,
        "name": None if answer.name is None else str(answer.name),
        "match": answer.match.value,
        "date": answer.date.isoformat(),
        "language": answer.language,
        "partition": answer.partition,
        "candidates": [_convert_candidate(each) for each in answer.candidates],
        "reasons": _convert_reasons(answer.reasons),
    }


def _convert_candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "name": str(candidate.name),
        "level": candidate.name.level.value,
        "match": candidate.match.value,
        "score": candidate.score,
        "reasons": _convert_reasons(candidate.reasons),
        "titles": [
            {"value": title.value, "language": title.language} for title in candidate.titles
        ],
        "versions": [
            {
                "name": str(edition.name),
                "language": edition.language,
                "start": _format_day(edition.start),
                "start_basis": edition.start_basis,
                "until": _format_day(edition.until),
                "until_basis": edition.until_basis,
                "in_force": edition.in_force,
                "withdrawn": edition.is_withdrawn,
            }
            for edition in candidate.editions
        ],
        "documents": [
            {
                "name": str(document.name),
                "level": document.name.level.value,
                "partition": document.partition,
                "copies": [asdict(copy) for copy in document.copies],
            }
            for document in candidate.documents
        ],
        "withdrawn_on": _format_day(candidate.withdrawn_on),
        "uri": candidate.uri,
    }


def _convert_reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [
        {
            "code": each.code,
            "component": each.component or None,
            "cost": each.cost,
            "message": each.message,
            "rule": each.rule,
        }
        for each in reasons
    ]


def _format_day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
