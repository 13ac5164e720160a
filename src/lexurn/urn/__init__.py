"""Uniform Resource Names of any namespace: RFC 8141 whole, and RFC 2141 as an older reading.

A LEX name with a local date is no URN of RFC 8141 (its ``|`` is no character there), so
`lexurn.name` has a reader of its own.
"""

from __future__ import annotations

from lexurn.errors import UrnSyntaxError
from lexurn.urn._older import parse_2141
from lexurn.urn._parser import parse
from lexurn.urn._urn import Note, Urn

__all__ = ["Note", "Urn", "UrnSyntaxError", "parse", "parse_2141"]
