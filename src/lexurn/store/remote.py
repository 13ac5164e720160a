"""Remote store: a SPARQL 1.1 server, queried and updated over HTTP.

Each answer is checked whole before its first row is seen: status, media type, size, syntax. Safe
requests are repeated if the server is busy or breaks off. Passwords never go in cleartext to
another machine.
"""

from __future__ import annotations

import html
import io
import re
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit

import pyoxigraph

from lexurn.errors import CatalogueError, MissingExtraError
from lexurn.graph import Layer
from lexurn.store.endpoint import LOCAL_HOSTS, find_credentials, read_endpoint, redact_url
from lexurn.store.sparql import QueryForm, scan_query

try:
    import httpx2
except ImportError:  # without the extra, the names of the package can still be listed
    httpx2 = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from lexurn.store.answers import EngineAnswer
    from lexurn.store.endpoint import Credentials, Endpoint

    Node = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal

_LAYERS: Final = tuple(layer.iri for layer in Layer)
_RESULT_FORMATS: Final = {
    "application/sparql-results+json": pyoxigraph.QueryResultsFormat.JSON,
    "application/json": pyoxigraph.QueryResultsFormat.JSON,
    "application/sparql-results+xml": pyoxigraph.QueryResultsFormat.XML,
}
_TRIPLE_FORMATS: Final = {
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/plain": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
}
_DATASET: Final = ("default-graph-uri", "named-graph-uri")
_NODE_TYPES: Final = (pyoxigraph.NamedNode, pyoxigraph.BlankNode, pyoxigraph.Literal)
_GRAPH_FORMS: Final = {QueryForm.CONSTRUCT, QueryForm.DESCRIBE}
_ROWS_ACCEPTED: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.5"
_TRIPLES_ACCEPTED: Final = "application/n-triples, text/turtle;q=0.5"
_CUT_HEADER: Final = "x-sparql-maxrows"
_MOST_FIXED: Final = 1 << 26
# Virtuoso writes IRIs of its own in place of the labels of blank nodes.
_NODE_IRI: Final = re.compile(rb'("type"\s*:\s*"bnode"\s*,\s*"value"\s*:\s*")nodeID://')


