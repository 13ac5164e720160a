"""Which format an XML document is: its root element says it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._xml import Opening, events
from lexurn.embedding._xml_terms import is_akoma_ntoso, is_lexml

if TYPE_CHECKING:
    from lexurn.embedding._document import Document

__all__ = ["Root", "root_of"]

# What stands before a root element is a declaration, a DOCTYPE, a comment; nobody writes more.
_FARTHEST = 1 << 20
_XHTML = "http://www.w3.org/1999/xhtml"
_BROKEN: Final = "broken XML"
_LONGEST_SHOWN = 60
_UNSUPPORTED = "LX331"
_NO_XML = frozenset({"LX330", "LX332"})


class Root(NamedTuple):
    """A root element.

    Attributes:
        key: the key of the format, None where it is none that can take a name.
        what: what such a document is, for people.
        is_found: whether an XML parser finds a root at all.
    """

    key: str | None
    what: str
    is_found: bool = True


def root_of(document: Document) -> Root:
    """The root element of a document.

    Nothing is fetched and nothing expanded: reading ends behind the first start tag.

    Raises:
        EmbeddingError: the document cannot be read.
    """
    beginning = replace(document, size=min(document.size, _FARTHEST))
    try:
        found = (_root(each) for each in events(beginning) if isinstance(each, Opening))
        return next(found, Root(None, _BROKEN, is_found=False))
    except EmbeddingError as fault:
        if fault.finding.code == _UNSUPPORTED:
            said = f'"{fault.finding.text}"; ' if fault.finding.text else ""
            what = f"XML in an encoding that is not supported ({said}convert it to UTF-8)"
            return Root(None, what)
        if fault.finding.code in _NO_XML:
            line = fault.finding.line
            return Root(None, f"broken XML (line {line})" if line else _BROKEN, is_found=False)
        raise


def _root(opening: Opening) -> Root:
    uri, local = opening.uri or "", opening.local
    where = f"the namespace {uri[:_LONGEST_SHOWN]}" if uri else "no namespace"
    return Root(_key(uri, local), f"XML whose root is {local[:_LONGEST_SHOWN]} in {where}")


def _key(uri: str, local: str) -> str | None:
    if local == "html" and uri == _XHTML:
        return "xhtml"
    if is_akoma_ntoso(uri, local):
        return "akoma-ntoso"
    if is_lexml(uri, local):
        return "lexml"
    return "nir" if local == "NIR" else None
