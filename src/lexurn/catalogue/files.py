"""Files of a catalogue: folder, lock, durable writes, scratch folders, streams, sorting on disk."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from heapq import merge
from itertools import groupby, islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from lexurn.errors import CatalogueError, ManifestError
from lexurn.files import HAS_LOCKS, try_lock
from lexurn.name import normalize_base

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def write_durably(path: Path, text: str) -> None:
    """Write a file that survives a power cut from then on.

    Raises:
        OSError: it cannot be written; what was there is still there.
    """
    staged = path.with_name(f"{path.name}.new")  # a killed process may leave it
    with staged.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(path)
    if os.name == "posix":  # elsewhere folders cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


_LOCK_PAUSE: Final = 0.05


@contextmanager
def hold_lock(file: Path, *, write: bool, wait: float) -> Iterator[None]:
    """Hold the lock of a catalogue; the system lets go of it when the process ends in any way.

    Args:
        file: the lock file; made where it is absent.
        write: whether the lock excludes readers too.
        wait: how many seconds to wait for others.

    Raises:
        CatalogueError: others use the catalogue, or the file cannot be opened.
    """
    descriptor: int | None = None
    if not write:
        try:
            descriptor = os.open(file, os.O_RDONLY)
        except FileNotFoundError:
            pass
        except OSError as fault:
            raise CatalogueError(
                f"{file} cannot be opened ({fault.strerror}). Allow this account to read it, or "
                "use another account."
            ) from None
    if descriptor is None:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as fault:
            if write:
                raise CatalogueError(
                    f"{file.parent} cannot be written ({fault.strerror}: {file.name}). "
                    "Use an account that may write there, or a copy of the folder."
                ) from None
    if descriptor is None:  # it is absent and cannot be made: there nobody can write
        yield
        return
    try:
        _take_lock(descriptor, file, write=write, until=time.monotonic() + wait)
        yield
    finally:
        os.close(descriptor)


def _take_lock(descriptor: int, file: Path, *, write: bool, until: float) -> None:
    try:
        while not try_lock(descriptor, shared=not write):
            if time.monotonic() >= until:
                who = "another process uses it" if write else "another process writes to it"
                raise CatalogueError(
                    f"{file.parent} is in use: {who}. Try again when it is done, or use --wait."
                )
            time.sleep(_LOCK_PAUSE)
    except OSError as fault:
        raise CatalogueError(
            f"{file} cannot be locked ({fault.strerror}). Move the catalogue to a local disk: some "
            "network disks do not support file locks."
        ) from None


_MARKER_FORMAT: Final = 1
_MARKER_FILE: Final = "catalogue.json"
STORE_FOLDER: Final = "store"
INDEX_FILE: Final = "names.sqlite"
LOCK_FILE: Final = "lock"
_SNAPSHOT: Final = "snapshot-"
_OWN_FILES: Final = (
    *(_MARKER_FILE, LOCK_FILE, STORE_FOLDER, INDEX_FILE, "given.", "push-", _SNAPSHOT),
)
_HOLDS_OTHERS: Final = "contains other files. Name a new or an empty folder."
_REPAIR: Final = (
    'Write {"format": 1, "base": null} into it; if the catalogue was created with a base of HTTP '
    "URIs, write that instead of null."
)


def is_catalogue(folder: Path) -> bool:
    """Return whether a folder is a catalogue."""
    return (folder / _MARKER_FILE).is_file()


def refuse_inside_catalogue(path: Path) -> None:
    """Refuse a file inside the folder of a catalogue: it could replace one of its own.

    Raises:
        CatalogueError: a folder above the file, links followed, is a catalogue.
    """
    for folder in Path(os.path.realpath(path)).parents:
        if is_catalogue(folder) and (folder / STORE_FOLDER).is_dir():
            raise CatalogueError(
                f"{path} cannot be written: {folder} is a catalogue, which has its own files. "
                "Name a file outside of it."
            )


def make_folder(folder: Path) -> None:
    """Make a folder where there is none, and write nothing where other things are.

    Raises:
        CatalogueError: it cannot be made, or holds other things.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = () if is_catalogue(folder) else tuple(folder.iterdir())
    except FileExistsError:
        raise CatalogueError(f"{folder} is not a folder. Name a new or an empty one.") from None
    except OSError as fault:
        raise CatalogueError(f"{folder} cannot be created: {fault.strerror}") from None
    if any(not path.name.lstrip(".").startswith(_OWN_FILES) for path in held):
        raise CatalogueError(f"{folder} {_HOLDS_OTHERS}")


