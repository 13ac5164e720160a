"""HTML and XHTML pages read: Dublin Core (DC-HTML) and links in the head, then embedded data.

A name in ``meta name`` is a prefix, a dot (or, as others write it, a colon) and a term; ``link
rel="schema.DC"`` declares the prefix. Relations of links are those of RFC 8288, as IRIs under that
of their registry, and those of RFC 9676 section 7.1.1 that are not registered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.documents.document import Notation, Reading
from lexurn.documents.reading.json_ld import read_json_ld
from lexurn.documents.reading.microdata import read_microdata
from lexurn.documents.reading.page import (
    MOST_STATEMENTS,
    StatementCollector,
    StatementValue,
    TooManyStatementsError,
    parse_html,
    parse_xhtml,
)
from lexurn.documents.reading.rdfa import read_rdfa
from lexurn.documents.terms import (
    PAGE_LANGUAGE,
    PAGE_TITLE,
    check_language_tag,
    is_media_type,
    load_vocabulary,
    suggest_media_type,
)
from lexurn.vocabulary import DC, DCTERMS, ELI, IANA, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from lexurn.documents.document import Document
    from lexurn.documents.reading.page import Element, Page
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

_KNOWN_PREFIXES: Final[Mapping[str, str]] = {
    "dct": DCTERMS,
    "eli": ELI,
    "schema": SCHEMA,
}
"""Prefixes to report if they are not declared."""

_BARE_NAMES = frozenset(["identifier", "lex", "urn", "urn:lex", "urn-lex"])
_LEX_URN = re.compile(r"urn:(?:lex|nir):", re.IGNORECASE)


def _read_head(page: Page, collector: StatementCollector) -> None:
    """Add the statements of ``meta``, ``link``, ``title`` and ``lang``.

    Raises:
        TooManyStatementsError: it has too many statements.
    """
    prefixes = dict(_USUAL_PREFIXES)
    for element in page.named("link"):
        iri = (element.get("href") or "").strip()
        for token in (element.get("rel") or "").split():
            found = _PREFIX_DECLARATION.fullmatch(token)
            if found is not None and iri and _DUBLIN_CORE.fullmatch(iri):
                prefixes[found[1].lower()] = DCTERMS if "/terms" in iri.lower() else DC
            elif found is not None and iri:
                prefixes[found[1].lower()] = iri
    _read_root(page, collector)
    for element in page.named("meta", "link"):
        if element.name == "meta":
            _read_meta(element, prefixes, collector)
        else:
            _read_link(element, prefixes, collector)


def _read_root(page: Page, collector: StatementCollector) -> None:
    """Add the language of the page, and its title."""
    if page.elements:
        root = page.elements[0]
        tag = root.own_language
        if tag is not None:
            collector.add(Notation.META, collector.base, PAGE_LANGUAGE, StatementValue(tag), root)
    for element in page.named("title"):
        if element.parent is not None and element.parent.name == "head":
            text = StatementValue(page.text_of(element), language=element.language)
            collector.add(Notation.META, collector.base, PAGE_TITLE, text, element)
            return


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
    scheme = element.get("scheme")
    parts = None if scheme is None else _split_name(scheme.strip(), prefixes, collector, element)
    # The language of the page does not hold for lexurn's own block.
    language = element.own_language if element.is_embedded else element.language
    value = StatementValue(content, language=language, datatype=parts and "".join(parts))
    collector.add(Notation.META, collector.base, term, value, element)


def _resolve_name(
    name: str, prefixes: Mapping[str, str], collector: StatementCollector, element: Element
) -> str | None:
    """Return the IRI of a name such as ``DC.identifier``, or None."""
    found = _split_name(name, prefixes, collector, element)
    return None if found is None else _refine_term(*found)


def _split_name(
    name: str, prefixes: Mapping[str, str], collector: StatementCollector, element: Element
) -> tuple[str, str] | None:
    """Return the IRI of a prefix, and the rest of the name; None without a known prefix."""
    found = _PREFIXED_NAME.fullmatch(name)
    if found is None:
        return None
    start = prefixes.get(found[1].lower())
    if start is None:
        if found[1].lower() in _KNOWN_PREFIXES:
            collector.faults.find("LX375", element.line, name, prefix=found[1])
        return None
    return start, found[2]


def _refine_term(start: str, name: str) -> str:
    """Return the IRI of a term; ``DC.Date.issued`` is an older form of ``issued``."""
    if start not in {DC, DCTERMS}:
        return start + name
    parts = [_correct_case(part) for part in name.split(".") if part]
    if len(parts) > 1:
        # The kind of an identifier ("DC.Identifier.URN") is not a term.
        return f"{start}identifier" if parts[0] == "identifier" else DCTERMS + parts[-1]
    return start + "".join(parts)


def _correct_case(term: str) -> str:
    """Return a term of Dublin Core in its own case: pages write any (RFC 2731)."""
    plain = term.lower()
    for each in load_vocabulary("dublin_core_terms"):
        if each.lower() == plain:
            return str(each)
    return plain if term.isupper() else f"{term[:1].lower()}{term[1:]}"


def _read_link(
    element: Element, prefixes: Mapping[str, str], collector: StatementCollector
) -> None:
    tokens = (element.get("rel") or "").split()
    href = element.get("href")
    # One word for browsers concerns all: "shortcut icon".
    if href is None or any(token.lower() in load_vocabulary("browser_links") for token in tokens):
        return
    target = StatementValue(collector.resolve(href), is_iri=True)
    for token in dict.fromkeys(tokens):
        term = _resolve_relation(token, prefixes, collector, element)
        if term is not None:
            collector.add(Notation.META, collector.base, term, target, element)
    if tokens:
        _check_link(element, collector)


def _resolve_relation(
    token: str, prefixes: Mapping[str, str], collector: StatementCollector, element: Element
) -> str | None:
    """Return the IRI of a relation; None if it only declares a prefix."""
    if _PREFIX_DECLARATION.fullmatch(token):
        return None
    found = _PREFIXED_NAME.fullmatch(token)
    if found is not None and "." in token:
        return _resolve_name(token, prefixes, collector, element)
    # RFC 8288 section 2.1: a relation is a registered word, or an IRI.
    return token if "://" in token else f"{IANA}{token.lower()}"


def _check_link(element: Element, collector: StatementCollector) -> None:
    """Report a wrong language or media type of a link."""
    language, kind = element.get("hreflang"), element.get("type")
    if language and language.lower() != "x-default":
        problem = check_language_tag(language.strip())
        if problem is not None:
            collector.faults.find(
                "LX378", element.line, language, why=problem.why, suggestion=problem.suggestion
            )
    if kind and not is_media_type(kind.strip()):
        collector.faults.find(
            "LX377", element.line, kind, suggestion=suggest_media_type(kind.strip())
        )


_TOO_MUCH = f"has more than {MOST_STATEMENTS:,} statements"


def read_html(document: Document) -> Reading:
    """Read the statements of an HTML page.

    Raises:
        DocumentError: the document cannot be read.
        MissingExtraError: the extra ``embed`` is not installed.
    """
    page, findings = parse_html(document)
    return _read_page(document.name, page, findings)


def read_xhtml(document: Document) -> Reading:
    """Read the statements of an XHTML page, up to the first fault in it.

    Raises:
        DocumentError: the document cannot be read, or is not XML from its start.
    """
    page, findings = parse_xhtml(document)
    return _read_page(document.name, page, findings)


def _read_page(name: str, page: Page, findings: tuple[Finding, ...]) -> Reading:
    collector = StatementCollector(name, page)
    for read in (_read_head, read_json_ld, read_rdfa, read_microdata):
        try:
            read(page, collector)
        except TooManyStatementsError as fault:
            collector.faults.find("LX370", 0, "", what=str(fault) or _TOO_MUCH)
            break
    return Reading(statements=collector.statements(), findings=(*findings, *collector.faults.all()))
