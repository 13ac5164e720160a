"""Requests to a server: with time limits, in bounded memory, again where that is safe."""

from __future__ import annotations

import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final, TypeVar

from lexurn.catalogue._endpoint import LOCAL, shown
from lexurn.catalogue._http_authority import Authorities
from lexurn.catalogue._http_faults import (
    BUSY,
    answered_fault,
    is_repeatable,
    never_sent,
    pause_asked,
    transport_fault,
)
from lexurn.catalogue._http_form import form_of
from lexurn.errors import CatalogueError, MissingExtraError

try:
    import httpx
except ImportError as missing:  # pragma: no cover - where the extra is not installed
    raise MissingExtraError("remote") from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["HttpAnswer", "HttpClient", "HttpRequest"]

_CONNECT: Final = 10.0
_PAUSES: Final = (0.2, 0.8, 3.2)
_FAULT_BYTES: Final = 4096
_IN_MEMORY: Final = 1 << 20
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
_OK: Final = range(200, 300)
# What says of a host that no proxy of the environment is asked for it: a password for this machine
# stays on it.
_DIRECT: Final = {f"all://{f'[{host}]' if ':' in host else host}": None for host in LOCAL}
_UNKNOWN_WAY: Final = (KeyError, ValueError, NotImplementedError, httpx.ProtocolError)

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
class HttpAnswer:
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
        self._authorities = Authorities(urls, cleartext=cleartext)
        limits = httpx.Timeout(timeout, connect=min(_CONNECT, timeout))
        self._client = httpx.Client(timeout=limits, follow_redirects=False, mounts=_DIRECT)
        self._closed = threading.Event()

    def close(self) -> None:
        """Disconnect; who pauses before asking again does not ask again."""
        self._closed.set()
        self._client.close()

    def whole(self, request: HttpRequest, *, largest: int) -> HttpAnswer:
        """The whole answer to a request.

        Raises:
            CatalogueError: there is none, it is no success, or it has more than ``largest`` bytes.
        """

        def once() -> HttpAnswer:
            response = self._opened(request)
            try:
                body = self._spooled(response, largest)
            finally:
                response.close()
            return HttpAnswer(
                media_type=_media_type(response.headers), headers=response.headers, body=body
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
            yield _media_type(response.headers), self._pieces(response)
        finally:
            response.close()

    def _pieces(self, response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except (httpx.TransportError, httpx.DecodingError) as fault:
            raise transport_fault(str(response.url), fault, seconds=self._timeout) from None

    def _spooled(self, response: httpx.Response, largest: int) -> IO[bytes]:
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

    def _bounded(self, response: httpx.Response, largest: int) -> Iterator[bytes]:
        """The pieces of a body.

        Raises:
            CatalogueError: they are too many, or come too slowly.
        """
        place, end, size = shown(str(response.url)), time.monotonic() + self._timeout, 0
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

    def _opened(self, request: HttpRequest) -> httpx.Response:
        """An answer that is a success, its body unread.

        Raises:
            _NoSuccessError: it is none.
        """
        response = self._sent(request)
        if response.status_code in _OK:
            return response
        try:
            beginning = next(response.iter_bytes(), b"")
        except (httpx.TransportError, httpx.DecodingError):
            beginning = b""
        finally:
            response.close()
        raise _NoSuccessError(request.url, response, beginning[:_FAULT_BYTES])

    def _sent(self, request: HttpRequest) -> httpx.Response:
        built = self._client.build_request(
            "POST",
            httpx.URL(request.url).copy_merge_params(dict(request.parameters)),
            content=request.content if request.form is None else form_of(request.form),
            headers=dict(request.headers) | ({} if request.form is None else _FORM),
        )
        flow = self._authorities.at(request.url).auth_flow(built)
        built = next(flow)
        while True:
            response = self._client.send(built, stream=True, auth=None)
            try:
                built = flow.send(response)
            except StopIteration:
                return response
            except _UNKNOWN_WAY:
                response.close()
                raise CatalogueError(
                    f"{shown(request.url)} asks for a password in a way that is not known here"
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
            except _NoSuccessError as answered:
                asked = pause_asked(answered.response.headers)
                again = request.is_safe and answered.response.status_code in BUSY
                said: CatalogueError = answered.fault
            except httpx.InvalidURL as fault:
                raise CatalogueError(f"{shown(request.url)!r} is not a URL: {fault}") from None
            except (httpx.TransportError, httpx.DecodingError) as fault:
                asked = 0.0
                again = never_sent(fault) or (request.is_safe and is_repeatable(fault))
                said = transport_fault(request.url, fault, seconds=self._timeout)
            if pause is None or not again or self._closed.wait(max(pause, asked)):
                raise said from None
        raise AssertionError  # pragma: no cover - the last pause is None


class _Body(tempfile.SpooledTemporaryFile[bytes]):
    """A body that is closed when nobody reads it any more."""

    def __del__(self) -> None:
        self.close()


class _NoSuccessError(Exception):
    """An answer that is no success, on its way to whoever decides whether to ask again."""

    def __init__(self, url: str, response: httpx.Response, beginning: bytes) -> None:
        super().__init__(url)
        self.fault = answered_fault(url, response.status_code, response.headers, beginning)
        self.response = response


def _media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
