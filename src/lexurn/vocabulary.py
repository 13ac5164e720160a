"""Namespaces as texts, and terms as N-Triples writes them (``<iri>``), each spelled once.

The terms of ``lexo:`` are defined in ``ontology/lexurn.ttl``; a test holds the two to each other.
"""

from __future__ import annotations

from types import MappingProxyType

LEXO = "https://w3id.org/lexurn/ns#"
CONTEXT_URL = "https://w3id.org/lexurn/context.jsonld"

DC = "http://purl.org/dc/elements/1.1/"
DCAT = "http://www.w3.org/ns/dcat#"
DCTERMS = "http://purl.org/dc/terms/"
ELI = "http://data.europa.eu/eli/ontology#"
ELI_MEDIA_TYPES = "http://www.iana.org/assignments/media-types/"
FOAF = "http://xmlns.com/foaf/0.1/"
FRBR = "http://purl.org/vocab/frbr/core#"
IANA = "http://www.iana.org/assignments/relation/"
LANGUAGE = "http://publications.europa.eu/resource/authority/language/"
MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SCHEMA = "https://schema.org/"
SH = "http://www.w3.org/ns/shacl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SPDX = "http://spdx.org/rdf/terms#"
VCARD = "http://www.w3.org/2006/vcard/ns#"
VOID = "http://rdfs.org/ns/void#"
XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
XHV = "http://www.w3.org/1999/xhtml/vocab#"
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES = MappingProxyType(
    {
        "dc": DC,
        "dcat": DCAT,
        "dcterms": DCTERMS,
        "eulang": LANGUAGE,
        "foaf": FOAF,
        "frbr": FRBR,
        "iana": IANA,
        "lexo": LEXO,
        "owl": OWL,
        "rdf": RDF,
        "rdfs": RDFS,
        "sh": SH,
        "skos": SKOS,
        "spdx": SPDX,
        "xsd": XSD,
    }
)
"""Prefixes in all RDF that lexurn writes; never one that is named ``urn``."""
TURTLE_PREFIXES = MappingProxyType({**PREFIXES, "vcard": VCARD, "void": VOID})
"""Prefixes in Turtle: also those of the description of a site, which is no JSON-LD."""

# Classes
WORK = f"<{LEXO}Work>"
ANNEX_CLASS = f"<{LEXO}Annex>"
EXPRESSION = f"<{LEXO}Expression>"
MANIFESTATION_CLASS = f"<{LEXO}Manifestation>"
ITEM_CLASS = f"<{LEXO}Item>"
PARTITION = f"<{LEXO}Partition>"
FRBR_WORK = f"<{FRBR}Work>"
FRBR_EXPRESSION = f"<{FRBR}Expression>"
FRBR_MANIFESTATION = f"<{FRBR}Manifestation>"
FRBR_ITEM = f"<{FRBR}Item>"
CHECKSUM_CLASS = f"<{SPDX}Checksum>"
CATALOG_RECORD = f"<{DCAT}CatalogRecord>"
OWN_CLASSES = frozenset({WORK, ANNEX_CLASS, EXPRESSION, MANIFESTATION_CLASS, ITEM_CLASS, PARTITION})
"""Classes of lexurn: those of names, and that of copies."""

# Individuals
DECODED = f"<{LEXO}decoded>"
CATALOGUED = f"<{LEXO}catalogued>"
COMPUTED = f"<{LEXO}computed>"
WITHDRAWN = f"<{LEXO}Withdrawn>"
IN_FORCE = f"<{LEXO}InForce>"
PARTLY_IN_FORCE = f"<{LEXO}PartlyInForce>"
NOT_IN_FORCE = f"<{LEXO}NotInForce>"
REPEALED = f"<{LEXO}Repealed>"
SHA256 = f"<{SPDX}checksumAlgorithm_sha256>"

# Parts of a name
TYPE = f"<{RDF}type>"
IDENTIFIER = f"<{DCTERMS}identifier>"
JURISDICTION_CODE = f"<{LEXO}jurisdictionCode>"
JURISDICTION_UNIT = f"<{LEXO}jurisdictionUnit>"
AUTHORITY = f"<{LEXO}authority>"
ISSUER = f"<{LEXO}issuer>"
MEASURE_TYPE = f"<{LEXO}measureType>"
MEASURE_SPECIFICATION = f"<{LEXO}measureSpecification>"
DATE = f"<{LEXO}date>"
LOCAL_DATE = f"<{LEXO}localDate>"
PERIOD = f"<{LEXO}period>"
NUMBER = f"<{LEXO}number>"
ANNEX_ID = f"<{LEXO}annexId>"
ANNEX_SPECIFICATION = f"<{LEXO}annexSpecification>"
VERSION_DATE = f"<{LEXO}versionDate>"
VERSION_LABEL = f"<{LEXO}versionLabel>"
EVENT_DATE = f"<{LEXO}eventDate>"
EVENT = f"<{LEXO}event>"
LANGUAGE_TAG = f"<{LEXO}languageTag>"
LANGUAGE_AUTHORITY = f"<{DCTERMS}language>"
EDITOR = f"<{LEXO}editor>"
EDITOR_SPECIFICATION = f"<{LEXO}editorSpecification>"
MEDIA_TYPE = f"<{LEXO}mediaType>"
DCAT_MEDIA_TYPE = f"<{DCAT}mediaType>"
FORMAT_SPECIFICATION = f"<{LEXO}formatSpecification>"
COMPONENT = f"<{LEXO}component>"
FEATURE = f"<{LEXO}feature>"
PARTITION_ID = f"<{LEXO}partitionId>"

