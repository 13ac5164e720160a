"""The characters of a page: how its bytes are decoded."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._html_encoding import mark_of, prescanned
from lexurn.embedding._html_labels import codec_of
from lexurn.embedding._html_page import DEFAULT_ENCODING, LONGEST_HEAD, page_of

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["LARGEST_PAGE", "page_text"]

LARGEST_PAGE: Final = LONGEST_HEAD + (1 << 20)
"""How many bytes of a page are read: the longest head that takes a name; a tree needs much more."""


def page_text(document: Document) -> tuple[str, tuple[DocumentFinding, ...]]:
    """The text of a page, or the beginning of it; what is no character in it is replaced.

    What is wrong with its head or our block in it is no reason not to read it, but is said.

    Raises:
        EmbeddingError: the document cannot be read.
    """
    data = document.read(0, LARGEST_PAGE)
    findings: tuple[DocumentFinding, ...] = ()
    try:
        encoding = page_of(document).encoding
    except EmbeddingError as fault:
        findings = (fault.finding,)
        mark = mark_of(data)
        encoding = prescanned(data) if mark is None else mark[0]
    is_whole = len(data) == document.size
    text = _undeclared(data, is_whole=is_whole) if encoding is None else _decoded(data, encoding)
    return text.removeprefix("\ufeff"), findings


def _undeclared(data: bytes, *, is_whole: bool) -> str:
    """The text of a page that says no encoding, as a server may have said it in its stead.

    That it is UTF-8 shows in its bytes (WHATWG HTML section 13.2.3.2 has browsers look for that in
    files); all else is what it is by default.
    """
    try:
        return getincrementaldecoder("utf-8")().decode(data, final=is_whole)
    except UnicodeDecodeError:
        return _decoded(data, DEFAULT_ENCODING)


def _decoded(data: bytes, encoding: str) -> str:
    codec = codec_of(encoding)
    return "" if codec is None else data.decode(codec, "replace")
