"""``lexurn mint`` as a user has it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lexurn.cli import main
from lexurn.cli.mint import FIELD_HELP, FIELD_NAMES
from lexurn.minting import FIELDS

LEGGE = ("-j", "it", "--measure", "Legge", "--date", "21 settembre 2003", "--number", "456")
BEFORE = "urn:lex:it:stato:legge:2003-09-21;"
TEXT = f"{BEFORE}456"
REGISTRY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix reg: <https://w3id.org/lexurn/registry/ns#> .
@prefix dcterms: <http://purl.org/dc/terms/> .

<https://w3id.org/lexurn/registry/it/authorities/comune.montelupo> a skos:Concept ;
    skos:inScheme <https://w3id.org/lexurn/registry/it/authorities> ;
    skos:notation "comune.montelupo" ;
    skos:prefLabel "Comune di Montelupo"@it ;
    reg:abbreviation "C.M.L."@it ;
    dcterms:source <https://montelupo.example/statuto> ;
    skos:example "urn:lex:it:comune.montelupo:delibera:2020-01-01;1" .
"""


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ("mint", *arguments), input=stdin)


def test_a_name_from_options() -> None:
    done = run(*LEGGE)
    assert (done.exit_code, done.stdout, done.stderr) == (0, TEXT + "\n", "")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--date-order", "mdy", "--date", "9/21/2003"), TEXT),
        (("--mode", "utf8", "--date", "2003-09-21", "--annex", "Città"), f"{TEXT}:citt%C3%A0"),
    ],
)
def test_options_take_one_of_a_few_values(options: tuple[str, ...], name: str) -> None:
    done = run(*LEGGE[:4], *LEGGE[-2:], *options)
    assert done.stdout == f"{name}\n", done.stderr
    assert run(*LEGGE, options[0], "MDY").exit_code == 2


def test_steps_are_explained_on_demand() -> None:
    done = run(*LEGGE, "--explain")
    assert done.exit_code == 0
    first, *steps = done.stdout.splitlines()
    assert first == TEXT
    assert any("21 settembre 2003" in step and "RFC 9676 §3.6" in step for step in steps)
    assert any("https://w3id.org/lexurn/registry/it/measures/legge" in step for step in steps)


def test_a_citation_in_one_line() -> None:
    words = "Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000"
    done = run("-j", "it", "--citation", words)
    assert done.stdout == "urn:lex:it:ministero.finanze:decreto:1999-12-20;1-p-2000\n"


def test_bad_metadata_point_at_the_place_and_end_with_one() -> None:
    done = run("-j", "it", "--measure", "Legge", "--date", "31 febbraio 2003", "--number", "1")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("date: error LX7")
    assert "31 febbraio 2003" in done.stderr
    assert "^" in done.stderr


