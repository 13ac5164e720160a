"""Decoded layer: statements of a name itself, each on the node whose part of the name it is.

The *properties* of a node are texts: predicate and object, as N-Triples has them.
The texts of a name are canonical, so that they hold nothing that N-Triples escapes.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn import vocabulary as v

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.name import (
        Authority,
        Date,
        Details,
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        Measure,
        Name,
    )

Properties = tuple[str, ...]

_MANIFESTATION = (v.MANIFESTATION_CLASS, v.FRBR_MANIFESTATION)


class NameKind(Enum):
    """Kind of a named thing: types of its node, links up and down, mark behind its parent."""

    ACT = ((v.WORK, v.FRBR_WORK), (), (), "")
    ANNEX = ((v.WORK, v.FRBR_WORK, v.ANNEX_CLASS), (v.ANNEX_OF, v.PART_OF), (v.ANNEX, v.PART), ":")
    EXPRESSION = ((v.EXPRESSION, v.FRBR_EXPRESSION), (v.REALIZATION_OF,), (v.REALIZATION,), "@")
    EMBODIMENT = (_MANIFESTATION, (v.EMBODIMENT_OF,), (v.EMBODIMENT,), "$")
    WORK_MANIFESTATION = (_MANIFESTATION, (v.MANIFESTATION_OF,), (v.MANIFESTATION,), "$")
    PARTITION = ((v.PARTITION,), (v.IS_PART_OF,), (v.HAS_PART,), "~")

    def __init__(self, types: Properties, up: Properties, down: Properties, mark: str) -> None:
        self.types: Properties = tuple(f"{v.TYPE} {each}" for each in types)
        self.up: Properties = up
        self.down: Properties = down
        self.embodies: bool = types[0] == v.MANIFESTATION_CLASS
        self._mark = mark

    def parent(self, text: str) -> str:
        """Return the canonical text of the name above, ``""`` for an act (see ``Name.parent``)."""
        if self is NameKind.PARTITION:
            document, mark, partition = text.partition("~")
            shorter = partition.rpartition(";")[0]
            return f"{document}{mark}{shorter}" if shorter else document
        return text.rpartition(self._mark)[0] if self._mark else ""


NAME_CLASSES = frozenset(each.partition(" ")[2] for kind in NameKind for each in kind.types)
"""Classes of nodes that are names."""

DECODED_PROPERTIES = frozenset(
    {
        *(v.TYPE, v.IDENTIFIER, *(link for kind in NameKind for link in kind.up)),
        *(v.JURISDICTION_CODE, v.JURISDICTION_UNIT, v.AUTHORITY, v.ISSUER),
        *(v.MEASURE_TYPE, v.MEASURE_SPECIFICATION, v.DATE, v.LOCAL_DATE, v.PERIOD, v.NUMBER),
        *(v.ANNEX_ID, v.ANNEX_SPECIFICATION, v.PARTITION_ID),
        *(v.VERSION_DATE, v.VERSION_LABEL, v.EVENT_DATE, v.EVENT),
        *(v.LANGUAGE_TAG, v.LANGUAGE_AUTHORITY),
        *(v.EDITOR, v.EDITOR_SPECIFICATION, v.MEDIA_TYPE, v.FORMAT_SPECIFICATION),
        *(v.COMPONENT, v.COMPONENT_SPECIFICATION, v.FEATURE, v.FEATURE_SPECIFICATION),
    }
)
"""Properties of names in the decoded layer."""


def classify_name(name: Name) -> NameKind:
    """Return the kind of the thing that a name names."""
    if name.partition is not None:
        return NameKind.PARTITION
    if name.manifestation is not None:
        return NameKind.WORK_MANIFESTATION if name.expression is None else NameKind.EMBODIMENT
    if name.expression is not None:
        return NameKind.EXPRESSION
    return NameKind.ANNEX if name.work.annexes else NameKind.ACT


def decode_name(name: Name) -> list[str]:
    """List the properties that a name itself gives, predicate and object as N-Triples writes them.

    The link to its parent is not among them, since it depends on what else is known.
    """
    kind = classify_name(name)
    properties = [*kind.types, f'{v.IDENTIFIER} "{name}"']
    if kind is NameKind.ACT:
        properties += _decode_issuing(name.jurisdiction, name.work.authority, name.work.measure)
        properties += _decode_details(name.work.details)
    elif kind is NameKind.EXPRESSION and name.expression is not None:
        properties += _decode_expression(name.expression)
    elif kind is NameKind.PARTITION:
        properties.append(f'{v.PARTITION_ID} "{name.partition}"')
    elif name.manifestation is not None:
        properties += _decode_manifestation(name.manifestation)
    else:
        annex = name.work.annexes[-1]
        properties.append(f'{v.ANNEX_ID} "{annex.id}"')
        properties += _list_texts(v.ANNEX_SPECIFICATION, annex.specifications)
    return list(dict.fromkeys(properties))


def _list_texts(predicate: str, values: Iterable[object]) -> Properties:
    return tuple(f'{predicate} "{value}"' for value in values)


@lru_cache(maxsize=4096)
def _decode_issuing(
    jurisdiction: Jurisdiction, authority: Authority, measure: Measure
) -> Properties:
    """Decode jurisdiction, authority and measure: many acts share them."""
    return (
        f'{v.JURISDICTION_CODE} "{jurisdiction.code}"',
        *_list_texts(v.JURISDICTION_UNIT, jurisdiction.units),
        f'{v.AUTHORITY} "{authority}"',
        *_list_texts(v.ISSUER, authority.issuers),
        f'{v.MEASURE_TYPE} "{measure.type}"',
        *_list_texts(v.MEASURE_SPECIFICATION, measure.specifications),
    )


def _decode_details(details: Details) -> Properties:
    period = () if details.period is None else (details.period,)
    dates = (each for date in details.dates for each in _decode_date(v.DATE, date))
    return (*dates, *_list_texts(v.PERIOD, period), *_list_texts(v.NUMBER, details.numbers))


def _decode_date(predicate: str, date: Date) -> Properties:
    """Decode a date; one that is not a day of the calendar stays a plain text."""
    day = f'{predicate} "{date.iso}"'
    if date.day is not None:
        day = f"{day}^^{v.XSD_DATE}"
    return (day, f'{v.LOCAL_DATE} "{date.local}"') if date.local else (day,)


@lru_cache(maxsize=4096)
def _decode_expression(expression: ExpressionIdentifier) -> Properties:
    version = expression.version
    properties = () if version.date is None else _decode_date(v.VERSION_DATE, version.date)
    if version.specification is not None:
        properties += (f'{v.VERSION_LABEL} "{version.specification}"',)
    for event in version.events:
        named = () if event.event is None else (f'{v.EVENT} "{event.event}"',)
        properties += named if event.date is None else _decode_date(v.EVENT_DATE, event.date)
    if expression.language is not None:
        properties += _decode_language(expression.language)
    return properties


@lru_cache(maxsize=1024)
def _decode_language(tag: str) -> Properties:
    """Decode a tag; add the IRI of the language where the Publications Office of the EU has one."""
    code = data.load_table("languages")["authority"].get(tag.partition("-")[0])
    authority = () if code is None else (f"{v.LANGUAGE_AUTHORITY} <{v.LANGUAGE}{code}>",)
    return (f'{v.LANGUAGE_TAG} "{tag}"^^{v.XSD_LANGUAGE}', *authority)


@lru_cache(maxsize=4096)
def _decode_manifestation(manifestation: ManifestationIdentifier) -> Properties:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    properties = (
        f'{v.EDITOR} "{editor.publisher}"',
        *_list_texts(v.EDITOR_SPECIFICATION, editor.specifications),
        f'{v.MEDIA_TYPE} "{form.mime}"',
        *_list_texts(v.FORMAT_SPECIFICATION, form.specifications),
    )
    if component is not None:
        properties += (f'{v.COMPONENT} "{component.part}"',)
        properties += _list_texts(v.COMPONENT_SPECIFICATION, component.specifications)
    if feature is not None:
        properties += (f'{v.FEATURE} "{feature.attribute}"',)
        properties += _list_texts(v.FEATURE_SPECIFICATION, feature.specifications)
    return properties
