"""Embedding of a name in one file, and its removal: from identification to the written file."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from os.path import islink, lexists
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn import pages
from lexurn.documents import sidecars
from lexurn.documents.changes import diff_edits, follow_link, write_document
from lexurn.documents.document import (
    Change,
    Document,
    DocumentError,
    DocumentFormat,
    make_crash_finding,
    make_error,
    make_finding,
    open_document,
    preview_edits,
)
from lexurn.documents.identification import identify_format
from lexurn.documents.names import check_level
from lexurn.documents.results import Outcome, OutcomeStatus
from lexurn.errors import LexurnError
from lexurn.model import Family, Record, Status
from lexurn.name import Name, normalize_base, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.findings import Finding


def embed(  # noqa: PLR0913 - options by name, each with a default
    file: str | Path,
    name: Name | str,
    records: Family | Iterable[Record] = (),
    *,
    base: str | None = None,
    output: str | Path | None = None,
    write: bool = True,
    force: bool = False,
    sidecar: bool = False,
    keep_times: bool = False,
) -> Outcome:
    """Embed a name in a document: HTML, XHTML, Akoma Ntoso, LexML, NIR, PDF, DOCX, ODT or EPUB.

    Only the bytes of lexurn's own block change; if the block is right already, nothing does. The
    file is replaced in one step. After any error it is unchanged.

    Args:
        file: the document.
        name: the name, at a level that fits the format.
        records: the family of the name, or any records, for titles, versions and licences.
        base: the base of HTTP URIs, for example ``https://law.example``; None for none.
        output: the file or folder for the result; None for the document itself. A link is followed
            inside its folder.
        write: whether anything is written; else the outcome only describes the change.
        force: whether the signature of a signed document may be broken.
        sidecar: whether a file that cannot contain a name gets a sidecar.
        keep_times: whether the file keeps its times.

    Raises:
        DocumentError: the document cannot be read, contain the name, or be written.
        NameSyntaxError: the name is not valid.
        TypeError: the name is None; `remove` removes names.
        ModelError: the records contradict each other.
        ValueError: the base is not valid.
    """
    check_base(base)
    if name is None:
        raise TypeError("Missing name. To remove an embedded name, call remove.")
    known = records if isinstance(records, Family) else tuple(records)
    request = EmbedRequest(
        name=parse(name) if isinstance(name, str) else name, records=known, base=base
    )
    options = EmbedOptions(
        writes=write,
        target=resolve_target(file, output),
        is_forced=force,
        takes_sidecars=sidecar,
        keeps_times=keep_times,
        shows_diff=not write,
    )
    return _change_file(Path(file), request, options)


def remove(
    file: str | Path,
    *,
    output: str | Path | None = None,
    write: bool = True,
    force: bool = False,
    keep_times: bool = False,
) -> Outcome:
    """Remove an embedded name from a document, and restore its former bytes.

    Args:
        file: the document.
        output: the file or folder for the result; None for the document itself. A link is followed
            inside its folder.
        write: whether anything is written; else the outcome only describes the change.
        force: whether a signature made after the embedding may be broken.
        keep_times: whether the file keeps its times.

    Raises:
        DocumentError: the document cannot be read, restored or written.
    """
    options = EmbedOptions(
        writes=write,
        target=resolve_target(file, output),
        is_forced=force,
        keeps_times=keep_times,
        shows_diff=not write,
    )
    return _change_file(Path(file), EmbedRequest(name=None), options)


def resolve_target(file: str | Path, output: str | Path | None) -> Path | None:
    """Return where a result is written; None for the document's own path.

    Args:
        file: the document.
        output: a file or a folder; None for the document itself.

    Raises:
        DocumentError: it is neither, or a link out of its folder, such as ``/dev/stdout``.
    """
    if output is None:
        return None
    text, path = os.fspath(output), Path(output)
    is_folder = os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long
    if not _is_path(text):
        raise make_error("LX304", text, why="it is not a file name")
    if text.endswith("/") and not is_folder:
        raise make_error("LX304", text, why="the folder does not exist")
    path = path / Path(file).name if is_folder else path
    if os.path.exists(path) and not path.is_file():  # noqa: PTH110 - Path.exists raises for a name that is too long
        raise make_error("LX304", str(path), why="it is not a regular file")
    target = follow_link(path)
    # A hard link of the document is another path.
    is_own = _is_path(os.fspath(file)) and os.path.realpath(target) == os.path.realpath(file)
    return None if is_own else target


def _is_path(text: str) -> bool:
    try:
        return bool(text) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def check_base(base: str | None) -> None:
    """Make sure that a base is valid.

    Raises:
        ValueError: it is not.
    """
    if base is not None:
        normalize_base(base)


_ENCRYPTED_CODE: Final = "LX361"
_SEALED_CODES: Final = frozenset(
    {"LX325", "LX339", "LX341", "LX347", "LX348", _ENCRYPTED_CODE, "LX365", "LX369"}
)
"""Codes of intact files that cannot contain a name, but may have a sidecar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedRequest:
    """Name to embed in a file, with its records.

    Attributes:
        name: the name; None to remove the embedded one.
        records: the records of the name and of related names.
        base: the base of HTTP URIs; None for none.
    """

    name: Name | None
    records: Family | tuple[Record, ...] = ()
    base: str | None = None

    @property
    def known(self) -> tuple[Record, ...]:
        """Records of all rows."""
        return self.records.records if isinstance(self.records, Family) else self.records


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedOptions:
    """Options of a change of files.

    Attributes:
        writes: whether files are written; else the outcome only describes the change.
        target: the path of the result; None for the file itself.
        is_forced: whether signatures may be broken.
        takes_sidecars: whether files that cannot contain a name get sidecars.
        keeps_times: whether files keep their times.
        shows_diff: whether the outcome includes a diff.
    """

    writes: bool = False
    target: Path | None = None
    is_forced: bool = False
    takes_sidecars: bool = False
    keeps_times: bool = False
    shows_diff: bool = False


