"""Head tags of a name: Dublin Core, ELI in RDFa, links, schema.org."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import escape

from lexurn.model import Family, Record, read_day
from lexurn.name import Level
from lexurn.pages.eli import Statement, list_eli_statements
from lexurn.pages.links import ALL_VERSIONS, list_links
from lexurn.pages.schema_org import make_legislation, write_script
from lexurn.pages.text import (
    check_html_language,
    check_link,
    decode_media_type,
    escape_controls,
)
from lexurn.pages.view import FamilyView, find_family, is_format, list_records
from lexurn.vocabulary import DC, DCTERMS, ELI, OWL, RDF, XSD

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from lexurn.model import LanguageText
    from lexurn.name import Name
    from lexurn.pages.links import Link

ELI_PREFIX = f"eli: {ELI}"
"""Prefix that a page declares; RDFa 1.1 itself has the others of `_PREFIXES`."""
_PREFIXES = (
    *((ELI, "eli"), (DCTERMS, "dcterms"), (DC, "dc11")),
    *((OWL, "owl"), (RDF, "rdf"), (XSD, "xsd")),
)
_NOTHING_TO_ESCAPE = re.compile("[^&<>'\"]*+")


def head(
    subject: Record | Name,
    family: Family | Iterable[Record] | None = None,
    *,
    base: str,
    as_of: dt.date | str | None = None,
) -> str:
    """Write the HTML head tags of a name, one a line, in a fixed order.

    These are Dublin Core (``DC.*``, ``DCTERMS.*``), ELI as RDFa, the version links of RFC 9676
    section 7.1.1, the links of FAIR Signposting (``cite-as``, ``describedby``, ``linkset``,
    ``type``, ``author``, ``item``, ``license``), ``canonical`` and ``alternate``, and one block of
    schema.org ``Legislation``.

    Args:
        subject: the name, or its record.
        family: the family of the name, or any other records.
        base: the base of HTTP URIs, for example ``https://law.example``.
        as_of: the day for what is in force, as a date or in ISO 8601; today by default.

    Raises:
        ValueError: the base is invalid.
        ModelError: the records contradict each other.
        DateError: ``as_of`` is a text that is not a date.
    """
    name: Name
    records = family or ()
    if isinstance(subject, Record):
        name = subject.name
        if not (isinstance(family, Family) and family.record(name) == subject):
            others = (record for record in list_records(records) if record.name != name)
            records = (*others, subject)
    else:
        name = subject
    view = FamilyView(family=find_family(name, records), as_of=read_day(as_of), base=base)
    return write_head(view, name, list_links(view, name))


class _Tag(NamedTuple):
    """Empty element: its name, and its attributes in order; None for those that it has not."""

    element: str
    rel: str | None = None
    name: str | None = None
    about: str | None = None
    property: str | None = None
    type: str | None = None
    lang: str | None = None
    hreflang: str | None = None
    datatype: str | None = None
    href: str | None = None
    content: str | None = None

    def write(self, *, is_xml: bool = False) -> str:
        """Write the element, its values escaped."""
        text = f"<{self.element}"
        for key, value in zip(_ATTRIBUTES, self[1:], strict=True):
            if value is not None:
                safe = value if _NOTHING_TO_ESCAPE.fullmatch(value) else escape(value)
                text += f' {key}="{safe}"'
                if is_xml and key == "lang":
                    text += f' xml:lang="{safe}"'
        return f"{text} />" if is_xml else f"{text}>"


_ATTRIBUTES = _Tag._fields[1:]


class _Tags:
    """Empty elements of a head, each once, in order."""

    def __init__(self, subject: str, *, is_own_page: bool) -> None:
        """Store the IRI that RDFa is about, and whether it is that of the page itself."""
        self._tags: dict[_Tag, None] = {}
        self._subject, self._is_own_page = subject, is_own_page

    def add_link(
        self, rel: str, href: str, type: str | None = None, hreflang: str | None = None
    ) -> None:
        """Add a link."""
        self._tags[_Tag("link", rel=rel, type=type, hreflang=hreflang, href=href)] = None

    def add_meta(self, name: str, content: str, lang: str | None = None) -> None:
        """Add a text."""
        self._tags[_Tag("meta", name=name, lang=lang, content=content)] = None

    def add_statement(self, statement: Statement) -> None:
        """Add the RDFa of a statement.

        A text without a language has the datatype ``xsd:string``, else it would be read in the
        language of the page. On its own page the subject stands in ``head``, and terms have
        prefixes.
        """
        about, term, value = statement.about or self._subject, statement.term, statement.value
        lang = datatype = None
        if not statement.is_iri:
            lang = check_html_language(statement.language)
            datatype = statement.datatype or (None if lang else f"{XSD}string")
        subject: str | None = about
        if self._is_own_page:
            subject = None if about == self._subject else about
            term, datatype = _shorten_term(term), datatype and _shorten_term(datatype)
        if statement.is_iri:
            tag = _Tag("link", about=subject, property=term, href=value)
        else:
            tag = _Tag(
                "meta", about=subject, property=term, lang=lang, datatype=datatype, content=value
            )
        self._tags[tag] = None

    def list(self) -> Iterable[_Tag]:
        """List the elements; on the page itself, some are merged."""
        return _merge_tags(self._tags) if self._is_own_page else self._tags


def _merge_tags(tags: Iterable[_Tag]) -> Iterable[_Tag]:
    """Merge the relations of one link, and the terms of Dublin Core and ELI for one text."""
    merged: dict[Hashable, _Tag] = {}
    for tag in tags:
        # All but the relations, the name, the property and its datatype.
        key: Hashable = (tag.rel is None, tag.about, tag[5:8], tag[9:])
        known = merged.get(key)
        if known is None:
            merged[key] = tag
        elif tag.rel is not None:
            merged[key] = tag._replace(rel=f"{known.rel} {tag.rel}")
        elif known.name is not None and tag.name is None and known.property is None:
            merged[key] = tag._replace(name=known.name)
        else:
            merged[key, len(merged)] = tag
    return merged.values()


def write_head(
    view: FamilyView,
    name: Name,
    links: Iterable[Link],
    *,
    is_xml: bool = False,
    is_own_page: bool = False,
) -> str:
    """Write the head tags of a name, for HTML or XHTML; in ASCII if the view is lasting.

    A lasting view is for a document that is not written again (see `FamilyView`).

    Args:
        view: the view of the family.
        name: the name.
        links: the links of the name, from `list_links`.
        is_xml: whether they are for XHTML.
        is_own_page: whether they are for a page of the site, whose ``head`` is about the name's
            HTTP URI and whose ``html`` declares `ELI_PREFIX`: its RDFa is half as long. It links
            the files in its folder by their names.
    """
    tags = _Tags(view.rdf_iri(name), is_own_page=is_own_page)
    _tag_dublin_core(tags, view, name)
    for statement in list_eli_statements(view, name):
        tags.add_statement(statement)
    # RDFa is about HTTP URIs, the JSON-LD about names.
    same, instead = view.family.same.get(name), view.record(name).alias_of
    if same is not None:
        tags.add_statement(Statement(f"{OWL}sameAs", view.rdf_iri(same), is_iri=True))
    elif instead is not None:
        tags.add_statement(Statement(f"{DCTERMS}isReplacedBy", view.rdf_iri(instead), is_iri=True))
    if view.base is not None:
        tags.add_statement(Statement(f"{OWL}sameAs", name.iri, is_iri=True))
    folder = f"{view.page_url(name).rstrip('/')}/"
    for link in links:
        if link.relations == ALL_VERSIONS:
            continue
        # A head names terms of Dublin Core by their prefix.
        rel = " ".join(link.relations).replace(DCTERMS, "DCTERMS.")
        href = link.href.removeprefix(folder) if is_own_page and link.is_file else link.href
        tags.add_link(rel, href, link.type, link.hreflang)
    script = write_script(make_legislation(view, name), is_ascii=view.is_lasting)
    lines = (
        *(tag.write(is_xml=is_xml) for tag in tags.list()),
        '<script type="application/ld+json">',
        script,
        "</script>\n",
    )
    text = "\n".join(lines)
    # Character references are the same in every encoding of a document.
    return text.encode("ascii", "xmlcharrefreplace").decode() if view.is_lasting else text


@lru_cache(maxsize=256)
def _shorten_term(term: str) -> str:
    for namespace, prefix in _PREFIXES:
        if term.startswith(namespace):
            return f"{prefix}:{term.removeprefix(namespace)}"
    return term


def _tag_dublin_core(tags: _Tags, view: FamilyView, name: Name) -> None:
    record = view.record(name)
    tags.add_link("schema.DC", DC)
    tags.add_link("schema.DCTERMS", DCTERMS)
    tags.add_meta("DC.identifier", str(name))
    for title in view.titles(name):
        lang, text = check_html_language(title.language) or "", escape_controls(title.value)
        tags.add_meta("DC.title", text, lang)
    if name.expression is not None and name.expression.language is not None:
        tags.add_meta("DC.language", name.expression.language)
    if name.manifestation is not None:
        media_type = decode_media_type(name.manifestation.format.mime)
        tags.add_meta("DC.format", media_type)
    for term, values in (
        ("publisher", record.publishers),
        ("creator", record.creators),
        ("subject", record.subjects),
    ):
        for value in values:
            if check_link(value) is None:
                tags.add_meta(f"DC.{term}", escape_controls(value))
            else:
                tags.add_link(f"DCTERMS.{term}", value)
    for term, day in (
        ("issued", record.issued),
        ("available", record.published),
        ("modified", record.modified),
    ):
        if day is not None:
            tags.add_meta(f"DCTERMS.{term}", day.isoformat())
    for term, other in list_relations(name):
        tags.add_link(f"DCTERMS.{term}", other.iri)


def list_relations(name: Name) -> Iterator[tuple[str, Name]]:
    """Yield the names that a name is a version, a format or a part of, by terms of Dublin Core."""
    parent = name.parent
    if parent is None:
        return
    if name.partition is not None or name.level is Level.WORK:
        relation = "isPartOf"
    else:
        relation = "isVersionOf" if name.level is Level.EXPRESSION else "isFormatOf"
    yield relation, parent
    if is_format(name) and parent != name.work_name:
        yield "isVersionOf", name.work_name


@dataclass(frozen=True, kw_only=True)
class DocumentMetadata:
    """Metadata of a document that carries a name.

    The metadata are lasting, since a document is not written again when its act is amended. They
    leave out all that depends on the day, and all names below, beside or after the name. So an
    amendment, a translation or a new file changes nothing in them. ``current`` and
    ``version-history`` are the work (RFC 9676 section 7.1.1).

    Attributes:
        name: the name of the document.
    """

    name: Name
    _view: FamilyView

    @property
    def titles(self) -> tuple[LanguageText, ...]:
        """Titles of the name, else of its version or work."""
        titles = self._view.titles(self.name)
        return tuple(replace(each, value=escape_controls(each.value)) for each in titles)

    @property
    def language(self) -> str | None:
        """Language in the name (BCP 47), None where there is none."""
        return None if self.name.expression is None else self.name.expression.language

    @property
    def version(self) -> str | None:
        """Version in the name, with its events: ``2005-01-01``; None for a work."""
        return None if self.name.expression is None else str(self.name.expression.version)

    @property
    def aliases(self) -> tuple[Name, ...]:
        """Aliases of the name, the canonical name first."""
        return tuple(each for each in self._view.equals(self.name) if each != self.name)

    def equals(self, name: Name) -> frozenset[Name]:
        """Return all names equal to a name: to this one, or to what it is a version of."""
        return frozenset({name, *self._view.equals(name)})

    @cached_property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """Relations of the name: kinds and IRIs of what it is part of, and of earlier versions.

        The kinds are ``isPartOf``, ``isFormatOf``, ``isVersionOf`` (Dublin Core) and ``first`` and
        ``previous`` (RFC 9676 section 7.1.1).
        """
        above = ((term, other.iri) for term, other in list_relations(self.name))
        position = self._view.position(self.name)
        if position is None or position.previous is None:
            return tuple(above)
        first = position.chain.first
        earlier = () if first is None else (("first", first.name.iri),)
        return (*above, *earlier, ("previous", position.previous.name.iri))

    def head(self, *, is_xml: bool = False) -> str:
        """Write the tags for the head of a page, one a line, in a fixed order.

        Args:
            is_xml: whether they are for XHTML.
        """
        return write_head(self._view, self.name, list_links(self._view, self.name), is_xml=is_xml)


def make_document_metadata(
    name: Name, records: Family | Iterable[Record] = (), *, base: str | None = None
) -> DocumentMetadata:
    """Make the metadata of a document that carries a name.

    Args:
        name: the name.
        records: the family of the name, or any records.
        base: the base of HTTP URIs; None where the names have none, or nobody serves them.

    Raises:
        ValueError: the base is invalid.
        ModelError: the records contradict each other.
    """
    family = find_family(name, records)
    view = FamilyView(family=family, as_of=dt.date.min, base=base, is_lasting=True)
    if base is not None:
        view.http_uri(name)  # raises where the base is invalid
    return DocumentMetadata(name=name, _view=view)
