"""What all XML formats do alike: put in, put in again, take out, read, and look at the rest.

The rest is what stands behind the place of a name. Where it is broken, no name is put in, and what
was read is said with a finding. What lexurn put in is taken out all the same, which makes nothing
worse.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from lexurn.embedding._composition import renewed
from lexurn.embedding._edit import Change
from lexurn.embedding._format import Format
from lexurn.embedding._statement import Reading
from lexurn.embedding._xml_signature import checked
from lexurn.embedding._xml_whole import check_whole, whole_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Statement
    from lexurn.export import Marking

__all__ = ["embed_by", "read_by", "remove_by", "schema_format"]

_Removal: TypeAlias = "Callable[[Document], tuple[Edit, ...]]"
_Addition: TypeAlias = "Callable[[Document, Marking], Change]"
_Saying: TypeAlias = "Callable[[Document, Callable[[DocumentFinding], None]], Iterable[Statement]]"


def schema_format(
    key: str, label: str, removal: _Removal, addition: _Addition, saying: _Saying
) -> Format:
    """A format that has no suffix and no media type of its own.

    Args:
        key: its key.
        label: its name for people.
        removal: see `embed_by`.
        addition: see `embed_by`.
        saying: see `read_by`.
    """
    return Format(
        key=key,
        label=label,
        suffixes=frozenset({".xml"}),
        media_types=frozenset({"application/xml", "text/xml"}),
        embed=embed_by(removal, addition),
        remove=remove_by(removal),
        read=read_by(saying),
    )


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


def read_by(saying: _Saying) -> Callable[[Document], Reading]:
    """What a document says, as a format has it.

    Args:
        saying: what the part of a document says that says what it is; what is wrong there is told
            to what it is called with.
    """
    return partial(_read, saying)


def _embedded(
    removal: _Removal,
    addition: _Addition,
    document: Document,
    marking: Marking,
    is_forced: bool,  # noqa: FBT001 - as a format has it
) -> Change:
    change = renewed(document, removal(document), lambda bare: addition(bare, marking))
    change = replace(change, findings=(*change.findings, *check_whole(document)))
    return checked(document, change, is_forced=is_forced)


def _removed(removal: _Removal, document: Document, is_forced: bool) -> Change:  # noqa: FBT001 - as a format has it
    return checked(document, Change(edits=removal(document)), is_forced=is_forced)


def _read(saying: _Saying, document: Document) -> Reading:
    found: list[DocumentFinding] = []
    statements = tuple(saying(document, found.append))
    return Reading(statements=statements, findings=(*found, *whole_findings(document)))