# Concepts of the registry
JURISDICTION = f"<{LEXO}jurisdiction>"
ISSUER_CONCEPT = f"<{LEXO}issuerConcept>"
MEASURE_CONCEPT = f"<{LEXO}measureConcept>"
CONCEPT_CLASS = f"<{SKOS}Concept>"
PREF_LABEL = f"<{SKOS}prefLabel>"
NOTATION = f"<{SKOS}notation>"
BROADER = f"<{SKOS}broader>"
EXACT_MATCH = f"<{SKOS}exactMatch>"

# Links up (decoded) and down (computed)
REALIZATION_OF, REALIZATION = f"<{FRBR}realizationOf>", f"<{FRBR}realization>"
EMBODIMENT_OF, EMBODIMENT = f"<{FRBR}embodimentOf>", f"<{FRBR}embodiment>"
MANIFESTATION_OF, MANIFESTATION = f"<{LEXO}manifestationOf>", f"<{LEXO}manifestation>"
PART_OF, PART = f"<{FRBR}partOf>", f"<{FRBR}part>"
IS_PART_OF, HAS_PART = f"<{DCTERMS}isPartOf>", f"<{DCTERMS}hasPart>"
EXEMPLAR_OF, EXEMPLAR = f"<{FRBR}exemplarOf>", f"<{FRBR}exemplar>"
SAME_VERSION = f"<{LEXO}sameVersion>"
IS_VERSION_OF = f"<{DCTERMS}isVersionOf>"
ITEM = f"<{LEXO}item>"

# Metadata from publishers
TITLE = f"<{DCTERMS}title>"
CITATION = f"<{DCTERMS}bibliographicCitation>"
SAME_AS = f"<{OWL}sameAs>"
IS_REPLACED_BY = f"<{DCTERMS}isReplacedBy>"
ALIAS = f"<{LEXO}alias>"
DIALECT_NAME = f"<{LEXO}dialectName>"
ISSUED = f"<{DCTERMS}issued>"
AVAILABLE = f"<{DCTERMS}available>"
MODIFIED = f"<{DCTERMS}modified>"
IN_FORCE_FROM = f"<{LEXO}inForceFrom>"
IN_FORCE_UNTIL = f"<{LEXO}inForceUntil>"
LEGAL_FORCE = f"<{LEXO}legalForce>"
LEGAL_FORCE_ON = f"<{LEXO}legalForceOn>"
AMENDED_BY, CONSOLIDATES = f"<{LEXO}amendedBy>", f"<{LEXO}consolidates>"
VERSION_ORDER = f"<{LEXO}versionOrder>"
PAGE = f"<{FOAF}page>"
BYTE_SIZE = f"<{DCAT}byteSize>"
CHECKSUM = f"<{SPDX}checksum>"
ALGORITHM = f"<{SPDX}algorithm>"
CHECKSUM_VALUE = f"<{SPDX}checksumValue>"
LICENSE = f"<{DCTERMS}license>"
PUBLISHER, PUBLISHER_NAME = f"<{DCTERMS}publisher>", f"<{DC}publisher>"
CREATOR, CREATOR_NAME = f"<{DCTERMS}creator>", f"<{DC}creator>"
SUBJECT, SUBJECT_NAME = f"<{DCTERMS}subject>", f"<{DC}subject>"
PRIMARY_TOPIC = f"<{FOAF}primaryTopic>"
STATUS = f"<{LEXO}status>"
WITHDRAWN_ON = f"<{LEXO}withdrawnOn>"

# Versions
FIRST = f"<{IANA}first>"
LAST = f"<{IANA}last>"
PREVIOUS = f"<{IANA}previous>"
NEXT = f"<{IANA}next>"
CURRENT = f"<{IANA}current>"
VERSION_HISTORY = f"<{IANA}version-history>"
HAS_VERSION = f"<{DCAT}hasVersion>"
HAS_CURRENT_VERSION = f"<{DCAT}hasCurrentVersion>"
AS_OF = f"<{LEXO}asOf>"
FORCE_FROM = f"<{LEXO}forceFrom>"
FORCE_UNTIL = f"<{LEXO}forceUntil>"
FORCE_FROM_BASIS = f"<{LEXO}forceFromBasis>"
FORCE_UNTIL_BASIS = f"<{LEXO}forceUntilBasis>"

RECORD_END = "#record"
"""End of the node of the record of a name, after the name."""

# Datatypes
XSD_BOOLEAN = f"<{XSD}boolean>"
XSD_DATE = f"<{XSD}date>"
XSD_HEX_BINARY = f"<{XSD}hexBinary>"
XSD_INTEGER = f"<{XSD}integer>"
XSD_LANGUAGE = f"<{XSD}language>"
XSD_NON_NEGATIVE_INTEGER = f"<{XSD}nonNegativeInteger>"
XSD_STRING = f"<{XSD}string>"
