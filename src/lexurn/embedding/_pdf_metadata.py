"""The metadata of a PDF: which stream it is, and its bytes (ISO 32000-2 section 14.3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._pdf_syntax import PdfError, Reference

if TYPE_CHECKING:
    from lexurn.embedding._pdf_file import PdfFile

__all__ = ["metadata_of", "packet_in"]

_LARGEST: Final = 1 << 24
"""Bytes of metadata: those of a document are some kilobytes, with the history of all its pictures
some megabytes."""


def metadata_of(file: PdfFile) -> Reference | None:
    """The reference to the metadata of a document, None where it has none.

    Raises:
        PdfError: the file is broken, or what stands there is no metadata.
    """
    reference = file.catalog.get("Metadata")
    if reference is None:
        return None
    if not isinstance(reference, Reference):
        raise PdfError("its metadata is no stream")
    found = file.found(reference)
    if found.value is None:
        return None
    if found.stream is None:
        raise PdfError("its metadata is no stream")
    return reference


def packet_in(file: PdfFile) -> bytes:
    """The bytes of the metadata, unpacked; none where there is none.

    Raises:
        PdfError: as `metadata_of`; or they are too many, or packed in a way that is not known.
    """
    reference = metadata_of(file)
    return b"" if reference is None else file.stream(file.found(reference), _LARGEST)
