"""The block of tags as it is written into one page: its line breaks, its encoding, its syntax."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._html_encoding import PRESCANNED, charset_in, prescanned
from lexurn.embedding._html_head import BEGIN, END
from lexurn.embedding._html_labels import codec_of
from lexurn.embedding._html_page import DEFAULT_ENCODING
from lexurn.embedding._html_tokens import attributes_of, name_of

if TYPE_CHECKING:
    from lexurn.embedding._html_page import Page
    from lexurn.export import Marking

__all__ = ["block_of"]

_LINE_BREAK = re.compile(rb"\r\n?|\n")
_XHTML = b"http://www.w3.org/1999/xhtml"
# Elements whose content is text, or is in no page until a script takes it.
_HIDDEN = re.compile(
    rb"<(script|style|title|textarea|template|xmp|iframe|noembed|noframes)(?=[\t\n\f\r />])"
    rb".*?(?:</\1(?=[\t\n\f\r />])|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# How far behind the block a line break is looked for, where there is none in the head.
_NEAR = 1024


def block_of(page: Page, marking: Marking) -> bytes:
    """The block as it stands in a page: the same whether the page has one already or not.

    Raises:
        EmbeddingError: no block leaves the encoding of the page as it is.
    """
    is_xml = _is_xml(page)
    tags = marking.head(is_xml=is_xml)
    plain = _written(page, tags)
    if page.is_marked or page.view.unit > 1 or not _changes_encoding(page, plain):
        return plain
    if page.encoding is None:
        why = "something that stands behind would be taken for its encoding"
    elif not _is_said(page):
        why = "its encoding is said by what is no tag of it, so that browsers do not agree"
    else:
        # What said the encoding would come too far behind for a browser that looks for it.
        charset = f'<meta charset="{page.encoding}"{" /" if is_xml else ""}>\n'
        return _written(page, charset + tags)
    raise EmbeddingError(finding("LX325", page.document.name, why=why))


def _written(page: Page, tags: str) -> bytes:
    lines = f"{BEGIN.decode()}\n{tags.rstrip()}\n{END.decode()}\n"
    text = lines.replace("\n", _line_break(page))
    codec = codec_of(page.encoding or DEFAULT_ENCODING) if page.view.unit > 1 else "ascii"
    return text.encode(codec or "ascii")


def _line_break(page: Page) -> str:
    """The line break of the page: the first in its head, else a near one, else that of Unix."""
    start, end = page.span
    match = _LINE_BREAK.search(page.view.text, 0, start)
    if match is None:
        place = page.view.place(end)
        near = page.document.read(place, place + _NEAR * page.view.unit)
        match = _LINE_BREAK.search(near.replace(b"\0", b"") if page.view.unit > 1 else near)
    return "\n" if match is None else match[0].decode()


def _is_xml(page: Page) -> bool:
    """Whether the page is written as XHTML, which HTML parsers read too."""
    if page.head.doctype.startswith(b"<?xml") or b"xhtml" in page.head.doctype.lower():
        return True
    text = page.view.text
    roots = (attributes_of(text[start:end]) for start, end in page.head.roots)
    return any(root.get(b"xmlns") == _XHTML for root in roots)


def _changes_encoding(page: Page, block: bytes) -> bool:
    """Whether a browser would find another encoding with a block than it finds now.

    It looks for one in the first bytes, and then in the elements as they come; what says one in the
    block that is there goes with it.
    """
    start, end = page.span
    said = _charset_outside(page)
    if start >= PRESCANNED and said == page.head.charset:
        return False
    place = page.view.place(end)
    before, behind = page.document.read(0, start), page.document.read(place, place + PRESCANNED)
    found = prescanned(before + block + behind)
    return found != prescanned(before + behind) or (said or found) != page.encoding


def _is_said(page: Page) -> bool:
    """Whether an element or the XML declaration says the encoding, wherever it stands.

    What a script shows or a template holds is found in the first bytes alone, and not by all
    browsers: written into the head it would be what it has never been.
    """
    if _charset_outside(page) == page.encoding:
        return True
    start, end = map(page.view.place, page.span)
    first = page.document.read(0, min(start, PRESCANNED))
    first += page.document.read(end, end + PRESCANNED - len(first))
    return prescanned(_HIDDEN.sub(b"", first)) == page.encoding


def _charset_outside(page: Page) -> str | None:
    """The first encoding that an element of the head says outside of our block."""
    text, (start, end) = page.view.text, page.span
    if b"charset" not in text[start:end].lower():
        return page.head.charset
    outside = (text[tag[0] : tag[1]] for tag in page.head.tags if not start <= tag[0] < end)
    charsets = (charset_in(tag) for tag in outside if name_of(tag) == b"meta")
    return next(filter(None, charsets), None)
