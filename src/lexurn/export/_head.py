"""The head tags of a name: Dublin Core, ELI in RDFa, version links, schema.org."""

from __future__ import annotations

from itertools import chain as chained
from typing import TYPE_CHECKING

from lexurn.export._eli import eli_tags
from lexurn.export._languages import html_language
from lexurn.export._legislation import legislation_of, script_text
from lexurn.export._tags import Tag, link, meta, property_iri
from lexurn.export._view import View, family_with, records_in
from lexurn.export._words import media_type, media_type_for_links, printable, safe_link
from lexurn.model import Family, Record, today
from lexurn.name import Level

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from lexurn.export._view import Place
    from lexurn.name import Name

__all__ = ["head", "head_of", "relations_of"]

_DC = "http://purl.org/dc/elements/1.1/"
_SCRIPT = '<script type="application/ld+json">'
_DCTERMS = "http://purl.org/dc/terms/"
_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"


def head(
    subject: Record | Name,
    family: Family | Iterable[Record] | None = None,
    *,
    base: str,
    as_of: dt.date | None = None,
) -> str:
    """The HTML head tags of a name, one a line, in a fixed order.

    Dublin Core (``DC.*``, ``DCTERMS.*``), ELI as RDFa, the version links of RFC 9676 section 7.1.1,
    ``canonical``, ``cite-as``, ``describedby``, ``alternate`` and ``license``, and one block of
    schema.org ``Legislation``.

    Args:
        subject: the name, or its record.
        family: what else is known of the name: its family, or any records.
        base: the base of HTTP URIs, for example ``https://law.example``.
        as_of: the day for what is in force; today where it is left out.

    Raises:
        ValueError: the base is none.
        ModelError: the records contradict each other.
    """
    name, records = _records_of(subject, family)
    view = View(
        family=family_with(name, records),
        as_of=as_of or today(),
        base=base,
    )
    return head_of(view, name)


def _records_of(
    subject: Record | Name, family: Family | Iterable[Record] | None
) -> tuple[Name, Family | Iterable[Record]]:
    """The name, and all records: a record given alone is one of them."""
    if not isinstance(subject, Record):
        return subject, family or ()
    if isinstance(family, Family) and family.record(subject.name) == subject:
        return subject.name, family
    known = records_in(family or ())
    return subject.name, (*(each for each in known if each.name != subject.name), subject)


def head_of(view: View, name: Name, *, is_xml: bool = False) -> str:
    """The head tags of a name of a view, for HTML or XHTML; of a lasting view in ASCII."""
    tags = chained(
        _dublin_core(view, name), eli_tags(view, name), _alias(view, name), _links(view, name)
    )
    script = script_text(legislation_of(view, name), is_ascii=view.is_lasting)
    lines = (tag.markup(is_xml=is_xml) for tag in dict.fromkeys(tags))
    text = "".join(f"{line}\n" for line in (*lines, _SCRIPT, script, "</script>"))
    # References to characters are read alike in whatever encoding a document is.
    return text.encode("ascii", "xmlcharrefreplace").decode() if view.is_lasting else text


def _dublin_core(view: View, name: Name) -> Iterator[Tag]:
    record = view.record(name)
    yield link("schema.DC", _DC)
    yield link("schema.DCTERMS", _DCTERMS)
    yield meta("DC.identifier", str(name))
    for title in view.titles(name):
        yield meta("DC.title", printable(title.value), lang=html_language(title.language) or "")
    if name.expression is not None and name.expression.language is not None:
        yield meta("DC.language", name.expression.language)
    if name.manifestation is not None:
        yield meta("DC.format", media_type(name.manifestation.format.mime))
    for term, values in (
        ("publisher", record.publishers),
        ("creator", record.creators),
        ("subject", record.subjects),
    ):
        yield from (_agent(term, value) for value in values)
    for term, day in (
        ("issued", record.issued),
        ("available", record.published),
        ("modified", record.modified),
    ):
        if day is not None:
            yield meta(f"DCTERMS.{term}", day.isoformat())
    yield from (link(f"DCTERMS.{term}", other.iri) for term, other in relations_of(name))


