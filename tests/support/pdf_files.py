"""PDF files made by hand, each in a way that some writer has; and a name to put into them."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from lexurn.documents import apply_edits, document_from_bytes
from lexurn.documents.formats.pdf import FORMAT
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import DocumentMetadata, make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.documents import Change

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
RECORDS = (
    Record(name=parse(ACT), titles=(LanguageText(value="Città & <b>", language="it"),)),
    Record(name=parse(f"{ACT}@originale:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it$parlamento.it:application-pdf")),
)
MARKINGS = tuple(make_document_metadata(each.name, RECORDS) for each in RECORDS)
WORK, ORIGINAL, VERSION, FILE_FORM = MARKINGS


def change(data: bytes, marking: DocumentMetadata = VERSION, *, is_forced: bool = False) -> Change:
    """What is to be done to put a name into a file."""
    return FORMAT.embed(document_from_bytes(data, "act.pdf"), marking, is_forced)


def embedded(data: bytes, marking: DocumentMetadata = VERSION, *, is_forced: bool = False) -> bytes:
    """A file with a name put in."""
    return apply_edits(document_from_bytes(data), change(data, marking, is_forced=is_forced).edits)


def removal(data: bytes) -> Change:
    """What is to be done to take a name out of a file."""
    return FORMAT.remove(document_from_bytes(data, "act.pdf"), False)


def removed(data: bytes) -> bytes:
    """A file without the name that was put in."""
    return apply_edits(document_from_bytes(data), removal(data).edits)


CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> >>"
INFO = b"<< /Title (Theirs \\(1\\)) /Author <FEFF00C0> /CreationDate (D:20260101) /Own /Name >>"
OBJECTS = {1: CATALOG, 2: PAGES, 3: PAGE, 4: INFO}
TRAILER = b"/Root 1 0 R /Info 4 0 R /ID [<00ff> (a\\051b)]"
HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


def packet(inner: str, *, attributes: str = RDF) -> bytes:
    """A packet with something in its RDF."""
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/">\n<rdf:RDF {attributes}>{inner}</rdf:RDF>\n'
        '</x:xmpmeta>\n   \n<?xpacket end="w"?>'
    ).encode()


THEIRS = packet(
    '<rdf:Description rdf:about="uuid:1" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<dc:language><rdf:Bag><rdf:li>de</rdf:li></rdf:Bag></dc:language>"
    '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Theirs</rdf:li></rdf:Alt></dc:title>'
    "</rdf:Description>"
)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (entries, len(data), data)


def metadata(data: bytes, *, is_packed: bool = False) -> bytes:
    entries = b"/Type /Metadata /Subtype /XML"
    if is_packed:
        return stream(zlib.compress(data), entries + b" /Filter [/FlateDecode]")
    return stream(data, entries)


def body(objects: Mapping[int, bytes], start: int, eol: bytes) -> tuple[bytes, dict[int, int]]:
    written, places = bytearray(), {}
    for number, value in objects.items():
        places[number] = start + len(written)
        written += b"%d 0 obj" % number + eol + value + eol + b"endobj" + eol
    return bytes(written), places


def runs(numbers: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][-1] + 1 == number:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def table(places: Mapping[int, int], eol: bytes, row_end: bytes) -> bytes:
    written = b"xref" + eol
    for run in runs([0, *places]):
        written += b"%d %d" % (run[0], len(run)) + eol
        for number in run:
            free = b"0000000000 65535 f"
            row = b"%010d 00000 n" % places[number] if number else free
            written += row + row_end
    return written


def table_file(
    objects: Mapping[int, bytes] = OBJECTS,
    trailer: bytes = TRAILER,
    *,
    before: bytes = HEADER,
    eol: bytes = b"\n",
    row_end: bytes = b" \n",
    end: bytes = b"\n",
) -> bytes:
    """A file with a cross-reference table, or an update of one."""
    written, places = body(objects, len(before), eol)
    start = len(before) + len(written)
    size = max([*objects, *numbers_in(before)]) + 1
    section = table(places, eol, row_end) + b"trailer" + eol
    section += b"<< /Size %d " % size + trailer + b" >>" + eol
    return before + written + section + b"startxref" + eol + b"%d" % start + eol + b"%%EOF" + end


def numbers_in(data: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"(\d+) 0 obj", data)]


def last_start(data: bytes) -> int:
    return int(re.findall(rb"startxref\s+(\d+)", data)[-1])


def updated(data: bytes, objects: Mapping[int, bytes], trailer: bytes = TRAILER) -> bytes:
    """A file to which another program has added, by a table."""
    return table_file(objects, trailer + b" /Prev %d" % last_start(data), before=data)


def object_stream(objects: Mapping[int, bytes]) -> bytes:
    head, values = bytearray(), bytearray()
    for number, value in objects.items():
        head += b"%d %d " % (number, len(values))
        values += value + b" "
    entries = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(objects), len(head))
    return stream(zlib.compress(bytes(head + values)), entries)


def up_filtered(rows: list[bytes]) -> bytes:
    above, result = bytes(len(rows[0])), b""
    for row in rows:
        result += b"\x02" + bytes((x - y) & 255 for x, y in zip(row, above, strict=True))
        above = row
    return result


def sub_filtered(rows: list[bytes]) -> bytes:
    return b"".join(
        b"\x01" + bytes((x - y) & 255 for x, y in zip(row, b"\0" + row, strict=False))
        for row in rows
    )


def stream_file(
    objects: Mapping[int, bytes] = OBJECTS,
    trailer: bytes = TRAILER,
    *,
    packed: Iterable[int] = (),
    objects_per_stream: int = 1_000,
    predictor: int = 1,
) -> bytes:
    """A file with a cross-reference stream, and some objects in object streams."""
    outer, holders, inner = dict(objects), {}, [*packed]
    starts = range(0, len(inner), objects_per_stream)
    parts = [inner[start : start + objects_per_stream] for start in starts]
    for holder, part in enumerate(parts, max(objects) + 1):
        outer[holder] = object_stream({number: outer.pop(number) for number in part})
        holders.update({number: (holder, place) for place, number in enumerate(part)})
    own = max(*outer, max(objects) + 1) + 1
    written, places = body(outer, len(HEADER), b"\n")
    start = len(HEADER) + len(written)
    rows = [b"\0\0\0\0\xff\xff"]
    for number in range(1, own + 1):
        if number in holders:
            holder, position = holders[number]
            rows.append(bytes([2]) + holder.to_bytes(3, "big") + position.to_bytes(2, "big"))
        else:
            place = start if number == own else places.get(number, 0)
            rows.append(bytes([1 if place else 0]) + place.to_bytes(3, "big") + bytes(2))
    data = {1: b"".join(rows), 11: sub_filtered(rows), 12: up_filtered(rows)}[predictor]
    entries = b"/Type /XRef /Size %d /W [1 3 2] /Filter /FlateDecode " % (own + 1) + trailer
    if predictor > 1:
        entries += b" /DecodeParms << /Predictor %d /Columns 6 >>" % predictor
    section = b"%d 0 obj\n" % own + stream(zlib.compress(data), entries) + b"\nendobj\n"
    return HEADER + written + section + b"startxref\n%d\n%%%%EOF\n" % start


def lengths_in_streams(count: int) -> bytes:
    """A file with object streams, each of whose lengths stands in the next one; the last's in 1."""
    objects = {1: CATALOG, **dict.fromkeys(range(2, 2 + count), b"77")}
    data = stream_file(objects, packed=objects, objects_per_stream=1)
    following = iter([*range(3, 2 + count), 2, 2])

    def referring(found: re.Match[bytes]) -> bytes:
        text = b"/Type /ObjStm %b/Length %d 0 R" % (found[1], next(following))
        return text.ljust(len(found[0]))

    return re.sub(rb"/Type /ObjStm /N 1 (/[^>]*)/Length \d+", referring, data)


