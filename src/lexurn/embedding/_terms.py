"""IRIs of terms, and what begins them, as far as readers of documents have to know them."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CANONICAL",
    "DC",
    "DCTERMS",
    "ELI",
    "IANA",
    "PAGE_LANGUAGE",
    "PAGE_TITLE",
    "PRISM",
    "RDF_TYPE",
    "SCHEMA",
    "XHV",
]

DC: Final = "http://purl.org/dc/elements/1.1/"
DCTERMS: Final = "http://purl.org/dc/terms/"
ELI: Final = "http://data.europa.eu/eli/ontology#"
IANA: Final = "http://www.iana.org/assignments/relation/"
PRISM: Final = "http://prismstandard.org/namespaces/basic/2.0/"
RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SCHEMA: Final = "https://schema.org/"
XHV: Final = "http://www.w3.org/1999/xhtml/vocab#"

CANONICAL: Final = f"{IANA}canonical"
PAGE_TITLE: Final = "https://html.spec.whatwg.org/#the-title-element"
"""What ``title`` says: how the page is called in a browser, which need not be the act's title."""
PAGE_LANGUAGE: Final = "https://html.spec.whatwg.org/#attr-lang"
"""What ``lang`` of the root says."""
