"""Findings about ZIP containers (DOCX, ODT, EPUB): codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX360": Code(
        ERROR,
        "APPNOTE 6.3.10 §4.3",
        "this is no whole ZIP container: {why}; get the file again from where it comes",
    ),
    "LX361": Code(
        ERROR,
        "APPNOTE 6.3.10 §6, ODF 1.3 part 2 §3.4.2",
        "{what}; save the file without a password first, in the form of today, or ask for files "
        "beside it that say the name (--sidecar)",
    ),
    "LX362": Code(
        ERROR,
        "RFC 9676 §1.4",
        "{member} says already that the name is {said}, and not {name}; embed that name, or take "
        "out what it says with the program that saved the file",
    ),
    "LX363": Code(
        ERROR,
        "APPNOTE 6.3.10",
        "{why}; lexurn does not change such a container, make it anew with a usual ZIP program",
    ),
    "LX364": Code(
        ERROR,
        "a member of metadata is small",
        "the member {member!r} unpacks to more than metadata ever needs; it is not read",
    ),
    "LX365": Code(
        ERROR,
        "ODF 1.3 part 2 §5, ECMA-376 part 2 §12, EPUB 3.3 §4.2.6.3.5",
        "the file is signed ({member}), and any change breaks the signature; "
        "put the name in before it is signed, ask for files beside it that say the name "
        "(--sidecar), or use --force",
    ),
    "LX366": Code(
        WARNING,
        "ODF 1.3 part 2 §5, ECMA-376 part 2 §12, EPUB 3.3 §4.2.6.3.5",
        "the file is signed ({member}), and the signature may hold no longer; have it signed again",
    ),
    "LX367": Code(
        ERROR,
        "ECMA-376 part 2, ODF 1.3 part 2, EPUB 3.3 §4",
        "this is no {label} file: {why}",
    ),
    "LX368": Code(
        WARNING,
        "what lexurn puts in is marked",
        "this stands in {member}, but not as lexurn wrote it (a program has saved the file "
        "since, or somebody else put it in), so it stays; take it out in that program",
    ),
    "LX369": Code(
        NOTE,
        "a container is restored as it was",
        "the text of {member} is as it was, but not packed as it was: "
        "a program has packed the file anew since, or the member is large",
    ),
}
