"""PDF: a name in XMP metadata, appended to the file as an incremental update.

Not a byte of the file changes, so that the removal of a name cuts off the update. Broken files are
refused. Encrypted files are read by pypdf, and never changed.
"""

from __future__ import annotations

import io
import logging
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from lexurn.documents.containers import pdf, xmp
from lexurn.documents.containers.pdf_objects import PdfError, decode_text_string
from lexurn.documents.document import Change, DocumentFormat, Edit, Notation, Reading, Statement
from lexurn.documents.findings import DocumentError, make_error, make_finding
from lexurn.documents.names import find_unmarked_names
from lexurn.errors import MissingExtraError
from lexurn.vocabulary import DC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pypdf import PdfReader

    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


@contextmanager
def _report_faults(document: Document) -> Iterator[None]:
    """Turn a fault of the structure of a file into an error about the document.

    Raises:
        DocumentError: the file is broken.
    """
    try:
        yield
    except PdfError as fault:
        raise make_error("LX346", document.name, why=fault) from None


def embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Put a name into a PDF, or in the place of the one that lexurn put in before.

    Raises:
        DocumentError: the file is not a PDF, broken, encrypted, signed, has another name, or
            unreadable metadata; or another program has added to it after lexurn put another
            name in.
    """
    with _report_faults(document):
        file = pdf.open_pdf(document)
        if pdf.is_encrypted(file):
            raise make_error("LX347", document.name)
        own = pdf.find_own_update(file)
        if own is not None and not own.is_last and str(marking.name) in _read_names(file):
            # Another program has added to a file that has its name.
            wanted = _merge_name(pdf.open_pdf(own.original), marking)
            is_stale = wanted.data != pdf.read_packet(file)
            stale = (make_finding("LX353", document.name),) if is_stale else ()
            return Change(findings=(*wanted.findings, *stale))
        fingerprint = pdf.make_fingerprint(document if own is None else own.original)
        if own is not None:
            pdf.check_own_update(own, fingerprint)
        original = file if own is None else pdf.open_pdf(own.original)
        new, size = _merge_name(original, marking), original.document.size
        if new.data == pdf.read_packet(original):
            edits = () if own is None else (Edit(start=size, end=document.size, new=b""),)
            return Change(edits=edits, findings=new.findings)
        update = pdf.make_update(original, new.data, fingerprint.digest)
        if update == document.read(size, size + len(update) + 1):
            return Change(findings=new.findings)
        signature = pdf.find_signature(original, fingerprint)
        if signature is not None and not is_forced:
            raise make_error("LX348", document.name, what=signature)
        warnings = (
            () if signature is None else (make_finding("LX349", document.name, what=signature),)
        )
        edit = Edit(start=size, end=document.size, new=update)
        return Change(edits=(edit,), findings=(*warnings, *new.findings))


def _merge_name(file: pdf.PdfFile, marking: DocumentMetadata) -> xmp.MergedPacket:
    """Return the metadata of a file with those of a name."""
    try:
        information = file.resolve_dictionary(file.trailer.get("Info"))
        # Even a blank title is one.
        has_title = information is not None and information.find_entry("Title") is not None
    except PdfError:
        has_title = False
    packet, name, beside = pdf.read_packet(file), file.document.name, _read_information(file)
    return xmp.merge_packet(packet, marking, name, beside, has_title=has_title)


def remove(document: Document, _: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Cut off the update that lexurn appended to a PDF.

    A signature of the file before is valid again.

    Raises:
        DocumentError: the file is not a PDF or broken, or another program has added to it after
            lexurn did.
    """
    with _report_faults(document):
        file = pdf.open_pdf(document)
        if pdf.is_encrypted(file):
            # Another program has written all of it anew.
            return Change(findings=(make_finding("LX359", document.name),))
        own = pdf.find_own_update(file)
        edits: tuple[Edit, ...] = ()
        if own is not None:
            pdf.check_own_update(own, pdf.make_fingerprint(own.original))
            file = pdf.open_pdf(own.original)
            edits = (Edit(start=own.original.size, end=document.size, new=b""),)
        findings = find_unmarked_names(document, xmp.XMP_LABEL, _read_names(file))
        return Change(edits=edits, findings=tuple(findings))


def read(document: Document) -> Reading:
    """Read the statements of a PDF.

    The keys of the information dictionary become the XMP properties that they correspond to.
    Others get the namespace that Acrobat has for them. The language of the catalog becomes
    ``dc:language``.

    Raises:
        DocumentError: it is not a PDF, or broken, or encrypted so that it cannot be read.
    """
    with _report_faults(document):
        file = pdf.open_pdf(document)
        if pdf.is_encrypted(file):
            return _read_encrypted(document)
        statements, findings = _read_packet_statements(pdf.read_packet(file), document.name)
        own = pdf.find_own_update(file)
        if own is not None:
            packet = pdf.read_packet(pdf.open_pdf(own.original))
            before = Counter(_read_packet_statements(packet, document.name)[0])
            marked = []
            for each in statements:
                marked.append(each if before[each] > 0 else replace(each, is_embedded=True))
                before[each] -= 1
            statements = tuple(marked)
        return Reading(statements=(*statements, *_read_information(file)), findings=findings)


FORMAT: Final = DocumentFormat(
    key="pdf",
    label="PDF",
    suffixes=frozenset({".pdf"}),
    media_types=frozenset({"application/pdf", "application/x-pdf"}),
    embed=embed,
    remove=remove,
    read=read,
)
_LONGEST_VALUE = 1 << 16
_PDF_NAMESPACE = "http://ns.adobe.com/pdf/1.3/"

