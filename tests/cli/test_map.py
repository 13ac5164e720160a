"""Command map: what it writes, and what it refuses."""

from __future__ import annotations

import tomllib

import pytest
from click.testing import CliRunner

from lexurn.cli import main

TABLE = "numero,data,titolo\n" + "".join(
    f"{7 * at},2020-01-{at:02},Modifica della legge sulla caccia e sulla pesca {at}\n"
    for at in range(1, 9)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "leggi.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run(*arguments):
    return CliRunner().invoke(main, ["map", *map(str, arguments)])


def test_the_mapping_is_written_to_a_file(table, tmp_path):
    output = tmp_path / "columns.toml"
    result = run(table, "-o", output, "-j", "it")
    assert result.exit_code == 0, result.output
    written = tomllib.loads(output.read_text(encoding="utf-8"))
    assert written["columns"] == {"numero": "number", "data": "date", "titolo": "title"}
    assert written["constants"] == {"jurisdiction": "it"}
    assert result.output.count(" -> ") == 5
    assert "Missing: measure" in result.output


def test_names_are_shown_once_nothing_is_missing(table, tmp_path):
    table.write_text(TABLE.replace("numero", "numero_legge"), encoding="utf-8")
    result = run(table, "-o", tmp_path / "columns.toml", "-j", "it")
    assert result.exit_code == 0
    assert "-> urn:lex:it:stato:legge:2020-01-01;7\n" in result.output
    assert "Next: lexurn publish" in result.output
    assert "--out my-site --base URL" in result.output


NEXT = [
    (
        "authority that no type states",
        "Atto;Data\nL.R. n. 12;13/05/2001\nL.R. n. 13;14/05/2001\nD.G.R. n. 14;15/05/2001\n",
        "Missing: authority. Decide the lines with # in {map}: [constants] authority.",
    ),
    (
        "title that may be in two columns",
        "Tipo;Numero;Data;Titolo;Oggetto\n"
        + "".join(f"Legge;{at};2001-05-{at};Pesca {at};Norme {at}\n" for at in range(13, 19)),
        "Missing: title. Decide the lines with # in {map}: [columns] Titolo, Oggetto.",
    ),
    (
        "no column of dates",
        "Tipo;Numero;Titolo\nLegge;12;Norme sulla pesca\nLegge;17;Norme sulla caccia\n",
        "Missing: date. No line gives the date: add it to the table, or read it from a cell with",
    ),
    (
        "one row without a number",
        "Tipo;Numero;Data\nLegge;12;2001-05-13\nLegge;;2001-05-14\n",
        "Next: correct 1 of 2 rows that were tried, or leave them rejected: lexurn publish ",
    ),
    (
        "one year of two digits",
        "Tipo;Numero;Data\n"
        + "".join(f"Legge;{at};{at}/05/2001\n" for at in (13, 17, 16, 19, 14, 18, 23, 21, 28, 25))
        + "Legge;29;29/05/01\n",
        "Next: correct 1 of 11 rows that were tried, or leave them rejected: lexurn publish ",
    ),
    (
        "types in capitals",
        "Tipo;Numero;Data\nLegge;12;2001-05-13\nXQWRT;17;2001-05-14\n",
        "Next: correct 1 of 2 rows that were tried (see the lines with #: XQWRT), or leave",
    ),
    (
        "numbers with another type",
        "Tipo;Numero;Data\n" + "Legge;Decreto-legge n. 12;2001-05-13\n" * 2,
        "No row that was tried (2) gets a name: correct {map} or the table.",
    ),
]


@pytest.mark.parametrize(
    "text",
    [
        "Tipo,Numero,Fecha\nDecreto,1/2019,2019-03-05\n",
        "Fecha A,Fecha B,Asunto\n2019-03-05,2019-03-06,Pesca en el mar\n",  # no row has a name
    ],
)
def test_a_note_names_the_jurisdiction_that_the_registry_uses(table, text):
    table.write_text(text, encoding="utf-8")
    result = run(table, "-j", "es", "--authority", "Junta de Andalucía")
    assert 'in the jurisdiction "es;andalucia"' in result.output


@pytest.mark.parametrize("other", ["Comune di Roma", "Comune di Ostia"])
def test_a_note_names_a_column_of_other_issuers_than_the_stated_one(table, other):
    rows = f"5,Delibera,2021-09-05,Comune di Roma\n9,Delibera,2021-09-09,{other}\n"
    table.write_text(f"Numero,Tipo,Data,Ente\n{rows}", encoding="utf-8")
    result = run(table, "-j", "it", "--authority", "Comune di Roma")
    has_others = other != "Comune di Roma"
    assert ("see [columns] Ente in" in result.output) is has_others


@pytest.mark.parametrize(("text", "line"), [row[1:] for row in NEXT], ids=[row[0] for row in NEXT])
def test_the_next_step_follows_from_the_rows_that_were_tried(table, tmp_path, text, line):
    table.write_text(text, encoding="utf-8")
    output = tmp_path / "columns.toml"
    result = run(table, "-o", output, "-j", "it;liguria" if "Atto" in text else "it")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith(line.format(map=output)), result.output


def test_an_open_order_of_days_is_missing(table, tmp_path):
    rows = "".join(
        f"{7 * at},0{at}/02/2020,Legge sulla caccia e sulla pesca {at}\n" for at in range(1, 9)
    )
    table.write_text(f"numero_legge,data,titolo\n{rows}", encoding="utf-8")
    result = run(table, "-o", tmp_path / "columns.toml", "-j", "it")
    assert result.exit_code == 0
    assert "Missing: date_order. " in result.output


def test_the_mapping_on_standard_output_is_alone_there(table):
    result = run(table)
    assert tomllib.loads(result.stdout)["columns"]["data"] == "date"
    assert " -> " in result.stderr


def test_no_file_is_overwritten(table, tmp_path):
    output = tmp_path / "columns.toml"
    output.write_text("mine", encoding="utf-8")
    result = run(table, "-o", output)
    assert result.exit_code == 2
    assert "not overwritten" in result.stderr
    assert output.read_text(encoding="utf-8") == "mine"


def test_a_table_without_days_and_numbers_is_refused_in_one_line(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("name,slug\nAn act,an-act\nAnother,another\n", encoding="utf-8")
    result = run(path, "-o", tmp_path / "columns.toml")
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "no column has dates or numbers" in result.output
    assert not (tmp_path / "columns.toml").exists()


def test_each_file_can_be_read_by_mint(table, tmp_path):
    output = tmp_path / "columns.toml"
    assert run(table, "-o", output, "-j", "it").exit_code == 0
    text = output.read_text(encoding="utf-8").replace('# measure = ""', 'measure = "legge"')
    output.write_text(text, encoding="utf-8")
    minted = CliRunner().invoke(main, ["mint", str(table), "--map", str(output)])
    assert minted.stdout.splitlines()[0] == "urn:lex:it:stato:legge:2020-01-01;7"
    assert len(minted.stdout.splitlines()) == 8


def test_names_in_the_table_are_shown(tmp_path):
    path = tmp_path / "acts.csv"
    name = "urn:lex:it:stato:legge:2020-01-31;7"
    path.write_text(f"urn,title\n{name},Una legge\n", encoding="utf-8")
    result = run(path)
    assert result.exit_code == 0
    assert name in result.stderr.splitlines()
    assert "Next:" in result.stderr


@pytest.mark.parametrize(
    ("code", "status"), [("zz", 2), ("zz;north", 2), ("IT;lazio", 0), ("law.example", 0)]
)
def test_a_jurisdiction_that_is_not_known_is_refused(table, tmp_path, code, status):
    result = run(table, "-o", tmp_path / "columns.toml", "-j", code)
    assert result.exit_code == status
    assert ("zz is not a registered jurisdiction" in result.output) is (status == 2)


def test_a_unit_alone_is_no_jurisdiction(table, tmp_path):
    result = run(table, "-o", tmp_path / "columns.toml", "-j", "Basel-Stadt")
    assert result.exit_code == 2
    assert 'It is a unit: write "ch;basel.stadt".' in result.output
