"""Findings about whole folders: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX358": Code(
        ERROR,
        "what a run has to know is kept on disk",
        "the temporary folder cannot be written: {why}; free space there, or name another one by "
        "TMPDIR",
    ),
    "LX390": Code(
        ERROR,
        "a row names a file that is there",
        "{place} says that {name} is this file, and there is none; mend the path, or fetch the "
        "file",
    ),
    "LX391": Code(
        ERROR,
        "one file, one name",
        "{count} names for this file: {names}; take the file out of all rows but one",
    ),
    "LX392": Code(
        NOTE,
        "each document has a name",
        "no row of the manifest names this file; it was left as it is",
    ),
    "LX393": Code(
        ERROR,
        "a file lies below the folder",
        "{place} says that {name} is at {url}, which is no file of the site ({why}); mend the URL",
    ),
    "LX394": Code(
        ERROR,
        "a manifest says which file has which name",
        "no row names a file below the folder{elsewhere}; say with --site where the folder is on "
        "the web, or fill in a column file",
    ),
    "LX395": Code(
        NOTE,
        "what was not finished is no document",
        "left behind by a run that was killed, unless one is under way; delete it then",
    ),
    "LX396": Code(
        ERROR,
        "a manifest says which file has which name",
        "no row of the manifest names this file; nothing was done",
    ),
    "LX397": Code(
        NOTE,
        "a file beside a document says its name",
        "this says the name of {document}, which is not there any more; delete it, or take it away "
        "with --remove",
    ),
    "LX398": Code(
        NOTE,
        "each document has a name",
        "{place} says that {name} is at {url}; for its query it is no file of the folder; say "
        "which one is meant in a column file, if one is",
    ),
    "LX399": Code(
        NOTE,
        "RFC 9676 §1.4",
        "the manifest says that {name} was withdrawn{day}; if the document has another name now, "
        "put that one in",
    ),
}
