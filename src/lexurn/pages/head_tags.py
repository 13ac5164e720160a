"""Head tags of a name (Dublin Core, ELI in RDFa, links, schema.org), and its linkset (RFC 9264).

Head and linkset have the same links (RFC 8288): the version links of RFC 9676 section 7.1.1, and
those of FAIR Signposting (https://signposting.org/FAIR/). Its level 1 is in the head of a page, its
level 2 in the linkset.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as quote_uri

from markupsafe import escape

from lexurn.lazy import compile_late
from lexurn.model import Family, Record, read_day
from lexurn.name import Level
from lexurn.pages.paths import Representation
from lexurn.pages.text import (
    check_html_language,
    check_link,
    decode_media_type,
    decode_valid_media_type,
    escape_controls,
)
from lexurn.pages.view import FamilyView, find_family, is_format, list_records
from lexurn.pages.vocabularies import (
    Statement,
    list_author_concepts,
    list_eli_statements,
    make_legislation,
    write_script,
)
from lexurn.vocabulary import DC, DCTERMS, ELI, OWL, RDF, SCHEMA, XSD

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from lexurn.model import LanguageText
    from lexurn.name import Name
    from lexurn.pages.view import VersionPosition

# --- links ----------------------------------------------------------------------------

_MAX_EARLIER = 100
"""Number of earlier versions to which a version links; the linkset of its work has all versions.