class RemoteStore:
    """Store on a server; any thread may use it.

    Attributes:
        location: the URL of its query endpoint, without secrets.
        endpoint: its URLs and settings.
    """

    def __init__(self, endpoint: Endpoint | str) -> None:
        """Prepare the connection; nothing is sent yet.

        Args:
            endpoint: the server, or a location that `read_endpoint` understands.

        Raises:
            CatalogueError: the location is not a server, or credentials cannot be read.
        """
        self.endpoint = read_endpoint(endpoint) if isinstance(endpoint, str) else endpoint
        self.location = redact_url(self.endpoint.query)
        self._client = _HttpClient(self.endpoint)

    def query(self, text: str) -> EngineAnswer:
        """Return the answer to a SPARQL query; its default graph is the three layers together.

        A query with FROM or FROM NAMED has the graphs that it names.

        Raises:
            CatalogueError: there is no answer, or it is not whole; the message says why.
        """
        found = scan_query(text)
        if found.form is QueryForm.UPDATE:
            raise CatalogueError("This is an update, and only a query has an answer.")
        graphs = dict.fromkeys(() if found.has_dataset else _DATASET, _LAYERS)
        return self._ask(text, found.form, **graphs)

    def select(self, text: str, *columns: str) -> Iterator[tuple[Node, ...]]:
        """Yield the values of each row of a SELECT that names its graphs with GRAPH.

        Raises:
            CatalogueError: there is no whole answer, or a column or a value is missing.
        """
        rows = self._ask(text, QueryForm.SELECT)
        assert isinstance(rows, pyoxigraph.QuerySolutions)  # noqa: S101 - as was asked for
        missing = {*columns} - {variable.value for variable in rows.variables}
        if missing:
            names = ", ".join(sorted(missing))
            raise CatalogueError(f"{self.location} answered without the columns {names}")
        try:
            for row in rows:
                terms = (row[column] for column in columns)
                values = tuple(term for term in terms if isinstance(term, _NODE_TYPES))
                if len(values) < len(columns):
                    raise CatalogueError(
                        f"{self.location} answered with a row that lacks a requested value"
                    )
                yield values
        finally:
            del rows  # another thread must not be the last that holds them

    def update(self, text: str) -> None:
        """Do a SPARQL update that may be done twice with no harm: it is repeated after faults.

        Raises:
            CatalogueError: no update endpoint is known, or the server refuses.
        """
        if self.endpoint.update is None:
            raise CatalogueError(
                f"{self.location} is read only: no update endpoint is known. Name one in a TOML "
                "file."
            )
        headers = {"Accept": "*/*", "Content-Type": "application/sparql-update; charset=utf-8"}
        self._client.post(self.endpoint.update, text.encode(), headers).body.close()

    def _ask(self, text: str, form: QueryForm, **graphs: Sequence[str]) -> EngineAnswer:
        """Return the answer to a query, sent as a form: Virtuoso hangs on the bare text."""
        headers = {
            "Accept": _TRIPLES_ACCEPTED if form in _GRAPH_FORMS else _ROWS_ACCEPTED,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        content = urlencode({"query": text, **graphs}, doseq=True).encode()
        response = self._client.post(self.endpoint.query, content, headers)
        return _read_answer(response, form, self.location)

    def close(self) -> None:
        """Disconnect; a request that waits to be repeated ends."""
        self._client.close()


def _read_answer(response: _HttpResponse, form: QueryForm, location: str) -> EngineAnswer:
    """Return a whole answer of the form that was asked for.

    Raises:
        CatalogueError: it is another, broken, or cut by the server.
    """
    if _CUT_HEADER in response.headers:
        raise CatalogueError(
            f"{location} cut its answer at its limit of {response.headers[_CUT_HEADER]} rows; ask "
            "for fewer (LIMIT), or have that limit raised (Virtuoso: ResultSetMaxRows)"
        )
    found: EngineAnswer | None = None
    try:
        if form in _GRAPH_FORMS:
            triples = _TRIPLE_FORMATS.get(response.media_type)
            if triples is not None:
                store = pyoxigraph.Store()
                store.bulk_load(response.body, format=triples)
                found = store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
        elif (results := _RESULT_FORMATS.get(response.media_type)) is not None:
            found = _read_results(response.body, results, is_ask=form is QueryForm.ASK)
    except (SyntaxError, ValueError, OSError) as fault:
        raise CatalogueError(f"{location} sent an invalid {response.media_type}: {fault}") from None
    if found is None:
        raise CatalogueError(
            f"{location} answered a {form.value.upper()} with {response.media_type or 'no type'}; "
            "check the URL of the SPARQL endpoint"
        )
    return found


def _read_results(
    body: IO[bytes], form: pyoxigraph.QueryResultsFormat, *, is_ask: bool
) -> EngineAnswer | None:
    """Return rows or a boolean, None if the other was asked for."""
    # Read once to the end: a fault in the last row must not come out in the middle of a table.
    try:
        kind = _check_results(body, form)
    except SyntaxError:
        body.seek(0)
        body = io.BytesIO(_NODE_IRI.sub(rb"\1", body.read(_MOST_FIXED + 1)))
        kind = _check_results(body, form)
    if is_ask is not (kind is pyoxigraph.QueryBoolean):
        return None
    body.seek(0)
    return pyoxigraph.parse_query_results(body, format=form)


def _check_results(body: IO[bytes], form: pyoxigraph.QueryResultsFormat) -> type:
    """Return the kind of results that have no fault up to their end."""
    found = pyoxigraph.parse_query_results(body, format=form)
    try:
        if isinstance(found, pyoxigraph.QuerySolutions):
            for _ in found:
                pass
        return type(found)
    finally:
        del found  # another thread must not be the last that holds it


class HttpStatusError(CatalogueError):
    """Answer of a server with a status other than success.

    Attributes:
        status: the status.
        retry_after: the seconds that the server asks to wait.
    """

    def __init__(self, url: str, response: httpx2.Response, body: bytes) -> None:
        """Make the message; text of the body is shown, but neither HTML nor control characters."""
        self.status = response.status_code
        wait = response.headers.get("retry-after", "").strip()
        self.retry_after = min(float(wait[:9]), _LONGEST_PAUSE) if wait.isdecimal() else 0.0
        text = body.decode("utf-8", "replace")
        if 300 <= self.status < 400:  # redirections
            text = redact_url(response.headers.get("location", ""))
        elif "html" in response.headers.get("content-type", "") or text.lstrip()[:1] == "<":
            title = _TITLE.search(text)
            text = html.unescape(title[1]) if title else ""
        text = _UNPRINTABLE.sub(" ", text).strip()
        text = text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}..."
        advice = _ADVICE.get(self.status)
        super().__init__(
            f"{redact_url(url)} answered {self.status}{f': {text}' if text else ''}"
            f"{f'; {advice}' if advice else ''}"
        )


