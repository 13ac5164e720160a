"""Words for people: dates, media types, languages and labels, and the parts of a name explained."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn import data
from lexurn.model import LegalForce, is_original
from lexurn.name import Level, is_registered_subtag
from lexurn.registry import load_jurisdictions

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.name import (
        Date,
        ExpressionIdentifier,
        ManifestationIdentifier,
        Name,
        Version,
        WorkIdentifier,
    )

FORCES = {
    LegalForce.IN_FORCE: "In force",
    LegalForce.PARTLY_IN_FORCE: "Partly in force",
    LegalForce.NOT_IN_FORCE: "Not in force",
    LegalForce.REPEALED: "Repealed",
}
"""Names of the states of force."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_CHARACTER = r"(?:[A-Za-z0-9._~:/@!$&'()*+,;=\u00a1-\ud7ff\uf900-\ufdcf-]|%[0-9A-Fa-f]{2})"
# Without regard to case, such wide ranges would take long to compile.
_LINK = re.compile(
    r"[Hh][Tt][Tt][Pp][Ss]?://(?P<host>[A-Za-z0-9\u00a1-\ud7ff](?:[A-Za-z0-9.\u00a1-\ud7ff-]*))(?::(?P<port>[0-9]{1,5}))?"
    rf"(?:/{_CHARACTER}*)?(?:\?(?:{_CHARACTER}|\?)*)?(?:\#(?:{_CHARACTER}|\?)*)?"
)
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
_KINDS = {Level.WORK: "work", Level.EXPRESSION: "version", Level.MANIFESTATION: "format"}


def escape_controls(text: str) -> str:
    """Make control characters visible: no page and no terminal may receive them."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", replace_line_breaks(text))


def replace_line_breaks(text: str) -> str:
    """Replace the line breaks of other programs, which are none in a page, by blanks."""
    return _LINE_BREAK.sub(" ", text)


def decode_part(part: str) -> str:
    """Decode a part of a name: dots become blanks, except within numbers."""
    text = unquote(part)
    return escape_controls(_DOT.sub(" ", text).strip() or text)


def format_day(day: dt.date) -> str:
    """Format a day so that every country reads it alike: ``21 September 2003``."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def format_date(date: Date) -> str:
    """Format a date of a name, with the date in the local calendar where there is one."""
    words = date.iso if date.day is None else format_day(date.day)
    return f"{words} ({decode_part(date.local)})" if date.local else words


def format_version(version: Version) -> str:
    """Format a version: ``original version``, ``version of 1 January 2005, as of 1 March 2005``."""
    if version.date is not None:
        words = f"version of {format_date(version.date)}"
    elif is_original(version):
        words = "original version"
    else:
        words = f"version {decode_part(version.specification or '')}"
    events = (
        decode_part(event.event or "") if event.date is None else f"as of {format_date(event.date)}"
        for event in version.events
    )
    return ", ".join((words, *events))


def decode_valid_media_type(mime: str) -> str | None:
    """Decode a media type; return None where it is not valid (RFC 6838)."""
    kind = decode_media_type(mime)
    return kind if _MEDIA_TYPE.fullmatch(kind) else None


def format_language(tag: str) -> str:
    """Return the name of a language, ``Italian`` or ``German (de-ch)``; else its tag."""
    primary, _, rest = tag.partition("-")
    label = data.load_table("language_names")["en"].get(primary)
    if label is None:
        return tag
    return f"{label} ({tag})" if rest else label


def decode_media_type(mime: str) -> str:
    """Decode a media type: ``application-pdf`` is ``application/pdf`` (RFC 9676 §5.7)."""
    return escape_controls(unquote(mime).replace("-", "/", 1))


def format_partition(partition: str) -> str:
    """Format a partition, its levels from the outside in: ``art3, par2``."""
    return escape_controls(unquote(partition.replace(";", ", ")))


def label_name(name: Name) -> str:
    """Label a name by its last part, which distinguishes it from its neighbours.

    An act is labelled by its name alone: ``legge of 21 September 2003, no. 456``.
    """
    if name.partition is not None:
        return format_partition(name.partition)
    if name.manifestation is not None:
        form, editor = name.manifestation.format, name.manifestation.editor
        words = [f"{decode_media_type(form.mime)} from {editor.publisher}"]
        words += [decode_part(part) for part in form.specifications]
        if name.manifestation.component is not None:
            words.append(decode_part(name.manifestation.component.part))
        if name.manifestation.feature is not None:
            words.append(decode_part(name.manifestation.feature.attribute))
        return ", ".join(words)
    if name.expression is not None:
        language = name.expression.language
        version = format_version(name.expression.version)
        return version if language is None else f"{version}, in {format_language(language)}"
    if name.work.annexes:
        return decode_part(name.work.annexes[-1].id)
    details = name.work.details
    dates = [format_date(date) for date in details.dates] or [decode_part(details.period or "")]
    numbers = ", ".join(escape_controls(unquote(number)) for number in details.numbers)
    label = f"unnumbered ({numbers})" if details.is_lex_number else f"no. {numbers}"
    return f"{decode_part(name.work.measure.type)} of {' and '.join(dates)}, {label}"


def describe_kind(name: Name) -> str:
    """Return the kind of a name: ``work``, ``annex``, ``version``, ``part of a version``."""
    kind = "annex" if name.level is Level.WORK and name.work.annexes else _KINDS[name.level]
    return kind if name.partition is None else f"part of {'an' if kind == 'annex' else 'a'} {kind}"


def check_link(url: str) -> str | None:
    """Return the URL if a page may link to it (only ``http`` and ``https``), else None."""
    found = _LINK.fullmatch(url)
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


class NamePart(NamedTuple):
    """Part of a name, explained.

    Attributes:
        label: the kind of the part.
        value: the part as it stands in the name.
        meaning: its meaning.
        section: the section of RFC 9676 that defines it.
    """

    label: str
    value: str
    meaning: str
    section: str


def explain_name(name: Name) -> tuple[NamePart, ...]:
    """Explain all parts of a name, in their order (the productions of RFC 9676 section 8)."""
    jurisdiction = name.jurisdiction
    concept = load_jurisdictions().get(jurisdiction.code)
    label = decode_part(jurisdiction.code) if concept is None else concept.label
    meaning = f"law of {label}"
    parts = [NamePart("Jurisdiction", jurisdiction.code, meaning, "2.1")]
    parts += [
        NamePart("Jurisdiction unit", unit, f"within it: {decode_part(unit)}", "2.1")
        for unit in jurisdiction.units
    ]
    parts += _explain_work(name.work)
    if name.expression is not None:
        parts += _explain_expression(name.expression)
    if name.manifestation is not None:
        parts += _explain_manifestation(name.manifestation)
    if name.partition is not None:
        meaning = f"only this part of the text: {format_partition(name.partition)}"
        parts.append(NamePart("Partition", name.partition, meaning, "5.8"))
    return tuple(parts)


def _explain_work(work: WorkIdentifier) -> Iterator[NamePart]:
    for issuer in work.authority.issuers:
        meaning = f"issued by {decode_part(issuer.institution)}"
        yield NamePart("Authority", issuer.institution, meaning, "6.1.3")
        for function in issuer.functions:
            meaning = f"within it: {decode_part(function)}"
            yield NamePart("Body or function", function, meaning, "6.1.5")
    meaning = f"kind of act: {decode_part(work.measure.type)}"
    yield NamePart("Measure", work.measure.type, meaning, "6.2.1")
    yield from _explain_specifications(work.measure.specifications, "kind of act", "6.2.2")
    details = work.details
    for date in details.dates:
        yield NamePart("Date", str(date), f"dated {format_date(date)}", "6.3.1")
    if details.period is not None:
        meaning = f"in place of a date: {decode_part(details.period)}"
        yield NamePart("Period", details.period, meaning, "6.3.1")
    for number in details.numbers:
        meaning = f"number {escape_controls(number)}"
        if details.is_lex_number:
            meaning = "a number assigned for the name, because the act has none"
        yield NamePart("Number", number, meaning, "6.3.3")
    for annex in work.annexes:
        yield NamePart("Annex", annex.id, f"annex: {decode_part(annex.id)}", "6.4.1")
        yield from _explain_specifications(annex.specifications, "annex", "6.4.1")


def _explain_specifications(
    specifications: tuple[str, ...], of: str, section: str
) -> Iterator[NamePart]:
    for specification in specifications:
        meaning = f"specification of the {of}: {decode_part(specification)}"
        yield NamePart("Specification", specification, meaning, section)


def _explain_expression(expression: ExpressionIdentifier) -> Iterator[NamePart]:
    version = expression.version
    if version.date is not None:
        meaning = f"the text as last amended on {format_date(version.date)}"
    elif is_original(version):
        meaning = "the original text"
    else:
        meaning = f"the version named {decode_part(version.specification or '')}"
    label = "Version" if version.date is None else "Amendment date"
    yield NamePart(label, str(version.date or version.specification), meaning, "7.1.2")
    for event in version.events:
        if event.date is not None:
            meaning = f"in force, effective or published on {format_date(event.date)}"
            yield NamePart("Event date", str(event), meaning, "7.1.2")
        else:
            yield NamePart("Event", str(event), f"after: {decode_part(str(event))}", "7.1.2")
    if expression.language is not None:
        meaning = f"in {format_language(expression.language)}"
        yield NamePart("Language", expression.language, meaning, "5.6")


def _explain_manifestation(manifestation: ManifestationIdentifier) -> Iterator[NamePart]:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    meaning = f"produced by the publisher at {escape_controls(editor.publisher)}"
    yield NamePart("Publisher", editor.publisher, meaning, "5.7")
    yield from _explain_specifications(editor.specifications, "publisher", "5.7")
    yield NamePart("Format", form.mime, f"a file of type {decode_media_type(form.mime)}", "5.7")
    yield from _explain_specifications(form.specifications, "format", "5.7")
    if component is not None:
        yield NamePart("Component", component.part, f"holds {decode_part(component.part)}", "5.7")
        yield from _explain_specifications(component.specifications, "component", "5.7")
    if feature is not None:
        meaning = f"with the feature {decode_part(feature.attribute)}"
        yield NamePart("Feature", feature.attribute, meaning, "5.7")
        yield from _explain_specifications(feature.specifications, "feature", "5.7")
