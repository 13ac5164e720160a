"""Text to URN by RFC 2141, which RFC 8141 replaced: no components, and its own characters."""

from __future__ import annotations

import re

from lexurn.errors import UrnSyntaxError
from lexurn.urn._parser import fail, namespace
from lexurn.urn._urn import Urn

__all__ = ["parse_2141"]

# <trans>: letters, digits, <other> and <reserved>; "%" only as the beginning of a triplet.
_OUTSIDE = re.compile(r"[^A-Za-z0-9()+,\-.:=@;$_!*'%/?#]+")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_NUL = re.compile("\0|%00")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,31}")


def parse_2141(text: str) -> Urn:
    """Read a URN by RFC 2141, translating what its character set lacks (section 2.2).

    Each character outside the set becomes the octets of its UTF-8 form as ``%XX``. ``/``, ``?``
    and ``#`` are reserved there and without meaning: they stay in the namespace specific string.
    There are no r-, q- and f-components.

    Args:
        text: the URN, nothing before or behind it.

    Raises:
        UrnSyntaxError: the text is no URN of RFC 2141 and cannot be made one.
    """
    colon = namespace(text, rule="RFC 2141 §2")
    _check_nid(text, colon)
    _check_nss(text, colon + 1)
    return Urn(nid=text[4:colon], nss=_OUTSIDE.sub(_translated, text[colon + 1 :]))


def _check_nid(text: str, colon: int) -> None:
    """NID: a letter or digit, then up to 31 letters, digits and hyphens; never "urn"."""
    rule = "RFC 2141 §2.1"
    if text[4:colon].lower() == "urn":
        fail('the namespace identifier "urn" is reserved', text, 4, colon, rule)
    if not _NID.fullmatch(text, 4, colon):
        problem = "a namespace identifier has 1 to 32 letters, digits and hyphens, no hyphen first"
        fail(problem, text, 4, colon, rule)


def _check_nss(text: str, start: int) -> None:
    """What no translation mends: nothing at all, half triplets, NUL, halves of surrogate pairs."""
    if start == len(text):
        fail("the namespace specific string is empty", text, start, start, "RFC 2141 §2.2")
    faults = (
        (_BAD_PERCENT, '"%" is followed by two hex digits; a "%" itself is %25', "§2.3.1"),
        (_NUL, "NUL can never stand in a URN", "§2.4"),
        (_SURROGATE, "half of a surrogate pair is no character", "§2.2"),
    )
    found = [_fault(text, start, *each) for each in faults]
    first = min((each for each in found if each), key=lambda each: each.start, default=None)
    if first is not None:
        raise first


def _fault(
    text: str, start: int, pattern: re.Pattern[str], problem: str, section: str
) -> UrnSyntaxError | None:
    place = pattern.search(text, start)
    if place is None:
        return None
    rule = f"RFC 2141 {section}"
    return UrnSyntaxError(problem, text=text, start=place.start(), end=place.end(), rule=rule)


def _translated(run: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in run[0].encode())
