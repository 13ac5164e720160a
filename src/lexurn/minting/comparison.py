"""Comparison of a citation with the fields that are given beside it, and that win over it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting import parts
from lexurn.minting.characters import quote_characters
from lexurn.minting.draft import Draft, Metadata
from lexurn.minting.numbers import Taken, write_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.minting.forms import Citation

# Findings on words that were not understood: what stands behind them may be another act's.
_UNCLEAR = {"LX733", "LX734", "LX781"}
# Fields that say in another way what a citation says.
_OTHERS = {"period", "local_date", "unnumbered"}
_DAY, _YEAR = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"), re.compile("[0-9]{4}")
_RUN = re.compile("[0-9]+|[^0-9-]+")


def prefer_date(draft: Draft, cited: Citation) -> None:
    """Replace a period by the date of the citation, if the period is the year of that date."""
    given = draft.given
    if given.period and _YEAR.fullmatch(given.period) and "date" in cited.fields:
        read = _read_fields(draft, cited)
        if (parts.write_dates(read) or "").startswith(given.period):
            draft.given = Metadata.of(
                {name: each for name, each in vars(given).items() if name != "period"}
                | {"date": cited.fields["date"]}
            )


def compare_fields(draft: Draft, cited: Citation, work: str) -> None:
    """Report the fields whose values are not those of the citation beside them.

    A citation with words that were not understood is left out; these have a warning.

    Args:
        draft: the metadata, in which fields win over the citation.
        cited: the parts of the citation.
        work: the name up to its annexes.
    """
    if not any(each.code in _UNCLEAR for each in cited.findings):
        if draft.given.unnumbered is not None and "number" in cited.fields:
            draft.on("unnumbered").say("LX703", "number")
        for field in _find_conflicts(draft, cited, work):
            value = getattr(draft.given, field)
            text = value if isinstance(value, str) else ", ".join(value)
            read = cited.fields["date" if field == "period" else field]
            words = read if isinstance(read, str) else ", ".join(read)
            values = quote_characters(words), quote_characters(text)
            draft.on(field, text).say("LX787", *values)


def _find_conflicts(draft: Draft, cited: Citation, work: str) -> Iterator[str]:
    """Yield the fields that differ from the citation once both are written as in a name."""
    given, measures = draft.given, draft.law.measures
    dates, _, numbers = work.split(":")[5].partition(";")
    read = _read_fields(draft, cited)
    if "date" in cited.fields and given.date != cited.fields["date"]:
        days = {*_DAY.findall(parts.write_dates(read) or "")}
        years = {day[:4] for day in days}
        own = {*_DAY.findall(dates)} if given.date else {*_YEAR.findall(dates)}
        if days and own and own.isdisjoint(days if given.date else years):
            yield "date" if given.date else "period"
    if "number" in cited.fields and given.number != cited.fields["number"] and given.number:
        entry = next(iter(measures.find(given.measure or "")), None)
        text = write_numbers(read, None, Taken(), dates, entry)
        year = "" if "number-year" in draft.law.conventions else dates[:4]
        if text and _list_keys(text, year).isdisjoint(_list_keys(numbers, year)):
            yield "number"
    if "measure" in cited.fields and given.measure != cited.fields["measure"]:
        words = given.measure or "", cited.fields["measure"]
        own, other = ({each.notation for each in measures.find(text)} for text in words)
        if own and other and own.isdisjoint(other):
            yield "measure"


def _read_fields(draft: Draft, cited: Citation) -> Draft:
    """Return the metadata in which the citation wins over the fields."""
    kept = {name: each for name, each in vars(draft.given).items() if name not in _OTHERS}
    read = Draft(given=Metadata.of(kept | dict(cited.fields)))
    read.enter(draft.context)
    return read


def _list_keys(numbers: str, year: str) -> set[tuple[str, ...]]:
    """List numbers without leading zeros, and without a year that no convention decides on."""
    found = (_RUN.findall(each) for each in numbers.split(","))
    return {tuple(run.lstrip("0") for run in runs if run != year or not year) for runs in found}
