"""Collisions: names beside each other and beside the registry, which no shape sees (RFC 9676 9.3).

Each rule has a finder: SQL over the tables of the index, or a walk through the acts. Names are
compared with less and less of their spelling (sections 3.3 to 4.3). Each stage sets one more thing
aside: zeros in front of numbers, accents and letters outside ASCII, connectives, what a dialect
writes otherwise, and at last the words themselves, for which the registry's take their place, the
order of issuers, dates and numbers, and what texts add to these.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from functools import lru_cache
from itertools import compress, groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.catalogue.findings import CheckFinding, CheckRule
from lexurn.catalogue.index import Index
from lexurn.catalogue.keys import make_number_key, make_rows
from lexurn.catalogue.normalisation import (
    load_vocabulary,
    mark_meaningful_words,
    normalise_jurisdiction,
)
from lexurn.dialect import convert
from lexurn.minting import drop_thousands, drop_year
from lexurn.name import check
from lexurn.registry import load_jurisdictions, make_key
from lexurn.registry import load_registry as built_in
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Holdings
    from lexurn.catalogue.findings import CheckSpool
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.catalogue.normalisation import LegalVocabulary
    from lexurn.registry import Entry, Lexicon, Registry

    ProgressCallback = Callable[[str, int, int | None], None]

    Finder = Callable[[CheckSpool], Iterator[CheckFinding]]

_STATE_ALIAS: Final = (
    "If they are one act, state one name as an alias of the other (alias_of); if they are two, "
    "nothing has to be done."
)
_CORRECT_REGISTRY: Final = (
    "Correct the name, by an alias of the right one and a withdrawal of the wrong one; or correct "
    "the dates in the registry: lexurn registry."
)


def _make_warning(code: str, name: str, basis: str, message: str, advice: str) -> CheckRule:
    return CheckRule(
        code=code,
        name=name,
        severity=Severity.WARNING,
        message=message,
        basis=f"RFC 9676 {basis}",
        advice=advice,
    )


def _make_remark(code: str, name: str, basis: str, message: str, advice: str) -> CheckRule:
    return CheckRule(
        code=code,
        name=name,
        severity=Severity.INFO,
        message=message,
        basis=f"RFC 9676 {basis}",
        advice=advice,
    )


COLLISION_RULES: Final = (
    _make_warning(
        "LX960",
        "two works for one name",
        "§9.3, §10.3",
        "When names are normalised (words by the registry, numbers without dots for thousands or "
        "the year behind them), these names of different works are one.",
        _STATE_ALIAS,
    ),
    _make_warning(
        "LX961",
        "one URL for several works",
        "§5.2",
        "One copy is said to be of several works (URLs are compared letter for letter).",
        "If the copy holds them all, as a gazette does, nothing has to be done; otherwise correct "
        "the URL of all but one.",
    ),
    _make_warning(
        "LX962",
        "names that differ in dialect",
        "§1, §3.3",
        "These names of different works differ only in the dialect that they are written in.",
        _STATE_ALIAS,
    ),
    _make_warning(
        "LX963",
        "names that differ in connectives",
        "§4.1",
        "These names of different works differ only in connectives, which names do without.",
        _STATE_ALIAS,
    ),
    _make_warning(
        "LX964",
        "names that differ in accents",
        "§3.4",
        "These names of different works differ only in accents or other letters outside ASCII.",
        _STATE_ALIAS,
    ),
    _make_warning(
        "LX965",
        "names that differ in leading zeros",
        "§6.3.1",
        "These names of different works differ only in zeros in front of a number.",
        _STATE_ALIAS,
    ),
    _make_warning(
        "LX966",
        "year for a date",
        "§3.6, §5.5",
        "This name has a year only; an act of the same kind and number has a whole date in it.",
        "If they are one act, state the name with the year as an alias of the one with the date.",
    ),
    _make_warning(
        "LX967",
        "year for several dates",
        "§3.6, §9.3",
        "This name has a year only; several acts of the same kind and number have whole dates in "
        "it, so that it names none of them.",
        "Find out which one is meant, and state the name with the year as an alias of it; or "
        "withdraw it.",
    ),
    _make_warning(
        "LX968",
        "several works in one alias set",
        "§5.5",
        "These acts are none of them an alias, but are taken for one work, since a name below one "
        "is an alias of a name below the other.",
        "State one act as an alias of the other if they are one work; otherwise correct the alias "
        "that joins them.",
    ),
    _make_warning(
        "LX969",
        "alias of another act",
        "§5.5",
        "This name is an alias of a name in the same jurisdiction that has neither its date or "
        "year nor its number; or, where authority and measure are the same, has not both.",
        "Look whether they are one act; if not, correct the alias.",
    ),
    _make_warning(
        "LX970",
        "authority outside its time",
        "§9.2, §6.1",
        "The date of the act lies outside the time in which, by the registry, its authority was.",
        _CORRECT_REGISTRY,
    ),
    _make_warning(
        "LX971",
        "jurisdiction outside its time",
        "§9.2, §2.1",
        "The date of the act lies outside the time in which, by the registry, its jurisdiction "
        "was.",
        _CORRECT_REGISTRY,
    ),
    _make_warning(
        "LX972",
        "measure outside its time",
        "§9.2, §6.2",
        "The date of the act lies outside the time in which, by the registry, there was such a "
        "measure.",
        _CORRECT_REGISTRY,
    ),
    _make_remark(
        "LX973",
        "jurisdiction-code that is closed",
        "§2.2",
        "By the registry the jurisdiction-code is closed for new names.",
        "Old names keep it; a new act needs a name with the code that took its place.",
    ),
    _make_remark(
        "LX974",
        "gaps in a series of numbers",
        "§9.3",
        "Numbers are missing between those of the acts of one kind and year, of which ten or more "
        "are held, and three of four.",
        "Look whether these acts exist and were not loaded.",
    ),
    _make_warning(
        "LX975",
        "one spelling for several works",
        "§9.3",
        "One spelling in a dialect is stated of several works, so that it leads to none of them.",
        "Leave the spelling out of all names but the one that it belongs to.",
    ),
)
#: The stages in order: the codes of the rules whose names are alike from there on.
WORDING_STAGES: Final = ("LX965", "LX964", "LX963", "LX962", "LX960")
_WORD: Final = re.compile(r"[^.;+,:-]+")
_LOCAL: Final = re.compile(r"\|[^,;]*")


class ActElements(NamedTuple):
    """The name of an act, by elements as the index has them."""

    jurisdiction: str
    authority: str
    measure: str
    details: str


class ActWording:
    """How the acts of a catalogue are worded, by the words of a registry."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; what was seen of authorities and measures is kept for a while."""
        self._registry = registry
        self._heads = lru_cache(maxsize=65_536)(self._made)

    def stages(self, act: ActElements) -> tuple[str, ...]:
        """The name at each stage, as texts that are equal where names are alike."""
        days, _, numbers = act.details.partition(";")
        years = {day[:4] for day in days.split(",")}
        plain = ",".join(make_number_key(each) for each in numbers.split(","))
        bare = self._bare(plain, act.jurisdiction)
        ordered = (
            ",".join(sorted(_LOCAL.sub("", days).split(","))),
            ",".join(sorted(_normalise_number(each, years) for each in bare.split(","))),
        )
        heads = self._heads(act.jurisdiction, act.authority, act.measure)
        written = ((days, plain), (days, bare), (days, bare), (days, bare), ordered)
        return tuple(
            f"{head}:{when};{number}" for head, (when, number) in zip(heads, written, strict=True)
        )

    def kind(self, jurisdiction: str, authority: str, measure: str) -> str:
        """Jurisdiction, authority and measure at the last stage: whose acts of which kind."""
        return self._heads(jurisdiction, authority, measure)[-1]

    def _made(self, jurisdiction: str, authority: str, measure: str) -> tuple[str, ...]:
        """What stands before the details at each stage."""
        given = f"{jurisdiction}:{authority}:{measure}"
        bare = self._bare(given, jurisdiction)
        short = self._short(bare, jurisdiction)
        dialect = self._short(
            self._bare(_convert_head(given, self._registry), jurisdiction), jurisdiction
        )
        return given, bare, short, dialect, self._known(dialect)

    def _bare(self, text: str, jurisdiction: str) -> str:
        """The words without accents and encoding."""
        tongue = load_vocabulary(self._registry, jurisdiction.partition(";")[0])
        return _WORD.sub(lambda word: _strip_word(word[0], tongue), text)

    def _short(self, text: str, jurisdiction: str) -> str:
        """The elements without connectives, unless nothing else is there."""
        tongue = load_vocabulary(self._registry, jurisdiction.partition(";")[0])
        where, _, rest = text.partition(":")
        return f"{where}:" + re.sub(
            r"[^;+,:]+", lambda element: _drop_connectives(element[0], tongue), rest
        )

    def _known(self, text: str) -> str:
        """The elements as the registry writes them, issuers sorted."""
        jurisdiction, authority, measure = text.split(":", 2)
        law = self._registry.law(jurisdiction.partition(";")[0])
        known = normalise_jurisdiction(jurisdiction, self._registry)
        issuers = sorted(_write_issuer(issuer, law.authorities) for issuer in authority.split("+"))
        kind, semicolon, behind = measure.partition(";")
        written = _find_notation(measure, law.measures) or (
            (_find_notation(kind, law.measures) or kind) + semicolon + behind
        )
        return f"{known}:{'+'.join(issuers)}:{written}"


