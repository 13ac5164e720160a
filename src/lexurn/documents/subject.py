"""Subject of a document: the act, version or file that it states it is, with its names.

A document has many statements, on itself and on other acts. These rules tell them apart, in order:

1. lexurn's own block, if there is one, gives the name.
2. Statements without a subject are about the document.
3. The main entity of the page is the document, as is the node at its canonical URL. Main entities
   are those of ``mainEntity``, ``primaryTopic`` and ``mainEntityOfPage``. Rules 4 and 5 then do
   not apply.
4. Otherwise, a named node is the document if nothing else leads to it: an act leads to the acts
   that it cites, and to its versions if it has several; a single version leads to its act.
5. Pages, news, lists and acts without a LEX name only cite the acts that they lead to. These are
   not the document, but for the last entry of a breadcrumb trail and the one topic of the page.
6. A name to cite (``cite-as``, or a canonical link that holds a name) excludes other names.

If several acts are left, all are listed, and the finding LX380 asks for ``mainEntity``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urljoin, urlsplit

from lexurn.documents import terms
from lexurn.documents.document import Notation, Statement
from lexurn.documents.names import NameReader, ReadName, is_related
from lexurn.documents.results import FoundName, Occurrence
from lexurn.vocabulary import DC, DCTERMS, ELI, FOAF, IANA, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lexurn.name import Name

    Claim = tuple[Statement, ReadName]
    """Statement that gives something a name, and that name."""

    Graph = Mapping[str, Collection[str]]
    """Nodes that each node leads to."""

_ABOUT_TERMS = terms.TOPIC_TERMS | {f"{SCHEMA}about"}
_PAGE_TERM = f"{SCHEMA}mainEntityOfPage"
_VALUE_TERM = f"{SCHEMA}value"
_NOT_CITING_TERMS = terms.ALIAS_TERMS | terms.PLACE_TERMS | {_PAGE_TERM}
_SELF_LINKS = terms.NAMING_LINKS | {f"{IANA}self"}
_VOCABULARIES = (DC, DCTERMS, ELI, SCHEMA)
_AKOMA_NTOSO_ALIASES = frozenset(
    terms.make_term(terms.AKOMA_NTOSO, f"FRBR{level}", "FRBRalias", "urn:lex")
    for level in ("Work", "Expression", "Manifestation")
)

_LAW_KINDS = frozenset(
    f"{ELI}Legal{kind}" for kind in ("Expression", "Resource", "ResourceSubdivision")
) | {f"{SCHEMA}Legislation", f"{SCHEMA}LegislationObject"}
_PAGE_KINDS = frozenset(
    f"{SCHEMA}{kind}" for kind in ("CreativeWork", "ItemPage", "Thing", "WebPage", "WebSite")
) | {f"{FOAF}Document"}
"""Kinds of mere pages, which can be about an act."""
_CITING_SUFFIXES = (
    *("Article", "Book", "Event", "Guide", "Legislation", "List", "ListItem", "Page", "Posting"),
    *("Question", "Report", "Review", "/CreativeWork", "/Thing"),
)
"""Ends of the kinds of schema.org that only cite the acts that they lead to."""
_BREADCRUMB_LIST = f"{SCHEMA}BreadcrumbList"
_ENTRY_TERM = f"{SCHEMA}itemListElement"

_SELF_RELATIONS = frozenset(
    {"canonical", "citeAs", "current", "first", "last", "self", "versionHistory"}
)
"""Relations by which a page may link to itself: the first version links to itself as the first."""
_RELATIONS_UP: Final = frozenset({"isFormatOf", "isVersionOf"})
_RELATIONS_TO_WHOLE: Final = _RELATIONS_UP | {"isPartOf"}
_RELATIONS_DOWN: Final = frozenset({"hasFormat", "hasVersion"})
_RELATIONS_OF_VERSIONS: Final = _RELATIONS_UP | _RELATIONS_DOWN
_SAME_WORK_TERMS = frozenset(
    f"{ELI}{term}"
    for term in (
        *("has_another_publication", "is_another_publication_of", "has_member", "is_member_of"),
        *("has_translation", "is_translation_of", "publishes", "published_in_format"),
    )
) | {f"{SCHEMA}translationOfWork", f"{SCHEMA}workTranslation"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Subject of a document.

    Attributes:
        name: its name, or None.
        names: all its names, that one first.
        nodes: the subjects of statements about the document; without a name, about the first act
            in it.
        surely: the names that are stated of the document itself, and not of a node with an IRI.
    """

    name: Name | None
    names: tuple[FoundName, ...]
    nodes: frozenset[str | None]
    surely: frozenset[Name] = frozenset()


