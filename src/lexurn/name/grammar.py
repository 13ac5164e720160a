"""Productions of a LEX name: one function reads the text of each (RFC 9676 sections 2 to 7).

The functions cover jurisdiction, authority, measure, details, annex, expression, manifestation and
partition, and the r-, q- and f-components of RFC 8141.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from lexurn.data import load_table
from lexurn.name.characters import (
    ALF_DOT,
    ALF_DOT_HYP,
    ALF_DOT_OTH,
    DATE_LOC,
    MIME,
    PARTITION,
    Fault,
    Fix,
    Parsed,
    encode_keeping_case,
    is_fatal,
    is_unwritable,
    percent_encode,
    quote_text,
    read_series,
    read_text,
    refuse_character,
    repair_date,
    shift_faults,
)
from lexurn.name.language import read_language
from lexurn.name.values import (
    Annex,
    Authority,
    Component,
    Components,
    Date,
    Details,
    Editor,
    Event,
    ExpressionIdentifier,
    Feature,
    Format,
    Issuer,
    Jurisdiction,
    ManifestationIdentifier,
    Measure,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# Digits and dashes in any order are an attempt at a date, whatever its faults.
_DATE_LIKE = re.compile(r"[^A-Za-z.;]{0,6}?[0-9][^.;]*[-/\u2010-\u2015\u2212]")
_PERIOD_LIKE_A_DATE = re.compile(
    r"[0-9]{4}(?:[0-9]{2}){0,2}|[0-9]{4}(?:\.[0-9]{1,2}){1,2}|(?:[0-9]{1,2}\.){1,2}[0-9]{4}"
)
_ENCODED_BAR = "%7C"
_LAST_JULIAN_YEAR = 1582


def is_date_like(text: str) -> bool:
    """Return whether a text is an attempt at a date rather than a word."""
    return _ISO_DATE.match(text) is not None or _DATE_LIKE.match(text) is not None


@lru_cache(maxsize=4096)
def _read_day(iso: str) -> Parsed[Date]:
    """Read a day in ISO 8601, 10 characters.

    It must exist in the proleptic Gregorian calendar. Two kinds of day get a warning instead, and
    cannot be a `datetime.date`: those of the year 0000, and 29 February of Julian leap years up to
    1582.
    """
    year, month, day = int(iso[:4]), int(iso[5:7]), int(iso[8:])
    code = None
    try:
        dt.date(year or 4, month, day)
    except ValueError:
        julian = year % 4 == 0 and year <= _LAST_JULIAN_YEAR and (month, day) == (2, 29)
        code = "LX217" if julian else "LX215"
    code = code or (None if year else "LX216")
    faults = (Fault(code, "date", 0, 10, (iso,)),) if code else ()
    return Parsed(None if code == "LX215" else Date(iso=iso), iso, faults)


def read_date(text: str) -> Parsed[Date]:
    """Read ``date = date-iso ["|" date-loc]``; ``%7C`` for the bar is read with a warning."""
    match = _ISO_DATE.match(text)
    if match is None:
        return _refuse_date(text)
    day, rest = _read_day(match[0]), text[match.end() :]
    if not rest:
        return day
    if rest[0] == "|":
        return _add_local_date(day, rest[1:], match.end() + 1)
    if rest[:3].upper() == _ENCODED_BAR:
        fix = Fix(match.end(), match.end() + 3, "|")
        bar = Fault("LX218", "date-loc", match.end(), match.end() + 3, (), fix)
        return _add_local_date(day, rest[3:], match.end() + 3, bar)
    # The day is not checked: the rest may well belong to its digits.
    return Parsed(None, text, (refuse_character(text, match.end(), "date"),))


def read_dates(text: str) -> Parsed[tuple[Date, ...]]:
    """Read ``dates = date *("," date)`` (RFC 9676 section 6.3.2)."""
    values: list[Date | None] = []
    faults: list[Fault] = []
    texts: list[str] = []
    seen: set[str] = set()
    start = 0
    for item in text.split(","):
        read = read_date(item)
        if read.value is not None and read.text in seen:
            fix = Fix(start - 1, start + len(item), "")
            faults.append(
                Fault("LX221", "dates", start, start + len(item), (quote_text(item),), fix)
            )
        seen.add(read.text)
        values.append(read.value)
        texts.append(read.text)
        faults += shift_faults(read.faults, start)
        start += len(item) + 1
    dates = tuple(value for value in values if value is not None)
    whole = dates if len(dates) == len(values) else None
    return Parsed(whole, ",".join(texts), tuple(faults))


def read_period(text: str) -> Parsed[str]:
    """Read ``period = alf-dot`` (RFC 9676 section 6.3.1); warn if it looks like a date."""
    read = read_text(text, ALF_DOT, "period")
    if read.value is None:
        # Most details begin with a date, so a text that is neither lacks a date.
        faults = (
            fault._replace(component="date") if fault.component == "period" else fault
            for fault in read.faults
        )
        return read._replace(faults=tuple(faults))
    if not _PERIOD_LIKE_A_DATE.fullmatch(text):
        return read
    fix = Fix(0, len(text), repair) if (repair := repair_date(text)) else None
    like_a_date = Fault("LX220", "period", 0, len(text), (quote_text(text),), fix)
    return read._replace(faults=(*read.faults, like_a_date))


def _refuse_date(text: str) -> Parsed[Date]:
    """Return the fault of a text that is not a date: empty, a broken triplet, or any other."""
    if not text:
        return Parsed(None, "", (Fault("LX201", "date", 0, 0),))
    broken = read_text(text, ALF_DOT, "date").faults[-1:]
    if broken and broken[0].code == "LX104":
        return Parsed(None, text, broken)
    fix = Fix(0, len(text), repair) if (repair := repair_date(text)) else None
    return Parsed(None, text, (Fault("LX214", "date", 0, len(text), (quote_text(text),), fix),))


def _add_local_date(day: Parsed[Date], local: str, start: int, *faults: Fault) -> Parsed[Date]:
    """Add to a day its form in the jurisdiction's own calendar."""
    if local:
        read = read_text(local, DATE_LOC, "date-loc")
    else:
        read = Parsed("", "", (Fault("LX219", "date-loc", 0, 0, (), Fix(-1, 0, "")),))
    found = (*day.faults, *faults, *shift_faults(read.faults, start))
    text = f"{day.text}|{read.text}"
    if day.value is None or read.value is None:
        return Parsed(None, text, found)
    return Parsed(Date(iso=day.text, local=read.value), text, found)


