"""Whether a PDF is signed: a change behind a signature casts doubt on it (section 12.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.embedding._pdf_file import PdfFile
    from lexurn.embedding._pdf_mark import Fingerprint

__all__ = ["signature_in"]

_EXISTS = 1


def signature_in(file: PdfFile, fingerprint: Fingerprint) -> str | None:
    """What shows that a file is signed, None where nothing does.

    A form with a field for a signature counts too (``SigFlags``), since only the whole form could
    tell whether the field is empty.

    Raises:
        PdfError: the file is broken.
    """
    if fingerprint.is_signed:
        return "/ByteRange"
    catalog = file.catalog
    permissions = file.dictionary(catalog.get("Perms"))
    if permissions is not None and permissions.entries:
        return "/Perms"
    form = file.dictionary(catalog.get("AcroForm"))
    flags = None if form is None else file.value(form.get("SigFlags"))
    return "/SigFlags" if isinstance(flags, int) and flags & _EXISTS else None