def _normalise_number(text: str, years: Collection[str]) -> str:
    """A number without what texts add to it: the year behind, dots for thousands."""
    return drop_thousands(drop_year(text, years))


def _strip_word(word: str, tongue: LegalVocabulary) -> str:
    if word.isascii() and word.isalnum():
        return word
    return make_key(tongue.folded(unquote(word))).replace(" ", "") or word


def _drop_connectives(element: str, tongue: LegalVocabulary) -> str:
    words = element.split(".")
    borne = mark_meaningful_words(words, tongue.connectives, tongue.designates)
    return ".".join(compress(words, borne))


def _convert_head(head: str, registry: Registry) -> str:
    """What stands before the details as its dialect's readers write it by the RFC."""
    name = convert(f"urn:lex:{head}:2000-02-03;4", registry=registry).name
    if name is None:
        return head
    work = name.work
    return f"{name.jurisdiction}:{work.authority}:{work.measure}"


def _write_issuer(issuer: str, authorities: Lexicon) -> str:
    """An issuer as the registry writes it: whole, else its institution."""
    institution, semicolon, behind = issuer.partition(";")
    whole = _find_notation(issuer, authorities)
    return whole or (_find_notation(institution, authorities) or institution) + semicolon + behind


def _find_notation(text: str, lexicon: Lexicon) -> str | None:
    """How the registry writes what it knows by a word; None where that is nothing, or several."""
    if lexicon.by_notation(text):
        return text
    found = {entry.notation for entry in lexicon.find(text.replace(".", " ").replace(";", " "))}
    return found.pop() if len(found) == 1 else None


