"""Expat as it reads documents here: nothing is fetched or expanded, and faults are findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["fault_of", "parser_of", "refusal"]

_UNKNOWN_ENCODING: Final = expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]
# In the words of expat no element was found, however many there were before the end.
_WORDS: Final[Mapping[int, str]] = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "it ends before its root element does",
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: "it ends in a tag or comment",
}


def parser_of(codec: str, *, separator: str | None = None) -> expat.XMLParserType:
    """A parser that expands no entity in text.

    Args:
        codec: the codec of the document.
        separator: what stands between namespaces and names; None to have names as they are written.
    """
    # Expat knows UTF-8 by this name alone, and documents call it utf8 as well.
    parser = expat.ParserCreate("UTF-8" if codec == "utf-8" else None, separator)
    # That one was set, be it none, keeps expat from expanding entities.
    parser.DefaultHandler = None
    return parser


def fault_of(
    parser: expat.XMLParserType, name: str, piece: bytes, *, is_last: bool
) -> EmbeddingError | None:
    """Read on, and say what is wrong.

    Args:
        parser: the parser.
        name: the name of the document.
        piece: what follows in it.
        is_last: whether nothing follows behind.
    """
    try:
        parser.Parse(piece, is_last)
    except EmbeddingError as fault:
        return fault
    except expat.ExpatError as fault:
        if fault.code == _UNKNOWN_ENCODING:
            return _unreadable(name)
        why = _WORDS.get(fault.code) or expat.ErrorString(fault.code) or "a fault without a name"
        return EmbeddingError(finding("LX330", name, line=fault.lineno, why=why))
    except (LookupError, ValueError):
        return _unreadable(name)
    return None


def _unreadable(name: str) -> EmbeddingError:
    return EmbeddingError(finding("LX331", name, line=1, encoding="that it says it has"))


def refusal(parser: expat.XMLParserType, name: str, what: str) -> EmbeddingError:
    """What is said of a document that has what no honest one has.

    Args:
        parser: the parser, which is at that place.
        name: the name of the document.
        what: what it has.
    """
    return EmbeddingError(finding("LX332", name, line=parser.CurrentLineNumber, what=what))
