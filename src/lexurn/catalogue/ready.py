"""Ready queries of a catalogue in a folder, answered from the lists in its index.

Each answer here equals that of the SPARQL file of the same name: rows, order, types and language
tags. The file is the definition; on a server it runs. `ANSWERS` has the statement of each query.
"""

from __future__ import annotations

import heapq
import json
import time
import weakref
from collections import defaultdict
from itertools import chain, groupby
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

import pyoxigraph

from lexurn.catalogue.catalogue import make_number_key
from lexurn.catalogue.listings import OPEN_END, List, Tally, invert_day
from lexurn.errors import CatalogueError
from lexurn.name import check
from lexurn.store import Solutions, find_ready_query, format_literal
from lexurn.vocabulary import LEXO, XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.catalogue.index import Index
    from lexurn.name import Name
    from lexurn.store import BoundQuery

    Cells = tuple[Any, ...]
    Values = dict[str, str | None]

_FEW: Final = 20_000
"""Number of acts whose rows are sorted sooner than those of all acts are read."""
_FEW_BEGUN: Final = 5_000
"""Number of acts whose versions are sorted sooner than the acts of all days are read."""
_ENOUGH: Final = 5_000
"""Number of acts whose titles tell how rare a text is."""
_RARE: Final = 100
"""A text is rare if fewer than one of so many acts has it."""
_LETTERS: Final = 3
_BEGINNING: Final = (
    "SELECT term FROM temp.letters WHERE term >= :text AND term < :text || char(1114111)"
)
_HEADS: Final = "SELECT text, jurisdiction, authority, measure FROM head"


