"""Who we are, told to a server that asks: a token, or a password by Basic or Digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from lexurn.catalogue._credentials import credentials_for
from lexurn.catalogue._endpoint import is_private, shown
from lexurn.errors import CatalogueError, MissingExtraError

try:
    import httpx
except ImportError as missing:  # pragma: no cover - where the extra is not installed
    raise MissingExtraError("remote") from missing

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from lexurn.catalogue._credentials import Credentials

    _Origin = tuple[str, str]

__all__ = ["Authorities"]

_REFUSED: Final = 401
_TELLING: Final = "Authorization"


class Authority(httpx.Auth):
    """Answers what a server asks: Basic or Digest with a password, or a token at once."""

    def __init__(self, credentials: Credentials, *, cleartext: bool) -> None:
        self._token, self._cleartext = credentials.token, cleartext
        self._basic: httpx.BasicAuth | None = None
        self._digest: httpx.DigestAuth | None = None
        if credentials.user is not None:
            self._basic = httpx.BasicAuth(credentials.user, credentials.password)
            self._digest = httpx.DigestAuth(credentials.user, credentials.password)
        self._prefers_basic = False

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """What is sent one after the other; nothing that tells who we are goes in clear.

        Raises:
            CatalogueError: it would.
        """
        flow = self._flow(request)
        sent = next(flow)
        while True:
            if _TELLING in sent.headers:
                self._refuse_cleartext(str(sent.url))
            response = yield sent
            try:
                sent = flow.send(response)
            except StopIteration:
                return

    def _flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self._token is not None:
            request.headers[_TELLING] = f"Bearer {self._token}"
        if self._basic is None or self._digest is None:
            yield request
            return
        if self._prefers_basic:
            yield from self._basic.auth_flow(request)
            return
        response = yield from _followed(self._digest.auth_flow(request))
        offered = response.headers.get("www-authenticate", "").lower()
        if response.status_code == _REFUSED and "basic" in offered and "digest" not in offered:
            self._prefers_basic = True
            yield from self._basic.auth_flow(request)

    def _refuse_cleartext(self, url: str) -> None:
        """Keep what all could read on the way.

        Raises:
            CatalogueError: the request would go over http to another machine.
        """
        if not is_private(url, cleartext=self._cleartext):
            raise CatalogueError(
                f"{shown(url)} would be told who we are over http, which all can read on the way; "
                "use https, or set `cleartext = true` in a TOML file"
            )


class Authorities:
    """Who we are to each of several servers: what a netrc file says of one is told to no other.

    Credentials in the environment are those for all of them.
    """

    def __init__(self, urls: Iterable[str], *, cleartext: bool) -> None:
        """Look for the credentials of some servers.

        Raises:
            CatalogueError: they cannot be read.
        """
        self._cleartext = cleartext
        self._known: dict[_Origin, Authority] = {}
        for url in urls:
            self.at(url)

    def at(self, url: str) -> Authority:
        """Who we are to the server of a URL."""
        parts = urlsplit(url)
        origin = (parts.scheme, parts.netloc.lower())
        if origin not in self._known:
            self._known[origin] = Authority(credentials_for(url), cleartext=self._cleartext)
        return self._known[origin]


def _followed(
    flow: Generator[httpx.Request, httpx.Response, None],
) -> Generator[httpx.Request, httpx.Response, httpx.Response]:
    """Go through a flow; give back the last response."""
    request = next(flow)
    while True:
        response = yield request
        try:
            request = flow.send(response)
        except StopIteration:
            return response
