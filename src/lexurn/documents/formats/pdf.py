"""PDF: a name in XMP metadata, appended to the file as an incremental update.

Not a byte of the file changes, so that the removal of a name cuts off the update. Broken files are
refused. Encrypted files are read by pypdf, and never changed.

The mark of an update by lexurn has the length of the file before, and its digest. It is a comment
right in front of the metadata of lexurn. So no text elsewhere in a document can pass for it.

Functions on a `PdfFile` raise `PdfError` if its structure is broken.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lexurn.documents.containers import pdf_objects, xmp
from lexurn.documents.containers.pdf_objects import PdfDictionary, PdfError, PdfReference
from lexurn.documents.document import (
    Change,
    DocumentError,
    DocumentFormat,
    Edit,
    Notation,
    Reading,
    Statement,
    make_error,
    make_finding,
)
from lexurn.documents.names import find_unmarked_names
from lexurn.documents.terms import IDENTIFIER_TERMS
from lexurn.errors import MissingExtraError
from lexurn.vocabulary import DC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pypdf import PdfReader

    from lexurn.documents.containers.pdf_objects import PdfObject, PdfValue
    from lexurn.documents.document import Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

# Writers put some hundred objects into an object stream; those of a whole book are smaller.
_LARGEST_OBJECT_STREAM: Final = 1 << 24
# The catalog and its parts stand in two or three object streams.
_MOST_OBJECT_STREAMS: Final = 16
# Lexurn adds the metadata, and the stream of the cross-reference section.
_MOST_NEW_OBJECTS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFile:
    """PDF file whose structure is sound, as far as it was read; its last section comes first."""

    document: Document
    sections: tuple[pdf_objects.XrefSection, ...]
    _object_streams: dict[int, tuple[dict[int, int], bytes]] = field(default_factory=dict)

    @property
    def trailer(self) -> PdfDictionary:
        """Current trailer, which is the last one."""
        return self.sections[0].trailer

    @property
    def next_number(self) -> int:
        """Number that no object has or had."""
        size = self.trailer.get("Size")
        return max(size if isinstance(size, int) else 1, 1, *(each.size for each in self.sections))

    @property
    def is_encrypted(self) -> bool:
        """True if it is encrypted, so that its objects cannot be read."""
        return self.trailer.get("Encrypt") is not None

    @property
    def root(self) -> PdfReference:
        """Reference to the catalog."""
        root = self.trailer.get("Root")
        if not isinstance(root, PdfReference):
            raise PdfError("its trailer names no catalog")
        return root

    @property
    def catalog(self) -> PdfDictionary:
        """Catalog of the document."""
        catalog = self.resolve(self.root)
        if not isinstance(catalog, PdfDictionary) or catalog.get("Type") != "Catalog":
            raise PdfError("its catalog has the wrong type")
        return catalog

    def find_position(self, number: int) -> pdf_objects.ObjectPosition:
        """Return the position of an object; None if there is none."""
        for section in self.sections:
            run = next((each for each in section.runs if number in each.numbers), None)
            if run is not None:
                return section.read_place(run, number)
        return None

    def find_object(self, reference: PdfReference) -> PdfObject:
        """Return an indirect object; null if there is none."""
        position = self.find_position(reference.number)
        if isinstance(position, pdf_objects.ObjectInStream):
            offsets, data = self._read_object_stream(position.stream)
            if reference.number not in offsets:
                raise PdfError(f"object {reference.number} is not at its stated place")
            start = offsets[reference.number]
            value, _ = pdf_objects.parse_value(data[start : start + pdf_objects.LARGEST_OBJECT], 0)
            return pdf_objects.PdfObject(value=value)
        if position is None or position.generation != reference.generation:
            return pdf_objects.PdfObject(value=None)
        return pdf_objects.read_object(self.document, position.offset, reference)

    def resolve(self, value: PdfValue) -> PdfValue:
        """Follow a reference, and return the value."""
        found = self.find_object(value).value if isinstance(value, PdfReference) else value
        if isinstance(found, PdfReference):
            raise PdfError("a reference leads to another one")
        return found

    def resolve_dictionary(self, value: PdfValue) -> PdfDictionary | None:
        """Follow a reference, and return the dictionary; None if it is something else."""
        value = self.resolve(value)
        return value if isinstance(value, PdfDictionary) else None

    def unpack(self, found: PdfObject, limit: int) -> bytes:
        """Return the unpacked bytes of a stream, up to a limit."""
        if found.stream is None or not isinstance(found.value, PdfDictionary):
            raise PdfError("an object must be a stream, but is not one")
        length = self.resolve(found.value.get("Length"))
        data = pdf_objects.read_stream(self.document, found.stream, length, limit)
        return pdf_objects.unpack_stream(found.value, data, limit)

    def _read_object_stream(self, number: int) -> tuple[dict[int, int], bytes]:
        """Return the offsets of the objects in an object stream, and its bytes (section 7.5.7)."""
        if number in self._object_streams:
            return self._object_streams[number]
        if len(self._object_streams) >= _MOST_OBJECT_STREAMS:
            raise PdfError("its catalog is spread over too many object streams")
        position = self.find_position(number)
        if not isinstance(position, pdf_objects.ObjectInFile):
            raise PdfError("an object stream is not at its stated place")
        reference = PdfReference(number, position.generation)
        found = pdf_objects.read_object(self.document, position.offset, reference)
        dictionary = found.value
        if not isinstance(dictionary, PdfDictionary) or dictionary.get("Type") != "ObjStm":
            raise PdfError("an object stream has the wrong type")
        length = dictionary.get("Length")
        if isinstance(length, PdfReference) and isinstance(
            self.find_position(length.number), pdf_objects.ObjectInStream
        ):
            raise PdfError("the length of an object stream is in an object stream")
        data, first = self.unpack(found, _LARGEST_OBJECT_STREAM), dictionary.get("First")
        most = min(len(data), pdf_objects.LARGEST_OBJECT)
        if not isinstance(first, int) or not 0 <= first <= most:
            raise PdfError("an object stream is broken")
        try:
            numbers = [int(each) for each in data[:first].split()]
        except ValueError:
            raise PdfError("an object stream is broken") from None
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        offsets = {each: first + offset for each, offset in pairs}
        self._object_streams[number] = offsets, data
        return offsets, data


def _open_pdf(document: Document) -> PdfFile:
    """Open a document as a PDF file, and check its catalog and pages."""
    if document.read(0, 5) != b"%PDF-":
        raise PdfError("bytes precede its header")
    file = PdfFile(document=document, sections=pdf_objects.read_xref_sections(document))
    if not file.is_encrypted and file.resolve_dictionary(file.catalog.get("Pages")) is None:
        raise PdfError("its catalog has no pages")
    return file


# Metadata have some kilobytes; with the history of all pictures some megabytes.
_LARGEST_METADATA: Final = 1 << 24


def _find_metadata(file: PdfFile) -> PdfReference | None:
    """Return the reference to the metadata of a document; None if it has none."""
    reference = file.catalog.get("Metadata")
    if reference is None:
        return None
    if isinstance(reference, PdfReference):
        found = file.find_object(reference)
        if found.value is None:
            return None
        if found.stream is not None:
            return reference
    raise PdfError("its metadata is not a stream")


def _read_packet(file: PdfFile) -> bytes:
    """Return the unpacked bytes of the metadata; empty if there is none."""
    reference = _find_metadata(file)
    return b"" if reference is None else file.unpack(file.find_object(reference), _LARGEST_METADATA)


_MARK_PATTERN = re.compile(rb"%lexurn 1 (\d{12}) (\d{12}) ([0-9a-f]{64})\n")
_MARK_LENGTH: Final = len("%lexurn 1 ") + 12 + 1 + 12 + 1 + 64 + 1
_BYTE_RANGE = b"/ByteRange"


class Fingerprint(NamedTuple):
    """SHA-256 of a file, and whether a signature in it states the bytes that it covers."""

    digest: str
    is_signed: bool


class OwnUpdate(NamedTuple):
    """Update that lexurn appended to a file; its mark has the size and digest of the original."""

    original: Document
    digest: str
    is_last: bool


def make_fingerprint(document: Document) -> Fingerprint:
    """Make the fingerprint of a document in one pass over its bytes."""
    digest, before, is_signed = hashlib.sha256(), b"", False
    for piece in document.pieces():
        digest.update(piece)
        window = before + piece
        is_signed = is_signed or _BYTE_RANGE in window
        before = window[-len(_BYTE_RANGE) :]
    return Fingerprint(digest=digest.hexdigest(), is_signed=is_signed)


def _find_own_update(file: PdfFile) -> OwnUpdate | None:
    """Return the update that lexurn appended to a file; None if there is none.

    If another program wrote the metadata anew later, they are that program's.
    """
    metadata, document = file.catalog.get("Metadata"), file.document
    position = file.find_position(metadata.number) if isinstance(metadata, PdfReference) else None
    if not isinstance(position, pdf_objects.ObjectInFile):
        return None
    start = max(0, position.offset - _MARK_LENGTH)
    mark = _MARK_PATTERN.fullmatch(document.read(start, position.offset))
    if mark is None:
        return None
    size, length = int(mark[1]), int(mark[2])
    if not 0 <= start - size <= 1 or document.read(size, start) not in {b"", b"\n"}:
        raise PdfError("a mark of lexurn contradicts the file")
    return OwnUpdate(
        original=replace(document, size=size),
        digest=mark[3].decode("ascii"),
        is_last=size + length == document.size,
    )


def _check_own_update(own: OwnUpdate, fingerprint: Fingerprint) -> None:
    """Check that an update of lexurn can be cut off, which leaves the original."""
    if not own.is_last:
        raise make_error("LX351", own.original.name)
    if own.digest != fingerprint.digest:
        raise make_error("LX352", own.original.name)


_SIGNATURES_EXIST = 1
# Signatures of a certification and of usage rights (table 263; UR is that of PDF 1.5).
_PERMISSIONS = ("DocMDP", "UR3", "UR")


def find_signature(file: PdfFile, fingerprint: Fingerprint) -> str | None:
    """Return the entry that shows that a file is signed; None if it is not signed.

    A form that declares a signature (``SigFlags``) counts as signed.
    """
    if fingerprint.is_signed:
        return "/ByteRange"
    permissions = file.resolve_dictionary(file.catalog.get("Perms"))
    entries = () if permissions is None else map(permissions.get, _PERMISSIONS)
    if any(each is not None for each in entries):
        return "/Perms"
    form = file.resolve_dictionary(file.catalog.get("AcroForm"))
    flags = None if form is None else file.resolve(form.get("SigFlags"))
    return "/SigFlags" if isinstance(flags, int) and flags & _SIGNATURES_EXIST else None


# Keys of the packing of a stream, and of the position of its bytes.
_PACKING_KEYS = ("Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms", "DL")
# Keys of a trailer about its own section; the latter are those of a stream.
_SECTION_KEYS = ("Size", "Prev", "ID", "XRefStm")
_STREAM_KEYS = ("Type", "W", "Index", *_PACKING_KEYS)

_HIGHEST_OFFSET = 10**10
_OFFSET_WIDTH = 5

_XrefRows: TypeAlias = "Sequence[tuple[PdfReference, int]]"
"""Objects of an update, with their offsets."""


def _make_update(file: PdfFile, packet: bytes, digest: str) -> bytes:
    """Return the bytes that give a file new metadata when they are appended to it.

    They depend on the file, its digest and the metadata alone.
    """
    if file.next_number + _MOST_NEW_OBJECTS > pdf_objects.HIGHEST_NUMBER:
        raise PdfError("/Size or the number of an object is too high for another object")
    original = file.document
    lead = b"" if original.read(original.size - 1) in b"\r\n" else b"\n"
    start = original.size + len(lead) + _MARK_LENGTH
    body, rows = bytearray(), []
    for reference, written in _write_objects(file, packet):
        rows.append((reference, start + len(body)))
        body += b"%d %d obj\n" % reference + written + b"\nendobj\n"
    section = start + len(body)
    if section >= _HIGHEST_OFFSET:
        raise PdfError("it is too large")
    # The second part of the file identifier changes with the bytes (section 14.4).
    value, identifier = file.resolve(file.trailer.get("ID")), b""
    parts = [file.resolve(each) for each in value[:2]] if isinstance(value, tuple) else []
    if parts and isinstance(parts[0], bytes):
        changed = hashlib.sha256(digest.encode("ascii") + packet).hexdigest()[:32]
        identifier = b"/ID [<%b> <%b>]\n" % (parts[0].hex().encode(), changed.encode())
    size = max(file.next_number, *(reference.number + 1 for reference, _ in rows))
    if file.sections[0].rows is not None:
        body += _write_stream_section(file, rows, size, section, identifier)
    else:
        body += b"xref\n"
        for run in _group_rows(rows):
            body += b"%d %d\n" % (run[0][0].number, len(run))
            for reference, offset in run:
                body += b"%010d %05d n \n" % (offset, reference.generation)
        kept = file.trailer.write_without(*_SECTION_KEYS)
        values = (kept, identifier, size, file.sections[0].offset)
        body += b"trailer\n<<\n%b%b/Size %d\n/Prev %d\n>>\n" % values
    body += b"startxref\n%d\n%%%%EOF\n" % section
    length = len(lead) + _MARK_LENGTH + len(body)
    mark = f"%lexurn 1 {original.size:012d} {length:012d} {digest}\n".encode("ascii")
    return lead + mark + bytes(body)


def _write_objects(file: PdfFile, packet: bytes) -> Iterator[tuple[PdfReference, bytes]]:
    """Yield the new objects: the metadata, and the catalog if it did not refer to any."""
    old = _find_metadata(file)
    if old is not None:
        dictionary = file.resolve_dictionary(old)
        kept = b"" if dictionary is None else dictionary.write_without(*_PACKING_KEYS)
        yield old, _write_stream(kept, packet)
        return
    new = PdfReference(file.next_number, 0)
    yield new, _write_stream(b"/Type /Metadata\n/Subtype /XML\n", packet)
    catalog, written = file.catalog, b"%d %d R" % new
    data, entry = catalog.data, catalog.find_entry("Metadata")
    if entry is None:
        changed = b"<<\n/Metadata " + written + b"\n" + data[catalog.start + 2 : catalog.end]
    else:
        changed = data[catalog.start : entry.value_start] + written + data[entry.end : catalog.end]
    yield file.root, changed


def _write_stream(entries: bytes, data: bytes) -> bytes:
    return b"<<\n%b/Length %d\n>>\nstream\n%b\nendstream" % (entries, len(data), data)


def _group_rows(rows: _XrefRows) -> Iterator[list[tuple[PdfReference, int]]]:
    """Yield runs of rows with consecutive numbers."""
    numbered = groupby(enumerate(sorted(rows)), lambda each: each[1][0].number - each[0])
    return ([row for _, row in run] for _, run in numbered)


def _write_stream_section(
    file: PdfFile, rows: _XrefRows, number: int, section: int, identifier: bytes
) -> bytes:
    written, index = bytearray(), []
    for run in _group_rows([*rows, (PdfReference(number, 0), section)]):
        index.append(b"%d %d" % (run[0][0].number, len(run)))
        for reference, offset in run:
            written += b"\x01" + offset.to_bytes(_OFFSET_WIDTH, "big")
            written += reference.generation.to_bytes(2, "big")
    entries = b"/Type /XRef\n/W [1 %d 2]\n/Index [%b]\n%b%b/Size %d\n/Prev %d\n" % (
        _OFFSET_WIDTH,
        b" ".join(index),
        file.trailer.write_without(*_SECTION_KEYS, *_STREAM_KEYS),
        identifier,
        number + 1,
        file.sections[0].offset,
    )
    return b"%d 0 obj\n%b\nendobj\n" % (number, _write_stream(entries, bytes(written)))


@contextmanager
def _report_faults(document: Document) -> Iterator[None]:
    """Turn a fault of the structure of a file into an error about the document."""
    try:
        yield
    except PdfError as fault:
        raise make_error("LX346", document.name, why=fault) from None


def embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
    """Put a name into a PDF, or replace the one that lexurn put in before."""
    with _report_faults(document):
        file = _open_pdf(document)
        if file.is_encrypted:
            raise make_error("LX347", document.name)
        own = _find_own_update(file)
        if own is not None and not own.is_last and str(marking.name) in _read_names(file):
            # Another program has added to a file that has its name.
            wanted = _merge_name(_open_pdf(own.original), marking)
            is_stale = wanted.data != _read_packet(file)
            stale = (make_finding("LX353", document.name),) if is_stale else ()
            return Change(findings=(*wanted.findings, *stale))
        fingerprint = make_fingerprint(document if own is None else own.original)
        if own is not None:
            _check_own_update(own, fingerprint)
        original = file if own is None else _open_pdf(own.original)
        new, size = _merge_name(original, marking), original.document.size
        if new.data == _read_packet(original):
            edits = () if own is None else (Edit(start=size, end=document.size, new=b""),)
            return Change(edits=edits, findings=new.findings)
        update = _make_update(original, new.data, fingerprint.digest)
        if update == document.read(size, size + len(update) + 1):
            return Change(findings=new.findings)
        signature = find_signature(original, fingerprint)
        if signature is not None and not is_forced:
            raise make_error("LX348", document.name, what=signature)
        warnings = (
            () if signature is None else (make_finding("LX349", document.name, what=signature),)
        )
        edit = Edit(start=size, end=document.size, new=update)
        return Change(edits=(edit,), findings=(*warnings, *new.findings))


def _merge_name(file: PdfFile, marking: DocumentMetadata) -> xmp.MergedPacket:
    """Return the metadata of a file with those of a name."""
    packet, name, beside = _read_packet(file), file.document.name, _read_information(file)
    return xmp.merge_packet(packet, marking, name, beside)


def remove(document: Document, _: bool) -> Change:
    """Cut off the update that lexurn appended to a PDF.

    A signature of the file before is valid again.
    """
    with _report_faults(document):
        file = _open_pdf(document)
        if file.is_encrypted:
            # Another program has written all of it anew.
            return Change(findings=(make_finding("LX359", document.name),))
        own = _find_own_update(file)
        edits: tuple[Edit, ...] = ()
        if own is not None:
            _check_own_update(own, make_fingerprint(own.original))
            file = _open_pdf(own.original)
            edits = (Edit(start=own.original.size, end=document.size, new=b""),)
        findings = find_unmarked_names(document, xmp.XMP_LABEL, _read_names(file))
        return Change(edits=edits, findings=tuple(findings))


def read(document: Document) -> Reading:
    """Read the statements of a PDF.

    The keys of the information dictionary become the XMP properties that they correspond to.
    Others get the namespace that Acrobat has for them. The language of the catalog becomes
    ``dc:language``.
    """
    with _report_faults(document):
        file = _open_pdf(document)
        if file.is_encrypted:
            return _read_encrypted(document)
        statements, findings = _read_packet_statements(_read_packet(file), document.name)
        own = _find_own_update(file)
        if own is not None:
            packet = _read_packet(_open_pdf(own.original))
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


def _read_names(file: PdfFile) -> tuple[str, ...]:
    """Return the names in the metadata; none if they cannot be read."""
    try:
        statements, _ = _read_packet_statements(_read_packet(file), file.document.name)
    except PdfError:
        return ()
    return tuple(each.value for each in statements if each.term in IDENTIFIER_TERMS)


def _read_packet_statements(
    data: bytes, name: str
) -> tuple[tuple[Statement, ...], tuple[Finding, ...]]:
    """Return the statements of a packet, and the finding if it cannot be read."""
    if not data.strip(b"\0\t\n\r "):
        return (), ()
    try:
        return xmp.parse_packet(data, name).statements, ()
    except DocumentError as fault:
        return (), (fault.finding,)


def _read_information(file: PdfFile) -> Iterator[Statement]:
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
        value = pdf_objects.decode_text_string(value[:_LONGEST_VALUE])
    text = str(value).strip().strip("\0") if isinstance(value, str) else ""
    if text:
        clean = key.encode("utf-8", "replace").decode()
        term = _INFORMATION_TERMS.get(key, _OTHER_NAMESPACE + clean) if key else DC + "language"
        value = text[:_LONGEST_VALUE].encode("utf-8", "replace").decode()
        yield Statement(notation=Notation.PDF_INFO, term=term, value=value)


# All of an encrypted file is read into memory.
_LARGEST_ENCRYPTED = 1 << 24
_MOST_ENTRIES = 1_000


def _read_encrypted(document: Document) -> Reading:
    """Read an encrypted file with an empty password, by pypdf, which comes with an extra.

    Pypdf limits the memory that a hostile file takes, but not the time.
    """
    try:
        import pypdf  # noqa: PLC0415 - heavy, and for encrypted files only
    except ImportError:
        raise MissingExtraError("embed") from None
    if document.size > _LARGEST_ENCRYPTED:
        why = f"it is larger than {_LARGEST_ENCRYPTED >> 20} megabytes, too large to be read"
        raise make_error("LX357", document.name, why=why)
    stream, logger = io.BytesIO(document.read()), logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        reader = pypdf.PdfReader(stream, strict=False)
        if reader.decrypt(""):
            return _read_decrypted(document, reader)
        why = "its password is not empty"
    except Exception as fault:  # noqa: BLE001 - pypdf raises any exception on broken files
        if isinstance(fault, pypdf.errors.DependencyError):  # for AES
            raise MissingExtraError("embed") from None
        why = "pypdf cannot read it"
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
