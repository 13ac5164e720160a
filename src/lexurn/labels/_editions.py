"""Version, language and manifestation in words (RFC 9676 sections 5.6, 5.7 and 7.1.2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn import data
from lexurn.labels._acts import date_in_words
from lexurn.labels._notations import plain, safe, specifications
from lexurn.model import is_original

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.labels._style import Style
    from lexurn.labels._values import Notes
    from lexurn.name import ExpressionIdentifier, Format, ManifestationIdentifier, Version

__all__ = ["edition_in_words", "expression_in_words"]


def expression_in_words(expression: ExpressionIdentifier, style: Style, notes: Notes) -> str:
    """``testo originale, in fr``: the version, and the language where the label is in another."""
    parts = [_version(expression.version, style)]
    if expression.language not in {None, style.language}:
        language = _language(expression.language or "", style, notes)
        parts.append(style.fill("in-language", language=language))
    return style.sequence(parts)


def _version(version: Version, style: Style) -> str:
    """Original, dated or labelled; its events behind it."""
    if version.date is not None:
        head = style.fill("version", date=date_in_words(version.date, style))
    elif is_original(version):
        head = style.fill("original")
    else:
        head = style.fill("version-label", version=plain(version.specification or ""))
    events = [
        plain(event.event or "") if event.date is None else date_in_words(event.date, style)
        for event in version.events
    ]
    return style.sequence([head, *events])


def _language(tag: str, style: Style, notes: Notes) -> str:
    """The name of a language in the language of the label, else its tag."""
    primary, _, rest = tag.partition("-")
    name = data.table("language_names").get(style.language, {}).get(primary)
    if name is None:
        notes.say("LX794", "language", tag, tag, style.language)
        return tag
    return f"{safe(name)} ({tag})" if rest else safe(name)


def edition_in_words(manifestation: ManifestationIdentifier, style: Style) -> str:
    """``parlamento.it, PDF 1.7``, with component and feature behind it."""
    editor = manifestation.editor
    publisher = safe(unquote(editor.publisher)) + specifications(editor.specifications)
    head = style.fill("edition", publisher=publisher, format=_format(manifestation.format))
    component, feature = manifestation.component, manifestation.feature
    parts = [head]
    if component is not None:
        parts.append(plain(component.part) + specifications(component.specifications))
    if feature is not None:
        parts.append(plain(feature.attribute) + specifications(feature.specifications))
    return style.sequence(parts)


def _format(form: Format) -> str:
    """The usual short name of a media type (``PDF``), else the media type; then its version."""
    known = _short_names().get(form.mime)
    name = known or safe(unquote(form.mime)).replace("-", "/", 1)
    return " ".join((name, *map(plain, form.specifications)))


@cache
def _short_names() -> Mapping[str, str]:
    """The extension of each media type in capitals."""
    table = data.table("extensions")
    exact = {mime: extension.upper() for extension, mime in table["formats"].items()}
    return {mime: extension.upper() for mime, extension in table["shared"].items()} | exact