def test_objects_in_and_objects_out_in_their_order() -> None:
    rows = [
        {"measure": "Legge", "date": "2003-09-21", "number": 456, "jurisdiction": "it"},
        {"measure": "Legge"},
        {
            "jurisdiction": "uk",
            "language": "en",
            "authority": [
                ["Ministry of the Interior", "Third Department"],
                ["Ministry of Finance"],
            ],
            "measure": "Decree",
            "date": ["2000-01-01", "2000-01-02"],
            "number": ["1", "2"],
            "annexes": [{"heading": "Annex 1/A", "title": "The borders of the park"}],
        },
    ]
    text = "\n".join(json.dumps(row) for row in rows) + "\n\nnot json\n[1]\n"
    done = run("--format", "jsonl", "-", stdin=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 3
    assert [answer["name"] for answer in answers] == [
        TEXT,
        None,
        (
            "urn:lex:uk:ministry.interior;3.department+ministry.finance:decree:"
            "2000-01-01,2000-01-02;1,2:annex.1.a;borders.park"
        ),
        None,
        None,
    ]
    assert all(set(answer) == {"name", "steps", "findings"} for answer in answers)
    assert "-:5: error LX507 (2 times): the line is not a JSON object" in done.stderr


def test_a_table_with_a_mapping_file(tmp_path: Path) -> None:
    table, mapping = tmp_path / "atti.csv", tmp_path / "map.toml"
    table.write_text("tipo;giorno;n\nLegge;21 settembre 2003;456\nLegge;;7\n", "utf-8")
    mapping.write_text(
        'separator = ";"\n[columns]\ntipo = "measure"\ngiorno = "date"\nn = "number"\n', "utf-8"
    )
    done = run(str(table), "--map", str(mapping), "-j", "it")
    assert (done.exit_code, done.stdout) == (3, TEXT + "\n")
    assert f"{table}:3, column giorno: error LX702" in done.stderr


def test_options_give_what_no_column_has(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    table.write_text("measure,date,number\n,2003-09-21,456\nLegge costituzionale,2003-09-21,457\n")
    names = f"{TEXT}\n{BEFORE.replace('legge', 'legge.costituzionale')}457\n"
    assert run(str(table), "-j", "it", "--measure", "Legge").stdout == names
    table.write_text("date,number\n2003-09-21,456\n", encoding="utf-8")
    assert run(str(table), "-j", "it", "--measure", "Legge").stdout == f"{TEXT}\n"


def test_names_already_given_are_not_given_again(tmp_path: Path) -> None:
    names, manifest = tmp_path / "names.txt", tmp_path / "acts.csv"
    names.write_text(f"{TEXT}\n\nurn:lex:it:stato:legge:2003-09-21;lex-4\n", "utf-8")
    manifest.write_text("urn\nurn:lex:it:stato:legge:2003-09-21;lex-6\n", "utf-8")
    both = ("--taken", str(names), "--taken", str(manifest))
    done = run(*LEGGE, *both)
    assert done.exit_code == 1
    assert "LX770" in done.stderr
    done = run(*LEGGE[:-2], "--unnumbered", "true", *both)
    assert done.stdout == "urn:lex:it:stato:legge:2003-09-21;lex-7\n"
    names.write_text("no name\n", "utf-8")
    assert "names.txt:1: not a valid name" in run(*LEGGE, "--taken", str(names)).stderr


def test_a_number_that_was_given_out_is_not_given_again() -> None:
    rows = [{"unnumbered": True}, {"number": 5}, {"number": 5}, {"number": "lex-1"}]
    done = run(*LEGGE[:-2], "-", stdin="\n".join(map(json.dumps, rows)))
    before = "urn:lex:it:stato:legge:2003-09-21;"
    assert done.stdout.split() == [f"{before}lex-1", f"{before}5", f"{before}5"]
    assert "-:4, number: error LX770" in done.stderr


def test_the_mark_of_an_editor_before_the_first_line_is_nothing(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"\ufeff{TEXT}\n", "utf-8")
    done = run(*LEGGE[:-2], "--taken", str(names), "-", stdin='\ufeff{"number": 456}\n')
    assert "LX770" in done.stderr
    done = run(*LEGGE[:-2], "-", stdin='{"number": 1}\n\ufeff{"number": 2}\n')
    assert "-:2: error LX507: the line is not a JSON object" in done.stderr


def test_a_line_that_is_too_long_is_said() -> None:
    done = run("-", stdin=json.dumps({"title": "x" * 70_000}) + "\n{}\n")
    assert (
        "-:1: error LX507: the line is not a JSON object (longer than 65,536 bytes)" in done.stderr
    )
    assert "-:2, jurisdiction: error LX702" in done.stderr


def test_a_registry_of_ones_own(tmp_path: Path) -> None:
    registry = tmp_path / "my.ttl"
    registry.write_text(REGISTRY, "utf-8")
    issuer = ("-j", "it", "--authority", "C.M.L.", "--measure", "Delibera")
    fields = (*issuer, "--date", "2020-01-01", "--number", "1")
    assert run(*fields).exit_code == 1
    done = run(*fields, "--registry", str(registry))
    assert (done.stdout, done.exit_code) == (
        "urn:lex:it:comune.montelupo:delibera:2020-01-01;1\n",
        0,
    )


def test_a_registry_with_errors_mints_nothing(tmp_path: Path) -> None:
    registry = tmp_path / "my.ttl"
    registry.write_text(REGISTRY.replace('"comune.montelupo" ;', '"Comune di" ;'), "utf-8")
    done = run(*LEGGE, "--registry", str(registry))
    assert (done.exit_code, done.stdout) == (1, "")
    assert "my.ttl:" in done.stderr


@pytest.mark.parametrize(
    "arguments", [(), ("--taken", "missing.txt"), ("--nunber", "3"), ("--format", "xml", "-")]
)
def test_wrong_usage_ends_with_two(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_file_that_is_not_there_is_said() -> None:
    done = run("missing.jsonl")
    assert done.exit_code == 1
    assert "missing.jsonl: cannot be opened" in done.stderr


def test_every_field_has_an_option() -> None:
    fields = {FIELD_NAMES.get(name, name) for name in FIELD_HELP}
    assert {*FIELDS} - fields == {"annexes", "manifestation", "units"}


# With a catalogue


@pytest.fixture
def law(tmp_path: Path) -> str:
    """A catalogue that holds one law and one unnumbered one."""
    table = tmp_path / "held.csv"
    table.write_text(f"urn\n{TEXT}\n{BEFORE}lex-3\n", "utf-8")
    place = str(tmp_path / "law")
    load = ("catalogue", "load", str(table), "--catalogue", place)
    assert CliRunner().invoke(main, load).exit_code == 0
    return place


def test_what_a_catalogue_holds_is_refused_and_what_is_minted_is_given(law: str) -> None:
    assert "LX770" in run(*LEGGE, "--catalogue", law).stderr
    rows = [{"unnumbered": True}, {"number": 5}, {"number": 5}, {"unnumbered": True}, {}]
    stdin = "\n".join([*map(json.dumps, rows), "no object", ""])
    done = run(*LEGGE[:-2], "-", "--catalogue", law, stdin=stdin)
    assert done.exit_code == 3
    assert done.stdout.split() == [f"{BEFORE}{number}" for number in ("lex-4", "5", "lex-5")]
    for said in ("-:3, number: error LX770", "-:5, number: error", "-:6: error LX507"):
        assert said in done.stderr
    listed = run("--catalogue", law, "--given", "--format", "jsonl")
    given = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [(each["name"], each["place"]) for each in given] == [
        (f"{BEFORE}5", "-:2"),
        (f"{BEFORE}lex-4", "-:1"),
        (f"{BEFORE}lex-5", "-:4"),
    ]
    assert all(each["given_on"].endswith("+00:00") for each in given)


def test_a_name_from_options_is_given_out_by_a_catalogue(law: str) -> None:
    done = run(*LEGGE[:-2], "--unnumbered", "true", "--catalogue", law, "--explain")
    assert done.stdout.startswith(f"{BEFORE}lex-4\n  ")
    name, when = run("--catalogue", law, "--given").stdout.rstrip("\n").split("\t")
    assert name == f"{BEFORE}lex-4"
    assert when


def test_lists_of_names_count_beside_a_catalogue(law: str, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"{BEFORE}lex-9\n{BEFORE}7\n", "utf-8")
    both = ("--taken", str(names), "--catalogue", law)
    assert run(*LEGGE[:-2], "--unnumbered", "true", *both).stdout == f"{BEFORE}lex-10\n"
    assert "LX770" in run(*LEGGE[:-2], "--number", "7", *both).stderr
    assert run(*LEGGE[:-2], "--number", "8", *both).stdout == f"{BEFORE}8\n"


def test_rows_keep_their_names_from_one_run_to_the_next(law: str, tmp_path: Path) -> None:
    table = tmp_path / "atti.csv"
    rows = [f"Legge,2003-09-21,true,{title}\n" for title in "ABC"]
    table.write_text("".join(["measure,date,unnumbered,title\n", *rows[:2]]), "utf-8")
    options = ("-j", "it", "--catalogue", law, "--resume")
    assert run(str(table), *options).stdout.split() == [f"{BEFORE}lex-4", f"{BEFORE}lex-5"]
    table.write_text("".join(["measure,date,unnumbered,title\n", *rows]), "utf-8")
    done = run(str(table), *options)
    assert done.stdout.split() == [f"{BEFORE}lex-{number}" for number in (4, 5, 6)]
    assert run(str(table), *options[:-1]).stdout.split()[0] == f"{BEFORE}lex-7"


@pytest.mark.parametrize(
    ("tables", "given"),
    [
        # Titles in a table night by night, and the N of lex-N in the last one.
        (("AB", "ABC"), "123"),
        (("AB", "CAB"), "312"),
        (("ABC", "CAB"), "312"),
        (("AA", "BAA"), "312"),
        (("AAB", "AB", "AAB"), "123"),
        (("ABC", "AXC"), "123"),  # one title corrected
        (("ABC", "NAXC"), None),  # and another act on top
        (("ABC", "AC", "NAC"), "413"),  # a row that went earlier is not that of a new act
        (("ABC", "AC", "ABC", "AXC"), "123"),
        (("ABC", "ACX"), "132"),  # corrected and moved
        (("ABC", "AXY"), None),
        (("ABC", "A?NC"), None),  # a rejected row may be the one that has gone
        (("ABC", "?AXC"), None),
        (("ABC", "A?C", "ABC"), "123"),
        (("ABC", "A?C", "AXC"), None),  # B may have gone while another row was rejected
        (("ABC", "?", "AXC"), None),  # a table that was cut
        (("AB", "?B", "X"), None),
        (("ABC", "A?", "XA"), None),
        (("ABC", "A?new", "NA"), "41"),
        (("A", "X"), None),  # perhaps another table with the same file name
        (("A", "Xkeep"), "1"),
        (("ABC", "AXNC"), None),
        (("ABC", "AXY", "AXYkeep"), "123"),
        (("ABC", "AXY", "AXYnew"), "145"),
        (("ABC", "AXYZkeep"), None),
        (("ABC", "AXYZnew"), "1456"),
        (("ABC", "AXYZ", "AXYZnew", "NAXYZ"), "71456"),
        # Equal rows are one act from now on, and no other act gets the second name.
        (("AAB", "AABNdistinct"), "1134"),
        (("AAB", "NABAdistinct"), "4131"),
        (("AAB", "AABdistinct", "NAABdistinct", "AAB"), "123"),
        (("AAB", "AABdistinct", "XXBdistinct"), "113"),
        (("AABdistinct", "XXBdistinct"), "112"),
        (("AABdistinct", "XABdistinct"), "312"),  # the row that was not corrected keeps the name
    ],
)
def test_a_row_is_known_by_its_fields_wherever_it_stands(
    tables: tuple[str, ...], given: str | None, tmp_path: Path
) -> None:
    table, law = tmp_path / "atti.csv", tmp_path / "law"
    mapping = tmp_path / "columns.toml"
    mapping.write_text("distinct = true\n", "utf-8")
    for titles in tables:
        rows = [
            f"Legge,2003-09-{'21' if title.isupper() else '31'},true,{title}\n"
            for title in titles
            if not title.islower()
        ]
        table.write_text("".join(["measure,date,unnumbered,title\n", *rows]), "utf-8")
        words = "".join(filter(str.islower, titles))
        options = ("--changed", words) if words else ()
        if words == "distinct":
            options = ("--map", str(mapping))
        done = run(str(table), "-j", "it", "--catalogue", str(law), "--resume", *options)
    if given is None:
        assert (done.exit_code, done.stdout) == (1, "")
        assert "changed or new?" in done.stderr
        assert "No name was given out" in done.stderr
        place = f"atti.csv:{tables[-1].find('?') + 2}"
        assert (f"Correct {place} first: it is rejected" in done.stderr) == ("?" in tables[-1])
    else:
        assert done.stdout.split() == [f"{BEFORE}lex-{number}" for number in given]


@pytest.mark.parametrize(
    ("nights", "given"),
    [
        # Titles and pages night by night, some rows with the N of their names in front.
        (("A1", "A2 A1"), "21"),
        (("A1 A2", "A2 A1"), "21"),
        (("A1 A2 B1", "A3 A4 B2"), "123"),  # all pages have changed
        (("A1 A2 B1", "A3 A4 A5 B1"), None),
        (("A1 A2 B1", "A3 B1"), None),
        (("A1 A2 B1", "A2 B1", "A3 A2 B1"), "423"),  # no name of a row that went
        (("A1 A2 B1", "A2 B1", "A1 A2 B1"), "123"),
        # A stated name is never that of a row that has gone, wherever it stands.
        (("A1", "B1 1A1"), "21"),
        (("A1", "A1 1B1"), "21"),
        (("A1 A1", "A1 A1 1B1"), "321"),
        (("A1 B1", "A1 2B1", "C1 A1 2B1", "2B1 D1 C1 A1"), "2431"),
        (("A1 1B1",), "21"),
        (("A1 B1", "1A1 2B1", "A1 B1"), None),
        (("A1 B1", "1A1 2B1", "A1 B1 keep"), "12"),
    ],
)
def test_rows_with_equal_fields_are_told_apart_by_their_other_cells(
    nights: tuple[str, ...], given: str | None, tmp_path: Path
) -> None:
    table = tmp_path / "atti.csv"
    for night in nights:
        rows = [
            f"{BEFORE + 'lex-' if each[:-2] else ''}{each[:-2]},{each[-2]},https://law.example/{each[-1]}"
            for each in night.removesuffix(" keep").split()
        ]
        table.write_text("\n".join(["urn,title,page", *rows]), "utf-8")
        done = run(
            *(str(table), *LEGGE[:-2], "--unnumbered", "true"),
            *("--catalogue", str(tmp_path / "law"), "--resume"),
            *(("--changed", "keep") if night.endswith("keep") else ()),
        )
    assert done.stdout.split() == [f"{BEFORE}lex-{number}" for number in given or ""]
    assert ("changed or new?" in done.stderr) == (given is None)
    noted = {"A3 A4 B2": "234", "A1 B1 keep": "23"}.get(nights[-1], "")
    assert "".join(re.findall(r"atti\.csv:(\d) has changed", done.stderr)) == noted


@pytest.mark.parametrize("command", [(), ("--catalogue", "law")])
def test_a_name_that_a_later_row_states_goes_to_no_other_row(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(f"urn,title\n,A\n{BEFORE}lex-1,B\n", "utf-8")
    done = run("a.csv", *LEGGE[:-2], "--unnumbered", "true", *command)
    assert done.stdout.split() == [f"{BEFORE}lex-2", f"{BEFORE}lex-1"]


def test_a_night_that_would_give_names_to_other_acts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("more")
    folder.mkdir()
    first, other = Path("a-1.csv"), Path("a-2.csv")
    for table in (first, other, folder / "a-1.csv"):
        table.write_text("title\nA\nB\n", "utf-8")
    options = (*LEGGE[:-2], "--unnumbered", "true", "--out", "out.csv", "--resume", "--catalogue")
    assert run(str(first), *options, "law").exit_code == 0
    names = Path("out.csv").read_text("utf-8")
    first.write_text("title\nB\n", "utf-8")
    for arguments, code, said in (
        ((first, *options, "lost"), 2, "out.csv exists, but lost is no catalogue"),
        ((first, folder / "a-1.csv", *options, "law"), 2, "one file name"),
        ((other, *options, "law"), 1, "a-2.csv:2: the row has a name from a-1.csv:2"),
    ):
        done = run(*map(str, arguments))
        assert (done.exit_code, done.stdout) == (code, "")
        assert said in done.stderr
    assert not Path("lost").exists()
    first.write_text("title\n", "utf-8")
    done = run(str(first), *options, "law")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "a-1.csv: no row" in done.stderr
    assert Path("out.csv").read_text("utf-8") == names
    assert len(run("--given", "--catalogue", "law").stdout.splitlines()) == 2
    done = run(str(other), *options, "law", "--changed", "new")
    assert done.stdout.split() == [f"{BEFORE}lex-3", f"{BEFORE}lex-4"]


@pytest.mark.parametrize("again", [(), ("--changed", "new")])
def test_a_number_keeps_its_row_whatever_else_changes(
    again: tuple[str, ...], law: str, tmp_path: Path
) -> None:
    table = tmp_path / "atti.csv"
    header, rows = "number,title\n", ["21,A\n", "22,B\n", "23,C\n"]
    table.write_text("".join([header, *rows]), "utf-8")
    options = (*LEGGE[:-2], "--catalogue", law, "--resume")
    assert run(str(table), *options).exit_code == 0
    table.write_text("".join([header, *reversed(rows)]).replace("A", "X"), "utf-8")
    done = run(str(table), *options, *again)
    assert done.stdout.split() == [f"{BEFORE}{number}" for number in (23, 22, 21)]
    assert "has changed" not in done.stderr


def test_a_row_that_changed_is_noted_and_the_list_says_where_rows_stand(
    law: str, tmp_path: Path
) -> None:
    table = tmp_path / "atti.jsonl"
    options = (str(table), *LEGGE[:-2], "--unnumbered", "true", "--catalogue", law, "--resume")
    for titles in ("AB", "AD", "D", "CD", "?D"):
        rows = (f'{{"title": "{each}"}}\n' for each in titles)
        table.write_text("".join(rows).replace('"?"', "?"), "utf-8")
        done = run(*options)
        if titles == "AD":
            assert f"atti.jsonl:2 has changed and keeps {BEFORE}lex-5" in done.stderr
    waiting = [line.split("\t") for line in run("--catalogue", law, "--given").stdout.splitlines()]
    assert {name.rpartition("-")[2]: place for name, _, place in waiting} == {
        "4": "atti.jsonl:0",
        "5": "atti.jsonl:2",
        "6": "atti.jsonl:1?",
    }


def test_no_name_is_given_out_where_a_table_cannot_be_read(law: str, tmp_path: Path) -> None:
    good = tmp_path / "a.jsonl"
    good.write_text('{"number": 1}\n{"number": 2}\n', "utf-8")
    done = run(str(good), str(tmp_path / "none.jsonl"), *LEGGE[:-2], "--catalogue", law)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "none.jsonl: cannot be opened" in done.stderr
    assert run("--catalogue", law, "--given").stdout == ""


def test_more_rows_than_are_given_out_at_once(law: str, tmp_path: Path) -> None:
    table = tmp_path / "many.jsonl"
    table.write_text('{"unnumbered": true}\n' * 250, "utf-8")
    done = run(str(table), *LEGGE[:-2], "--catalogue", law)
    assert done.stdout.split() == [f"{BEFORE}lex-{number}" for number in range(4, 254)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--given",),
        ("--resume", "a.csv"),
        ("--resume", "--catalogue", "law", "-"),
        ("--changed", "new", "--catalogue", "law", "a.csv"),
        ("--resume", "--catalogue", "law", *LEGGE),
        ("--given", "--catalogue", "law", *LEGGE),
        ("--given", "--catalogue", "law", "a.csv"),
        ("--catalogue", "law"),
    ],
)
def test_what_makes_no_sense_with_a_catalogue_ends_with_two(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_acts_without_numbers_become_a_manifest(tmp_path: Path) -> None:
    table, mapping = tmp_path / "laws.csv", tmp_path / "columns.toml"
    out, law = tmp_path / "acts.csv", tmp_path / "law"
    rows = ['21/09/2003;"Uno, e due";22/09/2003;a.it', "31/02/2003;Tre;;", "21/09/2003;Due;;"]
    table.write_text("\n".join(("giorno;titolo;uscito;link", *rows)), "utf-8")
    mapping.write_text(
        'separator = ";"\ndate_order = "dmy"\nlanguage = "it"\nignore = ["link"]\n'
        '[columns]\ngiorno = "date"\ntitolo = "title"\nuscito = "published"\n'
        '[templates]\npage = "https://law.example/{link}"\n[constants]\n'
        'jurisdiction = "it"\nauthority = "Stato"\nmeasure = "Legge"\nunnumbered = "true"\n'
        'license = "https://law.example/cc0"\n',
        "utf-8",
    )
    arguments = (str(table), "--map", str(mapping), "--catalogue", str(law), "--out", str(out))
    done = run(*arguments)
    assert done.exit_code == 3
    assert f"{law} is a new catalogue" in done.stderr
    assert "1 of 3 rows rejected" in done.stderr
    text = (
        "urn,title@it,published,page,license\n"
        f'{BEFORE}lex-1,"Uno, e due",2003-09-22,https://law.example/a.it,'
        "https://law.example/cc0\n"
        ",Tre,,,https://law.example/cc0\n"
        f"{BEFORE}lex-2,Due,,,https://law.example/cc0\n"
    )
    assert out.read_text("utf-8") == text
    assert run(*arguments).exit_code == 2
    assert run(*arguments, "--resume").stdout == f"{BEFORE}lex-1\n{BEFORE}lex-2\n"
    assert out.read_text("utf-8") == text
    table.write_text("giorno;titolo;uscito;link\n31/02/2003;Tre;;", "utf-8")
    done = run(*arguments, "--resume")
    assert (done.exit_code, done.stdout) == (1, "")
    assert out.read_text("utf-8") == text  # without any name, it stays as it was


@pytest.mark.parametrize(
    ("faulty", "written"),
    [
        # A row with a fault after the first night, and the row of the manifest for it.
        ("2003-09-31,,true,B,,", ",B,,"),
        ("2003-09-21,,true,B,22.9.,https://law.example/b", ",B,22.9.,https://law.example/b"),
        ("2003-09-21,7,,Z,,", ",Z,,"),  # has the name of an earlier row
        ("2003-09-21,456,,B,,", ",B,,"),  # has a name that the catalogue contains
        ("2003-09-21,,true,\ufffe,,", ",\ufffe,,"),
        ("2003-09-21,,true,\udcff,,", ",?,,"),  # a byte that is not UTF-8
        ("2003-09-21,,true", "unreadable ,,,"),  # not as many cells as the header
    ],
)
def test_a_row_with_a_fault_takes_no_name_from_the_site(
    faulty: str, written: str, law: str, tmp_path: Path
) -> None:
    table, out = tmp_path / "atti.csv", tmp_path / "named.csv"
    header = "date,number,unnumbered,title@it,published,page"
    rows = [
        "2003-09-21,7,,Z,2003-09-24,https://law.example/z",
        "2003-09-22,,true,B,,",
        "2003-09-23,,true,C,,",
    ]
    site = ("publish", str(out), "--out", str(tmp_path / "site"), "--base", "https://law.example/")
    for night in ([rows[0], rows[1], rows[2]], [rows[0], faulty, rows[2]]):
        table.write_text("\n".join([header, *night, ""]), "utf-8", "surrogateescape")
        minted = run(
            *(str(table), "-j", "it", "--measure", "Legge"),
            *("--catalogue", law, "--resume", "--out", str(out)),
        )
        done = CliRunner().invoke(main, (*site, "--json"))
    assert (minted.exit_code, done.exit_code) == (3, 3)
    row = out.read_text("utf-8").splitlines()[2]
    assert re.sub("(?<=unreadable )[0-9a-f]{32}", "", row) == written
    report = json.loads(done.stdout)
    assert (report["rejected"], report["left"]) == (1, [])
    assert report["kept"] == ["urn:lex:it:stato:legge:2003-09-22;lex-1"]
    read = (("validate",), ("mint",), ("catalogue", "load", "-c", str(tmp_path / "loaded")))
    for command in read:
        again = CliRunner().invoke(main, (*command, str(out)))
        code = ", column urn: error LX101" if "unreadable" in row else ": error LX511"
        assert f"named.csv:3{code}" in again.stderr
        assert "1 of 3 rows rejected" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*LEGGE, "--out", "new.csv"), "needs a TABLE"),
        (("a.csv", "--out", "./a.csv", "--resume", "--catalogue", "law"), "that is read"),
    ],
)
def test_a_manifest_replaces_no_table(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, said in done.stderr) == (2, True)