def list_occurrences(statements: Iterable[Statement]) -> tuple[Occurrence, ...]:
    """Return the occurrences of statements, each once."""
    occurrences = (
        Occurrence(
            notation=each.notation, term=each.term, line=each.line, is_embedded=each.is_embedded
        )
        for each in statements
    )
    return tuple(dict.fromkeys(occurrences))


def find_subject(statements: Sequence[Statement], names: NameReader) -> Subject:
    """Return the subject of a document, by its statements with normalized terms."""
    # An alias that is called urn:lex is the name; others may be of something else.
    claims = sorted(
        _find_claims(statements, names), key=lambda each: each[0].term not in _AKOMA_NTOSO_ALIASES
    )
    own = _choose_claims(statements, claims, names)
    if not own:
        laws = (e.subject for e in statements if _is_law(e) or terms.is_identifier_term(e.term))
        roots = _PageGraph(statements, laws).find_roots()
        return Subject(name=None, names=(), nodes=frozenset({None, *roots[:1]}))
    by_name: dict[Name, list[Claim]] = defaultdict(list)
    for each, read in own:
        by_name[read.name].append((each, read))
    found = [
        FoundName(
            name=name,
            spellings=tuple(dict.fromkeys(filter(None, (read.spelling for _, read in said)))),
            occurrences=list_occurrences(each for each, _ in said),
        )
        for name, said in by_name.items()
    ]
    main = _choose_main_name(found)
    called = [each for each, _ in by_name[main.name]]
    about = {each.subject for each in called}
    if all(each.subject is None or each.is_embedded for each in called):
        # The page states its name elsewhere: a single act without a name is the same.
        theirs = [each for each in statements if not each.is_embedded]
        acts = dict.fromkeys(each.subject for each in theirs if _is_law(each))
        known = {each.subject for each, _ in claims}
        known |= {each.value for each in theirs if each.subject not in acts and _is_link(each)}
        roots = _PageGraph(theirs, acts).find_roots()
        if len(roots) == 1 and roots[0] not in known:
            about.add(roots[0])
    return Subject(
        name=main.name,
        names=(main, *(each for each in found if each is not main)),
        nodes=frozenset({None, *about}),
        surely=frozenset(read.name for each, read in own if (each.subject or "_:")[:2] == "_:"),
    )


def _find_claims(statements: Sequence[Statement], names: NameReader) -> list[Claim]:
    """Return the statements that give a LEX name, or whose subject has one for its IRI.

    A node without a name gets that of a node that is the same, or of the act of its version.
    """
    seen: set[tuple[str, bool]] = set()
    values = {each.subject: each.value for each in statements if each.term == _VALUE_TERM}
    claims: list[Claim] = []
    for each in statements:
        found, node = None, (each.subject or "", each.is_embedded)
        if terms.is_identifier_term(each.term):
            found = names.read(values.get(each.value, each.value), each.line)
        if found is None and node[0] and node not in seen:
            seen.add(node)
            found = names.read(node[0], each.line)
        if found is not None:
            claims.append((each, found))
    # Other statements refer to a thing by its name and say no more of it.
    named = {each.subject for each, _ in claims}
    for each in statements:
        is_same = each.term in terms.ALIAS_TERMS and each.subject not in named
        is_topic = each.term in _ABOUT_TERMS and each.value not in named
        found = names.read(each.value, each.line) if is_same or is_topic else None
        if found is not None:
            claims.append((each if is_same else replace(each, subject=each.value), found))
    return claims or [
        (replace(each, subject=each.value), found)
        for each in statements
        if each.subject and terms.RELATION_KINDS.get(each.term) in _RELATIONS_UP
        if (found := names.read(each.value, each.line)) is not None
    ]


