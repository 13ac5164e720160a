"""A format of documents: how to tell it, to put a name in and take it out, and to read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Change
    from lexurn.embedding._statement import Reading
    from lexurn.export import Marking

__all__ = ["Format"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format.

    All functions raise `EmbeddingError` where a document cannot be read, cannot take the name, or
    would be harmed. None of them writes anything.

    Attributes:
        key: a short name, stable: ``html``.
        label: its name for people: ``HTML``.
        suffixes: suffixes of such files, with their dots, lower case.
        media_types: media types of such files; a name of a file form must have one of them.
        takes_partitions: whether a document may be a part alone (``~art3``).
        embed: what puts a name in, or in the place of the one that lexurn put in before; no edits
            where all of it is there already. The last argument is whether it is to be done in spite
            of a signature.
        remove: what takes out all that lexurn put in, and restores the bytes that were there.
        read: what a document says.
    """

    key: str
    label: str
    suffixes: frozenset[str]
    media_types: frozenset[str]
    takes_partitions: bool = False
    embed: Callable[[Document, Marking, bool], Change]
    remove: Callable[[Document, bool], Change]
    read: Callable[[Document], Reading]
