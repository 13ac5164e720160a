"""What goes wrong between us and a server, in words; and what may be tried again."""

from __future__ import annotations

import datetime as dt
import html
import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._endpoint import shown
from lexurn.errors import CatalogueError, MissingExtraError

try:
    import httpx
except ImportError as missing:  # pragma: no cover - where the extra is not installed
    raise MissingExtraError("remote") from missing

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BUSY",
    "HttpFaultError",
    "answered_fault",
    "is_repeatable",
    "never_sent",
    "pause_asked",
    "transport_fault",
]

BUSY: Final = frozenset({429, 502, 503, 504})
"""Statuses that say: not now, perhaps later."""

LONGEST_PAUSE: Final = 30.0

_WORDS: Final = 300
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


class HttpFaultError(CatalogueError):
    """A server answered, but not with what was asked for.

    Attributes:
        status: the status of its answer.
    """

    def __init__(self, message: str, status: int) -> None:
        """Keep the status."""
        super().__init__(message)
        self.status = status


def answered_fault(
    url: str, status: int, headers: Mapping[str, str], body: bytes
) -> HttpFaultError:
    """The fault that a status other than success is.

    Args:
        url: what was asked.
        status: the status.
        headers: those of the answer.
        body: the beginning of the answer; its words are shown, but neither HTML nor control
            characters.
    """
    message = f"{shown(url)} answered {status}"
    said = _words_of(headers.get("content-type", ""), body)
    if status in range(300, 400):
        said = shown(headers.get("location", ""))
    if said:
        message += f": {said}"
    advice = _ADVICE.get(status)
    return HttpFaultError(message if advice is None else f"{message}; {advice}", status)


def _words_of(content_type: str, body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if "html" in content_type or text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        text = html.unescape(title[1]) if title else ""
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= _WORDS else f"{text[:_WORDS]}..."


def transport_fault(url: str, fault: Exception, *, seconds: float) -> CatalogueError:
    """The fault that no answer, or half an answer, is."""
    place = shown(url)
    if isinstance(fault, httpx.ConnectTimeout | httpx.PoolTimeout):
        return CatalogueError(f"{place} cannot be reached: no connection in time; is it running?")
    if isinstance(fault, httpx.ConnectError):
        return CatalogueError(f"{place} cannot be reached: {fault}; is it running?")
    if isinstance(fault, httpx.TimeoutException):
        return CatalogueError(f"{place} was silent for {seconds:g} seconds; ask for less, or later")
    if isinstance(fault, httpx.DecodingError):
        return CatalogueError(f"{place} sent an answer that is not compressed as it says")
    return CatalogueError(f"{place} broke off in the middle of its answer ({fault}); try again")


def never_sent(fault: Exception) -> bool:
    """Whether a request certainly never came to the server."""
    return isinstance(fault, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def is_repeatable(fault: Exception) -> bool:
    """Whether to ask again may help: not where the server just took too long."""
    return never_sent(fault) or isinstance(fault, httpx.NetworkError | httpx.RemoteProtocolError)


def pause_asked(headers: Mapping[str, str]) -> float:
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
