"""A PDF file that is open: its trailer, its catalog, and any object that is asked for."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._pdf_chain import HIGHEST_NUMBER, InFile, InStream, chain_of
from lexurn.embedding._pdf_objects import LARGEST_OBJECT, Found, object_at, stream_bytes
from lexurn.embedding._pdf_streams import LARGEST, unpacked
from lexurn.embedding._pdf_syntax import (
    Dictionary,
    Name,
    PdfError,
    Reference,
    value_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._pdf_chain import Place, Section
    from lexurn.embedding._pdf_syntax import Value

__all__ = ["MOST_NEW", "PdfFile", "is_encrypted", "opened_pdf", "view_of"]

# The header stands within so many bytes (ISO 32000-1, note in annex H).
_HEAD: Final = 1_024

# Writers put some hundred objects into an object stream; those of a whole book are smaller.
_LARGEST_STREAM: Final = 1 << 24

MOST_NEW: Final = 2
"""Objects that lexurn adds: the metadata, and the stream of the cross-reference section."""

# Unpacked object streams that are held at a time, and the bytes of all that are unpacked: those of
# a form with ten thousand fields are some hundred, of some megabytes.
_MOST_HELD: Final = 16
_MOST_UNPACKED: Final = 1 << 28

# A reference to a reference to ...: no writer makes any.
_LONGEST_PATH = 16


@dataclass(slots=True)
class _Packed:
    """Object streams as they were unpacked.

    Attributes:
        held: the last ones of them: the offsets of their objects, and their bytes.
        opened: those that are being read, each for the length of the one before.
        size: how many bytes all of them had.
    """

    held: dict[int, tuple[dict[int, int], bytes]] = field(default_factory=dict)
    opened: set[int] = field(default_factory=set)
    size: int = 0

    @contextmanager
    def opening(self, number: int) -> Iterator[None]:
        """Read a stream, unless it is being read already."""
        if number in self.opened or len(self.opened) >= _LONGEST_PATH:
            raise PdfError("object streams go in a circle")
        self.opened.add(number)
        try:
            yield
        finally:
            self.opened.discard(number)

    def hold(self, number: int, offsets: dict[int, int], data: bytes) -> None:
        """Hold a stream in the place of the oldest one."""
        self.size += len(data)
        if self.size > _MOST_UNPACKED:
            raise PdfError("its object streams are too large")
        if len(self.held) >= _MOST_HELD:
            del self.held[next(iter(self.held))]
        self.held[number] = offsets, data


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFile:
    """A PDF file whose structure is sound, as far as it was looked at.

    All methods raise `PdfError` where the file is broken.

    Attributes:
        document: its bytes.
        sections: its cross-reference sections, the last one first.
    """

    document: Document
    sections: tuple[Section, ...]
    _packed: _Packed = field(default_factory=_Packed)

    @property
    def trailer(self) -> Dictionary:
        """The last trailer: the one that counts."""
        return self.sections[0].trailer

    @property
    def next_number(self) -> int:
        """A number that no object has or had; a ``/Size`` that leaves no room says nothing."""
        size = self.trailer.get("Size")
        said = size if isinstance(size, int) and size <= HIGHEST_NUMBER - MOST_NEW else 1
        return max(said, 1, *(each.size for each in self.sections))

    @property
    def root(self) -> Reference:
        """The reference to the catalog."""
        root = self.trailer.get("Root")
        if not isinstance(root, Reference):
            raise PdfError("its trailer names no catalog")
        return root

    @property
    def catalog(self) -> Dictionary:
        """The catalog."""
        catalog = self.value(self.root)
        if not isinstance(catalog, Dictionary) or catalog.get("Type") != Name("Catalog"):
            raise PdfError("its catalog is none")
        return catalog

    def place(self, number: int) -> Place:
        """Where an object stands; None where there is none."""
        for section in self.sections:
            if section.knows(number):
                place = section.place(number)
                # A table says of an object in the stream beside it that it is free.
                if place is not None or not (section.hidden and section.hidden.knows(number)):
                    return place
            if section.hidden is not None and section.hidden.knows(number):
                return section.hidden.place(number)
        return None

    def found(self, reference: Reference) -> Found:
        """An indirect object; null where there is none."""
        place = self.place(reference.number)
        if isinstance(place, InStream):
            return self._in_stream(place, reference.number)
        if place is None or place.generation != reference.generation:
            return Found(value=None)
        return object_at(self.document, place.offset, reference)

    def value(self, value: Value) -> Value:
        """A value, references followed."""
        for _ in range(_LONGEST_PATH):
            if not isinstance(value, Reference):
                return value
            value = self.found(value).value
        raise PdfError("references go in a circle")

    def dictionary(self, value: Value) -> Dictionary | None:
        """A dictionary, references followed; None where it is something else."""
        value = self.value(value)
        return value if isinstance(value, Dictionary) else None

    def stream(self, found: Found, limit: int = LARGEST) -> bytes:
        """The bytes of a stream, unpacked."""
        if found.stream is None or not isinstance(found.value, Dictionary):
            raise PdfError("an object that should be a stream is none")
        length = self.value(found.value.get("Length"))
        data = stream_bytes(self.document, found.stream, length, limit)
        return unpacked(found.value, data, limit)

    def _in_stream(self, place: InStream, number: int) -> Found:
        if place.stream not in self._packed.held:
            with self._packed.opening(place.stream):
                self._packed.hold(place.stream, *self._object_stream(place.stream))
        offsets, data = self._packed.held[place.stream]
        if number not in offsets:
            raise PdfError(f"object {number} is not where it should be")
        start = offsets[number]
        window = data[start : start + LARGEST_OBJECT]
        value, _ = value_at(window, 0, is_whole=start + len(window) >= len(data))
        return Found(value=value)

    def _object_stream(self, number: int) -> tuple[dict[int, int], bytes]:
        """The offsets of the objects in an object stream, and its bytes (section 7.5.7)."""
        place = self.place(number)
        if not isinstance(place, InFile):
            raise PdfError("an object stream is not where it should be")
        found = object_at(self.document, place.offset, Reference(number, place.generation))
        dictionary = found.value
        if not isinstance(dictionary, Dictionary) or dictionary.get("Type") != Name("ObjStm"):
            raise PdfError("an object stream is none")
        data, first = self.stream(found, _LARGEST_STREAM), dictionary.get("First")
        if not isinstance(first, int) or not 0 <= first <= min(len(data), LARGEST_OBJECT):
            raise PdfError("an object stream is broken")
        try:
            numbers = [int(each) for each in data[:first].split()]
        except ValueError:
            raise PdfError("an object stream is broken") from None
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        return {each: first + offset for each, offset in pairs}, data


def view_of(document: Document) -> tuple[Document, int]:
    """A document from its header on, where all offsets are counted from, and the header's offset.

    Raises:
        EmbeddingError: it is no PDF, whatever its state; or it cannot be read.
    """
    start = document.read(0, _HEAD).find(b"%PDF-")
    if start < 0:
        raise EmbeddingError(finding("LX345", document.name, limit=_HEAD))
    if start == 0:
        return document, 0
    view = replace(
        document,
        size=document.size - start,
        reader=lambda at, size: document.reader(start + at, size),
    )
    return view, start


def is_encrypted(file: PdfFile) -> bool:
    """Whether a file is encrypted, so that none of its objects can be read as they stand."""
    return file.trailer.get("Encrypt") is not None


def opened_pdf(document: Document) -> PdfFile:
    """A document as a PDF file whose catalog and pages are where they should be.

    Args:
        document: the file, from its header on.

    Raises:
        EmbeddingError: it cannot be read.
        PdfError: its structure is broken.
    """
    file = PdfFile(document=document, sections=chain_of(document))
    if not is_encrypted(file) and file.dictionary(file.catalog.get("Pages")) is None:
        raise PdfError("its catalog names no pages")
    return file
