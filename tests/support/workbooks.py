"""Workbooks in XLSX and XLS, written by hand for tests."""

from __future__ import annotations

import datetime as dt
import io
import struct
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/>'
    '<xf numFmtId="20"/></cellXfs></styleSheet>'
)


def column_letters(number: int) -> str:
    """Return the letters of a column, from 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _cell(place: str, value: object) -> str:
    if isinstance(value, dt.date):
        days = (value - dt.date(1899, 12, 30)).days
        return f'<c r="{place}" s="1"><v>{days}</v></c>'
    if isinstance(value, dt.time):
        share = (60 * value.hour + value.minute) / (24 * 60)
        return f'<c r="{place}" s="2"><v>{share}</v></c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def make_xlsx(
    sheets: Mapping[str, Sequence[Sequence[object]]],
    *,
    hidden: Sequence[str] = (),
    merged: Sequence[str] = (),
) -> bytes:
    """Make a workbook; empty texts are absent cells, ``merged`` holds for each sheet."""
    names = [*sheets]
    entries, links, types = [], [], []
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as package:
        for number, name in enumerate(names, start=1):
            state = ' state="hidden"' * (name in hidden)
            entries.append(
                f'<sheet name="{escape(name)}" sheetId="{number}" r:id="r{number}"{state}/>'
            )
            links.append(
                f'<Relationship Id="r{number}" Type="{_LINKS}/worksheet" '
                f'Target="worksheets/sheet{number}.xml"/>'
            )
            types.append(
                f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType='
                '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            )
            rows = "".join(
                f'<row r="{at}">'
                + "".join(
                    _cell(f"{column_letters(column)}{at}", value)
                    for column, value in enumerate(row)
                    if value != ""
                )
                + "</row>"
                for at, row in enumerate(sheets[name], start=1)
            )
            merges = "".join(f'<mergeCell ref="{span}"/>' for span in merged)
            merges = f"<mergeCells>{merges}</mergeCells>" * bool(merged)
            package.writestr(
                f"xl/worksheets/sheet{number}.xml",
                f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData>{merges}</worksheet>',
            )
        links.append(f'<Relationship Id="s" Type="{_LINKS}/styles" Target="styles.xml"/>')
        package.writestr("xl/styles.xml", _STYLES)
        package.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{"".join(entries)}</sheets>'
            "</workbook>",
        )
        package.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(links)}</Relationships>',
        )
        package.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="w" '
            f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Override '
            'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
            f'officedocument.spreadsheetml.sheet.main+xml"/>{"".join(types)}</Types>',
        )
    return whole.getvalue()


def _record(kind: int, data: bytes) -> bytes:
    """Write a record of BIFF8."""
    return struct.pack("<HH", kind, len(data)) + data


def _biff_cell(row: int, column: int, value: object) -> bytes:
    if isinstance(value, dt.date):
        days = (value - dt.date(1899, 12, 30)).days
        return _record(0x203, struct.pack("<HHHd", row, column, 1, days))
    if isinstance(value, int | float):
        return _record(0x203, struct.pack("<HHHd", row, column, 0, value))
    text = str(value)
    head = struct.pack("<HHHHB", row, column, 0, len(text), 1)
    return _record(0x204, head + text.encode("utf-16-le"))


def make_xls(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Make a workbook in XLS: records of BIFF8 in a compound file (MS-XLS, MS-CFB)."""
    version = struct.pack("<HHHII", 0x600, 0x10, 0, 0, 0) + bytes(2)
    start = _record(0x809, version.replace(b"\x10", b"\x05", 1)) + _record(0x42, b"\xb0\x04")
    start += b"".join(_record(0xE0, struct.pack("<HH", 0, form) + bytes(16)) for form in (0, 14))
    parts = []
    for rows in sheets.values():
        cells = [
            _biff_cell(at, column, value)
            for at, row in enumerate(rows)
            for column, value in enumerate(row)
            if value != ""
        ]
        size = struct.pack("<IIHHH", 0, len(rows), 0, max(map(len, rows)), 0)
        parts.append(
            _record(0x809, version) + _record(0x200, size) + b"".join(cells) + _record(0xA, b"")
        )
    at = len(start) + sum(12 + 2 * len(name) for name in sheets) + 4
    for name, part in zip(sheets, parts, strict=True):
        text = struct.pack("<IHBB", at, 0, len(name), 1) + name.encode("utf-16-le")
        start, at = start + _record(0x85, text), at + len(part)
    stream = start + _record(0xA, b"") + b"".join(parts)
    stream += bytes(max(-len(stream) % 512, 4096 - len(stream)))
    # Sector 0 lists the sectors, sector 1 is the directory, the stream is behind them.
    last = len(stream) // 512 + 1
    sectors = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, last + 1), 0xFFFFFFFE]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<10I", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0)
    entries = b"".join(
        (name := title.encode("utf-16-le")).ljust(64, b"\0")
        + struct.pack("<HBB3I", len(name) + 2, kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
        + bytes(36)
        + struct.pack("<IQ", first, size)
        for title, kind, child, first, size in (
            ("Root Entry", 5, 1, 0xFFFFFFFE, 0),
            ("Workbook", 2, 0xFFFFFFFF, 2, len(stream)),
        )
    )
    table = struct.pack(f"<{len(sectors)}I", *sectors)
    return head.ljust(512, b"\xff") + table.ljust(512, b"\xff") + entries.ljust(512, b"\0") + stream
