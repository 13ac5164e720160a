"""Words of the headers of tables, in many languages, and what they mean.

The words are data: ``ontology/column_words.json``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from lexurn import data
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Notation(NamedTuple):
    """Notation of identifiers that contain parts of a name, but not the number as it is cited.

    Attributes:
        pattern: a regular expression.
        jurisdiction: the jurisdiction that uses it.
    """

    pattern: str
    jurisdiction: str


class HeaderWords(NamedTuple):
    """Words of headers.

    Attributes:
        roles: by role, the groups of words of which a header must have all, and their languages.
        force: states of force by the words for them.
        answers: True and False by the words for yes and no.
        calendars: jurisdictions whose tables have days of a calendar of their own.
        notations: identifiers that contain parts of a name.
        number_marks: regular expressions of what stands before a number in an address.
        number_frames: regular expressions of numbers between two signs.
        scripts: languages by the Unicode names of scripts that no other language has.
    """

    roles: Mapping[str, Mapping[tuple[str, ...], tuple[str, ...]]]
    force: Mapping[str, str]
    answers: Mapping[str, bool]
    calendars: Mapping[str, Sequence[str]]
    notations: Mapping[str, Notation]
    number_marks: Sequence[str]
    number_frames: Sequence[str]
    scripts: Mapping[str, str]


@lru_cache(maxsize=1)
def load_header_words() -> HeaderWords:
    """Load the words of headers and of states of force in all languages.

    Cyrillic and Greek words count in Latin letters, too, as the fields of databases have them.
    """
    from anyascii import anyascii  # noqa: PLC0415 - a table of all scripts

    table = json.loads(data.read_text("ontology/column_words.json"))
    roles: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
    for role, words in table["headers"].items():
        groups = roles.setdefault(role, {})
        for language, found in words.items():
            for each in found:
                group = tuple(each.split())
                groups[group] = (*groups.get(group, ()), language)
                if _EASTERN_EUROPEAN.search(each):
                    groups.setdefault(tuple(anyascii(each).split()), (language,))
    force = {
        make_key(each): state
        for state, words in table["force"].items()
        for found in words.values()
        for each in found
    }
    answers = {word: key == "yes" for key, words in table["answers"].items() for word in words}
    notations = {
        name: Notation(each["pattern"], each["jurisdiction"])
        for name, each in table["notations"].items()
    }
    numbers = table["number_marks"], table["number_frames"]
    others = table["calendars"], notations, *numbers, table["scripts"]
    return HeaderWords(roles, force, answers, *others)


_EASTERN_EUROPEAN = re.compile("[\u0370-\u052f]")
_DIGRAPH = re.compile("([aou])e|(?<=a)a")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|_")
_MEMBER = re.compile(r"(?<=\w\w)\.(?=\w\w)")  # of an object in JSON, as "document.date"
# Characters of a part of a compound; words of East Asian scripts are short.
_SHORTEST_PART, _SHORTEST_EASTERN, _FIRST_EASTERN = 6, 2, "\u2e80"


def list_header_words(header: str) -> tuple[str, ...]:
    """List the keys of the words of a header, such as ``signing_date`` or ``signingDate``."""
    return tuple(make_key(_PARTS.sub(" ", _MEMBER.sub(" ", header))).split())


class HeaderRoles(NamedTuple):
    """Roles of a header.

    Attributes:
        words: by role, the words of the header that say so.
        languages: the languages of these words, each with a weight.
    """

    words: Mapping[str, frozenset[str]]
    languages: Mapping[str, float]


@lru_cache(maxsize=1024)
def find_roles(header: str) -> HeaderRoles:
    """Find the roles that the words of a header have."""
    # Databases write "ae", "oe" and "ue" for letters with marks; keys have them without these.
    members = [
        {_DIGRAPH.sub(r"\1", each): each for each in words} | {each: each for each in words}
        for words in map(list_header_words, _MEMBER.split(header))
    ]
    found: dict[str, set[str]] = {}
    languages: Counter[str] = Counter()
    for role, groups in load_header_words().roles.items():
        for (group, spoken), words in product(groups.items(), members):
            matches = [_find_word(each, words) for each in group]
            if all(matches):
                found.setdefault(role, set()).update(filter(None, matches))
                languages.update(dict.fromkeys(spoken, 1 / len(spoken)))
    return HeaderRoles({role: frozenset(each) for role, each in found.items()}, languages)


def guess_header_language(headers: Sequence[str]) -> str | None:
    """Guess the language of most headers, None where that is not certain."""
    found: Counter[str] = Counter()
    for header in headers:
        found.update(find_roles(header).languages)
    (best, most), (_, second), *_ = [*found.most_common(2), ("", 0), ("", 0)]
    return best if most > 1 and most > 1.2 * second else None


def _find_word(wanted: str, words: Mapping[str, str]) -> str | None:
    """Find a word by its spellings, or one that begins or ends with it, as compounds do."""
    if wanted in words:
        return words[wanted]
    if len(wanted) < (_SHORTEST_PART if wanted < _FIRST_EASTERN else _SHORTEST_EASTERN):
        return None
    # A word with a role of its own is not a compound: "signature" does not end in "nature".
    compounds = [each for each in words if not {each, words[each]} & load_single_words()]
    return next(
        (words[each] for each in compounds if each.startswith(wanted) or each.endswith(wanted)),
        None,
    )


@lru_cache(maxsize=1)
def load_single_words() -> frozenset[str]:
    """Load the words that have a role alone."""
    groups = (group for found in load_header_words().roles.values() for group in found)
    return frozenset(group[0] for group in groups if len(group) == 1)
