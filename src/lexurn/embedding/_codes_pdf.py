"""Findings about PDF: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX345": Code(
        ERROR,
        "ISO 32000-2 §7.5.2",
        "this is no PDF: %PDF- does not stand within its first {limit:,} bytes",
    ),
    "LX346": Code(
        ERROR,
        "ISO 32000-2 §7.5",
        "the structure of the PDF is broken ({why}); open it with a PDF program and save it anew",
    ),
    "LX347": Code(
        ERROR,
        "ISO 32000-2 §7.6",
        "the PDF is encrypted, and what is added would have to be too; save it without encryption "
        "first, or ask for files beside it that say the name (--sidecar)",
    ),
    "LX348": Code(
        ERROR,
        "ISO 32000-2 §12.8",
        "the PDF is signed ({what}), and a change would cast doubt on the signature; put the name "
        "in before it is signed, ask for files beside it that say the name (--sidecar), or use "
        "--force",
    ),
    "LX349": Code(
        WARNING,
        "ISO 32000-2 §12.8",
        "the PDF is signed ({what}); the signature still covers what it covered, but readers will "
        "say that the file was changed after it",
    ),
    "LX350": Code(
        ERROR,
        "ISO 16684-1 §7",
        "the XMP metadata of the PDF cannot be read ({why}), so nothing can be put into it; let a "
        "PDF program write it anew",
    ),
    "LX351": Code(
        ERROR,
        "ISO 32000-2 §7.5.6",
        "the PDF was changed since lexurn put a name in, as by a program that added to it, and "
        "what was added would be lost with that name; have a PDF program write the file anew as a "
        "whole, and change dc:identifier in its metadata there",
    ),
    "LX352": Code(
        ERROR,
        "ISO 32000-2 §7.5.6",
        "the bytes in front of what lexurn put in are no longer those that it was put behind; "
        "begin with the file as it was before",
    ),
    "LX353": Code(
        WARNING,
        "ISO 32000-2 §7.5.6",
        "the PDF has its name, but what else is to be said of it is not brought up to date, since "
        "another program has added to the PDF after lexurn did; have a PDF program write the file "
        "anew as a whole, and embed the name again",
    ),
    "LX354": Code(
        WARNING,
        "ISO 16684-1 §7",
        "{term} in the XMP metadata is not written as XMP orders; it is kept as it is, and {what} "
        "is not added",
    ),
    "LX355": Code(
        WARNING,
        "ISO 32000-2 §7.5",
        "the structure of the PDF is broken ({why}); what it says was read all the same, as far as "
        "it could be found",
    ),
    "LX356": Code(
        NOTE,
        "ISO 32000-2 §7.6",
        "the PDF is encrypted; what it says was read with the empty password",
    ),
    "LX357": Code(
        ERROR,
        "ISO 32000-2 §7.6",
        "the PDF is encrypted, and nothing of it can be read ({why}); a copy without "
        "encryption can",
    ),
}
