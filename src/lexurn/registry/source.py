"""Sources: files of the registry in Turtle, with their concepts, entries and line numbers.

RDF engines do not keep line numbers, so a small reader of tokens finds the line of each statement.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.data import read_text
from lexurn.findings import Finding, make_finding
from lexurn.registry.entries import (
    LABEL_FIELDS,
    LIST_FIELDS,
    PLAIN_FIELDS,
    REGISTRY_BASE,
    Entry,
    Label,
    read_scheme_iri,
)
from lexurn.vocabulary import DCTERMS, OWL, RDF, SKOS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.registry.entries import Kind


#: The vocabulary of the registry (``ontology/registry.ttl``).
REG = REGISTRY_BASE + "ns#"
CONCEPT = SKOS + "Concept"

#: The objects of each predicate of one subject.
Values = dict[str, list[Label]]

#: The property of each field of `Entry` that a publisher may override.
FIELD_PROPERTIES = {
    "notation": SKOS + "notation",
    "labels": SKOS + "prefLabel",
    "forms": SKOS + "altLabel",
    "abbreviations": REG + "abbreviation",
    "hidden": SKOS + "hiddenLabel",
    "translations": REG + "translation",
    "issuer": REG + "issuer",
    "body": REG + "body",
    "titled": REG + "titled",
    "qualifies": REG + "qualifies",
    "numbering": REG + "numbering",
    "name": REG + "name",
    "broader": SKOS + "broader",
    "valid_from": REG + "validFrom",
    "valid_until": REG + "validUntil",
    "obsolete": OWL + "deprecated",
    "replaced_by": DCTERMS + "isReplacedBy",
    "matches": SKOS + "exactMatch",
    "sources": DCTERMS + "source",
    "checked": REG + "checked",
    "examples": SKOS + "example",
}


def _parse_turtle(text: str) -> dict[str, Values]:
    """Parse Turtle to statements by subject and predicate, with objects as texts and languages.

    Raises:
        SyntaxError: the text is not Turtle.
    """
    from pyoxigraph import RdfFormat, parse  # noqa: PLC0415 - an engine, imported on use

    found: dict[str, Values] = {}
    for triple in parse(text, format=RdfFormat.TURTLE):
        values = found.setdefault(getattr(triple.subject, "value", ""), {})
        language = getattr(triple.object, "language", None) or ""
        label = Label(text=getattr(triple.object, "value", ""), language=language.lower())
        values.setdefault(triple.predicate.value, []).append(label)
    return found


def read_entries(text: str) -> tuple[Entry, ...]:
    """Read the entries of law and words in a Turtle text, sorted by IRI.

    Raises:
        SyntaxError: the text is not Turtle.
    """
    subjects = _parse_turtle(text)
    listed = ((iri, _first_text(values, SKOS + "notation")) for iri, values in subjects.items())
    notations = {iri: notation for iri, notation in listed if notation is not None}
    found = (make_entry(iri, values, notations) for iri, values in subjects.items())
    return tuple(sorted(filter(None, found), key=lambda each: each.iri))


def make_entry(iri: str, values: Values, notations: Mapping[str, str]) -> Entry | None:
    """Make the entry of a subject, None if the subject is not an entry.

    Args:
        iri: the subject.
        values: its statements.
        notations: notations by IRI, for the replacement of the entry.
    """
    scheme = read_scheme_iri(_first_text(values, SKOS + "inScheme") or "")
    notation = _first_text(values, SKOS + "notation")
    if scheme is None or notation is None:
        return None
    given: dict[str, Any] = {
        name: tuple(sorted(values.get(FIELD_PROPERTIES[name], ()))) for name in LABEL_FIELDS
    }
    given |= {name: _list_texts(values, FIELD_PROPERTIES[name]) for name in LIST_FIELDS}
    given |= {name: _first_text(values, FIELD_PROPERTIES[name]) for name in PLAIN_FIELDS}
    for name in ("titled", "obsolete"):
        given[name] = "true" in _list_texts(values, FIELD_PROPERTIES[name])
    given["replaced_by"] = notations.get(given["replaced_by"] or "")
    return Entry(kind=scheme[0], iri=iri, scope=scheme[1], notation=notation, **given)


def _list_texts(values: Values, predicate: str) -> tuple[str, ...]:
    return tuple(sorted(each.text for each in values.get(predicate, ())))


def _first_text(values: Values, predicate: str) -> str | None:
    return next(iter(_list_texts(values, predicate)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """SKOS concept of the registry.

    Attributes:
        iri: its IRI.
        scheme: the IRI of its concept scheme.
        notation: its form in names: lower case, percent-encoded.
        labels: its preferred labels, sorted.
        kind: the IRI of its kind (jurisdictions only).
        obsolete: True if it is closed for new names, but kept for old ones (RFC 9676 section 2.2).
        matches: IRIs with the same meaning, sorted; they do not make names equal.
        near_matches: IRIs with nearly the same meaning, sorted.
        sources: IRIs of its sources, sorted.
        languages: tags of its official languages, sorted (jurisdictions only).
    """

    iri: str
    scheme: str
    notation: str
    labels: tuple[Label, ...] = ()
    kind: str | None = None
    obsolete: bool = False
    matches: tuple[str, ...] = ()
    near_matches: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """English label, else the first one, else the notation."""
        english = next((each.text for each in self.labels if each.language == "en"), None)
        return english or (self.labels[0].text if self.labels else self.notation)


@cache
def load_concepts(file: str) -> tuple[Concept, ...]:
    """Load the concepts of ``ontology/registry/<file>.ttl``, by scheme and notation.

    Args:
        file: ``extensions``, ``jurisdictions``, ``languages`` or ``original``.

    Raises:
        MissingDataError: the file is absent.
    """
    subjects = _parse_turtle(read_text(f"ontology/registry/{file}.ttl"))
    found = (_make_concept(iri, values) for iri, values in subjects.items())
    return tuple(sorted(filter(None, found), key=lambda each: (each.scheme, each.notation)))


@cache
def load_jurisdictions() -> Mapping[str, Concept]:
    """Load the registered jurisdiction codes (RFC 9676 section 2.2) with their concepts."""
    listed = load_concepts("jurisdictions")
    scheme = REGISTRY_BASE + "jurisdictions"
    return MappingProxyType({each.notation: each for each in listed if each.scheme == scheme})


def _make_concept(iri: str, values: Values) -> Concept | None:
    """Make the concept of a subject, None if the subject is not a concept."""
    notation = _first_text(values, SKOS + "notation")
    if notation is None or CONCEPT not in _list_texts(values, RDF + "type"):
        return None
    return Concept(
        iri=iri,
        scheme=_first_text(values, SKOS + "inScheme") or "",
        notation=notation,
        labels=tuple(sorted(values.get(SKOS + "prefLabel", ()))),
        kind=_first_text(values, DCTERMS + "type"),
        obsolete="true" in _list_texts(values, OWL + "deprecated"),
        matches=_list_texts(values, SKOS + "exactMatch"),
        near_matches=_list_texts(values, SKOS + "closeMatch"),
        sources=_list_texts(values, DCTERMS + "source"),
        languages=_list_texts(values, REG + "language"),
    )


_TURTLE_TOKEN = re.compile(
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
_ESCAPED_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Statements about one subject up to a dot.

    Attributes:
        subject: the IRI; empty for a blank node.
        start: the offset of the first character.
        end: the offset after the dot.
        line: the line of the subject, from 1.
        values: predicate, text of the value, line of the value.
    """

    subject: str
    start: int
    end: int
    line: int
    values: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPositions:
    """Positions of the statements of a text, and its prefixes.

    Attributes:
        statements: the statements in the order of the text.
        prefixes: namespaces by prefix, at the end of the text.
        body: the offset after the last declaration of a prefix.
    """

    statements: tuple[Statement, ...]
    prefixes: dict[str, str]
    body: int

    def line_of(self, subject: str, predicate: str | None = None, value: str | None = None) -> int:
        """Return the line of a value, else of the property, else of the subject, else 1."""
        mine = [each for each in self.statements if each.subject == subject]
        for statement in mine:
            for stated, text, line in statement.values:
                if stated == predicate and value in (None, text):
                    return line
        return self.line_of(subject, predicate) if value else mine[0].line if mine else 1


