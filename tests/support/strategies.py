"""Hypothesis strategies for LEX names over the whole space of RFC 9676 section 8, and near misses.

``name_texts()`` draws valid names as text (both readings unless asked otherwise), ``names()`` the
same as `Name`, ``near_names()`` texts that are one or a few edits away from a name.
"""

from __future__ import annotations

import calendar
from functools import cache

from hypothesis import strategies as st

from lexurn.name import Name, parse

__all__ = ["languages", "name_texts", "names", "near_names", "partitions", "work_texts"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LETTERS.upper()
_DIGITS = "0123456789"
# Letters of many scripts, with and without case, one to four octets each.
_ENCODED = tuple("àéñößşčΩςσДяאبक国𐐀𐐨İḀắ")
_SIGNS = "-_'=()"
# What mutations insert: separators, reserved and forbidden signs, octets, odd characters.
_ODD = (
    *":;@$+,~|*!/?#.-_'=()%&",
    *'"<>[]{}^`\\ \t\r\n\0\x7f',
    *"àД国𐐀\u202e\u200d\ufeff\u00a0\u037e\u212a\ud800",
    "%", "%4", "%GG", "%00", "%0A", "%7F", "%C2%85", "%E2%80%AE", "%C3", "%C0%AF", "%ED%A0%80",
    "%F0%9F%98", "%41", "%2F", "%7C", "%C3%A9", "%E2%82%AC", "%EF%BC%A1", "e%CC%81",
    "?+", "?=", "?+a", "?=b", "#c", "..", "::", ";;", ",,", "~~", "0", "a", "Z",
)  # fmt: skip


def _encoded(characters: str) -> str:
    return "".join(f"%{octet:02X}" for octet in characters.encode())


def _texts(signs: str, *, fewest: int = 0, most: int = 6) -> st.SearchStrategy[str]:
    """``*(alfanum / signs)``: a text that is drawn at once, with octets and signs to stand for."""
    octets = [_encoded(character) for character in _ENCODED]
    stand_ins = [*octets, *map(str.lower, octets), *(signs * (1 + 20 // len(signs)))]
    table = {0xE000 + number: text for number, text in enumerate(stand_ins)}
    alphabet = _LETTERS + _UPPER + _DIGITS + "".join(map(chr, table))
    return st.text(alphabet, min_size=fewest, max_size=most).map(lambda text: text.translate(table))


_letter = st.sampled_from(
    [*_LETTERS, *_DIGITS, *_UPPER, *(_encoded(character) for character in _ENCODED * 2)]
)


def _words(signs: str) -> st.SearchStrategy[str]:
    """``alfanum *(alfanum / signs)``."""
    common = st.text(_LETTERS, min_size=1, max_size=8)
    return common | st.builds(str.__add__, _letter, _texts("." + signs))


_alf_dot, _alf_dot_hyp, _alf_dot_oth = _words(""), _words("-"), _words(_SIGNS)


# Strategies are made once, for the whole module: to make and validate one takes longer than a draw.
_years = st.integers(1, 9999) | st.integers(1800, 2030)
_months = st.integers(1, 12)


@st.composite
def _days(draw: st.DrawFn) -> str:
    year = draw(_years)
    month = draw(_months)
    day = draw(st.integers(1, calendar.monthrange(year, month)[1]))
    return f"{year:04}-{month:02}-{day:02}"


_local = _texts("." + _SIGNS)
_dates = _days() | st.builds("{}|{}".format, _days(), _local)


def _joined(
    separator: str, head: st.SearchStrategy[str], *, most: int = 3
) -> st.SearchStrategy[str]:
    return st.lists(head, min_size=1, max_size=most).map(separator.join)


def _series(head: st.SearchStrategy[str], rest: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda first, more: ";".join((first, *more)), head, st.lists(rest, max_size=2))


_codes = st.sampled_from(("it", "fr", "br", "ch", "eu", "un.org", "IT", "eec.lex.arpa", "zz")) | (
    st.builds(
        "{}{}".format, st.sampled_from(_LETTERS), _alf_dot.filter(lambda w: w[-1] != ".")
    ).filter(lambda code: any(c.isalnum() for c in code[1:]))
)
_numbers = st.integers(1, 99999).map("lex-{}".format) | _joined(",", _alf_dot_oth)
_periods = _alf_dot | st.integers(1, 30).map("{}.legislature".format)


_details = st.builds("{};{}".format, _joined(",", _dates) | _periods, _numbers)
_jurisdictions = _series(_codes, _alf_dot)
_alf_dot_series = _series(_alf_dot, _alf_dot)
_authorities = _joined("+", _alf_dot_series, most=2)
_annexes = st.lists(_alf_dot_series, max_size=2)


@st.composite
def work_texts(draw: st.DrawFn) -> str:
    """Names of works, annexes among them."""
    details = draw(_details)
    elements = (
        draw(_jurisdictions),
        draw(_authorities),
        draw(_alf_dot_series),
        details,
        *draw(_annexes),
    )
    return "urn:lex:" + ":".join(elements)


@cache
def languages(*, printed: bool = False) -> st.SearchStrategy[str]:
    """Language tags; ``printed``: only those that section 8 has room for."""
    three = st.text(_LETTERS, min_size=3, max_size=3)
    short = st.text(_LETTERS + _UPPER, min_size=2, max_size=3)
    extended = st.builds("{}-{}".format, short, _joined("-", three))
    tags = st.sampled_from(("it", "de", "zh-cmn")) | short | extended
    tags |= st.text(_LETTERS, min_size=4, max_size=8)
    if printed:
        return tags
    return tags | st.sampled_from(
        ("de-CH", "zh-Hant-TW", "sr-Latn", "es-419", "sl-rozaj-biske", "en-a-bbb", "x-own", "i-lux")
    )


@cache
def partitions() -> st.SearchStrategy[str]:
    """What may stand behind ``~``."""
    some = st.sampled_from(("art1", "art15;par3", "Art_2;b"))
    return some | _texts(".-_;:,='()+", fewest=1, most=8)


@cache
def _versions() -> st.SearchStrategy[str]:
    first = _dates | st.just("original") | _alf_dot
    return st.builds("@{}".format, _series(first, _dates | _alf_dot))


@cache
def _language_elements(*, printed: bool) -> st.SearchStrategy[str]:
    return st.just("") | languages(printed=printed).map(":{}".format)


@cache
def _manifestations(*, printed: bool) -> st.SearchStrategy[str]:
    specification = _alf_dot if printed else _alf_dot_hyp
    elements = _joined(":", _series(_alf_dot_hyp, specification), most=4)
    return elements.filter(lambda some: ":" in some).map("${}".format)


@st.composite
def name_texts(draw: st.DrawFn, *, reading: str = "text", tails: bool = True) -> str:
    """Valid names of every level, as text, with r-, q- and f-components if ``tails``."""
    printed = reading == "grammar"
    text = draw(work_texts())
    if draw(st.booleans()):
        text += draw(_versions()) + draw(_language_elements(printed=printed))
    if draw(st.booleans()):
        text += draw(_manifestations(printed=printed))
    if draw(st.booleans()):
        text += "~" + draw(partitions())
    return text + draw(_tails()) if tails else text


@cache
def _tails() -> st.SearchStrategy[str]:
    component = st.text(_LETTERS + _DIGITS + "-.:=&", min_size=1, max_size=5)
    return st.just("") | st.builds(
        "{}{}{}".format,
        st.just("") | component.map("?+{}".format),
        st.just("") | component.map("?={}".format),
        st.just("") | component.map("#{}".format),
    )


@cache
def names(*, reading: str = "text", tails: bool = True) -> st.SearchStrategy[Name]:
    """Names of every level."""
    return name_texts(reading=reading, tails=tails).map(parse)


@st.composite
def near_names(draw: st.DrawFn) -> str:
    """Texts one to three edits away from a name: something replaced, inserted or dropped."""
    text = draw(name_texts())
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 3)))
        text = text[:at] + draw(st.just("") | st.sampled_from(_ODD)) + text[end:]
    return text
