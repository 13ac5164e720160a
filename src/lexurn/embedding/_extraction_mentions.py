"""What acts are told of in a document by things that are no acts with a LEX name."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from lexurn.embedding._extraction_edges import ABOVE, BELOW, WITHIN, leads
from lexurn.embedding._extraction_terms import ALIAS, NAMING, PLACES, RELATIONS, TOPICS, normal
from lexurn.embedding._terms import ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lexurn.embedding._statement import Statement

__all__ = ["here", "is_page", "mentioned"]

_OF_PAGE = f"{SCHEMA}mainEntityOfPage"
_BREADCRUMBS = f"{SCHEMA}BreadcrumbList"
_ENTRY = f"{SCHEMA}itemListElement"
_POSITION = f"{SCHEMA}position"
_DIGITS = 9
_COMPLEX = f"{ELI}ComplexWork"
# What may tell of acts, be it a page or in one; all else is of the act that it leads to.
_TELLING = frozenset(
    f"{SCHEMA}{kind}"
    for kind in (
        *("AboutPage", "AdvertiserContentArticle", "AnalysisNewsArticle", "Article", "BlogPosting"),
        *("Book", "BreadcrumbList", "Chapter", "ClaimReview", "CollectionPage", "Course"),
        *("CreativeWork", "CriticReview", "DefinedTerm", "DiscussionForumPosting", "Event"),
        *("FAQPage", "Guide", "HowTo", "ItemList", "ItemPage", "LearningResource", "Legislation"),
        *("ListItem", "LiveBlogPosting", "NewsArticle", "OfferCatalog", "OpinionNewsArticle"),
        *("ProfilePage", "QAPage", "Question", "Report", "ReportageNewsArticle", "Review"),
        *("ScholarlyArticle", "SearchResultsPage", "SocialMediaPosting", "TechArticle", "Thesis"),
        *("Thing", "WebPage"),
    )
)


def mentioned(
    statements: Sequence[Statement], nodes: Collection[str | None]
) -> tuple[set[str], set[str]]:
    """What things lead to that do not count, as a piece of news to acts; beside it, breadcrumbs.

    No mention are the work of a version, the whole of a part, and what a thing leads back to, nor
    the one version of an act or what a comment, a picture or a collection has alone.
    """
    others = [each for each in statements if each.subject is not None and each.subject not in nodes]
    links = [each for each in others if _may_mention(each)]
    named = [each for each in statements if each.subject in nodes and leads(each)]
    there = {(each.subject, each.value) for each in named}
    within = {value for _, value in there}
    links += [each for each in others if normal(each.term) in TOPICS and each.subject in within]
    page = here(statements) - set(nodes)
    beside = _beside(statements) - page
    counts = Counter((subject, term) for subject, term, _ in set(map(_link, links)))
    returning = Counter(
        subject for subject, _, value in set(map(_link, links)) if (value, subject) in there
    )
    crumbs = _last_crumbs(others) if not page else set()
    found = {each.subject or "" for each in named if each.value in page and _is_of_other(each)}
    listed: set[str] = set()
    for each in links:
        subject, term, value = _link(each)
        is_back = subject not in page and returning[subject] == 1 and (value, subject) in there
        is_of = subject in beside or RELATIONS.get(term) in BELOW
        if not is_back and not (is_of and counts[subject, term] == 1):
            (listed if subject in crumbs else found).add(value)
    found |= {each.value for each in others if each.subject in page and _is_of_other(each)}
    return found, listed


def here(statements: Sequence[Statement]) -> set[str]:
    """What the page is, by its place or as what it is about, where that is more than a page.

    What leads to that, or what that leads to, is something else.
    """
    links = {
        each.value for each in statements if each.subject is None and normal(each.term) in NAMING
    }
    places = links | {
        each.subject
        for each in statements
        if each.subject is not None and normal(each.term) in PLACES and each.value in links
    }
    found = set(places)
    for each in statements:
        term = normal(each.term)
        if term in TOPICS and (each.subject is None or each.subject in places):
            found.add(each.value)
        if term == _OF_PAGE and each.subject is not None and each.value in places:
            found.add(each.subject)
    typed = {
        each.subject
        for each in statements
        if each.term == RDF_TYPE and not is_page(normal(each.value))
    }
    return {each for each in found if each in typed}


def is_page(kind: str) -> bool:
    """Whether a kind of things is pages as such, or sites, of which acts may be the matter."""
    return kind.startswith(SCHEMA) and kind.endswith(("Page", "WebSite"))


def _is_of_other(statement: Statement) -> bool:
    """Whether a statement says what is neither of a version, nor of a file, nor of a place."""
    term = normal(statement.term)
    is_place = term in ALIAS or term in PLACES or term == _OF_PAGE
    kind = RELATIONS.get(term)
    return leads(statement) and not is_place and kind not in ABOVE | BELOW


def _link(statement: Statement) -> tuple[str | None, str, str]:
    return statement.subject, normal(statement.term), statement.value


def _may_mention(statement: Statement) -> bool:
    term = normal(statement.term)
    is_elsewhere = term in ALIAS or term in PLACES or term == _OF_PAGE
    return leads(statement) and not is_elsewhere and RELATIONS.get(term) not in WITHIN


def _beside(statements: Iterable[Statement]) -> set[str | None]:
    """What is no page, list or act by its kind; what has no kind may be any."""
    kinds: dict[str | None, bool] = {}
    for each in statements:
        if each.term == RDF_TYPE:
            is_beside = _is_beside(normal(each.value))
            kinds[each.subject] = is_beside and kinds.get(each.subject, True)
    return {node for node, is_beside in kinds.items() if is_beside}


def _is_beside(kind: str) -> bool:
    return kind == _COMPLEX or (kind.startswith(SCHEMA) and kind not in _TELLING)


def _last_crumbs(statements: Sequence[Statement]) -> set[str]:
    """The last entries of lists that say where the page stands in its site, or all of one."""
    crumbs = {each.subject for each in statements if normal(each.value) == _BREADCRUMBS}
    places = {
        each.subject: int(each.value)
        for each in statements
        if normal(each.term) == _POSITION and each.value.isdecimal() and len(each.value) < _DIGITS
    }
    entries: dict[str | None, list[str]] = defaultdict(list)
    for each in statements:
        if each.subject in crumbs and normal(each.term) == _ENTRY:
            entries[each.subject].append(each.value)
    last: set[str] = set()
    for found in entries.values():
        highest = max(places.get(entry, 0) for entry in found)
        last.update(entry for entry in found if places.get(entry, 0) == highest)
    return last
