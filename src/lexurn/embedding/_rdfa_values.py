"""Texts in RDFa: of an attribute, or what an element holds, with their datatypes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.embedding._sayings import Term

if TYPE_CHECKING:
    from lexurn.embedding._page import Element, Page

__all__ = ["literal_of"]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_MARKUP = frozenset(
    f"http://www.w3.org/1999/02/22-rdf-syntax-ns#{kind}" for kind in ("XMLLiteral", "HTML")
)
_DAY = r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}"
_ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
_TIME = rf"[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?{_ZONE}"
# HTML+RDFa section 3.1: what the value of a date or time is shaped like says what it is.
_SHAPES = tuple(
    (re.compile(pattern), f"{_XSD}{kind}")
    for pattern, kind in (
        (rf"{_DAY}{_ZONE}", "date"),
        (rf"{_DAY}T{_TIME}", "dateTime"),
        (_TIME, "time"),
        (r"-?[0-9]{4,}-[0-9]{2}", "gYearMonth"),
        (r"-?[0-9]{4,}", "gYear"),
        (r"-?P(?=.)(?:[0-9]+[YMD])*(?:T(?:[0-9.]+[HMS])+)?", "duration"),
    )
)


def literal_of(page: Page, element: Element, datatype: str | None) -> Term:
    """The text that an element gives, by ``content``, ``datetime`` or what stands in it.

    Args:
        page: the page.
        element: the element.
        datatype: the IRI that its ``datatype`` gives, None where it gives none.
    """
    text, is_moment = _text_of(page, element)
    if datatype is None and is_moment and "datatype" not in element.attributes:
        datatype = next((kind for shape, kind in _SHAPES if shape.fullmatch(text)), None)
    if datatype is not None and datatype not in _MARKUP:
        return Term(text, datatype=datatype)
    return Term(text, language=element.language)


def _text_of(page: Page, element: Element) -> tuple[str, bool]:
    """The text, and whether it is of a date or time."""
    content = element.get("content")
    if content is not None:
        return content, False
    moment = element.get("datetime")
    if moment is not None:
        return moment, True
    return page.text_of(element), element.name == "time"
