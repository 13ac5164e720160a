"""Servers that are slow, broken, lying or hostile: always a sentence, in time, in little memory."""

from __future__ import annotations

import base64
import sys
import threading
import time
import tracemalloc
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hostile_server import PASSWORD, hostile_server

from lexurn.catalogue.server import ServerHoldings
from lexurn.errors import CatalogueError
from lexurn.store import Solutions, query
from lexurn.store.endpoint import Endpoint
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from pathlib import Path

SELECT = "SELECT ?x { ?x ?y ?z }"
UPDATE = "INSERT DATA { GRAPH <g:h> { <a:b> <c:d> <e:f> } }"
CONSTRUCT = "CONSTRUCT { ?x ?y ?z } WHERE { ?x ?y ?z }"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, Counter[str]]]:
    with hostile_server() as found:
        yield found


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexurn.store.remote._PAUSES", (0.01, 0.01, 0.01))


@pytest.fixture
def asked(server: tuple[str, Counter[str]]) -> Counter[str]:
    server[1].clear()
    return server[1]


def store_at(server: tuple[str, Counter[str]], way: str, **options: float) -> RemoteStore:
    url = f"{server[0]}/{way}"
    settings = {"timeout": 0.5, "largest": 1_000_000} | options
    return RemoteStore(Endpoint(query=url, update=url, **settings))


@pytest.mark.parametrize(
    ("way", "words", "times"),
    [
        ("silent", r"silent for 0.5 seconds", 1),
        ("dripping", r"took more than 0.5 seconds to answer.*`timeout`", 1),
        ("endless", r"more than 1,000,000 bytes.*LIMIT", 1),
        ("endless_fault", r"answered 500: x+\.\.\.$", 1),
        ("bomb", r"more than 1,000,000 bytes", 1),
        ("half", r"broke off in the middle", 4),
        ("gone", r"broke off in the middle", 4),
        ("busy", r"answered 503: full; try again later", 4),
        ("redirected", r"answered 307: http://x.example/redirected; use the URL", 1),
        ("guarded", r"answered 401; set LEXURN_USER", 1),
        ("page", r"answered a SELECT with text/html.*SPARQL endpoint", 1),
        ("no_type", r"answered a SELECT with no type", 1),
        ("text", r"answered 500: \[2J all wrong$", 1),
        ("error_page", r"answered 502: Bad & gateway \[31m; try again later", 4),
        ("no_results", r"sent an invalid application/sparql-results\+json", 1),
        ("cut_off", r"sent an invalid application/sparql-results\+json", 1),
        ("broken_row", r"sent an invalid application/sparql-results\+json", 1),
        ("not_utf8", r"sent an invalid application/sparql-results\+json", 1),
        ("no_gzip", r"compression differs from the declared", 1),
        ("yes", r"answered a SELECT with application/sparql-results\+json", 1),
        ("limited", r"cut its answer at its limit of 1 rows", 1),
        ("triples", r"answered a SELECT with application/n-triples", 1),
        ("unknown", r"answered 404: no such thing; check the URL", 1),
        ("long_words", r"answered 400: (word ?){60}\.\.\.", 1),
    ],
)
def test_a_bad_answer_is_a_sentence(
    way: str, words: str, times: int, server: tuple[str, Counter[str]], asked: Counter[str]
) -> None:
    # A machine with much to do must not take those that answer for silent.
    patience = 0.5 if "0.5 seconds" in words else 30.0
    store = store_at(server, way, timeout=patience)
    with pytest.raises(CatalogueError, match=words) as fault:
        store.query(SELECT)
    assert asked[way] == times
    message = str(fault.value)
    assert message.startswith(f"{server[0]}/{way} ")
    assert message.isprintable()
    assert PASSWORD not in message
    assert len(message) < 600
    store.close()


