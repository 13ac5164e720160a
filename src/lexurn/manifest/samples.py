"""Samples of any table: its columns and first rows, with encoding, separator, sheet and list.

The settings that the file does not state are found in it: the encoding by byte order mark, then as
UTF-8, else by the letters and words of a language; the separator by rows of equal widths; the sheet
or the list in JSON by its shape. Each is a `Guess` with its reason.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lexurn.errors import ManifestError
from lexurn.manifest.cells import quote_value
from lexurn.manifest.columns import MANY, TITLE_LINES, find_header
from lexurn.manifest.encodings import BLOCK, find_encoding
from lexurn.manifest.formats import TableFormat
from lexurn.manifest.json import find_lists
from lexurn.manifest.mapping import NO_MAPPING, SEPARATORS, TableMapping
from lexurn.manifest.mapping_draft import Guess, Sample
from lexurn.manifest.opening import apply_package, open_rows
from lexurn.manifest.plan import make_plan
from lexurn.manifest.tables import OpenSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_ROWS: Final = 5_000  # of a sample, so that a table of a million rows takes no longer
_LONGEST_TEXT = 8 << 20
_LONGEST_CELL = 2_000  # characters; more of the text of a law tells nothing new of its column
_NEARLY = 0.98

_DATA_CELL = re.compile(r"[0-9]{5,}|https?://\S+|[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}\S*")


def read_sample(
    file: str, *, encoding: str | None = None, sheet: str | None = None, rows: str | None = None
) -> Sample:
    """Read the columns and first rows of a table in any format.

    Args:
        file: the path of the table.
        encoding: its encoding; None to find it.
        sheet: the sheet of a workbook; None for the only one that has a table.
        rows: the place of the list in JSON, such as ``docs.*``; None for the longest list.

    Raises:
        ManifestError: no table can be found in it; the message has the place and the next step.
        MissingExtraError: the package that reads the format is not installed.
    """
    try:
        with Path(file).open("rb") as stream:
            head = stream.read(BLOCK)
    except OSError as missing:
        raise ManifestError(f"{file}: cannot be read: {missing.strerror or missing}") from None
    if not head:
        raise ManifestError(f"{file}: the file is empty; a table starts with a header")
    options = {"encoding": encoding, "sheet": sheet, "rows": rows}
    stated = {key: value for key, value in options.items() if value is not None}
    settings = tuple(Guess("", key, value, f"as --{key} states") for key, value in stated.items())
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return _read_book(file, settings)
    if not head.startswith((b"PAR1", b"\x1f\x8b")):
        settings += _find_layout(file, settings)
    return _open_sample(file, settings)


def _open_sample(file: str, settings: tuple[Guess, ...], book: Any = None) -> Sample:
    """Read the sample of a table whose layout is known, from a workbook if it was read.

    Raises:
        ManifestError: it has no header, or no rows.
    """
    layout: dict[str, Any] = {}
    for each in settings:
        layout.setdefault(each.key, each.value)  # the first choice of a question
    with open_rows(file, TableMapping(**layout), book=book) as table:
        headers = table.headers
        numbers, rows = [], []
        for number, cells in islice(table.rows, MOST_ROWS + 1):
            numbers.append(number)
            rows.append(tuple(cells.get(header, "")[:_LONGEST_CELL] for header in headers))
    is_json = table.format in {TableFormat.JSON, TableFormat.JSONL}
    if not rows:
        why = "no list of objects; name another with --rows"
        why = why if is_json else "the table has a header and no rows; give the one with the acts"
        raise ManifestError(f"{file}: {why}")
    names = ["" if header == f"#{at}" else header for at, header in enumerate(headers, start=1)]
    if "header" not in layout and table.format.is_workbook:
        header = find_header([names, *rows])
        if header:
            number = numbers[header - 1]
            reason = "the rows above it are not as wide as the table"
            return _open_sample(file, (*settings, Guess("", "header", number, reason)), book)
    if not is_json and any(map(_DATA_CELL.fullmatch, names)):
        raise ManifestError(
            f"{file}: the first row is data, not a header; write a row with the names of the "
            "columns above it"
        )
    return Sample(file, headers, tuple(rows[:MOST_ROWS]), len(rows) <= MOST_ROWS, settings)


def _find_layout(file: str, stated: tuple[Guess, ...]) -> tuple[Guess, ...]:
    """Find the layout of a text; a file beside it may state a part of it."""
    package = apply_package(make_plan(NO_MAPPING), Path(file)).mapping
    encoding = next((str(each.value) for each in stated if each.key == "encoding"), None)
    found: tuple[Guess, ...] = ()
    if encoding is None:
        encoding = package.encoding
    if encoding is None:
        encoding, found = find_encoding(file)
    with Path(file).open("rb") as stream:
        data = stream.read(_LONGEST_TEXT + 1)
    try:
        # The last line of a part may be cut.
        text = data.decode(encoding, "replace").removeprefix("\ufeff")
    except LookupError:
        raise ManifestError(
            f"{file}: {quote_value(encoding)} is not an encoding; write one such as cp1252"
        ) from None
    is_whole = len(data) <= _LONGEST_TEXT
    if text.lstrip()[:1] in {"{", "["}:
        has_lines = False  # one object a line
        with suppress(ValueError, RecursionError):
            first, _, rest = text.lstrip().partition("\n")
            has_lines = isinstance(json.loads(first), dict) and rest.lstrip()[:1] == "{"
        if has_lines or any(each.key == "rows" for each in stated):
            return found
        return found + _find_list(file, text, is_whole=is_whole)
    if not is_whole:
        text = text[: text.rfind("\n") + 1]
    return found + _find_separator(file, text, package)


# --- text in CSV ----------------------------------------------------------------------


def _find_separator(file: str, text: str, package: TableMapping) -> tuple[Guess, ...]:
    """Find the separator that gives rows of equal widths, and the row of the header."""
    found: list[Guess] = []
    widths = {mark: _measure_widths(text, mark) for mark in SEPARATORS}
    equal = [mark for mark, (width, share) in widths.items() if width > 1 and share >= MANY]
    ranked = sorted(
        equal, key=lambda mark: (widths[mark][1] > _NEARLY, widths[mark][0]), reverse=True
    )
    usual = "\t" if file.lower().endswith(".tsv") else ","
    mark = package.separator or (ranked or [usual])[0]
    rows = list(_split_rows(text, mark))
    if package.separator is None and not ranked:
        ragged = max(widths, key=lambda each: widths[each][0])
        width, share = widths[ragged]
        if width > 1:
            mark, rows = ragged, list(_split_rows(text, ragged))
            reason = f"only {share:.0%} of the rows have {width} cells, as the header has"
            is_alone = sum(each > 1 for each, _ in widths.values()) == 1
            is_alone = is_alone and len(rows[find_header(rows)]) == width
            found.append(Guess("", "separator", ragged, reason, is_alone))
    elif package.separator is None and mark != usual:
        width, share = widths[mark]
        is_alone = all(widths[each][0] < width for each in ranked[1:])
        reason = f"{share:.0%} of the rows have {width} cells"
        found.append(Guess("", "separator", mark, reason, is_alone))
    header = find_header(rows)
    if not any(map(any, rows)):
        raise ManifestError(f"{file}: the table is empty; a table starts with a header")
    below = [row for row in rows[header + 1 :] if any(row)]
    lone = [row[0] for row in below if not any(row[1:])]
    least = len(rows[header]) - 1
    quoted = sum(any(cell.count(sign) >= least for sign in SEPARATORS) for cell in lone)
    if least > 0 and below and quoted >= MANY * len(below):
        raise ManifestError(
            f"{file}: the header has {least + 1} cells, and {quoted} of {len(below)} rows have "
            "one: export the table again, or remove the quotes around each row"
        )
    wide = [row for row in below if any(row[least + 1 :])]
    if below and len(wide) >= MANY * len(below):
        raise ManifestError(
            f"{file}: the header has {least + 1} cells, and {len(wide)} of {len(below)} rows have "
            f"more: row {below.index(wide[0]) + 1} below it has {len(wide[0])}; put quotes around "
            f"the cells that contain {quote_value(mark)}, or add the missing headers"
        )
    if any(map(any, rows[:header])) and package.header is None:
        reason = "the rows above it are not as wide as the table"
        found.append(Guess("", "header", header + 1, reason))
    return tuple(found)


def _split_rows(text: str, mark: str) -> Iterator[list[str]]:
    """Split a text into rows and cells, as many as a sample has."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        yield from islice(reader, MOST_ROWS + TITLE_LINES)
    except csv.Error:
        return  # a cell that is too long: the reader of tables reports it with its line


