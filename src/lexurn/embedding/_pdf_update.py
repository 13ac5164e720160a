"""An incremental update of a PDF: metadata put behind a file (ISO 32000-2 section 7.5.6)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.embedding._pdf_chain import HIGHEST_NUMBER
from lexurn.embedding._pdf_file import MOST_NEW
from lexurn.embedding._pdf_mark import MARK_LENGTH, mark_of
from lexurn.embedding._pdf_metadata import metadata_of
from lexurn.embedding._pdf_syntax import Dictionary, PdfError, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._pdf_file import PdfFile

__all__ = ["update_of"]

# What a stream's dictionary says of how its bytes are packed, or where they are.
_PACKING = ("Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms", "DL")

# What a trailer says of its own section; a table's has none of the latter.
_OF_SECTION = ("Size", "Prev", "ID", "XRefStm")
_OF_STREAM = ("Type", "W", "Index", *_PACKING)

_HIGHEST_OFFSET = 10**10
_OFFSET_WIDTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """An object of the update, and where it stands."""

    reference: Reference
    offset: int


def update_of(file: PdfFile, packet: bytes, digest: str) -> bytes:
    """The bytes that give a file new metadata when they are put behind it.

    They depend on nothing but the file and the metadata.

    Args:
        file: the file.
        packet: the metadata.
        digest: the digest of the file.

    Raises:
        PdfError: the file is broken, or too large.
    """
    if file.next_number + MOST_NEW > HIGHEST_NUMBER:
        raise PdfError("an object has a number that is too high for another to come behind it")
    lead = b"" if file.document.read(file.document.size - 1) in b"\r\n" else b"\n"
    start = file.document.size + len(lead) + MARK_LENGTH
    body, rows = bytearray(), []
    for reference, written in _objects(file, packet):
        rows.append(_Row(reference=reference, offset=start + len(body)))
        body += b"%d %d obj\n" % reference + written + b"\nendobj\n"
    section = start + len(body)
    if section >= _HIGHEST_OFFSET:
        raise PdfError("it is too large")
    identifier = _identifier(file, digest, packet)
    write = _stream_section if file.sections[0].is_stream else _table
    body += write(file, rows, section, identifier)
    body += b"startxref\n%d\n%%%%EOF\n" % section
    return lead + mark_of(file.document, len(lead) + MARK_LENGTH + len(body), digest) + bytes(body)


def _objects(file: PdfFile, packet: bytes) -> Iterator[tuple[Reference, bytes]]:
    """What is written anew: the metadata, and the catalog where it did not name any."""
    old = metadata_of(file)
    if old is not None:
        dictionary = file.dictionary(old)
        kept = b"" if dictionary is None else dictionary.without(*_PACKING)
        yield old, _stream(kept, packet)
        return
    new = Reference(file.next_number, 0)
    yield new, _stream(b"/Type /Metadata\n/Subtype /XML\n", packet)
    yield file.root, _catalog(file.catalog, new)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<\n%b/Length %d\n>>\nstream\n%b\nendstream" % (entries, len(data), data)


def _catalog(old: Dictionary, metadata: Reference) -> bytes:
    """The catalog as it is written, with the metadata."""
    written = b"%d %d R" % metadata
    entry = old.entry("Metadata")
    if entry is not None:
        before, behind = old.data[old.start : entry.value_start], old.data[entry.end : old.end]
        return before + written + behind
    return b"<<\n/Metadata " + written + b"\n" + old.data[old.start + 2 : old.end]


def _identifier(file: PdfFile, digest: str, packet: bytes) -> bytes:
    """The file identifier: its second part is of these very bytes (section 14.4)."""
    value = file.value(file.trailer.get("ID"))
    parts = [file.value(each) for each in value[:2]] if isinstance(value, tuple) else []
    if not parts or not isinstance(parts[0], bytes):
        return b""
    changed = hashlib.sha256(digest.encode("ascii") + packet).hexdigest()[:32]
    return b"/ID [<%b> <%b>]\n" % (parts[0].hex().encode("ascii"), changed.encode("ascii"))


def _runs(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """Rows in runs of numbers that follow each other."""
    ordered = sorted(rows, key=lambda row: row.reference.number)
    numbered = groupby(enumerate(ordered), lambda each: each[1].reference.number - each[0])
    return ([row for _, row in run] for _, run in numbered)


def _table(file: PdfFile, rows: Sequence[_Row], _: int, identifier: bytes) -> bytes:
    written = bytearray(b"xref\n")
    for run in _runs(rows):
        written += b"%d %d\n" % (run[0].reference.number, len(run))
        for row in run:
            written += b"%010d %05d n \n" % (row.offset, row.reference.generation)
    size = _size(file, rows)
    kept = file.trailer.without(*_OF_SECTION)
    return bytes(written) + b"trailer\n<<\n%b%b/Size %d\n/Prev %d\n>>\n" % (
        kept,
        identifier,
        size,
        file.sections[0].offset,
    )


def _stream_section(file: PdfFile, rows: Sequence[_Row], section: int, identifier: bytes) -> bytes:
    number = _size(file, rows)
    own = _Row(reference=Reference(number, 0), offset=section)
    written, index = bytearray(), []
    for run in _runs([*rows, own]):
        index.append(f"{run[0].reference.number} {len(run)}")
        for row in run:
            written += b"\x01" + row.offset.to_bytes(_OFFSET_WIDTH, "big")
            written += row.reference.generation.to_bytes(2, "big")
    entries = b"/Type /XRef\n/W [1 %d 2]\n/Index [%b]\n%b%b/Size %d\n/Prev %d\n" % (
        _OFFSET_WIDTH,
        " ".join(index).encode("ascii"),
        file.trailer.without(*_OF_SECTION, *_OF_STREAM),
        identifier,
        number + 1,
        file.sections[0].offset,
    )
    return b"%d 0 obj\n%b\nendobj\n" % (number, _stream(entries, bytes(written)))


def _size(file: PdfFile, rows: Sequence[_Row]) -> int:
    return max(file.next_number, *(row.reference.number + 1 for row in rows))
