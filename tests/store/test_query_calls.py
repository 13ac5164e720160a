"""No text that is let through makes an engine call out; and where it would, it meets a wall."""

from __future__ import annotations

import http.server
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sizes import examples

from lexurn.errors import CatalogueError
from lexurn.store import QueryForm, scan_query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NOTHING = b'{"head":{"vars":["x"]},"results":{"bindings":[]}}'
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_TRUE = pyoxigraph.Literal(
    "true", datatype=pyoxigraph.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
)


class Listener:
    """A server on this machine that remembers that it was called.

    Attributes:
        url: where it listens.
        calls: what it was asked for.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.calls: list[str] = []

    def called(self) -> bool:
        """Whether it was called since it was asked last."""
        calls, self.calls = self.calls, []
        return bool(calls)


@contextmanager
def _listening() -> Iterator[Listener]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            listener.calls.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(_NOTHING)))
            self.end_headers()
            self.wfile.write(_NOTHING)

        do_GET = do_POST  # noqa: N815 - what the server looks for

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    listener = Listener(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with _listening() as found:
        yield found


@pytest.fixture(scope="module")
def engine() -> pyoxigraph.Store:
    """A store in which each pattern of `_STARTS` finds something."""
    node = pyoxigraph.NamedNode
    store = pyoxigraph.Store()
    for subject, predicate, value in (
        ("http://x/", "http://x/", _TRUE),
        ("http://x/", "http://x/", pyoxigraph.Literal("a")),
        ("http://x/", "http://x/", pyoxigraph.Literal("a", language="en")),
        ("http://x/", "http://x/", pyoxigraph.Literal(1)),
        ("http://x/", "http://x/", node("http://x/")),
        ("http://x/", "http://x/", node("http://x/b.c")),
        ("http://x/", "http://x/", node("http://x:")),
        ("http://x:", _TYPE, _TRUE),
    ):
        store.add(pyoxigraph.Quad(node(subject), node(predicate), value))
    return store


def _calls(engine: pyoxigraph.Store, listener: Listener, text: str) -> bool:
    """Whether the engine calls out on a text."""
    listener.called()
    try:
        if scan_query(text).form is QueryForm.UPDATE:
            engine.update(text)
        else:
            answer = engine.query(text)
            if not isinstance(answer, pyoxigraph.QueryBoolean):
                list(answer)
    except (SyntaxError, OSError, ValueError, RuntimeError, CatalogueError):
        pass
    return listener.called()


def _whole(text: str, listener: Listener) -> str:
    """A text with the prefixes that it may use, and the server in the place of ``<u>``."""
    known = {"a": "http://x/", "p": "http://x:", "s": listener.url}
    known |= {"\ufffd": listener.url} if "\ufffd" in text else {}
    prefixes = " ".join(f"PREFIX {each}: <{iri}>" for each, iri in known.items())
    return f"{prefixes} {text.replace('<u>', f'<{listener.url}>')}"


_GLUED = [
    "SELECT * { SERVICE<u>{} }",
    "SELECT * { SERVICESILENT<u>{} }",
    "SELECT * { ?s ?p trueSERVICE<u>{} }",
    "SELECT * { ?s ?p a:.SERVICE<u>{} }",
    "SELECT * { ?s ?p a:b.c.SERVICE<u>{} }",
    "SELECT * { ?s ?p p:SERVICE<u>{} }",
    "SELECT * { p:atrueSERVICE<u>{} }",
    "SELECT * { SERVICEs:x {} }",
    "SELECT * { SERVICEs: {} }",
    "SELECT * { BIND('a' AS ?a) FILTER(?a<'x>') SERVICE <u> {} FILTER('b'!='y') }",
    "SELECT * { VALUES ?v { '''a' } SERVICE <u> {} #\\x '''\n}",
    "SELECT * { VALUES ?v { '''a' } SERVICE <u> {} #\\ud800 '''\n}",
    "INSERT DATA {} ; LOADSILENT <u>",
    "INSERT DATA {} ; LOADs:x",
    "INSERT { a: a: ?x } WHERE { SERVICEs: { ?x ?y ?z } }",
]


@pytest.mark.parametrize("text", _GLUED)
def test_what_an_engine_calls_out_on_is_refused(
    engine: pyoxigraph.Store, listener: Listener, text: str
) -> None:
    text = _whole(text, listener)
    assert scan_query(text).calls_out
    assert _calls(engine, listener, text)


def test_a_prefix_that_only_an_engine_can_read_is_no_way_out(
    engine: pyoxigraph.Store, listener: Listener
) -> None:
    text = _whole("SELECT * { ?s ?p a:SERVICE\ufffd:x {} }", listener)
    assert _calls_as_query(engine, listener, text)
    with pytest.raises(CatalogueError, match="begins with none of"):
        scan_query(text)


def _calls_as_query(engine: pyoxigraph.Store, listener: Listener, text: str) -> bool:
    listener.called()
    list(engine.query(text))
    return listener.called()


_STARTS = [
    "SELECT * {",
    "SELECT * { ?s ?p ",
    "SELECT * { p:a",
    "SELECT * { VALUES ?v {",
    "SELECT * { BIND('a' AS ?a) FILTER(?a",
    "SELECT * { OPTIONAL {",
    "SELECT * { { SELECT * {",
    "ASK { ?s ?p ",
    "INSERT DATA {} ;",
    "INSERT { a: a: a: } WHERE { ?s ?p ",
]
_WRITTEN = (
    "true a p: p:a a: a:b a:b.c a:b.c.d 1 1. 1e5 1.e 'a' ''' \"\"\" ' \" 'a'@en @en-1 \\ \\x \\' "
    "\\ud800 \\u00e9 # < <' <# '> #> > << . .. - : % ; , ? ?a $a ) } { [] ( ! * / | ^ = <= && "
    "FILTER FILTER( UNION OPTIONAL GRAPH <urn:x> <a> _:a _:b. é ª · \u2028 \ufffd"
)
_PIECES = st.sampled_from([*_WRITTEN.split(" "), " ", "\n", "\t", "", " . ", "} ", "true} "])
_CALLS = st.sampled_from(
    ["SERVICE<u>", "service <u>", "SERVICESILENT<u>", "SERVICEs:", "SERVICEs:x", "sErViCe ?a"]
)
_LOADS = st.sampled_from(["LOAD<u>", "LOADSILENT<u>", "loads:", "LOADs:x"])


@st.composite
def glued(draw: st.DrawFn) -> str:
    """Pieces of a query or an update without blanks between them."""
    before = "".join(draw(st.lists(_PIECES, max_size=3)))
    behind = "".join(draw(st.lists(_PIECES, max_size=2)))
    start = draw(st.sampled_from(_STARTS))
    if start.endswith(";") and draw(st.booleans()):
        return f"{start}{before}{draw(_LOADS)}{behind}"
    text = f"{start}{before}{draw(_CALLS)}{{}}{behind}"
    return text + "}" * (text.count("{") - text.count("}"))


def test_whatever_is_let_through_calls_nobody(engine: pyoxigraph.Store, listener: Listener) -> None:
    @examples(500)
    @given(glued())
    @example("SELECT * { ?s ?p a:SERVICE<u>{} }")
    @example("SELECT * { ?s a:downloadURL ?o . ?s ?p 'SERVICE <u> {}' }")
    def law(text: str) -> None:
        text = _whole(text, listener)
        try:
            found = scan_query(text)
        except CatalogueError:
            return
        assert found.calls_out or not _calls(engine, listener, text)

    law()


def test_a_file_is_read_by_no_text(engine: pyoxigraph.Store, tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text("<urn:a> <urn:b> <urn:c> .\n", encoding="ascii")
    text = f"LOAD <{path.as_uri()}>"
    assert scan_query(text).calls_out
    with pytest.raises((OSError, RuntimeError)):
        engine.update(text)
