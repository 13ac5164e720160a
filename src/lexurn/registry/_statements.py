"""Where the statements of a Turtle text stand: subjects, properties and values, with their lines.

Engines keep no places. This reads the tokens of a text that an engine has found to be Turtle; what
it does not understand gets the line of what stands before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Places", "Statement", "places_of"]

_TOKEN = re.compile(
    r"""
    (?P<skip> \s+ | \#[^\n]* )
  | (?P<text> \"{3} (?: [^"\\] | \\. | \"(?!\"\") )* \"{3}
            | '{3} (?: [^'\\] | \\. | '(?!'') )* '{3}
            | \" (?: [^"\\\n] | \\. )* \" | ' (?: [^'\\\n] | \\. )* ' )
  | (?P<iri> <[^<>\s]*> )
  | (?P<mark> [;,.()\[\]{}] )
  | (?P<word> (?: \\. | [^\s<>"'\#;,()\[\]{}\\] )+ )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """All that is stated of one subject in one place.

    Attributes:
        subject: its IRI; empty for a blank node.
        start: offset of its first character.
        end: offset behind the dot.
        line: the line of the subject, from 1.
        values: predicate, text of the value, line of the value.
    """

    subject: str
    start: int
    end: int
    line: int
    values: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The statements of a text in their order, and its prefixes.

    Attributes:
        statements: in the order of the text.
        prefixes: namespaces by prefix, as at the end of the text.
        body: offset behind the last declaration of a prefix.
    """

    statements: tuple[Statement, ...]
    prefixes: dict[str, str]
    body: int

    def line_of(self, subject: str, predicate: str | None = None, value: str | None = None) -> int:
        """The line of a value, else of the property, else of the subject; else 1."""
        mine = [each for each in self.statements if each.subject == subject]
        for statement in mine:
            for stated, text, line in statement.values:
                if stated == predicate and value in (None, text):
                    return line
        return self.line_of(subject, predicate) if value else mine[0].line if mine else 1


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Reader:
    """The tokens of a text, read one after the other."""

    text: str
    prefixes: dict[str, str] = field(default_factory=dict)
    base: str = ""
    body: int = 0

    def statements(self) -> Iterator[Statement]:
        lines = [found.start() for found in re.finditer("\n", self.text)]
        pending: list[_Token] = []
        for token in self._tokens():
            pending.append(token)
            if self._declared(pending):
                self.body = token.end
                pending = []
            elif token.text == "." and token.kind == "mark":
                yield self._statement(pending, lines)
                pending = []

    def _tokens(self) -> Iterator[_Token]:
        for found in _TOKEN.finditer(self.text):
            kind, text, start = found.lastgroup or "", found[0], found.start()
            bare = text.rstrip(".") if kind == "word" else text
            if kind != "skip":
                yield _Token(kind, bare, start, start + len(bare))
            for dot in range(len(bare), len(text)):
                yield _Token("mark", ".", start + dot, start + dot + 1)

    def _declared(self, tokens: list[_Token]) -> bool:
        """Whether the tokens are a declaration; if so it is kept."""
        word = tokens[0].text.lower()
        if word.lstrip("@") not in {"prefix", "base"} or tokens[0].kind != "word":
            return False
        parts = 3 if "prefix" in word else 2
        if len(tokens) < parts + word.startswith("@"):
            return False
        iri = self.base_resolved(tokens[parts - 1].text[1:-1])
        if "prefix" in word:
            self.prefixes[tokens[1].text.removesuffix(":")] = iri
        else:
            self.base = iri
        return True

    def base_resolved(self, iri: str) -> str:
        from urllib.parse import urljoin  # noqa: PLC0415  only where there is a base

        return iri if ":" in iri or not self.base else urljoin(self.base, iri)

    def _statement(self, tokens: list[_Token], lines: list[int]) -> Statement:
        values = [
            (verb, value, bisect_right(lines, start) + 1)
            for verb, value, start in self._values(tokens[1:])
        ]
        return Statement(
            subject=self._resource(tokens[0]),
            start=tokens[0].start,
            end=tokens[-1].end,
            line=bisect_right(lines, tokens[0].start) + 1,
            values=tuple(values),
        )

    def _values(self, tokens: list[_Token]) -> Iterator[tuple[str, str, int]]:
        verb, depth, wants_verb = "", 0, True
        for token in tokens:
            if token.kind == "mark":
                depth += (token.text in "([{") - (token.text in ")]}")
                wants_verb |= depth == 0 and token.text == ";"
            elif depth == 0 and wants_verb:
                verb, wants_verb = self._resource(token), False
            elif depth == 0 and not token.text.startswith(("@", "^^")):
                yield verb, self._value(token), token.start

    def _value(self, token: _Token) -> str:
        if token.kind != "text":
            return self._resource(token)
        quotes = 3 if token.text[:3] in {'"""', "'''"} and len(token.text) > 5 else 1  # noqa: PLR2004 - two times three quotes
        return _ESCAPE.sub(_character, token.text[quotes:-quotes])

    def _resource(self, token: _Token) -> str:
        """The IRI that a token stands for; the token itself where it stands for none."""
        if token.kind == "iri":
            return self.base_resolved(_ESCAPE.sub(_character, token.text[1:-1]))
        if token.text == "a":
            return _TYPE
        prefix, colon, local = token.text.partition(":")
        if not colon or prefix not in self.prefixes:
            return "" if prefix == "_" or token.kind == "mark" else token.text
        return self.prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)


def _character(found: re.Match[str]) -> str:
    if code := found[1] or found[2]:
        return chr(int(code, 16))
    return _CHARACTERS.get(found[3], found[3])


def places_of(text: str) -> Places:
    """The places of the statements in a Turtle text."""
    reader = _Reader(text)
    statements = tuple(reader.statements())
    return Places(statements=statements, prefixes=reader.prefixes, body=reader.body)
