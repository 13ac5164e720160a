"""Whether a document is well-formed to its end: whoever reads a part of it does not see that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._xml_limits import FARTHEST, too_long, too_much
from lexurn.embedding._xml_parser import fault_of, parser_of, refusal
from lexurn.embedding._xml_writing import codec_of

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["check_whole", "whole_findings"]


def check_whole(document: Document) -> tuple[DocumentFinding, ...]:
    """Read a document to its end, without a tree, and make sure that it is whole.

    Args:
        document: an XML document.

    Returns:
        What is not known of it: whether the rest of one that is very large is whole as well.

    Raises:
        EmbeddingError: it is not well-formed, or cannot be read.
    """
    reader = _Reader(document)
    for piece in document.pieces(0, FARTHEST):
        reader.feed(piece)
    if document.size <= FARTHEST:
        reader.feed(b"", is_last=True)
        return ()
    what, limit = "the document has", FARTHEST >> 20
    return (finding("LX344", document.name, line=reader.line, what=what, limit=limit),)


def whole_findings(document: Document) -> tuple[DocumentFinding, ...]:
    """What `check_whole` says or raises, for whom a fault is one thing among others."""
    try:
        return check_whole(document)
    except EmbeddingError as fault:
        return (fault.finding,)


class _Reader:
    """Expat with hardly any handlers: a hundred megabytes take a second."""

    def __init__(self, document: Document) -> None:
        self._name = document.name
        self._read = self._depth = 0
        self._has_entities = False
        self._parser = parser_of(codec_of(document))
        self._parser.ordered_attributes = True
        self._parser.specified_attributes = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    @property
    def line(self) -> int:
        """The line that was read last."""
        return self._parser.CurrentLineNumber

    def feed(self, piece: bytes, *, is_last: bool = False) -> None:
        """Read on.

        Raises:
            EmbeddingError: what is read is at fault.
        """
        fault = fault_of(self._parser, self._name, piece, is_last=is_last)
        if fault is not None:
            raise fault
        self._read += len(piece)
        # Where expat is, the token starts that it waits for the end of.
        waiting = self._read - self._parser.CurrentByteIndex
        self._refuse(too_long(waiting, has_entities=self._has_entities))

    def _refuse(self, what: str | None) -> None:
        if what is not None:
            raise refusal(self._parser, self._name, what)

    def _start(self, _: str, attributes: list[str]) -> None:
        # Expat holds all that is open, and all of a tag.
        self._depth += 1
        self._refuse(too_much(self._depth, len(attributes) // 2))

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _entity(self, *_: object) -> None:
        self._has_entities = True
