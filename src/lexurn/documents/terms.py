"""Terms of the vocabularies in documents: IRIs, language tags, media types, and their misspellings.

XML formats of laws have no vocabulary. Their terms are the namespace of the format with ``#``
(unless it ends in a slash), followed by the path of the value:

===============================================  ==============================================
Akoma Ntoso, ``FRBRWork/FRBRuri``                ``AKOMA_NTOSO`` + ``FRBRWork.FRBRuri``
the same with a ``name`` (aliases, dates)        ``AKOMA_NTOSO`` + ``FRBRWork.FRBRalias.urn:lex``
LexML, ``Identificacao``, attribute ``URN``      ``LEXML`` + ``Identificacao.URN``
NIR, ``descrittori/urn``                         ``NIR`` + ``urn``
NIR, ``descrittori/pubblicazione``, ``norm``     ``NIR`` + ``pubblicazione.norm``
===============================================  ==============================================

All releases of a format have the same terms. In NIR, the value is the attribute ``valore`` or
``value``, or the text of an element.
"""

from __future__ import annotations

import difflib
import json
import re
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from lexurn import data
from lexurn import vocabulary as v
from lexurn.model import LegalForce
from lexurn.name import is_language_tag, is_registered_subtag
from lexurn.vocabulary import DC, DCAT, DCTERMS, ELI, FOAF, IANA, OWL, RDF, RDFS, SCHEMA, XHV

if TYPE_CHECKING:
    from collections.abc import Mapping

PRISM: Final = "http://prismstandard.org/namespaces/basic/2.0/"
RDF_TYPE: Final = f"{RDF}type"

CANONICAL: Final = f"{IANA}canonical"
PAGE_TITLE: Final = "https://html.spec.whatwg.org/#the-title-element"
"""Term for ``title``: the title of the page in a browser, not always that of the act."""
PAGE_LANGUAGE: Final = "https://html.spec.whatwg.org/#attr-lang"
"""Term for ``lang`` of the root."""
AKOMA_NTOSO: Final = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0#"
LEXML: Final = "http://www.lexml.gov.br/1.0#"
NIR: Final = "http://www.normeinrete.it/nir/2.2/"


def is_akoma_ntoso(uri: str | None, local: str) -> bool:
    """Return whether a root element is that of Akoma Ntoso, in any release."""
    namespaces = ("http://docs.oasis-open.org/legaldocml/ns/akn/", "http://www.akomantoso.org/")
    return local in {"akomaNtoso", "akomantoso"} and (uri or "").startswith(namespaces)


def is_lexml(uri: str | None, local: str) -> bool:
    """Return whether a root element is that of LexML Brasil, in any release."""
    return local == "LexML" and (uri or "").startswith("http://www.lexml.gov.br/")


def make_term(namespace: str, *path: str) -> str:
    """Return the IRI of a path of elements, percent-encoded where necessary."""
    return namespace + ".".join(quote(each.strip(), safe=":@-_") for each in path)


FORCES: Final[Mapping[str, LegalForce]] = {
    f"{ELI}InForce-inForce": LegalForce.IN_FORCE,
    f"{ELI}InForce-notInForce": LegalForce.NOT_IN_FORCE,
    f"{ELI}InForce-partiallyInForce": LegalForce.PARTLY_IN_FORCE,
    f"{SCHEMA}InForce": LegalForce.IN_FORCE,
    f"{SCHEMA}NotInForce": LegalForce.NOT_IN_FORCE,
    f"{SCHEMA}PartiallyInForce": LegalForce.PARTLY_IN_FORCE,
}
"""States of force by the values of ``eli:in_force`` and ``schema:legislationLegalForce``."""


@cache
def load_vocabulary(name: str) -> Any:
    """Load a list of terms that others define, from ``ontology/vocabularies.json``."""
    return json.loads(data.read_text("ontology/vocabularies.json"))[name]


@lru_cache(maxsize=1_000)
def suggest_eli_term(local: str) -> str | None:
    """Suggest the ELI term with a similar spelling, if there is one."""
    found = difflib.get_close_matches(local, load_vocabulary("eli_terms"), n=1, cutoff=0.8)
    return found[0] if found else None


_OLD_SCHEMA = re.compile(r"https?://(?:www\.)?schema\.org/")
_AKN_ALIAS = re.compile(
    rf"{re.escape(AKOMA_NTOSO)}FRBR(?:Work|Expression|Manifestation)\.FRBR(?:alias(?!\.\w*[Tt]itle\Z)|uri|this)(?:\..*)?"
)

_PREFIXES: Final = {
    "dc": DC,
    "dcterms": DCTERMS,
    "eli": ELI,
    "schema": SCHEMA,
    "iana": IANA,
    "akn": AKOMA_NTOSO,
    "lexml": LEXML,
    "nir": NIR,
    "owl": OWL,
    "xmp": "http://ns.adobe.com/xap/1.0/",
}


def _expand_terms(table: Mapping[str, str]) -> Mapping[str, str]:
    """Return the keys of a table by the IRIs of the terms that its values list."""
    namespaces = {**_PREFIXES, "dcat": DCAT}
    return {
        namespaces[prefix] + local: key
        for key, terms in table.items()
        for prefix, _, local in (term.partition(":") for term in terms.split())
    }