_MOST_TEXT: Final = 300
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_UNPRINTABLE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_OTHER_ADDRESS: Final = "use the URL that it names"
_WRONG_ADDRESS: Final = "check the URL of the endpoint"
_ADVICE: Final = {
    **dict.fromkeys((301, 302, 303, 307, 308), _OTHER_ADDRESS),
    401: "set LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or name it in a netrc file",
    403: "ask its operator for the right to do this",
    **dict.fromkeys((404, 405, 415), _WRONG_ADDRESS),
    413: "reduce the query",
    **dict.fromkeys((429, 502, 503), "try again later"),
    504: "ask for fewer results, or try again later",
}
_BUSY_STATUSES: Final = frozenset({429, 502, 503, 504})
_LONGEST_PAUSE: Final = 30.0
_PAUSES: Final = (0.2, 0.8, 3.2)
_CONNECT_SECONDS: Final = 10.0
_FAULT_BYTES: Final = 4096
_IN_MEMORY: Final = 1 << 20
_UNAUTHORIZED: Final = 401
# No proxy of the environment is asked for this machine: a password for it stays on it.
_DIRECT_MOUNTS: Final = {
    f"all://{f'[{host}]' if ':' in host else host}": None for host in LOCAL_HOSTS
}


class _Body(tempfile.SpooledTemporaryFile[bytes]):
    """Body in memory, or on disk if it is large; closed when nobody reads it any more."""

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _HttpResponse:
    """Whole answer of a server; the media type is in lower case, without parameters."""

    media_type: str
    headers: Mapping[str, str]
    body: IO[bytes]


class _HttpClient:
    """Connections to the endpoints of a server."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Read the credentials for each endpoint; connect when first needed.

        Raises:
            CatalogueError: credentials cannot be read.
            MissingExtraError: the extra ``remote`` is not installed.
        """
        if httpx2 is None:
            raise MissingExtraError("remote")
        self._endpoint = endpoint
        urls = {endpoint.query, endpoint.update or endpoint.query}
        self._logins = {
            url: _Login(find_credentials(url), cleartext=endpoint.cleartext) for url in urls
        }
        limits = httpx2.Timeout(endpoint.timeout, connect=min(_CONNECT_SECONDS, endpoint.timeout))
        self._client = httpx2.Client(timeout=limits, follow_redirects=False, mounts=_DIRECT_MOUNTS)
        self._closed = threading.Event()

    def close(self) -> None:
        """Disconnect."""
        self._closed.set()
        self._client.close()

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> _HttpResponse:
        """Return the whole answer to a request, asked again after a pause if that may help.

        Raises:
            CatalogueError: there is no answer, or it is too large, too slow or not a success; or
                the connections are closed.
        """
        if self._closed.is_set():
            raise CatalogueError(f"{redact_url(url)} is closed. Open it again.")
        for pause in (*_PAUSES, None):
            asked = 0.0
            try:
                return self._receive(url, content, headers)
            except HttpStatusError as fault:
                error: CatalogueError = fault
                asked, again = fault.retry_after, fault.status in _BUSY_STATUSES
            except httpx2.InvalidURL as fault:
                raise CatalogueError(f"{redact_url(url)!r} is not a URL: {fault}") from None
            except (httpx2.TransportError, httpx2.DecodingError) as fault:
                # A server that takes too long would do so again.
                is_connecting = isinstance(fault, httpx2.ConnectTimeout | httpx2.PoolTimeout)
                is_broken = isinstance(fault, httpx2.NetworkError | httpx2.RemoteProtocolError)
                again = is_connecting or is_broken
                error = _explain_transport(url, fault, self._endpoint.timeout)
            if pause is None or not again or self._closed.wait(max(pause, asked)):
                raise error from None
        raise AssertionError  # pragma: no cover - the last pause is None

    def _receive(self, url: str, content: bytes, headers: Mapping[str, str]) -> _HttpResponse:
        response = self._send(url, content, headers)
        try:
            if not response.is_success:
                beginning = b""
                with suppress(httpx2.TransportError, httpx2.DecodingError):
                    beginning = next(response.iter_bytes(), b"")[:_FAULT_BYTES]
                raise HttpStatusError(url, response, beginning)
            body = _Body(max_size=_IN_MEMORY)
            for piece in self._read_pieces(response):
                body.write(piece)
        finally:
            response.close()
        body.seek(0)
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return _HttpResponse(media_type=media_type, headers=response.headers, body=body)

    def _send(self, url: str, content: bytes, headers: Mapping[str, str]) -> httpx2.Response:
        request = self._client.build_request("POST", url, content=content, headers=headers)
        flow = self._logins[url].auth_flow(request)
        request = next(flow)
        while True:
            response = self._client.send(request, stream=True, auth=None)
            try:
                request = flow.send(response)
            except StopIteration:
                return response
            except (KeyError, ValueError, NotImplementedError, httpx2.ProtocolError):
                response.close()
                raise CatalogueError(
                    f"{redact_url(url)} asks for a password by an unsupported method"
                ) from None
            response.close()  # unread: a body without end would fill memory

    def _read_pieces(self, response: httpx2.Response) -> Iterator[bytes]:
        """Yield the pieces of a body within the limits of size and time."""
        location, seconds, size = redact_url(str(response.url)), self._endpoint.timeout, 0
        end = time.monotonic() + seconds
        for piece in response.iter_bytes():
            size += len(piece)
            if size > self._endpoint.largest:
                raise CatalogueError(
                    f"{location} answers with more than {self._endpoint.largest:,} bytes; ask for "
                    "fewer results (LIMIT), or set `largest` in a TOML file"
                )
            if time.monotonic() > end:
                raise CatalogueError(
                    f"{location} took more than {seconds:g} seconds to answer; reduce the query, "
                    "or set `timeout` in a TOML file"
                )
            yield piece


