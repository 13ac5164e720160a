"""Answer of a resolver: candidates, their best versions, documents, copies, and the reasons.

Each reason has a code, words, a rule, and what it costs (RFC 9676 10.3). The schema of the JSON is
``ontology/answer.schema.json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final

    from lexurn.model import LanguageText
    from lexurn.name import Name


class Match(StrEnum):
    """How a name was found, from the plainest way to the farthest; or that it was not."""

    EXACT = "exact"
    NORMALISED = "normalised"
    DIALECT = "dialect"
    ALIAS = "alias"
    PARTIAL = "partial"
    WITHDRAWN = "withdrawn"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonRule:
    """What a code stands for.

    Attributes:
        match: the way of matching that it belongs to; None for what only explains the answer.
        message: the sentence, with places for the words of the case.
        rule: the section that it follows.
        cost: how much less sure the answer is, from 0 to 1, where the component does not say.
    """

    match: Match | None
    message: str
    rule: str
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One step from the name that was asked for to what was found.

    Attributes:
        code: ``LX9`` and two digits, stable; a key of `REASONS`.
        message: a sentence for people.
        component: the part of the name that it is about, empty where it is about all of it.
        cost: how much less sure the answer is for it, from 0 to 1.
    """

    code: str
    message: str
    component: str = ""
    cost: float = 0.0

    @property
    def match(self) -> Match | None:
        """The way of matching that it belongs to; None for what only explains the answer."""
        return REASONS[self.code].match

    @property
    def rule(self) -> str:
        """The section that it follows."""
        return REASONS[self.code].rule


def _make_rule(match: Match | None, section: str, message: str, cost: float = 0.0) -> ReasonRule:
    return ReasonRule(match=match, message=message, rule=f"RFC 9676 §{section}", cost=cost)


REASONS: Final[Mapping[str, ReasonRule]] = MappingProxyType(
    {
        "LX938": ReasonRule(
            match=None,
            message='the {0} "{1}" is no part of the name; it is not looked at',
            rule="RFC 8141 §2.3",
        ),
        "LX939": _make_rule(
            None,
            "5.8",
            'the fragment "{0}" is no part of the name, and no part of a document is looked for; '
            'a partition stands behind "~": ~art3',
        ),
        "LX940": _make_rule(Match.DIALECT, "10.3", "read as {0}: {1}"),
        "LX941": _make_rule(Match.NORMALISED, "10.3", '"{0}" is read as "{1}"', 0.01),
        "LX942": _make_rule(Match.NORMALISED, "10.3", 'the {component} "{0}" is "{1}"', 0.01),
        "LX943": _make_rule(Match.ALIAS, "5.5", "{0} is an alias of {1}"),
        "LX944": _make_rule(
            Match.ALIAS,
            "5.5",
            "the aliases of {0} lead back to it; they are taken as names of one thing",
        ),
        "LX945": _make_rule(Match.WITHDRAWN, "9.4", "{0} is withdrawn{1}"),
        "LX946": _make_rule(
            Match.PARTIAL, "10.3", 'the {component} is missing; the catalogue has "{1}"', 0.05
        ),
        "LX947": _make_rule(
            Match.PARTIAL, "10.3", 'the {component} "{0}" is not in the catalogue; {1}', 0.1
        ),
        "LX948": _make_rule(
            Match.PARTIAL,
            "10.3",
            'of several {component}s some match: asked for "{0}", the catalogue has "{1}"',
            0.1,
        ),
        "LX949": _make_rule(
            Match.NORMALISED,
            "10.3",
            'the {component} "{0}" is written "{1}" in the catalogue',
            0.01,
        ),
        "LX950": _make_rule(
            Match.PARTIAL, "10.3", 'a year stands for a date: asked for "{0}", held is "{1}"', 0.1
        ),
        "LX951": _make_rule(
            Match.PARTIAL, "10.3", 'the {component} "{0}" is spelt nearly as "{1}"', 0.1
        ),
        "LX952": _make_rule(None, "5.6", "{0}"),
        "LX953": _make_rule(None, "5.6", 'nothing in the language "{0}"; {1}'),
        "LX954": _make_rule(None, "5.8", 'the partition "{0}" is not marked in all copies; {1}'),
        "LX955": _make_rule(
            None, "11", "{0} with an address that is not http or https is left out"
        ),
        "LX956": _make_rule(
            None,
            "10.3",
            'the catalogue has no act of "{0}" with this number and date; another number, date or '
            "jurisdiction is never a match",
        ),
        "LX957": _make_rule(
            None,
            "10.3",
            "the catalogue has this number and date, but of another authority or measure: {0}",
        ),
        "LX958": _make_rule(None, "10.3", "{0}"),
        "LX959": _make_rule(
            None,
            "10.3",
            "{0} names of acts match equally, the first {1} are given; name more of what tells "
            "them apart",
        ),
    }
)

