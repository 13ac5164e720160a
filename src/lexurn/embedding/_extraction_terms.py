"""What the terms of many vocabularies mean for a document that has a LEX name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._terms import DC, DCTERMS, ELI, IANA, SCHEMA, XHV
from lexurn.embedding._xml_terms import AKOMA_NTOSO, LEXML, NIR

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALIAS",
    "FIELDS",
    "IDENTIFIERS",
    "LABELS",
    "NAMING",
    "PLACES",
    "RELATIONS",
    "SAME_AS",
    "TOPICS",
    "is_identifier",
    "normal",
    "short",
]

_OWL = "http://www.w3.org/2002/07/owl#"
_XMP = "http://ns.adobe.com/xap/1.0/"
_DCAT = "http://www.w3.org/ns/dcat#"
_OLD_SCHEMA = re.compile(r"https?://(?:www\.)?schema\.org/")
_AKN_ALIAS = re.compile(
    rf"{re.escape(AKOMA_NTOSO)}FRBR(?:Work|Expression|Manifestation)\.FRBR(?:alias(?!\.\w*[Tt]itle\Z)|uri|this)(?:\..*)?"
)

IDENTIFIERS: Final = frozenset(
    {
        f"{DC}identifier",
        f"{DCTERMS}identifier",
        f"{ELI}id_local",
        f"{SCHEMA}identifier",
        f"{SCHEMA}legislationIdentifier",
        f"{LEXML}Identificacao.URN",
        f"{NIR}urn",
        f"{_XMP}Identifier",
    }
)
"""Terms whose value is what something is called."""

SAME_AS: Final = f"{_OWL}sameAs"
"""Where lexurn writes it, it leads from an alias to the canonical name."""

ALIAS: Final = frozenset({SAME_AS, f"{SCHEMA}sameAs"})
"""Terms whose value is what the same thing is called as well."""

NAMING: Final = frozenset({f"{IANA}canonical", f"{IANA}cite-as"})
"""Links of a page to what it is called (RFC 8574) where it does not say that otherwise."""

TOPICS: Final = frozenset({f"{SCHEMA}mainEntity", "http://xmlns.com/foaf/0.1/primaryTopic"})
"""From the page to what it is about: what is led to by these is still the document."""

PLACES: Final = frozenset({f"{ELI}is_exemplified_by", f"{SCHEMA}contentUrl", f"{SCHEMA}url"})
"""Terms whose value is where something lies."""

RELATIONS: Final[Mapping[str, str]] = {
    f"{IANA}canonical": "canonical",
    f"{IANA}cite-as": "citeAs",
    f"{IANA}self": "self",
    f"{IANA}first": "first",
    f"{IANA}prev": "previous",
    f"{IANA}previous": "previous",
    f"{IANA}predecessor-version": "previous",
    f"{IANA}next": "next",
    f"{IANA}successor-version": "next",
    f"{IANA}last": "last",
    f"{IANA}last-version": "last",
    f"{IANA}current": "current",
    f"{IANA}latest-version": "current",
    f"{IANA}version-history": "versionHistory",
    f"{DC}relation": "related",
    f"{DCTERMS}relation": "related",
    f"{DCTERMS}isVersionOf": "isVersionOf",
    f"{ELI}realizes": "isVersionOf",
    f"{SCHEMA}exampleOfWork": "isVersionOf",
    f"{DCTERMS}hasVersion": "hasVersion",
    f"{_DCAT}hasVersion": "hasVersion",
    f"{ELI}is_realized_by": "hasVersion",
    f"{SCHEMA}workExample": "hasVersion",
    f"{DCTERMS}isFormatOf": "isFormatOf",
    f"{ELI}embodies": "isFormatOf",
    f"{SCHEMA}encodesCreativeWork": "isFormatOf",
    f"{DCTERMS}hasFormat": "hasFormat",
    f"{ELI}is_embodied_by": "hasFormat",
    f"{SCHEMA}encoding": "hasFormat",
    f"{DCTERMS}isPartOf": "isPartOf",
    f"{ELI}is_part_of": "isPartOf",
    f"{ELI}is_annex_of": "isPartOf",
    f"{SCHEMA}isPartOf": "isPartOf",
    f"{DCTERMS}hasPart": "hasPart",
    f"{ELI}has_part": "hasPart",
    f"{ELI}has_annex": "hasPart",
    f"{SCHEMA}hasPart": "hasPart",
    f"{ELI}amended_by": "amendedBy",
    f"{ELI}amends": "amends",
    f"{SCHEMA}legislationAmends": "amends",
    f"{ELI}repealed_by": "repealedBy",
    f"{ELI}repeals": "repeals",
    f"{SCHEMA}legislationRepeals": "repeals",
    f"{ELI}consolidates": "consolidates",
    f"{SCHEMA}legislationConsolidates": "consolidates",
    f"{ELI}consolidated_by": "consolidatedBy",
    f"{ELI}corrects": "corrects",
    f"{SCHEMA}legislationCorrects": "corrects",
    f"{ELI}corrected_by": "correctedBy",
}
"""What a document has to do with another: the kind of relation, by the term."""

FIELDS: Final[Mapping[str, str]] = {
    f"{DC}title": "titles",
    f"{DCTERMS}title": "titles",
    f"{ELI}title": "titles",
    f"{SCHEMA}name": "titles",
    f"{AKOMA_NTOSO}FRBRWork.FRBRalias.title": "titles",
    f"{AKOMA_NTOSO}FRBRExpression.FRBRalias.title": "titles",
    f"{DC}language": "languages",
    f"{DCTERMS}language": "languages",
    f"{ELI}language": "languages",
    f"{SCHEMA}inLanguage": "languages",
    f"{AKOMA_NTOSO}FRBRExpression.FRBRlanguage": "languages",
    f"{DCTERMS}issued": "issued",
    f"{DCTERMS}available": "published",
    f"{ELI}date_publication": "published",
    f"{SCHEMA}datePublished": "published",
    f"{NIR}pubblicazione.norm": "published",
    f"{NIR}entratainvigore.norm": "in_force_from",
    f"{DCTERMS}modified": "modified",
    f"{SCHEMA}dateModified": "modified",
    f"{ELI}first_date_entry_in_force": "in_force_from",
    f"{ELI}date_no_longer_in_force": "in_force_last",
    f"{SCHEMA}temporalCoverage": "in_force_during",
    f"{ELI}date_document": "document_date",
    f"{SCHEMA}legislationDate": "document_date",
    f"{ELI}version_date": "version_date",
    f"{SCHEMA}legislationDateVersion": "version_date",
    f"{DC}publisher": "publishers",
    f"{DCTERMS}publisher": "publishers",
    f"{ELI}publisher": "publishers",
    f"{ELI}publisher_agent": "publishers",
    f"{SCHEMA}publisher": "publishers",
    f"{DC}creator": "creators",
    f"{DCTERMS}creator": "creators",
    f"{SCHEMA}creator": "creators",
    f"{SCHEMA}author": "creators",
    f"{DC}subject": "subjects",
    f"{DCTERMS}subject": "subjects",
    f"{ELI}is_about": "subjects",
    f"{SCHEMA}about": "subjects",
    f"{DCTERMS}license": "licenses",
    f"{ELI}licence": "licenses",
    f"{SCHEMA}license": "licenses",
    f"{IANA}license": "licenses",
    f"{ELI}is_exemplified_by": "urls",
    f"{SCHEMA}contentUrl": "urls",
}
"""What is said of a document itself: the part of an extraction, by the term."""

LABELS: Final = frozenset(
    {
        f"{SCHEMA}name",
        "http://xmlns.com/foaf/0.1/name",
        "http://www.w3.org/2000/01/rdf-schema#label",
    }
)
"""Terms whose value is the name of an agent or of a thing, for people."""

_SHORT: Final = {
    DC: "dc:",
    DCTERMS: "dcterms:",
    ELI: "eli:",
    SCHEMA: "schema:",
    IANA: "",
    AKOMA_NTOSO: "akn:",
    LEXML: "lexml:",
    NIR: "nir:",
    _OWL: "owl:",
    _XMP: "xmp:",
}


def normal(term: str) -> str:
    """A term by the IRI that it has here: those of schema.org and of links have several."""
    term = _OLD_SCHEMA.sub(SCHEMA, term, count=1)
    return IANA + term[len(XHV) :] if term.startswith(XHV) else term


def is_identifier(term: str) -> bool:
    """Whether the value of a (normal) term is what something is called."""
    return term in IDENTIFIERS or _AKN_ALIAS.fullmatch(term) is not None


def short(term: str) -> str:
    """A term for people: ``dc:identifier``."""
    for start, prefix in _SHORT.items():
        if term.startswith(start):
            return prefix + term[len(start) :]
    return term
