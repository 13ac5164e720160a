"""The base of every error that lexurn raises on purpose, and the errors that need nothing else.

A child per kind of fault, each also the builtin that a stranger would catch. What a user can mend
carries its place, its rule and what to do; only the command line turns errors into exit codes.
Errors that carry a room's own values stand in that room: `lexurn.name.NameSyntaxError`,
`lexurn.model.ModelError`, `lexurn.shacl.CheckError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CatalogueError",
    "CatalogueUsageError",
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
    """The base of all errors that lexurn raises on purpose."""


class UrnSyntaxError(LexurnError, ValueError):
    """A text is no URN.

    Attributes:
        problem: what is wrong, a sentence.
        text: the whole text.
        start: offset (code points) of the fault in ``text``.
        end: offset behind the fault.
        rule: the rule that forbids it, for example ``RFC 8141 §2``.
    """

    def __init__(self, problem: str, *, text: str, start: int, end: int, rule: str) -> None:
        """Keep the fault and its place."""
        super().__init__(f"{problem} (at {start}, {rule})")
        self.problem = problem
        self.text = text
        self.start = start
        self.end = end
        self.rule = rule


class HttpFormError(LexurnError, ValueError):
    """An HTTP form that cannot be made: a base, style or publisher that cannot be used."""


class ManifestError(LexurnError, ValueError):
    """A table that cannot be read as a manifest at all (single rows are findings instead)."""


class GraphError(LexurnError, ValueError):
    """Bytes that are no RDF, or RDF that is no graph of LEX names."""


class PublishError(LexurnError):
    """A site that cannot be written: what stands in the way, and what to do."""


class CatalogueError(LexurnError):
    """A catalogue that cannot be opened, read or written: what stands in the way, what to do."""


class CatalogueUsageError(CatalogueError):
    """A question that no catalogue can answer: a query, parameter or rule that there is not."""


class WorkerError(LexurnError):
    """A process that ended in the middle of its work for another one."""


class MissingDataError(LexurnError, FileNotFoundError):
    """A data folder of lexurn is absent or empty: the installation is broken."""

    def __init__(self, path: Path) -> None:
        """Name the folder."""
        super().__init__(f"lexurn's data is missing: {path}; install lexurn again")


class MissingExtraError(LexurnError, ImportError):
    """A package of an optional extra is not installed."""

    def __init__(self, extra: str) -> None:
        """Name the extra and how to get it."""
        super().__init__(f'this needs an extra: pip install "lexurn[{extra}]"')
