"""Sidecars: files beside a document that say its name, for what cannot take one.

Beside ``act.bin`` lie ``act.bin.lexurn.ttl`` and ``act.bin.lexurn.jsonld``. They are lexurn's own,
and each run writes them anew where they differ; what others have put there stays.
"""

from __future__ import annotations

from contextlib import suppress
from os.path import islink, lexists
from typing import TYPE_CHECKING, NamedTuple

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


class Difference(NamedTuple):
    """A sidecar that is to change: its path, what to call it, its new text; None where it goes."""

    path: Path
    called: str
    text: bytes | None


Differences = tuple[Difference, ...]


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


def sidecar_change(path: Path, called: str, texts: Iterable[bytes] | None) -> Differences:
    """The sidecars of a file that differ from what they should say.

    Args:
        path: the file.
        called: what to call it.
        texts: what they should say; None where none should be there. Then what others have put in
            their place is none.

    Raises:
        EmbeddingError: somebody else's file is in the place of one.
    """
    if texts is None:
        gone = ((each, _called(each, path, called)) for each in sidecars_of(path))
        return tuple(
            Difference(each, shown, None) for each, shown in gone if _is_own(each, _held(each))
        )
    return tuple(_differing(path, called, texts))


def own_change(path: Path, called: str) -> Differences:
    """That a file which is a sidecar itself goes, if it is lexurn's; see `sidecar_change`."""
    return (Difference(path, called, None),) if _is_own(path, _held(path)) else ()


def _called(sidecar: Path, path: Path, called: str) -> str:
    return called + sidecar.name.removeprefix(path.name)


def _differing(path: Path, called: str, texts: Iterable[bytes]) -> Iterator[Difference]:
    for sidecar, text in zip(sidecars_of(path), texts, strict=True):
        shown, held = _called(sidecar, path, called), _held(sidecar)
        if held == text:
            continue
        if held is not None and not _is_own(sidecar, held):
            raise EmbeddingError(finding("LX316", shown))
        yield Difference(sidecar, shown, text)


def _is_own(path: Path, held: bytes | None) -> bool:
    """Whether what is there is lexurn's: a link is not, whatever it leads to."""
    return not islink(path) and _said(path, held) is not None  # noqa: PTH114 - as `lexists`


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
    """Write sidecars, and delete those that should not be there: all of them, or none.

    Raises:
        EmbeddingError: the disk refuses; as far as it lets them, they are as they were.
    """
    done: list[Difference] = []
    try:
        for each in change:
            before = each._replace(text=_held(each.path))
            _check_own(before)
            _write(each)
            done.append(before)
    except EmbeddingError:
        with suppress(EmbeddingError):
            for before in done:  # two that say different names would both be believed
                _write(before)
        raise


def _check_own(there: Difference) -> None:
    """Make sure that nobody has put anything else there meanwhile.

    Raises:
        EmbeddingError: somebody has.
    """
    if there.text is not None and not _is_own(there.path, there.text):
        raise EmbeddingError(finding("LX316", there.called))


def _write(change: Difference) -> None:
    path, called, text = change
    if text is not None:
        write_file(path, text, called, path.with_name(str(document_beside(path.name))))
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as fault:
        raise EmbeddingError(finding("LX304", called, why=fault.strerror)) from None


def sidecar_diff(change: Differences) -> bytes:
    """What changes in sidecars, as a unified diff."""
    return b"".join(diff_of_texts(called, _held(path), text) for path, called, text in change)
