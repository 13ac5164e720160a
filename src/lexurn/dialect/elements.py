"""Elements that LexML and NIR share: words, dates, numbers, annexes, versions, partitions."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect.values import Piece, split_piece

if TYPE_CHECKING:
    from lexurn.dialect.jurisdictions import JurisdictionWords
    from lexurn.dialect.values import ConversionState
    from lexurn.name import Name

_SEPARATORS = re.compile(r"([;+])")
_JOINTS = re.compile(r"[-_'/.\u2010-\u2015\u2019]+")
_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")
# What the base letter of a letter is, where Unicode does not take it apart.
_LETTERS = str.maketrans(
    dict(zip("ßæœøđðłþ\u0131", "ss ae oe o d d l th i".split(), strict=True))  # noqa: SIM905 - it reads as a table
)
_MISSPELLINGS = {"ementa.constitucional": "emenda.constitucional"}
"""Words that tools in use write for others: an ementa is a summary, never an amendment."""


def canonicalize_words(work: ConversionState, piece: Piece) -> str:
    """A series of words (authority, measure, annex, unit), with what was changed noted."""
    text, steps = _canonicalize(piece.text, work.speech)
    for code, start, before, after, lost in steps:
        work.change(code, Piece(piece.start + start, before), after, lost)
    return text


def is_canonical(text: str, speech: JurisdictionWords) -> bool:
    """Whether there is nothing to change in a series of words."""
    return not _canonicalize(text, speech)[1]


_WordStep = tuple[str, int, str, str, str | None]


@lru_cache(maxsize=8192)
def _canonicalize(text: str, speech: JurisdictionWords) -> tuple[str, tuple[_WordStep, ...]]:
    """The series as names have it, and each change with its place."""
    items, steps, start = [], [], 0
    for item in _SEPARATORS.split(text):
        became, changed = (item, ()) if item in {";", "+"} else _canonicalize_item(item, speech)
        items.append(became)
        steps += [(code, start, item, after, lost) for code, after, lost in changed]
        start += len(item)
    return "".join(items), tuple(steps)


def _canonicalize_item(
    item: str, speech: JurisdictionWords
) -> tuple[str, list[tuple[str, str, str | None]]]:
    """One item as names have it, and its changes: code, what it became, what is lost."""
    steps: list[tuple[str, str, str | None]] = []
    if not item.isascii():
        item = _note_step(steps, "LX822", item, fold_letters(item, speech))
    item = _note_step(steps, "LX823", item, _lower(item))
    if not _JOINTS.sub("", item).replace("%", "").isalnum():
        return item, steps
    if _JOINTS.search(item.replace(".", "")):
        item = _note_step(steps, "LX820", item, _JOINTS.sub(".", item).strip("."))
    if item in _MISSPELLINGS:
        item = _note_step(steps, "LX831", item, _MISSPELLINGS[item])
    kept, dropped = _drop_connectives(item, speech)
    if dropped:
        steps.append(("LX821", kept, f'the words "{" ".join(dropped)}"'))
    return kept, steps


def _note_step(steps: list[tuple[str, str, str | None]], code: str, before: str, after: str) -> str:
    """Note a step where it changed anything."""
    if after != before:
        steps.append((code, after, None))
    return after


def _lower(item: str) -> str:
    """In lower case, but for the digits of percent-encoded octets."""
    pieces = _TRIPLET.split(item)
    pieces[::2] = map(str.lower, pieces[::2])
    return "".join(pieces)


def fold_letters(text: str, speech: JurisdictionWords) -> str:
    """Letters in ASCII, by the language, else by their base letter; others stay (RFC 9676 3.4)."""
    return "".join(_fold_letter(letter, speech) for letter in unicodedata.normalize("NFC", text))


def _fold_letter(letter: str, speech: JurisdictionWords) -> str:
    if letter.isascii():
        return letter
    lower = letter.lower()
    spelt = speech.folds.get(lower) or lower.translate(_LETTERS)
    base = "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))
    return base if base.isascii() and base.isalnum() else letter


def _drop_connectives(item: str, speech: JurisdictionWords) -> tuple[str, list[str]]:
    """The item without the words that only join others, and those words.

    What the registry has as it is stays. The first and the last word join nothing, so that they
    stay, and so does a single letter behind the word or number that it belongs to (``annex.a``).
    """
    words = item.split(".")
    inner = words[1:-1]
    if speech.connectives.isdisjoint(inner) or _is_known(item, speech):
        return item, []
    kept, dropped = [words[0]], []
    for before, word in zip(words, inner, strict=False):
        if word in speech.connectives and not _is_designation(before, word, speech):
            dropped.append(word)
        else:
            kept.append(word)
    return ".".join((*kept, words[-1])), dropped


def _is_designation(before: str, word: str, speech: JurisdictionWords) -> bool:
    return len(word) == 1 and (before in speech.annexes or before[-1:].isdigit())


def _is_known(item: str, speech: JurisdictionWords) -> bool:
    known = speech.authorities, speech.bodies, speech.measures, speech.units
    return any(item in notations for notations in known)


NUMBER_BEHIND_COLON = re.compile(r"[0-9][a-z0-9]*(?:[-/.][a-z0-9]+)*", re.IGNORECASE)
"""What can only be a number where an annex would be: annexes have a heading."""
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
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


@lru_cache(maxsize=4096)
def format_day(year: str, month: str, day: str) -> str | None:
    """A day in ISO 8601, None where there is no such day."""
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def is_plain_details(work: ConversionState, piece: Piece) -> bool:
    """Whether date and number stand as they should: nearly all do; a bare year is noted."""
    match = _PLAIN_DETAILS.fullmatch(piece.text)
    if match is None:
        return False
    if match[2] is None:
        work.say("LX851", Piece(piece.start, match[1]))
        return True
    return format_day(match[1], match[2], match[3]) is not None


def read_dates(work: ConversionState, piece: Piece) -> str:
    """Dates or period; what is wrong with it is noted."""
    text = piece.text
    if match := _DATE_RANGE.fullmatch(text):
        work.change("LX832", piece, f"{match[1]},{match[2]}")
        first = piece.at(1, match[1])
        return (
            f"{_read_date(work, first)},{_read_date(work, first.at(len(match[1]) + 1, match[2]))}"
        )
    if "|" in text:
        return text
    if "," in text:
        return ",".join(_read_date(work, each) for each in split_piece(piece, ","))
    if _YEAR.fullmatch(text) and not _ZEROS.fullmatch(text):
        work.say("LX851", piece)
        return text
    return _read_date(work, piece)


def _read_date(work: ConversionState, piece: Piece) -> str:
    """One date, or what stands in its place."""
    text = piece.text
    if not text:
        work.say("LX876", piece)
    elif _ZEROS.fullmatch(text):
        work.say("LX879", piece)
    elif match := _LOOSE_DATE.fullmatch(text):
        return _read_day(work, piece, match, "LX813")
    elif match := _COMPACT_DATE.fullmatch(text):
        return _read_day(work, piece, match, "LX812")
    elif _UNKNOWN.fullmatch(text):
        work.say("LX878", piece)
    elif _DIGITS.fullmatch(text):
        work.say("LX880" if work.nir or "-" in text else "LX855", piece)
    elif not _ORDINAL_PERIOD.fullmatch(text):
        work.say("LX881" if work.nir else "LX855", piece)
    return text


def _read_day(work: ConversionState, piece: Piece, match: re.Match[str], code: str) -> str:
    """A day, padded or taken apart where it was not written as it should be."""
    iso = format_day(match[1], match[2], match[3])
    if iso is None:
        work.say("LX880", piece)
        return piece.text
    if iso != piece.text:
        work.change(code, piece, iso)
    if iso.endswith("-01-01"):
        work.say("LX852", piece)
    elif int(match[1]) < _EARLIEST_YEAR:
        work.say("LX853", piece)
    return iso


def read_numbers(work: ConversionState, piece: Piece) -> str:
    """Numbers as names have them; what is wrong with one is noted."""
    if "," not in piece.text:
        return _read_number(work, piece)
    return ",".join(_read_number(work, each) for each in split_piece(piece, ","))


def _read_number(work: ConversionState, piece: Piece) -> str:
    text = piece.text
    if not text:
        work.say("LX877", piece)
    elif _NO_NUMBER.fullmatch(text):
        work.say("LX882", piece)
    elif not text.strip("_"):
        work.say("LX878", piece)
    elif work.nir and (match := _SYSTEM_NUMBER.fullmatch(text)):
        work.change("LX825", piece, f"lex-{match[1]}")
        return f"lex-{match[1]}"
    elif not _HAS_DIGIT.search(text):
        work.say("LX858", piece)
    return _write_number(work, piece)


def _write_number(work: ConversionState, piece: Piece) -> str:
    """A number in ASCII, without "/", and in lower case where the dialect is left behind."""
    text = piece.text
    if not text.isascii() and (plain := fold_letters(text, work.speech)) != text:
        work.change("LX822", piece, plain)
        text = plain
    if "/" in text:
        work.change("LX824", piece, text.replace("/", "-"))
        text = text.replace("/", "-")
    if work.nir and "%" not in text and text != text.lower():
        work.change("LX823", piece, text.lower())
        text = text.lower()
    return text


_DAY_OR_YEAR = re.compile(r"[0-9]{4}(?:-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4})?")
_DATED = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:;.*)?|[0-9]{4};.*", re.DOTALL)
_ARTICLE = re.compile(r"art\.?([0-9]+[a-z-]*)", re.IGNORECASE)
_RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_FEWEST_ELEMENTS = 2


def read_elements(work: ConversionState, pieces: list[Piece]) -> None:
    """Fill the head and the annexes of a name from authority, measure, details, annexes."""
    if len(pieces) < _FEWEST_ELEMENTS:
        work.say("LX873", pieces[0])
        return
    if _DATED.fullmatch(pieces[1].text):
        pieces = _split_measure(work, pieces)
    authority, measure = pieces[:2]
    for piece, label in ((authority, "authority"), (measure, "type of measure")):
        if not piece.text:
            work.say("LX874", piece, label)
    if work.broken:
        return
    heads = _read_authority(work, authority), canonicalize_words(work, measure)
    _read_details(work, heads, pieces[2:] or [Piece(measure.end, "")])


def _split_measure(work: ConversionState, pieces: list[Piece]) -> list[Piece]:
    """The elements where the measure follows the authority's ``;``, as the registry knows it."""
    authority = pieces[0].text
    first, _, last = authority.rpartition(";")
    if not first or last not in work.speech.measures or last in work.speech.bodies:
        work.say("LX875", pieces[1])
        return pieces
    at = len(first)
    work.change("LX834", pieces[0].at(at, authority[at:]), f":{last}")
    return [pieces[0].at(0, first), pieces[0].at(at + 1, last), *pieces[1:]]


