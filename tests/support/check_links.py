"""Nodes and links of a sound graph, to add and remove at random."""

from __future__ import annotations

from check_graphs import PREFIXES, sound_parts

from lexurn.graph import Statements

SOUND = Statements.union(sound_parts())
NODES = sorted({s for s, _, _ in SOUND.merged} | {"<urn:lex:it:stato:legge:1999-01-01;9>"})
LINKS = [
    f"<{PREFIXES[prefix]}{name}>"
    for prefix, names in {
        "frbr": "realization realizationOf embodiment embodimentOf exemplar exemplarOf part partOf",
        "iana": "first last next previous current version-history",
        "lexo": "item sameVersion alias manifestation manifestationOf amendedBy",
        "dcat": "hasVersion hasCurrentVersion",
        "owl": "sameAs",
        "dcterms": "isPartOf hasPart isVersionOf",
    }.items()
    for name in names.split()
]
