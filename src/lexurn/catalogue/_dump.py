"""A whole catalogue as one file of RDF, in canonical bytes and bounded memory."""

from __future__ import annotations

import gzip
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from lexurn.catalogue._about import STORE, is_catalogue
from lexurn.catalogue._dump_documents import document_of, statements_by_set
from lexurn.catalogue._sorted import sorted_lines
from lexurn.errors import CatalogueError, CatalogueUsageError, GraphError
from lexurn.files import writing
from lexurn.graph import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.catalogue._protocols import Store

__all__ = ["DUMP_FORMATS", "ByteSink", "dump", "refuse_inside_catalogue"]

DUMP_FORMATS: Final = (
    Format.NQUADS,
    Format.NTRIPLES,
    Format.TURTLE,
    Format.TRIG,
    Format.JSONLD,
)
"""The formats that a whole catalogue can be written in."""


class ByteSink(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""
        ...


def dump(
    store: Store,
    target: str | Path | ByteSink,
    format: str | Format | None = None,
    *,
    on_progress: Callable[[str, int], None] | None = None,
) -> int:
    """Write all that a store holds; the same quads give the same bytes.

    N-Quads and N-Triples are sorted by their bytes, none twice. Turtle, TriG and JSON-LD are one
    document with one alias set after the other, sorted by act. A file is written beside its place
    and moved there when it is whole; one that ends in ``.gz`` is packed, without time and name. A
    pipe or a device is written into.

    Args:
        store: the store.
        target: a path, or what bytes are written to.
        format: one of `DUMP_FORMATS` or its name; None to go by the path, N-Quads where it says
            nothing.
        on_progress: is told what is done and how far: ``reading`` statements, ``writing`` bytes.

    Returns:
        How many bytes were written, before they were packed.

    Raises:
        CatalogueError: the store cannot be read, the target not be written, there is no such
            format, or the target lies in the folder of a catalogue.
    """
    told = on_progress or _silent
    wanted = _format_of(target, format)
    pieces = _written(store, wanted, lambda count: told("reading", count))
    size = 0
    with _opened(target) as sink:
        for piece in pieces:
            sink.write(piece)
            size += len(piece)
            told("writing", size)
    return size


def refuse_inside_catalogue(path: Path) -> None:
    """Refuse a file among those that a catalogue is made of: it could take the place of one.

    Raises:
        CatalogueError: a folder above the file, links followed, is a catalogue.
    """
    for folder in Path(os.path.realpath(path)).parents:
        if is_catalogue(folder) and (folder / STORE).is_dir():
            raise CatalogueError(
                f"{path} cannot be written: {folder} is a catalogue, which keeps its own files "
                "there; name a file outside of it"
            )


def _format_of(target: object, format: str | Format | None) -> Format:
    wanted = format
    if wanted is None and isinstance(target, str | Path):
        wanted = Path(str(target).removesuffix(".gz")).suffix
    try:
        found = Format.from_name(wanted) if isinstance(wanted, str) and wanted else wanted
    except GraphError as unknown:
        raise CatalogueUsageError(f"{target}: {unknown}; say which one is meant") from None
    if not isinstance(found, Format):
        return Format.NQUADS
    if found not in DUMP_FORMATS:
        known = ", ".join(each.name.lower() for each in DUMP_FORMATS)
        raise CatalogueUsageError(f"{found.name} is no format for a catalogue; there are {known}")
    return found


def _written(store: Store, format: Format, told: Callable[[int], None]) -> Iterator[bytes]:
    pieces = store.dump()
    if format is Format.NQUADS:
        return sorted_lines(_counted(pieces, told))
    if format is Format.NTRIPLES:
        return sorted_lines(map(_without_graphs, _counted(pieces, told)))
    return document_of(statements_by_set(pieces, told), format)


def _counted(pieces: Iterable[bytes], told: Callable[[int], None]) -> Iterator[bytes]:
    count = 0
    for piece in pieces:
        yield piece
        count += piece.count(b"\n")
        told(count)


def _without_graphs(piece: bytes) -> bytes:
    lines = piece.split(b"\n")
    return b"".join(line[: line.rindex(b" <")] + b" .\n" for line in lines if line)


def _silent(_what: str, _count: int) -> None:
    """Say nothing."""


@contextmanager
def _opened(target: str | Path | ByteSink) -> Iterator[ByteSink]:
    """What bytes are written to; a file is there when it is whole.

    Raises:
        CatalogueError: it cannot be written.
    """
    if not isinstance(target, str | Path):
        yield target
        return
    path = Path(target)
    refuse_inside_catalogue(path)
    if path.is_dir() or not path.parent.is_dir():
        raise CatalogueError(f"{path}: no file can be written there; name one in a folder")
    try:
        with writing(path) as stream:
            with _packed(stream, is_wanted=path.suffix == ".gz") as sink:
                yield sink
            _keep(stream)
    except OSError as full:
        raise CatalogueError(f"{path}: cannot be written: {full.strerror or full}") from None


def _keep(stream: IO[bytes]) -> None:
    """Come back when a file would survive a power cut; a pipe or a device keeps nothing."""
    stream.flush()
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        os.fsync(stream.fileno())


@contextmanager
def _packed(stream: IO[bytes], *, is_wanted: bool) -> Iterator[ByteSink]:
    if not is_wanted:
        yield stream
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as sink:
        yield sink
