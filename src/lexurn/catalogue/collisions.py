"""Collisions: names beside each other and beside the registry, which no shape sees (RFC 9676 §9.3).

Each rule has a finder: SQL over the tables of the index, or a walk through the acts. Names are
compared in stages, each of which ignores one more thing: leading zeros, accents and letters outside
ASCII, connectives, the dialect, and at last the words themselves. The last stage takes the words of
the registry, sorts issuers, dates and numbers, and drops what texts add to numbers.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from itertools import compress, groupby, islice, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from lexurn.catalogue.catalogue import make_number_key
from lexurn.catalogue.normalisation import (
    load_vocabulary,
    mark_meaningful_words,
    normalise_jurisdiction,
)
from lexurn.catalogue.report import CheckFinding
from lexurn.dialect import convert
from lexurn.minting import drop_thousands, drop_year
from lexurn.model import find_root
from lexurn.name import check
from lexurn.registry import load_jurisdictions, load_registry, make_key
from lexurn.store import format_literal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from lexurn.catalogue.index import Index
    from lexurn.catalogue.normalisation import LegalVocabulary
    from lexurn.catalogue.report import CheckSpool, ProgressCallback
    from lexurn.registry import Lexicon, Registry

    Finder = Callable[[CheckSpool], Iterator[CheckFinding]]

#: The codes of the rules in the order of the stages from which on their names are alike.
WORDING_STAGES: Final = ("LX965", "LX964", "LX963", "LX962", "LX960")
_WORD: Final = re.compile(r"[^.;+,:-]+")
_ELEMENT: Final = re.compile(r"[^;+,:]+")
_LOCAL: Final = re.compile(r"\|[^,;]*")


class ActElements(NamedTuple):
    """Elements of the name of an act, as the index has them."""

    jurisdiction: str
    authority: str
    measure: str
    details: str


class ActWording:
    """Wording of acts at each stage, by the words of a registry."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; authorities and measures are cached."""
        self._registry = registry
        self._heads = lru_cache(maxsize=65_536)(self._write_heads)

    def write_stages(self, act: ActElements) -> tuple[str, ...]:
        """Return the name at each stage, as texts that are equal where names are alike."""
        days, _, numbers = act.details.partition(";")
        years = {day[:4] for day in days.split(",")}
        plain = ",".join(make_number_key(each) for each in numbers.split(","))
        bare = self._strip_words(plain, act.jurisdiction)
        ordered = (
            ",".join(sorted(_LOCAL.sub("", days).split(","))),
            ",".join(sorted(drop_thousands(drop_year(each, years)) for each in bare.split(","))),
        )
        heads = self._heads(act.jurisdiction, act.authority, act.measure)
        details = ((days, plain), (days, bare), (days, bare), (days, bare), ordered)
        return tuple(
            f"{head}:{when};{number}" for head, (when, number) in zip(heads, details, strict=True)
        )

    def write_kind(self, act: ActElements) -> str:
        """Return jurisdiction, authority and measure at the last stage."""
        return self._heads(act.jurisdiction, act.authority, act.measure)[-1]

    def _write_heads(self, jurisdiction: str, authority: str, measure: str) -> tuple[str, ...]:
        """Return the text before the details at each stage."""
        given = f"{jurisdiction}:{authority}:{measure}"
        bare = self._strip_words(given, jurisdiction)
        short = self._drop_connectives(bare, jurisdiction)
        converted = convert(f"urn:lex:{given}:2000-02-03;4", registry=self._registry).name
        head = given
        if converted is not None:
            work = converted.work
            head = f"{converted.jurisdiction}:{work.authority}:{work.measure}"
        dialect = self._drop_connectives(self._strip_words(head, jurisdiction), jurisdiction)
        # Last, the elements as the registry writes them, issuers sorted.
        where, issuers, kind = dialect.split(":", 2)
        law = self._registry.law(where.partition(";")[0])
        known = normalise_jurisdiction(where, self._registry)
        written = sorted(_write_known(issuer, law.authorities) for issuer in issuers.split("+"))
        registered = f"{known}:{'+'.join(written)}:{_write_known(kind, law.measures)}"
        return given, bare, short, dialect, registered

    def _load_vocabulary(self, jurisdiction: str) -> LegalVocabulary:
        return load_vocabulary(self._registry, jurisdiction.partition(";")[0])

    def _strip_words(self, text: str, jurisdiction: str) -> str:
        """Return a text whose words have no accents and no encoding."""
        vocabulary = self._load_vocabulary(jurisdiction)

        def strip_word(found: re.Match[str]) -> str:
            word = found[0]
            if word.isascii() and word.isalnum():
                return word
            return make_key(vocabulary.folded(unquote(word))).replace(" ", "") or word

        return _WORD.sub(strip_word, text)

    def _drop_connectives(self, text: str, jurisdiction: str) -> str:
        """Return a text whose elements have no connectives, unless they have nothing else."""
        vocabulary = self._load_vocabulary(jurisdiction)

        def shorten(found: re.Match[str]) -> str:
            words = found[0].split(".")
            meaningful = mark_meaningful_words(words, vocabulary.connectives, vocabulary.designates)
            return ".".join(compress(words, meaningful))

        where, _, rest = text.partition(":")
        return f"{where}:{_ELEMENT.sub(shorten, rest)}"


