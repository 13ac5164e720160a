"""Queries within limits: whatever the text, an answer or a sentence that says what is wrong."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from query_store import answer_rows, filled_store, nquads

from lexurn.catalogue import open_catalogue, query_at, update_at
from lexurn.errors import CatalogueError
from lexurn.store import Solutions, Triples, query
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALL = "SELECT * { ?s ?p ?o }"
TITLE = "<http://purl.org/dc/terms/title>"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"
LIMITS = {"timeout": 30.0, "memory": 300}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    opened = _open_filled(tmp_path)
    yield opened
    opened.close()


def _open_filled(folder: Path) -> EmbeddedStore:
    made = EmbeddedStore(folder / "store", write=True)
    made.fill(nquads())
    made.close()
    return EmbeddedStore(folder / "store")


@contextmanager
def record_processes(started: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    """Append the processes that are started meanwhile."""

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Recorded)
        yield


@pytest.mark.parametrize(
    "text",
    [
        f"{ALL} ORDER BY ?s ?p ?o",
        "SELECT ?nothing {} ",
        "SELECT ?s ?none { ?s <urn:none> ?none }",
        'SELECT ?x ?y { VALUES (?x ?y) { (UNDEF "\\t\\n\\"\\\\") ("a"@it 1.0) (true 1e0) } }',
        "ASK { ?s ?p ?o }",
        "ASK { ?s ?p 0.5 }",
        "CONSTRUCT WHERE { ?s ?p ?o }",
        "DESCRIBE <urn:lex:it:stato:legge:2003-09-21;456>",
    ],
)
def test_limits_change_no_answer(store: EmbeddedStore, text: str) -> None:
    assert answer_rows(query(store, text, **LIMITS)) == answer_rows(query(store, text))


def test_what_an_answer_is(store: EmbeddedStore) -> None:
    with query(store, "SELECT ?b ?a {} LIMIT 1", **LIMITS) as rows:
        assert isinstance(rows, Solutions)
        assert rows.variables == ("b", "a")
        assert list(rows) == [(None, None)]
    with query(store, "CONSTRUCT WHERE { ?s ?p ?o }", **LIMITS) as triples:
        assert isinstance(triples, Triples)
        assert next(iter(triples)).subject is not None
    assert query(store, "ASK {}", **LIMITS) is True


@pytest.mark.parametrize(
    ("text", "limits", "message"),
    [
        (ENDLESS, {"timeout": 0.5}, "longer than 0.5 seconds"),
        (f"SELECT * {{ ?s {'<urn:p>/' * 1000}<urn:p> ?o }}", {"timeout": 0.5}, "longer than"),
        (
            "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a",
            {"memory": 50, "timeout": 60.0},
            "more memory than 50 megabytes",
        ),
        (f"SELECT * {'{' * 90_000}{'}' * 90_000}", {}, "too long or too deeply nested"),
        (f"SELECT * {{ FILTER({'1+' * 90_000}1) }}", {}, "too long or too deeply nested"),
        ("SELECT * { ?s ?p", {}, "not SPARQL: line 1, column 17, after 'SELECT . { .s .p'"),
        ("SELECT * {\n ?s ?p ?o } }", {"timeout": 9.0}, "line 2, column 14, after '.s .p .o } }'"),
        ("SELECT (foo:x(1) AS ?x) {}", {"timeout": 9.0}, "the prefix foo: is not declared"),
        ("SELECT * { SERVICE <http://127.0.0.1:9/> {} }", {}, "allow service"),
        ("INSERT DATA {}", {}, "is an update, which changes"),
        ("LOAD <http://127.0.0.1:9/>", {}, "is an update"),
        ("HELLO", {}, "begins with none of"),
    ],
)
def test_what_cannot_be_answered_is_said(
    store: EmbeddedStore, text: str, limits: dict[str, float], message: str
) -> None:
    with pytest.raises(CatalogueError, match=message):
        answer_rows(query(store, text, **limits))
    assert query(store, "ASK {}") is True


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"timeout": float("inf")}, "limited to inf seconds"),
        ({"timeout": float("nan")}, "limited to nan seconds"),
        ({"timeout": 1e18}, r"limited to 1e\+18 seconds. Give a number from 0 to"),
        ({"timeout": -1.0}, "limited to -1 seconds"),
        ({"memory": 99999999999999999999}, "limited to 9+ megabytes"),
        ({"memory": 0}, "limited to 0 megabytes"),
        ({"memory": -1}, "limited to -1 megabytes"),
        ({"memory": float("inf")}, "Give a whole number"),
    ],
)
def test_limits_that_cannot_be_kept_are_refused(
    store: EmbeddedStore, limits: dict[str, float], message: str
) -> None:
    with pytest.raises(CatalogueError, match=message):
        query(store, "ASK {}", **limits)


@pytest.mark.parametrize(
    "limits", [{"timeout": 31_000_000 if sys.platform != "win32" else 4e6}, {"memory": 1 << 40}]
)
def test_wide_limits_are_kept(store: EmbeddedStore, limits: dict[str, float]) -> None:
    assert query(store, "ASK {}", **limits) is True


def test_a_system_without_memory_limits_limits_the_time(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexurn.store.queries.CAN_LIMIT_MEMORY", False)
    with pytest.warns(RuntimeWarning, match="Only its time is limited"):
        assert query(store, "ASK {}", **LIMITS) is True
    with pytest.warns(RuntimeWarning), pytest.raises(CatalogueError, match=r"longer than 0\.5"):
        answer_rows(query(store, ENDLESS, memory=300, timeout=0.5))


@pytest.mark.parametrize(
    ("text", "limits"), [(ALL, LIMITS), (f"ASK {{ {'{' * 60} ?s ?p ?o {'}' * 60} }}", {})]
)
def test_a_store_in_memory_has_no_limits(text: str, limits: dict[str, float]) -> None:
    with filled_store() as filled, pytest.raises(CatalogueError, match="in a folder"):
        query(filled, text, **limits)


def test_what_is_allowed_is_tried(store: EmbeddedStore) -> None:
    service = "SELECT * { SERVICE <http://127.0.0.1:9/> {} }"
    for limits in ({}, LIMITS):
        with pytest.raises(CatalogueError, match="port 9"):
            answer_rows(query(store, service, allow=["service"], **limits))
    with pytest.raises(CatalogueError, match="an update, not a query"):
        query(store, "INSERT DATA {}", allow=["update"])
    with pytest.raises(CatalogueError, match="'files' cannot be allowed"):
        query(store, ALL, allow=["files"])


@pytest.mark.parametrize("limits", [{}, LIMITS])
@pytest.mark.parametrize("text", [ALL, "CONSTRUCT WHERE { ?s ?p ?o }"])
def test_an_answer_that_is_closed_is_no_empty_one(
    store: EmbeddedStore, text: str, limits: dict[str, float]
) -> None:
    answer = query(store, text, **limits)
    assert not isinstance(answer, bool)
    with answer:
        pass
    with pytest.raises(CatalogueError, match="is closed"):
        list(answer)


def test_only_the_time_that_is_waited_counts(store: EmbeddedStore) -> None:
    answer = query(store, f"{ALL} ORDER BY ?s ?p ?o", timeout=3.0)
    assert isinstance(answer, Solutions)
    rows = iter(answer)
    next(rows)
    time.sleep(3.5)
    assert len(list(rows)) > 100


def test_where_no_process_can_be_started_it_is_said(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_arguments: object, **_options: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refused)
    with pytest.raises(CatalogueError, match="No process can be started here: Resource temp"):
        query(store, ALL, **LIMITS)


def test_an_answer_that_is_not_read_leaves_nothing(store: EmbeddedStore) -> None:
    answer = query(store, ALL, **LIMITS)
    assert isinstance(answer, Solutions)
    next(iter(answer))
    process = answer._source._child.process
    del answer
    gc.collect()
    assert process.returncode is not None


def test_a_process_answers_one_query_after_the_other(tmp_path: Path) -> None:
    store = _open_filled(tmp_path)
    started = []
    with record_processes(started):
        for _ in range(3):
            assert query(store, "ASK { ?s ?p ?o }", **LIMITS) is True
            assert answer_rows(query(store, ALL, **LIMITS)) == answer_rows(query(store, ALL))
    assert len(started) == 1
    store.close()
    assert started[0].returncode is not None


def test_a_process_has_one_limit_of_memory(tmp_path: Path) -> None:
    store = _open_filled(tmp_path)
    started = []
    with record_processes(started):
        assert query(store, "ASK {}", **LIMITS) is True
        assert query(store, "ASK {}", timeout=30.0, memory=200) is True
    assert len(started) == 2
    store.close()


def test_a_process_keeps_no_limit_of_an_earlier_query(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux shows the limits of another process")
    store = _open_filled(tmp_path)
    started = []
    with record_processes(started):
        assert query(store, "ASK {}", **LIMITS) is True
        process = started[0].pid
        assert resource.prlimit(process, resource.RLIMIT_CPU)[0] > 0
        assert query(store, "ASK {}", memory=LIMITS["memory"]) is True
        limit = resource.getrlimit(resource.RLIMIT_CPU)
        assert resource.prlimit(process, resource.RLIMIT_CPU) == limit
    assert len(started) == 1
    store.close()


@pytest.mark.parametrize("fault", ["killed", "late", "refused", "unread"])
def test_a_process_that_ends_is_replaced(tmp_path: Path, fault: str) -> None:
    store = _open_filled(tmp_path)
    started = []
    with record_processes(started):
        answer = query(store, ALL, **LIMITS)
        if fault != "unread":
            rows = answer_rows(answer)
        if fault == "killed":
            started[0].kill()
            started[0].wait()
        elif fault == "late":
            with pytest.raises(CatalogueError, match=r"longer than 0\.5 seconds"):
                answer_rows(query(store, ENDLESS, memory=300, timeout=0.5))
        elif fault == "refused":
            with pytest.raises(CatalogueError, match="not SPARQL"):
                query(store, "SELECT (foo:x(1) AS ?x) {}", **LIMITS)
        assert len(answer_rows(query(store, ALL, **LIMITS))) > 100
    assert len(started) == 2
    assert fault == "unread" or rows == answer_rows(query(store, ALL))
    store.close()


@pytest.fixture
def place(tmp_path: Path) -> str:
    place = tmp_path / "law"
    with open_catalogue(str(place), write=True) as catalogue:
        catalogue.store.fill(nquads())
    return str(place)


@pytest.mark.parametrize(
    "text",
    [
        ALL,
        f"{ALL} VALUES ?o {{ 'it' 'fr' }}",
        "CONSTRUCT WHERE { ?s ?p ?o }",
        f"CONSTRUCT {{ ?s {TITLE} ?t }} WHERE {{ {{ ?s ?p ?o }} UNION {{ ?s {TITLE} ?t }} }}",
    ],
)
def test_an_answer_ends_where_it_is_cut(place: str, text: str) -> None:
    whole = list(query_at(place, text))
    assert len(whole) > 1
    for most in (1, 7, 100_000, len(whole)):
        answer = query_at(place, text, most=most)
        assert list(answer) == whole[:most]
        assert answer.has_more is (len(whole) > most)


def test_an_update_is_done_where_it_is_allowed(place: str) -> None:
    text = "INSERT DATA { GRAPH <urn:mine> { <urn:a> <urn:b> 'c' } }"
    ask = "ASK { <urn:a> <urn:b> 'c' }"
    with pytest.raises(CatalogueError, match="Allow it"):
        update_at(place, text, allow=[])
    with pytest.raises(CatalogueError, match="not an update"):
        update_at(place, ask)
    assert query_at(place, ask) is False
    update_at(place, text, timeout=60)
    assert query_at(place, ask) is True
    with pytest.raises(CatalogueError, match="allow service"):
        update_at(place, "LOAD <file:///etc/passwd>")
    with pytest.raises(CatalogueError, match="not SPARQL"):
        update_at(place, "INSERT DATA {")


@pytest.mark.parametrize(
    ("graphs", "is_there"),
    [("", True), ("FROM <urn:mine>", True), ("FROM <urn:other>", False)],
)
def test_graphs_that_a_query_names_are_asked_in_any_process(
    place: str, graphs: str, *, is_there: bool
) -> None:
    update_at(place, "INSERT DATA { GRAPH <urn:mine> { <urn:a> <urn:b> 'c' } }")
    ask = f"ASK {graphs} {{ <urn:a> <urn:b> 'c' }}"
    assert query_at(place, ask) is is_there
    with open_catalogue(place) as catalogue:
        assert query(catalogue.store, ask) is is_there
        assert query(catalogue.store, ask, **LIMITS) is is_there


def test_an_endless_update_changes_nothing(place: str) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    graphs = " ".join(f"GRAPH ?{each} {{ ?{each}s ?{each}p ?{each}o }}" for each in "abcdef")
    before = list(query_at(place, count))
    with pytest.raises(CatalogueError, match="longer than"):
        update_at(place, f"INSERT {{ ?as <urn:x> ?bo }} WHERE {{ {graphs} }}", timeout=1)
    with open_catalogue(place, write=True):
        pass  # which mends what the end of the process left behind
    assert list(query_at(place, count)) == before


def test_a_place_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="is not a catalogue"):
        query_at(str(tmp_path / "none"), ALL)
