"""Findings about files as such: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX300": Code(
        WARNING,
        "a file keeps its owner, its group and its access list",
        "the file {changed}; have it given back, or run this as its owner",
    ),
    "LX301": Code(ERROR, "POSIX open()", "the file cannot be opened: {why}"),
    "LX302": Code(ERROR, "POSIX read()", "the file cannot be read: {why}"),
    "LX303": Code(
        ERROR,
        "a file stays as it is while it is read",
        "somebody else changed the file meanwhile; run it again",
    ),
    "LX304": Code(
        ERROR,
        "a file is written whole, or left as it was",
        "cannot be written: {why}; it is as it was",
    ),
    "LX305": Code(
        ERROR,
        "POSIX access()",
        "the file may only be read; make it writable, or write elsewhere with -o; nothing was "
        "changed",
    ),
    "LX306": Code(
        ERROR,
        "links are followed inside of their folder",
        "a symbolic link leads out of the folder, to {target}; name that file itself",
    ),
    "LX307": Code(
        NOTE,
        "a file is replaced, and never written into",
        "the file has {count} other names (hard links), which keep the old content",
    ),
    "LX308": Code(
        ERROR,
        "one file does not stop the others",
        "lexurn broke down over this file ({why}), which is as it was; please report it",
    ),
    "LX309": Code(ERROR, "one file does not stop the others", "{why}; nothing was changed"),
    "LX359": Code(
        NOTE,
        "ISO 32000-2 §7.6, APPNOTE 6.3.10 §6",
        "the file is encrypted: what lexurn put in before that, if it did, stays",
    ),
}
