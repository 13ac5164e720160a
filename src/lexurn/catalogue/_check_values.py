"""What a check of a catalogue says: findings, and the rules behind them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueUsageError
from lexurn.shacl import SHAPES, Severity, shapes_by_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.shacl import Result

__all__ = [
    "CheckFinding",
    "CheckOptions",
    "CheckRule",
    "RuleCount",
    "finding_of",
    "selected",
    "shape_rules",
]

_SH: Final = "http://www.w3.org/ns/shacl#"


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
    component: str = f"{_SH}SPARQLConstraintComponent"


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


def shape_rules() -> Mapping[str, CheckRule]:
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
        for code, shape in shapes_by_name().items()
    }


def selected(
    rules: Mapping[str, CheckRule], only: Iterable[str], skip: Iterable[str]
) -> Mapping[str, CheckRule]:
    """The rules that are asked for.

    Raises:
        CatalogueUsageError: a code that no rule has, or no rule is left.
    """
    wanted, unwanted = set(_known(only, rules)), set(_known(skip, rules))
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


def _known(codes: Iterable[str], rules: Mapping[str, CheckRule]) -> Iterator[str]:
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


def finding_of(result: Result) -> CheckFinding:
    """A result of a shape as a finding."""
    return CheckFinding(
        rule=result.shape.removeprefix(SHAPES),
        focus=result.focus,
        path=result.path,
        value=result.value,
        component=result.component,
    )
