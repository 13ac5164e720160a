"""RDFa 1.1 in HTML and XHTML (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1), without lists.

Values with ``inlist`` are left out. A value that would be markup (``rdf:XMLLiteral``,
``rdf:HTML``) is given as its text. The prefixes known without declaration are those of the W3C's
initial context (https://www.w3.org/2011/rdfa-context/rdfa-1.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.documents.document import Notation
from lexurn.documents.reading.page import StatementValue, TooManyStatementsError
from lexurn.documents.terms import RDF_TYPE, load_vocabulary
from lexurn.vocabulary import RDF, XHV, XSD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.documents.reading.page import Element, Page, StatementCollector


_TERM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9._/-]*")
"""Pattern of a term, which is not an IRI."""

_PREFIX_PAIR = re.compile(r"(?<!\S)([A-Za-z_][\w.-]*|):\s+(\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """Evaluation context of an element (RDFa Core section 7.2).

    Attributes:
        subject: the parent subject.
        object: the parent object.
        prefixes: IRIs by their prefixes, in lower case.
        terms: IRIs of terms.
        vocabulary: the vocabulary of terms; None if they have IRIs of their own.
        incomplete: relations without an object, and whether they lead to it or from it.
    """

    subject: str
    object: str
    prefixes: Mapping[str, str]
    terms: Mapping[str, str]
    vocabulary: str | None = None
    incomplete: tuple[tuple[str, bool], ...] = ()

    def resolve_term(self, word: str) -> str | None:
        """Return the IRI of a term, or None."""
        if _TERM.fullmatch(word) is None:
            return None
        if self.vocabulary is not None:
            return self.vocabulary + word
        return self.terms.get(word) or self.terms.get(word.lower())

    def resolve_compact(self, text: str) -> str | None:
        """Return the IRI of a compact IRI, a blank node of ``_:x``, or None."""
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            # Not equal to the blank nodes without a name in the page.
            return f"_:n{rest}"
        start = self.prefixes.get(prefix.lower()) if prefix else XHV
        return None if start is None else start + rest


class _ElementNodes(NamedTuple):
    """Nodes of an element: its new subject, its current object, the subject of its types."""

    subject: str
    object: str | None = None
    typed: str | None = None
    is_skipped: bool = False


_MARKUP_TYPES = frozenset(f"{RDF}{kind}" for kind in ("XMLLiteral", "HTML"))
_DAY = r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}"
_ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
_TIME = rf"[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?{_ZONE}"
# The shape of a date or time gives its datatype (HTML+RDFa section 3.1).
_MOMENT_SHAPES = tuple(
    (re.compile(pattern), f"{XSD}{kind}")
    for pattern, kind in (
        (rf"{_DAY}{_ZONE}", "date"),
        (rf"{_DAY}T{_TIME}", "dateTime"),
        (_TIME, "time"),
        (r"-?[0-9]{4,}-[0-9]{2}", "gYearMonth"),
        (r"-?[0-9]{4,}", "gYear"),
        (r"-?P(?=.)(?:[0-9]+[YMD])*(?:T(?:[0-9.]+[HMS])+)?", "duration"),
    )
)


_USES = "http://www.w3.org/ns/rdfa#usesVocabulary"
_ATTRIBUTES = frozenset(
    ["about", "content", "datatype", "href", "property", "rel", "resource", "rev", "src", "typeof"]
)
_SCOPE_ATTRIBUTES = frozenset(["prefix", "vocab"])
_STATING_ATTRIBUTES = frozenset(["property", "rel", "rev", "typeof"])
"""Attributes without which an element states nothing itself."""

# Prefixes of a page, counted at each element that declares new ones.
_MOST_PREFIXES = 5_000_000
_TOO_MANY_PREFIXES = "declares prefixes at too many places"


def read_rdfa(page: Page, collector: StatementCollector) -> None:
    """Add the statements of a page in RDFa."""
    terms: dict[str, str] = load_vocabulary("rdfa_terms")
    if page.is_xhtml1:
        terms = {**load_vocabulary("xhtml_terms"), **terms}
    outermost = _Context(
        subject=collector.base,
        object=collector.base,
        prefixes=load_vocabulary("rdfa_prefixes"),
        terms=terms,
    )
    reader = _RdfaReader(page, collector)
    kept: list[tuple[Element | None, _Context]] = [(None, outermost)]
    prefixes = 0
    for element in page.elements:
        while kept[-1][0] is not element.parent:
            kept.pop()
        outer = kept[-1][1]
        inner = reader.read(element, outer)
        kept.append((element, inner))
        if inner.prefixes is not outer.prefixes:
            prefixes += len(inner.prefixes)
        if prefixes > _MOST_PREFIXES:
            raise TooManyStatementsError(_TOO_MANY_PREFIXES)


class _RdfaReader:
    """Steps of RDFa Core section 7.5 on one element after the other."""

    def __init__(self, page: Page, collector: StatementCollector) -> None:
        self._page, self._collector = page, collector
        self._blank = 0

    def read(self, element: Element, outer: _Context) -> _Context:
        """Add the statements of an element; return the context for its children."""
        outer = self._update_scope(element, outer)
        is_link_alone = not element.children and not outer.incomplete
        used = _STATING_ATTRIBUTES if is_link_alone else _ATTRIBUTES
        if used.isdisjoint(element.attributes):
            return outer
        forward = self._read_relations(element, "rel", outer)
        reverse = self._read_relations(element, "rev", outer)
        is_linked = forward is not None or reverse is not None
        nodes = self._find_nodes(element, outer, is_linked=is_linked)
        if nodes.typed:
            for kind in self._resolve_tokens((element.get("typeof") or "").split(), outer, element):
                self._add(nodes.typed, RDF_TYPE, StatementValue(kind, is_iri=True), element)
        is_list = "inlist" in element.attributes
        links = [(term, True) for term in forward or () if not is_list]
        links += [(term, False) for term in reverse or ()]
        if nodes.object is not None:  # steps 9 and 10
            self._add_links(nodes.subject, links, nodes.object, element)
            links = []
        elif forward or reverse:
            nodes = nodes._replace(object=self._new_blank())
        if "property" in element.attributes and not is_list:  # step 11
            value = self._read_value(element, outer, nodes, is_linked=is_linked)
            tokens = (element.get("property") or "").split()
            for term in self._resolve_tokens(tokens, outer, element):
                if not term.startswith("_:"):
                    self._add(nodes.subject, term, value, element)
        if nodes.is_skipped:
            return outer
        self._add_links(outer.subject, outer.incomplete, nodes.subject, element)  # step 12
        return replace(
            outer,
            subject=nodes.subject,
            object=nodes.object or nodes.subject,
            incomplete=tuple(links),
        )

    def _update_scope(self, element: Element, outer: _Context) -> _Context:
        """Return the context with the vocabulary and the prefixes (steps 2 and 3)."""
        if not element.declared and _SCOPE_ATTRIBUTES.isdisjoint(element.attributes):
            return outer
        # Declarations of outer elements hold already.
        above = {} if element.parent is None else element.parent.declared
        own = {} if element.declared is above else element.declared
        declared = {
            prefix.lower(): iri
            for prefix, iri in own.items()
            if prefix not in {"", "_", "xml"} and above.get(prefix) != iri
        }
        pairs = _PREFIX_PAIR.findall(element.get("prefix") or "")
        declared |= {prefix.lower(): iri for prefix, iri in pairs if prefix not in {"", "_"}}
        if declared:
            prefixes = {**outer.prefixes, **declared}
            outer = outer if prefixes == outer.prefixes else replace(outer, prefixes=prefixes)
        vocabulary = element.get("vocab")
        if vocabulary is None:
            return outer
        whole = self._collector.resolve(vocabulary)
        if vocabulary:
            used = StatementValue(whole, is_iri=True)
            self._add(self._collector.base, _USES, used, element)
        return replace(outer, vocabulary=whole if vocabulary.strip() else None)

    def _is_bare_property(self, element: Element) -> bool:
        attributes = element.attributes
        return "property" in attributes and not {"content", "datatype"} & attributes.keys()

    def _read_relations(
        self, element: Element, attribute: str, outer: _Context
    ) -> list[str] | None:
        """Return the relations of ``rel`` or ``rev``; None if it is absent, or counts as absent.

        Beside ``property`` only those that are no plain words count (HTML+RDFa section 3.1).
        """
        value = element.get(attribute)
        if value is None:
            return None
        tokens = value.split()
        if "property" in element.attributes:
            tokens = [token for token in tokens if _TERM.fullmatch(token) is None]
            if not tokens:
                return None
        return [
            term
            for term in self._resolve_tokens(tokens, outer, element)
            if not term.startswith("_:")
        ]

    def _find_nodes(self, element: Element, outer: _Context, *, is_linked: bool) -> _ElementNodes:
        """Return the nodes of an element (steps 5 and 6)."""
        inherited = self._collector.base if element.parent is None else outer.object
        if is_linked or self._is_bare_property(element):
            return self._find_linked_nodes(element, outer, inherited, is_linked=is_linked)
        # Any other element (step 5.2).
        found = self._find_resource(element, outer, "about", "resource", "href", "src")
        has_type = "typeof" in element.attributes
        # The subject of the root, the head and the body is the page.
        is_inner = element.parent is not None and element.name not in {"head", "body"}
        if found is None and has_type and is_inner:
            found = self._new_blank()
        subject = found or inherited
        is_skipped = found is None and is_inner and "property" not in element.attributes
        return _ElementNodes(subject, None, subject if has_type else None, is_skipped)

    def _find_linked_nodes(
        self, element: Element, outer: _Context, inherited: str, *, is_linked: bool
    ) -> _ElementNodes:
        """Return the nodes of an element with ``rel`` or ``rev`` (step 6) or bare ``property``."""
        about = self._find_resource(element, outer, "about")
        subject = about or inherited
        found = self._find_resource(element, outer, "resource", "href", "src")
        if "typeof" not in element.attributes:
            return _ElementNodes(subject, found if is_linked else None)
        if is_linked and "about" in element.attributes:
            return _ElementNodes(subject, found, subject)
        if not is_linked and (about is not None or element.parent is None):  # step 5.1
            return _ElementNodes(subject, subject, subject)
        found = found or self._new_blank()
        return _ElementNodes(subject, found, found)

    def _add_links(
        self, subject: str, links: Iterable[tuple[str, bool]], other: str, element: Element
    ) -> None:
        """Add links from a subject to another node, or from that node to it."""
        for term, is_forward in links:
            one, two = (subject, other) if is_forward else (other, subject)
            self._add(one, term, StatementValue(two, is_iri=True), element)

    def _read_value(
        self, element: Element, outer: _Context, nodes: _ElementNodes, *, is_linked: bool
    ) -> StatementValue:
        """Return the value of a property: a resource, or the text that the element gives."""
        if not is_linked and self._is_bare_property(element):
            found = self._find_resource(element, outer, "resource", "href", "src")
            if found is None and "about" not in element.attributes:
                found = nodes.typed
            if found is not None:
                return StatementValue(found, is_iri=True)
        tokens = (element.get("datatype") or "").split()[:1]
        datatype = next(self._resolve_tokens(tokens, outer, element), None)
        moment = element.get("datetime")
        text = element.get("content")
        is_moment = text is None and (moment is not None or element.name == "time")
        if text is None:
            text = self._page.text_of(element) if moment is None else moment
        if datatype is None and is_moment and "datatype" not in element.attributes:
            datatype = next((kind for shape, kind in _MOMENT_SHAPES if shape.fullmatch(text)), None)
        if datatype is not None and datatype not in _MARKUP_TYPES:
            return StatementValue(text, datatype=datatype)
        return StatementValue(text, language=element.language)

    def _resolve_tokens(
        self, tokens: list[str], outer: _Context, element: Element
    ) -> Iterator[str]:
        """Yield the IRIs of terms, compact IRIs and IRIs; leave out other tokens."""
        for token in tokens:
            if ":" not in token:
                found = outer.resolve_term(token)
                if found is not None:
                    yield found
                continue
            found = outer.resolve_compact(token)
            prefix = token.partition(":")[0]
            if found is None and prefix.lower() not in load_vocabulary("iri_schemes"):
                # A prefix that was not declared looks like a scheme.
                self._collector.faults.find("LX375", element.line, token, prefix=prefix)
            yield token if found is None else found

    def _find_resource(self, element: Element, outer: _Context, *attributes: str) -> str | None:
        """Return the first of some attributes that gives an IRI, or None."""
        for attribute in attributes:
            value = element.get(attribute)
            if value is None:
                continue
            if attribute in {"href", "src"}:
                return self._collector.resolve(value)
            text = value.strip()
            if text.startswith("[") and text.endswith("]"):
                found = outer.resolve_compact(text[1:-1])
            else:
                found = outer.resolve_compact(text) or self._collector.resolve(text)
            if found is not None:
                return found
        return None

    def _new_blank(self) -> str:
        self._blank += 1
        return f"_:r{self._blank}"

    def _add(self, subject: str, term: str, value: StatementValue, element: Element) -> None:
        self._collector.add(Notation.RDFA, subject, term, value, element)
