"""PDF: a name in XMP metadata, put behind the file as an incremental update.

Not a byte of the file changes, so that taking the name out again is to cut off what was put behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import names_that_stay
from lexurn.embedding._edit import Change, Edit
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._format import Format
from lexurn.embedding._pdf_file import is_encrypted, opened_pdf, view_of
from lexurn.embedding._pdf_mark import checked, fingerprint_of, own_update
from lexurn.embedding._pdf_metadata import packet_in
from lexurn.embedding._pdf_reading import has_title_entry, information_in, names_in, read
from lexurn.embedding._pdf_signature import signature_in
from lexurn.embedding._pdf_syntax import PdfError
from lexurn.embedding._pdf_update import update_of
from lexurn.embedding._xmp_writing import METADATA, merged

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._pdf_file import PdfFile
    from lexurn.embedding._pdf_mark import Fingerprint, Own
    from lexurn.embedding._xmp_writing import Merged
    from lexurn.export import Marking

__all__ = ["FORMAT"]


def embed(document: Document, marking: Marking, is_forced: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Put a name into a PDF, or in the place of the one that lexurn put in before.

    Args:
        document: the file.
        marking: the name, and what the document is to say of itself.
        is_forced: whether it is done in spite of a signature.

    Raises:
        EmbeddingError: the file is no PDF, broken, encrypted, signed, has another name, or
            metadata that cannot be read; or another program has added to it after lexurn put
            another name in.
    """
    view, start = view_of(document)
    try:
        return _shifted(_embedded(view, marking, is_forced=is_forced), start)
    except PdfError as fault:
        raise EmbeddingError(finding("LX346", document.name, why=fault)) from None


def remove(document: Document, _: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Cut off what lexurn put behind a PDF.

    A signature is no hindrance: what it was made on is what comes out.

    Raises:
        EmbeddingError: the file is no PDF or broken, or another program has added to it after
            lexurn did.
    """
    view, start = view_of(document)
    try:
        return _shifted(_without_own(view), start)
    except PdfError as fault:
        raise EmbeddingError(finding("LX346", document.name, why=fault)) from None


def _shifted(change: Change, start: int) -> Change:
    """A change to a document of which only what lies from an offset on was looked at."""
    edits = (
        Edit(start=each.start + start, end=each.end + start, new=each.new) for each in change.edits
    )
    return Change(edits=tuple(edits), findings=change.findings)


def _without_own(document: Document) -> Change:
    file = opened_pdf(document)
    if is_encrypted(file):
        # It was written anew, all of it.
        return Change(findings=(finding("LX359", document.name),))
    own = own_update(file)
    edits: tuple[Edit, ...] = ()
    if own is not None:
        checked(own, fingerprint_of(own.original))
        file, edits = opened_pdf(own.original), (_cut(document, own.original),)
    findings = names_that_stay(document, METADATA, names_in(file))
    return Change(edits=edits, findings=tuple(findings))


def _embedded(document: Document, marking: Marking, *, is_forced: bool) -> Change:
    file = opened_pdf(document)
    if is_encrypted(file):
        raise EmbeddingError(finding("LX347", document.name))
    own = own_update(file)
    if own is not None and not own.is_last and str(marking.name) in names_in(file):
        return _kept(file, own, marking)
    original = document if own is None else own.original
    fingerprint = fingerprint_of(original)
    if own is not None:
        checked(own, fingerprint)
        file = opened_pdf(original)
    old = packet_in(file)
    new = _merged(file, old, marking)
    if new.data == old:
        edits = () if own is None else (_cut(document, original),)
        return Change(edits=edits, findings=new.findings)
    update = update_of(file, new.data, fingerprint.digest)
    if update == document.read(original.size, original.size + len(update) + 1):
        return Change(findings=new.findings)
    findings = (*_objections(file, fingerprint, is_forced=is_forced), *new.findings)
    edit = Edit(start=original.size, end=document.size, new=update)
    return Change(edits=(edit,), findings=findings)


def _merged(file: PdfFile, packet: bytes, marking: Marking) -> Merged:
    has_title = has_title_entry(file)
    return merged(packet, marking, file.document.name, information_in(file), has_title=has_title)


def _kept(file: PdfFile, own: Own, marking: Marking) -> Change:
    """No change to a file that has its name, and to which another program has added since."""
    name, original = file.document.name, opened_pdf(own.original)
    wanted = _merged(original, packet_in(original), marking)
    if wanted.data == packet_in(file):
        return Change(findings=wanted.findings)
    return Change(findings=(*wanted.findings, finding("LX353", name)))


def _objections(
    file: PdfFile, fingerprint: Fingerprint, *, is_forced: bool
) -> tuple[DocumentFinding, ...]:
    """What speaks against a change, where that is no error."""
    name = file.document.name
    signature = signature_in(file, fingerprint)
    if signature is None:
        return ()
    if not is_forced:
        raise EmbeddingError(finding("LX348", name, what=signature))
    return (finding("LX349", name, what=signature),)


def _cut(document: Document, original: Document) -> Edit:
    return Edit(start=original.size, end=document.size, new=b"")


FORMAT: Final = Format(
    key="pdf",
    label="PDF",
    suffixes=frozenset({".pdf"}),
    media_types=frozenset({"application/pdf", "application/x-pdf"}),
    embed=embed,
    remove=remove,
    read=read,
)
