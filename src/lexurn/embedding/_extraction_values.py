"""Values of statements as days, languages, titles and agents."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

from lexurn.embedding._extraction_terms import FIELDS, LABELS, normal
from lexurn.embedding._language_tags import language_of
from lexurn.embedding._statement import Way
from lexurn.manifest import is_web_url
from lexurn.model import LanguageText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.embedding._statement import Statement

__all__ = ["DAYS", "day_in", "day_of", "fields_of", "is_partial_day", "tag_of"]

DAYS: Final = frozenset(
    {
        "document_date",
        "in_force_from",
        "in_force_last",
        "issued",
        "modified",
        "published",
        "version_date",
    }
)
"""Parts of an extraction that are days."""

_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9:.,]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_EIGHT_DIGITS = re.compile(r"[0-9]{8}")
_PARTIAL = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")
_MOST_TITLES = 100
_BETWEEN_AUTHORS = re.compile("[;,]")
# What is said of the file, and not of the act. By the standards ``dcterms:modified`` is the time of
# the last save, and ``dc:creator`` of ODF who saved last (ODF 1.3 part 3 section 4.3.2). There, in
# DOCX and as ``Author`` of a PDF programs put in the account that they run under; publishers who
# mean it say it in XMP, an EPUB or a page.
_OF_FILES: Final[Mapping[str, frozenset[Way]]] = {
    "modified": frozenset({Way.OOXML, Way.OPF}),
    "creators": frozenset({Way.ODF, Way.OOXML, Way.PDF_INFO}),
}


def day_of(value: str) -> dt.date | None:
    """The day of a date, or of a date and a time of day; None where it is none.

    >>> day_of("2005-01-31T10:00:00Z")
    datetime.date(2005, 1, 31)
    """
    found = _DAY.fullmatch(value)
    try:
        return None if found is None else dt.date.fromisoformat(found[1])
    except ValueError:
        return None


def day_in(statement: Statement) -> dt.date | None:
    """The day that a statement says, None where it says none; NIR has days of eight digits."""
    value = statement.value
    if statement.way is Way.NIR and _EIGHT_DIGITS.fullmatch(value):
        value = f"{value[:4]}-{value[4:6]}-{value[6:]}"
    return day_of(value)


def is_partial_day(value: str) -> bool:
    """Whether it is a year or a month, which is less than a day but no mistake."""
    return _PARTIAL.fullmatch(value) is not None


def tag_of(statement: Statement) -> str | None:
    """The language tag that a statement of a language means, None where it means none."""
    # Akoma Ntoso writes languages with three letters (ISO 639-2), which is right there.
    if statement.way is Way.AKOMA_NTOSO:
        return language_of(three_letters(statement.value))
    return language_of(statement.value)


def three_letters(code: str) -> str:
    """A code of ISO 639-2 as the entry of the EU's list that has its tag; others as they are."""
    if re.fullmatch(r"[a-z]{3}", code, re.IGNORECASE) is None:
        return code
    entry = f"http://publications.europa.eu/resource/authority/language/{code.upper()}"
    return entry if language_of(entry) is not None else code


def fields_of(own: Sequence[Statement], every: Iterable[Statement]) -> dict[str, Any]:
    """What is said of the document: parts of an extraction.

    Args:
        own: statements about the document, what lexurn wrote first.
        every: all statements, for the names of agents.
    """
    said: dict[str, list[Statement]] = {}
    for each in own:
        field = FIELDS.get(normal(each.term))
        if field is not None and each.value and not _is_of_file(each, field):
            said.setdefault(field, []).append(each)
    said["creators"] = _without_typists(own, said.get("creators", ()))
    labels = _labels(every)
    tags = [tag_of(each) for each in said.get("languages", ())]
    agents = {
        field: _agents(said.get(field, ()), labels)
        for field in ("publishers", "creators", "subjects")
    }
    links = {field: _links(said.get(field, ())) for field in ("licenses", "urls")}
    return {
        "titles": _titles(said.get("titles", ())),
        "languages": tuple(dict.fromkeys(tag.lower() for tag in tags if tag is not None)),
        **_days(said),
        **agents,
        **links,
    }


def _is_of_file(statement: Statement, field: str) -> bool:
    """Whether it is when a program saved the file, or who typed it, and nothing of the act."""
    return statement.way in _OF_FILES.get(field, ())


def _without_typists(own: Iterable[Statement], creators: Iterable[Statement]) -> list[Statement]:
    """Creators but those of whom XMP says no more than that a program ran under their account."""
    authors = {
        name.strip()
        for each in own
        if each.way is Way.PDF_INFO and FIELDS.get(normal(each.term)) == "creators"
        for name in (each.value, *_BETWEEN_AUTHORS.split(each.value))
    }
    return [each for each in creators if each.way is not Way.XMP or each.value not in authors]


def _titles(statements: Iterable[Statement]) -> tuple[LanguageText, ...]:
    titles = [
        LanguageText(value=each.value, language=_language(each.language))
        for each in statements
        if not each.is_iri
    ]
    # The same once more without a language says less.
    tagged = {each.value for each in titles if each.language is not None}
    kept = (each for each in titles if each.language is not None or each.value not in tagged)
    return tuple(dict.fromkeys(kept))[:_MOST_TITLES]


def _language(tag: str | None) -> str | None:
    found = None if tag is None else language_of(tag)
    return None if found is None else found.lower()


def _days(said: Mapping[str, Sequence[Statement]]) -> dict[str, dt.date | None]:
    def first(field: str) -> dt.date | None:
        found = map(day_in, said.get(field, ()))
        return next((day for day in found if day is not None), None)

    start, last = first("in_force_from"), first("in_force_last")
    one, other = _interval(said.get("in_force_during", ()))
    # The end of another interval is none of the one that is known.
    if _may_be_one(start, one) and _may_be_one(last, other):
        start, last = start or one, last or other
    return {
        **{field: first(field) for field in ("issued", "published", "modified")},
        "in_force_from": start,
        "in_force_until": _day_after(last),
    }


def _interval(statements: Iterable[Statement]) -> tuple[dt.date | None, dt.date | None]:
    """The days of the first interval that has any, an open end as None."""
    for each in statements:
        one, _, other = each.value.partition("/")
        days = day_of(one), day_of(other)
        if any(days):
            return days
    return None, None


def _may_be_one(day: dt.date | None, other: dt.date | None) -> bool:
    return day is None or other is None or day == other


def _day_after(last: dt.date | None) -> dt.date | None:
    """The first day no longer in force, since others name the last one in force."""
    if last is None or last == dt.date.max:
        return None
    return last + dt.timedelta(days=1)


def _labels(statements: Iterable[Statement]) -> dict[str, str]:
    """The names of things that have no IRI."""
    labels: dict[str, str] = {}
    for each in statements:
        is_blank = each.subject is not None and each.subject.startswith("_:")
        if is_blank and each.subject and normal(each.term) in LABELS and not each.is_iri:
            labels.setdefault(each.subject, each.value)
    return labels


def _agents(statements: Iterable[Statement], labels: Mapping[str, str]) -> tuple[str, ...]:
    found = (
        labels.get(each.value) if each.value.startswith("_:") else each.value for each in statements
    )
    # Some programs write "()" where nobody is known.
    return tuple(dict.fromkeys(value for value in found if value and any(map(str.isalnum, value))))


def _links(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Whole URLs; what is none cannot be followed from anywhere else."""
    return tuple(dict.fromkeys(each.value for each in statements if is_web_url(each.value)))
