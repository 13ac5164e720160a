"""SPARQL texts, read before an engine sees them: form, parameters, calls to other servers.

This is no parser: it tells strings, IRIs, names and comments from words, as SPARQL 1.1 section 19
has them. Engines read keywords differently from the standard and from each other
(``SERVICESILENT``, ``?s ?p trueSERVICE``). So a text with the letters of SERVICE or LOAD anywhere
counts as a call; letters of ASCII written as escapes are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

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


def split_tokens(text: str) -> Iterator[Token]:
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


def count_prologue_tokens(tokens: Sequence[Token]) -> int:
    """How many tokens BASE and PREFIX take."""
    place = 0
    while place < len(tokens) and tokens[place].text.upper() in _PROLOGUE:
        place += _PROLOGUE[tokens[place].text.upper()]
    return place


_CALL: Final = re.compile("service|load", re.IGNORECASE)

LONGEST_QUERY: Final = 1 << 20
"""The longest text that is taken, in characters."""

_SHORT: Final = 1 << 14
_ESCAPED_ASCII = re.compile(
    r"\\u00[0-7][0-9a-fA-F]|\\U000000[0-7][0-9a-fA-F]|\\u017[fF]|\\U0000017[fF]"
)
_SIGNED: Final = re.compile(r"\\[uU]\+")  # some engines read a number with a sign
_SURROGATE = re.compile("[\ud800-\udfff]")
_FROM = re.compile("from", re.IGNORECASE)
_UPDATE_WORDS: Final = frozenset(
    {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}
)
_GRAPH_WORDS: Final = frozenset({"GRAPH", "WITH", "USING", "FROM", "NAMED", "ALL"})
_NO_FORM: Final = (
    "the query is no SPARQL: it begins with none of SELECT, ASK, CONSTRUCT, DESCRIBE "
    "(after PREFIX and BASE)"
)


class QueryForm(StrEnum):
    """What a SPARQL text asks for."""

    SELECT = "select"
    ASK = "ask"
    CONSTRUCT = "construct"
    DESCRIBE = "describe"
    UPDATE = "update"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryScan:
    """What a SPARQL text is.

    Attributes:
        form: what it asks for.
        calls_out: whether the letters of SERVICE or LOAD stand anywhere in it: an engine that
            reads it might ask another server, or read a file.
        says_graph: whether it says anywhere which graphs it is about.
        datasets: the IRIs behind FROM and FROM NAMED, as they are written.
        parameters: the variables that are written with ``$``, without it; each once, in order.
        is_cut: whether it has a LIMIT of its own for the whole, or ends with VALUES.
        depth: how deep its brackets are nested.
        size: how many words, names, marks and so on it has.
    """

    form: QueryForm
    calls_out: bool
    says_graph: bool
    datasets: tuple[str, ...]
    parameters: tuple[str, ...]
    is_cut: bool
    depth: int
    size: int


def scan_query(text: str) -> QueryScan:
    """Read a SPARQL text as far as it must be understood before it is run.

    Raises:
        CatalogueError: it is neither a query nor an update, is too long, or hides what it says.
    """
    return _scan_short_text(text) if len(text) <= _SHORT else _scan_text(text)


def _scan_text(text: str) -> QueryScan:
    _refuse_hidden_text(text)
    every = list(split_tokens(text))
    prologue = count_prologue_tokens(every)
    tokens = every[prologue:]
    form = _find_form(tokens)
    words = {token.text.upper() for token in tokens if token.kind == "word"}
    if form is not QueryForm.UPDATE and words & _UPDATE_WORDS:
        form = QueryForm.UPDATE
    parameters = (t.text[1:] for t in tokens if t.kind == "variable" and t.text[0] == "$")
    return QueryScan(
        form=form,
        calls_out=_CALL.search(text) is not None,
        says_graph=not words.isdisjoint(_GRAPH_WORDS),
        datasets=tuple(_find_datasets(tokens)),
        parameters=tuple(dict.fromkeys(parameters)),
        is_cut=any(t.depth == 0 and t.text.upper() in {"LIMIT", "VALUES"} for t in tokens),
        depth=max((token.depth for token in tokens), default=0),
        size=len(every),
    )


# The same short questions are asked again and again, and take less time than this reading of them.
_scan_short_text = lru_cache(maxsize=256)(_scan_text)


def has_dataset_clause(text: str) -> bool:
    """Whether a text says with FROM or FROM NAMED which graphs it asks; it is not refused here."""
    if _FROM.search(text) is None:
        return False
    return any(each.kind == "word" and each.text.upper() == "FROM" for each in split_tokens(text))


def bind_parameters(text: str, terms: Mapping[str, str]) -> str:
    """A SPARQL text with terms in the place of parameters.

    Args:
        text: the text.
        terms: for each parameter (without ``$``) a term as SPARQL writes it. What is written
            ``?x`` stays a variable, and so does ``$x`` where no term is given for it.
    """
    parts: list[str] = []
    for match in TOKEN.finditer(text):
        token = match[0]
        is_parameter = match.lastgroup == "variable" and token[0] == "$"
        term = terms.get(token[1:]) if is_parameter else None
        parts.append(token if term is None else f" {term} ")
    return "".join(parts)


def add_limit(text: str, found: QueryScan, most: int) -> str:
    """A query that gives at most ``most`` rows, if it can be said in SPARQL.

    Of a query for a graph it would count the solutions, and one may give no triple; and a query
    with a limit of its own stays as it is: whoever reads the answer stops there.
    """
    if found.is_cut or found.form is not QueryForm.SELECT:
        return text
    return f"{text}\nLIMIT {most}"


def _refuse_hidden_text(text: str) -> None:
    r"""Refuse texts whose words cannot be seen.

    Section 19.2 of SPARQL 1.1 puts ``\u0053`` for any letter anywhere; some engines read it so,
    others only in strings.

    Raises:
        CatalogueError: the text is too long, or writes letters or marks of ASCII as escapes.
    """
    if len(text) > LONGEST_QUERY:
        raise CatalogueError(f"the query is longer than {LONGEST_QUERY:,} characters")
    if _SIGNED.search(text) is not None:
        raise CatalogueError("the query writes \\u+, which is no escape; write the letter itself")
    hidden = _ESCAPED_ASCII.search(text)
    if hidden is not None:
        plain = hidden[0].encode().decode("unicode_escape")
        raise CatalogueError(f"the query writes {hidden[0]}; write {plain!r} itself instead")
    if _SURROGATE.search(text) is not None:
        raise CatalogueError("the query holds bytes that are no UTF-8")


def _find_form(tokens: Sequence[Token]) -> QueryForm:
    """The form, by the first word behind the prologue.

    Raises:
        CatalogueError: it is none that a query or an update begins with.
    """
    word = tokens[0].text if tokens else ""
    if word.upper() in _UPDATE_WORDS:
        return QueryForm.UPDATE
    try:
        return QueryForm(word.lower())
    except ValueError:
        raise CatalogueError(_NO_FORM) from None


def _find_datasets(tokens: Sequence[Token]) -> Iterator[str]:
    """What stands behind FROM and FROM NAMED."""
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.text.upper() == "FROM":
            behind = tokens[place + 1 : place + 3]
            if behind and behind[0].text.upper() == "NAMED":
                behind = behind[1:]
            yield from (each.text for each in behind[:1] if each.kind in {"iri", "name"})
