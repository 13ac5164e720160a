"""Reading of rows: from cells to a name and plain values, or to findings.

A row without a name is named by minting, from its other columns (RFC 9676 sections 3 to 7). Good
rows travel between processes and through files on disk as plain values.

`read_portion` reads a part of a table, `RowReader.read_rows` any raw rows. Each row goes through
`read_cells` (each cell by itself), then checks across its cells, then packing. For minting, rows
are also kept as fields of metadata (`FieldRow`); `read_fields` yields these alone.
"""

from __future__ import annotations

import hashlib
import marshal
import pickle
import re
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.errors import ManifestError
from lexurn.findings import make_finding
from lexurn.manifest.cells import (
    CELL_READERS,
    Cell,
    CellError,
    JsonCell,
    RowDraft,
    place_finding,
    quote_value,
    read_name,
    split_pieces,
)
from lexurn.manifest.formats import FieldRow
from lexurn.manifest.mapping import NAME_COLUMNS, SINGLE_COLUMNS
from lexurn.manifest.opening import choose_mapping, open_table
from lexurn.manifest.plan import make_plan
from lexurn.manifest.table_checks import CheckedName, find_titled_part, find_unclear_date, split_act
from lexurn.manifest.tables import RejectedRow
from lexurn.model import FIELDS, Kind, is_original
from lexurn.name import Level, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lexurn.findings import Finding
    from lexurn.manifest.formats import TableFormat
    from lexurn.manifest.mapping import Column, TableMapping
    from lexurn.manifest.opening import Table, TableSource
    from lexurn.manifest.plan import TablePlan
    from lexurn.manifest.tables import Portion, RawRow
    from lexurn.minting import Minted
    from lexurn.name import Name

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = re.compile("[\udc80-\udcff]+")
# Jurisdiction, authority, measure, details: the act in a name, sooner than by `Name.act_name`.
_ACT_NAME = re.compile(r"urn:lex(?::[^:@$~]*){4}")
# A version without a hyphen, which any date has; most of these are called original.
_UNDATED_VERSION = re.compile("@(?!original[:$~])[^-;:$~]*+(?:[;:$~]|$)")
_LONGEST_CACHED = 120
_PORTION_SIZE = 1 << 20
_FIRST_DIGEST = 10**17
NEXT_FREE = re.compile(";lex-1[0-9]{17}(?![0-9])")
"""The ``lex-N`` of a row that asks for the next free one: its N is a digest of the cells."""


class PackedRow(NamedTuple):
    """Good row, read without regard to other rows.

    Attributes:
        number: its number among all rows of all tables, bad ones included, from 1.
        act: the canonical text of the act that its name belongs to.
        name: the canonical text of the name that it describes.
        table: the number of its table, from 0.
        line: its first line, from 1; in Parquet the row's number.
        data: its values as `marshal` writes them: (name, fields, order). Fields are packed values
            as `unpack_fields` takes them; `RowReader._pack` explains the order, which may be None.
        raw: its bytes, where they are kept for a rejects file.
        alias_of: the canonical name of which its name is stated as an alias.
        alias_act: the act that this one belongs to.
        urls: the URLs of the copies that it names.
        checked: the name, where it was made from other columns, for the checks of the whole table.
        fields: the row for minting, as `RowReader.unpack_fields` takes it, where it is kept.
    """

    number: int
    act: str
    name: str
    table: int
    line: int
    data: bytes
    raw: bytes | None = None
    alias_of: str | None = None
    alias_act: str | None = None
    urls: tuple[str, ...] = ()
    checked: CheckedName | None = None
    fields: bytes | None = None


