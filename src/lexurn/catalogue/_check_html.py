"""A report on a catalogue for people: one page, the heaviest first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import jinja2

from lexurn import data
from lexurn.catalogue._check_shown import counted, plain, short, verdict_of
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import CheckFinding, RuleCount

__all__ = ["CheckPage", "Place", "Row", "Section", "pieces_of"]

_SHOWN: Final = 50
_KINDS: Final = {
    Severity.VIOLATION: "Violation",
    Severity.WARNING: "Warning",
    Severity.INFO: "Remark",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A node, with a link where a click on it leads somewhere."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One finding: the nodes concerned, what is at fault with them."""

    places: tuple[Place, ...]
    value: Place | None
    path: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A rule with the first of its findings, and whether any of them shows more than names."""

    code: str
    name: str
    kind: str
    count: str
    message: str
    basis: str
    advice: str
    rows: tuple[Row, ...]
    has_faults: bool
    hidden: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPage:
    """All that the page shows.

    Attributes:
        place: the catalogue.
        verdict: what was found, in a few words.
        checked: how many nodes were checked.
        counts: each severity with its number and its noun.
        notes: what to know besides.
        sections: the rules that have findings, the heaviest first.
        quiet: names of rules that were looked at and have none.
    """

    place: str
    verdict: str
    checked: str
    counts: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    sections: tuple[Section, ...]
    quiet: tuple[str, ...]


def pieces_of(report: CatalogueReport) -> Iterator[str]:
    """The page, piece by piece."""
    return _environment().get_template("check.html").generate(page=_page_of(report))


def _page_of(report: CatalogueReport) -> CheckPage:
    counts = report.counts()
    found = {each.rule.code for each in counts}
    return CheckPage(
        place=report.place,
        verdict=verdict_of(report),
        checked=f"{report.checked:,}",
        counts=tuple(_tally(report, each) for each in Severity),
        notes=report.notes,
        sections=tuple(_section(report, each) for each in counts),
        quiet=tuple(rule.name for rule in report.rules.values() if rule.code not in found),
    )


def _tally(report: CatalogueReport, severity: Severity) -> tuple[str, str, str]:
    number, _, noun = counted(report.count(severity), severity).partition(" ")
    return _KINDS[severity], number, noun


def _section(report: CatalogueReport, each: RuleCount) -> Section:
    rule = each.rule
    hidden = each.count - _SHOWN
    rows = tuple(map(_row, report.findings(rule.code, most=_SHOWN)))
    return Section(
        code=rule.code,
        name=rule.name,
        kind=_KINDS[rule.severity],
        count=counted(each.count, rule.severity),
        message=rule.message,
        basis=rule.basis,
        advice=rule.advice,
        rows=rows,
        has_faults=any(row.value or row.path or row.detail for row in rows),
        hidden=f"{hidden:,}" if hidden > 0 else "",
    )


def _row(finding: CheckFinding) -> Row:
    return Row(
        places=tuple(map(_place, (finding.focus, *finding.others))),
        value=None if finding.value is None else _place(finding.value),
        path="" if finding.path is None else short(finding.path),
        detail=finding.detail,
    )


def _place(term: str) -> Place:
    """A node; only what the web has for everybody is a link, so that a click runs no script."""
    text = plain(term)
    is_link = text.lower().startswith(("http://", "https://"))
    return Place(text=short(term), href=text if is_link else None)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
