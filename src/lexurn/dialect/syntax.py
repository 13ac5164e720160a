"""Syntax of LexML Brasil, the drafts of the RFC and Normattiva (NIR): names read and written.

The writers note all that a dialect cannot express.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect.elements import (
    RECTIFICATION,
    canonicalize_words,
    read_elements,
    read_events,
)
from lexurn.dialect.values import (
    LEXML_AUTHORITIES,
    Dialect,
    Piece,
    find_nir_jurisdiction,
    quote_text,
)
from lexurn.name import replace_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.dialect.values import ConversionState, JurisdictionWords
    from lexurn.name import Date, Name, Version

    NoteFunction = Callable[[str, str, str], None]


_SHAPE = re.compile(
    r"(?P<head>[^@~!$?#]*)(?:@(?P<version>[^~!$?#]*))?(?:\$(?P<manifestation>[^~!?#]*))?"
    r"(?:~(?P<form>[^!?#]*))?(?:!(?P<partition>[^?#]*))?(?P<rest>[?#].*)?",
    re.DOTALL,
)
_MEDIA = re.compile(
    r"(?:application|text|image|audio|video|message|multipart|model|font)-[^:;]+", re.IGNORECASE
)
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE)
FORM = re.compile(
    r"(?P<form>[a-z]+(?:\.[a-z]+)*);(?P<languages>[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?"
    r"(?:,[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?)*)"
)
"""Form and languages after LexML's ``~``."""
# The sign between a label and its number: "art_5".
_LABEL_SIGN = re.compile(r"_(?<=(?<![a-z0-9])[a-z]{3}_)(?=[0-9])")
_PARTITION_RANGE = re.compile(r"\[([^\[\]()]+)\]")
_WITHOUT_AUTHORITY = 2
# The first level of a partition that may name an annex, and the levels inside it.
_ANNEX_LEVEL = re.compile(
    r"(?P<heading>[a-z]+)(?:(?:[-.]|_?(?=[0-9]))(?P<id>[a-z0-9]+(?:[-.][a-z0-9]+)*))?"
    r"(?:_(?P<levels>.+))?",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


def read_lex(work: ConversionState, start: int, *, lexml: bool) -> None:
    """Read the text after the prefix of a LEX name.

    Args:
        work: the conversion.
        start: the end of the prefix.
        lexml: True if ``~`` may stand before a form, as in LexML.
    """
    match = _SHAPE.fullmatch(work.text, start)
    if match is None:
        _report_sign_order(work, start)
        return
    head, version, manifestation, form, partition, rest = match.groups()
    parts = work.parts
    _read_head(work, Piece(start, head))
    if version is not None:
        piece = Piece(match.start("version"), version)
        text, colon, language = version.partition(":")
        if text:
            after_number, parts.events = parts.events, []
            read_events(work, piece.cut(0, text))
            parts.events += after_number
            parts.language = language if colon else parts.language
        else:
            _refuse(work, piece, "@")
    parts.manifestation = manifestation or ""
    if form == "":
        _refuse(work, Piece(match.start("form"), form), "~")
    elif form is not None and lexml and FORM.fullmatch(form):
        _read_form(work, Piece(match.start("form"), form))
    else:
        parts.partition = form or parts.partition
    if partition is not None:
        _read_lexml_partition(work, Piece(match.start("partition"), partition))
    parts.rest = rest or ""
    if parts.rest.startswith("#"):
        work.say("LX856", Piece(match.start("rest"), parts.rest))


def _refuse(work: ConversionState, piece: Piece, sign: str) -> None:
    """Note a sign whose piece cannot be read."""
    work.say("LX886", Piece(piece.start - 1, sign + piece.text))


def _report_sign_order(work: ConversionState, start: int) -> None:
    """Note a sign that stands before one that it should follow, or twice."""
    signs, seen = "@$~!", ""
    for at, sign in enumerate(work.text[start:], start):
        if sign not in signs:
            continue
        if any(before in seen for before in signs[signs.index(sign) :]):
            work.say("LX886", Piece(at, sign))
            return
        seen += sign
    work.say("LX886", Piece(start, work.text[start:]))


def _read_head(work: ConversionState, piece: Piece) -> None:
    """Read jurisdiction and work; the authority may stand as the last unit of the jurisdiction."""
    jurisdiction, *elements = piece.split(":")
    if len(elements) == _WITHOUT_AUTHORITY and ";" in jurisdiction.text:
        first, _, last = jurisdiction.text.rpartition(";")
        is_authority = last in work.words.authorities and last not in work.words.units
        if is_authority or last in LEXML_AUTHORITIES:
            work.change("LX819", jurisdiction.cut(len(first), f";{last}"), f":{last}")
            elements = [jurisdiction.cut(len(first) + 1, last), *elements]
            jurisdiction = jurisdiction.cut(0, first)
    code, semicolon, units = jurisdiction.text.partition(";")
    if semicolon:
        units = canonicalize_words(work, jurisdiction.cut(len(code) + 1, units))
    work.parts.head = code + semicolon + units
    if not elements:
        work.say("LX873", piece)
        return
    read_elements(work, elements)
    if not work.is_broken and elements[0].text in LEXML_AUTHORITIES:
        work.say("LX850", elements[0])


def _read_form(work: ConversionState, piece: Piece) -> None:
    """Read ``forma;lingua``: the version takes the language; a form needs an editor."""
    form, _, languages = piece.text.partition(";")
    work.change("LX815", piece.cut(0, form), "")
    language = piece.cut(len(form) + 1, languages)
    if "," in languages or not work.parts.events or work.parts.language:
        work.change("LX817", language, "")
        return
    work.change("LX816", language, f":{languages}", f'the place of "{languages}"')
    work.parts.language = languages


def _read_lexml_partition(work: ConversionState, piece: Piece) -> None:
    """Read ``art1_par2`` after ``!``; brackets hold a range, and annexes are part of the name."""
    whole = Piece(piece.start - 1, f"!{piece.text}")
    if not piece.text or work.parts.partition:
        work.say("LX885" if piece.text else "LX886", whole)
        return
    annex = _ANNEX_LEVEL.fullmatch(piece.text)
    if annex and annex["heading"].lower() in work.words.annexes:
        given = whole.cut(0, whole.text[: annex.end("id" if annex["id"] else "heading") + 1])
        parts = filter(None, annex.group("heading", "id"))
        named = ".".join(parts).replace("-", ".").lower()
        work.change("LX827", given, f":{named}", f'the place of "{given.text}"')
        work.parts.annexes.append(named)
        if annex["levels"] is None:
            return
        piece = piece.cut(annex.start("levels"), annex["levels"])
        whole = Piece(given.end, f"_{piece.text}")
    ranged = _PARTITION_RANGE.fullmatch(piece.text)
    bare = ranged[1] if ranged else piece.text
    joined = _LABEL_SIGN.sub("", bare)
    levels = joined.replace("_", ";")
    after = f"({levels})" if ranged else levels
    work.change("LX803", whole, f"~{after}")
    for code, changed in (
        ("LX807", ranged),
        ("LX806", joined != bare),
        ("LX805", levels != joined),
    ):
        if changed:
            work.change(code, piece, after)
    work.parts.partition = after


def swap_manifestation(text: str) -> str:
    """Return a manifestation with its first two elements in the other order."""
    first, colon, rest = text.partition(":")
    second, other, more = rest.partition(":")
    return f"{second}:{first}{other}{more}" if colon and second else text


def has_draft_order(text: str) -> bool:
    """Return True for a manifestation with a likely media type before a likely domain."""
    first, _, rest = text.partition(":")
    publisher = rest.partition(":")[0].partition(";")[0]
    return bool(_MEDIA.fullmatch(first.partition(";")[0]) and _DOMAIN.fullmatch(publisher))


_SIGNS = re.compile(r"([@~#!*$])")
# The order in which the dialect has the signs, and the one in which they are read.
_ORDER = {"@": 0, "*": 1, "$": 2, "~": 3, "#": 3, "!": 4}
_READING_ORDER = "@*!$~#"
_VIGENTE = re.compile(r"vig(?:=(.*))?", re.DOTALL)
_COMMUNICATION = re.compile(r"[a-z]+(?:\.[a-z]+)*(?:;.+)?", re.DOTALL)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z0-9]{2,8})*")


