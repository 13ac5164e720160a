"""Streams of PDF: their bytes, unpacked as far as there is a limit (ISO 32000-2 section 7.4)."""

from __future__ import annotations

import zlib
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from lexurn.embedding._pdf_syntax import Dictionary, Name, PdfError

if TYPE_CHECKING:
    from lexurn.embedding._pdf_syntax import Value

__all__ = ["LARGEST", "unpacked"]

LARGEST: Final = 1 << 26
"""Bytes of a stream when it is unpacked: ten million objects of a file need no more."""

_UP = 2
# Rows of other kinds are made out byte by byte; of those that matter here no writer makes many.
_MOST_UNFILTERED = 1 << 22
_FIRST_PNG = 10


def unpacked(dictionary: Dictionary, data: bytes, limit: int = LARGEST) -> bytes:
    """The bytes of a stream.

    Args:
        dictionary: its dictionary; filters and their parameters are direct objects.
        data: its bytes as they stand in the file.
        limit: how many bytes there may be.

    Raises:
        PdfError: the bytes are broken, too many, or packed in a way that is not known.
    """
    filters = _listed(dictionary.get("Filter"))
    parameters = _listed(dictionary.get("DecodeParms"))
    for place, each in enumerate(filters):
        if each != Name("FlateDecode"):
            raise PdfError(f"a stream is packed by {str(each)[:40]}")
        data = _inflated(data, limit)
        given = parameters[place] if place < len(parameters) else None
        if isinstance(given, Dictionary):
            data = _predicted(data, given)
    if len(data) > limit:
        raise PdfError(f"a stream is larger than {limit:,} bytes")
    return data


def _listed(value: Value) -> tuple[Value, ...]:
    if isinstance(value, tuple):
        return value[:4]
    return () if value is None else (value,)


def _inflated(data: bytes, limit: int) -> bytes:
    machine = zlib.decompressobj()
    try:
        result = machine.decompress(data, limit + 1)
    except zlib.error:
        raise PdfError("a packed stream is broken") from None
    if len(result) > limit:
        raise PdfError(f"a stream is larger than {limit:,} bytes")
    if not machine.eof:
        raise PdfError("a packed stream is cut off")
    return result


def _predicted(data: bytes, parameters: Dictionary) -> bytes:
    """The bytes that a PNG predictor foretold (section 7.4.4.4)."""
    predictor = _number(parameters, "Predictor", 1)
    if predictor == 1:
        return data
    if predictor < _FIRST_PNG:
        raise PdfError(f"a stream is packed with the predictor {predictor}")
    bits = _number(parameters, "Colors", 1) * _number(parameters, "BitsPerComponent", 8)
    width = (bits * _number(parameters, "Columns", 1) + 7) // 8
    rows = len(data) // (width + 1)
    data = data[: rows * (width + 1)]
    if set(data[:: width + 1]) <= {_UP}:
        return _summed(data, width)
    if len(data) > _MOST_UNFILTERED:
        raise PdfError("a stream is packed with predictors that would take too long")
    return _unfiltered(data, width, max(1, bits // 8))


def _number(parameters: Dictionary, key: str, default: int) -> int:
    value = parameters.get(key)
    if value is None:
        return default
    if not isinstance(value, int) or not 0 < value < 1 << 16:
        raise PdfError(f"/{key} of a stream is out of range")
    return value


def _summed(data: bytes, width: int) -> bytes:
    """Rows that say each how they differ from the one above: what nearly all writers make."""
    result = bytearray(len(data) // (width + 1) * width)
    for column in range(width):
        sums = accumulate(data[column + 1 :: width + 1])
        result[column::width] = bytes(each & 0xFF for each in sums)
    return bytes(result)


def _unfiltered(data: bytes, width: int, step: int) -> bytes:
    above = bytearray(width)
    result = bytearray()
    for start in range(0, len(data), width + 1):
        row = bytearray(data[start + 1 : start + 1 + width])
        _undo(data[start], row, above, step)
        result += row
        above = row
    return bytes(result)


def _undo(kind: int, row: bytearray, above: bytearray, step: int) -> None:
    """Undo the filter of a row, in place (PNG specification, section 9)."""
    if kind > 4:  # noqa: PLR2004 - the last filter of PNG
        raise PdfError("a row of a stream has a filter that PNG does not have")
    for place in range(len(row) if kind else 0):
        left = row[place - step] if place >= step else 0
        corner = above[place - step] if place >= step else 0
        up = above[place]
        foretold = (0, left, up, (left + up) // 2, _nearest(left, up, corner))[kind]
        row[place] = (row[place] + foretold) & 0xFF


def _nearest(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min((left, up, corner), key=lambda each: abs(estimate - each))
