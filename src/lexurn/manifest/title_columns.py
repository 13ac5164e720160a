"""Columns for people: titles, with their language, and web addresses of pages and copies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.manifest.columns import (
    ADDRESS,
    FEWEST_DISTINCT,
    LONG_TEXT,
    has_titles,
    is_address,
    is_latin,
    is_phrase,
)
from lexurn.manifest.encodings import guess_language

if TYPE_CHECKING:
    from lexurn.manifest.mapping_draft import MappingDraft

_LONGEST_TITLE, _FEW_ROWS = 1_000, 10  # characters, on average; rows too few for shares
_NO_TITLE = frozenset({"authority", "id", "note", "number", "office", "other-act"})
_COPY = re.compile(r"\.(?:pdf|docx?|odt|rtf|xml|epub)(?:[?#]|$)", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")


def take_addresses(draft: MappingDraft) -> None:
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


def guess_text_language(draft: MappingDraft) -> str | None:
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


def take_titles(draft: MappingDraft) -> None:
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
    asked = [each for each in likely if each.cells and each.distinct >= FEWEST_DISTINCT]
    asked = [each for each in asked if not each.is_mostly(_COPY.search)]
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
