"""What a check found, as a page for people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lexurn.export._templates import render
from lexurn.export._words import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.model import Source

__all__ = ["CheckResult", "Finding", "is_violation", "report_page"]

_SHOWN = 2_000


class CheckResult(Protocol):
    """One thing that a check found."""

    @property
    def severity(self) -> str:
        """``Violation``, ``Warning`` or ``Info``."""
        ...

    @property
    def focus(self) -> str:
        """The node at fault."""
        ...

    @property
    def path(self) -> str | None:
        """The property at fault."""
        ...

    @property
    def message(self) -> str:
        """What is wrong, for people."""
        ...

    @property
    def source(self) -> Source | None:
        """Where the manifest says it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One row of the page: how grave, where in the manifest, of what, and what is wrong."""

    severity: str
    place: str
    focus: str
    path: str
    message: str


def is_violation(result: CheckResult) -> bool:
    """Whether a result forbids publication."""
    return str(result.severity) == "Violation"


def report_page(results: Sequence[CheckResult], *, counts: Mapping[str, int], nodes: int) -> str:
    """The page: how many findings of each severity, then each, violations first."""
    ordered = sorted(results, key=lambda result: not is_violation(result))
    return render(
        "report.html",
        nodes=nodes,
        counts=[
            (severity, counts.get(severity, 0)) for severity in ("Violation", "Warning", "Info")
        ],
        findings=[_finding(result) for result in ordered[:_SHOWN]],
        hidden=max(sum(counts.values()) - _SHOWN, 0),
    )


def _finding(result: CheckResult) -> Finding:
    source = result.source
    return Finding(
        severity=str(result.severity),
        # The file alone: a published page tells nobody how the publisher's disk is laid out.
        place="" if source is None else printable(f"{Path(source.file).name}, line {source.line}"),
        focus=_bare(result.focus),
        path=_bare(result.path or ""),
        message=printable(result.message),
    )


def _bare(term: str) -> str:
    """A term without the brackets of N-Triples."""
    return printable(term.removeprefix("<").removesuffix(">"))
