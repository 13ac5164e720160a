"""Authority, measure, details and annexes: the elements that LexML and NIR share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.dialect._details import NUMBER_BEHIND_COLON, is_plain, read_number, read_when
from lexurn.dialect._words import settled
from lexurn.dialect._work import Piece, cut, is_error

if TYPE_CHECKING:
    from lexurn.dialect._work import Work
    from lexurn.name import Name

__all__ = ["read_elements"]

_WHEN = re.compile(r"[0-9]{4}(?:-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4})?")
_DATED = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:;.*)?|[0-9]{4};.*", re.DOTALL)
_ARTICLE = re.compile(r"art\.?([0-9]+[a-z-]*)", re.IGNORECASE)
_RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_NEEDED = 2


def read_elements(work: Work, pieces: list[Piece]) -> None:
    """Fill the head and the annexes of a name from authority, measure, details, annexes."""
    if len(pieces) < _NEEDED:
        work.say("LX873", pieces[0])
        return
    if _DATED.fullmatch(pieces[1].text):
        pieces = _with_measure(work, pieces)
    authority, measure = pieces[:2]
    for piece, label in ((authority, "authority"), (measure, "type of measure")):
        if not piece.text:
            work.say("LX874", piece, label)
    if work.broken:
        return
    heads = _authority(work, authority), settled(work, measure)
    _details(work, heads, pieces[2:] or [Piece(measure.end, "")])


def _with_measure(work: Work, pieces: list[Piece]) -> list[Piece]:
    """The elements where the measure follows the authority's ``;``, as the registry knows it."""
    authority = pieces[0].text
    first, _, last = authority.rpartition(";")
    if not first or last not in work.speech.measures or last in work.speech.bodies:
        work.say("LX875", pieces[1])
        return pieces
    at = len(first)
    work.change("LX834", pieces[0].at(at, authority[at:]), f":{last}")
    return [pieces[0].at(0, first), pieces[0].at(at + 1, last), *pieces[1:]]


def _authority(work: Work, piece: Piece) -> str:
    """The authority; LexML's joint issuers are parted by commas."""
    if work.nir or "," not in piece.text:
        return settled(work, piece)
    work.change("LX818", piece, piece.text.replace(",", "+"))
    return "+".join(settled(work, each) for each in cut(piece, ","))


def _details(work: Work, heads: tuple[str, str], pieces: list[Piece]) -> None:
    """Details and annexes, or the full name of a short reference."""
    if is_plain(work, pieces[0]):
        _write(work, (*heads, pieces[0].text))
        _annexes(work, pieces[1:])
        return
    when, semicolon, numbers = pieces[0].text.partition(";")
    dates = pieces[0].at(0, when)
    number = pieces[0].at(len(when) + 1, numbers)
    if not semicolon and _is_number(when, pieces[1:2]):
        colon = Piece(dates.end, f":{pieces[1].text}")
        work.change("LX826", colon, f";{pieces[1].text}")
        number, pieces = pieces[1], pieces[1:]
    elif not numbers or _ARTICLE.fullmatch(numbers):
        _reference(work, heads, dates, number if numbers else None, pieces)
        return
    number, *more = cut(number, ";")
    text = read_when(work, dates)
    _write(work, (*heads, f"{text};{read_number(work, number)}"))
    _behind_number(work, more)
    _annexes(work, pieces[1:])


def _is_number(when: str, following: list[Piece]) -> bool:
    """Whether what follows a date without number is its number."""
    return bool(
        following and _WHEN.fullmatch(when) and NUMBER_BEHIND_COLON.fullmatch(following[0].text)
    )


def _reference(
    work: Work, heads: tuple[str, str], dates: Piece, article: Piece | None, pieces: list[Piece]
) -> None:
    """A reference without number: whole where the registry has its name, else broken."""
    names = [name for name in work.speech.reference(*heads) if _agrees(name, dates.text)]
    if len(names) != 1:
        _unknown(work, dates, article)
        return
    if article is not None:
        work.change("LX830", article, f"~{article.text}")
        work.parts.partition = article.text
    short = Piece(dates.start, dates.text)
    full = str(names[0].work)
    work.change("LX829", short, full, f'the short reference "{":".join((*heads, dates.text))}"')
    _write(work, tuple(full.split(":")))
    _annexes(work, pieces[1:])


def _agrees(name: Name, when: str) -> bool:
    """Whether what is given of a date is the date of a name."""
    details = name.work.details
    dates = [date.iso for date in details.dates] or [details.period or ""]
    return not when or any(when in {date, date[:4]} for date in dates)


def _unknown(work: Work, dates: Piece, article: Piece | None) -> None:
    """Say what is missing of a reference that nobody knows."""
    if article is not None:
        work.say("LX884", article)
    elif not dates.text:
        work.say("LX876", dates)
    else:
        noted = len(work.findings)
        read_when(work, dates)
        work.findings[noted:] = filter(is_error, work.findings[noted:])
        work.say("LX877", Piece(dates.end, ""))


def _behind_number(work: Work, pieces: list[Piece]) -> None:
    """What follows the number behind a ``;``: an annex, or a rectification in LexML."""
    if not pieces:
        return
    if not work.nir and _RECTIFICATION.fullmatch(pieces[-1].text):
        work.change("LX828", pieces[-1], f"@{pieces[-1].text}")
        work.parts.events.append(pieces.pop().text)
    if work.nir:
        whole = Piece(pieces[0].start, ";".join(each.text for each in pieces))
        _component(work, whole, 'the ";" before the annex')
        return
    for piece in pieces:
        _component(work, piece, None)


def _component(work: Work, piece: Piece, lost: str | None) -> None:
    """An annex behind a ``;``; LexML parts its title by a comma."""
    text = piece.text if work.nir else piece.text.replace(",", ";")
    if text.partition(";")[0].partition(".")[0] not in work.speech.annexes:
        work.say("LX883", piece)
        return
    work.change("LX827", piece, f":{text}", lost)
    work.parts.annexes.append(settled(work, Piece(piece.start, text)))


def _annexes(work: Work, pieces: list[Piece]) -> None:
    if pieces and not pieces[-1].text:
        work.change("LX814", Piece(pieces[-1].start - 1, ":"), "")
        pieces = pieces[:-1]
    for piece in pieces:
        if not piece.text:
            work.say("LX874", piece, "annex")
        work.parts.annexes.append(settled(work, piece))


def _write(work: Work, elements: tuple[str, ...]) -> None:
    work.parts.head = ":".join((work.parts.head, *elements))