def _measure_widths(text: str, mark: str) -> tuple[int, float]:
    """Return the most frequent width of the first rows, and its share."""
    found = Counter(len(row) for row in islice(_split_rows(text, mark), 500) if any(row))
    ((width, count),) = found.most_common(1) or [(1, 0)]
    return width, count / max(1, found.total())


# --- workbooks and JSON ---------------------------------------------------------------


def _read_book(file: str, settings: tuple[Guess, ...]) -> Sample:
    """Read the sheet that holds a table: the one that is named, or the only one."""
    if settings:
        return _open_sample(file, settings)
    from lexurn.manifest.sheets import list_sheets, open_book  # noqa: PLC0415 - needs an extra

    with Path(file).open("rb") as stream:
        source = OpenSource(file, TableFormat.XLSX, stream, b"")
        with open_book(source) as book:
            names = list_sheets(book)
    if len(names) < 2:  # one sheet needs no line, if it is the only one with cells
        try:
            return _open_sample(file, (), book)
        except ManifestError:
            if not names:
                raise
    samples: dict[str, Sample] = {}
    for name in names:
        reason = f"the only table, or by far the largest, of {_list(names)}"
        sample = _open_sample(file, (Guess("", "sheet", name, reason),), book)
        named = [each for at, each in enumerate(sample.headers, start=1) if each != f"#{at}"]
        if 2 * len(named) > len(sample.headers):
            samples[name] = sample
    if not samples:
        raise ManifestError(f"{file}: no sheet holds a table with a header and rows")
    sizes = {name: sum(map(bool, chain(*each.rows))) for name, each in samples.items()}
    first = _choose_largest(sizes, f"{file}: several sheets hold tables", "sheet")
    return samples[first]


