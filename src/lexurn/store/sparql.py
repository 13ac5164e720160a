"""SPARQL texts, read before an engine sees them: form, parameters, calls to other servers.

The scanner tells strings, IRIs, names and comments from words (SPARQL 1.1 section 19). Engines read
keywords differently from the standard and from each other (``SERVICESILENT``, ``trueSERVICE``). So
a text with the letters of SERVICE or LOAD anywhere counts as a call, also if they are escaped.
"""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.errors import CatalogueError
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ESCAPE: Final = r"\\[_~.\-!$&'()*+,;=/?#@%]"
_TOKEN: Final = rf"""(?xs)
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
    """
"""Pattern of a piece of a SPARQL text, compiled with the first text; all pieces are the whole text.

A quote after a lone backslash is a mark with it. So unclosed strings of a kind never overlap, and
any text is read in linear time.
"""

_PROLOGUE: Final = {"BASE": 2, "PREFIX": 3, "VERSION": 2}


class Token(NamedTuple):
    """Piece of a text that is neither blank nor a comment.

    Attributes:
        kind: the group of `_TOKEN`.
        text: its text.
        depth: the number of open brackets around it.
    """

    kind: str
    text: str
    depth: int


def split_tokens(text: str) -> Iterator[Token]:
    """Yield the pieces of a text, without blanks and comments."""
    depth = 0
    for match in re.finditer(_TOKEN, text):
        kind, written = match.lastgroup or "mark", match[0]
        if kind == "space":
            continue
        if kind != "mark":
            yield Token(kind, written, depth)
            continue
        depth -= written in ")]}"
        yield Token(kind, written, depth)
        depth += written in "([{"


def list_undeclared_prefixes(text: str) -> list[str]:
    """List the prefixes that a text uses and does not declare: ``foaf:``; each once, in order."""
    tokens = [*split_tokens(text)]
    declared = {"_:"}
    used: dict[str, None] = {}
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.kind == "name":
            prefix = token.text[: token.text.index(":") + 1]
            if before is not None and before.text.upper() == "PREFIX":
                declared.add(prefix)
            elif prefix not in declared:
                used[prefix] = None
    return [prefix for prefix in used if prefix not in declared]


_CALL: Final = compile_late("service|load", re.IGNORECASE)
# Some engines read a sign as the first digit.
_ESCAPED: Final = compile_late(
    r"\\u(\+[0-9a-fA-F]{3}|[0-9a-fA-F]{4})|\\U(\+[0-9a-fA-F]{7}|[0-9a-fA-F]{8})"
)

LONGEST_QUERY: Final = 1 << 20
"""Maximum length of a text, in characters."""

_SHORT: Final = 1 << 14
_UPDATE_WORDS: Final = frozenset(
    {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}
)
_GRAPH_WORDS: Final = frozenset({"GRAPH", "WITH", "USING", "FROM", "NAMED", "ALL"})
_NO_FORM: Final = (
    "The query is not SPARQL: it begins with none of SELECT, ASK, CONSTRUCT, DESCRIBE "
    "(after PREFIX and BASE)."
)


class QueryForm(StrEnum):
    """Form of a SPARQL text."""

    SELECT = "select"
    ASK = "ask"
    CONSTRUCT = "construct"
    DESCRIBE = "describe"
    UPDATE = "update"


class QueryScan(NamedTuple):
    """Properties of a SPARQL text.

    Attributes:
        form: its form.
        calls_out: True if the letters of SERVICE or LOAD stand anywhere in it. An engine that
            reads it might ask another server, or read a file.
        says_graph: True if it names graphs anywhere.
        has_dataset: True if it names its graphs with FROM or FROM NAMED.
        parameters: the variables written with ``$``, without it; each once, in order.
        is_cut: True if it has a LIMIT of its own for the whole, or ends with VALUES.
        depth: the depth of its brackets.
        size: the number of its tokens.
    """

    form: QueryForm
    calls_out: bool
    says_graph: bool
    has_dataset: bool
    parameters: tuple[str, ...]
    is_cut: bool
    depth: int
    size: int


