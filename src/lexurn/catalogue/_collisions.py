"""What no shape sees: names beside each other, and beside the registry (RFC 9676 9.3).

Each rule of `RULES` has a finder: SQL over the tables of the index, or a walk through the acts.
"""

from __future__ import annotations

from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_values import CheckFinding
from lexurn.catalogue._collision_rules import RULES
from lexurn.catalogue._collision_tables import acts_in, attach, note_series, note_wording
from lexurn.catalogue._collision_times import Times
from lexurn.catalogue._collision_words import STAGES, Act, Wording
from lexurn.minting import without_thousands, without_year
from lexurn.name import check
from lexurn.registry import registry as built_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from lexurn.catalogue._check_spool import Spool
    from lexurn.catalogue._protocols import Holdings
    from lexurn.registry import Registry

    Told = Callable[[str, int, int | None], None]
    Finder = Callable[[Spool], Iterator[CheckFinding]]

__all__ = ["RULES", "collide"]

_OTHERS: Final = 20
_ENOUGH: Final = 10
_DENSE: Final = 0.75
_SHOWN_GAPS: Final = 50

_URLS: Final = """
SELECT url, alias_set.key FROM (
  SELECT url, set_id FROM copy GROUP BY url, set_id
) JOIN alias_set ON alias_set.id = set_id
WHERE url IN (SELECT url FROM copy GROUP BY url HAVING COUNT(DISTINCT set_id) > 1)
ORDER BY url, alias_set.key
"""
_SPELLINGS: Final = """
SELECT text, name FROM spelling
WHERE text IN (SELECT text FROM spelling GROUP BY text HAVING COUNT(DISTINCT name) > 1)
ORDER BY text, name
"""
_SETS: Final = """
SELECT set_id, name FROM act WHERE canonical IS NULL
AND set_id IN (SELECT set_id FROM act WHERE canonical IS NULL GROUP BY set_id HAVING COUNT(*) > 1)
ORDER BY set_id, name
"""
_ALIKE: Final = """
SELECT alike.key, act.name, act.set_id, jurisdiction, authority, measure, details
FROM alike JOIN act ON act.name = alike.name
WHERE alike.key IN (
  SELECT key FROM alike GROUP BY key HAVING COUNT(DISTINCT set_id) > 1
)
ORDER BY alike.key, act.name
"""
_YEARS: Final = """
SELECT DISTINCT short.act, whole.act
FROM (SELECT DISTINCT jurisdiction, number, year FROM short) AS place
CROSS JOIN detail AS whole ON whole.jurisdiction = place.jurisdiction
  AND whole.number = place.number AND whole.year = place.year
CROSS JOIN alike AS other ON other.name = whole.act
CROSS JOIN short ON short.jurisdiction = place.jurisdiction AND short.number = place.number
  AND short.year = place.year AND short.kind = other.kind
CROSS JOIN act ON act.name = whole.act
WHERE whole.date GLOB '????-??-??' AND short.set_id <> other.set_id AND act.canonical IS NULL
ORDER BY short.act, whole.act
"""
_ALIASES: Final = """
SELECT alias.name, alias.details, named.name, named.details,
  alias.authority = named.authority AND alias.measure = named.measure
FROM act AS alias JOIN act AS named ON named.name = alias.canonical
WHERE alias.jurisdiction = named.jurisdiction AND NOT alias.withdrawn
ORDER BY alias.name
"""
_SERIES: Final = "SELECT kind, year, number, name FROM series ORDER BY kind, year, number, name"


def collide(
    holdings: Holdings,
    spool: Spool,
    rules: Collection[str],
    *,
    registry: Registry | None = None,
    told: Told,
) -> Iterator[CheckFinding]:
    """What the rules on names find.

    Args:
        holdings: what is held.
        spool: where working tables are made.
        rules: codes of the rules that are looked at.
        registry: whose words are known; the built-in one if not given.
        told: is told what is done.

    Raises:
        CatalogueError: what is held cannot be read.
    """
    known = registry or built_in()
    wording = Wording(known)
    attach(holdings, spool, told)
    if _NEED_WORDS & set(rules):
        note_wording(spool, wording, told)
    if "LX974" in rules:
        note_series(spool, told)
    finders: tuple[tuple[frozenset[str], Finder], ...] = (
        (frozenset({"LX961"}), _shared_urls),
        (frozenset({"LX966", "LX967"}), _years_for_dates),
        (frozenset({"LX968"}), _joined_works),
        (frozenset({"LX969"}), _strange_aliases),
        (frozenset({"LX974"}), _gaps),
        (frozenset({"LX975"}), _shared_spellings),
        (frozenset(STAGES), lambda tables: _names_alike(tables, wording)),
        (_TIMES, lambda tables: _outside_times(tables, Times(known), told)),
    )
    for codes, find in finders:
        if codes & set(rules):
            told("comparing names", 0, None)
            yield from find(spool)


_TIMES: Final = frozenset({"LX970", "LX971", "LX972", "LX973"})
_NEED_WORDS: Final = {*STAGES, "LX966", "LX967"}


def _several(rule: str, names: Iterable[str], value: str | None = None) -> CheckFinding:
    """A finding on several names, the first of which stands for it."""
    each = iter(names)
    first, others = next(each), tuple(islice(each, _OTHERS))
    more = sum(1 for _ in each)
    return CheckFinding(
        rule=rule,
        focus=_term(first),
        others=others,
        value=value,
        detail=f"and {more:,} more" if more else "",
    )


