"""HTTP requests to a server: with credentials, time limits and repetition, in bounded memory."""

from __future__ import annotations

import datetime as dt
import html
import re
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from lexurn.errors import CatalogueError, MissingExtraError
from lexurn.store.endpoint import LOCAL_HOSTS, find_credentials, is_private, redact_url

try:
    import httpx2
except ImportError as missing:  # pragma: no cover - where the extra is not installed
    raise MissingExtraError("remote") from missing


if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from typing import IO, Final

    from lexurn.store.endpoint import Credentials

    _Origin = tuple[str, str]

BUSY_STATUSES: Final = frozenset({429, 502, 503, 504})
"""Statuses that say: not now, perhaps later."""

LONGEST_PAUSE: Final = 30.0

_MOST_WORDS: Final = 300
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_SPACE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_ADVICE: Final = {
    301: "give the address that it names instead",
    302: "give the address that it names instead",
    303: "give the address that it names instead",
    307: "give the address that it names instead",
    308: "give the address that it names instead",
    401: "set LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or name it in a netrc file",
    403: "ask its operator for the right to do this",
    404: "is this the address of the endpoint?",
    405: "is this the address of the endpoint?",
    413: "ask for less at once",
    415: "is this the address of the endpoint?",
    429: "try again later",
    502: "try again later",
    503: "try again later",
    504: "ask for less, or try again later",
}


class HttpStatusError(CatalogueError):
    """A server answered, but not with what was asked for.

    Attributes:
        status: the status of its answer.
    """

    def __init__(self, message: str, status: int) -> None:
        """Keep the status."""
        super().__init__(message)
        self.status = status


def make_status_error(
    url: str, status: int, headers: Mapping[str, str], body: bytes
) -> HttpStatusError:
    """The fault that a status other than success is.

    Args:
        url: what was asked.
        status: the status.
        headers: those of the answer.
        body: the beginning of the answer; its words are shown, but neither HTML nor control
            characters.
    """
    message = f"{redact_url(url)} answered {status}"
    said = _extract_words(headers.get("content-type", ""), body)
    if status in range(300, 400):
        said = redact_url(headers.get("location", ""))
    if said:
        message += f": {said}"
    advice = _ADVICE.get(status)
    return HttpStatusError(message if advice is None else f"{message}; {advice}", status)


def _extract_words(content_type: str, body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if "html" in content_type or text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        text = html.unescape(title[1]) if title else ""
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}..."


