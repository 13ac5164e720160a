"""What is to be said of a page that a name is put into, and what keeps it from being put in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._head_tags import contradictions, may_be_ours, own_name
from lexurn.embedding._html_head import BEGIN, END, MOST_TOKENS
from lexurn.embedding._html_page import LONGEST_HEAD, endless, line_of
from lexurn.embedding._html_tokens import attributes_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._html_page import Page
    from lexurn.export import Marking

__all__ = ["lost_block", "refuse_block", "refuse_page", "remarks"]

_SHOWN: Final = 60
_LONGEST_TITLE: Final = 2_000
_OUR_NAME: Final = b'<meta name="DC.identifier" '
_URN: Final = b"urn"
# Code of servers and of programs that make pages, where a page would begin: PHP and others, Jinja
# and Liquid, FreeMarker, Template Toolkit, Razor and Blade, Velocity, front matter.
_CODE: Final = re.compile(
    rb"<[%?#]|\{[{%#]|\[[%#]|---[ \t]*\r?\n|\$\{"
    rb"|@(?:extends|model|page|using|layout|inherits|inject|section|include)\b"
    rb"|#(?:set|parse|macro|if|foreach|include)\b"
)
_HOLE: Final = re.compile(rb"\{\{|\{%|<%|<\?(?:php\b|=|\s)")
_TITLE: Final = re.compile(rb"<title\b[^>]*+>(.*?)(?:</title|\Z)", re.IGNORECASE | re.DOTALL)


def refuse_page(page: Page) -> None:
    """Make sure that tags can be put into a page.

    Raises:
        EmbeddingError: they cannot; with what to do.
    """
    name, text, head = page.document.name, page.view.text, page.head
    if page.encoding == "replacement":
        why = "it says an encoding that browsers do not read any more"
        raise EmbeddingError(finding("LX325", name, why=why))
    if b"\0" in head.stop[:2]:
        why = "it has zero bytes, as UTF-16 or UTF-32 without a byte order mark has"
        raise EmbeddingError(finding("LX325", name, why=why))
    if head.code >= 0 or _CODE.match(head.stop):
        line = line_of(text, head.code if head.code >= 0 else head.place)
        raise EmbeddingError(finding("LX329", name, line=line))
    if page.block is not None:
        refuse_block(page)
    elif head.is_cut and not head.is_begun and head.stop.startswith((b"<!", b"</")):
        raise EmbeddingError(finding("LX323", name, line=line_of(text, head.place)))
    elif page.view.place(head.place) > LONGEST_HEAD or head.count > MOST_TOKENS:
        raise EmbeddingError(endless(page.document))


def refuse_block(page: Page) -> None:
    """Make sure that all in our block is ours, since it goes when the block is replaced.

    Raises:
        EmbeddingError: something is not.
    """
    if page.block is None:
        return
    start, end = page.block
    text, head = page.view.text, page.head
    inside = [span for span in head.tags if start < span[0] < end]
    scripts = [span for span in inside if name_of(text[slice(*span)]) == b"script"]
    strange = (
        *(span for span in (*head.roots, *head.others) if start < span[0] < end),
        *(span for span in inside if not _is_ours(text[slice(*span)])),
        *scripts[1:],
    )
    if strange:
        place, behind = min(strange)
        what = f"<{text[place:behind].decode('ascii', 'replace')}"
        line = line_of(text, place)
        raise EmbeddingError(
            finding("LX322", page.document.name, line=line, text=what, what=what[:_SHOWN])
        )


def _is_ours(tag: bytes) -> bool:
    element, attributes = name_of(tag).decode("latin-1"), _attributes(tag)
    is_charset = element == "meta" and "charset" in attributes
    return is_charset or may_be_ours(element, attributes)


def _attributes(tag: bytes) -> dict[str, str]:
    return {
        name.decode("latin-1"): value.decode("utf-8", "replace")
        for name, value in attributes_of(tag).items()
    }


def remarks(page: Page, marking: Marking) -> tuple[DocumentFinding, ...]:
    """What to know about a page that a name is put into."""
    return (
        *_frames(page),
        *_holes(page),
        *lost_block(page),
        *contradictions(page.document, marking, language=_language(page), names=_own_names(page)),
    )


def lost_block(page: Page) -> tuple[DocumentFinding, ...]:
    """A warning where a block of ours is in the head no more: it still says a name."""
    text = page.view.text
    at = text.find(BEGIN, max(page.head.place, page.block[1] if page.block is not None else 0))
    while at >= 0:
        end = text.find(END, at)
        if end < 0:
            return ()
        if text.find(_OUR_NAME, at, end) >= 0:
            line = line_of(text, at)
            return (finding("LX328", page.document.name, line=line, text=BEGIN.decode()),)
        at = text.find(BEGIN, end)
    return ()


def _frames(page: Page) -> Iterator[DocumentFinding]:
    if page.head.stop[:9].lower() == b"<frameset":
        line = line_of(page.view.text, page.head.place)
        yield finding("LX326", page.document.name, line=line)


def _holes(page: Page) -> Iterator[DocumentFinding]:
    """A line of the head in which something is still to be filled in; scripts may do that too."""
    text, head = page.view.text, page.head
    title = _TITLE.search(text, 0, head.tags[-1][1] + _LONGEST_TITLE if head.tags else 0)
    titles = [] if title is None else [title.span(1)]
    bogus = [(start - 1, end) for start, end in head.others if text.startswith(b"<?", start - 1)]
    for start, end in (*head.roots[:1], *titles, *head.tags, *bogus):
        hole = _HOLE.search(text, start, end)
        if hole is not None:
            what = text[start:end].decode("utf-8", "replace").strip()[:_SHOWN]
            line = line_of(text, hole.start())
            yield finding("LX318", page.document.name, line=line, text=what)
            return


def _language(page: Page) -> tuple[int, str] | None:
    """The language that the page says, with its line; None where it says none."""
    for start, end in page.head.roots:
        attributes = _attributes(page.view.text[start:end])
        said = attributes.get("lang") or attributes.get("xml:lang")
        if said:
            return line_of(page.view.text, start), said
    return None


def _own_names(page: Page) -> Iterator[tuple[int, str]]:
    """What the page says outside of our block that it is called, with lines."""
    text = page.view.text
    begin, finish = page.block or (0, 0)
    line, last = 1, 0
    for start, end in page.head.tags:
        if begin <= start < finish:
            continue
        tag = text[start:end]
        if _URN not in tag.lower():
            continue
        line, last = line + line_of(text[last:start], start - last) - 1, start
        name = own_name(name_of(tag).decode("latin-1"), _attributes(tag))
        if name is not None:
            yield line, name