def make_catalogue(folder: Path, base: str | None) -> None:
    """Make a folder a catalogue where it is none yet.

    Args:
        folder: the folder.
        base: the start of HTTP-URI equivalents, or None.

    Raises:
        CatalogueError: it holds something else.
    """
    about = folder / _MARKER_FILE
    if about.is_file():
        return
    refuse_without_marker(folder)
    ours = (LOCK_FILE, f"{about.name}.new")
    held = (path.name for path in folder.iterdir())
    if any(name not in ours and not name.startswith("given.") for name in held):
        raise CatalogueError(f"{folder} {_HOLDS_OTHERS}")
    text = json.dumps({"format": _MARKER_FORMAT, "base": base}, indent=1)
    write_durably(about, f"{text}\n")


def refuse_without_marker(folder: Path) -> None:
    """Refuse a folder that was a catalogue, but has lost its marker file.

    Raises:
        CatalogueError: it has.
    """
    has_content = (folder / STORE_FOLDER).exists() or (folder / INDEX_FILE).exists()
    if has_content and not is_catalogue(folder):
        raise CatalogueError(f"{folder} lacks its file {_MARKER_FILE}. {_REPAIR}")


def read_base(folder: Path, asked: str | None = None) -> str | None:
    """Read the start of the HTTP-URI equivalents of a catalogue, None where it has none.

    Raises:
        CatalogueError: the file cannot be read, another version of lexurn wrote it, or it has
            another base than the one that is asked for.
    """
    version: object = None
    base: object = None
    try:
        with suppress(ValueError, TypeError, KeyError):
            about = json.loads((folder / _MARKER_FILE).read_text(encoding="utf-8"))
            version, base = about["format"], about["base"]
    except OSError as fault:
        raise CatalogueError(f"{folder / _MARKER_FILE} cannot be read: {fault.strerror}") from None
    if type(version) is not int or not isinstance(base, str | None):
        raise CatalogueError(f"{folder / _MARKER_FILE} is not a file that lexurn wrote. {_REPAIR}")
    if version != _MARKER_FORMAT:
        raise CatalogueError(
            f"{folder} was made by another version of lexurn (format {version}, not "
            f"{_MARKER_FORMAT}). Dump it with that version, and load the dump into a new catalogue."
        )
    if asked is not None and (base is None or normalize_base(asked) != normalize_base(base)):
        raise CatalogueError(
            f"{folder} was created with {f'the base {base}' if base else 'no base'}, which is in "
            "its graph. Load into a new catalogue to use another base."
        )
    return base


_SCRATCH_LOCK: Final = "lock"


def choose_scratch_folder() -> str:
    """Return the folder for temporary files: the one that the environment names, if it does.

    The standard library passes over a folder that cannot be written or is full, and fills another.
    """
    named = (os.environ.get(variable) for variable in ("TMPDIR", "TEMP", "TMP"))
    return next(filter(None, named), None) or tempfile.gettempdir()


@contextmanager
def explain_scratch_faults() -> Iterator[None]:
    """Explain why temporary files cannot be written.

    Raises:
        CatalogueError: they cannot.
    """
    try:
        yield
    except (OSError, sqlite3.Error, ManifestError) as full:
        raise CatalogueError(
            f"No temporary file can be written: {getattr(full, 'strerror', None) or full}. "
            "Free space in "
            f"{choose_scratch_folder()}, or set TMPDIR to a folder on a larger disk."
        ) from None


