"""What short names mean at a place of a page: prefixes, terms, the vocabulary."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.embedding._rdfa_terms import TERM, XHTML_VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._page import Element
    from lexurn.embedding._sayings import Sayings

__all__ = ["Scope", "entered"]

_PREFIX = re.compile(r"(?<!\S)([A-Za-z_][\w.-]*|):\s+(\S+)")
_MOST_PREFIXES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What holds at a place.

    Attributes:
        prefixes: IRIs by their prefixes, in lower case.
        terms: IRIs of words.
        vocabulary: what words are put behind, None where each has an IRI of its own or none.
    """

    prefixes: Mapping[str, str]
    terms: Mapping[str, str]
    vocabulary: str | None

    def term(self, word: str) -> str | None:
        """The IRI of a word, None where it means nothing."""
        if TERM.fullmatch(word) is None:
            return None
        if self.vocabulary is not None:
            return self.vocabulary + word
        return self.terms.get(word) or self.terms.get(word.lower())

    def compact(self, text: str) -> str | None:
        """The IRI of a compact IRI, a blank node of ``_:x``; None where it is neither."""
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            # Apart from those that have no name in the page.
            return f"_:n{rest}"
        start = self.prefixes.get(prefix.lower()) if prefix else XHTML_VOCABULARY
        return None if start is None else start + rest

    def resource(self, text: str, sayings: Sayings) -> str | None:
        """The IRI of ``about`` or ``resource``; None for a safe compact IRI that means nothing."""
        if text.startswith("[") and text.endswith("]"):
            return self.compact(text[1:-1])
        return self.compact(text) or sayings.resolved(text)


def entered(scope: Scope, element: Element, sayings: Sayings) -> Scope:
    """What holds within an element."""
    # What an element around it declared holds already, or has been declared anew since.
    outer = {} if element.parent is None else element.parent.declared
    declared = {
        prefix.lower(): iri
        for prefix, iri in element.declared.items()
        if prefix not in {"", "_", "xml"} and outer.get(prefix) != iri
    }
    pairs = _PREFIX.findall(element.get("prefix") or "")
    declared |= {prefix.lower(): iri for prefix, iri in pairs if prefix not in {"", "_"}}
    if declared and len(scope.prefixes) + len(declared) <= _MOST_PREFIXES:
        scope = replace(scope, prefixes={**scope.prefixes, **declared})
    vocabulary = element.get("vocab")
    if vocabulary is not None:
        whole = sayings.resolved(vocabulary) if vocabulary.strip() else None
        scope = replace(scope, vocabulary=whole)
    return scope
