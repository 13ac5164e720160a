"""Proposal of a mapping file: a guess for each column of a table, with its reason.

Columns are read by their content first (days, years, addresses, registered measures and issuers,
words of force), and by the words of their headers second (``ontology/column_words.json``). A column
that several meanings fit is left as a comment, with the choices. So is each value that a name needs
and no column gives.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.data import load_table
from lexurn.errors import ManifestError
from lexurn.manifest.columns import (
    ADDRESS,
    MANY,
    find_host_code,
    find_in_address,
    find_last_words,
    find_number_and_year,
    find_stated_issuers,
    is_address,
    is_count,
    is_latin,
    is_phrase,
    leave_groups,
    make_pattern,
    read_cited_act,
)
from lexurn.manifest.day_columns import (
    DAY_COLUMNS,
    add_date_order,
    leave_milliseconds,
    take_days,
    take_years,
)
from lexurn.manifest.days import guess_day
from lexurn.manifest.encodings import guess_language
from lexurn.manifest.header_words import (
    guess_header_language,
    list_header_words,
    load_header_words,
    load_single_words,
)
from lexurn.manifest.mapping import find_column, find_groups
from lexurn.manifest.mapping_draft import Guess, MappingDraft, Proposal
from lexurn.name import is_language_tag
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.manifest.columns import CitedAct, ColumnFacts
    from lexurn.manifest.mapping_draft import Sample
    from lexurn.registry import Entry, Law, Registry


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
    return _Proposer(sample, constants or {}, registry or load_registry()).propose()


# Shares of different values: numbers of acts begin again each year, but have more than the first;
# types, issuers and states of force repeat, and have fewer than the second.
_FEWEST_DISTINCT, _FEW_DISTINCT = 0.05, 0.5
_FEWEST_TYPES = 0.1  # share of cells that are registered, where the header says that all are types
# Characters: a title has more on average than the first, a number with its words or a type fewer
# than the others.
_LONG_TEXT, _LONGEST_TITLE, _LONGEST_NUMBER, _LONGEST_WORDS = 30, 1_000, 60, 80
_SHORTEST_MEASURE, _FEW_ROWS = 3, 10  # letters of a type; rows too few for shares
_MOST_CELLS, _MOST_CODES, _MOST_VALUES = 40, 5, 10  # tried, or shown to people
_MANY_TO_A_SLIP = 20  # numbers for each one that has leading zeros by a slip
_ZEROS = re.compile(r"0+\d+(?:\s|$)")  # "04-123" and "4-123" are two numbers
_CODE = re.compile(r"[^\W_]+(?:[./-][^\W_]+)*")
_CITING = frozenset({"act", "measure", "number", "summary", "title"})
_LEAST_NUMBER = 2  # rank of a header that names the number of an act
_NO_NUMBER = frozenset(
    {"id", "other-act", "published", "other-date", "authority", "office", "measure", "gazette"}
)
_NO_TITLE = frozenset({"authority", "id", "note", "number", "office", "other-act"})
_UNUSED = ("id", "note", "other-act")
_COPY = re.compile(r"\.(?:pdf|docx?|odt|rtf|xml|epub)(?:[?#]|$)", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")


def _has_words_of_titles(column: ColumnFacts, sample: Sample) -> bool:
    """Return whether a column has a few words that other cells of most rows have, too."""
    if column.digits or 2 * len(column.counts) > column.total:
        return False
    at = sample.headers.index(column.header)
    found = 0
    for row in sample.rows:
        word = row[at].strip().casefold()
        others = " ".join((*row[:at], *row[at + 1 :])).casefold() if len(word) > 2 else ""  # noqa: PLR2004 - "t"
        found += bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", others)) if others else 0
    return 2 * found > len(column.cells)


def _has_titles(column: ColumnFacts) -> bool:
    """Return whether the cells of a column may be short titles: most differ, and are words."""
    is_words = not column.digits or column.has_most(column.count(is_phrase))
    return column.distinct > _FEW_DISTINCT and is_words


class _Proposer(MappingDraft):
    """Proposer for one table."""

    def __init__(self, sample: Sample, constants: Mapping[str, str], registry: Registry) -> None:
        super().__init__(sample)
        self.registry = registry
        self.cited: dict[ColumnFacts, Sequence[CitedAct]] = {}
        self.notation = ""
        self.language = self._guess_language()
        self.constants = constants
        for name, value in constants.items():
            self.add("constants", name, value, f"as --{name} states")
        code = constants.get("jurisdiction", "").partition(";")[0]
        self.codes = (code,) if code else ()

    def propose(self) -> Proposal:
        self._take_names()
        is_named = self.find_target("urn") is not None
        if not (self.codes or is_named or self._take_jurisdictions()):
            self._guess_jurisdiction()
        self._take_addresses()
        leave_milliseconds(self)
        take_days(self, "issued" if is_named else "date")
        if not is_named:
            take_years(self)
            self._leave_notations()
            unsure = self._take_numbers()
            self._take_citations()
            unsure = [each for each in unsure if each.header in self.left]
            self.ask_about(unsure, "number", "is it the number of the act?")
            self._ask_for_citations()
            self._take_measures()
            self._take_authorities()
        self._take_force()
        self._take_languages()
        self._take_titles()
        self._check_content()
        missing = self._list_missing()
        add_date_order(self)
        self._find_repeated_rows()
        for column in list(self.left.values()):
            kinds = " or ".join(role for role in _UNUSED if role in column.roles)
            by = f"{kinds} by the header: " if kinds else ""
            self.ignore(column.header, by + column.show(2) if column.cells else "empty")
        return Proposal(self.sample, tuple(self.guesses), missing)

    def _take_names(self) -> None:
        for column in self.columns:
            names = column.count(lambda cell: cell.lower().startswith("urn:lex:"))
            if column.has_most(names):
                self.take(column, "urn", f"{column.share(names)} are names")
                for other in list(self.left.values()):
                    if find_column(other.header, other.header) is not None:
                        self.take(other, other.header, "a column of manifests")
                return

    def _take_jurisdictions(self) -> bool:
        """Take the column that has the jurisdictions; return whether there is one."""
        known = frozenset(load_table("jurisdictions")["codes"])
        for column in list(self.left.values()):
            codes = column.count(lambda cell: cell.partition(";")[0].lower() in known)
            if "jurisdiction" in column.roles and column.has_most(codes):
                self.take(column, "jurisdiction", f"{column.share(codes)} are codes")
                found = dict.fromkeys(cell.partition(";")[0].lower() for cell in column.counts)
                self.codes = tuple(found)[:_MOST_CODES]
                return True
        return False

    def _guess_jurisdiction(self) -> None:
        """Guess the jurisdiction by the addresses in the table, or list those of its language."""
        known = frozenset(load_table("jurisdictions")["codes"])
        found: Counter[str] = Counter()
        hosts: dict[str, str] = {}
        for column in self.columns:
            for cell, times in column.counts.items():
                code, host = find_host_code(cell)
                if code in known:
                    found[code] += times
                    hosts.setdefault(code, host)
        for name, notation in load_header_words().notations.items():
            search = re.compile(notation.pattern).search
            if any(column.has_most(column.count(search)) for column in self.columns):
                self.ask("constants", "jurisdiction", notation.jurisdiction, f"by {name}")
                self.codes = (notation.jurisdiction,)
                return
        for code, times in found.most_common(1):
            if 2 * times > found.total():
                reason = f"the host {hosts[code]} is there; or a unit of it issued these acts: "
                self.ask("constants", "jurisdiction", code, f'{reason}"{code};..."')
                self.codes = (code,)
                return
        language = self.language or guess_header_language(self.sample.headers)
        likely = [
            (law.languages.index(language), -len(law.measures), code)
            for code in self.registry.jurisdictions()
            if language in (law := self.registry.law(code)).languages and len(code) == 2  # noqa: PLR2004
        ]
        self.codes = tuple(code for _, _, code in sorted(likely))
        listed = ", ".join(self.codes[:_MOST_CODES])
        reason = "the table does not say" + f"; by language: {listed}" * bool(listed)
        self.ask("constants", "jurisdiction", "", f"{reason}; or use --jurisdiction")

    @property
    def laws(self) -> list[Law]:
        """Laws of the jurisdictions that it may be; all where these have no measures."""
        found = [law for law in map(self.registry.law, self.codes) if len(law.measures)]
        return found or [*map(self.registry.law, self.registry.jurisdictions())]

    def _take_addresses(self) -> None:
        for column in list(self.left.values()):
            found = column.count(ADDRESS.fullmatch)
            good = column.count(is_address)
            if not column.has_most(max(found, good)):
                continue
            copies = column.count(_COPY.search)
            is_copy = 2 * copies > len(column.cells) or "copy" in column.roles
            target, kind = ("url", "copies") if is_copy else ("page", "pages")
            if "other-act" in column.roles:
                self.ignore(column.header, "addresses of other acts, by the header")
            elif column.distinct <= _FEW_DISTINCT and len(column.cells) >= _FEW_ROWS:
                different = f"{len(column.counts)} different addresses"
                self.ignore(
                    column.header, f"{different} in {len(column.cells)} rows: not of an act"
                )
            elif not good:
                scheme = column.cells[0].partition(":")[0]
                self.ignore(column.header, f"{scheme}: addresses are not web addresses")
            elif good < len(column.cells):
                number = len(column.cells) - good
                bad = "1 cell is not, and would reject its row"
                if number > 1:
                    bad = f"{number} cells are not, and would reject their rows"
                self.ask("columns", column.header, target, f"addresses of {kind}, but {bad}")
                self.ignore(column.header, "some cells are not web addresses; see below")
            else:
                self.take(column, target, f"{column.share(good)} are web addresses, of {kind}")

    # Numbers

    def _take_numbers(self) -> list[ColumnFacts]:
        """Take the column that has the number of the act, or return those that may have it."""
        candidates = [
            column
            for column in self.left.values()
            if column.digits >= MANY * max(1, len(column.cells))
            and column.length <= _LONGEST_NUMBER
            and column.distinct >= _FEWEST_DISTINCT
            and not column.has_most(column.count(ADDRESS.fullmatch))
        ]
        levels = {column: self._rank_number(column) for column in candidates}
        levels = {
            column: min(1, level)
            if 2 * len(column.cells) < column.total or is_count(column)
            else level
            for column, level in levels.items()
        }
        best = max(levels.values(), default=0)
        first = [column for column, level in levels.items() if level == best]
        if best >= _LEAST_NUMBER and len(first) == 1:
            (column,) = first
            others = [each.header for each in candidates if each is not column and levels[each]]
            more = f"; not {', '.join(others)}" if others else ""
            share, different = column.share(column.digits), f"{len(column.counts)} different"
            reason = f"{share} have digits, {different}; by the header{more}"
            words = find_last_words(column)
            last = rf"(?:\s+{re.escape(words)})?" * bool(words)
            pattern = find_number_and_year(column, is_dated=self.has_date())
            zeros = [] if pattern else [*filter(_ZEROS.match, column.counts)]
            slip = self._find_padded_row(column, zeros) if zeros else ""
            if slip:
                reason += f"; {slip}"
            elif zeros:
                pattern = rf"^(?:0+(?=\d+(?:\s|$)))?(?P<number>.+?){last}$"
                known = f"if citations leave out the leading zeros ({zeros[0]})"
                self.ask("patterns", column.header, pattern, known)
                self.ask_about([column], "number", "if citations have the leading zeros too")
                return []
            if pattern:
                reason += ", with the year"
            elif words:
                pattern, reason = rf"^(?P<number>.*?){last}$", f"{reason}; without {words}"
            self.take(column, "number", reason, pattern)
            return []
        for column in () if best or self.has_date() else list(self.left.values()):
            if dated := find_number_and_year(column, is_dated=False):
                self.ask("patterns", column.header, dated, f"number and year? {column.show(2)}")
                self.ignore(column.header, "number and year of the act? see below")
        return first if best else []

    def _find_padded_row(self, column: ColumnFacts, zeros: Sequence[str]) -> str:
        """Find the row of the few numbers with leading zeros among shorter ones that have none."""
        few = column.count(_ZEROS.match)
        is_few = len(column.cells) >= _MANY_TO_A_SLIP * few
        if not is_few or not any(len(each) < len(zeros[0]) for each in column.counts):
            return ""
        at = self.sample.headers.index(column.header)
        row = [each[at].strip() for each in self.sample.rows].index(zeros[0]) + 1
        return f"{few} with leading zeros, which stay (row {row}, {zeros[0]})"

    def _rank_number(self, column: ColumnFacts) -> int:
        """Rank a column as the number of the act; 0 for none, 1 for one that is asked about."""
        roles = column.roles
        key = " ".join(list_header_words(column.header))
        has_digits = column.has_most(column.count(str.isdecimal)) and not is_count(column)
        if "number" not in roles and has_digits and self._find_measure(key):
            return _LEAST_NUMBER  # "ley" above 21000
        if "number" not in roles:
            if "title" in roles and _has_titles(column):
                return 0
            is_like = column.distinct > _FEW_DISTINCT and not _NO_NUMBER & roles.keys()
            is_like = is_like and not is_count(column)
            return int(is_like and not column.count(lambda cell: len(cell) > _LONG_TEXT))
        if _NO_NUMBER & roles.keys():
            return 1
        words = {*list_header_words(column.header)}
        if words == roles["number"] and words <= load_single_words():
            return _LEAST_NUMBER + 1
        is_of_act = "act" in roles or self.find_measures(column.header)
        return _LEAST_NUMBER if is_of_act else 1

    # Measures and issuers

    def find_measures(self, text: str) -> dict[str, Entry]:
        """Find the words of a header or file name that are a measure, and the measure."""
        words = list_header_words(text)
        for size in range(len(words), 0, -1):
            for start in range(len(words) - size + 1):
                key = " ".join(words[start : start + size])
                if key.isdecimal() or len(key) < _SHORTEST_MEASURE:
                    continue
                singulars = (key, key.removesuffix("s"), key.removesuffix("es"))
                if found := {form: e for form in singulars for e in self._find_measure(form)}:
                    return found
        return {}

    def _find_measure(self, text: str) -> list[Entry]:
        return [entry for law in self.laws for entry in law.measures.find(text)][:1]

    def _take_measures(self) -> None:
        """Take the column of the types of act, or ask.

        The first of these rules that names one column decides: its header means types, and some of
        its types are registered; nearly all of its types are; its words stand in titles, too.
        """
        if {"measure", "citation"} & self.list_given():
            return
        registered: dict[ColumnFacts, int] = {}
        for column in list(self.left.values()):
            roles = column.roles
            is_format = bool(roles.get("id", set()) & roles.get("measure", set()))
            if "other-act" in roles or is_format or column.length > _LONGEST_WORDS:
                continue
            number = column.count(self._find_measure)
            most = _FEW_DISTINCT * len(column.cells)
            is_few = len(column.counts) <= most or column.total < _FEW_ROWS
            if "measure" in roles or (column.has_most(number) and is_few):
                registered[column] = number
        likely = (
            [
                each
                for each, number in registered.items()
                if "measure" in each.roles and number >= max(1, _FEWEST_TYPES * len(each.cells))
            ]
            or [each for each, number in registered.items() if each.has_most(number)]
            or [each for each in registered if _has_words_of_titles(each, self.sample)]
        )
        if len(likely) == 1:
            (column,) = likely
            number = registered.pop(column)
            share = column.share(number) if number else "none"
            self.take(column, "measure", f"{share} are registered types")
            short = [each for each in column.counts if each.isupper() or each.isdecimal()]
            for value in [each for each in short if not self._find_measure(each)][:_MOST_VALUES]:
                self.ask("values.measure", value, value, "its words, if this is not a type of act")
        asked = self._leave_codes(registered, "measure")
        if len(likely) != 1:
            self.ask_about(asked, "measure", "is it the type of act?")
            if not asked:
                self._find_constant_measure()

    def _leave_codes(self, columns: Iterable[ColumnFacts], target: str) -> list[ColumnFacts]:
        """Leave columns of codes open, with their words to fill in; return the others."""
        words: list[ColumnFacts] = []
        first: dict[tuple[str, ...], str] = {}
        for column in columns:
            twin = first.setdefault(column.cells, column.header)
            if twin != column.header:
                self.ignore(column.header, f"the same cells as {twin}")
                continue
            if not column.has_most(column.digits):
                words.append(column)
                continue
            if column.has_most(column.count(lambda cell: any(map(str.isalpha, cell)))):
                self.ignore(column.header, f"words with digits ({column.show(2)}): no {target}")
                continue
            if not column.has_most(column.count(_CODE.fullmatch)):
                self.ignore(column.header, f"several values in a cell ({column.show(2)})")
                continue
            reason = f"codes of another table: write their words in [values.{target}]"
            if len(column.counts) > _MOST_VALUES:
                self.ignore(column.header, reason)
                continue
            self.ask_about([column], target, reason)
            listed = {each.key for each in self.guesses if each.table == f"values.{target}"}
            for code in [each for each in column.counts if each not in listed]:
                self.ask(f"values.{target}", code, "", f"its words; {column.count_rows(code)}")
        return words

    def _find_constant_measure(self) -> None:
        """Take the type of act from the header of the number, or ask."""
        numbers = [each for each in self.guesses if "number" in str(each.value)]
        numbers = [each for each in numbers if each.table in {"columns", "patterns"}]
        keys = {each.key for each in numbers if each.is_decided} or {each.key for each in numbers}
        numbered = keys.pop() if len(keys) == 1 else ""
        stem = Path(self.sample.file).stem
        for text, add, reason in (
            (numbered, self.add, f"the header {numbered} names it"),
            (stem if self.codes else "", self.ask, "no column has it; the name of the file does"),
        ):
            for key, found in self.find_measures(text).items():
                label = found.label_in(self.language or "") or found.texts[0]
                if len(self.laws) > 1 and make_key(label) != key:
                    label = key.capitalize()  # "act" is an abbreviation in another country
                add("constants", "measure", label, reason)
                return

    def _take_authorities(self) -> None:
        found: dict[ColumnFacts, int] = {}
        if "authority" in self.constants:
            return
        for column in list(self.left.values()):
            if "other-act" in column.roles or column.length > 2 * _LONGEST_WORDS:
                continue
            has_role = bool({"authority", "office"} & column.roles.keys())
            registered = 0
            if has_role or column.distinct <= _FEW_DISTINCT:
                registered = column.count(
                    lambda cell: any(law.authorities.find(cell) for law in self.laws)
                )
            if has_role or column.has_most(registered):
                found[column] = registered
        words = self._leave_codes(found, "authority")
        for column in words:
            share = f"{column.share(found[column])} are registered"
            is_sure = "authority" in column.roles and column.has_most(found[column])
            if is_sure and len(words) == 1:
                self.take(column, "authority", share)
            else:
                self.ask_about([column], "authority", f"is it the issuer? {share}")

    # Force, languages, titles

    def _take_force(self) -> None:
        words = load_header_words().force
        for column in list(self.left.values()):
            known = {
                each: words[make_key(each)] for each in column.counts if make_key(each) in words
            }
            is_whole = len(known) == len(column.counts)
            if not known or not ("force" in column.roles or is_whole):
                continue
            for value in [*column.counts][:_MOST_VALUES]:
                state, reason = known.get(value, ""), column.count_rows(value)
                if state != value:
                    self.guesses.append(Guess("values.force", value, state, reason, is_whole))
            if is_whole:
                self.take(column, "force", "states of force")
                return
            self.ask_about([column], "force", "write all its words under [values.force]")

    def _take_languages(self) -> None:
        for column in list(self.left.values()):
            tags = column.count(lambda cell: len(cell) <= 3 and is_language_tag(cell.lower()))  # noqa: PLR2004
            if "language" in column.roles and column.has_most(tags) and len(column.counts) > 1:
                self.ask_about([column], "language", "is the act in this language?")

    def _guess_language(self) -> str | None:
        """Guess the language of the longest texts, None where their scripts differ."""
        texts = [each for each in self.columns if each.length > _LONG_TEXT / 2]
        texts = [each for each in texts if each.has_most(each.count(is_phrase))]
        cells = [cell for column in texts for cell in column.cells[:500]]
        latin = sum(1 for cell in cells if is_latin(cell))
        if 0.1 * len(cells) < latin < 0.9 * len(cells):
            return None
        return guess_language(" ".join(cells))

    def _take_titles(self) -> None:
        texts = [
            column
            for column in self.left.values()
            if _LONG_TEXT <= column.length <= _LONGEST_TITLE
            and column.distinct > _FEW_DISTINCT / 2
            and not {"other-act", "note"} & column.roles.keys()
            and column.has_most(column.count(is_phrase))
            and not column.has_most(column.count(lambda cell: "\n" in cell))
        ]
        if any(each.table == "templates" and each.key == "title" for each in self.guesses):
            return
        headed = [each for each in self.left.values() if "title" in each.roles]
        likely = [each for each in headed if not _NO_TITLE & each.roles.keys()]
        titles = (
            [each for each in headed if each in texts]
            or [each for each in likely if _has_titles(each)]
            or [each for each in texts if "summary" in each.roles]
        )
        asked = [each for each in likely if each.cells and each.distinct >= _FEWEST_DISTINCT]
        asked = [each for each in asked if not each.has_most(each.count(_COPY.search))]
        if asked and not titles:
            self.ask_about([*asked, *texts], "title", "is it the title?")
            return
        by = "by the header" if titles else "the only column of long texts"
        titles = titles or texts
        if len(titles) != 1:
            tags = {each: guess_language(" ".join(each.cells[:500])) for each in titles}
            if not titles or None in tags.values() or len({*tags.values()}) < len(tags):
                self.ask_about(titles, "title", "is it the title?")
                return
            for column, tag in tags.items():
                self.take(column, f"title@{tag}", "by the header, and the language of its words")
            self._find_tags(titles)
            return
        (column,) = titles
        self.take(column, "title", f"{len(column.counts)} different texts; {by}")
        if self.language is not None:
            self.add("", "language", self.language, f"by the words of {column.header}")
        self._find_tags([column])

    def _find_tags(self, columns: Sequence[ColumnFacts]) -> None:
        tagged = {each.header: each.count(_TAG.search) for each in columns}
        if any(tagged.values()):
            found = ", ".join(f"{times} in {header}" for header, times in tagged.items() if times)
            self.add("", "titles", "html", f"cells with tags or entities: {found}")

    def _take_citations(self) -> None:
        """Take a column of citations if no other column has numbers."""
        if "number" in self.list_given():
            return
        for column in list(self.left.values()):
            sample = column.sample(_MOST_CELLS)
            is_other = bool({"other-act", "note"} & column.roles.keys())
            if column.length > 4 * _LONGEST_WORDS or not sample or is_other:
                continue
            for code in self.codes[: 2 * _MOST_CODES]:
                cited = [
                    *filter(None, (read_cited_act(cell, code, self.language) for cell in sample))
                ]
                if 2 * len(cited) >= len(sample) and self._take_cited(column, cited, code):
                    return

    def _leave_notations(self) -> None:
        """Leave out columns of identifiers such as CELEX numbers, which make no name."""
        for column in list(self.left.values()):
            for name, notation in load_header_words().notations.items():
                found = column.count(re.compile(notation.pattern).search)
                if column.has_most(found):
                    self.notation = f"{column.share(found)} in {column.header} are {name}"
                    self.ignore(column.header, f"{name}, which make no name alone")
                    break

    def _ask_for_citations(self) -> None:
        """Ask for the column of the citations where only identifiers were found."""
        used = [each for each in self.guesses if each.table != "ignore"]
        asked = {str(each.value) if each.table == "columns" else each.key for each in used}
        if self.notation and not {"number", "citation"} & (asked | self.list_given()):
            reason = f"{self.notation}, which make no name alone: use the column of the citations"
            self.ask("templates", "citation", "{COLUMN}", reason)

    def _take_cited(self, column: ColumnFacts, cited: Sequence[CitedAct], code: str) -> bool:
        """Take a column in which at least half of the cells cite an act."""
        is_dated = self.find_target("date") is not None
        sample = column.sample(_MOST_CELLS)
        share = f"{len(cited)} of {len(sample)} are citations of {code}"
        pattern = make_pattern(cited, is_dated=is_dated)
        found = [*filter(None, map(re.compile(pattern).match, column.cells))]
        is_most = len(cited) >= MANY * len(sample)
        is_known = all(self._find_measure(each.measure) for each in cited)
        if not _CITING & column.roles.keys():
            if is_most and is_known:
                self.ask_about([column], "citation", f"{share}: of the act itself?")
            return is_most and is_known
        self.cited[column] = cited
        is_whole = all(each.is_whole and (is_dated or each.has_date) for each in cited)
        if is_most and is_known and is_whole:
            self.take(column, "citation", share)
            self._keep_title(column)
            return True
        if pattern and is_known and len(found) >= MANY * len(column.cells):
            if "date" in found[0].groupdict():
                days = (guess_day(each["date"]) for each in found)
                self.days[column.header] = [*filter(None, days)]
            reason = f"{share}; it matches {column.share(len(found))} cells"
            self.add("patterns", column.header, pattern, reason)
            self.left.pop(column.header)
            self._keep_title(column)
            return True
        if pattern and not any(each.has_date for each in cited):
            reason = f"{share}; it matches {column.share(len(found))} cells"
            self.ask("patterns", column.header, pattern, reason)
            if "title" not in column.roles:
                self.ignore(column.header, "type and number of the act? see below")
        elif "title" in column.roles and "{" not in column.header:
            reason = f"{share}, but not all is understood ({column.show()})"
            self.ask("templates", "citation", f"{{{column.header}}}", reason)
        else:
            self.ask_about([column], "citation", f"{share}, but not all is understood")
        return True

    def _keep_title(self, column: ColumnFacts) -> None:
        """Use a column of citations as titles, too, if its header says so."""
        if "title" in column.roles and "{" not in column.header:
            reason = "the citations are titles, too"
            self.add("templates", "title", f"{{{column.header}}}", reason)

    def _check_content(self) -> None:
        """Refuse a table in which nothing tells one act from another."""
        useful = {"urn", "date", "period", "number", "citation", *DAY_COLUMNS.values()}
        templates = {each.key for each in self.guesses if each.table == "templates"}
        is_useful = any(each.table == "patterns" or each.value in useful for each in self.guesses)
        if not is_useful and not templates & useful:
            day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").search
            dated = (
                f'; cells of "{each.header}" contain dates ({found[0][0]}): if they are those of '
                "the acts, read them with [patterns] in a mapping file"
                for each in self.columns
                if len(found := [*filter(None, map(day, each.cells))]) >= MANY * len(each.cells) > 0
            )
            raise ManifestError(
                f"{self.sample.file}: no column has dates or numbers, so no name can be minted "
                "from this table; add the numbers or dates of the acts, or their names (urn)"
                f"{next(dated, '')}"
            )

    def _list_missing(self) -> tuple[str, ...]:
        """List the missing parts of a name, each with a line to fill in, and a missing title."""
        given = self.list_given()
        if "urn" in given:
            return ()
        asked = {str(each.value) for each in self.guesses} | {each.key for each in self.guesses}
        patterns = (str(each.value) for each in self.guesses if each.table == "patterns")
        asked.update(find_groups(patterns))
        missing = [] if "jurisdiction" in given else ["jurisdiction"]
        if "citation" in asked - given:
            asked |= {"measure", "number", "date"}  # it may give all of them
        if not given & {"measure", "citation"}:
            missing.append("measure")
            if "measure" not in asked:
                self.ask("constants", "measure", "", "no column has the type of act")
        if not given & {"number", "citation"}:
            missing.append("number")
            if "number" not in asked and not self._ask_for_pattern("number"):
                reason = (
                    "no column has numbers: lexurn mint TABLE --map MAP --catalogue law --out "
                    "acts.csv gives each act its own, and acts.csv is published"
                )
                self.ask("constants", "unnumbered", "true", reason)
        if not given & {"date", "period", "citation"}:
            missing.append("date")
            if not asked & {"date", "period"}:
                self._ask_for_pattern("period")
        if "authority" not in given:
            issuers = [] if "citation" in given else self._find_issuers(given)
            missing += ["authority"] if issuers is None else []
            known = f"; else {', '.join(issuers)}" if issuers else ""
            self.ask("constants", "authority", "", f"the issuer, if all rows have one{known}")
        missing += ["title"] if "title" in asked - given and not self._list_titles() else []
        return tuple(missing)

    def _find_issuers(self, given: set[str]) -> list[str] | None:
        """Find the issuers that the types of act state; None if one of them states none."""
        column = self.find_target("measure")
        measures = {str(e.value) for e in self.guesses if e.is_decided and e.key == "measure"}
        if column is not None:
            at = self.sample.headers.index(column)
            measures = {row[at].strip() for row in self.sample.rows} - {""}
        if not {"jurisdiction", "measure"} <= given or not measures:
            return None
        return find_stated_issuers(self.constants.get("jurisdiction", self.codes[0]), measures)

    def _ask_for_pattern(self, target: str) -> bool:
        """Propose the piece of a cell in which the value may stand; return whether one is."""
        for column, cited in self.cited.items():
            pattern = leave_groups(make_pattern(cited, is_dated=True), self.list_given())
            found = column.count(re.compile(pattern).match)
            if target == "number" and pattern and 2 * found >= len(column.cells):
                reason = f"{column.share(found)} match; the other rows would be rejected"
                self.ask("patterns", column.header, pattern, reason)
                return True
        for column in self.columns:
            if found_in := find_in_address(column, target):
                self.ask("patterns", column.header, *found_in)
                return True
        return False

    def _find_repeated_rows(self) -> None:
        """Propose to join rows of one name, if the table has titles and theirs are the same."""
        names = ("jurisdiction", "authority", "measure", "date", "period", "number")
        sources = list(filter(None, map(self.find_target, names)))
        sources += [e.key for e in self.guesses if e.is_decided and e.table == "patterns"]
        given = self.list_given()
        if not {"date", "period"} & given or "number" not in given:
            return
        places = [self.sample.headers.index(each) for each in sources]
        titled = self._list_titles()
        titles: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        for row in self.sample.rows:
            found = titles.setdefault(tuple(row[at].strip() for at in places), set())
            found.add(tuple(row[at].strip() for at in titled))
        if len(titles) == len(self.sample.rows):
            return
        reason = f"{len(self.sample.rows)} rows have {len(titles)} different names"
        different = sum(len(found - {("",) * len(titled)}) > 1 for found in titles.values())
        if different:
            reason += f", {different} of them with several titles: are they one act? then"
            reason += ' write accept = ["LX547"], too'
        elif not titled:
            reason += ", and no column has titles: are rows of one name one act?"
        is_sure = bool(titled) and not different
        self.guesses.append(Guess("", "distinct", True, reason, is_decided=is_sure))  # noqa: FBT003 - a value

    def _list_titles(self) -> list[int]:
        """List the places of the columns that have titles."""
        sure = [each for each in self.guesses if each.is_decided]
        headers = {e.key for e in sure if re.match("title(@|$)", str(e.value))}
        headers |= {str(e.value).strip("{}") for e in sure if e.key == "title"}
        return [at for at, each in enumerate(self.sample.headers) if each in headers]
