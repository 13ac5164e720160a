"""Findings about files as such: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX301": Code(ERROR, "POSIX open()", "the file cannot be opened: {why}"),
    "LX302": Code(ERROR, "POSIX read()", "the file cannot be read: {why}"),
    "LX303": Code(
        ERROR,
        "a file stays as it is while it is read",
        "somebody else changed the file meanwhile; run it again",
    ),
}