def _write_known(element: str, lexicon: Lexicon) -> str:
    """Return an issuer or a measure as the registry writes it: whole, else its first part."""
    whole = _find_notation(element, lexicon)
    if whole is not None:
        return whole
    first, semicolon, rest = element.partition(";")
    return (_find_notation(first, lexicon) or first) + semicolon + rest


def _find_notation(text: str, lexicon: Lexicon) -> str | None:
    """Return the notation of a word in the registry; None if it has none, or several."""
    if lexicon.by_notation(text):
        return text
    found = {entry.notation for entry in lexicon.find(text.replace(".", " ").replace(";", " "))}
    return found.pop() if len(found) == 1 else None


_Spans = tuple[tuple[str | None, str | None], ...]


class RegistryTimes:
    """Times of authorities, jurisdictions and measures in a registry."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; look-ups are cached."""
        self._registry = registry
        self._spans = lru_cache(maxsize=65_536)(self._find_spans)
        self._closed = frozenset(
            code for code, concept in load_jurisdictions().items() if concept.obsolete
        )

    def find_faults(self, act: ActElements) -> Iterator[tuple[str, str, str]]:
        """Yield each rule that an act breaks, with the element at fault and the reason."""
        code, *units = act.jurisdiction.split(";")
        if code in self._closed:
            yield "LX973", code, ""
        days = sorted(each.partition("|")[0] for each in act.details.partition(";")[0].split(","))
        first, last = days[0], days[-1]
        if len(first) == len("2000") and first == last and first.isdecimal():
            first, last = f"{first}-01-01", f"{first}-12-31"
        elif not all(day[:4].isdecimal() and len(day) == len("2000-01-01") for day in days):
            return
        elements = [("LX970", _list_notations(issuer)) for issuer in act.authority.split("+")]
        elements += [("LX971", (";".join(units[: at + 1]),)) for at in range(len(units))]
        elements.append(("LX972", _list_notations(act.measure)))
        for rule, notations in elements:
            for notation in notations:
                spans = self._spans(rule, code, notation)
                # The end is the first day after the time.
                if spans and not any(
                    (start is None or start <= last) and (end is None or first < end)
                    for start, end in spans
                ):
                    known = (
                        (f"from {start}" if start else "", f"until {end}" if end else "")
                        for start, end in spans
                    )
                    times = ", ".join(" ".join(filter(None, each)) for each in known)
                    yield rule, notation, f"existed {times}"
                    break

    def _find_spans(self, rule: str, code: str, notation: str) -> _Spans:
        """Return the times of a notation; none where an entry has no bounds."""
        law = self._registry.law(code)
        lexicons: dict[str, Lexicon] = {
            "LX970": law.authorities,
            "LX971": law.units,
            "LX972": law.measures,
        }
        entries = lexicons[rule].by_notation(notation)
        spans = {(entry.valid_from, entry.valid_until) for entry in entries}
        if (None, None) in spans:
            return ()
        return tuple(sorted(spans, key=lambda span: (span[0] or "", span[1] or "9999")))


def _list_notations(element: str) -> tuple[str, ...]:
    """Return an issuer or a measure whole, and without its bodies or specifications."""
    return tuple(dict.fromkeys((element, element.partition(";")[0])))


_CREATE_ALIKE: Final = """CREATE TABLE alike (
name TEXT PRIMARY KEY, key BLOB, kind BLOB, set_id INTEGER) WITHOUT ROWID"""
_INDEX_ALIKE: Final = (
    "CREATE INDEX alike_by_key ON alike (key)",
    """CREATE TABLE short AS
    SELECT detail.jurisdiction, detail.number, detail.year, alike.kind, alike.set_id, detail.act
    FROM detail CROSS JOIN alike ON alike.name = detail.act WHERE detail.date = detail.year""",
    "CREATE INDEX short_by_kind ON short (jurisdiction, number, year, kind)",
)
_CREATE_SERIES: Final = "CREATE TABLE series (kind TEXT, year TEXT, number INTEGER, name TEXT)"
_INDEX_SERIES: Final = "CREATE INDEX series_by_kind ON series (kind, year, number)"
_STEP: Final = 10_000
_LONGEST_NUMBER: Final = 9


