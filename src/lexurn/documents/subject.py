"""Subject of a document: the act, version or file that it states it is, and the names of that.

A document is what statements without a subject are about, and a thing that it gives a LEX name and
that neither it nor anything else which it speaks of leads to: a page with a block of JSON-LD about
an act is that act, and the versions that the block mentions, or the page links to, are others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from lexurn.documents.document import Notation
from lexurn.documents.names import is_related
from lexurn.documents.results import FoundName, Occurrence
from lexurn.documents.terms import (
    AKOMA_NTOSO,
    ALIAS_TERMS,
    NAMING_LINKS,
    PLACE_TERMS,
    RDF_TYPE,
    RELATION_KINDS,
    TOPIC_TERMS,
    is_identifier_term,
    make_term,
    normalize_term,
)
from lexurn.vocabulary import DC, DCTERMS, ELI, FOAF, IANA, SCHEMA

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from typing import Final

    from lexurn.documents.document import Statement
    from lexurn.documents.names import NameReader, ReadName
    from lexurn.name import Name

    Claim = tuple[Statement, ReadName]
    """What gives something a name, and that name."""

_SUBJECT_TERMS = TOPIC_TERMS | {f"{SCHEMA}about"}
_VALUE_TERM = f"{SCHEMA}value"
_AGENT_KINDS = frozenset(
    f"{SCHEMA}{kind}" for kind in ("GovernmentOrganization", "Organization", "Person")
)
_AKOMA_NTOSO_ALIASES = frozenset(
    make_term(AKOMA_NTOSO, f"FRBR{level}", "FRBRalias", "urn:lex")
    for level in ("Work", "Expression", "Manifestation")
)
_LAW_KINDS = frozenset(
    {
        *(f"{SCHEMA}{kind}" for kind in ("Legislation", "LegislationObject")),
        *(
            f"{ELI}{kind}"
            for kind in ("LegalExpression", "LegalResource", "LegalResourceSubdivision")
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
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


def make_occurrence(statement: Statement) -> Occurrence:
    """Where a statement stands."""
    return Occurrence(
        notation=statement.notation,
        term=normalize_term(statement.term),
        line=statement.line,
        is_embedded=statement.is_embedded,
    )


def find_subject(statements: Sequence[Statement], names: NameReader) -> Subject:
    """What a document is, by what it says."""
    # An alias that is called urn:lex is the name; others may be of something else.
    claims = sorted(
        _find_claims(statements, names), key=lambda each: each[0].term not in _AKOMA_NTOSO_ALIASES
    )
    nodes = dict.fromkeys(each.subject for each, _ in claims if each.subject is not None)
    first = _find_roots(statements, nodes)
    own = [claim for claim in claims if claim[0].subject is None or claim[0].subject in first]
    own = _choose_claims(statements, own, claims, names)
    found = _group_names(own)
    if not found:
        return Subject(
            name=None,
            names=(),
            nodes=frozenset({None, *_find_laws(statements, _is_identifying)[:1]}),
        )
    main = _choose_main_name(found)
    called = [each for each, read in own if read.name == main.name]
    about = {each.subject for each in called}
    if all(each.subject is None or each.is_embedded for each in called):
        about.update(_find_only_law(statements, nodes))
    return Subject(
        name=main.name,
        names=(main, *(each for each in found if each is not main)),
        nodes=frozenset({None, *about}),
        surely=frozenset(read.name for each, read in own if (each.subject or "_:")[:2] == "_:"),
    )


def _find_claims(statements: Sequence[Statement], names: NameReader) -> list[Claim]:
    """Statements that give something a LEX name, or are about what has one for its IRI.

    What has none is called by a name that it is said to be the same as; some things are named, and
    nothing else is said of them.
    """
    seen: set[tuple[str, bool]] = set()
    values = {
        each.subject: each.value for each in statements if normalize_term(each.term) == _VALUE_TERM
    }
    claims: list[Claim] = []
    for each in statements:
        text = values.get(each.value, each.value)
        found = (
            names.read(text, each.line) if is_identifier_term(normalize_term(each.term)) else None
        )
        if (
            found is None
            and each.subject is not None
            and (each.subject, each.is_embedded) not in seen
        ):
            seen.add((each.subject, each.is_embedded))
            found = names.read(each.subject, each.line)
        if found is not None:
            claims.append((each, found))
    named = {each.subject for each, _ in claims}
    agents = {each.subject for each in statements if normalize_term(each.value) in _AGENT_KINDS}
    for each in statements:
        kind = normalize_term(each.term)
        is_same = kind in ALIAS_TERMS and each.subject not in named and each.subject not in agents
        if is_same or (kind in _SUBJECT_TERMS and each.value not in named):
            found = names.read(each.value, each.line)
            if found is not None:
                claims.append((each if is_same else replace(each, subject=each.value), found))
    if not claims:
        above = [each for each in statements if each.subject is not None and _is_link_up(each)]
        read = [(each, names.read(each.value, each.line)) for each in above]
        claims += [(replace(each, subject=each.value), name) for each, name in read if name]
    return claims


def _find_only_law(statements: Sequence[Statement], named: Container[str]) -> tuple[str, ...]:
    """The law that a page speaks of where it says its name elsewhere; of several nobody knows."""
    theirs = [each for each in statements if not each.is_embedded]
    kinds = {each.subject for each in theirs if _is_law(each)}
    mentioned = {each.value for each in theirs if each.subject not in kinds and _is_link(each)}
    laws = _find_laws(theirs, _is_law)
    is_known = len(laws) == 1 and laws[0] not in named and laws[0] not in mentioned
    return tuple(laws) if is_known else ()


def _find_laws(statements: Sequence[Statement], is_law: Callable[[Statement], bool]) -> list[str]:
    """What is a law by any statement on it, and nothing else leads to."""
    laws = dict.fromkeys(
        each.subject for each in statements if each.subject is not None and is_law(each)
    )
    first = _find_roots(statements, laws)
    return [node for node in laws if node in first]


def _is_law(statement: Statement) -> bool:
    return statement.term == RDF_TYPE and normalize_term(statement.value) in _LAW_KINDS


def _is_identifying(statement: Statement) -> bool:
    """Whether it says that something is a law, or what it is called."""
    return is_identifier_term(normalize_term(statement.term)) or _is_law(statement)


def _group_names(claims: Iterable[Claim]) -> tuple[FoundName, ...]:
    """Each name once, with all places and spellings."""
    said: dict[Name, dict[Occurrence, None]] = defaultdict(dict)
    spellings: dict[Name, dict[str, None]] = defaultdict(dict)
    for statement, read in claims:
        said[read.name][make_occurrence(statement)] = None
        if read.spelling is not None:
            spellings[read.name][read.spelling] = None
    return tuple(
        FoundName(name=name, spellings=tuple(spellings[name]), occurrences=tuple(places))
        for name, places in said.items()
    )


def _choose_main_name(found: Sequence[FoundName]) -> FoundName:
    """The name that lexurn wrote; else the most particular one below that which stands first.

    In Akoma Ntoso each level says its own name, some perhaps before lexurn said the others.
    """
    ours = [each for each in found if each.is_embedded]
    levels = [
        each
        for each in found
        if any(place.notation is Notation.AKOMA_NTOSO for place in each.occurrences)
    ]
    first = (ours or found)[0]
    below = [
        each
        for each in ((*ours, *levels) if ours else found)
        if first.name in each.name.ancestors() and _is_same_document(each.name, first.name)
    ]
    main = max((first, *below), key=lambda each: len(each.name.ancestors()))
    # A document with several versions is none of them.
    is_line = all(each is main or is_related(each.name, main.name) for each in below)
    return main if is_line else first


def _is_same_document(name: Name, other: Name) -> bool:
    """Whether names differ in version and file alone, and not as those of an act and its annex."""
    return (name.work_name, name.partition) == (other.work_name, other.partition)


_ABOUT_TERM = f"{SCHEMA}about"
_PAGE_TERM = f"{SCHEMA}mainEntityOfPage"
_PAGE_KINDS_ONLY = frozenset(f"{SCHEMA}{kind}" for kind in ("ItemPage", "WebPage"))
_PART_RELATIONS = frozenset({"hasPart", "isPartOf"})


def _choose_claims(
    statements: Sequence[Statement],
    roots: Sequence[Claim],
    claims: Sequence[Claim],
    names: NameReader,
) -> list[Claim]:
    """Of claims to be what a page is, those that it agrees with.

    What it says of itself without a subject comes first, and then what it may be.

    Args:
        statements: all that the page says.
        roots: the claims of what nothing else leads to, which it is where it says no more.
        claims: all statements that give a name to something, with that name.
        names: reads names.
    """
    page = _PageNodes(statements, frozenset(each.subject for each, _ in claims))
    about = set(page.about())
    pointed = [claim for claim in claims if claim[0].subject in about]
    kept = [claim for claim in roots if claim[0].subject is None or not pointed] + pointed
    if not kept:
        told_of = page.topics()
        kept = [claim for claim in claims if claim[0].subject in told_of]
    elif not pointed and _is_undecided(kept):
        told_of = page.told_of() - {each.subject for each, _ in kept}
        kept += [claim for claim in claims if claim[0].subject in told_of]
    if not pointed and all(each.subject is not None for each, _ in kept):
        kept = _select_cited(statements, kept, names)
    perhaps = set(page.perhaps())
    return sorted(
        kept, key=lambda each: (each[0].subject is not None, each[0].subject not in perhaps)
    )


def _is_undecided(claims: Iterable[Claim]) -> bool:
    """Whether what a page seems to be may be things that it cites, for all that it says itself."""
    theirs = [each for each, _ in claims if not each.is_embedded]
    return bool(theirs) and all(each.subject is not None for each in theirs)


class _PageNodes:
    """What a document says of the place where it lies, and of pages that may be itself."""

    def __init__(self, statements: Sequence[Statement], named: frozenset[str | None]) -> None:
        """Look at statements; what has a name is no mere page.

        Args:
            statements: all that the document says.
            named: what has a LEX name there.
        """
        self._said = [(each, normalize_term(each.term)) for each in statements]
        self._named = named
        self._site = _PagePlaces(statements)
        own = self._site.own
        self._is_known = bool(own)
        located: dict[str | None, set[str]] = defaultdict(set)
        for each, term in self._said:
            if term in PLACE_TERMS:
                located[each.subject].add(self._site.of(each.value))
        self._located = frozenset(located)
        # A node that says where it lies may be the page, too.
        own_nodes = {node for node, where in located.items() if not where.isdisjoint(own)}
        self._places = own | {self._site.of(node) for node in own_nodes if node is not None}
        self._paths = {each.partition("?")[0] for each in self._places}
        kinds: dict[str | None, set[str]] = defaultdict(set)
        for each, term in self._said:
            if term == RDF_TYPE:
                kinds[each.subject].add(normalize_term(each.value))
        pages = {node for node, found in kinds.items() if all(map(_is_page_kind, found))}
        self._pages = {
            node for node in pages if not _PAGE_KINDS_ONLY.isdisjoint(kinds[node])
        } - named
        self._things = _find_page_nodes(statements, self._site, named) - named
        outward = [each for each, term in self._said if term != _PAGE_TERM and _is_link(each)]
        below = {each.value for each in outward if each.subject not in {None, each.value}}
        self._alone = self._pages - below
        self._of_named = {each.value for each in outward if each.subject in named}

    def about(self) -> Iterator[str]:
        """What the page says that it is about, or lies where it does."""
        for each, term in self._said:
            subject = each.subject
            if term in TOPIC_TERMS and self._is_page(subject):
                yield each.value
            if subject is None:
                continue
            is_here = self._site.of(subject) in self._places
            if is_here or (term == _PAGE_TERM and self._site.of(each.value) in self._places):
                yield subject
            if is_here and subject not in self._named and _is_link_up(each):
                yield each.value

    def perhaps(self) -> Iterator[str]:
        """What may be the page, or something in it, or of one: no others are left out for it."""
        articles = {each.subject for each, term in self._said if self._is_of_page(each, term)}
        telling = self._pages | (articles - self._named)
        for each, term in self._said:
            subject = each.subject
            if self._may_be(subject) and (
                term in TOPIC_TERMS or (term == _ABOUT_TERM and subject in telling)
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
            is_told = (
                term in TOPIC_TERMS
                or term == _ABOUT_TERM
                or RELATION_KINDS.get(term) in _PART_RELATIONS
            )
            is_of_page = subject in self._things and _is_link(each)
            if is_of_page or (is_told and self._is_outer(subject)):
                found.add(each.value)
            if each.value in self._things and subject is not None and _is_link(each):
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
            if (
                is_of_page
                and each.value in self._named
                and (term == _ABOUT_TERM or term in TOPIC_TERMS)
            ):
                (main if term in TOPIC_TERMS else others).add(each.value)
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
        return _has_no_place(node) and node not in self._located

    def _is_of_page(self, statement: Statement, term: str) -> bool:
        """Whether a statement says that something is of a page, which may be this one."""
        value = statement.value
        if term != _PAGE_TERM or value.lower() == "false":
            return False
        return value.lower() == "true" or self._may_be(value)


def _select_cited(
    statements: Sequence[Statement], claims: list[Claim], names: NameReader
) -> list[Claim]:
    """The claims that agree with how a page is to be cited; that alone where none does."""
    links = [
        each
        for each in statements
        if each.subject is None and normalize_term(each.term) in NAMING_LINKS
    ]
    cited = [(each, read) for each in links if (read := names.read(each.value, each.line))]
    if not cited:
        return claims
    wanted = {read.name for _, read in cited}
    line = wanted | {above for name in wanted for above in name.ancestors()}
    same = {each.subject for each in statements if _is_alias_of(each, wanted, names)}
    kept = [
        (each, read)
        for each, read in claims
        if each.subject in same or read.name in line or not wanted.isdisjoint(read.name.ancestors())
    ]
    return kept or cited


def _is_alias_of(statement: Statement, wanted: Container[Name], names: NameReader) -> bool:
    if normalize_term(statement.term) not in ALIAS_TERMS:
        return False
    found = names.read(statement.value, statement.line)
    return found is not None and found.name in wanted


def _find_roots(statements: Sequence[Statement], nodes: Collection[str]) -> frozenset[str]:
    """Those that nothing else leads to; the first of those that all lead to each other.

    Args:
        statements: all that a document says.
        nodes: the things that count, in their order.
    """
    linked = {each.value for each in statements if each.subject is None and _is_link(each)}
    # What a page says it is called it is, whatever leads there.
    own = {
        each.value
        for each in statements
        if each.subject is None and is_identifier_term(normalize_term(each.term))
    }
    first = _find_first_nodes(nodes, _collect_links(statements, frozenset(nodes)))
    told, listed = _find_mentions(statements, frozenset(nodes))
    back = _find_back_links(statements, own)
    free = [
        node
        for node in nodes
        if node in own or (node in first and node not in linked and node not in back)
    ]
    told_of = (told | listed) - own
    left = [node for node in free if node not in told_of]
    if left or back or not linked.isdisjoint(nodes):
        return frozenset(left)
    # A list of links, as that at the top of a page, may have the page itself in it; one of several
    # acts says of none of them that the page is it.
    return frozenset(free if len(free) == 1 and free[0] not in told else ())


def _collect_links(
    statements: Iterable[Statement], nodes: Container[str | None]
) -> Mapping[str, list[str]]:
    """What leads from the things that count to others.

    What has several versions or parts of which each leads to it is what they all are, and leads
    to them.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    within: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in statements:
        subject, kind = each.subject, RELATION_KINDS.get(normalize_term(each.term))
        if subject is None or subject not in nodes or each.value == subject or not _is_link(each):
            continue
        if kind in _RELATIONS_TO_WHOLE:
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