_Spans = tuple[tuple[str | None, str | None], ...]


class RegistryTimes:
    """When, by a registry, there was what names speak of."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; what was looked up is kept for a while."""
        self._registry = registry
        self._spans = lru_cache(maxsize=65_536)(self._spans_of)
        self._closed = frozenset(
            code for code, concept in load_jurisdictions().items() if concept.obsolete
        )

    def against(self, act: ActElements) -> Iterator[tuple[str, str, str]]:
        """The rules that an act breaks, each with what of it does, and how."""
        first, last = _find_days(act.details)
        code, *units = act.jurisdiction.split(";")
        if code in self._closed:
            yield "LX973", code, ""
        if first is None or last is None:
            return
        for issuer in act.authority.split("+"):
            yield from self._outside("LX970", code, _shorten_element(issuer), (first, last))
        for place in range(len(units)):
            unit = ";".join(units[: place + 1])
            yield from self._outside("LX971", code, (unit,), (first, last))
        yield from self._outside("LX972", code, _shorten_element(act.measure), (first, last))

    def _outside(
        self, rule: str, code: str, notations: tuple[str, ...], days: tuple[str, str]
    ) -> Iterator[tuple[str, str, str]]:
        """What the first notation that was not there says; a whole one stands before its start."""
        for notation in notations:
            spans = self._spans(rule, code, notation)
            if spans and not any(_is_overlapping(start, end, days) for start, end in spans):
                known = ", ".join(_format_span(start, end) for start, end in spans)
                yield rule, notation, f"was there {known}"
                return

    def _spans_of(self, rule: str, code: str, notation: str) -> _Spans:
        """The times of what has a notation; none where any of it was always there."""
        law = self._registry.law(code)
        lexicon: Lexicon = {
            "LX970": law.authorities,
            "LX971": law.units,
            "LX972": law.measures,
        }[rule]
        entries = lexicon.by_notation(notation)
        if any(_is_open(entry) for entry in entries):
            return ()
        spans = {(entry.valid_from, entry.valid_until) for entry in entries}
        return tuple(sorted(spans, key=lambda span: (span[0] or "", span[1] or "9999")))


