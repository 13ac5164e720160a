"""Style of labels: the templates, words and months of one language for one jurisdiction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.registry import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.registry import Law, Registry, Words

FALLBACK_LANGUAGE = "en"
# Templates for keys that neither the language nor English has.
_DEFAULT_TEMPLATES = {
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
_FIRST_DAY = "date-first"
# Templates that are not taken from English if a language lacks them.
_OPTIONAL_TEMPLATES = (
    *(_FIRST_DAY, "day", "act-plain", "act-year", "act-issuer-year", "act-issuers-year"),
    *("act-file", "and-issuers"),
)
_FIELD = re.compile(r"\{([a-z-]+)\}")
_LOOSE_SIGNS = re.compile(r"\s+([,;.)])|\(\s+|(?:,\s*)+(?=,)")
_ORDINAL_SIGN = re.compile("1([º°.])")
_BLANKS = re.compile(r"\s+")


def fill_template(template: str, **values: str) -> str:
    """Fill the fields of a template; an empty field leaves no sign behind."""
    filled = _FIELD.sub(lambda field: values.get(field[1], ""), template)
    tidy = _LOOSE_SIGNS.sub(lambda found: found[1] or ("(" if "(" in found[0] else ""), filled)
    return _BLANKS.sub(" ", tidy).replace("()", "").strip(" ,;")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Style:
    """Style of labels in one language for one jurisdiction; `make_style` makes each once.

    Attributes:
        registry: the registry.
        law: the jurisdiction.
        words: the words of the language.
        formats: templates by key.
        months: the names of the months; () if they are not known.
        states: notations of the conventional authority of section 6.1.6, in any language.
        ordinal_sign: the sign after the number of an ordinal (``º``), or "".
    """

    registry: Registry
    law: Law
    words: Words
    formats: Mapping[str, str]
    months: tuple[str, ...]
    states: frozenset[str]
    ordinal_sign: str

    @property
    def language(self) -> str:
        """Language of the words."""
        return self.words.language

    def fill(self, key: str, **values: str) -> str:
        """Fill the fields of the template of a key."""
        return fill_template(self.formats.get(key) or _DEFAULT_TEMPLATES[key], **values)

    def join_all(self, texts: Sequence[str], key: str = "and") -> str:
        """Join texts with the word for "and": ``a``, ``a and b``, ``a, b and c``."""
        *others, last = texts or [""]
        word = self.formats.get(key) or self.formats.get("and", _DEFAULT_TEMPLATES["and"])
        return self.join(others) + word + last if others else last

    def join(self, texts: Iterable[str]) -> str:
        """Join the texts that are not empty: ``a, b, c``."""
        return self.formats.get("join", _DEFAULT_TEMPLATES["join"]).join(filter(None, texts))


@lru_cache(maxsize=256)
def make_style(registry: Registry, code: str, language: str) -> Style:
    """Make the style of a jurisdiction's labels in a language."""
    law, words = registry.law(code), registry.words(language)
    own: dict[str, str] = {}
    states: set[str] = set()
    for entry in registry.lexicon(Kind.CONVENTION, code):
        if entry.notation == "state":
            states.update(each.text for each in entry.labels)
        elif entry.notation in {*_DEFAULT_TEMPLATES, *_OPTIONAL_TEMPLATES}:
            fitting = [each for each in entry.labels if each.language.startswith(words.language)]
            own.update((entry.notation, each.text) for each in fitting)
    formats = {**registry.words(FALLBACK_LANGUAGE).formats, **words.formats, **own}
    for key in _OPTIONAL_TEMPLATES:
        if words.formats and key not in {**words.formats, **own}:
            formats.pop(key, None)  # a form that only English has
    sign = _ORDINAL_SIGN.match(formats.get(_FIRST_DAY, ""))
    entries = registry.lexicon(Kind.MONTH, words.language)
    names = {entry.notation: entry.labels[0].text for entry in entries if entry.labels}
    months = tuple(names.get(str(month), "") for month in range(1, 13))
    return Style(
        registry=registry,
        law=law,
        words=words,
        formats=formats,
        months=months if all(months) else (),
        states=frozenset(states),
        ordinal_sign=sign[1] if sign else "",
    )
