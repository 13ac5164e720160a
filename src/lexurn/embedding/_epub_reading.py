"""What the package document of an EPUB says of the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from lexurn.embedding._statement import Statement, Way
from lexurn.embedding._terms import DC, DCTERMS
from lexurn.embedding._zip_facts import Fact, property_statement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._zip_xml import Element, Page

__all__ = ["DC_METADATA", "METADATA", "OPF", "PACKAGE", "statements_of"]

OPF: Final = "http://www.idpf.org/2007/opf"
PACKAGE: Final = (OPF, "package")
METADATA: Final = (OPF, "metadata")
DC_METADATA: Final = (OPF, "dc-metadata")

# Values in the language of the package, where they say no other.
_IN_WORDS: Final = frozenset((DC, each) for each in ("title", "description", "subject", "rights"))
_META_TERMS: Final = "http://idpf.org/epub/vocab/package/meta/#"
_LINK_TERMS: Final = "http://idpf.org/epub/vocab/package/link/#"
# EPUB 3.3 appendix D.1.4: prefixes that need no declaration.
_RESERVED: Final[Mapping[str, str]] = {
    "a11y": "http://www.idpf.org/epub/vocab/package/a11y/#",
    "dcterms": DCTERMS,
    "marc": "http://id.loc.gov/vocabulary/",
    "media": "http://www.idpf.org/epub/vocab/overlays/#",
    "onix": "http://www.editeur.org/ONIX/book/codelists/current.html#",
    "rendition": "http://www.idpf.org/vocab/rendition/#",
    "schema": "http://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def statements_of(package: Page) -> tuple[Statement, ...]:
    """What a package document says of the book, and of nothing else in it."""
    prefixes = _prefixes(package)
    elements = (*package.below(PACKAGE, METADATA), *package.below(PACKAGE, METADATA, DC_METADATA))
    ordered = sorted(elements, key=lambda each: each.opening.start)
    found = (_statement(package, each, prefixes) for each in ordered)
    return tuple(each for each in found if each is not None and each.value)


def _prefixes(package: Page) -> dict[str, str]:
    """The prefixes of properties: those of the specification, and those that are declared."""
    words = (package.root.opening.get("prefix") or "").split()
    pairs = zip(words[::2], words[1::2], strict=False)
    return {**_RESERVED, **{prefix.removesuffix(":"): uri for prefix, uri in pairs}}


def _statement(package: Page, element: Element, prefixes: Mapping[str, str]) -> Statement | None:
    uri, local = element.path[-1]
    opening = element.opening
    if uri == DC:
        return _said(package, element, f"{DC}{local}", element.text)
    if uri != OPF or opening.get("refines") is not None:
        return None
    if local == "link":
        term = _term((opening.get("rel") or "").split(" ")[0], prefixes, _LINK_TERMS)
        return _said(package, element, term, opening.get("href") or "", is_iri=True)
    if local != "meta":
        return None
    name = opening.get("name")
    if name is not None:
        fact = Fact(name, (opening.get("content") or "").strip())
        return property_statement(Way.OPF, f"{OPF}#", fact, is_ours=element.is_ours)
    term = _term(opening.get("property") or "", prefixes, _META_TERMS)
    is_iri = element.is_ours and term is not None and term.startswith(DCTERMS)
    return _said(package, element, term, element.text, is_iri=is_iri)


def _said(
    package: Page, element: Element, term: str | None, value: str, *, is_iri: bool = False
) -> Statement | None:
    if term is None:
        return None
    language = element.opening.language
    if language is None and element.path[-1] in _IN_WORDS:
        language = package.root.opening.language
    return Statement(
        way=Way.OPF,
        subject=None,
        term=term,
        value=value.strip(),
        is_iri=is_iri,
        language=None if is_iri else language,
        is_ours=element.is_ours,
    )


def _term(text: str, prefixes: Mapping[str, str], default: str) -> str | None:
    """The IRI of a property; None where its prefix is not declared."""
    prefix, colon, local = text.strip().partition(":")
    if not colon:
        return f"{default}{quote(prefix)}" if prefix else None
    return f"{prefixes[prefix]}{local}" if prefix in prefixes else None