class _Lists:
    """Lists of a catalogue, open for one answer; all of it is of one moment."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def rows(self, statement: str, values: Values) -> Iterator[Cells]:
        """Yield the rows of an SQL query."""
        return self._index.named_rows(statement, values)

    def count(self, statement: str, values: Values) -> int:
        """Return the only number of an SQL query, 0 for none."""
        return next((number or 0 for (number,) in self.rows(statement, values)), 0)

    def ranges(self, values: Values) -> Iterator[Values]:
        """Yield the values with each range of names whose heads are asked for, in order.

        The names of a head stand together, and so do those of heads in a row.
        """
        keys = ("jurisdiction", "authority", "measure")
        wanted = [(i, values[key]) for i, key in enumerate(keys, 1) if values[key] is not None]
        if not wanted:
            yield values | {"low": "", "high": OPEN_END}
            return
        for is_wanted, some in groupby(
            self.rows(f"{_HEADS} ORDER BY text", {}),
            lambda head: all(head[place] == value for place, value in wanted),
        ):
            if is_wanted:
                texts = [text for text, *_ in some]
                yield values | {"low": texts[0], "high": f"{texts[-1][:-1]};"}

    def open_text(self) -> bool:
        """Open the letters of titles; return whether titles can be found by them."""
        found = self.count("SELECT 1 FROM sqlite_master WHERE name = 'title_text'", {})
        if found:
            self._index.run(
                "CREATE VIRTUAL TABLE temp.letters USING fts5vocab('main', 'title_text', 'row')"
            )
        return bool(found)


class _Answer(NamedTuple):
    """Answer of a ready query.

    Attributes:
        read: reads its rows.
        terms: the writer of each column: a term of SPARQL, or nothing where there is none.
    """

    read: Callable[[_Lists, Values], Iterator[Cells]]
    terms: tuple[Callable[[Any], str], ...]


def _iri(value: str | None) -> str:
    return f"<{value}>" if value else ""


def _some_text(value: str) -> str:
    return format_literal(value) if value else ""


def _day(value: str) -> str:
    return f'"{value}"^^<{XSD}date>' if value else ""


def _changed_day(value: str) -> str:
    return _day(invert_day(value))


def _title(value: _Title) -> str:
    text, language = value
    return format_literal(text) + (f"@{language}" if language else "")


_text, _number = format_literal, str
_class, _language = f"<{LEXO}{{}}>".format, f'"{{}}"^^<{XSD}language>'.format

_IS_HEAD: Final = " AND ".join(
    f"(:{key} IS NULL OR {key} = :{key})" for key in ("jurisdiction", "authority", "measure")
)
_OF_HEADS: Final = f"head IN (SELECT id FROM head WHERE {_IS_HEAD})"


def _select(*statements: str) -> Callable[[_Lists, Values], Iterator[Cells]]:
    """Return a reader of the rows of some statements, one after the other."""
    return lambda lists, values: chain.from_iterable(
        lists.rows(statement, values) for statement in statements
    )


def _select_in_ranges(statement: str) -> Callable[[_Lists, Values], Iterator[Cells]]:
    """Return a reader of the rows of a statement for each range of names."""
    return lambda lists, values: chain.from_iterable(
        lists.rows(statement, each) for each in lists.ranges(values)
    )


def _list(kind: int, columns: str, condition: str, order: str) -> str:
    return f"SELECT {columns} FROM listed WHERE list = {kind} AND {condition} ORDER BY {order}"


def _count_acts(column: str, condition: str = "1") -> str:
    return (
        f"SELECT {column}, sum(acts) FROM head WHERE {condition} GROUP BY {column} "
        f"HAVING sum(acts) > 0 ORDER BY {column}"
    )


def _tally(kind: int, columns: str, condition: str = "1") -> str:
    return (
        f"SELECT {columns}, count FROM tally WHERE tally = {kind} AND count > 0 "
        f"AND {condition} ORDER BY {columns}"
    )


_RANGE: Final = "a >= :low AND a < :high"


def _read_acts_in_force(lists: _Lists, values: Values) -> Iterator[Cells]:
    """Read the acts in force on a day: all in order, or those of few heads, which are sorted."""
    condition = "c <= :date AND e > :date"
    if lists.count(f"SELECT sum(names) FROM head WHERE {_IS_HEAD}", values) <= _FEW:
        statement = (
            f"SELECT a, b, text FROM listed INDEXED BY force_by_act WHERE list = {List.FORCE} "
            f"AND b >= :low AND b < :high AND {condition}"
        )
        found = (row for each in lists.ranges(values) for row in lists.rows(statement, each))
        rows: Iterator[Cells] = iter(sorted(found))
    else:
        condition += f" AND a <= :date AND {_OF_HEADS}"
        rows = lists.rows(_list(List.FORCE, "a, b, text", condition, "a, b"), values)
    for start, act, text in rows:
        yield (act, start, *text.split("\t"))


def _merge_languages(
    lists: _Lists, values: Values, statement: str, *, has_language: bool
) -> Iterator[Cells]:
    """Merge the rows of a statement for the acts of each set of languages, its ``:tags``.

    Args:
        lists: the lists.
        values: the values of the query.
        statement: the statement; its rows are sorted by act.
        has_language: whether the sets have the language that is asked for, or lack it.
    """
    language = values["language"]
    sets = [
        tags
        for tags, _ in lists.rows(_tally(Tally.LANGUAGES, "a"), {})
        if has_language
        == any(
            language is None or tag == language or tag.startswith(f"{language}-")
            for tag in tags.split(" ")
        )
    ]
    for each in lists.ranges(values):
        yield from heapq.merge(*(lists.rows(statement, each | {"tags": tags}) for tags in sets))


_OF_TAGS: Final = "a = :tags AND b >= :low AND b < :high"


def _read_without_language(lists: _Lists, values: Values) -> Iterator[Cells]:
    """Read the acts whose versions have other languages."""
    statement = _list(List.LANGUAGES, "b", _OF_TAGS, "b")
    return _merge_languages(lists, values, statement, has_language=False)


# The unary plus keeps SQLite from a search by the limits of the acts instead of each act.
_VERSIONS_OF_ACTS: Final = (
    "SELECT version.a, version.b, version.c, version.d, version.text FROM (SELECT b AS act "
    f"FROM listed {{}}) CROSS JOIN listed AS version ON version.list = {List.VERSION} "
    "AND version.a = +act WHERE version.d <= :date AND version.e > :date AND (:language IS NULL "
    "OR version.b = :language OR substr(version.b, 1, length(:language) + 1) = :language || '-') "
    "ORDER BY act, version.b, version.c"
)


def _read_versions_in_force(lists: _Lists, values: Values) -> Iterator[Cells]:
    """Read the versions in force on a day: of all acts in order, or of few acts, which are sorted.

    The acts are read before their versions, since few may have the language, or one on the day.
    """
    started = f"INDEXED BY span_by_start WHERE list = {List.LANGUAGES} AND d <= :date"
    first = f"SELECT 1 FROM listed {started} LIMIT {_FEW_BEGUN + 1}"
    if lists.count(f"SELECT count(*) FROM ({first})", values) <= _FEW_BEGUN:
        return lists.rows(_VERSIONS_OF_ACTS.format(f"{started} AND {_OF_HEADS}"), values)
    condition = f"WHERE list = {List.LANGUAGES} AND d <= :date AND e > :date AND {_OF_TAGS}"
    return _merge_languages(lists, values, _VERSIONS_OF_ACTS.format(condition), has_language=True)


def _read_titles(lists: _Lists, values: Values) -> Iterator[Cells]:
    """Read the titles with a text: all in order or, where it is rare, those with its letters."""
    text = (values["text"] or "").lower()
    columns = "SELECT act, text, language FROM title WHERE"
    in_range = f"{columns} act >= :low AND act < :high AND name IS NULL ORDER BY act"
    of_alias = f"{columns} name IS NOT NULL AND {_OF_HEADS} ORDER BY act"
    own = (row for each in lists.ranges(values) for row in lists.rows(in_range, each))
    rows = heapq.merge(own, lists.rows(of_alias, values), key=itemgetter(0))
    may_search = text != "" and lists.open_text()
    done = found = 0
    for act, number, matches in _find_matches(rows, text):
        yield from ((act, title) for title in matches)
        done, found = done + number, found + len(matches)
        if may_search and done >= _ENOUGH and found * _RARE < done:
            break
    else:
        return
    if len(text) < _LETTERS:
        letters, way = {term for (term,) in lists.rows(_BEGINNING, {"text": text})}, " OR "
    else:
        letters = {text[start : start + _LETTERS] for start in range(len(text) - _LETTERS + 1)}
        way = " AND "
    if not letters:
        return
    match = way.join('"{}"'.format(each.replace('"', '""')) for each in sorted(letters))
    rare = (
        f"{columns} id IN (SELECT rowid FROM title_text WHERE title_text MATCH :match) "
        f"AND act > :act AND {_OF_HEADS} ORDER BY act"
    )
    others = lists.rows(rare, values | {"match": match, "act": act})
    for act, _, matches in _find_matches(others, text):
        yield from ((act, title) for title in matches)


_Title = tuple[str, str | None]
"""Text of a title, and its language tag."""


def _find_matches(rows: Iterable[Cells], text: str) -> Iterator[tuple[str, int, list[_Title]]]:
    """Yield each act with the number of its titles, and those of them that have a text."""
    for act, some in groupby(rows, itemgetter(0)):
        titles = {row[1:] for row in some}
        matches = [each for each in titles if text in each[0].lower()]
        yield act, len(titles), sorted(matches, key=_make_title_key)


def _make_title_key(title: _Title) -> tuple[str, bool, str]:
    """Make the sort key of a title, as an engine sorts texts with and without a language."""
    text, language = title
    return text, language is None, language or ""


def _read_year_only(lists: _Lists, values: Values) -> Iterator[Cells]:
    """Read the names with only a year, and the acts with a date in it that they may mean."""
    statement = _list(List.PERIOD, "c, b", f"a = :year AND {_OF_HEADS}", "c")
    heads: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for text, jurisdiction, authority, measure in lists.rows(_HEADS, {}):
        heads[jurisdiction, authority, measure].append(text)
    by_number = (
        "SELECT detail.act, act.canonical FROM detail JOIN act ON act.name = detail.act "
        "WHERE detail.jurisdiction = :jurisdiction AND number = :number AND year = :year"
    )
    for iri, meant in lists.rows(statement, values):
        name = check(iri).name
        if name is None:
            continue
        work = name.work
        candidates: set[str] = set()
        for head in heads[name.jurisdiction.code, str(work.authority), work.measure.type]:
            for number in work.details.numbers:
                key: Values = {"number": make_number_key(number)}
                key["jurisdiction"] = head.split(":")[2]
                for text, canonical in lists.rows(by_number, values | key):
                    other = check(text).name
                    if other is not None and _is_candidate(other, head, number, values["year"]):
                        named = other if canonical is None else check(canonical).name
                        candidates.add((named or other).iri)
        for candidate in sorted(candidates) or [""]:
            is_alias = meant not in {iri, ""} and meant == candidate
            yield iri, candidate, "yes" if is_alias else "no"


def _is_candidate(other: Name, head: str, number: str, year: str | None) -> bool:
    details = other.work.details
    days = (each.iso for each in details.dates if each.day is not None)
    has_day = any(day.startswith(f"{year}-") for day in days)
    return has_day and number in details.numbers and other.iri.startswith(head)


ANSWERS: Final[Mapping[str, _Answer]] = {
    "acts-between": _Answer(
        _select(
            _list(List.DATE, "b, c, a", f"a >= :from AND a < :until AND {_OF_HEADS}", "a, b, c")
        ),
        (_iri, _iri, _day),
    ),
    "acts-in-force": _Answer(_read_acts_in_force, (_iri, _text, _text, _text)),
    "acts-of-year": _Answer(
        _select(
            _list(List.PERIOD, "b, c, a", f"a = :year AND {_OF_HEADS}", "a, b, c"),
            _list(
                List.DATE,
                "b, c, a",
                f"a > :year || '-' AND a < :year || '.' AND {_OF_HEADS}",
                "a, b, c",
            ),
        ),
        (_iri, _iri, _text),
    ),
    "acts-on": _Answer(_select(_list(List.DATE, "b, c", "a = :date", "b, c")), (_iri, _iri)),
    "acts-without-copies": _Answer(
        _select_in_ranges(_list(List.NO_COPY, "a", _RANGE, "a")), (_iri,)
    ),
    "count-by-authority": _Answer(
        _select(_count_acts("authority", "jurisdiction = :jurisdiction")), (_text, _number)
    ),
    "count-by-format": _Answer(_select(_tally(Tally.FORMAT, "a")), (_text, _number)),
    "count-by-jurisdiction": _Answer(_select(_count_acts("jurisdiction")), (_text, _number)),
    "count-by-language": _Answer(_select(_tally(Tally.LANGUAGE, "a")), (_language, _number)),
    "count-by-level": _Answer(_select(_tally(Tally.LEVEL, "a")), (_class, _number)),
    "count-by-measure": _Answer(
        _select(_count_acts("measure", "jurisdiction = :jurisdiction")), (_text, _number)
    ),
    "count-by-year": _Answer(
        _select(_tally(Tally.YEAR, "c", "a = :jurisdiction AND b = coalesce(:authority, '')")),
        (_text, _number),
    ),
    "entering-into-force": _Answer(
        _select(_list(List.ENTERING, "a, b", "a >= :from AND a < :until", "a, b")), (_day, _iri)
    ),
    "leaving-force": _Answer(
        _select(_list(List.LEAVING, "a, b", "a >= :from AND a < :until", "a, b")), (_day, _iri)
    ),
    "modified-since": _Answer(
        _select(_list(List.MODIFIED, "a, b", "a <= :day", "a, b")), (_changed_day, _iri)
    ),
    "on-concept": _Answer(_select(_list(List.CONCEPT, "b", "a = :concept", "b")), (_iri,)),
    "on-subject": _Answer(_select(_list(List.SUBJECT, "b", "a = :subject", "b")), (_iri,)),
    "possible-doubles": _Answer(
        _select_in_ranges(_list(List.PAIR, "a, b", _RANGE, "a, b")), (_iri, _iri)
    ),
    "shared-copies": _Answer(
        _select(
            "SELECT a, sum(CAST(text AS INTEGER)) AS works FROM listed "
            f"WHERE list = {List.SHARED} GROUP BY a HAVING works > 1 ORDER BY a"
        ),
        (_iri, _number),
    ),
    "titles-with": _Answer(_read_titles, (_iri, _title)),
    "undated-versions": _Answer(
        _select_in_ranges(
            _list(
                List.UNDATED,
                "a, substr(text, 1, instr(text, char(9)) - 1), "
                "substr(text, instr(text, char(9)) + 1)",
                _RANGE,
                "a",
            )
        ),
        (_iri, _text, _number),
    ),
    "unknown-amendments": _Answer(_select(_list(List.UNKNOWN, "a, b", "1", "a, b")), (_iri, _iri)),
    "versions-in-force": _Answer(_read_versions_in_force, (_iri, _text, _iri, _day, _some_text)),
    "withdrawn": _Answer(_select(_list(List.WITHDRAWN, "a, text", "1", "a")), (_iri, _day)),
    "works-without-language": _Answer(_read_without_language, (_iri,)),
    "year-only": _Answer(_read_year_only, (_iri, _iri, _text)),
}
"""Ready queries that lists answer, by name; `modified-since` sorts days from the last."""


def answer_from_lists(
    index: Index,
    text: BoundQuery,
    *,
    keep: Callable[[Index], None],
    generation: str | None,
    most: int | None = None,
    timeout: float | None = None,
) -> Solutions | None:
    """Answer a ready query from the lists of an index; None where only SPARQL can.

    Args:
        index: the index, open for this answer alone.
        text: a query of `ANSWERS`.
        keep: takes the index back when a whole answer was read; it is closed otherwise.
        generation: the stamp of the store whose answer it must be; None for the present one.
        most: number of rows after which the answer ends.
        timeout: seconds for the answer.

    Raises:
        CatalogueError: the index cannot be read; also while the answer is read.
    """
    try:
        index.run("BEGIN")  # all statements read what is held now
        if not index.can_answer(generation):
            index.close()
            return None
        stream = _AnswerStream(index, text, keep, most, timeout)
        rows = pyoxigraph.parse_query_results(
            cast("IO[bytes]", stream), pyoxigraph.QueryResultsFormat.TSV
        )
    except BaseException:
        index.close()
        raise
    return Solutions(cast("pyoxigraph.QuerySolutions", rows), stream)


_STEPS: Final = 10_000
"""Instructions of SQLite between two looks at the clock."""


class _AnswerStream:
    """Rows of an answer as lines of TSV, made when they are read.

    Attributes:
        has_more: whether the answer went on where it was cut.
    """

    def __init__(
        self,
        index: Index,
        text: BoundQuery,
        keep: Callable[[Index], None],
        most: int | None,
        timeout: float | None,
    ) -> None:
        self.has_more = False
        self._index, self._keep = index, keep
        self.close = weakref.finalize(self, index.close)
        query = find_ready_query(text.name)
        values: Values = dict.fromkeys(("jurisdiction", "authority", "measure", "language"))
        values |= dict.fromkeys(each.name for each in query.parameters)
        for name, term in text.terms.items():
            if term.startswith('"'):
                values[name] = str(json.loads(term[: term.rindex('"') + 1], strict=False))
            else:
                values[name] = term.removeprefix("<").removesuffix(">")
        if text.name == "modified-since":
            values["day"] = invert_day(values["date"] or "")
        self._timeout, self._end = timeout, 0.0
        if timeout is not None:
            self._end = time.monotonic() + timeout
            index.database.set_progress_handler(self._is_late, _STEPS)
        head = "\t".join(f"?{column}" for column in query.columns)
        self._lines = self._write_lines(ANSWERS[text.name], _Lists(index), values, most)
        self._rest = f"{head}\n".encode()

    def _is_late(self) -> bool:
        return time.monotonic() > self._end

    def _write_lines(
        self, answer: _Answer, lists: _Lists, values: Values, most: int | None
    ) -> Iterator[bytes]:
        for number, row in enumerate(answer.read(lists, values)):
            if number == most:
                self.has_more = True
                return
            terms = (write(cell) for write, cell in zip(answer.terms, row, strict=True))
            yield ("\t".join(terms) + "\n").encode()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end.

        Raises:
            CatalogueError: it takes too long, or the index cannot be read.
        """
        if size == 0:
            return b""  # not the end
        try:
            while len(self._rest) < size or size < 0:
                line = next(self._lines, b"")
                if not line:
                    break
                self._rest += line
        except CatalogueError:
            if self._timeout is not None and self._is_late():
                raise CatalogueError(
                    f"The query took longer than {self._timeout:g} seconds and was stopped. "
                    "Reduce the query, or raise the limit (--timeout)."
                ) from None
            raise
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        if not piece and self.has_more:
            self.close()
        elif not piece and self.close.detach():
            self._index.database.set_progress_handler(None, 0)
            self._index.database.rollback()
            self._keep(self._index)
        return piece
