"""Sidecars: files beside a document that say its name, for what cannot take one.

Beside ``act.bin`` lie ``act.bin.lexurn.ttl`` and ``act.bin.lexurn.jsonld``. They are lexurn's own,
and each run writes them anew where they differ; what others have put there stays.
"""

from __future__ import annotations

from os.path import lexists
from typing import TYPE_CHECKING

from lexurn.embedding._diff import diff_of_texts
from lexurn.embedding._document import opened
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._sidecar_names import LARGEST, SUFFIXES, document_beside, sidecars_of
from lexurn.embedding._writing import write_file
from lexurn.model import Family, Record, families_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lexurn.embedding._sidecar_reading import Sidecar
    from lexurn.name import Name

__all__ = [
    "Differences",
    "own_change",
    "read_beside",
    "sidecar_change",
    "sidecar_diff",
    "sidecar_texts",
    "write_sidecars",
]

Differences = tuple[tuple["Path", bytes | None], ...]
"""Paths of sidecars, and what they are to hold; None where they go."""


def sidecar_texts(
    name: Name, records: Family | Iterable[Record], base: str | None
) -> tuple[bytes, ...]:
    """What the sidecars of a file say, in the order of `SUFFIXES`.

    Args:
        name: the name of the file.
        records: what is known.
        base: the base of HTTP URIs; None where the names have none.
    """
    from lexurn.embedding._lasting import lasting_statements  # noqa: PLC0415 - few files need it
    from lexurn.graph import Format, write  # noqa: PLC0415 - as above

    said = lasting_statements(_family(name, records), name, base)
    return tuple(write(said, Format.from_name(form)) for form in SUFFIXES.values())


def _family(name: Name, records: Family | Iterable[Record]) -> Family:
    if isinstance(records, Family) and records.record(name) is not None:
        return records
    known = records.records if isinstance(records, Family) else tuple(records)
    if all(record.name != name for record in known):
        known = (*known, Record(name=name))
    return next(each for each in families_of(known) if each.record(name) is not None)


def sidecar_change(path: Path, texts: Iterable[bytes] | None) -> Differences:
    """The sidecars of a file that differ from what they should say: their paths and texts.

    Args:
        path: the file.
        texts: what they should say; None where none should be there. Then what others have put in
            their place is none.

    Raises:
        EmbeddingError: somebody else's file is in the place of one.
    """
    sidecars = sidecars_of(path)
    if texts is None:
        return tuple((each, None) for each in sidecars if _is_own(each, _held(each)))
    return tuple(_differing(sidecars, texts))


def own_change(path: Path) -> Differences:
    """That a file which is a sidecar itself goes, if it is lexurn's; see `sidecar_change`."""
    return ((path, None),) if _is_own(path, _held(path)) else ()


def _differing(
    sidecars: Iterable[Path], texts: Iterable[bytes]
) -> Iterator[tuple[Path, bytes | None]]:
    for path, text in zip(sidecars, texts, strict=True):
        held = _held(path)
        if held == text:
            continue
        if held is not None and not _is_own(path, held):
            raise EmbeddingError(finding("LX316", str(path)))
        yield path, text


def _is_own(path: Path, held: bytes | None) -> bool:
    return _said(path, held) is not None


def _said(path: Path, held: bytes | None) -> Sidecar | None:
    """What a sidecar says that is there; None for none, and for what is somebody else's."""
    if held is None:
        return None
    from lexurn.embedding._sidecar_reading import sidecar_of  # noqa: PLC0415 - few files need it

    return sidecar_of(held, path.name)


def _held(path: Path) -> bytes | None:
    """What is there; nothing is in what is no file, or none that could be lexurn's."""
    if not lexists(path):
        return None
    try:
        with opened(path) as document:
            return document.read() if document.size <= LARGEST else b""
    except EmbeddingError:
        return b""


def read_beside(path: Path) -> tuple[Path, Sidecar] | None:
    """What is said of a file beside it, and where; of a sidecar, what it says itself."""
    is_one = document_beside(path.name) is not None
    for each in (path,) if is_one else sidecars_of(path):
        said = _said(each, _held(each))
        if said is not None:
            return each, said
    return None


def write_sidecars(change: Differences) -> None:
    """Write sidecars, and delete those that should not be there.

    Raises:
        EmbeddingError: the disk refuses.
    """
    for path, text in change:
        if text is not None:
            write_file(path, text)
            continue
        try:
            path.unlink(missing_ok=True)
        except OSError as fault:
            raise EmbeddingError(finding("LX304", str(path), why=fault.strerror)) from None


def sidecar_diff(change: Differences) -> bytes:
    """What changes in sidecars, as a unified diff."""
    return b"".join(diff_of_texts(str(path), _held(path), text) for path, text in change)
