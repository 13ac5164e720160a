"""Terms of RDF as texts, written as canonical N-Triples writes them.

``<iri>``, ``_:label``, ``"text"``, ``"text"@it`` and ``"text"^^<datatype>``: equal terms are equal
texts, so that a triple is a tuple of three texts and sorting needs no thought.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import pyoxigraph

from lexurn.errors import GraphError
from lexurn.graph import _vocabulary as v

__all__ = [
    "LiteralParts",
    "Triple",
    "absolute_iri",
    "decimal",
    "is_absolute_iri",
    "is_blank",
    "is_iri",
    "is_language_tag",
    "is_literal",
    "is_storable",
    "literal",
    "parts_of",
    "quoted",
    "typed",
]

Triple = tuple[str, str, str]

# What canonical N-Triples escapes: ECHAR where there is one, else what XML 1.1 has no Char for.
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f\ufffe\uffff]')
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}
_UNESCAPE = re.compile(r"\\(?:([btnfr\"'\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")
_BOUND = 1 << 63
_LONG = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


class LiteralParts(NamedTuple):
    """What a literal is made of: its text, and its language or its datatype's IRI (or neither)."""

    value: str
    language: str | None = None
    datatype: str | None = None


def quoted(text: str) -> str:
    """The literal of a plain text.

    Raises:
        GraphError: a lone surrogate, which no encoding can carry.
    """
    if _SURROGATE.search(text):
        raise GraphError(f"{text!r} holds a lone surrogate: no character, so it cannot be written")
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(_escape, text)
    return f'"{text}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _SHORT.get(character) or f"\\u{ord(character):04X}"


def literal(text: str, language: str | None) -> str:
    """The literal of a text in a language (its tag in lower case), or in none.

    Raises:
        GraphError: no language tag, or a lone surrogate.
    """
    if language is None:
        return quoted(text)
    if not is_language_tag(language):
        raise GraphError(f"{language!r} is not a language tag (RFC 5646)")
    return f"{quoted(text)}@{language.lower()}"


@lru_cache(maxsize=4096)
def is_language_tag(text: str) -> bool:
    """Whether a text is a well-formed language tag (RFC 5646), as strict readers of RDF hold it."""
    try:
        pyoxigraph.Literal("", language=text)
    except ValueError:  # a lone surrogate is one, too
        return False
    return True


def typed(text: str, datatype: str) -> str:
    """The literal of a text with a datatype (``<iri>``); ``xsd:string`` stays unwritten."""
    return quoted(text) if datatype == v.XSD_STRING else f"{quoted(text)}^^{datatype}"


def decimal(number: int, datatype: str) -> str:
    """The literal of a whole number.

    Raises:
        GraphError: 64 bits cannot hold it.
    """
    if not is_storable(number):
        raise GraphError(f"{number} is larger than 64 bits can hold")
    return f'"{number:d}"^^{datatype}'


def is_storable(number: int) -> bool:
    """Whether 64 bits can hold a whole number: no database has more room for one."""
    return -_BOUND <= number < _BOUND


@lru_cache(maxsize=65536)
def is_absolute_iri(text: str) -> bool:
    """Whether a text is an absolute IRI (RFC 3987), as strict readers of RDF hold it to be."""
    try:
        pyoxigraph.NamedNode(text)
    except ValueError:
        return False
    return True


def absolute_iri(text: str, *, what: str) -> str:
    """The term of an absolute IRI.

    Raises:
        GraphError: it is none; ``what`` says in the message what should have been one.
    """
    if not is_absolute_iri(text):
        raise GraphError(f"{what} {text!r} is not an absolute IRI (RFC 3987)")
    return f"<{text}>"


def is_iri(term: str) -> bool:
    """Whether a term is an IRI."""
    return term[0] == "<"


def is_literal(term: str) -> bool:
    """Whether a term is a literal."""
    return term[0] == '"'


def is_blank(term: str) -> bool:
    """Whether a term is a blank node."""
    return term[0] == "_"


def parts_of(term: str) -> LiteralParts:
    """What a literal is made of.

    Raises:
        GraphError: the term is no literal as N-Triples writes it.
    """
    end = term.rfind('"')
    if end <= 0 or term[0] != '"':
        raise GraphError(f"{term} is not a literal")
    value, suffix = term[1:end], term[end + 1 :]
    if "\\" in value:
        value = _UNESCAPE.sub(_unescape, value)
    if suffix.startswith("@"):
        return LiteralParts(value, suffix[1:])
    return LiteralParts(value, None, suffix[3:-1] or None)


def _unescape(found: re.Match[str]) -> str:
    short, four, eight = found.groups()
    return _LONG.get(short, short) if short else chr(int(four or eight, 16))
