"""A report on a catalogue for a terminal: rule by rule, some findings of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_shown import counted, short, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import CheckFinding, RuleCount

__all__ = ["pieces_of"]

_SHOWN: Final = 10


def pieces_of(report: CatalogueReport) -> Iterator[str]:
    """The report, line by line."""
    for each in report.counts():
        yield from _rule_lines(report, each)
    yield from (f"note: {note}\n" for note in report.notes)
    nodes = "1 node" if report.checked == 1 else f"{report.checked:,} nodes"
    yield f"{nodes} checked: {verdict_of(report)}\n"


def _rule_lines(report: CatalogueReport, each: RuleCount) -> Iterator[str]:
    rule = each.rule
    basis = f" ({rule.basis})" if rule.basis else ""
    yield f"{rule.code}: {counted(each.count, rule.severity)}: {rule.message}{basis}\n"
    for finding in report.findings(rule.code, most=_SHOWN):
        yield from _finding_lines(finding)
    if each.count > _SHOWN:
        yield f"  ... and {each.count - _SHOWN:,} more\n"
    if rule.advice:
        yield f"  what to do: {rule.advice}\n"
    yield "\n"


def _finding_lines(finding: CheckFinding) -> Iterator[str]:
    yield f"  {short(finding.focus)}\n"
    yield from (f"    {short(each)}\n" for each in finding.others)
    if finding.value is not None:
        yield f"    {short(finding.value)}\n"
    if finding.detail:
        yield f"    {short(finding.detail)}\n"
