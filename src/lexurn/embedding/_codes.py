"""Every finding about a document, as one table: its code, its weight, its rule, its words."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from lexurn.embedding import (
    _codes_file,
    _codes_folder,
    _codes_html,
    _codes_level,
    _codes_pdf,
    _codes_reading,
    _codes_xml,
    _codes_zip,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._code import Code

__all__ = ["CODES"]

_TABLES = (
    _codes_file.CODES,
    _codes_level.CODES,
    _codes_html.CODES,
    _codes_xml.CODES,
    _codes_pdf.CODES,
    _codes_zip.CODES,
    _codes_reading.CODES,
    _codes_folder.CODES,
)

CODES: Final[Mapping[str, Code]] = dict(sorted(chain(*(table.items() for table in _TABLES))))
