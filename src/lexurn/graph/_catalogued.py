"""The catalogued layer: what a publisher states, the columns of a manifest (and back)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from lexurn.graph import _vocabulary as v
from lexurn.graph._terms import (
    absolute_iri,
    decimal,
    is_absolute_iri,
    literal,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.model import Item, Record

__all__ = ["AGENTS", "DAYS", "LINKS", "NAMES", "catalogued_tails", "item_tails"]

DAYS = {
    "issued": v.ISSUED,
    "published": v.AVAILABLE,
    "modified": v.MODIFIED,
    "in_force_from": v.IN_FORCE_FROM,
    "in_force_until": v.IN_FORCE_UNTIL,
    "withdrawn_on": v.WITHDRAWN_ON,
}
"""Fields of a record that hold a day, and the property of each."""

NAMES = {"also_named": v.ALIAS, "amended_by": v.AMENDED_BY}
"""Fields of a record that hold names, and the property of each."""

LINKS = {"pages": v.PAGE, "licenses": v.LICENSE}
"""Fields of a record that hold IRIs only, and the property of each."""

AGENTS = {
    "publishers": (v.PUBLISHER, v.PUBLISHER_NAME),
    "creators": (v.CREATOR, v.CREATOR_NAME),
    "subjects": (v.SUBJECT, v.SUBJECT_NAME),
}
"""Fields of a record that hold IRIs or texts, and the property of the ones and of the others."""

_OPAQUE_SCHEMES = ("urn:", "did:", "mailto:", "tel:", "tag:", "info:", "doi:")


# Rows come in hundreds of thousands, and most of their columns are empty.
_days_of = attrgetter(*DAYS)
_names_of = attrgetter(*NAMES)
_links_of = attrgetter(*LINKS)
_agents_of = attrgetter(*AGENTS)


def catalogued_tails(record: Record) -> list[str]:
    """What is stated of a record's node.

    Raises:
        GraphError: a value that no graph can hold, for example a URL that is no IRI.
    """
    tails = [f"{v.TITLE} {literal(each.value, each.language)}" for each in record.titles]
    if record.alias_of is not None:
        tails.append(f"{v.SAME_AS} <{record.alias_of.iri}>")
    if record.dialect_names:
        tails += [f"{v.DIALECT_NAME} {quoted(text)}" for text in record.dialect_names]
    if record.version_order is not None:
        tails.append(f"{v.VERSION_ORDER} {decimal(record.version_order, v.XSD_INTEGER)}")
    if record.status is not None:
        tails.append(f"{v.STATUS} {v.WITHDRAWN}")
    for predicate, day in zip(DAYS.values(), _days_of(record), strict=True):
        if day is not None:
            tails.append(f'{predicate} "{day.isoformat()}"^^{v.XSD_DATE}')
    return tails + _links(record) + _agents(record)


def _links(record: Record) -> list[str]:
    tails: list[str] = []
    for predicate, names in zip(NAMES.values(), _names_of(record), strict=True):
        tails += [f"{predicate} <{name.iri}>" for name in names]
    if record.items:
        what = f"{record.name}: url"
        tails += [f"{v.ITEM} {absolute_iri(item.url, what=what)}" for item in record.items]
    for field, links in zip(LINKS, _links_of(record), strict=True):
        if links:
            what = f"{record.name}: {field}"
            tails += [f"{LINKS[field]} {absolute_iri(link, what=what)}" for link in links]
    return tails


def _agents(record: Record) -> list[str]:
    return [
        f"{linking} <{value}>" if _means_iri(value) else f"{naming} {quoted(value)}"
        for (linking, naming), values in zip(AGENTS.values(), _agents_of(record), strict=True)
        for value in values
    ]


def _means_iri(value: str) -> bool:
    """Whether a value is meant as an IRI: ``Umwelt:Wasser`` is a text, though its syntax fits."""
    meant = "://" in value or value.lower().startswith(_OPAQUE_SCHEMES)
    return meant and is_absolute_iri(value)


def item_tails(item: Item) -> Iterator[tuple[str, str]]:
    """What is stated of a copy: nodes (the URL, its checksum), each with a tail."""
    node = f"<{item.url}>"
    yield node, f"{v.TYPE} {v.ITEM_CLASS}"
    yield node, f"{v.TYPE} {v.FRBR_ITEM}"
    if item.bytes is not None:
        yield node, f"{v.BYTE_SIZE} {decimal(item.bytes, v.XSD_NON_NEGATIVE_INTEGER)}"
    if item.sha256 is not None:
        checksum = absolute_iri(f"urn:sha256:{item.sha256}", what=f"{item.url}: sha256")
        yield node, f"{v.CHECKSUM} {checksum}"
        yield checksum, f"{v.TYPE} {v.CHECKSUM_CLASS}"
        yield checksum, f"{v.ALGORITHM} {v.SHA256}"
        yield checksum, f'{v.CHECKSUM_VALUE} "{item.sha256}"^^{v.XSD_HEX_BINARY}'
