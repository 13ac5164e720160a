"""Language tags (BCP 47), and what people write in their place."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn import data

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["language_of", "why_no_tag"]

_TAG = re.compile(
    r"(?P<language>[a-z]{2,8})(?:-(?P<extlang>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?"
)
_PRIVATE = re.compile(r"x(?:-[a-z0-9]{1,8})+")
_AUTHORITY = re.compile(
    r"https?://publications\.europa\.eu/(?:resource|mdr)/authority/language[/#]([A-Z]{3}\w*)"
)
_TABLES = {"language": "languages", "script": "scripts", "region": "regions"}


class LanguageProblem(NamedTuple):
    """Why a text is no language tag, and which one is meant, if that is known."""

    why: str
    suggestion: str | None = None


def language_of(value: str) -> str | None:
    """The tag of a value: a tag as it stands, or that of an entry of the EU's list of languages.

    >>> language_of("http://publications.europa.eu/resource/authority/language/ITA")
    'it'
    """
    found = _AUTHORITY.fullmatch(value.strip())
    if found is not None:
        return _by_three_letters().get(found[1].lower())
    return value if why_no_tag(value) is None else None


def why_no_tag(text: str) -> LanguageProblem | None:
    """What is wrong with a language tag, None where nothing is.

    >>> why_no_tag("en_GB")
    LanguageProblem(why=': it has "_" for "-"', suggestion='en-GB')
    """
    if "_" in text and why_no_tag(text.replace("_", "-")) is None:
        return LanguageProblem(': it has "_" for "-"', text.replace("_", "-"))
    plain = text.lower()
    if _PRIVATE.fullmatch(plain) or _is_registered("grandfathered", plain):
        return None
    found = _TAG.fullmatch(plain)
    if found is None:
        return _named(plain) or LanguageProblem("")
    language = found["language"]
    shorter = _by_three_letters().get(language)
    if shorter is not None and shorter != language:
        why = ": a language with a code of two letters is written with it"
        return LanguageProblem(why, shorter + text[len(language) :])
    for part, table in _TABLES.items():
        if found[part] is not None and not _is_registered(table, found[part]):
            return _named(plain) or _unknown(part, found[part])
    return None


def _unknown(part: str, code: str) -> LanguageProblem:
    if part == "language" and _is_registered("regions", code):
        return LanguageProblem(f', and "{code}" is the code of a country')
    return LanguageProblem(f': nobody registered "{code}" as a {part}')


def _named(name: str) -> LanguageProblem | None:
    """The problem of who writes the English name of a language."""
    tag = _by_name().get(name)
    return None if tag is None else LanguageProblem(", but the name of a language", tag)


@cache
def _by_three_letters() -> Mapping[str, str]:
    """The tags of two letters, by the code of three that the same language has in ISO 639."""
    codes: dict[str, str] = data.table("languages")["authority"]
    bibliographic = {
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl",
        "fre": "fr", "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "may": "ms",
        "per": "fa", "rum": "ro", "slo": "sk", "wel": "cy",  # codespell:ignore wel
    }  # fmt: skip
    return {**{three.lower(): tag for tag, three in codes.items()}, **bibliographic}


@cache
def _by_name() -> Mapping[str, str]:
    names: dict[str, str] = data.table("language_names")["en"]
    return {name.lower(): tag for tag, name in names.items()}


@cache
def _registered(table: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The subtags of one table, single ones and ranges (``qaa..qtz``)."""
    entries: list[str] = data.table("languages")[table]
    ranges = (each.partition("..") for each in entries)
    spans = tuple((first, last) for first, dots, last in ranges if dots)
    return frozenset(each for each in entries if ".." not in each), spans


def _is_registered(table: str, subtag: str) -> bool:
    single, spans = _registered(table)
    return subtag in single or any(first <= subtag <= last for first, last in spans)
