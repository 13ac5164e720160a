"""OpenDocument: names in the documents of LibreOffice and others (ODF 1.3 part 3 section 4.3).

The name is the user-defined property ``urn:lex`` of ``meta.xml``, since the schema has no
``dc:identifier``; title and language come in where there are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import language_remarks, names_that_stay
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._format import Format
from lexurn.embedding._statement import Reading, Statement, Way
from lexurn.embedding._terms import DC
from lexurn.embedding._xml_writing import escaped
from lexurn.embedding._zip import State, change_of, needed
from lexurn.embedding._zip_facts import (
    NAME,
    Fact,
    check_type,
    missing,
    property_statement,
    title_of,
)
from lexurn.embedding._zip_members import container_of
from lexurn.embedding._zip_whole import check_whole, whole_findings
from lexurn.embedding._zip_xml import new_member, page_of, tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Change
    from lexurn.embedding._xml import Opening
    from lexurn.embedding._zip_members import Container
    from lexurn.embedding._zip_xml import Element, Page, Place
    from lexurn.export import Marking

__all__ = ["FORMAT"]

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
_ENTRIES: Final = ((_MANIFEST, "manifest"), (_MANIFEST, "file-entry"))


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """The members that say something of a document.

    Attributes:
        container: the document.
        manifest: the list of its members.
        meta: what is said of it; None where nothing is.
    """

    container: Container
    manifest: Page
    meta: Page | None

    @property
    def signature(self) -> str | None:
        """The member that has the signatures; None where the document is not signed."""
        return next(filter(_SIGNATURES.match, self.container.by_name), None)

    @property
    def manifest_base(self) -> bytes:
        """The list of members without ours."""
        return self.manifest.base or self.manifest.document.read()


def _parts_of(document: Document) -> _Parts:
    container = container_of(document)
    # Before ODF 1.0 it had another namespace, or none; it is changed only where meta.xml is new.
    listed = needed(container, _MANIFEST_MEMBER, _LABEL)
    manifest = page_of(document, _MANIFEST_MEMBER, listed)
    if manifest.root.path[0][1] != "manifest":
        why = f"{_MANIFEST_MEMBER} is none"
        raise EmbeddingError(finding("LX367", document.name, label=_LABEL, why=why))
    if any(each.opening.local == "encryption-data" for each in manifest.elements):
        raise EmbeddingError(finding("LX361", document.name, what="the file is encrypted"))
    content = container.content(_META_MEMBER)
    meta = None if content is None else page_of(document, _META_MEMBER, content)
    if meta is not None and meta.root.path != _PROPERTIES[:1]:
        why = f"{_META_MEMBER} is none"
        raise EmbeddingError(finding("LX367", document.name, label=_LABEL, why=why))
    return _Parts(container=container, manifest=manifest, meta=meta)


def _embed(document: Document, marking: Marking, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _parts_of(document)
    kind = parts.container.content("mimetype")
    check_type(document, marking, None if kind is None else kind.decode("ascii", "replace"))
    base = None if parts.meta is None else parts.meta.base
    page = None if base is None else page_of(document, _META_MEMBER, base)
    facts, findings = missing(document, _META_MEMBER, marking, _facts(page))
    findings += language_remarks(document, marking, _languages(page))
    findings += check_whole(parts.container)
    if page is None:
        meta, manifest = _new_meta(parts, marking, facts), _with_entry(parts)
    else:
        meta, manifest = page.with_blocks(_places(page, marking, facts)), parts.manifest_base
    states = {
        _META_MEMBER: State(base=base, wanted=meta),
        _MANIFEST_MEMBER: State(base=parts.manifest_base, wanted=manifest),
    }
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _facts(page: Page | None) -> tuple[Fact, ...]:
    """The properties that users defined."""
    if page is None:
        return ()
    return tuple(map(_fact, page.named(*_PROPERTIES, _USER_DEFINED)))


def _languages(page: Page | None) -> list[str]:
    found = () if page is None else page.named(*_PROPERTIES, (DC, "language"))
    return [each.text for each in found if each.text]


def _fact(element: Element) -> Fact:
    return Fact(element.opening.get("name", _META) or "", element.text)


def _places(page: Page, marking: Marking, facts: Sequence[Fact]) -> list[Place]:
    """What comes into ``meta.xml``, and where."""
    places: list[Place] = []
    new: list[str] = []
    known = {each.path[-1]: each for each in page.below(*_PROPERTIES)}
    opening = page.root.opening
    for local, value in _core(marking):
        element = known.get((DC, local))
        written = tag(opening, ("dc", DC, local), escaped(value))
        if element is None:
            new.append(written)
        elif not element.text:
            places.append((element.opening.start, element.closing.end, written))
    new += _tags(opening, facts)
    parent = next(page.named(*_PROPERTIES), None)
    if parent is None:
        new = [tag(opening, ("office", _OFFICE, "meta"), "".join(new))]
    if new and (parent is not None or facts):
        places.append(page.within(page.root if parent is None else parent, new))
    return places


def _core(marking: Marking) -> tuple[tuple[str, str], ...]:
    """The elements of Dublin Core for which there is a value."""
    title = title_of(marking)
    values = (("title", "" if title is None else title.value), ("language", marking.language or ""))
    return tuple((local, value) for local, value in values if value)


def _tags(opening: Opening, facts: Sequence[Fact]) -> list[str]:
    """Properties as elements; an attribute with a namespace needs a prefix."""
    prefixes = (key for key, value in opening.scope.items() if value == _META and key)
    prefix = next(prefixes, "")
    name = f"{prefix or 'meta'}:user-defined"
    start = name if prefix else f'{name} xmlns:meta="{_META}"'
    attribute = f"{prefix or 'meta'}:name"
    return [
        f'<{start} {attribute}="{escaped(fact.key)}">{escaped(fact.value)}</{name}>'
        for fact in facts
    ]


def _new_meta(parts: _Parts, marking: Marking, facts: Sequence[Fact]) -> bytes:
    """A ``meta.xml`` that is all ours."""
    version = parts.manifest.root.opening.get("version", _MANIFEST) or "1.2"
    root = (
        f'<office:document-meta xmlns:office="{_OFFICE}" xmlns:meta="{_META}" xmlns:dc="{DC}" '
        f'office:version="{escaped(version)}"/>'
    )
    page = page_of(parts.container.document, _META_MEMBER, root.encode())
    ((_, _, text),) = _places(page, marking, facts)
    return new_member(text)


def _with_entry(parts: _Parts) -> bytes:
    """The list of members with ``meta.xml``."""
    base = parts.manifest_base
    page = page_of(parts.container.document, _MANIFEST_MEMBER, base)
    entries = page.named(*_ENTRIES)
    if any(each.opening.get("full-path", _MANIFEST) == _META_MEMBER for each in entries):
        return base
    entry = (
        f'<manifest:file-entry xmlns:manifest="{_MANIFEST}" '
        f'manifest:full-path="{_META_MEMBER}" manifest:media-type="text/xml"/>'
    )
    return page.with_blocks([page.within(page.root, [entry])])


def _remove(document: Document, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _parts_of(document)
    base = None if parts.meta is None else parts.meta.base
    listed = parts.manifest_base
    states = {
        _META_MEMBER: State(base=base, wanted=base),
        _MANIFEST_MEMBER: State(base=listed, wanted=listed),
    }
    facts = () if base is None else _facts(page_of(document, _META_MEMBER, base))
    values = [fact.value for fact in facts if fact.key == NAME]
    findings = names_that_stay(document, _META_MEMBER, values)
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _read(document: Document) -> Reading:
    parts = _parts_of(document)
    elements = () if parts.meta is None else tuple(parts.meta.below(*_PROPERTIES))
    return Reading(
        statements=tuple(each for each in map(_statement, elements) if each.value),
        findings=whole_findings(parts.container),
    )


def _statement(element: Element) -> Statement:
    if element.path[-1] == _USER_DEFINED:
        fact = _fact(element)
        return property_statement(Way.ODF, f"{_META}#", fact, is_ours=element.is_ours)
    uri, local = element.path[-1]
    return Statement(
        way=Way.ODF,
        subject=None,
        term=f"{uri}{local}" if uri == DC else f"{uri}#{local}",
        value=element.text,
        language=element.opening.language,
        is_ours=element.is_ours,
    )


_KINDS: Final = ("text", "text-template", "text-master", "text-web")

FORMAT: Final = Format(
    key="odt",
    label=_LABEL,
    suffixes=frozenset({".odt", ".ott", ".odm", ".oth"}),
    media_types=frozenset(f"application/vnd.oasis.opendocument.{kind}" for kind in _KINDS),
    embed=_embed,
    remove=_remove,
    read=_read,
)
