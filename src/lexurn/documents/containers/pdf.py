"""PDF files: trailer, catalog, objects, metadata, signatures, and incremental updates.

The mark of an update by lexurn says how long the file was, and its digest. It is a comment right in
front of the metadata that lexurn wrote, and nothing else is looked at: no text anywhere in a
document can pass for it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.documents.containers.pdf_objects import (
    HIGHEST_NUMBER,
    LARGEST_OBJECT,
    LARGEST_STREAM,
    ObjectInFile,
    ObjectInStream,
    PdfDictionary,
    PdfError,
    PdfName,
    PdfObject,
    PdfReference,
    parse_value,
    read_object,
    read_stream,
    read_xref_sections,
    unpack_stream,
)
from lexurn.documents.findings import DocumentError, make_finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from lexurn.documents.containers.pdf_objects import ObjectPlace, PdfValue, XrefSection
    from lexurn.documents.document import Document

# The header stands within so many bytes (ISO 32000-1, note in annex H).
_HEADER_WINDOW: Final = 1_024

# Writers put some hundred objects into an object stream; those of a whole book are smaller.
_LARGEST_OBJECT_STREAM: Final = 1 << 24

_MOST_NEW_OBJECTS: Final = 2
"""Objects that lexurn adds: the metadata, and the stream of the cross-reference section."""

# The catalog and what is read from it stand in two or three object streams.
_MOST_OBJECT_STREAMS: Final = 16

# A reference to a reference to ...: no writer makes any.
_LONGEST_PATH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFile:
    """PDF file whose structure is sound, as far as it was read.

    All methods raise `PdfError` where the file is broken.

    Attributes:
        document: its bytes.
        sections: its cross-reference sections, the last one first.
    """

    document: Document
    sections: tuple[XrefSection, ...]
    _object_streams: dict[int, tuple[dict[int, int], bytes]] = field(default_factory=dict)

    @property
    def trailer(self) -> PdfDictionary:
        """Last trailer, which is the current one."""
        return self.sections[0].trailer

    @property
    def next_number(self) -> int:
        """Number that no object has or had; a ``/Size`` that leaves no room is ignored."""
        size = self.trailer.get("Size")
        said = size if isinstance(size, int) and size <= HIGHEST_NUMBER - _MOST_NEW_OBJECTS else 1
        return max(said, 1, *(each.size for each in self.sections))

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
        catalog = self.value(self.root)
        if not isinstance(catalog, PdfDictionary) or catalog.get("Type") != PdfName("Catalog"):
            raise PdfError("its catalog is none")
        return catalog

    def place(self, number: int) -> ObjectPlace:
        """Return where an object stands; None if there is none."""
        section = next((each for each in self.sections if each.knows(number)), None)
        return None if section is None else section.place(number)

    def found(self, reference: PdfReference) -> PdfObject:
        """Return an indirect object; null if there is none."""
        place = self.place(reference.number)
        if isinstance(place, ObjectInStream):
            return self._in_stream(place, reference.number)
        if place is None or place.generation != reference.generation:
            return PdfObject(value=None)
        return read_object(self.document, place.offset, reference)

    def value(self, value: PdfValue) -> PdfValue:
        """Follow references, and return the value."""
        for _ in range(_LONGEST_PATH):
            if not isinstance(value, PdfReference):
                return value
            value = self.found(value).value
        raise PdfError("references go in a circle")

    def dictionary(self, value: PdfValue) -> PdfDictionary | None:
        """Follow references, and return the dictionary; None if it is something else."""
        value = self.value(value)
        return value if isinstance(value, PdfDictionary) else None

    def stream(self, found: PdfObject, limit: int = LARGEST_STREAM) -> bytes:
        """Return the unpacked bytes of a stream."""
        if found.stream is None or not isinstance(found.value, PdfDictionary):
            raise PdfError("an object that should be a stream is none")
        length = self.value(found.value.get("Length"))
        data = read_stream(self.document, found.stream, length, limit)
        return unpack_stream(found.value, data, limit)

    def _in_stream(self, place: ObjectInStream, number: int) -> PdfObject:
        if place.stream not in self._object_streams:
            if len(self._object_streams) >= _MOST_OBJECT_STREAMS:
                raise PdfError("its catalog is spread over too many object streams")
            self._object_streams[place.stream] = self._read_object_stream(place.stream)
        offsets, data = self._object_streams[place.stream]
        if number not in offsets:
            raise PdfError(f"object {number} is not where it should be")
        start = offsets[number]
        window = data[start : start + LARGEST_OBJECT]
        value, _ = parse_value(window, 0, is_whole=start + len(window) >= len(data))
        return PdfObject(value=value)

    def _read_object_stream(self, number: int) -> tuple[dict[int, int], bytes]:
        """Return the offsets of the objects in an object stream, and its bytes (section 7.5.7)."""
        place = self.place(number)
        if not isinstance(place, ObjectInFile):
            raise PdfError("an object stream is not where it should be")
        found = read_object(self.document, place.offset, PdfReference(number, place.generation))
        dictionary = found.value
        if not isinstance(dictionary, PdfDictionary) or dictionary.get("Type") != PdfName("ObjStm"):
            raise PdfError("an object stream is none")
        length = dictionary.get("Length")
        if isinstance(length, PdfReference) and isinstance(
            self.place(length.number), ObjectInStream
        ):
            raise PdfError("the length of an object stream stands in an object stream")
        data, first = self.stream(found, _LARGEST_OBJECT_STREAM), dictionary.get("First")
        if not isinstance(first, int) or not 0 <= first <= min(len(data), LARGEST_OBJECT):
            raise PdfError("an object stream is broken")
        try:
            numbers = [int(each) for each in data[:first].split()]
        except ValueError:
            raise PdfError("an object stream is broken") from None
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        return {each: first + offset for each, offset in pairs}, data


def skip_to_header(document: Document) -> tuple[Document, int]:
    """Return a document from its header on, where offsets begin, and the header's offset.

    Raises:
        DocumentError: it is not a PDF, whatever its state; or it cannot be read.
    """
    start = document.read(0, _HEADER_WINDOW).find(b"%PDF-")
    if start < 0:
        raise DocumentError(make_finding("LX345", document.name, limit=_HEADER_WINDOW))
    if start == 0:
        return document, 0
    view = replace(
        document,
        size=document.size - start,
        reader=lambda at, size: document.reader(start + at, size),
    )
    return view, start


def is_encrypted(file: PdfFile) -> bool:
    """Return whether a file is encrypted, so that none of its objects can be read."""
    return file.trailer.get("Encrypt") is not None


def open_pdf(document: Document) -> PdfFile:
    """Open a document as a PDF file, and check its catalog and pages.

    Args:
        document: the file, from its header on.

    Raises:
        DocumentError: it cannot be read.
        PdfError: its structure is broken.
    """
    file = PdfFile(document=document, sections=read_xref_sections(document))
    if not is_encrypted(file) and file.dictionary(file.catalog.get("Pages")) is None:
        raise PdfError("its catalog names no pages")
    return file


_LARGEST_METADATA: Final = 1 << 24
"""Bytes of metadata: those of a document are some kilobytes, with the history of all its pictures
some megabytes."""


def _find_metadata(file: PdfFile) -> PdfReference | None:
    """Return the reference to the metadata of a document; None if it has none.

    Raises:
        PdfError: the file is broken, or what stands there is no metadata.
    """
    reference = file.catalog.get("Metadata")
    if reference is None:
        return None
    if not isinstance(reference, PdfReference):
        raise PdfError("its metadata is no stream")
    found = file.found(reference)
    if found.value is None:
        return None
    if found.stream is None:
        raise PdfError("its metadata is no stream")
    return reference


def read_packet(file: PdfFile) -> bytes:
    """Return the unpacked bytes of the metadata; empty if there is none.

    Raises:
        PdfError: as `_find_metadata`; or they are too many, or packed in a way that is not known.
    """
    reference = _find_metadata(file)
    return b"" if reference is None else file.stream(file.found(reference), _LARGEST_METADATA)


_MARK_PATTERN = re.compile(rb"%lexurn 1 (\d{12}) (\d{12}) ([0-9a-f]{64})\n")
_MARK_LENGTH: Final = len("%lexurn 1 ") + 12 + 1 + 12 + 1 + 64 + 1
"""How many bytes a mark has, whatever it says."""

_BYTE_RANGE = b"/ByteRange"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """Digest of a file, and whether it is signed, by one pass over all its bytes.

    Attributes:
        digest: their SHA-256, in hexadecimal digits.
        is_signed: whether a signature says which bytes it covers.
    """

    digest: str
    is_signed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnUpdate:
    """Update that lexurn put behind a file.

    Attributes:
        original: the file as it was, as the mark says.
        digest: its digest, as the mark says.
        is_last: whether nothing was put behind it since.
    """

    original: Document
    digest: str
    is_last: bool


def _make_mark(original: Document, length: int, digest: str) -> bytes:
    """Return the mark of an update.

    Args:
        original: the file as it was.
        length: how many bytes are put behind it, the mark among them.
        digest: the file's digest.
    """
    return f"%lexurn 1 {original.size:012d} {length:012d} {digest}\n".encode("ascii")


def make_fingerprint(document: Document) -> Fingerprint:
    """Read all bytes of a document once.

    Raises:
        DocumentError: they cannot be read.
    """
    digest, before, is_signed = hashlib.sha256(), b"", False
    for piece in document.pieces():
        digest.update(piece)
        is_signed = (
            is_signed or _BYTE_RANGE in before + piece[: len(_BYTE_RANGE)] or _BYTE_RANGE in piece
        )
        before = piece[-len(_BYTE_RANGE) :]
    return Fingerprint(digest=digest.hexdigest(), is_signed=is_signed)


def find_own_update(file: PdfFile) -> OwnUpdate | None:
    """Return the update that lexurn put behind a file; None if there is none.

    Metadata that another program wrote anew behind it are that program's, whatever they say.

    Raises:
        PdfError: the file is broken.
    """
    metadata = file.catalog.get("Metadata")
    place = file.place(metadata.number) if isinstance(metadata, PdfReference) else None
    return _read_mark(file.document, place.offset) if isinstance(place, ObjectInFile) else None


def _read_mark(document: Document, offset: int) -> OwnUpdate | None:
    """Return the update whose mark stands in front of an offset; None if there is no mark."""
    if offset < _MARK_LENGTH:
        return None
    start = offset - _MARK_LENGTH
    mark = _MARK_PATTERN.fullmatch(document.read(start, offset))
    if mark is None:
        return None
    size, length = int(mark[1]), int(mark[2])
    if not 0 <= start - size <= 1 or document.read(size, start) not in {b"", b"\n"}:
        raise PdfError("a mark of lexurn says what cannot be")
    return OwnUpdate(
        original=replace(document, size=size),
        digest=mark[3].decode("ascii"),
        is_last=size + length == document.size,
    )


def check_own_update(own: OwnUpdate, fingerprint: Fingerprint) -> None:
    """Check that an update of lexurn can be cut off, which leaves the original.

    Raises:
        DocumentError: it is not.
    """
    if not own.is_last:
        raise DocumentError(make_finding("LX351", own.original.name))
    if own.digest != fingerprint.digest:
        raise DocumentError(make_finding("LX352", own.original.name))


_SIGNATURES_EXIST = 1
# What a certification and usage rights are signed by (table 263; UR is that of PDF 1.5).
_PERMISSIONS = ("DocMDP", "UR3", "UR")


def find_signature(file: PdfFile, fingerprint: Fingerprint) -> str | None:
    """Return the entry that shows that a file is signed; None if it is not signed.

    A form that declares a signature (``SigFlags``) counts as signed.

    Raises:
        PdfError: the file is broken.
    """
    if fingerprint.is_signed:
        return "/ByteRange"
    permissions = file.dictionary(file.catalog.get("Perms"))
    entries = () if permissions is None else map(permissions.get, _PERMISSIONS)
    if any(each is not None for each in entries):
        return "/Perms"
    form = file.dictionary(file.catalog.get("AcroForm"))
    flags = None if form is None else file.value(form.get("SigFlags"))
    return "/SigFlags" if isinstance(flags, int) and flags & _SIGNATURES_EXIST else None


# What a stream's dictionary says of how its bytes are packed, or where they are.
_PACKING_KEYS = ("Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms", "DL")

# What a trailer says of its own section; a table's has none of the latter.
_SECTION_KEYS = ("Size", "Prev", "ID", "XRefStm")
_STREAM_KEYS = ("Type", "W", "Index", *_PACKING_KEYS)

_HIGHEST_OFFSET = 10**10
_OFFSET_WIDTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _XrefRow:
    """Object of the update, and its offset."""

    reference: PdfReference
    offset: int


def make_update(file: PdfFile, packet: bytes, digest: str) -> bytes:
    """Return the bytes that give a file new metadata when they are put behind it.

    They depend on nothing but the file and the metadata.

    Args:
        file: the file.
        packet: the metadata.
        digest: the digest of the file.

    Raises:
        PdfError: the file is broken, or too large.
    """
    if file.next_number + _MOST_NEW_OBJECTS > HIGHEST_NUMBER:
        raise PdfError("an object has a number that is too high for another to come behind it")
    lead = b"" if file.document.read(file.document.size - 1) in b"\r\n" else b"\n"
    start = file.document.size + len(lead) + _MARK_LENGTH
    body, rows = bytearray(), []
    for reference, written in _write_objects(file, packet):
        rows.append(_XrefRow(reference=reference, offset=start + len(body)))
        body += b"%d %d obj\n" % reference + written + b"\nendobj\n"
    section = start + len(body)
    if section >= _HIGHEST_OFFSET:
        raise PdfError("it is too large")
    identifier = _write_identifier(file, digest, packet)
    write = _write_stream_section if file.sections[0].is_stream else _write_table
    body += write(file, rows, section, identifier)
    body += b"startxref\n%d\n%%%%EOF\n" % section
    return (
        lead + _make_mark(file.document, len(lead) + _MARK_LENGTH + len(body), digest) + bytes(body)
    )


def _write_objects(file: PdfFile, packet: bytes) -> Iterator[tuple[PdfReference, bytes]]:
    """Yield the new objects: the metadata, and the catalog if it did not refer to any."""
    old = _find_metadata(file)
    if old is not None:
        dictionary = file.dictionary(old)
        kept = b"" if dictionary is None else dictionary.without(*_PACKING_KEYS)
        yield old, _write_stream(kept, packet)
        return
    new = PdfReference(file.next_number, 0)
    yield new, _write_stream(b"/Type /Metadata\n/Subtype /XML\n", packet)
    yield file.root, _write_catalog(file.catalog, new)


def _write_stream(entries: bytes, data: bytes) -> bytes:
    return b"<<\n%b/Length %d\n>>\nstream\n%b\nendstream" % (entries, len(data), data)


def _write_catalog(old: PdfDictionary, metadata: PdfReference) -> bytes:
    """Return the catalog with a reference to the metadata."""
    written = b"%d %d R" % metadata
    entry = old.entry("Metadata")
    if entry is not None:
        before, behind = old.data[old.start : entry.value_start], old.data[entry.end : old.end]
        return before + written + behind
    return b"<<\n/Metadata " + written + b"\n" + old.data[old.start + 2 : old.end]


def _write_identifier(file: PdfFile, digest: str, packet: bytes) -> bytes:
    """Return the file identifier; its second part changes with the bytes (section 14.4)."""
    value = file.value(file.trailer.get("ID"))
    parts = [file.value(each) for each in value[:2]] if isinstance(value, tuple) else []
    if not parts or not isinstance(parts[0], bytes):
        return b""
    changed = hashlib.sha256(digest.encode("ascii") + packet).hexdigest()[:32]
    return b"/ID [<%b> <%b>]\n" % (parts[0].hex().encode("ascii"), changed.encode("ascii"))


def _group_rows(rows: Sequence[_XrefRow]) -> Iterator[list[_XrefRow]]:
    """Yield runs of rows with consecutive numbers."""
    ordered = sorted(rows, key=lambda row: row.reference.number)
    numbered = groupby(enumerate(ordered), lambda each: each[1].reference.number - each[0])
    return ([row for _, row in run] for _, run in numbered)


def _write_table(file: PdfFile, rows: Sequence[_XrefRow], _: int, identifier: bytes) -> bytes:
    written = bytearray(b"xref\n")
    for run in _group_rows(rows):
        written += b"%d %d\n" % (run[0].reference.number, len(run))
        for row in run:
            written += b"%010d %05d n \n" % (row.offset, row.reference.generation)
    size = _compute_size(file, rows)
    kept = file.trailer.without(*_SECTION_KEYS)
    return bytes(written) + b"trailer\n<<\n%b%b/Size %d\n/Prev %d\n>>\n" % (
        kept,
        identifier,
        size,
        file.sections[0].offset,
    )


def _write_stream_section(
    file: PdfFile, rows: Sequence[_XrefRow], section: int, identifier: bytes
) -> bytes:
    number = _compute_size(file, rows)
    own = _XrefRow(reference=PdfReference(number, 0), offset=section)
    written, index = bytearray(), []
    for run in _group_rows([*rows, own]):
        index.append(f"{run[0].reference.number} {len(run)}")
        for row in run:
            written += b"\x01" + row.offset.to_bytes(_OFFSET_WIDTH, "big")
            written += row.reference.generation.to_bytes(2, "big")
    entries = b"/Type /XRef\n/W [1 %d 2]\n/Index [%b]\n%b%b/Size %d\n/Prev %d\n" % (
        _OFFSET_WIDTH,
        " ".join(index).encode("ascii"),
        file.trailer.without(*_SECTION_KEYS, *_STREAM_KEYS),
        identifier,
        number + 1,
        file.sections[0].offset,
    )
    return b"%d 0 obj\n%b\nendobj\n" % (number, _write_stream(entries, bytes(written)))


def _compute_size(file: PdfFile, rows: Sequence[_XrefRow]) -> int:
    return max(file.next_number, *(row.reference.number + 1 for row in rows))
