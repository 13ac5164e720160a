"""Statements about a name in other vocabularies: ELI and schema.org.

ELI is its ontology 1.5 (``mappings/eli.ttl``). Each property stands where its domain in the
ontology allows: titles on expressions, parts on works, a licence on formats. Other names have the
property of Dublin Core instead. Schema.org's ``Legislation`` is in JSON-LD
(``ontology/mappings/schema-org.ttl``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

from lexurn import data
from lexurn.lazy import compile_late
from lexurn.model import LegalForce
from lexurn.name import Level
from lexurn.pages.text import (
    check_link,
    decode_media_type,
    decode_part,
    decode_valid_media_type,
    escape_controls,
    replace_line_breaks,
)
from lexurn.pages.view import find_last_day, is_format, list_legal_authors
from lexurn.registry import REGISTRY_BASE, load_registry
from lexurn.vocabulary import DC, DCTERMS, ELI, ELI_MEDIA_TYPES, LANGUAGE, RDF, SCHEMA, XSD

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView
    from lexurn.registry import Entry, Lexicon


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

_WORKS = ("LegalResource", "LegalResourceSubdivision")
_TERMS = {
    "id_local": ((*_WORKS, "LegalExpression", "Format"), f"{DCTERMS}identifier"),
    "title": (("LegalExpression",), f"{DCTERMS}title"),
    "publisher": (("LegalExpression", "Format"), f"{DC}publisher"),
    "publisher_agent": (("LegalExpression", "Format"), f"{DCTERMS}publisher"),
    "licence": (("Format",), f"{DCTERMS}license"),
    "is_about": (_WORKS, f"{DCTERMS}subject"),
}
"""Properties of ELI: the classes that have them, and the property of all others."""


_ONE_VALUE = {
    f"{ELI}date_document": f"{DCTERMS}date",
    f"{ELI}date_publication": f"{DCTERMS}available",
    f"{ELI}licence": f"{DCTERMS}license",
}
"""Properties that ELI allows one value, and what an alias has instead.

