"""Acts that texts cite, and their comparison with the fields beside them, which win.

A citation is compared with the fields of its row, a title or a column of days with a citation.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import product, starmap
from typing import TYPE_CHECKING

from lexurn.minting import parts
from lexurn.minting.characters import quote_characters
from lexurn.minting.dates import YEAR
from lexurn.minting.draft import Draft, Metadata, make_context, read_metadata
from lexurn.minting.forms import Citation, read_citation
from lexurn.minting.issuers import write_code, write_head, write_issuers
from lexurn.minting.numbers import drop_thousands, write_numbers
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from lexurn.minting.issuers import Head, Issuers
    from lexurn.registry import Entry, Law, Registry

# Findings on words that were not understood: what stands behind them may be another act's.
_UNCLEAR = {"LX733", "LX734", "LX781"}
# Fields that say in another way what a citation says.
_OTHERS = {"date": ("period", "local_date")}
_OF_ISSUER = {"authority", "units"}
_DAY, _YEAR = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"), re.compile("[0-9]{4}")
_RUN, _YEARS = re.compile("[0-9]+|[^0-9-]+"), re.compile(rf"(?<![0-9]){YEAR}(?![0-9])")
# After a dot a zero counts: 235.01 and 235.1 are two numbers.
_ZEROS = re.compile("(?<![0-9.])0+(?=[0-9])")


class CitedAct:
    """Act that a text cites, as a name has its parts; a part that it does not state is empty.

    Attributes:
        cited: the parts in words.
    """

    def __init__(self, draft: Draft, cited: Citation) -> None:
        """Store a citation, and the draft whose fields complete it."""
        self.cited, self._draft = cited, draft

    def is_certain_of(self, *fields: str) -> bool:
        """Return False for parts behind words that were not understood: of another act, perhaps.

        A number may go on with words that begin with a capital or a digit: "Arrêté n° 2025 T 132".
        """
        stated = {each: _join_texts(self.cited.fields.get(each, "")) for each in fields}
        number = stated.get("number")
        for found in self.cited.findings:
            if found.code in _UNCLEAR:
                clear, first = found.text[: found.start].rstrip(), found.text[found.start :][:1]
                goes_on = number and clear.endswith(number) and (first.isupper() or first.isdigit())
                if goes_on or not all(each in clear for each in stated.values()):
                    return False
        return True

    @property
    def measure(self) -> str:
        """Type of measure, unless the given issuer has no act of this type."""
        if "measure" not in self.cited.fields:
            return ""
        is_fit = self._head.authority or not self._draft.given.authority
        return (self._head.types or "") if is_fit else ""

    @property
    def days(self) -> tuple[str, ...]:
        """Days in ISO 8601."""
        return tuple(_DAY.findall(self._dates)) if "date" in self.cited.fields else ()

    @property
    def number(self) -> str:
        """Numbers."""
        if "number" not in self.cited.fields:
            return ""
        return write_numbers(self._read, None, None, self._dates, self._head.entry) or ""

    @cached_property
    def _read(self) -> Draft:
        return _copy_fields(self._draft, self.cited.fields)

    @property
    def _dates(self) -> str:
        return parts.write_dates(self._read) or ""

    @property
    def _head(self) -> Head:
        words = self._draft.given.authority, self._read.given.measure
        return write_head(self._draft.context, *words, (), None)


def read_cited_act(fields: Mapping[str, object], registry: Registry) -> CitedAct:
    """Read the act that a text cites.

    Args:
        fields: the text as ``citation``, and the fields by which it is read: ``jurisdiction``,
            ``language`` and ``mode``, and an issuer that it need not state.
        registry: the registry of measures and issuers.
    """
    draft = Draft(read_metadata(fields)[0])
    given, code = draft.given, write_code(draft)
    if code is None or given.citation is None:
        return CitedAct(draft, Citation())
    draft.enter(make_context(registry, code, given.language, given.mode))
    return CitedAct(draft, read_citation(given.citation, draft.context, _OF_ISSUER))


def prefer_citation(draft: Draft, act: CitedAct) -> None:
    """Replace a date or number that says less than the citation, so that one act has one name.

    The period is the year of the date, or the number lacks its year, or it is the citation's with
    the words before it.
    """
    given, cited, fields = draft.given, act.cited, dict(vars(draft.given))
    is_year = given.period and _YEAR.fullmatch(given.period)
    if is_year and given.period == "".join(act.days)[:4]:
        del fields["period"]
        fields["date"] = cited.fields["date"]
    numbers = cited.fields.get("number", ())
    if len(given.number) == len(numbers) == 1 and given.number != numbers:
        (text,), (number,) = given.number, numbers
        read = _copy_fields(draft, {})
        dates, types = parts.write_dates(read) or "", draft.law.measures.find(given.measure or "")
        own = write_numbers(read, None, None, dates, next(iter(types), None)) or ""
        # Of two with as many parts, the shorter counts, "3/2019", not "03/2019"; but "575/2013",
        # not "575/13".
        runs = [_RUN.findall(_ZEROS.sub("", drop_thousands(each))) for each in (own, act.number)]
        sizes = [
            (len(each), sum(map(len, each)), -len(text))
            for each, text in zip(runs, (own, act.number), strict=True)
        ]
        is_same = own and act.number and _is_one_number(draft, act, own, dates)
        is_quoted = text.endswith(f" {number}") and text in (given.citation or "")
        if is_quoted or (is_same and sizes[0] <= sizes[1]):
            fields["number"] = numbers
    draft.given = Metadata.of(fields)


def compare_fields(draft: Draft, act: CitedAct, work: str) -> None:
    """Report the fields whose values are not those of the citation beside them.

    Words of the citation that were not understood have a warning; what stands behind them is not
    compared. Words for a type or an issuer may differ and mean the same: they get a warning.

    Args:
        draft: the metadata, in which fields win over the citation.
        act: the act that the citation states.
        work: the name up to its annexes.
    """
    cited = act.cited
    if draft.given.unnumbered is not None and "number" in cited.fields:
        number = quote_characters(_join_texts(cited.fields["number"]))
        if act.is_certain_of("number"):
            draft.on("unnumbered").say("LX787", f"number {number}", "that the act has none")
    for field in _find_conflicts(draft, act, work):
        stated = "date" if field == "period" else field
        if not act.is_certain_of(stated):
            continue
        text, words = _join_texts(getattr(draft.given, field)), _join_texts(cited.fields[stated])
        code = "LX789" if field in {"measure", "authority"} else "LX787"
        draft.on(field, text).say(code, quote_characters(words), quote_characters(text))


def _join_texts(value: Any) -> str:
    """Return the text of a field; parts of an issuer are joined with ``;``."""
    if isinstance(value, str):
        return value
    return ", ".join(each if isinstance(each, str) else "; ".join(each) for each in value)


def _find_conflicts(draft: Draft, act: CitedAct, work: str) -> Iterator[str]:
    """Yield the fields that differ from the citation once both are written as in a name."""
    given, cited, law = draft.given, act.cited, draft.law
    dates, _, numbers = work.split(":")[5].partition(";")
    if "date" in cited.fields and given.date != cited.fields["date"]:
        days = {day if given.date else day[:4] for day in act.days}
        own = {*(_DAY if given.date else _YEAR).findall(dates)}
        if days and own and own.isdisjoint(days):
            yield "date" if given.date else "period"
    is_other = given.number and given.number != cited.fields.get("number", given.number)
    if is_other and act.number and not _is_one_number(draft, act, numbers, dates):
        yield "number"
    if "measure" in cited.fields and given.measure != cited.fields["measure"]:
        types = law.measures.find(given.measure or ""), law.measures.find(cited.fields["measure"])
        if all(types) and not any(starmap(_is_one_type, product(*types))):
            yield "measure"
    if "authority" in cited.fields and given.authority != cited.fields["authority"]:
        own_issuers = write_issuers(_copy_fields(draft, {}))
        others = write_issuers(_copy_fields(draft, cited.fields))
        # A name may have the issuer of the type instead of the given one.
        is_kept = work.split(":")[3].startswith(own_issuers.plain or ":")
        text = _join_texts(cited.fields["authority"])
        if is_kept and _is_other_issuer(draft, own_issuers, others, text):
            yield "authority"


def _is_one_type(one: Entry, other: Entry) -> bool:
    """Return True for two types of one notation, issuer and body, or if one is called by it."""
    is_bare = any(
        make_key(form.text).replace(" ", ".") == each.notation
        for each in (one, other)
        for form in each.labels
    )
    named = {each.name.split(":")[4] for each in (one, other) if each.name}  # "Codice civile"
    is_named = not named.isdisjoint((one.notation, other.notation))
    kinds = [(each.notation, each.issuer, each.body) for each in (one, other)]
    return is_named or kinds[0] == kinds[1] or (is_bare and one.notation == other.notation)


def _is_other_issuer(draft: Draft, given: Issuers, cited: Issuers, text: str) -> bool:
    """Return True for issuers of which none can be one of the others.

    Its bodies, the councils of a unit, and the departments that propose acts are not others.
    """
    if not given.plain or given.plain == draft.law.conventions.get("state"):
        return False
    law = draft.law
    if not cited.plain:  # Letters that nobody registered may be the initials of the given issuer.
        rest = iter(given.plain)
        is_part = all(letter in rest for letter in make_key(text) if letter.isalpha())
        return text.isupper() and " " not in text and not (is_part or law.bodies.find(text))
    heads = [
        {each.partition(";")[0] for each in text.split("+")} for text in (given.plain, cited.plain)
    ]
    owners = [{_drop_office(each, law) for each in issuers} for issuers in heads]
    pairs = [(one.split("."), other.split(".")) for one, other in product(*owners)]
    if any({*one} <= {*other} or {*other} <= {*one} for one, other in pairs):
        return False
    unknown = (each for each in owners[0] | owners[1] if not law.authorities.by_notation(each))
    kinds = {each.partition(".")[0] for each in unknown}  # "Settore tecnico"
    is_body = not kinds.isdisjoint(law.list_values("departments")) or any(
        law.bodies.find(each.replace(".", " ")) or each in law.list_values("offices")
        for each in heads[0] | heads[1]
    )
    # Councils of units, such as "Consejo de Gobierno".
    places = [
        {each.split(":")[2] for each in entry.examples} for entry in cited.entries or given.entries
    ]
    return not is_body and not any(each and all(";" in place for place in each) for each in places)


def _drop_office(issuer: str, law: Law) -> str:
    """Return an issuer without its office: the "regione" of a "presidente.regione"."""
    office, _, owner = issuer.partition(".")
    if office not in law.list_values("offices") - law.list_values("organs") or not owner:
        return issuer
    is_known = law.authorities.by_notation(issuer) or law.bodies.by_notation(issuer)
    return issuer if is_known else owner


def _is_one_number(draft: Draft, act: CitedAct, numbers: str, dates: str) -> bool:
    """Return True if a number is one of the citation's, at least without the year of one."""
    year = "" if "number-year" in draft.law.conventions else dates[:4]
    own, others = (
        {
            tuple(run for run in _RUN.findall(each) if run != year or not year)
            for each in _ZEROS.sub("", drop_thousands(text)).split(",")
        }
        for text in (numbers, act.number)
    )
    if not own.isdisjoint(others):
        return True
    years = [
        {*_YEARS.findall(_join_texts(each))}
        for each in (draft.given.number, act.cited.fields["number"])
    ]
    if all(years) and years[0].isdisjoint(years[1]):
        return False
    bare = [{_drop_year(each, dates) for each in keys} for keys in (own, others)]
    return not (own.isdisjoint(bare[1]) and others.isdisjoint(bare[0]))


def _drop_year(runs: tuple[str, ...], dates: str) -> tuple[str, ...]:
    """Return a number without its year: that of the date, another one, or its last two digits."""
    years = [run for run in runs if _YEARS.fullmatch(run)]
    short = runs[-1:] if runs[-1:] == (dates[2:4],) else ()
    year = next(iter((*(each for each in years if each == dates[:4]), *years[::-1], *short)), None)
    if year is None or len(runs) == 1:
        return runs
    at = len(runs) - 1 - runs[::-1].index(year)
    return runs[:at] + runs[at + 1 :]


def _copy_fields(draft: Draft, fields: Mapping[str, Any]) -> Draft:
    """Return the metadata with other fields, which win over those that say the same, as a draft."""
    without = {other for each in fields for other in _OTHERS.get(each, ())} | {"unnumbered"}
    kept = {name: each for name, each in vars(draft.given).items() if name not in without}
    copied = Draft(given=Metadata.of(kept | dict(fields)))
    copied.enter(draft.context)
    return copied