_IDENTIFIERS = (
    "dc:identifier dcterms:identifier eli:id_local schema:identifier schema:legislationIdentifier"
    " lexml:Identificacao.URN nir:urn xmp:Identifier"
)
IDENTIFIER_TERMS: Final = frozenset(_expand_terms({"identifier": _IDENTIFIERS}))
"""Terms whose value is an identifier."""

SAME_AS: Final = f"{OWL}sameAs"
"""In lexurn's own blocks it leads from an alias to the canonical name."""

ALIAS_TERMS: Final = frozenset({SAME_AS, f"{SCHEMA}sameAs"})
"""Terms whose value is another identifier of the same thing."""

NAMING_LINKS: Final = frozenset({f"{IANA}canonical", f"{IANA}cite-as"})
"""Links of a page to its name (RFC 8574), if it does not state that otherwise."""

TOPIC_TERMS: Final = frozenset({f"{SCHEMA}mainEntity", f"{FOAF}primaryTopic"})
"""Terms from the page to its main entity, which is the document as well."""

PLACE_TERMS: Final = frozenset({f"{ELI}is_exemplified_by", f"{SCHEMA}contentUrl", f"{SCHEMA}url"})
"""Terms whose value is the location of something."""

RELATION_KINDS: Final = _expand_terms(
    {
        "canonical": "iana:canonical",
        "citeAs": "iana:cite-as",
        "self": "iana:self",
        "first": "iana:first",
        "previous": "iana:prev iana:previous iana:predecessor-version",
        "next": "iana:next iana:successor-version",
        "last": "iana:last iana:last-version",
        "current": "iana:current iana:latest-version",
        "versionHistory": "iana:version-history",
        "related": "dc:relation dcterms:relation",
        "isVersionOf": "dcterms:isVersionOf eli:realizes schema:exampleOfWork",
        "hasVersion": "dcterms:hasVersion dcat:hasVersion eli:is_realized_by schema:workExample",
        "isFormatOf": "dcterms:isFormatOf eli:embodies schema:encodesCreativeWork",
        "hasFormat": "dcterms:hasFormat eli:is_embodied_by schema:encoding",
        "isPartOf": "dcterms:isPartOf eli:is_part_of eli:is_annex_of schema:isPartOf",
        "hasPart": "dcterms:hasPart eli:has_part eli:has_annex schema:hasPart",
        "amendedBy": "eli:amended_by",
        "amends": "eli:amends schema:legislationAmends",
        "repealedBy": "eli:repealed_by",
        "repeals": "eli:repeals schema:legislationRepeals",
        "consolidates": "eli:consolidates schema:legislationConsolidates",
        "consolidatedBy": "eli:consolidated_by",
        "corrects": "eli:corrects schema:legislationCorrects",
        "correctedBy": "eli:corrected_by",
    }
)
"""Kinds of relations between documents, by term."""

FIELDS_BY_TERM: Final = _expand_terms(
    {
        "titles": "dc:title dcterms:title eli:title schema:name"
        " akn:FRBRWork.FRBRalias.title akn:FRBRExpression.FRBRalias.title",
        "languages": "dc:language dcterms:language eli:language schema:inLanguage"
        " akn:FRBRExpression.FRBRlanguage",
        "issued": "dcterms:issued",
        "published": "dcterms:available eli:date_publication schema:datePublished"
        " nir:pubblicazione.norm",
        "modified": "dcterms:modified schema:dateModified",
        "in_force_from": "eli:first_date_entry_in_force nir:entratainvigore.norm",
        "in_force_last": "eli:date_no_longer_in_force",
        "in_force_during": "schema:temporalCoverage",
        "force": "eli:in_force schema:legislationLegalForce",
        "document_date": "eli:date_document schema:legislationDate",
        "version_date": "eli:version_date schema:legislationDateVersion",
        "publishers": "dc:publisher dcterms:publisher eli:publisher eli:publisher_agent"
        " schema:publisher",
        "creators": "dc:creator dcterms:creator schema:creator schema:author",
        "subjects": "dc:subject dcterms:subject eli:is_about schema:about",
        "licenses": "dcterms:license eli:licence schema:license iana:license",
        "urls": "eli:is_exemplified_by schema:contentUrl",
    }
)
"""Fields of an extraction, by term."""

LABEL_TERMS: Final = frozenset({f"{SCHEMA}name", f"{FOAF}name", f"{RDFS}label"})
"""Terms whose value is the name of an agent or a thing for people."""


def normalize_term(term: str) -> str:
    """Return the one IRI used here for a term of schema.org or a link relation."""
    term = _OLD_SCHEMA.sub(SCHEMA, term, count=1)
    return IANA + term[len(XHV) :] if term.startswith(XHV) else term


def is_identifier_term(term: str) -> bool:
    """Return whether the value of a normalized term is an identifier."""
    return term in IDENTIFIER_TERMS or _AKN_ALIAS.fullmatch(term) is not None


