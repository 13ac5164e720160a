"""The elements of a work: jurisdiction, authority, measure, details, annex (RFC 9676 2.1, 6)."""

from __future__ import annotations

import re
from functools import cache

from lexurn import data
from lexurn.name._characters import encoded, is_unwritable, quoted
from lexurn.name._codes import Fault, Fix
from lexurn.name._dates import is_date, read_date, read_dates, read_period
from lexurn.name._leaf import ALF_DOT, ALF_DOT_HYP, ALF_DOT_OTH, FATAL, Parsed, read_leaf, shifted
from lexurn.name._series import read_series
from lexurn.name._values import Annex, Authority, Details, Issuer, Jurisdiction, Measure

__all__ = [
    "read_annex",
    "read_authority",
    "read_details",
    "read_jurisdiction",
    "read_measure",
]

_CODE_CHARACTER = re.compile(r"%..|[^.-]")
_COUNTRY_OR_DOMAIN = re.compile(r"(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)*[a-z]{2,}")
_RESERVED_LABEL = re.compile(r"(?:^|(?<=\.))([A-Za-z0-9]{2})--([A-Za-z0-9-]*)")
_LOOSE_LABEL = re.compile(r"-(?:\.|$)|(?:^|\.)-")
# Four hex digits, one a digit: words such as "u+face" are left alone.
_CODE_POINT_NOTATION = re.compile(r"[Uu]\+(?=[A-Fa-f]{0,3}[0-9])([0-9A-Fa-f]{4})(?![0-9A-Fa-f])")
_NUMBER_LEX = re.compile(r"lex-[0-9]+")
# A date and one number, nothing to be said of them unless there is no such day.
_PLAIN_DETAILS = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2});(?!lex-)([a-z0-9][a-z0-9_'=()-]*)")
_SHORTEST_CODE = 2


def read_jurisdiction(text: str) -> Parsed[Jurisdiction]:
    """Read ``jurisdiction = jurisdiction-code *(";" jurisdiction-unit)`` (RFC 9676 section 2.1)."""
    head, semicolon, tail = text.partition(";")
    code = _read_code(head)
    if not semicolon:
        value = None if code.value is None else Jurisdiction(code=code.value)
        return Parsed(value, code.text, code.faults)
    units = read_series(tail, ALF_DOT, "jurisdiction-unit", "jurisdiction-unit")
    faults = code.faults + shifted(units.faults, len(head) + 1)
    whole = f"{code.text};{units.text}"
    if code.value is None or units.value is None:
        return Parsed(None, whole, faults)
    return Parsed(Jurisdiction(code=code.value, units=units.value), whole, faults)


def read_authority(text: str) -> Parsed[Authority]:
    """Read ``authority = issuer *("+" issuer)`` (RFC 9676 section 6.1.2)."""
    issuers, texts, faults = [], [], list(_notation_faults(text))
    start = 0
    for item in text.split("+"):
        read = read_series(item, ALF_DOT, "institution", "body-function")
        texts.append(read.text)
        faults += shifted(read.faults, start)
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
    dated = is_date(when) or "," in when or "|" in when
    dates = read_dates(when) if dated else None
    period = None if dated else read_period(when)
    first = dates or period or Parsed(None, "")
    if not semicolon:
        missing = () if first.value is None else (Fault("LX201", "numbers", len(text), len(text)),)
        return Parsed(None, first.text, (*first.faults, *missing))
    numbers = _read_numbers(rest)
    faults = first.faults + shifted(numbers.faults, len(when) + 1)
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
def _known_codes() -> frozenset[str]:
    return frozenset(data.table("jurisdictions")["codes"])


def _read_code(text: str) -> Parsed[str]:
    """Read a jurisdiction code: ``2*alf-dot``, that is an alf-dot of two characters or more (2.1).

    Hyphens as in domain names are in the text of section 2.2, not in the grammar.
    """
    read = read_leaf(text, ALF_DOT_HYP if "-" in text else ALF_DOT, "jurisdiction-code")
    if hyphen := _hyphen_fault(text, read.faults):
        value = read.value if hyphen.code == "LX209" else None
        read = Parsed(value, read.text, (*read.faults, hyphen))
    if read.value is None:
        return read
    if len(_CODE_CHARACTER.findall(read.text)) < _SHORTEST_CODE:
        short = Fault("LX208", "jurisdiction-code", 0, len(text))
        return Parsed(None, read.text, (*read.faults, short))
    return read._replace(faults=(*read.faults, *_code_warnings(text, read.text)))


def _hyphen_fault(text: str, faults: tuple[Fault, ...]) -> Fault | None:
    """What a hyphen in a jurisdiction code is: a domain name's, a DNS form's, or out of place."""
    hyphen = text.find("-")
    refused = min((fault.start for fault in faults if fault.code in FATAL), default=len(text))
    if not 0 <= hyphen < refused:
        return None
    if refused < len(text):
        return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)
    if label := _RESERVED_LABEL.search(text):
        place = label.start(), label.end()
        fix = _unicode_label(label)
        return Fault("LX210", "jurisdiction-code", *place, (quoted(label[0]),), fix)
    if loose := _LOOSE_LABEL.search(text):
        at = text.index("-", loose.start())
        return Fault("LX202", "jurisdiction-code", at, at + 1, ('"-"',))
    return Fault("LX209", "jurisdiction-code", hyphen, hyphen + 1)


def _unicode_label(label: re.Match[str]) -> Fix | None:
    """The letters that a label ``xn--...`` stands for, percent-encoded."""
    if label[1].lower() != "xn":
        return None
    try:
        letters = label[2].lower().encode("ascii").decode("punycode")
        return Fix(*label.span(), encoded(letters)) if letters else None
    except UnicodeError:
        return None


def _code_warnings(text: str, code: str) -> tuple[Fault, ...]:
    """What to say of a jurisdiction code that is well-formed: the first that holds."""
    place = "jurisdiction-code", 0, len(text)
    if "%" in code:
        return (Fault("LX211", *place),)
    if code in _known_codes():
        return ()
    if not _COUNTRY_OR_DOMAIN.fullmatch(code):
        return (Fault("LX212", *place, (quoted(text),)),)
    return (Fault("LX213", *place, (quoted(text),)),)


def _notation_faults(text: str) -> tuple[Fault, ...]:
    """``U+00FC`` in an authority: notation of the RFC's text, not two issuers."""
    match = _CODE_POINT_NOTATION.search(text) if "+" in text else None
    if match is None:
        return ()
    character = chr(int(match[1], 16))
    fix = None if is_unwritable(character) else Fix(*match.span(), encoded(character))
    return (Fault("LX230", "authority", match.start(), match.end(), (quoted(match[0]),), fix),)


def _read_numbers(text: str) -> Parsed[tuple[str, ...]]:
    """Read ``numbers = number / number-lex`` (RFC 9676 sections 6.3.3 and 6.3.4)."""
    if "," not in text:
        read = read_leaf(text, ALF_DOT_OTH, "numbers")
        if read.value is None:
            return Parsed(None, read.text, read.faults)
        if read.value.startswith("lex-") and not _NUMBER_LEX.fullmatch(read.value):
            plain = Fault("LX223", "numbers", 0, len(text), (quoted(text),))
            return Parsed((read.value,), read.text, (*read.faults, plain))
        return Parsed((read.value,), read.text, read.faults)
    values: list[str | None] = []
    texts: list[str] = []
    faults: list[Fault] = []
    start = 0
    seen: set[str] = set()
    for item in text.split(","):
        read = read_leaf(item, ALF_DOT_OTH, "numbers")
        faults += shifted(read.faults, start)
        end = start + len(item)
        if read.value in seen:
            fix = Fix(start - 1, end, "")
            faults.append(Fault("LX222", "numbers", start, end, (quoted(item),), fix))
        elif read.text.startswith("lex-"):
            faults.append(Fault("LX223", "numbers", start, end, (quoted(item),)))
        seen.add(read.text)
        values.append(read.value)
        texts.append(read.text)
        start = end + 1
    numbers = tuple(value for value in values if value is not None)
    whole = numbers if len(numbers) == len(values) else None
    return Parsed(whole, ",".join(texts), tuple(faults))
