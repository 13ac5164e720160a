"""The members of a ZIP container: where they lie, and what they hold."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._zip_structure import LOCAL, Trailer, broken, entries_of, trailer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._document import Document
    from lexurn.embedding._zip_structure import Entry

__all__ = ["DEFLATED", "STORED", "Container", "Member", "container_of", "container_of_one"]

STORED: Final = 0
DEFLATED: Final = 8

# Flags (section 4.4.4): encrypted, strongly encrypted, and names that are hidden by encryption.
_ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
_HAS_DESCRIPTOR: Final = 1 << 3
# The package documents of the largest books have some megabytes; all other metadata are smaller.
_LARGEST_CONTENT = 16 << 20
# Lists of files pack 30 to 1; nothing that people write packs more than 200 to 1.
_HIGHEST_RATIO = 200
_SMALL_CONTENT = 1 << 20
_HARMFUL = re.compile(r"[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)|.*\x00", re.DOTALL)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD = "the file is encrypted, or of an Office of old (.doc)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a container.

    Attributes:
        name: its name.
        entry: its entry in the directory.
        start: the offset of its header.
        data: the offset of its packed content.
        end: the offset behind its packed content.
        extra: the extra fields of its header.
    """

    name: str
    entry: Entry
    start: int
    data: int
    end: int
    extra: bytes


@dataclass(frozen=True, kw_only=True)
class Container:
    """A ZIP container that is sound.

    Attributes:
        document: the file.
        trailer: its end records.
        members: its members, in the order of the directory.
    """

    document: Document
    trailer: Trailer
    members: tuple[Member, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Member]:
        """The members by their names."""
        return {member.name: member for member in self.members}

    def content(self, name: str) -> bytes | None:
        """What a member holds; None where there is no such member.

        Raises:
            EmbeddingError: it is broken, too large, or packed in a way that is not usual.
        """
        member = self.by_name.get(name)
        if member is None:
            return None
        entry = member.entry
        self._check_size(member)
        self.check_method(member)
        packed = self.document.read(member.data, member.end)
        content = packed if entry.method == STORED else _inflated(packed, entry.size)
        if content is None or len(content) != entry.size or zlib.crc32(content) != entry.crc:
            broken(self.document, f"{name} is broken")
        return content

    def check_method(self, member: Member) -> None:
        """Make sure that a member is packed as those of documents are, or not at all.

        Raises:
            EmbeddingError: it is packed otherwise.
        """
        if member.entry.method not in {STORED, DEFLATED}:
            why = f"{member.name} is packed by method {member.entry.method}"
            broken(self.document, why, "LX363")

    def _check_size(self, member: Member) -> None:
        size, packed = member.entry.size, member.entry.packed
        is_dense = size > _SMALL_CONTENT and size > _HIGHEST_RATIO * packed
        if is_dense or max(size, packed) > _LARGEST_CONTENT:
            raise EmbeddingError(finding("LX364", self.document.name, member=member.name))

    def record_end(self, member: Member) -> int:
        """The offset behind a member and its data descriptor (section 4.3.9).

        Raises:
            EmbeddingError: the descriptor contradicts the directory.
        """
        if not member.entry.flags & _HAS_DESCRIPTOR:
            return member.end
        entry = member.entry
        starts = (each.start for each in self.members if each.start > member.start)
        behind = min(starts, default=self.trailer.directory)
        tail = self.document.read(member.end, min(member.end + 24, behind))
        crc = entry.crc.to_bytes(4, "little")
        for width in (4, 8):
            if max(entry.packed, entry.size) >> (8 * width):
                continue
            sizes = (value.to_bytes(width, "little") for value in (entry.packed, entry.size))
            plain = b"".join((crc, *sizes))
            for form in (b"PK\x07\x08" + plain, plain):
                if tail.startswith(form):
                    return member.end + len(form)
        why = f"what stands behind {member.name} contradicts the directory"
        return broken(self.document, why)


def _inflated(packed: bytes, size: int) -> bytes | None:
    """Deflated bytes unpacked, if they unpack to just so many bytes; else None."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = unpacker.decompress(packed, size + 1)
    except zlib.error:
        return None
    return content if unpacker.eof and not unpacker.unused_data and len(content) == size else None


def container_of(document: Document) -> Container:
    """A document as a ZIP container.

    Raises:
        EmbeddingError: it is none, or broken, or made to do harm.
    """
    if document.read(0, len(_OLD_OFFICE)) == _OLD_OFFICE:
        raise EmbeddingError(finding("LX361", document.name, what=_OLD))
    trailer = trailer_of(document)
    entries = tuple(entries_of(document, trailer))
    members = tuple(_member(document, trailer, entry) for entry in entries)
    _check_names(document, members)
    _check_places(document, members)
    return Container(document=document, trailer=trailer, members=members)


def container_of_one(document: Document, entry: Entry) -> Container:
    """A member that lies in no container, as if it lay in one of its own.

    Args:
        document: its bytes.
        entry: its entry in the directory of a container, wherever it lay there.

    Raises:
        EmbeddingError: it is broken, or encrypted.
    """
    end = document.size
    trailer = Trailer(directory=end, start=end, count=1, large=0, data=b"")
    member = _member(document, trailer, replace(entry, offset=0))
    return Container(document=document, trailer=trailer, members=(member,))


def _member(document: Document, trailer: Trailer, entry: Entry) -> Member:
    name = _name(entry)
    if entry.flags & _ENCRYPTED:
        raise EmbeddingError(
            finding("LX361", document.name, what=f"the member {name!r} is encrypted")
        )
    start = entry.offset
    header = document.read(start, start + LOCAL.size)
    if len(header) < LOCAL.size or header[:4] != b"PK\x03\x04":
        broken(document, f"{name} is not where the directory says")
    fields = LOCAL.unpack(header)
    name_end = start + LOCAL.size + fields[9]
    data = name_end + fields[10]
    end = data + entry.packed
    if end > trailer.directory:
        broken(document, f"{name} is cut off")
    texts = document.read(start + LOCAL.size, data)
    if texts[: fields[9]] != entry.name or fields[3] != entry.method:
        broken(document, f"{name} is another member than the directory says", "LX363")
    return Member(name=name, entry=entry, start=start, data=data, end=end, extra=texts[fields[9] :])


def _name(entry: Entry) -> str:
    """The name of a member; what is no UTF-8 is in the code page of old computers."""
    try:
        return entry.name.decode("utf-8")
    except UnicodeDecodeError:
        return entry.name.decode("cp437")


def _check_names(document: Document, members: tuple[Member, ...]) -> None:
    seen: set[str] = set()
    for member in members:
        name = member.name
        if not name or "\0" in name:
            broken(document, f"its member {name!r} has a name that no file can have", "LX363")
        if _HARMFUL.match(name):
            broken(document, f"its member {name!r} would be written outside of its folder", "LX363")
        if name in seen:
            broken(document, f"its member {name!r} is there twice", "LX363")
        seen.add(name)


def _check_places(document: Document, members: tuple[Member, ...]) -> None:
    ordered = sorted(members, key=lambda member: member.start)
    if ordered and ordered[0].start != 0:
        broken(document, "there are bytes in front of its first member", "LX363")
    for one, other in pairwise(ordered):
        if one.end > other.start:
            broken(document, f"{one.name} and {other.name} overlap", "LX363")