def read_nir(work: ConversionState, start: int) -> None:
    """Read the text after the prefix of a NIR name."""
    text = work.text
    question = text.find("?", start)
    end = len(text) if question < 0 else question
    work.parts.rest = text[end:]
    work.parts.head = "it"
    first, *others = _SIGNS.split(text[start:end])
    segments: list[tuple[int, str, Piece]] = []
    order: list[int] = []
    stop = start + len(first)
    for sign, after in zip(others[::2], others[1::2], strict=True):
        if _ORDER[sign] in order:
            work.say("LX885", Piece(stop, sign + after))
        order.append(_ORDER[sign])
        piece = Piece(stop + 1, after)
        stop = piece.end
        segments.append((_READING_ORDER.index(sign), sign, piece))
    elements = Piece(start, first).split(":")
    read_elements(work, elements)
    if work.is_broken:
        return
    jurisdiction = find_nir_jurisdiction(work.parts.head.split(":")[1])
    if jurisdiction != "it":
        work.parts.head = jurisdiction + work.parts.head.removeprefix("it")
        work.say("LX859", elements[0], quote_text(elements[0].text), jurisdiction)
    if order != sorted(order):
        ordered = sorted(segments, key=lambda segment: _ORDER[segment[1]])
        tail = "".join(mark + piece.text for _, mark, piece in ordered)
        work.change("LX808", Piece(start + len(first), text[start + len(first) : end]), tail)
    for _, mark, piece in sorted(segments):
        _read_segment(work, mark, piece)


