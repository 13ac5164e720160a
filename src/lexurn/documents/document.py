"""Documents: bytes, edits, statements, formats, and the findings about documents.

A document is read piece by piece, so its size does not matter. An edit replaces bytes by others. A
statement is one property that a document states, as written. A format embeds, removes and reads.
"""

from __future__ import annotations

import os
import stat
import tempfile
from bisect import bisect_right
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn import findings
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_PIECE_SIZE = 1 << 20
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening files; a pipe without a writer must not block."""


def make_stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return identity, size and time of a file, to detect changes."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Open document.

    Only requested bytes are read, and nothing is mapped into memory. So a file that another program
    truncates does not kill the process.

    Attributes:
        name: its path or name, for messages and for its suffix.
        size: the number of bytes.
        stamp: the stamp of its file; None for bytes in memory.
        reader: a function of offset and size that returns at most that many bytes.
    """

    name: str
    size: int
    stamp: tuple[int, ...] | None = None
    reader: Callable[[int, int], bytes]

    @property
    def suffix(self) -> str:
        """Suffix of its name in lower case, with its dot: ``.html``."""
        return Path(self.name).suffix.lower()

    def read(self, start: int = 0, end: int | None = None) -> bytes:
        """Read the bytes between two offsets; raise `DocumentError` if the file became shorter."""
        last = self.size if end is None else min(end, self.size)
        pieces: list[bytes] = []
        while start < last:
            try:
                piece = self.reader(start, last - start)
            except OSError as fault:
                raise make_error("LX302", self.name, why=fault.strerror) from None
            if not piece:
                raise make_error("LX303", self.name)
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes between two offsets piece by piece."""
        last = self.size if end is None else min(end, self.size)
        while start < last:
            piece = self.read(start, min(last, start + _PIECE_SIZE))
            yield piece
            start += len(piece)


def document_from_bytes(data: bytes, name: str = "") -> Document:
    """Return bytes in memory as a document.

    Args:
        data: the bytes.
        name: a name, for messages and for its suffix.
    """
    return Document(
        name=name, size=len(data), reader=lambda start, size: data[start : start + size]
    )


@contextmanager
def open_document(path: Path, name: str | None = None) -> Iterator[Document]:
    """Open a file as a document.

    Args:
        path: the file.
        name: the name for messages; by default the path.

    Raises:
        DocumentError: it does not exist, cannot be read, or is not a regular file.
    """
    name = str(path) if name is None else name
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except (OSError, ValueError) as fault:  # a zero byte, half of a character
        why = fault.strerror if isinstance(fault, OSError) else fault
        raise make_error("LX301", name, why=why) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            is_folder = stat.S_ISDIR(status.st_mode)
            other = "it is not a regular file"
            why = "it is a folder; name one with --folder" if is_folder else other
            raise make_error("LX301", name, why=why)
        make_document = partial(Document, name=name, size=status.st_size, stamp=make_stamp(status))
        if hasattr(os, "pread"):
            yield make_document(reader=lambda start, size: os.pread(descriptor, size, start))
            return
    finally:
        os.close(descriptor)
    # Windows has no pread, and cannot replace an open file: each read opens it anew.

    def read_file(start: int, size: int) -> bytes:
        with path.open("rb") as stream:
            stream.seek(start)
            return stream.read(size)

    yield make_document(reader=read_file)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Edit:
    """Replacement of bytes by others.

    Attributes:
        start: the offset of the first replaced byte.
        end: the offset after the last one; equal to ``start`` for insertions.
        new: the new bytes.
    """

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Edits of a document, with findings on it.

    Attributes:
        edits: in the order of their positions, apart from each other; none without a change.
        findings: warnings and notes.
    """

    edits: tuple[Edit, ...] = ()
    findings: tuple[Finding, ...] = ()


def apply_edits(document: Document, edits: Sequence[Edit]) -> bytes:
    """Return all bytes of a small edited document; see `preview_edits`."""
    return preview_edits(document, edits).read()


def preview_edits(document: Document, edits: Sequence[Edit]) -> Document:
    """Return an edited document without copying it; the document must stay open.

    Raises:
        ValueError: edits overlap, are out of order or lie outside of the document.
    """
    ends = [0, *(offset for edit in edits for offset in (edit.start, edit.end)), document.size]
    if any(one > other for one, other in pairwise(ends)):
        raise ValueError("edits overlap, or lie outside of the document")
    pieces: list[tuple[bytes | None, int, int]] = []  # new bytes, or a stretch of the document
    done = 0
    for edit in edits:
        pieces += [(None, done, edit.start), (edit.new, 0, len(edit.new))]
        done = edit.end
    pieces = [each for each in (*pieces, (None, done, document.size)) if each[2] > each[1]]
    starts = [0, *accumulate(end - start for _, start, end in pieces)]

    def read_some(start: int, size: int) -> bytes:
        at = bisect_right(starts, start) - 1
        data, first, end = pieces[at]
        first += start - starts[at]
        count = min(size, end - first)
        return document.reader(first, count) if data is None else data[first : first + count]

    return Document(name=document.name, size=starts[-1], reader=read_some)


