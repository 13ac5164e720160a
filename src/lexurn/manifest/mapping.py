"""Columns of a manifest, mapping files (TOML), and the plan by which one table is read.

Cells: blanks around a value are no part of it. Days are written ``2003-09-21``, numbers in digits;
nothing is guessed. Several values stand between blanks (``url``, ``page``, ``bytes``, ``sha256``,
``license``, ``amended_by``, ``also_named``) or on a line each (``publisher``, ``creator``,
``subject``, ``file``), in JSON Lines and Parquet also in a list. ``bytes`` and ``sha256`` have one
value for each URL, in the same order, ``-`` where it is not known. ``file`` holds the paths of
copies below a folder; only `lexurn.documents` reads it.

A mapping file (TOML) states what the columns of another table mean. Columns with the name of a
manifest's column need no entry:

.. code-block:: toml

    # Columns of our table to leave out.
    ignore = ["id", "authority", "type", "number"]
    # The language of titles, where their column names none.
    language = "pt"
    # The separator of cells in our CSV; a comma needs no entry.
    separator = ";"
    # Checks of the whole table that hold no row back.
    accept = ["LX541"]

    # Our column, and the column of a manifest that it is.
    [columns]
    title = "title"
    summary = "title@en"
    link = "page"

    # A column of a manifest, and its value where a row has none.
    [constants]
    license = "https://creativecommons.org/publicdomain/zero/1.0/"

    # A column of a manifest, made from our columns in braces; {{ and }} stand for a brace. A
    # template gives nothing where one of its columns is empty.
    [templates]
    urn = "urn:lex:br:{authority}:{type}:{issued};{number}"
"""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import LONGEST_ROW, CellError, format_cell, quote_value
from lexurn.manifest.table_checks import TABLE_CHECKS
from lexurn.model import FIELDS, Kind
from lexurn.name import is_language_tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.registry import Registry

NAME_COLUMNS = (
    *("jurisdiction", "units", "authority", "measure", "measure_specifications"),
    *("date", "local_date", "calendar", "date_order", "period"),
    *("number", "number_suffix", "unnumbered", "annex"),
    *("version", "amendment_date", "event_date", "event", "version_language", "language"),
    *("editor", "format", "component", "feature", "partition", "mode", "citation"),
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

_TITLE_COLUMNS = frozenset(f.columns[0] for f in FIELDS if f.kind is Kind.TITLE)
_LIST_COLUMNS = frozenset(c for f in FIELDS if f.is_list for c in f.columns) - _TITLE_COLUMNS
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
        language = language if target in _TITLE_COLUMNS else None
        return Column(header=header, target=target, language=language)
    name, _, tag = target.partition("@")
    if name in _TITLE_COLUMNS and is_language_tag(tag.lower()):
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


_KEYS = ("columns", "constants", "templates", "ignore", "language", "separator", "accept")
_SEPARATORS = (",", ";", "\t", "|")
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
    """Meaning of the columns of a table, as a mapping file states it.

    Attributes:
        file: the mapping file, empty where there is none.
        columns: columns of the table, and the columns of a manifest that they are.
        ignore: columns of the table that are left out.
        constants: columns of a manifest, and their values where a row has none.
        templates: texts made from several columns.
        language: the language of titles whose column names none.
        separator: the separator of cells in a CSV.
        accept: the codes of checks of the whole table that hold no row back.
        lines: the lines of entries in the file, by table and key.
    """

    file: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset()
    constants: Mapping[str, str] = field(default_factory=dict)
    templates: tuple[Template, ...] = ()
    language: str | None = None
    separator: str = ","
    accept: frozenset[str] = frozenset()
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
    constants, columns = file.read_texts("constants"), file.read_texts("columns")
    if "urn" in constants:
        raise file.error("constants", "urn", "urn cannot be the same in every row")
    ignore = file.entries.get("ignore", [])
    if not isinstance(ignore, list) or not all(isinstance(name, str) for name in ignore):
        raise file.error("", "ignore", 'ignore is a list of columns: ignore = ["notes", "id"]')
    templates = tuple(starmap(file.read_template, file.read_texts("templates").items()))
    language = file.entries.get("language")
    is_tag = isinstance(language, str) and is_language_tag(language.lower())
    if language is not None and not is_tag:
        message = f"{language!r} is not a language tag (RFC 5646); write one such as pt"
        raise file.error("", "language", message)
    separator = file.entries.get("separator", ",")
    if separator not in _SEPARATORS:
        message = f"{separator!r} cannot separate cells; use one of , ; | or a tab (\\t)"
        raise file.error("", "separator", message)
    accept = file.entries.get("accept", [])
    if not isinstance(accept, list) or not {*map(str, accept)} <= {*TABLE_CHECKS}:
        message = f"accept is a list of these codes: {', '.join(TABLE_CHECKS)}"
        raise file.error("", "accept", message)
    return replace(
        file.mapping,
        columns=columns,
        constants=constants,
        ignore=frozenset(ignore),
        templates=templates,
        language=str(language).lower() if is_tag else None,
        separator=separator,
        accept=frozenset(accept),
    )


EntryLines: TypeAlias = "dict[tuple[str, str], int]"
"""Lines of the entries of a TOML file, by table (empty at the top) and key (empty: the header)."""


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
        self.entries, lines = read_toml(file, "mapping file", _KEYS)
        self.mapping = TableMapping(file=file, lines=lines)

    def error(self, table: str, key: str, message: str) -> ManifestError:
        """Make the error for an entry."""
        return ManifestError(f"{self.mapping.locate(table, key)}: {message}")

    def read_texts(self, name: str) -> dict[str, str]:
        """Read a table of texts; check that columns of a manifest are the right ones."""
        entries = self.entries.get(name, {})
        if not isinstance(entries, dict):
            raise self.error("", name, f"{name} is a table: write [{name}] on a line of its own")
        for key, value in entries.items():
            if not isinstance(value, str):
                raise self.error(name, key, f"{quote_value(key)} needs a text in quotes")
            target = value if name == "columns" else key
            if find_column(target, key) is None:
                near = suggest_name(target)
                known = f"did you mean {quote_value(near)}?" if near else f"use one of {_ALL}"
                message = f"{quote_value(target)} is not a column of a manifest; {known}"
                raise self.error(name, key, message)
        return entries

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


def _find_lines(text: str) -> dict[tuple[str, str], int]:
    """Find the lines of tables and keys, which tomllib does not tell."""
    lines: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), start=1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            table = header[1].strip()
            lines.setdefault((table, ""), number)
        elif key is not None:
            name = next(group for group in key.groups() if group is not None)
            lines.setdefault((table, name), number)
    return lines


