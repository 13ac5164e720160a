"""The ready queries: each with its answers on a small catalogue; what their files say of them."""

from __future__ import annotations

import datetime as dt
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest
from query_store import answer_rows, filled_store, nquads
from rdflib.plugins.sparql import prepareQuery
from servers import oxigraph_server

from lexurn import data, parse
from lexurn.catalogue import MemoryHoldings
from lexurn.errors import CatalogueError
from lexurn.model import LegalForce, Record, families_of, today
from lexurn.resolver import resolve
from lexurn.store import (
    ParameterKind,
    Solutions,
    find_ready_query,
    list_ready_queries,
    parse_query_file,
    query,
    ready,
    scan_query,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.store import ReadyQuery
    from lexurn.store.embedded import EmbeddedStore

_CASES = Path(__file__).parents[1] / "cases" / "queries.jsonl"
CASES = [json.loads(line) for line in _CASES.read_text(encoding="utf-8").splitlines()]
QUERIES = list_ready_queries()
NAMES = [each.name for each in QUERIES]
_DAY = dt.date(2004, 5, 1)
ACT = "urn:lex:it:stato:legge:2003-09-21;456"


@pytest.fixture(scope="module")
def store() -> Iterator[EmbeddedStore]:
    with filled_store() as filled:
        yield filled


@pytest.mark.parametrize("case", CASES, ids=[case["query"] for case in CASES])
def test_a_ready_query_gives_its_answer(store: EmbeddedStore, case: dict[str, object]) -> None:
    text = ready(case["query"], **case["given"])
    assert answer_rows(query(store, text)) == case["answer"]


def test_every_ready_query_is_tested() -> None:
    assert {case["query"] for case in CASES} == set(NAMES)
    assert len(NAMES) >= 20


def test_a_server_gives_the_same_answers() -> None:
    with oxigraph_server() as url, httpx2.Client() as client:
        endpoint = url.removesuffix("/query")
        sent = client.post(
            f"{endpoint}/store",
            content=nquads(),
            headers={"Content-Type": "application/n-quads"},
        )
        assert sent.is_success
        for case in CASES:
            if isinstance(case["answer"], bool) or case["query"] in {"about", "tree"}:
                continue
            answer = client.post(
                f"{url}?union-default-graph",
                content=ready(case["query"], **case["given"]),
                headers={
                    "Content-Type": "application/sparql-query",
                    "Accept": "application/sparql-results+json",
                },
            ).json()
            columns = answer["head"]["vars"]
            rows = [
                [row[column]["value"] if column in row else None for column in columns]
                for row in answer["results"]["bindings"]
            ]
            assert rows == case["answer"], case


@pytest.mark.parametrize("each", QUERIES, ids=NAMES)
def test_a_header_says_all(each: ReadyQuery) -> None:
    assert each.title
    assert each.description
    assert all(parameter.about and parameter.example for parameter in each.parameters)
    declared = {parameter.name for parameter in each.parameters}
    assert set(scan_query(each.text).parameters) == declared
    assert not any(f"?{name}" in each.sparql.split() for name in declared)


@pytest.mark.parametrize("each", QUERIES, ids=NAMES)
def test_examples_and_defaults_can_be_given(store: EmbeddedStore, each: ReadyQuery) -> None:
    given = {parameter.name: parameter.example for parameter in each.parameters}
    answer = query(store, each.bound(given))
    if isinstance(answer, Solutions):
        assert answer.variables == tuple(each.columns)
    else:
        assert not each.columns


@pytest.mark.parametrize("each", QUERIES, ids=NAMES)
def test_a_file_is_sparql_of_the_standard_as_it_stands(
    store: EmbeddedStore, each: ReadyQuery
) -> None:
    prepareQuery(each.text)
    query(store, each.text)


def test_originals_are_those_of_the_registry() -> None:
    words = set(data.load_table("original")["words"])
    for name in ("undated-versions",):
        text = find_ready_query(name).text
        listed = text[text.index(" IN (") :].partition("(")[2].partition(")")[0]
        assert {word.strip().strip('"') for word in listed.split(",")} == words, name


def test_values_of_python_are_taken() -> None:
    text = ready("version-at", work=parse(ACT), date=dt.date(2005, 1, 31))
    assert f"<{ACT}>" in text
    assert '"2005-01-31"^^' in text
    assert '"2003"' in ready("year-only", year=2003)


def test_days_of_stated_states_are_entries_into_force_and_ends() -> None:
    acts = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(1, 9)]
    states = [
        {"force": LegalForce.IN_FORCE, "force_on": dt.date(2005, 1, 1)},
        {"force": LegalForce.REPEALED, "force_on": dt.date(2005, 2, 1)},
        {"force": LegalForce.NOT_IN_FORCE, "force_on": dt.date(2005, 3, 1)},
        {"force": LegalForce.PARTLY_IN_FORCE, "force_on": dt.date(2005, 4, 1)},
        # A stated day counts, not that of the state.
        {"force": LegalForce.IN_FORCE, "force_on": dt.date(2005, 5, 1), "in_force_from": _DAY},
        {"force": LegalForce.REPEALED, "force_on": dt.date(2005, 5, 1), "in_force_until": _DAY},
        # A state that begins after a stated end, or ends before a stated start, is of another span.
        {"force": LegalForce.IN_FORCE, "force_on": dt.date(2005, 5, 1), "in_force_until": _DAY},
        {"force": LegalForce.REPEALED, "force_on": dt.date(2003, 5, 1), "in_force_from": _DAY},
    ]
    records = [Record(name=parse(act), **state) for act, state in zip(acts, states, strict=True)]
    period = {"from": "2003-01-01", "until": "2006-01-01"}
    with filled_store(families_of(records)) as store:
        entries = answer_rows(query(store, ready("entering-into-force", **period)))
        ends = answer_rows(query(store, ready("leaving-force", **period)))
    assert entries == [["2004-05-01", acts[4]], ["2004-05-01", acts[7]], ["2005-01-01", acts[0]]]
    assert ends == [
        ["2004-05-01", acts[5]],
        ["2004-05-01", acts[6]],
        ["2005-02-01", acts[1]],
        ["2005-03-01", acts[2]],
    ]