def _term(name: str) -> str:
    """The node of a canonical name."""
    found = check(name).name
    return f"<{name if found is None else found.iri}>"


def _shared_urls(tables: Spool) -> Iterator[CheckFinding]:
    for url, rows in groupby(tables.rows(_URLS), key=lambda row: row[0]):
        yield _several("LX961", (key for _, key in rows), f"<{url}>")


def _shared_spellings(tables: Spool) -> Iterator[CheckFinding]:
    for text, rows in groupby(tables.rows(_SPELLINGS), key=lambda row: row[0]):
        yield _several("LX975", (name for _, name in rows), _literal(text))


def _literal(text: str) -> str:
    for one, other in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(one, other)
    return f'"{text}"'


def _joined_works(tables: Spool) -> Iterator[CheckFinding]:
    for _, rows in groupby(tables.rows(_SETS), key=lambda row: row[0]):
        yield _several("LX968", (name for _, name in rows))


def _years_for_dates(tables: Spool) -> Iterator[CheckFinding]:
    for short, rows in groupby(tables.rows(_YEARS), key=lambda row: row[0]):
        dated = [whole for _, whole in rows]
        yield _several("LX966" if len(dated) == 1 else "LX967", [short, *dated])


def _strange_aliases(tables: Spool) -> Iterator[CheckFinding]:
    for alias, details, name, others, is_one_kind in tables.rows(_ALIASES):
        days, _, numbers = details.partition(";")
        their_days, _, their_numbers = others.partition(";")
        times, their_times = _times(days), _times(their_days)
        years = times | their_times
        is_other_number = _numbers(numbers, years).isdisjoint(_numbers(their_numbers, years))
        is_other_time = times.isdisjoint(their_times)
        if is_one_kind and _is_given(numbers) and _is_given(their_numbers):
            is_strange = is_other_number or is_other_time
        else:
            is_strange = is_other_number and is_other_time
        if is_strange:
            yield _several("LX969", (alias, name))


def _numbers(numbers: str, years: Collection[str]) -> set[str]:
    """The numbers of an act, without what editors write in them or leave out."""
    bare = (without_thousands(without_year(number, years)) for number in numbers.split(","))
    return {number.lstrip("0") for number in bare}


def _is_given(numbers: str) -> bool:
    """Whether an issuer gave numbers: not titles, nor the numbers of registrars (section 6.3.3)."""
    return all(number[:1].isdecimal() for number in numbers.split(","))


def _times(days: str) -> set[str]:
    """The dates, and the years of bare years with the dates that they may stand for."""
    return {day[:4] if day[:4].isdecimal() else day for day in days.split(",")}


def _names_alike(tables: Spool, wording: Wording) -> Iterator[CheckFinding]:
    for _, rows in groupby(tables.rows(_ALIKE), key=lambda row: row[0]):
        yield from _alike([(row[1], row[2], wording.stages(Act(*row[3:]))) for row in rows])


def _alike(acts: list[tuple[str, int, tuple[str, ...]]]) -> Iterator[CheckFinding]:
    """Names that are one at the last stage, each met with others at the first stage possible."""
    above: dict[int, int] = {}  # alias sets that met, as trees
    for stage, rule in enumerate(STAGES):
        groups: dict[str, list[tuple[str, int]]] = {}
        for name, number, stages in acts:
            groups.setdefault(stages[stage], []).append((name, number))
        for names in groups.values():
            first: dict[int, str] = {}
            for name, number in names:
                first.setdefault(_root(above, number), name)
            if len(first) > 1:
                yield _several(rule, sorted(first.values()))
                one, *others = first
                above.update(dict.fromkeys(others, one))


def _root(above: dict[int, int], number: int) -> int:
    """The alias set that stands for all that one met; ways there are halved."""
    while (further := above.get(number)) is not None:
        above[number] = above.get(further, further)
        number = further
    return number


def _outside_times(tables: Spool, times: Times, told: Told) -> Iterator[CheckFinding]:
    for row in acts_in(tables, told):
        if not row[7]:
            for rule, what, detail in times.against(Act(*row[2:6])):
                yield CheckFinding(
                    rule=rule, focus=_term(row[0]), value=_literal(what), detail=detail
                )


def _gaps(tables: Spool) -> Iterator[CheckFinding]:
    """Gaps in series that are dense enough to be one: a few acts of many are no series."""
    for (kind, year), rows in groupby(tables.rows(_SERIES), key=lambda row: row[:2]):
        held: dict[int, str] = {}
        for _, _, number, name in rows:
            held.setdefault(number, name)
        first, last = min(held), max(held)
        missing = last - first + 1 - len(held)
        if missing and len(held) >= _ENOUGH and len(held) >= _DENSE * (last - first + 1):
            yield CheckFinding(
                rule="LX974",
                focus=_term(held[first]),
                detail=(
                    f"{kind} of {year}: of {first} to {last}, {missing} missing: "
                    f"{_ranges(sorted(held))}"
                ),
            )


def _ranges(held: list[int]) -> str:
    """The numbers between those held, as ranges."""
    gaps = [
        f"{one + 1}" if one + 1 == other - 1 else f"{one + 1}-{other - 1}"
        for one, other in pairwise(held)
        if other - one > 1
    ]
    more = ", ..." if len(gaps) > _SHOWN_GAPS else ""
    return ", ".join(gaps[:_SHOWN_GAPS]) + more
