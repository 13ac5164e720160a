"""Pages as trees, parsed from HTML or XHTML, and the statements that readers collect from them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from lexurn.documents.containers import html
from lexurn.documents.containers.xml import (
    BLOCK_BEGIN,
    BLOCK_END,
    Comment,
    Doctype,
    EndTag,
    StartTag,
    Text,
    parse_events,
)
from lexurn.documents.document import (
    Document,
    DocumentError,
    FindingList,
    Notation,
    Statement,
    make_finding,
)
from lexurn.errors import MissingExtraError
from lexurn.vocabulary import XHTML_NAMESPACE, XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import turbohtml

    from lexurn.documents.containers.xml import XmlEvent
    from lexurn.findings import Finding

_LONGEST_VALUE = 65_536
"""Longest text that is read, in characters: no title or name is as long."""


@dataclass(slots=True, eq=False, kw_only=True)
class Element:
    """Element of a page.

    Attributes:
        name: its name without prefix, in lower case in HTML.
        attributes: its attributes by name, ``xml:lang`` with its prefix.
        parent: the element around it; None for the root.
        children: the elements in it.
        line: the line of its start tag, from 1; 0 if unknown.
        order: its number among all elements, from 0.
        is_embedded: whether it is in a block that lexurn wrote.
        language: the language tag of its text, its own or inherited.
        own_language: its own language tag, or None.
        start: the start of its text in that of the page.
        end: the end of its text.
        declared: the prefixes of namespaces that hold there; one object if they are the same.
    """

    name: str
    attributes: Mapping[str, str]
    parent: Element | None
    line: int
    order: int
    start: int
    end: int = 0
    is_embedded: bool = False
    language: str | None = None
    own_language: str | None = None
    declared: Mapping[str, str]
    children: list[Element] = field(default_factory=list)

    def get(self, attribute: str) -> str | None:
        """Return the value of an attribute, or None."""
        return self.attributes.get(attribute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Page with its elements in their order, and their text; it may be XML of XHTML 1."""

    elements: Sequence[Element]
    text: str
    is_xhtml1: bool = False

    def named(self, *names: str) -> Iterator[Element]:
        """Return the elements of some names, in the order of the page."""
        return (element for element in self.elements if element.name in names)

    def text_of(self, element: Element) -> str:
        """Return the text of an element, cut at the longest value."""
        return self.text[element.start : min(element.end, element.start + _LONGEST_VALUE)]


class PageBuilder:
    """Builder of a page, from its parts in their order; the length is that of the text so far."""

    def __init__(self, *, is_xml: bool = False) -> None:
        self._is_xml = is_xml
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self._texts: list[str] = []
        self.length = 0
        self._begun: int | None = None
        self._is_marked = self._is_past_head = False

    def open(
        self, name: str, attributes: Mapping[str, str], *, line: int, declared: Mapping[str, str]
    ) -> None:
        """Open an element."""
        parent = self._open[-1] if self._open else None
        tag = attributes.get("lang")
        if self._is_xml:
            tag = attributes.get("xml:lang", tag)
        # An empty tag means an unknown language (HTML section 3.2.6.2).
        own = None if tag is None else tag.strip()
        inherited = None if parent is None else parent.language
        element = Element(
            name=name,
            attributes=attributes,
            parent=parent,
            line=line,
            order=len(self.elements),
            start=self.length,
            language=inherited if own is None else own or None,
            own_language=own or None,
            declared=declared,
        )
        if parent is not None:
            parent.children.append(element)
        self.elements.append(element)
        self._open.append(element)

    def close(self) -> None:
        """Close the last open element."""
        element = self._open.pop()
        self._is_past_head = self._is_past_head or element.name == "head"
        element.end = self.length

    def add_text(self, text: str) -> None:
        """Add a text."""
        self._texts.append(text)
        self.length += len(text)

    def add_comment(self, text: str) -> None:
        """Add a comment, which may begin or end the block that lexurn wrote.

        The block ends in the head. It may begin before it, as the tag of a head can be left out.
        """
        parent = self._open[-1].name if self._open else None
        if self._is_marked or parent not in {None, "html", "head"} or self._is_past_head:
            return
        # In HTML only lexurn's own blanks make a mark.
        is_html_mark = text[:1] == text[-1:] == " "
        mark = text.strip() if self._is_xml else text[1:-1] if is_html_mark else ""
        if mark == BLOCK_BEGIN:
            self._begun = len(self.elements)
        elif mark == BLOCK_END and self._begun is not None and parent == "head":
            for element in self.elements[self._begun :]:
                element.is_embedded = element.name not in {"head", "html"}
            self._is_marked = True

    def build(self, *, is_xhtml1: bool = False) -> Page:
        """Return the page, with all open elements closed."""
        while self._open:
            self.close()
        return Page(elements=self.elements, text="".join(self._texts), is_xhtml1=is_xhtml1)