_CODE_CHARACTER = re.compile(r"%..|[^.-]")
_COUNTRY_OR_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)*[a-z]{2,}")
_RESERVED_LABEL = re.compile(r"(?:^|(?<=\.))([A-Za-z0-9]{2})--([A-Za-z0-9-]*)")
_LOOSE_LABEL = re.compile(r"-(?:\.|$)|(?:^|\.)-")
# Four hex digits, one of them a digit, so that words such as "u+face" do not match.
_CODE_POINT_NOTATION = re.compile(r"[Uu]\+(?=[A-Fa-f]{0,3}[0-9])([0-9A-Fa-f]{4})(?![0-9A-Fa-f])")
_NUMBER_LEX = re.compile(r"lex-[0-9]+")
# A date and one number without a fault, if the day exists.
_PLAIN_DETAILS = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2});(?!lex-)([a-z0-9][a-z0-9_'=()-]*)")
_SHORTEST_CODE = 2


def read_jurisdiction(text: str) -> Parsed[Jurisdiction]:
    """Read ``jurisdiction = jurisdiction-code *(";" jurisdiction-unit)`` (RFC 9676 section 2.1)."""
    head, semicolon, tail = text.partition(";")
    code = _read_jurisdiction_code(head)
    if not semicolon:
        value = None if code.value is None else Jurisdiction(code=code.value)
        return Parsed(value, code.text, code.faults)
    units = read_series(tail, ALF_DOT, "jurisdiction-unit", "jurisdiction-unit")
    faults = code.faults + shift_faults(units.faults, len(head) + 1)
    whole = f"{code.text};{units.text}"
    if code.value is None or units.value is None:
        return Parsed(None, whole, faults)
    return Parsed(Jurisdiction(code=code.value, units=units.value), whole, faults)


def read_authority(text: str) -> Parsed[Authority]:
    """Read ``authority = issuer *("+" issuer)`` (RFC 9676 section 6.1.2)."""
    issuers, texts, faults = [], [], list(_check_notation(text))
    start = 0
    for item in text.split("+"):
        read = read_series(item, ALF_DOT, "institution", "body-function")
        texts.append(read.text)
        faults += shift_faults(read.faults, start)
        if read.value is not None:
            issuers.append(Issuer(institution=read.value[0], functions=read.value[1:]))
        start += len(item) + 1
    whole = Authority(issuers=tuple(issuers)) if len(issuers) == len(texts) else None
    return Parsed(whole, "+".join(texts), tuple(faults))


def read_measure(text: str) -> Parsed[Measure]:
    """Read ``measure = measure-type *(";" specification)`` (RFC 9676 section 6.2)."""
    read = read_series(text, ALF_DOT, "measure-type", "specification")
    if read.value is None:
        return Parsed(None, read.text, read.faults)
    measure = Measure(type=read.value[0], specifications=read.value[1:])
    return Parsed(measure, read.text, read.faults)


def read_details(text: str) -> Parsed[Details]:
    """Read ``details = (dates / period) ";" numbers`` (RFC 9676 section 6.3)."""
    if match := _PLAIN_DETAILS.fullmatch(text):
        day = read_date(match[1])
        if not day.faults and day.value is not None:
            return Parsed(Details(dates=(day.value,), numbers=(match[2],)), text)
    when, semicolon, rest = text.partition(";")
    if not when:
        return Parsed(None, text, (Fault("LX201", "dates" if text else "details", 0, 0),))
    dated = is_date_like(when) or "," in when or "|" in when
    dates = read_dates(when) if dated else None
    period = None if dated else read_period(when)
    first = dates or period or Parsed(None, "")
    if not semicolon:
        missing = () if first.value is None else (Fault("LX201", "numbers", len(text), len(text)),)
        return Parsed(None, first.text, (*first.faults, *missing))
    numbers = _read_numbers(rest)
    faults = first.faults + shift_faults(numbers.faults, len(when) + 1)
    whole = f"{first.text};{numbers.text}"
    if first.value is None or numbers.value is None:
        return Parsed(None, whole, faults)
    details = Details(
        dates=dates.value or () if dates else (),
        period=period.value if period else None,
        numbers=numbers.value,
    )
    return Parsed(details, whole, faults)


def read_annex(text: str) -> Parsed[Annex]:
    """Read ``annex = annex-id *(";" specification)`` (RFC 9676 section 6.4)."""
    read = read_series(text, ALF_DOT, "annex-id", "specification")
    if read.value is None:
        return Parsed(None, read.text, read.faults)
    return Parsed(Annex(id=read.value[0], specifications=read.value[1:]), read.text, read.faults)


@cache
def _load_jurisdictions() -> frozenset[str]:
    return frozenset(load_table("jurisdictions")["codes"])


def _read_jurisdiction_code(text: str) -> Parsed[str]:
    """Read a jurisdiction code: ``2*alf-dot``, an alf-dot of two characters or more (2.1).

    The text of section 2.2 allows hyphens as in domain names, the grammar does not.
    """
    read = read_text(text, ALF_DOT_HYP if "-" in text else ALF_DOT, "jurisdiction-code")
    if hyphen := _check_code_hyphen(text, read.faults):
        value = read.value if hyphen.code == "LX209" else None
        read = Parsed(value, read.text, (*read.faults, hyphen))
    if read.value is None:
        return read
    if len(_CODE_CHARACTER.findall(read.text)) < _SHORTEST_CODE:
        short = Fault("LX208", "jurisdiction-code", 0, len(text))
        return Parsed(None, read.text, (*read.faults, short))
    return read._replace(faults=(*read.faults, *_check_code(text, read.text)))


def _check_code_hyphen(text: str, faults: tuple[Fault, ...]) -> Fault | None:
    """Return the fault of a hyphen in a code: of a domain name, of a DNS form, or misplaced."""
    hyphen = text.find("-")
    refused = min((fault.start for fault in faults if is_fatal(fault)), default=len(text))
    if not 0 <= hyphen < refused:
        return None
    if refused < len(text):
        return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)
    if label := _RESERVED_LABEL.search(text):
        place = label.start(), label.end()
        fix = _repair_label(label)
        return Fault("LX210", "jurisdiction-code", *place, (quote_text(label[0]),), fix)
    if loose := _LOOSE_LABEL.search(text):
        at = text.index("-", loose.start())
        return Fault("LX202", "jurisdiction-code", at, at + 1, ('"-"',))
    return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)


