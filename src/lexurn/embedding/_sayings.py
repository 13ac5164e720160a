"""What a page says, gathered from all of its ways to say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from lexurn.embedding._faults import Faults
from lexurn.embedding._statement import Statement

if TYPE_CHECKING:
    from lexurn.embedding._page import Element, Page
    from lexurn.embedding._statement import Way

__all__ = ["MOST_STATEMENTS", "NOWHERE", "NO_IRI", "EnoughError", "Sayings", "Term", "as_written"]

MOST_STATEMENTS: Final = 100_000
"""Statements of one page: a table of contents that names each article has some thousands."""

_MOST_TEXT = 1 << 26
NOWHERE: Final = "https://page.invalid/-/"
"""Where a page lies of which nobody knows where it lies; no IRI that is given out begins so."""

_ROOT = "https://page.invalid/"
_NO_BASE = re.compile(r'[\x00-\x20\x7f\s<>"{}|^`\\]|%(?![0-9A-Fa-f]{2})')

NO_IRI: Final = re.compile(r'[\s<>"{}|^`\\]')
"""What no IRI holds as it stands (RFC 3987 section 2.2)."""


class EnoughError(Exception):
    """A page says more than anybody should have to hear."""


class Term(NamedTuple):
    """What is said of something: an IRI, or a text with its language or datatype."""

    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None


class Sayings:
    """Statements and findings, as they are found; IRIs are resolved against the page's base."""

    def __init__(self, name: str, page: Page) -> None:
        """Begin.

        Args:
            name: the name of the document, for findings.
            page: the page, for its base.
        """
        self.base = _base(page.base or "")
        self._statements: list[Statement] = []
        self.faults = Faults(name)
        self._length = 0

    def resolved(self, reference: str) -> str:
        """A reference as a whole IRI; what is none stays as it is."""
        return _joined(self.base, reference.strip())

    def say(
        self, way: Way, subject: str, term: str, value: Term, element: Element, line: int = 0
    ) -> None:
        """Take in a statement.

        Args:
            way: how it is said.
            subject: the whole IRI of what it is said of.
            term: the IRI of the property.
            value: the value.
            element: where it is said.
            line: the line, where it is not that of the element.

        Raises:
            EnoughError: there are too many already.
        """
        text = as_written(value.value) if value.is_iri else value.value
        self._length += len(text)
        if len(self._statements) >= MOST_STATEMENTS or self._length > _MOST_TEXT:
            raise EnoughError
        statement = Statement(
            way=way,
            subject=None if subject == self.base else as_written(subject),
            term=as_written(term),
            value=text.strip(),
            is_iri=value.is_iri,
            language=value.language,
            datatype=value.datatype,
            line=line or element.line,
            is_ours=element.is_ours,
        )
        self._statements.append(statement)

    def statements(self) -> tuple[Statement, ...]:
        """All statements in the order of the page."""
        return tuple(sorted(self._statements, key=lambda each: each.line))


def _base(said: str) -> str:
    """The base that a page says; one of which no URL can be made is none (WHATWG HTML 4.2.3)."""
    try:
        base = urldefrag(urljoin(NOWHERE, said.strip()))[0]
        _ = urlsplit(base).port  # has to be a number
    except ValueError:
        return NOWHERE
    return _NO_BASE.sub(lambda each: quote(each[0]), base)


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def as_written(iri: str) -> str:
    """An IRI, or the reference that it came from where it is known only from where it hangs."""
    if not iri.startswith(_ROOT):
        return iri
    return iri.removeprefix(NOWHERE) if iri.startswith(NOWHERE) else iri[len(_ROOT) - 1 :]
