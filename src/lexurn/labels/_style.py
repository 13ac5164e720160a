"""How labels are written in one language for one jurisdiction: templates, months, signs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.registry import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.registry import Law, Registry, Words

__all__ = ["Style", "fallbacks", "style_of"]

_FALLBACK = "en"
#: What stands in for a template that neither the language nor English has.
_PLAIN = {
    "date": "{year}-{month}-{day}",
    "act": "{measure} {date}, {number}",
    "act-issuer": "{authority}, {measure} {date}, {number}",
    "act-unnumbered": "{measure} {date}",
    "act-issuer-unnumbered": "{authority}, {measure} {date}",
    "act-period": "{measure} {number} ({period})",
    "act-issuer-period": "{authority}, {measure} {number} ({period})",
    "version": "{date}",
    "version-label": "{version}",
    "original": "original",
    "in-language": "{language}",
    "edition": "{publisher}, {format}",
    "and": ", ",
    "join": ", ",
    "partition": "{label} {number}",
    "annex": "{label} {number}",
}
_FIELD = re.compile(r"\{([a-z-]+)\}")
_BLANKS = re.compile(r"\s+")
_LOOSE = re.compile(r"\s+([,;.)])|\(\s+|(?:,\s*)+(?=,)")
_ORDINAL_SIGN = re.compile("1([º°.])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The style of labels in one language for one jurisdiction.

    Attributes:
        registry: the registry.
        law: the jurisdiction.
        words: the words of the language.
        formats: templates by key.
        months: the names of the months; () where they are not known.
        states: notations of the conventional authority of section 6.1.6, in any language.
        ordinal_sign: what follows the number of an ordinal: ``º``; "" where nothing does.
        thousands: what groups the thousands of a document number; "" where nothing does.
    """

    registry: Registry
    law: Law
    words: Words
    formats: Mapping[str, str]
    months: tuple[str, ...]
    states: frozenset[str]
    ordinal_sign: str
    thousands: str

    @property
    def language(self) -> str:
        """The language of the words."""
        return self.words.language

    def fill(self, key: str, **values: str) -> str:
        """A template with its fields filled; what a field leaves empty leaves no sign behind."""
        template = self.formats.get(key) or _PLAIN[key]
        filled = _FIELD.sub(lambda field: values.get(field[1], ""), template)
        return _tidy(filled)

    def joined(self, texts: Sequence[str]) -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        if len(texts) < 2:  # noqa: PLR2004  nothing to join
            return "".join(texts)
        last = self.formats.get("and", _PLAIN["and"])
        return self.sequence(texts[:-1]) + last + texts[-1]

    def sequence(self, texts: Sequence[str]) -> str:
        """``a, b, c``; what is empty is left out."""
        return self.formats.get("join", _PLAIN["join"]).join(filter(None, texts))


def _tidy(text: str) -> str:
    once = _LOOSE.sub(lambda found: found[1] or ("(" if "(" in found[0] else ""), text)
    return _BLANKS.sub(" ", once).replace("()", "").strip(" ,;")


def fallbacks(language: str, law: Law) -> Iterator[str]:
    """The tags to try for a language: itself, its primary subtag, the jurisdiction's, English."""
    yield language
    yield language.partition("-")[0]
    yield from law.languages
    yield _FALLBACK


@lru_cache(maxsize=256)
def style_of(registry: Registry, code: str, language: str) -> Style:
    """The style of a jurisdiction's labels in a language."""
    law, words = registry.law(code), registry.words(language)
    own = dict(_conventions(registry, code, words.language))
    formats = {**registry.words(_FALLBACK).formats, **words.formats, **own}
    sign = _ORDINAL_SIGN.match(formats.get("date-first", ""))
    return Style(
        registry=registry,
        law=law,
        words=words,
        formats=_without_foreign(formats, words, own),
        months=_months(registry, words.language),
        states=frozenset(_states(registry, code)),
        ordinal_sign=sign[1] if sign else "",
        thousands=law.conventions.get("thousands", ""),
    )


def _without_foreign(
    formats: dict[str, str], words: Words, own: Mapping[str, str]
) -> Mapping[str, str]:
    """Without what only English has a form for, where the language has words of its own."""
    if words.formats and "date-first" not in {**words.formats, **own}:
        formats.pop("date-first", None)
    return formats


def _conventions(registry: Registry, code: str, language: str) -> Iterator[tuple[str, str]]:
    """The templates that a jurisdiction has of its own in a language."""
    for entry in registry.lexicon(Kind.CONVENTION, code):
        for each in entry.labels:
            if entry.notation in {*_PLAIN, "date-first"} and each.language.startswith(language):
                yield entry.notation, each.text


def _states(registry: Registry, code: str) -> Iterator[str]:
    for entry in registry.lexicon(Kind.CONVENTION, code):
        if entry.notation == "state":
            yield from (each.text for each in entry.labels)


def _months(registry: Registry, language: str) -> tuple[str, ...]:
    """The names of the twelve months as dates have them."""
    entries = registry.lexicon(Kind.MONTH, language)
    found = {entry.notation: entry.labels[0].text for entry in entries if entry.labels}
    names = tuple(found.get(str(month), "") for month in range(1, 13))
    return names if all(names) else ()
