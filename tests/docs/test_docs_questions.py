"""The questions in SPARQL have the printed answers on two engines, without inference.

``LEXURN_WRITE_GOLDEN=1`` writes the answers anew.
"""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from click.testing import CliRunner

from lexurn.cli import main

TOP = Path(__file__).parents[2]
DOCUMENT = TOP / "docs" / "questions.md"
MOST_LINES, MOST_ROWS = 10, 6
SPARQL = re.compile(r"^```sparql\n(.*?)^```\n(?:\n```csv\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    """List the text of each query with its answer; the first block has the prefixes."""
    if not DOCUMENT.is_file():
        return []
    text = DOCUMENT.read_text(encoding="utf-8")
    return [(found[1], found[2] or "") for found in SPARQL.finditer(text)]


BLOCKS = blocks()


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """N-Triples of a catalogue that has the example acts."""
    folder = tmp_path_factory.mktemp("questions")
    law, file = str(folder / "law"), folder / "law.nt"
    for command in (
        ["load", str(TOP / "examples" / "acts.csv"), "-c", law, "--as-of", "2026-01-01"],
        ["dump", str(file), "-c", law],
    ):
        done = CliRunner().invoke(main, ["catalogue", *command])
        assert done.exit_code == 0, done.output
    return file


@pytest.fixture(scope="module")
def store(dump: Path) -> pyoxigraph.Store:
    made = pyoxigraph.Store()
    made.load(path=str(dump), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return made


@pytest.fixture(scope="module")
def graph(dump: Path) -> rdflib.Graph:
    return rdflib.Graph().parse(dump, format="ntriples")


def ask_oxigraph(store: pyoxigraph.Store, text: str) -> list[list[str]]:
    answer = store.query(text)
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    header = [variable.value for variable in answer.variables]
    return [header, *([("" if each is None else each.value) for each in row] for row in answer)]


def ask_rdflib(graph: rdflib.Graph, text: str) -> list[list[str]]:
    answer = graph.query(text)
    assert answer.vars is not None
    return [
        [str(each) for each in answer.vars],
        *(["" if each is None else str(each) for each in row] for row in answer),
    ]


def print_rows(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows[: MOST_ROWS + 1])
    return text.getvalue() + ("...\n" if len(rows) > MOST_ROWS + 1 else "")


@pytest.mark.skipif(not BLOCKS, reason="no documents beside the tests")
def test_there_are_twenty_questions_of_ten_lines() -> None:
    assert len(BLOCKS) == 1 + 20
    assert all(len(query.splitlines()) <= MOST_LINES for query, _ in BLOCKS[1:])


@pytest.mark.parametrize("number", range(1, len(BLOCKS)))
def test_both_engines_give_the_printed_answer(
    number: int, store: pyoxigraph.Store, graph: rdflib.Graph
) -> None:
    query, expected = BLOCKS[number]
    text = BLOCKS[0][0] + query
    rows = ask_oxigraph(store, text)
    assert sorted(map(tuple, rows[1:])) == sorted(map(tuple, ask_rdflib(graph, text)[1:]))
    assert len(rows) > 1
    if "LEXURN_WRITE_GOLDEN" in os.environ:
        document = DOCUMENT.read_text(encoding="utf-8")
        answer = f"\n```csv\n{print_rows(rows)}```\n"
        block = next(each for each in SPARQL.finditer(document) if each[1] == query)
        changed = f"```sparql\n{query}```\n{answer}"
        DOCUMENT.write_text(document.replace(block[0], changed), encoding="utf-8")
        return
    assert print_rows(rows) == expected