# What is missing or superfluous weighs by what it would tell apart.
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
    """A reason with its words.

    Args:
        code: a key of `REASONS`.
        words: what its message names, in order.
        component: the part of the name that it is about.
        cost: where neither code nor component says.
        times: how often it weighs.
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
    """How sure a match is: 1 for the name itself, less with each reason to doubt."""
    score = 1.0
    for each in reasons:
        score *= 1 - each.cost
    return round(score, 4)


_RANKS: Final = {match: place for place, match in enumerate(Match)}


def find_match(reasons: Iterable[Reason]) -> Match:
    """The farthest way that was taken."""
    ways = (each.match for each in reasons)
    return max(
        (way for way in ways if way is not None), key=_RANKS.__getitem__, default=Match.EXACT
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Where one copy lies.

    Attributes:
        url: its http or https URL, with the partition asked for as its fragment (section 5.8).
        bytes: its size, or None.
        sha256: its digest, or None.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A manifestation, or what else copies are stated of: an expression, an act, a partition.

    Attributes:
        name: its canonical name; of a partition the first name that it is held under.
        copies: its copies, sorted by URL; empty where none is known or may be given out.
        partition: what of the partition asked for its copies are known to mark, or None.
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    partition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A version that was chosen, in one language.

    Attributes:
        name: its canonical name.
        language: its language tag, or None.
        start: the first day in force, None where nothing says so.
        until: the first day no longer in force, or None.
        in_force: whether it is in force on the day of the answer, as what is withdrawn never
            is; None where nothing says so.
    """

    name: Name
    language: str | None = None
    start: dt.date | None = None
    until: dt.date | None = None
    in_force: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing that the name may mean.

    Attributes:
        name: its canonical name, at the level down to which the name was found.
        match: how it was found.
        score: how sure that is, from 0 to 1.
        reasons: each step from the name asked for to this one, and what is to be known of it.
        titles: titles of it, or of what it belongs to.
        editions: the versions that were chosen, by language.
        documents: their documents, then those of the work as a whole.
        withdrawn_on: the day of withdrawal, where it is known.
        uri: its HTTP-URI equivalent, where the catalogue has a base.
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
        """The URLs of all copies, each once, in the order of the documents."""
        found = (copy.url for document in self.documents for copy in document.copies)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a name that was asked for.

    Attributes:
        text: the name as given.
        name: what was read of it, without its partition; None where nothing could be read or an
            element is missing.
        match: how it was found; `Match.NONE` where it was not.
        date: the day for what is in force.
        language: the language that was asked for, or None.
        partition: the partition that was asked for, or None.
        candidates: all that have the same, best claim (LX959: the first thousand), in the order of
            their names; last what is withdrawn and fits as well, where the name does not tell them
            apart.
        reasons: where there is no candidate: why; else what holds for the whole answer.
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
        """Whether there is anything to give: withdrawn names have nothing any more."""
        return self.match not in {Match.NONE, Match.WITHDRAWN}

    @property
    def is_ambiguous(self) -> bool:
        """Whether several acts have the same claim."""
        return len(self.candidates) > 1

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs of all copies of all candidates, each once."""
        return tuple(dict.fromkeys(self._urls()))

    def all_reasons(self) -> Iterator[Reason]:
        """The reasons of the answer and of its candidates."""
        yield from self.reasons
        for candidate in self.candidates:
            yield from candidate.reasons

    def _urls(self) -> Iterator[str]:
        for candidate in self.candidates:
            yield from candidate.urls


def make_answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as an object for JSON: absent parts are null, lists are never null."""
    return {
        "input": answer.text,
        "name": _format_text(answer.name),
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
        "versions": [_convert_edition(each) for each in candidate.editions],
        "documents": [_convert_document(each) for each in candidate.documents],
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


def _convert_edition(edition: Edition) -> dict[str, Any]:
    return {
        "name": str(edition.name),
        "language": edition.language,
        "start": _format_day(edition.start),
        "until": _format_day(edition.until),
        "in_force": edition.in_force,
    }


def _convert_document(document: Document) -> dict[str, Any]:
    return {
        "name": str(document.name),
        "level": document.name.level.value,
        "partition": document.partition,
        "copies": [_convert_copy(each) for each in document.copies],
    }


def _convert_copy(copy: Copy) -> dict[str, Any]:
    return {"url": copy.url, "bytes": copy.bytes, "sha256": copy.sha256}


def _format_text(value: object) -> str | None:
    return None if value is None else str(value)


def _format_day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
