"""Links of a name (RFC 8288): one list for its head tags and for its linkset (RFC 9264).

They hold the version links of RFC 9676 section 7.1.1, and those of FAIR Signposting
(https://signposting.org/FAIR/): its level 1 is in the head of a page, its level 2 in the linkset.
"""

from __future__ import annotations

from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as quote_uri

from lexurn.pages.eli import list_author_concepts
from lexurn.pages.representations import Representation
from lexurn.pages.text import check_html_language, check_link, decode_valid_media_type
from lexurn.pages.view import is_format
from lexurn.vocabulary import DCTERMS, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.name import Name
    from lexurn.pages.view import FamilyView, VersionPosition

_MAX_EARLIER = 100
"""Number of earlier versions to which a version links; the linkset of its work has all versions.

Without a limit, the linksets of an act of 10,000 versions would take 4 GB.
"""
ALL_VERSIONS = (f"{DCTERMS}hasVersion",)
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
            yield Link(ALL_VERSIONS, view.page_url(version.name), hreflang=language)
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

    The first context is the page. The others are its files and its metadata, each with the link
    back to the page that FAIR Signposting asks for, and each file with the name of its own. Links
    that repeat another one, or the linkset itself, are left to the head.
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
