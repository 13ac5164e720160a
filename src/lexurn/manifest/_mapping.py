"""Mapping files: what the columns of somebody's own table mean (TOML)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError
from lexurn.manifest._columns import TARGETS, column_named, is_language, nearest
from lexurn.manifest._faults import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["NO_MAPPING", "TableMapping", "Template", "read_mapping"]

_TABLES = ("columns", "constants", "templates")
_SETTINGS = ("ignore", "language", "separator")
_SEPARATORS = (",", ";", "\t", "|")
_BRACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_HEADER = re.compile(r"""\s*\[\s*["']?([^"'\]]*?)["']?\s*\]""")
_KEY = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*[=.]""")
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A text with the table's own columns in braces.

    Attributes:
        target: the column that it makes, for example ``urn``.
        parts: texts and columns in turn, a text first.
    """

    target: str
    parts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The table's columns that it takes."""
        return self.parts[1::2]

    def text(self, cells: Mapping[str, str]) -> str:
        """The text for one row; empty where a column that it takes is empty: no half values."""
        filled = [*self.parts]
        for place in range(1, len(filled), 2):
            value = cells.get(filled[place], "").strip()
            if not value:
                return ""
            filled[place] = value
        return "".join(filled)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMapping:
    """What the columns of a table mean; `open_manifest` describes the file that it is read from.

    Attributes:
        file: the mapping file, empty where there is none.
        columns: the table's column, and the manifest's column that it is.
        ignore: columns of the table that say nothing here.
        constants: a manifest's column, and its value wherever a row has none.
        templates: texts made from several columns.
        language: the language of titles whose column names none.
        separator: what stands between the cells of a CSV.
        lines: where each entry stands in the file, by table and key.
    """

    file: str = ""
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ignore: frozenset[str] = frozenset()
    constants: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    templates: tuple[Template, ...] = ()
    language: str | None = None
    separator: str = ","
    lines: Mapping[tuple[str, str], int] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Callable[..., TableMapping], tuple[dict[str, Any]]]:
        """For other processes: views of dictionaries cannot be sent, dictionaries can."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        views = {
            name: dict(value)
            for name, value in values.items()
            if isinstance(value, MappingProxyType)
        }
        return _mapping_of, (values | views,)

    def place(self, table: str, key: str = "") -> str:
        """Where an entry stands, for messages."""
        line = self.lines.get((table, key)) or self.lines.get((table, "")) or 1
        return f"{self.file}:{line}"


def _mapping_of(values: dict[str, Any]) -> TableMapping:
    """The mapping that was sent as these values."""
    views = {n: MappingProxyType(value) for n, value in values.items() if isinstance(value, dict)}
    return TableMapping(**{**values, **views})


NO_MAPPING = TableMapping()


def read_mapping(path: str | Path) -> TableMapping:
    """The mapping in a TOML file.

    Raises:
        ManifestError: the file cannot be read or says something that means nothing; with its line.
    """
    file = str(path)
    text = _text_of(file)
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as broken:
        raise ManifestError(f"{file}: no TOML: {broken}") from None
    place = TableMapping(file=file, lines=_lines_of(text))
    _check_keys(table, place)
    return TableMapping(
        file=file,
        columns=_columns_of(_texts(table, "columns", place), place),
        ignore=frozenset(_ignored(table, place)),
        constants=_targets_of(_texts(table, "constants", place), "constants", place),
        templates=_templates_of(_texts(table, "templates", place), place),
        language=_language(table, place),
        separator=_separator(table, place),
        lines=place.lines,
    )


def _text_of(file: str) -> str:
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise ManifestError(f"{file}: larger than 1 MiB, so no mapping file")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        raise ManifestError(
            f"{file}: no UTF-8 at byte {broken.start}; save the mapping file as UTF-8"
        ) from None
    except (OSError, ValueError) as missing:
        raise ManifestError(f"{file}: the mapping file cannot be read: {_why(missing)}") from None


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _lines_of(text: str) -> dict[tuple[str, str], int]:
    """Where tables and keys stand: what tomllib does not tell."""
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


def _error(place: TableMapping, table: str, key: str, message: str) -> ManifestError:
    return ManifestError(f"{place.place(table, key)}: {message}")


def _check_keys(table: Mapping[str, Any], place: TableMapping) -> None:
    known = (*_TABLES, *_SETTINGS)
    for key in table:
        if key not in known:
            near = nearest(key, known)
            hint = f"; did you mean {near}?" if near else f"; there are {', '.join(known)}"
            where = place.place(key) if (key, "") in place.lines else place.place("", key)
            raise ManifestError(f"{where}: {shown(key)} means nothing in a mapping file{hint}")


def _texts(table: Mapping[str, Any], name: str, place: TableMapping) -> dict[str, str]:
    """A table of the file, all of whose values are texts."""
    entries = table.get(name, {})
    if not isinstance(entries, dict):
        raise _error(place, "", name, f"{name} is a table: write [{name}] on a line of its own")
    for key, value in entries.items():
        if not isinstance(value, str):
            raise _error(place, name, key, f"{shown(key)} needs a text in quotes")
    return entries


def _columns_of(entries: dict[str, str], place: TableMapping) -> Mapping[str, str]:
    for source, target in entries.items():
        _check_target(target, "columns", source, place)
    return MappingProxyType(entries)


def _targets_of(entries: dict[str, str], name: str, place: TableMapping) -> Mapping[str, str]:
    for target in entries:
        _check_target(target, name, target, place)
    if name == "constants" and "urn" in entries:
        raise _error(place, name, "urn", "urn cannot be the same in every row")
    return MappingProxyType(entries)


def _check_target(target: str, table: str, key: str, place: TableMapping) -> None:
    if column_named(target, key) is None:
        near = nearest(target)
        hint = f"did you mean {shown(near)}?" if near else f"there are {', '.join(TARGETS)}"
        raise _error(place, table, key, f"{shown(target)} is no column of a manifest; {hint}")


def _templates_of(entries: dict[str, str], place: TableMapping) -> tuple[Template, ...]:
    _targets_of(entries, "templates", place)
    return tuple(_template(target, text, place) for target, text in entries.items())


def _template(target: str, text: str, place: TableMapping) -> Template:
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
            raise _error(place, "templates", target, message)
    parts[-1] += text[at:]
    if len(parts) == 1:
        message = f"the template of {target} takes no column; put it under [constants]"
        raise _error(place, "templates", target, message)
    return Template(target=target, parts=tuple(parts))


def _ignored(table: Mapping[str, Any], place: TableMapping) -> list[str]:
    ignore = table.get("ignore", [])
    if not isinstance(ignore, list) or not all(isinstance(name, str) for name in ignore):
        raise _error(place, "", "ignore", 'ignore is a list of columns: ignore = ["notes", "id"]')
    return ignore


def _language(table: Mapping[str, Any], place: TableMapping) -> str | None:
    language = table.get("language")
    if language is None:
        return None
    if not isinstance(language, str) or not is_language(language.lower()):
        message = f"{language!r} is no language tag (RFC 5646); write one such as it or de-ch"
        raise _error(place, "", "language", message)
    return language.lower()


def _separator(table: Mapping[str, Any], place: TableMapping) -> str:
    separator = table.get("separator", ",")
    if separator not in _SEPARATORS:
        message = f"{separator!r} cannot separate cells; use one of , ; | or a tab (\\t)"
        raise _error(place, "", "separator", message)
    return str(separator)
