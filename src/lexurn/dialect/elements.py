"""Elements that LexML and NIR share: words, dates, numbers, annexes, versions, partitions."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect.values import Piece, list_references
from lexurn.name import read_day

if TYPE_CHECKING:
    from lexurn.dialect.values import ConversionState, JurisdictionWords

_SEPARATORS = re.compile(r"([;+])")
_JOINTS = re.compile(r"[-_'/.\u2010-\u2015\u2019]+")
_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")
# Base letters of the letters that Unicode does not take apart.
_LETTERS = str.maketrans(
    dict(zip("ßæœøđðłþ\u0131", "ss ae oe o d d l th i".split(), strict=True))  # noqa: SIM905 - it reads as a table
)
_MISSPELLINGS = {"ementa.constitucional": "emenda.constitucional"}
"""Words that tools in use write for others: an ementa is a summary, never an amendment."""


def canonicalize_words(work: ConversionState, piece: Piece) -> str:
    """Return a series of words (authority, measure, annex, unit), and note the changes."""
    text, steps = _canonicalize(piece.text, work.words)
    for code, start, before, after, lost in steps:
        work.change(code, piece.cut(start, before), after, lost)
    return text


def is_canonical(text: str, words: JurisdictionWords) -> bool:
    """Return True for a series of words without anything to change."""
    return not _canonicalize(text, words)[1]


# Code, offset, text before, text after and loss of each change.
_WordStep = tuple[str, int, str, str, str | None]


@lru_cache(maxsize=8192)
def _canonicalize(text: str, words: JurisdictionWords) -> tuple[str, tuple[_WordStep, ...]]:
    """Return the series as names have it, and each change with its offset."""
    items: list[str] = []
    steps: list[_WordStep] = []
    start = 0
    for item in _SEPARATORS.split(text):
        became = item
        if item not in {";", "+"}:
            became = _canonicalize_item(item, words, start, steps)
        items.append(became)
        start += len(item)
    return "".join(items), tuple(steps)


def _canonicalize_item(
    given: str, words: JurisdictionWords, start: int, steps: list[_WordStep]
) -> str:
    """Return one item as names have it, and add its changes."""

    def note(code: str, before: str, after: str, lost: str | None = None) -> str:
        if after != before:
            steps.append((code, start, given, after, lost))
        return after

    item = given if given.isascii() else note("LX822", given, fold_letters(given, words))
    pieces = _TRIPLET.split(item)  # the digits of percent-encoded octets keep their case
    pieces[::2] = map(str.lower, pieces[::2])
    item = note("LX823", item, "".join(pieces))
    if not _JOINTS.sub("", item).replace("%", "").isalnum():
        return item
    if _JOINTS.search(item.replace(".", "")):
        item = note("LX820", item, _JOINTS.sub(".", item).strip("."))
    item = note("LX831", item, _MISSPELLINGS.get(item, item))
    kept, dropped = _drop_connectives(item, words)
    return note("LX821", item, kept, f'the words "{" ".join(dropped)}"')


def fold_letters(text: str, words: JurisdictionWords) -> str:
    """Return letters in ASCII, by the language, else by base letter; others stay (RFC 9676 3.4)."""
    found = ""
    for letter in unicodedata.normalize("NFC", text):
        lower = letter.lower()
        spelt = words.folds.get(lower) or lower.translate(_LETTERS)
        parts = unicodedata.normalize("NFKD", spelt)
        base = "".join(each for each in parts if not unicodedata.combining(each))
        is_base = not letter.isascii() and base.isascii() and base.isalnum()
        found += base if is_base else letter
    return found


def _drop_connectives(item: str, words: JurisdictionWords) -> tuple[str, list[str]]:
    """Return the item without the words that only join others, and those words.

    An item of the registry stays as it is. The first and the last word join nothing and stay, and
    so does a single letter after the word or number that it belongs to (``annex.a``).
    """
    first, *inner = item.split(".")
    known = words.authorities, words.bodies, words.measures, words.units
    is_known = any(item in notations for notations in known)
    if words.connectives.isdisjoint(inner[:-1]) or is_known:
        return item, []
    kept, dropped, before = [first], [], first
    for word in inner[:-1]:
        designates = len(word) == 1 and (before in words.annexes or before[-1:].isdigit())
        if word in words.connectives and not designates:
            dropped.append(word)
        else:
            kept.append(word)
        before = word
    return ".".join((*kept, inner[-1])), dropped


_NUMBER_AFTER_COLON = re.compile(r"[0-9][a-z0-9]*(?:[-/.][a-z0-9]+)*", re.IGNORECASE)
_LOOSE_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_COMPACT_DATE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_YEAR = re.compile(r"[0-9]{4}")
_UNKNOWN = re.compile(r"[0-9_-]*_[0-9_-]*")
_ZEROS = re.compile(r"0+(?:-0+)*")
_DIGITS = re.compile(r"[0-9-]+")
_DATE_RANGE = re.compile(r"\[([^\[\],]+),([^\[\],]+)\]")
_ORDINAL_PERIOD = re.compile(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9.]+", re.IGNORECASE)
_PLAIN_DETAILS = re.compile(
    r"([1-9][0-9]{3})(?:-(?!01-01)([0-9]{2})-([0-9]{2}))?;[0-9][a-z0-9]*(?:-[a-z0-9]+)*"
)
_NO_NUMBER = re.compile(r"none|null|nan|undefined", re.IGNORECASE)
_SYSTEM_NUMBER = re.compile(r"nir-([0-9]+)", re.IGNORECASE)
_HAS_DIGIT = re.compile(r"[0-9]")
_EARLIEST_YEAR = 1000


def read_dates(work: ConversionState, piece: Piece) -> str:
    """Return dates or period, and note their faults."""
    text = piece.text
    if match := _DATE_RANGE.fullmatch(text):
        work.change("LX832", piece, f"{match[1]},{match[2]}")
        piece = piece.cut(1, text[1:-1])
    elif "|" in text:
        return text
    elif _YEAR.fullmatch(text) and not _ZEROS.fullmatch(text):
        work.say("LX851", piece)
        return text
    return ",".join(_read_date(work, each) for each in piece.split(","))


def _read_date(work: ConversionState, piece: Piece) -> str:
    """Return one date; a text that is not a date stays as it is."""
    text = piece.text
    match = _LOOSE_DATE.fullmatch(text) or _COMPACT_DATE.fullmatch(text)
    if match is None or _ZEROS.fullmatch(text):
        code = _find_date_fault(work, text)
        if code is not None:
            work.say(code, piece)
        return text
    iso = _read_day(work, piece, match)
    if iso is None:
        return text
    if iso.endswith("-01-01"):
        work.say("LX852", piece)
    elif int(match[1]) < _EARLIEST_YEAR:
        work.say("LX853", piece)
    return iso


def _find_date_fault(work: ConversionState, text: str) -> str | None:
    """Return the code of a text that has not the form of a day, None for a period."""
    if not text:
        return "LX876"
    if _ZEROS.fullmatch(text):
        return "LX879"
    if _UNKNOWN.fullmatch(text):
        return "LX878"
    if _DIGITS.fullmatch(text):
        return "LX880" if work.is_nir or "-" in text else "LX855"
    if _ORDINAL_PERIOD.fullmatch(text):
        return None
    return "LX881" if work.is_nir else "LX855"


def _read_day(work: ConversionState, piece: Piece, match: re.Match[str]) -> str | None:
    """Return a day, padded or taken apart as ISO 8601 has it; None if there is no such day."""
    iso = read_day(match[1], match[2], match[3])
    if iso is None:
        work.say("LX880", piece)
    elif iso != piece.text:
        work.change("LX813" if "-" in piece.text else "LX812", piece, iso)
    return iso


def _read_number(work: ConversionState, piece: Piece) -> str:
    """Return a number in ASCII, without "/", and in lower case if the dialect is left behind."""
    text, code = piece.text, None
    if not text:
        code = "LX877"
    elif _NO_NUMBER.fullmatch(text):
        code = "LX882"
    elif not text.strip("_"):
        code = "LX878"
    elif work.is_nir and (match := _SYSTEM_NUMBER.fullmatch(text)):
        work.change("LX825", piece, f"lex-{match[1]}")
        return f"lex-{match[1]}"
    elif not _HAS_DIGIT.search(text):
        code = "LX858"
    if code is not None:
        work.say(code, piece)
    plain = text if text.isascii() else fold_letters(text, work.words)
    dashed = plain.replace("/", "-")
    lower = dashed.lower() if work.is_nir and "%" not in dashed else dashed
    stages = ("LX822", text, plain), ("LX824", plain, dashed), ("LX823", dashed, lower)
    for change, before, after in stages:
        if before != after:
            work.change(change, piece, after)
    return lower


_DAY_OR_YEAR = re.compile(r"[0-9]{4}(?:-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4})?")
_DATED = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:;.*)?|[0-9]{4};.*", re.DOTALL)
_ARTICLE = re.compile(r"art\.?([0-9]+[a-z-]*)", re.IGNORECASE)
RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_FEWEST_ELEMENTS = 2


def read_elements(work: ConversionState, pieces: list[Piece]) -> None:
    """Fill the head and the annexes of a name from authority, measure, details, annexes."""
    if len(pieces) < _FEWEST_ELEMENTS:
        work.say("LX873", pieces[0])
        return
    if _DATED.fullmatch(pieces[1].text):
        # The measure is after the authority's ``;``, if it is known.
        first, _, last = pieces[0].text.rpartition(";")
        if first and last in work.words.measures and last not in work.words.bodies:
            at = len(first)
            work.change("LX834", pieces[0].cut(at, pieces[0].text[at:]), f":{last}")
            pieces = [pieces[0].cut(0, first), pieces[0].cut(at + 1, last), *pieces[1:]]
        else:
            work.say("LX875", pieces[1])
    authority, measure, *details = pieces
    if not authority.text:
        work.say("LX874", authority, "authority")
    if not measure.text:
        work.say("LX874", measure, "type of measure")
    if work.is_broken:
        return
    if work.is_nir or "," not in authority.text:
        issuers = canonicalize_words(work, authority)
    else:  # LexML's joint issuers
        work.change("LX818", authority, authority.text.replace(",", "+"))
        issuers = "+".join(canonicalize_words(work, each) for each in authority.split(","))
    heads = issuers, canonicalize_words(work, measure)
    _read_details(work, heads, details or [Piece(measure.end, "")])


def _read_details(work: ConversionState, heads: tuple[str, str], pieces: list[Piece]) -> None:
    """Read details and annexes, or the full name of a short reference."""
    details, *annexes = pieces
    plain = _PLAIN_DETAILS.fullmatch(details.text)  # as nearly all are
    if plain and (plain[2] is None or read_day(plain[1], plain[2], plain[3])):
        if plain[2] is None:
            work.say("LX851", Piece(details.start, plain[1]))
        _write_head(work, (*heads, details.text))
        _read_annexes(work, annexes)
        return
    when, semicolon, numbers = details.text.partition(";")
    dates, number = details.cut(0, when), details.cut(len(when) + 1, numbers)
    following = annexes[0].text if annexes else ""
    is_number_next = _DAY_OR_YEAR.fullmatch(when) and _NUMBER_AFTER_COLON.fullmatch(following)
    if not semicolon and is_number_next:
        work.change("LX826", Piece(dates.end, f":{following}"), f";{following}")
        number, annexes = annexes[0], annexes[1:]
    elif not numbers or _ARTICLE.fullmatch(numbers):
        _read_short_reference(work, heads, dates, number if numbers else None, annexes)
        return
    number, *more = number.split(";")
    text = read_dates(work, dates)
    listed = ",".join(_read_number(work, each) for each in number.split(","))
    _write_head(work, (*heads, f"{text};{listed}"))
    _read_after_number(work, more)
    _read_annexes(work, annexes)


def _read_short_reference(
    work: ConversionState,
    heads: tuple[str, str],
    dates: Piece,
    article: Piece | None,
    annexes: list[Piece],
) -> None:
    """Read a reference without number: whole if the registry has its name, else broken."""
    when, names = dates.text, []
    for issuer, name in list_references(work.words).get(heads[1], ()):
        details = name.work.details
        days = [date.iso for date in details.dates] or [details.period or ""]
        if issuer == heads[0] and (not when or any(when in {day, day[:4]} for day in days)):
            names.append(name)
    if len(names) == 1:
        if article is not None:
            work.change("LX830", article, f"~{article.text}")
            work.parts.partition = article.text
        full = str(names[0].work)
        work.change("LX829", dates, full, f'the short reference "{":".join((*heads, when))}"')
        _write_head(work, tuple(full.split(":")))
        _read_annexes(work, annexes)
    elif article is not None:
        work.say("LX884", article)
    elif not when:
        work.say("LX876", dates)
    else:
        noted = len(work.findings)
        read_dates(work, dates)
        work.findings[noted:] = [each for each in work.findings[noted:] if each.is_error]
        work.say("LX877", Piece(dates.end, ""))


def _read_after_number(work: ConversionState, pieces: list[Piece]) -> None:
    """Read the pieces after the number and a ``;``: annexes, or a rectification in LexML."""
    if not work.is_nir and pieces and RECTIFICATION.fullmatch(pieces[-1].text):
        work.change("LX828", pieces[-1], f"@{pieces[-1].text}")
        work.parts.events.append(pieces.pop().text)
    lost = None
    if work.is_nir and pieces:
        pieces = [Piece(pieces[0].start, ";".join(each.text for each in pieces))]
        lost = 'the ";" before the annex'
    for piece in pieces:
        # LexML parts the title of an annex by a comma.
        text = piece.text if work.is_nir else piece.text.replace(",", ";")
        if text.partition(";")[0].partition(".")[0] in work.words.annexes:
            work.change("LX827", piece, f":{text}", lost)
            work.parts.annexes.append(canonicalize_words(work, Piece(piece.start, text)))
        else:
            work.say("LX883", piece)


def _read_annexes(work: ConversionState, pieces: list[Piece]) -> None:
    if pieces and not pieces[-1].text:
        work.change("LX814", Piece(pieces[-1].start - 1, ":"), "")
        pieces = pieces[:-1]
    for piece in pieces:
        if not piece.text:
            work.say("LX874", piece, "annex")
        work.parts.annexes.append(canonicalize_words(work, piece))


def _write_head(work: ConversionState, elements: tuple[str, ...]) -> None:
    work.parts.head = ":".join((work.parts.head, *elements))


_TIMED = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})t([0-9]{2}(?:\.[0-9]{2}){1,2})")
_TIMESTAMP = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})?")
_HOURS, _SIXTY = 24, 60


def read_events(work: ConversionState, piece: Piece) -> None:
    """Read the version and its events, their dates put right."""
    work.parts.events += [_read_event(work, each) for each in piece.split(";")]


def _read_event(work: ConversionState, piece: Piece) -> str:
    """Return a date, a date and its time of day, or a word."""
    text = piece.text
    timed, stamp = _TIMED.fullmatch(text), _TIMESTAMP.fullmatch(text)
    if match := timed or stamp:
        clock = match[4].split(".") if timed else [part for part in match.group(4, 5, 6) if part]
        hour, *rest = map(int, clock)
        iso = read_day(match[1], match[2], match[3])
        if iso is None or hour >= _HOURS or any(part >= _SIXTY for part in rest):
            work.say("LX880", piece)
            return text
        after = f"{iso};t{'.'.join(clock)}"
        work.change("LX811" if timed else "LX812", piece, after)
        return after
    if match := _LOOSE_DATE.fullmatch(text) or _COMPACT_DATE.fullmatch(text):
        return _read_day(work, piece, match) or text
    if "%" in text or not text.isascii() or text == text.lower():
        return text
    work.change("LX823", piece, text.lower())
    return text.lower()
