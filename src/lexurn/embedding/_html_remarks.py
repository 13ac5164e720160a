"""What is to be said of a page that a name is put into, and what keeps it from being put in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._html_head import MOST_TOKENS
from lexurn.embedding._html_page import LONGEST_HEAD, endless, line_of
from lexurn.embedding._html_tokens import attributes_of, name_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._html_page import Page
    from lexurn.export import Marking
    from lexurn.name import Name

__all__ = ["refuse_block", "refuse_page", "remarks"]

_DATA: Final = b"application/ld+json"
# Links of these kinds are for browsers: lexurn never writes them.
_FETCHED: Final = frozenset(
    {b"stylesheet", b"icon", b"preload", b"modulepreload", b"prefetch", b"preconnect", b"manifest"}
)
_IDENTIFIERS: Final = (b"identifier", b"id_local")
_NAMING: Final = frozenset({b"canonical", b"cite-as"})
_DUBLIN_CORE: Final = (b"dc.", b"dcterms.")
_SHOWN: Final = 60
_LONGEST_TITLE: Final = 2_000
_SCHEME: Final = b"urn:lex:"
# Code of servers and of programs that make pages, where a page would begin: PHP and others, Jinja
# and Liquid, FreeMarker, Template Toolkit, Razor and Blade, Velocity, front matter.
_CODE: Final = re.compile(
    rb"<[%?#]|\{[{%#]|\[[%#]|---[ \t]*\r?\n|\$\{"
    rb"|@(?:extends|model|page|using|layout|inherits|inject|section|include)\b"
    rb"|#(?:set|parse|macro|if|foreach|include)\b"
)
_HOLE: Final = re.compile(rb"\{\{|\{%|<%|<\?(?:php|=)")
_TITLE: Final = re.compile(rb"<title\b[^>]*+>([^<]*+)", re.IGNORECASE)


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
        *(span for span in inside if not _may_be_ours(text[slice(*span)])),
        *scripts[1:],
    )
    if strange:
        place, behind = min(strange)
        what = f"<{text[place:behind].decode('ascii', 'replace')}"
        line = line_of(text, place)
        raise EmbeddingError(
            finding("LX322", page.document.name, line=line, text=what, what=what[:_SHOWN])
        )


def _may_be_ours(tag: bytes) -> bool:
    name, attributes = name_of(tag), attributes_of(tag)
    if name == b"script":
        return attributes.get(b"type", b"").lower() == _DATA
    if name == b"link":
        return _FETCHED.isdisjoint(attributes.get(b"rel", b"").lower().split())
    is_said = not {b"about", b"charset"}.isdisjoint(attributes)
    return name == b"meta" and (
        is_said or attributes.get(b"name", b"").lower().startswith(_DUBLIN_CORE)
    )


def remarks(page: Page, marking: Marking) -> tuple[DocumentFinding, ...]:
    """What to know about a page that a name is put into."""
    return (
        *_frames(page),
        *_holes(page),
        *_languages(page, marking),
        *_names(page, marking),
    )


def _frames(page: Page) -> Iterator[DocumentFinding]:
    if page.head.stop[:9].lower() == b"<frameset":
        line = line_of(page.view.text, page.head.place)
        yield finding("LX326", page.document.name, line=line)


def _holes(page: Page) -> Iterator[DocumentFinding]:
    """A title or a root in which something is still to be filled in; scripts may do that too."""
    text, head = page.view.text, page.head
    title = _TITLE.search(text, 0, head.tags[-1][1] + _LONGEST_TITLE if head.tags else 0)
    spans = [*head.roots[:1], *([title.span(1)] if title is not None else [])]
    for start, end in spans:
        hole = _HOLE.search(text, start, end)
        if hole is not None:
            what = text[start:end].decode("utf-8", "replace").strip()[:_SHOWN]
            line = line_of(text, hole.start())
            yield finding("LX318", page.document.name, line=line, text=what)
            return


def _languages(page: Page, marking: Marking) -> Iterator[DocumentFinding]:
    """A language of the page that is another than the one that the name says."""
    if marking.language is None:
        return
    for start, end in page.head.roots:
        attributes = attributes_of(page.view.text[start:end])
        said = (attributes.get(b"lang") or attributes.get(b"xml:lang") or b"").decode("latin-1")
        if said:
            if _differ(said, marking.language):
                line = line_of(page.view.text, start)
                values = {"said": said, "language": marking.language}
                yield finding("LX328", page.document.name, line=line, text=said, **values)
            return


def _differ(said: str, language: str) -> bool:
    """Whether two tags are of two languages; codes of two and of three letters are not compared."""
    one, other = (each.strip().lower().replace("_", "-").split("-")[0] for each in (said, language))
    return len(one) == len(other) and one != other


def _names(page: Page, marking: Marking) -> Iterator[DocumentFinding]:
    """Other names that the page says outside of our block to be its own."""
    name, same = marking.name, marking.equals(marking.name)
    text = page.view.text
    start, end = page.block or (0, 0)
    outside = text[:start], text[end : page.head.tags[-1][1] if page.head.tags else 0]
    if not any(_SCHEME in part.lower() for part in outside):
        return
    for place, behind in page.head.tags:
        other = None if start <= place < end else _own_name(text[place:behind])
        if other is not None and other not in same:
            line = line_of(text, place)
            values = {"other": str(other), "name": str(name)}
            yield finding("LX327", page.document.name, line=line, text=str(other), **values)


def _own_name(tag: bytes) -> Name | None:
    """The name that a tag says that the page has, None where it says none."""
    if _SCHEME not in tag.lower():
        return None
    element, attributes = name_of(tag), attributes_of(tag)
    if element == b"link":
        is_own = not _NAMING.isdisjoint(attributes.get(b"rel", b"").lower().split())
        value = attributes.get(b"href", b"")
    else:
        term = attributes.get(b"name") or attributes.get(b"property") or b""
        is_own = element == b"meta" and term.lower().endswith(_IDENTIFIERS)
        value = attributes.get(b"content", b"")
    return check(value.decode("utf-8", "replace").strip()).name if is_own else None
