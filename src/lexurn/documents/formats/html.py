"""HTML and XHTML: the tags of a name in a block at the end of the head. No other byte changes.

In HTML the block stands where a parser leaves the head: before ``</head>``, else before the first
token that cannot be in a head. There it is in the head, and no other element moves. It is ASCII,
which is valid in every encoding. XHTML is read as XML, and has to have a head.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.documents.containers import html
from lexurn.documents.document import (
    Change,
    Document,
    DocumentError,
    DocumentFormat,
    Edit,
    Reading,
    make_error,
    make_finding,
)
from lexurn.documents.formats.xml import XmlSchema, find_own_offsets, insert_block
from lexurn.documents.names import find_language_conflict, is_name_like, is_related, parse_any_name
from lexurn.vocabulary import XHTML_NAMESPACE, XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.documents.containers.xml import StartTag, XmlNode
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


def embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: ARG001 - pages have no signature
    """Put the tags of a name into the head of a page, or replace those that are there."""
    page = html.open_page(document)
    _check_page(page)
    start, end = page.span
    new = _write_block(page, marking)
    is_there = end - start == len(new) and document.read(start, end) == new
    languages: tuple[Finding, ...] = ()
    for at, tag_end in page.head.roots:
        _, attributes = html.parse_tag(page.text[at:tag_end])
        tag = attributes.get("lang") or attributes.get("xml:lang")
        if tag:
            line = html.find_line(page.text, at)
            languages = find_language_conflict(document, marking, [tag], line)
            break
    findings = (
        *_find_remarks(page),
        *_find_lost_block(page),
        *languages,
        *_find_other_names(document, marking, _find_page_names(page)),
    )
    edits = () if is_there else (Edit(start=start, end=end, new=new),)
    return Change(edits=edits, findings=findings)


def remove(document: Document, is_forced: bool) -> Change:  # noqa: ARG001 - pages have no signature
    """Remove the block of tags, which restores the page."""
    page = html.open_page(document)
    if page.codec is not None:
        # An editor may have saved a page in UTF-16 that has a block.
        text = document.read(0, html.LONGEST_HEAD).decode(page.codec, "replace")
        if html.BLOCK_BEGIN.decode() in text:
            raise make_error("LX325", document.name, why=_NO_TAGS)
    findings = tuple(_find_lost_block(page))
    if page.block is None:
        return Change(findings=findings)
    _check_block(page)
    start, end = page.block
    return Change(edits=(Edit(start=start, end=end, new=b""),), findings=findings)


def read(document: Document) -> Reading:
    """Read the statements of a page about itself."""
    from lexurn.documents.reading.html import read_html  # noqa: PLC0415 - not needed for writing

    return read_html(document)


FORMAT = DocumentFormat(
    key="html",
    label="HTML",
    suffixes=frozenset({".html", ".htm"}),
    media_types=frozenset({"text/html"}),
    takes_partitions=True,
    embed=embed,
    remove=remove,
    read=read,
)
_NO_TAGS = "it is in UTF-16 or ISO-2022-JP, in which lexurn writes no tags"
# A line break so far after the block counts if there is none in the head.
_LINE_BREAK_REACH = 1024


def _write_block(page: html.HtmlPage, marking: DocumentMetadata) -> bytes:
    """Return the block of a page, which does not depend on an old block."""
    roots = (html.parse_tag(page.text[start:end])[1] for start, end in page.head.roots)
    # HTML parsers read XHTML too.
    is_xml = (
        page.head.doctype.startswith(b"<?xml")
        or b"xhtml" in page.head.doctype.lower()
        or any(root.get("xmlns") == XHTML_NAMESPACE for root in roots)
    )
    tags = marking.head(is_xml=is_xml).rstrip().encode("ascii")
    lines = b"%b\n%b\n%b\n" % (html.BLOCK_BEGIN, tags, html.BLOCK_END)
    # The line break is that of the page: the first in its head, or a near one.
    start, end = page.span
    match = html.LINE_BREAK.search(page.text, 0, start)
    if match is None:
        match = html.LINE_BREAK.search(page.document.read(end, end + _LINE_BREAK_REACH))
    block = lines.replace(b"\n", b"\n" if match is None else match[0])
    # A browser looks for an encoding in the first bytes of a page.
    before, after = page.text[:start], page.text[end : end + max(0, html.PRESCAN_LENGTH - start)]
    is_late = html.META_CHARSET.search(after) is not None and not before.startswith(BOM_UTF8)
    if is_late and html.META_CHARSET.search(before) is None:
        is_noscript = page.head.stop[:9].lower() == b"<noscript"
        place = "a noscript, before which tags stand" if is_noscript else "the place for tags"
        why = f"its encoding is declared after {place}"
        raise make_error("LX325", page.document.name, why=why)
    return block


_LONGEST_EXCERPT: Final = 60
_LONGEST_TITLE: Final = 2_000
_OWN_NAME_TAG: Final = b'<meta name="DC.identifier" '
# Code of servers and of programs that make pages, where a page would begin: PHP and others, Jinja
# and Liquid, FreeMarker, Template Toolkit, Razor and Blade, Velocity, front matter.
_SERVER_CODE: Final = re.compile(
    rb"<[%?#]|\{[{%#]|\[[%#]|---[ \t]*\r?\n|\$\{"
    rb"|@(?:extends|model|page|using|layout|inherits|inject|section|include)\b"
    rb"|#(?:set|parse|macro|if|foreach|include)\b"
)
_SCRIPT_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*+<\?(?:php\b|=|[\t\n\f\r ])", re.IGNORECASE
)
_PLACEHOLDER: Final = re.compile(rb"\{\{|\{%|<%|<\?(?:php\b|=|\s)")
_TITLE: Final = re.compile(rb"<title\b[^>]*+>(.*?)(?:</title|\Z)", re.IGNORECASE | re.DOTALL)


def _check_page(page: html.HtmlPage) -> None:
    """Check that tags can be put into a page."""
    name, text, head = page.document.name, page.text, page.head
    why = None
    if page.codec is not None:
        why = _NO_TAGS
    elif b"\0" in head.stop[:2]:
        why = "it has zero bytes, as UTF-16 or UTF-32 without a byte order mark has"
    if why is not None:
        raise make_error("LX325", name, why=why)
    start = _SCRIPT_START.match(text)
    if start is not None or head.code >= 0 or _SERVER_CODE.match(head.stop):
        at = start.end() if start is not None else max(head.code, 0) or head.position
        raise make_error("LX329", name, line=html.find_line(text, at))
    if page.block is not None:
        _check_block(page)
    elif head.is_cut and not head.is_begun and head.stop.startswith((b"<!", b"</")):
        raise make_error("LX323", name, line=html.find_line(text, head.position))
    elif head.position > html.LONGEST_HEAD or head.count > html.MOST_TOKENS:
        raise DocumentError(html.make_long_head_finding(page.document))


def _check_block(page: html.HtmlPage) -> None:
    """Check that lexurn wrote all in its block, since the block is replaced as a whole."""
    start, end = page.span
    text, head = page.text, page.head
    strange = [span for span in (*head.roots, *head.others) if start < span[0] < end]
    scripts = []
    for span in (each for each in head.tags if start < each[0] < end):
        element, attributes = html.parse_tag(text[slice(*span)])
        if not _is_own_tag(element, attributes):
            strange.append(span)
        if element == "script":
            scripts.append(span)
    strange += scripts[1:]
    if strange:
        start, tag_end = min(strange)
        written = f"<{text[start:tag_end].decode('ascii', 'replace')}"
        line, what = html.find_line(text, start), written[:_LONGEST_EXCERPT]
        raise make_error("LX322", page.document.name, line=line, text=written, what=what)


def _find_lost_block(page: html.HtmlPage) -> Iterator[Finding]:
    """Yield a warning if a block of lexurn stands outside of the head, with a name in it."""
    text = page.text
    at = max(page.head.position, 0 if page.block is None else page.block[1])
    while (at := text.find(html.BLOCK_BEGIN, at)) >= 0:
        end = text.find(html.BLOCK_END, at)
        if end < 0:
            return
        if text.find(_OWN_NAME_TAG, at, end) >= 0:
            name, line = page.document.name, html.find_line(text, at)
            yield make_finding("LX328", name, line=line, text=html.BLOCK_BEGIN.decode())
            return
        at = end


def _find_remarks(page: html.HtmlPage) -> Iterator[Finding]:
    """Yield a finding for a placeholder, which scripts may fill in."""
    text, head = page.text, page.head
    title = _TITLE.search(text, 0, head.tags[-1][1] + _LONGEST_TITLE if head.tags else 0)
    titles = [] if title is None else [title.span(1)]
    bogus = [(start - 1, end) for start, end in head.others if text.startswith(b"<?", start - 1)]
    for start, end in (*head.roots[:1], *titles, *head.tags, *bogus):
        hole = _PLACEHOLDER.search(text, start, end)
        if hole is not None:
            what = text[start:end].decode("utf-8", "replace").strip()[:_LONGEST_EXCERPT]
            line = html.find_line(text, hole.start())
            yield make_finding("LX318", page.document.name, line=line, text=what)
            return


def _find_page_names(page: html.HtmlPage) -> Iterator[tuple[int, str]]:
    """Yield the names that the page states outside of the block of lexurn, with lines."""
    text = page.text
    begin, finish = page.block or (0, 0)
    line, last = 1, 0
    for start, end in page.head.tags:
        tag = text[start:end]
        if begin <= start < finish or b"urn" not in tag.lower():
            continue
        line, last = line + html.find_line(text[last:start], start - last) - 1, start
        name = _read_page_name(*html.parse_tag(tag))
        if name is not None:
            yield line, name


_JSON_LD_TYPE: Final = "application/ld+json"
# Links of these kinds are for browsers: lexurn never writes them.
_BROWSER_LINKS: Final = frozenset(
    {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}
)
# Starts of the names that `lexurn.pages` gives to meta tags.
_META_PREFIXES: Final = ("dc.", "dcterms.")
_NAMING_RELATIONS: Final = frozenset({"canonical", "cite-as"})
_IDENTIFIER_NAME: Final = re.compile(
    r"(?:.*[.:/#])?(?:(?:legislation)?identifier(?:\..*)?|id_local)|lex|urn|urn[:-]lex",
    re.IGNORECASE,
)
_MOST_NAMES: Final = 1_000
_LONGEST_NAME_SHOWN: Final = 200


def _is_own_tag(element: str, attributes: Mapping[str, str]) -> bool:
    """Return whether a tag in a block may be one that lexurn wrote; names are in lower case."""
    if element == "script":
        return attributes.get("type", "").lower() == _JSON_LD_TYPE
    if element == "link":
        return _BROWSER_LINKS.isdisjoint(attributes.get("rel", "").lower().split())
    return element == "meta" and (
        "about" in attributes or attributes.get("name", "").lower().startswith(_META_PREFIXES)
    )


def _read_page_name(element: str, attributes: Mapping[str, str]) -> str | None:
    """Return the name of the page in a tag, as it is written; None if there is no LEX name.

    The names of the element and of its attributes are in lower case.
    """
    if element == "link":
        kinds = attributes.get("rel", "").lower().split()
        is_own = not _NAMING_RELATIONS.isdisjoint(kinds) or any(
            map(_IDENTIFIER_NAME.fullmatch, kinds)
        )
        value = attributes.get("href", "")
    else:
        # RDFa about something else is not a name of the page.
        is_of_other = bool(attributes.get("about"))
        term = attributes.get("name") or ("" if is_of_other else attributes.get("property", ""))
        is_own = element == "meta" and _IDENTIFIER_NAME.fullmatch(term.strip()) is not None
        value = attributes.get("content", "")
    return value.strip() if is_own and is_name_like(value) else None


def _find_other_names(
    document: Document, marking: DocumentMetadata, names: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    """Yield a warning for each other name in a page; the names come with their lines.

    The work of a version is not another name.
    """
    name, same, seen = marking.name, marking.equals(marking.name), set[str]()
    for line, text in names:
        found = parse_any_name(text)
        is_same = found is not None and (found in same or is_related(found, name))
        if text not in seen and not is_same and len(seen) < _MOST_NAMES:
            other = text[:_LONGEST_NAME_SHOWN] if found is None else str(found)
            yield make_finding("LX327", document.name, line=line, text=text, other=other, name=name)
        seen.add(text)


# --- XHTML ----------------------------------------------------------------------------

_TAG = re.compile(r"^(</?)(?=(?:link|meta|script)\b)", re.MULTILINE)


def _list_plain_attributes(opening: StartTag) -> dict[str, str]:
    return {each.local: each.value for each in opening.attributes if not each.uri}


def _plan_addition(
    document: Document, root: StartTag, head: XmlNode, marking: DocumentMetadata
) -> Change:
    """Return the change that adds a name to a page without a block of lexurn."""
    text = marking.head(is_xml=True).strip("\n")
    lines = (_TAG.sub(rf"\1{root.prefix}:", text) if root.prefix else text).split("\n")
    edit = insert_block(document, head, head.children[-1] if head.children else None, lines)
    language = root.get("lang", XML_NAMESPACE) or root.get("lang")
    names = [
        (each.line, name)
        for each in (node.opening for node in head.elements)
        if each.uri == XHTML_NAMESPACE
        and (name := _read_page_name(each.local, _list_plain_attributes(each))) is not None
    ]
    languages = [] if language is None else [language]
    findings = find_language_conflict(document, marking, languages, root.line)
    findings += tuple(_find_other_names(document, marking, names))
    return Change(edits=(edit,), findings=findings)


_XHTML_SCHEMA: Final = XmlSchema(
    label="XHTML",
    element=f"html/head of {XHTML_NAMESPACE}",
    path=("head",),
    is_root=lambda root: root.is_named(XHTML_NAMESPACE, "html"),
    is_own_element=lambda node: (
        node.opening.uri == XHTML_NAMESPACE
        and not node.children
        and _is_own_tag(node.opening.local, _list_plain_attributes(node.opening))
    ),
    plan_addition=_plan_addition,
)


def read_xhtml(document: Document) -> Reading:
    """Read the statements of an XHTML page, and the faults of the block in it."""
    from lexurn.documents.reading import html as reader  # noqa: PLC0415 - not needed for writing

    reading = reader.read_xhtml(document)
    # All else that is wrong with a page is a finding of its reader.
    with suppress(DocumentError):
        faults: list[Finding] = []
        for head in _XHTML_SCHEMA.find_nodes(document):
            find_own_offsets(document, head, faults)
        reading = replace(reading, findings=(*faults, *reading.findings))
    return reading


XHTML_FORMAT: Final = replace(
    _XHTML_SCHEMA.make_format("xhtml", {".xhtml", ".xht"}, {"application/xhtml+xml", "text/html"}),
    takes_partitions=True,
    read=read_xhtml,
)
