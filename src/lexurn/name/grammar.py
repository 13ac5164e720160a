"""Productions of a LEX name (RFC 9676 sections 2 to 7).

One expression recognises whole names in canonical form. For all other texts one function for each
production finds the faults and the canonical text: jurisdiction, authority, measure, details,
annex, expression, manifestation and partition, and the r-, q- and f-components of RFC 8141.
`split_name` takes a canonical name apart; `lexurn.name.values` makes values of its texts.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

from lexurn.data import load_table
from lexurn.lazy import compile_late
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

NameTexts = tuple[str, str, str, str, list[str], str, str, str]
LONGEST_CACHED = 512


def split_name(text: str) -> NameTexts:
    """Split a canonical name into the texts of its parts, in the order of `Parts`.

    A text is empty if the part is absent.
    """
    document, _, partition = text.partition("~")
    document, _, manifestation = document.partition("$")
    document, _, expression = document.partition("@")
    _, _, code, authority, measure, details, *annexes = document.split(":")
    return code, authority, measure, details, annexes, expression, manifestation, partition


def cache_short(read: Callable[[str], T]) -> Callable[[str], T]:
    """Cache the results of a function for texts that recur, if they are short."""
    cached = lru_cache(maxsize=4096)(read)

    @wraps(read)
    def read_once(text: str) -> T:
        return cached(text) if len(text) <= LONGEST_CACHED else read(text)

    return read_once


NUMBER_LEX = compile_late(r"lex-[0-9]+")
_ISO_DATE = compile_late(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# Digits and dashes in any order are an attempt at a date, whatever its faults.
_DATE_LIKE = compile_late(r"[^A-Za-z.;]{0,6}?[0-9][^.;]*[-/\u2010-\u2015\u2212]")
_PERIOD_LIKE_A_DATE = compile_late(
    r"[0-9]{4}(?:[0-9]{2}){0,2}|[0-9]{4}(?:\.[0-9]{1,2}){1,2}|(?:[0-9]{1,2}\.){1,2}[0-9]{4}"
)
_ENCODED_BAR = "%7C"
_LAST_JULIAN_YEAR = 1582


def is_date_like(text: str) -> bool:
    """Return whether a text is an attempt at a date rather than a word."""
    return _ISO_DATE.match(text) is not None or _DATE_LIKE.match(text) is not None


@lru_cache(maxsize=4096)
def _read_day(iso: str) -> Parsed:
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
    return Parsed(iso, (Fault(code, "date", 0, 10, (iso,)),) if code else ())


def read_date(text: str) -> Parsed:
    """Read ``date = date-iso ["|" date-loc]``; ``%7C`` for the bar is read with a warning."""
    match = _ISO_DATE.match(text)
    if match is None:
        last = read_text(text, ALF_DOT, "date").faults[-1:]
        if last and last[0].code in {"LX201", "LX104"}:  # no text, or a broken triplet
            return Parsed(text, last)
        fix = Fix(0, len(text), repair) if (repair := repair_date(text)) else None
        return Parsed(text, (Fault("LX214", "date", 0, len(text), (quote_text(text),), fix),))
    day, at = _read_day(match[0]), match.end()
    if at == len(text):
        return day
    bar = 3 if text[at : at + 3].upper() == _ENCODED_BAR else 1
    if bar == 1 and text[at] != "|":
        # The day is not checked: the rest may well belong to its digits.
        return Parsed(text, (refuse_character(text, at, "date"),))
    local, start = text[at + bar :], at + bar
    if bar > 1:
        day = day.add_faults(Fault("LX218", "date-loc", at, start, (), Fix(at, start, "|")))
    if local:
        read = read_text(local, DATE_LOC, "date-loc")
    else:
        read = Parsed("", (Fault("LX219", "date-loc", 0, 0, (), Fix(-1, 0, "")),))
    return join_parsed(day, "|", read, start)


def read_dates(text: str) -> Parsed:
    """Read ``dates = date *("," date)`` (RFC 9676 section 6.3.2)."""
    seen: set[str] = set()

    def read(item: str, _: int) -> Parsed:
        date = read_date(item)
        if date.is_readable and date.text in seen:
            return date.add_faults(_report_repeat("LX221", "dates", item))
        seen.add(date.text)
        return date

    return read_items(text, ",", read)


def _report_repeat(code: str, component: str, item: str) -> Fault:
    """Return the fault of an item that a list has twice; the repair drops it with its comma."""
    return Fault(code, component, 0, len(item), (quote_text(item),), Fix(-1, len(item), ""))


def read_period(text: str) -> Parsed:
    """Read ``period = alf-dot`` (RFC 9676 section 6.3.1); warn if it looks like a date."""
    read = read_text(text, ALF_DOT, "period")
    if not read.is_readable:
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


_CODE_CHARACTER = compile_late(r"%..|[^.-]")
_COUNTRY_OR_DOMAIN = compile_late(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)*[a-z]{2,}")
_RESERVED_LABEL = compile_late(r"(?:^|(?<=\.))([A-Za-z0-9]{2})--([A-Za-z0-9-]*)")
_LOOSE_LABEL = compile_late(r"-(?:\.|$)|(?:^|\.)-")
# Four hex digits, one of them a digit, so that words such as "u+face" do not match.
_CODE_POINT_NOTATION = compile_late(r"[Uu]\+(?=[A-Fa-f]{0,3}[0-9])([0-9A-Fa-f]{4})(?![0-9A-Fa-f])")
_SHORTEST_CODE = 2


def read_jurisdiction(text: str) -> Parsed:
    """Read ``jurisdiction = jurisdiction-code *(";" jurisdiction-unit)`` (RFC 9676 section 2.1)."""
    head, semicolon, tail = text.partition(";")
    code = _read_jurisdiction_code(head)
    if not semicolon:
        return code
    units = read_series(tail, ALF_DOT, "jurisdiction-unit", "jurisdiction-unit")
    return join_parsed(code, ";", units, len(head) + 1)


def read_authority(text: str) -> Parsed:
    """Read ``authority = issuer *("+" issuer)`` (RFC 9676 section 6.1.2)."""
    issuers = read_items(
        text, "+", lambda each, _: read_series(each, ALF_DOT, "institution", "body-function")
    )
    notation = _CODE_POINT_NOTATION.search(text)
    if notation is None:
        return issuers
    # The text of the RFC writes a letter as ``U+00FC``; these are not two issuers.
    character, span = chr(int(notation[1], 16)), notation.span()
    fix = None if is_unwritable(character) else Fix(*span, percent_encode(character))
    return issuers.add_faults(Fault("LX230", "authority", *span, (quote_text(notation[0]),), fix))


def read_measure(text: str) -> Parsed:
    """Read ``measure = measure-type *(";" specification)`` (RFC 9676 section 6.2)."""
    return read_series(text, ALF_DOT, "measure-type", "specification")


def read_details(text: str) -> Parsed:
    """Read ``details = (dates / period) ";" numbers`` (RFC 9676 section 6.3)."""
    if compile_clean("details")(text):
        return Parsed(text)
    when, semicolon, rest = text.partition(";")
    if not when:
        return Parsed(text, (Fault("LX201", "dates" if text else "details", 0, 0),))
    is_dates = is_date_like(when) or "," in when or "|" in when
    first = read_dates(when) if is_dates else read_period(when)
    if semicolon:
        return join_parsed(first, ";", _read_numbers(rest), len(when) + 1)
    if not first.is_readable:
        return first
    return first.add_faults(Fault("LX201", "numbers", len(text), len(text)))


def read_annex(text: str) -> Parsed:
    """Read ``annex = annex-id *(";" specification)`` (RFC 9676 section 6.4)."""
    return read_series(text, ALF_DOT, "annex-id", "specification")


def _read_jurisdiction_code(text: str) -> Parsed:
    """Read a jurisdiction code: ``2*alf-dot``, an alf-dot of two characters or more (2.1).

    The text of section 2.2 allows hyphens as in domain names, the grammar does not. A well-formed
    code gets at most one further remark.
    """
    component = "jurisdiction-code"
    read = read_text(text, ALF_DOT_HYP if "-" in text else ALF_DOT, component)
    if hyphen := _check_code_hyphen(text, read.faults):
        read = read.add_faults(hyphen)
    if not read.is_readable:
        return read
    code = read.text
    if len(_CODE_CHARACTER.findall(code)) < _SHORTEST_CODE:
        return read.add_faults(Fault("LX208", component, 0, len(text)))
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


def _read_numbers(text: str) -> Parsed:
    """Read ``numbers = number / number-lex`` (RFC 9676 sections 6.3.3 and 6.3.4)."""
    is_single = "," not in text
    seen: set[str] = set()

    def read(item: str, _: int) -> Parsed:
        number = read_text(item, ALF_DOT_OTH, "numbers")
        if not number.is_readable:
            return number
        if number.text in seen:
            return number.add_faults(_report_repeat("LX222", "numbers", item))
        seen.add(number.text)
        is_lex_number = is_single and NUMBER_LEX.fullmatch(number.text)
        if is_lex_number or not number.text.startswith("lex-"):
            return number
        return number.add_faults(Fault("LX223", "numbers", 0, len(item), (quote_text(item),)))

    return read_items(text, ",", read)


_MEDIA_TYPE = compile_late(
    r"(?:application|audio|example|font|haptics|image|message|model|multipart|text|video)-.+"
)
_DOMAIN = compile_late(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}")
_ELEMENTS = ("publisher", "mime", "part", "attribute")
_LEAST_ELEMENTS = 2


def read_expression(text: str) -> Parsed:
    """Read ``expression = version [":" language]`` (RFC 9676 section 5.6)."""
    if (match := compile_clean("expression")(text)) and not (
        match["language"] and read_language(match["language"]).faults
    ):
        return Parsed(text)
    head, colon, tail = text.partition(":")
    version = _read_version(head)
    if not colon:
        return version
    return join_parsed(version, ":", read_language(tail), len(head) + 1)


def read_manifestation(text: str) -> Parsed:
    """Read ``manifestation = editor ":" format [":" component [":" feature]]`` (5.7)."""
    pieces = text.split(":", len(_ELEMENTS))
    known = ":".join(pieces[: len(_ELEMENTS)])
    elements = read_items(known, ":", lambda each, at: _read_element(each, _ELEMENTS[at]))
    if len(pieces) > len(_ELEMENTS):
        extra = Fault("LX224", "feature", len(known), len(text))
        return elements.add_faults(extra)
    if len(pieces) < _LEAST_ELEMENTS:
        missing = (Fault("LX201", "format", len(text), len(text)),) if text else ()
        return elements.add_faults(*missing)
    editor, form = (piece.partition(";")[0].lower() for piece in pieces[:2])
    if elements.is_readable and _MEDIA_TYPE.fullmatch(editor) and _DOMAIN.fullmatch(form):
        # The drafts have the format first; this is a guess, so only a warning.
        swapped = ":".join((pieces[1], pieces[0], *pieces[2:]))
        fix = Fix(0, len(text), swapped)
        return elements.add_faults(Fault("LX227", "editor", 0, len(text), (), fix))
    return elements


def read_partition(text: str) -> Parsed:
    """Read the text after the first ``~`` (RFC 9676 section 5.8); it keeps its case."""
    read = read_text(text, PARTITION, "partition")
    if not read.is_readable:
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


def _read_version(text: str) -> Parsed:
    """Read ``(amendment-date / specification) *(";" (event-date / event))`` (section 7.1.2)."""
    if not text:
        return Parsed("", (Fault("LX201", "version", 0, 0),))

    def read(item: str, at: int) -> Parsed:
        if is_date_like(item):
            return read_date(item)
        return read_text(item, ALF_DOT, "event" if at else "specification")

    return read_items(text, ";", read)


def _read_element(text: str, head: str) -> Parsed:
    """Read one element of a manifestation; section 5.7 has hyphens in specifications too."""
    first, semicolon, rest = text.partition(";")
    read = _read_mime(first) if head == "mime" else read_text(first, ALF_DOT_HYP, head)
    if not semicolon:
        return read
    tail = read_series(rest, ALF_DOT_HYP, "specification", "specification")
    hyphen = rest.find("-")
    refused = min((fault.start for fault in tail.faults if is_fatal(fault)), default=len(rest))
    if 0 <= hyphen < refused:
        tail = tail.add_faults(Fault("LX225", "specification", hyphen, hyphen + 1))
    return join_parsed(read, ";", tail, len(first) + 1)


def _read_mime(text: str) -> Parsed:
    """Read a media type, with ``-`` for ``/``; a plus sign is written percent-encoded."""
    read = read_text(text, MIME, "mime")
    plus = text.find("+")
    if plus < 0:
        return read
    if not read.is_readable:
        refused = next(fault.start for fault in read.faults if is_fatal(fault))
        early = (Fault("LX226", "mime", plus, plus + 1),) if plus < refused else ()
        return read._replace(faults=(*early, *read.faults))
    value = read.text.replace("+", "%2B")
    fault = Fault("LX226", "mime", plus, plus + 1, (), Fix(0, len(text), value))
    return Parsed(value, (*read.faults, fault))


# Section 8 prints ``2*3alfa *["-" extlang] / 4*8alfa``; section 5.6 refers to RFC 5646, whose tags
# have scripts, regions and more. An unregistered subtag is a warning, never an error.
_LANGUAGE_TAG = compile_late(
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
_PRIVATE_USE = compile_late(r"q[a-t][a-z]")
# The grammar of section 8, and its parts.
_PRINTED_TAG = compile_late(r"[a-z]{2,3}(?:-[a-z]{3})*|[a-z]{4,8}")
_LETTERS = compile_late(r"[A-Za-z]{2,8}")
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
def read_language(text: str) -> Parsed:
    """Read the language tag of an expression; its value is in lower case."""
    written, colon, _ = text.partition(":")
    if not written:
        return Parsed("", (Fault("LX201", "language", 0, 0),))
    tag = written.lower()
    printed, well_formed = _PRINTED_TAG.fullmatch(tag) is not None, is_language_tag(tag)
    if not printed and not well_formed:
        repair = tag.replace("_", "-")  # as programs write it
        fix = Fix(0, len(written), repair) if is_language_tag(repair) else None
        start, values = _find_unprinted(written), (quote_text(written),)
        return Parsed(text, (Fault("LX203", "language", start, len(written), values, fix),))
    if colon:
        return Parsed(text, (Fault("LX224", "language", len(written), len(text)),))
    faults = []
    if not printed:
        faults.append(Fault("LX204", "language", 0, len(tag), (quote_text(text),)))
    if not well_formed:
        faults.append(Fault("LX205", "language", 0, len(tag), (quote_text(text),)))
    return Parsed(tag, (*faults, *_check_subtags(tag)))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """R-, q- and f-components of RFC 8141 section 2.3, as written; not part of the name."""

    r: str | None = None
    q: str | None = None
    f: str | None = None


NO_COMPONENTS = Components()
# "?=" ends an r-component (RFC 8141 section 2.3.1), and "#" ends r- and q-components.
_COMPONENTS = compile_late(
    r"(?:\?\+(?P<r>[^#]*?)(?=\?=|#|\Z))?(?:\?=(?P<q>[^#]*))?(?:#(?P<f>.*))?\Z", re.DOTALL
)
_COMPONENT_TOKEN = compile_late(
    r"(?P<good>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})+)"
    r"|(?P<raw>[^\x00-\x7f])|(?P<bad>.)",
    re.DOTALL,
)


def read_components(text: str) -> tuple[Components, tuple[Fault, ...]]:
    """Read ``["?+" r-component] ["?=" q-component] ["#" f-component]``."""
    match = _COMPONENTS.match(text)
    if match is None:
        return Components(), ()
    values: dict[str, str] = {}
    faults: list[Fault] = []
    for key in ("r", "q", "f"):
        if (found := match[key]) is not None:
            # Half a surrogate pair cannot be encoded.
            with suppress(UnicodeEncodeError):
                values[key] = found if found.isascii() else encode_keeping_case(found)
            found_faults = tuple(_check_component(found, f"{key}-component"))
            faults += shift_faults(found_faults, match.start(key))
    return Components(**values), tuple(faults)


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


# The days that every year has; on 29 February and on the year 0000 `read_date` decides.
_DAY = (
    r"[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
)
_PLAIN_DAY = f"(?!0000){_DAY}"
_WRONG_DAY = rf"(?!{_DAY}|[0-9]{{4}}-02-29){_ISO_DATE.pattern}"


def _write_productions(*, clean: bool) -> dict[str, str]:
    """Write the expression of each piece: of all valid texts, or of those without any fault."""
    alf_dot, alf_dot_hyp, alf_dot_oth, date_loc, partition = (
        rule.clean.pattern if clean else rule.plain
        for rule in (ALF_DOT, ALF_DOT_HYP, ALF_DOT_OTH, DATE_LOC, PARTITION)
    )
    series = f"{alf_dot}(?:;{alf_dot})*"
    date = rf"{_PLAIN_DAY}(?:\|{date_loc})?"
    if clean:
        when = rf"(?:{date}|(?!(?:{_PERIOD_LIKE_A_DATE.pattern});){alf_dot})"
        numbers = rf"(?:(?!lex-){alf_dot_oth}|{NUMBER_LEX.pattern})"
        language = _PRINTED_TAG.pattern
        element = f"{alf_dot_hyp}(?:;{alf_dot})*"
        editor = f"(?!{_MEDIA_TYPE.pattern}){element}"
    else:
        when = f"(?:{date}(?:,{date})*|{alf_dot})"
        numbers = f"{alf_dot_oth}(?:,{alf_dot_oth})*"
        language = f"{_PRINTED_TAG.pattern}|{_LANGUAGE_TAG.pattern}"
        editor = element = f"{alf_dot_hyp}(?:;{alf_dot_hyp})*"
    event = f"(?:{date}|{alf_dot})"
    return {
        "jurisdiction": rf"(?P<jurisdiction>(?=[a-z0-9]\.*[a-z0-9]){series})",
        "authority": rf"{series}(?:(?<!u)\+{series})*",
        "measure": series,
        "details": f"{when};{numbers}",
        "annex": series,
        "expression": f"{event}(?:;{event})*(?::(?P<language>{language}))?",
        "manifestation": f"{editor}:{element}(?::{element}(?::{element})?)?",
        "partition": partition,
    }


# The signs of ASCII that no part before the components has: a class without them compiles sooner
# than one with all others. Those that end a part are added.
_NO_SIGNS = r"""\x00- !"#&*/<>?[\\\]^`{}\x7f"""
_OUTLINE = compile_late(
    rf"[Uu][Rr][Nn]:[Ll][Ee][Xx](?::[^{_NO_SIGNS}:@$~]++){{3}}:(?!{_WRONG_DAY})"
    rf"[^{_NO_SIGNS};:@$~]++;[^{_NO_SIGNS}@$~]*+(?!@{_WRONG_DAY})[^{_NO_SIGNS}]*+(?:[?#]|\Z)"
)


def has_outline(text: str) -> bool:
    """Return whether a text may be a name: no element is missing, and no sign is forbidden.

    The first day of the details and of the version exists. All other texts are invalid.
    """
    return _OUTLINE.match(text) is not None


_NAME = (
    "urn:lex:{jurisdiction}:{authority}:{measure}:{details}(?::{annex})*"
    r"(?:@{expression})?(?:\${manifestation})?(?:~{partition})?"
)


@cache
def compile_plain() -> Callable[[str], re.Match[str] | None]:
    """Compile the grammar of canonical names without percent-encoding; return ``fullmatch``.

    All of them are valid in the reading ``text``. A few forms are left to the functions above,
    such as 29 February and hyphens in a jurisdiction code.
    """
    return re.compile(_NAME.format(**_write_productions(clean=False))).fullmatch


@cache
def compile_clean(piece: str = "") -> Callable[[str], re.Match[str] | None]:
    """Compile the grammar of those that have no fault, and are valid in both readings.

    Its groups ``jurisdiction`` and ``language`` remain to be looked up in the registry.

    Args:
        piece: the production to compile; empty for the whole name.
    """
    productions = _write_productions(clean=True)
    return re.compile(productions[piece] if piece else _NAME.format(**productions)).fullmatch