def _read_authority(work: ConversionState, piece: Piece) -> str:
    """The authority; LexML's joint issuers are parted by commas."""
    if work.nir or "," not in piece.text:
        return canonicalize_words(work, piece)
    work.change("LX818", piece, piece.text.replace(",", "+"))
    return "+".join(canonicalize_words(work, each) for each in split_piece(piece, ","))


def _read_details(work: ConversionState, heads: tuple[str, str], pieces: list[Piece]) -> None:
    """Details and annexes, or the full name of a short reference."""
    if is_plain_details(work, pieces[0]):
        _write_head(work, (*heads, pieces[0].text))
        _read_annexes(work, pieces[1:])
        return
    when, semicolon, numbers = pieces[0].text.partition(";")
    dates = pieces[0].at(0, when)
    number = pieces[0].at(len(when) + 1, numbers)
    if not semicolon and _is_number_next(when, pieces[1:2]):
        colon = Piece(dates.end, f":{pieces[1].text}")
        work.change("LX826", colon, f";{pieces[1].text}")
        number, pieces = pieces[1], pieces[1:]
    elif not numbers or _ARTICLE.fullmatch(numbers):
        _read_short_reference(work, heads, dates, number if numbers else None, pieces)
        return
    number, *more = split_piece(number, ";")
    text = read_dates(work, dates)
    _write_head(work, (*heads, f"{text};{read_numbers(work, number)}"))
    _read_after_number(work, more)
    _read_annexes(work, pieces[1:])


