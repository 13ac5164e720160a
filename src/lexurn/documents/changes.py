"""Changes of documents: shown as diffs, and written to files.

A diff of a text has lines, which are bytes up to a line feed in any encoding, as ``patch`` has
them. So the result of ``patch`` is right byte for byte. That of other documents has statements.

A file is replaced as a whole or not at all, and only if no other program changed it. The new
content is written to a temporary file beside the old one and flushed to the disk. It gets the mode,
owner and attributes of the old file, by descriptor, and then replaces it in one step. Until that
step, and after any failure, the old file stays. Hard links keep the old content.
"""

from __future__ import annotations

import difflib
import errno
import io
import os
import re
import stat
from contextlib import contextmanager, suppress
from itertools import islice
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.documents.document import (
    OPEN_FLAGS,
    Document,
    DocumentError,
    Edit,
    make_error,
    make_finding,
    make_stamp,
    preview_edits,
)
from lexurn.files import combine_modes, replace_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.documents.document import DocumentFormat
    from lexurn.findings import Finding

_BINARY_FORMATS = frozenset({"pdf", "docx", "odt", "epub"})
_NO_FILE = "/dev/null"
_NO_NEWLINE = b"\n\\ No newline at end of file\n"
_QUOTED_BYTES = re.compile(rb'[\x00-\x1f\x7f"\\]')
_START_LINE = re.compile(rb"(?<=[-+])[0-9]+")
_CONTEXT_LINES = 3
_LONGEST_REACH = 1 << 20
"""Bytes around the edits in which lines are sought: pages of programs may be a single line."""


def diff_edits(document: Document, edits: Sequence[Edit], format: DocumentFormat) -> bytes:
    """Return the changes of edits to a document as a diff; empty without edits.

    For texts, it is a unified diff in the document's own bytes, which can be applied. For other
    documents and very long lines, it lists the statements of lexurn that change.
    """
    if not edits:
        return b""
    lines = None if format.key in _BINARY_FORMATS else diff_lines(document, edits)
    if lines is None:
        result = preview_edits(document, edits)
        before, after = (_list_own_statements(each, format) for each in (document, result))
        lines = [f"-{each}\n".encode() for each in before if each not in after]
        lines += [f"+{each}\n".encode() for each in after if each not in before]
    return _join_diff(document.name, document.name, lines)


def diff_texts(name: str, old: bytes | None, new: bytes | None) -> bytes:
    """Return the diff of a small text file; None stands for an absent file."""
    before, after = (split_lines(text or b"") for text in (old, new))
    was, becomes = (_NO_FILE if text is None else name for text in (old, new))
    return _join_diff(was, becomes, _format_hunks(before, after))


def _join_diff(was: str, becomes: str, lines: Iterable[bytes]) -> bytes:
    """Return a diff with file names quoted for ``patch``, which ends them at a blank or quote."""
    names = [os.fsencode(name) for name in (was, becomes)]
    for at, name in enumerate(names):
        if _QUOTED_BYTES.search(name):
            quoted = _QUOTED_BYTES.sub(lambda found: b"\\%03o" % ord(found[0]), name)
            names[at] = b'"%b"' % quoted
        elif b" " in name:
            names[at] = name + b"\t"
    return b"--- %b\n+++ %b\n%b" % (*names, b"".join(lines))


def _list_own_statements(document: Document, format: DocumentFormat) -> list[str]:
    """Return the statements that lexurn embedded in a document, if it can be read."""
    try:
        statements = format.read(document).statements
    except DocumentError:
        return []
    return [
        f"{each.notation}: {each.term} {each.value}{f' ({each.language})' if each.language else ''}"
        for each in statements
        if each.is_embedded
    ]


