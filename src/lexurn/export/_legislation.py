"""The block of schema.org ``Legislation`` in JSON-LD (``ontology/mappings/schema-org.ttl``)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lexurn.export._eli import last_day
from lexurn.export._words import media_type, readable, safe_link, unbroken
from lexurn.name import Level

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from lexurn.export._view import View
    from lexurn.model import LanguageText, Record
    from lexurn.name import Name

__all__ = ["Json", "legislation_of", "script_text"]

Json = dict[str, object]

# Inside a script element only these could end it or open another; JSON reads the escapes back.
_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def script_text(block: Json, *, is_ascii: bool = False) -> str:
    """JSON for a script element, a fact a line: no character in it can end the element."""
    facts = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=is_ascii)}"
        for key, value in block.items()
    )
    text = f"{{\n{facts}\n}}"
    return text.encode("utf-8", "backslashreplace").decode().translate(_ESCAPES)


def legislation_of(view: View, name: Name) -> Json:
    """What schema.org can say of a name; absent facts have no key."""
    record = view.record(name)
    file = name.level is Level.MANIFESTATION and name.partition is None
    block: Json = {
        "@context": "https://schema.org",
        "@type": "LegislationObject" if file else "Legislation",
        "@id": name.iri,
        "url": None if view.base is None else view.served(name),
        "legislationIdentifier": str(name),
        "name": _one_or_all([_text(title) for title in view.titles(name)]),
        **_act(name),
        **_version(view, name),
        **_force(view, record),
        "datePublished": _iso(record.published),
        "dateModified": _iso(record.modified),
        **_people(record),
        "sameAs": _one_or_all([each.iri for each in view.equals(name) if each != name]),
        **_links(view, name),
        "encoding": None if file else _one_or_all(_files(view, name)),
        **(_copies(record, is_whole=not view.is_lasting) if file else {}),
    }
    return {key: value for key, value in block.items() if value is not None}


def _text(title: LanguageText) -> object:
    value = unbroken(title.value)
    return value if title.language is None else {"@value": value, "@language": title.language}


def _one_or_all(values: Sequence[object]) -> object:
    """None for nothing, the value for one, a list for several."""
    return values if len(values) > 1 else next(iter(values), None)


def _iso(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()


def _act(name: Name) -> Json:
    """What the name says of the act itself: only on the act, not on what is under it."""
    if name.level is not Level.WORK or name.partition is not None or name.work.annexes:
        return {}
    days = [date.day.isoformat() for date in name.work.details.dates if date.day is not None]
    issuers = [
        ", ".join(map(readable, (issuer.institution, *issuer.functions)))
        for issuer in name.work.authority.issuers
    ]
    return {
        "legislationType": readable(name.work.measure.type),
        "legislationDate": _one_or_all(days),
        "legislationJurisdiction": str(name.jurisdiction),
        "legislationPassedBy": _one_or_all(issuers),
    }


def _version(view: View, name: Name) -> Json:
    if name.expression is None:
        tags = [chain.language for chain in view.chains(name) if chain.language is not None]
        return {"inLanguage": _one_or_all(tags)}
    return {
        "inLanguage": name.expression.language,
        "legislationDateVersion": _iso(view.version_day(name)),
    }


def _force(view: View, record: Record) -> Json:
    """The days in force as stated, the last one inclusive, and whether that is so now."""
    start, until = record.in_force_from, record.in_force_until
    end = None if until is None else last_day(until)
    coverage = None
    if start is not None or end is not None:
        coverage = f"{_iso(start) or '..'}/{_iso(end) or '..'}"
    in_force = _is_in_force(view, record)
    words = {True: "https://schema.org/InForce", False: "https://schema.org/NotInForce", None: None}
    return {"temporalCoverage": coverage, "legislationLegalForce": words[in_force]}


def _is_in_force(view: View, record: Record) -> bool | None:
    """Whether a work or a version is in force on the day; None where nothing says."""
    name, day = record.name, view.as_of
    if view.is_lasting or name.partition is not None or name.level is Level.MANIFESTATION:
        return None
    place = view.place(name)
    if place is not None:
        known = place.version.start is not None
        return place.chain.current(day).version == place.version.name if known else None
    start, until = record.in_force_from, record.in_force_until
    if start is None and until is None:
        chains = view.chains(name)
        known = any(version.start for chain in chains for version in chain.versions)
        return any(chain.current(day).version for chain in chains) if known else None
    return (start is None or start <= day) and (until is None or day < until)


def _people(record: Record) -> Json:
    def things(values: tuple[str, ...]) -> object:
        return _one_or_all([{"@id": value} if safe_link(value) else value for value in values])

    return {
        "publisher": things(record.publishers),
        "creator": things(record.creators),
        "about": things(record.subjects),
        "license": _one_or_all([url for url in record.licenses if safe_link(url)]),
    }


def _links(view: View, name: Name) -> Json:
    """What the name is a version, a file or a part of, and what is under it."""
    parent, children = name.parent, view.children(name)
    part = name.partition is not None or name.level is Level.WORK
    up = "isPartOf" if part else "exampleOfWork"
    if name.level is Level.MANIFESTATION and not part:
        up = "encodesCreativeWork"
    versions = [child for child in children if child.level is Level.EXPRESSION]
    parts = [child for child in children if child.level is Level.WORK]
    if name.level is not Level.WORK or name.partition is not None:
        versions, parts = [], [child for child in children if child.partition is not None]
    return {
        up: None if parent is None else _reference(parent),
        "workExample": _one_or_all([_reference(child) for child in versions]),
        "hasPart": _one_or_all([_reference(child) for child in parts]),
    }


def _reference(name: Name) -> Json:
    file = name.level is Level.MANIFESTATION and name.partition is None
    return {"@type": "LegislationObject" if file else "Legislation", "@id": name.iri}


def _files(view: View, name: Name) -> list[Json]:
    """The files of a work or version: those that have a name, and copies of no known form."""
    if view.is_lasting or name.partition is not None:
        return []
    forms = [
        child
        for child in view.children(name)
        if child.level is Level.MANIFESTATION and child.partition is None
    ]
    named = [{**_reference(form), **_copies(view.record(form)), **_format(form)} for form in forms]
    loose = _copies(view.record(name))
    return [*named, {"@type": "LegislationObject", **loose}] if loose else named


def _format(name: Name) -> Json:
    form = name.manifestation
    return {} if form is None else {"encodingFormat": media_type(form.format.mime)}


def _copies(record: Record, *, is_whole: bool = True) -> Json:
    """The copies that a row names; size and digest are those of its only copy.

    In a copy itself they are left out, since to write them there would change them.
    """
    items = [item for item in record.items if safe_link(item.url)]
    facts = _format(record.name) if record.name.partition is None else {}
    if not items:
        return facts
    facts["contentUrl"] = _one_or_all([item.url for item in items])
    if is_whole and len(items) == 1:
        size, digest = items[0].bytes, items[0].sha256
        facts |= {} if size is None else {"contentSize": str(size)}
        facts |= {} if digest is None else {"sha256": digest}
    return facts
