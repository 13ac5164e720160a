"""New columns: one row in the table of fields is all that reading, RDF and packing need."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import lexurn

SOURCE = Path(lexurn.__file__).parent
LAST = "    source: Source | None = dataclasses"
ROWS = """\
    reviewed: dt.date | None = _one(Kind.DAY, "reviewed_on", f"<{v.LEXO}reviewed>")
    pages_long: int | None = _one(Kind.INTEGER, "length", f"<{v.LEXO}length>")
    successor: Name | None = _one(Kind.NAME, "replaced_with", f"<{v.LEXO}replacedWith>")
    related: tuple[Name, ...] = _many(Kind.NAME, "related_act", f"<{v.LEXO}relatedAct>")
    notes: tuple[str, ...] = _many(Kind.TEXT, "note", f"<{v.LEXO}note>")
    summaries: tuple[LanguageText, ...] = _many(Kind.TITLE, "summary", f"<{v.LEXO}summary>")
    short_title: str | None = _one(Kind.TEXT, "short_title", f"<{v.LEXO}shortTitle>")
    seat: str | None = _one(Kind.URL, "seat", f"<{v.LEXO}seat>")
    editors: tuple[str, ...] = _many(
        Kind.AGENT, "agent", f"<{v.LEXO}agent>", f"<{v.LEXO}agentName>"
    )
"""
PROGRAM = '''
import datetime as dt, io
from lexurn.graph import Format, read, records_of, statements_of, write
from lexurn.manifest import open_manifest
from lexurn.model import pack_records, unpack_records

ACT = "urn:lex:it:stato:legge:2003-09-21;"
table = f"""urn,reviewed_on,length,replaced_with,related_act,note,summary@it,agent,short_title,seat
{ACT}1,2020-01-01,12,{ACT}2,{ACT}3 {ACT}4,one two,Una sintesi,Mario Rossi,Legge quadro,https://a.b/
"""
with open_manifest(io.BytesIO(table.encode()), on_finding=print) as manifest:
    (family,) = manifest.families()
(record,) = family.records
print(record.reviewed, record.pages_long, record.successor, *record.related)
print(*record.notes, record.summaries[0].value, record.summaries[0].language, *record.editors)
print(record.short_title, record.seat)
statements = statements_of(family, as_of=dt.date(2020, 1, 1))
for form in Format:
    assert records_of(read(write(statements, form), form)) == (record,), form
assert unpack_records(pack_records([record])) == (record,)
'''
ACT = "urn:lex:it:stato:legge:2003-09-21;"


def test_a_column_is_one_row_of_the_table_of_fields(tmp_path: Path) -> None:
    copy = tmp_path / "src" / "lexurn"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("ontology", "shapes"):
        (tmp_path / folder).symlink_to(SOURCE.parents[1] / folder)
    fields = copy / "model" / "fields.py"
    text = fields.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    fields.write_text(text.replace(LAST, ROWS + LAST), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"2020-01-01 12 {ACT}2 {ACT}3 {ACT}4",
        "one two Una sintesi it Mario Rossi",
        "Legge quadro https://a.b/",
    ]
