"""Office documents: names in Office Open XML (ECMA-376, ISO/IEC 29500) and OpenDocument (ODF 1.3).

In a Word document, the name is the property ``urn:lex`` of ``docProps/custom.xml``, which Word and
LibreOffice show. It is ``dc:identifier`` of ``docProps/core.xml`` too, if there is no other
identifier. In OpenDocument, it is the user-defined property ``urn:lex`` of ``meta.xml``, since the
schema has no ``dc:identifier`` (part 3 section 4.3). Title and language come in if there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from posixpath import normpath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.documents.containers.xml import BLOCK_BEGIN, BLOCK_END, escape_xml
from lexurn.documents.containers.zip import check_members, find_broken_members, open_container
from lexurn.documents.document import (
    Change,
    Document,
    DocumentError,
    DocumentFormat,
    Notation,
    Reading,
    Statement,
    make_error,
)
from lexurn.documents.formats import members
from lexurn.documents.names import find_language_conflict, find_unmarked_names, has_name
from lexurn.vocabulary import DC, DCTERMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

# --- Office Open XML (ECMA-376 part 2) ------------------------------------------------

_DOCX: Final = "DOCX"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_OOXML: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
# The strict form of ISO/IEC 29500 has its own namespaces for all but the package.
_STRICT: Final = "http://purl.oclc.org/ooxml/officeDocument"
_CORE_ROOT: Final = (f"{_PACKAGE}/metadata/core-properties", "coreProperties")

_RELATIONS_MEMBER: Final = "_rels/.rels"
_RELATION_PATH: Final = (
    (f"{_PACKAGE}/relationships", "Relationships"),
    (f"{_PACKAGE}/relationships", "Relationship"),
)
_TYPES_MEMBER: Final = "[Content_Types].xml"
_OVERRIDE_PATH: Final = (
    (f"{_PACKAGE}/content-types", "Types"),
    (f"{_PACKAGE}/content-types", "Override"),
)
# LibreOffice has written the second one for years.
_CORE_RELATIONS: Final = (
    f"{_PACKAGE}/relationships/metadata/core-properties",
    "http://schemas.openxmlformats.org/officedocument/2006/relationships/metadata/core-properties",
)
_SIGNATURE_RELATION: Final = f"{_PACKAGE}/relationships/digital-signature/origin"
_DOCUMENT_RELATIONS: Final = (
    f"{_OOXML}/relationships/officeDocument",
    f"{_STRICT}/relationships/officeDocument",
)
_CUSTOM_RELATIONS: Final = {
    True: f"{_STRICT}/relationships/customProperties",
    False: f"{_OOXML}/relationships/custom-properties",
}
_CUSTOM_TYPE: Final = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_WORD_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACRO_TYPE: Final = "application/vnd.ms-word."
_KINDS: Final = ("document", "template")
_NEW_PART: Final = "docProps/custom.xml"
# Not all programs may read comments in relationships and content types, so this marks ours.
_OWN_ID: Final = "rIdLexurn"

# Format of all properties that people define ([MS-OSHARED] section 2.3.3.2.2).
_FMTID: Final = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_FIRST_PID: Final = 2
# Numbers have 32 bits (xsd:int); no program gives a longer one.
_PID: Final = re.compile(r"\d{1,9}", re.ASCII)


def _embed_docx(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
    package = _open_package(document)
    base = package.open_custom()
    properties, findings = members.find_missing_properties(
        document, package.custom, marking, package.list_properties(base)
    )
    findings += check_members(package.container)
    contents = package.list_parts(base, _add_properties(package, base, properties))
    core, page = package.find_part(*_CORE_RELATIONS), package.open_core()
    if core is not None and page is not None:
        identifiers = [each.value for each in page.find_all(_CORE_ROOT, (DC, "identifier"))][-1:]
        if any(identifiers):
            has_name(document, core, marking, identifiers)
        new, blocks = members.place_dublin_core(page, [_CORE_ROOT], marking, str(marking.name))
        if new:
            blocks.append(page.place_block(page.root, new))
        contents[core] = page.add_blocks(blocks)
        languages = page.read_texts(_CORE_ROOT, (DC, "language"))
        findings += find_language_conflict(document, marking, languages)
    signature = package.find_part(_SIGNATURE_RELATION)
    return members.make_change(
        package.container, contents, findings, signature, is_forced=is_forced
    )


def _add_properties(
    package: _DocxPackage,
    base: members.XmlMember | None,
    properties: Sequence[members.DocumentProperty],
) -> bytes | None:
    """Return the custom properties with more of them, or a new part."""
    if not properties:
        return None if base is None else base.document.read()
    value_space = f"{_STRICT if package.is_strict else _OOXML}/docPropsVTypes"
    root = f'<Properties xmlns="{package.custom_space}" xmlns:vt="{value_space}"/>'
    page = base or members.parse_member(package.container.document, package.custom, root.encode())
    numbers = [each.get("pid") or "" for each in package.find_properties(page)]
    last = max((int(each) for each in numbers if _PID.fullmatch(each)), default=0)
    tags = []
    for number, item in enumerate(properties, max(last + 1, _FIRST_PID)):
        opening = page.root.opening
        value = members.make_tag(opening, ("vt", value_space, "lpwstr"), escape_xml(item.value))
        values = {"fmtid": _FMTID, "pid": str(number), "name": item.key}
        tags.append(
            members.make_tag(opening, ("p", package.custom_space, "property"), value, values)
        )
    block = page.place_block(page.root, tags)
    if base is not None:
        return page.add_blocks([block])
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return f"{head}\n<!-- {BLOCK_BEGIN} -->{block[2]}<!-- {BLOCK_END} -->".encode()


def _remove_docx(document: Document, is_forced: bool) -> Change:
    package = _open_package(document)
    base = package.open_custom()
    contents = package.list_parts(base, None if base is None else base.document.read())
    properties = package.list_properties(base)
    values = [item.value for item in properties if item.key == members.NAME_PROPERTY]
    findings = [*find_unmarked_names(document, package.custom, values)]
    core, page = package.find_part(*_CORE_RELATIONS), package.open_core()
    if core is not None and page is not None:
        contents[core] = page.document.read()
        values = page.read_texts(_CORE_ROOT, (DC, "identifier"))
        findings += find_unmarked_names(document, core, values)
    signature = package.find_part(_SIGNATURE_RELATION)
    return members.make_change(
        package.container, contents, findings, signature, is_forced=is_forced
    )


def _read_docx(document: Document) -> Reading:
    package = _open_package(document)
    statements: list[Statement] = []
    core = package.open_part(*_CORE_RELATIONS)
    if core is not None:
        for each in core.find_children(_CORE_ROOT):
            uri, local = each.name
            statement = Statement(
                notation=Notation.OOXML,
                term=f"{uri}{local}" if uri in {DC, DCTERMS} else f"{uri}#{local}",
                value=each.value,
                language=each.opening.language,
                is_embedded=core.is_own(each),
            )
            statements.append(statement)
    custom = package.open_part(package.custom_relation)
    if custom is not None:
        statements += (
            members.property_to_statement(
                Notation.OOXML,
                f"{package.custom_space}#",
                _read_custom_property(each),
                is_embedded=custom.is_own(each),
            )
            for each in package.find_properties(custom)
        )
    findings: list[Finding] = []
    try:
        # Faults in these parts keep a name out.
        package.open_custom()
        package.open_core()
    except DocumentError as fault:
        findings.append(fault.finding)
    findings += find_broken_members(package.container)
    return Reading(
        statements=tuple(each for each in statements if each.value),
        findings=tuple(findings),
    )


def _read_custom_property(element: XmlNode) -> members.DocumentProperty:
    """Return a property, whose value is in an element that states its type."""
    value = "".join(each.text for each in (element, *element.elements))
    return members.DocumentProperty(element.get("name") or "", value.strip())


def _normalize_part_name(reference: str) -> str:
    """Return the name of the part that a reference leads to, normalised for comparison.

    References are IRIs, resolved against the root of the package. Case and percent-encoding do
    not count (ECMA-376-2 section 6). Office reads a backslash as a slash.
    """
    path = unquote(re.sub(r"(?s)[?#].*", "", reference.strip())).replace("\\", "/")
    return normpath(f"/{path}").lstrip("/").casefold()


@dataclass(frozen=True, kw_only=True)
class _DocxPackage:
    """Package with its relationships and the content types of its parts."""

    container: ZipContainer
    relations: members.XmlMember
    types: members.XmlMember

    @cached_property
    def _targets(self) -> dict[str, tuple[str, XmlNode]]:
        """Existing parts by the types of their relationships; the first of each type."""
        parts = {_normalize_part_name(name): name for name in self.container.by_name}
        targets: dict[str, tuple[str, XmlNode]] = {}
        for each in self.relations.find_all(*_RELATION_PATH):
            target = _normalize_part_name(each.get("Target") or "")
            if target in parts and each.get("TargetMode") != "External":
                targets.setdefault(each.get("Type") or "", (parts[target], each))
        return targets

    def find_part(self, *relations: str) -> str | None:
        """Return the part of the first relationship that leads to one; None if none does."""
        found = (self._targets.get(each) for each in relations)
        return next((each[0] for each in found if each is not None), None)

    def open_part(self, *relations: str) -> members.XmlMember | None:
        """Open the part of a relationship; return None if there is none."""
        name = self.find_part(*relations)
        return None if name is None else members.open_member(self.container, name, _DOCX)

    def find_type(self, part: str) -> XmlNode | None:
        """Return the element with the content type of a part; None if there is none."""
        name = _normalize_part_name(part)
        for each in self.types.find_all(*_OVERRIDE_PATH):
            if _normalize_part_name(each.get("PartName") or "") == name:
                return each
        return None

    @property
    def is_strict(self) -> bool:
        """True if the custom properties, or else the document, have the strict form."""
        forms = [form for form, each in _CUSTOM_RELATIONS.items() if each in self._targets]
        return forms[0] if forms else _DOCUMENT_RELATIONS[1] in self._targets

    @property
    def custom_space(self) -> str:
        """Namespace of custom properties."""
        return f"{_STRICT}/customProperties" if self.is_strict else f"{_OOXML}/custom-properties"

    @property
    def custom_relation(self) -> str:
        """Type of the relationship of custom properties."""
        return _CUSTOM_RELATIONS[self.is_strict]

    @property
    def custom(self) -> str:
        """Part of the custom properties: the present one, or a new one."""
        return self.find_part(self.custom_relation) or _NEW_PART

    @property
    def _own_relation(self) -> XmlNode | None:
        found = self._targets.get(self.custom_relation)
        return found[1] if found is not None and found[1].get("Id") == _OWN_ID else None

    def open_core(self) -> members.XmlMember | None:
        """Open the core properties without those of lexurn; return None if there are none."""
        page = self.open_part(*_CORE_RELATIONS)
        if page is None:
            return None
        self._check_root(page, str(self.find_part(*_CORE_RELATIONS)), *_CORE_ROOT)
        return page.bare

    def open_custom(self) -> members.XmlMember | None:
        """Open the custom properties without those of lexurn; return None if there are no others.

        Without the part, a relationship of another program would lead nowhere.
        """
        page = self.open_part(self.custom_relation)
        if page is not None:
            self._check_root(page, self.custom, self.custom_space, "Properties")
        return None if page is None or (page.base is None and self._own_relation) else page.bare

    def find_properties(self, page: members.XmlMember) -> Iterator[XmlNode]:
        """Return the elements of custom properties."""
        space = self.custom_space
        return page.find_all((space, "Properties"), (space, "property"))

    def list_properties(
        self, page: members.XmlMember | None
    ) -> tuple[members.DocumentProperty, ...]:
        """Return the custom properties in a part, if it is there."""
        return () if page is None else tuple(map(_read_custom_property, self.find_properties(page)))

    def _check_root(self, page: members.XmlMember, part: str, uri: str, local: str) -> None:
        """Check that the root of a part is that of its relationship."""
        if not page.root.opening.is_named(uri, local):
            why = f"{part} should have {local} of {uri} as its root, according to its relationship"
            raise make_error("LX367", self.container.document.name, label=_DOCX, why=why)

    def list_parts(
        self, base: members.XmlMember | None, wanted: bytes | None
    ) -> dict[str, bytes | None]:
        """Return the custom properties, relationships and content types for wanted properties.

        ``base`` holds the custom properties without those of lexurn.
        """
        relations, types = self.relations.document.read(), self.types.document.read()
        ours, kind = self._own_relation, self.find_type(self.custom)
        if base is None and wanted is None and ours is not None:
            relations = self.relations.cut_element(ours)
            types = types if kind is None else self.types.cut_element(kind)
        elif base is None and wanted is not None:
            if ours is None:
                # There may be one alone (ECMA-376-1 section 15.2.12.1).
                present = self.relations.find_all(*_RELATION_PATH)
                is_lost = any(each.get("Type") in _CUSTOM_RELATIONS.values() for each in present)
                parts = map(_normalize_part_name, self.container.by_name)
                if is_lost or kind is not None or _NEW_PART.casefold() in parts:
                    why = f"{_NEW_PART} is there without its relationship, or the other way round"
                    raise make_error("LX367", self.container.document.name, label=_DOCX, why=why)
                values = {"Id": _OWN_ID, "Type": self.custom_relation, "Target": self.custom}
                relations = self.relations.append_tag(("r", *_RELATION_PATH[1]), values)
            if kind is None:
                values = {"PartName": f"/{self.custom}", "ContentType": _CUSTOM_TYPE}
                types = self.types.append_tag(("t", *_OVERRIDE_PATH[1]), values)
        custom = {} if wanted is None and ours is None and base is None else {self.custom: wanted}
        return {**custom, _RELATIONS_MEMBER: relations, _TYPES_MEMBER: types}


def _open_package(document: Document) -> _DocxPackage:
    """Open the parts of a package."""
    container = open_container(document)
    relations = members.open_member(container, _RELATIONS_MEMBER, _DOCX)
    types = members.open_member(container, _TYPES_MEMBER, _DOCX)
    for page, path, what in (
        (relations, _RELATION_PATH, "relationships"),
        (types, _OVERRIDE_PATH, "content types"),
    ):
        if page.root.name != path[0] or page.root.opening.is_empty:
            raise make_error("LX367", document.name, label=_DOCX, why=f"it has no {what}")
    package = _DocxPackage(container=container, relations=relations, types=types)
    main = package.find_part(*_DOCUMENT_RELATIONS)
    found = None if main is None else package.find_type(main)
    kind = (None if found is None else found.get("ContentType")) or _WORD_TYPE
    kind = kind.removesuffix(".main+xml").lower()
    if not kind.startswith((_WORD_TYPE, _MACRO_TYPE)):
        why = f"its main part is {kind[:100]}"
        raise make_error("LX367", document.name, label=_DOCX, why=why)
    return package


DOCX_FORMAT: Final = DocumentFormat(
    key="docx",
    label=_DOCX,
    suffixes=frozenset({".docx", ".docm", ".dotx", ".dotm"}),
    media_types=frozenset(f"{_WORD_TYPE}{kind}" for kind in _KINDS)
    | frozenset(f"{_MACRO_TYPE}{kind}.macroEnabled.12" for kind in _KINDS),
    embed=_embed_docx,
    remove=_remove_docx,
    read=_read_docx,
)

# --- OpenDocument ---------------------------------------------------------------------

_ODT: Final = "ODT"
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
class _OdtParts:
    """Metadata of a document, and the member with its signatures, if it is signed."""

    container: ZipContainer
    meta: members.XmlMember
    signature: str | None


def _open_odt(document: Document) -> _OdtParts:
    container = open_container(document)
    # Before ODF 1.0 it had another namespace, or none.
    manifest = members.open_member(container, _MANIFEST_MEMBER, _ODT)
    entries = manifest.root.elements
    if any(each.opening.local == "encryption-data" for entry in entries for each in entry.elements):
        raise make_error("LX361", document.name, what="the file is encrypted")
    data = container.read_member(_META_MEMBER)
    meta = members.parse_member(document, _META_MEMBER, _NO_META if data is None else data)
    signature = next(filter(_SIGNATURES.match, container.by_name), None)
    return _OdtParts(container=container, meta=meta, signature=signature)


def _embed_odt(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
    parts = _open_odt(document)
    page = parts.meta.bare
    if not any(page.find_all(*_PROPERTIES)):
        values = {
            "why": f"no metadata in {_META_MEMBER}",
            "remedy": "open it in LibreOffice and save it",
        }
        raise make_error("LX369", document.name, label=_ODT, **values)
    present = map(_read_user_property, page.find_all(*_PROPERTIES, _USER_DEFINED))
    properties, findings = members.find_missing_properties(document, _META_MEMBER, marking, present)
    languages = page.read_texts(*_PROPERTIES, (DC, "language"))
    findings += find_language_conflict(document, marking, languages)
    findings += check_members(parts.container)
    contents = {_META_MEMBER: page.add_blocks(_make_meta_blocks(page, marking, properties))}
    return members.make_change(
        parts.container, contents, findings, parts.signature, is_forced=is_forced
    )


def _read_user_property(element: XmlNode) -> members.DocumentProperty:
    return members.DocumentProperty(element.get("name", _META) or "", element.value)


def _make_meta_blocks(
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


def _remove_odt(document: Document, is_forced: bool) -> Change:
    parts = _open_odt(document)
    page = parts.meta.bare
    properties = map(_read_user_property, page.find_all(*_PROPERTIES, _USER_DEFINED))
    values = [item.value for item in properties if item.key == members.NAME_PROPERTY]
    findings = find_unmarked_names(document, _META_MEMBER, values)
    contents = {_META_MEMBER: page.document.read()} if parts.meta.blocks else {}
    return members.make_change(
        parts.container, contents, findings, parts.signature, is_forced=is_forced
    )


def _read_odt(document: Document) -> Reading:
    parts = _open_odt(document)
    elements = parts.meta.find_children(*_PROPERTIES)
    statements = (
        _make_meta_statement(each, is_embedded=parts.meta.is_own(each)) for each in elements
    )
    return Reading(
        statements=tuple(each for each in statements if each.value),
        findings=find_broken_members(parts.container),
    )


def _make_meta_statement(element: XmlNode, *, is_embedded: bool) -> Statement:
    if element.name == _USER_DEFINED:
        item = _read_user_property(element)
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

ODT_FORMAT: Final = DocumentFormat(
    key="odt",
    label=_ODT,
    suffixes=frozenset({".odt", ".ott", ".odm", ".oth"}),
    media_types=frozenset(f"application/vnd.oasis.opendocument.{kind}" for kind in _TEXT_KINDS),
    embed=_embed_odt,
    remove=_remove_odt,
    read=_read_odt,
)