def make_transport_error(url: str, fault: Exception, *, seconds: float) -> CatalogueError:
    """The fault that no answer, or half an answer, is."""
    place = redact_url(url)
    if isinstance(fault, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return CatalogueError(f"{place} cannot be reached: no connection in time; is it running?")
    if isinstance(fault, httpx2.ConnectError):
        return CatalogueError(f"{place} cannot be reached: {fault}; is it running?")
    if isinstance(fault, httpx2.TimeoutException):
        return CatalogueError(f"{place} was silent for {seconds:g} seconds; ask for less, or later")
    if isinstance(fault, httpx2.DecodingError):
        return CatalogueError(f"{place} sent an answer that is not compressed as it says")
    return CatalogueError(f"{place} broke off in the middle of its answer ({fault}); try again")


def is_unsent(fault: Exception) -> bool:
    """Whether a request certainly never came to the server."""
    return isinstance(fault, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)


def is_repeatable(fault: Exception) -> bool:
    """Whether to ask again may help: not where the server just took too long."""
    return is_unsent(fault) or isinstance(fault, httpx2.NetworkError | httpx2.RemoteProtocolError)


def read_retry_after(headers: Mapping[str, str]) -> float:
    """The seconds that ``Retry-After`` asks for (RFC 9110 10.2.3), 30 at most, 0 without it."""
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdigit():
        return min(float(asked[:9]), LONGEST_PAUSE)
    try:
        until = parsedate_to_datetime(asked)
    except (ValueError, OverflowError):
        return 0.0
    if until.tzinfo is None:
        until = until.replace(tzinfo=dt.UTC)
    seconds = (until - dt.datetime.now(dt.UTC)).total_seconds()
    return min(max(seconds, 0.0), LONGEST_PAUSE)


_UNAUTHORIZED: Final = 401
_HEADER: Final = "Authorization"


class Authentication(httpx2.Auth):
    """Answers what a server asks: Basic or Digest with a password, or a token at once."""

    def __init__(self, credentials: Credentials, *, cleartext: bool) -> None:
        self._token, self._cleartext = credentials.token, cleartext
        self._basic: httpx2.BasicAuth | None = None
        self._digest: httpx2.DigestAuth | None = None
        if credentials.user is not None:
            self._basic = httpx2.BasicAuth(credentials.user, credentials.password)
            self._digest = httpx2.DigestAuth(credentials.user, credentials.password)
        self._prefers_basic = False

    def auth_flow(
        self, request: httpx2.Request
    ) -> Generator[httpx2.Request, httpx2.Response, None]:
        """What is sent one after the other; nothing that tells who we are goes in clear.

        Raises:
            CatalogueError: it would.
        """
        flow = self._flow(request)
        sent = next(flow)
        while True:
            if _HEADER in sent.headers:
                self._refuse_cleartext(str(sent.url))
            response = yield sent
            try:
                sent = flow.send(response)
            except StopIteration:
                return

    def _flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        if self._token is not None:
            request.headers[_HEADER] = f"Bearer {self._token}"
        if self._basic is None or self._digest is None:
            yield request
            return
        if self._prefers_basic:
            yield from self._basic.auth_flow(request)
            return
        response = yield from _follow_flow(self._digest.auth_flow(request))
        offered = response.headers.get("www-authenticate", "").lower()
        if response.status_code == _UNAUTHORIZED and "basic" in offered and "digest" not in offered:
            self._prefers_basic = True
            yield from self._basic.auth_flow(request)

    def _refuse_cleartext(self, url: str) -> None:
        """Keep what all could read on the way.

        Raises:
            CatalogueError: the request would go over http to another machine.
        """
        if not is_private(url, cleartext=self._cleartext):
            raise CatalogueError(
                f"{redact_url(url)} would be told who we are over http, which all can read on the "
                "way; use https, or set `cleartext = true` in a TOML file"
            )


class Authentications:
    """Who we are to each of several servers: what a netrc file says of one is told to no other.

    Credentials in the environment are those for all of them.
    """

    def __init__(self, urls: Iterable[str], *, cleartext: bool) -> None:
        """Look for the credentials of some servers.

        Raises:
            CatalogueError: they cannot be read.
        """
        self._cleartext = cleartext
        self._known: dict[_Origin, Authentication] = {}
        for url in urls:
            self.at(url)

    def at(self, url: str) -> Authentication:
        """Who we are to the server of a URL."""
        parts = urlsplit(url)
        origin = (parts.scheme, parts.netloc.lower())
        if origin not in self._known:
            self._known[origin] = Authentication(find_credentials(url), cleartext=self._cleartext)
        return self._known[origin]


def _follow_flow(
    flow: Generator[httpx2.Request, httpx2.Response, None],
) -> Generator[httpx2.Request, httpx2.Response, httpx2.Response]:
    """Go through a flow; give back the last response."""
    request = next(flow)
    while True:
        response = yield request
        try:
            request = flow.send(response)
        except StopIteration:
            return response


_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)


def encode_form(fields: Mapping[str, str | Sequence[str]]) -> bytes:
    """Fields as an HTML form; large ones many times sooner than the standard library does it."""
    every = (
        (name, value)
        for name, values in fields.items()
        for value in ((values,) if isinstance(values, str) else values)
    )
    return b"&".join(
        b"%b=%b" % (_percent_encode(name), _percent_encode(value)) for name, value in every
    )


