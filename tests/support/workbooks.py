"""Workbooks in XLSX, written by hand for tests."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/>'
    "</cellXfs></styleSheet>"
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
