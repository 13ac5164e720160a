"""The links that shapes follow: what has to be read of a graph beside the nodes to be checked.

A test holds them against the shapes.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BEHIND",
    "CLASSED",
    "CURRENT",
    "INVERSE",
    "ITEM",
    "KINDS",
    "LICENSE",
    "NEXT",
    "RDF_TYPE",
    "REALIZATION",
    "SAME",
    "UPWARD",
    "VERSION",
]

RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_LEXO: Final = "https://w3id.org/lexurn/ns#"
_FRBR: Final = "http://purl.org/vocab/frbr/core#"
_IANA: Final = "http://www.iana.org/assignments/relation/"
_DCAT: Final = "http://www.w3.org/ns/dcat#"
_DCT: Final = "http://purl.org/dc/terms/"
SAME: Final = "http://www.w3.org/2002/07/owl#sameAs"
NEXT: Final = f"{_IANA}next"
CURRENT: Final = f"{_DCAT}hasCurrentVersion"
VERSION: Final = f"{_DCAT}hasVersion"
REALIZATION: Final = f"{_FRBR}realization"
ITEM: Final = f"{_LEXO}item"
LICENSE: Final = f"{_DCT}license"
_CHECKSUM: Final = "http://spdx.org/rdf/terms#checksum"

#: Links that shapes follow backwards, or whose objects they look at: what points at a node counts.
INVERSE: Final = frozenset(
    {
        REALIZATION,
        SAME,
        VERSION,
        CURRENT,
        f"{_FRBR}embodiment",
        f"{_FRBR}exemplar",
        f"{_FRBR}part",
        f"{_LEXO}manifestation",
        f"{_LEXO}annex",
        f"{_LEXO}languageVersion",
        ITEM,
        f"{_DCT}hasPart",
        *(f"{_IANA}{each}" for each in ("first", "last", "next", "previous", "current")),
    }
)
#: Links behind which shapes look on: everything stated of what they lead to counts.
BEHIND: Final = frozenset(
    {
        SAME,
        REALIZATION,
        VERSION,
        CURRENT,
        *(f"{_IANA}{each}" for each in ("first", "last", "next", "previous", "current")),
    }
)
#: Links upwards, which the search for a licence follows as far as they lead.
UPWARD: Final = frozenset(
    {
        f"{_FRBR}realizationOf",
        f"{_FRBR}embodimentOf",
        f"{_LEXO}manifestationOf",
        f"{_LEXO}annexOf",
        f"{_DCT}isPartOf",
        SAME,
    }
)
#: Links of whose objects shapes ask the class.
CLASSED: Final = frozenset(
    {
        *UPWARD,
        f"{_FRBR}exemplarOf",
        f"{_LEXO}itemOf",
        f"{_LEXO}languageVersionOf",
        _CHECKSUM,
    }
)
#: The classes of lexurn, terms as N-Triples writes them.
KINDS: Final = frozenset(
    f"<{_LEXO}{each}>"
    for each in ("Annex", "Expression", "Item", "Manifestation", "Partition", "Work")
)
