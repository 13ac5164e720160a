"""EPUB 2 and 3: names in the package document (EPUB 3.3 section 5, OPF 2.0.1 section 2.2).

The name is another ``dc:identifier``, never the unique one of the package. Its relations are
``dc:relation``, and in EPUB 3 ``meta property="dcterms:isVersionOf"``. Those without such a term
are ``meta name="urn:lex previous"``, as in EPUB 2; EPUB 3 allows and ignores that.
"""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import normpath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.containers.zip import check_members, find_broken_members, open_container
from lexurn.documents.document import (
    Change,
    Document,
    DocumentFormat,
    Notation,
    Reading,
    Statement,
    make_error,
)
from lexurn.documents.formats import members
from lexurn.documents.names import find_language_conflict, find_unmarked_names, has_name
from lexurn.documents.terms import load_vocabulary
from lexurn.vocabulary import DC, DCTERMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.containers.zip import ZipContainer
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_LABEL: Final = "EPUB"
_CONTAINER_MEMBER: Final = "META-INF/container.xml"
_SIGNATURES: Final = "META-INF/signatures.xml"
_CONTAINER: Final = "urn:oasis:names:tc:opendocument:xmlns:container"
_ROOT_FILES: Final = tuple((_CONTAINER, each) for each in ("container", "rootfiles", "rootfile"))
_PACKAGE_TYPE: Final = "application/oebps-package+xml"
_OPF: Final = "http://www.idpf.org/2007/opf"
_PACKAGE: Final = (_OPF, "package")
_METADATA: Final = (_OPF, "metadata")
# Very old books have Dublin Core in an element of its own.
_DC_METADATA: Final = (_OPF, "dc-metadata")
_DCTERMS_PROPERTIES: Final = ("isPartOf", "isFormatOf", "isVersionOf")
# Values in the language of the package, if they have none of their own.
_LANGUAGE_TEXTS: Final = frozenset(
    (DC, each) for each in ("title", "description", "subject", "rights")
)


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """Package document of a book, with the name of its member."""

    container: ZipContainer
    name: str
    package: members.XmlMember

    @property
    def signature(self) -> str | None:
        """Member with the signatures; None if the book is not signed."""
        return _SIGNATURES if _SIGNATURES in self.container.by_name else None


def _open_parts(document: Document) -> _Parts:
    container = open_container(document)
    names = (
        each.get("full-path")
        for each in members.open_member(container, _CONTAINER_MEMBER, _LABEL).find_all(*_ROOT_FILES)
        if each.get("media-type") == _PACKAGE_TYPE
    )
    name = next(filter(None, names), None)
    why = f"{_CONTAINER_MEMBER} names no package document"
    if name is not None:
        # The path is relative to the root (EPUB 3.3 section 4.2).
        if name not in container.by_name:
            name = normpath(f"/{unquote(name)}").lstrip("/")
        package = members.open_member(container, name, _LABEL)
        if any(package.find_all(_PACKAGE, _METADATA)):
            return _Parts(container=container, name=name, package=package)
        why = f"{name} has no metadata"
    raise make_error("LX367", document.name, label=_LABEL, why=why)


