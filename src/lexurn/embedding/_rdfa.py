"""RDFa 1.1 in HTML and XHTML (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1), without lists.

What ``inlist`` would put into a list is left out. A value that would be markup (``rdf:XMLLiteral``,
``rdf:HTML``) is given as its text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.embedding._rdfa_scope import Scope, entered
from lexurn.embedding._rdfa_terms import CORE_TERMS, PREFIXES, SCHEMES, TERM, XHTML_TERMS
from lexurn.embedding._rdfa_values import literal_of
from lexurn.embedding._sayings import EnoughError, Term
from lexurn.embedding._statement import Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._page import Element, Page
    from lexurn.embedding._sayings import Sayings

__all__ = ["say_rdfa"]

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_USES = "http://www.w3.org/ns/rdfa#usesVocabulary"
_ATTRIBUTES = frozenset(
    ["about", "content", "datatype", "href", "property", "rel", "resource", "rev", "src", "typeof"]
)
_SETTING = frozenset(["prefix", "vocab"])

# Prefixes of a page, those of each element counted that declares others than the one around it.
_MOST_PREFIXES = 5_000_000
_MUCH = "declares prefixes at more places than anybody needs"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """What an element inherits (RDFa Core section 7.2)."""

    subject: str
    object: str
    scope: Scope
    incomplete: tuple[tuple[str, bool], ...] = ()


class _Place(NamedTuple):
    """What an element is about: the new subject, the current object, what its types are said of."""

    subject: str
    object: str | None = None
    typed: str | None = None
    is_skipped: bool = False


def say_rdfa(page: Page, sayings: Sayings) -> None:
    """Take in what a page says in RDFa.

    Raises:
        EnoughError: it says too much.
    """
    terms = XHTML_TERMS if page.is_xhtml1 else CORE_TERMS
    scope = Scope(prefixes=PREFIXES, terms=terms, vocabulary=None)
    outermost = _Context(subject=sayings.base, object=sayings.base, scope=scope)
    reader = _Reader(page, sayings)
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
            raise EnoughError(_MUCH)


class _Reader:
    """The steps of RDFa Core section 7.5 on one element after the other."""

    def __init__(self, page: Page, sayings: Sayings) -> None:
        self._page, self._sayings = page, sayings
        self._blank = 0

    def read(self, element: Element, outer: _Context) -> _Context:
        """Say what an element says; what those in it inherit comes back."""
        outer = self._scoped(element, outer)
        if _ATTRIBUTES.isdisjoint(element.attributes):
            return outer
        scope = outer.scope
        relations = self._relations(element, "rel", scope)
        reverse = self._relations(element, "rev", scope)
        if relations is not None or reverse is not None:
            place = self._of_relation(element, outer)
        elif self._is_bare_property(element):
            place = self._of_property(element, outer)
        else:
            place = self._of_resource(element, outer)
        for kind in self._terms(element, "typeof", scope) if place.typed else ():
            self._say(place.typed, _TYPE, Term(kind, is_iri=True), element)
        links = [(term, True) for term in relations or ()]
        links += [(term, False) for term in reverse or ()]
        place, incomplete = self._linked(element, place, links)
        self._say_property(
            element, outer, place, is_linked=relations is not None or reverse is not None
        )
        if place.is_skipped:
            return outer
        self._complete(outer, place.subject, element)
        return replace(
            outer,
            subject=place.subject,
            object=place.object or place.subject,
            incomplete=incomplete,
        )

    def _scoped(self, element: Element, outer: _Context) -> _Context:
        """Steps 2 and 3: the vocabulary and the prefixes."""
        parent, declared = element.parent, element.declared
        is_same = not declared or (parent is not None and declared is parent.declared)
        if is_same and _SETTING.isdisjoint(element.attributes):
            return outer
        scope = entered(outer.scope, element, self._sayings)
        vocabulary = element.get("vocab")
        if vocabulary:
            used = Term(self._sayings.resolved(vocabulary), is_iri=True)
            self._say(self._sayings.base, _USES, used, element)
        return outer if scope == outer.scope else replace(outer, scope=scope)

    def _is_bare_property(self, element: Element) -> bool:
        attributes = element.attributes
        return "property" in attributes and not {"content", "datatype"} & attributes.keys()

    def _relations(self, element: Element, attribute: str, scope: Scope) -> list[str] | None:
        """The relations of ``rel`` or ``rev``; None where it is absent, or counts as absent.

        Beside ``property`` only those that are no plain words count (HTML+RDFa section 3.1).
        """
        value = element.get(attribute)
        if value is None:
            return None
        tokens = value.split()
        if "property" in element.attributes:
            tokens = [token for token in tokens if TERM.fullmatch(token) is None]
            if not tokens:
                return None
        return [term for term in self._iris(tokens, scope, element) if not term.startswith("_:")]

    def _of_relation(self, element: Element, outer: _Context) -> _Place:
        """Step 6."""
        about = self._resource(element, outer.scope, "about")
        found = self._resource(element, outer.scope, "resource", "href", "src")
        subject = about or self._default(element, outer)
        if "typeof" not in element.attributes:
            return _Place(subject, found)
        if "about" in element.attributes:
            return _Place(subject, found, subject)
        found = found or self._new_blank()
        return _Place(subject, found, found)

    def _of_property(self, element: Element, outer: _Context) -> _Place:
        """Step 5.1."""
        about = self._resource(element, outer.scope, "about")
        subject = about or self._default(element, outer)
        if "typeof" not in element.attributes:
            return _Place(subject)
        if about is not None or element.parent is None:
            return _Place(subject, subject, subject)
        found = self._resource(element, outer.scope, "resource", "href", "src")
        found = found or self._new_blank()
        return _Place(subject, found, found)

    def _of_resource(self, element: Element, outer: _Context) -> _Place:
        """Step 5.2."""
        found = self._resource(element, outer.scope, "about", "resource", "href", "src")
        has_type = "typeof" in element.attributes
        if found is None and has_type and element.parent is not None and not _is_edge(element):
            found = self._new_blank()
        subject = found or self._default(element, outer)
        is_plain = found is None and element.parent is not None and not _is_edge(element)
        is_skipped = is_plain and "property" not in element.attributes
        return _Place(subject, None, subject if has_type else None, is_skipped)

    def _default(self, element: Element, outer: _Context) -> str:
        return self._sayings.base if element.parent is None else outer.object

    def _linked(
        self, element: Element, place: _Place, links: list[tuple[str, bool]]
    ) -> tuple[_Place, tuple[tuple[str, bool], ...]]:
        """Steps 9 and 10: links to the object, or links that wait for what they link to."""
        kept = [link for link in links if not (link[1] and "inlist" in element.attributes)]
        if place.object is None:
            found = self._new_blank() if links else None
            return place._replace(object=found), tuple(kept)
        for term, is_forward in kept:
            self._link(place.subject, term, place.object, element, is_forward=is_forward)
        return place, ()

    def _complete(self, outer: _Context, subject: str, element: Element) -> None:
        """Step 12: what waited for an object has one."""
        for term, is_forward in outer.incomplete:
            self._link(outer.subject, term, subject, element, is_forward=is_forward)

    def _link(
        self, subject: str, term: str, other: str, element: Element, *, is_forward: bool
    ) -> None:
        one, two = (subject, other) if is_forward else (other, subject)
        self._say(one, term, Term(two, is_iri=True), element)

    def _say_property(
        self, element: Element, outer: _Context, place: _Place, *, is_linked: bool
    ) -> None:
        """Step 11."""
        if "property" not in element.attributes or "inlist" in element.attributes:
            return
        value = self._value(element, outer.scope, place, is_linked=is_linked)
        for term in self._terms(element, "property", outer.scope):
            if not term.startswith("_:"):
                self._say(place.subject, term, value, element)

    def _value(self, element: Element, scope: Scope, place: _Place, *, is_linked: bool) -> Term:
        is_text = is_linked or not self._is_bare_property(element)
        if not is_text:
            found = self._resource(element, scope, "resource", "href", "src")
            if found is not None:
                return Term(found, is_iri=True)
            if place.typed is not None and "about" not in element.attributes:
                return Term(place.typed, is_iri=True)
        datatype = element.get("datatype")
        kinds = self._iris((datatype or "").split()[:1], scope, element)
        return literal_of(self._page, element, next(kinds, None))

    def _terms(self, element: Element, attribute: str, scope: Scope) -> Iterator[str]:
        return self._iris((element.get(attribute) or "").split(), scope, element)

    def _iris(self, tokens: list[str], scope: Scope, element: Element) -> Iterator[str]:
        """Terms, compact IRIs and IRIs as IRIs; what is none of them is left out."""
        for token in tokens:
            if ":" not in token:
                found = scope.term(token)
                if found is not None:
                    yield found
                continue
            found = scope.compact(token)
            if found is None:
                self._doubt(token, element)
            yield token if found is None else found

    def _doubt(self, token: str, element: Element) -> None:
        """Say of an IRI that its scheme looks like a prefix that was forgotten."""
        prefix = token.partition(":")[0]
        if prefix.lower() not in SCHEMES:
            self._sayings.faults.find("LX375", element.line, token, prefix=prefix)

    def _resource(self, element: Element, scope: Scope, *attributes: str) -> str | None:
        """The first of some attributes that gives an IRI."""
        for attribute in attributes:
            value = element.get(attribute)
            if value is None:
                continue
            if attribute in {"href", "src"}:
                return self._sayings.resolved(value)
            found = scope.resource(value.strip(), self._sayings)
            if found is not None:
                return found
        return None

    def _new_blank(self) -> str:
        self._blank += 1
        return f"_:r{self._blank}"

    def _say(self, subject: str | None, term: str, value: Term, element: Element) -> None:
        if subject is not None:
            self._sayings.say(Way.RDFA, subject, term, value, element)


def _is_edge(element: Element) -> bool:
    """Whether it is the head or the body, which are about what the page is about."""
    return element.name in {"head", "body"}
