"""Mapping files: what the columns of somebody's own table mean."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from lexurn.errors import ManifestError
from lexurn.manifest import open_manifest
from lexurn.model import LanguageText

ACT = "urn:lex:br:federal:lei:1990-09-11;8078"


def mapped(tmp_path: Path, toml: str, table: str) -> list[object]:
    """The records that come from a table through a mapping file, those without source left out."""
    mapping = tmp_path / "columns.toml"
    mapping.write_text(toml, encoding="utf-8")
    with open_manifest(io.BytesIO(table.encode()), mapping=mapping) as manifest:
        records = [record for family in manifest.families() for record in family.records]
        assert manifest.rejected == 0
    return [record for record in records if record.source is not None]


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    block = page.split("```toml\n# Columns of your table", 1)[1].split("```")[0].partition("\n")[2]
    header = "id;authority;type;number;issued;title;summary;link;license"
    row = "7;federal;lei;8078;1990-09-11;Código;Code;https://law.example/{8078};"
    other = "8;federal;lei;8079;1990-09-13;Outra;;;https://l.example/"
    row = row.replace("{8078}", "8078")
    records = mapped(tmp_path, block, f"{header}\n{row}\n{other}")
    assert [str(record.name) for record in records] == [ACT, ACT.replace("11;8078", "13;8079")]
    assert records[0].titles == (
        LanguageText(value="Code", language="en"),
        LanguageText(value="Código", language="pt"),
    )
    assert records[0].pages == ("https://law.example/8078",)
    assert [record.licenses for record in records] == [
        ("https://creativecommons.org/publicdomain/zero/1.0/",),
        ("https://l.example/",),
    ]


def test_templates_hold_braces_and_give_nothing_where_a_column_is_empty(tmp_path: Path) -> None:
    toml = (
        'ignore = ["n"]\n[templates]\ntitle = "{{{n}}} of {urn}"\npage = "https://a.example/{n}"\n'
    )
    records = mapped(tmp_path, toml, f"urn,n\n{ACT}, 5 \n{ACT}:anexo.1,\n")
    assert records[0].titles == (LanguageText(value="{5} of " + ACT),)
    assert records[0].pages == ("https://a.example/5",)
    assert (records[1].titles, records[1].pages) == ((), ())


def test_templates_give_nothing_where_a_cell_is_no_value(tmp_path: Path) -> None:
    toml = '[templates]\ncited_as = "Lei {title}"\n[values.title]\n"n.d." = ""\n'
    records = mapped(tmp_path, toml, f"urn,title\n{ACT},8.078\n{ACT}:anexo.1, n.d. \n")
    assert [each.cited_as for each in records] == ["Lei 8.078", None]


def test_columns_without_name_and_twins_can_be_ignored(tmp_path: Path) -> None:
    records = mapped(tmp_path, 'ignore = ["", "x"]', f"urn,x,,x,\n{ACT},1,2,3,4\n")
    assert [str(record.name) for record in records] == [ACT]


def test_what_is_ignored_may_hold_anything(tmp_path: Path) -> None:
    mapping = tmp_path / "columns.toml"
    mapping.write_text('ignore = ["x"]', encoding="utf-8")
    table = f'{{"urn": "{ACT}", "x": {{"y": [1, null]}}}}'
    with open_manifest(io.BytesIO(table.encode()), mapping=mapping) as manifest:
        assert len(list(manifest.families())) == 1


FAULTY = {
    "no TOML": ("[columns\n", "not TOML"),
    "an unknown table": ("[column]\na = 'b'\n", 'columns.toml:1: "column" is not a key'),
    "an unknown setting": ("\nlang = 'it'\n", 'columns.toml:2: "lang" is not a key'),
    "an unknown target": ("[columns]\nb = 'page'\na = 'titel'\n", 'columns.toml:3: "titel"'),
    "no text": ("[constants]\nissued = 2003-09-21\n", 'columns.toml:2: "issued" needs a text'),
    "no table": ("columns = 'a'\n", "columns.toml:1: columns is a table"),
    "the same name": ("[constants]\nurn = 'x'\n", "columns.toml:2: urn cannot be the same"),
    "a lone brace": ("[templates]\nurn = '{a}}'\n", "columns.toml:2: .*lone }"),
    "an open brace": ("[templates]\nurn = '{a'\n", "columns.toml:2: .*lone {"),
    "no name in braces": ("[templates]\nurn = 'x{}'\n", "columns.toml:2: .*lone {}"),
    "no column": ("[templates]\n\npage = 'x'\n", "columns.toml:3: .*uses no column"),
    "a language of values": ("[values.'title@it']\na = 'b'\n", "columns.toml:1: values hold for"),
    "a pattern without groups": ("[patterns]\nlink = 'a'\n", "columns.toml:2: name a group"),
    "no pattern": ("[patterns]\nlink = '(?P<number>'\n", "columns.toml:2: not a regular expr"),
    "an unknown group": ("[patterns]\nlink = '(?P<x>a)'\n", 'columns.toml:2: "x" is not a col'),
    "no encoding": ("encoding = 'x'\n", "columns.toml:1: 'x' is not an encoding"),
    "no time zone": ("time_zone = 'x'\n", "columns.toml:1: 'x' is not a time zone"),
    "no place of rows": ("rows = 'docs'\n", "columns.toml:1: end with the list itself"),
    "a header above the first": ("header = 0\n", "columns.toml:1: rows are counted from 1"),
    "no truth value": ("distinct = 'yes'\n", "columns.toml:1: distinct is true or false"),
    "no list": ("ignore = 'x'\n", "columns.toml:1: ignore is a list"),
    "no language": ("\n\nlanguage = 'italiano_'\n", "columns.toml:3: .*language tag"),
    "no separator": ("separator = 'x'\n", "columns.toml:1: separator cannot be"),
    "accept is no list": ("\naccept = 'LX541'\n", "columns.toml:2: accept is a list"),
    "a code that cannot be accepted": ("accept = ['LX702']\n", "columns.toml:1: .*LX541, LX542"),
    "a bad constant": (
        "[constants]\nlicense = 'CC'\nurl = 'https://a.example/'\n",
        'columns.toml:2: .*"CC" is not an absolute IRI',
    ),
    "a missing column": ("[columns]\n'tit le' = 'title'\n", 'columns.toml:2: .*no column "tit le"'),
    "a missing column, nearly there": (
        "[columns]\nlinks = 'title'\n",
        'columns.toml:2: .*no column "links"; did you mean "link"',
    ),
    "a missing column of a template": (
        "ignore = ['link']\n[templates]\npage = '{lik}'\n",
        'columns.toml:3: .*no column "lik"; did you mean "link"',
    ),
    "two columns for one value": (
        "[columns]\nlink = 'urn'\n",
        'both the column "urn" and the column "link" give urn',
    ),
    "a column and a template for one value": (
        "[templates]\nurn = 'x{link}'\n",
        'both the column "urn" and the template at .*columns.toml:2 give urn',
    ),
}


@pytest.mark.parametrize(("toml", "told"), FAULTY.values(), ids=FAULTY)
def test_faults_of_mapping_files_are_told_with_their_line(
    tmp_path: Path, toml: str, told: str
) -> None:
    with pytest.raises(ManifestError, match=told):
        mapped(tmp_path, toml, f"urn,link\n{ACT},\n")


UNDECIDED = """[columns]
# Type = "measure"  # is it the type of act?
# a remark = that is no entry
[patterns]
# Link = '/(?P<period>[0-9]+)/'
[constants]
# authority = ""
"""


def test_undecided_lines_are_named_where_no_name_is_made(tmp_path: Path) -> None:
    mapping = tmp_path / "map.toml"
    mapping.write_text(UNDECIDED, encoding="utf-8")
    expected = f"lines of {mapping} that begin with # (measure, period, authority)"
    with pytest.raises(ManifestError, match=re.escape(expected)):
        open_manifest(io.BytesIO(b"title\nOne\n"), mapping=mapping).__enter__()
    messages: list[str] = []
    table = io.BytesIO(b'[{"title": "One"}]')
    with open_manifest(
        table, mapping=mapping, on_finding=lambda found: messages.append(found.message)
    ) as manifest:
        assert not [*manifest.families()]
    assert expected in messages[0]


def test_mapping_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin, large = tmp_path / "latin.toml", tmp_path / "large.toml"
    latin.write_bytes(b"# libert\xe0\n")
    large.write_bytes(b"#" * 2_000_000)
    for mapping, told in {
        latin: "not UTF-8 at byte 8",
        large: "larger",
        tmp_path / "missing.toml": "cannot be read",
        tmp_path: "cannot be read",
    }.items():
        with pytest.raises(ManifestError, match=told):
            open_manifest(io.BytesIO(b"urn\n"), mapping=mapping)


def test_a_portal_s_own_table_is_read_through_a_mapping(tmp_path: Path) -> None:
    corpus = os.environ.get("LEXURN_CORPUS")
    if corpus is None:
        pytest.skip("LEXURN_CORPUS names no folder")
    mapping = tmp_path / "columns.toml"
    mapping.write_text('language = "pt"\n[columns]\nurl = "page"\n', encoding="utf-8")
    with open_manifest(Path(corpus) / "lexml_portal.csv", mapping=mapping) as manifest:
        families = list(manifest.families())
    records = [record for family in families for record in family.records if record.source]
    assert manifest.rows == 424
    assert len(records) + manifest.rejected == 424
    assert all(record.pages and record.titles[0].language == "pt" for record in records)
    assert not any(record.items for record in records)
