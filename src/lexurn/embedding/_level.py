"""Whether a name fits a document: its level, its type, a part alone (RFC 9676 sections 5.2, 5.8).

A work or an expression may be named in any file. A name of a file form (RFC 9676 section 5.7) says
which type of file it is of, and a part of a document (section 5.8) can only be named where a
format has parts that stand alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding._format import Format
    from lexurn.model import Record
    from lexurn.name import ManifestationIdentifier, Name

__all__ = ["check_level", "fits", "is_of_type", "media_type_of"]


def fits(name: Name, format: Format) -> bool:
    """Whether a name may be that of a file of a format."""
    if name.partition is not None and not format.takes_partitions:
        return False
    return name.manifestation is None or is_of_type(name.manifestation, format.media_types)


def check_level(file: str, name: Name, format: Format, records: Iterable[Record] = ()) -> None:
    """Make sure that a name may be that of a file of a format.

    Args:
        file: the file, for the message.
        name: the name.
        format: what the file is.
        records: what is known of other names, of which one may fit.

    Raises:
        EmbeddingError: it may not; with a name that would.
    """
    if fits(name, format):
        return
    text = str(name)
    if name.manifestation is not None and not is_of_type(name.manifestation, format.media_types):
        better = _better(name, format, records)
        raise EmbeddingError(
            finding(
                "LX310",
                file,
                text=text,
                suggestion=str(better),
                said=media_type_of(name.manifestation),
                label=format.label,
                remedy=_remedy(better),
            )
        )
    raise EmbeddingError(
        finding(
            "LX311",
            file,
            text=text,
            suggestion=str(name.document),
            partition=name.partition,
            label=format.label,
        )
    )


def _remedy(better: Name) -> str:
    if better.manifestation is not None:
        return "the manifest has a name for such files"
    return "name its expression" if better.expression is not None else "name its work"


def is_of_type(manifestation: ManifestationIdentifier, media_types: Iterable[str]) -> bool:
    """Whether a name of a file form says one of some media types."""
    said = _plain(unquote(manifestation.format.mime))
    return any(said == _plain(kind) for kind in media_types)


def _plain(media_type: str) -> str:
    """A media type as a name writes it, with hyphens for signs that a name has not."""
    return media_type.lower().replace("/", "-").replace("+", "-")


def media_type_of(manifestation: ManifestationIdentifier) -> str:
    """The media type that a name of a file form says, as it is written elsewhere."""
    return unquote(manifestation.format.mime).replace("-", "/", 1)


def _better(name: Name, format: Format, records: Iterable[Record]) -> Name:
    """The name of another file form of the same document, else what it is a form of."""
    document = name.document
    above = document.parent
    for other in _forms(records):
        if other.parent == above and fits(other, format):
            return other
    return above if above is not None else document


def _forms(records: Iterable[Record]) -> Iterator[Name]:
    """Names of whole files, none that is a mere alias."""
    for record in records:
        name = record.name
        if name.manifestation is not None and name.partition is None and record.alias_of is None:
            yield name
