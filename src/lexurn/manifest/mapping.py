"""Columns of a manifest, and mapping files (TOML).

Cells: blanks around a value are no part of it. Days are written ``2003-09-21``, numbers in digits;
nothing is guessed. Several values stand between blanks (``url``, ``page``, ``bytes``, ``sha256``,
``license``, ``amended_by``, ``also_named``) or on a line each (``publisher``, ``creator``,
``subject``, ``file``), in JSON Lines and Parquet also in a list. ``bytes`` and ``sha256`` have one
value for each URL, in the same order, ``-`` where it is not known. ``file`` holds the paths of
copies below a folder; only `lexurn.documents` reads it.

A mapping file (TOML) states how another table is read, and what its columns mean: `MAPPING_KEYS`,
with examples in ``docs/tables.md``. A column with the name of a manifest's column needs no entry.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lexurn.errors import ManifestError
from lexurn.manifest.cells import quote_value
from lexurn.manifest.table_checks import TABLE_CHECKS
from lexurn.model import FIELDS, Kind
from lexurn.name import is_language_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import regex

NAME_COLUMNS = (
    *("jurisdiction", "units", "authority", "measure", "measure_specifications"),
    *("date", "local_date", "calendar", "date_order", "period"),
    *("number", "number_suffix", "unnumbered", "annex", "annexes"),
    *("version", "amendment_date", "event_date", "event", "version_language", "language"),
    *("editor", "format", "component", "feature", "manifestation", "partition", "mode", "citation"),
)
"""Columns that the name of a row without a ``urn`` is minted from: the fields of `lexurn.mint`."""

COLUMNS = ("urn", *(column for field in FIELDS for column in field.columns), *NAME_COLUMNS)
"""The columns that a manifest may have; ``title`` also with a language, as in ``title@it``."""

SINGLE_COLUMNS = frozenset(
    {
        *("urn", *NAME_COLUMNS),
        *(field.columns[0] for field in FIELDS if not field.is_list),
        # Further columns of a field hold a value for each one in its first column.
        *(column for field in FIELDS for column in field.columns[1:]),
    }
)
"""Columns that only one column of a table can feed."""

TITLE_COLUMNS = frozenset(f.columns[0] for f in FIELDS if f.kind is Kind.TITLE)
LIST_COLUMNS = frozenset(c for f in FIELDS if f.is_list for c in f.columns) - TITLE_COLUMNS
_TITLE_WITH_LANGUAGE = re.compile(r"title[^a-z0-9]?([a-z]{2,3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Column of a table and its meaning in a manifest.

    Attributes:
        header: its name in the table; for a template or constant, the column that it makes.
        target: one of `COLUMNS`.
        language: the language of the titles in it (lower case), or None.
    """

    header: str
    target: str
    language: str | None = None


def find_column(target: str, header: str, language: str | None = None) -> Column | None:
    """Find the column for a target such as ``issued`` or ``title@it``, None where there is none.

    Args:
        target: the name, as a header or a mapping file writes it.
        header: the name of the column in the table.
        language: the language of titles whose column names none.
    """
    if target in COLUMNS:
        language = language if target in TITLE_COLUMNS else None
        return Column(header=header, target=target, language=language)
    name, _, tag = target.partition("@")
    if name in TITLE_COLUMNS and is_language_tag(tag.lower()):
        return Column(header=header, target=name, language=tag.lower())
    return None


def suggest_name(name: str, known: tuple[str, ...] = COLUMNS) -> str | None:
    """Suggest a known name for one that is probably misspelled, None where none is near."""
    if name.casefold() in known:
        return name.casefold()
    tagged = _TITLE_WITH_LANGUAGE.fullmatch(name)
    if tagged is not None:
        return f"title@{tagged[1].lower()}"
    found = difflib.get_close_matches(name.casefold(), known, n=1)
    return found[0] if found else None


class MappingKey(NamedTuple):
    """Key of a mapping file.

    Attributes:
        name: the key, or the header of a table of entries.
        kind: the type of its value: `str`, `int`, `bool`, `list` (of texts) or `dict` (a table).
        meaning: its meaning, for people.
        example: an entry.
    """

    name: str
    kind: type
    meaning: str
    example: str


