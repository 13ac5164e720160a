"""Productions of a LEX name: one function reads the text of each (RFC 9676 sections 2 to 7).

The functions cover jurisdiction, authority, measure, details, annex, expression, manifestation and
partition, and the r-, q- and f-components of RFC 8141.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from functools import lru_cache
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
    join_parsed,
    percent_encode,
    quote_text,
    read_items,
    read_series,
    read_text,
    refuse_character,
    repair_date,
    shift_faults,
)
from lexurn.name.values import (
    NUMBER_LEX,
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
        last = read_text(text, ALF_DOT, "date").faults[-1:]
        if last and last[0].code in {"LX201", "LX104"}:  # no text, or a broken triplet
            return Parsed(None, text, last)
        fix = Fix(0, len(text), repair) if (repair := repair_date(text)) else None
        return Parsed(None, text, (Fault("LX214", "date", 0, len(text), (quote_text(text),), fix),))
    day, at = _read_day(match[0]), match.end()
    if at == len(text):
        return day
    bar = 3 if text[at : at + 3].upper() == _ENCODED_BAR else 1
    if bar == 1 and text[at] != "|":
        # The day is not checked: the rest may well belong to its digits.
        return Parsed(None, text, (refuse_character(text, at, "date"),))
    local, start = text[at + bar :], at + bar
    if bar > 1:
        day = day.add_faults(Fault("LX218", "date-loc", at, start, (), Fix(at, start, "|")))
    if local:
        read = read_text(local, DATE_LOC, "date-loc")
    else:
        read = Parsed("", "", (Fault("LX219", "date-loc", 0, 0, (), Fix(-1, 0, "")),))
    return join_parsed(day, "|", read, start).convert(
        lambda both: Date(iso=both[0].iso, local=both[1])
    )


def read_dates(text: str) -> Parsed[tuple[Date, ...]]:
    """Read ``dates = date *("," date)`` (RFC 9676 section 6.3.2)."""
    seen: set[str] = set()

    def read(item: str, _: int) -> Parsed[Date]:
        date = read_date(item)
        if date.value is not None and date.text in seen:
            return date.add_faults(_report_repeat("LX221", "dates", item))
        seen.add(date.text)
        return date

    return read_items(text, ",", read)


def _report_repeat(code: str, component: str, item: str) -> Fault:
    """Return the fault of an item that a list has twice; the repair drops it with its comma."""
    return Fault(code, component, 0, len(item), (quote_text(item),), Fix(-1, len(item), ""))


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
    return read.add_faults(Fault("LX220", "period", 0, len(text), (quote_text(text),), fix))


_CODE_CHARACTER = re.compile(r"%..|[^.-]")
_COUNTRY_OR_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)*[a-z]{2,}")
_RESERVED_LABEL = re.compile(r"(?:^|(?<=\.))([A-Za-z0-9]{2})--([A-Za-z0-9-]*)")
_LOOSE_LABEL = re.compile(r"-(?:\.|$)|(?:^|\.)-")
# Four hex digits, one of them a digit, so that words such as "u+face" do not match.
_CODE_POINT_NOTATION = re.compile(r"[Uu]\+(?=[A-Fa-f]{0,3}[0-9])([0-9A-Fa-f]{4})(?![0-9A-Fa-f])")
# A date and one number without a fault, if the day exists.
_PLAIN_DETAILS = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2});(?!lex-)([a-z0-9][a-z0-9_'=()-]*)")
_SHORTEST_CODE = 2


def read_jurisdiction(text: str) -> Parsed[Jurisdiction]:
    """Read ``jurisdiction = jurisdiction-code *(";" jurisdiction-unit)`` (RFC 9676 section 2.1)."""
    head, semicolon, tail = text.partition(";")
    code = _read_jurisdiction_code(head)
    if not semicolon:
        return code.convert(lambda value: Jurisdiction(code=value))
    units = read_series(tail, ALF_DOT, "jurisdiction-unit", "jurisdiction-unit")
    return join_parsed(code, ";", units, len(head) + 1).convert(
        lambda both: Jurisdiction(code=both[0], units=both[1])
    )


def read_authority(text: str) -> Parsed[Authority]:
    """Read ``authority = issuer *("+" issuer)`` (RFC 9676 section 6.1.2)."""

    def read(item: str, _: int) -> Parsed[Issuer]:
        series = read_series(item, ALF_DOT, "institution", "body-function")
        return series.convert(lambda each: Issuer(institution=each[0], functions=each[1:]))

    issuers = read_items(text, "+", read).convert(lambda each: Authority(issuers=each))
    notation = _CODE_POINT_NOTATION.search(text)
    if notation is None:
        return issuers
    # The text of the RFC writes a letter as ``U+00FC``; these are not two issuers.
    character, span = chr(int(notation[1], 16)), notation.span()
    fix = None if is_unwritable(character) else Fix(*span, percent_encode(character))
    return issuers.add_faults(Fault("LX230", "authority", *span, (quote_text(notation[0]),), fix))


def read_measure(text: str) -> Parsed[Measure]:
    """Read ``measure = measure-type *(";" specification)`` (RFC 9676 section 6.2)."""
    read = read_series(text, ALF_DOT, "measure-type", "specification")
    return read.convert(lambda each: Measure(type=each[0], specifications=each[1:]))


def read_details(text: str) -> Parsed[Details]:
    """Read ``details = (dates / period) ";" numbers`` (RFC 9676 section 6.3)."""
    if match := _PLAIN_DETAILS.fullmatch(text):
        day = _read_day(match[1])
        if not day.faults and day.value is not None:
            return Parsed(Details(dates=(day.value,), numbers=(match[2],)), text)
    when, semicolon, rest = text.partition(";")
    if not when:
        return Parsed(None, text, (Fault("LX201", "dates" if text else "details", 0, 0),))
    first: Parsed[tuple[tuple[Date, ...], str | None]]
    if is_date_like(when) or "," in when or "|" in when:
        first = read_dates(when).convert(lambda dates: (dates, None))
    else:
        first = read_period(when).convert(lambda period: ((), period))
    if not semicolon:
        missing = () if first.value is None else (Fault("LX201", "numbers", len(text), len(text)),)
        return Parsed(None, first.text, (*first.faults, *missing))
    return join_parsed(first, ";", _read_numbers(rest), len(when) + 1).convert(
        lambda both: Details(dates=both[0][0], period=both[0][1], numbers=both[1])
    )


def read_annex(text: str) -> Parsed[Annex]:
    """Read ``annex = annex-id *(";" specification)`` (RFC 9676 section 6.4)."""
    read = read_series(text, ALF_DOT, "annex-id", "specification")
    return read.convert(lambda each: Annex(id=each[0], specifications=each[1:]))


def _read_jurisdiction_code(text: str) -> Parsed[str]:
    """Read a jurisdiction code: ``2*alf-dot``, an alf-dot of two characters or more (2.1).

    The text of section 2.2 allows hyphens as in domain names, the grammar does not. A well-formed
    code gets at most one further remark.
    """
    component = "jurisdiction-code"
    read = read_text(text, ALF_DOT_HYP if "-" in text else ALF_DOT, component)
    if hyphen := _check_code_hyphen(text, read.faults):
        value = read.value if hyphen.code == "LX209" else None
        read = Parsed(value, read.text, (*read.faults, hyphen))
    code = read.value
    if code is None:
        return read
    if len(_CODE_CHARACTER.findall(code)) < _SHORTEST_CODE:
        return Parsed(None, code, (*read.faults, Fault("LX208", component, 0, len(text))))
    if "%" in code:
        return read.add_faults(Fault("LX211", component, 0, len(text)))
    if code in load_table("jurisdictions")["codes"]:
        return read
    remark = "LX213" if _COUNTRY_OR_DOMAIN.fullmatch(code) else "LX212"
    return read.add_faults(Fault(remark, component, 0, len(text), (quote_text(text),)))


def _check_code_hyphen(text: str, faults: tuple[Fault, ...]) -> Fault | None:
    """Return the fault of a hyphen in a code: of a domain name, of a DNS form, or misplaced."""
    hyphen = text.find("-")
    refused = min((fault.start for fault in faults if is_fatal(fault)), default=len(text))
    if not 0 <= hyphen < refused:
        return None
    if refused < len(text):
        return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)
    if label := _RESERVED_LABEL.search(text):
        fix = None
        if label[1].lower() == "xn":
            with suppress(UnicodeError):
                letters = label[2].lower().encode("ascii").decode("punycode")
                fix = Fix(*label.span(), percent_encode(letters)) if letters else None
        return Fault("LX210", "jurisdiction-code", *label.span(), (quote_text(label[0]),), fix)
    if loose := _LOOSE_LABEL.search(text):
        at = text.index("-", loose.start())
        return Fault("LX202", "jurisdiction-code", at, at + 1, ('"-"',))
    return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)


def _read_numbers(text: str) -> Parsed[tuple[str, ...]]:
    """Read ``numbers = number / number-lex`` (RFC 9676 sections 6.3.3 and 6.3.4)."""
    is_single = "," not in text
    seen: set[str] = set()

    def read(item: str, _: int) -> Parsed[str]:
        number = read_text(item, ALF_DOT_OTH, "numbers")
        if number.value is None:
            return number
        if number.value in seen:
            return number.add_faults(_report_repeat("LX222", "numbers", item))
        seen.add(number.value)
        is_lex_number = is_single and NUMBER_LEX.fullmatch(number.value)
        if is_lex_number or not number.value.startswith("lex-"):
            return number
        return number.add_faults(Fault("LX223", "numbers", 0, len(item), (quote_text(item),)))

    return read_items(text, ",", read)


_MEDIA_TYPE = re.compile(
    r"(?:application|audio|example|font|haptics|image|message|model|multipart|text|video)-.+"
)
_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}")
_ELEMENTS = ("publisher", "mime", "part", "attribute")
_LEAST_ELEMENTS = 2


def read_expression(text: str) -> Parsed[ExpressionIdentifier]:
    """Read ``expression = version [":" language]`` (RFC 9676 section 5.6)."""
    head, colon, tail = text.partition(":")
    version = _read_version(head)
    if not colon:
        return version.convert(lambda value: ExpressionIdentifier(version=value))
    return join_parsed(version, ":", read_language(tail), len(head) + 1).convert(
        lambda both: ExpressionIdentifier(version=both[0], language=both[1])
    )


def read_manifestation(text: str) -> Parsed[ManifestationIdentifier]:
    """Read ``manifestation = editor ":" format [":" component [":" feature]]`` (5.7)."""
    pieces = text.split(":", len(_ELEMENTS))
    known = ":".join(pieces[: len(_ELEMENTS)])
    elements = read_items(known, ":", lambda each, at: _read_element(each, _ELEMENTS[at]))
    if len(pieces) > len(_ELEMENTS):
        extra = Fault("LX224", "feature", len(known), len(text))
        return Parsed(None, elements.text, (*elements.faults, extra))
    if len(pieces) < _LEAST_ELEMENTS:
        missing = (Fault("LX201", "format", len(text), len(text)),) if text else ()
        return Parsed(None, elements.text, (*elements.faults, *missing))
    read = elements.convert(_make_manifestation)
    editor, form = (piece.partition(";")[0].lower() for piece in pieces[:2])
    if read.value and _MEDIA_TYPE.fullmatch(editor) and _DOMAIN.fullmatch(form):
        # The drafts have the format first; this is a guess, so only a warning.
        swapped = ":".join((pieces[1], pieces[0], *pieces[2:]))
        fix = Fix(0, len(text), swapped)
        return read.add_faults(Fault("LX227", "editor", 0, len(text), (), fix))
    return read


def read_partition(text: str) -> Parsed[str]:
    """Read the text after the first ``~`` (RFC 9676 section 5.8); it keeps its case."""
    read = read_text(text, PARTITION, "partition")
    if read.value is None:
        return read
    faults: list[Fault] = []
    at = min((text.index(sign) for sign in "@$" if sign in text), default=None)
    if at is not None:
        fix = Fix(-1, len(text), f"{text[at:]}~{text[:at]}")
        sign = f'"{text[at]}"'
        faults.append(Fault("LX228", "partition", at, at + 1, (sign,), fix))
    if (plus := text.find("+")) >= 0:
        faults.append(Fault("LX229", "partition", plus, plus + 1))
    return read.add_faults(*faults)


def _read_version(text: str) -> Parsed[Version]:
    """Read ``(amendment-date / specification) *(";" (event-date / event))`` (section 7.1.2)."""
    if not text:
        return Parsed(None, "", (Fault("LX201", "version", 0, 0),))

    def read(item: str, at: int) -> Parsed[Event]:
        if is_date_like(item):
            return read_date(item).convert(lambda date: Event(date=date))
        label = read_text(item, ALF_DOT, "event" if at else "specification")
        return label.convert(lambda event: Event(event=event))

    return read_items(text, ";", read).convert(
        lambda each: Version(date=each[0].date, specification=each[0].event, events=each[1:])
    )


def _read_element(text: str, head: str) -> Parsed[tuple[str, ...]]:
    """Read one element of a manifestation; section 5.7 has hyphens in specifications too."""
    first, semicolon, rest = text.partition(";")
    read = _read_mime(first) if head == "mime" else read_text(first, ALF_DOT_HYP, head)
    if not semicolon:
        return read.convert(lambda value: (value,))
    tail = read_series(rest, ALF_DOT_HYP, "specification", "specification")
    hyphen = rest.find("-")
    refused = min((fault.start for fault in tail.faults if is_fatal(fault)), default=len(rest))
    if 0 <= hyphen < refused:
        tail = tail.add_faults(Fault("LX225", "specification", hyphen, hyphen + 1))
    return join_parsed(read, ";", tail, len(first) + 1).convert(lambda both: (both[0], *both[1]))


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


def _make_manifestation(values: tuple[tuple[str, ...], ...]) -> ManifestationIdentifier:
    """Make a manifestation of two to four elements, each a head and its specifications."""
    editor, form, *more = values
    return ManifestationIdentifier(
        editor=Editor(publisher=editor[0], specifications=editor[1:]),
        format=Format(mime=form[0], specifications=form[1:]),
        component=Component(part=more[0][0], specifications=more[0][1:]) if more else None,
        feature=Feature(attribute=more[1][0], specifications=more[1][1:]) if more[1:] else None,
    )


# Section 8 prints ``2*3alfa *["-" extlang] / 4*8alfa``; section 5.6 refers to RFC 5646, whose tags
# have scripts, regions and more. An unregistered subtag is a warning, never an error.
_LANGUAGE_TAG = re.compile(
    r"(?:(?P<languages>[a-z]{2,3})(?P<extlangs>(?:-[a-z]{3}){0,3})|(?P<long>[a-z]{4,8}))"
    r"(?:-(?P<scripts>[a-z]{4}))?"
    r"(?:-(?P<regions>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"
    r"|x(?:-[a-z0-9]{1,8})+"
)
# The groups of subtags, named as in the table of the registry; ``long`` are languages too.
_SUBTAG_GROUPS = ("languages", "long", "extlangs", "scripts", "regions", "variants")
_GRANDFATHERED = "grandfathered"
_PRIVATE_USE = re.compile(r"q[a-t][a-z]")
# The grammar of section 8, and its parts.
_PRINTED_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z]{3})*|[a-z]{4,8}")
_LETTERS = re.compile(r"[A-Za-z]{2,8}")
_LONGEST_CODE, _EXTLANG_LENGTH, _LONGEST_LANGUAGE = 3, 3, 8


def is_language_tag(tag: str) -> bool:
    """Return whether a tag, in lower case, is well-formed by RFC 5646 section 2.2.9."""
    return _LANGUAGE_TAG.fullmatch(tag) is not None or is_registered_subtag(tag, _GRANDFATHERED)


@lru_cache(maxsize=4096)
def is_registered_subtag(subtag: str, kind: str) -> bool:
    """Return whether the registry of RFC 5646 has a subtag, or a range (``qaa..qtz``) with it.

    Args:
        subtag: the subtag, or a whole grandfathered tag, in lower case.
        kind: ``languages``, ``extlangs``, ``scripts``, ``regions``, ``variants`` or
            ``grandfathered``.
    """
    entries = load_table("languages")[kind]
    ranges = (entry.split("..") for entry in entries if ".." in entry)
    return subtag in entries or any(
        len(subtag) == len(first) and first <= subtag <= last for first, last in ranges
    )


@lru_cache(maxsize=256)
def read_language(text: str) -> Parsed[str]:
    """Read the language tag of an expression; its value is in lower case."""
    written, colon, _ = text.partition(":")
    if not written:
        return Parsed(None, "", (Fault("LX201", "language", 0, 0),))
    tag = written.lower()
    printed, well_formed = _PRINTED_TAG.fullmatch(tag) is not None, is_language_tag(tag)
    if not printed and not well_formed:
        repair = tag.replace("_", "-")  # as programs write it
        fix = Fix(0, len(written), repair) if is_language_tag(repair) else None
        start, values = _find_unprinted(written), (quote_text(written),)
        return Parsed(None, text, (Fault("LX203", "language", start, len(written), values, fix),))
    if colon:
        return Parsed(None, text, (Fault("LX224", "language", len(written), len(text)),))
    faults = []
    if not printed:
        faults.append(Fault("LX204", "language", 0, len(tag), (quote_text(text),)))
    if not well_formed:
        faults.append(Fault("LX205", "language", 0, len(tag), (quote_text(text),)))
    return Parsed(tag, tag, (*faults, *_check_subtags(tag)))


def _find_unprinted(text: str) -> int:
    """Return the offset of the first subtag outside section 8, or of its ninth letter."""
    first, *others = text.split("-")
    if not _LETTERS.fullmatch(first):
        is_too_long = first[_LONGEST_LANGUAGE:] and _LETTERS.fullmatch(first[:_LONGEST_LANGUAGE])
        return _LONGEST_LANGUAGE if is_too_long else 0
    start = len(first)
    if start > _LONGEST_CODE:
        return start
    for subtag in others:
        if len(subtag) != _EXTLANG_LENGTH or not _LETTERS.fullmatch(subtag):
            return start + 1
        start += len(subtag) + 1
    return start


def _check_subtags(tag: str) -> Iterator[Fault]:
    """Find the first subtag that is not registered or is for private use."""
    match = _LANGUAGE_TAG.fullmatch(tag) or _LANGUAGE_TAG.match(tag)
    if match is None or is_registered_subtag(tag, _GRANDFATHERED):
        return
    for group in _SUBTAG_GROUPS:
        start, kind = match.start(group), "languages" if group == "long" else group
        for subtag in (match[group] or "").split("-"):
            span = start, start + len(subtag)
            if subtag and not is_registered_subtag(subtag, kind):
                yield Fault("LX206", "language", *span, (quote_text(subtag),))
                return
            if kind == "languages" and _PRIVATE_USE.fullmatch(subtag):
                yield Fault("LX207", "language", *span, (quote_text(subtag),))
                return
            start += len(subtag) + 1


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
    values: dict[str, str] = {}
    faults: list[Fault] = []
    for key in ("r", "q", "f"):
        if (found := match[key]) is not None:
            # Half a surrogate pair cannot be encoded.
            with suppress(UnicodeEncodeError):
                values[key] = found if found.isascii() else encode_keeping_case(found)
            found_faults = tuple(_check_component(found, f"{key}-component"))
            faults += shift_faults(found_faults, match.start(key))
    return Parsed(Components(**values), "", tuple(faults))


def _check_component(text: str, component: str) -> Iterator[Fault]:
    """Find the faults of a component: one for all characters beyond ASCII, and the first error."""
    if component != "f-component" and not text:
        yield Fault("LX119", component, 0, 0, (), Fix(-2, 0, ""))
    if component != "f-component" and text.startswith(("/", "?")):
        yield Fault("LX120", component, 0, 1, (quote_text(text[0]),))
        return
    fix = Fix(0, len(text), _COMPONENT_TOKEN.sub(_encode_token, text))
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


def _encode_token(token: re.Match[str]) -> str:
    """Return a token of a component, percent-encoded if it is not allowed there."""
    if token["good"]:
        return token[0]
    if "\ud800" <= token[0] <= "\udfff":
        return ""
    return percent_encode(token[0]) if token["raw"] else f"%{ord(token[0]):02X}"
