"""Schema.org ``Legislation`` in JSON-LD (``ontology/mappings/schema-org.ttl``)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from lexurn.name import Level
from lexurn.pages.eli import FORCES
from lexurn.pages.text import check_link, decode_media_type, decode_part, replace_line_breaks
from lexurn.pages.view import find_last_day, is_format, list_legal_authors
from lexurn.vocabulary import SCHEMA

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.view import FamilyView

JsonObject = dict[str, object]

_ENCODER, _ASCII_ENCODER = json.JSONEncoder(ensure_ascii=False), json.JSONEncoder()

# Inside a script element only these could end it or open another; JSON decodes the escapes.
_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_ESCAPED = re.compile("[<>&\u2028\u2029]")


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