def replace_own_edits(
    document: Document, removal: Sequence[Edit], addition: Callable[[Document], Change]
) -> Change:
    """Replace an earlier addition, which is removed by some edits, as if it had never been there.

    The change has one edit, from the first to the last byte concerned; none without a difference.
    """
    if not removal:
        return addition(document)
    bare = preview_edits(document, removal)
    change = addition(bare)
    result = preview_edits(bare, change.edits)
    # Bytes in front of the first edit and after the last one stay.
    start = min([removal[0].start, *(each.start for each in change.edits)])
    rest = min([document.size - removal[-1].end, *(bare.size - each.end for each in change.edits)])
    old, new = document.read(start, document.size - rest), result.read(start, result.size - rest)
    if old == new:
        return replace(change, edits=())
    return replace(change, edits=(Edit(start=start, end=document.size - rest, new=new),))


class Notation(StrEnum):
    """Notation of a statement in a document."""

    META = "meta"
    """``meta name`` and ``link rel`` of an HTML head: Dublin Core, and relations of links."""
    RDFA = "rdfa"
    MICRODATA = "microdata"
    JSON_LD = "json-ld"
    AKOMA_NTOSO = "akoma-ntoso"
    LEXML = "lexml"
    NIR = "nir"
    XMP = "xmp"
    PDF_INFO = "pdf-info"
    OPF = "opf"
    ODF = "odf"
    OOXML = "ooxml"
    SIDECAR = "sidecar"
    """JSON-LD file beside the document, written by lexurn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Statement in a document.

    Attributes:
        notation: its notation.
        subject: the IRI of the subject; None for the document itself.
        term: the IRI of the property.
        value: the value as written, without surrounding blanks.
        is_iri: whether the value is an IRI (of a link), not a text.
        language: the language of a text as written, or None.
        datatype: the IRI of the datatype of a text, or None.
        line: the line, from 1; 0 where there are no lines.
        is_embedded: whether it is in a block that lexurn wrote.
    """

    notation: Notation
    subject: str | None = None
    term: str
    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None
    line: int = 0
    is_embedded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Statements and findings read from a document.

    Attributes:
        statements: the statements, in the order of the document.
        findings: faults of their notation.
    """

    statements: tuple[Statement, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFormat:
    """Document format.

    All functions raise `DocumentError` where a document cannot be read, cannot contain the name, or
    would be damaged. None of them writes files.

    Attributes:
        key: a short stable name: ``html``.
        label: its name for people: ``HTML``.
        suffixes: suffixes of such files, with their dots, lower case.
        media_types: media types of such files; a name of a file form must have one of them.
        takes_partitions: whether a document may be a part on its own (``~art3``).
        embed: returns the change that embeds a name or replaces the embedded one; without edits
            where it is up to date. The last argument allows breaking a signature.
        remove: returns the change that removes all that lexurn embedded.
        read: returns the statements of a document.
    """

    key: str
    label: str
    suffixes: frozenset[str]
    media_types: frozenset[str]
    takes_partitions: bool = False
    embed: Callable[[Document, DocumentMetadata, bool], Change]
    remove: Callable[[Document, bool], Change]
    read: Callable[[Document], Reading]


_MAX_TEXT = 10_000
_MAX_REASON = 200
_MAX_FINDINGS = 1_000
_MAX_SHOWN = 200


class DocumentError(LexurnError, ValueError):
    """Error of a document that cannot be read or changed.

    Attributes:
        finding: the fault, its location and its remedy.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.location}: {finding.code}: {finding.message}")
        self.finding = finding

    def __reduce__(self) -> tuple[type[DocumentError], tuple[Finding]]:
        """Return what pickle needs: the class and the finding."""
        return type(self), (self.finding,)


def make_finding(
    code: str,
    file: str,
    *,
    line: int = 0,
    text: str = "",
    suggestion: str | None = None,
    **values: object,
) -> Finding:
    """Return the finding of a code on a document; the values are for the placeholders in it.

    The line is 0 where the whole document is meant. A long text is cut.
    """
    text = text[:_MAX_TEXT]
    return findings.make_finding(
        code, named=values, file=file, line=line, text=text, end=len(text), suggestion=suggestion
    )


def make_error(code: str, file: str, **values: Any) -> DocumentError:
    """Return the error with the finding of a code on a document; see `make_finding`."""
    return DocumentError(make_finding(code, file, **values))


def make_crash_finding(file: str, fault: Exception) -> Finding:
    """Return the finding that lexurn itself failed, by an unexpected exception."""
    reason = f"{type(fault).__name__}: {fault}"[:_MAX_REASON].replace("\n", " ")
    return make_finding("LX308", file, why=reason)


def make_disk_error(fault: sqlite3.Error | OSError) -> DocumentError:
    """Return the error that the temporary folder cannot be written."""
    return make_error("LX358", tempfile.gettempdir(), why=fault)


def shorten_text(text: str) -> str:
    """Return a text as messages show it, cut after 200 characters."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


class FindingList:
    """Findings on one document, each once, up to a limit."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: dict[Finding, None] = {}

    @property
    def is_full(self) -> bool:
        """True if the limit is reached, so that no more findings are added."""
        return len(self._found) >= _MAX_FINDINGS

    def take(self, found: Finding) -> None:
        """Add a finding."""
        if not self.is_full:
            self._found[found] = None

    def find(
        self, code: str, line: int, text: str, *, suggestion: str | None = None, **values: object
    ) -> None:
        """Add the finding of a code; its message may show the text as ``{what}``."""
        values = {"what": shorten_text(text), **values}
        self.take(
            make_finding(code, self.file, line=line, text=text, suggestion=suggestion, **values)
        )

    def all(self) -> tuple[Finding, ...]:
        """Return all findings, sorted by line."""
        return tuple(sorted(self._found, key=lambda each: each.line))
