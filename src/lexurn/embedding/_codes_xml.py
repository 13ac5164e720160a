"""Findings about XML: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX330": Code(
        ERROR,
        "XML 1.0 §2.1",
        "this is no well-formed XML ({why}); mend it, or write it out anew with the program that "
        "made it",
    ),
    "LX331": Code(
        ERROR,
        "XML 1.0 §4.3.3",
        "the encoding {encoding} is not supported; convert the file to UTF-8, and write "
        'encoding="UTF-8" into its first line',
    ),
    "LX332": Code(
        ERROR,
        "limits of lexurn",
        "{what}; a file like this is not read, since no honest document needs it",
    ),
    "LX333": Code(
        ERROR,
        "schema of the format",
        "{format} says what a document is in {element}, and this one has none; put it in first",
    ),
    "LX334": Code(
        ERROR,
        "what lexurn puts in stands between two comments",
        "there is {what} of the blocks that lexurn puts in (from lexurn:begin to lexurn:end) where "
        "one or none should be; take those out that are wrong",
    ),
    "LX335": Code(
        ERROR,
        "Akoma Ntoso 3.0, identification",
        "the name is one of an {level}, and the document says nothing of that level ({element}); "
        "put it in first, or embed the name {better}",
    ),
    "LX336": Code(
        ERROR,
        "RFC 9676 §1.4",
        "the document says already that it is {said}, and not {name}; {remedy}",
    ),
    "LX337": Code(
        WARNING,
        "RFC 9676 §5.6",
        'the document says that it is in the language "{said}", and its name says "{language}"; '
        "look which is right",
    ),
    "LX338": Code(
        WARNING,
        "Akoma Ntoso 3.0, identification",
        "the document says nothing of the {level} ({element}), so the name {name} is not put in "
        "there",
    ),
    "LX339": Code(
        ERROR,
        "XML Signature §3.2",
        "the document is signed, and any change may break the signature; put the name in before it "
        "is signed, ask for files beside it that say the name (--sidecar), or say that it is to be "
        "done all the same (--force)",
    ),
    "LX340": Code(
        WARNING,
        "XML Signature §3.2",
        "the document is signed, and the signature may hold no longer; have it signed again",
    ),
    "LX342": Code(
        ERROR,
        "LexML 1.0, Identificacao",
        "the element Identificacao says no name; write it into its attribute URN, or take the "
        "element out and have it put in",
    ),
    "LX343": Code(
        ERROR,
        "what lexurn puts in stands between two comments",
        "between lexurn:begin and lexurn:end stands something that lexurn did not write ({what}); "
        "move it out of there",
    ),
    "LX344": Code(
        NOTE,
        "limits of lexurn",
        "{what} more than {limit} megabytes, which is as far as lexurn looks whether a file is "
        "whole; see by other means that the rest is",
    ),
}