LARGEST_PAGE: Final = html.LONGEST_HEAD + (1 << 20)
"""Bytes of a page that are read: the longest head that takes a name, and a megabyte."""


MOST_ELEMENTS: Final = 1_000_000
"""Elements of one page that are read: long codes with a tag at each word have as many."""

# Browsers ignore the start of a second head; the parser would begin the body there.
_SECOND_HEAD = re.compile(rb"(</head\s*>\s*)<head(?=[\s>])[^>]*>", re.IGNORECASE)
# A server or a browser takes the encoding of an XML declaration; the parser does not. UTF-16 and
# UCS-2 are wrong if the declaration is ASCII; .NET and MSXML write them.
_XML_ENCODING = re.compile(
    rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']"
    rb"(?!utf-16|(?:cs)?unicode|(?:iso-10646-)?ucs-2)([\w.:-]+)",
    re.IGNORECASE,
)
# Elements that HTML opens again in each further paragraph until they are closed: a short page can
# so have more elements than memory holds (WHATWG HTML 13.2.4.3). The parser nests 512 of them.
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
_PHRASING = _FORMATTING.union(
    b"abbr acronym br cite del dfn img ins kbd mark q samp span sub sup time var wbr".split()
)
_BLANK = rb"[ \t\n\f\r]"
_WORD = rb"[^ \t\n\f\r\"'<>/=]"
_VALUE = rb"\"[^\"<>]*\"|'[^'<>]*'|[^ \t\n\f\r\"'<>]+"
_TAG = re.compile(
    rb"<(?:(/?)([A-Za-z][^ \t\n\f\r/<>]*)"
    rb"((?:%b+%b+(?:%b*=%b*(?:%b))?)*%b*/?>)?|[!?/])"
    % (_BLANK, _WORD, _BLANK, _BLANK, _VALUE, _BLANK)
)
_DEEPEST = 512
_MOST_ALIKE = 3
"""Elements with the same tag that are opened again; of ``a`` only the last one."""
_MOST_TORN = 32
"""Elements that one end tag makes where elements overlap: eight times three, and the ends."""
_NODES_PER_ELEMENT = 4
"""Elements that the parser may make, for each that is read."""
_NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})
_ATTRIBUTES_PER_ELEMENT = 8
"""Attributes that weigh as much as an element."""
_TOO_LARGE = f"is larger than {LARGEST_PAGE >> 20} megabytes"
_TOO_MANY = "makes more than {:,} elements"
_XHTML1 = re.compile(r"-//W3C//DTD XHTML(?:\+RDFa)? 1\.")


def parse_html(document: Document) -> tuple[Page, tuple[Finding, ...]]:
    """Parse a page as a browser does without scripting; any bytes are one.

    Of a very large page, or one with very many elements, the beginning is read, with a finding.
    `MissingExtraError` says that the extra ``embed`` is not installed.
    """
    findings: tuple[Finding, ...] = ()
    try:
        html.open_page(document)
    except DocumentError as fault:
        findings = (fault.finding,)
    if document.size > LARGEST_PAGE:
        findings = (*findings, make_finding("LX370", document.name, what=_TOO_LARGE))
    try:
        from turbohtml import parse  # noqa: PLC0415 - it comes with the extra
    except ImportError:
        raise MissingExtraError("embed") from None
    # The parser would note each zero byte at the end of a broken copy as an error.
    data = document.read(0, LARGEST_PAGE).rstrip(b"\0")
    codec, encoding = html.find_unusual_codec(data), None
    if codec is not None:
        data, encoding = data.decode(codec, "replace").encode("utf-8", "replace"), "utf-8"
    elif html.META_CHARSET.search(data, 0, html.PRESCAN_LENGTH) is None:
        declared = _XML_ENCODING.match(data)
        encoding = None if declared is None else declared[1].decode()
    data = _SECOND_HEAD.sub(rb"\1", data)
    end = _find_crowded_end(data)
    try:
        root = parse(data[:end], encoding=encoding, allow_declarative_shadow_roots=False)
    except LookupError:  # not an encoding of the web
        root = parse(data[:end], allow_declarative_shadow_roots=False)
    tree = PageBuilder()
    is_whole = _add_nodes(tree, root)
    is_whole = is_whole and end is None
    if not is_whole:
        what = _TOO_MANY.format(MOST_ELEMENTS)
        findings = (*findings, make_finding("LX370", document.name, what=what))
    return tree.build(), findings