class IndexedAct(NamedTuple):
    """Row of the index: an act, or an alias of one."""

    name: str
    set_id: int
    elements: ActElements


def _read_acts(spool: CheckSpool, on_progress: ProgressCallback) -> Iterator[IndexedAct]:
    """Yield the acts and aliases of acts in use, sorted by name."""
    query = (
        "SELECT name, set_id, jurisdiction, authority, measure, details "
        "FROM act WHERE NOT withdrawn ORDER BY name"
    )
    for count, (name, set_id, *elements) in enumerate(spool.rows(query)):
        if count % _STEP == 0:
            on_progress("comparing names", count, None)
        yield IndexedAct(name, set_id, ActElements(*elements))


def _fill_wording(spool: CheckSpool, wording: ActWording, on_progress: ProgressCallback) -> None:
    """Note name and kind of each act at the last stage, and the acts with a year for a date."""

    def digest(text: str) -> bytes:
        return hashlib.blake2b(text.encode(), digest_size=12).digest()

    def list_rows() -> Iterator[tuple[str, bytes, bytes, int]]:
        for act in _read_acts(spool, on_progress):
            name, kind = wording.write_stages(act.elements)[-1], wording.write_kind(act.elements)
            yield act.name, digest(name), digest(kind), act.set_id

    spool.execute(_CREATE_ALIKE)
    spool.fill("INSERT INTO alike VALUES (?, ?, ?, ?)", list_rows())
    spool.execute(*_INDEX_ALIKE)


def _fill_series(spool: CheckSpool, on_progress: ProgressCallback) -> None:
    """Note kind, year and each whole number of the acts with a whole date."""

    def list_rows() -> Iterator[tuple[str, str, int, str]]:
        for act in _read_acts(spool, on_progress):
            *kind, details = act.elements
            days, _, numbers = details.partition(";")
            if days[:4].isdecimal() and days[4:5] == "-":
                for number in numbers.split(","):
                    if number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER:
                        yield ":".join(kind), days[:4], int(number), act.name

    spool.execute(_CREATE_SERIES)
    spool.fill("INSERT INTO series VALUES (?, ?, ?, ?)", list_rows())
    spool.execute(_INDEX_SERIES)


_OTHERS: Final = 20

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


def find_collisions(
    index: Index,
    spool: CheckSpool,
    rules: Collection[str],
    *,
    registry: Registry | None = None,
    on_progress: ProgressCallback,
) -> Iterator[CheckFinding]:
    """Yield the findings of the rules on names.

    Args:
        index: the names of a catalogue.
        spool: the spool for working tables.
        rules: codes of the rules to apply.
        registry: the registry of words; None for the built-in one.
        on_progress: receives the steps of the work.

    Raises:
        CatalogueError: the index cannot be read.
    """
    registry = registry or load_registry()
    wording, times = ActWording(registry), RegistryTimes(registry)
    spool.attach("names", index)
    if not {*WORDING_STAGES, "LX966", "LX967"}.isdisjoint(rules):
        _fill_wording(spool, wording, on_progress)
    if "LX974" in rules:
        _fill_series(spool, on_progress)
    finders: tuple[tuple[set[str], Finder], ...] = (
        ({"LX961"}, lambda tables: _find_shared(tables, "LX961", _URLS)),
        ({"LX966", "LX967"}, _find_years_for_dates),
        ({"LX968"}, lambda tables: _find_shared(tables, "LX968", _SETS)),
        ({"LX969"}, _find_strange_aliases),
        ({"LX974"}, _find_gaps),
        ({"LX975"}, lambda tables: _find_shared(tables, "LX975", _SPELLINGS)),
        (set(WORDING_STAGES), lambda tables: _find_similar_names(tables, wording)),
        (
            {"LX970", "LX971", "LX972", "LX973"},
            lambda tables: _find_outside_times(tables, times, on_progress),
        ),
    )
    for codes, find in finders:
        if not codes.isdisjoint(rules):
            on_progress("comparing names", 0, None)
            yield from find(spool)


def _make_finding(rule: str, names: Iterable[str], value: str | None = None) -> CheckFinding:
    """Make a finding on several names, of which the first is the node."""
    each = iter(names)
    first, others = next(each), tuple(islice(each, _OTHERS))
    more = sum(1 for _ in each)
    return CheckFinding(
        rule=rule,
        focus=_format_node(first),
        others=others,
        value=value,
        detail=f"and {more:,} more" if more else "",
    )


def _format_node(name: str) -> str:
    found = check(name).name
    return f"<{name if found is None else found.iri}>"


def _find_shared(tables: CheckSpool, rule: str, query: str) -> Iterator[CheckFinding]:
    """Yield a finding for each URL, spelling or alias set that a query gives with several names."""
    for text, rows in groupby(tables.rows(query), key=itemgetter(0)):
        value = _VALUE_WRITERS[rule](text) if rule in _VALUE_WRITERS else None
        yield _make_finding(rule, (name for _, name in rows), value)


