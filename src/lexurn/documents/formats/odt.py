"""OpenDocument: names in the documents of LibreOffice and others (ODF 1.3 part 3 section 4.3).

The name is the user-defined property ``urn:lex`` of ``meta.xml``, since the schema has no
``dc:identifier``. Title and language come in if there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.containers.zip import check_members, find_broken_members, open_container
from lexurn.documents.document import Change, Document, DocumentFormat, Notation, Reading, Statement
from lexurn.documents.findings import make_error
from lexurn.documents.formats import members
from lexurn.documents.names import find_language_conflict, find_unmarked_names
from lexurn.vocabulary import DC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.pages import DocumentMetadata

_LABEL: Final = "ODT"
_META_MEMBER: Final = "meta.xml"
_MANIFEST_MEMBER: Final = "META-INF/manifest.xml"
# Such files have any name with this in it (ODF 1.3 part 2 section 5); LibreOffice knows three.
_SIGNATURES: Final = re.compile(r"META-INF/.*signatures", re.IGNORECASE | re.DOTALL)

_SPACE: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE: Final = f"{_SPACE}office:1.0"
_META: Final = f"{_SPACE}meta:1.0"
_DOCUMENT_META: Final = (_OFFICE, "document-meta")
_PROPERTIES: Final = (_DOCUMENT_META, (_OFFICE, "meta"))
_NO_META: Final = b"<none/>"  # in place of a member that is not there
_USER_DEFINED: Final = (_META, "user-defined")


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """Metadata of a document, and the member with its signatures, if it is signed."""

    container: ZipContainer
    meta: members.XmlMember
    signature: str | None


def _open_parts(document: Document) -> _Parts:
    container = open_container(document)
    # Before ODF 1.0 it had another namespace, or none.
    manifest = members.open_member(container, _MANIFEST_MEMBER, _LABEL)
    entries = manifest.root.elements
    if any(each.opening.local == "encryption-data" for entry in entries for each in entry.elements):
        raise make_error("LX361", document.name, what="the file is encrypted")
    data = container.read_member(_META_MEMBER)
    meta = members.parse_member(document, _META_MEMBER, _NO_META if data is None else data)
    signature = next(filter(_SIGNATURES.match, container.by_name), None)
    return _Parts(container=container, meta=meta, signature=signature)


def _embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
    parts = _open_parts(document)
    page = parts.meta.bare
    if not any(page.find_all(*_PROPERTIES)):
        values = {
            "why": f"no metadata in {_META_MEMBER}",
            "remedy": "open it in LibreOffice and save it",
        }
        raise make_error("LX369", document.name, label=_LABEL, **values)
    properties, findings = members.find_missing_properties(
        document, _META_MEMBER, marking, _read_properties(page)
    )
    languages = page.read_texts(*_PROPERTIES, (DC, "language"))
    findings += find_language_conflict(document, marking, languages)
    findings += check_members(parts.container)
    contents = {_META_MEMBER: page.add_blocks(_make_blocks(page, marking, properties))}
    return members.make_change(
        parts.container, contents, findings, parts.signature, is_forced=is_forced
    )


def _read_properties(page: members.XmlMember) -> tuple[members.DocumentProperty, ...]:
    """Read the user-defined properties."""
    return tuple(map(_read_property, page.find_all(*_PROPERTIES, _USER_DEFINED)))


def _read_property(element: XmlNode) -> members.DocumentProperty:
    return members.DocumentProperty(element.get("name", _META) or "", element.value)


def _make_blocks(
    page: members.XmlMember,
    marking: DocumentMetadata,
    properties: Sequence[members.DocumentProperty],
) -> list[members.PlacedBlock]:
    """Return the blocks for ``meta.xml``, each with its offsets."""
    opening = page.root.opening
    new, blocks = members.place_dublin_core(page, _PROPERTIES, marking)
    # An attribute with a namespace needs a prefix.
    prefix = next((key for key, value in opening.scope.items() if value == _META and key), "")
    name, attribute = f"{prefix or 'meta'}:user-defined", f"{prefix or 'meta'}:name"
    start = name if prefix else f'{name} xmlns:meta="{_META}"'
    new += (
        f'<{start} {attribute}="{escape_xml(item.key)}">{escape_xml(item.value)}</{name}>'
        for item in properties
    )
    if new:
        blocks.append(page.place_block(next(page.find_all(*_PROPERTIES)), new))
    return blocks


def _remove(document: Document, is_forced: bool) -> Change:
    parts = _open_parts(document)
    page = parts.meta.bare
    values = [item.value for item in _read_properties(page) if item.key == members.NAME_PROPERTY]
    findings = find_unmarked_names(document, _META_MEMBER, values)
    contents = {_META_MEMBER: page.document.read()} if parts.meta.blocks else {}
    return members.make_change(
        parts.container, contents, findings, parts.signature, is_forced=is_forced
    )


def _read(document: Document) -> Reading:
    parts = _open_parts(document)
    elements = parts.meta.find_children(*_PROPERTIES)
    statements = (_make_statement(each, is_embedded=parts.meta.is_own(each)) for each in elements)
    return Reading(
        statements=tuple(each for each in statements if each.value),
        findings=find_broken_members(parts.container),
    )


def _make_statement(element: XmlNode, *, is_embedded: bool) -> Statement:
    if element.name == _USER_DEFINED:
        item = _read_property(element)
        return members.property_to_statement(
            Notation.ODF, f"{_META}#", item, is_embedded=is_embedded
        )
    uri, local = element.name
    return Statement(
        notation=Notation.ODF,
        term=f"{uri}{local}" if uri == DC else f"{uri}#{local}",
        value=element.value,
        language=element.opening.language,
        is_embedded=is_embedded,
    )


_TEXT_KINDS: Final = ("text", "text-template", "text-master", "text-web")

FORMAT: Final = DocumentFormat(
    key="odt",
    label=_LABEL,
    suffixes=frozenset({".odt", ".ott", ".odm", ".oth"}),
    media_types=frozenset(f"application/vnd.oasis.opendocument.{kind}" for kind in _TEXT_KINDS),
    embed=_embed,
    remove=_remove,
    read=_read,
)
