"""What follows the work: versions, forms, partitions, as LexML and NIR write them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect._details import day_of
from lexurn.dialect._work import Piece, cut

if TYPE_CHECKING:
    from lexurn.dialect._speech import Speech
    from lexurn.dialect._work import Work

__all__ = ["FORM", "read_events", "read_form", "read_lexml_partition", "read_nir_partition"]

_TIMED = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})t([0-9]{2}(?:\.[0-9]{2}){1,2})")
_STAMP = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})?")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_LOOSE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_HOURS, _SIXTY = 24, 60
FORM = re.compile(
    r"(?P<form>[a-z]+(?:\.[a-z]+)*);(?P<languages>[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?"
    r"(?:,[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?)*)"
)
"""Form and languages behind LexML's ``~``."""
_LABEL_NUMBER = re.compile(r"(?<![a-z0-9])([a-z]{3})_(?=[0-9])")
_RANGE = re.compile(r"\[([^\[\]()]+)\]")


def read_events(work: Work, piece: Piece) -> None:
    """The version and its events, dates put right."""
    for each in cut(piece, ";"):
        work.parts.events.append(_event(work, each))


def _event(work: Work, piece: Piece) -> str:
    text = piece.text
    if match := _TIMED.fullmatch(text):
        return _timed(work, piece, "LX811", day_of(match[1], match[2], match[3]), match[4])
    if match := _STAMP.fullmatch(text):
        clock = ".".join(part for part in match.group(4, 5, 6) if part)
        return _timed(work, piece, "LX812", day_of(match[1], match[2], match[3]), clock)
    match, code = _LOOSE.fullmatch(text), "LX813"
    if match is None:
        match, code = _COMPACT.fullmatch(text), "LX812"
    if match is None:
        return _lower(work, piece)
    iso = day_of(match[1], match[2], match[3])
    if iso is None:
        work.say("LX880", piece)
        return text
    if iso != text:
        work.change(code, piece, iso)
    return iso


def _timed(work: Work, piece: Piece, code: str, iso: str | None, clock: str) -> str:
    """A date and its time of day."""
    hour, *rest = map(int, clock.split("."))
    if iso is None or hour >= _HOURS or any(part >= _SIXTY for part in rest):
        work.say("LX880", piece)
        return piece.text
    after = f"{iso};t{clock}"
    work.change(code, piece, after)
    return after


def _lower(work: Work, piece: Piece) -> str:
    text = piece.text
    if "%" not in text and text.isascii() and text != text.lower():
        work.change("LX823", piece, text.lower())
        return text.lower()
    return text


def read_form(work: Work, piece: Piece) -> None:
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


def read_lexml_partition(work: Work, piece: Piece) -> None:
    """``art1_par2`` behind ``!``; brackets hold a range."""
    text = piece.text
    after, ranged, joined, levels = _lexml_partition(text)
    work.change("LX803", Piece(piece.start - 1, f"!{text}"), f"~{after}")
    if ranged:
        work.change("LX807", piece, after)
    if joined:
        work.change("LX806", piece, after)
    if levels:
        work.change("LX805", piece, after)
    work.parts.partition = after


@lru_cache(maxsize=8192)
def _lexml_partition(text: str) -> tuple[str, bool, bool, bool]:
    ranged = _RANGE.fullmatch(text)
    joined = _LABEL_NUMBER.sub(r"\1", ranged[1] if ranged else text)
    after = joined.replace("_", ";")
    bare = ranged[1] if ranged else text
    return (f"({after})" if ranged else after), bool(ranged), joined != bare, after != joined


def read_nir_partition(work: Work, piece: Piece, sign: str) -> None:
    """``art2-com3`` behind ``#`` or ``~``: a hyphen parts levels where a label follows it."""
    after = _nir_partition(piece.text, work.speech)
    if sign == "#":
        work.change("LX804", Piece(piece.start - 1, f"#{piece.text}"), f"~{after}", 'the sign "#"')
    if after != piece.text:
        work.change("LX805", piece, after)
    work.parts.partition = after


@lru_cache(maxsize=8192)
def _nir_partition(text: str, speech: Speech) -> str:
    return _levels(speech).sub(";", text) if "-" in text else text


@lru_cache(maxsize=256)
def _levels(speech: Speech) -> re.Pattern[str]:
    """A hyphen before a label that something follows, or that ends the partition."""
    labels = "|".join(map(re.escape, speech.labels))
    return re.compile(rf"-(?=(?:{labels})(?:[0-9A-Z.]|[a-z]{{1,2}}(?![a-z])|$|[-;]))")
