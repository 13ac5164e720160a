"""Why a resolver answers as it does: codes, words, rules, and what each costs (RFC 9676 10.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["REASONS", "Match", "Reason", "ReasonRule", "match_of", "reason", "score_of"]


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


def _rule(match: Match | None, section: str, message: str, cost: float = 0.0) -> ReasonRule:
    return ReasonRule(match=match, message=message, rule=f"RFC 9676 §{section}", cost=cost)


REASONS: Final[Mapping[str, ReasonRule]] = MappingProxyType(
    {
        "LX938": ReasonRule(
            match=None,
            message='the {0} "{1}" is no part of the name; it is not looked at',
            rule="RFC 8141 §2.3",
        ),
        "LX939": _rule(
            None,
            "5.8",
            'the fragment "{0}" is no part of the name, and no part of a document is looked for; '
            'a partition stands behind "~": ~art3',
        ),
        "LX940": _rule(Match.DIALECT, "10.3", "read as {0}: {1}"),
        "LX941": _rule(Match.NORMALISED, "10.3", '"{0}" is read as "{1}"', 0.01),
        "LX942": _rule(Match.NORMALISED, "10.3", 'the {component} "{0}" is "{1}"', 0.01),
        "LX943": _rule(Match.ALIAS, "5.5", "{0} is an alias of {1}"),
        "LX944": _rule(
            Match.ALIAS,
            "5.5",
            "the aliases of {0} lead back to it; they are taken as names of one thing",
        ),
        "LX945": _rule(Match.WITHDRAWN, "9.4", "{0} is withdrawn{1}"),
        "LX946": _rule(
            Match.PARTIAL, "10.3", 'the {component} is missing; the catalogue has "{1}"', 0.05
        ),
        "LX947": _rule(
            Match.PARTIAL, "10.3", 'the {component} "{0}" is not in the catalogue; {1}', 0.1
        ),
        "LX948": _rule(
            Match.PARTIAL,
            "10.3",
            'of several {component}s some match: asked for "{0}", the catalogue has "{1}"',
            0.1,
        ),
        "LX949": _rule(
            Match.NORMALISED,
            "10.3",
            'the {component} "{0}" is written "{1}" in the catalogue',
            0.01,
        ),
        "LX950": _rule(
            Match.PARTIAL, "10.3", 'a year stands for a date: asked for "{0}", held is "{1}"', 0.1
        ),
        "LX951": _rule(
            Match.PARTIAL, "10.3", 'the {component} "{0}" is spelt nearly as "{1}"', 0.1
        ),
        "LX952": _rule(None, "5.6", "{0}"),
        "LX953": _rule(None, "5.6", 'nothing in the language "{0}"; {1}'),
        "LX954": _rule(None, "5.8", 'the partition "{0}" is not marked in all copies; {1}'),
        "LX955": _rule(None, "11", "{0} with an address that is not http or https is left out"),
        "LX956": _rule(
            None,
            "10.3",
            'the catalogue has no act of "{0}" with this number and date; another number, date or '
            "jurisdiction is never a match",
        ),
        "LX957": _rule(
            None,
            "10.3",
            "the catalogue has this number and date, but of another authority or measure: {0}",
        ),
        "LX958": _rule(None, "10.3", "{0}"),
        "LX959": _rule(
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


def reason(
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


def score_of(reasons: Iterable[Reason]) -> float:
    """How sure a match is: 1 for the name itself, less with each reason to doubt."""
    score = 1.0
    for each in reasons:
        score *= 1 - each.cost
    return round(score, 4)


_RANKS: Final = {match: place for place, match in enumerate(Match)}


def match_of(reasons: Iterable[Reason]) -> Match:
    """The farthest way that was taken."""
    ways = (each.match for each in reasons)
    return max(
        (way for way in ways if way is not None), key=_RANKS.__getitem__, default=Match.EXACT
    )