MAPPING_KEYS: Final = (
    MappingKey(
        "encoding",
        str,
        "encoding of a table in CSV or JSON; UTF-8 and byte order marks need no entry",
        'encoding = "cp1252"',
    ),
    MappingKey(
        "separator",
        str,
        "separator of the cells in CSV; a comma, or a tab in FILE.tsv, needs no entry",
        'separator = ";"',
    ),
    MappingKey(
        "header",
        int,
        "number of the header row; by default, the first row that is not empty",
        "header = 3",
    ),
    MappingKey("sheet", str, "sheet of a workbook that has several", 'sheet = "Acts since 2015"'),
    MappingKey(
        "rows",
        str,
        "place of the list in JSON: the keys that lead to it, then `*`",
        'rows = "docs.*"',
    ),
    MappingKey(
        "language",
        str,
        "language of titles whose column names none, and of the words that names are minted from",
        'language = "it"',
    ),
    MappingKey(
        "date_order",
        str,
        "order of day, month and year in digits, in all date columns: `dmy`, `mdy` or `ymd`",
        'date_order = "dmy"',
    ),
    MappingKey(
        "two_digit_years",
        int,
        "first of the hundred years to which years of two digits belong",
        "two_digit_years = 1950",
    ),
    MappingKey(
        "time_zone",
        str,
        "time zone in which times with a zone become dates",
        'time_zone = "Europe/Rome"',
    ),
    MappingKey(
        "calendar",
        str,
        "calendar of all date columns, if not the Gregorian one: `solar-hijri`",
        'calendar = "solar-hijri"',
    ),
    MappingKey("titles", str, "`html` to remove tags and entities from titles", 'titles = "html"'),
    MappingKey(
        "distinct",
        bool,
        "whether rows of one name that do not contradict each other are one act",
        "distinct = true",
    ),
    MappingKey("ignore", list, "columns that are not used", 'ignore = ["id", "notes"]'),
    MappingKey(
        "accept",
        list,
        "codes of checks of the whole table that reject no row",
        'accept = ["LX541"]',
    ),
    MappingKey("columns", dict, "your column = the manifest column", 'summary = "title@en"'),
    MappingKey(
        "constants",
        dict,
        "manifest column = its value for rows that have none",
        'jurisdiction = "it"',
    ),
    MappingKey(
        "templates",
        dict,
        "manifest column = a text with your columns in braces; empty if one of these is empty",
        'page = "https://law.example/{id}"',
    ),
    MappingKey(
        "patterns",
        dict,
        "your column = a regular expression, or a list to try in turn; each named group is a "
        "manifest column; a row that does not match is rejected",
        r"act = '(?P<measure>Lei) nº (?P<number>[\d.]+)'",
    ),
    MappingKey(
        "values",
        dict,
        "tables by manifest column: the words of your table = the value that they mean",
        'force.abrogato = "repealed"',
    ),
)
"""Keys of a mapping file, in the order in which one is best written."""

SEPARATORS: Final = (",", ";", "\t", "|")
_BRACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_HEADER = re.compile(r"""\s*\[\s*["']?([^"'\]]*?)["']?\s*\]""")
_KEY = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*[=.]""")
_LARGEST_FILE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """Text with columns of the table in braces.

    Attributes:
        target: the column that it makes, for example ``urn``.
        parts: texts and columns in turn, a text first.
    """

    target: str
    parts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the table in braces."""
        return self.parts[1::2]

    def text(self, cells: Mapping[str, str]) -> str:
        """Fill in the cells of one row; give an empty text where one of them is empty."""
        filled = [*self.parts]
        for index in range(1, len(filled), 2):
            value = cells.get(filled[index], "").strip()
            if not value:
                return ""
            filled[index] = value
        return "".join(filled)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMapping:
    """Layout of a table and meaning of its columns, as a mapping file states them.

    Its attributes are those of `MAPPING_KEYS`, None or empty where the file has none, and:

    Attributes:
        file: the mapping file, empty where there is none.
        lines: the lines of entries in the file, by table and key.
    """

    file: str = ""
    encoding: str | None = None
    separator: str | None = None
    header: int | None = None
    sheet: str | None = None
    rows: str | None = None
    language: str | None = None
    date_order: str | None = None
    two_digit_years: int | None = None
    time_zone: str | None = None
    calendar: str | None = None
    titles: str | None = None
    distinct: bool = False
    ignore: frozenset[str] = frozenset()
    accept: frozenset[str] = frozenset()
    columns: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    templates: tuple[Template, ...] = ()
    patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def locate(self, table: str, key: str = "") -> str:
        """Return file and line of an entry, for messages."""
        line = self.lines.get((table, key)) or self.lines.get((table, "")) or 1
        return f"{self.file}:{line}"


NO_MAPPING = TableMapping()


def read_mapping(path: str | Path) -> TableMapping:
    """Read the mapping in a TOML file.

    Raises:
        ManifestError: the file cannot be read or has an entry without a meaning; with its line.
    """
    file = _MappingFile(str(path))
    constants = file.read_texts("constants")
    if "urn" in constants:
        raise file.error("constants", "urn", "urn cannot be the same in every row")
    settings = {
        key.name: file.read(key)
        for key in MAPPING_KEYS
        if key.kind is not dict and key.name in file.entries
    }
    for name, change in (("language", str.lower), ("ignore", frozenset), ("accept", frozenset)):
        if name in settings:
            settings[name] = change(settings[name])
    return replace(
        file.mapping,
        **settings,
        columns=file.read_texts("columns"),
        constants=constants,
        templates=tuple(starmap(file.read_template, file.read_texts("templates").items())),
        patterns=file.read_patterns(),
        values=file.read_values(),
    )