def _alias(view: View, name: Name) -> Iterator[Tag]:
    """Of which name it is an alias, as in RDF; ``sameAs`` of schema.org stands at both names.

    Where there is a site, the canonical link says it.
    """
    canonical = view.family.canonical(name)
    if view.is_lasting and canonical != name:
        yield property_iri(name.iri, _SAME_AS, canonical.iri)


def _agent(term: str, value: str) -> Tag:
    """A publisher, creator or subject: a link where it is a URL, else a text."""
    url = safe_link(value)
    return meta(f"DC.{term}", printable(value)) if url is None else link(f"DCTERMS.{term}", url)


def relations_of(name: Name) -> Iterator[tuple[str, Name]]:
    """What a name is a version, a format or a part of, by terms of Dublin Core."""
    parent = name.parent
    if parent is None:
        return
    if name.partition is not None or name.level is Level.WORK:
        relation = "isPartOf"
    else:
        relation = "isVersionOf" if name.level is Level.EXPRESSION else "isFormatOf"
    yield relation, parent
    if name.level is Level.MANIFESTATION and name.partition is None and parent != name.work_name:
        yield "isVersionOf", name.work_name


def _links(view: View, name: Name) -> Iterator[Tag]:
    if not view.is_lasting:
        # A document that somebody has already lies elsewhere, and says itself where.
        yield link("self", view.served(name))
        yield link("canonical", view.served(view.family.canonical(name)))
    if view.base is not None:
        data = view.served(name).rstrip("/")
        yield link("cite-as", view.address(view.family.canonical(name)))
        yield link("describedby", f"{data}/index.ttl", type="text/turtle")
        yield link("alternate", f"{data}/index.jsonld", type="application/ld+json")
    place = view.place(name)
    if place is not None:
        yield from _version_links(view, place)
    yield from _current_links(view, name)
    yield from _files(view, name)
    yield from (link("license", url) for url in view.record(name).licenses if safe_link(url))


def _version_links(view: View, place: Place) -> Iterator[Tag]:
    """RFC 9676 section 7.1.1; ``current`` is the work's URI, so that no amendment rewrites it."""
    chain, work = place.chain, view.served(place.chain.work)
    if not view.is_lasting or place.position:
        # That a version is the first is only known as long as no earlier one is found.
        yield link("first", view.served(chain.first.name))
    if place.previous is not None:
        yield link("prev previous predecessor-version", view.served(place.previous.name))
    if not view.is_lasting:
        if place.next is not None:
            yield link("next successor-version", view.served(place.next.name))
        yield link("last", view.served(chain.last.name))
    yield link("current latest-version", work)
    yield link("version-history", work)
    for tag, version in view.translations(place):
        language = html_language(tag)
        if language is not None:
            yield link("alternate", view.served(version), hreflang=language)


def _current_links(view: View, name: Name) -> Iterator[Tag]:
    """On the page of a work: the version in force, in each language."""
    for chain in view.chains(name):
        current = chain.current(view.as_of).version
        if current is not None:
            href, language = view.served(current), html_language(chain.language)
            yield link("current latest-version", href, hreflang=language)
            if language is not None:
                yield link("alternate", href, hreflang=language)


def _files(view: View, name: Name) -> Iterator[Tag]:
    """Copies of the very thing that is named, and of its files."""
    if name.partition is not None:
        return
    for form in (name, *view.children(name)):
        manifestation = form.manifestation
        if form.partition is not None or (form != name and manifestation is None):
            continue
        kind = media_type_for_links(manifestation.format.mime) if manifestation else None
        for item in view.record(form).items:
            if safe_link(item.url) is not None:
                yield link("alternate", item.url, type=kind)
