"""Report of a run of `publish`, and its page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.findings import Severity as RowSeverity
from lexurn.name import NameSyntaxError, parse
from lexurn.pages import escape_controls, locate_folder, quote_path
from lexurn.shacl import Severity

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lexurn.findings import Finding
    from lexurn.publishing.dcat import SiteSettings
    from lexurn.shacl import Result

_MAX_ROWS = 2_000
_MANY = 10
"""Number of nodes above which a message that is not on a violation is shown once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishReport:
    """Report of a run.

    Attributes:
        published: whether the site was written; False where violations prevented it.
        families: the number of families in the manifest.
        nodes: the number of their names, each a folder of the site.
        written: the number of files that were new or had changed.
        rejected: the number of rows that were left out as invalid.
        rejected_rows: the number of these rows by the name of their file.
        newly_rejected: the number of these rows that the last run did not reject; in the first run
            of a site all of them.
        new_rejects: the first error in each of the first 100 of them.
        row_findings: the number of findings on rows by severity; each rejected row has an error.
        rejects: the files that hold these rows unchanged.
        counts: the number of results of each severity.
        results: the first 50,000 of them, in the order of the families; after these, violations
            alone are kept, up to 100,000 results in all.
        as_of: the day for what is in force.
        left_names: the names that have left the input since the last run; their pages say that they
            are withdrawn.
        kept_names: the names that are not in the input and stay as they were, because their rows
            may have been rejected.
        new_works: the first 1,000 works that are new, or in the input again.
        changed_works: the first 1,000 works that have changed, or of which a name has left.
        new: the number of all new works.
        changed: the number of all changed works.
        removed_names: the names that have left the input and whose pages were removed.
        lost_aliases: the names that have left the input and were aliases, which the input
            contradicts now: their pages lead to no other name.
        emptied_names: the names without a row of their own any more, which stay because names
            below them are in the input.
        missing_keys: the keys of ``site.toml`` that DCAT-AP requires or recommends for
            ``catalogue.ttl``, and that are absent.
    """

    published: bool
    families: int
    nodes: int
    written: int
    rejected: int = 0
    rejects: tuple[Path, ...] = ()
    counts: Mapping[str, int]
    results: tuple[Result, ...]
    as_of: dt.date
    left_names: Sequence[str] = ()
    kept_names: Sequence[str] = ()
    new_works: Sequence[str] = ()
    changed_works: Sequence[str] = ()
    new: int = 0
    changed: int = 0
    removed_names: Sequence[str] = ()
    lost_aliases: Sequence[str] = ()
    emptied_names: Sequence[str] = ()
    missing_keys: Sequence[str] = ()
    rejected_rows: Mapping[str, int] = field(default_factory=dict)
    newly_rejected: int = 0
    new_rejects: Sequence[Finding] = ()
    row_findings: Mapping[RowSeverity, int] = field(default_factory=dict)

    @property
    def violations(self) -> tuple[Result, ...]:
        """Results that forbid publication."""
        return tuple(each for each in self.results if each.severity is Severity.VIOLATION)


def render_report(report: PublishReport, settings: SiteSettings, left: Sequence[str]) -> bytes:
    """Render the report page: the counts of each severity, then the results by file and line.

    Violations come first. Another message on many nodes is shown once, with its count. The page
    of a site that was not published links to no other file.

    Args:
        report: the report; its sources and tables are shown as they are.
        settings: the settings of the site.
        left: all names of the site that the source does not have, sorted.
    """
    words, folder = settings.words, settings.out
    labels = {
        Severity.VIOLATION: words("report.violation"),
        Severity.WARNING: words("report.warning"),
        Severity.INFO: words("report.info"),
    }
    ordered = sorted(
        report.results,
        key=lambda each: (each.severity is not Severity.VIOLATION, each.source_order),
    )
    counts = Counter(each.message for each in ordered if each.severity is not Severity.VIOLATION)
    shown: dict[object, tuple[Result, int]] = {}
    for each in ordered:
        times = 0 if each.severity is Severity.VIOLATION else counts[each.message]
        shown.setdefault(each.message if times > _MANY else id(each), (each, times))
    findings = []
    for result, times in islice(shown.values(), _MAX_ROWS):
        source, focus = result.source, result.focus.removeprefix("<").removesuffix(">")
        row = {
            "severity": labels[result.severity],
            "source": words("report.line", file=source.file, line=str(source.line))
            if source
            else "",
            "focus": focus,
            "path": (result.path or "").removeprefix("<").removesuffix(">"),
            "message": result.message,
            "times": words.number(times) if times > _MANY else "",
            "href": (report.published and _link_page(focus, folder)) or "",
        }
        findings.append({key: escape_controls(value) for key, value in row.items()})
    hidden = max(sum(report.counts.values()) - len(findings), 0)
    return settings.render_page(
        "report.html",
        root="" if report.published else None,
        checked=words("report.checked", names=words.count("count.names", report.nodes)),
        counts=[
            (label, words.number(report.counts.get(each.value, 0)))
            for each, label in labels.items()
        ],
        rejected=[(file, words.number(rows)) for file, rows in report.rejected_rows.items()],
        rows=[
            (label, words.number(report.row_findings[each]))
            for each, label in (
                (RowSeverity.WARNING, words("report.warning")),
                (RowSeverity.NOTE, words("report.info")),
            )
            if report.row_findings.get(each)
        ],
        left=[
            {"name": escape_controls(each), "href": _link_page(each, folder)}
            for each in left[:_MAX_ROWS]
        ],
        hidden_left=words.number(len(left) - _MAX_ROWS) if len(left) > _MAX_ROWS else "",
        findings=findings,
        hidden=words.number(hidden) if hidden else "",
    )


def _link_page(text: str, folder: Path) -> str | None:
    """Return the link to the page of a name; None if it is not a name, or has no page."""
    try:
        segments = locate_folder(parse(text))
    except NameSyntaxError:
        return None
    has_page = folder.joinpath(*segments, "index.html").is_file()
    return f"{quote_path(segments)}/index.html" if has_page else None