@cache
def compile_pattern(text: str) -> regex.Pattern[str]:
    """Compile a regular expression, once; the module `regex` stops a search that takes long.

    Raises:
        ValueError, OverflowError, RecursionError: it is not one.
    """
    import regex  # noqa: PLC0415 - most tables need none

    try:
        return regex.compile(text)
    except regex.error as broken:
        raise ValueError(broken) from None


def find_groups(patterns: Iterable[str]) -> list[str]:
    """Return the names of the groups of regular expressions, each once."""
    return [*dict.fromkeys(name for text in patterns for name in compile_pattern(text).groupindex)]


def is_text_encoding(name: str) -> bool:
    """Return whether Python knows an encoding of texts by this name."""
    try:
        return "A\n".encode(name).decode(name) == "A\n" and name.lower() not in _ESCAPES
    except (LookupError, ValueError):
        return False


_ESCAPES = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


def _is_time_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


_CHOICES: Final = {
    "separator": SEPARATORS,
    "date_order": ("dmy", "mdy", "ymd"),
    "calendar": ("solar-hijri",),
    "titles": ("html",),
}
_CHECKS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "encoding": (
        is_text_encoding,
        "{!r} is not an encoding that Python knows; write one such as cp1252",
    ),
    "header": (lambda row: row > 0, "rows are counted from 1"),
    "rows": (
        lambda place: f".{place}".endswith(".*"),
        'end with the list itself, as in rows = "docs.*", or rows = "*" at the top',
    ),
    "language": (
        lambda tag: is_language_tag(tag.lower()),
        "{!r} is not a language tag (RFC 5646); write one such as pt",
    ),
    "time_zone": (_is_time_zone, "{!r} is not a time zone; write one such as Europe/Rome"),
    "accept": (
        lambda codes: {*codes} <= {*TABLE_CHECKS},
        f"accept is a list of these codes: {', '.join(TABLE_CHECKS)}",
    ),
}
"""Checks of values, and the messages about values that fail them."""


EntryLines: TypeAlias = "dict[tuple[str, str], int]"
"""Lines of the entries of a TOML file, by table (empty at the top) and key (empty: the header).

In the table ``#`` are the keys, values and groups of patterns of lines that begin with ``#``.
"""


def read_toml(file: str, kind: str, keys: Sequence[str]) -> tuple[dict[str, Any], EntryLines]:
    """Read a TOML file of settings.

    Args:
        file: the file.
        kind: the kind of file, for messages.
        keys: the keys that it may have at its top.

    Returns:
        The entries, and their lines.

    Raises:
        ManifestError: the file cannot be read, or has an unknown key; with its line.
    """
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as missing:
        reason = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise ManifestError(f"{file}: the {kind} cannot be read: {reason}") from None
    if len(data) > _LARGEST_FILE:
        raise ManifestError(f"{file}: larger than 1 MiB, so not a {kind}")
    try:
        text = data.decode("utf-8-sig")
        entries = tomllib.loads(text)
    except UnicodeDecodeError as broken:
        raise ManifestError(
            f"{file}: not UTF-8 at byte {broken.start}; save the {kind} as UTF-8"
        ) from None
    except (RecursionError, ValueError) as broken:
        raise ManifestError(f"{file}: not TOML: {broken}") from None
    lines = _find_lines(text)
    for key in entries:
        if key not in keys:
            near = suggest_name(key, tuple(keys))
            hint = f"did you mean {near}?" if near else f"use one of {', '.join(keys)}"
            line = lines.get((key, "")) or lines.get(("", key)) or 1
            raise ManifestError(
                f"{file}:{line}: {quote_value(key)} is not a key of a {kind}; {hint}"
            )
    return entries, lines


