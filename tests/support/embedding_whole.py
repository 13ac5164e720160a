"""Documents damaged at random, taken through all of embedding: what must hold for any bytes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from embedding_zip_cases import KINDS, packed

from lexurn.documents import DocumentError, apply_edits, document_from_bytes, identify_format
from lexurn.documents.changes import diff_edits
from lexurn.documents.containers.zip import open_container
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.documents import Document, DocumentFormat

__all__ = ["DOCUMENTS", "damaged", "outcome"]

GOLDEN = Path(__file__).parents[1] / "golden_embedding"
NAME = "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it"
MARKING = make_document_metadata(parse(NAME))
FRAGMENTS = (
    b"<!-- lexurn:begin -->",
    b"<!-- lexurn:end -->",
    b"</head>",
    b"<head>",
    b"<script>",
    b"<!--",
    b"<?xml version='1.0'?>",
    b"]]>",
    b"endobj",
    b"startxref",
    b"%PDF-1.7\n",
    b"%%EOF\n",
    b"PK\x05\x06",
    b"PK\x01\x02",
    b"\x00",
    b"\xff\xfe",
    b"\r",
)
SUFFIXES = ("", ".html", ".xhtml", ".xml", ".pdf", ".docx", ".odt", ".epub")


def _documents() -> tuple[tuple[str, bytes], ...]:
    files = sorted(each for each in GOLDEN.iterdir() if each.suffix != ".txt")
    containers = ((f".{kind}", packed(members)) for kind, members in KINDS.values())
    return (*((each.suffix, each.read_bytes()) for each in files), *containers)


DOCUMENTS = _documents()
"""Suffixes and bytes of sound documents of each format."""


def damaged(
    seed: int, count: int, documents: Sequence[tuple[str, bytes]] = DOCUMENTS
) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of documents, most of them broken."""
    chance = random.Random(seed)
    for _ in range(count):
        suffix, data = chance.choice(documents)
        for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
            data = _hurt(chance, data)
        yield f"a{suffix if chance.random() < 0.8 else chance.choice(SUFFIXES)}", data


def _hurt(chance: random.Random, data: bytes) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((0, 1, 1, 4, 50, 10_000)))
    other = chance.randrange(len(data) + 1)
    kinds = (
        data[:start] + data[end:],
        data[:start],
        data[:start] + bytes([chance.randrange(256)]) + data[start + 1 :],
        data[:start] + chance.choice(FRAGMENTS) + data[start:],
        data[:other] + data[start:end] + data[other:],
    )
    return chance.choice(kinds)


def outcome(name: str, data: bytes) -> str:
    """What becomes of a document, held to the laws of embedding on the way."""
    document = document_from_bytes(data, name)
    try:
        found = identify_format(document)
        if found.format is None:
            return "no format"
        change = found.format.embed(document, MARKING, False)
        diff = diff_edits(document, change.edits, found.format)
    except DocumentError as error:
        return error.finding.code
    assert bool(diff) == bool(change.edits)
    _hold(document, document_from_bytes(apply_edits(document, change.edits), name), found.format)
    return found.format.key


def _content(data: bytes) -> bytes | dict[str, bytes | str | None]:
    """The bytes of a document; of a container those of its members, or why they are not read."""
    if not data.startswith(b"PK"):
        return data
    container = open_container(document_from_bytes(data))
    members: dict[str, bytes | str | None] = {}
    for name in container.by_name:
        try:
            members[name] = container.read_member(name)
        except DocumentError as error:
            members[name] = error.finding.code
    return members


def _hold(before: Document, after: Document, format: DocumentFormat) -> None:
    """A second run changes nothing, and what was put in comes out again."""
    assert identify_format(after).format == format
    assert not format.embed(after, MARKING, False).edits
    try:
        plain = apply_edits(before, format.remove(before, False).edits)
    except DocumentError as error:
        # The name is there already, and something of others behind it.
        if error.finding.code != "LX351" or after.read() != before.read():
            raise
    else:
        back = apply_edits(after, format.remove(after, False).edits)
        assert _content(back) == _content(plain)
    said = [each for each in format.read(after).statements if each.value == NAME]
    assert said, "the name is not read"