def _read_segment(work: ConversionState, sign: str, piece: Piece) -> None:
    """Read the piece after a sign of NIR."""
    if sign in "~#":
        _read_nir_partition(work, sign, piece)
    elif sign == "!":
        _read_in_force(work, piece)
    elif sign == "$":
        _read_language(work, piece)
    elif not piece.text or (sign == "*" and not _COMMUNICATION.fullmatch(piece.text)):
        _refuse(work, piece, sign)
    else:
        if sign == "*":  # *errata.corrige;2003-07-03: events of the version
            work.change("LX810", Piece(piece.start - 1, f"*{piece.text}"), piece.text)
        read_events(work, piece)


def _read_in_force(work: ConversionState, piece: Piece) -> None:
    """Read ``!vig=2024-10-31``, the text in force that day, or ``!vig``, the text in force."""
    match = _VIGENTE.fullmatch(piece.text)
    if match is None:
        _refuse(work, piece, "!")
        return
    whole = Piece(piece.start - 1, f"!{piece.text}")
    lost = None if match[1] is not None else 'the spelling "!vig" without "="'
    work.change("LX809", whole, "@vigente" + (f";{match[1]}" if match[1] else ""), lost)
    work.parts.events.append("vigente")
    if match[1]:
        read_events(work, piece.cut(len("vig="), match[1]))


def _read_language(work: ConversionState, piece: Piece) -> None:
    """Read ``$it``, the language of the version."""
    whole = Piece(piece.start - 1, f"${piece.text}")
    if not _LANGUAGE.fullmatch(piece.text):
        _refuse(work, piece, "$")
    elif not work.parts.events:
        work.change("LX817", whole, "")
    else:
        work.change("LX816", whole, f":{piece.text}")
        work.parts.language = piece.text