class _MappingFile:
    """Mapping file while it is read.

    Attributes:
        entries: its entries.
        mapping: the file and its lines, for messages.
    """

    def __init__(self, file: str) -> None:
        """Read the file and check its keys."""
        self.entries, lines = read_toml(file, "mapping file", [key.name for key in MAPPING_KEYS])
        self.mapping = TableMapping(file=file, lines=lines)

    def error(self, table: str, key: str, message: str) -> ManifestError:
        """Make the error for an entry."""
        return ManifestError(f"{self.mapping.locate(table, key)}: {message}")

    def read(self, key: MappingKey) -> Any:
        """Read the value of a key at the top; check it."""
        value, name = self.entries[key.name], key.name
        is_right = type(value) is key.kind
        if isinstance(value, list):
            is_right = is_right and all(isinstance(each, str) for each in value)
        if not is_right:
            raise self.error("", name, f"{name} is {_KINDS[key.kind]}: {key.example}")
        choices: Sequence[str] = _CHOICES.get(name, ())
        if choices and value not in choices:
            known = ", ".join(choices).replace("\t", "\\t")
            raise self.error("", name, f"{name} cannot be {value!r}; use one of {known}")
        if name in _CHECKS:
            is_good, message = _CHECKS[name]
            if not is_good(value):
                raise self.error("", name, message.format(value))
        return value

    def read_table(self, name: str) -> dict[str, Any]:
        """Read a table of entries."""
        entries = self.entries.get(name, {})
        if not isinstance(entries, dict):
            raise self.error("", name, f"{name} is a table: write [{name}] on a line of its own")
        return entries

    def read_texts(self, name: str) -> dict[str, str]:
        """Read a table of texts; check that columns of a manifest are the right ones."""
        entries = self.read_table(name)
        for key, value in entries.items():
            if not isinstance(value, str):
                raise self.error(name, key, f"{quote_value(key)} needs a text in quotes")
            self.check_target(value if name == "columns" else key, name, key)
        return entries

    def check_target(self, target: str, table: str, key: str) -> None:
        """Check that a text names a column of a manifest."""
        if find_column(target, key) is None:
            near = suggest_name(target)
            known = f"did you mean {quote_value(near)}?" if near else f"use one of {_ALL}"
            message = f"{quote_value(target)} is not a column of a manifest; {known}"
            raise self.error(table, key, message)

    def read_values(self) -> dict[str, dict[str, str]]:
        """Read the words of the table and their meanings, by column of a manifest."""
        tables = self.read_table("values")
        for target, words in tables.items():
            name = f"values.{target}"
            if not isinstance(words, dict):
                message = f"write [{name}] on a line of its own, and the words below it"
                raise self.error("values", target, message)
            self.check_target(target.partition("@")[0], name, "")
            if "@" in target:
                raise self.error(
                    name, "", "values hold for titles of all languages: [values.title]"
                )
            for word, meaning in words.items():
                if not isinstance(meaning, str):
                    raise self.error(name, word, f"{quote_value(word)} needs a text in quotes")
        return tables

    def read_patterns(self) -> dict[str, tuple[str, ...]]:
        """Read the regular expressions; check that their groups are columns of a manifest."""
        patterns: dict[str, tuple[str, ...]] = {}
        for column, value in self.read_table("patterns").items():
            texts = value if isinstance(value, list) else [value]
            if not texts or not all(isinstance(text, str) for text in texts):
                message = f"{quote_value(column)} needs a text in quotes, or a list of them"
                raise self.error("patterns", column, message)
            for text in texts:
                try:
                    groups = compile_pattern(text).groupindex
                except (ValueError, OverflowError, RecursionError) as broken:
                    message = f"not a regular expression: {broken}; put it in single quotes"
                    raise self.error("patterns", column, message) from None
                if not groups:
                    message = r"name a group after a manifest column, as in '(?P<number>\d+)'"
                    raise self.error("patterns", column, message)
                for group in groups:
                    self.check_target(group, "patterns", column)
            patterns[column] = tuple(texts)
        return patterns

    def read_template(self, target: str, text: str) -> Template:
        """Read the template of a column."""
        parts = [""]
        at = 0
        for brace in _BRACE.finditer(text):
            parts[-1] += text[at : brace.start()]
            at = brace.end()
            if brace[0] in {"{{", "}}"}:
                parts[-1] += brace[0][0]
            elif brace[1]:
                parts += [brace[1], ""]
            else:
                message = (
                    f"the template of {target} has a lone {brace[0]} at {brace.start()}; "
                    "write {column}, and {{ or }} for a brace itself"
                )
                raise self.error("templates", target, message)
        parts[-1] += text[at:]
        if len(parts) == 1:
            message = f"the template of {target} uses no column; put it under [constants]"
            raise self.error("templates", target, message)
        return Template(target=target, parts=tuple(parts))


_ALL = ", ".join(COLUMNS)
_KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list of texts",
    dict: "a table",
}


def _find_lines(text: str) -> dict[tuple[str, str], int]:
    """Find the lines of tables and keys, which tomllib does not tell."""
    lines: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), start=1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if line.startswith("#"):
            # Key, value and groups of an entry that is a comment; most comments are none.
            with suppress(RecursionError, ValueError):
                entry = tomllib.loads(line[1:])
                values = [value for value in entry.values() if isinstance(value, str)]
                for part in (*entry, *values, *find_groups(values)):
                    lines.setdefault(("#", part), number)
        if header is not None:
            table = header[1].strip()
            lines.setdefault((table, ""), number)
        elif key is not None:
            name = next(group for group in key.groups() if group is not None)
            lines.setdefault((table, name), number)
    return lines
