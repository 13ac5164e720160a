"""Exceptions: the base class of every error that lexurn raises on purpose, and its subclasses.

There is one subclass for each kind of fault; most are subclasses of a built-in exception too. An
error that a user can correct has the location, the rule and the remedy. Only the command line turns
errors into exit codes. Errors with values of one package are defined there, for example
`lexurn.name.NameSyntaxError` and `lexurn.model.ModelError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CatalogueError",
    "CatalogueUsageError",
    "DateError",
    "GraphError",
    "HttpFormError",
    "LexurnError",
    "ManifestError",
    "MissingDataError",
    "MissingExtraError",
    "PublishError",
    "UrnSyntaxError",
    "WorkerError",
]


class LexurnError(Exception):
    """Base class of all errors that lexurn raises on purpose."""


class UrnSyntaxError(LexurnError, ValueError):
    """Text that is not a URN.

    Attributes:
        problem: the fault, a sentence.
        text: the whole text.
        start: offset (code points) of the fault in ``text``.
        end: offset after the fault.
        rule: the rule that forbids it, for example ``RFC 8141 §2``.
    """

    def __init__(self, problem: str, *, text: str, start: int, end: int, rule: str) -> None:
        """Store the fault and its position."""
        super().__init__(f"{problem} (at {start}, {rule})")
        self.problem = problem
        self.text = text
        self.start = start
        self.end = end
        self.rule = rule


class DateError(LexurnError, ValueError):
    """Text that is not a date."""


class HttpFormError(LexurnError, ValueError):
    """Base, style or publisher that cannot be used for an HTTP form."""


class ManifestError(LexurnError, ValueError):
    """Table that cannot be read as a manifest at all; faults of single rows are findings."""


class GraphError(LexurnError, ValueError):
    """Bytes that are not RDF, or RDF that is not a graph of LEX names."""


class PublishError(LexurnError):
    """Site that cannot be written, with the reason and the remedy."""


class CatalogueError(LexurnError):
    """Catalogue that cannot be opened, read or written, with the reason and the remedy."""


class CatalogueUsageError(CatalogueError):
    """Request that no catalogue can answer: an unknown query, parameter or rule."""


class WorkerError(LexurnError):
    """Worker process that ended in the middle of a task."""


class MissingDataError(LexurnError, FileNotFoundError):
    """Data folder of lexurn that is absent or empty: the installation is broken."""

    def __init__(self, path: str | Path) -> None:
        """Make the message from the path of the file or folder."""
        super().__init__(f"{path} is missing; install lexurn again")


class MissingExtraError(LexurnError, ImportError):
    """Package of an optional extra that is not installed."""

    def __init__(self, extra: str) -> None:
        """Make the message from the name of the extra."""
        super().__init__(
            f'{_EXTRAS[extra]} need the extra "{extra}", which is not installed; run: python -m '
            f'pip install "lexurn[{extra}]" (in a checkout: python -m pip install -c '
            f'constraints.txt ".[{extra}]")'
        )


_EXTRAS = {
    "embed": "web pages and encrypted PDFs",
    "parquet": "Parquet files",
    "remote": "SPARQL servers",
    "sheets": "workbooks (XLSX, XLS, ODS) and Solar Hijri dates",
    "spark": "jobs on Spark",
}