An alias is the same thing as its canonical name, but its date and its record may differ.
"""


class Statement(NamedTuple):
    """Statement: a property of a subject, and an IRI or a text as its value.

    Attributes:
        term: the IRI of the property.
        value: the IRI or the text.
        is_iri: whether the value is an IRI.
        language: the language of a text, where known.
        datatype: the IRI of the datatype of a text, None for a plain one.
        about: the IRI of the subject, None for the name itself.
    """

    term: str
    value: str
    is_iri: bool = False
    language: str | None = None
    datatype: str | None = None
    about: str | None = None


def _state_iri(term: str, iri: str, about: str | None = None) -> Statement:
    return Statement(term, iri, is_iri=True, about=about)


def _state_day(term: str, day: dt.date) -> Statement:
    return Statement(term, day.isoformat(), datatype=f"{XSD}date")


def list_eli_statements(view: FamilyView, name: Name) -> Iterator[Statement]:
    """Yield the statements about the name itself, and about formats of it that have no name."""
    is_alias = view.family.canonical(name) != name
    for each in _list_statements(view, name):
        yield each._replace(term=_ONE_VALUE.get(each.term, each.term)) if is_alias else each


def _list_statements(view: FamilyView, name: Name) -> Iterator[Statement]:
    kind = _choose_class(name)
    if kind is not None:
        yield _state_iri(f"{RDF}type", f"{ELI}{kind}")
    yield Statement(_choose_term(kind, "id_local"), str(name))
    for title in view.titles(name):
        term = _choose_term(kind, "title")
        yield Statement(term, escape_controls(title.value), language=title.language)
    parent = name.parent
    if parent is not None and (terms := _find_link_terms(parent, name)):
        yield _state_iri(terms[1], view.rdf_iri(view.family.canonical(parent)))
    if kind == "LegalResource" and not name.work.annexes:
        yield from _state_act(name)
    if kind == "LegalExpression":
        yield from _state_version(view, name)
    if kind == "Format" and name.manifestation is not None:
        media_type = quote(decode_media_type(name.manifestation.format.mime), safe="/+")
        yield _state_iri(f"{ELI}format", ELI_MEDIA_TYPES + media_type)
    yield from _state_record(view, name, kind)
    if name.partition is None:
        yield from _link_below(view, name)


def _choose_class(name: Name) -> str | None:
    """Return the class of a name in ELI; it has none for the parts of a version or a file.

    A format of ELI has exactly one type, so a file whose type is not known is a manifestation.
    """
    if name.level is Level.WORK:
        return "LegalResource" if name.partition is None else "LegalResourceSubdivision"
    if name.partition is not None:
        return None
    if name.manifestation is None:
        return "LegalExpression"
    is_known = decode_valid_media_type(name.manifestation.format.mime) is not None
    return "Format" if is_known else "Manifestation"


def _choose_term(kind: str | None, local: str) -> str:
    classes, other = _TERMS[local]
    return f"{ELI}{local}" if kind in classes else other


def _find_link_terms(parent: Name, child: Name) -> tuple[str, str] | None:
    return _LINK_TERMS.get((parent.level, child.level if child.partition is None else "part"))


def _state_act(name: Name) -> Iterator[Statement]:
    """Yield the values of the parts of an act's name, and what the registry has for them.

    ELI has one date of an act; several are dates of Dublin Core.
    """
    days = [date.day for date in name.work.details.dates if date.day is not None]
    term = f"{ELI}date_document" if len(days) == 1 else f"{DCTERMS}date"
    yield from (_state_day(term, day) for day in days)
    for number in name.work.details.numbers:
        yield Statement(f"{ELI}number", number)
    code, units, measure = name.jurisdiction.code, name.jurisdiction.units, name.work.measure
    law, day = load_registry().law(code), max(days, default=None)
    kinds = (_find_entry(law.measures, each, day) for each in (str(measure), measure.type))
    found = [
        ("type_document", next((each.iri for each in kinds if each), None)),
        *(("passed_by", iri) for iri in list_author_concepts(name)),
    ]
    places = data.load_table("jurisdiction_concepts")
    if units:
        unit = _find_entry(law.units, ";".join(units), day)
        found.append(("jurisdiction", None if unit is None else unit.iri))
    elif code in places["labels"] and code not in places["organisations"]:
        found.append(("jurisdiction", f"{REGISTRY_BASE}jurisdictions/{code}"))
    yield from (_state_iri(f"{ELI}{term}", iri) for term, iri in found if iri is not None)


def list_author_concepts(name: Name) -> tuple[str, ...]:
    """Return the concepts of the issuers that have passed an act, where the registry has them."""
    # The registry has no issuers of a region or a town, only what all of them are called.
    if name.jurisdiction.units:
        return ()
    authorities = load_registry().law(name.jurisdiction.code).authorities
    day = max((date.day for date in name.work.details.dates if date.day), default=None)
    found = (_find_entry(authorities, str(each), day) for each in list_legal_authors(name))
    return tuple(each.iri for each in found if each is not None)


def _find_entry(lexicon: Lexicon, notation: str, day: dt.date | None) -> Entry | None:
    """Return the entry that a notation names itself, if it was valid on the day.

    Other entries with the notation are narrower: a ``legge.regionale`` is a ``legge`` in names.
    """
    text = "" if day is None else day.isoformat()
    for entry in lexicon.by_notation(notation):
        start, until = entry.valid_from, entry.valid_until
        is_valid = (start is None or start <= text) and (until is None or "" < text < until)
        if is_valid and entry.iri.endswith(f"/{notation.replace(';', '_')}"):
            return entry
    return None


def _state_version(view: FamilyView, name: Name) -> Iterator[Statement]:
    start, _ = view.find_stated_force(name)
    date = name.expression.version.date if name.expression else None
    if start is not None:
        yield _state_day(f"{ELI}version_date", start)
    elif date is not None and date.day is not None:
        # ELI's date is a day on which the version is valid, which the date in a name may not be.
        yield _state_day(f"{DCTERMS}date", date.day)
    codes: dict[str, str] = data.load_table("languages")["authority"]
    tag = name.expression.language if name.expression else None
    code = codes.get((tag or "").partition("-")[0])
    if code is not None:
        yield _state_iri(f"{ELI}language", f"{LANGUAGE}{code}")


def _state_record(view: FamilyView, name: Name, kind: str | None) -> Iterator[Statement]:
    """Yield the statements of the record: force, amending acts, publishers, licences, subjects."""
    record = view.record(name)
    if kind in _WORKS:
        yield from _state_force(view, name)
        if record.published is not None:
            yield _state_day(f"{ELI}date_publication", record.published)
        # The acts that made its versions have amended the act.
        versions = (each for chain in view.chains(name) for each in chain.versions)
        records = [record, *(view.record(each) for version in versions for each in version.names)]
        for amending in dict.fromkeys(each for one in records for each in one.amended_by):
            yield _state_iri(f"{ELI}amended_by", view.rdf_iri(amending))
    elif kind == "LegalExpression":
        yield from _state_force(view, name)
        for amending in record.amended_by:
            yield _state_iri(f"{ELI}consolidates", view.rdf_iri(amending))
    for publisher in record.publishers:
        if check_link(publisher) is None:
            yield Statement(_choose_term(kind, "publisher"), escape_controls(publisher))
        else:
            yield _state_iri(_choose_term(kind, "publisher_agent"), publisher)
    licences = [licence for licence in record.licenses if check_link(licence) is not None]
    # ELI allows one licence.
    term = _choose_term(kind if len(licences) == 1 else None, "licence")
    yield from (_state_iri(term, licence) for licence in licences)
    for subject in record.subjects:
        if check_link(subject) is not None:
            yield _state_iri(_choose_term(kind, "is_about"), subject)


FORCES = {
    LegalForce.IN_FORCE: "InForce",
    LegalForce.PARTLY_IN_FORCE: "PartiallyInForce",
    LegalForce.NOT_IN_FORCE: "NotInForce",
    LegalForce.REPEALED: "NotInForce",
}
"""States of force as schema.org names them; ELI begins them with a small letter."""


def _state_force(view: FamilyView, name: Name) -> Iterator[Statement]:
    start, until = view.find_stated_force(name)
    last, force = find_last_day(until), view.find_force(name)
    if start is not None:
        yield _state_day(f"{ELI}first_date_entry_in_force", start)
    if last is not None:
        yield _state_day(f"{ELI}date_no_longer_in_force", last)
    if force is not None:
        state = f"{FORCES[force][0].lower()}{FORCES[force][1:]}"
        yield _state_iri(f"{ELI}in_force", f"{ELI}InForce-{state}")


def _link_below(view: FamilyView, name: Name) -> Iterator[Statement]:
    """Yield links to the names directly below, and to copies.

    The names below an alias are below its canonical name, and stated there.
    """
    if view.family.canonical(name) == name:
        for child in view.children(name):
            if terms := _find_link_terms(name, child):
                yield _state_iri(terms[0], view.rdf_iri(child))
    urls = [item.url for item in view.record(name).items if check_link(item.url) is not None]
    if name.level is Level.MANIFESTATION:
        yield from (_state_iri(f"{ELI}is_exemplified_by", url) for url in urls)
    elif name.level is Level.EXPRESSION and not view.is_lasting:
        # The formats of copies that no name stands for, unless an extension has two of them.
        table, version = data.load_table("extensions"), view.rdf_iri(name)
        named = {
            each.manifestation.format.mime for each in view.formats(name) if each.manifestation
        }
        for url in urls:
            extension = urlsplit(url).path.rpartition(".")[2].lower()
            mime: str | None = table["formats"].get(extension)
            if mime is None or mime in named or extension in table["shared"].values():
                continue
            media_type = decode_media_type(mime)
            about = f"{version}#{media_type}"
            yield _state_iri(f"{ELI}is_embodied_by", about)
            yield _state_iri(f"{RDF}type", f"{ELI}Format", about)
            yield _state_iri(f"{ELI}format", ELI_MEDIA_TYPES + media_type, about)
            yield _state_iri(f"{ELI}embodies", version, about)
            yield _state_iri(f"{ELI}is_exemplified_by", url, about)


# --- schema.org -----------------------------------------------------------------------

JsonObject = dict[str, object]

_ENCODER, _ASCII_ENCODER = json.JSONEncoder(ensure_ascii=False), json.JSONEncoder()

# Inside a script element only these could end it or open another; JSON decodes the escapes.
_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_ESCAPED = compile_late("[<>&\u2028\u2029]")


def write_script(block: JsonObject, *, is_ascii: bool = False) -> str:
    """Write JSON for a script element, a fact a line: no character in it can end the element."""
    encode = (_ASCII_ENCODER if is_ascii else _ENCODER).encode
    facts = ",\n".join(f' "{key}": {encode(value)}' for key, value in block.items())
    text = f"{{\n{facts}\n}}".encode("utf-8", "backslashreplace").decode()
    return text.translate(_ESCAPES) if _ESCAPED.search(text) else text


def make_legislation(view: FamilyView, name: Name) -> JsonObject:
    """Make the ``Legislation`` of a name; absent facts have no key."""
    record, version = view.record(name), name.expression_name
    start = None if version is None else view.find_stated_force(version)[0]
    titles: list[object] = []
    for title in view.titles(name):
        text = replace_line_breaks(title.value)
        is_plain = title.language is None
        titles.append(text if is_plain else {"@value": text, "@language": title.language})
    if name.expression is not None:
        language: object = name.expression.language
    else:
        tags = [chain.language for chain in view.chains(name) if chain.language is not None]
        language = _unwrap_single(tags)
    changed = _write_day(record.modified)
    is_version = name.level is Level.EXPRESSION and name.partition is None
    made_by = record.amended_by if is_version else ()
    block: JsonObject = {
        "@context": "https://schema.org",
        **_refer_to(name),
        "url": None if view.base is None else view.page_url(name),
        "legislationIdentifier": str(name),
        "name": _unwrap_single(titles),
        **_describe_act(name),
        "inLanguage": language,
        "legislationDateVersion": _write_day(start),
        **_describe_force(view, name),
        "datePublished": _write_day(record.published),
        "publisher": _write_agents(record.publishers),
        "creator": _write_agents(record.creators),
        "about": _write_agents(record.subjects),
        "license": _unwrap_single([url for url in record.licenses if check_link(url)]),
        "sameAs": _unwrap_single([each.iri for each in view.same(name) if each != name]),
        **_describe_relations(view, name),
        "legislationConsolidates": _unwrap_single([_refer_to(each) for each in made_by]),
        # The last change of the record is not one of the law.
        "subjectOf": changed and {"@type": "CreativeWork", "dateModified": changed},
    }
    if is_format(name):
        block |= _describe_copies(record, is_whole=not view.is_lasting)
    elif not view.is_lasting and name.partition is None:
        # Its formats, and copies of unknown format.
        files = [
            {**_refer_to(child), **_describe_copies(view.record(child))}
            for child in view.formats(name)
        ]
        if copies := _describe_copies(record):
            files.append({"@type": "LegislationObject", **copies})
        block["encoding"] = _unwrap_single(files)
    return {key: value for key, value in block.items() if value is not None}


def _refer_to(name: Name) -> JsonObject:
    return {"@type": "LegislationObject" if is_format(name) else "Legislation", "@id": name.iri}


def _write_day(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()


def _write_agents(values: Sequence[str]) -> object:
    return _unwrap_single([{"@id": value} if check_link(value) else value for value in values])


def _unwrap_single(values: Sequence[object]) -> object:
    """Return None for no value, the value for one, and a list for several."""
    return values if len(values) > 1 else next(iter(values), None)


def _describe_act(name: Name) -> JsonObject:
    """Describe an act by the parts of its name; nothing for the names under it."""
    if name.level is not Level.WORK or name.partition is not None or name.work.annexes:
        return {}
    days = [date.day.isoformat() for date in name.work.details.dates if date.day is not None]
    issuers = [
        ", ".join(map(decode_part, (issuer.institution, *issuer.functions)))
        for issuer in list_legal_authors(name)
    ]
    return {
        "legislationType": decode_part(name.work.measure.type),
        "legislationDate": _unwrap_single(days),
        "legislationJurisdiction": str(name.jurisdiction),
        "legislationPassedBy": _unwrap_single(issuers),
    }


def _describe_force(view: FamilyView, name: Name) -> JsonObject:
    """Describe the stated days in force, the last one inclusive, and the force on the day.

    An interval without an end says that it lasts. So there is none for a version that a later one
    replaces, or in a document that is not written again, unless its end is stated.
    """
    start, until = view.find_stated_force(name)
    position, coverage = view.position(name), None
    is_replaced = position is not None and position.version.until is not None
    if until is not None or (start is not None and not is_replaced and not view.is_lasting):
        coverage = f"{_write_day(start) or '..'}/{_write_day(find_last_day(until)) or '..'}"
    force = view.find_force(name)
    return {
        "temporalCoverage": coverage,
        "legislationLegalForce": None if force is None else SCHEMA + FORCES[force],
    }


def _describe_relations(view: FamilyView, name: Name) -> JsonObject:
    """Describe what the name is a version, a format or a part of, and the names under it."""
    parent, children = name.parent, view.children(name)
    if name.partition is not None or name.level is Level.WORK:
        up = "isPartOf"
    else:
        up = "encodesCreativeWork" if name.level is Level.MANIFESTATION else "exampleOfWork"
    if name.level is Level.WORK and name.partition is None:
        versions = [child for child in children if child.level is Level.EXPRESSION]
        parts = [child for child in children if child.level is Level.WORK]
    else:
        versions, parts = [], [child for child in children if child.partition is not None]
    return {
        up: None if parent is None else _refer_to(parent),
        "workExample": _unwrap_single([_refer_to(child) for child in versions]),
        "hasPart": _unwrap_single([_refer_to(child) for child in parts]),
    }


def _describe_copies(record: Record, *, is_whole: bool = True) -> JsonObject:
    """Describe the copies of a record; size and digest only where there is one copy.

    In a copy itself they are left out, since to write them there would change them.
    """
    items = [item for item in record.items if check_link(item.url)]
    facts: JsonObject = {}
    if record.name.partition is None and record.name.manifestation is not None:
        facts["encodingFormat"] = decode_media_type(record.name.manifestation.format.mime)
    if items:
        facts["contentUrl"] = _unwrap_single([item.url for item in items])
    if is_whole and len(items) == 1:
        size, digest = items[0].bytes, items[0].sha256
        facts |= {} if size is None else {"contentSize": str(size)}
        facts |= {} if digest is None else {"sha256": digest}
    return facts
