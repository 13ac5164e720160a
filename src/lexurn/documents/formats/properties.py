"""Properties of office documents: the name, its relations, and Dublin Core.

Word, LibreOffice and others show properties that anybody can define. Those of lexurn are
``urn:lex`` (the name), and with a word behind it ``urn:lex isVersionOf``, ``urn:lex previous`` ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.containers.zip_members import make_tag
from lexurn.documents.document import Statement
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.names import (
    decode_media_type,
    has_name,
    is_name_like,
    is_of_media_type,
    make_name_conflict,
)
from lexurn.documents.terms import PRISM
from lexurn.vocabulary import DC, DCTERMS, IANA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

    from lexurn.documents.containers.zip_members import BlockPlace, MemberElement, XmlMember
    from lexurn.documents.document import Document, Notation
    from lexurn.findings import Finding
    from lexurn.model import LanguageText
    from lexurn.pages import DocumentMetadata

NAME_PROPERTY: Final = "urn:lex"
"""The key of the property whose value is the name."""

_PROPERTY_TERMS: Final[Mapping[str, str]] = {
    NAME_PROPERTY: f"{DC}identifier",
    "urn:lex isPartOf": f"{DCTERMS}isPartOf",
    "urn:lex isFormatOf": f"{DCTERMS}isFormatOf",
    "urn:lex isVersionOf": f"{DCTERMS}isVersionOf",
    "urn:lex first": f"{IANA}first",
    "urn:lex previous": f"{IANA}previous",
    "urn:lex version": f"{PRISM}versionIdentifier",
}
_TEXT_PROPERTIES = frozenset({NAME_PROPERTY, "urn:lex version"})


class DocumentProperty(NamedTuple):
    """Property of a document: its key and its value."""

    key: str
    value: str


def check_media_type(document: Document, marking: DocumentMetadata, media_type: str | None) -> None:
    """Check that the file format in a name is that of the document.

    Args:
        document: the document.
        marking: the name.
        media_type: the media type of the document; None if it declares none.

    Raises:
        DocumentError: the name has another format.
    """
    manifestation = marking.name.manifestation
    label = (media_type or "").strip()
    if manifestation is None or media_type is None or is_of_media_type(manifestation, [label]):
        return
    raise DocumentError(
        make_finding(
            "LX310",
            document.name,
            text=str(marking.name),
            said=decode_media_type(manifestation),
            label=label[:100],
            remedy="name its expression",
        )
    )


def make_properties(marking: DocumentMetadata) -> tuple[DocumentProperty, ...]:
    """Return the properties of a document with a name."""
    properties = [DocumentProperty(NAME_PROPERTY, str(marking.name))]
    properties += [
        DocumentProperty(f"{NAME_PROPERTY} {kind}", iri) for kind, iri in marking.relations
    ]
    if marking.version is not None:
        properties.append(DocumentProperty(f"{NAME_PROPERTY} version", marking.version))
    return tuple(properties)


def choose_title(marking: DocumentMetadata) -> LanguageText | None:
    """Return one title: in the language of the name, else the first."""
    fitting = (each for each in marking.titles if each.language == marking.language)
    return next(fitting, marking.titles[0] if marking.titles else None)


def property_to_statement(
    notation: Notation, namespace: str, item: DocumentProperty, *, is_embedded: bool
) -> Statement:
    """Return a property as a statement.

    Args:
        notation: the notation of the format.
        namespace: the namespace for properties that are not of lexurn.
        item: the property.
        is_embedded: whether lexurn wrote it.
    """
    term = _PROPERTY_TERMS.get(item.key)
    return Statement(
        notation=notation,
        subject=None,
        term=f"{namespace}{quote(item.key, safe='')}" if term is None else term,
        value=item.value,
        is_iri=term is not None and item.key not in _TEXT_PROPERTIES,
        is_embedded=is_embedded,
    )


def find_missing_properties(
    document: Document, member: str, marking: DocumentMetadata, present: Iterable[DocumentProperty]
) -> tuple[tuple[DocumentProperty, ...], tuple[Finding, ...]]:
    """Return the properties of a name that a document does not have.

    Args:
        document: the document.
        member: the member that has its properties, for messages.
        marking: the name.
        present: the properties that it has, without those of lexurn.

    Returns:
        The properties, and a finding for each that has another value in the document.

    Raises:
        DocumentError: the document states another name.
    """
    known: dict[str, list[str]] = {}
    for item in present:
        known.setdefault(item.key.casefold(), []).append(item.value)
    wanted, findings = [], []
    for item in make_properties(marking):
        values = known.get(item.key.casefold())
        if values is None:
            wanted.append(item)
            continue
        is_name = item.key == NAME_PROPERTY
        if is_name and not any(map(is_name_like, values)):
            raise make_name_conflict(document, member, marking, values[0])
        if item.value not in values and not (
            is_name and has_name(document, member, marking, values)
        ):
            findings.append(make_finding("LX368", document.name, text=values[0], member=member))
    return tuple(wanted), tuple(findings)


def place_dublin_core(
    page: XmlMember, present: Iterable[MemberElement], values: Iterable[tuple[str, str]]
) -> tuple[list[str], list[BlockPlace]]:
    """Return the elements of Dublin Core that a document lacks.

    Args:
        page: the member for them.
        present: the elements of metadata that it has.
        values: the local names and values to be there; an empty value is passed over.

    Returns:
        The new elements, and blocks in place of those that are empty.
    """
    known = {each.path[-1]: each for each in present}
    new: list[str] = []
    places: list[BlockPlace] = []
    for local, value in values:
        element = known.get((DC, local))
        written = make_tag(page.root.opening, ("dc", DC, local), escape_xml(value))
        if value and element is None:
            new.append(written)
        elif value and element is not None and not element.text:
            places.append((element.opening.start, element.closing.end, written))
    return new, places
