"""Sidecars: files beside a document that say its name, for what cannot take one.

Beside ``act.bin`` lie ``act.bin.lexurn.ttl`` and ``act.bin.lexurn.jsonld``. They are lexurn's own,
and each run writes them anew where they differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._diff import diff_of_texts
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._lasting import lasting_statements
from lexurn.embedding._writing import write_file
from lexurn.graph import Format, write
from lexurn.model import Family, Record, families_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from lexurn.name import Name

__all__ = [
    "SUFFIXES",
    "sidecar_change",
    "sidecar_diff",
    "sidecar_texts",
    "sidecars_of",
    "write_sidecars",
]

SUFFIXES: Final[Mapping[str, str]] = {".lexurn.ttl": "turtle", ".lexurn.jsonld": "jsonld"}
"""What is put behind a file's name, and the format of what it then holds."""


def sidecars_of(path: Path) -> tuple[Path, ...]:
    """The paths of the sidecars of a file."""
    return tuple(path.with_name(path.name + suffix) for suffix in SUFFIXES)


def sidecar_texts(
    name: Name, records: Family | Iterable[Record], base: str | None
) -> tuple[bytes, ...]:
    """What the sidecars of a file say, in the order of `SUFFIXES`.

    Args:
        name: the name of the file.
        records: what is known.
        base: the base of HTTP URIs; None where the names have none.
    """
    said = lasting_statements(_family(name, records), name, base)
    return tuple(write(said, Format.from_name(form)) for form in SUFFIXES.values())


def _family(name: Name, records: Family | Iterable[Record]) -> Family:
    if isinstance(records, Family) and records.record(name) is not None:
        return records
    known = records.records if isinstance(records, Family) else tuple(records)
    if all(record.name != name for record in known):
        known = (*known, Record(name=name))
    return next(each for each in families_of(known) if each.record(name) is not None)


def sidecar_change(
    path: Path, texts: Iterable[bytes | None]
) -> tuple[tuple[Path, bytes | None], ...]:
    """The sidecars of a file that differ from what they should say: their paths and texts.

    Args:
        path: the file.
        texts: what they should say; None for one that should not be there.

    Raises:
        EmbeddingError: one cannot be read.
    """
    wanted = zip(sidecars_of(path), texts, strict=True)
    return tuple((each, text) for each, text in wanted if _held(each) != text)


def _held(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise EmbeddingError(finding("LX301", str(path), why=fault.strerror)) from None


def write_sidecars(change: Iterable[tuple[Path, bytes | None]]) -> None:
    """Write sidecars, and delete those that should not be there.

    Raises:
        EmbeddingError: the disk refuses.
    """
    for path, text in change:
        if text is not None:
            write_file(path, text)
            continue
        try:
            path.unlink()
        except OSError as fault:
            raise EmbeddingError(finding("LX304", str(path), why=fault.strerror)) from None


def sidecar_diff(change: Iterable[tuple[Path, bytes | None]]) -> bytes:
    """What changes in sidecars, as a unified diff."""
    return b"".join(diff_of_texts(str(path), _held(path), text) for path, text in change)
