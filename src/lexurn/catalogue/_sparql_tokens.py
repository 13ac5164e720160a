"""The words of a SPARQL text: strings, IRIs, names, variables and comments told from the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["TOKEN", "Token", "prologue_of", "tokens_of"]

_ESCAPE: Final = r"\\[_~.\-!$&'()*+,;=/?#@%]"
TOKEN: Final = re.compile(
    rf"""
    (?P<space>[ \t\r\n]+|\#[^\r\n]*)
  | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|\\u[0-9a-fA-F]{{4}}|\\U[0-9a-fA-F]{{8}})*>)
  | (?P<text>"{{3}}(?:"{{0,2}}(?:[^"\\]|\\.))*"{{3}} | '{{3}}(?:'{{0,2}}(?:[^'\\]|\\.))*'{{3}}
           | "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*')
  | (?P<variable>[?$]\w+)
  | (?P<name>(?:[^\W\d][\w.\-]{{0,99}})?:(?:(?:[\w:%]|{_ESCAPE})(?:[\w.:%\-]|{_ESCAPE})*)?)
  | (?P<tag>@[a-zA-Z][a-zA-Z0-9\-]*)
  | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<mark>\\["']|.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""A piece of a SPARQL text; together they are the whole text.

A quote behind a lone backslash is a mark with it: so no two strings of a kind that are never closed
overlap, and any text is read in linear time.
"""

_PROLOGUE: Final = {"BASE": 2, "PREFIX": 3, "VERSION": 2}


class Token(NamedTuple):
    """A piece of a text that is neither blank nor a comment.

    Attributes:
        kind: which group of `TOKEN` it is.
        text: as it is written.
        depth: how many brackets are open around it.
        place: where in the text it begins.
    """

    kind: str
    text: str
    depth: int
    place: int


def tokens_of(text: str) -> Iterator[Token]:
    """The pieces of a text, without blanks and comments."""
    depth = 0
    for match in TOKEN.finditer(text):
        kind, written, place = match.lastgroup or "mark", match[0], match.start()
        if kind == "space":
            continue
        if kind != "mark":
            yield Token(kind, written, depth, place)
            continue
        depth -= written in ")]}"
        yield Token(kind, written, depth, place)
        depth += written in "([{"


def prologue_of(tokens: Sequence[Token]) -> int:
    """How many tokens BASE and PREFIX take."""
    place = 0
    while place < len(tokens) and tokens[place].text.upper() in _PROLOGUE:
        place += _PROLOGUE[tokens[place].text.upper()]
    return place
