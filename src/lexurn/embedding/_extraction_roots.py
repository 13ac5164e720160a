"""Which of the things that a document speaks of stand by themselves: nothing else leads to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from lexurn.embedding._extraction_terms import (
    ALIAS,
    NAMING,
    PLACES,
    RELATIONS,
    TOPICS,
    is_identifier,
    normal,
)
from lexurn.embedding._terms import DC, DCTERMS, ELI, RDF_TYPE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from lexurn.embedding._statement import Statement

__all__ = ["here", "is_above", "is_page", "leads", "roots"]

# What a page links to by these may be the page itself: the first version names itself as the first.
_ITSELF = frozenset({"canonical", "citeAs", "current", "first", "last", "self", "versionHistory"})
_LEVELS_BELOW = frozenset({"isFormatOf", "isVersionOf"})
_WITHIN = _LEVELS_BELOW | {"isPartOf"}
_BELOW = frozenset({"hasFormat", "hasVersion"})
_VOCABULARIES = (DC, DCTERMS, ELI, SCHEMA)
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


def leads(statement: Statement) -> bool:
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


def is_above(statement: Statement) -> bool:
    """Whether a statement leads to the work of a version, or to the version of a file."""
    return RELATIONS.get(normal(statement.term)) in _LEVELS_BELOW


def roots(statements: Sequence[Statement], nodes: Collection[str]) -> frozenset[str]:
    """Those that nothing else leads to; the first of those that all lead to each other.

    Args:
        statements: all that a document says.
        nodes: the things that count, in their order.
    """
    linked = {each.value for each in statements if each.subject is None and leads(each)}
    # What a page says it is called it is, whatever leads there.
    own = {
        each.value
        for each in statements
        if each.subject is None and is_identifier(normal(each.term))
    }
    first = _first(nodes, _between(statements, frozenset(nodes)))
    mentioned, listed = _mentioned(statements, frozenset(nodes))
    back = _leading_back(statements, own)
    free = [
        node
        for node in nodes
        if node in own or (node in first and node not in linked and node not in back)
    ]
    told_of = (mentioned | listed) - own
    left = [node for node in free if node not in told_of]
    if left or back or not linked.isdisjoint(nodes):
        return frozenset(left)
    # A list of links, as that at the top of a page, may have the page itself in it; one of several
    # acts says of none of them that the page is it.
    return frozenset(free if len(free) == 1 and free[0] not in mentioned else ())


def _between(
    statements: Iterable[Statement], nodes: Container[str | None]
) -> Mapping[str, list[str]]:
    """What leads from the things that count to others.

    What has several versions or parts of which each leads to it is what they all are, and leads
    to them.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    within: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in statements:
        subject, kind = each.subject, RELATIONS.get(normal(each.term))
        if subject is None or subject not in nodes or each.value == subject or not leads(each):
            continue
        if kind in _WITHIN:
            within[each.value, kind].append(subject)
        else:
            found[subject][each.value] = None
    for (whole, _), parts in within.items():
        if whole in nodes and len(set(parts)) > 1:
            found[whole].update(dict.fromkeys(parts))
        else:
            for part in parts:
                found[part][whole] = None
    return {node: list(targets) for node, targets in found.items()}


def _mentioned(
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
    mentioned = {each.subject or "" for each in named if each.value in page and _is_of_other(each)}
    listed: set[str] = set()
    for each in links:
        subject, term, value = _link(each)
        is_back = subject not in page and returning[subject] == 1 and (value, subject) in there
        is_of = subject in beside or RELATIONS.get(term) in _BELOW
        if not is_back and not (is_of and counts[subject, term] == 1):
            (listed if subject in crumbs else mentioned).add(value)
    mentioned |= {each.value for each in others if each.subject in page and _is_of_other(each)}
    return mentioned, listed


def here(statements: Sequence[Statement]) -> set[str]:
    """What the page is, by its place or as what it is about, where that is more than a page.

    What leads to that, or what that leads to, is something else.
    """
    links = {each.value for each in statements if each.subject is None and each.term in NAMING}
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
    return leads(statement) and not is_place and kind not in _LEVELS_BELOW | _BELOW


def _link(statement: Statement) -> tuple[str | None, str, str]:
    return statement.subject, normal(statement.term), statement.value


def _may_mention(statement: Statement) -> bool:
    term = normal(statement.term)
    is_elsewhere = term in ALIAS or term in PLACES or term == _OF_PAGE
    return leads(statement) and not is_elsewhere and RELATIONS.get(term) not in _WITHIN


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


def _first(nodes: Iterable[str], between: Mapping[str, list[str]]) -> set[str]:
    """What nothing leads to, or only what it leads to itself: of those, the first."""
    back: dict[str, list[str]] = defaultdict(list)
    for node, targets in between.items():
        for target in targets:
            back[target].append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for node in nodes:
        finished += _reached(node, between, seen)
    # Whoever finishes last leads to all of its group (Kosaraju's algorithm).
    groups: dict[str, int] = {}
    for number, node in enumerate(reversed(finished)):
        if node not in groups:
            for each in _reached(node, back, set(), groups):
                groups[each] = number
    led_to = {
        groups[target]
        for node, targets in between.items()
        for target in targets
        if groups[target] != groups[node]
    }
    heads: dict[int, str] = {}
    for node in nodes:
        heads.setdefault(groups[node], node)
    return {node for number, node in heads.items() if number not in led_to}


def _reached(
    node: str,
    between: Mapping[str, list[str]],
    seen: set[str],
    others: Container[str] = (),
) -> list[str]:
    """What a thing leads to and has not been seen, each behind all that it leads to."""
    found: list[str] = []
    waiting = [(node, False)]
    while waiting:
        current, is_done = waiting.pop()
        if is_done:
            found.append(current)
        elif current not in seen and current not in others:
            seen.add(current)
            waiting.append((current, True))
            waiting += ((each, False) for each in between.get(current, ()))
    return found


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
        elif leads(each):
            leading.add(each.subject)
            if is_above(each):
                versions.add(each.subject)
    itself = {each for each in leading if each in called or each in own}
    return leading - itself - (versions if len(versions) == 1 else set())
