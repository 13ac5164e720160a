"""Findings about XML: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX330": Code(
        ERROR,
        "XML 1.0 §2.1",
        "this is no well-formed XML ({why}); mend it, or write it out anew with the program that "
        "made it",
    ),
    "LX331": Code(
        ERROR,
        "XML 1.0 §4.3.3",
        "the encoding {encoding} cannot be read; convert the file to UTF-8",
    ),
    "LX332": Code(
        ERROR,
        "limits of lexurn",
        "{what}; a file like this is not read, since no honest document needs it",
    ),
}
