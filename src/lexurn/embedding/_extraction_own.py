"""Which of the things that a document speaks of it is itself, and what it is called.

A document is what statements without a subject are about, and a thing that it gives a LEX name and
that neither it nor anything else which it speaks of leads to: a page with a block of JSON-LD about
an act is that act, and the versions that the block mentions, or the page links to, are others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.embedding._agreement import is_related
from lexurn.embedding._extraction import FoundName, Said
from lexurn.embedding._extraction_choice import chosen
from lexurn.embedding._extraction_edges import is_above, leads
from lexurn.embedding._extraction_roots import roots
from lexurn.embedding._extraction_terms import ALIAS, TOPICS, is_identifier, normal
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import ELI, RDF_TYPE, SCHEMA
from lexurn.embedding._xml_terms import AKOMA_NTOSO, term

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from lexurn.embedding._extraction_choice import Claim
    from lexurn.embedding._extraction_names import Names
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

__all__ = ["Own", "own_of", "said_of"]


_TOPICS = TOPICS | {f"{SCHEMA}about"}
_VALUE = f"{SCHEMA}value"
_AGENTS = frozenset(
    f"{SCHEMA}{kind}" for kind in ("GovernmentOrganization", "Organization", "Person")
)
_ALIASES = frozenset(
    term(AKOMA_NTOSO, f"FRBR{level}", "FRBRalias", "urn:lex")
    for level in ("Work", "Expression", "Manifestation")
)
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
        surely: those of the names that are said of the document itself, and not of something with
            an IRI of its own, which it may only speak of.
    """

    name: Name | None
    names: tuple[FoundName, ...]
    nodes: frozenset[str | None]
    surely: frozenset[Name] = frozenset()


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
    # An alias that is called urn:lex is the name; others may be of something else.
    claims = sorted(_claims(statements, names), key=lambda each: each[0].term not in _ALIASES)
    nodes = dict.fromkeys(each.subject for each, _ in claims if each.subject is not None)
    first = roots(statements, nodes)
    own = [claim for claim in claims if claim[0].subject is None or claim[0].subject in first]
    own = chosen(statements, own, claims, names)
    found = _found(own)
    if not found:
        return Own(name=None, names=(), nodes=frozenset({None, *_laws(statements, _is_called)[:1]}))
    main = _main(found)
    called = [each for each, read in own if read.name == main.name]
    about = {each.subject for each in called}
    if all(each.subject is None or each.is_ours for each in called):
        about.update(_only_law(statements, nodes))
    return Own(
        name=main.name,
        names=(main, *(each for each in found if each is not main)),
        nodes=frozenset({None, *about}),
        surely=frozenset(read.name for each, read in own if (each.subject or "_:")[:2] == "_:"),
    )


def _claims(statements: Sequence[Statement], names: Names) -> list[Claim]:
    """Statements that give something a LEX name, or are about what has one for its IRI.

    What has none is called by a name that it is said to be the same as; some things are named, and
    nothing else is said of them.
    """
    seen: set[tuple[str, bool]] = set()
    values = {each.subject: each.value for each in statements if normal(each.term) == _VALUE}
    claims: list[Claim] = []
    for each in statements:
        text = values.get(each.value, each.value)
        found = names.read(text, each.line) if is_identifier(normal(each.term)) else None
        if found is None and each.subject is not None and (each.subject, each.is_ours) not in seen:
            seen.add((each.subject, each.is_ours))
            found = names.read(each.subject, each.line)
        if found is not None:
            claims.append((each, found))
    named = {each.subject for each, _ in claims}
    agents = {each.subject for each in statements if normal(each.value) in _AGENTS}
    for each in statements:
        kind = normal(each.term)
        is_same = kind in ALIAS and each.subject not in named and each.subject not in agents
        if is_same or (kind in _TOPICS and each.value not in named):
            found = names.read(each.value, each.line)
            if found is not None:
                claims.append((each if is_same else replace(each, subject=each.value), found))
    if not claims:
        above = [each for each in statements if each.subject is not None and is_above(each)]
        read = [(each, names.read(each.value, each.line)) for each in above]
        claims += [(replace(each, subject=each.value), name) for each, name in read if name]
    return claims


def _only_law(statements: Sequence[Statement], named: Container[str]) -> tuple[str, ...]:
    """The law that a page speaks of where it says its name elsewhere; of several nobody knows."""
    theirs = [each for each in statements if not each.is_ours]
    kinds = {each.subject for each in theirs if _is_law(each)}
    mentioned = {each.value for each in theirs if each.subject not in kinds and leads(each)}
    laws = _laws(theirs, _is_law)
    is_known = len(laws) == 1 and laws[0] not in named and laws[0] not in mentioned
    return tuple(laws) if is_known else ()


def _laws(statements: Sequence[Statement], is_law: Callable[[Statement], bool]) -> list[str]:
    """What is a law by any statement on it, and nothing else leads to."""
    laws = dict.fromkeys(
        each.subject for each in statements if each.subject is not None and is_law(each)
    )
    first = roots(statements, laws)
    return [node for node in laws if node in first]


def _is_law(statement: Statement) -> bool:
    return statement.term == RDF_TYPE and normal(statement.value) in _LAWS


def _is_called(statement: Statement) -> bool:
    """Whether it says that something is a law, or what it is called."""
    return is_identifier(normal(statement.term)) or _is_law(statement)


def _found(claims: Iterable[Claim]) -> tuple[FoundName, ...]:
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
    """The name that lexurn wrote; else the most particular one below that which stands first.

    In Akoma Ntoso each level says its own name, some perhaps before lexurn said the others.
    """
    ours = [each for each in found if each.is_ours]
    levels = [each for each in found if any(said.way is Way.AKOMA_NTOSO for said in each.said)]
    first = (ours or found)[0]
    below = [
        each
        for each in ((*ours, *levels) if ours else found)
        if first.name in each.name.ancestors() and _is_of_same(each.name, first.name)
    ]
    main = max((first, *below), key=lambda each: len(each.name.ancestors()))
    # A document with several versions is none of them.
    is_line = all(each is main or is_related(each.name, main.name) for each in below)
    return main if is_line else first


def _is_of_same(name: Name, other: Name) -> bool:
    """Whether names differ in version and file alone, and not as those of an act and its annex."""
    return (name.work_name, name.partition) == (other.work_name, other.partition)