def _repair_label(label: re.Match[str]) -> Fix | None:
    """Decode a label ``xn--...`` to its letters, percent-encoded."""
    if label[1].lower() != "xn":
        return None
    try:
        letters = label[2].lower().encode("ascii").decode("punycode")
        return Fix(*label.span(), percent_encode(letters)) if letters else None
    except UnicodeError:
        return None


def _check_code(text: str, code: str) -> tuple[Fault, ...]:
    """Return the first remark on a well-formed jurisdiction code."""
    place = "jurisdiction-code", 0, len(text)
    if "%" in code:
        return (Fault("LX211", *place),)
    if code in _load_jurisdictions():
        return ()
    if not _COUNTRY_OR_DOMAIN.fullmatch(code):
        return (Fault("LX212", *place, (quote_text(text),)),)
    return (Fault("LX213", *place, (quote_text(text),)),)


def _check_notation(text: str) -> tuple[Fault, ...]:
    """Find ``U+00FC`` in an authority: a notation in the text of the RFC, not two issuers."""
    match = _CODE_POINT_NOTATION.search(text) if "+" in text else None
    if match is None:
        return ()
    character = chr(int(match[1], 16))
    fix = None if is_unwritable(character) else Fix(*match.span(), percent_encode(character))
    return (Fault("LX230", "authority", match.start(), match.end(), (quote_text(match[0]),), fix),)


