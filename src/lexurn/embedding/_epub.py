"""EPUB 2 and 3: names in the package document (EPUB 3.3 section 5, OPF 2.0.1 section 2.2).

The name is another ``dc:identifier``, never the unique one of the package; what it is of is
``dc:relation``, and in EPUB 3 ``meta property="dcterms:isVersionOf"``. For what has no term there,
``meta name="urn:lex previous"`` is the way of EPUB 2, which EPUB 3 allows and passes over.
"""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import normpath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.embedding._agreement import has_name, language_remarks, names_that_stay
from lexurn.embedding._epub_reading import (
    DC_METADATA,
    METADATA,
    OPF,
    PACKAGE,
    statements_of,
)
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._format import Format
from lexurn.embedding._statement import Reading
from lexurn.embedding._terms import DC
from lexurn.embedding._xml_writing import escaped
from lexurn.embedding._zip import State, change_of, needed
from lexurn.embedding._zip_facts import NAME, Fact, facts_of, missing, title_of
from lexurn.embedding._zip_members import container_of
from lexurn.embedding._zip_whole import check_whole, whole_findings
from lexurn.embedding._zip_xml import page_of, tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Change
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._zip_members import Container
    from lexurn.embedding._zip_xml import Element, Page
    from lexurn.export import Marking

__all__ = ["FORMAT"]

_LABEL: Final = "EPUB"
_CONTAINER_MEMBER: Final = "META-INF/container.xml"
_SIGNATURES: Final = "META-INF/signatures.xml"
_CONTAINER: Final = "urn:oasis:names:tc:opendocument:xmlns:container"
_ROOT_FILES: Final = tuple((_CONTAINER, each) for each in ("container", "rootfiles", "rootfile"))
_PACKAGE_TYPE: Final = "application/oebps-package+xml"
_DUBLIN_CORE: Final = ("isPartOf", "isFormatOf", "isVersionOf")


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """The members that say something of a book.

    Attributes:
        container: the book.
        name: the member that is its package document.
        package: the package document.
    """

    container: Container
    name: str
    package: Page

    @property
    def base(self) -> bytes:
        """The package document without ours."""
        return self.package.base or self.package.document.read()

    @property
    def bare(self) -> Page:
        """The package document without ours, as a page."""
        if not self.package.blocks:
            return self.package
        return page_of(self.container.document, self.name, self.base)

    @property
    def signature(self) -> str | None:
        """The member that has the signatures; None where the book is not signed."""
        return _SIGNATURES if _SIGNATURES in self.container.by_name else None


def _parts_of(document: Document) -> _Parts:
    container = container_of(document)
    listed = needed(container, _CONTAINER_MEMBER, _LABEL)
    files = page_of(document, _CONTAINER_MEMBER, listed).named(*_ROOT_FILES)
    names = (
        each.opening.get("full-path")
        for each in files
        if each.opening.get("media-type") == _PACKAGE_TYPE
    )
    name = next(filter(None, names), None)
    if name is None:
        raise _fault(document, f"{_CONTAINER_MEMBER} names no package document")
    name = _member(container, name)
    package = page_of(document, name, needed(container, name, _LABEL))
    if package.root.path != (PACKAGE,) or not any(True for _ in package.named(PACKAGE, METADATA)):
        raise _fault(document, f"{name} has no metadata")
    return _Parts(container=container, name=name, package=package)


def _member(container: Container, path: str) -> str:
    """The member that a path leads to: a reference, relative to the root (EPUB 3.3 section 4.2)."""
    if path in container.by_name:
        return path
    return normpath(f"/{unquote(path)}").lstrip("/")


def _fault(document: Document, why: str) -> EmbeddingError:
    return EmbeddingError(finding("LX367", document.name, label=_LABEL, why=why))


