"""What a member keeps of what it was: put back if it is that, and else passed over."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import EPUB3, UNFORCED, contents, embedded, format_of, packed, removed

from lexurn.embedding import document_of, edited
from lexurn.embedding._zip_kept import Kept, kept_in
from lexurn.embedding._zip_members import container_of

if TYPE_CHECKING:
    from collections.abc import Callable


def test_what_is_kept_is_used_only_if_it_is_what_was_there() -> None:
    form, data = format_of("epub 3"), packed(EPUB3)
    named = embedded(form, data)
    book = contents(named)["EPUB/book.opf"].replace(b">Act<", b">Law<")
    container = container_of(document_of(named))
    kept = container.by_name["EPUB/book.opf"].extra
    forged = packed({**EPUB3, "EPUB/book.opf": book}, extra=kept)
    result = contents(removed(form, forged))["EPUB/book.opf"]
    assert result == EPUB3["EPUB/book.opf"].replace(">Act<", ">Law<").encode()


@pytest.mark.parametrize(
    "value",
    [
        b"lexurn:1",
        b"lexurn:1no packed bytes",
        b"lexurn:1" + zlib.compress(b"short"),
        b"lexurn:1" + zlib.compress(struct.pack("<2L", 3, 4) + b"abcdefg"),
        b"lexurn:1" + zlib.compress(struct.pack("<2L", 30, 46) + b"x" * 9),
        b"lexurn:1" + zlib.compress(struct.pack("<2L", 30, 46) + b"\xff" * 76),
        b"lexurn:1" + zlib.compress(b"\0" * (20 << 20)),
        b"another program",
    ],
)
def test_what_is_kept_may_be_broken(value: bytes) -> None:
    form = format_of("epub 3")
    extra = struct.pack("<2H", 0x584C, len(value)) + value
    book = contents(embedded(form, packed(EPUB3)))["EPUB/book.opf"]
    data = packed({**EPUB3, "EPUB/book.opf": book}, extra=extra)
    assert embedded(form, data) == data
    assert contents(removed(form, data)) == contents(packed(EPUB3))


def _changed(data: bytes, offset: int, *new: int) -> bytes:
    return data[:offset] + bytes(new) + data[offset + len(new) :]


# How what is kept, its record and its entry, may be no member that a ZIP file can have.
FORGED: dict[str, Callable[[bytes, bytes], tuple[bytes, bytes]]] = {
    "sum": lambda record, entry: (record, _changed(entry, 16, entry[16] ^ 1)),
    "size": lambda record, entry: (record, _changed(entry, 24, entry[24] ^ 1)),
    "size of what is packed": lambda record, entry: (record, _changed(entry, 20, entry[20] - 1)),
    "encrypted": lambda record, entry: (record, _changed(entry, 8, 1)),
    "descriptor": lambda record, entry: (record, _changed(entry, 8, 8)),
    "bytes behind": lambda record, entry: (record + b"JUNK", entry),
    "cut off": lambda record, entry: (record[:-1], entry),
    "no record": lambda _, entry: (b"", entry),
    "no header": lambda record, entry: (_changed(record, 2, 9), entry),
    "no entry": lambda record, _: (record, b""),
    "bytes behind the entry": lambda record, entry: (record, entry + b"x"),
    "entry cut off": lambda record, entry: (record, _changed(entry, 32, 1)),
    "method of one": lambda record, entry: (_changed(record, 8, record[8] ^ 8), entry),
    "method that is not known": lambda record, entry: (
        _changed(record, 8, 12),
        _changed(entry, 10, 12),
    ),
    "disk": lambda record, entry: (record, _changed(entry, 34, 3)),
    "name of one": lambda record, entry: (_changed(record, 30, ord("X")), entry),
    "name": lambda record, entry: (
        _changed(record, 30, ord("X")),
        _changed(entry, 46, ord("X")),
    ),
}


@pytest.mark.parametrize("case", FORGED)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_is_kept_must_be_a_member_that_is_whole(case: str, method: int) -> None:
    form, data = format_of("epub 3"), packed(EPUB3, method=method)
    named = embedded(form, data)
    kept = kept_in(container_of(document_of(named)).by_name["EPUB/book.opf"])
    assert kept is not None
    record, entry = FORGED[case](kept.record, kept.entry)
    for field, codes in ((kept.field, []), (Kept(record=record, entry=entry).field, ["LX369"])):
        given = document_of(packed(contents(named), extra=field, method=method))
        change = form.remove(given, UNFORCED)
        result = edited(given, change.edits)
        assert [each.code for each in change.findings] == codes
        with zipfile.ZipFile(io.BytesIO(result)) as archive:
            assert archive.testzip() is None
        assert contents(result) == contents(data)


@pytest.mark.parametrize(("size", "is_kept"), [(15 << 20, True), (17 << 20, False)])
def test_what_is_kept_is_no_larger_than_metadata_are(size: int, *, is_kept: bool) -> None:
    field = Kept(record=bytes(size), entry=bytes(46)).field
    container = container_of(document_of(packed({"a": "x"}, extra=field)))
    assert (kept_in(container.by_name["a"]) is not None) == is_kept


def test_a_member_too_large_to_be_kept_is_restored_in_its_text() -> None:
    form = format_of("epub 3")
    items = "".join(f"<item id='{zlib.crc32(bytes([i % 256, i >> 8]))}'/>" for i in range(20_000))
    book = EPUB3["EPUB/book.opf"].replace("<manifest/>", f"<manifest>{items}</manifest>")
    data = packed({**EPUB3, "EPUB/book.opf": book})
    named = embedded(form, data)
    assert embedded(form, named) == named
    change = form.remove(document_of(named), UNFORCED)
    assert [each.code for each in change.findings] == ["LX369"]
    assert contents(edited(document_of(named), change.edits)) == contents(data)
