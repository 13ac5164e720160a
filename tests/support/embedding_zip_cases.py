"""Documents in ZIP containers for tests: sound ones in all shapes, and broken ones."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from typing import TYPE_CHECKING

from lexurn.documents import (
    Document,
    DocumentError,
    DocumentFormat,
    apply_edits,
    document_from_bytes,
)
from lexurn.documents.identification import load_format
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import DocumentMetadata, make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
RECORDS = (
    Record(name=parse(ACT), titles=(LanguageText(value='Città & "<b>"', language="it"),)),
    Record(name=parse(f"{ACT}@originale:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it")),
)
WORK, FIRST, LATER = (make_document_metadata(record.name, RECORDS) for record in RECORDS)
FORCED, UNFORCED = True, False
SAID = {
    "http://purl.org/dc/elements/1.1/identifier": f"{ACT}@2005-01-01:it",
    "http://purl.org/dc/terms/isVersionOf": ACT,
    "http://www.iana.org/assignments/relation/first": f"{ACT}@originale:it",
    "http://www.iana.org/assignments/relation/previous": f"{ACT}@originale:it",
    "http://prismstandard.org/namespaces/basic/2.0/versionIdentifier": "2005-01-01",
}

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_OPF = "http://www.idpf.org/2007/opf"

CORE = (
    f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title></dc:title>'
    "<dc:creator>an office</dc:creator></cp:coreProperties>"
)
DOCX = {
    "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
    f'+xml"/><Override PartName="/word/document.xml" ContentType="{_WORD}"/></Types>',
    "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship '
    f'Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
    'Target="/docProps/core.xml"/></Relationships>',
    "docProps/core.xml": CORE,
    "word/document.xml": f"{_HEAD}<document/>",
}
CUSTOM = (
    f'{_HEAD}<Properties xmlns="{_OFFICE}/custom-properties" xmlns:vt="{_OFFICE}/docPropsVTypes">'
    '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="7" name="Client">'
    "<vt:lpwstr>Ministry</vt:lpwstr></property></Properties>"
)
_CUSTOM_RELATION = (
    f'<Relationship Id="rId9" Type="{_OFFICE}/relationships/custom-properties" '
    'Target="docProps/custom.xml"/></Relationships>'
)
DOCX_CUSTOM = {
    **DOCX,
    "_rels/.rels": DOCX["_rels/.rels"].replace("</Relationships>", _CUSTOM_RELATION),
    "docProps/custom.xml": CUSTOM,
}
META = (
    f'{_HEAD}<office:document-meta xmlns:office="{_ODF}:office:1.0" xmlns:meta="{_ODF}:meta:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"><office:meta>'
    "<meta:generator>a program</meta:generator></office:meta></office:document-meta>"
)
_ENTRIES = "".join(
    f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>\n '
    for path, kind in (
        ("/", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "text/xml"),
    )
)
ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": f'{_HEAD}<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0" '
    f'manifest:version="1.2">\n {_ENTRIES}</manifest:manifest>',
    "content.xml": f'{_HEAD}<office:document-content xmlns:office="{_ODF}:office:1.0"/>',
    "meta.xml": META,
}
PACKAGE = (
    f'{_HEAD}<package xmlns="{_OPF}" version="{{version}}" unique-identifier="id">\n  <metadata '
    'xmlns:dc="http://purl.org/dc/elements/1.1/">\n    <dc:identifier id="id">x</dc:identifier>\n'
    "    <dc:title>Act</dc:title>\n    <dc:language>it</dc:language>\n  </metadata>\n  <manifest/>"
    "\n  <spine/>\n</package>\n"
)
EPUB3 = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": f'{_HEAD}<container version="1.0" xmlns="{_ODF}:container">'
    '<rootfiles><rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>",
    "EPUB/book.opf": PACKAGE.replace("{version}", "3.0"),
}
EPUB2 = {**EPUB3, "EPUB/book.opf": PACKAGE.replace("{version}", "2.0")}

KINDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "docx": ("docx", DOCX),
    "docx with properties": ("docx", DOCX_CUSTOM),
    "odt": ("odt", ODT),
    "epub 2": ("epub", EPUB2),
    "epub 3": ("epub", EPUB3),
}
"""Documents by kind: the key of the format, and the members."""


class _Pipe(io.RawIOBase):
    """A file that cannot be sought in: what is written to it has data descriptors."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        self.data += bytes(data)
        return len(data)


def written(archive: zipfile.ZipFile, members: Mapping[str, str | bytes], **kinds: object) -> None:
    """Put members into an archive, on the first day that the format has."""
    for name, content in members.items():
        info = zipfile.ZipInfo(name)
        info.compress_type = int(kinds.get("method", zipfile.ZIP_DEFLATED))
        if name == "mimetype":
            info.compress_type = zipfile.ZIP_STORED
        info.comment = bytes(kinds.get("entry_comment", b""))
        info.extra = bytes(kinds.get("extra", b""))
        with archive.open(info, "w", force_zip64=bool(kinds.get("is_large"))) as file:
            file.write(content.encode() if isinstance(content, str) else content)


