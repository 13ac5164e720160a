"""Tables of JSON objects: JSON Lines (one a line), and JSON (a list somewhere in a document)."""

from __future__ import annotations

import codecs
import datetime as dt
import decimal
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, cast

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import LONGEST_ROW, CellError, format_cell
from lexurn.manifest.plan import list_unknown_columns, make_column_error
from lexurn.manifest.tables import BOM, RawRow, TextTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lexurn.manifest.plan import TablePlan
    from lexurn.manifest.tables import Lines, OpenSource, Portion, RejectedRow


class JsonlTable(TextTable):
    """JSON Lines file: one object a line; the first shows its columns, as a header does."""

    def __init__(self, source: OpenSource, plan: TablePlan) -> None:
        """Start at the first line."""
        super().__init__(source, plan)
        self._is_first = True

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would."""
        self._is_first = portion.line == 0
        return super().read_portion(portion)

    def _read_row(self, raw: bytes) -> RawRow:
        try:
            text = self._decode_row(raw.removeprefix(BOM) if self._line == 1 else raw)
            values = _parse_object(text)
            if any(isinstance(value, _Pairs) for value in values.values()):
                values = _flatten(values, self.plan)
            if any(isinstance(value, list) for value in values.values()):
                values = {key: _unpair(value) for key, value in values.items()}
            unknown = [key for key in values if not self.plan.knows(key)]
            if unknown and self._is_first:
                raise make_column_error(unknown, f"{self.file}:{self._line}")
            if unknown:
                listed = {"value": list_unknown_columns(unknown[:10])}
                found = make_finding("LX509", named=listed, column=unknown[0])
                return RawRow(self._line, raw, None, found)
            self._is_first = False
            cells = {key: self.plan.read_value(key, value) for key, value in values.items()}
        except CellError as error:
            return RawRow(self._line, raw, None, error.finding)
        return RawRow(self._line, raw, cells)


def _flatten(values: dict[str, Any], plan: TablePlan, start: str = "") -> dict[str, Any]:
    """Give the members of an object inside an object columns of their own: ``type.code``."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        is_known = not plan.takes_all and plan.knows(start + key)
        if isinstance(value, _Pairs) and is_known:  # a mapping may name its members
            is_known = not any(plan.mentions(f"{start}{key}.{name}") for name, _ in value)
        if isinstance(value, _Pairs) and not is_known:
            flat |= _flatten(dict(value), plan, f"{start}{key}.")
        else:
            flat[start + key] = value
    return flat


class _Pairs(list[tuple[str, Any]]):
    """Pairs of an object, repeated keys among them; a list in JSON is a mere list."""


def _unpair(value: Any) -> Any:
    """Return a value with objects as mappings."""
    if isinstance(value, _Pairs):
        return {key: _unpair(each) for key, each in value}
    return [_unpair(each) for each in value] if isinstance(value, list) else value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _parse_object(text: str) -> dict[str, Any]:
    """Parse a JSON object whose keys all differ."""
    why, at, pairs = "another value", 0, None
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_refuse_constant)
    except json.JSONDecodeError as broken:
        why, at = broken.msg, broken.pos
    except RecursionError:
        why = "nested too deep"
    except ValueError as broken:  # also a number of too many digits
        why = str(broken).partition(":")[0]
    if not isinstance(pairs, _Pairs):
        end = at + 1 if 0 < at < len(text) else max(at, len(text))
        found = make_finding("LX507", named={"value": why}, start=at, end=end, text=text)
        raise CellError(found)
    (key, times), *_ = Counter(key for key, _ in pairs).most_common(1) or [("", 0)]
    if times > 1:
        raise CellError(make_finding("LX508", column=key))
    return dict(pairs)


_BLOCK_SIZE = 1 << 16
_LARGEST_SKIPPED = 1 << 26
_BLANK = re.compile(r"[ \t\r\n]*")


