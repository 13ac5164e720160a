"""The mark of what lexurn puts behind a PDF: how long the file was, and its digest.

The mark is a comment right in front of the metadata that lexurn wrote, and nothing else is looked
at: no text anywhere in a document can pass for it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._pdf_chain import InFile
from lexurn.embedding._pdf_syntax import PdfError, Reference

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._pdf_file import PdfFile

__all__ = [
    "MARK_LENGTH",
    "Fingerprint",
    "Own",
    "checked",
    "fingerprint_of",
    "mark_of",
    "own_update",
]

_MARK = re.compile(rb"%lexurn 1 (\d{12}) (\d{12}) ([0-9a-f]{64})\n")
MARK_LENGTH: Final = len("%lexurn 1 ") + 12 + 1 + 12 + 1 + 64 + 1
"""How many bytes a mark has, whatever it says."""

_SIGNED = b"/ByteRange"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What one pass over all bytes of a file shows.

    Attributes:
        digest: their SHA-256, in hexadecimal digits.
        is_signed: whether a signature says which bytes it covers.
    """

    digest: str
    is_signed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What lexurn put behind a file.

    Attributes:
        original: the file as it was, as the mark says.
        digest: its digest, as the mark says.
        is_last: whether nothing was put behind it since.
    """

    original: Document
    digest: str
    is_last: bool


def mark_of(original: Document, length: int, digest: str) -> bytes:
    """The mark of an update.

    Args:
        original: the file as it was.
        length: how many bytes are put behind it, the mark among them.
        digest: the file's digest.
    """
    return f"%lexurn 1 {original.size:012d} {length:012d} {digest}\n".encode("ascii")


def fingerprint_of(document: Document) -> Fingerprint:
    """Read all bytes of a document once.

    Raises:
        EmbeddingError: they cannot be read.
    """
    digest, before, is_signed = hashlib.sha256(), b"", False
    for piece in document.pieces():
        digest.update(piece)
        is_signed = is_signed or _SIGNED in before + piece[: len(_SIGNED)] or _SIGNED in piece
        before = piece[-len(_SIGNED) :]
    return Fingerprint(digest=digest.hexdigest(), is_signed=is_signed)


def own_update(file: PdfFile) -> Own | None:
    """What lexurn put behind a file, None where it put nothing there.

    Metadata that another program wrote anew behind it are that program's, whatever they say.

    Raises:
        PdfError: the file is broken.
    """
    metadata = file.catalog.get("Metadata")
    place = file.place(metadata.number) if isinstance(metadata, Reference) else None
    return _marked(file.document, place.offset) if isinstance(place, InFile) else None


def _marked(document: Document, offset: int) -> Own | None:
    """What the mark in front of an offset says, None where there is no mark."""
    if offset < MARK_LENGTH:
        return None
    start = offset - MARK_LENGTH
    mark = _MARK.fullmatch(document.read(start, offset))
    if mark is None:
        return None
    size, length = int(mark[1]), int(mark[2])
    if not 0 <= start - size <= 1 or document.read(size, start) not in {b"", b"\n"}:
        raise PdfError("a mark of lexurn says what cannot be")
    return Own(
        original=replace(document, size=size),
        digest=mark[3].decode("ascii"),
        is_last=size + length == document.size,
    )


def checked(own: Own, fingerprint: Fingerprint) -> None:
    """See that an update of lexurn can be cut off, and what is left is the original.

    Raises:
        EmbeddingError: it is not.
    """
    if not own.is_last:
        raise EmbeddingError(finding("LX351", own.original.name))
    if own.digest != fingerprint.digest:
        raise EmbeddingError(finding("LX352", own.original.name))