def packed(members: Mapping[str, str | bytes], comment: bytes = b"", **kinds: object) -> bytes:
    """Members as a container."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")
        written(archive, members, **kinds)
        archive.comment = comment
    return file.getvalue()


def streamed(members: Mapping[str, str | bytes]) -> bytes:
    """Members as a container that was written into a pipe."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w") as archive:
        written(archive, members)
    return pipe.data


def end_of(data: bytes) -> int:
    """The offset of the last record."""
    return data.rindex(b"PK\x05\x06")


def with_large_end(members: Mapping[str, str | bytes]) -> bytes:
    """Members as a container whose end is written in 64 bits."""
    data = packed(members)
    end = end_of(data)
    *_, count, size, directory, _ = struct.unpack_from("<4H2LH", data, end + 4)
    large = struct.pack(
        "<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, directory
    )
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    untold = b"\xff" * 12
    return data[:end] + large + locator + data[end : end + 8] + untold + data[end + 20 :]


def with_large_offsets(members: Mapping[str, str | bytes]) -> bytes:
    """Members as a container whose directory says sizes and places in 64 bits."""
    data = packed(members)
    end = end_of(data)
    *_, count, size, directory, _ = struct.unpack_from("<4H2LH", data, end + 4)
    at, entries = directory, []
    for _ in range(count):
        fields = list(struct.unpack_from("<4s6H3L5H2L", data, at))
        name = data[at + 46 : at + 46 + fields[10]]
        at += 46 + fields[10]
        extra = struct.pack("<2H3Q", 1, 24, fields[9], fields[8], fields[16])
        fields[8] = fields[9] = fields[16] = 0xFFFF_FFFF
        fields[11] = len(extra)
        entries.append(struct.pack("<4s6H3L5H2L", *fields) + name + extra)
    entry = b"".join(entries)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(entry), directory, 0)
    assert at == directory + size
    return data[:directory] + entry + last


def with_gap(members: Mapping[str, str | bytes]) -> bytes:
    """Members as a container with bytes between its members and its directory."""
    data = packed(members)
    end = end_of(data)
    directory = struct.unpack_from("<L", data, end + 16)[0]
    last = data[end : end + 16] + struct.pack("<L", directory + 5) + data[end + 20 :]
    return data[:directory] + b"\0" * 5 + data[directory:end] + last


SHAPES: Mapping[str, Callable[[Mapping[str, str | bytes]], bytes]] = {
    "plain": packed,
    "stored": lambda members: packed(members, method=zipfile.ZIP_STORED),
    "descriptors": streamed,
    "large members": lambda members: packed(members, is_large=True),
    "gap": with_gap,
    "comments": lambda members: packed(members, b"PK\x05 and so on", entry_comment=b"one"),
    "extra fields": lambda members: packed(
        members, extra=struct.pack("<2H4s", 0x7855, 4, b"\0\1\2\3")
    ),
    "padding": lambda members: packed(members, extra=b"\0" * 7),
    "folders": lambda members: packed({**members, "Pictures/": "", "Città/é.txt": "x"}),
}
"""How containers are written, all of them sound."""


def embedded(format: DocumentFormat, data: bytes, marking: DocumentMetadata = LATER) -> bytes:
    """A document with a name."""
    document = document_from_bytes(data)
    return apply_edits(document, format.embed(document, marking, UNFORCED).edits)


def removed(format: DocumentFormat, data: bytes) -> bytes:
    """A document without a name."""
    document = document_from_bytes(data)
    return apply_edits(document, format.remove(document, UNFORCED).edits)


def restores(before: bytes, after: bytes) -> bool:
    """Whether all members hold what they held, in their order, between the same bytes."""
    old, new = (zipfile.ZipFile(io.BytesIO(each)) for each in (before, after))
    return (
        list(contents(before).items()) == list(contents(after).items())
        and old.comment == new.comment
        and [each.comment for each in old.infolist()] == [each.comment for each in new.infolist()]
        and [each.date_time for each in old.infolist()]
        == [each.date_time for each in new.infolist()]
    )


def contents(data: bytes) -> dict[str, bytes]:
    """The members of a container by the standard library, which checks them all."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def fault_of(call: Callable[[Document], object], data: bytes) -> str | None:
    """The code of the fault that a document has; None where it has none."""
    try:
        call(document_from_bytes(data))
    except DocumentError as fault:
        return fault.finding.code
    return None


def format_of(kind: str) -> DocumentFormat:
    """The format of a kind of document."""
    return load_format(KINDS[kind][0])
