"""The records of a ZIP container as they stand in a file (APPNOTE 6.3.10 section 4.3)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document

__all__ = [
    "ENTRY",
    "LOCAL",
    "UNTOLD",
    "UNTOLD_SHORT",
    "Entry",
    "Trailer",
    "broken",
    "entries_of",
    "entry_of",
    "extra_fields",
    "trailer_of",
]

LOCAL: Final = struct.Struct("<4s5H3L2H")
ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_END: Final = struct.Struct("<4s4H2LH")
_LOCATOR: Final = struct.Struct("<4sLQL")
_LARGE_END: Final = struct.Struct("<4sQ2H2L4Q")

# What stands in a field of 32 or 16 bits whose value stands in a ZIP64 record.
UNTOLD: Final = 0xFFFF_FFFF
UNTOLD_SHORT: Final = 0xFFFF

_UNTOLD: Final = (UNTOLD_SHORT, UNTOLD_SHORT, UNTOLD, UNTOLD)
_LONGEST_COMMENT = 0xFFFF
# A directory of the largest office files has a few thousand entries of some hundred bytes; it is
# held in memory, with all that is known of each entry.
_LARGEST_DIRECTORY = 32 << 20
_MOST_ENTRIES = 100_000
_ZIP64: Final = 0x0001


def broken(document: Document, why: str, code: str = "LX360") -> NoReturn:
    """Say that a container is broken, or (LX363) not to be changed.

    Raises:
        EmbeddingError: always.
    """
    raise EmbeddingError(finding(code, document.name, why=why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trailer:
    """The end of a container: where its directory is.

    Attributes:
        directory: the offset of the directory.
        start: the offset behind the directory, where the end records begin.
        count: how many entries the directory has.
        large: the length of the ZIP64 records in front of the last record; 0 where there are none.
        data: all end records, up to the end of the file.
    """

    directory: int
    start: int
    count: int
    large: int
    data: bytes

    def moved(self, directory: int, size: int, count: int) -> bytes | None:
        """The end records for a directory at another place; None where they cannot say it."""
        data = bytearray(self.data)
        if self.large:
            struct.pack_into("<4Q", data, 24, count, count, size, directory)
            struct.pack_into("<Q", data, self.large - _LOCATOR.size + 8, directory + size)
        for form, offset, value in (
            ("<H", 8, count),
            ("<H", 10, count),
            ("<L", 12, size),
            ("<L", 16, directory),
        ):
            most = UNTOLD if form == "<L" else UNTOLD_SHORT
            (old,) = struct.unpack_from(form, data, self.large + offset)
            if old == most and self.large:
                continue
            if value >= most:
                return None
            struct.pack_into(form, data, self.large + offset, value)
        return bytes(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of the directory.

    Attributes:
        data: its bytes.
        name: the name of its member, as it stands there.
        flags: the general purpose flags.
        method: how the member is packed: 0 as it is, 8 deflated.
        crc: the CRC-32 of the content.
        packed: the size of the packed content.
        size: the size of the content.
        offset: the offset of the member.
        offset_at: where in ``data`` the offset stands.
        is_large: whether it stands there in 64 bits.
    """

    data: bytes
    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    offset_at: int
    is_large: bool

    @property
    def length(self) -> int:
        """How long it says that it is."""
        fields: tuple[int, ...] = struct.unpack_from("<3H", self.data, 28)
        return ENTRY.size + sum(fields)

    def at(self, offset: int) -> bytes | None:
        """Its bytes for another offset of the member; None where they cannot say it."""
        if not self.is_large and offset >= UNTOLD:
            return None
        data = bytearray(self.data)
        struct.pack_into("<Q" if self.is_large else "<L", data, self.offset_at, offset)
        return bytes(data)


def trailer_of(document: Document) -> Trailer:
    """The end records of a container.

    Raises:
        EmbeddingError: there are none, or two; some bytes do not belong to the container; it has
            several disks; its directory is too large.
    """
    end = _end(document)
    record = _END.unpack(document.read(end, end + _END.size))
    count, size, directory = record[4], record[5], record[6]
    is_split = record[1] not in {0, UNTOLD_SHORT} or record[2] not in {0, UNTOLD_SHORT}
    start = _large_start(document, end)
    if start != end:
        large = _LARGE_END.unpack(document.read(start, start + _LARGE_END.size))
        is_split = is_split or large[4] != 0 or large[5] != 0 or large[6] != large[7]
        count, size, directory = large[7], large[8], large[9]
        told = (record[3:7], (count, count, size, directory))
        if any(one not in {other, most} for one, other, most in zip(*told, _UNTOLD, strict=True)):
            broken(document, "its two ends contradict each other", "LX363")
    elif record[3] != record[4]:
        is_split = True
    if is_split:
        broken(document, "it is one of several disks", "LX363")
    if directory + size != start:
        broken(document, "there are bytes in it that belong to no member, or some are missing")
    if size > _LARGEST_DIRECTORY or count > _MOST_ENTRIES:
        broken(document, "its directory is too large", "LX363")
    return Trailer(
        directory=directory,
        start=start,
        count=count,
        large=end - start,
        data=document.read(start),
    )


