"""ELI as RDFa: statements about a name in terms of the ELI ontology 1.5 (``mappings/eli.ttl``).

Where a term of ELI is for one level only, the other levels have that of Dublin Core: ELI's titles
are of expressions, its parts of works, its licence (at most one) of manifestations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn import data
from lexurn.name import Level
from lexurn.pages.html import check_html_language, make_iri_property, make_text_property
from lexurn.pages.view import find_last_day, is_format
from lexurn.pages.words import check_link, escape_controls
from lexurn.vocabulary import DCTERMS, ELI, LANGUAGE, RDF, XSD

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.html import HeadElement
    from lexurn.pages.view import FamilyView

_TYPE = f"{RDF}type"
_DATE = f"{XSD}date"
_CLASSES = {
    Level.WORK: "LegalResource",
    Level.EXPRESSION: "LegalExpression",
    Level.MANIFESTATION: "Manifestation",
}
_CHILD_TERMS: dict[tuple[Level, str], str] = {
    **{(level, "part"): f"{DCTERMS}hasPart" for level in Level},
    (Level.WORK, "part"): f"{ELI}has_part",
    (Level.WORK, Level.WORK): f"{ELI}has_annex",
    (Level.WORK, Level.EXPRESSION): f"{ELI}is_realized_by",
    (Level.EXPRESSION, Level.MANIFESTATION): f"{ELI}is_embodied_by",
}


def make_eli_tags(view: FamilyView, name: Name) -> Iterator[HeadElement]:
    """Yield the RDFa of a name, about the name itself and not about the page."""
    about = name.iri
    # ELI has no class for the parts of a version or a file.
    kind = None if name.partition is not None else _CLASSES[name.level]
    if name.partition is not None and name.level is Level.WORK:
        kind = "LegalResourceSubdivision"
    if kind is not None:
        yield make_iri_property(about, _TYPE, f"{ELI}{kind}")
    yield make_text_property(about, f"{ELI}id_local", str(name))
    term = f"{ELI}title" if kind == _CLASSES[Level.EXPRESSION] else f"{DCTERMS}title"
    for title in view.titles(name):
        text, language = escape_controls(title.value), check_html_language(title.language)
        yield make_text_property(about, term, text, lang=language)
    yield from _link_parent(name)
    if name.partition is None:
        yield from _tag_own_parts(view, name)
    if name.level is not Level.MANIFESTATION:
        yield from _tag_force(view.record(name))
    yield from _tag_publication(view.record(name))
    if name.partition is None:
        yield from _link_below(view, name)


def _link_parent(name: Name) -> Iterator[HeadElement]:
    parent = name.parent
    if parent is None:
        return
    if name.partition is not None and name.level is not Level.WORK:
        yield make_iri_property(name.iri, f"{DCTERMS}isPartOf", parent.iri)
        return
    if name.partition is not None:
        term = "is_part_of"
    elif name.level is Level.WORK:
        term = "is_annex_of"
    else:
        term = "realizes" if name.level is Level.EXPRESSION else "embodies"
    if term != "embodies" or parent.level is Level.EXPRESSION:
        yield make_iri_property(name.iri, f"{ELI}{term}", parent.iri)


def _tag_own_parts(view: FamilyView, name: Name) -> Iterator[HeadElement]:
    """Yield the values of those parts that are the name's own: the act's on the act, and so on."""
    if name.level is Level.WORK and not name.work.annexes:
        for date in name.work.details.dates:
            if date.day is not None:
                yield _tag_day(name, "date_document", date.day)
        for number in name.work.details.numbers:
            yield make_text_property(name.iri, f"{ELI}number", number)
    if name.level is not Level.EXPRESSION or name.expression is None:
        return
    day = view.version_day(name)
    if day is not None:
        yield _tag_day(name, "version_date", day)
    codes: dict[str, str] = data.load_table("languages")["authority"]
    code = codes.get((name.expression.language or "").partition("-")[0])
    if code is not None:
        yield make_iri_property(name.iri, f"{ELI}language", f"{LANGUAGE}{code}")


def _tag_day(name: Name, term: str, day: dt.date) -> HeadElement:
    return make_text_property(name.iri, f"{ELI}{term}", day.isoformat(), datatype=_DATE)


def _tag_force(record: Record) -> Iterator[HeadElement]:
    """Yield when a work or a version came into force and left it, and its amending acts."""
    name = record.name
    if record.published is not None and name.level is Level.WORK:
        yield _tag_day(name, "date_publication", record.published)
    if record.in_force_from is not None:
        yield _tag_day(name, "first_date_entry_in_force", record.in_force_from)
    last = None if record.in_force_until is None else find_last_day(record.in_force_until)
    if last is not None:
        yield _tag_day(name, "date_no_longer_in_force", last)
    for amending in record.amended_by:
        yield make_iri_property(name.iri, f"{ELI}amended_by", amending.iri)


def _tag_publication(record: Record) -> Iterator[HeadElement]:
    """Yield the publishers and licences of a name."""
    about = record.name.iri
    for publisher in record.publishers:
        if check_link(publisher) is None:
            yield make_text_property(about, f"{ELI}publisher", escape_controls(publisher))
        else:
            yield make_iri_property(about, f"{ELI}publisher_agent", publisher)
    licences = [licence for licence in record.licenses if check_link(licence) is not None]
    is_own = is_format(record.name) and len(licences) == 1
    term = f"{ELI}licence" if is_own else f"{DCTERMS}license"
    for licence in licences:
        yield make_iri_property(about, term, licence)


def _link_below(view: FamilyView, name: Name) -> Iterator[HeadElement]:
    """Yield links to the names directly below, and from a format to its copies.

    ELI has no property from a work to a format without a version.
    """
    for child in view.children(name):
        kind = "part" if child.partition is not None else child.level
        term = _CHILD_TERMS.get((name.level, kind))
        if term is not None:
            yield make_iri_property(name.iri, term, child.iri)
    if name.level is Level.MANIFESTATION:
        for item in view.record(name).items:
            if check_link(item.url) is not None:
                yield make_iri_property(name.iri, f"{ELI}is_exemplified_by", item.url)
