"""Writing of a name in a dialect, with a note of all that the dialect cannot express."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect.lexml import swap_manifestation
from lexurn.dialect.values import Dialect, Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.dialect.values import ConversionState
    from lexurn.name import Annex, Details, Name

    Note = Callable[[str, str, str], None]

_LEX_NUMBER = re.compile(r"lex-([0-9]+)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_OF_DAY = re.compile(r"t[0-9]{2}(?:\.[0-9]{2}){1,2}")
_RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_RANGE = re.compile(r"\(([^()]+)\)")
_COMMUNICATIONS = ("errata.corrige", "avviso.rettifica", "rettifica")
_MAX_DATES, _MAX_SPECIFICATIONS = 2, 1


def make_note(work: ConversionState) -> Note:
    """Notes changes of writing, each where its part stands in the text as given."""

    def note(code: str, before: str, after: str) -> None:
        at = work.text.rfind(before)
        work.change(code, Piece(at, before) if at >= 0 else Piece(0, before), after)

    return note


def write_rfc(name: Name, _note: Note) -> str | None:
    """RFC 9676: the canonical text, with the components as they were written."""
    parts = name.components
    rest = "".join(
        sign + text
        for sign, text in (("?+", parts.r), ("?=", parts.q), ("#", parts.f))
        if text is not None
    )
    return str(name) + rest


def write_draft(name: Name, note: Note) -> str | None:
    """The drafts: the format before the editor."""
    text = write_rfc(name, note) or ""
    if name.manifestation is None:
        return text
    given = str(name.manifestation)
    note("LX833", given, swap_manifestation(given))
    return text.replace(f"${given}", f"${swap_manifestation(given)}", 1)


def write_lexml(name: Name, note: Note) -> str | None:
    """LexML Brasil."""
    _note_components(name, note)
    work = name.work
    authority = str(work.authority)
    if "+" in authority:
        note("LX818", authority, authority.replace("+", ","))
    dates = _write_lexml_dates(work.details, note)
    if dates is None:
        return None
    events, rectification = _write_lexml_events(_list_events(name, note), note)
    numbers = ",".join(work.details.numbers)
    elements = authority.replace("+", ","), str(work.measure), f"{dates};{numbers}"
    text = f"urn:lex:{name.jurisdiction}:{':'.join(elements)}"
    text += "".join(_write_lexml_annex(annex, note) for annex in work.annexes) + rectification
    text += f"@{';'.join(events)}" if events else ""
    if name.expression is not None and name.expression.language is not None:
        note("LX842", name.expression.language, "")
    _note_manifestation(name, note)
    return text + _write_lexml_partition(name.partition, note)


def _note_components(name: Name, note: Note) -> None:
    canonical = write_rfc(name, note) or ""
    if rest := canonical[len(str(name)) :]:
        note("LX844", rest, "")


def _note_manifestation(name: Name, note: Note) -> None:
    if name.manifestation is not None:
        note("LX841", str(name.manifestation), "")


def _write_lexml_dates(details: Details, note: Note) -> str | None:
    """One date, or two in brackets; the grammar of 2008 has no more."""
    dates = _list_dates(details, note)
    if not dates:
        return details.period
    if len(dates) == 1:
        return dates[0]
    if len(dates) > _MAX_DATES:
        return None
    after = f"[{','.join(dates)}]"
    note("LX832", ",".join(dates), after)
    return after


def _list_dates(details: Details, note: Note) -> list[str]:
    """The dates; their local forms have no place in a dialect."""
    for date in details.dates:
        if date.local is not None:
            note("LX840", date.local, "")
    return [date.iso for date in details.dates]


def _list_events(name: Name, note: Note) -> list[str]:
    """The version and its events, without local dates."""
    if name.expression is None:
        return []
    version = name.expression.version
    dates = [version.date, *(event.date for event in version.events)]
    for date in dates:
        if date is not None and date.local is not None:
            note("LX840", date.local, "")
    return [each.partition("|")[0] for each in str(version).split(";")]


def _write_lexml_events(events: list[str], note: Note) -> tuple[list[str], str]:
    """Events with times of day at their dates, and the rectification, which LexML has elsewhere."""
    rectification = ""
    if events and _RECTIFICATION.fullmatch(events[-1]):
        rectification = f";{events[-1]}"
        note("LX828", events[-1], rectification)
        events = events[:-1]
    timed: list[str] = []
    for event in events:
        if timed and _TIME_OF_DAY.fullmatch(event) and _DAY.fullmatch(timed[-1]):
            note("LX811", f"{timed[-1]};{event}", timed[-1] + event)
            timed[-1] += event
        else:
            timed.append(event)
    return timed, rectification


def _write_lexml_annex(annex: Annex, note: Note) -> str:
    """An annex as a component, behind the number."""
    title = annex.specifications[:_MAX_SPECIFICATIONS]
    after = ";" + ",".join((annex.id, *title))
    note("LX827", f":{annex}", after)
    if more := annex.specifications[_MAX_SPECIFICATIONS:]:
        note("LX843", ";".join(more), "")
    return after


def _write_lexml_partition(partition: str | None, note: Note) -> str:
    if partition is None:
        return ""
    ranged = _RANGE.fullmatch(partition)
    after = (ranged[1] if ranged else partition).replace(";", "_")
    after = f"!{f'[{after}]' if ranged else after}"
    note("LX845" if "_" in partition else "LX803", f"~{partition}", after)
    return after


def write_nir(name: Name, note: Note) -> str | None:
    """NIR as Normattiva writes it; there is nothing but Italy."""
    if str(name.jurisdiction) != "it":
        return None
    note("LX801", "urn:lex:it:", "urn:nir:")
    _note_components(name, note)
    work = name.work
    when = ",".join(_list_dates(work.details, note)) or work.details.period
    numbers = ",".join(_write_nir_number(number, note) for number in work.details.numbers)
    elements = str(work.authority), str(work.measure), f"{when};{numbers}"
    text = "urn:nir:" + ":".join((*elements, *map(str, work.annexes)))
    version, vigente = _write_nir_version(_list_events(name, note), note)
    language = name.expression.language if name.expression is not None else None
    if language is not None:
        note("LX816", f":{language}", f"${language}")
        version += f"${language}"
    _note_manifestation(name, note)
    return text + version + _write_nir_partition(name.partition, note) + vigente


def _write_nir_number(number: str, note: Note) -> str:
    if match := _LEX_NUMBER.fullmatch(number):
        note("LX825", number, f"nir-{match[1]}")
        return f"nir-{match[1]}"
    return number


def _write_nir_version(events: list[str], note: Note) -> tuple[str, str]:
    """Version and communication, and what is in force, which stands behind the partition."""
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


def _write_nir_partition(partition: str | None, note: Note) -> str:
    if partition is None:
        return ""
    after = partition.replace(";", "-")
    if after != partition:
        note("LX845" if "-" in partition else "LX805", f"~{partition}", f"~{after}")
    return f"~{after}"


WRITERS: dict[Dialect, Callable[[Name, Note], str | None]] = {
    Dialect.RFC9676: write_rfc,
    Dialect.LEXML: write_lexml,
    Dialect.NIR: write_nir,
    Dialect.DRAFT: write_draft,
}
"""How each dialect is written: the text, or None where the name cannot be said in it."""
