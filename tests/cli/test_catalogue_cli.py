"""``lexurn catalogue`` and its neighbours as a user has them: formats, rejects, waiting, bases."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lexurn.catalogue import open_catalogue
from lexurn.cli import main
from lexurn.graph import Format

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
EXAMPLES = Path(__file__).parents[2] / "examples"
TABLE = f"urn,title@it\n{ACT},Legge\n"
STATED = "<https://w3id.org/lexurn/ns#catalogued>"
BAD_LINE = f'<{ACT}> <http://purl.org/dc/terms/issued> "soon" {STATED} .\n'
GOOD_LINE = f'<{ACT}> <http://purl.org/dc/terms/title> "Legge"@it {STATED} .\n'


def run(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin)


def load(*arguments: object, stdin: bytes | None = None) -> Result:
    return run("catalogue", "load", *arguments, stdin=stdin)


@pytest.fixture
def law(tmp_path: Path) -> Path:
    (tmp_path / "acts.csv").write_text(TABLE, encoding="utf-8")
    done = load(tmp_path / "acts.csv", "-c", tmp_path / "law")
    assert done.exit_code == 0, done.output
    return tmp_path / "law"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "law")


@pytest.mark.parametrize("form", ["nquads", "ntriples", "turtle", "trig", "jsonld"])
def test_what_was_dumped_is_loaded_by_the_same_word(form: str, law: Path, tmp_path: Path) -> None:
    dumped = tmp_path / "dumped"
    assert run("catalogue", "dump", dumped, "--format", form, "-c", law).exit_code == 0
    done = load(dumped, "--format", form, "-c", tmp_path / "copy")
    assert (done.exit_code, "1 added" in done.stdout) == (0, True), done.output


@pytest.mark.parametrize("form", list(Format))
def test_a_format_of_rdf_goes_by_all_its_short_names(form: Format, tmp_path: Path) -> None:
    for name in {form.name.lower(), form.extension}:
        done = load("-", "--format", name, "-c", tmp_path / "law", stdin=b"")
        assert "Invalid value" not in done.stderr
        assert "no statements in -" in done.stderr


def test_json_is_jsonld_as_it_is_to_validate(law: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.json"
    dumped = run("catalogue", "dump", "--format", "jsonld", "-c", law)
    graph.write_bytes(dumped.stdout_bytes)
    assert run("validate", graph).exit_code == 0
    assert "1 added" in load(graph, "-c", tmp_path / "copy").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--rejects", "bad.csv"), "for example bad.rejects.csv"),
        (("-c", "ftp://law.example/q"), "write it as https://"),
    ],
)
def test_options_that_say_nothing_are_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "acts.csv").write_text("urn\n", encoding="utf-8")
    done = load("acts.csv", "-c", "law", *arguments)
    assert done.exit_code == 2, done.stderr
    assert said in done.stderr
    assert {each.name for each in tmp_path.iterdir()} == {"acts.csv"}


def test_bad_rows_of_each_table_lie_beside_it_and_load_again(tmp_path: Path) -> None:
    row, folder = "urn:lex:it:stato:legge:2006-5-14;22", tmp_path / "other"
    folder.mkdir()
    tables = {
        tmp_path / "v.csv": f"urn,title\n{row},x\n",
        tmp_path / "v.jsonl": f'{{"urn": "{row}"}}\n',
        folder / "v.csv": f"urn,title\n{row},y\n",
    }
    for path, text in tables.items():
        path.write_text(text, encoding="utf-8")
    done = run("catalogue", "load", *map(str, tables), "-c", str(tmp_path / "law"))
    assert done.exit_code == 1, done.stderr
    for path, text in tables.items():
        kept = path.with_suffix(f".rejects{path.suffix}")
        assert kept.read_text(encoding="utf-8") == text
        kept.write_text(text.replace("5-14", "05-14"), encoding="utf-8")
        mended = run("catalogue", "load", str(kept), "-c", str(tmp_path / "law"))
        assert mended.exit_code == 0, mended.stderr


@pytest.mark.parametrize(
    ("name", "rejects"),
    [
        ("export", "export.rejects.nq"),
        ("export.nt", "export.rejects.nq"),
        ("law.2024.nq.gz", "law.2024.rejects.nq"),
        ("LAW.NQ.GZ", "LAW.rejects.nq"),
    ],
)
def test_rejects_lie_beside_their_file(
    name: str, rejects: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "in.v1" / "files", tmp_path / "elsewhere"
    folder.mkdir(parents=True)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    data = f"{GOOD_LINE}{BAD_LINE}".encode()
    source = folder / name
    source.write_bytes(gzip.compress(data) if name.lower().endswith("gz") else data)
    form = () if name.lower().endswith("gz") else ("--format", "nq")
    done = load(source, *form, "-c", tmp_path / "law")
    assert done.exit_code == 1
    assert "statements rejected: 1 error" in done.stderr
    assert {each.name for each in folder.iterdir()} == {name, rejects}
    assert "soon" in (folder / rejects).read_text(encoding="utf-8")
    assert list(elsewhere.iterdir()) == []


def test_tables_are_validated_as_they_are_loaded(tmp_path: Path) -> None:
    options = ("--map", EXAMPLES / "nir.toml", "--dialect", "nir")
    done = run("validate", EXAMPLES / "nir.tsv", *options)
    assert (done.exit_code, "Traceback" in done.output) == (0, False), done.output
    lines = tmp_path / "acts.txt"
    lines.write_text(f'{{"urn": "{ACT}", "title@it": "Legge"}}\n', encoding="utf-8")
    table = tmp_path / "table"
    table.write_text(TABLE, encoding="utf-8")
    tabs = tmp_path / "tabs"
    tabs.write_text(TABLE.replace(",", "\t"), encoding="utf-8")
    for file, form in ((lines, "ndjson"), (lines, "JSONL"), (table, "CSV"), (tabs, "tsv")):
        assert run("validate", file, "--input", form).exit_code == 0, form


def test_whoever_asks_waits_for_who_writes(place: str, tmp_path: Path) -> None:
    (tmp_path / "acts.csv").write_text(TABLE, encoding="utf-8")
    assert load(tmp_path / "acts.csv", "-c", place).exit_code == 0
    update = "INSERT DATA { GRAPH <urn:mine> { <urn:a> <urn:b> 'c' } }"
    asked = ("catalogue", "query", "-c", place, "--allow", "update", "--sparql", update)
    writing = open_catalogue(place, write=True)
    refused = run(*asked)
    assert (refused.exit_code, "or use --wait" in refused.stderr) == (1, True)
    closing = threading.Timer(0.5, writing.close)
    closing.start()
    done = run(*asked, "--wait", "60", "--timeout", "60")
    closing.join()
    assert (done.exit_code, "error" in done.stderr) == (0, False), done.output
    ask = (
        "catalogue",
        "query",
        "-c",
        place,
        "--wait",
        "60",
        "--sparql",
        "ASK FROM <urn:mine> { ?s ?p 'c' }",
    )
    assert run(*ask).stdout == "true\n"


def test_a_base_is_the_same_however_it_is_written(place: str, tmp_path: Path) -> None:
    (tmp_path / "acts.csv").write_text(TABLE, encoding="utf-8")
    for base in ("https://law.example", "https://law.example/", "HTTPS://Law.Example"):
        done = load(tmp_path / "acts.csv", "-c", place, "--base", base)
        assert done.exit_code == 0, done.output
    assert "1 unchanged" in done.stdout
    for base in ("https://other.example", "http://law.example"):
        done = load(tmp_path / "acts.csv", "-c", place, "--base", base)
        assert "was created with the base https://law.example" in done.stderr


def test_one_copy_of_two_sizes_is_held_against_neither_work(place: str, tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    copy = "@originale:it$stato.it:application-pdf,https://law.example/a.pdf"
    rows = f"{ACT}{copy},10\n{ACT}7{copy},11\n"
    table.write_text(f"urn,url,bytes\n{rows}", encoding="utf-8")
    done = load(table, "-c", place, "--check")
    assert (done.exit_code, "2 added, 0 replaced, 0 unchanged, 0 refused" in done.stdout) == (
        0,
        True,
    ), done.output


def test_a_load_takes_tables_or_rdf(tmp_path: Path) -> None:
    table, graph = tmp_path / "acts.csv", tmp_path / "acts.nq"
    table.write_text(TABLE, encoding="utf-8")
    graph.write_text(GOOD_LINE, encoding="utf-8")
    both = load(table, graph, "-c", tmp_path / "law")
    assert (both.exit_code, both.stdout) == (2, "")
    assert "Load them in two runs." in both.stderr
    assert not (tmp_path / "law").exists()


def test_tables_of_one_load_are_one_manifest_and_a_later_load_replaces(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(TABLE, encoding="utf-8")
    second.write_text(TABLE.replace("Legge", "Altra"), encoding="utf-8")
    together = load(first, second, "-c", tmp_path / "together")
    assert (together.exit_code, "LX531" in together.stderr) == (1, True), together.output
    assert load(first, "-c", tmp_path / "law").exit_code == 0
    assert "1 replaced" in load(second, "-c", tmp_path / "law").stdout


def test_a_folder_that_is_loaded_into_refuses_all_but_names(tmp_path: Path) -> None:
    place, table = tmp_path / "law", tmp_path / "acts.csv"
    table.write_text(TABLE, encoding="utf-8")
    assert load(table, "-c", place).exit_code == 0
    ask = ("query", "--sparql", "ASK {}")
    with open_catalogue(place, write=True):
        for words in (("stats",), ("check",), ask, ("dump",), ("load", table)):
            done = run("catalogue", *words, "-c", place)
            assert (done.exit_code, "law is in use" in done.stderr) == (1, True), done.output
        assert run("resolve", ACT, "-c", place).exit_code == 0
        options = ["-j", "it", "--measure", "Legge", "--date", "2001-01-01", "--number", "1"]
        minted = run("mint", *options, "-c", place)
        assert minted.exit_code == 0, minted.output


@pytest.mark.parametrize("name", ["more.csv", "law.nq"])
def test_a_dry_run_counts_and_writes_nothing(tmp_path: Path, name: str) -> None:
    table, place = tmp_path / "acts.csv", tmp_path / "law"
    table.write_text(f"urn,title\n{ACT}1,Uno\n{ACT}2,Due\n", encoding="utf-8")
    rows = f"urn,title\n{ACT}1,Uno\n{ACT}2,Altro\n{ACT}3,Tre\nx,\n"
    (tmp_path / "more.csv").write_text(rows, encoding="utf-8")
    said = "; nothing was written (--dry-run)\n"
    done = load(table, "-c", tmp_path / "new", "--dry-run")
    assert done.stdout.endswith(f"2 added, 0 replaced, 0 unchanged, 0 refused{said}")
    assert load(table, "-c", place).exit_code == 0
    if name == "law.nq":
        assert load(tmp_path / "more.csv", "-c", tmp_path / "other").exit_code == 1
        assert run("catalogue", "dump", tmp_path / name, "-c", tmp_path / "other").exit_code == 0

    def read_files() -> dict[Path, bytes]:
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in files if "sqlite-" not in path.name}

    before = read_files()
    done = load(tmp_path / name, "-c", place, "--dry-run")
    assert done.stdout.endswith(f"1 added, 1 replaced, 1 unchanged, 0 refused{said}")
    assert read_files() == before
    done = load(tmp_path / name, "-c", place)
    assert done.stdout.endswith("1 added, 1 replaced, 1 unchanged, 0 refused\n")