def _end(document: Document) -> int:
    """The offset of the last record: the one whose comment ends where the file does."""
    first = max(0, document.size - _END.size - _LONGEST_COMMENT)
    tail = document.read(first)
    found = []
    at = tail.find(b"PK\x05\x06")
    is_seen = at >= 0
    while at >= 0:
        if at + _END.size <= len(tail):
            (comment,) = struct.unpack_from("<H", tail, at + 20)
            if at + _END.size + comment == len(tail):
                found.append(first + at)
        at = tail.find(b"PK\x05\x06", at + 1)
    if len(found) > 1:
        broken(document, "it has two ends", "LX363")
    if not found:
        why = "there are bytes behind its end, or some are missing" if is_seen else "it has no end"
        broken(document, why)
    return found[0]


def _large_start(document: Document, end: int) -> int:
    """The offset of the ZIP64 records; that of the last record where there are none."""
    at = end - _LOCATOR.size
    if at < _LARGE_END.size:
        return end
    start: int
    signature, disk, start, disks = _LOCATOR.unpack(document.read(at, end))
    if signature != b"PK\x06\x07":
        return end
    if disk != 0 or disks > 1:
        broken(document, "it is one of several disks", "LX363")
    # A longer record has fields that nobody has defined.
    if start + _LARGE_END.size != at or document.read(start, start + 4) != b"PK\x06\x06":
        broken(document, "its ZIP64 records are out of place", "LX363")
    return start


def entries_of(document: Document, trailer: Trailer) -> Iterator[Entry]:
    """The entries of the directory, in its order.

    Raises:
        EmbeddingError: it is broken.
    """
    data = document.read(trailer.directory, trailer.start)
    at = 0
    for _ in range(trailer.count):
        if at + ENTRY.size > len(data) or data[at : at + 4] != b"PK\x01\x02":
            broken(document, "its directory is broken")
        lengths = struct.unpack_from("<3H", data, at + 28)
        end = at + ENTRY.size + sum(lengths)
        if end > len(data):
            broken(document, "its directory is broken")
        yield entry_of(document, data[at:end])
        at = end
    if at != len(data):
        broken(document, "its directory is longer than its entries")


def entry_of(document: Document, data: bytes) -> Entry:
    """An entry of the directory from its bytes.

    Raises:
        EmbeddingError: it is broken, or of another disk.
    """
    fields = ENTRY.unpack_from(data)
    name_end = ENTRY.size + fields[10]
    values = {"size": fields[9], "packed": fields[8], "offset": fields[16]}
    places = _large_values(document, data, name_end, fields)
    disk = fields[13]
    if disk not in {0, UNTOLD_SHORT}:
        broken(document, "it is one of several disks", "LX363")
    for key, place in places.items():
        (values[key],) = struct.unpack_from("<Q", data, place)
    return Entry(
        data=data,
        name=data[ENTRY.size : name_end],
        flags=fields[3],
        method=fields[4],
        crc=fields[7],
        packed=values["packed"],
        size=values["size"],
        offset=values["offset"],
        offset_at=places.get("offset", 42),
        is_large="offset" in places,
    )


def _large_values(
    document: Document, data: bytes, at: int, fields: tuple[int, ...]
) -> dict[str, int]:
    """Where the values stand that an entry has in its ZIP64 field."""
    wanted = [
        key
        for key, value in (("size", fields[9]), ("packed", fields[8]), ("offset", fields[16]))
        if value == UNTOLD
    ]
    if not wanted:
        return {}
    for kind, start, end in extra_fields(data, at, at + fields[11]):
        if kind == _ZIP64 and end - start >= 8 * len(wanted):
            return {key: start + 8 * index for index, key in enumerate(wanted)}
    broken(document, "an entry of its directory has no size or place")


def extra_fields(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The extra fields between two offsets: the kind, and where the value starts and ends.

    What is no field at all ends them: some programs fill up with zeros.
    """
    while at + 4 <= end:
        kind, size = struct.unpack_from("<2H", data, at)
        if at + 4 + size > end:
            return
        yield kind, at + 4, at + 4 + size
        at += 4 + size
