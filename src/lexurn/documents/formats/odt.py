"""OpenDocument: names in the documents of LibreOffice and others (ODF 1.3 part 3 section 4.3).

The name is the user-defined property ``urn:lex`` of ``meta.xml``, since the schema has no
``dc:identifier``. Title and language come in if there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.containers.zip import check_members, find_broken_members, open_container
from lexurn.documents.document import DocumentFormat, Notation, Reading, Statement
from lexurn.documents.findings import make_error
from lexurn.documents.formats.members import (
    NAME_PROPERTY,
    DocumentProperty,
    check_media_type,
    choose_title,
    find_missing_properties,
    make_change,
    make_member,
    make_tag,
    open_member,
    parse_member,
    place_dublin_core,
    property_to_statement,
)
from lexurn.documents.names import find_language_conflict, find_unmarked_names
from lexurn.vocabulary import DC

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from lexurn.documents.containers.xml import StartTag
    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.documents.document import Change, Document
    from lexurn.documents.formats.members import BlockPlace, MemberElement, XmlMember
    from lexurn.pages import DocumentMetadata

_LABEL: Final = "ODT"
_META_MEMBER: Final = "meta.xml"
_MANIFEST_MEMBER: Final = "META-INF/manifest.xml"
# Such files have any name with this in it (ODF 1.3 part 2 section 5); LibreOffice knows three.
_SIGNATURES: Final = re.compile(r"META-INF/.*signatures", re.IGNORECASE | re.DOTALL)

_SPACE: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE: Final = f"{_SPACE}office:1.0"
_META: Final = f"{_SPACE}meta:1.0"
_MANIFEST: Final = f"{_SPACE}manifest:1.0"
_DOCUMENT_META: Final = (_OFFICE, "document-meta")
_PROPERTIES: Final = (_DOCUMENT_META, (_OFFICE, "meta"))
_USER_DEFINED: Final = (_META, "user-defined")
_ENTRY_PATH: Final = ((_MANIFEST, "manifest"), (_MANIFEST, "file-entry"))


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """Members with the metadata of a document.

    Attributes:
        container: the document.
        manifest: the list of its members.
        meta: the member of metadata; None if there is none.
    """

    container: ZipContainer
    manifest: XmlMember
    meta: XmlMember | None

    @property
    def signature(self) -> str | None:
        """Member with the signatures; None if the document is not signed."""
        return next(filter(_SIGNATURES.match, self.container.by_name), None)

    @property
    def manifest_base(self) -> bytes:
        """List of members without the blocks of lexurn."""
        return self.manifest.base or self.manifest.document.read()


def _open_parts(document: Document) -> _Parts:
    container = open_container(document)
    # Before ODF 1.0 it had another namespace, or none; it is changed only if meta.xml is new.
    manifest = open_member(container, _MANIFEST_MEMBER, _LABEL)
    has_meta = _META_MEMBER in container.by_name
    meta = open_member(container, _META_MEMBER, _LABEL) if has_meta else None
    broken = None
    if manifest.root.path[0][1] != "manifest":
        broken = _MANIFEST_MEMBER
    elif any(each.opening.local == "encryption-data" for each in manifest.elements):
        raise make_error("LX361", document.name, what="the file is encrypted")
    elif meta is not None and meta.root.path != _PROPERTIES[:1]:
        broken = _META_MEMBER
    if broken is not None:
        why = f"{broken} has another root element"
        raise make_error("LX367", document.name, label=_LABEL, why=why)
    return _Parts(container=container, manifest=manifest, meta=meta)


def _embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _open_parts(document)
    kind = parts.container.read_member("mimetype")
    check_media_type(document, marking, None if kind is None else kind.decode("ascii", "replace"))
    base = None if parts.meta is None else parts.meta.base
    page = None if base is None else parse_member(document, _META_MEMBER, base)
    properties, findings = find_missing_properties(
        document, _META_MEMBER, marking, _read_properties(page)
    )
    elements = () if page is None else page.find_all(*_PROPERTIES, (DC, "language"))
    languages = [each.text for each in elements if each.text]
    findings += find_language_conflict(document, marking, languages)
    findings += check_members(parts.container)
    if page is None:
        meta, manifest = _make_meta(parts, marking, properties), _add_manifest_entry(parts)
    else:
        meta = page.add_blocks(_make_blocks(page, marking, properties))
        manifest = parts.manifest_base
    contents = {_META_MEMBER: meta, _MANIFEST_MEMBER: manifest}
    return make_change(parts.container, contents, findings, parts.signature, is_forced=is_forced)


def _read_properties(page: XmlMember | None) -> tuple[DocumentProperty, ...]:
    """Read the user-defined properties."""
    if page is None:
        return ()
    return tuple(map(_read_property, page.find_all(*_PROPERTIES, _USER_DEFINED)))


def _read_property(element: MemberElement) -> DocumentProperty:
    return DocumentProperty(element.opening.get("name", _META) or "", element.text)


def _make_blocks(
    page: XmlMember, marking: DocumentMetadata, properties: Sequence[DocumentProperty]
) -> list[BlockPlace]:
    """Return the blocks for ``meta.xml``, and their places."""
    title, opening = choose_title(marking), page.root.opening
    values = (("title", "" if title is None else title.value), ("language", marking.language or ""))
    new, places = place_dublin_core(page, page.find_children(*_PROPERTIES), values)
    new += _write_properties(opening, properties)
    parent = next(page.find_all(*_PROPERTIES), None)
    if parent is None:
        new = [make_tag(opening, ("office", _OFFICE, "meta"), "".join(new))]
    if new and (parent is not None or properties):
        places.append(page.place_block(page.root if parent is None else parent, new))
    return places


def _write_properties(opening: StartTag, properties: Sequence[DocumentProperty]) -> list[str]:
    """Write properties as elements; an attribute with a namespace needs a prefix."""
    prefixes = (key for key, value in opening.scope.items() if value == _META and key)
    prefix = next(prefixes, "")
    name = f"{prefix or 'meta'}:user-defined"
    start = name if prefix else f'{name} xmlns:meta="{_META}"'
    attribute = f"{prefix or 'meta'}:name"
    return [
        f'<{start} {attribute}="{escape_xml(item.key)}">{escape_xml(item.value)}</{name}>'
        for item in properties
    ]


def _make_meta(
    parts: _Parts, marking: DocumentMetadata, properties: Sequence[DocumentProperty]
) -> bytes:
    """Make a new ``meta.xml``."""
    version = parts.manifest.root.opening.get("version", _MANIFEST) or "1.2"
    root = (
        f'<office:document-meta xmlns:office="{_OFFICE}" xmlns:meta="{_META}" xmlns:dc="{DC}" '
        f'office:version="{escape_xml(version)}"/>'
    )
    page = parse_member(parts.container.document, _META_MEMBER, root.encode())
    ((_, _, text),) = _make_blocks(page, marking, properties)
    return make_member(text)


def _add_manifest_entry(parts: _Parts) -> bytes:
    """Return the list of members with ``meta.xml``."""
    base = parts.manifest_base
    page = parse_member(parts.container.document, _MANIFEST_MEMBER, base)
    entries = page.find_all(*_ENTRY_PATH)
    if any(each.opening.get("full-path", _MANIFEST) == _META_MEMBER for each in entries):
        return base
    entry = (
        f'<manifest:file-entry xmlns:manifest="{_MANIFEST}" '
        f'manifest:full-path="{_META_MEMBER}" manifest:media-type="text/xml"/>'
    )
    return page.add_blocks([page.place_block(page.root, [entry])])


def _remove(document: Document, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _open_parts(document)
    base = None if parts.meta is None else parts.meta.base
    page = None if base is None else parse_member(document, _META_MEMBER, base)
    values = [item.value for item in _read_properties(page) if item.key == NAME_PROPERTY]
    findings = find_unmarked_names(document, _META_MEMBER, values)
    contents = {_META_MEMBER: base, _MANIFEST_MEMBER: parts.manifest_base}
    return make_change(parts.container, contents, findings, parts.signature, is_forced=is_forced)


def _read(document: Document) -> Reading:
    parts = _open_parts(document)
    elements = () if parts.meta is None else tuple(parts.meta.find_children(*_PROPERTIES))
    return Reading(
        statements=tuple(each for each in map(_make_statement, elements) if each.value),
        findings=find_broken_members(parts.container),
    )


def _make_statement(element: MemberElement) -> Statement:
    if element.path[-1] == _USER_DEFINED:
        item = _read_property(element)
        return property_to_statement(
            Notation.ODF, f"{_META}#", item, is_embedded=element.is_embedded
        )
    uri, local = element.path[-1]
    return Statement(
        notation=Notation.ODF,
        subject=None,
        term=f"{uri}{local}" if uri == DC else f"{uri}#{local}",
        value=element.text,
        language=element.opening.language,
        is_embedded=element.is_embedded,
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