class _Token(NamedTuple):
    """Token of a Turtle text; its kind is a group of `_TURTLE_TOKEN`."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


# The tokens of a declaration, with its word; those of SPARQL have no dot.
_DECLARATION_LENGTHS = {"prefix": 3, "@prefix": 4, "base": 2, "@base": 3}


def locate_statements(text: str) -> StatementPositions:
    """Locate the statements in a valid Turtle text."""
    lines = [found.start() for found in re.finditer("\n", text)]
    prefixes: dict[str, str] = {}
    statements: list[Statement] = []
    body = 0
    pending: list[_Token] = []
    for token in _list_tokens(text):
        pending.append(token)
        word = pending[0].text.lower() if pending[0].kind == "word" else ""
        if len(pending) == _DECLARATION_LENGTHS.get(word):
            if word.endswith("prefix"):
                prefixes[pending[1].text.removesuffix(":")] = pending[2].text[1:-1]
            body, pending = token.end, []
        elif token.kind == "mark" and token.text == ".":
            values = [
                (verb, value, bisect_right(lines, start) + 1)
                for verb, value, start in _list_values(pending[1:], prefixes)
            ]
            statement = Statement(
                subject=_read_term(pending[0], prefixes),
                start=pending[0].start,
                end=token.end,
                line=bisect_right(lines, pending[0].start) + 1,
                values=tuple(values),
            )
            statements.append(statement)
            pending = []
    return StatementPositions(statements=tuple(statements), prefixes=prefixes, body=body)


def _list_tokens(text: str) -> Iterator[_Token]:
    """List the tokens of a text; dots after a word are tokens of their own."""
    for found in _TURTLE_TOKEN.finditer(text):
        kind, word, start = found.lastgroup or "", found[0], found.start()
        bare = word.rstrip(".") if kind == "word" else word
        if kind != "skip":
            yield _Token(kind, bare, start)
        for dot in range(len(bare), len(word)):
            yield _Token("mark", ".", start + dot)


def _list_values(tokens: list[_Token], prefixes: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """List predicate, value and offset of the values after a subject, outside brackets."""
    verb, depth, wants_verb = "", 0, True
    for token in tokens:
        if token.kind == "mark":
            depth += (token.text in "([{") - (token.text in ")]}")
            wants_verb |= depth == 0 and token.text == ";"
        elif depth == 0 and wants_verb:
            verb, wants_verb = _read_term(token, prefixes), False
        elif depth == 0 and not token.text.startswith(("@", "^^")):
            yield verb, _read_term(token, prefixes), token.start


def _read_term(token: _Token, prefixes: dict[str, str]) -> str:
    """Return the text of a literal or the IRI of a name, else the token itself."""
    if token.kind == "text":
        quotes = 3 if token.text.startswith(('"""', "'''")) else 1
        return _ESCAPE.sub(_unescape, token.text[quotes:-quotes])
    if token.kind == "iri":
        return _ESCAPE.sub(_unescape, token.text[1:-1])
    if token.text == "a":
        return RDF + "type"
    prefix, colon, local = token.text.partition(":")
    if not colon or prefix not in prefixes:
        return "" if prefix == "_" or token.kind == "mark" else token.text
    return prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)


