r"""Whether a SPARQL text may make an engine ask another server, or read a file.

An engine need not read a text as section 19 of SPARQL 1.1 has it: Oxigraph asks for no blank
behind a keyword (``SERVICESILENT``, ``?s ?p trueSERVICE``), takes ``a:`` from ``a:b`` where the two
make no IRI, ends a local name at its second dot, and two strings for a long one with a wrong
escape. So nothing is said here of what an engine sees: the letters of SERVICE and LOAD may stand
only where no reading makes a keyword of them, and in a text without anything that two readers
could take for different things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._sparql_tokens import Token

__all__ = ["may_call", "names_calls"]

_CALLING: Final = re.compile("service|load", re.IGNORECASE)
_HIERARCHICAL: Final = re.compile(r"<[a-zA-Z][a-zA-Z0-9+.\-]*://")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]")
_STRING: Final = re.compile(r"(?:[^\\]|\\[tbnrf\"'\\])*")
_SURE: Final = {
    "iri": re.compile(".*"),
    "text": re.compile(".*", re.DOTALL),
    "variable": re.compile("[?$][A-Za-z0-9_]+"),
    "tag": re.compile("@[A-Za-z]+(?:-[A-Za-z0-9]+)*"),
    "name": re.compile(r"[^:]*:(?:[A-Za-z0-9_][A-Za-z0-9_\-]*)?\.?"),
}
_BLANK: Final = " \t\r\n"
_BEFORE: Final = _BLANK + "(){}[],;/|^!*+=&>"
_BEHIND: Final = _BLANK + "(){}[],;/|^!*+=&<?"


def names_calls(text: str) -> bool:
    """Whether the letters of SERVICE or LOAD stand anywhere in a text."""
    return _CALLING.search(text) is not None


def may_call(text: str, tokens: Sequence[Token], prologue: int) -> bool:
    """Whether any reader could see SERVICE or LOAD in a text.

    Args:
        text: the text, with no letter of ASCII written as an escape.
        tokens: its pieces.
        prologue: how many of them BASE and PREFIX take.
    """
    if not names_calls(text):
        return False
    if _CONTROL.search(text) is not None or _is_odd_prologue(tokens[:prologue]):
        return True
    if any(_is_odd(text, token) for token in tokens[prologue:]):
        return True
    whole = _whole_prefixes(tokens)
    left = (" " if _is_sure(text, token, whole) else token.text for token in tokens[prologue:])
    return names_calls("".join(left))


def _is_odd_prologue(tokens: Sequence[Token]) -> bool:
    return any(token.kind not in {"word", "name", "iri"} for token in tokens)


def _is_odd(text: str, token: Token) -> bool:
    r"""Whether two readers could take a piece, or what comes behind it, for different things.

    In ``?a <?b#c> ...`` one sees an IRI, another "less than", ``?b`` and a comment: behind it
    strings begin elsewhere. So they may behind a lone backslash or quote, behind ``<'x>``, and
    where a string has an escape that some refuse, or another string at its end.
    """
    written, end = token.text, token.place + len(token.text)
    behind = text[end : end + 1]
    if token.kind == "iri":
        bare = not _HIERARCHICAL.match(written) and any(each in written for each in "#()")
        return bare or "'" in written or "\\" in written
    if token.kind == "text":
        return behind in {"'", '"'} or _STRING.fullmatch(written) is None
    if token.kind == "mark":
        return written[0] in "\\'\"" or (written == "<" and behind not in _BLANK + "=")
    return token.kind == "name" and "\\" in written


def _is_sure(text: str, token: Token, whole: frozenset[str]) -> bool:
    """Whether every reader takes a piece as it is taken here, from its first letter to its last."""
    pattern = _SURE.get(token.kind)
    if pattern is None or pattern.fullmatch(token.text) is None:
        return False
    return token.kind != "name" or _is_sure_name(text, token, whole)


def _is_sure_name(text: str, token: Token, whole: frozenset[str]) -> bool:
    """Whether nothing but a name can be seen in a name of plain letters.

    Its prefix must be known, since with ``PREFIX a: <http://x:>`` an engine sees no IRI in
    ``a:service``, but ``a:`` and then a keyword.
    """
    prefix = token.text.partition(":")[0]
    end = token.place + len(token.text)
    before, behind = text[max(0, token.place - 1) : token.place], text[end : end + 1]
    if names_calls(prefix) or prefix not in whole:
        return False
    if before not in _BEFORE:
        return False
    return behind in (_BEHIND if token.text[-1] != "." else _BLANK + "}")


def _whole_prefixes(tokens: Sequence[Token]) -> frozenset[str]:
    """The prefixes that make an IRI with any plain letters behind them; and that of blank nodes."""
    known: dict[str, bool] = {"_": True}
    for word, name, iri in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.text.upper() == "PREFIX" and name.kind == "name":
            prefix = name.text.partition(":")[0]
            known[prefix] = known.get(prefix, True) and iri.text.endswith(("/>", "#>"))
    return frozenset(prefix for prefix, is_whole in known.items() if is_whole)