def _shorten_element(element: str) -> tuple[str, ...]:
    """An issuer or a measure whole, and without its bodies or specifications."""
    return tuple(dict.fromkeys((element, element.partition(";")[0])))


def _is_open(entry: Entry) -> bool:
    return entry.valid_from is None and entry.valid_until is None


def _find_days(details: str) -> tuple[str | None, str | None]:
    """The first and the last day that the date of an act may be; None where it has none."""
    written = details.partition(";")[0].split(",")
    days = sorted(each.partition("|")[0] for each in written)
    first, last = days[0], days[-1]
    if not (first[:4].isdecimal() and last[:4].isdecimal()):
        return None, None
    if len(first) == len("2000") and first == last:
        return f"{first}-01-01", f"{first}-12-31"
    return (first, last) if all(len(day) == len("2000-01-01") for day in days) else (None, None)


def _is_overlapping(start: str | None, end: str | None, days: tuple[str, str]) -> bool:
    """Whether a time and some days have a day in common; the end is the first day after it."""
    first, last = days
    return (start is None or start <= last) and (end is None or first < end)


def _format_span(start: str | None, end: str | None) -> str:
    since = f"from {start}" if start else ""
    until = f"until {end}" if end else ""
    return " ".join(filter(None, (since, until)))


_TABLES: Final = (
    "CREATE TABLE alias_set (id INTEGER PRIMARY KEY, key TEXT)",
    """CREATE TABLE act (name TEXT PRIMARY KEY, set_id INTEGER, jurisdiction TEXT, authority TEXT,
    measure TEXT, details TEXT, canonical TEXT, withdrawn INTEGER) WITHOUT ROWID""",
    """CREATE TABLE detail (jurisdiction TEXT, number TEXT, year TEXT, date TEXT, act TEXT,
    PRIMARY KEY (jurisdiction, number, year, date, act)) WITHOUT ROWID""",
    "CREATE TABLE copy (url TEXT, set_id INTEGER)",
    "CREATE INDEX copy_by_url ON copy (url, set_id)",
    "CREATE TABLE spelling (text TEXT, name TEXT)",
)
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
_BATCH: Final = 500
_STEP: Final = 10_000
_DAY: Final = dt.date(2000, 1, 1)
_LONGEST_NUMBER: Final = 9

ActRow = tuple[str, int, str, str, str, str, str | None, int]


def attach_tables(holdings: Holdings, spool: CheckSpool, told: ProgressCallback) -> None:
    """Make the tables of the index be there: its own, or others made of what is held.

    Raises:
        CatalogueError: what is held cannot be read.
    """
    if isinstance(holdings, Index):
        spool.attach("names", holdings)
        return
    with spool.faults():
        for statement in _TABLES:
            spool.database.execute(statement)
    for first, rows in _make_family_rows(holdings, told):
        numbered = list(enumerate(rows, first))
        for table, values in _make_values(numbered).items():
            marks = ", ".join("?" * len(values[0])) if values else ""
            spool.fill(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)  # noqa: S608 - from below


def _make_family_rows(
    holdings: Holdings, told: ProgressCallback
) -> Iterator[tuple[int, list[FamilyRows]]]:
    """The rows of what is held, some families at a time, with the number of the first."""
    keys = holdings.keys()
    done, some = 0, list(_take_batch(keys))
    while some:
        yield done, [make_rows(family, b"", _DAY) for family in holdings.families(some)]
        done += len(some)
        told("reading names", done, None)
        some = list(_take_batch(keys))


def _take_batch(keys: Iterator[str]) -> Iterator[str]:
    for _, key in zip(range(_BATCH), keys, strict=False):
        yield key


def _make_values(families: Sequence[tuple[int, FamilyRows]]) -> dict[str, list[tuple[object, ...]]]:
    return {
        "alias_set": [(number, each.key) for number, each in families],
        "act": [(name, number, *rest) for number, each in families for name, *rest in each.acts],
        "detail": [row for _, each in families for row in each.details],
        "copy": [(url, number) for number, each in families for url, *_ in each.copies],
        "spelling": [row for _, each in families for row in each.spellings],
    }


def read_acts(spool: CheckSpool, told: ProgressCallback) -> Iterator[ActRow]:
    """The acts and aliases of acts, withdrawn ones too, sorted by name."""
    query = (
        "SELECT name, set_id, jurisdiction, authority, measure, details, canonical, withdrawn "
        "FROM act ORDER BY name"
    )
    for count, row in enumerate(spool.rows(query)):
        if count % _STEP == 0:
            told("comparing names", count, None)
        yield row