def _choose_claims(
    statements: Sequence[Statement], claims: Sequence[Claim], names: NameReader
) -> list[Claim]:
    """Return the claims about the document, by the rules of the module, the best first."""
    page = _PageGraph(statements, (each.subject for each, _ in claims))
    topics = page.find_topics()
    wanted = page.main_entities or set(page.find_roots())
    kept = [claim for claim in claims if claim[0].subject is None or claim[0].subject in wanted]
    theirs = [each for each, _ in kept if not each.is_embedded]
    more: set[str] = set()
    if not kept:
        more = topics
    elif theirs and not page.main_entities and all(each.subject is not None for each in theirs):
        # The page may as well be something else that cites acts: a doubt, so all are listed.
        more = topics | page.cited_by_page
    more = more - wanted
    kept += [claim for claim in claims if claim[0].subject in more]
    if not page.main_entities and all(each.subject is not None for each, _ in kept):
        kept = _select_cited(statements, kept, names)
    return sorted(
        kept,
        key=lambda claim: (
            (node := claim[0].subject) is not None,
            node not in topics and not page.is_in_place(node),
        ),
    )


def _select_cited(
    statements: Sequence[Statement], claims: list[Claim], names: NameReader
) -> list[Claim]:
    """Return the claims that agree with the name to cite; without any, that name alone."""
    links = [e for e in statements if e.subject is None and e.term in terms.NAMING_LINKS]
    cited = [(each, read) for each in links if (read := names.read(each.value, each.line))]
    if not cited:
        return claims
    wanted = {read.name for _, read in cited}
    line = wanted.union(*(name.ancestors() for name in wanted))
    same = {
        each.subject
        for each in statements
        if each.term in terms.ALIAS_TERMS
        and (read := names.read(each.value, each.line)) is not None
        and read.name in wanted
    }
    kept = [
        (each, read)
        for each, read in claims
        if each.subject in same or read.name in line or not wanted.isdisjoint(read.name.ancestors())
    ]
    return kept or cited


def _choose_main_name(found: Sequence[FoundName]) -> FoundName:
    """Return the name that lexurn wrote, else the first; or the most specific one below it.

    In Akoma Ntoso each level states its own name, perhaps before lexurn wrote the others.
    """
    levels = [each for each in found if each.is_embedded]
    first = (levels or found)[0]
    if levels:
        levels += [each for each in found if Notation.AKOMA_NTOSO in each.notations]
    below = [
        each
        for each in levels or found
        if first.name in each.name.ancestors()
        # An annex is another document.
        and each.name.work_name == first.name.work_name
        and each.name.partition == first.name.partition
    ]
    main = max((first, *below), key=lambda each: len(each.name.ancestors()))
    # A document with several versions is none of them.
    is_line = all(each is main or is_related(each.name, main.name) for each in below)
    return main if is_line else first


