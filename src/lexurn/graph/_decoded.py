"""The decoded layer: what a name itself says, each thing on the node whose part of the name it is.

What is said of a node is a list of *tails*: texts of predicate and object, as N-Triples has them.
The texts of a name are canonical, so that they hold nothing that N-Triples escapes.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.graph import _vocabulary as v

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.name import (
        Annex,
        Authority,
        Date,
        Details,
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        Measure,
        Name,
    )

__all__ = ["Kind", "decoded_of", "decoded_tails", "kind_of"]

Tails = tuple[str, ...]


class Kind(Enum):
    """What a name names: types of the node, links up, links down to it, mark behind its parent."""

    ACT = ((v.WORK, v.FRBR_WORK), (), (), "")
    ANNEX = (
        (v.WORK, v.FRBR_WORK, v.ANNEX_CLASS),
        (v.ANNEX_OF, v.PART_OF),
        (v.ANNEX, v.PART),
        ":",
    )
    EXPRESSION = ((v.EXPRESSION, v.FRBR_EXPRESSION), (v.REALIZATION_OF,), (v.REALIZATION,), "@")
    EMBODIMENT = (
        (v.MANIFESTATION_CLASS, v.FRBR_MANIFESTATION),
        (v.EMBODIMENT_OF,),
        (v.EMBODIMENT,),
        "$",
    )
    WORK_MANIFESTATION = (
        (v.MANIFESTATION_CLASS, v.FRBR_MANIFESTATION),
        (v.MANIFESTATION_OF,),
        (v.MANIFESTATION,),
        "$",
    )
    PARTITION = ((v.PARTITION,), (v.IS_PART_OF,), (v.HAS_PART,), "~")

    def __init__(self, types: Tails, up: Tails, down: Tails, mark: str) -> None:
        self.types: Tails = tuple(f"{v.TYPE} {each}" for each in types)
        self.up: Tails = up
        self.down: Tails = down
        self.embodies: bool = types[0] == v.MANIFESTATION_CLASS
        self._mark = mark

    def parent(self, text: str) -> str:
        """The canonical text of the name above, ``""`` for an act (see ``Name.parent``)."""
        if self is Kind.PARTITION:
            document, mark, partition = text.partition("~")
            shorter = partition.rpartition(";")[0]
            return f"{document}{mark}{shorter}" if shorter else document
        return text.rpartition(self._mark)[0] if self._mark else ""


def kind_of(name: Name) -> Kind:
    """What a name names."""
    if name.partition is not None:
        return Kind.PARTITION
    if name.manifestation is not None:
        return Kind.WORK_MANIFESTATION if name.expression is None else Kind.EMBODIMENT
    if name.expression is not None:
        return Kind.EXPRESSION
    return Kind.ANNEX if name.work.annexes else Kind.ACT


def decoded_tails(name: Name, kind: Kind) -> list[str]:
    """What a name says itself, but for the link to what stands above it; nothing twice."""
    tails = [*kind.types, f'{v.IDENTIFIER} "{name}"']
    if kind is Kind.ACT:
        tails += _issuing(name.jurisdiction, name.work.authority, name.work.measure)
        tails += _details(name.work.details)
    elif kind is Kind.EXPRESSION and name.expression is not None:
        tails += _expression(name.expression)
    elif kind is Kind.PARTITION:
        tails.append(f'{v.PARTITION_ID} "{name.partition}"')
    elif name.manifestation is not None:
        tails += _manifestation(name.manifestation)
    else:
        tails += _annex(name.work.annexes[-1])
    return list(dict.fromkeys(tails))


def decoded_of(name: Name) -> list[str]:
    """What a name says itself, predicate and object as N-Triples writes them.

    The link to what stands above it is not among them, since it depends on what else is known.
    """
    return decoded_tails(name, kind_of(name))


def _texts(predicate: str, values: Iterable[object]) -> Tails:
    return tuple(f'{predicate} "{value}"' for value in values)


@lru_cache(maxsize=4096)
def _issuing(jurisdiction: Jurisdiction, authority: Authority, measure: Measure) -> Tails:
    """Jurisdiction, authority and measure: many acts share them."""
    return (
        f'{v.JURISDICTION_CODE} "{jurisdiction.code}"',
        *_texts(v.JURISDICTION_UNIT, jurisdiction.units),
        f'{v.AUTHORITY} "{authority}"',
        *_texts(v.ISSUER, authority.issuers),
        f'{v.MEASURE_TYPE} "{measure.type}"',
        *_texts(v.MEASURE_SPECIFICATION, measure.specifications),
    )


def _details(details: Details) -> Tails:
    period = () if details.period is None else (details.period,)
    dates = (tail for date in details.dates for tail in _date(v.DATE, date))
    return (*dates, *_texts(v.PERIOD, period), *_texts(v.NUMBER, details.numbers))


def _date(predicate: str, date: Date) -> Tails:
    """A date; one that is no day of the calendar stays a plain text."""
    day = f'{predicate} "{date.iso}"'
    if date.day is not None:
        day = f"{day}^^{v.XSD_DATE}"
    return (day, f'{v.LOCAL_DATE} "{date.local}"') if date.local else (day,)


def _annex(annex: Annex) -> Tails:
    return (
        f'{v.ANNEX_ID} "{annex.id}"',
        *_texts(v.ANNEX_SPECIFICATION, annex.specifications),
    )


@lru_cache(maxsize=4096)
def _expression(expression: ExpressionIdentifier) -> Tails:
    version = expression.version
    tails = () if version.date is None else _date(v.VERSION_DATE, version.date)
    if version.specification is not None:
        tails += (f'{v.VERSION_LABEL} "{version.specification}"',)
    for event in version.events:
        named = () if event.event is None else (f'{v.EVENT} "{event.event}"',)
        tails += named if event.date is None else _date(v.EVENT_DATE, event.date)
    return tails if expression.language is None else tails + _language(expression.language)


@lru_cache(maxsize=1024)
def _language(tag: str) -> Tails:
    """The tag, and the language as an IRI where the Publications Office of the EU has one."""
    code = _language_codes().get(tag.partition("-")[0])
    authority = () if code is None else (f"{v.LANGUAGE_AUTHORITY} <{v.LANGUAGE}{code}>",)
    return (f'{v.LANGUAGE_TAG} "{tag}"^^{v.XSD_LANGUAGE}', *authority)


@cache
def _language_codes() -> dict[str, str]:
    codes: dict[str, str] = data.table("languages")["authority"]
    return codes


@lru_cache(maxsize=4096)
def _manifestation(manifestation: ManifestationIdentifier) -> Tails:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    tails = (
        f'{v.EDITOR} "{editor.publisher}"',
        *_texts(v.EDITOR_SPECIFICATION, editor.specifications),
        f'{v.MEDIA_TYPE} "{form.mime}"',
        *_texts(v.FORMAT_SPECIFICATION, form.specifications),
    )
    if component is not None:
        tails += (f'{v.COMPONENT} "{component.part}"',)
        tails += _texts(v.COMPONENT_SPECIFICATION, component.specifications)
    if feature is not None:
        tails += (f'{v.FEATURE} "{feature.attribute}"',)
        tails += _texts(v.FEATURE_SPECIFICATION, feature.specifications)
    return tails
