"""Tokens of HTML as bytes, as far as a head has them (WHATWG HTML sections 13.2.5 and 13.2.6.4.4).

Every encoding of the web but UTF-16 has all signs of markup as the same single bytes as ASCII, and
none of them as a part of another character (ISO-2022-JP aside, see `_html_encoding`). So tokens are
found without decoding, and an offset of a token is an offset of the file.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["RAW", "TOKEN", "attributes_of", "end_of_raw", "end_of_script", "end_tag", "name_of"]

_FLAGS = re.IGNORECASE | re.DOTALL
# A value that is opened and not closed makes all of the tag none: nothing is tried in its place.
_VALUE = rb"""(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))"""
_GAP = rb"[\t\n\f\r ]*+"
_ATTRIBUTE = (
    rb"[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?>" + _GAP + rb"=" + _GAP + _VALUE + rb"|(?!" + _GAP + rb"=))"
)
ATTRIBUTES: Final = rb"(?:[\t\n\f\r /]++|" + _ATTRIBUTE + rb")*+"
_AFTER_NAME = rb"(?=[\t\n\f\r />])"
_LEAVING = rb"(?:head|body|html|br)" + _AFTER_NAME
_EMPTY = rb"(?:meta|link|base|basefont|bgsound)" + _AFTER_NAME
_TEXTS = rb"(?:script|style|title|noframes|noscript)" + _AFTER_NAME
_FRAMES = rb"(?:html|head)" + _AFTER_NAME
_STAYING = rb"(?:" + rb"|".join((_EMPTY, _TEXTS, _FRAMES)) + rb")"
_BLANK_REFERENCE = (
    rb"&(?:Tab;|NewLine;|\#(?:0*+(?:9|10|12|13|32)(?![0-9])"
    rb"|[xX]0*+(?:9|[aAcCdD]|20)(?![0-9a-fA-F]));?)"
)
TOKEN: Final = re.compile(
    _GAP + rb"(?:"
    rb"<(?P<empty>" + _EMPTY + ATTRIBUTES + rb">)"
    rb"|<(?P<text>" + _TEXTS + ATTRIBUTES + rb">)"
    rb"|<(?P<frame>" + _FRAMES + ATTRIBUTES + rb">)"
    rb"|<(?P<comment>!--(?:-?>|.*?--!?>))"
    rb"|<(?P<doctype>!doctype[^>]*+>)"
    rb"|<(?P<code>\?(?!xml)[^>]*+>)"
    rb"|<(?P<bogus>(?:!(?!--|doctype)|\?|/(?![a-z]))[^>]*+>)"
    rb"|<(?P<end>/(?!" + _LEAVING + rb")[a-z][^\t\n\f\r />]*+" + ATTRIBUTES + rb">)"
    rb"|(?P<blank>" + _BLANK_REFERENCE + rb")"
    rb"|(?P<stop>[^\t\n\f\r <]|<(?:/" + _LEAVING + rb"|(?!" + _STAYING + rb")"
    rb"[a-z][^\t\n\f\r />]*+" + _AFTER_NAME + rb"|[^a-z!?/]))"
    rb")",
    _FLAGS,
)
"""One token and blanks before it: a group of the kind begins behind the ``<``, where there is one.

No match: a token that does not end. ``stop`` is what ends a head, whatever comes behind.
"""

RAW: Final = frozenset({b"title", b"style", b"noframes", b"noscript"})
"""Elements whose text has no tags in it; ``noscript`` has none where scripts run."""

_NAME = re.compile(rb"[^\t\n\f\r />]*+")
_ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:" + _GAP + rb"=" + _GAP + rb"(" + _VALUE + rb"))?+",
    _FLAGS,
)
_END_TAG = re.compile(rb"</[a-z][^\t\n\f\r />]*+" + ATTRIBUTES + rb">", _FLAGS)
_RAW_ENDS: Final = {
    name: re.compile(rb"</" + name + _AFTER_NAME, _FLAGS) for name in (*RAW, b"template")
}
_SCRIPT_SIGNS = re.compile(rb"<!--|-->|<(/?)script[\t\n\f\r />]", _FLAGS)


def name_of(tag: bytes) -> bytes:
    """The name of the element of a tag, in lower case; the tag is given behind its ``<``."""
    match = _NAME.match(tag)
    return b"" if match is None else match[0].lower()


def attributes_of(tag: bytes) -> dict[bytes, bytes]:
    """The attributes of a start tag, the first of each name, names in lower case.

    The tag is given behind its ``<``.
    """
    found: dict[bytes, bytes] = {}
    for name, value in _pairs(tag):
        found.setdefault(name.lower(), value)
    return found


def _pairs(tag: bytes) -> Iterator[tuple[bytes, bytes]]:
    matches = _ONE_ATTRIBUTE.finditer(tag, len(name_of(tag)))
    for match in matches:
        value = match[2] or b""
        if value[:1] in {b'"', b"'"}:
            value = value[1:-1]
        yield match[1], _unescaped(value) if b"&" in value else value


def _unescaped(value: bytes) -> bytes:
    return unescape(value.decode("latin-1")).encode("latin-1", "replace")


def end_tag(text: bytes, start: int) -> int | None:
    """Where the end tag ends that begins there; None where it does not end."""
    match = _END_TAG.match(text, start)
    return None if match is None else match.end()


def end_of_raw(text: bytes, start: int, name: bytes) -> int | None:
    """Where the end tag of an element begins whose content is text; None where there is none."""
    match = _RAW_ENDS[name].search(text, start)
    return None if match is None else match.start()


def end_of_script(text: bytes, start: int) -> int | None:
    """Where the end tag of a script begins; None where there is none.

    A script may hold ``<!-- <script> </script> -->``, whose end tag is none of its own
    (sections 13.2.5.20 to 13.2.5.31).
    """
    depth = 0  # 1 in a comment, 2 in a script in a comment
    at = start
    while match := _SCRIPT_SIGNS.search(text, at):
        sign = match[0]
        if sign == b"<!--":
            depth = depth or 1
            at = match.start() + 2  # the hyphens may be those of "-->" too
            continue
        at = match.end()
        if sign == b"-->":
            depth = 0
        elif not match[1]:
            depth = 2 if depth else 0
        elif depth < 2:  # noqa: PLR2004 - its own end
            return match.start()
        else:
            depth = 1
    return None