class _JsonItems:
    """Items of a list in a JSON document, in the place of lines.

    Attributes:
        at: the number of items taken.
    """

    def __init__(self, lines: Lines, encoding: str, rows: str | None) -> None:
        """Prepare to read the list at ``rows``; None for one at the top."""
        self.file = lines.file
        self.at = 0
        self._lines, self._encoding = lines, encoding
        decoder = "utf-8-sig" if encoding == "utf-8" else encoding
        self._decode = codecs.getincrementaldecoder(decoder)("surrogateescape").decode
        self._parse = json.JSONDecoder().raw_decode
        self._text, self._start = "", 0
        self._is_stated = rows is not None
        self._items = self._walk((rows or "*").split("."))

    def take(self) -> bytes:
        """Return the next item as it stands, with a line end; empty at the end of the list.

        Raises:
            ManifestError: the document is not JSON, or has no list there.
        """
        item = next(self._items, None)
        if item is None:
            return b""
        self.at += 1
        return item.encode(self._encoding, "surrogateescape") + b"\n"

    def _read_more(self, size: int = _BLOCK_SIZE) -> bool:
        """Read on; return whether there was more."""
        pieces: list[bytes] = []
        while size > 0 and (line := self._lines.take()):
            pieces.append(line)
            size -= len(line)
        more = self._decode(b"".join(pieces), final=not pieces)
        self._text = self._text[self._start :] + more
        self._start = 0
        return bool(pieces)

    def _peek(self) -> str:
        """Return the next character that is not blank, empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._start)
            self._start = self._start if blank is None else blank.end()
            if self._start < len(self._text):
                return self._text[self._start]
            if not self._read_more():
                return ""

    def _take_value(self, longest: int) -> tuple[Any, str]:
        """Return the next value and its text."""
        self._peek()
        while True:
            why, is_cut = "", False
            try:
                value, end = self._parse(self._text, self._start)
                is_cut = end == len(self._text)  # a number may go on
            except (ValueError, RecursionError) as broken:
                why = str(broken).partition(":")[0]
            held = len(self._text) - self._start
            if why or is_cut:
                if held <= longest and self._read_more(max(held, _BLOCK_SIZE)):
                    continue
                if why:
                    self._refuse(f"not JSON, or longer than {longest:,} characters ({why})")
            text = self._text[self._start : end]
            self._start = end
            return value, text

    def _refuse(self, why: str) -> NoReturn:
        raise ManifestError(f"{self.file}: after {self.at:,} rows: {why}")

    def _walk(self, path: list[str]) -> Iterator[str]:
        """Yield the texts of the items that a path leads to."""
        key, opening = path[0], self._peek()
        is_list = opening == "["
        if opening not in {"[", "{"} or (is_list and key != "*"):
            self._refuse(f'no object with the key "{key}"; correct rows in the mapping file')
        if not is_list and not self._is_stated:
            raise ManifestError(
                f"{self.file}: an object, not a list of rows; state the place of the list in a "
                'mapping file, such as rows = "docs.*"; lexurn map finds it'
            )
        self._start += 1
        closing = "]" if is_list else "}"
        while (sign := self._peek()) != closing:
            if sign == ",":
                self._start += 1
            name = None if is_list else self._take_value(_LARGEST_SKIPPED)[0]
            if not is_list and self._peek() != ":":
                self._refuse("not JSON: a colon is missing, or the file is cut")
            self._start += not is_list
            if key == name and len(path) > 1:
                yield from self._walk(path[1:])
                return
            text = self._take_value(LONGEST_ROW if key == "*" else _LARGEST_SKIPPED)[1]
            if key == "*":
                yield text
            if self._peek() not in {",", closing}:
                self._refuse("not JSON: a comma is missing, or the file is cut")
        if key != "*":
            self._refuse(f'no key "{key}"; correct rows in the mapping file')


class JsonTable(JsonlTable):
    """JSON document with a list of objects; a row's line is its number in the list."""

    is_whole = True

    def _open_lines(self, source: OpenSource) -> Lines:
        lines = super()._open_lines(source)
        return cast("Lines", _JsonItems(lines, self._encoding, self.plan.mapping.rows))

    def write_rejects(self, rejects: Iterable[RejectedRow], path: Path) -> None:
        """Write rejected rows to a list at the same place in a document."""
        keys = (self.plan.mapping.rows or "*").split(".")[:-1]
        opening = "".join(f"{{{json.dumps(key)}: " for key in keys).encode(self._encoding)
        with path.open("xb") as stream:
            stream.write(opening + b"[\n")
            for number, row in enumerate(rejects):
                stream.write((b",\n" if number else b"") + row.raw.rstrip(b"\n"))
            stream.write(b"\n]" + b"}" * len(keys) + b"\n")


