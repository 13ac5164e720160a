"""One file from beginning to end: what it is, what changes, and that it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os.path import islink, lexists
from typing import TYPE_CHECKING, Final

from lexurn.embedding._diff import diff_of
from lexurn.embedding._document import opened
from lexurn.embedding._edit import afterwards
from lexurn.embedding._findings import EmbeddingError, broken_down, finding
from lexurn.embedding._level import check_level
from lexurn.embedding._links import followed
from lexurn.embedding._outcome import Done, Outcome
from lexurn.embedding._sidecar import (
    Differences,
    own_change,
    sidecar_change,
    sidecar_diff,
    sidecar_texts,
    write_sidecars,
)
from lexurn.embedding._sidecar_names import document_beside
from lexurn.embedding._sniff import sniffed
from lexurn.embedding._writing import rewrite, write_copy
from lexurn.errors import LexurnError
from lexurn.export import marking_of
from lexurn.model import Family, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Change
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._format import Format
    from lexurn.embedding._sniff import Sniffed
    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["Manner", "Wish", "treat", "treated"]

_ENCRYPTED: Final = "LX361"
_SEALED: Final = frozenset({"LX339", "LX341", "LX347", "LX348", _ENCRYPTED, "LX365"})
"""Why a sound file takes no name: it is signed, encrypted or full. Files beside it do no harm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be said in a file.

    Attributes:
        name: its name; None where the one that lexurn put in is to be taken out.
        records: what is known of the name and its kin.
        base: the base of HTTP URIs; None where the names have none.
    """

    name: Name | None
    records: Family | tuple[Record, ...] = ()
    base: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How files are treated.

    Attributes:
        writes: whether anything is written; else it is only said what would be.
        target: where the result goes; None for the place of the file itself.
        is_forced: whether a signature may be broken.
        takes_sidecars: whether files that cannot take a name get others beside them.
        keeps_times: whether files keep their times.
        shows_diff: whether it is shown what changes.
    """

    writes: bool = False
    target: Path | None = None
    is_forced: bool = False
    takes_sidecars: bool = False
    keeps_times: bool = False
    shows_diff: bool = False


def treated(file: Path, wish: Wish, manner: Manner, folder: Path | None = None) -> Outcome:
    """What becomes of a file; what stands in the way is a finding, whatever it is.

    Args:
        file: the file.
        wish: what is to be said in it.
        manner: how.
        folder: the folder that it must lie in, links followed; None for any.
    """
    try:
        return treat(file, wish, manner, folder)
    except EmbeddingError as error:
        found = error.finding
    except LexurnError as fault:
        found = finding("LX309", str(file), why=str(fault).rstrip("."))
    except Exception as fault:  # noqa: BLE001 - one file does not stop a thousand others
        found = broken_down(str(file), fault)
    return Outcome(file=str(file), name=wish.name, done=Done.REFUSED, findings=(found,))


def treat(file: Path, wish: Wish, manner: Manner, folder: Path | None = None) -> Outcome:
    """What becomes of a file; see `treated`.

    Raises:
        EmbeddingError: it cannot be read or written, or cannot take the name.
    """
    path = followed(file, folder)
    if document_beside(path.name) is not None:
        return _left_behind(file, path, wish, manner)
    with opened(path, str(file)) as shown:
        found = sniffed(shown)
        if found.format is not None:
            try:
                return _inside(shown, path, found, found.format, wish, manner)
            except EmbeddingError as error:
                if not _may_be_beside(error.finding.code, wish, manner):
                    raise
                if wish.name is None:
                    encrypted = finding("LX359", str(file))
                    outcome = _beside(shown, path, found, wish, manner)
                    return replace(outcome, findings=(encrypted, *outcome.findings))
        return _beside(shown, path, found, wish, manner)


def _may_be_beside(code: str, wish: Wish, manner: Manner) -> bool:
    """Whether a file that is refused has its name beside it, or is to get it there."""
    if wish.name is None:
        return code == _ENCRYPTED  # what lexurn put in before is no more to be seen
    return manner.takes_sidecars and code in _SEALED


def _left_behind(file: Path, path: Path, wish: Wish, manner: Manner) -> Outcome:
    """A sidecar whose document is gone: away with it, if that is what is asked for.

    Raises:
        EmbeddingError: it takes no name, or its document is there.
    """
    document = path.with_name(str(document_beside(path.name)))
    if wish.name is not None or manner.target is not None or lexists(document):
        raise EmbeddingError(finding("LX315", str(file), document=document.name))
    change = own_change(path, str(file))
    if manner.writes:
        write_sidecars(change)
    return Outcome(
        file=str(file),
        done=Done.SIDECAR if change else Done.UNCHANGED,
        is_written=manner.writes and bool(change),
        diff=sidecar_diff(change) if manner.shows_diff else b"",
    )


