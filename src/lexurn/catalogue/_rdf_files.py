"""Where RDF comes from: files, standard input, streams, pieces; packed with gzip or not."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from lexurn.errors import CatalogueError, GraphError
from lexurn.graph import Format, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

__all__ = ["BrokenSourceError", "RdfInput", "RdfInputSource", "open_rdf"]

RdfInputSource = str | Path | IO[bytes] | Iterable[bytes]


class BrokenSourceError(Exception):
    """A source that cannot be read on: what is wrong, for people."""


class RdfInput(NamedTuple):
    """A source, open at its start.

    Attributes:
        file: how it was named, ``-`` for what has no name.
        format: the format of RDF.
        blocks: its bytes, unpacked.
    """

    file: str
    format: Format
    blocks: Iterator[bytes]

    @property
    def unit(self) -> str:
        """What its statements are numbered by: ``line`` where they are read by lines."""
        is_lines = self.format in {Format.NQUADS, Format.NTRIPLES}
        return "line" if is_lines else "statement"


def open_rdf(source: RdfInputSource, stated: str | None, stack: ExitStack) -> RdfInput:
    """Open a source.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or pieces of N-Quads whose
            lines are never cut.
        stated: the format by name; None to go by the extension, N-Quads where there is none.
        stack: closes the file in the end.

    Raises:
        CatalogueError: it cannot be opened, or nobody knows its format.
    """
    if isinstance(source, str | Path):
        file = str(source)
        stream = _standard_input() if file == "-" else _open_file(file, stack)
    elif hasattr(source, "read"):
        stream, name = cast("IO[bytes]", source), getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    else:
        return RdfInput("-", Format.NQUADS, iter(source))
    return RdfInput(file, _format_of(file, stated), _blocks(stream))


def _standard_input() -> IO[bytes]:
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise CatalogueError("-: there is no standard input to read from")
    return stream


def _open_file(file: str, stack: ExitStack) -> IO[bytes]:
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise CatalogueError(f"{file}: cannot be opened: {why}") from None


def _format_of(file: str, stated: str | None) -> Format:
    path = Path(file)
    extension = path.suffix if path.suffix.lower() != ".gz" else path.with_suffix("").suffix
    name = stated or extension
    if not name and file == "-":
        return Format.NQUADS
    try:
        return Format.from_name("rdf" if name.lower() in {"owl", ".owl"} else name)
    except GraphError as unknown:
        raise CatalogueError(f"{file}: {unknown}; say which one it is") from None


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a stream, unpacked, without a byte order mark.

    Raises:
        BrokenSourceError: they cannot be read on, or are not what they were packed from.
    """
    try:
        yield from unpacked(stream)
    except GraphError as broken:
        raise BrokenSourceError(str(broken)) from None