def _embed(document: Document, marking: Marking, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _parts_of(document)
    page = parts.bare
    tags, findings = _new_tags(parts, page, marking)
    findings += language_remarks(document, marking, _values(page, _parent(page), "language"))
    findings += check_whole(parts.container)
    wanted = page.with_blocks([page.within(_parent(page), tags)] if tags else [])
    states = {parts.name: State(base=parts.base, wanted=wanted)}
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _parent(page: Page) -> Element:
    """Where elements of Dublin Core stand: old books have an element of their own for them."""
    old = next(page.named(PACKAGE, METADATA, DC_METADATA), None)
    return next(page.named(PACKAGE, METADATA)) if old is None else old


def _new_tags(
    parts: _Parts, page: Page, marking: Marking
) -> tuple[list[str], tuple[DocumentFinding, ...]]:
    """What the package document does not say yet."""
    document, parent = parts.container.document, _parent(page)
    new: list[str] = []
    for local, values, language in _core(marking):
        there = _values(page, parent, local)
        if local == "identifier" and has_name(document, parts.name, marking, there):
            continue
        if local in {"title", "language"} and there:
            continue
        more = {"xml:lang": language} if language else {}
        new += (
            tag(parent.opening, ("dc", DC, local), escaped(value), more)
            for value in values
            if value not in there
        )
    if parent.path[-1] == DC_METADATA:
        return new, ()
    facts, findings = missing(document, parts.name, marking, _facts(page, marking))
    is_new = (page.root.opening.get("version") or "").startswith("3")
    new += (_meta(parent, fact, is_new=is_new) for fact in facts if fact.key != NAME)
    return new, findings


def _core(marking: Marking) -> Iterator[tuple[str, list[str], str | None]]:
    """The elements of Dublin Core: their local names, their values, and the language of them."""
    title = title_of(marking)
    yield "identifier", [str(marking.name)], None
    if title is not None:
        yield "title", [title.value], title.language
    if marking.language is not None:
        yield "language", [marking.language], None
    yield "relation", list(dict.fromkeys(iri for _, iri in marking.relations)), None


def _values(page: Page, parent: Element, local: str) -> list[str]:
    return [each.text for each in page.named(*parent.path, (DC, local)) if each.text]


def _facts(page: Page, marking: Marking) -> Iterator[Fact]:
    """The properties that the package document says in either way.

    What others say in Dublin Core may be something else, and stands beside ours.
    """
    facts = facts_of(marking)
    for each in page.named(PACKAGE, METADATA, (OPF, "meta")):
        opening = each.opening
        local = (opening.get("property") or "").removeprefix("dcterms:")
        fact = Fact(f"{NAME} {local}", each.text)
        name = opening.get("name") or ""
        if name.startswith(f"{NAME} "):
            yield Fact(name, opening.get("content") or "")
        elif local in _DUBLIN_CORE and opening.get("refines") is None and fact in facts:
            yield fact


def _meta(parent: Element, fact: Fact, *, is_new: bool) -> str:
    """A property as an element."""
    local = fact.key.removeprefix(f"{NAME} ")
    name = ("opf", OPF, "meta")
    if is_new and local in _DUBLIN_CORE:
        return tag(parent.opening, name, escaped(fact.value), {"property": f"dcterms:{local}"})
    return tag(parent.opening, name, "", {"name": fact.key, "content": fact.value})


def _remove(document: Document, is_forced: bool) -> Change:  # noqa: FBT001
    parts = _parts_of(document)
    page = parts.bare
    names = _values(page, _parent(page), "identifier")
    states = {parts.name: State(base=parts.base, wanted=parts.base)}
    findings = names_that_stay(document, parts.name, names)
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _read(document: Document) -> Reading:
    parts = _parts_of(document)
    return Reading(
        statements=statements_of(parts.package), findings=whole_findings(parts.container)
    )


FORMAT: Final = Format(
    key="epub",
    label=_LABEL,
    suffixes=frozenset({".epub"}),
    media_types=frozenset({"application/epub+zip"}),
    embed=_embed,
    remove=_remove,
    read=_read,
)
