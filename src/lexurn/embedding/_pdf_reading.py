"""What a PDF says of itself: its XMP metadata, and its information dictionary."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._pdf_file import is_encrypted, opened_pdf, view_of
from lexurn.embedding._pdf_mark import own_update
from lexurn.embedding._pdf_metadata import packet_in
from lexurn.embedding._pdf_recovery import LostError, recovered
from lexurn.embedding._pdf_syntax import Name, PdfError, text_of
from lexurn.embedding._statement import Reading, Statement, Way
from lexurn.embedding._terms import DC
from lexurn.embedding._xmp import XMP, packet_of, statements_of
from lexurn.embedding._xmp_writing import identifiers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._pdf_file import PdfFile

__all__ = ["has_title_entry", "information_in", "names_in", "read"]

_LONGEST_VALUE = 1 << 16
_PDF = "http://ns.adobe.com/pdf/1.3/"

# What the keys of the information dictionary are in XMP (ISO 16684-2, and ISO 32000-2 table 349).
_TERMS: Final[Mapping[str, str]] = {
    "Title": DC + "title",
    "Author": DC + "creator",
    "Subject": DC + "description",
    "Keywords": _PDF + "Keywords",
    "Creator": XMP + "CreatorTool",
    "Producer": _PDF + "Producer",
    "CreationDate": XMP + "CreateDate",
    "ModDate": XMP + "ModifyDate",
    "Trapped": _PDF + "Trapped",
}
_OTHER_TERMS = "http://ns.adobe.com/pdfx/1.3/"


def read(document: Document) -> Reading:
    """What a PDF says.

    A key of the information dictionary is given as the XMP property that it stands for; one that
    stands for none in the namespace that Acrobat has for such. The language of the catalog is
    ``dc:language``.

    Raises:
        EmbeddingError: it is no PDF, or so broken or encrypted that nothing can be read.
    """
    view, _ = view_of(document)
    try:
        file = opened_pdf(view)
        if not is_encrypted(file):
            return _read(file)
    except PdfError as fault:
        return _rescued(document, "LX355", "LX346", str(fault))
    return _rescued(document, "LX356", "LX357")


def _read(file: PdfFile) -> Reading:
    own = own_update(file)
    theirs: Sequence[Statement] = ()
    if own is not None:
        theirs, _ = _said(packet_in(opened_pdf(own.original)), own.original.name)
    said, findings = _said(packet_in(file), file.document.name)
    if own is not None:
        said = _told_apart(said, theirs)
    return Reading(statements=(*said, *information_in(file)), findings=findings)


def names_in(file: PdfFile) -> tuple[str, ...]:
    """What the metadata say that a file is called; nothing where they cannot be read."""
    try:
        said, _ = _said(packet_in(file), file.document.name)
    except PdfError:
        return ()
    return identifiers_in(said)


def _said(data: bytes, name: str) -> tuple[tuple[Statement, ...], tuple[DocumentFinding, ...]]:
    """What a packet says, if it can be read."""
    if not data.strip(b"\0\t\n\r "):
        return (), ()
    try:
        return statements_of(packet_of(data, name)), ()
    except EmbeddingError as fault:
        return (), (fault.finding,)


def _told_apart(said: Sequence[Statement], theirs: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements, ours marked: those that were not there before lexurn wrote."""
    before = Counter(theirs)
    result = []
    for each in said:
        result.append(each if before[each] > 0 else replace(each, is_ours=True))
        before[each] -= 1
    return tuple(result)


def information_in(file: PdfFile) -> Iterator[Statement]:
    """What the information dictionary and the catalog say; of what is broken nothing."""
    try:
        information = file.dictionary(file.trailer.get("Info"))
        for entry in () if information is None else information.entries:
            yield from _entry(entry.key, file.value(entry.value))
        yield from _entry("", file.value(file.catalog.get("Lang")))
    except PdfError:
        return


def has_title_entry(file: PdfFile) -> bool:
    """Whether the information dictionary has a title, be it a blank one."""
    try:
        information = file.dictionary(file.trailer.get("Info"))
    except PdfError:
        return False
    return information is not None and information.entry("Title") is not None


def _entry(key: str, value: object) -> Iterator[Statement]:
    if isinstance(value, bytes):
        value = text_of(value[:_LONGEST_VALUE])
    elif not isinstance(value, Name):
        return
    text = str(value).strip().strip("\0")
    if text:
        yield _statement(key, text)


def _statement(key: str, text: str) -> Statement:
    """What an entry says; the language of the catalog has no key."""
    clean = key.encode("utf-8", "replace").decode()
    term = _TERMS.get(key, _OTHER_TERMS + clean) if key else DC + "language"
    value = text.encode("utf-8", "replace").decode()
    return Statement(way=Way.PDF_INFO, subject=None, term=term, value=value)


def _rescued(document: Document, told: str, refused: str, why: str = "") -> Reading:
    """What can be read of a file that is broken or encrypted.

    Args:
        document: the file.
        told: the code of what is said where something can be read.
        refused: the code of what is said where nothing can.
        why: what is broken.

    Raises:
        EmbeddingError: nothing can be read.
    """
    try:
        found = recovered(document)
    except LostError as fault:
        both = f"{why}; {fault}" if why else str(fault)
        raise EmbeddingError(finding(refused, document.name, why=both)) from None
    said, findings = _said(found.packet, document.name)
    entries = (_statement(key, text) for key, text in found.information)
    remark = finding(told, document.name, why=why)
    return Reading(statements=(*said, *entries), findings=(remark, *findings))
