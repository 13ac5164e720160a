"""Proposal of a mapping file: a guess for each column of a table, with its reason.

Columns are read by their content first (days, years, addresses, registered measures and issuers,
words of force), and by the words of their headers second (``ontology/column_words.json``). A column
that several meanings fit is left as a comment, with the choices. So is each value that a name needs
and no column gives.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.labels import describe_folders, write_citation
from lexurn.manifest.cited_days import ask_for_cited_days
from lexurn.manifest.columns import (
    ADDRESS,
    FEWEST_DISTINCT,
    LONG_TEXT,
    MANY,
    has_titles,
    is_address,
    is_latin,
    is_phrase,
)
from lexurn.manifest.day_columns import DAY_COLUMNS, add_date_order, take_days, take_years
from lexurn.manifest.encodings import guess_language
from lexurn.manifest.mapping import find_column
from lexurn.manifest.mapping_draft import Guess, MappingDraft, Proposal
from lexurn.manifest.number_columns import ask_for_pattern, take_numbers
from lexurn.manifest.registered_columns import (
    ask_for_languages,
    take_authorities,
    take_force,
    take_jurisdiction,
    take_measures,
)
from lexurn.manifest.table_checks import make_title_key
from lexurn.minting import try_mint
from lexurn.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        take_jurisdiction(draft)
    _take_addresses(draft)
    take_days(draft, "issued" if is_named else "date")
    if not is_named:
        take_years(draft)
        take_numbers(draft)
        take_measures(draft)
        take_authorities(draft)
    take_force(draft)
    ask_for_languages(draft)
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


# Columns for people: titles, with their language, and web addresses of pages and copies


def _take_addresses(draft: MappingDraft) -> None:
    """Take the columns of web addresses, and leave out those that are not of one act."""
    for column in list(draft.left.values()):
        good = column.count(is_address)
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


# Parts that no column gives


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
        at = draft.sample.headers.index(column)
        measures = {row[at].strip() for row in draft.sample.rows} - {""}
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


# Citations in the words of the publisher


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
    at, of = draft.sample.headers.index(column.header), draft.sample.headers.index(number)
    cells = [(row[at], row[of].strip()) for row in draft.sample.rows if row[at] and row[of].strip()]
    found = sum(
        bool(re.search(rf"[^\W\d_].*\W{re.escape(number)}(?!\w)", cell))
        for cell, number in cells[:_MOST_ROWS]
    )
    return found >= MANY * len(cells[:_MOST_ROWS]) > 0
