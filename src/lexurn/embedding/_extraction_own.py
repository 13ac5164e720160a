"""Which of the things that a document speaks of it is itself, and what it is called.

A document is what statements without a subject are about, and a thing that it gives a LEX name and
that neither it nor anything else which it speaks of leads to: a page with a block of JSON-LD about
an act is that act, and the versions that the block mentions, or the page links to, are others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._agreement import is_related
from lexurn.embedding._extraction import FoundName, Said
from lexurn.embedding._extraction_choice import chosen
from lexurn.embedding._extraction_terms import (
    ALIAS,
    PLACES,
    RELATIONS,
    TOPICS,
    is_identifier,
    normal,
)
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import DC, DCTERMS, ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from lexurn.embedding._extraction_choice import Claim
    from lexurn.embedding._extraction_names import Names
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

__all__ = ["Own", "own_of", "said_of"]


# What a page links to by these may be the page itself: the first version names itself as the first.
_ITSELF = frozenset({"canonical", "citeAs", "current", "first", "last", "self", "versionHistory"})
_ITEM = f"{SCHEMA}item"
_LEVELS_BELOW = frozenset({"isFormatOf", "isVersionOf"})
_VOCABULARIES = (DC, DCTERMS, ELI, SCHEMA)

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
    claims = list(_claims(statements, names))
    nodes = dict.fromkeys(each.subject for each, _ in claims if each.subject is not None)
    roots = _roots(statements, list(nodes))
    own = [claim for claim in claims if claim[0].subject is None or claim[0].subject in roots]
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


def _claims(statements: Iterable[Statement], names: Names) -> Iterator[Claim]:
    """Statements that give something a LEX name, or are about what has one for its IRI."""
    seen: set[tuple[str, bool]] = set()
    for each in statements:
        found = names.read(each.value, each.line) if is_identifier(normal(each.term)) else None
        if found is None and each.subject is not None and (each.subject, each.is_ours) not in seen:
            seen.add((each.subject, each.is_ours))
            found = names.read(each.subject, each.line)
        if found is not None:
            yield each, found


def _only_law(statements: Sequence[Statement], named: Container[str]) -> tuple[str, ...]:
    """The law that a page speaks of where it says its name elsewhere; of several nobody knows."""
    theirs = [each for each in statements if not each.is_ours]
    kinds = {each.subject for each in theirs if _is_law(each)}
    mentioned = {each.value for each in theirs if each.subject not in kinds and _leads(each)}
    laws = _laws(theirs, _is_law)
    is_known = len(laws) == 1 and laws[0] not in named and laws[0] not in mentioned
    return tuple(laws) if is_known else ()


def _laws(statements: Sequence[Statement], is_law: Callable[[Statement], bool]) -> list[str]:
    """What is a law by any statement on it, and nothing else leads to."""
    laws = dict.fromkeys(
        each.subject for each in statements if each.subject is not None and is_law(each)
    )
    roots = _roots(statements, list(laws))
    return [node for node in laws if node in roots]


def _is_law(statement: Statement) -> bool:
    return statement.term == RDF_TYPE and normal(statement.value) in _LAWS


def _is_called(statement: Statement) -> bool:
    """Whether it says that something is a law, or what it is called."""
    return is_identifier(normal(statement.term)) or _is_law(statement)


def _roots(statements: Sequence[Statement], nodes: list[str]) -> frozenset[str]:
    """Those that nothing else leads to; the first of those that all lead to each other."""
    linked = {each.value for each in statements if each.subject is None and _leads(each)}
    # What a page says it is called it is, whatever leads there.
    own = {
        each.value
        for each in statements
        if each.subject is None and is_identifier(normal(each.term))
    }
    led_to = {
        each.value for each in statements if each.subject not in {None, each.value} and _leads(each)
    }
    back = _leading_back(statements, own)
    below = ((led_to | linked) - own) | back
    roots = [node for node in nodes if node not in below]
    if roots or back or not linked.isdisjoint(nodes):
        return frozenset(roots)
    return frozenset(_unmentioned(statements, nodes)[:1])


def _unmentioned(statements: Iterable[Statement], nodes: list[str]) -> list[str]:
    """Those that nothing without a name leads to: an act that a piece of news is about is no page.

    A list of links, as those at the top of a page, may have the page itself in it; one of several
    acts says of none of them that the page is it.
    """
    known = frozenset(nodes)
    leading = [
        each
        for each in statements
        if each.subject is not None and each.subject not in known and _leads(each)
    ]
    mentioned = {each.value for each in leading if each.term != _ITEM}
    listed = {each.value for each in leading if each.term == _ITEM}
    left = [node for node in nodes if node not in mentioned]
    return left if len(left) == 1 else [node for node in left if node not in listed]


def _leading_back(statements: Iterable[Statement], own: Container[str]) -> set[str]:
    """What leads to what the page says that it is called: the other acts of a list, its versions.

    A single version may be what the page is, for which it says the name of the act as well.
    """
    called: set[str] = set()
    leading: set[str] = set()
    versions: set[str] = set()
    for each in statements:
        if each.subject is None or each.value not in own:
            continue
        if is_identifier(normal(each.term)):
            called.add(each.subject)
        elif _leads(each):
            leading.add(each.subject)
            if RELATIONS.get(normal(each.term)) in _LEVELS_BELOW:
                versions.add(each.subject)
    itself = {each for each in leading if each in called or each in own}
    return leading - itself - (versions if len(versions) == 1 else set())


def _leads(statement: Statement) -> bool:
    """Whether a statement leads from what it is said of to something else."""
    term = normal(statement.term)
    kind = RELATIONS.get(term)
    if term in TOPICS or term == RDF_TYPE or not (statement.is_iri or kind is not None):
        return False
    if statement.subject is not None:
        return True
    if kind is not None:
        return kind not in _ITSELF
    is_same = term in ALIAS or term in PLACES or is_identifier(term)
    return term.startswith(_VOCABULARIES) and not is_same


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
        if first.name in each.name.ancestors()
    ]
    main = max((first, *below), key=lambda each: len(each.name.ancestors()))
    # A document with several versions is none of them.
    is_line = all(each is main or is_related(each.name, main.name) for each in below)
    return main if is_line else first
