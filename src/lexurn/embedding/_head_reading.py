"""What stands in an HTML head for machines: Dublin Core (DC-HTML), and relations of links.

A name in ``meta name`` is a prefix, a dot (or, as others write it, a colon) and a term; ``link
rel="schema.DC"`` declares the prefix. Relations of links are those of RFC 8288, as IRIs under that
of their registry, and those of RFC 9676 section 7.1.1 that nobody registered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._language_tags import why_no_tag
from lexurn.embedding._media_types import is_media_type, meant_media_type
from lexurn.embedding._sayings import Term
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import DC, DCTERMS, ELI, IANA, PAGE_LANGUAGE, PAGE_TITLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.embedding._page import Element, Page
    from lexurn.embedding._sayings import Sayings

__all__ = ["say_head"]

_DECLARING = re.compile(r"schema\.(\S+)", re.IGNORECASE)
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)[.:]([A-Za-z][\w.-]*)")
_USUAL: Final[Mapping[str, str]] = {"dc": DC, "dcterms": DCTERMS}
"""Prefixes that pages use as if they were declared."""

_DUBLIN_CORE = re.compile(
    r"https?://(?:www\.)?purl\.org/(?:metadata/dublin_core|dc(?=[/#]|\Z)(?!/(?:dcmitype|dcam)\b)).*",
    re.IGNORECASE,
)
"""Dublin Core as pages name it: in an old release, by https, without the last sign."""

_KNOWN: Final[Mapping[str, str]] = {
    "dct": DCTERMS,
    "eli": ELI,
    "schema": "https://schema.org/",
}
"""Prefixes that are worth a word where they are not declared; others are not ours to judge."""

_COMPOUNDS: Final[Mapping[str, str]] = {
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
_LEX = re.compile(r"urn:(?:lex|nir):", re.IGNORECASE)
_FOR_BROWSERS = frozenset(
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


def say_head(page: Page, sayings: Sayings) -> None:
    """Take in what a page says by ``meta``, ``link``, ``title`` and ``lang``.

    Raises:
        EnoughError: it says too much.
    """
    prefixes = {**_USUAL, **dict(_declared(page))}
    _say_root(page, sayings)
    for element in page.named("meta", "link"):
        if element.name == "meta":
            _say_meta(element, prefixes, sayings)
        else:
            _say_link(element, prefixes, sayings)


def _declared(page: Page) -> Iterator[tuple[str, str]]:
    for element in page.named("link"):
        for token in (element.get("rel") or "").split():
            found = _DECLARING.fullmatch(token)
            if found is not None and element.get("href"):
                yield found[1].lower(), _vocabulary((element.get("href") or "").strip())


def _vocabulary(iri: str) -> str:
    """What the terms of a declared vocabulary begin with."""
    if _DUBLIN_CORE.fullmatch(iri) is None:
        return iri
    return DCTERMS if "/terms" in iri.lower() else DC


def _say_root(page: Page, sayings: Sayings) -> None:
    """The language of the page, and its title."""
    if page.elements:
        root = page.elements[0]
        tag = root.own_language
        if tag is not None:
            sayings.say(Way.META, sayings.base, PAGE_LANGUAGE, Term(tag), root)
    for element in page.named("title"):
        if element.parent is not None and element.parent.name == "head":
            text = Term(page.text_of(element), language=element.language)
            sayings.say(Way.META, sayings.base, PAGE_TITLE, text, element)
            return


def _say_meta(element: Element, prefixes: Mapping[str, str], sayings: Sayings) -> None:
    name, content = (element.get("name") or "").strip(), element.get("content")
    if content is None or not name:
        return
    if name.lower() in _BARE_NAMES:
        # Names of RFC 9676 section 1.4, of which no vocabulary says how they are called.
        term = f"{DC}identifier" if _LEX.match(content.strip()) else None
    else:
        term = _term(name, prefixes, sayings, element)
    if term is None:
        return
    scheme = element.get("scheme")
    datatype = None if scheme is None else _scheme(scheme.strip(), prefixes, sayings, element)
    # What lexurn writes has a language of its own or none, whatever that of the page.
    language = element.own_language if element.is_ours else element.language
    value = Term(content, language=language, datatype=datatype)
    sayings.say(Way.META, sayings.base, term, value, element)


def _term(name: str, prefixes: Mapping[str, str], sayings: Sayings, element: Element) -> str | None:
    """The IRI of a name such as ``DC.identifier``, None where it is no such name."""
    found = _split(name, prefixes, sayings, element)
    return None if found is None else _refined(*found)


def _scheme(
    name: str, prefixes: Mapping[str, str], sayings: Sayings, element: Element
) -> str | None:
    """The IRI of a scheme such as ``DCTERMS.W3CDTF``, None where it is no such name."""
    found = _split(name, prefixes, sayings, element)
    return None if found is None else "".join(found)


def _split(
    name: str, prefixes: Mapping[str, str], sayings: Sayings, element: Element
) -> tuple[str, str] | None:
    """What a prefix stands for, and the rest of the name; None where it has no known prefix."""
    found = _NAMED.fullmatch(name)
    if found is None:
        return None
    start = prefixes.get(found[1].lower())
    if start is None:
        if found[1].lower() in _KNOWN:
            sayings.faults.find("LX375", element.line, name, prefix=found[1])
        return None
    return start, found[2]


def _refined(start: str, name: str) -> str:
    """The IRI of a term; ``DC.Date.issued`` is what was written before there were finer terms."""
    if start not in {DC, DCTERMS}:
        return start + name
    parts = [_spelled(part) for part in name.split(".") if part]
    if len(parts) > 1:
        # Of what kind an identifier is ("DC.Identifier.URN") is no term.
        return f"{start}identifier" if parts[0] == "identifier" else DCTERMS + parts[-1]
    return start + "".join(parts)


def _spelled(term: str) -> str:
    """A term of Dublin Core as it is defined: its names are not case sensitive (RFC 2731)."""
    plain = term.lower()
    if plain in _COMPOUNDS:
        return _COMPOUNDS[plain]
    return plain if term.isupper() else f"{term[:1].lower()}{term[1:]}"


def _say_link(element: Element, prefixes: Mapping[str, str], sayings: Sayings) -> None:
    tokens = (element.get("rel") or "").split()
    href = element.get("href")
    # "shortcut icon" and the like: one word for browsers tells what all are for.
    if href is None or any(token.lower() in _FOR_BROWSERS for token in tokens):
        return
    target = Term(sayings.resolved(href), is_iri=True)
    for token in dict.fromkeys(tokens):
        term = _relation(token, prefixes, sayings, element)
        if term is not None:
            sayings.say(Way.META, sayings.base, term, target, element)
    if tokens:
        _check(element, sayings)


def _relation(
    token: str, prefixes: Mapping[str, str], sayings: Sayings, element: Element
) -> str | None:
    """The IRI of a relation, None where it only declares a prefix."""
    if _DECLARING.fullmatch(token):
        return None
    found = _NAMED.fullmatch(token)
    if found is not None and "." in token:
        return _term(token, prefixes, sayings, element)
    # RFC 8288 section 2.1: a relation is a registered word, or an IRI.
    return token if "://" in token else f"{IANA}{token.lower()}"


def _check(element: Element, sayings: Sayings) -> None:
    """What a link says of its target: language and media type."""
    language, kind = element.get("hreflang"), element.get("type")
    if language and language.lower() != "x-default":
        problem = why_no_tag(language.strip())
        if problem is not None:
            sayings.faults.find(
                "LX378", element.line, language, why=problem.why, suggestion=problem.suggestion
            )
    if kind and not is_media_type(kind.strip()):
        sayings.faults.find("LX377", element.line, kind, suggestion=meant_media_type(kind.strip()))