def scan_query(text: str) -> QueryScan:
    """Read a SPARQL text as far as it must be understood before it is run.

    Raises:
        CatalogueError: it is neither a query nor an update, is too long, or is not UTF-8.
    """
    return _scan_short_text(text) if len(text) <= _SHORT else _scan_text(text)


def _scan_text(text: str) -> QueryScan:
    if len(text) > LONGEST_QUERY:
        raise CatalogueError(f"The query is longer than {LONGEST_QUERY:,} characters.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise CatalogueError("The query is not UTF-8.")

    def decode(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return chr(code) if code <= sys.maxunicode else match[0]

    every = list(split_tokens(text))
    start = 0
    while start < len(every) and every[start].text.upper() in _PROLOGUE:
        start += _PROLOGUE[every[start].text.upper()]
    tokens = every[start:]
    words = {token.text.upper() for token in tokens if token.kind == "word"}
    first = tokens[0].text if tokens else ""
    try:
        form = QueryForm.UPDATE if words & _UPDATE_WORDS else QueryForm(first.lower())
    except ValueError:
        raise CatalogueError(_NO_FORM) from None
    parameters = (t.text[1:] for t in tokens if t.kind == "variable" and t.text[0] == "$")
    return QueryScan(
        form=form,
        calls_out=_CALL.search(_ESCAPED.sub(decode, text)) is not None,
        says_graph=not words.isdisjoint(_GRAPH_WORDS),
        has_dataset="FROM" in words,
        parameters=tuple(dict.fromkeys(parameters)),
        is_cut=any(t.depth == 0 and t.text.upper() in {"LIMIT", "VALUES"} for t in tokens),
        depth=max((token.depth for token in tokens), default=0),
        size=len(every),
    )


# Short queries are asked again and again, and scanning takes longer than running them.
_scan_short_text = lru_cache(maxsize=256)(_scan_text)


def has_dataset_clause(text: str) -> bool:
    """Return whether a text names its graphs with FROM or FROM NAMED; refuse nothing."""
    if "from" not in text.lower():
        return False
    return _has_short_from(text) if len(text) <= _SHORT else _has_from(text)


def _has_from(text: str) -> bool:
    return any(each.kind == "word" and each.text.upper() == "FROM" for each in split_tokens(text))


_has_short_from = lru_cache(maxsize=256)(_has_from)


def bind_parameters(text: str, terms: Mapping[str, str]) -> str:
    """Return a SPARQL text with terms in place of its parameters.

    Args:
        text: the text.
        terms: for each parameter (without ``$``) a term as SPARQL writes it. ``?x`` stays a
            variable, and so does ``$x`` without a term.
    """
    return "".join(
        piece if (term := terms.get(name)) is None else f" {term} "
        for piece, name in _split_at_parameters(text)
    )


@lru_cache(maxsize=256)
def _split_at_parameters(text: str) -> tuple[tuple[str, str], ...]:
    """Split a text into pieces: each parameter with its name, and what is between, with ``""``."""
    pieces: list[tuple[str, str]] = []
    start = 0
    for match in re.finditer(_TOKEN, text):
        if match.lastgroup == "variable" and match[0][0] == "$":
            pieces += [(text[start : match.start()], ""), (match[0], match[0][1:])]
            start = match.end()
    return (*pieces, (text[start:], ""))


def add_limit(text: str, found: QueryScan, most: int) -> str:
    """Return a query that gives at most ``most`` rows, if SPARQL can express it.

    LIMIT counts solutions, and one may give no triple. So a query for a graph stays as it is, and
    so does one with a limit of its own: the reader of the answer stops.
    """
    if found.is_cut or found.form is not QueryForm.SELECT:
        return text
    return f"{text}\nLIMIT {most}"
