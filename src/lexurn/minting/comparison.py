"""Comparison of a citation with the fields that are given beside it, and that win over it."""

from __future__ import annotations

import re
from itertools import product, starmap
from typing import TYPE_CHECKING

from lexurn.minting import parts
from lexurn.minting.characters import quote_characters
from lexurn.minting.dates import YEAR
from lexurn.minting.draft import Draft, Metadata
from lexurn.minting.issuers import write_issuers
from lexurn.minting.numbers import Taken, write_numbers
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from lexurn.minting.forms import Citation
    from lexurn.minting.issuers import Issuers
    from lexurn.registry import Entry

# Findings on words that were not understood: what stands behind them may be another act's.
_UNCLEAR = {"LX733", "LX734", "LX781"}
# Fields that say in another way what a citation says.
_OTHERS = {"period", "local_date", "unnumbered"}
_DAY, _YEAR = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"), re.compile("[0-9]{4}")
_RUN, _YEARS = re.compile("[0-9]+|[^0-9-]+"), re.compile(rf"(?<![0-9]){YEAR}(?![0-9])")
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9]))")


def prefer_citation(draft: Draft, cited: Citation) -> None:
    """Replace a date or number that says less than the citation, so that one act has one name.

    The period is the year of the date, or the number lacks its year, or it is the citation's with
    the words before it.
    """
    given = draft.given
    if given.period and _YEAR.fullmatch(given.period) and "date" in cited.fields:
        read = _read_fields(draft, cited)
        if (parts.write_dates(read) or "").startswith(given.period):
            draft.given = Metadata.of(
                {name: each for name, each in vars(given).items() if name != "period"}
                | {"date": cited.fields["date"]}
            )
    numbers = cited.fields.get("number", ())
    if len(given.number) == len(numbers) == 1 and given.number != numbers:
        (text,), (number,) = given.number, numbers
        is_quoted = text.endswith(f" {number}") and text in (given.citation or "")
        if is_quoted or (not _YEARS.search(text) and _lacks_year(draft, text, number)):
            draft.given = Metadata.of(vars(draft.given) | {"number": numbers})


def compare_fields(draft: Draft, cited: Citation, work: str) -> None:
    """Report the fields whose values are not those of the citation beside them.

    A citation with words that were not understood is left out; these have a warning. Words for a
    type or an issuer may differ and mean the same: they get a warning.

    Args:
        draft: the metadata, in which fields win over the citation.
        cited: the parts of the citation.
        work: the name up to its annexes.
    """
    if not any(each.code in _UNCLEAR for each in cited.findings):
        if draft.given.unnumbered is not None and "number" in cited.fields:
            number = quote_characters(_join_texts(cited.fields["number"]))
            draft.on("unnumbered").say("LX787", f"number {number}", "that the act has none")
        for field in _find_conflicts(draft, cited, work):
            text = _join_texts(getattr(draft.given, field))
            words = _join_texts(cited.fields["date" if field == "period" else field])
            code = "LX789" if field in {"measure", "authority"} else "LX787"
            draft.on(field, text).say(code, quote_characters(words), quote_characters(text))


def _join_texts(value: Any) -> str:
    """Return the text of a field; parts of an issuer are joined with ``;``."""
    if isinstance(value, str):
        return value
    return ", ".join(each if isinstance(each, str) else "; ".join(each) for each in value)


def _find_conflicts(draft: Draft, cited: Citation, work: str) -> Iterator[str]:
    """Yield the fields that differ from the citation once both are written as in a name."""
    given, read = draft.given, _read_fields(draft, cited)
    dates, _, numbers = work.split(":")[5].partition(";")
    if "date" in cited.fields and given.date != cited.fields["date"]:
        days = {*_DAY.findall(parts.write_dates(read) or "")}
        years = {day[:4] for day in days}
        own = {*_DAY.findall(dates)} if given.date else {*_YEAR.findall(dates)}
        if days and own and own.isdisjoint(days if given.date else years):
            yield "date" if given.date else "period"
    if "number" in cited.fields and given.number != cited.fields["number"] and given.number:
        text = write_numbers(read, None, Taken(), dates, _find_type(draft))
        if text and not _is_one_number(draft, cited, (numbers, text), dates):
            yield "number"
    if "measure" in cited.fields and given.measure != cited.fields["measure"]:
        find = draft.law.measures.find
        types = find(given.measure or ""), find(cited.fields["measure"])
        if all(types) and not any(starmap(_is_one_type, product(*types))):
            yield "measure"
    if "authority" in cited.fields and given.authority != cited.fields["authority"]:
        own_issuers, others = write_issuers(_copy_fields(draft, {})), write_issuers(read)
        # A name may have the issuer of the type instead of the given one.
        is_kept = work.split(":")[3].startswith(own_issuers.plain or ":")
        if is_kept and _is_other_issuer(draft, own_issuers, others):
            yield "authority"


