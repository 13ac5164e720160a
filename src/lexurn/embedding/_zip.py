"""Edits of ZIP containers: some members get another content, all others stay byte for byte.

A member is changed where it lies, and keeps what it was (`_zip_kept`); members that lexurn adds
come behind all others; the directory and the end records are written anew for the new places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._edit import Change, Edit
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._zip_kept import Kept, kept_by, kept_in, packed_record
from lexurn.embedding._zip_structure import broken, entry_of
from lexurn.embedding._zip_xml import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._zip_members import Container, Member
    from lexurn.embedding._zip_structure import Entry

__all__ = ["State", "change_of", "changed", "needed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A member with nothing of ours, and as it is to be.

    Attributes:
        base: what it holds without what lexurn put in; None where there is no member then.
        wanted: what it is to hold; None where there is to be none.
    """

    base: bytes | None
    wanted: bytes | None


def changed(
    container: Container, states: Mapping[str, State]
) -> tuple[tuple[Edit, ...], tuple[DocumentFinding, ...]]:
    """The edits that bring members into a state; none where all are in it.

    Args:
        container: the container.
        states: what is to become of which members; all others stay.

    Raises:
        EmbeddingError: the container cannot be changed.
    """
    records: dict[str, Kept | None] = {}
    findings: list[DocumentFinding] = []
    for name, state in states.items():
        if _is_so(container, name, state):
            continue
        record = _record(container, name, state)
        records[name] = record
        if record is not None and state.wanted == state.base and record.is_new:
            findings.append(finding("LX369", container.document.name, member=name))
    return (_edits(container, records) if records else ()), tuple(findings)


def _is_so(container: Container, name: str, state: State) -> bool:
    """Whether a member is in a state; a program may have laid it out anew in a save."""
    content, wanted = container.content(name), state.wanted
    if content == wanted:
        return True
    if content is None or wanted is None or state.base in {content, wanted}:
        return False
    now, then = (page_of(container.document, name, each) for each in (content, wanted))
    return now.substance == then.substance


def _record(container: Container, name: str, state: State) -> Kept | None:
    """A member in a state; None where there is to be none."""
    if state.wanted is None:
        return None
    member = container.by_name.get(name)
    if member is None:
        return packed_record(name.encode(), state.wanted, b"", None)
    kept = None if state.base is None else _kept(container, member, state.base)
    if state.wanted == state.base and kept is not None:
        return kept
    if kept is None and container.content(name) == state.base:
        kept = kept_by(container, member)
    old = member.entry.data if kept is None else kept.entry
    extra = b"" if kept is None or state.wanted == state.base else kept.field
    return packed_record(member.entry.name, state.wanted, extra, old)


def _kept(container: Container, member: Member, base: bytes) -> Kept | None:
    """What a member keeps, where that is just what remains without what lexurn put in."""
    kept = kept_in(member)
    if kept is None or kept.content(container, member.entry.name) != base:
        return None
    return kept


def _edits(container: Container, records: Mapping[str, Kept | None]) -> tuple[Edit, ...]:
    """The edits that put records in the place of members, or behind all members."""
    document, trailer = container.document, container.trailer
    edits, entries = [], {}
    shift = 0
    for member in sorted(container.members, key=lambda each: each.start):
        entry: Entry | None = member.entry
        place = member.start + shift
        if member.name in records:
            record = records[member.name]
            edit = Edit(
                start=member.start,
                end=container.record_end(member),
                new=b"" if record is None else record.record,
            )
            edits.append(edit)
            shift += len(edit.new) - (edit.end - edit.start)
            entry = None if record is None else entry_of(document, record.entry)
        if entry is not None:
            entries[member.name] = entry.at(place)
    added = b""
    for name, record in records.items():
        if record is not None and name not in container.by_name:
            place = trailer.directory + shift + len(added)
            entries[name] = entry_of(document, record.entry).at(place)
            added += record.record
    names = [member.name for member in container.members]
    ordered = [entries[name] for name in dict.fromkeys((*names, *entries)) if name in entries]
    directory = b"".join(entry for entry in ordered if entry is not None)
    tail = trailer.moved(trailer.directory + shift + len(added), len(directory), len(ordered))
    if tail is None or None in ordered:
        broken(document, "it would need ZIP64 records, which it has not", "LX363")
    edits.append(Edit(start=trailer.directory, end=document.size, new=added + directory + tail))
    return tuple(edits)


def change_of(
    container: Container,
    states: Mapping[str, State],
    findings: Iterable[DocumentFinding],
    signature: str | None,
    *,
    is_forced: bool,
) -> Change:
    """The change that brings members into a state.

    Args:
        container: the container.
        states: what is to become of which members.
        findings: what there is to know already.
        signature: the member that has a signature of the document, None where it is not signed.
        is_forced: whether a signature may be broken.

    Raises:
        EmbeddingError: the container cannot be changed, or is signed.
    """
    edits, more = changed(container, states)
    told = [*findings, *more]
    if edits and signature is not None:
        code = "LX366" if is_forced else "LX365"
        told.append(finding(code, container.document.name, member=signature))
        if not is_forced:
            raise EmbeddingError(told[-1])
    return Change(edits=edits, findings=tuple(told))


def needed(container: Container, member: str, label: str) -> bytes:
    """The content of a member without which a document is none of its format.

    Raises:
        EmbeddingError: there is none, or it cannot be read.
    """
    content = container.content(member)
    if content is None:
        why = f"it has no {member}"
        raise EmbeddingError(finding("LX367", container.document.name, label=label, why=why))
    return content