def _find_crowded_end(text: bytes) -> int | None:
    """Find where a text may have made more elements than memory holds, None where it has not.

    An element is closed for certain if there is only text with phrasing elements up to its end tag.
    All others are counted as unclosed: their end tags may be in comments, or out of scope.
    """
    most_nodes = MOST_ELEMENTS * _NODES_PER_ELEMENT
    if text.count(b"<") * _DEEPEST <= most_nodes:
        return None
    count = again = 0
    opened = Counter[bytes]()
    closable: dict[bytes, list[bytes]] = {}
    for tag in _TAG.finditer(text):
        slash, name, attributes = tag.groups()
        name = name and name.lower()
        if attributes is None or name not in _PHRASING:
            closable = {}
        count += 1 + min(_DEEPEST, again)
        if name in _FORMATTING:
            most = 1 if name == b"a" else _MOST_ALIKE
            if slash and closable.get(name):
                key = closable[name].pop()
                opened[key] -= 1
                again -= opened[key] < most
            elif slash:
                count += _MOST_TORN
            else:
                key = (
                    name if name == b"a" else b"%d" % tag.start() if attributes is None else tag[0]
                )
                if name == b"nobr" or (opened[b"a"] and name == b"a"):  # it closes the last one
                    count += _MOST_TORN
                opened[key] += 1
                again += opened[key] <= most
                if attributes is not None:
                    closable.setdefault(name, []).append(key)
        if count > most_nodes:
            return tag.start()
    return None


def _add_nodes(tree: PageBuilder, root: turbohtml.Document) -> bool:
    """Add the nodes of a document; return whether it has no more than the most elements."""
    import turbohtml  # noqa: PLC0415 - it comes with the extra

    left = MOST_ELEMENTS
    waiting: list[turbohtml.Node | None] = [*reversed(root.children)]
    while waiting:
        node = waiting.pop()
        if node is None:
            tree.close()
        elif isinstance(node, turbohtml.Text):
            tree.add_text(node.data)
        elif isinstance(node, turbohtml.Comment):
            tree.add_comment(node.data)
        elif isinstance(node, turbohtml.Element):
            attributes, declared = _NO_ATTRIBUTES, _NO_ATTRIBUTES
            if node.attrs:
                attributes = {
                    name: " ".join(value) if isinstance(value, list) else value or ""
                    for name, value in node.attrs.items()
                }
                declared = {
                    name.removeprefix("xmlns:"): value
                    for name, value in attributes.items()
                    if name.startswith("xmlns:")
                } or _NO_ATTRIBUTES
            left -= 1 + len(attributes) // _ATTRIBUTES_PER_ELEMENT
            if left < 0:
                return False
            tree.open(node.tag, attributes, line=node.source_line or 0, declared=declared)
            waiting.append(None)
            waiting.extend(reversed(node.children))
    return True


def parse_xhtml(document: Document) -> tuple[Page, tuple[Finding, ...]]:
    """Parse a page in XML, up to the first fault in it."""
    tree, findings = PageBuilder(is_xml=True), []
    is_xhtml1 = False
    try:
        for event in parse_events(document):
            if isinstance(event, Doctype):
                is_xhtml1 = bool(_XHTML1.search(event.public_id or ""))
            else:
                _add_event(tree, event)
            is_large = tree.length >= LARGEST_PAGE
            if is_large or len(tree.elements) > MOST_ELEMENTS:
                what = _TOO_LARGE if is_large else _TOO_MANY.format(MOST_ELEMENTS)
                findings.append(make_finding("LX370", document.name, what=what))
                break
    except DocumentError as fault:
        if not tree.elements:
            raise
        findings.append(fault.finding)
    return tree.build(is_xhtml1=is_xhtml1), tuple(findings)


