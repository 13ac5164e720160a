"""Words of pages in six languages, from ``templates/words``."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from lexurn import data
from lexurn.labels import format_day, name_language
from lexurn.registry import load_registry

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from lexurn.name import Name

LANGUAGES = ("de", "en", "es", "fr", "it", "pt")
"""Languages that pages are written in."""
_UNITS = (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000))


class Words:
    """Words of one language, by key: ``words("force.ended", day="...")``."""

    def __init__(self, language: str, texts: Mapping[str, str], options: Mapping[str, Any]) -> None:
        """Store the texts by key, and how the language writes counts."""
        self.language = language
        self.native_name: str = options["language"]
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

    It is the language of its version, else one of its jurisdiction: the default, if it is one of
    these, or the first; else the default.
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