def _read_nir_partition(work: ConversionState, sign: str, piece: Piece) -> None:
    """Read ``art2-com3`` after ``#`` or ``~``: a hyphen parts levels if a label follows it."""
    if not piece.text:
        _refuse(work, piece, sign)
        return
    if work.parts.partition:
        work.say("LX885", piece)
        return
    after = piece.text
    if "-" in after:
        after = _compile_levels(work.words).sub(";", after)
    if sign == "#":
        work.change("LX804", Piece(piece.start - 1, f"#{piece.text}"), f"~{after}", 'the sign "#"')
    if after != piece.text:
        work.change("LX805", piece, after)
    work.parts.partition = after


@lru_cache(maxsize=256)
def _compile_levels(words: JurisdictionWords) -> re.Pattern[str]:
    """Return a hyphen before a label that something follows, or that ends the partition."""
    labels = "|".join(map(re.escape, words.labels))
    return re.compile(rf"-(?=(?:{labels})(?:[0-9A-Z.]|[a-z]{{1,2}}(?![a-z])|$|[-;]))")


_LEX_NUMBER = re.compile(r"lex-([0-9]+)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_OF_DAY = re.compile(r"t[0-9]{2}(?:\.[0-9]{2}){1,2}")
_RANGE = re.compile(r"\(([^()]+)\)")
_COMMUNICATIONS = ("errata.corrige", "avviso.rettifica", "rettifica")
_MAX_DATES = 2


def write_name(name: Name, dialect: Dialect, note: NoteFunction) -> str | None:
    """Write a name in a dialect; None if the dialect cannot express it."""
    return _WRITERS[dialect](drop_parts(name, dialect, note), note)


def drop_parts(name: Name, dialect: Dialect, note: NoteFunction) -> Name:
    """Return the name without the parts that the dialect cannot hold, each of them noted."""
    if dialect is Dialect.RFC9676 or dialect is Dialect.DRAFT:
        return name
    is_lexml, has_local_dates = dialect is Dialect.LEXML, "|" in str(name)
    work, expression = name.work, name.expression
    if has_local_dates:
        dates = tuple(_drop_local(date, note) for date in work.details.dates)
        work = replace(work, details=replace(work.details, dates=dates))
    for at, annex in enumerate(work.annexes if is_lexml else ()):
        title, more = annex.specifications[:1], annex.specifications[1:]
        if more:
            note("LX843", ";".join(more), "")
            shorter = replace(annex, specifications=title)
            work = replace(work, annexes=(*work.annexes[:at], shorter, *work.annexes[at + 1 :]))
    if expression is not None and has_local_dates:
        version = expression.version
        date = version.date and _drop_local(version.date, note)
        events = tuple(
            replace(event, date=event.date and _drop_local(event.date, note))
            for event in version.events
        )
        expression = replace(expression, version=replace(version, date=date, events=events))
    if expression is not None and is_lexml and expression.language is not None:
        note("LX842", expression.language, "")
        expression = replace(expression, language=None)
    if name.manifestation is not None:
        note("LX841", str(name.manifestation), "")
    if components := _write_components(name):
        note("LX844", components, "")
    if work is name.work and expression is name.expression and name.manifestation is None:
        return name
    return replace_parts(name, work=work, expression=expression, manifestation=None)


def _drop_local(date: Date, note: NoteFunction) -> Date:
    """Return a date without its local form."""
    if date.local is None:
        return date
    note("LX840", date.local, "")
    return replace(date, local=None)


def _write_rfc(name: Name, _note: NoteFunction) -> str | None:
    """Write by RFC 9676: the canonical text, with the components as they were written."""
    return str(name) + _write_components(name)


def _write_draft(name: Name, note: NoteFunction) -> str | None:
    """Write by the drafts: the format before the editor."""
    text = str(name) + _write_components(name)
    if name.manifestation is None:
        return text
    given = str(name.manifestation)
    note("LX833", given, swap_manifestation(given))
    return text.replace(f"${given}", f"${swap_manifestation(given)}", 1)


def _write_lexml(name: Name, note: NoteFunction) -> str | None:
    """Write by the grammar of LexML Brasil."""
    work = name.work
    jurisdiction, authority, measure = str(name).split(":", 5)[2:5]
    issuers = authority.replace("+", ",")
    if issuers != authority:
        note("LX818", authority, issuers)
    when = ",".join(map(str, work.details.dates)) or work.details.period
    if len(work.details.dates) > _MAX_DATES:
        return None
    if len(work.details.dates) > 1:
        note("LX832", str(when), f"[{when}]")
        when = f"[{when}]"
    rectification = ""
    events: list[str] = []
    if name.expression is not None:
        events, rectification = _write_lexml_events(name.expression.version, note)
    text = f"urn:lex:{jurisdiction}:{issuers}:{measure}:{when}"
    text += f";{','.join(work.details.numbers)}"
    for annex in work.annexes:
        component = ";" + ",".join((annex.id, *annex.specifications))
        note("LX827", f":{annex}", component)
        text += component
    text += rectification + (f"@{';'.join(events)}" if events else "")
    if name.partition is None:
        return text
    ranged = _RANGE.fullmatch(name.partition)
    levels = (ranged[1] if ranged else name.partition).replace(";", "_")
    partition = f"![{levels}]" if ranged else f"!{levels}"
    note("LX803", f"~{name.partition}", partition)
    return text + partition


def _write_components(name: Name) -> str:
    parts, text = name.components, ""
    for sign, part in (("?+", parts.r), ("?=", parts.q), ("#", parts.f)):
        if part is not None:
            text += sign + part
    return text


def _write_lexml_events(version: Version, note: NoteFunction) -> tuple[list[str], str]:
    """Return events, times of day at their dates, and the rectification, which stands elsewhere."""
    events, rectification = str(version).split(";"), ""
    if events and RECTIFICATION.fullmatch(events[-1]):
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


def _write_nir(name: Name, note: NoteFunction) -> str | None:
    """Write as Normattiva writes NIR, which has names of Italy and of the authorities it cites."""
    jurisdiction, authority, measure = str(name).split(":", 5)[2:5]
    if jurisdiction not in {"it", find_nir_jurisdiction(authority)}:
        return None
    code = "LX801" if jurisdiction == "it" else "LX836"
    note(code, f"urn:lex:{jurisdiction}:", "urn:nir:")
    work = name.work
    when = ",".join(map(str, work.details.dates)) or work.details.period
    numbers = []
    for number in work.details.numbers:
        match = _LEX_NUMBER.fullmatch(number)
        numbers.append(f"nir-{match[1]}" if match else number)
        if match:
            note("LX825", number, numbers[-1])
    elements = authority, measure, f"{when};{','.join(numbers)}"
    text = "urn:nir:" + ":".join((*elements, *map(str, work.annexes)))
    version = vigente = ""
    if name.expression is not None:
        version, vigente = _write_nir_version(name.expression.version, note)
        if (language := name.expression.language) is not None:
            note("LX816", f":{language}", f"${language}")
            version += f"${language}"
    if name.partition is None:
        return text + version + vigente
    partition = name.partition.replace(";", "-")
    if partition != name.partition:
        note("LX805", f"~{name.partition}", f"~{partition}")
    return f"{text}{version}~{partition}{vigente}"


def _write_nir_version(version: Version, note: NoteFunction) -> tuple[str, str]:
    """Return version and communication, and the text in force, which stands after all."""
    events, vigente = str(version).split(";"), ""
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
            first = before.lstrip(";")
            return (f"@{first}" if first else "") + f"*{communication}{after}", vigente
    return (f"@{text}" if text else ""), vigente


_WRITERS: dict[Dialect, Callable[[Name, NoteFunction], str | None]] = {
    Dialect.RFC9676: _write_rfc,
    Dialect.LEXML: _write_lexml,
    Dialect.NIR: _write_nir,
    Dialect.DRAFT: _write_draft,
}
