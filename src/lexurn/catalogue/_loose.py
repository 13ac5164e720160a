"""Names with elements left out (RFC 9676 10.3): at least jurisdiction, date or year, and number.

Without a number an act is asked for by its full date (6.3.1 knows acts that have none).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._asked import Asked, asked_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["loosely"]

_TAIL: Final = re.compile(r"[@$~?#]")
_MONTH: Final = re.compile(r"([0-9]{4})-[0-9]{2}(?=;)")
_YEAR: Final = re.compile(r"[0-9]{4}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2};?")
_YEAR_BEHIND: Final = re.compile(r"[-/]((?:1[0-9]|20)[0-9]{2})\Z")
_DIGIT: Final = re.compile(r"[0-9]")
_DETAILS_BEHIND: Final = 3
_STAND_IN: Final = "x"


def loosely(text: str) -> Iterator[Asked]:
    """What a text with elements left out asks for: at least jurisdiction, year and number."""
    if not text.lower().startswith("urn:lex:"):
        return
    rest = text[len("urn:lex:") :]
    tail = _TAIL.search(rest)
    end = len(rest) if tail is None else tail.start()
    jurisdiction, *pieces = rest[:end].split(":")
    place = _place_of_details(pieces)
    if place is None:
        return
    behind = "".join(f":{piece}" for piece in pieces[place + 1 :]) + rest[end:]
    is_numberless = _DAY.fullmatch(pieces[place]) is not None
    details, prefix = _dated(_details_in(pieces[place]))
    for authority, measure in _heads(pieces[:place]):
        head = f"{authority or _STAND_IN}:{measure or _STAND_IN}"
        name = check(f"urn:lex:{jurisdiction}:{head}:{details}{behind}").name
        if name is not None:
            given = {"authority": authority, "measure": measure, "numbers": not is_numberless}
            yield replace(
                asked_of(name),
                missing=frozenset(part for part, is_given in given.items() if not is_given),
                prefix=prefix or asked_of(name).prefix,
            )


def _place_of_details(pieces: list[str]) -> int | None:
    """Where date and number stand: the first piece with a year and a ``;``, else the last.

    The year may stand behind the number, or a date alone; neither has a ``;`` then.
    """
    first = list(enumerate(pieces[:_DETAILS_BEHIND]))
    places = [at for at, piece in first if ";" in piece]
    dated = [at for at in places if _YEAR.match(pieces[at])]
    bare = [at for at, piece in first if at and _is_bare(piece)]
    return next(iter(dated or bare or places[-1:]), None)


def _is_bare(piece: str) -> bool:
    return _year_behind(piece) is not None or _DAY.fullmatch(piece) is not None


def _year_behind(piece: str) -> str | None:
    """The year behind a number, ``8112/1990``."""
    found = _YEAR_BEHIND.search(piece)
    if found is None or ";" in piece or _DIGIT.search(piece, 0, found.start()) is None:
        return None
    return found[1]


def _details_in(piece: str) -> str:
    """Details with a number, and its year in front: it may stand behind it (``lei:8112/1990``)."""
    if _DAY.fullmatch(piece):
        return f"{piece.rstrip(';')};{_STAND_IN}"
    year = _year_behind(piece)
    plain = piece.replace("/", "-")
    return plain if year is None else f"{year};{plain}"


def _dated(details: str) -> tuple[str, str | None]:
    """Details that can be read, and the month that stood for their date."""
    month = _MONTH.match(details)
    if month is None:
        return details, None
    return details[: month.end(1)] + details[month.end() :], month[0]


def _heads(pieces: list[str]) -> Iterator[tuple[str, str]]:
    """Authority and measure that may be meant by what stands before the details."""
    if len(pieces) == 1:
        yield "", pieces[0]
        yield pieces[0], ""
        return
    yield (pieces[0], pieces[1]) if pieces else ("", "")