def process_file(
    file: Path, request: EmbedRequest, options: EmbedOptions, folder: Path | None = None
) -> Outcome:
    """Embed or remove a name in one file; never raise, failures become findings.

    Args:
        file: the file.
        request: the name to embed.
        options: the options.
        folder: the folder that must contain it, links followed; None for any.
    """
    try:
        return _change_file(file, request, options, folder)
    except DocumentError as error:
        found = error.finding
    except LexurnError as fault:
        found = make_finding("LX309", str(file), why=str(fault).rstrip("."))
    except Exception as fault:  # noqa: BLE001 - one file does not stop a thousand others
        found = make_crash_finding(str(file), fault)
    return Outcome(
        file=str(file), name=request.name, status=OutcomeStatus.REFUSED, findings=(found,)
    )


def _change_file(
    file: Path, request: EmbedRequest, options: EmbedOptions, folder: Path | None = None
) -> Outcome:
    """Embed or remove a name in one file; see `process_file`.

    Raises:
        DocumentError: it cannot be read or written, or cannot contain the name.
    """
    path = follow_link(file, folder)
    is_removal = request.name is None
    if sidecars.find_sidecar_document(path.name) is not None:
        return _delete_orphan_sidecar(file, path, request, options)
    with open_document(path, str(file)) as document:
        found = identify_format(document)
        form = found.format
        change = Change(findings=found.findings)
        if form is not None:
            try:
                change = _plan_change(document, form, request, options)
                change = replace(change, findings=(*found.findings, *change.findings))
            except DocumentError as error:
                code, form = error.finding.code, None
                if is_removal and code == _ENCRYPTED_CODE:  # an embedded name cannot be seen
                    change = Change(findings=(make_finding("LX359", error.finding.file),))
                elif is_removal or not options.takes_sidecars or code not in _SEALED_CODES:
                    raise
                else:
                    change = Change()
        elif not is_removal and not options.takes_sidecars:
            raise make_error("LX313", document.name, what=found.what)
        text = None  # a document that can contain its name has no sidecar
        if form is None and request.name is not None:
            text = sidecars.make_sidecar(request.name, request.records, request.base)
        beside = path if options.target is None else options.target
        is_own = options.target is None and not islink(document.name)  # noqa: PTH114 - Path.is_symlink raises in a folder that may not be searched
        sidecar = sidecars.plan_sidecar(beside, document.name if is_own else str(beside), text)
        diff = b""
        if options.shows_diff:
            diff = b"" if form is None else diff_edits(document, change.edits, form)
            diff += sidecars.diff_sidecar(sidecar)
        is_written, notes = _write_change(document, path, change, sidecar, options)
        status = OutcomeStatus.UNCHANGED if sidecar is None else OutcomeStatus.SIDECAR
        if change.edits:
            status = OutcomeStatus.REMOVED if is_removal else OutcomeStatus.EMBEDDED
        return Outcome(
            file=document.name,
            name=request.name,
            format=None if form is None else form.key,
            status=status,
            is_written=is_written,
            findings=(*change.findings, *notes, *_find_withdrawn(document, request)),
            diff=diff,
        )


