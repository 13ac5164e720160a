"""The characters of a page: how its bytes are decoded."""

from __future__ import annotations

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
    codec = codec_of(encoding or DEFAULT_ENCODING)
    text = "" if codec is None else data.decode(codec, "replace")
    return text.removeprefix("\ufeff"), findings
