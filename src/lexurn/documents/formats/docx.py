"""Office Open XML: names in Word documents (ECMA-376 part 2, ISO/IEC 29500-2).

The name is the property ``urn:lex`` of ``docProps/custom.xml``, which Word and LibreOffice show,
and ``dc:identifier`` of ``docProps/core.xml`` where no other identifier is there; title and
language come into ``docProps/core.xml`` where there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from posixpath import normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.containers.zip import check_members, find_broken_members, open_container
from lexurn.documents.containers.zip_members import (
    MemberState,
    make_change,
    make_member,
    make_tag,
    parse_member,
    read_required,
)
from lexurn.documents.document import DocumentFormat, Notation, Reading, Statement
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.formats.properties import (
    NAME_PROPERTY,
    DocumentProperty,
    check_media_type,
    choose_title,
    find_missing_properties,
    place_dublin_core,
    property_to_statement,
)
from lexurn.documents.names import find_language_conflict, find_unmarked_names, has_name
from lexurn.vocabulary import DC, DCTERMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.documents.containers.zip_members import MemberElement, XmlMember
    from lexurn.documents.document import Change, Document
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_CORE_NAMESPACE: Final = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_CORE_ROOT: Final = (_CORE_NAMESPACE, "coreProperties")
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
# What all properties that people define have ([MS-OSHARED] section 2.3.3.2.2).
_FMTID: Final = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_FIRST_PID: Final = 2
# A number is one of 32 bits (xsd:int); behind the highest there is none.
_FIRST_UNUSUAL: Final = 1 << 30
_PID: Final = re.compile(r"\s*\+?0*(\d{1,10})\s*", re.ASCII)
# The others count words and lines.
_APP_TERMS: Final = frozenset({"Application", "AppVersion", "Company", "HyperlinkBase", "Manager"})
_WORD_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_MACRO_TYPE: Final = "application/vnd.ms-word"


def _embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _open_parts(open_container(document))
    check_media_type(document, marking, parts.media_type)
    base = parts.custom_base()
    there = (
        () if base is None else _read_properties(parts, parse_member(document, parts.custom, base))
    )
    properties, findings = find_missing_properties(document, parts.custom, marking, there)
    parts.app_page()
    findings += check_members(parts.container)
    wanted = _custom_with_properties(parts, base, properties)
    states = {parts.custom: MemberState(base=base, wanted=wanted), **parts.registry(base, wanted)}
    if parts.core is not None:
        core = _core_without_own(parts, parts.core)
        states[parts.core] = MemberState(
            base=core, wanted=_core_with_name(parts, parts.core, core, marking)
        )
        elements = parse_member(document, parts.core, core).find_all(_CORE_ROOT, (DC, "language"))
        languages = [each.text for each in elements if each.text]
        findings += find_language_conflict(document, marking, languages)
    return make_change(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _core_without_own(parts: _Parts, name: str) -> bytes:
    """Return the core properties without those of lexurn; the part itself stays."""
    data = read_required(parts.container, name, _LABEL)
    page = parse_member(parts.container.document, name, data)
    parts.check_root(page, name, *_CORE_ROOT)
    return page.base or data


def _core_with_name(parts: _Parts, name: str, base: bytes, marking: DocumentMetadata) -> bytes:
    """Return the core properties with the values that they lack."""
    document = parts.container.document
    page = parse_member(document, name, base)
    children = tuple(page.find_children(_CORE_ROOT))
    identifier = {each.path[-1]: each for each in children}.get((DC, "identifier"))
    if identifier is not None and identifier.text:
        has_name(document, name, marking, [identifier.text])
    title = choose_title(marking)
    values = (
        ("identifier", str(marking.name)),
        ("title", "" if title is None else title.value),
        ("language", marking.language or ""),
    )
    new, places = place_dublin_core(page, children, values)
    if new:
        places.append(page.place_block(page.root, new))
    return page.with_blocks(places)


def _read_properties(parts: _Parts, page: XmlMember) -> tuple[DocumentProperty, ...]:
    """Read the custom properties."""
    return tuple(
        DocumentProperty(each.opening.get("name") or "", each.text)
        for each in _find_properties(parts, page)
    )


def _find_properties(parts: _Parts, page: XmlMember) -> Iterator[MemberElement]:
    space = parts.custom_space
    return page.find_all((space, "Properties"), (space, "property"))


def _custom_with_properties(
    parts: _Parts, base: bytes | None, properties: Sequence[DocumentProperty]
) -> bytes | None:
    """Return the custom properties with more of them, or a new part."""
    if not properties:
        return base
    if base is None:
        root = f'<Properties xmlns="{parts.custom_space}" xmlns:vt="{parts.value_space}"/>'
        page = parse_member(parts.container.document, parts.custom, root.encode())
        text = page.place_block(page.root, _write_properties(parts, page, properties))[2]
        return make_member(text)
    page = parse_member(parts.container.document, parts.custom, base)
    return page.with_blocks(
        [page.place_block(page.root, _write_properties(parts, page, properties))]
    )


def _write_properties(
    parts: _Parts, page: XmlMember, properties: Sequence[DocumentProperty]
) -> list[str]:
    opening = page.root.opening
    tags = []
    for number, item in zip(_free_numbers(parts, page), properties, strict=False):
        value = make_tag(opening, ("vt", parts.value_space, "lpwstr"), escape_xml(item.value))
        values = {"fmtid": _FMTID, "pid": str(number), "name": item.key}
        tags.append(make_tag(opening, ("p", parts.custom_space, "property"), value, values))
    return tags


def _free_numbers(parts: _Parts, page: XmlMember) -> Iterator[int]:
    """Yield numbers that no property has, behind the usual ones."""
    said = (_PID.fullmatch(each.opening.get("pid") or "") for each in _find_properties(parts, page))
    taken = {int(each[1]) for each in said if each is not None}
    usual = (number for number in taken if _FIRST_PID <= number < _FIRST_UNUSUAL)
    first = max(usual, default=_FIRST_PID - 1) + 1
    return (number for number in count(first) if number not in taken)


def _remove(document: Document, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _open_parts(open_container(document))
    base = parts.custom_base()
    states = {parts.custom: MemberState(base=base, wanted=base), **parts.registry(base, base)}
    findings: list[Finding] = []
    if base is not None:
        properties = _read_properties(parts, parse_member(document, parts.custom, base))
        values = [item.value for item in properties if item.key == NAME_PROPERTY]
        findings += find_unmarked_names(document, parts.custom, values)
    if parts.core is not None:
        core = _core_without_own(parts, parts.core)
        states[parts.core] = MemberState(base=core, wanted=core)
        elements = parse_member(document, parts.core, core).find_children(_CORE_ROOT)
        values = [each.text for each in elements if each.path[-1] == (DC, "identifier")]
        findings += find_unmarked_names(document, parts.core, values)
    return make_change(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _read(document: Document) -> Reading:
    parts = _open_parts(open_container(document))
    statements: list[Statement] = []
    if parts.core is not None:
        data = read_required(parts.container, parts.core, _LABEL)
        page = parse_member(document, parts.core, data)
        statements += map(_make_core_statement, page.find_children(_CORE_ROOT))
    custom = parts.custom_page()
    if custom is not None:
        space = f"{parts.custom_space}#"
        statements += (
            property_to_statement(
                Notation.OOXML,
                space,
                DocumentProperty(each.opening.get("name") or "", each.text),
                is_embedded=each.is_embedded,
            )
            for each in _find_properties(parts, custom)
        )
    findings = (*_check_parts(parts), *find_broken_members(parts.container))
    try:
        statements += _read_app_statements(parts.app_page())
    except DocumentError as fault:
        findings = (*findings, fault.finding)
    return Reading(
        statements=tuple(each for each in statements if each.value),
        findings=tuple(dict.fromkeys(findings)),
    )


def _check_parts(parts: _Parts) -> tuple[Finding, ...]:
    """Return the fault in the parts of properties that would keep a name out."""
    try:
        parts.custom_base()
        if parts.core is not None:
            _core_without_own(parts, parts.core)
    except DocumentError as fault:
        return (fault.finding,)
    return ()


def _make_core_statement(element: MemberElement) -> Statement:
    uri, local = element.path[-1]
    space = uri if uri in {DC, DCTERMS} else f"{uri}#"
    kind = element.opening.get("type", _XSI)
    return Statement(
        notation=Notation.OOXML,
        subject=None,
        term=f"{space}{local}",
        value=element.text,
        language=element.opening.language,
        datatype=f"{DCTERMS}W3CDTF" if kind and kind.endswith(":W3CDTF") else None,
        is_embedded=element.is_embedded,
    )


def _read_app_statements(page: XmlMember | None) -> Iterator[Statement]:
    for each in () if page is None else page.find_children(page.root.path[0]):
        uri, local = each.path[-1]
        if local in _APP_TERMS:
            yield Statement(
                notation=Notation.OOXML, subject=None, term=f"{uri}#{local}", value=each.text
            )


_LABEL: Final = "DOCX"
FORMAT: Final = DocumentFormat(
    key="docx",
    label=_LABEL,
    suffixes=frozenset({".docx", ".docm", ".dotx", ".dotm"}),
    media_types=frozenset(
        {
            f"{_WORD_TYPE}.document",
            f"{_WORD_TYPE}.template",
            f"{_MACRO_TYPE}.document.macroEnabled.12",
            f"{_MACRO_TYPE}.template.macroEnabled.12",
        }
    ),
    embed=_embed,
    remove=_remove,
    read=_read,
)
_RELATIONS_MEMBER: Final = "_rels/.rels"
_TYPES_MEMBER: Final = "[Content_Types].xml"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_RELATION_PATH: Final = (
    (f"{_PACKAGE}/relationships", "Relationships"),
    (f"{_PACKAGE}/relationships", "Relationship"),
)
_OVERRIDE_PATH: Final = (
    (f"{_PACKAGE}/content-types", "Types"),
    (f"{_PACKAGE}/content-types", "Override"),
)
_CORE_RELATION: Final = f"{_PACKAGE}/relationships/metadata/core-properties"
# LibreOffice has written this one for years.
_CORE_RELATION_LIBREOFFICE: Final = (
    "http://schemas.openxmlformats.org/officedocument/2006/relationships/metadata/core-properties"
)
_SIGNATURE_RELATION: Final = f"{_PACKAGE}/relationships/digital-signature/origin"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
# ISO/IEC 29500 strict has names of its own for all but the package.
_STRICT: Final = "http://purl.oclc.org/ooxml/officeDocument"
_CUSTOM_KINDS: Final = {
    True: f"{_STRICT}/relationships/customProperties",
    False: f"{_OFFICE}/relationships/custom-properties",
}
_CUSTOM_TYPE: Final = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_WORD_PREFIX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACRO_PREFIX: Final = "application/vnd.ms-word."
_NEW_PART: Final = "docProps/custom.xml"
# Comments in these two members are not known to be read by all programs, so what we put into them
# is known by this.
_OWN_ID: Final = "rIdLexurn"
_QUERY_OR_FRAGMENT = re.compile(r"[?#].*", re.DOTALL)


def _normalize_part_name(reference: str) -> str:
    """Return the name of the part that a reference leads to, normalised for comparison.

    References are resolved as IRIs against the root of the package, and compared without regard to
    case and to what is percent-encoded in them (ECMA-376-2 section 6). The backslash is
    none of an IRI; Office takes it for a slash.
    """
    path = unquote(_QUERY_OR_FRAGMENT.sub("", reference.strip())).replace("\\", "/")
    return normpath(f"/{path}").lstrip("/").casefold()


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """Parts of a package.

    Attributes:
        container: the package.
        relations: the relationships of the package.
        types: the content types of its parts.
    """

    container: ZipContainer
    relations: XmlMember
    types: XmlMember

    @cached_property
    def _targets(self) -> dict[str, tuple[str, MemberElement]]:
        """Existing parts by the types of their relationships; the first of each type."""
        names = {_normalize_part_name(name): name for name in self.container.by_name}
        targets: dict[str, tuple[str, MemberElement]] = {}
        for each in self.relations.find_all(*_RELATION_PATH):
            target = _normalize_part_name(each.opening.get("Target") or "")
            if target in names and each.opening.get("TargetMode") != "External":
                targets.setdefault(each.opening.get("Type") or "", (names[target], each))
        return targets

    def _target(self, *kinds: str) -> str | None:
        found = (self._targets.get(kind) for kind in kinds)
        return next((each[0] for each in found if each is not None), None)

    @property
    def core(self) -> str | None:
        """Part of the core properties; None if there is none."""
        return self._target(_CORE_RELATION, _CORE_RELATION_LIBREOFFICE)

    @property
    def signature(self) -> str | None:
        """Part with the signatures; None if the package is not signed."""
        return self._target(_SIGNATURE_RELATION)

    @property
    def media_type(self) -> str | None:
        """Media type of the main part; None if it is not declared."""
        main = self._target(
            f"{_OFFICE}/relationships/officeDocument", f"{_STRICT}/relationships/officeDocument"
        )
        for each in self.types.find_all(*_OVERRIDE_PATH):
            if main is not None and _is_type_of_part(each, main):
                kind = (each.opening.get("ContentType") or "").removesuffix(".main+xml")
                return f"{kind}.12" if kind.startswith(_MACRO_PREFIX) else kind
        return None

    @property
    def is_strict(self) -> bool:
        """Whether the custom properties, or else the document, have the strict form."""
        there = [is_strict for is_strict, kind in _CUSTOM_KINDS.items() if kind in self._targets]
        return there[0] if there else f"{_STRICT}/relationships/officeDocument" in self._targets

    @property
    def custom_space(self) -> str:
        """Namespace of custom properties."""
        return f"{_STRICT}/customProperties" if self.is_strict else f"{_OFFICE}/custom-properties"

    @property
    def value_space(self) -> str:
        """Namespace of the values of custom properties."""
        return f"{_STRICT}/docPropsVTypes" if self.is_strict else f"{_OFFICE}/docPropsVTypes"

    @property
    def _custom_kind(self) -> str:
        return _CUSTOM_KINDS[self.is_strict]

    @property
    def custom(self) -> str:
        """Part of the custom properties: the present one, or one to be made."""
        found = self._target(self._custom_kind)
        if found is not None:
            return found
        taken = {_normalize_part_name(name) for name in self.container.by_name}
        # A content type of a part that is not there is somebody else's, and has to stay.
        parts = (
            each.opening.get("PartName") or "" for each in self.types.find_all(*_OVERRIDE_PATH)
        )
        taken.update(map(_normalize_part_name, parts))
        free = (f"docProps/custom{number}.xml" for number in range(2, len(taken) + 3))
        return next(name for name in (_NEW_PART, *free) if name.casefold() not in taken)

    @property
    def has_custom(self) -> bool:
        """Whether there is a part of custom properties."""
        return self._target(self._custom_kind) is not None

    @property
    def _our_relation(self) -> MemberElement | None:
        found = self._targets.get(self._custom_kind)
        return found[1] if found is not None and found[1].opening.get("Id") == _OWN_ID else None

    def app_page(self) -> XmlMember | None:
        """Return the properties of the program that saved the file; None if there are none."""
        name = self._target(
            f"{_OFFICE}/relationships/extended-properties",
            f"{_STRICT}/relationships/extendedProperties",
        )
        if name is None:
            return None
        return parse_member(
            self.container.document, name, read_required(self.container, name, _LABEL)
        )

    def custom_page(self) -> XmlMember | None:
        """Return the custom properties; None if there are none."""
        if not self.has_custom:
            return None
        content = read_required(self.container, self.custom, _LABEL)
        return parse_member(self.container.document, self.custom, content)

    def custom_base(self) -> bytes | None:
        """Return the custom properties without those of lexurn; None if there are no others."""
        page = self.custom_page()
        if page is None:
            return None
        self.check_root(page, self.custom, self.custom_space, "Properties")
        # A relationship of others would point at nothing.
        return page.document.read() if page.base is None and not self._our_relation else page.base

    def check_root(self, page: XmlMember, part: str, uri: str, local: str) -> None:
        """Check that a part is what the relationship says that leads to it.

        Raises:
            DocumentError: it is something else, and not to be written into.
        """
        if page.root.opening.is_named(uri, local):
            return
        why = f"{part} should have {local} of {uri} as its root, going by what leads there"
        raise DocumentError(
            make_finding("LX367", self.container.document.name, label=_LABEL, why=why)
        )

    def registry(self, base: bytes | None, wanted: bytes | None) -> dict[str, MemberState]:
        """Return the states of the relationships and content types.

        Args:
            base: the custom properties without ours.
            wanted: the custom properties as they are to be.
        """
        relations, types = self.relations.document.read(), self.types.document.read()
        if base is None:
            relations, types = self._relations_without_ours(), self._types_without_ours()
        if base is not None or wanted is None:
            return {
                _RELATIONS_MEMBER: MemberState(base=relations, wanted=relations),
                _TYPES_MEMBER: MemberState(base=types, wanted=types),
            }
        if self._our_relation is not None:
            # Programs put what is there into another order when they save.
            return {
                _RELATIONS_MEMBER: MemberState(
                    base=relations, wanted=self.relations.document.read()
                ),
                _TYPES_MEMBER: MemberState(
                    base=types, wanted=self._with_type(self.types.document.read())
                ),
            }
        return {
            _RELATIONS_MEMBER: MemberState(base=relations, wanted=self._with_relation(relations)),
            _TYPES_MEMBER: MemberState(base=types, wanted=self._with_type(types)),
        }

    def _relations_without_ours(self) -> bytes:
        ours = self._our_relation
        return self.relations.document.read() if ours is None else self.relations.without(ours)

    def _types_without_ours(self) -> bytes:
        if self._our_relation is not None:
            for each in self.types.find_all(*_OVERRIDE_PATH):
                if _is_type_of_part(each, self.custom):
                    return self.types.without(each)
        return self.types.document.read()

    def _with_relation(self, base: bytes) -> bytes:
        page = parse_member(self.container.document, _RELATIONS_MEMBER, base)
        # There may be one alone (ECMA-376-1 section 15.2.12.1).
        kinds = _CUSTOM_KINDS.values()
        if any(each.opening.get("Type") in kinds for each in page.find_all(*_RELATION_PATH)):
            why = "its relationship of custom properties leads to no part"
            name = self.container.document.name
            raise DocumentError(make_finding("LX367", name, label=_LABEL, why=why))
        values = {"Id": _OWN_ID, "Type": self._custom_kind, "Target": self.custom}
        return page.with_text(make_tag(page.root.opening, ("r", *_RELATION_PATH[1]), "", values))

    def _with_type(self, base: bytes) -> bytes:
        page = parse_member(self.container.document, _TYPES_MEMBER, base)
        if any(_is_type_of_part(each, self.custom) for each in page.find_all(*_OVERRIDE_PATH)):
            return base
        values = {"PartName": f"/{self.custom}", "ContentType": _CUSTOM_TYPE}
        return page.with_text(make_tag(page.root.opening, ("t", *_OVERRIDE_PATH[1]), "", values))


def _is_type_of_part(override: MemberElement, part: str) -> bool:
    """Return whether a content type is that of a part."""
    return _normalize_part_name(override.opening.get("PartName") or "") == _normalize_part_name(
        part
    )


def _open_parts(container: ZipContainer) -> _Parts:
    """Open the parts of a package.

    Raises:
        DocumentError: it is no such package.
    """
    document = container.document
    relations = parse_member(
        document, _RELATIONS_MEMBER, read_required(container, _RELATIONS_MEMBER, _LABEL)
    )
    types = parse_member(document, _TYPES_MEMBER, read_required(container, _TYPES_MEMBER, _LABEL))
    for page, path, what in (
        (relations, _RELATION_PATH, "relationships"),
        (types, _OVERRIDE_PATH, "content types"),
    ):
        if page.root.path != path[:1] or page.root.opening.is_empty:
            raise DocumentError(
                make_finding("LX367", document.name, label=_LABEL, why=f"it has no {what}")
            )
    parts = _Parts(container=container, relations=relations, types=types)
    kind = (parts.media_type or _WORD_PREFIX).lower()
    if not kind.startswith((_WORD_PREFIX, _MACRO_PREFIX)):
        why = f"its main part is {kind[:100]}"
        raise DocumentError(make_finding("LX367", document.name, label=_LABEL, why=why))
    return parts
