"""Proposal of a mapping file: a guess for each column of a table, with its reason.

Columns are read by their content first (days, years, addresses, registered measures and issuers,
words of force), and by the words of their headers second (``ontology/column_words.json``). A column
that several meanings fit is left as a comment, with the choices. So is each value that a name needs
and no column gives.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.data import load_table
from lexurn.errors import ManifestError
from lexurn.labels import describe_folders, write_citation
from lexurn.manifest.cells import is_web_url
from lexurn.manifest.columns import (
    ADDRESS,
    FEWEST_DISTINCT,
    LONG_TEXT,
    MANY,
    find_host_code,
    find_roles,
    guess_header_language,
    has_titles,
    is_latin,
    is_phrase,
    list_header_words,
    load_header_words,
)
from lexurn.manifest.day_columns import DAY_COLUMNS, add_date_order, take_days, take_years
from lexurn.manifest.encodings import guess_language
from lexurn.manifest.mapping import find_column
from lexurn.manifest.mapping_draft import Guess, MappingDraft, Proposal
from lexurn.manifest.number_columns import ask_for_cited_days, ask_for_pattern, take_numbers
from lexurn.manifest.table_checks import make_title_key
from lexurn.minting import try_mint
from lexurn.name import is_language_tag
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import Sample
    from lexurn.registry import Registry

_MOST_TYPES = 20  # whose issuers are looked up
_MOST_ROWS = 40  # whose citations are looked for
_LONGEST_TITLE, _FEW_ROWS = 1_000, 10  # characters, on average; rows too few for shares
_NO_TITLE = frozenset({"authority", "id", "note", "number", "office", "other-act"})
_COPY = re.compile(r"\.(?:pdf|docx?|odt|rtf|xml|epub)(?:[?#]|$)", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")
_UNUSED = {
    "id": "an identifier",
    "note": "a note",
    "other-act": "another act",
    "other-matter": "another matter",
}
_FEWEST_TYPES = 0.1  # share of cells that are registered, where the header says that all are types
_LONGEST_WORDS = 80  # characters of a type or half an issuer, on average
_MOST_CODES, _MOST_VALUES = 5, 10  # shown to people
_WORDS = re.compile(r"[^\W\d_]+(?:['\u2019\s]+[^\W\d_]+)*")
_LONG_WORD, _SHORT_WORD = 5, 3
_CAPITALS = re.compile(rf"^[^\W\d_]{{{_LONG_WORD},}}|_")  # too long for an acronym
_CODE = re.compile(r"\d+(?:[./-]\d+)*")


def propose_mapping(
    sample: Sample,
    constants: Mapping[str, str] | None = None,
    *,
    registry: Registry | None = None,
) -> Proposal:
    """Propose a mapping file for a table.

    Args:
        sample: its columns and first rows.
        constants: values that all rows have: ``jurisdiction``, ``authority`` or ``measure``.
        registry: the registry of measures and issuers; None for the built-in one.

    Raises:
        ManifestError: no column holds days, years or numbers, so that no row has a name.
    """
    draft = MappingDraft(sample, constants or {}, registry or load_registry())
    draft.language = _guess_text_language(draft)
    is_named = _take_names(draft)
    if not is_named:
        _take_jurisdiction(draft)
    _take_addresses(draft)
    take_days(draft, "issued" if is_named else "date")
    if not is_named:
        take_years(draft)
        take_numbers(draft)
        _take_measures(draft)
        _take_authorities(draft)
    _take_force(draft)
    _ask_for_languages(draft)
    _take_titles(draft)
    _check_content(draft)
    missing = () if is_named else _list_missing(draft)
    add_date_order(draft)
    _find_repeated_rows(draft)
    _ask_for_citations(draft)
    for column in list(draft.left.values()):
        kinds = " or ".join(words for role, words in _UNUSED.items() if role in column.roles)
        by = f"{kinds} by the header: " if kinds else ""
        draft.ignore(column.header, by + column.show(2) if column.cells else "empty")
    return Proposal(sample, tuple(draft.guesses), missing)


def _take_names(draft: MappingDraft) -> bool:
    """Take the column of names, and those of manifests; return whether there are names."""
    for column in draft.columns:
        names = column.count(lambda cell: cell.lower().startswith("urn:lex:"))
        if column.has_most(names):
            draft.take(column, "urn", f"{column.share(names)} are names")
            for other in list(draft.left.values()):
                if find_column(other.header, other.header) is not None:
                    draft.take(other, other.header, "a column of manifests")
            return True
    return False


def _check_content(draft: MappingDraft) -> None:
    """Refuse a table in which nothing tells one act from another."""
    if {"urn", "date", "period", "number", "citation", *DAY_COLUMNS.values()} & draft.list_parts():
        return
    day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").search
    dated = (
        f'; cells of "{each.header}" contain dates ({found[0][0]}): if they are those of the acts, '
        "read them with [patterns] in a mapping file"
        for each in draft.columns
        if len(found := [*filter(None, map(day, each.cells))]) >= MANY * len(each.cells) > 0
    )
    raise ManifestError(
        f"{draft.sample.file}: no column has dates or numbers, so no name can be minted from this "
        f"table; add the numbers or dates of the acts, or their names (urn){next(dated, '')}"
    )


# --- registered words -----------------------------------------------------------------


def _take_jurisdiction(draft: MappingDraft) -> None:
    """Take the column of the jurisdictions, or guess one.

    Identifiers such as CELEX numbers make no name alone, and are left out.
    """
    known = frozenset(load_table("jurisdictions")["codes"])
    for column in list(draft.left.values()):
        codes = Counter(cell.partition(";")[0].lower() for cell in column.cells)
        number = sum(times for code, times in codes.items() if code in known)
        is_stated = "jurisdiction" not in column.roles or "jurisdiction" in draft.list_given()
        if not is_stated and column.has_most(number):
            draft.take(column, "jurisdiction", f"{column.share(number)} are codes")
            draft.codes = tuple(codes)[:_MOST_CODES]
    for column, (name, notation) in product(draft.columns, load_header_words().notations.items()):
        number = column.count(re.compile(notation["pattern"]).search)
        if column.has_most(number):
            draft.notation = f"{column.share(number)} in {column.header} are {name}"
            draft.ignore(column.header, f"{name}, which make no name alone")
            if not draft.codes:
                draft.ask("constants", "jurisdiction", notation["jurisdiction"], f"by {name}")
                draft.codes = (notation["jurisdiction"],)
    if not draft.codes:
        _guess_jurisdiction(draft, known)


def _guess_jurisdiction(draft: MappingDraft, known: frozenset[str]) -> None:
    """Guess the jurisdiction by the addresses in the table, or list those of its language."""
    found: Counter[str] = Counter()
    hosts: dict[str, str] = {}
    for column in draft.columns:
        for cell, times in column.counts.items():
            code, host = find_host_code(cell)
            if code in known:
                found[code] += times
                hosts.setdefault(code, host)
    for code, times in found.most_common(1):
        if 2 * times > found.total():
            reason = f"the host {hosts[code]} is there; or a unit of it issued these acts: "
            draft.ask("constants", "jurisdiction", code, f'{reason}"{code};..."')
            draft.codes = (code,)
            return
    language = draft.language or guess_header_language(draft.sample.headers)
    likely = [
        (law.languages.index(language), -len(law.measures), code)
        for code in draft.registry.jurisdictions()
        if language in (law := draft.registry.law(code)).languages and len(code) == 2  # a country
    ]
    draft.codes = tuple(code for _, _, code in sorted(likely))
    spoken = load_table("jurisdiction_concepts")["languages"].items()
    # Countries whose law is not registered.
    others = [code for code, tags in spoken if tags == [language]]
    likely += [(0, 0, code) for code in others if all(place for place, _, _ in likely)]
    listed = ", ".join([code for _, _, code in sorted(likely)][:_MOST_CODES])
    reason = f"the table does not say{f'; by language: {listed}' if listed else ''}"
    draft.ask("constants", "jurisdiction", "", f"{reason}; or use --jurisdiction")


# --- measures and issuers -------------------------------------------------------------


def _take_measures(draft: MappingDraft) -> None:
    """Take the column of the types of act, or ask.

    The first of these rules that names one column decides: its header means types, and some of its
    types are registered; nearly all of its types are; its words stand in titles, too.
    """
    if {"measure", "citation"} & draft.list_given():
        return
    registered: dict[ColumnFacts, int] = {}
    for column in list(draft.left.values()):
        roles = column.roles
        is_format = bool(roles.get("id", set()) & roles.get("measure", set()))
        if "other-act" in roles or is_format or column.length > _LONGEST_WORDS:
            continue
        number = column.count(draft.find_measure)
        is_few = not column.is_varied or column.total < _FEW_ROWS
        if "measure" in roles or (column.has_most(number) and is_few):
            registered[column] = number
    likely = (
        [
            each
            for each, number in registered.items()
            if "measure" in each.roles and number >= max(1, _FEWEST_TYPES * len(each.cells))
        ]
        or [each for each, number in registered.items() if each.has_most(number)]
        or [each for each in registered if _has_words_of_titles(each, draft)]
    )
    if len(likely) == 1:
        (column,) = likely
        number = registered.pop(column)
        share = column.share(number) if number else "none"
        draft.take(column, "measure", f"{share} are registered types")
        laws = [*map(draft.registry.law, draft.codes)] or draft.laws
        short = [each for each in column.counts if each.isupper() or not _WORDS.fullmatch(each)]
        short = [each for each in short if not any(law.measures.find(each) for law in laws)]
        for value in short[:_MOST_VALUES]:
            # A word in capitals would be read as an acronym.
            words = value.replace("_", " ").capitalize() if _CAPITALS.search(value) else value
            draft.ask("values.measure", value, words, "its words, if this is not a type of act")
    asked = _leave_codes(draft, registered, "measure")
    if len(likely) != 1:
        draft.ask_about(asked, "measure", "is it the type of act?")
        if not asked:
            _find_constant_measure(draft)


def _has_words_of_titles(column: ColumnFacts, draft: MappingDraft) -> bool:
    """Return whether a column has a few words that other cells of most rows have, too."""
    if column.digits or 2 * len(column.counts) > column.total:
        return False
    at = draft.sample.headers.index(column.header)
    found = 0
    for row in draft.sample.rows:
        word = row[at].strip().casefold()
        others = " ".join((*row[:at], *row[at + 1 :])).casefold() if len(word) > 3 else ""  # "sfs"
        found += bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", others)) if others else 0
    return 2 * found > len(column.cells)


def _leave_codes(
    draft: MappingDraft, columns: Iterable[ColumnFacts], target: str
) -> list[ColumnFacts]:
    """Leave columns of codes open, with their words to fill in; return the others."""
    words: list[ColumnFacts] = []
    first: dict[tuple[str, ...], str] = {}
    for column in columns:
        twin = first.setdefault(column.cells, column.header)
        codes = f"codes of another table: write their words in [values.{target}]"
        if twin != column.header:
            draft.ignore(column.header, f"the same cells as {twin}")
        elif not column.has_most(column.digits):
            words.append(column)
        elif not column.is_mostly(_CODE.fullmatch):
            draft.ignore(column.header, f"neither words nor codes ({column.show(2)}): no {target}")
        elif len(column.counts) > _MOST_VALUES:
            draft.ignore(column.header, codes)
        else:
            draft.ask_about([column], target, codes)
            listed = {each.key for each in draft.guesses if each.table == f"values.{target}"}
            for code in [each for each in column.counts if each not in listed]:
                draft.ask(f"values.{target}", code, "", f"its words; {column.describe_rows(code)}")
    return words


def _find_constant_measure(draft: MappingDraft) -> None:
    """Take the type of act from the header of the number, or ask."""
    if "citation" in draft.list_parts():
        return
    numbers = [each for each in draft.guesses if "number" in each.parts]
    keys = {each.key for each in numbers if each.is_decided} or {each.key for each in numbers}
    numbered = keys.pop() if len(keys) == 1 else ""
    is_other = "other-matter" in find_roles(numbered).words  # "proposta"
    stem = Path(draft.sample.file).stem
    for text, add, reason in (
        (numbered, draft.ask if is_other else draft.add, f"the header {numbered} names it"),
        (stem if draft.codes else "", draft.ask, "no column has it; the name of the file does"),
    ):
        for key, found in draft.find_measures(text).items():
            entries = (each for law in draft.laws for each in law.measures.find(key))
            named = next((each for each in entries if make_key(each.texts[0]) == key), found)
            label = named.label_in(draft.language or "") or named.texts[0]
            is_start = len(key) >= _LONG_WORD and make_key(label).startswith(key)  # "delib"
            is_whole = key in {make_key(label), make_key(named.texts[0])}
            if len(draft.laws) > 1 and not is_whole and not is_start:
                label = key.capitalize()
            # "reg" may be a register.
            is_sure = is_whole or len(key) > _SHORT_WORD
            (add if is_sure else draft.ask)("constants", "measure", label, reason)
            return


def _take_authorities(draft: MappingDraft) -> None:
    """Take the column of the issuers, or ask."""
    found: dict[ColumnFacts, int] = {}
    stated = draft.constants.get("authority", "")
    for column in list(draft.left.values()):
        if "other-act" in column.roles or column.length > 2 * _LONGEST_WORDS:
            continue
        has_role = bool({"authority", "office"} & column.roles.keys())
        registered = 0
        if has_role or not column.is_varied:
            registered = column.count(
                lambda cell: any(law.authorities.find(cell) for law in draft.laws)
            )
        if has_role or column.has_most(registered):
            found[column] = registered
    if stated:
        _compare_authorities(draft, found, stated)
        return
    words = _leave_codes(draft, found, "authority")
    for column in words:
        share = f"{column.share(found[column])} are registered"
        is_sure = "authority" in column.roles and column.has_most(found[column])
        if is_sure and len(words) == 1:
            draft.take(column, "authority", share)
        else:
            draft.ask_about([column], "authority", f"is it the issuer? {share}")


def _compare_authorities(draft: MappingDraft, columns: Iterable[ColumnFacts], stated: str) -> None:
    """Ask about columns of other issuers than the stated one, or of its bodies; leave codes out."""
    for column in columns:
        bodies = column.count(lambda cell: any(law.bodies.find(cell) for law in draft.laws))
        others = {*map(make_key, column.counts)} - {make_key(stated)}
        if column.has_most(bodies) and len(others) > 1 and "{" not in column.header:
            reason = f"has each body its own numbers ({column.show()})? then remove authority below"
            draft.ask("templates", "authority", f"{stated};{{{column.header}}}", reason)
        elif others and not column.has_most(column.digits) and not column.has_most(bodies):
            reason = f"is it the issuer, instead of {stated} (--authority)?"
            draft.ask_about([column], "authority", reason)
        elif column.counts:
            draft.ignore(column.header, f"--authority states the issuer; here {column.show()}")


# --- force and languages --------------------------------------------------------------


def _take_force(draft: MappingDraft) -> None:
    """Take the column of states of force, or ask for the meaning of its other words."""
    for column in list(draft.left.values()):
        found = {each: _find_force(column.header, each) for each in column.counts}
        known = {each: state for each, state in found.items() if state is not None}
        is_whole = len(known) == len(column.counts)
        if not known or not ("force" in column.roles or _names_force(column.header) or is_whole):
            continue
        for value in [*column.counts][:_MOST_VALUES]:
            state, reason = known.get(value, ""), column.describe_rows(value)
            if is_whole and not state:
                reason += "; no state is published for these"
            if state != value:
                draft.guesses.append(Guess("values.force", value, state, reason, is_whole))
        if is_whole:
            draft.take(column, "force", "states of force")
            return
        draft.ask_about([column], "force", "write all its words under [values.force]")


def _names_force(header: str) -> str | None:
    """Return the state of force that a header names at its end, such as "is repealed"."""
    states, words = load_header_words().force, list_header_words(header)
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return next((states[end] for end in ends if end in states), None)


def _find_force(header: str, cell: str) -> str | None:
    """Find the state of force that a cell states: by its own words, or as an answer to its header.

    Return an empty text for a "no" that leaves the state open, None for other words.
    """
    words, key = load_header_words(), make_key(cell)
    whole = " ".join((*list_header_words(header), key))  # "derogada" and "parcialmente"
    stated = words.force.get(key) or words.force.get(whole)
    state, answer = _names_force(header), words.answers.get(key)
    if stated or state is None or answer is None:
        return stated
    if answer:
        return state
    return "not-in-force" if state == "in-force" else ""


def _ask_for_languages(draft: MappingDraft) -> None:
    """Ask whether the acts are in the languages that a column has."""
    for column in list(draft.left.values()):
        # Longer words are no tags here.
        tags = column.count(lambda cell: len(cell) <= 3 and is_language_tag(cell.lower()))
        if "language" in column.roles and column.has_most(tags) and len(column.counts) > 1:
            draft.ask_about([column], "language", "is the act in this language?")


# --- titles, and web addresses of pages and copies ------------------------------------


def _take_addresses(draft: MappingDraft) -> None:
    """Take the columns of web addresses, and leave out those that are not of one act."""
    for column in list(draft.left.values()):
        good = column.count(lambda cell: all(map(is_web_url, cell.split())))  # one or several
        if not column.has_most(max(column.count(ADDRESS.fullmatch), good)):
            continue
        copies = column.count(_COPY.search)
        is_copy = 2 * copies > len(column.cells) or "copy" in column.roles
        target, kind = ("url", "copies") if is_copy else ("page", "pages")
        if "other-act" in column.roles:
            draft.ignore(column.header, "addresses of other acts, by the header")
        elif not column.is_varied and len(column.cells) >= _FEW_ROWS:
            different = f"{len(column.counts)} different addresses"
            draft.ignore(column.header, f"{different} in {len(column.cells)} rows: not of an act")
        elif not good:
            scheme = column.cells[0].partition(":")[0]
            draft.ignore(column.header, f"{scheme}: addresses are not web addresses")
        elif good < len(column.cells):
            number = len(column.cells) - good
            bad = "1 cell is not, and would reject its row"
            if number > 1:
                bad = f"{number} cells are not, and would reject their rows"
            draft.ask("columns", column.header, target, f"addresses of {kind}, but {bad}")
            draft.ignore(column.header, "some cells are not web addresses; see below")
        else:
            draft.take(column, target, f"{column.share(good)} are web addresses, of {kind}")


def _guess_text_language(draft: MappingDraft) -> str | None:
    """Guess the language of the longest texts, None where their scripts differ.

    Ask about a language that is not the only one of the jurisdiction: it may be of few words.
    """
    texts = [each for each in draft.columns if each.length > LONG_TEXT / 2]
    cells = [cell for each in texts if each.is_mostly(is_phrase) for cell in each.cells[:500]]
    latin = sum(map(is_latin, cells))
    if 0.1 * len(cells) < latin < 0.9 * len(cells):
        return None
    language = guess_language(" ".join(cells))
    spoken = [] if len(draft.codes) != 1 else draft.registry.law(draft.codes[0]).languages
    if language and len(spoken) == 1 and language not in spoken:
        reason = f"the language of {draft.codes[0]}; or {language}, by the words of the texts?"
        draft.ask("", "language", spoken[0], reason)
        return None
    return language


def _take_titles(draft: MappingDraft) -> None:
    """Take the column of titles, or one for each language; or ask."""
    if "title" in draft.list_parts():
        return
    left = [each for each in draft.left.values() if 2 * len(each.cells) > each.total]
    texts = [
        column
        for column in left
        if LONG_TEXT <= column.length <= _LONGEST_TITLE
        and column.distinct > 5 * FEWEST_DISTINCT
        and not {"other-act", "note"} & column.roles.keys()
        and column.is_mostly(is_phrase)
        and not column.is_mostly(lambda cell: "\n" in cell)
    ]
    headed = [each for each in left if "title" in each.roles]
    likely = [each for each in headed if not _NO_TITLE & each.roles.keys()]
    titles = (
        [each for each in headed if each in texts]
        or [each for each in likely if has_titles(each)]
        or [each for each in texts if "summary" in each.roles]
        or [each for each in left if "summary" in each.roles and has_titles(each)]
    )
    # Offices write one title for many acts: "Ordinanza di chiusura di strada".
    varied = [e for e in likely if e.distinct >= FEWEST_DISTINCT or e.is_mostly(is_phrase)]
    asked = [each for each in varied if not each.is_mostly(_COPY.search)]
    if asked and not titles:
        draft.ask_about([*asked, *texts], "title", "is it the title?")
        return
    by = "by the header" if titles else "the only column of long texts"
    titles = titles or texts
    tags = {each: guess_language(" ".join(each.cells[:500])) for each in titles}
    if len(titles) == 1:
        (column,) = titles
        draft.take(column, "title", f"{len(column.counts)} different texts; {by}")
        if draft.language is not None:
            draft.add("", "language", draft.language, f"by the words of {column.header}")
    elif not titles or None in tags.values() or len({*tags.values()}) < len(tags):
        draft.ask_about(titles, "title", "is it the title?")
        return
    else:
        for column, tag in tags.items():
            draft.take(column, f"title@{tag}", "by the header, and the language of its words")
    tagged = {each.header: each.count(_TAG.search) for each in titles}
    if any(tagged.values()):
        found = ", ".join(f"{times} in {header}" for header, times in tagged.items() if times)
        draft.add("", "titles", "html", f"cells with tags or entities: {found}")


# --- parts that no column gives -------------------------------------------------------


def _list_missing(draft: MappingDraft) -> tuple[str, ...]:
    """List the missing parts of a name, each with a line to fill in, and a missing title."""
    given, asked = draft.list_given(), draft.list_parts()
    if draft.notation and not {"number", "citation"} & asked:
        reason = f"{draft.notation}, which make no name alone: use the column of the citations"
        draft.ask("templates", "citation", "{COLUMN}", reason)
        asked.add("citation")
    if "citation" in asked - given:
        asked |= {"measure", "number", "date"}  # it may give all of them
    missing = [] if "jurisdiction" in given else ["jurisdiction"]
    if not given & {"measure", "citation"}:
        missing.append("measure")
        if "measure" not in asked:
            draft.ask("constants", "measure", "", "no column has the type of act")
    if not given & {"number", "citation"}:
        missing.append("number")
        if "number" not in asked and not ask_for_pattern(draft, "number"):
            reason = (
                "no column has numbers: lexurn mint TABLE --map MAP --catalogue law --out "
                "acts.csv gives each act its own, and acts.csv is published"
            )
            draft.ask("constants", "unnumbered", "true", reason)
    is_cited = not {"date"} & given and not {"citation"} & asked and ask_for_cited_days(draft)
    if is_cited or not given & {"date", "period", "citation"}:
        missing.append("date")
        if not is_cited and not asked & {"date", "period"}:
            ask_for_pattern(draft, "period")
    if "authority" not in given:
        issuers = [] if "citation" in given else _find_issuers(draft)
        missing += ["authority"] if issuers is None else []
        known = f"; else {', '.join(issuers)}" if issuers else ""
        draft.ask("constants", "authority", "", f"the issuer, if all rows have one{known}")
    missing += ["title"] if "title" in asked - given and not _list_titles(draft) else []
    return tuple(missing)


def _find_issuers(draft: MappingDraft) -> list[str] | None:
    """Find the issuers that the types of act state; None if one of the first of them has none."""
    column = draft.find_target("measure")
    measures = {str(e.value) for e in draft.guesses if e.is_decided and e.key == "measure"}
    if column is not None:
        measures = {*draft.list_cells(column)} - {""}
    if not {"jurisdiction", "measure"} <= draft.list_given() or not measures:
        return None
    code = draft.constants.get("jurisdiction", draft.codes[0])
    fields = {"jurisdiction": code, "number": "1", "period": "2000"}
    minted = [try_mint({**fields, "measure": each}) for each in sorted(measures)[:_MOST_TYPES]]
    if any(found.component == "authority" for each in minted for found in each.findings):
        return None
    return sorted({str(each.name).split(":")[3] for each in minted if each.name is not None})


def _find_repeated_rows(draft: MappingDraft) -> None:
    """Propose to join rows of one name, if the table has titles and theirs are the same."""
    names = {"jurisdiction", "authority", "measure", "date", "period", "number", "citation"}
    sure = (each for each in draft.guesses if each.is_decided and names & each.parts)
    sources = [each.key for each in sure if each.table in {"columns", "patterns"}]
    given, asked = draft.list_given(), draft.list_parts()
    # A citation may have the date itself, if no column is asked about.
    is_dated = {"date", "period"} & given or not {"date", "period"} & asked
    if not is_dated or not {"number", "citation"} & given:
        return
    places = [draft.sample.headers.index(each) for each in sources]
    titled = _list_titles(draft)
    titles: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    rows = [row for row in draft.sample.rows if any(row[at].strip() for at in places)]
    for row in rows:
        found = titles.setdefault(tuple(row[at].strip() for at in places), set())
        found.add(tuple(make_title_key(row[at]) for at in titled))
    if len(titles) == len(rows):
        return
    # Some may be rejected, and give no name.
    reason = f"{len(rows)} rows have {len(titles)} different values of {', '.join(sources)}"
    different = sum(len(found - {("",) * len(titled)}) > 1 for found in titles.values())
    if different:
        reason += f", {different} of them with several titles: are they one act? then"
        reason += ' write accept = ["LX547"], too'
    elif not titled:
        reason += ", and no column has titles: are rows of one name one act?"
    is_sure = bool(titled) and not different
    draft.guesses.append(Guess("", "distinct", value=True, reason=reason, is_decided=is_sure))


def _list_titles(draft: MappingDraft) -> list[int]:
    """List the places of the columns that have titles."""
    sure = [each for each in draft.guesses if each.is_decided]
    titles = [each for each in sure if any(re.match("title(@|$)", part) for part in each.parts)]
    headers = {each.key if each.table == "columns" else str(each.value)[1:-1] for each in titles}
    return [at for at, each in enumerate(draft.sample.headers) if each in headers]


# --- citations in the words of the publisher ------------------------------------------


def _ask_for_citations(draft: MappingDraft) -> None:
    # A name has no small words and no capitals: "Ville de Paris" is ville.paris in it.
    number, asked = draft.find_target("number"), draft.list_parts()
    if number is None or {"citation", "cited_as"} & asked:
        return
    citing = [each for each in draft.left.values() if _cites_acts(draft, each, number)]
    draft.ask_about(citing, "cited_as", "the citation of the act? pages then use its words")
    sure = [each for each in draft.guesses if each.is_decided]
    texts = {each.key: str(each.value) for each in sure if each.table == "constants"}
    texts |= {str(each.value): f"{{{each.key}}}" for each in sure if each.table == "columns"}
    issuer, code = draft.constants.get("authority", ""), texts.get("jurisdiction", "")
    if citing or not issuer or not {"measure", "date", "jurisdiction"} <= texts.keys():
        return
    fields = {"jurisdiction": code, "authority": issuer, "measure": "x", "period": "2000"}
    name = try_mint({**fields, "number": "1"}).name
    language = draft.language or next(iter(draft.laws[0].languages), "")
    words = issuer if name is None else describe_folders(name, language)[1]
    if words != issuer:
        parts = {each: texts[each] for each in ("authority", "measure", "date", "number")}
        cited = write_citation(code.partition(";")[0], language, **parts)
        draft.ask("templates", "cited_as", cited, f"without it, pages write {words}")


def _cites_acts(draft: MappingDraft, column: ColumnFacts, number: str) -> bool:
    """Return whether most cells of a column have a word, and behind it the number of their row."""
    pairs = zip(draft.list_cells(column.header), draft.list_cells(number), strict=True)
    cells = [pair for pair in pairs if all(pair)][:_MOST_ROWS]
    found = sum(
        bool(re.search(rf"[^\W\d_].*\W{re.escape(own)}(?!\w)", cell)) for cell, own in cells
    )
    return found >= MANY * len(cells) > 0
