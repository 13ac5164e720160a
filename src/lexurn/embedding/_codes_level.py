"""Findings about names that do not fit their documents: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX310": Code(
        ERROR,
        "RFC 9676 §5.7",
        "the name is of a file of type {said}, and this is {label}; {remedy}",
    ),
    "LX311": Code(
        ERROR,
        "RFC 9676 §5.8",
        "the name is of a part (~{partition}), and {label} is named as a whole; name the document",
    ),
    "LX312": Code(
        ERROR,
        "a name is put into a document",
        "the file is empty; was it saved, or fetched, to its end?",
    ),
    "LX313": Code(
        ERROR,
        "RFC 9676 §1.4",
        "{what} cannot take a name; ask for a file beside it that says the name (--sidecar)",
    ),
    "LX314": Code(
        NOTE,
        "a suffix says what a file is",
        "the file is {label}, although its name ends in {suffix}; name it {better}",
    ),
    "LX315": Code(
        ERROR,
        "a name is put into a document",
        "by its name this file says the name of another one, {document}; name that one",
    ),
    "LX341": Code(
        ERROR,
        "what is put in can be read, and taken out again",
        "{why}; nothing was changed: ask for files beside it that say the name (--sidecar)",
    ),
    "LX316": Code(
        ERROR,
        "no file of others is written over",
        "the name should be said here, but a file is there already, and not as lexurn writes it; "
        "move it away",
    ),
    "LX317": Code(
        WARNING,
        "RFC 9676 §1.4",
        "the document says that it is {name}, and {beside} says {other}; embed the right name "
        "again, which takes the file beside it away",
    ),
    "LX318": Code(
        WARNING,
        "a name is put into a document",
        "something is still to be filled in here, as in a template; if it is one, put the name "
        "into the pages that are made of it",
    ),
}
