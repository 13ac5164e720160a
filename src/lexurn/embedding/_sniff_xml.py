"""Which format an XML document is: its root element says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

if TYPE_CHECKING:
    from lexurn.embedding._document import Document

__all__ = ["Root", "root_of"]

# What stands before a root element is a declaration, a DOCTYPE, a comment; nobody writes more.
_FARTHEST = 1 << 20
_STEP = 1 << 14
_BETWEEN = "\n"
_XHTML = "http://www.w3.org/1999/xhtml"
_AKOMA_NTOSO = ("http://docs.oasis-open.org/legaldocml/ns/akn/", "http://www.akomantoso.org/")
_LEXML = "http://www.lexml.gov.br/"
_LONGEST_SHOWN = 60


class Root(NamedTuple):
    """A root element.

    Attributes:
        key: the key of the format, None where it is none that can take a name.
        name: its local name, for people.
    """

    key: str | None
    name: str


class _Found(Exception):  # noqa: N818 - it ends the reading, and is no error
    """The root element."""


def root_of(document: Document) -> Root | None:
    """The root element of a document, None where no XML parser finds one.

    Nothing is fetched and nothing expanded: reading ends at the first start tag.
    """
    parser = expat.ParserCreate(namespace_separator=_BETWEEN)
    parser.StartElementHandler = _stop
    try:
        for start in range(0, min(document.size, _FARTHEST), _STEP):
            parser.Parse(document.read(start, start + _STEP), False)  # noqa: FBT003 - expat's own
    except _Found as found:
        return _root(str(found))
    except (expat.ExpatError, LookupError, ValueError):
        return None  # LookupError and ValueError: an encoding that Python has not
    return None


def _stop(name: str, _attributes: object) -> None:
    raise _Found(name)


def _root(name: str) -> Root:
    uri, _, local = name.rpartition(_BETWEEN)
    return Root(_key(uri, local), local[:_LONGEST_SHOWN])


def _key(uri: str, local: str) -> str | None:
    if local == "html" and uri == _XHTML:
        return "xhtml"
    if local in {"akomaNtoso", "akomantoso"} and uri.startswith(_AKOMA_NTOSO):
        return "akoma-ntoso"
    if local == "LexML" and uri.startswith(_LEXML):
        return "lexml"
    return "nir" if local == "NIR" else None
