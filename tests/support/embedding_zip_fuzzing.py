"""Damaged containers, and the laws that they are held to."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from embedding_zip_cases import (
    KINDS,
    LATER,
    SHAPES,
    UNFORCED,
    contents,
    embedded,
    format_of,
    packed,
    removed,
)

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.containers.zip import open_container

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

_SIZES = (0, 1, 2, 4, 8, 60)
_MARKS = (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x07\x08")

WHOLE = [
    (kind, embedded(format_of(kind), data) if is_named else data)
    for kind, (_, members) in KINDS.items()
    for data in (make(members) for make in SHAPES.values())
    for is_named in (False, True)
]
"""Sound documents of all kinds and shapes, with a name and without."""


def check(kind: str, data: bytes) -> str:
    """Hold a document of any bytes to the laws.

    Returns:
        the code of the fault that it has; "sound" where it has none.
    """
    form, document = format_of(kind), document_from_bytes(data)
    try:
        reading = form.read(document)
        change = form.embed(document, LATER, UNFORCED)
        bare = form.remove(document, UNFORCED)
    except DocumentError as fault:
        return fault.finding.code
    assert all(each.value for each in reading.statements)
    named = apply_edits(document, change.edits)
    assert form.embed(document_from_bytes(named), LATER, UNFORCED).edits == ()
    back = removed(form, named)
    assert _content(back) == _content(apply_edits(document, bare.edits))
    return "sound"


def _content(data: bytes) -> dict[str, bytes]:
    """What the members hold; where that is broken, what stands there."""
    container = open_container(document_from_bytes(data))
    found = {}
    for member in container.members:
        try:
            found[member.name] = container.read_member(member.name) or b""
        except DocumentError:
            found[member.name] = data[member.data : member.end]
    return found


def damaged(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A document with some bytes changed, cut, doubled, or taken from other documents."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice(_SIZES))
        data = data[:start] + _piece(data[start:end], start, others, chance) + data[end:]
    return data


def _piece(old: bytes, start: int, others: Sequence[bytes], chance: random.Random) -> bytes:
    """What comes into the place of some bytes."""
    kind = chance.choice(("bytes", "number", "piece", "mark", "cut", "twice"))
    if kind == "bytes":
        return bytes(chance.randint(0, 255) for _ in old)
    if kind == "number":
        return struct.pack("<L", chance.choice((0, 1, 0xFFFF, 0xFFFF_FFFF, start)))
    if kind == "piece":
        other = chance.choice(others)
        place = chance.randint(0, len(other))
        return other[place : place + chance.randint(0, 300)]
    if kind == "mark":
        return chance.choice(_MARKS)
    return b"" if kind == "cut" else old * 2


def with_damaged_member(members: Mapping[str, bytes], chance: random.Random) -> bytes:
    """A sound container of which one member is damaged."""
    name = chance.choice(sorted(members))
    content = damaged(members[name], list(members.values()), chance)
    return packed({**members, name: content})


def any_document(chance: random.Random) -> tuple[str, bytes]:
    """A damaged document, and its kind."""
    kind, data = chance.choice(WHOLE)
    if chance.random() < 0.5:
        return kind, damaged(data, [each for _, each in WHOLE], chance)
    return kind, with_damaged_member(contents(data), chance)