def test_a_table_is_read_as_publish_reads_it(tmp_path: Path) -> None:
    table, mapping = tmp_path / "acts.csv", tmp_path / "columns.toml"
    rows = (f"{BEFORE}456,,,", ",21/09/2003,457,", ",31/02/2003,458,", ",22/9/2003,459,1.2")
    table.write_text("\n".join(("id,day,n,published", *rows)), "utf-8")
    mapping.write_text(
        'date_order = "dmy"\n[columns]\nid = "urn"\nday = "date"\nn = "number"\n'
        '[constants]\njurisdiction = "it"\nauthority = "Stato"\nmeasure = "Legge"\n',
        "utf-8",
    )
    arguments: tuple[str, ...] = (str(table), "--map", str(mapping))
    minted = run(*arguments)
    assert minted.stdout == f"{BEFORE}456\n{BEFORE}457\n"
    read = CliRunner().invoke(main, ("validate", *arguments))
    for line in minted.stderr.splitlines()[:4]:
        assert line in read.stderr
    said = 'acts.csv:4, column day: error LX744: the day 2003-02-31 ("31/02/2003") does not exist'
    assert said in minted.stderr
    assert "acts.csv:5, column published: error LX512" in minted.stderr


def test_rows_of_one_name_that_are_one_act_are_given_it_once(law: str, tmp_path: Path) -> None:
    table, mapping = tmp_path / "acts.csv", tmp_path / "columns.toml"
    rows = ["date,number,title@it,title@en", *("2003-09-21,7,Sette,", "2003-09-21,7,,Seven")]
    table.write_text("\n".join([*rows, "2003-09-21,456,,", "2003-09-21,456,,"]), "utf-8")
    mapping.write_text(
        'distinct = true\n[constants]\njurisdiction = "it"\nmeasure = "Legge"\n', "utf-8"
    )
    rejects = tmp_path / "acts.rejects.csv"
    arguments = (str(table), "--map", str(mapping), "--catalogue", law, "--rejects", str(rejects))
    done = run(*arguments)
    assert done.stdout == f"{BEFORE}7\n{BEFORE}7\n"
    assert f"{table}:4, column number: error LX770 (2 times)" in done.stderr
    assert rejects.read_text("utf-8").split() == [rows[0], *["2003-09-21,456,,"] * 2]
    given = run("--catalogue", law, "--given").stdout.splitlines()
    assert [each.split("\t")[0] for each in given] == [f"{BEFORE}7"]


