"""Reading of names as LexML Brasil, the drafts of the RFC and Normattiva (NIR) write them."""

from __future__ import annotations

import re
from functools import lru_cache

from lexurn.dialect.elements import canonicalize_words, read_elements, read_events
from lexurn.dialect.values import (
    LEXML_AUTHORITIES,
    ConversionState,
    JurisdictionWords,
    Piece,
)

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
"""Form and languages behind LexML's ``~``."""
_LABEL_NUMBER = re.compile(r"(?<![a-z0-9])([a-z]{3})_(?=[0-9])")
_PARTITION_RANGE = re.compile(r"\[([^\[\]()]+)\]")
_WITHOUT_AUTHORITY = 2


def read_lex(work: ConversionState, start: int, *, lexml: bool) -> None:
    """Read the text behind the prefix of a LEX name.

    Args:
        work: the conversion.
        start: the end of the prefix.
        lexml: True if ``~`` may stand before a form, as in LexML.
    """
    match = _SHAPE.fullmatch(work.text, start)
    if match is None:
        _report_sign_order(work, start)
        return
    pieces = {key: Piece(match.start(key), text or "") for key, text in match.groupdict().items()}
    _read_head(work, pieces["head"])
    if match["version"] is not None:
        text, colon, language = pieces["version"].text.partition(":")
        if text:
            behind_number, work.parts.events = work.parts.events, []
            read_events(work, pieces["version"].cut(0, text))
            work.parts.events += behind_number
            work.parts.language = language if colon else work.parts.language
        else:
            _refuse(work, pieces["version"], "@")
    work.parts.manifestation = pieces["manifestation"].text
    form = pieces["form"]
    if match["form"] == "":
        _refuse(work, form, "~")
    elif lexml and FORM.fullmatch(form.text):
        _read_form(work, form)
    else:
        work.parts.partition = form.text or work.parts.partition
    if match["partition"] is not None:
        _read_lexml_partition(work, pieces["partition"])
    work.parts.rest = pieces["rest"].text
    if work.parts.rest.startswith("#"):
        work.say("LX856", pieces["rest"])


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
    first, semicolon, last = jurisdiction.text.rpartition(";")
    words = work.words
    is_authority = last in words.authorities and last not in words.units
    is_last_unit = bool(semicolon) and (last in LEXML_AUTHORITIES or is_authority)
    if len(elements) == _WITHOUT_AUTHORITY and is_last_unit:
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
    if not work.broken and elements[0].text in LEXML_AUTHORITIES:
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
    """Read ``art1_par2`` behind ``!``; brackets hold a range."""
    whole = Piece(piece.start - 1, f"!{piece.text}")
    if not piece.text or work.parts.partition:
        work.say("LX885" if piece.text else "LX886", whole)
        return
    ranged = _PARTITION_RANGE.fullmatch(piece.text)
    bare = ranged[1] if ranged else piece.text
    joined = _LABEL_NUMBER.sub(r"\1", bare)
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


_SIGNS = re.compile(r"[@~#!*$]")
# The order in which the dialect has the signs, and the one in which they are read.
_ORDER = {"@": 0, "*": 1, "$": 2, "~": 3, "#": 3, "!": 4}
_READING_ORDER = "@*!$~#"
_VIGENTE = re.compile(r"vig(?:=(.*))?", re.DOTALL)
_COMMUNICATION = re.compile(r"[a-z]+(?:\.[a-z]+)*(?:;.+)?", re.DOTALL)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z0-9]{2,8})*")


def read_nir(work: ConversionState, start: int) -> None:
    """Read the text behind the prefix of a NIR name."""
    text = work.text
    question = text.find("?", start)
    end = len(text) if question < 0 else question
    work.parts.rest = text[end:]
    work.parts.head = "it"
    signs = list(_SIGNS.finditer(text, start, end))
    stops = [*(sign.start() for sign in signs), end]
    segments: list[tuple[str, Piece]] = []
    for sign, stop in zip(signs, stops[1:], strict=True):
        if any(_ORDER[sign[0]] == _ORDER[before] for before, _ in segments):
            work.say("LX885", Piece(sign.start(), text[sign.start() : stop]))
        segments.append((sign[0], Piece(sign.end(), text[sign.end() : stop])))
    read_elements(work, Piece(start, text[start : stops[0]]).split(":"))
    if work.broken:
        return
    order = [_ORDER[sign] for sign, _ in segments]
    if order != sorted(order):
        work.change("LX808", Piece(stops[0], text[stops[0] : end]), "")
    for each in sorted(segments, key=lambda each: _READING_ORDER.index(each[0])):
        _read_segment(work, *each)


def _read_segment(work: ConversionState, sign: str, piece: Piece) -> None:
    """Read the piece behind a sign of NIR."""
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
    """Read ``art2-com3`` behind ``#`` or ``~``: a hyphen parts levels if a label follows it."""
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