def _embed(document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
    parts = _open_parts(document)
    page = parts.package.bare
    parent = next(page.find_all(_PACKAGE, _METADATA))
    if parent.find_first(*_DC_METADATA) is not None:
        values = {"why": "its metadata is in dc-metadata", "remedy": "convert it to EPUB 3"}
        raise make_error("LX369", document.name, label=_LABEL, **values)
    tags, findings = _make_tags(parts, page, parent, marking)
    languages = _read_texts(parent, "language")
    findings += find_language_conflict(document, marking, languages)
    findings += check_members(parts.container)
    wanted = page.add_blocks([page.place_block(parent, tags)] if tags else [])
    return members.make_change(
        parts.container, {parts.name: wanted}, findings, parts.signature, is_forced=is_forced
    )


def _read_texts(parent: XmlNode, local: str) -> list[str]:
    """Return the values of an element of Dublin Core, without empty ones."""
    return [each.value for each in parent.find_all(DC, local) if each.value]


def _make_tags(
    parts: _Parts, page: members.XmlMember, parent: XmlNode, marking: DocumentMetadata
) -> tuple[list[str], tuple[Finding, ...]]:
    """Return the elements that the package document lacks."""
    document, opening = parts.container.document, parent.opening
    title = members.choose_title(marking)
    new: list[str] = []
    for local, values in (
        ("identifier", [str(marking.name)]),
        ("title", [] if title is None else [title.value]),
        ("language", [] if marking.language is None else [marking.language]),
        ("relation", list(dict.fromkeys(iri for _, iri in marking.relations))),
    ):
        there = _read_texts(parent, local)
        if local == "identifier" and has_name(document, parts.name, marking, there):
            continue
        if local in {"title", "language"} and there:
            continue
        language = None if local != "title" or title is None else title.language
        more = {"xml:lang": language} if language else {}
        new += (
            members.make_tag(opening, ("dc", DC, local), escape_xml(value), more)
            for value in values
            if value not in there
        )
    present = _read_properties(page, marking)
    properties, findings = members.find_missing_properties(document, parts.name, marking, present)
    is_new = (page.root.opening.get("version") or "").startswith("3")
    for key, value in properties:
        local = key.removeprefix(f"{members.NAME_PROPERTY} ")
        name = ("opf", _OPF, "meta")
        if is_new and local in _DCTERMS_PROPERTIES:
            more = {"property": f"dcterms:{local}"}
            new.append(members.make_tag(opening, name, escape_xml(value), more))
        elif key != members.NAME_PROPERTY:
            new.append(members.make_tag(opening, name, "", {"name": key, "content": value}))
    return new, findings


def _read_properties(
    page: members.XmlMember, marking: DocumentMetadata
) -> Iterator[members.DocumentProperty]:
    """Yield the properties of the package document in either notation.

    Dublin Core of other programs may state something else, and stays beside ours.
    """
    properties = members.make_properties(marking)
    for each in page.find_all(_PACKAGE, _METADATA, (_OPF, "meta")):
        opening = each.opening
        local = (opening.get("property") or "").removeprefix("dcterms:")
        item = members.DocumentProperty(f"{members.NAME_PROPERTY} {local}", each.value)
        name = opening.get("name") or ""
        if name.startswith(f"{members.NAME_PROPERTY} "):
            yield members.DocumentProperty(name, opening.get("content") or "")
        elif local in _DCTERMS_PROPERTIES and opening.get("refines") is None and item in properties:
            yield item


def _remove(document: Document, is_forced: bool) -> Change:
    parts = _open_parts(document)
    page = parts.package.bare
    texts = _read_texts(next(page.find_all(_PACKAGE, _METADATA)), "identifier")
    findings = find_unmarked_names(document, parts.name, texts)
    contents = {parts.name: page.document.read()}
    return members.make_change(
        parts.container, contents, findings, parts.signature, is_forced=is_forced
    )


def _read(document: Document) -> Reading:
    parts = _open_parts(document)
    package = parts.package
    words = (package.root.get("prefix") or "").split()
    pairs = zip(words[::2], words[1::2], strict=False)
    declared = {prefix.removesuffix(":"): uri for prefix, uri in pairs}
    prefixes = {**load_vocabulary("epub_prefixes"), **declared}
    found = (
        _read_statement(package, each, prefixes)
        for path in ((_PACKAGE, _METADATA), (_PACKAGE, _METADATA, _DC_METADATA))
        for each in package.find_children(*path)
    )
    return Reading(
        statements=tuple(each for each in found if each is not None and each.value),
        findings=find_broken_members(parts.container),
    )


def _read_statement(
    package: members.XmlMember, element: XmlNode, prefixes: Mapping[str, str]
) -> Statement | None:
    uri, local = element.name
    opening, is_embedded = element.opening, package.is_own(element)
    value, is_iri = element.value, False
    is_own = uri == _OPF and opening.get("refines") is None
    term = f"{DC}{local}" if uri == DC else None
    if is_own and local == "link":
        term = _resolve_term((opening.get("rel") or "").split(" ")[0], prefixes)
        value, is_iri = opening.get("href") or "", True
    elif is_own and local == "meta":
        name = opening.get("name")
        if name is not None:
            item = members.DocumentProperty(name, (opening.get("content") or "").strip())
            return members.property_to_statement(
                Notation.OPF, f"{_OPF}#", item, is_embedded=is_embedded
            )
        term = _resolve_term(opening.get("property") or "", prefixes)
        is_iri = is_embedded and term is not None and term.startswith(DCTERMS)
    if term is None:
        return None
    language = opening.language
    if language is None and element.name in _LANGUAGE_TEXTS:
        language = package.root.opening.language
    return Statement(
        notation=Notation.OPF,
        term=term,
        value=value.strip(),
        is_iri=is_iri,
        language=None if is_iri else language,
        is_embedded=is_embedded,
    )


def _resolve_term(text: str, prefixes: Mapping[str, str]) -> str | None:
    """Return the IRI of a property; None if its prefix is not declared, or it has none."""
    prefix, colon, local = text.strip().partition(":")
    return f"{prefixes[prefix]}{local}" if colon and prefix in prefixes else None


FORMAT: Final = DocumentFormat(
    key="epub",
    label=_LABEL,
    suffixes=frozenset({".epub"}),
    media_types=frozenset({"application/epub+zip"}),
    embed=_embed,
    remove=_remove,
    read=_read,
)