def diff_lines(document: Document, edits: Sequence[Edit]) -> list[bytes] | None:
    """Return the lines of a unified diff, without the two of file names.

    Only the edits and the lines around them are held in memory.

    Returns:
        The lines, each with its end; None for very long lines, or edits far apart.
    """
    start, end = edits[0].start, edits[-1].end
    head = document.read(max(0, start - _LONGEST_REACH), start)
    tail = document.read(end, end + _LONGEST_REACH)
    before = head.rsplit(b"\n", _CONTEXT_LINES + 1)
    after = tail.split(b"\n", _CONTEXT_LINES + 1)
    if len(before) > _CONTEXT_LINES + 1:
        start -= len(head) - len(before[0]) - 1
    elif len(head) == start:
        start = 0
    else:
        return None
    if len(after) > _CONTEXT_LINES + 1:
        end += len(tail) - len(after[-1])
    elif end + len(tail) == document.size:
        end = document.size
    else:
        return None
    if end - start > 2 * _LONGEST_REACH:
        return None
    old = document.read(start, end)
    result = preview_edits(document, edits)
    new = result.read(start, result.size - (document.size - end))
    first = 1 + sum(piece.count(b"\n") for piece in document.pieces(0, start))
    return list(_format_hunks(split_lines(old), split_lines(new), first))


def split_lines(data: bytes) -> list[bytes]:
    """Split bytes into lines with their ends; the last may have none."""
    return io.BytesIO(data).readlines()


def _format_hunks(before: list[bytes], after: list[bytes], first: int = 1) -> Iterator[bytes]:
    """Yield the hunks of a unified diff; ``first`` is the number of the first line."""
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, n=_CONTEXT_LINES)
    for line in islice(lines, 2, None):  # after the file names
        if line.startswith(b"@@"):
            yield _START_LINE.sub(lambda found: b"%d" % (int(found[0]) + first - 1), line)
        else:
            yield line if line.endswith(b"\n") else line + _NO_NEWLINE