def _is_number_next(when: str, following: list[Piece]) -> bool:
    """Whether what follows a date without number is its number."""
    return bool(
        following
        and _DAY_OR_YEAR.fullmatch(when)
        and NUMBER_BEHIND_COLON.fullmatch(following[0].text)
    )


def _read_short_reference(
    work: ConversionState,
    heads: tuple[str, str],
    dates: Piece,
    article: Piece | None,
    pieces: list[Piece],
) -> None:
    """A reference without number: whole where the registry has its name, else broken."""
    names = [name for name in work.speech.reference(*heads) if _agrees_with_date(name, dates.text)]
    if len(names) != 1:
        _report_incomplete(work, dates, article)
        return
    if article is not None:
        work.change("LX830", article, f"~{article.text}")
        work.parts.partition = article.text
    short = Piece(dates.start, dates.text)
    full = str(names[0].work)
    work.change("LX829", short, full, f'the short reference "{":".join((*heads, dates.text))}"')
    _write_head(work, tuple(full.split(":")))
    _read_annexes(work, pieces[1:])


def _agrees_with_date(name: Name, when: str) -> bool:
    """Whether what is given of a date is the date of a name."""
    details = name.work.details
    dates = [date.iso for date in details.dates] or [details.period or ""]
    return not when or any(when in {date, date[:4]} for date in dates)


