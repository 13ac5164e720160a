"""Text to URN by RFC 8141 section 2, in one pass and in linear time."""

from __future__ import annotations

import re
from typing import NoReturn

from lexurn.errors import UrnSyntaxError
from lexurn.urn._urn import Urn

__all__ = ["fail", "namespace", "parse"]

_FOREIGN_TO_NSS = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]")
_FOREIGN_TO_COMPONENT = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?]")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]")
_FOREIGN_TO_NID = re.compile(r"[^A-Za-z0-9-]")
_NID_LENGTHS = range(2, 33)


def parse(text: str) -> Urn:
    """Read a URN by RFC 8141 section 2.

    namestring = assigned-name [ rq-components ] [ "#" f-component ]

    Args:
        text: the URN, nothing before or behind it.

    Raises:
        UrnSyntaxError: the text is no URN; the error says where and why.
    """
    colon = namespace(text, rule="RFC 8141 §2")
    _check_nid(text, colon)
    nss_end = _nss_end(text, colon + 1)
    hash_mark = text.find("#", nss_end)
    end = len(text) if hash_mark < 0 else hash_mark
    r, q = _rq_components(text, nss_end, end)
    f = None if hash_mark < 0 else _f_component(text, end + 1)
    return Urn(nid=text[4:colon], nss=text[colon + 1 : nss_end], r=r, q=q, f=f)


def namespace(text: str, *, rule: str) -> int:
    """The offset of the colon behind the namespace identifier.

    Raises:
        UrnSyntaxError: the text does not begin with ``urn:`` and an identifier.
    """
    if text[:4].lower() != "urn:":
        fail('a URN begins with "urn:"', text, 0, min(4, len(text)), rule)
    colon = text.find(":", 4)
    if colon < 0:
        fail("no colon ends the namespace identifier", text, 4, len(text), rule)
    return colon


def fail(problem: str, text: str, start: int, end: int, rule: str) -> NoReturn:
    """Raise the error of ``text`` between two offsets."""
    raise UrnSyntaxError(problem, text=text, start=start, end=end, rule=rule)


def _check_nid(text: str, colon: int) -> None:
    """NID = (alphanum) 0*30(ldh) (alphanum)."""
    if _NID.fullmatch(text, 4, colon):
        return
    rule = "RFC 8141 §2.1"
    if foreign := _FOREIGN_TO_NID.search(text, 4, colon):
        problem = f"{foreign[0]!r} cannot stand in a namespace identifier"
        fail(problem, text, *foreign.span(), rule)
    if colon - 4 not in _NID_LENGTHS:
        fail("a namespace identifier has 2 to 32 characters", text, 4, colon, rule)
    place = 4 if text[4] == "-" else colon - 1
    problem = "a namespace identifier begins and ends with a letter or digit"
    fail(problem, text, place, place + 1, rule)


def _nss_end(text: str, start: int) -> int:
    """The offset behind NSS = pchar *(pchar / "/")."""
    rule = "RFC 8141 §2.2"
    foreign = _FOREIGN_TO_NSS.search(text, start)
    end = foreign.start() if foreign else len(text)
    if foreign and not _begins_component(text, end):
        fail(_nss_problem(foreign[0]), text, end, end + 1, rule)
    if end == start:
        fail("the namespace specific string is empty", text, start, end, rule)
    if text[start] == "/":
        fail('"/" cannot begin the namespace specific string', text, start, start + 1, rule)
    _check_percent(text, start, end)
    return end


def _begins_component(text: str, place: int) -> bool:
    return text[place] == "#" or text.startswith(("?+", "?="), place)


def _nss_problem(character: str) -> str:
    if character == "?":
        return 'a "?" that neither "+" nor "=" follows stands in no URN; write %3F'
    return f"{character!r} cannot stand in a URN; percent-encode it"


def _rq_components(text: str, start: int, end: int) -> tuple[str | None, str | None]:
    """rq-components = [ "?+" r-component ] [ "?=" q-component ]; "?=" ends an r-component."""
    r_end = start
    r = None
    if text.startswith("?+", start):
        mark = text.find("?=", start + 2, end)
        r_end = end if mark < 0 else mark
        r = _component(text, start + 2, r_end, "r-component")
    if r_end == end:
        return r, None
    return r, _component(text, r_end + 2, end, "q-component")


def _component(text: str, start: int, end: int, which: str) -> str:
    """r-component, q-component = pchar *( pchar / "/" / "?" )."""
    rule = "RFC 8141 §2.3.1" if which == "r-component" else "RFC 8141 §2.3.2"
    if start == end:
        fail(f"the {which} is empty", text, start - 2, end, rule)
    if text[start] in "/?":
        fail(f"{text[start]!r} cannot begin the {which}", text, start, start + 1, rule)
    _check_component(text, start, end, rule)
    return text[start:end]


def _f_component(text: str, start: int) -> str:
    """f-component = *( pchar / "/" / "?" )."""
    _check_component(text, start, len(text), "RFC 8141 §2.3.3")
    return text[start:]


def _check_component(text: str, start: int, end: int, rule: str) -> None:
    if foreign := _FOREIGN_TO_COMPONENT.search(text, start, end):
        problem = f"{foreign[0]!r} cannot stand in a URN; percent-encode it"
        fail(problem, text, *foreign.span(), rule)
    _check_percent(text, start, end)


def _check_percent(text: str, start: int, end: int) -> None:
    bad = _BAD_PERCENT.search(text, start, end)
    if bad:
        problem = '"%" is followed by two hex digits; a "%" itself is %25'
        fail(problem, text, *bad.span(), "RFC 3986 §2.1")
