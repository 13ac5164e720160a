"""ZIP containers: reading, checks against broken and hostile ones, and changes to members.

Sections are those of APPNOTE 6.3.10. ZIP64 records are refused: no document needs them.

A changed member keeps its position; new ones come after all others. The directory and the end
record are written anew. All other bytes stay.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from lexurn.documents.document import Document, DocumentError, Edit, make_error, make_finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.findings import Finding

_LOCAL_HEADER: Final = struct.Struct("<4s5H3L2H")
_DIRECTORY_HEADER: Final = struct.Struct("<4s6H3L5H2L")
_END: Final = struct.Struct("<4s4H2LH")
_ZIP64_LOCATOR_SIZE: Final = 20

# A field with such a value refers to a ZIP64 record.
_ZIP64: Final = 0xFFFF_FFFF
_ZIP64_SHORT: Final = 0xFFFF

_STORED: Final = 0
_DEFLATED: Final = 8
# Flags (section 4.4.4): encrypted, strongly encrypted, and names that are hidden by encryption.
_ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
_NAME_IS_UTF8: Final = 1 << 11

_LONGEST_COMMENT = 0xFFFF
# The directory of the largest office files has a few thousand entries of some hundred bytes.
_LARGEST_DIRECTORY = 32 << 20
# The package documents of the largest books have some megabytes; all other metadata are smaller.
_LARGEST_CONTENT = 16 << 20
# Less than a second's work, which a run over a folder can bear for each file.
_MOST_UNPACKED: Final = 64 << 20
_PIECE_SIZE: Final = 1 << 20

_VERSION_NEEDED: Final = 20
_MADE_ON_UNIX: Final = 3 << 8 | _VERSION_NEEDED
_UNIX_FILE: Final = 0o100_644 << 16
# The first day of the format: a file does not depend on when lexurn was run.
_FIRST_TIME: Final = (0, 0x0021)


def _refuse_container(document: Document, why: str, code: str = "LX360") -> NoReturn:
    """Refuse a container that is broken, or (LX363) must not be changed."""
    raise make_error(code, document.name, why=why)


class ZipMember(NamedTuple):
    """Member of a container.

    Attributes:
        name: its name.
        entry: the bytes of its entry in the directory.
        flags: the general purpose flags.
        method: the method of packing: 0 stored, 8 deflated.
        crc: the CRC-32 of the content.
        packed_size: the size of the packed content.
        size: the size of the content.
        start: the offset of the local header.
        data: the offset of the packed content.
    """

    name: str
    entry: bytes
    flags: int
    method: int
    crc: int
    packed_size: int
    size: int
    start: int
    data: int

    @property
    def end(self) -> int:
        """Offset after the packed content."""
        return self.data + self.packed_size


@dataclass(frozen=True, kw_only=True)
class ZipContainer:
    """ZIP container whose structure is sound: the offset of its directory, and its end record.

    Members are in the order of the directory.
    """

    document: Document
    directory: int
    trailer: bytes
    members: tuple[ZipMember, ...]

    @cached_property
    def by_name(self) -> Mapping[str, ZipMember]:
        """Members by their names."""
        return {member.name: member for member in self.members}

    def read_member(self, name: str) -> bytes | None:
        """Return the content of a member, or None if there is no such member."""
        member = self.by_name.get(name)
        if member is None:
            return None
        if max(member.size, member.packed_size) > _LARGEST_CONTENT:
            raise make_error("LX364", self.document.name, member=name)
        self.check_method(member)
        return b"".join(self.unpack(member))

    def check_method(self, member: ZipMember) -> None:
        """Check that a member is stored or deflated."""
        if member.method not in {_STORED, _DEFLATED}:
            why = f"{member.name} is compressed by method {member.method}"
            _refuse_container(self.document, why, "LX363")

    def unpack(self, member: ZipMember) -> Iterator[bytes]:
        """Yield the content of a member piece by piece, and check it at the end."""
        size = crc = 0
        is_whole = True
        try:
            for piece in _unpack_pieces(self.document, member):
                size += len(piece)
                crc = zlib.crc32(piece, crc)
                if size > member.size:
                    break
                yield piece
        except zlib.error:
            is_whole = False
        if not is_whole or (size, crc) != (member.size, member.crc):
            _refuse_container(self.document, f"{member.name} is broken")


def _unpack_pieces(document: Document, member: ZipMember) -> Iterator[bytes]:
    """Yield the content of a member piece by piece.

    Raises:
        zlib.error: the content is not a deflated stream, or does not end where it should.
    """
    pieces = document.pieces(member.data, member.end)
    if member.method == _STORED:
        yield from pieces
        return
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in pieces:
        rest = piece
        while content := unpacker.decompress(rest, _PIECE_SIZE):
            yield content
            rest = unpacker.unconsumed_tail
        if unpacker.unused_data:
            break
    if not unpacker.eof or unpacker.unused_data:
        raise zlib.error("its compressed data has the wrong length")


def open_container(document: Document) -> ZipContainer:
    """Open a document as a ZIP container."""
    end = _find_end_record(document)
    trailer = document.read(end)
    _, disk, start_disk, count_here, count, size, directory, _ = _END.unpack_from(trailer)
    locator = document.read(max(0, end - _ZIP64_LOCATOR_SIZE), end)
    if locator.startswith(b"PK\x06\x07") or count == _ZIP64_SHORT or _ZIP64 in {size, directory}:
        _refuse_container(document, "it has ZIP64 records", "LX363")
    if disk or start_disk or count_here != count:
        _refuse_container(document, "it is one part of a multi-part archive", "LX363")
    if directory + size != end:
        _refuse_container(
            document, "there are bytes in it that belong to no member, or some are missing"
        )
    if size > _LARGEST_DIRECTORY:
        _refuse_container(document, "its directory is too large", "LX363")
    entries, data, at = [], document.read(directory, end), 0
    for _ in range(count):
        lengths = struct.unpack("<3H", data[at + 28 : at + 34].ljust(6, b"\xff"))
        after = at + _DIRECTORY_HEADER.size + sum(lengths)
        if after > len(data) or not data.startswith(b"PK\x01\x02", at):
            _refuse_container(document, "its directory is broken")
        entries.append(data[at:after])
        at = after
    if at != len(data):
        _refuse_container(document, "its directory is longer than its entries")
    members = tuple(_read_member(document, entry, directory) for entry in entries)
    _check_positions(document, members)
    return ZipContainer(document=document, directory=directory, trailer=trailer, members=members)


def _find_end_record(document: Document) -> int:
    """Return the offset of the end record: the one whose comment ends where the file does."""
    first = max(0, document.size - _END.size - _LONGEST_COMMENT)
    tail = document.read(first)
    marks = [found.start() for found in re.finditer(rb"PK\x05\x06", tail)]
    ends = [
        first + at
        for at in marks
        if at + _END.size <= len(tail)
        and at + _END.size + struct.unpack_from("<H", tail, at + 20)[0] == len(tail)
    ]
    if len(ends) > 1:
        _refuse_container(document, "it has two end records", "LX363")
    if not ends:
        damage = "there are bytes after its end, or some are missing"
        _refuse_container(document, damage if marks else "it has no end record")
    return ends[0]


def _read_member(document: Document, entry: bytes, directory: int) -> ZipMember:
    """Return the member of a directory entry, checked against its local header."""
    fields = _DIRECTORY_HEADER.unpack_from(entry)
    flags, method, crc, packed_size, size = fields[3], fields[4], *fields[7:10]
    start = fields[16]
    raw_name = entry[_DIRECTORY_HEADER.size :][: fields[10]]
    try:
        name = raw_name.decode("utf-8")
    except UnicodeDecodeError:
        name = raw_name.decode("cp437")
    if _ZIP64 in {packed_size, size, start} or fields[13]:  # the number of a disk
        _refuse_container(document, f"{name} has ZIP64 fields or is on another disk", "LX363")
    if flags & _ENCRYPTED:
        raise make_error("LX361", document.name, what=f"the member {name!r} is encrypted")
    header = document.read(start, start + _LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size or header[:4] != b"PK\x03\x04":
        _refuse_container(document, f"{name} is not at the place that the directory states")
    local = _LOCAL_HEADER.unpack(header)
    name_end = start + _LOCAL_HEADER.size + local[9]
    data = name_end + local[10]
    if data + packed_size > directory:
        _refuse_container(document, f"{name} is cut off")
    if document.read(start + len(header), name_end) != raw_name or local[3] != method:
        _refuse_container(document, f"{name} is not the member that the directory states", "LX363")
    return ZipMember(name, entry, flags, method, crc, packed_size, size, start, data)


def _check_positions(document: Document, members: tuple[ZipMember, ...]) -> None:
    """Check that all members have different names, and do not overlap."""
    for name, number in Counter(member.name for member in members).items():
        if number > 1:
            _refuse_container(document, f"its member {name!r} is there twice", "LX363")
    for one, other in pairwise(sorted(members, key=lambda member: member.start)):
        if one.end > other.start:
            _refuse_container(document, f"{one.name} and {other.name} overlap", "LX363")


def check_members(container: ZipContainer) -> tuple[Finding, ...]:
    """Unpack all members, a piece at a time, and check them against the directory.

    Returns:
        A finding if the members are too large to be unpacked all.
    """
    document, done, is_all = container.document, 0, True
    for member in container.members:
        container.check_method(member)
        size = max(member.size, member.packed_size)
        if done + size > _MOST_UNPACKED:
            is_all = False
            continue
        done += size
        for _ in container.unpack(member):
            pass
    if is_all:
        return ()
    what = "the members of the container unpack to"
    return (make_finding("LX344", document.name, what=what, limit=_MOST_UNPACKED >> 20),)


def find_broken_members(container: ZipContainer) -> tuple[Finding, ...]:
    """Return what `check_members` returns or raises."""
    try:
        return check_members(container)
    except DocumentError as fault:
        return (fault.finding,)


def _pack_member(name: bytes, content: bytes, old: bytes | None) -> tuple[bytes, bytes]:
    """Return the record of a member, and its entry without an offset.

    It keeps the name, method, time, attributes and comment of the old entry, if there is one.
    """
    flags, method, time = (0 if name.isascii() else _NAME_IS_UTF8), _DEFLATED, _FIRST_TIME
    made, inner, outer, comment = _MADE_ON_UNIX, 0, _UNIX_FILE, b""
    if old is not None:
        # The name stays as it is written, maybe in an old encoding.
        fields = _DIRECTORY_HEADER.unpack_from(old)
        flags, method, time = fields[3] & _NAME_IS_UTF8, fields[4], fields[5:7]
        made, inner, outer = fields[1], fields[14], fields[15]
        name = old[_DIRECTORY_HEADER.size :][: fields[10]]
        comment = old[len(old) - fields[12] :]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = content if method == _STORED else packer.compress(content) + packer.flush()
    sizes = (zlib.crc32(content), len(packed), len(content), len(name))
    common = (_VERSION_NEEDED, flags, method, *time, *sizes, 0)
    header = _LOCAL_HEADER.pack(b"PK\x03\x04", *common)
    tail = (len(comment), 0, inner, outer, 0)
    entry = _DIRECTORY_HEADER.pack(b"PK\x01\x02", made, *common, *tail)
    return header + name + packed, entry + name + comment


def replace_members(
    container: ZipContainer, contents: Mapping[str, bytes | None]
) -> tuple[Edit, ...]:
    """Return the edits that give members a new content; none if there is nothing to change.

    A content of None deletes the member. A new name adds a member.
    """
    if not contents:
        return ()
    edits: list[Edit] = []
    entries: dict[str, tuple[bytes, int]] = {}
    growth, added = 0, b""
    members = sorted(container.members, key=lambda each: each.start)
    ends = [*(each.start for each in members[1:]), container.directory]
    for member, end in zip(members, ends, strict=False):
        offset = member.start + growth
        if member.name not in contents:
            entries[member.name] = member.entry, offset
            continue
        # A data descriptor belongs to the record of its member (section 4.3.9).
        content, record = contents[member.name], b""
        if content is not None:
            record, entry = _pack_member(b"", content, member.entry)
            entries[member.name] = entry, offset
        edits.append(Edit(start=member.start, end=end, new=record))
        growth += len(record) - (end - member.start)
    ordered = [entries[name] for name in container.by_name if name in entries]
    for name, content in contents.items():
        if name not in container.by_name and content is not None:
            record, entry = _pack_member(name.encode(), content, None)
            ordered.append((entry, container.directory + growth + len(added)))
            added += record
    start = container.directory + growth + len(added)
    size = sum(len(entry) for entry, _ in ordered)
    if len(ordered) >= _ZIP64_SHORT or max(start, size) >= _ZIP64:
        why = "it would need ZIP64 records"
        _refuse_container(container.document, why, "LX363")
    moved = (entry[:42] + struct.pack("<L", offset) + entry[46:] for entry, offset in ordered)
    trailer = bytearray(container.trailer)
    struct.pack_into("<2H2L", trailer, 8, len(ordered), len(ordered), size, start)
    new = added + b"".join(moved) + trailer
    edits.append(Edit(start=container.directory, end=container.document.size, new=new))
    return tuple(edits)