def test_a_bill_without_a_date_is_in_force_until_its_next_version() -> None:
    bill = "urn:lex:it:senato.repubblica:disegno.legge:14.legislatura;s.2544"
    versions = {f"{bill}@originale": None, f"{bill}@approvato": dt.date(2004, 5, 1)}
    records = [Record(name=parse(name), in_force_from=day) for name, day in versions.items()]
    first, second = versions
    with filled_store(families_of(records)) as store:
        for day, expected in (
            ("1990-01-01", [["", first, None, None]]),
            ("2004-04-30", [["", first, None, None]]),
            ("2004-05-01", [["", second, "2004-05-01", "stated day"]]),
        ):
            text = ready("version-at", work=bill, date=day)
            assert answer_rows(query(store, text)) == expected
            text = ready("versions-in-force", authority="senato.repubblica", date=day)
            assert answer_rows(query(store, text)) == [[bill, *row] for row in expected]


def test_today_is_asked_for_where_no_day_is_given() -> None:
    assert f'"{today().isoformat()}"^^' in ready("version-at", work=ACT)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system has one zone for a process")
@pytest.mark.parametrize("zone", ["FAR-14", "BACK+12"])  # at any moment one has another day
def test_today_is_one_day_in_all_zones(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        day = dt.datetime.now(tz=dt.UTC).date()
        assert f'"{day.isoformat()}"^^' in ready("version-at", work=ACT)
        assert resolve(ACT, MemoryHoldings(())).date == day
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("version", {}, "no ready query 'version'; did you mean versions"),
        ("qqqqqq", {}, "list them with --list"),
        ("versions", {}, "versions needs work .*for example work=urn:lex"),
        ("titles-with", {}, "titles-with needs text .*; and jurisdiction .*, for example"),
        ("versions", {"act": ACT}, "has no parameter act; it has: work, language"),
        ("versions", {"work": "urn:lex:it"}, "not a valid LEX name"),
        ("versions", {"work": f"{ACT}@original:it"}, "Give the act or annex itself: .*456$"),
        ("versions", {"work": ACT, "language": "it}"}, "not a language tag"),
        ("version-at", {"work": ACT, "date": "2005-02-30"}, "not a date"),
        ("version-at", {"work": ACT, "date": "20050201"}, "not a date"),
        ("year-only", {"year": "2003 }"}, "not a year"),
        ("year-only", {"year": True}, "not of the type year"),
        ("names-of-copy", {"url": "no iri"}, "not an IRI"),
        ("names-of-copy", {"url": "https://x.example/> }"}, "not an IRI"),
        (
            "names-of-copy",
            {"url": "http://[bad"},
            r"^url: 'http://\[bad' is not an IRI. Write it whole",
        ),
        ("names-of-copy", {"url": "http://x.example:y/"}, "^url: .* is not an IRI"),
        ("on-subject", {"subject": "\ud800"}, "that RDF does not allow"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_said(
    name: str, given: dict[str, str], message: str
) -> None:
    with pytest.raises(CatalogueError, match=message):
        ready(name, **given)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("#+ title = ", "header"),
        ("#+ titel = 'x'", "the header has the key titel, which is not one of"),
        ("#+ [parameters.a]", r'parameters\.a has no type; write type = "text" .* name, work, '),
        ("#+ [parameters.a]\n#+ type = 'foo'", "parameters.a has the type 'foo'; use one of name"),
        ("#+ [parameters.a]\n#+ type = ['text']", r"has the type \['text'\]; use one of name"),
        (
            "#+ [parameters.a]\n#+ type = 'text'\n#+ kind = 1",
            "parameters.a has the key kind, which is not",
        ),
        ("#+ [parameters.a]\n#+ type = 'text'\n#+ optional = 'no'", "'no'; write true or false"),
        ("#+ parameters = 3", r"parameters is not a table; write \[parameters\]"),
        ("#+ [parameters]\n#+ x = 1", r"parameters.x is not a table; write \[parameters.x\]"),
        ("#+ columns = 3", r"columns is not a table; write \[columns\]"),
        pytest.param(f"#+ x = {'[' * 3_000}", "nested too deeply", id="deep"),
    ],
)
def test_what_is_wrong_with_a_header_is_said(header: str, message: str) -> None:
    with pytest.raises(CatalogueError, match=message):
        parse_query_file("mine.rq", f"{header}\nASK {{}}")


def test_undeclared_parameters_are_given_with_their_type() -> None:
    mine = parse_query_file("mine.rq", "ASK { ?s ?p $value }")
    assert mine.bound({"value:text": 'a"b'}) == 'ASK { ?s ?p  "a\\"b"  }'
    with pytest.raises(CatalogueError, match="give value:TYPE"):
        mine.bound({"value": "x"})
    with pytest.raises(CatalogueError, match="not a type of parameters"):
        mine.bound({"value:colour": "x"})
    with pytest.raises(CatalogueError, match="no parameter other; it has: none"):
        mine.bound({"other:text": "x"})
    declared = parse_query_file(
        "mine.rq", "#+ [parameters.value]\n#+ type = 'text'\nASK { ?s ?p $value }"
    )
    with pytest.raises(CatalogueError, match="value has the type text, not integer"):
        declared.bound({"value:integer": "1"})
    assert declared.parameters[0].kind is ParameterKind.TEXT
