"""What RDFa 1.1 knows before a page says anything: prefixes and terms, and what begins with what.

The prefixes are those of the W3C's initial context (https://www.w3.org/2011/rdfa-context/rdfa-1.1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CORE_TERMS", "PREFIXES", "SCHEMES", "TERM", "XHTML_TERMS", "XHTML_VOCABULARY"]

_W3 = "http://www.w3.org/"
XHTML_VOCABULARY: Final = f"{_W3}1999/xhtml/vocab#"

PREFIXES: Final[Mapping[str, str]] = {
    "as": "https://www.w3.org/ns/activitystreams#",
    "cc": "http://creativecommons.org/ns#",
    "csvw": f"{_W3}ns/csvw#",
    "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": f"{_W3}ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": f"{_W3}ns/dqv#",
    "duv": "https://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "grddl": f"{_W3}2003/g/data-view#",
    "ical": f"{_W3}2002/12/cal/icaltzd#",
    "jsonld": f"{_W3}ns/json-ld#",
    "ldp": f"{_W3}ns/ldp#",
    "ma": f"{_W3}ns/ma-ont#",
    "oa": f"{_W3}ns/oa#",
    "odrl": f"{_W3}ns/odrl/2/",
    "og": "http://ogp.me/ns#",
    "org": f"{_W3}ns/org#",
    "owl": f"{_W3}2002/07/owl#",
    "prov": f"{_W3}ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": f"{_W3}1999/02/22-rdf-syntax-ns#",
    "rdfa": f"{_W3}ns/rdfa#",
    "rdfs": f"{_W3}2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "rif": f"{_W3}2007/rif#",
    "rr": f"{_W3}ns/r2rml#",
    "schema": "http://schema.org/",
    "sd": f"{_W3}ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": f"{_W3}2004/02/skos/core#",
    "skosxl": f"{_W3}2008/05/skos-xl#",
    "sosa": f"{_W3}ns/sosa/",
    "ssn": f"{_W3}ns/ssn/",
    "time": f"{_W3}2006/time#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": f"{_W3}2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wdr": f"{_W3}2007/05/powder#",
    "wdrs": f"{_W3}2007/05/powder-s#",
    "xhv": XHTML_VOCABULARY,
    "xml": f"{_W3}XML/1998/namespace",
    "xsd": f"{_W3}2001/XMLSchema#",
}

CORE_TERMS: Final[Mapping[str, str]] = {
    "describedby": f"{_W3}2007/05/powder-s#describedby",
    "license": f"{XHTML_VOCABULARY}license",
    "role": f"{XHTML_VOCABULARY}role",
}

XHTML_TERMS: Final[Mapping[str, str]] = {
    **{
        term: f"{XHTML_VOCABULARY}{term}"
        for term in [
            "alternate",
            "appendix",
            "bookmark",
            "chapter",
            "cite",
            "contents",
            "copyright",
            "first",
            "glossary",
            "help",
            "icon",
            "index",
            "last",
            "meta",
            "next",
            "p3pv1",
            "prev",
            "previous",
            "section",
            "start",
            "stylesheet",
            "subsection",
            "top",
            "up",
        ]
    },
    **CORE_TERMS,
}
"""What pages of XHTML 1 may use as well."""

TERM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9._/-]*")
"""What is looked up as a term, and no IRI."""

SCHEMES: Final = frozenset(
    [
        "acct",
        "cid",
        "data",
        "did",
        "doi",
        "file",
        "ftp",
        "ftps",
        "geo",
        "git",
        "http",
        "https",
        "info",
        "irc",
        "javascript",
        "ldap",
        "mailto",
        "mid",
        "ni",
        "sftp",
        "sip",
        "sms",
        "ssh",
        "tag",
        "tel",
        "urn",
        "uuid",
        "ws",
        "wss",
        "xmpp",
        "about",
    ]
)
"""Schemes of IRIs that no reader takes for a forgotten prefix."""