@pytest.mark.parametrize(
    ("text", "way", "words"),
    [
        (CONSTRUCT, "rows", r"answered a CONSTRUCT with application/sparql-results\+json"),
        (CONSTRUCT, "triples", r"sent an invalid application/n-triples"),
        ("ASK {}", "rows", r"answered a ASK with application/sparql-results\+json"),
        ("ASK {}", "page", r"answered a ASK with text/html"),
    ],
)
def test_an_answer_of_another_kind(
    text: str, way: str, words: str, server: tuple[str, Counter[str]]
) -> None:
    store = store_at(server, way)
    with pytest.raises(CatalogueError, match=words):
        store.query(text)
    store.close()


@pytest.mark.parametrize("way", ["busy_at_first", "gone_at_first"])
def test_what_is_safe_is_tried_again(
    way: str, server: tuple[str, Counter[str]], asked: Counter[str]
) -> None:
    store = store_at(server, way)
    assert [x.value for (x,) in store.select(SELECT, "x")] == ["1"]
    assert asked[way] == 3
    asked.clear()
    store.update(UPDATE)
    assert asked[way] == 3
    store.close()


@pytest.mark.parametrize(
    ("way", "words"),
    [("rows", "answered without the columns y$"), ("unbound", "lacks a requested value")],
)
def test_rows_without_what_was_asked_for(
    way: str, words: str, server: tuple[str, Counter[str]]
) -> None:
    store = store_at(server, way)
    with pytest.raises(CatalogueError, match=words):
        list(store.select(SELECT, "s" if way == "unbound" else "y"))
    store.close()


@pytest.mark.parametrize("way", ["page", "rows", "unbound", "yes", "half", "endless", "text"])
def test_holdings_of_a_bad_server(way: str, server: tuple[str, Counter[str]]) -> None:
    store = store_at(server, way)
    holdings = ServerHoldings(store)
    act = "urn:lex:it:stato:legge:2003-09-21;456"
    for ask in (
        lambda: holdings.family(act),
        lambda: holdings.near("it", "456"),
        lambda: holdings.dated("urn:lex:it:stato:legge", "2003-09-21"),
        lambda: holdings.spelled("x"),
    ):
        with pytest.raises(CatalogueError):
            ask()
    store.close()


