"""Which of several things that have LEX names a page says that it is, where it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.embedding._extraction_terms import ALIAS, NAMING, PLACES, TOPICS, normal
from lexurn.embedding._terms import IANA, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from lexurn.embedding._extraction_names import Names, ReadName
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

    Claim = tuple[Statement, ReadName]
    """What gives something a name, and that name."""

__all__ = ["Claim", "chosen"]

_ABOUT = f"{SCHEMA}about"
_OF_PAGE = f"{SCHEMA}mainEntityOfPage"
_OWN_PLACES = NAMING | {f"{IANA}self"}
# WebPage of schema.org and the kinds of it that are no form or list.
_PAGES = frozenset(f"{SCHEMA}{kind}" for kind in ("AboutPage", "FAQPage", "ItemPage", "WebPage"))


def chosen(
    statements: Sequence[Statement], roots: Sequence[Claim], claims: Iterable[Claim], names: Names
) -> list[Claim]:
    """Of claims to be what a page is, those that it agrees with.

    What it says of itself without a subject comes first, and then what it may be.

    Args:
        statements: all that the page says.
        roots: the claims of what nothing else leads to, which it is where it says no more.
        claims: all statements that give a name to something, with that name.
        names: reads names.
    """
    own = [each for each in statements if each.subject is None]
    places = {each.value for each in own if normal(each.term) in _OWN_PLACES}
    # A node that says where it lies may be the page, too.
    places |= {
        each.subject
        for each in statements
        if each.subject is not None and normal(each.term) in PLACES and each.value in places
    }
    claims = list(claims)
    about, perhaps = set(_about(statements, places)), set(_perhaps(statements, places))
    pointed = [claim for claim in claims if claim[0].subject in about]
    kept = [claim for claim in roots if claim[0].subject is None or not pointed] + pointed
    if not pointed and _may_be_others(kept):
        named = {each.subject for each, _ in claims}
        told_of = set(_told_of(statements, named, places))
        perhaps |= told_of
        told_of -= {each.subject for each, _ in kept}
        kept += [claim for claim in claims if claim[0].subject in told_of]
    if all(each.subject is not None for each, _ in kept):
        kept = _as_cited(statements, kept, names)
    return sorted(
        kept, key=lambda each: (each[0].subject is not None, each[0].subject not in perhaps)
    )


def _may_be_others(claims: Iterable[Claim]) -> bool:
    """Whether what a page seems to be may be things that it cites, for all that it says itself."""
    theirs = [each for each, _ in claims if not each.is_ours]
    return bool(theirs) and all(each.subject is not None for each in theirs)


def _about(statements: Iterable[Statement], places: AbstractSet[str]) -> Iterator[str]:
    """What the page is about, or lies where it does."""
    for each in statements:
        term, subject = normal(each.term), each.subject
        if term in TOPICS and _is_here(subject, places):
            yield each.value
        if subject is None:
            continue
        if subject in places or (term == _OF_PAGE and each.value in places):
            yield subject


def _perhaps(statements: Iterable[Statement], places: AbstractSet[str]) -> Iterator[str]:
    """What may be the page, or something in it, or of a page of its own: no others are left out."""
    for each in statements:
        term = normal(each.term)
        if term in TOPICS and _is_page(each.subject, places):
            yield each.value
        is_of_page = term == _OF_PAGE and _may_be_page(each.value, places)
        if each.subject is not None and (is_of_page or each.subject.partition("#")[0] in places):
            yield each.subject


def _told_of(
    statements: Iterable[Statement], named: Container[str | None], places: AbstractSet[str]
) -> Iterator[str]:
    """What a page tells of, as such or as an article in it; what an act is about is its subject."""
    pages: set[str | None] = {None, *places}
    topics: list[Statement] = []
    for each in statements:
        term = normal(each.term)
        if term == _ABOUT:
            topics.append(each)
        is_page = term == RDF_TYPE and normal(each.value) in _PAGES
        if is_page or (term == _OF_PAGE and _may_be_page(each.value, places)):
            pages.add(each.subject)
    for each in topics:
        if each.subject in pages and each.subject not in named and _is_page(each.subject, places):
            yield each.value


def _may_be_page(value: str, places: AbstractSet[str]) -> bool:
    """Whether what is said to be the page of something may be this one."""
    return value.lower() != "false" and (value.lower() == "true" or _is_page(value, places))


def _is_page(subject: str | None, places: AbstractSet[str]) -> bool:
    """Whether something may be the page: what has a place of its own is another one."""
    return not places or _is_here(subject, places)


def _is_here(subject: str | None, places: AbstractSet[str]) -> bool:
    """Whether something is the page, or in it; what has no place is."""
    return subject is None or subject[:2] == "_:" or subject.partition("#")[0] in {"", *places}


def _as_cited(statements: Sequence[Statement], claims: list[Claim], names: Names) -> list[Claim]:
    """The claims that agree with how a page is to be cited; that alone where none does."""
    links = [each for each in statements if each.subject is None and normal(each.term) in NAMING]
    cited = [(each, read) for each in links if (read := names.read(each.value, each.line))]
    if not cited:
        return claims
    wanted = {read.name for _, read in cited}
    line = wanted | {above for name in wanted for above in name.ancestors()}
    same = {each.subject for each in statements if _is_alias(each, wanted, names)}
    kept = [
        (each, read)
        for each, read in claims
        if each.subject in same or read.name in line or not wanted.isdisjoint(read.name.ancestors())
    ]
    return kept or cited


def _is_alias(statement: Statement, wanted: Container[Name], names: Names) -> bool:
    if normal(statement.term) not in ALIAS:
        return False
    found = names.read(statement.value, statement.line)
    return found is not None and found.name in wanted
