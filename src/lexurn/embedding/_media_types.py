"""Which media types there are, as far as law is published in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["is_media_type", "meant_media_type"]

_SHAPE = re.compile(r"([a-z0-9][a-z0-9!#$&^_.+-]*)/[a-z0-9][a-z0-9!#$&^_.+-]*")
_TREES = frozenset(
    [
        "application",
        "audio",
        "chemical",
        "example",
        "font",
        "haptics",
        "image",
        "message",
        "model",
        "multipart",
        "text",
        "video",
    ]
)
_ATOM, _WORD = "application/atom+xml", "application/msword"
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_XHTML = "application/xhtml+xml"
_NONE: Final[Mapping[str, str]] = {
    "application/ascii": "text/plain",
    "application/atom": _ATOM,
    "application/csv": "text/csv",
    "application/doc": _WORD,
    "application/docx": _DOCX,
    "application/epub": "application/epub+zip",
    "application/htm": "text/html",
    "application/html": "text/html",
    "application/jpeg": "image/jpeg",
    "application/jpg": "image/jpeg",
    "application/jsonld": "application/ld+json",
    "application/markdown": "text/markdown",
    "application/ms-word": _WORD,
    "application/odt": "application/vnd.oasis.opendocument.text",
    "application/plain": "text/plain",
    "application/rdf": "application/rdf+xml",
    "application/text": "text/plain",
    "application/tiff": "image/tiff",
    "application/ttl": "text/turtle",
    "application/turtle": "text/turtle",
    "application/txt": "text/plain",
    "application/word": _WORD,
    "application/xhtml": _XHTML,
    "image/jpg": "image/jpeg",
    "text/atom": _ATOM,
    "text/htm": "text/html",
    "text/json": "application/json",
    "text/json-ld": "application/ld+json",
    "text/jsonld": "application/ld+json",
    "text/ld+json": "application/ld+json",
    "text/md": "text/markdown",
    "text/pdf": "application/pdf",
    "text/rdf": "application/rdf+xml",
    "text/ttl": "text/turtle",
    "text/txt": "text/plain",
    "text/word": _WORD,
    "text/xhtml": _XHTML,
}
"""Media types that people write, and nobody registered; what they mean is beyond doubt."""


def _plain(text: str) -> str:
    """A media type without its parameters."""
    return text.partition(";")[0].strip().lower()


def is_media_type(text: str) -> bool:
    """Whether it can be one: shaped as RFC 6838 says, and none of those that there are not."""
    found = _SHAPE.fullmatch(_plain(text))
    if found is None or found[0] in _NONE:
        return False
    return found[1] in _TREES or found[1].startswith("x-")


def meant_media_type(text: str) -> str | None:
    """The media type that is meant by one that there is not, None where that is not known."""
    plain = _plain(text)
    return _NONE.get(plain) or (f"text/{plain}" if plain == "html" else _SUFFIXES.get(plain))


_SUFFIXES: Final[Mapping[str, str]] = {
    "docx": _DOCX,
    "pdf": "application/pdf",
    "txt": "text/plain",
    "xml": "application/xml",
}
