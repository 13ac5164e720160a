"""Parts of a name in words, each by itself, for pages that explain a name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn import data
from lexurn.labels.notations import (
    Notes,
    capitalize,
    describe_format,
    describe_notation,
    escape_hidden,
    make_style,
    name_language,
    split_notation,
)
from lexurn.labels.wording import LEVELS, LabelWriter, MeasureWords, describe_date
from lexurn.model import is_original
from lexurn.name import Date
from lexurn.registry import load_registry

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.labels.notations import Style
    from lexurn.name import Issuer, Name


class NamePart(NamedTuple):
    """Part of a name with its meaning.

    Attributes:
        kind: the kind of the part: ``jurisdiction``, ``unit``, ``authority``, ``function``,
            ``measure``, ``specification``, ``date``, ``period``, ``number``, ``unnumbered``,
            ``annex``, ``version``, ``original``, ``event``, ``language``, ``editor``, ``format``,
            ``component``, ``feature`` or ``partition``.
        value: the part as it stands in the name.
        meaning: its meaning in words; empty where it would repeat the value.
    """

    kind: str
    value: str
    meaning: str


@lru_cache(maxsize=8_192)
def format_day(day: dt.date, language: str) -> str:
    """Write a day in a language: ``21 settembre 2003``; in ISO 8601 if it has no month names."""
    return describe_date(Date(iso=day.isoformat()), make_style(load_registry(), "", language))


def name_jurisdiction(code: str, language: str) -> str:
    """Return the name of a jurisdiction in a language, else in English, else its code."""
    labels = data.load_table("jurisdiction_concepts")["labels"].get(code, {})
    return labels.get(language) or labels.get("en") or split_notation(code)


def describe_parts(name: Name, language: str) -> tuple[NamePart, ...]:
    """Describe all parts of a name, in their order (the productions of RFC 9676 section 8)."""
    writer = _make_writer(name, language)
    parts = (
        *_list_act_parts(name.act_name, writer.style),
        *(("annex", str(each), writer.describe_annex(each)) for each in name.work.annexes),
        *_list_version_parts(name, writer.style),
        *_list_format_parts(name, writer),
    )
    return tuple(
        NamePart(kind, value, "" if meaning == value else meaning) for kind, value, meaning in parts
    )


@lru_cache(maxsize=1_024)
def describe_version(name: Name, language: str) -> str:
    """Describe the version and the language of a name: ``1° gennaio 2005, in francese``.

    Empty for a work.
    """
    if name.expression is None:
        return ""
    return _make_writer(name, language).describe_expression(name.expression)


@lru_cache(maxsize=1_024)
def describe_level(name: Name, language: str) -> str:
    """Describe a name by its last part, which distinguishes it from its neighbours."""
    writer = _make_writer(name, language)
    if name.partition is not None:
        levels = map(writer.describe_level, LEVELS.split(name.partition))
        return capitalize(writer.style.join(levels))
    if name.manifestation is not None:
        return writer.describe_manifestation(name.manifestation)
    if name.expression is not None:
        return capitalize(writer.describe_expression(name.expression))
    if name.work.annexes:
        return capitalize(writer.describe_annex(name.work.annexes[-1]))
    return capitalize(writer.describe_act())


def describe_issuer(name: Name, issuer: Issuer, language: str) -> str:
    """Describe an issuer of an act by itself, as the label of the act does in a language."""
    return _make_writer(name, language).describe_issuer(issuer, MeasureWords(""))


def write_citation(
    code: str, language: str, *, authority: str, measure: str, date: str, number: str
) -> str:
    """Write a citation from its parts in words, in the style of a jurisdiction in a language."""
    form = make_style(load_registry(), code, language).formats["act-issuer"]
    return form.format(authority=authority, measure=measure, date=date, number=number)


def describe_folders(name: Name, language: str) -> tuple[str, str, str]:
    """Describe the jurisdiction, the authority and the type of an act, each by itself."""
    return _describe_folders(name.act_name, language)


@lru_cache(maxsize=1_024)
def _describe_folders(act: Name, language: str) -> tuple[str, str, str]:
    writer = _make_writer(act, language)
    style, code = writer.style, act.jurisdiction.code
    place = (name_jurisdiction(code, style.language), *reversed(list(writer.list_units())))
    measure = writer.describe_measure().text
    return style.join(place), writer.describe_issuers(MeasureWords(""), "and"), measure


def _make_writer(name: Name, language: str) -> LabelWriter:
    style = make_style(load_registry(), name.jurisdiction.code, language)
    return LabelWriter(name, style, Notes())


@lru_cache(maxsize=1_024)
def _list_act_parts(act: Name, style: Style) -> tuple[tuple[str, str, str], ...]:
    """List the parts of an act, which all names under it share."""
    writer = LabelWriter(act, style, Notes())
    law, jurisdiction, work, notes = style.law, act.jurisdiction, act.work, writer.notes
    code, units = jurisdiction.code, reversed(list(writer.list_units()))
    parts = [("jurisdiction", code, name_jurisdiction(code, style.language))]
    parts += [("unit", *each) for each in zip(jurisdiction.units, units, strict=True)]
    for issuer in work.authority.issuers:
        bodies = [(law.bodies, "function", each) for each in issuer.functions]
        for lexicon, kind, value in ((law.authorities, "authority", issuer.institution), *bodies):
            parts.append((kind, value, describe_notation(lexicon, value, kind, style, notes)))
    parts.append(("measure", str(work.measure), writer.describe_measure().text))
    parts += [("date", str(date), describe_date(date, style)) for date in work.details.dates]
    if (period := work.details.period) is not None:
        parts.append(("period", period, writer.describe_period()))
    for number in work.details.numbers:
        if writer.is_unnumbered():
            parts.append(("unnumbered", number, ""))
        else:
            parts.append(("number", number, writer.format_number(number)))
    return tuple(parts)


def _list_format_parts(name: Name, writer: LabelWriter) -> Iterator[tuple[str, str, str]]:
    if (manifestation := name.manifestation) is not None:
        editor, form = manifestation.editor, manifestation.format
        yield "editor", str(editor), escape_hidden(unquote(editor.publisher))
        yield "format", str(form), describe_format(form)
        if (component := manifestation.component) is not None:
            yield "component", str(component), split_notation(component.part)
        if (feature := manifestation.feature) is not None:
            yield "feature", str(feature), split_notation(feature.attribute)
    if name.partition is not None:
        for level in LEVELS.split(name.partition):
            yield "partition", level, writer.describe_level(level)


def _list_version_parts(name: Name, style: Style) -> Iterator[tuple[str, str, str]]:
    if name.expression is None:
        return
    version = name.expression.version
    if version.date is not None:
        yield "version", str(version.date), describe_date(version.date, style)
    else:
        specification = version.specification or ""
        is_plain = not is_original(version)
        yield "version" if is_plain else "original", specification, split_notation(specification)
    for event in version.events:
        meaning = describe_date(event.date, style) if event.date else split_notation(str(event))
        yield "event", str(event), meaning
    if name.expression.language is not None:
        tag = name.expression.language
        yield "language", tag, name_language(tag, style.language)
