"""Names of the namespace LEX as LexML Brasil and the drafts of the RFC write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect.elements import (
    FORM,
    canonicalize_words,
    read_elements,
    read_events,
    read_form,
    read_lexml_partition,
)
from lexurn.dialect.jurisdictions import LEXML_AUTHORITIES
from lexurn.dialect.values import Piece, split_piece

if TYPE_CHECKING:
    from lexurn.dialect.values import ConversionState

_SHAPE = re.compile(
    r"(?P<head>[^@~!$?#]*)(?:@(?P<version>[^~!$?#]*))?(?:\$(?P<manifestation>[^~!?#]*))?"
    r"(?:~(?P<form>[^!?#]*))?(?:!(?P<partition>[^?#]*))?(?P<rest>[?#].*)?",
    re.DOTALL,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)
_MEDIA = re.compile(
    r"(?:application|text|image|audio|video|message|multipart|model|font)-[^:;]+", re.IGNORECASE
)
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE)
_WITHOUT_AUTHORITY = 2


def read_lex(work: ConversionState, start: int, *, lexml: bool) -> None:
    """Read what follows the prefix.

    Args:
        work: the conversion.
        start: where the prefix ends.
        lexml: whether ``~`` may stand before a form, as in LexML.
    """
    match = _SHAPE.fullmatch(work.text, start)
    if match is None:
        _report_sign_order(work, start)
        return
    pieces = {
        key: None if text is None else Piece(match.start(key), text)
        for key, text in match.groupdict().items()
    }
    _read_head(work, Piece(start, match["head"]))
    if pieces["version"] is not None:
        _read_version(work, pieces["version"])
    if pieces["manifestation"] is not None:
        work.parts.manifestation = pieces["manifestation"].text
    if pieces["form"] is not None:
        _read_after_tilde(work, pieces["form"], lexml=lexml)
    if pieces["partition"] is not None:
        _read_partition(work, pieces["partition"])
    if pieces["rest"] is not None:
        _read_rest(work, pieces["rest"])


def _report_sign_order(work: ConversionState, start: int) -> None:
    """A sign stands before one that it should follow, or twice: nobody knows what is meant."""
    signs = [(at, c) for at, c in enumerate(work.text[start:], start) if c in "@~!$"]
    seen = ""
    for at, sign in signs:
        if sign in seen or any(before in seen for before in "@$~!"["@$~!".index(sign) :]):
            work.say("LX886", Piece(at, sign))
            return
        seen += sign
    work.say("LX886", Piece(start, work.text[start:]))


def _read_head(work: ConversionState, piece: Piece) -> None:
    """Jurisdiction and work."""
    jurisdiction, *elements = split_piece(piece, ":")
    if len(elements) == _WITHOUT_AUTHORITY:
        jurisdiction, elements = _split_authority(work, jurisdiction, elements)
    work.parts.head = _read_jurisdiction(work, jurisdiction)
    if not elements:
        work.say("LX873", piece)
        return
    read_elements(work, elements)
    if not work.broken and elements[0].text in LEXML_AUTHORITIES:
        work.say("LX850", elements[0])


def _split_authority(
    work: ConversionState, jurisdiction: Piece, elements: list[Piece]
) -> tuple[Piece, list[Piece]]:
    """The authority, where it stands as the last unit of the jurisdiction."""
    first, semicolon, last = jurisdiction.text.rpartition(";")
    known = last in LEXML_AUTHORITIES or (
        last in work.speech.authorities and last not in work.speech.units
    )
    if not semicolon or not known:
        return jurisdiction, elements
    place = jurisdiction.at(len(first), f";{last}")
    work.change("LX819", place, f":{last}")
    return jurisdiction.at(0, first), [jurisdiction.at(len(first) + 1, last), *elements]


def _read_jurisdiction(work: ConversionState, piece: Piece) -> str:
    """Code and units; the code is not a word."""
    code, semicolon, units = piece.text.partition(";")
    if not semicolon:
        return code
    return f"{code};{canonicalize_words(work, piece.at(len(code) + 1, units))}"


def _read_version(work: ConversionState, piece: Piece) -> None:
    text, colon, language = piece.text.partition(":")
    if not text:
        work.say("LX886", Piece(piece.start - 1, f"@{piece.text}"))
        return
    behind_number = work.parts.events
    work.parts.events = []
    read_events(work, piece.at(0, text))
    work.parts.events += behind_number
    if colon:
        work.parts.language = language


def swap_manifestation(text: str) -> str:
    """A manifestation with its first two elements in the other order."""
    first, colon, rest = text.partition(":")
    second, other, more = rest.partition(":")
    return f"{second}:{first}{other}{more}" if colon and second else text


def has_draft_order(text: str) -> bool:
    """Whether a manifestation has what looks like a media type before what looks like a domain."""
    first, _, rest = text.partition(":")
    publisher = rest.partition(":")[0].partition(";")[0]
    return bool(_MEDIA.fullmatch(first.partition(";")[0]) and _DOMAIN.fullmatch(publisher))


def _read_after_tilde(work: ConversionState, piece: Piece, *, lexml: bool) -> None:
    """A partition, or a form and its language where the grammar is LexML's."""
    if lexml and FORM.fullmatch(piece.text):
        read_form(work, piece)
    elif piece.text:
        work.parts.partition = piece.text
    else:
        work.say("LX886", Piece(piece.start - 1, "~"))


def _read_partition(work: ConversionState, piece: Piece) -> None:
    sign = Piece(piece.start - 1, f"!{piece.text}")
    if not piece.text:
        work.say("LX886", sign)
    elif work.parts.partition:
        work.say("LX885", sign)
    else:
        read_lexml_partition(work, piece)


def _read_rest(work: ConversionState, piece: Piece) -> None:
    work.parts.rest = piece.text
    if piece.text.startswith("#"):
        work.say("LX856", piece)