@pytest.mark.parametrize(
    ("mapping", "nights", "given", "written"),
    [
        # Titles (and pages) of acts without numbers night by night, the last names, and their rows.
        ("distinct = true", ["AA"], "11", "A"),
        ("distinct = true", ["A", "AA"], "11", "A"),
        ("distinct = true", ["AA", "A"], "1", "A"),
        ("distinct = true", ["ABA", "BACA"], "2131", "BAC"),
        ("distinct = true", ["AA", "AX"], "12", "AX"),
        ("distinct = true", ["AAB", "XXB"], "112", "XB"),
        ("distinct = true", ["Aa"], "12", "Aa"),  # one title, two pages
        ("", ["A", "AA"], "12", "AA"),
        ("", ["ABAA"], "1234", "ABAA"),
    ],
)
def test_equal_acts_without_numbers_are_one_where_the_mapping_says_so(
    mapping: str, nights: list[str], given: str, written: str, tmp_path: Path
) -> None:
    table, out, columns = (tmp_path / name for name in ("a.csv", "out.csv", "columns.toml"))
    columns.write_text(mapping, "utf-8")
    for night in nights:
        rows = [f"{each.upper()} ,https://law.example/{each}\n" for each in night]
        table.write_text("".join(["title@it,page\n", *rows]), "utf-8")
        done = run(
            *(str(table), *LEGGE[:-2], "--unnumbered", "true", "--map", str(columns)),
            *("--catalogue", str(tmp_path / "law"), "--resume", "--out", str(out)),
        )
    assert done.exit_code == 0, done.stderr
    assert done.stdout.split() == [f"{BEFORE}lex-{number}" for number in given]
    pages = [line.rpartition("/")[2] for line in out.read_text("utf-8").splitlines()[1:]]
    assert pages == [*written]
    doubles = 0 if mapping else len(nights[-1]) - len(set(nights[-1]))
    assert done.stderr.count("warning LX539") == bool(doubles)
    assert ("(3 times)" in done.stderr, "(2 times)" in done.stderr) == (doubles == 3, doubles == 2)
    if mapping:
        check = CliRunner().invoke(main, ("validate", str(out)))
        assert check.exit_code == 0, check.stderr