def _read_numbers(text: str) -> Parsed[tuple[str, ...]]:
    """Read ``numbers = number / number-lex`` (RFC 9676 sections 6.3.3 and 6.3.4)."""
    if "," not in text:
        read = read_text(text, ALF_DOT_OTH, "numbers")
        if read.value is None:
            return Parsed(None, read.text, read.faults)
        if read.value.startswith("lex-") and not _NUMBER_LEX.fullmatch(read.value):
            plain = Fault("LX223", "numbers", 0, len(text), (quote_text(text),))
            return Parsed((read.value,), read.text, (*read.faults, plain))
        return Parsed((read.value,), read.text, read.faults)
    values: list[str | None] = []
    texts: list[str] = []
    faults: list[Fault] = []
    start = 0
    seen: set[str] = set()
    for item in text.split(","):
        read = read_text(item, ALF_DOT_OTH, "numbers")
        faults += shift_faults(read.faults, start)
        end = start + len(item)
        if read.value in seen:
            fix = Fix(start - 1, end, "")
            faults.append(Fault("LX222", "numbers", start, end, (quote_text(item),), fix))
        elif read.text.startswith("lex-"):
            faults.append(Fault("LX223", "numbers", start, end, (quote_text(item),)))
        seen.add(read.text)
        values.append(read.value)
        texts.append(read.text)
        start = end + 1
    numbers = tuple(value for value in values if value is not None)
    whole = numbers if len(numbers) == len(values) else None
    return Parsed(whole, ",".join(texts), tuple(faults))


_MEDIA_TYPE = re.compile(
    r"(?:application|audio|example|font|haptics|image|message|model|multipart|text|video)-.+"
)
_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}")
_ELEMENTS = (
    ("publisher", "editor"),
    ("mime", "format"),
    ("part", "component"),
    ("attribute", "feature"),
)
_LEAST_ELEMENTS = 2


def read_expression(text: str) -> Parsed[ExpressionIdentifier]:
    """Read ``expression = version [":" language]`` (RFC 9676 section 5.6)."""
    head, colon, tail = text.partition(":")
    version = _read_version(head)
    if not colon:
        value = None if version.value is None else ExpressionIdentifier(version=version.value)
        return Parsed(value, version.text, version.faults)
    language = _read_cached_language(tail)
    faults = version.faults + shift_faults(language.faults, len(head) + 1)
    whole = f"{version.text}:{language.text}"
    if version.value is None or language.value is None:
        return Parsed(None, whole, faults)
    value = ExpressionIdentifier(version=version.value, language=language.value)
    return Parsed(value, whole, faults)


def read_manifestation(text: str) -> Parsed[ManifestationIdentifier]:
    """Read ``manifestation = editor ":" format [":" component [":" feature]]`` (5.7)."""
    pieces = text.split(":", len(_ELEMENTS))
    reads: list[Parsed[tuple[str, ...]]] = []
    faults: list[Fault] = []
    start = 0
    for piece, (head, _) in zip(pieces, _ELEMENTS, strict=False):
        read = _read_element(piece, head)
        reads.append(read)
        faults += shift_faults(read.faults, start)
        start += len(piece) + 1
    faults += _check_element_count(text, pieces)
    whole = ":".join(read.text for read in reads)
    values = [read.value for read in reads if read.value is not None]
    if len(values) != len(pieces) or len(values) < _LEAST_ELEMENTS:
        return Parsed(None, whole, tuple(faults))
    return Parsed(
        _make_manifestation(values), whole, (*faults, *_check_element_order(pieces, text))
    )


