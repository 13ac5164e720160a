"""Names in words: what a part of a name reads like, and a short label for a whole name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn import data
from lexurn.model import is_original
from lexurn.name import Level
from lexurn.registry import jurisdictions

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.name import Date, Details, ManifestationIdentifier, Name, Version

__all__ = [
    "act_label",
    "date_in_words",
    "day_in_words",
    "details_in_words",
    "jurisdiction_in_words",
    "kind_of",
    "label_of",
    "language_in_words",
    "media_type",
    "media_type_for_links",
    "partition_in_words",
    "printable",
    "readable",
    "safe_link",
    "unbroken",
    "version_in_words",
]

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_CHARACTER = r"(?:[A-Za-z0-9._~:/@!$&'()*+,;=\u00a1-\ud7ff\uf900-\ufdcf-]|%[0-9A-Fa-f]{2})"
# Without regard to case, such wide ranges would take long to compile.
_LINK = re.compile(
    r"[Hh][Tt][Tt][Pp][Ss]?://(?P<host>[A-Za-z0-9\u00a1-\ud7ff](?:[A-Za-z0-9.\u00a1-\ud7ff-]*))(?::(?P<port>[0-9]{1,5}))?"
    rf"(?:/{_CHARACTER}*)?(?:\?(?:{_CHARACTER}|\?)*)?(?:\#(?:{_CHARACTER}|\?)*)?"
)
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_HIGHEST_PORT = 65_535
_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_KINDS = {
    Level.WORK: "work",
    Level.EXPRESSION: "version",
    Level.MANIFESTATION: "file form",
}


def printable(text: str) -> str:
    """The text with what no page and no terminal may receive (control characters) made visible."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", unbroken(text))


def unbroken(text: str) -> str:
    """The text with a blank for what breaks a line in other programs, and in no page."""
    return _LINE_BREAK.sub(" ", text)


def readable(part: str) -> str:
    """A part of a name in plain letters: decoded, dots as blanks but for those within numbers."""
    text = unquote(part)
    return printable(_DOT.sub(" ", text).strip() or text)


def day_in_words(day: dt.date) -> str:
    """``21 September 2003``: no order of digits that two countries read differently."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def date_in_words(date: Date) -> str:
    """A date of a name, with the one in the local calendar where the name has it."""
    words = date.iso if date.day is None else day_in_words(date.day)
    return f"{words} ({readable(date.local)})" if date.local else words


def details_in_words(details: Details) -> str:
    """When and which: ``21 September 2003, no. 456``; ``unnumbered (lex-1)`` where it has none."""
    when = [date_in_words(date) for date in details.dates] or [readable(details.period or "")]
    numbers = ", ".join(printable(unquote(number)) for number in details.numbers)
    which = f"unnumbered ({numbers})" if details.is_lex_number else f"no. {numbers}"
    return f"{' and '.join(when)}, {which}"


def version_in_words(version: Version) -> str:
    """``original version``, ``version of 1 January 2005, as of 1 March 2005``, ``version x``."""
    if version.date is not None:
        words = f"version of {date_in_words(version.date)}"
    elif is_original(version):
        words = "original version"
    else:
        words = f"version {readable(version.specification or '')}"
    events = (
        readable(event.event or "") if event.date is None else f"as of {date_in_words(event.date)}"
        for event in version.events
    )
    return ", ".join((words, *events))


def media_type_for_links(mime: str) -> str | None:
    """The media type where it is shaped like one (RFC 6838), else None."""
    kind = media_type(mime)
    return kind if _MEDIA_TYPE.fullmatch(kind) else None


def jurisdiction_in_words(code: str) -> str:
    """The country or organisation with a code, by the registry; else the code itself."""
    concept = jurisdictions().get(code)
    return readable(code) if concept is None else concept.label


def language_in_words(tag: str) -> str:
    """``Italian``, ``German (de-ch)``: the name of the language, by the registry; else the tag."""
    primary, _, rest = tag.partition("-")
    label = data.table("language_names")["en"].get(primary)
    if label is None:
        return tag
    return f"{label} ({tag})" if rest else label


def media_type(mime: str) -> str:
    """``application-pdf`` as ``application/pdf``: the first hyphen stood for the slash."""
    return printable(unquote(mime).replace("-", "/", 1))


def _manifestation_in_words(manifestation: ManifestationIdentifier) -> str:
    words = [f"{media_type(manifestation.format.mime)} from {manifestation.editor.publisher}"]
    words += [readable(part) for part in manifestation.format.specifications]
    if manifestation.component is not None:
        words.append(readable(manifestation.component.part))
    if manifestation.feature is not None:
        words.append(readable(manifestation.feature.attribute))
    return ", ".join(words)


def partition_in_words(partition: str) -> str:
    """``art3;par2`` as ``art3, par2``: the levels of the text, outermost first."""
    return printable(unquote(partition.replace(";", ", ")))


def act_label(name: Name) -> str:
    """The act in words, from its name alone: ``legge of 21 September 2003, no. 456``."""
    details = details_in_words(name.work.details)
    return f"{readable(name.work.measure.type)} of {details}"


def label_of(name: Name) -> str:
    """The last part of a name in words: what tells it from its neighbours."""
    if name.partition is not None:
        return partition_in_words(name.partition)
    if name.manifestation is not None:
        return _manifestation_in_words(name.manifestation)
    if name.expression is not None:
        language = name.expression.language
        words = version_in_words(name.expression.version)
        return words if language is None else f"{words}, in {language_in_words(language)}"
    if name.work.annexes:
        return readable(name.work.annexes[-1].id)
    return act_label(name)


def kind_of(name: Name) -> str:
    """What is named, in a word or two: ``work``, ``annex``, ``version``, ``part of a version``."""
    kind = "annex" if name.level is Level.WORK and name.work.annexes else _KINDS[name.level]
    return kind if name.partition is None else f"part of {'an' if kind == 'annex' else 'a'} {kind}"


def safe_link(url: str) -> str | None:
    """The URL if a page may link to it: only ``http`` and ``https``, nothing that runs."""
    found = _LINK.fullmatch(url)
    return None if found is None or int(found["port"] or 0) > _HIGHEST_PORT else url