def test_bodies_without_end_do_not_fill_memory(
    server: tuple[str, Counter[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXURN_USER", "me")
    monkeypatch.setenv("LEXURN_PASSWORD", PASSWORD)
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    for way in ("endless", "endless_fault", "endless_refusal"):
        store = store_at(server, way)
        with pytest.raises(CatalogueError):
            store.query(SELECT)
        store.close()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - before < 20_000_000


def test_a_password_is_given_when_asked_for(
    server: tuple[str, Counter[str]], asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXURN_USER", "me")
    monkeypatch.setenv("LEXURN_PASSWORD", PASSWORD)
    store = store_at(server, "guarded")
    for _ in range(3):
        assert [x.value for (x,) in store.select(SELECT, "x")] == ["in"]
    assert asked["guarded"] == 4
    store.close()


def test_a_wrong_password_is_said(
    server: tuple[str, Counter[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXURN_USER", "me")
    monkeypatch.setenv("LEXURN_PASSWORD", "wrong-word")
    for way, words in (
        ("guarded", "answered 401"),
        ("digest", "by an unsupported method"),
        ("odd_digest", "by an unsupported method"),
        ("odd_quality", "by an unsupported method"),
        ("no_quality", "by an unsupported method"),
    ):
        store = store_at(server, way)
        with pytest.raises(CatalogueError, match=words) as fault:
            store.query(SELECT)
        assert "wrong-word" not in str(fault.value)
        store.close()


def test_a_token_is_given_at_once(
    server: tuple[str, Counter[str]], asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXURN_TOKEN", PASSWORD)
    store = store_at(server, "token")
    assert [x.value for (x,) in store.select(SELECT, "x")] == ["in"]
    assert asked["token"] == 1
    store.close()


def test_no_secret_goes_over_http_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXURN_TOKEN", PASSWORD)
    store = RemoteStore("http://catalogue.invalid/query")
    with pytest.raises(CatalogueError, match=r"over http.*use https") as fault:
        store.query(SELECT)
    assert PASSWORD not in str(fault.value)
    store.close()
    allowed = RemoteStore(Endpoint(query="http://catalogue.invalid/query", cleartext=True))
    with pytest.raises(CatalogueError, match="cannot be reached"):
        allowed.query(SELECT)
    allowed.close()


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, Counter[str]]]:
    if not sys.platform.startswith("linux"):
        pytest.skip("no second address of this machine without setting one up")
    with hostile_server("127.0.0.2") as found:
        yield found


def test_a_password_for_one_endpoint_is_not_told_in_clear_to_another(
    server: tuple[str, Counter[str]],
    elsewhere: tuple[str, Counter[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LEXURN_USER", "me")
    monkeypatch.setenv("LEXURN_PASSWORD", PASSWORD)
    for way in ("inviting", "inviting_digest"):
        update = f"{elsewhere[0]}/{way}"
        store = RemoteStore(Endpoint(query=f"{server[0]}/guarded", update=update))
        assert [x.value for (x,) in store.select(SELECT, "x")] == ["in"]
        for _ in range(2):
            with pytest.raises(CatalogueError, match=rf"{way} would .* over http.*use https"):
                store.update(UPDATE)
        assert set(elsewhere[1]) <= {"inviting", "inviting_digest"}
        store.close()


def test_each_endpoint_is_told_what_a_netrc_file_says_of_its_host(
    server: tuple[str, Counter[str]],
    elsewhere: tuple[str, Counter[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    file = tmp_path / "netrc"
    file.write_text(f"machine 127.0.0.1 login me password {PASSWORD}\n", encoding="utf-8")
    file.chmod(0o600)
    monkeypatch.setenv("NETRC", str(file))
    query, update = f"{server[0]}/guarded", f"{elsewhere[0]}/inviting"
    store = RemoteStore(Endpoint(query=query, update=update, cleartext=True))
    assert [x.value for (x,) in store.select(SELECT, "x")] == ["in"]
    with pytest.raises(CatalogueError, match="answered 401"):
        store.update(UPDATE)
    assert set(elsewhere[1]) == {"inviting"}
    store.close()
    with file.open("a", encoding="utf-8") as more:
        more.write("machine 127.0.0.2 login you password other\n")
    store = RemoteStore(Endpoint(query=query, update=update, cleartext=True))
    store.update(UPDATE)
    assert elsewhere[1][f"Basic {base64.b64encode(b'you:other').decode()}"] == 1
    store.close()


def test_a_query_within_limits_asks_the_same_endpoint(server: tuple[str, Counter[str]]) -> None:
    url = f"{server[0]}/keyed?key=k"
    store = RemoteStore(Endpoint(query=url))
    for limits in ({}, {"timeout": 30.0}):
        answer = query(store, SELECT, **limits)
        assert isinstance(answer, Solutions)
        assert next(iter(answer))[0] == pyoxigraph.Literal("in")
    store.close()
    store = RemoteStore(Endpoint(query=url, largest=1_000))
    with pytest.raises(CatalogueError, match="more than 1,000 bytes"):
        query(store, SELECT, timeout=30.0)
    store.close()


def test_what_goes_to_this_machine_goes_through_no_proxy(
    server: tuple[str, Counter[str]],
    elsewhere: tuple[str, Counter[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, elsewhere[0])
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LEXURN_TOKEN", PASSWORD)
    store = store_at(server, "token")
    assert [x.value for (x,) in store.select(SELECT, "x")] == ["in"]
    assert elsewhere[1].total() == 0
    store.close()


def is_waiting(thread: threading.Thread) -> bool:
    """Whether a thread waits for an event: it has got its answer, and pauses."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and frame.f_code is not threading.Event.wait.__code__:
        frame = frame.f_back
    return frame is not None


def test_who_pauses_does_not_ask_again_when_it_is_over(
    server: tuple[str, Counter[str]], asked: Counter[str]
) -> None:
    store = store_at(server, "busy_for_long")
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(CatalogueError) as fault:
            store.query(SELECT)
        said.append(str(fault.value))

    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive() and not is_waiting(asking):
        time.sleep(0.01)
    store.close()
    asking.join(20)
    assert [each.partition(" answered ")[2] for each in said] == ["503: full; try again later"]
    assert asked["busy_for_long"] == 1
