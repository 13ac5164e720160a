"""ELI as RDFa: what the ELI ontology 1.5 can say of a name (``ontology/mappings/eli.ttl``).

Where ELI has a term for things of one level only, the others have that of Dublin Core: ELI's titles
are of expressions, its parts of works, its licence, and only one, of manifestations.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.export._languages import html_language
from lexurn.export._tags import property_iri, property_text
from lexurn.export._words import printable, safe_link
from lexurn.name import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.export._tags import Tag
    from lexurn.export._view import View
    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["eli_tags", "last_day"]

_ELI = "http://data.europa.eu/eli/ontology#"
_DCTERMS = "http://purl.org/dc/terms/"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DATE = "http://www.w3.org/2001/XMLSchema#date"
_LANGUAGES = "http://publications.europa.eu/resource/authority/language/"
_CLASSES = {
    Level.WORK: "LegalResource",
    Level.EXPRESSION: "LegalExpression",
    Level.MANIFESTATION: "Manifestation",
}
_DOWN: dict[tuple[Level, str], str] = {
    **{(level, "part"): f"{_DCTERMS}hasPart" for level in Level},
    (Level.WORK, "part"): f"{_ELI}has_part",
    (Level.WORK, Level.WORK): f"{_ELI}has_annex",
    (Level.WORK, Level.EXPRESSION): f"{_ELI}is_realized_by",
    (Level.EXPRESSION, Level.MANIFESTATION): f"{_ELI}is_embodied_by",
}


def last_day(until: dt.date) -> dt.date | None:
    """The last day in force, as ELI and schema.org count, of an end that is the day after.

    None where no day comes before it.
    """
    return until - dt.timedelta(days=1) if until > dt.date.min else None


def eli_tags(view: View, name: Name) -> Iterator[Tag]:
    """The RDFa of a name, about the name itself and not about the page."""
    about = name.iri
    kind = _kind_of(name)
    if kind is not None:
        yield property_iri(about, _TYPE, f"{_ELI}{kind}")
    yield property_text(about, f"{_ELI}id_local", str(name))
    term = f"{_ELI}title" if kind == _CLASSES[Level.EXPRESSION] else f"{_DCTERMS}title"
    for title in view.titles(name):
        text, language = printable(title.value), html_language(title.language)
        yield property_text(about, term, text, lang=language)
    yield from _up(name)
    if name.partition is None:
        yield from _own_parts(view, name)
    if name.level is not Level.MANIFESTATION:
        yield from _force(view.record(name))
    yield from _relations(view.record(name))
    if name.partition is None:
        yield from _down(view, name)
        yield from _copies(view.record(name))


def _kind_of(name: Name) -> str | None:
    """The class of a name; ELI has none for the parts of a version or a file."""
    if name.partition is None:
        return _CLASSES[name.level]
    return "LegalResourceSubdivision" if name.level is Level.WORK else None


def _up(name: Name) -> Iterator[Tag]:
    parent = name.parent
    if parent is None:
        return
    if name.partition is not None and name.level is not Level.WORK:
        yield property_iri(name.iri, f"{_DCTERMS}isPartOf", parent.iri)
        return
    if name.partition is not None:
        term = "is_part_of"
    elif name.level is Level.WORK:
        term = "is_annex_of"
    else:
        term = "realizes" if name.level is Level.EXPRESSION else "embodies"
    if term != "embodies" or parent.level is Level.EXPRESSION:
        yield property_iri(name.iri, f"{_ELI}{term}", parent.iri)


def _own_parts(view: View, name: Name) -> Iterator[Tag]:
    """What only the part of the name says that is its own: the act's on the act, and so on."""
    if name.level is Level.WORK and not name.work.annexes:
        for date in name.work.details.dates:
            if date.day is not None:
                yield _day(name, "date_document", date.day)
        for number in name.work.details.numbers:
            yield property_text(name.iri, f"{_ELI}number", number)
    if name.level is not Level.EXPRESSION or name.expression is None:
        return
    day = view.version_day(name)
    if day is not None:
        yield _day(name, "version_date", day)
    authority = _language_authority(name.expression.language)
    if authority is not None:
        yield property_iri(name.iri, f"{_ELI}language", f"{_LANGUAGES}{authority}")


def _language_authority(tag: str | None) -> str | None:
    if tag is None:
        return None
    codes: dict[str, str] = data.table("languages")["authority"]
    return codes.get(tag.partition("-")[0])


def _day(name: Name, term: str, day: dt.date) -> Tag:
    return property_text(name.iri, f"{_ELI}{term}", day.isoformat(), datatype=_DATE)


def _force(record: Record) -> Iterator[Tag]:
    """When a work or a version came into force and left it, and what amends it."""
    name = record.name
    if record.published is not None and name.level is Level.WORK:
        yield _day(name, "date_publication", record.published)
    if record.in_force_from is not None:
        yield _day(name, "first_date_entry_in_force", record.in_force_from)
    if record.in_force_until is not None and (end := last_day(record.in_force_until)) is not None:
        yield _day(name, "date_no_longer_in_force", end)
    for amending in record.amended_by:
        yield property_iri(name.iri, f"{_ELI}amended_by", amending.iri)


def _relations(record: Record) -> Iterator[Tag]:
    about = record.name.iri
    for publisher in record.publishers:
        if safe_link(publisher) is None:
            yield property_text(about, f"{_ELI}publisher", printable(publisher))
        else:
            yield property_iri(about, f"{_ELI}publisher_agent", publisher)
    licences = [licence for licence in record.licenses if safe_link(licence) is not None]
    file = record.name.level is Level.MANIFESTATION and record.name.partition is None
    term = f"{_ELI}licence" if file and len(licences) == 1 else f"{_DCTERMS}license"
    for licence in licences:
        yield property_iri(about, term, licence)


def _down(view: View, name: Name) -> Iterator[Tag]:
    """Links to what lies straight below; a file form of no version has none in ELI."""
    for child in view.children(name):
        below = "part" if child.partition is not None else child.level
        term = _DOWN.get((name.level, below))
        if term is not None:
            yield property_iri(name.iri, term, child.iri)


def _copies(record: Record) -> Iterator[Tag]:
    """From a file form to its copies."""
    if record.name.level is Level.MANIFESTATION:
        for item in record.items:
            if safe_link(item.url) is not None:
                yield property_iri(record.name.iri, f"{_ELI}is_exemplified_by", item.url)
