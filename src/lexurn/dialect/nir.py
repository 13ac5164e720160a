"""Names of the namespace NIR, the Italian ancestor of LEX, as Normattiva writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect.elements import read_elements, read_events, read_nir_partition
from lexurn.dialect.values import Piece, quote_text, split_piece

if TYPE_CHECKING:
    from lexurn.dialect.values import ConversionState

_TAIL = re.compile(r"[@~#!*$]")
_ORDER = {"@": 0, "*": 1, "$": 2, "~": 3, "#": 3, "!": 4}
_VIGENTE = re.compile(r"vig(?:=(.*))?", re.DOTALL)
_COMMUNICATION = re.compile(r"[a-z]+(?:\.[a-z]+)*(?:;.+)?", re.DOTALL)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z0-9]{2,8})*")


def read_nir(work: ConversionState, start: int) -> None:
    """Read what follows the prefix."""
    text = work.text
    question = text.find("?", start)
    end = len(text) if question < 0 else question
    work.parts.rest = text[end:]
    if _TAIL.search(text, start, end) is None:
        work.parts.head = "it"
        read_elements(work, split_piece(Piece(start, text[start:end]), ":"))
        return
    segments = _split_segments(work, start, end)
    head = Piece(start, text[start : segments[0][0]])
    work.parts.head = "it"
    read_elements(work, split_piece(head, ":"))
    if work.broken:
        return
    if len(segments) > 1:
        _check_order(work, segments)
        segments.sort(key=lambda each: "@*!$~#".index(each[1]))
    for _, sign, piece in segments:
        _READERS[sign](work, piece)


def _split_segments(work: ConversionState, start: int, end: int) -> list[tuple[int, str, Piece]]:
    """What each sign stands before: its place, the sign, the piece behind it."""
    signs = list(_TAIL.finditer(work.text, start, end))
    ends = [*(sign.start() for sign in signs), end][1:]
    found = []
    seen: set[int] = set()
    for sign, stop in zip(signs, ends, strict=True):
        piece = Piece(sign.end(), work.text[sign.end() : stop])
        if _ORDER[sign[0]] in seen:
            work.say("LX885", Piece(sign.start(), work.text[sign.start() : stop]))
        seen.add(_ORDER[sign[0]])
        found.append((sign.start(), sign[0], piece))
    return found


def _check_order(work: ConversionState, segments: list[tuple[int, str, Piece]]) -> None:
    """Note where the order of the signs is not the dialect's own, which cannot be told back."""
    signs = [_ORDER[sign] for _, sign, _ in segments]
    if signs != sorted(signs):
        first = segments[0][0]
        whole = Piece(first, work.text[first : segments[-1][2].end])
        work.change("LX808", whole, "")


def _read_version(work: ConversionState, piece: Piece) -> None:
    if not piece.text:
        work.say("LX886", Piece(piece.start - 1, "@"))
        return
    read_events(work, piece)


def _read_communication(work: ConversionState, piece: Piece) -> None:
    """``*errata.corrige;2003-07-03``: events of the version."""
    if not _COMMUNICATION.fullmatch(piece.text):
        work.say("LX886", Piece(piece.start - 1, f"*{piece.text}"))
        return
    work.change("LX810", Piece(piece.start - 1, f"*{piece.text}"), piece.text)
    read_events(work, piece)


def _read_in_force(work: ConversionState, piece: Piece) -> None:
    """``!vig=2024-10-31``: the text in force that day; without a day, the text in force."""
    whole = Piece(piece.start - 1, f"!{piece.text}")
    match = _VIGENTE.fullmatch(piece.text)
    if match is None:
        work.say("LX886", whole)
        return
    lost = None if match[1] is not None else 'the spelling "!vig" without "="'
    work.change("LX809", whole, "@vigente" + (f";{match[1]}" if match[1] else ""), lost)
    work.parts.events.append("vigente")
    if match[1]:
        read_events(work, piece.at(len("vig="), match[1]))


def _read_language(work: ConversionState, piece: Piece) -> None:
    """``$it``: the language of the version."""
    whole = Piece(piece.start - 1, f"${piece.text}")
    if not _LANGUAGE.fullmatch(piece.text):
        work.say("LX886", whole)
    elif not work.parts.events:
        work.change("LX817", whole, "")
    else:
        work.change("LX816", whole, f":{piece.text}")
        work.parts.language = piece.text


def _read_partition(work: ConversionState, piece: Piece) -> None:
    sign = work.text[piece.start - 1]
    if not piece.text:
        work.say("LX886", Piece(piece.start - 1, sign), quote_text(sign))
        return
    if work.parts.partition:
        work.say("LX885", piece)
        return
    read_nir_partition(work, piece, sign)


_READERS = {
    "@": _read_version,
    "*": _read_communication,
    "$": _read_language,
    "~": _read_partition,
    "#": _read_partition,
    "!": _read_in_force,
}
