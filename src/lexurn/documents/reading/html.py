"""HTML and XHTML pages read: Dublin Core (DC-HTML) and links in the head, then embedded data.

A name in ``meta name`` is a prefix, a dot (or, as others write it, a colon) and a term; ``link
rel="schema.DC"`` declares the prefix. Relations of links are those of RFC 8288, as IRIs under that
of their registry, and those of RFC 9676 section 7.1.1 that nobody registered.
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
    suggest_media_type,
)
from lexurn.vocabulary import DC, DCTERMS, ELI, IANA, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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
"""Dublin Core as pages name it: in an old release, by https, without the last sign."""

_KNOWN_PREFIXES: Final[Mapping[str, str]] = {
    "dct": DCTERMS,
    "eli": ELI,
    "schema": SCHEMA,
}
"""Prefixes that are worth a word where they are not declared; others are not ours to judge."""

_COMPOUND_TERMS: Final[Mapping[str, str]] = {
    term.lower(): term
    for term in (
        "accessRights",
        "accrualMethod",
        "accrualPeriodicity",
        "accrualPolicy",
        "bibliographicCitation",
        "conformsTo",
        "dateAccepted",
        "dateCopyrighted",
        "dateSubmitted",
        "educationLevel",
        "hasFormat",
        "hasPart",
        "hasVersion",
        "instructionalMethod",
        "isFormatOf",
        "isPartOf",
        "isReferencedBy",
        "isReplacedBy",
        "isRequiredBy",
        "isVersionOf",
        "rightsHolder",
        "tableOfContents",
    )
}
"""Properties of two words, by their names in small letters (DCMI Metadata Terms section 2)."""

_BARE_NAMES = frozenset(["identifier", "lex", "urn", "urn:lex", "urn-lex"])
_LEX_URN = re.compile(r"urn:(?:lex|nir):", re.IGNORECASE)
_BROWSER_LINKS = frozenset(
    [
        "amphtml",
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "dns-prefetch",
        "fluid-icon",
        "icon",
        "manifest",
        "mask-icon",
        "modulepreload",
        "opener",
        "noopener",
        "noreferrer",
        "pingback",
        "preconnect",
        "prefetch",
        "preload",
        "prerender",
        "search",
        "shortcut",
        "shortlink",
        "stylesheet",
    ]
)
"""Relations that say nothing about the law."""


def _read_head(page: Page, sayings: StatementCollector) -> None:
    """Take in what a page says by ``meta``, ``link``, ``title`` and ``lang``.

    Raises:
        TooManyStatementsError: it says too much.
    """
    prefixes = {**_USUAL_PREFIXES, **dict(_find_prefixes(page))}
    _read_root(page, sayings)
    for element in page.named("meta", "link"):
        if element.name == "meta":
            _read_meta(element, prefixes, sayings)
        else:
            _read_link(element, prefixes, sayings)


def _find_prefixes(page: Page) -> Iterator[tuple[str, str]]:
    for element in page.named("link"):
        for token in (element.get("rel") or "").split():
            found = _PREFIX_DECLARATION.fullmatch(token)
            if found is not None and element.get("href"):
                yield found[1].lower(), _normalize_vocabulary((element.get("href") or "").strip())


def _normalize_vocabulary(iri: str) -> str:
    """What the terms of a declared vocabulary begin with."""
    if _DUBLIN_CORE.fullmatch(iri) is None:
        return iri
    return DCTERMS if "/terms" in iri.lower() else DC


def _read_root(page: Page, sayings: StatementCollector) -> None:
    """The language of the page, and its title."""
    if page.elements:
        root = page.elements[0]
        tag = root.own_language
        if tag is not None:
            sayings.say(Notation.META, sayings.base, PAGE_LANGUAGE, StatementValue(tag), root)
    for element in page.named("title"):
        if element.parent is not None and element.parent.name == "head":
            text = StatementValue(page.text_of(element), language=element.language)
            sayings.say(Notation.META, sayings.base, PAGE_TITLE, text, element)
            return


def _read_meta(element: Element, prefixes: Mapping[str, str], sayings: StatementCollector) -> None:
    name, content = (element.get("name") or "").strip(), element.get("content")
    if content is None or not name:
        return
    if name.lower() in _BARE_NAMES:
        # Names of RFC 9676 section 1.4, of which no vocabulary says how they are called.
        term = f"{DC}identifier" if _LEX_URN.match(content.strip()) else None
    else:
        term = _resolve_name(name, prefixes, sayings, element)
    if term is None:
        return
    scheme = element.get("scheme")
    datatype = (
        None if scheme is None else _resolve_scheme(scheme.strip(), prefixes, sayings, element)
    )
    # What lexurn writes has a language of its own or none, whatever that of the page.
    language = element.own_language if element.is_embedded else element.language
    value = StatementValue(content, language=language, datatype=datatype)
    sayings.say(Notation.META, sayings.base, term, value, element)


def _resolve_name(
    name: str, prefixes: Mapping[str, str], sayings: StatementCollector, element: Element
) -> str | None:
    """The IRI of a name such as ``DC.identifier``, None where it is no such name."""
    found = _split_name(name, prefixes, sayings, element)
    return None if found is None else _refine_term(*found)


def _resolve_scheme(
    name: str, prefixes: Mapping[str, str], sayings: StatementCollector, element: Element
) -> str | None:
    """The IRI of a scheme such as ``DCTERMS.W3CDTF``, None where it is no such name."""
    found = _split_name(name, prefixes, sayings, element)
    return None if found is None else "".join(found)


def _split_name(
    name: str, prefixes: Mapping[str, str], sayings: StatementCollector, element: Element
) -> tuple[str, str] | None:
    """What a prefix stands for, and the rest of the name; None where it has no known prefix."""
    found = _PREFIXED_NAME.fullmatch(name)
    if found is None:
        return None
    start = prefixes.get(found[1].lower())
    if start is None:
        if found[1].lower() in _KNOWN_PREFIXES:
            sayings.faults.find("LX375", element.line, name, prefix=found[1])
        return None
    return start, found[2]


def _refine_term(start: str, name: str) -> str:
    """The IRI of a term; ``DC.Date.issued`` is what was written before there were finer terms."""
    if start not in {DC, DCTERMS}:
        return start + name
    parts = [_correct_case(part) for part in name.split(".") if part]
    if len(parts) > 1:
        # Of what kind an identifier is ("DC.Identifier.URN") is no term.
        return f"{start}identifier" if parts[0] == "identifier" else DCTERMS + parts[-1]
    return start + "".join(parts)


def _correct_case(term: str) -> str:
    """A term of Dublin Core as it is defined: its names are not case sensitive (RFC 2731)."""
    plain = term.lower()
    if plain in _COMPOUND_TERMS:
        return _COMPOUND_TERMS[plain]
    return plain if term.isupper() else f"{term[:1].lower()}{term[1:]}"


def _read_link(element: Element, prefixes: Mapping[str, str], sayings: StatementCollector) -> None:
    tokens = (element.get("rel") or "").split()
    href = element.get("href")
    # "shortcut icon" and the like: one word for browsers tells what all are for.
    if href is None or any(token.lower() in _BROWSER_LINKS for token in tokens):
        return
    target = StatementValue(sayings.resolved(href), is_iri=True)
    for token in dict.fromkeys(tokens):
        term = _resolve_relation(token, prefixes, sayings, element)
        if term is not None:
            sayings.say(Notation.META, sayings.base, term, target, element)
    if tokens:
        _check_link(element, sayings)


def _resolve_relation(
    token: str, prefixes: Mapping[str, str], sayings: StatementCollector, element: Element
) -> str | None:
    """The IRI of a relation, None where it only declares a prefix."""
    if _PREFIX_DECLARATION.fullmatch(token):
        return None
    found = _PREFIXED_NAME.fullmatch(token)
    if found is not None and "." in token:
        return _resolve_name(token, prefixes, sayings, element)
    # RFC 8288 section 2.1: a relation is a registered word, or an IRI.
    return token if "://" in token else f"{IANA}{token.lower()}"


def _check_link(element: Element, sayings: StatementCollector) -> None:
    """What a link says of its target: language and media type."""
    language, kind = element.get("hreflang"), element.get("type")
    if language and language.lower() != "x-default":
        problem = check_language_tag(language.strip())
        if problem is not None:
            sayings.faults.find(
                "LX378", element.line, language, why=problem.why, suggestion=problem.suggestion
            )
    if kind and not is_media_type(kind.strip()):
        sayings.faults.find(
            "LX377", element.line, kind, suggestion=suggest_media_type(kind.strip())
        )


_TOO_MUCH = f"says more than {MOST_STATEMENTS:,} things about itself"


def read_html(document: Document) -> Reading:
    """What a page of HTML says; any bytes are one.

    Raises:
        DocumentError: the document cannot be read.
        MissingExtraError: the extra ``embed`` is not installed.
    """
    page, findings = parse_html(document)
    return _read_page(document.name, page, findings)


def read_xhtml(document: Document) -> Reading:
    """What a page of XHTML says; where it is not well-formed, what it says before the fault.

    Raises:
        DocumentError: the document cannot be read, or is no XML from its start.
    """
    page, findings = parse_xhtml(document)
    return _read_page(document.name, page, findings)


def _read_page(name: str, page: Page, findings: tuple[Finding, ...]) -> Reading:
    sayings = StatementCollector(name, page)
    for say in (_read_head, read_json_ld, read_rdfa, read_microdata):
        try:
            say(page, sayings)
        except TooManyStatementsError as fault:
            sayings.faults.find("LX370", 0, "", what=str(fault) or _TOO_MUCH)
            break
    return Reading(statements=sayings.statements(), findings=(*findings, *sayings.faults.all()))