class _PageGraph:
    """Links between the nodes of a page, and the URL of the page.

    Attributes:
        main_entities: the named nodes that the page states it is (rule 3).
        cited_by_page: those that the page cites, if it is more than a page (rule 5).
    """

    def __init__(self, statements: Sequence[Statement], nodes: Iterable[str | None]) -> None:
        self._nodes = dict.fromkeys(node for node in nodes if node is not None)
        self._statements = statements
        self._links = [each for each in statements if _is_link(each)]
        self._of_nodes = {each.value for each in self._links if each.subject in self._nodes}
        own = [e.value for e in statements if e.subject is None and e.term in _SELF_LINKS]
        self._base = own[0] if own else ""
        self._own = set(map(self._normalize_url, own))
        self._kinds: dict[str | None, set[str]] = defaultdict(set)
        self._located: dict[str | None, set[str]] = defaultdict(set)
        for each in statements:
            if each.term == terms.RDF_TYPE:
                self._kinds[each.subject].add(terms.normalize_term(each.value))
            elif each.term in terms.PLACE_TERMS:
                self._located[each.subject].add(self._normalize_url(each.value))
        entities = self._find_entities()
        self.main_entities = entities & self._nodes.keys()
        # Nodes without a name that the page is, if they are more than a page: news, a video.
        self._things = {e for e in entities - self._nodes.keys() if self._kinds[e] - _PAGE_KINDS}
        self._cited, self.cited_by_page = self._find_cited()

    def _find_entities(self) -> set[str]:
        """Return the nodes that the page states it is, and those at its canonical URL."""
        led_to = {each.value for each in self._links if each.subject not in {None, each.value}}
        subjects = {each.subject for each in self._statements if each.subject is not None}
        found = {node for node in subjects if self._normalize_url(node) in self._own}
        at_own_url = found | {node for node in subjects if self._located[node] & self._own}
        # An offer of an act is not the page, even with its URL.
        found |= at_own_url - (self._of_nodes - self._nodes.keys())
        for each in self._statements:
            subject, is_at_own_url = each.subject, each.subject in at_own_url
            is_topic = each.term in terms.TOPIC_TERMS and self._is_page(subject)
            is_act_above = terms.RELATION_KINDS.get(each.term) in _RELATIONS_UP and is_at_own_url
            if (is_topic and (is_at_own_url or subject not in led_to)) or (
                is_act_above and subject not in self._nodes
            ):
                found.add(each.value)
            elif subject is not None and each.term == _PAGE_TERM and self._is_here(each.value):
                found.add(subject)
        return found

    def find_topics(self) -> set[str]:
        """Return the named node that the page is about, if there is only one."""
        found = {
            each.value
            for each in self._statements
            if each.term in _ABOUT_TERMS
            and each.subject is not None
            and each.subject not in self._of_nodes
            and self._is_page(each.subject)
        } & self._nodes.keys()
        return found if len(found) == 1 else set()

    def find_roots(self) -> list[str]:
        """Return the named nodes that nothing else leads to, in their order (rules 4 and 5)."""
        linked = {each.value for each in self._links if each.subject is None}
        identifiers = [e for e in self._statements if terms.is_identifier_term(e.term) and e.value]
        own = {each.value for each in identifiers if each.subject is None}
        links, back = self._order_links(own)
        # In the reverse order of a depth-first search, each node stands before all that it leads
        # to; of nodes that lead to each other, the first counts.
        finished, seen = _visit((*self._nodes, *own), links, set()), set[str]()
        sources = {node for node in reversed(finished) if _visit((node,), links, seen)}
        free = (sources - linked - back | own) & self._nodes.keys()
        left = free - (self._cited - own)
        if not left and len(free) == 1:
            entries: dict[str, list[str]] = defaultdict(list)
            for each in self._links:
                is_trail = _BREADCRUMB_LIST in self._kinds[each.subject]
                if each.subject and each.term == _ENTRY_TERM and is_trail:
                    entries[each.subject].append(each.value)
            last = {found[-1] for found in entries.values()}
            last |= {each.value for each in self._links if each.subject in last}
            trails = {*entries, *chain.from_iterable(entries.values())}
            left = free & (
                last - {each.value for each in self._links if each.subject not in trails}
            )
        return [node for node in self._nodes if node in left]

    def is_in_place(self, node: str | None) -> bool:
        """Return whether a node lies where the page does, or is a part of the page."""
        return node is not None and self._normalize_url(node.partition("#")[0]) in self._own

    def _is_here(self, node: str) -> bool:
        """Return whether a node may be the page: it has no other URL."""
        urls = set(self._located[node])
        if node and not node.startswith(("_:", "#")):
            urls.add(self._normalize_url(node.partition("#")[0]))
        is_known = bool(self._own and urls)
        return node.lower() != "false" and not (is_known and urls.isdisjoint(self._own))

    def _is_page(self, node: str | None) -> bool:
        """Return whether a node may be the page, and is not more than a page."""
        if node is None:
            return True
        is_mere_page = self._kinds[node] <= _PAGE_KINDS
        return node not in self._nodes and is_mere_page and self._is_here(node)

    def _find_cited(self) -> tuple[set[str], set[str]]:
        """Return the nodes that unnamed nodes cite, and those that the page cites (rule 5)."""
        cites, sources = self._collect_citations()
        leading = {
            each.subject
            for each in self._links
            if each.value in self._things
            and each.term not in _NOT_CITING_TERMS
            and each.term not in _SAME_WORK_TERMS
            and terms.RELATION_KINDS.get(each.term) not in _RELATIONS_OF_VERSIONS
        }
        cited = leading.union(_visit(sources, cites, set()))
        by_page = leading.union(_visit(self._things, cites, set()))
        # With a version, its act is cited.
        cited |= {
            each.subject
            for each in self._links
            if terms.RELATION_KINDS.get(each.term) in _RELATIONS_DOWN and each.value in cited
        }
        return self._nodes.keys() & cited, self._nodes.keys() & by_page

    def _collect_citations(self) -> tuple[Graph, set[str]]:
        """Return the links by which unnamed nodes cite, and the nodes that citing begins with.

        A page, news, a list or an act cites; a node without a kind may be any of them.
        """
        distinct = {(each.subject, each.term, each.value) for each in self._links}
        numbers = Counter((subject, term) for subject, term, _ in distinct)
        cites: dict[str, set[str]] = defaultdict(set)
        sources: set[str] = set()
        for subject, term, value in distinct:
            kind = terms.RELATION_KINDS.get(term)
            if subject is None or subject in self._nodes or term in _NOT_CITING_TERMS:
                continue
            is_thing, is_list = subject in self._things, numbers[subject, term] > 1
            is_same = kind in _RELATIONS_DOWN or term in _SAME_WORK_TERMS
            is_part = kind in _RELATIONS_UP or (kind == "isPartOf" and not is_thing)
            if is_part or (is_same and not is_list):
                continue
            cites[subject].add(value)
            is_other = any(
                each.startswith(SCHEMA) and not each.endswith(_CITING_SUFFIXES)
                for each in self._kinds[subject]
            )
            if is_thing or is_list or not is_other:
                sources.add(subject)
        return cites, sources

    def _order_links(self, own: set[str]) -> tuple[Graph, set[str]]:
        """Return the graph for rule 4, and the nodes that cite the name of the page.

        A node leads to its whole, but several versions or parts are led to by theirs.
        """
        found: dict[str, dict[str, None]] = defaultdict(dict)
        parts: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        back: set[str] = set()
        for each in self._links:
            kind = terms.RELATION_KINDS.get(each.term, "")
            if each.subject is None or each.value == each.subject:
                continue
            if each.value in own and kind not in _RELATIONS_UP:
                back.add(each.subject)
            if kind not in _RELATIONS_TO_WHOLE:
                found[each.subject][each.value] = None
            elif each.subject in self._nodes:
                parts[each.value, kind][each.subject] = None
        for (whole, kind), within in parts.items():
            if len(within) > 1 and (whole in self._nodes or whole in own):
                found[whole].update(within)
                continue
            for part in within:
                found[part][whole] = None
            if kind in _RELATIONS_UP:  # a page may be this version, and state its act as well
                back -= within.keys()
        return found, back

    def _normalize_url(self, url: str) -> str:
        """Return a URL in one form for all its spellings."""
        try:
            parts = urlsplit(urljoin(self._base, url) if url.startswith("/") else url)
            port = "" if parts.port in {None, 80, 443} else f":{parts.port}"
        except ValueError:  # not a URL, as with a port that is not a number
            return url
        if parts.scheme not in {"http", "https"}:
            return url
        path = unquote(parts.path).rstrip("/")
        return f"//{parts.hostname}{port}{path}?{parts.query}#{parts.fragment}"


