"""What a document says: statements as they stand in it, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["Reading", "Statement", "Way"]


class Way(StrEnum):
    """How a document says something."""

    META = "meta"
    """``meta name`` and ``link rel`` of an HTML head: Dublin Core, and relations of links."""
    RDFA = "rdfa"
    MICRODATA = "microdata"
    JSON_LD = "json-ld"
    AKOMA_NTOSO = "akoma-ntoso"
    LEXML = "lexml"
    NIR = "nir"
    XMP = "xmp"
    PDF_INFO = "pdf-info"
    OPF = "opf"
    ODF = "odf"
    OOXML = "ooxml"
    SIDECAR = "sidecar"
    """A file beside the document, which lexurn wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that a document says.

    Attributes:
        way: how it says it.
        subject: the IRI of what it is said of; None where that is the document itself.
        term: the IRI of what is said (a property).
        value: the value, as it stands there, blanks around it aside.
        is_iri: whether the value is an IRI (of a link), and no text.
        language: the language of a text (as it stands there), None where none is said.
        datatype: the IRI of the datatype of a text, None where none is said.
        line: the line, from 1; 0 where there are no lines.
        is_ours: whether it stands in a block that lexurn wrote.
    """

    way: Way
    subject: str | None
    term: str
    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None
    line: int = 0
    is_ours: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read of a document.

    Attributes:
        statements: what it says, in the order of the document.
        findings: what is wrong with how it says it.
    """

    statements: tuple[Statement, ...] = ()
    findings: tuple[DocumentFinding, ...] = field(default=())
