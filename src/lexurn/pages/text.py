"""Texts of pages: values that are safe in a page, and words in six languages.

The words come from ``templates/words``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from lexurn import data
from lexurn.labels import format_day, name_language
from lexurn.lazy import compile_late
from lexurn.name import is_registered_subtag
from lexurn.registry import load_registry

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from lexurn.model import LanguageText
    from lexurn.name import Name


_MEDIA_TYPE = compile_late(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_LANGUAGE_TAG = compile_late(
    r"(?P<language>[a-z]{2,8})(?:-(?P<extlang>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
)
_SUBTAG_PARTS = ("language", "extlang", "script", "region")
_DOT = compile_late(r"(?<![0-9])\.|\.(?![0-9])")
_HIGHEST_PORT = 65_535
_LINE_BREAK = compile_late(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = compile_late(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


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
_SCRIPT_TAG = compile_late("[a-z]{4}")


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


# --- words ----------------------------------------------------------------------------

LANGUAGES = ("de", "en", "es", "fr", "it", "pt")
"""Languages that pages are written in."""
_UNITS = (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000))


class Words:
    """Words of one language, by key: ``words("force.ended", day="...")``."""

    def __init__(self, language: str, texts: Mapping[str, str], options: Mapping[str, Any]) -> None:
        """Store the texts by key, and how the language writes counts."""
        self.language = language
        self._texts = texts
        self._one = frozenset(options["one"])
        self._signs = str.maketrans({",": options["thousands"], ".": options["decimal"]})
        contractions: Mapping[str, str] = options.get("contractions", {})
        self._contractions = contractions
        self._contracted = (
            re.compile("|".join(rf"\b{re.escape(each)}(?=\b)" for each in contractions))
            if contractions
            else None
        )

    def __call__(self, key: str, **values: str) -> str:
        """Return the text of a key, its fields filled in."""
        text = self._texts[key]
        if not values:
            return text
        text = text.format_map(values)
        if self._contracted is None:
            return text
        return self._contracted.sub(lambda found: self._contractions[found[0]], text)

    def count(self, key: str, number: int) -> str:
        """Return a count in words: ``10 versions``."""
        form = "one" if number in self._one else "other"
        return self._texts[f"{key}.{form}"].format(count=self.number(number))

    def number(self, number: int) -> str:
        """Write a number with the separators of the language: ``12.500``."""
        return f"{number:,}".translate(self._signs)

    def size(self, size: int) -> str:
        """Write a size in bytes: ``812 kB``, ``1.2 MB``."""
        for unit, factor in _UNITS:
            if size >= factor:
                digits = 0 if size >= 10 * factor else 1
                return f"{size / factor:,.{digits}f}".translate(self._signs) + f"\u00a0{unit}"
        return f"{self.number(size)}\u00a0B"

    def day(self, day: dt.date) -> str:
        """Write a day: ``21 settembre 2003``."""
        return format_day(day, self.language)

    def name(self, tag: str) -> str:
        """Return the name of a language."""
        return name_language(tag, self.language)


@cache
def load_words(language: str) -> Words:
    """Load the words of a language of `LANGUAGES`."""
    import tomllib  # noqa: PLC0415 - head tags have no words

    options = tomllib.loads(data.read_text(f"templates/words/{language}.toml"))
    texts: dict[str, str] = {}
    for section, entries in options.items():
        if not isinstance(entries, dict) or section == "contractions":
            continue
        for key, text in entries.items():
            # Counts have two forms: ``acts = {one, other}`` is ``acts.one`` and ``acts.other``.
            if isinstance(text, dict):
                texts |= {f"{section}.{key}.{form}": each for form, each in text.items()}
            else:
                texts[f"{section}.{key}"] = text
    return Words(language, texts, options)


def choose_language(name: Name, default: str) -> str:
    """Choose the language of a page about a name, among `LANGUAGES`.

    It is the language of its version. Else it is one of its jurisdiction: the default if that is
    among them, or the first. Without any of these it is the default.
    """
    tag = None if name.expression is None else name.expression.language
    if tag is not None and (primary := tag.partition("-")[0]) in LANGUAGES:
        return primary
    official = _list_official_languages(name.jurisdiction.code)
    return default if default in official or not official else official[0]


@lru_cache(maxsize=1_024)
def _list_official_languages(code: str) -> list[str]:
    languages = (each.partition("-")[0] for each in load_registry().law(code).languages)
    return [each for each in languages if each in LANGUAGES]