def fill_wording(spool: CheckSpool, wording: ActWording, told: ProgressCallback) -> None:
    """Note of each act in use what it is called when all spelling is set aside, and of which kind.

    And which acts have a year for a date.
    """
    with spool.faults():
        spool.database.execute(_CREATE_ALIKE)
    spool.fill(
        "INSERT INTO alike VALUES (?, ?, ?, ?)",
        (_make_alike_row(row, wording) for row in read_acts(spool, told) if not row[7]),
    )
    with spool.faults():
        for statement in _INDEX_ALIKE:
            spool.database.execute(statement)


def fill_series(spool: CheckSpool, told: ProgressCallback) -> None:
    """Note of each act in use its number among those of its kind and year."""
    with spool.faults():
        spool.database.execute(_CREATE_SERIES)
    spool.fill(
        "INSERT INTO series VALUES (?, ?, ?, ?)",
        (each for row in read_acts(spool, told) if not row[7] for each in _make_series_rows(row)),
    )
    with spool.faults():
        spool.database.execute(_INDEX_SERIES)


def _make_alike_row(row: ActRow, wording: ActWording) -> tuple[str, bytes, bytes, int]:
    """Name, name and kind without spelling, and alias set of an act."""
    act = ActElements(*row[2:6])
    kind = wording.kind(act.jurisdiction, act.authority, act.measure)
    return row[0], _digest(wording.stages(act)[-1]), _digest(kind), row[1]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def _make_series_rows(row: ActRow) -> Iterator[tuple[str, str, int, str]]:
    """Kind, year and number of an act with a whole date, for each number that is one."""
    name, _, jurisdiction, authority, measure, details, _, _ = row
    days, _, numbers = details.partition(";")
    year = days[:4]
    if days[4:5] != "-" or not year.isdecimal():
        return
    for number in numbers.split(","):
        if number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER:
            yield f"{jurisdiction}:{authority}:{measure}", year, int(number), name


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