def _explain_transport(url: str, fault: Exception, seconds: float) -> CatalogueError:
    """Return the error for no answer, or half an answer."""
    location = redact_url(url)
    if isinstance(fault, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return CatalogueError(
            f"{location} cannot be reached: no connection in time; is it running?"
        )
    if isinstance(fault, httpx2.ConnectError):
        return CatalogueError(f"{location} cannot be reached: {fault}; is it running?")
    if isinstance(fault, httpx2.TimeoutException):
        return CatalogueError(
            f"{location} was silent for {seconds:g} seconds; reduce the query, or try again later"
        )
    if isinstance(fault, httpx2.DecodingError):
        return CatalogueError(
            f"{location} sent an answer whose compression differs from the declared one"
        )
    return CatalogueError(f"{location} broke off in the middle of its answer ({fault}); try again")


class _Login:
    """Login at one endpoint: a token at once, or Digest or Basic as the server asks."""

    def __init__(self, credentials: Credentials, *, cleartext: bool) -> None:
        self._credentials, self._cleartext = credentials, cleartext
        self._user = (credentials.user or "", credentials.password)
        has_user = credentials.user is not None
        self._auth = httpx2.DigestAuth(*self._user) if has_user else httpx2.Auth()

    def auth_flow(
        self, request: httpx2.Request
    ) -> Generator[httpx2.Request, httpx2.Response, None]:
        """Yield the requests to send, one after the other.

        Raises:
            CatalogueError: a password or token would go in cleartext to another machine.
        """
        parts = urlsplit(str(request.url))
        may_send = parts.scheme == "https" or parts.hostname in LOCAL_HOSTS or self._cleartext
        if self._credentials.token is not None:
            request.headers["Authorization"] = f"Bearer {self._credentials.token}"
        flow = self._auth.auth_flow(request)
        sent = next(flow)
        while True:
            if "Authorization" in sent.headers and not may_send:
                raise CatalogueError(
                    f"{redact_url(str(sent.url))} would get a password or a token over http "
                    "(unencrypted, readable by others); use https, or set `cleartext = true` in a "
                    "TOML file"
                )
            response = yield sent
            try:
                sent = flow.send(response)
            except StopIteration:
                offered = response.headers.get("www-authenticate", "").lower()
                is_basic = "basic" in offered and "digest" not in offered
                is_refused = response.status_code == _UNAUTHORIZED
                if not (is_refused and is_basic and isinstance(self._auth, httpx2.DigestAuth)):
                    return
                self._auth = httpx2.BasicAuth(*self._user)
                flow = self._auth.auth_flow(request)
                sent = next(flow)