class ReadRow(NamedTuple):
    """Row that was read: good or rejected, with its findings.

    A row that is too long to be read is rejected in several pieces; each has the row's number.
    """

    row: PackedRow | None
    rejected: RejectedRow | None
    findings: list[Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """Reader of the rows of one table, in any process.

    Attributes:
        table: the number of the table, from 0.
        file: its file as given.
        format: its format.
        plan: the meaning of its columns.
        keeps_raw: whether rows keep their bytes, for a rejects file.
        keeps_fields: whether rows keep their fields, for minting.
    """

    table: int
    file: str
    format: TableFormat
    plan: TablePlan
    keeps_raw: bool = False
    keeps_fields: bool = False

    def portions(self, size: int) -> Iterator[Portion]:
        """Cut the table into portions that can be read apart from each other; open its file anew.

        Args:
            size: about how many bytes a portion has.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._open(stack).portions(size)

    def rows(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion as the table has them; open its file anew.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._open(stack).read_portion(portion)

    def _open(self, stack: ExitStack) -> Table:
        if self.file == "-":
            raise ManifestError("-: a stream can be read once only; name a file")
        return open_table(self.file, self.format, self.plan, stack)

    def read_rows(self, rows: Iterable[RawRow], rows_before: int) -> Iterator[ReadRow]:
        """Read raw rows.

        Args:
            rows: raw rows of this table, one after the other.
            rows_before: the number of rows before these, in this table and those before it.
        """
        number, makes_names = rows_before, self.plan.makes("urn")
        for raw in rows:
            number += not raw.is_further_piece
            packed, fields, findings = None, None, []
            if raw.cells is not None:
                row = _read_row(
                    self.plan, raw.cells, self.file, raw.line, is_minted=self.keeps_fields
                )
                findings = row.findings
                fields = pickle.dumps((row, raw.cells)) if self.keeps_fields else None
                if "urn" in row.names and not (findings and row.has_error):  # most have no finding
                    is_made = makes_names or "urn" not in row.cells
                    packed = self._pack(row, raw, number, fields, is_made=is_made)
            elif raw.fault is not None:
                findings = [place_finding(raw.fault, self.file, raw.line)]
            rejected = None
            if packed is None:
                kept = raw.raw if self.keeps_raw else b""
                known: object
                if raw.cells is not None:
                    known = [each for each in raw.cells.items() if self.plan.uses(each[0])]
                else:  # a format without raw rows tells two rows apart by their places alone
                    known = raw.raw or raw.line, raw.fault is not None and raw.fault.message
                digest = digest_values(known)
                rejected = RejectedRow(self.table, number, raw.line, kept, digest, fields)
            yield ReadRow(packed, rejected, findings)

    def unpack_fields(self, fields: bytes) -> FieldRow:
        """Unpack a row for minting, without its findings."""
        row, cells = pickle.loads(fields)  # noqa: S301 - bytes of our own processes
        return _make_field_row(self.plan, row, cells)

    def _pack(
        self, row: RowDraft, raw: RawRow, number: int, kept: bytes | None, *, is_made: bool
    ) -> PackedRow:
        """Pack a good row in few bytes; its number is the order of a version without any date.

        For example, row 7 names the version ``ACT@second``, of which no date says when it was made.
        If 7 describes the version itself, its field ``version_order`` becomes 7. If it describes
        something below, such as the file ``ACT@second$PUBLISHER:MIME``, its packed order is
        (``ACT@second``, 7), and counts where no row describes that version.
        """
        name, alias, fields = row.names["urn"], row.names.get("alias_of"), row.fields
        order: tuple[str, int] | None = None
        text, act = str(name), find_act(name)
        # Sooner than by `Name.expression`, which reads all parts of a name.
        is_undated = _UNDATED_VERSION.search(text)
        version = name.expression.version if is_undated and name.expression is not None else None
        if version is not None and not is_original(version):
            has_date = any(event.date is not None for event in version.events)
            if not has_date and name.level is Level.EXPRESSION and name.partition is None:
                fields.setdefault("version_order", number)
            elif not has_date:
                order = (str(name.expression_name), number)
        urls = tuple({url: None for url, _, _ in fields.get("items", ())})
        checked = None
        if alias is None and is_made:
            title, language = next(iter(fields.get("titles", ())), (None, None))
            url = next(iter((*urls, *fields.get("pages", ()))), None)
            checked = CheckedName(number, text, act, title, language, url)
        return PackedRow(
            number,
            act,
            text,
            self.table,
            raw.line,
            marshal.dumps((text, fields, order)),
            raw.raw if self.keeps_raw else None,
            None if alias is None else str(alias),
            None if alias is None else find_act(alias),
            urls,
            checked,
            kept,
        )


def digest_values(values: object) -> bytes:
    """Return a digest of plain values, by which a rejected row is known in other runs."""
    return hashlib.blake2b(repr(values).encode(errors="replace"), digest_size=16).digest()


def read_portion(reader: RowReader, portion: Portion, rows_before: int) -> list[ReadRow]:
    """Read a portion of a table, in any process.

    Args:
        reader: the reader of the table.
        portion: one of `RowReader.portions`.
        rows_before: the number of rows before it, in its table and those before that.

    Raises:
        ManifestError: the file cannot be opened or read any more.
    """
    return list(reader.read_rows(reader.rows(portion), rows_before))


def list_portion_tasks(
    reader: RowReader, rows_before: int
) -> Iterator[tuple[RowReader, Portion, int]]:
    """Yield the arguments of `read_portion` for each portion of a table.

    ``rows_before`` counts the rows before the table.
    """
    for portion in reader.portions(_PORTION_SIZE):
        yield reader, portion, rows_before
        rows_before += portion.rows


def read_fields(
    source: TableSource,
    *,
    mapping: str | Path | TableMapping | None = None,
    format: str | None = None,
) -> Iterator[FieldRow]:
    """Read the rows of any table as fields of metadata, one after the other.

    Args:
        source: as in `lexurn.open_manifest`.
        mapping: the meaning of the columns: a TOML file, or a mapping.
        format: the format, one of `TableFormat`; None to go by the file's extension.

    Raises:
        ManifestError: the table cannot be read at all.
        MissingExtraError: Parquet without pyarrow, a workbook without python-calamine.
    """
    with ExitStack() as stack:
        table = open_table(source, format, make_plan(choose_mapping(mapping)), stack)
        for raw in table.rows():
            if raw.cells is not None:
                row = read_cells(table.plan, raw.cells, table.file, raw.line)
                yield _make_field_row(table.plan, row, raw.cells)
            elif raw.fault is not None:
                fault = place_finding(raw.fault, table.file, raw.line)
                yield FieldRow(table.file, raw.line, None, (fault,))


def _make_field_row(plan: TablePlan, row: RowDraft, cells: Mapping[str, str]) -> FieldRow:
    """Make a row of fields from one whose cells were read."""
    is_lost = row.is_incomplete or row.has_error
    fields = None if is_lost else collect_fields(row, plan)
    is_named = "urn" in row.cells and not is_lost
    return FieldRow(
        row.file,
        row.line,
        fields,
        tuple(row.findings),
        row.names["urn"] if is_named else None,
        partial(_place_minted, row, plan),
        partial(_list_cells, plan, cells),
    )


def _list_cells(plan: TablePlan, cells: Mapping[str, str]) -> dict[str, str]:
    """List the cells of a row as a manifest without a mapping file has them.

    If the row is bad, those that cannot be read are as they stand or missing.
    """
    listed: dict[str, str] = {}
    with suppress(CellError):
        for column, text in plan.cells(cells):
            if column.target == "urn" or column.target in NAME_COLUMNS:
                continue
            header = f"{column.target}@{column.language}" if column.language else column.target
            if column.target in plan.changed:
                with suppress(CellError):
                    text = plan.change_text(column, text)  # noqa: PLW2901 - or as it stands
            listed[header] = "\n".join(filter(None, (listed.get(header), text.strip())))
    return listed


def find_act(name: Name) -> str:
    """Find the canonical text of the act that a name belongs to."""
    found = _ACT_NAME.match(str(name))
    return found[0] if found is not None else str(name.act_name)


_COPY_COLUMNS = {each for field in FIELDS if field.kind is Kind.COPY for each in field.columns}
_ROW_FIELDS = {
    column: (column if column in _COPY_COLUMNS else field.name, column in _COPY_COLUMNS)
    for field in FIELDS
    for column in field.columns
}
"""By column: the field of a row that its values go to, and whether they are joined to copies."""


def _read_title(row: RowDraft, column: Column, _text: str, value: str) -> None:
    field, _ = _ROW_FIELDS[column.target]
    row.fields.setdefault(field, []).append((value, column.language))


def _read_value(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Read one value or a list: days, numbers, links, agents, and the columns of copies."""
    target = column.target
    field, is_copy = _ROW_FIELDS[target]
    if is_copy:
        row.cells[target] = Cell(column.header, text)
    known = row.fields.get(field)
    if known is not None and target in SINGLE_COLUMNS:
        row.report_cell(Cell(column.header, text), "LX520", value=target)
        return
    try:
        skips_cache = is_copy or len(value) > _LONGEST_CACHED
        found = CELL_READERS[target](value) if skips_cache else _read_cached(target, value)
    except CellError as error:
        row.report(error.finding, Cell(column.header, text, text.index(value)))
        return
    row.fields[field] = found if known is None else [*known, *found]


@lru_cache(maxsize=4096)
def _read_cached(target: str, value: str) -> Any:
    """Read a cell; many rows have the same days, licences and agents."""
    return CELL_READERS[target](value)


def _read_name(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Read the name itself, or one name that it is related to."""
    target = column.target
    if target in row.cells:
        row.report_cell(Cell(column.header, text), "LX520", value=target)
        return
    at = 0 if value is text else text.index(value)
    row.cells[target] = cell = Cell(column.header, text, at)
    name = read_name(row, cell, value)
    if name is None:
        return
    row.names[target] = name
    if target != "urn":
        row.fields[_ROW_FIELDS[target][0]] = str(name)
    if row.dialect is not None and target == "urn" and value != str(name):
        row.fields["dialect_names"] = [*row.fields.get("dialect_names", ()), value]


def _read_names(row: RowDraft, column: Column, text: str, _value: str) -> None:
    """Read names that are separated by blanks."""
    names = row.fields.setdefault(_ROW_FIELDS[column.target][0], [])
    for start, piece in split_pieces(text):
        name = read_name(row, Cell(column.header, text, start), piece)
        if name is not None:
            names.append(str(name))


def _read_name_field(row: RowDraft, column: Column, text: str, value: str) -> None:
    """Keep a cell that a name may be minted from."""
    if column.target in row.name_fields:
        row.report_cell(Cell(column.header, text), "LX520", value=column.target)
    else:
        row.name_fields[column.target] = Cell(column.header, text, text.index(value))


_READERS = {
    "urn": _read_name,
    **dict.fromkeys(NAME_COLUMNS, _read_name_field),
    **{column: _read_value for field in FIELDS for column in field.columns},
    **{each.columns[0]: _read_title for each in FIELDS if each.kind is Kind.TITLE},
    **{
        each.columns[0]: _read_names if each.is_list else _read_name
        for each in FIELDS
        if each.kind is Kind.NAME
    },
}
"""Readers of cells by column; the last two entries replace `_read_value` for titles and names."""


def _read_row(
    plan: TablePlan, cells: Mapping[str, str], file: str, line: int, *, is_minted: bool = False
) -> RowDraft:
    """Read the cells of a row, and check that they fit each other.

    ``is_minted`` says whether the row may ask for the next free ``lex-N``.
    """
    row = read_cells(plan, cells, file, line)
    if "urn" not in row.cells and not row.is_incomplete:
        _mint_name(row, plan, is_minted=is_minted)
    if not _COPY_COLUMNS.isdisjoint(row.fields):
        _join_copies(row)
    name, alias_of = row.names.get("urn"), row.names.get("alias_of")
    if name is not None and alias_of is not None:
        cell = row.cells["alias_of"]
        if name == alias_of:
            row.report_cell(cell, "LX533")
        elif (name.level, name.partition is None) != (alias_of.level, alias_of.partition is None):
            kind = alias_of.level.value
            expected = kind if alias_of.partition is None else f"part of a {kind}"
            row.report_cell(cell, "LX534", value=quote_value(str(alias_of)), expected=expected)
    return row


def read_cells(plan: TablePlan, cells: Mapping[str, str], file: str, line: int) -> RowDraft:
    """Read the cells of a row, each by itself; errors and values are in the draft."""
    row = RowDraft(file, line, plan.dialect)
    try:
        for column, stated in plan.cells(cells):
            text = stated
            if column.target in plan.changed:
                try:
                    text = plan.change_text(column, stated)
                except CellError as error:
                    row.report(error.finding, Cell(column.header, stated.strip()))
                    row.is_incomplete = row.is_incomplete or column.target in NAME_COLUMNS
                    continue
            if not (text.isascii() and text.isprintable()):
                _read_any_cell(row, column, text)
            elif value := text.strip():
                _READERS[column.target](row, column, text, value)
    except CellError as error:
        row.report(error.finding, Cell(error.finding.column or "", error.finding.text))
        row.is_incomplete = True
    except TimeoutError:
        raise ManifestError(
            f"{file}:{line}: a pattern of {plan.mapping.file} takes over a second on a cell of "
            "this row; let no repetition stand inside another, or shorten it"
        ) from None
    return row


def check_constants(plan: TablePlan) -> None:
    """Check that the constants of a mapping file are values of their columns.

    Raises:
        ManifestError: one is not; with its line in the mapping file.
    """
    for column, text in plan.constants:
        where = plan.mapping.locate("constants", column.header)
        row = RowDraft(plan.mapping.file, 0)
        _read_any_cell(row, column, text)
        for found in row.findings:
            if found.severity is Severity.ERROR:
                raise ManifestError(f"{where}: {found.message} ({found.rule})")


def _read_any_cell(row: RowDraft, column: Column, text: str) -> None:
    """Read a cell that may hold characters that no text may hold; report these."""
    text = text.replace("\r\n", "\n")
    found = _FORBIDDEN.search(text)
    if found is None:
        at = text.find("\ufffd")
        if at >= 0:
            row.report(make_finding("LX522", start=at, end=at + 1), Cell(column.header, text))
        if value := text.strip():
            _READERS[column.target](row, column, text, value)
        return
    escaped = _ESCAPED.match(text, found.start())
    if escaped is not None and any(each.code == "LX501" for each in row.findings):
        return  # one finding for all cells of the row
    if escaped is None:
        code, shown, end = "LX502", f"U+{ord(found[0]):04X}", found.end()
    else:
        code, shown = "LX501", " ".join(f"{ord(c) - 0xDC00:02X}" for c in escaped[0][:4])
        text, end = text.encode("utf-8", "replace").decode(), escaped.end()
    fault = make_finding(code, named={"value": shown}, start=found.start(), end=end)
    row.report(fault, Cell(column.header, text))


def _join_copies(row: RowDraft) -> None:
    """Join the URLs, sizes and digests of copies to one field."""
    urls: list[str] = row.fields.pop("url", [])
    sizes: list[int | None] | None = row.fields.pop("bytes", None)
    sums: list[str | None] | None = row.fields.pop("sha256", None)
    for target, values in (("bytes", sizes), ("sha256", sums)):
        if values is not None and len(values) != len(urls) and not row.has_error:
            row.report_cell(row.cells[target], "LX517", value=len(values), expected=len(urls))
    nothing = [None] * len(urls)
    copies = dict.fromkeys(zip(urls, sizes or nothing, sums or nothing, strict=False))
    seen: set[str] = set()
    for url, _, _ in copies:
        if url in seen:
            row.report_cell(row.cells["url"], "LX518", value=quote_value(url))
        seen.add(url)
    if copies:
        row.fields["items"] = list(copies)


def _mint_name(row: RowDraft, plan: TablePlan, *, is_minted: bool) -> None:
    """Mint the name of a row without one, from its other columns.

    If the row asks for the next free ``lex-N``, it gets the same `NEXT_FREE` as its equals.
    """
    if not row.name_fields:
        needed = f"{plan.header_of('urn')}{plan.describe_undecided()}"
        found = make_finding("LX511", named={"value": needed})
        row.findings.append(place_finding(found, row.file, row.line))
        return
    from lexurn.minting import try_mint  # noqa: PLC0415 - with its registry, where it is needed

    fields = collect_fields(row, plan)
    if str(fields.get("unnumbered", "")).lower() == "true":
        if not is_minted:
            row.report_cell(row.name_fields["unnumbered"], "LX525")
            return
        digest = digest_values((sorted(fields.items()), sorted(row.fields.items())))
        fields["unnumbered"] = _FIRST_DIGEST + int.from_bytes(digest[:7])
    minted = try_mint(fields, registry=plan.registry)
    for found in minted.findings:
        if found.code == "LX784":
            continue  # the checks of the whole table report future days
        row.findings.append(_place_minted(row, plan, found))
    if minted.name is None:
        return
    row.names["urn"] = minted.name
    _check_parts(row, plan, fields, minted)


def _check_parts(
    row: RowDraft, plan: TablePlan, fields: Mapping[str, object], minted: Minted
) -> None:
    """Report a date that the row's own citation, title or day of publication makes doubtful."""
    accepted, act = plan.mapping.accept, find_act(minted.unwrap())
    if "citation" in fields and "LX545" not in accepted:
        words = find_unclear_date(fields, minted.findings, act)
        if words is not None:
            row.report_cell(row.name_fields["citation"], "LX545", value=quote_value(words))
    titled = None if "LX548" in accepted else find_titled_part(fields, act, plan.registry)
    if titled is not None:
        field, expected = titled
        given = field if field in row.name_fields else "citation"
        if given in row.name_fields:
            value = quote_value(str(fields[given]))
            row.report_cell(row.name_fields[given], "LX548", value=value, expected=expected)
    published, day = str(row.fields.get("published", "")), split_act(act).day
    if published and day and published < day and "LX549" not in accepted:
        cell = Cell(plan.header_of("published"), published)
        row.report_cell(cell, "LX549", value=published, expected=day)


def _place_minted(row: RowDraft, plan: TablePlan, found: Finding) -> Finding:
    """Return a finding of minting with the cell of its field."""
    field = found.component
    if found.code == "LX702":
        message = f"{found.message}{plan.describe_remedy(field)}"
        found = replace(found, message=message, suggestion=None)
    cell = row.name_fields.get(field) or row.name_fields.get(_SHORT_COLUMNS.get(field, ""))
    if cell is None:
        placed = replace(found, column=plan.header_of(field))
        return place_finding(placed, row.file, row.line)
    start = cell.text.find(found.text) if found.text else 0
    return row.place(found, Cell(cell.column, cell.text, max(start, 0)))


_SHORT_COLUMNS = {"annexes": "annex"}
_VERSION_FIELDS = frozenset({"version", "amendment_date"})


def collect_fields(row: RowDraft, plan: TablePlan) -> dict[str, object]:
    """Collect the fields of metadata that a row holds.

    Language and order of dates are those of the mapping file where the row has none.

    The column ``language`` is the language of the words. If the row has a version, it is also that
    of the version's text (RFC 9676 section 5.6). The first title is passed on, since some measures
    take their specification from it.
    """
    fields: dict[str, object] = {
        target: cell.text.value
        if isinstance(cell.text, JsonCell)
        else cell.text[cell.start :].strip()
        for target, cell in row.name_fields.items()
    }
    if "language" in fields and _VERSION_FIELDS & fields.keys():
        fields.setdefault("version_language", fields["language"])
    if fields and plan.mapping.language is not None:
        fields.setdefault("language", plan.mapping.language)
    if fields and plan.mapping.date_order is not None:
        fields.setdefault("date_order", plan.mapping.date_order)
    titles = row.fields.get("titles")
    if titles:
        fields["title"] = titles[0][0]
    return fields
