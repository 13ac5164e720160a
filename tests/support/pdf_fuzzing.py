"""PDF files that were damaged by chance, and what must hold of them all the same."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pdf_files import VERSION, change, embedded, removed

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.formats.pdf import FORMAT

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

TOKENS = (
    b"<<", b">>", b"[", b"]", b"(", b")", b"/", b"%", b"<", b">", b"\0", b"\r", b"obj", b"endobj",
    b"stream\n", b"endstream", b"xref\n", b"trailer", b"startxref\n0\n%%EOF", b"%%EOF", b"1 0 R",
    b"5 0 R", b"/Length 99999999999", b"/Metadata 5 0 R", b"/Metadata 1 0 R", b"/Root 2 0 R",
    b"/Prev 0", b"/Prev 15", b"/Encrypt 1 0 R", b"/Filter /FlateDecode", b"/Type /Catalog", b"-1",
    b"9999999999", b"0 9999999999\n", b"<rdf:RDF>", b"</rdf:RDF>", b"<!DOCTYPE a>", b"&a;", b"]]>",
    b"%lexurn 1 000000000017 000000000017 ",
)  # fmt: skip


def damaged(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A file with a few faults."""
    result = bytearray(data)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(result) + 1)
        until = min(len(result), at + chance.choice((0, 1, 2, 5, 40, 400)))
        kind = chance.randrange(6)
        if kind == 0:
            result[at:until] = b""
        elif kind == 1:
            result[at:at] = chance.choice(TOKENS)
        elif kind == 2:
            result[at : at + 1] = bytes([chance.randrange(256)])
        elif kind == 3:
            result[at:at] = result[at:until]
        elif kind == 4:
            result[at:] = b""
        else:
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            result[at:at] = other[start : start + 400]
    return bytes(result)


def check(data: bytes) -> str:
    """See that the laws hold of any bytes.

    Returns:
        What became of them: the code of a finding, or ``done``.
    """
    with contextlib.suppress(DocumentError):
        FORMAT.read(document_from_bytes(data))
    try:
        original = removed(data)
        edits = change(data).edits
    except DocumentError as error:
        return error.finding.code
    assert data.startswith(original)
    for each in edits:
        assert (each.start, each.end) == (len(original), len(data))
    result = embedded(data)
    assert not change(result).edits
    assert removed(result) == original
    said = FORMAT.read(document_from_bytes(result)).statements
    # A letter that was capitalised by chance is no other name.
    assert str(VERSION.name) in {each.value.lower() for each in said}
    return "done"
