"""ELI: statements about a name in terms of the ELI ontology 1.5 (``mappings/eli.ttl``).

Where a term of ELI is for one level only, the other levels have that of Dublin Core: ELI's titles
are of expressions, its parts of works, its licence (at most one) of manifestations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn import data
from lexurn.name import Level
from lexurn.pages.view import find_last_day, is_format
from lexurn.pages.words import check_link, escape_controls
from lexurn.vocabulary import DCTERMS, ELI, LANGUAGE, RDF, XSD

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView

_CLASSES = {
    Level.WORK: "LegalResource",
    Level.EXPRESSION: "LegalExpression",
    Level.MANIFESTATION: "Manifestation",
}
_LINK_TERMS = {
    **{(level, "part"): (f"{DCTERMS}hasPart", f"{DCTERMS}isPartOf") for level in Level},
    (Level.WORK, "part"): (f"{ELI}has_part", f"{ELI}is_part_of"),
    (Level.WORK, Level.WORK): (f"{ELI}has_annex", f"{ELI}is_annex_of"),
    (Level.WORK, Level.EXPRESSION): (f"{ELI}is_realized_by", f"{ELI}realizes"),
    (Level.EXPRESSION, Level.MANIFESTATION): (f"{ELI}is_embodied_by", f"{ELI}embodies"),
}
"""Properties down and up, by the level of a name and the kind of a name directly below.

ELI has none between a work and a format without a version.
"""


class Statement(NamedTuple):
    """Statement about a name: a property, and an IRI or a text as its value.

    Attributes:
        term: the IRI of the property.
        value: the IRI or the text.
        is_iri: whether the value is an IRI.
        language: the language of a text, where known.
        datatype: the IRI of the datatype of a text, None for a plain one.
    """

    term: str
    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None


def _state_iri(term: str, iri: str) -> Statement:
    return Statement(term, iri, is_iri=True)


def _state_day(term: str, day: dt.date) -> Statement:
    return Statement(f"{ELI}{term}", day.isoformat(), datatype=f"{XSD}date")


def list_eli_statements(view: FamilyView, name: Name) -> Iterator[Statement]:
    """Yield the statements about the name itself, not about the page."""
    # ELI has no class for the parts of a version or a file.
    kind = None if name.partition is not None else _CLASSES[name.level]
    if name.partition is not None and name.level is Level.WORK:
        kind = "LegalResourceSubdivision"
    if kind is not None:
        yield _state_iri(f"{RDF}type", f"{ELI}{kind}")
    yield Statement(f"{ELI}id_local", str(name))
    term = f"{ELI}title" if kind == _CLASSES[Level.EXPRESSION] else f"{DCTERMS}title"
    for title in view.titles(name):
        yield Statement(term, escape_controls(title.value), language=title.language)
    parent = name.parent
    if parent is not None and (terms := _find_link_terms(parent, name)):
        yield _state_iri(terms[1], parent.iri)
    if name.partition is None:
        yield from _state_own_parts(view, name)
    yield from _state_record(view.record(name))
    if name.partition is None:
        yield from _link_below(view, name)


def _find_link_terms(parent: Name, child: Name) -> tuple[str, str] | None:
    return _LINK_TERMS.get((parent.level, child.level if child.partition is None else "part"))


def _state_own_parts(view: FamilyView, name: Name) -> Iterator[Statement]:
    """Yield the values of those parts that are the name's own: the act's on the act, and so on."""
    if name.level is Level.WORK and not name.work.annexes:
        for date in name.work.details.dates:
            if date.day is not None:
                yield _state_day("date_document", date.day)
        for number in name.work.details.numbers:
            yield Statement(f"{ELI}number", number)
    if name.level is not Level.EXPRESSION or name.expression is None:
        return
    day = view.version_day(name)
    if day is not None:
        yield _state_day("version_date", day)
    codes: dict[str, str] = data.load_table("languages")["authority"]
    code = codes.get((name.expression.language or "").partition("-")[0])
    if code is not None:
        yield _state_iri(f"{ELI}language", f"{LANGUAGE}{code}")


def _state_record(record: Record) -> Iterator[Statement]:
    """Yield the dates of a work or a version, its amending acts, its publishers and licences."""
    is_work = record.name.level is Level.WORK
    days = (
        ("date_publication", record.published if is_work else None),
        ("first_date_entry_in_force", record.in_force_from),
        ("date_no_longer_in_force", find_last_day(record.in_force_until)),
    )
    if record.name.level is not Level.MANIFESTATION:
        yield from (_state_day(term, day) for term, day in days if day is not None)
        for amending in record.amended_by:
            yield _state_iri(f"{ELI}amended_by", amending.iri)
    for publisher in record.publishers:
        if check_link(publisher) is None:
            yield Statement(f"{ELI}publisher", escape_controls(publisher))
        else:
            yield _state_iri(f"{ELI}publisher_agent", publisher)
    licences = [licence for licence in record.licenses if check_link(licence) is not None]
    is_own = is_format(record.name) and len(licences) == 1
    term = f"{ELI}licence" if is_own else f"{DCTERMS}license"
    yield from (_state_iri(term, licence) for licence in licences)


def _link_below(view: FamilyView, name: Name) -> Iterator[Statement]:
    """Yield links to the names directly below, and from a format to its copies."""
    for child in view.children(name):
        if terms := _find_link_terms(name, child):
            yield _state_iri(terms[0], child.iri)
    if name.level is Level.MANIFESTATION:
        for item in view.record(name).items:
            if check_link(item.url) is not None:
                yield _state_iri(f"{ELI}is_exemplified_by", item.url)