def _choose_largest(sizes: Mapping[str, int], fault: str, option: str) -> str:
    """Choose the largest of some tables, if it is three times as large as the next."""
    first, *others = sorted(sizes, key=lambda name: -sizes[name])
    if others and 3 * sizes[others[0]] > sizes[first]:
        raise ManifestError(f"{fault}: {_list(sizes)}; name one with --{option}")
    return first


def _list(names: Iterable[str]) -> str:
    return ", ".join(map(quote_value, names))


def _find_list(file: str, text: str, *, is_whole: bool) -> tuple[Guess, ...]:
    """Find the place of the list of objects in a JSON document."""
    if text.lstrip()[:1] == "[":
        return ()
    if not is_whole:
        size = Path(file).stat().st_size
        raise ManifestError(
            f"{file}: {size:,} bytes of JSON in one document; name the list with --rows"
        )
    try:
        lists = dict(find_lists(text))
    except (ValueError, RecursionError) as broken:
        raise ManifestError(
            f"{file}: not JSON: {broken}; export it again, or save the table as CSV"
        ) from None
    if not lists:
        raise ManifestError(
            f"{file}: no list of objects; a table is a list with an object for each row"
        )
    first = _choose_largest(lists, f"{file}: several lists of objects", "rows")
    return (Guess("", "rows", first, f"the list has {lists[first]} objects"),)