def read_partition(text: str) -> Parsed[str]:
    """Read the text behind the first ``~`` (RFC 9676 section 5.8); it keeps its case."""
    read = read_text(text, PARTITION, "partition")
    if read.value is None:
        return read
    faults = []
    at = min((text.index(sign) for sign in "@$" if sign in text), default=None)
    if at is not None:
        fix = Fix(-1, len(text), f"{text[at:]}~{text[:at]}")
        sign = f'"{text[at]}"'
        faults.append(Fault("LX228", "partition", at, at + 1, (sign,), fix))
    if (plus := text.find("+")) >= 0:
        faults.append(Fault("LX229", "partition", plus, plus + 1))
    return read._replace(faults=(*read.faults, *faults))


_read_cached_language = lru_cache(maxsize=256)(read_language)


def _read_version(text: str) -> Parsed[Version]:
    """Read ``(amendment-date / specification) *(";" (event-date / event))`` (section 7.1.2)."""
    if not text:
        return Parsed(None, "", (Fault("LX201", "version", 0, 0),))
    heads: list[tuple[Date | None, str | None]] = []
    texts: list[str] = []
    faults: list[Fault] = []
    start, readable = 0, True
    for piece in text.split(";"):
        date = read_date(piece) if is_date_like(piece) else None
        label = (
            read_text(piece, ALF_DOT, "event" if texts else "specification") if not date else None
        )
        read = date or label or Parsed(None, "")
        readable = readable and read.value is not None
        heads.append((date.value if date else None, label.value if label else None))
        texts.append(read.text)
        faults += shift_faults(read.faults, start)
        start += len(piece) + 1
    value = None
    if readable:
        events = tuple(Event(date=date, event=event) for date, event in heads[1:])
        value = Version(date=heads[0][0], specification=heads[0][1], events=events)
    return Parsed(value, ";".join(texts), tuple(faults))


def _read_element(text: str, head: str) -> Parsed[tuple[str, ...]]:
    """Read one element of a manifestation; section 5.7 has hyphens in specifications too."""
    first, semicolon, rest = text.partition(";")
    parsed = _read_mime(first) if head == "mime" else read_text(first, ALF_DOT_HYP, head)
    values = None if parsed.value is None else (parsed.value,)
    if not semicolon:
        return Parsed(values, parsed.text, parsed.faults)
    tail = read_series(rest, ALF_DOT_HYP, "specification", "specification")
    hyphens = _check_hyphens(rest, tail.faults)
    faults = parsed.faults + shift_faults(hyphens + tail.faults, len(first) + 1)
    whole = f"{parsed.text};{tail.text}"
    if values is None or tail.value is None:
        return Parsed(None, whole, faults)
    return Parsed(values + tail.value, whole, faults)


