"""Findings about HTML: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

_ONE_BLOCK = "a page has one block of tags by lexurn"

CODES: Final[Mapping[str, Code]] = {
    "LX320": Code(
        ERROR,
        _ONE_BLOCK,
        "the page has {count} blocks between lexurn:begin and lexurn:end, the first two in lines "
        "{first} and {second}; take out all but one",
    ),
    "LX321": Code(
        ERROR,
        _ONE_BLOCK,
        "{mark} stands here without {other}, or with something between them that no head can have; "
        "take out the whole block by hand, with its marks, and run this again",
    ),
    "LX322": Code(
        ERROR,
        _ONE_BLOCK,
        "between lexurn:begin and lexurn:end stands something that lexurn did not write ({what}); "
        "move it out of there",
    ),
    "LX323": Code(
        ERROR,
        "WHATWG HTML §13.2.5",
        "what begins here never ends, so that the page has no head that tags could be put into; "
        "close it",
    ),
    "LX324": Code(
        ERROR,
        "the head of a page is read whole",
        "the head of the page does not end within {limit} MiB and {most} tags; see that it is "
        "closed, and that no data stand in it",
    ),
    "LX325": Code(
        ERROR,
        "WHATWG HTML §4.2.5.4",
        "tags cannot be put in without a change to how the page is read ({why}); save it in UTF-8 "
        'with <meta charset="utf-8"> as the first tag of its head',
    ),
    "LX326": Code(
        NOTE,
        "WHATWG HTML §16.2",
        "the page is a frameset: what it shows lies in other files, which need their own names",
    ),
    "LX327": Code(
        WARNING,
        "RFC 9676 §1.4",
        "the page itself says here that it is {other}, and the name put in is {name}; take out or "
        "mend the one that is wrong",
    ),
    "LX328": Code(
        WARNING,
        _ONE_BLOCK,
        "a block that lexurn wrote stands here behind the end of the head, since something was put "
        "in front of it that no head can have; it is left as it is: take it out by hand, with its "
        "marks",
    ),
    "LX329": Code(
        ERROR,
        "WHATWG HTML §13.2.5.41",
        "here stands code for a server or for a program that makes pages, so that this is no page "
        "yet; put the name into what is made of it, or into the template by hand",
    ),
}