def abbreviate_term(term: str) -> str:
    """Return a term as people write it: ``dc:identifier``."""
    for prefix, start in _PREFIXES.items():
        if term.startswith(start):
            local = term[len(start) :]
            return local if start == IANA else f"{prefix}:{local}"
    return term


FORBIDDEN_CHARACTERS: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)
"""Characters that no cell of a manifest and no RDF may contain."""
# A graph with an earlier version has to name the last one too (RFC 9676 section 7.1.1), which
# changes. So only the links between a name and those above it are written, and aliases.
VERSION_CHAIN_TERMS: Final = (
    "<http://www.iana.org/assignments/relation/",
    "<http://www.w3.org/ns/dcat#",
    *(v.AS_OF, v.FORCE_FROM, v.FORCE_FROM_BASIS, v.FORCE_UNTIL, v.FORCE_UNTIL_BASIS),
)
"""Terms, or their beginnings, that follow from the versions of a whole family."""
_REGION = 2
"""Letters of a region; numbers of regions are not checked."""
_EU_LANGUAGE = re.compile(
    r"https?://publications\.europa\.eu/(?:resource|mdr)/authority/language[/#]([A-Z]{3}\w*)"
)


class LanguageProblem(NamedTuple):
    """Fault of a language tag, with the tag that is meant, if known."""

    why: str
    suggestion: str | None = None


def resolve_language_tag(value: str) -> str | None:
    """Return the language tag of a value: a tag, or an entry of the EU's list of languages.

    >>> resolve_language_tag("http://publications.europa.eu/resource/authority/language/ITA")
    'it'
    """
    found = _EU_LANGUAGE.fullmatch(value.strip())
    if found is not None:
        return _tags_by_code().get(found[1].lower())
    return value if check_language_tag(value) is None else None


def check_language_tag(text: str) -> LanguageProblem | None:
    """Return what is wrong with a language tag, or None for a valid tag.

    >>> check_language_tag("en_GB")
    LanguageProblem(why=': it has "_" for "-"', suggestion='en-GB')
    """
    if "_" in text and check_language_tag(text.replace("_", "-")) is None:
        return LanguageProblem(': it has "_" for "-"', text.replace("_", "-"))
    plain = text.lower()
    if not is_language_tag(plain):
        return _problems_by_name().get(plain) or LanguageProblem("")
    language, *subtags = plain.split("-")
    if language in {"x", "i"} or is_registered_subtag(plain, "grandfathered"):
        return None
    shorter = _tags_by_code().get(language)
    if shorter is not None and shorter != language:
        why = ": use the two-letter code of this language"
        return LanguageProblem(why, shorter + text[len(language) :])
    codes = takewhile(lambda each: len(each) > 1, subtags)
    parts = [("language", language), *(("region", each) for each in codes if len(each) == _REGION)]
    for part, code in parts:
        if not is_registered_subtag(code, f"{part}s"):
            why = f': "{code}" is not registered as a {part}'
            if part == "language" and is_registered_subtag(code, "regions"):
                why = f', and "{code}" is the code of a country'
            return _problems_by_name().get(plain) or LanguageProblem(why)
    return None


@cache
def _tags_by_code() -> Mapping[str, str]:
    """Return the two-letter tags by the three-letter codes of ISO 639."""
    codes: dict[str, str] = data.load_table("languages")["authority"]
    bibliographic = {
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl",
        "fre": "fr", "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "may": "ms",
        "per": "fa", "rum": "ro", "slo": "sk", "wel": "cy",  # codespell:ignore wel
    }  # fmt: skip
    return {**{three.lower(): tag for tag, three in codes.items()}, **bibliographic}


@cache
def _problems_by_name() -> Mapping[str, LanguageProblem]:
    """Return the problems of tags that are the English names of languages."""
    names: dict[str, str] = data.load_table("language_names")["en"]
    why = ", but the name of a language"
    return {name.lower(): LanguageProblem(why, tag) for tag, name in names.items()}


_MEDIA_TYPE = re.compile(r"([a-z0-9][a-z0-9!#$&^_.+-]*)/[a-z0-9][a-z0-9!#$&^_.+-]*")
_TOP_LEVEL_TYPES = frozenset(
    {
        *("application", "audio", "chemical", "example", "font", "haptics", "image", "message"),
        *("model", "multipart", "text", "video"),
    }
)


def _strip_parameters(text: str) -> str:
    """Return a media type without its parameters."""
    return text.partition(";")[0].strip().lower()


def is_media_type(text: str) -> bool:
    """Return whether a text is a media type by RFC 6838, and not a common mistake."""
    found = _MEDIA_TYPE.fullmatch(_strip_parameters(text))
    if found is None or found[0] in load_vocabulary("mistaken_media_types"):
        return False
    return found[1] in _TOP_LEVEL_TYPES or found[1].startswith("x-")


def suggest_media_type(text: str) -> str | None:
    """Return the media type that a mistaken one means, or None.

    >>> suggest_media_type("PDF")
    'application/pdf'
    """
    found: str | None = load_vocabulary("mistaken_media_types").get(_strip_parameters(text))
    return found
