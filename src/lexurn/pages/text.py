"""Text and values that are safe in a page: control characters, links, media types, languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.name import is_registered_subtag

if TYPE_CHECKING:
    from lexurn.model import LanguageText

_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_LANGUAGE_TAG = re.compile(
    r"(?P<language>[a-z]{2,8})(?:-(?P<extlang>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
)
_SUBTAG_PARTS = ("language", "extlang", "script", "region")
_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_HIGHEST_PORT = 65_535
_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def escape_controls(text: str) -> str:
    """Make control characters visible: no page and no terminal may receive them."""
    if text.isprintable():
        return text
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", replace_line_breaks(text))


def replace_line_breaks(text: str) -> str:
    """Replace the line breaks of other programs, which are none in a page, by blanks."""
    return _LINE_BREAK.sub(" ", text)


def decode_part(part: str) -> str:
    """Decode a part of a name: dots become blanks, except within numbers."""
    text = unquote(part)
    return escape_controls(_DOT.sub(" ", text).strip() or text)


def decode_valid_media_type(mime: str) -> str | None:
    """Decode a media type; return None where it is not valid (RFC 6838)."""
    kind = decode_media_type(mime)
    return kind if _MEDIA_TYPE.fullmatch(kind) else None


def decode_media_type(mime: str) -> str:
    """Decode a media type: ``application-pdf`` is ``application/pdf`` (RFC 9676 §5.7)."""
    return escape_controls(unquote(mime).replace("-", "/", 1))


@cache
def _compile_link(*, is_ascii: bool) -> re.Pattern[str]:
    """Compile the pattern of links at the first use: beyond ASCII it takes long."""
    # Without regard to case, such wide ranges would take longer.
    letters, others = ("", "") if is_ascii else (r"\u00a1-\ud7ff", r"\uf900-\ufdcf")
    character = rf"(?:[A-Za-z0-9._~:/@!$&'()*+,;={letters}{others}-]|%[0-9A-Fa-f]{{2}})"
    return re.compile(
        rf"[Hh][Tt][Tt][Pp][Ss]?://(?P<host>[A-Za-z0-9{letters}](?:[A-Za-z0-9.{letters}-]*))"
        rf"(?::(?P<port>[0-9]{{1,5}}))?"
        rf"(?:/{character}*)?(?:\?(?:{character}|\?)*)?(?:\#(?:{character}|\?)*)?"
    )


@lru_cache(maxsize=512)
def check_link(url: str) -> str | None:
    """Return the URL if a page may link to it (only ``http`` and ``https``), else None."""
    found = _compile_link(is_ascii=url.isascii()).fullmatch(url)
    return None if found is None or int(found["port"] or 0) > _HIGHEST_PORT else url


@cache
def check_html_language(tag: str | None) -> str | None:
    """Return the tag if each of its subtags is registered, else None.

    Extensions, private use and grandfathered tags are left out as well: better none than a wrong
    one.
    """
    found = _LANGUAGE_TAG.fullmatch(tag.lower()) if tag is not None else None
    if found is None:
        return None
    subtags = [(f"{part}s", found[part]) for part in _SUBTAG_PARTS if found[part] is not None]
    subtags += [("variants", each) for each in found["variants"].split("-") if each]
    return tag if all(is_registered_subtag(subtag, kind) for kind, subtag in subtags) else None


_RIGHT_TO_LEFT = frozenset(
    ("ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "syr", "ug", "ur", "yi")
)
_RIGHT_TO_LEFT_SCRIPTS = frozenset(("adlm", "arab", "hebr", "nkoo", "syrc", "thaa"))
_SCRIPT_TAG = re.compile("[a-z]{4}")


def is_right_to_left(tag: str) -> bool:
    """Return whether text in a language is written from right to left."""
    primary, *others = tag.lower().split("-")
    scripts = list(filter(_SCRIPT_TAG.fullmatch, others))
    return scripts[0] in _RIGHT_TO_LEFT_SCRIPTS if scripts else primary in _RIGHT_TO_LEFT


class PageText(NamedTuple):
    """Text and its language tag: empty where unknown, None for the words of the page itself."""

    value: str
    lang: str | None = None

    @property
    def is_right_to_left(self) -> bool:
        """True if the language is written from right to left."""
        return bool(self.lang) and is_right_to_left(self.lang or "")


def make_title(title: LanguageText) -> PageText:
    """Return a title as text of a page."""
    return PageText(escape_controls(title.value), check_html_language(title.language) or "")
