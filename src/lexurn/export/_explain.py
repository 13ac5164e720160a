"""A name explained part by part, for people (the productions of RFC 9676 section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.export._words import (
    date_in_words,
    jurisdiction_in_words,
    language_in_words,
    media_type,
    partition_in_words,
    printable,
    readable,
)
from lexurn.model import is_original

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name import (
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        Name,
        WorkIdentifier,
    )

__all__ = ["Part", "explained"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a name and what it says.

    Attributes:
        label: what the part is, in words.
        value: the part as it stands in the name.
        meaning: what it says.
        section: the section of RFC 9676 that defines it.
    """

    label: str
    value: str
    meaning: str
    section: str


def explained(name: Name) -> tuple[Part, ...]:
    """All parts of a name, in the order in which they stand in it."""
    parts = [*_jurisdiction(name.jurisdiction), *_work(name.work)]
    if name.expression is not None:
        parts += _expression(name.expression)
    if name.manifestation is not None:
        parts += _manifestation(name.manifestation)
    if name.partition is not None:
        meaning = f"only this part of the text: {partition_in_words(name.partition)}"
        parts.append(_part("Partition", name.partition, meaning, "5.8"))
    return tuple(parts)


def _part(label: str, value: str, meaning: str, section: str) -> Part:
    return Part(label=label, value=value, meaning=meaning, section=section)


def _jurisdiction(jurisdiction: Jurisdiction) -> Iterator[Part]:
    meaning = f"law of {jurisdiction_in_words(jurisdiction.code)}"
    yield _part("Jurisdiction", jurisdiction.code, meaning, "2.1")
    for unit in jurisdiction.units:
        yield _part("Jurisdiction unit", unit, f"within it: {readable(unit)}", "2.1")


def _work(work: WorkIdentifier) -> Iterator[Part]:
    for issuer in work.authority.issuers:
        meaning = f"issued by {readable(issuer.institution)}"
        yield _part("Authority", issuer.institution, meaning, "6.1.3")
        for function in issuer.functions:
            yield _part("Body or function", function, f"within it: {readable(function)}", "6.1.5")
    yield _part(
        "Measure", work.measure.type, f"kind of act: {readable(work.measure.type)}", "6.2.1"
    )
    yield from _specifications(work.measure.specifications, "kind of act", "6.2.2")
    yield from _details(work)
    for annex in work.annexes:
        yield _part("Annex", annex.id, f"annexed to it: {readable(annex.id)}", "6.4.1")
        yield from _specifications(annex.specifications, "annex", "6.4.1")


def _details(work: WorkIdentifier) -> Iterator[Part]:
    for date in work.details.dates:
        yield _part("Date", str(date), f"dated {date_in_words(date)}", "6.3.1")
    if work.details.period is not None:
        meaning = f"instead of a date: {readable(work.details.period)}"
        yield _part("Period", work.details.period, meaning, "6.3.1")
    for number in work.details.numbers:
        meaning = f"number {printable(number)}"
        if work.details.is_lex_number:
            meaning = "a number given for naming alone, because the act has none"
        yield _part("Number", number, meaning, "6.3.3")


def _specifications(specifications: tuple[str, ...], of: str, section: str) -> Iterator[Part]:
    for specification in specifications:
        meaning = f"further detail of the {of}: {readable(specification)}"
        yield _part("Specification", specification, meaning, section)


def _expression(expression: ExpressionIdentifier) -> Iterator[Part]:
    version = expression.version
    if version.date is not None:
        meaning = f"the text with its last amendment, of {date_in_words(version.date)}"
    elif is_original(version):
        meaning = "the original text"
    else:
        meaning = f"the text called {readable(version.specification or '')}"
    label = "Version" if version.date is None else "Amendment date"
    yield _part(label, str(version.date or version.specification), meaning, "7.1.2")
    for event in version.events:
        if event.date is not None:
            meaning = f"in force, effective or published on {date_in_words(event.date)}"
            yield _part("Event date", str(event), meaning, "7.1.2")
        else:
            yield _part("Event", str(event), f"after: {readable(str(event))}", "7.1.2")
    if expression.language is not None:
        meaning = f"in {language_in_words(expression.language)}"
        yield _part("Language", expression.language, meaning, "5.6")


def _manifestation(manifestation: ManifestationIdentifier) -> Iterator[Part]:
    editor, form = manifestation.editor, manifestation.format
    meaning = f"produced by the publisher at {printable(editor.publisher)}"
    yield _part("Publisher", editor.publisher, meaning, "5.7")
    yield from _specifications(editor.specifications, "publisher", "5.7")
    yield _part("Format", form.mime, f"a file of type {media_type(form.mime)}", "5.7")
    yield from _specifications(form.specifications, "format", "5.7")
    if manifestation.component is not None:
        meaning = f"holds {readable(manifestation.component.part)}"
        yield _part("Component", manifestation.component.part, meaning, "5.7")
        yield from _specifications(manifestation.component.specifications, "component", "5.7")
    if manifestation.feature is not None:
        meaning = f"with the feature {readable(manifestation.feature.attribute)}"
        yield _part("Feature", manifestation.feature.attribute, meaning, "5.7")
        yield from _specifications(manifestation.feature.specifications, "feature", "5.7")