def _delete_orphan_sidecar(
    file: Path, path: Path, request: EmbedRequest, options: EmbedOptions
) -> Outcome:
    """Delete a sidecar whose document is gone, if that was requested; refuse all else."""
    document = path.with_name(str(sidecars.find_sidecar_document(path.name)))
    if request.name is not None or options.target is not None or lexists(document):
        raise make_error("LX315", str(file), document=document.name)
    change = sidecars.plan_sidecar_removal(path, str(file))
    if options.writes:
        sidecars.write_sidecar(change)
    return Outcome(
        file=str(file),
        status=OutcomeStatus.SIDECAR if change is not None else OutcomeStatus.UNCHANGED,
        is_written=options.writes and change is not None,
        diff=sidecars.diff_sidecar(change) if options.shows_diff else b"",
    )


def _plan_change(
    document: Document, format: DocumentFormat, request: EmbedRequest, options: EmbedOptions
) -> Change:
    """Return the change that embeds or removes a name, and make sure that it can be undone."""
    if request.name is None:
        return format.remove(document, options.is_forced)
    check_level(document.name, request.name, format, request.known)
    metadata = pages.make_document_metadata(request.name, request.records, base=request.base)
    change = format.embed(document, metadata, options.is_forced)
    if change.edits:
        try:
            format.remove(preview_edits(document, change.edits), True)
        except DocumentError as fault:
            why = f"an embedded name could not be removed again: {fault.finding.message}"
            raise make_error("LX341", document.name, why=why) from None
    return change


def _write_change(
    document: Document,
    path: Path,
    change: Change,
    sidecar: sidecars.SidecarChange | None,
    options: EmbedOptions,
) -> tuple[bool, tuple[Finding, ...]]:
    """Write a document and its sidecar, if requested; return whether that was needed, and notes."""
    if not options.writes:
        return False, ()
    findings: tuple[Finding, ...] = ()
    is_written = options.target is not None or bool(change.edits)
    if is_written:
        findings = write_document(
            document, path, change.edits, options.target, keeps_times=options.keeps_times
        )
    try:
        sidecars.write_sidecar(sidecar)
    except DocumentError as fault:
        if not is_written:
            raise
        findings += (fault.finding,)
    return is_written or sidecar is not None, findings


def _find_withdrawn(document: Document, request: EmbedRequest) -> Iterator[Finding]:
    """Yield a note for each withdrawn name among a name and those above it."""
    if request.name is None:
        return
    lineage = {request.name, *request.name.ancestors()}
    for record in request.known:
        if record.name in lineage and record.status is Status.WITHDRAWN:
            day = "" if record.withdrawn_on is None else f" on {record.withdrawn_on}"
            yield make_finding(
                "LX399", document.name, text=str(request.name), name=record.name, day=day
            )