def test_a_dry_run_gives_out_no_name(law: str, tmp_path: Path) -> None:
    table, out, rejects = (tmp_path / name for name in ("a.csv", "out.csv", "rejects.csv"))
    table.write_text("number,unnumbered\n7,\n456,\n,true\n,true\n7,\n", "utf-8")
    options = (*LEGGE[:-2], "--dry-run", "--out", str(out), "--rejects", str(rejects))
    for folder, numbers in (
        (law, ("7", "lex-4", "lex-5")),
        ("new", ("7", "456", "lex-1", "lex-2")),
    ):
        done = run(str(table), *options, "--catalogue", folder)
        assert done.stdout.split() == [f"{BEFORE}{number}" for number in numbers]
        assert "LX531" in done.stderr
    assert not any(each.exists() for each in (out, rejects, Path("new")))
    done = run(str(table), *options, "--catalogue", str(tmp_path))
    assert (done.exit_code, done.stdout) == (1, "")  # it contains other files
    arguments = (*LEGGE[:-2], "--unnumbered", "true", "--catalogue", law)
    assert run(*arguments, "--dry-run").stdout == f"{BEFORE}lex-4\n"
    assert not [*Path(law).glob("given.*")]
    assert run(*arguments).stdout == f"{BEFORE}lex-4\n"
    before = {each: each.read_bytes() for each in Path(law).glob("given.*")}
    assert run(*arguments, "--dry-run").stdout == f"{BEFORE}lex-5\n"
    assert {each: each.read_bytes() for each in Path(law).glob("given.*")} == before
    assert run(*arguments).stdout == f"{BEFORE}lex-5\n"


def test_a_table_on_standard_input_is_checked_as_a_whole(tmp_path: Path) -> None:
    mapping = tmp_path / "columns.toml"
    mapping.write_text('[columns]\nn = "number"\n', "utf-8")
    done = run("-", "--map", str(mapping), *LEGGE[:-2], stdin="n\n1\n2\n1\n")
    assert done.stdout == f"{BEFORE}1\n{BEFORE}2\n"
    assert "-:4, column urn: error LX531" in done.stderr


def test_a_json_document_is_a_table_where_it_is_mapped(tmp_path: Path) -> None:
    table, mapping = tmp_path / "acts.json", tmp_path / "columns.toml"
    table.write_text(json.dumps({"acts": [{"id": f"{BEFORE}456", "titolo": "Legge"}]}), "utf-8")
    mapping.write_text('rows = "acts.*"\n[columns]\nid = "urn"\ntitolo = "title"\n', "utf-8")
    arguments = (str(table), "--map", str(mapping))
    assert run(*arguments).stdout == f"{BEFORE}456\n"
    for command in (("validate",), ("catalogue", "load", "-c", str(tmp_path / "law"))):
        done = CliRunner().invoke(main, (*command, *arguments))
        assert done.exit_code == 0, done.stderr
