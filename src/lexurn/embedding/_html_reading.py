"""What a page of HTML or XHTML says of itself, in each of the ways that pages have.

Statements in the block that lexurn wrote are marked as ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.embedding._head_reading import say_head
from lexurn.embedding._json_ld import say_json_ld
from lexurn.embedding._microdata import say_microdata
from lexurn.embedding._page_parsing import html_page, xhtml_page
from lexurn.embedding._rdfa import say_rdfa
from lexurn.embedding._sayings import MOST_STATEMENTS, EnoughError, Sayings
from lexurn.embedding._statement import Reading

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._page import Page

__all__ = ["read_html", "read_xhtml"]

_MUCH = f"says more than {MOST_STATEMENTS:,} things about itself"


def read_html(document: Document) -> Reading:
    """What a page of HTML says; any bytes are one.

    Raises:
        EmbeddingError: the document cannot be read.
        MissingExtraError: the extra ``embed`` is not installed.
    """
    page, findings = html_page(document)
    return _reading(document.name, page, findings)


def read_xhtml(document: Document) -> Reading:
    """What a page of XHTML says; where it is not well-formed, what it says before the fault.

    Raises:
        EmbeddingError: the document cannot be read, or is no XML from its start.
    """
    page, findings = xhtml_page(document)
    return _reading(document.name, page, findings)


def _reading(name: str, page: Page, findings: tuple[DocumentFinding, ...]) -> Reading:
    sayings = Sayings(name, page)
    for say in (say_head, say_json_ld, say_rdfa, say_microdata):
        try:
            say(page, sayings)
        except EnoughError as fault:
            sayings.faults.find("LX370", 0, "", what=str(fault) or _MUCH)
            break
    return Reading(statements=sayings.statements(), findings=(*findings, *sayings.faults.all()))
