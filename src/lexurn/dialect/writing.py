"""Writing of a name in a dialect, with a note of all that the dialect cannot express."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect.reading import swap_manifestation
from lexurn.dialect.values import Dialect, Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.dialect.values import ConversionState
    from lexurn.name import Details, Name

    Note = Callable[[str, str, str], None]

_LEX_NUMBER = re.compile(r"lex-([0-9]+)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_OF_DAY = re.compile(r"t[0-9]{2}(?:\.[0-9]{2}){1,2}")
_RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_RANGE = re.compile(r"\(([^()]+)\)")
_COMMUNICATIONS = ("errata.corrige", "avviso.rettifica", "rettifica")
_MAX_DATES, _MAX_SPECIFICATIONS = 2, 1


def make_note(work: ConversionState) -> Note:
    """Return a function that notes changes at the places of their parts in the text as given."""

    def note(code: str, before: str, after: str) -> None:
        at = work.text.rfind(before)
        work.change(code, Piece(at, before) if at >= 0 else Piece(0, before), after)

    return note


def write_rfc(name: Name, _note: Note) -> str | None:
    """Write by RFC 9676: the canonical text, with the components as they were written."""
    parts = name.components
    pairs = (("?+", parts.r), ("?=", parts.q), ("#", parts.f))
    return str(name) + "".join(sign + text for sign, text in pairs if text is not None)


def write_draft(name: Name, note: Note) -> str | None:
    """Write by the drafts: the format before the editor."""
    text = write_rfc(name, note) or ""
    if name.manifestation is None:
        return text
    given = str(name.manifestation)
    note("LX833", given, swap_manifestation(given))
    return text.replace(f"${given}", f"${swap_manifestation(given)}", 1)


def write_lexml(name: Name, note: Note) -> str | None:
    """Write by the grammar of LexML Brasil."""
    _note_components(name, note)
    work = name.work
    authority = str(work.authority)
    issuers = authority.replace("+", ",")
    if issuers != authority:
        note("LX818", authority, issuers)
    when = ",".join(_list_dates(work.details, note)) or work.details.period
    if len(work.details.dates) > _MAX_DATES:
        return None
    if len(work.details.dates) > 1:
        note("LX832", str(when), f"[{when}]")
        when = f"[{when}]"
    events, rectification = _write_lexml_events(_list_events(name, note), note)
    text = f"urn:lex:{name.jurisdiction}:{issuers}:{work.measure}:{when}"
    text += f";{','.join(work.details.numbers)}"
    for annex in work.annexes:
        title = annex.specifications[:_MAX_SPECIFICATIONS]
        component = ";" + ",".join((annex.id, *title))
        note("LX827", f":{annex}", component)
        if more := annex.specifications[_MAX_SPECIFICATIONS:]:
            note("LX843", ";".join(more), "")
        text += component
    text += rectification + (f"@{';'.join(events)}" if events else "")
    if name.expression is not None and name.expression.language is not None:
        note("LX842", name.expression.language, "")
    _note_manifestation(name, note)
    if name.partition is None:
        return text
    ranged = _RANGE.fullmatch(name.partition)
    levels = (ranged[1] if ranged else name.partition).replace(";", "_")
    partition = f"![{levels}]" if ranged else f"!{levels}"
    note("LX845" if "_" in name.partition else "LX803", f"~{name.partition}", partition)
    return text + partition


def _note_components(name: Name, note: Note) -> None:
    whole = write_rfc(name, note) or ""
    if rest := whole[len(str(name)) :]:
        note("LX844", rest, "")


def _note_manifestation(name: Name, note: Note) -> None:
    if name.manifestation is not None:
        note("LX841", str(name.manifestation), "")


def _list_dates(details: Details, note: Note) -> list[str]:
    """Return the dates; a dialect has no place for their local forms."""
    for date in details.dates:
        if date.local is not None:
            note("LX840", date.local, "")
    return [date.iso for date in details.dates]


def _list_events(name: Name, note: Note) -> list[str]:
    """Return the version and its events, without local dates."""
    if name.expression is None:
        return []
    version = name.expression.version
    for date in (version.date, *(event.date for event in version.events)):
        if date is not None and date.local is not None:
            note("LX840", date.local, "")
    return [each.partition("|")[0] for each in str(version).split(";")]


def _write_lexml_events(events: list[str], note: Note) -> tuple[list[str], str]:
    """Return events, times of day at their dates, and the rectification, which stands elsewhere."""
    rectification = ""
    if events and _RECTIFICATION.fullmatch(events[-1]):
        *events, last = events
        rectification = f";{last}"
        note("LX828", last, rectification)
    timed: list[str] = []
    for event in events:
        if timed and _TIME_OF_DAY.fullmatch(event) and _DAY.fullmatch(timed[-1]):
            note("LX811", f"{timed[-1]};{event}", timed[-1] + event)
            timed[-1] += event
        else:
            timed.append(event)
    return timed, rectification


def write_nir(name: Name, note: Note) -> str | None:
    """Write as Normattiva writes NIR, which has names of Italy only."""
    if str(name.jurisdiction) != "it":
        return None
    note("LX801", "urn:lex:it:", "urn:nir:")
    _note_components(name, note)
    work = name.work
    when = ",".join(_list_dates(work.details, note)) or work.details.period
    numbers = []
    for number in work.details.numbers:
        match = _LEX_NUMBER.fullmatch(number)
        numbers.append(f"nir-{match[1]}" if match else number)
        if match:
            note("LX825", number, numbers[-1])
    elements = work.authority, work.measure, f"{when};{','.join(numbers)}"
    text = "urn:nir:" + ":".join(map(str, (*elements, *work.annexes)))
    version, vigente = _write_nir_version(_list_events(name, note), note)
    language = name.expression.language if name.expression is not None else None
    if language is not None:
        note("LX816", f":{language}", f"${language}")
        version += f"${language}"
    _note_manifestation(name, note)
    if name.partition is None:
        return text + version + vigente
    partition = name.partition.replace(";", "-")
    if partition != name.partition:
        code = "LX845" if "-" in name.partition else "LX805"
        note(code, f"~{name.partition}", f"~{partition}")
    return f"{text}{version}~{partition}{vigente}"


def _write_nir_version(events: list[str], note: Note) -> tuple[str, str]:
    """Return version and communication, and the text in force, which stands behind all."""
    vigente = ""
    if "vigente" in events:
        at = events.index("vigente")
        day = events[at + 1 :]
        if not day or (len(day) == 1 and _DAY.fullmatch(day[0])):
            vigente = f"!vig={''.join(day)}"
            note("LX809", ";".join(events[at:]), vigente)
            events = events[:at]
    text = ";".join(events)
    for communication in _COMMUNICATIONS:
        before, found, after = f";{text}".partition(f";{communication}")
        if found and after[:1] in {"", ";"}:
            note("LX810", communication + after, f"*{communication}{after}")
            version = before.lstrip(";")
            return (f"@{version}" if version else "") + f"*{communication}{after}", vigente
    return (f"@{text}" if text else ""), vigente


WRITERS: dict[Dialect, Callable[[Name, Note], str | None]] = {
    Dialect.RFC9676: write_rfc,
    Dialect.LEXML: write_lexml,
    Dialect.NIR: write_nir,
    Dialect.DRAFT: write_draft,
}
"""Writer of each dialect; it returns None if the dialect cannot express a name."""