# A row needs one of these for a name.
_NAMING = frozenset({"urn", "measure", "citation"})
_MOST_COLUMNS = 1_000
_MOST_NAMED = 1_000


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Meaning of the columns of one table.

    Attributes:
        mapping: the mapping file.
        columns: the columns met so far, by header; None for those that are left out.
        templates: columns that templates make.
        constants: columns with a constant value where a row has none, and that value.
        registry: the registry that names are minted with; None for the built-in one.
        dialect: the dialect of names; None for RFC 9676.
    """

    mapping: TableMapping
    columns: dict[str, Column | None]
    templates: tuple[Column, ...]
    constants: tuple[tuple[Column, str], ...]
    registry: Registry | None = None
    dialect: str | None = None

    def knows(self, header: str) -> bool:
        """Return whether a column is known, mapped, used in a template, or ignored."""
        if header in self.columns:
            return True
        mapping = self.mapping
        is_ignored = header in mapping.ignore
        column = None
        if header in mapping.columns or not is_ignored:
            target = mapping.columns.get(header, header)
            column = find_column(target, header, mapping.language)
        if column is None and not is_ignored:
            is_ignored = any(header in each.columns for each in mapping.templates)
        if (column is None and not is_ignored) or len(self.columns) >= _MOST_COLUMNS:
            return False
        self.columns[header] = column
        return True

    def makes(self, target: str) -> bool:
        """Return whether a template makes a column of a manifest."""
        return any(column.target == target for column in self.templates)

    def header_of(self, target: str) -> str:
        """Return the column of the table that ``target`` comes from."""
        columns = (column for column in self.columns.values() if column is not None)
        fed = (column.header for column in columns if column.target == target)
        mapped = (source for source, name in self.mapping.columns.items() if name == target)
        return next(fed, None) or next(mapped, target)

    def cells(self, row: Mapping[str, str]) -> Iterator[tuple[Column, str]]:
        """Yield the cells of a row that are not empty, with those of templates and constants."""
        filled: set[str] = set()
        for header, text in row.items():
            column = self.columns[header]
            if column is not None and text:
                filled.add(column.target)
                yield column, text
        for column, template in zip(self.templates, self.mapping.templates, strict=True):
            text = template.text(row)
            if text:
                filled.add(column.target)
                yield column, text
        for column, text in self.constants:
            if column.target not in filled:
                yield column, text

    def read_value(self, header: str, value: object) -> str:
        """Read the cell of a value of JSON or Parquet; columns left out may hold anything.

        Raises:
            CellError: no cell of this column may hold the value.
        """
        cell, column = format_cell(value), self.columns[header]
        if cell is not None and len(cell) > LONGEST_ROW:
            raise CellError(make_finding("LX503", named={"most": LONGEST_ROW}, column=header))
        if column is None:
            return cell or ""
        takes_list = column.target in _LIST_COLUMNS
        if cell is None or (isinstance(value, list) and not takes_list):
            expected = "one text or number" + (", or a list of them" if takes_list else "")
            values = {"value": quote_value(str(value)), "expected": expected}
            raise CellError(make_finding("LX510", named=values, column=header))
        return cell


def make_plan(
    mapping: TableMapping, registry: Registry | None = None, dialect: str | None = None
) -> TablePlan:
    """Make the plan of a table whose columns are not known yet; see `TablePlan`."""

    def make_column(target: str) -> Column:
        # The mapping file was checked when it was read: its targets are columns.
        return find_column(target, target, mapping.language) or Column(header=target, target=target)

    return TablePlan(
        mapping,
        {},
        tuple(make_column(template.target) for template in mapping.templates),
        tuple((make_column(target), text) for target, text in mapping.constants.items()),
        registry,
        dialect,
    )


def list_unknown_columns(unknown: Sequence[str]) -> str:
    """List unknown columns, each with the name that it may stand for."""
    named = []
    for header in unknown[:_MOST_NAMED]:
        near = suggest_name(header)
        named.append(
            quote_value(header) + (f" (did you mean {quote_value(near)}?)" if near else "")
        )
    more = len(unknown) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def make_column_error(unknown: Sequence[str], headers: Sequence[str], where: str) -> ManifestError:
    """Make the error of a table with unknown columns."""
    split = next((mark for mark in ";\t|" if len(headers) == 1 and mark in headers[0]), None)
    if split is not None:
        name = "\\t" if split == "\t" else split
        return ManifestError(
            f'{where}: the separator of the cells seems to be "{name}"; write separator = "{name}" '
            "in a mapping file, and name that file with --map"
        )
    columns = f"column{'s' if len(unknown) > 1 else ''} {list_unknown_columns(unknown)}"
    return ManifestError(
        f"{where}: unknown {columns}; map them in a mapping file, or list them under ignore there"
    )


def check_headers(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that every column of a table has one meaning, and that rows get a name.

    Raises:
        ManifestError: too many columns, columns without a name or with the same, unknown columns,
            two columns for one value, no name, columns of the mapping file that are not there.
    """
    if len(headers) > _MOST_COLUMNS:
        raise ManifestError(
            f"{file}: {len(headers):,} columns, but a manifest has {_MOST_COLUMNS:,} at most"
        )
    seen: dict[str, int] = {}
    for number, header in enumerate(headers, start=1):
        if header in plan.mapping.ignore and header not in plan.mapping.columns:
            continue
        if not header:
            raise ManifestError(
                f'{file}: column {number} has no name; name it, or ignore it: ignore = [""]'
            )
        if header in seen:
            raise ManifestError(
                f"{file}: columns {seen[header]} and {number} are both named "
                f"{quote_value(header)}; rename one of them"
            )
        seen[header] = number
    taken = [(name, "columns", name) for name in plan.mapping.columns]
    taken += [
        (name, "templates", template.target)
        for template in plan.mapping.templates
        for name in template.columns
    ]
    for name, table, key in taken:
        if name not in headers:
            near = suggest_name(name, tuple(headers))
            hint = f"; did you mean {quote_value(near)}?" if near else ""
            where = plan.mapping.locate(table, key)
            raise ManifestError(f"{where}: {file} has no column {quote_value(name)}{hint}")
    unknown = [header for header in headers if not plan.knows(header)]
    if unknown:
        raise make_column_error(unknown, headers, file)
    _check_meanings(headers, plan, file)


def _check_meanings(headers: Sequence[str], plan: TablePlan, file: str) -> None:
    """Check that each value has one source, and that one of them gives the name."""
    columns = [plan.columns[header] for header in headers]
    sources = [(c.target, f"the column {quote_value(c.header)}") for c in columns if c is not None]
    for made in plan.templates:
        where = plan.mapping.locate("templates", made.header)
        sources.append((made.target, f"the template at {where}"))
    feeding: dict[str, str] = {}
    for target, source in sources:
        other = feeding.setdefault(target, source)
        if other is not source and target in SINGLE_COLUMNS:
            raise ManifestError(
                f"{file}: both {other} and {source} give {target}; put one under ignore"
            )
    constant = {column.target for column, _ in plan.constants}
    if not constant.union(feeding).intersection(_NAMING):
        raise ManifestError(
            f"{file}: no column gives the urn; name one, map one to urn, or give measure, date and "
            "number, from which names are minted"
        )
