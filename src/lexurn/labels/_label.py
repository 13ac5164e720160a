"""The label of a name: its act, annexes and part, then its version and edition in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.labels._acts import act_in_words, annex_in_words, labels_in
from lexurn.labels._editions import edition_in_words, expression_in_words
from lexurn.labels._notations import capital, safe
from lexurn.labels._partitions import partition_in_words
from lexurn.labels._style import fallbacks, style_of
from lexurn.labels._values import Labelled, Notes
from lexurn.name import parse
from lexurn.registry import registry as built_in

if TYPE_CHECKING:
    from lexurn.labels._style import Style
    from lexurn.name import Name
    from lexurn.registry import Registry

__all__ = ["label", "label_of"]


def label(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> str:
    """A name in words; see `label_of`.

    >>> label("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01", "en")
    'Legge of 21 September 2003, No. 456 (version of 1 January 2005)'

    Raises:
        NameSyntaxError: a text is not a name.
    """
    return label_of(name, language, registry=registry).text


def label_of(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> Labelled:
    """A name in words, with its language and what could not be said in it.

    Args:
        name: a name, or its text.
        language: a language tag of BCP 47; where its words are not registered those of its primary
            subtag are taken, else those of the jurisdiction, else English ones. By default the
            language of the jurisdiction that the name is in.
        registry: the registry; by default the built-in one.

    Raises:
        NameSyntaxError: a text is not a name.
    """
    read = parse(name) if isinstance(name, str) else name
    known = registry if registry is not None else built_in()
    notes = Notes()
    style = _style(read, language, known, notes)
    act = capital(act_in_words(read, style, notes))
    annexes = [annex_in_words(annex, style, notes) for annex in read.work.annexes]
    part = "" if read.partition is None else partition_in_words(read.partition, style, notes)
    text = style.sequence([act, *annexes, part]) + _brackets(read, style, notes)
    return Labelled(text=safe(text), language=style.language, findings=notes.findings)


def _brackets(name: Name, style: Style, notes: Notes) -> str:
    """Version and edition; "" for a work."""
    parts = []
    if name.expression is not None:
        parts.append(expression_in_words(name.expression, style, notes))
    if name.manifestation is not None:
        parts.append(edition_in_words(name.manifestation, style))
    return f" ({'; '.join(parts)})" if parts else ""


def _style(name: Name, language: str | None, registry: Registry, notes: Notes) -> Style:
    """The style of the first language in question that has words."""
    code = name.jurisdiction.code
    law = registry.law(code)
    asked = _own_language(name, registry) if language is None else language.lower()
    tags = dict.fromkeys(fallbacks(asked, law))
    found = next((tag for tag in tags if registry.words(tag).formats), asked)
    style = style_of(registry, code, found)
    other = style.language != asked.partition("-")[0]
    if language is not None and (other or "-" in asked):
        notes.say("LX790", "language", language, language, style.language)
    return style


def _own_language(name: Name, registry: Registry) -> str:
    """The official language that most of the act's parts have a label in; else the first."""
    law = registry.law(name.jurisdiction.code)
    if len(law.languages) < 2:  # noqa: PLR2004  no choice
        return next(iter(law.languages), "")
    style = style_of(registry, law.code, law.languages[0])
    scores = {tag: labels_in(name, style, tag) for tag in law.languages}
    return max(law.languages, key=lambda tag: scores[tag])
