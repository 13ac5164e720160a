"""Metadata to names: what a publisher's database says becomes the one right LEX name.

RFC 9676 sections 3.3 to 3.6, 4.1 to 4.3, 6 and 7. Every step that was taken is in the answer; what
cannot be decided is refused with a reason, never guessed.
"""

from __future__ import annotations

from lexurn.minting._alike import without_thousands, without_year
from lexurn.minting._fields import FIELDS, metadata_of
from lexurn.minting._json import json_of
from lexurn.minting._metadata import Annexed, Metadata
from lexurn.minting._minted import Minted, MintError
from lexurn.minting._minter import mint, try_mint
from lexurn.minting._steps import Action, MintFinding, Mode, Step, Written
from lexurn.minting._taken import Register, Taken, series_of

__all__ = [
    "FIELDS",
    "Action",
    "Annexed",
    "Metadata",
    "MintError",
    "MintFinding",
    "Minted",
    "Mode",
    "Register",
    "Step",
    "Taken",
    "Written",
    "json_of",
    "metadata_of",
    "mint",
    "series_of",
    "try_mint",
    "without_thousands",
    "without_year",
]
