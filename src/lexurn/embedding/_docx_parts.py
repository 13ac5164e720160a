"""The parts of an Office Open XML package that say something of it, and how they are found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from posixpath import normpath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._zip import State, needed
from lexurn.embedding._zip_xml import page_of, tag

if TYPE_CHECKING:
    from lexurn.embedding._zip_members import Container
    from lexurn.embedding._zip_xml import Element, Page

__all__ = ["LABEL", "Parts", "parts_of"]

LABEL: Final = "DOCX"

_RELATIONS: Final = "_rels/.rels"
_TYPES: Final = "[Content_Types].xml"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_RELATION: Final = (
    (f"{_PACKAGE}/relationships", "Relationships"),
    (f"{_PACKAGE}/relationships", "Relationship"),
)
_OVERRIDE: Final = (
    (f"{_PACKAGE}/content-types", "Types"),
    (f"{_PACKAGE}/content-types", "Override"),
)
_CORE: Final = f"{_PACKAGE}/relationships/metadata/core-properties"
# LibreOffice has written this one for years.
_CORE_TOO: Final = (
    "http://schemas.openxmlformats.org/officedocument/2006/relationships/metadata/core-properties"
)
_SIGNATURE: Final = f"{_PACKAGE}/relationships/digital-signature/origin"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
# ISO/IEC 29500 strict has names of its own for all but the package.
_STRICT: Final = "http://purl.oclc.org/ooxml/officeDocument"
_CUSTOM_KINDS: Final = {
    True: f"{_STRICT}/relationships/customProperties",
    False: f"{_OFFICE}/relationships/custom-properties",
}
_CUSTOM_TYPE: Final = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACROS: Final = "application/vnd.ms-word."
_NEW_PART: Final = "docProps/custom.xml"
# Comments in these two members are not known to be read by all programs, so what we put into them
# is known by this.
_OUR_ID: Final = "rIdLexurn"
_QUERY = re.compile(r"[?#].*", re.DOTALL)


def _part_name(reference: str) -> str:
    """The name of the part that a reference of the package leads to, as names are compared.

    References are resolved as IRIs against the root of the package, and compared without regard to
    case and to what is percent-encoded in them (ECMA-376-2 section 6). The backslash is
    none of an IRI; Office takes it for a slash.
    """
    path = unquote(_QUERY.sub("", reference.strip())).replace("\\", "/")
    return normpath(f"/{path}").lstrip("/").casefold()


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a package.

    Attributes:
        container: the package.
        relations: the relationships of the package.
        types: the content types of its parts.
    """

    container: Container
    relations: Page
    types: Page

    @cached_property
    def _targets(self) -> dict[str, tuple[str, Element]]:
        """The parts that are there by the types of their relationships; the first of each type."""
        names = {_part_name(name): name for name in self.container.by_name}
        targets: dict[str, tuple[str, Element]] = {}
        for each in self.relations.named(*_RELATION):
            target = _part_name(each.opening.get("Target") or "")
            if target in names and each.opening.get("TargetMode") != "External":
                targets.setdefault(each.opening.get("Type") or "", (names[target], each))
        return targets

    def _target(self, *kinds: str) -> str | None:
        found = (self._targets.get(kind) for kind in kinds)
        return next((each[0] for each in found if each is not None), None)

    @property
    def core(self) -> str | None:
        """The part of the core properties; None where there is none."""
        return self._target(_CORE, _CORE_TOO)

    @property
    def signature(self) -> str | None:
        """The part that has the signatures; None where the package is not signed."""
        return self._target(_SIGNATURE)

    @property
    def media_type(self) -> str | None:
        """The media type of the file, by that of its main part; None where that is not said."""
        main = self._target(
            f"{_OFFICE}/relationships/officeDocument", f"{_STRICT}/relationships/officeDocument"
        )
        for each in self.types.named(*_OVERRIDE):
            if main is not None and _is_of(each, main):
                kind = (each.opening.get("ContentType") or "").removesuffix(".main+xml")
                return f"{kind}.12" if kind.startswith(_MACROS) else kind
        return None

    @property
    def is_strict(self) -> bool:
        """Whether its custom properties are of the strict form: as they are, else as all of it."""
        there = [is_strict for is_strict, kind in _CUSTOM_KINDS.items() if kind in self._targets]
        return there[0] if there else f"{_STRICT}/relationships/officeDocument" in self._targets

    @property
    def custom_space(self) -> str:
        """The namespace of custom properties."""
        return f"{_STRICT}/customProperties" if self.is_strict else f"{_OFFICE}/custom-properties"

    @property
    def value_space(self) -> str:
        """The namespace of their values."""
        return f"{_STRICT}/docPropsVTypes" if self.is_strict else f"{_OFFICE}/docPropsVTypes"

    @property
    def _custom_kind(self) -> str:
        return _CUSTOM_KINDS[self.is_strict]

    @property
    def custom(self) -> str:
        """The part of the custom properties: where it is, or where it is to be."""
        found = self._target(self._custom_kind)
        if found is not None:
            return found
        taken = {_part_name(name) for name in self.container.by_name}
        # A content type of a part that is not there is somebody else's, and has to stay.
        parts = (each.opening.get("PartName") or "" for each in self.types.named(*_OVERRIDE))
        taken.update(map(_part_name, parts))
        free = (f"docProps/custom{number}.xml" for number in range(2, len(taken) + 3))
        return next(name for name in (_NEW_PART, *free) if name.casefold() not in taken)

    @property
    def has_custom(self) -> bool:
        """Whether there is a part of custom properties."""
        return self._target(self._custom_kind) is not None

    @property
    def _our_relation(self) -> Element | None:
        found = self._targets.get(self._custom_kind)
        return found[1] if found is not None and found[1].opening.get("Id") == _OUR_ID else None

    def app_page(self) -> Page | None:
        """What the program says that saved it; None where there is none."""
        name = self._target(
            f"{_OFFICE}/relationships/extended-properties",
            f"{_STRICT}/relationships/extendedProperties",
        )
        if name is None:
            return None
        return page_of(self.container.document, name, needed(self.container, name, LABEL))

    def custom_page(self) -> Page | None:
        """The custom properties; None where there are none."""
        if not self.has_custom:
            return None
        content = needed(self.container, self.custom, LABEL)
        return page_of(self.container.document, self.custom, content)

    def custom_base(self) -> bytes | None:
        """The custom properties without ours; None where there are no others."""
        page = self.custom_page()
        if page is None:
            return None
        self.check_root(page, self.custom, self.custom_space, "Properties")
        # A relationship of others would point at nothing.
        return page.document.read() if page.base is None and not self._our_relation else page.base

    def check_root(self, page: Page, part: str, uri: str, local: str) -> None:
        """Make sure that a part is what the relationship says that leads to it.

        Raises:
            EmbeddingError: it is something else, and not to be written into.
        """
        if page.root.opening.is_named(uri, local):
            return
        why = f"{part} should have {local} of {uri} as its root, going by what leads there"
        raise EmbeddingError(finding("LX367", self.container.document.name, label=LABEL, why=why))

    def registry(self, base: bytes | None, wanted: bytes | None) -> dict[str, State]:
        """What is to become of the relationships and content types.

        Args:
            base: the custom properties without ours.
            wanted: the custom properties as they are to be.
        """
        relations, types = self.relations.document.read(), self.types.document.read()
        if base is None:
            relations, types = self._relations_without_ours(), self._types_without_ours()
        if base is not None or wanted is None:
            return {
                _RELATIONS: State(base=relations, wanted=relations),
                _TYPES: State(base=types, wanted=types),
            }
        if self._our_relation is not None:
            # Programs put what is there into another order when they save.
            return {
                _RELATIONS: State(base=relations, wanted=self.relations.document.read()),
                _TYPES: State(base=types, wanted=self._with_type(self.types.document.read())),
            }
        return {
            _RELATIONS: State(base=relations, wanted=self._with_relation(relations)),
            _TYPES: State(base=types, wanted=self._with_type(types)),
        }

    def _relations_without_ours(self) -> bytes:
        ours = self._our_relation
        return self.relations.document.read() if ours is None else self.relations.without(ours)

    def _types_without_ours(self) -> bytes:
        if self._our_relation is not None:
            for each in self.types.named(*_OVERRIDE):
                if _is_of(each, self.custom):
                    return self.types.without(each)
        return self.types.document.read()

    def _with_relation(self, base: bytes) -> bytes:
        page = page_of(self.container.document, _RELATIONS, base)
        # There may be one alone (ECMA-376-1 section 15.2.12.1).
        kinds = _CUSTOM_KINDS.values()
        if any(each.opening.get("Type") in kinds for each in page.named(*_RELATION)):
            why = "its relationship of custom properties leads to no part"
            name = self.container.document.name
            raise EmbeddingError(finding("LX367", name, label=LABEL, why=why))
        values = {"Id": _OUR_ID, "Type": self._custom_kind, "Target": self.custom}
        return page.plainly_with(tag(page.root.opening, ("r", *_RELATION[1]), "", values))

    def _with_type(self, base: bytes) -> bytes:
        page = page_of(self.container.document, _TYPES, base)
        if any(_is_of(each, self.custom) for each in page.named(*_OVERRIDE)):
            return base
        values = {"PartName": f"/{self.custom}", "ContentType": _CUSTOM_TYPE}
        return page.plainly_with(tag(page.root.opening, ("t", *_OVERRIDE[1]), "", values))


def _is_of(override: Element, part: str) -> bool:
    """Whether a content type is that of a part."""
    return _part_name(override.opening.get("PartName") or "") == _part_name(part)


def parts_of(container: Container) -> Parts:
    """The parts of a package.

    Raises:
        EmbeddingError: it is no such package.
    """
    document = container.document
    relations = page_of(document, _RELATIONS, needed(container, _RELATIONS, LABEL))
    types = page_of(document, _TYPES, needed(container, _TYPES, LABEL))
    for page, path, what in (
        (relations, _RELATION, "relationships"),
        (types, _OVERRIDE, "content types"),
    ):
        if page.root.path != path[:1] or page.root.opening.is_empty:
            raise EmbeddingError(
                finding("LX367", document.name, label=LABEL, why=f"it has no {what}")
            )
    parts = Parts(container=container, relations=relations, types=types)
    kind = (parts.media_type or _WORD).lower()
    if not kind.startswith((_WORD, _MACROS)):
        why = f"its main part is {kind[:100]}"
        raise EmbeddingError(finding("LX367", document.name, label=LABEL, why=why))
    return parts
