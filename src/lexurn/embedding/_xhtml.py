"""XHTML: the head tags of a name, as XML, at the end of the head.

A page that has no head gets one. Everything else stays as it is, byte for byte.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._edit import Change
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._format import Format
from lexurn.embedding._head_tags import contradictions, may_be_ours, own_name
from lexurn.embedding._xml_blocks import (
    element_with_block,
    insertion,
    layout_of,
    ours_in,
    removals,
)
from lexurn.embedding._xml_format import embed_by, remove_by
from lexurn.embedding._xml_parts import part_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Reading
    from lexurn.embedding._xml import Opening
    from lexurn.embedding._xml_parts import Part
    from lexurn.embedding._xml_tree import Node
    from lexurn.export import Marking

__all__ = ["FORMAT", "XHTML"]

XHTML: Final = "http://www.w3.org/1999/xhtml"

_XML = "http://www.w3.org/XML/1998/namespace"
_TAG = re.compile(r"^(</?)(?=(?:link|meta|script)\b)", re.MULTILINE)


def _removal(document: Document) -> tuple[Edit, ...]:
    part = part_of(document, ["head"])
    is_page = part.root.is_named(XHTML, "html")
    return removals(document, part.node, _is_ours) if part.node is not None and is_page else ()


def _is_ours(node: Node) -> bool:
    """Whether an element in a block may be one that lexurn wrote."""
    opening = node.opening
    is_tag = opening.uri == XHTML and not node.children
    return is_tag and may_be_ours(opening.local, _attributes(opening))


def _attributes(opening: Opening) -> dict[str, str]:
    """The attributes of an element that are in no namespace."""
    return {each.local: each.value for each in opening.attributes if not each.uri}


def _addition(document: Document, marking: Marking) -> Change:
    """What puts a name into a page that has none of ours."""
    part = part_of(document, ["head"])
    lines = _lines(marking, part.root)
    head = part.node
    if not part.root.is_named(XHTML, "html") or (head is None and part.parent.is_empty):
        element = f"html/head of {XHTML}"
        raise EmbeddingError(finding("LX333", document.name, format="XHTML", element=element))
    if head is None and part.is_hidden:
        what = "an entity stands where the head of a page does, and entities are not expanded"
        raise EmbeddingError(finding("LX332", document.name, what=what))
    if head is not None:
        last = head.children[-1] if head.children else None
        edit = insertion(document, head, last, lines, layout_of(document, head, last))
    else:
        edit = element_with_block(document, part.parent, "head", lines, part.layout)
    return Change(edits=(edit,), findings=_findings(document, part, marking))


def _lines(marking: Marking, root: Opening) -> list[str]:
    """The tags, a line each, with the prefix of the page where it has one."""
    text = marking.head(is_xml=True).strip("\n")
    if root.prefix:
        text = _TAG.sub(rf"\1{root.prefix}:", text)
    return text.split("\n")


def _findings(document: Document, part: Part, marking: Marking) -> tuple[DocumentFinding, ...]:
    language = part.root.get("lang", _XML) or part.root.get("lang")
    return contradictions(
        document,
        marking,
        language=None if language is None else (part.root.line, language),
        names=() if part.node is None else _own_names(part.node),
    )


def _own_names(head: Node) -> Iterator[tuple[int, str]]:
    """What a page says that it is called, with lines."""
    for opening in (each.opening for each in head.elements):
        name = own_name(opening.local, _attributes(opening)) if opening.uri == XHTML else None
        if name is not None:
            yield opening.line, name


def read(document: Document) -> Reading:
    """What a page says, and what is wrong with the block in it.

    Raises:
        EmbeddingError: it cannot be read, or is no XML from its start.
    """
    from lexurn.embedding._html_reading import read_xhtml  # noqa: PLC0415 - of no use to writing

    reading = read_xhtml(document)
    return replace(reading, findings=(*_block_findings(document), *reading.findings))


def _block_findings(document: Document) -> tuple[DocumentFinding, ...]:
    found: list[DocumentFinding] = []
    # What else is wrong with a page is said where all of it is read.
    with suppress(EmbeddingError):
        part = part_of(document, ["head"])
        if part.node is not None and part.root.is_named(XHTML, "html"):
            ours_in(document, part.node, found.append)
    return tuple(found)


FORMAT: Final = Format(
    key="xhtml",
    label="XHTML",
    suffixes=frozenset({".xhtml", ".xht"}),
    media_types=frozenset({"application/xhtml+xml", "text/html"}),
    takes_partitions=True,
    embed=embed_by(_removal, _addition),
    remove=remove_by(_removal),
    read=read,
)