@contextmanager
def make_scratch_folder(prefix: str, parent: str | Path | None = None) -> Iterator[Path]:
    """Make a folder that is gone afterwards; delete those of killed processes first.

    Args:
        prefix: the start of its name; by it leftovers are found.
        parent: the folder that it is in; None for that of temporary files.

    Raises:
        CatalogueError: none can be made.
    """
    parent = parent or choose_scratch_folder()
    for left in Path(parent).glob(f"{prefix}*") if HAS_LOCKS else ():
        with suppress(OSError):
            descriptor = os.open(left / _SCRATCH_LOCK, os.O_RDWR)
            try:
                is_leftover = try_lock(descriptor)
            finally:
                os.close(descriptor)
            if is_leftover:
                shutil.rmtree(left, ignore_errors=True)
    try:
        folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    except OSError as fault:
        raise CatalogueError(
            f"No temporary folder can be created in {parent}: {fault.strerror}. Set TMPDIR to a "
            "folder that can be written."
        ) from None
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        # The lock file gets its name only when it is locked; the end of the process unlocks it.
        draft = Path(folder) / f"{_SCRATCH_LOCK}.new"
        with explain_scratch_faults():
            descriptor = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
        stack.callback(os.close, descriptor)
        with suppress(OSError):  # a disk without locks: a killed process leaves it for ever
            try_lock(descriptor)
            draft.rename(Path(folder) / _SCRATCH_LOCK)
        yield Path(folder)


_TABLE_FILES: Final = ".sst"
"""Suffix of files that the engine writes once."""


@contextmanager
def make_snapshot(store: Path) -> Iterator[Path | None]:
    """Make a folder with the files of a store as they are now, whatever is written later.

    Files that are written once are linked, the few others copied. The lock of the catalogue must be
    held. Yield None where this disk has no links, or the folder of the catalogue is read-only.
    """
    with ExitStack() as stack:
        try:
            scratch = stack.enter_context(make_scratch_folder(_SNAPSHOT, store.parent))
            folder = scratch / store.name
            folder.mkdir()
            for each in store.iterdir():
                make = os.link if each.suffix == _TABLE_FILES else shutil.copyfile
                make(each, folder / each.name)
        except (CatalogueError, OSError):
            stack.close()
            yield None
            return
        yield folder


class BlockStream(io.RawIOBase):
    """Stream of blocks of bytes, each of which is let go once it is read."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        """Take the blocks, which are asked for when they are needed."""
        self._blocks, self._open = iter(blocks), io.BytesIO()

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes into a buffer; return their number, 0 at the end."""
        while not (size := self._open.readinto(buffer)):
            block = next(self._blocks, None)
            self._open = io.BytesIO(block or b"")
            if block is None:
                break
        return size


_MANY_LINES: Final = 10_000
_MOST_HELD: Final = 1 << 25
_LINE_OVERHEAD: Final = 48
_SMALLEST_BLOCK: Final = 1 << 16


def sort_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Sort the lines of all pieces by their bytes, and yield each once, in pieces again.

    Lines end at line feeds. The order is that of the lines with their ends.

    Args:
        pieces: lines, never cut; the last one may lack its end.

    Raises:
        CatalogueError: the disk for temporary files is full.
    """
    with explain_scratch_faults():
        file = tempfile.TemporaryFile(dir=choose_scratch_folder())  # noqa: SIM115 - the next statement closes it
    with file:
        ends = [0]
        held: list[bytes] = []
        size = 0
        for piece in pieces:
            lines = io.BytesIO(piece).readlines()
            if lines and not lines[-1].endswith(b"\n"):
                lines[-1] += b"\n"
            held += lines
            size += len(piece) + _LINE_OVERHEAD * len(lines)
            if size >= _MOST_HELD:
                with explain_scratch_faults():
                    file.writelines(sorted(set(held)))
                    ends.append(file.tell())
                held, size = [], 0
        block = max(_SMALLEST_BLOCK, _MOST_HELD // len(ends))
        runs = [_read_lines(file, *span, block) for span in pairwise(ends)]
        merged = merge(*runs, sorted(set(held)))
        del held
        lines_once = map(itemgetter(0), groupby(merged))
        while some := tuple(islice(lines_once, _MANY_LINES)):
            yield b"".join(some)


def _read_lines(file: IO[bytes], start: int, end: int, block: int) -> Iterator[bytes]:
    """Yield the lines of a part of a file that others read too, some at a time."""
    while start < end:
        with explain_scratch_faults():
            file.seek(start)
            text = file.read(min(block, end - start))
            if not text.endswith(b"\n"):
                text += file.readline()
        start += len(text)
        yield from io.BytesIO(text)