def _percent_encode(text: str) -> bytes:
    data = text.encode().replace(b"%", b"%25")
    for octet in sorted(set(data) - _UNRESERVED - {0x25}):
        data = data.replace(bytes((octet,)), b"%%%02X" % octet)
    return data


_CONNECT: Final = 10.0
_PAUSES: Final = (0.2, 0.8, 3.2)
_FAULT_BYTES: Final = 4096
_IN_MEMORY: Final = 1 << 20
_FORM_HEADERS: Final = {"Content-Type": "application/x-www-form-urlencoded"}
_SUCCESSES: Final = range(200, 300)
# What says of a host that no proxy of the environment is asked for it: a password for this machine
# stays on it.
_DIRECT_MOUNTS: Final = {
    f"all://{f'[{host}]' if ':' in host else host}": None for host in LOCAL_HOSTS
}
_UNKNOWN_SCHEME: Final = (KeyError, ValueError, NotImplementedError, httpx2.ProtocolError)

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One POST.

    Attributes:
        url: where to.
        form: fields of an HTML form; a field may come several times.
        content: bytes in place of a form.
        parameters: of the URL.
        headers: further headers.
        is_safe: whether doing it twice is the same as doing it once.
    """

    url: str
    form: Mapping[str, str | Sequence[str]] | None = None
    content: bytes | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_safe: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A whole answer; its body lies in memory, or on disk where it is large.

    Attributes:
        media_type: what it says that it is, in lower case, without parameters.
        headers: its headers.
        body: its body, to be read from the beginning.
    """

    media_type: str
    headers: Mapping[str, str]
    body: IO[bytes]