def _unescape(found: re.Match[str]) -> str:
    if code := found[1] or found[2]:
        return chr(int(code, 16))
    return _ESCAPED_CHARACTERS.get(found[3], found[3])


_MAX_BYTES = 64 * 1024 * 1024
_SCHEME_TYPES = {SKOS + "ConceptScheme", f"{OWL}Ontology"}


@dataclass(kw_only=True)
class SourceFile:
    """File of the registry.

    Attributes:
        file: its name in messages.
        text: its text.
        subjects: the statements about each entry, by IRI.
    """

    file: str
    text: str
    subjects: Mapping[str, Values]

    @cached_property
    def positions(self) -> StatementPositions:
        """Positions of its statements."""
        return locate_statements(self.text)

    def finding(
        self,
        code: str,
        at: tuple[str, str | None, str | None],
        *values: object,
        suggestion: str | None = None,
    ) -> Finding:
        """Make a finding about a statement.

        Args:
            code: a key of `load_codes`.
            at: the subject, and the property and the value at fault or None.
            values: the values in the message.
            suggestion: the text to write instead.
        """
        line = self.positions.line_of(*at)
        return make_finding(code, *values, file=self.file, line=line, suggestion=suggestion)


def read_source(path: str | Path) -> SourceFile | Finding:
    """Read the file at a path, or return the finding why it cannot be read."""
    line = 1
    try:
        with Path(path).open("rb") as stream:
            octets = stream.read(_MAX_BYTES + 1)
        if len(octets) <= _MAX_BYTES:
            return parse_source(str(path), octets.decode("utf-8-sig"))
        problem = f"it is larger than {_MAX_BYTES} bytes"
    except OSError as fault:
        problem = fault.strerror or str(fault)
    except UnicodeDecodeError as fault:
        problem = "it is not UTF-8; save it as UTF-8"
        line = octets.count(b"\n", 0, fault.start) + 1
    return make_finding("LX901", problem, file=str(path), line=line)


def parse_source(file: str, text: str) -> SourceFile | Finding:
    """Parse the text of a file, or return the finding why it is not Turtle."""
    try:
        found = _parse_turtle(text)
    except (SyntaxError, ValueError) as fault:
        # The engine's message of a SyntaxError begins with the position.
        cause = re.sub(r"^.*?column(?:s \d+ and)? \d+: ", "", str(getattr(fault, "msg", fault)))
        return make_finding("LX902", cause, file=file, line=getattr(fault, "lineno", None) or 1)
    entries: dict[str, Values] = {}
    for iri, values in found.items():
        types = {each.text for each in values.get(RDF + "type", ())}
        has_scheme = read_scheme_iri(iri.rpartition("/")[0]) is not None
        is_concept = CONCEPT in types or any(each.startswith((SKOS, REG)) for each in values)
        if (has_scheme or is_concept) and not types & _SCHEME_TYPES:
            entries[iri] = values
    return SourceFile(file=file, text=text, subjects=entries)


def read_scheme(values: Values) -> tuple[Kind, str] | None:
    """Read kind and scope of an entry from its scheme, or return None."""
    schemes = values.get(SKOS + "inScheme", ())
    return read_scheme_iri(schemes[0].text) if schemes else None
