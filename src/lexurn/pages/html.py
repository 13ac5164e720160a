"""HTML: elements of a head, and the language tags that a page may carry (RFC 5646)."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from markupsafe import escape

from lexurn import data
from lexurn.vocabulary import XSD

_NOTHING_TO_ESCAPE = re.compile("[^&<>'\"]*+")
_LANGUAGE_TAG = re.compile(
    r"(?P<language>[a-z]{2,8})(?:-(?P<extlang>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
)
_SUBTAG_TABLES = {
    "language": "languages",
    "extlang": "extlangs",
    "script": "scripts",
    "region": "regions",
}


class HeadElement(NamedTuple):
    """Empty element: its name and its attributes, in order."""

    element: str
    attributes: tuple[tuple[str, str], ...]

    def markup(self, *, is_xml: bool = False) -> str:
        """Write the element, values escaped."""
        written = [
            (name, f'{name}="{value if _NOTHING_TO_ESCAPE.fullmatch(value) else escape(value)}"')
            for name, value in self.attributes
        ]
        if is_xml:
            text = "".join(
                f" {each} xml:{each}" if name == "lang" else f" {each}" for name, each in written
            )
            return f"<{self.element}{text} />"
        return f"<{self.element} {' '.join([each for _, each in written])}>"


def _make_element(element: str, *attributes: tuple[str, str | None]) -> HeadElement:
    present = [(name, value) for name, value in attributes if value is not None]
    return HeadElement(element, tuple(present))


def make_link(
    rel: str, href: str, *, type: str | None = None, hreflang: str | None = None
) -> HeadElement:
    """Make a link: ``<link rel href>``."""
    return _make_element(
        "link", ("rel", rel), ("type", type), ("hreflang", hreflang), ("href", href)
    )


def make_meta(name: str, content: str, *, lang: str | None = None) -> HeadElement:
    """Make a meta tag: ``<meta name content>``."""
    return _make_element("meta", ("name", name), ("lang", lang), ("content", content))


def make_iri_property(about: str, term: str, href: str) -> HeadElement:
    """Make RDFa whose object is an IRI: ``<link about property href>``."""
    return _make_element("link", ("about", about), ("property", term), ("href", href))


def make_text_property(
    about: str, term: str, content: str, *, lang: str | None = None, datatype: str | None = None
) -> HeadElement:
    """Make RDFa whose object is a literal: ``<meta about property content>``.

    A text without a language has the datatype ``xsd:string``, else it would be read in the language
    of the page.
    """
    kind = datatype or (None if lang else f"{XSD}string")
    values = (("lang", lang), ("datatype", kind), ("content", content))
    return _make_element("meta", ("about", about), ("property", term), *values)


@cache
def check_html_language(tag: str | None) -> str | None:
    """Return the tag if each of its subtags is registered, else None.

    Extensions, private use and grandfathered tags are left out as well: better none than a wrong
    one.
    """
    found = _LANGUAGE_TAG.fullmatch(tag.lower()) if tag is not None else None
    if found is None:
        return None
    is_known = all(
        found[part] is None or _is_registered(table, found[part])
        for part, table in _SUBTAG_TABLES.items()
    )
    variants = filter(None, found["variants"].split("-"))
    return tag if is_known and all(_is_registered("variants", each) for each in variants) else None


def _is_registered(table: str, subtag: str) -> bool:
    single, ranges = _load_subtags(table)
    return subtag in single or any(first <= subtag <= last for first, last in ranges)


@cache
def _load_subtags(table: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Load the subtags of a table, single ones and ranges (``qaa..qtz``)."""
    entries: list[str] = data.load_table("languages")[table]
    ranges = tuple(
        (first, last) for first, dots, last in (each.partition("..") for each in entries) if dots
    )
    return frozenset(each for each in entries if ".." not in each), ranges
