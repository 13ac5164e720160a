"""RDFa 1.1 in HTML and XHTML (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1), without lists.

Values with ``inlist`` are left out. A value that would be markup (``rdf:XMLLiteral``,
``rdf:HTML``) is given as its text. The prefixes known without declaration are those of the W3C's
initial context (https://www.w3.org/2011/rdfa-context/rdfa-1.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.documents.document import Notation
from lexurn.documents.reading.page import StatementValue, TooManyStatementsError
from lexurn.documents.terms import load_vocabulary
from lexurn.vocabulary import RDF, XSD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Final

    from lexurn.documents.reading.page import Element, Page, StatementCollector

XHTML_VOCABULARY: Final = "http://www.w3.org/1999/xhtml/vocab#"

_TERM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9._/-]*")
"""Pattern of a term, which is not an IRI."""

_PREFIX_PAIR = re.compile(r"(?<!\S)([A-Za-z_][\w.-]*|):\s+(\S+)")
_MOST_PREFIXES_IN_SCOPE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    """Prefixes, terms and vocabulary that hold at a place.

    Attributes:
        prefixes: IRIs by their prefixes, in lower case.
        terms: IRIs of terms.
        vocabulary: the vocabulary of terms; None if they have IRIs of their own.
    """

    prefixes: Mapping[str, str]
    terms: Mapping[str, str]
    vocabulary: str | None

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
        start = self.prefixes.get(prefix.lower()) if prefix else XHTML_VOCABULARY
        return None if start is None else start + rest

    def resolve_resource(self, text: str, collector: StatementCollector) -> str | None:
        """Return the IRI of ``about`` or ``resource``; None for an unknown safe compact IRI."""
        if text.startswith("[") and text.endswith("]"):
            return self.resolve_compact(text[1:-1])
        return self.resolve_compact(text) or collector.resolve(text)


def _enter_scope(scope: _Scope, element: Element, collector: StatementCollector) -> _Scope:
    """Return the scope within an element."""
    # Declarations of outer elements hold already.
    outer = {} if element.parent is None else element.parent.declared
    declared = {
        prefix.lower(): iri
        for prefix, iri in element.declared.items()
        if prefix not in {"", "_", "xml"} and outer.get(prefix) != iri
    }
    pairs = _PREFIX_PAIR.findall(element.get("prefix") or "")
    declared |= {prefix.lower(): iri for prefix, iri in pairs if prefix not in {"", "_"}}
    if declared and len(scope.prefixes) + len(declared) <= _MOST_PREFIXES_IN_SCOPE:
        scope = replace(scope, prefixes={**scope.prefixes, **declared})
    vocabulary = element.get("vocab")
    if vocabulary is not None:
        whole = collector.resolve(vocabulary) if vocabulary.strip() else None
        scope = replace(scope, vocabulary=whole)
    return scope


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


def _read_literal(page: Page, element: Element, datatype: str | None) -> StatementValue:
    """Return the text that an element gives, by ``content``, ``datetime`` or its content.

    Args:
        page: the page.
        element: the element.
        datatype: the IRI that its ``datatype`` gives, None where it gives none.
    """
    text, is_moment = _read_text(page, element)
    if datatype is None and is_moment and "datatype" not in element.attributes:
        datatype = next((kind for shape, kind in _MOMENT_SHAPES if shape.fullmatch(text)), None)
    if datatype is not None and datatype not in _MARKUP_TYPES:
        return StatementValue(text, datatype=datatype)
    return StatementValue(text, language=element.language)


def _read_text(page: Page, element: Element) -> tuple[str, bool]:
    """Return the text of an element, and whether it is a date or time."""
    content = element.get("content")
    if content is not None:
        return content, False
    moment = element.get("datetime")
    if moment is not None:
        return moment, True
    return page.text_of(element), element.name == "time"


_TYPE = f"{RDF}type"
_USES = "http://www.w3.org/ns/rdfa#usesVocabulary"
_ATTRIBUTES = frozenset(
    ["about", "content", "datatype", "href", "property", "rel", "resource", "rev", "src", "typeof"]
)
_SCOPE_ATTRIBUTES = frozenset(["prefix", "vocab"])

# Prefixes of a page, counted at each element that declares new ones.
_MOST_PREFIXES = 5_000_000
_TOO_MANY_PREFIXES = "declares prefixes at too many places"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """Evaluation context of an element (RDFa Core section 7.2)."""

    subject: str
    object: str
    scope: _Scope
    incomplete: tuple[tuple[str, bool], ...] = ()


class _ElementNodes(NamedTuple):
    """Nodes of an element: its new subject, its current object, the subject of its types."""

    subject: str
    object: str | None = None
    typed: str | None = None
    is_skipped: bool = False


def read_rdfa(page: Page, collector: StatementCollector) -> None:
    """Add the statements of a page in RDFa.

    Raises:
        TooManyStatementsError: it has too many statements.
    """
    terms: dict[str, str] = load_vocabulary("rdfa_terms")
    if page.is_xhtml1:
        terms = {**load_vocabulary("xhtml_terms"), **terms}
    scope = _Scope(prefixes=load_vocabulary("rdfa_prefixes"), terms=terms, vocabulary=None)
    outermost = _Context(subject=collector.base, object=collector.base, scope=scope)
    reader = _RdfaReader(page, collector)
    kept: list[tuple[Element | None, _Context]] = [(None, outermost)]
    prefixes = 0
    for element in page.elements:
        while kept[-1][0] is not element.parent:
            kept.pop()
        outer = kept[-1][1]
        inner = reader.read(element, outer)
        kept.append((element, inner))
        if inner.scope.prefixes is not outer.scope.prefixes:
            prefixes += len(inner.scope.prefixes)
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
        if _ATTRIBUTES.isdisjoint(element.attributes):
            return outer
        scope = outer.scope
        relations = self._read_relations(element, "rel", scope)
        reverse = self._read_relations(element, "rev", scope)
        if relations is not None or reverse is not None:
            place = self._find_relation_nodes(element, outer)
        elif self._is_bare_property(element):
            place = self._find_property_nodes(element, outer)
        else:
            place = self._find_resource_nodes(element, outer)
        for kind in self._read_terms(element, "typeof", scope) if place.typed else ():
            self._add(place.typed, _TYPE, StatementValue(kind, is_iri=True), element)
        links = [(term, True) for term in relations or ()]
        links += [(term, False) for term in reverse or ()]
        place, incomplete = self._add_links(element, place, links)
        self._add_properties(
            element, outer, place, is_linked=relations is not None or reverse is not None
        )
        if place.is_skipped:
            return outer
        for term, is_forward in outer.incomplete:  # step 12
            self._add_link(outer.subject, term, place.subject, element, is_forward=is_forward)
        return replace(
            outer,
            subject=place.subject,
            object=place.object or place.subject,
            incomplete=incomplete,
        )

    def _update_scope(self, element: Element, outer: _Context) -> _Context:
        """Return the context with the vocabulary and the prefixes (steps 2 and 3)."""
        parent, declared = element.parent, element.declared
        is_same = not declared or (parent is not None and declared is parent.declared)
        if is_same and _SCOPE_ATTRIBUTES.isdisjoint(element.attributes):
            return outer
        scope = _enter_scope(outer.scope, element, self._collector)
        vocabulary = element.get("vocab")
        if vocabulary:
            used = StatementValue(self._collector.resolve(vocabulary), is_iri=True)
            self._add(self._collector.base, _USES, used, element)
        return outer if scope == outer.scope else replace(outer, scope=scope)

    def _is_bare_property(self, element: Element) -> bool:
        attributes = element.attributes
        return "property" in attributes and not {"content", "datatype"} & attributes.keys()

    def _read_relations(self, element: Element, attribute: str, scope: _Scope) -> list[str] | None:
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
            for term in self._resolve_tokens(tokens, scope, element)
            if not term.startswith("_:")
        ]

    def _find_relation_nodes(self, element: Element, outer: _Context) -> _ElementNodes:
        """Return the nodes of an element with ``rel`` or ``rev`` (step 6)."""
        about = self._find_resource(element, outer.scope, "about")
        found = self._find_resource(element, outer.scope, "resource", "href", "src")
        subject = about or self._inherit_subject(element, outer)
        if "typeof" not in element.attributes:
            return _ElementNodes(subject, found)
        if "about" in element.attributes:
            return _ElementNodes(subject, found, subject)
        found = found or self._new_blank()
        return _ElementNodes(subject, found, found)

    def _find_property_nodes(self, element: Element, outer: _Context) -> _ElementNodes:
        """Return the nodes of an element with a bare ``property`` (step 5.1)."""
        about = self._find_resource(element, outer.scope, "about")
        subject = about or self._inherit_subject(element, outer)
        if "typeof" not in element.attributes:
            return _ElementNodes(subject)
        if about is not None or element.parent is None:
            return _ElementNodes(subject, subject, subject)
        found = self._find_resource(element, outer.scope, "resource", "href", "src")
        found = found or self._new_blank()
        return _ElementNodes(subject, found, found)

    def _find_resource_nodes(self, element: Element, outer: _Context) -> _ElementNodes:
        """Return the nodes of any other element (step 5.2)."""
        found = self._find_resource(element, outer.scope, "about", "resource", "href", "src")
        has_type = "typeof" in element.attributes
        # The subject of the root, the head and the body is the page.
        is_inner = element.parent is not None and element.name not in {"head", "body"}
        if found is None and has_type and is_inner:
            found = self._new_blank()
        subject = found or self._inherit_subject(element, outer)
        is_skipped = found is None and is_inner and "property" not in element.attributes
        return _ElementNodes(subject, None, subject if has_type else None, is_skipped)

    def _inherit_subject(self, element: Element, outer: _Context) -> str:
        return self._collector.base if element.parent is None else outer.object

    def _add_links(
        self, element: Element, place: _ElementNodes, links: list[tuple[str, bool]]
    ) -> tuple[_ElementNodes, tuple[tuple[str, bool], ...]]:
        """Link to the object, or return the links that wait for one (steps 9 and 10)."""
        kept = [link for link in links if not (link[1] and "inlist" in element.attributes)]
        if place.object is None:
            found = self._new_blank() if links else None
            return place._replace(object=found), tuple(kept)
        for term, is_forward in kept:
            self._add_link(place.subject, term, place.object, element, is_forward=is_forward)
        return place, ()

    def _add_link(
        self, subject: str, term: str, other: str, element: Element, *, is_forward: bool
    ) -> None:
        one, two = (subject, other) if is_forward else (other, subject)
        self._add(one, term, StatementValue(two, is_iri=True), element)

    def _add_properties(
        self, element: Element, outer: _Context, place: _ElementNodes, *, is_linked: bool
    ) -> None:
        """Add the properties of an element (step 11)."""
        if "property" not in element.attributes or "inlist" in element.attributes:
            return
        value = self._read_value(element, outer.scope, place, is_linked=is_linked)
        for term in self._read_terms(element, "property", outer.scope):
            if not term.startswith("_:"):
                self._add(place.subject, term, value, element)

    def _read_value(
        self, element: Element, scope: _Scope, place: _ElementNodes, *, is_linked: bool
    ) -> StatementValue:
        is_text = is_linked or not self._is_bare_property(element)
        if not is_text:
            found = self._find_resource(element, scope, "resource", "href", "src")
            if found is not None:
                return StatementValue(found, is_iri=True)
            if place.typed is not None and "about" not in element.attributes:
                return StatementValue(place.typed, is_iri=True)
        datatype = element.get("datatype")
        kinds = self._resolve_tokens((datatype or "").split()[:1], scope, element)
        return _read_literal(self._page, element, next(kinds, None))

    def _read_terms(self, element: Element, attribute: str, scope: _Scope) -> Iterator[str]:
        return self._resolve_tokens((element.get(attribute) or "").split(), scope, element)

    def _resolve_tokens(self, tokens: list[str], scope: _Scope, element: Element) -> Iterator[str]:
        """Yield the IRIs of terms, compact IRIs and IRIs; leave out other tokens."""
        for token in tokens:
            if ":" not in token:
                found = scope.resolve_term(token)
                if found is not None:
                    yield found
                continue
            found = scope.resolve_compact(token)
            prefix = token.partition(":")[0]
            if found is None and prefix.lower() not in load_vocabulary("iri_schemes"):
                # A prefix that was not declared looks like a scheme.
                self._collector.faults.find("LX375", element.line, token, prefix=prefix)
            yield token if found is None else found

    def _find_resource(self, element: Element, scope: _Scope, *attributes: str) -> str | None:
        """Return the first of some attributes that gives an IRI, or None."""
        for attribute in attributes:
            value = element.get(attribute)
            if value is None:
                continue
            if attribute in {"href", "src"}:
                return self._collector.resolve(value)
            found = scope.resolve_resource(value.strip(), self._collector)
            if found is not None:
                return found
        return None

    def _new_blank(self) -> str:
        self._blank += 1
        return f"_:r{self._blank}"

    def _add(self, subject: str | None, term: str, value: StatementValue, element: Element) -> None:
        if subject is not None:
            self._collector.add(Notation.RDFA, subject, term, value, element)
