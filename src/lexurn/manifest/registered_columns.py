"""Columns of registered words: jurisdictions, types of act, issuers, states of force, languages."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.data import load_table
from lexurn.manifest.columns import find_host_code
from lexurn.manifest.header_words import (
    find_roles,
    guess_header_language,
    list_header_words,
    load_header_words,
)
from lexurn.manifest.mapping_draft import Guess
from lexurn.name import is_language_tag
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import MappingDraft

_FEWEST_TYPES = 0.1  # share of cells that are registered, where the header says that all are types
_LONGEST_WORDS = 80  # characters of a type or half an issuer, on average
_FEW_ROWS = 10  # too few for shares
_MOST_CODES, _MOST_VALUES = 5, 10  # shown to people
_WORDS = re.compile(r"[^\W\d_]+(?:['\u2019\s]+[^\W\d_]+)*")
_LONG_WORD, _SHORT_WORD = 5, 3
_CAPITALS = re.compile(rf"^[^\W\d_]{{{_LONG_WORD},}}|_")  # too long for an acronym
_CODE = re.compile(r"\d+(?:[./-]\d+)*")


def take_jurisdiction(draft: MappingDraft) -> None:
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
        number = column.count(re.compile(notation.pattern).search)
        if column.has_most(number):
            draft.notation = f"{column.share(number)} in {column.header} are {name}"
            draft.ignore(column.header, f"{name}, which make no name alone")
            if not draft.codes:
                draft.ask("constants", "jurisdiction", notation.jurisdiction, f"by {name}")
                draft.codes = (notation.jurisdiction,)
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


# Measures and issuers


def take_measures(draft: MappingDraft) -> None:
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


def take_authorities(draft: MappingDraft) -> None:
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


# Force and languages


def take_force(draft: MappingDraft) -> None:
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


def ask_for_languages(draft: MappingDraft) -> None:
    """Ask whether the acts are in the languages that a column has."""
    for column in list(draft.left.values()):
        # Longer words are no tags here.
        tags = column.count(lambda cell: len(cell) <= 3 and is_language_tag(cell.lower()))
        if "language" in column.roles and column.has_most(tags) and len(column.counts) > 1:
            draft.ask_about([column], "language", "is the act in this language?")
