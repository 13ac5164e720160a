"""What acts are told of in a document by things that are no acts with a LEX name."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from lexurn.embedding._extraction_edges import ABOVE, BELOW, WITHIN, is_above, leads
from lexurn.embedding._extraction_places import Places, is_placeless
from lexurn.embedding._extraction_terms import ALIAS, PLACES, RELATIONS, TOPICS, normal
from lexurn.embedding._terms import ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lexurn.embedding._statement import Statement

__all__ = ["here", "is_page", "mentioned"]

_OF_PAGE = f"{SCHEMA}mainEntityOfPage"
_MERE_PAGES = frozenset(
    {
        *(
            f"{SCHEMA}{kind}"
            for kind in ("CreativeWork", "ItemPage", "Thing", "WebPage", "WebSite")
        ),
        "http://xmlns.com/foaf/0.1/Document",
    }
)
_SAME_LINE = frozenset(
    {
        *(f"{SCHEMA}{term}" for term in ("translationOfWork", "workTranslation")),
        *(
            f"{ELI}{term}"
            for term in (
                *("has_another_publication", "has_member", "has_translation", "publishes"),
                *("is_another_publication_of", "is_member_of", "is_translation_of"),
                "published_in_format",
            )
        ),
    }
)
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
    page = here(statements, Places(statements), nodes) - set(nodes)
    led_to = {each.value for each in statements if each.subject != each.value and leads(each)}
    # A comment on a piece of news is of that, and not of the act that it is about.
    beside = _beside(statements) - page - led_to
    counts = Counter((subject, term) for subject, term, _ in set(map(_link, links)))
    returning = Counter(
        subject for subject, _, value in set(map(_link, links)) if (value, subject) in there
    )
    crumbs = _last_crumbs(others) if not page else set()
    found = _of_others(statements, page, nodes)
    listed: set[str] = set()
    for each in links:
        subject, term, value = _link(each)
        is_back = subject not in page and returning[subject] == 1 and (value, subject) in there
        is_of = subject in beside or RELATIONS.get(term) in BELOW or term in _SAME_LINE
        if not is_back and not (is_of and counts[subject, term] == 1):
            (listed if subject in crumbs else found).add(value)
    return found, listed


def here(
    statements: Sequence[Statement], places: Places, nodes: Collection[str | None]
) -> set[str]:
    """What the page is, by its place or as what it is about, where that is more than a page.

    What leads to that, or what that leads to, is something else.

    Args:
        statements: all that the page says.
        places: where the page lies.
        nodes: what has a LEX name; what that leads to is something of it.
    """
    of_nodes = {each.value for each in statements if each.subject in nodes and leads(each)}
    located = {
        each.subject
        for each in statements
        if normal(each.term) in PLACES
        and places.of(each.value) in places.own
        and each.subject not in of_nodes
    }
    pages = {each.subject for each in statements if is_page(_kind(each))}
    found: set[str] = {each for each in located if each is not None}
    for each in statements:
        subject, term = each.subject, normal(each.term)
        if subject is not None and places.of(subject) in places.own:
            found.add(subject)
        is_here = subject is None or subject in located or places.around(subject) in places.own
        is_loose = subject in pages and (not places.own or is_placeless(subject or ""))
        if term in TOPICS and (is_here or (is_loose and subject not in of_nodes)):
            found.add(each.value)
        if term == _OF_PAGE and subject is not None and _may_be_own(each.value, places, located):
            found.add(subject)
    for _ in range(2):  # what it is a version of, or a file of a version
        found |= {each.value for each in statements if each.subject in found and is_above(each)}
    typed = {each.subject for each in statements if _kind(each) and not is_page(_kind(each))}
    return {each for each in found if each in typed}


def _may_be_own(value: str, places: Places, located: Collection[str | None]) -> bool:
    """Whether what is said to be the page of something is this one, or may be."""
    if value.lower() in {"true", "false"} or not places.own:
        return value.lower() != "false"
    return value in located or places.around(value) in places.own


def _kind(statement: Statement) -> str:
    """The kind that a statement gives a thing; blank where it says something else."""
    return normal(statement.value) if statement.term == RDF_TYPE else ""


def is_page(kind: str) -> bool:
    """Whether a kind of things is pages as such, or sites, of which acts may be the matter."""
    return kind in _MERE_PAGES


def _of_others(
    statements: Sequence[Statement], page: Collection[str | None], nodes: Collection[str | None]
) -> set[str]:
    """What leads to what the page is, or is led to from there, and what that is a version of."""
    found: set[str] = set()
    for each in statements:
        if each.subject in page and _is_of_other(each):
            found.add(each.value)
        if each.value in page and each.subject in nodes and _is_of_other(each):
            found.add(each.subject or "")
    above: set[str] = set()
    for each in statements:
        if each.subject is None or each.subject not in nodes:
            continue
        kind = RELATIONS.get(normal(each.term))
        if kind in WITHIN and each.subject in found:
            above.add(each.value)
        if kind in BELOW | {"hasPart"} and each.value in found:
            above.add(each.subject)
    return found | above


def _is_of_other(statement: Statement) -> bool:
    """Whether a statement says what is neither of a version, nor of a file, nor of a place."""
    term = normal(statement.term)
    is_place = term in ALIAS or term in PLACES or term == _OF_PAGE
    kind = RELATIONS.get(term)
    is_same = kind in ABOVE | BELOW or term in _SAME_LINE
    return leads(statement) and not is_place and not is_same


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
    is_telling = kind in _TELLING or kind.endswith("Page")
    return kind == _COMPLEX or (kind.startswith(SCHEMA) and not is_telling)


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
