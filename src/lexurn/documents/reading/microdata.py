"""Microdata (WHATWG HTML section 5), its names as IRIs by the vocabulary of the item's type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.documents.document import Notation
from lexurn.documents.reading.page import StatementValue, TooManyStatementsError
from lexurn.vocabulary import RDF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from lexurn.documents.reading.page import Element, Page, StatementCollector

_TYPE = f"{RDF}type"
_MOST_VISITS: Final = 5_000_000
"""Elements that are looked at: items that take in what stands elsewhere look at it once each."""

_LINK_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}


def read_microdata(page: Page, collector: StatementCollector) -> None:
    """Add the statements of a page in microdata.

    Raises:
        TooManyStatementsError: it has too many statements.
    """
    items = [element for element in page.elements if "itemscope" in element.attributes]
    if items:
        reader = _MicrodataReader(page, collector)
        for item in items:
            reader.read_item(item)


class _MicrodataReader:
    """Reader of the items of a page."""

    def __init__(self, page: Page, collector: StatementCollector) -> None:
        self._page, self._collector = page, collector
        self._visits = 0
        self._named: dict[str, Element] = {}
        for element in page.elements:
            if (name := element.get("id")) is not None:
                self._named.setdefault(name, element)

    def read_item(self, item: Element) -> None:
        """Add the types and the properties of an item."""
        subject = self._name_item(item)
        kinds = (item.get("itemtype") or "").split()
        for kind in kinds:
            self._collector.add(
                Notation.MICRODATA, subject, _TYPE, StatementValue(kind, is_iri=True), item
            )
        vocabulary = _find_vocabulary(kinds[0]) if kinds else None
        for element in self._find_properties(item):
            value = self._read_value(element)
            for name in dict.fromkeys((element.get("itemprop") or "").split()):
                if ":" in name:
                    self._collector.add(Notation.MICRODATA, subject, name, value, element)
                elif vocabulary is not None:
                    term = vocabulary + name
                    self._collector.add(Notation.MICRODATA, subject, term, value, element)

    def _name_item(self, item: Element) -> str:
        """Return the global identifier of a typed item; a blank node for other items."""
        identifier = item.get("itemid")
        if identifier and item.get("itemtype"):
            return self._collector.resolve(identifier)
        return f"_:m{item.order}"

    def _find_properties(self, item: Element) -> Iterator[Element]:
        """Yield the elements with properties of an item, also those that ``itemref`` names."""
        references = (item.get("itemref") or "").split()
        elsewhere = [self._named[name] for name in references if name in self._named]
        waiting = [*reversed(elsewhere), *reversed(item.children)]
        seen = {item.order}
        while waiting:
            element = waiting.pop()
            if element.order in seen:
                continue
            seen.add(element.order)
            self._count()
            if "itemprop" in element.attributes:
                yield element
            if "itemscope" not in element.attributes:
                waiting.extend(reversed(element.children))

    def _count(self) -> None:
        self._visits += 1
        if self._visits > _MOST_VISITS:
            raise TooManyStatementsError

    def _read_value(self, element: Element) -> StatementValue:
        """Return the value of a property (WHATWG HTML section 5.2.4)."""
        if "itemscope" in element.attributes:
            return StatementValue(self._name_item(element), is_iri=True)
        link = _LINK_ATTRIBUTES.get(element.name)
        if link is not None:
            reference = element.get(link)
            if reference is None:
                return StatementValue("")
            return StatementValue(self._collector.resolve(reference), is_iri=True)
        text = self._read_attribute(element)
        text = self._page.text_of(element) if text is None else text
        return StatementValue(text, language=element.language)

    def _read_attribute(self, element: Element) -> str | None:
        """Return the value that an attribute gives; None if the text is the value."""
        if element.name == "meta":
            return element.get("content") or ""
        if element.name in {"data", "meter"}:
            return element.get("value") or ""
        if element.name == "time":
            return element.get("datetime")
        # No more than that is meant by those who write it elsewhere (as RDFa reads it).
        return element.get("content")


def _find_vocabulary(kind: str) -> str:
    """Return the vocabulary of a type, which the names of its properties follow."""
    if "#" in kind:
        return kind[: kind.rindex("#") + 1]
    return kind[: kind.rindex("/") + 1] if "/" in kind else f"{kind}#"