def hybrid_file(row_of_hidden: bytes = b"") -> bytes:
    """A file with an object that only readers see that know streams (section 7.5.8.4)."""
    holder, own = 5, 6
    outer = {1: CATALOG, 2: PAGES, 3: PAGE, holder: object_stream({4: INFO})}
    written, places = body(outer, len(HEADER), b"\n")
    beside = len(HEADER) + len(written)
    entries = b"/Type /XRef /Size 7 /W [1 1 1] /Index [4 1]"
    written += b"%d 0 obj\n" % own + stream(bytes([2, holder, 0]), entries) + b"\nendobj\n"
    start = len(HEADER) + len(written)
    rows = table(places, b"\n", b" \n")
    if row_of_hidden:
        rows = rows.replace(b"0 4\n", b"0 6\n").replace(b"5 1\n", row_of_hidden)
    trailer = b"trailer\n<< /Size 7 /XRefStm %d %b >>\n" % (beside, TRAILER)
    return HEADER + written + rows + trailer + b"startxref\n%d\n%%%%EOF\n" % start


def with_metadata(data: bytes = THEIRS, *, is_packed: bool = False) -> dict[int, bytes]:
    catalog = b"<</Pages 2 0 R/Metadata 5 0 R/Type/Catalog/Lang(it)>>"
    return {**OBJECTS, 1: catalog, 5: metadata(data, is_packed=is_packed)}


