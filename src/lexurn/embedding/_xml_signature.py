"""Signed XML: a change of any byte may break the signature."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._xml_limits import LONGEST_TOKEN
from lexurn.embedding._xml_parser import fault_of, parser_of
from lexurn.embedding._xml_writing import codec_of, encoded

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Change

__all__ = ["checked"]

# XAdES stands in such an element, so that this finds it as well.
_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
_ELEMENT = "Signature"


def checked(document: Document, change: Change, *, is_forced: bool) -> Change:
    """A change, where the document is not signed, or it is to be done all the same.

    Args:
        document: the document.
        change: what is to be done to it.
        is_forced: whether it is to be done in spite of a signature.

    Raises:
        EmbeddingError: the document is signed, or cannot be read.
    """
    line = _signed_at(document) if change.edits else None
    if line is None:
        return change
    if not is_forced:
        raise EmbeddingError(finding("LX339", document.name, line=line))
    return replace(change, findings=(*change.findings, finding("LX340", document.name, line=line)))


def _signed_at(document: Document) -> int | None:
    """The line of the first signature, None where there is none.

    A document that is broken in front of one has none that anybody could verify; one that is not
    read to its end, for a tag that does not end, is taken for signed.
    """
    codec = codec_of(document)
    # By the element, since its namespace may be spelled with references.
    if not _mentions(document, encoded(_ELEMENT, codec)):
        return None
    parser, found = parser_of(codec, separator=" "), list[int]()

    def start(name: str, _: object) -> None:
        if name == f"{_SIGNATURE} {_ELEMENT}":
            found.append(parser.CurrentLineNumber)

    parser.StartElementHandler = start
    done = 0
    for piece in document.pieces():
        is_broken = fault_of(parser, document.name, piece, is_last=False) is not None
        done += len(piece)
        if done - parser.CurrentByteIndex > LONGEST_TOKEN:
            found.append(parser.CurrentLineNumber)
        if found or is_broken:
            break
    return found[0] if found else None


def _mentions(document: Document, words: bytes) -> bool:
    """Whether bytes stand anywhere in a document: much faster to see than what they are."""
    rest = b""
    for piece in document.pieces():
        if words in rest + piece:
            return True
        rest = piece[-len(words) :]
    return False