def find_collisions(
    holdings: Holdings,
    spool: CheckSpool,
    rules: Collection[str],
    *,
    registry: Registry | None = None,
    told: ProgressCallback,
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
    wording = ActWording(known)
    attach_tables(holdings, spool, told)
    if _WORDING_RULES & set(rules):
        fill_wording(spool, wording, told)
    if "LX974" in rules:
        fill_series(spool, told)
    finders: tuple[tuple[frozenset[str], Finder], ...] = (
        (frozenset({"LX961"}), _find_shared_urls),
        (frozenset({"LX966", "LX967"}), _find_years_for_dates),
        (frozenset({"LX968"}), _find_joined_works),
        (frozenset({"LX969"}), _find_strange_aliases),
        (frozenset({"LX974"}), _find_gaps),
        (frozenset({"LX975"}), _find_shared_spellings),
        (frozenset(WORDING_STAGES), lambda tables: _find_similar_names(tables, wording)),
        (_TIME_RULES, lambda tables: _find_outside_times(tables, RegistryTimes(known), told)),
    )
    for codes, find in finders:
        if codes & set(rules):
            told("comparing names", 0, None)
            yield from find(spool)


_TIME_RULES: Final = frozenset({"LX970", "LX971", "LX972", "LX973"})
_WORDING_RULES: Final = {*WORDING_STAGES, "LX966", "LX967"}


def _make_finding(rule: str, names: Iterable[str], value: str | None = None) -> CheckFinding:
    """A finding on several names, the first of which stands for it."""
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
    """The node of a canonical name."""
    found = check(name).name
    return f"<{name if found is None else found.iri}>"


def _find_shared_urls(tables: CheckSpool) -> Iterator[CheckFinding]:
    for url, rows in groupby(tables.rows(_URLS), key=lambda row: row[0]):
        yield _make_finding("LX961", (key for _, key in rows), f"<{url}>")


def _find_shared_spellings(tables: CheckSpool) -> Iterator[CheckFinding]:
    for text, rows in groupby(tables.rows(_SPELLINGS), key=lambda row: row[0]):
        yield _make_finding("LX975", (name for _, name in rows), _format_literal(text))


def _format_literal(text: str) -> str:
    for one, other in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(one, other)
    return f'"{text}"'


def _find_joined_works(tables: CheckSpool) -> Iterator[CheckFinding]:
    for _, rows in groupby(tables.rows(_SETS), key=lambda row: row[0]):
        yield _make_finding("LX968", (name for _, name in rows))


def _find_years_for_dates(tables: CheckSpool) -> Iterator[CheckFinding]:
    for short, rows in groupby(tables.rows(_YEARS), key=lambda row: row[0]):
        dated = [whole for _, whole in rows]
        yield _make_finding("LX966" if len(dated) == 1 else "LX967", [short, *dated])


def _find_strange_aliases(tables: CheckSpool) -> Iterator[CheckFinding]:
    for alias, details, name, others, is_one_kind in tables.rows(_ALIASES):
        days, _, numbers = details.partition(";")
        their_days, _, their_numbers = others.partition(";")
        times, their_times = _list_times(days), _list_times(their_days)
        years = times | their_times
        is_other_number = _normalise_numbers(numbers, years).isdisjoint(
            _normalise_numbers(their_numbers, years)
        )
        is_other_time = times.isdisjoint(their_times)
        if is_one_kind and _is_given(numbers) and _is_given(their_numbers):
            is_strange = is_other_number or is_other_time
        else:
            is_strange = is_other_number and is_other_time
        if is_strange:
            yield _make_finding("LX969", (alias, name))


def _normalise_numbers(numbers: str, years: Collection[str]) -> set[str]:
    """The numbers of an act, without what editors write in them or leave out."""
    bare = (drop_thousands(drop_year(number, years)) for number in numbers.split(","))
    return {number.lstrip("0") for number in bare}


def _is_given(numbers: str) -> bool:
    """Whether an issuer gave numbers: not titles, nor the numbers of registrars (section 6.3.3)."""
    return all(number[:1].isdecimal() for number in numbers.split(","))


def _list_times(days: str) -> set[str]:
    """The dates, and the years of bare years with the dates that they may stand for."""
    return {day[:4] if day[:4].isdecimal() else day for day in days.split(",")}


def _find_similar_names(tables: CheckSpool, wording: ActWording) -> Iterator[CheckFinding]:
    for _, rows in groupby(tables.rows(_ALIKE), key=lambda row: row[0]):
        yield from _compare_group(
            [(row[1], row[2], wording.stages(ActElements(*row[3:]))) for row in rows]
        )


def _compare_group(acts: list[tuple[str, int, tuple[str, ...]]]) -> Iterator[CheckFinding]:
    """Names that are one at the last stage, each met with others at the first stage possible."""
    above: dict[int, int] = {}  # alias sets that met, as trees
    for stage, rule in enumerate(WORDING_STAGES):
        groups: dict[str, list[tuple[str, int]]] = {}
        for name, number, stages in acts:
            groups.setdefault(stages[stage], []).append((name, number))
        for names in groups.values():
            first: dict[int, str] = {}
            for name, number in names:
                first.setdefault(_find_root(above, number), name)
            if len(first) > 1:
                yield _make_finding(rule, sorted(first.values()))
                one, *others = first
                above.update(dict.fromkeys(others, one))


def _find_root(above: dict[int, int], number: int) -> int:
    """The alias set that stands for all that one met; ways there are halved."""
    while (further := above.get(number)) is not None:
        above[number] = above.get(further, further)
        number = further
    return number


def _find_outside_times(
    tables: CheckSpool, times: RegistryTimes, told: ProgressCallback
) -> Iterator[CheckFinding]:
    for row in read_acts(tables, told):
        if not row[7]:
            for rule, what, detail in times.against(ActElements(*row[2:6])):
                yield CheckFinding(
                    rule=rule,
                    focus=_format_node(row[0]),
                    value=_format_literal(what),
                    detail=detail,
                )


def _find_gaps(tables: CheckSpool) -> Iterator[CheckFinding]:
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
                focus=_format_node(held[first]),
                detail=(
                    f"{kind} of {year}: of {first} to {last}, {missing} missing: "
                    f"{_format_ranges(sorted(held))}"
                ),
            )


def _format_ranges(held: list[int]) -> str:
    """The numbers between those held, as ranges."""
    gaps = [
        f"{one + 1}" if one + 1 == other - 1 else f"{one + 1}-{other - 1}"
        for one, other in pairwise(held)
        if other - one > 1
    ]
    more = ", ..." if len(gaps) > _SHOWN_GAPS else ""
    return ", ".join(gaps[:_SHOWN_GAPS]) + more