def _is_one_type(one: Entry, other: Entry) -> bool:
    """Return True for two types of one notation and issuer, or if one is only called by it."""
    is_bare = any(
        make_key(form.text).replace(" ", ".") == each.notation
        for each in (one, other)
        for form in each.labels
    )
    return one.notation == other.notation and (is_bare or one.issuer == other.issuer)


def _is_other_issuer(draft: Draft, given: Issuers, cited: Issuers) -> bool:
    """Return True for issuers of which none can be one of the others.

    Its bodies, the councils of a unit, and the departments that propose acts are not others.
    """
    if not given.plain or not cited.plain or given.plain == draft.law.conventions.get("state"):
        return False
    heads = [
        {each.partition(";")[0] for each in text.split("+")} for text in (given.plain, cited.plain)
    ]
    pairs = [(one.split("."), other.split(".")) for one, other in product(*heads)]
    if any({*one} <= {*other} or {*other} <= {*one} for one, other in pairs):
        return False
    names_unit = [
        any(not draft.law.units.beginnings.isdisjoint(each.split(".")) for each in head)
        for head in heads
    ]
    is_known = bool(given.entries and cited.entries) and names_unit != [True, False]
    is_body = any(draft.law.bodies.find(each.replace(".", " ")) for each in heads[0] | heads[1])
    return (is_known and not is_body) or any(one[0] == other[0] for one, other in pairs)


def _is_one_number(draft: Draft, cited: Citation, written: tuple[str, str], dates: str) -> bool:
    """Return True if a number is one of the citation's, at least without the year of one."""
    year = "" if "number-year" in draft.law.conventions else dates[:4]
    own, others = (_list_keys(text, year) for text in written)
    if not own.isdisjoint(others):
        return True
    years = [
        {*_YEARS.findall(_join_texts(each))}
        for each in (draft.given.number, cited.fields["number"])
    ]
    if all(years) and years[0].isdisjoint(years[1]):
        return False
    bare = [{_drop_year(each, dates) for each in keys} for keys in (own, others)]
    return not (own.isdisjoint(bare[1]) and others.isdisjoint(bare[0]))


def _lacks_year(draft: Draft, text: str, number: str) -> bool:
    """Return True if a number is the citation's without the year that the name has."""
    read = _copy_fields(draft, {})
    dates, entry = parts.write_dates(read) or "", _find_type(draft)
    own, other = (
        write_numbers(_copy_fields(draft, {"number": (each,)}), None, Taken(), dates, entry)
        for each in (text, number)
    )
    if not own or not other:
        return False
    keys = _list_keys(other, "")
    return _list_keys(own, "") == {_drop_year(each, dates) for each in keys} != keys


def _drop_year(runs: tuple[str, ...], dates: str) -> tuple[str, ...]:
    """Return a number without its year: that of the date, another one, or its last two digits."""
    years = [run for run in runs if _YEARS.fullmatch(run)]
    short = runs[-1:] if runs[-1:] == (dates[2:4],) else ()
    year = next(iter((*(each for each in years if each == dates[:4]), *years[::-1], *short)), None)
    if year is None or len(runs) == 1:
        return runs
    at = len(runs) - 1 - runs[::-1].index(year)
    return runs[:at] + runs[at + 1 :]


def _find_type(draft: Draft) -> Entry | None:
    return next(iter(draft.law.measures.find(draft.given.measure or "")), None)


def _read_fields(draft: Draft, cited: Citation) -> Draft:
    """Return the metadata in which the citation wins over the fields."""
    return _copy_fields(draft, dict(cited.fields), without=_OTHERS)


def _copy_fields(
    draft: Draft, fields: dict[str, Any], without: Collection[str] = ("unnumbered",)
) -> Draft:
    """Return the metadata with other fields, as a draft of its own."""
    kept = {name: each for name, each in vars(draft.given).items() if name not in without}
    copied = Draft(given=Metadata.of(kept | fields))
    copied.enter(draft.context)
    return copied


def _list_keys(numbers: str, year: str) -> set[tuple[str, ...]]:
    """List numbers without leading zeros, and without a year that no convention decides on."""
    found = (_RUN.findall(_THOUSANDS.sub("", each)) for each in numbers.split(","))
    return {tuple(run.lstrip("0") for run in runs if run != year or not year) for runs in found}
