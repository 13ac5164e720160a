"""Who we are, told to a server that asks: a token, or a password by Basic or Digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._endpoint import is_private, shown
from lexurn.errors import CatalogueError, MissingExtraError

try:
    import httpx
except ImportError as missing:  # pragma: no cover - where the extra is not installed
    raise MissingExtraError("remote") from missing

if TYPE_CHECKING:
    from collections.abc import Generator

    from lexurn.catalogue._credentials import Credentials

__all__ = ["Authority"]

_REFUSED: Final = 401


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
        url = str(request.url)
        if self._token is not None:
            self._refuse_cleartext(url)
            request.headers["Authorization"] = f"Bearer {self._token}"
        if self._basic is None or self._digest is None:
            yield request
            return
        if self._prefers_basic:
            yield from self._basic.auth_flow(request)
            return
        response = yield from _followed(self._digest.auth_flow(request))
        offered = response.headers.get("www-authenticate", "").lower()
        if response.status_code == _REFUSED and "basic" in offered and "digest" not in offered:
            self._refuse_cleartext(url)
            self._prefers_basic = True
            yield from self._basic.auth_flow(request)

    def _refuse_cleartext(self, url: str) -> None:
        """Keep what all could read on the way.

        Raises:
            CatalogueError: the request would go over http to another machine.
        """
        if not is_private(url, cleartext=self._cleartext):
            raise CatalogueError(
                f"{shown(url)} would get the password over http, which all can read on the way; "
                "use https, or set `cleartext = true` in a TOML file"
            )


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
