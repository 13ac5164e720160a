"""HTML: the tags of a name in a block at the end of the head. No other byte changes.

The block is put in where a parser leaves the head: before ``</head>``, else before the first thing
that is no part of a head. There it is in the head, however the page is written, and no other
element comes to stand elsewhere. It is ASCII, so that it is right in every encoding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.documents.containers.html import (
    BLOCK_BEGIN,
    BLOCK_END,
    DEFAULT_ENCODING,
    LONGEST_HEAD,
    MOST_TOKENS,
    PRESCAN_LENGTH,
    find_codec,
    find_line,
    make_long_head_finding,
    open_page,
    parse_attributes,
    prescan_encoding,
    read_charset,
    read_tag_name,
)
from lexurn.documents.document import Change, DocumentFormat, Edit, Reading
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.names import compare_languages, is_name_like, is_related, parse_any_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final

    from lexurn.documents.containers.html import HtmlPage
    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


def embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: ARG001, FBT001 - pages have no signature
    """Put the tags of a name into the head of a page, or in the place of those that are there.

    Args:
        document: the page.
        marking: what it is to say of itself.
        is_forced: of no meaning here.

    Raises:
        DocumentError: it cannot be read, has no head that could take them, or has two blocks.
    """
    page = open_page(document)
    _check_page(page)
    start, end = page.span
    new = _write_block(page, marking)
    edit = Edit(start=page.view.place(start), end=page.view.place(end), new=new)
    is_there = edit.end - edit.start == len(new) and document.read(edit.start, edit.end) == new
    return Change(edits=() if is_there else (edit,), findings=_find_remarks(page, marking))


def remove(document: Document, is_forced: bool) -> Change:  # noqa: ARG001, FBT001 - pages have no signature
    """Take out the block of tags, so that the page is again what it was before.

    Args:
        document: the page.
        is_forced: of no meaning here.

    Raises:
        DocumentError: it cannot be read, has two blocks, or something else stands in ours.
    """
    page = open_page(document)
    findings = _find_lost_block(page)
    if page.block is None:
        return Change(findings=findings)
    _check_block(page)
    start, end = map(page.view.place, page.block)
    return Change(edits=(Edit(start=start, end=end, new=b""),), findings=findings)


def read(document: Document) -> Reading:
    """Read the statements of a page about itself."""
    from lexurn.documents.reading.html import read_html  # noqa: PLC0415 - of no use to writing

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
_LINE_BREAK = re.compile(rb"\r\n?|\n")
_XHTML = b"http://www.w3.org/1999/xhtml"
# Elements whose content is text, or is in no page until a script takes it.
_HIDDEN = re.compile(
    rb"<(script|style|title|textarea|template|xmp|iframe|noembed|noframes)(?=[\t\n\f\r />])"
    rb".*?(?:</\1(?=[\t\n\f\r />])|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# How far behind the block a line break is looked for, where there is none in the head.
_LINE_BREAK_REACH = 1024


def _write_block(page: HtmlPage, marking: DocumentMetadata) -> bytes:
    """Return the block as it stands in a page, which does not depend on an old block.

    Raises:
        DocumentError: no block leaves the encoding of the page as it is.
    """
    is_xml = _is_xml(page)
    tags = marking.head(is_xml=is_xml)
    plain = _encode_block(page, tags)
    if page.is_marked or page.view.unit > 1 or not _is_encoding_changed(page, plain):
        return plain
    if page.encoding is None:
        why = "something that stands behind would be taken for its encoding"
    elif not _is_encoding_declared(page):
        why = "its encoding is said by what is no tag of it, so that browsers do not agree"
    else:
        # What said the encoding would come too far behind for a browser that looks for it.
        charset = f'<meta charset="{page.encoding}"{" /" if is_xml else ""}>\n'
        return _encode_block(page, charset + tags)
    raise DocumentError(make_finding("LX325", page.document.name, why=why))


def _encode_block(page: HtmlPage, tags: str) -> bytes:
    lines = f"{BLOCK_BEGIN.decode()}\n{tags.rstrip()}\n{BLOCK_END.decode()}\n"
    text = lines.replace("\n", _find_line_break(page))
    codec = find_codec(page.encoding or DEFAULT_ENCODING) if page.view.unit > 1 else "ascii"
    return text.encode(codec or "ascii")


def _find_line_break(page: HtmlPage) -> str:
    """Return the line break of the page: the first in its head, a near one, or a line feed."""
    start, end = page.span
    match = _LINE_BREAK.search(page.view.text, 0, start)
    if match is None:
        place = page.view.place(end)
        near = page.document.read(place, place + _LINE_BREAK_REACH * page.view.unit)
        match = _LINE_BREAK.search(near.replace(b"\0", b"") if page.view.unit > 1 else near)
    return "\n" if match is None else match[0].decode()


def _is_xml(page: HtmlPage) -> bool:
    """Return whether the page is written as XHTML, which HTML parsers read too."""
    if page.head.doctype.startswith(b"<?xml") or b"xhtml" in page.head.doctype.lower():
        return True
    text = page.view.text
    roots = (parse_attributes(text[start:end]) for start, end in page.head.roots)
    return any(root.get(b"xmlns") == _XHTML for root in roots)


def _is_encoding_changed(page: HtmlPage, block: bytes) -> bool:
    """Return whether a browser would find another encoding with a block than without.

    It looks for one in the first bytes, and then in the elements as they come; what says one in the
    block that is there goes with it.
    """
    start, end = page.span
    said = _find_charset_outside(page)
    if start >= PRESCAN_LENGTH and said == page.head.charset:
        return False
    place = page.view.place(end)
    before, behind = page.document.read(0, start), page.document.read(place, place + PRESCAN_LENGTH)
    found = prescan_encoding(before + block + behind)
    return found != prescan_encoding(before + behind) or (said or found) != page.encoding


def _is_encoding_declared(page: HtmlPage) -> bool:
    """Return whether an element or the XML declaration declares the encoding.

    What a script shows or a template holds is found in the first bytes alone, and not by all
    browsers: written into the head it would be what it has never been.
    """
    if _find_charset_outside(page) == page.encoding:
        return True
    start, end = map(page.view.place, page.span)
    first = page.document.read(0, min(start, PRESCAN_LENGTH))
    first += page.document.read(end, end + PRESCAN_LENGTH - len(first))
    return prescan_encoding(_HIDDEN.sub(b"", first)) == page.encoding


def _find_charset_outside(page: HtmlPage) -> str | None:
    """Return the first encoding that the head declares outside of the block of lexurn."""
    text, (start, end) = page.view.text, page.span
    if b"charset" not in text[start:end].lower():
        return page.head.charset
    outside = (text[tag[0] : tag[1]] for tag in page.head.tags if not start <= tag[0] < end)
    charsets = (read_charset(tag) for tag in outside if read_tag_name(tag) == b"meta")
    return next(filter(None, charsets), None)


_LONGEST_EXCERPT: Final = 60
_LONGEST_TITLE: Final = 2_000
_OWN_NAME_TAG: Final = b'<meta name="DC.identifier" '
_URN: Final = b"urn"
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


def _check_page(page: HtmlPage) -> None:
    """Check that tags can be put into a page.

    Raises:
        DocumentError: they cannot; with what to do.
    """
    name, text, head = page.document.name, page.view.text, page.head
    if page.encoding == "replacement":
        why = "it says an encoding that browsers do not read any more"
        raise DocumentError(make_finding("LX325", name, why=why))
    if b"\0" in head.stop[:2]:
        why = "it has zero bytes, as UTF-16 or UTF-32 without a byte order mark has"
        raise DocumentError(make_finding("LX325", name, why=why))
    start = _SCRIPT_START.match(text)
    if start is not None:
        raise DocumentError(make_finding("LX329", name, line=find_line(text, start.end())))
    if head.code >= 0 or _SERVER_CODE.match(head.stop):
        line = find_line(text, head.code if head.code >= 0 else head.place)
        raise DocumentError(make_finding("LX329", name, line=line))
    if page.block is not None:
        _check_block(page)
    elif head.is_cut and not head.is_begun and head.stop.startswith((b"<!", b"</")):
        raise DocumentError(make_finding("LX323", name, line=find_line(text, head.place)))
    elif page.view.place(head.place) > LONGEST_HEAD or head.count > MOST_TOKENS:
        raise DocumentError(make_long_head_finding(page.document))


def _check_block(page: HtmlPage) -> None:
    """Check that all in our block is ours, since it goes when the block is replaced.

    Raises:
        DocumentError: something is not.
    """
    if page.block is None:
        return
    start, end = page.block
    text, head = page.view.text, page.head
    inside = [span for span in head.tags if start < span[0] < end]
    scripts = [span for span in inside if read_tag_name(text[slice(*span)]) == b"script"]
    strange = (
        *(span for span in (*head.roots, *head.others) if start < span[0] < end),
        *(span for span in inside if not _is_own_element(text[slice(*span)])),
        *scripts[1:],
    )
    if strange:
        place, behind = min(strange)
        what = f"<{text[place:behind].decode('ascii', 'replace')}"
        line = find_line(text, place)
        raise DocumentError(
            make_finding(
                "LX322", page.document.name, line=line, text=what, what=what[:_LONGEST_EXCERPT]
            )
        )


def _is_own_element(tag: bytes) -> bool:
    element, attributes = read_tag_name(tag).decode("latin-1"), _read_attributes(tag)
    is_charset = element == "meta" and "charset" in attributes
    return is_charset or is_own_tag(element, attributes)


def _read_attributes(tag: bytes) -> dict[str, str]:
    return {
        name.decode("latin-1"): value.decode("utf-8", "replace")
        for name, value in parse_attributes(tag).items()
    }


def _find_remarks(page: HtmlPage, marking: DocumentMetadata) -> tuple[Finding, ...]:
    """Return the findings on a page that takes a name."""
    return (
        *_find_frameset(page),
        *_find_placeholders(page),
        *_find_lost_block(page),
        *find_contradictions(
            page.document, marking, language=_read_language(page), names=_find_page_names(page)
        ),
    )


def _find_lost_block(page: HtmlPage) -> tuple[Finding, ...]:
    """Yield a warning if a block of lexurn stands outside of the head, with a name in it."""
    text = page.view.text
    at = text.find(
        BLOCK_BEGIN, max(page.head.place, page.block[1] if page.block is not None else 0)
    )
    while at >= 0:
        end = text.find(BLOCK_END, at)
        if end < 0:
            return ()
        if text.find(_OWN_NAME_TAG, at, end) >= 0:
            line = find_line(text, at)
            return (
                make_finding("LX328", page.document.name, line=line, text=BLOCK_BEGIN.decode()),
            )
        at = text.find(BLOCK_BEGIN, end)
    return ()


def _find_frameset(page: HtmlPage) -> Iterator[Finding]:
    if page.head.stop[:9].lower() == b"<frameset":
        line = find_line(page.view.text, page.head.place)
        yield make_finding("LX326", page.document.name, line=line)


def _find_placeholders(page: HtmlPage) -> Iterator[Finding]:
    """Yield a finding for a line of the head with a placeholder, which scripts may fill in."""
    text, head = page.view.text, page.head
    title = _TITLE.search(text, 0, head.tags[-1][1] + _LONGEST_TITLE if head.tags else 0)
    titles = [] if title is None else [title.span(1)]
    bogus = [(start - 1, end) for start, end in head.others if text.startswith(b"<?", start - 1)]
    for start, end in (*head.roots[:1], *titles, *head.tags, *bogus):
        hole = _PLACEHOLDER.search(text, start, end)
        if hole is not None:
            what = text[start:end].decode("utf-8", "replace").strip()[:_LONGEST_EXCERPT]
            line = find_line(text, hole.start())
            yield make_finding("LX318", page.document.name, line=line, text=what)
            return


def _read_language(page: HtmlPage) -> tuple[int, str] | None:
    """Return the language of the page with its line; None if it declares none."""
    for start, end in page.head.roots:
        attributes = _read_attributes(page.view.text[start:end])
        said = attributes.get("lang") or attributes.get("xml:lang")
        if said:
            return find_line(page.view.text, start), said
    return None


def _find_page_names(page: HtmlPage) -> Iterator[tuple[int, str]]:
    """Yield the names that the page states outside of the block of lexurn, with lines."""
    text = page.view.text
    begin, finish = page.block or (0, 0)
    line, last = 1, 0
    for start, end in page.head.tags:
        if begin <= start < finish:
            continue
        tag = text[start:end]
        if _URN not in tag.lower():
            continue
        line, last = line + find_line(text[last:start], start - last) - 1, start
        name = read_page_name(read_tag_name(tag).decode("latin-1"), _read_attributes(tag))
        if name is not None:
            yield line, name


_JSON_LD_TYPE: Final = "application/ld+json"
# Links of these kinds are for browsers: lexurn never writes them.
_BROWSER_LINKS: Final = frozenset(
    {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}
)
_DUBLIN_CORE_PREFIXES: Final = ("dc.", "dcterms.")
_NAMING_RELATIONS: Final = frozenset({"canonical", "cite-as"})
_IDENTIFIER_NAME: Final = re.compile(
    r"(?:.*[.:/#])?(?:(?:legislation)?identifier(?:\..*)?|id_local)|lex|urn|urn[:-]lex",
    re.IGNORECASE,
)
_MOST_NAMES: Final = 1_000
_LONGEST_NAME_SHOWN: Final = 200


def is_own_tag(element: str, attributes: Mapping[str, str]) -> bool:
    """Return whether a tag in a block may be one that lexurn wrote.

    Args:
        element: the name of its element, in lower case.
        attributes: its attributes, names in lower case.
    """
    if element == "script":
        return attributes.get("type", "").lower() == _JSON_LD_TYPE
    if element == "link":
        return _BROWSER_LINKS.isdisjoint(attributes.get("rel", "").lower().split())
    return element == "meta" and (
        "about" in attributes
        or attributes.get("name", "").lower().startswith(_DUBLIN_CORE_PREFIXES)
    )


def read_page_name(element: str, attributes: Mapping[str, str]) -> str | None:
    """Return the name of the page in a tag, as it is written; None if there is no LEX name.

    Args:
        element: the name of its element, in lower case.
        attributes: its attributes, names in lower case.
    """
    if element == "link":
        kinds = attributes.get("rel", "").lower().split()
        is_own = not _NAMING_RELATIONS.isdisjoint(kinds) or any(
            map(_IDENTIFIER_NAME.fullmatch, kinds)
        )
        value = attributes.get("href", "")
    else:
        # What RDFa says of something else is no name of the page.
        is_of_other = bool(attributes.get("about"))
        term = attributes.get("name") or ("" if is_of_other else attributes.get("property", ""))
        is_own = element == "meta" and _IDENTIFIER_NAME.fullmatch(term.strip()) is not None
        value = attributes.get("content", "")
    return value.strip() if is_own and is_name_like(value) else None


def find_contradictions(
    document: Document,
    marking: DocumentMetadata,
    *,
    language: tuple[int, str] | None,
    names: Iterable[tuple[int, str]],
) -> tuple[Finding, ...]:
    """Return warnings if a page contradicts the name that is put in.

    Args:
        document: the page, for messages.
        marking: what is known of the name.
        language: the language that the page says, with its line; None if it says none.
        names: what the page says that it is called, outside of lexurn's block, with lines.
    """
    languages = () if language is None else compare_languages(document, [language], marking)
    return (*languages, *_find_other_names(document, marking, names))


def _find_other_names(
    document: Document, marking: DocumentMetadata, names: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    """Yield a finding for each other name; the work of a version is no other name."""
    same = marking.equals(marking.name)
    for text, line in _find_first_lines(names).items():
        found = parse_any_name(text)
        if found is not None and (found in same or is_related(found, marking.name)):
            continue
        other = text[:_LONGEST_NAME_SHOWN] if found is None else str(found)
        yield make_finding(
            "LX327", document.name, line=line, text=text, other=other, name=marking.name
        )


def _find_first_lines(names: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Yield each text with its first line, up to a limit."""
    lines: dict[str, int] = {}
    for line, text in names:
        lines.setdefault(text, line)
        if len(lines) >= _MOST_NAMES:
            break
    return lines
