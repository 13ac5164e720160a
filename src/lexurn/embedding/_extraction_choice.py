"""Which of several things that have LEX names a page says that it is, where it says so."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lexurn.embedding._extraction_edges import is_above, leads
from lexurn.embedding._extraction_mentions import here, is_page
from lexurn.embedding._extraction_places import Places, is_placeless
from lexurn.embedding._extraction_terms import (
    ALIAS,
    NAMING,
    PLACES,
    RELATIONS,
    TOPICS,
    normal,
)
from lexurn.embedding._terms import RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from lexurn.embedding._extraction_names import Names, ReadName
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

    Claim = tuple[Statement, ReadName]
    """What gives something a name, and that name."""

__all__ = ["Claim", "chosen"]

_ABOUT = f"{SCHEMA}about"
_OF_PAGE = f"{SCHEMA}mainEntityOfPage"
_PAGES = frozenset(f"{SCHEMA}{kind}" for kind in ("ItemPage", "WebPage"))
_PARTS = frozenset({"hasPart", "isPartOf"})


def chosen(
    statements: Sequence[Statement], roots: Sequence[Claim], claims: Sequence[Claim], names: Names
) -> list[Claim]:
    """Of claims to be what a page is, those that it agrees with.

    What it says of itself without a subject comes first, and then what it may be.

    Args:
        statements: all that the page says.
        roots: the claims of what nothing else leads to, which it is where it says no more.
        claims: all statements that give a name to something, with that name.
        names: reads names.
    """
    page = _Page(statements, frozenset(each.subject for each, _ in claims))
    about = set(page.about())
    pointed = [claim for claim in claims if claim[0].subject in about]
    kept = [claim for claim in roots if claim[0].subject is None or not pointed] + pointed
    if not kept:
        told_of = page.topics()
        kept = [claim for claim in claims if claim[0].subject in told_of]
    elif not pointed and _may_be_others(kept):
        told_of = page.told_of() - {each.subject for each, _ in kept}
        kept += [claim for claim in claims if claim[0].subject in told_of]
    if not pointed and all(each.subject is not None for each, _ in kept):
        kept = _as_cited(statements, kept, names)
    perhaps = set(page.perhaps())
    return sorted(
        kept, key=lambda each: (each[0].subject is not None, each[0].subject not in perhaps)
    )


def _may_be_others(claims: Iterable[Claim]) -> bool:
    """Whether what a page seems to be may be things that it cites, for all that it says itself."""
    theirs = [each for each, _ in claims if not each.is_ours]
    return bool(theirs) and all(each.subject is not None for each in theirs)


class _Page:
    """What a document says of the place where it lies, and of pages that may be itself."""

    def __init__(self, statements: Sequence[Statement], named: frozenset[str | None]) -> None:
        """Look at statements; what has a name is no mere page.

        Args:
            statements: all that the document says.
            named: what has a LEX name there.
        """
        self._said = [(each, normal(each.term)) for each in statements]
        self._named = named
        self._site = Places(statements)
        own = self._site.own
        self._is_known = bool(own)
        located: dict[str | None, set[str]] = defaultdict(set)
        for each, term in self._said:
            if term in PLACES:
                located[each.subject].add(self._site.of(each.value))
        self._located = frozenset(located)
        # A node that says where it lies may be the page, too.
        own_nodes = {node for node, where in located.items() if not where.isdisjoint(own)}
        self._places = own | {self._site.of(node) for node in own_nodes if node is not None}
        self._paths = {each.partition("?")[0] for each in self._places}
        kinds: dict[str | None, set[str]] = defaultdict(set)
        for each, term in self._said:
            if term == RDF_TYPE:
                kinds[each.subject].add(normal(each.value))
        pages = {node for node, found in kinds.items() if all(map(is_page, found))}
        self._pages = {node for node in pages if not _PAGES.isdisjoint(kinds[node])} - named
        self._things = here(statements, self._site, named) - named
        outward = [each for each, term in self._said if term != _OF_PAGE and leads(each)]
        below = {each.value for each in outward if each.subject not in {None, each.value}}
        self._alone = self._pages - below
        self._of_named = {each.value for each in outward if each.subject in named}

    def about(self) -> Iterator[str]:
        """What the page says that it is about, or lies where it does."""
        for each, term in self._said:
            subject = each.subject
            if term in TOPICS and self._is_page(subject):
                yield each.value
            if subject is None:
                continue
            is_here = self._site.of(subject) in self._places
            if is_here or (term == _OF_PAGE and self._site.of(each.value) in self._places):
                yield subject
            if is_here and subject not in self._named and is_above(each):
                yield each.value

    def perhaps(self) -> Iterator[str]:
        """What may be the page, or something in it, or of one: no others are left out for it."""
        articles = {each.subject for each, term in self._said if self._is_of_page(each, term)}
        telling = self._pages | (articles - self._named)
        for each, term in self._said:
            subject = each.subject
            if self._may_be(subject) and (
                term in TOPICS or (term == _ABOUT and subject in telling)
            ):
                yield each.value
            if subject is None:
                continue
            if subject in articles or self._is_in_place(subject):
                yield subject

    def told_of(self) -> set[str]:
        """What is of a page, or told of by what has no name and is of no act, as a comment."""
        found: set[str] = set()
        for each, term in self._said:
            subject = each.subject
            if subject is not None and subject in self._named and self._is_of_page(each, term):
                found.add(subject)
            is_told = term in TOPICS or term == _ABOUT or RELATIONS.get(term) in _PARTS
            is_of_page = subject in self._things and leads(each)
            if is_of_page or (is_told and self._is_outer(subject)):
                found.add(each.value)
            if each.value in self._things and subject is not None and leads(each):
                found.add(subject)
        return found

    def topics(self) -> set[str]:
        """The things with names that the page, as such, is about, where one of them is that most.

        An article that tells of an act is not that act, nor is a list of acts any of them.
        """
        main: set[str] = set()
        others: set[str] = set()
        for each, term in self._said:
            subject = each.subject
            if subject is not None and subject in self._named and self._is_of_page(each, term):
                main.add(subject)
            is_of_page = subject in self._pages and self._is_outer(subject)
            if is_of_page and each.value in self._named and (term == _ABOUT or term in TOPICS):
                (main if term in TOPICS else others).add(each.value)
        return main | others if main or len(others) == 1 else set()

    def _is_outer(self, node: str | None) -> bool:
        """Whether something without a name may be the page, and is not of a thing that has one."""
        return node not in self._named and node not in self._of_named and self._may_be(node)

    def _is_page(self, node: str | None) -> bool:
        """Whether something is the page, by its place, or as the only thing that is a page."""
        if node is None or self._site.of(node) in self._places:
            return True
        is_alone = self._alone == {node} and self._is_placeless(node)
        return node in self._pages and (is_alone or self._is_in_place(node))

    def _may_be(self, node: str | None) -> bool:
        """Whether something may be the page: what has a place of its own is another one."""
        if not self._is_known or node is None or self._is_placeless(node):
            return True
        # A query may be there for statistics alone.
        return self._site.about(node) in self._paths

    def _is_in_place(self, node: str) -> bool:
        """Whether something lies where the page does, or is a part of what does."""
        return self._site.around(node) in self._places

    def _is_placeless(self, node: str) -> bool:
        return is_placeless(node) and node not in self._located

    def _is_of_page(self, statement: Statement, term: str) -> bool:
        """Whether a statement says that something is of a page, which may be this one."""
        value = statement.value
        if term != _OF_PAGE or value.lower() == "false":
            return False
        return value.lower() == "true" or self._may_be(value)


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