def _check_hyphens(text: str, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """Find the first hyphen in specifications, unless an error precedes it."""
    hyphen = text.find("-")
    refused = min((fault.start for fault in faults if is_fatal(fault)), default=len(text))
    if not 0 <= hyphen < refused:
        return ()
    return (Fault("LX225", "specification", hyphen, hyphen + 1),)


def _read_mime(text: str) -> Parsed[str]:
    """Read a media type, with ``-`` for ``/``; a plus sign is written percent-encoded."""
    read = read_text(text, MIME, "mime")
    plus = text.find("+")
    if plus < 0:
        return read
    if read.value is None:
        refused = next(fault.start for fault in read.faults if is_fatal(fault))
        early = (Fault("LX226", "mime", plus, plus + 1),) if plus < refused else ()
        return read._replace(faults=(*early, *read.faults))
    value = read.value.replace("+", "%2B")
    fault = Fault("LX226", "mime", plus, plus + 1, (), Fix(0, len(text), value))
    return Parsed(value, value, (*read.faults, fault))


def _check_element_count(text: str, pieces: list[str]) -> tuple[Fault, ...]:
    """Check for too few or too many elements of a manifestation."""
    if len(pieces) < _LEAST_ELEMENTS and text:
        return (Fault("LX201", "format", len(text), len(text)),)
    if len(pieces) > len(_ELEMENTS):
        at = len(text) - len(pieces[-1]) - 1
        return (Fault("LX224", "feature", at, len(text)),)
    return ()


def _check_element_order(pieces: list[str], text: str) -> tuple[Fault, ...]:
    """Check for a format before the editor, as in the drafts: a guess, so only a warning."""
    editor, form = (piece.partition(";")[0].lower() for piece in pieces[:2])
    if not _MEDIA_TYPE.fullmatch(editor) or not _DOMAIN.fullmatch(form):
        return ()
    swapped = ":".join((pieces[1], pieces[0], *pieces[2:]))
    return (Fault("LX227", "editor", 0, len(text), (), Fix(0, len(text), swapped)),)


def _make_manifestation(values: list[tuple[str, ...]]) -> ManifestationIdentifier:
    """Make a manifestation of two to four elements, each a head and its specifications."""
    editor, form, *more = values
    return ManifestationIdentifier(
        editor=Editor(publisher=editor[0], specifications=editor[1:]),
        format=Format(mime=form[0], specifications=form[1:]),
        component=Component(part=more[0][0], specifications=more[0][1:]) if more else None,
        feature=Feature(attribute=more[1][0], specifications=more[1][1:]) if more[1:] else None,
    )


_COMPONENTS_START = re.compile(r"\?[+=]|#")
# "?=" ends an r-component (RFC 8141 section 2.3.1), and "#" ends r- and q-components.
_COMPONENTS = re.compile(
    r"(?:\?\+(?P<r>[^#]*?)(?=\?=|#|\Z))?(?:\?=(?P<q>[^#]*))?(?:#(?P<f>.*))?\Z", re.DOTALL
)
_COMPONENT_TOKEN = re.compile(
    r"(?P<good>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})+)"
    r"|(?P<raw>[^\x00-\x7f])|(?P<bad>.)",
    re.DOTALL,
)


def find_components(text: str) -> int:
    """Return the offset of the first component in a text, else the length of the text."""
    match = _COMPONENTS_START.search(text)
    return match.start() if match else len(text)


def read_components(text: str) -> Parsed[Components]:
    """Read ``["?+" r-component] ["?=" q-component] ["#" f-component]``."""
    match = _COMPONENTS.match(text)
    if match is None:
        return Parsed(Components(), "")
    values: dict[str, str | None] = {}
    faults: list[Fault] = []
    for key in ("r", "q", "f"):
        found = match[key]
        values[key] = None if found is None else _encode_component(found)
        if found is not None:
            faults += shift_faults(
                tuple(_check_component(found, f"{key}-component")), match.start(key)
            )
    return Parsed(Components(**values), "", tuple(faults))


def _encode_component(text: str) -> str | None:
    """Return the component in ASCII, None if it cannot be encoded (half a surrogate pair)."""
    try:
        return encode_keeping_case(text) if not text.isascii() else text
    except UnicodeEncodeError:
        return None


def write_components(components: Components) -> str:
    """Write components with their marks, as behind a name."""
    marked = (("?+", components.r), ("?=", components.q), ("#", components.f))
    return "".join(f"{mark}{value}" for mark, value in marked if value is not None)


def _check_component(text: str, component: str) -> Iterator[Fault]:
    """Find the faults of a component: one for all characters beyond ASCII, and the first error."""
    if component != "f-component" and not text:
        yield Fault("LX119", component, 0, 0, (), Fix(-2, 0, ""))
    if component != "f-component" and text[:1] in ("/", "?") and text:
        yield Fault("LX120", component, 0, 1, (quote_text(text[0]),))
        return
    fix = Fix(0, len(text), _repair_component(text))
    raw = False
    for token in _COMPONENT_TOKEN.finditer(text):
        start, end = token.span()
        if token.lastgroup == "bad" or (token["raw"] and is_unwritable(token["raw"])):
            if token[0] == "%":
                yield Fault("LX104", "percent-encoding", start, min(start + 3, len(text)))
            else:
                yield Fault("LX120", component, start, end, (quote_text(token[0]),), fix)
            return
        if token["raw"] and not raw:
            raw = True
            yield Fault("LX109", component, start, end, (quote_text(token[0]),), fix)


def _repair_component(text: str) -> str:
    """Return a component with all forbidden characters percent-encoded."""

    def encode(token: re.Match[str]) -> str:
        if token["good"]:
            return token[0]
        if "\ud800" <= token[0] <= "\udfff":
            return ""
        return percent_encode(token[0]) if token["raw"] else f"%{ord(token[0]):02X}"

    return _COMPONENT_TOKEN.sub(encode, text)
