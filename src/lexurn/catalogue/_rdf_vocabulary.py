"""Which statements of a graph are ours, and of which layer: what a source of RDF is sifted by."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from lexurn.graph import Layer

__all__ = [
    "ALGORITHM",
    "CHECKSUM",
    "COMPUTED",
    "COPY_CLASSES",
    "COPY_FACTS",
    "COPY_LINKS",
    "DECODED",
    "IDENTIFIER",
    "ITEM",
    "LAYERS",
    "NAME_CLASSES",
    "SAME_AS",
    "STATED",
    "TYPE",
]

_PREFIXES: Final = MappingProxyType(
    {
        "dc": "http://purl.org/dc/elements/1.1/",
        "dcat": "http://www.w3.org/ns/dcat#",
        "dcterms": "http://purl.org/dc/terms/",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "frbr": "http://purl.org/vocab/frbr/core#",
        "iana": "http://www.iana.org/assignments/relation/",
        "lexo": "https://w3id.org/lexurn/ns#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "spdx": "http://spdx.org/rdf/terms#",
    }
)


def _terms(prefix: str, names: str) -> frozenset[str]:
    return frozenset(f"<{_PREFIXES[prefix]}{name}>" for name in names.split())


LAYERS: Final = MappingProxyType({f"<{layer.iri}>": layer for layer in Layer})
"""The layer of each named graph that is ours."""

(TYPE,) = _terms("rdf", "type")
(SAME_AS,) = _terms("owl", "sameAs")
(IDENTIFIER,) = _terms("dcterms", "identifier")
(ITEM,) = _terms("lexo", "item")
(CHECKSUM,) = _terms("spdx", "checksum")
(ALGORITHM,) = _terms("spdx", "algorithm")

NAME_CLASSES: Final = _terms("lexo", "Work Annex Expression Manifestation Partition") | _terms(
    "frbr", "Work Expression Manifestation"
)
"""What a name may be typed as."""

COPY_CLASSES: Final = _terms("lexo", "Item") | _terms("frbr", "Item") | _terms("spdx", "Checksum")
"""What a copy, or its digest, may be typed as."""

DECODED: Final = (
    _terms("dcterms", "identifier language isPartOf")
    | _terms("frbr", "realizationOf embodimentOf partOf")
    | _terms("lexo", "jurisdictionCode jurisdictionUnit authority issuer measureType")
    | _terms("lexo", "measureSpecification date localDate period number annexId versionDate")
    | _terms("lexo", "annexSpecification versionLabel eventDate event languageTag publisher")
    | _terms("lexo", "editorSpecification mediaType formatSpecification component feature")
    | _terms("lexo", "componentSpecification featureSpecification partitionId annexOf")
    | _terms("lexo", "manifestationOf")
    | {TYPE}
)
"""What a name says of itself."""

STATED: Final = (
    _terms("dcterms", "title issued available modified license publisher creator subject")
    | _terms("dc", "publisher creator subject")
    | _terms("foaf", "page")
    | _terms("lexo", "alias dialectName inForceFrom inForceUntil amendedBy versionOrder item")
    | _terms("lexo", "status withdrawnOn")
    | {SAME_AS}
)
"""What a publisher states of a name."""

COMPUTED: Final = (
    _terms("dcterms", "hasPart")
    | _terms("frbr", "realization embodiment part exemplar")
    | _terms("lexo", "manifestation annex languageVersion languageVersionOf earlierVersion asOf")
    | _terms("iana", "first last previous next current version-history")
    | _terms("dcat", "hasVersion hasCurrentVersion")
    | {SAME_AS}
)
"""What follows for a name from all that is known."""

COPY_FACTS: Final = (
    _terms("dcat", "byteSize") | _terms("spdx", "checksum algorithm checksumValue") | {TYPE}
)
"""What is stated of a copy, or of its digest."""

COPY_LINKS: Final = _terms("lexo", "itemOf") | _terms("frbr", "exemplarOf") | {SAME_AS}
"""What follows for a copy, or for the HTTP-URI equivalent of a name: links to names."""
