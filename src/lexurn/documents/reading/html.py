"""HTML and XHTML pages read: their head, JSON-LD, RDFa and microdata.

A name in ``meta name`` is a prefix, a dot (or, as others write it, a colon) and a term of Dublin
Core (DC-HTML); ``link rel="schema.DC"`` declares the prefix. Relations of links are those of RFC
8288, as IRIs under that of their registry, and those of RFC 9676 section 7.1.1 that are not
registered. No context of JSON-LD is fetched, and that of schema.org is built in. The names of
microdata (WHATWG HTML section 5) are IRIs by the vocabulary of the item's type.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lexurn.documents import terms
from lexurn.documents.document import Document, Notation, Reading
from lexurn.documents.reading.page import (
    MOST_STATEMENTS,
    NOT_IN_IRI,
    UNKNOWN_BASE,
    Element,
    Page,
    StatementCollector,
    StatementValue,
    TooManyStatementsError,
    parse_html,
    parse_xhtml,
    restore_reference,
)
from lexurn.documents.reading.rdfa import read_rdfa
from lexurn.vocabulary import DC, DCTERMS, IANA, RDF, SCHEMA, XSD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyoxigraph

    from lexurn.findings import Finding

_PREFIX_DECLARATION = re.compile(r"schema\.(\S+)", re.IGNORECASE)
_PREFIXED_NAME = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)[.:]([A-Za-z][\w.-]*)")
_USUAL_PREFIXES: Final[Mapping[str, str]] = {"dc": DC, "dcterms": DCTERMS}
"""Prefixes that pages use as if they were declared."""

_DUBLIN_CORE = re.compile(
    r"https?://(?:www\.)?purl\.org/(?:metadata/dublin_core|dc(?=[/#]|\Z)(?!/(?:dcmitype|dcam)\b)).*",
    re.IGNORECASE,
)
"""IRIs of Dublin Core in pages: of an old release, with https, without the last character."""

_KNOWN_PREFIXES = frozenset({"dct", "eli", "schema"})
"""Prefixes to report if they are not declared."""

_BARE_NAMES = frozenset(["identifier", "lex", "urn", "urn:lex", "urn-lex"])
_LEX_URN = re.compile(r"urn:(?:lex|nir):", re.IGNORECASE)


def _read_head(page: Page, collector: StatementCollector) -> None:
    """Add the statements of ``meta``, ``link``, ``title`` and ``lang``."""
    prefixes = dict(_USUAL_PREFIXES)
    for element in page.named("link"):
        iri = (element.get("href") or "").strip()
        for token in (element.get("rel") or "").split():
            found = _PREFIX_DECLARATION.fullmatch(token)
            if found is not None and iri and _DUBLIN_CORE.fullmatch(iri):
                prefixes[found[1].lower()] = DCTERMS if "/terms" in iri.lower() else DC
            elif found is not None and iri:
                prefixes[found[1].lower()] = iri
    for root in page.elements[:1]:
        if root.own_language is not None:
            tag = StatementValue(root.own_language)
            collector.add(Notation.META, collector.base, terms.PAGE_LANGUAGE, tag, root)
    titles = (each for each in page.named("title") if each.parent and each.parent.name == "head")
    for element in islice(titles, 1):
        text = StatementValue(page.text_of(element), language=element.language)
        collector.add(Notation.META, collector.base, terms.PAGE_TITLE, text, element)
    for element in page.named("meta", "link"):
        read = _read_meta if element.name == "meta" else _read_link
        read(element, prefixes, collector)


def _read_meta(
    element: Element, prefixes: Mapping[str, str], collector: StatementCollector
) -> None:
    name, content = (element.get("name") or "").strip(), element.get("content")
    if content is None or not name:
        return
    if name.lower() in _BARE_NAMES:
        # A name as in RFC 9676 section 1.4; no vocabulary has a term for it.
        term = f"{DC}identifier" if _LEX_URN.match(content.strip()) else None
    else:
        term = _resolve_name(name, prefixes, collector, element)
    if term is None:
        return
    # The language of the page does not hold for lexurn's own block.
    language = element.own_language if element.is_embedded else element.language
    value = StatementValue(content, language=language)
    collector.add(Notation.META, collector.base, term, value, element)


def _resolve_name(
    name: str, prefixes: Mapping[str, str], collector: StatementCollector, element: Element
) -> str | None:
    """Return the IRI of a name, or None; ``DC.Date.issued`` is an older form of ``issued``."""
    found = _PREFIXED_NAME.fullmatch(name)
    if found is None:
        return None
    prefix, rest = found[1], found[2]
    start = prefixes.get(prefix.lower())
    if start is None:
        if prefix.lower() in _KNOWN_PREFIXES:
            collector.faults.find("LX375", element.line, name, prefix=prefix)
        return None
    if start not in {DC, DCTERMS}:
        return start + rest
    # Pages write the terms of Dublin Core in any case (RFC 2731).
    known = {each.lower(): each for each in terms.load_vocabulary("dublin_core_terms")}
    parts = [
        known.get(part.lower())
        or (part.lower() if part.isupper() else f"{part[:1].lower()}{part[1:]}")
        for part in rest.split(".")
        if part
    ]
    if len(parts) > 1:
        # The kind of an identifier ("DC.Identifier.URN") is not a term.
        return f"{start}identifier" if parts[0] == "identifier" else DCTERMS + parts[-1]
    return start + "".join(parts)


def _read_link(
    element: Element, prefixes: Mapping[str, str], collector: StatementCollector
) -> None:
    """Add the relations of a link, and report its wrong language or media type."""
    tokens = (element.get("rel") or "").split()
    href = element.get("href")
    browser_links = terms.load_vocabulary("browser_links")
    # One word for browsers concerns all: "shortcut icon".
    if href is None or any(token.lower() in browser_links for token in tokens):
        return
    target = StatementValue(collector.resolve(href), is_iri=True)
    for token in dict.fromkeys(tokens):
        if _PREFIX_DECLARATION.fullmatch(token):
            continue
        # RFC 8288 section 2.1: a relation is a registered word, or an IRI.
        term: str | None = token if "://" in token else f"{IANA}{token.lower()}"
        if "." in token and _PREFIXED_NAME.fullmatch(token):
            term = _resolve_name(token, prefixes, collector, element)
        if term is not None:
            collector.add(Notation.META, collector.base, term, target, element)
    if not tokens:
        return
    language, kind = element.get("hreflang"), element.get("type")
    if language and language.lower() != "x-default":
        problem = terms.check_language_tag(language.strip())
        if problem is not None:
            why, suggestion = problem
            collector.faults.find("LX378", element.line, language, why=why, suggestion=suggestion)
    if kind and not terms.is_media_type(kind.strip()):
        suggestion = terms.suggest_media_type(kind.strip())
        collector.faults.find("LX377", element.line, kind, suggestion=suggestion)


_SCHEMA_CONTEXT = re.compile(
    r"https?://(?:www\.)?schema\.org(?:/|/docs/jsonldcontext\.json(?:ld)?)?", re.IGNORECASE
)
_LOCAL_CONTEXT: Final[Mapping[str, object]] = {
    "@vocab": SCHEMA,
    "schema": SCHEMA,
    "id": "@id",
    "type": "@type",
    **{
        term: {"@type": "@id"}
        for term in ("contentUrl", "license", "mainEntityOfPage", "sameAs", "url")
    },
}
"""Part of the context of schema.org: it tells links of legislation from texts."""

_MEDIA_TYPE = "application/ld+json"
# A byte order mark, and marks that hide a script from old browsers and from XML.
_WRAPPING = re.compile(
    r"\A[\s\ufeff]*+(?:(?://|/\*)?+\s*+(?:<!--|<!\[CDATA\[)(?:\s*+\*/)?+)?"
    r"|(?:(?://|/\*)\s*+)?+(?:-->|\]\]>)(?:\s*+\*/)?+\s*+\Z"
)
_NO_BREAK = re.compile(r"[^\n]")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_TOO_DEEP = "values are nested too deeply"
_TEXT_TYPES = frozenset({f"{XSD}string", f"{RDF}langString"})


def _read_json_ld(page: Page, collector: StatementCollector) -> None:
    """Add the statements in the blocks of JSON-LD of a page."""
    for number, element in enumerate(page.named("script"), 1):
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        if kind == _MEDIA_TYPE:
            text = page.text[element.start : element.end]
            _JsonLdBlock(text, element, collector, number).read()


class _JsonLdBlock:
    """Reader of one block."""

    def __init__(
        self, text: str, element: Element, collector: StatementCollector, number: int
    ) -> None:
        self._text, self._element, self._collector = text, element, collector
        self._number = number
        self._lines: dict[str, int] = {}
        self._blank: dict[str, str] = {}
        self._doubted: set[str] = set()

    def read(self) -> None:
        """Add the statements of the block."""
        value = self._parse_json()
        if value is None:
            return
        line, at = self._element.line, 0
        for found in _STRING.finditer(self._text):
            line += self._text.count("\n", at, found.start())
            at = found.start()
            text = found[1]
            if "\\" in text:
                with suppress(ValueError):
                    text = str(json.loads(f'"{text}"', strict=False))
            self._lines.setdefault(text, line)
        local = []
        try:
            for top in value if isinstance(value, list) else [value]:
                if not isinstance(top, dict) or not top:
                    continue
                graph = top.get("@graph")
                nodes = [top, *(graph if isinstance(graph, list) else [graph])]
                bare = (e for e in nodes if isinstance(e, dict) and "@context" not in e)
                # A plain word needs a context.
                is_plain = any(":" not in key and key[:1] != "@" for each in bare for key in each)
                if "@context" not in top and is_plain:
                    self._collector.faults.find("LX373", self._element.line, "")
                    top["@context"] = "https://schema.org"
                local.append(self._inline_value(top))
        except RecursionError:
            self._collector.faults.find("LX372", self._element.line, "", why=_TOO_DEEP)
            return
        for quad in self._parse_quads(local):
            self._add_quad(quad)

    def _parse_json(self) -> Any:
        """Return the block as JSON; report a fault and return None if it is not valid."""
        # Blanks keep the lines.
        text = _WRAPPING.sub(lambda found: _NO_BREAK.sub(" ", found[0]), self._text)
        if not text.strip():
            return None
        line = self._element.line
        try:
            return json.loads(text, strict=False)
        except json.JSONDecodeError as fault:
            line += text.count("\n", 0, fault.pos)
            why = f"{fault.msg[:1].lower()}{fault.msg[1:]}"
        except RecursionError:
            why = _TOO_DEEP
        except ValueError:
            why = "a number is too long"
        self._collector.faults.find("LX372", line, text.strip()[:60], why=why)
        return None

    def _inline_value(self, value: Any) -> Any:
        """Return a value with all contexts in it, so that nothing is fetched."""
        if isinstance(value, list):
            return [self._inline_value(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self._resolve_context(each) if key == "@context" else self._inline_value(each)
            for key, each in value.items()
        }

    def _resolve_context(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._resolve_context(each) for each in value]
        if isinstance(value, str):
            if _SCHEMA_CONTEXT.fullmatch(value.strip()):
                return _LOCAL_CONTEXT
            self._collector.faults.find("LX374", self._lines.get(value, self._element.line), value)
            return {}
        return self._inline_value(value)

    def _parse_quads(self, value: Any) -> Iterator[pyoxigraph.Quad]:
        """Yield the statements, up to the first fault."""
        import pyoxigraph  # noqa: PLC0415 - needed for JSON-LD alone

        line = self._element.line
        try:
            base = pyoxigraph.NamedNode(self._collector.base).value
        except ValueError:  # not an IRI
            base = UNKNOWN_BASE
        try:
            # Halves of characters, as programs leave them that cut texts, are left out.
            data = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "ignore")
            kind = pyoxigraph.RdfFormat.JSON_LD
            yield from pyoxigraph.parse(data, format=kind, base_iri=base, lenient=True)
        except (SyntaxError, ValueError, RecursionError) as fault:
            self._collector.faults.find("LX372", line, "", why=str(fault)[:200])

    def _add_quad(self, quad: pyoxigraph.Quad) -> None:
        node: Any = quad.object
        datatype = getattr(node, "datatype", None)
        if datatype is None:
            value = StatementValue(self._name_node(node), is_iri=True)
        else:
            kind = None if datatype.value in _TEXT_TYPES else datatype.value
            value = StatementValue(node.value, language=node.language, datatype=kind)
        subject = self._name_node(quad.subject)
        values = (value.value, restore_reference(value.value), subject)
        line = next(filter(None, map(self._lines.get, values)), self._element.line)
        for iri in (subject, value.value if value.is_iri else ""):
            if NOT_IN_IRI.search(iri) and iri not in self._doubted:
                self._doubted.add(iri)
                self._collector.faults.find("LX389", line, restore_reference(iri))
        self._collector.add(
            Notation.JSON_LD, subject, quad.predicate.value, value, self._element, line
        )

    def _name_node(self, node: Any) -> str:
        """Return a node as a text; blank nodes are numbered in each block."""
        text = str(node)
        if not text.startswith("_:"):
            return str(node.value)
        return self._blank.setdefault(text, f"_:j{self._number}.{len(self._blank) + 1}")


_MOST_VISITS: Final = 5_000_000
"""Limit for visits of elements: each item visits its own and those of its ``itemref``."""

_LINK_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
_TEXT_ATTRIBUTES = {"data": "value", "meter": "value", "time": "datetime"}
_NO_TEXT = frozenset({"data", "meta", "meter"})


def _read_microdata(page: Page, collector: StatementCollector) -> None:
    """Add the statements of a page in microdata."""
    items = [element for element in page.elements if "itemscope" in element.attributes]
    if items:
        reader = _MicrodataReader(page, collector)
        for item in items:
            reader.read_item(item)


class _MicrodataReader:
    """Reader of the items of a page."""

    def __init__(self, page: Page, collector: StatementCollector) -> None:
        self._page, self._collector = page, collector
        self._visits = 0
        self._named: dict[str, Element] = {}
        for element in page.elements:
            if (name := element.get("id")) is not None:
                self._named.setdefault(name, element)

    def read_item(self, item: Element) -> None:
        """Add the types and the properties of an item."""
        subject = self._name_item(item)
        kinds = (item.get("itemtype") or "").split()
        for kind in kinds:
            self._collector.add(
                Notation.MICRODATA, subject, terms.RDF_TYPE, StatementValue(kind, is_iri=True), item
            )
        vocabulary = None
        if kinds:
            mark = "#" if "#" in kinds[0] else "/"
            start = kinds[0].rpartition(mark)[0]
            vocabulary = start + mark if mark in kinds[0] else f"{kinds[0]}#"
        for element in self._find_properties(item):
            value = self._read_value(element)
            for name in dict.fromkeys((element.get("itemprop") or "").split()):
                if ":" in name or vocabulary is not None:
                    term = name if ":" in name else f"{vocabulary}{name}"
                    self._collector.add(Notation.MICRODATA, subject, term, value, element)

    def _name_item(self, item: Element) -> str:
        """Return the global identifier of a typed item; a blank node for other items."""
        identifier = item.get("itemid")
        if identifier and item.get("itemtype"):
            return self._collector.resolve(identifier)
        return f"_:m{item.order}"

    def _find_properties(self, item: Element) -> Iterator[Element]:
        """Yield the elements with properties of an item, also those that ``itemref`` names."""
        references = (item.get("itemref") or "").split()
        elsewhere = [self._named[name] for name in references if name in self._named]
        waiting = [*reversed(elsewhere), *reversed(item.children)]
        seen = {item.order}
        while waiting:
            element = waiting.pop()
            if element.order in seen:
                continue
            seen.add(element.order)
            self._visits += 1
            if self._visits > _MOST_VISITS:
                raise TooManyStatementsError
            if "itemprop" in element.attributes:
                yield element
            if "itemscope" not in element.attributes:
                waiting.extend(reversed(element.children))

    def _read_value(self, element: Element) -> StatementValue:
        """Return the value of a property (WHATWG HTML section 5.2.4)."""
        if "itemscope" in element.attributes:
            return StatementValue(self._name_item(element), is_iri=True)
        link = _LINK_ATTRIBUTES.get(element.name)
        if link is not None:
            reference = element.get(link)
            if reference is None:
                return StatementValue("")
            return StatementValue(self._collector.resolve(reference), is_iri=True)
        # ``content`` elsewhere than in ``meta`` is the value as well, as RDFa reads it.
        text = element.get(_TEXT_ATTRIBUTES.get(element.name, "content"))
        if text is None:
            text = "" if element.name in _NO_TEXT else self._page.text_of(element)
        return StatementValue(text, language=element.language)


_TOO_MUCH = f"has more than {MOST_STATEMENTS:,} statements"


def read_html(document: Document) -> Reading:
    """Read the statements of an HTML page, which takes the extra ``embed``."""
    return _read_page(document.name, *parse_html(document))


def read_xhtml(document: Document) -> Reading:
    """Read the statements of an XHTML page, up to the first fault in it."""
    return _read_page(document.name, *parse_xhtml(document))


def _read_page(name: str, page: Page, findings: tuple[Finding, ...]) -> Reading:
    collector = StatementCollector(name, page)
    for read in (_read_head, _read_json_ld, read_rdfa, _read_microdata):
        try:
            read(page, collector)
        except TooManyStatementsError as fault:
            collector.faults.find("LX370", 0, "", what=str(fault) or _TOO_MUCH)
            break
    return Reading(statements=collector.statements(), findings=(*findings, *collector.faults.all()))