_ACCESS_LIST = "system.posix_acl_access"
_MODE_LIST_SIZE = 28
"""Bytes of an access list with three entries, which only repeats the mode."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def follow_link(path: Path, folder: Path | None = None) -> Path:
    """Return the file that a path leads to.

    By default, a link must stay in its own folder, and any other path is accepted.

    Raises:
        DocumentError: it leads out of the folder.
    """
    if folder is None and not os.path.islink(path):  # noqa: PTH114 - Path.is_symlink raises for a name that is too long
        return path
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(os.path.realpath(path.parent if folder is None else folder)):
        raise make_error("LX306", str(path), target=target)
    return target


def write_document(
    document: Document,
    source: Path,
    edits: Sequence[Edit],
    target: Path | None = None,
    *,
    keeps_times: bool = False,
) -> tuple[Finding, ...]:
    """Write the edited content of a document to its own file, or to a target; return notes on it.

    The document is that of the source, which is not a symbolic link. Access to it is not widened.

    Raises:
        DocumentError: its own file is read-only or was changed by others, or its owner or access
            list cannot be kept; or writing fails. The file is then unchanged.
    """
    path, shown_path = (source, document.name) if target is None else (target, str(target))
    if target is None and not os.access(path, os.W_OK) and lexists(path):
        raise make_error("LX305", document.name)
    with _create_file(path, preview_edits(document, edits).pieces(), shown_path) as part:
        with _open_existing(source, document.name) as old:
            status = os.fstat(old)
            _check_unchanged(document, status)
            if target is None:
                _copy_attributes(part, old, document.name)
            else:
                _limit_access(part, old)
        if keeps_times and os.utime in os.supports_fd:
            os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        there = os.lstat(path) if lexists(path) else None
        if target is None:
            _check_unchanged(document, there)
    count = 0 if there is None else there.st_nlink - 1
    return (make_finding("LX307", shown_path, count=count),) if count else ()


def write_file(path: Path, data: bytes, shown_path: str, source: Path) -> None:
    """Write a small file of lexurn beside a document, without widening access to the document.

    A file that exists keeps its mode, owner and attributes. A new one gets the group and mode of
    the document as far as that is allowed.

    Raises:
        DocumentError: writing fails; the file is then unchanged.
    """
    is_new = not lexists(path)
    with (
        _create_file(path, (data,), shown_path) as part,
        _open_existing(source if is_new else path, shown_path) as old,
    ):
        if is_new:
            _copy_owner(part, os.fstat(old))
            _limit_access(part, old)
        else:
            _copy_attributes(part, old, shown_path)


def _copy_attributes(part: int, old: int, shown_path: str) -> None:
    """Give a new file the owner, extended attributes and mode of the file that it replaces."""
    status = os.fstat(old)
    if not _copy_owner(part, status):
        what = f"owner (user {status.st_uid}, group {status.st_gid})"
        raise make_error("LX300", shown_path, what=what)
    for name in os.listxattr(old) if hasattr(os, "listxattr") else ():
        try:
            os.setxattr(part, name, os.getxattr(old, name))
        except OSError as fault:
            if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise
            if name == _ACCESS_LIST:
                raise make_error("LX300", shown_path, what="access list") from None
    if hasattr(os, "fchmod"):
        os.fchmod(part, stat.S_IMODE(status.st_mode))


def _limit_access(part: int, old: int) -> None:
    """Give a new file the mode of another one, but no user a right that they lacked there.

    Others than the owner get no right from a file with an access list.
    """
    if not hasattr(os, "fchmod"):
        return
    mode = combine_modes(os.fstat(old), os.fstat(part))
    with suppress(OSError, AttributeError):
        if len(os.getxattr(old, _ACCESS_LIST)) > _MODE_LIST_SIZE:
            mode &= stat.S_IRWXU
    os.fchmod(part, mode)


def _copy_owner(part: int, status: os.stat_result) -> bool:
    """Give a file to an owner and group, else to the group; return whether it belongs to both."""
    made = os.fstat(part)
    if (made.st_uid, made.st_gid) == (status.st_uid, status.st_gid):
        return True
    for owner in (status.st_uid, -1) if hasattr(os, "chown") else ():
        try:
            os.chown(part, owner, status.st_gid)
        except OSError as fault:
            if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise
        else:
            return owner == status.st_uid
    return False


@contextmanager
def _open_existing(path: Path, shown_path: str) -> Iterator[int]:
    """Open a file that exists and is not a symbolic link, and yield its descriptor."""
    with _report_disk_errors(shown_path):
        descriptor = os.open(path, OPEN_FLAGS | _NO_FOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _report_disk_errors(file: str) -> Iterator[None]:
    """Turn errors of the file system into findings."""
    try:
        yield
    except OSError as fault:
        raise make_error("LX304", file, why=fault.strerror or fault) from None


@contextmanager
def _create_file(path: Path, pieces: Iterable[bytes], shown_path: str) -> Iterator[int]:
    """Create a temporary file, yield its descriptor, and move it into place after success."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | getattr(os, "O_BINARY", 0)
    with (
        _report_disk_errors(shown_path),
        replace_atomically(path) as part,
        os.fdopen(os.open(part, flags, 0o600), "wb", buffering=0) as stream,
    ):
        descriptor = stream.fileno()
        if hasattr(os, "removexattr"):
            with suppress(OSError):  # an access list that is inherited from the folder
                os.removexattr(descriptor, _ACCESS_LIST)
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)  # a name must not lead to content that is not on the disk
        yield descriptor
        if not os.path.samestat(os.fstat(descriptor), os.lstat(part)):
            raise make_error("LX303", shown_path)


def _check_unchanged(document: Document, status: os.stat_result | None) -> None:
    """Raise if a file is not the one that was read: its status differs, or it is gone."""
    is_same = status is not None and make_stamp(status) == document.stamp
    if document.stamp is not None and not is_same:
        raise make_error("LX303", document.name)
