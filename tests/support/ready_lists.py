"""Ready queries from lists and by SPARQL: values to ask for, and the comparison."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lexurn.store import find_ready_query, query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.catalogue import Catalogue
    from lexurn.model import Record
    from lexurn.store import QueryAnswer

__all__ = ["LISTED", "VALUES", "compare", "values_of"]

LISTED = (
    *("acts-between", "acts-in-force", "acts-of-year", "acts-on", "acts-without-copies"),
    *("count-by-authority", "count-by-format", "count-by-jurisdiction", "count-by-language"),
    *("count-by-level", "count-by-measure", "count-by-year", "entering-into-force"),
    *("leaving-force", "modified-since", "on-concept", "on-subject", "possible-doubles"),
    *("shared-copies", "titles-with", "undated-versions", "unknown-amendments"),
    *("versions-in-force", "withdrawn", "works-without-language", "year-only"),
)
"""The ready queries that lists answer."""

VALUES: dict[str, tuple[str, ...]] = {
    "jurisdiction": ("it", "br", "zz"),
    "authority": ("stato", "ministero.finanze"),
    "measure": ("legge", "decreto"),
    "date": ("1989-01-01", "2003-10-10", "2005-06-30", "2026-01-01"),
    "from": ("0001-01-01", "2003-09-21"),
    "until": ("2005-01-01", "9999-12-31"),
    "year": ("2003", "2004"),
    "language": ("it", "de"),
    "text": ("LEGGE", "a", "sui tr", "zzz"),
    "subject": ("tributi", "acque"),
    "concept": ("http://www.wikidata.org/entity/Q7755",),
}
"""Values of parameters, and of those that may be left open."""


def values_of(records: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """Values that the records have, besides those of `VALUES`."""
    found: dict[str, set[str]] = {key: set(values) for key, values in VALUES.items()}
    for record in records:
        name = record.name
        found["jurisdiction"].add(name.jurisdiction.code)
        found["authority"].add(str(name.work.authority))
        found["measure"].add(name.work.measure.type)
        dates = [each.iso for each in name.work.details.dates if each.day is not None]
        found["date"].update(dates)
        found["date"].update(str(day) for day in (record.in_force_until, record.force_on) if day)
        found["year"].update(each[:4] for each in dates)
        if name.expression is not None and name.expression.language is not None:
            found["language"].add(name.expression.language)
        found["text"].update(title.value[1:5] for title in record.titles)
        for subject in record.subjects:
            found["concept" if "://" in subject else "subject"].add(subject)
    return {key: tuple(sorted(values))[:8] for key, values in found.items()}


def _given(name: str, values: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """All choices of values for the parameters of a ready query."""
    parameters = find_ready_query(name).parameters
    choices = [[None] * each.is_optional + [*values[each.name]] for each in parameters]
    for chosen in itertools.product(*choices):
        yield {
            each.name: value
            for each, value in zip(parameters, chosen, strict=True)
            if value is not None
        }


def compare(catalogue: Catalogue, values: Mapping[str, Sequence[str]], most: int = 40) -> int:
    """Hold the lists of a catalogue to the SPARQL of each ready query; count the rows.

    Args:
        catalogue: a catalogue whose lists are whole.
        values: the values of each parameter.
        most: how many choices of values to compare of each query.
    """
    count = 0
    for name in LISTED:
        chosen = list(_given(name, values))
        for given in chosen[:: len(chosen) // most + 1]:
            text = find_ready_query(name).bound(given)
            listed = catalogue.answer_from_lists(text)
            assert listed is not None, name
            assert listed.variables == tuple(find_ready_query(name).columns)
            expected = _rows(query(catalogue.store, str(text)))
            assert _rows(listed) == expected, (name, given)
            count += len(expected)
    return count


def _rows(answer: QueryAnswer) -> list[tuple[str | None, ...]]:
    assert not isinstance(answer, bool)
    return [tuple(None if term is None else str(term) for term in row) for row in answer]
