"""Conformance cases: our own (tests/cases/name_*.jsonl), and those that LEXURN_CASES points to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lexurn.findings import load_codes
from lexurn.name import Report, check, parse, report_to_json
from lexurn.name.characters import canonicalize

_OURS = Path(__file__).parents[1] / "cases"
_SHARED = os.environ.get("LEXURN_CASES")
_CORPUS = os.environ.get("LEXURN_CORPUS")
# The design decides these otherwise than the cases recommend: a lex- that is no number of the
# system is warned of, and so is a bare year; Julian leap days are let through up to 1582 only.
_DECIDED = {
    "X002": ("warned", "warned"),
    "X004": ("warned", "warned"),
    "X086": ("warned", "warned"),
    "X091": ("refused", "refused"),
}
_RECOMMENDED = {
    "accept": ("clean", "clean"),
    "accept-with-warning": ("warned", "warned"),
    "reject": ("refused", "refused"),
    "reject-strict-accept-lenient": ("refused", "warned"),
}

needs_cases = pytest.mark.skipif(_SHARED is None, reason="LEXURN_CASES names no folder")
needs_corpus = pytest.mark.skipif(_CORPUS is None, reason="LEXURN_CORPUS names no folder")


def _rows(name: str, folder: str | Path | None = _OURS) -> list[dict[str, Any]]:
    if folder is None:
        return []
    lines = (Path(folder) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _scored(name: str) -> list[Any]:
    rows = [row for row in _rows(name, _SHARED) if row.get("scored", True)]
    return [pytest.param(row, id=row["id"]) for row in rows]


def _ours(name: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in _rows(name)]


def _verdict(report: Report) -> str:
    if not report.valid:
        return "refused"
    warned = any(finding.severity == "warning" for finding in report.findings)
    return "warned" if warned else "clean"


@pytest.mark.parametrize("row", _ours("name_valid"))
def test_valid_names_have_their_parts_and_canonical_text(row: dict[str, Any]) -> None:
    assert check(row["text"], "grammar").valid is (row["reading"] == "grammar")
    written = report_to_json(check(row["text"]))
    expected = {"name": row["canonical"], "level": row["level"], **row["parts"]}
    assert {key: written[key] for key in expected} == expected


@pytest.mark.parametrize("row", _ours("name_invalid"))
def test_invalid_names_are_refused_at_their_place(row: dict[str, Any]) -> None:
    first = check(row["text"], "grammar").errors[0]
    place = (first.code, first.component, first.start, first.end)
    assert place == (row["code"], row["component"], row["start"], row["end"])
    assert check(row["text"], "text").valid is (row["reading"] == "grammar")


@pytest.mark.parametrize("row", _ours("name_warnings"))
def test_doubtful_names_are_warned_of(row: dict[str, Any]) -> None:
    report = check(row["text"])
    assert report.valid
    found = next(finding for finding in report.findings if finding.code == row["code"])
    for key in ("severity", "component", "start", "end", "suggestion"):
        assert getattr(found, key) == row[key], key


@pytest.mark.parametrize("row", _ours("name_suggestions"))
def test_errors_suggest_what_is_certain(row: dict[str, Any]) -> None:
    assert check(row["text"]).errors[0].suggestion == row["suggestion"]


@pytest.mark.parametrize("row", _ours("name_equivalence"))
def test_names_are_equal_by_their_canonical_text(row: dict[str, Any]) -> None:
    first, second = parse(row["a"]), parse(row["b"])
    assert (first == second) is row["equivalent"]
    assert (hash(first) == hash(second)) is row["equivalent"]


def test_every_code_has_a_case() -> None:
    rows = [*_rows("name_invalid"), *_rows("name_warnings")]
    limit = {"LX103"}  # its case is thousands of characters long: see test_name.py
    assert {row["code"] for row in rows} | limit == {code for code in load_codes() if code < "LX3"}


@needs_cases
@pytest.mark.parametrize("row", _scored("lex_valid"))
@pytest.mark.parametrize("reading", ["grammar", "text"])
def test_shared_valid_names(row: dict[str, Any], reading: str) -> None:
    report = check(row["urn"], reading)  # type: ignore[arg-type]
    assert report.valid, report.errors
    written = report_to_json(report)
    assert (written["name"], written["level"]) == (row["canonical"], row["level"])
    assert str(report.unwrap().document) == row["document"]
    assert _flat(written) == {key: _lowered(row[key], key) for key in _flat(written)}


def _flat(written: dict[str, Any]) -> dict[str, Any]:
    """The object of design section 4 with the flat keys of the shared cases."""
    details, expression = written["details"], written["expression"]
    return {
        "jurisdiction_code": written["jurisdiction"]["code"],
        "jurisdiction_units": written["jurisdiction"]["units"],
        "issuers": written["authority"],
        "measure_type": written["measure"]["type"],
        "measure_specifications": written["measure"]["specifications"],
        "dates": details["dates"] or None,
        "period": details["period"],
        "numbers": details["numbers"],
        "number_lex": details["number_lex"],
        "annexes": written["annexes"],
        "version": expression and _version(expression["version"]),
        "language": expression and expression["language"],
        "manifestation": written["manifestation"],
        "partition": written["partition"],
        "r_component": written["r_component"],
        "q_component": written["q_component"],
        "f_component": written["f_component"],
    }


def _version(version: dict[str, Any]) -> dict[str, Any]:
    kind = "specification" if version["date"] is None else "date"
    return {
        "kind": kind,
        "amendment_date": version["date"],
        "specification": version["specification"],
        "events": [event.get("date") or event.get("event") for event in version["events"]],
    }


def _lowered(value: Any, key: str) -> Any:
    """A value of a shared case in canonical form; partitions and components keep theirs."""
    if key in {"partition", "r_component", "q_component", "f_component"}:
        return value
    if isinstance(value, list):
        return [_lowered(item, key) for item in value]
    if isinstance(value, dict):
        return {name: _lowered(item, key) for name, item in value.items()}
    return canonicalize(value) if isinstance(value, str) else value


@needs_cases
@pytest.mark.parametrize("row", _scored("lex_invalid"))
def test_shared_invalid_names(row: dict[str, Any]) -> None:
    first = check(row["urn"], "grammar").errors[0]
    assert first.component in row["error_component_any"]
    assert row["position"][0] <= first.start <= row["position"][1]


@needs_cases
@pytest.mark.parametrize("row", _scored("equivalence"))
def test_shared_equivalences(row: dict[str, Any]) -> None:
    assert (parse(row["a"]) == parse(row["b"])) is row["equivalent"]


@needs_cases
@pytest.mark.parametrize("row", _scored("disputed"))
def test_shared_disputed_names(row: dict[str, Any]) -> None:
    verdicts = _verdict(check(row["urn"], "grammar")), _verdict(check(row["urn"], "text"))
    assert verdicts == _DECIDED.get(row["id"], _RECOMMENDED[row["recommended"]])
    if "refused" not in verdicts and row["recommended_canonical"]:
        assert str(parse(row["urn"])) == row["recommended_canonical"]


@needs_cases
@pytest.mark.parametrize("row", _scored("rfc_examples"))
def test_examples_of_the_rfc(row: dict[str, Any]) -> None:
    if row["urn"] is None:
        assert not check(row["text"]).valid
        return
    assert check(row["urn"], "text").valid
    assert check(row["urn"], "grammar").valid is (row["status"] != "breaks-grammar")
    if row["text"] != row["urn"]:
        assert check(row["text"]).errors[0].suggestion == row["urn"]


@needs_corpus
def test_every_line_of_the_corpus_is_answered() -> None:
    lines = (Path(str(_CORPUS)) / "names_lex.txt").read_text(encoding="utf-8").splitlines()
    reports = [check(line) for line in lines]
    assert [report.text for report in reports] == lines
    assert all(report.valid or report.errors for report in reports)


@needs_corpus
def test_every_prefix_of_the_corpus_is_valid() -> None:
    table = (Path(str(_CORPUS)) / "lex_prefixes.tsv").read_text(encoding="utf-8").splitlines()
    completed = [line.split("\t")[0] + ":2000-01-01;1" for line in table[1:]]
    assert [name for name in completed if not check(name).valid] == []