def _inside(
    document: Document, path: Path, found: Sniffed, format: Format, wish: Wish, manner: Manner
) -> Outcome:
    """The name into the document itself, or out of it."""
    change = _change(document, format, wish, manner)
    # A name that is in the document, or is to be none, is not said beside it.
    stale = sidecar_change(*_place(document, path, manner), None)
    diff = b""
    if manner.shows_diff:
        diff = diff_of(document, change.edits, format) + sidecar_diff(stale)
    said: tuple[DocumentFinding, ...] = ()
    is_written = False
    if manner.writes and manner.target is not None:
        times = manner.keeps_times
        said = write_copy(document, path, change.edits, manner.target, keeps_times=times)
        is_written = True
    elif manner.writes and change.edits:
        said = rewrite(document, path, change.edits, keeps_times=manner.keeps_times)
        is_written = True
    if manner.writes:
        said += _settled(stale, is_written=is_written)
    return Outcome(
        file=document.name,
        name=wish.name,
        format=format.key,
        done=_done(wish) if change.edits else Done.SIDECAR if stale else Done.UNCHANGED,
        is_written=is_written or (manner.writes and bool(stale)),
        findings=(*found.findings, *change.findings, *said, *_withdrawn(document, wish)),
        diff=diff,
    )


def _settled(change: Differences, *, is_written: bool) -> tuple[DocumentFinding, ...]:
    """Sidecars written or deleted, and what stands in the way of that where a document is written.

    Raises:
        EmbeddingError: something stands in the way, and nothing is written.
    """
    try:
        write_sidecars(change)
    except EmbeddingError as fault:
        if not is_written:
            raise
        return (fault.finding,)
    return ()


def _place(document: Document, path: Path, manner: Manner) -> tuple[Path, str]:
    """Where the result goes, and what to call it; beside a link there is nothing."""
    if manner.target is not None:
        return manner.target, str(manner.target)
    is_link = islink(document.name)  # noqa: PTH114 - no error where it may not be looked at
    return path, str(path) if is_link else document.name


def _done(wish: Wish) -> Done:
    return Done.REMOVED if wish.name is None else Done.EMBEDDED


def _change(document: Document, format: Format, wish: Wish, manner: Manner) -> Change:
    if wish.name is None:
        return format.remove(document, manner.is_forced)
    check_level(document.name, wish.name, format, _records(wish))
    marking = marking_of(wish.name, wish.records, base=wish.base)
    change = format.embed(document, marking, manner.is_forced)
    _check_way_back(document, format, change)
    return change


def _check_way_back(document: Document, format: Format, change: Change) -> None:
    """Make sure that a name can be taken out again, before it is put in.

    Raises:
        EmbeddingError: the document is then larger, or has more parts, than is read.
    """
    if not change.edits:
        return
    try:
        format.remove(afterwards(document, change.edits), True)
    except EmbeddingError as fault:
        why = f"with the name in it, it could not be taken out again: {fault.finding.message}"
        raise EmbeddingError(finding("LX341", document.name, why=why)) from None


def _records(wish: Wish) -> Iterable[Record]:
    return wish.records.records if isinstance(wish.records, Family) else wish.records


def _withdrawn(document: Document, wish: Wish) -> Iterator[DocumentFinding]:
    """That the name, or one above it, is withdrawn."""
    if wish.name is None:
        return
    lineage = {wish.name, *wish.name.ancestors()}
    for record in _records(wish):
        if record.name in lineage and record.status is Status.WITHDRAWN:
            day = "" if record.withdrawn_on is None else f" on {record.withdrawn_on}"
            yield finding("LX399", document.name, text=str(wish.name), name=record.name, day=day)


def _beside(document: Document, path: Path, found: Sniffed, wish: Wish, manner: Manner) -> Outcome:
    """The name into sidecars, or these away; the document stays as it is."""
    if wish.name is not None and not manner.takes_sidecars:
        raise EmbeddingError(finding("LX313", document.name, what=found.what))
    texts = None if wish.name is None else sidecar_texts(wish.name, wish.records, wish.base)
    change = sidecar_change(*_place(document, path, manner), texts)
    diff = sidecar_diff(change) if manner.shows_diff else b""
    said: tuple[DocumentFinding, ...] = ()
    if manner.writes:
        if manner.target is not None:
            said = write_copy(document, path, (), manner.target, keeps_times=manner.keeps_times)
        said += _settled(change, is_written=manner.target is not None)
    return Outcome(
        file=document.name,
        name=wish.name,
        done=Done.SIDECAR if change else Done.UNCHANGED,
        is_written=manner.writes and (bool(change) or manner.target is not None),
        findings=(*said, *_withdrawn(document, wish)),
        diff=diff,
    )
