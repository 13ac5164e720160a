"""Metadata to names: the one right LEX name of the metadata in a publisher's database.

It follows RFC 9676 sections 3.3 to 3.6, 4.1 to 4.3, 6 and 7, and refuses what it cannot decide.

In: metadata by field, or a citation.
Out: `Minted`: the name, each step to it, and findings.
Read in this order: draft; characters, words, phrases, calendars, dates; mentions, numbers, parts;
issuers, elements, citation, forms, comparison, composition.
"""

from __future__ import annotations

from lexurn.minting.composition import Minted, MintError, mint, minted_to_json, try_mint
from lexurn.minting.draft import (
    FIELDS,
    Action,
    Calendar,
    DateOrder,
    GivenAnnex,
    Metadata,
    Mode,
    Step,
    Written,
    read_metadata,
)
from lexurn.minting.numbers import Taken, drop_thousands, drop_year, split_lex_number

__all__ = [
    "FIELDS",
    "Action",
    "Calendar",
    "DateOrder",
    "GivenAnnex",
    "Metadata",
    "MintError",
    "Minted",
    "Mode",
    "Step",
    "Taken",
    "Written",
    "drop_thousands",
    "drop_year",
    "mint",
    "minted_to_json",
    "read_metadata",
    "split_lex_number",
    "try_mint",
]
