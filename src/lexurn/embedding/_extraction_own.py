"""Which of the things that a document speaks of it is itself, and what it is called.

A document is what statements without a subject are about, and a thing that it gives a LEX name and
that nothing else which it speaks of leads to: a page with a block of JSON-LD about an act is that
act, and the versions that the block mentions are others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._extraction import FoundName, Said
from lexurn.embedding._extraction_terms import is_identifier, normal
from lexurn.embedding._terms import ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.embedding._extraction_names import Names, ReadName
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

__all__ = ["Own", "own_of", "said_of"]

# From the page to what it is about: what is led to by these is still the document.
_TOPICS = frozenset({f"{SCHEMA}mainEntity", "http://xmlns.com/foaf/0.1/primaryTopic"})

_LAWS = frozenset(
    {
        *(f"{SCHEMA}{kind}" for kind in ("Legislation", "LegislationObject")),
        *(
            f"{ELI}{kind}"
            for kind in ("LegalExpression", "LegalResource", "LegalResourceSubdivision")
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What a document is.

    Attributes:
        name: its name, None where it says none.
        names: all names that it says it has, that one first.
        nodes: what statements about the document with that name have as subjects; where it has no
            name, about the law that it speaks of first.
    """

    name: Name | None
    names: tuple[FoundName, ...]
    nodes: frozenset[str | None]


def said_of(statement: Statement) -> Said:
    """Where a statement stands."""
    return Said(
        way=statement.way,
        term=normal(statement.term),
        line=statement.line,
        is_ours=statement.is_ours,
    )


def own_of(statements: Sequence[Statement], names: Names) -> Own:
    """What a document is, by what it says."""
    claims = list(_claims(statements, names))
    nodes = dict.fromkeys(each.subject for each, _ in claims if each.subject is not None)
    roots = _roots(statements, list(nodes))
    own = [claim for claim in claims if claim[0].subject is None or claim[0].subject in roots]
    found = _found(own)
    if not found:
        return Own(name=None, names=(), nodes=frozenset({None, *_laws(statements)}))
    main = _main(found)
    called = {claim[0].subject for claim in own if claim[1].name == main.name}
    return Own(
        name=main.name,
        names=(main, *(each for each in found if each is not main)),
        nodes=frozenset({None, *called}),
    )


def _claims(statements: Iterable[Statement], names: Names) -> Iterator[tuple[Statement, ReadName]]:
    """Statements that give something a LEX name, or are about what has one for its IRI."""
    seen: set[tuple[str, bool]] = set()
    for each in statements:
        if is_identifier(normal(each.term)):
            found = names.read(each.value, each.line)
            if found is not None:
                yield each, found
        elif each.subject is not None and (each.subject, each.is_ours) not in seen:
            seen.add((each.subject, each.is_ours))
            found = names.read(each.subject, each.line)
            if found is not None:
                yield each, found


def _laws(statements: Sequence[Statement]) -> Iterator[str]:
    """The first thing that is a law, or has an identifier, and that no other leads to."""
    laws = dict.fromkeys(
        each.subject
        for each in statements
        if each.subject is not None
        and (
            is_identifier(normal(each.term))
            or (each.term == RDF_TYPE and normal(each.value) in _LAWS)
        )
    )
    roots = _roots(statements, list(laws))
    yield from [node for node in laws if node in roots][:1]


def _roots(statements: Iterable[Statement], nodes: list[str]) -> frozenset[str]:
    """Those that no other thing leads to; the first of those that all lead to each other."""
    led_to = {
        each.value
        for each in statements
        if each.is_iri
        and each.subject is not None
        and each.subject != each.value
        and each.term != RDF_TYPE
        and normal(each.term) not in _TOPICS
    }
    roots = [node for node in nodes if node not in led_to]
    return frozenset(roots or nodes[:1])


def _found(claims: Iterable[tuple[Statement, ReadName]]) -> tuple[FoundName, ...]:
    """Each name once, with all places and spellings."""
    said: dict[Name, dict[Said, None]] = defaultdict(dict)
    spellings: dict[Name, dict[str, None]] = defaultdict(dict)
    for statement, read in claims:
        said[read.name][said_of(statement)] = None
        if read.spelling is not None:
            spellings[read.name][read.spelling] = None
    return tuple(
        FoundName(name=name, spellings=tuple(spellings[name]), said=tuple(places))
        for name, places in said.items()
    )


def _main(found: Sequence[FoundName]) -> FoundName:
    """The name that lexurn wrote; else the most particular one below that which stands first."""
    ours = [each for each in found if each.is_ours]
    main = (ours or found)[0]
    for each in ours or found:
        if main.name in each.name.ancestors():
            main = each
    return main