class HttpClient:
    """Connections to a server; any thread may use it."""

    def __init__(self, urls: Iterable[str], *, timeout: float, cleartext: bool) -> None:
        """Connect when first needed.

        Args:
            urls: what will be asked; credentials for each are looked for at once.
            timeout: seconds of silence, and of one whole answer.
            cleartext: whether a password may go over http to another machine.

        Raises:
            CatalogueError: credentials cannot be read.
        """
        self._timeout = timeout
        self._authorities = Authentications(urls, cleartext=cleartext)
        limits = httpx2.Timeout(timeout, connect=min(_CONNECT, timeout))
        self._client = httpx2.Client(timeout=limits, follow_redirects=False, mounts=_DIRECT_MOUNTS)
        self._closed = threading.Event()

    def close(self) -> None:
        """Disconnect; who pauses before asking again does not ask again."""
        self._closed.set()
        self._client.close()

    def whole(self, request: HttpRequest, *, largest: int) -> HttpResponse:
        """The whole answer to a request.

        Raises:
            CatalogueError: there is none, it is no success, or it has more than ``largest`` bytes.
        """

        def once() -> HttpResponse:
            response = self._opened(request)
            try:
                body = self._spooled(response, largest)
            finally:
                response.close()
            return HttpResponse(
                media_type=_read_media_type(response.headers), headers=response.headers, body=body
            )

        return self._repeated(once, request)

    def headers(self, request: HttpRequest) -> Mapping[str, str]:
        """The headers of an answer, whose body is not read.

        Raises:
            CatalogueError: there is no answer, or it is no success.
        """
        response = self._repeated(lambda: self._opened(request), request)
        response.close()
        return response.headers

    @contextmanager
    def streamed(self, request: HttpRequest) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The media type of an answer, and its body piece by piece as it comes.

        Raises:
            CatalogueError: there is none, it is no success, or it breaks off.
        """
        response = self._repeated(lambda: self._opened(request), request)
        try:
            yield _read_media_type(response.headers), self._pieces(response)
        finally:
            response.close()

    def _pieces(self, response: httpx2.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except (httpx2.TransportError, httpx2.DecodingError) as fault:
            raise make_transport_error(str(response.url), fault, seconds=self._timeout) from None

    def _spooled(self, response: httpx2.Response, largest: int) -> IO[bytes]:
        """The body of a response, read to its end.

        Raises:
            CatalogueError: it is too large, or takes too long.
        """
        body = _Body(max_size=_IN_MEMORY)
        try:
            for piece in self._bounded(response, largest):
                body.write(piece)
        except BaseException:
            body.close()
            raise
        body.seek(0)
        return body

    def _bounded(self, response: httpx2.Response, largest: int) -> Iterator[bytes]:
        """The pieces of a body.

        Raises:
            CatalogueError: they are too many, or come too slowly.
        """
        place, end, size = redact_url(str(response.url)), time.monotonic() + self._timeout, 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > largest:
                raise CatalogueError(
                    f"{place} answers with more than {largest:,} bytes; ask for less (LIMIT), or "
                    "set `largest` in a TOML file"
                )
            if time.monotonic() > end:
                raise CatalogueError(
                    f"{place} took more than {self._timeout:g} seconds to answer; ask for less, "
                    "or set `timeout` in a TOML file"
                )
            yield piece

    def _opened(self, request: HttpRequest) -> httpx2.Response:
        """An answer that is a success, its body unread.

        Raises:
            _StatusError: it is none.
        """
        response = self._sent(request)
        if response.status_code in _SUCCESSES:
            return response
        try:
            beginning = next(response.iter_bytes(), b"")
        except (httpx2.TransportError, httpx2.DecodingError):
            beginning = b""
        finally:
            response.close()
        raise _StatusError(request.url, response, beginning[:_FAULT_BYTES])

    def _sent(self, request: HttpRequest) -> httpx2.Response:
        built = self._client.build_request(
            "POST",
            httpx2.URL(request.url).copy_merge_params(dict(request.parameters)),
            content=request.content if request.form is None else encode_form(request.form),
            headers=dict(request.headers) | ({} if request.form is None else _FORM_HEADERS),
        )
        flow = self._authorities.at(request.url).auth_flow(built)
        built = next(flow)
        while True:
            response = self._client.send(built, stream=True, auth=None)
            try:
                built = flow.send(response)
            except StopIteration:
                return response
            except _UNKNOWN_SCHEME:
                response.close()
                raise CatalogueError(
                    f"{redact_url(request.url)} asks for a password in a way that is not known here"
                ) from None
            # Closed unread: a body without end would fill memory.
            response.close()

    def _repeated(self, once: Callable[[], _Value], request: HttpRequest) -> _Value:
        """What ``once`` gives, tried again after a pause where that is safe and may help.

        Raises:
            CatalogueError: it failed for good.
        """
        for pause in (*_PAUSES, None):
            try:
                return once()
            except _StatusError as answered:
                asked = read_retry_after(answered.response.headers)
                again = request.is_safe and answered.response.status_code in BUSY_STATUSES
                said: CatalogueError = answered.fault
            except httpx2.InvalidURL as fault:
                raise CatalogueError(f"{redact_url(request.url)!r} is not a URL: {fault}") from None
            except (httpx2.TransportError, httpx2.DecodingError) as fault:
                asked = 0.0
                again = is_unsent(fault) or (request.is_safe and is_repeatable(fault))
                said = make_transport_error(request.url, fault, seconds=self._timeout)
            if pause is None or not again or self._closed.wait(max(pause, asked)):
                raise said from None
        raise AssertionError  # pragma: no cover - the last pause is None


class _Body(tempfile.SpooledTemporaryFile[bytes]):
    """A body that is closed when nobody reads it any more."""

    def __del__(self) -> None:
        self.close()


class _StatusError(Exception):
    """An answer that is no success, on its way to whoever decides whether to ask again."""

    def __init__(self, url: str, response: httpx2.Response, beginning: bytes) -> None:
        super().__init__(url)
        self.fault = make_status_error(url, response.status_code, response.headers, beginning)
        self.response = response


def _read_media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
