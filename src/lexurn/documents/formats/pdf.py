"""PDF: a name in XMP metadata, put behind the file as an incremental update.

Not a byte of the file changes, so that the removal of a name cuts off the update. Broken files are
refused. Encrypted files are read by pypdf, and never changed.
"""

from __future__ import annotations

import io
import logging
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from lexurn.documents.containers.pdf import (
    check_own_update,
    find_own_update,
    find_signature,
    is_encrypted,
    make_fingerprint,
    make_update,
    open_pdf,
    read_packet,
    skip_to_header,
)
from lexurn.documents.containers.pdf_objects import PdfError, PdfName, decode_text_string
from lexurn.documents.containers.xmp import (
    XMP,
    XMP_LABEL,
    find_identifiers,
    merge_packet,
    parse_packet,
    read_statements,
)
from lexurn.documents.document import Change, DocumentFormat, Edit, Notation, Reading, Statement
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.names import find_unmarked_names
from lexurn.errors import MissingExtraError
from lexurn.vocabulary import DC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

    from pypdf import PdfReader

    from lexurn.documents.containers.pdf import Fingerprint, OwnUpdate, PdfFile
    from lexurn.documents.containers.xmp import MergedPacket
    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


def embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Put a name into a PDF, or in the place of the one that lexurn put in before.

    Args:
        document: the file.
        marking: the name, and what the document is to say of itself.
        is_forced: whether a signature may be broken.

    Raises:
        DocumentError: the file is no PDF, broken, encrypted, signed, has another name, or
            metadata that cannot be read; or another program has added to it after lexurn put
            another name in.
    """
    view, start = skip_to_header(document)
    try:
        return _shift_edits(_embed_name(view, marking, is_forced=is_forced), start)
    except PdfError as fault:
        raise DocumentError(make_finding("LX346", document.name, why=fault)) from None


def remove(document: Document, _: bool) -> Change:  # noqa: FBT001 - as all formats have it
    """Cut off the update that lexurn put behind a PDF.

    A signature is no hindrance: what it was made on is what comes out.

    Raises:
        DocumentError: the file is no PDF or broken, or another program has added to it after
            lexurn did.
    """
    view, start = skip_to_header(document)
    try:
        return _shift_edits(_remove_update(view), start)
    except PdfError as fault:
        raise DocumentError(make_finding("LX346", document.name, why=fault)) from None


def _shift_edits(change: Change, start: int) -> Change:
    """Shift the edits of a change that was planned from an offset on."""
    edits = (
        Edit(start=each.start + start, end=each.end + start, new=each.new) for each in change.edits
    )
    return Change(edits=tuple(edits), findings=change.findings)


def _remove_update(document: Document) -> Change:
    file = open_pdf(document)
    if is_encrypted(file):
        # It was written anew, all of it.
        return Change(findings=(make_finding("LX359", document.name),))
    own = find_own_update(file)
    edits: tuple[Edit, ...] = ()
    if own is not None:
        check_own_update(own, make_fingerprint(own.original))
        file, edits = open_pdf(own.original), (_cut_update(document, own.original),)
    findings = find_unmarked_names(document, XMP_LABEL, _read_names(file))
    return Change(edits=edits, findings=tuple(findings))


def _embed_name(document: Document, marking: DocumentMetadata, *, is_forced: bool) -> Change:
    file = open_pdf(document)
    if is_encrypted(file):
        raise DocumentError(make_finding("LX347", document.name))
    own = find_own_update(file)
    if own is not None and not own.is_last and str(marking.name) in _read_names(file):
        return _keep_name(file, own, marking)
    original = document if own is None else own.original
    fingerprint = make_fingerprint(original)
    if own is not None:
        check_own_update(own, fingerprint)
        file = open_pdf(original)
    old = read_packet(file)
    new = _merge_name(file, old, marking)
    if new.data == old:
        edits = () if own is None else (_cut_update(document, original),)
        return Change(edits=edits, findings=new.findings)
    update = make_update(file, new.data, fingerprint.digest)
    if update == document.read(original.size, original.size + len(update) + 1):
        return Change(findings=new.findings)
    findings = (*_check_signature(file, fingerprint, is_forced=is_forced), *new.findings)
    edit = Edit(start=original.size, end=document.size, new=update)
    return Change(edits=(edit,), findings=findings)


def _merge_name(file: PdfFile, packet: bytes, marking: DocumentMetadata) -> MergedPacket:
    has_title = _has_title_entry(file)
    return merge_packet(
        packet, marking, file.document.name, _read_information(file), has_title=has_title
    )


def _keep_name(file: PdfFile, own: OwnUpdate, marking: DocumentMetadata) -> Change:
    """Change nothing in a file with the name, to which another program has added."""
    name, original = file.document.name, open_pdf(own.original)
    wanted = _merge_name(original, read_packet(original), marking)
    if wanted.data == read_packet(file):
        return Change(findings=wanted.findings)
    return Change(findings=(*wanted.findings, make_finding("LX353", name)))


def _check_signature(
    file: PdfFile, fingerprint: Fingerprint, *, is_forced: bool
) -> tuple[Finding, ...]:
    """Return the findings on a signature."""
    name = file.document.name
    signature = find_signature(file, fingerprint)
    if signature is None:
        return ()
    if not is_forced:
        raise DocumentError(make_finding("LX348", name, what=signature))
    return (make_finding("LX349", name, what=signature),)


def _cut_update(document: Document, original: Document) -> Edit:
    return Edit(start=original.size, end=document.size, new=b"")


def read(document: Document) -> Reading:
    """Read the statements of a PDF.

    A key of the information dictionary is given as the XMP property that it stands for; one that
    stands for none in the namespace that Acrobat has for such. The language of the catalog is
    ``dc:language``.

    Raises:
        DocumentError: it is not a PDF, or broken, or encrypted so that it cannot be read.
    """
    view, _ = skip_to_header(document)
    try:
        file = open_pdf(view)
        return _read_encrypted(document) if is_encrypted(file) else _read_file(file)
    except PdfError as fault:
        raise DocumentError(make_finding("LX346", document.name, why=fault)) from None


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

# What the keys of the information dictionary are in XMP (ISO 16684-2, and ISO 32000-2 table 349).
_INFORMATION_TERMS: Final[Mapping[str, str]] = {
    "Title": DC + "title",
    "Author": DC + "creator",
    "Subject": DC + "description",
    "Keywords": _PDF_NAMESPACE + "Keywords",
    "Creator": XMP + "CreatorTool",
    "Producer": _PDF_NAMESPACE + "Producer",
    "CreationDate": XMP + "CreateDate",
    "ModDate": XMP + "ModifyDate",
    "Trapped": _PDF_NAMESPACE + "Trapped",
}
_OTHER_NAMESPACE = "http://ns.adobe.com/pdfx/1.3/"


def _read_file(file: PdfFile) -> Reading:
    own = find_own_update(file)
    original_statements: Sequence[Statement] = ()
    if own is not None:
        original_statements, _ = _read_packet_statements(
            read_packet(open_pdf(own.original)), own.original.name
        )
    statements, findings = _read_packet_statements(read_packet(file), file.document.name)
    if own is not None:
        statements = _mark_own_statements(statements, original_statements)
    return Reading(statements=(*statements, *_read_information(file)), findings=findings)


def _read_names(file: PdfFile) -> tuple[str, ...]:
    """Return the names in the metadata; none if they cannot be read."""
    try:
        statements, _ = _read_packet_statements(read_packet(file), file.document.name)
    except PdfError:
        return ()
    return find_identifiers(statements)


def _read_packet_statements(
    data: bytes, name: str
) -> tuple[tuple[Statement, ...], tuple[Finding, ...]]:
    """Return the statements of a packet, and the finding if it cannot be read."""
    if not data.strip(b"\0\t\n\r "):
        return (), ()
    try:
        return read_statements(parse_packet(data, name)), ()
    except DocumentError as fault:
        return (), (fault.finding,)


def _mark_own_statements(
    statements: Sequence[Statement], original_statements: Sequence[Statement]
) -> tuple[Statement, ...]:
    """Mark the statements of lexurn: those that were not there before."""
    before = Counter(original_statements)
    result = []
    for each in statements:
        result.append(each if before[each] > 0 else replace(each, is_embedded=True))
        before[each] -= 1
    return tuple(result)


def _read_information(file: PdfFile) -> Iterator[Statement]:
    """Yield the entries of the information dictionary and the catalog, up to a broken one."""
    try:
        information = file.dictionary(file.trailer.get("Info"))
        for entry in () if information is None else information.entries:
            yield from _read_entry(entry.key, file.value(entry.value))
        yield from _read_entry("", file.value(file.catalog.get("Lang")))
    except PdfError:
        return


def _has_title_entry(file: PdfFile) -> bool:
    """Return whether the information dictionary has a title, even a blank one."""
    try:
        information = file.dictionary(file.trailer.get("Info"))
    except PdfError:
        return False
    return information is not None and information.entry("Title") is not None


def _read_entry(key: str, value: object) -> Iterator[Statement]:
    if isinstance(value, bytes):
        value = decode_text_string(value[:_LONGEST_VALUE])
    elif not isinstance(value, PdfName):
        return
    text = str(value).strip().strip("\0")
    if text:
        yield _make_statement(key, text)


def _make_statement(key: str, text: str) -> Statement:
    """Return the statement of an entry; the language of the catalog has no key."""
    clean = key.encode("utf-8", "replace").decode()
    term = _INFORMATION_TERMS.get(key, _OTHER_NAMESPACE + clean) if key else DC + "language"
    value = text.encode("utf-8", "replace").decode()
    return Statement(notation=Notation.PDF_INFO, subject=None, term=term, value=value)


# All of an encrypted file is read into memory.
_LARGEST_ENCRYPTED = 1 << 24
_MOST_SECONDS = 10.0
_MOST_ENTRIES = 1_000
_CRYPTOGRAPHY = "cryptography"


class _TooLateError(BaseException):
    """Time limit; no handler for exceptions of other kinds stops it."""


class _TimedReader(io.BufferedReader):
    """Document as a file that can be read for a limited time."""

    def __init__(self, document: Document) -> None:
        super().__init__(cast("io.BufferedReader", document.stream()).detach())
        self._end = time.monotonic() + _MOST_SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        if time.monotonic() > self._end:
            raise _TooLateError
        return super().read(size)


def _read_encrypted(document: Document) -> Reading:
    """Read an encrypted file whose password is empty, by pypdf.

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
    raise DocumentError(make_finding("LX357", document.name, why=why))


def _read_decrypted(document: Document, reader: PdfReader) -> Reading:
    metadata = reader.root_object.get("/Metadata")
    packet = b"" if metadata is None else getattr(metadata.get_object(), "get_data", bytes)()
    is_usable = isinstance(packet, bytes) and len(packet) <= _LARGEST_ENCRYPTED
    statements, findings = _read_packet_statements(packet if is_usable else b"", document.name)
    for key, value in list((reader.metadata or {}).items())[:_MOST_ENTRIES]:
        text = value.strip("\0 \t\r\n") if isinstance(value, str) else ""
        if text:
            entry = _make_statement(key.removeprefix("/"), text[:_LONGEST_VALUE])
            statements = (*statements, entry)
    return Reading(
        statements=statements, findings=(make_finding("LX356", document.name), *findings)
    )
