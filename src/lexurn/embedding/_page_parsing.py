"""Bytes to a page, by an HTML5 parser, or by the scanner for XML where a page is XHTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._page import Tree
from lexurn.embedding._page_text import LARGEST_PAGE, page_text
from lexurn.embedding._xml import Closing, Comment, Doctype, Opening, Text, events
from lexurn.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._page import Page
    from lexurn.embedding._xml_events import Event

__all__ = ["html_page", "xhtml_page"]

MOST_ELEMENTS: Final = 1_000_000
"""Elements of one page that are read: consolidated codes with a tag at each word have as many."""

# The parser fails at digits that are none of ASCII (&#2¹;); for a browser, too, they are no number.
_ODD_REFERENCE = re.compile(r"&(?=#[xX]?[0-9A-Fa-f]*[^\x00-\x7f])")
_LARGE = f"is larger than {LARGEST_PAGE >> 20} megabytes"
_XHTML = "http://www.w3.org/1999/xhtml"
_XML = "http://www.w3.org/XML/1998/namespace"
_XHTML1 = re.compile(r"-//W3C//DTD XHTML(?:\+RDFa)? 1\.")


def html_page(document: Document) -> tuple[Page, tuple[DocumentFinding, ...]]:
    """A page as a browser reads it without scripting; any bytes are one.

    Only the beginning of one that is very large, or has very many elements, is read, which is said:
    its head is there.

    Raises:
        EmbeddingError: the document cannot be read.
        MissingExtraError: the extra ``embed`` is not installed.
    """
    text, findings = page_text(document)
    if document.size > LARGEST_PAGE:
        findings = (*findings, finding("LX370", document.name, what=_LARGE))
    root, is_whole = _parsed(text)
    if not is_whole:
        findings = (*findings, _many(document))
    tree = Tree()
    for node, is_end in _walk(root):
        if is_end:
            tree.close()
        else:
            _grow(tree, node)
    return tree.page(), findings


def _parsed(text: str) -> tuple[Any, bool]:
    """The root of the tree of a page, and whether that is all of it."""
    try:
        from lexurn.embedding._page_engine import parsed  # noqa: PLC0415 - it takes an extra
    except ImportError:
        raise MissingExtraError("embed") from None
    return parsed(_ODD_REFERENCE.sub("&amp;", text), MOST_ELEMENTS)


def _many(document: Document) -> DocumentFinding:
    what = f"makes more than {MOST_ELEMENTS:,} elements"
    return finding("LX370", document.name, what=what)


def _walk(root: Any) -> Iterator[tuple[Any, bool]]:
    """The nodes below a root in the order of the page; elements once more where they end."""
    waiting: list[tuple[Any, bool]] = [(node, False) for node in reversed(root.children)]
    while waiting:
        node, is_end = waiting.pop()
        yield node, is_end
        if not is_end and node.name[0] not in "#!":
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.children))


def _grow(tree: Tree, node: Any) -> None:
    if node.name == "#text":
        tree.say(node.data or "")
    elif node.name == "#comment":
        tree.comment(node.data or "")
    elif node.name[0] not in "#!":
        attributes = {name: value or "" for name, value in node.attrs.items()}
        declared = {
            name.removeprefix("xmlns:"): value
            for name, value in attributes.items()
            if name.startswith("xmlns:")
        }
        tree.open(node.name, attributes, line=node.origin_line or 0, declared=declared)


def xhtml_page(document: Document) -> tuple[Page, tuple[DocumentFinding, ...]]:
    """A page in XML; of one that is not well-formed what stands before the fault.

    Raises:
        EmbeddingError: the document cannot be read at all.
    """
    tree, findings = Tree(is_xml=True), []
    is_xhtml1 = False
    try:
        for event in events(document):
            if isinstance(event, Doctype):
                is_xhtml1 = bool(_XHTML1.search(event.public_id or ""))
            else:
                _grow_by(tree, event)
            if tree.size > MOST_ELEMENTS:
                findings.append(_many(document))
                break
            if tree.length >= LARGEST_PAGE:
                findings.append(finding("LX370", document.name, what=_LARGE))
                break
    except EmbeddingError as fault:
        if tree.size == 0:
            raise
        findings.append(fault.finding)
    return tree.page(is_xhtml1=is_xhtml1), tuple(findings)


def _grow_by(tree: Tree, event: Event) -> None:
    if isinstance(event, Opening):
        attributes = {
            f"xml:{each.local}" if each.uri == _XML else each.local: each.value
            for each in event.attributes
            if each.uri in {"", _XML}
        }
        name = event.local if event.uri in {_XHTML, ""} else f"{event.uri} {event.local}"
        tree.open(name, attributes, line=event.line, declared=event.scope)
    elif isinstance(event, Closing):
        tree.close()
    elif isinstance(event, Text):
        tree.say(event.value)
    elif isinstance(event, Comment):
        tree.comment(event.value)