def find_lists(data: bytes | str) -> list[tuple[str, int]]:
    """Find the lists of objects in a JSON document.

    Returns:
        For each list its place, as ``rows`` of a mapping file states it, and its length.

    Raises:
        ValueError: the document is not JSON.
    """
    found: list[tuple[str, int]] = []

    def walk(value: object, place: str) -> None:
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            found.append((f"{place}*", len(value)))
        elif isinstance(value, dict):
            for key, each in value.items():
                walk(each, f"{place}{key}.")

    walk(json.loads(data), "")
    return found


class ObjectStream:
    """Stream of JSON Lines, made from rows in memory: a data frame, or mappings.

    Attributes:
        name: how messages call it.
    """

    name = "rows"

    def __init__(self, source: object) -> None:
        """Keep the rows."""
        self._objects = _iterate_objects(source)

    def read(self, _size: int = -1, /) -> bytes:
        """Read the next rows.

        Raises:
            ManifestError: one is not a mapping.
        """
        lines: list[str] = []
        for row in islice(self._objects, _ROWS_AT_ONCE):
            if not isinstance(row, Mapping):
                raise ManifestError(
                    f"rows: {type(row).__name__} is not a row; give a mapping of columns to values"
                )
            values = {str(key): _simplify(each) for key, each in row.items()}
            lines.append(f"{json.dumps(values)}\n")
        return "".join(lines).encode()


_ROWS_AT_ONCE = 500


def is_objects(source: object) -> bool:
    """Return whether a source is a data frame or an iterable of mappings."""
    if isinstance(source, str | bytes | Mapping) or hasattr(source, "read"):
        return False
    return has_rows(source) or (
        isinstance(source, Iterable) and not isinstance(source, list | tuple)
    )


def has_rows(source: object) -> bool:
    """Return whether a source is a data frame, or a list of mappings."""
    if isinstance(source, list | tuple):
        return bool(source) and isinstance(source[0], Mapping)
    return any(hasattr(source, method) for method in ("to_batches", "itertuples", "iter_rows"))


def _iterate_objects(source: Any) -> Iterator[Any]:
    """Yield the rows of a data frame of pandas, polars or pyarrow, or of an iterable."""
    if hasattr(source, "to_batches"):
        for batch in source.to_batches():
            yield from batch.to_pylist()
    elif hasattr(source, "itertuples"):
        names = [*map(str, source.columns)]
        for values in source.itertuples(index=False, name=None):
            yield dict(zip(names, values, strict=True))
    else:
        yield from source.iter_rows(named=True) if hasattr(source, "iter_rows") else source


def _simplify(value: Any) -> Any:
    """Return a value as JSON has it; missing values of pandas become null."""
    if isinstance(value, float):
        simple: Any = float(value) if math.isfinite(value) else None
    elif value is None or type(value).__name__ in {"NAType", "NaTType"}:
        simple = None
    elif isinstance(value, str | int):
        simple = value
    elif isinstance(value, Mapping):
        simple = {str(key): _simplify(each) for key, each in value.items()}
    elif isinstance(value, list | tuple | set | frozenset):
        simple = [_simplify(each) for each in value]
    elif isinstance(value, dt.date | decimal.Decimal):
        simple = format_cell(value)
    elif hasattr(value, "tolist"):  # a scalar or an array of numpy
        simple = _simplify(value.tolist())
    else:
        simple = str(value)
    return simple
