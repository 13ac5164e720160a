"""Model: records of names, and the families, aliases and versions that follow from them.

In: records: the statements of a publisher about each name.
Out: families: the records of one alias set, with their version chains and findings.
Read in this order: fields, aliases, versions, family.
"""

from __future__ import annotations

from lexurn.model.family import (
    Family,
    families_of,
    family_of,
    find_root,
    pack_family,
    split_by_size,
    split_families,
    unpack_family,
)
from lexurn.model.fields import (
    FIELDS,
    Field,
    Item,
    Kind,
    LanguageText,
    LegalForce,
    ModelError,
    Record,
    Source,
    Status,
    is_likely_iri,
    pack_records,
    sort_values,
    unpack_fields,
    unpack_records,
)
from lexurn.model.versions import (
    Chain,
    ChainVersion,
    Current,
    ForceBasis,
    StatedForce,
    is_original,
    make_translation_key,
    read_day,
    read_stated_force,
    today,
)

__all__ = [
    "FIELDS",
    "Chain",
    "ChainVersion",
    "Current",
    "Family",
    "Field",
    "ForceBasis",
    "Item",
    "Kind",
    "LanguageText",
    "LegalForce",
    "ModelError",
    "Record",
    "Source",
    "StatedForce",
    "Status",
    "families_of",
    "family_of",
    "find_root",
    "is_likely_iri",
    "is_original",
    "make_translation_key",
    "pack_family",
    "pack_records",
    "read_day",
    "read_stated_force",
    "sort_values",
    "split_by_size",
    "split_families",
    "today",
    "unpack_family",
    "unpack_fields",
    "unpack_records",
]
