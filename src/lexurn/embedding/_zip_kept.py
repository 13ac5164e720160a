"""What a member was before lexurn changed it, kept in the member itself.

A member that is put in the place of another has the other one, header and all, in an extra field of
its own header (APPNOTE 6.3.10 section 4.5). Programs pass over extra fields that they do not know;
nothing lies in the container that belongs to no member; the file does not grow with each run; and
the bytes that were there can be restored, though nobody can pack a text just as another program
packed it.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.embedding._document import document_of
from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._zip_members import DEFLATED, STORED, container_of_one
from lexurn.embedding._zip_structure import ENTRY, LOCAL, entry_of, extra_fields

if TYPE_CHECKING:
    from lexurn.embedding._zip_members import Container, Member

__all__ = ["Kept", "kept_by", "kept_in", "packed_record"]

_KIND: Final = 0x584C
_MARK: Final = b"lexurn:1"
_LENGTHS = struct.Struct("<2L")
_LONGEST_FIELD = 0xFFFF
_LARGEST_KEPT = 1 << 24
# The first day that the format has: a file does not say when lexurn was run.
_TIME: Final = (0, 0x0021)
_NAMES_ARE_UTF8: Final = 1 << 11
_NEED: Final = 20
_UNIX_FILE: Final = 0o100_644 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A member as it stood before, byte for byte.

    Attributes:
        record: its header, its packed content and its descriptor.
        entry: its entry in the directory, with the offset that it had.
        is_new: whether lexurn has just made it, and nobody had it before.
    """

    record: bytes
    entry: bytes
    is_new: bool = False

    @property
    def field(self) -> bytes:
        """An extra field that has all of it; empty where it is too long for one."""
        lengths = _LENGTHS.pack(len(self.record), len(self.entry))
        value = _MARK + zlib.compress(lengths + self.record + self.entry, 9)
        if len(value) + 4 > _LONGEST_FIELD:
            return b""
        return struct.pack("<2H", _KIND, len(value)) + value

    def content(self, container: Container, name: bytes) -> bytes | None:
        """What the member held; None where it is none of that name, or broken."""
        try:
            entry = entry_of(container.document, self.entry)
            alone = container_of_one(document_of(self.record), entry)
            (member,) = alone.members
            end = alone.record_end(member)
            if (entry.name, entry.length, end) != (name, len(self.entry), len(self.record)):
                return None
            return alone.content(member.name)
        except (EmbeddingError, struct.error):
            return None


def kept_by(container: Container, member: Member) -> Kept:
    """A member as it stands, to be kept."""
    record = container.document.read(member.start, container.record_end(member))
    return Kept(record=record, entry=member.entry.data)


def kept_in(member: Member) -> Kept | None:
    """What a member keeps; None where it keeps nothing."""
    for kind, start, end in extra_fields(member.extra, 0, len(member.extra)):
        if kind == _KIND and member.extra.startswith(_MARK, start):
            return _unpacked(member.extra[start + len(_MARK) : end])
    return None


def _unpacked(data: bytes) -> Kept | None:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(data, _LARGEST_KEPT)
    except zlib.error:
        return None
    if len(content) < _LENGTHS.size or not unpacker.eof:
        return None
    record, entry = _LENGTHS.unpack_from(content)
    if _LENGTHS.size + record + entry != len(content):
        return None
    middle = _LENGTHS.size + record
    return Kept(record=content[_LENGTHS.size : middle], entry=content[middle:])


def packed_record(name: bytes, content: bytes, extra: bytes, old: bytes | None) -> Kept:
    """A member with a content.

    Args:
        name: its name, as it stands in the container.
        content: what it holds.
        extra: the extra fields of its header.
        old: the entry of the member in whose place it comes, whose method, time and attributes it
            has; None where there is none.
    """
    fields = None if old is None else ENTRY.unpack_from(old)
    method = DEFLATED if fields is None else fields[4]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = content if method == STORED else packer.compress(content) + packer.flush()
    flags = (_NAMES_ARE_UTF8 if not name.isascii() else 0) if fields is None else fields[3]
    time = _TIME if fields is None else fields[5:7]
    common = (
        flags & _NAMES_ARE_UTF8,
        method,
        *time,
        zlib.crc32(content),
        len(packed),
        len(content),
        len(name),
    )
    made, inner, outer = (3 << 8 | _NEED, 0, _UNIX_FILE) if fields is None else _made(fields)
    header = LOCAL.pack(b"PK\x03\x04", _NEED, *common, len(extra)) + name + extra
    comment = b"" if fields is None or old is None else old[len(old) - fields[12] :]
    tail = (0, len(comment), 0, inner, outer, 0)
    entry = ENTRY.pack(b"PK\x01\x02", made, _NEED, *common, *tail) + name + comment
    return Kept(record=header + packed, entry=entry, is_new=True)


def _made(fields: tuple[int, ...]) -> tuple[int, int, int]:
    """By what a member was made, and its inner and outer attributes."""
    return fields[1], fields[14], fields[15]
