"""HTML: the tags of a name in a block at the end of the head; no other byte is touched.

The block is put in where a parser leaves the head: before ``</head>``, else before the first thing
that is no part of a head. There it is in the head, however the page is written, and no other
element comes to stand elsewhere. It is ASCII, so that it is right in every encoding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.embedding._edit import Change, Edit
from lexurn.embedding._format import Format
from lexurn.embedding._html_block import block_of
from lexurn.embedding._html_page import page_of
from lexurn.embedding._html_remarks import lost_block, refuse_block, refuse_page, remarks

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._statement import Reading
    from lexurn.export import Marking

__all__ = ["FORMAT", "embed", "read", "remove"]


def embed(document: Document, marking: Marking, is_forced: bool) -> Change:  # noqa: ARG001, FBT001 - pages have no signature
    """Put the tags of a name into the head of a page, or in the place of those that are there.

    Args:
        document: the page.
        marking: what it is to say of itself.
        is_forced: of no meaning here.

    Raises:
        EmbeddingError: it cannot be read, has no head that could take them, or has two blocks.
    """
    page = page_of(document)
    refuse_page(page)
    start, end = page.span
    new = block_of(page, marking)
    edit = Edit(start=page.view.place(start), end=page.view.place(end), new=new)
    is_there = edit.end - edit.start == len(new) and document.read(edit.start, edit.end) == new
    return Change(edits=() if is_there else (edit,), findings=remarks(page, marking))


def remove(document: Document, is_forced: bool) -> Change:  # noqa: ARG001, FBT001 - pages have no signature
    """Take out the block of tags, so that the page is again what it was before.

    Args:
        document: the page.
        is_forced: of no meaning here.

    Raises:
        EmbeddingError: it cannot be read, has two blocks, or something else stands in ours.
    """
    page = page_of(document)
    findings = lost_block(page)
    if page.block is None:
        return Change(findings=findings)
    refuse_block(page)
    start, end = map(page.view.place, page.block)
    return Change(edits=(Edit(start=start, end=end, new=b""),), findings=findings)


def read(document: Document) -> Reading:
    """What a page says of itself."""
    from lexurn.embedding._html_reading import read_html  # noqa: PLC0415 - it needs a parser

    return read_html(document)


FORMAT = Format(
    key="html",
    label="HTML",
    suffixes=frozenset({".html", ".htm"}),
    media_types=frozenset({"text/html"}),
    takes_partitions=True,
    embed=embed,
    remove=remove,
    read=read,
)