_VALUE_WRITERS: Final = {"LX961": "<{}>".format, "LX975": format_literal}


def _find_years_for_dates(tables: CheckSpool) -> Iterator[CheckFinding]:
    for short, rows in groupby(tables.rows(_YEARS), key=itemgetter(0)):
        dated = [whole for _, whole in rows]
        yield _make_finding("LX966" if len(dated) == 1 else "LX967", [short, *dated])


def _find_strange_aliases(tables: CheckSpool) -> Iterator[CheckFinding]:
    for alias, details, name, others, is_one_kind in tables.rows(_ALIASES):
        days, _, numbers = details.partition(";")
        their_days, _, their_numbers = others.partition(";")
        times, their_times = _list_times(days), _list_times(their_days)
        years = times | their_times
        is_other_number = _strip_numbers(numbers, years).isdisjoint(
            _strip_numbers(their_numbers, years)
        )
        is_other_time = times.isdisjoint(their_times)
        if is_one_kind and _is_given(numbers) and _is_given(their_numbers):
            is_strange = is_other_number or is_other_time
        else:
            is_strange = is_other_number and is_other_time
        if is_strange:
            yield _make_finding("LX969", (alias, name))


def _strip_numbers(numbers: str, years: Collection[str]) -> set[str]:
    """Return the numbers of an act without additions of editors and leading zeros."""
    bare = (drop_thousands(drop_year(number, years)) for number in numbers.split(","))
    return {number.lstrip("0") for number in bare}


def _is_given(numbers: str) -> bool:
    """Return True if the numbers are those of an issuer, not of a registrar (§6.3.3)."""
    return all(number[:1].isdecimal() for number in numbers.split(","))


def _list_times(days: str) -> set[str]:
    """Return the years of dates, and periods as they are."""
    return {day[:4] if day[:4].isdecimal() else day for day in days.split(",")}


def _find_similar_names(tables: CheckSpool, wording: ActWording) -> Iterator[CheckFinding]:
    for _, rows in groupby(tables.rows(_ALIKE), key=itemgetter(0)):
        yield from compare_names(
            [(row[1], row[2], wording.write_stages(ActElements(*row[3:]))) for row in rows]
        )


def compare_names(acts: list[tuple[str, int, tuple[str, ...]]]) -> Iterator[CheckFinding]:
    """Yield findings on names that are one at the last stage, each at its first stage."""
    above: dict[int, int] = {}  # alias sets that were joined, as trees
    for stage, rule in enumerate(WORDING_STAGES):
        groups: dict[str, list[tuple[str, int]]] = {}
        for name, number, stages in acts:
            groups.setdefault(stages[stage], []).append((name, number))
        for names in groups.values():
            first: dict[int, str] = {}
            for name, number in names:
                first.setdefault(find_root(above, number), name)
            if len(first) > 1:
                yield _make_finding(rule, sorted(first.values()))
                one, *others = first
                above.update(dict.fromkeys(others, one))


def _find_outside_times(
    tables: CheckSpool, times: RegistryTimes, on_progress: ProgressCallback
) -> Iterator[CheckFinding]:
    for act in _read_acts(tables, on_progress):
        for rule, element, detail in times.find_faults(act.elements):
            yield CheckFinding(
                rule=rule,
                focus=_format_node(act.name),
                value=format_literal(element),
                detail=detail,
            )


_SERIES: Final = "SELECT kind, year, number, name FROM series ORDER BY kind, year, number, name"
_ENOUGH: Final = 10
_DENSE: Final = 0.75
_SHOWN_GAPS: Final = 50


def _find_gaps(tables: CheckSpool) -> Iterator[CheckFinding]:
    """Yield the gaps in series that are nearly complete."""
    for (kind, year), rows in groupby(tables.rows(_SERIES), key=itemgetter(0, 1)):
        held: dict[int, str] = {}
        for _, _, number, name in rows:
            held.setdefault(number, name)
        first, last = min(held), max(held)
        missing = last - first + 1 - len(held)
        if missing and len(held) >= _ENOUGH and len(held) >= _DENSE * (last - first + 1):
            gaps = [
                f"{one + 1}" if one + 1 == other - 1 else f"{one + 1}-{other - 1}"
                for one, other in pairwise(sorted(held))
                if other - one > 1
            ]
            ranges = ", ".join(gaps[:_SHOWN_GAPS]) + (", ..." if len(gaps) > _SHOWN_GAPS else "")
            yield CheckFinding(
                rule="LX974",
                focus=_format_node(held[first]),
                detail=f"{kind} of {year}: of {first} to {last}, {missing} missing: {ranges}",
            )