def with_generations() -> bytes:
    """A file whose catalog took the number of an object that was deleted three times."""
    data = table_file().replace(b"1 0 obj", b"1 3 obj").replace(b"/Root 1 0 R", b"/Root 1 3 R")
    return data.replace(b"0000000015 00000 n", b"0000000015 00003 n")


def with_deleted_metadata() -> bytes:
    """A file whose catalog names metadata that were deleted."""
    data = table_file(with_metadata())
    place = b"%010d 00000 n" % data.index(b"5 0 obj")
    return data.replace(place, b"0000000000 00001 f")


FILES: Mapping[str, bytes] = {
    "table": table_file(),
    "carriage returns": table_file(eol=b"\r\n", row_end=b"\r\n", end=b"\r\n"),
    "no line end behind the end": table_file(end=b""),
    "something behind the end": table_file(end=b"\n<!-- served -->"),
    "rows without a blank": table_file(row_end=b"\n"),
    "no information, no identifier": table_file(trailer=b"/Root 1 0 R"),
    "gaps": table_file({**OBJECTS, 90: b"[ 1 2 ]"}),
    "comments": table_file({**OBJECTS, 1: b"<<%a\n/Type%>>\r/Catalog/Pages 2 0 R%b\n>>%c"}),
    "metadata": table_file(with_metadata()),
    "packed metadata": table_file(with_metadata(is_packed=True)),
    "blank metadata": table_file(with_metadata(b"\n \0")),
    "metadata is null": table_file(
        {**OBJECTS, 1: b"<< /Type /Catalog /Metadata null /Pages 2 0 R >>"}
    ),
    "metadata is nowhere": table_file(
        {**OBJECTS, 1: b"<< /Type /Catalog /Metadata 44 0 R /Pages 2 0 R >>"}
    ),
    "length elsewhere": table_file(
        {
            **with_metadata(),
            5: metadata(THEIRS).replace(b"/Length %d" % len(THEIRS), b"/Length 6 0 R"),
            6: b"%d" % len(THEIRS),
        }
    ),
    "generations": with_generations(),
    "deleted metadata": with_deleted_metadata(),
    "several updates": updated(updated(table_file(), {1: CATALOG}), {7: b"(a)", 4: INFO}),
    "update of metadata": updated(table_file(with_metadata()), {5: metadata(packet(""))}),
    "stream": stream_file(),
    "stream, foretold": stream_file(predictor=12),
    "catalog in a stream": stream_file(packed=[1, 2, 4], predictor=12),
    "metadata and streams": stream_file(with_metadata(), packed=[1, 2, 3]),
}
"""Files by what is special about them."""