def _find_first_nodes(nodes: Iterable[str], between: Mapping[str, list[str]]) -> set[str]:
    """What nothing leads to, or only what it leads to itself: of those, the first."""
    back: dict[str, list[str]] = defaultdict(list)
    for node, targets in between.items():
        for target in targets:
            back[target].append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for node in nodes:
        finished += _find_reachable(node, between, seen)
    # Whoever finishes last leads to all of its group (Kosaraju's algorithm).
    groups: dict[str, int] = {}
    for number, node in enumerate(reversed(finished)):
        if node not in groups:
            for each in _find_reachable(node, back, set(), groups):
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


def _find_reachable(
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


def _find_back_links(statements: Iterable[Statement], own: Container[str]) -> set[str]:
    """What leads to what the page says that it is called: the other acts of a list, its versions.

    A single version may be what the page is, for which it says the name of the act as well.
    """
    called: set[str] = set()
    leading: set[str] = set()
    versions: set[str] = set()
    for each in statements:
        if each.subject is None or each.value not in own:
            continue
        if is_identifier_term(normalize_term(each.term)):
            called.add(each.subject)
        elif _is_link(each):
            leading.add(each.subject)
            if _is_link_up(each):
                versions.add(each.subject)
    itself = {each for each in leading if each in called or each in own}
    return leading - itself - (versions if len(versions) == 1 else set())


_PAGE_KINDS = frozenset(
    {
        *(
            f"{SCHEMA}{kind}"
            for kind in ("CreativeWork", "ItemPage", "Thing", "WebPage", "WebSite")
        ),
        f"{FOAF}Document",
    }
)
_SAME_WORK_TERMS = frozenset(
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
_BREADCRUMB_LIST = f"{SCHEMA}BreadcrumbList"
_ENTRY_TERM = f"{SCHEMA}itemListElement"
_POSITION_TERM = f"{SCHEMA}position"
_MOST_DIGITS = 9
_COMPLEX_WORK = f"{ELI}ComplexWork"
# What may tell of acts, be it a page or in one; all else is of the act that it leads to.
_TELLING_KINDS = frozenset(
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


def _find_mentions(
    statements: Sequence[Statement], nodes: Collection[str | None]
) -> tuple[set[str], set[str]]:
    """What things lead to that do not count, as a piece of news to acts; beside it, breadcrumbs.

    No mention are the work of a version, the whole of a part, and what a thing leads back to, nor
    the one version of an act or what a comment, a picture or a collection has alone.
    """
    others = [each for each in statements if each.subject is not None and each.subject not in nodes]
    links = [each for each in others if _is_mention(each)]
    named = [each for each in statements if each.subject in nodes and _is_link(each)]
    there = {(each.subject, each.value) for each in named}
    within = {value for _, value in there}
    links += [
        each
        for each in others
        if normalize_term(each.term) in TOPIC_TERMS and each.subject in within
    ]
    page = _find_page_nodes(statements, _PagePlaces(statements), nodes) - set(nodes)
    led_to = {each.value for each in statements if each.subject != each.value and _is_link(each)}
    # A comment on a piece of news is of that, and not of the act that it is about.
    beside = _find_side_nodes(statements) - page - led_to
    counts = Counter((subject, term) for subject, term, _ in set(map(_make_link_key, links)))
    returning = Counter(
        subject
        for subject, _, value in set(map(_make_link_key, links))
        if (value, subject) in there
    )
    crumbs = _find_last_breadcrumbs(others) if not page else set()
    found = _find_page_neighbours(statements, page, nodes)
    listed: set[str] = set()
    for each in links:
        subject, term, value = _make_link_key(each)
        is_back = subject not in page and returning[subject] == 1 and (value, subject) in there
        is_of = (
            subject in beside
            or RELATION_KINDS.get(term) in _RELATIONS_DOWN
            or term in _SAME_WORK_TERMS
        )
        if not is_back and not (is_of and counts[subject, term] == 1):
            (listed if subject in crumbs else found).add(value)
    return found, listed


def _find_page_nodes(
    statements: Sequence[Statement], places: _PagePlaces, nodes: Collection[str | None]
) -> set[str]:
    """What the page is, by its place or as what it is about, where that is more than a page.

    What leads to that, or what that leads to, is something else.

    Args:
        statements: all that the page says.
        places: where the page lies.
        nodes: what has a LEX name; what that leads to is something of it.
    """
    of_nodes = {each.value for each in statements if each.subject in nodes and _is_link(each)}
    located = {
        each.subject
        for each in statements
        if normalize_term(each.term) in PLACE_TERMS
        and places.of(each.value) in places.own
        and each.subject not in of_nodes
    }
    pages = {each.subject for each in statements if _is_page_kind(_read_kind(each))}
    found: set[str] = {each for each in located if each is not None}
    for each in statements:
        subject, term = each.subject, normalize_term(each.term)
        if subject is not None and places.of(subject) in places.own:
            found.add(subject)
        is_here = subject is None or subject in located or places.around(subject) in places.own
        is_loose = subject in pages and (not places.own or _has_no_place(subject or ""))
        if term in TOPIC_TERMS and (is_here or (is_loose and subject not in of_nodes)):
            found.add(each.value)
        if term == _PAGE_TERM and subject is not None and _is_own_page(each.value, places, located):
            found.add(subject)
    for _ in range(2):  # what it is a version of, or a file of a version
        found |= {each.value for each in statements if each.subject in found and _is_link_up(each)}
    typed = {
        each.subject
        for each in statements
        if _read_kind(each) and not _is_page_kind(_read_kind(each))
    }
    return {each for each in found if each in typed}


def _is_own_page(value: str, places: _PagePlaces, located: Collection[str | None]) -> bool:
    """Whether what is said to be the page of something is this one, or may be."""
    if value.lower() in {"true", "false"} or not places.own:
        return value.lower() != "false"
    return value in located or places.around(value) in places.own


def _read_kind(statement: Statement) -> str:
    """The kind that a statement gives a thing; blank where it says something else."""
    return normalize_term(statement.value) if statement.term == RDF_TYPE else ""


def _is_page_kind(kind: str) -> bool:
    """Whether a kind of things is pages as such, or sites, of which acts may be the matter."""
    return kind in _PAGE_KINDS


def _find_page_neighbours(
    statements: Sequence[Statement], page: Collection[str | None], nodes: Collection[str | None]
) -> set[str]:
    """What leads to what the page is, or is led to from there, and what that is a version of."""
    found: set[str] = set()
    for each in statements:
        if each.subject in page and _is_content_link(each):
            found.add(each.value)
        if each.value in page and each.subject in nodes and _is_content_link(each):
            found.add(each.subject or "")
    above: set[str] = set()
    for each in statements:
        if each.subject is None or each.subject not in nodes:
            continue
        kind = RELATION_KINDS.get(normalize_term(each.term))
        if kind in _RELATIONS_TO_WHOLE and each.subject in found:
            above.add(each.value)
        if kind in _RELATIONS_DOWN | {"hasPart"} and each.value in found:
            above.add(each.subject)
    return found | above


def _is_content_link(statement: Statement) -> bool:
    """Whether a statement says what is neither of a version, nor of a file, nor of a place."""
    term = normalize_term(statement.term)
    is_place = term in ALIAS_TERMS or term in PLACE_TERMS or term == _PAGE_TERM
    kind = RELATION_KINDS.get(term)
    is_same = kind in _RELATIONS_UP | _RELATIONS_DOWN or term in _SAME_WORK_TERMS
    return _is_link(statement) and not is_place and not is_same


def _make_link_key(statement: Statement) -> tuple[str | None, str, str]:
    return statement.subject, normalize_term(statement.term), statement.value


def _is_mention(statement: Statement) -> bool:
    term = normalize_term(statement.term)
    is_elsewhere = term in ALIAS_TERMS or term in PLACE_TERMS or term == _PAGE_TERM
    return (
        _is_link(statement)
        and not is_elsewhere
        and RELATION_KINDS.get(term) not in _RELATIONS_TO_WHOLE
    )


def _find_side_nodes(statements: Iterable[Statement]) -> set[str | None]:
    """What is no page, list or act by its kind; what has no kind may be any."""
    kinds: dict[str | None, bool] = {}
    for each in statements:
        if each.term == RDF_TYPE:
            is_beside = _is_side_kind(normalize_term(each.value))
            kinds[each.subject] = is_beside and kinds.get(each.subject, True)
    return {node for node, is_beside in kinds.items() if is_beside}


def _is_side_kind(kind: str) -> bool:
    is_telling = kind in _TELLING_KINDS or kind.endswith("Page")
    return kind == _COMPLEX_WORK or (kind.startswith(SCHEMA) and not is_telling)


def _find_last_breadcrumbs(statements: Sequence[Statement]) -> set[str]:
    """The last entries of lists that say where the page stands in its site, or all of one."""
    crumbs = {each.subject for each in statements if normalize_term(each.value) == _BREADCRUMB_LIST}
    places = {
        each.subject: int(each.value)
        for each in statements
        if normalize_term(each.term) == _POSITION_TERM
        and each.value.isdecimal()
        and len(each.value) < _MOST_DIGITS
    }
    entries: dict[str | None, list[str]] = defaultdict(list)
    for each in statements:
        if each.subject in crumbs and normalize_term(each.term) == _ENTRY_TERM:
            entries[each.subject].append(each.value)
    last: set[str] = set()
    for found in entries.values():
        highest = max(places.get(entry, 0) for entry in found)
        last.update(entry for entry in found if places.get(entry, 0) == highest)
    return last


# What a page links to by these may be the page itself: the first version names itself as the first.
_SELF_RELATIONS = frozenset(
    {"canonical", "citeAs", "current", "first", "last", "self", "versionHistory"}
)
_VOCABULARIES = (DC, DCTERMS, ELI, SCHEMA)

_RELATIONS_UP: Final = frozenset({"isFormatOf", "isVersionOf"})
"""Relations to the work of a version, and to the version of a file."""

_RELATIONS_TO_WHOLE: Final = _RELATIONS_UP | {"isPartOf"}
"""Those, and to the whole of a part."""

_RELATIONS_DOWN: Final = frozenset({"hasFormat", "hasVersion"})
"""Relations to a version, and to a file."""


def _is_link(statement: Statement) -> bool:
    """Whether a statement leads from what it is said of to something else."""
    term = normalize_term(statement.term)
    kind = RELATION_KINDS.get(term)
    if term in TOPIC_TERMS or term == RDF_TYPE or not (statement.is_iri or kind is not None):
        return False
    if statement.subject is not None:
        return True
    if kind is not None:
        return kind not in _SELF_RELATIONS
    is_same = term in ALIAS_TERMS or term in PLACE_TERMS or is_identifier_term(term)
    return term.startswith(_VOCABULARIES) and not is_same


def _is_link_up(statement: Statement) -> bool:
    """Whether a statement leads to the work of a version, or to the version of a file."""
    return RELATION_KINDS.get(normalize_term(statement.term)) in _RELATIONS_UP


_OWN_PLACE_TERMS = NAMING_LINKS | {f"{IANA}self"}
_WEB_SCHEMES = frozenset({"http", "https"})
_WEB_PORTS = frozenset({None, 80, 443})


class _PagePlaces:
    """The places of a page.

    Attributes:
        own: where the page lies, each place as `of` gives it; empty where it does not say.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        """Take what a page says of itself.

        Args:
            statements: all that the page says.
        """
        links = [
            each.value
            for each in statements
            if each.subject is None and normalize_term(each.term) in _OWN_PLACE_TERMS
        ]
        self._base = links[0] if links else ""
        self.own = frozenset(map(self.of, links))

    def of(self, url: str) -> str:
        """A URL in one way for all that lead to the same place."""
        try:
            parts = urlsplit(urljoin(self._base, url) if url.startswith("/") else url)
            port = "" if parts.port in _WEB_PORTS else f":{parts.port}"
        except ValueError:  # no URL after all, as with a port that is no number
            return url
        if parts.scheme not in _WEB_SCHEMES:
            return url
        path = unquote(parts.path).rstrip("/")
        return f"//{parts.hostname}{port}{path}?{parts.query}#{parts.fragment}"

    def around(self, url: str) -> str:
        """The place that a URL is of or in, as a part of the page."""
        return self.of(url.partition("#")[0])

    def about(self, url: str) -> str:
        """The same without a query, which may be there for statistics alone."""
        return self.around(url).partition("?")[0]


def _has_no_place(node: str) -> bool:
    """Whether something is only in the page, with no URL of its own."""
    return not node or node.startswith(("_:", "#"))
