"""What all XML formats do alike: put in, put in again, take out, and look for signatures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from lexurn.embedding._composition import renewed
from lexurn.embedding._edit import Change
from lexurn.embedding._xml_signature import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.export import Marking

__all__ = ["embed_by", "remove_by"]

_Removal: TypeAlias = "Callable[[Document], tuple[Edit, ...]]"
_Addition: TypeAlias = "Callable[[Document, Marking], Change]"


def embed_by(removal: _Removal, addition: _Addition) -> Callable[[Document, Marking, bool], Change]:
    """What puts a name in, as a format has it, in the place of the one that was put in before.

    Args:
        removal: what takes out all that lexurn put into a document.
        addition: what puts a name into a document that has nothing of that.
    """
    return partial(_embedded, removal, addition)


def remove_by(removal: _Removal) -> Callable[[Document, bool], Change]:
    """What takes out all that lexurn put in, as a format has it.

    Args:
        removal: the same, whether the document is signed or not.
    """
    return partial(_removed, removal)


def _embedded(
    removal: _Removal,
    addition: _Addition,
    document: Document,
    marking: Marking,
    is_forced: bool,  # noqa: FBT001 - as a format has it
) -> Change:
    change = renewed(document, removal(document), lambda bare: addition(bare, marking))
    return checked(document, change, is_forced=is_forced)


def _removed(removal: _Removal, document: Document, is_forced: bool) -> Change:  # noqa: FBT001 - as a format has it
    return checked(document, Change(edits=removal(document)), is_forced=is_forced)