# Terms of the information dictionary in XMP (ISO 16684-2, and ISO 32000-2 table 349).
_INFORMATION_TERMS: Final[Mapping[str, str]] = {
    "Title": DC + "title",
    "Author": DC + "creator",
    "Subject": DC + "description",
    "Keywords": _PDF_NAMESPACE + "Keywords",
    "Creator": xmp.XMP + "CreatorTool",
    "Producer": _PDF_NAMESPACE + "Producer",
    "CreationDate": xmp.XMP + "CreateDate",
    "ModDate": xmp.XMP + "ModifyDate",
    "Trapped": _PDF_NAMESPACE + "Trapped",
}
_OTHER_NAMESPACE = "http://ns.adobe.com/pdfx/1.3/"


def _read_names(file: pdf.PdfFile) -> tuple[str, ...]:
    """Return the names in the metadata; none if they cannot be read."""
    try:
        statements, _ = _read_packet_statements(pdf.read_packet(file), file.document.name)
    except PdfError:
        return ()
    return xmp.find_identifiers(statements)


def _read_packet_statements(
    data: bytes, name: str
) -> tuple[tuple[Statement, ...], tuple[Finding, ...]]:
    """Return the statements of a packet, and the finding if it cannot be read."""
    if not data.strip(b"\0\t\n\r "):
        return (), ()
    try:
        return xmp.read_statements(xmp.parse_packet(data, name)), ()
    except DocumentError as fault:
        return (), (fault.finding,)


def _read_information(file: pdf.PdfFile) -> Iterator[Statement]:
    """Yield the entries of the information dictionary and the catalog, up to a broken one."""
    try:
        information = file.resolve_dictionary(file.trailer.get("Info"))
        for entry in () if information is None else information.entries:
            yield from _read_entry(entry.key, file.resolve(entry.value))
        yield from _read_entry("", file.resolve(file.catalog.get("Lang")))
    except PdfError:
        return


def _read_entry(key: str, value: object) -> Iterator[Statement]:
    """Yield the statement of an entry that is a text; the language of the catalog has no key."""
    if isinstance(value, bytes):
        value = decode_text_string(value[:_LONGEST_VALUE])
    text = str(value).strip().strip("\0") if isinstance(value, str) else ""
    if text:
        clean = key.encode("utf-8", "replace").decode()
        term = _INFORMATION_TERMS.get(key, _OTHER_NAMESPACE + clean) if key else DC + "language"
        value = text[:_LONGEST_VALUE].encode("utf-8", "replace").decode()
        yield Statement(notation=Notation.PDF_INFO, subject=None, term=term, value=value)


# All of an encrypted file is read into memory.
_LARGEST_ENCRYPTED = 1 << 24
_MOST_SECONDS = 10.0
_MOST_ENTRIES = 1_000
_CRYPTOGRAPHY = "cryptography"


class _TooLateError(BaseException):
    """Error of a time limit, which no handler of pypdf catches."""


class _TimedReader(io.BufferedReader):
    """Stream of a document that can be read for a limited time."""

    def __init__(self, document: Document) -> None:
        super().__init__(cast("io.BufferedReader", document.stream()).detach())
        self._end = time.monotonic() + _MOST_SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        if time.monotonic() > self._end:
            raise _TooLateError
        return super().read(size)


def _read_encrypted(document: Document) -> Reading:
    """Read an encrypted file with an empty password, by pypdf.

    Raises:
        DocumentError: it cannot be read.
        MissingExtraError: pypdf is not installed.
    """
    try:
        import pypdf  # noqa: PLC0415 - heavy, and for encrypted files only
    except ImportError:
        raise MissingExtraError("embed") from None
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        if document.size > _LARGEST_ENCRYPTED:
            why = f"it is larger than {_LARGEST_ENCRYPTED >> 20} megabytes, too large to be read"
        else:
            reader = pypdf.PdfReader(_TimedReader(document), strict=False)
            if reader.decrypt(""):
                return _read_decrypted(document, reader)
            why = "its password is not empty"
    except DocumentError:
        raise
    except _TooLateError:
        why = f"it takes more than {_MOST_SECONDS:.0f} seconds to be read"
    except Exception as fault:  # noqa: BLE001 - whatever a broken file makes of its reader
        why = "pypdf cannot read it"
        if isinstance(fault, pypdf.errors.DependencyError) and _CRYPTOGRAPHY in str(fault):
            why = (
                f"it is encrypted by AES, which needs the Python package {_CRYPTOGRAPHY}; "
                'pip install "lexurn[embed]" brings it'
            )
    finally:
        logger.setLevel(level)
    raise make_error("LX357", document.name, why=why)


def _read_decrypted(document: Document, reader: PdfReader) -> Reading:
    metadata = reader.root_object.get("/Metadata")
    packet = b"" if metadata is None else getattr(metadata.get_object(), "get_data", bytes)()
    is_usable = isinstance(packet, bytes) and len(packet) <= _LARGEST_ENCRYPTED
    statements, findings = _read_packet_statements(packet if is_usable else b"", document.name)
    entries = list((reader.metadata or {}).items())[:_MOST_ENTRIES]
    information = (
        each for key, value in entries for each in _read_entry(key.removeprefix("/"), value)
    )
    return Reading(
        statements=(*statements, *information),
        findings=(make_finding("LX356", document.name), *findings),
    )
