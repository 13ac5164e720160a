"""Report of a run of `publish`, and its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.pages import escape_controls, render_template
from lexurn.shacl import Severity

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lexurn.shacl import Result

_MAX_ROWS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishReport:
    """Report of a run.

    Attributes:
        published: whether the site was written; False where violations prevented it.
        families: the number of families in the manifest.
        nodes: the number of their names, each a folder of the site.
        written: the number of files that were new or had changed.
        rejected: the number of rows that were left out as invalid.
        rejects: the files that hold these rows unchanged.
        counts: the number of results of each severity.
        results: the first 50,000 of them, in the order of the families; after these, violations
            alone are kept, up to 100,000 results in all.
        as_of: the day for what is in force.
        left: the names that have left the input since the last run; their pages say that they are
            withdrawn.
        kept: the number of names that are not in the input and stay as they were, since rows were
            rejected.
        removed: the names that have left the input and whose pages were removed.
        missing: the keys of ``site.toml`` that DCAT-AP requires or recommends for
            ``catalogue.ttl``, and that are absent.
    """

    published: bool
    families: int
    nodes: int
    written: int
    rejected: int
    rejects: tuple[Path, ...]
    counts: Mapping[str, int]
    results: tuple[Result, ...]
    as_of: dt.date
    left: Sequence[str] = ()
    kept: int = 0
    removed: Sequence[str] = ()
    missing: Sequence[str] = ()

    @property
    def violations(self) -> tuple[Result, ...]:
        """Results that forbid publication."""
        return tuple(each for each in self.results if each.severity is Severity.VIOLATION)


def render_report(results: Sequence[Result], *, counts: Mapping[str, int], nodes: int) -> str:
    """Render the report page: the counts of each severity, then the results by file and line.

    Violations come first.
    """
    ordered = sorted(
        results, key=lambda each: (each.severity is not Severity.VIOLATION, each.source_order)
    )
    findings = []
    for result in ordered[:_MAX_ROWS]:
        source = result.source
        row = {
            "severity": result.severity.value,
            "location": "" if source is None else f"{source.file}, line {source.line}",
            "focus": result.focus.removeprefix("<").removesuffix(">"),
            "path": (result.path or "").removeprefix("<").removesuffix(">"),
            "message": result.message,
        }
        findings.append({key: escape_controls(value) for key, value in row.items()})
    return render_template(
        "report.html",
        nodes=nodes,
        counts=[(severity.value, counts.get(severity.value, 0)) for severity in Severity],
        findings=findings,
        hidden=max(sum(counts.values()) - _MAX_ROWS, 0),
    )