def _visit(nodes: Iterable[str], links: Graph, seen: set[str]) -> list[str]:
    """Return the new nodes that some nodes lead to, each after all that it leads to."""
    found: list[str] = []
    waiting = [(node, False) for node in reversed([*nodes])]
    while waiting:
        current, is_done = waiting.pop()
        if is_done:
            found.append(current)
        elif current not in seen:
            seen.add(current)
            waiting.append((current, True))
            waiting += ((each, False) for each in links.get(current, ()))
    return found


def _is_link(statement: Statement) -> bool:
    """Return whether a statement leads from its subject to something else."""
    term, kind = statement.term, terms.RELATION_KINDS.get(statement.term)
    is_leading = statement.is_iri or kind is not None
    if not is_leading or term in terms.TOPIC_TERMS or term == terms.RDF_TYPE:
        return False
    if statement.subject is not None or kind is not None:
        return statement.subject is not None or kind not in _SELF_RELATIONS
    is_same = term in terms.ALIAS_TERMS | terms.PLACE_TERMS or terms.is_identifier_term(term)
    return term.startswith(_VOCABULARIES) and not is_same


def _is_law(statement: Statement) -> bool:
    return statement.term == terms.RDF_TYPE and terms.normalize_term(statement.value) in _LAW_KINDS
