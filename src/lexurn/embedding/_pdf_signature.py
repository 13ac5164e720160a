"""Whether a PDF is signed: a change behind a signature casts doubt on it (section 12.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._pdf_syntax import Name, PdfError, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._pdf_file import PdfFile
    from lexurn.embedding._pdf_mark import Fingerprint
    from lexurn.embedding._pdf_syntax import Dictionary, Value

__all__ = ["signature_in"]

_EXISTS = 1
# What a certification and usage rights are signed by (table 263; UR is that of PDF 1.5).
_PERMISSIONS = ("DocMDP", "UR3", "UR")
_SIGNED = ("ByteRange", "Contents")
_NOTHING: Final[tuple[Value, Value]] = (None, None)
_MOST_FIELDS: Final = 10_000
"""Fields of a form that are looked at; forms for people have some hundred."""


def signature_in(file: PdfFile, fingerprint: Fingerprint) -> str | None:
    """What shows that a file is signed, None where nothing does.

    A field that is still to be signed is no signature, nor is a form that says there is one
    (``SigFlags``) and has none; one that cannot be read to its end is taken at its word.

    Raises:
        PdfError: the file is broken.
    """
    if fingerprint.is_signed:
        return "/ByteRange"
    permissions = file.dictionary(file.catalog.get("Perms"))
    given = () if permissions is None else map(permissions.get, _PERMISSIONS)
    if any(each is not None for each in given):
        return "/Perms"
    form = file.dictionary(file.catalog.get("AcroForm"))
    flags = None if form is None else file.value(form.get("SigFlags"))
    if form is None or not isinstance(flags, int) or not flags & _EXISTS:
        return None
    return "/SigFlags" if _has_signature(file, form) else None


def _has_signature(file: PdfFile, form: Dictionary) -> bool:
    """Whether a field of a form is signed; so it is where that cannot be told."""
    try:
        for value in _values(file, form):
            signature = file.dictionary(value)
            if signature is not None and any(map(signature.entry, _SIGNED)):
                return True
    except PdfError:
        return True
    return False


def _values(file: PdfFile, form: Dictionary) -> Iterator[Value]:
    """The values of the fields for signatures; what a field does not say the one above it does.

    Raises:
        PdfError: the form is broken, or goes on and on.
    """
    waiting = [(each, *_NOTHING) for each in _array(file, form.get("Fields"))]
    seen = 0
    while waiting:
        each, kind, value = waiting.pop()
        seen += 1
        field = file.dictionary(each)
        if field is not None:
            kind = file.value(field.get("FT")) or kind
            value = field.get("V") or value
            if kind == Name("Sig"):
                yield value
            waiting += ((kid, kind, value) for kid in _array(file, field.get("Kids")))
        if seen + len(waiting) > _MOST_FIELDS:
            raise PdfError("its form goes on and on")


def _array(file: PdfFile, value: Value) -> tuple[Value, ...]:
    found = file.value(value)
    return found if isinstance(found, tuple) and not isinstance(found, Reference) else ()
