"""Where manifests come from: files, standard input, streams; and which format they are in."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from lexurn.errors import ManifestError
from lexurn.manifest._csv import open_csv
from lexurn.manifest._jsonl import JsonlTable
from lexurn.manifest._lines import Lines, read_block
from lexurn.manifest._spool import on_disk
from lexurn.manifest._table import EXTENSIONS, TableFormat

if TYPE_CHECKING:
    from contextlib import ExitStack

    from lexurn.manifest._plan import Plan
    from lexurn.manifest._table import Table

__all__ = ["Source", "is_file", "open_table"]

Source = str | Path | BinaryIO

_PARQUET = b"PAR1"
_SAVE = "save the table as CSV in UTF-8"
_STRANGERS = (
    (b"\xff\xfe", f"is UTF-16 or UTF-32; {_SAVE}"),
    (b"\xfe\xff", f"is UTF-16; {_SAVE}"),
    (b"\x00\x00\xfe\xff", f"is UTF-32; {_SAVE}"),
    (b"PK\x03\x04", f"is a spreadsheet or another ZIP file; {_SAVE}"),
    (b"\xd0\xcf\x11\xe0", f"is an old spreadsheet; {_SAVE}"),
    (b"\x1f\x8b", "is compressed; unpack it, for example: gunzip -c FILE | lexurn ... -"),
    (_PARQUET, "is Parquet; say so: format parquet"),
)


class _Opened(NamedTuple):
    file: str
    stream: BinaryIO
    head: bytes


def open_table(source: Source, stated: str | None, plan: Plan, stack: ExitStack) -> Table:
    """A source as a table, open at its first row.

    Args:
        source: a path, ``-`` for standard input, or a stream of bytes.
        stated: ``csv``, ``jsonl`` or ``parquet``; None to go by the extension, or by the first
            bytes of what has none.
        plan: what its columns mean.
        stack: closes the file in the end.

    Raises:
        ManifestError: it cannot be read, or not as a manifest.
        MissingExtraError: Parquet without pyarrow.
    """
    opened = _open(source, stack)
    kind = _format_of(opened) if stated is None else _format_named(stated)
    if kind is TableFormat.PARQUET:
        from lexurn.manifest._parquet import ParquetTable  # noqa: PLC0415 -- needs an extra

        return ParquetTable(_seekable(opened, stack), opened.file, plan)
    for magic, what in _STRANGERS:
        if opened.head.startswith(magic):
            raise ManifestError(f"{opened.file}: {what}")
    lines = Lines(opened.stream, opened.file, opened.head)
    return JsonlTable(lines, plan) if kind is TableFormat.JSONL else open_csv(lines, plan)


def _format_named(name: str) -> TableFormat:
    try:
        return TableFormat(name)
    except ValueError:
        raise ManifestError(
            f'no format "{name}" for a manifest; there are {", ".join(TableFormat)}'
        ) from None


def _open(source: Source, stack: ExitStack) -> _Opened:
    if isinstance(source, str | Path):
        file = str(source)
        stream = _standard_input() if file == "-" else _open_file(file, stack)
    else:
        stream = source
        name = getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    return _Opened(file, stream, read_block(stream, file))


def _standard_input() -> BinaryIO:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise ManifestError("-: there is no standard input to read from")
    return cast("BinaryIO", stream)


def _open_file(file: str, stack: ExitStack) -> BinaryIO:
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise ManifestError(f"{file}: cannot be opened: {why}") from None


def _format_of(opened: _Opened) -> TableFormat:
    extension = Path(opened.file).suffix.lower() if opened.file != "-" else ""
    if extension in EXTENSIONS:
        return EXTENSIONS[extension]
    if opened.head.startswith(_PARQUET):
        return TableFormat.PARQUET
    start = opened.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        raise ManifestError(
            f"{opened.file}: is a JSON array; write one object a line instead (JSON Lines)"
        )
    return TableFormat.JSONL if start.startswith(b"{") else TableFormat.CSV


def _seekable(opened: _Opened, stack: ExitStack) -> BinaryIO:
    """The stream from its start; what cannot go back there is copied to a temporary file."""
    try:
        opened.stream.seek(0)
    except (OSError, ValueError, AttributeError):
        with on_disk():
            scratch = tempfile.TemporaryFile()  # noqa: SIM115 -- the stack closes it
            copy = stack.enter_context(scratch)
            copy.write(opened.head)
            shutil.copyfileobj(opened.stream, copy)
            copy.seek(0)
        return copy
    return opened.stream


def is_file(source: Source) -> bool:
    """Whether a source is a file by its name, which other processes can open too."""
    return isinstance(source, str | Path) and Path(source).is_file()