def _report_incomplete(work: ConversionState, dates: Piece, article: Piece | None) -> None:
    """Say what is missing of a reference that nobody knows."""
    if article is not None:
        work.say("LX884", article)
    elif not dates.text:
        work.say("LX876", dates)
    else:
        noted = len(work.findings)
        read_dates(work, dates)
        work.findings[noted:] = [each for each in work.findings[noted:] if each.is_error]
        work.say("LX877", Piece(dates.end, ""))


def _read_after_number(work: ConversionState, pieces: list[Piece]) -> None:
    """What follows the number behind a ``;``: an annex, or a rectification in LexML."""
    if not pieces:
        return
    if not work.nir and _RECTIFICATION.fullmatch(pieces[-1].text):
        work.change("LX828", pieces[-1], f"@{pieces[-1].text}")
        work.parts.events.append(pieces.pop().text)
    if work.nir:
        whole = Piece(pieces[0].start, ";".join(each.text for each in pieces))
        _read_component(work, whole, 'the ";" before the annex')
        return
    for piece in pieces:
        _read_component(work, piece, None)


def _read_component(work: ConversionState, piece: Piece, lost: str | None) -> None:
    """An annex behind a ``;``; LexML parts its title by a comma."""
    text = piece.text if work.nir else piece.text.replace(",", ";")
    if text.partition(";")[0].partition(".")[0] not in work.speech.annexes:
        work.say("LX883", piece)
        return
    work.change("LX827", piece, f":{text}", lost)
    work.parts.annexes.append(canonicalize_words(work, Piece(piece.start, text)))


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
FORM = re.compile(
    r"(?P<form>[a-z]+(?:\.[a-z]+)*);(?P<languages>[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?"
    r"(?:,[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?)*)"
)
"""Form and languages behind LexML's ``~``."""
_LABEL_NUMBER = re.compile(r"(?<![a-z0-9])([a-z]{3})_(?=[0-9])")
_PARTITION_RANGE = re.compile(r"\[([^\[\]()]+)\]")


def read_events(work: ConversionState, piece: Piece) -> None:
    """The version and its events, dates put right."""
    for each in split_piece(piece, ";"):
        work.parts.events.append(_read_event(work, each))