def _add_event(tree: PageBuilder, event: XmlEvent) -> None:
    if isinstance(event, StartTag):
        attributes = {
            f"xml:{each.local}" if each.uri == XML_NAMESPACE else each.local: each.value
            for each in event.attributes
            if each.uri in {"", XML_NAMESPACE}
        }
        name = event.local if event.uri in {XHTML_NAMESPACE, ""} else f"{event.uri} {event.local}"
        tree.open(name, attributes, line=event.line, declared=event.scope)
    elif isinstance(event, EndTag):
        tree.close()
    elif isinstance(event, Text):
        tree.add_text(event.value)
    elif isinstance(event, Comment):
        tree.add_comment(event.value)


MOST_STATEMENTS: Final = 100_000
"""Statements of one page: a table of contents with all articles has some thousands."""

_MOST_TEXT = 1 << 26
_UNKNOWN_ROOT = "https://page.invalid/"
_UNKNOWN_FOLDER = "page.invalid/"
_UNKNOWN_DEPTH = 16
UNKNOWN_BASE: Final = f"{_UNKNOWN_ROOT}{_UNKNOWN_FOLDER * _UNKNOWN_DEPTH}page.invalid"
"""Base of a page whose URL is unknown, deep in folders; no result begins with it."""

_NOT_IN_BASE = re.compile(r'[\x00-\x20\x7f\s<>"{}|^`\\]|%(?![0-9A-Fa-f]{2})')

NOT_IN_IRI: Final = re.compile(r'[\s<>"{}|^`\\]')
"""Characters that no IRI contains (RFC 3987 section 2.2)."""


class TooManyStatementsError(Exception):
    """Error of a page that has too many statements, which any reader may raise."""


class StatementValue(NamedTuple):
    """Value of a statement: an IRI, or a text with its language or datatype."""

    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None


class StatementCollector:
    """Statements and findings of a page; IRIs are resolved against its base."""

    def __init__(self, name: str, page: Page) -> None:
        bases = (each.get("href") for each in page.named("base"))
        base = next((href.strip() for href in bases if href is not None), "")
        try:
            base = urldefrag(urljoin(UNKNOWN_BASE, base))[0]
            _ = urlsplit(base).port  # has to be a number
        except ValueError:  # no URL can be made of it (HTML 4.2.3)
            base = UNKNOWN_BASE
        self.base = _NOT_IN_BASE.sub(lambda each: quote(each[0]), base)
        self._statements: list[Statement] = []
        self.faults = FindingList(name)
        self._length = 0

    def resolve(self, reference: str) -> str:
        """Return a reference as a whole IRI; return other texts unchanged."""
        text = reference.strip()
        try:
            whole = urljoin(self.base, text)
        except ValueError:
            return text
        # ``urljoin`` drops the end of ``https://w3id.org/lexurn/ns#``.
        return whole + text[-1] if text.endswith(("#", "?")) and whole[-1:] != text[-1] else whole

    def add(
        self,
        notation: Notation,
        subject: str,
        term: str,
        value: StatementValue,
        element: Element,
        line: int = 0,
    ) -> None:
        """Add a statement in an element; subject and term are whole IRIs."""
        text = restore_reference(value.value) if value.is_iri else value.value
        self._length += len(text)
        if len(self._statements) >= MOST_STATEMENTS or self._length > _MOST_TEXT:
            raise TooManyStatementsError
        statement = Statement(
            notation=notation,
            subject=None if subject == self.base else restore_reference(subject),
            term=restore_reference(term),
            value=text.strip(),
            is_iri=value.is_iri,
            language=value.language,
            datatype=value.datatype,
            line=line or element.line,
            is_embedded=element.is_embedded,
        )
        self._statements.append(statement)

    def statements(self) -> tuple[Statement, ...]:
        """Return all statements in the order of the page."""
        return tuple(sorted(self._statements, key=lambda each: each.line))


def restore_reference(iri: str) -> str:
    """Return an IRI, or the reference that it came from if the URL of the page is unknown."""
    if iri.startswith(UNKNOWN_BASE):
        return iri.removeprefix(UNKNOWN_BASE)
    if not iri.startswith(_UNKNOWN_ROOT):
        return iri
    path, depth = iri.removeprefix(_UNKNOWN_ROOT), 0
    while path.startswith(_UNKNOWN_FOLDER):
        path, depth = path.removeprefix(_UNKNOWN_FOLDER), depth + 1
    return f"{'../' * (_UNKNOWN_DEPTH - depth)}{path}" or "./" if depth else f"/{path}"
