"""A server that means harm, or is ill: each path is another way to answer badly."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["PASSWORD", "Hostile", "hostile_server"]

JSON = "application/sparql-results+json"
NTRIPLES = "application/n-triples"
PASSWORD = "open-" + "sesame"
BASIC = "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode()


def rows(*values: str, name: str = "x") -> bytes:
    bindings = [{name: {"type": "literal", "value": value}} for value in values]
    return json.dumps({"head": {"vars": [name]}, "results": {"bindings": bindings}}).encode()


class Hostile(BaseHTTPRequestHandler):
    """Answers a POST by what its path is called; counts the requests to each path."""

    protocol_version = "HTTP/1.1"
    asked: Counter[str]

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on the screen."""

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        self.body = self.rfile.read(size)
        name = self.path.partition("?")[0].strip("/")
        self.asked[name] += 1
        self.times = self.asked[name]
        with contextlib.suppress(OSError):
            WAYS[name](self)

    def answer(
        self, body: bytes, media_type: str = JSON, status: int = 200, **headers: str
    ) -> None:
        self.begin(media_type, status, **{"content-length": str(len(body)), **headers})
        self.wfile.write(body)

    def begin(self, media_type: str = JSON, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        if media_type:
            self.send_header("content-type", media_type)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "content-length" not in headers:
            self.send_header("connection", "close")
            self.close_connection = True
        self.end_headers()


def silent(self: Hostile) -> None:
    time.sleep(3)
    self.answer(rows("1"))


def dripping(self: Hostile) -> None:
    self.begin()
    for _ in range(100):
        self.wfile.write(b" ")
        time.sleep(0.05)


def endless(self: Hostile) -> None:
    self.begin()
    while True:
        self.wfile.write(b" " * 65536)


def endless_fault(self: Hostile) -> None:
    self.begin("text/plain", 500)
    while True:
        self.wfile.write(b"x" * 65536)


def endless_refusal(self: Hostile) -> None:
    self.begin("text/plain", 401, www_authenticate='Digest realm="r", nonce="n", qop="auth"')
    while True:
        self.wfile.write(b"x" * 65536)


def bomb(self: Hostile) -> None:
    self.answer(gzip.compress(b" " * 50_000_000), content_encoding="gzip")


def half(self: Hostile) -> None:
    self.begin(**{"content-length": "1000"})
    self.wfile.write(rows("1")[:20])
    self.close_connection = True


def busy_at_first(self: Hostile) -> None:
    if self.times < 3:
        self.answer(b"later", "text/plain", 503, retry_after="0")
    else:
        self.answer(rows("1"))


def gone_at_first(self: Hostile) -> None:
    if self.times < 3:
        self.close_connection = True
    else:
        self.answer(rows("1"))


def redirected(self: Hostile) -> None:
    self.answer(b"", "", 307, location=f"http://me:{PASSWORD}@x.example/redirected?key=k")


def guarded(self: Hostile) -> None:
    if self.headers.get("authorization") == BASIC:
        self.answer(rows("in"))
    else:
        self.answer(b"", "", 401, www_authenticate='Basic realm="r"')


def inviting(self: Hostile) -> None:
    """Asks for a password in clear, and counts those that are told."""
    told = self.headers.get("authorization")
    if told is None:
        self.answer(b"", "", 401, www_authenticate='Basic realm="r"')
    else:
        self.asked[told] += 1
        self.answer(rows("in"))


def inviting_digest(self: Hostile) -> None:
    """Asks for the digest of a password, and counts those that are told."""
    if "authorization" in self.headers:
        self.asked["digest told"] += 1
        self.answer(rows("in"))
    else:
        asking = 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'
        self.answer(b"", "", 401, www_authenticate=asking)


def keyed(self: Hostile) -> None:
    """Answers whoever asks with the key that stands in the URL."""
    if "key=k" in self.path:
        self.answer(rows("in", "x" * 2_000))
    else:
        self.answer(b"no key", "text/plain", 403)


def token(self: Hostile) -> None:
    is_known = self.headers.get("authorization") == f"Bearer {PASSWORD}"
    self.answer(rows("in") if is_known else rows("out"))


def narrow(self: Hostile) -> None:
    """A proxy before a server: takes no large body, and counts the statements of those it takes."""
    if len(self.body) > 150_000:
        self.answer(b"", "text/html", 413)
    else:
        self.asked["taken"] += self.body.count(b"<c:d>")
        self.answer(b"", "", 204)


def said(body: bytes, media_type: str = JSON, status: int = 200, **headers: str):
    return lambda self: self.answer(body, media_type, status, **headers)


BROKEN_ROW = rows("1").replace(b'"literal"', b'"uri"').replace(b'"1"', b'"a b"')
PAGE = b"<html><head><title>Bad &amp;\n gateway\x1b[31m</title></head><script>steal()</script>"
WAYS: dict[str, Callable[[Hostile], None]] = {
    "silent": silent,
    "dripping": dripping,
    "endless": endless,
    "endless_fault": endless_fault,
    "endless_refusal": endless_refusal,
    "bomb": bomb,
    "half": half,
    "busy_at_first": busy_at_first,
    "gone_at_first": gone_at_first,
    "busy": said(b"full", "text/plain", 503, retry_after="Thu, 01 Jan 1970 00:00:00 GMT"),
    "busy_for_long": said(b"full", "text/plain", 503, retry_after="30"),
    "gone": lambda self: setattr(self, "close_connection", True),
    "redirected": redirected,
    "guarded": guarded,
    "inviting": inviting,
    "inviting_digest": inviting_digest,
    "keyed": keyed,
    "token": token,
    "digest": said(b"", "", 401, www_authenticate='Digest realm="r", nonce="n", algorithm=MD9'),
    "odd_quality": said(
        b"", "", 401, www_authenticate='Digest realm="r", nonce="n", qop="auth-int"'
    ),
    "no_quality": said(b"", "", 401, www_authenticate='Digest realm="r", nonce="n", qop="x"'),
    "odd_digest": said(b"", "", 401, www_authenticate="Digest nothing"),
    "narrow": narrow,
    "page": said(b"<html>hello</html>", "text/html"),
    "no_type": said(rows("1"), ""),
    "text": said("\x1b[2J all \u202ewrong \x00".encode(), "text/plain", 500),
    "error_page": said(PAGE, "text/html", 502),
    "no_results": said(b"<html>hello</html>"),
    "cut_off": said(rows("1", "2")[:-3]),
    "broken_row": said(rows("1")[:-4] + b"," + BROKEN_ROW.split(b"[", 2)[2]),
    "no_gzip": said(b"no gzip at all", content_encoding="gzip"),
    "yes": said(b'{"head":{},"boolean":true}'),
    "rows": said(rows("1")),
    "limited": said(rows("1"), x_sparql_maxrows="1"),
    "not_utf8": said(rows("1").replace(b"1", b"\xff")),
    "triples": said(b"<a:b> <c:d> <e f> .\n", NTRIPLES),
    "unbound": said(b'{"head":{"vars":["s","p","o","g","n"]},"results":{"bindings":[{}]}}'),
    "unknown": said(b"no such thing", "text/plain", 404),
    "long_words": said(b"word " * 100_000, "text/plain", 400),
}


class Quiet(ThreadingHTTPServer):
    """A server whose clients may go away in the middle."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing on the screen."""


@contextlib.contextmanager
def hostile_server(host: str = "127.0.0.1") -> Iterator[tuple[str, Counter[str]]]:
    """The base URL of the server, and how often each of its paths was asked.

    Args:
        host: where it listens; to us every address but 127.0.0.1 is another machine.
    """
    asked: Counter[str] = Counter()
    handler = type("Counting", (Hostile,), {"asked": asked})
    with Quiet((host, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://{host}:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()