Without a limit, the linksets of an act of 10,000 versions would take 4 GB.
"""
_ALL_VERSIONS = (f"{DCTERMS}hasVersion",)
"""Relation from a work to its versions; it stands in a linkset alone."""
_PAGE_TYPE = f"{SCHEMA}AboutPage"
_WAYS_BACK = {"item": "collection", "describedby": "describes"}
"""Relation from a file or metadata back to the page, by the one that leads there."""
_URI_CHARACTERS = "!#$%&'()*+,/:;=?@[]~"


class Link(NamedTuple):
    """Link from a name to a target.

    Attributes:
        relations: registered relations, or IRIs of terms.
        href: the URL of the target.
        type: its media type, where known.
        hreflang: its language, where it is a translation.
        is_file: whether it is a file of data beside the page.
    """

    relations: tuple[str, ...]
    href: str
    type: str | None = None
    hreflang: str | None = None
    is_file: bool = False


def list_links(view: FamilyView, name: Name) -> list[Link]:
    """List the links of a name, each once, in a fixed order.

    A lasting view is for a document that is not written again. It has no links to itself, to its
    files, or to anything that an amendment would change.
    """
    return list(dict.fromkeys(_list_all_links(view, name)))


def _list_all_links(view: FamilyView, name: Name) -> Iterator[Link]:
    yield from _list_page_links(view, name)
    position = view.position(name)
    if position is not None:
        yield from _list_version_links(view, name, position)
    for chain in view.chains(name):
        language = check_html_language(chain.language)
        for version in chain.versions:
            yield Link(_ALL_VERSIONS, view.page_url(version.name), hreflang=language)
        current = chain.current(view.as_of).version
        if current is not None:
            href = view.page_url(current)
            yield Link(("current", "latest-version"), href, hreflang=language)
            if language is not None:
                yield Link(("alternate",), href, hreflang=language)
    relations = ("alternate",) if view.is_lasting else ("alternate", "item")
    for each in () if name.partition is not None else (name, *view.formats(name)):
        form = each.manifestation
        media_type = None if form is None else decode_valid_media_type(form.format.mime)
        urls = [item.url for item in view.record(each).items if check_link(item.url)]
        yield from (Link(relations, url, media_type) for url in urls)
    licenses = view.record(name).licenses
    yield from (Link(("license",), url) for url in licenses if check_link(url))


def _list_page_links(view: FamilyView, name: Name) -> Iterator[Link]:
    """Yield the links to the page itself and its data, and to its types and authors."""
    canonical = view.family.canonical(name)
    if not view.is_lasting:
        # A page of a site: its canonical link leads from an alias to the canonical name.
        yield Link(("self",), view.page_url(name))
        yield Link(("canonical",), view.page_url(canonical))
    if view.base is not None:
        folder = view.page_url(name).rstrip("/")
        yield Link(("cite-as",), view.http_uri(canonical))
        for each in Representation:
            if each.relations:
                href = f"{folder}/{each.file_name}"
                yield Link(each.relations, href, each.media_type, is_file=True)
    if not view.is_lasting:
        kind = "LegislationObject" if is_format(name) else "Legislation"
        yield from (Link(("type",), iri) for iri in (_PAGE_TYPE, f"{SCHEMA}{kind}"))
        creators = [value for value in view.record(name).creators if check_link(value)]
        yield from (Link(("author",), iri) for iri in creators or list_author_concepts(name))


def _list_version_links(view: FamilyView, name: Name, position: VersionPosition) -> Iterator[Link]:
    """Yield the links of RFC 9676 section 7.1.1.

    A lasting view cannot know the version in force: its link ``current`` leads to the work.
    """
    chain, work = position.chain, view.page_url(position.chain.work)
    # Nothing is first for good but the original, and a lasting view has no links to itself.
    if chain.first is not None and not (view.is_lasting and position.previous is None):
        yield Link(("first",), view.page_url(chain.first.name))
    if position.previous is not None:
        relations = ("prev", "previous", "predecessor-version")
        yield Link(relations, view.page_url(position.previous.name))
    if not view.is_lasting:
        if position.next is not None:
            yield Link(("next", "successor-version"), view.page_url(position.next.name))
        yield Link(("last",), view.page_url(chain.last.name))
    current = chain.work if view.is_lasting else chain.current(view.as_of).version
    if current is not None:
        yield Link(("current", "latest-version"), view.page_url(current))
    yield Link(("version-history",), work)
    if name in position.version.names and not view.is_lasting:
        # RFC 8288 has no relation for all earlier versions.
        for earlier in chain.versions[max(position.number - _MAX_EARLIER, 0) : position.number]:
            yield Link((f"{DCTERMS}replaces",), view.page_url(earlier.name))
    for tag, version in view.translations(position):
        language = check_html_language(tag)
        if language is not None:
            yield Link(("alternate",), view.page_url(version), hreflang=language)


def write_linkset(view: FamilyView, name: Name, links: Iterable[Link]) -> str:
    """Write the links of a name as a linkset in JSON (RFC 9264 section 4.2), a context a line.

    The first context is the page. The others are its files and its metadata, each with a link back
    to the page, as FAIR Signposting asks. A file also has its own name (``cite-as``). Links that
    repeat another one, or the linkset itself, are left to the head.
    """
    page = view.page_url(name)
    contexts: dict[str, dict[str, list[str]]] = {page: {}}
    back = [_write_target(Link((), page, view.base and Representation.HTML.media_type))]
    links = list(links)
    linked = {link.href for link in links if link.relations != ("alternate",)}
    for link in links:
        target = _write_target(link)
        for relation in link.relations:
            is_self = relation == "canonical" and link.href == page
            is_again = relation == "alternate" and link.href in linked
            if is_self or is_again or relation == "linkset":
                continue
            contexts[page].setdefault(relation, []).append(target)
            if relation in _WAYS_BACK:
                contexts.setdefault(link.href, {})[_WAYS_BACK[relation]] = back
    for each in () if view.base is None else view.formats(name):
        own = [_write_target(Link((), view.http_uri(view.family.canonical(each))))]
        for item in view.record(each).items:
            if item.url in contexts:
                contexts[item.url]["cite-as"] = own
    lines = []
    for anchor, relations in contexts.items():
        members = (f'"{each}":[{",".join(targets)}]' for each, targets in relations.items())
        lines.append(",".join((f'{{"anchor":{quote(_encode_uri(anchor))}', *members)))
    return '{"linkset":[\n' + "},\n".join(lines) + "}\n]}\n"


def _write_target(link: Link) -> str:
    kind = "" if link.type is None else f',"type":{quote(link.type)}'
    language = "" if link.hreflang is None else f',"hreflang":[{quote(link.hreflang)}]'
    return f'{{"href":{quote(_encode_uri(link.href))}{kind}{language}}}'


def _encode_uri(iri: str) -> str:
    """Percent-encode the characters of an IRI that no URI has (RFC 3987 section 3.1)."""
    return iri if iri.isascii() else quote_uri(iri, safe=_URI_CHARACTERS)


# --- head tags ------------------------------------------------------------------------

ELI_PREFIX = f"eli: {ELI}"
"""Prefix that a page declares; RDFa 1.1 itself has the others of `_PREFIXES`."""
_PREFIXES = (
    *((ELI, "eli"), (DCTERMS, "dcterms"), (DC, "dc11")),
    *((OWL, "owl"), (RDF, "rdf"), (XSD, "xsd")),
)
_NOTHING_TO_ESCAPE = compile_late("[^&<>'\"]*+")


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
        parts = [f"<{self.element}"]
        for key, value in zip(_ATTRIBUTES, self[1:]):  # noqa: B905 - quicker, and as long
            if value is not None:
                safe = value if _NOTHING_TO_ESCAPE.fullmatch(value) else escape(value)
                parts.append(f' {key}="{safe}"')
                if is_xml and key == "lang":
                    parts.append(f' xml:lang="{safe}"')
        parts.append(" />" if is_xml else ">")
        return "".join(parts)


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
        if link.relations == _ALL_VERSIONS:
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
