"""Single elements of an HTML head, as values."""

from __future__ import annotations

import re
from typing import NamedTuple

from markupsafe import escape

__all__ = ["Tag", "link", "meta", "property_iri", "property_text"]

_PLAIN = re.compile("[^&<>'\"]*+")
_STRING = "http://www.w3.org/2001/XMLSchema#string"


class Tag(NamedTuple):
    """One empty element: its name and its attributes, in order."""

    element: str
    attributes: tuple[tuple[str, str], ...]

    def markup(self, *, is_xml: bool = False) -> str:
        """The element as it stands in a page, values escaped."""
        written = [(name, f'{name}="{_escaped(value)}"') for name, value in self.attributes]
        if is_xml:
            text = "".join(
                f" {each} xml:{each}" if name == "lang" else f" {each}" for name, each in written
            )
            return f"<{self.element}{text} />"
        return f"<{self.element} {' '.join([each for _, each in written])}>"


def _escaped(value: str) -> str:
    """A value between quotation marks; hardly any has what must be escaped."""
    return value if _PLAIN.fullmatch(value) else str(escape(value))


def _tag(element: str, *attributes: tuple[str, str | None]) -> Tag:
    present = [(name, value) for name, value in attributes if value is not None]
    return Tag(element, tuple(present))


def link(rel: str, href: str, *, type: str | None = None, hreflang: str | None = None) -> Tag:
    """``<link rel href>``."""
    return _tag("link", ("rel", rel), ("type", type), ("hreflang", hreflang), ("href", href))


def meta(name: str, content: str, *, lang: str | None = None) -> Tag:
    """``<meta name content>``."""
    return _tag("meta", ("name", name), ("lang", lang), ("content", content))


def property_iri(about: str, term: str, href: str) -> Tag:
    """RDFa whose object is an IRI: ``<link about property href>``."""
    return _tag("link", ("about", about), ("property", term), ("href", href))


def property_text(
    about: str, term: str, content: str, *, lang: str | None = None, datatype: str | None = None
) -> Tag:
    """RDFa whose object is a literal: ``<meta about property content>``.

    A text without a language is said to be one (``xsd:string``), else it would be taken to be in
    the language of the page.
    """
    kind = datatype or (None if lang else _STRING)
    values = (("lang", lang), ("datatype", kind), ("content", content))
    return _tag("meta", ("about", about), ("property", term), *values)
