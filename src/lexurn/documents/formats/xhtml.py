"""XHTML: the head tags of a name, as XML, at the end of the head.

A page that has no head gets one. Everything else stays as it is, byte for byte.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lexurn.documents.document import Change, DocumentFormat
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.formats.html import (
    find_contradictions,
    is_own_tag,
    read_page_name,
)
from lexurn.documents.formats.xml import (
    choose_layout,
    embed_in_xml,
    find_own_offsets,
    find_part,
    insert_block,
    insert_element,
    remove_block,
    remove_from_xml,
)
from lexurn.vocabulary import XHTML_NAMESPACE, XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from lexurn.documents.containers.xml import StartTag, XmlNode
    from lexurn.documents.document import Document, Edit, Reading
    from lexurn.documents.formats.xml import DocumentPart
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


_TAG = re.compile(r"^(</?)(?=(?:link|meta|script)\b)", re.MULTILINE)


def _plan_removal(document: Document) -> tuple[Edit, ...]:
    part = find_part(document, ["head"])
    is_page = part.root.is_named(XHTML_NAMESPACE, "html")
    return (
        remove_block(document, part.node, _is_own_element)
        if part.node is not None and is_page
        else ()
    )


def _is_own_element(node: XmlNode) -> bool:
    """Return whether an element in a block may be one that lexurn wrote."""
    opening = node.opening
    is_tag = opening.uri == XHTML_NAMESPACE and not node.children
    return is_tag and is_own_tag(opening.local, _read_attributes(opening))


def _read_attributes(opening: StartTag) -> dict[str, str]:
    """Return the attributes of an element that are in no namespace."""
    return {each.local: each.value for each in opening.attributes if not each.uri}


def _plan_addition(document: Document, marking: DocumentMetadata) -> Change:
    """Plan the addition of a name to a page without a block of lexurn."""
    part = find_part(document, ["head"])
    lines = _write_lines(marking, part.root)
    head = part.node
    if not part.root.is_named(XHTML_NAMESPACE, "html") or (head is None and part.parent.is_empty):
        element = f"html/head of {XHTML_NAMESPACE}"
        raise DocumentError(make_finding("LX333", document.name, format="XHTML", element=element))
    if head is None and part.is_hidden:
        what = "an entity stands where the head of a page does, and entities are not expanded"
        raise DocumentError(make_finding("LX332", document.name, what=what))
    if head is not None:
        last = head.children[-1] if head.children else None
        edit = insert_block(document, head, last, lines, choose_layout(document, head, last))
    else:
        edit = insert_element(document, part.parent, "head", lines, part.layout)
    return Change(edits=(edit,), findings=_find_contradictions(document, part, marking))


def _write_lines(marking: DocumentMetadata, root: StartTag) -> list[str]:
    """Return the tags, a line each, with the prefix of the page if it has one."""
    text = marking.head(is_xml=True).strip("\n")
    if root.prefix:
        text = _TAG.sub(rf"\1{root.prefix}:", text)
    return text.split("\n")


def _find_contradictions(
    document: Document, part: DocumentPart, marking: DocumentMetadata
) -> tuple[Finding, ...]:
    language = part.root.get("lang", XML_NAMESPACE) or part.root.get("lang")
    return find_contradictions(
        document,
        marking,
        language=None if language is None else (part.root.line, language),
        names=() if part.node is None else _find_page_names(part.node),
    )


def _find_page_names(head: XmlNode) -> Iterator[tuple[int, str]]:
    """Yield the names that a page states, with lines."""
    for opening in (each.opening for each in head.elements):
        name = (
            read_page_name(opening.local, _read_attributes(opening))
            if opening.uri == XHTML_NAMESPACE
            else None
        )
        if name is not None:
            yield opening.line, name


def read(document: Document) -> Reading:
    """Read the statements of a page, and the faults of the block in it.

    Raises:
        DocumentError: it cannot be read, or is no XML from its start.
    """
    from lexurn.documents.reading.html import read_xhtml  # noqa: PLC0415 - of no use to writing

    reading = read_xhtml(document)
    return replace(reading, findings=(*_check_blocks(document), *reading.findings))


def _check_blocks(document: Document) -> tuple[Finding, ...]:
    found: list[Finding] = []
    # What else is wrong with a page is said where all of it is read.
    with suppress(DocumentError):
        part = find_part(document, ["head"])
        if part.node is not None and part.root.is_named(XHTML_NAMESPACE, "html"):
            find_own_offsets(document, part.node, found.append)
    return tuple(found)


FORMAT: Final = DocumentFormat(
    key="xhtml",
    label="XHTML",
    suffixes=frozenset({".xhtml", ".xht"}),
    media_types=frozenset({"application/xhtml+xml", "text/html"}),
    takes_partitions=True,
    embed=partial(embed_in_xml, _plan_removal, _plan_addition),
    remove=partial(remove_from_xml, _plan_removal),
    read=read,
)