def _read_event(work: ConversionState, piece: Piece) -> str:
    text = piece.text
    if match := _TIMED.fullmatch(text):
        return _read_timed(work, piece, "LX811", format_day(match[1], match[2], match[3]), match[4])
    if match := _TIMESTAMP.fullmatch(text):
        clock = ".".join(part for part in match.group(4, 5, 6) if part)
        return _read_timed(work, piece, "LX812", format_day(match[1], match[2], match[3]), clock)
    match, code = _LOOSE_DATE.fullmatch(text), "LX813"
    if match is None:
        match, code = _COMPACT_DATE.fullmatch(text), "LX812"
    if match is None:
        return _lower_event(work, piece)
    iso = format_day(match[1], match[2], match[3])
    if iso is None:
        work.say("LX880", piece)
        return text
    if iso != text:
        work.change(code, piece, iso)
    return iso


def _read_timed(work: ConversionState, piece: Piece, code: str, iso: str | None, clock: str) -> str:
    """A date and its time of day."""
    hour, *rest = map(int, clock.split("."))
    if iso is None or hour >= _HOURS or any(part >= _SIXTY for part in rest):
        work.say("LX880", piece)
        return piece.text
    after = f"{iso};t{clock}"
    work.change(code, piece, after)
    return after


def _lower_event(work: ConversionState, piece: Piece) -> str:
    text = piece.text
    if "%" not in text and text.isascii() and text != text.lower():
        work.change("LX823", piece, text.lower())
        return text.lower()
    return text


def read_form(work: ConversionState, piece: Piece) -> None:
    """``forma;lingua``: the language goes to the version; a form has no place without editor."""
    form, semicolon, languages = piece.text.partition(";")
    work.change("LX815", piece.at(0, form), "")
    if not semicolon:
        return
    language = piece.at(len(form) + 1, languages)
    if "," in languages or not work.parts.events or work.parts.language:
        work.change("LX817", language, "")
        return
    work.change("LX816", language, f":{languages}", f'the place of "{languages}"')
    work.parts.language = languages


def read_lexml_partition(work: ConversionState, piece: Piece) -> None:
    """``art1_par2`` behind ``!``; brackets hold a range."""
    text = piece.text
    after, ranged, joined, levels = _convert_lexml_partition(text)
    work.change("LX803", Piece(piece.start - 1, f"!{text}"), f"~{after}")
    if ranged:
        work.change("LX807", piece, after)
    if joined:
        work.change("LX806", piece, after)
    if levels:
        work.change("LX805", piece, after)
    work.parts.partition = after


@lru_cache(maxsize=8192)
def _convert_lexml_partition(text: str) -> tuple[str, bool, bool, bool]:
    ranged = _PARTITION_RANGE.fullmatch(text)
    joined = _LABEL_NUMBER.sub(r"\1", ranged[1] if ranged else text)
    after = joined.replace("_", ";")
    bare = ranged[1] if ranged else text
    return (f"({after})" if ranged else after), bool(ranged), joined != bare, after != joined


def read_nir_partition(work: ConversionState, piece: Piece, sign: str) -> None:
    """``art2-com3`` behind ``#`` or ``~``: a hyphen parts levels where a label follows it."""
    after = _convert_nir_partition(piece.text, work.speech)
    if sign == "#":
        work.change("LX804", Piece(piece.start - 1, f"#{piece.text}"), f"~{after}", 'the sign "#"')
    if after != piece.text:
        work.change("LX805", piece, after)
    work.parts.partition = after


@lru_cache(maxsize=8192)
def _convert_nir_partition(text: str, speech: JurisdictionWords) -> str:
    return _compile_levels(speech).sub(";", text) if "-" in text else text


@lru_cache(maxsize=256)
def _compile_levels(speech: JurisdictionWords) -> re.Pattern[str]:
    """A hyphen before a label that something follows, or that ends the partition."""
    labels = "|".join(map(re.escape, speech.labels))
    return re.compile(rf"-(?=(?:{labels})(?:[0-9A-Z.]|[a-z]{{1,2}}(?![a-z])|$|[-;]))")
